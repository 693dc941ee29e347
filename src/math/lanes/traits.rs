//! What a kernel is written over: lanes, and the kernel itself.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::lines::{Lines, Places};
use super::wide::{WIDE, Wide};

/// A piece of work written over lanes.
pub trait Kernel {
    /// Its result.
    type Output;

    /// Does the work. Must be `#[inline(always)]`, as everything that it calls with lanes, or it is slow.
    fn run<L: Lanes>(self) -> Self::Output;
}

/// Some lanes of a [`Wide`]: [`Lanes::WIDTH`] of them from `first` on.
pub trait Lanes:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// The number of lanes; it divides [`WIDE`].
    const WIDTH: usize;
    /// A condition for each lane.
    type Mask: Copy;

    /// Returns one value in all lanes.
    fn splat(value: f64) -> Self;
    /// Reads lanes from memory.
    fn load(from: &Wide, first: usize) -> Self;
    /// Writes lanes to memory.
    fn store(self, to: &mut Wide, first: usize);
    /// Returns the square root.
    fn root(self) -> Self;
    /// Returns the absolute value.
    fn magnitude(self) -> Self;
    /// Returns the value with the sign of `other`, that of a zero included.
    fn signed_as(self, other: Self) -> Self;
    /// Returns the larger value, or `other` where either is NaN or both are equal.
    fn larger(self, other: Self) -> Self;
    /// Returns the smaller value, or `other` where either is NaN or both are equal.
    fn smaller(self, other: Self) -> Self;
    /// Returns where the value is above `other`; NaN is above nothing.
    fn above(self, other: Self) -> Self::Mask;
    /// Returns `yes` where the mask holds, else `no`.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// Returns where both hold.
    fn both(one: Self::Mask, other: Self::Mask) -> Self::Mask;
    /// Returns where `one` holds and `other` does not.
    fn without(one: Self::Mask, other: Self::Mask) -> Self::Mask;
    /// Returns whether the mask holds in any lane.
    fn any(mask: Self::Mask) -> bool;
    /// Reads the lines at `places`, transposed: the first number of each, the second of each, and so on.
    fn gather(lines: Lines, places: &Places, first: usize) -> [Self; WIDE];
    /// Writes the lines at `places`, transposed, except read-only ones.
    fn scatter(lines: Lines, places: &Places, first: usize, numbers: [Self; WIDE]);
    /// Adds to three numbers of each half of the lines at `places`, except read-only ones.
    fn scatter_add(lines: Lines, places: &Places, first: usize, numbers: [[Self; 3]; 2]);
    /// Reads the first halves of the lines at `places`, transposed.
    fn gather_front(lines: Lines, places: &Places, first: usize) -> [Self; WIDE / 2];
    /// Adds to the first three numbers of the lines at `places`, except read-only ones.
    fn scatter_add_front(lines: Lines, places: &Places, first: usize, numbers: [Self; 3]);
}
