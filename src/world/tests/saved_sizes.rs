//! A sphere of a settled pile takes at most 400 bytes in a snapshot: awake and asleep, rigid and elastic, with one radius and with many.

use crate::body::{Definition, Kind};
use crate::contact::material::Material;
use crate::shape::Shape;
use crate::world::settings::Method;
use crate::world::{Settings, World};

/// The most bytes of a sphere at rest.
const LIMIT: f64 = 400.0;

/// A pile that settles in a box.
struct Pile {
    settings: Settings,
    rolling_friction: f64,
    /// The radii are spread over a fifth.
    radii: usize,
    counts: [usize; 3],
    steps: usize,
}

impl Pile {
    /// A rigid pile of equal spheres, which settles fast.
    const RIGID: fn() -> Self =
        || Self { settings: Settings::default(), rolling_friction: 0.0, radii: 1, counts: [14, 14, 16], steps: 700 };

    fn settled(&self) -> World {
        let Self { settings, rolling_friction, radii, counts, steps } = self;
        let mut world = World::new(*settings, [0.0, 0.0, -9.81]).expect("settings");
        // Without resistance to both, some spheres turn for long and keep all others awake.
        let twisting_friction = if settings.sleeping { *rolling_friction } else { 0.0 };
        let resistance = Material { rolling_friction: *rolling_friction, twisting_friction, ..Material::default() };
        let material = Material { young_modulus: 6e6, ..resistance };
        let material = world.add_material(material).expect("a material");
        let mut random = super::digest::words::Random(3);
        let reach = 0.0525 * counts[0] as f64;
        for normal in [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0]] {
            let shape = Shape::half_space(normal, if normal[2] > 0.0 { 0.0 } else { -reach }).expect("a plane");
            let shape = world.add_shape(shape).expect("memory");
            world
                .add_body(&Definition { kind: Kind::Static, shape, material, ..Definition::default() })
                .expect("a body");
        }
        let radius = |number: usize| 0.05 * (1.0 - 0.2 * number as f64 / *radii as f64);
        let spheres: Vec<_> = (0..*radii)
            .map(|number| world.add_shape(Shape::sphere(radius(number)).expect("a sphere")).expect("memory"))
            .collect();
        for number in 0..counts.iter().product() {
            let layer = number / counts[0];
            let place = [number % counts[0], layer % counts[1], layer / counts[1]];
            let place = place.map(|place| 0.105 * (place as f64 + 0.5) + random.between(-0.002, 0.002));
            let position = [place[0] - reach, place[1] - reach, place[2]];
            // A large prime number spreads the radii over the box, each as often as the others.
            let shape = spheres[7919 * number % spheres.len()];
            world.add_body(&Definition { shape, material, position, ..Definition::default() }).expect("a body");
        }
        (0..*steps).for_each(|_| _ = world.step(0.005).expect("a step"));
        world
    }

    /// Returns the bytes of a sphere. A copy has as many, and the same state.
    fn bytes_each(&self) -> f64 {
        let world = self.settled();
        let (bytes, spheres) = (world.snapshot_size().expect("memory"), world.body_count() - 5);
        let copy = world.try_clone().expect("a world");
        assert!(copy.has_same_state(&world).expect("memory"));
        assert_eq!(copy.snapshot().expect("memory"), world.snapshot().expect("memory"));
        let each = bytes as f64 / spheres as f64;
        let asleep = world.body_handles().filter(|body| world.is_awake(*body) == Ok(false)).count();
        println!(
            "{each} bytes at {} contacts, {asleep} of {spheres} asleep",
            world.contact_count() as f64 / spheres as f64
        );
        assert!(asleep == 0 || asleep == spheres, "{asleep} of {spheres} sleep");
        assert_eq!(asleep > 0, self.settings.sleeping);
        each
    }
}

#[test]
fn a_rigid_sphere_at_rest() {
    // The first pile has 2.65 contacts a sphere, and takes 312.2 bytes.
    for (rolling_friction, limit) in [(0.0, 314.0), (0.02, LIMIT)] {
        let each = Pile { rolling_friction, ..(Pile::RIGID)() }.bytes_each();
        assert!(each <= limit, "{each} bytes for a sphere with rolling friction {rolling_friction}");
    }
}

#[test]
fn a_sphere_that_sleeps() {
    let settings = Settings { sleeping: true, ..Settings::default() };
    let each = Pile { settings, rolling_friction: 0.02, ..(Pile::RIGID)() }.bytes_each();
    assert!(each <= LIMIT, "{each} bytes for a sphere");
}

/// Where contacts are elastic, each has the parts of a contact with an elastic law, all of them zero.
#[test]
fn an_elastic_sphere() {
    let settings = Settings { method: Method::Spook, iterations: 30, ..Settings::default() };
    for (rolling_friction, sleeping, radii) in [(0.0, false, 1), (0.02, false, 1), (0.02, true, 1), (0.02, false, 1000)]
    {
        let settings = Settings { sleeping, ..settings };
        let (counts, steps) = ([10, 10, 10], 1500);
        let each = Pile { settings, rolling_friction, radii, counts, steps }.bytes_each();
        assert!(each <= LIMIT, "{each} bytes with rolling friction {rolling_friction}, {radii} radii, {sleeping}");
    }
}

/// Each sphere has a shape and a mass of its own.
#[test]
fn a_sphere_of_many_radii() {
    for rolling_friction in [0.0, 0.02] {
        let each = Pile { rolling_friction, radii: 3136, ..(Pile::RIGID)() }.bytes_each();
        assert!(each <= LIMIT, "{each} bytes for a sphere with rolling friction {rolling_friction}");
    }
}
