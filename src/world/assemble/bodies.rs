//! The bodies of a substep as the solver and the contacts need them.

use crate::body::Kick;
use crate::error::{Result, resize};
use crate::math::lanes::distances::BODIES_AHEAD;
use crate::solver::{MassInverse, Velocity};
use crate::tasks::{each_pair_of_pieces, each_piece};
use crate::world::assemble::assembly::Assembly;
use crate::world::assemble::body_inputs;
use crate::world::assemble::input::AssembleInput;
use crate::world::pieces::BODIES_PER_PIECE;

/// Writes `M^-1` and `vhat` of every row, and its input. Bodies that take no part in the step are at rest, and impulses do not move them.
pub(super) fn assemble_bodies(input: &AssembleInput, assembly: &mut Assembly) -> Result<()> {
    let AssembleInput { tasks, bodies, gravity, detector, motion: present, index, .. } = input;
    let (spheres, h) = (detector.spheres(), input.substep.length);
    let (count, active) = (index.slots().len(), index.active());
    // Rows that take part are written over.
    assembly.masses.truncate(active.len());
    resize(&mut assembly.masses, count, MassInverse::ZERO, "bodies")?;
    assembly.velocities.truncate(active.len());
    resize(&mut assembly.velocities, count, Velocity::ZERO, "bodies")?;
    assembly.inputs.truncate(count);
    resize(&mut assembly.inputs, count, body_inputs::NONE, "bodies")?;
    let (inputs, resting) = assembly.inputs.split_at_mut(active.len());
    for (input, slot) in resting.iter_mut().zip(&index.slots()[active.len()..]) {
        *input = body_inputs::resting(&spheres[*slot as usize], detector.material(*slot));
    }
    let rows = (&mut assembly.masses[..active.len()], (&mut assembly.velocities[..active.len()], inputs));
    each_pair_of_pieces(*tasks, BODIES_PER_PIECE, rows, |first, masses, (velocities, inputs)| {
        for (row, ((inverse, velocity), input)) in (first..).zip(masses.iter_mut().zip(velocities).zip(inputs)) {
            let slot = active[row] as usize;
            let (soon, later) = (active.get(row + BODIES_AHEAD), active.get(row + 2 * BODIES_AHEAD));
            bodies.prefetch(soon, later);
            detector.prefetch(soon);
            let (motion, mass, traits) = (&present[row], &bodies.mass[slot], &bodies.traits[slot]);
            // Read in place, as far as it is the body's own: a copy would wait for its own stores.
            let turned;
            let angular = match mass.constant_inverse() {
                Some(constant) => constant,
                None => {
                    turned = mass.world_inverse(&motion.rotation);
                    &turned
                }
            };
            let kick = Kick {
                gravity: traits.gravity_scale * *gravity,
                wrench: *bodies.wrench(slot),
                linear_damping: traits.linear_damping,
                angular_damping: traits.angular_damping,
            };
            (velocity.linear, velocity.angular) = motion.kicked(mass, angular, &kick, h);
            (inverse.linear, inverse.angular) = (mass.inverse_mass, *angular);
            *input = body_inputs::moving(&spheres[slot], detector.material(slot as u32), &motion.linear);
        }
    });
    assemble_point_speeds(input, &mut assembly.point_speeds)
}

/// Writes the largest speeds of contact points, where detection found any.
fn assemble_point_speeds(input: &AssembleInput, speeds: &mut Vec<f64>) -> Result<()> {
    let AssembleInput { tasks, bodies, settings, detector, motion: present, index, .. } = input;
    let (spheres, active) = (detector.spheres(), index.active());
    let count = if index.has_spots() { index.slots().len() } else { 0 };
    let moving = active.len().min(count);
    // Bodies that take no part are at rest. Those that take part are written over.
    speeds.truncate(moving);
    resize(speeds, count, 0.0, "bodies")?;
    each_piece(*tasks, BODIES_PER_PIECE, &mut speeds[..moving], |first, speeds| {
        for (row, speed) in (first..).zip(speeds) {
            let slot = active[row] as usize;
            let (center, radius) = (&bodies.mass[slot].center, spheres[slot].radius);
            *speed = body_inputs::max_point_speed(&present[row], center, radius, settings.contact_margin);
        }
    });
    Ok(())
}
