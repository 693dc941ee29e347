//! Floors of tiles, each a static body: what slides or rolls over them feels no seam. Steps between them, and walls, are felt.

use super::scene::Scene;
use crate::body::{Definition, Kind};
use crate::id::Handle;
use crate::math::elementary::sin_cos;
use crate::math::{Quat, Vec3};
use crate::shape::Shape;
use crate::world::Settings;

/// Of the sliding box [m].
const HALF: [f64; 3] = [0.4, 0.4, 0.1];
const FRICTION: f64 = 0.05;

fn corners() -> Vec<[f64; 3]> {
    (0..8).map(|bits| [0, 1, 2].map(|axis| if bits >> axis & 1 == 1 { 0.5 } else { -0.5 })).collect()
}

/// Tiles of edge 1: a box, a hull, a closed mesh, and the upper side alone.
fn tiles(scene: &mut Scene) -> [Handle; 4] {
    let sides =
        [[0, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6], [0, 1, 4], [1, 5, 4], [2, 6, 3], [3, 6, 7], [0, 4, 2], [2, 4, 6]];
    let closed = [sides.as_slice(), &[[1, 3, 5], [3, 7, 5]]].concat();
    let shapes = [
        Shape::cuboid([0.5; 3]),
        Shape::hull(&corners()),
        Shape::mesh(&corners(), &closed),
        Shape::mesh(&corners(), &[[4, 5, 6], [5, 7, 6]]),
    ];
    shapes.map(|shape| scene.world.add_shape(shape.expect("a tile")).expect("memory"))
}

/// A floor at z = 0 of so many tiles along x and y. The kinds alternate.
fn floor(scene: &mut Scene, kinds: &[Handle], [along, across]: [i32; 2]) -> Handle {
    let material = scene.material(FRICTION, 0.0);
    for i in 0..along {
        for j in -1..across {
            let shape = kinds[(i + j + 1) as usize % kinds.len()];
            let position = [f64::from(i), f64::from(j), -0.5];
            scene.add(&Definition { kind: Kind::Static, shape, material, position, ..Definition::default() });
        }
    }
    material
}

fn settings(contact_margin: f64) -> Settings {
    Settings { contact_margin, sleeping: false, ..Settings::default() }
}

/// Kinds of floors, by the numbers of their tiles.
const FLOORS: [&[usize]; 6] = [&[0], &[1], &[2], &[3], &[0, 1], &[0, 3, 2, 1]];

#[test]
fn a_box_slides_over_seams_as_over_a_plane() {
    for (kinds, margin) in FLOORS.iter().flat_map(|kinds| [1e-5, 1e-3, 1e-2, 0.05].map(|margin| (kinds, margin))) {
        let mut scene = Scene::new(settings(margin));
        let tiles = tiles(&mut scene);
        let kinds: Vec<Handle> = kinds.iter().map(|kind| tiles[*kind]).collect();
        let material = floor(&mut scene, &kinds, [16, 2]);
        let shape = scene.world.add_shape(Shape::cuboid(HALF).expect("a box")).expect("memory");
        let (position, linear_velocity) = ([1.013, 0.071, HALF[2]], [4.0, 0.0, 0.0]);
        let body = Definition { shape, material, position, linear_velocity, mass: 1.0, ..Definition::default() };
        let body = scene.add(&body);
        for _ in 0..960 {
            scene.world.step(1.0 / 240.0).expect("a step");
        }
        let state = scene.state(body);
        // mu g t = 0.05 * 10 * 4 is lost. The friction of a converged step is exact.
        let [x, y, z] = state.linear_velocity;
        assert!((x - 2.0).abs() <= 1e-9, "{kinds:?} {margin}: {state:?}");
        assert!(y.abs().max(z.abs()) <= 1e-9, "{kinds:?} {margin}: {state:?}");
        assert!((state.position[2] - HALF[2]).abs() <= 1e-9, "{kinds:?} {margin}: {state:?}");
    }
}

/// Boxes, lying capsules and cylinders, and hulls without friction, from many places and in many directions.
#[test]
fn bodies_slide_over_seams_from_everywhere() {
    let sqrt_half = 0.5f64.sqrt();
    let octagon: Vec<[f64; 3]> = (0..16)
        .map(|at| {
            let (sine, cosine) = sin_cos(f64::from(at / 2) * std::f64::consts::FRAC_PI_4);
            [0.4 * cosine, 0.4 * sine, if at % 2 == 0 { -0.1 } else { 0.1 }]
        })
        .collect();
    let (upright, lying) = ([0.0, 0.0, 0.0, 1.0], [0.0, sqrt_half, 0.0, sqrt_half]);
    let bodies = [
        (Shape::cuboid(HALF), upright),
        (Shape::hull(&octagon), upright),
        (Shape::cylinder(0.1, 0.4), upright),
        (Shape::capsule(0.3, 0.1), lying),
        (Shape::cylinder(0.3, 0.1), lying),
    ];
    let bodies = bodies.map(|(shape, rotation)| (shape.expect("a shape"), rotation));
    for (number, (kinds, margin)) in
        FLOORS.iter().flat_map(|kinds| [1e-3, 0.02, 0.05].map(|margin| (kinds, margin))).enumerate()
    {
        for (kind, (shape, rotation)) in bodies.iter().enumerate() {
            let mut scene = Scene::new(settings(margin));
            let tiles = tiles(&mut scene);
            let kinds: Vec<Handle> = kinds.iter().map(|kind| tiles[*kind]).collect();
            floor(&mut scene, &kinds, [9, 3]);
            let material = scene.material(0.0, 0.0);
            // Places that are spread evenly.
            let part = |step: f64| (step * (5 * number + kind) as f64).fract();
            let (x, y, across) = (1.0 + part(0.618_034), 2.0 * part(0.754_878) - 0.5, 0.6 * part(0.569_84) - 0.3);
            let shape = scene.world.add_shape(shape.clone()).expect("memory");
            let (position, linear_velocity) = ([x, y, 0.1], [3.0, across, 0.0]);
            let body = Definition {
                shape,
                material,
                position,
                rotation: *rotation,
                linear_velocity,
                mass: 1.0,
                ..Definition::default()
            };
            let body = scene.add(&body);
            for step in 0..200 {
                scene.world.step(1.0 / 120.0).expect("a step");
                let state = scene.state(body);
                let [vx, vy, vz] = state.linear_velocity;
                let error =
                    (vx - 3.0).abs().max((vy - across).abs()).max(vz.abs()).max((state.position[2] - 0.1).abs());
                assert!(error <= 1e-9, "floor {number}, body {kind}, margin {margin}, step {step}: {state:?}");
            }
        }
    }
}

#[test]
fn a_ball_rolls_over_seams_as_over_a_plane() {
    for (kinds, margin) in FLOORS.iter().flat_map(|kinds| [1e-5, 1e-3, 1e-2, 0.05].map(|margin| (kinds, margin))) {
        let mut scene = Scene::new(settings(margin));
        let tiles = tiles(&mut scene);
        let kinds: Vec<Handle> = kinds.iter().map(|kind| tiles[*kind]).collect();
        let material = floor(&mut scene, &kinds, [16, 2]);
        let (position, linear_velocity) = ([1.013, 0.071, 0.5], [3.0, 0.1, 0.0]);
        let angular_velocity = [-0.2, 6.0, 0.0];
        let definition = Definition { material, linear_velocity, angular_velocity, ..scene.ball_at(position) };
        let ball = scene.add(&definition);
        for _ in 0..960 {
            scene.world.step(1.0 / 240.0).expect("a step");
            let state = scene.state(ball);
            let [x, y, z] = state.linear_velocity;
            let error = (x - 3.0).abs().max((y - 0.1).abs()).max(z.abs()).max((state.position[2] - 0.5).abs());
            assert!(error <= 1e-9, "{kinds:?} {margin}: {state:?}");
        }
    }
}

/// A box that stands at the foot of a wall touches it along its whole height, and a step of a tenth stops it.
#[test]
fn walls_and_steps_are_felt() {
    for height in [1.0, 0.1, 0.02] {
        let mut scene = Scene::new(settings(1e-3));
        let tiles = tiles(&mut scene);
        let material = floor(&mut scene, &tiles[..1], [4, 2]);
        // Its foot is at 3.5, on or in the floor.
        for j in [-1.0, 0.0, 1.0] {
            let position = [4.0, j, height - 0.5];
            scene.add(&Definition { kind: Kind::Static, shape: tiles[0], material, position, ..Definition::default() });
        }
        let shape = scene.world.add_shape(Shape::cuboid(HALF).expect("a box")).expect("memory");
        // Slow enough that it does not overlap the wall before it is detected.
        let (position, linear_velocity) = ([3.5 - HALF[0] - 0.004, 0.071, HALF[2]], [0.1, 0.0, 0.0]);
        let body = Definition { shape, material, position, linear_velocity, mass: 1.0, ..Definition::default() };
        let body = scene.add(&body);
        scene.steps(20);
        let state = scene.state(body);
        assert!(state.linear_velocity[0].abs() <= 1e-9, "{height}: {state:?}");
        assert!((state.position[0] - 3.5 + HALF[0]).abs() <= 1e-3, "{height}: {state:?}");
        let at_wall: Vec<f64> = scene
            .world
            .contacts()
            .filter(|contact| contact.normal[0].abs() > 0.9)
            .map(|contact| contact.point[2])
            .collect();
        // The lower corners touch the foot of the wall, the upper ones its top or what of it is as high as the box.
        let (low, high) = at_wall.iter().fold((f64::INFINITY, 0.0_f64), |(low, high), z| (low.min(*z), high.max(*z)));
        assert!(low <= 1e-6 && high >= height.min(2.0 * HALF[2]) - 1e-3, "{height}: {at_wall:?}");
    }
}

/// Two tiles one on the other, or overlapping with one upper side, carry as one does.
#[test]
fn coplanar_tiles_that_overlap_carry() {
    let mut scene = Scene::new(settings(1e-3));
    let tiles = tiles(&mut scene);
    for (kind, x) in [(0, 0.0), (1, 0.3), (0, 0.3), (2, 0.1)] {
        let position = [x, 0.0, -0.5];
        scene.add(&Definition { kind: Kind::Static, shape: tiles[kind], position, ..Definition::default() });
    }
    let shape = scene.world.add_shape(Shape::cuboid([0.2, 0.2, 0.1]).expect("a box")).expect("memory");
    let body = scene.add(&Definition { shape, position: [0.1, 0.0, 0.1], mass: 1.0, ..Definition::default() });
    scene.steps(200);
    assert!((scene.state(body).position[2] - 0.1).abs() <= 1e-9, "{:?}", scene.state(body));
}

/// What is put beside a tile later, or taken away, counts from the next step on.
#[test]
fn tiles_may_come_and_go() {
    let mut scene = Scene::new(settings(1e-2));
    let tiles = tiles(&mut scene);
    let material = floor(&mut scene, &tiles[..1], [1, 2]);
    let mut last = Vec::new();
    for j in [-1.0, 0.0, 1.0] {
        let position = [1.0, j, -0.5];
        let tile = Definition { kind: Kind::Static, shape: tiles[0], material, position, ..Definition::default() };
        last.push(scene.add(&tile));
    }
    let definition = Definition { material, ..scene.ball_at([0.45, 0.0, 0.5]) };
    let ball = scene.add(&definition);
    scene.steps(1);
    let count = |scene: &Scene| scene.world.contacts().count();
    assert_eq!(count(&scene), 1, "the tile below it alone");
    for tile in last {
        scene.world.remove_body(tile).expect("a tile");
    }
    scene.steps(1);
    assert_eq!(count(&scene), 1);
    let _ = ball;
}

/// Where a periodic box closes, the tiles lie flush with the images of others.
#[test]
fn a_ball_rolls_over_the_side_of_a_periodic_box() {
    for (kinds, margin) in FLOORS.iter().flat_map(|kinds| [1e-3, 0.05].map(|margin| (kinds, margin))) {
        let mut scene = Scene::new(settings(margin));
        scene.world = scene.world.with_period([8.0, 0.0, 0.0]).expect("a box");
        let tiles = tiles(&mut scene);
        let kinds: Vec<Handle> = kinds.iter().map(|kind| tiles[*kind]).collect();
        let material = floor(&mut scene, &kinds, [8, 2]);
        let (linear_velocity, angular_velocity) = ([3.0, 0.1, 0.0], [-0.2, 6.0, 0.0]);
        let ball = scene.ball_at([1.013, 0.071, 0.5 - 1e-6]);
        let ball = scene.add(&Definition { material, linear_velocity, angular_velocity, ..ball });
        for _ in 0..960 {
            scene.world.step(1.0 / 240.0).expect("a step");
            let state = scene.state(ball);
            let [x, y, z] = state.linear_velocity;
            let error = (x - 3.0).abs().max((y - 0.1).abs()).max(z.abs());
            assert!(error <= 1e-3 && (state.position[2] - 0.5).abs() <= 2e-6, "{kinds:?} {margin}: {state:?}");
        }
    }
}

/// A tip overlaps each of two bodies less sideways than downwards. Their sides cover each other, and have no contacts.
#[test]
fn bodies_that_sink_into_a_seam_do_not_fall_through() {
    let octahedron: Vec<[f64; 3]> =
        (0..6usize).map(|at| [0, 1, 2].map(|axis| if at / 2 == axis { [-0.2, 0.2][at % 2] } else { 0.0 })).collect();
    let eighth = Quat::new(std::f64::consts::FRAC_PI_8 * Vec3::y());
    let bodies = [
        (Shape::cuboid([0.2; 3]), eighth * eighth, 0.2 * 2f64.sqrt()),
        (Shape::hull(&octahedron), Quat::identity(), 0.2),
        (Shape::cylinder(0.2, 0.2), eighth * eighth, 0.2 * 2f64.sqrt()),
    ];
    let bodies = bodies.map(|(shape, turn, height)| (shape.expect("a shape"), turn, height));
    for kinds in FLOORS {
        for (kind, (shape, turn, height)) in bodies.iter().enumerate() {
            for (x, y, speed) in [(1.5, 0.5, 0.0), (1.5, 0.1, 0.0), (1.501, 0.1, -3.0)] {
                let mut scene = Scene::new(settings(1e-3));
                let tiles = tiles(&mut scene);
                let kinds: Vec<Handle> = kinds.iter().map(|kind| tiles[*kind]).collect();
                let material = floor(&mut scene, &kinds, [4, 3]);
                let shape = scene.world.add_shape(shape.clone()).expect("memory");
                let (position, rotation) = ([x, y, height - 1e-6], [turn.i, turn.j, turn.k, turn.w]);
                let linear_velocity = [0.0, 0.0, speed];
                let body = Definition {
                    shape,
                    material,
                    position,
                    rotation,
                    linear_velocity,
                    mass: 1.0,
                    ..Definition::default()
                };
                let body = scene.add(&body);
                for _ in 0..200 {
                    scene.world.step(0.005).expect("a step");
                }
                let depth = scene.state(body).position[2];
                assert!(depth > 0.19, "{kinds:?}, body {kind}, at {x}, {y}, {speed} m/s: {depth} m");
            }
        }
    }
}

/// A wedge lies on a flat floor of two meshes, and its thin end has sunk in beyond the seam. The second mesh alone would let it out downwards sooner.
#[test]
fn a_thin_end_beyond_a_seam_is_pushed_up() {
    let wedge: Vec<[f64; 3]> =
        [-0.2, 0.2].into_iter().flat_map(|y| [[0.3, y, -0.005], [-0.3, y, -0.005], [-0.3, y, 0.012]]).collect();
    let wedge = Shape::hull(&wedge).expect("a wedge");
    for sink in [1e-4, 1e-3, 2e-3] {
        let mut scene = Scene::new(settings(1e-3));
        for x in [-2.0, 0.0] {
            let points = [[x, -2.0, 0.0], [x + 2.0, -2.0, 0.0], [x + 2.0, 2.0, 0.0], [x, 2.0, 0.0]];
            let mesh = Shape::mesh(&points, &[[0, 1, 2], [0, 2, 3]]).expect("a mesh");
            let shape = scene.world.add_shape(mesh).expect("memory");
            scene.add(&Definition { shape, kind: Kind::Static, ..Definition::default() });
        }
        let shape = scene.world.add_shape(wedge.clone()).expect("memory");
        let position = [0.05 - 0.3, 0.03, 0.005 - sink];
        scene.add(&Definition { shape, position, mass: 1.0, ..Definition::default() });
        scene.world.step(1e-5).expect("a step");
        let normals: Vec<f64> = scene.world.contacts().map(|contact| contact.normal[2]).collect();
        assert!(
            !normals.is_empty() && normals.iter().all(|up| up.abs() > 0.999 && *up == normals[0]),
            "{sink}: {normals:?}"
        );
    }
}
