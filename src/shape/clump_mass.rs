//! The mass of a clump: of the union of its parts, each with its density. Where parts overlap, the first of them counts.
//!
//! A union is a sum over pieces that do not overlap, and each part has some of them. Those of a polyhedron are convex
//! pieces of it without the polyhedra before it. The piece of a ball is its part in its power cell, without the
//! polyhedra. This cell is a polyhedron: the points that are nearest to the ball by the power distance. All of these
//! have closed forms (`ball_part`). Boxes, hulls and balls are exact to round-off. A cylinder, also that of a capsule,
//! is taken as a prism of the same volume with 64 sides, but only for what it shares with others.
//!
//! With one density each part adds its pieces of the union. With several, it adds what it has beyond the parts before it:
//! `U(part and before) - U(before)`, where `U` is the union. That takes longer, but densities of any ratio do not cancel.

use std::ops::Range;

use super::ball_part::ball_within;
use super::moments::{MassProperties, Moments};
use super::polyhedron::{Polyhedron, Units};
use super::variant::{ClumpPart, Shape};
use crate::error::{Result, collected, empty, push};
use crate::math::{Aabb, Pose, Quat, Vec3};

/// Bounds that meet by less than this fraction of a part touch without overlap [-].
const TOUCHING: f64 = 1e-12;
/// A part with less of its volume left has none [-].
const NOTHING: f64 = 1e-12;
/// Names in error messages: what the memory was for.
const SOLIDS: &str = "parts of a clump";

/// The mass of the union of the parts, for density 1. The first part is whole, so there is a mass.
pub(super) fn mass_of(parts: &[ClumpPart]) -> Result<MassProperties> {
    let near = Near::of(parts)?;
    let is_uniform = parts.windows(2).all(|pair| matches!(pair, [a, b] if a.density_factor == b.density_factor));
    let (mut regions, mut others) = (Vec::new(), Vec::new());
    for (index, (part, bounds)) in parts.iter().zip(&near.bounds).enumerate() {
        let Some(whole) = part.shape.mass_properties().map(|whole| whole.placed(&part.pose)) else { continue };
        near.list(index, &mut others)?;
        let own = Own { parts, index, part, length: half_length(bounds), origin: bounds.center() };
        let region = if is_uniform { own.share(&whole, &others)? } else { own.beyond(&whole, &others)? };
        if let Some(region) = region {
            push(&mut regions, region.weighted(part.density_factor), SOLIDS)?;
        }
    }
    Ok(MassProperties::sum(&regions))
}

/// Half the longest edge of a box.
fn half_length(bounds: &Aabb) -> f64 {
    0.5 * (bounds.upper - bounds.lower).max()
}

/// The bounds of all parts, and their order along the longest edge of the clump.
struct Near {
    bounds: Vec<Aabb>,
    axis: usize,
    /// By their lower ends.
    order: Vec<u32>,
    /// The longest part along the axis.
    longest: f64,
}

impl Near {
    fn of(parts: &[ClumpPart]) -> Result<Self> {
        let bounds = collected(parts.iter().map(|part| part.shape.bounds(&part.pose)), SOLIDS)?;
        let lower = bounds.iter().fold(Vec3::repeat(f64::INFINITY), |lower, own| lower.inf(&own.lower));
        let upper = bounds.iter().fold(Vec3::repeat(f64::NEG_INFINITY), |upper, own| upper.sup(&own.upper));
        let axis = (upper - lower).imax();
        let mut order = collected(0..bounds.len() as u32, SOLIDS)?;
        // Ties keep their order.
        order.sort_by(|a, b| bounds[*a as usize].lower[axis].total_cmp(&bounds[*b as usize].lower[axis]));
        let longest = bounds.iter().map(|own| own.upper[axis] - own.lower[axis]).fold(0.0, f64::max);
        Ok(Self { bounds, axis, order, longest })
    }

    /// Lists the other parts whose bounds share more with those of a part than what touching ones may by round-off, ascending.
    fn list(&self, index: usize, found: &mut Vec<usize>) -> Result<()> {
        let Self { bounds, axis, order, longest } = self;
        let own = bounds[index].grown(-TOUCHING * half_length(&bounds[index]));
        let lower = |part: u32| bounds[part as usize].lower[*axis];
        let begin = order.partition_point(|part| lower(*part) + longest < own.lower[*axis]);
        let near =
            order[begin..].iter().take_while(|part| lower(**part) <= own.upper[*axis]).map(|part| *part as usize);
        empty(found, 0, SOLIDS)?;
        for part in near.filter(|part| *part != index && own.overlaps(&bounds[*part])) {
            push(found, part, SOLIDS)?;
        }
        found.sort_unstable();
        Ok(())
    }
}

/// A part among others.
struct Own<'a> {
    parts: &'a [ClumpPart],
    index: usize,
    part: &'a ClumpPart,
    /// The unit in which its pieces are found [m], and from where they are counted.
    length: f64,
    origin: Vec3,
}

impl Own<'_> {
    /// What of the union is the share of the part, beside these others: `None` if that is nothing.
    fn share(&self, whole: &MassProperties, others: &[usize]) -> Result<Option<MassProperties>> {
        if others.is_empty() {
            return Ok(Some(*whole));
        }
        let (before, after) = others.split_at(others.partition_point(|other| *other < self.index));
        let mut solids = self.solids(before)?;
        let (first_ball, first) = (solids.balls.len(), solids.polyhedra.len());
        solids.add(self.part, &self.origin, self.length)?;
        let (balls, polyhedra) = (first_ball..solids.balls.len(), first..solids.polyhedra.len());
        after.iter().try_for_each(|other| solids.add(&self.parts[*other], &self.origin, self.length))?;
        self.changed(whole, &[(1.0, solids.pieces(balls, polyhedra)?)])
    }

    /// What of the part is in none of those before it: `None` if that is nothing.
    fn beyond(&self, whole: &MassProperties, others: &[usize]) -> Result<Option<MassProperties>> {
        let before = &others[..others.partition_point(|other| *other < self.index)];
        if before.is_empty() {
            return Ok(Some(*whole));
        }
        let mut all = Solids::default();
        all.add(self.part, &self.origin, self.length)?;
        before.iter().try_for_each(|other| all.add(&self.parts[*other], &self.origin, self.length))?;
        self.changed(whole, &[(1.0, all.union()?), (-1.0, self.solids(before)?.union()?)])
    }

    /// The whole part, with its own pieces replaced by a sum of others. So a cylinder is only a prism where it is shared.
    fn changed(&self, whole: &MassProperties, pieces: &[(f64, Moments)]) -> Result<Option<MassProperties>> {
        let Self { origin, length, .. } = *self;
        let frame = Pose::new((whole.center - origin) / length, Quat::identity());
        let mut left = Moments::of(&in_units(whole, &frame, length));
        let full = left.volume;
        let mut own = Solids::default();
        own.add(self.part, &origin, length)?;
        left.add(&own.union()?, -1.0);
        pieces.iter().for_each(|(factor, moments)| left.add(moments, *factor));
        Ok((left.volume > NOTHING * full).then(|| of_units(&left.properties(&Vec3::zeros()), &origin, length)))
    }

    fn solids(&self, parts: &[usize]) -> Result<Solids> {
        let mut solids = Solids::default();
        parts.iter().try_for_each(|other| solids.add(&self.parts[*other], &self.origin, self.length))?;
        Ok(solids)
    }
}

/// Balls and convex polyhedra.
#[derive(Default)]
struct Solids {
    balls: Vec<(Vec3, f64)>,
    polyhedra: Vec<Polyhedron>,
}

/// The same body in units of `length`, its centre at `frame`.
fn in_units(body: &MassProperties, frame: &Pose, length: f64) -> MassProperties {
    let cube = length * length * length;
    let (volume, inertia) = (body.volume / cube, body.inertia.scaled(1.0 / (cube * length * length)));
    MassProperties { volume, mass: volume, center: frame.origin, inertia }
}

/// The other way.
fn of_units(body: &MassProperties, origin: &Vec3, length: f64) -> MassProperties {
    let cube = length * length * length;
    let (volume, inertia) = (body.volume * cube, body.inertia.scaled(cube * length * length));
    MassProperties { volume, mass: volume, center: origin + body.center * length, inertia }
}

impl Solids {
    /// Adds a part, counted from `origin` in units of `length`.
    fn add(&mut self, part: &ClumpPart, origin: &Vec3, length: f64) -> Result<()> {
        let units = Units { pose: &part.pose, origin: *origin, length };
        let polyhedron = match &part.shape {
            Shape::Sphere(sphere) => {
                return push(&mut self.balls, (units.point(&Vec3::zeros()), sphere.radius / length), SOLIDS);
            }
            Shape::Cuboid(cuboid) => Polyhedron::cuboid(&cuboid.half_extents, &units)?,
            Shape::Hull(hull) => Polyhedron::hull(hull, &units)?,
            Shape::Cylinder(cylinder) => Polyhedron::cylinder(cylinder.half_height, cylinder.radius, &units)?,
            Shape::Capsule(capsule) => {
                for end in [-capsule.half_height, capsule.half_height] {
                    push(&mut self.balls, (units.point(&Vec3::new(0.0, 0.0, end)), capsule.radius / length), SOLIDS)?;
                }
                if capsule.half_height == 0.0 {
                    return Ok(());
                }
                Polyhedron::cylinder(capsule.half_height, capsule.radius, &units)?
            }
            Shape::HalfSpace(_) | Shape::Mesh(_) | Shape::Clump(_) | Shape::Curve(_) => return Ok(()),
        };
        push(&mut self.polyhedra, polyhedron, SOLIDS)
    }

    fn union(&self) -> Result<Moments> {
        self.pieces(0..self.balls.len(), 0..self.polyhedra.len())
    }

    /// The sum over the pieces of these balls and polyhedra.
    fn pieces(&self, balls: Range<usize>, polyhedra: Range<usize>) -> Result<Moments> {
        let mut sum = Moments::zero();
        polyhedra.into_iter().try_for_each(|index| self.add_polyhedron(index, &mut sum))?;
        balls.into_iter().try_for_each(|index| self.add_ball(index, &mut sum))?;
        Ok(sum)
    }

    /// Adds the pieces of a polyhedron without those before it.
    fn add_polyhedron(&self, index: usize, sum: &mut Moments) -> Result<()> {
        let Some(polyhedron) = self.polyhedra.get(index) else { return Ok(()) };
        let pieces = without(polyhedron, &self.polyhedra[..index])?;
        pieces.iter().for_each(|piece| sum.add(&piece.moments(), 1.0));
        Ok(())
    }

    /// Adds what of a ball is in its cell and in no polyhedron.
    fn add_ball(&self, index: usize, sum: &mut Moments) -> Result<()> {
        let Some((center, radius)) = self.balls.get(index) else { return Ok(()) };
        let Some(cell) = self.cell(index)? else { return Ok(()) };
        sum.add(&ball_within(center, *radius, &cell)?, 1.0);
        let mut common = Vec::new();
        for polyhedron in &self.polyhedra {
            if let Some(shared) = cell.inside(polyhedron)? {
                push(&mut common, shared, SOLIDS)?;
            }
        }
        for (index, shared) in common.iter().enumerate() {
            for piece in without(shared, &common[..index])? {
                sum.add(&ball_within(center, *radius, &piece)?, -1.0);
            }
        }
        Ok(())
    }

    /// A polyhedron about a ball within which no other ball is nearer by the power distance; `None` if one is everywhere.
    fn cell(&self, index: usize) -> Result<Option<Polyhedron>> {
        let Some((center, radius)) = self.balls.get(index) else { return Ok(None) };
        // Larger than the ball, so that its faces do not touch it.
        let pose = Pose::new(*center, Quat::identity());
        let units = Units { pose: &pose, origin: Vec3::zeros(), length: 1.0 };
        let mut cell = Polyhedron::cuboid(&Vec3::repeat(1.5 * radius), &units)?;
        for (other, (place, other_radius)) in self.balls.iter().enumerate().filter(|(other, _)| *other != index) {
            let arm = place - center;
            let distance = arm.norm();
            if distance >= radius + other_radius {
                continue;
            }
            if distance == 0.0 {
                if (*other_radius, index) > (*radius, other) {
                    return Ok(None);
                }
                continue;
            }
            let height = 0.5 * (distance + (radius * radius - other_radius * other_radius) / distance);
            let normal = arm / distance;
            match cell.clipped(&normal, normal.dot(center) + height)? {
                Some(nearer) => cell = nearer,
                None => return Ok(None),
            }
        }
        Ok(Some(cell))
    }
}

/// A polyhedron without others, in convex pieces.
fn without(polyhedron: &Polyhedron, others: &[Polyhedron]) -> Result<Vec<Polyhedron>> {
    let mut rest = Vec::new();
    push(&mut rest, polyhedron.clone(), SOLIDS)?;
    for other in others {
        let mut outside = Vec::new();
        rest.into_iter().try_for_each(|piece| piece.outside(other, &mut outside))?;
        rest = outside;
    }
    Ok(rest)
}
