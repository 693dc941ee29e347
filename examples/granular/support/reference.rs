//! The run that the errors of others are measured against: solved to a tolerance, from the whole history.

use drystone::world::Settings;
use drystone::world::settings::SolverKind;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Failure;
use super::arguments::{Arguments, Start};
use super::grains::settings;

/// The option of programs that can do without it: name, and help.
pub(crate) const OPTION: (&str, &str) =
    ("reference", "R      accelerated, or none: errors are then against history with the most sweeps");
/// Of the residual [m/s].
pub(crate) const TOLERANCE: f64 = 1e-9;
/// A step that misses the tolerance ends after so many.
pub(crate) const SWEEPS: u32 = 2000;

/// Returns whether the command line wants it.
///
/// # Errors
///
/// Its option has another word.
pub(crate) fn is_wanted(arguments: &Arguments) -> Result<bool, Failure> {
    match arguments.own(OPTION.0).unwrap_or("accelerated") {
        "accelerated" => Ok(true),
        "none" => Ok(false),
        other => Err(format!("--reference is {other}, expected accelerated or none").into()),
    }
}

/// Returns its settings.
pub(crate) fn exact() -> Settings {
    Settings {
        solver: SolverKind::PgsAccelerated,
        warm_start_factor: 1.0,
        tolerance: TOLERANCE,
        ..settings(Start::History, SWEEPS)
    }
}

/// How well the steps of a reference were solved.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Accuracy {
    steps: u64,
    sweeps: u64,
    /// Steps that missed the tolerance.
    missed: u64,
    /// Sum over the steps of the largest residual, and the largest of all [m/s].
    sum: f64,
    largest: f64,
}

impl Accuracy {
    /// Adds a step with so many sweeps, those of its impact stage included, and this largest residual [m/s].
    pub(crate) fn add(&mut self, sweeps: u32, residual: f64) {
        self.steps += 1;
        self.sweeps += u64::from(sweeps);
        self.missed += u64::from(residual > TOLERANCE);
        self.sum += residual;
        self.largest = self.largest.max(residual);
    }

    /// Adds means over the steps to the results of a run.
    pub(crate) fn describe(&self, results: &mut Value) {
        let steps = self.steps as f64;
        results["sweeps_per_step"] = json!(self.sweeps as f64 / steps);
        results["missed_share"] = json!(self.missed as f64 / steps);
        results["residual"] = json!(self.sum / steps);
        results["residual_largest"] = json!(self.largest);
    }
}
