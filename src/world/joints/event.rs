//! What happened to a joint in a step.

use crate::id::Handle;

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum JointEventKind {
    /// A load above a bound of its definition broke the joint.
    Broken = 0,
    /// An axis came to a bound at which it was not before.
    Limit = 1,
}

/// An event of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JointEvent {
    /// The joint.
    pub joint: Handle,
    /// What happened to it.
    pub kind: JointEventKind,
    /// The axis that came to a bound; 0 of a joint that broke.
    pub axis: u32,
}
