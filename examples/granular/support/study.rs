//! A study: runs with parameters, one line of JSON each, that are remembered in a file and not run twice. A run that was interrupted goes on.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;

use serde_json::{Map, Value, json};

use super::Failure;
use super::arguments::Arguments;
use super::saved::Saved;

/// The finished runs of a study, and where they are kept.
#[derive(Debug)]
pub(crate) struct Study {
    experiment: &'static str,
    finished: Vec<Value>,
    file: Option<File>,
    path: Option<PathBuf>,
    /// Time of day between two states of a run under way [s].
    every: f64,
}

impl Study {
    /// Opens a study. Runs of the file of `--resume` count as finished.
    ///
    /// # Errors
    ///
    /// The file cannot be read or written, or has lines of another kind. A line that was cut off is no error: its run is
    /// repeated.
    pub(crate) fn open(experiment: &'static str, arguments: &Arguments) -> Result<Self, Failure> {
        let (path, every) = (arguments.resume.clone(), arguments.save_every);
        let Some(path) = path else {
            return Ok(Self { experiment, finished: Vec::new(), file: None, path: None, every });
        };
        let mut finished = Vec::new();
        if path.exists() {
            for (at, line) in BufReader::new(File::open(&path)?).lines().enumerate() {
                let line = line?;
                if !line.is_empty() && !line.starts_with('{') {
                    let (path, number) = (path.display(), at + 1);
                    return Err(format!("--resume {path}: line {number} is no run, expected an object of JSON").into());
                }
                finished.extend(serde_json::from_str::<Value>(&line));
            }
        }
        let mut file = OpenOptions::new().create(true).append(true).open(&path)?;
        // A line that was cut off ends here.
        if file.metadata()?.len() > 0 {
            writeln!(file)?;
        }
        Ok(Self { experiment, finished, file: Some(file), path: Some(path), every })
    }

    /// Returns the run of these parameters if it is finished.
    pub(crate) fn find(&self, parameters: &Value) -> Option<&Value> {
        let wanted = self.named(parameters);
        self.finished.iter().find(|run| wanted.iter().all(|(name, value)| run.get(name) == Some(value)))
    }

    /// Runs an experiment with these parameters, unless it is finished. Returns and prints parameters and results, one line, with the
    /// processor time in `seconds`.
    ///
    /// # Errors
    ///
    /// Those of the experiment, or the file cannot be written.
    pub(crate) fn run(
        &mut self,
        parameters: &Value,
        experiment: impl FnOnce(&mut Saved) -> Result<Value, Failure>,
    ) -> Result<Value, Failure> {
        if self.find(parameters).is_none() {
            self.record(parameters, experiment)?;
        }
        let run = self.find(parameters).cloned().unwrap_or_default();
        println!("{run}");
        Ok(run)
    }

    /// Runs an experiment and remembers its results. It goes on from the state that an earlier program saved.
    ///
    /// # Errors
    ///
    /// Those of the experiment, the file cannot be written, or the saved state cannot be read.
    pub(crate) fn record(
        &mut self,
        parameters: &Value,
        experiment: impl FnOnce(&mut Saved) -> Result<Value, Failure>,
    ) -> Result<(), Failure> {
        let mut record = self.named(parameters);
        let mut saved = Saved::open(self.path.as_deref(), Value::Object(record.clone()), self.every)?;
        let results = experiment(&mut saved)?;
        if let Value::Object(results) = results {
            record.extend(results);
        }
        record.insert("seconds".into(), json!(round(saved.seconds())));
        let record = Value::Object(record);
        if let Some(file) = &mut self.file {
            writeln!(file, "{record}")?;
            file.flush()?;
        }
        saved.remove()?;
        self.finished.push(record);
        Ok(())
    }

    fn named(&self, parameters: &Value) -> Map<String, Value> {
        let mut named = Map::new();
        named.insert("experiment".into(), json!(self.experiment));
        if let Value::Object(parameters) = parameters {
            named.extend(parameters.clone());
        }
        named
    }
}

fn round(seconds: f64) -> f64 {
    (seconds * 1e3).round() / 1e3
}

/// Returns a number of a run; NaN if it has none of this name.
pub(crate) fn number(run: &Value, name: &str) -> f64 {
    run.get(name).and_then(Value::as_f64).unwrap_or(f64::NAN)
}
