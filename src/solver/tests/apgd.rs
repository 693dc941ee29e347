//! The accelerated projected gradient on problems with answers in closed form.

use super::small;
use crate::solver::apgd::Apgd;
use crate::solver::operator::product::Entries;
use crate::solver::operator::reduced::Reduced;
use crate::solver::problem::options::Progress;

fn solve(problem: &Reduced, lambda: &mut [f64]) -> Progress {
    steps(problem, lambda, 5000)
}

fn steps(problem: &Reduced, lambda: &mut [f64], max_steps: u32) -> Progress {
    Apgd::default().solve(problem, &mut Entries(&problem.matrix), lambda, max_steps, 0.0).unwrap()
}

/// It ends at the round-off of the residual, and the systems have condition numbers of up to ten.
const ROUND_OFF: f64 = 1e-13;

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

#[test]
fn the_same_bits_from_a_used_workspace() {
    let problem = small::box_on_corners([3.0, 0.4, -1.0], 0.3);
    let mut solver = Apgd::default();
    let mut run = || {
        let mut lambda = vec![0.0; 12];
        (solver.solve(&problem, &mut Entries(&problem.matrix), &mut lambda, 100, 0.0).unwrap(), lambda)
    };
    assert_eq!(run(), run());
}
