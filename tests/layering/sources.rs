//! The source files of the crate, read and split into tokens.

use std::path::{Path, PathBuf};

use crate::lexer::{Token, tokens, without_tests};

/// A source file.
pub(crate) struct File {
    /// Its path below `src`, with `/`.
    pub(crate) path: String,
    /// The path of the module that it is, without `crate`; empty for `lib.rs`.
    pub(crate) module: Vec<String>,
    /// Its lines, with comments and blanks.
    pub(crate) lines: usize,
    /// Its tokens. Those below `#[cfg(test)]` are left out.
    pub(crate) tokens: Vec<Token>,
}

impl File {
    pub(crate) fn new(path: &str, text: &str) -> Self {
        let tokens = without_tests(&tokens(text));
        Self { path: path.to_string(), module: module_path(path), lines: text.lines().count(), tokens }
    }

    /// Returns the folder of `src` that holds the file; none for `lib.rs`.
    pub(crate) fn top_module(&self) -> Option<&str> {
        self.module.first().map(String::as_str)
    }

    pub(crate) fn is_test(&self) -> bool {
        self.path.contains("/tests/") || self.path.ends_with("/tests.rs")
    }
}

fn module_path(path: &str) -> Vec<String> {
    let path = path.trim_end_matches(".rs");
    let path = path.strip_suffix("/mod").unwrap_or(path);
    if path == "lib" { Vec::new() } else { path.split('/').map(str::to_string).collect() }
}

/// Returns the folder of the crate.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Reads all source files, tests included, in the order of their paths.
pub(crate) fn sources() -> Vec<File> {
    let mut paths = Vec::new();
    collect(&root().join("src"), &mut paths);
    paths.sort();
    let file = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a source of text");
        let path =
            path.strip_prefix(root().join("src")).expect("a path below src").to_string_lossy().replace('\\', "/");
        File::new(&path, &text)
    };
    paths.into_iter().map(file).collect()
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn modules_follow_from_paths() {
    assert!(module_path("lib.rs").is_empty());
    assert_eq!(module_path("a/mod.rs"), ["a"]);
    assert_eq!(module_path("a/b/c.rs"), ["a", "b", "c"]);
}
