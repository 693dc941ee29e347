//! The contacts of a step, column by column: who touches, and where, as far as that does not follow from two balls.

use crate::contact::record::{ContactGeometry, ContactRecord, OF_BALLS};
use crate::error::{Result, reserve, resize};

/// Contacts sorted by pair.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ContactList {
    /// Of each contact.
    pub records: Vec<ContactRecord>,
    /// Of those that are not of two balls, in the order of the contacts.
    pub spots: Vec<ContactGeometry>,
}

impl ContactList {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The spot of one of them; two balls have none.
    #[inline(always)]
    pub fn spot(&self, record: &ContactRecord) -> Option<&ContactGeometry> {
        self.spots.get(record.spot()?)
    }

    /// Which features touch; 0: unknown.
    pub fn feature(&self, record: &ContactRecord) -> u64 {
        self.spot(record).map_or(OF_BALLS, |spot| spot.feature)
    }

    /// Makes room for so many contacts and spots; what is there already is to be written over.
    pub fn begin(&mut self, contacts: usize, spots: usize) -> Result<()> {
        let Self { records, spots: all } = self;
        records.truncate(contacts);
        resize(records, contacts, ContactRecord::of_balls((0, 0)), "contacts")?;
        all.truncate(spots);
        resize(all, spots, ContactGeometry::NONE, "contacts")
    }

    /// Takes out all contacts, and makes room for `most` of them.
    pub fn clear(&mut self, most: usize) -> Result<()> {
        self.records.clear();
        self.spots.clear();
        reserve(&mut self.records, most, "contacts")?;
        reserve(&mut self.spots, most, "contacts")
    }

    /// Adds a contact behind all others, with its spot if it has one; [`ContactList::clear`] made room for it.
    pub fn push(&mut self, pair: (u32, u32), key: u64, spot: Option<&ContactGeometry>) {
        let record = match spot {
            Some(spot) => {
                self.spots.push(*spot);
                ContactRecord::at(pair, self.spots.len() - 1)
            }
            None => ContactRecord::of_balls(pair),
        };
        self.records.push(record.with_key(key));
    }

    /// Keeps the contacts of which `is_kept` says so, asked for each in turn.
    pub fn retain(&mut self, is_kept: impl Fn(&ContactRecord) -> bool) {
        let Self { records, spots } = self;
        let mut kept = 0;
        records.retain_mut(|record| {
            let stays = is_kept(record);
            if let Some(spot) = record.spot().filter(|_| stays) {
                // in the order of the contacts: none is written over that is still asked for
                spots[kept] = spots[spot];
                *record = ContactRecord::at(record.pair(), kept).with_key(record.key);
                kept += 1;
            }
            stays
        });
        spots.truncate(kept);
    }
}
