//! The recorded digests: one line for each, a name and 16 hexadecimal digits.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

/// Writes the file, in place of comparing with it.
const COMMAND: &str = "DRYSTONE_WRITE_DIGEST=1 cargo test --release --lib digest";

/// A digest and its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) name: String,
    pub(super) digest: u64,
}

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/world/tests/digest.txt")
}

/// Writes these digests to the file if the environment variable is set.
pub(super) fn write_if_asked(lines: &[Line]) {
    if std::env::var_os("DRYSTONE_WRITE_DIGEST").is_none() {
        return;
    }
    let mut text = format!("# Digests of results, one for each scene and step or problem. Recorded by\n# {COMMAND}\n");
    for Line { name, digest } in lines {
        writeln!(text, "{name} {digest:016x}").expect("memory");
    }
    std::fs::write(path(), text).expect("the recorded digests");
}

/// The recorded digests by name.
fn recorded() -> BTreeMap<String, u64> {
    let text = std::fs::read_to_string(path()).expect("the recorded digests");
    let line = |line: &str| {
        let (name, digest) = line.split_once(' ').expect("a name and a digest");
        (name.to_string(), u64::from_str_radix(digest, 16).expect("a digest"))
    };
    text.lines().filter(|line| !line.starts_with('#')).map(line).collect()
}

/// What differs between the recorded digests and these, which were found at this `width`.
pub(super) fn differences(lines: &[Line], width: &str) -> Vec<String> {
    let mut recorded = recorded();
    let mut found = Vec::new();
    for Line { name, digest } in lines {
        match recorded.remove(name) {
            Some(known) if known == *digest => (),
            Some(known) => found.push(format!("{name} at {width}: {digest:016x}, recorded {known:016x}")),
            None => found.push(format!("{name} at {width}: {digest:016x}, not recorded")),
        }
    }
    found.extend(recorded.into_iter().map(|(name, known)| format!("{name}: recorded {known:016x}, not found")));
    found
}
