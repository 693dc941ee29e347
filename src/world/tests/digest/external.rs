//! Problems without a world: random contacts and rows, solved three times with the impulses remembered.

use super::record::Line;
use super::words::{Digest, Random};
use crate::math::{BodyRow, RowId, Symmetric3, Vec3};
use crate::solver::problem::Jacobian;
use crate::solver::{Contact, MassInverse, OptionalTerms, Row, Velocity};
use crate::world::external::{ContactProblem, ContactSolution, ContactSolver};
use crate::world::settings::{
    Compatibility, CompatibleFriction, FrictionLaw, Projection, Settings, SolverKind, Sweep, WarmStart,
};

/// What a problem has in addition to contacts, and its contacts in addition to normals, arms and friction.
#[derive(Debug, Clone, Copy, Default)]
struct Parts {
    rolling: bool,
    compliance: bool,
    rows: bool,
    /// Bodies that are not spheres, and arms beside the normals.
    general: bool,
}

const NONE: Parts = Parts { rolling: false, compliance: false, rows: false, general: false };
const ALL: Parts = Parts { rolling: true, compliance: true, rows: true, general: true };

/// How many problems of each kind.
const PROBLEMS: u64 = 4;

/// How often each is solved.
const CALLS: usize = 3;

/// Bodies of a group, which contacts and rows connect; no two groups are connected.
const GROUP: usize = 16;
const GROUPS: usize = 5;

/// The digests of all problems.
pub(super) fn all() -> Vec<Line> {
    cases().into_iter().map(|(name, parts, settings)| run(name, parts, &settings)).collect()
}

/// Names in the recorded file, what the problems consist of, and how they are solved.
fn cases() -> Vec<(&'static str, Parts, Settings)> {
    let plain = Settings { iterations: 25, seed: 5, ..Settings::default() };
    let sweep = |sweep| Settings { sweep, ..plain };
    let general = Parts { general: true, ..NONE };
    let stick = Settings { projection: Projection::Stick, ..plain };
    let compatible =
        Settings { compatibility: Compatibility::Hooke, compatible_friction: CompatibleFriction::Associated, ..plain };
    let by = |solver| Settings { solver, tolerance: 1e-10, iterations: 40, ..plain };
    vec![
        ("external-central", NONE, plain),
        ("external-colored", general, plain),
        ("external-natural", general, sweep(Sweep::Natural)),
        ("external-symmetric", general, sweep(Sweep::Symmetric)),
        ("external-random", general, sweep(Sweep::Random)),
        ("external-box", general, Settings { friction_law: FrictionLaw::Box, ..plain }),
        ("external-rolling", Parts { rolling: true, ..general }, plain),
        ("external-rolling-spheres", Parts { rolling: true, ..NONE }, sweep(Sweep::Symmetric)),
        ("external-compliance", Parts { compliance: true, ..general }, plain),
        ("external-rows", Parts { rows: true, ..general }, plain),
        ("external-all", ALL, Settings { relaxation: 0.9, ..sweep(Sweep::Natural) }),
        ("external-guarded", ALL, Settings { warm_start: WarmStart::Guarded, ..plain }),
        ("external-normals", ALL, Settings { warm_start: WarmStart::Normals, warm_start_factor: 0.8, ..plain }),
        ("external-tolerance", general, Settings { tolerance: 1e-3, iterations: 200, ..plain }),
        ("external-stick", Parts { rolling: true, ..general }, stick),
        ("external-compatible", general, compatible),
        // These three may change once, when the order of their sums does.
        ("external-newton", ALL, by(SolverKind::Newton)),
        ("external-accelerated", ALL, by(SolverKind::PgsAccelerated)),
        ("external-apgd", ALL, by(SolverKind::Apgd)),
    ]
}

fn run(name: &str, parts: Parts, settings: &Settings) -> Line {
    let mut digest = Digest::new();
    for seed in 1..=PROBLEMS {
        let mut random = Random(seed);
        let mut problem = problem(&mut random, parts);
        let mut solver = ContactSolver::default();
        for _ in 0..CALLS {
            *solver.problem() = problem.clone();
            let report = solver.solve(settings).expect("an answer");
            digest.word(u64::from(report.iterations));
            add_answer(&mut digest, &solver);
            change(&mut random, &mut problem);
        }
    }
    Line { name: name.to_string(), digest: digest.value() }
}

fn add_answer(digest: &mut Digest, solver: &ContactSolver) {
    for velocity in solver.velocities() {
        digest.numbers(velocity.linear.as_slice());
        digest.numbers(velocity.angular.as_slice());
    }
    for contact in solver.contact_solutions() {
        let ContactSolution { impulse, normal_impulse, torque_impulse, compatible_impulse, residual, state } = contact;
        for vector in [impulse, torque_impulse, compatible_impulse] {
            digest.numbers(vector.as_slice());
        }
        digest.numbers(&[normal_impulse, residual]);
        digest.word(u64::from(state));
    }
    digest.numbers(solver.row_impulses());
}

/// Other velocities, and a contact and a row that nothing is remembered of.
fn change(random: &mut Random, problem: &mut ContactProblem) {
    for velocity in &mut problem.velocities {
        velocity.linear += vector(random, 0.05);
    }
    let keys = problem.contact_keys.len();
    problem.contact_keys[random.index(keys)] += 10_000;
    if let Some(key) = problem.row_keys.first_mut() {
        *key += 10_000;
    }
}

fn vector(random: &mut Random, size: f64) -> Vec3 {
    Vec3::from(random.vector::<3>(size))
}

fn problem(random: &mut Random, parts: Parts) -> ContactProblem {
    let mut problem = ContactProblem { step: 0.01, ..ContactProblem::default() };
    for body in 0..GROUP * GROUPS {
        problem.masses.push(mass(random, body, parts.general));
        let (linear, angular) = (vector(random, 1.0), vector(random, 1.0));
        problem.velocities.push(Velocity { linear, angular });
    }
    for key in 0..(3 * GROUP * GROUPS) as u64 {
        let pair = pair(random);
        problem.contacts.push(contact(random, pair, parts.general));
        let optional = optional_terms(random, parts);
        if parts.rolling || parts.compliance {
            problem.optional.push(optional);
        }
        // One in a few is not remembered.
        problem.contact_keys.push(if key % 7 == 6 { 0 } else { key + 1 });
        problem.stiffness.push(random.between(0.5, 2.0));
    }
    for key in 0..if parts.rows { 30 } else { 0 } {
        let pair = pair(random);
        problem.rows.push(row(random, pair, key));
        problem.row_keys.push(5_000 + key as u64);
    }
    problem
}

/// The first body of each group does not move, the others are spheres or boxes of unlike masses.
fn mass(random: &mut Random, body: usize, general: bool) -> MassInverse {
    let inverse = random.between(0.5, 1.0) * [0.25, 1.0, 4.0][random.index(3)];
    let moments: [f64; 3] = std::array::from_fn(|_| random.between(1.0, 3.0));
    if body.is_multiple_of(GROUP) {
        return MassInverse::ZERO;
    }
    let angular = if general && body.is_multiple_of(3) {
        Symmetric3 { entries: [moments[0], moments[1], moments[2], 0.3, -0.2, 0.1].map(|entry| inverse * entry) }
    } else {
        Symmetric3::diagonal([2.5 * inverse; 3])
    };
    MassInverse { linear: Vec3::repeat(inverse), angular }
}

/// Two bodies of one group, of which the second moves, or one and the fixed world.
fn pair(random: &mut Random) -> [BodyRow; 2] {
    let first = GROUP * random.index(GROUPS);
    let moving = 1 + random.index(GROUP - 1);
    let other = (moving + 1 + random.index(GROUP - 1)) % GROUP;
    let pair = [if random.one_in(6) { BodyRow::NONE } else { (first + other).into() }, (first + moving).into()];
    if random.one_in(2) { pair } else { [pair[1], pair[0]] }
}

fn contact(random: &mut Random, [body_a, body_b]: [BodyRow; 2], general: bool) -> Contact {
    let normal = Vec3::from(random.unit::<3>());
    let overlap_serial = general && random.one_in(2);
    let mut arm = |outward: Vec3| {
        let aside = vector(random, 0.5);
        random.between(0.3, 1.0) * outward + if overlap_serial { aside } else { Vec3::zeros() }
    };
    let (arm_a, arm_b) = (arm(normal), arm(-normal));
    let friction = if random.one_in(5) { 0.0 } else { random.between(0.1, 1.0) };
    let normal_bias = random.between(-0.5, 0.2);
    Contact { body_a, body_b, normal, arm_a, arm_b, normal_bias, friction }
}

fn optional_terms(random: &mut Random, parts: Parts) -> OptionalTerms {
    let mut some = |is: bool, upper_bound: f64| {
        let value = random.between(0.01, 1.0) * upper_bound;
        if is && random.one_in(2) { value } else { 0.0 }
    };
    OptionalTerms {
        rolling: some(parts.rolling, 0.3),
        twisting: some(parts.rolling, 0.3),
        normal_compliance: some(parts.compliance, 0.5),
        tangential_compliance: some(parts.compliance, 0.5),
        turning_compliance: 0.0,
        surface_velocity: if parts.compliance { vector(random, 0.2) } else { Vec3::zeros() },
    }
}

/// Rows of every kind: bilateral, bounded on one or both sides, compliant, and bounded by the row before it.
fn row(random: &mut Random, [body_a, body_b]: [BodyRow; 2], index: usize) -> Row {
    let linear = vector(random, 1.0);
    let mut jacobian = |sign: f64| Jacobian { linear: sign * linear, angular: vector(random, 1.0) };
    let (jacobian_a, jacobian_b) = (jacobian(-1.0), jacobian(1.0));
    let (lower, upper) = match index % 5 {
        0 => (f64::NEG_INFINITY, f64::INFINITY),
        1 => (0.0, f64::INFINITY),
        2 => (-0.5, 0.5),
        3 => (-1.0, f64::INFINITY),
        _ => (-0.2, 0.7),
    };
    let compliance = if random.one_in(2) { random.between(0.01, 0.5) } else { 0.0 };
    let friction_row = (index % 5 == 2).then(|| RowId::from(index - 1));
    let rhs = random.between(-0.5, 0.5);
    Row { body_a, body_b, jacobian_a, jacobian_b, rhs, compliance, lower, upper, friction_row, ball: None }
}
