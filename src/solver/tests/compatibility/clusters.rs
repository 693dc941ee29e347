//! Rattlers, clusters that nothing holds, and stiffness over six decades.

use crate::math::{BodyRow, Vec3};
use crate::solver::problem::{Contact, Velocity};
use crate::solver::tests::compatibility::oracle::Rows;
use crate::solver::tests::compatibility::pyramid::Pyramid;
use crate::solver::tests::compatibility::small::assert_close;
use crate::solver::tests::compatibility::{HERTZ, HOOKE, corrected};
use crate::solver::tests::random::{Random, Scene, plain};

/// Of forces that solve equations to 1e-12 of their load, times the size of the network.
const CLOSE: f64 = 1e-11;

/// Spheres of radius 1 and mass 1 at `places` that touch where they do.
fn spheres(places: &[Vec3]) -> Scene {
    let mut scene = Scene::default();
    for (b, place) in places.iter().enumerate() {
        scene.sphere(1.0, 1.0, Velocity::ZERO);
        for (a, other) in places[..b].iter().enumerate() {
            let between: Vec3 = place - other;
            if between.norm() < 2.0 * (1.0 + 1e-9) {
                let normal = between.normalize();
                let contact = Contact { arm_a: normal, arm_b: -normal, ..plain(a.into(), b.into(), normal) };
                scene.contacts.push(contact);
            }
        }
    }
    scene
}

/// Velocities that the impulses stop: what presses the cluster together.
fn loaded(mut scene: Scene, impulses: &[f64]) -> Scene {
    for (contact, impulse) in scene.contacts.iter().zip(impulses) {
        scene.velocities[contact.body_a].linear += *impulse * contact.normal;
        scene.velocities[contact.body_b].linear -= *impulse * contact.normal;
    }
    scene
}

/// Four spheres that press one another and nothing else: six forces, twelve sums of which six balance by themselves, no
/// choice.
#[test]
fn a_floating_tetrahedron_keeps_its_forces() {
    let s = 0.5_f64.sqrt();
    let scene = spheres(&[[1.0, 0.0, -s], [-1.0, 0.0, -s], [0.0, 1.0, s], [0.0, -1.0, s]].map(Vec3::from));
    assert_eq!(scene.contacts.len(), 6);
    let given = [1.0, 2.0, 0.5, 3.0, 0.25, 1.5];
    let scene = loaded(scene, &given);
    for exponent in [1.5, HOOKE, HERTZ, 4.0] {
        let (report, forces) = corrected(&scene, &given, &[1.0, 5.0, 2.0, 1.0, 3.0, 1.0], exponent);
        assert_close(&forces, &given, CLOSE);
        assert_eq!(report.closed, 6);
    }
}

/// A sphere and the twelve that touch it, pressed inwards by 3 each. The given impulses are 3 in each of the twelve
/// contacts of the middle and zero in the 24 between neighbours.
///
/// Each outer sphere has four neighbours, at 60 degrees from the direction to the middle. By symmetry a middle contact
/// carries `s` and an outer one `t` with `s + 4 t / 2 = 3`; all distances are two radii and shrink alike, so
/// that `s = t = 1`, for every law.
#[test]
fn a_floating_cluster_shares_its_load() {
    let mut places = vec![Vec3::zeros()];
    for (x, y) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
        let s = 2.0_f64.sqrt();
        places.extend([Vec3::new(s * x, s * y, 0.0), Vec3::new(s * x, 0.0, s * y), Vec3::new(0.0, s * x, s * y)]);
    }
    let scene = spheres(&places);
    assert_eq!(scene.contacts.len(), 36);
    let given: Vec<f64> =
        scene.contacts.iter().map(|contact| if contact.body_a == BodyRow(0) { 3.0 } else { 0.0 }).collect();
    let scene = loaded(scene, &given);
    for exponent in [1.5, HOOKE, HERTZ, 4.0] {
        let (report, forces) = corrected(&scene, &given, &[1.0; 36], exponent);
        assert_eq!(report.closed, 36);
        assert_close(&forces, &[1.0; 36], CLOSE);
    }
}

/// A sphere of weight 10 on the floor, and one without weight at its side, which it pushes away where it sinks: nothing
/// holds that one, so it carries nothing.
#[test]
fn a_rattler_carries_nothing() {
    let mut scene = Scene::default();
    let falling = Velocity { linear: -10.0 * Vec3::z(), angular: Vec3::zeros() };
    let sphere = scene.sphere(1.0, 1.0, falling);
    let rattler = scene.sphere(1.0, 1.0, Velocity::ZERO);
    let below = Vec3::new(0.8, 0.0, -0.6);
    scene.contacts.push(Contact { arm_b: -Vec3::z(), ..plain(BodyRow::NONE, sphere, Vec3::z()) });
    scene.contacts.push(Contact { arm_a: below, arm_b: -below, ..plain(sphere, rattler, below) });
    for exponent in [1.5, HOOKE, HERTZ, 4.0] {
        let (report, forces) = corrected(&scene, &[10.0, 0.0], &[1.0, 1.0], exponent);
        assert_eq!(report.closed, 2);
        assert_close(&forces, &[10.0, 0.0], 10.0 * CLOSE);
    }
}

/// The same with a wall and a floor that the other touches: the sphere that sinks presses it into the corner, which carries.
///
/// The sphere has the displacement `s` down, the other one `(x, z)`. Their contact has the normal (0.8, -0.6). The
/// other one has a wall at +x and a floor under it. All stiffnesses are 1, and the compressions are
/// `c = 0.6 s - 0.8 x + 0.6 z`, `x` and `-z`. Balance of the other: `x = 0.8 c`, `-z = 0.6 c`, so `c = 0.6 s - c`,
/// `c = 0.3 s`. The sphere, held along x: `s + 0.6 c = 10`, so that `s = 10 / 1.18` and `c = 3 / 1.18`.
#[test]
fn a_wedge_is_no_rattler() {
    let mut scene = Scene::default();
    let falling = Velocity { linear: -10.0 * Vec3::z(), angular: Vec3::zeros() };
    let sphere = scene.sphere(1.0, 1.0, falling);
    scene.masses[sphere].linear.x = 0.0;
    let other = scene.sphere(1.0, 1.0, Velocity::ZERO);
    let below = Vec3::new(0.8, 0.0, -0.6);
    scene.contacts.push(Contact { arm_b: -Vec3::z(), ..plain(BodyRow::NONE, sphere, Vec3::z()) });
    scene.contacts.push(Contact { arm_a: below, arm_b: -below, ..plain(sphere, other, below) });
    for normal in [-Vec3::x(), Vec3::z()] {
        scene.contacts.push(Contact { arm_b: -normal, ..plain(BodyRow::NONE, other, normal) });
    }
    let (_, forces) = corrected(&scene, &[10.0, 0.0, 0.0, 0.0], &[1.0; 4], HOOKE);
    assert_close(&forces, &[10.0 / 1.18, 3.0 / 1.18, 2.4 / 1.18, 1.8 / 1.18], 10.0 * CLOSE);
}

/// A sphere without weight on top of a pyramid: the others do not feel it.
#[test]
fn a_rattler_in_a_pyramid() {
    let pyramid = Pyramid::new(5);
    let weights = pyramid.weights();
    let alone = vec![1.0; weights.len()];
    let (_, expected) = corrected(&pyramid.scene, &weights, &alone, HOOKE);
    let (top, mut scene) = (BodyRow::from(pyramid.scene.masses.len() - 1), pyramid.scene);
    let rattler = scene.sphere(1.0, 1.0, Velocity::ZERO);
    scene.contacts.push(Contact { arm_a: Vec3::z(), arm_b: -Vec3::z(), ..plain(top, rattler, Vec3::z()) });
    let given: Vec<f64> = weights.iter().copied().chain([0.0]).collect();
    let (report, forces) = corrected(&scene, &given, &vec![1.0; given.len()], HOOKE);
    assert_eq!(report.closed as usize, given.len());
    let expected: Vec<f64> = expected.iter().copied().chain([0.0]).collect();
    // the load is about 5 in all
    assert_close(&forces, &expected, 10.0 * CLOSE);
}

/// Every contact of a pyramid of its own stiffness, over six decades.
#[test]
fn pyramids_of_stiffness_over_six_decades() {
    for (base, seed) in [(3, 1), (5, 2), (5, 3), (7, 4)] {
        let pyramid = Pyramid::new(base);
        let mut random = Random(seed);
        let weights = pyramid.weights();
        let stiffness: Vec<f64> = weights.iter().map(|_| random.magnitude(1.0, 1e6)).collect();
        for exponent in [HOOKE, HERTZ] {
            let (report, forces) = corrected(&pyramid.scene, &weights, &stiffness, exponent);
            let rows = Rows::new(&pyramid.scene);
            let errors = rows.errors((&forces, &weights), &stiffness, exponent, Rows::gradients);
            println!("base {base}, p {exponent}: {} steps, {:.1e}, {errors:?}", report.iterations, report.residual);
            assert!(errors.equilibrium <= 1e-10, "{errors:?}");
            assert!(errors.compatibility <= 1e-8 && errors.complementarity <= 1e-8, "{errors:?}");
        }
    }
}
