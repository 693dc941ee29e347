//! One of the equal parts of a step.

use crate::error::{Result, positive};

/// One of the equal parts of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::world) struct Substep {
    /// Its length [s].
    pub(in crate::world) length: f64,
    /// Length of the whole step [s].
    pub(in crate::world) step: f64,
    /// Whether it is the first of its step.
    pub(in crate::world) is_first: bool,
}

impl Substep {
    /// Returns the first part of a step of `step` seconds in `count` parts.
    ///
    /// # Errors
    ///
    /// The step, or a part of it, is not positive and finite.
    pub(in crate::world) fn first(step: f64, count: u32) -> Result<Self> {
        positive("step", step)?;
        let length = step / f64::from(count);
        positive("step over substeps", length)?;
        Ok(Self { length, step, is_first: true })
    }

    /// Returns whether it is the whole step.
    pub(in crate::world) fn is_whole(&self) -> bool {
        self.length == self.step
    }

    /// Returns this one, the first, and those that follow it.
    pub(in crate::world) fn all(self, count: u32) -> impl Iterator<Item = Self> {
        (0..count).map(move |number| Self { is_first: number == 0, ..self })
    }
}
