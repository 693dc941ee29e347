//! The compatibility correction of a step, on the step's own impulses.

use crate::error::{Result, reserve, resize};
use crate::math::Impulse;
use crate::math::lanes::WIDE;
use crate::world::report::Report;
use crate::world::readback::ReadbackContext;
use crate::world::state::{Correction, World};

impl World {
    /// Corrects the impulses of the whole step, if the settings ask for it. Starts from the displacements of the last step.
    pub(in crate::world) fn correct(&mut self, report: &mut Report) -> Result<()> {
        let work = &mut self.workspace;
        let readback = ReadbackContext::new(&self.bodies, work.detector.places(), &self.materials, &self.settings);
        let Correction { stiffness, displacements, compatible, whole } = &mut work.correction;
        displacements.clear();
        compatible.clear();
        let Some(elastic) = self.settings.elastic() else { return Ok(()) };
        let (slots, order) = (work.index.slots(), work.index.places());
        reserve(displacements, slots.len(), "bodies")?;
        let known = |slot: &u32| self.displacements.get(*slot as usize).copied().unwrap_or_default();
        displacements.extend(slots.iter().map(known));
        stiffness.clear();
        reserve(stiffness, order.len(), "contacts")?;
        let mut mixing = readback.mixing();
        let touches = &work.touches;
        let surface = |place: &u32| readback.surface(&touches.found[*place as usize], touches, &mut mixing);
        stiffness.extend(order.iter().map(surface).map(|surface| surface.stiffness));
        let totals = &work.loads.totals;
        // of the whole step; where it had a single substep, those of that one
        whole.contacts.clear();
        whole.torques.clear();
        reserve(&mut whole.contacts, totals.len(), "contacts")?;
        let (problem, last) = work.assembly.listed(self.settings.friction());
        if !totals.is_empty() {
            let total = |lane: &u32| &totals[*lane as usize];
            let lanes = work.solver.lane_of();
            whole.contacts.extend(lanes.iter().map(total).map(|total| Impulse::force(total.normal, total.friction)));
            let turning = if last.torques.is_empty() { &[] } else { lanes };
            reserve(&mut whole.torques, turning.len(), "contacts")?;
            whole.torques.extend(turning.iter().map(|lane| total(lane).torque));
        }
        let impulses = if totals.is_empty() { last } else { whole };
        let corrected = work.solver.correct(&problem, (impulses, stiffness), &elastic, displacements, compatible)?;
        report.record_correction(&corrected);
        let column = &mut work.loads.compatible;
        column.clear();
        resize(column, WIDE * work.solver.lanes().len(), Impulse::ZERO, "contacts")?;
        for (impulse, lane) in compatible.iter().zip(work.solver.lane_of()) {
            column[*lane as usize] = *impulse;
        }
        Ok(())
    }
}
