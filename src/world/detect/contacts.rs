//! From the neighbours of this step to its contacts, piece by piece.
//!
//! A piece is a fixed number of slots with their partners. First each piece finds the pairs that touch, and the points of
//! those that are not two balls; then it is known where the contacts of each piece begin, and each writes its own.

use crate::collide::narrow::{self, ContactPoint};
use crate::collide::{Part, near};
use crate::contact::Touch;
use crate::error::{Result, reserve};
use crate::world::detect::places::{Extent, ball_pose};
use crate::world::detect::touch::{Mixing, Scene};

/// Slots in a piece.
pub(super) const PIECE: usize = 512;

/// What a piece knows of its pairs between the two passes.
#[derive(Debug, Default)]
pub(super) struct Piece {
    /// Its near pairs.
    pub(super) pairs: usize,
    /// Contacts of all of them.
    pub(super) contacts: usize,
    /// The deepest overlap of its contacts [m].
    pub(super) deepest: f64,
    /// How many points each near pair has that is not two balls, in order, and the points.
    counts: Vec<u32>,
    points: Vec<ContactPoint>,
    narrow: narrow::Workspace,
}

impl Piece {
    /// Finds the pairs that touch, and what they have of points; `pairs` has room for all neighbours.
    pub(super) fn find(&mut self, scene: &Scene, part: &Part, pairs: &mut [(u32, u32)]) -> Result<()> {
        self.pairs = near(&scene.places.balls, part, scene.margin, pairs);
        self.contacts = 0;
        self.deepest = 0.0;
        self.counts.clear();
        self.points.clear();
        for (a, b) in &pairs[..self.pairs] {
            if scene.places.posed(*a).is_none() && scene.places.posed(*b).is_none() {
                self.contacts += 1;
                continue;
            }
            let before = self.points.len();
            self.find_points(scene, *a, *b)?;
            let points = self.points.len() - before;
            self.contacts += points;
            if self.counts.len() == self.counts.capacity() {
                reserve(&mut self.counts, before.max(16), "points of contacts")?;
            }
            self.counts.push(points as u32);
        }
        Ok(())
    }

    /// The points of a pair that is not two balls.
    fn find_points(&mut self, scene: &Scene, a: u32, b: u32) -> Result<()> {
        if !bounds_meet(scene, a, b) {
            return Ok(());
        }
        let ball = |slot: u32| ball_pose(&scene.places.balls[slot as usize]);
        let (ball_a, ball_b);
        let pose_a = match scene.places.posed(a) {
            Some(posed) => &posed.pose,
            None => {
                ball_a = ball(a);
                &ball_a
            }
        };
        let pose_b = match scene.places.posed(b) {
            Some(posed) => &posed.pose,
            None => {
                ball_b = ball(b);
                &ball_b
            }
        };
        let (Some(a), Some(b)) = (scene.placed(a, pose_a), scene.placed(b, pose_b)) else { return Ok(()) };
        narrow::contacts(a, b, scene.margin, &mut self.narrow, &mut self.points)
    }

    /// Writes the contacts of the pairs that [`Piece::find`] found.
    pub(super) fn write(&mut self, scene: &Scene, pairs: &[(u32, u32)], contacts: &mut [Touch]) {
        let mut mixing = Mixing::default();
        let mut counts = self.counts.iter();
        let mut points = self.points.as_slice();
        let mut rest = contacts.iter_mut();
        let mut deepest = 0.0;
        for (a, b) in &pairs[..self.pairs] {
            if scene.places.posed(*a).is_none() && scene.places.posed(*b).is_none() {
                let Some(contact) = rest.next() else { break };
                *contact = scene.balls((*a, *b), &mut mixing);
                deepest = f64::max(deepest, -contact.gap);
                continue;
            }
            let count = counts.next().map_or(0, |count| *count as usize);
            let (own, others) = points.split_at(count.min(points.len()));
            points = others;
            for (point, contact) in own.iter().zip(&mut rest) {
                *contact = scene.touch((*a, *b), point, &mut mixing);
                deepest = f64::max(deepest, -contact.gap);
            }
        }
        self.deepest = deepest;
    }
}

/// Whether the bounds of two bodies have a point in common.
fn bounds_meet(scene: &Scene, a: u32, b: u32) -> bool {
    let plane = |slot: u32| match scene.places.posed(slot).map(|posed| posed.extent) {
        Some(Extent::Below { normal, offset }) => Some((normal, offset)),
        _ => None,
    };
    let (bounds, (normal, offset)) = match (scene.places.bounds(a), scene.places.bounds(b)) {
        (Some(a), Some(b)) => return a.overlaps(&b),
        (Some(bounds), None) => (bounds, plane(b).unwrap_or_default()),
        (None, Some(bounds)) => (bounds, plane(a).unwrap_or_default()),
        (None, None) => return false,
    };
    // The bounds count half the margin; a half-space has none, so the other half is added here.
    let center = 0.5 * bounds.lower + 0.5 * bounds.upper;
    let reach = normal.abs().dot(&(bounds.upper - center)) + 0.5 * scene.margin;
    normal.dot(&center) - reach <= offset
}
