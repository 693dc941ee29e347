//! The contact memory in snapshots: contact by contact, without what follows from the rest.

use crate::contact::impulse_cache::{ImpulseCache, Marks, in_lane};
use crate::contact::memory::Memory;
use crate::contact::record::{ContactGeometry, ContactList, ContactRecord, NOWHERE, PointGeometry};
use crate::error::{Result, push, reserve, resize, text};
use crate::math::lanes::WIDE;
use crate::math::{Impulse, ImpulsiveWrench, LaneSlot, PointX8, Vec3, are_finite, is_within, limits};
use crate::visit::{Reader, State, StateVisitor, format_error, state};

/// Above the marks of a contact: whether detection found a contact point, whether normal and gap are written, and whether it carried
/// anything.
const SPOT: u8 = 32;
const POINT: u8 = 64;
const LOADED: u8 = 128;
/// The marks themselves.
const MARKS: u8 = Marks::REBOUNDS | Marks::STRUCK | Marks::NEW | Marks::FAR | Marks::REBOUNDED;

/// The fewest bytes of a contact: its head, its pair and its key.
const LEAST: usize = 13;

/// The largest next key. No world makes so many contacts, and the keys of a step never overflow.
const LAST_KEY: u64 = 1 << 62;

/// Which columns the contacts have.
#[derive(Debug, Clone, Copy, Default)]
struct Columns {
    torques: bool,
    rolling_speeds: bool,
    sticking_velocities: bool,
    totals: bool,
    compatible: bool,
}

impl Columns {
    fn of(loads: &ImpulseCache) -> Self {
        let ImpulseCache {
            lanes: _,
            impulses: _,
            torques,
            rolling_speeds,
            sticking_velocities,
            pushes: _,
            marks: _,
            totals,
            compatible,
        } = loads;
        Self {
            torques: !torques.is_empty(),
            rolling_speeds: !rolling_speeds.is_empty(),
            sticking_velocities: !sticking_velocities.is_empty(),
            totals: !totals.is_empty(),
            compatible: !compatible.is_empty(),
        }
    }
}

state!(Columns { torques, rolling_speeds, sticking_velocities, totals, compatible });

/// What a contact carried, column by column.
#[derive(Debug, Clone, Copy, Default)]
struct Carried {
    impulse: Impulse,
    push: f64,
    torque: Vec3,
    rolling_speed: f64,
    sticking_velocity: Vec3,
    total: ImpulsiveWrench,
    compatible: Impulse,
}

impl Carried {
    fn of(loads: &ImpulseCache, lane: LaneSlot) -> Self {
        let ImpulseCache {
            lanes: _,
            impulses,
            torques,
            rolling_speeds,
            sticking_velocities,
            pushes,
            marks: _,
            totals,
            compatible,
        } = loads;
        Self {
            impulse: in_lane(impulses, lane),
            push: in_lane(pushes, lane),
            torque: in_lane(torques, lane),
            rolling_speed: in_lane(rolling_speeds, lane),
            sticking_velocity: in_lane(sticking_velocities, lane),
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
        let Columns { torques, rolling_speeds, sticking_velocities, totals, compatible } = columns;
        self.impulse.visit(visitor);
        self.push.visit(visitor);
        if torques {
            self.torque.visit(visitor);
        }
        if rolling_speeds {
            self.rolling_speed.visit(visitor);
        }
        if sticking_velocities {
            self.sticking_velocity.visit(visitor);
        }
        if totals {
            self.total.visit(visitor);
        }
        if compatible {
            self.compatible.visit(visitor);
        }
    }

    fn load(reader: &mut Reader, columns: Columns) -> Result<Self> {
        let mut carried = Self { impulse: State::read(reader)?, push: State::read(reader)?, ..Self::default() };
        if columns.torques {
            carried.torque = State::read(reader)?;
        }
        if columns.rolling_speeds {
            carried.rolling_speed = State::read(reader)?;
        }
        if columns.sticking_velocities {
            carried.sticking_velocity = State::read(reader)?;
        }
        if columns.totals {
            carried.total = State::read(reader)?;
        }
        if columns.compatible {
            carried.compatible = State::read(reader)?;
        }
        Ok(carried)
    }

    /// Refuses what no step leaves.
    fn check(&self) -> Result<()> {
        let wrench = ImpulsiveWrench { force: self.impulse, torque: self.torque };
        check_impulses(&[wrench, self.total, self.compatible.into()])?;
        if self.impulse.normal >= 0.0 && limits::has_square(self.push) {
            return Ok(());
        }
        let (normal, push) = (self.impulse.normal, self.push);
        Err(format_error(text!("a contact carried {normal} N s along its normal and {push} kg m")))
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
    let is_large = |wrench: &ImpulsiveWrench| {
        let ImpulsiveWrench { force: Impulse { normal, tangential }, torque } = wrench;
        !(limits::has_square(*normal) && is_within(tangential, limits::LARGEST) && is_within(torque, limits::LARGEST))
    };
    let large = wrenches.iter().find(|wrench| is_large(wrench));
    large.map_or(Ok(()), |wrench| Err(format_error(text!("{wrench:?} is beyond the limits"))))
}

impl Memory {
    /// Writes the contacts of which `is_kept` says so, and what holds for all. `point` computes normal and gap of two balls: where these are
    /// the same to the last bit, they are not written.
    pub fn save(
        &self,
        visitor: &mut impl StateVisitor,
        is_kept: impl Fn(&ContactRecord) -> bool,
        point: impl Fn(&ContactRecord) -> Option<PointGeometry>,
    ) {
        let Self { contact_list: ContactList { records, spots }, loads, points, next_key, step, substep } = self;
        visitor.word(*next_key);
        visitor.numbers([step, substep]);
        let columns = Columns::of(loads);
        columns.visit_state(visitor);
        visitor.length(records.iter().filter(|record| is_kept(record)).count());
        for (place, record) in records.iter().enumerate().filter(|(_, record)| is_kept(record)) {
            let ContactRecord { body_a, body_b, key, spot: _ } = *record;
            let lane = loads.lane(place);
            let (found, spot) = (PointGeometry::in_lane(points, lane), record.geometry(spots));
            let follows = match spot {
                Some(spot) => is_same(&found, &PointGeometry { normal: spot.normal, gap: spot.gap }),
                None => point(record).is_some_and(|point| is_same(&found, &point)),
            };
            let carried = Carried::of(loads, lane);
            let Marks(marks) = in_lane(&loads.marks, lane);
            let mark = |is_set: bool, mark: u8| if is_set { mark } else { 0 };
            let is_loaded = !carried.is_nothing(columns);
            visitor.byte(marks | mark(spot.is_some(), SPOT) | mark(!follows, POINT) | mark(is_loaded, LOADED));
            visitor.half(body_a);
            visitor.half(body_b);
            if has_short_keys(*next_key) {
                visitor.half(key as u32);
            } else {
                visitor.word(key);
            }
            if let Some(spot) = spot {
                spot.visit_state(visitor);
            }
            if !follows {
                found.visit_state(visitor);
            }
            if is_loaded {
                carried.save(visitor, columns);
            }
        }
    }

    /// Reads contacts between bodies that `check` accepts. `point` is as in [`Memory::save`].
    ///
    /// # Errors
    ///
    /// Memory is exhausted, or there are no such contacts.
    pub fn load(
        reader: &mut Reader,
        check: impl Fn(&ContactRecord) -> Result<()>,
        point: impl Fn(&ContactRecord) -> Option<PointGeometry>,
    ) -> Result<Self> {
        let (next_key, step, substep) = (reader.word()?, reader.number()?, reader.number()?);
        check_times(next_key, step, substep)?;
        let columns = Columns::read(reader)?;
        let count = reader.length(LEAST)?;
        let mut memory = Self { next_key, step, substep, ..Self::new() };
        memory.make_room(count, columns)?;
        let mut last = 0;
        for _ in 0..count {
            let head = reader.byte()?;
            let mut record = load_record(reader, next_key)?;
            if record.pair_key() < last {
                return Err(format_error("contacts do not ascend"));
            }
            last = record.pair_key();
            check(&record)?;
            let found = memory.load_point(reader, head, &mut record)?;
            let found = match found {
                Some(found) => found,
                None => point(&record).ok_or_else(|| format_error("two balls do not touch"))?,
            };
            let carried = if head & LOADED == 0 { Carried::default() } else { Carried::load(reader, columns)? };
            carried.check()?;
            memory.put(record, &found, columns, &carried, Marks(head & MARKS));
        }
        Ok(memory)
    }

    /// Reserves memory for this many contacts.
    fn make_room(&mut self, count: usize, columns: Columns) -> Result<()> {
        let Columns { torques, rolling_speeds, sticking_velocities, totals, compatible } = columns;
        let of = |is_there: bool| if is_there { count } else { 0 };
        let loads = &mut self.loads;
        reserve(&mut self.contact_list.records, count, "contacts")?;
        resize(&mut self.points, count.div_ceil(WIDE), PointX8::NONE, "contacts")?;
        reserve(&mut loads.lanes, count, "contacts")?;
        reserve(&mut loads.impulses, count, "contacts")?;
        reserve(&mut loads.pushes, count, "contacts")?;
        reserve(&mut loads.marks, count, "contacts")?;
        reserve(&mut loads.torques, of(torques), "contacts")?;
        reserve(&mut loads.rolling_speeds, of(rolling_speeds), "contacts")?;
        reserve(&mut loads.sticking_velocities, of(sticking_velocities), "contacts")?;
        reserve(&mut loads.totals, of(totals), "contacts")?;
        reserve(&mut loads.compatible, of(compatible), "contacts")
    }

    /// Reads the contact point of a contact if there is one, and its normal and gap unless they follow from two balls.
    fn load_point(
        &mut self,
        reader: &mut Reader,
        head: u8,
        record: &mut ContactRecord,
    ) -> Result<Option<PointGeometry>> {
        let mut found = None;
        if head & SPOT != 0 {
            let spot = ContactGeometry::read(reader)?;
            check_spot(&spot)?;
            found = Some(PointGeometry { normal: spot.normal, gap: spot.gap });
            record.spot = self.contact_list.spots.len() as u32;
            push(&mut self.contact_list.spots, spot, "contacts")?;
        }
        if head & POINT != 0 {
            let point = PointGeometry::read(reader)?;
            check_normal(&point.normal)?;
            found = Some(point);
        }
        Ok(found)
    }

    /// Adds a contact behind all others, for which memory is reserved.
    fn put(&mut self, record: ContactRecord, point: &PointGeometry, columns: Columns, carried: &Carried, marks: Marks) {
        let (lane, loads) = (LaneSlot::from(self.contact_list.len()), &mut self.loads);
        self.contact_list.records.push(record);
        let batch = &mut self.points[lane.batch()];
        batch.set_normal(lane.lane(), &point.normal);
        batch.gap.0[lane.lane()] = point.gap;
        loads.lanes.push(lane);
        loads.impulses.push(carried.impulse);
        loads.pushes.push(carried.push);
        loads.marks.push(marks);
        if columns.torques {
            loads.torques.push(carried.torque);
        }
        if columns.rolling_speeds {
            loads.rolling_speeds.push(carried.rolling_speed);
        }
        if columns.sticking_velocities {
            loads.sticking_velocities.push(carried.sticking_velocity);
        }
        if columns.totals {
            loads.totals.push(carried.total);
        }
        if columns.compatible {
            loads.compatible.push(carried.compatible);
        }
    }
}

/// Whether all keys below this one fit into 32 bits.
fn has_short_keys(next_key: u64) -> bool {
    next_key <= 1 << u32::BITS
}

fn load_record(reader: &mut Reader, next_key: u64) -> Result<ContactRecord> {
    let (body_a, body_b) = (reader.half()?, reader.half()?);
    let key = if has_short_keys(next_key) { u64::from(reader.half()?) } else { reader.word()? };
    if body_a < body_b && key > 0 && key < next_key {
        return Ok(ContactRecord { body_a, body_b, key, spot: NOWHERE });
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

/// A normal is of length 1, up to this [-].
const UNIT: f64 = 1e-6;

fn check_normal(normal: &Vec3) -> Result<()> {
    if (normal.norm_squared() - 1.0).abs() <= UNIT {
        return Ok(());
    }
    Err(format_error(text!("a normal is {:?}, expected a unit vector", normal.as_slice())))
}

/// Refuses a contact point that detection does not find.
pub fn check_spot(spot: &ContactGeometry) -> Result<()> {
    check_normal(&spot.normal)?;
    let finite = [&spot.local, &spot.arm_a, &spot.arm_b, &spot.point];
    if spot.gap.is_finite() && spot.radius >= 0.0 && are_finite(finite) {
        return Ok(());
    }
    Err(format_error(text!("a contact point is {spot:?}, expected finite numbers")))
}

/// Whether both are the same to the last bit.
fn is_same(a: &PointGeometry, b: &PointGeometry) -> bool {
    let bits = |point: &PointGeometry| [point.normal.x, point.normal.y, point.normal.z, point.gap].map(f64::to_bits);
    bits(a) == bits(b)
}
