//! The contacts of a step, column by column: who touches, and where, as far as that does not follow from two balls.

use crate::contact::touch::{Found, OF_BALLS, Spot};
use crate::error::{Result, reserve, resize};

/// Contacts sorted by pair.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Touches {
    /// Of each contact.
    pub found: Vec<Found>,
    /// Of those that are not of two balls, in the order of the contacts.
    pub spots: Vec<Spot>,
}

impl Touches {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// The spot of one of them; two balls have none.
    #[inline(always)]
    pub fn spot(&self, found: &Found) -> Option<&Spot> {
        self.spots.get(found.spot()?)
    }

    /// Which features touch; 0: unknown.
    pub fn feature(&self, found: &Found) -> u64 {
        self.spot(found).map_or(OF_BALLS, |spot| spot.feature)
    }

    /// Makes room for so many contacts and spots; what is there already is to be written over.
    pub fn begin(&mut self, contacts: usize, spots: usize) -> Result<()> {
        let Self { found, spots: all } = self;
        found.truncate(contacts);
        resize(found, contacts, Found::of_balls((0, 0)), "contacts")?;
        all.truncate(spots);
        resize(all, spots, Spot::NONE, "contacts")
    }

    /// Takes out all contacts, and makes room for `most` of them.
    pub fn clear(&mut self, most: usize) -> Result<()> {
        self.found.clear();
        self.spots.clear();
        reserve(&mut self.found, most, "contacts")?;
        reserve(&mut self.spots, most, "contacts")
    }

    /// Adds a contact behind all others, with its spot if it has one; [`Touches::clear`] made room for it.
    pub fn push(&mut self, pair: (u32, u32), key: u64, spot: Option<&Spot>) {
        let found = match spot {
            Some(spot) => {
                self.spots.push(*spot);
                Found::at(pair, self.spots.len() - 1)
            }
            None => Found::of_balls(pair),
        };
        self.found.push(found.with_key(key));
    }

    /// Keeps the contacts of which `is_kept` says so, asked for each in turn.
    pub fn retain(&mut self, is_kept: impl Fn(&Found) -> bool) {
        let Self { found, spots } = self;
        let mut kept = 0;
        found.retain_mut(|found| {
            let stays = is_kept(found);
            if let Some(spot) = found.spot().filter(|_| stays) {
                // in the order of the contacts: none is written over that is still asked for
                spots[kept] = spots[spot];
                *found = Found::at(found.pair(), kept).with_key(found.key);
                kept += 1;
            }
            stays
        });
        spots.truncate(kept);
    }
}
