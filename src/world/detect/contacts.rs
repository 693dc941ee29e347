//! The narrow phase: from the neighbours of this step to its contacts, piece by piece.
//!
//! A piece is a part of the list of neighbours. In a first pass each piece finds the pairs that touch, and the contact points of
//! pairs other than two spheres. Sums over the pieces give the index of the first contact of each piece. A second pass writes the
//! contacts, in pieces of a fixed number.

use std::slice::IterMut;

use crate::body::Kind;
use crate::collide::narrow::{self, ContactPoint, Placed};
use crate::collide::{Ball, Neighbours, Part, near};
use crate::contact::{ContactGeometry, ContactList, ContactRecord, Mixing};
use crate::error::{Error, Result, empty, reserve, resize};
use crate::math::{Pose, Vec3};
use crate::shape::effective_radius;
use crate::solver::is_along;
use crate::tasks::{OrEmpty, each_piece, each_span};
use crate::world::detect::covered::{PairPoints, drop_covered};
use crate::world::detect::fat_bounds::{DetectInput, Extent};
use crate::world::detect::held::add_held;
use crate::world::detect::proxies::sphere_pose;
use crate::world::detect::scene::Scene;
use crate::world::readback::stiffness_law;

/// The number of contacts in a piece of the second pass.
const CONTACTS_PER_PIECE: usize = 1024;

/// The scratch buffers of the narrow phase.
#[derive(Debug, Default)]
pub(super) struct ContactSearch {
    pieces: Vec<Piece>,
    /// The range of point data of each piece that has any.
    spans: Vec<[u32; 2]>,
}

/// The pairs and points of a piece, between the two passes.
#[derive(Debug, Default)]
struct Piece {
    /// The near pairs come first. The vector has room for all pairs of neighbours of the piece.
    pairs: Vec<(u32, u32)>,
    /// The number of near pairs.
    near: usize,
    /// The near pairs other than two spheres, in order; `points` has the contact points of all of them.
    others: Vec<Other>,
    points: Vec<ContactPoint>,
    narrow: narrow::NarrowWorkspace,
    /// The number of contacts of all pieces before this one; `contacts` is that of this piece.
    first: usize,
    contacts: usize,
    /// The number of contacts of the pieces before that are not between two spheres.
    first_spot: usize,
    failed: Option<Error>,
}

/// A near pair that is not two spheres.
#[derive(Debug, Clone, Copy)]
struct Other {
    /// The number of pairs of spheres between the last such pair and this one.
    spheres: u32,
    /// The number of its points.
    points: u32,
}

/// Writes the contacts of all neighbours that touch to `contact_list`, sorted by pair.
pub(super) fn find_contacts(
    scene: &Scene,
    neighbours: &Neighbours,
    search: &mut ContactSearch,
    contact_list: &mut ContactList,
) -> Result<()> {
    let ContactSearch { pieces, spans } = search;
    let tasks = scene.input.tasks;
    let count = neighbours.parts();
    reserve(pieces, count.saturating_sub(pieces.len()), "pieces of the pairs")?;
    pieces.resize_with(count, Piece::default);
    each_piece(tasks, 1, pieces, |first, pieces| {
        for (number, piece) in (first..).zip(pieces) {
            piece.failed = piece.find(scene, &neighbours.part(number)).err();
        }
    });
    let (mut contacts, mut geometries) = (0, 0);
    empty(spans, count, "pieces of the pairs")?;
    for piece in pieces.iter_mut() {
        if let Some(error) = piece.failed.take() {
            return Err(error);
        }
        (piece.first, piece.first_spot) = (contacts, geometries);
        contacts += piece.contacts;
        geometries += piece.points.len();
        if !piece.points.is_empty() {
            spans.push([piece.first_spot as u32, geometries as u32]);
        }
    }
    // Elements that are there already are overwritten, so they are not cleared first.
    contact_list.begin(contacts, geometries)?;
    let pieces = pieces.as_slice();
    each_piece(tasks, CONTACTS_PER_PIECE, &mut contact_list.records, |first, records| write(pieces, first, records));
    each_span(tasks, spans, (&mut contact_list.geometries[..], OrEmpty(&mut [(); 0])), |[first, _], geometries, _| {
        let behind = pieces.partition_point(|piece| piece.first_spot <= first as usize);
        // Several pieces may begin at this index. Only the last of them has points.
        if let Some(piece) = behind.checked_sub(1).and_then(|at| pieces.get(at)) {
            piece.write_geometries(scene, geometries);
        }
    });
    Ok(())
}

/// Writes the contacts from number `first` on to `contacts`.
fn write(pieces: &[Piece], first: usize, contacts: &mut [ContactRecord]) {
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
    /// Finds the pairs that touch, and their points.
    fn find(&mut self, scene: &Scene, part: &Part) -> Result<()> {
        resize(&mut self.pairs, part.partners.len(), (0, 0), "pairs of bodies")?;
        self.near = near(&scene.proxies.spheres, part, scene.proxies.margin, &scene.proxies.period, &mut self.pairs);
        self.omit_settled(scene);
        self.omit_separated(scene);
        self.others.clear();
        self.points.clear();
        let mut begin = 0;
        for at in 0..self.near {
            let (a, b) = self.pairs[at];
            if scene.proxies.are_spheres(a, b) && !scene.coincide(a, b) {
                continue;
            }
            let before = self.points.len();
            self.find_points(scene, a, b)?;
            if self.others.len() == self.others.capacity() {
                reserve(&mut self.others, before.max(16), "points of contacts")?;
            }
            self.others.push(Other { spheres: (at - begin) as u32, points: (self.points.len() - before) as u32 });
            begin = at + 1;
        }
        self.contacts = self.near - self.others.len() + self.points.len();
        Ok(())
    }

    /// Removes the near pairs whose contacts cannot change because a body sleeps.
    fn omit_settled(&mut self, scene: &Scene) {
        let DetectInput { bodies, sleep, .. } = scene.input;
        if sleep.is_used() {
            self.keep_near(|(a, b)| !sleep.is_settled(bodies, a, b));
        }
    }

    /// Removes the near pairs that joints keep from touching each other.
    fn omit_separated(&mut self, scene: &Scene) {
        let separated = scene.input.separated;
        if !separated.is_empty() {
            self.keep_near(|(a, b)| !separated.contains(a, b));
        }
    }

    /// Removes the near pairs for which `is_kept` returns false.
    fn keep_near(&mut self, is_kept: impl Fn((u32, u32)) -> bool) {
        let mut kept = 0;
        for at in 0..self.near {
            if is_kept(self.pairs[at]) {
                self.pairs[kept] = self.pairs[at];
                kept += 1;
            }
        }
        self.near = kept;
    }

    /// Finds the points of a pair that is not two spheres.
    fn find_points(&mut self, scene: &Scene, a: u32, b: u32) -> Result<()> {
        if !bounds_meet(scene, a, b) {
            return Ok(());
        }
        let sphere = |slot: u32| sphere_pose(&scene.proxies.spheres[slot as usize]);
        let (sphere_a, sphere_b);
        let pose_a = match scene.proxies.posed(a) {
            Some(posed) => &posed.pose,
            None => {
                sphere_a = sphere(a);
                &sphere_a
            }
        };
        let mut pose_b = match scene.proxies.posed(b) {
            Some(posed) => &posed.pose,
            None => {
                sphere_b = sphere(b);
                &sphere_b
            }
        };
        let excess = scene.proxies.excess(a, b);
        let image;
        if excess != Vec3::zeros() {
            image = Pose { origin: pose_b.origin - excess, ..*pose_b };
            pose_b = &image;
        } else if scene.coincide(a, b) {
            image = Pose { origin: pose_b.origin + scene.proxies.coincident_offset(a, b), ..*pose_b };
            pose_b = &image;
        }
        let (Some(of_a), Some(of_b)) = (scene.placed(a, pose_a), scene.placed(b, pose_b)) else { return Ok(()) };
        let start = self.points.len();
        narrow::contacts(of_a, of_b, scene.proxies.margin, &mut self.narrow, &mut self.points)?;
        add_held(
            scene,
            (a, b),
            [of_a, of_b],
            PairPoints { start, points: &mut self.points, workspace: &mut self.narrow },
        )?;
        let points = PairPoints { start, points: &mut self.points, workspace: &mut self.narrow };
        drop_covered(scene, (a, b), [of_a, of_b], points)
    }

    /// Writes the contacts of the piece, without the first `skipped`, until `contacts` is full.
    fn write(&self, skipped: usize, contacts: &mut IterMut<ContactRecord>) {
        let (mut skipped, mut geometry) = (skipped, self.first_spot);
        let mut pairs = &self.pairs[..self.near];
        for other in &self.others {
            let (spheres, rest) = pairs.split_at(other.spheres as usize);
            write_spheres(without_skipped(spheres, &mut skipped), contacts);
            let points = other.points as usize;
            let passed = points.min(skipped);
            skipped -= passed;
            for (geometry, contact) in (geometry + passed..geometry + points).zip(&mut *contacts) {
                *contact = ContactRecord::at(rest[0], geometry);
            }
            if contacts.len() == 0 {
                return;
            }
            (geometry, pairs) = (geometry + points, &rest[1..]);
        }
        write_spheres(without_skipped(pairs, &mut skipped), contacts);
    }

    /// Writes the point data of the pairs that are not two spheres.
    fn write_geometries(&self, scene: &Scene, geometries: &mut [ContactGeometry]) {
        let (mut points, mut geometries) = (self.points.iter(), geometries.iter_mut());
        let mut pairs = &self.pairs[..self.near];
        let mut mixing = Mixing::new(scene.input.materials, stiffness_law(scene.input.settings));
        for other in &self.others {
            let rest = &pairs[other.spheres as usize..];
            for (point, geometry) in points.by_ref().zip(geometries.by_ref()).take(other.points as usize) {
                *geometry = scene.geometry_of(rest[0], point, &mut mixing);
            }
            pairs = &rest[1..];
        }
    }
}

impl<'a> Scene<'a> {
    /// Returns the shape in `slot`, whose frame is at `pose`.
    fn placed(&self, slot: u32, pose: &'a Pose) -> Option<Placed<'a>> {
        let shape = self.input.shapes.get(self.input.bodies.traits[slot as usize].shape)?;
        Some(Placed { shape, pose })
    }

    /// Returns whether two dynamic bodies have the same shape, position and rotation.
    #[inline]
    fn coincide(&self, a: u32, b: u32) -> bool {
        let bodies = self.input.bodies;
        // Compared first: the search for near pairs has just read them.
        let sphere = |slot: u32| &self.proxies.spheres[slot as usize].center;
        let center = |slot: u32| &bodies.motion[slot as usize].center;
        let is_dynamic = |slot: u32| bodies.traits[slot as usize].kind == Kind::Dynamic;
        let same_shape = || {
            let [a, b] = [a, b].map(|slot| slot as usize);
            bodies.traits[a].shape == bodies.traits[b].shape && bodies.motion[a].rotation == bodies.motion[b].rotation
        };
        sphere(a) == sphere(b) && center(a) == center(b) && is_dynamic(a) && is_dynamic(b) && same_shape()
    }

    /// Returns the contact data of a contact point.
    #[inline(always)]
    fn geometry_of(&self, (a, b): (u32, u32), point: &ContactPoint, mixing: &mut Mixing) -> ContactGeometry {
        let (traits_a, traits_b) = (&self.proxies.traits[a as usize], &self.proxies.traits[b as usize]);
        let is_round = mixing.of((traits_a.material, traits_b.material)).is_round;
        // In a periodic box the point is next to body a, and the nearest image of body b touches there.
        let excess = self.proxies.excess(a, b);
        // No sum if there is no image: it could change the sign of a zero.
        let beside_b = if excess == Vec3::zeros() { point.point } else { point.point + excess };
        let (arm_a, arm_b) = (self.arm(a, &point.point, &point.normal), self.arm(b, &beside_b, &point.normal));
        ContactGeometry {
            feature: point.feature,
            local: match self.proxies.posed(a) {
                Some(posed) => posed.pose.to_local(&point.point),
                None => point.point - self.proxies.spheres[a as usize].center,
            },
            gap: point.gap,
            normal: point.normal,
            arm_a,
            arm_b,
            point: point.point,
            radius: if is_round { self.effective_radius((a, b), point) } else { f64::INFINITY },
            is_along_normal: [&arm_a, &arm_b].map(|arm| is_along(&point.normal, arm)),
        }
    }

    /// Returns the effective radius `r*` of two bodies at a point; infinite where both are flat [m].
    fn effective_radius(&self, (a, b): (u32, u32), point: &ContactPoint) -> f64 {
        let radius = |slot: u32, part: u32, excess: Vec3| {
            let Some(posed) = self.proxies.posed(slot) else { return self.proxies.spheres[slot as usize].radius };
            let Some(shape) = self.input.shapes.get(self.input.bodies.traits[slot as usize].shape) else {
                return f64::INFINITY;
            };
            let outward = posed.pose.matrix.tr_mul(&point.normal);
            let local = posed.pose.to_local(&(point.point + excess));
            match shape.part(part) {
                (part, Some(pose)) => part.radius_of_curvature(&pose.matrix.tr_mul(&outward), &pose.to_local(&local)),
                (whole, None) => whole.radius_of_curvature(&outward, &local),
            }
        };
        let [of_a, of_b] = point.parts;
        let radius = effective_radius(radius(a, of_a, Vec3::zeros()), radius(b, of_b, self.proxies.excess(a, b)));
        // A hollow with a smaller radius than the body in it counts as flat.
        if radius > 0.0 { radius } else { f64::INFINITY }
    }

    /// Returns the vector from the body's centre of mass to a place on it. For a sphere it is exactly along the normal.
    #[inline]
    fn arm(&self, slot: u32, place: &Vec3, normal: &Vec3) -> Vec3 {
        let at = slot as usize;
        if self.proxies.posed(slot).is_some() {
            return place - self.input.bodies.motion[at].center;
        }
        let Ball { center, .. } = &self.proxies.spheres[at];
        normal.dot(&(place - center)) * normal
    }
}

/// Writes the contacts of pairs of spheres, until `contacts` is full.
fn write_spheres(pairs: &[(u32, u32)], contacts: &mut IterMut<ContactRecord>) {
    for (pair, contact) in pairs.iter().zip(contacts) {
        *contact = ContactRecord::of_balls(*pair);
    }
}

/// Returns `all` without the first `skipped` elements, and reduces `skipped` by the number left out.
fn without_skipped<'a, T>(all: &'a [T], skipped: &mut usize) -> &'a [T] {
    let passed = all.len().min(*skipped);
    *skipped -= passed;
    &all[passed..]
}

/// Returns whether the bounds of two bodies overlap.
fn bounds_meet(scene: &Scene, a: u32, b: u32) -> bool {
    let plane = |slot: u32| match scene.proxies.posed(slot).map(|posed| posed.extent) {
        Some(Extent::Below { normal, offset }) => Some((normal, offset)),
        _ => None,
    };
    let excess = scene.proxies.excess(a, b);
    let (bounds, (normal, offset)) = match (scene.proxies.bounds(a), scene.proxies.bounds(b)) {
        (Some(a), Some(b)) => return a.overlaps(&b.moved(&-excess)),
        (Some(bounds), None) => (bounds, plane(b).unwrap_or_default()),
        (None, Some(bounds)) => (bounds, plane(a).unwrap_or_default()),
        (None, None) => return false,
    };
    // The bounds are grown by half the margin. A half-space is not, so the other half is added here.
    let center = 0.5 * bounds.lower + 0.5 * bounds.upper;
    let reach = normal.abs().dot(&(bounds.upper - center)) + 0.5 * scene.proxies.margin;
    normal.dot(&center) - reach <= offset
}
