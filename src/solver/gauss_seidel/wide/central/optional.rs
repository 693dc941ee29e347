//! What few central contacts have: optional terms, and rolling and twisting.

use std::mem::offset_of;

use crate::math::lanes::{Lanes, Vec3s, Wide};
use crate::solver::gauss_seidel::local::inverse;
use crate::solver::gauss_seidel::small::larger_units;
use crate::solver::gauss_seidel::wide::lines::Bodies;
use crate::solver::gauss_seidel::wide::residual::{Split, Turning};
use crate::solver::problem::contacts::OptionalTermsX8;
use crate::solver::problem::turning_length;

/// The optional terms of central contacts: a kinematic body, a velocity of the surface, and compliance.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(in crate::solver) struct Extra {
    pub(super) normal_compliance: Wide,
    pub(super) tangential_compliance: Wide,
    pub(super) turning_compliance: Wide,
    /// Whether any velocity below is not zero. If none is, the sweep reads up to here.
    pub(super) moves: bool,
    /// What is added to `u` in the sweep: the velocity of kinematic bodies over that of the surface.
    pub(super) offset: [Wide; 3],
    /// What kinematic bodies add to the spin of b relative to a. The sweep reads up to here if something moves.
    pub(super) kinematic_spin: [Wide; 3],
    /// What they add to `u`.
    pub(super) kinematic_velocity: [Wide; 3],
    /// At which friction is at rest.
    pub(super) surface_velocity: [Wide; 3],
}

impl Extra {
    /// What a sweep reads where nothing moves, from the front [bytes].
    pub(super) const SWEPT_BYTES: usize = offset_of!(Self, offset);

    /// The terms of contacts that have none.
    pub(in crate::solver) const NONE: Self = Self {
        normal_compliance: Wide::splat(0.0),
        tangential_compliance: Wide::splat(0.0),
        turning_compliance: Wide::splat(0.0),
        moves: false,
        offset: [Wide::splat(0.0); 3],
        kinematic_spin: [Wide::splat(0.0); 3],
        kinematic_velocity: [Wide::splat(0.0); 3],
        surface_velocity: [Wide::splat(0.0); 3],
    };

    /// Returns `u` with what kinematic bodies and surfaces add to it in the sweep.
    #[inline(always)]
    pub(super) fn with_offset<L: Lanes>(&self, u: Vec3s<L>, first: usize) -> Vec3s<L> {
        if self.moves { u + Vec3s::load(&self.offset, first) } else { u }
    }

    /// Returns the spin of b relative to a with what kinematic bodies add to it.
    #[inline(always)]
    fn with_spin<L: Lanes>(&self, spin: Vec3s<L>, first: usize) -> Vec3s<L> {
        if self.moves { spin + Vec3s::load(&self.kinematic_spin, first) } else { spin }
    }
}

/// Rolling and twisting of eight central contacts.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(in crate::solver) struct CentralTorques {
    /// Most rolling torque over normal force, and most twisting torque [m].
    pub(super) rolling: Wide,
    pub(super) twisting: Wide,
    /// One over the block: `1 / (1/I_a + 1/I_b)` without compliance.
    pub(super) inverse: Wide,
    /// The distance at which a torque counts as a force [m].
    pub(super) length: Wide,
    /// Torque on b in the tangent plane, and along the normal.
    pub(super) rolled: [Wide; 3],
    pub(super) twisted: Wide,
}

/// What rolling and twisting take from the solve of their contact.
pub(super) struct Solved<L> {
    pub(super) normal: Vec3s<L>,
    pub(super) normal_impulse: L,
    pub(super) relaxation: f64,
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
        let torque = Split { normal: L::load(&self.twisted, first), tangential: Vec3s::load(&self.rolled, first) };
        let spin = self.defect(b.angular - a.angular, normal, extra, first);
        let along = normal.dot(spin);
        Turning {
            bounds: [L::load(&self.rolling, first), L::load(&self.twisting, first)],
            length: L::load(&self.length, first),
            spin: Split { normal: along, tangential: spin - normal * along },
            torque,
        }
    }

    /// Returns what is left of the spin of b relative to a, with what kinematic bodies and compliance add to it.
    #[inline(always)]
    pub(super) fn defect<L: Lanes>(
        &self,
        spin: Vec3s<L>,
        normal: Vec3s<L>,
        extra: Option<&Extra>,
        first: usize,
    ) -> Vec3s<L> {
        let Some(extra) = extra else { return spin };
        let torque = Vec3s::load(&self.rolled, first) + normal * L::load(&self.twisted, first);
        extra.with_spin(spin, first) + torque * L::load(&extra.turning_compliance, first)
    }

    /// Computes the torque rows from the responses of both bodies to a force in the tangent plane and to a torque.
    #[inline(always)]
    pub(super) fn prepare<L: Lanes>(
        &mut self,
        normal: Vec3s<L>,
        force_response: L,
        torque_response: L,
        optional: &OptionalTermsX8,
        first: usize,
    ) {
        let zero = L::splat(0.0);
        let block = torque_response + L::load(&optional.compliance[2], first);
        let inverse = inverse(L::select(L::above(torque_response, zero), block, zero));
        let torque = Vec3s::load(&optional.torque, first);
        let along = L::select(L::above(inverse, zero), normal.dot(torque), zero);
        let rolled = torque - normal * along;
        let across = |value: L| L::select(L::above(inverse, zero), value, zero);
        L::load(&optional.rolling, first).store(&mut self.rolling, first);
        L::load(&optional.twisting, first).store(&mut self.twisting, first);
        inverse.store(&mut self.inverse, first);
        turning_length(force_response, torque_response).store(&mut self.length, first);
        Vec3s::new(across(rolled.x), across(rolled.y), across(rolled.z)).store(&mut self.rolled, first);
        along.store(&mut self.twisted, first);
    }

    /// Solves rolling, then twisting, within the bounds that the normal impulse sets. Adds to the `turns` of the bodies;
    /// returns the squares of the changes.
    #[inline(always)]
    pub(super) fn solve<L: Lanes, const MEASURED: bool>(
        &mut self,
        extra: Option<&Extra>,
        [a, b]: [&Bodies<L>; 2],
        turns: &mut [Vec3s<L>; 2],
        solved: &Solved<L>,
        first: usize,
    ) -> L {
        let Solved { normal, normal_impulse, relaxation } = *solved;
        let spin = self.defect((b.angular + turns[1]) - (a.angular + turns[0]), normal, extra, first);
        let along = normal.dot(spin);
        let inverse = L::load(&self.inverse, first);
        let old = Vec3s::load(&self.rolled, first);
        let limit = L::load(&self.rolling, first) * normal_impulse;
        // A normal has unit length up to round-off. Where a body keeps spinning about it, part of that would remain in
        // the rolling torque and accumulate sweep by sweep.
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
pub(super) fn bounded<L: Lanes>(old: Vec3s<L>, free: Vec3s<L>, limit: L, relaxation: f64) -> Vec3s<L> {
    let mut impulse = clamped(free, limit);
    if relaxation != 1.0 {
        impulse = clamped(old + (impulse - old) * L::splat(relaxation), limit);
    }
    impulse
}

/// Returns a vector scaled to the length `limit` where it is longer.
#[inline(always)]
fn clamped<L: Lanes>(vector: Vec3s<L>, limit: L) -> Vec3s<L> {
    let (mut square, mut limit) = (vector.dot(vector), limit);
    if let Some(units) = larger_units(square, limit) {
        let enlarged = vector * units;
        (square, limit) = (enlarged.dot(enlarged), limit * units);
    }
    let outside = L::above(square, limit * limit);
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    // Most contacts stick or carry nothing. The chain from one batch to the next is then shorter by a root and a division.
    let scale = if L::any(L::both(outside, L::above(limit, zero))) { limit / square.root() } else { limit };
    let scale = L::select(outside, scale, one);
    vector * scale
}
