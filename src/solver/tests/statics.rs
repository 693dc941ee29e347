//! Statics of given contacts against closed forms.

use super::random::{Scene, plain};
use crate::math::{BodyRow, Symmetric3, Vec3};
use crate::solver::problem::{Contact, Friction, Impulses, MassInverse, OptionalTerms, Velocity};
use crate::solver::statics::*;

pub(super) fn force(x: f64, y: f64, z: f64) -> Load {
    Load { force: Vec3::new(x, y, z), torque: Vec3::zeros() }
}

/// A body that moves in the plane of x and y alone.
pub(super) fn planar(scene: &mut Scene) -> BodyRow {
    scene.masses.push(MassInverse { linear: Vec3::new(1.0, 1.0, 0.0), angular: Symmetric3::diagonal([0.0, 0.0, 1.0]) });
    scene.free.push(None);
    scene.velocities.push(Velocity::ZERO);
    BodyRow::from(scene.masses.len() - 1)
}

/// A block b wide and h high on the ground.
fn block(b: f64, h: f64, mu: f64) -> Scene {
    let mut scene = Scene { friction: Friction::Associated, ..Scene::default() };
    let body = scene.body(1.0, Symmetric3::diagonal([1.0; 3]), Velocity::ZERO);
    for (x, y) in [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)] {
        let arm_b = Vec3::new(b * x, b * y, -0.5 * h);
        scene.contacts.push(Contact { arm_b, friction: mu, ..plain(BodyRow::NONE, body, Vec3::z()) });
    }
    scene
}

pub(super) fn limit(scene: &Scene, loads: &[Load], unit_loads: &[Load]) -> LimitOutcome {
    let input = LimitInput { problem: &scene.problem(), loads, unit_loads, length: 1.0, touching: 1e-9 };
    let (mut forces, mut mechanism) = (Impulses::default(), Vec::new());
    LimitLoad::default().solve(&input, &mut forces, &mut mechanism).expect("memory")
}

#[test]
fn a_block_tilts_or_slides() {
    for (b, h, mu) in [(1.0, 2.0, 0.7), (1.0, 2.0, 0.3), (1.0, 1.0, 0.5)] {
        let scene = block(b, h, mu);
        let outcome = limit(&scene, &[force(0.0, 0.0, -9.0)], &[force(9.0, 0.0, 0.0)]);
        println!("{b} {h} {mu}: {outcome:?} {:e}", outcome.factor - f64::min(b / h, mu));
    }
    let scene = block(1.0, 1.0, 0.5);
    println!("{:?}", limit(&scene, &[force(0.0, 0.0, -9.0)], &[force(0.0, 0.0, -1.0)]));
    println!("{:?}", limit(&scene, &[force(0.0, 0.0, -9.0)], &[force(0.0, 0.0, 1.0)]));
    println!("{:?}", limit(&scene, &[force(0.0, 0.0, 9.0)], &[force(1.0, 0.0, 0.0)]));
    println!("{:?}", limit(&scene, &[force(0.0, 0.0, 9.0)], &[force(0.0, 0.0, -1.0)]));
}

#[test]
fn a_block_rests() {
    for s in [0.0, 1e-6] {
        let mut scene = block(1.0, 1.0, 0.5);
        if s > 0.0 { scene.optional = vec![OptionalTerms { normal_compliance: s, tangential_compliance: 1.5 * s, ..OptionalTerms::NONE }; 4]; }
        let weight = [force(1.0, 0.0, -9.0)];
        let input = StaticInput { problem: &scene.problem(), loads: &weight, length: 1.0, tolerance: 1e-10, max_displacement: 0.1, stiffness_ratio: 2.0 / 3.0 };
        let (mut forces, mut moves) = (Impulses::default(), Vec::new());
        let outcome = Statics::default().solve(&input, &mut forces, &mut moves).expect("memory");
        println!("{outcome:?} {moves:?}\n {forces:?}");
    }
}
