//! Contacts on mechanisms: they meet the inertia of all that hangs together, for any number of sweeps.

use super::joints::{exact, request};
use super::scene::{STEP, Scene};
use crate::body::{Definition, Kind};
use crate::id::Handle;
use crate::joint::{AxisMode, JointAxis, JointDefinition, JointKind, MotorMode};
use crate::shape::Shape;
use crate::world::settings::{JointSolver, Projection};
use crate::world::{JointRequest, Settings};

/// Links of 2 t and 2 m along x, hinged about y from the origin on, each with such an axis. Returns links and joints.
fn arm(scene: &mut Scene, links: usize, axis: JointAxis) -> (Vec<Handle>, Vec<Handle>) {
    let shape = scene.world.add_shape(Shape::cuboid([1.0, 0.2, 0.2]).expect("a box")).expect("memory");
    let (mut above, mut bodies, mut joints) = (Handle::NULL, Vec::new(), Vec::new());
    for link in 0..links {
        let x = 2.0 * link as f64;
        let body =
            scene.add(&Definition { shape, mass: 2000.0, position: [x + 1.0, 0.0, 0.0], ..Definition::default() });
        let mut definition = JointDefinition::new(JointKind::Hinge);
        let pair = [above, body];
        scene.world.place_joint(&mut definition, pair, &[x, 0.0, 0.0], &[0.0, 1.0, 0.0], None).expect("frames");
        let mut axes = [JointAxis::new(JointKind::Hinge); 6];
        axes[5] = axis;
        let request = JointRequest { definition, axes, body_a: above, body_b: body, user_data: 0 };
        joints.push(scene.world.add_joint(&request).expect("a joint"));
        bodies.push(body);
        above = body;
    }
    (bodies, joints)
}

fn held() -> JointAxis {
    JointAxis { motor: MotorMode::Velocity, ..JointAxis::new(JointKind::Hinge) }
}

/// A ball of 500 kg at 1 m/s, 1 mm above the end of the arm.
fn hammer(scene: &mut Scene) -> Handle {
    let shape = scene.world.add_shape(Shape::sphere(0.5).expect("a ball")).expect("memory");
    let position = [7.5, 0.0, 0.701];
    let linear_velocity = [0.0, 0.0, -1.0];
    scene.add(&Definition { shape, mass: 500.0, position, linear_velocity, ..Definition::default() })
}

/// Returns what the ball receives in the step in which it hits the arm, whose motors have this bound, and the fastest motion of the links.
fn hit_arm(settings: Settings, force_bound: f64) -> (f64, f64) {
    let mut scene = Scene::new(settings);
    scene.world.set_gravity([0.0; 3]).expect("gravity");
    let motor = JointAxis { force_lower: -force_bound, force_upper: force_bound, ..held() };
    let (links, _) = arm(&mut scene, 4, motor);
    let ball = hammer(&mut scene);
    scene.steps(1);
    let speeds = links.iter().flat_map(|link| scene.velocity(*link));
    (scene.force(ball)[2] * STEP, speeds.fold(0.0, |fastest: f64, speed| fastest.max(speed.abs())))
}

#[test]
fn an_arm_that_motors_hold_stops_an_impact_in_one_sweep() {
    for projection in [Projection::Off, Projection::Auto] {
        for force_bound in [f64::INFINITY, 1e7] {
            // The ball stops in the step before the gap closes: m v.
            let (impulse, speed) = hit_arm(Settings { iterations: 1, projection, ..Settings::default() }, force_bound);
            assert!((impulse - 500.0).abs() < 1e-9, "{impulse}");
            assert!(speed < 1e-10, "{speed:e}");
        }
    }
}

#[test]
fn rows_in_the_sweeps_find_the_same_with_many_sweeps() {
    let (impulse, speed) = hit_arm(Settings { joint_solver: JointSolver::Rows, ..exact(1) }, f64::INFINITY);
    assert!((impulse - 500.0).abs() < 1e-6 && speed < 1e-6, "{impulse} {speed:e}");
    let few = Settings { joint_solver: JointSolver::Rows, projection: Projection::Off, iterations: 4, ..exact(1) };
    assert!(hit_arm(few, f64::INFINITY).1 > 1e-3, "few sweeps let the arm yield");
}

#[test]
fn an_arm_pressed_into_rock_has_finite_forces_and_a_motor_at_its_bound() {
    let mut scene = Scene::new(exact(1));
    let drive = JointAxis { target_velocity: 0.2, force_lower: -4e5, force_upper: 4e5, ..held() };
    let (links, joints) = arm(&mut scene, 4, drive);
    let shape = scene.world.add_shape(Shape::cuboid([1.0, 1.0, 1.0]).expect("a box")).expect("memory");
    let rock =
        scene.add(&Definition { shape, kind: Kind::Static, position: [7.5, 0.0, -1.25], ..Definition::default() });
    let mut pressed = 0.0_f64;
    for _ in 0..60 {
        scene.steps(1);
        let force = scene.force(rock)[2];
        assert!(force.abs() < 1e7, "{force}");
        pressed = pressed.max(-force);
    }
    assert!(pressed > 1e4, "{pressed}");
    let states: Vec<_> = joints.iter().map(|joint| scene.world.joint_state(*joint).expect("a joint")).collect();
    assert!(states.iter().any(|state| state.is_saturated[5]), "{states:?}");
    // Nothing sinks into the rock, and the joints are whole.
    assert!(scene.state(links[3]).position[2] > -0.3, "{:?}", scene.state(links[3]));
    assert!(states.iter().all(|state| state.linear_error < 1e-12));
}

/// A motor within its bounds holds its body, but not against the ground: there it presses with its bound, and goes nowhere.
#[test]
fn a_motor_presses_a_body_to_the_ground_with_its_bound() {
    for joint_solver in [JointSolver::Split, JointSolver::Rows] {
        // m v over the step is 64 N.
        for bound in [5.0, 63.0, 65.0, 200.0, 2000.0, 50_000.0] {
            let mut scene = Scene::new(Settings { joint_solver, ..exact(1) });
            scene.floor();
            let ball = scene.ball([0.0, 0.0, 0.6]);
            let joint = request(&scene, JointKind::Slider, [Handle::NULL, ball], [0.0, 0.0, 0.6]);
            let joint = scene.world.add_joint(&joint).expect("a joint");
            let free = JointAxis { mode: AxisMode::Free, ..JointAxis::new(JointKind::Slider) };
            let (motor, target_velocity) = (MotorMode::Velocity, -0.5);
            let axis = JointAxis { motor, target_velocity, force_lower: -bound, force_upper: bound, ..free };
            scene.world.set_joint_axis(joint, 2, &axis).expect("an axis");
            for _ in 0..100 {
                scene.steps(1);
                // It may come too far by the way of one step; with a small bound it falls at up to 1.4 m/s.
                assert!(scene.state(ball).position[2] > 0.5 - 1.4 * STEP, "{joint_solver:?}, {bound}");
            }
            assert!(scene.velocity(ball).iter().all(|speed| speed.abs() < 1e-9), "{joint_solver:?}, {bound}");
            let expected = 10.0 + bound;
            assert!((scene.force(ball)[2] / expected - 1.0).abs() < 1e-9, "{joint_solver:?}, {bound}");
        }
    }
}

#[test]
fn a_motor_without_bounds_stops_at_those_of_its_axis() {
    let mut scene = Scene::new(Settings::default());
    let axis = JointAxis { target_velocity: 1.0, mode: AxisMode::Limited, lower: -0.1, upper: 0.25, ..held() };
    let (_, joints) = arm(&mut scene, 1, axis);
    scene.steps(10);
    let state = scene.world.joint_state(joints[0]).expect("a joint");
    assert!((state.velocity[5] - 1.0).abs() < 1e-9, "{state:?}");
    scene.steps(60);
    let state = scene.world.joint_state(joints[0]).expect("a joint");
    assert!((state.position[5] - 0.25).abs() < 1e-12 && state.velocity[5].abs() < 1e-12, "{state:?}");
}

#[test]
fn overlap_hardly_moves_a_motor_that_holds_its_load() {
    for bound in [1e5, f64::INFINITY] {
        let mut scene = Scene::new(exact(1));
        let (_, joints) = arm(&mut scene, 2, JointAxis { force_lower: -bound, force_upper: bound, ..held() });
        let shape = scene.world.add_shape(Shape::sphere(0.5).expect("a ball")).expect("memory");
        // 10 mm deep in the arm.
        let ball = scene.add(&Definition { shape, mass: 500.0, position: [3.5, 0.0, 0.69], ..Definition::default() });
        scene.steps(50);
        let lift = scene.state(ball).position[2] - 0.69;
        assert!((lift - 0.01).abs() < 1e-3, "{lift}");
        for joint in &joints {
            let state = scene.world.joint_state(*joint).expect("a joint");
            // A motor with bounds yields by a hundredth of what the free arm would: up to 0.01 m / 4 m without the ball.
            let limit = if bound.is_finite() { 3e-5 } else { 1e-14 };
            assert!(state.position[5].abs() < limit, "{bound}: {state:?}");
        }
    }
    // A motor at its bound slips.
    let mut scene = Scene::new(exact(1));
    let (links, _) = arm(&mut scene, 1, JointAxis { force_lower: -1.0, force_upper: 1.0, ..held() });
    scene.steps(10);
    assert!(scene.state(links[0]).position[2] < -1e-3, "{:?}", scene.state(links[0]));
}

#[test]
fn overlap_that_nothing_else_can_undo_moves_what_friction_holds() {
    for joint_solver in [JointSolver::Split, JointSolver::Rows] {
        let mut scene = Scene::new(Settings { joint_solver, ..Settings::default() });
        scene.floor();
        // 50 mm deep in the floor, on a slider along z whose friction of 1 N is within its bound.
        let ball = scene.ball([0.0, 0.0, 0.45]);
        let mut slider = request(&scene, JointKind::Slider, [Handle::NULL, ball], [0.0, 0.0, 0.45]);
        slider.axes[2].friction = 1.0;
        scene.world.add_joint(&slider).expect("a joint");
        scene.steps(200);
        let overlap = 0.5 - scene.state(ball).position[2];
        assert!(overlap < 1e-3, "{joint_solver:?}: {overlap}");
    }
}

#[test]
fn a_lever_that_hardly_opens_a_contact_is_not_turned_far() {
    for lean in [1e-4_f64, 1e-3, 1e-2, 0.1] {
        let mut scene = Scene::new(Settings::default());
        scene.world.set_gravity([0.0; 3]).expect("gravity");
        scene.floor();
        // A ball at the end of a rod of 1 m that stands on the floor all but upright, hinged at its top.
        let ball = scene.ball([lean.sin(), 0.0, 0.49]);
        let hinge = request(&scene, JointKind::Ball, [Handle::NULL, ball], [0.0, 0.0, 0.49 + lean.cos()]);
        let joint = scene.world.add_joint(&hinge).expect("a joint");
        for _ in 0..100 {
            let before = scene.state(ball).position;
            scene.steps(1);
            let after = scene.state(ball).position;
            let moved = before.iter().zip(&after).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            // Five times the overlap of 10 mm, and at most five times what a step undoes.
            assert!(moved < 0.05, "{lean}: {moved}");
            let state = scene.world.joint_state(joint).expect("a joint");
            assert!(state.linear_error < 1e-12, "{lean}: {state:?}");
        }
    }
}

#[test]
fn a_report_includes_joints() {
    let mut scene = Scene::new(exact(2));
    let (links, joints) = arm(&mut scene, 3, JointAxis::new(JointKind::Hinge));
    let report = scene.world.step(STEP).expect("a step");
    assert_eq!((report.joints, report.unaimed_mechanisms), (3, 0));
    assert!(report.joint_residual < 1e-13 && report.joint_error < 1e-14, "{report:?}");
    assert!(report.seconds_joints > 0.0);
    // From the second step on the forces are known: three links of 2 m turn at about sqrt(g / l) and a few times that.
    let report = scene.world.step(STEP).expect("a step");
    assert!(report.joint_stiffness > 0.01 && report.joint_stiffness < 1.0, "{report:?}");
    // Two motors that ask one axis for different velocities.
    let pair = [Handle::NULL, links[0]];
    for target_velocity in [1.0, 0.0] {
        let mut other = request(&scene, JointKind::Hinge, pair, [0.0; 3]);
        scene.world.place_joint(&mut other.definition, pair, &[0.0; 3], &[0.0, 1.0, 0.0], None).expect("frames");
        other.axes[5] = JointAxis { target_velocity, ..held() };
        scene.world.add_joint(&other).expect("a joint");
    }
    let report = scene.world.step(STEP).expect("a step");
    // Each row misses half a radian per second. It counts at the distance sqrt(tr 1/m / tr 1/I) of a link, whose inertia is its mass times
    // 2/75, 26/75 and 26/75 m^2.
    let length = (3.0 / (75.0 / 2.0 + 2.0 * 75.0 / 26.0_f64)).sqrt();
    assert!((report.joint_residual - 0.5 * length).abs() < 1e-9, "{report:?}");
    assert_ne!(report.worst_joint, Handle::NULL);
    let state = scene.world.joint_state(joints[0]).expect("a joint");
    assert!(state.is_redundant && !state.is_unaimed);
}
