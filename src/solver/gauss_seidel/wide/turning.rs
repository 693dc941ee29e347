//! Rolling and twisting of eight general contacts, visited after their friction while the bodies are at hand.
//!
//! The torque of rolling lies in a disc, that of twisting in an interval. Both are bounded by the normal impulse of the
//! contact ([W] section 2, with the lengths `mu_r r*` and `mu_tw r*`). The axes of rolling diagonalise its block; the
//! second one is `n x t1` with the normal `n` of the contact.

use crate::math::lanes::{Lanes, Vec3s, Wide};
use crate::math::{Vec3, tangents};
use crate::solver::gauss_seidel::disc::{self, Disc};
use crate::solver::gauss_seidel::local::{Local, inverse};
use crate::solver::gauss_seidel::wide::cone::onto_whole_cone;
use crate::solver::gauss_seidel::wide::lines::{loaded, read, write};
use crate::solver::gauss_seidel::wide::masses::{InverseMass, Side};
use crate::solver::problem::{FullContact, Problem};

const ZERO: Wide = Wide::splat(0.0);

/// The torque rows of a batch of contacts; a lane that resists no turning is all zero.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(in crate::solver) struct TorqueBatch {
    t1: [Wide; 3],
    /// The block of rolling about `t1` and `t2`, and its inverse.
    diagonal: [Wide; 2],
    diagonal_inverse: [Wide; 2],
    /// Bound of rolling over the normal impulse; 0 where the bodies do not turn about either axis [m].
    rolling: Wide,
    /// The same of twisting.
    twisting: Wide,
    /// One over the block of twisting; 0 where nothing twists.
    twisting_inverse: Wide,
    /// See [`OptionalTerms::turning_compliance`](crate::solver::OptionalTerms::turning_compliance).
    compliance: Wide,
    /// Along `t1`, `t2` and the normal [N m s].
    lambda: [Wide; 3],
    /// The distance at which a torque counts as a force [m]; 0 where nothing resists.
    length: Wide,
}

impl TorqueBatch {
    /// Rows that resist nothing.
    pub(super) const NONE: Self = Self {
        t1: [ZERO; 3],
        diagonal: [ZERO; 2],
        diagonal_inverse: [ZERO; 2],
        rolling: ZERO,
        twisting: ZERO,
        twisting_inverse: ZERO,
        compliance: ZERO,
        lambda: [ZERO; 3],
        length: ZERO,
    };

    /// Writes the torques of a contact into an empty lane, which stays empty where nothing resists or neither body turns.
    pub(super) fn write(&mut self, lane: usize, problem: &Problem, (contact, optional): FullContact) {
        let (mass_a, mass_b) = (problem.mass(contact.body_a), problem.mass(contact.body_b));
        let turns = mass_a.angular.trace() + mass_b.angular.trace() > 0.0;
        if !optional.resists_turning() || !turns {
            return;
        }
        let respond = |axis: &Vec3| mass_a.angular.times(axis) + mass_b.angular.times(axis);
        let (t1, t2) = tangents(&contact.normal);
        let (along_1, along_2) = (respond(&t1), respond(&t2));
        let soft = optional.turning_compliance;
        let (rolling, t1, diagonal) = match Disc::new(t1.dot(&along_1), t1.dot(&along_2), t2.dot(&along_2)) {
            Some(disc) => {
                let (t1, diagonal) = disc.in_axes(t1, t2);
                (optional.rolling, t1, diagonal.map(|value| value + soft))
            }
            None => (0.0, t1, [1.0; 2]),
        };
        let twisting_block = contact.normal.dot(&respond(&contact.normal));
        write(&mut self.t1, lane, t1.into());
        write(&mut self.diagonal, lane, diagonal);
        write(&mut self.diagonal_inverse, lane, diagonal.map(|value| 1.0 / value));
        write(&mut self.lambda, lane, [0.0; 3]);
        self.rolling.0[lane] = rolling;
        self.twisting.0[lane] = optional.twisting;
        self.twisting_inverse.0[lane] = if twisting_block > 0.0 { inverse(twisting_block + soft) } else { 0.0 };
        self.compliance.0[lane] = soft;
        self.length.0[lane] = contact.measure(mass_a, mass_b, optional).length;
    }

    fn tangents(&self, lane: usize, normal: &Vec3) -> [Vec3; 2] {
        let t1 = Vec3::from(read(&self.t1, lane));
        [t1, normal.cross(&t1)]
    }

    /// Starts a lane from `torque`, and from none where nothing resists; `normal` is that of its contact.
    pub(super) fn set(&mut self, lane: usize, normal: &Vec3, torque: &Vec3) {
        let [t1, t2] = self.tangents(lane, normal);
        let lambda = [torque.dot(&t1), torque.dot(&t2), torque.dot(normal)];
        write(&mut self.lambda, lane, if self.length.0[lane] > 0.0 { lambda } else { [0.0; 3] });
    }

    /// Returns the torque impulse of a lane on its body b.
    pub(super) fn torque(&self, lane: usize, normal: &Vec3) -> Vec3 {
        let ([t1, t2], [r1, r2, twist]) = (self.tangents(lane, normal), read(&self.lambda, lane));
        r1 * t1 + r2 * t2 + twist * normal
    }

    /// Solves rolling, then twisting, within the bounds that the normal impulses set, and returns the squares of the changes
    /// in velocity [m^2/s^2], or zero where it is not `MEASURED`.
    #[inline(always)]
    pub(super) fn relax<L: Lanes, M: InverseMass<L>, const MEASURED: bool>(
        &mut self,
        [a, b]: &mut [Side<L, M>; 2],
        normal: Vec3s<L>,
        normal_impulse: L,
        first: usize,
        relaxation: f64,
    ) -> L {
        let t1 = Vec3s::load(&self.t1, first);
        let t2 = normal.cross(t1);
        let [old_1, old_2, old_twist] = loaded(&self.lambda, first);
        let rows =
            disc::Rows { diagonal: loaded(&self.diagonal, first), inverse: loaded(&self.diagonal_inverse, first) };
        let radius = L::load(&self.rolling, first) * normal_impulse;
        let (spin, soft) = (b.spin() - a.spin(), L::load(&self.compliance, first));
        let w = [t1.dot(spin) + soft * old_1, t2.dot(spin) + soft * old_2];
        let mut rolled = rows.solve(w, [old_1, old_2], radius);
        let part = L::splat(relaxation);
        if relaxation != 1.0 {
            let mixed = [old_1 + part * (rolled[0] - old_1), old_2 + part * (rolled[1] - old_2)];
            rolled = disc::clamped(mixed, radius);
        }
        let change = t1 * (rolled[0] - old_1) + t2 * (rolled[1] - old_2);
        let rolled_response = turn(a, b, change);

        let limit = L::load(&self.twisting, first) * normal_impulse;
        let w = normal.dot(b.spin() - a.spin()) + soft * old_twist;
        let step = w * L::load(&self.twisting_inverse, first);
        let twist = (old_twist - part * step).smaller(limit).larger(-limit);
        let twisted_response = turn(a, b, normal * (twist - old_twist));
        rolled[0].store(&mut self.lambda[0], first);
        rolled[1].store(&mut self.lambda[1], first);
        twist.store(&mut self.lambda[2], first);
        if !MEASURED {
            return L::splat(0.0);
        }
        let (response, length) = (rolled_response + twisted_response, L::load(&self.length, first));
        response.dot(response) * (length * length)
    }

    /// By the associated law: where a contact resists turning, sets its force and torques to those that its trial is projected to. Sets the
    /// torques of all lanes, and returns their change on bodies b.
    ///
    /// The block of a contact is at most three times the blocks of force, rolling and twisting, and that of the force at most
    /// `diag(D_NN (1 + |k|), S + D_NN |k| (1 + |k|))`. The projection in the metric of these bounds lowers the energy.
    #[inline(always)]
    pub(super) fn project<L: Lanes>(
        &mut self,
        trial: &JointTrial<L>,
        force: &mut [L; 3],
        normal: Vec3s<L>,
        spin: Vec3s<L>,
        first: usize,
    ) -> Vec3s<L> {
        let zero = L::splat(0.0);
        let JointTrial { local, w, old, friction, relaxation } = *trial;
        let t1 = Vec3s::load(&self.t1, first);
        let t2 = normal.cross(t1);
        let ([old_1, old_2, old_twist], part) = (loaded::<L, 3>(&self.lambda, first), L::splat(relaxation));
        let [d1, d2]: [L; 2] = loaded(&self.diagonal, first);
        let (rolling, twisting) = (L::load(&self.rolling, first), L::load(&self.twisting, first));
        let [per_normal, per_friction] = per_force(local);
        let per_rolling = inverse(L::splat(3.0) * d1.larger(d2));
        let per_twist = L::load(&self.twisting_inverse, first) * L::splat(1.0 / 3.0);
        let [root_t, root_r, root_tw] =
            [per_friction, per_rolling, per_twist].map(|per| (per_normal * inverse(per)).root());

        let trial_n = old[0] - w[0] * per_normal;
        let trial_t = [old[1] - w[1] * per_friction, old[2] - w[2] * per_friction];
        let spin = spin + self.torques(normal, first) * L::load(&self.compliance, first);
        let trial_r = [old_1 - t1.dot(spin) * per_rolling, old_2 - t2.dot(spin) * per_rolling];
        let trial_tw = old_twist - normal.dot(spin) * per_twist;
        let bounds = [friction * root_t, rolling * root_r, twisting * root_tw];
        let lengths = [length(trial_t) * root_t, length(trial_r) * root_r, trial_tw.magnitude() * root_tw];
        let (onto, [factor_t, factor_r, factor_tw]) = onto_whole_cone(bounds, trial_n, lengths);
        let tangential = disc::clamped([factor_t * trial_t[0], factor_t * trial_t[1]], friction * onto);
        let joint = [onto, tangential[0], tangential[1]];
        let resists = L::above(rolling.larger(twisting), zero);
        let responds = L::both(resists, L::above(local.inverse, zero));
        *force = [0, 1, 2].map(|k: usize| L::select(responds, joint[k], force[k]));

        let normal_impulse = (old[0] + part * (onto - old[0])).larger(zero);
        let mixed = |old: L, next: L| old + part * (next - old);
        let rolled = [mixed(old_1, factor_r * trial_r[0]), mixed(old_2, factor_r * trial_r[1])];
        let rolled = disc::clamped(rolled, rolling * normal_impulse);
        let limit = twisting * normal_impulse;
        let twist = mixed(old_twist, factor_tw * trial_tw).smaller(limit).larger(-limit);
        let next = [rolled[0], rolled[1], twist].map(|torque| L::select(responds, torque, zero));
        next[0].store(&mut self.lambda[0], first);
        next[1].store(&mut self.lambda[1], first);
        next[2].store(&mut self.lambda[2], first);
        t1 * (next[0] - old_1) + t2 * (next[1] - old_2) + normal * (next[2] - old_twist)
    }

    /// Returns the square of the change in velocity by a change of the spin [m^2/s^2].
    #[inline(always)]
    pub(super) fn square_of<L: Lanes>(&self, response: Vec3s<L>, first: usize) -> L {
        let length = L::load(&self.length, first);
        response.dot(response) * (length * length)
    }

    /// Returns the present torques on bodies b.
    #[inline(always)]
    pub(super) fn torques<L: Lanes>(&self, normal: Vec3s<L>, first: usize) -> Vec3s<L> {
        let t1 = Vec3s::load(&self.t1, first);
        let [along_1, along_2, twist]: [L; 3] = loaded(&self.lambda, first);
        t1 * along_1 + normal.cross(t1) * along_2 + normal * twist
    }

    /// Applies the present torques to the bodies.
    #[inline(always)]
    pub(super) fn apply<L: Lanes, M: InverseMass<L>>(
        &self,
        [a, b]: &mut [Side<L, M>; 2],
        normal: Vec3s<L>,
        first: usize,
    ) {
        turn(a, b, self.torques(normal, first));
    }
}

/// What the associated law takes from a contact for its joint projection: the velocity `w` with the force `old`, along its axes.
pub(super) struct JointTrial<'a, L> {
    pub(super) local: &'a Local<L>,
    pub(super) w: [L; 3],
    pub(super) old: [L; 3],
    pub(super) friction: L,
    pub(super) relaxation: f64,
}

/// Returns one over the bounds of three times the block of the force: along the normal, and along the tangents. Locked tangents, whose block is
/// as stiff as none is, do not count.
#[inline(always)]
fn per_force<L: Lanes>(local: &Local<L>) -> [L; 2] {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let ([k1, k2], [s1, s2]) = (local.carried, local.tangential);
    let (coupling, block) = (length([k1, k2]), inverse(local.inverse));
    let locked = L::splat(1e-3 * disc::STIFF) * block;
    let stiff = |s: L| L::select(L::above(locked, s), s, zero);
    let tangential = stiff(s1).larger(stiff(s2)) + block * coupling * (one + coupling);
    [local.inverse / (L::splat(3.0) * (one + coupling)), inverse(L::splat(3.0) * tangential)]
}

/// Returns the length of a vector in the tangent plane.
#[inline(always)]
fn length<L: Lanes>([x, y]: [L; 2]) -> L {
    (x * x + y * y).root()
}

/// Applies a torque to b, and its opposite to a; returns the change of their relative spin.
#[inline(always)]
pub(super) fn turn<L: Lanes, M: InverseMass<L>>(a: &mut Side<L, M>, b: &mut Side<L, M>, torque: Vec3s<L>) -> Vec3s<L> {
    b.turn(torque) - a.turn(-torque)
}
