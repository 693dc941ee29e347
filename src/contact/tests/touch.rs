use super::touch;
use crate::contact::{Carried, Touch};
use crate::id::{Entity, Registry};

#[test]
fn the_pair_is_body_a_then_body_b() {
    assert_eq!(touch(3, 7, 0, 0.0).pair(), (3, 7));
}

#[test]
fn either_length_resists_turning() {
    for (rolling, twisting, resists) in [(0.0, 0.0, false), (5e-324, 0.0, true), (0.0, 5e-324, true), (1.0, 2.0, true)]
    {
        assert_eq!(Touch { rolling, twisting, ..touch(0, 1, 0, 0.0) }.resists_turning(), resists);
    }
}

#[test]
fn a_touch_stays_small() {
    // Every contact is written and read several times in a step: 27 and 9 numbers of 8 bytes.
    assert!(size_of::<Touch>() <= 216, "{}", size_of::<Touch>());
    assert!(size_of::<Carried>() <= 72, "{}", size_of::<Carried>());
}

#[test]
fn a_contact_lives_as_long_as_both_its_bodies() {
    let mut bodies = Registry::new(Entity::Body);
    bodies.reserve(3).expect("room for three");
    let handles: Vec<_> = (0..3).map(|_| bodies.insert().1).collect();
    let contact = Touch { handle_a: handles[0], handle_b: handles[2], ..touch(0, 2, 0, 0.0) };
    assert!(contact.is_live(&bodies));
    bodies.remove(1);
    assert!(contact.is_live(&bodies));
    let mut without_a = bodies.clone();
    without_a.remove(0);
    assert!(!contact.is_live(&without_a));
    bodies.remove(2);
    assert!(!contact.is_live(&bodies));
    // Another body in the same slot does not bring it back.
    assert_eq!(bodies.insert().0, 2);
    assert!(!contact.is_live(&bodies));
    assert!(!touch(0, 2, 0, 0.0).is_live(&bodies), "null handles");
}
