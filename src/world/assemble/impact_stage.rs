//! Prepares the impact stage after its contacts were written. It starts from zero impulses, and solves only islands in which a contact rebounds.

use crate::contact::Marks;
use crate::error::{Result, resize};
use crate::math::Impulse;
use crate::math::lanes::WIDE;
use crate::math::limits::APART;
use crate::solver::ContactBuffer;
use crate::solver::problem::contacts::occupied;
use crate::world::assemble::assembly::Assembly;
use crate::world::assemble::impacts::FilledLanes;
use crate::world::assemble::restitution::Impacts;

impl FilledLanes<'_> {
    /// Zeroes the impulses from which contacts start. Notes the `has_impact` islands, those in which a contact rebounds, and takes all others out.
    pub(super) fn begin_impacts(
        &self,
        buffer: &mut ContactBuffer,
        impacts: &mut Impacts,
        has_impact: &mut Vec<bool>,
    ) -> Result<()> {
        buffer.impulses.fill(Impulse::ZERO);
        impacts.start.fill(Impulse::ZERO);
        buffer.optional.iter_mut().for_each(|optional| optional.torque = Default::default());
        has_impact.fill(false);
        resize(has_impact, self.solver.islands().len(), false, "islands")?;
        let island_of = |contact| self.solver.island_of(contact);
        for (lanes, state) in self.lanes.iter().zip(self.states) {
            for (_, contact) in occupied(lanes).filter(|(lane, _)| state.marks[*lane].has(Marks::REBOUNDS)) {
                if let Some(island) = island_of(contact) {
                    has_impact[island] = true;
                }
            }
        }
        for (lanes, contacts) in self.lanes.iter().zip(&mut buffer.contacts) {
            for (lane, contact) in occupied(lanes) {
                if island_of(contact).is_none_or(|island| !has_impact[island]) {
                    contacts.bias.0[lane] = APART;
                }
            }
        }
        Ok(())
    }
}

impl Assembly {
    /// Whether an impact occurs in any island of the impact stage that was assembled.
    pub(in crate::world) fn has_impacts(&self) -> bool {
        self.has_impact.contains(&true)
    }

    /// Marks the contacts that carried impulse in an impact stage.
    pub(in crate::world) fn mark_impacts(&mut self) {
        let (impulses, _) = self.buffer.impulses.as_chunks::<WIDE>();
        for (state, impulses) in self.states.iter_mut().zip(impulses) {
            for (marks, impulse) in state.marks.iter_mut().zip(impulses) {
                if impulse.normal != 0.0 {
                    *marks = marks.with_impact();
                }
            }
        }
    }
}
