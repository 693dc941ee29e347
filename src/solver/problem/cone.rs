//! The set of impulses of a contact: a normal part, and up to three parts bounded by it.
//!
//! ```text
//! K = { lambda_n >= 0,  |lambda_t| <= mu lambda_n,  |lambda_r| <= rolling lambda_n,  |lambda_tw| <= twisting lambda_n }
//! ```
//!
//! The velocity `w` of a contact belongs to its impulse if `w + (1 - d) sum_k mu_k |w_k| n` lies in the dual cone and is orthogonal to the
//! impulse. The dilation `d` is 0 with Coulomb's law, where De Saxce's shift counts whole, and 1 with the associated law, which has none.
//!
//! The parts are vectors in whatever axes the caller has: friction and rolling in the tangent plane, twisting along the
//! normal. A part that is absent is zero.

use crate::math::elementary::square;
use crate::math::{Vec3, length_of};

/// The bounds of the three parts in units of the normal impulse.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cone {
    /// `mu` [-].
    pub friction: f64,
    /// [m]
    pub rolling: f64,
    /// [m]
    pub twisting: f64,
    /// What part of `sum_k mu_k |w_k|` the contact gains along its normal, see `Friction::dilation` [-].
    pub dilation: f64,
}

/// Relative to a bound [-].
pub(in crate::solver) const ROUND_OFF: f64 = 8.0 * f64::EPSILON;

/// Of an impulse this many times a velocity, in its unit, a difference with the velocity keeps four digits of that [-].
pub(in crate::solver) const HUGE: f64 = 1e12;

/// An impulse of a contact, or a velocity: its normal part, and those of friction, rolling and twisting.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parts {
    /// Along the normal.
    pub normal: f64,
    /// Friction, rolling, twisting.
    pub bounded: [Vec3; 3],
}

impl Parts {
    /// Every part times `factor`.
    #[inline]
    fn scaled(&self, factor: f64) -> Self {
        Self { normal: factor * self.normal, bounded: self.bounded.map(|part| factor * part) }
    }
}

impl Cone {
    /// Friction alone, with Coulomb's law.
    pub fn of_friction(friction: f64) -> Self {
        Self { friction, rolling: 0.0, twisting: 0.0, dilation: 0.0 }
    }

    /// Whether torques can be carried.
    pub fn resists_turning(&self) -> bool {
        self.rolling > 0.0 || self.twisting > 0.0
    }

    pub(in crate::solver) fn bounds(&self) -> [f64; 3] {
        [self.friction, self.rolling, self.twisting]
    }

    /// The part of `sum_k mu_k |w_k|` that De Saxce adds to the normal velocity: all of it with Coulomb's law.
    pub(in crate::solver) fn shift(&self, w: &Parts) -> f64 {
        (1.0 - self.dilation) * self.slip(w)
    }

    /// The other part, which the contact gains along its normal: all of it with the associated law.
    pub(in crate::solver) fn lift(&self, w: &Parts) -> f64 {
        self.dilation * self.slip(w)
    }

    /// `sum_k mu_k |w_k|`.
    fn slip(&self, w: &Parts) -> f64 {
        self.bounds().iter().zip(&w.bounded).map(|(mu, part)| mu * length_of(part)).sum()
    }

    /// The cone in units in which the last two parts are forces at the distance `length`.
    fn at_length(&self, length: f64) -> Self {
        Self { rolling: self.rolling / length, twisting: self.twisting / length, ..*self }
    }

    /// The Euclidean projection on the cone: the normal part, and the factor by which each bounded part of the given
    /// length shrinks.
    ///
    /// The normal part is the root of `n - normal - sum_k mu_k max(length_k - mu_k n, 0)`, which rises with `n` and is
    /// linear between the places `length_k / mu_k`.
    pub fn project(&self, normal: f64, lengths: [f64; 3]) -> (f64, [f64; 3]) {
        if !self.resists_turning() {
            return self.project_friction(normal, lengths[0]);
        }
        let bounds = self.bounds();
        let pull: f64 = bounds.iter().zip(&lengths).map(|(mu, length)| mu * length).sum();
        // The polar cone first: without friction a negative normal without a tangential part would pass for inside.
        if pull <= -normal {
            return (0.0, [0.0; 3]);
        }
        // Parts leave their bounds in the order of these places; up to four rounds find which are at their bounds.
        let mut outside: [bool; 3] = std::array::from_fn(|k| lengths[k] > bounds[k] * normal);
        let mut onto = normal;
        for _ in 0..4 {
            let (mut sum, mut weight) = (normal, 1.0);
            for k in (0..3).filter(|k| outside[*k]) {
                sum += bounds[k] * lengths[k];
                weight += bounds[k] * bounds[k];
            }
            onto = sum / weight;
            // With a steep bound a part ends on it to round-off: it stays at its bound.
            let next = std::array::from_fn(|k| outside[k] && lengths[k] >= (1.0 - ROUND_OFF) * bounds[k] * onto);
            if next == outside {
                break;
            }
            outside = next;
        }
        let onto = onto.max(0.0);
        let shrinks = |k: usize| outside[k] && lengths[k] > 0.0;
        (onto, std::array::from_fn(|k| if shrinks(k) { (bounds[k] * onto / lengths[k]).min(1.0) } else { 1.0 }))
    }

    /// The same without rolling and twisting.
    #[inline]
    fn project_friction(&self, normal: f64, length: f64) -> (f64, [f64; 3]) {
        let mu = self.friction;
        if mu * length <= -normal {
            return (0.0, [0.0; 3]);
        }
        if length <= mu * normal {
            return (normal, [1.0, 0.0, 0.0]);
        }
        let onto = (normal + mu * length) / (1.0 + mu * mu);
        (onto, [mu * onto / length, 0.0, 0.0])
    }

    /// [`Cone::project`] of parts.
    pub fn projected(&self, parts: &Parts) -> Parts {
        let (normal, factors) = self.project(parts.normal, parts.bounded.map(|part| length_of(&part)));
        Parts { normal, bounded: std::array::from_fn(|k| factors[k] * parts.bounded[k]) }
    }

    /// [`Cone::projected`] in the metric in which torques count as forces at the distance `length` [m].
    pub fn projected_at(&self, parts: &Parts, length: f64) -> Parts {
        let units = [1.0, length, length];
        let scaled = |k: usize| parts.bounded[k] / units[k];
        let onto =
            self.at_length(length).projected(&Parts { normal: parts.normal, bounded: std::array::from_fn(scaled) });
        Parts { normal: onto.normal, bounded: std::array::from_fn(|k| units[k] * onto.bounded[k]) }
    }

    /// `|s lambda - proj_K(s lambda - w - (1 - d) sum_k mu_k |w_k| n)|` with the scale `s = 1 / rho` [1/kg], zero exactly where
    /// the laws of the normal part, of friction, rolling and twisting hold [m/s]. Torques count as forces at the distance `length`
    /// [m].
    ///
    /// A cone is the same in all units: this is `|lambda - proj_K(lambda - rho (w + ...))| / rho` without its divisions.
    ///
    /// A contact that closes while it slides is off that map by `|w_n| / sqrt(1 + sum_k mu_k^2)` alone. Where the root
    /// is above `sqrt 2`, the residual is therefore at least that of Signorini's law, `|min(s lambda_n, w_n)|`. With
    /// the associated law a contact that slides opens, and the map alone is the residual. The impulse can be so large
    /// that the map loses the velocity in round-off. The residual is then at least Signorini's over that root, with
    /// what the law lifts taken off `w_n`.
    pub fn residual(&self, lambda: &Parts, w: &Parts, scale: f64, length: f64) -> f64 {
        let lambda = lambda.scaled(scale);
        if !self.resists_turning() {
            return self.friction_residual(&lambda, w);
        }
        let cone = self.at_length(length);
        let units = [1.0, length, length];
        let w: Parts = Parts { normal: w.normal, bounded: std::array::from_fn(|k| units[k] * w.bounded[k]) };
        let lambda = Parts { normal: lambda.normal, bounded: std::array::from_fn(|k| lambda.bounded[k] / units[k]) };
        let trial = Parts {
            normal: lambda.normal - (w.normal + cone.shift(&w)),
            bounded: std::array::from_fn(|k| lambda.bounded[k] - w.bounded[k]),
        };
        let onto = cone.projected(&trial);
        let error = square(lambda.normal - onto.normal)
            + (0..3).map(|k| (lambda.bounded[k] - onto.bounded[k]).norm_squared()).sum::<f64>();
        cone.with_signorini(error.sqrt(), lambda.normal, &w)
    }

    /// A residual, and where the cone is steep or the impulse huge at least that of Signorini's law; what is no number stays none.
    #[inline]
    fn with_signorini(&self, residual: f64, lambda_n: f64, w: &Parts) -> f64 {
        let [friction, rolling, twisting] = self.bounds();
        let squares = friction * friction + rolling * rolling + twisting * twisting;
        let signorini = |w_n: f64| if w_n < lambda_n { w_n } else { lambda_n }.abs();
        let lifted = w.normal - self.lift(w);
        let of_steep = if squares > 1.0 { (1.0 - self.dilation) * signorini(w.normal) } else { 0.0 };
        let is_huge = lambda_n > HUGE * lifted.abs();
        let of_huge = if is_huge { signorini(lifted) / (1.0 + squares).sqrt() } else { 0.0 };
        let lower_bound = if of_huge > of_steep { of_huge } else { of_steep };
        if lower_bound > residual { lower_bound } else { residual }
    }
}

impl Cone {
    /// [`Cone::residual`] without rolling and twisting, which is what most contacts have, of impulses times the scale.
    #[inline]
    fn friction_residual(&self, lambda: &Parts, w: &Parts) -> f64 {
        let (lambda_t, w_t) = (&lambda.bounded[0], &w.bounded[0]);
        let normal = lambda.normal - (w.normal + (1.0 - self.dilation) * (self.friction * length_of(w_t)));
        let tangential = lambda_t - w_t;
        let (onto, [factor, ..]) = self.project_friction(normal, length_of(&tangential));
        let error = square(lambda.normal - onto) + (lambda_t - factor * tangential).norm_squared();
        self.with_signorini(error.sqrt(), lambda.normal, w)
    }
}

/// `lambda - clamp(lambda - step, lower, upper)`, without the difference in which a large impulse would swallow the step; no
/// number where either is none.
pub fn clamped_step(lambda: f64, step: f64, lower: f64, upper: f64) -> f64 {
    let trial = lambda - step;
    if trial.is_nan() { trial } else { step.max(lambda - upper).min(lambda - lower) }
}
