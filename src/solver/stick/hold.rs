//! Which parts of a contact or a row are held, that is, end the step at rest, and the impulses at the bounds of the others.
//!
//! A part is held if one more step of its law, `lambda - rho w`, lies inside its bound: the test of the semismooth Newton
//! method. It uses impulse *and* velocity. So it does not take a slow slide for sticking, nor an error of the sweeps for a
//! slide.

use crate::math::{Vec3, length_of};
use crate::solver::operator::assembly::frame;
use crate::solver::problem::cone::{Cone, Parts};
use crate::solver::problem::{
    Contact, Friction, FullContact, Impulse, ImpulsiveWrench, MassInverse, Measure, Row, Velocity,
};

/// The rows of a contact, as bits of [`Hold::rows`]: normal, two tangents, two axes of rolling, twisting.
pub(super) const NORMAL: u8 = 1;
pub(super) const TANGENTS: [u8; 2] = [2, 4];
pub(super) const TORQUES: [u8; 3] = [8, 16, 32];

/// How much beyond its bound is on it still [-]: round-off ...
pub(super) const AT_BOUND: f64 = 1.0 + 1e-9;

/// ... or what sweeps that have not converged leave of a contact that sticks. Slow sliding passes for sticking at first.
pub(super) const STICK_SLACK: f64 = 1.5;

/// The speeds of what is held.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Speeds {
    /// The largest velocity of what is held [m/s].
    pub(super) held_speed: f64,
    /// The largest speed that an impulse stops, which round-off is in proportion to [m/s].
    pub(super) load: f64,
}

impl Speeds {
    /// Takes the larger ones; a velocity that is no number counts as infinite.
    pub(super) fn take(&mut self, other: Self) {
        self.held_speed = if other.held_speed.is_nan() { f64::INFINITY } else { self.held_speed.max(other.held_speed) };
        self.load = self.load.max(other.load);
    }
}

/// What is held of a contact: by default nothing, as of an open one.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Hold {
    /// The rows that are to be at rest.
    pub(super) rows: u8,
    /// Friction that slides, for each unit of the normal impulse [-].
    pub(super) drag: Vec3,
    /// The part of the velocity of the sliding rows that the normal row includes, for each unit of it [-]. With the
    /// associated law the impulse and the velocity that is to be at rest are along the same ray of the cone.
    pub(super) lift: Vec3,
    /// Torque that turns, for each unit of the normal impulse [m].
    pub(super) torque_drag: Vec3,
}

impl Hold {
    /// What is held of a contact whose bodies have these masses and velocities.
    pub(super) fn of(
        full: FullContact,
        friction: Friction,
        masses: [&MassInverse; 2],
        pair: [&Velocity; 2],
        lambda: &ImpulsiveWrench,
        edge: f64,
    ) -> (Self, Speeds) {
        let (contact, optional) = full;
        let ImpulsiveWrench { force, torque } = lambda;
        let measure = contact.measure(masses[0], masses[1], optional);
        let (w_n, w_t) = contact.defect(&contact.relative_velocity(pair[0], pair[1]), force, optional);
        // Written so that what is no number is open.
        let spin = optional.turning_defect(&(pair[1].angular - pair[0].angular), torque);
        let cone = contact.cone(optional, friction.dilation());
        let lift = if friction == Friction::Associated { lift(contact, &cone, &w_t, &spin) } else { 0.0 };
        let normal = force.normal - (w_n - lift) / measure.scale;
        let closes = measure.scale > 0.0 && normal > 0.0;
        if !closes {
            return Default::default();
        }
        let mut hold = Self { rows: NORMAL, ..Self::default() };
        let trial = force.tangential - w_t / measure.scale;
        let [n, t1, t2] = frame(contact);
        let mut tangents = HeldPart { hold: &mut hold.rows, drag: &mut hold.drag, edge };
        if friction == Friction::Box {
            tangents.bound_row(TANGENTS[0], &t1, &trial, contact.friction, normal);
            tangents.bound_row(TANGENTS[1], &t2, &trial, contact.friction, normal);
        } else {
            tangents.bound_disc(TANGENTS, &trial, contact.friction, normal);
        }
        if optional.resists_turning() {
            let trial = torque - spin * (measure.length * measure.length / measure.scale);
            let mut torques = HeldPart { hold: &mut hold.rows, drag: &mut hold.torque_drag, edge };
            if friction == Friction::Box {
                torques.bound_row(TORQUES[0], &t1, &trial, optional.rolling, normal);
                torques.bound_row(TORQUES[1], &t2, &trial, optional.rolling, normal);
            } else {
                let (_, rolling) = contact.split(&trial);
                torques.bound_disc([TORQUES[0], TORQUES[1]], &rolling, optional.rolling, normal);
            }
            torques.bound_row(TORQUES[2], &n, &trial, optional.twisting, normal);
        }
        hold.lift = friction.dilation() * hold.drag;
        let along = |bit: u8, axis: &Vec3, w: &Vec3| if hold.rows & bit == 0 { 0.0 } else { axis.dot(w).abs() };
        let slip = along(TANGENTS[0], &t1, &w_t).max(along(TANGENTS[1], &t2, &w_t));
        let turn = along(TORQUES[0], &t1, &spin).max(along(TORQUES[1], &t2, &spin)).max(along(TORQUES[2], &n, &spin));
        let held_speed = (w_n + hold.lift.dot(&w_t)).abs().max(slip).max(turn * measure.length);
        (hold, Speeds { held_speed, load: measure.scale * force.normal })
    }

    /// The impulse with what is not held at its bound.
    pub(super) fn bounded(&self, contact: &Contact, impulse: &ImpulsiveWrench) -> ImpulsiveWrench {
        if self.rows & NORMAL == 0 {
            return ImpulsiveWrench::ZERO;
        }
        let [n, t1, t2] = frame(contact);
        let held = |row: u8, axis: &Vec3, vector: &Vec3| {
            if self.rows & row == 0 { Vec3::zeros() } else { axis.dot(vector) * axis }
        };
        let ImpulsiveWrench { force: Impulse { normal, tangential }, torque } = impulse;
        let normal = normal.max(0.0);
        let tangential = held(TANGENTS[0], &t1, tangential) + held(TANGENTS[1], &t2, tangential);
        let torque = held(TORQUES[0], &t1, torque) + held(TORQUES[1], &t2, torque) + held(TORQUES[2], &n, torque);
        let force = Impulse::force(normal, tangential + normal * self.drag);
        ImpulsiveWrench { force, torque: torque + normal * self.torque_drag }
    }

    /// Whether friction sticks.
    pub(super) fn sticks(&self) -> bool {
        self.rows & TANGENTS[0] != 0
    }

    /// Whether something slides or turns, so that it has to follow the normal impulse.
    pub(super) fn drags(&self) -> bool {
        self.drag != Vec3::zeros() || self.torque_drag != Vec3::zeros()
    }
}

/// What a contact with these velocities gains along its normal by the law of its cone [m/s].
fn lift(contact: &Contact, cone: &Cone, w_t: &Vec3, spin: &Vec3) -> f64 {
    let (twisting, rolling) = contact.split(spin);
    cone.lift(&Parts { normal: 0.0, bounded: [*w_t, rolling, twisting] })
}

/// Friction, or the torques, while it is found out what of it is held.
struct HeldPart<'a> {
    hold: &'a mut u8,
    drag: &'a mut Vec3,
    edge: f64,
}

impl HeldPart<'_> {
    /// One row with the bounds `bound * normal` on either side.
    fn bound_row(&mut self, row: u8, axis: &Vec3, trial: &Vec3, bound: f64, normal: f64) {
        let along = axis.dot(trial);
        if bound > 0.0 && along.abs() <= self.edge * bound * normal {
            *self.hold |= row;
        } else {
            *self.drag += bound.copysign(along) * axis;
        }
    }

    /// Two rows with the one bound `bound * normal` on their length.
    fn bound_disc(&mut self, rows: [u8; 2], trial: &Vec3, bound: f64, normal: f64) {
        let length = length_of(trial);
        if bound > 0.0 && length <= self.edge * bound * normal {
            *self.hold |= rows[0] | rows[1];
        } else if length > 0.0 {
            *self.drag += (bound / length) * trial;
        }
    }
}

/// What is held of a scalar row: by default nothing, as of one that carries nothing.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct HoldRow {
    /// Whether it is to be at rest.
    pub(super) held: bool,
    /// The bound on which it is otherwise, before another row's impulse multiplies it.
    pub(super) bound: f64,
}

impl HoldRow {
    /// What is held of a row whose velocity is `w`, when another row's impulse multiplies the bounds by `scale`.
    pub(super) fn of(row: &Row, measure: &Measure, w: f64, lambda: f64, scale: f64) -> (Self, Speeds) {
        let block = measure.scale;
        let trial = lambda - w / block;
        // Written so that what is no number is not held.
        let inside = block > 0.0 && scale > 0.0 && row.lower * scale < trial && trial < row.upper * scale;
        let bound = if trial > 0.0 { row.upper } else { row.lower };
        Self::with(inside, bound, measure, [w, lambda])
    }

    /// What is held of one of the rows of a ball, which have these velocities and impulses.
    pub(super) fn of_ball(place: usize, bound: f64, measure: &Measure, w: &Vec3, lambda: &Vec3) -> (Self, Speeds) {
        let trial = lambda - w / measure.scale;
        let length = trial.norm();
        // As above.
        let inside = measure.scale > 0.0 && length < bound;
        Self::with(inside, trial[place] * (bound / length), measure, [w[place], lambda[place]])
    }

    fn with(inside: bool, bound: f64, measure: &Measure, [w, lambda]: [f64; 2]) -> (Self, Speeds) {
        let Measure { scale: block, length } = *measure;
        let hold = Self { held: inside, bound: if inside || !bound.is_finite() { 0.0 } else { bound } };
        let held_speed = if inside { (w * length).abs() } else { 0.0 };
        (hold, Speeds { held_speed, load: (block * lambda * length).abs() })
    }
}
