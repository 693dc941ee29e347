//! The position pass over batches of general contacts: every width alike bit for bit, and as the contacts one by one.

use super::batches::general_row;
use super::random::Random;
use super::wide_general::{Bed, LEVELS, scene};
use crate::math::lanes::{Kernel, Lanes, Lines, WIDE, Wide, dispatch};
use crate::solver::gauss_seidel::wide::masses::Anisotropic;
use crate::solver::gauss_seidel::wide::{ContactBatch, SweepContext};
use crate::solver::problem::Velocity;

struct Push<'a> {
    bed: &'a mut Bed,
    targets: &'a [Wide],
    multipliers: &'a mut [Wide],
}

impl Kernel for Push<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Bed { batches, lines, masses, changes, .. } = self.bed;
        let ground =
            SweepContext { bodies: Lines::new(lines), masses: Lines::new(masses), relaxation: 1.0, dilation: 0.0 };
        for (at, batch) in batches.iter().enumerate() {
            let mut first = 0;
            while first < WIDE {
                let moved = batch.push::<L, Anisotropic>(ground, &self.targets[at], &mut self.multipliers[at], first);
                moved.store(&mut changes[at], first);
                first += L::WIDTH;
            }
        }
    }
}

#[test]
fn displacements_are_pushed_to_their_targets() {
    let mut random = Random(5);
    for case in 0..50 {
        let mut scene = scene(&mut random, 30, 60);
        // displacements start from nothing
        scene.velocities.iter_mut().for_each(|velocity| *velocity = Velocity::ZERO);
        let mut bed = Bed::new(&scene);
        let targets: Vec<Wide> =
            bed.batches.iter().map(|_| Wide(std::array::from_fn(|_| random.between(-0.5, 1.0)))).collect();
        let mut multipliers = vec![Wide::default(); targets.len()];
        let (mut plain, mut nu) = (scene.with_world().1, multipliers.clone());
        let masses = scene.with_world().0;
        let mut others = LEVELS.map(|level| (level, bed.clone(), multipliers.clone()));
        for _ in 0..3 {
            Push { bed: &mut bed, targets: &targets, multipliers: &mut multipliers }.run::<f64>();
            for (level, other, multipliers) in &mut others {
                dispatch(*level, Push { bed: other, targets: &targets, multipliers });
                assert_eq!(other.bits(), bed.bits(), "case {case}, {level:?}");
            }
            let resting = scene.masses.len();
            // the batches in their order; within one the contacts share no body
            let mut order: Vec<usize> = (0..scene.contacts.len()).collect();
            order.sort_by_key(|at| bed.places[*at]);
            for at in order {
                let (contact, (batch, lane)) = (&scene.contacts[at], bed.places[at]);
                let row = general_row(&scene.problem(), scene.problem().full_contact(at.into()));
                let [a, b] = [contact.body_a, contact.body_b].map(|body| body.index().min(resting));
                let along = contact.normal.dot(&contact.relative_velocity(&plain[a], &plain[b]));
                let multiplier = &mut nu[batch].0[lane];
                let delassus = contact.normal_delassus(&masses[a], &masses[b]);
                let inert = row.block.normal == 0.0 || delassus == 0.0;
                let next = (*multiplier + (targets[batch].0[lane] - along) / delassus).max(0.0);
                let step = if inert { 0.0 } else { next - *multiplier };
                *multiplier += step;
                let change = step * contact.normal;
                masses[a].apply(&mut plain[a], &-change, &change.cross(&contact.arm_a));
                masses[b].apply(&mut plain[b], &change, &contact.arm_b.cross(&change));
                let moved = bed.changes[batch].0[lane];
                assert!((moved - step.abs() * delassus).abs() <= 1e-12, "case {case}: {moved} {step}");
            }
        }
        for (body, plain) in plain.iter().enumerate() {
            let found = bed.velocity(body);
            let apart = (found.linear - plain.linear).norm().max((found.angular - plain.angular).norm());
            // 3 sweeps of 60 contacts, displacements of some 10 at most
            assert!(apart <= 1e-12, "case {case}: {apart:e}");
        }
    }
}
