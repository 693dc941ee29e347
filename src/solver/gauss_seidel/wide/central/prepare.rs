//! The preparation of central contacts: their blocks, and what kinematic bodies add.

use super::layout::{CentralBatch, CentralTorques};
use crate::math::lanes::{Lanes, LineIndex, Lines, Places, Vec3s, WIDE, Wide};
use crate::math::{BodyRow, Vec3};
use crate::solver::gauss_seidel::local::inverse;
use crate::solver::gauss_seidel::wide::lines;
use crate::solver::problem::contacts::OptionalTermsX8;
use crate::solver::problem::pairs::Pair;
use crate::solver::problem::{Problem, Velocity, turning_length};

/// Returns whether a body of these lines is kinematic and moves.
#[inline]
pub(super) fn is_kinematic(pair: Pair, problem: &Problem) -> bool {
    let moves = |place: LineIndex| place.is_kept() && *problem.free_velocity(place.row()) != Velocity::ZERO;
    pair.into_iter().any(moves)
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
        let (zero, least) = (L::splat(0.0), L::splat(f64::from_bits(1)));
        // both are zero, and neither is NaN
        let rests = L::both(L::above(least, inverse_mass), L::above(least, inverse_inertia));
        let arm = Vec3s::load(arm, first);
        let arm = Vec3s::new(L::pick(rests, zero, arm.x), L::pick(rests, zero, arm.y), L::pick(rests, zero, arm.z));
        Self { arm, inverse_mass, inverse_inertia }
    }
}

impl CentralBatch {
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
        let mut first = 0;
        while first < WIDE {
            let a = Side::<L>::gather(bodies, &self.places[0], &arms[0], first);
            let b = Side::<L>::gather(bodies, &self.places[1], &arms[1], first);
            let normal = Vec3s::<L>::load(&self.normal, first);
            let (lever_a, lever_b) = (a.arm.dot(normal), -b.arm.dot(normal));
            let [soft_n, soft_t]: [L; 2] = lines::loaded(&optional.compliance, first);
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
            first += L::WIDTH;
        }
    }
}

impl CentralTorques {
    /// Computes the torque rows from the responses of both bodies to a force in the tangent plane and to a torque.
    #[inline(always)]
    fn prepare<L: Lanes>(
        &mut self,
        normal: Vec3s<L>,
        force_response: L,
        torque_response: L,
        optional: &OptionalTermsX8,
        first: usize,
    ) {
        let (inverse, zero) = (inverse(torque_response), L::splat(0.0));
        let torque = Vec3s::load(&optional.torque, first);
        let along = L::pick(L::above(inverse, zero), normal.dot(torque), zero);
        let rolled = torque - normal * along;
        let across = |value: L| L::pick(L::above(inverse, zero), value, zero);
        L::load(&optional.rolling, first).store(&mut self.rolling, first);
        L::load(&optional.twisting, first).store(&mut self.twisting, first);
        inverse.store(&mut self.inverse, first);
        turning_length(force_response, torque_response).store(&mut self.length, first);
        Vec3s::new(across(rolled.x), across(rolled.y), across(rolled.z)).store(&mut self.rolled, first);
        along.store(&mut self.twisted, first);
    }
}

/// Returns what kinematic bodies add to `u`, and to the spin of b relative to a.
pub(super) fn kinematic_motion(pair: Pair, arms: &[Vec3; 2], problem: &Problem) -> [Vec3; 2] {
    let [a, b] = [0, 1].map(|side| {
        let (place, arm) = (pair[side], &arms[side]);
        if !place.is_kept() {
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
        moving[lane] = if places[lane].is_kept() { moving[lane] } else { places[lane] };
    }
    moving
}
