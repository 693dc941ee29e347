//! A vector in each lane.

use std::ops::{Add, Mul, Neg, Sub};

use super::traits::Lanes;
use super::wide::Wide;
use crate::math::Vec3;

/// A vector in each lane.
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs)] // its components
pub struct Vec3s<L> {
    pub x: L,
    pub y: L,
    pub z: L,
}

impl<L: Lanes> Vec3s<L> {
    /// Makes vectors from their components.
    #[inline(always)]
    pub fn new(x: L, y: L, z: L) -> Self {
        Self { x, y, z }
    }

    /// Reads vectors from memory.
    #[inline(always)]
    pub fn load(from: &[Wide; 3], first: usize) -> Self {
        Self { x: L::load(&from[0], first), y: L::load(&from[1], first), z: L::load(&from[2], first) }
    }

    /// Writes vectors to memory.
    #[inline(always)]
    pub fn store(self, to: &mut [Wide; 3], first: usize) {
        self.x.store(&mut to[0], first);
        self.y.store(&mut to[1], first);
        self.z.store(&mut to[2], first);
    }

    /// Returns the inner product.
    #[inline(always)]
    pub fn dot(self, other: Self) -> L {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    /// Returns the cross product.
    #[inline(always)]
    pub fn cross(self, other: Self) -> Self {
        Self {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }

    /// Returns two unit vectors that form a right-handed frame with this one; see [`crate::math::tangents`].
    #[inline(always)]
    pub fn tangents(self) -> [Self; 2] {
        let Self { x, y, z } = self;
        let one = L::splat(1.0);
        let sign = one.signed_as(z);
        let a = -one / (sign + z);
        let b = x * y * a;
        [Self::new(one + sign * x * x * a, sign * b, -sign * x), Self::new(b, sign + y * y * a, -y)]
    }

    /// Returns the product component by component.
    #[inline(always)]
    pub fn scaled(self, by: Self) -> Self {
        Self { x: self.x * by.x, y: self.y * by.y, z: self.z * by.z }
    }
}

impl From<Vec3> for Vec3s<f64> {
    #[inline(always)]
    fn from(vector: Vec3) -> Self {
        Self::new(vector.x, vector.y, vector.z)
    }
}

impl From<Vec3s<f64>> for Vec3 {
    fn from(vector: Vec3s<f64>) -> Self {
        Self::new(vector.x, vector.y, vector.z)
    }
}

impl<L: Lanes> Add for Vec3s<L> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
    }
}

impl<L: Lanes> Sub for Vec3s<L> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
    }
}

impl<L: Lanes> Neg for Vec3s<L> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self { x: -self.x, y: -self.y, z: -self.z }
    }
}

impl<L: Lanes> Mul<L> for Vec3s<L> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, by: L) -> Self {
        Self { x: self.x * by, y: self.y * by, z: self.z * by }
    }
}
