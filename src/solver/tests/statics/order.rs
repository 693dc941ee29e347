//! Forces of statics do not depend on the order of bodies and contacts, nor on which body of a contact is the first.

use super::{Found, Scene, force, pyramid, solve};
use crate::math::{BodyRow, Vec3};
use crate::solver::problem::order::shuffle;
use crate::solver::problem::{Contact, Friction, Impulse};
use crate::solver::statics::Load;
use crate::solver::tests::limit_load::running_bond;

/// A problem with its bodies and contacts in another order, every third contact from b to a.
struct Renumbered {
    scene: Scene,
    loads: Vec<Load>,
    /// Of each contact: which it was.
    contacts: Vec<usize>,
}

fn is_turned(number: usize) -> bool {
    number.is_multiple_of(3)
}

fn renumbered(scene: &Scene, loads: &[Load], seed: u64) -> Renumbered {
    let (mut bodies, mut contacts): (Vec<usize>, Vec<usize>) =
        ((0..loads.len()).collect(), (0..scene.contacts.len()).collect());
    shuffle(&mut bodies, seed, 0);
    shuffle(&mut contacts, seed, 1);
    let mut numbers = vec![BodyRow::NONE; bodies.len()];
    bodies.iter().enumerate().for_each(|(number, body)| numbers[*body] = number.into());
    let number_of = |body: BodyRow| numbers.get(body.index()).copied().unwrap_or(BodyRow::NONE);
    let renamed = |(number, index): (usize, &usize)| {
        let contact = scene.contacts[*index];
        let (body_a, body_b) = (number_of(contact.body_a), number_of(contact.body_b));
        if is_turned(number) {
            let (arm_a, arm_b) = (contact.arm_b, contact.arm_a);
            return Contact { body_a: body_b, body_b: body_a, normal: -contact.normal, arm_a, arm_b, ..contact };
        }
        Contact { body_a, body_b, ..contact }
    };
    let moved = Scene {
        masses: bodies.iter().map(|body| scene.masses[*body]).collect(),
        free: bodies.iter().map(|body| scene.free[*body]).collect(),
        velocities: bodies.iter().map(|body| scene.velocities[*body]).collect(),
        contacts: contacts.iter().enumerate().map(renamed).collect(),
        // All contacts have the same ones.
        optional: scene.optional.clone(),
        friction: scene.friction,
        ..Scene::default()
    };
    Renumbered { scene: moved, loads: bodies.iter().map(|body| loads[*body]).collect(), contacts }
}

/// The largest difference of the forces of all contacts [N].
fn apart(first: &[Impulse], found: &Found, contacts: &[usize]) -> f64 {
    let of = |(number, (force, index)): (usize, (&Impulse, &usize))| {
        let sign = if is_turned(number) { -1.0 } else { 1.0 };
        let before = &first[*index];
        let across: Vec3 = sign * force.tangential - before.tangential;
        (force.normal - before.normal).hypot(across.norm())
    };
    found.forces.contacts.iter().zip(contacts).enumerate().map(of).fold(0.0, f64::max)
}

fn check_orders(name: &str, scene: &Scene, loads: &[Load]) {
    let first = solve(scene, loads, 1.0);
    assert!(first.outcome.is_converged && !first.outcome.is_collapse, "{name}: {:?}", first.outcome);
    let forces = &first.forces.contacts;
    let largest = forces.iter().map(|force| force.normal.hypot(force.tangential.norm())).fold(0.0, f64::max);
    for seed in 0..4 {
        let other = renumbered(scene, loads, seed);
        let found = solve(&other.scene, &other.loads, 1.0);
        assert_eq!(found.outcome.is_associated, first.outcome.is_associated, "{name}, order {seed}");
        let difference = apart(forces, &found, &other.contacts);
        // What statics promises; measured are some 1e-14.
        assert!(difference <= 1e-9 * largest, "{name}, order {seed}: {difference:e} of {largest}");
    }
}

#[test]
fn pyramids_have_the_same_forces_in_any_order() {
    for friction in [Friction::Associated, Friction::Coulomb] {
        for (k, mu) in [(0.0, 0.6), (0.0, 1.5), (1e5, 0.6), (1e5, 1.5)] {
            let (scene, loads) = pyramid(friction, k, mu);
            check_orders(&format!("{friction:?}, stiffness {k}, friction {mu}"), &scene, &loads);
        }
    }
}

/// Each joint has two points, so that many forces are balanced.
#[test]
fn rigid_walls_have_the_same_forces_in_any_order() {
    for friction in [Friction::Associated, Friction::Coulomb] {
        let (mut scene, mut loads) = running_bond(3, 6, 0.6);
        scene.friction = friction;
        // It falls at 0.58 of its weight.
        loads.iter_mut().for_each(|load| *load = force(-0.3 * load.force.y, load.force.y, 0.0));
        check_orders(&format!("{friction:?}"), &scene, &loads);
    }
}
