//! The contacts of sleeping bodies in snapshots, without what follows from their bodies.

use crate::contact::{
    ContactGeometry, ContactHistory, ContactRecord, ContactState, ContactView, FromBodies, Memory, Mixing, Surface,
    Widths, check_geometry, load_counts, load_geometry, save_counts, save_geometry,
};
use crate::error::{Result, reserve, text};
use crate::id::SlotSet;
use crate::math::{Impulse, ImpulsiveWrench, Vec3, are_finite, is_identical, limits};
use crate::solver::Velocity;
use crate::visit::{Reader, State, StateVisitor, format_error, marked};
use crate::world::readback::{ReadbackContext, ReadbackState, geometry_of_balls};
use crate::world::saved_contacts::Places;
use crate::world::sleep::state::{Activity, SleepState, StepContact, list_supports};

/// The marks of a contact: its flags, and which parts are written as they do not follow.
const REBOUNDS: u8 = 1;
const HAD_IMPACT: u8 = 2;
const NEW: u8 = 4;
const GEOMETRY: u8 = 8;
const SURFACE: u8 = 16;
const MOTION: u8 = 32;
/// The lengths of step and substep, if they are others than those of the contact before.
const TIMES: u8 = 64;
const MARKS: u8 = 127;

/// The fewest bytes of a contact: its marks, body b, its key and an impulse.
const MIN_CONTACT: usize = 40;

/// What contacts of sleeping bodies follow from.
struct Sources<'a> {
    sleep: &'a SleepState,
    places: &'a Places<'a>,
    context: ReadbackContext<'a>,
    /// Whether there is each material.
    materials: usize,
    mixing: Mixing<'a>,
    /// The last contact point that was written or read.
    last: ContactGeometry,
}

impl<'a> Sources<'a> {
    fn of(sleep: &'a SleepState, readback: &'a ReadbackState, places: &'a Places<'a>) -> Self {
        let context = readback.of(places.bodies);
        Self {
            sleep,
            places,
            context,
            materials: context.materials.len(),
            mixing: context.mixing(),
            last: ContactGeometry::default(),
        }
    }

    /// Returns the contact point of two balls.
    fn geometry(&self, record: &ContactRecord) -> Option<ContactGeometry> {
        let (a, b) = record.pair();
        let point = self.places.point(record)?;
        Some(geometry_of_balls(&self.places.ball(a)?, &self.places.ball(b)?, &point))
    }

    /// Returns what both surfaces are together, if there are their materials.
    fn surface(&mut self, record: &ContactRecord, geometry: &ContactGeometry) -> Option<Surface> {
        let (a, b) = record.pair();
        let materials = self.context.materials_of(record);
        let size =
            |slot: u32| self.places.ball(slot).map(|ball| if ball.radius.is_finite() { ball.radius } else { 0.0 });
        let (sizes, exist) = ([size(a)?, size(b)?], (materials.0.max(materials.1) as usize) < self.materials);
        exist.then(|| self.mixing.of(materials).surface(|| geometry.radius, sizes))
    }

    /// Returns the velocity of b relative to a and how fast it rolls.
    fn motion(&self, touch: &ContactView) -> (Vec3, f64) {
        let Places { bodies, .. } = self.places;
        let velocity = |slot: u32| match bodies.asleep[slot as usize] {
            true => *self.sleep.velocity(slot),
            false => {
                let motion = &bodies.motion[slot as usize];
                Velocity { linear: motion.linear, angular: motion.angular }
            }
        };
        let [a, b] = &[touch.body_a, touch.body_b].map(velocity);
        let still = ContactState { relative_velocity: -Vec3::zeros(), ..ContactState::default() };
        let ContactState { relative_velocity, rolling_speed, .. } = self.context.with_motion(still, touch, [a, b]);
        (relative_velocity, rolling_speed)
    }
}

impl SleepState {
    /// Writes the contacts of sleeping bodies, except those of `removed` bodies.
    pub(in crate::world) fn save_contacts(
        &self,
        visitor: &mut impl StateVisitor,
        memory: &Memory,
        readback: &ReadbackState,
        places: &Places,
        removed: &SlotSet,
    ) {
        let kept = || self.contacts.iter().filter(|contact| !removed.has_any_of(contact.touch.pair()));
        let count = kept().count();
        visitor.length(count);
        if count == 0 {
            return;
        }
        let slots = places.bodies.slots();
        save_counts(visitor, slots, kept().map(|contact| contact.touch.body_a));
        let (widths, mut sources) = (Widths::of(slots, memory.next_key), Sources::of(self, readback, places));
        let mut times = [memory.step, memory.substep];
        for contact in kept() {
            contact.save(visitor, widths, &mut sources, &mut times);
        }
    }

    /// Reads the contacts of sleeping bodies, and lists what they rest on.
    ///
    /// # Errors
    ///
    /// Memory is exhausted, or there are no such contacts.
    pub(in crate::world) fn load_contacts(
        &mut self,
        reader: &mut Reader,
        memory: &Memory,
        readback: &ReadbackState,
        places: &Places,
    ) -> Result<()> {
        let (bodies, count) = (places.bodies, reader.length(MIN_CONTACT)?);
        let mut contacts: Vec<StepContact> = Vec::new();
        reserve(&mut contacts, count, "contacts")?;
        let bodies_a = if count > 0 { load_counts(reader, bodies.slots(), count)? } else { Vec::new() };
        let (widths, mut sources) = (Widths::of(bodies.slots(), memory.next_key), Sources::of(self, readback, places));
        let mut times = [memory.step, memory.substep];
        for body_a in bodies_a {
            let head = load_record(reader, body_a, widths, memory.next_key)?;
            let (a, b) = head.record.pair();
            let exists = |slot: u32| bodies.registry.is_live(slot as usize);
            let was_asleep = |slot: u32| self.activity.get(slot as usize).is_some_and(|own| *own != Activity::Awake);
            let is_sorted = contacts.last().is_none_or(|last| last.touch.pair() <= (a, b));
            if !(exists(a) && exists(b) && is_sorted && (was_asleep(a) || was_asleep(b))) {
                return Err(format_error(text!("a contact between the slots {a} and {b} does not sleep")));
            }
            contacts.push(StepContact::load(reader, head, &mut sources, &mut times)?);
        }
        self.contacts = contacts;
        list_supports(&self.contacts, &mut self.supports, bodies)
    }
}

/// The first part of a contact.
struct Head {
    marks: u8,
    record: ContactRecord,
}

fn record_of(pair: (u32, u32), key: u64) -> ContactRecord {
    let mut record = ContactRecord::of_balls(pair);
    record.key = key;
    record
}

fn load_record(reader: &mut Reader, body_a: u32, widths: Widths, next_key: u64) -> Result<Head> {
    let marks = reader.byte()?;
    let (body_b, key) = (reader.low_bytes(widths.slot)? as u32, reader.low_bytes(widths.key)?);
    if marks & !MARKS == 0 && body_a < body_b && key > 0 && key < next_key {
        let record = record_of((body_a, body_b), key);
        return Ok(Head { marks, record });
    }
    Err(format_error(text!(
        "a sleeping contact of the slots {body_a} and {body_b} has the key {key}, marks {marks:#x}"
    )))
}

impl StepContact {
    /// Writes the contact without its impact, which is behind the rest of the world.
    fn save(&self, visitor: &mut impl StateVisitor, widths: Widths, sources: &mut Sources, times: &mut [f64; 2]) {
        let Self { touch, load, total, impact: _, step, substep } = self;
        let ContactView { body_a: _, body_b, key, geometry, surface } = touch;
        let ContactState {
            impulse: ImpulsiveWrench { force: impulse, torque },
            position_multiplier,
            compatible,
            relative_velocity,
            rolling_speed,
            frame,
            rebounds,
            had_impact,
            is_new,
        } = *load;
        let record = record_of(touch.pair(), *key);
        let are_balls = sources.geometry(&record).is_some_and(|own| is_same_geometry(&own, geometry));
        let has_surface = sources.surface(&record, geometry).is_some_and(|own| is_same_surface(&own, surface));
        let (velocity, rolling) = sources.motion(touch);
        let moves = is_identical(&velocity, &relative_velocity) && rolling.to_bits() == rolling_speed.to_bits();
        let own_times = [*step, *substep];
        let has_times = own_times.map(f64::to_bits) == times.map(f64::to_bits);
        let flags = marked(rebounds, REBOUNDS) | marked(had_impact, HAD_IMPACT) | marked(is_new, NEW);
        let parts = marked(!are_balls, GEOMETRY) | marked(!has_surface, SURFACE) | marked(!moves, MOTION);
        visitor.byte(flags | parts | marked(!has_times, TIMES));
        visitor.low_bytes(u64::from(*body_b), widths.slot);
        visitor.low_bytes(*key, widths.key);
        if !are_balls {
            save_geometry(&record, geometry, visitor, sources.places, &mut sources.last);
        }
        if !has_surface {
            surface.visit(visitor);
        }
        if !moves {
            relative_velocity.visit(visitor);
            visitor.number(rolling_speed);
        }
        if !has_times {
            *times = own_times;
            times.visit(visitor);
        }
        let total = *total;
        let sticking_velocity = Vec3::zeros();
        let carried =
            ContactHistory { impulse, position_multiplier, torque, sticking_velocity, frame, total, compatible };
        let parts = carried.parts();
        visitor.byte(parts);
        carried.save(visitor, parts);
    }

    /// Reads what [`StepContact::save`] wrote.
    fn load(reader: &mut Reader, head: Head, sources: &mut Sources, times: &mut [f64; 2]) -> Result<Self> {
        let Head { marks, record } = head;
        let has = |mark: u8| marks & mark != 0;
        let missing =
            || format_error(text!("a sleeping contact of the slots {:?} has no geometry or surface", record.pair()));
        let geometry = if has(GEOMETRY) {
            load_geometry(reader, &record, sources.places, &mut sources.last)?
        } else {
            sources.geometry(&record).ok_or_else(missing)?
        };
        let surface = if has(SURFACE) {
            Surface::read(reader)?
        } else {
            sources.surface(&record, &geometry).ok_or_else(missing)?
        };
        let (body_a, body_b) = record.pair();
        let touch = ContactView { body_a, body_b, key: record.key, geometry, surface };
        let (relative_velocity, rolling_speed) =
            if has(MOTION) { (Vec3::read(reader)?, reader.number()?) } else { sources.motion(&touch) };
        if has(TIMES) {
            *times = State::read(reader)?;
        }
        let [step, substep] = *times;
        let parts = reader.byte()?;
        if parts & ContactHistory::STICKING_VELOCITY != 0 {
            return Err(format_error(text!("a sleeping contact carried the parts {parts:#x}")));
        }
        let carried = ContactHistory::load(reader, parts)?;
        let ContactHistory { impulse, position_multiplier, torque, sticking_velocity: _, frame, total, compatible } =
            carried;
        let load = ContactState {
            impulse: ImpulsiveWrench { force: impulse, torque },
            position_multiplier,
            compatible,
            relative_velocity,
            rolling_speed,
            frame,
            rebounds: has(REBOUNDS),
            had_impact: has(HAD_IMPACT),
            is_new: has(NEW),
        };
        let contact = Self { touch, load, total, impact: Impulse::ZERO, step, substep };
        contact.check()?;
        Ok(contact)
    }

    /// Refuses what no step leaves.
    fn check(&self) -> Result<()> {
        let Self { touch: ContactView { geometry, surface, .. }, load, step, substep, .. } = self;
        check_geometry(geometry)?;
        limits::step("the step of a contact", *step)?;
        limits::step("the substep of a contact", *substep)?;
        let Surface { friction, rolling, twisting, restitution, stiffness } = *surface;
        let is_number = [friction, rolling, twisting, restitution, stiffness].iter().all(|value| !value.is_nan());
        if is_number && are_finite([&load.relative_velocity]) && load.rolling_speed.is_finite() {
            return Ok(());
        }
        Err(format_error(text!("a sleeping contact is between {surface:?} and carried {load:?}")))
    }
}

fn is_same_geometry(one: &ContactGeometry, other: &ContactGeometry) -> bool {
    let words = |geometry: &ContactGeometry| {
        let ContactGeometry { feature, local, gap, normal, arm_a, arm_b, point, radius, is_along_normal } = *geometry;
        let vectors = [local, normal, arm_a, arm_b, point].map(|vector| <[f64; 3]>::from(vector).map(f64::to_bits));
        (feature, vectors, gap.to_bits(), radius.to_bits(), is_along_normal)
    };
    words(one) == words(other)
}

fn is_same_surface(one: &Surface, other: &Surface) -> bool {
    let words = |surface: &Surface| {
        let Surface { friction, rolling, twisting, restitution, stiffness } = *surface;
        [friction, rolling, twisting, restitution, stiffness].map(f64::to_bits)
    };
    words(one) == words(other)
}
