//! The problem of a substep: bodies by row, contacts in the order of the solver's lanes.

use std::ops::Range;

use crate::contact::ImpulseCache;
use crate::error::Result;
use crate::math::lanes::Wide;
use crate::math::{Vec3, are_finite};
use crate::solver::{
    ContactBuffer, Friction, Impulse, Impulses, List, MassInverse, Options, Outcome, Problem, Solver, Velocity,
};
use crate::tasks::{Tasks, reduce};
use crate::world::assemble::contact_state::ContactStateX8;

/// The problem of a substep. Arrays of bodies are parallel to the rows of the index.
#[derive(Debug, Default)]
pub(in crate::world) struct Assembly {
    pub(in crate::world) masses: Vec<MassInverse>,
    pub(in crate::world) velocities: Vec<Velocity>,
    /// The input of each row; see [`body_inputs`](crate::world::assemble::body_inputs).
    pub(super) inputs: Vec<Wide>,
    /// The largest speed of a contact point of each row relative to its centre of mass, where detection found contact points [m/s].
    pub(super) point_speeds: Vec<f64>,
    /// The contacts in the order of the solver's lanes.
    pub(in crate::world) buffer: ContactBuffer,
    /// What the world keeps of them, in the same order.
    pub(in crate::world) states: Vec<ContactStateX8>,
    /// The contacts by number and their impulses, where a method needs them so.
    pub(super) list: List,
    pub(super) listed: Impulses,
    /// The torques of the answer, in the order of the lanes. Its impulses of forces are in the buffer.
    pub(in crate::world) torques: Vec<Vec3>,
    /// The gap of each contact at the start of the substep; empty in the first one, whose gaps are those of the step [m].
    pub(in crate::world) gaps: Vec<f64>,
    /// The position pass: how far each lane is to be opened [m], and its multiplier [kg m].
    pub(in crate::world) targets: Vec<Wide>,
    pub(in crate::world) multipliers: Vec<Wide>,
}

/// Batches that are read at a time.
const BATCHES_PER_PIECE: usize = 256;

impl Assembly {
    /// Returns the deepest overlap at the start of the step [m].
    pub(in crate::world) fn deepest(&self, tasks: &dyn Tasks) -> f64 {
        let of = |range: Range<usize>| {
            let depths = self.buffer.points[range].iter().flat_map(|point| point.gap.0).map(|gap| -gap);
            depths.fold(0.0, f64::max)
        };
        // Zero is added, as the larger of zero and minus zero may be either.
        reduce(tasks, BATCHES_PER_PIECE, self.buffer.points.len(), 0.0, of, f64::max) + 0.0
    }

    /// Solves the problem, whose contacts are listed if `needs_list`.
    pub(in crate::world) fn solve(
        &mut self,
        solver: &mut Solver,
        options: &Options,
        friction: Friction,
        needs_list: bool,
    ) -> Result<Outcome> {
        let Self { masses, velocities, buffer, list, listed, torques, .. } = self;
        let bare = Problem { masses, velocities, contacts: &[], optional: &[], rows: &[], friction };
        let problem = if needs_list { list.of(&bare) } else { bare };
        let outcome = solver.solve_filled(&problem, buffer, options, listed)?;
        solver.read_lanes(&mut buffer.impulses, torques)?;
        Ok(outcome)
    }

    /// Returns the problem without its contacts.
    pub(in crate::world) fn bare(&self, friction: Friction) -> Problem<'_> {
        let (masses, velocities) = (&self.masses[..], &self.velocities[..]);
        Problem { masses, velocities, contacts: &[], optional: &[], rows: &[], friction }
    }

    /// Returns the problem whose contacts were listed, and the impulses that answer it.
    pub(in crate::world) fn listed(&self, friction: Friction) -> (Problem<'_>, &Impulses) {
        (self.list.of(&self.bare(friction)), &self.listed)
    }

    /// Exchanges the impulses of the problem for those of the contacts.
    pub(in crate::world) fn exchange_impulses_with(&mut self, loads: &mut ImpulseCache) {
        std::mem::swap(&mut loads.impulses, &mut self.buffer.impulses);
        std::mem::swap(&mut loads.torques, &mut self.torques);
    }

    /// The impulses of the contacts, of forces and of torques.
    pub(in crate::world) fn impulses(&self) -> (&[Impulse], &[Vec3]) {
        (&self.buffer.impulses, &self.torques)
    }

    /// Returns whether the velocity of a row is finite before the contacts act.
    pub(in crate::world) fn is_finite(&self, row: usize) -> bool {
        let Velocity { linear, angular } = &self.velocities[row];
        are_finite([linear, angular])
    }
}
