//! The sleeping bodies of a world, the contacts that they keep, and how they wake.

use crate::body::{Bodies, Kind, Wrench};
use crate::contact::{ContactRecord, ContactState, ContactView};
use crate::error::{Result, empty, reserve, resize};
use crate::id::SlotSet;
use crate::math::{Impulse, ImpulsiveWrench};
use crate::query::forces_on;
use crate::solver::Velocity;
use crate::visit::StateVisitor;
use crate::world::active_bodies::ActiveBodies;

/// How the body of a slot takes part in steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Activity {
    /// It takes part.
    Awake,
    /// It does not take part.
    Asleep,
    /// It takes part, and was asleep at the end of the last step.
    Woken,
}

/// A contact as a step left it: the last completed one, or for a sleeping body the last one that it took part in.
#[derive(Debug, Clone, Copy)]
pub(in crate::world) struct StepContact {
    pub(in crate::world) touch: ContactView,
    pub(in crate::world) load: ContactState,
    /// The impulses over the step.
    pub(in crate::world) total: ImpulsiveWrench,
    /// The part of it from the impact stages of the step.
    pub(in crate::world) impact: Impulse,
    /// Length of the step [s].
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
    /// The velocity of each sleeping body at the end of the step in which it fell asleep, before it was stopped. It is
    /// no state: snapshots compute the velocities of contacts from it, where they agree.
    pub(in crate::world) velocities: Vec<Velocity>,
    /// The contacts of the sleeping bodies, sorted by pair.
    pub(in crate::world) contacts: Vec<StepContact>,
    /// The supports of the sleeping bodies, sorted.
    pub(super) supports: Vec<Support>,
    /// The bodies woken since the last step.
    pub(super) woken: Vec<u32>,
    /// The bodies that impulses do not move and that the host modified since the last step.
    pub(in crate::world) modified: SlotSet,
    /// The number of bodies that slept at the end of the last step.
    pub(super) count: usize,
    /// Their potential energy then [J].
    pub(super) potential: f64,
}

impl SleepState {
    /// Reserves memory for `slots` bodies, so that waking cannot fail.
    pub(super) fn reserve(&mut self, slots: usize) -> Result<()> {
        resize(&mut self.sleep_timer, slots, 0.0, "bodies")?;
        resize(&mut self.activity, slots, Activity::Awake, "bodies")?;
        resize(&mut self.next_in_island, slots, 0, "bodies")?;
        resize(&mut self.velocities, slots, Velocity::ZERO, "bodies")?;
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

    /// Returns the velocity with which a body fell asleep.
    pub(in crate::world) fn velocity(&self, slot: u32) -> &Velocity {
        self.velocities.get(slot as usize).unwrap_or(&Velocity::ZERO)
    }

    /// Returns the number of bodies woken since the last step.
    pub(in crate::world) fn woken_count(&self) -> usize {
        self.woken.len()
    }

    /// Returns whether the contacts of two bodies cannot change in this step: one sleeps, and the other sleeps or does not move.
    pub(in crate::world) fn is_settled(&self, bodies: &Bodies, a: u32, b: u32) -> bool {
        let still = |slot: u32| {
            let at = slot as usize;
            let stays =
                !bodies.mass[at].is_movable() && bodies.motion[at].is_at_rest() && !self.modified.contains(slot);
            stays || self.is_asleep(slot)
        };
        self.is_used() && (self.is_asleep(a) && still(b) || self.is_asleep(b) && still(a))
    }

    /// Returns whether the contacts of two bodies cannot change until one of them wakes or the host modifies one. This holds for fewer
    /// pairs than [`SleepState::is_settled`]: a kinematic body may begin to move.
    pub(in crate::world) fn is_settled_while_asleep(&self, bodies: &Bodies, a: u32, b: u32) -> bool {
        let still = |slot: u32| {
            let is_static = bodies.traits[slot as usize].kind == Kind::Static;
            self.is_asleep(slot) || is_static && !self.modified.contains(slot)
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

    /// Returns the sum of the forces of sleeping bodies on the body in `slot`, which impulses do not move.
    pub(in crate::world) fn force_on_support(&self, slot: u32) -> Wrench {
        let begin = self.supports.partition_point(|support| support.slot < slot);
        let own = self.supports[begin..].iter().take_while(|support| support.slot == slot);
        let own = own.map(|support| &self.contacts[support.contact as usize]);
        forces_on(slot, own.map(|contact| (contact.touch, contact.total, contact.step)))
    }

    /// Visits how bodies take part in steps, and the contacts of sleeping bodies. Slots without a body have no state.
    pub(in crate::world) fn visit_state(&self, visitor: &mut impl StateVisitor, bodies: &Bodies, removed: &SlotSet) {
        let Self {
            sleep_timer,
            activity,
            next_in_island,
            velocities: _, // No state.
            contacts,
            supports: _, // Follows from the contacts and the bodies.
            woken,
            modified,
            count,
            potential,
        } = self;
        for at in bodies.order.iter().map(|slot| *slot as usize) {
            let activity = activity.get(at).copied().unwrap_or(Activity::Awake);
            visitor.word(activity as u64);
            visitor.number(sleep_timer.get(at).copied().unwrap_or(0.0));
            if activity == Activity::Asleep {
                visitor.word(u64::from(next_in_island[at]));
            }
        }
        // Which bodies were woken is a part of their activity, unless they were removed. The order has no effect.
        visitor.length(woken.len());
        modified.visit_state(visitor);
        visitor.length(*count);
        visitor.number(*potential);
        let kept = contacts.iter().filter(|contact| !removed.has_any_of(contact.touch.pair()));
        visitor.length(kept.clone().count());
        kept.for_each(|contact| contact.visit_state(visitor));
    }
}

/// Lists the supports among the contacts of sleeping bodies.
pub(super) fn list_supports(contacts: &[StepContact], supports: &mut Vec<Support>, bodies: &Bodies) -> Result<()> {
    empty(supports, contacts.len(), "contacts")?;
    for (contact, StepContact { touch, .. }) in (0..).zip(contacts) {
        let is_support = |slot: &u32| !bodies.mass[*slot as usize].is_movable();
        let slots = [touch.body_a, touch.body_b].into_iter().filter(is_support);
        supports.extend(slots.map(|slot| Support { slot, contact }));
    }
    supports.sort_unstable();
    Ok(())
}

impl StepContact {
    /// Returns the load for a step and a substep that are longer by these factors.
    pub(in crate::world) fn scaled_load(&self, step: f64, substep: f64) -> ContactState {
        let load = &self.load;
        ContactState {
            impulse: ImpulsiveWrench {
                force: load.impulse.force.scaled(substep),
                torque: substep * load.impulse.torque,
            },
            position_multiplier: substep * load.position_multiplier,
            compatible: load.compatible.scaled(step),
            ..*load
        }
    }

    /// Visits every member, an impact only where there was one.
    fn visit_state(&self, visitor: &mut impl StateVisitor) {
        let Self { touch, load, total, impact, step, substep } = self;
        touch.visit_state(visitor);
        load.visit_state(visitor);
        total.visit_state(visitor);
        visitor.numbers([step, substep]);
        if impact.normal != 0.0 {
            impact.visit_state(visitor);
        }
    }
}

/// What changes when a body wakes.
pub(in crate::world) struct Waker<'a> {
    pub(in crate::world) sleep: &'a mut SleepState,
    pub(in crate::world) active_bodies: &'a mut ActiveBodies,
    pub(in crate::world) bodies: &'a mut Bodies,
}

impl Waker<'_> {
    /// Wakes the island of the body in `slot` if it sleeps.
    pub(in crate::world) fn wake(&mut self, slot: u32) {
        let Self { sleep, active_bodies, bodies } = self;
        let mut at = slot;
        while sleep.is_asleep(at) {
            sleep.activity[at as usize] = Activity::Woken;
            sleep.woken.push(at);
            bodies.set_asleep(at as usize, false);
            active_bodies.add(at);
            at = sleep.next_in_island[at as usize];
        }
    }

    /// Wakes the island of the body in `slot`, which the host modifies, adds or removes, and all islands that rest on it.
    pub(in crate::world) fn wake_modified(&mut self, slot: usize) {
        let at = slot as u32;
        self.wake(at);
        if !self.bodies.mass[slot].is_movable() {
            self.wake_supported_by(at);
            self.sleep.modified.insert(slot);
        }
    }

    /// Wakes all islands that rest on the body in `slot`.
    fn wake_supported_by(&mut self, slot: u32) {
        let begin = self.sleep.supports.partition_point(|support| support.slot < slot);
        let end = self.sleep.supports.partition_point(|support| support.slot <= slot);
        for at in begin..end {
            let touch = &self.sleep.contacts[self.sleep.supports[at].contact as usize].touch;
            let (a, b) = (touch.body_a, touch.body_b);
            self.wake(if a == slot { b } else { a });
        }
    }

    /// Wakes all islands and resets all sleep timers.
    pub(in crate::world) fn wake_all(&mut self) {
        for slot in 0..self.sleep.activity.len() as u32 {
            self.wake(slot);
        }
        self.sleep.sleep_timer.fill(0.0);
    }

    /// Wakes the islands of all bodies that have one of these contacts. Returns whether any was asleep.
    pub(in crate::world) fn wake_touched(&mut self, contacts: &[ContactRecord]) -> bool {
        if !self.sleep.is_used() {
            return false;
        }
        let before = self.sleep.woken.len();
        for contact in contacts {
            self.wake(contact.body_a);
            self.wake(contact.body_b);
        }
        self.sleep.woken.len() > before
    }

    /// Puts the bodies that a failed step woke back to sleep: all woken ones except the first `before`.
    pub(in crate::world) fn undo_wake(&mut self, before: usize) {
        for slot in self.sleep.woken.drain(before..) {
            self.sleep.activity[slot as usize] = Activity::Asleep;
            self.bodies.set_asleep(slot as usize, true);
            self.active_bodies.note_sleep();
        }
    }
}
