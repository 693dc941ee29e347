//! How large a world is.

use crate::math::{Aabb, Pose, Vec3};
use crate::shape::Shape;
use crate::world::state::World;

/// Returns the shape of the body in a slot, and where it is.
pub(super) fn shape_at(world: &World, slot: usize) -> Option<(&Shape, Pose)> {
    let shape = world.shapes.get(world.bodies.traits[slot].shape)?;
    let motion = &world.bodies.motion[slot];
    let origin = motion.center - motion.rotation * world.bodies.mass[slot].center;
    Some((shape, Pose::new(origin, motion.rotation)))
}

/// Returns the box around everything that ends; of a world without that, a point at its origin.
pub(super) fn bounds(world: &World) -> Aabb {
    let boxes = world.bodies.order.iter().filter_map(|slot| {
        let (shape, pose) = shape_at(world, *slot as usize)?;
        (!matches!(shape, Shape::HalfSpace(_))).then(|| shape.bounds(&pose))
    });
    let both = |one: Aabb, other: Aabb| Aabb { lower: one.lower.inf(&other.lower), upper: one.upper.sup(&other.upper) };
    boxes.reduce(both).unwrap_or(Aabb { lower: Vec3::zeros(), upper: Vec3::zeros() })
}
