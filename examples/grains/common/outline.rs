//! Outlines of grains: 16 that are not convex, and convex ones and disks of the same mean diameters. [N] prints a picture of its own alone.

use std::f64::consts::{PI, TAU};
use std::str::FromStr;

use drystone::shape::{CurveDefinition, Shape};

use crate::support::Failure;

/// Outlines of each kind.
pub(crate) const OUTLINES: usize = 16;
/// Points per span by which outlines are drawn, and by which diameters are found: with fewer these are off by 1e-7.
const DRAWN: usize = 4;
const MEASURED: usize = 300;
/// Weights of the corners of the hull and of the middles of its edges, of convex grains.
const WEIGHTS: [f64; 2] = [4.0, 1.0];

/// How angular grains are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Disk,
    Convex,
    Nonconvex,
}

impl Kind {
    /// From round to angular.
    pub(crate) const ALL: [Self; 3] = [Self::Disk, Self::Convex, Self::Nonconvex];

    /// Returns the word for it on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Disk => "disk",
            Self::Convex => "convex",
            Self::Nonconvex => "nonconvex",
        }
    }
}

impl FromStr for Kind {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|kind| kind.name() == word);
        found.ok_or_else(|| format!("{word} is no shape, expected {}", Self::ALL.map(Self::name).join(", ")))
    }
}

/// A closed outline, counter-clockwise: a periodic cubic with uniform knots, or a circle.
#[derive(Debug, Clone)]
pub(crate) enum Outline {
    Circle { radius: f64 },
    Cubic { points: Vec<[f64; 2]>, weights: Vec<f64> },
}

impl Outline {
    /// Returns outline `index` of a kind [D], where D is the mean diameter of all.
    ///
    /// # Errors
    ///
    /// Memory is exhausted.
    pub(crate) fn new(kind: Kind, index: usize) -> Result<Self, Failure> {
        let diameter = mean_diameter(index);
        if kind == Kind::Disk {
            return Ok(Self::Circle { radius: 0.5 * diameter });
        }
        let random = random_outline(index as u32)?;
        let outline = if kind == Kind::Convex { random.convex() } else { random };
        Ok(outline.scaled(diameter / outline.feret_diameter()))
    }

    /// Returns all outlines of a kind.
    ///
    /// # Errors
    ///
    /// Memory is exhausted.
    pub(crate) fn all(kind: Kind) -> Result<Vec<Self>, Failure> {
        (0..OUTLINES).map(|index| Self::new(kind, index)).collect()
    }

    /// Returns the shape, 1 D deep. A disk is a sphere: in the plane they touch in the same way.
    ///
    /// # Errors
    ///
    /// The outline crosses itself.
    pub(crate) fn shape(&self) -> Result<Shape, Failure> {
        match self {
            Self::Circle { radius } => Ok(Shape::sphere(*radius)?),
            Self::Cubic { points, weights } => {
                let knots = (0..=points.len()).map(|at| at as f64).collect();
                let (points, weights) = (points.clone(), weights.clone());
                Ok(Shape::nurbs_curve(&CurveDefinition { points, weights, knots, ..CurveDefinition::default() })?)
            }
        }
    }

    /// Returns the area [D^2].
    ///
    /// # Errors
    ///
    /// Those of [`Outline::shape`].
    pub(crate) fn area(&self) -> Result<f64, Failure> {
        if let Self::Circle { radius } = self {
            return Ok(PI * radius * radius);
        }
        let properties = self.shape()?.mass_properties().ok_or("an outline has no area")?;
        Ok(properties.volume)
    }

    /// Returns the largest distance of a point from the origin, up to the samples [D].
    pub(crate) fn reach(&self) -> f64 {
        self.polygon(DRAWN).iter().map(|[x, y]| x.hypot(*y)).fold(0.0, f64::max)
    }

    /// Returns a polygon as it is drawn [D].
    pub(crate) fn drawn(&self) -> Vec<[f64; 2]> {
        self.polygon(DRAWN)
    }

    /// Returns the area of a fine polygon in the outline, which does not use the library [D^2].
    pub(crate) fn fine_area(&self) -> f64 {
        polygon_area(&self.polygon(MEASURED))
    }

    /// Returns the mean Feret diameter [D]: the perimeter of the convex hull over pi.
    pub(crate) fn feret_diameter(&self) -> f64 {
        let Self::Cubic { .. } = self else { return self.reach() * 2.0 };
        let hull = hull(&self.polygon(MEASURED));
        let edges = hull.iter().zip(hull.iter().cycle().skip(1));
        edges.map(|(a, b)| (b[0] - a[0]).hypot(b[1] - a[1])).sum::<f64>() / PI
    }

    /// Returns the area over that of the convex hull.
    ///
    /// # Errors
    ///
    /// Those of [`Outline::shape`].
    pub(crate) fn solidity(&self) -> Result<f64, Failure> {
        match self {
            Self::Circle { .. } => Ok(1.0),
            Self::Cubic { .. } => Ok(self.area()? / polygon_area(&hull(&self.polygon(MEASURED)))),
        }
    }

    fn scaled(&self, factor: f64) -> Self {
        match self {
            Self::Circle { radius } => Self::Circle { radius: factor * radius },
            Self::Cubic { points, weights } => {
                let points = points.iter().map(|point| point.map(|entry| factor * entry)).collect();
                Self::Cubic { points, weights: weights.clone() }
            }
        }
    }

    /// Returns a convex outline about the same control points: their hull and the middles of its edges.
    fn convex(&self) -> Self {
        let Self::Cubic { points, .. } = self else { return self.clone() };
        let corners = hull(points);
        let edges = corners.iter().zip(corners.iter().cycle().skip(1));
        let with_middles = edges.flat_map(|(a, b)| [*a, [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])]]);
        let (points, weights) = (with_middles.collect(), WEIGHTS.repeat(corners.len()));
        Self::Cubic { points, weights }
    }

    /// Returns so many points on each span, or as many on a circle as on one of 16 spans.
    fn polygon(&self, per_span: usize) -> Vec<[f64; 2]> {
        match self {
            Self::Circle { radius } => {
                let count = 16 * per_span;
                let angles = (0..count).map(|at| TAU * at as f64 / count as f64);
                angles.map(|angle| [radius * angle.cos(), radius * angle.sin()]).collect()
            }
            Self::Cubic { points, weights } => {
                let shares = (0..per_span).map(|at| at as f64 / per_span as f64);
                let spans = 0..points.len();
                spans.flat_map(|span| shares.clone().map(move |t| on_span(points, weights, span, t))).collect()
            }
        }
    }
}

/// Returns the mean Feret diameter of outline `index` of each kind [D].
pub(crate) fn mean_diameter(index: usize) -> f64 {
    0.7 + 0.04 * index as f64
}

/// Returns a point of a periodic cubic with uniform knots.
fn on_span(points: &[[f64; 2]], weights: &[f64], span: usize, t: f64) -> [f64; 2] {
    let s = 1.0 - t;
    let basis = [s * s * s, (3.0 * t - 6.0) * t * t + 4.0, (3.0 * s - 6.0) * s * s + 4.0, t * t * t];
    let mut sum = [0.0; 3];
    for (at, value) in basis.into_iter().enumerate() {
        let index = (span + at) % points.len();
        let weight = value * weights.get(index).copied().unwrap_or(1.0);
        let [x, y] = points[index];
        sum = [sum[0] + weight * x, sum[1] + weight * y, sum[2] + weight];
    }
    [sum[0] / sum[2], sum[1] / sum[2]]
}

/// Returns a random outline of any size that does not cross itself.
fn random_outline(index: u32) -> Result<Outline, Failure> {
    let count = 10 + 2 * (index as usize % 4);
    let stretch = (1.0 + 0.12 * f64::from(index / 4)).sqrt();
    for attempt in 0..16 {
        let mut draws = Draws(1000 + index + 16 * attempt);
        draws.next();
        let angle = |at: usize, draw: f64| TAU * (at as f64 + 0.25 * draw) / count as f64;
        let angles: Vec<f64> = (0..count).map(|at| angle(at, draws.next())).collect();
        let radii = (0..count).map(|at| 1.0 + 0.18 * draws.next() - if at % 3 == 1 { 0.38 } else { 0.0 });
        let place = |(angle, radius): (f64, f64)| [radius * angle.cos() * stretch, radius * angle.sin() / stretch];
        let outline =
            Outline::Cubic { points: angles.into_iter().zip(radii).map(place).collect(), weights: Vec::new() };
        if outline.shape().is_ok() {
            return Ok(outline);
        }
    }
    Err("16 random outlines cross themselves".into())
}

/// Random numbers in (-1, 1) of the recipe of outlines.
struct Draws(u32);

impl Draws {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        2.0 * (f64::from(self.0) + 0.5) / 4_294_967_296.0 - 1.0
    }
}

/// Returns the convex hull of points, counter-clockwise.
pub(crate) fn hull(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let mut all = Vec::new();
    for _ in 0..2 {
        let mut chain: Vec<[f64; 2]> = Vec::new();
        for point in &sorted {
            while let [.., a, b] = chain[..] {
                if cross(a, b, *point) > 0.0 {
                    break;
                }
                chain.pop();
            }
            chain.push(*point);
        }
        // The last point begins the other chain.
        chain.pop();
        all.extend(chain);
        sorted.reverse();
    }
    all
}

fn cross(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
}

/// Returns the area of a polygon.
pub(crate) fn polygon_area(points: &[[f64; 2]]) -> f64 {
    let edges = points.iter().zip(points.iter().cycle().skip(1));
    0.5 * edges.map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum::<f64>()
}
