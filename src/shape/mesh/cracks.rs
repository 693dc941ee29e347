//! Corners of open edges that should be one: between them the surface has a crack, as narrow as the round-off of 32-bit coordinates.

use std::iter::repeat_n;

use super::open_edges::OpenEdges;
use super::triangles::{POINTS, check_triangle};
use crate::error::{Result, collected};
use crate::math::{Aabb, Vec3};

/// Corners stay apart where a triangle would lose its area. That can take the area of another one, so it is tried so often. Nothing is
/// joined where that was not enough.
const ATTEMPTS: usize = 100;

/// Joins corners of open edges that lie on each other, and returns whether there were any. They move to the one with the lowest index.
/// `places` has for each point the index of the first one at its position.
pub(super) fn close(points: &mut [Vec3], places: &mut [u32], triangles: &[[u32; 3]], open: &OpenEdges) -> Result<bool> {
    let mut joined = joined(points, open)?;
    for _ in 0..ATTEMPTS {
        if (0..).zip(&joined).all(|(place, first)| *first == place) {
            return Ok(false);
        }
        let moved = collected(places.iter().map(|place| points[joined[*place as usize] as usize]), POINTS)?;
        let is_broken = |(index, triangle): &(usize, &[u32; 3])| check_triangle(&moved, *index, triangle).is_err();
        let mut is_kept = collected(repeat_n(true, points.len()), POINTS)?;
        for (_, triangle) in triangles.iter().enumerate().filter(is_broken) {
            triangle.iter().for_each(|corner| is_kept[joined[places[*corner as usize] as usize] as usize] = false);
        }
        if is_kept.iter().all(|is_kept| *is_kept) {
            points.copy_from_slice(&moved);
            places.iter_mut().for_each(|place| *place = joined[*place as usize]);
            return Ok(true);
        }
        (0..)
            .zip(&mut joined)
            .filter(|(_, first)| !is_kept[**first as usize])
            .for_each(|(place, first)| *first = place);
    }
    Ok(false)
}

/// Returns for each place the one that it is joined with, which is itself for most.
fn joined(points: &[Vec3], open: &OpenEdges) -> Result<Vec<u32>> {
    let mut joined = collected(0..points.len() as u32, POINTS)?;
    let at = |corner: u32| points[corner as usize];
    let near = open.hierarchy(points)?;
    for (number, corner) in (0..).zip(&open.corners) {
        if joined[*corner as usize] != *corner {
            continue;
        }
        let region = Aabb::around([at(*corner)]).grown(open.tolerance);
        for place in near.meeting(&region).filter(|other| *other > number).map(|other| open.corners[other as usize]) {
            if joined[place as usize] == place && (at(place) - at(*corner)).norm() <= open.tolerance {
                joined[place as usize] = *corner;
            }
        }
    }
    Ok(joined)
}
