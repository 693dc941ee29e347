//! The sweep over central contacts: the exact local solve, then rolling and twisting.

use super::layout::{CentralBatch, CentralTorques, Extra, with_kinematic_spin};
use crate::math::lanes::{Lanes, Vec3s};
use crate::solver::gauss_seidel::wide::context::SweepContext;
use crate::solver::gauss_seidel::wide::lines::{self, Bodies};

/// What rolling and twisting take from the solve of their contact.
struct Solved<L> {
    normal: Vec3s<L>,
    normal_impulse: L,
    relaxation: f64,
}

impl CentralBatch {
    /// Adds to the velocities and spins of the bodies.
    #[inline(always)]
    pub(super) fn add<L: Lanes>(
        &self,
        a: &mut Bodies<L>,
        context: SweepContext,
        first: usize,
        linear: [Vec3s<L>; 2],
        angular: [Vec3s<L>; 2],
    ) {
        a.add([linear[0], angular[0]]);
        lines::add(context.bodies, &self.places[1], first, [linear[1], angular[1]]);
    }

    /// Solves the contacts of some lanes; see [`Batch::relax`](crate::solver::gauss_seidel::wide::batch::Batch::relax).
    #[inline(always)]
    pub(super) fn solve<L: Lanes, const MEASURED: bool>(
        &mut self,
        a: &mut Bodies<L>,
        extra: Option<&Extra>,
        torques: Option<&mut CentralTorques>,
        context: SweepContext,
        first: usize,
    ) -> L {
        let (zero, relaxation) = (L::splat(0.0), context.relaxation);
        let b = self.body_b::<L>(context, first);
        let normal = Vec3s::load(&self.normal, first);
        let [lever_a, lever_b] = self.levers::<L>(first);
        let mut u = self.relative_velocity([a, &b], first);
        if let Some(extra) = extra {
            u = u + extra.offset(first);
        }
        let u_n = normal.dot(u);
        let old_n = L::load(&self.lambda_n, first);
        let lambda_n = self.solve_normal(u_n, old_n, extra, relaxation, first);

        // the tangent plane: sticking, brought back to the cone where it is outside
        let old_t = Vec3s::load(&self.lambda_t, first);
        let mut w_t = u - normal * u_n;
        if let Some(extra) = extra {
            w_t = w_t + old_t * L::load(&extra.tangential_compliance, first);
        }
        let tangential_inverse = L::load(&self.tangential_inverse, first);
        let limit = L::load(&self.friction, first) * lambda_n;
        let lambda_t = bounded(old_t, old_t - w_t * tangential_inverse, limit, relaxation);

        let change_t = lambda_t - old_t;
        let change = normal * (lambda_n - old_n) + change_t;
        let moment = normal.cross(change_t);
        lambda_n.store(&mut self.lambda_n, first);
        lambda_t.store(&mut self.lambda_t, first);
        let mut turns = [-(moment * (lever_a * a.inverse_inertia)), -(moment * (lever_b * b.inverse_inertia))];
        let mut changed = zero;
        if MEASURED {
            let responds = L::above(tangential_inverse, zero);
            let square = change.dot(change) / (tangential_inverse * tangential_inverse);
            changed = L::pick(responds, square, zero);
        }
        if let Some(torques) = torques {
            let solved = Solved { normal, normal_impulse: lambda_n, relaxation };
            let turned = torques.solve::<L, MEASURED>(extra, [a, &b], &mut turns, &solved, first);
            changed = turned.larger(changed);
        }
        self.add(a, context, first, [-(change * a.inverse_mass), change * b.inverse_mass], turns);
        changed
    }

    /// Returns the normal impulse: a division and a clamp.
    #[inline(always)]
    fn solve_normal<L: Lanes>(&self, u_n: L, old: L, extra: Option<&Extra>, relaxation: f64, first: usize) -> L {
        let zero = L::splat(0.0);
        let mut w_n = u_n + L::load(&self.bias, first);
        if let Some(extra) = extra {
            w_n = w_n + L::load(&extra.normal_compliance, first) * old;
        }
        let mut impulse = (old - L::load(&self.normal_inverse, first) * w_n).larger(zero);
        if relaxation != 1.0 {
            impulse = (old + L::splat(relaxation) * (impulse - old)).larger(zero);
        }
        impulse
    }
}

impl CentralTorques {
    /// Solves rolling, then twisting, within the bounds that the normal impulse sets. Adds to the `turns` of the bodies;
    /// returns the squares of the changes.
    #[inline(always)]
    fn solve<L: Lanes, const MEASURED: bool>(
        &mut self,
        extra: Option<&Extra>,
        [a, b]: [&Bodies<L>; 2],
        turns: &mut [Vec3s<L>; 2],
        solved: &Solved<L>,
        first: usize,
    ) -> L {
        let Solved { normal, normal_impulse, relaxation } = *solved;
        let spin = with_kinematic_spin((b.angular + turns[1]) - (a.angular + turns[0]), extra, first);
        let along = normal.dot(spin);
        let inverse = L::load(&self.inverse, first);
        let old = Vec3s::load(&self.rolled, first);
        let limit = L::load(&self.rolling, first) * normal_impulse;
        // A normal is unit but for round-off. Where a body keeps spinning about it, part of that would remain in the rolling
        // torque and accumulate sweep by sweep.
        let free = old - (spin - normal * along) * inverse;
        let rolled = bounded(old, free - normal * normal.dot(free), limit, relaxation);
        rolled.store(&mut self.rolled, first);

        // rolling in the tangent plane does not change the spin along the normal
        let limit = L::load(&self.twisting, first) * normal_impulse;
        let old_twist = L::load(&self.twisted, first);
        let twisted = (old_twist - L::splat(relaxation) * along * inverse).smaller(limit).larger(-limit);
        twisted.store(&mut self.twisted, first);

        let change = (rolled - old) + normal * (twisted - old_twist);
        *turns = [turns[0] - change * a.inverse_inertia, turns[1] + change * b.inverse_inertia];
        if !MEASURED {
            return L::splat(0.0);
        }
        let response = change * ((a.inverse_inertia + b.inverse_inertia) * L::load(&self.length, first));
        response.dot(response)
    }
}

/// Returns the impulse `free`, relaxed from `old`, within `limit`.
#[inline(always)]
fn bounded<L: Lanes>(old: Vec3s<L>, free: Vec3s<L>, limit: L, relaxation: f64) -> Vec3s<L> {
    let mut impulse = clamped(free, limit);
    if relaxation != 1.0 {
        impulse = clamped(old + (impulse - old) * L::splat(relaxation), limit);
    }
    impulse
}

/// Returns a vector scaled to the length `limit` where it is longer.
#[inline(always)]
fn clamped<L: Lanes>(vector: Vec3s<L>, limit: L) -> Vec3s<L> {
    let square = vector.dot(vector);
    let outside = L::above(square, limit * limit);
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    // Most contacts stick or carry nothing. The chain from one batch to the next is then shorter by a root and a division.
    let scale = if L::any(L::both(outside, L::above(limit, zero))) { limit / square.root() } else { limit };
    let scale = L::pick(outside, scale, one);
    vector * scale
}
