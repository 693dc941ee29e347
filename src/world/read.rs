//! Queries: the state of bodies, and the contacts and forces of the last step.

use std::ops::Range;

use crate::body::{Energy, Kind, Wrench};
use crate::error::{Result, finite};
use crate::id::Handle;
use crate::query::{ContactReport, Region, StepImpulses, contact_report, forces_on, mean_stress};
use crate::tasks::{Serial, reduce};
use crate::world::sleep::StepContact;
use crate::world::state::World;

/// The number of bodies whose energies are summed in one piece.
const PIECE: usize = 512;

/// The pose and the velocities of a body.
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

/// The mass of a body; zeros for bodies that are not dynamic.
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
    /// Returns the number of bodies.
    pub fn body_count(&self) -> usize {
        self.bodies.order.len()
    }

    /// Returns all bodies, in the order of their creation.
    pub fn body_handles(&self) -> impl Iterator<Item = Handle> + '_ {
        self.bodies.order.iter().map(|slot| self.bodies.registry.handle(*slot as usize))
    }

    /// Returns the pose and the velocities of a body.
    pub fn body_state(&self, body: Handle) -> Result<BodyState> {
        Ok(self.state_at(self.bodies.registry.slot("body", body)?))
    }

    /// Returns the states of all bodies, in the order of their creation.
    pub fn body_states(&self) -> impl Iterator<Item = BodyState> + '_ {
        self.bodies.order.iter().map(|slot| self.state_at(*slot as usize))
    }

    fn state_at(&self, slot: usize) -> BodyState {
        let motion = &self.bodies.motion[slot];
        BodyState {
            position: self.bodies.origin(slot).into(),
            rotation: motion.rotation.coords.into(),
            linear_velocity: motion.linear.into(),
            angular_velocity: motion.angular.into(),
        }
    }

    /// Returns the mass of a body.
    pub fn body_mass(&self, body: Handle) -> Result<BodyMass> {
        let mass = &self.bodies.mass[self.bodies.registry.slot("body", body)?];
        Ok(BodyMass { mass: mass.mass, center: mass.center.into(), inertia: mass.inertia.entries })
    }

    /// Returns the user data of a body.
    pub fn body_user_data(&self, body: Handle) -> Result<u64> {
        Ok(self.bodies.user_data(self.bodies.registry.slot("body", body)?))
    }

    /// Returns the number of contacts of the last completed step, those of sleeping bodies included.
    pub fn contact_count(&self) -> usize {
        if !self.removed.is_empty() {
            self.live_contacts().count()
        } else {
            self.memory.contact_list.len() + self.sleep.contacts.len()
        }
    }

    /// Returns the contacts of the last completed step and those of sleeping bodies, sorted by pair. Contacts of removed bodies are
    /// omitted.
    pub(in crate::world) fn live_contacts(&self) -> impl Iterator<Item = StepContact> + '_ {
        let Self { sleep, memory, readback, bodies, removed, .. } = self;
        let has_ended = |pair| !removed.is_empty() && removed.has_any_of(pair);
        let awake = memory.sums().enumerate().map(|(place, sum)| (sum, memory.loads.impact(place)));
        let (mut awake, mut asleep) = (awake.peekable(), sleep.contacts.iter().peekable());
        let context = readback.of(bodies);
        let mut mixing = context.mixing();
        // The next contact; `Some(None)` if there are no more.
        let next = move || {
            let is_awake = match (awake.peek(), asleep.peek()) {
                (Some(((record, ..), _)), Some(contact)) => record.pair() < contact.touch.pair(),
                (record, _) => record.is_some(),
            };
            if is_awake {
                let ((record, point, load, total), impact) = awake.next()?;
                let exists = !has_ended(record.pair());
                Some(exists.then(|| {
                    let touch = context.touch(record, &memory.contact_list, &point, &mut mixing);
                    let velocities = [touch.body_a, touch.body_b].map(|slot| readback.velocity(slot));
                    let load = context.with_motion(load, &touch, velocities);
                    StepContact { touch, load, total, impact, step: memory.step, substep: memory.substep }
                }))
            } else {
                let contact = asleep.next()?;
                Some((!has_ended(contact.touch.pair())).then_some(*contact))
            }
        };
        std::iter::from_fn(next).flatten()
    }

    /// Returns the contacts of the last completed step. Contacts of removed bodies are omitted.
    pub fn contacts(&self) -> impl Iterator<Item = ContactReport> + '_ {
        let (bodies, slower) = (&self.bodies.registry, self.settings.tolerance);
        let report = move |StepContact { touch, load, total, impact, step, .. }| {
            contact_report(&touch, &load, StepImpulses { total, impact }, bodies, step, slower)
        };
        self.live_contacts().map(report)
    }

    /// Returns the sum of the contact forces on a body in the last completed step, and of their torques. The torques are about its centre of
    /// mass at the start of that step.
    pub fn body_force(&self, body: Handle) -> Result<([f64; 3], [f64; 3])> {
        let slot = self.bodies.registry.slot("body", body)?;
        let sum = if !self.removed.is_empty() {
            forces_on(slot as u32, self.live_contacts().map(|contact| (contact.touch, contact.total, contact.step)))
        } else {
            let mut sum = self.contact_forces.sums.get(slot).copied().unwrap_or(Wrench::ZERO);
            if self.sleep.is_used() {
                sum.add(&self.sleep.force_on_support(slot as u32));
            }
            sum
        };
        Ok((sum.force.into(), sum.torque.into()))
    }

    /// Returns the mean stress of the contacts of the last completed step whose points lie in the box. `stress[3 i + j]` sums `l_i f_j`,
    /// tension positive [Pa]. See [`mean_stress`].
    pub fn stress(&self, lower: [f64; 3], upper: [f64; 3]) -> Result<[f64; 9]> {
        let region = Region::new(lower, upper)?.of_box(&self.period);
        let movable = |slot: u32| self.bodies.traits[slot as usize].kind == Kind::Dynamic;
        mean_stress(&region, self.live_contacts().map(|contact| (contact.touch, contact.load, contact.step)), movable)
    }

    /// Returns the present kinetic and potential energy [J]. The kinetic energy is infinite if the square of a velocity is. The sum is over
    /// the awake bodies and then over the sleeping ones, each in the order of their creation.
    ///
    /// # Errors
    ///
    /// The potential energy is not finite, or the kinetic energy is no number.
    pub fn energy(&self) -> Result<(f64, f64)> {
        let Energy { kinetic, potential } = self.energy_now();
        if kinetic.is_nan() {
            finite("the kinetic energy", kinetic)?;
        }
        finite("the potential energy", potential)?;
        Ok((kinetic, potential))
    }

    fn energy_now(&self) -> Energy {
        let (bodies, gravity) = (&self.bodies, &self.gravity);
        let now = |slot: usize| bodies.energy_at(slot, &bodies.motion[slot], gravity);
        if !self.sleep.is_used() {
            let of = |range: Range<usize>| Energy::sum(&bodies.order[range], now);
            return reduce(&Serial, PIECE, bodies.order.len(), Energy::default(), of, Energy::plus);
        }
        let asleep = |slot: &&u32| self.sleep.is_asleep(**slot);
        let Energy { kinetic, potential } = Energy::sum(bodies.order.iter().filter(|slot| !asleep(slot)), now);
        let resting = Energy::sum(bodies.order.iter().filter(asleep), now).potential;
        Energy { kinetic, potential: potential + resting }
    }
}
