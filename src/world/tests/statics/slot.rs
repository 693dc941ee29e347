//! Blocks that walls on both sides hold: by dilation, by stress of their own, or not.

use super::{STATIC, Scene, block, close, floor, settings};
use crate::body::{Definition, Kind};
use crate::contact::material::Material;
use crate::id::Handle;
use crate::shape::Shape;
use crate::world::Settings;
use crate::world::settings::FrictionLaw;

fn plane(scene: &mut Scene, normal: [f64; 3], offset: f64, material: Handle) {
    let shape = scene.world.add_shape(Shape::half_space(normal, offset).expect("a plane")).expect("memory");
    scene.add(&Definition { kind: Kind::Static, shape, material, ..Definition::default() });
}

/// A block of 10 N in a slot of its height, at a friction of 0.5. The world and the block.
fn in_slot(law: FrictionLaw, stiffness: f64) -> (Scene, Handle) {
    let mut scene = Scene::new(Settings { friction_law: law, ..settings() });
    let material = Material { friction: 0.5, normal_stiffness: 2.0 * stiffness, ..Material::default() };
    let material = floor(&mut scene, material);
    plane(&mut scene, [0.0, 0.0, -1.0], -0.4, material);
    let block = block(&mut scene, [0.5, 0.3, 0.2], [0.0, 0.0, 0.2], material);
    (scene, block)
}

/// What slides opens by the associated law, and a slot does not let it.
#[test]
fn a_block_in_a_slot_has_an_infinite_limit_load() {
    for stiffness in [0.0, 1e5] {
        let (mut scene, _) = in_slot(FrictionLaw::Associated, stiffness);
        let unit = [[0.0; 6], [0.0; 6], [10.0, 0.0, 0.0, 0.0, 0.0, 0.0]];
        let report = scene.world.limit_load(&unit, &STATIC, &mut []).expect("a limit");
        assert!(report.is_unbounded && report.load_factor == f64::INFINITY, "{report:?}");
    }
}

/// By Coulomb's law half the weight is the limit. By the associated law a push of twice the weight is held. Just above the
/// limit moves grow beyond bounds only at a dilation of about 1e-9.
#[test]
fn a_push_of_half_its_weight_moves_a_block_out_of_an_elastic_slot() {
    // The factor of the weight, and whether each law holds it.
    let held = [(0.3, true), (0.499_999, true), (0.499_999_99, true)];
    let moved = [(0.500_000_01, false), (0.500_000_5, false), (0.500_05, false), (0.501, false), (2.0, false)];
    for (push, by_coulomb) in held.into_iter().chain(moved) {
        for law in [FrictionLaw::Coulomb, FrictionLaw::Associated] {
            let (mut scene, block) = in_slot(law, 1e5);
            scene.world.add_force(block, [10.0 * push, 0.0, 0.0], None).expect("a force");
            let report = scene.world.solve_static(&STATIC, &mut []).expect("an increment");
            let is_held = by_coulomb || law == FrictionLaw::Associated;
            assert_eq!(report.is_collapse, !is_held, "{law:?} {push}: {report:?}");
            assert!(!report.is_associated, "{law:?} {push}: {report:?}");
            if is_held {
                assert!(report.is_converged, "{law:?} {push}: {report:?}");
                // Statics balances to 1e-10 of the largest load.
                close(scene.force(block), [-10.0 * push, 0.0, 10.0], 1e-8);
            }
        }
    }
}

/// Rigid walls press a block between them as much as its weight needs, at any friction. No elastic block is held like that by Coulomb's law. For
/// rigid ones the report of that law says that the forces are those of the associated one.
#[test]
fn a_rigid_block_between_walls_is_balanced_at_any_friction() {
    for law in [FrictionLaw::Associated, FrictionLaw::Coulomb] {
        for friction in [0.05, 0.4, 3.0] {
            let mut scene = Scene::new(Settings { friction_law: law, ..settings() });
            let material = Material { friction, ..Material::default() };
            let material = scene.world.add_material(material).expect("a material");
            plane(&mut scene, [1.0, 0.0, 0.0], -0.5, material);
            plane(&mut scene, [-1.0, 0.0, 0.0], -0.5, material);
            let block = block(&mut scene, [0.5; 3], [0.0; 3], material);
            let report = scene.world.solve_static(&STATIC, &mut []).expect("an increment");
            assert!(report.is_converged && !report.is_collapse, "{friction}: {report:?}");
            assert_eq!(report.is_associated, law == FrictionLaw::Coulomb, "{friction}");
            // The eight corners carry an eighth of the weight each, at the bound of friction. Statics balances to 1e-10 of the load.
            let press = 1.25 / friction;
            assert_eq!(scene.world.contacts().count(), 8);
            for contact in scene.world.contacts() {
                assert!((contact.normal_force - press).abs() <= 1e-9 * press, "{friction}: {contact:?}");
                // It acts upwards on the block, whichever body is the second.
                let up = if contact.body_b == block { 1.25 } else { -1.25 };
                close(contact.friction_force, [0.0, 0.0, up], 1e-9);
            }
            close(scene.state(block).position, [0.0; 3], 1e-12);
        }
    }
}

/// A ball of 10 N that overlaps both sides of a steep groove. They push at 30 degrees to the line between the contacts, within
/// the angle of friction of 63 degrees: no move opens both contacts by the associated law. So the overlap stays.
#[test]
fn overlap_that_friction_grips_stays() {
    for (law, overlap) in [(FrictionLaw::Associated, 1e-3), (FrictionLaw::Coulomb, 1e-3), (FrictionLaw::Coulomb, 0.0)] {
        let mut scene = Scene::new(Settings { friction_law: law, ..settings() });
        let material = Material { friction: 2.0, ..Material::default() };
        let material = scene.world.add_material(material).expect("a material");
        let sideways = 0.75_f64.sqrt();
        plane(&mut scene, [sideways, 0.0, 0.5], overlap - 0.5, material);
        plane(&mut scene, [-sideways, 0.0, 0.5], overlap - 0.5, material);
        let ball = Definition { material, ..scene.ball_at([0.0; 3]) };
        let ball = scene.add(&ball);
        let report = scene.world.solve_static(&STATIC, &mut []).expect("an increment");
        assert!(report.is_converged && !report.is_collapse && !report.is_associated, "{law:?} {overlap}: {report:?}");
        close(scene.state(ball).position, [0.0; 3], 1e-12);
        close(scene.force(ball), [0.0, 0.0, 10.0], 1e-9);
    }
}
