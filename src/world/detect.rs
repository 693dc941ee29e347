//! Detection: from where the bodies are to the contacts of this step, with the keys and impulses they inherit.
//!
//! Which bodies are near each other is known from the steps before and mended where bodies went away (`places`,
//! [`Neighbours`]); which of them touch is found anew in each step (`contacts`, `touch`), from where they are alone.

mod contacts;
mod places;
mod touch;

use crate::body::Bodies;
use crate::collide::{Ball, Neighbours, Pairs};
use crate::contact::Touch;
use crate::error::{Result, reserve, resize};
use crate::world::detect::contacts::{PIECE, Piece};
use crate::world::detect::places::{Filing, Places};
use crate::world::detect::touch::{Scene, blank};
use crate::world::report::Report;
use crate::world::settings::Compatibility;
use crate::world::shapes::Shapes;
use crate::world::state::World;

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
    pub(in crate::world) fn detect(&mut self, report: &mut Report) -> Result<()> {
        let margin = self.settings.contact_margin;
        let Detector { places, neighbours, pairs, pieces } = &mut self.workspace.detector;
        update(places, neighbours, pairs, (&self.bodies, &self.shapes), margin)?;
        let scene = Scene {
            bodies: &self.bodies,
            shapes: &self.shapes,
            materials: &self.materials,
            places,
            margin,
            hertz: self.settings.compatibility == Compatibility::Hertz,
        };
        find_contacts(&scene, neighbours, (pairs, pieces), &mut self.workspace.contacts)?;
        report.max_overlap = pieces.iter().fold(0.0, |deepest, piece| f64::max(deepest, piece.deepest));
        Ok(())
    }
}

impl Detector {
    /// Where each slot's shape is, and how large.
    pub(in crate::world) fn places(&self) -> &[Ball] {
        &self.places.balls
    }
}

/// Places the bodies, and sees to it that all pairs that may touch are neighbours.
fn update(
    places: &mut Places,
    neighbours: &mut Neighbours,
    pairs: &mut Pairs,
    (bodies, shapes): (&Bodies, &Shapes),
    margin: f64,
) -> Result<()> {
    let is_kept = places.update(bodies, shapes, margin)?;
    if !is_kept || neighbours.is_worn(places.moved().len()) {
        places.file_all(bodies);
        neighbours.rebuild(&Filing { places, bodies }, pairs)?;
    } else if !places.moved().is_empty() {
        places.file_moved(bodies);
        neighbours.mend(&Filing { places, bodies }, places.moved(), pairs)?;
    }
    places.complete();
    Ok(())
}

/// The contacts of all pairs that touch, sorted by pair.
fn find_contacts(
    scene: &Scene,
    neighbours: &Neighbours,
    (pairs, pieces): (&mut Pairs, &mut Vec<Piece>),
    contacts: &mut Vec<Touch>,
) -> Result<()> {
    resize(pairs, neighbours.partners().len(), (0, 0), "pairs of bodies")?;
    let count = neighbours.slots().div_ceil(PIECE);
    reserve(pieces, count.saturating_sub(pieces.len()), "pieces of the pairs")?;
    pieces.resize_with(count, Piece::default);

    let mut rest = pairs.as_mut_slice();
    for (number, piece) in pieces.iter_mut().enumerate() {
        let part = neighbours.part(number * PIECE, PIECE);
        let own = rest.split_off_mut(..part.partners.len()).unwrap_or_default();
        piece.find(scene, &part, own)?;
    }
    let total = pieces.iter().map(|piece| piece.contacts).sum();
    contacts.truncate(total);
    // What is there already is written over: nothing is filled that was filled in the steps before.
    resize(contacts, total, blank(), "contacts")?;
    let (mut pairs, mut contacts) = (pairs.as_slice(), contacts.as_mut_slice());
    for (number, piece) in pieces.iter_mut().enumerate() {
        let part = neighbours.part(number * PIECE, PIECE);
        let near = pairs.split_off(..part.partners.len()).unwrap_or_default();
        let own = contacts.split_off_mut(..piece.contacts).unwrap_or_default();
        piece.write(scene, near, own);
    }
    Ok(())
}
