use crate::body::Changes;

#[test]
fn what_is_noted_is_listed_once_and_in_order_until_it_was_seen() {
    let mut changes = Changes::default();
    changes.reserve(200).expect("memory");
    assert!(!changes.are_any() && changes.slots().next().is_none());
    for slot in [64, 0, 199, 63, 64, 127] {
        changes.note(slot);
    }
    let noted = [0, 63, 64, 127, 199];
    assert!(changes.are_any() && changes.slots().eq(noted));
    assert!((0..300).all(|slot| changes.contain(slot) == noted.contains(&slot)));
    // more room, or less asked for, changes nothing
    changes.reserve(1000).expect("memory");
    changes.reserve(10).expect("memory");
    assert!(changes.slots().eq(noted));
    changes.clear();
    assert!(!changes.are_any() && changes.slots().next().is_none());
    changes.note(999);
    assert!(changes.slots().eq([999]));
}
