//! One lane and two, as every machine has them.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::line_index::Places;
use super::lines::Lines;
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
    fn pick(mask: bool, yes: Self, no: Self) -> Self {
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

/// Two doubles: every machine has vectors of two, and compilers need no telling.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair(f64, f64);

macro_rules! pairwise {
    ($($operator:ident $method:ident),*) => { $(
        impl $operator for Pair {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self($operator::$method(self.0, other.0), $operator::$method(self.1, other.1))
            }
        }
    )* };
}
pairwise!(Add add, Sub sub, Mul mul, Div div);

impl Neg for Pair {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0, -self.1)
    }
}

impl Lanes for Pair {
    const WIDTH: usize = 2;
    type Mask = (bool, bool);

    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self(value, value)
    }
    #[inline(always)]
    fn load(from: &Wide, first: usize) -> Self {
        Self(from.0[first], from.0[first + 1])
    }
    #[inline(always)]
    fn store(self, to: &mut Wide, first: usize) {
        (to.0[first], to.0[first + 1]) = (self.0, self.1);
    }
    #[inline(always)]
    fn root(self) -> Self {
        Self(self.0.sqrt(), self.1.sqrt())
    }
    #[inline(always)]
    fn magnitude(self) -> Self {
        Self(self.0.abs(), self.1.abs())
    }
    #[inline(always)]
    fn signed_as(self, other: Self) -> Self {
        Self(self.0.copysign(other.0), self.1.copysign(other.1))
    }
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        Self(self.0.larger(other.0), self.1.larger(other.1))
    }
    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        Self(self.0.smaller(other.0), self.1.smaller(other.1))
    }
    #[inline(always)]
    fn above(self, other: Self) -> Self::Mask {
        (self.0 > other.0, self.1 > other.1)
    }
    #[inline(always)]
    fn pick(mask: Self::Mask, yes: Self, no: Self) -> Self {
        Self(f64::pick(mask.0, yes.0, no.0), f64::pick(mask.1, yes.1, no.1))
    }
    #[inline(always)]
    fn both(one: Self::Mask, other: Self::Mask) -> Self::Mask {
        (one.0 && other.0, one.1 && other.1)
    }
    #[inline(always)]
    fn without(one: Self::Mask, other: Self::Mask) -> Self::Mask {
        (one.0 && !other.0, one.1 && !other.1)
    }
    #[inline(always)]
    fn any(mask: Self::Mask) -> bool {
        mask.0 || mask.1
    }
    #[inline(always)]
    fn gather(lines: Lines, places: &Places, first: usize) -> [Self; WIDE] {
        let (one, other) = (f64::gather(lines, places, first), f64::gather(lines, places, first + 1));
        std::array::from_fn(|number| Self(one[number], other[number]))
    }
    #[inline(always)]
    fn scatter(lines: Lines, places: &Places, first: usize, numbers: [Self; WIDE]) {
        lines.write(places[first], numbers.map(|pair| pair.0));
        lines.write(places[first + 1], numbers.map(|pair| pair.1));
    }
    #[inline(always)]
    fn scatter_add(lines: Lines, places: &Places, first: usize, numbers: [[Self; 3]; 2]) {
        f64::scatter_add(lines, places, first, numbers.map(|half| half.map(|pair| pair.0)));
        f64::scatter_add(lines, places, first + 1, numbers.map(|half| half.map(|pair| pair.1)));
    }
    #[inline(always)]
    fn gather_front(lines: Lines, places: &Places, first: usize) -> [Self; WIDE / 2] {
        let (one, other) = (f64::gather_front(lines, places, first), f64::gather_front(lines, places, first + 1));
        std::array::from_fn(|number| Self(one[number], other[number]))
    }
    #[inline(always)]
    fn scatter_add_front(lines: Lines, places: &Places, first: usize, numbers: [Self; 3]) {
        f64::scatter_add_front(lines, places, first, numbers.map(|pair| pair.0));
        f64::scatter_add_front(lines, places, first + 1, numbers.map(|pair| pair.1));
    }
}
