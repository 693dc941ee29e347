//! Tests of this room, one file for each source.

mod loads;
mod material;
mod memory;
mod state;
mod touch;
mod touches;
mod visit;

use crate::contact::{Found, Spot, Touches};
use crate::math::Vec3;

/// A contact of two bodies as far as finding it again goes.
#[derive(Debug, Clone)]
struct Point {
    pair: (u32, u32),
    key: u64,
    feature: u64,
    local: Vec3,
}

/// A contact as detection hands it over.
fn point(body_a: u32, body_b: u32, feature: u64, x: f64) -> Point {
    Point { pair: (body_a, body_b), key: 0, feature, local: Vec3::new(x, 0.0, 0.0) }
}

/// The contacts of a step; what no test sets is NaN.
fn touches(points: &[Point]) -> Touches {
    let (mut all, unset) = (Touches::default(), Vec3::repeat(f64::NAN));
    for Point { pair, key, feature, local } in points {
        let (feature, local) = (*feature, *local);
        let spot = Spot { feature, local, gap: f64::NAN, normal: unset, arm_a: unset, arm_b: unset, ..Spot::NONE };
        all.push(*pair, *key, Some(&Spot { point: unset, radius: f64::NAN, ..spot }));
    }
    all
}

/// Contacts as the points that they were made of.
fn points(all: &Touches) -> Vec<Point> {
    let local = |found: &Found| all.spot(found).map_or(Vec3::repeat(f64::NAN), |spot| spot.local);
    let of =
        |found: &Found| Point { pair: found.pair(), key: found.key, feature: all.feature(found), local: local(found) };
    all.found.iter().map(of).collect()
}
