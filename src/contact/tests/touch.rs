use super::touch;
use crate::contact::{Carried, Touch};

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
    // Every contact is written and read several times in a step: 24 and 9 numbers of 8 bytes, three lines and a bit more than one.
    assert!(size_of::<Touch>() <= 192, "{}", size_of::<Touch>());
    assert!(size_of::<Carried>() <= 72, "{}", size_of::<Carried>());
}
