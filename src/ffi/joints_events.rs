//! The events of joints in the last step.

use crate::world::{JointEvent, JointEventKind};

use super::guard;
use super::handle::{self, dry_joint, dry_world};
use super::status_code::dry_status;

/// The kind of an event of a joint. More may be added.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum dry_joint_event_type {
    /// A load above a bound of its definition broke it. dry_joint_get_state still has the forces of that step.
    DRY_JOINT_EVENT_BROKEN = 0,
    /// An axis came to a bound at which it was not before: its position reached the bound, or the bound began to carry a
    /// force. The two lengths of a rope or strut are bounds of axis 0. Two equal bounds hold an axis and have no events.
    DRY_JOINT_EVENT_LIMIT = 1,
}

/// An event of a joint in the last step. Frozen: it never changes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct dry_joint_event {
    /// The joint.
    pub joint: dry_joint,
    /// The kind of the event.
    pub r#type: dry_joint_event_type,
    /// Of DRY_JOINT_EVENT_LIMIT: the index of the axis, 0 to 5. Else 0.
    pub axis: u32,
}

impl From<JointEvent> for dry_joint_event {
    fn from(event: JointEvent) -> Self {
        let kind = match event.kind {
            JointEventKind::Broken => dry_joint_event_type::DRY_JOINT_EVENT_BROKEN,
            JointEventKind::Limit => dry_joint_event_type::DRY_JOINT_EVENT_LIMIT,
        };
        Self { joint: event.joint.0, r#type: kind, axis: event.axis }
    }
}

/// Lists the events of joints in the last step. Each event is listed once, even if the step had several substeps.
/// Events are sorted by the index of the joint, the lower 32 bits of its handle. For one joint a break comes first,
/// then the others by axis. A joint that is added or changed at a bound counts as being there. Before the first step
/// there are no events; those of removed joints are omitted.
///
/// events: receives them if there is room for all; with NULL and capacity 0 the call returns the number alone.
/// capacity: events that there is room for. Too few: DRY_ERR_CAPACITY, and only count is written.
/// count: receives the number of events.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_query_joint_events(
    world: *const dry_world,
    events: *mut dry_joint_event,
    capacity: usize,
    count: *mut usize,
) -> dry_status {
    guard::run("dry_query_joint_events", || {
        // SAFETY: the host gives room for `capacity` events, and a place for a number.
        let (world, buffer) = unsafe {
            (handle::of(world)?, guard::buffer("events", events, size_of::<dry_joint_event>(), capacity, count)?)
        };
        world.read(|world| {
            buffer.fill("events", world.joint_events().count(), world.joint_events().map(dry_joint_event::from))
        })
    })
}
