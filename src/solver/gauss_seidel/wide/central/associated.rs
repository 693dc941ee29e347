//! The visit of central contacts by the associated law: all parts of a contact together, projected on its cone.
//!
//! The block is diagonal except for the coupling of friction and rolling. There it is replaced by a diagonal one above
//! it, `[[T, c], [c, R]] <= (1 + |c| / sqrt(T R)) diag(T, R)`. The projection in its metric lowers the energy, and is
//! exact without rolling.

use crate::math::lanes::{Lanes, Vec3s};
use crate::solver::gauss_seidel::local::inverse;
use crate::solver::gauss_seidel::wide::central::CentralBatch;
use crate::solver::gauss_seidel::wide::central::optional::{CentralTorques, Extra, bounded};
use crate::solver::gauss_seidel::wide::cone::{onto_cone, onto_whole_cone};
use crate::solver::gauss_seidel::wide::lines::{self, Bodies, SweepContext};

/// The impulses of some contacts and their changes.
struct Visited<L> {
    normal: Vec3s<L>,
    /// Normal impulse, and friction.
    lambda_n: L,
    lambda_t: Vec3s<L>,
    change_t: Vec3s<L>,
    /// Of the torque on b.
    turned: Vec3s<L>,
}

impl CentralBatch {
    /// Solves the contacts of some lanes; see [`SweepBatch::relax`](crate::solver::gauss_seidel::wide::SweepBatch::relax).
    #[inline(always)]
    pub(super) fn relax_associated<L: Lanes>(
        &mut self,
        a: &mut Bodies<L>,
        extra: Option<&Extra>,
        torques: Option<&mut CentralTorques>,
        context: SweepContext,
        first: usize,
    ) -> L {
        let zero = L::splat(0.0);
        let b = self.body_b::<L>(context, first);
        let [lever_a, lever_b] = self.levers::<L>(first);
        let old_n = L::load(&self.lambda_n, first);
        let torque_response = a.inverse_inertia + b.inverse_inertia;
        let visited = self.project([a, &b], extra, torques, context.relaxation, first);
        let Visited { normal, lambda_n, lambda_t, change_t, turned } = visited;
        lambda_n.store(&mut self.lambda_n, first);
        lambda_t.store(&mut self.lambda_t, first);
        let change = normal * (lambda_n - old_n) + change_t;
        let moment = normal.cross(change_t);
        let turn_a = -(moment * (lever_a * a.inverse_inertia)) - turned * a.inverse_inertia;
        let turn_b = -(moment * (lever_b * b.inverse_inertia)) + turned * b.inverse_inertia;
        let tangential_inverse = L::load(&self.tangential_inverse, first);
        let square = change.dot(change) / (tangential_inverse * tangential_inverse);
        let spun = turned.dot(turned) * torque_response / tangential_inverse;
        let changed = L::select(L::above(tangential_inverse, zero), square.larger(spun), zero);
        a.add([-(change * a.inverse_mass), turn_a]);
        lines::add(context.bodies, &self.places[1], first, [change * b.inverse_mass, turn_b]);
        changed
    }

    /// Projects the trial impulses on the cones, and stores the torques.
    #[inline(always)]
    fn project<L: Lanes>(
        &self,
        [a, b]: [&Bodies<L>; 2],
        extra: Option<&Extra>,
        torques: Option<&mut CentralTorques>,
        relaxation: f64,
        first: usize,
    ) -> Visited<L> {
        let (zero, normal) = (L::splat(0.0), Vec3s::load(&self.normal, first));
        let mut u = self.relative_velocity([a, b], first);
        if let Some(extra) = extra {
            u = extra.with_offset(u, first);
        }
        let u_n = normal.dot(u);
        let (old_n, old_t) = (L::load(&self.lambda_n, first), Vec3s::load(&self.lambda_t, first));
        let (mut w_n, mut w_t) = (u_n + L::load(&self.bias, first), u - normal * u_n);
        if let Some(extra) = extra {
            w_n = w_n + L::load(&extra.normal_compliance, first) * old_n;
            w_t = w_t + old_t * L::load(&extra.tangential_compliance, first);
        }
        let [friction, normal_inverse, tangential_inverse] =
            [&self.friction, &self.normal_inverse, &self.tangential_inverse].map(|numbers| L::load(numbers, first));
        let trial_n = old_n - normal_inverse * w_n;
        let mut visited =
            Visited { normal, lambda_n: trial_n, lambda_t: old_t, change_t: old_t, turned: normal * zero };
        let (factor_t, trial_t);
        match torques {
            None => {
                trial_t = old_t - w_t * tangential_inverse;
                let root = root_of(normal_inverse, tangential_inverse);
                (visited.lambda_n, factor_t) = onto_cone(friction * root, trial_n, trial_t.dot(trial_t).root() * root);
            }
            Some(torques) => {
                let [lever_a, lever_b] = self.levers::<L>(first);
                let seen = (lever_a * a.inverse_inertia - lever_b * b.inverse_inertia).magnitude();
                let [inverse_t, inverse_r] = torques.below(tangential_inverse, seen, first);
                trial_t = old_t - w_t * inverse_t;
                let root = root_of(normal_inverse, inverse_t);
                let trial = TurningTrial {
                    normal,
                    spin: torques.defect(b.angular - a.angular, normal, extra, first),
                    old_n,
                    trial_n,
                    normal_inverse,
                    inverse_r,
                    bound_t: friction * root,
                    length_t: trial_t.dot(trial_t).root() * root,
                    relaxation,
                };
                (visited.lambda_n, factor_t, visited.turned) = torques.project(&trial, first);
            }
        }
        if relaxation != 1.0 {
            visited.lambda_n = old_n + L::splat(relaxation) * (visited.lambda_n - old_n);
        }
        visited.lambda_n = visited.lambda_n.larger(zero);
        visited.lambda_t = bounded(old_t, trial_t * factor_t, friction * visited.lambda_n, relaxation);
        visited.change_t = visited.lambda_t - old_t;
        visited
    }
}

/// The trial of a contact that resists turning.
struct TurningTrial<L> {
    normal: Vec3s<L>,
    /// Of b relative to a, with what kinematic bodies and compliance add to it.
    spin: Vec3s<L>,
    /// The normal impulse before, and on trial.
    old_n: L,
    trial_n: L,
    normal_inverse: L,
    /// That of rolling.
    inverse_r: L,
    /// The bound of friction and its length on trial, in the metric of the normal.
    bound_t: L,
    length_t: L,
    relaxation: f64,
}

impl CentralTorques {
    /// Returns one over the diagonal that is above the block of friction and rolling, which see this much of each other.
    #[inline(always)]
    fn below<L: Lanes>(&self, tangential_inverse: L, seen: L, first: usize) -> [L; 2] {
        let (zero, one, turning) = (L::splat(0.0), L::splat(1.0), L::load(&self.inverse, first));
        let rolls = L::above(L::load(&self.rolling, first), zero);
        let less = one / (one + L::select(rolls, seen * (tangential_inverse * turning).root(), zero));
        [tangential_inverse * less, turning * less]
    }

    /// Projects contacts with rolling and twisting, and stores their torques. Returns the normal impulse before relaxation, the factor on
    /// friction, and the change of the torque on b.
    #[inline(always)]
    fn project<L: Lanes>(&mut self, trial: &TurningTrial<L>, first: usize) -> (L, L, Vec3s<L>) {
        let TurningTrial { normal, spin, old_n, trial_n, normal_inverse, inverse_r, relaxation, .. } = *trial;
        let (zero, inverse_tw) = (L::splat(0.0), L::load(&self.inverse, first));
        let about = normal.dot(spin);
        let (old, old_twist) = (Vec3s::load(&self.rolled, first), L::load(&self.twisted, first));
        let free = old - (spin - normal * about) * inverse_r;
        // see `CentralTorques::solve`
        let rolled = free - normal * normal.dot(free);
        let twisted = old_twist - about * inverse_tw;
        let (rolling, twisting) = (L::load(&self.rolling, first), L::load(&self.twisting, first));
        let (root_r, root_tw) = (root_of(normal_inverse, inverse_r), root_of(normal_inverse, inverse_tw));
        let bounds = [trial.bound_t, rolling * root_r, twisting * root_tw];
        let lengths = [trial.length_t, rolled.dot(rolled).root() * root_r, twisted.magnitude() * root_tw];
        let (onto, [factor_t, factor_r, factor_tw]) = onto_whole_cone(bounds, trial_n, lengths);
        let mut lambda_n = onto;
        if relaxation != 1.0 {
            lambda_n = old_n + L::splat(relaxation) * (onto - old_n);
        }
        let lambda_n = lambda_n.larger(zero);
        let next = bounded(old, rolled * factor_r, rolling * lambda_n, relaxation);
        let limit = twisting * lambda_n;
        let twist = old_twist + L::splat(relaxation) * (twisted * factor_tw - old_twist);
        let twist = twist.smaller(limit).larger(-limit);
        next.store(&mut self.rolled, first);
        twist.store(&mut self.twisted, first);
        (onto, factor_t, (next - old) + normal * (twist - old_twist))
    }
}

/// Returns the root of how much more a part responds than the normal; 0 where nothing responds, and such a part is left as it is.
#[inline(always)]
fn root_of<L: Lanes>(normal_inverse: L, inverse_part: L) -> L {
    (normal_inverse * inverse(inverse_part)).root()
}
