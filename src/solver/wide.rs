//! Kernels that visit several rows side by side, written once over the lanes of `math::lanes`.

pub(in crate::solver) mod general;
mod side;
pub(in crate::solver) mod turning;

pub(in crate::solver) use side::mass_line;
