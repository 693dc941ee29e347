//! What a skipped check does: it prints that it is skipped, and with `CI=true` it is a failure unless
//! `tests/bindings/may_skip.txt` lists it.

#![allow(clippy::expect_used, clippy::panic)] // a test fails by panicking

mod support;

use std::process::{Command, Output};

use support::{may_skip, project, read};

/// Every script that may skip a check, by its path in the project.
fn scripts() -> Vec<String> {
    let entries = std::fs::read_dir(project("tests/bindings")).expect("tests/bindings");
    let names = entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"));
    let scripts = names.filter(|name| name.ends_with(".sh")).map(|name| format!("tests/bindings/{name}"));
    scripts.chain(["Makefile".to_string()]).collect()
}

/// A script that skips the check `name`, and then goes on.
fn skip(name: &str, ci: &str) -> Output {
    let script = format!("set -euo pipefail; . tests/bindings/provide.sh; skipped {name} no such tool; echo went on");
    let mut command = Command::new("bash");
    command.current_dir(project("")).env("CI", ci).args(["-c", &script]);
    command.output().expect("bash")
}

#[test]
fn a_skipped_check_is_reported_and_the_rest_goes_on() {
    for (name, ci) in [("valgrind", ""), ("valgrind", "false"), ("julia", "true")] {
        let output = skip(name, ci);
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{name} {ci}: {output:?}");
        assert_eq!(printed, format!("SKIPPED: {name}: no such tool\nwent on\n"), "{ci}");
    }
}

/// Nor does a part of a listed name count, or a word of a reason.
#[test]
fn with_ci_a_skipped_check_is_a_failure() {
    for name in ["valgrind", "jul", "running", "j.lia", "-x"] {
        let output = skip(name, "true");
        assert_eq!(output.status.code(), Some(1), "{name}: {output:?}");
        assert!(String::from_utf8_lossy(&output.stdout).ends_with("no such tool\n"), "{name}: {output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).starts_with("FAILED: "), "{name}: {output:?}");
    }
}

#[test]
fn only_the_helper_says_that_a_check_is_skipped() {
    for script in scripts() {
        let count = read(&script).matches("SKIPPED: ").count();
        assert_eq!(count, usize::from(script.ends_with("/provide.sh")), "{script}");
    }
}

#[test]
fn every_listed_name_is_one_that_a_check_has() {
    let scripts: String = scripts().iter().map(|script| read(script)).collect();
    let tests = read("tests/problems.rs");
    for name in may_skip() {
        let is_one = scripts.contains(&format!("skipped {name} "))
            || scripts.contains(&format!("skipped,{name},"))
            || tests.contains(&format!("skipped(\"{name}\""));
        assert!(is_one, "no check is skipped under the name {name}");
    }
}
