//! A symmetric 2x2 block in the axes that make it diagonal, and the exact solve of a part bounded by a disc.

use crate::math::Vec3;
use crate::math::lanes::{Lanes, Vec3s};
use crate::solver::gauss_seidel::shift::{Sliding, direction};
use crate::solver::gauss_seidel::small::larger_units;

/// A direction is locked if the bodies answer along it by less than this part of their whole answer [-]. An impulse
/// along it would move them sideways instead, by more than a thousand times as much.
pub(in crate::solver) const LOCKED: f64 = 1e-6;
/// The block of a locked direction, in units of the whole: so stiff that no impulse comes of it [-].
pub(in crate::solver) const STIFF: f64 = 1e12;

/// Orthonormal axes `e1 = (cosine, -sine)`, `e2 = (sine, cosine)` in the plane of two rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::solver) struct Axes<L = f64> {
    cosine: L,
    sine: L,
}

impl<L: Lanes> Axes<L> {
    /// The axes in which `[[xx, xy], [xy, yy]]` is diagonal, and its diagonal: Jacobi's rotation, with square roots
    /// alone.
    #[inline(always)]
    pub(in crate::solver) fn diagonal(xx: L, xy: L, yy: L) -> (Self, [L; 2]) {
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let tau = (yy - xx) / (L::splat(2.0) * xy);
        let tangent = one.signed_as(tau) / (tau.magnitude() + (one + tau * tau).root());
        // what is diagonal already stays as it is; its `tau` may be no number
        let tangent = L::select(L::above(xy.magnitude(), zero), tangent, zero);
        let cosine = one / (one + tangent * tangent).root();
        (Self { cosine, sine: tangent * cosine }, [xx - tangent * xy, yy + tangent * xy])
    }

    /// The first of the axes, in the plane of the unit vectors `x` and `y`.
    #[inline(always)]
    pub(in crate::solver) fn first(&self, x: Vec3s<L>, y: Vec3s<L>) -> Vec3s<L> {
        x * self.cosine - y * self.sine
    }

    /// Into the axes.
    #[inline(always)]
    pub(in crate::solver) fn to(&self, [x, y]: [L; 2]) -> [L; 2] {
        [self.cosine * x - self.sine * y, self.sine * x + self.cosine * y]
    }

    /// Out of them.
    #[inline(always)]
    pub(in crate::solver) fn from(&self, [x, y]: [L; 2]) -> [L; 2] {
        [self.cosine * x + self.sine * y, self.cosine * y - self.sine * x]
    }
}

/// Two rows whose impulse `r` is bounded by `|r| <= radius` and opposes their final velocity `D r + q`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::solver) struct Disc {
    axes: Axes,
    /// The diagonal of `D` in the axes, above zero.
    diagonal: [f64; 2],
}

impl Disc {
    /// Of `[[xx, xy], [xy, yy]]`; `None` where the rows answer to nothing.
    pub(in crate::solver) fn new(xx: f64, xy: f64, yy: f64) -> Option<Self> {
        let whole = xx + yy;
        if !(whole > 0.0 && whole.is_finite()) {
            return None;
        }
        let (axes, values) = Axes::diagonal(xx, xy, yy);
        let diagonal = values.map(|value| if value > LOCKED * whole { value } else { STIFF * whole });
        Some(Self { axes, diagonal })
    }

    /// The impulse, where `w` is the velocity with the impulse `old`.
    pub(in crate::solver) fn solve(&self, w: [f64; 2], old: [f64; 2], radius: f64) -> [f64; 2] {
        let [d1, d2] = self.diagonal;
        let rows = Rows { diagonal: self.diagonal, inverse: [1.0 / d1, 1.0 / d2] };
        self.axes.from(rows.solve(self.axes.to(w), self.axes.to(old), radius))
    }

    /// The first of its axes in the plane of the unit vectors `x` and `y`, and its diagonal in them.
    pub(in crate::solver) fn in_axes(&self, x: Vec3, y: Vec3) -> (Vec3, [f64; 2]) {
        (self.axes.first(x.into(), y.into()).into(), self.diagonal)
    }
}

/// The rows of a disc in its axes, in each lane one.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct Rows<L> {
    /// The diagonal of `D`.
    pub(in crate::solver) diagonal: [L; 2],
    /// Its inverse.
    pub(in crate::solver) inverse: [L; 2],
}

impl<L: Lanes> Rows<L> {
    /// The impulse, where `w` is the velocity with the impulse `old`; none where the radius is not above zero.
    #[inline(always)]
    pub(in crate::solver) fn solve(&self, w: [L; 2], old: [L; 2], radius: L) -> [L; 2] {
        let free = [old[0] - w[0] * self.inverse[0], old[1] - w[1] * self.inverse[1]];
        match larger_units(free[0] * free[0] + free[1] * free[1], radius) {
            None => self.within(free, radius),
            Some(units) => {
                let per_units = L::splat(1.0) / units;
                self.within(free.map(|free| free * units), radius * units).map(|impulse| impulse * per_units)
            }
        }
    }

    /// The impulse, where `free` is the one that leaves no velocity.
    #[inline(always)]
    fn within(&self, free: [L; 2], radius: L) -> [L; 2] {
        let zero = L::splat(0.0);
        let bounded = L::above(radius, zero);
        let outside = L::both(bounded, L::above(free[0] * free[0] + free[1] * free[1], radius * radius));
        let mut impulse = [L::select(bounded, free[0], zero), L::select(bounded, free[1], zero)];
        if L::any(outside) {
            let slid = self.slide(free, radius, outside);
            impulse = [L::select(outside, slid[0], impulse[0]), L::select(outside, slid[1], impulse[1])];
        }
        impulse
    }

    /// The impulse at the edge; `free` is the one that leaves no velocity.
    #[inline(always)]
    fn slide(&self, free: [L; 2], radius: L, outside: L::Mask) -> [L; 2] {
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let [d1, d2] = self.diagonal;
        let (e1, e2, per_size) = direction(d1 * free[0], d2 * free[1]);
        let per_shift = radius * per_size;
        let sliding =
            Sliding { direction: [e1, e2], block: [d1 * per_shift, d2 * per_shift], relief: [zero, zero], high: one };
        let at = sliding.at(sliding.shift(outside));
        let scale = radius * at.per_length();
        [scale * at.impulse[0], scale * at.impulse[1]]
    }
}

/// The nearest impulse in the disc.
#[inline(always)]
pub(in crate::solver) fn clamped<L: Lanes>(r: [L; 2], radius: L) -> [L; 2] {
    let mut square = r[0] * r[0] + r[1] * r[1];
    let mut radius = radius;
    if let Some(units) = larger_units(square, radius) {
        let [x, y] = [r[0] * units, r[1] * units];
        (square, radius) = (x * x + y * y, radius * units);
    }
    let length = square.root();
    let scale = L::select(L::above(length, radius), radius / length, L::splat(1.0));
    [scale * r[0], scale * r[1]]
}
