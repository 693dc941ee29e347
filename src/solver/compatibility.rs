//! The compatibility correction: of all contact forces that move the bodies alike, those that stiff elastic contacts
//! would carry in the limit.
//!
//! With the displacements `z` of the bodies, `e = -A z` how far each contact is pressed together and sheared, the forces
//! `f` are a function of `e` alone (`law`), and the resultants on all bodies are to be those of the given impulses:
//!
//! ```text
//! A^T f(-A z) = F,     F = A^T lambda
//! ```
//!
//! [K] (36), in its displacement form (32); with friction the same on the cone. Where the law has a potential this is the
//! least of a convex function, without bounds: a semismooth Newton method with a line search finds it (`newton`). Knows
//! contacts, impulses and stiffness, never shapes or places.
//!
//! | file | owns |
//! |---|---|
//! | `law` | the force of one contact, and its derivative |
//! | `network` | an island's contacts as rows over the displacements |
//! | `blocks` | the Newton matrix |
//! | `linear` | its solution: conjugate gradients, or a factorisation |
//! | `newton` | the minimum |
//! | `interior` | the same for exponents below 2 |
//! | `elastic`, `unsymmetric` | the equilibrium of the elastic form, which is no minimum; its Newton matrix |
//! | `correct` | the contacts that count, the islands, the report |

mod blocks;
mod correct;
mod elastic;
mod interior;
pub(in crate::solver) mod law;
mod linear;
mod network;
mod newton;
mod unsymmetric;

pub(in crate::solver) use correct::Compatibility;

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
