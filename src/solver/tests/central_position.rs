//! The position pass over central contacts, which moves half a line of each body.

use super::batches::Batches;
use super::random::{Random, Scene, lines_of, plain};
use crate::math::lanes::{Kernel, Lanes, Level, Lines, WIDE, Wide, dispatch};
use crate::math::{BodyRow, Vec3};
use crate::solver::gauss_seidel::wide::central::CentralBatch;
use crate::solver::gauss_seidel::wide::masses::Anisotropic;
use crate::solver::gauss_seidel::wide::{ContactBatch, SweepContext};
use crate::solver::problem::{Contact, Velocity};

/// Contacts that share no moving body, started from their multipliers and pushed once.
struct Pushed<'a> {
    batch: &'a CentralBatch,
    bodies: Lines<'a>,
    targets: &'a Wide,
    multipliers: &'a mut Wide,
}

impl Kernel for Pushed<'_> {
    /// How far each was opened [m].
    type Output = Wide;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Wide {
        let Self { batch, bodies, targets, multipliers } = self;
        let ground = SweepContext { bodies, masses: bodies, relaxation: 1.0, dilation: 0.0 };
        let mut moved = Wide::splat(0.0);
        for first in (0..WIDE).step_by(L::WIDTH) {
            batch.shift::<L>(ground, multipliers, first);
            batch.push::<L, Anisotropic>(ground, targets, multipliers, first).store(&mut moved, first);
        }
        moved
    }
}

#[test]
fn spheres_are_pushed_apart_and_not_turned_and_every_width_gives_the_same_bits() {
    let mut random = Random(23);
    for case in 0..100 {
        // pairs of spheres of their own, each third on the fixed world, the last lane unused
        let mut scene = Scene::default();
        for lane in 0..WIDE - 1 {
            let [other, own] = [(); 2].map(|()| scene.sphere(random.magnitude(0.5, 5.0), 0.5, Velocity::ZERO));
            let normal = random.direction();
            let other = if lane % 3 == 2 { BodyRow::NONE } else { other };
            let (arm_a, arm_b) = (0.5 * normal, -0.5 * normal);
            // either side may be the fixed one
            scene.contacts.push(if random.one_in(2) {
                Contact { arm_a, arm_b, ..plain(other, own, normal) }
            } else {
                Contact { arm_a, arm_b, ..plain(own, other, normal) }
            });
        }
        // what the pass before it left, and spins that are none of its business
        let (masses, mut before) = scene.with_world();
        for velocity in before.iter_mut().take(scene.masses.len()) {
            *velocity = Velocity { linear: random.vector(1e-3), angular: random.vector(1.0) };
        }
        let start = lines_of(&masses, &before);
        let targets = Wide(std::array::from_fn(|_| random.between(-1e-3, 1e-3)));
        let remembered = Wide(std::array::from_fn(|_| random.between(0.0, 1e-3)));
        let batches = Batches::<CentralBatch>::new(&scene);
        let push = |level: Option<Level>| {
            let (mut bodies, mut multipliers) = (start.clone(), remembered);
            let (batch, bodies_now) = (&batches.batches[0], Lines::new(&mut bodies));
            let kernel = Pushed { batch, bodies: bodies_now, targets: &targets, multipliers: &mut multipliers };
            let moved = match level {
                Some(level) => dispatch(level, kernel),
                None => kernel.run::<f64>(),
            };
            (bodies, multipliers, moved)
        };
        let one = push(None);
        for level in [Level::Baseline, Level::Avx2, Level::Avx512] {
            assert_eq!(push(Some(level)), one, "case {case}, {level:?}");
        }
        let (bodies, multipliers, _) = one;
        for (lane, contact) in scene.contacts.iter().enumerate() {
            let at = |body: BodyRow| Vec3::from_column_slice(&bodies[body.index().min(masses.len() - 1)].0[..3]);
            let opened = contact.normal.dot(&(at(contact.body_b) - at(contact.body_a)));
            // a few roundings of lengths of a millimetre
            let missing = opened - targets.0[lane];
            let tolerance = 1e-17;
            assert!(
                missing.abs() < tolerance || multipliers.0[lane] == 0.0 && missing > 0.0,
                "case {case}: {missing:e}"
            );
        }
        for (now, line) in bodies.iter().zip(&start) {
            assert_eq!((now.0[3], &now.0[4..]), (line.0[3], &line.0[4..]), "case {case}: mass and spin");
        }
        // nothing was pushed in the lane without a contact, and nothing reached the fixed world
        assert_eq!((multipliers.0[WIDE - 1], bodies.last()), (remembered.0[WIDE - 1], start.last()));
    }
}
