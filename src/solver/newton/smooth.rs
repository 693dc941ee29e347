//! Smoothed laws: `F(x, y) = 0` has one smooth solution for each `t > 0`. As `t` vanishes, these lead to a solution of
//! the laws.
//!
//! A contact is written in units in which its cone is that of second order: `X = (mu x_n, x_t)` and
//! `Y = (y_n / mu + (1 - d) |y_t|, y_t)`. There `F = X - P(X - rho Y)`. `P` replaces both eigenvalues `a` of the
//! projected point by `(a + sqrt(a^2 + 4 t rho)) / 2`. Hence `X o Y = t` in the product of the cone's algebra (S.
//! Hayashi, N. Yamashita, M. Fukushima, SIAM J. Optim. 15, 2005). The length `|y_t|` is smoothed too. `F` is divided by
//! `sqrt(rho)`. This makes its square an energy even if masses differ.

use crate::math::elementary::square;
use crate::solver::newton::map::{Slope, Small};
use crate::solver::newton::scaled::Scaled;
use crate::solver::operator::reduced::{Block, Law};

/// The width over which `|y_t|` is smoothed, in units of `sqrt(t / rho)`. With 1, some of 40 walls of unequal masses
/// need three times as many steps.
const SLIP_WIDTH: f64 = 100.0;

/// A projected point and its derivative.
type Projected = ([f64; 3], [[f64; 3]; 3]);

/// Returns whether all laws have a smoothed form: contacts without resistance to turning, and rows with bounds of their
/// own.
pub(in crate::solver) fn applies(scaled: &Scaled) -> bool {
    scaled.problem.blocks.iter().all(|block| match block.law {
        Law::Contact { dimension, .. } => dimension == 3,
        Law::Bounded { of, .. } => of.is_none(),
    })
}

/// Returns a large `t`: the largest energy of a block at zero impulses.
pub(in crate::solver) fn first(scaled: &Scaled) -> f64 {
    let energy = |block: &Block| {
        let units = Units::new(scaled, block);
        let squares = block.rows().enumerate().map(|(at, row)| square(scaled.problem.q[row] / units.of_row(at)));
        units.rho * squares.sum::<f64>()
    };
    moving(scaled).map(energy).fold(0.0, f64::max)
}

/// Writes start impulses at `t`: normal impulses inside each cone.
pub(in crate::solver) fn start(scaled: &Scaled, t: f64, x: &mut [f64]) {
    for block in moving(scaled) {
        let units = Units::new(scaled, block);
        x[block.rows()].fill(0.0);
        match block.law {
            Law::Contact { .. } => x[block.first] = (t * units.rho).sqrt() / units.friction,
            Law::Bounded { lower, upper, .. } => x[block.first] = 0.0_f64.min(upper).max(lower),
        }
    }
}

fn moving(scaled: &Scaled) -> impl Iterator<Item = &Block> {
    scaled.problem.blocks.iter().filter(|block| !scaled.is_fixed(block))
}

/// The units of a block.
struct Units {
    /// `mu`; 1 without friction.
    friction: f64,
    has_friction: bool,
    /// The part of `|y_t|` in the shift: one minus the dilation of the friction law [-].
    shifted: f64,
    /// The step of the projection.
    rho: f64,
}

impl Units {
    fn new(scaled: &Scaled, block: &Block) -> Self {
        let rho = scaled.rho(block);
        match block.law {
            Law::Contact { cone, .. } if cone.friction > 0.0 => {
                let friction = cone.friction;
                Self {
                    friction,
                    has_friction: true,
                    shifted: 1.0 - cone.dilation,
                    rho: 3.0 * rho / (1.0 / square(friction) + 2.0),
                }
            }
            _ => Self { friction: 1.0, has_friction: false, shifted: 0.0, rho },
        }
    }

    /// Returns the factor on the impulse of a row. Its velocity is divided by the same factor.
    fn of_row(&self, at: usize) -> f64 {
        if at == 0 { self.friction } else { 1.0 }
    }
}

/// Computes `F` of a block at `t`, and writes it to `f`. `x`, `y` and `f` have all rows.
pub(in crate::solver) fn value(scaled: &Scaled, block: &Block, t: f64, x: &[f64], y: &[f64], f: &mut [f64]) {
    let rows = block.rows();
    if scaled.is_fixed(block) {
        return f[rows].fill(0.0);
    }
    let units = Units::new(scaled, block);
    let per_root = 1.0 / units.rho.sqrt();
    if let Law::Bounded { lower, upper, .. } = block.law {
        let row = block.first;
        f[row] = (x[row] - bounded(x[row] - units.rho * y[row], [lower, upper], t * units.rho).0) * per_root;
        return;
    }
    let at = Trial::new(&units, t, &x[rows.clone()], &y[rows.clone()]);
    let (onto, _) = at.projected(&units, t);
    for ((row, x), onto) in rows.zip(at.x).zip(onto) {
        f[row] = (x - onto) * per_root;
    }
}

/// Returns the derivative of `F`.
pub(in crate::solver) fn slope(scaled: &Scaled, block: &Block, t: f64, x: &[f64], y: &[f64]) -> Slope {
    let (mut by_x, mut by_y): (Small, Small) = ([[0.0; 6]; 6], [[0.0; 6]; 6]);
    let (units, rows) = (Units::new(scaled, block), block.rows());
    let (rho, per_root) = (units.rho, 1.0 / units.rho.sqrt());
    if scaled.is_fixed(block) {
        (0..rows.len()).for_each(|at| by_x[at][at] = 1.0);
    } else if let Law::Bounded { lower, upper, .. } = block.law {
        let row = block.first;
        let (_, by) = bounded(x[row] - rho * y[row], [lower, upper], t * rho);
        (by_x[0][0], by_y[0][0]) = ((1.0 - by) * per_root, rho * by * per_root);
    } else {
        let at = Trial::new(&units, t, &x[rows.clone()], &y[rows]);
        let (_, by) = at.projected(&units, t);
        for (row, by) in by.iter().enumerate() {
            for column in 0..3 {
                let unit = units.of_row(column);
                by_x[row][column] = (if row == column { 1.0 } else { 0.0 } - by[column]) * unit * per_root;
                let slip = if column > 0 { by[0] * at.slip[column - 1] } else { 0.0 };
                by_y[row][column] = rho * (by[column] + slip) / unit * per_root;
            }
        }
    }
    Slope { by_x, by_y, by_other: 0.0 }
}

/// A contact in the units of its cone.
struct Trial {
    x: [f64; 3],
    /// `X - rho Y`
    point: [f64; 3],
    /// The derivative of the smoothed `|y_t|`.
    slip: [f64; 2],
}

impl Trial {
    fn new(units: &Units, t: f64, x: &[f64], y: &[f64]) -> Self {
        let width = SLIP_WIDTH * (t / units.rho).sqrt();
        let length = (square(y[1]) + square(y[2]) + square(width)).sqrt();
        let (shift, slip) = if units.has_friction {
            let shifted = units.shifted;
            let slip = if length > 0.0 { [shifted * (y[1] / length), shifted * (y[2] / length)] } else { [0.0; 2] };
            (shifted * (length - width), slip)
        } else {
            (0.0, [0.0; 2])
        };
        let x = [units.friction * x[0], x[1], x[2]];
        let y = [y[0] / units.friction + shift, y[1], y[2]];
        Self { x, point: std::array::from_fn(|at| x[at] - units.rho * y[at]), slip }
    }

    /// Returns the point projected on the cone.
    fn projected(&self, units: &Units, t: f64) -> Projected {
        if units.has_friction {
            return onto_cone(&self.point, t * units.rho);
        }
        let (value, by) = positive(self.point[0], t * units.rho);
        ([value, 0.0, 0.0], [[by, 0.0, 0.0], [0.0; 3], [0.0; 3]])
    }
}

/// Returns the smoothed `max(a, 0)`, the positive root of `v (v - a) = s`, and its derivative.
fn positive(a: f64, s: f64) -> (f64, f64) {
    let root = (square(a) + 4.0 * s).sqrt();
    let value = if a >= 0.0 { 0.5 * (a + root) } else { 2.0 * s / (root - a) };
    (value, if root > 0.0 { value / root } else { 0.5 })
}

/// Returns the smoothed clamp to bounds, and its derivative.
fn bounded(a: f64, [lower, upper]: [f64; 2], s: f64) -> (f64, f64) {
    let (low, by_low) = if lower.is_finite() { positive(a - lower, s) } else { (a, 1.0) };
    let (high, by_high) = if upper.is_finite() { positive(a - upper, s) } else { (0.0, 0.0) };
    (if lower.is_finite() { lower } else { 0.0 } + low - high, by_low - by_high)
}

/// Returns the smoothed projection on `|(z_1, z_2)| <= z_0`.
fn onto_cone(z: &[f64; 3], s: f64) -> Projected {
    let length = (square(z[1]) + square(z[2])).sqrt();
    let e = if length > 0.0 { [z[1] / length, z[2] / length] } else { [1.0, 0.0] };
    let ((low, by_low), (high, by_high)) = (positive(z[0] - length, s), positive(z[0] + length, s));
    let (mean, half) = (0.5 * (low + high), 0.5 * (high - low));
    let (both, apart) = (0.5 * (by_low + by_high), 0.5 * (by_high - by_low));
    // The derivative for a rotation of the tangential part. On the axis it is that for a change of its length.
    let turn = if length > 1e-9 * (z[0].abs() + s.sqrt()) { half / length } else { both };
    let mut by = [[both, apart * e[0], apart * e[1]], [0.0; 3], [0.0; 3]];
    for i in 0..2 {
        by[1 + i][0] = apart * e[i];
        for j in 0..2 {
            by[1 + i][1 + j] = (both - turn) * e[i] * e[j] + if i == j { turn } else { 0.0 };
        }
    }
    ([mean, half * e[0], half * e[1]], by)
}
