//! Forces of joints: motors, friction, redundant and contradicting rows, and what the compatibility correction makes of them.

use super::joints::{exact, request};
use super::scene::{STEP, Scene, close};
use crate::body::{Definition, Kind};
use crate::id::Handle;
use crate::joint::{JointAxis, JointDefinition, JointKind, MotorMode};
use crate::shape::Shape;
use crate::world::settings::Compatibility;
use crate::world::{JointRequest, JointTarget, Settings};

/// A hinge about y between a body and the world, at a point.
fn hinge(scene: &Scene, body: Handle, point: [f64; 3]) -> JointRequest {
    let mut definition = JointDefinition::new(JointKind::Hinge);
    let placed = scene.world.place_joint(&mut definition, [Handle::NULL, body], &point, &[0.0, 1.0, 0.0], None);
    placed.expect("frames");
    let axes = [JointAxis::new(JointKind::Hinge); 6];
    JointRequest { definition, axes, body_a: Handle::NULL, body_b: body, user_data: 0 }
}

/// A rod of 2 kg and 1 m along x, from the origin on. It touches nothing.
fn beam(scene: &mut Scene) -> Handle {
    let moment = 2.0 / 12.0;
    let inertia = [0.01 * moment, moment, moment, 0.0, 0.0, 0.0];
    let definition = Definition { mass: 2.0, inertia, filter_mask: 0, ..scene.ball_at([0.5, 0.0, 0.0]) };
    scene.add(&definition)
}

#[test]
fn a_motor_lifts_a_beam_with_the_torque_of_its_weight() {
    let mut scene = Scene::new(exact(1));
    let body = beam(&mut scene);
    let mut request = hinge(&scene, body, [0.0; 3]);
    // About +y the beam goes down.
    request.axes[5] = JointAxis { motor: MotorMode::Velocity, target_velocity: -0.5, ..request.axes[5] };
    let joint = scene.world.add_joint(&request).expect("a joint");
    scene.steps(1);
    for step in 1..100 {
        let angle = -scene.world.joint_state(joint).expect("a joint").position[5];
        scene.steps(1);
        let state = scene.world.joint_state(joint).expect("a joint");
        // m g l / 2 cos q at the start of the step. The turn within it, 4e-3 rad, changes at most 0.04 N m.
        let torque = -2.0 * 10.0 * 0.5 * angle.cos();
        assert!((state.motor_force[5] - torque).abs() < 0.05, "step {step}: {} for {torque}", state.motor_force[5]);
        assert!((state.velocity[5] + 0.5).abs() < 1e-12);
    }
    // Held still, the torque is exact.
    let target = JointTarget { joint, index: 5, position: None, velocity: Some(0.0) };
    scene.world.set_joint_targets(&[target]).expect("a target");
    scene.steps(2);
    let state = scene.world.joint_state(joint).expect("a joint");
    let torque = -10.0 * state.position[5].cos();
    assert!((state.motor_force[5] - torque).abs() < 1e-10, "{} for {torque}", state.motor_force[5]);
    // A motor that is too weak is at its bound, and the beam sinks.
    let axis = JointAxis { force_lower: -3.0, force_upper: 3.0, ..scene.world.joint_axis(joint, 5).expect("an axis") };
    scene.world.set_joint_axis(joint, 5, &axis).expect("an axis");
    scene.steps(5);
    let state = scene.world.joint_state(joint).expect("a joint");
    assert!(
        (state.motor_force[5] + 3.0).abs() < 1e-13 && state.is_saturated[5] && state.velocity[5] > 0.0,
        "{state:?}"
    );
}

#[test]
fn an_oscillator_with_dry_friction_stops_and_stays() {
    // k = 1 N/m, m = 1 kg, friction 0.2 N: each half swing is 0.4 m shorter ([C] 4.1).
    for (start, rest) in [(1.0, 0.2), (1.5, -0.1), (3.3, 0.1)] {
        let h = 0.01;
        let mut scene = Scene::new(exact(1));
        scene.world.set_gravity([0.0; 3]).expect("gravity");
        let body = scene.ball([0.0, 0.0, start]);
        let mut slider = request(&scene, JointKind::Slider, [Handle::NULL, body], [0.0; 3]);
        slider.definition.point_b = [0.0; 3];
        slider.axes[2] = JointAxis { stiffness: 1.0, friction: 0.2, ..slider.axes[2] };
        let joint = scene.world.add_joint(&slider).expect("a joint");
        for _ in 0..4000 {
            scene.world.step(h).expect("a step");
        }
        let state = scene.world.joint_state(joint).expect("a joint");
        assert!((state.position[2] - rest).abs() < 0.5 * h * h, "{} from {start}", state.position[2]);
        let place = scene.state(body);
        for _ in 0..500 {
            scene.world.step(h).expect("a step");
        }
        assert_eq!(scene.state(body), place, "it does not move any more");
        let state = scene.world.joint_state(joint).expect("a joint");
        assert!((state.friction_force[2] + state.spring_force[2]).abs() < 1e-15, "{state:?}");
    }
}

#[test]
fn a_door_on_three_hinges_hangs_equally_on_each_order_of_them() {
    let mut forces: Vec<Vec<[f64; 3]>> = Vec::new();
    for order in [[0, 1, 2], [2, 0, 1]] {
        let mut scene = Scene::new(exact(1));
        let inertia = [0.5, 0.4, 0.2, 0.0, 0.0, 0.0];
        let door = scene.add(&Definition { mass: 3.0, inertia, filter_mask: 0, ..scene.ball_at([0.4, 0.0, 0.0]) });
        let heights = [-0.7, 0.1, 0.8];
        let mut joints = [Handle::NULL; 3];
        for at in order {
            let joint = request(&scene, JointKind::Hinge, [Handle::NULL, door], [0.0, 0.0, heights[at]]);
            joints[at] = scene.world.add_joint(&joint).expect("a joint");
        }
        scene.steps(3);
        let all = joints.map(|joint| scene.world.joint_state(joint).expect("a joint").force);
        let sum = [0, 1, 2].map(|axis| all.iter().map(|force| force[axis]).sum::<f64>());
        close(sum, [0.0, 0.0, 30.0], 1e-11);
        assert!(all.iter().flatten().all(|force| force.abs() < 100.0), "{all:?}");
        forces.push(all.to_vec());
    }
    for (one, other) in forces[0].iter().zip(&forces[1]) {
        // Least multipliers to 1e-10 of forces of about 10 N.
        close(*one, *other, 1e-8);
    }
}

#[test]
fn motors_that_contradict_each_other_meet_halfway() {
    let mut scene = Scene::new(exact(1));
    scene.world.set_gravity([0.0; 3]).expect("gravity");
    let ball = scene.add(&Definition { filter_mask: 0, ..scene.ball_at([0.0; 3]) });
    let joints = [0.0, 1.0].map(|speed| {
        let mut hinge = hinge(&scene, ball, [0.0; 3]);
        hinge.axes[5] = JointAxis { motor: MotorMode::Velocity, target_velocity: speed, ..hinge.axes[5] };
        scene.world.add_joint(&hinge).expect("a joint")
    });
    scene.steps(1);
    for joint in joints {
        let state = scene.world.joint_state(joint).expect("a joint");
        assert!((state.velocity[5] - 0.5).abs() < 1e-12, "{state:?}");
    }
}

#[test]
fn the_correction_shares_the_weight_of_a_lever_with_its_hinge() {
    let mut scene = Scene::new(Settings { compatibility: Compatibility::Hooke, contact_margin: 1e-3, ..exact(1) });
    // 2 m along x, 1 kg at its middle; supports at 0.7 and 1.6 m.
    let shape = scene.world.add_shape(Shape::cuboid([1.0, 0.05, 0.05]).expect("a box")).expect("memory");
    let material = scene.material(0.0, 0.0);
    let inertia = [0.01, 1.0 / 3.0, 1.0 / 3.0, 0.0, 0.0, 0.0];
    let lever = Definition { shape, material, mass: 1.0, inertia, position: [1.0, 0.0, 0.05], ..Definition::default() };
    let lever = scene.add(&lever);
    for x in [0.7, 1.6] {
        let kind = Kind::Static;
        let support = Definition { kind, material, ..scene.ball_at([x, 0.0, -0.5]) };
        scene.add(&support);
    }
    let joint = scene.world.add_joint(&hinge(&scene, lever, [0.0, 0.0, 0.0])).expect("a joint");
    // The contact forces are not known yet in the first step, which aims the hinge as if the lever fell.
    scene.steps(60);
    let mut forces: Vec<(f64, f64)> = scene.world.contacts().map(|c| (c.point[0], c.compatible_normal_force)).collect();
    forces.sort_by(|one, other| one.0.total_cmp(&other.0));
    // f_i = W (l / 2) x_i / sum x^2
    let sum = 0.7 * 0.7 + 1.6 * 1.6;
    assert_eq!(forces.len(), 2, "{forces:?}");
    for ((_, force), x) in forces.iter().zip([0.7, 1.6]) {
        assert!((force - 10.0 * x / sum).abs() < 1e-8, "{forces:?}");
    }
    let state = scene.world.joint_state(joint).expect("a joint");
    assert!(state.force[2].abs() < 20.0, "{state:?}");
}

#[test]
fn a_joint_breaks_under_its_load_and_is_enabled_again() {
    for (force, torque, impulse, breaks) in [
        (19.0, 0.0, 0.0, true),
        (21.0, 0.0, 0.0, false),
        (0.0, 9.0, 0.0, true),
        (0.0, 11.0, 0.0, false),
        (0.0, 0.0, 0.9 * 20.0 * STEP, true),
        (0.0, 0.0, 1.1 * 20.0 * STEP, false),
    ] {
        let mut scene = Scene::new(exact(1));
        let body = beam(&mut scene);
        let mut fixed = request(&scene, JointKind::Fixed, [Handle::NULL, body], [0.0; 3]);
        // 20 N, and 10 N m about its point.
        let definition = &mut fixed.definition;
        (definition.break_force, definition.break_torque, definition.break_impulse) = (force, torque, impulse);
        let joint = scene.world.add_joint(&fixed).expect("a joint");
        scene.steps(1);
        // The forces of the step in which it breaks still hold.
        close(scene.velocity(body), [0.0; 3], 1e-13);
        let state = scene.world.joint_state(joint).expect("a joint");
        assert_eq!(state.is_broken, breaks, "{force} {torque} {impulse}");
        scene.steps(1);
        let fallen = if breaks { -10.0 * STEP } else { 0.0 };
        close(scene.velocity(body), [0.0, 0.0, fallen], 1e-13);
        let state = scene.world.joint_state(joint).expect("a joint");
        close(state.force, [0.0, 0.0, if breaks { 0.0 } else { 20.0 }], 1e-11);
        scene.world.set_joint_enabled(joint, true).expect("a joint");
        assert!(!scene.world.joint_state(joint).expect("a joint").is_broken);
    }
}

#[test]
fn a_rotor_keeps_its_speed_on_an_axis_that_turns_with_the_bodies() {
    // A body on a hinge that is no principal axis, without weight: what it and the rotor have stays. The error of a turn is of first order.
    let error = |h: f64| {
        let mut scene = Scene::new(exact(1));
        scene.world.set_gravity([0.0; 3]).expect("gravity");
        let inertia = [0.1, 0.08, 0.12, 0.0, 0.02, 0.03];
        let turning =
            Definition { inertia, angular_velocity: [0.0, 0.0, 5.0], filter_mask: 0, ..scene.ball_at([0.0; 3]) };
        let body = scene.add(&turning);
        let mut hinge = request(&scene, JointKind::Hinge, [Handle::NULL, body], [0.0; 3]);
        hinge.axes[5] = JointAxis { armature: 0.1, ..hinge.axes[5] };
        let joint = scene.world.add_joint(&hinge).expect("a joint");
        for _ in 0..(0.5 / h) as u32 {
            scene.world.step(h).expect("a step");
        }
        scene.world.joint_state(joint).expect("a joint").velocity[5] - 5.0
    };
    let [coarse, fine] = [error(1.0 / 512.0), error(1.0 / 1024.0)];
    assert!(coarse.abs() < 1e-3 && (fine / coarse - 0.5).abs() < 0.05, "{coarse:e} {fine:e}");
}
