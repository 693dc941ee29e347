//! Contacts solved eight at a time: the batches of the sweep, and the lines of the bodies that they work on.
//!
//! A body is one line of the cache, `[v.x v.y v.z  1/m  w.x w.y w.z  1/I]`, gathered and transposed in registers, or its
//! first half where nothing turns. What general contacts need of its mass besides is in a second, read-only line,
//! `[Ixx Iyy Izz Ixy Iyz Ixz  1/m_y 1/m_z]` (inverses). Contacts add their changes to the lines and store no velocities.
//! A batch has eight contacts, each number of all eight side by side.
//!
//! A batch may hold contacts with a common moving body as long as it is swept lane by lane: the width is the sweep's
//! choice, and the order of visits with it.

pub(super) mod batch;
pub(super) mod body_cache;
pub(super) mod central;
pub(super) mod context;
pub(super) mod general;
pub(super) mod kind;
pub(super) mod lines;
pub(super) mod masses;
pub(super) mod measure;
pub(super) mod prefetch;
pub(super) mod residual;
pub(super) mod side;
pub(super) mod turning;
pub(super) mod write;

pub(super) use batch::{ANISOTROPIC, Batch, EXTRA, TURNING};
pub(super) use context::{BatchInput, Extras, PrepareContext, SweepContext};
pub(super) use write::Write;
