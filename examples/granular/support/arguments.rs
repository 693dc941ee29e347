//! Arguments of the command line, all of the form `--name value`.

use std::fmt::Display;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::str::FromStr;

use drystone::world::settings::WarmStart;

use super::Failure;

/// How large an experiment is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Size {
    /// A short version.
    Small,
    /// That of the paper.
    Paper,
}

/// Where the impulses of a step start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Start {
    Cold,
    History,
    Guarded,
    Model,
    Normals,
    NoVelocity,
}

impl Start {
    pub(crate) const ALL: [Self; 6] =
        [Self::Cold, Self::History, Self::Guarded, Self::Model, Self::Normals, Self::NoVelocity];

    /// Returns the word for it on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Cold => "off",
            Self::History => "history",
            Self::Guarded => "guarded",
            Self::Model => "model",
            Self::Normals => "normals",
            Self::NoVelocity => "no-velocity",
        }
    }

    /// Returns what a legend calls it.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Cold => "cold",
            Self::History => "history",
            Self::Guarded => "guarded history",
            Self::Model => "model",
            Self::Normals => "history, normals only",
            Self::NoVelocity => "history, velocities not updated",
        }
    }

    /// Returns the setting of the world.
    pub(crate) fn setting(self) -> WarmStart {
        match self {
            Self::Cold => WarmStart::Off,
            Self::History => WarmStart::History,
            Self::Guarded => WarmStart::Guarded,
            Self::Model => WarmStart::Model,
            Self::Normals => WarmStart::Normals,
            Self::NoVelocity => WarmStart::HistoryNoVelocity,
        }
    }
}

impl FromStr for Start {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|start| start.name() == word);
        found.ok_or_else(|| format!("expected {}", Self::ALL.map(Self::name).join(", ")))
    }
}

/// The arguments of a program.
#[derive(Debug, Clone)]
pub(crate) struct Arguments {
    pub(crate) size: Size,
    /// The starts to run; none given: those that the experiment compares.
    pub(crate) starts: Option<Vec<Start>>,
    /// The sweeps to run; none given: those of the size.
    pub(crate) iterations: Option<Vec<u32>>,
    /// Finished runs are remembered in this file, a line each, and not run again. The state of a run under way is kept beside it.
    pub(crate) resume: Option<PathBuf>,
    /// Time of day between two states of a run under way [s].
    pub(crate) save_every: f64,
    /// The picture to draw.
    pub(crate) plot: Option<PathBuf>,
    /// Whether to show progress on the standard error output.
    pub(crate) progress: bool,
    own: Vec<(String, String)>,
}

const USAGE: &str = "--size small|paper   a short version, or as large as the paper
--warm A,B,..        starts: off, history, guarded, model, normals, no-velocity
--iterations A,B,..  sweeps per step
--resume FILE        remember finished runs in FILE and skip them; go on with a run that was interrupted
--save-every S       seconds between two saved states of a run, with --resume; 60
--plot FILE.svg      draw the figure
--progress yes       show progress though the output is no terminal";

impl Arguments {
    /// Reads the command line. `own` are further options of the program: name without dashes, and help.
    pub(crate) fn parse(own: &[(&str, &str)]) -> Result<Self, Failure> {
        let mut words = std::env::args().skip(1);
        let mut given = Self {
            size: Size::Small,
            starts: None,
            iterations: None,
            resume: None,
            save_every: 60.0,
            plot: None,
            progress: std::io::stderr().is_terminal(),
            own: Vec::new(),
        };
        while let Some(word) = words.next() {
            let name = word.strip_prefix("--").unwrap_or_default();
            if name == "help" {
                println!("{USAGE}");
                own.iter().for_each(|(name, help)| println!("{:<20} {help}", format!("--{name}")));
                std::process::exit(0);
            }
            let value = words.next().ok_or_else(|| format!("{word} has no value; --help lists the arguments"))?;
            given.set(name, &value, own).map_err(|error| format!("{word} {value}: {error}"))?;
        }
        Ok(given)
    }

    fn set(&mut self, name: &str, value: &str, own: &[(&str, &str)]) -> Result<(), Failure> {
        match name {
            "size" => {
                self.size = match value {
                    "small" => Size::Small,
                    "paper" => Size::Paper,
                    _ => return Err("expected small or paper".into()),
                }
            }
            "warm" => self.starts = Some(list(value)?),
            "iterations" => {
                let numbers = list(value);
                self.iterations =
                    Some(numbers.map_err(|_| "expected whole numbers separated by commas, such as 10,50")?);
            }
            "resume" => self.resume = Some(in_a_folder(value)?),
            "save-every" => self.save_every = seconds(value)?,
            "plot" => self.plot = Some(in_a_folder(value)?),
            "progress" => self.progress = value == "yes",
            _ if own.iter().any(|(known, _)| *known == name) => {
                if name == "picture" {
                    in_a_folder(value)?;
                }
                self.own.push((name.into(), value.into()));
            }
            _ => return Err("no such argument; --help lists them".into()),
        }
        Ok(())
    }

    pub(crate) fn is_paper(&self) -> bool {
        self.size == Size::Paper
    }

    /// Returns `small` or `paper`, as the size is.
    pub(crate) fn by_size<T>(&self, small: T, paper: T) -> T {
        if self.is_paper() { paper } else { small }
    }

    pub(crate) fn starts_or(&self, usual: &[Start]) -> Vec<Start> {
        self.starts.clone().unwrap_or_else(|| usual.to_vec())
    }

    pub(crate) fn iterations_or(&self, usual: &[u32]) -> Vec<u32> {
        self.iterations.clone().unwrap_or_else(|| usual.to_vec())
    }

    /// Returns the value of an option of the program, the last one given.
    pub(crate) fn own(&self, name: &str) -> Option<&str> {
        self.own.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Returns the number that an option of the program has, the last one given, or the `usual` one.
    ///
    /// # Errors
    ///
    /// It cannot be read.
    pub(crate) fn number<T: FromStr + Display>(&self, name: &str, usual: T) -> Result<T, Failure> {
        let Some(value) = self.own(name) else { return Ok(usual) };
        value.parse().map_err(|_| format!("--{name} is {value}, expected a number such as {usual}").into())
    }

    /// Returns the values of an option of the program that is a list.
    ///
    /// # Errors
    ///
    /// One of them cannot be read.
    pub(crate) fn own_list<T: FromStr + Clone>(&self, name: &str, usual: &[T]) -> Result<Vec<T>, Failure>
    where
        T::Err: Display,
    {
        let Some(values) = self.own(name) else { return Ok(usual.to_vec()) };
        list(values)
            .map_err(|error| format!("--{name} is {values}, expected values separated by commas; {error}").into())
    }
}

/// Returns the path of a file to write. Its folder must exist: a run of hours should not end because it does not.
fn in_a_folder(value: &str) -> Result<PathBuf, Failure> {
    let path = PathBuf::from(value);
    match path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir()) {
        Some(folder) => {
            Err(format!("expected a file in a folder that exists, and {} does not", folder.display()).into())
        }
        None => Ok(path),
    }
}

/// Reads a time that is not negative [s].
fn seconds(value: &str) -> Result<f64, Failure> {
    let seconds: Option<f64> = value.parse().ok().filter(|seconds| *seconds >= 0.0);
    seconds.ok_or_else(|| "expected a number of seconds from 0 on".into())
}

/// Reads values separated by commas.
fn list<T: FromStr>(values: &str) -> Result<Vec<T>, Failure>
where
    T::Err: Display,
{
    let read = |value: &str| value.trim().parse().map_err(|error: T::Err| format!("{value}: {error}").into());
    values.split(',').map(read).collect()
}
