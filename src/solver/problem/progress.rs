//! What an iteration on one island came to.

/// How many iterations were done, and what they left.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Sweeps, steps: what the solver counts.
    pub iterations: u32,
    /// The largest residual of the impulses it ended with [m/s].
    pub residual: f64,
}
