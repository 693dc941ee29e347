//! The bodies that take part in a step, in their order: movable bodies along a Morton curve, then driven bodies.
//!
//! The order is a pure function of the bodies and their positions. The list is kept from step to step because it is nearly sorted
//! then; it is not part of the hash. Sleeping bodies are not in it.

use crate::body::{Bodies, Kind};
use crate::error::{Result, reserve};
use crate::math::lanes::prefetch::BODIES_AHEAD;
use crate::math::lanes::prefetch_slot;
use crate::tasks::{Tasks, each_piece};
use crate::world::morton::{Entry, KEY_END, key, repair_order};

/// The number of bodies in a piece of work. A smaller piece costs more to hand out; a larger one leaves threads idle at the end.
pub(in crate::world) const BODIES_PER_PIECE: usize = 128;

/// The key of a body that impulses do not move, but that moves or may have forces applied.
const DRIVEN: u64 = KEY_END;
/// The key of a body that is not part of the step.
const IDLE: u64 = KEY_END + 1;

/// The bodies that are awake and not static, sorted.
#[derive(Debug, Default)]
pub(in crate::world) struct ActiveBodies {
    members: Vec<Entry>,
    /// Whether each slot is in the list.
    is_member: Vec<bool>,
    /// Whether bodies were removed or fell asleep since the list was made.
    has_stale: bool,
    /// The number of movable members, which impulses move, and the number of those that take part in the step.
    pub(in crate::world) moving: usize,
    active: usize,
    sizes: Sizes,
    out_of_order: Vec<Entry>,
}

/// The number of movable bodies of each size, from one power of two to the next.
#[derive(Debug, Default)]
struct Sizes {
    /// The exponents of the radii that bodies have, sorted, and the number of bodies with each.
    counts: Vec<(u16, u32)>,
    /// One over the cell size of the grid; `None` after a change [1/m].
    inverse: Option<f64>,
}

impl ActiveBodies {
    /// Reserves memory, so that the next `additional` calls of [`ActiveBodies::insert`] cannot fail.
    pub(in crate::world) fn reserve(&mut self, additional: usize, slots: usize) -> Result<()> {
        // Sleeping bodies can return, so there is room for every slot.
        let members = (slots + additional).saturating_sub(self.members.len());
        reserve(&mut self.members, members, "bodies")?;
        let unused = EXPONENTS - self.sizes.counts.len();
        reserve(&mut self.sizes.counts, additional.min(unused), "sizes of bodies")?;
        let missing = (slots + additional).saturating_sub(self.is_member.len());
        reserve(&mut self.is_member, missing, "bodies")
    }

    /// Adds the new body in `slot`, whose shape lies within `radius` [m].
    pub(in crate::world) fn insert(&mut self, bodies: &Bodies, slot: usize, radius: f64) {
        if self.is_member.len() <= slot {
            self.is_member.resize(slot + 1, false);
        }
        if bodies.traits[slot].kind == Kind::Static {
            return;
        }
        if bodies.mass[slot].is_movable() {
            self.sizes.count(radius, 1);
        }
        self.add(slot as u32);
    }

    /// Adds the body in `slot`, which was woken or is new.
    pub(in crate::world) fn add(&mut self, slot: u32) {
        // The slot of a removed body may still be in the list. It is the slot of the new body now.
        if !self.is_member[slot as usize] {
            self.is_member[slot as usize] = true;
            self.members.push(Entry { key: IDLE, slot });
        }
    }

    /// Notes that some bodies fell asleep: the next call of [`ActiveBodies::arrange`] removes them.
    pub(in crate::world) fn note_sleep(&mut self) {
        self.has_stale = true;
    }

    /// Removes the body in `slot`, which is still in `bodies`.
    pub(in crate::world) fn remove(&mut self, bodies: &Bodies, slot: usize, radius: f64) {
        if bodies.mass[slot].is_movable() {
            self.sizes.count(radius, -1);
        }
        self.has_stale = true;
    }

    /// Removes the bodies that are gone, static or asleep, and sorts the others by their present positions.
    pub(in crate::world) fn arrange(&mut self, bodies: &Bodies, tasks: &dyn Tasks) -> Result<()> {
        if self.has_stale {
            let Self { members, is_member, .. } = self;
            members.retain(|member| {
                let slot = member.slot as usize;
                let exists = bodies.registry.is_live(slot) && bodies.traits[slot].kind != Kind::Static;
                is_member[slot] = exists && !bodies.asleep[slot];
                is_member[slot]
            });
            self.has_stale = false;
        }
        let inverse = self.sizes.inverse_cell();
        each_piece(tasks, BODIES_PER_PIECE, &mut self.members, |_, members| {
            for at in 0..members.len() {
                let [soon, later] =
                    [1, 2].map(|times| members.get(at + times * BODIES_AHEAD).map(|member| &member.slot));
                prefetch_slot(&bodies.motion, soon);
                bodies.prefetch(soon, later);
                let slot = members[at].slot as usize;
                let motion = &bodies.motion[slot];
                members[at].key = if bodies.mass[slot].is_movable() {
                    key(&motion.center, inverse)
                } else if bodies.traits[slot].kind == Kind::Dynamic || !motion.is_at_rest() {
                    DRIVEN
                } else {
                    IDLE
                };
            }
        });
        repair_order(&mut self.members, &mut self.out_of_order)?;
        self.moving = self.members.partition_point(|member| member.key < DRIVEN);
        self.active = self.members.partition_point(|member| member.key < IDLE);
        Ok(())
    }

    /// Returns the slots of the bodies that take part in the step, in their order; movable bodies come first.
    pub(in crate::world) fn active(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.members[..self.active].iter().map(|member| member.slot)
    }
}

/// The number of exponents of a double.
const EXPONENTS: usize = 2048;

impl Sizes {
    /// Adds `change`, 1 or -1, to the number of bodies of the size of `radius`.
    fn count(&mut self, radius: f64, change: i32) {
        let exponent = (radius.abs().to_bits() >> 52) as u16;
        let at = self.counts.partition_point(|(other, _)| *other < exponent);
        match self.counts.get_mut(at).filter(|(own, _)| *own == exponent) {
            Some((_, count)) => *count = count.wrapping_add_signed(change),
            None => self.counts.insert(at, (exponent, 0.max(change) as u32)),
        }
        self.counts.retain(|(_, count)| *count > 0);
        self.inverse = None;
    }

    /// Returns one over the cell size [1/m]. A cell is as large as the median body, up to a factor of two.
    fn inverse_cell(&mut self) -> f64 {
        if let Some(inverse) = self.inverse {
            return inverse;
        }
        let half = self.counts.iter().map(|(_, count)| u64::from(*count)).sum::<u64>() / 2;
        let mut below = 0;
        let median = self.counts.iter().find(|(_, count)| {
            below += u64::from(*count);
            below > half
        });
        // The diameter is twice the radius; the exponent is limited to numbers that have an inverse.
        let exponent = median.map_or(1023, |(exponent, _)| (u64::from(*exponent) + 1).clamp(1, 2045));
        let inverse = f64::from_bits((2046 - exponent) << 52);
        self.inverse = Some(inverse);
        inverse
    }
}
