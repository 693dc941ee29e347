//! A column of values most of which are equal: each distinct value is stored once, and a slot holds the index of its value.
//!
//! Values are equal if their bits are, so what is read is what was put, bit for bit. A value without slots gives its place to
//! the next new one. The hash table is only asked for single values: no result depends on its order.

use std::ops::Index;

use hashbrown::HashTable;

use crate::error::{Error, Result, out_of_memory, reserve};
use crate::math::lanes::{prefetch_one_of, prefetch_slot};

/// A value that is distinguished from others by its bits.
pub trait Bits: Copy {
    /// All of them; equal where every bit is.
    type Words: AsRef<[u64]> + PartialEq;

    /// Returns every number of the value.
    fn words(&self) -> Self::Words;
}

/// Values by slot. Slots are used one after the other, and used again.
#[derive(Debug)]
pub struct SharedValues<T> {
    /// The place of the value of each slot.
    pub(super) places: Vec<u32>,
    /// The distinct values by place; a free place holds its last value.
    pub(super) values: Vec<T>,
    /// The number of slots of each value.
    pub(super) counts: Vec<u32>,
    /// Places whose value has no slot; has capacity for all of them.
    pub(super) free: Vec<u32>,
    /// The places of values that have slots, by the hash of the value.
    pub(super) table: HashTable<u32>,
}

/// So few values stay in the cache anyway, and are not prefetched.
const FEW: usize = 32;

impl<T> Default for SharedValues<T> {
    fn default() -> Self {
        let table = HashTable::new();
        Self { places: Vec::new(), values: Vec::new(), counts: Vec::new(), free: Vec::new(), table }
    }
}

impl<T> Index<usize> for SharedValues<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, slot: usize) -> &T {
        &self.values[self.places[slot] as usize]
    }
}

impl<T: Bits> SharedValues<T> {
    /// Prefetches the value of the slot `soon`, and the index of the value of the slot `later`.
    #[inline(always)]
    pub fn prefetch(&self, soon: Option<&u32>, later: Option<&u32>) {
        prefetch_slot(&self.places, later);
        if self.values.len() > FEW
            && let Some(place) = soon.and_then(|slot| self.places.get(*slot as usize))
        {
            prefetch_one_of(&self.values, *place as usize);
        }
    }

    /// Reserves memory for `new` values in `new` more slots. A [`SharedValues::put`] of each, in any order, then allocates nothing.
    pub fn reserve<'a>(&mut self, new: impl ExactSizeIterator<Item = &'a T> + Clone) -> Result<()>
    where
        T: 'a,
    {
        reserve(&mut self.places, new.len(), "bodies")?;
        // Inserted and removed again: only the distinct ones need room.
        let mut taken = 0;
        let done = new.clone().try_for_each(|value| {
            self.reserve_one()?;
            self.take(value);
            taken += 1;
            Ok(())
        });
        for value in new.take(taken) {
            if let Some(place) = self.find(value) {
                self.release(place);
            }
        }
        done
    }

    /// Sets the value of `slot`, which has a value or is the next one. [`SharedValues::reserve`] comes first.
    pub fn put(&mut self, slot: usize, value: &T) {
        let place = self.take(value);
        match self.places.get_mut(slot) {
            Some(own) => {
                let before = std::mem::replace(own, place);
                self.release(before);
            }
            None => self.places.push(place),
        }
    }

    /// Reserves memory for one more distinct value.
    pub(super) fn reserve_one(&mut self) -> Result<()> {
        if self.free.is_empty() {
            if self.values.len() >= u32::MAX as usize {
                return Err(Error::argument("the different masses or traits of bodies are 2^32 - 1, expected fewer"));
            }
            reserve(&mut self.values, 1, "bodies")?;
            reserve(&mut self.counts, 1, "bodies")?;
            // `release` must not allocate: the list can hold every place.
            reserve(&mut self.free, self.values.len() + 1, "bodies")?;
        }
        self.reserve_bucket()
    }

    /// Reserves memory for one more entry of the table.
    pub(super) fn reserve_bucket(&mut self) -> Result<()> {
        // A table that is at most half full reuses the buckets of removed values without more memory.
        let (length, buckets) = (self.table.len(), self.table.num_buckets());
        if 2 * (length + 1) > buckets / 8 * 7 {
            let values = &self.values;
            let grown = self.table.try_reserve(length + 2, |place| hash(&values[*place as usize]));
            grown.map_err(|_| out_of_memory("bodies", length + 2))?;
        }
        Ok(())
    }

    /// Returns the place of `value` if it has slots.
    pub(super) fn find(&self, value: &T) -> Option<u32> {
        let words = value.words();
        self.table.find(hash(value), |place| self.values[*place as usize].words() == words).copied()
    }

    /// Counts one more slot of `value`, and returns its place.
    pub(super) fn take(&mut self, value: &T) -> u32 {
        if let Some(place) = self.find(value) {
            self.counts[place as usize] += 1;
            return place;
        }
        let place = self.free.pop().unwrap_or(self.values.len() as u32);
        if place as usize == self.values.len() {
            self.values.push(*value);
            self.counts.push(1);
        } else {
            self.values[place as usize] = *value;
            self.counts[place as usize] = 1;
        }
        self.enter(place);
        place
    }

    /// Enters the value at `place` into the table, which has room for it.
    pub(super) fn enter(&mut self, place: u32) {
        let values = &self.values;
        self.table.insert_unique(hash(&values[place as usize]), place, |place| hash(&values[*place as usize]));
    }

    /// Counts one slot less of the value at `place`.
    fn release(&mut self, place: u32) {
        let count = &mut self.counts[place as usize];
        *count -= 1;
        if *count > 0 {
            return;
        }
        if let Ok(entry) = self.table.find_entry(hash(&self.values[place as usize]), |other| *other == place) {
            entry.remove();
        }
        self.free.push(place);
    }
}

/// Returns a hash of all bits, the same in every process. Each word is multiplied into the sum, and the upper half of
/// the product is folded onto the lower one.
pub(super) fn hash<T: Bits>(value: &T) -> u64 {
    const HASH_MULTIPLIER: u128 = 0x9E37_79B9_7F4A_7C15;
    let fold = |sum: u64, word: &u64| {
        let product = u128::from(sum ^ word) * HASH_MULTIPLIER;
        product as u64 ^ (product >> 64) as u64
    };
    value.words().as_ref().iter().fold(0x243F_6A88_85A3_08D3, fold)
}
