//! The closed line that bounds a region of triangles, and whether it is convex.

use std::iter::repeat_n;

use super::triangles::Triangles;
use crate::error::{Result, collected, push, reserve};
use crate::math::{Vec2, Vec3, tangents};

/// Names in error messages: what the memory was for.
const CORNERS: &str = "corners of a hull";

/// Scratch memory to follow outlines.
#[derive(Debug)]
pub(in crate::shape) struct Outliner {
    /// The last outline through each point.
    last_outline: Vec<u32>,
    outlines: u32,
    edges: Vec<[u32; 2]>,
}

impl Outliner {
    /// Returns the memory for surfaces between so many points.
    pub(in crate::shape) fn new(points: usize) -> Result<Self> {
        Ok(Self { last_outline: collected(repeat_n(0, points), CORNERS)?, outlines: 0, edges: Vec::new() })
    }

    /// Returns the edges that bound some triangles, one after the other, as the triangle inside and the number of its
    /// edge. `None` if they are not one line that passes each point once. `is_inside` returns whether a triangle is one
    /// of `members`.
    pub(in crate::shape) fn outline(
        &mut self,
        triangles: &Triangles,
        members: &[u32],
        is_inside: impl Fn(u32) -> bool,
    ) -> Result<Option<&[[u32; 2]]>> {
        if let [triangle] = members {
            self.edges.clear();
            reserve(&mut self.edges, 3, CORNERS)?;
            self.edges.extend([0, 1, 2].map(|edge| [*triangle, edge]));
            return Ok(Some(&self.edges));
        }
        let mut first = None;
        let mut count = 0;
        for triangle in members {
            for (edge, beyond) in (0..).zip(triangles.neighbours[*triangle as usize]) {
                if !is_inside(beyond) {
                    first = first.or(Some([*triangle, edge]));
                    count += 1;
                }
            }
        }
        let Some(first) = first else { return Ok(None) };
        self.outlines += 1;
        self.edges.clear();
        reserve(&mut self.edges, count, CORNERS)?;
        let mut here = first;
        loop {
            let corner = triangles.corners[here[0] as usize][here[1] as usize];
            let passed = &mut self.last_outline[corner as usize];
            if *passed == self.outlines {
                return Ok(None);
            }
            *passed = self.outlines;
            self.edges.push(here);
            here = following(triangles, here, &is_inside);
            if here == first {
                break;
            }
        }
        Ok((self.edges.len() == count).then_some(&self.edges))
    }
}

/// Returns the edge that follows another on the line that bounds triangles.
fn following(triangles: &Triangles, [triangle, edge]: [u32; 2], is_inside: impl Fn(u32) -> bool) -> [u32; 2] {
    let (mut place, mut next) = (triangle as usize, (edge as usize + 1) % 3);
    let corner = triangles.corners[place][next];
    while is_inside(triangles.neighbours[place][next]) {
        place = triangles.neighbours[place][next] as usize;
        next = triangles.corners[place].iter().position(|other| *other == corner).unwrap_or(0);
    }
    [place as u32, next as u32]
}

/// Returns the points in axes across `normal`.
fn projected(points: impl ExactSizeIterator<Item = Vec3>, normal: &Vec3) -> Result<Vec<Vec2>> {
    let (t1, t2) = tangents(normal);
    collected(points.map(|point| Vec2::new(t1.dot(&point), t2.dot(&point))), CORNERS)
}

/// Whether a polygon, counterclockwise about `normal`, is nowhere farther than `tolerance` [m] inside of its convex hull.
pub(in crate::shape) fn is_convex(
    corners: impl ExactSizeIterator<Item = Vec3>,
    normal: &Vec3,
    tolerance: f64,
) -> Result<bool> {
    let corners = projected(corners, normal)?;
    let hull = convex_outline(&corners)?;
    let Some(start) = hull.iter().enumerate().min_by_key(|(_, corner)| **corner).map(|(start, _)| start) else {
        return Ok(false);
    };
    // The corners of the hull come in the order of the polygon, and those between are near its edges.
    let (mut last, count) = (None, corners.len() as u32);
    for index in 0..hull.len() {
        let (from, to) = (hull[(start + index) % hull.len()], hull[(start + index + 1) % hull.len()]);
        let steps = (to + count - from) % count;
        let is_in_order = last.is_none_or(|last| last < from);
        let is_near = |step: u32| {
            let corner = (from + step) % count;
            distance(&corners[corner as usize], &corners[from as usize], &corners[to as usize]) <= tolerance
        };
        if !is_in_order || !(1..steps).all(is_near) {
            return Ok(false);
        }
        last = Some(from);
    }
    Ok(hull.len() > 2)
}

/// Returns how far a point is from the line between two others.
fn distance(point: &Vec2, from: &Vec2, to: &Vec2) -> f64 {
    let (arm, along) = (point - from, to - from);
    let fraction = (arm.dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
    (arm - along * fraction).norm()
}

/// Returns the corners of the convex hull of points, counterclockwise (Andrew's monotone chain).
fn convex_outline(points: &[Vec2]) -> Result<Vec<u32>> {
    let turns = |a: u32, b: u32, c: u32| {
        let [a, b, c] = [a, b, c].map(|index| points[index as usize]);
        (b - a).perp(&(c - a)) > 0.0
    };
    let mut order = collected(0..points.len() as u32, CORNERS)?;
    order.sort_unstable_by(|first, second| {
        let (a, b) = (points[*first as usize], points[*second as usize]);
        a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)).then(first.cmp(second))
    });
    let mut outline = Vec::new();
    reserve(&mut outline, 2 * order.len(), CORNERS)?;
    for back in [false, true] {
        let start = outline.len();
        for step in 0..order.len() {
            let next = order[if back { order.len() - 1 - step } else { step }];
            while outline.len() >= start + 2 && !turns(outline[outline.len() - 2], outline[outline.len() - 1], next) {
                outline.pop();
            }
            push(&mut outline, next, CORNERS)?;
        }
        // The last of each chain is the first of the other.
        outline.pop();
    }
    Ok(outline)
}

/// Returns whether a polygon, counterclockwise about `normal`, is convex within `tolerance` [m]. No corner may be
/// farther outside of the line along any edge: clipping against these lines then keeps the polygon.
pub(in crate::shape) fn holds_its_corners(
    corners: impl ExactSizeIterator<Item = Vec3>,
    normal: &Vec3,
    tolerance: f64,
) -> Result<bool> {
    let corners = projected(corners, normal)?;
    let count = corners.len();
    let hull = convex_outline(&corners)?;
    let mut following = collected(repeat_n(count, count), CORNERS)?;
    for (from, to) in hull.iter().zip(hull.iter().cycle().skip(1)) {
        following[*from as usize] = *to as usize;
    }
    // All corners are inside of an edge of the convex hull.
    let holds = |from: usize| {
        let to = (from + 1) % count;
        let along = corners[to] - corners[from];
        let length = along.norm();
        let is_inside = |corner: &Vec2| along.perp(&(corner - corners[from])) >= -tolerance * length;
        following[from] == to || corners.iter().all(is_inside)
    };
    Ok(length_is_positive(&corners) && (0..count).all(holds))
}

fn length_is_positive(corners: &[Vec2]) -> bool {
    corners.len() > 2 && corners.iter().zip(corners.iter().cycle().skip(1)).all(|(from, to)| from != to)
}
