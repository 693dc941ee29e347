//! One contact solved exactly: Signorini and Coulomb with the isotropic cone.
//!
//! The three steps of [U]: open? else sticking? else sliding *against the final sliding velocity*. In axes that
//! diagonalise the tangential block, sliding is one scalar root (`shift`). Pure functions of numbers.

use crate::math::lanes::Lanes;
use crate::solver::gauss_seidel::shift::{Sliding, direction};
use crate::solver::gauss_seidel::small::larger_units;

/// The block `D` of one contact in the axes `(n, t1, t2)` in which `S = D_TT - D_TN D_NT / D_NN` is diagonal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Block<L = f64> {
    /// `D_NN`, above zero.
    pub normal: L,
    /// `D_NT`.
    pub coupling: [L; 2],
    /// The diagonal of `S`, above zero.
    pub tangential: [L; 2],
}

/// Which of the three ways a contact took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// It separates: no impulse.
    Open,
    /// It sticks: no relative velocity.
    Stick,
    /// It slides: the impulse is on the cone.
    Slip,
}

impl Block {
    /// `D r`.
    pub fn times(&self, r: &[f64; 3]) -> [f64; 3] {
        let [n, t1, t2] = *r;
        let [c1, c2] = self.coupling;
        // D_TT = S + D_TN D_NT / D_NN, so the tangential part sees the coupling through one common factor.
        let carried = n + (c1 * t1 + c2 * t2) / self.normal;
        [self.normal * carried, c1 * carried + self.tangential[0] * t1, c2 * carried + self.tangential[1] * t2]
    }

    /// The impulse `r` with `w = D r + q` that obeys Signorini's law and Coulomb's, and its mode.
    pub fn solve(&self, q: &[f64; 3], mu: f64) -> ([f64; 3], Mode) {
        let solved = self.prepared().solve(*q, [0.0; 3], mu);
        let mode = match (solved.closes, solved.sticks && mu != 0.0) {
            (false, _) if q[0] >= 0.0 => Mode::Open,
            (_, true) => Mode::Stick,
            _ => Mode::Slip,
        };
        (solved.impulse, mode)
    }
}

impl<L: Lanes> Block<L> {
    /// Adds the quotients that the solve needs. A block with `D_NN = 0` takes no impulse.
    #[inline(always)]
    pub(in crate::solver) fn prepared(&self) -> Local<L> {
        let per_normal = inverse(self.normal);
        let ([c1, c2], [s1, s2]) = (self.coupling, self.tangential);
        Local {
            inverse: per_normal,
            carried: [c1 * per_normal, c2 * per_normal],
            tangential: [s1, s2],
            tangential_inverse: [inverse(s1), inverse(s2)],
        }
    }
}

/// One over what is above zero, else nothing.
#[inline(always)]
pub(in crate::solver) fn inverse<L: Lanes>(value: L) -> L {
    let zero = L::splat(0.0);
    L::select(L::above(value, zero), L::splat(1.0) / value, zero)
}

/// A block prepared for solves, in each lane one.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct Local<L> {
    /// `1 / D_NN`; 0 where no impulse is to be given.
    pub(in crate::solver) inverse: L,
    /// `D_NT / D_NN`: the part of friction that acts along the normal.
    pub(in crate::solver) carried: [L; 2],
    /// The diagonal of `S`.
    pub(in crate::solver) tangential: [L; 2],
    /// Its inverse.
    pub(in crate::solver) tangential_inverse: [L; 2],
}

/// The impulse that would leave no relative velocity.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sticking<L> {
    /// The normal impulse without friction.
    pub(super) alone: L,
    /// The normal impulse with it.
    pub(super) normal: L,
    pub(super) tangential: [L; 2],
}

impl<L: Lanes> Sticking<L> {
    /// The square of the friction.
    #[inline(always)]
    pub(super) fn square(&self) -> L {
        let [t1, t2] = self.tangential;
        t1 * t1 + t2 * t2
    }
}

/// What comes of a solve.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct Solved<L: Lanes> {
    /// Along `n`, `t1`, `t2`.
    pub(in crate::solver) impulse: [L; 3],
    /// Where the bodies would close without it.
    pub(in crate::solver) closes: L::Mask,
    /// Where it leaves no relative velocity.
    pub(in crate::solver) sticks: L::Mask,
}

impl<L: Lanes> Local<L> {
    /// The impulse that obeys both laws, where `w` is the velocity with the impulse `old`. What is no number stays none.
    #[inline(always)]
    pub(in crate::solver) fn solve(&self, w: [L; 3], old: [L; 3], mu: L) -> Solved<L> {
        let sticking = self.sticking(w, old);
        let Some(units) = larger_units(sticking.square(), mu * sticking.normal) else {
            return self.within_bound(&sticking, mu);
        };
        let sticking = self.sticking(w.map(|w| w * units), old.map(|old| old * units));
        let Solved { impulse, closes, sticks } = self.within_bound(&sticking, mu);
        let per_units = L::splat(1.0) / units;
        Solved { impulse: impulse.map(|impulse| impulse * per_units), closes, sticks }
    }

    /// The impulse that would leave no relative velocity.
    #[inline(always)]
    pub(super) fn sticking(&self, w: [L; 3], old: [L; 3]) -> Sticking<L> {
        let ([k1, k2], [i1, i2]) = (self.carried, self.tangential_inverse);
        let alone = old[0] + (k1 * old[1] + k2 * old[2]) - w[0] * self.inverse;
        // the tangential velocity that is left when the normal impulse acts alone is undone
        let t1 = old[1] - (w[1] - k1 * w[0]) * i1;
        let t2 = old[2] - (w[2] - k2 * w[0]) * i2;
        Sticking { alone, normal: alone - (k1 * t1 + k2 * t2), tangential: [t1, t2] }
    }

    /// The impulse that obeys both laws.
    #[inline(always)]
    fn within_bound(&self, sticking: &Sticking<L>, mu: L) -> Solved<L> {
        let zero = L::splat(0.0);
        let Sticking { alone, normal, tangential: [t1, t2] } = *sticking;
        let bound = mu * normal;
        let closes = L::above(alone, zero);
        let pressed = L::both(closes, L::above(normal, zero));
        let sticks = L::without(pressed, L::above(sticking.square(), bound * bound));
        let slides = L::both(L::without(closes, sticks), L::above(mu, zero));

        let mut impulse =
            [L::select(sticks, normal, zero.larger(alone)), L::select(sticks, t1, zero), L::select(sticks, t2, zero)];
        if L::any(slides) {
            let slid = self.slide([t1, t2], alone, mu, slides);
            impulse = [
                L::select(slides, slid[0], impulse[0]),
                L::select(slides, slid[1], impulse[1]),
                L::select(slides, slid[2], impulse[2]),
            ];
        }
        Solved { impulse, closes, sticks }
    }

    /// Returns the sliding impulse, on the cone to round-off.
    ///
    /// `sticking` is the tangential impulse that would stick, `alone` the normal impulse without friction.
    #[inline(always)]
    fn slide(&self, sticking: [L; 2], alone: L, mu: L, slides: L::Mask) -> [L; 3] {
        let ([s1, s2], [k1, k2]) = (self.tangential, self.carried);
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let (e1, e2, per_size) = direction(s1 * sticking[0], s2 * sticking[1]);
        let bound = mu * alone;
        let per_shift = bound * per_size;
        let sliding = Sliding {
            direction: [e1, e2],
            block: [s1 * per_shift, s2 * per_shift],
            relief: [mu * k1 * e1, mu * k2 * e2],
            high: one + mu * (k1.magnitude() + k2.magnitude()),
        };
        let at = sliding.at(sliding.shift(slides));
        // Off the cone by the round-off of the root: the smaller part is adjusted. The normal impulse may be the small
        // rest of a difference, and its round-off times a large `mu` would spoil the friction.
        let per_product = one / at.product;
        let larger = L::above(mu, one);
        let normal = alone * (L::select(larger, at.length, at.bound.larger(zero)) * per_product);
        let scale = L::select(larger, bound * per_product, mu * normal * at.per_length());
        [normal, scale * at.impulse[0], scale * at.impulse[1]]
    }
}
