//! Central contacts made ready: what follows from their bodies, and whether they are central at all.

use crate::math::Vec3;
use crate::math::lanes::{KEPT, Lanes, Lines, Places, Vec3s, WIDE, Wide};
use crate::solver::contacts::OptionalTermsX8;
use crate::solver::local::inverse;
use crate::solver::order::Pair;
use crate::solver::problem::{Problem, Velocity, turning_length};
use crate::solver::wide::central::{CentralBatch, CentralTorques};
use crate::solver::wide::lines;

/// The relative deviation of an arm from the normal that is taken for round-off. An arm made as a multiple of the normal
/// deviates by a few 1e-16; one made as a difference of positions may deviate more and is then solved as a general
/// contact, which is slower and just as right.
const PARALLEL: f64 = 1e-14;

/// Whether more of an arm than round-off stands beside the normal.
#[inline(always)]
fn stands_beside<L: Lanes>(normal: Vec3s<L>, arm: Vec3s<L>) -> L::Mask {
    let lever = arm.dot(normal);
    // squares: no root in what every contact passes
    let aside = arm - normal * lever;
    L::above(aside.dot(aside), L::splat(PARALLEL * PARALLEL) * lever * lever)
}

/// Returns whether an arm is a multiple of the normal, up to round-off.
#[inline(always)]
pub fn is_along(normal: &Vec3, arm: &Vec3) -> bool {
    !stands_beside::<f64>((*normal).into(), (*arm).into())
}

/// Whether a body of these lines moves and no impulse changes how.
#[inline]
pub(super) fn is_conveyed(pair: Pair, problem: &Problem) -> bool {
    let moves = |place: u32| place & KEPT != 0 && *problem.free_velocity(place & !KEPT) != Velocity::ZERO;
    pair.into_iter().any(moves)
}

/// One body of each of some central contacts.
#[derive(Clone, Copy)]
struct Side<L> {
    /// From the centre of mass to the contact point [m]; none of a body that no impulse moves.
    arm: Vec3s<L>,
    inverse_mass: L,
    /// No number where it does not turn alike about every axis.
    inverse_inertia: L,
}

impl<L: Lanes> Side<L> {
    #[inline(always)]
    fn gather(bodies: Lines, places: &Places, arm: &[Wide; 3], first: usize) -> Self {
        let [_, _, _, inverse_mass, _, _, _, inverse_inertia] = L::gather(bodies, places, first);
        let (zero, least) = (L::splat(0.0), L::splat(f64::from_bits(1)));
        // both are zero, and neither is no number
        let rests = L::both(L::above(least, inverse_mass), L::above(least, inverse_inertia));
        let arm = Vec3s::load(arm, first);
        let arm = Vec3s::new(L::pick(rests, zero, arm.x), L::pick(rests, zero, arm.y), L::pick(rests, zero, arm.z));
        Self { arm, inverse_mass, inverse_inertia }
    }
}

impl CentralBatch {
    /// Computes what follows from the bodies at its places, from the arms to them and from the optional terms; of its torques too, if it
    /// may have such.
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
                torques.begin(normal, (stiff_t, a.inverse_inertia + b.inverse_inertia), optional, first);
            }
            first += L::WIDTH;
        }
    }
}

impl CentralTorques {
    /// What follows from the `answers` of both bodies to a force in the tangent plane and to a torque, and from how the contacts begin.
    #[inline(always)]
    fn begin<L: Lanes>(&mut self, normal: Vec3s<L>, answers: (L, L), optional: &OptionalTermsX8, first: usize) {
        let (inverse, zero) = (inverse(answers.1), L::splat(0.0));
        let torque = Vec3s::load(&optional.torque, first);
        let along = L::pick(L::above(inverse, zero), normal.dot(torque), zero);
        let rolled = torque - normal * along;
        let across = |value: L| L::pick(L::above(inverse, zero), value, zero);
        L::load(&optional.rolling, first).store(&mut self.rolling, first);
        L::load(&optional.twisting, first).store(&mut self.twisting, first);
        inverse.store(&mut self.inverse, first);
        turning_length(answers.0, answers.1).store(&mut self.length, first);
        Vec3s::new(across(rolled.x), across(rolled.y), across(rolled.z)).store(&mut self.rolled, first);
        along.store(&mut self.twisted, first);
    }
}

/// Returns what immovable bodies add to `u`, and to the spin of b relative to a.
pub(super) fn conveyed(pair: Pair, arms: &[Vec3; 2], problem: &Problem) -> [Vec3; 2] {
    let [a, b] = [0, 1].map(|side| {
        let (place, arm) = (pair[side], &arms[side]);
        if place & KEPT == 0 {
            return [Vec3::zeros(); 2];
        }
        let velocity = problem.free_velocity(place & !KEPT);
        [velocity.at(arm), velocity.angular]
    });
    [b[0] - a[0], b[1] - a[1]]
}
