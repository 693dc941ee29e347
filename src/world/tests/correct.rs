//! The compatibility correction of a step: what it starts from, what it writes, and what it leaves alone.

mod unique;

use super::scene::{STEP, Scene, close};
use crate::body::{Definition, Kind};
use crate::contact::material::{Material, Pair};
use crate::id::Handle;
use crate::shape::Shape;
use crate::world::settings::{Compatibility, CompatibleFriction, WarmStart};
use crate::world::{ContactReport, Settings};

fn settled() -> Settings {
    Settings { iterations: 5000, tolerance: 1e-13, ..Settings::default() }
}

fn hooke() -> Settings {
    Settings { compatibility: Compatibility::Hooke, ..settled() }
}

/// A slab of 3 kg, 4 m long, on three fixed balls at x = -1.5, 0, 1.5, its centre above the middle one. Each ball
/// carries 10 N if all are equal. `stiffness` is that of each ball against the slab.
fn slab(settings: Settings, stiffness: [f64; 3]) -> (Scene, Handle) {
    let mut scene = Scene::new(settings);
    let top = scene.material(0.0, 0.0);
    for (k, stiffness) in (0..).zip(stiffness) {
        let material = scene.material(0.0, 0.0);
        scene
            .world
            .set_material_pair(top, material, Pair { friction: 0.0, stiffness, ..Pair::default() })
            .expect("pair");
        let position = [1.5 * f64::from(k) - 1.5, 0.0, 0.5];
        scene.add(&Definition { kind: Kind::Static, material, mass: 0.0, ..scene.ball_at(position) });
    }
    let shape = scene.world.add_shape(Shape::cuboid([2.0, 0.5, 0.25]).expect("a box")).expect("memory");
    let slab = Definition { shape, material: top, position: [0.0, 0.0, 1.25], mass: 3.0, ..Definition::default() };
    let slab = scene.add(&slab);
    (scene, slab)
}

fn forces(scene: &Scene, force: impl Fn(&ContactReport) -> f64) -> [f64; 3] {
    let mut contacts: Vec<ContactReport> = scene.world.contacts().collect();
    contacts.sort_by(|a, b| a.point[0].total_cmp(&b.point[0]));
    std::array::from_fn(|k| force(&contacts[k]))
}

#[test]
fn three_supports_share_a_slab_as_springs_do() {
    // Moments about the middle: the outer ones carry alike, f; the slab stays level or bends nothing, so all are pressed
    // alike: k_1 : k_2 : k_3 of 30 N. The solver's residual of 1e-13 m/s is 3e-13 N s: 4e-11 N in a step.
    for (stiffness, expected) in [([1.0, 1.0, 1.0], [10.0, 10.0, 10.0]), ([1.0, 3.0, 1.0], [6.0, 18.0, 6.0])] {
        let (mut scene, _) = slab(hooke(), stiffness);
        scene.steps(3);
        close(forces(&scene, |contact| contact.compatible_normal_force), expected, 1e-10);
        assert_eq!(forces(&scene, |contact| contact.stiffness), stiffness);
    }
}

#[test]
fn without_a_correction_compatible_forces_are_those_of_the_solver() {
    let (mut scene, _) = slab(settled(), [1.0, 3.0, 1.0]);
    scene.steps(3);
    for contact in scene.world.contacts() {
        assert_eq!(contact.compatible_normal_force.to_bits(), contact.normal_force.to_bits());
        assert_eq!(contact.compatible_friction_force, contact.friction_force);
    }
}

#[test]
fn the_correction_changes_no_motion() {
    let (mut with, slab_with) = slab(hooke(), [1.0, 3.0, 1.0]);
    let (mut without, slab_without) = slab(settled(), [1.0, 3.0, 1.0]);
    with.steps(5);
    without.steps(5);
    assert_eq!(with.state(slab_with), without.state(slab_without));
    let classic = |contact: &ContactReport| contact.normal_force;
    assert_eq!(forces(&with, classic), forces(&without, classic));
}

#[test]
fn the_next_correction_starts_from_the_last() {
    let (mut scene, _) = slab(hooke(), [1.0, 3.0, 1.0]);
    scene.steps(3);
    let report = scene.world.step(STEP).expect("a step");
    assert_eq!((report.compatibility_iterations, report.flags), (0, 0), "{report:?}");
    assert!(report.compatibility_residual <= 1e-8, "{report:?}");
    assert_eq!(report.closed_contacts, 3);
}

#[test]
fn a_correction_that_is_enabled_later_finds_the_contacts() {
    // plain sweeps keep their lanes from step to step, and need no islands
    let plain = Settings { tolerance: 0.0, ..settled() };
    let (mut scene, _) = slab(plain, [1.0, 3.0, 1.0]);
    scene.steps(5);
    scene.world.set_settings(Settings { compatibility: Compatibility::Hooke, ..plain }).expect("settings");
    assert_eq!(scene.world.step(STEP).expect("a step").closed_contacts, 3);
    let found = forces(&scene, |contact| contact.compatible_normal_force);
    // 30 N as 1 : 3 : 1
    let apart = found.iter().zip([6.0, 18.0, 6.0]).map(|(found, expected)| (found - expected).abs());
    assert!(apart.fold(0.0, f64::max) < 1e-6, "{found:?}");
}

#[test]
fn a_warm_start_from_compatible_forces_is_one_from_a_solution() {
    let (mut scene, _) = slab(Settings { warm_start: WarmStart::Compatible, ..hooke() }, [1.0, 3.0, 1.0]);
    scene.steps(3);
    let before = forces(&scene, |contact| contact.compatible_normal_force);
    scene
        .world
        .set_settings(Settings { tolerance: 1e-11, warm_start: WarmStart::Compatible, ..hooke() })
        .expect("settings");
    let report = scene.world.step(STEP).expect("a step");
    assert_eq!(report.iterations, 0, "the start is the answer");
    assert_eq!(forces(&scene, |contact| contact.normal_force), before);
}

#[test]
fn friction_of_both_forms_balances_and_keeps_its_bounds() {
    for form in [CompatibleFriction::Associated, CompatibleFriction::Elastic] {
        let settings = Settings { compatible_friction: form, compatibility_tolerance: 1e-12, ..hooke() };
        let mut scene = Scene::new(settings);
        scene.floor();
        // two balls on the floor and one above, held apart by friction: 0.5 suffices for tan(15 degrees) = 0.27
        let height = 0.5 + 0.75_f64.sqrt();
        let balls = [[-0.5, 0.0, 0.5], [0.5, 0.0, 0.5], [0.0, 0.0, height]].map(|at| scene.ball(at));
        scene.steps(40);
        let mut sums = [[0.0; 3]; 3];
        for contact in scene.world.contacts() {
            let (n, t) = (contact.compatible_normal_force, contact.compatible_friction_force);
            let size = t.iter().map(|t| t * t).sum::<f64>().sqrt();
            assert!(size <= contact.friction * n * (1.0 + 1e-12), "{form:?}: {contact:?}");
            for (body, sign) in [(contact.body_a, -1.0), (contact.body_b, 1.0)] {
                if let Some(at) = balls.iter().position(|ball| *ball == body) {
                    (0..3).for_each(|k| sums[at][k] += sign * (n * contact.normal[k] + t[k]));
                }
            }
        }
        for (ball, sum) in balls.into_iter().zip(sums) {
            // 10 N each; the correction is that of the solver's own resultants to 1e-12
            close(sum, scene.force(ball), 1e-10);
        }
    }
}

#[test]
fn hertz_depends_on_moduli_and_radii() {
    let settings = Settings { compatibility: Compatibility::Hertz, ..settled() };
    let mut scene = Scene::new(settings);
    let soft = Material { young_modulus: 1e6, poisson_ratio: 0.5, ..Material::default() };
    let hard = Material { young_modulus: 3e6, poisson_ratio: 0.0, ..Material::default() };
    let [soft, hard, other] =
        [soft, hard, hard].map(|material| scene.world.add_material(material).expect("a material"));
    scene.world.set_material_pair(soft, other, Pair { stiffness: 7.0, ..Pair::default() }).expect("a pair");
    scene.add(&Definition { kind: Kind::Static, shape: scene.plane, material: soft, ..Definition::default() });
    let cuboid = scene.world.add_shape(Shape::cuboid([0.5; 3]).expect("a box")).expect("memory");
    scene.add(&Definition { material: hard, ..scene.ball_at([0.0, 0.0, 0.5]) });
    scene.add(&Definition { material: hard, ..scene.ball_at([0.0, 0.0, 1.5]) });
    scene.add(&Definition { material: other, ..scene.ball_at([3.0, 0.0, 0.5]) });
    scene.add(&Definition {
        material: hard,
        shape: cuboid,
        mass: 1.0,
        position: [6.0, 0.0, 0.5],
        ..Definition::default()
    });
    scene.steps(1);
    // 1/E* = (1 - 1/4)/1e6 + 1/3e6 and r* = 0.5 on the plane; 2/3e6 and r* = 0.25 between two balls
    let on_plane = 4.0 / 3.0 / (0.75 / 1e6 + 1.0 / 3e6) * 0.5_f64.sqrt();
    let on_ball = 4.0 / 3.0 * 1.5e6 * 0.5;
    // two flats: moduli in series
    let flat = 1.0 / (1.0 / 1e6 + 1.0 / 3e6);
    for contact in scene.world.contacts() {
        let expected = match contact.point {
            [x, _, _] if x > 4.0 => flat,
            [x, _, _] if x > 2.0 => 7.0,
            [_, _, z] if z > 0.5 => on_ball,
            _ => on_plane,
        };
        // a product, a quotient and a root
        assert!((contact.stiffness / expected - 1.0).abs() <= 1e-14, "{contact:?}, not {expected}");
    }
}

#[test]
fn what_the_next_correction_starts_from_is_hashed() {
    let (mut scene, _) = slab(hooke(), [1.0, 3.0, 1.0]);
    scene.steps(3);
    let before = scene.world.hash();
    scene.world.displacements[3][2] += 1.0;
    assert_ne!(scene.world.hash(), before);
}
