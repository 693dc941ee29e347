//! Sleep in snapshots.

use crate::body::Bodies;
use crate::contact::{check_frame, check_geometry, check_impulses};
use crate::error::{Result, not_negative, refill, reserve, resize, text};
use crate::id::SlotSet;
use crate::math::{Impulse, limits};
use crate::visit::{Reader, State, StateVisitor, format_error, state_choice};
use crate::world::sleep::state::{Activity, SleepState, StepContact, list_supports};

state_choice!(Activity { Awake, Asleep, Woken });

/// The fewest bytes of a contact.
const MIN_CONTACT: usize = 256;

impl SleepState {
    /// Writes the activity of bodies, and the contacts of sleeping bodies. Contacts of `removed` bodies are omitted.
    pub(in crate::world) fn save(&self, visitor: &mut impl StateVisitor, bodies: &Bodies, removed: &SlotSet) {
        let Self {
            sleep_timer,
            activity,
            next_in_island,
            contacts,
            supports: _, // Follows from the contacts and the bodies.
            woken,
            modified,
            count,
            potential,
        } = self;
        let slots = || bodies.order.iter().map(|slot| *slot as usize);
        let activity_of = |at: usize| activity.get(at).copied().unwrap_or(Activity::Awake);
        let timer_of = |at: usize| sleep_timer.get(at).copied().unwrap_or(0.0);
        let is_used = slots().any(|at| activity_of(at) != Activity::Awake || timer_of(at).to_bits() != 0);
        visitor.flag(is_used);
        for at in slots().filter(|_| is_used) {
            activity_of(at).visit(visitor);
            visitor.number(timer_of(at));
            if activity_of(at) == Activity::Asleep {
                visitor.half(next_in_island[at]);
            }
        }
        visitor.slots(woken.iter().copied());
        modified.visit_state(visitor);
        visitor.length(*count);
        visitor.number(*potential);
        let kept = contacts.iter().filter(|contact| !removed.has_any_of(contact.touch.pair()));
        visitor.length(kept.clone().count());
        kept.for_each(|contact| contact.save(visitor));
    }

    /// Reads which of the `bodies` sleep, and marks them.
    ///
    /// # Errors
    ///
    /// Memory is exhausted, or there is no such sleep.
    pub(in crate::world) fn load(reader: &mut Reader, bodies: &mut Bodies) -> Result<Self> {
        let (mut sleep, slots) = (Self::default(), bodies.slots());
        if reader.flag()? {
            sleep.reserve(slots)?;
            sleep.load_activity(reader, bodies)?;
        }
        sleep.woken = reader.slots("bodies")?;
        sleep.modified = SlotSet::load(reader, slots)?;
        let count = reader.word()?;
        sleep.count = usize::try_from(count).map_err(|_| format_error(text!("{count} bodies slept")))?;
        sleep.potential = reader.number()?;
        sleep.check_woken(bodies)?;
        if sleep.count > 0 {
            sleep.reserve(slots)?;
        }
        sleep.load_contacts(reader, bodies)?;
        list_supports(&sleep.contacts, &mut sleep.supports, bodies)?;
        Ok(sleep)
    }

    fn load_activity(&mut self, reader: &mut Reader, bodies: &mut Bodies) -> Result<()> {
        let mut is_next = Vec::new();
        resize(&mut is_next, bodies.slots(), false, "bodies")?;
        for number in 0..bodies.order.len() {
            let at = bodies.order[number] as usize;
            let (activity, timer) = (Activity::read(reader)?, reader.number()?);
            not_negative("the time for which a body was slow", timer)?;
            (self.activity[at], self.sleep_timer[at]) = (activity, timer);
            if activity != Activity::Asleep {
                continue;
            }
            let next = reader.half()?;
            let is_first = is_next.get_mut(next as usize).is_some_and(|is_next| !std::mem::replace(is_next, true));
            if !is_first || !bodies.mass[at].is_movable() || !bodies.motion[at].is_at_rest() {
                return Err(format_error(text!("the body in slot {at} cannot sleep before that in slot {next}")));
            }
            self.next_in_island[at] = next;
            bodies.asleep[at] = true;
        }
        // Each sleeping body is the next one of a sleeping body: they form rings.
        let broken = is_next.iter().zip(&bodies.asleep).position(|(is_next, is_asleep)| is_next != is_asleep);
        broken.map_or(Ok(()), |slot| Err(format_error(text!("the body in slot {slot} sleeps in no ring"))))
    }

    /// Checks the bodies woken since the last step, and the number of those that slept.
    fn check_woken(&self, bodies: &Bodies) -> Result<()> {
        let mut is_woken = Vec::new();
        refill(&mut is_woken, bodies.slots(), false, "bodies")?;
        for slot in &self.woken {
            let is_first = is_woken.get_mut(*slot as usize).is_some_and(|is_woken| !std::mem::replace(is_woken, true));
            if !is_first || self.is_asleep(*slot) {
                return Err(format_error(text!("the body in slot {slot} was not woken")));
            }
        }
        let unknown = bodies.order.iter().find(|slot| {
            let at = **slot as usize;
            self.activity.get(at) == Some(&Activity::Woken) && !is_woken[at]
        });
        let asleep = bodies.asleep.iter().filter(|is_asleep| **is_asleep).count();
        if unknown.is_none() && self.count == asleep.saturating_add(self.woken.len()) {
            return Ok(());
        }
        Err(format_error(text!("{} bodies slept, of which {asleep} sleep and {} woke", self.count, self.woken.len())))
    }

    fn load_contacts(&mut self, reader: &mut Reader, bodies: &Bodies) -> Result<()> {
        let count = reader.length(MIN_CONTACT)?;
        reserve(&mut self.contacts, count, "contacts")?;
        for _ in 0..count {
            let contact = StepContact::load(reader)?;
            let (a, b) = contact.touch.pair();
            let exists = |slot: u32| bodies.registry.is_live(slot as usize);
            let was_asleep = |slot: u32| self.activity.get(slot as usize).is_some_and(|own| *own != Activity::Awake);
            let is_sorted = self.contacts.last().is_none_or(|last| last.touch.pair() <= (a, b));
            if !(a < b && exists(a) && exists(b) && is_sorted && (was_asleep(a) || was_asleep(b))) {
                return Err(format_error(text!("a contact between the slots {a} and {b} does not sleep")));
            }
            contact.check()?;
            self.contacts.push(contact);
        }
        Ok(())
    }
}

impl StepContact {
    /// Writes the contact without its impact, which is behind the rest of the world.
    pub(super) fn save(&self, visitor: &mut impl StateVisitor) {
        let Self { touch, load, total, impact: _, step, substep } = self;
        touch.visit(visitor);
        load.visit(visitor);
        total.visit(visitor);
        visitor.numbers([step, substep]);
    }

    fn load(reader: &mut Reader) -> Result<Self> {
        Ok(Self {
            touch: State::read(reader)?,
            load: State::read(reader)?,
            total: State::read(reader)?,
            impact: Impulse::ZERO,
            step: reader.number()?,
            substep: reader.number()?,
        })
    }

    /// Refuses what no step leaves.
    fn check(&self) -> Result<()> {
        let Self { touch, load, total, impact: _, step, substep } = self;
        check_geometry(&touch.geometry)?;
        check_impulses(&[load.impulse, load.compatible.into(), *total])?;
        check_frame(&load.frame)?;
        limits::step("the step of a contact", *step)?;
        limits::step("the substep of a contact", *substep)?;
        if load.impulse.force.normal >= 0.0 && limits::has_square(load.position_multiplier) {
            return Ok(());
        }
        Err(format_error(text!("a contact carried {load:?}")))
    }
}
