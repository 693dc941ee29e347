//! The numbers of eight central contacts, and their preparation: the blocks, and what kinematic bodies add.

use super::optional::CentralTorques;
use crate::math::lanes::{Lanes, LineIndex, Lines, Places, Vec3s, WIDE, Wide};
use crate::math::{BodyRow, Vec3};
use crate::solver::gauss_seidel::local::inverse;
use crate::solver::gauss_seidel::wide::lines::{self, Bodies, SweepContext};
use crate::solver::problem::contacts::OptionalTermsX8;
use crate::solver::problem::pairs::LinePair;
use crate::solver::problem::{Problem, Velocity};

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

/// One body of each of some central contacts.
#[derive(Clone, Copy)]
struct Side<L> {
    /// From the centre of mass to the contact point [m]; none of a body that no impulse moves.
    arm: Vec3s<L>,
    inverse_mass: L,
    /// NaN where it is not isotropic.
    inverse_inertia: L,
}

impl<L: Lanes> Side<L> {
    #[inline(always)]
    fn gather(bodies: Lines, places: &Places, arm: &[Wide; 3], first: usize) -> Self {
        let [_, _, _, inverse_mass, _, _, _, inverse_inertia] = L::gather(bodies, places, first);
        let (zero, smallest) = (L::splat(0.0), L::splat(f64::from_bits(1)));
        // both are zero, and neither is NaN
        let rests = L::both(L::above(smallest, inverse_mass), L::above(smallest, inverse_inertia));
        let arm = Vec3s::load(arm, first);
        let arm =
            Vec3s::new(L::select(rests, zero, arm.x), L::select(rests, zero, arm.y), L::select(rests, zero, arm.z));
        Self { arm, inverse_mass, inverse_inertia }
    }
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

    /// Computes the blocks from the bodies at its places, the arms to them and the optional terms, and those of the torques if
    /// there are any.
    #[inline(always)]
    pub(super) fn block<L: Lanes>(
        &mut self,
        arms: &[[Wide; 3]; 2],
        mut torques: Option<&mut CentralTorques>,
        optional: &OptionalTermsX8,
        bodies: &[Wide],
    ) {
        let bodies = Lines::read_only(bodies);
        for first in (0..WIDE).step_by(L::WIDTH) {
            let a = Side::<L>::gather(bodies, &self.places[0], &arms[0], first);
            let b = Side::<L>::gather(bodies, &self.places[1], &arms[1], first);
            let normal = Vec3s::<L>::load(&self.normal, first);
            let (lever_a, lever_b) = (a.arm.dot(normal), -b.arm.dot(normal));
            let [soft_n, soft_t, _]: [L; 3] = lines::loaded(&optional.compliance, first);
            let block_n = a.inverse_mass + b.inverse_mass + soft_n;
            let turning = lever_a * lever_a * a.inverse_inertia + lever_b * lever_b * b.inverse_inertia;
            let stiff_t = a.inverse_mass + b.inverse_mass + turning;
            let block_t = stiff_t + soft_t;
            lever_a.store(&mut self.levers[0], first);
            lever_b.store(&mut self.levers[1], first);
            inverse(block_n).store(&mut self.normal_inverse, first);
            inverse(block_t).store(&mut self.tangential_inverse, first);
            if let Some(torques) = torques.as_deref_mut() {
                torques.prepare(normal, stiff_t, a.inverse_inertia + b.inverse_inertia, optional, first);
            }
        }
    }
}

/// Returns whether a body of these lines is kinematic and moves.
#[inline]
pub(super) fn is_kinematic(pair: LinePair, problem: &Problem) -> bool {
    let moves = |place: LineIndex| place.is_read_only() && *problem.free_velocity(place.row()) != Velocity::ZERO;
    pair.into_iter().any(moves)
}

/// Returns what kinematic bodies add to `u`, and to the spin of b relative to a.
pub(super) fn kinematic_motion(pair: LinePair, arms: &[Vec3; 2], problem: &Problem) -> [Vec3; 2] {
    let [a, b] = [0, 1].map(|side| {
        let (place, arm) = (pair[side], &arms[side]);
        if !place.is_read_only() {
            return [Vec3::zeros(); 2];
        }
        let velocity = problem.free_velocity(place.row());
        [velocity.at(arm), velocity.angular]
    });
    [b[0] - a[0], b[1] - a[1]]
}

/// Returns the places of the bodies that impulses move, and the resting line, which is the last, in place of others.
#[inline(always)]
pub(super) fn moving(places: &Places, resting: BodyRow) -> Places {
    let mut moving = lines::nowhere(resting);
    for lane in 0..WIDE {
        moving[lane] = if places[lane].is_read_only() { moving[lane] } else { places[lane] };
    }
    moving
}
