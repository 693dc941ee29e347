//! Fields at many points are those at each of them.

use super::Random;
use crate::math::{Period, Vec3};
use crate::query::fields::{Branch, Field, Grain, Kernel, KernelKind, Medium};
use crate::tasks::Serial;
use crate::tasks::tests::Scoped;

/// Grains in a cube of 4 m about the origin, and branches of up to 0.5 m; some of 100 m.
fn medium(kernel: Kernel) -> (Vec<Grain>, Vec<Branch>, Medium) {
    let mut random = Random(11);
    let grains: Vec<Grain> = (0..300)
        .map(|_| Grain {
            position: 2.0 * random.vector(),
            velocity: random.vector(),
            mass: 1.5 + random.number(),
            volume: 0.1,
        })
        .collect();
    let branches: Vec<Branch> = (0..600)
        .map(|index| {
            let length = if index % 100 == 7 { 100.0 } else { 0.5 };
            Branch { start: 2.0 * random.vector(), branch: length * random.vector(), force: random.vector() }
        })
        .collect();
    let medium = Medium::new(kernel, &Period::OPEN, &grains, &branches).expect("memory");
    (grains, branches, medium)
}

#[test]
fn fields_are_sums_over_everything_to_the_last_bit() {
    let mut random = Random(5);
    // Scattered points, and a dense cloud.
    let mut points: Vec<[f64; 3]> = (0..200).map(|_| (2.5 * random.vector()).into()).collect();
    points.extend((0..2000).map(|_| <[f64; 3]>::from(0.3 * random.vector())));
    points.push([1e300, -1e200, 0.0]);
    for (kind, width) in [(KernelKind::Gaussian, 0.2), (KernelKind::Lucy, 0.3), (KernelKind::Lucy, 20.0)] {
        let kernel = Kernel::new(kind, width).expect("a kernel");
        let (grains, branches, medium) = medium(kernel);
        let serial = medium.fields(&points, &Serial).expect("fields");
        assert_eq!(serial.iter().len(), points.len());
        for (point, found) in points.iter().zip(serial.iter()) {
            assert_eq!(*found, Field::at(&Vec3::from(*point), &kernel, grains.iter(), branches.iter()));
        }
        let threads = medium.fields(&points, &Scoped(3)).expect("fields");
        assert!(serial.iter().eq(threads.iter()));
    }
}

#[test]
fn no_points_have_no_fields() {
    let (.., medium) = medium(Kernel::new(KernelKind::Lucy, 1.0).expect("a kernel"));
    assert_eq!(medium.fields(&[], &Serial).expect("fields").iter().len(), 0);
}

#[test]
fn fields_beyond_the_largest_number_are_refused() {
    let kernel = Kernel::new(KernelKind::Lucy, 1e-50).expect("a kernel");
    let heavy = Grain { position: Vec3::zeros(), velocity: Vec3::x() * 1e100, mass: 1e100, volume: 1.0 };
    let medium = Medium::new(kernel, &Period::OPEN, &[heavy], &[]).expect("memory");
    let error = medium.fields(&[[1.0; 3], [0.0; 3]], &Serial).expect_err("refused");
    assert!(error.message.starts_with("fields[1].momentum[0] is inf"), "{error}");
}
