//! Contacts solved eight at a time: the batches of the sweep, and the lines of the bodies that they work on.
//!
//! A body is one line of the cache, `[v.x v.y v.z  1/m  w.x w.y w.z  1/I]`, gathered and transposed in registers, or its
//! first half where nothing turns. The rest of its mass, which general contacts need, is in a second, read-only line,
//! `[Ixx Iyy Izz Ixy Iyz Ixz  1/m_y 1/m_z]` (inverses). Contacts add their changes to the lines and store no velocities.
//! A batch has eight contacts, each number of all eight side by side.
//!
//! A batch may hold contacts with a common moving body as long as it is swept lane by lane. The sweep chooses the
//! width, and with it the order of visits.

pub(in crate::solver) mod batch;
pub(in crate::solver) mod block;
pub(in crate::solver) mod central;
mod cone;
pub(in crate::solver) mod general;
pub(in crate::solver) mod lines;
pub(in crate::solver) mod masses;
pub(in crate::solver) mod residual;
pub(in crate::solver) mod turning;

pub(in crate::solver) use batch::{
    ANISOTROPIC, BatchInput, ContactBatch, EXTRA, Extras, PrepareContext, SweepBatch, TURNING,
};
pub(in crate::solver) use lines::SweepContext;
