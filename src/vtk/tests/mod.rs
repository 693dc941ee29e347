//! Tests of files for VTK, one file for each source.

#![allow(clippy::expect_used, clippy::panic)] // a test fails by panicking

mod dataset;
pub(crate) mod read_back;
mod series;
mod staged;

use std::path::{Path, PathBuf};

/// A folder that is removed at the end of a test.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// A new one. Tests run at the same time, so each has a name of its own.
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("drystone-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir(&path).expect("a folder for temporary files");
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// The path of something in it.
    pub(crate) fn at(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("UTF-8").to_string()
    }

    /// The names of the files in it.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).expect("the folder");
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8")).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
