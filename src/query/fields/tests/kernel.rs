//! Kernels against their definitions, and their integrals over branches against quadrature.

use super::Random;
use crate::math::Vec3;
use crate::query::fields::{Kernel, KernelKind};

const BOTH: [KernelKind; 2] = [KernelKind::Gaussian, KernelKind::Lucy];

/// Gauss's five points on an interval from -1 to 1, with weights that sum to 2.
const POINTS: [(f64, f64); 5] = [
    (-0.906_179_845_938_664, 0.236_926_885_056_189_08),
    (-0.538_469_310_105_683, 0.478_628_670_499_366_47),
    (0.0, 0.568_888_888_888_888_9),
    (0.538_469_310_105_683, 0.478_628_670_499_366_47),
    (0.906_179_845_938_664, 0.236_926_885_056_189_08),
];

/// The integral of a function over an interval, in 200 parts of five points.
fn integral(from: f64, to: f64, of: impl Fn(f64) -> f64) -> f64 {
    let half = (to - from) / 400.0;
    (0..200)
        .map(|part| {
            let middle = from + half * (2 * part + 1) as f64;
            half * POINTS.iter().map(|(at, weight)| weight * of(middle + half * at)).sum::<f64>()
        })
        .sum()
}

/// The mean over a branch by quadrature, of the parts before and after the foot of the point, where Lucy's kernel may have a kink.
fn mean(kernel: &Kernel, to_point: &Vec3, branch: &Vec3) -> f64 {
    let square = branch.norm_squared();
    let foot = to_point.dot(branch) / square;
    let offset = to_point - branch * foot;
    let half = ((kernel.radius().powi(2) - offset.norm_squared()).max(0.0) / square).sqrt();
    let at = |s: f64| kernel.at((to_point - branch * s).norm_squared());
    let [from, middle, to] = [foot - half, foot, foot + half].map(|s| s.clamp(0.0, 1.0));
    integral(from, middle, at) + integral(middle, to, at)
}

#[test]
fn integrals_over_space_are_one() {
    for (kind, width) in BOTH.into_iter().zip([0.013, 250.0]) {
        let kernel = Kernel::new(kind, width).expect("a kernel");
        let shell = |r: f64| 4.0 * std::f64::consts::PI * r * r * kernel.at(r * r);
        let sum = integral(0.0, kernel.radius(), shell);
        assert!((sum - 1.0).abs() <= 1e-13, "{kind:?}: {sum}, off by {:e}", sum - 1.0);
    }
}

#[test]
fn a_kernel_is_zero_from_its_radius_on() {
    let [gaussian, lucy] = BOTH.map(|kind| Kernel::new(kind, 2.0).expect("a kernel"));
    assert_eq!((gaussian.radius(), lucy.radius()), (6.0, 4.0));
    assert_eq!((gaussian.at(36.0), lucy.at(16.0)), (0.0, 0.0));
    // At its width a Gaussian has e^(-1/2) of its peak; Lucy's kernel has (1 + 3/2)(1/2)^3 = 5/16 at half its radius.
    assert!((gaussian.at(4.0) / gaussian.at(0.0) - (-0.5f64).exp()).abs() <= 1e-15);
    assert!((lucy.at(4.0) / lucy.at(0.0) - 5.0 / 16.0).abs() <= 1e-15);
}

#[test]
fn integrals_over_branches_are_those_of_quadrature() {
    let mut random = Random(7);
    for kind in BOTH {
        let kernel = Kernel::new(kind, 0.5).expect("a kernel");
        let mut worst = 0f64;
        for case in 0..4000 {
            // Branches of 1e-7 to 10 radii; every third one in line with the point, up to round-off or exactly.
            let branch = random.vector() * kernel.radius() * 10f64.powf(4.0 * random.number() - 3.0);
            let to_point = match case % 3 {
                0 => branch * (2.0 * random.number()) + branch.norm() * 1e-9 * random.vector(),
                1 => Vec3::new(0.0, 0.0, random.number()),
                _ => random.vector() * kernel.radius(),
            };
            let branch = if case % 3 == 1 { Vec3::new(0.0, 0.0, branch.z) } else { branch };
            let (found, expected) = (kernel.along(&to_point, &branch), mean(&kernel, &to_point, &branch));
            worst = worst.max((found - expected).abs() / kernel.at(0.0));
        }
        assert!(worst <= 1e-12, "{kind:?}: off by {worst:e} of the peak");
        println!("{kind:?}: off by {worst:e} of the peak");
    }
}

#[test]
fn a_branch_of_no_length_is_a_point() {
    for kind in BOTH {
        let kernel = Kernel::new(kind, 0.5).expect("a kernel");
        let to_point = Vec3::new(0.25, 0.5, -0.125);
        let expected = kernel.at(to_point.norm_squared());
        assert_eq!(kernel.along(&to_point, &Vec3::zeros()), expected);
        // Its square is zero too.
        assert_eq!(kernel.along(&to_point, &Vec3::repeat(1e-170)), expected);
        let along = kernel.along(&to_point, &Vec3::repeat(1e-12));
        assert!((along - expected).abs() <= 1e-11 * expected, "{along}, not {expected}");
    }
}

#[test]
fn branches_out_of_reach_count_nothing() {
    for kind in BOTH {
        let kernel = Kernel::new(kind, 0.5).expect("a kernel");
        let far = 1.01 * kernel.radius();
        let x = Vec3::x();
        // Beside the branch, before its start, and behind its end.
        for to_point in [Vec3::new(0.5, far, 0.0), Vec3::new(-far, 0.0, 0.0), Vec3::new(1.0 + far, 0.0, 0.0)] {
            assert_eq!(kernel.along(&to_point, &x), 0.0);
        }
    }
}

#[test]
fn widths_are_refused_whose_cubes_are_no_numbers() {
    for width in [0.0, -1.0, 1e-51, 1e51, f64::NAN, f64::INFINITY] {
        let error = Kernel::new(KernelKind::Lucy, width).expect_err("refused");
        assert!(error.message.starts_with("width is "), "{error}");
    }
    for width in [1e-50, 1e50] {
        let kernel = Kernel::new(KernelKind::Gaussian, width).expect("a kernel");
        assert!(kernel.at(0.0).is_normal());
    }
}
