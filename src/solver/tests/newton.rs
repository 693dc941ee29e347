//! Newton's method on problems with answers in closed form, redundant and badly scaled ones among them.

use super::small;
use crate::solver::newton::Newton;
use crate::solver::newton::scaled::Scaled;
use crate::solver::operator::reduced::Reduced;
use crate::solver::problem::options::Progress;
use nalgebra::DMatrix;

fn solve(problem: &Reduced, lambda: &mut [f64]) -> Progress {
    steps(problem, lambda, 500)
}

fn steps(problem: &Reduced, lambda: &mut [f64], max_steps: u32) -> Progress {
    Newton::default().solve(problem, lambda, max_steps, 0.0).unwrap()
}

/// The solver ends at the round-off of a row of up to a dozen terms, which these problems of size one do not amplify.
const ROUND_OFF: f64 = 2e-14;

#[test]
fn one_contact() {
    small::one_contact(solve, ROUND_OFF);
}

#[test]
fn rolling_and_twisting() {
    small::rolling(solve, ROUND_OFF);
}

#[test]
fn rows_between_bounds() {
    small::rows(solve, ROUND_OFF);
}

#[test]
fn a_box_on_four_corners() {
    small::redundant_box(solve, ROUND_OFF);
}

#[test]
fn rows_that_contradict_each_other_end_in_least_squares() {
    small::infeasible(solve);
}

#[test]
fn never_worse_than_the_start() {
    small::never_worse(steps);
}

#[test]
fn a_block_without_effect_stays() {
    small::immovable(solve);
}

/// Balls on one another, the lowest on the ground: `W` couples neighbours, and contact k carries all masses above it.
fn column(masses: &[f64]) -> Reduced {
    let size = masses.len();
    let mut matrix = DMatrix::zeros(3 * size, 3 * size);
    for (ball, mass) in masses.iter().enumerate() {
        for axis in 0..3 {
            matrix[(3 * ball + axis, 3 * ball + axis)] += 1.0 / mass;
            if ball + 1 < size {
                let above = 3 * (ball + 1) + axis;
                matrix[(above, above)] += 1.0 / mass;
                matrix[(above, 3 * ball + axis)] -= 1.0 / mass;
                matrix[(3 * ball + axis, above)] -= 1.0 / mass;
            }
        }
    }
    // all fall alike: only the ground's contact closes
    let mut q = vec![0.0; 3 * size];
    q[0] = -1.0;
    small::dense(&matrix, &q, &vec![small::contact(0.5); size])
}

#[test]
fn a_column_carries_its_weight() {
    let masses: Vec<f64> = (0..30).map(|ball| 1.0 + f64::from(ball % 3)).collect();
    let mut lambda = vec![0.0; 90];
    let progress = solve(&column(&masses), &mut lambda);
    for ball in 0..30 {
        let above: f64 = masses[ball..].iter().sum();
        // the condition of W is about 30^2 times the mass ratio, 4e3: 1e-12 of 60
        assert!((lambda[3 * ball] - above).abs() <= 1e-10, "{ball}: {} of {above}; {progress:?}", lambda[3 * ball]);
    }
    // linear in the contacts that close, all of which do: a handful of proximal problems of a few steps
    assert!(progress.iterations <= 30, "{progress:?}");
}

#[test]
fn a_million_kilograms_on_one() {
    let mut lambda = vec![0.0; 6];
    let progress = solve(&column(&[1.0, 1e6]), &mut lambda);
    // relative to the million, times the condition 4e6 of W
    assert!((lambda[0] - 1_000_001.0).abs() <= 1e-3, "{lambda:?}; {progress:?}");
    assert!((lambda[3] - 1e6).abs() <= 1e-3, "{lambda:?}; {progress:?}");
    // the round-off of a row with three terms of 1e6: 1.5 * 3e6 * 2.2e-16
    assert!(progress.residual <= 1e-9, "{progress:?}");
}

#[test]
fn the_same_bits_from_a_used_workspace() {
    let (first, other) = (small::box_on_corners([3.0, 0.4, -1.0], 0.3), column(&[1.0, 5.0, 2.0]));
    let mut solver = Newton::default();
    let mut run = |problem: &Reduced| {
        let mut lambda = vec![0.0; problem.size()];
        let progress = solver.solve(problem, &mut lambda, 100, 0.0).unwrap();
        (lambda, progress)
    };
    let fresh = run(&first);
    run(&other);
    assert_eq!(run(&first), fresh);
}

#[test]
fn stops_at_the_tolerance() {
    let problem = column(&[1.0; 20]);
    let mut lambda = vec![0.0; 60];
    let progress = Newton::default().solve(&problem, &mut lambda, 100, 1e-3).unwrap();
    // met, but with less work than round-off needs
    assert!(progress.residual <= 1e-3, "{progress:?}");
    let exact = solve(&problem, &mut vec![0.0; 60]);
    assert!(progress.iterations < exact.iterations, "{progress:?} {exact:?}");
}

/// With a strong term the last bit of an impulse moves the velocity by `alpha` times that: a goal below it is never met.
#[test]
fn the_proximal_term_counts_in_round_off() {
    let (problem, alpha) = (column(&[1.0; 3]), 1e3);
    let (mut scaled, mut x) = (Scaled::default(), vec![0.0; problem.size()]);
    let lambda: Vec<f64> = (0..problem.size()).map(|row| 1.0 + row as f64).collect();
    scaled.set(&problem, &lambda).unwrap();
    scaled.take(&lambda, &mut x);
    let last_bits: f64 = x.iter().map(|x| (alpha * f64::EPSILON * x).powi(2)).sum();
    // rho of each block is below one by at most the ratio of its diagonal to the mean, here 2
    assert!(scaled.round_off(&x, alpha, 1.0) >= last_bits / 4.0);
    assert!(scaled.round_off(&x, 0.0, 1.0) < last_bits / 1e3);
}

#[test]
fn an_empty_problem_is_solved() {
    let progress = solve(&Reduced::default(), &mut []);
    assert_eq!(progress, Progress { iterations: 0, residual: 0.0 });
}
