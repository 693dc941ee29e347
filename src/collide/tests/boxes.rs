//! Boxes for the tests of this module, and their pairs tried one by one.

use crate::collide::{Filter, Neighbours, ProxySource};
use crate::math::{Aabb, Vec3};

/// splitmix64 (Steele et al. 2014).
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ (word >> 31)
    }

    /// Evenly in `low..high`.
    pub(super) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.word() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// In `low..high`, every decade alike.
    pub(super) fn magnitude(&mut self, low: f64, high: f64) -> f64 {
        self.between(low.ln(), high.ln()).exp()
    }

    /// In a box of these half extents.
    pub(super) fn place(&mut self, half: [f64; 3]) -> Vec3 {
        Vec3::from_fn(|axis, _| self.between(-half[axis], half[axis]))
    }
}

/// A body as the broad phase sees it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Proxy {
    pub(super) bounds: Aabb,
    /// Whether there is a body, and `bounds` are its own.
    pub(super) bounded: bool,
    pub(super) filter: Filter,
}

impl Proxy {
    pub(super) const ABSENT: Self = Self {
        bounds: Aabb { lower: Vec3::new(0.0, 0.0, 0.0), upper: Vec3::new(0.0, 0.0, 0.0) },
        bounded: false,
        filter: Filter { moves: true, category: 1, mask: u32::MAX, group: 0 },
    };
}

/// Bodies whose own bounds serve as fat bounds.
pub(super) struct Boxes<'a>(pub(super) &'a [Proxy]);

impl ProxySource for Boxes<'_> {
    fn slots(&self) -> usize {
        self.0.len()
    }

    fn bounds(&self, slot: u32) -> Option<Aabb> {
        let proxy = &self.0[slot as usize];
        proxy.bounded.then_some(proxy.bounds)
    }

    fn unbounded(&self) -> &[u32] {
        &[]
    }

    fn admits(&self, one: u32, other: u32) -> bool {
        self.0[one as usize].filter.admits(&self.0[other as usize].filter)
    }
}

pub(super) fn proxy(center: Vec3, half: Vec3) -> Proxy {
    Proxy { bounds: Aabb { lower: center - half, upper: center + half }, bounded: true, ..Proxy::ABSENT }
}

pub(super) fn cube(center: Vec3, size: f64) -> Proxy {
    proxy(center, Vec3::repeat(0.5 * size))
}

pub(super) fn brute_force(proxies: &[Proxy]) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    for (a, one) in proxies.iter().enumerate().filter(|(_, proxy)| proxy.bounded) {
        for (b, other) in proxies.iter().enumerate().skip(a + 1).filter(|(_, proxy)| proxy.bounded) {
            if one.bounds.overlaps(&other.bounds) && one.filter.admits(&other.filter) {
                pairs.push((a as u32, b as u32));
            }
        }
    }
    pairs
}

/// All pairs, the smaller slot first, sorted.
pub(super) fn pairs(neighbours: &Neighbours) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    for part in (0..neighbours.parts()).map(|number| neighbours.part(number)) {
        for (slot, ends) in (part.first as u32..).zip(part.starts.windows(2)) {
            pairs.extend(part.partners[ends[0] as usize..ends[1] as usize].iter().map(|partner| (slot, *partner)));
        }
    }
    pairs
}

pub(super) fn compare(name: &str, pairs: &[(u32, u32)], expected: &[(u32, u32)]) {
    if pairs == expected {
        return;
    }
    let missing = expected.iter().find(|pair| !pairs.contains(pair));
    let wrong = pairs.iter().find(|pair| !expected.contains(pair));
    panic!("{name}: {} pairs, not {}: {missing:?} is missing, {wrong:?} is wrong", pairs.len(), expected.len());
}
