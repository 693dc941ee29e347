//! Numbers of contacts in lanes: filled in order, found again, and full batches whose contacts follow each other.

use crate::math::ContactId;
use crate::math::lanes::WIDE;
use crate::solver::problem::lane_contacts::{LaneContacts, consecutive, in_batches, in_order, occupied};

/// The numbers in the occupied lanes of some batches.
fn numbers(batches: &[LaneContacts]) -> Vec<ContactId> {
    batches.iter().flat_map(occupied).map(|(_, contact)| contact).collect()
}

/// Whether the occupied lanes of a batch come first.
fn is_filled_from_the_first_lane(lanes: &LaneContacts) -> bool {
    occupied(lanes).enumerate().all(|(at, (lane, _))| at == lane)
}

#[test]
fn a_range_is_handed_over_in_order() {
    for count in [0, 1, 7, 8, 9, 127, 128, 129, 256, 300] {
        let (mut seen, mut full, mut calls) = (Vec::new(), 0, 0);
        in_order(5..5 + count, |first, batches| {
            assert_eq!(first, seen.len());
            assert!(batches.iter().all(is_filled_from_the_first_lane));
            seen.extend(numbers(batches));
            full += batches.iter().filter(|lanes| lanes[WIDE - 1] != ContactId::NONE).count();
            calls += 1;
        });
        assert_eq!((seen, full), (ContactId::range(5..5 + count).collect(), count / WIDE));
        assert_eq!(calls, count.div_ceil(16 * WIDE), "no call without a contact");
    }
}

#[test]
fn numbers_in_any_order_keep_it() {
    for count in [0_u32, 1, 8, 100, 128, 200] {
        let all: Vec<ContactId> = (0..count).map(|at| ContactId((at * 77 + 13) % 1009)).collect();
        let mut seen = Vec::new();
        in_batches(all.iter().copied(), |first, batches| {
            assert_eq!(first, seen.len());
            assert!(batches.iter().all(is_filled_from_the_first_lane) && !batches.is_empty());
            seen.extend(numbers(batches));
        });
        assert_eq!(seen, all);
    }
}

#[test]
fn values_of_full_batches_whose_contacts_follow_each_other_are_consecutive() {
    let values: Vec<ContactId> = ContactId::range(0..20).collect();
    let follow = std::array::from_fn(|lane| ContactId::from(3 + lane));
    assert_eq!(consecutive(&follow, &values), Some(&follow));
    for lane in 0..WIDE {
        let mut lanes = follow;
        lanes[lane].0 += 1;
        assert_eq!(consecutive(&lanes, &values), None, "lane {lane}");
        lanes[lane] = ContactId::NONE;
        assert_eq!(consecutive(&lanes, &values), None, "lane {lane} is empty");
    }
    assert_eq!(consecutive(&follow, &values[..10]), None, "there are not so many");
    assert_eq!(consecutive(&follow, &values[..11]), Some(&follow), "the last one is the last value");
    assert_eq!(consecutive::<u32>(&[ContactId::NONE; WIDE], &[]), None, "no contact at all");
}

#[test]
fn empty_lanes_are_left_out() {
    let mut lanes = [ContactId::NONE; WIDE];
    assert_eq!(occupied(&lanes).count(), 0);
    (lanes[0], lanes[2], lanes[7]) = (ContactId(40), ContactId(0), ContactId(u32::MAX - 1));
    let expected = [(0, ContactId(40)), (2, ContactId(0)), (7, ContactId(u32::MAX - 1))];
    assert!(occupied(&lanes).eq(expected));
}
