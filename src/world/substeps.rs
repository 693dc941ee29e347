//! What the substeps of a step share: the motion of the bodies, sums over the substeps, and gaps that follow the bodies.
//!
//! Contacts, normals and arms are those of the start of the step; only gaps and velocities are renewed.

use crate::body::{Motion, Wrench};
use crate::error::{Result, resize};
use crate::math::lanes::distances::BODIES_AHEAD;
use crate::math::lanes::prefetch_slot;
use crate::solver::Solver;
use crate::tasks::{Tasks, each_piece};
use crate::world::assemble::Assembly;
use crate::world::index::Index;
use crate::world::pieces::BODIES_PER_PIECE;
use crate::world::substep::Substep;

/// Copies the motion of the bodies of each row that takes part; `present` has it by slot.
///
/// # Errors
///
/// Memory is exhausted.
pub(in crate::world) fn copy_motion(
    tasks: &dyn Tasks,
    present: &[Motion],
    index: &Index,
    motion: &mut Vec<Motion>,
) -> Result<()> {
    let active = index.active();
    // What is there already is written over.
    let any = active.first().map(|slot| present[*slot as usize]);
    motion.truncate(active.len());
    if let Some(any) = any {
        resize(motion, active.len(), any, "bodies")?;
    }
    each_piece(tasks, BODIES_PER_PIECE, motion, |first, motion| {
        for (row, own) in (first..).zip(motion) {
            prefetch_slot(present, active.get(row + BODIES_AHEAD));
            *own = present[active[row] as usize];
        }
    });
    Ok(())
}

/// Makes room for the mean contact forces of `rows` rows over the substeps; a step with a single substep needs none.
///
/// # Errors
///
/// Memory is exhausted.
pub(in crate::world) fn begin_wrenches(substep: &Substep, rows: usize, wrenches: &mut Vec<Wrench>) -> Result<()> {
    wrenches.clear();
    if substep.is_whole() { Ok(()) } else { resize(wrenches, rows, Wrench::ZERO, "bodies") }
}

/// Moves the gaps over the substep that ended: by what its velocities and the position pass moved the points of contact along the normal.
///
/// # Errors
///
/// Memory is exhausted.
pub(in crate::world) fn follow_gaps(
    substep: &Substep,
    index: &Index,
    solver: &Solver,
    assembly: &mut Assembly,
) -> Result<()> {
    let Assembly { buffer, gaps, .. } = assembly;
    let lane_of = solver.lane_of();
    if gaps.is_empty() {
        resize(gaps, lane_of.len(), 0.0, "contacts")?;
        for (gap, lane) in gaps.iter_mut().zip(lane_of) {
            *gap = buffer.points[lane.batch()].gap.0[lane.lane()];
        }
    }
    for (contact, (gap, lane)) in gaps.iter_mut().zip(lane_of).enumerate() {
        let contact = buffer.contact(*lane, index.rows_of(contact.into()));
        *gap += substep.length * contact.normal.dot(&solver.relative(&contact).linear);
        let [a, b] = [contact.body_a, contact.body_b].map(|body| solver.displacement(body.index()));
        *gap += contact.normal.dot(&contact.relative_velocity(&a, &b));
    }
    Ok(())
}
