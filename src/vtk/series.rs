//! Series: which file has which time, for one kind of data set.

use std::fmt::{self, Display, Formatter, Write as _};
use std::fs::File;
use std::io::{self, Read, Write};

use crate::error::{Error, ErrorKind, Result, push, reserve, text};

use super::staged::{Staged, refused, whole};

const FIRST_LINES: [&str; 3] = [
    "<?xml version=\"1.0\"?>",
    "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">",
    "<Collection>",
];
const LAST_LINES: [&str; 2] = ["</Collection>", "</VTKFile>"];
const ENTRIES: &str = "entries of a series";

/// Where a file belongs in a series.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// Begins the names of all files, with the folder.
    pub prefix: &'a str,
    /// What the files of the series have.
    pub part: &'static str,
    /// How their names end.
    pub extension: &'static str,
    /// The number of the file.
    pub step: u64,
}

impl Place<'_> {
    /// Returns the path of the file.
    pub fn path(&self) -> Result<String> {
        let Self { prefix, part, extension, step } = self;
        whole(text!("{prefix}_{part}_{step:06}.{extension}"), extension)
    }

    /// The path of the series.
    fn series(&self) -> Result<String> {
        let Self { prefix, part, .. } = self;
        whole(text!("{prefix}_{part}.pvd"), ".pvd")
    }

    /// What a file name of the series begins with, as it stands in the series.
    fn stem(&self) -> Result<String> {
        let name = self.prefix.rsplit(std::path::is_separator).next().unwrap_or(self.prefix);
        whole(text!("{}_{}_", Escaped(name), self.part), "_")
    }
}

/// A series as its file has it.
#[derive(Debug, Default)]
pub struct Series {
    /// The lines of its files, and their steps, which rise.
    entries: Vec<(u64, String)>,
}

impl Series {
    /// Reads the series at this place; an empty one where there is no file.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is no series that [`Series::stage`] wrote.
    pub fn read(place: &Place) -> Result<Self> {
        let path = place.series()?;
        let mut text = Vec::new();
        match File::open(&path) {
            Ok(file) => read_all(file, &mut text).map_err(|error| match error {
                ReadError::Io(error) => refused("read", &path, &error),
                ReadError::Memory(error) => error,
            })?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(refused("read", &path, &error)),
        }
        let text = std::str::from_utf8(&text).unwrap_or_default();
        let stem = place.stem()?;
        Self::parse(text, &stem, place.extension)?.ok_or_else(|| {
            let message = text!("{path} is another file, expected a series of {stem}*.{}", place.extension);
            Error::new(ErrorKind::Format, message)
        })
    }

    /// The series in a text, if that is one.
    fn parse(text: &str, stem: &str, extension: &str) -> Result<Option<Self>> {
        let mut lines = text.lines();
        if !FIRST_LINES.iter().all(|line| lines.next() == Some(*line)) {
            return Ok(None);
        }
        let mut series = Self::default();
        let mut line = lines.next();
        while let Some(entry) = line.filter(|line| *line != LAST_LINES[0]) {
            let Some(step) = step_of(entry, stem, extension) else { return Ok(None) };
            push(&mut series.entries, (step, whole(text!("{entry}"), "/>")?), ENTRIES)?;
            line = lines.next();
        }
        let ends = line == Some(LAST_LINES[0]) && lines.next() == Some(LAST_LINES[1]) && lines.next().is_none();
        Ok(ends.then_some(series))
    }

    /// Adds the file of a place at a `time` [s]. Files of this and later steps are dropped: a run that is repeated from a step on replaces
    /// what was there.
    pub fn add(&mut self, place: &Place, time: f64) -> Result<()> {
        self.entries.retain(|(step, _)| *step < place.step);
        let Place { step, extension, .. } = place;
        let file = whole(text!("{}{step:06}.{extension}", place.stem()?), extension)?;
        let line = whole(text!("<DataSet timestep=\"{time}\" part=\"0\" file=\"{file}\"/>"), "/>")?;
        push(&mut self.entries, (*step, line), ENTRIES)
    }

    /// Writes the file of the series at this place.
    pub fn stage(&self, place: &Place, staged: &mut Staged) -> Result<()> {
        staged.add(place.series()?, |out| {
            FIRST_LINES.iter().try_for_each(|line| writeln!(out, "{line}"))?;
            self.entries.iter().try_for_each(|(_, line)| writeln!(out, "{line}"))?;
            LAST_LINES.iter().try_for_each(|line| writeln!(out, "{line}"))
        })
    }
}

/// The step of a line of a series.
fn step_of(line: &str, stem: &str, extension: &str) -> Option<u64> {
    let (time, file) = line.strip_prefix("<DataSet timestep=\"")?.split_once("\" part=\"0\" file=\"")?;
    time.parse::<f64>().ok()?;
    file.strip_prefix(stem)?.strip_suffix("\"/>")?.strip_suffix(extension)?.strip_suffix('.')?.parse().ok()
}

enum ReadError {
    Io(io::Error),
    Memory(Error),
}

/// Reads a file, if there is memory for it.
fn read_all(file: File, text: &mut Vec<u8>) -> std::result::Result<(), ReadError> {
    let length = file.metadata().map_err(ReadError::Io)?.len();
    // The end of the file is found with room for a byte more.
    reserve(text, (length as usize).saturating_add(1), "bytes of a series").map_err(ReadError::Memory)?;
    file.take(length).read_to_end(text).map_err(ReadError::Io)?;
    Ok(())
}

/// A name as it stands in an attribute of XML.
struct Escaped<'a>(&'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|character| match character {
            '&' => formatter.write_str("&amp;"),
            '<' => formatter.write_str("&lt;"),
            '>' => formatter.write_str("&gt;"),
            '"' => formatter.write_str("&quot;"),
            other => formatter.write_char(other),
        })
    }
}
