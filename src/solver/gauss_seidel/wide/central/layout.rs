//! The numbers of eight central contacts, and what every pass reads of them.

use crate::math::lanes::{Lanes, Places, Vec3s, Wide};
use crate::solver::gauss_seidel::wide::context::SweepContext;
use crate::solver::gauss_seidel::wide::lines::Bodies;
use crate::solver::gauss_seidel::wide::residual::{Split, Turning};

/// Eight central contacts.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(in crate::solver) struct CentralBatch {
    /// Lines of bodies a and b.
    pub(super) places: [Places; 2],
    pub(super) normal: [Wide; 3],
    pub(super) bias: Wide,
    /// `1 / (D_nn + S_n)`.
    pub(super) normal_inverse: Wide,
    /// `1 / (D_tt + S_t)`.
    pub(super) tangential_inverse: Wide,
    pub(super) friction: Wide,
    /// Distance of the contact point from the centre of mass along the normal, outward, of a and b.
    pub(super) levers: [Wide; 2],
    pub(super) lambda_n: Wide,
    pub(super) lambda_t: [Wide; 3],
}

/// The optional terms of central contacts: a kinematic body, a velocity of the surface, and compliance.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(in crate::solver) struct Extra {
    /// What kinematic bodies add to `u`, and to the spin of b relative to a.
    pub(super) kinematic_velocity: [Wide; 3],
    pub(super) kinematic_spin: [Wide; 3],
    /// At which friction is at rest.
    pub(super) surface_velocity: [Wide; 3],
    pub(super) normal_compliance: Wide,
    pub(super) tangential_compliance: Wide,
}

/// Rolling and twisting of eight central contacts.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(in crate::solver) struct CentralTorques {
    /// Most rolling torque over normal force, and most twisting torque [m].
    pub(super) rolling: Wide,
    pub(super) twisting: Wide,
    /// `1 / (1/I_a + 1/I_b)`.
    pub(super) inverse: Wide,
    /// The distance at which a torque counts as a force [m].
    pub(super) length: Wide,
    /// Torque on b in the tangent plane, and along the normal.
    pub(super) rolled: [Wide; 3],
    pub(super) twisted: Wide,
}

impl CentralBatch {
    /// Reads bodies b.
    #[inline(always)]
    pub(super) fn body_b<L: Lanes>(&self, context: SweepContext, first: usize) -> Bodies<L> {
        Bodies::gather(context.bodies, &self.places[1], first)
    }

    /// Returns the distances of the contact points from the centres of mass of a and b.
    #[inline(always)]
    pub(super) fn levers<L: Lanes>(&self, first: usize) -> [L; 2] {
        [L::load(&self.levers[0], first), L::load(&self.levers[1], first)]
    }

    /// Returns `u`, without what kinematic bodies add to it.
    #[inline(always)]
    pub(super) fn relative_velocity<L: Lanes>(&self, [a, b]: [&Bodies<L>; 2], first: usize) -> Vec3s<L> {
        let [lever_a, lever_b] = self.levers::<L>(first);
        let spin = a.angular * lever_a + b.angular * lever_b;
        b.linear - a.linear - spin.cross(Vec3s::load(&self.normal, first))
    }
}

impl Extra {
    /// The terms of contacts that have none.
    pub(in crate::solver) const NONE: Self = Self {
        kinematic_velocity: [Wide::splat(0.0); 3],
        kinematic_spin: [Wide::splat(0.0); 3],
        surface_velocity: [Wide::splat(0.0); 3],
        normal_compliance: Wide::splat(0.0),
        tangential_compliance: Wide::splat(0.0),
    };

    /// Returns what is added to `u` in the sweep.
    #[inline(always)]
    pub(super) fn offset<L: Lanes>(&self, first: usize) -> Vec3s<L> {
        Vec3s::load(&self.kinematic_velocity, first) - Vec3s::load(&self.surface_velocity, first)
    }
}

impl CentralTorques {
    /// The torques of contacts that resist no turning.
    pub(in crate::solver) const NONE: Self = Self {
        rolling: Wide::splat(0.0),
        twisting: Wide::splat(0.0),
        inverse: Wide::splat(0.0),
        length: Wide::splat(1.0),
        rolled: [Wide::splat(0.0); 3],
        twisted: Wide::splat(0.0),
    };

    /// Returns the relative spin and the torques that resist it, to be measured.
    #[inline(always)]
    pub(super) fn turning<L: Lanes>(
        &self,
        normal: Vec3s<L>,
        [a, b]: [&Bodies<L>; 2],
        extra: Option<&Extra>,
        first: usize,
    ) -> Turning<L> {
        let spin = with_kinematic_spin(b.angular - a.angular, extra, first);
        let along = normal.dot(spin);
        Turning {
            bounds: [L::load(&self.rolling, first), L::load(&self.twisting, first)],
            length: L::load(&self.length, first),
            spin: Split { normal: along, tangential: spin - normal * along },
            torque: Split { normal: L::load(&self.twisted, first), tangential: Vec3s::load(&self.rolled, first) },
        }
    }
}

/// Adds the spin of kinematic bodies to the spin of b relative to a.
#[inline(always)]
pub(super) fn with_kinematic_spin<L: Lanes>(spin: Vec3s<L>, extra: Option<&Extra>, first: usize) -> Vec3s<L> {
    match extra {
        Some(extra) => spin + Vec3s::load(&extra.kinematic_spin, first),
        None => spin,
    }
}
