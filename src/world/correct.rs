//! The compatibility correction of a step, on the step's own impulses.

use crate::contact::Compatible;
use crate::error::{Result, reserve, resize};
use crate::math::Vec3;
use crate::world::report::Report;
use crate::world::sight::Sight;
use crate::world::state::{Correction, World};

impl World {
    /// Corrects the impulses of the whole step, if the settings ask for it. Starts from the displacements of the last step.
    pub(in crate::world) fn correct(&mut self, report: &mut Report) -> Result<()> {
        let work = &mut self.workspace;
        let sight = Sight::new(&self.bodies, work.detector.places(), &self.materials, &self.settings);
        let Correction { stiffness, displacements, compatible } = &mut work.correction;
        displacements.clear();
        compatible.clear();
        let Some(elastic) = self.settings.elastic() else { return Ok(()) };
        let (slots, order) = (work.index.slots(), work.index.contacts());
        reserve(displacements, slots.len(), "bodies")?;
        let known = |slot: &u32| self.displacements.get(*slot as usize).copied().unwrap_or_default();
        displacements.extend(slots.iter().map(known));
        stiffness.clear();
        reserve(stiffness, order.len(), "contacts")?;
        let mut mixing = sight.mixing();
        let touches = &work.touches;
        let touch = |place: &u32| sight.touch(&touches.found[*place as usize], touches, &mut mixing);
        stiffness.extend(order.iter().map(touch).map(|touch| touch.surface.stiffness));
        work.assembly.sum_up(order, &work.loads.totals);
        let (problem, impulses) = work.assembly.problem(self.settings.friction());
        let corrected = work.solver.correct(&problem, (impulses, stiffness), &elastic, displacements, compatible)?;
        report.record_correction(&corrected);
        let column = &mut work.loads.compatible;
        resize(column, order.len(), Compatible { normal: 0.0, friction: Vec3::zeros() }, "contacts")?;
        for (place, impulse) in order.iter().zip(&work.correction.compatible) {
            column[*place as usize] = Compatible { normal: impulse.normal, friction: impulse.tangential };
        }
        Ok(())
    }
}
