//! The limits themselves are accepted, and the next number beyond them is refused.

use crate::error::ErrorKind;
use crate::math::limits::{gravity, inverse_mass, mass, step};

#[test]
fn masses() {
    for good in [1e-100, 1.0, 1e100] {
        assert_eq!((mass("mass", good), inverse_mass("inverse_mass", 1.0 / good)), (Ok(()), Ok(())));
    }
    assert_eq!(inverse_mass("inverse_mass", 0.0), Ok(()));
    for bad in [0.0, -1.0, 1e-100_f64.next_down(), 1e100_f64.next_up()] {
        assert_eq!(mass("mass", bad).expect_err("beyond").kind, ErrorKind::Argument);
    }
    let message = mass("mass", 1e200).expect_err("too heavy").message;
    assert_eq!(message, "mass is 1e200, expected a mass from 1e-100 to 1e100 kg");
    assert_eq!(inverse_mass("inverse_mass", 2e100).expect_err("too light").kind, ErrorKind::Argument);
    assert_eq!(mass("mass", f64::NAN).expect_err("NaN").kind, ErrorKind::NotFinite);
}

#[test]
fn gravities() {
    assert_eq!(gravity("gravity", &[1e50, -1e50, 0.0]), Ok(()));
    let error = gravity("gravity", &[0.0, 0.0, -2e50]).expect_err("too large");
    assert_eq!(error.kind, ErrorKind::Argument);
    assert_eq!(error.message, "gravity[2] is -2e50, expected an acceleration up to 1e50 m/s^2");
    assert_eq!(gravity("gravity", &[f64::INFINITY, 0.0, 0.0]).expect_err("infinite").kind, ErrorKind::NotFinite);
}

#[test]
fn steps() {
    for good in [1e-100, 1.0 / 60.0, 1e100] {
        assert_eq!(step("step", good), Ok(()));
    }
    for bad in [0.0, -0.01, 1e-315, 1e-100_f64.next_down(), 1e100_f64.next_up()] {
        assert_eq!(step("step", bad).expect_err("beyond").kind, ErrorKind::Argument);
    }
    assert_eq!(
        step("step", 1e-315).expect_err("too short").message,
        "step is 1e-315, expected 1e-100 to 1e100 seconds"
    );
}
