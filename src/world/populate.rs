//! Adding, removing, modifying and waking bodies, and shapes.

use crate::body::{Definition, Kind, Lock, Mass, Motion, NewBody, Wrench};
use crate::collide::narrow::{self, Closest};
use crate::error::{Error, Number, Result, all_finite, reserve, text};
use crate::id::Handle;
use crate::math::{Period, Quat, Symmetric3, Vec3, limits, unit_quaternion};
use crate::shape::Shape;
use crate::solver::compatibility::Displacement;
use crate::world::read::BodyState;
use crate::world::sleep::Waker;
use crate::world::state::World;

/// The locks of a body that moves in the x-y plane: Z, ROTATION_X and ROTATION_Y.
const PLANAR: u32 = 4 | 8 | 16;

impl World {
    /// Adds a shape, which any number of bodies can share.
    pub fn add_shape(&mut self, shape: Shape) -> Result<Handle> {
        self.shapes.add(shape)
    }

    /// Removes a shape that no body has.
    pub fn remove_shape(&mut self, shape: Handle) -> Result<()> {
        self.shapes.remove(shape)
    }

    /// Returns the point of a shape's surface that is closest to `point`, shape axes.
    ///
    /// # Errors
    ///
    /// The shape does not exist or is a hull, a mesh or a clump. The point is not finite or too far away.
    pub fn closest_point(&self, shape: Handle, point: [f64; 3]) -> Result<Closest> {
        let slot = self.shapes.registry.slot("shape", shape)?;
        all_finite("point", &point)?;
        let Some(shape) = self.shapes.get(slot as u32) else {
            return Err(Error::argument("shape does not exist"));
        };
        narrow::closest(shape, &Vec3::from(point))
    }

    /// Adds a body.
    pub fn add_body(&mut self, definition: &Definition) -> Result<Handle> {
        let body = self.resolve(definition)?;
        self.reserve_bodies(std::slice::from_ref(&body))?;
        Ok(self.insert(body))
    }

    /// Adds all bodies, or none.
    pub fn add_bodies(&mut self, definitions: &[Definition]) -> Result<Vec<Handle>> {
        let mut resolved = Vec::new();
        reserve(&mut resolved, definitions.len(), "bodies")?;
        for (index, definition) in definitions.iter().enumerate() {
            resolved.push(self.resolve(definition).map_err(|error| error.at(format_args!("defs[{index}]: ")))?);
        }
        let mut handles = Vec::new();
        reserve(&mut handles, definitions.len(), "bodies")?;
        self.reserve_bodies(&resolved)?;
        handles.extend(resolved.into_iter().map(|body| self.insert(body)));
        Ok(handles)
    }

    /// Removes a body with its contacts and their forces.
    pub fn remove_body(&mut self, body: Handle) -> Result<()> {
        let slot = self.bodies.registry.slot("body", body)?;
        self.reserve_modified(1)?;
        self.removed.reserve(self.bodies.slots())?;
        self.waker().wake_modified(slot);
        self.remove_joints_of(slot as u32);
        self.active_bodies.remove(&self.bodies, slot, self.radius(slot));
        self.shapes.uses[self.bodies.traits[slot].shape as usize] -= 1;
        self.bodies.remove(slot);
        // Its contacts stay in the list until the next step.
        self.removed.insert(slot);
        Ok(())
    }

    /// Sets the pose and the velocities of a body. Locked components of the velocities are set to zero.
    pub fn set_body_state(&mut self, body: Handle, state: &BodyState) -> Result<()> {
        let slot = self.bodies.registry.slot("body", body)?;
        all_finite("position", &state.position)?;
        let rotation = unit_quaternion("rotation", &state.rotation)?;
        all_finite("linear_velocity", &state.linear_velocity)?;
        all_finite("angular_velocity", &state.angular_velocity)?;
        let traits = &self.bodies.traits[slot];
        let center = self.bodies.mass[slot].center;
        let motion = traits.allowed(Motion {
            center: Vec3::from(state.position) + rotation * center,
            rotation,
            linear: Vec3::from(state.linear_velocity),
            angular: Vec3::from(state.angular_velocity),
        });
        check_reach(&motion, &center, self.radius(slot))?;
        if let Some(shape) = self.shapes.get(traits.shape) {
            self.check_image(shape, &motion)?;
            if let Shape::Curve(_) = shape {
                check_upright(&rotation)?;
            }
        }
        self.reserve_modified(1)?;
        self.anchors.moved.reserve(self.bodies.slots())?;
        self.waker().wake_modified(slot);
        let before = std::mem::replace(&mut self.bodies.motion[slot], motion);
        if has_moved(&before, &motion, &self.period) {
            self.anchors.moved.insert(slot);
        }
        if self.bodies.traits[slot].kind == Kind::Static {
            self.bodies.changes.insert(slot);
        }
        Ok(())
    }

    /// Adds a force for the next step, at a world point or at the centre of mass.
    pub fn add_force(&mut self, body: Handle, force: [f64; 3], point: Option<[f64; 3]>) -> Result<()> {
        let slot = self.forced_slot(body)?;
        all_finite("force", &force)?;
        let force = Vec3::from(force);
        let torque = match point {
            None => Vec3::zeros(),
            Some(point) => {
                all_finite("point", &point)?;
                (Vec3::from(point) - self.bodies.motion[slot].center).cross(&force)
            }
        };
        self.add_wrench(slot, force, torque)
    }

    /// Adds a torque for the next step.
    pub fn add_torque(&mut self, body: Handle, torque: [f64; 3]) -> Result<()> {
        let slot = self.forced_slot(body)?;
        all_finite("torque", &torque)?;
        self.add_wrench(slot, Vec3::zeros(), Vec3::from(torque))
    }

    fn add_wrench(&mut self, slot: usize, force: Vec3, torque: Vec3) -> Result<()> {
        let wrench = self.bodies.wrench(slot);
        let sum = Wrench { force: wrench.force + force, torque: wrench.torque + torque };
        all_finite("the sum of the forces", sum.force.as_slice())?;
        all_finite("the sum of the torques", sum.torque.as_slice())?;
        self.bodies.set_wrench(slot, sum)?;
        if force != Vec3::zeros() || torque != Vec3::zeros() {
            self.waker().wake(slot as u32);
        }
        Ok(())
    }

    /// Returns the slot of a body that forces can move.
    fn forced_slot(&self, body: Handle) -> Result<usize> {
        let slot = self.bodies.registry.slot("body", body)?;
        match self.bodies.traits[slot].kind {
            Kind::Dynamic => Ok(slot),
            kind => {
                let value = body.0;
                Err(Error::argument(text!("body is {value:#x}, a {} body, expected a DRY_DYNAMIC one", kind.name())))
            }
        }
    }

    /// Returns whether a body takes part in steps. Only movable bodies can sleep.
    ///
    /// # Errors
    ///
    /// The body does not exist.
    pub fn is_awake(&self, body: Handle) -> Result<bool> {
        let slot = self.bodies.registry.slot("body", body)?;
        Ok(!self.sleep.is_asleep(slot as u32))
    }

    /// Wakes a body with its island. Resets the sleep timer of a body that is awake.
    ///
    /// # Errors
    ///
    /// The body does not exist.
    pub fn wake(&mut self, body: Handle) -> Result<()> {
        let slot = self.bodies.registry.slot("body", body)?;
        self.waker().wake(slot as u32);
        if let Some(timer) = self.sleep.sleep_timer.get_mut(slot) {
            *timer = 0.0;
        }
        Ok(())
    }

    /// Returns access to what changes when a body wakes.
    pub(in crate::world) fn waker(&mut self) -> Waker<'_> {
        let Self { sleep, active_bodies, bodies, .. } = self;
        Waker { sleep, active_bodies, bodies }
    }

    /// Reserves memory, so that the next `additional` calls of [`Waker::wake_modified`] cannot fail.
    pub(in crate::world) fn reserve_modified(&mut self, additional: usize) -> Result<()> {
        // Also without sleeping, which may be on in the next step.
        self.sleep.modified.reserve(self.bodies.slots() + additional)
    }

    /// Reserves memory, so that [`World::insert`] of each of these cannot fail.
    fn reserve_bodies(&mut self, new: &[NewBody]) -> Result<()> {
        self.active_bodies.reserve(new.len(), self.bodies.slots())?;
        self.reserve_modified(new.len())?;
        self.bodies.reserve(new)
    }

    fn insert(&mut self, body: NewBody) -> Handle {
        self.shapes.uses[body.traits.shape as usize] += 1;
        let (slot, handle) = self.bodies.insert(body);
        self.sleep.reset(slot);
        // The slot may still have the values of a removed body.
        if let Some(wrench) = self.contact_forces.sums.get_mut(slot) {
            *wrench = Wrench::ZERO;
        }
        self.projection_budget.clear_debt(slot);
        if let Some(displacement) = self.displacements.get_mut(slot) {
            *displacement = Displacement::default();
        }
        self.active_bodies.insert(&self.bodies, slot, self.radius(slot));
        self.waker().wake_modified(slot);
        handle
    }

    /// Returns the radius of the bounding sphere of the body in `slot`, about the shape's origin [m].
    fn radius(&self, slot: usize) -> f64 {
        self.shapes.get(self.bodies.traits[slot].shape).map_or(0.0, Shape::bounding_radius)
    }

    /// Checks a definition, and looks up its shape and material.
    fn resolve(&self, definition: &Definition) -> Result<NewBody> {
        definition.check()?;
        let shape_slot = self.shapes.registry.slot("shape", definition.shape)?;
        let material = self.materials.slot("material", definition.material)?;
        let rotation = unit_quaternion("rotation", &definition.rotation)?;
        let Some(shape) = self.shapes.get(shape_slot as u32) else {
            return Err(Error::argument("shape does not exist"));
        };
        let mass = self.mass_of(definition, shape, self.materials.get(material).density)?;
        if let Shape::Curve(_) = shape {
            check_planar(definition, &rotation)?;
        }
        let body = NewBody::new(definition, rotation, shape_slot, material, mass);
        check_reach(&body.motion, &body.mass.center, shape.bounding_radius())?;
        self.check_image(shape, &body.motion)?;
        Ok(body)
    }

    /// Returns the mass of a body with `shape`, which has `density` if the definition gives no mass.
    fn mass_of(&self, definition: &Definition, shape: &Shape, density: f64) -> Result<Mass> {
        let solid = shape.mass_properties();
        let (is_given, given_center) = (definition.mass != 0.0, Vec3::from(definition.center_of_mass));
        if definition.kind != Kind::Dynamic {
            let center = if is_given { given_center } else { solid.map_or(Vec3::zeros(), |solid| solid.center) };
            return Ok(Mass::immovable(center));
        }
        let Some(solid) = solid else {
            let value = definition.shape.0;
            return Err(Error::unsupported(text!(
                "shape is {value:#x}, a half-space, a mesh or a clockwise curve: these are offered for static and kinematic bodies only"
            )));
        };
        let (mass, center, inertia) = if !is_given {
            (density * solid.mass, solid.center, solid.inertia.scaled(density))
        } else if definition.inertia == [0.0; 6] {
            (definition.mass, given_center, solid.inertia.scaled(definition.mass / solid.mass))
        } else {
            (definition.mass, given_center, Symmetric3 { entries: definition.inertia })
        };
        limits::mass("mass", mass)?;
        Mass::dynamic(mass, center, inertia, definition.lock).ok_or_else(|| {
            let entries = inertia.entries;
            Error::argument(text!(
                "mass is {} with inertia {entries:?}, expected both and their inverses to be positive and finite",
                Number(mass)
            ))
        })
    }
}

/// Returns whether a body was moved or turned by more than the round-off of reading its state and setting it again. Whole periods count as
/// no motion.
fn has_moved(before: &Motion, after: &Motion, period: &Period) -> bool {
    let round_off = 8.0 * f64::EPSILON;
    // The same turn has two quaternions.
    let [same, opposite] = [1.0, -1.0].map(|sign| (before.rotation.coords - sign * after.rotation.coords).amax());
    let turned = same.min(opposite);
    let moved = period.nearest(&(before.center - after.center)).amax();
    moved > round_off * before.center.amax() || turned > round_off
}

/// Checks that the bounds of a body are finite. `center` is its centre of mass in body axes; `radius` is about its shape's origin,
/// infinite for a half-space.
pub(in crate::world) fn check_reach(motion: &Motion, center: &Vec3, radius: f64) -> Result<()> {
    let origin = motion.center - motion.rotation * center;
    let reach = if radius.is_finite() { radius } else { 0.0 };
    if motion.is_finite() && origin.iter().all(|x| (x.abs() + reach).is_finite()) {
        return Ok(());
    }
    Err(Error::argument(text!(
        "position is {:?}, too large for the body's bounds to be finite numbers",
        origin.as_slice()
    )))
}

/// The largest sine of the angle between the z axis of a curve and that of the world [-].
const MAX_TILT: f64 = 1e-6;

/// Checks that a body whose shape is a NURBS curve stays in the plane.
fn check_planar(definition: &Definition, rotation: &Quat) -> Result<()> {
    let Lock(lock) = definition.lock;
    if definition.kind == Kind::Dynamic && lock & PLANAR != PLANAR {
        return Err(Error::unsupported(text!(
            "lock is {lock:#x} of a dynamic body whose shape is a NURBS curve, expected DRY_LOCK_Z, DRY_LOCK_ROTATION_X and DRY_LOCK_ROTATION_Y among its bits"
        )));
    }
    check_upright(rotation)
}

/// Checks that the z axis of a curve is that of the world.
pub(in crate::world) fn check_upright(rotation: &Quat) -> Result<()> {
    let axis = rotation * Vec3::z();
    if axis.z > 0.0 && axis.x.abs().max(axis.y.abs()) <= MAX_TILT {
        return Ok(());
    }
    let coordinates = axis.as_slice();
    Err(Error::unsupported(text!(
        "rotation puts the z axis of a NURBS curve along {coordinates:?}, it is offered along the z axis of the world only"
    )))
}
