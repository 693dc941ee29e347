//! Kernels: how a point of mass, or a line of force, is spread over the space around it.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

use crate::error::{Result, in_range, positive};
use crate::math::Vec3;
use crate::math::elementary::{asinh, erf, exp, square};

/// The smallest and the largest width [m]: the cube of either, and one over it, is a normal number.
const WIDTHS: std::ops::RangeInclusive<f64> = 1e-50..=1e50;
/// The radius of a Gaussian over its width.
const GAUSSIAN_CUT: f64 = 3.0;
/// The radius of a Lucy kernel over its width.
const LUCY_CUT: f64 = 2.0;
/// The integral of a Gaussian over a branch shorter than this, over the radius, is the mean of three points. It is
/// exact to round-off there, where the difference of two error functions loses digits.
const SHORT: f64 = 1e-2;
/// Gauss's three points on an interval from -1 to 1, with weights that sum to 1.
const GAUSS: [(f64, f64); 3] =
    [(-0.774_596_669_241_483_4, 5.0 / 18.0), (0.0, 8.0 / 18.0), (0.774_596_669_241_483_4, 5.0 / 18.0)];

/// The form of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KernelKind {
    /// `e^(-r^2 / 2 w^2)`, cut at `3 w`.
    Gaussian,
    /// `(1 + 3 a)(1 - a)^3` with `a = r / 2 w`: a polynomial that goes to zero with two derivatives.
    Lucy,
}

/// A kernel of a width. It is not negative, is zero beyond its radius, and its integral over space is 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Kernel {
    kind: KernelKind,
    /// [m]
    width: f64,
    /// [m]
    radius: f64,
    /// The value at the centre [1/m^3].
    peak: f64,
}

impl Kernel {
    /// A kernel of this form and `width` [m].
    pub fn new(kind: KernelKind, width: f64) -> Result<Self> {
        positive("width", width)?;
        in_range("width", width, WIDTHS.contains(&width), "a length between 1e-50 and 1e50")?;
        let volume = width * width * width;
        let (cut, peak) = match kind {
            KernelKind::Gaussian => {
                // What of the whole Gaussian lies within the cut.
                let kept = erf(GAUSSIAN_CUT * FRAC_1_SQRT_2)
                    - GAUSSIAN_CUT * (2.0 / PI).sqrt() * exp(-0.5 * square(GAUSSIAN_CUT));
                (GAUSSIAN_CUT, 1.0 / (volume * (2.0 * PI * (2.0 * PI).sqrt()) * kept))
            }
            KernelKind::Lucy => (LUCY_CUT, 105.0 / (16.0 * PI * (volume * (LUCY_CUT * LUCY_CUT * LUCY_CUT)))),
        };
        Ok(Self { kind, width, radius: cut * width, peak })
    }

    /// Returns the width [m].
    pub fn width(&self) -> f64 {
        self.width
    }

    /// Returns the distance beyond which the kernel is zero [m].
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Returns the kernel at a distance whose square is given [1/m^3].
    #[inline]
    pub fn at(&self, distance_squared: f64) -> f64 {
        if distance_squared >= square(self.radius) {
            return 0.0;
        }
        match self.kind {
            KernelKind::Gaussian => self.peak * exp(-0.5 * distance_squared / square(self.width)),
            KernelKind::Lucy => {
                let a = distance_squared.sqrt() / self.radius;
                let rest = 1.0 - a;
                self.peak * (1.0 + 3.0 * a) * (rest * rest * rest)
            }
        }
    }

    /// Returns the mean of the kernel over a branch `l`, `Int_0^1 phi(|d - s l|) ds` [1/m^3]. `to_point` is `d`, from
    /// the start of the branch to the point at which the field is computed.
    pub fn along(&self, to_point: &Vec3, branch: &Vec3) -> f64 {
        let square_length = branch.norm_squared();
        if square_length == 0.0 {
            return self.at(to_point.norm_squared());
        }
        // The foot of the point on the line of the branch, and how far from it the line is inside of the kernel, in branches.
        let foot = to_point.dot(branch) / square_length;
        let offset = to_point.cross(branch).norm_squared() / square_length;
        let inside = square(self.radius) - offset;
        if inside <= 0.0 {
            return 0.0;
        }
        let half = (inside / square_length).sqrt();
        let (first, last) = ((foot - half).max(0.0), (foot + half).min(1.0));
        if first >= last {
            return 0.0;
        }
        let length = square_length.sqrt();
        let ends = [(first - foot) * length, (last - foot) * length];
        (last - first)
            * match self.kind {
                KernelKind::Gaussian if length < SHORT * self.radius => self.mean_of_points(offset, ends),
                KernelKind::Gaussian => self.gaussian_mean(offset, ends),
                KernelKind::Lucy => self.lucy_mean(offset, ends),
            }
    }

    /// Returns the mean of the kernel over a short part of a line. The part lies between two places on the line,
    /// counted from its foot. `offset` is the square of the distance of the line from the centre.
    fn mean_of_points(&self, offset: f64, [from, to]: [f64; 2]) -> f64 {
        let (middle, reach) = (0.5 * (from + to), 0.5 * (to - from));
        GAUSS.iter().map(|(at, weight)| weight * self.at(offset + square(middle + at * reach))).sum()
    }

    /// The same of a Gaussian and any part: with `q^2 = offset`, `e^(-q^2/2w^2) Int e^(-u^2/2w^2) du` over the length.
    fn gaussian_mean(&self, offset: f64, [from, to]: [f64; 2]) -> f64 {
        let scale = FRAC_1_SQRT_2 / self.width;
        let across = self.peak * exp(-0.5 * offset / square(self.width));
        across * (0.5 * PI.sqrt()) * (erf(to * scale) - erf(from * scale)) / ((to - from) * scale)
    }

    /// The same of Lucy's kernel, which is `1 - 6 a^2 + 8 a^3 - 3 a^4` of its peak, with `a^2 = q^2 + u^2` in units of the radius:
    ///
    /// ```text
    /// Int a^2 du = q^2 u + u^3/3        Int a^4 du = q^4 u + 2 q^2 u^3/3 + u^5/5
    /// Int a^3 du = u a^3/4 + 3 q^2/8 (u a + q^2 asinh(u/q))
    /// ```
    ///
    /// Each is a difference of two values over `span`, and is written so that nothing cancels where the part is short.
    fn lucy_mean(&self, offset: f64, [from, to]: [f64; 2]) -> f64 {
        let (q2, from, to) = (offset / square(self.radius), from / self.radius, to / self.radius);
        let (squares, product) = (from * from + to * to, from * to);
        let thirds = (squares + product) / 3.0;
        let fifths = (squares * squares + product * (squares - product)) / 5.0;
        let second = q2 + thirds;
        let fourth = q2 * q2 + 2.0 * q2 * thirds + fifths;
        self.peak * (1.0 - 6.0 * second + 8.0 * mean_cube(q2, [from, to]) - 3.0 * fourth)
    }
}

/// The mean of `a^3 = (q^2 + u^2)^(3/2)` between two `u`.
fn mean_cube(q2: f64, [from, to]: [f64; 2]) -> f64 {
    let (a, b) = ((q2 + from * from).sqrt(), (q2 + to * to).sqrt());
    let sum = a + b;
    if sum == 0.0 {
        return 0.0;
    }
    let (middle, slope) = (0.5 * (from + to), (from + to) / sum);
    // The differences of `u a^3` and `u a` over that of `u`: the mean of one factor times the difference of the other.
    let cubes = 0.5 * (a * a * a + b * b * b) + middle * slope * (a * a + a * b + b * b);
    let firsts = 0.5 * sum + middle * slope;
    0.25 * cubes + 0.375 * q2 * (firsts + q2 * mean_slope(q2, [from, to], [a, b]))
}

/// The difference of `asinh(u/q)` over that of `u`, at which `a` and `b` are `(q^2 + u^2)^(1/2)`: the mean of one over that.
fn mean_slope(q2: f64, [from, to]: [f64; 2], [a, b]: [f64; 2]) -> f64 {
    let span = to - from;
    // Below this its factor makes it nothing, and the quotients would be no numbers.
    if q2 < 1e-40 {
        return 0.0;
    }
    // The hyperbolic sine of the difference. Of places on one side of the foot the products almost cancel, so that they are expanded.
    let sine = if from * to > 0.0 { span * (from + to) / (to * a + from * b) } else { (to * a - from * b) / q2 };
    if span == 0.0 { 1.0 / a } else { asinh(sine) / span }
}
