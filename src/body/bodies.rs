//! All bodies of a world, in arrays parallel to the slots of their handles.

use crate::body::definition::{NewBody, Traits};
use crate::body::motion::{Mass, Motion, Wrench};
use crate::body::shared::{Bits, SharedValues};
use crate::body::surface::Surfaces;
use crate::error::{Result, reserve, resize};
use crate::id::{Entity, Handle, Registry, SlotSet};
use crate::math::Vec3;
use crate::visit::StateVisitor;

/// The bodies. Every array except `order` has the slot as its index. Free slots still have the values of the last body there.
#[derive(Debug)]
pub struct Bodies {
    /// Handles and slots.
    pub registry: Registry,
    /// The live slots in creation order.
    pub order: Vec<u32>,
    /// The creation number of the body in each slot. It increases along `order`.
    pub(super) sequence: Vec<u32>,
    pub(super) next_sequence: u32,
    /// Positions, rotations and velocities.
    pub motion: Vec<Motion>,
    /// Masses. Equal ones are stored once.
    pub mass: SharedValues<Mass>,
    /// All other properties. Equal ones are stored once.
    pub traits: SharedValues<Traits>,
    /// The host's number for each body; 0 for slots beyond its end.
    pub(super) user_data: Vec<u64>,
    /// The host's force for the next step; none for slots beyond its end. It is empty until the host adds a force.
    pub(super) wrench: Vec<Wrench>,
    /// The velocities of surfaces that move over their bodies.
    pub surfaces: Surfaces,
    /// The slots whose proxies detection must rebuild. The body was added or removed, or a property changed that
    /// detection does not compare from step to step. These are its shape, filters and kind, whether it may move, and the
    /// pose of a static body.
    pub changes: SlotSet,
    /// Whether the body of each slot sleeps and is left out of steps. Set by [`Bodies::set_asleep`].
    pub asleep: Vec<bool>,
}

impl Default for Bodies {
    fn default() -> Self {
        Self {
            registry: Registry::new(Entity::Body),
            order: Vec::new(),
            sequence: Vec::new(),
            next_sequence: 0,
            motion: Vec::new(),
            mass: SharedValues::default(),
            traits: SharedValues::default(),
            user_data: Vec::new(),
            wrench: Vec::new(),
            surfaces: Surfaces::default(),
            changes: SlotSet::default(),
            asleep: Vec::new(),
        }
    }
}

impl Bodies {
    /// Prefetches what a step reads of the bodies in the slots `soon` and `later`.
    #[inline(always)]
    pub fn prefetch(&self, soon: Option<&u32>, later: Option<&u32>) {
        self.mass.prefetch(soon, later);
        self.traits.prefetch(soon, later);
    }

    /// Sets whether the body in `slot` sleeps and is left out of steps.
    pub fn set_asleep(&mut self, slot: usize, asleep: bool) {
        self.asleep[slot] = asleep;
        self.changes.insert(slot);
    }

    /// Returns the number of slots, the length of every array except `order` and those of the host's forces and numbers.
    pub fn slots(&self) -> usize {
        self.motion.len()
    }

    /// Reserves memory, so that [`Bodies::insert`] of each of these cannot fail.
    pub fn reserve(&mut self, new: &[NewBody]) -> Result<()> {
        let additional = new.len();
        self.registry.reserve(additional)?;
        reserve(&mut self.order, additional, "bodies")?;
        reserve(&mut self.sequence, additional, "bodies")?;
        reserve(&mut self.motion, additional, "bodies")?;
        self.changes.reserve(self.slots() + additional)?;
        reserve(&mut self.asleep, additional, "bodies")?;
        if new.iter().any(|body| body.user_data != 0) {
            let missing = self.slots() + additional - self.user_data.len();
            reserve(&mut self.user_data, missing, "bodies")?;
        }
        self.mass.reserve(new.iter().map(|body| &body.mass))?;
        self.traits.reserve(new.iter().map(|body| &body.traits))
    }

    /// Adds a body, and returns its slot and handle. [`Bodies::reserve`] must be called before.
    pub fn insert(&mut self, body: NewBody) -> (usize, Handle) {
        if self.next_sequence == u32::MAX {
            // The creation numbers are used up, so the present bodies are numbered again from 0, in their order.
            for (number, slot) in (0..).zip(&self.order) {
                self.sequence[*slot as usize] = number;
            }
            self.next_sequence = self.order.len() as u32;
        }
        let (slot, handle) = self.registry.insert();
        self.mass.put(slot, &body.mass);
        self.traits.put(slot, &body.traits);
        if slot == self.motion.len() {
            self.motion.push(body.motion);
            self.sequence.push(self.next_sequence);
            self.asleep.push(false);
        } else {
            self.motion[slot] = body.motion;
            self.clear_wrench(slot);
            self.asleep[slot] = false;
            self.sequence[slot] = self.next_sequence;
        }
        if body.user_data != 0 && slot >= self.user_data.len() {
            self.user_data.resize(slot + 1, 0);
        }
        if let Some(own) = self.user_data.get_mut(slot) {
            *own = body.user_data;
        }
        self.next_sequence += 1;
        self.order.push(slot as u32);
        self.changes.insert(slot);
        (slot, handle)
    }

    /// Returns the host's number for the body in `slot`.
    pub fn user_data(&self, slot: usize) -> u64 {
        self.user_data.get(slot).copied().unwrap_or(0)
    }

    /// Returns the host's force on the body in `slot` for the next step.
    #[inline(always)]
    pub fn wrench(&self, slot: usize) -> &Wrench {
        self.wrench.get(slot).unwrap_or(&Wrench::ZERO)
    }

    /// Sets the host's force on the body in `slot`. Only the first force on any body needs memory.
    pub fn set_wrench(&mut self, slot: usize, wrench: Wrench) -> Result<()> {
        if slot >= self.wrench.len() {
            let slots = self.slots();
            resize(&mut self.wrench, slots, Wrench::ZERO, "bodies")?;
        }
        self.wrench[slot] = wrench;
        Ok(())
    }

    /// Returns whether the host ever added a force to any body.
    pub fn are_pushed(&self) -> bool {
        !self.wrench.is_empty()
    }

    /// Clears the host's force on the body in `slot`, after the step for which it was set.
    #[inline(always)]
    pub fn clear_wrench(&mut self, slot: usize) {
        // Few hosts add forces to many bodies.
        if let Some(wrench) = self.wrench.get_mut(slot)
            && *wrench != Wrench::ZERO
        {
            *wrench = Wrench::ZERO;
        }
    }

    /// Removes the body in `slot`.
    pub fn remove(&mut self, slot: usize) {
        let sequence = self.sequence[slot];
        if let Ok(at) = self.order.binary_search_by_key(&sequence, |slot| self.sequence[*slot as usize]) {
            self.order.remove(at);
        }
        self.registry.remove(slot);
        self.surfaces.clear(slot);
        self.changes.insert(slot);
    }

    /// Returns the energy of the body in `slot` with this `motion`.
    // Always inlined, so that a motion that was just computed is not read back from memory.
    #[inline(always)]
    pub fn energy_at(&self, slot: usize, motion: &Motion, gravity: &Vec3) -> Energy {
        let mass = &self.mass[slot];
        let height = self.traits[slot].gravity_scale * gravity.dot(&motion.center);
        Energy { kinetic: motion.kinetic_energy(mass), potential: -(mass.mass * height) }
    }

    /// Returns the origin of a body's shape, world axes [m].
    pub fn origin(&self, slot: usize) -> Vec3 {
        let motion = &self.motion[slot];
        motion.center - motion.rotation * self.mass[slot].center
    }

    /// Visits the state of the bodies in the order of their creation. Slots without a body have no state outside of the registry.
    pub fn visit_state(&self, visitor: &mut impl StateVisitor) {
        let Self {
            registry,
            order,
            sequence: _,      // Increases along `order`; only the order matters.
            next_sequence: _, // Likewise.
            motion,
            mass,
            traits,
            user_data,
            wrench,
            surfaces,
            changes: _, // Which bodies detection has yet to look at: it belongs to the caches of the workspace.
            asleep,
        } = self;
        registry.visit_state(visitor);
        registry.visit_order(visitor, order);
        for slot in order {
            let at = *slot as usize;
            motion[at].visit_state(visitor);
            visitor.words(mass[at].words());
            visitor.words(traits[at].words());
            // Slots beyond the ends of these arrays count as 0.
            visitor.word(user_data.get(at).copied().unwrap_or(0));
            wrench.get(at).unwrap_or(&Wrench::ZERO).visit_state(visitor);
            surfaces.of(at).visit_state(visitor);
            visitor.flag(asleep[at]);
        }
    }
}

/// The energy of a body or of several.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Energy {
    /// [J]
    pub kinetic: f64,
    /// `-m g . x` of the dynamic ones [J].
    pub potential: f64,
}

impl Energy {
    /// Returns the sum of the energies of the bodies in these slots.
    pub fn sum<'a>(slots: impl IntoIterator<Item = &'a u32>, energy: impl Fn(usize) -> Self) -> Self {
        slots.into_iter().fold(Self::default(), |sum, slot| sum.plus(energy(*slot as usize)))
    }

    /// Returns the sum of two energies.
    #[inline(always)]
    pub fn plus(self, other: Self) -> Self {
        Self { kinetic: self.kinetic + other.kinetic, potential: self.potential + other.potential }
    }
}
