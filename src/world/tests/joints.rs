//! Joints between the bodies of a world.

use super::scene::{STEP, Scene, close};
use crate::body::Definition;
use crate::id::Handle;
use crate::joint::{AxisMode, JointAxis, JointDefinition, JointKind, MotorMode};
use crate::shape::Shape;
use crate::world::{JointRequest, Settings};

/// Steps whose sweeps converge to round-off.
pub(super) fn exact(substeps: u32) -> Settings {
    Settings { substeps, iterations: 1000, tolerance: 1e-15, ..Settings::default() }
}

/// A joint of this kind at a point of the world, with both frames along the axes of the world. Bodies are not turned.
pub(super) fn request(scene: &Scene, kind: JointKind, [body_a, body_b]: [Handle; 2], point: [f64; 3]) -> JointRequest {
    let local = |body: Handle| {
        if body == Handle::NULL {
            return point;
        }
        let position = scene.state(body).position;
        [0, 1, 2].map(|axis| point[axis] - position[axis])
    };
    let definition = JointDefinition { point_a: local(body_a), point_b: local(body_b), ..JointDefinition::new(kind) };
    JointRequest { definition, axes: [JointAxis::new(kind); 6], body_a, body_b, user_data: 7 }
}

#[test]
fn a_ball_on_a_rod_hangs_at_its_length_and_carries_its_weight() {
    let mut scene = Scene::new(exact(1));
    let ball = scene.ball([0.0, 0.0, 4.0]);
    let mut hanging = request(&scene, JointKind::Distance, [Handle::NULL, ball], [0.0, 0.0, 4.0]);
    hanging.definition.point_a = [0.0, 0.0, 6.0];
    (hanging.definition.length_min, hanging.definition.length_max) = (2.0, 2.0);
    let joint = scene.world.add_joint(&hanging).expect("a joint");
    for _ in 0..100 {
        scene.steps(1);
        let state = scene.world.joint_state(joint).expect("a joint");
        close(state.force, [0.0, 0.0, 10.0], 1e-13);
        assert!((state.position[0] - 2.0).abs() < 1e-14 && state.linear_error < 1e-14, "{state:?}");
        close(scene.velocity(ball), [0.0; 3], 1e-14);
        assert_eq!(scene.force(ball), [0.0; 3], "no contact touches it");
    }
}

#[test]
fn a_hinge_holds_a_beam_and_its_torque_is_reported() {
    let mut scene = Scene::new(exact(1));
    // A ball of 1 kg, welded to the world one metre from its centre.
    let ball = scene.ball([1.0, 0.0, 4.0]);
    let fixed = request(&scene, JointKind::Fixed, [Handle::NULL, ball], [0.0, 0.0, 4.0]);
    let joint = scene.world.add_joint(&fixed).expect("a joint");
    scene.steps(10);
    let state = scene.world.joint_state(joint).expect("a joint");
    close(state.force, [0.0, 0.0, 10.0], 1e-12);
    // The weight turns about -(x cross z) = +y: the joint turns against it.
    close(state.torque, [0.0, -10.0, 0.0], 1e-12);
    close(scene.velocity(ball), [0.0; 3], 1e-14);
    close(scene.state(ball).position, [1.0, 0.0, 4.0], 1e-13);
    let (force, torque) = scene.world.body_joint_force(ball).expect("a body");
    close(force, [0.0, 0.0, 10.0], 1e-12);
    close(torque, [0.0; 3], 1e-12);
}

#[test]
fn contacts_and_joints_balance_on_every_body() {
    for substeps in [1, 3] {
        let mut scene = Scene::new(exact(substeps));
        scene.floor();
        let material = scene.material(0.4, 0.2);
        let at = |x: f64, z: f64| Definition { material, ..scene.ball_at([x, 0.0, z]) };
        let thrown =
            Definition { linear_velocity: [0.5, 0.7, -2.0], angular_velocity: [3.0, 0.0, 1.0], ..at(2.2, 1.1) };
        let definitions = [at(0.0, 0.5), at(1.1, 0.6), thrown];
        let balls = definitions.map(|definition| scene.add(&definition));
        for (pair, x) in [([balls[0], balls[1]], 0.55), ([balls[1], balls[2]], 1.6)] {
            let ball = request(&scene, JointKind::Ball, pair, [x, 0.1, 0.7]);
            scene.world.add_joint(&ball).expect("a joint");
        }
        for step in 0..60 {
            let before = balls.map(|ball| scene.state(ball));
            scene.steps(1);
            for (ball, before) in balls.iter().zip(before) {
                let (after, force) = (scene.state(*ball), scene.force(*ball));
                let (joint, turn) = scene.world.body_joint_force(*ball).expect("a body");
                let moment = scene.world.body_force(*ball).expect("a body").1;
                for axis in 0..3 {
                    let weight = if axis == 2 { -10.0 } else { 0.0 };
                    let gained = (after.linear_velocity[axis] - before.linear_velocity[axis]) / STEP;
                    // Forces of some hundred newtons.
                    let off = gained - weight - force[axis] - joint[axis];
                    assert!(off.abs() < 2e-11, "step {step}, {substeps} substeps: {off}");
                    // 0.4 m r^2 of a ball of 1 kg and half a metre
                    let turned = 0.1 * (after.angular_velocity[axis] - before.angular_velocity[axis]) / STEP;
                    let off = turned - moment[axis] - turn[axis];
                    assert!(off.abs() < 2e-11, "step {step}, {substeps} substeps: turn {off}");
                }
            }
        }
        for joint in scene.world.joint_handles().collect::<Vec<_>>() {
            let state = scene.world.joint_state(joint).expect("a joint");
            // What the sweeps leave is undone after the bodies moved.
            assert!(state.linear_error < 1e-13, "{state:?}");
        }
    }
}

#[test]
fn a_motor_turns_at_its_speed_and_a_limit_ends_the_turn() {
    let mut scene = Scene::new(exact(1));
    scene.world.set_gravity([0.0; 3]).expect("gravity");
    let ball = scene.ball([0.0, 0.0, 4.0]);
    let mut hinge = request(&scene, JointKind::Hinge, [Handle::NULL, ball], [0.0, 0.0, 4.0]);
    hinge.axes[5] = JointAxis {
        motor: MotorMode::Velocity,
        target_velocity: 16.0,
        force_lower: -2.0,
        force_upper: 2.0,
        mode: AxisMode::Limited,
        upper: 8.0,
        ..hinge.axes[5]
    };
    let joint = scene.world.add_joint(&hinge).expect("a joint");
    // 2 N m on 0.1 kg m^2: 20 rad/s^2 until 16 rad/s are reached.
    scene.steps(64);
    let state = scene.world.joint_state(joint).expect("a joint");
    assert!((state.velocity[5] - 10.0).abs() < 1e-12 && (state.motor_force[5] - 2.0).abs() < 1e-12, "{state:?}");
    // The limit at 8 rad, more than one turn away, stops it.
    scene.steps(128);
    let state = scene.world.joint_state(joint).expect("a joint");
    assert!((state.position[5] - 8.0).abs() < 1e-12 && state.velocity[5].abs() < 1e-12, "{state:?}");
    assert!((state.limit_force[5] + 2.0).abs() < 1e-12 && (state.motor_force[5] - 2.0).abs() < 1e-12, "{state:?}");
}

#[test]
fn a_spring_along_a_slider_follows_its_closed_form() {
    let mut scene = Scene::new(exact(1));
    scene.world.set_gravity([0.0; 3]).expect("gravity");
    // 1 kg on 400 N/m with a tenth of critical damping, from 0.1 m.
    let start = Definition { linear_velocity: [0.0; 3], ..scene.ball_at([0.0, 0.0, 0.1]) };
    let ball = scene.add(&start);
    let mut slider = request(&scene, JointKind::Slider, [Handle::NULL, ball], [0.0, 0.0, 0.0]);
    slider.definition.point_b = [0.0; 3];
    slider.axes[2] = JointAxis { stiffness: 400.0, damping: 4.0, ..slider.axes[2] };
    let joint = scene.world.add_joint(&slider).expect("a joint");
    let (w, z) = (20.0, 0.1f64);
    let (decay, turn) = (w * z, w * (1.0 - z * z).sqrt());
    let at =
        |t: f64, v: f64| (-decay * t).exp() * (0.1 * (turn * t).cos() + (v + decay * 0.1) / turn * (turn * t).sin());
    // The velocity of the first step is that of a chord, (q(0) - q(-h)) / h = 0: the closed form through both.
    let back = |v: f64| at(-STEP, v) - 0.1;
    let slope = back(1.0) - back(0.0);
    let v = -back(0.0) / slope;
    for step in 1..200 {
        scene.steps(1);
        let state = scene.world.joint_state(joint).expect("a joint");
        let expected = at(f64::from(step) * STEP, v);
        assert!((state.position[2] - expected).abs() < 1e-13, "step {step}: {} against {expected}", state.position[2]);
    }
}

#[test]
fn joined_bodies_pass_through_each_other_by_default() {
    for collide in [false, true] {
        let mut scene = Scene::new(exact(1));
        scene.world.set_gravity([0.0; 3]).expect("gravity");
        let (a, b) = (scene.ball([0.0, 0.0, 0.0]), scene.ball([0.9, 0.0, 0.0]));
        let mut ball = request(&scene, JointKind::Ball, [a, b], [0.45, 0.0, 0.0]);
        ball.definition.collide = collide;
        let joint = scene.world.add_joint(&ball).expect("a joint");
        scene.steps(1);
        assert_eq!(scene.world.contact_count(), usize::from(collide));
        scene.world.remove_joint(joint).expect("a joint");
        scene.steps(1);
        assert_eq!(scene.world.contact_count(), 1);
        assert!(scene.world.joint_state(joint).is_err(), "it was removed");
    }
}

#[test]
fn joints_go_with_their_bodies() {
    let mut scene = Scene::new(exact(1));
    let balls = [0.0, 2.0, 4.0].map(|x| scene.ball([x, 0.0, 0.0]));
    let joints = [[0, 1], [1, 2]].map(|[a, b]| {
        let ball = request(&scene, JointKind::Ball, [balls[a], balls[b]], [0.0; 3]);
        scene.world.add_joint(&ball).expect("a joint")
    });
    assert_eq!(scene.world.body_joints(balls[1]).expect("a body").collect::<Vec<_>>(), joints);
    assert_eq!(scene.world.joint_bodies(joints[0]).expect("a joint"), [balls[0], balls[1]]);
    assert_eq!(scene.world.joint_user_data(joints[0]).expect("a joint"), 7);
    scene.world.remove_body(balls[0]).expect("a body");
    assert_eq!(scene.world.joint_handles().collect::<Vec<_>>(), joints[1..]);
    scene.steps(1);
    assert!(scene.world.joint_state(joints[0]).is_err());
}

#[test]
fn what_is_joined_sleeps_and_wakes_together() {
    let mut scene = Scene::new(Settings { sleeping: true, ..exact(1) });
    scene.floor();
    let balls = [0.0, 3.0].map(|x| scene.ball([x, 0.0, 0.5]));
    let ball = request(&scene, JointKind::Ball, balls, [1.5, 0.0, 0.5]);
    let joint = scene.world.add_joint(&ball).expect("a joint");
    scene.steps(200);
    assert!(balls.iter().all(|ball| !scene.world.is_awake(*ball).expect("a body")));
    // A failed change leaves them asleep.
    let hash = scene.world.hash();
    scene.world.set_joint_axis(joint, 4, &JointAxis::new(JointKind::Ball)).expect_err("no free axis");
    assert_eq!(scene.world.hash(), hash);
    scene.world.add_force(balls[0], [0.0, 0.0, 1.0], None).expect("a force");
    assert!(balls.iter().all(|ball| scene.world.is_awake(*ball).expect("a body")), "both wake");
}

#[test]
fn what_no_joint_can_be_is_refused_by_name() {
    let mut scene = Scene::new(exact(1));
    let (floor, ball) = (scene.floor(), scene.ball([0.0, 0.0, 4.0]));
    let other = scene.floor();
    let good = request(&scene, JointKind::Hinge, [Handle::NULL, ball], [0.0, 0.0, 4.0]);
    let bad_axis = |axis: JointAxis| {
        let mut axes = good.axes;
        axes[5] = axis;
        JointRequest { axes, ..good }
    };
    let free = good.axes[5];
    let mut wrong_axis = good;
    wrong_axis.axes[2] = JointAxis { friction: 1.0, ..free };
    let turned = JointDefinition { rotation_b: [1.0, 0.0, 0.0, 0.0], ..good.definition };
    let mut ball_friction = request(&scene, JointKind::Ball, [Handle::NULL, ball], [0.0, 0.0, 4.0]);
    ball_friction.axes[3].friction = 1.0;
    let cases = [
        (JointRequest { body_a: ball, ..good }, "body_a and body_b"),
        (JointRequest { body_a: floor, body_b: other, ..good }, "neither body_a nor body_b"),
        (JointRequest { body_b: Handle(77), ..good }, "body_b"),
        (JointRequest { definition: JointDefinition { point_a: [f64::NAN; 3], ..good.definition }, ..good }, "point_a"),
        (JointRequest { definition: turned, ..good }, "90 degrees"),
        (bad_axis(JointAxis { lower: 2.0, upper: 1.0, ..free }), "lower"),
        (bad_axis(JointAxis { force_lower: f64::NAN, ..free }), "force_lower"),
        (wrong_axis, "axes[2]"),
        (ball_friction, "axes[3].friction"),
    ];
    let hash = scene.world.hash();
    for (request, name) in cases {
        let error = scene.world.add_joint(&request).expect_err(name);
        assert!(error.message.contains(name), "{}", error.message);
        assert_eq!((scene.world.hash(), scene.world.joint_count()), (hash, 0));
    }
}

#[test]
fn what_is_joined_and_rests_on_the_floor_does_not_move_at_all() {
    for substeps in [1, 2] {
        let mut scene = Scene::new(Settings { substeps, ..Settings::default() });
        scene.floor();
        let shape = scene.world.add_shape(Shape::cuboid([0.5, 0.3, 0.2]).expect("a box")).expect("memory");
        let boxes =
            [0.0, 1.2].map(|x| scene.add(&Definition { shape, position: [x, 0.0, 0.2], ..Definition::default() }));
        let hinge = request(&scene, JointKind::Hinge, boxes, [0.6, 0.0, 0.2]);
        scene.world.add_joint(&hinge).expect("a joint");
        scene.steps(200);
        let before = boxes.map(|body| scene.state(body));
        scene.steps(1000);
        for (body, before) in boxes.iter().zip(before) {
            let state = scene.state(*body);
            close(state.linear_velocity, [0.0; 3], 1e-15);
            close(state.position, before.position, 1e-14);
        }
    }
}

#[test]
fn a_gripper_holds_a_box_by_friction() {
    let mut scene = Scene::new(Settings::default());
    let material = scene.material(0.5, 0.0);
    let cube = |half: [f64; 3]| Shape::cuboid(half).expect("a box");
    let [palm, finger, load] = [[0.3, 0.1, 0.05], [0.05, 0.1, 0.2], [0.1, 0.1, 0.1]]
        .map(|half| scene.world.add_shape(cube(half)).expect("memory"));
    let mut add = |shape: Handle, position: [f64; 3]| {
        scene.add(&Definition { shape, material, position, ..Definition::default() })
    };
    let palm = add(palm, [0.0, 0.0, 1.0]);
    let fingers = [-0.15, 0.15].map(|x| add(finger, [x, 0.0, 0.7]));
    let load = add(load, [0.0, 0.0, 0.6]);
    let fixed = request(&scene, JointKind::Fixed, [Handle::NULL, palm], [0.0, 0.0, 1.0]);
    scene.world.add_joint(&fixed).expect("a joint");
    for (finger, push) in fingers.into_iter().zip([1.0, -1.0]) {
        let mut definition = JointDefinition::new(JointKind::Slider);
        let bodies = [palm, finger];
        scene.world.place_joint(&mut definition, bodies, &[0.0, 0.0, 0.9], &[1.0, 0.0, 0.0], None).expect("frames");
        let mut axes = [JointAxis::new(JointKind::Slider); 6];
        // The box weighs 80 N: each finger can hold 100 N by friction.
        axes[2] = JointAxis {
            motor: MotorMode::Velocity,
            target_velocity: push,
            force_lower: -200.0,
            force_upper: 200.0,
            ..axes[2]
        };
        let slider = JointRequest { definition, axes, body_a: palm, body_b: finger, user_data: 0 };
        scene.world.add_joint(&slider).expect("a joint");
    }
    scene.steps(100);
    let before = scene.state(load);
    scene.steps(3000);
    let state = scene.state(load);
    close(state.position, before.position, 1e-9);
    assert!((scene.force(load)[2] - 80.0).abs() < 1e-6, "{:?}", scene.force(load));
}
