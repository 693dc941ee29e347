//! Sleep in snapshots, without the contacts of sleeping bodies.

use crate::body::Bodies;
use crate::error::{Result, not_negative, refill, resize, text};
use crate::id::SlotSet;
use crate::visit::{Reader, StateVisitor, format_error};
use crate::world::sleep::state::{Activity, SleepState};

/// Above the activity of a body: whether it was slow for another time than the body before.
const TIMED: u8 = 4;

impl SleepState {
    /// Writes how bodies take part in steps, without the contacts of those that sleep.
    pub(in crate::world) fn save(&self, visitor: &mut impl StateVisitor, bodies: &Bodies) {
        let Self {
            sleep_timer,
            activity,
            next_in_island,
            velocities: _, // Written with those of other bodies.
            contacts: _,   // Written behind those of other bodies.
            supports: _,   // Follows from the contacts and the bodies.
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
        let mut last = 0.0_f64;
        for at in slots().filter(|_| is_used) {
            let (activity, timer) = (activity_of(at), timer_of(at));
            let is_timed = timer.to_bits() != last.to_bits();
            last = timer;
            visitor.byte(activity as u8 | if is_timed { TIMED } else { 0 });
            if is_timed {
                visitor.number(timer);
            }
            if activity == Activity::Asleep {
                visitor.half(next_in_island[at]);
            }
        }
        visitor.slots(woken.iter().copied());
        modified.visit_state(visitor);
        visitor.length(*count);
        visitor.number(*potential);
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
        Ok(sleep)
    }

    fn load_activity(&mut self, reader: &mut Reader, bodies: &mut Bodies) -> Result<()> {
        let mut is_next = Vec::new();
        resize(&mut is_next, bodies.slots(), false, "bodies")?;
        let mut last = 0.0;
        for number in 0..bodies.order.len() {
            let at = bodies.order[number] as usize;
            let head = reader.byte()?;
            let activity = match head & !TIMED {
                0 => Activity::Awake,
                1 => Activity::Asleep,
                2 => Activity::Woken,
                _ => return Err(format_error(text!("an activity is {head}, which is none"))),
            };
            let timer = if head & TIMED != 0 { reader.number()? } else { last };
            last = timer;
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
}
