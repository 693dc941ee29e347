//! Runs examples of small size.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

/// How the names of checks begin that depend on the machine and on what else it does.
pub(crate) const TIMED: &str = "computing time";

/// Returns where `cargo test` puts an example: beside the folder of the tests.
pub(crate) fn example(name: &str) -> PathBuf {
    let own = std::env::current_exe().expect("the path of this test");
    let profile = own.parent().and_then(|folder| folder.parent()).expect("the folder of the profile");
    profile.join("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

#[allow(dead_code)] // not every test of examples asks for it
/// Runs an example of small size, and requires that all its checks pass.
pub(crate) fn all_pass(name: &str) {
    all_pass_but(name, &[], &[]);
}

#[allow(dead_code)]
/// Runs an example of small size with these arguments, and requires that all its checks pass but the known failures.
pub(crate) fn all_pass_but(name: &str, arguments: &[&str], known_failures: &[&str]) {
    let program = example(name);
    let run = Command::new(&program).args(["--size", "small"]).args(arguments).output();
    let run = run.unwrap_or_else(|error| panic!("{}: {error}", program.display()));
    let (said, errors) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(run.status.success(), "{name}: {errors}");
    let lines = said.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut judged = lines.filter_map(|line| line.get("judged").and_then(Value::as_array).cloned());
    let judged = judged.next_back().unwrap_or_else(|| panic!("{name} judged nothing: {errors}"));
    let wrong = unexpected(&judged, known_failures);
    assert!(wrong.is_empty(), "{name}: {wrong:#?}");
}

/// Returns what is not as expected: checks that fail, known failures that pass, and those that are not among the checks. A list of known
/// failures that is longer than necessary would hide that a check fails again. Checks of the computing time are left out.
pub(crate) fn unexpected(judged: &[Value], known_failures: &[&str]) -> Vec<String> {
    let name = |check: &Value| check["name"].as_str().unwrap_or_default().to_string();
    let held: Vec<&Value> = judged.iter().filter(|check| !name(check).starts_with(TIMED)).collect();
    let mut wrong = Vec::new();
    if held.is_empty() {
        wrong.push("nothing is judged".to_string());
    }
    for check in &held {
        let (is_known, passes) = (known_failures.contains(&&*name(check)), check["pass"] == Value::Bool(true));
        match (passes, is_known) {
            (false, false) => wrong.push(format!("fails: {check}")),
            (true, true) => wrong.push(format!("passes, though it is a known failure: {check}")),
            _ => {}
        }
    }
    let is_missing = |known: &&&str| !held.iter().any(|check| name(check) == **known);
    wrong.extend(
        known_failures.iter().filter(is_missing).map(|known| format!("a known failure is not judged: {known}")),
    );
    wrong
}
