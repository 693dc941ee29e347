//! Scenes that stand when their forces are right: stacks, a wall, an arch, a tower, a house of cards.

use drystone::body::{Definition, Kind};
use drystone::id::Handle;
use drystone::shape::Shape;
use drystone::world::{Settings, World};

/// A world in which everything is to stay where it was put.
pub(crate) struct Scene {
    pub(crate) world: World,
    floor: Handle,
    bodies: Vec<Handle>,
    /// Where the bodies were put [m].
    placed: Vec<[f64; 3]>,
    /// The smallest edge of a body [m].
    pub(crate) edge: f64,
}

impl Scene {
    /// A floor at z = 0 and gravity.
    fn new(settings: Settings, edge: f64) -> Self {
        let mut world = World::new(settings, [0.0, 0.0, -9.81]).expect("settings");
        let shape = world.add_shape(Shape::half_space([0.0, 0.0, 1.0], 0.0).expect("plane")).expect("memory");
        let floor = Definition { kind: Kind::Static, shape, ..Definition::default() };
        let floor = world.add_body(&floor).expect("floor");
        Self { world, floor, bodies: Vec::new(), placed: Vec::new(), edge }
    }

    fn shape(&mut self, shape: Shape) -> Handle {
        self.world.add_shape(shape).expect("memory")
    }

    fn add(&mut self, shape: Handle, position: [f64; 3], rotation: [f64; 4]) {
        self.add_heavy(shape, position, rotation, 0.0);
    }

    /// The same with a mass [kg]; 0: that of the material.
    fn add_heavy(&mut self, shape: Handle, position: [f64; 3], rotation: [f64; 4], mass: f64) {
        let definition = Definition { shape, position, rotation, mass, ..Definition::default() };
        self.bodies.push(self.world.add_body(&definition).expect("a body"));
        self.placed.push(position);
    }

    /// The speed of the fastest body [m/s].
    pub(crate) fn fastest(&self) -> f64 {
        let speed = |body: &Handle| norm(self.world.body_state(*body).expect("a body").linear_velocity);
        self.bodies.iter().map(speed).fold(0.0, f64::max)
    }

    /// How far a body is from where it was put, at most [m].
    pub(crate) fn drift(&self) -> f64 {
        let off = |(body, placed): (&Handle, &[f64; 3])| {
            let now = self.world.body_state(*body).expect("a body").position;
            norm([now[0] - placed[0], now[1] - placed[1], now[2] - placed[2]])
        };
        self.bodies.iter().zip(&self.placed).map(off).fold(0.0, f64::max)
    }

    /// The force on the floor, downwards [N].
    pub(crate) fn floor_force(&self) -> f64 {
        -self.world.body_force(self.floor).expect("the floor").0[2]
    }
}

fn norm(v: [f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

const UPRIGHT: [f64; 4] = [0.0, 0.0, 0.0, 1.0];

/// Boxes of 0.5 m exactly on each other.
pub(crate) fn stack(settings: Settings, count: usize) -> Scene {
    let mut scene = Scene::new(settings, 0.5);
    let shape = scene.shape(Shape::cuboid([0.25; 3]).expect("box"));
    (0..count).for_each(|at| scene.add(shape, [0.0, 0.0, 0.25 + 0.5 * at as f64], UPRIGHT));
    scene
}

/// A box of 0.5 m and 1 kg under one of so many times the mass.
pub(crate) fn heavy_on_light(settings: Settings, ratio: f64) -> Scene {
    let mut scene = Scene::new(settings, 0.5);
    let shape = scene.shape(Shape::cuboid([0.25; 3]).expect("box"));
    scene.add_heavy(shape, [0.0, 0.0, 0.25], UPRIGHT, 1.0);
    scene.add_heavy(shape, [0.0, 0.0, 0.75], UPRIGHT, ratio);
    scene
}

/// A ball of 0.5 m and 1 kg under one of so many times the mass.
pub(crate) fn heavy_ball_on_light(settings: Settings, ratio: f64) -> Scene {
    let mut scene = Scene::new(settings, 0.5);
    let shape = scene.shape(Shape::sphere(0.25).expect("ball"));
    scene.add_heavy(shape, [0.0, 0.0, 0.25], UPRIGHT, 1.0);
    scene.add_heavy(shape, [0.0, 0.0, 0.75], UPRIGHT, ratio);
    scene
}

/// Cylinders of 0.5 m height and diameter exactly on each other.
pub(crate) fn cylinders(settings: Settings, count: usize) -> Scene {
    let mut scene = Scene::new(settings, 0.5);
    let shape = scene.shape(Shape::cylinder(0.25, 0.25).expect("cylinder"));
    (0..count).for_each(|at| scene.add(shape, [0.0, 0.0, 0.25 + 0.5 * at as f64], UPRIGHT));
    scene
}

/// A wall of unit boxes 0.1 m apart, so many in the lowest course and one less in each above.
pub(crate) fn wall(settings: Settings, courses: usize) -> Scene {
    let mut scene = Scene::new(settings, 1.0);
    let shape = scene.shape(Shape::cuboid([0.5; 3]).expect("box"));
    for course in 0..courses {
        for at in 0..courses - course {
            let x = 1.1 * (at as f64 + 0.5 * course as f64);
            scene.add(shape, [x, 0.0, 0.5 + course as f64], UPRIGHT);
        }
    }
    scene
}

/// A half circle of voussoirs between the radii 2 m and 2.6 m, 0.5 m deep.
pub(crate) fn arch(settings: Settings, count: usize) -> Scene {
    let mut scene = Scene::new(settings, 0.4);
    let half = 0.5 * std::f64::consts::PI / count as f64;
    // A block about its own middle: the axis of the block is x.
    let middle = 2.3;
    let mut points = Vec::new();
    for (radius, angle) in [(2.0, -half), (2.0, half), (2.6, -half), (2.6, half)] {
        for y in [-0.25, 0.25] {
            points.push([radius * f64::cos(angle) - middle, y, radius * f64::sin(angle)]);
        }
    }
    let hull = Shape::hull(&points).expect("hull");
    let shape = scene.shape(hull);
    for at in 0..count {
        let angle = (2 * at + 1) as f64 * half;
        let (sin, cos) = (0.5 * angle).sin_cos();
        // Turned by -angle about y, x goes to (cos, 0, sin).
        scene.add(shape, [middle * angle.cos(), 0.0, middle * angle.sin()], [0.0, -sin, 0.0, cos]);
    }
    scene
}

/// A tower of planks, two in each course, alternately along x and y.
pub(crate) fn tower(settings: Settings, planks: usize) -> Scene {
    let mut scene = Scene::new(settings, 0.1);
    let along = [[0.5, 0.1, 0.05], [0.1, 0.5, 0.05]].map(|half| scene.shape(Shape::cuboid(half).expect("box")));
    for at in 0..planks {
        let (course, side) = (at / 2, 0.4 * (2.0 * (at % 2) as f64 - 1.0));
        let z = 0.05 + 0.1 * course as f64;
        let position = if course % 2 == 0 { [0.0, side, z] } else { [side, 0.0, z] };
        scene.add(along[course % 2], position, UPRIGHT);
    }
    scene
}

/// A house of cards of 0.4 m by 0.6 m by 0.02 m: so many storeys of leaning pairs, with cards lying between them.
pub(crate) fn cards(settings: Settings, storeys: usize) -> Scene {
    let half = [0.01, 0.2, 0.3];
    let mut scene = Scene::new(settings, 2.0 * half[0]);
    let shape = scene.shape(Shape::cuboid(half).expect("box"));
    let lean: f64 = 20.0_f64.to_radians();
    let (sin, cos) = lean.sin_cos();
    let (reach, height) = (half[0] * cos + half[2] * sin, half[2] * cos + half[0] * sin);
    // The lying cards reach from apex to apex, 2 mm apart.
    let width = 2.0 * half[2] + 0.002;
    let (tilt, flat) = ((0.5 * lean).sin_cos(), std::f64::consts::FRAC_1_SQRT_2);
    let mut base = 0.0;
    for storey in 0..storeys {
        let pairs = storeys - storey;
        let first = 0.5 * width * storey as f64;
        for pair in 0..pairs {
            let x = first + width * pair as f64;
            scene.add(shape, [x - reach, 0.0, base + height], [0.0, tilt.0, 0.0, tilt.1]);
            scene.add(shape, [x + reach, 0.0, base + height], [0.0, -tilt.0, 0.0, tilt.1]);
        }
        for gap in 0..pairs.saturating_sub(1) {
            let x = first + width * (gap as f64 + 0.5);
            scene.add(shape, [x, 0.0, base + 2.0 * height + half[0]], [0.0, flat, 0.0, flat]);
        }
        base += 2.0 * height + 2.0 * half[0];
    }
    scene
}

/// A heap that is to form: so many boxes of 0.2 m, in layers of `side` squared, above a floor between four walls. The
/// boxes have gaps between them and are turned at random.
pub(crate) fn heap(settings: Settings, count: usize, side: usize, seed: u64) -> Scene {
    let (edge, spacing) = (0.2, 0.35);
    let mut scene = Scene::new(settings, edge);
    let half = 0.5 * spacing * side as f64;
    for (shape, position) in [
        ([0.5, half + 1.0, 5.0], [half + 0.5, 0.0, 5.0]),
        ([0.5, half + 1.0, 5.0], [-half - 0.5, 0.0, 5.0]),
        ([half + 1.0, 0.5, 5.0], [0.0, half + 0.5, 5.0]),
        ([half + 1.0, 0.5, 5.0], [0.0, -half - 0.5, 5.0]),
    ] {
        let shape = scene.shape(Shape::cuboid(shape).expect("a wall"));
        let wall = Definition { kind: Kind::Static, shape, position, ..Definition::default() };
        scene.world.add_body(&wall).expect("a wall");
    }
    let shape = scene.shape(Shape::cuboid([0.5 * edge; 3]).expect("a box"));
    let mut state = seed;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / 9_007_199_254_740_992.0 - 0.5
    };
    for at in 0..count {
        let turn = [0; 4].map(|_| random());
        let length = turn.iter().map(|x| x * x).sum::<f64>().sqrt();
        let [x, y] = [at % side, at / side % side].map(|place| (place as f64 + 0.5) * spacing - half);
        let z = ((at / side / side) as f64 + 0.6) * spacing;
        scene.add(shape, [x + 0.002 * random(), y + 0.002 * random(), z], turn.map(|x| x / length));
    }
    scene
}
