//! Runs examples of small size.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

/// Returns where `cargo test` puts an example: beside the folder of the tests.
pub(crate) fn example(name: &str) -> PathBuf {
    let own = std::env::current_exe().expect("the path of this test");
    let profile = own.parent().and_then(|folder| folder.parent()).expect("the folder of the profile");
    profile.join("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

#[allow(dead_code)] // not every test of examples asks for it
/// Runs an example of small size, and checks what it judged.
pub(crate) fn all_pass(name: &str) {
    let program = example(name);
    let run = Command::new(&program).args(["--size", "small"]).output();
    let run = run.unwrap_or_else(|error| panic!("{}: {error}", program.display()));
    let (said, errors) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(run.status.success(), "{name}: {errors}");
    let lines = said.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut judged = lines.filter_map(|line| line.get("judged").and_then(Value::as_array).cloned());
    let judged = judged.next_back().unwrap_or_else(|| panic!("{name} judged nothing: {errors}"));
    assert!(!judged.is_empty(), "{name} judged nothing");
    let failed: Vec<&Value> = judged.iter().filter(|one| one["pass"] != Value::Bool(true)).collect();
    assert!(failed.is_empty(), "{name}: {failed:?}");
}
