//! Sleeping bodies: who they are, what wakes them, and the contacts that they keep.
//!
//! An island falls asleep as a whole and wakes as a whole; its bodies form a ring. A body that is woken (*roused*) is awake
//! from then on, but its contacts stay in the list of the sleeping ones until the end of the next step, which inherits from
//! them: so a step that fails can put back to sleep whom it woke.

use crate::body::{Bodies, Kind};
use crate::contact::{Load, Loads, Memory, Total, Touch, Touches};
use crate::error::{Result, reserve, resize};
use crate::id::Handle;
use crate::world::removed::Removed;
use crate::world::roster::Roster;
use crate::world::state::World;

/// How a slot's body takes part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::world) enum State {
    /// In every step.
    Awake,
    /// Not at all.
    Asleep,
    /// Awake since it was woken after the last step.
    Roused,
}

/// A contact of a sleeping body, as its last step awake left it.
#[derive(Debug, Clone, Copy)]
pub(in crate::world) struct Kept {
    pub(in crate::world) touch: Touch,
    pub(in crate::world) load: Load,
    /// What it carried over that step.
    pub(in crate::world) total: Total,
    /// Length of that step [s].
    pub(in crate::world) step: f64,
    /// Length of its last substep [s].
    pub(in crate::world) substep: f64,
}

/// The sleepers of a world. Arrays by slot are as long as they have to be, and empty where nothing may sleep.
#[derive(Debug, Default)]
pub(in crate::world) struct Sleep {
    /// How long each body has been slow [s]; 0 for sleepers.
    pub(in crate::world) calm: Vec<f64>,
    pub(in crate::world) state: Vec<State>,
    /// The next body of the island, for those that fell asleep.
    pub(in crate::world) next: Vec<u32>,
    /// Sorted by pair.
    pub(in crate::world) contacts: Vec<Kept>,
    /// Each body that impulses do not move and a contact in which a sleeper rests on it, sorted.
    pub(in crate::world) supports: Vec<(u32, u32)>,
    /// Who was woken since the last step.
    pub(in crate::world) roused: Vec<u32>,
    /// Bodies that impulses do not move and that the host changed since the last step; and for each slot, whether it is one.
    stirred: Vec<u32>,
    is_stirred: Vec<bool>,
    /// How many bodies slept at the end of the last step.
    pub(in crate::world) count: usize,
    /// Their potential energy then [J].
    pub(in crate::world) potential: f64,
}

impl Sleep {
    /// Makes room for `slots` bodies, so that waking cannot fail.
    pub(in crate::world) fn reserve(&mut self, slots: usize) -> Result<()> {
        resize(&mut self.calm, slots, 0.0, "bodies")?;
        resize(&mut self.state, slots, State::Awake, "bodies")?;
        resize(&mut self.next, slots, 0, "bodies")?;
        let more = slots.saturating_sub(self.roused.len());
        reserve(&mut self.roused, more, "bodies")
    }

    /// Whether the last step left sleepers: then there is something to leave out, to wake or to forget.
    pub(in crate::world) fn is_used(&self) -> bool {
        self.count > 0
    }

    /// Whether the body in `slot` sleeps.
    #[inline]
    pub(in crate::world) fn is_asleep(&self, slot: u32) -> bool {
        self.state.get(slot as usize) == Some(&State::Asleep)
    }

    /// Whether the host changed the body in `slot`, which impulses do not move, since the last step.
    pub(in crate::world) fn is_stirred(&self, slot: u32) -> bool {
        self.is_stirred.get(slot as usize) == Some(&true)
    }

    /// Notes such a change.
    fn stir(&mut self, slot: u32) {
        if let Some(known @ false) = self.is_stirred.get_mut(slot as usize) {
            *known = true;
            self.stirred.push(slot);
        }
    }

    /// The step has seen all changes.
    pub(in crate::world) fn calm_down(&mut self) {
        for slot in self.stirred.drain(..) {
            self.is_stirred[slot as usize] = false;
        }
    }

    /// Whether nothing new can happen between two bodies: one sleeps, and so does the other or it stays where it is.
    pub(in crate::world) fn is_settled(&self, bodies: &Bodies, a: u32, b: u32) -> bool {
        let still = |slot: u32| {
            let at = slot as usize;
            let stays = !bodies.mass[at].is_movable() && bodies.motion[at].is_at_rest() && !self.is_stirred(slot);
            stays || self.is_asleep(slot)
        };
        self.is_used() && (self.is_asleep(a) && still(b) || self.is_asleep(b) && still(a))
    }

    /// The same for as long as nobody wakes, and the host touches no static body: a kinematic one may come to move.
    pub(in crate::world) fn is_stuck(&self, bodies: &Bodies, a: u32, b: u32) -> bool {
        let still = |slot: u32| {
            let is_static = bodies.traits[slot as usize].kind == Kind::Static;
            self.is_asleep(slot) || is_static && !self.is_stirred(slot)
        };
        self.is_used() && (self.is_asleep(a) && still(b) || self.is_asleep(b) && still(a))
    }

    /// Wakes the island of the body in `slot` if it sleeps.
    pub(in crate::world) fn rouse(&mut self, slot: u32, (roster, bodies): (&mut Roster, &mut Bodies)) {
        let mut at = slot;
        while self.is_asleep(at) {
            self.state[at as usize] = State::Roused;
            self.roused.push(at);
            bodies.set_asleep(at as usize, false);
            roster.join(at);
            at = self.next[at as usize];
        }
    }

    /// Wakes all that rest on the body in `slot`.
    fn rouse_above(&mut self, slot: u32, (roster, bodies): (&mut Roster, &mut Bodies)) {
        let begin = self.supports.partition_point(|(support, _)| *support < slot);
        let end = self.supports.partition_point(|(support, _)| *support <= slot);
        for at in begin..end {
            let touch = &self.contacts[self.supports[at].1 as usize].touch;
            let (a, b) = (touch.body_a, touch.body_b);
            self.rouse(if a == slot { b } else { a }, (roster, bodies));
        }
    }

    /// Wakes everybody, and lets everybody be awake for a while.
    fn rouse_all(&mut self, (roster, bodies): (&mut Roster, &mut Bodies)) {
        for slot in 0..self.state.len() as u32 {
            self.rouse(slot, (roster, bodies));
        }
        self.calm.fill(0.0);
    }

    /// Puts back to sleep whom a step woke that was undone: all but the first `before` of those roused.
    pub(in crate::world) fn lull(&mut self, before: usize, roster: &mut Roster, bodies: &mut Bodies) {
        for slot in self.roused.drain(before..) {
            self.state[slot as usize] = State::Asleep;
            bodies.set_asleep(slot as usize, true);
            roster.leave();
        }
    }

    /// A new body took `slot`.
    pub(in crate::world) fn forget(&mut self, slot: usize) {
        if let (Some(state), Some(calm)) = (self.state.get_mut(slot), self.calm.get_mut(slot)) {
            (*state, *calm) = (State::Awake, 0.0);
        }
    }

    /// Whether a kept contact of this pair belongs to a sleeper still; if not, to a roused body, or to one that is gone.
    pub(in crate::world) fn holds(&self, (a, b): (u32, u32)) -> bool {
        self.is_asleep(a) || self.is_asleep(b)
    }

    /// How many contacts belong to sleepers.
    pub(in crate::world) fn contact_count(&self) -> usize {
        if self.roused.is_empty() {
            return self.contacts.len();
        }
        self.contacts.iter().filter(|kept| self.holds(kept.touch.pair())).count()
    }

    /// Writes to `all` the contacts that a step inherits from: the awake ones of the last step, and those of the bodies roused
    /// since, as if they had been found in it; sorted by pair.
    pub(in crate::world) fn recall(
        &self,
        memory: &Memory,
        removed: &Removed,
        (all, loads): (&mut Touches, &mut Loads),
    ) -> Result<()> {
        let most = memory.touches.len() + self.contacts.len();
        all.clear(most)?;
        loads.clear(most)?;
        let mut awake = memory.sums().map(|(found, _, load, _)| (found, load)).peekable();
        let roused = self.contacts.iter().map(|kept| (kept, kept.touch.pair()));
        for (kept, pair) in roused.filter(|(_, pair)| !self.holds(*pair) && !removed.ended(*pair)) {
            while let Some((found, load)) = awake.next_if(|(found, _)| found.pair() < pair) {
                all.push(found.pair(), found.key, memory.touches.spot(found));
                loads.push(&load);
            }
            all.push(pair, kept.touch.key, Some(&kept.touch.spot));
            loads.push(&kept.scaled(memory.step / kept.step, memory.substep / kept.substep));
        }
        for (found, load) in awake {
            all.push(found.pair(), found.key, memory.touches.spot(found));
            loads.push(&load);
        }
        Ok(())
    }
}

impl Kept {
    /// What it would carry in steps and substeps that are longer by these factors.
    fn scaled(&self, step: f64, substep: f64) -> Load {
        let load = &self.load;
        Load {
            normal_impulse: substep * load.normal_impulse,
            friction_impulse: substep * load.friction_impulse,
            torque_impulse: substep * load.torque_impulse,
            push: substep * load.push,
            compatible_normal: step * load.compatible_normal,
            compatible_friction: step * load.compatible_friction,
            ..*load
        }
    }
}

impl World {
    /// Whether a body takes part in steps; only bodies that impulses move can sleep.
    pub fn is_awake(&self, body: Handle) -> Result<bool> {
        let slot = self.bodies.registry.slot("body", body)?;
        Ok(!self.sleep.is_asleep(slot as u32))
    }

    /// Wakes a body with its island. One that is awake stays so for as long as if it had just become slow.
    pub fn wake(&mut self, body: Handle) -> Result<()> {
        let slot = self.bodies.registry.slot("body", body)?;
        self.sleep.rouse(slot as u32, (&mut self.roster, &mut self.bodies));
        if let Some(calm) = self.sleep.calm.get_mut(slot) {
            *calm = 0.0;
        }
        Ok(())
    }

    /// Makes room, so that the next `additional` calls of [`World::disturb`] cannot fail.
    pub(in crate::world) fn reserve_disturbed(&mut self, additional: usize) -> Result<()> {
        if !self.settings.sleeping {
            return Ok(());
        }
        resize(&mut self.sleep.is_stirred, self.bodies.slots() + additional, false, "bodies")?;
        reserve(&mut self.sleep.stirred, additional, "bodies")
    }

    /// The host changes the body in `slot`, or it comes or goes: its island wakes, and all that rest on it.
    pub(in crate::world) fn disturb(&mut self, slot: usize) {
        let Self { sleep, roster, bodies, .. } = self;
        let at = slot as u32;
        sleep.rouse(at, (roster, bodies));
        if !bodies.mass[slot].is_movable() {
            sleep.rouse_above(at, (roster, bodies));
            sleep.stir(at);
        }
    }

    /// Something changes that matters to every body.
    pub(in crate::world) fn wake_all(&mut self) {
        self.sleep.rouse_all((&mut self.roster, &mut self.bodies));
    }

    /// Wakes whom the contacts found in this step touch. Whether there was anybody.
    pub(in crate::world) fn rouse_touched(&mut self) -> bool {
        let Self { sleep, roster, bodies, workspace, .. } = self;
        if !sleep.is_used() {
            return false;
        }
        let before = sleep.roused.len();
        for found in &workspace.touches.found {
            sleep.rouse(found.body_a, (roster, bodies));
            sleep.rouse(found.body_b, (roster, bodies));
        }
        sleep.roused.len() > before
    }
}
