//! Smoothed laws: their solutions in closed form, derivatives against differences, and the laws themselves as `t` vanishes.

use crate::solver::newton::scaled::Scaled;
use crate::solver::newton::smooth::{applies, first, slope, start, value};
use crate::solver::operator::reduced::{Block, Law, Reduced};
use crate::solver::problem::cone::Cone;

/// One block, whose step of the projection is 0.8.
fn block(law: Law) -> Scaled {
    let block = Block { first: 0, law, scale: 1.25, length: 1.0 };
    let size = block.dimension();
    let problem = Reduced { blocks: vec![block], q: vec![-1.0; size], ..Reduced::default() };
    Scaled { problem, factors: vec![1.0; size] }
}

fn contact(friction: f64) -> Scaled {
    block(Law::Contact { cone: Cone::of_friction(friction), dimension: 3 })
}

fn row(lower: f64, upper: f64) -> Scaled {
    block(Law::Bounded { lower, upper, of: None })
}

fn error(scaled: &Scaled, t: f64, x: &[f64], y: &[f64]) -> Vec<f64> {
    let mut f = vec![1.0; x.len()];
    value(scaled, &scaled.problem.blocks[0], t, x, y, &mut f);
    f
}

fn all() -> [Scaled; 7] {
    let rows =
        [row(f64::NEG_INFINITY, f64::INFINITY), row(0.0, f64::INFINITY), row(f64::NEG_INFINITY, 0.3), row(-0.2, 0.5)];
    let [free, above, below, between] = rows;
    [contact(0.5), contact(3.0), contact(0.0), free, above, below, between]
}

/// Open, sticking and sliding contacts, on and off the axis.
fn points() -> impl Iterator<Item = ([f64; 3], [f64; 3])> {
    let wave = |seed: usize, at: usize| (1.7 * at as f64 + 0.37 * (seed * (at + 2)) as f64).sin();
    (0..100).map(move |seed| (std::array::from_fn(|at| wave(seed, at)), std::array::from_fn(|at| wave(seed, at + 9))))
}

#[test]
fn derivatives_are_those_of_differences() {
    let step = 1e-6;
    for scaled in all() {
        let block = &scaled.problem.blocks[0];
        for (x, y) in points() {
            let (x, y) = (&x[..block.dimension()], &y[..block.dimension()]);
            let slope = slope(&scaled, block, 0.01, x, y);
            for column in 0..x.len() {
                let at = |by_x: f64, by_y: f64| {
                    let (mut x, mut y) = (x.to_vec(), y.to_vec());
                    x[column] += by_x;
                    y[column] += by_y;
                    error(&scaled, 0.01, &x, &y)
                };
                for (by, ahead, behind) in
                    [(slope.by_x, at(step, 0.0), at(-step, 0.0)), (slope.by_y, at(0.0, step), at(0.0, -step))]
                {
                    for row in 0..x.len() {
                        let central = (ahead[row] - behind[row]) / (2.0 * step);
                        // step^2 times third derivatives of up to 1/t, and eps/step
                        assert!((central - by[row][column]).abs() <= 1e-8, "{block:?} {row} {column}");
                    }
                }
            }
        }
    }
}

#[test]
fn without_slip_impulse_times_velocity_is_t() {
    for friction in [0.5, 3.0, 0.0] {
        for t in [1.0, 1e-6, 1e-12] {
            let (x, y) = (2.0, t / 2.0);
            let f = error(&contact(friction), t, &[x, 0.0, 0.0], &[y, 0.0, 0.0]);
            // relative to x / sqrt(rho), a few operations
            assert!(f.iter().all(|f| f.abs() <= 1e-14), "{friction} {t}: {f:?}");
        }
    }
    // the law of one bound
    assert!(error(&row(1.0, f64::INFINITY), 0.5, &[3.0], &[0.25])[0].abs() <= 1e-14);
    assert!(error(&row(f64::NEG_INFINITY, 1.0), 0.5, &[-1.0], &[-0.25])[0].abs() <= 1e-14);
    assert_eq!(error(&row(f64::NEG_INFINITY, f64::INFINITY), 0.5, &[-1.0], &[0.0]), [0.0]);
}

#[test]
fn smoothed_equations_become_the_laws() {
    // open; sticking; sliding
    let solutions = [
        ([0.0, 0.0, 0.0], [1.0, 2.0, -1.0]),
        ([2.0, 0.3, 0.4], [0.0, 0.0, 0.0]),
        ([2.0, 0.6, -0.8], [0.0, -0.75, 1.0]),
    ];
    for (x, y) in solutions {
        for t in [1e-8, 1e-16, 1e-24] {
            // the smoothed slip is off by 100 sqrt(t), all else by sqrt(t)
            let f = error(&contact(0.5), t, &x, &y);
            assert!(f.iter().all(|f| f.abs() <= 200.0 * t.sqrt() + 1e-15), "{t}: {f:?}");
        }
    }
}

#[test]
fn a_start_is_inside_of_the_bounds() {
    for scaled in all() {
        let t = first(&scaled);
        assert!(t > 0.0);
        let mut x = vec![7.0; scaled.problem.size()];
        start(&scaled, t, &mut x);
        let mut brought = x.clone();
        scaled.problem.project(&mut brought);
        assert_eq!(brought, x);
    }
}

#[test]
fn turning_and_coupled_bounds_have_no_smoothed_form() {
    assert!(all().iter().all(applies));
    let cone = Cone { friction: 0.5, rolling: 0.1, twisting: 0.0, dilation: 0.0 };
    assert!(!applies(&block(Law::Contact { cone, dimension: 5 })));
    assert!(!applies(&block(Law::Bounded { lower: -1.0, upper: 1.0, of: Some(0) })));
}
