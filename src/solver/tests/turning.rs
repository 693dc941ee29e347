//! The torques of one contact against their closed forms: sticking, at the bound, anisotropic, locked.

use super::batches::Batches;
use super::random::{Random, Scene, on_lines, plain, resisting};
use crate::math::{BodyRow, Symmetric3, Vec3};
use crate::solver::gauss_seidel::wide::general::GeneralBatch;
use crate::solver::problem::cone::{Cone, Parts};
use crate::solver::problem::{Contact, Impulse, ImpulsiveWrench, MassInverse, OptionalTerms, Velocity};

/// A contact with normal z that resists turning, on the world.
fn on_world(rolling: f64, twisting: f64) -> (Contact, OptionalTerms) {
    (plain(BodyRow::NONE, BodyRow(0), Vec3::z()), resisting(rolling, twisting))
}

fn turning(scene: &mut Scene, moments: [f64; 3], spin: [f64; 3]) {
    scene.body(1.0, Symmetric3::diagonal(moments), Velocity { linear: Vec3::x(), angular: spin.into() });
}

/// A frictionless contact through both centres that carries this normal impulse, which a visit finds right: what the
/// visit changes are torques and spins alone.
fn pressed(scene: &Scene, (contact, optional): &(Contact, OptionalTerms), normal: f64) -> Batches<GeneralBatch> {
    let problem = scene.problem();
    let closing = contact
        .normal
        .dot(&contact.relative_velocity(problem.free_velocity(contact.body_a), problem.free_velocity(contact.body_b)));
    let contact = Contact { normal_bias: -closing, ..*contact };
    assert!(contact.friction == 0.0 && contact.arm_a == Vec3::zeros() && contact.arm_b == Vec3::zeros());
    let mut row = Batches::of_one(scene, (&contact, optional));
    row.set(0, &Impulse::force(normal, Vec3::zeros()));
    row
}

/// Torque and spin after one visit with the normal impulse.
fn visited(scene: &Scene, contact: &(Contact, OptionalTerms), normal: f64, relaxation: f64) -> (Vec3, Vec3) {
    let (masses, mut velocities) = scene.with_world();
    let mut row = pressed(scene, contact, normal);
    on_lines(&masses, &mut velocities, |bodies| row.relax(0, bodies, relaxation));
    assert_eq!(row.impulse(0).normal, normal);
    assert_eq!(velocities[0].linear, scene.velocities[0].linear);
    assert_eq!(velocities[scene.masses.len()], Velocity::ZERO, "a torque does not turn the world");
    (row.wrench(0).torque, velocities[0].angular)
}

fn close(found: Vec3, expected: [f64; 3]) {
    // A few roundings of numbers of some 4.
    assert!((found - Vec3::from(expected)).norm() <= 2e-15, "{found} instead of {expected:?}");
}

#[test]
fn a_ball_by_hand() {
    let mut scene = Scene::default();
    turning(&mut scene, [2.0; 3], [3.0, 4.0, 1.0]);
    // Enough of both: it stops. I w = 2 (3, 4, 1).
    let (torque, spin) = visited(&scene, &on_world(5.0, 1.0), 2.0, 1.0);
    close(torque, [-6.0, -8.0, -2.0]);
    close(spin, [0.0; 3]);
    // Rolling up to 5: half of what stops it, against the spin.
    let (torque, spin) = visited(&scene, &on_world(2.5, 0.25), 2.0, 1.0);
    close(torque, [-3.0, -4.0, -0.5]);
    close(spin, [1.5, 2.0, 0.75]);
    // One alone: the other is not touched.
    close(visited(&scene, &on_world(0.0, 9.0), 2.0, 1.0).0, [0.0, 0.0, -2.0]);
    close(visited(&scene, &on_world(9.0, 0.0), 2.0, 1.0).0, [-6.0, -8.0, 0.0]);
    // Without a normal impulse there is none.
    assert_eq!(visited(&scene, &on_world(9.0, 9.0), 0.0, 1.0).0.map(f64::abs), Vec3::zeros());
    // Half of the way, and beyond it back to the bound.
    close(visited(&scene, &on_world(5.0, 1.0), 2.0, 0.5).0, [-3.0, -4.0, -1.0]);
    close(visited(&scene, &on_world(2.5, 0.25), 2.0, 1.5).0, [-3.0, -4.0, -0.5]);
}

#[test]
fn one_visit_solves_rolling_or_twisting_of_any_two_bodies() {
    let mut random = Random(1);
    let mut met = [0; 4];
    for case in 0..2000 {
        let mut scene = Scene::default();
        for _ in 0..2 {
            let moments = [random.between(0.5, 2.0), random.between(0.5, 2.0), random.between(0.5, 2.0)];
            let inertia = Symmetric3::diagonal(moments).rotated(&random.rotation());
            let velocity = Velocity { linear: random.vector(1.0), angular: random.vector(1.0) };
            scene.body(random.magnitude(0.5, 2.0), inertia, velocity);
        }
        let rolls = case % 2 == 0;
        let bound = random.magnitude(0.05, 5.0);
        let (rolling, twisting) = if rolls { (bound, 0.0) } else { (0.0, bound) };
        let contact = plain(BodyRow(0), BodyRow(1), random.direction());
        let (masses, mut velocities) = scene.with_world();
        let mut row = pressed(&scene, &(contact, resisting(rolling, twisting)), 1.0);
        on_lines(&masses, &mut velocities, |bodies| row.relax(0, bodies, 1.0));
        let ImpulsiveWrench { force: Impulse { normal, .. }, torque } = row.wrench(0);
        // the bias takes the normal velocity away up to its round-off
        assert!((normal - 1.0).abs() <= 1e-15 * 8.0, "case {case}: {normal}");
        let (about_n, across) = contact.split(&torque);
        assert!(if rolls { about_n.norm() <= 1e-15 * (1.0 + bound) } else { across.norm() <= 1e-15 * (1.0 + bound) });
        // The law of the cone, with a normal velocity of zero.
        let spin = contact.split(&(velocities[1].angular - velocities[0].angular));
        let (mut lambda, mut w) = (Parts { normal: 1.0, bounded: [Vec3::zeros(); 3] }, Vec3::zeros());
        (lambda.bounded[1], lambda.bounded[2]) = (across, about_n);
        if rolls {
            w = spin.1
        } else {
            w += spin.0
        };
        let bounded = if rolls { [Vec3::zeros(), w, Vec3::zeros()] } else { [Vec3::zeros(), Vec3::zeros(), w] };
        let residual = Cone { friction: 0.0, rolling, twisting, dilation: 0.0 }.residual(
            &lambda,
            &Parts { normal: 0.0, bounded },
            1.0,
            1.0,
        );
        assert!(residual <= 2e-14 * (1.0 + bound), "case {case}: {residual:e}");
        met[usize::from(rolls) * 2 + usize::from(w.norm() > 1e-6)] += 1;
        // Angular momentum goes from one to the other.
        let gained = |body: usize| {
            let (_, inertia) = scene.free[body].expect("a free body");
            inertia.times(&(velocities[body].angular - scene.velocities[body].angular))
        };
        assert!((gained(0) + gained(1)).norm() <= 1e-14 * (1.0 + bound), "case {case}");
        assert!((gained(1) - torque).norm() <= 1e-14 * (1.0 + bound), "case {case}");
    }
    assert!(met.iter().all(|count| *count > 100), "stopped or not, rolling or twisting: {met:?}");
}

#[test]
fn a_torque_is_kept_by_a_visit_that_finds_it_right() {
    let mut scene = Scene::default();
    turning(&mut scene, [1.0, 2.0, 4.0], [0.0; 3]);
    let contact = (plain(BodyRow::NONE, BodyRow(0), Vec3::new(0.6, 0.0, 0.8)), resisting(1.0, 1.0));
    let (masses, mut velocities) = scene.with_world();
    let mut row = pressed(&scene, &contact, 1.0);
    let torque = Vec3::new(0.1, -0.2, 0.3);
    row.set_wrench(0, &ImpulsiveWrench { torque, ..Impulse::force(1.0, Vec3::zeros()).into() });
    assert!((row.wrench(0).torque - torque).norm() <= 1e-15);
    let change = on_lines(&masses, &mut velocities, |bodies| row.relax(0, bodies, 1.0));
    assert!((row.wrench(0).torque - torque).norm() <= 1e-15 && change <= 1e-30, "{change:e}");
}

#[test]
fn locked_axes_take_no_torque() {
    let mut scene = Scene::default();
    // It turns about y alone; the contact's tangents are x and y.
    let angular = Symmetric3::diagonal([0.0, 0.5, 0.0]);
    scene.masses.push(MassInverse { linear: Vec3::repeat(1.0), angular });
    scene.free.push(None);
    scene.velocities.push(Velocity { linear: Vec3::zeros(), angular: Vec3::new(3.0, 4.0, 5.0) });
    let (torque, spin) = visited(&scene, &on_world(100.0, 100.0), 1.0, 1.0);
    // The locked axis answers as if it were 1e12 times as stiff as the whole block, of 0.5: 3 / 0.5e12.
    assert!(torque.x.abs() <= 7e-12 && torque.z == 0.0, "{torque}");
    assert_eq!((torque.y, spin), (-8.0, Vec3::new(3.0, 0.0, 5.0)));
    let (torque, _) = visited(&scene, &on_world(2.0, 2.0), 1.0, 1.0);
    assert!(
        (torque - Vec3::new(0.0, -2.0, 0.0)).norm() <= 7e-12,
        "all of the bound is for the axis that turns: {torque}"
    );
}

#[test]
fn no_torque_is_kept_where_nothing_resists_or_nothing_turns() {
    let mut scene = Scene::default();
    turning(&mut scene, [1.0; 3], [1.0; 3]);
    let assert_none = |scene: &Scene, contact| {
        let mut row = pressed(scene, &contact, 1.0);
        let torque = Vec3::repeat(0.5);
        row.set_wrench(0, &ImpulsiveWrench { torque, ..Impulse::force(1.0, Vec3::zeros()).into() });
        assert_eq!(row.wrench(0).torque, Vec3::zeros());
    };
    assert_none(&scene, on_world(0.0, 0.0));
    scene.masses[0].angular = Symmetric3::default();
    assert_none(&scene, on_world(0.0, 0.0));
    assert_none(&scene, on_world(1.0, 1.0));
}
