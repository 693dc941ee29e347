//! Other contact laws than the rigid one, as the interface of laws allows them.

use super::scene::{STEP, Scene};
use crate::body::{Definition, Lock};
use crate::law::{Approach, ContactLaw, LawSettings, RowCompliance, Separation};
use crate::math::Vec3;
use crate::math::lanes::Lanes;
use crate::shape::Shape;
use crate::world::Settings;

/// What laws without memory have in common, under which bodies move with the velocities that the solve left.
macro_rules! no_memory {
    () => {
        fn stick_velocity(&self, _: &Approach) -> Vec3 {
            Vec3::zeros()
        }

        fn drift(&self, _: &Vec3, after: &Vec3) -> Vec3 {
            *after
        }
    };
}

/// What laws without a rebound and without lifting have in common.
macro_rules! plain_law {
    () => {
        const HAS_IMPACT_STAGE: bool = false;

        fn rebounds_above(&self) -> f64 {
            f64::INFINITY
        }

        fn bias_without_rebound<L: Lanes>(&self, _: L, _: L) -> L {
            L::splat(0.0)
        }

        fn bias_across_gap(&self, braked: f64, _: f64, _: f64) -> f64 {
            braked
        }

        fn model_impulse(&self, _: &Approach) -> f64 {
            0.0
        }

        fn touching_gap(&self, _: f64, _: bool) -> f64 {
            0.0
        }

        fn friction_factor(&self) -> f64 {
            1.0
        }

        fn resolves_overlap(&self) -> bool {
            false
        }

        fn slop(&self, _: f64) -> f64 {
            0.0
        }

        fn position_target<L: Lanes>(&self, _: &Separation<L>) -> L {
            L::splat(0.0)
        }
    };
}

/// Stiffness [N/m] and damping [N s/m] of a contact.
const STIFFNESS: f64 = 2000.0;
const DAMPING: f64 = 30.0;

/// A spring and a damper at the end of the step: `lambda = -h (k (phi + h u) + d u)`.
#[derive(Debug, Clone, Copy)]
struct Spring<const DAMPED: bool> {
    step: f64,
}

impl<const DAMPED: bool> Spring<DAMPED> {
    /// `h k + d`.
    fn sum(&self) -> f64 {
        self.step * STIFFNESS + if DAMPED { DAMPING } else { 0.0 }
    }
}

impl<const DAMPED: bool> ContactLaw for Spring<DAMPED> {
    const IS_COMPLIANT: bool = true;

    fn new(settings: &LawSettings) -> Self {
        Self { step: settings.substep }
    }

    fn bias(&self, approach: &Approach) -> (f64, bool) {
        (STIFFNESS * approach.gap / self.sum(), false)
    }

    fn compliance(&self, _: &Approach) -> RowCompliance {
        RowCompliance { normal: 1.0 / (self.step * self.sum()), ..RowCompliance::default() }
    }

    plain_law!();
    no_memory!();
}

/// The weight of the ball of 1 kg [N].
const WEIGHT: f64 = 10.0;

/// The velocity and the height above the plane of the ball on a spring, after so many steps of backward Euler from rest.
fn oscillated(mut height: f64, damping: f64, steps: usize) -> (f64, f64) {
    let mut velocity = 0.0;
    for _ in 0..steps {
        let push = STEP * (STIFFNESS * height + WEIGHT);
        velocity = (velocity - push) / (1.0 + STEP * (damping + STEP * STIFFNESS));
        height += STEP * velocity;
    }
    (velocity, height)
}

/// The overlap at the start, less than twice that of rest: the ball never leaves the floor [m].
const OVERLAP: f64 = 0.008;

/// A ball on the floor, stepped by a law. Returns its velocity and height, and the force on it.
fn pressed<Law: ContactLaw>(steps: usize) -> (f64, f64, f64) {
    let mut scene = Scene::new(Settings { contact_margin: 0.01, ..Settings::default() });
    scene.floor();
    let material = scene.material(0.0, 0.0);
    let ball = scene.add(&Definition { material, ..scene.ball_at([0.0, 0.0, 0.5 - OVERLAP]) });
    for _ in 0..steps {
        scene.world.step_law::<Law>(STEP).expect("a step");
    }
    let state = scene.state(ball);
    let height = state.position[2] - 0.5;
    (state.linear_velocity[2], height, scene.force(ball)[2])
}

#[test]
fn a_ball_oscillates_on_a_spring_as_its_closed_form_does() {
    for steps in [1, 10, 200] {
        let (velocity, height, force) = pressed::<Spring<false>>(steps);
        let (expected_velocity, expected_height) = oscillated(-OVERLAP, 0.0, steps);
        // sums of some hundred terms of up to a metre a second
        assert!((velocity - expected_velocity).abs() < 1e-13, "{steps}: {velocity} against {expected_velocity}");
        assert!((height - expected_height).abs() < 1e-13, "{steps}: {height} against {expected_height}");
        // Hooke's force of the overlap at the end of the step
        assert!((force + STIFFNESS * height).abs() < 1e-9, "{steps}: {force} N at {height} m");
    }
}

#[test]
fn damping_takes_part_of_the_velocity() {
    let (velocity, height, force) = pressed::<Spring<true>>(50);
    let (expected_velocity, expected_height) = oscillated(-OVERLAP, DAMPING, 50);
    assert!((velocity - expected_velocity).abs() < 1e-13 && (height - expected_height).abs() < 1e-13);
    assert!((force + STIFFNESS * height + DAMPING * velocity).abs() < 1e-9, "{force}");
    // and in the end the overlap is that of the weight
    let (_, height, force) = pressed::<Spring<true>>(4000);
    assert!((height + WEIGHT / STIFFNESS).abs() < 1e-12, "{height}");
    assert!((force - WEIGHT).abs() < 1e-9, "{force}");
}

/// Every contact that closes leaves as fast as it came, point by point.
#[derive(Debug, Clone, Copy)]
struct Mirror;

impl ContactLaw for Mirror {
    const IS_COMPLIANT: bool = true;

    fn new(_: &LawSettings) -> Self {
        Self
    }

    fn bias(&self, approach: &Approach) -> (f64, bool) {
        (approach.velocity.min(0.0), false)
    }

    fn compliance(&self, _: &Approach) -> RowCompliance {
        RowCompliance::default()
    }

    plain_law!();
    no_memory!();
}

#[test]
fn a_law_receives_the_velocity_of_the_point_with_its_spin() {
    let mut scene = Scene::new(Settings::default());
    scene.world.set_gravity([0.0; 3]).expect("gravity");
    scene.floor();
    let material = scene.material(0.0, 0.0);
    let shape = scene.world.add_shape(Shape::cuboid([0.5; 3]).expect("a box")).expect("memory");
    // A cube on one edge that turns about it: its centre does not sink, but one end of the edge does.
    let (half, diagonal) = (std::f64::consts::FRAC_PI_8.sin(), 0.5f64.sqrt());
    let body = scene.add(&Definition {
        shape,
        material,
        rotation: [half, 0.0, 0.0, std::f64::consts::FRAC_PI_8.cos()],
        position: [0.0, 0.0, diagonal],
        angular_velocity: [0.0, 0.7, 0.0],
        ..Definition::default()
    });
    scene.world.step_law::<Mirror>(STEP).expect("a step");
    let speeds: Vec<f64> = scene.world.contacts().map(|contact| contact.relative_velocity[2]).collect();
    // The end at +x sinks at 0.5 m times 0.7 rad/s before the step, and rises as fast behind it.
    assert_eq!(speeds.len(), 2);
    assert!(speeds.iter().any(|speed| (speed.abs() - 0.35).abs() < 1e-12), "{speeds:?}");
    assert!(scene.state(body).linear_velocity[2] > 0.0);
}

/// Friction as a spring along the floor that goes on from what it carried: `lambda_t = carried - h^2 k u_t`.
#[derive(Debug, Clone, Copy)]
struct Shear {
    step: f64,
}

impl ContactLaw for Shear {
    const IS_COMPLIANT: bool = true;
    const HAS_FRICTION_MEMORY: bool = true;

    fn new(settings: &LawSettings) -> Self {
        Self { step: settings.substep }
    }

    fn bias(&self, _: &Approach) -> (f64, bool) {
        (0.0, false)
    }

    fn compliance(&self, _: &Approach) -> RowCompliance {
        RowCompliance { tangential: 1.0 / (self.step * self.step * STIFFNESS), ..RowCompliance::default() }
    }

    fn stick_velocity(&self, approach: &Approach) -> Vec3 {
        self.compliance(approach).tangential * approach.carried
    }

    fn drift(&self, _: &Vec3, after: &Vec3) -> Vec3 {
        *after
    }

    plain_law!();
}

#[test]
fn friction_with_memory_is_a_spring_along_the_floor() {
    let mut scene = Scene::new(Settings::default());
    scene.floor();
    let material = scene.material(10.0, 0.0);
    let lock = Lock(0b111_000); // no turns
    let sliding = Definition { material, lock, linear_velocity: [0.3, 0.0, 0.0], ..scene.ball_at([0.0, 0.0, 0.5]) };
    let ball = scene.add(&sliding);
    let (mut velocity, mut place, mut force) = (0.3, 0.0, 0.0);
    for step in 0..200 {
        scene.world.step_law::<Shear>(STEP).expect("a step");
        velocity = (velocity + STEP * force) / (1.0 + STEP * STEP * STIFFNESS);
        force -= STEP * STIFFNESS * velocity;
        place += STEP * velocity;
        let state = scene.state(ball);
        // sums of some hundred terms below a metre a second
        assert!((state.linear_velocity[0] - velocity).abs() < 1e-13, "{step}: {:?}", state.linear_velocity);
        assert!((state.position[0] - place).abs() < 1e-13, "{step}: {:?}", state.position);
        assert!((scene.force(ball)[0] - force).abs() < 1e-9, "{step}: {:?}", scene.force(ball));
    }
}

/// Bodies move with the mean of the velocities before and after.
#[derive(Debug, Clone, Copy)]
struct Mean;

impl ContactLaw for Mean {
    const IS_COMPLIANT: bool = false;

    fn new(_: &LawSettings) -> Self {
        Self
    }

    fn bias(&self, _: &Approach) -> (f64, bool) {
        (0.0, false)
    }

    fn compliance(&self, _: &Approach) -> RowCompliance {
        RowCompliance::default()
    }

    fn stick_velocity(&self, _: &Approach) -> Vec3 {
        Vec3::zeros()
    }

    fn drift(&self, before: &Vec3, after: &Vec3) -> Vec3 {
        0.5 * (before + after)
    }

    plain_law!();
}

#[test]
fn a_law_decides_how_bodies_move_through_the_step() {
    let mut scene = Scene::new(Settings::default());
    let thrown = Definition { linear_velocity: [1.0, 0.0, 4.0], ..scene.ball_at([0.0, 0.0, 9.0]) };
    let ball = scene.add(&thrown);
    for _ in 0..100 {
        scene.world.step_law::<Mean>(STEP).expect("a step");
    }
    let t = 100.0 * STEP;
    let place = scene.state(ball).position;
    // The parabola itself: the trapezoidal rule is exact for it.
    assert!((place[0] - t).abs() < 1e-13, "{place:?}");
    assert!((place[2] - (9.0 + 4.0 * t - 0.5 * WEIGHT * t * t)).abs() < 1e-12, "{place:?}");
}
