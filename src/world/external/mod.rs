//! The contact solver for hosts that bring their own contacts, without a world.
//!
//! A host that finds contacts by itself fills arrays: a [`ContactProblem`], or a [`LocalProblem`] if it has no
//! bodies. It gets velocities, impulses and a report back. [`ContactSolver`] keeps impulses by key from call to call,
//! as a world keeps those of its contacts. It uses the same [`crate::solver::Solver`] as a step.
//!
//! `solver.rs` runs a call: `problem.rs` checks the problem, `warm_start.rs` checks its keys and finds the impulses to start from, and
//! `debts.rs` finds what the stick projection has spent on it.
//! Problems without bodies are in `local_problem.rs` and `local_solve.rs`.

mod debts;
mod local_problem;
mod local_solve;
mod problem;
mod saved;
mod solver;
mod warm_start;

#[cfg(test)]
mod tests;

pub use local_problem::{LocalProblem, block_count};
pub use problem::ContactProblem;
pub use solver::{ContactSolution, ContactSolver};
