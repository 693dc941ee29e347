//! Contact laws: what fills the bias and the compliance of a contact's rows. Rigid contacts have no overlap at the end of the step, or a
//! rebound.
//!
//! `b_n = phi / h` across a gap, which an impulse may brake ([K] (19)); `b_n = 0` at touch; `b_n = e u_n(v)` for a
//! contact that closes fast enough in this step ([K] 4.3). The compliance is zero.

use crate::math::lanes::Lanes;

#[cfg(test)]
mod tests;

/// What a step knows of one contact before it is solved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Approach {
    /// `phi` [m].
    pub gap: f64,
    /// `phi_0`: at most this is touching [m].
    pub round_off: f64,
    /// `u_n(v)`: the normal velocity at the start of the step [m/s].
    pub velocity: f64,
    /// `(G vhat)_n`: the same after the kick by forces; of use where that is above the threshold of rebounds [m/s].
    pub kicked_velocity: f64,
    /// `e` [-].
    pub restitution: f64,
}

/// What the settings say of rigid contacts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rigid {
    /// `h` [s].
    pub step: f64,
    /// Slower approaches do not rebound [m/s].
    pub restitution_threshold: f64,
    /// `Some(v)`: overlap is undone through the velocities, at most at `v` [m/s]; `None`: by the position pass.
    pub push_out_velocity: Option<f64>,
}

/// The part of an overlap that is undone in one step.
pub const OVERLAP_FRACTION: f64 = 0.2;

/// The gap up to which two bodies touch: round-off in `phi`, divided by `h`, must not become a speed [m].
///
/// `reach` is the distance of both bodies from the world's origin plus the size of the pair.
pub fn round_off_gap(reach: f64) -> f64 {
    64.0 * f64::EPSILON * reach
}

/// A contact that carried load counts as touching with the stick projection when it opened by less than this part of the larger body [-].
///
/// The contacts of a pile never open alike. If differences of 1e-12 m counted as gaps, they would decide which contacts carry the load,
/// and contradict each other as constraints. What the position pass leaves of them would keep a wall of boxes moving at 1e-9 m/s.
pub const SETTLED: f64 = 1e-9;

/// A contact whose gap is less than this part of its arm counts as closed for the compatibility correction [-]. A pile that comes to rest in
/// its first step keeps gaps of this kind, and which contacts have one depends on the order of the sweeps.
pub const TOUCHING: f64 = 1e-6;

impl Rigid {
    /// The normal bias [m/s], and whether the contact rebounds.
    pub fn bias(&self, approach: &Approach) -> (f64, bool) {
        let Approach { gap, round_off, velocity, kicked_velocity, restitution } = *approach;
        let is_fast = -velocity > self.restitution_threshold;
        if is_fast && (gap <= round_off || gap + self.step * kicked_velocity <= 0.0) {
            return (restitution * velocity, true);
        }
        (self.bias_of_slow(gap, round_off), false)
    }

    /// The normal bias of contacts that do not rebound [m/s].
    #[inline(always)]
    pub fn bias_of_slow<L: Lanes>(&self, gap: L, round_off: L) -> L {
        let (zero, step) = (L::splat(0.0), L::splat(self.step));
        let push = match self.push_out_velocity {
            Some(limit) => {
                let overlap = (-gap - round_off).larger(zero);
                (L::splat(OVERLAP_FRACTION) * overlap / step).smaller(L::splat(limit))
            }
            None => zero,
        };
        // a third of what rests is open, in no order: picked, not branched to
        L::pick(L::above(gap, round_off), gap / step, -push)
    }
}

/// Returns the normal bias of a contact across a gap, in an island where another contact rebounds [m/s].
///
/// `braked` is the bias `gap / h` of a contact that no blow reaches, `velocity` is `u_n(v)`, `restitution` is `e`. A contact that a blow
/// closes would take the bodies as far as the gap allows, and lose the energy of that motion. With restitution it rebounds where it is, with
/// `e u_n(v)`, at most at the speed that closes the gap. The share of restitution decides between both.
pub fn bias_across_gap(braked: f64, velocity: f64, restitution: f64) -> f64 {
    (1.0 - restitution) * braked + restitution * velocity.min(braked)
}

/// The overlap that is left alone while the sweeps have not converged, where two bodies touch at several points [m].
///
/// A contact with a trace of overlap cannot rock: it is closed on every side, and warm starting converges from step to
/// step. Undoing overlap smaller than the error of the velocities would open contacts at random and keep a stack in
/// motion: a column of ten boxes at 50 sweeps then keeps 10 J and walks 20 mm in ten seconds; with this it comes to
/// rest within 1 mm. What is left vanishes with the `residual` [m/s], the largest of the island, and is never above the [`cushion`].
pub fn penetration_slop(residual: f64, step: f64, contact_margin: f64) -> f64 {
    (SLOP_STEPS * step * residual).min(cushion(contact_margin))
}

/// The overlap that is undone slowly where two bodies touch at several points [m].
pub fn cushion(contact_margin: f64) -> f64 {
    CUSHION_MARGIN * contact_margin
}

/// How fast such overlap is undone at most [m/s].
///
/// Undoing a part of it in every step opens some contacts by as much. The velocity that this gap allows then keeps the residual up, and the
/// residual keeps the slop up: a heap of 1000 boxes stays at 1e-4 m/s. At this speed it comes to rest.
pub fn cushion_speed(contact_margin: f64) -> f64 {
    CUSHION_SPEED * contact_margin
}

/// The slop is what the residual moves a body in so many steps: measured on columns of 10 and 20 boxes and a wall of
/// 210, each with the points of its faces in three orders. With 4 they are not calm. With 50 a column of 10 at 50 sweeps
/// comes to rest in every order, but one of 20 keeps up to 14 J; with 200 it keeps 2.2 J at most; with 500 one of 10
/// keeps some millijoules.
const SLOP_STEPS: f64 = 200.0;

/// The part of the contact margin that the cushion takes [-].
const CUSHION_MARGIN: f64 = 0.1;

/// The part of the contact margin by which the cushion shrinks in a second [1/s].
const CUSHION_SPEED: f64 = 0.01;
