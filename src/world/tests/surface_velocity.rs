//! Belts, tracks and drums: what lies on a surface that moves over its body has the velocity of the surface.

use super::scene::{STEP, Scene, close};
use crate::body::{Definition, Kind};
use crate::id::Handle;
use crate::math::{Quat, Vec3, turned_by};
use crate::query::SLIDING;
use crate::shape::Shape;
use crate::world::Settings;

/// Of a box whose corners carry equal loads when friction pulls at its base it must be flat [m].
const HALF: [f64; 3] = [0.25, 0.2, 0.05];

/// A plane with this friction and normal, whose surface moves, and a flat box of 1 kg on it at `distance` along x from the origin.
fn on_belt(settings: Settings, friction: f64, belt: [[f64; 3]; 2], distance: f64) -> (Scene, Handle, Handle) {
    let mut scene = Scene::new(settings);
    let material = scene.material(friction, 0.0);
    let floor = scene.add(&Definition { kind: Kind::Static, shape: scene.plane, material, ..Definition::default() });
    scene.world.set_surface_velocity(floor, belt[0], belt[1]).expect("a velocity");
    let body = flat(&mut scene, material, [distance, 0.0, HALF[2]]);
    (scene, floor, body)
}

/// A flat box of 1 kg.
fn flat(scene: &mut Scene, material: Handle, position: [f64; 3]) -> Handle {
    let shape = scene.world.add_shape(Shape::cuboid(HALF).expect("a box")).expect("memory");
    scene.add(&Definition { shape, material, position, mass: 1.0, ..Definition::default() })
}

/// Gives a body the velocity of a belt of which it lies at `position` from the centre.
fn ride(scene: &mut Scene, body: Handle, [linear, angular]: [[f64; 3]; 2]) {
    let mut state = scene.state(body);
    let at = Vec3::from(linear) + Vec3::from(angular).cross(&Vec3::from(state.position));
    (state.linear_velocity, state.angular_velocity) = (at.into(), angular);
    scene.world.set_body_state(body, &state).expect("a state");
}

fn slides(scene: &Scene) -> bool {
    scene.world.contacts().any(|contact| contact.state & SLIDING != 0)
}

/// Friction of 0.5 accelerates by 5 m/s^2 to the 2 m/s of the belt, in 0.4 s.
#[test]
fn a_box_is_accelerated_by_friction_and_then_moves_with_the_belt() {
    let (mut scene, floor, body) = on_belt(Settings::default(), 0.5, [[2.0, 0.0, 0.0], [0.0; 3]], 0.0);
    for step in 1..=51 {
        scene.steps(1);
        close(scene.velocity(body), [5.0 * STEP * f64::from(step), 0.0, 0.0], 1e-12);
        assert!(slides(&scene), "step {step}");
        close(scene.force(floor), [-5.0, 0.0, -10.0], 1e-10);
    }
    scene.steps(1);
    let at = scene.state(body).position[0];
    for step in 1..=1000 {
        scene.steps(1);
        close(scene.velocity(body), [2.0, 0.0, 0.0], 1e-12);
        assert!(!slides(&scene), "step {step}");
        let expected = at + 2.0 * STEP * f64::from(step);
        assert!((scene.state(body).position[0] - expected).abs() < 1e-12, "creeps in step {step}");
        for contact in scene.world.contacts() {
            close(contact.relative_velocity, [0.0; 3], 1e-12);
        }
    }
    close(scene.force(floor), [0.0, 0.0, -10.0], 1e-9);
}

/// About a point of the floor the angular momentum does not change: m r v + 2/5 m r^2 w stays 0. The
/// sum v + w r becomes the 2 m/s of the belt, with w against v. So v is 2/7 of it.
#[test]
fn a_ball_at_rest_rolls_with_two_sevenths_of_the_speed_of_the_belt() {
    for friction in [0.1, 1.0] {
        let mut scene = Scene::new(Settings::default());
        let material = scene.material(friction, 0.0);
        let floor = Definition { kind: Kind::Static, shape: scene.plane, material, ..Definition::default() };
        let floor = scene.add(&floor);
        scene.world.set_surface_velocity(floor, [2.0, 0.0, 0.0], [0.0; 3]).expect("a velocity");
        let ball = scene.add(&Definition { material, ..scene.ball_at([0.0, 0.0, 0.5]) });
        scene.steps(10);
        assert_eq!(slides(&scene), friction == 0.1, "it slides for 2 (2/7) / 0.1 / 10 s");
        scene.steps(400);
        close(scene.velocity(ball), [4.0 / 7.0, 0.0, 0.0], 1e-12);
        close(scene.state(ball).angular_velocity, [0.0, -(2.0 - 4.0 / 7.0) / 0.5, 0.0], 1e-12);
    }
}

/// Returns where `place` gets to in `time` with the belt.
fn carried(place: [f64; 3], [linear, angular]: [[f64; 3]; 2], time: f64) -> Vec3 {
    let (linear, angular) = (Vec3::from(linear), Vec3::from(angular));
    let axis = angular.cross(&linear) / angular.norm_squared();
    axis + turned_by(&(time * angular)) * (Vec3::from(place) - axis)
}

/// Friction of 0.36 of the weight holds it at most. Angles of 78 rad have a round-off of 1e-14, places of 0.6 m one of 1e-16 in each step.
#[test]
fn a_box_keeps_its_place_on_a_belt_that_turns() {
    let about_the_centre = [[0.0; 3], [0.0, 0.0, 3.0]];
    let about_another_point = [[0.3, -0.6, 0.0], [0.0, 0.0, 3.0]];
    for belt in [about_the_centre, about_another_point] {
        for substeps in [1, 4] {
            let (mut scene, _, body) = on_belt(Settings { substeps, ..Settings::default() }, 0.8, belt, 0.2);
            ride(&mut scene, body, belt);
            let start = scene.state(body).position;
            for step in 1..=3328 {
                scene.steps(1);
                let error = Vec3::from(scene.state(body).position) - carried(start, belt, STEP * f64::from(step));
                assert!(error.norm() < 1e-11, "{substeps} substeps, step {step}: off by {:e} m", error.norm());
                assert!(!slides(&scene), "step {step}");
            }
        }
    }
}

/// A belt that climbs by 20 degrees, whose tangent of 0.36 is below the friction.
#[test]
fn a_box_is_carried_uphill_without_slip() {
    let angle = 20.0_f64.to_radians();
    let (sine, cosine) = angle.sin_cos();
    let mut scene = Scene::new(Settings::default());
    let material = scene.material(0.5, 0.0);
    let tilt = Quat::from_axis_angle(&Vec3::y_axis(), -angle);
    let rotation = [tilt.i, tilt.j, tilt.k, tilt.w];
    let belt = Definition { kind: Kind::Static, shape: scene.plane, material, rotation, ..Definition::default() };
    let belt = scene.add(&belt);
    // Body axes: uphill is the x axis of the belt.
    scene.world.set_surface_velocity(belt, [0.2, 0.0, 0.0], [0.0; 3]).expect("a velocity");
    let up = Vec3::new(cosine, 0.0, sine);
    let shape = scene.world.add_shape(Shape::cuboid(HALF).expect("a box")).expect("memory");
    let position = (HALF[2] * (tilt * Vec3::z())).into();
    let linear_velocity = (0.2 * up).into();
    let body = Definition { shape, material, rotation, position, linear_velocity, mass: 1.0, ..Definition::default() };
    let body = scene.add(&body);
    scene.steps(10);
    let start = Vec3::from(scene.state(body).position);
    for step in 1..=2000 {
        scene.steps(1);
        close(scene.velocity(body), (0.2 * up).into(), 1e-12);
        let error = Vec3::from(scene.state(body).position) - start - 0.2 * STEP * f64::from(step) * up;
        assert!(error.norm() < 1e-12, "step {step}: off by {:e} m", error.norm());
    }
    assert!(!slides(&scene));
    close(scene.force(belt), [0.0, 0.0, -10.0], 1e-9);
}

/// A body on tracks drives: its surface stands still on the floor, whose surface may move too. Velocities are in body axes.
#[test]
fn two_surfaces_add_up_and_a_body_on_tracks_drives() {
    let quarter = std::f64::consts::FRAC_PI_2;
    for (floor_speed, track_speed, yaw, expected) in [
        (0.0, -0.5, 0.0, [0.5, 0.0, 0.0]),
        (0.5, -0.5, 0.0, [1.0, 0.0, 0.0]),
        (0.5, 0.5, 0.0, [0.0; 3]),
        (0.0, -0.5, quarter, [0.0, 0.5, 0.0]),
    ] {
        let (mut scene, _, body) = on_belt(Settings::default(), 0.5, [[floor_speed, 0.0, 0.0], [0.0; 3]], 0.0);
        let mut state = scene.state(body);
        let turn = Quat::from_axis_angle(&Vec3::z_axis(), yaw);
        state.rotation = [turn.i, turn.j, turn.k, turn.w];
        scene.world.set_body_state(body, &state).expect("a state");
        scene.world.set_surface_velocity(body, [track_speed, 0.0, 0.0], [0.0; 3]).expect("a velocity");
        scene.steps(200);
        close(scene.velocity(body), expected, 1e-12);
        assert!(!slides(&scene));
    }
}

/// A tracked body whose surface spins against it: on the floor it turns on the spot by as much the other way.
#[test]
fn a_body_turns_on_the_spot() {
    let (mut scene, _, body) = on_belt(Settings::default(), 0.5, [[0.0; 3]; 2], 0.0);
    scene.world.set_surface_velocity(body, [0.0; 3], [0.0, 0.0, -1.0]).expect("a velocity");
    scene.steps(100);
    let start = scene.state(body).position;
    scene.steps(1000);
    close(scene.state(body).angular_velocity, [0.0, 0.0, 1.0], 1e-12);
    close(scene.state(body).position, start, 1e-11);
}

#[test]
fn the_surface_of_a_kinematic_body_moves_with_it() {
    let mut scene = Scene::new(Settings::default());
    let material = scene.material(0.5, 0.0);
    let kind = Kind::Kinematic;
    let linear_velocity = [0.3, 0.0, 0.0];
    let belt = scene.add(&Definition { kind, shape: scene.plane, material, linear_velocity, ..Definition::default() });
    scene.world.set_surface_velocity(belt, [0.2, 0.1, 0.0], [0.0; 3]).expect("a velocity");
    let body = flat(&mut scene, material, [0.0, 0.0, HALF[2]]);
    scene.steps(100);
    close(scene.velocity(body), [0.5, 0.1, 0.0], 1e-12);
}

/// Three quarters of the speed come back, as from a floor at rest, whatever the belt gives.
#[test]
fn a_belt_takes_nothing_from_a_rebound() {
    for speed in [0.0, 3.0] {
        let mut scene = Scene::new(Settings::default());
        let material = scene.material(0.5, 0.75);
        let floor = Definition { kind: Kind::Static, shape: scene.plane, material, ..Definition::default() };
        let floor = scene.add(&floor);
        scene.world.set_surface_velocity(floor, [speed, 0.0, 0.0], [0.0; 3]).expect("a velocity");
        let fall = Definition { material, linear_velocity: [0.0, 0.0, -4.0], ..scene.ball_at([0.0, 0.0, 0.5]) };
        let ball = scene.add(&fall);
        scene.steps(1);
        let up = scene.velocity(ball)[2];
        assert!((up - 3.0).abs() < 1e-12, "{up} m/s with a belt of {speed} m/s");
    }
}

fn is_awake(scene: &Scene, body: Handle) -> bool {
    scene.world.is_awake(body).expect("a body")
}

#[test]
fn what_touches_a_moving_surface_stays_awake() {
    let settings = Settings { sleeping: true, ..Settings::default() };
    // Without friction the box rests nevertheless.
    let (mut scene, floor, body) = on_belt(settings, 0.0, [[1.0, 0.0, 0.0], [0.0; 3]], 0.0);
    scene.steps(200);
    assert!(is_awake(&scene, body));
    scene.world.set_surface_velocity(floor, [0.0; 3], [0.0; 3]).expect("a velocity");
    scene.steps(200);
    assert!(!is_awake(&scene, body));
    scene.world.set_surface_velocity(floor, [0.0; 3], [0.0; 3]).expect("the same velocity");
    assert!(!is_awake(&scene, body), "nothing changed");
    scene.world.set_surface_velocity(floor, [1.0, 0.0, 0.0], [0.0; 3]).expect("a velocity");
    assert!(is_awake(&scene, body));
    scene.world.set_surface_velocity(floor, [0.0; 3], [0.0; 3]).expect("a velocity");
    scene.steps(200);
    scene.world.set_surface_velocity(body, [1.0, 0.0, 0.0], [0.0; 3]).expect("a velocity");
    assert!(is_awake(&scene, body));
    scene.steps(200);
    assert!(is_awake(&scene, body), "its own surface moves");
}

#[test]
fn a_surface_that_moved_once_leaves_no_trace() {
    let still = [[0.0; 3]; 2];
    let (mut one, floor, body) = on_belt(Settings::default(), 0.5, still, 0.0);
    let (mut other, ..) = on_belt(Settings::default(), 0.5, still, 0.0);
    one.world.set_surface_velocity(floor, [1.0, 2.0, 3.0], [4.0, 5.0, 6.0]).expect("a velocity");
    assert_eq!(one.world.surface_velocity(floor), Ok(([1.0, 2.0, 3.0], [4.0, 5.0, 6.0])));
    assert_ne!(one.world.hash(), other.world.hash());
    one.world.set_surface_velocity(floor, [0.0; 3], [0.0; 3]).expect("a velocity");
    assert_eq!(one.world.hash(), other.world.hash());
    one.steps(10);
    other.steps(10);
    assert_eq!(one.world.hash(), other.world.hash());
    assert!(one.world.workspace.assembly.buffer.is_rigid, "no contact has a surface velocity to read");

    one.world.set_surface_velocity(body, [1.0, 0.0, 0.0], [0.0; 3]).expect("a velocity");
    let shape = one.sphere;
    one.world.remove_body(body).expect("a body");
    let next = one.add(&Definition { shape, ..Definition::default() });
    assert_eq!(one.world.surface_velocity(next), Ok(([0.0; 3], [0.0; 3])), "the slot is used again");
}

#[test]
fn bad_velocities_are_refused_by_name() {
    let (mut scene, floor, _) = on_belt(Settings::default(), 0.5, [[0.0; 3]; 2], 0.0);
    let before = scene.world.hash();
    for (linear, angular, name) in
        [([f64::NAN, 0.0, 0.0], [0.0; 3], "linear"), ([0.0; 3], [0.0, f64::INFINITY, 0.0], "angular")]
    {
        let error = scene.world.set_surface_velocity(floor, linear, angular).expect_err("not finite");
        assert!(error.message.contains(name), "{}", error.message);
    }
    scene.world.set_surface_velocity(Handle(0), [0.0; 3], [0.0; 3]).expect_err("no body");
    assert_eq!(scene.world.hash(), before);
}

/// Minus zero is zero: a copy is equal.
#[test]
fn a_surface_that_stops_at_minus_zero_stands_still() {
    let (mut scene, floor, _) = on_belt(Settings::default(), 0.5, [[2.0, 0.0, 0.0], [0.0; 3]], 0.0);
    scene.world.set_surface_velocity(floor, [-0.0; 3], [-0.0; 3]).expect("a velocity");
    let (linear, angular) = scene.world.surface_velocity(floor).expect("a body");
    assert!(linear.iter().chain(&angular).all(|along| along.to_bits() == 0));
    assert_eq!(scene.world.hash(), scene.world.try_clone().expect("memory").hash());
}
