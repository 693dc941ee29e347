//! One lane, and two registers side by side as if they were one: with both, two and four lanes of every machine.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::lines::{Lines, Places};
use super::traits::Lanes;
use super::wide::{WIDE, Wide};

impl Lanes for f64 {
    const WIDTH: usize = 1;
    type Mask = bool;

    #[inline(always)]
    fn splat(value: f64) -> Self {
        value
    }
    #[inline(always)]
    fn load(from: &Wide, first: usize) -> Self {
        from.0[first]
    }
    #[inline(always)]
    fn store(self, to: &mut Wide, first: usize) {
        to.0[first] = self;
    }
    #[inline(always)]
    fn root(self) -> Self {
        self.sqrt()
    }
    #[inline(always)]
    fn magnitude(self) -> Self {
        self.abs()
    }
    #[inline(always)]
    fn signed_as(self, other: Self) -> Self {
        self.copysign(other)
    }
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        if self > other { self } else { other }
    }
    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        if self < other { self } else { other }
    }
    #[inline(always)]
    fn above(self, other: Self) -> bool {
        self > other
    }
    #[inline(always)]
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }
    #[inline(always)]
    fn both(one: bool, other: bool) -> bool {
        one && other
    }
    #[inline(always)]
    fn without(one: bool, other: bool) -> bool {
        one && !other
    }
    #[inline(always)]
    fn any(mask: bool) -> bool {
        mask
    }
    #[inline(always)]
    fn gather(lines: Lines, places: &Places, first: usize) -> [Self; WIDE] {
        lines.read(places[first])
    }
    #[inline(always)]
    fn scatter(lines: Lines, places: &Places, first: usize, numbers: [Self; WIDE]) {
        lines.write(places[first], numbers);
    }
    #[inline(always)]
    fn scatter_add(lines: Lines, places: &Places, first: usize, [front, back]: [[Self; 3]; 2]) {
        let [a, b, c, d, e, f, g, h] = lines.read(places[first]);
        let ([da, db, dc], [de, df, dg]) = (front, back);
        lines.write(places[first], [a + da, b + db, c + dc, d, e + de, f + df, g + dg, h]);
    }
    #[inline(always)]
    fn gather_front(lines: Lines, places: &Places, first: usize) -> [Self; WIDE / 2] {
        let [a, b, c, d, ..] = lines.read(places[first]);
        [a, b, c, d]
    }
    #[inline(always)]
    fn scatter_add_front(lines: Lines, places: &Places, first: usize, [da, db, dc]: [Self; 3]) {
        let [a, b, c, rest @ ..] = lines.read(places[first]);
        let [d, e, f, g, h] = rest;
        lines.write(places[first], [a + da, b + db, c + dc, d, e, f, g, h]);
    }
}

/// Twice the lanes. The steps of one contact wait for each other. Those of other contacts of its batch do not, and fill the time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Twice<L>([L; 2]);

macro_rules! operators {
    ($($operator:ident $method:ident),*) => { $(
        impl<L: Lanes> $operator for Twice<L> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self([self.0[0].$method(other.0[0]), self.0[1].$method(other.0[1])])
            }
        }
    )* };
}
operators!(Add add, Sub sub, Mul mul, Div div);

/// Functions that each half has done by itself.
macro_rules! functions {
    ($($name:ident($($other:ident)?)),*) => { $(
        #[inline(always)]
        fn $name(self $(, $other: Self)?) -> Self {
            Self([self.0[0].$name($($other.0[0])?), self.0[1].$name($($other.0[1])?)])
        }
    )* };
}

impl<L: Lanes> Neg for Twice<L> {
    type Output = Self;
    functions!(neg());
}

impl<L: Lanes> Twice<L> {
    /// Returns the two halves of some numbers.
    #[inline(always)]
    fn halves<const N: usize>(numbers: [Self; N]) -> [[L; N]; 2] {
        let mut halves = [[L::splat(0.0); N]; 2];
        for (at, two) in numbers.iter().enumerate() {
            [halves[0][at], halves[1][at]] = two.0;
        }
        halves
    }

    #[inline(always)]
    fn joined<const N: usize>([one, other]: [[L; N]; 2]) -> [Self; N] {
        std::array::from_fn(|at| Self([one[at], other[at]]))
    }
}

impl<L: Lanes> Lanes for Twice<L> {
    const WIDTH: usize = 2 * L::WIDTH;
    type Mask = [L::Mask; 2];
    functions!(root(), magnitude(), signed_as(other), larger(other), smaller(other));

    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self([L::splat(value); 2])
    }
    #[inline(always)]
    fn load(from: &Wide, first: usize) -> Self {
        Self([L::load(from, first), L::load(from, first + L::WIDTH)])
    }
    #[inline(always)]
    fn store(self, to: &mut Wide, first: usize) {
        self.0[0].store(to, first);
        self.0[1].store(to, first + L::WIDTH);
    }
    #[inline(always)]
    fn above(self, other: Self) -> Self::Mask {
        [L::above(self.0[0], other.0[0]), L::above(self.0[1], other.0[1])]
    }
    #[inline(always)]
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self {
        Self([L::select(mask[0], yes.0[0], no.0[0]), L::select(mask[1], yes.0[1], no.0[1])])
    }
    #[inline(always)]
    fn both(one: Self::Mask, other: Self::Mask) -> Self::Mask {
        [L::both(one[0], other[0]), L::both(one[1], other[1])]
    }
    #[inline(always)]
    fn without(one: Self::Mask, other: Self::Mask) -> Self::Mask {
        [L::without(one[0], other[0]), L::without(one[1], other[1])]
    }
    #[inline(always)]
    fn any(mask: Self::Mask) -> bool {
        L::any(mask[0]) | L::any(mask[1])
    }
    #[inline(always)]
    fn gather(lines: Lines, places: &Places, first: usize) -> [Self; WIDE] {
        Self::joined([L::gather(lines, places, first), L::gather(lines, places, first + L::WIDTH)])
    }
    #[inline(always)]
    fn scatter(lines: Lines, places: &Places, first: usize, numbers: [Self; WIDE]) {
        let [one, other] = Self::halves(numbers);
        L::scatter(lines, places, first, one);
        L::scatter(lines, places, first + L::WIDTH, other);
    }
    #[inline(always)]
    fn scatter_add(lines: Lines, places: &Places, first: usize, [front, back]: [[Self; 3]; 2]) {
        let ([front_0, front_1], [back_0, back_1]) = (Self::halves(front), Self::halves(back));
        L::scatter_add(lines, places, first, [front_0, back_0]);
        L::scatter_add(lines, places, first + L::WIDTH, [front_1, back_1]);
    }
    #[inline(always)]
    fn gather_front(lines: Lines, places: &Places, first: usize) -> [Self; WIDE / 2] {
        Self::joined([L::gather_front(lines, places, first), L::gather_front(lines, places, first + L::WIDTH)])
    }
    #[inline(always)]
    fn scatter_add_front(lines: Lines, places: &Places, first: usize, numbers: [Self; 3]) {
        let [one, other] = Self::halves(numbers);
        L::scatter_add_front(lines, places, first, one);
        L::scatter_add_front(lines, places, first + L::WIDTH, other);
    }
}
