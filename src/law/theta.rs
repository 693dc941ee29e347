//! The theta method of [N] chapter 4: contacts that are rigid or elastic, with friction that stores its force.
//!
//! A step moves bodies with `ubar = theta u+ + (1 - theta) u`. A contact carries the impulse `h p` along its normal and `h q` across it:
//!
//! ```text
//! 0 <= p  _|_  phi + h ubar_n + p / k_N >= 0          h ubar_t + (q - q_old) / k_T = slip
//! ```
//!
//! Divided by `theta h`, these are the rows of the problem:
//!
//! ```text
//! S_n = 1 / (k_N theta h^2)      b_n = phi / (theta h) + (1 - theta) / theta u_n(v)
//! S_t = 1 / (k_T theta h^2)      b_t = (1 - theta) / theta u_t(v) - S_t h q_old
//! ```
//!
//! `p` is `k_N` times the overlap at the end of the step. The rows of a rigid contact do not contain its overlap; the position pass undoes it.

use crate::law::contact_law::{
    Approach, ContactLaw, FrictionEnergy, FrictionMotion, LawSettings, NormalEnergy, NormalMotion, RowCompliance,
    Separation,
};
use crate::law::rigid::Rigid;
use crate::math::Vec3;
use crate::math::lanes::Lanes;
use crate::math::limits::APART;

/// The law of the theta method, with its settings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Theta {
    settings: LawSettings,
    /// The law by which overlap of rigid contacts is undone.
    rigid: Rigid,
}

impl Theta {
    /// Returns `(1 - theta) / theta`, the part of a velocity with which a closed contact rebounds [-].
    fn rebound(&self) -> f64 {
        (1.0 - self.settings.theta) / self.settings.theta
    }

    /// Returns `1 / (k theta h^2)`; 0 for a rigid contact [m/s per N s].
    fn row_compliance(&self, stiffness: f64) -> f64 {
        1.0 / (stiffness * self.settings.theta * self.settings.substep * self.settings.substep)
    }
}

impl ContactLaw for Theta {
    const IS_COMPLIANT: bool = true;
    const HAS_IMPACT_STAGE: bool = false;
    const HAS_FRICTION_MEMORY: bool = true;

    fn new(settings: &LawSettings) -> Self {
        Self { settings: *settings, rigid: Rigid::new(settings) }
    }

    fn rebounds_above(&self) -> f64 {
        f64::INFINITY
    }

    /// The restitution of the materials is not used; theta decides the rebound.
    fn bias(&self, approach: &Approach) -> (f64, bool) {
        let Approach { gap, round_off, velocity, stiffness, .. } = *approach;
        let is_closed = stiffness == f64::INFINITY && gap <= round_off;
        let gap = if is_closed { 0.0 } else { gap };
        (gap / (self.settings.theta * self.settings.substep) + self.rebound() * velocity, false)
    }

    /// [`ContactLaw::bias`] replaces the result for every contact, since the law has compliance.
    #[inline(always)]
    fn bias_without_rebound<L: Lanes>(&self, _: L, _: L) -> L {
        L::splat(APART)
    }

    fn bias_across_gap(&self, braked: f64, _: f64, _: f64) -> f64 {
        braked
    }

    fn compliance(&self, approach: &Approach) -> RowCompliance {
        let [normal, tangential] = [approach.stiffness, approach.shear_stiffness].map(|of| self.row_compliance(of));
        RowCompliance { normal, tangential, turning: 0.0 }
    }

    fn stick_velocity(&self, approach: &Approach) -> Vec3 {
        self.row_compliance(approach.shear_stiffness) * approach.carried - self.rebound() * approach.sliding
    }

    fn model_impulse(&self, _: &Approach) -> f64 {
        0.0
    }

    /// The elastic energy at the end is that of the force, which is `k_N` times the overlap.
    fn normal_energy(&self, motion: &NormalMotion) -> NormalEnergy {
        if motion.stiffness == f64::INFINITY {
            return NormalEnergy::default();
        }
        let overlap = (-motion.gap).max(0.0);
        let force = motion.impulse / self.settings.substep;
        let (before, after) = (0.5 * motion.stiffness * overlap * overlap, 0.5 * force * force / motion.stiffness);
        NormalEnergy { before, after, damped: 0.0 }
    }

    /// The contact slides by `theta h w_t`, with the velocity `w_t = u_t+ + b_t + S_t lambda_t`.
    fn friction_energy(&self, motion: &FrictionMotion) -> FrictionEnergy {
        let FrictionMotion { stiffness, impulse, stick_velocity, sliding, belt, velocity_after } = *motion;
        let LawSettings { theta, substep: h, .. } = self.settings;
        let compliance = self.row_compliance(stiffness);
        let slid = -theta * impulse.dot(&(velocity_after - stick_velocity + compliance * impulse));
        if compliance == 0.0 {
            return FrictionEnergy { before: 0.0, after: 0.0, slid };
        }
        // `S_t h q_old`, of what the contact sticks at.
        let held = stick_velocity + belt + self.rebound() * sliding;
        let of = |force: Vec3| 0.5 * force.norm_squared() / stiffness;
        FrictionEnergy { before: of(held / (compliance * h)), after: of(impulse / h), slid }
    }

    #[inline(always)]
    fn touching_gap(&self, _: f64, _: bool) -> f64 {
        0.0
    }

    #[inline(always)]
    fn friction_factor(&self) -> f64 {
        1.0
    }

    fn resolves_overlap(&self) -> bool {
        self.rigid.resolves_overlap()
    }

    fn slop(&self, residual: f64) -> f64 {
        self.rigid.slop(residual)
    }

    #[inline(always)]
    fn drift(&self, before: &Vec3, after: &Vec3) -> Vec3 {
        let theta = self.settings.theta;
        theta * after + (1.0 - theta) * before
    }

    /// Rigid contacts end the substep with the gap `phi + h ubar_n = min(phi, 0) + theta h (u_n+ + b_n)`.
    #[inline(always)]
    fn position_target<L: Lanes>(&self, end: &Separation<L>) -> L {
        let (zero, theta) = (L::splat(0.0), L::splat(self.settings.theta));
        let velocity = theta * (end.velocity + end.bias);
        let target = self.rigid.position_target(&Separation { gap: end.gap.smaller(zero), velocity, ..*end });
        L::select(L::above(end.compliance, zero), zero, target)
    }
}
