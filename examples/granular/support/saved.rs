//! The state of a run under way, from which the next program goes on if this one is interrupted.
//!
//! A file of it has a line of JSON, and behind that the snapshots of the worlds. It is written beside the file of the study under another
//! name, and then renamed, so that there is always a whole one. It is removed when the run is finished.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use drystone::world::World;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Failure;
use super::clock::{processor_time, wall_time};

/// Raised by every change of the layout of the file.
const FORMAT: u32 = 1;

/// How the name of a file ends that is being written.
const STAGED: &str = ".new";

/// The first line of the file.
#[derive(Debug, Serialize, Deserialize)]
struct Header {
    format: u32,
    /// The parameters of the run.
    run: Value,
    /// The part of the run that the state belongs to.
    stage: String,
    /// Processor time so far [s].
    seconds: f64,
    state: Value,
    /// Bytes of each snapshot.
    snapshots: Vec<usize>,
}

/// The saved state of one run, and when it is saved again.
#[derive(Debug)]
pub(crate) struct Saved {
    /// Without one nothing is saved.
    path: Option<PathBuf>,
    run: Value,
    /// Time of day between two states, and of the last one [s].
    every: f64,
    written: f64,
    /// Processor time of the programs before, and where that of this one began [s].
    earlier: f64,
    begin: f64,
    /// The state and the snapshots that an earlier program left.
    found: Option<(Header, Vec<u8>)>,
}

impl Saved {
    /// Opens the state of a run with these parameters, beside the file of its study, if there is one.
    ///
    /// # Errors
    ///
    /// There is a file that cannot be read, or that is no state of this run.
    pub(crate) fn open(study: Option<&Path>, run: Value, every: f64) -> Result<Self, Failure> {
        let path = study.map(|study| path(study, &run));
        let mut saved =
            Self { path, run, every, written: wall_time(), earlier: 0.0, begin: processor_time(), found: None };
        let Some(path) = &saved.path else { return Ok(saved) };
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(saved),
            Err(error) => return Err(saved.refused(&error)),
        };
        let (header, snapshots) = parse(&bytes, &saved.run).map_err(|error| saved.refused(&*error))?;
        eprintln!("goes on from {} after {:.0} s", path.display(), header.seconds);
        saved.earlier = header.seconds;
        saved.found = Some((header, snapshots.to_vec()));
        Ok(saved)
    }

    /// Returns the state of the stage of this name, if the earlier program was interrupted there.
    ///
    /// # Errors
    ///
    /// It is no such state.
    pub(crate) fn state<S: DeserializeOwned>(&mut self, stage: &str) -> Result<Option<S>, Failure> {
        let Some((header, _)) = self.found.as_mut().filter(|(header, _)| header.stage == stage) else {
            return Ok(None);
        };
        let state = serde_json::from_value(header.state.take());
        state.map(Some).map_err(|error| self.refused(&error))
    }

    /// Puts worlds into the states of the snapshots. They must have been built as those that were saved.
    ///
    /// # Errors
    ///
    /// There are as many snapshots no more, or they cannot be read.
    pub(crate) fn restore(&mut self, worlds: &mut [&mut World]) -> Result<(), Failure> {
        let Some((header, bytes)) = self.found.take() else { return Ok(()) };
        if header.snapshots.len() != worlds.len() {
            let message = format!("it has {} snapshots, expected {}", header.snapshots.len(), worlds.len());
            return Err(self.refused(&message));
        }
        let mut rest = &bytes[..];
        for (world, size) in worlds.iter_mut().zip(header.snapshots) {
            let (snapshot, behind) = rest.split_at_checked(size).ok_or_else(|| self.refused(&"it is cut off"))?;
            world.restore(snapshot).map_err(|error| self.refused(&error))?;
            rest = behind;
        }
        Ok(())
    }

    /// Saves the state of a stage, if the last time was long enough ago.
    ///
    /// # Errors
    ///
    /// The file cannot be written, or that of the earlier program has a stage that this run does not have.
    pub(crate) fn keep(&mut self, stage: &str, state: &impl Serialize, worlds: &[&World]) -> Result<(), Failure> {
        let Some(path) = &self.path else { return Ok(()) };
        if let Some((header, _)) = &self.found {
            return Err(self.refused(&format!("it belongs to {}, which is no part of this run", header.stage)));
        }
        if wall_time() - self.written < self.every {
            return Ok(());
        }
        let snapshots = worlds.iter().map(|world| world.snapshot()).collect::<Result<Vec<_>, _>>()?;
        let header = Header {
            format: FORMAT,
            run: self.run.clone(),
            stage: stage.into(),
            seconds: self.seconds(),
            state: serde_json::to_value(state)?,
            snapshots: snapshots.iter().map(Vec::len).collect(),
        };
        let staged = with_ending(path, STAGED);
        let mut file = File::create(&staged)?;
        file.write_all(serde_json::to_string(&header)?.as_bytes())?;
        file.write_all(b"\n")?;
        snapshots.iter().try_for_each(|snapshot| file.write_all(snapshot))?;
        file.sync_all()?;
        fs::rename(&staged, path)?;
        self.written = wall_time();
        Ok(())
    }

    /// Removes the files of a finished run.
    ///
    /// # Errors
    ///
    /// One of them cannot be removed.
    pub(crate) fn remove(&self) -> Result<(), Failure> {
        let Some(path) = &self.path else { return Ok(()) };
        // The other one is there if a program was killed while it wrote.
        for path in [path, &with_ending(path, STAGED)] {
            match fs::remove_file(path) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(format!("cannot remove {}: {error}", path.display()).into());
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns the processor time of the run so far, that of earlier programs included [s].
    pub(crate) fn seconds(&self) -> f64 {
        self.earlier + processor_time() - self.begin
    }

    fn refused(&self, error: &(impl std::fmt::Display + ?Sized)) -> Failure {
        let path = self.path.as_deref().unwrap_or(Path::new("")).display();
        format!("cannot go on from {path}: {error}. If you remove this file, the run begins again").into()
    }
}

/// Returns where the state of a run is kept: a hash of its parameters (FNV-1a) behind the name of the study.
fn path(study: &Path, run: &Value) -> PathBuf {
    let hash = run
        .to_string()
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    with_ending(study, &format!(".{hash:016x}.state"))
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    name.into()
}

/// Splits a file into its first line and the snapshots.
fn parse<'a>(bytes: &'a [u8], run: &Value) -> Result<(Header, &'a [u8]), Failure> {
    let end = bytes.iter().position(|byte| *byte == b'\n').ok_or("it has no first line")?;
    let (line, snapshots) = (&bytes[..end], &bytes[end + 1..]);
    let header: Header = serde_json::from_slice(line)?;
    if header.format != FORMAT {
        return Err(format!("it has format {}, expected {FORMAT}", header.format).into());
    }
    if header.run != *run {
        return Err(format!("it belongs to the run {}, expected {run}", header.run).into());
    }
    let expected = header.snapshots.iter().fold(0, |sum: usize, size| sum.saturating_add(*size));
    if snapshots.len() != expected {
        return Err(format!("it has {} bytes of snapshots, expected {expected}", snapshots.len()).into());
    }
    Ok((header, snapshots))
}
