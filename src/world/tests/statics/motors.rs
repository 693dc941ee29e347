//! Motors of sliders in statics and limit loads. A ball of 10 N slides along z.

use super::{STATIC, Scene, close};
use crate::id::Handle;
use crate::joint::{AxisMode, JointAxis, JointKind, MotorMode};
use crate::world::tests::joints::{exact, request};
use crate::world::{StaticDefinition, StaticReport};

/// A ball at height 4 whose slider has this axis.
fn slider(gravity: f64, axis: JointAxis) -> (Scene, Handle) {
    let mut scene = Scene::new(exact(1));
    scene.world.set_gravity([0.0, 0.0, gravity]).expect("gravity");
    let ball = scene.ball([0.0, 0.0, 4.0]);
    let joint = request(&scene, JointKind::Slider, [Handle::NULL, ball], [0.0, 0.0, 4.0]);
    let joint = scene.world.add_joint(&joint).expect("a joint");
    scene.world.set_joint_axis(joint, 2, &axis).expect("an axis");
    (scene, ball)
}

fn motor(target_velocity: f64, [force_lower, force_upper]: [f64; 2]) -> JointAxis {
    let free = JointAxis { mode: AxisMode::Free, ..JointAxis::new(JointKind::Slider) };
    JointAxis { motor: MotorMode::Velocity, target_velocity, force_lower, force_upper, ..free }
}

fn limit(scene: &mut Scene, load: [f64; 3]) -> (StaticReport, [f64; 3]) {
    let [x, y, z] = load;
    let mut mechanism = [[0.0; 6]];
    let report = scene.world.limit_load(&[[x, y, z, 0.0, 0.0, 0.0]], &STATIC, &mut mechanism).expect("a limit");
    (report, [mechanism[0][0], mechanism[0][1], mechanism[0][2]])
}

#[test]
fn a_motor_with_one_force_is_a_load() {
    for force in [10.0, 12.0, 0.0, -3.0] {
        let (mut scene, ball) = slider(-10.0, motor(3.0, [force, force]));
        let report = scene.world.solve_static(&STATIC, &mut []).expect("an increment");
        assert_eq!(report.is_collapse, force != 10.0, "{force}: {report:?}");
        if force == 10.0 {
            assert!(report.is_converged, "{report:?}");
            close(scene.state(ball).position, [0.0, 0.0, 4.0], 1e-14);
            close(scene.world.body_joint_force(ball).expect("a force").0, [0.0, 0.0, 10.0], 1e-12);
        }
        for up in [1.0, -1.0] {
            let (report, _) = limit(&mut scene, [0.0, 0.0, up]);
            let expected = up * (10.0 - force);
            assert!(report.is_converged && (report.load_factor - expected).abs() < 1e-8, "{force}: {report:?}");
        }
    }
}

/// Load across the rail is carried without end, but the loads along it are not. Loads and motor do the work 1 as it slides.
#[test]
fn what_the_motor_cannot_hold_collapses_under_any_load_across() {
    let friction = JointAxis { friction: 5.0, ..motor(0.0, [0.0, 0.0]) };
    for (gravity, axis, moved) in [
        (-10.0, JointAxis { motor: MotorMode::Off, ..friction }, -0.2),
        (-10.0, motor(0.0, [-5.0, 5.0]), -0.2),
        (-5.0, motor(0.0, [10.0, 20.0]), 0.2),
        (0.0, motor(0.0, [10.0, 20.0]), 0.1),
        (0.0, motor(0.0, [-20.0, -10.0]), -0.1),
        (-10.0, motor(0.0, [0.0, 0.0]), -0.1),
    ] {
        let (mut scene, _) = slider(gravity, axis);
        let (report, mechanism) = limit(&mut scene, [1.0, 0.0, 0.0]);
        assert!(report.is_collapse && report.load_factor == f64::NEG_INFINITY, "{axis:?}: {report:?}");
        close(mechanism, [0.0, 0.0, moved], 1e-9);
    }
}

/// Forces that hold the loads along the rail, but are bounded, do not hold an unbounded load along it.
#[test]
fn what_the_motor_holds_has_no_limit_across_and_one_along() {
    for bounds in [[-20.0, 20.0], [5.0, 12.0], [-f64::INFINITY, 12.0]] {
        let (mut scene, _) = slider(-10.0, motor(0.0, bounds));
        let (report, _) = limit(&mut scene, [1.0, 0.0, 0.0]);
        assert!(report.is_unbounded && report.load_factor == f64::INFINITY, "{bounds:?}: {report:?}");
        let (report, _) = limit(&mut scene, [0.0, 0.0, -1.0]);
        assert!(report.is_converged && (report.load_factor - (bounds[1] - 10.0)).abs() < 1e-8, "{report:?}");
    }
}

/// Only a bound that is reached holds.
#[test]
fn a_bound_of_an_axis_that_is_far_away_holds_no_load() {
    let limited = |lower: f64, upper: f64| {
        let off = JointAxis { motor: MotorMode::Off, ..motor(0.0, [0.0, 0.0]) };
        slider(-10.0, JointAxis { mode: AxisMode::Limited, lower, upper, ..off }).0
    };
    let mut scene = limited(0.0, 1.0);
    let (report, mechanism) = limit(&mut scene, [0.0, 0.0, 1.0]);
    assert!(report.is_converged && (report.load_factor - 10.0).abs() < 1e-8, "{report:?}");
    close(mechanism, [0.0, 0.0, 1.0], 1e-9);
    let (report, _) = limit(&mut scene, [0.0, 0.0, -1.0]);
    assert!(report.is_unbounded, "{report:?}");
    // Nothing holds the weight.
    let (report, _) = limit(&mut limited(-1.0, 1.0), [1.0, 0.0, 0.0]);
    assert!(report.is_collapse, "{report:?}");
    let (report, _) = limit(&mut limited(-1.0, 0.0), [0.0, 0.0, 1.0]);
    assert!(report.is_unbounded, "{report:?}");
}

#[test]
fn a_motor_without_bounds_stops_at_the_bound_of_its_axis() {
    for (lower, upper, gravity) in
        [(-0.1, 0.02, -10.0), (-0.1, 0.01, 10.0), (-0.02, 0.1, 10.0), (-0.02, 0.02, -10.0), (-0.02, 0.02, 0.0)]
    {
        for target in [3.0, -3.0] {
            for bounds in [[-f64::INFINITY, f64::INFINITY], [-f64::INFINITY, 50.0], [-50.0, f64::INFINITY]] {
                let axis = JointAxis { mode: AxisMode::Limited, lower, upper, ..motor(target, bounds) };
                let (mut scene, ball) = slider(gravity, axis);
                let definition = StaticDefinition { max_displacement: 10.0, ..STATIC };
                let report = scene.world.solve_static(&definition, &mut []).expect("an increment");
                assert!(report.is_converged && !report.is_collapse, "{axis:?}: {report:?}");
                let end = if target > 0.0 { upper } else { lower };
                close(scene.state(ball).position, [0.0, 0.0, 4.0 + end], 1e-12);
                close(scene.world.body_joint_force(ball).expect("a force").0, [0.0, 0.0, -gravity], 1e-8);
                let report = scene.world.step(0.01).expect("a step");
                assert!(report.residual_max < 1e-9, "{axis:?}: {report:?}");
                close(scene.state(ball).position, [0.0, 0.0, 4.0 + end], 1e-12);
            }
        }
    }
}
