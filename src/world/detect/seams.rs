//! The seams between static bodies: which of them lie next to each other.

use crate::body::Kind;
use crate::collide::{Neighbours, Pairs, ProxySource};
use crate::error::{Result, empty, refill, resize};
use crate::math::{Aabb, Period};
use crate::world::detect::fat_bounds::{DetectInput, Extent};
use crate::world::detect::proxies::Proxies;

/// The largest distance of two bodies that lie flush, over the radius of each [-].
const APART: f64 = 1e-4;

/// For each static body the other static bodies next to it.
#[derive(Debug, Default)]
pub(super) struct Seams {
    neighbours: Neighbours,
    pairs: Pairs,
    /// Whether each slot had a static body in the last update.
    is_static: Vec<bool>,
    /// For each slot the index of its first entry in `adjacent`, and the end; empty if no static bodies are next to each other.
    starts: Vec<u32>,
    adjacent: Vec<u32>,
}

impl Seams {
    /// Rebuilds the lists if a static body was added, removed or changed, or if `is_kept` is false.
    pub(super) fn update(&mut self, input: &DetectInput, proxies: &Proxies, is_kept: bool) -> Result<()> {
        let bodies = input.bodies;
        let is_static =
            |slot: u32| bodies.traits[slot as usize].kind == Kind::Static && proxies.traits[slot as usize].exists();
        let was_static = |slot: u32| self.is_static.get(slot as usize).copied().unwrap_or(false);
        let has_changed = |slot: u32| is_static(slot) || was_static(slot);
        if is_kept && !bodies.changes.slots().any(has_changed) {
            return Ok(());
        }
        self.starts.clear();
        let slots = proxies.traits.len();
        resize(&mut self.is_static, slots, false, "bodies")?;
        (0..).zip(&mut self.is_static).for_each(|(slot, own)| *own = is_static(slot));
        if self.is_static.iter().filter(|is_static| **is_static).count() < 2 {
            return Ok(());
        }
        let Self { neighbours, pairs, is_static, .. } = self;
        neighbours.rebuild(&StaticBodies { proxies, is_static }, pairs)?;
        self.list(slots)
    }

    /// Lists the pairs for both of their bodies, in ascending order.
    fn list(&mut self, slots: usize) -> Result<()> {
        let Self { pairs, starts, adjacent, .. } = self;
        if pairs.is_empty() {
            return Ok(());
        }
        pairs.sort_unstable();
        refill(starts, slots + 1, 0, "bodies")?;
        pairs.iter().flat_map(|(one, other)| [one, other]).for_each(|slot| starts[*slot as usize] += 1);
        let mut end = 0;
        for start in starts.iter_mut() {
            end += *start;
            *start = end;
        }
        empty(adjacent, 2 * pairs.len(), "pairs of bodies")?;
        adjacent.resize(2 * pairs.len(), 0);
        let mut place = |slot: u32, other: u32| {
            let start = &mut starts[slot as usize];
            *start -= 1;
            adjacent[*start as usize] = other;
        };
        // Each list is filled from its end: first the greater partners of a slot, then the smaller ones.
        pairs.iter().rev().for_each(|(one, other)| place(*one, *other));
        pairs.iter().rev().for_each(|(one, other)| place(*other, *one));
        Ok(())
    }

    /// Returns the static bodies next to the one in `slot`.
    #[inline]
    pub(super) fn adjacent(&self, slot: u32) -> &[u32] {
        let at = slot as usize;
        match self.starts.get(at..at + 2) {
            Some([start, end]) => self.adjacent.get(*start as usize..*end as usize).unwrap_or_default(),
            _ => &[],
        }
    }
}

/// The static bodies with faces, from which the list is made.
struct StaticBodies<'a> {
    proxies: &'a Proxies,
    is_static: &'a [bool],
}

impl ProxySource for StaticBodies<'_> {
    fn slots(&self) -> usize {
        self.is_static.len()
    }

    fn bounds(&self, slot: u32) -> Option<Aabb> {
        let is_static = self.is_static.get(slot as usize).copied().unwrap_or(false);
        let posed = self.proxies.posed(slot).filter(|_| is_static)?;
        match &posed.extent {
            Extent::Bounds(bounds) => Some(bounds.grown(APART * self.proxies.spheres[slot as usize].radius)),
            Extent::Below { .. } => None,
        }
    }

    fn unbounded(&self) -> &[u32] {
        &self.proxies.unbounded
    }

    fn period(&self) -> Period {
        self.proxies.period
    }

    fn admits(&self, one: u32, other: u32) -> bool {
        let is_static = |slot: u32| self.is_static.get(slot as usize).copied().unwrap_or(false);
        let reaches = |plane: u32, slot: u32| match (self.proxies.posed(plane), self.bounds(slot)) {
            (Some(posed), Some(bounds)) => posed.extent.reaches(&bounds, self.proxies.margin),
            _ => false,
        };
        let is_plane = |slot: u32| self.proxies.unbounded.binary_search(&slot).is_ok();
        is_static(one)
            && is_static(other)
            && match (is_plane(one), is_plane(other)) {
                (false, false) => true,
                (true, _) => reaches(one, other),
                (_, true) => reaches(other, one),
            }
    }
}
