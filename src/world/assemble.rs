//! Assembly: writes bodies and contacts as the problem of a substep. No other code translates bodies to solver rows.

mod approach;
mod assembly;
mod body_inputs;
mod fill;
mod geometry;
mod impact_stage;
mod impacts;
mod restitution;
mod warm_start;

use crate::contact::ImpulseCache;
use crate::error::{Result, resize};
use crate::law::ContactLaw;
use crate::math::lanes::WIDE;
use crate::solver::{Problem, Solver};
use crate::tasks::Clock;
use crate::world::assemble::body_inputs::assemble_bodies;
use crate::world::assemble::fill::{ContactContext, fill};
use crate::world::assemble::geometry::GeometryContext;
use crate::world::assemble::impacts::FilledLanes;
use crate::world::assemble::warm_start::{Origin, WarmStart};
use crate::world::joints::{AimInput, JointInput, JointWorkspace, MovedBodies};
use crate::world::readback::stiffness_law;
use crate::world::settings::{Projection, WarmStart as WarmStartKind};
use crate::world::substeps::Stage;

pub(in crate::world) use assembly::{AssembleInput, Assembly, ContactStateX8, LastStep, MovedContacts, bare_problem};
pub(in crate::world) use body_inputs::fastest_point;
pub(in crate::world) use restitution::{ImpactContact, Impacts, IslandImpact};

/// Writes the bodies of a stage to `assembly`, assigns lanes to its contacts, and writes the contacts into the contact buffer. In the first
/// substep it reserves memory in `loads` for their results. In a later one `loads` has their results of the substep before.
pub(in crate::world) fn assemble<Law: ContactLaw>(
    input: &AssembleInput,
    assembly: &mut Assembly,
    loads: &mut ImpulseCache,
    carried: &mut JointWorkspace,
    solver: &mut Solver,
) -> Result<()> {
    assemble_bodies(input, assembly)?;
    assemble_joints::<Law>(input, assembly, carried)?;
    let AssembleInput { tasks, settings, index, contact_list, substep, detector, .. } = input;
    let (options, friction) = (settings.options(), settings.friction());
    let (needs_list, margin, period) = (assembly.needs_list(settings), settings.contact_margin, detector.period());
    let Assembly { masses, velocities, inputs, point_speeds, buffer, states, list, listed, gaps, .. } = assembly;
    let Assembly { joints, impacts, same_lanes, has_impact, .. } = assembly;
    let problem = bare_problem(masses, velocities, joints, friction);
    let are_kept = solver.lay_out(&problem, index.pairs(), &options, needs_list)?;
    if input.stage != (Stage::Contact { after_impacts: true }) {
        *same_lanes = are_kept;
    }
    let lanes = solver.lanes();
    resize(states, lanes.len(), ContactStateX8::EMPTY, "contacts")?;
    if substep.is_first {
        loads.begin(contact_list.len(), WIDE * lanes.len())?;
        index.write_lanes(solver.lane_of(), &mut loads.lanes);
    }
    let before = if substep.is_first { input.last.loads } else { &*loads };
    // Lanes stay the same within a step.
    let origin = match !substep.is_first || (*same_lanes && input.same_contacts) {
        true => Origin::SameLanes,
        false => Origin::Matched { places: index.places(), origins: input.origins, lanes_of_places: &before.lanes },
    };
    let (stretch, compatible) = (input.last.stretch(substep), input.compatible_part());
    let moved_bodies = substep.is_first.then_some(input.moved_bodies);
    let context = ContactContext {
        law: Law::new(&settings.law(substep.length, substep.step)),
        warm_start: WarmStart { before, origin, stretch, compatible, moved_bodies },
        geometry: GeometryContext { contact_list, index, inputs, point_speeds, margin, period, gaps },
        materials: input.materials,
        stiffness_law: stiffness_law(settings),
        starts_from_model: settings.warm_start == WarmStartKind::Model,
        extends_touch: settings.projection != Projection::Off,
        substep: *substep,
        stage: input.stage,
        motion: input.motion,
        velocities,
        sticking: input.sticking,
    };
    fill(&context, lanes, buffer, states, *tasks)?;
    let filled = FilledLanes { lanes, states, solver };
    impacts.find(&context, &filled, buffer)?;
    if input.stage == Stage::Impact {
        filled.begin_impacts(buffer, impacts, has_impact)?;
    }
    if needs_list {
        list.fill(buffer, index.pairs(), solver.lane_of(), listed, *tasks)?;
    }
    aim_joints::<Law>(input, assembly, carried)
}

/// Writes the rows of the joints, and the impulses from which they start.
fn assemble_joints<Law: ContactLaw>(
    input: &AssembleInput,
    assembly: &mut Assembly,
    work: &mut JointWorkspace,
) -> Result<()> {
    let AssembleInput { settings, bodies, index, motion, substep, stage, last, joints, .. } = *input;
    let Assembly { masses, velocities, joints: rows, listed, .. } = assembly;
    let (is_static, length_before) = (Law::IS_STATIC, last.substep);
    let of_joints = JointInput {
        settings,
        bodies,
        joints,
        index,
        motion,
        substep,
        stage,
        is_static,
        length_before,
        masses,
        velocities,
    };
    rows.assemble(&of_joints, work, &mut listed.rows)
}

/// Aims the rigid rows of joints at the end of the substep, after the contacts were written: the rows then hold there and not at its
/// start. The impact stage takes no time, so its rows are not aimed.
fn aim_joints<Law: ContactLaw>(
    input: &AssembleInput,
    assembly: &mut Assembly,
    work: &mut JointWorkspace,
) -> Result<()> {
    let begin = Clock::start();
    let AssembleInput { settings, bodies, index, motion, substep, stage, joints, .. } = *input;
    let Assembly { masses, velocities, joints: rows, mechanisms, list, listed, .. } = assembly;
    if rows.rows.is_empty() || stage == Stage::Impact {
        return Ok(());
    }
    let law = Law::new(&settings.law(substep.length, substep.step));
    let moved = MovedBodies { law, bodies, index, motion, length: substep.length };
    let friction = settings.friction();
    let bare = Problem { masses, velocities, contacts: &[], optional: &[], rows: &[], friction };
    let contacts = list.of(&bare).contacts;
    let aims = settings.joint_aim;
    mechanisms.aim(&AimInput { moved, joints, carried: work, masses, velocities, contacts, aims }, rows, listed)?;
    mechanisms.note(rows, substep.length, work);
    work.report.seconds += begin.seconds();
    Ok(())
}
