//! Elementary functions of joints, from the crate `libm` as those of `math::elementary`: the same bits on every machine.

pub(super) use libm::{atan2, exp, expm1};
