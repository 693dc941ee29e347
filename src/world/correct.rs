//! Correction: the impulses of the step become those that stiff elastic contacts would carry.

use crate::contact::{Loads, Touches};
use crate::error::{Result, reserve};
use crate::math::Impulse;
use crate::solver::compatibility::{Corrected, Displacement};
use crate::solver::{Impulses, Problem, Solver};
use crate::world::index::Index;
use crate::world::settings::Settings;
use crate::world::sight::Sight;

/// What the correction reads.
pub(in crate::world) struct CorrectInput<'a> {
    pub(in crate::world) settings: &'a Settings,
    pub(in crate::world) sight: Sight<'a>,
    pub(in crate::world) touches: &'a Touches,
    pub(in crate::world) index: &'a Index,
    /// The problem of the last substep, with its contacts in a list.
    pub(in crate::world) problem: Problem<'a>,
    /// The impulses of the last substep.
    pub(in crate::world) impulses: &'a Impulses,
    /// The displacements of the last correction, by slot, from which this one starts.
    pub(in crate::world) displacements: &'a [Displacement],
}

/// The arrays of the compatibility correction.
#[derive(Debug, Default)]
pub(in crate::world) struct Correction {
    /// The stiffness of each contact.
    stiffness: Vec<f64>,
    /// The displacement of each row; empty without a correction.
    pub(in crate::world) displacements: Vec<Displacement>,
    /// The corrected impulse of each contact; empty without a correction.
    compatible: Vec<Impulse>,
    /// The impulses of the whole step, if it has several substeps.
    whole: Impulses,
}

/// Corrects the impulses of the whole step and writes them to `loads`. Returns `None` if the settings ask for no correction.
///
/// # Errors
///
/// Memory is exhausted.
pub(in crate::world) fn correct(
    input: &CorrectInput,
    correction: &mut Correction,
    solver: &mut Solver,
    loads: &mut Loads,
) -> Result<Option<Corrected>> {
    correction.displacements.clear();
    correction.compatible.clear();
    let Some(elastic) = input.settings.elastic() else { return Ok(None) };
    correction.start(input)?;
    correction.sum_up(loads, input.impulses)?;
    let Correction { stiffness, displacements, compatible, whole } = correction;
    let impulses = if loads.totals.is_empty() { input.impulses } else { whole };
    let corrected = solver.correct(&input.problem, (impulses, stiffness), &elastic, displacements, compatible)?;
    reserve(&mut loads.compatible, compatible.len(), "contacts")?;
    loads.compatible.extend_from_slice(compatible);
    Ok(Some(corrected))
}

impl Correction {
    /// Writes the displacements to start from and the stiffness of the contacts.
    fn start(&mut self, input: &CorrectInput) -> Result<()> {
        let &CorrectInput { sight, touches, index, displacements: known, .. } = input;
        let (slots, order) = (index.slots(), index.contacts());
        reserve(&mut self.displacements, slots.len(), "bodies")?;
        let known = |slot: &u32| known.get(*slot as usize).copied().unwrap_or_default();
        self.displacements.extend(slots.iter().map(known));
        self.stiffness.clear();
        reserve(&mut self.stiffness, order.len(), "contacts")?;
        let mut mixing = sight.mixing();
        let touch = |place: &u32| sight.touch(&touches.found[*place as usize], touches, &mut mixing);
        self.stiffness.extend(order.iter().map(touch).map(|touch| touch.surface.stiffness));
        Ok(())
    }

    /// Writes the impulses of the whole step; none if it has a single substep, whose impulses are `last`.
    fn sum_up(&mut self, loads: &Loads, last: &Impulses) -> Result<()> {
        let (whole, totals) = (&mut self.whole, &loads.totals);
        whole.contacts.clear();
        whole.torques.clear();
        reserve(&mut whole.contacts, totals.len(), "contacts")?;
        whole.contacts.extend(totals.iter().map(|total| Impulse::force(total.normal, total.friction)));
        let turning = if last.torques.is_empty() { &[] } else { totals.as_slice() };
        reserve(&mut whole.torques, turning.len(), "contacts")?;
        whole.torques.extend(turning.iter().map(|total| total.torque));
        Ok(())
    }
}
