//! The energy ledger closes: energies change by the sum of its entries, which are computed apart from them.

use super::scene::{STEP, Scene};
use crate::body::{Definition, Kind};
use crate::contact::material::Material;
use crate::id::Handle;
use crate::joint::{JointAxis, JointDefinition, JointKind, MotorMode};
use crate::shape::Shape;
use crate::world::settings::{Diagnostics, ElasticLaw, Method, SolverKind};
use crate::world::{JointRequest, Ledger, Settings, World};

const ENERGY: Diagnostics = Diagnostics { energy: true, residuals: true };

/// Steps a world so often, and checks every step in which the elastic energy before it is known. Returns the sums of the entries.
fn checked(world: &mut World, steps: usize, mut elastic: Option<f64>) -> Ledger {
    let mut sums = Ledger::default();
    let (kinetic, potential) = world.energy().expect("energies");
    let mut before = kinetic + potential;
    for step in 0..steps {
        let report = world.step(0.5 * STEP).expect("a step");
        let of = report.ledger;
        let now = report.kinetic_energy + report.potential_energy;
        if let Some(elastic) = elastic {
            let gained = of.wall_work + of.joint_work + of.force_work + of.numerical;
            let lost = of.friction_loss + of.rolling_loss + of.impact_loss + of.damping_loss;
            let inputs = [of.wall_work, of.joint_work, of.force_work, of.numerical];
            let losses = [of.friction_loss, of.rolling_loss, of.impact_loss, of.damping_loss];
            let turnover: f64 = inputs.iter().chain(&losses).map(|entry| entry.abs()).sum();
            let error = ((now + of.elastic) - (before + elastic) - (gained - lost)).abs();
            // The energies themselves are sums that are off by round-off.
            let round_off = 1e-14 * (now.abs() + before.abs() + of.elastic);
            assert!(error <= 1e-10 * turnover + round_off, "step {step}: off by {error}: {report:?}");
        }
        (before, elastic) = (now, Some(of.elastic));
        sums = sums.plus(of);
        sums.elastic = of.elastic;
    }
    sums
}

/// A floor that moves up and down under a ball, beside two bodies that a joint connects. A copy goes on as its original does.
#[test]
fn the_work_of_a_wall_is_that_of_the_step_beside_joints() {
    for method in [Method::Rigid, Method::Spook] {
        let mut scene = Scene::new(Settings { diagnostics: ENERGY, method, ..Settings::default() });
        let shape = scene.world.add_shape(Shape::cuboid([1.0, 1.0, 0.1]).expect("a box")).expect("memory");
        let floor = scene.add(&Definition { kind: Kind::Kinematic, shape, ..Definition::default() });
        scene.ball([0.0, 0.0, 0.6]);
        let [body_a, body_b] = [10.0, 12.0].map(|x| scene.ball([x, 0.0, 0.0]));
        let mut definition = JointDefinition::new(JointKind::Ball);
        (definition.point_a[0], definition.point_b[0]) = (1.0, -1.0);
        let axes = [JointAxis::new(JointKind::Ball); 6];
        scene.world.add_joint(&JointRequest { definition, axes, body_a, body_b, user_data: 0 }).expect("a joint");
        let (mut elastic, mut most, h) = (None, 0.0f64, 0.5 * STEP);
        for step in 0..8 {
            let mut state = scene.state(floor);
            state.linear_velocity[2] = if step % 2 == 0 { 0.5 } else { -0.5 };
            scene.world.set_body_state(floor, &state).expect("a state");
            let mut copy = scene.world.try_clone().expect("a copy");
            checked(&mut copy, 1, elastic);
            let report = scene.world.step(h).expect("a step");
            let work = -scene.force(floor)[2] * state.linear_velocity[2] * h;
            assert!((report.ledger.wall_work - work).abs() <= 1e-12 * work.abs(), "step {step}: {work} {report:?}");
            (elastic, most) = (Some(report.ledger.elastic), most.max(work.abs()));
        }
        assert!(most > 1e-3, "{most}");
    }
}

/// A heap of balls and boxes that falls on a floor and is pushed by a wall and a force.
fn heap(settings: Settings) -> Scene {
    let mut scene = Scene::new(Settings { diagnostics: ENERGY, ..settings });
    let material = Material {
        friction: 0.5,
        rolling_friction: 0.1,
        twisting_friction: 0.1,
        restitution: 0.3,
        young_modulus: 1e6,
        contact_damping: 1e-3,
        ..Material::default()
    };
    let material = scene.world.add_material(material).expect("a material");
    let floor = scene.add(&Definition { kind: Kind::Static, shape: scene.plane, material, ..Definition::default() });
    scene.world.set_surface_velocity(floor, [0.2, 0.1, 0.0], [0.0, 0.0, 0.1]).expect("a belt");
    let cuboid = scene.world.add_shape(Shape::cuboid([0.4, 0.5, 0.6]).expect("a box")).expect("memory");
    let wall = scene.world.add_shape(Shape::cuboid([0.1, 5.0, 5.0]).expect("a box")).expect("memory");
    for at in 0..24_usize {
        let (column, layer) = (at % 6, at / 6);
        let position =
            [1.05 * (column % 3) as f64 + 0.02 * layer as f64, 1.3 * (column / 3) as f64, 0.7 + 1.3 * layer as f64];
        let shape = if at % 3 == 0 { cuboid } else { scene.sphere };
        let body = Definition { shape, material, angular_velocity: [0.3, 1.0, 0.2], ..scene.ball_at(position) };
        scene.add(&body);
    }
    let position = [-1.0, 0.0, 1.0];
    let kinematic = Definition { kind: Kind::Kinematic, shape: wall, material, position, ..Definition::default() };
    scene.add(&Definition { linear_velocity: [0.4, 0.0, 0.1], angular_velocity: [0.0, 0.1, 0.0], ..kinematic });
    scene
}

#[test]
fn energies_change_by_the_sum_of_the_entries() {
    let spook = Settings { method: Method::Spook, restitution_threshold: 0.2, ..Settings::default() };
    for settings in [
        Settings::default(),
        Settings { substeps: 3, position_projection: false, ..Settings::default() },
        Settings { solver: SolverKind::Newton, ..Settings::default() },
        spook,
        Settings { contact_law: ElasticLaw::Hooke, substeps: 4, ..spook },
        Settings { spook_relaxation: 0.0, solver: SolverKind::PgsAccelerated, tolerance: 1e-9, ..spook },
        Settings { sleeping: true, ..spook },
    ] {
        let mut scene = heap(settings);
        let sums = checked(&mut scene.world, 250, None);
        assert!(sums.friction_loss > 0.0 && sums.rolling_loss > 0.0 && sums.wall_work > 0.0, "{sums:?}");
        assert!(sums.impact_loss > 0.0, "{sums:?}");
        assert_eq!(sums.damping_loss > 0.0, settings.method == Method::Spook, "{sums:?}");
        assert_eq!(sums.elastic > 0.0, settings.method == Method::Spook, "{sums:?}");
    }
}

#[test]
fn forces_damping_and_joints_have_entries_of_their_own() {
    let mut scene = Scene::new(Settings { diagnostics: ENERGY, ..Settings::default() });
    let cuboid = scene.world.add_shape(Shape::cuboid([0.4, 0.5, 0.6]).expect("a box")).expect("memory");
    let bodies: Vec<Handle> = (0..3)
        .map(|at| {
            let damped =
                Definition { linear_damping: 0.3, angular_damping: 0.7, ..scene.ball_at([f64::from(at), 0.0, 0.0]) };
            scene.add(&Definition { shape: cuboid, ..damped })
        })
        .collect();
    let motor = JointAxis { motor: MotorMode::Velocity, target_velocity: 2.0, ..JointAxis::new(JointKind::Hinge) };
    let mut definition = JointDefinition::new(JointKind::Hinge);
    let [body_a, body_b, _] = [bodies[0], bodies[1], bodies[2]];
    scene
        .world
        .place_joint(&mut definition, [body_a, body_b], &[0.5, 0.0, 0.0], &[0.0, 1.0, 0.0], None)
        .expect("frames");
    let mut axes = [JointAxis::new(JointKind::Hinge); 6];
    axes[5] = motor;
    scene.world.add_joint(&JointRequest { definition, axes, body_a, body_b, user_data: 0 }).expect("a joint");
    let mut sums = Ledger::default();
    for _ in 0..50 {
        scene.world.add_force(bodies[0], [3.0, 1.0, 2.0], None).expect("a force");
        sums = sums.plus(checked(&mut scene.world, 1, Some(0.0)));
    }
    assert!(sums.force_work != 0.0 && sums.damping_loss > 0.0 && sums.joint_work != 0.0, "{sums:?}");
}

#[test]
fn nothing_is_summed_unless_it_is_requested() {
    let mut scene = heap(Settings::default());
    scene.world.set_settings(Settings::default()).expect("settings");
    let report = scene.world.step(STEP).expect("a step");
    assert_eq!((report.ledger, report.residual_normal), (Ledger::default(), 0.0));
}
