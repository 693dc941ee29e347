//! Points on a lattice of integers, where it is exact on which side of a plane a point lies.
//!
//! Each axis is scaled by a power of two, so that the points span 2^60 to 2^61 units along it, and coordinates are rounded to
//! whole units. That moves a point by less than 3e-19 of the extent of all points along the axis. A convex hull keeps its
//! corners when an axis is scaled, so a thin hull is as precise as a round one.

use std::cmp::Ordering;

use crate::error::{Result, collected};
use crate::math::Vec3;
use crate::math::elementary::power_of_two;

/// The exponent of two of the extent of the points along each axis, in units.
const EXTENT: i32 = 60;
/// The factor from the sum of the products in a plane's normal to the error of a height above it, in units. The error
/// is that of 32 roundings of 2^-53, with coordinates of up to 2^61.
const ROUND_OFF: f64 = (1u64 << (5 - 53 + EXTENT + 1)) as f64;
/// Bits of the lower part of a [`Wide`].
const LOW_BITS: u32 = 62;

/// An integer of up to 250 bits, `high * 2^62 + low` with `0 <= low < 2^62`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::shape) struct Wide {
    high: i128,
    low: i128,
}

impl Wide {
    /// Returns the sum of the products of numbers below 2^124 and numbers below 2^62.
    fn dot(vector: [i128; 3], other: [i64; 3]) -> Self {
        let mask = (1i128 << LOW_BITS) - 1;
        let (mut high, mut low) = (0, 0);
        for (entry, factor) in vector.into_iter().zip(other) {
            high += (entry >> LOW_BITS) * i128::from(factor);
            low += (entry & mask) * i128::from(factor);
        }
        Self { high: high + (low >> LOW_BITS), low: low & mask }
    }

    pub(in crate::shape) fn zero() -> Self {
        Self { high: 0, low: 0 }
    }

    pub(in crate::shape) fn plus(self, other: Self) -> Self {
        let low = self.low + other.low;
        Self { high: self.high + other.high + (low >> LOW_BITS), low: low & ((1 << LOW_BITS) - 1) }
    }

    fn sign(self) -> Ordering {
        self.high.cmp(&0).then(self.low.cmp(&0))
    }

    /// Returns the nearest number, to a few roundings.
    pub(in crate::shape) fn value(self) -> f64 {
        if self.high.abs() < 1 << LOW_BITS {
            return ((self.high << LOW_BITS) + self.low) as f64;
        }
        self.high as f64 * (1u64 << LOW_BITS) as f64 + self.low as f64
    }
}

/// The plane through three points of a lattice, rounded, with a bound of the error.
#[derive(Debug, Clone, Copy)]
pub(in crate::shape) struct Plane {
    /// Counterclockwise as seen from above.
    corners: [u32; 3],
    normal: [f64; 3],
    offset: f64,
    /// Heights with a larger magnitude have the right sign.
    error: f64,
}

/// Points rounded to a lattice.
#[derive(Debug)]
pub(in crate::shape) struct Lattice {
    points: Vec<[i64; 3]>,
    /// The same numbers, rounded to doubles.
    rounded: Vec<[f64; 3]>,
    /// The place of the lattice's origin [m].
    origin: Vec3,
    /// The lengths of the units [m].
    units: Vec3,
}

impl Lattice {
    /// Rounds points that span a volume. Points with different coordinates may become one.
    pub(in crate::shape) fn new(points: &[Vec3], what: &str) -> Result<Self> {
        let (mut lower, mut upper) = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
        for point in points {
            lower = lower.inf(point);
            upper = upper.sup(point);
        }
        // The exponent of the extent along each axis, which is a normal number.
        let exponents: [i32; 3] =
            std::array::from_fn(|axis| ((upper[axis] - lower[axis]).to_bits() >> 52) as i32 - 1023);
        let scales = exponents.map(|exponent| power_of_two(EXTENT - exponent));
        let whole = |axis: usize, value: f64| (value * scales[axis]).round() as i128;
        let place =
            |point: &Vec3| std::array::from_fn(|axis| (whole(axis, point[axis]) - whole(axis, lower[axis])) as i64);
        let points = collected(points.iter().map(place), what)?;
        let rounded = collected(points.iter().map(|point| point.map(|value| value as f64)), what)?;
        let units = Vec3::from(exponents.map(|exponent| power_of_two(exponent - EXTENT)));
        Ok(Self { points, rounded, origin: lower, units })
    }

    /// Returns the number of points.
    pub(in crate::shape) fn len(&self) -> usize {
        self.points.len()
    }

    /// Returns the lengths of the units [m].
    pub(in crate::shape) fn units(&self) -> Vec3 {
        self.units
    }

    /// Returns a point of the lattice as doubles [units].
    pub(in crate::shape) fn rounded(&self, index: u32) -> Vec3 {
        Vec3::from(self.rounded[index as usize])
    }

    /// Returns the number of the cell of a point along the Morton curve, with 1024 cells along each axis.
    pub(in crate::shape) fn cell(&self, index: u32) -> u32 {
        let bits = |value: i64| {
            // Spreads ten bits, two zeros between each.
            let bits = (value >> (EXTENT - 9)) as u32 & 0x3ff;
            let bits = (bits | bits << 16) & 0x0300_00ff;
            let bits = (bits | bits << 8) & 0x0300_f00f;
            let bits = (bits | bits << 4) & 0x030c_30c3;
            (bits | bits << 2) & 0x0924_9249
        };
        let [x, y, z] = self.points[index as usize];
        bits(x) | bits(y) << 1 | bits(z) << 2
    }

    /// Returns a point that is about in the middle of some others.
    pub(in crate::shape) fn middle(&self, corners: &[u32]) -> [i64; 3] {
        let sum =
            |axis: usize| corners.iter().map(|corner| i128::from(self.points[*corner as usize][axis])).sum::<i128>();
        [0, 1, 2].map(|axis| (sum(axis) / corners.len().max(1) as i128) as i64)
    }

    /// Returns where a point of the lattice is [m].
    pub(in crate::shape) fn place(&self, point: [i64; 3]) -> Vec3 {
        self.origin + self.units.component_mul(&Vec3::from(point.map(|value| value as f64)))
    }

    /// Returns the vector from `origin` to a point [m].
    pub(in crate::shape) fn arm(&self, origin: [i64; 3], index: u32) -> Vec3 {
        let arm = difference(self.points[index as usize], origin);
        self.units.component_mul(&Vec3::from(arm.map(|value| value as f64)))
    }

    /// Returns six times the volume of the tetrahedron between `apex` and three points, which are counterclockwise as seen
    /// from the side of `apex` where that is negative [cubic units].
    pub(in crate::shape) fn volume(&self, corners: [u32; 3], apex: [i64; 3]) -> Wide {
        let [a, b, c] = corners.map(|corner| difference(self.points[corner as usize], apex));
        Wide::dot(cross(a, b), c)
    }

    /// Returns a vector across a triangle, as long as its area up to one factor for all triangles of the lattice. Its direction is
    /// right to a few roundings also if the triangle is very narrow.
    pub(in crate::shape) fn area(&self, corners: [u32; 3]) -> Vec3 {
        let [a, b, c] = corners.map(|corner| self.points[corner as usize]);
        let [x, y, z] = (self.units / self.units.max()).into();
        let vector = Vec3::from(cross(difference(b, a), difference(c, a)).map(|value| value as f64));
        vector.component_mul(&Vec3::new(y * z, z * x, x * y))
    }

    /// Returns the plane through three points.
    pub(in crate::shape) fn plane(&self, corners: [u32; 3]) -> Plane {
        let [a, b, c] = corners.map(|corner| self.points[corner as usize]);
        let (u, v) = (difference(b, a).map(|value| value as f64), difference(c, a).map(|value| value as f64));
        let products = |axis: usize| {
            let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
            (u[next] * v[last], u[last] * v[next])
        };
        let normal: [f64; 3] = std::array::from_fn(|axis| products(axis).0 - products(axis).1);
        let magnitudes: [f64; 3] = std::array::from_fn(|axis| products(axis).0.abs() + products(axis).1.abs());
        let error = (magnitudes[0] + magnitudes[1] + magnitudes[2]) * ROUND_OFF;
        Plane { corners, normal, offset: dot(&normal, &self.rounded[corners[0] as usize]), error }
    }

    /// Returns whether a point is above a plane, in it or below it. Exact.
    #[inline]
    pub(in crate::shape) fn side(&self, plane: &Plane, index: u32) -> Ordering {
        let height = dot(&plane.normal, &self.rounded[index as usize]) - plane.offset;
        if height > plane.error {
            Ordering::Greater
        } else if height < -plane.error {
            Ordering::Less
        } else {
            self.exact_side(plane.corners, index)
        }
    }

    #[cold]
    fn exact_side(&self, corners: [u32; 3], index: u32) -> Ordering {
        let [a, b, c] = corners.map(|corner| self.points[corner as usize]);
        let point = self.points[index as usize];
        Wide::dot(cross(difference(b, a), difference(c, a)), difference(point, a)).sign()
    }
}

fn difference(a: [i64; 3], b: [i64; 3]) -> [i64; 3] {
    std::array::from_fn(|axis| a[axis] - b[axis])
}

fn cross(a: [i64; 3], b: [i64; 3]) -> [i128; 3] {
    let (a, b) = (a.map(i128::from), b.map(i128::from));
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[inline]
fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
