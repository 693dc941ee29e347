//! What a host says of a NURBS curve, and the checks of each number of it.

use crate::error::{Error, Result, all_finite, in_range, positive, text};
use crate::shape::checks::{LONGEST, SHORTEST, length};
use crate::visit::{Reader, State, StateVisitor, format_error};

/// The highest degree.
pub(crate) const MAX_DEGREE: usize = 5;
/// Of more samples per span none is needed: pieces are of degree 5 at most.
const MAX_SAMPLES: u32 = 64;
/// How much the weights may differ: products of four of them must stay normal numbers and keep their digits [-].
const WEIGHT_RATIO: f64 = 1e8;
/// Knots that differ have this distance at least, as a part of their range [-].
const NARROWEST_SPAN: f64 = 1e-10;
/// How far the ends of a clamped curve may be apart, as a part of its largest coordinate [-].
const CLOSED: f64 = 1e-12;

/// How a curve touches others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CurveContacts {
    /// Where the distance has a minimum.
    #[default]
    Minima,
    /// At samples of both curves.
    Knots,
}

/// A closed NURBS curve in the plane, and the prism over it. `dry_nurbs_curve_def` of the C interface documents each member.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)] // documented once, at `dry_nurbs_curve_def`
pub struct CurveDefinition {
    pub degree: u32,
    pub periodic: bool,
    pub points: Vec<[f64; 2]>,
    /// As many as points, or none: all 1.
    pub weights: Vec<f64>,
    pub knots: Vec<f64>,
    pub half_depth: f64,
    pub contacts: CurveContacts,
    pub samples_per_span: u32,
}

impl Default for CurveDefinition {
    fn default() -> Self {
        Self {
            degree: 3,
            periodic: true,
            points: Vec::new(),
            weights: Vec::new(),
            knots: Vec::new(),
            half_depth: 0.5,
            contacts: CurveContacts::Minima,
            samples_per_span: 4,
        }
    }
}

impl CurveDefinition {
    /// Visits all of it.
    pub(crate) fn visit_state(&self, visitor: &mut impl StateVisitor) {
        let Self { degree, periodic, points, weights, knots, half_depth, contacts, samples_per_span } = self;
        visitor.half(*degree);
        visitor.flag(*periodic);
        visitor.length(points.len());
        visitor.numbers(points.as_flattened());
        visitor.length(weights.len());
        visitor.numbers(weights);
        visitor.length(knots.len());
        visitor.numbers(knots);
        visitor.numbers([half_depth]);
        visitor.flag(*contacts == CurveContacts::Knots);
        visitor.half(*samples_per_span);
    }

    /// Reads what [`CurveDefinition::visit_state`] visits.
    ///
    /// # Errors
    ///
    /// Memory is exhausted, or the bytes are none of a curve.
    pub(crate) fn load(reader: &mut Reader) -> Result<Self> {
        let (degree, periodic) = (reader.half()?, reader.flag()?);
        let points = reader.sequence("points", size_of::<[f64; 2]>(), <[f64; 2]>::read)?;
        let weights = reader.sequence("weights", size_of::<f64>(), Reader::number)?;
        let knots = reader.sequence("knots", size_of::<f64>(), Reader::number)?;
        if weights.len() != points.len() {
            return Err(format_error("a curve has not a weight for each point"));
        }
        let half_depth = reader.number()?;
        let contacts = if reader.flag()? { CurveContacts::Knots } else { CurveContacts::Minima };
        let samples_per_span = reader.half()?;
        Ok(Self { degree, periodic, points, weights, knots, half_depth, contacts, samples_per_span })
    }

    /// Refuses numbers out of range, and counts and knots that make no closed curve.
    pub(super) fn check(&self) -> Result<()> {
        let degree = f64::from(self.degree);
        in_range("degree", degree, (1..=MAX_DEGREE as u32).contains(&self.degree), "a number from 1 to 5")?;
        length("half_depth", self.half_depth)?;
        let samples = f64::from(self.samples_per_span);
        let expected = "a number from 1 to 64";
        in_range("samples_per_span", samples, (1..=MAX_SAMPLES).contains(&self.samples_per_span), expected)?;
        self.check_counts()?;
        self.check_points()?;
        self.check_weights()?;
        self.check_knots()
    }

    fn check_counts(&self) -> Result<()> {
        let (points, knots, degree) = (self.points.len(), self.knots.len(), self.degree as usize);
        // A clamped curve has its first point twice.
        let (fewest, expected) =
            if self.periodic { (3, points + 1) } else { ((degree + 1).max(4), points + degree + 1) };
        if points < fewest {
            return Err(Error::argument(text!("point_count is {points}, expected at least {fewest}")));
        }
        if points > u32::MAX as usize / 8 {
            return Err(Error::argument(text!("point_count is {points}, expected at most {}", u32::MAX / 8)));
        }
        if knots != expected {
            let kind = if self.periodic { "periodic" } else { "clamped" };
            return Err(Error::argument(text!(
                "knot_count is {knots}, expected {expected} of a {kind} curve of degree {degree} with {points} points"
            )));
        }
        if !self.weights.is_empty() && self.weights.len() != points {
            let weights = self.weights.len();
            return Err(Error::argument(text!("weights has {weights} numbers, expected {points}, one for each point")));
        }
        Ok(())
    }

    fn check_points(&self) -> Result<()> {
        let values = self.points.as_flattened();
        all_finite("points_xy", values)?;
        if let Some((index, value)) = values.iter().enumerate().find(|(_, value)| value.abs() > LONGEST) {
            in_range(&text!("points_xy[{index}]"), *value, false, "a coordinate within 1e50 of 0")?;
        }
        let largest = values.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
        in_range("the largest number in points_xy", largest, largest >= SHORTEST, "1e-50 or more")?;
        let (Some(first), Some(last)) = (self.points.first(), self.points.last()) else { return Ok(()) };
        let apart = (first[0] - last[0]).abs().max((first[1] - last[1]).abs());
        if !self.periodic && apart > CLOSED * largest {
            return Err(Error::argument(text!(
                "points_xy begins at {first:?} and ends at {last:?}, expected the same point, as the curve is clamped"
            )));
        }
        Ok(())
    }

    fn check_weights(&self) -> Result<()> {
        for (index, weight) in self.weights.iter().enumerate() {
            positive(&text!("weights[{index}]"), *weight)?;
        }
        let smallest = self.weights.iter().fold(f64::INFINITY, |smallest, weight| smallest.min(*weight));
        let largest = self.weights.iter().fold(0.0, |largest: f64, weight| largest.max(*weight));
        if largest > WEIGHT_RATIO * smallest {
            return Err(Error::argument(text!(
                "weights are from {smallest:e} to {largest:e}, expected a ratio of at most 1e8"
            )));
        }
        Ok(())
    }

    fn check_knots(&self) -> Result<()> {
        all_finite("knots", &self.knots)?;
        let (Some(first), Some(last)) = (self.knots.first(), self.knots.last()) else { return Ok(()) };
        let range = last - first;
        let holds = range >= SHORTEST && first.abs() <= LONGEST && last.abs() <= LONGEST;
        in_range("the range of knots", range, holds, "a range between 1e-50 and 1e50")?;
        let mut pairs = (1..).zip(self.knots.windows(2));
        if let Some((at, pair)) = pairs.find(|(_, pair)| {
            let step = pair[1] - pair[0];
            step < 0.0 || step > 0.0 && step < NARROWEST_SPAN * range
        }) {
            let (before, value) = (pair[0], pair[1]);
            return Err(Error::argument(text!(
                "knots[{at}] is {value} after {before}, expected the same or more by 1e-10 of the range of {range}"
            )));
        }
        self.check_multiplicity()
    }

    /// A knot may be repeated as often as the degree says: once more, and the curve would not be connected there.
    fn check_multiplicity(&self) -> Result<()> {
        let (degree, knots) = (self.degree as usize, self.knots.as_slice());
        let (Some(first), Some(last)) = (knots.first(), knots.last()) else { return Ok(()) };
        let count = |value: &f64| knots.iter().filter(|knot| *knot == value).count();
        let refuse = |value: f64, found: usize, expected: &str| {
            Err(Error::argument(text!("knots has {value} {found} times, expected {expected} of degree {degree}")))
        };
        if self.periodic {
            // The first and the last knot are one.
            let found = count(first) + count(last) - 1;
            if found > degree {
                return refuse(*first, found, &text!("it, counted over both ends, at most {degree} times"));
            }
        } else if let Some(end) = [first, last].into_iter().find(|end| count(end) != degree + 1) {
            return refuse(*end, count(end), &text!("it {} times at this end, as the curve is clamped", degree + 1));
        }
        let mut run = 1;
        for pair in knots.windows(2) {
            run = if pair[0] == pair[1] { run + 1 } else { 1 };
            if run > degree && pair[0] != *first && pair[0] != *last {
                return refuse(pair[0], run, &text!("it at most {degree} times"));
            }
        }
        Ok(())
    }
}
