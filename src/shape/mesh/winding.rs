//! The order of the corners of the triangles of a mesh.

use std::iter::repeat_n;

use super::triangles::TRIANGLES;
use crate::error::{Result, collected, push};

/// An edge of a triangle: its ends in ascending order, the triangle, and whether it runs from the lower end to the upper one.
type Edge = ([u32; 2], u32, bool);

/// Turns triangles over, so that two which share an edge run along it in opposite directions: both then have the same side of the surface in
/// front. In each connected part the first triangle stays as it is. Edges of more than two triangles connect none, and a
/// surface with one side keeps edges where the directions agree.
pub(super) fn make_consistent(triangles: &mut [[u32; 3]], representatives: &[u32]) -> Result<()> {
    let edge = |at: usize| {
        let corners = triangles[at / 3];
        let [from, to] = [at % 3, (at + 1) % 3].map(|corner| representatives[corners[corner] as usize]);
        ([from.min(to), from.max(to)], (at / 3) as u32, from < to)
    };
    let mut edges: Vec<Edge> = collected((0..3 * triangles.len()).map(edge), TRIANGLES)?;
    edges.sort_unstable();
    // For each edge of a triangle the one beyond it, and whether one of the two has to be turned over.
    let mut beyond = collected(repeat_n([None; 3], triangles.len()), TRIANGLES)?;
    let mut link = |from: &Edge, to: &Edge| {
        if let Some(free) = beyond[from.1 as usize].iter_mut().find(|slot| slot.is_none()) {
            *free = Some((to.1, from.2 == to.2));
        }
    };
    for group in edges.chunk_by(|first, second| first.0 == second.0) {
        if let [first, second] = group {
            link(first, second);
            link(second, first);
        }
    }
    let mut is_turned = collected(repeat_n(None, triangles.len()), TRIANGLES)?;
    let mut waiting = Vec::new();
    for start in 0..triangles.len() as u32 {
        if is_turned[start as usize].is_none() {
            is_turned[start as usize] = Some(false);
            push(&mut waiting, start, TRIANGLES)?;
        }
        while let Some(index) = waiting.pop() {
            let own = is_turned[index as usize] == Some(true);
            for (next, differs) in beyond[index as usize].into_iter().flatten() {
                if is_turned[next as usize].is_none() {
                    is_turned[next as usize] = Some(own != differs);
                    push(&mut waiting, next, TRIANGLES)?;
                }
            }
        }
    }
    for (triangle, is_turned) in triangles.iter_mut().zip(is_turned) {
        if is_turned == Some(true) {
            triangle.swap(1, 2);
        }
    }
    Ok(())
}
