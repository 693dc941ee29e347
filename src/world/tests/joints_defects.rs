//! Joints where something went wrong once.

use super::joints::{exact, request};
use super::scene::{STEP, Scene, close};
use crate::body::{Definition, Lock};
use crate::id::Handle;
use crate::joint::{AxisMode, JointAxis, JointKind, MotorMode};
use crate::shape::Shape;
use crate::world::settings::{Compatibility, SolverKind};
use crate::world::{BodyState, Settings};

#[test]
fn a_joint_beside_a_contact_is_corrected_over_substeps() {
    let mut scene = Scene::new(Settings { compatibility: Compatibility::Hooke, ..exact(3) });
    scene.floor();
    let ball = scene.ball([0.0, 0.0, 0.5]);
    let slider = request(&scene, JointKind::Slider, [Handle::NULL, ball], [0.0, 0.0, 0.5]);
    scene.world.add_joint(&slider).expect("a joint");
    scene.steps(5);
    let force = scene.world.contacts().next().expect("a contact").compatible_normal_force;
    assert!((force - 10.0).abs() < 1e-9, "{force}");
}

#[test]
fn bodies_of_one_rigid_group_do_not_touch_each_other() {
    for solver in [SolverKind::Pgs, SolverKind::PgsAccelerated, SolverKind::Newton] {
        let mut scene = Scene::new(Settings { solver, ..Settings::default() });
        scene.world.set_gravity([0.0; 3]).expect("gravity");
        let shape = scene.world.add_shape(Shape::cuboid([0.2; 3]).expect("a box")).expect("memory");
        // An L of three cubes that turns; the first and the last one touch along an edge, though no joint connects them.
        let places = [[0.0, 0.0, 0.0], [0.4, 0.0, 0.0], [0.2, 0.4, 0.0]];
        let cubes = places.map(|position| {
            let linear_velocity = [-0.8 * position[1], 0.8 * position[0], 0.0];
            let angular_velocity = [0.0, 0.0, 0.8];
            let cube =
                Definition { shape, mass: 1.0, position, linear_velocity, angular_velocity, ..Definition::default() };
            scene.add(&cube)
        });
        for pair in [[cubes[0], cubes[1]], [cubes[1], cubes[2]]] {
            let fixed = request(&scene, JointKind::Fixed, pair, [0.3, 0.2, 0.0]);
            scene.world.add_joint(&fixed).expect("a joint");
        }
        for _ in 0..240 {
            scene.steps(1);
            assert_eq!(scene.world.contact_count(), 0, "{solver:?}");
        }
        let speed = scene.state(cubes[0]).angular_velocity[2];
        // The chord of a step is shorter than its arc by (w h)^2 / 24 = 2e-6.
        assert!((speed - 0.8).abs() < 1e-5, "{solver:?}: {speed}");
    }
}

#[test]
fn a_chain_with_a_heavy_end_stays_whole() {
    let mut scene = Scene::new(Settings::default());
    let mut above = Handle::NULL;
    let shape = scene.world.add_shape(Shape::cuboid([0.25, 0.05, 0.05]).expect("a box")).expect("memory");
    let mut joints = Vec::new();
    for (at, mass) in [1.0, 1.0, 1.0, 1000.0].into_iter().enumerate() {
        let x = 0.5 * at as f64;
        let link = Definition { shape, mass, position: [x + 0.25, 0.0, 0.0], ..Definition::default() };
        let body = scene.add(&link);
        let ball = request(&scene, JointKind::Ball, [above, body], [x, 0.0, 0.0]);
        joints.push(scene.world.add_joint(&ball).expect("a joint"));
        above = body;
    }
    for step in 0..2400 {
        scene.world.step(1.0 / 240.0).expect("a step");
        for joint in &joints {
            let error = scene.world.joint_state(*joint).expect("a joint").linear_error;
            // Links that spin at 40 rad/s open by 3 mm in a step that is not aimed; eight rounds close them that far.
            assert!(error < 1e-4, "step {step}: {error}");
        }
    }
}

#[test]
fn a_joint_turned_the_wrong_way_round_throws_nothing() {
    for kind in [JointKind::Fixed, JointKind::Slider] {
        let mut scene = Scene::new(Settings::default());
        scene.world.set_gravity([0.0; 3]).expect("gravity");
        let body = scene.ball([0.5, 0.1, 0.2]);
        let joint = request(&scene, kind, [Handle::NULL, body], [0.0; 3]);
        scene.world.add_joint(&joint).expect("a joint");
        for angle in [3.1f64, 3.145, std::f64::consts::PI] {
            let state = scene.state(body);
            let rotation = [0.0, (0.5 * angle).sin(), 0.0, (0.5 * angle).cos()];
            scene.world.set_body_state(body, &BodyState { rotation, ..state }).expect("a state");
            for _ in 0..500 {
                scene.steps(1);
                let place = scene.state(body).position;
                assert!(place.iter().all(|number| number.abs() < 10.0), "{kind:?} {angle}: {place:?}");
            }
        }
    }
}

#[test]
fn a_slack_rope_has_a_spring() {
    let mut scene = Scene::new(exact(1));
    scene.world.set_gravity([0.0; 3]).expect("gravity");
    let ball = scene.ball([1.0, 0.0, 0.0]);
    let mut rope = request(&scene, JointKind::Distance, [Handle::NULL, ball], [0.0; 3]);
    (rope.definition.point_b, rope.definition.length_max) = ([0.0; 3], 2.0);
    rope.axes[0] = JointAxis { stiffness: 100.0, rest: 0.5, ..rope.axes[0] };
    let joint = scene.world.add_joint(&rope).expect("a joint");
    scene.steps(1);
    let force = scene.world.joint_state(joint).expect("a joint").spring_force[0];
    // The ball moves by 50 N h^2 / 1 kg = 3 mm in the step, which is 0.3 N of the spring.
    assert!((force + 50.0).abs() < 0.35, "{force}");
}

/// The largest distance of a ball of 1 kg on two springs along a slider, from 0.1 m, over 500 steps of these lengths.
fn farthest([stiffness, motor_stiffness]: [f64; 2], lengths: &[f64]) -> f64 {
    let mut scene = Scene::new(exact(1));
    scene.world.set_gravity([0.0; 3]).expect("gravity");
    let ball = scene.ball([0.0, 0.0, 0.1]);
    let mut slider = request(&scene, JointKind::Slider, [Handle::NULL, ball], [0.0; 3]);
    slider.definition.point_b = [0.0; 3];
    let motor = if motor_stiffness > 0.0 { MotorMode::Position } else { MotorMode::Off };
    slider.axes[2] = JointAxis { stiffness, motor, motor_stiffness, ..slider.axes[2] };
    let joint = scene.world.add_joint(&slider).expect("a joint");
    let mut farthest = 0.0f64;
    for step in 0..500 {
        scene.world.step(lengths[step % lengths.len()]).expect("a step");
        farthest = farthest.max(scene.world.joint_state(joint).expect("a joint").position[2].abs());
    }
    farthest
}

#[test]
fn springs_side_by_side_and_steps_of_any_length_stay_stable() {
    // Two springs of w h = 2 each; and one of 10 Hz under steps that change.
    let stiff = (2.0 / STEP) * (2.0 / STEP);
    let distance = farthest([stiff, stiff], &[STEP]);
    assert!(distance < 0.2, "{distance}");
    let soft = 400.0 * std::f64::consts::PI * std::f64::consts::PI;
    let distance = farthest([soft, 0.0], &[1.0 / 240.0, 1.0 / 60.0, 1.0 / 120.0, 1.0 / 60.0]);
    assert!(distance < 0.2, "{distance}");
}

#[test]
fn a_compliant_hinge_with_a_spring_gains_no_energy() {
    let mut scene = Scene::new(exact(1));
    scene.world.set_gravity([0.0; 3]).expect("gravity");
    let ball = scene.add(&Definition { filter_mask: 0, ..scene.ball_at([1.0, 0.0, 0.0]) });
    let mut hinge = request(&scene, JointKind::Hinge, [Handle::NULL, ball], [0.0; 3]);
    hinge.definition.linear_compliance = 1e-3;
    hinge.axes[5] = JointAxis { frequency: 50.0, ratio: 0.3, rest: 0.05, ..hinge.axes[5] };
    scene.world.add_joint(&hinge).expect("a joint");
    for _ in 0..2000 {
        scene.steps(1);
        let (kinetic, _) = scene.world.energy().expect("energy");
        assert!(kinetic < 140.0, "{kinetic}");
    }
    assert!(scene.world.energy().expect("energy").0 < 1.0);
}

#[test]
fn limits_that_rebound_create_no_energy() {
    let mut scene = Scene::new(Settings { substeps: 4, ..Settings::default() });
    scene.world.set_gravity([0.0; 3]).expect("gravity");
    let bodies = [(0.0, 1.0, 1.0), (1.0, 2.0, -0.5)].map(|(z, mass, speed)| {
        let linear_velocity = [0.0, 0.0, speed];
        scene.add(&Definition { mass, filter_mask: 0, linear_velocity, ..scene.ball_at([0.0, 0.0, z]) })
    });
    let axis = JointAxis {
        mode: AxisMode::Limited,
        lower: -0.5,
        upper: 0.5,
        limit_restitution: 1.0,
        ..JointAxis::new(JointKind::Slider)
    };
    for pair in [[Handle::NULL, bodies[0]], bodies] {
        let at = scene.state(pair[1]).position;
        let mut slider = request(&scene, JointKind::Slider, pair, at);
        slider.axes[2] = axis;
        scene.world.add_joint(&slider).expect("a joint");
    }
    let start = scene.world.energy().expect("energy").0;
    for step in 0..2000 {
        scene.steps(1);
        let now = scene.world.energy().expect("energy").0;
        assert!(now < start * (1.0 + 1e-9), "step {step}: {now} J of {start}");
    }
}

#[test]
fn friction_depends_on_the_load_across_its_own_axis() {
    let mut scene = Scene::new(exact(1));
    let puck = scene.add(&Definition { linear_velocity: [2.0, 0.0, 0.0], ..scene.ball_at([0.0; 3]) });
    let mut planar = request(&scene, JointKind::Planar, [Handle::NULL, puck], [0.0; 3]);
    planar.axes[0] = JointAxis { friction_coefficient: 0.5, ..planar.axes[0] };
    let joint = scene.world.add_joint(&planar).expect("a joint");
    scene.steps(10);
    // Half of the weight, except in the first step, when the load is not known yet.
    let state = scene.world.joint_state(joint).expect("a joint");
    assert!((state.friction_force[0] + 5.0).abs() < 1e-12 && !state.is_sticking[0], "{state:?}");
    scene.steps(200);
    assert!(scene.world.joint_state(joint).expect("a joint").is_sticking[0]);
    close(scene.velocity(puck), [0.0; 3], 1e-14);
}

#[test]
fn flags_report_what_acts() {
    let mut scene = Scene::new(exact(1));
    // The motor has nothing to move; equal bounds carry the weight.
    let body = scene.add(&Definition { lock: Lock(1), ..scene.ball_at([0.0; 3]) });
    let mut general = request(&scene, JointKind::General, [Handle::NULL, body], [0.0; 3]);
    general.axes[0] = JointAxis { mode: AxisMode::Free, motor: MotorMode::Velocity, ..general.axes[0] };
    general.axes[2] = JointAxis { mode: AxisMode::Limited, lower: 0.0, upper: 0.0, ..general.axes[2] };
    let joint = scene.world.add_joint(&general).expect("a joint");
    scene.steps(2);
    let state = scene.world.joint_state(joint).expect("a joint");
    assert!(!state.is_saturated[0], "{state:?}");
    assert_eq!(state.is_at_limit[2], [true, false]);
    assert!((state.limit_force[2] - 10.0).abs() < 1e-12, "{state:?}");
}

#[test]
fn opposite_bounds_do_not_push_against_each_other() {
    for solver in [SolverKind::Pgs, SolverKind::PgsAccelerated, SolverKind::Newton, SolverKind::Apgd] {
        let mut scene = Scene::new(Settings { solver, iterations: 200, ..Settings::default() });
        let body = scene.ball([0.0, 0.0, 0.0]);
        let mut slider = request(&scene, JointKind::Slider, [Handle::NULL, body], [0.0; 3]);
        slider.axes[2] = JointAxis { mode: AxisMode::Limited, lower: -0.2, upper: 0.1, ..slider.axes[2] };
        let joint = scene.world.add_joint(&slider).expect("a joint");
        for _ in 0..100 {
            scene.steps(1);
            // The lower bound catches the fall within a step, with at most the momentum of the fall.
            let force = scene.world.joint_state(joint).expect("a joint").limit_force[2];
            assert!((-1e-9..=10.0 + 2.1 / STEP).contains(&force), "{solver:?}: {force}");
        }
        let force = scene.world.joint_state(joint).expect("a joint").limit_force[2];
        assert!((force - 10.0).abs() < 1e-9, "{solver:?}: {force}");
    }
}

#[test]
fn a_torn_joint_closes_along_one_axis_without_errors_along_others() {
    let mut scene = Scene::new(Settings::default());
    scene.world.set_gravity([0.0; 3]).expect("gravity");
    let ball = scene.ball([0.0, 1.0, 4.0]);
    let fixed = request(&scene, JointKind::Fixed, [Handle::NULL, ball], [0.0, 0.0, 4.0]);
    let joint = scene.world.add_joint(&fixed).expect("a joint");
    // Along x alone; a force along x at the joint would turn the ball about z.
    let torn = BodyState { position: [1e-3, 1.0, 4.0], ..scene.state(ball) };
    scene.world.set_body_state(ball, &torn).expect("a state");
    scene.steps(1);
    let state = scene.world.joint_state(joint).expect("a joint");
    assert!(state.linear_error < 1e-15 && state.angular_error < 1e-15, "{state:?}");
}
