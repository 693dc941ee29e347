//! Coulomb's law where nearly all contacts slide: disks in a box that a wall presses and shears.

use super::{Found, Load, Scene, force, plain, planar, soften, solve};
use crate::math::{BodyRow, Vec3};
use crate::solver::problem::{Contact, Friction, Velocity};

const STIFFNESS: f64 = 1e6;

/// Rows of disks of diameter 1 and weight 1 N that touch each other and four walls. The upper wall moves to the right and down.
fn packed([wide, high]: [usize; 2], mu: f64, [sheared, pressed]: [f64; 2]) -> (Scene, Vec<Load>) {
    let mut scene = Scene { friction: Friction::Coulomb, ..Scene::default() };
    let rise = 0.75_f64.sqrt();
    let mut disks: Vec<(BodyRow, Vec3)> = Vec::new();
    for (row, cell) in (0..high).flat_map(|row| (0..wide - row % 2).map(move |cell| (row, cell))) {
        let place = Vec3::new(cell as f64 + 0.5 * (row % 2) as f64, rise * row as f64, 0.0);
        disks.push((planar(&mut scene), place));
    }
    let top = scene.kinematic(Velocity { linear: Vec3::new(sheared, -pressed, 0.0), angular: Vec3::zeros() });
    for (number, (disk, place)) in disks.iter().enumerate() {
        let mut touch = |other: BodyRow, normal: Vec3, arm_a: Vec3| {
            scene.contacts.push(Contact { arm_a, arm_b: -0.5 * normal, friction: mu, ..plain(other, *disk, normal) });
        };
        for (other, from) in &disks[..number] {
            let normal = place - from;
            if normal.norm() < 1.0 + 1e-9 {
                touch(*other, normal.normalize(), 0.5 * normal.normalize());
            }
        }
        let walls = [(place.y, Vec3::y()), (place.x, Vec3::x()), (wide as f64 - 1.0 - place.x, -Vec3::x())];
        for (_, normal) in walls.into_iter().filter(|(from, _)| *from < 1e-9) {
            touch(BodyRow::NONE, normal, Vec3::zeros());
        }
        if place.y > rise * (high as f64 - 1.5) {
            touch(top, -Vec3::y(), Vec3::zeros());
        }
    }
    soften(&mut scene, STIFFNESS);
    let mut loads = vec![force(0.0, -1.0, 0.0); disks.len()];
    loads.push(Load::ZERO);
    (scene, loads)
}

/// Checks that forces are what springs and Coulomb's law make of the moves. Returns how many contacts slide.
fn check_law(scene: &Scene, found: &Found) -> usize {
    let of = |body: BodyRow| found.moves.get(body.index()).copied().unwrap_or(Velocity::ZERO);
    let mut sliding = 0;
    for (contact, force) in scene.contacts.iter().zip(&found.forces.contacts) {
        let u = contact.relative_velocity(&of(contact.body_a), &of(contact.body_b));
        let u_n = contact.normal.dot(&u);
        let normal = (-STIFFNESS * u_n).max(0.0);
        let trial = -STIFFNESS / 1.5 * (u - u_n * contact.normal);
        let bound = contact.friction * normal;
        let friction = if trial.norm() > bound { bound / trial.norm() * trial } else { trial };
        sliding += usize::from(normal > 0.0 && trial.norm() > bound);
        // The round-off of moves of 2e-4 m is 1e-19 m in a sum, times the stiffness; forces are some 100 N.
        let apart = (force.normal - normal).abs() + (force.tangential - friction).norm();
        assert!(apart <= 1e-10, "{apart:e} {contact:?} {force:?}");
    }
    sliding
}

/// Newton steps in which the largest residual had to fall needed 150 to 420 of them.
#[test]
fn coulombs_law_is_found_where_nearly_all_contacts_slide() {
    for moves in [[2e-4, 1e-4], [2e-4, 2e-4]] {
        let (scene, loads) = packed([15, 14], 0.3, moves);
        let found = solve(&scene, &loads, 0.1);
        let outcome = &found.outcome;
        assert!(outcome.is_converged && !outcome.is_collapse && !outcome.is_associated, "{moves:?}: {outcome:?}");
        assert!(outcome.iterations <= 150, "{moves:?}: {outcome:?}");
        let sliding = check_law(&scene, &found);
        assert!(3 * sliding > scene.contacts.len(), "{moves:?}: {sliding} of {}", scene.contacts.len());
    }
}
