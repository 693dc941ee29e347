//! A column of values most of which are equal: each different one is kept once, and a slot has the place of its own.
//!
//! Equal are values of equal bits, so what is read is what was put, bit for bit. Values are counted, and the place of one that
//! no slot has any more is the next one's. The table that finds a value is asked for single values alone: nothing depends on
//! its order, nor on that of the places.

use std::ops::Index;

use crate::error::{Error, Result, reserve, resize};
use crate::math::lanes::{prefetch_one_of, prefetch_slot};

/// A value that is told from others by its bits.
pub trait Bits: Copy {
    /// All of them; equal where every bit is.
    type Words: AsRef<[u64]> + PartialEq;

    /// Every number of it.
    fn words(&self) -> Self::Words;
}

/// Values by slot. Slots are given one after the other, and given again.
#[derive(Debug)]
pub struct Shared<T> {
    /// Of the value of each slot.
    places: Vec<u32>,
    /// The different ones; where nobody has it, what was there last.
    values: Vec<T>,
    /// Of each of them.
    holders: Vec<Holders>,
    /// Places whose value nobody has; has room for all of them.
    free: Vec<u32>,
    /// Places by the hash of their value, from there on to the next [`NONE`]; a power of two, at most three quarters taken.
    table: Vec<u32>,
}

/// Who has a value.
#[derive(Debug, Clone, Copy)]
struct Holders {
    /// How many slots.
    count: u32,
    /// The value's.
    hash: u32,
}

/// No place.
const NONE: u32 = u32::MAX;

/// So few values are near anyway, and are not asked for.
const FEW: usize = 32;

/// The smallest table.
const LEAST_TABLE: usize = 16;

impl<T> Default for Shared<T> {
    fn default() -> Self {
        Self { places: Vec::new(), values: Vec::new(), holders: Vec::new(), free: Vec::new(), table: Vec::new() }
    }
}

impl<T> Index<usize> for Shared<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, slot: usize) -> &T {
        &self.values[self.places[slot] as usize]
    }
}

impl<T: Bits> Shared<T> {
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

    /// Makes room for `new` values in `new` more slots, so that [`Shared::put`] of these, each once and in any order, cannot fail.
    pub fn reserve<'a>(&mut self, new: impl ExactSizeIterator<Item = &'a T> + Clone) -> Result<()>
    where
        T: 'a,
    {
        reserve(&mut self.places, new.len(), "bodies")?;
        // taken in and given back: so many are different as need room
        let mut taken = 0;
        let done = new.clone().try_for_each(|value| {
            self.reserve_one()?;
            self.take(value);
            taken += 1;
            Ok(())
        });
        for value in new.take(taken) {
            if let Ok(at) = self.find(value, hash(value)) {
                self.give_back(self.table[at]);
            }
        }
        done
    }

    /// The value of `slot`, which is one that has a value or the next one, is `value` now; [`Shared::reserve`] comes first.
    pub fn put(&mut self, slot: usize, value: &T) {
        let place = self.take(value);
        match self.places.get_mut(slot) {
            Some(own) => {
                let before = std::mem::replace(own, place);
                self.give_back(before);
            }
            None => self.places.push(place),
        }
    }

    /// How many values there is room for, and how many of them anybody has.
    #[cfg(test)]
    pub(super) fn extent(&self) -> (usize, usize) {
        (self.values.len(), self.values.len() - self.free.len())
    }

    /// Room for one more value that nobody has yet.
    fn reserve_one(&mut self) -> Result<()> {
        if self.free.is_empty() {
            if self.values.len() >= NONE as usize {
                return Err(Error::argument("the different masses or traits of bodies are 2^32 - 1, expected fewer"));
            }
            reserve(&mut self.values, 1, "bodies")?;
            reserve(&mut self.holders, 1, "bodies")?;
            // to give back must not allocate: the list can hold every place
            reserve(&mut self.free, self.values.len() + 1, "bodies")?;
        }
        let taken = self.values.len() - self.free.len() + 1;
        if taken > self.table.len() / 4 * 3 { self.grow() } else { Ok(()) }
    }

    /// Makes the table twice as large.
    fn grow(&mut self) -> Result<()> {
        let mut table = Vec::new();
        resize(&mut table, (2 * self.table.len()).max(LEAST_TABLE), NONE, "bodies")?;
        let before = std::mem::replace(&mut self.table, table);
        for place in before.into_iter().filter(|place| *place != NONE) {
            let mut at = self.home(self.holders[place as usize].hash);
            while self.table[at] != NONE {
                at = self.after(at);
            }
            self.table[at] = place;
        }
        Ok(())
    }

    /// Where in the table the search for a hash begins.
    fn home(&self, hash: u32) -> usize {
        hash as usize & (self.table.len() - 1)
    }

    fn after(&self, at: usize) -> usize {
        (at + 1) & (self.table.len() - 1)
    }

    /// Where in the table `value` is, or else where it belongs. There is a table.
    fn find(&self, value: &T, hash: u32) -> std::result::Result<usize, usize> {
        let words = value.words();
        let mut at = self.home(hash);
        loop {
            let place = self.table[at] as usize;
            match self.holders.get(place) {
                None => return Err(at),
                Some(holders) if holders.hash == hash && self.values[place].words() == words => return Ok(at),
                Some(_) => at = self.after(at),
            }
        }
    }

    /// One slot more has `value`, whose place is the answer.
    fn take(&mut self, value: &T) -> u32 {
        let hash = hash(value);
        match self.find(value, hash) {
            Ok(at) => {
                let place = self.table[at];
                self.holders[place as usize].count += 1;
                place
            }
            Err(at) => {
                let holders = Holders { count: 1, hash };
                let place = self.free.pop().unwrap_or(self.values.len() as u32);
                if place as usize == self.values.len() {
                    self.values.push(*value);
                    self.holders.push(holders);
                } else {
                    self.values[place as usize] = *value;
                    self.holders[place as usize] = holders;
                }
                self.table[at] = place;
                place
            }
        }
    }

    /// One slot less has the value at `place`.
    fn give_back(&mut self, place: u32) {
        let Holders { count, hash } = &mut self.holders[place as usize];
        *count -= 1;
        if *count > 0 {
            return;
        }
        let mut gap = (*hash) as usize & (self.table.len() - 1);
        while self.table[gap] != place {
            gap = self.after(gap);
        }
        // what follows without a gap moves up, but not before its home
        let mut at = self.after(gap);
        while self.table[at] != NONE {
            let home = self.home(self.holders[self.table[at] as usize].hash);
            let mask = self.table.len() - 1;
            if at.wrapping_sub(home) & mask >= at.wrapping_sub(gap) & mask {
                self.table[gap] = self.table[at];
                gap = at;
            }
            at = self.after(at);
        }
        self.table[gap] = NONE;
        self.free.push(place);
    }
}

/// Of all bits: each word multiplied into what was before, the upper half of the product folded onto the lower.
fn hash<T: Bits>(value: &T) -> u32 {
    const ODD: u128 = 0x9E37_79B9_7F4A_7C15;
    let fold = |sum: u64, word: &u64| {
        let product = u128::from(sum ^ word) * ODD;
        product as u64 ^ (product >> 64) as u64
    };
    let sum = value.words().as_ref().iter().fold(0x243F_6A88_85A3_08D3, fold);
    (sum ^ sum >> 32) as u32
}
