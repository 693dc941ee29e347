//! The least translation that separates two overlapping shapes (the expanding polytope algorithm of van den Bergen).
//!
//! A polytope inside of `b - a` grows until no direction is left in which a smaller translation would do.
//!
//! Unlike in his algorithm, the depth is not read off the polytope. Its planes are only bounds: no direction through a
//! plane has a depth below the plane's distance from the origin. The search ends where all planes are at least as far
//! as the depth of the best axis tried, which is exact for its features. It starts from the plane through which the
//! portal's ray leaves, and then mostly ends at once.

use super::pole::{Search, Vertex};
use super::portal::Portal;
use crate::error::{Result, empty, push};
use crate::math::Vec3;

/// Most vertices that are added.
const MAX_VERTICES: usize = 128;
/// Most planes; a polytope of so many vertices has at most twice as many.
const MAX_PLANES: usize = 2 * (MAX_VERTICES + 4);
/// Two depths, as a fraction of the smaller size, that are one [-].
const SAME: f64 = 1e-11;
/// The same around the point of a round shape where it is met.
const SAME_AROUND: f64 = 1e-10;
/// A vertex that is less than this fraction of the size beyond a plane is on it [-].
const ON_PLANE: f64 = 1e-14;
/// How errors name this memory.
const PLANES: &str = "planes of a polytope";

/// A triangle of the polytope.
#[derive(Debug, Clone, Copy)]
struct Plane {
    /// Counterclockwise as seen from outside.
    vertices: [u32; 3],
    /// Of unit length.
    outward: Vec3,
    /// From the origin; infinite where nothing is beyond it any more [m].
    height: f64,
    /// Whether the vertex that is added sees it.
    is_seen: bool,
}

/// Scratch memory.
#[derive(Debug, Clone, Default)]
pub(super) struct ExpandBuffers {
    vertices: Vec<Vertex>,
    planes: Vec<Plane>,
    /// The sides of what a vertex sees.
    rim: Vec<[u32; 2]>,
    /// The planes that a vertex is beyond.
    beyond: Vec<u32>,
}

/// Improves the best axis of the search until none separates more.
pub(super) fn find_depth(search: &mut Search, portal: &Portal, buffers: &mut ExpandBuffers) -> Result<()> {
    buffers.begin(portal)?;
    let span = search.size + portal.inside.norm();
    let (same, around, on_plane) = (SAME * search.size, SAME_AROUND * search.size, ON_PLANE * span);
    let mut star = touch(search, buffers, on_plane)?;
    // Of the planes so far that were the lowest, the highest; and the last plane that a vertex was beyond.
    let (mut highest, mut split) = (0.0, None);
    for _ in 0..MAX_VERTICES {
        let depth = search.best.map_or(f64::INFINITY, |best| -best.separation);
        let Some((at, plane)) = lowest(&buffers.planes) else { break };
        if highest > 0.0 && plane.height < highest - same {
            // The origin is inside by now, and the polytope only grows: this plane faces inwards by round-off.
            if let Some(Plane { outward, vertices, .. }) = split.take() {
                let corners = vertices.map(|at: u32| buffers.vertices[at as usize]);
                search.polish(&-outward, &corners, same);
            }
            buffers.planes[at].height = f64::INFINITY;
            continue;
        }
        highest = plane.height.max(highest);
        let slack = if star.is_some_and(|star| plane.vertices.contains(&star)) { around } else { same };
        if plane.height >= depth - slack {
            if slack == same {
                break;
            }
            buffers.planes[at].height = f64::INFINITY;
            continue;
        }
        let vertex = search.vertex(&plane.outward);
        let reach = plane.outward.dot(&vertex.arm);
        let is_final = reach - plane.height <= on_plane;
        if is_final || search.is_round && reach < depth {
            let corners = plane.vertices.map(|at| buffers.vertices[at as usize]);
            search.polish(&-plane.outward, &corners, same);
            if search.best.is_some_and(|best| -best.separation < depth - same) {
                star = touch(search, buffers, on_plane)?;
            }
        }
        if is_final {
            match buffers.planes.get_mut(at) {
                Some(plane) => plane.height = f64::INFINITY,
                None => break,
            }
            continue;
        }
        split = Some(plane);
        buffers.add(vertex, on_plane)?;
    }
    Ok(())
}

/// Adds the point where round shapes are met along the best axis, and returns its number.
fn touch(search: &Search, buffers: &mut ExpandBuffers, on_plane: f64) -> Result<Option<u32>> {
    if !search.is_round {
        return Ok(None);
    }
    let Some((_, points, left)) = search.best_with_points() else { return Ok(None) };
    let Some(like) = buffers.vertices.first().copied() else { return Ok(None) };
    if left > SAME * search.size {
        return Ok(None);
    }
    let is_added = buffers.add(Vertex { arm: points[1] - points[0], ..like }, on_plane)?;
    Ok(is_added.then_some(buffers.vertices.len() as u32 - 1))
}

impl ExpandBuffers {
    /// Makes the polytope of a portal and the point inside.
    fn begin(&mut self, portal: &Portal) -> Result<()> {
        let ExpandBuffers { vertices, planes, .. } = self;
        empty(vertices, MAX_VERTICES + 4, PLANES)?;
        empty(planes, 4, PLANES)?;
        vertices.extend(portal.vertices);
        vertices.push(Vertex { arm: portal.inside, corners: portal.vertices[0].corners });
        let [v1, v2, v3] = portal.vertices.map(|vertex| vertex.arm);
        let is_outward = (v2 - v1).cross(&(v3 - v1)).dot(&(v1 - portal.inside)) >= 0.0;
        let sides = if is_outward {
            [[0, 1, 2], [1, 0, 3], [2, 1, 3], [0, 2, 3]]
        } else {
            [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]
        };
        for side in sides {
            let plane = plane(vertices, side);
            planes.push(plane);
        }
        Ok(())
    }

    /// Marks the planes that a point sees: the one that it is farthest beyond, and those beside it that it is beyond too. Returns whether there
    /// are any.
    ///
    /// By round-off it may be beyond others that are not connected with these. With two patches the polytope would no longer be closed.
    fn see(&mut self, point: &Vec3, on_plane: f64) -> Result<bool> {
        let Self { vertices, planes, beyond, .. } = self;
        empty(beyond, 8, PLANES)?;
        let (mut first, mut farthest) = (None, on_plane);
        for (at, plane) in planes.iter_mut().enumerate() {
            plane.is_seen = false;
            let height = plane.outward.dot(&(point - vertices[plane.vertices[0] as usize].arm));
            if height > on_plane {
                push(beyond, at as u32, PLANES)?;
                if height >= farthest {
                    (first, farthest) = (Some(beyond.len() - 1), height);
                }
            }
        }
        let Some(first) = first else { return Ok(false) };
        // The first `seen` of them are connected.
        beyond.swap(0, first);
        let (mut seen, mut next) = (1, 0);
        while next < seen {
            let own = planes[beyond[next] as usize];
            let others = seen..beyond.len();
            for other in others {
                if planes[beyond[other] as usize].is_beside(&own) {
                    beyond.swap(seen, other);
                    seen += 1;
                }
            }
            next += 1;
        }
        beyond[..seen].iter().for_each(|at| planes[*at as usize].is_seen = true);
        Ok(true)
    }

    /// Adds a vertex; returns whether it is outside.
    fn add(&mut self, vertex: Vertex, on_plane: f64) -> Result<bool> {
        if !self.see(&vertex.arm, on_plane)? || self.planes.len() > MAX_PLANES {
            return Ok(false);
        }
        let Self { vertices, planes, rim, .. } = self;
        empty(rim, 8, PLANES)?;
        for plane in planes.iter().filter(|plane| plane.is_seen) {
            for side in plane.sides() {
                match rim.iter().position(|other| *other == [side[1], side[0]]) {
                    Some(at) => {
                        rim.swap_remove(at);
                    }
                    None => push(rim, side, PLANES)?,
                }
            }
        }
        planes.retain(|plane| !plane.is_seen);
        if rim.is_empty() {
            return Ok(false);
        }
        let number = vertices.len() as u32;
        push(vertices, vertex, PLANES)?;
        for [i, j] in rim.iter() {
            let plane = plane(vertices, [*i, *j, number]);
            push(planes, plane, PLANES)?;
        }
        Ok(true)
    }
}

impl Plane {
    fn sides(&self) -> [[u32; 2]; 3] {
        let [i, j, k] = self.vertices;
        [[i, j], [j, k], [k, i]]
    }

    /// Returns whether two planes have a side in common.
    fn is_beside(&self, other: &Self) -> bool {
        let sides = other.sides();
        self.sides().iter().any(|[from, to]| sides.contains(&[*to, *from]))
    }
}

/// The plane of three vertices; one that is no more than a line is never looked at.
fn plane(vertices: &[Vertex], numbers: [u32; 3]) -> Plane {
    let [a, b, c] = numbers.map(|number| vertices[number as usize].arm);
    let (ab, ac) = (b - a, c - a);
    let across = ab.cross(&ac);
    let square = across.norm_squared();
    if square <= 1e-26 * ab.norm_squared() * ac.norm_squared() {
        return Plane { vertices: numbers, outward: Vec3::zeros(), height: f64::INFINITY, is_seen: false };
    }
    let outward = across / square.sqrt();
    let height = outward.dot(&a).max(outward.dot(&b)).max(outward.dot(&c));
    Plane { vertices: numbers, outward, height, is_seen: false }
}

/// The plane that is closest to the origin.
fn lowest(planes: &[Plane]) -> Option<(usize, Plane)> {
    let mut best: Option<(usize, Plane)> = None;
    for (at, plane) in planes.iter().enumerate() {
        if plane.height < best.map_or(f64::INFINITY, |(_, best)| best.height) {
            best = Some((at, *plane));
        }
    }
    best
}
