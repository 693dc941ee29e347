//! What a host reads of bodies, and the last step's answers.

use crate::body::{Kind, Wrench};
use crate::contact::{Load, Total, Touch};
use crate::error::Result;
use crate::id::Handle;
use crate::query::contacts::{ContactReport, contact_report};
use crate::query::force::forces_on;
use crate::query::stress::{Region, mean_stress};
use crate::world::state::World;

/// Where a body is and how it moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyState {
    /// Of the shape's origin, world axes [m].
    pub position: [f64; 3],
    /// `(x, y, z, w)`
    pub rotation: [f64; 4],
    /// Of the centre of mass, world axes [m/s].
    pub linear_velocity: [f64; 3],
    /// World axes [rad/s].
    pub angular_velocity: [f64; 3],
}

/// How heavy a body is; zeros for bodies that are not dynamic.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyMass {
    /// [kg]
    pub mass: f64,
    /// Body axes, from the shape's origin [m].
    pub center: [f64; 3],
    /// About the centre of mass, body axes, `xx yy zz xy yz xz` [kg m^2].
    pub inertia: [f64; 6],
}

impl World {
    /// How many bodies there are.
    pub fn body_count(&self) -> usize {
        self.bodies.order.len()
    }

    /// Every body, in the order of their creation.
    pub fn body_handles(&self) -> impl Iterator<Item = Handle> + '_ {
        self.bodies.order.iter().map(|slot| self.bodies.registry.handle(*slot as usize))
    }

    /// Where a body is and how it moves.
    pub fn body_state(&self, body: Handle) -> Result<BodyState> {
        Ok(self.state_at(self.bodies.registry.slot("body", body)?))
    }

    /// The states of every body, in the order of their creation.
    pub fn body_states(&self) -> impl Iterator<Item = BodyState> + '_ {
        self.bodies.order.iter().map(|slot| self.state_at(*slot as usize))
    }

    fn state_at(&self, slot: usize) -> BodyState {
        let motion = &self.bodies.motion[slot];
        let center = &self.bodies.mass[slot].center;
        BodyState {
            position: (motion.center - motion.rotation * center).into(),
            rotation: motion.rotation.coords.into(),
            linear_velocity: motion.linear.into(),
            angular_velocity: motion.angular.into(),
        }
    }

    /// How heavy a body is.
    pub fn body_mass(&self, body: Handle) -> Result<BodyMass> {
        let mass = &self.bodies.mass[self.bodies.registry.slot("body", body)?];
        Ok(BodyMass { mass: mass.mass, center: mass.center.into(), inertia: mass.inertia.entries })
    }

    /// The host's own number of a body.
    pub fn body_user_data(&self, body: Handle) -> Result<u64> {
        Ok(self.bodies.user_data(self.bodies.registry.slot("body", body)?))
    }

    /// How many contacts the last completed step had, those of sleepers included.
    pub fn contact_count(&self) -> usize {
        if !self.removed.is_empty() {
            self.live_sums().count()
        } else {
            self.memory.touches.len() + self.sleep.contacts.len()
        }
    }

    /// The contacts of the last completed step whose bodies are still there, and those of sleepers, sorted by pair; with what they
    /// carried over the step, and the length of that step [s].
    pub(in crate::world) fn live_sums(&self) -> impl Iterator<Item = (Touch, Load, Total, f64)> + '_ {
        let ended = |pair| !self.removed.is_empty() && self.removed.ended(pair);
        self.sleep.join(&self.memory, (&self.readback, &self.bodies), ended)
    }

    /// The contacts of the last completed step.
    pub fn contacts(&self) -> impl Iterator<Item = ContactReport> + '_ {
        let (bodies, slower) = (&self.bodies.registry, self.settings.tolerance);
        let report = move |(touch, load, total, step)| contact_report(&touch, &load, total, bodies, step, slower);
        self.live_sums().map(report)
    }

    /// The sum of the contact forces on a body in the last completed step, and of their torques about its centre of
    /// mass at the start of that step.
    pub fn body_force(&self, body: Handle) -> Result<([f64; 3], [f64; 3])> {
        let slot = self.bodies.registry.slot("body", body)?;
        let sum = if !self.removed.is_empty() {
            forces_on(slot as u32, self.live_sums().map(|(touch, _, total, step)| (touch, total, step)))
        } else {
            let mut sum = self.contact_wrenches.get(slot).copied().unwrap_or(Wrench::ZERO);
            if self.sleep.is_used() {
                sum.add(&self.weight_of_sleepers(slot as u32));
            }
            sum
        };
        Ok((sum.force.into(), sum.torque.into()))
    }

    /// The mean stress of the contacts of the last completed step whose points lie in the box, `stress[3 i + j]` sums
    /// `l_i f_j`, tension positive [Pa]. See [`mean_stress`].
    pub fn stress(&self, lower: [f64; 3], upper: [f64; 3]) -> Result<[f64; 9]> {
        let region = Region::new(lower, upper)?;
        let movable = |slot: u32| self.bodies.traits[slot as usize].kind == Kind::Dynamic;
        mean_stress(&region, self.live_sums().map(|(touch, load, _, step)| (touch, load, step)), movable)
    }
}
