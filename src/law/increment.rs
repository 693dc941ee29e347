//! The contacts of a static increment, [N] (4.16): those of the theta method with `theta = 1` and a step of 1 s.
//! Velocities are then displacements, and impulses are forces. The gap enters with its sign, so overlap of rigid contacts
//! is undone too.

use crate::law::contact_law::{Approach, ContactLaw, LawSettings, RowCompliance, Separation};
use crate::law::theta::Theta;
use crate::math::Vec3;
use crate::math::lanes::Lanes;

/// The law of a static increment, with its settings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Increment(Theta);

impl ContactLaw for Increment {
    const IS_COMPLIANT: bool = true;
    const HAS_IMPACT_STAGE: bool = false;
    const HAS_FRICTION_MEMORY: bool = true;
    const IS_STATIC: bool = true;

    fn new(settings: &LawSettings) -> Self {
        Self(Theta::new(&LawSettings { theta: 1.0, substep: 1.0, step: 1.0, ..*settings }))
    }

    fn rebounds_above(&self) -> f64 {
        self.0.rebounds_above()
    }

    /// `phi`.
    fn bias(&self, approach: &Approach) -> (f64, bool) {
        (approach.gap, false)
    }

    #[inline(always)]
    fn bias_without_rebound<L: Lanes>(&self, gap: L, round_off: L) -> L {
        self.0.bias_without_rebound(gap, round_off)
    }

    fn bias_across_gap(&self, braked: f64, velocity: f64, restitution: f64) -> f64 {
        self.0.bias_across_gap(braked, velocity, restitution)
    }

    fn compliance(&self, approach: &Approach) -> RowCompliance {
        self.0.compliance(approach)
    }

    fn stick_velocity(&self, approach: &Approach) -> Vec3 {
        self.0.stick_velocity(approach)
    }

    fn model_impulse(&self, approach: &Approach) -> f64 {
        self.0.model_impulse(approach)
    }

    #[inline(always)]
    fn touching_gap(&self, size: f64, is_one_of_several: bool) -> f64 {
        self.0.touching_gap(size, is_one_of_several)
    }

    #[inline(always)]
    fn friction_factor(&self) -> f64 {
        self.0.friction_factor()
    }

    fn resolves_overlap(&self) -> bool {
        false
    }

    fn slop(&self, residual: f64) -> f64 {
        self.0.slop(residual)
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
