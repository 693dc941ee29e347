//! The contact solver for hosts that bring their own contacts, without a world.
//!
//! A host that finds contacts by itself fills arrays ([`ContactProblem`], or [`LocalProblem`] if it has no bodies), and gets velocities,
//! impulses and a report back. [`ContactSolver`] keeps impulses by key from call to call, as a world keeps those of its contacts. It uses
//! the [`crate::solver::Solver`] that a step uses.
//!
//! `solver.rs` runs a call: `check.rs` and `keys.rs` check the problem (`problem.rs`), `warm_start.rs` finds the impulses to start from,
//! and `solution.rs` computes the result for each contact. Problems without bodies are in `local_problem.rs`, `local_check.rs` and
//! `local_solve.rs`.

mod check;
mod keys;
mod local_check;
mod local_problem;
mod local_solve;
mod problem;
mod solution;
mod solver;
mod warm_start;

#[cfg(test)]
mod tests;

pub use local_check::block_count;
pub use local_problem::LocalProblem;
pub use problem::ContactProblem;
pub use solution::ContactSolution;
pub use solver::ContactSolver;
