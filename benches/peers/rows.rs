//! The results file: a line of JSON for each run of an engine, written by the harness and numbered by `run.sh`.

use std::error::Error;
use std::path::Path;

use serde_json::{Map, Value};

use crate::sample::Sample;

/// All runs of one engine on one scene with one number of sweeps.
pub(crate) struct Group {
    pub(crate) scene: String,
    pub(crate) size: u64,
    pub(crate) sweeps: u64,
    pub(crate) engine: String,
    pub(crate) precision: String,
    pub(crate) threads: u64,
    runs: Vec<Map<String, Value>>,
}

/// A results file.
pub(crate) struct Results {
    /// What was run, where and when.
    pub(crate) about: Map<String, Value>,
    /// In the order of their first runs.
    pub(crate) groups: Vec<Group>,
}

impl Results {
    pub(crate) fn read(path: &Path) -> Result<Self, Box<dyn Error>> {
        let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut results = Self { about: Map::new(), groups: Vec::new() };
        for line in text.lines().filter(|line| line.starts_with('{')) {
            let Value::Object(row) = serde_json::from_str(line)? else { continue };
            if row.contains_key("about") {
                results.about = row;
            } else {
                results.add(row);
            }
        }
        Ok(results)
    }

    fn add(&mut self, row: Map<String, Value>) {
        let number = |name: &str| row.get(name).and_then(Value::as_f64).unwrap_or(0.0) as u64;
        let text = |name: &str| row.get(name).and_then(Value::as_str).unwrap_or_default().to_string();
        let (scene, engine) = (text("scene"), text("engine"));
        let key = (number("N"), number("iterations"), number("threads"));
        let known = self.groups.iter_mut().find(|group| {
            group.scene == scene && group.engine == engine && key == (group.size, group.sweeps, group.threads)
        });
        match known {
            Some(group) => group.runs.push(row),
            None => self.groups.push(Group {
                scene,
                size: key.0,
                sweeps: key.1,
                engine,
                precision: text("precision"),
                threads: key.2,
                runs: vec![row],
            }),
        }
    }

    /// What the first line says.
    pub(crate) fn said(&self, name: &str) -> String {
        match self.about.get(name) {
            Some(Value::String(text)) => text.clone(),
            Some(value) => value.to_string(),
            None => "unknown".into(),
        }
    }

    /// The groups of a scene.
    pub(crate) fn of<'a>(&'a self, scene: &'a str, size: u64, sweeps: u64) -> impl Iterator<Item = &'a Group> {
        self.groups.iter().filter(move |group| group.scene == scene && group.size == size && group.sweeps == sweeps)
    }
}

impl Group {
    /// Whether these are runs of drystone.
    pub(crate) fn is_ours(&self) -> bool {
        self.engine.starts_with("drystone")
    }

    /// A number of every run that has it.
    pub(crate) fn all(&self, name: &str) -> Sample {
        Sample::new(self.runs.iter().filter_map(|row| row.get(name).and_then(Value::as_f64)).collect())
    }

    /// Its median over the runs; no number if none has it.
    pub(crate) fn median(&self, name: &str) -> f64 {
        self.all(name).median()
    }

    /// How many runs.
    pub(crate) fn runs(&self) -> usize {
        self.runs.len()
    }

    /// Milliseconds of a step, one for each run: processor time of one thread, or time of day where there are more.
    pub(crate) fn milliseconds(&self) -> Sample {
        self.all(if self.threads > 1 { "ms_per_step" } else { "cpu_ms_median" })
    }

    /// Whether every run said so; `None`: none said anything.
    pub(crate) fn holds(&self, name: &str) -> Option<bool> {
        let said: Vec<bool> = self.runs.iter().filter_map(|row| row.get(name).and_then(Value::as_bool)).collect();
        (!said.is_empty()).then(|| said.iter().all(|holds| *holds))
    }

    /// Whether any run was stopped before it had settled.
    pub(crate) fn was_cut(&self) -> bool {
        self.all("settle_steps").min() < self.median("settle_steps_wanted")
    }
}
