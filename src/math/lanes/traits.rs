//! What a kernel is written over: lanes, and the kernel itself.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::lines::Lines;
use super::wide::{Places, WIDE, Wide};

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
