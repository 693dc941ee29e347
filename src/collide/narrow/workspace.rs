//! Memory that the narrow phase reuses from pair to pair.

use super::clip::ClipBuffers;
use super::contact::ContactPoint;
use super::polytope::Storage;

/// Scratch memory; what it holds between calls has no meaning.
#[derive(Debug, Clone, Default)]
pub struct Workspace {
    pub(super) a: Storage,
    pub(super) b: Storage,
    pub(super) clip: ClipBuffers,
    pub(super) triangles: Vec<u32>,
    pub(super) found: Vec<ContactPoint>,
}
