//! One contact solved exactly with the associated law: the impulse in the cone that minimises `1/2 r D r + q r`.
//!
//! If the impulse of sticking lies in the cone, it is the answer. If the velocity without an impulse lies in the dual cone,
//! the answer is no impulse. Otherwise the contact slides on the cone, with the velocity `w_n = mu s`, `w_t = -s e` and the impulse `r_t = mu r_n e`. In axes in which
//! the tangential block `S` is diagonal, with `k = D_NT / D_NN` and the sticking impulse `t`,
//!
//! ```text
//! (1 + x S) s e = S t - mu s k,   x s = |r_t|,   r_n = alone + mu s / D_NN - k r_t
//! ```
//!
//! Lagrange's multiplier of the cone is the sliding speed `s`. The dual function of `s` is concave, so `|r_t| - mu r_n` falls with it and
//! has one root. Lanes are independent of each other.

use crate::math::lanes::Lanes;
use crate::solver::gauss_seidel::local::{Local, Sticking};
use crate::solver::gauss_seidel::small::larger_units;

/// Most rounds of each search. Four are enough for most contacts.
const ROUNDS: usize = 60;
/// A step of Newton's method below this size is the last one: the next would be as its square [-].
const LAST: f64 = 1e-12;
/// Differences below this part of their terms are round-off [-].
const ROUND_OFF: f64 = 4.0 * f64::EPSILON;

/// Returns the impulse that obeys the law, where `w` is the velocity with the impulse `old`. What is no number stays none.
#[inline(always)]
pub(in crate::solver) fn solve<L: Lanes>(local: &Local<L>, w: [L; 3], old: [L; 3], mu: L) -> [L; 3] {
    let sticking = local.sticking(w, old);
    let Some(units) = larger_units(sticking.square(), mu * sticking.normal) else {
        return within_cone(local, &sticking, mu);
    };
    let per_units = L::splat(1.0) / units;
    let [n, t1, t2] = within_cone(local, &local.sticking(w.map(|w| w * units), old.map(|old| old * units)), mu);
    [n * per_units, t1 * per_units, t2 * per_units]
}

#[inline(always)]
fn within_cone<L: Lanes>(local: &Local<L>, sticking: &Sticking<L>, mu: L) -> [L; 3] {
    let zero = L::splat(0.0);
    let Sticking { alone, normal, tangential: [t1, t2] } = *sticking;
    let (bound, [k1, k2], [s1, s2]) = (mu * normal, local.carried, local.tangential);
    let sticks = L::without(L::above(normal, zero), L::above(sticking.square(), bound * bound));
    // minus the velocity without any impulse, over `D_NN`
    let (q1, q2) = (s1 * t1 * local.inverse + k1 * alone, s2 * t2 * local.inverse + k2 * alone);
    let stays = L::above(mu * (q1 * q1 + q2 * q2).root() + alone, zero);
    let slides = L::without(L::both(stays, L::above(mu, zero)), sticks);
    let mut impulse =
        [L::select(sticks, normal, zero.larger(alone)), L::select(sticks, t1, zero), L::select(sticks, t2, zero)];
    if L::any(slides) {
        let slid = slide(local, sticking, mu, slides);
        impulse = [
            L::select(slides, slid[0], impulse[0]),
            L::select(slides, slid[1], impulse[1]),
            L::select(slides, slid[2], impulse[2]),
        ];
    }
    impulse
}

/// Returns the impulse of contacts that slide.
#[inline(always)]
fn slide<L: Lanes>(local: &Local<L>, sticking: &Sticking<L>, mu: L, slides: L::Mask) -> [L; 3] {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let Sticking { alone, tangential: [t1, t2], .. } = *sticking;
    let ([k1, k2], [s1, s2]) = (local.carried, local.tangential);
    let sliding = Sliding {
        free: [s1 * t1, s2 * t2],
        block: [s1, s2],
        coupling: [mu * k1, mu * k2],
        bound_at_rest: mu * alone,
        per_speed: mu * mu * local.inverse,
    };
    let [e1, e2] = sliding.direction(slides);
    // The impulse along this ray of the cone at which the velocity has no part along it.
    let carried = one + mu * (k1 * e1 + k2 * e2);
    let pull = alone * carried + mu * local.inverse * (e1 * sliding.free[0] + e2 * sliding.free[1]);
    let block = carried * carried + sliding.per_speed * (e1 * e1 * s1 + e2 * e2 * s2);
    let normal = (pull / block).larger(zero);
    let tangential = mu * normal;
    [normal, tangential * e1, tangential * e2]
}

/// A contact that slides.
struct Sliding<L> {
    /// `S t`
    free: [L; 2],
    /// The diagonal of `S`.
    block: [L; 2],
    /// `mu k`
    coupling: [L; 2],
    /// `mu r_n` without friction and lift.
    bound_at_rest: L,
    /// `mu^2 / D_NN`: what each unit of speed adds to it.
    per_speed: L,
}

/// The contact at one sliding speed.
struct AtSpeed<L> {
    direction: [L; 2],
    /// `|r_t| - mu r_n`, and its derivative.
    excess: L,
    slope: L,
    /// What round-off may leave of the excess.
    noise: L,
}

impl<L: Lanes> Sliding<L> {
    /// Returns the direction of sliding friction, a unit vector, of the lanes that `active` names.
    #[inline(always)]
    fn direction(&self, mut active: L::Mask) -> [L; 2] {
        let (zero, half, all) = (L::splat(0.0), L::splat(0.5), active);
        let ([f1, f2], [s1, s2]) = (self.free, self.block);
        let size = (f1 * f1 + f2 * f2).root();
        let (mut low, mut high) = (zero, L::splat(f64::INFINITY));
        // exact for a block without coupling that answers alike along both tangents
        let mean = half * (s1 + s2);
        let guess = (size - mean * self.bound_at_rest) / (L::splat(1.0) + mean * self.per_speed);
        let mut speed = guess.larger(L::splat(1e-3) * size);
        for _ in 0..ROUNDS {
            let at = self.at(speed, active);
            let above = L::above(at.excess, zero);
            low = L::select(above, speed, low);
            high = L::select(above, high, speed);
            let next = speed - at.excess / at.slope;
            let inside = L::both(L::above(next, low), L::above(high, next));
            let bounded = L::above(L::splat(f64::INFINITY), high);
            let halved = L::select(bounded, half * (low + high), L::splat(4.0) * speed);
            let enough = L::splat(LAST) * speed;
            let far = L::both(L::above((next - speed).magnitude(), enough), L::above(at.excess.magnitude(), at.noise));
            let found = L::select(far, L::select(inside, next, halved), next.larger(zero));
            speed = L::select(active, found, speed);
            active = L::both(active, far);
            if !L::any(active) {
                break;
            }
        }
        self.at(speed, all).direction
    }

    /// Returns the contact at a sliding speed, in the lanes that `active` names.
    #[inline(always)]
    fn at(&self, speed: L, active: L::Mask) -> AtSpeed<L> {
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let ([s1, s2], [g1, g2]) = (self.block, self.coupling);
        let (b1, b2) = (self.free[0] - speed * g1, self.free[1] - speed * g2);
        let x = self.per_friction([b1, b2], speed, active);
        let (inverse_1, inverse_2) = (one / (one + x * s1), one / (one + x * s2));
        let (y1, y2) = (b1 * inverse_1, b2 * inverse_2);
        let length = (y1 * y1 + y2 * y2).root();
        let along = L::select(L::above(length, zero), one / length, zero);
        let (e1, e2) = (y1 * along, y2 * along);
        let carried = g1 * e1 + g2 * e2;
        let (friction, lifted) = (x * speed, self.per_speed * speed);
        let excess = friction * (one + carried) - (self.bound_at_rest + lifted);
        let terms = friction * (one + carried.magnitude()) + self.bound_at_rest.magnitude() + lifted;
        let noise = L::splat(ROUND_OFF) * terms;
        // the derivatives of `x` and of `s e`
        let (y1, y2) = (speed * e1, speed * e2);
        let (back_1, back_2) = (y1 * inverse_1, y2 * inverse_2);
        let by = -(speed + (back_1 * g1 + back_2 * g2)) / (back_1 * s1 * y1 + back_2 * s2 * y2);
        let by = L::select(L::above(x, zero), by, zero);
        let turned = g1 * inverse_1 * (g1 + by * s1 * y1) + g2 * inverse_2 * (g2 + by * s2 * y2);
        let slope = by * speed + x + by * speed * carried - x * turned - self.per_speed;
        AtSpeed { direction: [e1, e2], excess, slope, noise }
    }

    /// Returns `x`, the friction over the speed, by Newton's method on one over the length: that is concave, so from below no step
    /// goes past the root. It is 0 where this speed needs no friction.
    #[inline(always)]
    fn per_friction(&self, [b1, b2]: [L; 2], speed: L, mut active: L::Mask) -> L {
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let [s1, s2] = self.block;
        let size = (b1 * b1 + b2 * b2).root();
        let mut x = ((size / speed - one) / s1.larger(s2)).larger(zero);
        active = L::both(active, L::above(size, speed));
        for _ in 0..ROUNDS {
            let (inverse_1, inverse_2) = (one / (one + x * s1), one / (one + x * s2));
            let (y1, y2) = (b1 * inverse_1, b2 * inverse_2);
            let square = y1 * y1 + y2 * y2;
            let excess = square.root() / speed - one;
            let step = excess * square / (y1 * y1 * s1 * inverse_1 + y2 * y2 * s2 * inverse_2);
            x = L::select(active, (x + step).larger(zero), x);
            active = L::both(active, L::above(excess, L::splat(LAST)));
            if !L::any(active) {
                break;
            }
        }
        x
    }
}
