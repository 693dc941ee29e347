//! Projected Gauss-Seidel: sweeps over the contacts and rows of bodies.
//!
//! | file | owns |
//! |---|---|
//! | `sweeps` | the trait of islands that can be swept, and the loop of plain sweeps |
//! | `bodies`, `motion` | an island of bodies, and velocities from impulses |
//! | `rows`, `packer` | rows in lanes, and the order of the visits |
//! | `wide` | batches of eight contacts: central and general ones |
//! | `scalar` | rows that are visited one by one |
//! | `local`, `disc`, `shift`, `small` | one contact solved exactly |
//! | `associated`, `rule` | the same with the associated law; the law of a sweep as a type |

pub(in crate::solver) mod associated;
pub(in crate::solver) mod bodies;
pub(in crate::solver) mod disc;
pub mod local;
pub(in crate::solver) mod motion;
pub mod packer;
pub(in crate::solver) mod rows;
pub(in crate::solver) mod rule;
pub(in crate::solver) mod scalar;
pub(in crate::solver) mod shift;
pub(in crate::solver) mod small;
pub mod sweeps;
pub(in crate::solver) mod wide;
