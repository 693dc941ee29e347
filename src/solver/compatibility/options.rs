//! The settings of the correction, its input and output, and its report.

use crate::solver::gauss_seidel::motion::Motion;
use crate::solver::problem::{Impulse, Impulses, Problem};

/// The treatment of friction by the correction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The associated form in islands whose contacts have friction, and the normal form in the others. There the two
    /// are the same.
    Auto,
    /// Corrects normal forces; friction stays as it is.
    Normal,
    /// Friction on the cone, in the convex form: a contact that slides increases its own compression.
    Associated,
    /// The forces of stiff elastic contacts under a load that grows in proportion. Sliding does not change the normal
    /// force.
    Elastic,
}

/// The elastic law of the correction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Elastic {
    /// `p`, above 1. A force is proportional to the compression to the power `p - 1`: 2 is Hooke's law, 5/2 is Hertz's.
    pub exponent: f64,
    /// The treatment of friction.
    pub form: Form,
    /// The tangential stiffness over the normal stiffness, above 0 [-].
    pub ratio: f64,
    /// The accuracy to which resultants must agree, relative to their norm [-].
    pub tolerance: f64,
    /// Contacts that open slower than this, or than ten times the residual, count as closed [m/s].
    pub closing: f64,
    /// The largest part of a bias that counts as a tiny gap and is ignored. It is divided by the longer arm to a moving
    /// body [1/s].
    ///
    /// The gaps of a pile at rest differ by round-off of its positions, and by the way in which it came to rest.
    /// Without this limit such differences would decide which contacts are closed, and hence their forces.
    pub touching: f64,
}

/// The impulses of all contacts of a problem, and the stiffness of each contact.
#[derive(Debug, Clone, Copy)]
pub struct StiffContacts<'a> {
    /// The impulses to be corrected, those of rows included.
    pub impulses: &'a Impulses,
    /// One number above 0 for each contact. Only ratios matter: to each other, and to the inverse of the compliance of
    /// rows.
    pub stiffness: &'a [f64],
    /// The part of each normal bias that is no gap: how fast the surfaces part where the bodies are at rest [m/s]. Empty: 0 at all.
    pub openings: &'a [f64],
}

/// The report of the correction.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Corrected {
    /// The largest number of Newton steps of an island.
    pub iterations: u32,
    /// The norm of the residual of the resultants over their norm. This is the largest value over the islands whose
    /// loads can be carried [-].
    pub residual: f64,
    /// The number of islands whose loads no forces carry. Their impulses are unchanged.
    pub infeasible: u32,
    /// The number of islands that ended above the tolerance.
    pub unconverged: u32,
    /// The number of islands in which the elastic form did not converge. The associated form is kept there.
    pub associated: u32,
    /// The number of contacts that count as closed.
    pub closed: u32,
    /// The number of contacts whose friction is above its bound. The normal form leaves friction unchanged.
    pub beyond: u32,
    /// The number of islands in which a part of the impulses still depends on the solver. These are friction, torques
    /// or rows whose impulses depend on each other, or all impulses if no forces were found. Islands count too if their
    /// residual permits other resultants, or if held rows depend on others.
    pub undetermined: u32,
    /// Contacts that open more slowly than this count as closed [m/s].
    pub closing: f64,
}

/// The displacements of a body in its own units, from which the next correction starts.
pub type Displacement = [f64; 6];

/// The input of the correction of every island.
pub(in crate::solver) struct CorrectionInput<'a> {
    pub(in crate::solver) problem: &'a Problem<'a>,
    /// See [`StiffContacts::openings`].
    pub(in crate::solver) openings: &'a [f64],
    /// The velocities that result from the impulses.
    pub(in crate::solver) motion: &'a Motion,
    pub(in crate::solver) elastic: &'a Elastic,
    /// Contacts that open slower than this count as closed [m/s].
    pub(in crate::solver) closing: f64,
    /// Whether the impulses are given, not solved for.
    pub(in crate::solver) is_given: bool,
    /// The error of the impulses with respect to the laws of contacts, as a velocity [m/s].
    pub(in crate::solver) missing: f64,
}

/// The impulses and stiffness of all contacts, the impulses of all rows, and the memory for the corrected impulses.
pub(in crate::solver) struct ContactColumns<'a> {
    pub(in crate::solver) impulses: &'a [Impulse],
    pub(in crate::solver) row_impulses: &'a [f64],
    pub(in crate::solver) stiffness: &'a [f64],
    pub(in crate::solver) compatible: &'a mut [Impulse],
    pub(in crate::solver) compatible_rows: &'a mut [f64],
    pub(in crate::solver) displacements: &'a mut [Displacement],
}
