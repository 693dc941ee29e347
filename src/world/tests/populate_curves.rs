//! Bodies whose shapes are NURBS curves: they stay in their plane, rest, roll, and hold each other where they interlock.

use super::scene::{STEP, Scene, close};
use crate::body::{Definition, Kind, Lock};
use crate::contact::material::Material;
use crate::error::ErrorKind;
use crate::id::Handle;
use crate::shape::nurbs::tests::grains::{circle, grain, polygon};
use crate::shape::{CurveDefinition, Shape};
use crate::world::{Settings, World};

/// Z, ROTATION_X and ROTATION_Y.
const PLANAR: Lock = Lock(28);

fn scene(gravity: [f64; 3]) -> Scene {
    let mut scene = Scene::new(Settings { iterations: 100, ..Settings::default() });
    scene.world.set_gravity(gravity).expect("gravity");
    scene
}

fn shape(scene: &mut Scene, definition: &CurveDefinition) -> Handle {
    scene.world.add_shape(Shape::nurbs_curve(definition).expect("a curve")).expect("memory")
}

fn planar(shape: Handle, position: [f64; 3]) -> Definition {
    Definition { shape, position, lock: PLANAR, mass: 1.0, ..Definition::default() }
}

fn ground(scene: &mut Scene, material: Handle) {
    let plane = scene.world.add_shape(Shape::half_space([0.0, 1.0, 0.0], 0.0).expect("a plane")).expect("memory");
    scene.add(&Definition { kind: Kind::Static, shape: plane, material, ..Definition::default() });
}

#[test]
fn what_leaves_the_plane_is_refused() {
    let mut scene = scene([0.0, -10.0, 0.0]);
    let shape_of_grain = shape(&mut scene, &grain(0));
    let good = planar(shape_of_grain, [0.0; 3]);
    let tilted = [0.1, 0.0, 0.0, 0.99f64.sqrt()];
    for (definition, expected) in [
        (Definition { lock: Lock(0), ..good }, "DRY_LOCK_Z"),
        (Definition { lock: Lock(24), ..good }, "lock is 0x18"),
        (Definition { rotation: tilted, ..good }, "rotation puts the z axis"),
        (Definition { rotation: [1.0, 0.0, 0.0, 0.0], ..good }, "rotation puts the z axis"),
    ] {
        let error = scene.world.add_body(&definition).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Unsupported);
        assert!(error.message.contains(expected), "{error}");
    }
    let body = scene.add(&good);
    let state = crate::world::BodyState { rotation: tilted, ..scene.state(body) };
    assert_eq!(scene.world.set_body_state(body, &state).unwrap_err().kind, ErrorKind::Unsupported);
    let mut hole = circle(1.0);
    hole.points.reverse();
    let hole = shape(&mut scene, &hole);
    let error = scene.world.add_body(&planar(hole, [0.0; 3])).unwrap_err();
    assert!(error.message.contains("a clockwise curve"), "{error}");
    scene.add(&Definition { kind: Kind::Static, shape: hole, ..Definition::default() });
}

#[test]
fn other_partners_refuse_the_step() {
    let mut scene = scene([0.0; 3]);
    let curve = shape(&mut scene, &grain(0));
    scene.add(&planar(curve, [0.0; 3]));
    let capsule = scene.world.add_shape(Shape::capsule(0.5, 0.2).expect("a capsule")).expect("memory");
    scene.add(&Definition { shape: capsule, position: [0.5, 0.0, 0.0], mass: 1.0, ..Definition::default() });
    let failure = scene.world.step(STEP).unwrap_err();
    assert_eq!(failure.error.kind, ErrorKind::Unsupported);
    assert!(failure.error.message.contains("a capsule"), "{}", failure.error);
}

/// A square of 1 m and 1 kg on a slope of which the tangent is below the friction.
#[test]
fn a_square_rests_on_a_slope_without_creep() {
    let mut scene = scene([3.0, -10.0, 0.0]);
    let material = scene.material(0.4, 0.0);
    ground(&mut scene, material);
    let square = shape(&mut scene, &polygon(&[[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]));
    let body = scene.add(&Definition { material, ..planar(square, [0.0, 0.5, 0.0]) });
    scene.steps(200);
    let [x, y, z] = scene.state(body).position;
    assert!(x.abs() < 1e-12 && (y - 0.5).abs() < 1e-9 && z == 0.0, "{x} {y}");
    close(scene.force(body), [-3.0, 10.0, 0.0], 1e-8);
    assert_eq!(scene.world.contacts().count(), 2);
}

/// A circle rolls down a slope with 2/3 of the acceleration.
#[test]
fn a_circle_rolls_like_a_cylinder() {
    let mut scene = scene([1.5, -10.0, 0.0]);
    let material = scene.material(1.0, 0.0);
    ground(&mut scene, material);
    let disk = shape(&mut scene, &circle(0.5));
    let body = scene.add(&Definition { material, ..planar(disk, [0.0, 0.5, 0.0]) });
    let steps = 100;
    scene.steps(steps);
    // m a = m g - f and 1/2 m r a = f r: a is 2/3 of 1.5.
    close(scene.velocity(body), [steps as f64 * STEP, 0.0, 0.0], 1e-9);
    close(scene.force(body), [-0.5, 10.0, 0.0], 1e-9);
}

/// An upside-down U astride a lip that stands up from a ledge. Gravity pulls it along the ledge, without friction: of two convex bodies the upper
/// one would leave.
fn interlocked(round: bool, side: f64) -> (Scene, Handle) {
    let of = |points: &[[f64; 2]]| {
        let flat = polygon(points);
        // The same points of degree 2: corners are rounded.
        if round { CurveDefinition { degree: 2, ..flat } } else { flat }
    };
    let ledge =
        of(&[[-2.0, -0.4], [2.0, -0.4], [2.0, 0.0], [0.2, 0.0], [0.2, 0.5], [-0.2, 0.5], [-0.2, 0.0], [-2.0, 0.0]]);
    let hook =
        of(&[[-0.7, 0.0], [-0.35, 0.0], [-0.35, 0.6], [0.35, 0.6], [0.35, 0.0], [0.7, 0.0], [0.7, 1.0], [-0.7, 1.0]]);
    let mut scene = scene([side, -10.0, 0.0]);
    let material = scene.material(0.0, 0.0);
    let (ledge, hook) = (shape(&mut scene, &ledge), shape(&mut scene, &hook));
    scene.add(&Definition { kind: Kind::Static, shape: ledge, material, ..Definition::default() });
    let body = scene.add(&Definition { material, ..planar(hook, [0.0, 0.05, 0.0]) });
    (scene, body)
}

#[test]
fn grains_that_interlock_do_not_slip_off() {
    for round in [false, true] {
        for side in [4.0, -4.0] {
            let (mut scene, body) = interlocked(round, side);
            scene.steps(512);
            let state = scene.state(body);
            let [x, y, z] = state.position;
            assert!(x.abs() < 0.45 && x * side > 0.0 && y > -0.2 && z == 0.0, "round {round}: {state:?}");
            assert!(state.linear_velocity.iter().all(|speed| speed.abs() < 1e-3), "round {round}: {state:?}");
            // It hangs on the lip: the contacts carry what pulls it along.
            let [fx, fy, fz] = scene.force(body);
            assert!((fx + side).abs() < 1e-2 && (fy - 10.0).abs() < 1e-2 && fz == 0.0, "round {round}: {fx} {fy}");
        }
    }
}

/// Keys stay with contacts while bodies rest, and a world with curves goes on from a snapshot bit for bit.
#[test]
fn a_heap_of_grains_is_saved_and_keeps_its_keys() {
    let mut scene = scene([0.0, -10.0, 0.0]);
    let material = scene
        .world
        .add_material(Material { friction: 0.5, rolling_friction: 0.01, ..Material::default() })
        .expect("a material");
    ground(&mut scene, material);
    for j in 0..12 {
        let shape = shape(&mut scene, &grain(j));
        let (x, y) = (f64::from(j % 4) * 1.1, 0.8 + 1.2 * f64::from(j / 4));
        scene.add(&Definition { material, ..planar(shape, [x, y, 0.0]) });
    }
    scene.steps(600);
    let keys = |scene: &Scene| scene.world.contacts().map(|contact| contact.key).collect::<Vec<_>>();
    let before = keys(&scene);
    scene.steps(5);
    let kept = keys(&scene).iter().filter(|key| before.contains(key)).count();
    assert!(kept * 10 >= before.len() * 9 && before.len() >= 12, "{kept} of {}", before.len());
    let snapshot = scene.world.snapshot().expect("memory");
    let mut again = World::from_snapshot(&snapshot, std::sync::Arc::new(crate::tasks::Serial)).expect("a world");
    assert_eq!(again.hash(), scene.world.hash());
    for _ in 0..20 {
        scene.world.step(STEP).expect("a step");
        again.step(STEP).expect("a step");
    }
    assert_eq!(again.hash(), scene.world.hash());
}

#[test]
fn a_disk_lies_in_a_notch_on_two_contacts() {
    let mut scene = scene([0.0, -10.0, 0.0]);
    let notch = shape(&mut scene, &polygon(&[[-2.0, -1.0], [2.0, -1.0], [2.0, 2.0], [0.0, 0.0], [-2.0, 2.0]]));
    scene.add(&Definition { kind: Kind::Static, shape: notch, ..Definition::default() });
    let disk = scene.world.add_shape(Shape::cylinder(0.5, 0.5).expect("a disk")).expect("memory");
    let body = scene.add(&planar(disk, [0.0, 0.5 * 2f64.sqrt(), 0.0]));
    scene.steps(50);
    assert_eq!(scene.world.contacts().count(), 2);
    close(scene.force(body), [0.0, 10.0, 0.0], 1e-8);
}
