//! Spheres as points.

use crate::body::Kind;
use crate::error::{Result, refill};
use crate::math::{Mat3, Vec3};
use crate::shape::Shape;
use crate::vtk::{Array, Cells, Dataset, Geometry, NumberType};
use crate::world::state::World;

/// What the contacts of each slot's body do to it.
pub(super) struct Loads {
    /// The force on it [N].
    pub(super) forces: Vec<Vec3>,
    /// The sum of `r (x) f`, with `r` from the centre of mass [N m].
    pub(super) moments: Vec<Mat3>,
}

impl Loads {
    /// Sums the contacts of the last completed step.
    pub(super) fn new(world: &World) -> Result<Self> {
        let (mut forces, mut moments) = (Vec::new(), Vec::new());
        refill(&mut forces, world.bodies.slots(), Vec3::zeros(), "bodies")?;
        refill(&mut moments, world.bodies.slots(), Mat3::zeros(), "bodies")?;
        for contact in world.live_contacts() {
            let (touch, step) = (&contact.touch, contact.step);
            let force = contact.total.force.vector(&touch.geometry.normal) / step;
            let compatible = contact.load.compatible.vector(&touch.geometry.normal) / step;
            for (slot, arm, sign) in
                [(touch.body_a, &touch.geometry.arm_a, -1.0), (touch.body_b, &touch.geometry.arm_b, 1.0)]
            {
                forces[slot as usize] += force * sign;
                moments[slot as usize] += arm * (compatible * sign).transpose();
            }
        }
        Ok(Self { forces, moments })
    }
}

/// Returns a point for each sphere, in the order of their creation.
pub(super) fn dataset(world: &World) -> Result<Dataset> {
    let loads = Loads::new(world)?;
    let spheres = world.bodies.order.iter().filter_map(|slot| {
        match world.shapes.get(world.bodies.traits[*slot as usize].shape) {
            Some(Shape::Sphere(sphere)) => Some((*slot as usize, sphere.radius)),
            _ => None,
        }
    });
    let count = spheres.clone().count();
    let mut points = Array::floats("Points", 3, count)?;
    let mut vertices = Cells::new(count, 1)?;
    let mut bodies = Bodies::new(count)?;
    let mut scalars = [Array::floats("radius", 1, count)?, Array::floats("mass", 1, count)?];
    let mut stress = Array::floats("stress", 9, count)?;
    for (number, (slot, radius)) in spheres.enumerate() {
        let pose = super::bounds::shape_at(world, slot).map_or(Vec3::zeros(), |(_, pose)| pose.origin);
        points.add(pose.as_slice())?;
        vertices.add([number as u64])?;
        bodies.add(world, &loads, slot)?;
        scalars[0].add(&[radius])?;
        scalars[1].add(&[world.bodies.mass[slot].mass])?;
        stress.add(&stress_of(world, &loads, slot))?;
    }
    let none = || Cells::new(0, 0);
    let geometry = Geometry::Poly { points, vertices, lines: none()?, polygons: none()? };
    let point_data = scalars.into_iter().chain(bodies.arrays).chain([stress]).collect();
    Ok(Dataset { geometry, point_data, cell_data: Vec::new() })
}

/// The mean stress in a body, tension positive, row by row [Pa]. Walls have none.
fn stress_of(world: &World, loads: &Loads, slot: usize) -> [f64; 9] {
    let shape = world.shapes.get(world.bodies.traits[slot].shape);
    match shape.and_then(Shape::mass_properties) {
        Some(properties) if world.bodies.traits[slot].kind == Kind::Dynamic => {
            let moment = &loads.moments[slot];
            std::array::from_fn(|entry| moment[(entry / 3, entry % 3)] / properties.volume)
        }
        _ => [0.0; 9],
    }
}

/// What all data sets of bodies have, one tuple for each body or each of its polygons.
pub(super) struct Bodies {
    pub(super) arrays: Vec<Array>,
}

impl Bodies {
    /// Returns empty arrays, with memory for `count` tuples.
    pub(super) fn new(count: usize) -> Result<Self> {
        let integers = ["body", "kind", "user_data"].map(|name| Array::new(name, NumberType::UInt64, 1, count));
        let vectors = ["velocity", "spin", "force"].map(|name| Array::floats(name, 3, count));
        let arrays = integers.into_iter().chain(vectors).collect::<Result<Vec<Array>>>()?;
        Ok(Self { arrays })
    }

    /// Adds the body of a slot.
    pub(super) fn add(&mut self, world: &World, loads: &Loads, slot: usize) -> Result<()> {
        let (bodies, motion) = (&world.bodies, &world.bodies.motion[slot]);
        let kind = match bodies.traits[slot].kind {
            Kind::Static => 0,
            Kind::Kinematic => 1,
            Kind::Dynamic => 2,
        };
        let integers = [bodies.registry.handle(slot).0, kind, bodies.user_data(slot)];
        let vectors = [motion.linear, motion.angular, loads.forces[slot]];
        let (of_integers, of_vectors) = self.arrays.split_at_mut(integers.len());
        of_integers.iter_mut().zip(integers).try_for_each(|(array, value)| array.add_integer(value))?;
        of_vectors.iter_mut().zip(vectors).try_for_each(|(array, value)| array.add(value.as_slice()))
    }
}
