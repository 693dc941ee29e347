//! Impacts that would gain energy: the substep is solved again with less restitution.

use crate::body::Motion;
use crate::error::Result;
use crate::math::{BodyRow, ContactId, LaneSlot};
use crate::solver::{Solver, Velocity};
use crate::tasks::Tasks;
use crate::world::assemble::{Assembly, ImpactContact, Impacts, IslandImpact, bare_problem};
use crate::world::index::Index;
use crate::world::settings::Settings;
use crate::world::surfaces::GivenMotion;

/// Sweeps are continued up to this residual, over the speed of the fastest rebound [-].
const CONVERGED: f64 = 1e-13;

/// ... so often at most in a substep ...
const MAX_CONTINUATIONS: u32 = 10;

/// ... and in worlds of no more contacts than this: in a large one it would cost more than it is worth.
const FEW_CONTACTS: usize = 256;

/// What the check of a solved substep reads.
pub(in crate::world) struct ImpactInput<'a> {
    pub(in crate::world) tasks: &'a dyn Tasks,
    pub(in crate::world) settings: &'a Settings,
    pub(in crate::world) index: &'a Index,
    /// The motion of each row at the start of the substep.
    pub(in crate::world) motion: &'a [Motion],
    pub(in crate::world) given: &'a GivenMotion,
}

/// Checks whether the contacts of an island with a rebound do work. If any do, prepares another solve with a smaller part of the
/// restitution, and returns true.
pub(in crate::world) fn limit_restitution(
    input: &ImpactInput,
    assembly: &mut Assembly,
    solver: &mut Solver,
) -> Result<bool> {
    if assembly.impacts.contacts.is_empty() {
        return Ok(false);
    }
    measure_work(input, assembly, solver);
    if continues(assembly, solver) {
        // The remaining part of an impact would be lost in impacts slower than the threshold.
        assembly.impacts.start.copy_from_slice(&assembly.buffer.impulses);
        assembly.impacts.continued += 1;
        restart(input, assembly, solver)?;
        return Ok(true);
    }
    let rebounding = assembly.impacts.islands.iter_mut().filter(|island| island.fastest > 0.0);
    // All of them choose.
    if !rebounding.fold(false, |differs, island| island.choose() | differs) {
        return Ok(false);
    }
    restart(input, assembly, solver)?;
    Ok(true)
}

/// Returns whether the sweeps should continue: in a world of few contacts, if an island with a rebound is far from its solution.
fn continues(assembly: &Assembly, solver: &Solver) -> bool {
    let Impacts { islands, continued, .. } = &assembly.impacts;
    let is_far = |island: &IslandImpact| island.fastest > 0.0 && island.residual > CONVERGED * island.fastest;
    *continued < MAX_CONTINUATIONS && solver.lane_of().len() <= FEW_CONTACTS && islands.iter().any(is_far)
}

/// Prepares another solve from the same start, with the restitution that the islands have now.
fn restart(input: &ImpactInput, assembly: &mut Assembly, solver: &mut Solver) -> Result<()> {
    let ImpactInput { tasks, settings, index, .. } = input;
    let needs_list = assembly.needs_list(settings);
    let Assembly { masses, velocities, joints, impacts, buffer, list, listed, .. } = assembly;
    let Impacts { contacts, islands, start, .. } = impacts;
    // The lanes stay; the bodies are read again.
    let problem = bare_problem(masses, velocities, joints, settings.friction());
    solver.lay_out(&problem, index.pairs(), &settings.options(), needs_list)?;
    for ImpactContact { lane, island, biases: [without, with] } in contacts {
        let part = islands[*island as usize].part;
        let bias = if part == 1.0 { *with } else { *without + part * (*with - *without) };
        buffer.contacts[lane.batch()].bias.0[lane.lane()] = bias;
    }
    buffer.impulses.copy_from_slice(start);
    if needs_list {
        list.fill(buffer, index.pairs(), solver.lane_of(), listed, *tasks)?;
    }
    Ok(())
}

/// Measures the work of the contacts of each island with a rebound: half the impulse times the sum of the relative
/// velocities before and after. In the frame of a body that moves on its own this is the gain of kinetic energy minus
/// the work of applied forces. The work of surfaces that move over their bodies, and of images, is not counted: the
/// velocities are those of the surfaces and images.
fn measure_work(input: &ImpactInput, assembly: &mut Assembly, solver: &Solver) {
    let ImpactInput { index, motion, given, .. } = input;
    let Assembly { impacts, buffer, torques, .. } = assembly;
    let all = impacts.islands.iter_mut();
    all.for_each(|island| (island.work, island.exchanged, island.residual) = (0.0, 0.0, 0.0));
    let before = |row: BodyRow| match motion.get(row.index()) {
        Some(motion) => Velocity { linear: motion.linear, angular: motion.angular },
        None => Velocity::ZERO,
    };
    let after = |row: BodyRow| solver.velocities().get(row.index()).copied().unwrap_or(Velocity::ZERO);
    for (number, lane) in (0..).map(ContactId).zip(solver.lane_of()) {
        let Some(island) = solver.island_of(number).map(|island| &mut impacts.islands[island]) else { continue };
        island.residual = island.residual.max(solver.contact_residual(number));
        let impulse = buffer.impulses[lane.index()];
        if island.fastest == 0.0 || impulse.normal == 0.0 {
            continue;
        }
        let rows = index.rows_of(number);
        let contact = buffer.contact(*lane, rows);
        let force = impulse.vector(&contact.normal);
        let place = index.places()[number];
        let slip = given.slip(place, rows, [&contact.arm_a, &contact.arm_b], &contact.normal);
        let image = impulse.normal * given.images.along(place, &contact.normal);
        let torque = torques.get(LaneSlot::index(*lane)).copied().unwrap_or_default();
        for of in [&before as &dyn Fn(BodyRow) -> Velocity, &after] {
            let [a, b] = rows.map(of);
            let velocity = contact.relative_velocity(&a, &b);
            let linear = 0.5 * (force.dot(&slip.map_or(velocity, |slip| velocity + slip)) + image);
            let angular = 0.5 * torque.dot(&(b.angular - a.angular));
            island.work += linear + angular;
            island.exchanged += linear.abs() + angular.abs();
        }
    }
}
