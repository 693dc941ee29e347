//! Handles: a kind, an index and a generation in 64 bits, checked at every use.
//!
//! A handle that was removed, or that belongs to another kind, is an error and never another object. Zero is null.

use crate::error::{Error, ErrorKind, Result, reserve, resize, text};
use crate::visit::{Reader, State, StateVisitor, format_error};

mod slot_set;

#[cfg(test)]
mod tests;

pub use slot_set::SlotSet;

const INDEX_BITS: u32 = 32;
const GENERATION_BITS: u32 = 28;
/// A slot that is taken by its first generation.
const FIRST: u32 = 1 << 1 | 1;
const LAST_GENERATION: u32 = (1 << GENERATION_BITS) - 1;

/// What a handle stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Entity {
    Material = 1,
    Shape = 2,
    Body = 3,
    Joint = 4,
}

impl Entity {
    fn name(self) -> &'static str {
        match self {
            Self::Material => "material",
            Self::Shape => "shape",
            Self::Body => "body",
            Self::Joint => "joint",
        }
    }
}

/// An entity's name outside the library: `kind << 60 | generation << 32 | index`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Handle(pub u64);

impl State for Handle {
    fn visit(&self, visitor: &mut impl StateVisitor) {
        visitor.word(self.0);
    }

    fn read(reader: &mut Reader) -> Result<Self> {
        reader.word().map(Self)
    }
}

impl Handle {
    /// No object.
    pub const NULL: Self = Self(0);

    fn parts(self) -> (u64, u32, u32) {
        let generation = (self.0 >> INDEX_BITS) as u32 & LAST_GENERATION;
        (self.0 >> (INDEX_BITS + GENERATION_BITS), generation, self.0 as u32)
    }
}

/// The slots of one kind of entity: which are taken, and by which generation.
///
/// The owner keeps its data in arrays parallel to the slots. Slots are reused last out, first in, so that the same
/// calls give the same handles.
#[derive(Debug, Clone)]
pub struct Registry {
    entity: Entity,
    /// `generation << 1 | taken`.
    slots: Vec<u32>,
    free: Vec<u32>,
}

impl Registry {
    /// No slots yet.
    pub fn new(entity: Entity) -> Self {
        Self { entity, slots: Vec::new(), free: Vec::new() }
    }

    /// A copy, as far as there is memory for it.
    pub fn try_clone(&self) -> Result<Self> {
        let mut copy = Self::new(self.entity);
        copy.reserve(self.slots())?;
        copy.slots.extend_from_slice(&self.slots);
        copy.free.extend_from_slice(&self.free);
        Ok(copy)
    }

    /// How many slots there are, taken or free: the length of the owner's arrays.
    pub fn slots(&self) -> usize {
        self.slots.len()
    }

    /// Visits all that the next handles depend on: generations, and the order in which free slots are reused.
    pub fn visit_state(&self, visitor: &mut impl StateVisitor) {
        let Self { entity, slots, free } = self;
        visitor.word(*entity as u64);
        let are_first = slots.iter().all(|slot| *slot == FIRST);
        visitor.flag(are_first);
        visitor.length(slots.len());
        slots.iter().filter(|_| !are_first).for_each(|slot| visitor.half(*slot));
        visitor.slots(free.iter().copied());
    }

    /// Reads the slots of this kind of entity. In what follows each takes at least so many bytes.
    ///
    /// # Errors
    ///
    /// Memory is exhausted, or the slots are none that calls can have left.
    pub fn load(reader: &mut Reader, entity: Entity, least_bytes: usize) -> Result<Self> {
        let what = entity.name();
        if reader.word()? != entity as u64 {
            return Err(format_error(text!("handles are not those of a {what}")));
        }
        let mut slots = Vec::new();
        if reader.flag()? {
            resize(&mut slots, reader.length(least_bytes)?, FIRST, what)?;
        } else {
            slots = reader.slots(what)?;
        }
        let free = reader.slots(what)?;
        let mut registry = Self { entity, slots, free };
        registry.check_free()?;
        registry.reserve(0)?;
        Ok(registry)
    }

    /// Checks that generations are in range, and that exactly the slots which can be used again are listed as free, each once.
    fn check_free(&self) -> Result<()> {
        let mut is_free = Vec::new();
        resize(&mut is_free, self.slots.len(), false, self.entity.name())?;
        for slot in &self.free {
            match is_free.get_mut(*slot as usize) {
                Some(is_free) if !*is_free => *is_free = true,
                _ => return Err(format_error(text!("slot {slot} is not free once"))),
            }
        }
        for (at, (slot, is_free)) in self.slots.iter().zip(is_free).enumerate() {
            let (generation, is_taken) = (slot >> 1, slot & 1 == 1);
            let holds = (1..=LAST_GENERATION).contains(&generation)
                && if is_free { !is_taken } else { is_taken || generation == LAST_GENERATION };
            if !holds {
                return Err(format_error(text!("slot {at} is {slot:#x}, which does not fit the free ones")));
            }
        }
        Ok(())
    }

    /// Writes the order in which the entities that are there were made, unless it is that of their slots.
    pub fn visit_order(&self, visitor: &mut impl StateVisitor, order: &[u32]) {
        let is_sorted = order.is_sorted();
        visitor.flag(!is_sorted);
        if !is_sorted {
            visitor.slots(order.iter().copied());
        }
    }

    /// Reads the order in which the entities that are there were made: each slot that is taken, once.
    ///
    /// # Errors
    ///
    /// Memory is exhausted, or the slots are others.
    pub fn load_order(&self, reader: &mut Reader) -> Result<Vec<u32>> {
        let what = self.entity.name();
        if !reader.flag()? {
            let mut order = Vec::new();
            reserve(&mut order, self.slots.len(), what)?;
            order.extend((0..).zip(&self.slots).filter(|(_, slot)| **slot & 1 == 1).map(|(at, _)| at));
            return Ok(order);
        }
        let order = reader.slots(what)?;
        let mut is_left = Vec::new();
        reserve(&mut is_left, self.slots.len(), what)?;
        is_left.extend(self.slots.iter().map(|slot| slot & 1 == 1));
        for slot in &order {
            match is_left.get_mut(*slot as usize) {
                Some(is_left) if *is_left => *is_left = false,
                _ => return Err(format_error(text!("slot {slot} of a {what} is not taken once"))),
            }
        }
        let left = is_left.iter().position(|is_left| *is_left);
        left.map_or(Ok(order), |slot| Err(format_error(text!("slot {slot} of a {what} is not in the order"))))
    }

    /// The number of slots that are not taken.
    pub fn untaken(&self) -> usize {
        self.slots.iter().filter(|slot| **slot & 1 == 0).count()
    }

    /// Reserves memory, so that the next `additional` calls of [`Registry::insert`] cannot fail.
    pub fn reserve(&mut self, additional: usize) -> Result<()> {
        let what = self.entity.name();
        if self.slots().saturating_add(additional) > u32::MAX as usize {
            return Err(Error::argument(text!("{additional} more {what} handles exceed 2^32 - 1")));
        }
        reserve(&mut self.slots, additional, what)?;
        // Removal must not allocate: the free list can hold every slot.
        let missing = (self.slots() + additional).saturating_sub(self.free.len());
        reserve(&mut self.free, missing, what)
    }

    /// Takes a slot; the owner extends its arrays where the index equals their length.
    /// [`Registry::reserve`] comes first.
    pub fn insert(&mut self) -> (usize, Handle) {
        let index = self.free.pop().unwrap_or_else(|| {
            self.slots.push(1 << 1);
            (self.slots.len() - 1) as u32
        });
        let slot = index as usize;
        self.slots[slot] |= 1;
        (slot, self.handle(slot))
    }

    /// The handle of the entity in `slot`.
    pub fn handle(&self, slot: usize) -> Handle {
        let (kind, generation) = (self.entity as u64, u64::from(self.slots[slot] >> 1));
        Handle(kind << (INDEX_BITS + GENERATION_BITS) | generation << INDEX_BITS | slot as u64)
    }

    /// Whether `slot` is taken.
    pub fn is_live(&self, slot: usize) -> bool {
        self.slots.get(slot).is_some_and(|slot| slot & 1 == 1)
    }

    /// Whether `handle` stands for an entity of this kind that is there.
    pub fn holds(&self, handle: Handle) -> bool {
        let (kind, generation, index) = handle.parts();
        kind == self.entity as u64 && self.slots.get(index as usize) == Some(&(generation << 1 | 1))
    }

    /// The slot of `handle`, which the message calls `name`.
    pub fn slot(&self, name: &str, handle: Handle) -> Result<usize> {
        let (kind, _, index) = handle.parts();
        if self.holds(handle) {
            return Ok(index as usize);
        }
        let state = if handle == Handle::NULL {
            "is null"
        } else if kind != self.entity as u64 {
            "is of another kind"
        } else {
            "does not exist or was removed"
        };
        let (what, value) = (self.entity.name(), handle.0);
        Err(Error::new(ErrorKind::StaleHandle, text!("{name} is {value:#x}, which {state}, expected a {what}")))
    }

    /// Frees `slot`: its handle is stale from now on.
    pub fn remove(&mut self, slot: usize) {
        self.slots[slot] &= !1;
        // A slot whose generations are used up stays empty for ever, so that no handle can come back.
        if self.slots[slot] >> 1 < LAST_GENERATION {
            self.slots[slot] += 1 << 1;
            self.free.push(slot as u32);
        }
    }
}
