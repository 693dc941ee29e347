//! The substeps of a step, and what they share: the motion of the bodies and sums over the substeps.
//!
//! Contacts, normals and arms are those of the start of the step. Only gaps and velocities are updated in each substep.

use crate::body::{Motion, Wrench};
use crate::error::{Result, resize};
use crate::math::lanes::prefetch::BODIES_AHEAD;
use crate::math::lanes::prefetch_slot;
use crate::math::limits;
use crate::solver::Velocity;
use crate::tasks::{Tasks, each_piece};
use crate::world::active_bodies::BODIES_PER_PIECE;
use crate::world::index::Index;

/// One of the equal parts of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::world) struct Substep {
    /// Its length [s].
    pub(in crate::world) length: f64,
    /// Length of the whole step [s].
    pub(in crate::world) step: f64,
    /// Whether it is the first of its step.
    pub(in crate::world) is_first: bool,
    /// The middle of the substep, as a part of the step [-].
    pub(in crate::world) middle: f64,
    /// What the velocities of surfaces and motors count for [-]: 1, but in statics the increment over 1 s.
    pub(in crate::world) pace: f64,
}

impl Substep {
    /// Returns the first part of a step of `step` seconds in `count` parts.
    ///
    /// # Errors
    ///
    /// The step, or a part of it, has no valid length.
    pub(in crate::world) fn first(step: f64, count: u32) -> Result<Self> {
        limits::step("step", step)?;
        let length = step / f64::from(count);
        limits::step("step over substeps", length)?;
        Ok(Self { length, step, is_first: true, middle: 0.5 / f64::from(count), pace: 1.0 })
    }

    /// Returns whether it is the whole step.
    pub(in crate::world) fn is_whole(&self) -> bool {
        self.length == self.step
    }

    /// Returns this substep, which is the first one, and all that follow it.
    pub(in crate::world) fn all(self, count: u32) -> impl Iterator<Item = Self> {
        let middle = move |number: u32| (f64::from(number) + 0.5) / f64::from(count);
        (0..count).map(move |number| Self { is_first: number == 0, middle: middle(number), ..self })
    }
}

/// The stages of a substep, each of which is assembled and solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::world) enum Stage {
    /// Impacts, before the forces act. The solve starts from zero impulses.
    Impact,
    /// Contacts. Some may have carried an impulse in an impact stage before.
    Contact { after_impacts: bool },
}

/// Copies the motion of the bodies of each row that takes part; `present` has it by slot.
pub(in crate::world) fn copy_motion(
    tasks: &dyn Tasks,
    present: &[Motion],
    index: &Index,
    motion: &mut Vec<Motion>,
) -> Result<()> {
    let active = index.active();
    match active.first() {
        Some(first) => resize(motion, active.len(), present[*first as usize], "bodies")?,
        None => motion.clear(),
    }
    each_piece(tasks, BODIES_PER_PIECE, motion, |first, motion| {
        for (row, own) in (first..).zip(motion) {
            prefetch_slot(present, active.get(row + BODIES_AHEAD));
            *own = present[active[row] as usize];
        }
    });
    Ok(())
}

/// Begins the mean contact forces of `rows` rows over the solves of a step; a step with a single solve needs none.
pub(in crate::world) fn begin_wrenches(rows: usize, wrenches: &mut Vec<Wrench>) -> Result<()> {
    resize(wrenches, rows, Wrench::ZERO, "bodies")
}

/// Returns the velocity of a row at the start of the substep; a body outside the step is at rest.
pub(in crate::world) fn velocity_of(motion: &[Motion], row: usize) -> Velocity {
    motion.get(row).map_or(Velocity::ZERO, |motion| Velocity { linear: motion.linear, angular: motion.angular })
}
