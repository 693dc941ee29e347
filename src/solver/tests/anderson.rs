//! The accelerated loop: what it buys, what it never does.

use super::cases::{Map, box_on_corners, column};
use crate::solver::anderson::Anderson;
use crate::solver::gauss_seidel::sweeps::{Sweeps, sweep_until};
use crate::solver::monitor::Monitor;
use crate::solver::operator::explicit::{Explicit, SweepWorkspace, Sweeping};
use crate::solver::operator::reduced::Reduced;
use crate::solver::problem::order::Order;

fn solve(problem: &Reduced, order: Order, sweeps: u32, tolerance: f64) -> (Vec<f64>, u32, f64) {
    let (mut work, mut lambda) = (SweepWorkspace::default(), vec![0.0; problem.size()]);
    let mut island = Explicit::new(problem, &mut work, Sweeping { order, relaxation: 1.0 }, &lambda).unwrap();
    let progress = Anderson::default().solve(&mut island, sweeps, tolerance).unwrap();
    island.read(&mut lambda);
    (lambda, progress.iterations, progress.residual)
}

fn plain(problem: &Reduced, order: Order, sweeps: u32, tolerance: f64) -> u32 {
    let (mut work, lambda) = (SweepWorkspace::default(), vec![0.0; problem.size()]);
    let mut island = Explicit::new(problem, &mut work, Sweeping { order, relaxation: 1.0 }, &lambda).unwrap();
    sweep_until(&mut island, sweeps, tolerance, &mut vec![], &Monitor::default()).unwrap().iterations
}

/// Brings each value nearer to zero by its own factor.
fn shrinking(values: &mut [f64]) -> f64 {
    let before = values.to_vec();
    for (value, factor) in values.iter_mut().zip([0.99, 0.9, 0.5, -0.3]) {
        *value *= factor;
    }
    values.iter().zip(&before).fold(0.0, |largest, (a, b)| largest.max((a - b).abs()))
}

#[test]
fn a_linear_map_ends_after_as_many_differences_as_it_has_factors() {
    // Four factors: the combination of four differences annihilates them all. The first difference exists after two
    // sweeps, the fourth after five, and one sweep more shows what it came to; plain sweeps shrink by 0.99 each.
    let mut island = Map::new(&[1.0, 1.0, 1.0, 1.0], shrinking);
    let progress = Anderson::default().solve(&mut island, 8, 0.0).unwrap();
    assert_eq!(progress.iterations, 8);
    // the least squares lose what the factors' Vandermonde matrix has of condition, about 1e4
    assert!(progress.residual <= 1e-11, "{:e}", progress.residual);
}

#[test]
fn a_column_takes_far_fewer_sweeps_in_every_order() {
    let problem = column(20);
    for order in [Order::Natural, Order::Symmetric, Order::Random(5)] {
        let sweeps = plain(&problem, order, 10_000, 1e-9);
        let (lambda, accelerated, residual) = solve(&problem, order, 10_000, 1e-9);
        assert!(residual <= 1e-9);
        assert!(4 * accelerated < sweeps, "{order:?}: {accelerated} of {sweeps}");
        for (i, lambda) in lambda.iter().enumerate() {
            // a row sum of the inverse of W is at most 20 * 21 / 2
            assert!((lambda - (20 - i) as f64).abs() <= 210e-9, "{order:?}, row {i}: {lambda}");
        }
    }
}

#[test]
fn a_box_on_redundant_corners_comes_to_rest_sooner() {
    let problem = box_on_corners(1.0, 0.4, 0.5);
    let sweeps = plain(&problem, Order::Natural, 10_000, 1e-12);
    let (lambda, accelerated, residual) = solve(&problem, Order::Natural, 10_000, 1e-12);
    assert!(residual <= 1e-12 && 2 * accelerated <= sweeps, "{accelerated} of {sweeps}");
    // 2 kg stopped from 1 m/s and 0.4 m/s; four corners of 1e-12 over a scale above 1
    assert!((lambda.iter().step_by(3).sum::<f64>() - 2.0).abs() <= 1e-11);
    assert!((lambda.iter().skip(1).step_by(3).sum::<f64>() + 0.8).abs() <= 1e-11);
}

#[test]
fn whatever_the_number_of_sweeps_the_end_is_no_worse_than_the_start() {
    // slides at first, with the start off the solution by hand
    let problem = box_on_corners(1.0, 0.4, 0.45);
    let start: Vec<f64> = (0..12).map(|k| if k % 3 == 0 { 0.3 + 0.1 * k as f64 } else { -0.05 }).collect();
    for sweeps in 0..60 {
        let mut work = SweepWorkspace::default();
        let sweeping = Sweeping { order: Order::Natural, relaxation: 1.0 };
        let mut island = Explicit::new(&problem, &mut work, sweeping, &start).unwrap();
        let before = island.residual();
        let progress = Anderson::default().solve(&mut island, sweeps, 0.0).unwrap();
        assert_eq!(progress.iterations, sweeps);
        assert!(progress.residual <= before, "{sweeps} sweeps: {:e} after {before:e}", progress.residual);
        assert_eq!(progress.residual, island.residual());
    }
}

#[test]
fn sweeps_that_make_it_worse_are_undone() {
    for harm in [3.0, f64::INFINITY, f64::NAN] {
        for change in [1.0, f64::NAN] {
            let mut island = Map::new(&[1.0, -2.0], |values: &mut [f64]| {
                // away from zero by the same each time: unlike a factor, this has no fixed point to extrapolate to
                values.iter_mut().for_each(|value| *value += harm * value.signum());
                change
            });
            let progress = Anderson::default().solve(&mut island, 40, 1e-3).unwrap();
            assert_eq!((progress.iterations, progress.residual), (40, 2.0));
            assert_eq!(island.values, [1.0, -2.0]);
        }
    }
}

#[test]
fn a_diverging_extrapolation_is_reverted_and_the_sweeps_go_on() {
    // One value that shrinks by 0.99: the first extrapolation leads to 0, where the map throws it far away. Undone, the
    // sweeps before and after count, except for the lost ones: 0.99^20 = 0.818 if none of them were lost.
    let mut thrown = 0;
    let mut island = Map::new(&[1.0], |values: &mut [f64]| {
        if values[0] < 0.5 {
            thrown += 1;
            values[0] = 1e9;
            return 1e9;
        }
        values[0] *= 0.99;
        0.01 * values[0]
    });
    let progress = Anderson::default().solve(&mut island, 20, 0.0).unwrap();
    let end = island.values[0];
    drop(island);
    assert!(thrown > 0);
    assert!(progress.residual < 0.95 && end == progress.residual, "{progress:?}");
}

#[test]
fn a_good_start_is_left_alone() {
    let mut island = Map::new(&[1e-6, -1e-7, 0.0, 0.0], shrinking);
    let progress = Anderson::default().solve(&mut island, 20, 1e-6).unwrap();
    assert_eq!((progress.iterations, progress.residual), (0, 1e-6));
    assert_eq!(island.values, [1e-6, -1e-7, 0.0, 0.0]);
}

#[test]
fn a_solution_stays_one() {
    // nothing changes, so there are no differences to combine
    let mut island = Map::new(&[0.0; 4], shrinking);
    let progress = Anderson::default().solve(&mut island, 20, 0.0).unwrap();
    assert_eq!((progress.iterations, progress.residual), (20, 0.0));
    assert_eq!(island.values, [0.0; 4]);
}

#[test]
fn the_sweeps_keep_to_the_period_of_their_order() {
    for (period, expected) in [(1, vec![0, 1, 2, 3, 4]), (2, vec![0, 1, 2, 3, 4]), (0, vec![0; 5])] {
        let mut island = Map::new(&[1.0; 4], shrinking);
        island.period = period;
        let progress = Anderson::default().solve(&mut island, 5, 0.0).unwrap();
        assert_eq!(progress.iterations, 5);
        assert_eq!(island.numbers, expected, "period {period}");
    }
}

#[test]
fn a_workspace_used_before_gives_the_same_bits() {
    let (problem, mut work, mut anderson) =
        (box_on_corners(1.0, 0.4, 0.45), SweepWorkspace::default(), Anderson::default());
    let sweeping = Sweeping { order: Order::Natural, relaxation: 1.0 };
    let mut ends = vec![];
    for other in [20, 3, 40] {
        let other = column(other);
        let mut island = Explicit::new(&other, &mut work, sweeping, &vec![0.0; other.size()]).unwrap();
        anderson.solve(&mut island, 25, 0.0).unwrap();
        let mut island = Explicit::new(&problem, &mut work, sweeping, &[0.0; 12]).unwrap();
        anderson.solve(&mut island, 25, 0.0).unwrap();
        let mut lambda = [0.0; 12];
        island.read(&mut lambda);
        ends.push(lambda.map(f64::to_bits));
    }
    let (fresh, _, _) = solve(&problem, Order::Natural, 25, 0.0);
    for end in ends {
        assert_eq!(end.to_vec(), fresh.iter().map(|value| value.to_bits()).collect::<Vec<u64>>());
    }
}
