//! The compatibility correction of a step, on the step's own impulses.

use crate::error::{Result, reserve};
use crate::world::report::Report;
use crate::world::state::{Correction, World};

impl World {
    /// Corrects the impulses of the whole step, if the settings ask for it. Starts from the displacements of the last step.
    pub(in crate::world) fn correct(&mut self, report: &mut Report) -> Result<()> {
        let work = &mut self.workspace;
        let Correction { stiffness, displacements, compatible } = &mut work.correction;
        displacements.clear();
        compatible.clear();
        let Some(elastic) = self.settings.elastic() else { return Ok(()) };
        reserve(displacements, self.displacements.len(), "bodies")?;
        displacements.extend_from_slice(&self.displacements);
        stiffness.clear();
        reserve(stiffness, work.contacts.len(), "contacts")?;
        stiffness.extend(work.contacts.iter().map(|touch| touch.stiffness));
        work.assembly.sum_up(&work.totals);
        let (problem, impulses) = work.assembly.problem(self.settings.friction());
        let corrected = work.solver.correct(&problem, (impulses, stiffness), &elastic, displacements, compatible)?;
        report.record_correction(&corrected);
        for (touch, impulse) in work.contacts.iter_mut().zip(&work.correction.compatible) {
            (touch.compatible_normal, touch.compatible_friction) = (impulse.normal, impulse.tangential);
        }
        Ok(())
    }
}
