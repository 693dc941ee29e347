//! The rules for files and functions, checked on the sources.

use crate::circles::{describe, parent_imports};
use crate::functions::{Function, functions, percentile_95};
use crate::graph::Graph;
use crate::lexer::tokens;
use crate::sources::{File, sources};

const LONGEST_FILE: usize = 450;
const LONGEST_FUNCTION: usize = 60;
const LONGEST_95_PERCENT: usize = 30;
const MAX_PARAMETERS: usize = 6;

/// Files outside `ffi` with unsafe code. The first one cuts slices for several threads. `lines.rs` has the cache lines of
/// bodies that several threads share. The others hold the wide instructions of the machine.
const UNSAFE_FILES: [&str; 6] = [
    "tasks/pieces.rs",
    "math/lanes/lines.rs",
    "math/lanes/prefetch.rs",
    "math/lanes/machine.rs",
    "math/lanes/machine/avx2.rs",
    "math/lanes/machine/avx512.rs",
];

/// Fails with all of `found`, one a line, if there is anything.
fn expect_none(rule: &str, found: &[String]) {
    assert!(found.is_empty(), "{rule}: {}\n{}", found.len(), found.join("\n"));
}

/// Returns the places where `code` stands in the sources. Words match as a whole.
fn occurrences(code: &str, excepted: impl Fn(&File) -> bool) -> Vec<String> {
    let wanted: Vec<String> = tokens(code).into_iter().map(|token| token.text).collect();
    let mut found = Vec::new();
    for file in sources().iter().filter(|file| !excepted(file)) {
        let here = file.tokens.windows(wanted.len()).filter(|part| part.iter().map(|token| &token.text).eq(&wanted));
        found.extend(here.map(|part| format!("src/{}:{}: {code}", file.path, part[0].line)));
    }
    found
}

/// Returns the functions outside of tests, each with its place.
fn measured() -> Vec<(String, Function)> {
    let sources = sources();
    let files = sources.iter().filter(|file| !file.is_test());
    let place =
        |file: &File, function: Function| (format!("src/{}:{} {}", file.path, function.line, function.name), function);
    files
        .flat_map(|file| functions(&file.tokens).into_iter().map(|function| place(file, function)).collect::<Vec<_>>())
        .collect()
}

#[test]
fn no_circle_of_files() {
    expect_none("circles of files", &describe(&Graph::new(&sources())));
}

#[test]
fn no_import_of_a_parent() {
    expect_none("names that a child imports from the file of its parent", &parent_imports(&Graph::new(&sources())));
}

#[test]
fn no_import_of_everything_of_a_parent() {
    expect_none("use super::*", &occurrences("use super::*", File::is_test));
}

#[test]
fn unsafe_code_is_in_ffi_and_few_files() {
    let excepted = |file: &File| file.top_module() == Some("ffi") || UNSAFE_FILES.contains(&file.path.as_str());
    expect_none("unsafe code", &occurrences("unsafe", excepted));
}

#[test]
fn nothing_panics_outside_tests() {
    for code in [".unwrap()", ".expect(", "panic!", "todo!", "unimplemented!", "unreachable!"] {
        expect_none(code, &occurrences(code, File::is_test));
    }
}

#[test]
fn nothing_prints_outside_tests() {
    for code in ["println!", "eprintln!", "print!", "eprint!", "dbg!"] {
        expect_none(code, &occurrences(code, File::is_test));
    }
}

#[test]
fn no_file_is_too_long() {
    let sources = sources();
    let long = sources.iter().filter(|file| file.lines > LONGEST_FILE);
    let found: Vec<String> = long.map(|file| format!("src/{} has {} lines", file.path, file.lines)).collect();
    expect_none("files that are too long", &found);
}

#[test]
fn no_function_is_too_long() {
    let long = measured().into_iter().filter(|(_, function)| function.lines > LONGEST_FUNCTION);
    let found: Vec<String> = long.map(|(place, function)| format!("{place} has {} lines", function.lines)).collect();
    expect_none("functions that are too long", &found);
}

#[test]
fn most_functions_are_short() {
    let mut lengths: Vec<usize> = measured().iter().map(|(_, function)| function.lines).collect();
    let percentile = percentile_95(&mut lengths);
    assert!(percentile <= LONGEST_95_PERCENT, "95 of 100 functions have up to {percentile} lines");
}

#[test]
fn no_function_has_too_many_parameters() {
    let many =
        measured().into_iter().filter(|(_, function)| function.parameters > MAX_PARAMETERS && !function.is_extern);
    let found: Vec<String> =
        many.map(|(place, function)| format!("{place} has {} parameters", function.parameters)).collect();
    expect_none("functions with too many parameters, elements of tuples counted", &found);
}
