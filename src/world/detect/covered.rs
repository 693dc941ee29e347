//! Removes contacts at the seams between static bodies.

use crate::body::Kind;
use crate::collide::narrow::{
    ContactPoint, ContainmentQuery, LeftAtSeam, NarrowWorkspace, Placed, holds_any, is_covered, uncovered_contacts,
};
use crate::error::Result;
use crate::math::{Aabb, Vec3};
use crate::world::detect::broad_phase::filter;
use crate::world::detect::fat_bounds::Extent;
use crate::world::detect::scene::Scene;

/// The contact points of a pair, those from `start` on.
pub(super) struct PairPoints<'a> {
    pub(super) start: usize,
    pub(super) points: &'a mut Vec<ContactPoint>,
    pub(super) workspace: &'a mut NarrowWorkspace,
}

/// Removes contacts of the bodies in slots `a` and `b`. One of the two is static. Its faces that other
/// static bodies next to it cover have no contacts. If a body that overlaps has none left, it gets those of a face without cover.
pub(super) fn drop_covered(
    scene: &Scene,
    (a, b): (u32, u32),
    placed: [Placed; 2],
    PairPoints { start, points, workspace }: PairPoints,
) -> Result<()> {
    let of_b = scene.input.bodies.traits[b as usize].kind == Kind::Static;
    let (own, slot, partner) = if of_b { (placed[1], b, a) } else { (placed[0], a, b) };
    let adjacent = scene.seams.adjacent(slot);
    if adjacent.is_empty() || points.len() == start {
        return Ok(());
    }
    // A body that the partner cannot touch covers nothing.
    let admits = |other: u32| filter(scene.input.bodies, partner).admits(&filter(scene.input.bodies, other));
    let is_held = |query: &ContainmentQuery, slack: f64| {
        adjacent.iter().any(|other| admits(*other) && scene.holds(*other, query, slack))
    };
    let excess = if of_b { scene.proxies.excess(a, b) } else { Vec3::zeros() };
    let from = scene.input.bodies.motion[partner as usize].center;
    let size = placed.map(|placed| placed.shape.size()).into_iter().fold(f64::INFINITY, f64::min);
    let moved = |query: &ContainmentQuery, slack: f64| {
        is_held(&ContainmentQuery { point: query.point + excess, from: query.from + excess, ..*query }, slack)
    };
    let is_dropped = |point: &mut ContactPoint| {
        is_covered(own, point.parts[usize::from(of_b)], &point.touch(of_b, &from, size), &moved)
    };
    let dropped = points.extract_if(start.., is_dropped);
    let deepest = dropped.min_by(|one, other| one.gap.total_cmp(&other.gap)).filter(|point| point.gap < 0.0);
    match deepest {
        Some(ContactPoint { parts, .. }) if points.len() == start => {
            let left = LeftAtSeam { is_of_b: of_b, from, size, margin: scene.proxies.margin, parts };
            uncovered_contacts(placed, &left, &moved, workspace, points)
        }
        _ => Ok(()),
    }
}

impl Scene<'_> {
    /// Whether the static body in `slot` contains a point, or is within `slack` [m] of it.
    fn holds(&self, slot: u32, query: &ContainmentQuery, slack: f64) -> bool {
        let Some(posed) = self.proxies.posed(slot) else { return false };
        let mut query = *query;
        if let Extent::Bounds(bounds) = &posed.extent {
            // In a periodic box the nearest image of the body counts.
            let excess = self.proxies.period.excess(&(query.point - 0.5 * (bounds.lower + bounds.upper)));
            query = ContainmentQuery { point: query.point - excess, from: query.from - excess, ..query };
            let around = Aabb::around([query.point]).grown(query.depth);
            if !bounds.grown(slack).overlaps(&around) {
                return false;
            }
        }
        let Some(shape) = self.input.shapes.get(self.input.bodies.traits[slot as usize].shape) else { return false };
        holds_any(shape, &posed.pose, &query, slack)
    }
}
