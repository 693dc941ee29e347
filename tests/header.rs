//! `include/drystone.h` is what cbindgen makes of `src/ffi`, holds every name of the contract, and is what the shared
//! library exports.

#![allow(clippy::expect_used, clippy::panic)] // a test fails by panicking

mod support;

use std::collections::BTreeSet;
use std::process::Command;

use support::header::{code, functions, generated, records, structures};
use support::host::library_folder;
use support::{project, read};

#[test]
fn the_header_is_generated() {
    let header = generated();
    if std::env::var_os("DRYSTONE_WRITE_HEADER").is_some() {
        std::fs::write(project("include/drystone.h"), &header).expect("include/drystone.h");
        follow_comments(&header);
    }
    let committed = read("include/drystone.h");
    let differs = header.lines().zip(committed.lines()).position(|(new, old)| new != old);
    assert!(
        header == committed,
        "include/drystone.h is not what src/ffi says (line {:?}); DRYSTONE_WRITE_HEADER=1 cargo test --test header",
        differs.map(|line| line + 1)
    );
}

/// Writes the latest recorded header again where only comments differ. Anything else is recorded by hand
/// (`docs/abi.md`).
fn follow_comments(header: &str) {
    let latest = records().pop().expect("a recorded header");
    let record = format!("tests/abi/{latest}/drystone.h");
    if code(&read(&record)) == code(header) {
        std::fs::write(project(&record), header).expect("the latest recorded header");
    }
}

/// `tests/contract_names.txt` lists what hosts may rely on. Types and numbers are checked by `tests/c/contract.c`.
#[test]
fn every_name_of_the_contract_is_there() {
    let header = read("include/drystone.h");
    let words: BTreeSet<String> =
        code(&header).split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_string).collect();
    let functions: BTreeSet<String> = functions(&header).into_iter().collect();
    let members: BTreeSet<String> = structures(&header)
        .into_iter()
        .flat_map(|(name, members)| members.into_iter().map(move |member| format!("{name}.{member}")))
        .collect();
    let names = read("tests/contract_names.txt");
    let missing: Vec<&str> = names
        .lines()
        .filter(|line| {
            let mut parts = line.split(' ');
            let (kind, name) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
            !match kind {
                "function" => functions.contains(name),
                "member" => members.contains(name),
                "type" | "constant" => words.contains(name),
                _ => panic!("{line}: no kind of name"),
            }
        })
        .collect();
    assert!(missing.is_empty(), "include/drystone.h lacks {missing:?}");
    assert_eq!(names.lines().filter(|line| line.starts_with("function ")).count(), 82);
}

/// Nothing leaves the shared library but what the header declares.
#[test]
fn the_library_exports_the_header() {
    let library = library_folder().join("libdrystone.so");
    let output = Command::new("nm").args(["-D", "--defined-only"]).arg(library).output().expect("nm");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let exported: BTreeSet<&str> = text.lines().filter_map(|line| line.split_whitespace().last()).collect();
    let declared = functions(&read("include/drystone.h"));
    assert_eq!(exported, declared.iter().map(String::as_str).collect());
}

/// A page is read in windows of this width.
#[test]
fn lines_are_not_too_long() {
    let header = read("include/drystone.h");
    let long: Vec<&str> = header.lines().filter(|line| line.chars().count() > 120).collect();
    assert!(long.is_empty(), "{long:#?}");
}
