//! From the neighbours of this step to its contacts, piece by piece.
//!
//! A piece is a fixed number of slots with their partners. First each piece finds the pairs that touch, and the points of
//! those that are not two balls; then it is known where the contacts of each piece begin, and they are written, again in
//! pieces of a fixed size.

use std::slice::IterMut;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::collide::narrow::{self, ContactPoint};
use crate::collide::{Neighbours, Part, near};
use crate::contact::Touch;
use crate::error::{Error, Result, reserve, resize};
use crate::tasks::{Tasks, each_piece};
use crate::world::detect::extent::Extent;
use crate::world::detect::places::ball_pose;
use crate::world::detect::touch::{Mixing, Scene, blank};

/// Slots in a piece.
pub(super) const SLOTS_PER_PIECE: usize = 512;

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

/// The contacts of all neighbours that touch, sorted by pair, and the deepest overlap [m].
pub(super) fn find_contacts(
    tasks: &dyn Tasks,
    scene: &Scene,
    neighbours: &Neighbours,
    pieces: &mut Vec<Piece>,
    contacts: &mut Vec<Touch>,
) -> Result<f64> {
    let count = neighbours.slots().div_ceil(SLOTS_PER_PIECE);
    reserve(pieces, count.saturating_sub(pieces.len()), "pieces of the pairs")?;
    pieces.resize_with(count, Piece::default);
    each_piece(tasks, 1, pieces, |first, pieces| {
        for (number, piece) in (first..).zip(pieces) {
            let part = neighbours.part(number * SLOTS_PER_PIECE, SLOTS_PER_PIECE);
            piece.failed = piece.find(scene, &part).err();
        }
    });
    let mut total = 0;
    for piece in pieces.iter_mut() {
        if let Some(error) = piece.failed.take() {
            return Err(error);
        }
        piece.first = total;
        total += piece.contacts;
    }
    contacts.truncate(total);
    // What is there already is written over: nothing is filled that was filled in the steps before.
    resize(contacts, total, blank(), "contacts")?;
    // The largest of numbers that are not negative, of which the bits are in the same order: in whatever order they come.
    let deepest = AtomicU64::new(0);
    let pieces = pieces.as_slice();
    each_piece(tasks, CONTACTS_PER_PIECE, contacts, |first, contacts| {
        let deep = write(scene, pieces, first, contacts);
        // plus zero: the bits of minus zero are above those of every number
        deepest.fetch_max((deep + 0.0).to_bits(), Ordering::Relaxed);
    });
    Ok(f64::from_bits(deepest.into_inner()))
}

/// Writes the `contacts` from number `first` on, and answers the deepest overlap [m].
fn write(scene: &Scene, pieces: &[Piece], first: usize, contacts: &mut [Touch]) -> f64 {
    let at = pieces.partition_point(|piece| piece.first + piece.contacts <= first);
    let mut skipped = first - pieces.get(at).map_or(first, |piece| piece.first);
    let mut rest = contacts.iter_mut();
    let mut mixing = Mixing::default();
    let mut deepest = 0.0;
    for piece in pieces.get(at..).unwrap_or_default() {
        deepest = f64::max(deepest, piece.write(scene, skipped, &mut rest, &mut mixing));
        skipped = 0;
        if rest.len() == 0 {
            break;
        }
    }
    deepest
}

impl Piece {
    /// Finds the pairs that touch, and what they have of points.
    fn find(&mut self, scene: &Scene, part: &Part) -> Result<()> {
        if part.partners.is_empty() {
            // Where all sleep.
            (self.near, self.contacts) = (0, 0);
            self.others.clear();
            return Ok(());
        }
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

    /// Writes its contacts but for the first `skipped`, until `contacts` are full; answers the deepest overlap.
    fn write(&self, scene: &Scene, skipped: usize, contacts: &mut IterMut<Touch>, mixing: &mut Mixing) -> f64 {
        let (mut skipped, mut deepest) = (skipped, 0.0);
        let (mut pairs, mut points) = (&self.pairs[..self.near], self.points.as_slice());
        for other in &self.others {
            let (balls, rest) = pairs.split_at(other.balls as usize);
            deepest = f64::max(deepest, write_balls(scene, left(balls, &mut skipped), contacts, mixing));
            let own;
            (own, points) = points.split_at(other.points as usize);
            for (point, contact) in left(own, &mut skipped).iter().zip(&mut *contacts) {
                scene.write(contact, rest[0], point, mixing);
                deepest = f64::max(deepest, -contact.gap);
            }
            if contacts.len() == 0 {
                return deepest;
            }
            pairs = &rest[1..];
        }
        f64::max(deepest, write_balls(scene, left(pairs, &mut skipped), contacts, mixing))
    }
}

/// Writes the contacts of pairs of balls, until `contacts` are full; answers the deepest overlap.
fn write_balls(scene: &Scene, pairs: &[(u32, u32)], contacts: &mut IterMut<Touch>, mixing: &mut Mixing) -> f64 {
    let mut deepest = 0.0;
    for (pair, contact) in pairs.iter().zip(contacts) {
        scene.write_balls(contact, *pair, mixing);
        deepest = f64::max(deepest, -contact.gap);
    }
    deepest
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
