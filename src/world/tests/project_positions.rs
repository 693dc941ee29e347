//! The position pass in scenes: what it leaves of overlap, and that what rests stays at rest.

use super::scene::Scene;
use crate::body::Definition;
use crate::id::Handle;
use crate::math::{Quat, Vec3};
use crate::shape::Shape;
use crate::world::settings::Projection;
use crate::world::{BodyState, Settings};

/// The deepest overlap of a world [m].
fn deepest(scene: &Scene) -> f64 {
    scene.world.contacts().map(|contact| -contact.gap).fold(0.0, f64::max)
}

/// The deepest overlap after two seconds of a body of `mass` dropped 0.5 m on one of 1 kg, which cannot get out of the way, and where they are.
fn dropped(mass: f64, shape: &Shape, settings: Settings) -> (f64, [BodyState; 2]) {
    let mut scene = Scene::new(settings);
    scene.floor();
    let shape = scene.world.add_shape(shape.clone()).expect("memory");
    // Upright: what is tested is how overlap is undone, not whether the sweeps hold the light body.
    let lock = crate::body::Lock(0b111_011);
    let body = |mass: f64, z: f64| Definition { shape, mass, lock, position: [0.0, 0.0, z], ..Definition::default() };
    let bodies = [scene.add(&body(1.0, 0.5)), scene.add(&body(mass, 2.0))];
    for _ in 0..120 {
        scene.world.step(1.0 / 60.0).expect("a step");
    }
    (deepest(&scene), bodies.map(|body: Handle| scene.state(body)))
}

#[test]
fn heavy_on_light_leaves_no_more_overlap_than_like_on_like() {
    let settings = Settings { projection: Projection::Stick, ..Settings::default() };
    for shape in [Shape::sphere(0.5).expect("a ball"), Shape::cuboid([0.5; 3]).expect("a cube")] {
        for mass in [1.0, 1e2, 1e4] {
            let (overlap, [lower, upper]) = dropped(mass, &shape, settings);
            assert!(overlap <= 1e-3, "{overlap} m, {mass} kg");
            // They are still on top of each other.
            assert!((lower.position[2] - 0.5).abs() <= 1e-3 && (upper.position[2] - 1.5).abs() <= 2e-3, "{upper:?}");
        }
    }
}

#[test]
fn steps_of_varying_length_keep_a_stack_at_rest() {
    let mut scene = Scene::new(Settings { projection: Projection::Stick, ..Settings::default() });
    scene.floor();
    let shape = scene.world.add_shape(Shape::cuboid([0.25; 3]).expect("a cube")).expect("memory");
    let boxes: Vec<Handle> = (0..10)
        .map(|k| {
            let position = [0.0, 0.0, 0.25 + 0.5 * f64::from(k)];
            scene.add(&Definition { shape, mass: 1.0, position, ..Definition::default() })
        })
        .collect();
    // The golden ratio spreads the lengths evenly.
    for k in 0..2000 {
        let share = (0.618_033_988_749_895 * f64::from(k)).fract();
        scene.world.step(1.0 / 500.0 + share * (1.0 / 53.0 - 1.0 / 500.0)).expect("a step");
        for body in &boxes {
            let BodyState { linear_velocity: v, angular_velocity: w, .. } = scene.state(*body);
            let speed = v.iter().chain(&w).map(|along| along * along).sum::<f64>().sqrt();
            assert!(speed <= 1e-3, "{speed} m/s after step {k}");
        }
    }
}

#[test]
fn islands_end_by_themselves() {
    // A column with a deep overlap, alone and beside another one with a slight overlap that ends much sooner.
    let column = |scene: &mut Scene, x: f64, overlap: f64| {
        let balls = [0, 1, 2, 3].map(|k| 0.5 - overlap + (1.0 - overlap) * f64::from(k));
        balls.map(|z| scene.ball([x, 0.0, z]))
    };
    let highest = |with_other: bool| {
        let mut scene = Scene::new(Settings::default());
        scene.world.set_gravity([0.0; 3]).expect("gravity");
        scene.floor();
        let slight = column(&mut scene, 0.0, 1e-6);
        if with_other {
            column(&mut scene, 5.0, 1e-2);
        }
        scene.steps(1);
        slight.map(|ball| scene.state(ball).position[2])
    };
    // The slight one is swept as far beside a deep one as alone; more sweeps than it needs bring it nearer to its target.
    let (alone, beside) = (highest(false), highest(true));
    let target = 0.5 + 3.0 - 4.0e-6 * 0.8;
    let missing = [alone, beside].map(|places| (places[3] - target).abs());
    assert!(missing[1] <= missing[0] * (1.0 + 1e-9), "{missing:?}");
}

#[test]
fn a_tower_that_leans_slightly_comes_to_rest_with_default_settings() {
    for (count, lean) in [(10, 1e-8), (10, 1e-6), (12, 1e-7)] {
        let mut scene = Scene::new(Settings::default());
        scene.floor();
        let shape = scene.world.add_shape(Shape::cuboid([0.5, 0.5, 0.25]).expect("a box")).expect("memory");
        let turn = Quat::new(lean * Vec3::new(0.6, 0.8, 0.0));
        for number in 0..count {
            let position = (turn * Vec3::new(0.0, 0.0, 0.25 + 0.5 * f64::from(number))).into();
            let rotation = [turn.i, turn.j, turn.k, turn.w];
            scene.add(&Definition { shape, mass: 0.0, position, rotation, ..Definition::default() });
        }
        let mut fastest = 0.0;
        for step in 0..800 {
            scene.world.step(0.005).expect("a step");
            let speeds = scene.world.body_states().map(|state| Vec3::from(state.linear_velocity).norm());
            fastest = speeds.fold(if step < 600 { 0.0 } else { fastest }, f64::max);
        }
        // Some thousand roundings of the speed that gravity gives in a step. Without a larger budget it is 0.04 m/s.
        assert!(fastest <= 1e-12, "{count} boxes, leaning by {lean:e}: {fastest:e} m/s");
    }
}

/// The rim of an end that lies flush is farthest at any point, by round-off. A contact there would come and go.
#[test]
fn a_tower_of_flat_cylinders_comes_to_rest_with_default_settings() {
    for seed in 3..7 {
        let mut scene = Scene::new(Settings { contact_margin: 1e-3, ..Settings::default() });
        scene.floor();
        let shape = scene.world.add_shape(Shape::cylinder(0.1, 0.5).expect("a cylinder")).expect("memory");
        for number in 0..8 {
            // Places and turns that are spread evenly.
            let part = |step: f64| (step * f64::from(number * (1 + seed))).fract();
            let [x, y] = [0.754_878, 0.569_84].map(|step| 0.1 * part(step) - 0.05);
            let turn = Quat::new(std::f64::consts::TAU * part(0.618_034) * Vec3::z());
            let (position, rotation) = ([x, y, 0.1 + 0.2 * f64::from(number)], [turn.i, turn.j, turn.k, turn.w]);
            scene.add(&Definition { shape, mass: 0.0, position, rotation, ..Definition::default() });
        }
        let mut fastest = 0.0;
        for step in 0..1500 {
            scene.world.step(0.005).expect("a step");
            let speeds = scene.world.body_states().map(|state| Vec3::from(state.linear_velocity).norm());
            fastest = speeds.fold(if step < 300 { 0.0 } else { fastest }, f64::max);
        }
        // As above. With such contacts it is 2e-3 to 0.02 m/s.
        assert!(fastest <= 1e-12, "places {seed}: {fastest:e} m/s");
    }
}
