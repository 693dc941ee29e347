use crate::math::Vec3;
use crate::shape::hull::{holds_its_corners, is_convex};

const SQUARE: [[f64; 2]; 4] = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];

fn both(corners: &[[f64; 2]], tolerance: f64) -> (bool, bool) {
    let corners = corners.iter().map(|[x, y]| Vec3::new(*x, *y, 0.0));
    let near = is_convex(corners.clone().collect::<Vec<_>>().into_iter(), &Vec3::z(), tolerance).unwrap();
    (near, holds_its_corners(corners.collect::<Vec<_>>().into_iter(), &Vec3::z(), tolerance).unwrap())
}

#[test]
fn a_square_is_convex_one_way_round() {
    assert_eq!(both(&SQUARE, 0.0), (true, true));
    let mut back = SQUARE;
    back.reverse();
    assert_eq!(both(&back, 1e-3), (false, false));
}

#[test]
fn a_dent_counts_by_its_depth() {
    let dented = |depth: f64| [[0.0, 0.0], [0.5, depth], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    assert!(both(&dented(0.0), 1e-12).0);
    assert_eq!(both(&dented(1e-7), 1e-6), (true, true));
    assert_eq!(both(&dented(1e-3), 1e-6), (false, false));
}

#[test]
fn a_short_edge_may_point_anywhere_but_cuts_off_what_it_does_not_hold() {
    // An edge of 1e-7 that points inwards: the line along it parts the square.
    let corners = [[0.0, 0.0], [0.5, 0.0], [0.5, 1e-7], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    assert_eq!(both(&corners, 1e-6), (true, false));
}

#[test]
fn lines_that_cross_are_not_convex() {
    assert!(!both(&[[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]], 1e-6).0);
    assert_eq!(both(&[[0.0, 0.0], [1.0, 0.0]], 1e-6), (false, false));
}
