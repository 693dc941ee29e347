use crate::math::elementary::{hypot, log2, power, power_of_two, sin_cos, square};

/// A hash of the bits of some results: another last bit in one of them is another number.
fn digest(results: impl Iterator<Item = f64>) -> u64 {
    results.fold(0, |sum, result| (sum ^ result.to_bits()).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29))
}

/// Numbers of all sizes from 1e-6 to 1e6 or so.
fn arguments() -> impl Iterator<Item = f64> {
    (0..4000).scan(1e-6_f64, |size, index| {
        *size *= 1.007;
        Some(*size * (1.0 + f64::from(index % 7)))
    })
}

/// The bits that every machine must find. They were recorded once.
#[test]
fn results_are_the_recorded_bits() {
    let digests = [
        digest(arguments().map(|x| hypot(x, 1.5))),
        digest(arguments().map(|x| sin_cos(x).0)),
        digest(arguments().map(|x| sin_cos(x).1)),
        digest(arguments().map(|x| power(x, 0.3))),
        digest(arguments().map(log2)),
    ];
    let recorded = [
        0x7199_f20f_0300_11be,
        0x2598_d057_a6f2_a129,
        0x5df7_9969_6ae1_1428,
        0x2e94_fe94_cf49_9ba9,
        0xbbaa_8537_e2bf_d9be,
    ];
    assert_eq!(digests, recorded, "{digests:#018x?}");
}

#[test]
fn results_are_those_of_the_platform_except_for_the_last_bits() {
    let near =
        |found: f64, expected: f64| assert!((found - expected).abs() <= 1e-15 * expected.abs(), "{found} {expected}");
    for x in arguments() {
        near(hypot(x, 1.5), x.hypot(1.5));
        near(sin_cos(x).0, x.sin());
        near(sin_cos(x).1, x.cos());
        near(power(x, 0.3), x.powf(0.3));
        near(log2(x), x.log2());
    }
}

#[test]
fn exact_results_are_exact() {
    assert_eq!(hypot(3.0, -4.0), 5.0);
    assert!((hypot(3e200, -4e200) / 5e200 - 1.0).abs() < 1e-15);
    assert_eq!(square(-3.0), 9.0);
    for exponent in [-1022, -50, -1, 0, 1, 52, 1023] {
        assert_eq!(power_of_two(exponent), 2_f64.powi(exponent));
        assert_eq!(log2(power_of_two(exponent)), f64::from(exponent));
    }
}
