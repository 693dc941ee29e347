//! An observer that is called between the iterations of a solve, and may end the solve.
//!
//! An iteration is a sweep, a step of another method, a round of the stick projection, or a step of the compatibility correction. The methods
//! call on the thread that solves, and never from a sweep. A solve without an observer is not affected.

use std::fmt::Debug;
use std::sync::Arc;

use crate::error::Result;

/// Receives a call between the iterations of a solve.
pub trait Observer: Debug + Send + Sync {
    /// Is called after each iteration. An error ends the solve.
    fn iterated(&self) -> Result<()>;
}

/// The observer of a solver, if it has one.
#[derive(Debug, Clone, Default)]
pub struct Monitor(Option<Arc<dyn Observer>>);

impl Monitor {
    /// Returns a monitor that calls `observer`.
    pub fn new(observer: Arc<dyn Observer>) -> Self {
        Self(Some(observer))
    }

    /// Calls the observer, if there is one, after an iteration.
    ///
    /// # Errors
    ///
    /// Those of the observer. They end the solve.
    pub fn iterated(&self) -> Result<()> {
        self.0.as_ref().map_or(Ok(()), |observer| observer.iterated())
    }
}
