//! How far ahead each loop prefetches: the one table of distances, and the sizes below which prefetching does not pay.

/// Active bodies ahead in loops over bodies. Where an index leads to the value, the index is prefetched twice as far.
pub const BODIES_AHEAD: usize = 4;

/// Batches ahead in the sweep for the lines of their bodies.
pub const SWEEP_BODIES_AHEAD: usize = 2;

/// Batches ahead in the sweep for the batches themselves.
pub const SWEEP_BATCHES_AHEAD: usize = 8;

/// Batches ahead when the solver fills batches.
pub const FILL_AHEAD: usize = 1;

/// Batches ahead when the world computes the geometry of contacts.
pub const GEOMETRY_AHEAD: usize = 2;

/// Contacts ahead when impulses are read from batches.
pub const CONTACTS_AHEAD: usize = 8;

/// Up to this number of bodies nothing is prefetched for batches. A sweep then needs about 0.8 MB, which stays in the
/// second cache of most machines.
pub const FEW_BODIES: usize = 2048;

/// A batch of at most this many bytes leaves room in the first cache for the lines of the bodies of the next ones. For
/// larger batches, general ones and those with rolling, the lines go into the second cache: 32 kB are too few for both.
pub const SMALL_BATCH: usize = 1024;
