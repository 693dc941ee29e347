//! The errors of the rows that hold a joint rigidly, and where a body is at the end of a substep.

use crate::body::{Bodies, Drift, Motion};
use crate::joint::{
    Coordinate, Geometry, JointRow, LockedRows, SideFrame, SideVector, continued_turn, coordinates, locked_rows,
};
use crate::law::ContactLaw;
use crate::math::{Pose, Vec3, length_of};
use crate::solver::Velocity;
use crate::world::index::Index;
use crate::world::joints::freedom::Freedom;
use crate::world::joints::state::{AXES, DriveKind, Joint, RowPlace, pose_of};

/// The bodies of a substep, and how velocities move them.
#[derive(Clone, Copy)]
pub(in crate::world) struct MovedBodies<'a, Law> {
    pub(in crate::world) law: Law,
    pub(in crate::world) bodies: &'a Bodies,
    pub(in crate::world) index: &'a Index,
    /// The motion of each row that takes part, at the start of the substep.
    pub(in crate::world) motion: &'a [Motion],
    /// Length of the substep [s].
    pub(in crate::world) length: f64,
}

impl<Law: ContactLaw> MovedBodies<'_, Law> {
    /// Returns the motion of the body in a slot at the end of the substep, with these velocities by row and without displacements.
    /// The velocities are not those of then: joints ask for places alone.
    pub(super) fn ended(&self, slot: usize, velocities: &[Velocity]) -> Motion {
        match self.index.active_row(slot) {
            Some(row) => self.ended_row(slot, &self.motion[row], velocities[row]),
            None => self.bodies.motion[slot],
        }
    }

    /// Returns the same of a body that takes part, with its motion at the start.
    pub(super) fn ended_row(&self, slot: usize, motion: &Motion, Velocity { linear, angular }: Velocity) -> Motion {
        let path = [self.law.drift(&motion.linear, &linear), self.law.drift(&motion.angular, &angular)];
        let drift = Drift { linear, angular, path, displacement: Vec3::zeros(), turn: Vec3::zeros() };
        let kind = self.bodies.traits[slot].kind;
        let (center, rotation) = motion.drifted_place(kind, &self.bodies.mass[slot], &drift, self.length);
        Motion { center, rotation, linear, angular }
    }

    /// Returns how impulses move the bodies of a joint at the start of the substep.
    pub(super) fn freedoms(&self, joint: &Joint) -> [Freedom; 2] {
        joint.bodies.map(|slot| {
            let slot = slot.map(|slot| slot as usize);
            let active = slot.and_then(|slot| Some((slot, self.index.active_row(slot)?)));
            active.map_or(Freedom::NONE, |(slot, row)| Freedom::of(&self.bodies.mass[slot], &self.motion[row].rotation))
        })
    }

    /// Returns the errors of a joint at the end of the substep, with these velocities by row. `before` is its position at the start.
    pub(super) fn errors_after<'j>(
        &self,
        joint: &'j Joint,
        before: [f64; AXES],
        velocities: &[Velocity],
    ) -> JointErrors<'j> {
        JointErrors::new(joint, geometry_of(joint, self.bodies, |slot| self.ended(slot, velocities)), before)
    }
}

/// The errors of a joint in some place.
pub(super) struct JointErrors<'a> {
    joint: &'a Joint,
    geometry: Geometry,
    locked: LockedRows,
    before: [f64; AXES],
}

impl<'a> JointErrors<'a> {
    /// Computes the errors where both frames are as in `geometry`. `before` is the position from which full turns are counted.
    pub(super) fn new(joint: &'a Joint, geometry: Geometry, before: [f64; AXES]) -> Self {
        let locked = locked_rows(&geometry, joint.definition.kind, &joint.locks, joint.definition.lengths());
        Self { joint, geometry, locked, before }
    }

    /// Returns the error of a row [m] or [rad]; a positive impulse makes it grow. `None` of a compliant row, and of one that drives the joint.
    pub(super) fn of(&self, place: RowPlace) -> Option<f64> {
        let axes = &self.joint.axes;
        match place {
            RowPlace::Locked(number) => {
                let row = self.locked.as_slice().get(number)?;
                let [compliance, _] = self.joint.definition.compliance_of(row.is_turn);
                (compliance == 0.0).then_some(row.error)
            }
            RowPlace::Drive(axis, kind) => {
                let bound = match kind {
                    DriveKind::Held => axes[axis].held_position()?,
                    DriveKind::Lower => axes[axis].lower,
                    DriveKind::Upper => axes[axis].upper,
                    DriveKind::Motor | DriveKind::Spring | DriveKind::Friction | DriveKind::Armature => return None,
                };
                Some(position(self.joint, &self.geometry, axis, self.before[axis]) - bound)
            }
        }
    }
}

/// The gradients of rows have lengths of about 1 where a joint is whole. Below this one a row says nothing about its error [-].
const MIN_GRADIENT: f64 = 0.05;

/// Returns whether the error of a row can be undone along it, apart from locks of bodies. Near half a turn off, or a
/// quarter of a hinge, a locked turn has no direction, and the joint stays as it is.
pub(super) fn has_gradient(row: &JointRow) -> bool {
    length_of(&row.b.linear) + length_of(&row.b.angular) > MIN_GRADIENT
}

/// Returns by how much an impulse within its bounds can make a row hold: the error of a row without bounds, else that beyond its one bound.
pub(super) fn beyond([lower, upper]: [f64; 2], error: f64) -> f64 {
    match (lower == 0.0, upper == 0.0) {
        (true, true) => 0.0,
        (true, false) => error.min(0.0),
        (false, true) => error.max(0.0),
        (false, false) => error,
    }
}

/// Returns the velocity along each axis, where `motion` returns that of the body in a slot; 0 of an axis that has no direction.
pub(super) fn axis_speeds(joint: &Joint, geometry: &Geometry, motion: impl Fn(usize) -> Motion) -> [f64; AXES] {
    let [a, b] = joint.bodies.map(|body| {
        body.map_or(SideVector::ZERO, |slot| {
            let Motion { linear, angular, .. } = motion(slot as usize);
            SideVector { linear, angular }
        })
    });
    let free = coordinates(geometry, joint.definition.kind, &joint.locks);
    free.map(|free| free.and_then(|free| free.row).map_or(0.0, |row| row.velocity(&a, &b)))
}

/// Returns the largest error of the locked displacements of a joint, or of its locked turns [m] or [rad].
pub(super) fn largest_error(joint: &Joint, geometry: &Geometry, of_turns: bool) -> f64 {
    let locked = locked_rows(geometry, joint.definition.kind, &joint.locks, joint.definition.lengths());
    let own = locked.as_slice().iter().filter(|row| row.is_turn == of_turns);
    own.map(|row| beyond([row.lower, row.upper], row.error).abs()).fold(0.0, f64::max)
}

/// Returns a frame of a joint in world axes, where `motion` returns that of the body in a slot.
pub(super) fn side_frame(joint: &Joint, side: usize, bodies: &Bodies, motion: impl Fn(usize) -> Motion) -> SideFrame {
    let local = &joint.frames[side];
    match joint.bodies[side].map(|slot| slot as usize) {
        None => SideFrame::new(local, &Pose::world(), Vec3::zeros()),
        Some(slot) => {
            let motion = motion(slot);
            SideFrame::new(local, &pose_of(bodies, slot, &motion), motion.center)
        }
    }
}

/// Returns the geometry of a joint, where `motion` returns that of the body in a slot.
pub(super) fn geometry_of(joint: &Joint, bodies: &Bodies, motion: impl Fn(usize) -> Motion) -> Geometry {
    let [a, b] = [0, 1].map(|side| side_frame(joint, side, bodies, &motion));
    Geometry::new(&a, &b)
}

/// Returns the position along an axis; see [`counted`].
fn position(joint: &Joint, geometry: &Geometry, index: usize, before: f64) -> f64 {
    counted(joint, index, coordinates(geometry, joint.definition.kind, &joint.locks)[index].as_ref(), before)
}

/// Returns the position that a coordinate gives an axis, turns counted from the position `before` where only one turn is free; 0 of an axis
/// without a coordinate.
pub(super) fn counted(joint: &Joint, index: usize, coordinate: Option<&Coordinate>, before: f64) -> f64 {
    let Some(Coordinate { value, .. }) = coordinate else { return 0.0 };
    let is_counted = index >= 3 && joint.locks.counted_turn().is_some();
    if is_counted { continued_turn(before, *value) } else { *value }
}

/// Returns the position along each axis, turns counted from the positions `before`.
pub(super) fn positions(joint: &Joint, geometry: &Geometry, before: [f64; AXES]) -> [f64; AXES] {
    std::array::from_fn(|index| position(joint, geometry, index, before[index]))
}
