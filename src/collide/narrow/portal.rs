//! Where the ray from a point inside of `b - a` through the origin leaves it (Snethen, XenoCollide, Game Programming Gems 7).
//!
//! The search ends with three vertices of `b - a` on a plane through which the ray leaves. If the origin is beyond that
//! plane, the shapes are apart; otherwise they overlap. A plane with all of `b - a` beyond the margin also ends the
//! search.

use super::pole::{Search, Vertex};
use crate::math::{Vec3, tangents};

/// Most planes that are tried.
const MAX_PLANES: usize = 64;
/// How far a rim may bulge out of the last plane, as a fraction of the smaller size [-].
const COARSE: f64 = 1e-3;
/// The same where the plane must tell whether the shapes overlap.
const FINE: f64 = 1e-13;

/// Three vertices are on a line if the square of the sine between two sides is at most this [-].
const STRAIGHT: f64 = 1e-26;

/// Centres closer than this have no direction between them, as a fraction of the smaller size [-].
const COINCIDENT: f64 = 1e-12;
/// In its place, in units of that size: parallel to no axis or face that shapes commonly have [-].
const APART: [f64; 3] = [5.6e-10, 3.7e-10, 7.4e-10];

/// What is known about a pair.
#[derive(Debug, Clone, Copy)]
pub(super) enum PairState {
    /// Some axis separates them by more than the margin.
    Beyond,
    /// They do not overlap, or by no more than round-off.
    Apart(Portal),
    /// They overlap.
    Overlapping(Portal),
}

/// A plane through which the ray leaves.
#[derive(Debug, Clone, Copy)]
pub(super) struct Portal {
    /// The point inside [m].
    pub(super) inside: Vec3,
    pub(super) vertices: [Vertex; 3],
    /// Out of the portal, of unit length.
    pub(super) outward: Vec3,
}

/// Finds it; `margin` does not count the radii [m].
pub(super) fn find_portal(search: &mut Search, margin: f64) -> PairState {
    let mut inside = search.b.center - search.a.center;
    // Without a direction between the centres no plane is preferred. Any point near the middle is as good.
    if inside.norm() <= COINCIDENT * search.size {
        inside = Vec3::from(APART) * search.size;
    }
    let mut vertex = |direction: &Vec3| {
        let found = search.vertex(direction);
        let reach = direction.dot(&found.arm);
        // Compared by squares: the direction has any length.
        let is_beyond = reach < 0.0 && reach * reach > margin.max(0.0) * margin.max(0.0) * direction.norm_squared();
        (!is_beyond || margin < 0.0).then_some(found)
    };
    let toward = -inside;
    let Some(mut v1) = vertex(&toward) else { return PairState::Beyond };
    let mut direction = v1.arm.cross(&inside);
    if direction.norm_squared() <= 1e-24 * v1.arm.norm_squared() * inside.norm_squared() {
        direction = tangents(&toward.normalize()).0;
    }
    let Some(mut v2) = vertex(&direction) else { return PairState::Beyond };
    let mut v3 = v2;
    for _ in 0..MAX_PLANES {
        direction = (v1.arm - inside).cross(&(v2.arm - inside));
        if direction.dot(&inside) > 0.0 {
            direction = -direction;
            (v1, v2) = (v2, v1);
        }
        if direction == Vec3::zeros() {
            direction = tangents(&toward.normalize()).1;
        }
        let Some(found) = vertex(&direction) else { return PairState::Beyond };
        v3 = found;
        if v1.arm.cross(&v3.arm).dot(&inside) < 0.0 {
            v2 = v3;
        } else if v3.arm.cross(&v2.arm).dot(&inside) < 0.0 {
            v1 = v3;
        } else {
            break;
        }
    }
    refined(search, (inside, [v1, v2, v3]), margin)
}

/// Moves the plane of three vertices around the ray outwards.
fn refined(search: &mut Search, (inside, vertices): (Vec3, [Vertex; 3]), margin: f64) -> PairState {
    let [mut v1, mut v2, mut v3] = vertices;
    let span = search.size + inside.norm();
    let (fine, coarse) = (FINE * span, if search.is_round { COARSE * search.size } else { 0.0 });
    let mut outward = -inside.try_normalize(0.0).unwrap_or_else(Vec3::x);
    for round in 0..MAX_PLANES {
        let across = (v2.arm - v1.arm).cross(&(v3.arm - v1.arm));
        let square = (v2.arm - v1.arm).norm_squared() * (v3.arm - v1.arm).norm_squared();
        if across.norm_squared() <= STRAIGHT * square {
            // All of `b - a` is in a plane, as of a line and a triangle that are parallel: nothing is inside of it.
            return PairState::Apart(Portal { inside, vertices: [v1, v2, v3], outward });
        }
        let Some(normal) = across.try_normalize(0.0) else { break };
        outward = if normal.dot(&inside) > 0.0 { -normal } else { normal };
        let v4 = search.vertex(&outward);
        let (reach, plane) = (outward.dot(&v4.arm), outward.dot(&v1.arm));
        if reach < -margin.max(0.0) && margin >= 0.0 {
            return PairState::Beyond;
        }
        let gain = reach - plane;
        let is_told = plane >= 0.0 || reach < 0.0;
        if gain <= fine || is_told && gain <= coarse || round + 1 == MAX_PLANES {
            break;
        }
        let side = v4.arm.cross(&inside);
        if v1.arm.dot(&side) > 0.0 {
            if v2.arm.dot(&side) > 0.0 { v1 = v4 } else { v3 = v4 }
        } else if v3.arm.dot(&side) > 0.0 {
            v2 = v4;
        } else {
            v1 = v4;
        }
    }
    let portal = Portal { inside, vertices: [v1, v2, v3], outward };
    if outward.dot(&v1.arm) >= 0.0 { PairState::Overlapping(portal) } else { PairState::Apart(portal) }
}

/// Returns three vertices around the ray, if the search left it through a vertex or an edge. The origin may be on either side of their plane.
pub(super) fn portal_around(search: &mut Search) -> Portal {
    let inside = search.b.center - search.a.center;
    let outward = -inside.try_normalize(0.0).unwrap_or_else(Vec3::x);
    let (t1, t2) = tangents(&outward);
    // Three directions across the ray, a third of a turn apart.
    let vertices = [t1, 0.75f64.sqrt() * t2 - 0.5 * t1, -0.75f64.sqrt() * t2 - 0.5 * t1];
    Portal { inside, vertices: vertices.map(|direction| search.vertex(&direction)), outward }
}
