//! Rigid contacts: no overlap at the end of the step, or a rebound. Overlap that remains is removed by the position
//! pass, or pushed out through the velocities.

use crate::law::contact_law::{Approach, ContactLaw, LawSettings, RowCompliance, Separation};
use crate::math::Vec3;
use crate::math::lanes::Lanes;

/// The part of an overlap that is undone in one step.
pub(super) const OVERLAP_FRACTION: f64 = 0.2;

/// If the stick projection is on, a contact that carried load still counts as closed up to this gap, over the size of the larger body [-].
///
/// The contacts of a pile open by slightly different gaps. If differences of 1e-12 m counted as gaps, they would decide which contacts carry
/// the load, and contradict each other as constraints. Their remainder after the position pass would keep a wall of boxes moving at 1e-9 m/s.
const TOUCHING: f64 = 1e-9;

/// The same over the overlap that is undone in a step within the slop [-]. The far side of a face that turns opens by about as much as its
/// near side is undone.
const UNDONE_STEPS: f64 = 2.0;

/// The largest such gap, over the size of the larger body [-]. Without it a margin of 2 cm gives 2e-6 m. Statics, which take gaps as they
/// are, then balance fewer piles.
const MOST_UNDONE: f64 = 1e-7;

/// The part of friction and torques that the warm start keeps while the sweeps are far from a solution [-]. It is for bodies that touch at
/// several points.
///
/// The friction of a face has many solutions, all of which hold the body. The one of truncated sweeps shakes a stack. A column of 10 boxes
/// at 10 sweeps drifts by 81 mm in 10 s if all friction is kept, and by 17 mm with this part. Normal impulses are kept whole.
const FRICTION_FACTOR: f64 = 0.65;

/// The slop is the distance by which the residual moves a body in this number of steps. Overlap within the slop is therefore
/// undone only where the sweeps have converged.
///
/// Undoing overlap opens some contacts by the same distance, and the next step closes them. With 200 steps a heap of 1000 boxes therefore
/// creeps at 2e-5 m/s, and now and then a box falls. With this number it comes to rest. Columns of 10 and 20 boxes at 50 sweeps move
/// equally with both.
const SLOP_STEPS: f64 = 1e6;

/// The penetration slop as a part of the contact margin [-]. Overlap up to it is undone slowly where two bodies touch
/// at several points.
const PENETRATION_SLOP: f64 = 0.1;

/// The part of the contact margin by which overlap within the penetration slop shrinks in a second [1/s].
///
/// The gaps that this opens in a step keep the residual, and the speed of the bodies, at this value.
const SLOP_SHRINK_RATE: f64 = 0.01;

/// The law of rigid contacts, with its settings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rigid(pub(super) LawSettings);

impl ContactLaw for Rigid {
    const IS_COMPLIANT: bool = false;
    const HAS_IMPACT_STAGE: bool = false;

    fn new(settings: &LawSettings) -> Self {
        Self(*settings)
    }

    fn rebounds_above(&self) -> f64 {
        self.0.restitution_threshold
    }

    /// Across a gap `b_n = phi / h`, so an impulse acts only if the gap would close in this step ([K] (19)). If the bodies touch, `b_n = 0`.
    /// For a contact that closes fast enough in this step `b_n = e u_n(v)` ([K] 4.3).
    fn bias(&self, approach: &Approach) -> (f64, bool) {
        let Approach { gap, round_off, velocity, kicked_velocity, restitution, .. } = *approach;
        let is_fast = -velocity > self.0.restitution_threshold;
        if is_fast && (gap <= round_off || gap + self.0.substep * kicked_velocity <= 0.0) {
            return (restitution * velocity, true);
        }
        (self.bias_without_rebound(gap, round_off), false)
    }

    #[inline(always)]
    fn bias_without_rebound<L: Lanes>(&self, gap: L, round_off: L) -> L {
        let LawSettings { substep, position_projection, push_out_velocity, .. } = self.0;
        let (zero, step) = (L::splat(0.0), L::splat(substep));
        let push = if position_projection {
            zero
        } else {
            let overlap = (-gap - round_off).larger(zero);
            (L::splat(OVERLAP_FRACTION) * overlap / step).smaller(L::splat(push_out_velocity))
        };
        // A third of the contacts at rest are open, in no order. A select is used, since a branch would be unpredictable.
        L::select(L::above(gap, round_off), gap / step, -push)
    }

    /// Without restitution an impact moves the bodies only as far as the gap allows, and the energy of that motion is lost.
    /// With full restitution the contact rebounds at its present position: the bias is `u_n(v)`, at most `braked`. The
    /// coefficient of restitution interpolates between the two.
    fn bias_across_gap(&self, braked: f64, velocity: f64, restitution: f64) -> f64 {
        (1.0 - restitution) * braked + restitution * velocity.min(braked)
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
    fn drift(&self, _: &Vec3, after: &Vec3) -> Vec3 {
        *after
    }

    #[inline(always)]
    fn touching_gap(&self, size: f64, is_one_of_several: bool) -> f64 {
        let undone = self.0.substep * (SLOP_SHRINK_RATE * self.0.contact_margin);
        let of_several = (UNDONE_STEPS * undone).min(MOST_UNDONE * size);
        (TOUCHING * size).max(if is_one_of_several { of_several } else { 0.0 })
    }

    #[inline(always)]
    fn friction_factor(&self) -> f64 {
        FRICTION_FACTOR
    }

    fn resolves_overlap(&self) -> bool {
        self.0.position_projection
    }

    /// A face with a slight overlap at all of its points cannot rock, and warm starting converges from step to step.
    /// Undoing overlap smaller than the error of the velocities would open points at random and keep a stack in motion.
    /// Without slop a column of ten boxes at 50 sweeps keeps 10 J and moves by 20 mm in ten seconds. With it the column
    /// comes to rest within 1 mm. The overlap that is left vanishes with the residual.
    fn slop(&self, residual: f64) -> f64 {
        (SLOP_STEPS * self.0.substep * residual).min(PENETRATION_SLOP * self.0.contact_margin)
    }

    #[inline(always)]
    fn position_target<L: Lanes>(&self, end: &Separation<L>) -> L {
        let LawSettings { substep: h, step, push_out_velocity, contact_margin, .. } = self.0;
        let Separation { gap, velocity, left, is_multi_point, .. } = *end;
        let zero = L::splat(0.0);
        // The gap that is left at the end of the substep.
        let gap = gap + L::splat(h) * velocity;
        let deep = (-gap - left).larger(zero);
        // The distance that a contact opens by itself in a whole step is subtracted from the overlap to be undone. Otherwise a body that
        // rebounds deep inside another one would gain the energy by which it is lifted.
        let opening = velocity.larger(zero);
        let helped = L::splat(step - OVERLAP_FRACTION * h) * opening;
        let fraction = L::splat(OVERLAP_FRACTION);
        // If the bodies touch at a single point, all overlap is undone: there is no slop.
        let penetration_slop =
            L::select(is_multi_point, L::splat(PENETRATION_SLOP * contact_margin), L::splat(f64::NEG_INFINITY));
        let beyond = (-gap - penetration_slop).larger(zero);
        let slowly = L::splat(h * (SLOP_SHRINK_RATE * contact_margin));
        let limit = L::splat(h * push_out_velocity).smaller(slowly + fraction * beyond);
        let part = (fraction * deep - helped).smaller(limit);
        L::select(L::above(deep, zero), part, -gap.larger(zero))
    }
}
