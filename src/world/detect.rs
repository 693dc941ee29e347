//! Detection: from where the bodies are to the contacts of this step, with the keys and impulses they inherit.
//!
//! Which bodies are near each other is known from the steps before and mended where bodies went away (`places`,
//! [`Neighbours`]); which of them touch is found anew in each step (`contacts`, `touch`), from where they are alone.

mod contacts;
mod extent;
mod filing;
mod movers;
mod places;
mod touch;

#[cfg(test)]
mod tests;

use crate::collide::{Ball, Neighbours, Pairs};
use crate::error::Result;
use crate::math::lanes::prefetch_slot;
use crate::world::detect::contacts::{Piece, find_contacts};
use crate::world::detect::filing::{Filing, Watched};
use crate::world::detect::places::Places;
use crate::world::detect::touch::Scene;
use crate::world::readback::is_hertz;
use crate::world::state::{Workspace, World};

/// What detection knows of each slot's body, and its workspace.
#[derive(Debug, Default)]
pub(in crate::world) struct Detector {
    places: Places,
    neighbours: Neighbours,
    pairs: Pairs,
    pieces: Vec<Piece>,
}

impl World {
    /// Finds the contacts of this step. They are written to the workspace, sorted by pair.
    pub(in crate::world) fn detect(&mut self) -> Result<()> {
        let margin = self.settings.contact_margin;
        let Workspace { detector, touches, spans, .. } = &mut self.workspace;
        let Detector { places, neighbours, pairs, pieces } = detector;
        let (shapes, sleep) = (&self.shapes, &self.sleep);
        let watched =
            Watched { tasks: &*self.tasks, bodies: &self.bodies, shapes, sleep, margin, step: self.memory.step };
        update(places, neighbours, pairs, &watched)?;
        // Where that fails all are described anew the next time.
        self.bodies.changes.clear();
        let scene = Scene {
            bodies: &self.bodies,
            shapes,
            materials: &self.materials,
            places,
            margin,
            hertz: is_hertz(&self.settings),
            sleep,
        };
        find_contacts(&*self.tasks, &scene, neighbours, (pieces, spans), touches)
    }
}

impl Detector {
    /// Where each slot's shape is, and how large.
    pub(in crate::world) fn places(&self) -> &[Ball] {
        &self.places.balls
    }

    /// Prefetches the data of the body in a slot, if there is a slot.
    #[inline(always)]
    pub(in crate::world) fn prefetch(&self, slot: Option<&u32>) {
        prefetch_slot(&self.places.balls, slot);
        prefetch_slot(&self.places.looks, slot);
    }

    /// The material of the body in `slot`.
    #[inline]
    pub(in crate::world) fn material(&self, slot: u32) -> u32 {
        self.places.looks[slot as usize].material
    }

    /// How many bodies were refiled since all were, and how many left their bounds in the last step.
    #[cfg(test)]
    pub(in crate::world) fn refiled(&self) -> (usize, usize) {
        (self.neighbours.refiled(), self.places.moved().len())
    }
}

/// Places the bodies, and sees to it that all pairs that may touch are neighbours.
fn update(places: &mut Places, neighbours: &mut Neighbours, pairs: &mut Pairs, watched: &Watched) -> Result<()> {
    let is_kept = places.update(watched)?;
    if !is_kept || neighbours.is_worn(places.moved().len()) {
        places.file_all(watched);
        neighbours.rebuild(&Filing { places, bodies: watched.bodies, sleep: watched.sleep }, pairs)?;
    } else if !places.moved().is_empty() {
        places.file_moved(watched);
        neighbours.mend(&Filing { places, bodies: watched.bodies, sleep: watched.sleep }, places.moved(), pairs)?;
    }
    places.complete();
    Ok(())
}
