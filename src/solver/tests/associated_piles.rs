//! Steps with the associated law beside a conic solver that is not the library's own.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SolverStatus, SupportedConeT};

use super::associated_polish::{Polished, Rows, polish};
use super::conic::{Answer, cloud, run, soften};
use super::random::{Random, Scene};
use crate::math::{BodyRow, Vec3, tangents};
use crate::solver::problem::Velocity;
use crate::solver::problem::options::Method;

/// Entries of a sparse matrix: rows, columns, values.
#[derive(Default)]
struct Entries(Vec<usize>, Vec<usize>, Vec<f64>);

impl Entries {
    fn add(&mut self, row: usize, column: usize, value: f64) {
        self.0.push(row);
        self.1.push(column);
        self.2.push(value);
    }
}

/// What the other solver found: motions [m/s], impulses.
struct Reference {
    motions: Vec<[f64; 6]>,
    impulses: Vec<[f64; 3]>,
}

/// How far the reference may be from the conditions of optimality: round-off of sums of some hundred terms [m/s].
const DEFECT: f64 = 1e-13;
/// How far motions may be from those of the reference [m/s], and impulses of compliant contacts [N s]: round-off of two iterations that end at 1e-13.
const APART: f64 = 1e-12;

/// The program of a scene of balls, `min 1/2 |y|^2 + 1/2 |eta|^2` with `D (G (v + M^-1/2 y) + b + S^1/2 eta)` in the cones. `y` is the
/// change of the roots of momentum.
struct Program {
    /// `-D G M^-1/2` and `-D S^1/2`, and `D (G v + b)`.
    rows: Rows,
    /// `D`.
    factors: Vec<f64>,
}

impl Program {
    fn new(scene: &Scene) -> Self {
        let (bodies, rows) = (scene.masses.len(), 3 * scene.contacts.len());
        let is_soft = !scene.optional.is_empty();
        let size = 6 * bodies + if is_soft { rows } else { 0 };
        let (mut factors, mut right, mut entries) = (Vec::new(), Vec::new(), Entries::default());
        for (index, contact) in scene.contacts.iter().enumerate() {
            let (t1, t2): (Vec3, Vec3) = tangents(&contact.normal);
            for (k, axis) in [contact.normal, t1, t2].iter().enumerate() {
                let factor = if k == 0 { 1.0 } else { contact.friction };
                let row = 3 * index + k;
                let mut offset = if k == 0 { contact.normal_bias } else { 0.0 };
                for (body, arm, sign) in [(contact.body_a, contact.arm_a, -1.0), (contact.body_b, contact.arm_b, 1.0)] {
                    if body == BodyRow::NONE {
                        continue;
                    }
                    let (body, turning) = (body.index(), arm.cross(axis));
                    let velocity = &scene.velocities[body];
                    offset += sign * (axis.dot(&velocity.linear) + turning.dot(&velocity.angular));
                    for d in 0..3 {
                        entries.add(row, 6 * body + d, -factor * sign * axis[d] * root(scene, body, d));
                        entries.add(row, 6 * body + 3 + d, -factor * sign * turning[d] * root(scene, body, 3 + d));
                    }
                }
                if is_soft {
                    let optional = &scene.optional[index];
                    let compliance = if k == 0 { optional.normal_compliance } else { optional.tangential_compliance };
                    entries.add(row, 6 * bodies + row, -factor * compliance.sqrt());
                }
                right.push(factor * offset);
                factors.push(factor);
            }
        }
        let matrix = CscMatrix::new_from_triplets(rows, size, entries.0, entries.1, entries.2);
        Self { rows: Rows { matrix, right }, factors }
    }

    /// Returns multipliers, unless the solver ends without an answer.
    fn solve(&self, tolerance: f64) -> Option<Vec<f64>> {
        let settings = DefaultSettings {
            verbose: false,
            tol_gap_abs: tolerance,
            tol_gap_rel: tolerance,
            tol_feas: tolerance,
            max_iter: 200,
            ..DefaultSettings::default()
        };
        let Rows { matrix, right } = &self.rows;
        let (quadratic, linear) = (CscMatrix::identity(matrix.n), vec![0.0; matrix.n]);
        let cones = vec![SupportedConeT::SecondOrderConeT(3); right.len() / 3];
        let mut solver =
            DefaultSolver::new(&quadratic, &linear, matrix, right, &cones, settings).expect("a conic program");
        solver.solve();
        let solution = solver.solution;
        matches!(solution.status, SolverStatus::Solved | SolverStatus::AlmostSolved).then_some(solution.z)
    }
}

/// The root of an entry of the inverse mass of a ball.
fn root(scene: &Scene, body: usize, k: usize) -> f64 {
    let mass = &scene.masses[body];
    if k < 3 { mass.linear[k].sqrt() } else { mass.angular.entries[0].sqrt() }
}

/// Solves the program of a scene: the other solver to the least tolerance at which it ends with an answer, then Newton's method.
fn reference(scene: &Scene) -> Reference {
    let program = Program::new(scene);
    let multipliers = [1e-13, 1e-11, 1e-9].into_iter().find_map(|tolerance| program.solve(tolerance));
    let Polished { z, defect } = polish(&program.rows, multipliers.expect("an answer"));
    assert!(defect <= DEFECT, "{} contacts: {defect:e}", scene.contacts.len());
    let x = program.rows.unknowns(&z);
    let motion = |(body, before): (usize, &Velocity)| {
        std::array::from_fn(|k| {
            let own = if k < 3 { before.linear[k] } else { before.angular[k - 3] };
            own + root(scene, body, k) * x[6 * body + k]
        })
    };
    let motions = scene.velocities.iter().enumerate().map(motion).collect();
    let impulse = |c: usize| std::array::from_fn(|k| program.factors[3 * c + k] * z[3 * c + k]);
    let impulses = (0..scene.contacts.len()).map(impulse).collect();
    Reference { motions, impulses }
}

/// The largest difference of motions, and of impulses.
fn apart(scene: &Scene, answer: &Answer, reference: &Reference) -> [f64; 2] {
    let mut largest = [0.0_f64; 2];
    for (own, other) in answer.velocities.iter().zip(&reference.motions) {
        let own = [own.linear, own.angular];
        (0..6).for_each(|k| largest[0] = largest[0].max((own[k / 3][k % 3] - other[k]).abs()));
    }
    for ((contact, own), other) in scene.contacts.iter().zip(&answer.impulses.contacts).zip(&reference.impulses) {
        let (t1, t2): (Vec3, Vec3) = tangents(&contact.normal);
        let own = [own.normal, t1.dot(&own.tangential), t2.dot(&own.tangential)];
        (0..3).for_each(|k| largest[1] = largest[1].max((own[k] - other[k]).abs()));
    }
    largest
}

/// Twelve piles, rigid and soft, of 50 to 1155 contacts.
#[test]
fn piles_have_the_motions_and_impulses_of_another_solver() {
    let mut random = Random(77);
    let rigid = f64::INFINITY;
    for (side, ratio, a) in [
        (3, 1.0, rigid),
        (4, 1.0, rigid),
        (5, 10.0, rigid),
        (8, 1.0, rigid),
        (3, 1.0, 0.02),
        (4, 1.0, 1.5),
        (5, 10.0, 1.5),
        (7, 1.0, 0.5),
        (4, 1.0, 160.0),
        (5, 1.0, 160.0),
        (3, 10.0, 1.6e4),
        (4, 1.0, 1.6e4),
    ] {
        let mut scene = cloud(&mut random, side, ratio, 0.4);
        if a < rigid {
            soften(&mut scene, a);
        }
        let reference = reference(&scene);
        for method in [Method::Conic, Method::Newton { limit: 100_000 }] {
            let answer = run(&scene, method, 0.0);
            let [motions, impulses] = apart(&scene, &answer, &reference);
            let residual = answer.outcome.residual_max;
            // Round-off: bodies approach each other at some 0.3 m/s.
            assert!(residual <= 1e-13, "{side} {a} {method:?}: {residual:e}");
            assert!(motions <= APART, "{side} {a} {method:?}: {motions:e}");
            // Impulses of rigid contacts are not unique. Masses are 1 kg to 10 kg.
            assert!(a == rigid || impulses <= APART, "{side} {a} {method:?}: {impulses:e}");
        }
    }
}
