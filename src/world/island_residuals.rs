//! How far from an answer the sweeps left each island whose bodies can rock.

use crate::error::{Result, resize};
use crate::math::ContactId;
use crate::math::lanes::WIDE;
use crate::solver::Solver;
use crate::solver::problem::contacts::occupied;
use crate::world::assemble::ContactStateX8;

/// The residuals of the contacts between bodies that touch at several points, island by island.
#[derive(Debug, Default)]
pub(in crate::world) struct IslandResiduals {
    /// One for each island; empty where no bodies touch at several points.
    islands: Vec<IslandResidual>,
}

/// Those of one island.
#[derive(Debug, Clone, Copy, Default)]
struct IslandResidual {
    largest: f64,
    sum: f64,
    count: u32,
}

impl IslandResiduals {
    /// Reads the residuals of the substep that was solved last. `states` has its contacts by lane.
    pub(in crate::world) fn read(&mut self, states: &[ContactStateX8], solver: &Solver) -> Result<()> {
        self.islands.clear();
        let rock = |state: &ContactStateX8| state.of_several != [false; WIDE];
        for (lanes, state) in solver.lanes().iter().zip(states).filter(|(_, state)| rock(state)) {
            for (_, contact) in occupied(lanes).filter(|(lane, _)| state.of_several[*lane]) {
                let Some(island) = solver.island_of(contact) else { continue };
                resize(&mut self.islands, solver.islands().len(), IslandResidual::default(), "islands")?;
                let residual = solver.contact_residual(contact);
                let all = &mut self.islands[island];
                (all.largest, all.sum, all.count) = (all.largest.max(residual), all.sum + residual, all.count + 1);
            }
        }
        Ok(())
    }

    /// Returns the residuals of the island of a contact.
    fn around(&self, contact: ContactId, solver: &Solver) -> IslandResidual {
        let island = solver.island_of(contact).and_then(|island| self.islands.get(island));
        island.copied().unwrap_or_default()
    }

    /// Returns the largest residual in the island of a contact, before a projection and after it [m/s]. It is infinite where the projection
    /// has to wait: what is moved then opens contacts, and sweeps alone may not hold what stands on them.
    pub(in crate::world) fn largest(&self, contact: ContactId, solver: &Solver) -> f64 {
        let before = solver.island_of(contact).map_or(0.0, |island| solver.residual_before_projection(island));
        self.around(contact, solver).largest.max(before)
    }

    /// Returns the mean residual in the island of a contact [m/s].
    pub(in crate::world) fn mean(&self, contact: ContactId, solver: &Solver) -> f64 {
        let IslandResidual { sum, count, .. } = self.around(contact, solver);
        sum / f64::from(count.max(1))
    }
}
