use crate::contact::{ContactGeometry, ContactRecord, Marks, Surface};

#[test]
fn the_pair_is_body_a_then_body_b() {
    for found in [ContactRecord::of_balls((3, 7)), ContactRecord::at((3, 7), 5)] {
        assert_eq!((found.pair(), found.pair_key(), found.key), ((3, 7), 3 << 32 | 7, 0));
        let known = found.with_key(9);
        assert_eq!((known.key, known.pair(), known.spot()), (9, found.pair(), found.spot()));
    }
    assert_eq!((ContactRecord::of_balls((3, 7)).spot(), ContactRecord::at((3, 7), 5).spot()), (None, Some(5)));
}

#[test]
fn either_length_resists_turning() {
    let surface = Surface { friction: 0.5, rolling: 0.0, twisting: 0.0, restitution: 0.0, stiffness: 1.0 };
    for (rolling, twisting, resists) in [(0.0, 0.0, false), (5e-324, 0.0, true), (0.0, 5e-324, true), (1.0, 2.0, true)]
    {
        assert_eq!(Surface { rolling, twisting, ..surface }.resists_turning(), resists);
    }
}

#[test]
fn what_is_kept_of_a_contact_stays_small() {
    // Every contact is written and read several times in a step, and kept of two steps.
    assert_eq!(size_of::<ContactRecord>(), 20);
    assert!(size_of::<ContactGeometry>() <= 152, "{}", size_of::<ContactGeometry>());
    assert_eq!(size_of::<Marks>(), 1);
}
