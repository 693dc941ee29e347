//! The shift of a sliding part: how much stiffer its rows would have to be for its impulse to stick at its bound.
//!
//! A part whose block is diagonal, `S`, slides with `r_i = q_i / (S_i + a)`, where the shift `a` is the final speed over
//! the impulse. In units in which both the free velocity and the impulse at the bound are one, its bound says
//!
//! ```text
//! A(a) = |(e_1 p_2, e_2 p_1)|,   p_i = s_i + a,   A = p_1 p_2 - g_1 p_2 - g_2 p_1
//! ```
//!
//! with the direction `e` of the free velocity, and `g` by which the impulse relieves its own bound (zero for a disc of
//! given radius). Lanes are independent of each other.

use crate::math::lanes::Lanes;

/// Most rounds. Two are enough for most contacts of boxes, and five for blocks of any kind.
const ROUNDS: usize = 60;
/// A step of this size, in units of the shifted block, is the last one: the next would be as its cube [-].
const LAST: f64 = 5e-6;

/// What the shift is the root for.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct Sliding<L> {
    /// The direction `e` of the free velocity, a unit vector.
    pub(in crate::solver) direction: [L; 2],
    /// The diagonal `s` of the block.
    pub(in crate::solver) block: [L; 2],
    /// What the impulse takes from its bound, `g`.
    pub(in crate::solver) relief: [L; 2],
    /// A shift at which the impulse is within its bound.
    pub(in crate::solver) high: L,
}

/// The part at one shift.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct Shifted<L> {
    /// `p_1 p_2`, by which the impulses here are too large.
    pub(in crate::solver) product: L,
    /// `A`: the bound.
    pub(in crate::solver) bound: L,
    /// The impulse.
    pub(in crate::solver) impulse: [L; 2],
    /// The square of its length.
    pub(in crate::solver) square: L,
    /// Its length.
    pub(in crate::solver) length: L,
}

impl<L: Lanes> Shifted<L> {
    /// One over the length of the impulse. Division and root at the same time.
    #[inline(always)]
    pub(in crate::solver) fn per_length(&self) -> L {
        self.length * (L::splat(1.0) / self.square)
    }
}

/// Squares of free velocities below this one are taken for it, so that one over them is a number [m^2/s^2].
const MIN_SQUARE: f64 = 1e-300;

/// The direction of a free velocity, and one over its length. Division and root at the same time.
#[inline(always)]
pub(in crate::solver) fn direction<L: Lanes>(q1: L, q2: L) -> (L, L, L) {
    let square = (q1 * q1 + q2 * q2).larger(L::splat(MIN_SQUARE));
    let per_size = square.root() * (L::splat(1.0) / square);
    (q1 * per_size, q2 * per_size, per_size)
}

impl<L: Lanes> Sliding<L> {
    /// The part at the shift `a`.
    #[inline(always)]
    pub(in crate::solver) fn at(&self, a: L) -> Shifted<L> {
        let (p1, p2) = (self.block[0] + a, self.block[1] + a);
        let impulse = [self.direction[0] * p2, self.direction[1] * p1];
        let product = p1 * p2;
        let square = impulse[0] * impulse[0] + impulse[1] * impulse[1];
        let bound = product - (self.relief[0] * p2 + self.relief[1] * p1);
        Shifted { product, bound, impulse, square, length: square.root() }
    }

    /// Returns the shift of the lanes that `active` names. Halley's method in a bracket finds where the bound over the
    /// impulse is one. This quotient is below one at zero, where the impulse is outside of its bound, and linear in the
    /// shift far away.
    #[inline(always)]
    pub(in crate::solver) fn shift(&self, mut active: L::Mask) -> L {
        let (zero, two, three) = (L::splat(0.0), L::splat(2.0), L::splat(3.0));
        let ([e1, e2], [s1, s2]) = (self.direction, self.block);
        let (squared_1, squared_2) = (e1 * e1, e2 * e2);
        let relief = self.relief[0] + self.relief[1];
        let smallest = s1.smaller(s2);
        let (mut low, mut high) = (zero, self.high);
        // exact where both rows answer alike
        let mut a = (L::splat(1.0) + relief - (squared_1 * s1 + squared_2 * s2)).larger(zero);
        for _ in 0..ROUNDS {
            let at = self.at(a);
            let (p1, p2) = (s1 + a, s2 + a);
            let (length, square, value) = (at.length, at.square, at.bound);
            let excess = value - length;
            // the derivatives of A and half of that of the square, then those of the quotient times powers of the square
            let slope = p1 + p2 - relief;
            let half = squared_1 * p2 + squared_2 * p1;
            let first = slope * square - value * half;
            let second = two * square * (square - slope * half) + value * (three * half * half - square);
            let pull = excess * square;
            let step = -(two * pull * first) / (two * first * first - excess * second);

            let below = L::above(zero, excess);
            low = L::select(below, a, low);
            high = L::select(below, high, a);
            let next = a + step;
            let inside = L::both(L::above(next, low), L::above(high, next));
            let searched = L::select(inside, next, L::splat(0.5) * (low + high));
            // By the step of Newton's method, which does not vanish at an extremum; or below round-off, where the sign of
            // the excess says nothing: a step back into the bracket would leave the root.
            let size = smallest + a;
            let enough =
                L::splat(LAST) * first.magnitude() * size + L::splat(f64::EPSILON) * square * (at.product + length);
            let far = L::above(pull.magnitude(), enough);
            let small = L::above(L::splat(2.0 * LAST) * size, step.magnitude());
            let ended = L::select(small, next, a);
            a = L::select(active, L::select(far, searched, ended), a);
            active = L::both(active, far);
            if !L::any(active) {
                break;
            }
        }
        a
    }
}
