//! The sweep over general contacts: the exact local solve, then rolling and twisting.

use super::layout::{GeneralBatch, GeneralExtra};
use crate::math::lanes::{Lanes, Vec3s};
use crate::solver::gauss_seidel::disc;
use crate::solver::gauss_seidel::local::Local;
use crate::solver::gauss_seidel::wide::context::SweepContext;
use crate::solver::gauss_seidel::wide::lines::{Bodies, loaded};
use crate::solver::gauss_seidel::wide::masses::MassSource;
use crate::solver::gauss_seidel::wide::turning::TorqueBatch;

impl GeneralBatch {
    #[inline(always)]
    fn local<L: Lanes>(&self, first: usize) -> Local<L> {
        let tangential: [L; 2] = loaded(&self.tangential, first);
        // In a lane without a contact this is NaN, and selected nowhere.
        let tangential_inverse = [L::splat(1.0) / tangential[0], L::splat(1.0) / tangential[1]];
        let (inverse, carried) = (L::load(&self.inverse, first), loaded(&self.carried, first));
        Local { inverse, carried, tangential, tangential_inverse }
    }

    /// Solves the contacts of some lanes; see [`Batch::relax`](crate::solver::gauss_seidel::wide::batch::Batch::relax).
    #[inline(always)]
    pub(super) fn solve<L: Lanes, M: MassSource, const MEASURED: bool>(
        &mut self,
        a: &mut Bodies<L>,
        extra: Option<&GeneralExtra>,
        torques: Option<&mut TorqueBatch>,
        context: SweepContext,
        first: usize,
    ) -> L {
        let relaxation = context.relaxation;
        let bodies = [*a, Bodies::gather(context.bodies, &self.b, first)];
        let (normal, t1) = (Vec3s::load(&self.normal, first), Vec3s::load(&self.t1, first));
        let (arm_a, arm_b) = (Vec3s::load(&self.arm_a, first), Vec3s::load(&self.arm_b, first));
        let t2 = normal.cross(t1);
        let u = bodies[1].at(arm_b) - bodies[0].at(arm_a);
        let old: [L; 3] = loaded(&self.lambda, first);
        let mut w = [normal.dot(u) + L::load(&self.bias, first), t1.dot(u), t2.dot(u)];
        if let Some(extra) = extra {
            let surface = Vec3s::load(&extra.surface_velocity, first);
            let [soft_n, soft_t]: [L; 2] = loaded(&extra.compliance, first);
            w[0] = w[0] + soft_n * old[0];
            w[1] = w[1] + (soft_t * old[1] - t1.dot(surface));
            w[2] = w[2] + (soft_t * old[2] - t2.dot(surface));
        }
        let friction = L::load(&self.friction, first);
        let exact = self.local(first).solve(w, old, friction).impulse;
        let next = if relaxation == 1.0 { exact } else { relaxed(old, exact, friction, L::splat(relaxation)) };
        next[0].store(&mut self.lambda[0], first);
        next[1].store(&mut self.lambda[1], first);
        next[2].store(&mut self.lambda[2], first);

        let (d_n, d_1, d_2) = (next[0] - old[0], next[1] - old[1], next[2] - old[2]);
        let impulse = normal * d_n + t1 * d_1 + t2 * d_2;
        let mut sides = self.pushed::<L, M>(bodies, impulse, context, first);
        let mut change = L::splat(0.0);
        if MEASURED {
            let (square, inverse) = (d_n * d_n + d_1 * d_1 + d_2 * d_2, L::load(&self.inverse, first));
            change = L::pick(L::above(inverse, change), square / (inverse * inverse), change);
        }
        if let Some(torques) = torques {
            let turned = torques.relax::<L, M::Mass<L>, MEASURED>(&mut sides, normal, next[0], first, relaxation);
            if MEASURED {
                change = turned.larger(change);
            }
        }
        self.store(a, sides, context, first);
        change
    }
}

/// Returns the impulse part of the way from `old` to `exact` or beyond it, back on the cone.
#[inline(always)]
fn relaxed<L: Lanes>(old: [L; 3], exact: [L; 3], friction: L, relaxation: L) -> [L; 3] {
    let normal = (old[0] + relaxation * (exact[0] - old[0])).larger(L::splat(0.0));
    let along_1 = old[1] + relaxation * (exact[1] - old[1]);
    let along_2 = old[2] + relaxation * (exact[2] - old[2]);
    let [t1, t2] = disc::clamped([along_1, along_2], friction * normal);
    [normal, t1, t2]
}
