//! Bodies that are clumps: weights, motion, and that all else of a world goes on with them.

use std::sync::Arc;

use super::periodic::boxed;
use super::scene::{STEP, Scene, close, resisting};
use crate::body::{Definition, Kind, Lock};
use crate::contact::material::Material;
use crate::id::Handle;
use crate::shape::Shape;
use crate::tasks::Serial;
use crate::world::settings::Compatibility;
use crate::world::{ClumpPart, ContactReport, Settings, World};

fn converged() -> Settings {
    Settings { iterations: 5000, tolerance: 1e-13, ..Settings::default() }
}

fn part(shape: Handle, position: [f64; 3]) -> ClumpPart {
    ClumpPart { shape, position, ..ClumpPart::default() }
}

/// Adds a clump of boxes, given by half edges and places.
fn of_boxes(world: &mut World, boxes: &[([f64; 3], [f64; 3])]) -> Handle {
    let parts: Vec<ClumpPart> = boxes
        .iter()
        .map(|(half, place)| part(world.add_shape(Shape::cuboid(*half).expect("a box")).expect("memory"), *place))
        .collect();
    world.add_clump(&parts).expect("a clump")
}

/// An L in the plane of x and z: a foot 3 m long and 1 m high, a leg on its end. The parts share a cube.
const ANGLE: [([f64; 3], [f64; 3]); 2] = [([1.5, 0.5, 0.5], [1.5, 0.0, 0.5]), ([0.5, 0.5, 1.5], [0.5, 0.0, 1.5])];

fn angle(settings: Settings, boxes: &[([f64; 3], [f64; 3])]) -> (Scene, Handle) {
    let mut scene = Scene::new(settings);
    let material = scene.world.add_material(Material { density: 2.0, ..Material::default() }).expect("a material");
    scene.floor();
    let shape = of_boxes(&mut scene.world, boxes);
    let body = scene.add(&Definition { shape, material, ..Definition::default() });
    (scene, body)
}

fn sorted(scene: &Scene) -> Vec<ContactReport> {
    let mut contacts: Vec<ContactReport> = scene.world.contacts().collect();
    contacts.sort_by(|a, b| {
        let rounded = |contact: &ContactReport| contact.point.map(|x| (x * 1e6).round());
        rounded(a).partial_cmp(&rounded(b)).expect("numbers")
    });
    contacts
}

#[test]
fn an_angle_rests_with_its_weight_and_unique_forces() {
    // 5 m^3 of 2 kg/m^3 at 10 m/s^2.
    let weight = 100.0;
    let settings = Settings { compatibility: Compatibility::Hooke, ..converged() };
    let mut turned = ANGLE;
    turned.reverse();
    let mut forces = Vec::new();
    for boxes in [ANGLE, turned] {
        let (mut scene, body) = angle(settings, &boxes);
        let mass = scene.world.body_mass(body).expect("a body");
        assert!((mass.mass - 10.0).abs() < 1e-14);
        scene.steps(50);
        close(scene.velocity(body), [0.0; 3], 1e-12);
        // The residual of 1e-13 m/s is 1e-12 N s, 1.3e-10 N in a step.
        close(scene.force(body), [0.0, 0.0, weight], 2e-10);
        let contacts = sorted(&scene);
        assert_eq!(contacts.len(), 4);
        forces.push(contacts.iter().map(|contact| contact.compatible_normal_force).collect::<Vec<f64>>());
    }
    for (one, other) in forces[0].iter().zip(&forces[1]) {
        assert!((one - other).abs() < 1e-9, "{forces:?}");
    }
    // Four springs under a rigid L: the moment about y is carried by the two pairs. Its centre is (4.5 + 1)/5 = 1.1 m from the heel.
    let heel = weight * (3.0 - 1.1) / 3.0;
    assert!((forces[0][0] + forces[0][1] - heel).abs() < 1e-9, "{forces:?}");
    assert!((forces[0][0] - forces[0][1]).abs() < 1e-9, "{forces:?}");
}

/// To round-off alone: the contact of two plain balls needs no contact point, and its arms are exactly along the normal; those of a clump are
/// differences of places.
#[test]
fn a_clump_of_one_sphere_moves_as_the_sphere() {
    let run = |is_clump: bool| {
        let mut scene = Scene::new(converged());
        let material = scene.world.add_material(resisting(0.05, 0.05)).expect("a material");
        let plane = scene.plane;
        scene.add(&Definition { kind: Kind::Static, shape: plane, material, ..Definition::default() });
        let shape = match is_clump {
            true => scene.world.add_clump(&[part(scene.sphere, [0.0; 3])]).expect("a clump"),
            false => scene.sphere,
        };
        let definition = |x: f64, z: f64| Definition {
            shape,
            material,
            linear_velocity: [1.0, 0.25, 0.0],
            angular_velocity: [0.0, 1.0, 3.0],
            ..scene.ball_at([x, 0.0, z])
        };
        let balls = [definition(0.0, 0.5), definition(0.9, 1.3)];
        let balls = balls.map(|ball| scene.add(&ball));
        let mut states = Vec::new();
        for _ in 0..128 {
            scene.steps(1);
            states.push(balls.map(|ball| scene.state(ball)));
        }
        states
    };
    for (step, (ball, clump)) in run(false).iter().zip(run(true)).enumerate() {
        for (ball, clump) in ball.iter().zip(clump) {
            close(clump.position, ball.position, 1e-10);
            close(clump.angular_velocity, ball.angular_velocity, 1e-9);
            assert!(step < 127 || ball.position[0].abs() > 0.3, "it moved: {ball:?}");
        }
    }
}

#[test]
fn a_dumbbell_rolls_down_a_slope_as_a_ball() {
    // Gravity leans by 3 in 10. Rolling without slip about its axis: a = g_y / (1 + 2/5).
    let mut scene = Scene::new(converged());
    scene.world.set_gravity([0.0, 3.0, -10.0]).expect("gravity");
    scene.floor();
    let shape = scene
        .world
        .add_clump(&[part(scene.sphere, [-1.0, 0.0, 0.0]), part(scene.sphere, [1.0, 0.0, 0.0])])
        .expect("a clump");
    let body = scene.add(&Definition { shape, position: [0.0, 0.0, 0.5], ..Definition::default() });
    scene.steps(128);
    let state = scene.state(body);
    close(state.linear_velocity, [0.0, 3.0 / 1.4, 0.0], 1e-9);
    close(state.angular_velocity, [-2.0 * 3.0 / 1.4, 0.0, 0.0], 1e-9);
    assert_eq!(scene.world.contacts().count(), 2);
}

#[test]
fn a_dumbbell_turns_freely_about_its_centre() {
    // Given off its centre: positions of the parts are 1 and 3 m from the origin.
    let mut scene = Scene::new(Settings::default());
    scene.world.set_gravity([0.0; 3]).expect("gravity");
    let shape = scene
        .world
        .add_clump(&[part(scene.sphere, [1.0, 0.0, 0.0]), part(scene.sphere, [3.0, 0.0, 0.0])])
        .expect("a clump");
    let rate = std::f64::consts::TAU;
    let body = scene.add(&Definition {
        shape,
        position: [-2.0, 0.0, 0.0],
        angular_velocity: [0.0, 0.0, rate],
        ..Definition::default()
    });
    // One turn in 1 s: after it, the origin is where it was.
    scene.steps(128);
    close(scene.state(body).position, [-2.0, 0.0, 0.0], 1e-12);
    scene.steps(64);
    close(scene.state(body).position, [2.0, 0.0, 0.0], 1e-12);
    close(scene.state(body).angular_velocity, [0.0, 0.0, rate], 1e-12);
}

/// Five plates as one body: floor and walls of a bucket, 2 m wide.
const BUCKET: [([f64; 3], [f64; 3]); 5] = [
    ([1.1, 1.1, 0.1], [0.0, 0.0, 0.1]),
    ([0.1, 1.1, 1.0], [-1.0, 0.0, 1.0]),
    ([0.1, 1.1, 1.0], [1.0, 0.0, 1.0]),
    ([1.1, 0.1, 1.0], [0.0, -1.0, 1.0]),
    ([1.1, 0.1, 1.0], [0.0, 1.0, 1.0]),
];

#[test]
fn a_bucket_holds_balls_and_is_lifted_with_them() {
    let mut scene = Scene::new(Settings { iterations: 200, ..Settings::default() });
    scene.floor();
    let shape = of_boxes(&mut scene.world, &BUCKET);
    // It does not turn, as balls on one side would tip it when it is lifted.
    let lock = Lock(8 | 16 | 32);
    let bucket =
        scene.add(&Definition { shape, lock, mass: 10.0, center_of_mass: [0.0, 0.0, 0.8], ..Definition::default() });
    let small = scene.world.add_shape(Shape::sphere(0.3).expect("a ball")).expect("memory");
    let mut balls = Vec::new();
    for k in 0..12 {
        let place = [
            0.65 * f64::from(k % 2) - 0.35 + 0.02 * f64::from(k / 4),
            0.65 * f64::from(k / 2 % 2) - 0.3,
            0.55 + 0.65 * f64::from(k / 4),
        ];
        balls.push(scene.add(&Definition { shape: small, mass: 1.0, position: place, ..Definition::default() }));
    }
    scene.steps(1024);
    let inside = |scene: &Scene| {
        let origin = scene.state(bucket).position;
        balls.iter().all(|ball| {
            let place = scene.state(*ball).position;
            let [x, y, z] = [0, 1, 2].map(|axis| place[axis] - origin[axis]);
            x.abs() < 0.61 && y.abs() < 0.61 && z > 0.49
        })
    };
    assert!(inside(&scene));
    // Bucket and balls weigh 220 N; the balls press down on the bucket by 120 N.
    close(scene.force(bucket), [0.0, 0.0, 100.0], 1e-3);
    let ground: f64 =
        scene.world.contacts().filter(|contact| contact.body_b == bucket).map(|contact| contact.normal_force).sum();
    assert!((ground - 220.0).abs() < 1e-3, "{ground}");
    // Lifted at 15 m/s^2 it takes the balls along.
    let lift = 22.0 * 15.0;
    for _ in 0..64 {
        scene.world.add_force(bucket, [0.0, 0.0, lift], None).expect("a force");
        scene.steps(1);
    }
    assert!(scene.state(bucket).position[2] > 0.4 && inside(&scene));
}

/// Three spheres in a row, which overlap.
fn triple(scene: &mut Scene) -> Handle {
    let ball = scene.world.add_shape(Shape::sphere(0.25).expect("a ball")).expect("memory");
    let parts = [[-0.25, 0.0, 0.0], [0.0, 0.1, 0.0], [0.25, 0.0, 0.0]].map(|place| part(ball, place));
    scene.world.add_clump(&parts).expect("a clump")
}

#[test]
fn a_thousand_clumps_settle() {
    let mut scene = Scene::new(Settings { iterations: 100, ..Settings::default() });
    scene.floor();
    for (normal, offset) in
        [([1.0, 0.0, 0.0], -4.0), ([-1.0, 0.0, 0.0], -4.0), ([0.0, 1.0, 0.0], -4.0), ([0.0, -1.0, 0.0], -4.0)]
    {
        let shape = scene.world.add_shape(Shape::half_space(normal, offset).expect("a wall")).expect("memory");
        scene.add(&Definition { kind: Kind::Static, shape, ..Definition::default() });
    }
    let shape = triple(&mut scene);
    for k in 0..1000 {
        let (i, j, layer) = (k % 7, k / 7 % 10, k / 70);
        let position = [1.1 * f64::from(i) - 3.3, 0.75 * f64::from(j) - 3.4, 0.4 + 0.75 * f64::from(layer)];
        let half = 0.1 * f64::from(k % 11);
        let (sine, cosine) = crate::math::elementary::sin_cos(half);
        scene.add(&Definition { shape, position, rotation: [0.0, 0.0, sine, cosine], ..Definition::default() });
    }
    scene.steps(900);
    let report = scene.world.step(STEP).expect("a step");
    let mass = scene.world.shape_mass_properties(shape).expect("a mass").mass * 1000.0 * 1000.0;
    assert!(report.kinetic_energy < 1e-6 * mass, "{report:?}");
    assert!(report.residual_max < 1e-4 && report.max_overlap < 1e-3, "{report:?}");
    let ground: f64 = scene
        .world
        .contacts()
        .filter(|contact| contact.normal[2] == 1.0 && contact.point[2] < 0.01)
        .map(|contact| contact.normal_force)
        .sum();
    // Walls carry a part by friction.
    assert!(ground > 0.5 * mass * 10.0 && ground < 1.01 * mass * 10.0, "{ground} of {}", mass * 10.0);
}

#[test]
fn a_restored_world_goes_on_alike() {
    let mut scene = Scene::new(Settings::default());
    scene.floor();
    let shape = triple(&mut scene);
    for k in 0..10 {
        let position = [0.3 * f64::from(k % 3), 0.2 * f64::from(k % 2), 0.3 + 0.55 * f64::from(k)];
        scene.add(&Definition { shape, position, ..Definition::default() });
    }
    scene.steps(40);
    let bytes = scene.world.snapshot().expect("memory");
    let mut again = World::from_snapshot(&bytes, Arc::new(Serial)).expect("a world");
    assert_eq!(again.hash(), scene.world.hash());
    for _ in 0..20 {
        again.step(STEP).expect("a step");
    }
    scene.steps(20);
    assert_eq!(again.hash(), scene.world.hash());
}

#[test]
fn clumps_touch_across_the_sides_of_a_periodic_box() {
    let run = |shift: f64| {
        let mut scene = boxed(converged(), [4.0, 8.0, 0.0]);
        let shape = triple(&mut scene);
        let left = scene.add(&Definition {
            shape,
            position: [1.5, 1.0, 0.0],
            linear_velocity: [0.5, 0.0, 0.0],
            ..Definition::default()
        });
        scene.add(&Definition {
            shape,
            position: [2.5 + shift, 1.0, 0.0],
            linear_velocity: [-0.5, 0.0, 0.0],
            ..Definition::default()
        });
        scene.steps(1);
        (
            scene.world.contacts().map(|contact| (contact.point, contact.normal_force)).collect::<Vec<_>>(),
            scene.state(left),
        )
    };
    let (contacts, state) = run(0.0);
    assert!(!contacts.is_empty() && contacts[0].1 > 1.0);
    // Powers of two: the same bits.
    assert_eq!(run(-4.0), (contacts.clone(), state));
    assert_eq!(run(64.0), (contacts, state));
}

#[test]
fn a_clump_falls_asleep_and_a_ball_wakes_it() {
    let (mut scene, body) = angle(Settings { sleeping: true, ..converged() }, &ANGLE);
    scene.steps(300);
    assert!(!scene.world.is_awake(body).expect("a body"));
    scene.ball([2.5, 0.0, 1.5]);
    scene.steps(5);
    assert!(scene.world.is_awake(body).expect("a body"));
}

#[test]
fn a_planar_lock_keeps_a_clump_in_its_plane() {
    let mut scene = Scene::new(Settings::default());
    scene.world.set_gravity([0.0, -10.0, 0.0]).expect("gravity");
    let plane = scene.world.add_shape(Shape::half_space([0.0, 1.0, 0.0], 0.0).expect("plane")).expect("memory");
    scene.add(&Definition { kind: Kind::Static, shape: plane, ..Definition::default() });
    let shape = triple(&mut scene);
    // DRY_LOCK_PLANAR.
    let planar = Lock(4 | 8 | 16);
    let body = scene.add(&Definition {
        shape,
        lock: planar,
        position: [0.0, 1.0, 0.0],
        angular_velocity: [1.0, 1.0, 1.0],
        ..Definition::default()
    });
    scene.steps(200);
    let state = scene.state(body);
    assert_eq!((state.position[2], state.rotation[0], state.rotation[1]), (0.0, 0.0, 0.0));
    assert!(state.position[1] < 0.6 && state.position[1] > 0.2);
}

#[test]
fn the_volume_of_fields_is_that_of_the_union() {
    let (scene, _) = angle(Settings::default(), &ANGLE);
    let fields =
        scene.world.fields(&[[1.1, 0.0, 1.1]], crate::query::fields::KernelKind::Lucy, 1.0, &Serial).expect("fields");
    let field = fields.iter().next().expect("a field");
    // The mass of the union over its volume: what the material is given.
    assert!(field.density > 1.0 && (field.density / field.packing_fraction - 2.0).abs() < 1e-14, "{field:?}");
}

#[test]
fn shapes_that_do_not_exist_are_refused_with_their_place() {
    let mut scene = Scene::new(Settings::default());
    let count = scene.world.snapshot().expect("memory").len();
    let error =
        scene.world.add_clump(&[part(scene.sphere, [0.0; 3]), part(Handle(77), [0.0; 3])]).expect_err("no shape");
    assert!(error.message.starts_with("parts[1]: shape"), "{error:?}");
    let error = scene.world.add_clump(&[part(scene.plane, [0.0; 3])]).expect_err("a half-space");
    assert!(error.message.contains("parts[0]: shape is a half-space"), "{error:?}");
    assert!(scene.world.shape_mass_properties(scene.plane).is_err());
    assert_eq!(scene.world.snapshot().expect("memory").len(), count);
    // A clump has copies.
    let clump = scene.world.add_clump(&[part(scene.sphere, [0.0; 3])]).expect("a clump");
    scene.world.remove_shape(scene.sphere).expect("nothing uses it");
    assert!(
        (scene.world.shape_mass_properties(clump).expect("a mass").volume - std::f64::consts::PI / 6.0).abs() < 1e-15
    );
}
