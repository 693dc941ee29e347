//! What is measured of eight contacts at once is what is measured of each; what a solver measures is found under the contact's number.

use super::batches::{Batches, Measured};
use super::random::{Random, Scene, filled, from_lanes, lines_of, plain, resisting};
use crate::math::lanes::{Level, WIDE, Wide};
use crate::math::{BodyRow, Symmetric3, Vec3};
use crate::solver::gauss_seidel::wide::ContactBatch;
use crate::solver::gauss_seidel::wide::central::CentralBatch;
use crate::solver::gauss_seidel::wide::general::GeneralBatch;
use crate::solver::problem::contacts::list_pairs;
use crate::solver::problem::order::Order;
use crate::solver::problem::residual::contact_residual;
use crate::solver::problem::start::Start;
use crate::solver::problem::{Contact, Friction, Impulse, ImpulsiveWrench, MassInverse, OptionalTerms, Velocity};
use crate::solver::{Method, Options, Solver, StickProjection};
use crate::tasks::Serial;

/// The lines of a scene's bodies as they are given.
fn given_lines(scene: &Scene) -> Vec<Wide> {
    let (masses, velocities) = scene.with_world();
    lines_of(&masses, &velocities)
}

/// Measures the contacts of a scene, of which the last lane is empty, at these wrenches; the same bits at every width.
/// Compares each with the measurement of that contact alone. `bounds` are those of velocities [m/s] and of residuals
/// over one plus the residual. Counts in which `regions` the contacts are: pressed or not, opening or not.
fn compare<B: ContactBatch>(
    scene: &Scene,
    wrenches: &[ImpulsiveWrench],
    optional: bool,
    bounds: [f64; 2],
    regions: &mut [usize; 4],
) {
    let mut batches = Batches::<B>::new(scene);
    wrenches.iter().enumerate().for_each(|(index, wrench)| batches.set_wrench(index, wrench));
    let lines = given_lines(scene);
    let [measured, others @ ..] =
        [Level::Baseline, Level::Avx2, Level::Avx512].map(|level| batches.measured(level, &lines, optional));
    assert_eq!(others, [measured; 2]);
    let Measured { normal, residual } = measured;
    assert_eq!(residual.0[WIDE - 1], 0.0);
    let problem = scene.problem();
    for lane in 0..scene.contacts.len() {
        let found = batches.relative(lane, &lines, optional);
        let (contact, optional) = problem.full_contact(lane.into());
        let at = |body: BodyRow| if body == BodyRow::NONE { &Velocity::ZERO } else { problem.free_velocity(body) };
        let pair = [at(contact.body_a), at(contact.body_b)];
        let u = contact.relative_velocity(pair[0], pair[1]);
        assert!((found - u).norm() <= bounds[0], "lane {lane}: {found} instead of {u}");
        assert_eq!(normal.0[lane], contact.normal.dot(&found), "lane {lane}");
        let wrench = batches.wrench(lane);
        let expected = contact_residual(&problem, (contact, optional), pair, &wrench);
        let error = (residual.0[lane] - expected).abs();
        assert!(error <= bounds[1] * (1.0 + expected), "lane {lane}: off by {error:e} of {expected}");
        regions[usize::from(wrench.force.normal == 0.0) + 2 * usize::from(contact.normal.dot(&u) > 0.0)] += 1;
    }
}

/// Impulses of every kind for the contacts of a scene: none, within bounds, and torques beyond them.
fn random_wrenches(random: &mut Random, scene: &Scene) -> Vec<ImpulsiveWrench> {
    let wrench = |(contact, optional): &(Contact, OptionalTerms)| {
        let pressure = if random.one_in(3) { 0.0 } else { random.magnitude(1e-3, 3.0) };
        let along = contact.normal.cross(&random.direction()).normalize();
        let friction = contact.friction.min(1.0) * pressure * random.between(0.0, 1.0);
        let (rolled, twisted) = (random.between(0.0, 1.5), random.between(-1.5, 1.5));
        let torque = rolled * optional.rolling * along + twisted * optional.twisting * contact.normal;
        ImpulsiveWrench { force: Impulse::force(pressure, friction * along), torque: pressure * torque }
    };
    scene.wholes().iter().map(wrench).collect()
}

/// Seven contacts of spheres with each other and the world. With `optional`, there are also turning kinematic bodies,
/// and contacts have all that they may have in addition to friction.
fn spheres(random: &mut Random, optional: bool) -> Scene {
    let mut scene = Scene::default();
    for lane in 0..WIDE - 1 {
        let [a, b] = [0, 1].map(|side| {
            let velocity = Velocity { linear: random.vector(1.0), angular: random.vector(1.0) };
            if optional && side == 0 && random.one_in(4) {
                scene.kinematic(velocity)
            } else {
                let mass = random.magnitude(0.5, 5.0);
                scene.sphere(mass, 0.5, velocity)
            }
        });
        let normal = random.direction();
        let a = if lane % 3 == 0 { BodyRow::NONE } else { a };
        let contact = Contact {
            arm_a: random.between(0.3, 0.6) * normal,
            arm_b: random.between(-0.6, -0.3) * normal,
            normal_bias: random.between(-1.0, 1.0),
            friction: if random.one_in(5) { 0.0 } else { random.between(0.1, 2.0) },
            ..plain(a, b, normal)
        };
        let mut some =
            |upper_bound: f64| if optional && random.one_in(2) { random.between(0.01, upper_bound) } else { 0.0 };
        let (rolling, twisting) = (some(0.3), some(0.3));
        let (normal_compliance, tangential_compliance, turning_compliance) = (some(0.2), some(0.2), some(0.2));
        let surface_velocity = some(1.0) * random.direction();
        let extra = OptionalTerms {
            surface_velocity,
            normal_compliance,
            tangential_compliance,
            turning_compliance,
            rolling,
            twisting,
        };
        scene.add(contact, extra);
    }
    scene
}

#[test]
fn eight_central_contacts_are_measured_as_one_is() {
    let mut random = Random(11);
    let mut regions = [0; 4];
    for case in 0..600 {
        let optional = case % 2 == 0;
        let scene = spheres(&mut random, optional);
        let wrenches = random_wrenches(&mut random, &scene);
        // Round-off of sums of some ten terms of at most 2 m/s, and of impulses of 3 N s over masses of 0.5 kg.
        compare::<CentralBatch>(&scene, &wrenches, optional, [4e-15, 1e-13], &mut regions);
    }
    assert!(regions.iter().all(|count| *count > 100), "{regions:?}");
}

#[test]
fn eight_general_contacts_are_measured_as_one_is() {
    let mut random = Random(5);
    let mut regions = [0; 4];
    for case in 0..400 {
        let extra = case % 2 == 0;
        let mut scene = Scene::random(&mut random, 6, 30);
        let is_measured = |(_, optional): &(_, OptionalTerms)| {
            (extra || OptionalTerms { rolling: 0.0, twisting: 0.0, ..*optional } == OptionalTerms::NONE)
                && !optional.resists_turning()
        };
        (scene.contacts, scene.optional) = scene.wholes().into_iter().filter(is_measured).collect();
        scene.contacts.truncate(7);
        let wrenches = random_wrenches(&mut random, &scene);
        // Round-off of sums of some ten terms of a few m/s, and of impulses of 3 N s over masses of a tenth of a kilogram.
        compare::<GeneralBatch>(&scene, &wrenches, extra, [1e-14, 1e-12], &mut regions);
    }
    assert!(regions.iter().all(|count| *count > 50), "{regions:?}");
}

#[test]
fn what_is_no_number_is_measured_as_none() {
    let mut scene = Scene::default();
    let nowhere = Velocity { linear: Vec3::new(f64::NAN, 0.0, 0.0), angular: Vec3::zeros() };
    scene.sphere(1.0, 0.5, nowhere);
    let contact = Contact { arm_b: -0.5 * Vec3::x(), friction: 0.5, ..plain(BodyRow::NONE, BodyRow(0), Vec3::x()) };
    scene.add(contact, resisting(0.1, 0.1));
    for optional in [false, true] {
        let measured = Batches::<CentralBatch>::new(&scene).measured(Level::best(), &given_lines(&scene), optional);
        assert!(measured.residual.0[0].is_nan(), "{measured:?}");
    }
    // A spin that is none, where something resists it.
    scene.velocities[0] = Velocity { linear: Vec3::zeros(), angular: Vec3::new(0.0, f64::NAN, 0.0) };
    let measured = Batches::<CentralBatch>::new(&scene).measured(Level::best(), &given_lines(&scene), true);
    assert!(measured.residual.0[0].is_nan(), "{measured:?}");

    // The arm is so long that what an impulse along it changes is infinity minus infinity.
    let mut scene = Scene::default();
    scene.body(1.0, Symmetric3::diagonal([1.0; 3]), Velocity::ZERO);
    scene.contacts.push(Contact {
        arm_b: Vec3::new(1e155, 0.0, 0.0),
        friction: 0.5,
        ..plain(BodyRow::NONE, BodyRow(0), Vec3::z())
    });
    let measured = Batches::<GeneralBatch>::new(&scene).measured(Level::best(), &given_lines(&scene), false);
    assert!(measured.residual.0[0].is_nan(), "{measured:?}");
}

#[test]
fn a_contact_of_a_body_that_can_only_turn_is_measured_too() {
    // Its translations are locked: an impulse along the normal answers nothing, and what the bias asks for is missing.
    let mut scene = Scene::default();
    scene.masses.push(MassInverse { linear: Vec3::zeros(), angular: Symmetric3::diagonal([1.0; 3]) });
    scene.velocities.push(Velocity::ZERO);
    let contact = Contact {
        arm_b: -0.5 * Vec3::z(),
        normal_bias: -1.0,
        friction: 0.5,
        ..plain(BodyRow::NONE, BodyRow(0), Vec3::z())
    };
    scene.contacts.push(contact);
    let measured = Batches::<CentralBatch>::new(&scene).measured(Level::best(), &given_lines(&scene), false);
    let expected = contact_residual(
        &scene.problem(),
        (&contact, &OptionalTerms::NONE),
        [&Velocity::ZERO; 2],
        &ImpulsiveWrench::ZERO,
    );
    assert!(expected > 0.5 && (measured.residual.0[0] - expected).abs() <= 1e-15, "{measured:?}");
}

#[test]
fn what_a_solver_measures_of_each_contact_is_what_follows_from_its_velocities() {
    let options = Options {
        method: Method::Pgs,
        order: Order::Colored,
        iterations: 3,
        tolerance: 0.0,
        relaxation: 1.0,
        start: Start::Zero,
        projection: StickProjection::Off,
        splits: false,
    };
    let mut random = Random(17);
    let (mut solver, mut pairs, mut others) = (Solver::default(), Vec::new(), Vec::new());
    // of contacts measured in batches or not, those that roll
    let (mut met, mut rolling) = ([0; 2], 0);
    for case in 0..60 {
        let mut scene = Scene::random(&mut random, 30, 80);
        if case % 3 > 0 {
            scene.resist_turning(&mut random);
        }
        scene.friction = if case % 4 == 3 { Friction::Box } else { Friction::Coulomb };
        let (problem, mut impulses) = (scene.problem(), scene.no_impulses());
        list_pairs(&problem, &mut pairs, &Serial).expect("memory");
        solver.lay_out(&problem, &pairs, &options, true).expect("memory");
        let mut buffer = filled(&problem, solver.lanes());
        let outcome = solver.solve_filled(&problem, &mut buffer, &options, &mut impulses).expect("memory");
        let normal_velocities = from_lanes(solver.lane_of(), solver.normal_velocities());
        let residuals: Vec<f64> = solver.residuals().collect();
        assert_eq!(residuals.len(), scene.contacts.len());
        for (index, contact) in scene.contacts.iter().enumerate() {
            let optional = problem.optional_terms(index.into());
            let Velocity { linear, .. } = solver.relative(contact);
            // Sums of some ten terms of bodies that impulses of up to 1e2 N s brought to some 1e2 m/s.
            let close = |found: f64, expected: f64| (found - expected).abs() <= 1e-11 * (1.0 + expected.abs());
            let opening = contact.normal.dot(&linear);
            let found = normal_velocities[index];
            assert!(close(found, opening), "case {case}, contact {index}: {found} instead of {opening} m/s");
            let at = |body: BodyRow| solver.velocities().get(body.index()).unwrap_or(&Velocity::ZERO);
            let pair = [at(contact.body_a), at(contact.body_b)];
            let expected = contact_residual(&problem, (contact, optional), pair, &impulses.wrench(index.into()));
            let found = residuals[index];
            assert!(close(found, expected), "case {case}, contact {index}: {found} instead of {expected} m/s");
            rolling += usize::from(optional.resists_turning());
            met[usize::from(solver.rows.residual(index.into()).is_some())] += 1;
        }
        let largest = residuals.iter().copied().fold(0.0, f64::max);
        assert_eq!(outcome.residual_max, largest);

        // the velocities, and one for the fixed world, are exchanged for an array that the next problem writes over
        let velocities = solver.velocities().to_vec();
        solver.swap_velocities(&mut others);
        assert_eq!((&others[..30], others.len()), (&velocities[..], 31));
    }
    assert!(met.iter().all(|count| *count > 500) && rolling > 100, "{met:?} contacts, {rolling} roll");
}
