//! Kinds of contacts: kept from solve to solve, found again where they change, and the same at every width.

use super::batches::Batches;
use super::random::{Random, Scene, plain};
use crate::math::lanes::Level;
use crate::math::{BodyRow, ContactId, Symmetric3, Vec3};
use crate::solver::gauss_seidel::wide::central::CentralBatch;
use crate::solver::gauss_seidel::wide::general::GeneralBatch;
use crate::solver::problem::order::Order;
use crate::solver::problem::start::Start;
use crate::solver::problem::{Contact, Friction, MassInverse, Velocity};
use crate::solver::{Method, Options, Solver, StickProjection};

const OPTIONS: Options = Options {
    method: Method::Pgs,
    order: Order::Colored,
    iterations: 7,
    tolerance: 0.0,
    relaxation: 1.0,
    start: Start::Zero,
    projection: StickProjection::Off,
    splits: false,
};

/// A row of spheres along x that fall on the world, each on its neighbour and on the floor; and two walls, one of which touches the floor.
fn row_of_spheres() -> Scene {
    let mut scene = Scene::default();
    let mut last = None;
    for number in 0..12 {
        let linear = Vec3::new(0.1 * f64::from(number % 5), 0.2, -1.0);
        let sphere = scene.sphere(1.0, 0.5, Velocity { linear, angular: Vec3::new(0.1, -0.3, 0.2) });
        let floor = Contact { arm_b: -0.5 * Vec3::z(), friction: 0.5, ..plain(BodyRow::NONE, sphere, Vec3::z()) };
        scene.contacts.push(floor);
        if let Some(neighbour) = last.replace(sphere) {
            let (arm_a, arm_b) = (0.5 * Vec3::x(), -0.5 * Vec3::x());
            scene.contacts.push(Contact { arm_a, arm_b, friction: 0.3, ..plain(neighbour, sphere, Vec3::x()) });
        }
    }
    let walls = [scene.kinematic(Velocity::ZERO), scene.kinematic(Velocity::ZERO)];
    scene.contacts.push(Contact { friction: 0.5, ..plain(BodyRow::NONE, walls[0], Vec3::z()) });
    scene
}

/// Makes another scene of the row of spheres, of the same pairs or nearly so.
type Change = fn(&mut Scene);

/// Everything that a solve answers, as bits.
fn answer(solver: &mut Solver, scene: &Scene) -> Vec<u64> {
    let mut impulses = scene.no_impulses();
    let outcome = solver.solve(&scene.problem(), &OPTIONS, &mut impulses).expect("memory");
    let wrenches = ContactId::range(0..scene.contacts.len()).map(|contact| impulses.wrench(contact));
    let vectors = wrenches.flat_map(|wrench| [wrench.force.tangential, wrench.torque]);
    let moved = solver.velocities().iter().chain(solver.total_impulses());
    let velocities = moved.flat_map(|velocity| [velocity.linear, velocity.angular]);
    let vectors = vectors
        .chain(velocities)
        .chain((0..scene.contacts.len()).map(|contact| solver.relative(&scene.contacts[contact]).linear));
    let numbers = impulses.contacts.iter().map(|impulse| impulse.normal).chain(solver.residuals());
    let all = vectors.flat_map(|vector| [vector.x, vector.y, vector.z]).chain(numbers);
    all.chain([outcome.residual_max, outcome.residual_mean]).map(f64::to_bits).collect()
}

#[test]
fn what_a_solver_keeps_is_what_it_would_recompute() {
    let changes: [(&str, Change); 16] = [
        ("an arm beside the normal", |scene| scene.contacts[4].arm_b += 0.1 * Vec3::y()),
        ("a body that turns unlike about its axes", |scene| {
            scene.masses[3].angular = Symmetric3::diagonal([10.0, 20.0, 25.0]);
        }),
        ("every arm", |scene| scene.contacts.iter_mut().for_each(|contact| contact.arm_b += 0.1 * Vec3::y())),
        ("compliance", |scene| scene.optional_terms_of(5).normal_compliance = 0.25),
        ("a conveyor", |scene| scene.optional_terms_of(0).surface_velocity = Vec3::x()),
        ("rolling", |scene| scene.optional_terms_of(2).rolling = 0.05),
        ("rolling beside the normal", |scene| {
            scene.optional_terms_of(2).rolling = 0.05;
            scene.contacts[2].arm_b = Vec3::new(0.0, 0.1, -0.5);
        }),
        ("rolling between what nothing moves", |scene| {
            scene.optional_terms_of(scene.contacts.len() - 1).rolling = 0.05;
        }),
        ("boxes for cones", |scene| scene.friction = Friction::Box),
        ("another floor", |scene| scene.contacts[0].body_a = BodyRow(12)),
        ("walls that touch", |scene| scene.contacts[23].body_a = BodyRow(13)),
        ("pairs exchanged", |scene| {
            for contact in [5, 9] {
                let other = &mut scene.contacts[contact];
                (other.body_a, other.body_b) =
                    if contact == 5 { (BodyRow(4), BodyRow(5)) } else { (BodyRow(2), BodyRow(3)) };
            }
        }),
        ("a body that nothing moves", |scene| scene.masses[3] = MassInverse::ZERO),
        ("a wall that can be moved", |scene| scene.masses[12] = scene.masses[0]),
        ("a wall that moves", |scene| scene.velocities[12].linear = Vec3::x()),
        ("a contact less", |scene| _ = scene.contacts.remove(7)),
    ];
    let mut kept = Solver::default();
    let base = row_of_spheres();
    let expected = answer(&mut Solver::default(), &base);
    for (name, change) in changes {
        let mut changed = row_of_spheres();
        change(&mut changed);
        for _ in 0..2 {
            assert!(answer(&mut kept, &base) == expected, "before: {name}");
        }
        for _ in 0..2 {
            assert!(answer(&mut kept, &changed) == answer(&mut Solver::default(), &changed), "{name}");
        }
    }
    assert!(answer(&mut kept, &base) == expected);
}

#[test]
fn contacts_on_moving_surfaces_are_solved_among_others() {
    // 200 bodies, each alone on the floor, of which every 37th lies on a conveyor of its own: some of 25 batches have one. Spheres
    // are taken along by 2/7 of a conveyor's velocity, as friction turns them too; cubes do not turn, since they are pushed through
    // their middle.
    for cubes in [false, true] {
        let mut scene = Scene::default();
        for number in 0..200 {
            let falling = Velocity { linear: -Vec3::z(), angular: Vec3::zeros() };
            let inertia = if cubes { [0.1, 0.2, 0.3] } else { [0.1; 3] };
            let body = scene.body(1.0, Symmetric3::diagonal(inertia), falling);
            let arm_b = if cubes { Vec3::zeros() } else { -0.5 * Vec3::z() };
            scene.contacts.push(Contact { arm_b, friction: 10.0, ..plain(BodyRow::NONE, body, Vec3::z()) });
            if number % 37 == 20 {
                let surface_velocity = Vec3::new(f64::from(number), 1.0, 0.0) / 100.0;
                scene.optional_terms_of(number as usize).surface_velocity = surface_velocity;
            }
        }
        let (mut solver, mut impulses) = (Solver::default(), scene.no_impulses());
        for _ in 0..2 {
            solver.solve(&scene.problem(), &OPTIONS, &mut impulses).expect("memory");
            for (contact, velocity) in solver.velocities().iter().enumerate() {
                let surface_velocity = scene.problem().optional_terms(contact.into()).surface_velocity;
                let part = if cubes { 1.0 } else { 2.0 / 7.0 };
                // A few roundings of numbers of some 2 m/s.
                let error = (velocity.linear - part * surface_velocity).norm();
                assert!(error <= 2e-15, "body {contact}, cubes {cubes}: off by {error:e}");
                assert!(
                    (solver.relative(&scene.contacts[contact]).linear - surface_velocity).norm() <= 2e-15,
                    "body {contact}"
                );
                assert!(solver.residual(contact) <= 4e-15, "body {contact}: {}", solver.residual(contact));
            }
        }
    }
}

#[test]
fn batches_are_prepared_equally_at_every_width() {
    let mut random = Random(9);
    for case in 0..100 {
        let mut scene = Scene::random(&mut random, 10, 24);
        let general = [Level::Baseline, Level::Avx2, Level::Avx512]
            .map(|level| format!("{:?}", Batches::<GeneralBatch>::made_at(level, &scene, &scene.wholes()).batches));
        assert!(general[0] == general[1] && general[0] == general[2], "case {case}");
        // central ones need not be: what is made of others must be alike too
        for contact in scene.contacts.iter_mut().filter(|_| random.one_in(2)) {
            (contact.arm_a, contact.arm_b) = (0.5 * contact.normal, -0.5 * contact.normal);
        }
        let central = [Level::Baseline, Level::Avx2, Level::Avx512]
            .map(|level| format!("{:?}", Batches::<CentralBatch>::made_at(level, &scene, &scene.wholes()).batches));
        assert!(central[0] == central[1] && central[0] == central[2], "case {case}");
    }
}
