//! Statics beside the other state of a world: joints, the readings of contacts, and the ledger of energy.

use super::joints::{exact, request};
use super::scene::{Scene, close};
use crate::body::{Definition, Kind};
use crate::contact::material::Material;
use crate::error::ErrorKind;
use crate::id::Handle;
use crate::joint::{AxisMode, JointAxis, JointKind, MotorMode};
use crate::shape::Shape;
use crate::world::settings::{Compatibility, Diagnostics, Method, Projection, SolverKind};
use crate::world::{Settings, StaticDefinition};

const STATIC: StaticDefinition =
    StaticDefinition { increment: 1.0, max_displacement: 0.0, tolerance: 1e-10, proximal: 1e-3, iterations: 20 };

#[test]
fn an_increment_closes_the_whole_error_of_a_joint() {
    let mut scene = Scene::new(exact(1));
    let ball = scene.ball([0.0, 0.0, 4.0]);
    let mut fixed = request(&scene, JointKind::Fixed, [Handle::NULL, ball], [0.0, 0.0, 4.0]);
    fixed.definition.point_a[0] = 0.01;
    scene.world.add_joint(&fixed).expect("a joint");
    let report = scene.world.solve_static(&STATIC, &mut []).expect("an increment");
    assert!(report.is_converged && !report.is_collapse, "{report:?}");
    close(scene.state(ball).position, [0.01, 0.0, 4.0], 1e-12);
}

#[test]
fn an_increment_has_no_events_of_the_steps_before() {
    let mut scene = Scene::new(exact(1));
    let ball = scene.ball([0.0, 0.0, 4.0]);
    let mut fixed = request(&scene, JointKind::Fixed, [Handle::NULL, ball], [0.0, 0.0, 4.0]);
    fixed.definition.break_force = 20.0;
    let joint = scene.world.add_joint(&fixed).expect("a joint");
    scene.world.add_force(ball, [0.0, 0.0, -30.0], None).expect("a force");
    scene.steps(1);
    assert_eq!(scene.world.joint_events().count(), 1);
    scene.world.set_joint_enabled(joint, true).expect("a joint");
    scene.steps(1);
    assert_eq!(scene.world.joint_events().count(), 0);
    let before = scene.state(ball).position;
    scene.world.solve_static(&STATIC, &mut []).expect("an increment");
    assert_eq!(scene.world.joint_events().count(), 0);
    // The joint holds its weight, so it was not broken once more.
    scene.steps(1);
    // A broken one would let the ball fall by 6e-4 m.
    close(scene.state(ball).position, before, 1e-6);
}

/// A box on a slider that carries up to 20 kN by friction: its weight of 10 kN leaves 10 kN for more load.
#[test]
fn the_friction_of_a_joint_bounds_a_limit_load() {
    for gravity in [-10.0, 0.0, -1e-3] {
        let mut scene = Scene::new(exact(1));
        scene.world.set_gravity([0.0, 0.0, gravity]).expect("gravity");
        let shape = scene.sphere;
        let load = Definition { shape, mass: 1000.0, position: [0.0, 0.0, 4.0], ..Definition::default() };
        let load = scene.add(&load);
        let slider = request(&scene, JointKind::Slider, [Handle::NULL, load], [0.0, 0.0, 4.0]);
        let joint = scene.world.add_joint(&slider).expect("a joint");
        let axis = JointAxis { mode: AxisMode::Free, friction: 2e4, ..JointAxis::new(JointKind::Slider) };
        scene.world.set_joint_axis(joint, 2, &axis).expect("an axis");
        for unit in [1.0, 7.0] {
            let report =
                scene.world.limit_load(&[[0.0, 0.0, -unit, 0.0, 0.0, 0.0]], &STATIC, &mut []).expect("a limit");
            let expected = (2e4 + 1000.0 * gravity) / unit;
            assert!((report.load_factor / expected - 1.0).abs() < 1e-9, "{gravity}: {} {expected}", report.load_factor);
        }
    }
}

#[test]
fn contacts_are_read_by_the_settings_of_the_world_after_an_increment() {
    let settings = Settings { compatibility: Compatibility::Hertz, solver: SolverKind::Newton, ..Settings::default() };
    let mut scene = Scene::new(settings);
    scene.floor();
    scene.ball([0.0, 0.0, 0.5]);
    scene.steps(1);
    let stiffness = |scene: &Scene| scene.world.contacts().next().expect("a contact").stiffness;
    let before = stiffness(&scene);
    scene.world.solve_static(&STATIC, &mut []).expect("an increment");
    // By the settings of statics it would be infinite, or that of a flat contact.
    assert_eq!(stiffness(&scene), before);
}

/// A ball that an increment has pressed into the floor is at rest, so a step dissipates nothing.
#[test]
fn the_ledger_begins_anew_after_an_increment() {
    let diagnostics = Diagnostics { energy: true, residuals: false };
    let (method, projection) = (Method::Theta, Projection::Off);
    let mut scene = Scene::new(Settings { method, theta: 1.0, diagnostics, projection, ..exact(1) });
    let material = Material { normal_stiffness: 2e4, ..Material::default() };
    let material = scene.world.add_material(material).expect("a material");
    scene.add(&Definition { kind: Kind::Static, shape: scene.plane, material, ..Definition::default() });
    let ball = scene.ball_at([0.0, 0.0, 0.5]);
    scene.add(&Definition { material, ..ball });
    scene.world.solve_static(&STATIC, &mut []).expect("an increment");
    let report = scene.world.step(0.01).expect("a step");
    assert!(report.ledger.numerical.abs() < 1e-12, "{:?}", report.ledger);
}

/// A belt carries a block, and a motor a ball, as far as in the time of the increment.
#[test]
fn belts_and_motors_move_by_the_increment() {
    let mut scene = Scene::new(Settings { contact_margin: 0.1, ..exact(1) });
    let floor = scene.floor();
    scene.world.set_surface_velocity(floor, [2.0, 0.0, 0.0], [0.0; 3]).expect("a velocity");
    let shape = scene.world.add_shape(Shape::cuboid([0.3, 0.3, 0.1]).expect("a box")).expect("memory");
    let block = scene.add(&Definition { shape, mass: 1.0, position: [0.0, 0.0, 0.1], ..Definition::default() });
    let driven = scene.ball([9.0, 0.0, 4.0]);
    let slider = request(&scene, JointKind::Slider, [Handle::NULL, driven], [9.0, 0.0, 4.0]);
    let joint = scene.world.add_joint(&slider).expect("a joint");
    let motor = JointAxis { motor: MotorMode::Velocity, target_velocity: -3.0, ..JointAxis::new(JointKind::Slider) };
    scene.world.set_joint_axis(joint, 2, &JointAxis { mode: AxisMode::Free, ..motor }).expect("an axis");
    let definition = StaticDefinition { increment: 0.01, max_displacement: 10.0, ..STATIC };
    for count in 1..=2 {
        let report = scene.world.solve_static(&definition, &mut []).expect("an increment");
        assert!(report.is_converged && !report.is_collapse, "{report:?}");
        let moved = 0.01 * f64::from(count);
        close(scene.state(block).position, [2.0 * moved, 0.0, 0.1], 1e-12);
        close(scene.state(driven).position, [9.0, 0.0, 4.0 - 3.0 * moved], 1e-12);
    }
}

/// Where nothing pulls nothing moves, beside loaded bodies too.
#[test]
fn bodies_without_loads_stay_where_they_are() {
    for gravity in [0.0, -10.0] {
        let mut scene = Scene::new(exact(1));
        scene.world.set_gravity([0.0, 0.0, gravity]).expect("gravity");
        scene.floor();
        let light = Definition { gravity_scale: 0.0, ..scene.ball_at([0.0, 0.0, 0.5]) };
        let light = scene.add(&light);
        let upper = Definition { gravity_scale: 0.0, ..scene.ball_at([0.0, 0.0, 1.5]) };
        let upper = scene.add(&upper);
        let heavy = scene.ball([3.0, 0.0, 0.5]);
        let report = scene.world.solve_static(&STATIC, &mut []).expect("an increment");
        assert!(report.is_converged && !report.is_collapse, "{report:?}");
        for (body, place) in [(light, [0.0, 0.0, 0.5]), (upper, [0.0, 0.0, 1.5]), (heavy, [3.0, 0.0, 0.5])] {
            close(scene.state(body).position, place, 1e-14);
        }
    }
}

#[test]
fn numbers_that_overflow_are_refused() {
    let mut scene = Scene::new(exact(1));
    scene.floor();
    scene.ball([0.0, 0.0, 0.5]);
    let wall =
        Definition { kind: Kind::Kinematic, linear_velocity: [1e120, 0.0, 0.0], ..scene.ball_at([9.0, 0.0, 9.0]) };
    scene.add(&wall);
    for (definition, name) in [
        (StaticDefinition { max_displacement: 1e308, ..STATIC }, "max_displacement"),
        (StaticDefinition { increment: -1e51, ..STATIC }, "increment"),
        (StaticDefinition { increment: 1e40, ..STATIC }, "increment"),
    ] {
        let before = scene.world.hash();
        let error = scene.world.solve_static(&definition, &mut []).expect_err(name);
        assert!(error.kind == ErrorKind::Argument && error.message.contains(name), "{error:?}");
        assert_eq!(scene.world.hash(), before);
    }
    let load = [[0.0; 6], [1.7e308, 1.7e308, 0.0, 0.0, 0.0, 0.0], [0.0; 6]];
    let error = scene.world.limit_load(&load, &STATIC, &mut []).expect_err("loads");
    assert!(error.kind == ErrorKind::Argument && error.message.contains("unit_loads"), "{error:?}");
}

/// An overlap that presses a million times as hard as the weight: an answer, or none, but an end.
#[test]
fn hard_overlaps_end() {
    for (stiffness, overlap) in [(1e8, 0.05), (1e9, 0.01), (1e10, 1e-3)] {
        for friction in [0.0, 0.5] {
            let mut scene = Scene::new(exact(1));
            let material = Material { friction, normal_stiffness: 2.0 * stiffness, ..Material::default() };
            let material = scene.world.add_material(material).expect("a material");
            scene.add(&Definition { kind: Kind::Static, shape: scene.plane, material, ..Definition::default() });
            let ball = scene.ball_at([0.0, 0.0, 0.5 - overlap]);
            let ball = scene.add(&Definition { material, mass: 2.0, ..ball });
            let report = scene.world.solve_static(&STATIC, &mut []).expect("an increment");
            if report.is_converged && !report.is_collapse {
                // It lifts the ball until its weight of 20 N is carried.
                assert!((scene.state(ball).position[2] - (0.5 - 20.0 / stiffness)).abs() < 1e-9, "{report:?}");
            }
        }
    }
}

#[test]
fn loads_whose_ratio_is_no_number_are_refused() {
    let mut scene = Scene::new(exact(1));
    scene.floor();
    scene.ball([0.0, 0.0, 0.5]);
    for size in [1e-308, 1e-101, 1e101] {
        let load = [[0.0; 6], [size, 0.0, 0.0, 0.0, 0.0, 0.0]];
        let error = scene.world.limit_load(&load, &STATIC, &mut []).expect_err("a load");
        assert!(error.kind == ErrorKind::Argument && error.message.contains("unit_loads"), "{error:?}");
    }
}
