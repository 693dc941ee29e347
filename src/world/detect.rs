//! Detection: from the positions of the bodies to the contacts of this step.
//!
//! The broad phase keeps the list of neighbours from step to step and updates it where a body left its fat bounds
//! (`broad_phase`, `proxies`, `fat_bounds`). The narrow phase finds the contacts of neighbours anew in each step, from the present
//! positions alone (`contacts`, `scene`).

mod broad_phase;
mod contacts;
mod extent;
mod fat_bounds;
mod moving_set;
mod proxies;
mod scene;

#[cfg(test)]
mod tests;

use crate::body::Bodies;
use crate::collide::{Ball, Neighbours, Pairs};
use crate::contact::ContactList;
use crate::contact::material::Materials;
use crate::error::Result;
use crate::math::lanes::prefetch_slot;
use crate::tasks::Tasks;
use crate::world::detect::broad_phase::update_neighbours;
use crate::world::detect::contacts::{ContactSearch, find_contacts};
use crate::world::detect::fat_bounds::ProxyInput;
use crate::world::detect::proxies::Proxies;
use crate::world::detect::scene::Scene;
use crate::world::readback::is_hertz;
use crate::world::settings::Settings;
use crate::world::shape_registry::Shapes;
use crate::world::sleep::SleepState;

/// The input of detection, without the bodies.
pub(in crate::world) struct DetectInput<'a> {
    pub(in crate::world) tasks: &'a dyn Tasks,
    pub(in crate::world) settings: &'a Settings,
    pub(in crate::world) shapes: &'a Shapes,
    pub(in crate::world) materials: &'a Materials,
    pub(in crate::world) sleep: &'a SleepState,
    /// Length of the last step, an estimate of this one's; 0 before the first step [s].
    pub(in crate::world) last_step_length: f64,
}

/// The proxy of each slot's body, the list of neighbours, and scratch buffers.
#[derive(Debug, Default)]
pub(in crate::world) struct Detector {
    proxies: Proxies,
    neighbours: Neighbours,
    pairs: Pairs,
    search: ContactSearch,
}

/// Finds the contacts of this step and writes them to `contact_list`, sorted by pair. Clears the list of changed bodies.
///
/// # Errors
///
/// Memory is exhausted.
pub(in crate::world) fn detect(
    input: &DetectInput,
    bodies: &mut Bodies,
    detector: &mut Detector,
    contact_list: &mut ContactList,
) -> Result<()> {
    let &DetectInput { tasks, settings, shapes, materials, sleep, last_step_length: step } = input;
    let Detector { proxies, neighbours, pairs, search } = detector;
    let margin = settings.contact_margin;
    let proxy_input = ProxyInput { tasks, bodies, shapes, sleep, margin, step };
    update_neighbours(&proxy_input, proxies, neighbours, pairs)?;
    // After a failure the proxies of all bodies are made anew in the next step.
    bodies.changes.clear();
    let scene = Scene { bodies, shapes, materials, proxies, margin, hertz: is_hertz(settings), sleep };
    find_contacts(tasks, &scene, neighbours, search, contact_list)
}

impl Detector {
    /// Returns the bounding sphere of each slot's shape, about the origin of the shape's frame.
    pub(in crate::world) fn spheres(&self) -> &[Ball] {
        &self.proxies.spheres
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

    /// Returns the number of bodies whose fat bounds were updated since all were, and the number updated in the last step.
    #[cfg(test)]
    pub(in crate::world) fn refiled(&self) -> (usize, usize) {
        (self.neighbours.refiled, self.proxies.moved().len())
    }
}
