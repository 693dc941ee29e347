//! Who may touch whom, and the list of pairs.

use crate::collide::{PairList, Proxy};

fn proxy(category: u32, mask: u32, group: i32) -> Proxy {
    Proxy { moves: true, bounded: true, category, mask, group, ..Proxy::ABSENT }
}

/// Both ways: who asks must not matter.
fn admits(one: Proxy, other: Proxy) -> bool {
    let answer = one.admits(&other);
    assert_eq!(answer, other.admits(&one));
    answer
}

#[test]
fn immovable_bodies_do_not_touch_each_other() {
    let moving = proxy(1, u32::MAX, 0);
    let still = Proxy { moves: false, ..moving };
    assert!(admits(moving, moving) && admits(moving, still));
    assert!(!admits(still, still));
    let grouped = Proxy { group: 3, ..still };
    assert!(!admits(grouped, grouped), "a group does not change that");
}

#[test]
fn both_must_be_in_a_group_that_the_other_collides_with() {
    assert!(admits(proxy(0b01, 0b10, 0), proxy(0b10, 0b01, 0)));
    assert!(!admits(proxy(0b01, 0b10, 0), proxy(0b10, 0b10, 0)), "one side is not enough");
    assert!(!admits(proxy(0, u32::MAX, 0), proxy(1, u32::MAX, 0)), "in no group at all");
    assert!(admits(proxy(1 << 31, 1 << 31, 0), proxy(1 << 31, 1 << 31, 0)));
}

#[test]
fn a_common_group_decides_before_the_masks() {
    assert!(admits(proxy(1, 0, 5), proxy(1, 0, 5)));
    assert!(!admits(proxy(1, 1, -5), proxy(1, 1, -5)));
    assert!(admits(proxy(1, 1, -5), proxy(1, 1, 5)), "different groups leave it to the masks");
    assert!(!admits(proxy(1, 0, 0), proxy(1, 0, 0)), "0 is no group");
}

#[test]
fn pairs_come_out_sorted_however_they_were_found() {
    let mut list = PairList::default();
    assert!(list.sorted(0).expect("memory").is_empty());
    for (one, other) in [(4, 1), (0, 4), (2, 3), (1, 0), (3, 1), (0, 2)] {
        list.push(one, other).expect("memory");
    }
    let expected = [(0, 1), (0, 2), (0, 4), (1, 3), (1, 4), (2, 3)];
    assert_eq!(list.sorted(5).expect("memory"), expected);
    assert_eq!(list.sorted(5).expect("memory"), expected, "asking changes nothing");
    list.clear();
    assert!(list.sorted(5).expect("memory").is_empty());
    list.push(1, 0).expect("memory");
    assert_eq!(list.sorted(2).expect("memory"), [(0, 1)]);
}
