//! What the integration tests share: the files of the project, the generated header, and real C and C++ hosts.

#![allow(dead_code)] // each test uses its part

pub(crate) mod description;
pub(crate) mod header;
pub(crate) mod host;

use std::io::Write;
use std::path::{Path, PathBuf};

/// A path of the project.
pub(crate) fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Says that a check is left out, as `skipped` in `tests/bindings/provide.sh` does: with `CI=true` the test fails, unless
/// `tests/bindings/may_skip.txt` lists the name.
pub(crate) fn skipped(name: &str, reason: &str) {
    // past the test's capture, so that it is seen although the test passes
    let _ = writeln!(std::io::stderr(), "SKIPPED: {name}: {reason}");
    let must_run = std::env::var("CI").is_ok_and(|value| value == "true") && !may_skip().contains(&name.to_string());
    assert!(!must_run, "with CI=true {name} must not be skipped: it is not in tests/bindings/may_skip.txt");
}

/// The names in `tests/bindings/may_skip.txt`.
pub(crate) fn may_skip() -> Vec<String> {
    let name = |line: &str| line.split([' ', '#']).next().filter(|name| !name.is_empty()).map(str::to_string);
    read("tests/bindings/may_skip.txt").lines().filter_map(name).collect()
}

/// A file of the project.
pub(crate) fn read(path: &str) -> String {
    std::fs::read_to_string(project(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}
