//! What the correction of an island reads and writes.

use crate::solver::compatibility::answer::Displacement;
use crate::solver::compatibility::options::Elastic;
use crate::solver::gauss_seidel::motion::Motion;
use crate::solver::problem::{Impulse, Problem};

/// What the correction of every island reads.
pub(in crate::solver) struct CorrectionInput<'a> {
    pub(in crate::solver) problem: &'a Problem<'a>,
    /// The velocities that the impulses give.
    pub(in crate::solver) motion: &'a Motion,
    pub(in crate::solver) elastic: &'a Elastic,
    /// Contacts that open slower than this count as closed [m/s].
    pub(in crate::solver) closing: f64,
}

/// Impulses and stiffness of all contacts, and where the corrected impulses go.
pub(in crate::solver) struct ContactColumns<'a> {
    pub(in crate::solver) impulses: &'a [Impulse],
    pub(in crate::solver) stiffness: &'a [f64],
    pub(in crate::solver) compatible: &'a mut [Impulse],
    pub(in crate::solver) displacements: &'a mut [Displacement],
}
