//! What the integration tests share: the files of the project, the generated header, and real C and C++ hosts.

#![allow(dead_code)] // each test uses its part

pub(crate) mod description;
pub(crate) mod header;
pub(crate) mod host;

use std::path::{Path, PathBuf};

/// A path of the project.
pub(crate) fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A file of the project.
pub(crate) fn read(path: &str) -> String {
    std::fs::read_to_string(project(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}
