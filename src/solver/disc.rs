//! A symmetric 2x2 block in the axes that make it diagonal, and the exact solve of a part bounded by a disc.

use crate::math::Vec3;

/// A direction in which the bodies answer by less than this part of their whole answer is locked: an impulse along it
/// would move them sideways instead, by more than a thousand times as much [-].
pub(super) const LOCKED: f64 = 1e-6;
/// The block of a locked direction, in units of the whole: so stiff that no impulse comes of it [-].
pub(super) const STIFF: f64 = 1e12;

/// Orthonormal axes `e1 = (cosine, -sine)`, `e2 = (sine, cosine)` in the plane of two rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Axes {
    cosine: f64,
    sine: f64,
}

impl Axes {
    /// The axes in which `[[xx, xy], [xy, yy]]` is diagonal, and its diagonal: Jacobi's rotation, with square roots
    /// alone.
    pub(super) fn diagonal(xx: f64, xy: f64, yy: f64) -> (Self, [f64; 2]) {
        if xy == 0.0 {
            return (Self { cosine: 1.0, sine: 0.0 }, [xx, yy]);
        }
        let tau = (yy - xx) / (2.0 * xy);
        let tangent = 1f64.copysign(tau) / (tau.abs() + (1.0 + tau * tau).sqrt());
        let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
        (Self { cosine, sine: tangent * cosine }, [xx - tangent * xy, yy + tangent * xy])
    }

    /// The axes themselves, in the plane of the unit vectors `x` and `y`.
    pub(super) fn vectors(&self, x: &Vec3, y: &Vec3) -> [Vec3; 2] {
        [self.cosine * x - self.sine * y, self.sine * x + self.cosine * y]
    }

    /// Into the axes.
    #[inline(always)]
    pub(super) fn to(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [self.cosine * x - self.sine * y, self.sine * x + self.cosine * y]
    }

    /// Out of them.
    #[inline(always)]
    pub(super) fn from(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [self.cosine * x + self.sine * y, self.cosine * y - self.sine * x]
    }
}

/// Two rows whose impulse `r` is bounded by `|r| <= radius` and opposes their final velocity `D r + q`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Disc {
    axes: Axes,
    /// The diagonal of `D` in the axes, above zero.
    diagonal: [f64; 2],
}

impl Disc {
    /// Of `[[xx, xy], [xy, yy]]`; `None` where the rows answer to nothing.
    pub(super) fn new(xx: f64, xy: f64, yy: f64) -> Option<Self> {
        let whole = xx + yy;
        if !(whole > 0.0 && whole.is_finite()) {
            return None;
        }
        let (axes, values) = Axes::diagonal(xx, xy, yy);
        let diagonal = values.map(|value| if value > LOCKED * whole { value } else { STIFF * whole });
        Some(Self { axes, diagonal })
    }

    /// The impulse, where `w` is the velocity with the impulse `old`.
    pub(super) fn solve(&self, w: [f64; 2], old: [f64; 2], radius: f64) -> [f64; 2] {
        if radius <= 0.0 || radius.is_nan() {
            return [0.0; 2];
        }
        let (w, old) = (self.axes.to(w), self.axes.to(old));
        let [d1, d2] = self.diagonal;
        let q = [w[0] - d1 * old[0], w[1] - d2 * old[1]];
        let at = |a: f64| [-q[0] / (d1 + a), -q[1] / (d2 + a)];
        let mut r = at(0.0);
        let mut size = length(r);
        if size <= radius {
            return self.axes.from(r);
        }
        // |r(a)| falls, and 1 / |r(a)| is concave: Newton's method on it comes from the left and never overshoots.
        let mut a = 0.0;
        for _ in 0..60 {
            let fall = (r[0] * r[0] / (d1 + a) + r[1] * r[1] / (d2 + a)) / (size * size);
            let next = a + (size / radius - 1.0) / fall;
            if next - a <= 2.0 * f64::EPSILON * (a + d1.min(d2)) || next.is_nan() {
                break;
            }
            a = next;
            r = at(a);
            size = length(r);
        }
        self.axes.from(r.map(|along| along * (radius / size)))
    }
}

/// The nearest impulse in the disc.
pub(super) fn clamped(r: [f64; 2], radius: f64) -> [f64; 2] {
    let length = length(r);
    let scale = if length > radius { radius / length } else { 1.0 };
    r.map(|along| scale * along)
}

/// The square root alone, the same bits on every machine, which a library's `hypot` does not promise.
pub(super) fn length([x, y]: [f64; 2]) -> f64 {
    (x * x + y * y).sqrt()
}
