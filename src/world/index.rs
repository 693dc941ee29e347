//! The index of a step: the row of each body in the solver's arrays, and the number of each contact.

mod sort;

use std::ops::Range;

use crate::contact::{ContactList, ContactRecord};
use crate::error::{Result, reserve, resize};
use crate::math::lanes::{LineIndex, Places};
use crate::math::{BodyRow, ContactId, LaneSlot, ListPlace};
use crate::solver::ContactPair;
use crate::solver::problem::contacts::{LaneContacts, occupied};
use crate::tasks::{Tasks, each_pair_of_pieces, each_piece, reduce};
use crate::world::active_bodies::ActiveBodies;
use crate::world::index::sort::{BodyRows, NumberedContacts, PIECE, Sorter};

/// Rows for the active bodies of the step, then for the bodies that they touch. Contacts are numbered in the order of the rows.
#[derive(Debug, Default)]
pub(in crate::world) struct Index {
    bodies: BodyRows,
    contacts: NumberedContacts,
    /// For each contact the index of its geometry in the contact list, or [`NONE`] for two balls; empty if all are between balls.
    geometries: Vec<u32>,
    /// Whether it is complete.
    is_made: bool,
    /// Whether it is that of the last completed step, whose contacts are in the memory.
    is_kept: bool,
    sorter: Sorter,
}

/// In place of an index of a geometry: there is none.
const NONE: u32 = u32::MAX;

impl Index {
    /// Gives rows to the active bodies and to the bodies they touch. Numbers the contacts by the row of body a (of b
    /// where a is not active), then by the other row, then by their places in the list. Contacts of one body a then
    /// follow each other, as the [`Packer`](crate::solver::gauss_seidel::packer::Packer) needs it. `slots` is the
    /// number of slots. `are_continued`: each contact continues the one at its own place in the list of the step before.
    /// Returns whether that one had the same number too.
    pub(in crate::world) fn make(
        &mut self,
        active_bodies: &ActiveBodies,
        slots: usize,
        contact_list: &ContactList,
        are_continued: bool,
        tasks: &dyn Tasks,
    ) -> Result<bool> {
        let records = &contact_list.records;
        let same_rows =
            self.is_made && self.bodies.rows.len() == slots && active_bodies.active().eq(self.active().iter().copied());
        let fits = same_rows && self.is_kept && self.contacts.places.len() == records.len();
        (self.is_made, self.is_kept) = (false, false);
        let is_same = fits && (are_continued || self.joins(records, tasks));
        if !is_same {
            // The rows of bodies that are not active depend on the contact list.
            for slot in self.bodies.slots.drain(if same_rows { self.bodies.active } else { 0 }..) {
                self.bodies.rows[slot as usize] = BodyRow::NONE;
            }
            if !same_rows {
                self.number_bodies(active_bodies, slots)?;
            }
            self.sorter.sort(records, &mut self.bodies, &mut self.contacts, tasks)?;
        }
        self.find_geometries(contact_list, tasks)?;
        self.is_made = true;
        Ok(is_same && are_continued)
    }

    /// Makes the contacts of some bodies general, whatever their arms are: those of bodies for which `varies` returns true, since their
    /// inertia in world axes changes as they turn. So no contact changes its kind between substeps.
    pub(in crate::world) fn mark_general(&mut self, varies: impl Fn(u32) -> bool + Sync, tasks: &dyn Tasks) {
        let moving = &self.bodies.slots[..self.bodies.active];
        each_piece(tasks, PIECE, &mut self.contacts.pairs, |_, pairs| {
            for ContactPair { bodies, is_along_normal } in pairs {
                if bodies.iter().filter_map(|row| moving.get(row.index())).any(|slot| varies(*slot)) {
                    *is_along_normal = [false; 2];
                }
            }
        });
    }

    /// Gives rows to the active bodies.
    fn number_bodies(&mut self, active_bodies: &ActiveBodies, slots: usize) -> Result<()> {
        let BodyRows { slots: own, rows, active } = &mut self.bodies;
        resize(rows, slots, BodyRow::NONE, "bodies")?;
        *active = 0;
        reserve(own, active_bodies.active().len(), "bodies")?;
        own.extend(active_bodies.active());
        *active = own.len();
        for (row, slot) in BodyRow::range(0..*active).zip(own) {
            rows[*slot as usize] = row;
        }
        Ok(())
    }

    /// Finds the geometry of each contact, and whether its arms are along the normal.
    fn find_geometries(&mut self, contact_list: &ContactList, tasks: &dyn Tasks) -> Result<()> {
        let Self { geometries, contacts: NumberedContacts { pairs, places, .. }, .. } = self;
        let count = if contact_list.geometries.is_empty() { 0 } else { places.len() };
        resize(geometries, count, NONE, "contacts")?;
        if count == 0 {
            each_piece(tasks, PIECE, pairs, |_, pairs| {
                pairs.iter_mut().for_each(|pair| pair.is_along_normal = [true; 2]);
            });
            return Ok(());
        }
        each_pair_of_pieces(tasks, PIECE, (&mut geometries[..], &mut pairs[..]), |first, geometries, pairs| {
            for (place, (own, pair)) in places[first..].iter().zip(geometries.iter_mut().zip(pairs)) {
                let record = &contact_list.records[*place];
                *own = record.geometry_index().map_or(NONE, |geometry| geometry as u32);
                pair.is_along_normal =
                    record.geometry(&contact_list.geometries).map_or([true; 2], |geometry| geometry.is_along_normal);
            }
        });
        Ok(())
    }

    /// Writes the lane of each contact of the list into `lanes_of_places`; `lane_of` has them by number.
    pub(in crate::world) fn write_lanes(&self, lane_of: &[LaneSlot], lanes_of_places: &mut [LaneSlot]) {
        for (lane, place) in lane_of.iter().zip(&self.contacts.places) {
            lanes_of_places[*place] = *lane;
        }
    }

    /// Marks the index as that of a completed step.
    pub(in crate::world) fn note_completed(&mut self) {
        self.is_kept = self.is_made;
    }

    /// Returns whether it was made for the pairs of `contacts`, which has the same length.
    fn joins(&self, contacts: &[ContactRecord], tasks: &dyn Tasks) -> bool {
        let is_same = |(pair, place): (&ContactPair, &ListPlace)| {
            let [a, b] = pair.bodies.map(|row| self.bodies.slots[row]);
            contacts[*place].pair() == (a, b)
        };
        let of = |range: Range<usize>| {
            self.contacts.pairs[range.clone()].iter().zip(&self.contacts.places[range]).all(is_same)
        };
        reduce(tasks, PIECE, contacts.len(), true, of, |one, other| one && other)
    }

    /// Returns the rows of the bodies of a contact.
    #[inline(always)]
    pub(in crate::world) fn rows_of(&self, contact: ContactId) -> [BodyRow; 2] {
        self.contacts.pairs[contact].bodies
    }

    /// Returns the slots of the bodies of a contact.
    pub(in crate::world) fn slots_of(&self, contact: ContactId) -> (u32, u32) {
        let [a, b] = self.rows_of(contact).map(|row| self.slots().get(row.index()).copied().unwrap_or(u32::MAX));
        (a, b)
    }

    /// Returns the rows of the bodies of each contact, and whether its arms are along the normal.
    pub(in crate::world) fn pairs(&self) -> &[ContactPair] {
        &self.contacts.pairs
    }

    /// Returns whether the bodies of a contact touch at other points too.
    #[inline(always)]
    pub(in crate::world) fn is_one_of_several(&self, contact: ContactId) -> bool {
        self.contacts.of_several[contact]
    }

    /// Returns whether any contact is not between two balls.
    #[inline(always)]
    pub(in crate::world) fn has_geometries(&self) -> bool {
        !self.geometries.is_empty()
    }

    /// Returns the index of the geometry of a contact; `None` between two balls.
    #[inline(always)]
    pub(in crate::world) fn geometry_index(&self, contact: ContactId) -> Option<usize> {
        self.geometries.get(contact.index()).filter(|geometry| **geometry != NONE).map(|geometry| *geometry as usize)
    }

    /// Writes the rows of the bodies of the contacts in a batch.
    #[inline(always)]
    pub(in crate::world) fn find_rows(&self, lanes: &LaneContacts, rows: &mut [Places; 2]) {
        for (lane, contact) in occupied(lanes) {
            let [a, b] = self.contacts.pairs[contact].bodies;
            (rows[0][lane], rows[1][lane]) = (LineIndex::new(a, false), LineIndex::new(b, false));
        }
    }

    /// Returns the row of the body in a slot, if it has one in the step.
    pub(in crate::world) fn row(&self, slot: u32) -> Option<BodyRow> {
        self.bodies.rows.get(slot as usize).copied().filter(|row| *row != BodyRow::NONE)
    }

    /// Returns the row of the body in a slot, if the body is active in the step.
    pub(in crate::world) fn active_row(&self, slot: usize) -> Option<BodyRow> {
        self.bodies.rows.get(slot).copied().filter(|row| row.index() < self.bodies.active)
    }

    /// The slot of each row.
    pub(in crate::world) fn slots(&self) -> &[u32] {
        &self.bodies.slots
    }

    /// Returns the slots of the rows of active bodies, which come first.
    pub(in crate::world) fn active(&self) -> &[u32] {
        &self.bodies.slots[..self.bodies.active]
    }

    /// The place of each contact in the list that detection found.
    pub(in crate::world) fn places(&self) -> &[ListPlace] {
        &self.contacts.places
    }
}
