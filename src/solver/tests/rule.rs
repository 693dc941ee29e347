//! The associated law of whole problems: all solvers agree, and no answer has less energy.

use super::random::{Random, Scene, plain, resisting};
use crate::math::lanes::{Level, capped};
use crate::math::{BodyRow, Symmetric3, Vec3};
use crate::solver::Solver;
use crate::solver::problem::options::{Method, Options, Outcome, StickProjection};
use crate::solver::problem::order::Order;
use crate::solver::problem::start::Start;
use crate::solver::problem::{Contact, Friction, Impulses, OptionalTerms, Velocity};

const PLAIN: Options = Options {
    method: Method::Pgs,
    order: Order::Colored,
    iterations: 20_000,
    tolerance: 1e-13,
    relaxation: 1.0,
    start: Start::Zero,
    projection: StickProjection::Off,
    splits: false,
};
const METHODS: [Method; 5] =
    [Method::Pgs, Method::Accelerated, Method::Newton { limit: 10_000 }, Method::Apgd, Method::Conic];

struct Answer {
    outcome: Outcome,
    impulses: Impulses,
    velocities: Vec<Velocity>,
}

fn solve(scene: &Scene, options: &Options) -> Answer {
    let (mut solver, mut impulses) = (Solver::default(), scene.no_impulses());
    let outcome = solver.solve(&scene.problem(), options, &mut impulses).expect("memory");
    Answer { outcome, velocities: solver.velocities().to_vec(), impulses }
}

/// The largest difference of two answers [m/s].
fn apart(one: &[Velocity], other: &[Velocity]) -> f64 {
    let difference = |(a, b): (&Velocity, &Velocity)| (a.linear - b.linear).norm().max((a.angular - b.angular).norm());
    one.iter().zip(other).map(difference).fold(0.0, f64::max)
}

/// A body that slides and a few that touch it and each other and the ground: blocks with arms of any direction.
fn heap(random: &mut Random, turning: bool) -> Scene {
    let mut scene = Scene { friction: Friction::Associated, ..Scene::default() };
    for _ in 0..4 {
        let velocity = Velocity { linear: random.vector(1.0), angular: random.vector(0.5) };
        let moments = [random.between(0.2, 0.6), random.between(0.2, 0.6), random.between(0.2, 0.6)];
        let mass = random.between(0.5, 2.0);
        if random.one_in(3) {
            scene.sphere(mass, 0.7, velocity);
        } else {
            scene.body(mass, Symmetric3::diagonal(moments).scaled(mass).rotated(&random.rotation()), velocity);
        }
    }
    for contact in 0..8 {
        let (a, b) = if contact < 4 { (BodyRow::NONE, contact) } else { ((contact - 4).into(), (contact - 3) % 4) };
        let normal = random.direction();
        let mut arm = |outward: Vec3| if contact % 3 == 0 { 0.7 * outward } else { 0.7 * random.direction() };
        let (arm_a, arm_b) = (arm(normal), arm(-normal));
        let friction = random.between(0.0, 1.0);
        let optional = if turning && contact % 2 == 0 { resisting(0.2, 0.1) } else { OptionalTerms::NONE };
        scene.add(Contact { arm_a, arm_b, friction, ..plain(a, b.into(), normal) }, optional);
    }
    scene
}

/// `1/2 lambda W lambda + b lambda`: half the square of the final velocities in the metric of the masses, up to a
/// constant, and what biases, surfaces and compliance add.
fn energy(scene: &Scene, answer: &Answer) -> f64 {
    let of_body = |(free, velocity): (&Option<(f64, Symmetric3)>, &Velocity)| {
        let (mass, inertia) = free.expect("free bodies");
        0.5 * (mass * velocity.linear.norm_squared() + velocity.angular.dot(&inertia.times(&velocity.angular)))
    };
    let motion: f64 = scene.free.iter().zip(&answer.velocities).map(of_body).sum();
    let bias = |(contact, impulse): (&Contact, &crate::math::Impulse)| contact.normal_bias * impulse.normal;
    motion + scene.contacts.iter().zip(&answer.impulses.contacts).map(bias).sum::<f64>()
}

#[test]
fn a_sliding_block_leaves_with_friction_times_its_speed() {
    let mut scene = Scene { friction: Friction::Associated, ..Scene::default() };
    let linear = Vec3::new(3.0, 0.0, -1.0);
    let inertia = Symmetric3::diagonal([1.0; 3]);
    scene.body(2.0, inertia, Velocity { linear, angular: Vec3::zeros() });
    scene.contacts.push(Contact { friction: 0.5, ..plain(BodyRow::NONE, BodyRow(0), Vec3::z()) });
    for method in METHODS {
        let answer = solve(&scene, &Options { method, iterations: 200, ..PLAIN });
        // r_n = m (1 + mu 3) / (1 + mu^2) = 4, r_t = mu r_n = 2: v = (3 - 1, 0, -1 + 2).
        let expected = Velocity { linear: Vec3::new(2.0, 0.0, 1.0), angular: Vec3::zeros() };
        assert!(apart(&answer.velocities, &[expected]) <= 4e-15, "{method:?}: {:?}", answer.velocities);
        assert!(answer.outcome.residual_max <= 4e-15, "{method:?}: {:e}", answer.outcome.residual_max);
    }
}

#[test]
fn all_solvers_find_the_one_motion_of_least_energy() {
    let mut random = Random(21);
    let mut slide = 0;
    for case in 0..200 {
        let scene = heap(&mut random, case % 2 == 1);
        let answers = METHODS.map(|method| solve(&scene, &Options { method, ..PLAIN }));
        let best = &answers[2];
        assert!(best.outcome.residual_max <= 1e-12, "case {case}: {:e}", best.outcome.residual_max);
        for (answer, method) in answers.iter().zip(METHODS) {
            let difference = apart(&answer.velocities, &best.velocities);
            assert!(answer.outcome.residual_max <= 1e-11, "case {case} {method:?}: {:e}", answer.outcome.residual_max);
            assert!(difference <= 1e-9, "case {case} {method:?}: {difference:e}");
            let more = energy(&scene, answer) - energy(&scene, best);
            assert!(more.abs() <= 1e-11, "case {case} {method:?}: {more:e}");
        }
        // Coulomb's law never has less of it.
        let coulomb = Scene { friction: Friction::Coulomb, ..scene };
        let other = solve(&coulomb, &Options { method: METHODS[2], ..PLAIN });
        let more = energy(&coulomb, &other) - energy(&coulomb, best);
        assert!(more >= -1e-12, "case {case}: {more:e}");
        slide += usize::from(more > 1e-6);
    }
    assert!(slide > 100, "only {slide} of 200 slide");
}

#[test]
fn without_friction_the_bits_are_those_of_coulomb() {
    let mut random = Random(22);
    for case in 0..30 {
        let mut scene = Scene::random(&mut random, 12, 30);
        scene.contacts.iter_mut().for_each(|contact| contact.friction = 0.0);
        for method in [Method::Pgs, Method::Accelerated] {
            let options = Options { method, iterations: 30, tolerance: 0.0, ..PLAIN };
            scene.friction = Friction::Coulomb;
            let coulomb = solve(&scene, &options);
            scene.friction = Friction::Associated;
            let associated = solve(&scene, &options);
            assert_eq!(coulomb.velocities, associated.velocities, "case {case} {method:?}");
            assert_eq!(coulomb.impulses, associated.impulses, "case {case} {method:?}");
            assert_eq!(coulomb.outcome.residual_max, associated.outcome.residual_max);
        }
    }
}

#[test]
fn where_nothing_slides_the_answer_is_that_of_coulomb() {
    for projection in [StickProjection::Off, StickProjection::Always(3)] {
        let mut scene = Scene::pyramid(4, 2.0, 0.0);
        let coulomb = solve(&scene, &Options { projection, ..PLAIN });
        scene.friction = Friction::Associated;
        let associated = solve(&scene, &Options { projection, ..PLAIN });
        assert!(associated.outcome.residual_max <= 1e-13, "{:e}", associated.outcome.residual_max);
        let difference = apart(&coulomb.velocities, &associated.velocities);
        assert!(difference <= 1e-12, "{projection:?}: {difference:e}");
    }
}

#[test]
fn the_projection_keeps_the_law_and_holds_what_slides_on_its_ray() {
    let mut random = Random(23);
    let mut taken = 0;
    for case in 0..50 {
        let scene = heap(&mut random, false);
        let few = Options { iterations: 20, tolerance: 0.0, ..PLAIN };
        let swept = solve(&scene, &few);
        let projected = solve(&scene, &Options { projection: StickProjection::Always(5), ..few });
        let (before, after) = (swept.outcome.residual_max, projected.outcome.residual_max);
        assert!(after <= before * (1.0 + 1e-9) + 1e-15, "case {case}: {after:e} above {before:e}");
        taken += usize::from(after < 1e-2 * before);
    }
    assert!(taken > 10, "{taken} of 50");
}

#[test]
fn every_width_and_every_order_of_visits_is_the_same_law() {
    let mut random = Random(24);
    for case in 0..20 {
        let mut scene = Scene::random(&mut random, 20, 60);
        scene.friction = Friction::Associated;
        if case % 2 == 1 {
            scene.resist_turning(&mut random);
        }
        let options = Options { iterations: 20, tolerance: 0.0, relaxation: [1.0, 1.3][case % 2], ..PLAIN };
        let [narrow, middle, wide] =
            [Level::Baseline, Level::Avx2, Level::Avx512].map(|level| capped(level, || solve(&scene, &options)));
        for other in [&middle, &wide] {
            assert_eq!(narrow.velocities, other.velocities, "case {case}");
            assert_eq!(narrow.impulses, other.impulses, "case {case}");
            assert_eq!(narrow.outcome.residual_max, other.outcome.residual_max, "case {case}");
        }
        // one by one, in the order of the batches, is another sweep with the same fixed point
        let once = solve(&scene, &Options { order: Order::Natural, iterations: 1, ..options });
        assert!(once.outcome.residual_max.is_finite());
    }
}
