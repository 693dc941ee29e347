//! What compatible forces do not depend on: turns and reflections, numbers of contacts and bodies, the given impulses.

use crate::math::BodyRow;
use crate::solver::problem::Contact;
use crate::solver::tests::compatibility::oracle::Rows;
use crate::solver::tests::compatibility::pyramid::{Pyramid, Species};
use crate::solver::tests::compatibility::{HERTZ, HOOKE, corrected, difference, largest};
use crate::solver::tests::random::{Random, Scene};

/// Uniform and layered pyramids have the symmetry of the square.
#[test]
fn symmetry_of_the_square() {
    for base in [3, 5, 10, 20] {
        let pyramid = Pyramid::new(base);
        let symmetries = pyramid.symmetries();
        for species in [Species::Uniform, Species::Layered] {
            for exponent in [HOOKE, HERTZ] {
                let (weights, stiffness) = (pyramid.weights(), pyramid.stiffness(species));
                let (_, forces) = corrected(&pyramid.scene, &weights, &stiffness, exponent);
                let turned = symmetries.iter().map(|to| to.iter().map(|index| forces[*index]).collect::<Vec<f64>>());
                let worst = turned.map(|turned| difference(&turned, &forces)).fold(0.0, f64::max);
                println!("base {base}, {species:?}, p {exponent}: symmetric to {worst:.1e}");
                // the resultants agree to 1e-12 of the load, and nothing here is ill-conditioned beyond a thousand
                assert!(worst <= 1e-9, "base {base}, {species:?}, p {exponent}: {worst:e}");
            }
        }
    }
}

/// The eight images are permutations, of which only the first leaves every contact in its place.
#[test]
fn symmetries_are_eight_permutations() {
    let mut images = Pyramid::new(4).symmetries();
    for image in &images {
        let mut sorted = image.clone();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..image.len()));
    }
    assert!(images[0].iter().copied().eq(0..images[0].len()));
    images.sort();
    images.dedup();
    assert_eq!(images.len(), 8);
}

/// An order of `0..count`.
fn shuffled(random: &mut Random, count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    for last in (1..count).rev() {
        order.swap(last, random.index(last + 1));
    }
    order
}

/// The scene with its bodies in another order, and its contacts in the order `contacts`, every third from b to a.
fn renumbered(random: &mut Random, scene: &Scene, contacts: &[usize]) -> Scene {
    let bodies = shuffled(random, scene.masses.len());
    let mut numbers = vec![BodyRow::NONE; bodies.len()];
    for (number, body) in bodies.iter().enumerate() {
        numbers[*body] = number.into();
    }
    let renamed = |(number, index): (usize, &usize)| {
        let contact = scene.contacts[*index];
        let (body_a, body_b) = (numbers[contact.body_a], numbers[contact.body_b]);
        if number % 3 == 0 {
            let (arm_a, arm_b) = (contact.arm_b, contact.arm_a);
            return Contact { body_a: body_b, body_b: body_a, normal: -contact.normal, arm_a, arm_b, ..contact };
        }
        Contact { body_a, body_b, ..contact }
    };
    Scene {
        masses: bodies.iter().map(|body| scene.masses[*body]).collect(),
        velocities: bodies.iter().map(|body| scene.velocities[*body]).collect(),
        contacts: contacts.iter().enumerate().map(renamed).collect(),
        ..Scene::default()
    }
}

#[test]
fn numbers_do_not_matter() {
    let mut random = Random(1);
    for (base, species) in
        [(3, Species::Uniform), (5, Species::Alternating), (10, Species::Uniform), (10, Species::Alternating)]
    {
        let pyramid = Pyramid::new(base);
        let (weights, stiffness) = (pyramid.weights(), pyramid.stiffness(species));
        for exponent in [HOOKE, HERTZ] {
            let (_, forces) = corrected(&pyramid.scene, &weights, &stiffness, exponent);
            for _ in 0..2 {
                let order = shuffled(&mut random, weights.len());
                let scene = renumbered(&mut random, &pyramid.scene, &order);
                let picked = |values: &[f64]| order.iter().map(|index| values[*index]).collect::<Vec<f64>>();
                let (_, others) = corrected(&scene, &picked(&weights), &picked(&stiffness), exponent);
                let moved = difference(&others, &picked(&forces));
                println!("base {base}, {species:?}, p {exponent}: moved by {moved:.1e}");
                assert!(moved <= 1e-8, "base {base}, {species:?}, p {exponent}: {moved:e}");
            }
        }
    }
}

/// Only the resultants of the given impulses count: self-equilibrated networks on top of them change nothing. Some of these
/// impulses are negative.
#[test]
fn networks_without_resultants_do_not_matter() {
    let mut random = Random(2);
    for (base, species) in
        [(3, Species::Uniform), (5, Species::Alternating), (10, Species::Uniform), (20, Species::Alternating)]
    {
        let pyramid = Pyramid::new(base);
        let rows = Rows::new(&pyramid.scene);
        let (weights, stiffness) = (pyramid.weights(), pyramid.stiffness(species));
        let noise: Vec<f64> = weights.iter().map(|_| random.between(-1.0, 1.0)).collect();
        let network = rows.without_resultants(&noise);
        let left = largest(&rows.resultants(&network));
        // of entries of the size of one, with the round-off of some thousand gradient steps
        assert!(left < 1e-12 && largest(&network) > 0.1, "{left:e}");
        for size in [0.1, 1.0, 10.0] {
            let perturbed: Vec<f64> = weights.iter().zip(&network).map(|(w, x)| w + size * x).collect();
            for exponent in [HOOKE, HERTZ] {
                let (_, forces) = corrected(&pyramid.scene, &weights, &stiffness, exponent);
                let (_, others) = corrected(&pyramid.scene, &perturbed, &stiffness, exponent);
                let moved = difference(&others, &forces);
                println!("base {base}, {species:?}, p {exponent}, network of {size}: moved by {moved:.1e}");
                assert!(moved <= 1e-8, "base {base}, {species:?}, p {exponent}: {moved:e}");
            }
        }
    }
}
