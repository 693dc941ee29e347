//! Numbers of contacts in lanes: filled in order, found again, and full batches whose contacts follow each other.

use crate::math::ContactId;
use crate::math::lanes::WIDE;
use crate::solver::problem::contacts::{consecutive, occupied};

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
