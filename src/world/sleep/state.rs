//! The sleeping bodies of a world and the contacts that they keep.

use crate::body::{Bodies, Kind};
use crate::contact::{ContactState, ContactView, StepImpulse};
use crate::error::{Result, reserve, resize};

/// How the body of a slot takes part in steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Activity {
    /// It takes part.
    Awake,
    /// It takes no part.
    Asleep,
    /// It takes part, and was asleep at the end of the last step.
    Woken,
}

/// A contact of a sleeping body, as the body's last step left it.
#[derive(Debug, Clone, Copy)]
pub(in crate::world) struct SleepingContact {
    pub(in crate::world) touch: ContactView,
    pub(in crate::world) load: ContactState,
    /// The impulses over that step.
    pub(in crate::world) total: StepImpulse,
    /// Length of that step [s].
    pub(in crate::world) step: f64,
    /// Length of its last substep [s].
    pub(in crate::world) substep: f64,
}

/// A contact in which a sleeping body rests on a body that impulses do not move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Support {
    /// The slot of the body that impulses do not move.
    pub(super) slot: u32,
    /// The index of the sleeping contact.
    pub(super) contact: u32,
}

/// The sleeping bodies of a world. Arrays by slot may be shorter than the number of slots; they are empty where nothing may sleep.
#[derive(Debug, Default)]
pub(in crate::world) struct SleepState {
    /// The time for which each body has been slow [s]; 0 for sleeping bodies.
    pub(in crate::world) sleep_timer: Vec<f64>,
    pub(super) activity: Vec<Activity>,
    /// For each sleeping body, the next body of its island. The bodies of an island form a ring.
    pub(super) next_in_island: Vec<u32>,
    /// The contacts of the sleeping bodies, sorted by pair.
    pub(in crate::world) contacts: Vec<SleepingContact>,
    /// The supports of the sleeping bodies, sorted.
    pub(super) supports: Vec<Support>,
    /// The bodies woken since the last step.
    pub(super) woken: Vec<u32>,
    /// The bodies that impulses do not move and that the host modified since the last step.
    pub(super) modified: Vec<u32>,
    /// Whether each slot is one of them.
    pub(super) is_modified: Vec<bool>,
    /// The number of bodies that slept at the end of the last step.
    pub(super) count: usize,
    /// Their potential energy then [J].
    pub(super) potential: f64,
}

impl SleepState {
    /// Reserves memory for `slots` bodies, so that waking cannot fail.
    ///
    /// # Errors
    ///
    /// Memory is exhausted.
    pub(super) fn reserve(&mut self, slots: usize) -> Result<()> {
        resize(&mut self.sleep_timer, slots, 0.0, "bodies")?;
        resize(&mut self.activity, slots, Activity::Awake, "bodies")?;
        resize(&mut self.next_in_island, slots, 0, "bodies")?;
        let more = slots.saturating_sub(self.woken.len());
        reserve(&mut self.woken, more, "bodies")
    }

    /// Returns whether bodies slept at the end of the last step. Otherwise no body has to be left out or woken.
    pub(in crate::world) fn is_used(&self) -> bool {
        self.count > 0
    }

    /// Returns whether the body in `slot` sleeps.
    #[inline]
    pub(in crate::world) fn is_asleep(&self, slot: u32) -> bool {
        self.activity.get(slot as usize) == Some(&Activity::Asleep)
    }

    /// Returns the number of bodies woken since the last step.
    pub(in crate::world) fn woken_count(&self) -> usize {
        self.woken.len()
    }

    /// Returns whether the host modified the body in `slot`, which impulses do not move, since the last step.
    pub(in crate::world) fn is_modified(&self, slot: u32) -> bool {
        self.is_modified.get(slot as usize) == Some(&true)
    }

    /// Reserves memory, so that the next `additional` calls of [`SleepState::mark_modified`] cannot fail, for slots below `slots`.
    ///
    /// # Errors
    ///
    /// Memory is exhausted.
    pub(in crate::world) fn reserve_modified(&mut self, slots: usize, additional: usize) -> Result<()> {
        if slots > self.is_modified.len() {
            resize(&mut self.is_modified, slots, false, "bodies")?;
        }
        reserve(&mut self.modified, additional, "bodies")
    }

    /// Notes that the host modified the body in `slot`, which impulses do not move.
    pub(super) fn mark_modified(&mut self, slot: u32) {
        if let Some(known @ false) = self.is_modified.get_mut(slot as usize) {
            *known = true;
            self.modified.push(slot);
        }
    }

    /// Forgets the modifications, after a step that took them into account.
    pub(super) fn clear_modified(&mut self) {
        for slot in self.modified.drain(..) {
            self.is_modified[slot as usize] = false;
        }
    }

    /// Returns whether the contacts of two bodies cannot change in this step: one sleeps, and the other sleeps or does not move.
    pub(in crate::world) fn is_settled(&self, bodies: &Bodies, a: u32, b: u32) -> bool {
        let still = |slot: u32| {
            let at = slot as usize;
            let stays = !bodies.mass[at].is_movable() && bodies.motion[at].is_at_rest() && !self.is_modified(slot);
            stays || self.is_asleep(slot)
        };
        self.is_used() && (self.is_asleep(a) && still(b) || self.is_asleep(b) && still(a))
    }

    /// Returns whether the contacts of two bodies cannot change until one of them wakes or the host modifies one. This holds for fewer
    /// pairs than [`SleepState::is_settled`]: a kinematic body may begin to move.
    pub(in crate::world) fn is_settled_while_asleep(&self, bodies: &Bodies, a: u32, b: u32) -> bool {
        let still = |slot: u32| {
            let is_static = bodies.traits[slot as usize].kind == Kind::Static;
            self.is_asleep(slot) || is_static && !self.is_modified(slot)
        };
        self.is_used() && (self.is_asleep(a) && still(b) || self.is_asleep(b) && still(a))
    }

    /// Resets the state of `slot`, which a new body has taken.
    pub(in crate::world) fn reset(&mut self, slot: usize) {
        if let (Some(activity), Some(timer)) = (self.activity.get_mut(slot), self.sleep_timer.get_mut(slot)) {
            (*activity, *timer) = (Activity::Awake, 0.0);
        }
    }

    /// Returns whether a sleeping contact of this pair still belongs to a sleeping body. If not, its bodies were woken or removed.
    pub(in crate::world) fn is_pair_asleep(&self, (a, b): (u32, u32)) -> bool {
        self.is_asleep(a) || self.is_asleep(b)
    }

    /// Returns the number of contacts of sleeping bodies.
    pub(in crate::world) fn contact_count(&self) -> usize {
        if self.woken.is_empty() {
            return self.contacts.len();
        }
        self.contacts.iter().filter(|contact| self.is_pair_asleep(contact.touch.pair())).count()
    }
}

impl SleepingContact {
    /// Returns the load for a step and a substep that are longer by these factors.
    pub(in crate::world) fn scaled_load(&self, step: f64, substep: f64) -> ContactState {
        let load = &self.load;
        ContactState {
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
