//! The numbers of eight general contacts, and what every pass reads of them.

use crate::math::Vec3;
use crate::math::lanes::{Lanes, Places, Vec3s, Wide};
use crate::solver::gauss_seidel::local::Local;
use crate::solver::gauss_seidel::wide::lines::{Bodies, SweepContext, loaded, read, write};
use crate::solver::gauss_seidel::wide::masses::{InverseMass, MassSource, Side};
use crate::solver::problem::Contact;

/// General contacts prepared for the sweep.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(in crate::solver) struct GeneralBatch {
    /// Lines of the bodies. Those of immovable ones are read-only, as the resting line in empty lanes.
    pub(super) a: Places,
    pub(super) b: Places,
    pub(super) normal: [Wide; 3],
    pub(super) arm_a: [Wide; 3],
    pub(super) arm_b: [Wide; 3],
    /// See [`Local`]. The sweep computes quotients of these itself, as it waits for memory
    /// rather than for division.
    pub(super) inverse: Wide,
    pub(super) t1: [Wide; 3],
    /// `b_n`.
    pub(super) bias: Wide,
    pub(super) carried: [Wide; 2],
    pub(super) tangential: [Wide; 2],
    pub(super) friction: Wide,
    /// Along `n`, `t1`, `t2`.
    pub(super) lambda: [Wide; 3],
}

/// The optional terms of general contacts: a velocity of the surface, and compliance.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(in crate::solver) struct GeneralExtra {
    /// At which friction is at rest.
    pub(super) surface_velocity: [Wide; 3],
    /// `S_n`, `S_t`.
    pub(super) compliance: [Wide; 2],
}

impl GeneralExtra {
    /// Returns `S_n` and `S_t` of a lane.
    pub(in crate::solver) fn compliance(&self, lane: usize) -> [f64; 2] {
        read(&self.compliance, lane)
    }
}

impl GeneralBatch {
    pub(super) fn normal(&self, lane: usize) -> Vec3 {
        Vec3::from(read(&self.normal, lane))
    }

    /// Returns the contact in a lane.
    pub(in crate::solver) fn contact(&self, lane: usize) -> Contact {
        Contact {
            body_a: self.a[lane].row(),
            body_b: self.b[lane].row(),
            normal: self.normal(lane),
            arm_a: Vec3::from(read(&self.arm_a, lane)),
            arm_b: Vec3::from(read(&self.arm_b, lane)),
            normal_bias: self.bias.0[lane],
            friction: self.friction.0[lane],
        }
    }

    /// Returns whether no impulse opens the contact in a lane.
    pub(in crate::solver) fn is_locked(&self, lane: usize) -> bool {
        self.inverse.0[lane] == 0.0
    }

    /// Takes the impulse of a lane away.
    pub(in crate::solver) fn take_impulse(&mut self, lane: usize) {
        write(&mut self.lambda, lane, [0.0; 3]);
    }

    pub(super) fn tangents(&self, lane: usize) -> [Vec3; 2] {
        let t1 = Vec3::from(read(&self.t1, lane));
        [t1, self.normal(lane).cross(&t1)]
    }

    #[inline(always)]
    pub(super) fn local<L: Lanes>(&self, first: usize) -> Local<L> {
        let tangential: [L; 2] = loaded(&self.tangential, first);
        // In a lane without a contact this is NaN, and selected nowhere.
        let tangential_inverse = [L::splat(1.0) / tangential[0], L::splat(1.0) / tangential[1]];
        let (inverse, carried) = (L::load(&self.inverse, first), loaded(&self.carried, first));
        Local { inverse, carried, tangential, tangential_inverse }
    }

    /// Reads the bodies.
    #[inline(always)]
    pub(super) fn bodies<L: Lanes>(&self, context: SweepContext, first: usize) -> [Bodies<L>; 2] {
        [Bodies::gather(context.bodies, &self.a, first), Bodies::gather(context.bodies, &self.b, first)]
    }

    /// Reads their inverse masses.
    #[inline(always)]
    pub(super) fn masses<L: Lanes, M: MassSource>(
        &self,
        [a, b]: [&Bodies<L>; 2],
        context: SweepContext,
        first: usize,
    ) -> [M::Mass<L>; 2] {
        [M::gather(a, context, &self.a, first), M::gather(b, context, &self.b, first)]
    }

    /// Applies an impulse to bodies b, and its opposite to bodies a.
    #[inline(always)]
    pub(super) fn pushed<L: Lanes, M: MassSource>(
        &self,
        [a, b]: [Bodies<L>; 2],
        impulse: Vec3s<L>,
        context: SweepContext,
        first: usize,
    ) -> [Side<L, M::Mass<L>>; 2] {
        let [mass_a, mass_b] = self.masses::<L, M>([&a, &b], context, first);
        let (arm_a, arm_b) = (Vec3s::load(&self.arm_a, first), Vec3s::load(&self.arm_b, first));
        [Side::pushed(a, mass_a, -impulse, arm_a), Side::pushed(b, mass_b, impulse, arm_b)]
    }

    /// Adds the changes to bodies a in place, and to the lines of bodies b.
    #[inline(always)]
    pub(super) fn store<L: Lanes, M: InverseMass<L>>(
        &self,
        a: &mut Bodies<L>,
        [side_a, side_b]: [Side<L, M>; 2],
        context: SweepContext,
        first: usize,
    ) {
        side_a.add_to(a);
        side_b.store(context, &self.b, first);
    }
}
