//! How the correction went, and from where the next one starts.

/// How the correction went.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Corrected {
    /// Newton steps, the most over the islands.
    pub iterations: u32,
    /// Norm of what is missing in the resultants over the norm of these, the largest over the islands whose
    /// loads can be carried [-].
    pub residual: f64,
    /// Islands whose loads no forces carry; their impulses were left as they are.
    pub infeasible: u32,
    /// Islands that ended above the tolerance.
    pub unconverged: u32,
    /// Islands in which the elastic form did not converge, so that the associated one stands.
    pub associated: u32,
    /// Contacts that count as closed.
    pub closed: u32,
    /// Contacts whose friction is above its bound, which the normal form leaves where it was.
    pub beyond: u32,
    /// What opens more slowly counts as closed [m/s].
    pub closing: f64,
}

/// The displacements of a body in its own measure, from which the next correction starts.
pub type Displacement = [f64; 6];
