//! A capsule whose axis passes through a mesh.
//!
//! A mesh has no inside. So the side on which the middle of the capsule lies counts as outside. Each half of the axis is followed
//! from the middle to the first triangle that it passes: the end behind it has to come to the front. The least push is sought
//! after which the whole capsule is free. The triangles meet the capsule at the pushed place, and the push is subtracted from the gaps.
//!
//! The middle may change sides from the back of triangles to their front, if that push is clearly shorter. So a rod that fell onto
//! the edge of a box, and has its middle just in the box, comes out upwards. If no push frees the capsule, as between two walls, the
//! triangles meet only its part in front. Each end behind a triangle then gets one contact along its normal.

use super::buried::{Buried, Push, longest_push};
use super::contact::{ContactPoint, POINTS, deepest};
use super::crossing::{Crossing, Surface};
use super::facet::FACE_ON;
use super::hidden_end::{HiddenEnd, push_contact};
use super::polytope::{Polytope, PolytopeKind};
use crate::error::{Result, push};
use crate::math::Vec3;

/// A contact this close to the end of a part, over the size of the shape, is at that end [-].
const AT_END: f64 = 1e-6;
/// Contacts must be at least this part of a push deep [-].
const ENOUGH: f64 = 0.5;

/// Scratch buffers. Their contents have no meaning between calls.
#[derive(Debug, Clone, Default)]
pub(super) struct PierceBuffers {
    crossings: Vec<Crossing>,
    pushes: Vec<Push>,
}

/// Where the triangles of a mesh meet a shape.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Meeting {
    /// Whether the shape is a capsule. The axis of what the triangles meet passes through none.
    pub(super) is_capsule: bool,
    /// How far the shape is from its own place [m]. There the margin must be larger by its length, so that all contacts within the
    /// margin at the own place are found.
    pub(super) push: Vec3,
    /// The point of the axis that the push brings out [m]. None if it brings out two ends.
    pushed: Option<Vec3>,
    ends: [Option<HiddenEnd>; 2],
    /// Whether the ends were cut off instead.
    is_cut: bool,
}

/// Moves a capsule, or shortens it, so that its axis passes through no triangle. Other shapes stay as they are. The middle of the
/// capsule is the origin of the pair's axes. `triangles` are those near it, and then those near its new place.
pub(super) fn clear_axis(
    shape: &mut Polytope,
    surface: &Surface,
    (margin, triangles): (f64, &mut Vec<u32>),
    PierceBuffers { crossings, pushes }: &mut PierceBuffers,
) -> Result<Meeting> {
    let PolytopeKind::Segment(half) = shape.kind else { return Ok(Meeting::default()) };
    let (radius, mut meeting) = (shape.radius, Meeting { is_capsule: true, ..Meeting::default() });
    crossings.clear();
    let axis = surface.line(Vec3::zeros(), half, [-1.0, 1.0]);
    for crossing in triangles.iter().filter_map(|index| surface.crossing(&axis, *index)) {
        push(crossings, crossing, POINTS)?;
    }
    let halves = [(half, 1.0), (-half, -1.0)];
    let ends = halves.map(|half| HiddenEnd::find(crossings, half, radius, surface.round_off()));
    if ends.iter().all(Option::is_none) {
        return Ok(meeting);
    }
    surface.triangles_near(&axis, radius + margin.max(longest_push(&ends, radius)), triangles)?;
    meeting.ends = ends;
    match (Buried { surface, triangles, axis, radius, ends }).least_push(pushes)? {
        Some(Push { arm, place, .. }) => {
            (meeting.push, meeting.pushed) = (arm, place);
            shape.set_ends([half + arm, arm - half]);
            let pushed = surface.line(arm, half, [-1.0, 1.0]);
            surface.triangles_near(&pushed, radius + margin + arm.norm(), triangles)?;
        }
        None => {
            meeting.is_cut = true;
            meeting.ends = ends.map(|end| end.map(|end| end.no_deeper_than_nearest(surface, triangles)));
            shape.set_ends([0, 1].map(|side| ends[side].map_or(halves[side].0, |end| end.cut)));
        }
    }
    Ok(meeting)
}

impl Meeting {
    /// Makes the contacts found those of the shape at its own place. `shape` is what the triangles met.
    pub(super) fn complete(
        &self,
        found: &mut Vec<ContactPoint>,
        shape: &Polytope,
        surface: &Surface,
        margin: f64,
    ) -> Result<()> {
        if self.ends.iter().all(Option::is_none) {
            return Ok(());
        }
        let origin = surface.origin;
        // Far away there are also triangles behind others.
        let is_seen = |contact: &ContactPoint| {
            let on_mesh = contact.point - origin - contact.normal * (0.5 * contact.gap);
            let to_axis = contact.normal * (contact.gap + shape.radius);
            contact.gap <= margin || !surface.is_passed(&surface.line(on_mesh, to_axis, [AT_END, 1.0]))
        };
        found.retain(is_seen);
        for contact in found.iter_mut() {
            let closer = contact.normal.dot(&self.push);
            contact.gap -= closer;
            // The point of the capsule goes back along the whole push.
            contact.point -= self.push - contact.normal * (0.5 * closer);
        }
        found.retain(|contact| contact.gap <= margin && !(self.is_cut && self.is_at_cut(contact, shape, origin)));
        if !self.is_cut && deepest(found) <= -ENOUGH * self.push.norm() {
            return Ok(());
        }
        // No contact brings the capsule out, so the push itself becomes one.
        if let Some(place) = self.pushed {
            return push(found, push_contact(&place, &self.push, u64::MAX, shape.radius, origin), POINTS);
        }
        for (number, end) in self.ends.iter().enumerate() {
            if let Some(end) = end {
                push(found, end.contact(shape.radius, origin, number as u64), POINTS)?;
            }
        }
        Ok(())
    }

    /// Returns whether a contact is where an end was cut off. A capsule has none there.
    fn is_at_cut(&self, contact: &ContactPoint, shape: &Polytope, origin: &Vec3) -> bool {
        let place = contact.point - origin + contact.normal * (0.5 * contact.gap + shape.radius);
        let is_at = |end: &HiddenEnd| {
            contact.normal.dot(&end.normal) >= FACE_ON && (place - end.cut).norm() <= AT_END * shape.size
        };
        self.ends.iter().flatten().any(is_at)
    }
}
