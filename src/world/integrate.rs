//! Integration: moves the bodies with the velocities after the contacts and with the displacements of the position pass.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::body::{Bodies, Drift, Energy, Motion};
use crate::error::{Error, ErrorKind, Number, Result, resize, text};
use crate::law::ContactLaw;
use crate::math::Vec3;
use crate::math::lanes::prefetch::BODIES_AHEAD;
use crate::solver::{Solver, Velocity};
use crate::tasks::{Tasks, each_piece_of};
use crate::world::active_bodies::BODIES_PER_PIECE;
use crate::world::assemble::Assembly;
use crate::world::read_solution::BodyForces;
use crate::world::settings::Settings;
use crate::world::substeps::Substep;

/// The input of integration.
pub(in crate::world) struct IntegrateInput<'a> {
    pub(in crate::world) tasks: &'a dyn Tasks,
    pub(in crate::world) bodies: &'a Bodies,
    pub(in crate::world) gravity: &'a Vec3,
    /// The slot of each row of an active body.
    pub(in crate::world) slots: &'a [u32],
    pub(in crate::world) assembly: &'a Assembly,
    pub(in crate::world) solver: &'a Solver,
    pub(in crate::world) settings: &'a Settings,
    pub(in crate::world) substep: &'a Substep,
}

/// Writes the motion of each row at the end of the substep to `motion`, and the energy of each piece of rows to `energies`. Returns
/// whether all positions and velocities are finite.
pub(in crate::world) fn integrate<Law: ContactLaw>(
    input: &IntegrateInput,
    motion: &mut [Motion],
    energies: &mut Vec<Energy>,
) -> Result<bool> {
    let &IntegrateInput { tasks, bodies, gravity, slots, assembly, solver, settings, substep } = input;
    let law = Law::new(&settings.law(substep.length, substep.step));
    let velocities = solver.velocities();
    let is_within_limits = AtomicBool::new(true);
    resize(energies, slots.len().div_ceil(BODIES_PER_PIECE), Energy::default(), "bodies")?;
    let drift = |first: usize, piece: &mut [Motion], energy: &mut Energy| {
        let mut sum = Energy::default();
        for (row, motion) in (first..).zip(piece) {
            let slot = slots[row] as usize;
            bodies.prefetch(slots.get(row + BODIES_AHEAD), slots.get(row + 2 * BODIES_AHEAD));
            let Velocity { linear, angular } = velocities[row];
            let shift = solver.displacement(row);
            let path = [law.drift(&motion.linear, &linear), law.drift(&motion.angular, &angular)];
            let drift = Drift { linear, angular, path, displacement: shift.linear, turn: shift.angular };
            let (kind, mass) = (bodies.traits[slot].kind, &bodies.mass[slot]);
            let after = motion.drifted(kind, mass, &drift, substep.length);
            sum = sum.plus(bodies.energy_at(slot, &after, gravity));
            if !(assembly.is_finite(row) && after.is_finite()) {
                is_within_limits.store(false, Ordering::Relaxed);
            }
            *motion = after;
        }
        *energy = sum;
    };
    each_piece_of(tasks, BODIES_PER_PIECE, (motion, &mut energies[..]), drift);
    Ok(is_within_limits.into_inner())
}

/// Recomputes the energies of the rows, piece by piece, where bodies were displaced.
pub(in crate::world) fn sum_energies(
    bodies: &Bodies,
    slots: &[u32],
    gravity: &Vec3,
    motion: &[Motion],
    energies: &mut [Energy],
) {
    let pieces = slots.chunks(BODIES_PER_PIECE).zip(motion.chunks(BODIES_PER_PIECE));
    for (energy, (slots, motion)) in energies.iter_mut().zip(pieces) {
        let own = |(slot, motion): (&u32, &Motion)| bodies.energy_at(*slot as usize, motion, gravity);
        *energy = slots.iter().zip(motion).map(own).fold(Energy::default(), Energy::plus);
    }
}

/// Checks that every position and velocity is finite, and every force within the limits. `motion` has the motion of the rows of active
/// bodies at the end of the substep.
///
/// # Errors
///
/// One is not. The message names the body. If velocities are infinite or NaN before the contacts act, it names a body with such a
/// velocity, since contacts pass it on to other bodies.
pub(in crate::world) fn check_limits(
    bodies: &Bodies,
    slots: &[u32],
    assembly: &Assembly,
    motion: &[Motion],
    forces: BodyForces,
) -> Result<()> {
    let before_contacts = (0..motion.len()).find(|row| !assembly.is_finite(*row));
    let is_within = |row: &usize| motion.get(*row).is_none_or(Motion::is_finite) && forces.are_within_limits(*row);
    let broken = before_contacts.or_else(|| (0..slots.len()).find(|row| !is_within(row)));
    let Some(row) = broken else { return Ok(()) };
    let slot = slots[row] as usize;
    let handle = bodies.registry.handle(slot).0;
    let added = bodies.wrench(slot);
    let (force, torque) = (added.force.amax(), added.torque.amax());
    let cause = if force > 0.0 || torque > 0.0 {
        text!("; forces up to {} N and torques up to {} N m were added to this body", Number(force), Number(torque))
    } else {
        String::new()
    };
    let message = text!(
        "the step would end with body {handle:#x} at a place or a speed that is not finite, or under a contact force that is not finite, \
         above 1e150 N or with an impulse above 1e150 N s; it was undone{cause}"
    );
    Err(Error::new(ErrorKind::NotFinite, message))
}
