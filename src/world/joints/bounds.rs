//! Which bounds the axes of joints are at, and the events of a step.

use crate::error::{Error, ErrorKind, Number, Result, empty, push, text};
use crate::joint::{AxisMode, JointKind, length_round_off, turn_round_off};
use crate::world::joints::errors::{geometry_of, positions, side_frame};
use crate::world::joints::event::{JointEvent, JointEventKind};
use crate::world::joints::state::{AXES, DriveKind, Joint, JointState, JointWorkspace, Joints};
use crate::world::state::World;

/// Whether each axis is at its lower and at its upper bound.
pub(super) type AtBounds = [[bool; 2]; AXES];

/// Returns the bounds of an axis. Two equal ones hold it, and bound nothing; two different lengths of a distance joint are bounds.
fn bounds(joint: &Joint, index: usize) -> [f64; 2] {
    let axis = &joint.axes[index];
    let is_bounded = axis.mode == AxisMode::Limited && axis.held_position().is_none();
    let [lower, upper] = if is_bounded { [axis.lower, axis.upper] } else { [f64::NEG_INFINITY, f64::INFINITY] };
    if index == 0
        && let Some([shortest, longest]) = different_lengths(joint)
    {
        // The least length 0 is no bound.
        return [if shortest > 0.0 { shortest.max(lower) } else { lower }, longest.min(upper)];
    }
    let is_cone = index == 3 && joint.is_ball();
    [if is_cone { f64::NEG_INFINITY } else { lower }, upper]
}

/// Returns the lengths of a distance joint that is no rod.
fn different_lengths(joint: &Joint) -> Option<[f64; 2]> {
    let [shortest, longest] = joint.definition.lengths();
    (joint.definition.kind == JointKind::Distance && shortest != longest).then_some([shortest, longest])
}

/// Returns which bounds each axis is at: its position is there or beyond, up to round-off. `size` is that of the joint [m].
fn at_bounds(joint: &Joint, position: &[f64; AXES], size: f64) -> AtBounds {
    std::array::from_fn(|index| {
        let ([lower, upper], position) = (bounds(joint, index), position[index]);
        let round_off = if index < 3 { length_round_off(size) } else { turn_round_off(position) };
        [position - lower <= round_off, upper - position <= round_off]
    })
}

/// Returns which bounds of each axis carried an impulse in the last substep.
pub(super) fn loaded_bounds(joint: &Joint, state: &JointState) -> AtBounds {
    let mut loaded = state.last.drives.map(|axis| {
        let [lower, upper] = [DriveKind::Lower, DriveKind::Upper].map(|kind| axis[kind as usize]);
        [lower != 0.0, upper != 0.0]
    });
    if different_lengths(joint).is_some() {
        loaded[0][0] |= state.last.locked.iter().any(|impulse| *impulse > 0.0);
        loaded[0][1] |= state.last.locked.iter().any(|impulse| *impulse < 0.0);
    }
    loaded
}

/// Returns which bounds each axis is at, by its place or by what they carried.
fn touched_bounds(joint: &Joint, state: &JointState, size: f64) -> AtBounds {
    let (placed, loaded) = (at_bounds(joint, &state.position, size), loaded_bounds(joint, state));
    std::array::from_fn(|index| [0, 1].map(|side| placed[index][side] || loaded[index][side]))
}

impl JointWorkspace {
    /// Notes which bounds the joint in `slot` is at when a substep ends, and which axes came to one in it.
    pub(super) fn note_bounds(&mut self, slot: usize, joint: &Joint, size: f64) {
        let state = &mut self.states[slot];
        let now = touched_bounds(joint, state, size);
        for (index, (now, before)) in now.iter().zip(&state.is_at_bound).enumerate() {
            self.has_reached_bound[slot][index] |= now.iter().zip(before).any(|(now, before)| *now && !before);
        }
        state.is_at_bound = now;
    }

    /// Lists the events of the step: by slot, then by axis.
    ///
    /// # Errors
    ///
    /// The impulse of a joint is beyond the limits, or memory is exhausted.
    fn find_events(&mut self, joints: &Joints) -> Result<()> {
        let Self { states, is_active, has_reached_bound, events, .. } = self;
        empty(events, 0, "events of joints")?;
        for (slot, joint) in joints.live().filter(|(slot, joint)| is_active[*slot] && joint.acts()) {
            let handle = joints.registry.handle(slot);
            if let Some(impulse) = states[slot].impulse_beyond_limits() {
                return Err(Error::new(
                    ErrorKind::NotFinite,
                    text!(
                        "joint {:#x} would end the step with an impulse of {} N s or N m s, expected at most 1e150; the step was undone",
                        handle.0,
                        Number(impulse)
                    ),
                ));
            }
            let event = |kind, axis: usize| JointEvent { joint: handle, kind, axis: axis as u32 };
            if joint.is_overloaded(&states[slot]) {
                push(events, event(JointEventKind::Broken, 0), "events of joints")?;
            }
            for index in (0..AXES).filter(|index| has_reached_bound[slot][*index]) {
                push(events, event(JointEventKind::Limit, index), "events of joints")?;
            }
        }
        Ok(())
    }
}

impl Joints {
    /// Returns the events of the last completed step, without those of joints that were removed since.
    pub(in crate::world) fn events(&self) -> impl Iterator<Item = &JointEvent> {
        self.events.iter().filter(|event| self.registry.holds(event.joint))
    }
}

impl World {
    /// Returns the events of joints of the last completed step, by the slots of the joints, then by their axes.
    pub fn joint_events(&self) -> impl Iterator<Item = JointEvent> + '_ {
        self.joints.events().copied()
    }

    /// Lists the events of the step that ends.
    pub(in crate::world) fn find_joint_events(&mut self) -> Result<()> {
        self.workspace.joints.find_events(&self.joints)
    }

    /// Returns which bounds the axes of a joint are at now, by their places alone.
    pub(super) fn bounds_now(&self, joint: &Joint) -> AtBounds {
        let now = |slot: usize| self.bodies.motion[slot];
        let geometry = geometry_of(joint, &self.bodies, now);
        let position = positions(joint, &geometry, joint.state.position);
        let reaches = [0, 1].map(|side| {
            let frame = side_frame(joint, side, &self.bodies, now);
            frame.center.norm() + (frame.origin - frame.center).norm()
        });
        at_bounds(joint, &position, 1.0 + reaches.iter().sum::<f64>())
    }
}
