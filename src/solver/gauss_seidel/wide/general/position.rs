//! The position pass over general contacts.

use super::layout::GeneralBatch;
use crate::math::lanes::{Lanes, Vec3s, Wide};
use crate::solver::gauss_seidel::wide::context::SweepContext;
use crate::solver::gauss_seidel::wide::lines;
use crate::solver::gauss_seidel::wide::masses::{InverseMass, MassSource};

impl GeneralBatch {
    /// Opens the contacts of some lanes; see [`Batch::push`](crate::solver::gauss_seidel::wide::batch::Batch::push).
    #[inline(always)]
    pub(super) fn open<L: Lanes, M: MassSource>(
        &self,
        context: SweepContext,
        targets: &Wide,
        multipliers: &mut Wide,
        first: usize,
    ) -> L {
        let [a, b] = self.bodies::<L>(context, first);
        let [mass_a, mass_b] = self.masses::<L, M>([&a, &b], context, first);
        let normal = Vec3s::load(&self.normal, first);
        let moment_a = Vec3s::load(&self.arm_a, first).cross(normal);
        let moment_b = Vec3s::load(&self.arm_b, first).cross(normal);
        let along = normal.dot(b.linear - a.linear) + (moment_b.dot(b.angular) - moment_a.dot(a.angular));
        let ([shift_a, turn_a], [shift_b, turn_b]) =
            (mass_a.responses(normal, moment_a), mass_b.responses(normal, moment_b));
        // `D_nn` without compliance; nothing is moved where the contact takes no impulse
        let delassus = normal.dot(shift_a + shift_b) + (moment_a.dot(turn_a) + moment_b.dot(turn_b));
        let zero = L::splat(0.0);
        let responds = L::both(L::above(L::load(&self.inverse, first), zero), L::above(delassus, zero));
        let inverse = L::pick(responds, L::splat(1.0) / delassus, zero);
        let old = L::load(multipliers, first);
        let next = (old + (L::load(targets, first) - along) * inverse).larger(zero);
        next.store(multipliers, first);
        let step = next - old;
        lines::add(context.bodies, &self.a, first, [shift_a * -step, turn_a * -step]);
        lines::add(context.bodies, &self.b, first, [shift_b * step, turn_b * step]);
        step.magnitude() * delassus
    }

    /// Applies the present multipliers to the displacements.
    #[inline(always)]
    pub(super) fn displace<L: Lanes, M: MassSource>(&self, context: SweepContext, multipliers: &Wide, first: usize) {
        let change = Vec3s::load(&self.normal, first) * L::load(multipliers, first);
        let [a, b] = self.pushed::<L, M>(self.bodies(context, first), change, context, first);
        a.store(context, &self.a, first);
        b.store(context, &self.b, first);
    }
}
