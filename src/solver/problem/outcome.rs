//! What a solve reports.

/// A contact or a scalar row, by its index in the problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The number of a contact.
    Contact(usize),
    /// Of [`Problem::rows`](crate::solver::Problem::rows).
    Row(usize),
}

/// The result of a solve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    /// The most over the islands.
    pub iterations: u32,
    /// Islands solved.
    pub islands: u32,
    /// Islands that were too large for the chosen method, and were solved by sweeps.
    pub fallbacks: u32,
    /// What the stick projection did.
    pub projection: Projected,
    /// How long the projection took [s].
    pub seconds_project: f64,
    /// Largest residual before the projection [m/s].
    pub solver_residual: f64,
    /// Largest residual over contacts and rows [m/s].
    pub residual_max: f64,
    /// Mean residual over contacts and rows [m/s].
    pub residual_mean: f64,
    /// Where the residual is largest.
    pub worst: Option<Place>,
}

/// What was done over the islands.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::solver) struct Done {
    pub(in crate::solver) islands: u32,
    pub(in crate::solver) iterations: u32,
    pub(in crate::solver) fallbacks: u32,
    pub(in crate::solver) projection: Projected,
    pub(in crate::solver) seconds_project: f64,
}

/// What the projection did, on one island or over several.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Projected {
    /// Passes, the most over the islands.
    pub passes: u32,
    /// Islands projected.
    pub islands: u32,
    /// Islands whose residual did not fall, which were left as the sweeps had them.
    pub rejected: u32,
    /// The largest residual before it over all islands [m/s].
    pub before: f64,
}

impl Projected {
    /// Over the islands of both.
    pub fn and(&self, other: &Self) -> Self {
        Self {
            passes: self.passes.max(other.passes),
            islands: self.islands + other.islands,
            rejected: self.rejected + other.rejected,
            before: self.before.max(other.before),
        }
    }
}
