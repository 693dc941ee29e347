//! Bring your own contacts: the solver without a world.
//!
//! A host that finds contacts by itself hands over arrays ([`OwnProblem`], or [`LocalProblem`] where it has no bodies),
//! and gets velocities, impulses and a report back. What a world keeps between steps a host's [`OwnSolver`] keeps
//! between calls: impulses by key, and the workspace. It is the same [`crate::solver::Solver`] that a step uses.
//!
//! `problem.rs` is what is given, `check.rs` and `keys.rs` refuse what cannot be solved, `memory.rs` remembers,
//! `answer.rs` is what is told of a contact, `solver.rs` joins them; `local.rs` and `local_check.rs` are the same for
//! problems without bodies.

mod answer;
mod check;
mod keys;
mod local;
mod local_check;
mod memory;
mod problem;
mod solver;

#[cfg(test)]
mod tests;

pub use answer::ContactSolution;
pub use local::LocalProblem;
pub use local_check::block_count;
pub use problem::OwnProblem;
pub use solver::OwnSolver;
