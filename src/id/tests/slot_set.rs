use crate::id::SlotSet;

#[test]
fn what_is_inserted_is_listed_once_and_in_order_until_the_set_is_cleared() {
    let mut set = SlotSet::default();
    set.reserve(200).expect("memory");
    assert!(set.is_empty() && set.slots().next().is_none());
    for slot in [64, 0, 199, 63, 64, 127] {
        set.insert(slot);
    }
    let inserted = [0, 63, 64, 127, 199];
    assert!(!set.is_empty() && set.slots().eq(inserted));
    assert!((0..300).all(|slot| set.contains(slot) == inserted.contains(&slot)));
    // more room, or less asked for, set nothing
    set.reserve(1000).expect("memory");
    set.reserve(10).expect("memory");
    assert!(set.slots().eq(inserted));
    // without memory for it a slot is not inserted, nor in the last word
    set.insert(1000);
    assert!(set.slots().eq(inserted));
    set.clear();
    assert!(set.is_empty() && set.slots().next().is_none());
    set.insert(999);
    assert!(set.slots().eq([999]));
}

#[test]
fn a_refused_reservation_leaves_the_set_as_it_was() {
    let mut set = SlotSet::default();
    set.reserve(10).expect("memory");
    set.reserve(usize::MAX).expect_err("more than there is");
    set.insert(10);
    assert!(set.is_empty());
    set.reserve(11).expect("memory");
    set.insert(10);
    assert!(set.slots().eq([10]));
}
