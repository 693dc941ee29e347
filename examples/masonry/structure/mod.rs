//! Structures of rigid blocks on fixed supports: how they are built, loaded, analysed and read.

#![allow(dead_code)] // no program uses all of it

pub(crate) mod arch;
pub(crate) mod forces;
pub(crate) mod picture;
pub(crate) mod root;
pub(crate) mod wall;

use drystone::body::{Definition, Kind, Lock};
use drystone::contact::material::Material;
use drystone::id::Handle;
use drystone::shape::Shape;
use drystone::world::settings::FrictionLaw;
use drystone::world::{BodyState, Settings, StaticDefinition, StaticReport, World};

use super::support::Failure;

/// [m/s^2]
pub(crate) const GRAVITY: f64 = 9.81;
/// Weight of a unit area of depth 1 m is then 1 N [kg/m^3].
pub(crate) const DENSITY: f64 = 1.0 / GRAVITY;
/// The locks of motion in the x-z plane.
const PLANAR: Lock = Lock(2 | 8 | 32);
/// A force [N] and a torque [N m] on a body.
pub(crate) type Wrench = [f64; 6];

/// A block: its body, its mass, and its outline in the x-z plane about the centre of mass.
#[derive(Debug, Clone)]
pub(crate) struct Block {
    pub(crate) body: Handle,
    /// 0 for a support [kg].
    pub(crate) mass: f64,
    /// Empty for a block that is not a prism along y [m].
    pub(crate) outline: Vec<[f64; 2]>,
}

impl Block {
    pub(crate) fn is_support(&self) -> bool {
        self.mass == 0.0
    }
}

/// A structure in a world of its own.
pub(crate) struct Structure {
    pub(crate) world: World,
    pub(crate) material: Handle,
    /// In the order of creation, so that arrays of six numbers have one entry for each.
    pub(crate) blocks: Vec<Block>,
    lock: Lock,
}

impl Structure {
    /// Returns an empty structure whose blocks move in the x-z plane alone. Gravity points down z.
    pub(crate) fn planar(friction: f64) -> Result<Self, Failure> {
        Self::new(friction, PLANAR, Settings { friction_law: FrictionLaw::Associated, ..Settings::default() })
    }

    /// Returns an empty structure in space.
    pub(crate) fn spatial(friction: f64) -> Result<Self, Failure> {
        Self::new(friction, Lock(0), Settings { friction_law: FrictionLaw::Associated, ..Settings::default() })
    }

    fn new(friction: f64, lock: Lock, settings: Settings) -> Result<Self, Failure> {
        let mut world = World::new(settings, [0.0, 0.0, -GRAVITY])?;
        let material = world.add_material(Material { friction, density: DENSITY, ..Material::default() })?;
        Ok(Self { world, material, blocks: Vec::new(), lock })
    }

    /// Adds a prism of depth 1 m along y over a convex outline in the x-z plane, a support if it is fixed.
    pub(crate) fn prism(&mut self, outline: &[[f64; 2]], is_fixed: bool) -> Result<Handle, Failure> {
        let (area, center) = area_and_center(outline);
        self.prism_as(outline, center, if is_fixed { 0.0 } else { DENSITY * area })
    }

    /// Adds a prism with a centre of mass and a mass of its own, a support if that is 0.
    pub(crate) fn prism_as(&mut self, outline: &[[f64; 2]], center: [f64; 2], mass: f64) -> Result<Handle, Failure> {
        let outline: Vec<_> = outline.iter().map(|[x, z]| [x - center[0], z - center[1]]).collect();
        let corners: Vec<_> = outline.iter().flat_map(|[x, z]| [[*x, -0.5, *z], [*x, 0.5, *z]]).collect();
        self.add(Shape::hull(&corners)?, [center[0], 0.0, center[1]], mass, outline)
    }

    /// Adds a box by its lower and upper corner, a support if it is fixed.
    pub(crate) fn cuboid(&mut self, low: [f64; 3], high: [f64; 3], is_fixed: bool) -> Result<Handle, Failure> {
        let half: [f64; 3] = std::array::from_fn(|axis| 0.5 * (high[axis] - low[axis]));
        let center = std::array::from_fn(|axis| 0.5 * (high[axis] + low[axis]));
        let mass = if is_fixed { 0.0 } else { DENSITY * 8.0 * half[0] * half[1] * half[2] };
        let [x, _, z] = half;
        self.add(Shape::cuboid(half)?, center, mass, vec![[-x, -z], [x, -z], [x, z], [-x, z]])
    }

    /// Adds a shape whose origin is its centre of mass.
    pub(crate) fn add(
        &mut self,
        shape: Shape,
        position: [f64; 3],
        mass: f64,
        outline: Vec<[f64; 2]>,
    ) -> Result<Handle, Failure> {
        let kind = if mass > 0.0 { Kind::Dynamic } else { Kind::Static };
        let lock = if mass > 0.0 { self.lock } else { Lock(0) };
        let definition = Definition { kind, lock, material: self.material, position, mass, ..Definition::default() };
        self.add_as(shape, &definition, outline)
    }

    /// Adds a shape by a definition that has all but that.
    pub(crate) fn add_as(
        &mut self,
        shape: Shape,
        definition: &Definition,
        outline: Vec<[f64; 2]>,
    ) -> Result<Handle, Failure> {
        let shape = self.world.add_shape(shape)?;
        let body = self.world.add_body(&Definition { shape, ..*definition })?;
        self.blocks.push(Block { body, mass: definition.gravity_scale * definition.mass, outline });
        Ok(body)
    }

    /// Returns the load of a horizontal acceleration of g along x.
    pub(crate) fn sideways(&self) -> Vec<Wrench> {
        self.blocks.iter().map(|block| [block.mass * GRAVITY, 0.0, 0.0, 0.0, 0.0, 0.0]).collect()
    }

    /// Returns the load of wrenches on some blocks, by their places.
    pub(crate) fn load(&self, on: &[(usize, Wrench)]) -> Vec<Wrench> {
        let mut load = vec![[0.0; 6]; self.blocks.len()];
        for (place, wrench) in on {
            load[*place] = *wrench;
        }
        load
    }

    /// Returns the limit of a load beside the weights.
    pub(crate) fn limit(&mut self, load: &[Wrench]) -> Result<StaticReport, Failure> {
        Ok(self.world.limit_load(load, &StaticDefinition::default(), &mut [])?)
    }

    /// Returns the mechanism at the limit of a load: moves and turns of all blocks for a work of 1 J.
    pub(crate) fn mechanism(&mut self, load: &[Wrench]) -> Result<Vec<Wrench>, Failure> {
        let mut mechanism = vec![[0.0; 6]; self.blocks.len()];
        self.world.limit_load(load, &StaticDefinition::default(), &mut mechanism)?;
        Ok(mechanism)
    }

    /// Adds a share of a load to the forces of the next step.
    pub(crate) fn push(&mut self, load: &[Wrench], share: f64) -> Result<(), Failure> {
        for (block, [x, y, z, about_x, about_y, about_z]) in self.blocks.iter().zip(load) {
            if !block.is_support() {
                self.world.add_force(block.body, [share * x, share * y, share * z], None)?;
                self.world.add_torque(block.body, [share * about_x, share * about_y, share * about_z])?;
            }
        }
        Ok(())
    }

    /// Returns the weight of all blocks [N].
    pub(crate) fn weight(&self) -> f64 {
        GRAVITY * self.blocks.iter().map(|block| block.mass).sum::<f64>()
    }

    /// Returns the states of all blocks.
    pub(crate) fn states(&self) -> Vec<BodyState> {
        self.world.body_states().collect()
    }

    /// Returns how far the corners of blocks are from where they were, at most [m].
    pub(crate) fn drift(&self, before: &[BodyState]) -> f64 {
        let mut most = 0.0_f64;
        for ((block, old), new) in self.blocks.iter().zip(before).zip(self.world.body_states()) {
            for corner in &block.outline {
                let corner = [corner[0], 0.0, corner[1]];
                let (from, to) = (placed(old, corner), placed(&new, corner));
                let apart = (0..3).map(|axis| (to[axis] - from[axis]).powi(2)).sum::<f64>().sqrt();
                most = most.max(apart);
            }
        }
        most
    }
}

/// Returns a point of a body in the world.
pub(crate) fn placed(state: &BodyState, [x, y, z]: [f64; 3]) -> [f64; 3] {
    let [a, b, c, w] = state.rotation;
    let twice = [2.0 * (b * z - c * y), 2.0 * (c * x - a * z), 2.0 * (a * y - b * x)];
    let turned = [
        x + w * twice[0] + b * twice[2] - c * twice[1],
        y + w * twice[1] + c * twice[0] - a * twice[2],
        z + w * twice[2] + a * twice[1] - b * twice[0],
    ];
    std::array::from_fn(|axis| state.position[axis] + turned[axis])
}

/// Returns the area of a polygon and its centroid.
pub(crate) fn area_and_center(outline: &[[f64; 2]]) -> (f64, [f64; 2]) {
    let origin = outline[0];
    let mut sums = [0.0; 3];
    for (place, one) in outline.iter().enumerate() {
        let next = outline[(place + 1) % outline.len()];
        let [[x, z], [u, v]] = [*one, next].map(|corner| [corner[0] - origin[0], corner[1] - origin[1]]);
        let cross = x * v - u * z;
        sums[0] += cross;
        sums[1] += cross * (x + u);
        sums[2] += cross * (z + v);
    }
    let [double, x, z] = sums;
    (0.5 * double.abs(), [origin[0] + x / (3.0 * double), origin[1] + z / (3.0 * double)])
}
