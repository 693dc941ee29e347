//! The impulses of the substep before, and the part of them from which this one starts.

use crate::contact::{ImpulseCache, Marks, in_lane};
use crate::id::SlotSet;
use crate::math::lanes::{WIDE, prefetch_one_of};
use crate::math::{Impulse, LaneSlot, ListPlace, Vec3};
use crate::solver::problem::contacts::{LaneContacts, occupied};

/// How the impulses of the substep before are used.
#[derive(Clone, Copy)]
pub(super) struct WarmStart<'a> {
    /// The impulses of the contacts in the substep before.
    pub(super) before: &'a ImpulseCache,
    pub(super) origin: Origin<'a>,
    /// The length of this substep over that of the substep before [-].
    pub(super) stretch: f64,
    /// If the solve starts from the corrected impulses of the step before: the length of its last substep over that of the step [-].
    pub(super) compatible: Option<f64>,
    /// In the first substep: the bodies that the host moved since the last step, whose contacts carry no friction on.
    pub(super) moved_bodies: Option<&'a SlotSet>,
}

/// Where the contacts of a substep were in the one before.
#[derive(Clone, Copy)]
pub(super) enum Origin<'a> {
    /// In the same lanes.
    SameLanes,
    /// By the origins that matching found.
    Matched {
        /// The place of each contact in the list of this step.
        places: &'a [ListPlace],
        /// The place of the contact that each contact of that list continues, in the list of the step before.
        origins: &'a [ListPlace],
        /// The lane of each contact of the list of the step before.
        lanes_of_places: &'a [LaneSlot],
    },
}

impl WarmStart<'_> {
    /// Returns the impulse of the substep before, or what the correction made of it. It is still to be scaled to the new length, with its
    /// friction turned into the new tangent plane.
    #[inline(always)]
    pub(super) fn impulse(&self, source: LaneSlot, marks: Marks) -> Impulse {
        match self.compatible {
            // The impulse of an impact is not a load at rest.
            Some(_) if marks.has(Marks::HAD_IMPACT) => Impulse::ZERO,
            Some(part) => self.before.compatible_of(source).scaled(part),
            None => in_lane(&self.before.impulses, source),
        }
    }

    /// Returns the friction of the substep before between two bodies, whatever the solver starts from [N s]. It is scaled to the new
    /// length and turned with the bodies into the plane across `normal`.
    pub(super) fn friction(&self, source: LaneSlot, bodies: (u32, u32), normal: &Vec3) -> Vec3 {
        let Impulse { normal: push, tangential } = in_lane(&self.before.impulses, source);
        if push == 0.0 || self.moved_bodies.is_some_and(|moved| moved.has_any_of(bodies)) {
            return Vec3::zeros();
        }
        self.stretch * in_lane(&self.before.frames, source).turned(&tangential, normal)
    }

    /// Returns the lanes that the contacts of a batch had before, and prefetches their impulses.
    #[inline(always)]
    pub(super) fn lanes_before(&self, batches: &[LaneContacts], at: usize, first: usize) -> [LaneSlot; WIDE] {
        let mut previous = [LaneSlot::NONE; WIDE];
        let Some(lanes) = batches.get(at) else { return previous };
        match self.origin {
            Origin::SameLanes => {
                occupied(lanes).for_each(|(lane, _)| previous[lane] = LaneSlot::new(first + at, lane));
            }
            Origin::Matched { places, origins, lanes_of_places } => {
                for (lane, contact) in occupied(lanes) {
                    let origin = origins[places[contact]];
                    previous[lane] = lanes_of_places.get(origin.index()).copied().unwrap_or(LaneSlot::NONE);
                    let source = previous[lane].index();
                    prefetch_one_of(&self.before.impulses, source);
                    prefetch_one_of(&self.before.torques, source);
                    prefetch_one_of(&self.before.marks, source);
                }
            }
        }
        previous
    }
}
