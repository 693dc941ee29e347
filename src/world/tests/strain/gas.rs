//! Many grains of mixed sizes in a box that is compressed: balances, and the same bits on several threads and after a snapshot.

use std::sync::Arc;

use super::{STEP, Scene, boxed, check_balance, contacts, settings};
use crate::body::Definition;
use crate::contact::material::Material;
use crate::id::Handle;
use crate::math::{Period, Vec3};
use crate::shape::Shape;
use crate::tasks::tests::Scoped;
use crate::world::settings::{Method, Projection, SolverKind};
use crate::world::state::Workspace;
use crate::world::{Settings, World};

/// The box at first [m], and how fast it shrinks, or grows [1/s].
const SIDES: [f64; 3] = [4.0, 5.0, 4.5];
const RATES: [f64; 3] = [-0.5, 0.25, -0.25];

struct Grain {
    body: Handle,
    radius: f64,
    mass: f64,
}

/// Grains at random places over three boxes, at rest. Some overlap at first.
fn gas(settings: Settings, count: usize) -> (Scene, Vec<Grain>) {
    let mut scene = boxed(settings, SIDES);
    let own =
        Material { friction: 0.4, restitution: 0.3, rolling_friction: 0.05, young_modulus: 1e6, ..Material::default() };
    let material = scene.world.add_material(own).expect("a material");
    let mut state = 5_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / 9_007_199_254_740_992.0
    };
    let mut grains = Vec::new();
    for _ in 0..count {
        let radius = 0.2 + 0.2 * random();
        let shape = scene.world.add_shape(Shape::sphere(radius).expect("a sphere")).expect("memory");
        let position = SIDES.map(|side| side * 3.0 * random());
        let mass = 1e3 * radius * radius * radius;
        let body = scene.add(&Definition { shape, material, position, mass, ..Definition::default() });
        grains.push(Grain { body, radius, mass });
    }
    scene.world.set_strain_rate(RATES).expect("rates");
    (scene, grains)
}

fn momentum(world: &World, grains: &[Grain]) -> (Vec3, f64) {
    let of = |grain: &Grain| grain.mass * Vec3::from(world.body_state(grain.body).expect("a body").linear_velocity);
    (grains.iter().map(of).sum(), grains.iter().map(|grain| of(grain).norm()).sum())
}

/// The pairs whose nearest images are within the margin, by brute force.
fn near(world: &World, grains: &[Grain]) -> usize {
    let period = Period::new(world.period()).expect("a box");
    let center = |grain: &Grain| Vec3::from(world.body_state(grain.body).expect("a body").position);
    let touch = |a: &Grain, b: &Grain| {
        period.nearest(&(center(b) - center(a))).norm() <= a.radius + b.radius + world.settings().contact_margin
    };
    let others = |at: usize| grains[at + 1..].iter().filter(move |other| touch(&grains[at], other)).count();
    (0..grains.len()).map(others).sum()
}

fn methods() -> Vec<Settings> {
    let few = |method| Settings { iterations: 30, tolerance: 0.0, ..settings(method) };
    vec![
        few(Method::Rigid),
        Settings { substeps: 2, projection: Projection::Stick, ..few(Method::Rigid) },
        Settings { solver: SolverKind::Newton, ..few(Method::Rigid) },
        few(Method::Spook),
        Settings { restitution_threshold: 1e3, ..few(Method::Spook) },
        Settings { theta: 0.6, ..few(Method::Theta) },
    ]
}

#[test]
fn momentum_and_energy_balance_in_a_strained_box() {
    for settings in methods() {
        let (mut scene, grains) = gas(settings, 60);
        let (mut before, mut elastic, mut carried) = (0.0, None, 0.0_f64);
        for step in 0..40 {
            let expected = near(&scene.world, &grains);
            let report = scene.world.step(STEP).expect("a step");
            assert_eq!(scene.world.contact_count(), expected, "step {step}");
            if let Some(elastic) = elastic {
                check_balance(&report, before, elastic);
            }
            (before, elastic) = (report.kinetic_energy, Some(report.ledger.elastic));
            let (sum, size) = momentum(&scene.world, &grains);
            // Of some thousand impulses, each off by the last digit.
            assert!(sum.amax() <= 1e-11 * size, "step {step}: {sum:?} of {size}");
            carried = contacts(&scene.world).iter().map(|contact| contact.normal_force).fold(carried, f64::max);
        }
        assert!(carried > 1.0 && before > 1e-3, "{carried} N, {before} J");
    }
}

#[test]
fn threads_caches_and_snapshots_change_no_bit() {
    for settings in methods() {
        let (mut scene, _) = gas(settings, 60);
        let tasks: Arc<dyn crate::tasks::Tasks> = Arc::new(Scoped(2));
        let mut threaded =
            World::from_snapshot(&scene.world.snapshot().expect("memory"), tasks.clone()).expect("a world");
        for step in 0..20 {
            scene.steps(1);
            threaded.step(STEP).expect("a step");
            assert_eq!(scene.world.hash(), threaded.hash(), "step {step}");
            if step % 5 == 2 {
                threaded.workspace = Workspace::new(&tasks);
            }
            if step % 5 == 4 {
                let copy = World::from_snapshot(&threaded.snapshot().expect("memory"), tasks.clone()).expect("a world");
                assert!(copy.has_same_state(&threaded).expect("memory"));
                assert_eq!(contacts(&copy), contacts(&threaded));
                assert_eq!((copy.strain_rate(), copy.period()), (RATES, threaded.period()));
                threaded = copy;
            }
        }
    }
}

/// The overlap of rigid grains is what turning normals make of a step: half the square of the path across, over the distance. A fifth of
/// it is undone in a step, so that it adds up to five times as much.
#[test]
fn rigid_grains_do_not_overlap_while_the_box_shrinks() {
    // No body passes the margin in a step.
    let fine = Settings { iterations: 300, tolerance: 1e-10, contact_margin: 0.1, ..settings(Method::Rigid) };
    let (mut scene, _) = gas(fine, 40);
    // The overlap of the random places vanishes first.
    scene.world.set_strain_rate([0.0; 3]).expect("rates");
    scene.steps(300);
    for body in scene.world.body_handles().collect::<Vec<_>>() {
        let state =
            crate::world::BodyState { linear_velocity: [0.0; 3], angular_velocity: [0.0; 3], ..scene.state(body) };
        scene.world.set_body_state(body, &state).expect("a state");
    }
    let first = scene.world.step(STEP).expect("a step").max_overlap;
    scene.world.set_strain_rate([-0.2; 3]).expect("rates");
    let (mut overlap, mut fastest) = (0.0_f64, 0.0_f64);
    for _ in 0..100 {
        overlap = overlap.max(scene.world.step(STEP).expect("a step").max_overlap);
        let speeds = contacts(&scene.world).into_iter().map(|contact| Vec3::from(contact.relative_velocity).norm());
        fastest = speeds.fold(fastest, f64::max);
    }
    let bound = first + 5.0 * (STEP * fastest).powi(2) / (2.0 * 0.4);
    assert!(
        fastest > 0.1 && overlap <= bound,
        "{overlap:e} m, expected {bound:e} m, at {fastest} m/s; {first:e} at first"
    );
}
