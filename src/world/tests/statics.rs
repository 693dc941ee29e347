//! Increments and limit loads of worlds by closed forms.

mod creation_order;
mod increments;
mod motors;
mod piles;
mod progress;
mod slot;

use super::scene::{Scene, close};
use crate::body::{Definition, Kind, Lock};
use crate::contact::material::Material;
use crate::id::Handle;
use crate::shape::Shape;
use crate::world::settings::{FrictionLaw, SolverKind};
use crate::world::{Settings, StaticDefinition};

fn settings() -> Settings {
    Settings { friction_law: FrictionLaw::Associated, contact_margin: 0.1, ..Settings::default() }
}

/// A floor of a material, which is returned.
fn floor(scene: &mut Scene, material: Material) -> Handle {
    let material = scene.world.add_material(material).expect("a material");
    scene.add(&Definition { kind: Kind::Static, shape: scene.plane, material, ..Definition::default() });
    material
}

fn block(scene: &mut Scene, half: [f64; 3], position: [f64; 3], material: Handle) -> Handle {
    let shape = scene.world.add_shape(Shape::cuboid(half).expect("a box")).expect("memory");
    scene.add(&Definition { shape, material, mass: 1.0, position, ..Definition::default() })
}

const STATIC: StaticDefinition =
    StaticDefinition { increment: 1.0, max_displacement: 0.0, tolerance: 1e-10, proximal: 1e-3, iterations: 20 };

/// Two elastic balls one on the other: each contact sinks by the weight above it over its stiffness.
#[test]
fn elastic_balls_sink_by_their_weight_over_the_stiffness() {
    let mut scene = Scene::new(settings());
    let material = floor(&mut scene, Material { normal_stiffness: 2e4, ..Material::default() });
    let [low, high] = [0.5, 1.5].map(|z| {
        let ball = scene.ball_at([0.0, 0.0, z]);
        scene.add(&Definition { material, ..ball })
    });
    let mut moved = [[0.0; 6]; 3];
    let report = scene.world.solve_static(&STATIC, &mut moved).expect("an increment");
    assert!(report.is_converged && !report.is_collapse, "{report:?}");
    // 20 N and 10 N over 1e4 N/m
    close(scene.state(low).position, [0.0, 0.0, 0.5 - 2e-3], 1e-12);
    close(scene.state(high).position, [0.0, 0.0, 1.5 - 3e-3], 1e-12);
    assert!((moved[2][2] + 3e-3).abs() < 1e-12);
    close(scene.force(low), [0.0, 0.0, 10.0], 1e-9);
    // 1/2 F^2 / k of both
    assert!((report.elastic_energy - 0.5 * (400.0 + 100.0) / 1e4).abs() < 1e-11, "{}", report.elastic_energy);
    // A second one finds nothing to do.
    let report = scene.world.solve_static(&STATIC, &mut moved).expect("an increment");
    assert!(report.displacement_max < 1e-12, "{report:?}");
}

/// What a push leaves of friction is remembered by the next increment, and by the steps that follow.
#[test]
fn friction_is_remembered_from_one_increment_to_the_next() {
    let mut scene = Scene::new(settings());
    let material = floor(&mut scene, Material { normal_stiffness: 2e4, ..Material::default() });
    let ball = Definition { material, lock: Lock(0b111_000), ..scene.ball_at([0.0, 0.0, 0.5]) };
    let ball = scene.add(&ball);
    for (push, place) in [(2.0, 2.0), (2.0, 2.0), (4.0, 4.0)] {
        scene.world.add_force(ball, [push, 0.0, 0.0], None).expect("a force");
        let report = scene.world.solve_static(&STATIC, &mut []).expect("an increment");
        assert!(report.is_converged, "{report:?}");
        // k_T is two thirds of 1e4 N/m
        close(scene.state(ball).position, [1.5e-4 * place, 0.0, 0.5 - 1e-3], 1e-12);
        close(scene.force(ball), [-push, 0.0, 10.0], 1e-9);
    }
}

/// A block leans by tan a of its weight until it tilts or slides.
#[test]
fn a_block_tilts_or_slides() {
    for (friction, expected) in [(0.9, 0.4), (0.3, 0.3)] {
        let mut scene = Scene::new(settings());
        let material = floor(&mut scene, Material { friction, ..Material::default() });
        block(&mut scene, [0.2, 0.3, 0.5], [0.0, 0.0, 0.5], material);
        let before = scene.world.hash();
        let unit = [[0.0; 6], [10.0, 0.0, 0.0, 0.0, 0.0, 0.0]];
        let mut mechanism = [[0.0; 6]; 2];
        let report = scene.world.limit_load(&unit, &STATIC, &mut mechanism).expect("a limit");
        assert!(report.is_converged && (report.load_factor - expected).abs() < 1e-8, "{report:?}");
        assert_eq!(report.slides, friction < 0.4);
        // The unit load does a work of one in the mechanism.
        assert!((10.0 * mechanism[1][0] - 1.0).abs() < 1e-7, "{mechanism:?}");
        assert_eq!(scene.world.hash(), before);
    }
}

/// A load that nothing carries is a collapse, which changes nothing.
#[test]
fn a_collapse_changes_nothing() {
    let mut scene = Scene::new(settings());
    let material = floor(&mut scene, Material { friction: 0.3, ..Material::default() });
    let cube = block(&mut scene, [0.2, 0.3, 0.5], [0.0, 0.0, 0.5], material);
    scene.world.add_force(cube, [5.0, 0.0, 0.0], None).expect("a force");
    let before = scene.world.hash();
    let report = scene.world.solve_static(&STATIC, &mut []).expect("an increment");
    assert!(report.is_collapse, "{report:?}");
    assert_eq!(scene.world.hash(), before);
}

/// Rigid blocks have the forces of the stiff limit; a wall that is driven in presses an elastic ball.
#[test]
fn a_driven_wall_presses() {
    let mut scene = Scene::new(settings());
    scene.world.set_gravity([0.0; 3]).expect("gravity");
    let material = floor(&mut scene, Material { normal_stiffness: 2e4, ..Material::default() });
    let ball = scene.ball_at([0.0, 0.0, 0.5]);
    let ball = scene.add(&Definition { material, ..ball });
    let top = scene.world.add_shape(Shape::half_space([0.0, 0.0, -1.0], -1.0).expect("a plane")).expect("memory");
    let wall = Definition { kind: Kind::Kinematic, shape: top, material, ..Definition::default() };
    let wall = scene.add(&Definition { linear_velocity: [0.0, 0.0, -2e-3], ..wall });
    let half = StaticDefinition { increment: 0.5, ..STATIC };
    for press in [5.0, 10.0] {
        let report = scene.world.solve_static(&half, &mut []).expect("an increment");
        assert!(report.is_converged, "{report:?}");
        // 1e-3 m over two springs of 1e4 N/m in series
        close(scene.force(wall), [0.0, 0.0, press], 1e-8);
    }
    close(scene.state(ball).position, [0.0, 0.0, 0.499], 1e-12);
    close(scene.velocity(wall), [0.0, 0.0, -2e-3], 0.0);
}

/// The same, and steps that follow, whatever solver they have.
#[test]
fn steps_go_on_from_an_increment() {
    use crate::world::settings::Method;
    for solver in [SolverKind::Pgs, SolverKind::Newton] {
        let mut scene =
            Scene::new(Settings { method: Method::Theta, theta: 1.0, solver, tolerance: 1e-13, ..settings() });
        let material = floor(&mut scene, Material { normal_stiffness: 2e4, ..Material::default() });
        let ball = Definition { material, lock: Lock(0b111_000), ..scene.ball_at([0.0, 0.0, 0.5]) };
        let ball = scene.add(&ball);
        scene.world.add_force(ball, [3.0, 0.0, 0.0], None).expect("a force");
        scene.world.solve_static(&STATIC, &mut []).expect("an increment");
        let place = scene.state(ball).position;
        for _ in 0..20 {
            scene.world.add_force(ball, [3.0, 0.0, 0.0], None).expect("a force");
            scene.world.step(0.01).expect("a step");
            close(scene.state(ball).position, place, 1e-12);
        }
    }
}

#[test]
fn arrays_of_other_lengths_and_bad_numbers_are_refused_by_name() {
    let mut scene = Scene::new(settings());
    floor(&mut scene, Material::default());
    let message = |error: crate::error::Error| error.message;
    let found = scene.world.solve_static(&STATIC, &mut [[0.0; 6]; 2]).expect_err("two for one");
    assert_eq!(message(found), "displacements has 2 entries, expected one for each of 1 bodies");
    let found = scene.world.limit_load(&[], &STATIC, &mut []).expect_err("none");
    assert_eq!(message(found), "unit_loads has 0 entries, expected one for each of 1 bodies");
    for (definition, name) in [
        (StaticDefinition { increment: f64::NAN, ..STATIC }, "increment"),
        (StaticDefinition { max_displacement: -1.0, ..STATIC }, "max_displacement"),
        (StaticDefinition { tolerance: 0.0, ..STATIC }, "tolerance"),
    ] {
        assert!(message(scene.world.solve_static(&definition, &mut []).expect_err("bad")).starts_with(name));
    }
}
