//! Worlds with all kinds of content, for the tests of snapshots.

use super::joints::request;
use super::scene::{STEP, Scene};
use crate::body::{Definition, Kind, Lock};
use crate::contact::material::{Material, Pair};
use crate::id::Handle;
use crate::joint::{AxisMode, JointKind, MotorMode};
use crate::shape::Shape;
use crate::world::settings::{Compatibility, CompatibleFriction, Diagnostics, Method};
use crate::world::{Settings, World};

/// A machine of all kinds of joints beside a heap: springs, motors, limits and friction; joints and bodies that are gone; hosts' numbers.
pub(super) fn machine(substeps: u32) -> World {
    let mut scene = Scene::new(Settings { substeps, sleeping: true, iterations: 20, ..Settings::default() });
    let material = scene.material(0.6, 0.1);
    scene.floor();
    let cube = scene.world.add_shape(Shape::cuboid([0.2, 0.3, 0.25]).expect("a box")).expect("memory");
    let at = |scene: &mut Scene, x: f64, z: f64| {
        let ball = scene.ball_at([x, 0.0, z]);
        scene.add(&Definition { shape: cube, material, user_data: 5, ..ball })
    };
    let kinds = JointKind::ALL;
    let mut gone = Vec::new();
    for (number, kind) in kinds.into_iter().enumerate() {
        let x = 2.0 * number as f64;
        let (one, other) = (at(&mut scene, x, 2.0), at(&mut scene, x + 0.7, 2.0));
        let mut joint = request(&scene, kind, [one, other], [x + 0.35, 0.1, 2.1]);
        joint.definition.break_force = if number % 3 == 0 { 60.0 } else { 0.0 };
        if let Some(index) = kind.free_axes().last() {
            let axis = &mut joint.axes[*index];
            (axis.motor, axis.target_velocity) = (MotorMode::Velocity, 0.5);
            (axis.force_lower, axis.force_upper) = (-3.0, 3.0);
            (axis.friction, axis.armature, axis.stiffness, axis.damping) = (0.1, 0.02, 4.0, 0.3);
            (axis.mode, axis.lower, axis.upper) = (AxisMode::Limited, -0.3, 0.4);
        }
        gone.push(scene.world.add_joint(&joint).expect("a joint"));
        let hung = request(&scene, JointKind::Ball, [Handle::NULL, one], [x, 0.0, 2.4]);
        gone.push(scene.world.add_joint(&hung).expect("a joint"));
    }
    scene.steps(20);
    scene.world.remove_joint(gone[3]).expect("a joint");
    scene.world.set_joint_enabled(gone[5], false).expect("a joint");
    let last = scene.world.body_handles().last().expect("a body");
    scene.world.remove_body(last).expect("a body");
    let third = scene.world.body_handles().nth(2).expect("a body");
    scene.world.remove_body(third).expect("a body");
    scene.ball([-2.0, 0.0, 0.5]);
    scene.steps(10);
    scene.world
}

/// Bodies of every shape that sleep and wake, turn on a table, roll and stick; materials changed since the last step.
pub(super) fn heap(settings: Settings) -> World {
    let mut scene = Scene::new(Settings { sleeping: true, iterations: 15, ..settings });
    let resisting = Material { rolling_friction: 0.05, twisting_friction: 0.1, ..Material::default() };
    let material = scene.world.add_material(resisting).expect("a material");
    let pair = Pair { friction: 0.4, rolling_friction: 0.1, ..Pair::default() };
    scene.world.set_material_pair(material, Handle::NULL, pair).expect("a pair");
    scene.floor();
    let points = [[0.0; 3], [0.6, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 0.7], [0.4, 0.4, 0.3]];
    let ground = [[-1.0, -1.0, 0.1], [1.0, -1.0, 0.0], [1.0, 1.0, 0.1], [-1.0, 1.0, 0.2]];
    let shapes = [
        Shape::hull(&points),
        Shape::capsule(0.2, 0.3),
        Shape::cylinder(0.3, 0.4),
        Shape::cuboid([0.3; 3]),
        Shape::sphere(0.4),
    ]
    .map(|shape| scene.world.add_shape(shape.expect("a shape")).expect("memory"));
    let mesh = Shape::mesh(&ground, &[[0, 1, 2], [0, 2, 3]]).expect("a mesh");
    let mesh = scene.world.add_shape(mesh).expect("memory");
    let spare = scene.world.add_shape(Shape::sphere(3.0).expect("a sphere")).expect("memory");
    scene.add(&Definition { kind: Kind::Static, shape: mesh, position: [6.0, 0.0, 0.0], ..Definition::default() });
    let table = Definition {
        kind: Kind::Kinematic,
        shape: shapes[2],
        angular_velocity: [0.0, 0.0, 1.0],
        ..Definition::default()
    };
    scene.add(&Definition { position: [9.0, 0.0, 0.3], ..table });
    for number in 0..12 {
        let shape = shapes[number % 5];
        let place = [0.9 * (number % 4) as f64, 0.05 * number as f64, 0.6 + 0.8 * (number / 4) as f64];
        let lock = Lock(if number == 7 { 2 | 32 } else { 0 });
        scene.add(&Definition {
            shape,
            material,
            position: place,
            lock,
            user_data: number as u64,
            ..Definition::default()
        });
    }
    for x in [6.0, 9.0] {
        scene.add(&Definition { shape: shapes[3], material, position: [x, 0.0, 1.0], ..Definition::default() });
    }
    scene.steps(200);
    scene.world.remove_shape(spare).expect("a shape");
    scene.world.add_material(Material { friction: 0.1, ..Material::default() }).expect("a material");
    let bodies: Vec<Handle> = scene.world.body_handles().collect();
    scene.world.wake(bodies[4]).expect("a body");
    scene.world.add_force(bodies[5], [1.0, 2.0, 3.0], Some([0.0; 3])).expect("a force");
    scene.world
}

/// A heap of compliant contacts on a moving floor, whose energies are summed up.
fn soft_heap() -> World {
    let diagnostics = Diagnostics { energy: true, residuals: true };
    let mut world = heap(Settings { method: Method::Spook, diagnostics, ..Settings::default() });
    let floor = world.body_handles().next().expect("a floor");
    world.set_surface_velocity(floor, [0.1, 0.0, 0.0], [0.0, 0.0, 0.2]).expect("a belt");
    (0..20).for_each(|_| _ = world.step(STEP).expect("a step"));
    world
}

/// A heap by the theta method. It is rigid except for elastic balls that were pushed and hold by the friction that
/// they remember.
fn elastic_heap() -> World {
    let diagnostics = Diagnostics { energy: true, residuals: false };
    let mut world = heap(Settings { method: Method::Theta, theta: 0.8, diagnostics, ..Settings::default() });
    let pair = Pair { normal_stiffness: 1e4, friction: 0.8, ..Pair::default() };
    world.set_material_pair(Handle::NULL, Handle::NULL, pair).expect("a pair");
    let bodies: Vec<Handle> = world.body_handles().collect();
    world.add_force(bodies[4], [5.0, 0.0, 0.0], None).expect("a force");
    (0..20).for_each(|_| _ = world.step(STEP).expect("a step"));
    world
}

/// Balls that fly through the sides of a periodic box.
fn periodic_balls() -> World {
    let mut scene = Scene::new(Settings { contact_margin: 1e-3, ..Settings::default() });
    scene.world = scene.world.with_period([4.0, 5.0, 0.0]).expect("a box");
    scene.floor();
    for number in 0..12_u32 {
        let at = f64::from(number);
        let ball = scene.ball_at([1.1 * (at % 3.0), 1.3 * (at % 4.0), 0.5 + 0.4 * at]);
        scene.add(&Definition { linear_velocity: [3.0, -2.0, 0.0], ..ball });
    }
    scene.steps(150);
    scene.world
}

/// All of them.
pub(super) fn all() -> Vec<(&'static str, World)> {
    let hertz = Settings {
        compatibility: Compatibility::Hertz,
        compatible_friction: CompatibleFriction::Elastic,
        ..Settings::default()
    };
    let mut balls = Scene::new(Settings::default());
    balls.floor();
    (0..6).for_each(|number| _ = balls.ball([0.3 * f64::from(number), 0.0, 0.5 + f64::from(number)]));
    balls.steps(100);
    let mut removed = heap(Settings::default());
    let body = removed.body_handles().nth(6).expect("a body");
    removed.remove_body(body).expect("a body");
    vec![
        ("empty", Scene::new(Settings::default()).world),
        ("balls", balls.world),
        ("machine", machine(1)),
        ("machine in substeps", machine(3)),
        ("heap", heap(Settings::default())),
        ("heap in substeps", heap(Settings { substeps: 2, ..Settings::default() })),
        ("corrected heap", heap(hertz)),
        ("heap without a body", removed),
        ("soft heap on a belt", soft_heap()),
        ("elastic heap", elastic_heap()),
        ("periodic balls", periodic_balls()),
    ]
}

/// The length of their steps [s].
pub(super) const LENGTH: f64 = STEP;
