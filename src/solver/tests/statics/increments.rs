//! One increment, and four of a quarter of the load each, at normals and arms that stay.

use super::{Friction, Load, Scene, Velocity, pyramid, solve};
use crate::math::BodyRow;
use crate::solver::problem::Impulse;

/// The forces once the loads have grown to their whole in equal parts. After each part gaps and remembered friction are those that it left.
fn in_parts(mut scene: Scene, loads: &[Load], parts: u32) -> Vec<Impulse> {
    let mut forces = Vec::new();
    for part in 1..=parts {
        let share = f64::from(part) / f64::from(parts);
        let grown: Vec<Load> =
            loads.iter().map(|load| Load { force: share * load.force, torque: share * load.torque }).collect();
        let found = solve(&scene, &grown, 1.0);
        assert!(found.outcome.is_converged && !found.outcome.is_associated, "{part} of {parts}: {:?}", found.outcome);
        forces = found.forces.contacts;
        for ((contact, optional), force) in scene.contacts.iter_mut().zip(&mut scene.optional).zip(&forces) {
            let of = |body: BodyRow| found.moves.get(body.index()).copied().unwrap_or(Velocity::ZERO);
            let u = contact.relative_velocity(&of(contact.body_a), &of(contact.body_b));
            contact.normal_bias += contact.normal.dot(&u);
            optional.surface_velocity = optional.tangential_compliance * force.tangential;
        }
    }
    forces
}

/// The largest difference of forces after one increment and after four [N].
fn apart(friction: Friction, mu: f64) -> f64 {
    let [one, four] = [1, 4].map(|parts| {
        let (scene, loads) = pyramid(friction, 1e5, mu);
        in_parts(scene, &loads, parts)
    });
    let difference = |(a, b): (&Impulse, &Impulse)| (a.normal - b.normal).hypot((a.tangential - b.tangential).norm());
    one.iter().zip(&four).map(difference).fold(0.0, f64::max)
}

/// By Coulomb's law forces grow with their loads from touch on, whether contacts slide or not. By the associated law what slides leaves gaps
/// behind, so that the next part of the load finds another structure.
#[test]
fn four_increments_have_the_forces_of_one_by_coulombs_law() {
    let coulomb = apart(Friction::Coulomb, 1.5);
    // 1e-8 of a weight of 9 N.
    assert!(coulomb <= 9e-8, "{coulomb:e}");
    // The pyramid of the world has 0.38 N here, with 16 of 112 contacts that slide.
    let associated = apart(Friction::Associated, 1.5);
    assert!(associated > 0.1, "{associated:e}");
}
