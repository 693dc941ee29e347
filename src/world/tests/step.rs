//! The step as a whole: what it reports, what lasts, and that one that fails never was.

use super::scene::{STEP, Scene, assert_energies, close, column};
use crate::body::{Definition, Kind, Lock};
use crate::error::ErrorKind;
use crate::shape::Shape;
use crate::world::report::NOT_CONVERGED;
use crate::world::settings::{Projection, SolverKind};
use crate::world::{BodyState, ContactReport, Settings, StepFailure};

#[test]
fn a_falling_ball() {
    // v = -g h k and z = -g h^2 k (k + 1) / 2: exact in powers of two times 10.
    let mut scene = Scene::new(Settings::default());
    let ball = scene.ball([0.0, 0.0, 8.0]);
    for k in 1..=8 {
        scene.steps(1);
        let k = f64::from(k);
        let state = scene.state(ball);
        assert_eq!(state.linear_velocity, [0.0, 0.0, -10.0 * STEP * k]);
        assert_eq!(state.position, [0.0, 0.0, 8.0 - 10.0 * STEP * STEP * k * (k + 1.0) / 2.0]);
    }
}

#[test]
fn forces_last_one_step() {
    let mut scene = Scene::new(Settings::default());
    scene.world.set_gravity([0.0; 3]).expect("gravity");
    let ball = scene.ball([0.0; 3]);
    scene.world.add_force(ball, [64.0, 0.0, 0.0], None).expect("a force");
    scene.world.add_force(ball, [64.0, 0.0, 0.0], None).expect("another");
    // At the top of the ball: torque (0, 0, 0.5) x (0, 128, 0) = (-64, 0, 0), and I = 0.4 * 0.25 = 0.1.
    scene.world.add_force(ball, [0.0, 128.0, 0.0], Some([0.0, 0.0, 0.5])).expect("a third");
    scene.world.add_torque(ball, [0.0, 0.0, 12.8]).expect("a torque");
    scene.steps(1);
    let expected = ([1.0, 1.0, 0.0], [-5.0, 0.0, 1.0]);
    let state = scene.state(ball);
    assert_eq!(state.linear_velocity, expected.0);
    // 1/I is rounded.
    close(state.angular_velocity, expected.1, 4e-15);
    scene.steps(1);
    assert_eq!(scene.velocity(ball), expected.0, "the force is gone");
    assert_eq!(scene.state(ball).angular_velocity, state.angular_velocity, "the torque is gone");
}

#[test]
fn gravity_is_scaled_body_by_body() {
    let mut scene = Scene::new(Settings::default());
    for (k, gravity_scale) in [1.0, 0.0, 2.0, -1.0].into_iter().enumerate() {
        let at = scene.ball_at([2.0 * k as f64, 0.0, 0.0]);
        let ball = scene.add(&Definition { gravity_scale, ..at });
        scene.steps(1);
        assert_eq!(scene.velocity(ball), [0.0, 0.0, -10.0 * gravity_scale * STEP]);
    }
}

#[test]
fn a_locked_component_does_not_move() {
    let mut scene = Scene::new(Settings::default());
    scene.world.set_gravity([1.0, 2.0, -10.0]).expect("gravity");
    scene.floor();
    // Translation along y and rotation about x, world axes.
    let ball = scene.add(&Definition { lock: Lock(0b001_010), ..scene.ball_at([0.0, 0.0, 0.5]) });
    for _ in 0..50 {
        scene.world.add_torque(ball, [1.0, 0.5, 0.1]).expect("a torque");
        scene.world.add_force(ball, [0.0, 5.0, 0.0], None).expect("a force");
        scene.steps(1);
        let state = scene.state(ball);
        assert_eq!((state.linear_velocity[1], state.angular_velocity[0], state.position[1]), (0.0, 0.0, 0.0));
    }
    assert!(scene.velocity(ball)[0] > 0.1, "the others are free");
}

#[test]
fn the_report_counts() {
    let (mut scene, _) = column(Settings { iterations: 9, ..Settings::default() });
    let report = scene.world.step(STEP).expect("a step");
    assert_eq!((report.bodies, report.awake_bodies, report.contacts, report.islands), (5, 4, 4, 2));
    assert!((1..=9).contains(&report.iterations), "{report:?}");
    assert_eq!((report.new_contacts, report.flags), (0, 0));
    assert!(report.worst_contact >= 1 && report.worst_contact <= 4, "{}", report.worst_contact);
    assert_energies(&report, &scene);
    assert!(report.residual_mean <= report.residual_max && report.residual_max == report.solver_residual);
    scene.ball([9.0, 0.0, 0.25]);
    let report = scene.world.step(STEP).expect("a step");
    assert_eq!((report.new_contacts, report.max_overlap), (1, 0.25));
}

/// What a host can see in addition to the hash: contacts, and the forces on every body.
fn visible(scene: &Scene) -> (Vec<ContactReport>, Vec<[f64; 3]>) {
    (scene.world.contacts().collect(), scene.world.body_handles().map(|body| scene.force(body)).collect())
}

#[test]
fn a_step_that_ends_nowhere_is_undone() {
    let (mut scene, _) = column(Settings::default());
    let (mut twin, _) = column(Settings::default());
    let light = Definition { mass: 1e-3, ..scene.ball_at([6.0, 0.0, 0.5]) };
    let ball = scene.add(&light);
    twin.add(&light);
    let (before, seen) = (scene.world.hash(), visible(&scene));
    assert_eq!(before, twin.world.hash());
    // 1e308 N on a gram: beyond the largest number.
    scene.world.add_force(ball, [1e308, 0.0, 0.0], None).expect("a force");
    let forced = scene.world.hash();
    assert_ne!(forced, before);
    for _ in 0..2 {
        let StepFailure { error, report } = scene.world.step(STEP).expect_err("infinite speed");
        assert_eq!((error.kind, report), (ErrorKind::NotFinite, None));
        assert!(error.message.contains(&format!("{:#x}", ball.0)) && error.message.contains("1e308 N"), "{error}");
        assert_eq!((scene.world.hash(), visible(&scene)), (forced, seen.clone()));
    }
    // Without the force the world goes on as if nothing had been.
    scene.world.add_force(ball, [-1e308, 0.0, 0.0], None).expect("a force");
    assert_eq!(scene.world.hash(), before);
    for _ in 0..3 {
        scene.steps(1);
        twin.steps(1);
        assert_eq!(scene.world.hash(), twin.world.hash());
    }
    assert_eq!(visible(&scene), visible(&twin));
}

#[test]
fn a_step_that_must_converge_and_does_not_is_undone() {
    let (mut scene, _) = column(Settings::default());
    let (mut twin, _) = column(Settings::default());
    for world in [&mut scene.world, &mut twin.world] {
        world.set_gravity([0.0, 0.0, -20.0]).expect("gravity");
    }
    let before = (scene.world.hash(), visible(&scene));
    let strict = Settings {
        iterations: 1,
        tolerance: 1e-12,
        require_convergence: true,
        projection: Projection::Off,
        ..Settings::default()
    };
    scene.world.set_settings(strict).expect("settings");
    let failure = scene.world.step(STEP).expect_err("one sweep is not enough");
    assert_eq!(failure.error.kind, ErrorKind::NotConverged);
    let report = failure.report.expect("it came that far");
    assert_eq!((report.iterations, report.flags), (1, NOT_CONVERGED));
    assert!(report.residual_max > 1e-12);
    scene.world.set_settings(Settings::default()).expect("settings");
    assert_eq!((scene.world.hash(), visible(&scene)), before);
    scene.steps(1);
    twin.steps(1);
    assert_eq!(scene.world.hash(), twin.world.hash());

    // Not required: the step is done, and its flags report the failure.
    scene.world.set_gravity([0.0, 0.0, -10.0]).expect("gravity");
    scene.world.set_settings(Settings { require_convergence: false, ..strict }).expect("settings");
    let before = scene.world.hash();
    assert_eq!(scene.world.step(STEP).expect("a step").flags, NOT_CONVERGED);
    assert_ne!(scene.world.hash(), before);
    // Enough sweeps meet the tolerance and are not all needed.
    scene.world.set_settings(Settings { iterations: 1000, ..strict }).expect("settings");
    let report = scene.world.step(STEP).expect("a step");
    assert!(report.flags == 0 && report.residual_max <= 1e-12 && report.iterations < 1000, "{report:?}");
}

#[test]
fn a_step_of_no_length_is_refused() {
    let (mut scene, _) = column(Settings::default());
    let before = scene.world.hash();
    let invalid = [0.0, -STEP, 1e-315, 9e-101, 2e100].map(|step| (step, ErrorKind::Argument));
    for (step, kind) in invalid.into_iter().chain([(f64::NAN, ErrorKind::NotFinite)]) {
        let failure = scene.world.step(step).expect_err("no step");
        assert_eq!(failure.error.kind, kind);
        assert!(failure.to_string().starts_with("step is"), "{failure}");
    }
    // So is the part of a step that is too short.
    scene.world.set_settings(Settings { substeps: 1000, ..Settings::default() }).expect("settings");
    let failure = scene.world.step(1e-98).expect_err("a part of 1e-101 s");
    assert!(failure.to_string().starts_with("step over substeps is"), "{failure}");
    scene.world.set_settings(Settings::default()).expect("settings");
    assert_eq!(scene.world.hash(), before);
}

/// After the shortest step, and after one too short for anything to be remembered of it, the next step is one like any other.
#[test]
fn a_short_step_does_no_harm() {
    for solver in [SolverKind::Pgs, SolverKind::PgsAccelerated, SolverKind::Newton, SolverKind::Apgd] {
        for short in [1e-100, 1e-18, 1e-9] {
            let (mut scene, bodies) = column(Settings { solver, ..Settings::default() });
            scene.steps(100);
            let place = scene.state(bodies[2]).position;
            for _ in 0..3 {
                scene.world.step(short).expect("a short step");
                scene.steps(2);
            }
            let moved =
                (0..3).map(|axis| (scene.state(bodies[2]).position[axis] - place[axis]).abs()).fold(0.0, f64::max);
            assert!(moved < 1e-6, "{solver:?}, {short} s: moved by {moved} m");
        }
    }
}

#[test]
fn a_failed_step_is_an_error_like_any_other() {
    fn step() -> Result<(), Box<dyn std::error::Error>> {
        let (mut scene, _) = column(Settings::default());
        scene.world.step(STEP)?;
        scene.world.step(-1.0)?;
        Ok(())
    }
    let message = step().expect_err("a negative step").to_string();
    assert!(message.starts_with("step is -1, expected"), "{message}");
}

#[test]
fn a_force_that_is_infinite_is_undone() {
    // An impulse of 1e150 N s in a step of 1e-100 s.
    let mut scene = Scene::new(Settings::default());
    scene.floor();
    let ball = scene.add(&Definition { mass: 1e100, ..scene.ball_at([0.0, 0.0, 0.5]) });
    let state = BodyState { linear_velocity: [0.0, 0.0, -1e50], ..scene.state(ball) };
    scene.world.set_body_state(ball, &state).expect("a finite state");
    assert_eq!(scene.world.step(1e-100).expect_err("an infinite force").error.kind, ErrorKind::NotFinite);
}

#[test]
fn no_force_acts_along_a_locked_direction() {
    // A planar box next to a wall whose normal is the locked direction, to 1e-17 and 1e-9: it slides past.
    for tilt in [0.0, 1e-17, 1e-9] {
        let mut scene = Scene::new(Settings::default());
        let cube = scene.world.add_shape(Shape::cuboid([0.5; 3]).expect("cube")).expect("memory");
        let normal = [tilt, 1.0, 0.0];
        let wall = scene.world.add_shape(Shape::half_space(normal, -0.5).expect("plane")).expect("memory");
        let wall = scene.add(&Definition { kind: Kind::Static, shape: wall, ..Definition::default() });
        let lock = Lock(2 | 8 | 16 | 32);
        let linear_velocity = [-5.0, 0.0, 0.0];
        let body = scene.add(&Definition { shape: cube, lock, linear_velocity, ..Definition::default() });
        scene.steps(10);
        assert!(scene.world.contact_count() > 0);
        assert_eq!(scene.world.body_force(wall).expect("a body").0, [0.0; 3], "at a tilt of {tilt}");
        assert_eq!(scene.velocity(body)[..2], [-5.0, 0.0]);
    }
}
