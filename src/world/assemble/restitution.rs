//! How much of the materials' restitution each island has in a substep.
//!
//! Newton's restitution with friction can gain energy (T. R. Kane, D. A. Levinson, Dynamics: theory and applications, 1985, section 5.8: a
//! rod that falls obliquely). An island that would gain some is solved again with a part of its restitution: the largest for which its
//! contacts do no work in sum.

use crate::error::{Result, reserve, resize};
use crate::math::{Impulse, LaneSlot};

/// The contacts whose bias depends on restitution, and how much of it each island has.
#[derive(Debug, Default)]
pub(in crate::world) struct Impacts {
    pub(in crate::world) contacts: Vec<ImpactContact>,
    /// One for each island; empty where nothing rebounds.
    pub(in crate::world) islands: Vec<IslandImpact>,
    /// The impulses from which the lanes start, as another solve of the same substep needs them.
    pub(in crate::world) start: Vec<Impulse>,
    /// How often the sweeps of this substep were continued.
    pub(in crate::world) continued: u32,
}

/// One of them.
#[derive(Debug, Clone, Copy)]
pub(in crate::world) struct ImpactContact {
    pub(in crate::world) lane: LaneSlot,
    pub(in crate::world) island: u32,
    /// Its bias without restitution, and with the restitution of the materials [m/s].
    pub(in crate::world) biases: [f64; 2],
}

/// A part of the restitution [-], and the work that the contacts of the island do with it [J].
#[derive(Debug, Clone, Copy)]
struct Trial {
    part: f64,
    work: f64,
}

/// The restitution of an island.
#[derive(Debug, Clone, Copy)]
pub(in crate::world) struct IslandImpact {
    /// The fastest approach that rebounds; 0 where nothing does [m/s].
    pub(in crate::world) fastest: f64,
    /// The part of the materials' restitution with which the island is solved [-].
    pub(in crate::world) part: f64,
    /// The largest residual of its contacts [m/s].
    pub(in crate::world) residual: f64,
    /// The work that its contacts did with it, and the sum of the magnitudes of which it is made [J].
    pub(in crate::world) work: f64,
    pub(in crate::world) exchanged: f64,
    is_final: bool,
    /// The work that they do with all of the restitution [J].
    gain: f64,
    /// Solves so far, and whether the last of them gained energy.
    trials: u32,
    gained: Option<bool>,
    /// The largest part tried that gains no energy, and the smallest one that does.
    low: Option<Trial>,
    high: Option<Trial>,
}

impl Impacts {
    /// Forgets all contacts.
    pub(super) fn clear(&mut self) {
        let Self { contacts, islands, start, continued } = self;
        *continued = 0;
        contacts.clear();
        islands.clear();
        start.clear();
    }

    /// Notes that an island, of so many, rebounds at this speed.
    pub(super) fn note_rebound(&mut self, island: usize, count: usize, speed: f64) -> Result<()> {
        resize(&mut self.islands, count, IslandImpact::NONE, "islands")?;
        let fastest = &mut self.islands[island].fastest;
        *fastest = fastest.max(speed);
        Ok(())
    }

    /// Remembers the impulses from which the lanes start.
    pub(super) fn keep_start(&mut self, impulses: &[Impulse]) -> Result<()> {
        reserve(&mut self.start, impulses.len(), "contacts")?;
        self.start.extend_from_slice(impulses);
        Ok(())
    }
}

/// Work below this part of the energy exchanged is round-off of its sums [-].
const ROUND_OFF: f64 = 1e-13;

/// The search ends when no more is lost than this part of what all of the restitution would gain [-].
const ENOUGH: f64 = 1e-2;

/// Most solves of the search.
const MAX_TRIALS: u32 = 16;

impl IslandImpact {
    /// An island in which nothing is known to rebound.
    const NONE: Self = Self {
        fastest: 0.0,
        part: 1.0,
        residual: 0.0,
        work: 0.0,
        exchanged: 0.0,
        is_final: false,
        gain: 0.0,
        trials: 0,
        gained: None,
        low: None,
        high: None,
    };

    /// Chooses the next part after a solve with the present one. Returns whether it differs.
    pub(in crate::world) fn choose(&mut self) -> bool {
        if self.is_final {
            return false;
        }
        self.trials += 1;
        let trial = Trial { part: self.part, work: self.work };
        let round_off = ROUND_OFF * self.exchanged;
        let gains = trial.work > round_off;
        if self.trials == 1 {
            self.gain = trial.work;
        }
        // What gains energy without restitution gains it from elsewhere.
        let loses_little = trial.part == 1.0 || trial.work >= -(ENOUGH * self.gain).max(round_off);
        let is_last = if gains { trial.part == 0.0 } else { loses_little };
        if is_last {
            self.is_final = true;
            return false;
        }
        self.bracket(trial, gains);
        let next = self.next_part();
        // The last trial of all is one that is known to gain nothing.
        self.is_final = self.trials >= MAX_TRIALS;
        let next = if self.is_final { self.low.map_or(0.0, |low| low.part) } else { next };
        let differs = next != self.part;
        self.part = next;
        self.is_final |= !differs;
        differs
    }

    /// Notes a trial. The work of a bound that stays twice is halved (the Illinois rule), so that both bounds move.
    fn bracket(&mut self, trial: Trial, gains: bool) {
        let (own, other) = if gains { (&mut self.high, &mut self.low) } else { (&mut self.low, &mut self.high) };
        *own = Some(trial);
        if self.gained == Some(gains)
            && let Some(other) = other
        {
            other.work *= 0.5;
        }
        self.gained = Some(gains);
    }

    /// Returns where the work, taken as linear between the bounds, vanishes.
    fn next_part(&self) -> f64 {
        let (Some(low), Some(high)) = (self.low, self.high) else { return 0.0 };
        low.part + (high.part - low.part) * (-low.work / (high.work - low.work)).clamp(0.0, 1.0)
    }
}
