//! A square silo with its grains, and the vertical forces of its floor and walls.

use drystone::body::{Definition, Kind};
use drystone::contact::material::Material;
use drystone::id::Handle;
use drystone::shape::Shape;
use drystone::world::{BodyState, Report, Settings};

use super::support::Failure;
use super::support::arguments::Start;
use super::support::bed::{Grain, Grains as Places};
use super::support::grains::{GRAVITY, Grains, material, settings};

/// [s]
pub(crate) const STEP: f64 = 2.5e-3;
/// Least and largest diameter, uniform in number [mm].
pub(crate) const DIAMETERS: [u32; 2] = [4, 16];
/// Their mean [m].
pub(crate) const MEAN_DIAMETER: f64 = 10e-3;
/// Between grains, and between grains and rough walls.
pub(crate) const FRICTION: f64 = 0.5;
const ROLLING: f64 = 0.1;
/// [kg/m^3]
const DENSITY: f64 = 2500.0;
const SWEEPS: u32 = 50;

/// Returns the material of the grains, the floor and rough walls.
fn stone() -> Material {
    Material {
        friction: FRICTION,
        rolling_friction: ROLLING,
        twisting_friction: ROLLING,
        density: DENSITY,
        ..material()
    }
}

/// Returns settings by which grains come to rest to round-off: the whole history, and friction that does not creep.
fn resting() -> Settings {
    Settings { warm_start_factor: 1.0, regularisation: 0.0, ..settings(Start::History, SWEEPS) }
}

/// A silo whose floor is at height 0 and whose middle is at 0.
pub(crate) struct Silo {
    pub(crate) grains: Grains,
    pub(crate) floor: Handle,
    pub(crate) walls: [Handle; 4],
    pub(crate) half_width: [f64; 2],
    diameters: Vec<f64>,
    masses: Vec<f64>,
}

/// Vertical forces of a step [N].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Forces {
    /// Of the grains on the floor and on the walls, downwards.
    pub(crate) floor: f64,
    pub(crate) walls: f64,
    pub(crate) weight: f64,
    /// Of the momentum of the grains, upwards, by time.
    pub(crate) change: f64,
}

impl Forces {
    /// Returns what the floor alone lacks to weight and change of momentum, over the weight.
    pub(crate) fn floor_imbalance(&self) -> f64 {
        ((self.floor - self.weight - self.change) / self.weight).abs()
    }

    /// Returns what floor and walls lack to them.
    pub(crate) fn imbalance(&self) -> f64 {
        ((self.floor + self.walls - self.weight - self.change) / self.weight).abs()
    }
}

impl Silo {
    /// Returns an empty silo with smooth or rough walls. The floor is rough.
    pub(crate) fn new(half_width: [f64; 2], is_rough: bool) -> Result<Self, Failure> {
        let mut grains = Grains::new(resting())?;
        let rough = grains.world.add_material(stone())?;
        let smooth = Material { friction: 0.0, rolling_friction: 0.0, twisting_friction: 0.0, ..stone() };
        grains.material = if is_rough { rough } else { grains.world.add_material(smooth)? };
        let [x, y] = half_width;
        let sides = [([1.0, 0.0, 0.0], x), ([-1.0, 0.0, 0.0], x), ([0.0, 1.0, 0.0], y), ([0.0, -1.0, 0.0], y)];
        let mut walls = [Handle::NULL; 4];
        for (wall, (normal, distance)) in walls.iter_mut().zip(sides) {
            let fixed = Definition { kind: Kind::Static, ..Definition::default() };
            *wall = grains.wall(Shape::half_space(normal, -distance)?, &fixed)?;
        }
        grains.material = rough;
        let driven = Definition { kind: Kind::Kinematic, ..Definition::default() };
        let floor = grains.wall(Shape::half_space([0.0, 0.0, 1.0], 0.0)?, &driven)?;
        Ok(Self { grains, floor, walls, half_width, diameters: Vec::new(), masses: Vec::new() })
    }

    /// Returns a silo with smooth walls and these grains, at rest.
    pub(crate) fn smooth(places: &Places) -> Result<Self, Failure> {
        let mut silo = Self::new(places.half_width, false)?;
        places.grains.iter().try_for_each(|grain| silo.add(2.0 * grain.radius, grain.center))?;
        Ok(silo)
    }

    pub(crate) fn add(&mut self, diameter: f64, position: [f64; 3]) -> Result<(), Failure> {
        let grain = self.grains.add(diameter, position)?;
        self.diameters.push(diameter);
        self.masses.push(self.grains.world.body_mass(grain)?.mass);
        Ok(())
    }

    /// Returns where the grains are.
    pub(crate) fn places(&self) -> Result<Places, Failure> {
        let states = self.grains.states()?;
        let of = |(state, diameter): (BodyState, &f64)| Grain { center: state.position, radius: 0.5 * diameter };
        Ok(Places { grains: states.into_iter().zip(&self.diameters).map(of).collect(), half_width: self.half_width })
    }

    /// Returns the mass of each grain [kg].
    pub(crate) fn masses(&self) -> &[f64] {
        &self.masses
    }

    /// Returns the weight of all grains [N].
    pub(crate) fn weight(&self) -> f64 {
        GRAVITY * self.masses.iter().sum::<f64>()
    }

    /// Returns the area of the floor [m^2].
    pub(crate) fn area(&self) -> f64 {
        4.0 * self.half_width[0] * self.half_width[1]
    }

    pub(crate) fn step(&mut self) -> Result<Report, Failure> {
        Ok(self.grains.world.step(STEP)?)
    }

    /// Steps once. Returns the forces of the step too.
    pub(crate) fn weigh(&mut self) -> Result<(Forces, Report), Failure> {
        let before = self.grains.states()?;
        let report = self.step()?;
        let after = self.grains.states()?;
        let speeds = before.iter().zip(&after).map(|(old, new)| new.linear_velocity[2] - old.linear_velocity[2]);
        let change = speeds.zip(&self.masses).map(|(speed, mass)| mass * speed).sum::<f64>() / STEP;
        let down = |body: Handle| Ok::<_, Failure>(-self.grains.world.body_force(body)?.0[2]);
        let walls = self.walls.iter().try_fold(0.0, |sum, wall| Ok::<_, Failure>(sum + down(*wall)?))?;
        let forces = Forces { floor: down(self.floor)?, walls, weight: self.weight(), change };
        Ok((forces, report))
    }

    /// Moves the floor at this speed from now on [m/s].
    pub(crate) fn drive_floor(&mut self, speed: f64) -> Result<(), Failure> {
        let mut state = self.grains.world.body_state(self.floor)?;
        state.linear_velocity = [0.0, 0.0, speed];
        Ok(self.grains.world.set_body_state(self.floor, &state)?)
    }
}
