//! A box of six heavy walls around grains: each wall has one free axis, and is pressed by a stress or driven at a speed.

use drystone::body::{Definition, Lock};
use drystone::contact::material::{Material, Pair};
use drystone::id::Handle;
use drystone::joint::{JointAxis, JointDefinition, JointKind, MotorMode};
use drystone::shape::Shape;
use drystone::world::{JointRequest, Settings, World};
use serde::{Deserialize, Serialize};

use super::support::Failure;
use super::support::grains::{DIAMETER, Grains, STEP, from_numbers, mass, material, to_numbers};
use super::support::random::Random;
use super::support::saved::Saved;

/// In this test [Pa].
const YOUNG: f64 = 60e6;
/// Of grains while they are pressed together, so that the packing becomes dense; not printed.
const PRESSING_FRICTION: f64 = 0.2;
/// Of a wall [kg].
pub(crate) const WALL_MASS: f64 = 100.0;
/// Half the thickness of a wall [m].
const THICK: f64 = 0.05;
/// Hydrostatic stress [Pa].
pub(crate) const PRESSURE: f64 = 100.0;
/// Of each of the walls that are driven [m/s].
pub(crate) const SPEED: f64 = 0.01;
/// Walls slower than this are at rest [m/s].
const REST: f64 = 1e-4;
/// The grains carry a wall if its stress is so near to the pressure [-].
const CARRIED: f64 = 0.05;
/// The walls must be at rest for so long [steps].
const RESTING: u32 = 40;
/// The part of the volume that the grains fill at the start. Grains at random places then fit without overlap.
const INITIAL_SOLID_FRACTION: f64 = 0.25;
/// No packing takes longer [steps].
const MAX_STEPS: u32 = 6000;
const GRAIN: u32 = 1;
const WALL: u32 = 2;

/// The walls `2 axis` and `2 axis + 1` are those towards minus and plus of an axis.
pub(crate) struct Cell {
    pub(crate) grains: Grains,
    pub(crate) walls: [Handle; 6],
    /// Sliders of the walls along z.
    sliders: [Handle; 2],
    is_driven: bool,
    wall_mass: f64,
}

/// Where and how all bodies are.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Packing {
    pub(crate) wall_mass: f64,
    pub(crate) walls: Vec<[f64; 13]>,
    pub(crate) grains: Vec<[f64; 13]>,
}

/// How far a packing is pressed.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
struct Pressing {
    /// First with little friction, then with all.
    phase: usize,
    steps_in_phase: u32,
    steps: u32,
    /// Steps in a row in which the walls were at rest.
    resting: u32,
}

/// What a step of the cell shows.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Reading {
    /// Of the motors over the area, mean of both [Pa].
    pub(crate) motor: f64,
    /// Of the contacts on the walls of each axis over their area, mean of both [Pa].
    pub(crate) walls: [f64; 3],
    /// Of the contacts inside, compression positive [Pa].
    pub(crate) inside: [f64; 3],
    /// What motor force and contact force lack to mass times acceleration, over the largest of these terms and the force of the pressure.
    pub(crate) imbalance: f64,
    /// Distance of the walls along each axis [m].
    pub(crate) gaps: [f64; 3],
    pub(crate) sweeps: u32,
    /// The largest [m/s].
    pub(crate) residual: f64,
}

impl Cell {
    /// Returns a cell with `count` grains at random places, at rest, without weight.
    pub(crate) fn loose(count: usize, wall_mass: f64, settings: Settings) -> Result<Self, Failure> {
        let edge = (count as f64 * mass(DIAMETER) / material().density / INITIAL_SOLID_FRACTION).cbrt();
        let mut cell = Self::empty(edge, wall_mass, settings)?;
        for position in scattered(count, 0.5 * (edge - DIAMETER)) {
            let grain = Definition { position, filter_category: GRAIN, ..Definition::default() };
            cell.grains.add_as(DIAMETER, &grain)?;
        }
        Ok(cell)
    }

    /// Returns a cell as a packing was left.
    pub(crate) fn of(packing: &Packing, settings: Settings) -> Result<Self, Failure> {
        let mut cell = Self::loose(packing.grains.len(), packing.wall_mass, settings)?;
        let bodies = cell.walls.iter().chain(&cell.grains.grains).copied().collect::<Vec<_>>();
        for (body, state) in bodies.into_iter().zip(packing.walls.iter().chain(&packing.grains)) {
            cell.grains.world.set_body_state(body, &from_numbers(state))?;
        }
        Ok(cell)
    }

    fn empty(edge: f64, wall_mass: f64, settings: Settings) -> Result<Self, Failure> {
        let mut grains = Grains::new(settings)?;
        grains.world.set_gravity([0.0; 3])?;
        grains.material = grains.world.add_material(Material { young_modulus: YOUNG, ..material() })?;
        let smooth = Material {
            friction: 0.0,
            rolling_friction: 0.0,
            twisting_friction: 0.0,
            young_modulus: YOUNG,
            ..material()
        };
        let smooth = grains.world.add_material(smooth)?;
        let mut walls = [Handle::NULL; 6];
        for (at, wall) in walls.iter_mut().enumerate() {
            *wall = add_wall(&mut grains, smooth, at, [edge, wall_mass])?;
        }
        let sliders = [slider(&mut grains, walls[4])?, slider(&mut grains, walls[5])?];
        Ok(Self { grains, walls, sliders, is_driven: false, wall_mass })
    }

    pub(crate) fn world(&self) -> &World {
        &self.grains.world
    }

    pub(crate) fn world_mut(&mut self) -> &mut World {
        &mut self.grains.world
    }

    /// Sets the friction of grains on grains.
    fn set_friction(&mut self, friction: f64) -> Result<(), Failure> {
        let of = material();
        let pair = Pair {
            friction,
            rolling_friction: of.rolling_friction,
            twisting_friction: of.twisting_friction,
            restitution: of.restitution,
            ..Pair::default()
        };
        Ok(self.grains.world.set_material_pair(self.grains.material, self.grains.material, pair)?)
    }

    /// Presses the grains together until the walls are at rest, smooth first and then with their friction. Returns the steps.
    pub(crate) fn press(&mut self, saved: &mut Saved) -> Result<u32, Failure> {
        let mut pressing = Pressing::default();
        if let Some(earlier) = saved.state("pressing")? {
            pressing = earlier;
            saved.restore(&mut [&mut self.grains.world])?;
        }
        for friction in [PRESSING_FRICTION, material().friction].into_iter().skip(pressing.phase) {
            if pressing.steps_in_phase == 0 {
                self.set_friction(friction)?;
            }
            while pressing.resting < RESTING && pressing.steps < MAX_STEPS {
                let reading = self.step()?;
                pressing.steps += 1;
                pressing.steps_in_phase += 1;
                // The walls start at rest too, without grains that carry them.
                let is_carried = reading.walls.iter().all(|stress| (stress / PRESSURE - 1.0).abs() < CARRIED);
                pressing.resting = if is_carried && self.fastest_wall()? < REST { pressing.resting + 1 } else { 0 };
                saved.keep("pressing", &pressing, &[&self.grains.world])?;
            }
            pressing = Pressing { phase: pressing.phase + 1, steps: pressing.steps, ..Pressing::default() };
        }
        Ok(pressing.steps)
    }

    pub(crate) fn packing(&self) -> Result<Packing, Failure> {
        let state = |body: &Handle| Ok(to_numbers(&self.grains.world.body_state(*body)?));
        let of = |bodies: &[Handle]| bodies.iter().map(state).collect::<Result<Vec<_>, Failure>>();
        Ok(Packing { wall_mass: self.wall_mass, walls: of(&self.walls)?, grains: of(&self.grains.grains)? })
    }

    /// Drives the walls along z towards each other, from now on.
    pub(crate) fn drive(&mut self) -> Result<(), Failure> {
        for (slider, speed) in self.sliders.into_iter().zip([SPEED, -SPEED]) {
            let usual = JointAxis::new(JointKind::Slider);
            let axis = JointAxis { motor: MotorMode::Velocity, target_velocity: speed, ..usual };
            self.grains.world.set_joint_axis(slider, 2, &axis)?;
        }
        self.is_driven = true;
        Ok(())
    }

    /// Steps once, with the pressure on all walls that are not driven. Returns what the walls and the grains carried.
    pub(crate) fn step(&mut self) -> Result<Reading, Failure> {
        let gaps = self.gaps()?;
        let areas = [gaps[1] * gaps[2], gaps[2] * gaps[0], gaps[0] * gaps[1]];
        let pressed = if self.is_driven { 4 } else { 6 };
        let before = self.speeds()?;
        for (at, wall) in self.walls.into_iter().enumerate().take(pressed) {
            let mut force = [0.0; 3];
            force[at / 2] = if at % 2 == 0 { PRESSURE } else { -PRESSURE } * areas[at / 2];
            self.grains.world.add_force(wall, force, None)?;
        }
        let report = self.grains.world.step(STEP)?;
        let reading = self.read(gaps, areas, before)?;
        Ok(Reading { sweeps: report.iterations, residual: report.residual_max, ..reading })
    }

    fn read(&self, gaps: [f64; 3], areas: [f64; 3], before: [f64; 6]) -> Result<Reading, Failure> {
        let after = self.speeds()?;
        let mut reading = Reading { gaps, ..Reading::default() };
        for (at, wall) in self.walls.into_iter().enumerate() {
            let (axis, inwards) = (at / 2, if at % 2 == 0 { 1.0 } else { -1.0 });
            let contacts = self.grains.world.body_force(wall)?.0[axis];
            reading.walls[axis] -= 0.5 * inwards * contacts / areas[axis];
            let motor = match at {
                4 | 5 if self.is_driven => self.grains.world.joint_state(self.sliders[at - 4])?.motor_force[2],
                _ => inwards * PRESSURE * areas[axis],
            };
            if axis == 2 {
                reading.motor += 0.5 * inwards * motor / areas[axis];
            }
            let inertia = self.wall_mass * (after[at] - before[at]) / STEP;
            // Motors and grains carry nothing while a wall moves freely: the pressure is the least scale.
            let largest = contacts.abs().max(motor.abs()).max(inertia.abs()).max(PRESSURE * areas[axis]);
            reading.imbalance = reading.imbalance.max((motor + contacts - inertia).abs() / largest);
        }
        reading.inside = self.inside(gaps)?;
        Ok(reading)
    }

    /// Returns the mean stress of the contacts in the box [Pa]. The centres of mass of the walls are in their faces: a branch ends there.
    fn inside(&self, gaps: [f64; 3]) -> Result<[f64; 3], Failure> {
        // A contact is beyond the face of a wall by half of its overlap, and the walls have moved.
        let middle = self.middle()?;
        let half = gaps.map(|gap| 0.5 * gap + 0.1 * DIAMETER);
        let corner = |sign: f64| [0, 1, 2].map(|axis: usize| middle[axis] + sign * half[axis]);
        let stress = self.grains.world.stress(corner(-1.0), corner(1.0))?;
        let larger = half.iter().zip(gaps).map(|(half, gap)| 2.0 * half / gap).product::<f64>();
        Ok([0, 4, 8].map(|entry: usize| -larger * stress[entry]))
    }

    /// Returns the speed of each wall along its axis [m/s].
    fn speeds(&self) -> Result<[f64; 6], Failure> {
        let mut speeds = [0.0; 6];
        for (at, (speed, wall)) in speeds.iter_mut().zip(self.walls).enumerate() {
            *speed = self.grains.world.body_state(wall)?.linear_velocity[at / 2];
        }
        Ok(speeds)
    }

    pub(crate) fn fastest_wall(&self) -> Result<f64, Failure> {
        Ok(self.speeds()?.into_iter().fold(0.0, |most: f64, speed| most.max(speed.abs())))
    }

    /// Returns where the inner face of each wall is along its axis [m].
    fn faces(&self) -> Result<[f64; 6], Failure> {
        let mut faces = [0.0; 6];
        for (at, (face, wall)) in faces.iter_mut().zip(self.walls).enumerate() {
            let outwards = if at % 2 == 0 { -1.0 } else { 1.0 };
            *face = self.grains.world.body_state(wall)?.position[at / 2] - outwards * THICK;
        }
        Ok(faces)
    }

    fn gaps(&self) -> Result<[f64; 3], Failure> {
        let faces = self.faces()?;
        Ok([0, 2, 4].map(|at: usize| faces[at + 1] - faces[at]))
    }

    fn middle(&self) -> Result<[f64; 3], Failure> {
        let faces = self.faces()?;
        Ok([0, 2, 4].map(|at: usize| 0.5 * (faces[at + 1] + faces[at])))
    }
}

/// Adds a wall whose inner face is half an edge from the origin.
fn add_wall(grains: &mut Grains, material: Handle, at: usize, [edge, mass]: [f64; 2]) -> Result<Handle, Failure> {
    let (axis, outwards) = (at / 2, if at.is_multiple_of(2) { -1.0 } else { 1.0 });
    // Walls reach over the edges of the box, and do not see each other.
    let (mut half_extents, mut position, mut center) = ([edge; 3], [0.0; 3], [0.0; 3]);
    half_extents[axis] = THICK;
    position[axis] = outwards * (0.5 * edge + THICK);
    center[axis] = -outwards * THICK;
    let wall = Definition {
        position,
        lock: Lock(Lock::ALL & !(1 << axis)),
        material,
        mass,
        center_of_mass: center,
        inertia: [mass, mass, mass, 0.0, 0.0, 0.0],
        filter_category: WALL,
        filter_mask: GRAIN,
        shape: grains.world.add_shape(Shape::cuboid(half_extents)?)?,
        ..Definition::default()
    };
    Ok(grains.world.add_body(&wall)?)
}

/// Adds a slider along z of the world without drive.
fn slider(grains: &mut Grains, wall: Handle) -> Result<Handle, Failure> {
    let kind = JointKind::Slider;
    let position = grains.world.body_state(wall)?.position;
    let definition = JointDefinition { point_a: position, ..JointDefinition::new(kind) };
    let axes = [JointAxis::new(kind); 6];
    let request = JointRequest { definition, axes, body_a: Handle::NULL, body_b: wall, user_data: 0 };
    Ok(grains.world.add_joint(&request)?)
}

/// Returns places at random in a cube of this half edge, none nearer to another than a diameter.
fn scattered(count: usize, half: f64) -> Vec<[f64; 3]> {
    let mut random = Random::new(4);
    let mut places: Vec<[f64; 3]> = Vec::with_capacity(count);
    while places.len() < count {
        let place = [0; 3].map(|_: i32| random.between(-half, half));
        let is_free = |other: &[f64; 3]| {
            let square: f64 = (0..3).map(|axis| (place[axis] - other[axis]) * (place[axis] - other[axis])).sum();
            square >= DIAMETER * DIAMETER
        };
        if places.iter().all(is_free) {
            places.push(place);
        }
    }
    places
}
