//! How the work on bodies is cut into pieces.

/// The number of bodies in a piece of work. A smaller piece costs more to hand out; a larger one leaves threads idle at the end.
pub(in crate::world) const BODIES_PER_PIECE: usize = 128;
