//! Images of a periodic box.

use super::super::images::Images;
use super::super::kernel::{Kernel, KernelKind};
use super::Random;
use crate::math::{Aabb, Period, Vec3};

/// A kernel that reaches so far, twice its width.
fn reaching(radius: f64) -> Kernel {
    Kernel::new(KernelKind::Lucy, 0.5 * radius).expect("a kernel")
}

/// The shifts of a thing within these bounds.
fn shifts(images: &Images, lower: Vec3, upper: Vec3) -> Vec<Vec3> {
    let mut all = Vec::new();
    let add = |shift: &Vec3| {
        all.push(*shift);
        Ok(())
    };
    images.each(&Aabb { lower, upper }, add).expect("memory");
    all
}

#[test]
fn an_open_box_has_no_images() {
    let images = Images::new(&Period::OPEN, &reaching(1e9), 1.0).expect("open");
    let (point, far) = (Vec3::new(-7.0, 0.5, 1e12), Vec3::new(9.0, 0.5, 1e12));
    assert_eq!(images.inside(&point), point);
    assert_eq!(shifts(&images, point, far), [Vec3::zeros()]);
}

#[test]
fn the_images_are_those_near_the_box() {
    let period = Period::new([2.0, 0.0, 5.0]).expect("a box");
    let images = Images::new(&period, &reaching(0.5), 1.0).expect("a reach");
    assert_eq!(images.inside(&Vec3::new(-0.5, -0.5, 11.0)), Vec3::new(1.5, -0.5, 1.0));
    // 7.8 is 1.8 in the box and -0.2 beside it.
    let at = Vec3::new(7.8, 3.0, 2.0);
    assert_eq!(shifts(&images, at, at), [Vec3::new(-8.0, 0.0, 0.0), Vec3::new(-6.0, 0.0, 0.0)]);
    // A line from 1.4 to 3.2: from -2.6 it ends at -0.8, out of sight.
    let (lower, upper) = (Vec3::new(1.4, 0.0, 2.0), Vec3::new(3.2, 0.0, 2.0));
    assert_eq!(shifts(&images, lower, upper), [Vec3::new(-2.0, 0.0, 0.0), Vec3::zeros()]);
}

#[test]
fn every_image_in_reach_is_listed_once() {
    let mut random = Random(5);
    for reach in [0.1, 0.9, 2.0, 7.9] {
        let period = Period::new([2.0, 3.0, 2.5]).expect("a box");
        let images = Images::new(&period, &reaching(reach), 1.0).expect("a reach");
        for _ in 0..200 {
            let lower = random.vector() * 20.0;
            let upper = lower + random.vector().map(f64::abs);
            let found = shifts(&images, lower, upper);
            let sees = |axis: usize, shift: f64| {
                upper[axis] + shift >= -reach && lower[axis] + shift <= period.lengths()[axis] + reach
            };
            let along = |axis: usize| {
                let shifts = (-40..=40).map(move |number| f64::from(number) * period.lengths()[axis]);
                shifts.filter(move |shift| sees(axis, *shift)).collect::<Vec<_>>()
            };
            let [x, y, z] = [0, 1, 2].map(along);
            let one = |x: f64| y.iter().flat_map(|y| z.iter().map(|z| Vec3::new(x, *y, *z))).collect::<Vec<_>>();
            assert_eq!(found, x.iter().flat_map(|x| one(*x)).collect::<Vec<_>>());
        }
    }
}

#[test]
fn a_kernel_far_wider_than_the_box_is_refused() {
    let period = Period::new([2.0, 0.0, 5.0]).expect("a box");
    // The margin does not count.
    assert!(Images::new(&period, &reaching(8.0), 1.1).is_ok());
    let error = Images::new(&period, &reaching(8.5), 1.1).expect_err("refused");
    let expected = "width is 4.25 m, with which the kernel reaches 8.5 m, expected at most four periods of 2 m";
    assert_eq!(error.message, expected);
}
