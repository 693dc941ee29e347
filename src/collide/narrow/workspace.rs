//! Memory that the narrow phase reuses from pair to pair.

use super::clip::{Corner, Side};
use super::contact::ContactPoint;
use super::polytope::Bars;
use crate::math::Vec3;

/// Scratch memory; what it holds between calls has no meaning.
#[derive(Debug, Clone, Default)]
pub struct Workspace {
    pub(super) a: Storage,
    pub(super) b: Storage,
    pub(super) clip: ClipBuffers,
    pub(super) triangles: Vec<u32>,
    pub(super) found: Vec<ContactPoint>,
}

/// Corners and face normals of one shape in the axes of the pair.
#[derive(Debug, Clone, Default)]
pub(super) struct Storage {
    pub(super) vertices: Vec<Vec3>,
    pub(super) normals: Vec<Vec3>,
    /// If it is a box.
    pub(super) bars: Bars,
}

/// The polygon that is being clipped, and the one that is being made of it.
#[derive(Debug, Clone, Default)]
pub(super) struct ClipBuffers {
    pub(super) polygon: Vec<Corner>,
    pub(super) next: Vec<Corner>,
    /// The side planes it is clipped against.
    pub(super) sides: Vec<Side>,
}
