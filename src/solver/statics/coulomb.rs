//! Coulomb's law of a static problem, followed from the associated answer.

use crate::error::Result;
use crate::solver::conic::program::{DOF, Program};
use crate::solver::statics::stress::LeastStress;

/// Follows it; keeps its workspace.
#[derive(Debug, Default)]
pub(super) struct Coulomb {
    /// Newton steps.
    pub(super) steps: u32,
}

impl Coulomb {
    pub(super) fn find(
        &mut self,
        _program: &Program,
        _stress: &LeastStress,
        _x: &mut [[f64; DOF]],
        _lambda: &mut [f64],
    ) -> Result<bool> {
        Ok(false)
    }
}
