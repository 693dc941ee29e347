//! The laws as equations: zeros where the laws hold, and derivatives against differences.

use crate::solver::newton::map::{Form, Proximal, slope, value};
use crate::solver::newton::scaled::Scaled;
use crate::solver::operator::reduced::{Block, Law, Reduced};
use crate::solver::problem::cone::Cone;

const FORMS: [Form; 2] = [Form::Natural, Form::AlartCurnier];
const CONE: Cone = Cone { friction: 0.5, rolling: 0.3, twisting: 0.2, dilation: 0.0 };

/// One contact, whose step of the projection is 0.8.
fn contact(dimension: usize) -> Scaled {
    let law = Law::Contact { cone: CONE, dimension };
    let blocks = vec![Block { first: 0, law, scale: 1.25, length: 1.0 }];
    Scaled { problem: Reduced { blocks, ..Reduced::default() }, factors: vec![1.0; dimension] }
}

fn proximal(form: Form, rho: f64) -> Proximal {
    Proximal { alpha: 0.0, form, rho }
}

/// Points from all regions: open, sticking, sliding, and some parts at their bounds while others are not.
fn points() -> Vec<([f64; 6], [f64; 6])> {
    let waves = |seed: usize, from: usize| {
        std::array::from_fn(|row| (1.7 * (row + from) as f64 + 0.37 * (seed * (row + 2)) as f64).sin())
    };
    (0..200)
        .map(|seed| {
            let mut x: [f64; 6] = waves(seed, 0);
            x[0] += 1.0;
            (x, waves(seed, 9))
        })
        .collect()
}

#[test]
fn derivatives_are_those_of_differences() {
    let step = 1e-6;
    let mut seen = 0;
    for (x, y) in points() {
        for (form, dimension) in FORMS.into_iter().flat_map(|form| [3, 5, 6].map(|dimension| (form, dimension))) {
            let scaled = contact(dimension);
            let (block, now) = (&scaled.problem.blocks[0], proximal(form, 1.3));
            let (x, y) = (&x[..dimension], &y[..dimension]);
            let at = |by_x: f64, by_y: f64, column: usize| {
                let (mut x, mut y, mut f) = (x.to_vec(), y.to_vec(), vec![0.0; dimension]);
                x[column] += by_x;
                y[column] += by_y;
                value(&scaled, block, now, &x, &y, &mut f);
                f
            };
            let slope = slope(&scaled, block, now, x, y);
            for column in 0..dimension {
                let (here, after) = (at(0.0, 0.0, column), [at(step, 0.0, column), at(0.0, step, column)]);
                let before = [at(-step, 0.0, column), at(0.0, -step, column)];
                for (way, by) in [slope.by_x, slope.by_y].into_iter().enumerate() {
                    for row in 0..dimension {
                        let forward = (after[way][row] - here[row]) / step;
                        let backward = (here[row] - before[way][row]) / step;
                        // Second differences are of the size of the step away from a kink, and first ones at it.
                        if (forward - backward).abs() > 1e-3 {
                            continue;
                        }
                        seen += 1;
                        // central: error of step^2 times third derivatives, which grow as 1/|z|^2 near the axis,
                        // and eps/step = 2e-10
                        let central = 0.5 * (forward + backward);
                        assert!((central - by[row][column]).abs() <= 1e-6, "{form:?} {dimension} {row} {column}");
                    }
                }
            }
        }
    }
    // 2 ways, 2 forms, 9 + 25 + 36 entries, 200 points, all but those across a kink
    assert!(seen > 55_000, "{seen}");
}

#[test]
fn zeros_are_the_solutions_of_the_laws() {
    // sliding in all three parts: velocities against the impulses, the normal one zero
    let x = [2.0, 0.6, -0.8, 0.36, 0.48, -0.4];
    let y = [0.0, -1.5, 2.0, -0.3, -0.4, 7.0];
    let scaled = contact(6);
    let block = &scaled.problem.blocks[0];
    for form in FORMS {
        let now = proximal(form, 1.3);
        let mut f = [1.0; 6];
        value(&scaled, block, now, &x, &y, &mut f);
        // a dozen operations on numbers up to 10
        assert!(f.iter().all(|error| error.abs() <= 1e-14), "{form:?} {f:?}");
        // with a velocity along the impulse instead it is none
        let mut f = [0.0; 6];
        value(&scaled, block, now, &x, &y.map(|y| -y), &mut f);
        assert!(f[1].abs() > 0.1, "{form:?} {f:?}");
    }
}

#[test]
fn a_coupled_row_follows_its_factor() {
    let [free, coupled] =
        [(f64::INFINITY, None), (0.5, Some(0))].map(|(upper, of)| Law::Bounded { lower: -upper, upper, of });
    let blocks = [free, coupled].into_iter().enumerate();
    let blocks = blocks.map(|(first, law)| Block { first, law, scale: 1.0, length: 1.0 }).collect();
    let scaled = Scaled { problem: Reduced { blocks, ..Reduced::default() }, factors: vec![1.0; 2] };
    let (row, now) = (&scaled.problem.blocks[1], proximal(Form::Natural, 1.0));
    let mut f = [0.0; 2];
    // bound 0.5 * 2, the trial 3 - 1 beyond it
    value(&scaled, row, now, &[-2.0, 3.0], &[0.0, 1.0], &mut f);
    assert_eq!(f[1], 2.0);
    let slope = slope(&scaled, row, now, &[-2.0, 3.0], &[0.0, 1.0]);
    // d(3 - 0.5 |x_0|)/dx_0 at x_0 = -2
    assert_eq!((slope.by_x[0][0], slope.by_y[0][0], slope.by_other), (1.0, 0.0, 0.5));
}
