//! Contacts packed into batches apart from all others: those of a tile, or of whatever comes last.

use std::ops::Range;

use crate::error::{Result, resize};
use crate::math::{BodyRow, ContactId};
use crate::solver::gauss_seidel::packer::{Batches, Packer};
use crate::solver::problem::pairs::{Pair, TILE, tiles};

/// Batches that are packed apart from all others.
#[derive(Debug, Default)]
pub(super) struct Window {
    packer: Packer,
    between: Vec<ContactId>,
    pub(super) batches: Batches,
}

impl Window {
    /// Packs contacts; see [`Packer::pack`].
    pub(super) fn pack(
        &mut self,
        bodies: Range<BodyRow>,
        contacts: &[ContactId],
        pairs: &[Pair],
        longest: usize,
    ) -> Result<()> {
        self.batches.clear(contacts.len())?;
        self.packer.pack(bodies, contacts, pairs, longest, &mut self.batches)
    }

    /// Packs a group of contacts where it is, those that have their moving bodies in one tile, which is that of the first one of each of all;
    /// the others come behind them. `lengths` are those of the batches, then zero if there is room.
    pub(super) fn pack_tile(
        &mut self,
        group: &mut [ContactId],
        lengths: &mut [u8],
        pairs: &[Pair],
        longest: usize,
    ) -> Result<()> {
        let Some(first) = group.first() else { return Ok(()) };
        let [tile, _] = tiles(pairs[*first]);
        self.between.clear();
        resize(&mut self.between, group.len(), ContactId::NONE, "contacts")?;
        let mut kept = 0;
        for at in 0..group.len() {
            let contact = group[at];
            let [own, other] = tiles(pairs[contact]);
            // Both are written: a branch would not be predictable.
            (group[kept], self.between[at - kept]) = (contact, contact);
            kept += usize::from(own == other);
        }
        let (within, others) = group.split_at_mut(kept);
        others.copy_from_slice(&self.between[..others.len()]);
        self.pack(BodyRow(tile * TILE)..BodyRow((tile + 1) * TILE), within, pairs, longest)?;
        within.copy_from_slice(&self.batches.order);
        let all = self.batches.iter().map(|batch| batch.len() as u8).chain([0]);
        lengths.iter_mut().zip(all).for_each(|(length, found)| *length = found);
        Ok(())
    }
}
