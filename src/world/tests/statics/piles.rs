//! Piles that came to rest, balanced again by statics.

use super::{Scene, floor};
use crate::body::{Definition, Kind, Lock};
use crate::contact::material::Material;
use crate::math::{Quat, Vec3};
use crate::shape::Shape;
use crate::world::settings::FrictionLaw;
use crate::world::{Settings, StaticDefinition};

/// Drops 12 bodies into a box of 2 by 2. They come to rest in 8 s.
fn pile(seed: u32) -> Scene {
    let mut scene = Scene::new(Settings { contact_margin: 0.02, ..Settings::default() });
    let material = floor(&mut scene, Material { friction: 0.6, ..Material::default() });
    for normal in [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0]] {
        let shape = scene.world.add_shape(Shape::half_space(normal, -1.0).expect("a wall")).expect("memory");
        scene.add(&Definition { kind: Kind::Static, shape, material, ..Definition::default() });
    }
    for number in 0..12 {
        // Places and turns that are spread evenly.
        let part = |step: f64| (step * f64::from(12 * seed + number + 1)).fract();
        let half = 0.2 + 0.1 * part(0.618_034);
        let is_ball = seed % 2 == 1 && number % 2 == 1;
        let shape = if is_ball { Shape::sphere(half) } else { Shape::cuboid([half, 0.8 * half, 0.6 * half]) };
        let shape = scene.world.add_shape(shape.expect("a shape")).expect("memory");
        let turn = Quat::new(6.0 * Vec3::new(part(0.754_878) - 0.5, part(0.569_84) - 0.5, part(0.819_173) - 0.5));
        scene.add(&Definition {
            shape,
            material,
            mass: 1.0 + 4.0 * part(0.414_214),
            position: [1.2 * part(0.732_051) - 0.6, 1.2 * part(0.236_068) - 0.6, 0.4 + 0.6 * f64::from(number)],
            rotation: [turn.i, turn.j, turn.k, turn.w],
            ..Definition::default()
        });
    }
    for _ in 0..1600 {
        scene.world.step(0.005).expect("a step");
    }
    scene
}

/// Many contacts carry next to nothing, and many forces balance: which contacts are open, slide and stick has to be found to
/// 1e-13 before Newton steps are of use.
#[test]
fn piles_at_rest_are_balanced() {
    let mut balanced = 0;
    for seed in 0..12 {
        let mut scene = pile(seed);
        let saved = scene.world.snapshot().expect("a snapshot");
        for law in [FrictionLaw::Associated, FrictionLaw::Coulomb] {
            let Scene { world, .. } = &mut scene;
            world.restore(&saved).expect("a snapshot");
            let settings = Settings { friction_law: law, ..*world.settings() };
            world.set_settings(settings).expect("settings");
            let report = world.solve_static(&StaticDefinition::default(), &mut []).expect("an increment");
            // Balls may still be rolling: they fall further, or lie where hardly anything holds them.
            let is_balanced = report.is_converged && !report.is_collapse;
            assert!(is_balanced || seed % 2 == 1, "{seed}, {law:?}: {report:?}");
            balanced += u32::from(is_balanced);
        }
    }
    assert!(balanced >= 20, "{balanced} of 24");
}

/// Disks at rest by rigid contacts, then elastic: the upper ones sink far more than one contact is pressed in.
#[test]
fn rows_of_disks_sink_when_they_become_soft() {
    let mut scene =
        Scene::new(Settings { contact_margin: 0.005, friction_law: FrictionLaw::Associated, ..Settings::default() });
    let (count, radius) = (16, 0.05);
    let elastic = Material { friction: 0.5, normal_stiffness: 1e6, tangential_stiffness: 8e5, ..Material::default() };
    let material = floor(&mut scene, elastic);
    for (normal, offset) in [([1.0, 0.0, 0.0], 0.0), ([-1.0, 0.0, 0.0], -0.1 * 1.002 * f64::from(count))] {
        let shape = scene.world.add_shape(Shape::half_space(normal, offset).expect("a wall")).expect("memory");
        scene.add(&Definition { kind: Kind::Static, shape, material, ..Definition::default() });
    }
    for (row, place) in (0..count).flat_map(|row| (0..count - row % 2).map(move |place| (row, place))) {
        let part = (0.618_034 * f64::from(row * count + place + 1)).fract();
        let shape = Shape::sphere(radius * (0.97 + 0.03 * part)).expect("a disk");
        let shape = scene.world.add_shape(shape).expect("memory");
        let x = 1.002 * (0.05 + 0.1 * f64::from(place) + 0.05 * f64::from(row % 2));
        let position = [x, 0.0, 0.05 + 0.0866 * f64::from(row)];
        scene.add(&Definition { shape, material, position, lock: Lock(0b101_010), ..Definition::default() });
    }
    for _ in 0..600 {
        scene.world.step(1e-3).expect("a step");
    }
    let definition = StaticDefinition { max_displacement: 1.0, ..StaticDefinition::default() };
    let report = scene.world.solve_static(&definition, &mut []).expect("an increment");
    assert!(report.is_converged && !report.is_collapse, "{report:?}");
    assert!(report.displacement_max > 1e-4, "{report:?}");
}
