//! Grains in a box of smooth walls, in the x-y plane. Left wall and floor do not move.

use std::f64::consts::{PI, TAU};

use drystone::body::{Definition, Kind as BodyKind, Lock};
use drystone::contact::material::{Material, Pair};
use drystone::id::Handle;
use drystone::shape::Shape;
use drystone::world::{BodyState, Settings, World};

use super::outline::{Kind, OUTLINES, Outline, mean_diameter};
use super::picture::Drawn;
use crate::support::Failure;
use crate::support::random::Random;

/// Z, ROTATION_X and ROTATION_Y: what grains of a plane do not move in.
const PLANAR: Lock = Lock(4 | 8 | 16);
/// Half the thickness of a wall that moves [D].
const THICK: f64 = 2.0;
/// Of a wall that forces move [D^3]: that of a layer of grains. Statics does not use it.
const WALL_MASS: f64 = 20.0;
const GRAIN: u32 = 1;
const WALL: u32 = 2;

/// Where a grain is: its origin [D], and its angle [rad].
pub(crate) type Pose = [f64; 3];

/// A pair of materials: what grains do to each other, or to walls.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Law {
    /// Of grains on grains, and of grains on the floor. Other walls are smooth.
    pub(crate) friction: f64,
    pub(crate) floor_friction: f64,
    /// Of a contact point; infinite: rigid.
    pub(crate) stiffness: f64,
}

/// How a wall is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hold {
    /// It moves by its velocity.
    Driven,
    /// It moves along its normal as forces say.
    Free,
}

/// The walls that can move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Right,
    Top,
}

/// A world of grains and walls.
pub(crate) struct Assembly {
    pub(crate) world: World,
    pub(crate) grains: Vec<Handle>,
    pub(crate) floor: Handle,
    outlines: Vec<Outline>,
    grain_material: Handle,
    floor_material: Handle,
    wall_material: Handle,
    right: Option<Handle>,
    top: Option<Handle>,
    /// Half the length of walls that move [D].
    half_length: f64,
}

impl Assembly {
    /// Returns grains of a kind at these poses on a floor at y = 0, right of a smooth wall at x = 0; grain `i` has outline `i` modulo 16.
    pub(crate) fn new(kind: Kind, poses: &[Pose], law: Law, settings: Settings) -> Result<Self, Failure> {
        let mut world = World::new(settings, [0.0; 3])?;
        let outlines = Outline::all(kind)?;
        let density = Material { density: 1.0, ..Material::default() };
        let [grain_material, floor_material, wall_material] =
            [world.add_material(density)?, world.add_material(density)?, world.add_material(density)?];
        let fixed = |world: &mut World, normal: [f64; 3], material: Handle| -> Result<Handle, Failure> {
            let shape = world.add_shape(Shape::half_space(normal, 0.0)?)?;
            let kind = BodyKind::Static;
            let definition = Definition {
                kind,
                shape,
                material,
                filter_category: WALL,
                filter_mask: GRAIN,
                ..Definition::default()
            };
            Ok(world.add_body(&definition)?)
        };
        fixed(&mut world, [1.0, 0.0, 0.0], wall_material)?;
        let floor = fixed(&mut world, [0.0, 1.0, 0.0], floor_material)?;
        let shapes = outlines.iter().map(|outline| Ok(world.add_shape(outline.shape()?)?));
        let shapes: Vec<Handle> = shapes.collect::<Result<_, Failure>>()?;
        let definitions = poses.iter().enumerate().map(|(index, pose)| {
            let usual = Definition { lock: PLANAR, filter_category: GRAIN, ..Definition::default() };
            let BodyState { position, rotation, .. } = state(pose);
            let shape = shapes[index % OUTLINES];
            Definition {
                shape,
                material: grain_material,
                position,
                rotation,
                ..disk_mass(&outlines[index % OUTLINES], usual)
            }
        });
        let grains = world.add_bodies(&definitions.collect::<Vec<_>>())?;
        let (right, top) = (None, None);
        let highest = poses.iter().fold(0.0, |highest: f64, [_, y, _]| highest.max(*y));
        let mut assembly = Self {
            world,
            grains,
            floor,
            outlines,
            grain_material,
            floor_material,
            wall_material,
            right,
            top,
            // The walls are higher than the places from which grains fall.
            half_length: f64::max(100.0, 2.0 * highest),
        };
        assembly.set_law(law)?;
        Ok(assembly)
    }

    /// Sets what grains do to each other and to walls.
    pub(crate) fn set_law(&mut self, law: Law) -> Result<(), Failure> {
        let Law { friction, floor_friction, stiffness } = law;
        let of = |friction| Pair { friction, normal_stiffness: stiffness, ..Pair::default() };
        let grain = self.grain_material;
        self.world.set_material_pair(grain, grain, of(friction))?;
        self.world.set_material_pair(grain, self.floor_material, of(floor_friction))?;
        self.world.set_material_pair(grain, self.wall_material, of(0.0))?;
        Ok(())
    }

    /// Puts a wall with its face at `face` [D], in the place of the one of this side. Returns it.
    pub(crate) fn set_wall(&mut self, side: Side, face: f64, hold: Hold) -> Result<Handle, Failure> {
        self.remove_wall(side)?;
        let axis = side as usize;
        let (mut half_extents, mut position) = ([self.half_length, self.half_length, 1.0], [0.0; 3]);
        half_extents[axis] = THICK;
        position[axis] = face + THICK;
        let wall = Definition {
            kind: if hold == Hold::Free { BodyKind::Dynamic } else { BodyKind::Kinematic },
            lock: Lock(if hold == Hold::Free { Lock::ALL & !(1 << axis) } else { 0 }),
            shape: self.world.add_shape(Shape::cuboid(half_extents)?)?,
            material: self.wall_material,
            mass: if hold == Hold::Free { WALL_MASS } else { 0.0 },
            position,
            filter_category: WALL,
            filter_mask: GRAIN,
            ..Definition::default()
        };
        let wall = self.world.add_body(&wall)?;
        *self.wall_of(side) = Some(wall);
        Ok(wall)
    }

    pub(crate) fn remove_wall(&mut self, side: Side) -> Result<(), Failure> {
        if let Some(wall) = self.wall_of(side).take() {
            self.world.remove_body(wall)?;
        }
        Ok(())
    }

    fn wall_of(&mut self, side: Side) -> &mut Option<Handle> {
        match side {
            Side::Right => &mut self.right,
            Side::Top => &mut self.top,
        }
    }

    fn wall(&self, side: Side) -> Result<Handle, Failure> {
        let wall = match side {
            Side::Right => self.right,
            Side::Top => self.top,
        };
        wall.ok_or_else(|| format!("there is no wall {side:?}").into())
    }

    /// Returns where the face of a wall is [D].
    pub(crate) fn face(&self, side: Side) -> Result<f64, Failure> {
        Ok(self.world.body_state(self.wall(side)?)?.position[side as usize] - THICK)
    }

    /// Sets the speed of a driven wall outwards.
    pub(crate) fn drive(&mut self, side: Side, speed: f64) -> Result<(), Failure> {
        let wall = self.wall(side)?;
        let mut state = self.world.body_state(wall)?;
        state.linear_velocity[side as usize] = speed;
        Ok(self.world.set_body_state(wall, &state)?)
    }

    /// Moves the face of a wall.
    pub(crate) fn set_face(&mut self, side: Side, face: f64) -> Result<(), Failure> {
        let wall = self.wall(side)?;
        let mut state = self.world.body_state(wall)?;
        state.position[side as usize] = face + THICK;
        Ok(self.world.set_body_state(wall, &state)?)
    }

    /// Adds a force on a wall for the next step or increment, outwards.
    pub(crate) fn push(&mut self, side: Side, force: f64) -> Result<(), Failure> {
        let mut along = [0.0; 3];
        along[side as usize] = force;
        Ok(self.world.add_force(self.wall(side)?, along, None)?)
    }

    /// Returns the force by which grains push a wall outwards.
    pub(crate) fn thrust(&self, side: Side) -> Result<f64, Failure> {
        Ok(self.world.body_force(self.wall(side)?)?.0[side as usize])
    }

    pub(crate) fn poses(&self) -> Result<Vec<Pose>, Failure> {
        self.grains.iter().map(|grain| Ok(pose(&self.world.body_state(*grain)?))).collect()
    }

    /// Puts grains at rest at these poses.
    pub(crate) fn set_poses(&mut self, poses: &[Pose]) -> Result<(), Failure> {
        for (grain, pose) in self.grains.iter().zip(poses) {
            self.world.set_body_state(*grain, &state(pose))?;
        }
        Ok(())
    }

    /// Puts grains and walls to rest. Returns the speed of the fastest grain.
    pub(crate) fn rest(&mut self) -> Result<f64, Failure> {
        let mut fastest = 0.0f64;
        for body in self.grains.iter().chain(&self.right).chain(&self.top) {
            let mut state = self.world.body_state(*body)?;
            fastest = fastest.max(state.linear_velocity[0].hypot(state.linear_velocity[1]));
            (state.linear_velocity, state.angular_velocity) = ([0.0; 3], [0.0; 3]);
            self.world.set_body_state(*body, &state)?;
        }
        Ok(fastest)
    }
}

/// Returns the area of so many grains of a kind [D^2].
pub(crate) fn area(kind: Kind, count: usize) -> Result<f64, Failure> {
    let areas = Outline::all(kind)?.iter().map(Outline::area).collect::<Result<Vec<_>, _>>()?;
    Ok((0..count).map(|index| areas[index % OUTLINES]).sum())
}

/// Returns the area of disks of the mean diameters of so many grains [D^2].
pub(crate) fn disks(count: usize) -> f64 {
    (0..count).map(|index| PI * radius(index) * radius(index)).sum()
}

/// Returns random places and angles in a box of this size, where disks of the mean diameters of grains do not overlap. They must fill less
/// than half of it.
pub(crate) fn scattered(count: usize, size: [f64; 2], seed: u64) -> Vec<Pose> {
    let mut random = Random::new(seed);
    let mut poses: Vec<Pose> = Vec::with_capacity(count);
    while poses.len() < count {
        let own = radius(poses.len());
        let [x, y] = size.map(|size| random.between(own, size - own));
        let is_free = |(index, other): (usize, &Pose)| (other[0] - x).hypot(other[1] - y) >= own + radius(index);
        if poses.iter().enumerate().all(is_free) {
            poses.push([x, y, random.between(0.0, TAU)]);
        }
    }
    poses
}

fn radius(index: usize) -> f64 {
    0.5 * mean_diameter(index % OUTLINES)
}

/// Gives a disk the mass of one: its shape is a sphere.
fn disk_mass(outline: &Outline, definition: Definition) -> Definition {
    let Outline::Circle { radius } = outline else { return definition };
    let square = radius * radius;
    let mass = PI * square;
    // A cylinder of this radius and a depth of 1 D.
    let across = mass * (square / 4.0 + 1.0 / 12.0);
    Definition { mass, inertia: [across, across, 0.5 * mass * square, 0.0, 0.0, 0.0], ..definition }
}

fn state([x, y, angle]: &Pose) -> BodyState {
    let (sine, cosine) = (0.5 * angle).sin_cos();
    let still = [0.0; 3];
    BodyState {
        position: [*x, *y, 0.0],
        rotation: [0.0, 0.0, sine, cosine],
        linear_velocity: still,
        angular_velocity: still,
    }
}

fn pose(state: &BodyState) -> Pose {
    let [x, y, _] = state.position;
    let [_, _, sine, cosine] = state.rotation;
    [x, y, 2.0 * sine.atan2(cosine)]
}

/// Returns outlines at poses, as they are drawn. Four of the 16 have one colour.
pub(crate) fn drawn(kind: Kind, poses: &[Pose]) -> Result<Vec<Drawn>, Failure> {
    let outlines: Vec<Vec<[f64; 2]>> = Outline::all(kind)?.iter().map(Outline::drawn).collect();
    let placed = |(index, [x, y, angle]): (usize, &Pose)| {
        let (sine, cosine) = angle.sin_cos();
        let points = outlines[index % OUTLINES].iter();
        let moved = points.map(|[a, b]| [x + cosine * a - sine * b, y + sine * a + cosine * b]).collect();
        (moved, index % OUTLINES / 4)
    };
    Ok(poses.iter().enumerate().map(placed).collect())
}
