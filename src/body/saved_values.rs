//! Shared values in snapshots: each distinct value once, in the order of the bodies, then the number of the value of each body.

use super::shared::{Bits, SharedValues, hash};
use crate::error::{Result, empty, refill, reserve, resize, text};
use crate::visit::{Reader, StateVisitor, format_error, width_of};

/// No number.
const NONE: u32 = u32::MAX;

/// So many bodies have a byte together, which marks the number of each value: that of the body before, the next one, or another.
const TOGETHER: usize = 4;
const SAME: u8 = 0;
const NEW: u8 = 1;
const OTHER: u8 = 2;

/// The number of the value of the last body, and of the next value that no body had.
#[derive(Debug, Clone, Copy, Default)]
struct Known {
    last: u32,
    next: u32,
}

impl Known {
    /// Returns the mark of a number, which is then that of the last body.
    fn mark(&mut self, number: u32) -> u8 {
        let is_new = number == self.next;
        let mark = if is_new {
            NEW
        } else if number == self.last {
            SAME
        } else {
            OTHER
        };
        *self = Self { last: number, next: self.next + u32::from(is_new) };
        mark
    }
}

/// So many distinct values may look for their place in the table from the same one. Values that were not chosen for it never come near this number.
const MAX_COLLISIONS: usize = 64;

impl<T: Bits> SharedValues<T> {
    /// Writes the values of these slots.
    ///
    /// # Errors
    ///
    /// Memory is exhausted.
    pub(super) fn save<V: StateVisitor>(
        &self,
        visitor: &mut V,
        slots: &[u32],
        mut save: impl FnMut(&T, &mut V),
    ) -> Result<()> {
        let (mut numbers, mut distinct) = (Vec::new(), Vec::new());
        refill(&mut numbers, self.values.len(), NONE, "bodies")?;
        empty(&mut distinct, self.values.len(), "bodies")?;
        let places = || slots.iter().map(|slot| self.places[*slot as usize] as usize);
        for place in places() {
            if numbers[place] == NONE {
                numbers[place] = distinct.len() as u32;
                distinct.push(place);
            }
        }
        visitor.length(distinct.len());
        distinct.iter().for_each(|place| save(&self.values[*place], visitor));
        let width = width_of(distinct.len().saturating_sub(1) as u64);
        let mut known = Known::default();
        for slots in slots.chunks(TOGETHER) {
            let number = |slot: &u32| numbers[self.places[*slot as usize] as usize];
            let before = known;
            visitor.byte((0..).zip(slots).fold(0, |marks, (at, slot)| marks | known.mark(number(slot)) << (2 * at)));
            known = before;
            for slot in slots {
                if known.mark(number(slot)) == OTHER {
                    visitor.low_bytes(u64::from(number(slot)), width);
                }
            }
        }
        Ok(())
    }

    /// Reads the values of these `slots` of `count`. The others get the value `unused`. A value has at least `least_bytes`.
    ///
    /// # Errors
    ///
    /// Memory is exhausted, or the values are none that [`SharedValues::save`] can have written.
    pub(super) fn load(
        reader: &mut Reader,
        (slots, count): (&[u32], usize),
        (unused, least_bytes): (&T, usize),
        load: impl FnMut(&mut Reader) -> Result<T>,
    ) -> Result<Self> {
        let values = reader.sequence("values of bodies", least_bytes, load)?;
        let mut all = Self::default();
        resize(&mut all.places, count, NONE, "bodies")?;
        resize(&mut all.counts, values.len(), 0, "bodies")?;
        let width = width_of(values.len().saturating_sub(1) as u64);
        let (mut known, mut marks) = (Known::default(), 0);
        for (at, slot) in slots.iter().enumerate() {
            marks = if at.is_multiple_of(TOGETHER) { reader.byte()? } else { marks >> 2 };
            let number = match marks & 3 {
                SAME => known.last,
                NEW => known.next,
                OTHER => reader.low_bytes(width)? as u32,
                _ => return Err(format_error(text!("the value of a body is marked {marks:#x}"))),
            };
            known.mark(number);
            let Some(count) = all.counts.get_mut(number as usize) else {
                return Err(format_error(text!("value {number} of a body is none of {}", values.len())));
            };
            *count += 1;
            all.places[*slot as usize] = number;
        }
        check_spread(&values)?;
        all.values = values;
        all.fill_table()?;
        for slot in 0..count {
            if all.places[slot] == NONE {
                all.reserve_one()?;
                all.places[slot] = all.take(unused);
            }
        }
        // Room as after the insertion of each value.
        let places = all.values.len();
        reserve(&mut all.free, places, "bodies")?;
        Ok(all)
    }

    /// Enters all values into the table.
    fn fill_table(&mut self) -> Result<()> {
        for place in 0..self.values.len() {
            if self.counts[place] == 0 || self.find(&self.values[place]).is_some() {
                return Err(format_error(text!("value {place} of bodies is not used, or not the first of its kind")));
            }
            self.reserve_bucket()?;
            self.enter(place as u32);
        }
        Ok(())
    }
}

/// Refuses values that were chosen to make the table slow.
fn check_spread<T: Bits>(values: &[T]) -> Result<()> {
    let mask = (4 * values.len() as u64 + 1).next_power_of_two() - 1;
    let mut starts = Vec::new();
    reserve(&mut starts, values.len(), "bodies")?;
    starts.extend(values.iter().map(|value| hash(value) & mask));
    starts.sort_unstable();
    if starts.chunk_by(|a, b| a == b).all(|alike| alike.len() <= MAX_COLLISIONS) {
        return Ok(());
    }
    Err(format_error("too many values of bodies have the same hash"))
}
