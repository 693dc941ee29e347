//! The rows of contacts and scalar constraints, in lanes and one by one.
//!
//! | file | owns |
//! |---|---|
//! | `store` | the rows of a problem |
//! | `prepare`, `plan`, `assign`, `window` | the lane of each contact, and the order of the visits |
//! | `batches`, `phases`, `kernels` | contacts of one kind, eight to a batch, and passes over them |
//! | `sweep`, `position` | sweeps over velocities and over positions |
//! | `measure`, `measured`, `read` | residuals and impulses |

mod assign;
pub(in crate::solver) mod batches;
pub(in crate::solver) mod kernels;
mod measure;
mod measured;
pub(in crate::solver) mod phases;
pub(in crate::solver) mod plan;
mod position;
mod prepare;
mod read;
pub(in crate::solver) mod row_ref;
mod store;
mod sweep;
pub(in crate::solver) mod window;

pub(in crate::solver) use store::Rows;
pub(in crate::solver) use sweep::Pass;
