//! The grains of [W], table 1, and worlds of them. What the table leaves out is listed in docs/granular.md.

use drystone::body::{Definition, Kind};
use drystone::contact::material::Material;
use drystone::id::Handle;
use drystone::shape::Shape;
use drystone::world::settings::{Method, Projection, SolverKind};
use drystone::world::{BodyState, Settings, World};

use super::Failure;
use super::arguments::Start;

/// Of a grain [m]. [W] prints the unit as m.
pub(crate) const DIAMETER: f64 = 13e-3;
/// Of the smaller grains of the drum [m].
pub(crate) const SMALLER: f64 = 10e-3;
/// [kg/m^3]
pub(crate) const DENSITY: f64 = 3700.0;
/// [Pa]
pub(crate) const YOUNG: f64 = 6e6;
/// Not printed.
pub(crate) const POISSON: f64 = 0.25;
pub(crate) const FRICTION: f64 = 0.91;
pub(crate) const ROLLING: f64 = 0.32;
pub(crate) const RESTITUTION: f64 = 0.18;
/// Slower grains do not rebound [m/s].
pub(crate) const IMPACT_SPEED: f64 = 0.05;
/// [s]
pub(crate) const STEP: f64 = 5e-3;
/// [m/s^2]
pub(crate) const GRAVITY: f64 = 9.81;
/// The share of the last impulses from which [W] starts.
pub(crate) const HISTORY_SHARE: f64 = 0.85;
/// Returns the material of all grains and walls.
pub(crate) fn material() -> Material {
    Material {
        friction: FRICTION,
        rolling_friction: ROLLING,
        twisting_friction: ROLLING,
        restitution: RESTITUTION,
        young_modulus: YOUNG,
        poisson_ratio: POISSON,
        density: DENSITY,
        ..Material::default()
    }
}

/// Returns the settings of [W]: plain sweeps, as many as given, without tolerance or stick projection.
pub(crate) fn settings(start: Start, iterations: u32) -> Settings {
    Settings {
        method: Method::Spook,
        solver: SolverKind::Pgs,
        warm_start: start.setting(),
        warm_start_factor: HISTORY_SHARE,
        iterations,
        tolerance: 0.0,
        projection: Projection::Off,
        restitution_threshold: IMPACT_SPEED,
        contact_margin: 1e-4,
        spook_relaxation: 2.0,
        regularisation: 1e-6,
        ..Settings::default()
    }
}

/// Returns the mass of a grain [kg].
pub(crate) fn mass(diameter: f64) -> f64 {
    DENSITY * std::f64::consts::PI / 6.0 * diameter * diameter * diameter
}

/// Returns Hertz's stiffness for an effective radius `1/(1/r_a + 1/r_b)` [N/m^1.5].
pub(crate) fn hertz(effective_radius: f64) -> f64 {
    4.0 / 3.0 * 0.5 * YOUNG / (1.0 - POISSON * POISSON) * effective_radius.sqrt()
}

/// A world of grains of one material.
pub(crate) struct Grains {
    pub(crate) world: World,
    pub(crate) material: Handle,
    /// In the order of their creation.
    pub(crate) grains: Vec<Handle>,
    shapes: Vec<(f64, Handle)>,
}

impl Grains {
    /// Returns a world without grains. Gravity points down z.
    pub(crate) fn new(settings: Settings) -> Result<Self, Failure> {
        let mut world = World::new(settings, [0.0, 0.0, -GRAVITY])?;
        let material = world.add_material(material())?;
        Ok(Self { world, material, grains: Vec::new(), shapes: Vec::new() })
    }

    /// Adds a grain at rest.
    pub(crate) fn add(&mut self, diameter: f64, position: [f64; 3]) -> Result<Handle, Failure> {
        self.add_as(diameter, &Definition { position, ..Definition::default() })
    }

    /// Adds a grain by a definition, whose shape and material it replaces.
    pub(crate) fn add_as(&mut self, diameter: f64, definition: &Definition) -> Result<Handle, Failure> {
        let shape = self.sphere(diameter)?;
        let grain = self.world.add_body(&Definition { shape, material: self.material, ..*definition })?;
        self.grains.push(grain);
        Ok(grain)
    }

    fn sphere(&mut self, diameter: f64) -> Result<Handle, Failure> {
        if let Some((_, shape)) = self.shapes.iter().find(|(known, _)| *known == diameter) {
            return Ok(*shape);
        }
        let shape = self.world.add_shape(Shape::sphere(0.5 * diameter)?)?;
        self.shapes.push((diameter, shape));
        Ok(shape)
    }

    /// Adds a wall of the material of the grains. `definition` gives its kind, place and motion.
    pub(crate) fn wall(&mut self, shape: Shape, definition: &Definition) -> Result<Handle, Failure> {
        let shape = self.world.add_shape(shape)?;
        Ok(self.world.add_body(&Definition { shape, material: self.material, ..*definition })?)
    }

    /// Adds a static floor at height 0.
    pub(crate) fn floor(&mut self) -> Result<Handle, Failure> {
        let definition = Definition { kind: Kind::Static, ..Definition::default() };
        self.wall(Shape::half_space([0.0, 0.0, 1.0], 0.0)?, &definition)
    }

    /// Returns the states of the grains.
    pub(crate) fn states(&self) -> Result<Vec<BodyState>, Failure> {
        self.grains.iter().map(|grain| Ok(self.world.body_state(*grain)?)).collect()
    }

    /// Returns the height of the highest centre [m].
    pub(crate) fn highest(&self) -> Result<f64, Failure> {
        Ok(self.states()?.iter().fold(f64::NEG_INFINITY, |highest, state| highest.max(state.position[2])))
    }

    /// Returns the speed of the fastest grain [m/s].
    pub(crate) fn fastest(&self) -> Result<f64, Failure> {
        let speed = |state: &BodyState| norm(state.linear_velocity);
        Ok(self.states()?.iter().map(speed).fold(0.0, f64::max))
    }
}

/// Returns the numbers of a state, to be written.
pub(crate) fn to_numbers(state: &BodyState) -> [f64; 13] {
    let BodyState { position: [x, y, z], rotation: [i, j, k, w], linear_velocity, angular_velocity } = *state;
    let ([u, v, q], [a, b, c]) = (linear_velocity, angular_velocity);
    [x, y, z, i, j, k, w, u, v, q, a, b, c]
}

/// Returns the state of such numbers.
pub(crate) fn from_numbers(numbers: &[f64; 13]) -> BodyState {
    let [x, y, z, i, j, k, w, u, v, q, a, b, c] = *numbers;
    BodyState { position: [x, y, z], rotation: [i, j, k, w], linear_velocity: [u, v, q], angular_velocity: [a, b, c] }
}

/// Returns the length of a vector.
pub(crate) fn norm([x, y, z]: [f64; 3]) -> f64 {
    (x * x + y * y + z * z).sqrt()
}
