//! The contact memory in snapshots: contact by contact, without what follows from the rest.

use crate::contact::impulse_cache::{Marks, in_lane};
use crate::contact::memory::Memory;
use crate::contact::record::{ContactGeometry, ContactList, ContactRecord, NO_GEOMETRY, PointGeometry};
use crate::contact::saved_geometry::{FromBodies, check_normal, load_geometry, save_geometry};
use crate::contact::saved_history::{Columns, ContactHistory};
use crate::error::{Result, push, reserve, resize, text};
use crate::math::lanes::prefetch::CONTACTS_AHEAD;
use crate::math::lanes::{WIDE, prefetch_one_of};
use crate::math::{LaneSlot, PointX8, is_identical, limits};
use crate::visit::{Reader, State, StateVisitor, format_error, width_of};

/// Above the marks of a contact: whether detection found a contact point, whether normal and gap are written, and whether it carried
/// anything.
const SPOT: u8 = 32;
const POINT: u8 = 64;
const LOADED: u8 = 128;
/// The marks themselves.
const MARKS: u8 = Marks::REBOUNDS | Marks::HAD_IMPACT | Marks::NEW | Marks::FAR | Marks::REBOUNDED;

/// The fewest bytes of a contact: its head, body b and its key.
const MIN_CONTACT_BYTES: usize = 1 + 2 * LEAST_WIDTH;
/// The fewest bytes of a number of a contact, so that a few bytes cannot ask for many contacts.
const LEAST_WIDTH: usize = 3;

/// The byte of a slot that is body a of so many contacts or more.
const MANY: u8 = u8::MAX;

/// The largest next key. No world makes so many contacts, and the keys of a step never overflow.
const LAST_KEY: u64 = 1 << 62;

impl Memory {
    /// Writes the contacts for which `is_kept` returns true, and what holds for all. Their bodies are in slots below
    /// `slots`.
    pub fn save(
        &self,
        visitor: &mut impl StateVisitor,
        slots: usize,
        is_kept: impl Fn(&ContactRecord) -> bool,
        from: &impl FromBodies,
    ) {
        let Self { contact_list: ContactList { records, geometries }, loads, points, next_key, step, substep } = self;
        visitor.word(*next_key);
        visitor.numbers([step, substep]);
        let columns = Columns::of(loads);
        columns.visit_state(visitor);
        let (have_parts, widths) = (columns.have_parts(), Widths::of(slots, *next_key));
        let kept = || records.iter().filter(|record| is_kept(record));
        visitor.length(kept().count());
        save_counts(visitor, slots, kept().map(|record| record.body_a));
        let mut last = ContactGeometry::default();
        for (place, record) in records.iter().enumerate().filter(|(_, record)| is_kept(record)) {
            self.prefetch(loads.lane(place + CONTACTS_AHEAD));
            // Body a follows from the counts.
            let ContactRecord { body_a: _, body_b, key, geometry: _ } = *record;
            let lane = loads.lane(place);
            let (found, geometry) = (PointGeometry::in_lane(points, lane), record.geometry(geometries));
            let follows = match geometry {
                Some(geometry) => is_same(&found, &PointGeometry { normal: geometry.normal, gap: geometry.gap }),
                None => from.point(record).is_some_and(|point| is_same(&found, &point)),
            };
            let (carried, parts) = ContactHistory::of(loads, lane, columns);
            let Marks(marks) = in_lane(&loads.marks, lane);
            let mark = |is_set: bool, mark: u8| if is_set { mark } else { 0 };
            let is_loaded = carried.is_loaded(parts);
            visitor.byte(marks | mark(geometry.is_some(), SPOT) | mark(!follows, POINT) | mark(is_loaded, LOADED));
            visitor.low_bytes(u64::from(body_b), widths.slot);
            visitor.low_bytes(key, widths.key);
            if let Some(geometry) = geometry {
                save_geometry(record, geometry, visitor, from, &mut last);
            }
            if !follows {
                found.visit_state(visitor);
            }
            if is_loaded {
                carried.save_columns(visitor, parts, have_parts);
            }
        }
    }

    /// Prefetches the contact in a lane. Contacts are in another order than lanes.
    #[inline(always)]
    fn prefetch(&self, lane: LaneSlot) {
        let Self { loads, points, .. } = self;
        prefetch_one_of(points, lane.batch());
        prefetch_one_of(&loads.impulses, lane.index());
        prefetch_one_of(&loads.torques, lane.index());
        prefetch_one_of(&loads.position_multipliers, lane.index());
        prefetch_one_of(&loads.marks, lane.index());
    }

    /// Reads contacts between bodies in slots below `slots` that `check` accepts.
    ///
    /// # Errors
    ///
    /// Memory is exhausted, or there are no such contacts.
    pub fn load(
        reader: &mut Reader,
        slots: usize,
        check: impl Fn(&ContactRecord) -> Result<()>,
        from: &impl FromBodies,
    ) -> Result<Self> {
        let (next_key, step, substep) = (reader.word()?, reader.number()?, reader.number()?);
        check_times(next_key, step, substep)?;
        let columns = Columns::read(reader)?;
        let (have_parts, widths) = (columns.have_parts(), Widths::of(slots, next_key));
        let count = reader.length(MIN_CONTACT_BYTES)?;
        let mut memory = Self { next_key, step, substep, ..Self::new() };
        reserve(&mut memory.contact_list.records, count, "contacts")?;
        resize(&mut memory.points, count.div_ceil(WIDE), PointX8::NONE, "contacts")?;
        memory.loads.reserve_columns(count, columns)?;
        for body_a in load_counts(reader, slots, count)? {
            let (head, mut record) = load_record(reader, body_a, next_key, widths)?;
            if memory.contact_list.records.last().is_some_and(|last| record.pair_key() < last.pair_key()) {
                return Err(format_error("contacts do not ascend"));
            }
            check(&record)?;
            let found = memory.load_point(reader, head, &mut record, from)?;
            let found = match found {
                Some(found) => found,
                None => from.point(&record).ok_or_else(|| format_error("two balls do not touch"))?,
            };
            memory.put(record, &found, Marks(head & MARKS));
            let carried = match head & LOADED {
                0 => ContactHistory::default(),
                _ => ContactHistory::load_columns(reader, columns, have_parts)?,
            };
            memory.loads.push_columns(&carried, columns);
        }
        Ok(memory)
    }

    /// Reads the contact point of a contact if there is one, and its normal and gap unless they follow from two balls.
    fn load_point(
        &mut self,
        reader: &mut Reader,
        head: u8,
        record: &mut ContactRecord,
        from: &impl FromBodies,
    ) -> Result<Option<PointGeometry>> {
        let mut found = None;
        if head & SPOT != 0 {
            let mut last = self.contact_list.geometries.last().copied().unwrap_or_default();
            let geometry = load_geometry(reader, record, from, &mut last)?;
            found = Some(PointGeometry { normal: geometry.normal, gap: geometry.gap });
            record.geometry = self.contact_list.geometries.len() as u32;
            push(&mut self.contact_list.geometries, geometry, "contacts")?;
        }
        if head & POINT != 0 {
            let point = PointGeometry::read(reader)?;
            check_normal(&point.normal)?;
            found = Some(point);
        }
        Ok(found)
    }

    /// Appends a contact without what it carried. Memory is already reserved.
    fn put(&mut self, record: ContactRecord, point: &PointGeometry, marks: Marks) {
        let (lane, loads) = (LaneSlot::from(self.contact_list.len()), &mut self.loads);
        self.contact_list.records.push(record);
        let batch = &mut self.points[lane.batch()];
        batch.set_normal(lane.lane(), &point.normal);
        batch.gap.0[lane.lane()] = point.gap;
        loads.lanes.push(lane);
        loads.marks.push(marks);
    }
}

/// Writes of how many contacts each slot is body a: a byte each, and behind the byte of many the number. Contacts are
/// sorted by body a, which `bodies_a` has of each.
pub fn save_counts(visitor: &mut impl StateVisitor, slots: usize, bodies_a: impl Iterator<Item = u32>) {
    let mut rest = bodies_a.peekable();
    for slot in 0..slots as u32 {
        let mut count = 0;
        while rest.next_if(|body_a| *body_a == slot).is_some() {
            count += 1;
        }
        visitor.byte(count.min(u32::from(MANY)) as u8);
        if count >= u32::from(MANY) {
            visitor.half(count);
        }
    }
}

/// Reads body a of each of `count` contacts.
///
/// # Errors
///
/// Memory is exhausted, or slots have another number of contacts.
pub fn load_counts(reader: &mut Reader, slots: usize, count: usize) -> Result<Vec<u32>> {
    let mut bodies = Vec::new();
    reserve(&mut bodies, count, "contacts")?;
    for slot in 0..slots as u32 {
        let byte = reader.byte()?;
        let own = if byte < MANY { u32::from(byte) } else { reader.half()? } as usize;
        if own > count - bodies.len() {
            return Err(format_error(text!("slot {slot} has {own} contacts, too many for {count} of all slots")));
        }
        bodies.extend(std::iter::repeat_n(slot, own));
    }
    if bodies.len() == count {
        return Ok(bodies);
    }
    Err(format_error(text!("slots have {} contacts, expected {count}", bodies.len())))
}

/// How many bytes the numbers of contacts take.
#[derive(Debug, Clone, Copy)]
pub struct Widths {
    /// Of a slot.
    pub slot: usize,
    /// Of a key.
    pub key: usize,
}

impl Widths {
    /// Of contacts of bodies in slots below `slots` with keys below `next_key`.
    pub fn of(slots: usize, next_key: u64) -> Self {
        Self { slot: width_of(slots as u64).max(LEAST_WIDTH), key: width_of(next_key).max(LEAST_WIDTH) }
    }
}

/// Reads the head of a contact, and its record.
#[inline(always)]
fn load_record(reader: &mut Reader, body_a: u32, next_key: u64, widths: Widths) -> Result<(u8, ContactRecord)> {
    let head = reader.byte()?;
    // There are fewer than 2^32 slots.
    let (body_b, key) = (reader.low_bytes(widths.slot)? as u32, reader.low_bytes(widths.key)?);
    if body_a < body_b && key > 0 && key < next_key {
        return Ok((head, ContactRecord { body_a, body_b, key, geometry: NO_GEOMETRY }));
    }
    Err(format_error(text!("a contact is of the slots {body_a} and {body_b} and has the key {key}")))
}

/// Refuses a key without others after it, and lengths that no step has.
fn check_times(next_key: u64, step: f64, substep: f64) -> Result<()> {
    let is_first = step == 0.0 && substep == 0.0;
    if !is_first {
        limits::step("the last step", step)?;
        limits::step("the last substep", substep)?;
    }
    if (1..=LAST_KEY).contains(&next_key) && substep <= step {
        return Ok(());
    }
    Err(format_error(text!("the next key is {next_key}, the last step {step} s and its substep {substep} s")))
}

/// Whether both are the same to the last bit.
fn is_same(a: &PointGeometry, b: &PointGeometry) -> bool {
    is_identical(&a.normal, &b.normal) && a.gap.to_bits() == b.gap.to_bits()
}
