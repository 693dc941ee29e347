//! Curves that are nearly flat come to rest where they are pressed against another body.

use super::scene::Scene;
use crate::body::{Definition, Kind, Lock};
use crate::contact::material::Material;
use crate::shape::{CurveDefinition, Shape};
use crate::world::Settings;
use crate::world::settings::Method;

/// Z, ROTATION_X and ROTATION_Y.
const PLANAR: Lock = Lock(28);
const STEP: f64 = 0.05;

/// A brick of about 1 m by 0.5 m whose bottom is round, with a radius of about 40 m. Its lowest point is 0.15 m beside
/// the middle.
fn brick() -> CurveDefinition {
    let bottom = [-0.5, -0.3, -0.1, 0.1, 0.3, 0.5].map(|x: f64| [x, (x - 0.15).powi(2) / 80.0]);
    let top = [[0.55, 0.25], [0.5, 0.5], [0.0, 0.5], [-0.5, 0.5], [-0.55, 0.25]];
    let points = [&bottom[..], &top].concat();
    let knots = (0..=points.len()).map(|knot| knot as f64).collect();
    CurveDefinition { points, knots, ..CurveDefinition::default() }
}

/// Returns the kinetic energy of the brick of 1 kg on a smooth floor, tilted at first, after 200 steps [J].
fn energy_left(method: Method, stiffness: f64, floor: Shape, height: f64) -> f64 {
    let mut scene = brick_on(method, stiffness, floor, height);
    for _ in 0..200 {
        scene.world.step(STEP).expect("a step");
    }
    scene.world.energy().expect("an energy").0
}

/// A brick of 1 kg on a smooth floor, tilted at first.
fn brick_on(method: Method, stiffness: f64, floor: Shape, height: f64) -> Scene {
    let settings =
        Settings { method, theta: 1.0, iterations: 300, tolerance: 1e-13, contact_margin: 0.05, ..Settings::default() };
    let mut scene = Scene::new(settings);
    scene.world.set_gravity([0.0, -10.0, 0.0]).expect("gravity");
    let material = Material { normal_stiffness: stiffness, friction: 0.0, ..Material::default() };
    let material = scene.world.add_material(material).expect("a material");
    let floor = scene.world.add_shape(floor).expect("memory");
    scene.add(&Definition {
        kind: Kind::Static,
        shape: floor,
        material,
        position: [0.0, -height, 0.0],
        ..Definition::default()
    });
    let shape = scene.world.add_shape(Shape::nurbs_curve(&brick()).expect("a curve")).expect("memory");
    let (sine, cosine) = 0.001f64.sin_cos();
    let (rotation, position) = ([0.0, 0.0, sine, cosine], [0.0, 0.01, 0.0]);
    scene.add(&Definition { shape, material, rotation, position, lock: PLANAR, mass: 1.0, ..Definition::default() });
    scene
}

/// The turning stiffness of the floor's normal force, N R = 400 N m, is ten times what a step of 0.05 s follows. A single minimum passes the
/// point of balance in every step, and leaves 1e-5 J.
#[test]
fn a_brick_with_a_round_bottom_does_not_rock_forever() {
    let half_space = || Shape::half_space([0.0, 1.0, 0.0], 0.0).expect("a half-space");
    let cuboid = || Shape::cuboid([3.0, 1.0, 1.0]).expect("a box");
    for method in [Method::Rigid, Method::Theta] {
        // The pass of positions still moves it at times, by nanometres.
        for left in [energy_left(method, 0.0, half_space(), 0.0), energy_left(method, 0.0, cuboid(), 1.0)] {
            assert!(left < 1e-10, "{method:?}: {left:e} J");
        }
    }
}

/// Where contacts overlap by 1e-7 m, the two sides of the point of balance are within 3 mm of it: k times their square is N R.
#[test]
fn a_brick_on_an_elastic_floor_moves_by_less_than_its_overlap() {
    let half_space = Shape::half_space([0.0, 1.0, 0.0], 0.0).expect("a half-space");
    let left = energy_left(Method::Theta, 1e8, half_space, 0.0);
    // A speed of 2e-3 rad/s, at which the bottom turns by 1e-4 rad in a step.
    assert!(left < 1e-6, "{left:e} J");
}

/// In short steps the minimum follows the brick, and no place is held: a held place that overlaps would add energy.
#[test]
fn a_brick_in_short_steps_has_no_held_places() {
    let half_space = Shape::half_space([0.0, 1.0, 0.0], 0.0).expect("a half-space");
    let mut scene = brick_on(Method::Theta, 1e5, half_space, 0.0);
    for _ in 0..500 {
        scene.world.step(1e-3).expect("a step");
        // The minimum and the ends of its piece, twice where it is an end.
        assert!(scene.world.contacts().count() <= 3);
    }
    assert!(scene.world.contacts().any(|contact| contact.normal_force > 0.0));
}
