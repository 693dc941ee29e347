//! Which bodies take part in a step, and in which order: those that impulses move along a space-filling curve, then those
//! that move of themselves.
//!
//! The order is a pure function of bodies and places; the list is kept from step to step only because it is nearly sorted
//! then. Nothing of it enters the hash. Bodies that sleep are not in it.

use crate::body::{Bodies, Kind};
use crate::error::{Result, reserve, resize};
use crate::math::lanes::distances::BODIES_AHEAD;
use crate::math::lanes::prefetch_slot;
use crate::tasks::{Tasks, each_piece};
use crate::world::curve::{END, Entry, key, mend};
use crate::world::sleep::Sleep;
use crate::world::state::BODIES_PER_PIECE;

/// Key of a body that impulses do not move, but that may move or be pushed all the same.
const DRIVEN: u64 = END;
/// Key of a body that has no part in the step.
const IDLE: u64 = END + 1;

/// The bodies that are awake and not static, sorted.
#[derive(Debug)]
pub(in crate::world) struct Roster {
    members: Vec<Entry>,
    /// Whether each slot is in the list.
    listed: Vec<bool>,
    /// Whether bodies were removed or fell asleep since the list was made.
    left: bool,
    /// How many of the members impulses move, and how many have a part in the step at all.
    moving: usize,
    active: usize,
    sizes: Sizes,
    strays: Vec<Entry>,
}

/// How many moving bodies are of each size, from one power of two to the next.
#[derive(Debug)]
struct Sizes {
    counts: Vec<u32>,
    /// One over the size of the cells of the grid; `None` after a change [1/m].
    inverse: Option<f64>,
}

impl Roster {
    /// Nobody yet.
    pub(in crate::world) fn new() -> Result<Self> {
        let mut counts = Vec::new();
        resize(&mut counts, EXPONENTS, 0, "sizes of bodies")?;
        Ok(Self {
            members: Vec::new(),
            listed: Vec::new(),
            left: false,
            moving: 0,
            active: 0,
            sizes: Sizes { counts, inverse: None },
            strays: Vec::new(),
        })
    }

    /// Makes room, so that the next `additional` calls of [`Roster::insert`] cannot fail.
    pub(in crate::world) fn reserve(&mut self, additional: usize, slots: usize) -> Result<()> {
        // Sleepers come back: there is room for every slot.
        let members = (slots + additional).saturating_sub(self.members.len());
        reserve(&mut self.members, members, "bodies")?;
        let missing = (slots + additional).saturating_sub(self.listed.len());
        reserve(&mut self.listed, missing, "bodies")
    }

    /// Takes in the new body of `slot`; `radius` bounds its shape [m].
    pub(in crate::world) fn insert(&mut self, bodies: &Bodies, slot: usize, radius: f64) {
        if self.listed.len() <= slot {
            self.listed.resize(slot + 1, false);
        }
        if bodies.traits[slot].kind == Kind::Static {
            return;
        }
        if bodies.mass[slot].is_movable() {
            self.sizes.count(radius, 1);
        }
        self.join(slot as u32);
    }

    /// The body of `slot` is awake.
    pub(in crate::world) fn join(&mut self, slot: u32) {
        // The slot of a removed body may still be in the list: it stands for the new one now.
        if !self.listed[slot as usize] {
            self.listed[slot as usize] = true;
            self.members.push(Entry { key: IDLE, slot });
        }
    }

    /// Some bodies fell asleep.
    pub(in crate::world) fn leave(&mut self) {
        self.left = true;
    }

    /// The body of `slot` is about to be removed.
    pub(in crate::world) fn remove(&mut self, bodies: &Bodies, slot: usize, radius: f64) {
        if bodies.mass[slot].is_movable() {
            self.sizes.count(radius, -1);
        }
        self.left = true;
    }

    /// Sorts the bodies by where they are now.
    pub(in crate::world) fn arrange(&mut self, bodies: &Bodies, sleep: &Sleep, tasks: &dyn Tasks) -> Result<()> {
        if self.left {
            let Self { members, listed, .. } = self;
            members.retain(|member| {
                let slot = member.slot as usize;
                let is_there = bodies.registry.is_live(slot) && bodies.traits[slot].kind != Kind::Static;
                listed[slot] = is_there && !sleep.is_asleep(member.slot);
                listed[slot]
            });
            self.left = false;
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
        mend(&mut self.members, &mut self.strays)?;
        self.moving = self.members.partition_point(|member| member.key < DRIVEN);
        self.active = self.members.partition_point(|member| member.key < IDLE);
        Ok(())
    }

    /// The slots that have a part in the step, in order: those that impulses move come first.
    pub(in crate::world) fn active(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.members[..self.active].iter().map(|member| member.slot)
    }

    /// How many bodies impulses move.
    pub(in crate::world) fn moving(&self) -> usize {
        self.moving
    }
}

/// One for each exponent of a number.
const EXPONENTS: usize = 2048;

impl Sizes {
    /// Counts a body of `radius` in or out.
    fn count(&mut self, radius: f64, change: i32) {
        let count = &mut self.counts[(radius.to_bits() >> 52) as usize % EXPONENTS];
        *count = count.wrapping_add_signed(change);
        self.inverse = None;
    }

    /// One over the size of the cells: as large as the median body, up to a factor of two [1/m].
    fn inverse_cell(&mut self) -> f64 {
        if let Some(inverse) = self.inverse {
            return inverse;
        }
        let half = self.counts.iter().map(|count| u64::from(*count)).sum::<u64>() / 2;
        let mut below = 0;
        let median = self.counts.iter().position(|count| {
            below += u64::from(*count);
            below > half
        });
        // From radius to diameter; within what has an inverse.
        let exponent = median.map_or(1023, |median| (median as u64 + 1).clamp(1, 2045));
        let inverse = f64::from_bits((2046 - exponent) << 52);
        self.inverse = Some(inverse);
        inverse
    }
}
