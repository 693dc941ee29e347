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
/// The integral over a branch shorter than this, over the radius, is taken at points of it. The difference of two integrals would lose more
/// digits than that is off.
const SHORT: f64 = 1e-3;
/// Gauss's five points on an interval from -1 to 1, with weights that sum to 1.
const GAUSS: [(f64, f64); 5] = [
    (-0.906_179_845_938_664, 0.118_463_442_528_094_54),
    (-0.538_469_310_105_683, 0.239_314_335_249_683_23),
    (0.0, 0.284_444_444_444_444_44),
    (0.538_469_310_105_683, 0.239_314_335_249_683_23),
    (0.906_179_845_938_664, 0.118_463_442_528_094_54),
];

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

    /// Returns the mean of the kernel over a branch, `Int_0^1 phi(|d - s l|) ds`, of a branch `l` that starts `d` away from the point where
    /// the field is: `to_point` is `d`, from the start of the branch to the point [1/m^3].
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
        if length < SHORT * self.radius {
            let part = |[from, to]: [f64; 2]| {
                let (middle, reach) = (0.5 * (from + to) - foot, 0.5 * (to - from));
                let at = |place: f64| self.at(offset + square((middle + place * reach) * length));
                (to - from) * GAUSS.iter().map(|(place, weight)| weight * at(*place)).sum::<f64>()
            };
            // The kernel may have a kink at the foot.
            let kink = foot.max(first).min(last);
            return part([first, kink]) + part([kink, last]);
        }
        let (from, to) = ((first - foot) * length, (last - foot) * length);
        match self.kind {
            KernelKind::Gaussian => self.gaussian_between(offset, [from, to]) / length,
            KernelKind::Lucy => self.lucy_between(offset, [from, to]) / length,
        }
    }

    /// The integral of the kernel over a line between two places on it, counted from its foot; `offset` is the square of the distance of the
    /// line from the centre. With `q^2 = offset` it is `e^(-q^2/2w^2) Int e^(-u^2/2w^2) du`.
    fn gaussian_between(&self, offset: f64, [from, to]: [f64; 2]) -> f64 {
        let scale = FRAC_1_SQRT_2 / self.width;
        let across = exp(-0.5 * offset / square(self.width));
        self.peak * across * (0.5 * PI).sqrt() * self.width * (erf(to * scale) - erf(from * scale))
    }

    /// The same of Lucy's kernel, which is `1 - 6 a^2 + 8 a^3 - 3 a^4` of its peak: with `a^2 = q^2 + u^2`, in units of the radius,
    ///
    /// ```text
    /// Int a^2 du = q^2 u + u^3/3        Int a^4 du = q^4 u + 2 q^2 u^3/3 + u^5/5
    /// Int a^3 du = u a (2 a^2 + 3 q^2)/8 + 3 q^4/8 asinh(u/q)
    /// ```
    fn lucy_between(&self, offset: f64, [from, to]: [f64; 2]) -> f64 {
        let (q2, from, to) = (offset / square(self.radius), from / self.radius, to / self.radius);
        let span = to - from;
        let (square_sum, product) = (from * from + to * to, from * to);
        let thirds = span * (square_sum + product) / 3.0;
        let fifths = span * (square_sum * square_sum + product * (square_sum - product)) / 5.0;
        let second = q2 * span + thirds;
        let fourth = q2 * q2 * span + 2.0 * q2 * thirds + fifths;
        let third = cube_integral(q2, to) - cube_integral(q2, from);
        self.peak * self.radius * (span - 6.0 * second + 8.0 * third - 3.0 * fourth)
    }
}

/// The integral of `(q^2 + u^2)^(3/2)` from 0 to `u`.
fn cube_integral(q2: f64, u: f64) -> f64 {
    let a2 = q2 + u * u;
    let powers = u * a2.sqrt() * (2.0 * a2 + 3.0 * q2) / 8.0;
    // The other term is below round-off where its factor is, and its argument no number where q is 0.
    let factor = 0.375 * q2 * q2;
    if factor < 1e-40 { powers } else { powers + factor * asinh(u / q2.sqrt()) }
}
