//! Correction: the impulses of the step become those that stiff elastic contacts would carry.

use crate::contact::{ContactList, ImpulseCache};
use crate::error::{Result, copy, empty, reserve, resize};
use crate::math::lanes::WIDE;
use crate::math::{Impulse, LaneSlot, ListPlace};
use crate::solver::compatibility::{Corrected, Displacement, StiffContacts};
use crate::solver::{Impulses, Problem, Solver};
use crate::world::images::ImageVelocities;
use crate::world::index::Index;
use crate::world::readback::ReadbackContext;
use crate::world::settings::Settings;

/// What the correction reads.
pub(in crate::world) struct CorrectInput<'a> {
    pub(in crate::world) settings: &'a Settings,
    /// The length of a substep [s].
    pub(in crate::world) length: f64,
    pub(in crate::world) context: ReadbackContext<'a>,
    pub(in crate::world) contact_list: &'a ContactList,
    pub(in crate::world) index: &'a Index,
    /// The problem of the last substep, with its contacts in a list.
    pub(in crate::world) problem: Problem<'a>,
    /// The impulses of the last substep.
    pub(in crate::world) impulses: &'a Impulses,
    /// The impulses of the rows of joints over the step.
    pub(in crate::world) row_totals: &'a [f64],
    pub(in crate::world) images: &'a ImageVelocities,
    /// The displacements of the last correction, by slot, from which this one starts.
    pub(in crate::world) displacements: &'a [Displacement],
}

/// The arrays of the compatibility correction.
#[derive(Debug, Default)]
pub(in crate::world) struct Correction {
    /// The stiffness of each contact.
    stiffness: Vec<f64>,
    /// The part of each bias that the motion of an image makes; empty where no image moves [m/s].
    openings: Vec<f64>,
    /// The displacement of each row; empty without a correction.
    pub(in crate::world) displacements: Vec<Displacement>,
    /// The corrected impulses; empty without a correction.
    compatible: Impulses,
    /// The impulses of the whole step, if it has several substeps.
    whole: Impulses,
}

/// Corrects the impulses of the whole step and writes them to `loads`. Returns `None` if the settings ask for no correction.
pub(in crate::world) fn correct(
    input: &CorrectInput,
    correction: &mut Correction,
    solver: &mut Solver,
    loads: &mut ImpulseCache,
) -> Result<Option<Corrected>> {
    correction.displacements.clear();
    correction.compatible.contacts.clear();
    let elastic = input.settings.elastic(input.length).filter(|_| input.settings.corrects());
    let Some(elastic) = elastic else { return Ok(None) };
    correction.start(input)?;
    correction.sum_up(loads, input, solver.lane_of())?;
    let Correction { stiffness, openings, displacements, compatible, whole } = correction;
    let impulses = if loads.totals.is_empty() { input.impulses } else { whole };
    let contacts = StiffContacts { impulses, stiffness, openings };
    let corrected = solver.correct(&input.problem, contacts, &elastic, displacements, compatible)?;
    resize(&mut loads.compatible, WIDE * solver.lanes().len(), Impulse::ZERO, "contacts")?;
    for (impulse, lane) in compatible.contacts.iter().zip(solver.lane_of()) {
        loads.compatible[lane.index()] = *impulse;
    }
    Ok(Some(corrected))
}

impl Correction {
    /// Writes the displacements to start from and the stiffness of the contacts.
    fn start(&mut self, input: &CorrectInput) -> Result<()> {
        let &CorrectInput { context, contact_list, index, displacements: known, .. } = input;
        let (slots, order) = (index.slots(), index.places());
        reserve(&mut self.displacements, slots.len(), "bodies")?;
        let known = |slot: &u32| known.get(*slot as usize).copied().unwrap_or_default();
        self.displacements.extend(slots.iter().map(known));
        empty(&mut self.stiffness, order.len(), "contacts")?;
        let mut mixing = context.mixing();
        let surface = |place: &ListPlace| context.surface(&contact_list.records[*place], contact_list, &mut mixing);
        self.stiffness.extend(order.iter().map(surface).map(|surface| surface.stiffness));
        let count = if input.images.are_moving() { order.len() } else { 0 };
        empty(&mut self.openings, count, "contacts")?;
        let all = order.iter().zip(input.problem.contacts).take(count);
        self.openings.extend(all.map(|(place, contact)| input.images.along(*place, &contact.normal)));
        Ok(())
    }

    /// Writes the impulses of the whole step by number; none if it has a single substep, whose impulses are `last`.
    fn sum_up(&mut self, loads: &ImpulseCache, input: &CorrectInput, lane_of: &[LaneSlot]) -> Result<()> {
        let last = input.impulses;
        let (whole, totals) = (&mut self.whole, &loads.totals);
        let lanes = if totals.is_empty() { &[] } else { lane_of };
        empty(&mut whole.contacts, lanes.len(), "contacts")?;
        let total = |lane: &LaneSlot| &totals[lane.index()];
        whole.contacts.extend(lanes.iter().map(|lane| total(lane).force));
        copy(&mut whole.rows, if totals.is_empty() { &[] } else { input.row_totals }, "rows of joints")?;
        let turning = if last.torques.is_empty() { &[] } else { lanes };
        empty(&mut whole.torques, turning.len(), "contacts")?;
        whole.torques.extend(turning.iter().map(|lane| total(lane).torque));
        Ok(())
    }
}
