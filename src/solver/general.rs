//! Any contact: arms of any direction, any inertia, the full 3x3 block.
//!
//! The tangents are the axes in which the tangential block, reduced by the normal row, is diagonal, so that the exact
//! local solve of [`crate::solver::local`] needs no eigenvectors in the sweep.

use crate::math::lanes::Wide;
use crate::math::{Vec3, tangents};
use crate::solver::disc::{Axes, LOCKED, STIFF};
use crate::solver::local::Block;
use crate::solver::problem::{Contact, Impulse, MassInverse, Problem};
use crate::solver::wide::lines;

/// A general contact prepared for the sweep.
#[derive(Debug, Clone, Copy)]
pub(super) struct GeneralRow {
    /// Bodies of the problem; the fixed world goes to the resting row behind the last one.
    pub(super) body_a: u32,
    pub(super) body_b: u32,
    /// Its place in the problem.
    pub(super) contact: u32,
    normal: Vec3,
    t1: Vec3,
    t2: Vec3,
    arm_a: Vec3,
    arm_b: Vec3,
    /// `b_n`, `b_1`, `b_2`.
    bias: [f64; 3],
    /// `S_n`, `S_t`.
    compliance: [f64; 2],
    block: Block,
    /// `Wd_nn`, without compliance, for the position pass.
    normal_delassus: f64,
    friction: f64,
    /// Along `n`, `t1`, `t2`.
    pub(super) lambda: [f64; 3],
}

impl GeneralRow {
    /// The row of a contact. `resting` is the index of the row of the fixed world.
    pub(super) fn new(problem: &Problem, index: u32, contact: &Contact, resting: u32) -> Self {
        let (mass_a, mass_b) = (problem.mass(contact.body_a), problem.mass(contact.body_b));
        let delassus = contact.delassus_block(mass_a, mass_b);
        let (t1, t2, block) = diagonal_block(contact, &delassus.to_matrix());
        let surface = &contact.surface_velocity;
        Self {
            body_a: contact.body_a.min(resting),
            body_b: contact.body_b.min(resting),
            contact: index,
            normal: contact.normal,
            t1,
            t2,
            arm_a: contact.arm_a,
            arm_b: contact.arm_b,
            bias: [contact.normal_bias, -t1.dot(surface), -t2.dot(surface)],
            compliance: [contact.normal_compliance, contact.tangential_compliance],
            block,
            normal_delassus: contact.normal.dot(&delassus.times(&contact.normal)),
            friction: contact.friction,
            lambda: [0.0; 3],
        }
    }

    /// Whether the bodies cannot move apart: no impulse is given then, and the residual shows what that leaves.
    fn is_inert(&self) -> bool {
        self.block.normal == 0.0
    }

    /// The impulse on b.
    pub(super) fn impulse(&self) -> Impulse {
        let [normal, along_1, along_2] = self.lambda;
        Impulse::force(normal, along_1 * self.t1 + along_2 * self.t2)
    }

    #[inline(always)]
    fn apply(&self, masses: &[MassInverse], bodies: &mut [Wide], impulse: &Vec3) {
        let (a, b) = (self.body_a as usize, self.body_b as usize);
        lines::apply(&mut bodies[a], &masses[a], &-impulse, &impulse.cross(&self.arm_a));
        lines::apply(&mut bodies[b], &masses[b], impulse, &self.arm_b.cross(impulse));
    }

    /// Starts from `impulse`.
    pub(super) fn set(&mut self, impulse: &Impulse) {
        if !self.is_inert() {
            self.lambda = [impulse.normal, impulse.tangential.dot(&self.t1), impulse.tangential.dot(&self.t2)];
        }
    }

    /// Solves this contact alone and returns the square of its change in velocity [m^2/s^2].
    #[inline(always)]
    pub(super) fn relax(&mut self, masses: &[MassInverse], bodies: &mut [Wide], relaxation: f64) -> f64 {
        if self.is_inert() {
            return 0.0;
        }
        let [v_a, v_b] = [self.body_a, self.body_b].map(|body| lines::velocity(&bodies[body as usize]));
        let u = v_b.at(&self.arm_b) - v_a.at(&self.arm_a);
        let [old_n, old_1, old_2] = self.lambda;
        let w = [
            self.normal.dot(&u) + self.bias[0] + self.compliance[0] * old_n,
            self.t1.dot(&u) + self.bias[1] + self.compliance[1] * old_1,
            self.t2.dot(&u) + self.bias[2] + self.compliance[1] * old_2,
        ];

        // what w would be without this contact's own impulse
        let own = self.block.times(&self.lambda);
        let q = [w[0] - own[0], w[1] - own[1], w[2] - own[2]];
        let (exact, _) = self.block.solve(&q, self.friction);
        let next = if relaxation == 1.0 { exact } else { self.relaxed(&exact, relaxation) };

        let [d_n, d_1, d_2] = [next[0] - old_n, next[1] - old_1, next[2] - old_2];
        self.lambda = next;
        self.apply(masses, bodies, &(d_n * self.normal + d_1 * self.t1 + d_2 * self.t2));
        let scale = self.block.normal;
        (d_n * d_n + d_1 * d_1 + d_2 * d_2) * scale * scale
    }

    /// Part of the way to `exact` or beyond it, back on the cone.
    fn relaxed(&self, exact: &[f64; 3], relaxation: f64) -> [f64; 3] {
        let step = |k: usize| self.lambda[k] + relaxation * (exact[k] - self.lambda[k]);
        let normal = step(0).max(0.0);
        let (t1, t2) = (step(1), step(2));
        let (length, limit) = ((t1 * t1 + t2 * t2).sqrt(), self.friction * normal);
        let scale = if length > limit { limit / length } else { 1.0 };
        [normal, scale * t1, scale * t2]
    }

    /// Brings the displacement along the normal up to `target`, with the non-negative multiplier `multiplier`.
    /// Returns how far it moved [m].
    #[inline(always)]
    pub(super) fn push(
        &self,
        masses: &[MassInverse],
        displacements: &mut [Wide],
        target: f64,
        multiplier: &mut f64,
    ) -> f64 {
        let (a, b) = (self.body_a as usize, self.body_b as usize);
        let [x_a, x_b] = [a, b].map(|body| lines::velocity(&displacements[body]));
        let along = self.normal.dot(&(x_b.at(&self.arm_b) - x_a.at(&self.arm_a)));
        if self.is_inert() {
            return 0.0;
        }
        let next = (*multiplier + (target - along) / self.normal_delassus).max(0.0);
        let step = next - *multiplier;
        let change = step * self.normal;
        *multiplier = next;
        self.apply(masses, displacements, &change);
        step.abs() * self.normal_delassus
    }
}

/// Tangents that diagonalise the reduced tangential block, and the block in them.
fn diagonal_block(contact: &Contact, delassus: &crate::math::Mat3) -> (Vec3, Vec3, Block) {
    let n = &contact.normal;
    let (x, y) = tangents(n);
    let (s_n, s_t) = (contact.normal_compliance, contact.tangential_compliance);
    let along_n = delassus * n;
    let d_nn = n.dot(&along_n) + s_n;
    let (c_x, c_y) = (x.dot(&along_n), y.dot(&along_n));
    // Between bodies that only turn, D_NN can be zero while the tangents move: then there is no coupling either.
    let inverse = if d_nn > 0.0 { 1.0 / d_nn } else { 0.0 };
    let xx = x.dot(&(delassus * x)) + s_t - c_x * c_x * inverse;
    let yy = y.dot(&(delassus * y)) + s_t - c_y * c_y * inverse;
    let xy = x.dot(&(delassus * y)) - c_x * c_y * inverse;
    let (axes, [s1, s2]) = Axes::diagonal(xx, xy, yy);
    let [t1, t2] = axes.vectors(&x, &y);
    let coupling = axes.to([c_x, c_y]);
    let whole = d_nn + xx + yy + (c_x * c_x + c_y * c_y) * inverse;
    let tangential = [s1, s2].map(|s| if s > LOCKED * whole { s } else { STIFF * whole });
    // No impulse at all where the normal is locked: see `is_inert`.
    let normal = if d_nn > LOCKED * whole { d_nn } else { 0.0 };
    (t1, t2, Block { normal, coupling, tangential })
}
