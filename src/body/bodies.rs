//! All bodies of a world, in arrays parallel to the slots of their handles.

use std::ops::Range;

use crate::body::changes::Changes;
use crate::body::definition::{Definition, Kind, Lock};
use crate::body::motion::{Mass, Motion, Wrench};
use crate::body::shared::{Bits, Shared};
use crate::error::{Result, reserve, resize};
use crate::id::{Entity, Handle, Registry};
use crate::math::{Quat, Vec3};
use crate::tasks::{Tasks, reduce};

/// What a body is, apart from its mass and motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Traits {
    /// How it moves.
    pub kind: Kind,
    /// Locked components.
    pub lock: Lock,
    /// Slot of its shape.
    pub shape: u32,
    /// Slot of its material.
    pub material: u32,
    /// The groups it is in.
    pub filter_category: u32,
    /// The groups it collides with.
    pub filter_mask: u32,
    /// Positive: always collides with its own group, negative: never.
    pub filter_group: i32,
    /// Factor on gravity [-].
    pub gravity_scale: f64,
    /// [1/s]
    pub linear_damping: f64,
    /// [1/s]
    pub angular_damping: f64,
}

/// The bodies. Index every open array but `order` by slot; slots that are not live hold what was there last.
#[derive(Debug)]
pub struct Bodies {
    /// Handles and slots.
    pub registry: Registry,
    /// The live slots in creation order.
    pub order: Vec<u32>,
    /// Creation number of each slot's body; rises along `order`.
    pub(super) sequence: Vec<u32>,
    pub(super) next_sequence: u32,
    /// Places and velocities.
    pub motion: Vec<Motion>,
    /// Masses, of which equal ones are one.
    pub mass: Shared<Mass>,
    /// The rest, likewise.
    pub traits: Shared<Traits>,
    /// The host's own; of slots beyond its end 0.
    pub(super) user_data: Vec<u64>,
    /// The host's forces for the next step; of slots beyond its end, of all until the host pushes a body, none.
    pub(super) wrench: Vec<Wrench>,
    /// Whose body is another one, or changed in more than its motion, since detection looked; see [`Bodies::changed`].
    pub changes: Changes,
    /// Whether the body of each slot is left out of steps; see [`Bodies::set_asleep`].
    pub asleep: Vec<bool>,
}

/// A body ready to be added: everything resolved and checked.
#[derive(Debug, Clone, Copy)]
pub struct NewBody {
    /// Place and velocity.
    pub motion: Motion,
    /// Mass.
    pub mass: Mass,
    /// The rest.
    pub traits: Traits,
    /// The host's own.
    pub user_data: u64,
}

impl NewBody {
    /// From a checked definition with its rotation, the slots of its shape and material, and its mass.
    pub fn new(definition: &Definition, rotation: Quat, shape: usize, material: usize, mass: Mass) -> Self {
        let traits = Traits {
            kind: definition.kind,
            lock: definition.lock,
            shape: shape as u32,
            material: material as u32,
            filter_category: definition.filter_category,
            filter_mask: definition.filter_mask,
            filter_group: definition.filter_group,
            gravity_scale: definition.gravity_scale,
            linear_damping: definition.linear_damping,
            angular_damping: definition.angular_damping,
        };
        let motion = Motion {
            center: Vec3::from(definition.position) + rotation * mass.center,
            rotation,
            linear: Vec3::from(definition.linear_velocity),
            angular: Vec3::from(definition.angular_velocity),
        };
        Self { motion: traits.allowed(motion), mass, traits, user_data: definition.user_data }
    }
}

impl Traits {
    /// `motion` without what this body cannot do: a static one does not move, a locked component is zero.
    pub fn allowed(&self, mut motion: Motion) -> Motion {
        let (translation, rotation) = match self.kind {
            Kind::Static => ([false; 3], [false; 3]),
            Kind::Kinematic => ([true; 3], [true; 3]),
            Kind::Dynamic => (self.lock.free_translation(), self.lock.free_rotation()),
        };
        for axis in 0..3 {
            if !translation[axis] {
                motion.linear[axis] = 0.0;
            }
            if !rotation[axis] {
                motion.angular[axis] = 0.0;
            }
        }
        motion
    }
}

impl Bits for Traits {
    type Words = [u64; 7];

    fn words(&self) -> [u64; 7] {
        let Self {
            kind,
            lock,
            shape,
            material,
            filter_category,
            filter_mask,
            filter_group,
            gravity_scale,
            linear_damping,
            angular_damping,
        } = *self;
        let pair = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        [
            pair(kind as u32, lock.0),
            pair(shape, material),
            pair(filter_category, filter_mask),
            u64::from(filter_group as u32),
            gravity_scale.to_bits(),
            linear_damping.to_bits(),
            angular_damping.to_bits(),
        ]
    }
}

impl Bodies {
    /// Prefetches what a step reads of the bodies in the slots `soon` and `later`.
    #[inline(always)]
    pub fn prefetch(&self, soon: Option<&u32>, later: Option<&u32>) {
        self.mass.prefetch(soon, later);
        self.traits.prefetch(soon, later);
    }

    /// None yet.
    pub fn new() -> Self {
        Self {
            registry: Registry::new(Entity::Body),
            order: Vec::new(),
            sequence: Vec::new(),
            next_sequence: 0,
            motion: Vec::new(),
            mass: Shared::default(),
            traits: Shared::default(),
            user_data: Vec::new(),
            wrench: Vec::new(),
            changes: Changes::default(),
            asleep: Vec::new(),
        }
    }

    /// Notes that the body in `slot` came, went, or changed in what is not watched from step to step: its shape, its filters, its
    /// kind, whether it may move; and the place of a static one, which nobody looks at again.
    pub fn changed(&mut self, slot: usize) {
        self.changes.note(slot);
    }

    /// Notes whether the body in `slot` is left out of steps.
    pub fn set_asleep(&mut self, slot: usize, asleep: bool) {
        self.asleep[slot] = asleep;
        self.changed(slot);
    }

    /// How many slots there are: the length of every array but `order` and those of the host's forces and numbers.
    pub fn slots(&self) -> usize {
        self.motion.len()
    }

    /// Makes room, so that [`Bodies::insert`] of each of these cannot fail.
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

    /// Adds a body and answers with its slot and handle; [`Bodies::reserve`] comes first.
    pub fn insert(&mut self, body: NewBody) -> (usize, Handle) {
        if self.next_sequence == u32::MAX {
            self.count_anew();
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
            self.spend_wrench(slot);
            self.asleep[slot] = false;
            self.sequence[slot] = self.next_sequence;
        }
        self.name(slot, body.user_data);
        self.next_sequence += 1;
        self.order.push(slot as u32);
        self.changed(slot);
        (slot, handle)
    }

    /// The creation numbers are used up: the bodies that are there are numbered in their order from 0.
    fn count_anew(&mut self) {
        for (number, slot) in (0..).zip(&self.order) {
            self.sequence[*slot as usize] = number;
        }
        self.next_sequence = self.order.len() as u32;
    }

    /// Gives the body in `slot` its host's own number.
    fn name(&mut self, slot: usize, user_data: u64) {
        if user_data != 0 && slot >= self.user_data.len() {
            self.user_data.resize(slot + 1, 0);
        }
        if let Some(own) = self.user_data.get_mut(slot) {
            *own = user_data;
        }
    }

    /// The host's own number of the body in `slot`.
    pub fn user_data(&self, slot: usize) -> u64 {
        self.user_data.get(slot).copied().unwrap_or(0)
    }

    /// The host's force on the body in `slot` for the next step.
    #[inline(always)]
    pub fn wrench(&self, slot: usize) -> &Wrench {
        self.wrench.get(slot).unwrap_or(&Wrench::ZERO)
    }

    /// Replaces that. Only the first force on any body needs room.
    pub fn set_wrench(&mut self, slot: usize, wrench: Wrench) -> Result<()> {
        if slot >= self.wrench.len() {
            let slots = self.slots();
            resize(&mut self.wrench, slots, Wrench::ZERO, "bodies")?;
        }
        self.wrench[slot] = wrench;
        Ok(())
    }

    /// Whether the host pushed any body ever.
    pub fn are_pushed(&self) -> bool {
        !self.wrench.is_empty()
    }

    /// The step is over for which the host's force on the body in `slot` was.
    #[inline(always)]
    pub fn spend_wrench(&mut self, slot: usize) {
        // few hosts push many bodies
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
        self.changed(slot);
    }

    /// The energy of the body in `slot` if it moved as `motion` says.
    // Always inlined: a motion that was just made is not read back from memory.
    #[inline(always)]
    pub fn energy_at(&self, slot: usize, motion: &Motion, gravity: &Vec3) -> Energy {
        let mass = &self.mass[slot];
        let height = self.traits[slot].gravity_scale * gravity.dot(&motion.center);
        Energy { kinetic: motion.kinetic_energy(mass), potential: -(mass.mass * height) }
    }

    /// The energy of all bodies, each of which has so much: summed in the order of their creation piece by piece, whoever sums the
    /// pieces.
    pub fn energy(&self, energy: impl Fn(usize) -> Energy + Sync, tasks: &dyn Tasks) -> Energy {
        let of = |range: Range<usize>| Energy::sum(&self.order[range], &energy);
        reduce(tasks, PIECE, self.order.len(), Energy::default(), of, Energy::plus)
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
    /// That of the bodies of these slots, each of which has so much.
    pub fn sum<'a>(slots: impl IntoIterator<Item = &'a u32>, energy: impl Fn(usize) -> Self) -> Self {
        slots.into_iter().fold(Self::default(), |sum, slot| sum.plus(energy(*slot as usize)))
    }

    /// That of both.
    #[inline(always)]
    pub fn plus(self, other: Self) -> Self {
        Self { kinetic: self.kinetic + other.kinetic, potential: self.potential + other.potential }
    }
}

/// Bodies whose energy is summed at a time.
const PIECE: usize = 512;

impl Default for Bodies {
    fn default() -> Self {
        Self::new()
    }
}
