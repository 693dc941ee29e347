//! Tasks: work in pieces that may run at the same time, and who runs them.
//!
//! A stage cuts its arrays into pieces of a fixed size ([`each_piece`], [`reduce`]) and hands them to [`Tasks`]: to the
//! calling thread ([`Alone`]), to threads of drystone's own ([`Pool`], feature `threads`), or to the host's (`ffi`).
//! What a piece writes is its own, and pieces do not depend on how many threads there are, so results do not either:
//! they are the same bit for bit.

pub mod beside;
pub mod pieces;
#[cfg(feature = "threads")]
pub mod pool;
pub mod reduction;
pub mod shared;

#[cfg(test)]
pub(crate) mod tests;

pub use beside::beside;
pub use pieces::{
    each_job, each_pair_of_pieces, each_piece, each_piece_of, each_span, each_span_of, each_triple_of_pieces,
};
#[cfg(feature = "threads")]
pub use pool::Pool;
pub use reduction::reduce;
pub use shared::Shared;

/// Whoever runs the pieces of a stage.
pub trait Tasks: Send + Sync + std::fmt::Debug {
    /// How many threads work at most, the caller of [`Tasks::run`] included.
    fn workers(&self) -> usize;

    /// Calls `work(0)` to `work(count - 1)`, each once, on any threads and in any order, and returns when all are done;
    /// nothing runs after that. A panic of `work` reaches the caller as a panic once every piece has ended.
    fn run(&self, count: usize, work: &(dyn Fn(usize) + Sync));
}

/// The calling thread, in order.
#[derive(Debug, Clone, Copy, Default)]
pub struct Alone;

impl Tasks for Alone {
    fn workers(&self) -> usize {
        1
    }

    fn run(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        (0..count).for_each(work);
    }
}
