//! The position pass over central contacts.

use super::layout::CentralBatch;
use crate::math::lanes::{Lanes, Vec3s, Wide};
use crate::solver::gauss_seidel::wide::context::SweepContext;
use crate::solver::gauss_seidel::wide::lines::{self, Linear};

impl CentralBatch {
    /// Reads the bodies for the position pass, which does not turn them.
    #[inline(always)]
    fn linear<L: Lanes>(&self, context: SweepContext, first: usize) -> [Linear<L>; 2] {
        let [a, b] = &self.places;
        [Linear::gather(context.bodies, a, first), Linear::gather(context.bodies, b, first)]
    }

    /// Applies an impulse of the position pass to the displacements.
    #[inline(always)]
    fn add_displacement<L: Lanes>(
        &self,
        context: SweepContext,
        first: usize,
        [a, b]: [Linear<L>; 2],
        change: Vec3s<L>,
    ) {
        lines::add_linear(context.bodies, &self.places[0], first, -(change * a.inverse_mass));
        lines::add_linear(context.bodies, &self.places[1], first, change * b.inverse_mass);
    }

    /// Opens the contacts of some lanes; see [`Batch::push`](crate::solver::gauss_seidel::wide::batch::Batch::push).
    #[inline(always)]
    pub(super) fn open<L: Lanes>(
        &self,
        context: SweepContext,
        targets: &Wide,
        multipliers: &mut Wide,
        first: usize,
    ) -> L {
        let [a, b] = self.linear::<L>(context, first);
        let normal = Vec3s::load(&self.normal, first);
        let zero = L::splat(0.0);
        let inverse_mass = a.inverse_mass + b.inverse_mass;
        let along = normal.dot(b.linear - a.linear);
        let old = L::load(multipliers, first);
        let wanted = (old + (L::load(targets, first) - along) / inverse_mass).larger(zero);
        // what nothing moves stays where it is
        let next = L::pick(L::above(inverse_mass, zero), wanted, old);
        next.store(multipliers, first);
        let step = next - old;
        self.add_displacement(context, first, [a, b], normal * step);
        step.magnitude() * inverse_mass
    }

    /// Applies the present multipliers to the displacements.
    #[inline(always)]
    pub(super) fn displace<L: Lanes>(&self, context: SweepContext, multipliers: &Wide, first: usize) {
        let change = Vec3s::load(&self.normal, first) * L::load(multipliers, first);
        self.add_displacement(context, first, self.linear(context, first), change);
    }
}
