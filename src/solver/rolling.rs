//! The rolling and twisting resistance of a contact prepared for the sweep, visited after the contact itself.
//!
//! The torque of rolling lies in a disc, that of twisting in an interval; both are bounded by the contact's normal impulse
//! ([W] section 2, with the lengths `mu_r r*` and `mu_tw r*`).

use crate::math::lanes::Wide;
use crate::math::{Vec3, tangents};
use crate::solver::disc::{self, Disc};
use crate::solver::problem::{Contact, MassInverse, Problem};
use crate::solver::wide::lines;

/// The torque rows of a contact.
#[derive(Debug, Clone, Copy)]
pub(super) struct RollingRow {
    /// Bodies of the problem; the fixed world goes to the resting row behind the last one.
    body_a: u32,
    body_b: u32,
    /// The visit of the contact's own row.
    pub(super) owner: u32,
    normal: Vec3,
    t1: Vec3,
    t2: Vec3,
    /// The block of rolling about `t1` and `t2`; none where the bodies do not turn about either.
    disc: Option<Disc>,
    /// The diagonal entry of twisting [1/(kg m^2)].
    twisting_block: f64,
    rolling: f64,
    twisting: f64,
    /// Along `t1`, `t2` and the normal [N m s].
    lambda: [f64; 3],
    /// The distance at which a torque counts as a force [m].
    length: f64,
}

impl RollingRow {
    /// The row of a contact that resists turning, or `None`.
    pub(super) fn new(problem: &Problem, contact: &Contact, owner: u32) -> Option<Self> {
        let (mass_a, mass_b) = (problem.mass(contact.body_a), problem.mass(contact.body_b));
        let turns = mass_a.angular.trace() + mass_b.angular.trace() > 0.0;
        if !contact.cone().resists_turning() || !turns {
            return None;
        }
        let (x, y) = tangents(&contact.normal);
        let respond = |axis: &Vec3| mass_a.angular.times(axis) + mass_b.angular.times(axis);
        let (along_x, along_y) = (respond(&x), respond(&y));
        let resting = problem.masses.len() as u32;
        Some(Self {
            body_a: contact.body_a.min(resting),
            body_b: contact.body_b.min(resting),
            owner,
            normal: contact.normal,
            t1: x,
            t2: y,
            disc: Disc::new(x.dot(&along_x), x.dot(&along_y), y.dot(&along_y)),
            twisting_block: contact.normal.dot(&respond(&contact.normal)),
            rolling: contact.rolling,
            twisting: contact.twisting,
            lambda: [0.0; 3],
            length: contact.measure(mass_a, mass_b).length,
        })
    }

    /// The torque impulse on b.
    pub(super) fn torque(&self) -> Vec3 {
        let [r1, r2, twist] = self.lambda;
        r1 * self.t1 + r2 * self.t2 + twist * self.normal
    }

    #[inline(always)]
    fn apply(&self, masses: &[MassInverse], bodies: &mut [Wide], torque: &Vec3) {
        for (body, sign) in [(self.body_a as usize, -1.0), (self.body_b as usize, 1.0)] {
            lines::apply(&mut bodies[body], &masses[body], &Vec3::zeros(), &(sign * torque));
        }
    }

    #[inline(always)]
    fn spin(&self, bodies: &[Wide]) -> Vec3 {
        let [a, b] = [self.body_a, self.body_b].map(|body| lines::velocity(&bodies[body as usize]).angular);
        b - a
    }

    /// Starts from `torque`.
    pub(super) fn set(&mut self, torque: &Vec3) {
        self.lambda = [torque.dot(&self.t1), torque.dot(&self.t2), torque.dot(&self.normal)];
    }

    /// Solves rolling, then twisting, within the bounds that the contact's `normal` impulse sets, and returns the square of
    /// the change in velocity [m^2/s^2].
    #[inline(always)]
    pub(super) fn relax(&mut self, masses: &[MassInverse], bodies: &mut [Wide], normal: f64, relaxation: f64) -> f64 {
        let spin = self.spin(bodies);
        let [old_1, old_2, old_twist] = self.lambda;
        let mut rolled = [0.0; 2];
        if let Some(disc) = &self.disc {
            let radius = self.rolling * normal;
            let exact = disc.solve([self.t1.dot(&spin), self.t2.dot(&spin)], [old_1, old_2], radius);
            let mix = |old: f64, exact: f64| old + relaxation * (exact - old);
            rolled = disc::clamped([mix(old_1, exact[0]), mix(old_2, exact[1])], radius);
        }
        let change = (rolled[0] - old_1) * self.t1 + (rolled[1] - old_2) * self.t2;
        self.apply(masses, bodies, &change);

        let limit = self.twisting * normal;
        let spin = self.spin(bodies);
        let step = if self.twisting_block > 0.0 { self.normal.dot(&spin) / self.twisting_block } else { 0.0 };
        let twist = (old_twist - relaxation * step).min(limit).max(-limit);
        let turn = (twist - old_twist) * self.normal;
        self.apply(masses, bodies, &turn);
        self.lambda = [rolled[0], rolled[1], twist];
        let turned = change + turn;
        let (a, b) = (self.body_a as usize, self.body_b as usize);
        let answer = masses[a].angular.times(&turned) + masses[b].angular.times(&turned);
        answer.norm_squared() * self.length * self.length
    }
}
