//! Detection: from the positions of the bodies to the contacts of this step.
//!
//! The broad phase keeps the list of neighbours from step to step and updates it where a body left its fat bounds
//! (`broad_phase`, `proxies`, `fat_bounds`). In each step the narrow phase finds the contacts of neighbours again, from
//! the present positions alone (`contacts`). It leaves out contacts at seams between static bodies (`seams`, `covered`).

mod broad_phase;
mod contacts;
mod covered;
mod fat_bounds;
mod held;
mod moving_set;
mod proxies;
mod scene;
mod seams;

#[cfg(test)]
mod tests;

use crate::collide::{Ball, Neighbours, Pairs};
use crate::contact::ContactList;
use crate::error::Result;
use crate::math::lanes::prefetch_slot;
use crate::math::{Period, Vec3};
use crate::world::detect::broad_phase::update_neighbours;
use crate::world::detect::contacts::{ContactSearch, find_contacts};
use crate::world::detect::proxies::Proxies;
use crate::world::detect::scene::Scene;
use crate::world::detect::seams::Seams;

pub(in crate::world) use fat_bounds::DetectInput;

/// The proxy of each slot's body, the list of neighbours, and scratch buffers.
#[derive(Debug, Default)]
pub(in crate::world) struct Detector {
    proxies: Proxies,
    neighbours: Neighbours,
    pairs: Pairs,
    seams: Seams,
    search: ContactSearch,
}

/// Finds the contacts of this step and writes them to `contact_list`, sorted by pair.
///
/// The caller clears the list of changed bodies afterwards, even after a failure: either the proxies have the changes, or the next
/// step rebuilds all proxies.
pub(in crate::world) fn detect(
    input: &DetectInput,
    detector: &mut Detector,
    contact_list: &mut ContactList,
) -> Result<()> {
    let Detector { proxies, neighbours, pairs, seams, search } = detector;
    update_neighbours(input, proxies, seams, (neighbours, pairs))?;
    find_contacts(&Scene { input, proxies, seams }, neighbours, search, contact_list)
}

impl Detector {
    /// Returns the bounding sphere of each slot's shape, about the origin of the shape's frame.
    pub(in crate::world) fn spheres(&self) -> &[Ball] {
        &self.proxies.spheres
    }

    /// Returns the box that the bodies are in.
    pub(in crate::world) fn period(&self) -> &Period {
        &self.proxies.period
    }

    /// Returns the vector from the nearest image of the body in slot `b`, as seen from `a`, to the body itself [m]. It is zero for half-spaces.
    pub(in crate::world) fn excess(&self, a: u32, b: u32) -> Vec3 {
        self.proxies.excess(a, b)
    }

    /// Prefetches the proxy of the body in this slot, if there is one.
    #[inline(always)]
    pub(in crate::world) fn prefetch(&self, slot: Option<&u32>) {
        prefetch_slot(&self.proxies.spheres, slot);
        prefetch_slot(&self.proxies.traits, slot);
    }

    /// Returns the material of the body in `slot`.
    #[inline]
    pub(in crate::world) fn material(&self, slot: u32) -> u32 {
        self.proxies.traits[slot as usize].material
    }

    /// Returns the number of fat bounds updated since the last rebuild of all, and the number updated in the last step.
    #[cfg(test)]
    pub(in crate::world) fn reinserted(&self) -> (usize, usize) {
        (self.neighbours.reinserted, self.proxies.moved.len())
    }
}
