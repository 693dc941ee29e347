//! The broad phase in a periodic box, against all images of all pairs tried one by one.

use super::boxes::{Boxes, Proxy, Random, compare, cube, pairs};
use crate::collide::{Neighbours, ProxySource};
use crate::math::{Aabb, Period, Vec3};

struct InBox<'a> {
    boxes: Boxes<'a>,
    period: Period,
}

impl ProxySource for InBox<'_> {
    fn slots(&self) -> usize {
        self.boxes.slots()
    }

    fn bounds(&self, slot: u32) -> Option<Aabb> {
        self.boxes.bounds(slot)
    }

    fn unbounded(&self) -> &[u32] {
        &[]
    }

    fn admits(&self, one: u32, other: u32) -> bool {
        self.boxes.admits(one, other)
    }

    fn period(&self) -> Period {
        self.period
    }
}

/// The pairs of which any images overlap. Bodies are at most some periods from the box.
fn brute_force(bodies: &[Proxy], period: &Period) -> Vec<(u32, u32)> {
    let steps = |axis: usize| if period.lengths()[axis] > 0.0 { -8..=8 } else { 0..=0 };
    let overlap = |one: &Aabb, other: &Aabb, axis: usize| {
        steps(axis).any(|step| {
            let shift = f64::from(step) * period.lengths()[axis];
            one.lower[axis] + shift <= other.upper[axis] && other.lower[axis] <= one.upper[axis] + shift
        })
    };
    let mut pairs = Vec::new();
    for (a, one) in (0..).zip(bodies).filter(|(_, body)| body.bounded) {
        for (b, other) in (0..).zip(bodies).skip(a as usize + 1).filter(|(_, body)| body.bounded) {
            if one.filter.admits(&other.filter) && (0..3).all(|axis| overlap(&one.bounds, &other.bounds, axis)) {
                pairs.push((a, b));
            }
        }
    }
    pairs
}

/// A body anywhere within three periods of the box, at most as large as the least side. If few are large, three of four are
/// smaller by a factor of 0.3.
fn anything(random: &mut Random, sides: [f64; 3], few_are_large: bool) -> Proxy {
    let shortest = sides.iter().fold(f64::INFINITY, |shortest, side| shortest.min(*side));
    let is_large = !few_are_large || random.word().is_multiple_of(4);
    let size = random.magnitude(0.1, 1.0) * shortest * if is_large { 1.0 } else { 0.3 };
    Proxy { bounded: !random.word().is_multiple_of(9), ..cube(random.place(sides.map(|side| 3.0 * side)), size) }
}

#[test]
fn pairs_of_all_images_are_found_once() {
    let boxes = [[3.0, 3.0, 3.0], [2.0, 5.0, 0.0], [0.0, 0.0, 4.0], [1.0, 0.0, 2.0]];
    for (lengths, few) in boxes.into_iter().flat_map(|lengths| [(lengths, false), (lengths, true)]) {
        let period = Period::new(lengths).expect("a box");
        let shortest = lengths.into_iter().filter(|length| *length > 0.0).fold(f64::INFINITY, f64::min);
        let sides = lengths.map(|length| if length > 0.0 { length } else { shortest / 3.0 });
        let mut random = Random(31);
        let mut bodies: Vec<Proxy> = (0..250).map(|_| anything(&mut random, sides, few)).collect();
        let (mut kept, mut fresh, mut workspace) = (Neighbours::default(), Neighbours::default(), Vec::new());
        kept.rebuild(&InBox { boxes: Boxes(&bodies), period }, &mut workspace).expect("memory");
        for round in 0..30 {
            let expected = brute_force(&bodies, &period);
            assert!(expected.len() > if few { 20 } else { 60 }, "{} pairs", expected.len());
            compare(&format!("{lengths:?}, kept, round {round}"), &pairs(&kept), &expected);
            let boxes = InBox { boxes: Boxes(&bodies), period };
            fresh.rebuild(&boxes, &mut workspace).expect("memory");
            compare(&format!("{lengths:?}, anew, round {round}"), &pairs(&fresh), &expected);
            let mut moved: Vec<u32> = (0..20).map(|_| (random.word() % bodies.len() as u64) as u32).collect();
            moved.sort_unstable();
            moved.dedup();
            moved.iter().for_each(|slot| bodies[*slot as usize] = anything(&mut random, sides, few));
            kept.update(&InBox { boxes: Boxes(&bodies), period }, &moved, &mut workspace).expect("memory");
        }
    }
}

#[test]
fn bodies_that_touch_exactly_across_a_side() {
    // Eight cubes that fill a box of 2, face to face: each touches the other seven, most in several images.
    let period = Period::new([2.0; 3]).expect("a box");
    let places = (0..8).map(|k| Vec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2)));
    let bodies: Vec<Proxy> = places.map(|place| cube(place, 1.0)).collect();
    let mut neighbours = Neighbours::default();
    neighbours.rebuild(&InBox { boxes: Boxes(&bodies), period }, &mut Vec::new()).expect("memory");
    assert_eq!(pairs(&neighbours).len(), 28);
}
