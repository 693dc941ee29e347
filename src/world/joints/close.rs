//! The position pass of joints after the bodies moved: Newton's method on the errors of rigid rows, [C] (22)-(23).
//!
//! ```text
//! (J M^-1 J^T) nu = c,   q <- q - M^-1 J^T nu
//! ```
//!
//! Each round has the rows and masses of the new places. The displacements have no momentum: velocities and forces stay, and a body that turns
//! keeps its angular momentum.

use crate::body::{Bodies, Mass, Motion};
use crate::error::{Result, copy, push, refill, reserve};
use crate::joint::{Geometry, JointRow, SideVector, coordinates, locked_rows};
use crate::math::{BodyRow, Quat, long_cayley};
use crate::solver::mechanism::{Mechanism, Mechanisms};
use crate::solver::problem::Jacobian;
use crate::solver::{Friction, MassInverse, Problem, Row, Velocity};
use crate::world::index::Index;
use crate::world::joints::errors::{JointErrors, beyond, geometry_of, has_gradient};
use crate::world::joints::freedom::{FreeRow, Freedom, HeldErrors, reachable_alone};
use crate::world::joints::rows::{ActiveJoint, JointRows};
use crate::world::joints::state::{Joint, Joints, RowPlace};

/// Most rounds of Newton's method. Two or three are enough, but where light links turned far in a step that was not aimed.
const ROUNDS: u32 = 8;

/// Errors up to this part of the size of a joint are round-off [-].
const ROUND_OFF: f64 = 4.0 * f64::EPSILON;

/// No body turns farther in a round [rad].
const MAX_TURN: f64 = 0.25;

/// The mechanisms of the position pass, and scratch buffers.
#[derive(Debug, Default)]
pub(in crate::world) struct ClosingWorkspace {
    found: Mechanisms,
    all: Vec<Mechanism>,
    rows: Vec<Row>,
    /// The error of each row, over the size of its joint.
    parts: Vec<f64>,
    masses: Vec<MassInverse>,
    /// The displacement of each row of bodies, in a round and in all of them.
    moves: Vec<Velocity>,
    totals: Vec<Velocity>,
    nu: Vec<f64>,
}

/// What the pass reads.
pub(in crate::world) struct CloseInput<'a> {
    pub(in crate::world) bodies: &'a Bodies,
    pub(in crate::world) joints: &'a Joints,
    pub(in crate::world) index: &'a Index,
    /// The joints of the substep.
    pub(in crate::world) rows: &'a JointRows,
    /// The largest part of an error at the start of the substep that is undone in it [m] or [rad].
    pub(in crate::world) max_correction: f64,
}

/// A joint where its bodies are now.
struct ClosingJoint<'a> {
    joint: &'a Joint,
    geometry: Geometry,
    /// Those of its bodies.
    rows: [BodyRow; 2],
    freedoms: [Freedom; 2],
}

impl ClosingJoint<'_> {
    /// Returns the row that undoes an error.
    fn row(&self, JointRow { a, b }: &JointRow, error: f64) -> Row {
        let jacobian = |side: &SideVector| Jacobian { linear: side.linear, angular: side.angular };
        Row {
            body_a: self.rows[0],
            body_b: self.rows[1],
            jacobian_a: jacobian(a),
            jacobian_b: jacobian(b),
            rhs: -error,
            compliance: 0.0,
            lower: f64::NEG_INFINITY,
            upper: f64::INFINITY,
            friction_row: None,
            ball: None,
        }
    }
}

impl ClosingWorkspace {
    /// Moves the bodies until the rigid rows of their joints have no errors. `motion` is that of each row that takes part, at the end of the
    /// substep. Returns whether any body moved.
    pub(in crate::world) fn close(&mut self, input: &CloseInput, motion: &mut [Motion]) -> Result<bool> {
        self.totals.clear();
        if input.rows.active.is_empty() {
            return Ok(false);
        }
        let mut has_moved = false;
        for _ in 0..ROUNDS {
            self.find_rows(input, motion)?;
            if !self.parts.iter().any(|part| part.abs() > ROUND_OFF) {
                break;
            }
            self.undo(input, motion)?;
            self.add_up()?;
            has_moved = true;
        }
        Ok(has_moved)
    }

    /// Returns the displacement of each row of bodies in the last pass; empty if nothing moved.
    pub(in crate::world) fn displacements(&self) -> &[Velocity] {
        &self.totals
    }

    /// Adds the displacements of a round to those of the pass.
    fn add_up(&mut self) -> Result<()> {
        if self.totals.is_empty() {
            return copy(&mut self.totals, &self.moves, "bodies");
        }
        for (total, shift) in self.totals.iter_mut().zip(&self.moves) {
            total.linear += shift.linear;
            total.angular += shift.angular;
        }
        Ok(())
    }

    /// Finds the rows with their errors, and the masses, where the bodies are.
    fn find_rows(&mut self, input: &CloseInput, motion: &[Motion]) -> Result<()> {
        let CloseInput { bodies, joints, index, rows, .. } = *input;
        self.rows.clear();
        self.parts.clear();
        refill(&mut self.masses, motion.len(), MassInverse::ZERO, "bodies")?;
        for active in &rows.active {
            let joint = &joints.all[active.slot];
            let ended = |slot: usize| index.active_row(slot).map_or(bodies.motion[slot], |row| motion[row]);
            let geometry = geometry_of(joint, bodies, ended);
            let sides = joint.bodies.map(|slot| {
                slot.and_then(|slot| index.active_row(slot as usize).map(|row| (row, &bodies.mass[slot as usize])))
            });
            let freedoms =
                sides.map(|side| side.map_or(Freedom::NONE, |(row, mass)| Freedom::of(mass, &motion[row].rotation)));
            for ((row, _), freedom) in sides.into_iter().zip(&freedoms).filter_map(|(side, own)| Some((side?, own))) {
                self.masses[row] = freedom.mass;
            }
            let rows = sides.map(|side| side.map_or(BodyRow::NONE, |(row, _)| row));
            self.add_joint(active, &ClosingJoint { joint, geometry, rows, freedoms }, input)?;
        }
        Ok(())
    }

    /// Adds the rows of a joint that have no bounds, and those of others that are beyond theirs.
    fn add_joint(&mut self, active: &ActiveJoint, closing: &ClosingJoint, input: &CloseInput) -> Result<()> {
        let CloseInput { rows, max_correction, .. } = *input;
        let ClosingJoint { joint, geometry, freedoms, .. } = closing;
        let bodies = freedoms.each_ref();
        let errors = JointErrors::new(joint, *geometry, active.position_before);
        let errors_before = JointErrors::new(joint, active.geometry, active.position_before);
        let locked = locked_rows(geometry, joint.definition.kind, &joint.locks, joint.definition.lengths());
        let free = coordinates(geometry, joint.definition.kind, &joint.locks);
        let mut held = HeldErrors::EMPTY;
        let [first, end] = active.rows;
        for (before, place) in rows.rows[first..end].iter().zip(rows.places(first..end)) {
            let (Some(error), Some(error_before)) = (errors.of(place), errors_before.of(place)) else { continue };
            let bounds = [before.lower, before.upper];
            // A row without an error is to keep none.
            let takes_part = beyond(bounds, error) != 0.0 || bounds.iter().all(|bound| *bound != 0.0);
            // What the substep made of the error is undone at once, what was there before bit by bit.
            let error = beyond(bounds, error) - kept(beyond(bounds, error_before), max_correction);
            let row: Option<JointRow> = match place {
                RowPlace::Locked(number) => locked.as_slice().get(number).map(|locked| locked.row),
                RowPlace::Drive(axis, _) => free[axis].and_then(|free| free.row),
            };
            let Some(row) = row.filter(|row| takes_part && has_gradient(row)) else { continue };
            let row = FreeRow::new(row, bodies);
            if !row.moves {
                continue;
            }
            let is_held = matches!(place, RowPlace::Locked(_)) && bounds.iter().all(|bound| bound.is_infinite());
            if is_held {
                held.push(self.rows.len(), row, error);
            }
            let error = if is_held { error } else { reachable_alone(row, error, bodies) };
            push(&mut self.rows, closing.row(&row.row, error), "rows of joints")?;
            push(&mut self.parts, error / active.size, "rows of joints")?;
        }
        for (at, error) in held.reachable(bodies) {
            (self.rows[at].rhs, self.parts[at]) = (-error, error / active.size);
        }
        Ok(())
    }

    /// Makes one round of Newton's method for the mechanisms with an error above round-off.
    fn undo(&mut self, input: &CloseInput, motion: &mut [Motion]) -> Result<()> {
        let Self { found, all, rows, parts, masses, moves, nu, .. } = self;
        refill(moves, motion.len(), Velocity::ZERO, "bodies")?;
        refill(nu, rows.len(), 0.0, "rows of joints")?;
        let problem =
            Problem { masses, velocities: &[], contacts: &[], optional: &[], rows, friction: Friction::Coulomb };
        found.find(&problem)?;
        reserve(all, found.len().saturating_sub(all.len()), "mechanisms")?;
        all.resize_with(found.len().max(all.len()), Mechanism::default);
        for (own, mechanism) in found.iter().zip(all) {
            let is_off = own.rows.iter().any(|row| parts[*row].abs() > ROUND_OFF);
            if is_off && mechanism.factor(&problem, own)? {
                mechanism.constrain(rows, moves, nu)?;
                limit_turns(own.bodies, moves);
            }
        }
        for (row, (motion, shift)) in motion.iter_mut().zip(&*moves).enumerate() {
            if *shift != Velocity::ZERO {
                let slot = input.index.active()[row] as usize;
                *motion = displaced(motion, &input.bodies.mass[slot], shift);
            }
        }
        Ok(())
    }
}

/// Returns the part of an error that remains in the substep, in which at most `max_correction` is undone.
fn kept(error: f64, max_correction: f64) -> f64 {
    error - error.clamp(-max_correction, max_correction)
}

/// Makes the displacements of some bodies smaller where one of them would turn too far for a linear step: near half a turn the rows of locked
/// turns become dependent.
fn limit_turns(bodies: &[BodyRow], moves: &mut [Velocity]) {
    let farthest = bodies.iter().fold(0.0, |largest: f64, body| largest.max(moves[*body].angular.norm()));
    if farthest > MAX_TURN {
        let part = MAX_TURN / farthest;
        for body in bodies {
            moves[*body].linear *= part;
            moves[*body].angular *= part;
        }
    }
}

/// Returns a motion with a displacement and a turn, and the same momenta.
fn displaced(motion: &Motion, mass: &Mass, shift: &Velocity) -> Motion {
    let rotation = Quat::new_normalize(long_cayley(&shift.angular) * motion.rotation.quaternion());
    let center = motion.center + shift.linear;
    let momentum = mass.world_inertia(&motion.rotation).times(&motion.angular);
    let angular = match mass.is_isotropic() {
        true => motion.angular,
        false => mass.world_inverse(&rotation).times(&momentum),
    };
    Motion { center, rotation, linear: motion.linear, angular }
}
