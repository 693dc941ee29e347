//! Files that get their names when all of them are complete.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};

use crate::error::{Error, ErrorKind, Result, out_of_memory, push, text};

/// Complete files under temporary names. What is not committed is removed.
#[derive(Debug, Default)]
pub struct Staged {
    paths: Vec<String>,
}

impl Staged {
    /// Writes a file that will be at `path`.
    ///
    /// # Errors
    ///
    /// The file system refuses it: the message has the path and the reason.
    pub fn add(&mut self, path: String, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> Result<()> {
        let temporary = temporary(&path)?;
        let failed = |error: io::Error| refused("written", &path, &error);
        let file = File::create(&temporary).map_err(failed)?;
        let mut out = BufWriter::new(file);
        let outcome = write(&mut out).and_then(|()| out.flush()).map_err(failed);
        // Closed before it is removed or renamed.
        drop(out);
        let kept = outcome.and_then(|()| push(&mut self.paths, path, "names of files"));
        if kept.is_err() {
            remove(&temporary);
        }
        kept
    }

    /// Gives the files their names.
    ///
    /// # Errors
    ///
    /// The file system refuses it. Files before the one that it refuses have their names.
    pub fn commit(mut self) -> Result<()> {
        self.paths.reverse();
        while let Some(path) = self.paths.pop() {
            let temporary = temporary(&path)?;
            if let Err(error) = fs::rename(&temporary, &path) {
                remove(&temporary);
                return Err(refused("written", &path, &error));
            }
        }
        Ok(())
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        self.paths.iter().filter_map(|path| temporary(path).ok()).for_each(|temporary| remove(&temporary));
    }
}

fn temporary(path: &str) -> Result<String> {
    whole(text!("{path}.tmp"), ".tmp")
}

/// Refuses a text that does not have its end: there was no memory for it.
pub(super) fn whole(text: String, end: &str) -> Result<String> {
    if text.ends_with(end) { Ok(text) } else { Err(out_of_memory("characters of a path", text.len() + end.len())) }
}

fn remove(path: &str) {
    // Where it cannot be removed, it is left: the call has failed already, for a reason that says more.
    let _ = fs::remove_file(path);
}

/// The error of a file that could not be `done`.
pub(super) fn refused(done: &str, path: &str, error: &io::Error) -> Error {
    Error::new(ErrorKind::Io, text!("{path} cannot be {done}: {error}"))
}
