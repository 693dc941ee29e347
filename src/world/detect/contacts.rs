//! From the neighbours of this step to its contacts, piece by piece.
//!
//! A piece is a part of the neighbours. First each piece finds the pairs that touch, and the points of
//! those that are not two balls; then it is known where the contacts of each piece begin, and they are written, again in
//! pieces of a fixed size.

use std::slice::IterMut;

use crate::collide::narrow::{self, ContactPoint};
use crate::collide::{Neighbours, Part, near};
use crate::contact::{Found, Mixing, Spot, Touches};
use crate::error::{Error, Result, reserve, resize};
use crate::tasks::{Tasks, each_piece, each_span};
use crate::world::detect::extent::Extent;
use crate::world::detect::places::ball_pose;
use crate::world::detect::touch::Scene;

/// Contacts that are written in one go.
const CONTACTS_PER_PIECE: usize = 1024;

/// What a piece knows of its pairs between the two passes.
#[derive(Debug, Default)]
pub(super) struct Piece {
    /// The near pairs first; then room for all neighbours.
    pairs: Vec<(u32, u32)>,
    /// How many pairs are near.
    near: usize,
    /// The near pairs that are not two balls, in order, and the points of all of them.
    others: Vec<Other>,
    points: Vec<ContactPoint>,
    narrow: narrow::Workspace,
    /// How many contacts the pieces before have, and this one.
    first: usize,
    contacts: usize,
    /// How many of those before are not of two balls.
    first_spot: usize,
    failed: Option<Error>,
}

/// A near pair that is not two balls.
#[derive(Debug, Clone, Copy)]
struct Other {
    /// How many pairs of balls stand between the other one before it and this one.
    balls: u32,
    /// How many points it has.
    points: u32,
}

/// The contacts of all neighbours that touch, sorted by pair; `spans` is workspace.
pub(super) fn find_contacts(
    tasks: &dyn Tasks,
    scene: &Scene,
    neighbours: &Neighbours,
    (pieces, spans): (&mut Vec<Piece>, &mut Vec<[u32; 2]>),
    touches: &mut Touches,
) -> Result<()> {
    let count = neighbours.parts();
    reserve(pieces, count.saturating_sub(pieces.len()), "pieces of the pairs")?;
    pieces.resize_with(count, Piece::default);
    each_piece(tasks, 1, pieces, |first, pieces| {
        for (number, piece) in (first..).zip(pieces) {
            piece.failed = piece.find(scene, &neighbours.part(number)).err();
        }
    });
    let (mut contacts, mut spots) = (0, 0);
    spans.clear();
    reserve(spans, count, "pieces of the pairs")?;
    for piece in pieces.iter_mut() {
        if let Some(error) = piece.failed.take() {
            return Err(error);
        }
        (piece.first, piece.first_spot) = (contacts, spots);
        contacts += piece.contacts;
        spots += piece.points.len();
        if !piece.points.is_empty() {
            spans.push([piece.first_spot as u32, spots as u32]);
        }
    }
    // What is there already is written over: nothing is filled that was filled in the steps before.
    touches.begin(contacts, spots)?;
    let pieces = pieces.as_slice();
    each_piece(tasks, CONTACTS_PER_PIECE, &mut touches.found, |first, found| write(pieces, first, found));
    each_span(tasks, spans, (&mut touches.spots, &mut [(); 0]), |[first, _], spots, _| {
        let behind = pieces.partition_point(|piece| piece.first_spot <= first as usize);
        // of several that begin there, those before the last one have none
        if let Some(piece) = behind.checked_sub(1).and_then(|at| pieces.get(at)) {
            piece.write_spots(scene, spots);
        }
    });
    Ok(())
}

/// Writes the contacts from number `first` on.
fn write(pieces: &[Piece], first: usize, contacts: &mut [Found]) {
    let at = pieces.partition_point(|piece| piece.first + piece.contacts <= first);
    let mut skipped = first - pieces.get(at).map_or(first, |piece| piece.first);
    let mut rest = contacts.iter_mut();
    for piece in pieces.get(at..).unwrap_or_default() {
        piece.write(skipped, &mut rest);
        skipped = 0;
        if rest.len() == 0 {
            break;
        }
    }
}

impl Piece {
    /// Finds the pairs that touch, and what they have of points.
    fn find(&mut self, scene: &Scene, part: &Part) -> Result<()> {
        resize(&mut self.pairs, part.partners.len(), (0, 0), "pairs of bodies")?;
        self.near = near(&scene.places.balls, part, scene.margin, &mut self.pairs);
        self.leave_out_sleepers(scene);
        self.others.clear();
        self.points.clear();
        let mut begin = 0;
        for at in 0..self.near {
            let (a, b) = self.pairs[at];
            if scene.places.are_balls(a, b) {
                continue;
            }
            let before = self.points.len();
            self.find_points(scene, a, b)?;
            if self.others.len() == self.others.capacity() {
                reserve(&mut self.others, before.max(16), "points of contacts")?;
            }
            self.others.push(Other { balls: (at - begin) as u32, points: (self.points.len() - before) as u32 });
            begin = at + 1;
        }
        self.contacts = self.near - self.others.len() + self.points.len();
        Ok(())
    }

    /// Keeps the near pairs between which something new can happen.
    fn leave_out_sleepers(&mut self, scene: &Scene) {
        if !scene.sleep.is_used() {
            return;
        }
        let mut kept = 0;
        for at in 0..self.near {
            let (a, b) = self.pairs[at];
            if !scene.sleep.is_settled(scene.bodies, a, b) {
                self.pairs[kept] = (a, b);
                kept += 1;
            }
        }
        self.near = kept;
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

    /// Writes its contacts but for the first `skipped`, until `contacts` are full.
    fn write(&self, skipped: usize, contacts: &mut IterMut<Found>) {
        let (mut skipped, mut spot) = (skipped, self.first_spot);
        let mut pairs = &self.pairs[..self.near];
        for other in &self.others {
            let (balls, rest) = pairs.split_at(other.balls as usize);
            write_balls(left(balls, &mut skipped), contacts);
            let points = other.points as usize;
            let passed = points.min(skipped);
            skipped -= passed;
            for (spot, contact) in (spot + passed..spot + points).zip(&mut *contacts) {
                *contact = Found::at(rest[0], spot);
            }
            if contacts.len() == 0 {
                return;
            }
            (spot, pairs) = (spot + points, &rest[1..]);
        }
        write_balls(left(pairs, &mut skipped), contacts);
    }

    /// Writes where those touch that are not two balls.
    fn write_spots(&self, scene: &Scene, spots: &mut [Spot]) {
        let (mut points, mut spots) = (self.points.iter(), spots.iter_mut());
        let mut pairs = &self.pairs[..self.near];
        let mut mixing = Mixing::new(scene.materials, scene.hertz);
        for other in &self.others {
            let rest = &pairs[other.balls as usize..];
            for (point, spot) in points.by_ref().zip(spots.by_ref()).take(other.points as usize) {
                *spot = scene.spot(rest[0], point, &mut mixing);
            }
            pairs = &rest[1..];
        }
    }
}

/// Writes the contacts of pairs of balls, until `contacts` are full.
fn write_balls(pairs: &[(u32, u32)], contacts: &mut IterMut<Found>) {
    for (pair, contact) in pairs.iter().zip(contacts) {
        *contact = Found::of_balls(*pair);
    }
}

/// All but the first of them, as many as are to be skipped.
fn left<'a, T>(all: &'a [T], skipped: &mut usize) -> &'a [T] {
    let passed = all.len().min(*skipped);
    *skipped -= passed;
    &all[passed..]
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
