//! The plain loop: when it stops, and that it never ends with less than it began with.

use super::cases::{Map, column};
use crate::solver::gauss_seidel::sweeps::{Sweeps, sweep_to_round_off, sweep_until};
use crate::solver::monitor::Monitor;
use crate::solver::operator::explicit::{Explicit, SweepWorkspace, Sweeping};
use crate::solver::problem::order::Order;

const NATURAL: Sweeping = Sweeping { order: Order::Natural, relaxation: 1.0 };

/// A map that halves everything.
fn halving(values: &mut [f64]) -> f64 {
    values.iter_mut().for_each(|value| *value *= 0.5);
    values[0].abs()
}

#[test]
fn without_a_tolerance_all_sweeps_are_done() {
    let mut island = Map::new(&[1.0], halving);
    let progress = sweep_until(&mut island, 20, 0.0, &mut vec![], &Monitor::default()).unwrap();
    assert_eq!(island.numbers, (0..20).collect::<Vec<u32>>());
    assert_eq!((progress.iterations, progress.residual), (20, 0.5f64.powi(20)));
}

#[test]
fn sweeps_end_where_one_changes_round_off_only() {
    for (round_off, most, expected) in [(1e-16, 1000, 54), (1e-16, 20, 20), (0.0, 20, 20), (1.0, 20, 1), (0.0, 0, 0)] {
        let mut island = Map::new(&[1.0], halving);
        let sweeps = sweep_to_round_off(&mut island, most, round_off, &Monitor::default()).unwrap();
        assert_eq!((sweeps, island.values[0]), (expected, 0.5f64.powi(expected as i32)));
    }
}

#[test]
fn a_start_that_is_good_enough_is_left_alone() {
    let mut island = Map::new(&[1e-6, -1e-7], halving);
    let progress = sweep_until(&mut island, 20, 1e-6, &mut vec![], &Monitor::default()).unwrap();
    assert_eq!((progress.iterations, progress.residual), (0, 1e-6));
    assert_eq!(island.values, [1e-6, -1e-7]);
}

#[test]
fn the_tolerance_ends_the_sweeps() {
    // 2^-10 is the first power of 1/2 below 1e-3, and the change of a sweep is the residual here
    let mut island = Map::new(&[1.0], halving);
    let progress = sweep_until(&mut island, 1000, 1e-3, &mut vec![], &Monitor::default()).unwrap();
    assert_eq!((progress.iterations, progress.residual), (10, 0.5f64.powi(10)));
}

#[test]
fn the_residual_is_checked_although_the_sweeps_never_rest() {
    // below the tolerance from the first sweep on, while every sweep says that it changed much: seen at the sixteenth
    let mut island = Map::new(&[1.0], |values: &mut [f64]| {
        values[0] = 1e-9;
        1.0
    });
    let progress = sweep_until(&mut island, 1000, 1e-3, &mut vec![], &Monitor::default()).unwrap();
    assert_eq!((progress.iterations, progress.residual), (16, 1e-9));
}

#[test]
fn sweeps_that_make_it_worse_are_undone() {
    for harm in [3.0, f64::INFINITY, f64::NAN] {
        let mut island = Map::new(&[1.0, -2.0], |values: &mut [f64]| {
            values.iter_mut().for_each(|value| *value *= harm);
            1.0
        });
        // what was kept from another island is too long
        let progress = sweep_until(&mut island, 7, 1e-3, &mut vec![0.0; 9], &Monitor::default()).unwrap();
        assert_eq!((progress.iterations, progress.residual), (7, 2.0));
        assert_eq!(island.values, [1.0, -2.0]);
    }
}

#[test]
fn a_column_converges_to_the_weights_above() {
    let (problem, mut work) = (column(5), SweepWorkspace::default());
    let mut island = Explicit::new(&problem, &mut work, NATURAL, &[0.0; 5]).unwrap();
    let progress = sweep_until(&mut island, 1000, 1e-13, &mut vec![], &Monitor::default()).unwrap();
    assert!(progress.residual <= 1e-13 && progress.iterations < 1000, "{progress:?}");
    let mut lambda = [0.0; 5];
    island.read(&mut lambda);
    for (i, lambda) in lambda.iter().enumerate() {
        // the inverse of W has entries up to 5, and a row sum up to 15: 15 residuals of 1e-13
        assert!((lambda - (5 - i) as f64).abs() <= 15e-13, "row {i}: {lambda}");
    }
}

#[test]
fn no_rows_are_solved() {
    let (problem, mut work) = (column(0), SweepWorkspace::default());
    let mut island = Explicit::new(&problem, &mut work, NATURAL, &[]).unwrap();
    let progress = sweep_until(&mut island, 10, 1e-9, &mut vec![], &Monitor::default()).unwrap();
    assert_eq!((progress.iterations, progress.residual), (0, 0.0));
}
