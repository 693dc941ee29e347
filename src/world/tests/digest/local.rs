//! Problems without bodies: a random Delassus operator in blocks, solved by every method.

use super::record::Line;
use super::words::{Digest, Random};
use crate::world::external::{ContactSolver, LocalProblem};
use crate::world::settings::{Settings, SolverKind, Sweep};

/// Contacts of a problem: two groups that no block connects.
const CONTACTS: usize = 12;

/// The digests of all problems.
pub(super) fn all() -> Vec<Line> {
    let plain = Settings { iterations: 30, seed: 3, ..Settings::default() };
    let sweep = |sweep| Settings { sweep, ..plain };
    let by = |solver| Settings { solver, tolerance: 1e-10, ..plain };
    let cases = [
        ("local-colored", plain),
        ("local-natural", sweep(Sweep::Natural)),
        ("local-symmetric", sweep(Sweep::Symmetric)),
        ("local-random", sweep(Sweep::Random)),
        // These three may change once, when the order of their sums does.
        ("local-newton", by(SolverKind::Newton)),
        ("local-accelerated", by(SolverKind::PgsAccelerated)),
        ("local-apgd", by(SolverKind::Apgd)),
    ];
    cases.into_iter().map(|(name, settings)| run(name, &settings)).collect()
}

fn run(name: &str, settings: &Settings) -> Line {
    let mut digest = Digest::new();
    for seed in 1..=4 {
        for dimension in [3, 5] {
            solve(&mut Random(seed), dimension, settings, &mut digest);
        }
    }
    Line { name: name.to_string(), digest: digest.value() }
}

fn solve(random: &mut Random, dimension: usize, settings: &Settings, digest: &mut Digest) {
    // The operator is a product of this matrix and its transpose, so it is positive semidefinite.
    let jacobian: Vec<[f64; 40]> = (0..dimension * CONTACTS).map(|_| random.vector(1.0)).collect();
    let product = |a: usize, b: usize| jacobian[a].iter().zip(&jacobian[b]).map(|(x, y)| x * y).sum::<f64>();
    let (mut row_offsets, mut columns, mut blocks) = (vec![0], Vec::new(), Vec::new());
    for row in 0..CONTACTS {
        for column in (0..CONTACTS).rev().filter(|column| column % 2 == row % 2) {
            columns.push(column as u32);
            for at in 0..dimension * dimension {
                blocks.push(product(dimension * row + at / dimension, dimension * column + at % dimension));
            }
        }
        row_offsets.push(columns.len() as u32);
    }
    let mut numbers = |count: usize, low: f64| -> Vec<f64> { (0..count).map(|_| random.between(low, 1.0)).collect() };
    let (q, friction, rolling) = (numbers(dimension * CONTACTS, -2.0), numbers(CONTACTS, 0.0), numbers(CONTACTS, 0.0));
    let problem = LocalProblem {
        dimension,
        row_offsets: &row_offsets,
        columns: &columns,
        blocks: &blocks,
        q: &q,
        friction: &friction,
        rolling: (dimension == 5).then_some(&rolling),
    };
    let mut solver = ContactSolver::default();
    let report = solver.solve_local(&problem, settings).expect("an answer");
    digest.word(u64::from(report.iterations));
    digest.numbers(solver.local_impulses());
}
