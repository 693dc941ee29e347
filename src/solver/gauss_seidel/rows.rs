//! The rows of contacts and scalar constraints, in lanes and one by one.
//!
//! | file | owns |
//! |---|---|
//! | `store` | the rows of a problem, and their impulses |
//! | `prepare`, `plan`, `assign`, `assigned` | the lane of each contact, and the order of the visits |
//! | `batches`, `kernels` | contacts of one kind, eight to a batch, and passes over them |
//! | `blocks` | blocks of scalar rows, eight to a batch |
//! | `sweep`, `position`, `phases` | sweeps over velocities and over positions |
//! | `row_targets`, `exchanged` | scalar rows in the sweeps over positions |
//! | `split`, `split_prepare`, `split_visits`, `split_ball`, `split_position` | mechanisms whose rows without bounds are eliminated |
//! | `measure` | residuals and velocities |

mod assign;
pub(in crate::solver) mod assigned;
pub(in crate::solver) mod batches;
pub(in crate::solver) mod blocks;
pub(in crate::solver) mod exchanged;
pub(in crate::solver) mod kernels;
mod measure;
pub(in crate::solver) mod phases;
pub(in crate::solver) mod plan;
mod position;
mod prepare;
mod row_targets;
mod split;
mod split_ball;
mod split_position;
mod split_prepare;
mod split_visits;
mod store;
pub(in crate::solver) mod sweep;

pub(in crate::solver) use position::ContactTargets;
pub use row_targets::{PositionRows, RowTarget};
pub(in crate::solver) use store::Rows;
pub(in crate::solver) use sweep::Pass;
