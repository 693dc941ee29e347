//! Tests of this room, one file for each source.

mod anchor;
mod impulse_cache;
mod material;
mod memory;
mod record;
mod record_visit;
mod state;

use crate::contact::{ContactGeometry, ContactList, ContactRecord};
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
fn contact_list(points: &[Point]) -> ContactList {
    let (mut all, unset) = (ContactList::default(), Vec3::repeat(f64::NAN));
    for Point { pair, key, feature, local } in points {
        let (feature, local) = (*feature, *local);
        let geometry = ContactGeometry {
            feature,
            local,
            gap: f64::NAN,
            normal: unset,
            arm_a: unset,
            arm_b: unset,
            ..ContactGeometry::default()
        };
        all.push(*pair, *key, Some(&ContactGeometry { point: unset, radius: f64::NAN, ..geometry }));
    }
    all
}

/// Contacts as the points that they were made of.
fn points(all: &ContactList) -> Vec<Point> {
    let local = |found: &ContactRecord| {
        found.geometry(&all.geometries).map_or(Vec3::repeat(f64::NAN), |geometry| geometry.local)
    };
    let of = |found: &ContactRecord| Point {
        pair: found.pair(),
        key: found.key,
        feature: found.feature(&all.geometries),
        local: local(found),
    };
    all.records.iter().map(of).collect()
}
