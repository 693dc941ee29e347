//! The contacts of a substep whose bias depends on restitution: those that rebound, and those across a gap that an
//! impact may close.

use crate::contact::{Marks, Mixing};
use crate::error::{Result, push};
use crate::law::ContactLaw;
use crate::math::{BodyRow, LaneSlot};
use crate::solver::problem::contacts::{LaneContacts, occupied};
use crate::solver::{Contact, ContactBuffer, Solver};
use crate::world::assemble::assembly::ContactStateX8;
use crate::world::assemble::body_inputs;
use crate::world::assemble::fill::ContactContext;
use crate::world::assemble::restitution::{ImpactContact, Impacts};
use crate::world::substeps::velocity_of;

/// An impact passes through a gap that closes in so many substeps at the speed of the fastest rebound of the island
/// [-]. A body that is struck moves at most twice as fast as the body that strikes it.
const REACH: f64 = 2.0;

/// The contacts of a filled buffer.
pub(super) struct FilledLanes<'a> {
    pub(super) lanes: &'a [LaneContacts],
    pub(super) states: &'a [ContactStateX8],
    /// Knows their islands.
    pub(super) solver: &'a Solver,
}

impl Impacts {
    /// Finds the contacts of a filled buffer whose bias depends on restitution. In islands where a contact rebounds, writes the biases of
    /// those across a gap.
    pub(super) fn find<Law: ContactLaw>(
        &mut self,
        context: &ContactContext<Law>,
        filled: &FilledLanes,
        buffer: &mut ContactBuffer,
    ) -> Result<()> {
        self.clear();
        if !context.materials.rebound() {
            return Ok(());
        }
        self.find_rebounds(context, filled, buffer)?;
        if self.contacts.is_empty() {
            return Ok(());
        }
        self.find_across_gaps(context, filled, buffer)?;
        self.keep_start(&buffer.impulses)
    }

    /// Finds the contacts that rebound with some restitution, and the fastest of each island.
    fn find_rebounds<Law: ContactLaw>(
        &mut self,
        context: &ContactContext<Law>,
        filled: &FilledLanes,
        buffer: &ContactBuffer,
    ) -> Result<()> {
        let FilledLanes { lanes, states, solver } = *filled;
        for (at, (lanes, state)) in lanes.iter().zip(states).enumerate() {
            let bias = &buffer.contacts[at].bias;
            for (lane, number) in occupied(lanes).filter(|(lane, _)| state.marks[*lane].has(Marks::REBOUNDS)) {
                let (slot, rows) = (LaneSlot::new(at, lane), context.geometry.index.rows_of(number));
                let contact = buffer.contact(slot, rows);
                let image = context.image_along(number, &contact.normal);
                let Some(island) = solver.island_of(number).filter(|_| bias.0[lane] < image) else { continue };
                let speed = -(context.normal_velocity(&contact) + image);
                self.note_rebound(island, solver.islands().len(), speed)?;
                self.add(slot, island, [image, bias.0[lane]])?;
            }
        }
        Ok(())
    }

    /// Finds the contacts across a gap that an impact may close, and writes their biases.
    fn find_across_gaps<Law: ContactLaw>(
        &mut self,
        context: &ContactContext<Law>,
        filled: &FilledLanes,
        buffer: &mut ContactBuffer,
    ) -> Result<()> {
        let mut mixing = Mixing::new(context.materials, context.stiffness_law);
        for (at, lanes) in filled.lanes.iter().enumerate() {
            for (lane, number) in occupied(lanes) {
                let (slot, rows) = (LaneSlot::new(at, lane), context.geometry.index.rows_of(number));
                let contact = buffer.contact(slot, rows);
                let image = context.image_along(number, &contact.normal);
                // The speed that closes the gap in this substep.
                let braked = buffer.contacts[at].bias.0[lane] - image;
                let Some(island) = filled.solver.island_of(number).filter(|_| braked > 0.0) else { continue };
                if braked > REACH * self.islands[island].fastest {
                    continue;
                }
                let materials = context.geometry.inputs(number).map(body_inputs::material);
                let restitution = mixing.of(materials.into()).pair.restitution;
                let velocity = context.normal_velocity(&contact) + image;
                let bias = context.law.bias_across_gap(braked, velocity, restitution) + image;
                buffer.contacts[at].bias.0[lane] = bias;
                self.add(slot, island, [braked + image, bias])?;
            }
        }
        Ok(())
    }

    /// Adds a contact with its biases without and with restitution.
    fn add(&mut self, lane: LaneSlot, island: usize, biases: [f64; 2]) -> Result<()> {
        push(&mut self.contacts, ImpactContact { lane, island: island as u32, biases }, "contacts")
    }
}

impl<Law: ContactLaw> ContactContext<'_, Law> {
    /// Returns `u_n(v)`, the velocity of b relative to a along the normal at the start of the substep [m/s].
    fn normal_velocity(&self, contact: &Contact) -> f64 {
        let [a, b] = [contact.body_a, contact.body_b].map(|row: BodyRow| velocity_of(self.motion, row.index()));
        contact.normal.dot(&contact.relative_velocity(&a, &b))
    }
}
