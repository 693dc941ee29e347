//! The sweeps over the reduced problem, against solutions by hand.

use super::cases::{bounded, box_on_corners, column, dense, friction, one_contact};
use crate::solver::gauss_seidel::sweeps::Sweeps;
use crate::solver::operator::explicit::{Explicit, SweepWorkspace, Sweeping};
use crate::solver::operator::reduced::{Law, Reduced};
use crate::solver::problem::cone::Cone;
use crate::solver::problem::order::Order;
use nalgebra::{DMatrix, DVector};

/// The impulses after some sweeps from zero, and their residual.
fn swept(problem: &Reduced, order: Order, sweeps: u32) -> (Vec<f64>, f64) {
    let (mut work, mut lambda) = (SweepWorkspace::default(), vec![0.0; problem.size()]);
    let mut island = Explicit::new(problem, &mut work, Sweeping { order, relaxation: 1.0 }, &lambda).unwrap();
    (0..sweeps).for_each(|number| {
        island.sweep(number);
    });
    island.read(&mut lambda);
    (lambda, island.residual())
}

fn natural(problem: &Reduced, sweeps: u32) -> (Vec<f64>, f64) {
    swept(problem, Order::Natural, sweeps)
}

fn diagonal(values: &[f64]) -> DMatrix<f64> {
    DMatrix::from_diagonal(&DVector::from_row_slice(values))
}

#[test]
fn one_contact_is_open_sticks_or_slips() {
    // W = diag(2, 4, 4), mu = 1/2. Sticking: n = 2/2, t = -q_t/4.
    assert_eq!(natural(&one_contact([1.0, 5.0, 0.0], 0.5), 1), (vec![0.0; 3], 0.0));
    assert_eq!(natural(&one_contact([-2.0, 1.0, 0.0], 0.5), 1), (vec![1.0, -0.25, 0.0], 0.0));
    // t = -1 would stick, 1/2 is there
    assert_eq!(natural(&one_contact([-2.0, 4.0, 0.0], 0.5), 1), (vec![1.0, -0.5, 0.0], 0.0));
    assert_eq!(natural(&one_contact([-2.0, 4.0, 0.0], 0.0), 1), (vec![1.0, 0.0, 0.0], 0.0));
}

#[test]
fn one_contact_of_any_axes_is_solved_by_one_sweep() {
    let matrix = DMatrix::from_row_slice(3, 3, &[2.0, 0.3, 0.2, 0.3, 3.0, 0.5, 0.2, 0.5, 4.0]);
    for mu in [0.1, 0.7, 3.0] {
        let problem = dense(&matrix, &[-2.0, 5.0, -3.0], &[friction(mu)]);
        let (lambda, residual) = natural(&problem, 1);
        assert!(lambda[0] > 0.0);
        // q is 6 long, and the root is found to round-off
        assert!(residual <= 20.0 * f64::EPSILON * 6.0, "mu {mu}: {residual:e}");
    }
}

#[test]
fn a_box_on_four_corners_rests() {
    // 2 kg from 1 m/s down and 0.4 m/s along x: the sums are the momenta, however the corners share them
    let problem = box_on_corners(1.0, 0.4, 0.5);
    let (lambda, residual) = natural(&problem, 2000);
    assert!(residual <= 1e-14, "{residual:e}");
    let sum = |k: usize| lambda.iter().skip(k).step_by(3).sum::<f64>();
    assert!((sum(0) - 2.0).abs() <= 1e-13 && (sum(1) + 0.8).abs() <= 1e-13 && sum(2).abs() <= 1e-13);
    let mut w = vec![0.0; 12];
    problem.velocity(&lambda, &mut w);
    assert!(w.iter().all(|w| w.abs() <= 1e-13), "{w:?}");
}

#[test]
fn a_box_slides_with_what_friction_leaves() {
    // mu = 0.3 takes 0.3 of the 1 m/s from the 0.4 m/s, without tilting: the corners lie within 0.3 * 0.5 of the middle
    let (lambda, residual) = natural(&box_on_corners(1.0, 0.4, 0.3), 2000);
    assert!(residual <= 1e-14, "{residual:e}");
    assert!((lambda.iter().skip(1).step_by(3).sum::<f64>() + 0.6).abs() <= 1e-13);
}

/// A sphere of 2 kg and 0.5 m on a plane tilted by the angle whose tangent is `slope`, after 1 s of g = 1 m/s^2.
///
/// `u = (v_z, v_x - r w_y, v_y + r w_x, w_x, w_y, w_z)`.
fn sphere(slope: f64, cone: Cone, spin: f64) -> Reduced {
    let (m, r) = (2.0, 0.5);
    let inverse = 1.0 / (0.4 * m * r * r);
    let mut w = diagonal(&[1.0 / m, 1.0 / m, 1.0 / m, inverse, inverse, inverse]);
    w[(1, 1)] += r * r * inverse;
    w[(2, 2)] += r * r * inverse;
    (w[(1, 4)], w[(4, 1)], w[(2, 3)], w[(3, 2)]) = (-r * inverse, -r * inverse, r * inverse, r * inverse);
    let cosine = 1.0 / (1.0 + slope * slope).sqrt();
    let q = [-cosine, slope * cosine, 0.0, 0.0, 0.0, spin];
    dense(&w, &q, &[Law::Contact { cone, dimension: 6 }])
}

#[test]
fn rolling_friction_holds_a_sphere_up_to_its_bound() {
    // held while tan <= rolling / r = 0.4: n = m g cos, t = -m g sin, and the torque that friction makes is balanced
    let cone = Cone { friction: 0.8, rolling: 0.2, twisting: 0.0, dilation: 0.0 };
    let slope = 0.3;
    let (lambda, residual) = natural(&sphere(slope, cone, 0.0), 200);
    assert!(residual <= 1e-14, "{residual:e}");
    let weight = 2.0 / (1.0 + slope * slope).sqrt();
    let expected = [weight, -slope * weight, 0.0, 0.0, -0.5 * slope * weight, 0.0];
    for (k, (value, expected)) in lambda.iter().zip(expected).enumerate() {
        assert!((value - expected).abs() <= 1e-13, "row {k}: {value} for {expected}");
    }
}

#[test]
fn beyond_it_the_sphere_rolls() {
    // v = r w with m v = m g sin + t and I w = -r t - rolling n, I = 0.4 m r^2:
    // t = -(0.4 m g sin + (rolling / r) m g cos) / 1.4
    let cone = Cone { friction: 0.8, rolling: 0.2, twisting: 0.0, dilation: 0.0 };
    let slope = 0.5;
    let problem = sphere(slope, cone, 0.0);
    let (lambda, residual) = natural(&problem, 200);
    assert!(residual <= 1e-14, "{residual:e}");
    let weight = 2.0 / (1.0 + slope * slope).sqrt();
    assert!((lambda[1] + weight * (0.4 * slope + 0.4) / 1.4).abs() <= 1e-13, "{}", lambda[1]);
    assert!((lambda[4] + 0.2 * weight).abs() <= 1e-13, "{}", lambda[4]);
    let mut w = [0.0; 6];
    problem.velocity(&lambda, &mut w);
    assert!(w[1].abs() <= 1e-13 && w[4] > 0.1, "{w:?}");
}

#[test]
fn twisting_is_bounded_by_the_normal_impulse() {
    // I = 0.2 kg m^2: a spin of 1 rad/s takes 0.2 N m s; the weight is 2, so 0.05 of it gives 0.1 and halves the spin
    let twisting = |bound: f64| Cone { friction: 0.0, rolling: 0.0, twisting: bound, dilation: 0.0 };
    for (bound, expected) in [(0.05, -0.1), (0.3, -0.2)] {
        let (lambda, residual) = natural(&sphere(0.0, twisting(bound), 1.0), 1);
        assert!((lambda[5] - expected).abs() <= 4.0 * f64::EPSILON, "{}", lambda[5]);
        assert!(residual <= 1e-15, "{residual:e}");
    }
}

#[test]
fn five_rows_are_six_without_the_last() {
    let cone = Cone { friction: 0.8, rolling: 0.2, twisting: 0.0, dilation: 0.0 };
    let six = sphere(0.5, cone, 0.0);
    let matrix = DMatrix::from_fn(5, 5, |i, j| six.matrix.entry(i, j));
    let five = dense(&matrix, &six.q[..5], &[Law::Contact { cone, dimension: 5 }]);
    assert_eq!(natural(&five, 30).0[..], natural(&six, 30).0[..5]);
}

#[test]
fn bilateral_rows_are_solved_and_bounds_hold() {
    let matrix = DMatrix::from_row_slice(2, 2, &[2.0, 1.0, 1.0, 2.0]);
    let free = bounded(f64::NEG_INFINITY, f64::INFINITY);
    // 2 a + b = -1, a + 2 b = 1
    let (lambda, residual) = natural(&dense(&matrix, &[1.0, -1.0], &[free; 2]), 60);
    assert!((lambda[0] + 1.0).abs() <= 4e-16 && (lambda[1] - 1.0).abs() <= 4e-16 && residual <= 1e-15, "{lambda:?}");
    // a >= -1/4: then b = (1 + 1/4) / 2, and the first row keeps 1 - 1/2 + 5/8 > 0
    let (lambda, residual) = natural(&dense(&matrix, &[1.0, -1.0], &[bounded(-0.25, 4.0), free]), 2);
    assert_eq!((lambda, residual), (vec![-0.25, 0.625], 0.0));
}

#[test]
fn two_rows_of_box_friction_are_bounded_each() {
    let coupled = Law::Bounded { lower: -0.5, upper: 0.5, of: Some(0) };
    let matrix = diagonal(&[2.0, 4.0, 4.0]);
    // n = 1; the sticking impulses are -1 and 2: both at their bounds, outside the disc
    let problem = dense(&matrix, &[-2.0, 4.0, -8.0], &[bounded(0.0, f64::INFINITY), coupled, coupled]);
    assert_eq!(natural(&problem, 1), (vec![1.0, -0.5, 0.5], 0.0));
    // an infinite factor of nothing is nothing
    let endless = Law::Bounded { lower: f64::NEG_INFINITY, upper: f64::INFINITY, of: Some(0) };
    let problem = dense(&matrix, &[1.0, 4.0, -8.0], &[bounded(0.0, f64::INFINITY), endless, endless]);
    assert_eq!(natural(&problem, 1), (vec![0.0; 3], 0.0));
}

#[test]
fn from_the_solution_nothing_changes() {
    let problem = box_on_corners(1.0, 0.4, 0.5);
    let (solution, _) = natural(&problem, 3000);
    let mut work = SweepWorkspace::default();
    let sweeping = Sweeping { order: Order::Natural, relaxation: 1.0 };
    let mut island = Explicit::new(&problem, &mut work, sweeping, &solution).unwrap();
    let change = island.sweep(0);
    // the round-off of gathering twelve products of size 1
    assert!(change <= 12.0 * f64::EPSILON, "{change:e}");
    let mut after = vec![0.0; 12];
    island.read(&mut after);
    assert!(after.iter().zip(&solution).all(|(a, b)| (a - b).abs() <= 24.0 * f64::EPSILON));
}

#[test]
fn a_sweep_says_what_changed() {
    // W r = (2, -2, 0) of the slipping contact; of a row 3 N s at 4 m/s per N s and a length of 1
    for (problem, expected) in [
        (one_contact([-2.0, 4.0, 0.0], 0.5), 8f64.sqrt()),
        (dense(&diagonal(&[4.0]), &[-12.0], &[bounded(0.0, 9.0)]), 12.0),
    ] {
        let (mut work, lambda) = (SweepWorkspace::default(), vec![0.0; problem.size()]);
        let sweeping = Sweeping { order: Order::Natural, relaxation: 1.0 };
        let mut island = Explicit::new(&problem, &mut work, sweeping, &lambda).unwrap();
        assert_eq!(island.sweep(0), expected);
    }
}

#[test]
fn blocks_that_respond_to_nothing_stay_at_zero() {
    let free = bounded(f64::NEG_INFINITY, f64::INFINITY);
    let contact = friction(0.5);
    // nothing, a locked normal, a normal that answers the wrong way, a row without diagonal, a row the wrong way
    for (values, law) in [
        (vec![0.0; 3], contact),
        (vec![0.0, 4.0, 4.0], contact),
        (vec![-1.0, 4.0, 4.0], contact),
        (vec![0.0], free),
        (vec![-2.0], free),
    ] {
        let q: Vec<f64> = vec![-1.0; values.len()];
        let problem = dense(&diagonal(&values), &q, &[law]);
        let mut work = SweepWorkspace::default();
        let sweeping = Sweeping { order: Order::Natural, relaxation: 1.0 };
        // whatever it starts from
        let mut island = Explicit::new(&problem, &mut work, sweeping, &vec![1.0; values.len()]).unwrap();
        assert_eq!(island.sweep(0), 0.0);
        let mut lambda = vec![1.0; values.len()];
        island.read(&mut lambda);
        assert_eq!(lambda, vec![0.0; values.len()], "{values:?}");
    }
    // locked tangents carry nothing, the normal all
    let (lambda, _) = natural(&dense(&diagonal(&[2.0, 0.0, 0.0]), &[-2.0, 1.0, 0.0], &[contact]), 3);
    assert!(lambda[0] == 1.0 && lambda[1].abs() <= 1e-11 && lambda[2] == 0.0, "{lambda:?}");
}

#[test]
fn an_indefinite_problem_ends_in_numbers() {
    // each row pushes the other ten times as hard: the sweeps grow without bound, and stop before they overflow
    let free = bounded(f64::NEG_INFINITY, f64::INFINITY);
    let matrix = DMatrix::from_row_slice(2, 2, &[1.0, 10.0, 10.0, 1.0]);
    let (lambda, residual) = natural(&dense(&matrix, &[1.0, -1.0], &[free; 2]), 400);
    assert!(lambda.iter().all(|lambda| lambda.is_finite()), "{lambda:?}");
    assert!(residual > 1.0);
    let mut matrix = DMatrix::identity(6, 6);
    for k in 0..3 {
        (matrix[(k, k + 3)], matrix[(k + 3, k)]) = (-10.0, -10.0);
    }
    let (lambda, residual) = natural(&dense(&matrix, &[-1.0, 0.5, 0.0, -1.0, 0.5, 0.0], &[friction(0.5); 2]), 400);
    assert!(lambda.iter().all(|lambda| lambda.is_finite()), "{lambda:?}");
    assert!(residual > 1.0);
}

#[test]
fn the_order_of_the_visits_is_the_requested_one() {
    // 2 a + b = 1, a + 2 b = 1. First sweep: 1/2, 1/4. Then natural: 3/8, 5/16; backwards: b = 1/4 again, a = 3/8.
    let matrix = DMatrix::from_row_slice(2, 2, &[2.0, 1.0, 1.0, 2.0]);
    let problem = dense(&matrix, &[-1.0, -1.0], &[bounded(0.0, f64::INFINITY); 2]);
    for order in [Order::Natural, Order::Colored] {
        assert_eq!(swept(&problem, order, 2).0, [0.375, 0.3125]);
    }
    assert_eq!(swept(&problem, Order::Symmetric, 2).0, [0.375, 0.25]);
    // Redundant corners: the seed shows in the forces, not in the velocities.
    let problem = box_on_corners(1.0, 0.0, 0.0);
    let [(one, _), (same, _), (other, _)] = [3, 3, 4].map(|seed| swept(&problem, Order::Random(seed), 400));
    assert_eq!(one, same);
    assert!((one[0] - other[0]).abs() > 1e-3, "{} {}", one[0], other[0]);
    for lambda in [one, other] {
        let mut w = vec![0.0; 12];
        problem.velocity(&lambda, &mut w);
        assert!(w.iter().all(|w| w.abs() <= 1e-13), "{w:?}");
    }
}

#[test]
fn relaxation_scales_the_step() {
    let after = |problem: &Reduced, relaxation: f64| {
        let (mut work, mut lambda) = (SweepWorkspace::default(), vec![0.0; problem.size()]);
        let sweeping = Sweeping { order: Order::Natural, relaxation };
        let mut island = Explicit::new(problem, &mut work, sweeping, &lambda).unwrap();
        island.sweep(0);
        island.read(&mut lambda);
        lambda
    };
    let row = dense(&diagonal(&[2.0]), &[-1.0], &[bounded(0.0, 0.6)]);
    assert_eq!((after(&row, 0.5), after(&row, 1.5)), (vec![0.25], vec![0.6]));
    // half of (1, -1/2, 0); beyond it the impulse stays on the cone
    let contact = one_contact([-2.0, 4.0, 0.0], 0.5);
    assert_eq!(after(&contact, 0.5), [0.5, -0.25, 0.0]);
    assert_eq!(after(&contact, 1.5), [1.5, -0.75, 0.0]);
    // twisting of the sphere: half of the 0.2 that stops it, and 1.5 times that at the bound of half the normal impulse
    let sphere = sphere(0.0, Cone { friction: 0.0, rolling: 0.0, twisting: 0.08, dilation: 0.0 }, 1.0);
    assert!((after(&sphere, 0.5)[5] + 0.08).abs() <= 1e-16);
    assert!((after(&sphere, 1.5)[5] + 0.24).abs() <= 1e-15);
}

#[test]
fn impulses_are_taken_at_the_nearest_allowed() {
    let problem = one_contact([-2.0, 4.0, 0.0], 1.0);
    let mut work = SweepWorkspace::default();
    let sweeping = Sweeping { order: Order::Natural, relaxation: 1.0 };
    let mut island = Explicit::new(&problem, &mut work, sweeping, &[0.0; 3]).unwrap();
    let mut taken = [0.0; 3];
    // on the cone of 45 degrees the nearest of (1, 3, 0) is (2, 2, 0)
    for (given, expected) in [([1.0, 3.0, 0.0], [2.0, 2.0, 0.0]), ([-1.0, 0.5, 0.0], [0.0; 3])] {
        island.write(&given);
        island.read(&mut taken);
        assert_eq!(taken, expected);
    }
}

#[test]
fn a_column_is_solved_row_by_row() {
    // upwards nothing is known yet: the first sweep gives 1, 1/2, 1/4
    assert_eq!(natural(&column(3), 1).0, [1.0, 0.5, 0.25]);
}
