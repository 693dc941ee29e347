//! The least push after which the axis of a capsule is free of a mesh.
//!
//! It may lead to the fronts of the triangles that the ends of the axis pass first, or to that of any triangle that an end is over.
//! It may also lead over an edge. On rough ground none of these may do. Then the axis is lifted along the mean normal to the highest
//! place under it.

use std::cmp::Ordering;

use super::contact::POINTS;
use super::crossing::{Line, Surface};
use super::facet::Facet;
use super::hidden_end::HiddenEnd;
use crate::error::{Result, push};
use crate::math::Vec3;

/// The middle changes sides if the axis is behind the surface by less than this part of how far the ends are [-].
const CLEARLY: f64 = 0.5;
/// A push to two fronts is at most this many times the longer one of both [-].
const FARTHER: f64 = 4.0;
/// Triangles have a mean normal if their areas, summed as vectors, are at least this part of the sum of their sizes [-].
const ONE_SIDED: f64 = 0.1;
/// How far rough ground must be from an axis after a push along its mean normal, over the radius [-].
const NEARLY: f64 = 0.5;
/// So many pushes over edges and to fronts are tried, from the shortest on.
const TRIES: usize = 32;

/// A push that may free an axis.
#[derive(Debug, Clone, Copy)]
pub(super) struct Push {
    /// It brings the axis out of the surface, and the radius farther [m].
    pub(super) arm: Vec3,
    /// The point of the axis that touches the surface then [m]. None if two ends do.
    pub(super) place: Option<Vec3>,
    /// How far the surface must be from the axis then, over the radius [-].
    clearance: f64,
}

/// The axis of a capsule that passes through triangles of a mesh. Its middle is the origin.
#[derive(Debug, Clone, Copy)]
pub(super) struct Buried<'a> {
    pub(super) surface: &'a Surface<'a>,
    /// Those that a push of an end to the front of its triangle may lead past.
    pub(super) triangles: &'a [u32],
    pub(super) axis: Line,
    /// Of the capsule [m].
    pub(super) radius: f64,
    /// Those at t = 1 and -1 of the axis, if a triangle hides them.
    pub(super) ends: [Option<HiddenEnd>; 2],
}

impl Push {
    /// Returns a push that brings one point of the axis out.
    fn of(place: Vec3, arm: Vec3) -> Self {
        Self { arm, place: Some(place), clearance: 1.0 }
    }

    /// From the shortest one on, those of one length in the order of their components.
    fn by_length(&self, other: &Self) -> Ordering {
        let by_component = self.arm.iter().zip(other.arm.iter()).map(|(one, other)| one.total_cmp(other));
        let by_length = self.arm.norm_squared().total_cmp(&other.arm.norm_squared());
        by_length.then(by_component.fold(Ordering::Equal, Ordering::then))
    }
}

impl Buried<'_> {
    /// Returns the shortest push that frees the axis. The middle may change sides only from behind triangles to their fronts, where
    /// the ends are. Then the push has to be clearly shorter than that of the ends. `pushes` is scratch.
    pub(super) fn least_push(&self, pushes: &mut Vec<Push>) -> Result<Option<Push>> {
        self.collect(pushes)?;
        let overlap = self.hidden().map(|end| end.overlap).fold(0.0, f64::max);
        let may_change = self.hidden().all(|end| end.is_in_front);
        let frees = |Push { arm, clearance, .. }: &&Push| {
            let path = self.surface.line(Vec3::zeros(), *arm, [0.0, 1.0]);
            let is_clear = arm.norm() - self.radius < CLEARLY * overlap;
            let comes_out = || may_change && is_clear && self.surface.leads_to_front(&path);
            let keeps_side = || !self.surface.is_passed(&path);
            self.surface.is_freed(&self.axis, arm, clearance * self.radius) && (comes_out() || keeps_side())
        };
        Ok(pushes.iter().find(frees).copied())
    }

    fn hidden(&self) -> impl Iterator<Item = &HiddenEnd> {
        self.ends.iter().flatten()
    }

    /// Writes the pushes that may free the axis, in the order in which they are tried.
    fn collect(&self, pushes: &mut Vec<Push>) -> Result<()> {
        pushes.clear();
        let longest = longest_push(&self.ends, self.radius);
        for facet in self.triangles.iter().map(|index| self.surface.facet(*index)) {
            let over_edges = (0..3).filter_map(|edge| self.over_edge(&facet, edge, longest));
            let to_front = self.hidden().filter_map(|end| push_to_front(&end.place, &facet, self.radius));
            for found in over_edges.chain(to_front).filter(|found| found.arm.norm() < longest) {
                push(pushes, found, POINTS)?;
            }
        }
        pushes.sort_unstable_by(Push::by_length);
        // Two triangles share an edge.
        let slack = self.surface.round_off();
        pushes.dedup_by(|one, other| (one.arm - other.arm).norm() <= slack);
        pushes.truncate(TRIES);
        let [one, other] = self.along_mean_normal();
        for found in [one, other, self.push_to_fronts()].into_iter().flatten() {
            push(pushes, found, POINTS)?;
        }
        pushes.sort_unstable_by(Push::by_length);
        Ok(())
    }

    /// Returns the least push that brings the hidden ends to the fronts of the triangles that they pass first, and the radius farther.
    /// None if these nearly face each other.
    fn push_to_fronts(&self) -> Option<Push> {
        let needed = |end: &HiddenEnd| end.overlap + self.radius;
        let of_one = |end: &HiddenEnd| Push::of(end.place, end.normal * needed(end));
        let [Some(one), Some(other)] = &self.ends else { return self.hidden().next().map(of_one) };
        let (first, second) = (needed(one), needed(other));
        let cosine = one.normal.dot(&other.normal);
        if cosine * first >= second {
            return Some(of_one(one));
        }
        if cosine * second >= first {
            return Some(of_one(other));
        }
        let square = 1.0 - cosine * cosine;
        let arm = (one.normal * (first - cosine * second) + other.normal * (second - cosine * first)) / square;
        (arm.norm() <= FARTHER * first.max(second)).then_some(Push { arm, place: None, clearance: 1.0 })
    }

    /// Returns the pushes along the mean normal of the triangles, to both sides, until the axis last touches one. None for triangles
    /// that close a surface.
    fn along_mean_normal(&self) -> [Option<Push>; 2] {
        let mesh = self.surface.mesh;
        let (mut sum, mut sum_of_sizes) = (Vec3::zeros(), 0.0);
        for [a, b, c] in self.triangles.iter().map(|index| mesh.triangle(*index)) {
            let area = (b - a).cross(&(c - a));
            sum += area;
            sum_of_sizes += area.norm();
        }
        if sum.norm() <= ONE_SIDED * sum_of_sizes {
            return [None; 2];
        }
        let mean = self.surface.pose.matrix * sum.normalize();
        [mean, -mean].map(|direction| {
            let touches =
                self.triangles.iter().filter_map(|index| self.surface.last_touch(&self.axis, *index, &direction));
            let (length, place) = touches.max_by(|one, other| one.0.total_cmp(&other.0))?;
            Some(Push { clearance: NEARLY, ..Push::of(place, direction * (length + self.radius)) })
        })
    }

    /// Returns the push of the axis over an edge of a triangle, at right angles to both, if it is not too long. None if the surface goes on
    /// beyond the edge in that direction, and if the edge or the axis ends before they are closest.
    fn over_edge(&self, facet: &Facet, edge: usize, longest: f64) -> Option<Push> {
        let direction = &self.axis.direction;
        let [from, to, other] = [0, 1, 2].map(|step| facet.corners[(edge + step) % 3]);
        let along = to - from;
        let across = direction.cross(&along);
        let square = across.norm_squared();
        // The t of the axis and the fraction of the edge at which they are closest. Not finite if they are parallel.
        let at = from.cross(&along).dot(&across) / square;
        let fraction = from.cross(direction).dot(&across) / square;
        if !((-1.0..=1.0).contains(&at) && (0.0..=1.0).contains(&fraction)) {
            return None;
        }
        // Away from the triangle.
        let across = across / square.sqrt();
        let normal = if across.dot(&(other - from)) > 0.0 { -across } else { across };
        let (slack, overlap) = (self.surface.round_off(), normal.dot(&from));
        if overlap < -slack || overlap + self.radius > longest {
            return None;
        }
        let mesh = self.surface.mesh;
        let [first, second] = [edge, (edge + 1) % 3].map(|corner| mesh.places(facet.index)[corner]);
        let falls_away = |neighbour: &u32| {
            let rises = |corner: &Vec3| normal.dot(&(corner - from)) > slack;
            !mesh.places(*neighbour).contains(&second) || !self.surface.facet(*neighbour).corners.iter().any(rises)
        };
        let is_sharp = mesh.triangles_at(first).iter().all(falls_away);
        is_sharp.then(|| Push::of(direction * at, normal * (overlap.max(0.0) + self.radius)))
    }
}

/// Returns how far the end that needs most has to be pushed to the front of its triangle [m].
pub(super) fn longest_push(ends: &[Option<HiddenEnd>; 2], radius: f64) -> f64 {
    ends.iter().flatten().map(|end| end.overlap + radius).fold(0.0, f64::max)
}

/// Returns the push of an end of an axis to the front of a triangle that it is over.
fn push_to_front(end: &Vec3, facet: &Facet, radius: f64) -> Option<Push> {
    let height = facet.normal.dot(&(end - facet.corners[0]));
    let is_over = facet.closest_point(end).1 == [true; 3];
    is_over.then(|| Push::of(*end, -facet.normal * (height + radius.copysign(height))))
}
