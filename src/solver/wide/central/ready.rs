//! Central contacts made ready: what follows from their bodies, and whether they are central at all.

use crate::math::Vec3;
use crate::math::lanes::{KEPT, Kernel, Lanes, Vec3s, WIDE, Wide};
use crate::solver::local::inverse;
use crate::solver::order::Pair;
use crate::solver::problem::{Contact, Problem, Velocity};
use crate::solver::wide::central::{CentralBatch, put};
use crate::solver::wide::{Given, lines};

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

/// Whether a contact is central on one side.
#[inline(always)]
fn is_central_on(line: &Wide, place: u32, arm: &Vec3, normal: &Vec3) -> bool {
    place & KEPT != 0
        || (!stands_beside::<f64>((*normal).into(), (*arm).into()) && !lines::inverse_masses(line)[1].is_nan())
}

/// Whether a contact between the bodies with these lines is central.
#[inline(always)]
pub(in crate::solver) fn is_central(contact: &Contact, [a, b]: Pair, bodies: &[Wide]) -> bool {
    let line = |place: u32| &bodies[(place & !KEPT) as usize];
    let normal = &contact.normal;
    is_central_on(line(a), a, &contact.arm_a, normal) && is_central_on(line(b), b, &contact.arm_b, normal)
}

/// Whether a body of these lines moves and no impulse changes how.
#[inline]
pub(super) fn is_conveyed(pair: Pair, problem: &Problem) -> bool {
    let moves = |place: u32| place & KEPT != 0 && *problem.free_velocity(place & !KEPT) != Velocity::ZERO;
    pair.into_iter().any(moves)
}

/// One body of each of eight central contacts.
#[derive(Clone, Copy)]
pub(super) struct Sides {
    /// From the centre of mass to the contact point [m]; none of a body that no impulse moves.
    arm: [Wide; 3],
    inverse_mass: Wide,
    /// No number where it does not turn alike about every axis.
    inverse_inertia: Wide,
}

impl Sides {
    pub(super) const NONE: Self =
        Self { arm: [Wide::splat(0.0); 3], inverse_mass: Wide::splat(0.0), inverse_inertia: Wide::splat(0.0) };

    /// Reads that of one lane, whose line is at `place`. Returns the place that the sweep reads.
    #[inline(always)]
    pub(super) fn read(&mut self, lane: usize, place: u32, arm: &Vec3, given: &Given) -> u32 {
        if place & KEPT != 0 {
            // Its whole velocity at the contact is in the offset: the resting line adds nothing.
            return given.problem.masses.len() as u32 | KEPT;
        }
        put(&mut self.arm, lane, arm);
        let line = &given.bodies[place as usize];
        [self.inverse_mass.0[lane], self.inverse_inertia.0[lane]] = lines::inverse_masses(line);
        place
    }
}

/// What follows from the bodies of central contacts. Returns whether any is not central after all.
pub(super) struct Blocks<'a> {
    pub(super) batch: &'a mut CentralBatch,
    pub(super) sides: &'a [Sides; 2],
    /// `S_n`, `S_t`.
    pub(super) compliance: &'a [Wide; 2],
}

impl Kernel for Blocks<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<L: Lanes>(self) -> bool {
        let Self { batch, sides: [a, b], compliance: [soft_n, soft_t] } = self;
        let mut others = false;
        let mut first = 0;
        while first < WIDE {
            let normal = Vec3s::<L>::load(&batch.normal, first);
            let (arm_a, arm_b) = (Vec3s::load(&a.arm, first), Vec3s::load(&b.arm, first));
            let (lever_a, lever_b) = (arm_a.dot(normal), -arm_b.dot(normal));
            let (mass_a, mass_b) = (L::load(&a.inverse_mass, first), L::load(&b.inverse_mass, first));
            let (turn_a, turn_b) = (L::load(&a.inverse_inertia, first), L::load(&b.inverse_inertia, first));
            let block_n = mass_a + mass_b + L::load(soft_n, first);
            let turning = lever_a * lever_a * turn_a + lever_b * lever_b * turn_b;
            let block_t = mass_a + mass_b + turning + L::load(soft_t, first);
            lever_a.store(&mut batch.levers[0], first);
            lever_b.store(&mut batch.levers[1], first);
            inverse(block_n).store(&mut batch.normal_inverse, first);
            inverse(block_t).store(&mut batch.tangential_inverse, first);

            let is_number = L::above(turn_a + turn_b, L::splat(-1.0));
            others |= L::any(stands_beside(normal, arm_a)) || L::any(stands_beside(normal, arm_b));
            others |= L::any(L::without(L::above(L::splat(1.0), L::splat(0.0)), is_number));
            first += L::WIDTH;
        }
        others
    }
}

/// What immovable bodies add to `u`, and to the spin of b relative to a.
pub(super) fn conveyed(contact: &Contact, given: &Given) -> [Vec3; 2] {
    let kept = |body: u32, arm: &Vec3| {
        let place = lines::place(body, given.bodies);
        if place & KEPT == 0 {
            return [Vec3::zeros(); 2];
        }
        let velocity = given.problem.free_velocity(place & !KEPT);
        [velocity.at(arm), velocity.angular]
    };
    let (a, b) = (kept(contact.body_a, &contact.arm_a), kept(contact.body_b, &contact.arm_b));
    [b[0] - a[0], b[1] - a[1]]
}
