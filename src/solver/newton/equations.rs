//! The equations of a proximal problem, and the points at which Newton's method evaluates them.

use crate::solver::newton::map::{self, Proximal, Slope};
use crate::solver::newton::scaled::Scaled;
use crate::solver::newton::smooth;
use crate::solver::operator::reduced::Block;

/// The equations of a proximal problem.
#[derive(Debug, Clone, Copy)]
pub(super) enum Equations {
    /// The laws themselves.
    Kinked(Proximal),
    Smoothed {
        t: f64,
        alpha: f64,
    },
}

impl Equations {
    pub(super) fn alpha(&self) -> f64 {
        match *self {
            Self::Kinked(Proximal { alpha, .. }) | Self::Smoothed { alpha, .. } => alpha,
        }
    }

    /// Computes the error in a block, and writes it to `error`.
    fn value(&self, scaled: &Scaled, block: &Block, x: &[f64], y: &[f64], error: &mut [f64]) {
        match *self {
            Self::Kinked(now) => map::value(scaled, block, now, x, y, error),
            Self::Smoothed { t, .. } => smooth::value(scaled, block, t, x, y, error),
        }
    }

    pub(super) fn slope(&self, scaled: &Scaled, block: &Block, x: &[f64], y: &[f64]) -> Slope {
        match *self {
            Self::Kinked(now) => map::slope(scaled, block, now, x, y),
            Self::Smoothed { t, .. } => smooth::slope(scaled, block, t, x, y),
        }
    }
}

/// Impulses, the velocities of the proximal problem, and the error of the equations.
#[derive(Debug, Default)]
pub(super) struct Iterate {
    pub(super) x: Vec<f64>,
    pub(super) y: Vec<f64>,
    pub(super) error: Vec<f64>,
    /// `|error|^2`
    pub(super) merit: f64,
}

impl Iterate {
    pub(super) fn evaluate(&mut self, scaled: &Scaled, now: Equations) {
        for block in &scaled.problem.blocks {
            now.value(scaled, block, &self.x, &self.y, &mut self.error);
        }
        self.merit = self.error.iter().map(|error| error * error).sum();
    }
}
