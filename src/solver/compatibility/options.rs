//! The elastic law of the correction, what it does with friction, and the impulses that it corrects.

use crate::solver::problem::Impulses;

/// What the correction does with friction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Corrects normal forces; friction stays as it is.
    Normal,
    /// Friction on the cone, in the convex form: a contact that slides presses itself apart.
    Associated,
    /// What stiff elastic contacts give under a load that grows in proportion: sliding leaves the normal force alone.
    Elastic,
}

/// The elastic law of the correction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Elastic {
    /// `p`, above 1: a force grows as the compression to the power `p - 1`. 2 is Hooke, 5/2 is Hertz.
    pub exponent: f64,
    /// What happens to friction.
    pub form: Form,
    /// Tangential over normal stiffness, above 0 [-].
    pub ratio: f64,
    /// To which resultants are to agree, relative to their norm [-].
    pub tolerance: f64,
    /// Contacts that open slower than this, or than ten times the residual, count as closed [m/s].
    pub closing: f64,
}

/// The impulses of all contacts of a problem, and how stiff each contact is.
#[derive(Debug, Clone, Copy)]
pub struct StiffContacts<'a> {
    /// The impulses to be corrected.
    pub impulses: &'a Impulses,
    /// One number above 0 for each contact; only ratios matter.
    pub stiffness: &'a [f64],
}
