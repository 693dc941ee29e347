//! Where the friction of a substep goes on from in the next one, for contact laws that remember it.

use crate::body::Motion;
use crate::contact::FrictionFrame;
use crate::error::{Result, empty, resize};
use crate::law::ContactLaw;
use crate::math::lanes::WIDE;
use crate::math::{BodyRow, PointX8, Vec3};
use crate::solver::Solver;
use crate::solver::problem::contacts::occupied;
use crate::tasks::{Tasks, each_piece};
use crate::world::index::Index;

/// Batches that are noted at a time.
const PIECE: usize = 64;

/// The bodies of a substep, which turn with the mean of their velocities before and after it that the law takes.
pub(in crate::world) struct TurningBodies<'a, Law> {
    pub(in crate::world) law: Law,
    pub(in crate::world) index: &'a Index,
    pub(in crate::world) solver: &'a Solver,
    /// The motion of each row that takes part, at the start of the substep.
    pub(in crate::world) motion: &'a [Motion],
    /// Of the substep [s].
    pub(in crate::world) length: f64,
}

impl<Law: ContactLaw> TurningBodies<'_, Law> {
    /// Returns by how much a row turns [rad].
    fn turn(&self, row: BodyRow) -> Vec3 {
        let before = self.motion.get(row.index()).map(|motion| &motion.angular);
        let after = self.solver.velocities().get(row.index()).map(|velocity| &velocity.angular);
        before.zip(after).map_or(Vec3::zeros(), |(before, after)| self.length * self.law.drift(before, after))
    }
}

/// Writes the frame of each contact, by lane; none by a law that remembers nothing.
pub(in crate::world) fn note_frames<Law: ContactLaw>(
    tasks: &dyn Tasks,
    bodies: &TurningBodies<Law>,
    points: &[PointX8],
    frames: &mut Vec<FrictionFrame>,
) -> Result<()> {
    let lanes = bodies.solver.lanes();
    if !Law::HAS_FRICTION_MEMORY {
        return empty(frames, 0, "contacts");
    }
    resize(frames, WIDE * lanes.len(), FrictionFrame::default(), "contacts")?;
    each_piece(tasks, WIDE * PIECE, frames, |first, frames| {
        let first = first / WIDE;
        for (batch, frames) in (first..).zip(frames.chunks_exact_mut(WIDE)) {
            for (lane, contact) in occupied(&lanes[batch]) {
                let normal = points[batch].normal(lane);
                let [a, b] = bodies.index.rows_of(contact).map(|row| bodies.turn(row));
                frames[lane] = FrictionFrame { normal, twist: 0.5 * (a + b).dot(&normal) };
            }
        }
    });
    Ok(())
}
