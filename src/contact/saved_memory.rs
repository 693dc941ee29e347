//! The contact memory in snapshots: contact by contact, without what follows from the rest.

use crate::contact::impulse_cache::{ImpulseCache, Marks, in_lane};
use crate::contact::memory::Memory;
use crate::contact::record::{ContactList, ContactRecord, FrictionFrame, NO_GEOMETRY, PointGeometry};
use crate::contact::saved_geometry::{FromBodies, check_normal, load_geometry, save_geometry};
use crate::error::{Result, push, reserve, resize, text};
use crate::math::lanes::prefetch::CONTACTS_AHEAD;
use crate::math::lanes::{WIDE, prefetch_one_of};
use crate::math::{Impulse, ImpulsiveWrench, LaneSlot, PointX8, Vec3, is_identical, is_within, limits};
use crate::visit::{Reader, State, StateVisitor, format_error, state};

/// Above the marks of a contact: whether detection found a contact point, whether normal and gap are written, and whether it carried
/// anything.
const SPOT: u8 = 32;
const POINT: u8 = 64;
const LOADED: u8 = 128;
/// The marks themselves.
const MARKS: u8 = Marks::REBOUNDS | Marks::HAD_IMPACT | Marks::NEW | Marks::FAR | Marks::REBOUNDED;

/// The fewest bytes of a contact: its head, body b and its key.
const MIN_CONTACT_BYTES: usize = 9;

/// The byte of a slot that is body a of so many contacts or more.
const MANY: u8 = u8::MAX;

/// The largest next key. No world makes so many contacts, and the keys of a step never overflow.
const LAST_KEY: u64 = 1 << 62;

/// Which columns the contacts have.
#[derive(Debug, Clone, Copy, Default)]
struct Columns {
    torques: bool,
    sticking_velocities: bool,
    frames: bool,
    totals: bool,
    compatible: bool,
}

impl Columns {
    fn of(loads: &ImpulseCache) -> Self {
        let ImpulseCache {
            lanes: _,
            impulses: _,
            torques,
            sticking_velocities,
            frames,
            position_multipliers: _,
            marks: _,
            totals,
            impacts: _, // Written behind the rest of a world.
            compatible,
        } = loads;
        Self {
            torques: !torques.is_empty(),
            sticking_velocities: !sticking_velocities.is_empty(),
            frames: !frames.is_empty(),
            totals: !totals.is_empty(),
            compatible: !compatible.is_empty(),
        }
    }
}

state!(Columns { torques, sticking_velocities, frames, totals, compatible });

/// What a contact carried, column by column.
#[derive(Debug, Clone, Copy, Default)]
struct ContactHistory {
    impulse: Impulse,
    position_multiplier: f64,
    torque: Vec3,
    sticking_velocity: Vec3,
    frame: FrictionFrame,
    total: ImpulsiveWrench,
    compatible: Impulse,
}

impl ContactHistory {
    fn of(loads: &ImpulseCache, lane: LaneSlot) -> Self {
        let ImpulseCache {
            lanes: _,
            impulses,
            torques,
            sticking_velocities,
            frames,
            position_multipliers,
            marks: _,
            totals,
            impacts: _, // Written behind the rest of a world.
            compatible,
        } = loads;
        Self {
            impulse: in_lane(impulses, lane),
            position_multiplier: in_lane(position_multipliers, lane),
            torque: in_lane(torques, lane),
            sticking_velocity: in_lane(sticking_velocities, lane),
            frame: in_lane(frames, lane),
            total: in_lane(totals, lane),
            compatible: in_lane(compatible, lane),
        }
    }

    /// Whether nothing was carried, to the last bit.
    fn is_nothing(&self, columns: Columns) -> bool {
        let mut bits = Bits(0);
        self.save(&mut bits, columns);
        bits.0 == 0
    }

    fn save(&self, visitor: &mut impl StateVisitor, columns: Columns) {
        let Columns { torques, sticking_velocities, frames, totals, compatible } = columns;
        self.impulse.visit(visitor);
        self.position_multiplier.visit(visitor);
        if torques {
            self.torque.visit(visitor);
        }
        if sticking_velocities {
            self.sticking_velocity.visit(visitor);
        }
        if frames {
            self.frame.visit(visitor);
        }
        if totals {
            self.total.visit(visitor);
        }
        if compatible {
            self.compatible.visit(visitor);
        }
    }
}

/// All bits that come together.
struct Bits(u64);

impl StateVisitor for Bits {
    fn word(&mut self, word: u64) {
        self.0 |= word;
    }
}

/// Refuses impulses beyond the limits.
pub fn check_impulses(wrenches: &[ImpulsiveWrench]) -> Result<()> {
    wrenches.iter().try_for_each(|ImpulsiveWrench { force, torque }| {
        check_impulse(force)?;
        check_torque(torque)
    })
}

fn check_impulse(impulse: &Impulse) -> Result<()> {
    if limits::has_square(impulse.normal) && is_within(&impulse.tangential, limits::LARGEST) {
        return Ok(());
    }
    Err(format_error(text!("{impulse:?} is beyond the limits")))
}

/// Refuses what is no direction, and angles that no substep turns.
pub fn check_frame(frame: &FrictionFrame) -> Result<()> {
    let FrictionFrame { normal, twist } = frame;
    let is_unit = (normal.norm_squared() - 1.0).abs() <= 1e-6;
    if (is_unit || *normal == Vec3::zeros()) && limits::has_square(*twist) {
        return Ok(());
    }
    Err(format_error(text!("friction is across {:?} and was turned by {twist} rad", normal.as_slice())))
}

fn check_torque(torque: &Vec3) -> Result<()> {
    if is_within(torque, limits::LARGEST) {
        return Ok(());
    }
    Err(format_error(text!("the impulse of a torque is {:?}, which is beyond the limits", torque.as_slice())))
}

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
        let kept = || records.iter().filter(|record| is_kept(record));
        visitor.length(kept().count());
        save_counts(visitor, slots, kept());
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
            let carried = ContactHistory::of(loads, lane);
            let Marks(marks) = in_lane(&loads.marks, lane);
            let mark = |is_set: bool, mark: u8| if is_set { mark } else { 0 };
            let is_loaded = !carried.is_nothing(columns);
            visitor.byte(marks | mark(geometry.is_some(), SPOT) | mark(!follows, POINT) | mark(is_loaded, LOADED));
            visitor.half(body_b);
            if has_short_keys(*next_key) {
                visitor.half(key as u32);
            } else {
                visitor.word(key);
            }
            if let Some(geometry) = geometry {
                save_geometry(record, geometry, visitor, from);
            }
            if !follows {
                found.visit_state(visitor);
            }
            if is_loaded {
                carried.save(visitor, columns);
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
        let count = reader.length(MIN_CONTACT_BYTES)?;
        let mut memory = Self { next_key, step, substep, ..Self::new() };
        memory.reserve_memory(count, columns)?;
        for body_a in load_counts(reader, slots, count)? {
            let (head, mut record) = load_record(reader, body_a, next_key)?;
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
            memory.load_carried(reader, columns, head & LOADED != 0)?;
        }
        Ok(memory)
    }

    /// Reserves memory for this many contacts.
    fn reserve_memory(&mut self, count: usize, columns: Columns) -> Result<()> {
        let Columns { torques, sticking_velocities, frames, totals, compatible } = columns;
        let of = |exists: bool| if exists { count } else { 0 };
        let loads = &mut self.loads;
        reserve(&mut self.contact_list.records, count, "contacts")?;
        resize(&mut self.points, count.div_ceil(WIDE), PointX8::NONE, "contacts")?;
        reserve(&mut loads.lanes, count, "contacts")?;
        reserve(&mut loads.impulses, count, "contacts")?;
        reserve(&mut loads.position_multipliers, count, "contacts")?;
        reserve(&mut loads.marks, count, "contacts")?;
        reserve(&mut loads.torques, of(torques), "contacts")?;
        reserve(&mut loads.sticking_velocities, of(sticking_velocities), "contacts")?;
        reserve(&mut loads.frames, of(frames), "contacts")?;
        reserve(&mut loads.totals, of(totals), "contacts")?;
        reserve(&mut loads.compatible, of(compatible), "contacts")
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
            let geometry = load_geometry(reader, record, from)?;
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

    /// Reads what a contact carried, if it carried anything, and adds it behind that of all others.
    fn load_carried(&mut self, reader: &mut Reader, columns: Columns, is_loaded: bool) -> Result<()> {
        let loads = &mut self.loads;
        let [normal, x, y, z, position_multiplier] = if is_loaded { reader.numbers()? } else { [0.0; 5] };
        let impulse = Impulse { normal, tangential: Vec3::new(x, y, z) };
        check_impulse(&impulse)?;
        if !(normal >= 0.0 && limits::has_square(position_multiplier)) {
            return Err(format_error(text!(
                "a contact carried {normal} N s along its normal and {position_multiplier} kg m"
            )));
        }
        loads.impulses.push(impulse);
        loads.position_multipliers.push(position_multiplier);
        if columns.torques {
            let torque = part(reader, is_loaded)?;
            check_torque(&torque)?;
            loads.torques.push(torque);
        }
        if columns.sticking_velocities {
            loads.sticking_velocities.push(part(reader, is_loaded)?);
        }
        if columns.frames {
            let frame: FrictionFrame = part(reader, is_loaded)?;
            check_frame(&frame)?;
            loads.frames.push(frame);
        }
        if columns.totals {
            let total = part(reader, is_loaded)?;
            check_impulses(&[total])?;
            loads.totals.push(total);
        }
        if columns.compatible {
            let compatible = part(reader, is_loaded)?;
            check_impulse(&compatible)?;
            loads.compatible.push(compatible);
        }
        Ok(())
    }
}

/// Reads a part of what a contact carried, if it carried anything.
#[inline(always)]
fn part<T: State + Default>(reader: &mut Reader, is_loaded: bool) -> Result<T> {
    if is_loaded { T::read(reader) } else { Ok(T::default()) }
}

/// Writes of how many contacts each slot is body a: a byte each, and behind the byte of many the number. Contacts are sorted by body a.
fn save_counts<'a>(visitor: &mut impl StateVisitor, slots: usize, contacts: impl Iterator<Item = &'a ContactRecord>) {
    let mut rest = contacts.peekable();
    for slot in 0..slots as u32 {
        let mut count = 0;
        while rest.next_if(|record| record.body_a == slot).is_some() {
            count += 1;
        }
        visitor.byte(count.min(u32::from(MANY)) as u8);
        if count >= u32::from(MANY) {
            visitor.half(count);
        }
    }
}

/// Reads body a of each of `count` contacts.
fn load_counts(reader: &mut Reader, slots: usize, count: usize) -> Result<Vec<u32>> {
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

/// Whether all keys below this one fit into 32 bits.
fn has_short_keys(next_key: u64) -> bool {
    next_key <= 1 << u32::BITS
}

/// Reads the head of a contact, and its record.
#[inline(always)]
fn load_record(reader: &mut Reader, body_a: u32, next_key: u64) -> Result<(u8, ContactRecord)> {
    // All at once: each reading waits for the one before.
    let [head, b0, b1, b2, b3, k0, k1, k2, k3] = reader.take()?;
    let (body_b, low) = (u32::from_le_bytes([b0, b1, b2, b3]), u32::from_le_bytes([k0, k1, k2, k3]));
    let high = if has_short_keys(next_key) { 0 } else { reader.half()? };
    let key = u64::from(high) << u32::BITS | u64::from(low);
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
