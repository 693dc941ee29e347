//! A contact whose normal passes through the centre of mass of every body that it moves, and whose bodies turn alike
//! about every axis: spheres on spheres, planes and fixed boxes.
//!
//! Its block is diagonal, one number for the normal and one for the whole tangent plane, so it needs neither tangents
//! nor arms: with arms `l_a n` and `-l_b n` the relative velocity is `u = v_b - v_a - (l_a w_a + l_b w_b) x n`, and
//! the exact local solve is a division and a clamp.

use crate::math::Vec3;
use crate::solver::problem::{Contact, Impulse, MassInverse, Problem, Velocity};

/// A central contact prepared for the sweep.
#[derive(Debug, Clone, Copy)]
pub(super) struct CentralRow {
    /// Rows of moving bodies; immovable ones go to the resting row behind the last body.
    pub(super) body_a: u32,
    pub(super) body_b: u32,
    /// Its place in the problem.
    pub(super) contact: u32,
    normal: Vec3,
    /// What immovable bodies and the conveyor add to `u`.
    offset: Vec3,
    normal_bias: f64,
    side_a: Side,
    side_b: Side,
    /// `1 / (Wd_nn + S_n)`.
    normal_inverse: f64,
    /// `1 / (Wd_tt + S_t)`.
    tangential_inverse: f64,
    normal_compliance: f64,
    tangential_compliance: f64,
    friction: f64,
    pub(super) lambda_n: f64,
    lambda_t: Vec3,
}

/// One body of a central contact.
#[derive(Debug, Clone, Copy)]
struct Side {
    /// `1/m`.
    inverse_mass: f64,
    /// Distance of the contact point from the centre of mass along the normal, outward.
    lever: f64,
    /// `lever / I`.
    turn: f64,
}

/// The relative deviation of an arm from the normal that is taken for round-off. An arm made as a multiple of the normal
/// deviates by a few 1e-16; one made as a difference of positions may deviate more and is then solved as a general
/// contact, which is slower and just as right.
const PARALLEL: f64 = 1e-14;

impl Side {
    const IMMOVABLE: Self = Self { inverse_mass: 0.0, lever: 0.0, turn: 0.0 };

    /// `outward` is the normal seen from this body.
    fn new(mass: &MassInverse, arm: &Vec3, outward: &Vec3) -> Option<Self> {
        if mass.is_immovable() {
            return Some(Self::IMMOVABLE);
        }
        let (inverse_mass, inverse_inertia) = mass.isotropic()?;
        let lever = arm.dot(outward);
        let parallel = (arm - lever * outward).norm() <= PARALLEL * lever.abs();
        parallel.then_some(Self { inverse_mass, lever, turn: lever * inverse_inertia })
    }

    fn tangential_delassus(&self) -> f64 {
        self.inverse_mass + self.lever * self.turn
    }
}

impl CentralRow {
    /// The row of a contact, or `None` where it is not central. `resting` is the index of the row of immovable bodies.
    pub(super) fn new(problem: &Problem, index: u32, contact: &Contact, resting: u32) -> Option<Self> {
        let (mass_a, mass_b) = (problem.mass(contact.body_a), problem.mass(contact.body_b));
        let side_a = Side::new(mass_a, &contact.arm_a, &contact.normal)?;
        let side_b = Side::new(mass_b, &contact.arm_b, &-contact.normal)?;
        let mut offset = -contact.surface_velocity;
        let mut body = |body: u32, mass: &MassInverse, arm: &Vec3, sign: f64| {
            if !mass.is_immovable() {
                return body;
            }
            offset += sign * problem.free_velocity(body).at(arm);
            resting
        };
        let body_a = body(contact.body_a, mass_a, &contact.arm_a, -1.0);
        let body_b = body(contact.body_b, mass_b, &contact.arm_b, 1.0);
        // The conveyor's velocity acts in the tangent plane alone.
        let bias = contact.normal_bias + contact.normal.dot(&contact.surface_velocity);
        let normal = side_a.inverse_mass + side_b.inverse_mass + contact.normal_compliance;
        let tangential = side_a.tangential_delassus() + side_b.tangential_delassus() + contact.tangential_compliance;
        Some(Self {
            body_a,
            body_b,
            contact: index,
            normal: contact.normal,
            offset,
            normal_bias: bias,
            side_a,
            side_b,
            normal_inverse: inverse(normal),
            tangential_inverse: inverse(tangential),
            normal_compliance: contact.normal_compliance,
            tangential_compliance: contact.tangential_compliance,
            friction: contact.friction,
            lambda_n: 0.0,
            lambda_t: Vec3::zeros(),
        })
    }

    /// Adds `impulse` to the velocities of both bodies.
    #[inline(always)]
    fn apply(&self, velocities: &mut [Velocity], impulse: &Vec3) {
        let moment = self.normal.cross(impulse);
        let a = &mut velocities[self.body_a as usize];
        a.linear -= self.side_a.inverse_mass * impulse;
        a.angular -= self.side_a.turn * moment;
        let b = &mut velocities[self.body_b as usize];
        b.linear += self.side_b.inverse_mass * impulse;
        b.angular -= self.side_b.turn * moment;
    }

    /// Starts from `impulse`.
    pub(super) fn set(&mut self, impulse: &Impulse) {
        (self.lambda_n, self.lambda_t) = (impulse.normal, impulse.tangential);
    }

    /// The impulse on b.
    pub(super) fn impulse(&self) -> Impulse {
        Impulse::force(self.lambda_n, self.lambda_t)
    }

    /// Solves this contact alone and returns the square of its change in velocity [m^2/s^2].
    #[inline(always)]
    pub(super) fn relax(&mut self, velocities: &mut [Velocity], relaxation: f64) -> f64 {
        let a = &velocities[self.body_a as usize];
        let b = &velocities[self.body_b as usize];
        let spin = self.side_a.lever * a.angular + self.side_b.lever * b.angular;
        let u = b.linear - a.linear - spin.cross(&self.normal) + self.offset;
        let (old_n, old_t) = (self.lambda_n, self.lambda_t);

        // the normal: a division and a clamp
        let u_n = self.normal.dot(&u);
        let w_n = u_n + self.normal_bias + self.normal_compliance * old_n;
        let exact = (old_n - self.normal_inverse * w_n).max(0.0);
        let normal = (old_n + relaxation * (exact - old_n)).max(0.0);

        // the tangent plane: sticking, brought back to the cone where it is outside
        let w_t = u - u_n * self.normal + self.tangential_compliance * old_t;
        let exact = old_t - self.tangential_inverse * w_t;
        let mut tangential = clamped(exact, self.friction * normal);
        if relaxation != 1.0 {
            tangential = clamped(old_t + relaxation * (tangential - old_t), self.friction * normal);
        }

        let normal_change = normal - old_n;
        let tangential_change = tangential - old_t;
        let change = normal_change * self.normal + tangential_change;
        (self.lambda_n, self.lambda_t) = (normal, tangential);
        self.apply(velocities, &change);
        change.norm_squared() / (self.tangential_inverse * self.tangential_inverse)
    }

    /// Brings the displacement along the normal up to `target`, with the non-negative multiplier `multiplier`.
    /// Returns how far it moved [m].
    #[inline(always)]
    pub(super) fn push(&self, displacements: &mut [Velocity], target: f64, multiplier: &mut f64) -> f64 {
        let along =
            self.normal.dot(&(displacements[self.body_b as usize].linear - displacements[self.body_a as usize].linear));
        let inverse_mass = self.side_a.inverse_mass + self.side_b.inverse_mass;
        if inverse_mass == 0.0 {
            return 0.0;
        }
        let next = (*multiplier + (target - along) / inverse_mass).max(0.0);
        let step = next - *multiplier;
        let change = step * self.normal;
        *multiplier = next;
        displacements[self.body_a as usize].linear -= self.side_a.inverse_mass * change;
        displacements[self.body_b as usize].linear += self.side_b.inverse_mass * change;
        step.abs() * inverse_mass
    }
}

fn inverse(value: f64) -> f64 {
    if value == 0.0 { 0.0 } else { 1.0 / value }
}

#[inline(always)]
fn clamped(tangential: Vec3, limit: f64) -> Vec3 {
    let square = tangential.norm_squared();
    if square > limit * limit { tangential * (limit / square.sqrt()) } else { tangential }
}
