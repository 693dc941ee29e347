//! Anderson acceleration of whatever can be swept.

pub mod anderson;
pub(in crate::solver) mod secants;
