use crate::contact::ElasticForce;
use crate::law::rigid::OVERLAP_FRACTION;
use crate::law::{Approach, ContactLaw, LawSettings, Rigid, round_off_gap};
use crate::math::Vec3;
use proptest::prelude::*;

/// Powers of two, so that products and quotients below are exact.
const STEP: f64 = 1.0 / 64.0;
const ROUND_OFF: f64 = 1.0 / 1024.0;
const THRESHOLD: f64 = 0.5;
/// A factor just below 1.
const LESS: f64 = 1.0 - f64::EPSILON;
/// A factor just above 1.
const MORE: f64 = 1.0 + f64::EPSILON;

const SETTINGS: LawSettings = LawSettings {
    substep: STEP,
    step: STEP,
    restitution_threshold: THRESHOLD,
    position_projection: true,
    push_out_velocity: 2.0,
    contact_margin: 1e-3,
    elastic_force: ElasticForce::Hertz,
    relaxation: 2.0,
    theta: 0.5,
    regularisation: 0.0,
};

/// Overlap is left to the position pass.
const RIGID: Rigid = Rigid(SETTINGS);
/// Overlap is undone through the velocities, at most at 2 m/s.
const PUSHING: Rigid = Rigid(LawSettings { position_projection: false, ..SETTINGS });

/// At rest, at `gap`.
fn resting(gap: f64) -> Approach {
    Approach {
        gap,
        round_off: ROUND_OFF,
        velocity: 0.0,
        kicked_velocity: 0.0,
        restitution: 0.5,
        stiffness: 0.0,
        shear_stiffness: 0.0,
        damping: 0.0,
        sliding: Vec3::zeros(),
        carried: Vec3::zeros(),
    }
}

/// At `gap`, with `velocity` that no force changes.
fn moving(gap: f64, velocity: f64) -> Approach {
    Approach { velocity, kicked_velocity: velocity, ..resting(gap) }
}

#[test]
fn a_gap_may_close_within_the_step() {
    // phi / h = 1/4 * 64.
    assert_eq!(RIGID.bias(&resting(0.25)), (16.0, false));
    assert_eq!(PUSHING.bias(&resting(0.25)), (16.0, false));
}

#[test]
fn touch_has_no_bias_within_round_off_both_ways() {
    for gap in [ROUND_OFF, 0.5 * ROUND_OFF, 0.0, -0.5 * ROUND_OFF, -ROUND_OFF] {
        for law in [RIGID, PUSHING] {
            assert_eq!(law.bias(&resting(gap)), (0.0, false), "{gap}");
        }
    }
}

#[test]
fn just_above_round_off_is_a_gap() {
    let gap = ROUND_OFF * MORE;
    assert_eq!(RIGID.bias(&resting(gap)), (gap * 64.0, false));
}

#[test]
fn a_touching_contact_rebounds_from_above_the_threshold_only() {
    let touching = |velocity: f64| RIGID.bias(&moving(ROUND_OFF, velocity));
    assert_eq!(touching(-4.0), (-2.0, true));
    // Exactly at the threshold: no rebound, and at touch no bias.
    assert_eq!(touching(-THRESHOLD), (0.0, false));
    assert_eq!(touching(-THRESHOLD * LESS), (0.0, false));
    assert_eq!(touching(-THRESHOLD * MORE), (-0.5 * THRESHOLD * MORE, true));
    // Opening fast is no impact.
    assert_eq!(touching(4.0), (0.0, false));
}

#[test]
fn a_gap_that_closes_within_the_step_rebounds_at_full_speed() {
    // 4 m/s over 1/64 s: 1/16 m, closed exactly at the end of the step.
    assert_eq!(RIGID.bias(&moving(0.0625, -4.0)), (-2.0, true));
    assert_eq!(RIGID.bias(&moving(0.03125, -4.0)), (-2.0, true));
    // Short of it by round-off: the gap's own bias.
    let gap = 0.0625 * MORE;
    assert_eq!(RIGID.bias(&moving(gap, -4.0)), (gap * 64.0, false));
}

#[test]
fn closing_is_tested_after_the_kick_and_its_speed_before_it() {
    // Falls from rest and closes by the kick alone: too slow at the start for a rebound.
    let falling = Approach { velocity: 0.0, kicked_velocity: -8.0, ..resting(0.0625) };
    assert_eq!(RIGID.bias(&falling), (4.0, false));
    // Fast, but the kick stops it before it arrives.
    let braked = Approach { velocity: -8.0, kicked_velocity: -1.0, ..resting(0.0625) };
    assert_eq!(RIGID.bias(&braked), (4.0, false));
    // The rebound speed is that of the start, not that of the kick.
    let faster = Approach { velocity: -4.0, kicked_velocity: -8.0, ..resting(0.0625) };
    assert_eq!(RIGID.bias(&faster), (-2.0, true));
    // A touching contact closes whatever the kick does.
    let lifted = Approach { velocity: -4.0, kicked_velocity: 3.0, ..resting(ROUND_OFF) };
    assert_eq!(RIGID.bias(&lifted), (-2.0, true));
}

#[test]
fn overlap_is_left_to_the_position_pass() {
    assert_eq!(RIGID.bias(&resting(-0.25)), (0.0, false));
    assert_eq!(RIGID.bias(&moving(-0.25, -4.0)), (-2.0, true));
}

#[test]
fn overlap_is_pushed_out_by_a_fifth_in_each_step_up_to_the_limit() {
    // A fifth of what is beyond round-off: 0.2 * 1/1024 * 64 = 0.0125 m/s.
    let (bias, rebounds) = PUSHING.bias(&resting(-2.0 * ROUND_OFF));
    assert_eq!((bias, rebounds), (-(0.2 * ROUND_OFF * 64.0), false));
    // The limit of 2 m/s: 2/64/0.2 = 5/32 m beyond round-off; a little less is not capped.
    let at_limit = 5.0 / 32.0;
    assert_eq!(PUSHING.bias(&resting(-at_limit - ROUND_OFF)).0, -2.0);
    let below = PUSHING.bias(&resting(-0.99 * at_limit - ROUND_OFF)).0;
    // Three roundings.
    assert!((below + 0.99 * 2.0).abs() <= 2.0 * 3.0 * f64::EPSILON, "{below}");
    assert_eq!(PUSHING.bias(&resting(-10.0)).0, -2.0);
    // A rebound takes the place of the push.
    assert_eq!(PUSHING.bias(&moving(-10.0, -4.0)), (-2.0, true));
    // A limit of zero pushes nothing.
    let still = Rigid(LawSettings { push_out_velocity: 0.0, position_projection: false, ..SETTINGS });
    assert_eq!(still.bias(&resting(-10.0)), (0.0, false));
}

#[test]
fn the_round_off_gap_is_64_units_of_the_reach() {
    // 64 * 2^-52 * 1024 = 2^-36.
    assert_eq!(round_off_gap(1024.0), 2f64.powi(-36));
    assert_eq!(round_off_gap(0.0), 0.0);
}

proptest! {
    /// The table of the law, written as the three cases it has.
    #[test]
    fn the_bias_is_a_rebound_a_gap_or_a_push(
        gap in -0.1..0.1f64,
        velocity in -4.0..4.0f64,
        kick in -1.0..1.0f64,
        restitution in 0.01..=1.0f64,
    ) {
        let approach = Approach { velocity, kicked_velocity: velocity + kick, restitution, ..resting(gap) };
        let (bias, rebounds) = PUSHING.bias(&approach);
        let arrives = gap <= ROUND_OFF || gap + STEP * (velocity + kick) <= 0.0;
        if arrives && velocity < -THRESHOLD {
            prop_assert_eq!((bias, rebounds), (restitution * velocity, true));
        } else {
            prop_assert!(!rebounds);
            if gap > ROUND_OFF {
                prop_assert_eq!(bias, gap * 64.0);
            } else {
                let pushed = -bias * STEP;
                // Never more than a fifth of the overlap nor than the limit, within a few roundings.
                prop_assert!(pushed >= 0.0);
                prop_assert!(pushed <= OVERLAP_FRACTION * (-gap - ROUND_OFF).max(0.0) * (1.0 + 4.0 * f64::EPSILON));
                prop_assert!(-bias <= 2.0);
            }
        }
    }
}
