//! Nearest images: the shortest of all that differ by whole periods, the same for one vector and for many.

use crate::error::ErrorKind;
use crate::math::lanes::{Vec3s, Wide};
use crate::math::{Period, Vec3};

#[test]
fn the_nearest_image_is_the_shortest() {
    let period = Period::new([4.0, 0.0, 0.75]).expect("a box");
    for step in -40..=40 {
        let arm = Vec3::new(0.3 * f64::from(step), 0.7 * f64::from(step), -0.11 * f64::from(step));
        let near = period.nearest(&arm);
        assert!(near.x.abs() <= 2.0 + 1e-14 && near.z.abs() <= 0.375 + 1e-14, "{near:?}");
        assert_eq!(near.y, arm.y, "an open axis");
        let steps = (arm - near).component_div(&Vec3::new(4.0, 1.0, 0.75));
        assert!((steps - steps.map(f64::round)).norm() <= 1e-13, "{steps:?}");
        assert_eq!(near, arm - period.excess(&arm));
        assert_eq!(period.excess(&-arm), -period.excess(&arm), "seen from the other side");
    }
}

#[test]
fn lanes_have_the_numbers_of_single_vectors() {
    let period = Period::new([0.7, 1.3, 0.0]).expect("a box");
    for step in -200..200 {
        let arm = Vec3::new(0.037, -0.051, 0.013) * f64::from(step);
        let lanes = period.nearest_lanes(Vec3s::<f64>::new(arm.x, arm.y, arm.z));
        assert_eq!(Vec3::new(lanes.x, lanes.y, lanes.z), period.nearest(&arm));
    }
    let mut wide = [Wide::splat(0.0); 3];
    period.nearest_lanes(Vec3s::<f64>::new(0.8, 0.0, 5.0)).store(&mut wide, 3);
    assert_eq!(wide.map(|lanes| lanes.0[3]), [0.8 - 0.7, 0.0, 5.0]);
}

#[test]
fn the_box_that_holds_a_point_is_whole_periods_away() {
    let period = Period::new([0.5, 2.0, 0.0]).expect("a box");
    assert_eq!(period.whole(&Vec3::new(-0.25, 5.0, 9.0)), Vec3::new(-0.5, 4.0, 0.0));
    assert_eq!(period.whole(&Vec3::new(0.5, -2.0, -9.0)), Vec3::new(0.5, -2.0, 0.0));
}

#[test]
fn only_lengths_make_a_box() {
    assert!(Period::new([0.0; 3]).expect("open") == Period::OPEN && Period::OPEN.is_open());
    assert!(!Period::new([0.0, 0.0, 1e-100]).expect("a box").is_open());
    for (axis, length, kind) in [
        (0, -1.0, ErrorKind::Argument),
        (1, 1e-101, ErrorKind::Argument),
        (2, 1e101, ErrorKind::Argument),
        (1, f64::NAN, ErrorKind::NotFinite),
    ] {
        let mut lengths = [1.0; 3];
        lengths[axis] = length;
        let error = Period::new(lengths).expect_err("no box");
        assert_eq!(error.kind, kind);
        assert!(error.message.starts_with(&format!("period[{axis}] is ")), "{}", error.message);
    }
}
