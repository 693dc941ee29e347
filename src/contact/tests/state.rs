//! Every combination of what decides: carrying, at the bound, moving.

use crate::contact::state::{ACTIVE, ContactMagnitudes, ROLLING, SLIDING, state};

/// Sticks and does not turn: well within both bounds.
const RESTING: ContactMagnitudes = ContactMagnitudes {
    normal: 2.0,
    friction: 0.5,
    friction_bound: 1.0,
    sliding: 0.0,
    rolling: 0.05,
    rolling_bound: 0.1,
    spinning: 0.0,
};

#[test]
fn what_carries_nothing_has_no_state() {
    for normal in [0.0, -1.0, f64::NAN] {
        assert_eq!(state(&ContactMagnitudes { normal, friction: 1.0, sliding: 1.0, ..RESTING }, 0.0), 0);
    }
}

#[test]
fn sliding_needs_the_bound_and_a_speed() {
    assert_eq!(state(&RESTING, 0.0), ACTIVE);
    assert_eq!(state(&ContactMagnitudes { sliding: 1.0, ..RESTING }, 0.0), ACTIVE);
    assert_eq!(state(&ContactMagnitudes { friction: 1.0, ..RESTING }, 0.0), ACTIVE);
    let sliding = ContactMagnitudes { friction: 1.0, sliding: 1e-6, ..RESTING };
    assert_eq!(state(&sliding, 0.0), ACTIVE | SLIDING);
    // slower than the tolerance is solved to nothing
    assert_eq!(state(&sliding, 1e-5), ACTIVE);
    // 1e-9 of the bound counts as at it, 1e-8 does not
    assert_eq!(state(&ContactMagnitudes { friction: 1.0 - 0.9e-9, ..sliding }, 0.0), ACTIVE | SLIDING);
    assert_eq!(state(&ContactMagnitudes { friction: 1.0 - 1e-8, ..sliding }, 0.0), ACTIVE);
    // whatever the tolerance, 1e-12 m/s is at rest
    assert_eq!(state(&ContactMagnitudes { sliding: 1e-12, ..sliding }, 0.0), ACTIVE);
}

#[test]
fn what_slides_does_not_roll() {
    let rolling = ContactMagnitudes { rolling: 0.1, spinning: 1e-6, ..RESTING };
    assert_eq!(state(&rolling, 0.0), ACTIVE | ROLLING);
    assert_eq!(state(&rolling, 1e-5), ACTIVE);
    assert_eq!(state(&ContactMagnitudes { rolling: 0.09, ..rolling }, 0.0), ACTIVE);
    assert_eq!(state(&ContactMagnitudes { friction: 1.0, sliding: 1.0, ..rolling }, 0.0), ACTIVE | SLIDING);
    // without resistance there is no bound to be at
    assert_eq!(state(&ContactMagnitudes { rolling: 0.0, rolling_bound: 0.0, ..rolling }, 0.0), ACTIVE);
}
