//! Coarse-grained fields of a world: what of it is matter, and what carries force.

use crate::body::Kind;
use crate::error::{Error, Result, all_finite, finite, push};
use crate::math::Vec3;
use crate::query::fields::{Branch, Fields, Grain, Kernel, KernelKind, Medium, check_count};
use crate::shape::Shape;
use crate::tasks::Tasks;
use crate::world::sleep::StepContact;
use crate::world::state::World;

impl World {
    /// Returns the coarse-grained fields of the last completed step at each of the `points` [m]. The kernel has this
    /// form and this `width` [m]; 0 stands for the mean diameter of the dynamic spheres. The work runs on `tasks`.
    ///
    /// # Errors
    ///
    /// A number is not finite, the width is out of range, or there is no sphere to take it from. The kernel reaches
    /// over more than four periods of the box. A field is beyond the largest number.
    pub fn fields(&self, points: &[[f64; 3]], kind: KernelKind, width: f64, tasks: &dyn Tasks) -> Result<Fields> {
        check_count(points.len())?;
        all_finite("points_xyz", points.as_flattened())?;
        finite("width", width)?;
        let width = if width == 0.0 { self.mean_diameter()? } else { width };
        let kernel = Kernel::new(kind, width)?;
        Medium::new(kernel, &self.period, &self.grains()?, &self.branches()?)?.fields(points, tasks)
    }

    /// Returns what runs the steps of the world.
    pub fn tasks(&self) -> &dyn Tasks {
        &*self.tasks
    }

    /// The mean diameter of the dynamic spheres [m].
    fn mean_diameter(&self) -> Result<f64> {
        let radius = |slot: usize| match self.shapes.get(self.bodies.traits[slot].shape) {
            Some(Shape::Sphere(sphere)) => Some(sphere.radius),
            _ => None,
        };
        let (count, sum) =
            self.dynamic().filter_map(radius).fold((0.0, 0.0), |(count, sum), radius| (count + 1.0, sum + radius));
        if count > 0.0 {
            return Ok(2.0 * (sum / count));
        }
        let message =
            "width is 0 and the world has no dynamic sphere whose diameter it could be, expected a number above 0";
        Err(Error::argument(message))
    }

    /// The slots of the dynamic bodies, in the order of their creation.
    fn dynamic(&self) -> impl Iterator<Item = usize> + '_ {
        let is_dynamic = |slot: &usize| self.bodies.traits[*slot].kind == Kind::Dynamic;
        self.bodies.order.iter().map(|slot| *slot as usize).filter(is_dynamic)
    }

    fn grains(&self) -> Result<Vec<Grain>> {
        let mut grains = Vec::new();
        for slot in self.dynamic() {
            let motion = &self.bodies.motion[slot];
            let properties = self.shapes.get(self.bodies.traits[slot].shape).and_then(Shape::mass_properties);
            let grain = Grain {
                position: motion.center,
                velocity: motion.linear,
                mass: self.bodies.mass[slot].mass,
                volume: properties.map_or(0.0, |properties| properties.volume),
            };
            push(&mut grains, grain, "grains")?;
        }
        Ok(grains)
    }

    /// The branches of contacts that carry force, as in `query::mean_stress`.
    fn branches(&self) -> Result<Vec<Branch>> {
        let is_dynamic = |slot: u32| self.bodies.traits[slot as usize].kind == Kind::Dynamic;
        let arm = |slot: u32, arm: &Vec3| if is_dynamic(slot) { *arm } else { Vec3::zeros() };
        let mut branches = Vec::new();
        for StepContact { touch, load, step, .. } in self.live_contacts() {
            let force = load.compatible.vector(&touch.geometry.normal) / step;
            if force == Vec3::zeros() {
                continue;
            }
            let [to_a, to_b] = [arm(touch.body_a, &touch.geometry.arm_a), arm(touch.body_b, &touch.geometry.arm_b)];
            let branch = Branch { start: touch.geometry.point - to_a, branch: to_a - to_b, force };
            push(&mut branches, branch, "branches of contacts")?;
        }
        Ok(branches)
    }
}
