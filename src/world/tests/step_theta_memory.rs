//! Remembered friction of pairs that turn, and of contacts that go and come back.

use super::scene::{Scene, close};
use super::step_theta::settings;
use crate::body::{Definition, Kind, Lock};
use crate::contact::material::Material;
use crate::id::Handle;
use crate::math::{Quat, Vec3};
use crate::shape::Shape;
use crate::world::settings::FrictionLaw;
use crate::world::{BodyState, Settings};

/// [s]
const STEP: f64 = 1.0 / 64.0;
/// What the ball carries: 1e4 N/m times an overlap of 1e-3 m, and two thirds of it times a shear of 1e-4 m [N].
const NORMAL: f64 = 10.0;
const FRICTION: f64 = 2.0 / 3.0;

/// A ball about the origin that turns but does not move, and a plate below it. The mass of the ball is so large that no torque of a contact
/// changes its spin.
struct Pair {
    scene: Scene,
    ball: Handle,
    plate: Handle,
}

impl Pair {
    /// In the first step the plate shears the contact along x.
    fn new(theta: f64, law: FrictionLaw) -> Self {
        let mut scene = Scene::new(Settings { friction_law: law, ..settings(theta) });
        scene.world.set_gravity([0.0; 3]).expect("gravity");
        let material = Material { normal_stiffness: 2e4, friction: 0.5, ..Material::default() };
        let material = scene.world.add_material(material).expect("a material");
        let ball = Definition { material, mass: 1e20, lock: Lock(0b000_111), ..scene.ball_at([0.0; 3]) };
        let ball = scene.add(&ball);
        let shape = Shape::half_space([0.0, 0.0, 1.0], -0.5 + 1e-3).expect("a plane");
        let shape = scene.world.add_shape(shape).expect("memory");
        let plate = scene.add(&Definition {
            kind: Kind::Kinematic,
            shape,
            material,
            position: [-1e-4, 0.0, 0.0],
            linear_velocity: [1e-4 / STEP, 0.0, 0.0],
            ..Definition::default()
        });
        let mut pair = Self { scene, ball, plate };
        pair.steps(1);
        // Places have a round-off of 1e-16 m.
        close(pair.force(), [FRICTION, 0.0, NORMAL], 1e-11);
        pair.drive(plate, [0.0; 3], Vec3::zeros());
        pair
    }

    fn steps(&mut self, count: usize) {
        for _ in 0..count {
            self.scene.world.step(STEP).expect("a step");
        }
    }

    fn force(&self) -> [f64; 3] {
        self.scene.force(self.ball)
    }

    /// Gives a body these velocities, where it is.
    fn drive(&mut self, body: Handle, linear_velocity: [f64; 3], spin: Vec3) {
        let state = BodyState { linear_velocity, angular_velocity: spin.into(), ..self.scene.state(body) };
        self.scene.world.set_body_state(body, &state).expect("a state");
    }

    /// Turns both bodies with these spins. The contacts of the last step are those of its start, so that it comes on top.
    fn turn(&mut self, [of_plate, of_ball]: [Vec3; 2], steps: usize) {
        self.drive(self.plate, [0.0; 3], of_plate);
        self.drive(self.ball, [0.0; 3], of_ball);
        self.steps(steps + 1);
    }
}

/// A spin that turns by a right angle in so many steps.
fn right_angle(axis: Vec3, steps: usize) -> Vec3 {
    axis.normalize() * (std::f64::consts::FRAC_PI_2 / (steps as f64 * STEP))
}

/// On a turntable friction turns by the mean of what both bodies turn about the normal.
#[test]
fn friction_turns_with_the_mean_spin_about_the_normal() {
    for (theta, law) in [(1.0, FrictionLaw::Coulomb), (0.5, FrictionLaw::Associated)] {
        for (of_ball, angle) in [(1.0, 90.0_f64), (0.0, 45.0), (-1.0, 0.0)] {
            let mut pair = Pair::new(theta, law);
            let spin = right_angle(Vec3::z(), 90);
            pair.turn([spin, of_ball * spin], 90);
            let (sine, cosine) = angle.to_radians().sin_cos();
            // Sums of 90 turns, each with its round-off.
            close(pair.force(), [FRICTION * cosine, FRICTION * sine, NORMAL], 1e-11);
        }
    }
}

/// The plate goes around the ball, which turns with it about the same axis.
#[test]
fn friction_turns_with_a_pair_that_turns_as_one() {
    for (theta, law) in [(1.0, FrictionLaw::Coulomb), (0.5, FrictionLaw::Associated)] {
        for (axis, expected) in [
            (Vec3::x(), [FRICTION, -NORMAL, 0.0]),
            (Vec3::y(), [NORMAL, 0.0, -FRICTION]),
            (-Vec3::y(), [-NORMAL, 0.0, FRICTION]),
        ] {
            let mut pair = Pair::new(theta, law);
            let spin = right_angle(axis, 90);
            pair.turn([spin, spin], 90);
            // Normals of 90 steps, each with the round-off of rotations, and 1e4 N/m of springs.
            close(pair.force(), expected, 1e-11);
        }
    }
}

/// About an oblique axis the least rotation of the normal and the spin about it follow each other. The length is kept, and the direction is
/// right to the second order of a step.
#[test]
fn friction_of_a_pair_that_turns_obliquely_is_right_to_second_order() {
    let axis = Vec3::new(0.6, 0.3, 0.5).normalize();
    let turn = Quat::from_axis_angle(&nalgebra::Unit::new_normalize(axis), std::f64::consts::FRAC_PI_2);
    let expected = turn * Vec3::new(FRICTION, 0.0, NORMAL);
    let errors = [90, 180].map(|steps| {
        let mut pair = Pair::new(1.0, FrictionLaw::Coulomb);
        let spin = right_angle(axis, steps);
        pair.turn([spin, spin], steps);
        let force = Vec3::from(pair.force());
        // Round-off of 1e4 N/m times 1e-16 m, in each of the steps.
        assert!((force.norm() - expected.norm()).abs() <= 1e-11, "{force:?}");
        (force - expected).norm()
    });
    // 1e-5 N was measured with 90 steps; the factor is 4, except for terms of higher order.
    assert!(errors[0] <= 2e-5 * FRICTION && (3.9..4.1).contains(&(errors[0] / errors[1])), "{errors:?}");
}

/// Whether the contact stays listed within the margin of 0.1 m or not, friction begins again from zero.
#[test]
fn friction_is_forgotten_where_a_contact_opens() {
    for away in [0.05, 0.3] {
        let mut pair = Pair::new(1.0, FrictionLaw::Coulomb);
        pair.steps(3);
        close(pair.force(), [FRICTION, 0.0, NORMAL], 1e-11);
        pair.drive(pair.plate, [0.0, 0.0, -away / STEP], Vec3::zeros());
        pair.steps(1);
        close(pair.force(), [0.0; 3], 0.0);
        pair.drive(pair.plate, [0.0, 0.0, away / STEP], Vec3::zeros());
        pair.steps(1);
        pair.drive(pair.plate, [0.0; 3], Vec3::zeros());
        pair.steps(1);
        // The plate is back to 1e-16 m, times 1e4 N/m.
        close(pair.force(), [0.0, 0.0, NORMAL], 1e-11);
    }
}
