//! The prism over a closed NURBS curve: its definition, its outline and what follows from it.

use super::definition::CurveDefinition;
use super::outline::{Outline, cartesian};
use super::pieces::bezier_pieces;
use super::simple::check_simple;
use crate::error::{Error, Result, collected, copy, refill, text};
use crate::math::elementary::hypot;
use crate::math::{Aabb, Pose, Symmetric3, Vec2, Vec3};
use crate::shape::checks::SHORTEST;
use crate::shape::moments::MassProperties;

/// An area below this part of the square of the size is none [-].
const NO_AREA: f64 = 1e-9;

/// A prism along z over a closed curve, from `-half_depth` to `half_depth`.
#[derive(Debug, Clone)]
pub struct Curve {
    /// What it is made from.
    pub(crate) source: CurveDefinition,
    pub(crate) outline: Outline,
    /// None of a curve that runs clockwise: a hole.
    pub(crate) mass_properties: Option<MassProperties>,
    pub(crate) bounding_radius: f64,
}

impl Curve {
    /// Returns the prism of a definition.
    ///
    /// # Errors
    ///
    /// A number is out of range, the curve is not closed or not simple, or memory is exhausted.
    pub fn new(definition: &CurveDefinition) -> Result<Self> {
        definition.check()?;
        let source = owned(definition)?;
        let mut outline = Outline::default();
        outline.fill(source.degree as usize, &bezier_pieces(&source)?)?;
        if outline.count() == 0 || outline.size() < SHORTEST {
            let size = outline.size();
            return Err(Error::argument(text!("points_xy make a curve of size {size:e}, expected one around an area")));
        }
        check_simple(&outline)?;
        let mass_properties = mass_properties(&outline, source.half_depth)?;
        let reach = outline.controls.iter().map(|control| cartesian(control).norm()).fold(0.0, f64::max);
        let bounding_radius = hypot(reach, source.half_depth);
        Ok(Self { source, outline, mass_properties, bounding_radius })
    }

    /// Returns the signed radius of curvature where the curve is nearest to `point`, infinite where it is flat or has a corner [m].
    pub(crate) fn radius_of_curvature(&self, point: &Vec2) -> f64 {
        let foot = self.outline.nearest(point);
        if foot.is_corner || foot.curvature == 0.0 { f64::INFINITY } else { 1.0 / foot.curvature }
    }

    /// Returns the box along the world axes around the prism at `pose` [m].
    pub(crate) fn bounds(&self, pose: &Pose) -> Aabb {
        let reach = |axis: usize, sign: f64| {
            let row = pose.matrix.row(axis);
            let along_z = row[2].abs() * self.source.half_depth;
            self.outline.lowest(&Vec2::new(sign * row[0], sign * row[1])) - along_z
        };
        let of = |sign: f64| Vec3::new(reach(0, sign), reach(1, sign), reach(2, sign));
        Aabb { lower: pose.origin + of(1.0), upper: pose.origin - of(-1.0) }
    }
}

/// Returns a copy of a definition that has a weight for each point, and one zero of the two.
fn owned(definition: &CurveDefinition) -> Result<CurveDefinition> {
    let points = collected(definition.points.iter().map(|[x, y]| [x + 0.0, y + 0.0]), "points of a curve")?;
    let mut weights = Vec::new();
    refill(&mut weights, points.len(), 1.0, "weights of a curve")?;
    weights.iter_mut().zip(&definition.weights).for_each(|(weight, given)| *weight = *given);
    let mut knots = Vec::new();
    copy(&mut knots, &definition.knots, "knots of a curve")?;
    let CurveDefinition { degree, periodic, half_depth, contacts, samples_per_span, .. } = *definition;
    Ok(CurveDefinition { degree, periodic, points, weights, knots, half_depth, contacts, samples_per_span })
}

/// Returns the mass properties of the prism, none of a hole.
fn mass_properties(outline: &Outline, half_depth: f64) -> Result<Option<MassProperties>> {
    let moments = outline.moments();
    let ([area, x, y], [xx, yy, xy]) = (moments.first, moments.second);
    let size = outline.size();
    if area.abs() < NO_AREA * size * size || area.abs() < SHORTEST * SHORTEST {
        return Err(Error::argument(text!(
            "points_xy enclose an area of {area:e}, expected 1e-9 of the square of their extent {size:e} or more"
        )));
    }
    if area < 0.0 {
        return Ok(None);
    }
    let shift = Vec2::new(x, y) / area;
    let depth = 2.0 * half_depth;
    let about = |moment: f64, a: f64, b: f64| depth * (moment - area * a * b);
    let (xx, yy, xy) = (about(xx, shift.x, shift.x), about(yy, shift.y, shift.y), about(xy, shift.x, shift.y));
    let volume = depth * area;
    let zz = volume * half_depth * half_depth / 3.0;
    let center = moments.origin + shift;
    Ok(Some(MassProperties {
        volume,
        mass: volume,
        center: Vec3::new(center.x, center.y, 0.0),
        inertia: Symmetric3 { entries: [yy + zz, xx + zz, xx + yy, -xy, 0.0, 0.0] },
    }))
}
