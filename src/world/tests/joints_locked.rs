//! Joints of bodies that lock components of their motion.

use std::sync::Arc;

use super::scene::{STEP, Scene};
use crate::body::{Definition, Lock};
use crate::id::Handle;
use crate::joint::{AxisMode, JointAxis, JointDefinition, JointKind, MotorMode};
use crate::tasks::Tasks;
use crate::tasks::tests::Scoped;
use crate::world::settings::{FrictionLaw, JointSolver, SolverKind};
use crate::world::state::Workspace;
use crate::world::{JointRequest, Settings};

const Y: u32 = 2;
const ALL_PLACES: u32 = 7;
const TURN_X: u32 = 8;
const TURN_Y: u32 = 16;
const TURN_Z: u32 = 32;
const ALL_TURNS: u32 = TURN_X | TURN_Y | TURN_Z;

/// The body stays in its plane y = constant.
const PLANE: u32 = Y | TURN_X | TURN_Z;

/// What motions that are the same differ by: each step adds some units of round-off, which a swing does not amplify.
const SAME: f64 = 1e-12;

/// Settings of every solver and every treatment of joints, with and without the position pass and the aim of joints.
fn treatments() -> Vec<Settings> {
    let solvers =
        [SolverKind::Pgs, SolverKind::PgsAccelerated, SolverKind::Newton, SolverKind::Apgd, SolverKind::Conic];
    let mut all = Vec::new();
    for solver in solvers {
        // The conic solver has associated friction alone; nothing touches here.
        let is_conic = solver == SolverKind::Conic;
        let friction_law = if is_conic { FrictionLaw::Associated } else { FrictionLaw::Coulomb };
        for choice in 0..16 {
            let is_set = |bit: u32| choice >> bit & 1 == 1;
            all.push(Settings {
                solver,
                friction_law,
                joint_solver: if is_set(0) { JointSolver::Rows } else { JointSolver::Split },
                position_projection: is_set(1),
                joint_aim: is_set(2),
                substeps: if is_set(3) { 3 } else { 1 },
                iterations: 1000,
                tolerance: 1e-15,
                ..Settings::default()
            });
        }
    }
    all
}

/// Returns the text that a failed test prints for the settings.
fn name_of(settings: &Settings) -> String {
    let Settings { solver, joint_solver, position_projection, joint_aim, substeps, .. } = settings;
    format!("{solver:?} {joint_solver:?}, projection {position_projection}, aim {joint_aim}, substeps {substeps}")
}

/// A joint of this kind at a point of the world, with this axis.
fn place(scene: &mut Scene, kind: JointKind, pair: [Handle; 2], point: [f64; 3], axis: [f64; 3]) -> JointRequest {
    let mut definition = JointDefinition::new(kind);
    scene.world.place_joint(&mut definition, pair, &point, &axis, None).expect("frames");
    let [body_a, body_b] = pair;
    JointRequest { definition, axes: [JointAxis::new(kind); 6], body_a, body_b, user_data: 0 }
}

/// A ball of 1 kg and 0.1 kg m^2 that nothing touches, turned anyhow.
fn bare(scene: &Scene, position: [f64; 3], lock: u32) -> Definition {
    let rotation = [0.1, -0.2, 0.3, 0.86_f64.sqrt()];
    let inertia = [0.1, 0.1, 0.1, 0.0, 0.0, 0.0];
    Definition { rotation, inertia, filter_mask: 0, lock: Lock(lock), ..scene.ball_at(position) }
}

/// Steps, and returns the largest errors of some joints on the way [m, rad].
fn run(scene: &mut Scene, joints: &[Handle], steps: usize) -> [f64; 2] {
    let mut worst = [0.0_f64; 2];
    for _ in 0..steps {
        scene.world.step(STEP).expect("a step");
        for joint in joints {
            let state = scene.world.joint_state(*joint).expect("a joint");
            worst = [worst[0].max(state.linear_error), worst[1].max(state.angular_error)];
        }
    }
    worst
}

/// Returns the largest difference of the places and rotations of two bodies.
fn distance(one: &(Scene, Handle), other: &(Scene, Handle)) -> f64 {
    let [one, other] = [one, other].map(|(scene, body)| scene.state(*body));
    let numbers = one.position.iter().chain(&one.rotation).zip(other.position.iter().chain(&other.rotation));
    numbers.map(|(one, other)| (one - other).abs()).fold(0.0, f64::max)
}

/// Checks that locks change neither the motion nor the errors that `swing` gives. It is called with locks.
fn assert_same(what: &str, locks: &[u32], swing: impl Fn(u32) -> (Scene, Handle, [f64; 2])) {
    let (scene, body, errors) = swing(0);
    let free = (scene, body);
    for lock in locks {
        let (scene, body, found) = swing(*lock);
        let off = distance(&(scene, body), &free);
        assert!(off < SAME, "{what}, lock {lock:#x}: off by {off:e}");
        // The errors are those of the free motion, to round-off.
        let is_whole = found.iter().zip(errors).all(|(found, free)| (found - free).abs() < SAME);
        assert!(is_whole, "{what}, lock {lock:#x}: {found:?}, free {errors:?}");
    }
}

#[test]
fn locked_turns_leave_a_pendulum_as_it_is() {
    for settings in treatments() {
        // From 60 degrees, so that it swings through the lowest point and back in 200 steps.
        let swing = |lock: u32| {
            let mut scene = Scene::new(settings);
            let angle = 60f64.to_radians();
            let body = scene.add(&bare(&scene, [angle.sin(), 0.0, -angle.cos()], lock));
            let hinge = place(&mut scene, JointKind::Hinge, [Handle::NULL, body], [0.0; 3], [0.0, 1.0, 0.0]);
            let joint = scene.world.add_joint(&hinge).expect("a joint");
            let errors = run(&mut scene, &[joint], 200);
            assert!(scene.state(body).position[0] < -0.2, "it swung to {:?}", scene.state(body).position);
            (scene, body, errors)
        };
        let locks = [TURN_X | TURN_Z, TURN_X, TURN_Z, Y, Y | TURN_X, PLANE];
        assert_same(&name_of(&settings), &locks, swing);
    }
}

#[test]
fn locked_turns_leave_two_joined_bodies_as_they_are() {
    for settings in treatments() {
        for locks in [[1, 1], [1, 0], [0, 1]] {
            let swing = |lock: u32| {
                let mut scene = Scene::new(settings);
                let upper = scene.add(&bare(&scene, [0.5, 0.0, -0.5], locks[0] * lock));
                let lower = scene.add(&bare(&scene, [1.5, 0.0, -0.5], locks[1] * lock));
                let joints =
                    [([Handle::NULL, upper], [0.0; 3]), ([upper, lower], [1.0, 0.0, -0.5])].map(|(pair, point)| {
                        let hinge = place(&mut scene, JointKind::Hinge, pair, point, [0.0, 1.0, 0.0]);
                        scene.world.add_joint(&hinge).expect("a joint")
                    });
                let errors = run(&mut scene, &joints, 100);
                (scene, lower, errors)
            };
            assert_same(&name_of(&settings), &[TURN_X | TURN_Z, TURN_X, PLANE], swing);
        }
    }
}

#[test]
fn a_plane_leaves_joints_of_all_kinds_as_they_are() {
    let oblique = [0.6, 0.0, 0.8];
    for settings in treatments() {
        for (kind, axis) in [
            (JointKind::Ball, [0.3, 0.4, 0.5]),
            (JointKind::Hinge, [0.0, 1.0, 0.0]),
            (JointKind::Slider, oblique),
            (JointKind::Fixed, [0.3, 0.4, 0.5]),
            (JointKind::Distance, [0.0, 1.0, 0.0]),
            (JointKind::Cylindrical, [0.0, 1.0, 0.0]),
            (JointKind::Planar, [0.0, 1.0, 0.0]),
        ] {
            let swing = |lock: u32| {
                let mut scene = Scene::new(settings);
                let body = scene.add(&bare(&scene, [0.8, 0.0, -0.6], lock));
                let mut request = place(&mut scene, kind, [Handle::NULL, body], [0.0; 3], axis);
                if kind == JointKind::Distance {
                    request.definition.point_b = [0.0; 3];
                    (request.definition.length_min, request.definition.length_max) = (1.0, 1.0);
                }
                let joint = scene.world.add_joint(&request).expect("a joint");
                let errors = run(&mut scene, &[joint], 100);
                (scene, body, errors)
            };
            assert_same(&format!("{kind:?}, {}", name_of(&settings)), &[PLANE, TURN_X | TURN_Z, TURN_X], swing);
        }
    }
}

#[test]
fn locks_are_along_the_axes_of_the_world_however_the_inertia_is_tilted() {
    // A turn about y leaves the moment about y as it is, and the others do not count.
    let swing = |settings: &Settings, inertia: [f64; 6]| {
        let mut scene = Scene::new(*settings);
        let body = bare(&scene, [0.8, 0.0, -0.6], TURN_X | TURN_Z);
        let body = scene.add(&Definition { inertia, ..body });
        let hinge = place(&mut scene, JointKind::Hinge, [Handle::NULL, body], [0.0; 3], [0.0, 1.0, 0.0]);
        let joint = scene.world.add_joint(&hinge).expect("a joint");
        let slot = scene.world.bodies.registry.slot("body", body).expect("a body");
        let rotation = scene.world.bodies.motion[slot].rotation;
        let moment = scene.world.bodies.mass[slot].world_inertia(&rotation).to_matrix()[(1, 1)];
        let errors = run(&mut scene, &[joint], 200);
        ((scene, body), errors, moment)
    };
    for settings in treatments() {
        let (tilted, errors, moment) = swing(&settings, [0.1, 0.3, 0.25, 0.02, -0.03, 0.04]);
        let (round, expected, _) = swing(&settings, [moment, moment, moment, 0.0, 0.0, 0.0]);
        let off = distance(&tilted, &round);
        assert!(off < SAME, "{}: {off:e}", name_of(&settings));
        let is_whole = errors.iter().zip(expected).all(|(error, expected)| (error - expected).abs() < SAME);
        assert!(is_whole, "{}: {errors:?} for {expected:?}", name_of(&settings));
    }
}

#[test]
fn what_drives_a_locked_axis_carries_nothing() {
    for settings in treatments() {
        for (kind, axis, lock) in
            [(JointKind::Hinge, 5, ALL_TURNS), (JointKind::Slider, 2, ALL_PLACES | (ALL_TURNS - TURN_X))]
        {
            let mut scene = Scene::new(settings);
            let body = scene.add(&bare(&scene, [0.8, 0.0, -0.6], lock));
            let mut request = place(&mut scene, kind, [Handle::NULL, body], [0.8, 0.0, -0.6], [0.0, 1.0, 0.0]);
            request.axes[axis] = JointAxis {
                mode: AxisMode::Limited,
                lower: 0.1,
                upper: 0.2,
                motor: MotorMode::Velocity,
                target_velocity: 2.0,
                stiffness: 100.0,
                friction: 1.0,
                ..request.axes[axis]
            };
            let joint = scene.world.add_joint(&request).expect("a joint");
            run(&mut scene, &[joint], 20);
            let state = scene.world.joint_state(joint).expect("a joint");
            let forces = [state.motor_force, state.limit_force, state.spring_force, state.friction_force];
            assert_eq!(forces.map(|forces| forces[axis]), [0.0; 4], "{kind:?} {}", name_of(&settings));
            assert!(state.position[axis].abs() < SAME, "{state:?}");
        }
    }
}

/// A body on a joint that its locks contradict, and the joint.
fn contradicting(
    settings: &Settings,
    (kind, lock, pairs): (JointKind, u32, bool),
    tilt: f64,
) -> (Scene, Handle, Handle) {
    let mut scene = Scene::new(*settings);
    let body = scene.add(&bare(&scene, [0.8, 0.0, -0.6], lock));
    let other = if pairs { scene.add(&bare(&scene, [-0.8, 0.0, -0.6], lock)) } else { Handle::NULL };
    let axis = if kind == JointKind::Hinge { [0.0, 1.0, 0.0] } else { [0.3, 0.9, 0.4] };
    let mut request = place(&mut scene, kind, [other, body], [0.0; 3], axis);
    let definition = &mut request.definition;
    definition.point_b[1] += 0.1;
    // Turned about x of the frame.
    let ([x, y, z, w], (s, c)) = (definition.rotation_b, (0.5 * tilt).sin_cos());
    definition.rotation_b = [x * c + w * s, y * c + z * s, z * c - y * s, w * c - x * s];
    (definition.length_min, definition.length_max) = (0.5, 0.5);
    let joint = scene.world.add_joint(&request).expect("a joint");
    (scene, body, joint)
}

#[test]
fn a_joint_that_locks_contradict_keeps_its_error_and_throws_nothing() {
    let some_turns = TURN_X | TURN_Z;
    let of_kinds = [JointKind::Ball, JointKind::Fixed, JointKind::Slider, JointKind::Universal, JointKind::Cylindrical];
    let on_planes = of_kinds.into_iter().chain([JointKind::Planar]).map(|kind| (kind, PLANE, 0.1));
    let hinges = [(some_turns, 0.1), (some_turns, 1e-4), (TURN_X, 0.1)];
    let hinges = hinges.into_iter().map(|(lock, tilt)| (JointKind::Hinge, lock, tilt));
    let places = [(JointKind::Ball, ALL_PLACES, 0.1), (JointKind::Fixed, ALL_PLACES | some_turns, 0.1)];
    let all: Vec<_> = on_planes.chain(hinges).chain(places).collect();
    for settings in treatments() {
        for (kind, lock, tilt) in &all {
            for pairs in [false, true] {
                let (mut scene, body, joint) = contradicting(&settings, (*kind, *lock, pairs), *tilt);
                run(&mut scene, &[joint], 200);
                let (state, reading) = (scene.state(body), scene.world.joint_state(joint).expect("a joint"));
                let what = format!("{kind:?} lock {lock:#x}, pairs {pairs}, {}: {state:?}", name_of(&settings));
                // Bodies that fall freely have 16 m/s in the end, and are 13 m lower.
                assert!(state.linear_velocity.iter().all(|speed| speed.abs() < 20.0), "{what}");
                assert!(state.angular_velocity.iter().all(|speed| speed.abs() < 30.0), "{what}");
                assert!(state.position.iter().all(|place| place.abs() < 20.0), "{what}");
                assert!(reading.linear_error < 2.0 && reading.angular_error < 4.0, "{what}: {reading:?}");
                if *lock == PLANE && !pairs && *kind == JointKind::Ball {
                    // Nothing brings the points into one plane: they are 0.1 m apart along y.
                    assert!(reading.linear_error > 0.05, "{what}: {reading:?}");
                }
            }
        }
    }
}

#[test]
fn locked_joints_are_the_same_on_any_number_of_threads() {
    for joint_solver in [JointSolver::Split, JointSolver::Rows] {
        let hashes = [1, 2].map(|threads| {
            let mut scene = Scene::new(Settings { joint_solver, substeps: 2, ..Settings::default() });
            let tasks = Arc::new(Scoped(threads)) as Arc<dyn Tasks>;
            (scene.world.tasks, scene.world.workspace) = (tasks.clone(), Workspace::new(&tasks));
            for number in 0..40 {
                let x = 5.0 * f64::from(number);
                let mut above = Handle::NULL;
                for link in 0..4 {
                    let top = x + f64::from(link);
                    let lock = [TURN_X | TURN_Z, TURN_X, PLANE, 0][link as usize];
                    let body = scene.add(&bare(&scene, [top + 0.5, 0.0, 0.0], lock));
                    let hinge = place(&mut scene, JointKind::Hinge, [above, body], [top, 0.0, 0.0], [0.0, 1.0, 0.0]);
                    scene.world.add_joint(&hinge).expect("a joint");
                    above = body;
                }
            }
            scene.steps(20);
            scene.world.hash()
        });
        assert_eq!(hashes[0], hashes[1], "{joint_solver:?}");
    }
}
