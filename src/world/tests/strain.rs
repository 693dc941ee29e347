//! Strained periodic boxes. A contact across a side is as one in an open world with a body that moves as the image does. Lattices have
//! closed forms.

mod gas;
mod images;
mod state;

use super::periodic::{boxed, contacts};
use super::scene::{STEP, Scene};
use crate::body::{Definition, Lock};
use crate::contact::material::{Material, Pair};
use crate::id::Handle;
use crate::math::Period;
use crate::world::settings::{Diagnostics, ElasticLaw, Method};
use crate::world::{Ledger, Projection, Report, Settings, StaticDefinition, World};

/// Settings with the ledger, in which no push-out moves bodies.
fn settings(method: Method) -> Settings {
    Settings {
        method,
        iterations: 500,
        tolerance: 1e-17,
        theta: 1.0,
        contact_law: ElasticLaw::Hooke,
        diagnostics: Diagnostics { energy: true, residuals: true },
        ..Settings::default()
    }
}

/// The stiffness of each contact [N/m].
const STIFFNESS: f64 = 1e3;

/// Balls of 1 kg and 1 m of diameter on a grid of 1 m, which fills the box. Their velocities are those of a homogeneous strain.
fn lattice(settings: Settings, counts: [usize; 3], speeds: [f64; 3]) -> (Scene, Vec<Handle>) {
    let mut scene = boxed(settings, counts.map(|count| if count > 1 { count as f64 } else { 0.0 }));
    let material = scene.world.add_material(Material::default()).expect("a material");
    let pair = Pair { contact_stiffness: STIFFNESS, normal_stiffness: STIFFNESS, ..Pair::default() };
    scene.world.set_material_pair(material, material, pair).expect("a pair");
    let mut balls = Vec::new();
    for at in 0..counts.iter().product::<usize>() {
        let cell = [at % counts[0], at / counts[0] % counts[1], at / counts[0] / counts[1]];
        let position = cell.map(|k| k as f64);
        let linear_velocity = [0, 1, 2].map(|axis| position[axis] * speeds[axis]);
        balls.push(scene.add(&Definition { material, linear_velocity, ..scene.ball_at(position) }));
    }
    (scene, balls)
}

/// Sets rates by which the periods grow at these speeds in the next step [m/s].
fn grow(world: &mut World, speeds: [f64; 3]) {
    let period = world.period();
    let rates = [0, 1, 2].map(|axis| if period[axis] > 0.0 { speeds[axis] / period[axis] } else { 0.0 });
    world.set_strain_rate(rates).expect("rates");
}

/// Checks the balance of a step: `before` and `elastic` are the energies before it.
fn check_balance(report: &Report, before: f64, elastic: f64) {
    let Ledger { wall_work, force_work, joint_work, numerical, .. } = report.ledger;
    let Ledger { friction_loss, rolling_loss, impact_loss, damping_loss, .. } = report.ledger;
    let gained = wall_work + force_work + joint_work + numerical;
    let lost = friction_loss + rolling_loss + impact_loss + damping_loss;
    let entries =
        [wall_work, force_work, joint_work, numerical, friction_loss, rolling_loss, impact_loss, damping_loss];
    let turnover: f64 = entries.iter().map(|entry| entry.abs()).sum();
    let now = report.kinetic_energy + report.potential_energy;
    let error = ((now + report.ledger.elastic) - (before + elastic) - (gained - lost)).abs();
    // The energies themselves are sums that are off by round-off.
    let round_off = 1e-14 * (now.abs() + before.abs() + elastic);
    assert!(error <= 1e-10 * turnover + round_off, "off by {error}: {report:?}");
}

/// A wave would make other gaps at the sides: a velocity in proportion to the place does not.
#[test]
fn an_elastic_lattice_is_compressed_homogeneously() {
    for method in [Method::Theta, Method::Spook] {
        let (counts, speeds) = ([4, 5, 6], [-0.02, 0.01, -0.05]);
        // Impacts are rigid, and a full box cannot shrink in them. Sweeps alone leave 1e-8 m/s: the regularisation makes friction stiff.
        let slow = Settings { restitution_threshold: 1.0, projection: Projection::Stick, ..settings(method) };
        let (mut scene, balls) = lattice(slow, counts, speeds);
        let whole = [0, 1, 2].map(|axis| counts[axis] as f64 * speeds[axis]);
        let relaxation = scene.world.settings().spook_relaxation;
        let (mut kinetic, mut elastic) = (scene.world.energy().expect("energies").0, 0.0);
        for step in 1..=40 {
            let lengths = scene.world.period();
            grow(&mut scene.world, whole);
            let report = scene.world.step(STEP).expect("a step");
            for contact in scene.world.contacts() {
                let axis = (0..3).find(|axis| contact.normal[*axis].abs() > 0.9).expect("along an axis");
                // All gaps are those of the speeds, inside and across the sides. Round-off of places of some metres, step by step.
                let gap = f64::from(step - 1) * STEP * speeds[axis];
                assert!((contact.gap - gap).abs() <= 1e-13, "step {step}: {contact:?}, not {gap}");
                // Theta: the overlap at the end. SPOOK with Hooke: k (delta - tau u), tau of the relaxation.
                let pressed = match method {
                    Method::Theta => -(gap + STEP * speeds[axis]),
                    _ if gap < -1e-13 => -gap - relaxation * STEP * speeds[axis],
                    _ => 0.0,
                };
                let force = STIFFNESS * pressed.max(0.0);
                assert!((contact.normal_force - force).abs() <= 1e-8, "step {step}: {contact:?}, not {force} N");
                let parting = contact.relative_velocity[axis] - contact.normal[axis] * speeds[axis];
                assert!(parting.abs() <= 1e-10, "step {step}: {contact:?}");
            }
            // No ball is pushed to either side.
            for (at, ball) in balls.iter().enumerate() {
                let expected = [at % 4, at / 4 % 5, at / 20];
                let velocity = scene.velocity(*ball);
                for axis in 0..3 {
                    assert!((velocity[axis] - expected[axis] as f64 * speeds[axis]).abs() <= 1e-10, "{velocity:?}");
                }
            }
            check_balance(&report, kinetic, elastic);
            (kinetic, elastic) = (report.kinetic_energy, report.ledger.elastic);
            check_stress(&scene.world, lengths, &report);
        }
        let expected = [0, 1, 2].map(|axis| counts[axis] as f64 + 40.0 * STEP * whole[axis]);
        super::scene::close(scene.world.period(), expected, 1e-13);
    }
}

/// Where no ball is accelerated, stress times the change of the volume is the work.
fn check_stress(world: &World, lengths: [f64; 3], report: &Report) {
    let period = world.period();
    let stress = world.stress([0.25; 3], period.map(|length| length + 0.25)).expect("a stress");
    let volume: f64 = period.iter().product();
    let strain = world.strain_rate();
    let work: f64 = (0..3).map(|axis| stress[4 * axis] * volume * strain[axis] * STEP).sum();
    let size: f64 = (0..3).map(|axis| (stress[4 * axis] * volume * strain[axis] * STEP).abs()).sum();
    assert!((report.ledger.wall_work - work).abs() <= 1e-12 * size + 1e-15, "{work}: {report:?}, {lengths:?}");
}

/// Rigid balls do not overlap: the box opens them again, without a force.
#[test]
fn a_rigid_lattice_is_stretched_without_forces() {
    let (mut scene, _) = lattice(settings(Method::Rigid), [4, 1, 1], [0.1, 0.0, 0.0]);
    for step in 1..=20 {
        grow(&mut scene.world, [0.4, 0.0, 0.0]);
        let report = scene.world.step(STEP).expect("a step");
        assert_eq!((report.ledger.wall_work, report.contacts == 0), (0.0, step > 2), "step {step}: {report:?}");
    }
}

/// Without masses: each contact carries the same part of the strain.
#[test]
fn an_increment_strains_a_column_evenly() {
    let fine = Settings { contact_margin: 0.05, ..settings(Method::Rigid) };
    let (mut scene, balls) = lattice(fine, [4, 1, 1], [0.0; 3]);
    scene.world.set_strain_rate([-0.005, 0.0, 0.0]).expect("rates");
    let definition = StaticDefinition { increment: 2.0, ..StaticDefinition::default() };
    let mut moved = [[0.0; 6]; 4];
    let report = scene.world.solve_static(&definition, &mut moved).expect("an increment");
    assert!(report.is_converged && !report.is_collapse, "{report:?}");
    // 40 mm over four contacts.
    let forces: Vec<f64> = contacts(&scene.world).iter().map(|contact| contact.normal_force).collect();
    assert!(forces.len() == 4 && forces.iter().all(|force| (force - 10.0).abs() < 1e-8), "{forces:?}");
    assert!((report.elastic_energy - 4.0 * 0.5 * 10.0 * 0.01).abs() < 1e-10, "{report:?}");
    assert!((scene.world.period()[0] - 3.96).abs() < 1e-15);
    let period = Period::new(scene.world.period()).expect("a box");
    for (at, ball) in balls.iter().enumerate() {
        let next = scene.state(balls[(at + 1) % 4]).position[0];
        let apart = period.nearest(&[next - scene.state(*ball).position[0], 0.0, 0.0].into()).x;
        assert!((apart - 0.99).abs() < 1e-11, "{apart}");
    }
    // A limit load has no time in which the box is strained.
    let load = [[1.0, 0.0, 0.0, 0.0, 0.0, 0.0]; 4];
    scene.world.limit_load(&load, &definition, &mut []).expect("a limit load");
    assert!((scene.world.period()[0] - 3.96).abs() < 1e-15);
    // One that would leave too little room changes nothing.
    let before = scene.world.hash();
    let far = StaticDefinition { increment: 1e3, ..definition };
    let error = scene.world.solve_static(&far, &mut []).expect_err("a negative period");
    assert!(error.message.starts_with("strain_rate[0] is -0.005 1/s"), "{}", error.message);
    assert_eq!(scene.world.hash(), before);
}

/// A box that shrinks keeps two balls awake that would sleep, and rates wake those that do.
#[test]
fn no_body_sleeps_in_a_strained_box() {
    let settings = Settings { sleeping: true, ..Settings::default() };
    let mut scene = boxed(settings, [8.0, 0.0, 0.0]);
    scene.world.set_gravity([0.0, 0.0, -10.0]).expect("gravity");
    scene.floor();
    let ball = scene.ball([0.0, 0.0, 0.5]);
    let is_asleep =
        |world: &World| world.sleep.is_asleep(world.bodies.registry.slot("body", ball).expect("a body") as u32);
    scene.steps(100);
    assert!(is_asleep(&scene.world));
    scene.world.set_strain_rate([0.0; 3]).expect("rates");
    assert!(is_asleep(&scene.world), "the same rates change nothing");
    scene.world.set_strain_rate([-0.1, 0.0, 0.0]).expect("rates");
    assert!(!is_asleep(&scene.world));
    scene.steps(100);
    assert!(!is_asleep(&scene.world));
    scene.world.set_strain_rate([0.0; 3]).expect("rates");
    scene.steps(100);
    assert!(is_asleep(&scene.world));
}

/// Turns are locked where they are of no interest.
const TURNS: Lock = Lock(0b111_000);
