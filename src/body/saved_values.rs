//! Shared values in snapshots: each distinct value once, in the order of the bodies, then the number of the value of each body.

use super::shared::{Bits, SharedValues, hash};
use crate::error::{Result, empty, refill, reserve, resize, text};
use crate::visit::{Reader, StateVisitor, format_error};

/// No number.
const NONE: u32 = u32::MAX;

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
        save: impl Fn(&T, &mut V),
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
        if is_short(distinct.len()) {
            places().for_each(|place| visitor.byte(numbers[place] as u8));
        } else {
            places().for_each(|place| visitor.half(numbers[place]));
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
        for slot in slots {
            let number = if is_short(values.len()) { u32::from(reader.byte()?) } else { reader.half()? };
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

/// Whether the numbers of so many values fit into a byte.
fn is_short(values: usize) -> bool {
    values <= 1 << u8::BITS
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
