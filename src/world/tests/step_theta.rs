//! The theta method by its closed forms and by recurrences of one contact: balls of 1 kg that do not turn, on a floor at z = 0.

use super::scene::{Scene, close};
use crate::body::{Definition, Kind, Lock};
use crate::contact::material::{Material, Pair};
use crate::id::Handle;
use crate::shape::Shape;
use crate::world::settings::{Diagnostics, FrictionLaw, Method, SolverKind, WarmStart};
use crate::world::{BodyState, Settings, World};

const TURNS: Lock = Lock(0b111_000);

pub(super) fn settings(theta: f64) -> Settings {
    Settings {
        method: Method::Theta,
        theta,
        iterations: 200,
        tolerance: 1e-17,
        contact_margin: 0.1,
        // The first step of a test may be long.
        push_out_velocity: 0.0,
        ..Settings::default()
    }
}

/// A floor and a ball that touches it, with this velocity.
fn ball_on_floor(settings: Settings, material: Material, velocity: [f64; 3]) -> (Scene, Handle) {
    let mut scene = Scene::new(settings);
    let material = scene.world.add_material(material).expect("a material");
    scene.add(&Definition { kind: Kind::Static, shape: scene.plane, material, ..Definition::default() });
    let ball = Definition { material, lock: TURNS, linear_velocity: velocity, ..scene.ball_at([0.0, 0.0, 0.5]) };
    let ball = scene.add(&ball);
    (scene, ball)
}

fn elastic(normal_stiffness: f64, friction: f64) -> Material {
    Material { friction, normal_stiffness: 2.0 * normal_stiffness, ..Material::default() }
}

/// Grains.md gives these six digits; they follow from the recurrence of one contact.
#[test]
fn an_elastic_contact_rebounds_as_theta_and_its_stiffness_say() {
    let expected = [
        (0.5, [(0.01, 0.925708), (1.0, 5.0 / 9.0), (10.0, 2.0 / 3.0), (1e4, 0.99960)]),
        (0.7, [(0.01, 0.897142), (1.0, 0.418685), (10.0, 0.25), (1e4, 0.428367)]),
        (1.0, [(0.01, 0.855922), (1.0, 0.25), (10.0, 0.0743802), (1e4, 1e-4)]),
    ];
    for (theta, cases) in expected {
        for (a, rebound) in cases {
            let (mut scene, ball) = ball_on_floor(settings(theta), elastic(a, 0.0), [0.0, 0.0, -1e-3]);
            scene.world.set_gravity([0.0; 3]).expect("gravity");
            let mut steps = 0;
            // With h = 1 s and m = 1 kg the stiffness is a.
            while scene.velocity(ball)[2] <= 0.0 || scene.force(ball)[2] > 0.0 {
                scene.world.step(1.0).expect("a step");
                steps += 1;
                assert!(steps < 100, "theta {theta}, a {a}");
            }
            let found = 1e3 * scene.velocity(ball)[2];
            assert!(
                (found - rebound).abs() < 6e-7 * rebound.max(0.1) + 6e-6 * f64::from(a > 1e3),
                "theta {theta}, a {a}: {found}"
            );
        }
    }
}

/// A step is a linear map of the distance `z` from rest and of `v`, with h = 1 s. Its determinant is `1 / (1 + theta a)`. It scales the form
/// `z^2 + (1 - theta) z v + v^2 / a` by that, so swings decrease by the root of it.
#[test]
fn a_closed_elastic_contact_swings_less_by_a_known_factor_in_each_step() {
    for theta in [0.5, 0.7, 1.0] {
        // Up to 4 / (1 - theta)^2 it swings.
        for a in [0.02, 0.5, 3.0, 12.0] {
            let rest = -0.1;
            let (mut scene, ball) = ball_on_floor(settings(theta), elastic(a, 0.0), [0.0; 3]);
            scene.world.set_gravity([0.0, 0.0, a * rest]).expect("gravity");
            let state = BodyState { position: [0.0, 0.0, 0.5 + 0.7 * rest], ..scene.state(ball) };
            scene.world.set_body_state(ball, &state).expect("a state");
            let size = |scene: &Scene| {
                let (z, v) = (scene.state(ball).position[2] - 0.5 - rest, scene.velocity(ball)[2]);
                (z * z + (1.0 - theta) * z * v + v * v / a).sqrt()
            };
            let (begin, factor) = (size(&scene), (1.0 + theta * a).powf(-0.5));
            for step in 1..=20 {
                scene.world.step(1.0).expect("a step");
                assert!(scene.force(ball)[2] > 0.0, "theta {theta}, a {a}, step {step}: it is open");
                let expected = begin * factor.powi(step);
                // Places of 0.5 m have a round-off of 1e-16 m, and swings begin with 0.03 m.
                let error = (size(&scene) - expected).abs();
                assert!(error <= 1e-13 * begin, "theta {theta}, a {a}, step {step}: {error:e} of {begin}");
            }
        }
    }
}

#[test]
fn a_rigid_contact_turns_back_the_part_of_the_velocity_that_theta_says() {
    for theta in [0.5, 0.6, 0.75, 1.0] {
        let rebound = (1.0 - theta) / theta;
        // It sticks: friction turns the tangential velocity back too.
        let material = Material { friction: 2.0, ..Material::default() };
        let (mut scene, ball) = ball_on_floor(settings(theta), material, [0.3, -0.1, -0.4]);
        scene.world.set_gravity([0.0; 3]).expect("gravity");
        scene.steps(1);
        close(scene.velocity(ball), [-0.3 * rebound, 0.1 * rebound, 0.4 * rebound], 1e-15);
        // The mean velocity of the step is zero.
        close(scene.state(ball).position, [0.0, 0.0, 0.5], 1e-17);
    }
}

/// Coulomb: the cone in `w = ubar / theta`. Associated: `w_n = mu |w_t|`, so that what slides is lifted.
#[test]
fn a_sliding_impact_follows_its_law_of_friction() {
    let (mu, theta, [x, z]) = (0.2, 0.5, [1.0, -0.4]);
    for (law, push) in
        [(FrictionLaw::Coulomb, -z / theta), (FrictionLaw::Associated, (-z + mu * x) / (theta * (1.0 + mu * mu)))]
    {
        use SolverKind::{Apgd, Conic, Newton, Pgs, PgsAccelerated};
        for solver in [Pgs, PgsAccelerated, Newton, Apgd, Conic] {
            // Its program is that of the associated law alone.
            if solver == Conic && law == FrictionLaw::Coulomb {
                continue;
            }
            let material = Material { friction: mu, ..Material::default() };
            let settings = Settings { friction_law: law, solver, tolerance: 1e-13, ..settings(theta) };
            let (mut scene, ball) = ball_on_floor(settings, material, [x, 0.0, z]);
            scene.world.set_gravity([0.0; 3]).expect("gravity");
            scene.steps(1);
            close(scene.velocity(ball), [x - mu * push, 0.0, z + push], 1e-12);
        }
    }
}

/// One contact with memory, as a recurrence of numbers.
#[derive(Debug, Clone, Copy)]
struct Recurrence {
    h: f64,
    theta: f64,
    /// Along x and z.
    stiffness: [f64; 2],
    friction: f64,
    /// Of the ball: velocity and place.
    u: [f64; 2],
    at: [f64; 2],
    q: f64,
    p: f64,
}

impl Recurrence {
    /// A step under a force on the ball.
    fn step(&mut self, force: [f64; 2]) {
        let Self { h, theta, stiffness: [k_t, k_n], friction, u: [x, z], .. } = *self;
        let free = [x + h * force[0], z + h * force[1]];
        // p = -k (phi + h ubar), with ubar = theta (free + h p) + (1 - theta) u
        let ahead = |free: f64, u: f64| theta * free + (1.0 - theta) * u;
        let p = (-k_n * (self.at[1] + h * ahead(free[1], z)) / (1.0 + k_n * theta * h * h)).max(0.0);
        let trial = (self.q - k_t * h * ahead(free[0], x)) / (1.0 + k_t * theta * h * h);
        let q = if p == 0.0 { 0.0 } else { trial.clamp(-friction * p, friction * p) };
        let after = [free[0] + h * q, free[1] + h * p];
        self.at = [self.at[0] + h * ahead(after[0], x), self.at[1] + h * ahead(after[1], z)];
        (self.u, self.q, self.p) = (after, q, p);
    }
}

/// Pushes a ball to and fro across its weight, so that it sticks, slides and sticks again.
fn pushed(settings: Settings, substeps: u32) {
    let h = 1.0 / 64.0;
    let mut expected = Recurrence {
        h: h / f64::from(substeps),
        theta: settings.theta,
        stiffness: [2.0 / 3.0 * 400.0, 400.0],
        friction: 0.5,
        u: [0.0; 2],
        at: [0.0; 2],
        q: 0.0,
        p: 0.0,
    };
    let (mut scene, ball) = ball_on_floor(Settings { substeps, ..settings }, elastic(400.0, 0.5), [0.0; 3]);
    let mut slides = 0;
    for step in 0..200 {
        let force = 8.0 * (0.1 * f64::from(step)).sin();
        scene.world.add_force(ball, [force, 0.0, 0.0], None).expect("a force");
        scene.world.step(h).expect("a step");
        let [mut mean_q, mut mean_p] = [0.0; 2];
        for _ in 0..substeps {
            expected.step([force, -10.0]);
            (mean_q, mean_p) = (mean_q + expected.q / f64::from(substeps), mean_p + expected.p / f64::from(substeps));
        }
        slides += u32::from(expected.q.abs() == 0.5 * expected.p);
        let state = scene.state(ball);
        // sums of some hundred terms of the size of a newton
        close(state.linear_velocity, [expected.u[0], 0.0, expected.u[1]], 1e-12);
        close(state.position, [expected.at[0], 0.0, 0.5 + expected.at[1]], 1e-12);
        close(scene.force(ball), [mean_q, 0.0, mean_p], 1e-10);
    }
    assert!((20..180).contains(&slides), "it slides in {slides} steps");
}

#[test]
fn friction_remembers_its_force() {
    for theta in [0.5, 0.7, 1.0] {
        pushed(settings(theta), 1);
    }
    pushed(settings(0.7), 3);
}

/// It is a part of the law, not of what a solver starts from.
#[test]
fn friction_remembers_its_force_whatever_the_solver_starts_from() {
    for warm_start in [WarmStart::Off, WarmStart::Normals, WarmStart::Guarded] {
        pushed(Settings { warm_start, ..settings(0.5) }, 1);
    }
    let tolerance = 1e-14;
    pushed(Settings { solver: SolverKind::Newton, tolerance, ..settings(0.7) }, 1);
    pushed(Settings { solver: SolverKind::Apgd, tolerance, iterations: 2000, ..settings(0.7) }, 1);
}

/// `dT + dE_el = F.dx - (theta - 1/2) dv^T M dv - 1/2 C_N |p - p_0|^2 - 1/2 C_T |dq|^2 - p phi - [Coulomb] sum |q| |slip|`, with the gap `phi` at
/// the start, which the step may brake, and with the force `p_0` of the overlap there. By the associated law sliding itself loses nothing: `dE_el` is
/// that of the forces.
#[test]
fn every_joule_of_a_step_is_accounted_for() {
    for friction_law in [FrictionLaw::Coulomb, FrictionLaw::Associated] {
        for theta in [0.5, 0.7, 1.0] {
            let Loss { largest, braked, slid } = energies_missing(theta, friction_law);
            // Round-off: places of 1 m are known to 1e-16 m, and forces of 10 N do work.
            assert!(largest < 1e-14, "theta {theta}, {friction_law:?}: {largest:e}");
            // Else the test would miss these terms.
            assert!(braked > 0 && slid > 0, "theta {theta}, {friction_law:?}: {braked} {slid}");
        }
    }
}

/// What a ball lost in steps in contact: the largest error of the sum [J], steps that began at a gap, and steps with sliding.
#[derive(Default)]
struct Loss {
    largest: f64,
    braked: usize,
    slid: usize,
}

/// Drops a ball by 3 mm, and pushes it over the floor by forces that change.
fn energies_missing(theta: f64, friction_law: FrictionLaw) -> Loss {
    let (h, k_n, mu) = (1.0 / 64.0, 400.0, 0.5);
    let k_t = 2.0 / 3.0 * k_n;
    let settings = Settings { friction_law, iterations: 500, ..settings(theta) };
    let (mut scene, ball) = ball_on_floor(settings, elastic(k_n, mu), [0.4, 0.2, -0.5]);
    let above = BodyState { position: [0.0, 0.0, 0.503], ..scene.state(ball) };
    scene.world.set_body_state(ball, &above).expect("a state");
    let (mut q_old, mut loss) = ([0.0; 2], Loss::default());
    let square = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>();
    let of = |a: [f64; 3], b: [f64; 3]| [0, 1, 2].map(|at| a[at] - b[at]);
    for step in 0..150 {
        let before = scene.state(ball);
        let force = [5.0 * (0.2 * f64::from(step)).cos(), 3.0, -10.0];
        scene.world.add_force(ball, [force[0], force[1], 0.0], None).expect("a force");
        scene.world.step(h).expect("a step");
        let after = scene.state(ball);
        let ([x, y, p], gap) = (scene.force(ball), before.position[2] - 0.5);
        let (q, p_0) = ([x, y], (-k_n * gap).max(0.0));
        let (moved, dv) = (of(after.position, before.position), of(after.linear_velocity, before.linear_velocity));
        let work: f64 = force.iter().zip(moved).map(|(f, x)| f * x).sum();
        let kinetic = 0.5 * (square(&after.linear_velocity) - square(&before.linear_velocity));
        let stored = 0.5 / k_n * (p * p - p_0 * p_0) + 0.5 / k_t * (square(&q) - square(&q_old));
        let dq = [q[0] - q_old[0], q[1] - q_old[1]];
        let slip = [0, 1].map(|at| moved[at] + dq[at] / k_t);
        let rubbed = if friction_law == FrictionLaw::Coulomb { square(&q).sqrt() * square(&slip).sqrt() } else { 0.0 };
        let lost = (theta - 0.5) * square(&dv) + 0.5 / k_n * (p - p_0).powi(2) + 0.5 / k_t * square(&dq) + rubbed;
        if p > 0.0 {
            let balance = kinetic + stored - work + lost + p * gap.max(0.0);
            loss.largest = loss.largest.max(balance.abs());
            loss.braked += usize::from(gap > 0.0);
            loss.slid += usize::from((square(&q).sqrt() - mu * p).abs() < 1e-12);
        }
        q_old = if p > 0.0 { q } else { [0.0; 2] };
    }
    loss
}

/// Two faces touch at four points, each with its own springs.
#[test]
fn a_box_sinks_by_its_weight_over_the_stiffness_of_its_corners() {
    let mut scene = Scene::new(settings(1.0));
    let material = scene.world.add_material(elastic(1e4, 0.5)).expect("a material");
    scene.add(&Definition { kind: Kind::Static, shape: scene.plane, material, ..Definition::default() });
    let shape = scene.world.add_shape(Shape::cuboid([0.5, 0.5, 0.5]).expect("a box")).expect("memory");
    let ball = scene.ball_at([0.0, 0.0, 0.5]);
    let cube = scene.add(&Definition { shape, material, mass: 2.0, ..ball });
    scene.steps(4000);
    // 20 N on four springs of 1e4 N/m
    close(scene.state(cube).position, [0.0, 0.0, 0.5 - 5e-4], 1e-12);
}

/// A rigid and an elastic pair in one world: each contact has its own stiffness, and only what is rigid is lifted.
#[test]
fn a_pair_may_be_rigid_among_elastic_ones() {
    let mut scene = Scene::new(Settings { push_out_velocity: 1.0, ..settings(1.0) });
    let [of_floor, hard] = [elastic(1e3, 0.5), Material::default()]
        .map(|material| scene.world.add_material(material).expect("a material"));
    scene.add(&Definition { kind: Kind::Static, shape: scene.plane, material: of_floor, ..Definition::default() });
    let soft = scene.add(&Definition { material: of_floor, ..scene.ball_at([0.0, 0.0, 0.5]) });
    let rigid = Pair { normal_stiffness: f64::INFINITY, ..Pair::default() };
    scene.world.set_material_pair(hard, of_floor, rigid).expect("a pair");
    let stone = scene.add(&Definition { material: hard, ..scene.ball_at([5.0, 0.0, 0.49]) });
    scene.steps(3000);
    close(scene.state(soft).position, [0.0, 0.0, 0.5 - 1e-2], 1e-12);
    close(scene.state(stone).position, [5.0, 0.0, 0.5], 1e-9);
}

#[test]
fn stiffness_that_no_material_has_is_refused_by_name() {
    let mut world = World::new(Settings::default(), [0.0; 3]).expect("a world");
    let alone = Material { tangential_stiffness: 1.0, ..Material::default() };
    let error = world.add_material(alone).expect_err("alone");
    assert_eq!(error.message, "tangential_stiffness is 1, expected 0 where normal_stiffness is 0");
    for stiffness in [-1.0, f64::NAN, f64::INFINITY] {
        let material = Material { normal_stiffness: stiffness, ..Material::default() };
        assert!(world.add_material(material).expect_err("no number").message.starts_with("normal_stiffness is "));
    }
}

/// The entries of the ledger add up to the change of the energies.
#[test]
fn the_ledger_balances() {
    let diagnostics = Diagnostics { energy: true, ..Diagnostics::default() };
    let (mut scene, _) = ball_on_floor(Settings { diagnostics, ..settings(0.7) }, elastic(400.0, 0.3), [1.0, 0.0, 0.0]);
    let mut before = (scene.world.energy().expect("energies"), 0.0);
    let mut rubbed = 0.0;
    for _ in 0..100 {
        let report = scene.world.step(1.0 / 64.0).expect("a step");
        let after = (scene.world.energy().expect("energies"), report.ledger.elastic);
        let ledger = report.ledger;
        let changed = after.0.0 + after.0.1 + after.1 - (before.0.0 + before.0.1 + before.1);
        let said = ledger.numerical + ledger.wall_work
            - ledger.friction_loss
            - ledger.damping_loss
            - ledger.rolling_loss
            - ledger.impact_loss;
        assert!((changed - said).abs() < 1e-13, "{changed} and {said}");
        // It is a product of a force and a slip that is round-off where the ball sticks.
        assert!(ledger.friction_loss >= -1e-16, "{}", ledger.friction_loss);
        rubbed += ledger.friction_loss;
        before = after;
    }
    // The ball began with 0.5 J across the floor, and nearly all of it was rubbed away.
    assert!((0.4..0.6).contains(&rubbed), "{rubbed}");
}

/// A ball that the host moves leaves its springs behind.
#[test]
fn friction_does_not_follow_a_body_that_the_host_moves() {
    let (mut scene, ball) = ball_on_floor(settings(1.0), elastic(1e4, 0.5), [0.0; 3]);
    for _ in 0..400 {
        scene.world.add_force(ball, [2.0, 0.0, 0.0], None).expect("a force");
        scene.steps(1);
    }
    assert!((scene.force(ball)[0] + 2.0).abs() < 1e-3, "{:?}", scene.force(ball));
    let state = scene.state(ball);
    // Set to where it is, it keeps them: nothing has moved.
    let rest = |position: [f64; 3]| BodyState { linear_velocity: [0.0; 3], position, ..state };
    for (shift, sign, force) in [(0.0, 1.0, -2.0), (0.0, -1.0, -2.0), (1e-3, 1.0, 0.0)] {
        // Both signs of a quaternion are the same turn.
        let rotation = state.rotation.map(|entry| sign * entry);
        let placed = rest([state.position[0] + shift, 0.0, state.position[2]]);
        scene.world.set_body_state(ball, &crate::world::BodyState { rotation, ..placed }).expect("a state");
        let mut copy = scene.world.try_clone().expect("memory");
        for world in [&mut scene.world, &mut copy] {
            world.add_force(ball, [2.0, 0.0, 0.0], None).expect("a force");
            world.step(1e-9).expect("a step");
            // In so short a step a spring hardly changes.
            assert!((world.body_force(ball).expect("a body").0[0] - force).abs() < 1e-3);
        }
    }
}
