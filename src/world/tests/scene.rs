//! Small scenes for the tests of this room: balls of 1 kg and 0.5 m radius, a floor at z = 0, gravity 10 m/s^2 down.

use crate::body::{Definition, Kind};
use crate::contact::material::Material;
use crate::id::Handle;
use crate::shape::Shape;
use crate::world::{BodyState, Report, Settings, World};

/// A power of two, so that its products are exact [s].
pub(super) const STEP: f64 = 1.0 / 128.0;

/// Checks that the energies of the step are those of the world, to round-off: they are summed in the order of the
/// rows, not of creation.
pub(super) fn assert_energies(report: &Report, scene: &Scene) {
    let (kinetic, potential) = scene.world.energy().expect("finite energies");
    // Sums of at most some dozen numbers of one sign, each addition off by half of the last digit.
    for (name, reported, now) in
        [("kinetic", report.kinetic_energy, kinetic), ("potential", report.potential_energy, potential)]
    {
        assert!(
            (reported - now).abs() <= 32.0 * f64::EPSILON * now.abs(),
            "{name}: {reported} in the report, {now} now"
        );
    }
}

/// A world with two shapes.
pub(super) struct Scene {
    pub(super) world: World,
    pub(super) sphere: Handle,
    pub(super) plane: Handle,
}

impl Scene {
    pub(super) fn new(settings: Settings) -> Self {
        let mut world = World::new(settings, [0.0, 0.0, -10.0]).expect("settings");
        let sphere = world.add_shape(Shape::sphere(0.5).expect("sphere")).expect("memory");
        let plane = world.add_shape(Shape::half_space([0.0, 0.0, 1.0], 0.0).expect("plane")).expect("memory");
        Self { world, sphere, plane }
    }

    pub(super) fn material(&mut self, friction: f64, restitution: f64) -> Handle {
        self.world.add_material(Material { friction, restitution, ..Material::default() }).expect("material")
    }

    /// What a ball at `position` is defined by.
    pub(super) fn ball_at(&self, position: [f64; 3]) -> Definition {
        Definition { shape: self.sphere, position, mass: 1.0, ..Definition::default() }
    }

    pub(super) fn ball(&mut self, position: [f64; 3]) -> Handle {
        self.add(&self.ball_at(position))
    }

    pub(super) fn floor(&mut self) -> Handle {
        self.add(&Definition { kind: Kind::Static, shape: self.plane, ..Definition::default() })
    }

    pub(super) fn add(&mut self, definition: &Definition) -> Handle {
        self.world.add_body(definition).expect("a body")
    }

    pub(super) fn steps(&mut self, count: usize) {
        for _ in 0..count {
            self.world.step(STEP).expect("a step");
        }
    }

    pub(super) fn state(&self, body: Handle) -> BodyState {
        self.world.body_state(body).expect("a body")
    }

    pub(super) fn velocity(&self, body: Handle) -> [f64; 3] {
        self.state(body).linear_velocity
    }

    pub(super) fn force(&self, body: Handle) -> [f64; 3] {
        self.world.body_force(body).expect("a body").0
    }
}

/// A column of three balls on the floor and one beside it, after some steps.
pub(super) fn column(settings: Settings) -> (Scene, [Handle; 5]) {
    let mut scene = Scene::new(settings);
    let floor = scene.floor();
    let balls = [[0.0, 0.0, 0.5], [0.0, 0.0, 1.5], [0.0, 0.0, 2.5], [3.0, 0.0, 0.5]].map(|at| scene.ball(at));
    scene.steps(5);
    (scene, [floor, balls[0], balls[1], balls[2], balls[3]])
}

pub(super) fn close(found: [f64; 3], expected: [f64; 3], tolerance: f64) {
    let error = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(error <= tolerance, "{found:?}, not {expected:?}: off by {error:e}");
}

/// A ball of 0.5 m and 1 kg on the floor that turns with `spin`, and rolls if that has a part across the vertical. Gravity
/// is 10 m/s^2. The ball and the material of both follow the scene.
pub(super) fn turning(settings: Settings, material: Material, spin: [f64; 3]) -> (Scene, Handle, Handle) {
    let mut scene = Scene::new(settings);
    let material = scene.world.add_material(material).expect("a material");
    scene.add(&Definition { kind: Kind::Static, shape: scene.plane, material, ..Definition::default() });
    let [x, y, _] = spin;
    let ball = scene.add(&Definition {
        material,
        linear_velocity: [0.5 * y, -0.5 * x, 0.0],
        angular_velocity: spin,
        ..scene.ball_at([0.0, 0.0, 0.5])
    });
    (scene, ball, material)
}

pub(super) fn resisting(rolling_friction: f64, twisting_friction: f64) -> Material {
    Material { rolling_friction, twisting_friction, ..Material::default() }
}
