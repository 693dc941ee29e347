//! The packing is sheared: the walls along z are driven, and the deviator is averaged.

use std::ops::Range;

use drystone::world::Settings;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::cell::{Cell, PRESSURE, Packing, Reading, SPEED};
use super::support::Failure;
use super::support::arguments::Start;
use super::support::frames::Frames;
use super::support::grains::{STEP, settings};
use super::support::reference::{self, Accuracy};
use super::support::saved::Saved;

/// Axial strains between which the stress is averaged, as in [W].
const AVERAGED: Range<f64> = 0.10..0.25;
/// Steps at the given sweeps under the pressure, before the walls are driven.
const WAITING: usize = 40;

/// How a packing is sheared.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shearing {
    pub(crate) start: Start,
    pub(crate) settings: Settings,
    pub(crate) is_reference: bool,
}

/// What a run has measured so far.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Measured {
    steps: usize,
    /// Gap of the driven walls before they are driven [m].
    first: f64,
    imbalance: f64,
    /// Axial strain, deviator of the motors, and of the contacts inside [Pa].
    curve: Vec<(f64, f64, f64)>,
    /// Of motors, contacts inside and side stress, over the averaged strains.
    sums: [f64; 3],
    squares: f64,
    averaged: f64,
    accuracy: Accuracy,
}

impl Shearing {
    pub(crate) fn new(start: Start, sweeps: u32) -> Self {
        Self { start, settings: settings(start, sweeps), is_reference: false }
    }

    /// Returns that of the reference.
    pub(crate) fn reference() -> Self {
        Self { start: Start::History, settings: reference::exact(), is_reference: true }
    }

    /// Returns what its files are called.
    pub(crate) fn name(&self) -> String {
        let (start, sweeps) = (self.start.name(), self.settings.iterations);
        if self.is_reference { "reference".into() } else { format!("{start}_{sweeps}") }
    }

    pub(crate) fn parameters(&self, count: usize, wall_mass: f64) -> Value {
        let (start, sweeps) = (self.start.name(), self.settings.iterations);
        if self.is_reference {
            let tolerance = reference::TOLERANCE;
            // Other names than below: a run with as many sweeps is another one.
            return json!({
                "kind": "reference", "grains": count, "wall_mass": wall_mass, "tolerance": tolerance, "most_sweeps": sweeps,
            });
        }
        json!({"grains": count, "wall_mass": wall_mass, "warm": start, "iterations": sweeps})
    }

    /// Shears a packing.
    pub(crate) fn run(&self, packing: &Packing, frames: &mut Frames, saved: &mut Saved) -> Result<Value, Failure> {
        let mut cell = Cell::of(packing, self.settings)?;
        let mut measured = Measured::default();
        if let Some((earlier, shown)) = saved.state("shearing")? {
            measured = earlier;
            frames.go_on_from(&shown);
            if measured.steps > WAITING {
                cell.drive()?;
            }
            saved.restore(&mut [cell.world_mut()])?;
        }
        while !measured.is_over() {
            if measured.steps == WAITING {
                cell.drive()?;
            }
            let reading = cell.step()?;
            measured.add(&reading);
            if measured.steps > WAITING {
                frames.show(cell.world(), STEP * (measured.steps - WAITING) as f64)?;
            }
            saved.keep("shearing", &(&measured, &*frames), &[cell.world()])?;
        }
        let mut value = measured.json();
        if self.is_reference {
            measured.accuracy.describe(&mut value);
        }
        Ok(value)
    }
}

impl Measured {
    fn is_over(&self) -> bool {
        let driven = (1.02 * AVERAGED.end * self.first / (2.0 * SPEED * STEP)) as usize;
        // The first gap is known when the walls have waited.
        self.steps >= WAITING && self.steps - WAITING >= driven
    }

    fn add(&mut self, reading: &Reading) {
        self.steps += 1;
        self.imbalance = self.imbalance.max(reading.imbalance);
        self.accuracy.add(reading.sweeps, reading.residual);
        if self.steps <= WAITING {
            self.first = reading.gaps[2];
            return;
        }
        let strain = 1.0 - reading.gaps[2] / self.first;
        let of = |stress: f64, sides: [f64; 3]| stress - 0.5 * (sides[0] + sides[1]);
        let motor = reading.motor - PRESSURE;
        let inside = of(reading.inside[2], reading.inside);
        self.curve.push((strain, motor, inside));
        if AVERAGED.contains(&strain) {
            self.averaged += 1.0;
            self.squares += motor * motor;
            let side = 0.5 * (reading.inside[0] + reading.inside[1]);
            self.sums.iter_mut().zip([motor, inside, side]).for_each(|(sum, one)| *sum += one);
        }
    }

    fn json(&self) -> Value {
        let [motor, inside, side] = self.sums.map(|sum| sum / self.averaged);
        let fluctuation = (self.squares / self.averaged - motor * motor).max(0.0).sqrt();
        json!({
            "motor_pa": motor, "inside_pa": inside, "side_inside_pa": side, "fluctuation_pa": fluctuation,
            "imbalance": self.imbalance, "curve": self.curve,
        })
    }
}
