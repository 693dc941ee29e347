//! Contacts packed into batches apart from all others: those of a tile, or of whatever comes last.

use crate::error::Result;
use crate::math::lanes::KEPT;
use crate::solver::order::{Batches, Packer, Pair};

/// Bodies of a tile: their lines and contacts stay in the cache of a core.
pub(in crate::solver) const TILE: u32 = 1024;

/// The tile of a pair of which something moves, or `between` where it lies between two; told without a branch, which nobody could foresee.
#[inline(always)]
pub(super) fn tile([a, b]: Pair, between: u32) -> u32 {
    let moving = |one: u32, other: u32| if one & KEPT == 0 { one } else { other };
    let [a, b] = [moving(a, b), moving(b, a)].map(|body| (body & !KEPT) / TILE);
    if a == b { a } else { between }
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
        let Some(first) = group.first() else { return Ok(()) };
        self.pack((tile(pairs[*first as usize], 0) * TILE, TILE as usize), (group, pairs), longest)?;
        group.copy_from_slice(&self.batches.order);
        let all = self.batches.iter().map(|batch| batch.len() as u8).chain([0]);
        lengths.iter_mut().zip(all).for_each(|(length, found)| *length = found);
        Ok(())
    }
}
