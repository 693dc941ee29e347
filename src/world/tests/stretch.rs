//! The factor between steps of two lengths.

use crate::world::stretch::stretch;

#[test]
fn impulses_follow_the_step_up_to_where_they_are_round_off() {
    assert_eq!((stretch(0.02, 0.01), stretch(0.01, 0.02)), (2.0, 0.5));
    assert_eq!(stretch(0.01, 0.0), 0.0, "there was no step before");
    let largest = 1.0 / f64::EPSILON;
    assert_eq!((stretch(largest, 1.0), stretch(largest.next_up(), 1.0)), (largest, 0.0));
    assert_eq!(stretch(1e100, 1e-100), 0.0);
    assert_eq!(stretch(1e-100, 1e100), 1e-200);
}
