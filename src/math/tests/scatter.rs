//! Numbers that look random have the mean and the spread of random ones.

use crate::math::{Vec3, scattered, scattered_direction};

#[test]
fn numbers_fill_the_interval_evenly() {
    let count = 10_000;
    let (sum, squares) = (0..count).map(scattered).fold((0.0, 0.0), |(sum, squares), x| (sum + x, squares + x * x));
    // The mean of n such numbers deviates by 0.58 / sqrt(n), that of their squares from 1/3 by 0.3 / sqrt(n).
    assert!((sum / count as f64).abs() < 0.03 && (squares / count as f64 - 1.0 / 3.0).abs() < 0.015);
    assert!((0..count).map(scattered).all(|x| (-1.0..1.0).contains(&x)));
}

#[test]
fn directions_point_everywhere() {
    let mean = (0..10_000).map(scattered_direction).sum::<Vec3>() / 1e4;
    assert!(mean.norm() < 0.03, "{mean:?}");
    assert!((0..100).all(|index| (scattered_direction(index).norm() - 1.0).abs() < 1e-15));
}
