//! Rows aimed at the end of the substep: their bias accounts for the curvature of the path of a joint.
//!
//! A rigid row requires `J v+ + b = 0`. With the bias `b = [c(q (+) h v*) - c(q)] / h - J v*` the position error `c`
//! does not change over the substep. `q (+) h v` is the pose of a body after it has moved with the velocity `v` for the
//! time `h`. `v*` are the velocities of the mechanism if contacts carry their start impulses. This is the symplectic
//! step SHAKE: energy does not drift. `v*` and `b` depend on each other. They are computed alternately, with one
//! factorisation.
//!
//! A row with bounds is held like one without bounds as long as its impulse is within the bounds. Otherwise it carries
//! the impulse of the bound. The mechanism is solved again until no row changes, at most [`PASSES`] times. A mechanism
//! without contacts is therefore solved before the sweeps, unless the passes run out.

use crate::body::Motion;
use crate::error::{Result, copy, empty, push, refill, reserve};
use crate::law::ContactLaw;
use crate::math::{BodyRow, ContactId, RowId, Vec3};
use crate::solver::mechanism::{Mechanism, Mechanisms, is_bilateral};
use crate::solver::problem::ball::{BALL, bounded_ball, impulse_of_ball, is_within, rows_of_ball};
use crate::solver::{Friction, Impulses, MassInverse, Problem, Row, Velocity};
use crate::world::joints::aim_round::{AimInput, AimRound};
use crate::world::joints::errors::JointErrors;
use crate::world::joints::rows::{ActiveJoint, JointRows};
use crate::world::joints::state::{Joint, JointWorkspace};
use crate::world::joints::stiffness::{MAX_STIFFNESS, Stiffness};

/// The largest number of passes in which rows are released at their bounds or held again. The sweeps start from the
/// result of the last pass.
const PASSES: u32 = 8;

/// A row at its bound is held again if its velocity error is larger than this [m/s] or [rad/s].
const SLOW: f64 = 1e-12;

/// The direction of a ball's friction has converged if its impulse changes by less than this part of the bound [-].
const TURNED: f64 = 1e-4;

/// The mechanisms of a substep, and scratch buffers.
#[derive(Debug, Default)]
pub(in crate::world) struct MechanismWorkspace {
    found: Mechanisms,
    all: Vec<Mechanism>,
    /// The rows of the substep. Rows that are held have no bounds here.
    rows: Vec<Row>,
    velocities: Vec<Velocity>,
    lambda: Vec<f64>,
    /// The error of each row at the start of the substep, NaN for rows that are not aimed.
    errors: Vec<f64>,
    /// Whether each row is held as if it had no bounds.
    are_held: Vec<bool>,
    /// The velocities after the forces and the start impulses of contacts have acted.
    pushed: Vec<Velocity>,
    /// The velocities of the bodies of a mechanism before its held rows act.
    before: Vec<Velocity>,
    ended: Vec<Motion>,
    missing: Vec<f64>,
    stiffness: Stiffness,
    /// The vector of the power iteration, which each mechanism starts again.
    vector: Vec<Velocity>,
    /// The mechanism of each joint, and the joint's index among the active ones, sorted.
    joints: Vec<(u32, u32)>,
    /// The outcome of the last solve for each mechanism.
    notes: Vec<MechanismStatus>,
}

/// The outcome of a solve for one mechanism.
#[derive(Debug, Clone, Copy, Default)]
struct MechanismStatus {
    is_unaimed: bool,
    is_redundant: bool,
    /// An upper bound of the largest `w^2`. It is close to it where the limit on the stiffness may be exceeded [1/s^2].
    stiffness: f64,
}

impl MechanismWorkspace {
    /// Aims the rigid rows of the joints. `start` has the impulses from which the sweeps start. Those of rows are
    /// replaced by the impulses that solve the mechanisms.
    pub(in crate::world) fn aim<Law: ContactLaw>(
        &mut self,
        input: &AimInput<Law>,
        rows: &mut JointRows,
        start: &mut Impulses,
    ) -> Result<()> {
        self.begin(input, rows, start)?;
        for _ in 0..PASSES {
            self.solve_all(input, rows)?;
            if !self.exchange(rows, input.masses) {
                break;
            }
        }
        for (at, (own, start)) in rows.rows.iter_mut().zip(&mut start.rows).enumerate() {
            if self.are_held[at] || is_bilateral(own) {
                own.rhs = self.rows[at].rhs;
            }
            *start = self.lambda[at].max(own.lower).min(own.upper);
        }
        Ok(())
    }

    /// Solves all mechanisms. Rows that are not held keep their impulses.
    fn solve_all<Law: ContactLaw>(&mut self, input: &AimInput<Law>, rows: &JointRows) -> Result<()> {
        for ((own, row), is_held) in self.rows.iter_mut().zip(&rows.rows).zip(&self.are_held) {
            let is_free = *is_held || is_bilateral(row);
            let bounds = if is_free { [f64::NEG_INFINITY, f64::INFINITY] } else { [row.lower, row.upper] };
            [own.lower, own.upper] = bounds;
            if !is_free {
                own.rhs = row.rhs;
            }
        }
        let AimInput { masses, velocities, .. } = *input;
        let problem =
            Problem { masses, velocities, contacts: &[], optional: &[], rows: &self.rows, friction: Friction::Coulomb };
        self.found.find(&problem)?;
        let missing = self.found.len().saturating_sub(self.all.len());
        reserve(&mut self.all, missing, "mechanisms")?;
        self.all.resize_with(self.found.len().max(self.all.len()), Mechanism::default);
        self.sort_joints(rows)?;
        copy(&mut self.velocities, &self.pushed, "bodies")?;
        self.add_bounded(masses);
        refill(&mut self.notes, self.found.len(), MechanismStatus::default(), "mechanisms")?;
        (0..self.found.len()).try_for_each(|number| self.solve(input, rows, number))
    }

    /// Writes the outcome of the last solve to the states of the joints and to the report of the step. `length` is that
    /// of the substep [s].
    pub(in crate::world) fn note(&self, rows: &JointRows, length: f64, work: &mut JointWorkspace) {
        let unaimed = self.notes.iter().filter(|note| note.is_unaimed).count() as u32;
        work.report.unaimed = work.report.unaimed.max(unaimed);
        for note in &self.notes {
            work.report.stiffness = work.report.stiffness.max(length * note.stiffness.sqrt());
        }
        for (mechanism, at) in &self.joints {
            let state = &mut work.states[rows.active[*at as usize].slot];
            let note = &self.notes[*mechanism as usize];
            state.is_redundant |= note.is_redundant;
            state.is_unaimed |= note.is_unaimed;
        }
    }

    /// Releases rows whose impulses are beyond their bounds, and holds rows that would move against their bounds.
    /// Returns whether any row changed.
    fn exchange(&mut self, rows: &JointRows, masses: &[MassInverse]) -> bool {
        let mut has_changed = false;
        for (at, row) in rows.rows.iter().enumerate().filter(|(_, row)| !is_bilateral(row)) {
            if let Some(first) = row.ball {
                has_changed |= first == RowId::from(at) && self.exchange_ball(rows, masses, first);
                continue;
            }
            let lambda = self.lambda[at];
            if self.are_held[at] {
                let bounded = lambda.max(row.lower).min(row.upper);
                self.are_held[at] = bounded == lambda;
                self.lambda[at] = bounded;
                has_changed |= bounded != lambda;
            } else {
                let off = row.speed(&self.velocities) + row.compliance * lambda - row.rhs;
                // A row may be too fast at its lower bound, and too slow at its upper bound.
                self.are_held[at] = (off < -SLOW && lambda < row.upper) || (off > SLOW && lambda > row.lower);
                has_changed |= self.are_held[at];
            }
        }
        has_changed
    }

    /// Does the same for the rows of a ball, which are held and released together. Where they slip, the impulse turns
    /// against the velocity. Returns whether they changed.
    fn exchange_ball(&mut self, rows: &JointRows, masses: &[MassInverse], first: RowId) -> bool {
        let own = first.index()..first.index() + BALL;
        let (lambda, bound) = (impulse_of_ball(first, &self.lambda), rows.rows[first].upper);
        if self.are_held[first] {
            let bounded = bounded_ball(&lambda, bound);
            self.lambda[own.clone()].copy_from_slice(bounded.as_slice());
            self.are_held[own].fill(bounded == lambda);
            return bounded != lambda;
        }
        let block_of = |row: RowId| rows.rows[row].cross_block(&rows.rows[row], masses);
        // Locks of bodies may forbid the turns about some axes.
        let block = rows_of_ball(first).into_iter().map(block_of).find(|block| *block > 0.0);
        let Some(block) = block.filter(|_| bound > 0.0) else { return false };
        let speed = |row: RowId| rows.rows[row].speed(&self.velocities) - rows.rows[row].rhs;
        let wanted = lambda - Vec3::from(rows_of_ball(first).map(speed)) / block;
        let is_held = wanted.norm() < bound;
        let next = if is_held { lambda } else { bounded_ball(&wanted, bound) };
        self.lambda[own.clone()].copy_from_slice(next.as_slice());
        self.are_held[own].fill(is_held);
        is_held || (next - lambda).norm() > TURNED * bound
    }

    /// Copies the rows, decides which rows with bounds are held at first, and stores the errors of rows that can be
    /// aimed.
    fn begin<Law: ContactLaw>(&mut self, input: &AimInput<Law>, rows: &JointRows, start: &Impulses) -> Result<()> {
        copy(&mut self.rows, &rows.rows, "rows of joints")?;
        copy(&mut self.pushed, input.velocities, "bodies")?;
        copy(&mut self.ended, input.moved.motion, "bodies")?;
        refill(&mut self.missing, rows.rows.len(), 0.0, "rows of joints")?;
        self.add_contacts(input, rows, start);
        copy(&mut self.lambda, &start.rows, "rows of joints")?;
        refill(&mut self.errors, rows.rows.len(), f64::NAN, "rows of joints")?;
        empty(&mut self.are_held, rows.rows.len(), "rows of joints")?;
        let is_held = |(row, own): (&Row, &f64)| is_held_at_first(row, *own, &start.rows);
        self.are_held.extend(rows.rows.iter().zip(&start.rows).map(is_held));
        for active in &rows.active {
            let errors = active.errors(&input.joints.all[active.slot]);
            let [first, end] = active.rows;
            for (at, place) in (first..end).zip(rows.places(first..end)) {
                let row = &rows.rows[at];
                // A row with one bound is aimed only if it is at this bound.
                if let Some(error) =
                    errors.of(place).filter(|_| rows.moves(at) && (is_bilateral(row) || row.rhs == 0.0))
                {
                    self.errors[at] = error;
                }
            }
        }
        Ok(())
    }

    /// Sorts the joints by their mechanisms.
    fn sort_joints(&mut self, rows: &JointRows) -> Result<()> {
        empty(&mut self.joints, rows.active.len(), "joints")?;
        for (at, active) in (0..).zip(&rows.active) {
            let [first, end] = active.rows;
            let bodies = rows.rows[first..end].first().map_or([BodyRow::NONE; 2], |row| [row.body_a, row.body_b]);
            if let Some(mechanism) = bodies.into_iter().find_map(|body| self.found.of_body(body)) {
                push(&mut self.joints, (mechanism as u32, at), "joints")?;
            }
        }
        self.joints.sort_unstable();
        Ok(())
    }

    /// Adds the effect of the impulses of rows that are not held to the velocities.
    fn add_bounded(&mut self, masses: &[MassInverse]) {
        for (row, lambda) in self.rows.iter().zip(&self.lambda).filter(|(row, _)| !is_bilateral(row)) {
            row.push(masses, &mut self.velocities, *lambda);
        }
    }

    /// Adds the effect of the start impulses of contacts to the velocities. Without them a mechanism that rests on
    /// contacts would be aimed as if it fell.
    fn add_contacts<Law: ContactLaw>(&mut self, input: &AimInput<Law>, rows: &JointRows, start: &Impulses) {
        for (number, contact) in ContactId::range(0..input.contacts.len()).zip(input.contacts) {
            let bodies = [contact.body_a, contact.body_b];
            if !bodies.into_iter().any(|body| rows.joins(body)) {
                continue;
            }
            for (body, on) in bodies.into_iter().zip(contact.on_bodies(&start.wrench(number))) {
                if let (Some(velocity), Some(mass)) =
                    (self.pushed.get_mut(body.index()), input.masses.get(body.index()))
                {
                    mass.apply(velocity, &on.linear, &on.angular);
                }
            }
        }
    }

    /// Computes the velocities of one mechanism and the biases of its rows alternately.
    fn solve<Law: ContactLaw>(&mut self, input: &AimInput<Law>, rows: &JointRows, number: usize) -> Result<()> {
        let Self { found, all, rows: own, velocities, lambda, errors, are_held, joints, before, .. } = self;
        let Self { ended, missing, stiffness, vector, notes, .. } = self;
        let (Some(parts), Some(mechanism)) = (found.get(number), all.get_mut(number)) else { return Ok(()) };
        let AimInput { masses, velocities: kicked, .. } = *input;
        let problem = Problem {
            masses,
            velocities: kicked,
            contacts: &[],
            optional: &[],
            rows: own,
            friction: Friction::Coulomb,
        };
        if !mechanism.factor(&problem, parts)? {
            return Ok(());
        }
        let first = joints.partition_point(|(mechanism, _)| (*mechanism as usize) < number);
        let end = joints.partition_point(|(mechanism, _)| *mechanism as usize <= number);
        refill(before, parts.bodies.len(), Velocity::ZERO, "bodies")?;
        before.iter_mut().zip(parts.bodies).for_each(|(before, body)| *before = velocities[*body]);
        find_stiffness(input, rows, own, &joints[first..end], stiffness)?;
        let square = input.moved.length * input.moved.length;
        // The bound is cheap, and small enough for most mechanisms.
        let mut eigenvalue = stiffness.bound;
        if square * eigenvalue > MAX_STIFFNESS {
            vector.clear();
            eigenvalue = mechanism.stiffness_of_blocks(vector, &stiffness.blocks)?;
        }
        let mut is_stiff = square * eigenvalue > MAX_STIFFNESS;
        let contradicts = mechanism.constrain(own, velocities, lambda)?.contradicts;
        if input.aims && !is_stiff {
            let is_aimed = |at: usize| are_held[at] || is_bilateral(&rows.rows[at]);
            let joints = &joints[first..end];
            let mut round = AimRound { input, rows, joints, bodies: parts.bodies, errors, ended, missing, contradicts };
            is_stiff = !round.run(mechanism, (own, velocities, lambda), &is_aimed)?;
            if is_stiff {
                before.iter().zip(parts.bodies).for_each(|(before, body)| velocities[*body] = *before);
                mechanism.constrain(own, velocities, lambda)?;
            }
        }
        notes[number] =
            MechanismStatus { is_unaimed: is_stiff, is_redundant: mechanism.is_redundant(), stiffness: eigenvalue };
        Ok(())
    }
}

/// Returns whether a row is held at first. A row with one bound is held if it had a start impulse. Others, which are
/// motors and friction, are held if they were within their bounds.
fn is_held_at_first(row: &Row, start: f64, starts: &[f64]) -> bool {
    let acts = row.lower < row.upper;
    let is_within = is_within(row, start, starts);
    let has_one_bound = row.lower == 0.0 || row.upper == 0.0;
    acts && if has_one_bound { start != 0.0 } else { is_within }
}

/// Computes the stiffness that the forces of the last substep give a mechanism with these joints.
fn find_stiffness<Law>(
    input: &AimInput<Law>,
    rows: &JointRows,
    own: &[Row],
    joints: &[(u32, u32)],
    stiffness: &mut Stiffness,
) -> Result<()> {
    stiffness.clear(input.masses.len())?;
    for active in joints.iter().filter_map(|(_, at)| rows.active.get(*at as usize)) {
        let Some(Row { body_a, body_b, .. }) = own.get(active.rows[0]) else { continue };
        let force = input.carried.states[active.slot].last_force;
        stiffness.add(&input.joints.all[active.slot], active, &force, [*body_a, *body_b], input.masses)?;
    }
    Ok(())
}

impl ActiveJoint {
    /// Returns the errors of a joint at the start of the substep.
    fn errors<'a>(&self, joint: &'a Joint) -> JointErrors<'a> {
        JointErrors::new(joint, self.geometry, self.position_before)
    }
}
