//! The fields at a point, by hand, and their integrals over space.

use super::Random;
use crate::math::{Mat3, Period, Vec3};
use crate::query::fields::{Branch, Field, Grain, Kernel, KernelKind, Medium};
use crate::tasks::Serial;

fn grain(position: Vec3, velocity: Vec3, mass: f64) -> Grain {
    Grain { position, velocity, mass, volume: 0.25 * mass }
}

#[test]
fn fields_of_two_grains() {
    let kernel = Kernel::new(KernelKind::Lucy, 1.0).expect("a kernel");
    let grains = [grain(Vec3::x(), Vec3::new(3.0, 0.0, 0.0), 1.0), grain(-Vec3::x(), Vec3::new(-1.0, 2.0, 0.0), 3.0)];
    let phi = kernel.at(1.0);
    let found = Field::at(&Vec3::zeros(), &kernel, grains.iter(), [].iter());
    let near = |found: f64, expected: f64| assert!((found - expected).abs() <= 1e-15, "{found}, not {expected}");
    near(found.density, 4.0 * phi);
    near(found.packing_fraction, phi);
    for (axis, momentum) in [0.0, 6.0, 0.0].into_iter().enumerate() {
        near(found.momentum[axis], momentum * phi);
        near(found.velocity[axis], momentum / 4.0);
    }
    // The mean velocity is (0, 3/2, 0): off it are (3, -3/2, 0) of 1 kg and (-1, 1/2, 0) of 3 kg.
    let expected = [12.0, -6.0, 0.0, -6.0, 3.0, 0.0, 0.0, 0.0, 0.0];
    for (entry, expected) in expected.into_iter().enumerate() {
        near(found.kinetic_stress[entry], -expected * phi);
    }
    near(found.granular_temperature, 15.0 / 12.0);
    assert_eq!(found.contact_stress, [0.0; 9]);
}

#[test]
fn what_moves_alike_has_no_temperature() {
    let kernel = Kernel::new(KernelKind::Gaussian, 1.0).expect("a kernel");
    let velocity = Vec3::new(0.3, -1e9, 7.0);
    let mut random = Random(1);
    let grains: Vec<Grain> = (0..50).map(|_| grain(random.vector(), velocity, 2.0 + random.number())).collect();
    let found = Field::at(&Vec3::zeros(), &kernel, grains.iter(), [].iter());
    assert_eq!((found.granular_temperature, found.kinetic_stress), (0.0, [0.0; 9]));
}

#[test]
fn nothing_has_no_fields() {
    let kernel = Kernel::new(KernelKind::Lucy, 1.0).expect("a kernel");
    let far = [grain(Vec3::x() * 2.0, Vec3::x(), 1.0)];
    assert_eq!(Field::at(&Vec3::zeros(), &kernel, far.iter(), [].iter()), Field::default());
}

#[test]
fn what_is_pressed_together_has_negative_stress() {
    let kernel = Kernel::new(KernelKind::Lucy, 1.0).expect("a kernel");
    let pressed = Branch { start: Vec3::zeros(), branch: Vec3::z(), force: Vec3::new(0.5, 0.0, 4.0) };
    let stress = Field::at(&Vec3::zeros(), &kernel, [].iter(), [pressed].iter()).contact_stress;
    let weight = kernel.along(&Vec3::zeros(), &Vec3::z());
    assert_eq!(stress, [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -0.5 * weight, 0.0, -4.0 * weight]);
}

/// Sums over a grid of an eighth of the width give the mass, and minus the sum of `l (x) f`.
#[test]
fn integrals_of_fields_are_sums_of_grains_and_branches() {
    let mut random = Random(2);
    let grains: Vec<Grain> =
        (0..20).map(|_| grain(0.5 * random.vector(), random.vector(), 2.0 + random.number())).collect();
    let branches: Vec<Branch> = (0..40)
        .map(|_| Branch { start: 0.5 * random.vector(), branch: 0.5 * random.vector(), force: random.vector() })
        .collect();
    let mass: f64 = grains.iter().map(|grain| grain.mass).sum();
    let momentum: Vec3 = grains.iter().map(|grain| grain.velocity * grain.mass).sum();
    let carried: Mat3 = branches.iter().map(|branch| branch.branch * branch.force.transpose()).sum();
    let size: f64 = branches.iter().map(|branch| branch.branch.norm() * branch.force.norm()).sum();
    for (kind, bound) in [(KernelKind::Lucy, 1e-6), (KernelKind::Gaussian, 1e-4)] {
        let kernel = Kernel::new(kind, 1.0).expect("a kernel");
        let spacing = 1.0 / 8.0;
        let reach = ((1.0 + kernel.radius()) / spacing).ceil() as i32;
        let line = || (-reach..=reach).map(|at| f64::from(at) * spacing);
        let points: Vec<[f64; 3]> =
            line().flat_map(|x| line().flat_map(move |y| line().map(move |z| [x, y, z]))).collect();
        let medium = Medium::new(kernel, &Period::OPEN, &grains, &branches).expect("memory");
        let fields = medium.fields(&points, &Serial).expect("fields");
        let cell = spacing.powi(3);
        let sum = |of: &dyn Fn(&Field) -> f64| fields.iter().map(of).sum::<f64>() * cell;
        let off_mass = (sum(&|field| field.density) / mass - 1.0).abs();
        let off_volume = (sum(&|field| field.packing_fraction) / (0.25 * mass) - 1.0).abs();
        let off_momentum =
            (0..3).map(|axis| (sum(&|field| field.momentum[axis]) - momentum[axis]).abs()).fold(0.0, f64::max) / mass;
        let off_stress = (0..9)
            .map(|entry| (sum(&|field| field.contact_stress[entry]) + carried[(entry / 3, entry % 3)]).abs())
            .fold(0.0, f64::max)
            / size;
        println!(
            "{kind:?}: mass {off_mass:e}, volume {off_volume:e}, momentum {off_momentum:e}, stress {off_stress:e}"
        );
        assert!(off_mass.max(off_volume).max(off_momentum).max(off_stress) <= bound);
    }
}
