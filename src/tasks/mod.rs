//! Tasks: work in pieces that may run at the same time, and what runs them.
//!
//! A stage cuts its arrays into pieces of a fixed size ([`each_piece`], [`reduce`]) and passes them to [`Tasks`]. They
//! run on the calling thread ([`Serial`]), on threads of drystone's own ([`Pool`], feature `threads`), or on the host's
//! (`ffi`). Each piece writes only its own data, and the pieces do not depend on the number of threads. Results are
//! therefore the same bit for bit.

pub mod clock;
pub mod pieces;
#[cfg(feature = "threads")]
pub mod pool;
pub mod run;
pub mod shared;

#[cfg(test)]
pub(crate) mod tests;

pub use clock::Clock;
pub use pieces::{Cut, OrEmpty, each_pair_of_pieces, each_piece, each_piece_of, each_span, each_span_of, reduce};
#[cfg(feature = "threads")]
pub use pool::Pool;
pub use run::{Serial, Tasks, overlap_serial};
pub use shared::SharedRun;
