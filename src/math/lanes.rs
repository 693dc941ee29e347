//! Several doubles side by side: one source for one lane and for many, the same bits on every machine.
//!
//! A kernel is written once over [`Lanes`]. One lane is an `f64`; a register of every machine holds two, of AVX2 four, of AVX-512
//! eight, and where it holds fewer than eight, two registers go side by side (`twice`). Which of them runs is found out once, when
//! the library is used ([`Level::best`]). Lanes do not see each other, every operation rounds as IEEE 754 says, and nothing is
//! contracted to a fused multiply-add: so the results do not depend on the width.

mod machine;
mod portable;
mod twice;

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::Vec3;

use machine::prefetch;
pub use machine::{Lines, dispatch};

/// Asks for all lines of the cache that hold this one of some values, soon and near; for nothing of use where there is none.
#[inline(always)]
pub fn prefetch_one_of<T>(values: &[T], at: usize) {
    prefetch_all_of::<true, T>(values.as_ptr().wrapping_add(at), size_of::<T>());
}

/// The same for this value.
#[inline(always)]
pub fn prefetch_value<T>(value: &T) {
    prefetch_all_of::<true, T>(value, size_of::<T>());
}

/// The same for the first `bytes` of a value of many lines: not so near.
#[inline(always)]
pub fn prefetch_front_of_one_of<T>(values: &[T], at: usize, bytes: usize) {
    prefetch_all_of::<false, T>(values.as_ptr().wrapping_add(at), bytes);
}

#[inline(always)]
fn prefetch_all_of<const NEAR: bool, T>(value: *const T, bytes: usize) {
    let start: *const u8 = value.cast();
    for byte in (0..bytes).step_by(64) {
        prefetch::<NEAR, _>(start.wrapping_add(byte));
    }
}

/// How many doubles stand side by side in memory, whatever the width of the machine.
pub const WIDE: usize = 8;

/// [`WIDE`] doubles: one line of the cache.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[repr(C, align(64))]
pub struct Wide(pub [f64; WIDE]);

impl Wide {
    /// All alike.
    pub const fn splat(value: f64) -> Self {
        Self([value; WIDE])
    }
}

/// Puts a vector into a lane.
#[inline(always)]
pub fn put(to: &mut [Wide; 3], lane: usize, vector: &Vec3) {
    for (wide, value) in to.iter_mut().zip(vector.iter()) {
        wide.0[lane] = *value;
    }
}

/// The vector in a lane.
#[inline(always)]
pub fn take(from: &[Wide; 3], lane: usize) -> Vec3 {
    Vec3::new(from[0].0[lane], from[1].0[lane], from[2].0[lane])
}

/// The places of [`WIDE`] lines, for [`Lanes::gather`]. With the bit [`KEPT`] a line is read and never written.
pub type Places = [u32; WIDE];

/// Of a place: the line is read only, so that many may read it at once.
pub const KEPT: u32 = 1 << 31;

/// What the machine can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// What every machine of its kind can: twice two lanes.
    Baseline,
    /// Twice four lanes.
    Avx2,
    /// Eight.
    Avx512,
}

impl Default for Level {
    fn default() -> Self {
        Self::best()
    }
}

/// A piece of work written over lanes.
pub trait Kernel {
    /// What comes of it.
    type Output;

    /// Does it. Must be `#[inline(always)]`, as everything that it calls with lanes, or it is slow.
    fn run<L: Lanes>(self) -> Self::Output;
}

/// Some lanes of a [`Wide`]: [`Lanes::WIDTH`] of them from `first` on.
pub trait Lanes:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// How many; divides [`WIDE`].
    const WIDTH: usize;
    /// Yes or no for each lane.
    type Mask: Copy;

    /// All alike.
    fn splat(value: f64) -> Self;
    /// Out of memory.
    fn load(from: &Wide, first: usize) -> Self;
    /// Into memory.
    fn store(self, to: &mut Wide, first: usize);
    /// The square root.
    fn root(self) -> Self;
    /// Without its sign.
    fn magnitude(self) -> Self;
    /// With the sign of `other`, that of a zero included.
    fn signed_as(self, other: Self) -> Self;
    /// The larger one; `other` where either is no number, or both are alike.
    fn larger(self, other: Self) -> Self;
    /// The smaller one; `other` where either is no number, or both are alike.
    fn smaller(self, other: Self) -> Self;
    /// Where it is above `other`; nowhere where either is no number.
    fn above(self, other: Self) -> Self::Mask;
    /// `yes` where the mask holds, else `no`.
    fn pick(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// Where both hold.
    fn both(one: Self::Mask, other: Self::Mask) -> Self::Mask;
    /// Where `one` holds and `other` does not.
    fn without(one: Self::Mask, other: Self::Mask) -> Self::Mask;
    /// Whether it holds anywhere.
    fn any(mask: Self::Mask) -> bool;
    /// The lines at `places`, transposed: the first number of each, the second of each, and so on.
    fn gather(lines: Lines, places: &Places, first: usize) -> [Self; WIDE];
    /// Writes the lines at `places`, transposed, but for lines that are kept.
    fn scatter(lines: Lines, places: &Places, first: usize, numbers: [Self; WIDE]);
    /// Adds to three numbers of each half of the lines at `places`, but for lines that are kept.
    fn scatter_add(lines: Lines, places: &Places, first: usize, numbers: [[Self; 3]; 2]);
    /// The first halves of the lines at `places`, transposed.
    fn gather_front(lines: Lines, places: &Places, first: usize) -> [Self; WIDE / 2];
    /// Adds to the first three numbers of the lines at `places`, but for lines that are kept.
    fn scatter_add_front(lines: Lines, places: &Places, first: usize, numbers: [Self; 3]);
}

/// A vector in each lane.
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs)] // its components
pub struct Vec3s<L> {
    pub x: L,
    pub y: L,
    pub z: L,
}

impl<L: Lanes> Vec3s<L> {
    /// From its components.
    #[inline(always)]
    pub fn new(x: L, y: L, z: L) -> Self {
        Self { x, y, z }
    }

    /// Out of memory.
    #[inline(always)]
    pub fn load(from: &[Wide; 3], first: usize) -> Self {
        Self { x: L::load(&from[0], first), y: L::load(&from[1], first), z: L::load(&from[2], first) }
    }

    /// Into memory.
    #[inline(always)]
    pub fn store(self, to: &mut [Wide; 3], first: usize) {
        self.x.store(&mut to[0], first);
        self.y.store(&mut to[1], first);
        self.z.store(&mut to[2], first);
    }

    /// The inner product.
    #[inline(always)]
    pub fn dot(self, other: Self) -> L {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    /// The cross product.
    #[inline(always)]
    pub fn cross(self, other: Self) -> Self {
        Self {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }

    /// Two unit vectors that form a right-handed frame with this one; see [`crate::math::tangents`].
    #[inline(always)]
    pub fn tangents(self) -> [Self; 2] {
        let Self { x, y, z } = self;
        let one = L::splat(1.0);
        let sign = one.signed_as(z);
        let a = -one / (sign + z);
        let b = x * y * a;
        [Self::new(one + sign * x * x * a, sign * b, -sign * x), Self::new(b, sign + y * y * a, -y)]
    }

    /// Component by component.
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
