//! What triangles of a mesh leave to their neighbours, and where they stand in for them.

use super::axis::Axis;
use super::polytope::Polytope;

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

impl LeftOut {
    /// Returns the triangle with this index, which the axis separates most from a shape.
    pub(super) fn of(index: u32, axis: Axis, shape: &Polytope) -> Self {
        Self { index, axis, overlap: shape.radius - axis.separation, is_at_edge: false }
    }

    /// Replaces the nearest one, if this one is nearer.
    pub(super) fn note(self, nearest: &mut Option<Self>) {
        if nearest.as_ref().is_none_or(|nearest| self.overlap > nearest.overlap) {
            *nearest = Some(self);
        }
    }
}

/// Contacts of a face that stands in for an edge between it and a neighbour in its plane, at any depth.
#[derive(Debug, Clone, Copy)]
pub(super) struct StandIn {
    /// The first of them among the contacts found, and the one behind them.
    pub(super) first: usize,
    pub(super) end: usize,
    pub(super) axis: Axis,
    /// [m]
    pub(super) depth: f64,
    /// Whether that is a large part of the shape.
    pub(super) is_large: bool,
    /// Whether the shape is beside the face.
    pub(super) is_beside: bool,
}
