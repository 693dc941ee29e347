//! What triangles of a mesh leave to their neighbours.

use super::axis::Axis;

/// A triangle near a shape that left its contact to its neighbours.
#[derive(Debug, Clone, Copy)]
pub(super) struct LeftOut {
    pub(super) index: u32,
    /// The axis along which its points are, if it has the contact after all.
    pub(super) axis: Axis,
    /// How deep it overlaps the shape [m].
    pub(super) overlap: f64,
    /// Whether it had points on its edge only.
    pub(super) is_at_edge: bool,
}
