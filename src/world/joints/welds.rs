//! Bodies that joints keep from touching each other: joined pairs, and bodies of one rigid group.
//!
//! Bodies that rigid joints weld together do not move relative to each other. A contact between them could change nothing, and its force would
//! have no limit.

use crate::body::{Bodies, Kind};
use crate::error::{Result, push};
use crate::world::joints::state::{Joint, Joints};

/// The group of the world and of all static bodies.
const WORLD: u32 = u32::MAX;

/// The groups of welded bodies: the slot of each body in one, and the slot of another body of its group or [`WORLD`]; sorted.
pub(super) type Welds = Vec<(u32, u32)>;

/// The pairs of bodies that have no contacts.
#[derive(Clone, Copy)]
pub(in crate::world) struct Separated<'a> {
    bodies: &'a Bodies,
    /// The lower slot first; sorted.
    pairs: &'a [(u32, u32)],
    welds: &'a [(u32, u32)],
}

impl Separated<'_> {
    /// Returns whether no pair is separated.
    pub(in crate::world) fn is_empty(&self) -> bool {
        self.pairs.is_empty() && self.welds.is_empty()
    }

    /// Returns whether the bodies in two slots have no contacts.
    pub(in crate::world) fn contains(&self, a: u32, b: u32) -> bool {
        let group = |slot: u32| match self.bodies.traits[slot as usize].kind {
            Kind::Static => Some(WORLD),
            Kind::Kinematic | Kind::Dynamic => group_of(self.welds, slot),
        };
        let are_welded = !self.welds.is_empty() && group(a).is_some() && group(a) == group(b);
        are_welded || self.pairs.binary_search(&(a.min(b), a.max(b))).is_ok()
    }
}

impl Joints {
    /// Finds the rigid groups, and returns the pairs of bodies that have no contacts.
    pub(in crate::world) fn separated<'a>(&'a mut self, bodies: &'a Bodies) -> Result<Separated<'a>> {
        let mut welds = std::mem::take(&mut self.welds);
        let found = self.find_welds(bodies, &mut welds);
        self.welds = welds;
        found?;
        Ok(Separated { bodies, pairs: &self.pairs, welds: &self.welds })
    }

    fn find_welds(&self, bodies: &Bodies, welds: &mut Welds) -> Result<()> {
        welds.clear();
        for (_, joint) in self.live().filter(|(_, joint)| is_weld(joint)) {
            for slot in joint.bodies.map(|slot| node(bodies, slot)).into_iter().filter(|slot| *slot != WORLD) {
                push(welds, (slot, slot), "joints")?;
            }
        }
        welds.sort_unstable();
        welds.dedup();
        for (_, joint) in self.live().filter(|(_, joint)| is_weld(joint)) {
            let [a, b] = joint.bodies.map(|slot| root(welds, node(bodies, slot)));
            // The larger one becomes the root, so that the world is one.
            set_parent(welds, a.min(b), a.max(b));
        }
        for at in 0..welds.len() {
            welds[at].1 = root(welds, welds[at].0);
        }
        Ok(())
    }
}

/// Returns whether a joint holds its bodies rigidly.
fn is_weld(joint: &Joint) -> bool {
    let is_rigid = [false, true].into_iter().all(|is_turn| joint.definition.compliance_of(is_turn)[0] == 0.0);
    joint.acts() && joint.locks.is_whole() && is_rigid
}

/// Returns what stands for the body of a joint in its group.
fn node(bodies: &Bodies, slot: Option<u32>) -> u32 {
    slot.filter(|slot| bodies.traits[*slot as usize].kind != Kind::Static).unwrap_or(WORLD)
}

/// Returns the entry of the body in a slot.
fn group_of(welds: &[(u32, u32)], slot: u32) -> Option<u32> {
    let at = welds.binary_search_by_key(&slot, |(slot, _)| *slot).ok()?;
    welds.get(at).map(|(_, parent)| *parent)
}

/// Returns the root of the group of a body.
fn root(welds: &[(u32, u32)], mut slot: u32) -> u32 {
    while let Some(parent) = group_of(welds, slot).filter(|parent| *parent != slot) {
        slot = parent;
    }
    slot
}

fn set_parent(welds: &mut [(u32, u32)], slot: u32, parent: u32) {
    if let Ok(at) = welds.binary_search_by_key(&slot, |(slot, _)| *slot) {
        welds[at].1 = parent;
    }
}
