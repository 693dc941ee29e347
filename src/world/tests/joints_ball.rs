//! The dry friction of all turns of a ball joint: one bound on the length of its torque.

use super::joints::{exact, request};
use super::scene::{STEP, Scene, close};
use crate::body::Definition;
use crate::error::ErrorKind;
use crate::id::Handle;
use crate::joint::{JointAxis, JointKind};
use crate::world::settings::{JointSolver, SolverKind};
use crate::world::{JointRequest, Settings};

/// Moment of inertia of the balls of the scene [kg m^2].
const INERTIA: f64 = 0.1;

/// A ball joint at a point, whose friction has this bound [N m].
fn rubbing(scene: &Scene, pair: [Handle; 2], point: [f64; 3], friction: f64) -> JointRequest {
    let mut request = request(scene, JointKind::Ball, pair, point);
    request.axes[5].friction = friction;
    request
}

fn both() -> [Settings; 2] {
    [exact(1), Settings { joint_solver: JointSolver::Rows, ..exact(1) }]
}

#[test]
fn a_turning_ball_loses_the_bound_in_every_direction_and_stops() {
    for settings in both() {
        let mut scene = Scene::new(settings);
        scene.world.set_gravity([0.0; 3]).expect("gravity");
        let spin = [2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0];
        let turning = Definition { angular_velocity: spin.map(|part| 2.0 * part), ..scene.ball_at([0.0, 0.0, 4.0]) };
        let ball = scene.add(&turning);
        let joint = rubbing(&scene, [Handle::NULL, ball], [0.0, 0.0, 4.0], 0.05);
        let joint = scene.world.add_joint(&joint).expect("a joint");
        for step in 1..=100 {
            scene.steps(1);
            // T / I = 0.5 rad/s^2.
            let left = 2.0 - 0.05 / INERTIA * STEP * f64::from(step);
            close(scene.state(ball).angular_velocity, spin.map(|part| left * part), 1e-13);
            let state = scene.world.joint_state(joint).expect("a joint");
            close(state.torque, spin.map(|part| -0.05 * part), 1e-13);
            close([state.friction_force[3], state.friction_force[4], state.friction_force[5]], state.torque, 1e-15);
            assert_eq!(state.is_sticking[3..], [false; 3]);
        }
        // It stops after 4 s; then no bit of its rotation changes.
        scene.steps(420);
        let rest = scene.state(ball);
        close(rest.angular_velocity, [0.0; 3], 1e-16);
        scene.steps(100);
        assert_eq!(scene.state(ball).rotation, rest.rotation);
        assert_eq!(scene.world.joint_state(joint).expect("a joint").is_sticking[3..], [true; 3]);
    }
}

#[test]
fn friction_holds_a_limb_below_its_bound_and_lets_it_fall_above() {
    for settings in both() {
        // The weight of 10 N at 1 m: 10 N m.
        for (friction, holds) in [(10.1, true), (9.9, false)] {
            let mut scene = Scene::new(settings);
            let ball = scene.ball([0.6, 0.8, 4.0]);
            let joint = rubbing(&scene, [Handle::NULL, ball], [0.0, 0.0, 4.0], friction);
            let joint = scene.world.add_joint(&joint).expect("a joint");
            scene.steps(200);
            let state = scene.world.joint_state(joint).expect("a joint");
            let torque = state.torque.iter().map(|part| part * part).sum::<f64>().sqrt();
            let fall = 4.0 - scene.state(ball).position[2];
            if holds {
                assert!(fall.abs() < 1e-13, "{fall:e}");
                close(state.torque, [8.0, -6.0, 0.0], 1e-11);
                assert_eq!(state.is_sticking[3..], [true; 3]);
            } else {
                assert!(fall > 0.01, "{fall}");
                assert!((torque - friction).abs() < 1e-11, "{torque}");
            }
        }
    }
}

#[test]
fn friction_that_holds_a_chain_stops_impacts_and_yields_to_harder_ones() {
    for (speed, holds) in [(-0.1, true), (-3.0, false)] {
        let mut scene = Scene::new(Settings { iterations: 30, ..Settings::default() });
        scene.world.set_gravity([0.0; 3]).expect("gravity");
        let links = [0.0, 1.5, 3.0].map(|x| scene.ball([x + 0.75, 0.0, 4.0]));
        for (at, pair) in [[Handle::NULL, links[0]], [links[0], links[1]], [links[1], links[2]]].iter().enumerate() {
            let joint = rubbing(&scene, *pair, [1.5 * at as f64, 0.0, 4.0], 60.0);
            scene.world.add_joint(&joint).expect("a joint");
        }
        let falling = Definition { linear_velocity: [0.0, 0.0, speed], ..scene.ball_at([3.75, 0.0, 5.0]) };
        let ball = scene.add(&falling);
        scene.steps(1);
        // 1 kg at 0.1 m/s stopped in a step is 12.8 N at up to 3.75 m: 48 N m.
        let moved = scene.velocity(links[2])[2];
        if holds {
            close(scene.velocity(ball), [0.0; 3], 1e-12);
            assert!(moved.abs() < 1e-12, "{moved:e}");
        } else {
            assert!(moved < -0.1, "{moved}");
        }
    }
}

#[test]
fn all_solvers_agree_where_contacts_and_friction_of_balls_meet() {
    let run = |settings: Settings| {
        // The position pass ends at a hundredth of the overlap.
        let mut scene = Scene::new(Settings { position_projection: false, ..settings });
        scene.floor();
        // Friction of the floor would be indeterminate: it could squeeze the joint.
        let material = scene.material(0.0, 0.0);
        let thrown = |x: f64, spin: [f64; 3]| Definition {
            material,
            linear_velocity: [0.5, 0.2, -1.0],
            angular_velocity: spin,
            ..scene.ball_at([x, 0.0, 0.505])
        };
        let [first, second] = [thrown(0.0, [1.0, 2.0, 3.0]), thrown(1.1, [-2.0, 0.5, 0.0])];
        let pair = [scene.add(&first), scene.add(&second)];
        let joint = rubbing(&scene, pair, [0.55, 0.0, 0.505], 2.0);
        let joint = scene.world.add_joint(&joint).expect("a joint");
        let mut all = Vec::new();
        for _ in 0..20 {
            let report = scene.world.step(STEP).expect("a step");
            assert!(report.residual_max < 1e-12, "{}", report.residual_max);
            all.extend(pair.map(|body| scene.state(body).angular_velocity));
            all.extend(pair.map(|body| scene.velocity(body)));
            all.push(scene.world.joint_state(joint).expect("a joint").torque);
        }
        all
    };
    let split = run(exact(1));
    let others = [
        Settings { joint_solver: JointSolver::Rows, ..exact(1) },
        Settings { solver: SolverKind::Newton, ..exact(1) },
        Settings { solver: SolverKind::PgsAccelerated, ..exact(1) },
    ];
    for settings in others {
        for (found, expected) in run(settings).into_iter().zip(&split) {
            // Residuals of 1e-12 m/s in each of 20 steps, over a step in the torque.
            close(found, *expected, 1e-8);
        }
    }
}

#[test]
fn load_adds_to_the_friction_of_a_ball_and_other_axes_have_none() {
    let mut scene = Scene::new(exact(1));
    let turning = Definition { angular_velocity: [0.0, 0.0, 5.0], ..scene.ball_at([0.0, 0.0, 4.0]) };
    let ball = scene.add(&turning);
    let mut joint = rubbing(&scene, [Handle::NULL, ball], [0.0, 0.0, 4.0], 0.0);
    (joint.axes[5].friction_coefficient, joint.axes[5].friction_radius) = (0.2, 0.1);
    let joint = scene.world.add_joint(&joint).expect("a joint");
    // The load is that of the step before.
    scene.steps(3);
    let state = scene.world.joint_state(joint).expect("a joint");
    // mu r times the weight.
    close(state.torque, [0.0, 0.0, -0.2 * 0.1 * 10.0], 1e-13);
    let wrong = JointAxis { friction: 1.0, ..JointAxis::new(JointKind::Ball) };
    let error = scene.world.set_joint_axis(joint, 3, &wrong).expect_err("no friction of its own");
    assert_eq!(error.kind, ErrorKind::Argument);
    assert!(error.message.contains("axes[3].friction is 1"), "{}", error.message);
}
