//! Impacts of zero duration: contacts that close fast rebound, other touching contacts only push, and contacts across a
//! gap are left out.
//!
//! This is the impact stage of [W]: a solve before the contact stage of a substep. It changes velocities alone. A
//! contact that touches and approaches no faster than the threshold has the bias 0, so it passes an impact on to the
//! next body at once.

use crate::law::contact_law::{Approach, ContactLaw, LawSettings, RowCompliance, Separation};
use crate::math::Vec3;
use crate::math::lanes::Lanes;
use crate::math::limits::APART;

/// The law of the impact stage, with its settings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Impact {
    /// Slower approaches do not rebound [m/s].
    threshold: f64,
}

impl ContactLaw for Impact {
    const IS_COMPLIANT: bool = false;
    const HAS_IMPACT_STAGE: bool = false;
    const IS_IMPACT: bool = true;

    fn new(settings: &LawSettings) -> Self {
        Self { threshold: settings.restitution_threshold }
    }

    fn rebounds_above(&self) -> f64 {
        self.threshold
    }

    /// `b_n = e u_n(v)` for a contact that touches and closes fast enough.
    fn bias(&self, approach: &Approach) -> (f64, bool) {
        let Approach { gap, round_off, velocity, restitution, .. } = *approach;
        if gap <= round_off && -velocity > self.threshold {
            return (restitution * velocity, true);
        }
        (self.bias_without_rebound(gap, round_off), false)
    }

    #[inline(always)]
    fn bias_without_rebound<L: Lanes>(&self, gap: L, round_off: L) -> L {
        L::select(L::above(gap, round_off), L::splat(APART), L::splat(0.0))
    }

    fn bias_across_gap(&self, braked: f64, _: f64, _: f64) -> f64 {
        braked
    }

    fn compliance(&self, _: &Approach) -> RowCompliance {
        RowCompliance::default()
    }

    fn stick_velocity(&self, _: &Approach) -> Vec3 {
        Vec3::zeros()
    }

    fn model_impulse(&self, _: &Approach) -> f64 {
        0.0
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
