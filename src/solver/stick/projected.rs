//! What the stick projection did.

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
