//! Contacts packed into batches apart from all others: those of a tile, or of whatever comes last.

use crate::error::Result;
use crate::math::lanes::KEPT;
use crate::solver::order::{Batches, Packer, Pair};

/// Bodies of a tile: their lines and contacts stay in the cache of a core.
pub(in crate::solver) const TILE: u32 = 1024;

/// The tile of a pair, or none where it lies between two.
pub(super) fn tile(pair: Pair) -> Option<u32> {
    let [a, b] = pair.map(|body| (body & KEPT == 0).then_some(body / TILE));
    match (a, b) {
        (Some(a), Some(b)) => (a == b).then_some(a),
        (one, other) => Some(one.or(other).unwrap_or(0)),
    }
}

/// Batches that are packed apart from all others.
#[derive(Debug, Default)]
pub(super) struct Window {
    packer: Packer,
    pub(super) batches: Batches,
}

impl Window {
    /// Packs contacts; see [`Packer::pack`].
    pub(super) fn pack(&mut self, bodies: (u32, usize), contacts: (&[u32], &[Pair]), longest: usize) -> Result<()> {
        self.batches.clear(contacts.0.len())?;
        self.packer.pack(bodies, contacts, longest, &mut self.batches)
    }

    /// Packs a group of contacts where it is. Their moving bodies are in one tile.
    pub(super) fn pack_tile(
        &mut self,
        group: &mut [u32],
        lengths: &mut [u8],
        pairs: &[Pair],
        longest: usize,
    ) -> Result<()> {
        let Some(first) = group.first().and_then(|contact| tile(pairs[*contact as usize])) else { return Ok(()) };
        self.pack((first * TILE, TILE as usize), (group, pairs), longest)?;
        group.copy_from_slice(&self.batches.order);
        let all = self.batches.iter().map(|batch| batch.len() as u8).chain([0]);
        lengths.iter_mut().zip(all).for_each(|(length, found)| *length = found);
        Ok(())
    }
}
