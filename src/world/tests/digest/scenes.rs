//! The scenes, and a pile for each of the other methods.

use super::build::{Builder, Scene, two_threads};
use crate::body::{Definition, Kind, Lock};
use crate::contact::material::{Material, Pair};
use crate::id::Handle;
use crate::shape::Shape;
use crate::world::settings::{
    Compatibility, CompatibleFriction, FrictionLaw, Projection, Settings, SolverKind, Sweep, WarmStart,
};
use crate::world::{BodyState, World};

/// The name of a scene in the recorded file, and what builds it.
pub(in crate::world::tests) type Named = (&'static str, fn() -> Scene);

/// All scenes.
pub(in crate::world::tests) const SCENES: [Named; 13] = [
    ("spheres", spheres),
    ("boxes", boxes),
    ("hulls", hulls),
    ("mixed", mixed),
    ("driven", driven),
    ("substeps", substeps),
    ("sleep", sleep),
    ("rolling", rolling),
    ("compatible", compatible),
    ("defaults", defaults),
    // These three may change once, when the order of their sums does.
    ("pile-newton", || pile(SolverKind::Newton)),
    ("pile-accelerated", || pile(SolverKind::PgsAccelerated)),
    ("pile-apgd", || pile(SolverKind::Apgd)),
];

/// A heap that fills a basin, and a smaller one that spreads over the floor beside it.
pub(in crate::world::tests) fn spheres() -> Scene {
    let mut scene = Builder::new(Settings { iterations: 10, ..Settings::default() }, 1);
    scene.material(Material { friction: 0.4, ..Material::default() });
    scene.floor();
    scene.walls(0.45);
    let sphere = scene.shape(Shape::sphere(0.05));
    scene.heap(&[sphere], [8, 8, 6], 0.105, [0.0, 0.0, 0.07]);
    scene.heap(&[sphere], [4, 4, 4], 0.102, [2.0, 0.0, 0.06]);
    scene.scene(0.005, 300)
}

/// A wall that a ball breaks, and a tower that stands beside it; what sticks is projected.
pub(in crate::world::tests) fn boxes() -> Scene {
    let settings = Settings {
        iterations: 20,
        sweep: Sweep::Symmetric,
        projection: Projection::Stick,
        relaxation: 1.1,
        ..Settings::default()
    };
    let mut scene = Builder::new(settings, 2);
    scene.material(Material { friction: 0.6, ..Material::default() });
    scene.floor();
    let brick = scene.shape(Shape::cuboid([0.2, 0.1, 0.1]));
    for layer in 0..5 {
        for place in 0..6 {
            let shift = if layer % 2 == 0 { 0.0 } else { 0.2 };
            let definition = scene.at(brick, [0.4 * f64::from(place) + shift, 0.0, 0.1 + 0.2 * f64::from(layer)]);
            scene.add(&definition);
        }
    }
    for layer in 0..5 {
        let definition = scene.at(brick, [5.0 + 0.02 * f64::from(layer), 0.0, 0.1 + 0.2 * f64::from(layer)]);
        scene.add(&definition);
    }
    let ball = scene.shape(Shape::sphere(0.15));
    let thrown = Definition { linear_velocity: [0.0, 5.0, 1.0], ..scene.at(ball, [1.1, -3.0, 0.5]) };
    scene.add(&thrown);
    scene.scene(0.01, 160)
}

/// Default settings: a turntable with a coin and boxes, a wheel that rolls towards a stack, and a heap that comes to rest.
pub(in crate::world::tests) fn defaults() -> Scene {
    let mut scene = Builder::new(Settings::default(), 9);
    scene.material(Material { friction: 0.6, ..Material::default() });
    scene.floor();
    let (table, coin) = (scene.shape(Shape::cylinder(0.05, 0.5)), scene.shape(Shape::cylinder(0.01, 0.05)));
    let turning = [0.0, 0.0, 2.0];
    let definition = scene.at(table, [3.0, 0.0, 0.05]);
    scene.add(&Definition { kind: Kind::Kinematic, angular_velocity: turning, ..definition });
    let [brick, wheel] = [Shape::cuboid([0.05; 3]), Shape::cylinder(0.05, 0.2)].map(|shape| scene.shape(shape));
    for (shape, place) in [(coin, [3.3, 0.0, 0.11]), (brick, [3.0, 0.3, 0.15]), (brick, [3.0, 0.3, 0.25])] {
        let definition = scene.at(shape, place);
        let [x, y, _] = place;
        let linear_velocity = [-2.0 * y, 2.0 * (x - 3.0), 0.0];
        scene.add(&Definition { linear_velocity, angular_velocity: turning, ..definition });
    }
    for layer in 0..6 {
        let definition = scene.at(brick, [0.0, 2.0, 0.05 + 0.1 * f64::from(layer)]);
        scene.add(&definition);
    }
    let half = 0.5_f64.sqrt();
    let rolling = Definition { rotation: [half, 0.0, 0.0, half], ..scene.at(wheel, [-1.5, 2.0, 0.2]) };
    scene.add(&Definition { linear_velocity: [1.0, 0.0, 0.0], angular_velocity: [0.0, 5.0, 0.0], ..rolling });
    let sphere = scene.shape(Shape::sphere(0.05));
    scene.heap(&[sphere, brick], [3, 3, 3], 0.13, [0.0, 0.0, 0.08]);
    scene.scene(1.0 / 240.0, 400)
}

/// Hulls of three kinds on rough ground.
fn hulls() -> Scene {
    hulls_on_ground(Settings { iterations: 20, ..Settings::default() }, [4, 4, 3])
}

/// Fewer of them, with the compatible forces of Hertz' law.
pub(in crate::world::tests) fn compatible() -> Scene {
    let settings = Settings {
        iterations: 20,
        compatibility: Compatibility::Hertz,
        compatible_friction: CompatibleFriction::Elastic,
        warm_start: WarmStart::Compatible,
        ..Settings::default()
    };
    Scene { steps: 70, ..hulls_on_ground(settings, [3, 3, 2]) }
}

fn hulls_on_ground(settings: Settings, counts: [usize; 3]) -> Scene {
    let mut scene = Builder::new(settings, 3);
    scene.material(Material { friction: 0.5, ..Material::default() });
    let ground = scene.ground(8, 0.4, 0.05);
    scene.fixed(ground, [0.0; 3]);
    let shapes = [6, 9, 14].map(|corners| scene.hull(corners, 0.12));
    scene.heap(&shapes, counts, 0.2, [0.0, 0.0, 0.2]);
    scene.scene(0.01, 140)
}

/// Every shape, on two threads; bodies come and go, one is locked, and the host pushes.
pub(in crate::world::tests) fn mixed() -> Scene {
    let settings = Settings { iterations: 15, sweep: Sweep::Random, seed: 7, ..Settings::default() };
    let mut scene = Builder::with_tasks(settings, 4, two_threads());
    scene.material(Material { friction: 0.3, restitution: 0.2, ..Material::default() });
    let ground = scene.ground(10, 0.3, 0.03);
    scene.fixed(ground, [0.0; 3]);
    scene.walls(1.0);
    let plane = scene.shape(Shape::half_space([0.0, 0.0, 1.0], -0.2));
    scene.fixed(plane, [0.0; 3]);
    let shapes = [
        Shape::sphere(0.06),
        Shape::sphere(0.1),
        Shape::cuboid([0.08, 0.06, 0.07]),
        Shape::capsule(0.06, 0.05),
        Shape::cylinder(0.06, 0.07),
    ]
    .map(|shape| scene.shape(shape));
    let hull = scene.hull(8, 0.1);
    let shapes = [shapes[0], shapes[1], shapes[2], shapes[3], shapes[4], hull];
    let bodies = scene.heap(&shapes, [7, 7, 5], 0.22, [0.0, 0.0, 0.2]);
    // It neither moves along y nor turns about z.
    let locked = Definition { lock: Lock(2 | 32), gravity_scale: 0.5, ..scene.at(shapes[2], [0.0, 0.0, 1.6]) };
    let locked = scene.add(&locked);
    let late = Definition { linear_damping: 0.1, angular_damping: 0.2, ..scene.at(shapes[1], [0.3, 0.2, 1.5]) };
    scene.acting(0.005, 240, move |world, step| {
        if step > 80 {
            world.add_force(locked, [2.0, 1.0, -5.0], Some([0.1, 0.0, 0.5])).expect("a force");
            world.add_torque(bodies[3], [0.0, 0.1, 0.05]).expect("a torque");
        }
        if step % 60 == 0 {
            world.remove_body(bodies[step]).expect("a body");
            world.add_body(&late).expect("a body");
        }
    })
}

/// A paddle that turns and moves through a bed, solved to a tolerance, with friction in a box.
pub(in crate::world::tests) fn driven() -> Scene {
    let settings = Settings { iterations: 60, tolerance: 1e-4, friction_law: FrictionLaw::Box, ..Settings::default() };
    let mut scene = Builder::new(settings, 5);
    scene.material(Material { friction: 0.5, ..Material::default() });
    scene.floor();
    let shapes = [Shape::sphere(0.07), Shape::cuboid([0.06; 3]), Shape::sphere(0.05)].map(|shape| scene.shape(shape));
    scene.heap(&shapes, [8, 5, 3], 0.15, [0.0, 0.0, 0.08]);
    let paddle = scene.shape(Shape::cuboid([0.05, 0.5, 0.2]));
    let paddle =
        Definition { kind: Kind::Kinematic, linear_velocity: [1.0, 0.0, 0.0], ..scene.at(paddle, [-1.0, 0.0, 0.25]) };
    let paddle = scene.add(&paddle);
    scene.acting(0.005, 250, move |world, step| {
        if step % 50 == 0 {
            let state = world.body_state(paddle).expect("a body");
            let [x, _, _] = state.linear_velocity;
            let spin = if step % 100 == 0 { -1.0 } else { 1.0 };
            let state = BodyState {
                linear_velocity: [if step == 150 { -x } else { x }, 0.1 * spin, 0.0],
                angular_velocity: [0.0, 0.0, spin],
                ..state
            };
            world.set_body_state(paddle, &state).expect("a state");
        }
    })
}

/// Spheres and boxes that bounce, each step in four parts.
pub(in crate::world::tests) fn substeps() -> Scene {
    let settings = Settings {
        iterations: 5,
        substeps: 4,
        sweep: Sweep::Natural,
        warm_start: WarmStart::Guarded,
        ..Settings::default()
    };
    let mut scene = Builder::new(settings, 6);
    scene.material(Material { friction: 0.3, restitution: 0.7, ..Material::default() });
    scene.floor();
    let shapes = [Shape::sphere(0.1), Shape::sphere(0.07), Shape::cuboid([0.08, 0.1, 0.06])];
    let shapes = shapes.map(|shape| scene.shape(shape));
    scene.heap(&shapes, [5, 5, 4], 0.23, [0.0, 0.0, 0.5]);
    scene.scene(0.01, 200)
}

/// Columns and a stack that fall asleep and are woken, by a ball that falls on one, and by the host.
pub(in crate::world::tests) fn sleep() -> Scene {
    let mut scene = Builder::new(Settings { iterations: 30, sleeping: true, ..Settings::default() }, 7);
    scene.material(Material { friction: 0.5, ..Material::default() });
    scene.floor();
    let ball = scene.shape(Shape::sphere(0.25));
    let cube = scene.shape(Shape::cuboid([0.25; 3]));
    let mut bodies: Vec<Handle> = Vec::new();
    for column in 0..4 {
        for layer in 0..3 {
            let shape = if column < 2 { ball } else { cube };
            let place = [2.0 * f64::from(column), 0.0, 0.25 + 0.5 * f64::from(layer)];
            let definition = scene.at(shape, place);
            bodies.push(scene.add(&definition));
        }
    }
    let falls = scene.at(ball, [0.1, 0.05, 12.0]);
    scene.add(&falls);
    scene.acting(1.0 / 128.0, 420, move |world, step| wake(world, step, &bodies))
}

/// What the host does to the bodies that sleep.
fn wake(world: &mut World, step: usize, bodies: &[Handle]) {
    match step {
        110 => world.add_force(bodies[11], [4000.0, 0.0, 0.0], None).expect("a force"),
        130 => world.remove_body(bodies[3]).expect("a body"),
        150 => world.wake(bodies[6]).expect("a body"),
        300 => world.set_gravity([0.1, 0.0, -9.0]).expect("gravity"),
        _ => (),
    }
}

/// Bodies that roll down a slope and spin, with resistance to both.
pub(in crate::world::tests) fn rolling() -> Scene {
    let mut scene = Builder::new(Settings { iterations: 15, ..Settings::default() }, 8);
    let slope = scene.material(Material { friction: 0.7, rolling_friction: 0.1, ..Material::default() });
    let length = 26.0_f64.sqrt();
    let plane = scene.shape(Shape::half_space([1.0 / length, 0.0, 5.0 / length], 0.0));
    scene.fixed(plane, [0.0; 3]);
    let resisting = Material { rolling_friction: 0.05, twisting_friction: 0.1, ..Material::default() };
    let own = scene.material(resisting);
    let pair = Pair { friction: 0.5, rolling_friction: 0.1, twisting_friction: 0.05, ..Pair::default() };
    scene.world.set_material_pair(slope, own, pair).expect("a pair");
    let shapes = [Shape::sphere(0.1), Shape::capsule(0.1, 0.08), Shape::cylinder(0.08, 0.1), Shape::sphere(0.07)];
    let shapes = shapes.map(|shape| scene.shape(shape));
    scene.heap(&shapes, [5, 5, 3], 0.25, [0.0, 0.0, 0.4]);
    for place in 0..4 {
        let position = [-4.0, f64::from(place), 0.9];
        let spin = Definition { angular_velocity: [1.0, 5.0, 9.0], ..scene.at(shapes[0], position) };
        scene.add(&spin);
    }
    scene.scene(0.005, 300)
}

/// A heap of spheres and boxes, by another method than sweeps.
fn pile(solver: SolverKind) -> Scene {
    let settings = Settings { solver, iterations: 20, tolerance: 1e-9, ..Settings::default() };
    let mut scene = Builder::new(settings, 9);
    scene.material(Material { friction: 0.5, rolling_friction: 0.02, ..Material::default() });
    scene.floor();
    let shapes = [Shape::sphere(0.1), Shape::cuboid([0.1, 0.08, 0.09])].map(|shape| scene.shape(shape));
    scene.heap(&shapes, [3, 3, 3], 0.24, [0.0, 0.0, 0.15]);
    scene.scene(0.01, 60)
}
