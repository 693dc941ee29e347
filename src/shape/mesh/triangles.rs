//! Which triangles a mesh may have.

use crate::error::{Error, Result, text};
use crate::math::Vec3;
use crate::shape::checks::{SHORTEST, THINNEST};

/// Names in error messages: what the memory was for.
pub(super) const POINTS: &str = "points of a mesh";
pub(super) const TRIANGLES: &str = "triangles of a mesh";

/// Checks that triangles have corners among the points, and areas.
pub(super) fn check_triangles(points: &[Vec3], triangles: &[[u32; 3]]) -> Result<()> {
    triangles.iter().enumerate().try_for_each(|(index, triangle)| check_triangle(points, index, triangle))
}

/// Checks the triangle with a number.
pub(super) fn check_triangle(points: &[Vec3], index: usize, triangle: &[u32; 3]) -> Result<()> {
    let first = 3 * index;
    if let Some(position) = triangle.iter().position(|corner| *corner as usize >= points.len()) {
        let (at, value, count) = (first + position, triangle[position], points.len());
        let message = text!("triangles[{at}] is {value}, expected an index below point_count, {count}");
        return Err(Error::argument(message));
    }
    let [a, b, c] = triangle.map(|corner| points[corner as usize]);
    let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
    let height = if longest > 0.0 { ((b - a) / longest).cross(&(c - a)).norm() } else { 0.0 };
    if height > THINNEST * longest && longest >= SHORTEST {
        return Ok(());
    }
    Err(Error::argument(text!(
        "triangle {index} (triangles[{first}] to triangles[{}], which are {triangle:?}) is {longest} long and {height} high, \
         expected an area above 0",
        first + 2
    )))
}

/// A triangle is thin if its height is below this fraction of its longest side [-].
const THIN: f64 = 1e-3;

/// Returns the ends of the longest side of a thin triangle, then the other corner, in the order of the corners. `None` if it is not thin.
pub(crate) fn thin_side(corners: &[Vec3; 3]) -> Option<[Vec3; 3]> {
    let sides = [0, 1, 2].map(|at| (corners[(at + 1) % 3] - corners[at]).norm_squared());
    let at = if sides[0] >= sides[1] && sides[0] >= sides[2] { 0 } else { 1 + usize::from(sides[2] > sides[1]) };
    let area = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
    let is_thin = area.norm_squared() < THIN * THIN * sides[at] * sides[at];
    is_thin.then(|| [0, 1, 2].map(|step| corners[(at + step) % 3]))
}
