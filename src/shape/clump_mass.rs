//! The mass of a clump: of the union of its parts, each with its density. Where parts overlap, the first of them counts.
//!
//! A part loses what it shares with the parts before it. This is `U(part) + U(before) - U(part and before)`, where `U`
//! is the union. A union is a sum over pieces that do not overlap. The pieces of polyhedra are convex pieces of each
//! polyhedron without those before it. The piece of a ball is its part in its power cell, without the pieces of the
//! polyhedra. This cell is a polyhedron: the points that are nearest to the ball by the power distance. All of these
//! have closed forms (`ball_part`). Boxes, hulls and balls are exact to round-off. A cylinder, also that of a capsule,
//! is taken as a prism of the same volume with 64 sides, but only for what it shares with others.

use super::ball_part::ball_within;
use super::moments::{MassProperties, Moments};
use super::polyhedron::{Polyhedron, Units};
use super::variant::{ClumpPart, Shape};
use crate::error::{Result, push};
use crate::math::{Aabb, Pose, Quat, Vec3};

/// Bounds that meet by less than this fraction of a part touch without overlap [-].
const TOUCHING: f64 = 1e-12;
/// A part with less of its volume left has none [-].
const NOTHING: f64 = 1e-12;
/// Names in error messages: what the memory was for.
const SOLIDS: &str = "parts of a clump";

/// The convex solids that a union is summed from.
#[derive(Default)]
struct Solids {
    balls: Vec<(Vec3, f64)>,
    polyhedra: Vec<Polyhedron>,
}

/// The mass of the union of the parts, for density 1. The first part is whole, so there is a mass.
pub(super) fn mass_of(parts: &[ClumpPart]) -> Result<MassProperties> {
    let mut regions = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        let Some(region) = own_region(part, parts.get(..index).unwrap_or_default())? else { continue };
        push(&mut regions, region.weighted(part.density_factor), SOLIDS)?;
    }
    Ok(MassProperties::sum(&regions))
}

/// What of a part is in none of those before it; `None` if that is nothing.
fn own_region(part: &ClumpPart, before: &[ClumpPart]) -> Result<Option<MassProperties>> {
    let Some(whole) = part.shape.mass_properties().map(|whole| whole.placed(&part.pose)) else { return Ok(None) };
    let bounds = part.shape.bounds(&part.pose);
    let length = 0.5 * (bounds.upper - bounds.lower).max();
    let origin = bounds.center();
    let mut shared = Solids::default();
    for other in before.iter().filter(|other| overlap(&bounds, &other.shape.bounds(&other.pose), length)) {
        shared.add(other, &origin, length)?;
    }
    if shared.is_empty() {
        return Ok(Some(whole));
    }
    let mut own = Solids::default();
    own.add(part, &origin, length)?;
    let frame = Pose::new((whole.center - origin) / length, Quat::identity());
    let mut left = Moments::of(&in_units(&whole, &frame, length));
    let full = left.volume;
    left.add(&own.union()?, -1.0);
    left.add(&shared.union()?, -1.0);
    own.add_all(shared)?;
    left.add(&own.union()?, 1.0);
    Ok((left.volume > NOTHING * full).then(|| of_units(&left.properties(&Vec3::zeros()), &origin, length)))
}

/// Whether two boxes share more than what touching ones may by round-off.
fn overlap(a: &Aabb, b: &Aabb, length: f64) -> bool {
    a.grown(-TOUCHING * length).overlaps(b)
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
    fn is_empty(&self) -> bool {
        self.balls.is_empty() && self.polyhedra.is_empty()
    }

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

    fn add_all(&mut self, other: Self) -> Result<()> {
        other.balls.into_iter().try_for_each(|ball| push(&mut self.balls, ball, SOLIDS))?;
        other.polyhedra.into_iter().try_for_each(|polyhedron| push(&mut self.polyhedra, polyhedron, SOLIDS))
    }

    /// The moments of the union, counted from the origin.
    fn union(&self) -> Result<Moments> {
        let pieces = self.pieces()?;
        let mut sum = Moments::zero();
        pieces.iter().for_each(|piece| sum.add(&piece.moments(), 1.0));
        for (index, (center, radius)) in self.balls.iter().enumerate() {
            let Some(cell) = self.cell(index)? else { continue };
            sum.add(&ball_within(center, *radius, &cell)?, 1.0);
            for piece in &pieces {
                if let Some(common) = cell.inside(piece)? {
                    sum.add(&ball_within(center, *radius, &common)?, -1.0);
                }
            }
        }
        Ok(sum)
    }

    /// The polyhedra without overlap, in convex pieces.
    fn pieces(&self) -> Result<Vec<Polyhedron>> {
        let mut all = Vec::new();
        for (index, polyhedron) in self.polyhedra.iter().enumerate() {
            let mut rest = Vec::new();
            push(&mut rest, polyhedron.clone(), SOLIDS)?;
            for before in self.polyhedra.iter().take(index) {
                let mut outside = Vec::new();
                rest.into_iter().try_for_each(|piece| piece.outside(before, &mut outside))?;
                rest = outside;
            }
            rest.into_iter().try_for_each(|piece| push(&mut all, piece, SOLIDS))?;
        }
        Ok(all)
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
