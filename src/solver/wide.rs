//! Contacts solved eight at a time: the kernels of the sweep, and the lines of the bodies that they work on.
//!
//! A body is one line of the cache, `[v.x v.y v.z  w.x w.y w.z  1/m  1/I]`, gathered and transposed in registers; what
//! general contacts need of its mass besides stands in a second line, `[Ixx Iyy Izz Ixy Iyz Ixz  1/m_y 1/m_z]` (inverses),
//! which is never written. Contacts stand in batches of eight, each number of all eight side by side.
//!
//! A batch may hold contacts with a common moving body as long as it is swept lane by lane: the width is the sweep's
//! choice, and the order of visits with it.

pub(super) mod central;
pub(super) mod lines;
