//! Tests of this room, one file for each source; those of `math/mod.rs` stand here.

mod elementary;
mod frame;
mod lanes;
mod rotation;
mod semidefinite;
mod symmetric;

use crate::math::{Aabb, Vec3};

fn unit_box_at(lower: Vec3) -> Aabb {
    Aabb { lower, upper: lower + Vec3::repeat(1.0) }
}

#[test]
fn boxes_that_share_a_face_an_edge_or_a_corner_overlap() {
    let still = unit_box_at(Vec3::zeros());
    for x in [-1.0, 0.0, 1.0] {
        for y in [-1.0, 0.0, 1.0] {
            for z in [-1.0, 0.0, 1.0] {
                let other = unit_box_at(Vec3::new(x, y, z));
                assert!(still.overlaps(&other), "{other:?}");
                assert!(other.overlaps(&still), "{other:?}");
            }
        }
    }
}

#[test]
fn boxes_apart_along_one_axis_by_round_off_do_not_overlap() {
    let still = unit_box_at(Vec3::zeros());
    for axis in 0..3 {
        // The smallest number above 1 as lower corner, and one just below 0 as upper one.
        let mut above = still;
        above.lower[axis] = 1.0 + f64::EPSILON;
        above.upper[axis] = 2.0;
        let mut below = still;
        below.lower[axis] = -1.0;
        below.upper[axis] = -f64::MIN_POSITIVE;
        for other in [above, below] {
            assert!(!still.overlaps(&other), "axis {axis}: {other:?}");
            assert!(!other.overlaps(&still), "axis {axis}: {other:?}");
        }
    }
}

#[test]
fn a_box_inside_another_overlaps_it() {
    let outer = Aabb { lower: Vec3::repeat(-10.0), upper: Vec3::repeat(10.0) };
    let inner = unit_box_at(Vec3::new(3.0, -2.0, 1.0));
    assert!(outer.overlaps(&inner));
    assert!(inner.overlaps(&outer));
    let point = Aabb { lower: Vec3::repeat(10.0), upper: Vec3::repeat(10.0) };
    assert!(outer.overlaps(&point), "a point on the corner touches");
}

#[test]
fn growing_moves_every_side_by_the_margin() {
    // Multiples of 1/4: exact.
    let grown = unit_box_at(Vec3::new(1.0, 2.0, 3.0)).grown(0.25);
    assert_eq!(grown, Aabb { lower: Vec3::new(0.75, 1.75, 2.75), upper: Vec3::new(2.25, 3.25, 4.25) });
}
