//! What is measured of eight general contacts at once is what is measured of each.

use super::batches::Batches;
use super::random::{Random, Scene, lines_of, plain};
use crate::math::lanes::{Level, Lines, dispatch};
use crate::math::{Symmetric3, Vec3};
use crate::solver::problem::{Besides, Contact, FIXED, Impulse, Velocity};
use crate::solver::residual::contact_residual;
use crate::solver::wide::Ground;
use crate::solver::wide::general::GeneralBatch;
use crate::solver::wide::measure::{Measure, Measured};

#[test]
fn eight_general_contacts_are_measured_as_one_is() {
    let mut random = Random(5);
    let mut regions = [0; 4];
    for case in 0..200 {
        let mut scene = Scene::random(&mut random, 6, 30);
        let is_plain = |(_, besides): &(_, Besides)| !besides.yields_or_conveys() && !besides.resists_turning();
        (scene.contacts, scene.besides) = scene.wholes().into_iter().filter(is_plain).collect();
        scene.contacts.truncate(7);
        let (masses, velocities) = scene.with_world();
        let mut batches = Batches::<GeneralBatch>::new(&scene);
        for (index, contact) in scene.contacts.iter().enumerate() {
            let pressure = if random.one_in(3) { 0.0 } else { random.magnitude(1e-3, 3.0) };
            let along = contact.normal.cross(&random.direction()).normalize();
            let friction = contact.friction.min(1.0) * pressure * random.between(0.0, 1.0);
            batches.set(index, &Impulse::force(pressure, friction * along));
        }
        let mut bodies = lines_of(&masses, &velocities);
        let mut seconds = batches.masses.clone();
        let mut measured = |level| {
            let mut measured = [Measured::NONE];
            let ground = Ground { bodies: Lines::new(&mut bodies), masses: Lines::new(&mut seconds), relaxation: 1.0 };
            dispatch(level, Measure { batches: &batches.batches, measured: &mut measured, ground });
            let [Measured { relative, normal, residual }] = measured;
            (relative, normal, residual)
        };
        let (relative, normal, residual) = measured(Level::Baseline);
        assert_eq!((relative, normal, residual), measured(Level::Avx2), "case {case}");
        assert_eq!((relative, normal, residual), measured(Level::Avx512), "case {case}");
        assert_eq!(residual.0[7], 0.0);
        let problem = scene.problem();
        for (lane, contact) in scene.contacts.iter().enumerate() {
            let at = |body: u32| if body == FIXED { &Velocity::ZERO } else { problem.free_velocity(body) };
            let (pair, impulse) = ([at(contact.body_a), at(contact.body_b)], batches.impulse(lane));
            let u = contact.relative_velocity(pair[0], pair[1]);
            let found = Vec3::new(relative[0].0[lane], relative[1].0[lane], relative[2].0[lane]);
            // Round-off of sums of some ten terms of a few m/s.
            assert!((found - u).norm() <= 1e-14, "case {case}, lane {lane}: {found} instead of {u}");
            assert_eq!(normal.0[lane], contact.normal.dot(&found), "case {case}, lane {lane}");
            let expected = contact_residual(&problem, problem.whole(lane), pair, &impulse.into());
            let error = (residual.0[lane] - expected).abs();
            // The same, and of impulses of 3 N s over masses of a tenth of a kilogram.
            assert!(error <= 1e-12 * (1.0 + expected), "case {case}, lane {lane}: off by {error:e} of {expected}");
            regions[usize::from(impulse.normal == 0.0) + 2 * usize::from(contact.normal.dot(&u) > 0.0)] += 1;
        }
    }
    assert!(regions.iter().all(|count| *count > 50), "{regions:?}");
}

#[test]
fn what_is_no_number_is_measured_as_none() {
    // The arm is so long that what an impulse along it changes is infinity minus infinity.
    let mut scene = Scene::default();
    scene.body(1.0, Symmetric3::diagonal([1.0; 3]), Velocity::ZERO);
    scene.contacts.push(Contact { arm_b: Vec3::new(1e155, 0.0, 0.0), friction: 0.5, ..plain(FIXED, 0, Vec3::z()) });
    let (masses, velocities) = scene.with_world();
    let batches = Batches::<GeneralBatch>::new(&scene);
    let (mut bodies, mut seconds) = (lines_of(&masses, &velocities), batches.masses.clone());
    let mut measured = [Measured::NONE];
    let ground = Ground { bodies: Lines::new(&mut bodies), masses: Lines::new(&mut seconds), relaxation: 1.0 };
    dispatch(Level::best(), Measure { batches: &batches.batches, measured: &mut measured, ground });
    assert!(measured[0].residual.0[0].is_nan(), "{measured:?}");
}
