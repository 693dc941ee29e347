//! The settings of the correction, what it reads and writes, and its report.

use crate::solver::gauss_seidel::motion::Motion;
use crate::solver::problem::{Impulse, Impulses, Problem};

/// What the correction does with friction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The associated form in islands whose contacts have friction, the normal form in the others, where they are the same.
    Auto,
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
    /// The largest part of a bias that counts as a tiny gap and is ignored, over the longer arm to a moving body [1/s].
    ///
    /// The gaps of a pile at rest differ by round-off of its positions, and by how it came to rest. If that decided which contacts count, it
    /// would decide their forces.
    pub touching: f64,
}

/// The impulses of all contacts of a problem, and how stiff each contact is.
#[derive(Debug, Clone, Copy)]
pub struct StiffContacts<'a> {
    /// The impulses to be corrected, those of rows included.
    pub impulses: &'a Impulses,
    /// One number above 0 for each contact; only ratios matter, to each other and to the inverse of the compliance of rows.
    pub stiffness: &'a [f64],
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
    /// Islands in which a part of the impulses remains the solver's choice. These are friction, torques or rows whose
    /// impulses depend on each other, or all impulses where no forces were found. Islands whose resultants the residual
    /// leaves open count too, and so do rows that follow from others.
    pub undetermined: u32,
    /// What opens more slowly counts as closed [m/s].
    pub closing: f64,
}

/// The displacements of a body in its own measure, from which the next correction starts.
pub type Displacement = [f64; 6];

/// What the correction of every island reads.
pub(in crate::solver) struct CorrectionInput<'a> {
    pub(in crate::solver) problem: &'a Problem<'a>,
    /// The velocities that the impulses give.
    pub(in crate::solver) motion: &'a Motion,
    pub(in crate::solver) elastic: &'a Elastic,
    /// Contacts that open slower than this count as closed [m/s].
    pub(in crate::solver) closing: f64,
    /// Whether the impulses are given, not solved for.
    pub(in crate::solver) is_given: bool,
    /// What impulses may lack for all contacts to obey their laws, as a velocity [m/s].
    pub(in crate::solver) missing: f64,
}

/// Impulses and stiffness of all contacts, the impulses of all rows, and where the corrected impulses go.
pub(in crate::solver) struct ContactColumns<'a> {
    pub(in crate::solver) impulses: &'a [Impulse],
    pub(in crate::solver) row_impulses: &'a [f64],
    pub(in crate::solver) stiffness: &'a [f64],
    pub(in crate::solver) compatible: &'a mut [Impulse],
    pub(in crate::solver) compatible_rows: &'a mut [f64],
    pub(in crate::solver) displacements: &'a mut [Displacement],
}
