//! Compliant contacts with a stabilised integrator: SPOOK with the contacts of Hertz or Hooke, [W] appendix A, written for a unit normal.
//!
//! A contact with the overlap `delta` has the row
//!
//! ```text
//! S_n = 4 Y / (h^2 e k delta^(2e-2))      b_n = -(4/h) Y delta / e - Y u_n(v)      Y = 1 / (1 + 4 tau / h)
//! tau = max(n_s h, c / e)                 e = 5/4 (Hertz), 1 (Hooke)               S_t = S_r = gamma / h
//! ```
//!
//! so that it carries the force `k delta^(2e-1) + k e delta^(2e-2) ((h/4) (u_n(v) - u_n+) - tau u_n+)`, or zero where this
//! is negative. At rest that is the elastic force for every step and every damping. Without overlap there is no row.

use crate::law::contact_law::{
    Approach, ContactLaw, LawSettings, NormalEnergy, NormalMotion, RowCompliance, Separation,
};
use crate::math::Vec3;
use crate::math::lanes::Lanes;
use crate::math::limits::APART;

/// The law of compliant contacts, with its settings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spook(LawSettings);

impl Spook {
    /// Returns `tau`, the time in which a contact is damped [s].
    fn damping_time(&self, damping: f64) -> f64 {
        (self.0.relaxation * self.0.substep).max(damping / self.0.elastic_force.exponent())
    }

    /// Returns `Y` [-].
    fn inertia(&self, damping: f64) -> f64 {
        1.0 / (1.0 + 4.0 * self.damping_time(damping) / self.0.substep)
    }
}

/// Returns the overlap that counts; 0 where the bodies only touch up to round-off [m].
///
/// The stiffness of a Hertz contact vanishes with its overlap. Below round-off its compliance could overflow.
fn overlap(gap: f64, round_off: f64) -> f64 {
    if -gap > round_off { -gap } else { 0.0 }
}

impl ContactLaw for Spook {
    const IS_COMPLIANT: bool = true;
    const HAS_IMPACT_STAGE: bool = true;

    fn new(settings: &LawSettings) -> Self {
        Self(*settings)
    }

    fn rebounds_above(&self) -> f64 {
        f64::INFINITY
    }

    /// No contact rebounds here: fast contacts did so in the impact stage.
    fn bias(&self, approach: &Approach) -> (f64, bool) {
        let overlap = overlap(approach.gap, approach.round_off);
        if overlap == 0.0 {
            return (APART, false);
        }
        let (e, h) = (self.0.elastic_force.exponent(), self.0.substep);
        (-self.inertia(approach.damping) * (4.0 * overlap / (e * h) + approach.velocity), false)
    }

    #[inline(always)]
    fn bias_without_rebound<L: Lanes>(&self, _: L, _: L) -> L {
        L::splat(APART)
    }

    fn bias_across_gap(&self, braked: f64, _: f64, _: f64) -> f64 {
        braked
    }

    fn compliance(&self, approach: &Approach) -> RowCompliance {
        let overlap = overlap(approach.gap, approach.round_off);
        if overlap == 0.0 {
            return RowCompliance::default();
        }
        let LawSettings { substep: h, elastic_force, regularisation, .. } = self.0;
        let stiffness = elastic_force.exponent() * approach.stiffness * elastic_force.slope(overlap);
        let creep = regularisation / h;
        RowCompliance {
            normal: 4.0 * self.inertia(approach.damping) / (h * h * stiffness),
            tangential: creep,
            turning: creep,
        }
    }

    fn stick_velocity(&self, _: &Approach) -> Vec3 {
        Vec3::zeros()
    }

    /// The impulse of the elastic force, [W] (9).
    fn model_impulse(&self, approach: &Approach) -> f64 {
        self.0.substep * self.0.elastic_force.force(approach.stiffness, overlap(approach.gap, approach.round_off))
    }

    fn normal_energy(&self, motion: &NormalMotion) -> NormalEnergy {
        let LawSettings { substep: h, elastic_force, .. } = self.0;
        let of = |overlap: f64| elastic_force.energy(motion.stiffness, overlap.max(0.0));
        let overlap = overlap(motion.gap, motion.round_off);
        let energy =
            NormalEnergy { before: of(overlap), after: of(-motion.gap - h * motion.velocity_after), damped: 0.0 };
        let slope = elastic_force.exponent() * motion.stiffness * elastic_force.slope(overlap);
        let resistance = slope * self.damping_time(motion.damping);
        // A contact so stiff or so damped that this is no number is rigid.
        if motion.impulse == 0.0 || !resistance.is_finite() {
            return energy;
        }
        let force = resistance * motion.velocity_after;
        NormalEnergy { damped: h * force * 0.5 * (motion.velocity + motion.velocity_after), ..energy }
    }

    #[inline(always)]
    fn touching_gap(&self, _: f64, _: bool) -> f64 {
        0.0
    }

    #[inline(always)]
    fn friction_factor(&self) -> f64 {
        1.0
    }

    /// False: overlap carries the load.
    fn resolves_overlap(&self) -> bool {
        false
    }

    fn slop(&self, _: f64) -> f64 {
        0.0
    }

    #[inline(always)]
    fn drift(&self, _: &Vec3, after: &Vec3) -> Vec3 {
        *after
    }

    #[inline(always)]
    fn position_target<L: Lanes>(&self, _: &Separation<L>) -> L {
        L::splat(0.0)
    }
}
