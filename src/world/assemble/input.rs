//! What the assembly of a substep reads.

use crate::body::{Bodies, Motion};
use crate::contact::material::Materials;
use crate::contact::{ContactList, ImpulseCache};
use crate::law::rigid::Rigid;
use crate::math::Vec3;
use crate::tasks::Tasks;
use crate::world::assemble::warm_start::FAR_RESIDUAL;
use crate::world::detect::Detector;
use crate::world::index::Index;
use crate::world::settings::{Settings, WarmStart};
use crate::world::substep::Substep;

/// What the assembly of a substep reads.
#[derive(Clone, Copy)]
pub(in crate::world) struct AssembleInput<'a> {
    pub(in crate::world) tasks: &'a dyn Tasks,
    pub(in crate::world) settings: &'a Settings,
    pub(in crate::world) gravity: Vec3,
    pub(in crate::world) bodies: &'a Bodies,
    pub(in crate::world) materials: &'a Materials,
    pub(in crate::world) substep: Substep,
    pub(in crate::world) detector: &'a Detector,
    pub(in crate::world) contact_list: &'a ContactList,
    /// The place of the contact that each continues, in the list of the step before.
    pub(in crate::world) origins: &'a [u32],
    /// Whether each contact continues the one of its own number in the step before.
    pub(in crate::world) same_contacts: bool,
    pub(in crate::world) index: &'a Index,
    /// The motion of each row at the start of the substep.
    pub(in crate::world) motion: &'a [Motion],
    pub(in crate::world) last: LastStep<'a>,
}

/// What the step before left.
#[derive(Clone, Copy)]
pub(in crate::world) struct LastStep<'a> {
    /// What its contacts carried.
    pub(in crate::world) loads: &'a ImpulseCache,
    /// Its length, and that of its last substep [s]; 0 before the first step.
    pub(in crate::world) step: f64,
    pub(in crate::world) substep: f64,
    /// The largest residual of the newest solve, which may be one of this step [m/s].
    pub(in crate::world) residual: f64,
}

impl LastStep<'_> {
    /// Returns the length of a substep over that of the substep before [-].
    pub(in crate::world) fn stretch(&self, substep: &Substep) -> f64 {
        match substep.is_first {
            true if self.substep > 0.0 => substep.length / self.substep,
            true => 0.0,
            false => 1.0,
        }
    }
}

impl AssembleInput<'_> {
    /// Returns the contact law of the substep.
    pub(super) fn law(&self) -> Rigid {
        let Settings { restitution_threshold, position_projection, push_out_velocity, .. } = *self.settings;
        let push_out_velocity = (!position_projection).then_some(push_out_velocity);
        Rigid { step: self.substep.length, restitution_threshold, push_out_velocity }
    }

    /// Returns the part of the step before that its last substep was, if the substep starts from corrected impulses [-].
    pub(super) fn compatible_part(&self) -> Option<f64> {
        let compatible = self.substep.is_first && self.settings.warm_start == WarmStart::Compatible;
        (compatible && self.last.step > 0.0).then_some(self.last.substep / self.last.step)
    }

    /// Returns whether the sweeps before were far from an answer.
    pub(super) fn is_far(&self) -> bool {
        self.last.residual > FAR_RESIDUAL * self.substep.length * self.gravity.norm()
    }
}
