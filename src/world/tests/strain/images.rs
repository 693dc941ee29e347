//! Two bodies that touch across the sides of a strained box move as two in an open world, one of which has the velocity of the image.

use super::{STEP, Scene, TURNS, boxed, check_balance, contacts, grow, settings};
use crate::body::{Definition, Lock};
use crate::contact::material::Material;
use crate::math::Vec3;
use crate::shape::Shape;
use crate::world::settings::{Compatibility, ElasticLaw, Method, Projection, SolverKind};
use crate::world::{ContactReport, Settings, World};

/// The speeds at which the periods grow [m/s], and the periods at first [m].
const SPEEDS: [f64; 3] = [-0.75, 0.5, 0.0];
const PERIODS: [f64; 3] = [16.0, 8.0, 0.0];

/// How many periods the second body is away from its image.
const AWAY: [f64; 3] = [1.0, -1.0, 0.0];

/// Two bodies by their definitions, where the second one is given as its image is.
struct Pair {
    settings: Settings,
    material: Material,
    /// Of the balls, in place of the shape of the scene.
    shape: Option<Shape>,
    definitions: [Definition; 2],
}

impl Pair {
    fn new(settings: Settings) -> Self {
        let material = Material { friction: 0.4, restitution: 0.5, ..Material::default() };
        let at = |position: [f64; 3], linear_velocity: [f64; 3], angular_velocity: [f64; 3]| Definition {
            position,
            linear_velocity,
            angular_velocity,
            mass: 1.0,
            ..Definition::default()
        };
        // The second one is to the left, below and behind, at a distance of 1.125 m, and comes closer.
        let first = at([0.0, 0.0, 0.0], [-0.25, 0.0, 0.125], [0.5, 0.0, 1.0]);
        let second = at([-0.75, -0.75, 0.375], [0.5, 0.5, 0.0], [0.0, -0.5, 0.0]);
        Self { settings, material, shape: None, definitions: [first, second] }
    }

    /// Puts the two into a world. The velocity of the second one is that of its image.
    fn scene(&self, is_open: bool) -> Scene {
        let mut scene = boxed(self.settings, if is_open { [0.0; 3] } else { PERIODS });
        let material = scene.world.add_material(self.material).expect("a material");
        let shape = self.shape.clone().map_or(scene.sphere, |shape| scene.world.add_shape(shape).expect("memory"));
        for (at, definition) in self.definitions.iter().enumerate() {
            let mut own = Definition { material, shape, ..*definition };
            if at == 1 && !is_open {
                for axis in 0..3 {
                    own.position[axis] += AWAY[axis] * PERIODS[axis];
                    // The image moves at -k dL/dt over the body.
                    own.linear_velocity[axis] += AWAY[axis] * SPEEDS[axis];
                }
            }
            scene.add(&own);
        }
        scene
    }

    /// Steps both worlds and compares them. Returns the largest force.
    fn compare(&self, name: &str, steps: usize, tolerance: f64) -> f64 {
        let (mut open, mut strained) = (self.scene(true), self.scene(false));
        let energy = |world: &World| world.energy().expect("energies").0;
        let (mut most, mut energies) = (0.0_f64, [energy(&open.world), energy(&strained.world)].map(|one| (one, 0.0)));
        for step in 0..steps {
            grow(&mut strained.world, SPEEDS);
            for (world, (before, elastic)) in [&mut open.world, &mut strained.world].into_iter().zip(&mut energies) {
                let report = world.step(STEP).expect("a step");
                // Of a contact that begins the energy before it is not known.
                if self.settings.substeps == 1 {
                    check_balance(&report, *before, *elastic);
                }
                (*before, *elastic) = (report.kinetic_energy, report.ledger.elastic);
            }
            let [found, expected] = [&strained, &open].map(|scene| contacts(&scene.world));
            assert_eq!(found.len(), expected.len(), "{name}, step {step}: {found:?}, {expected:?}");
            for (found, expected) in found.iter().zip(&expected) {
                check_contact(found, expected, tolerance, &format!("{name}, step {step}"));
                most = most.max(found.normal_force);
            }
            for (at, (found, expected)) in strained.world.body_states().zip(open.world.body_states()).enumerate() {
                let (moved, lengths) = (at as f64, strained.world.period());
                let place = Vec3::from_fn(|axis, _| {
                    found.position[axis] - moved * AWAY[axis] * lengths[axis] - expected.position[axis]
                });
                let speed = Vec3::from_fn(|axis, _| {
                    found.linear_velocity[axis] - moved * AWAY[axis] * SPEEDS[axis] - expected.linear_velocity[axis]
                });
                let spin = Vec3::from(found.angular_velocity) - Vec3::from(expected.angular_velocity);
                let worst = place.amax().max(speed.amax()).max(spin.amax());
                assert!(worst <= tolerance, "{name}, step {step}: body {at} is off by {worst:e}");
            }
        }
        most
    }
}

fn check_contact(found: &ContactReport, expected: &ContactReport, tolerance: f64, name: &str) {
    let close =
        |one: [f64; 3], other: [f64; 3], scale: f64| (Vec3::from(one) - Vec3::from(other)).amax() <= scale * tolerance;
    assert_eq!(found.state, expected.state, "{name}: {found:?}, {expected:?}");
    assert!((found.gap - expected.gap).abs() <= tolerance, "{name}: {found:?}, {expected:?}");
    assert!(close(found.normal, expected.normal, 1.0), "{name}: {found:?}, {expected:?}");
    assert!(close(found.relative_velocity, expected.relative_velocity, 1.0), "{name}: {found:?}, {expected:?}");
    // 1 kg and a step of 1/128 s.
    let force = [found.normal_force, found.compatible_normal_force, 0.0];
    assert!(
        close(force, [expected.normal_force, expected.compatible_normal_force, 0.0], 256.0),
        "{name}: {found:?}, {expected:?}"
    );
    assert!(close(found.friction_force, expected.friction_force, 256.0), "{name}: {found:?}, {expected:?}");
    assert!(close(found.impact_force, expected.impact_force, 256.0), "{name}: {found:?}, {expected:?}");
}

/// Round-off of places of 16 m, over some dozen steps in which it may grow.
const ROUND_OFF: f64 = 1e-11;

#[test]
fn rigid_balls_meet_as_in_an_open_world() {
    let rigid = settings(Method::Rigid);
    for solver in [SolverKind::Pgs, SolverKind::PgsAccelerated, SolverKind::Newton, SolverKind::Apgd] {
        for restitution in [0.0, 0.5] {
            let mut pair = Pair::new(Settings { solver, ..rigid });
            pair.material.restitution = restitution;
            let most = pair.compare(&format!("{solver:?}, restitution {restitution}"), 60, ROUND_OFF);
            assert!(most > 50.0, "{solver:?}: {most} N");
        }
    }
    for substeps in [1, 3] {
        for projection in [Projection::Off, Projection::Stick] {
            for compatibility in [Compatibility::Off, Compatibility::Hooke] {
                let mut pair = Pair::new(Settings { substeps, projection, compatibility, ..rigid });
                pair.material.restitution = 0.0;
                pair.compare(&format!("{substeps} substeps, {projection:?}, {compatibility:?}"), 60, ROUND_OFF);
            }
        }
    }
}

/// Those that overlap at first are pushed apart: by displacements in the new box, or by velocities.
#[test]
fn overlap_is_undone_as_in_an_open_world() {
    for position_projection in [true, false] {
        let mut pair = Pair::new(Settings { position_projection, ..settings(Method::Rigid) });
        pair.definitions[1].position = [-0.5, -0.5, 0.25];
        pair.material.restitution = 0.0;
        let most = pair.compare(&format!("position projection {position_projection}"), 20, ROUND_OFF);
        assert!(most > 50.0, "{most} N");
    }
}

#[test]
fn elastic_balls_meet_as_in_an_open_world() {
    for contact_law in [ElasticLaw::Hooke, ElasticLaw::Hertz] {
        // With an impact stage and without.
        for restitution_threshold in [0.05, 10.0] {
            let mut pair = Pair::new(Settings { contact_law, restitution_threshold, ..settings(Method::Spook) });
            pair.material.young_modulus = 1e5;
            pair.material.rolling_friction = 0.1;
            pair.compare(&format!("SPOOK, {contact_law:?}, threshold {restitution_threshold}"), 60, ROUND_OFF);
        }
    }
    for theta in [0.5, 0.75, 1.0] {
        for normal_stiffness in [0.0, 4e3] {
            let mut pair = Pair::new(Settings { theta, ..settings(Method::Theta) });
            pair.material.normal_stiffness = normal_stiffness;
            pair.compare(&format!("theta {theta}, {normal_stiffness} N/m"), 60, ROUND_OFF);
        }
    }
}

/// Boxes touch at several points and stick while they turn.
#[test]
fn boxes_meet_as_in_an_open_world() {
    for (method, spin) in [(Method::Rigid, 0.0), (Method::Rigid, 0.25), (Method::Theta, 0.25)] {
        let mut pair = Pair::new(settings(method));
        pair.material = Material { friction: 0.6, ..Material::default() };
        pair.shape = Some(Shape::cuboid([0.5, 0.25, 0.25]).expect("a box"));
        for (at, definition) in pair.definitions.iter_mut().enumerate() {
            definition.lock = if spin == 0.0 { TURNS } else { Lock(0) };
            definition.position = [-1.0625 * at as f64, -0.0625 * at as f64, 0.0];
            definition.linear_velocity = [at as f64, 0.0, 0.0];
            definition.angular_velocity = [spin, 0.0, 0.0];
        }
        let most = pair.compare(&format!("boxes, {method:?}, {spin} rad/s"), 40, ROUND_OFF);
        assert!(most > 10.0, "{most} N");
    }
}
