//! A visit of state: every number of it, in an order that depends on the state alone.
//!
//! Each type with state has a function `visit_state`, which destructures the type without `..`. A new field does not compile until that
//! function says what it is. A field that is not visited is named with the reason. [`Hash`] and [`Comparison`] are two visitors; all
//! visitors see the same.

mod visitor;

#[cfg(test)]
pub(crate) mod tests;

pub use visitor::{Comparison, Hash, Recorded, StateVisitor};
