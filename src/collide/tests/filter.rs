//! Which bodies may touch.

use crate::collide::Filter;

fn filter(category: u32, mask: u32, group: i32) -> Filter {
    Filter { moves: true, category, mask, group }
}

/// Checks both orders: the result must not depend on the order.
fn admits(one: Filter, other: Filter) -> bool {
    let answer = one.admits(&other);
    assert_eq!(answer, other.admits(&one));
    answer
}

#[test]
fn immovable_bodies_do_not_touch_each_other() {
    let moving = filter(1, u32::MAX, 0);
    let still = Filter { moves: false, ..moving };
    assert!(admits(moving, moving) && admits(moving, still));
    assert!(!admits(still, still));
    let grouped = Filter { group: 3, ..still };
    assert!(!admits(grouped, grouped), "a group does not change that");
}

#[test]
fn both_must_be_in_a_group_that_the_other_collides_with() {
    assert!(admits(filter(0b01, 0b10, 0), filter(0b10, 0b01, 0)));
    assert!(!admits(filter(0b01, 0b10, 0), filter(0b10, 0b10, 0)), "one side is not enough");
    assert!(!admits(filter(0, u32::MAX, 0), filter(1, u32::MAX, 0)), "in no group at all");
    assert!(admits(filter(1 << 31, 1 << 31, 0), filter(1 << 31, 1 << 31, 0)));
}

#[test]
fn a_common_group_decides_before_the_masks() {
    assert!(admits(filter(1, 0, 5), filter(1, 0, 5)));
    assert!(!admits(filter(1, 1, -5), filter(1, 1, -5)));
    assert!(admits(filter(1, 1, -5), filter(1, 1, 5)), "different groups leave it to the masks");
    assert!(!admits(filter(1, 0, 0), filter(1, 0, 0)), "0 is no group");
}
