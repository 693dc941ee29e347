//! Rounds that aim the rows of one mechanism. Each round predicts the poses at the end of the substep from the
//! velocities. It then corrects the velocities by the changes of the position errors over the substep.

use crate::body::Motion;
use crate::error::Result;
use crate::law::ContactLaw;
use crate::math::BodyRow;
use crate::solver::mechanism::Mechanism;
use crate::solver::{Contact, MassInverse, Row, Velocity};
use crate::world::joints::errors::{JointErrors, MovedBodies, geometry_of};
use crate::world::joints::rows::JointRows;
use crate::world::joints::state::{JointWorkspace, Joints};

/// The largest number of rounds in which velocities and rows are computed alternately.
const ROUNDS: u32 = 16;

/// A change of an error below this part of the size of the joint is round-off [-].
const ROUND_OFF: f64 = 4.0 * f64::EPSILON;

/// If rounds no longer reduce a change below this, the change is round-off [-].
const STALLED: f64 = 64.0 * f64::EPSILON;

/// The input from which the rows of a substep are aimed.
pub(in crate::world) struct AimInput<'a, Law> {
    pub(in crate::world) moved: MovedBodies<'a, Law>,
    pub(in crate::world) joints: &'a Joints,
    /// The forces and states of the joints in the substep before.
    pub(in crate::world) carried: &'a JointWorkspace,
    pub(in crate::world) masses: &'a [MassInverse],
    /// The velocity of each row of bodies after the forces have acted.
    pub(in crate::world) velocities: &'a [Velocity],
    /// The contacts of the substep, by number.
    pub(in crate::world) contacts: &'a [Contact],
    /// `joint_aim` of the settings.
    pub(in crate::world) aims: bool,
}

/// A round. It predicts the poses at the end of the substep from the velocities of a mechanism. It then corrects the
/// velocities by the changes of the position errors.
pub(super) struct AimRound<'a, Law> {
    pub(super) input: &'a AimInput<'a, Law>,
    pub(super) rows: &'a JointRows,
    pub(super) joints: &'a [(u32, u32)],
    pub(super) bodies: &'a [BodyRow],
    /// The error of each row at the start of the substep, NaN for rows that are not aimed.
    pub(super) errors: &'a [f64],
    /// The motion of each row of bodies at the end of the substep.
    pub(super) ended: &'a mut [Motion],
    /// By how much `J v + S lambda` of each row must change.
    pub(super) missing: &'a mut [f64],
    /// Whether rows contradict each other. The residuals of rows that are not aimed are then left as they are.
    pub(super) contradicts: bool,
}

impl<Law: ContactLaw> AimRound<'_, Law> {
    /// Computes velocities and impulses of a mechanism such that its aimed rows end with the errors with which they
    /// began. On entry velocities and impulses satisfy the rows at the start of the substep. Returns `false` if the
    /// rounds do not converge. The geometry is then stiffer than estimated from the forces of the last substep.
    pub(super) fn run(
        &mut self,
        mechanism: &mut Mechanism,
        (own, velocities, lambda): (&mut [Row], &mut [Velocity], &mut [f64]),
        is_aimed: &impl Fn(usize) -> bool,
    ) -> Result<bool> {
        let mut last = f64::INFINITY;
        for _ in 0..ROUNDS {
            let change = self.find_missing(velocities, lambda, own, is_aimed);
            if change <= ROUND_OFF {
                break;
            }
            if !(change < last || change <= STALLED) {
                return Ok(false);
            }
            last = change;
            mechanism.advance(self.missing, velocities, lambda)?;
        }
        self.write_sides(velocities, own, is_aimed);
        Ok(true)
    }

    /// Computes `missing` for these velocities. Returns the largest change of an error over the size of its joint.
    fn find_missing(
        &mut self,
        velocities: &[Velocity],
        lambda: &[f64],
        own: &[Row],
        is_aimed: &impl Fn(usize) -> bool,
    ) -> f64 {
        let AimInput { moved, joints, masses, .. } = self.input;
        for body in self.bodies {
            let slot = moved.index.active()[body.index()] as usize;
            self.ended[*body] = moved.ended_row(slot, &moved.motion[body.index()], velocities[*body]);
        }
        let mut largest = 0.0;
        for active in self.joints.iter().filter_map(|(_, at)| self.rows.active.get(*at as usize)) {
            let joint = &joints.all[active.slot];
            let ended = |slot: usize| match moved.index.active_row(slot) {
                Some(row) if !masses[row].is_immovable() => self.ended[row],
                _ => moved.ended(slot, velocities),
            };
            let errors = JointErrors::new(joint, geometry_of(joint, moved.bodies, ended), active.position_before);
            let [first, end] = active.rows;
            for (at, place) in (first..end).zip(self.rows.places(first..end)) {
                let before = self.errors[at];
                let error = errors.of(place).filter(|_| is_aimed(at) && !before.is_nan());
                self.missing[at] = match error {
                    Some(error) => {
                        let change = error - before;
                        largest = f64::max(largest, change.abs() / active.size);
                        self.rows.rows[at].rhs - change / moved.length
                    }
                    None if self.contradicts => 0.0,
                    None => own[at].rhs - own[at].speed(velocities) - own[at].compliance * lambda[at],
                };
            }
        }
        largest
    }

    /// Sets the right sides of the aimed rows to their speeds at these velocities.
    fn write_sides(&self, velocities: &[Velocity], own: &mut [Row], is_aimed: &impl Fn(usize) -> bool) {
        for active in self.joints.iter().filter_map(|(_, at)| self.rows.active.get(*at as usize)) {
            let [first, end] = active.rows;
            for at in (first..end).filter(|at| is_aimed(*at) && !self.errors[*at].is_nan()) {
                own[at].rhs = own[at].speed(velocities);
            }
        }
    }
}
