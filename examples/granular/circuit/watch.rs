//! Where each grain is, where it left the drum, crossed the belt, and fell through the sieve.

use drystone::world::BodyState;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::drum;
use super::line::{BELT, Line, ROLLER, ROLLERS, SPEED, WIDTH, gap, top};
use super::support::Failure;
use super::support::grains::{Grains, mass, norm};

/// Parts of the width of the belt.
pub(crate) const BINS: usize = 10;
/// The flux is counted where grains pass this y [m].
const COUNTED: f64 = 0.35;
/// A grain that touches the belt alone for so long is at rest on it [s].
const RESTING: f64 = 0.5;

/// Where a grain is in the circuit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Place {
    Drum,
    Belt,
    Sieve,
    /// Through the gap behind this roller.
    Through(usize),
    /// Beyond the last roller.
    Over,
    Lost,
}

/// What was seen of all grains.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Watch {
    diameters: Vec<f64>,
    places: Vec<Place>,
    /// The gap that a grain of the sieve is above.
    above: Vec<usize>,
    /// [`RESTING`] in steps.
    resting: u32,
    /// Steps since a grain began to touch the belt alone.
    alone: Vec<u32>,
    counted: Vec<bool>,
    pub(crate) flux: [u32; BINS],
    /// Largest difference of a grain at rest on the belt from the belt's speed [m/s], and how many were seen.
    off: f64,
    rested: u32,
    /// Grains that fell through a gap that is narrower than they are.
    too_wide: u32,
    /// The largest speed of a grain so far [m/s].
    fastest: f64,
}

impl Watch {
    pub(crate) fn new(diameters: Vec<f64>, h: f64) -> Self {
        let count = diameters.len();
        Self {
            diameters,
            resting: (RESTING / h) as u32,
            places: vec![Place::Drum; count],
            above: vec![0; count],
            alone: vec![0; count],
            counted: vec![false; count],
            flux: [0; BINS],
            off: 0.0,
            rested: 0,
            too_wide: 0,
            fastest: 0.0,
        }
    }

    /// Looks at all grains after a step.
    pub(crate) fn look(&mut self, grains: &Grains, line: &Line) -> Result<(), Failure> {
        let touching = self.touching(grains, line);
        for (at, state) in grains.states()?.iter().enumerate() {
            self.places[at] = self.next(at, state, line);
            self.fastest = self.fastest.max(norm(state.linear_velocity));
            self.count(at, state);
            self.alone[at] = if touching[at] { self.alone[at] + 1 } else { 0 };
            if self.alone[at] >= self.resting && state.position[1] < BELT[1] - 0.02 {
                let [x, y, z] = state.linear_velocity;
                self.off = self.off.max(norm([x, y - SPEED, z]));
                self.rested += u32::from(self.alone[at] == self.resting);
            }
        }
        Ok(())
    }

    /// Returns which grains touch the belt and nothing else.
    fn touching(&self, grains: &Grains, line: &Line) -> Vec<bool> {
        let first = grains.grains.first().map_or(0, |grain| grain.0);
        let numbers: std::collections::BTreeMap<u64, usize> =
            grains.grains.iter().enumerate().map(|(at, grain)| (grain.0 - first.min(grain.0), at)).collect();
        let (mut belt, mut others) = (vec![0; grains.grains.len()], vec![0; grains.grains.len()]);
        for contact in grains.world.contacts().filter(|contact| contact.gap < 0.0) {
            for (one, other) in [(contact.body_a, contact.body_b), (contact.body_b, contact.body_a)] {
                if let Some(at) = one.0.checked_sub(first).and_then(|number| numbers.get(&number)) {
                    let seen = if other == line.belt { &mut belt } else { &mut others };
                    seen[*at] += 1;
                }
            }
        }
        belt.iter().zip(&others).map(|(belt, others)| *belt > 0 && *others == 0).collect()
    }

    /// Returns where a grain goes on from where it was.
    fn next(&mut self, at: usize, state: &BodyState, line: &Line) -> Place {
        let [x, y, z] = state.position;
        let radius = 0.5 * self.diameters[at];
        let [along, across, above] = drum::inside(state.position);
        let is_in_drum = across.hypot(above) < drum::OUTER + radius;
        let is_beside = x < WIDTH[0] - radius || x > WIDTH[1] + radius || z < -0.45 || y < BELT[0] - radius;
        match self.places[at] {
            _ if is_beside => Place::Lost,
            Place::Drum if is_in_drum => Place::Drum,
            // It must have left by the slot.
            Place::Drum if along > drum::SLOTTED[0] - 0.03 && along < drum::SLOTTED[1] + 0.03 => Place::Belt,
            Place::Drum => Place::Lost,
            Place::Belt if y > BELT[1] => Place::Sieve,
            Place::Belt if z < top() - radius => Place::Lost,
            Place::Belt => Place::Belt,
            Place::Sieve => self.through(at, [y, z], line),
            other => other,
        }
    }

    /// Returns whether a grain on the sieve has fallen through it, and where.
    fn through(&mut self, at: usize, [y, z]: [f64; 2], line: &Line) -> Place {
        let after = line.rollers.iter().position(|roller| roller[0] > y);
        let Some(after) = after else {
            let low = line.rollers.last().is_some_and(|last| z < last[1] - ROLLER);
            return if low { Place::Over } else { Place::Sieve };
        };
        self.above[at] = after.saturating_sub(1);
        let [begin, end] = [line.rollers[after.saturating_sub(1)], line.rollers[after]];
        let share = if after == 0 { 0.0 } else { (y - begin[0]) / (end[0] - begin[0]) };
        let axis = begin[1] + share * (end[1] - begin[1]);
        if z > axis - 0.5 * ROLLER {
            return Place::Sieve;
        }
        if after == 0 {
            return Place::Lost;
        }
        self.too_wide += u32::from(self.diameters[at] > gap(after - 1));
        Place::Through(after - 1)
    }

    fn count(&mut self, at: usize, state: &BodyState) {
        let [x, y, _] = state.position;
        if self.places[at] == Place::Belt && y > COUNTED && !self.counted[at] {
            self.counted[at] = true;
            let bin = (x - WIDTH[0]) / (WIDTH[1] - WIDTH[0]) * BINS as f64;
            self.flux[(bin.max(0.0) as usize).min(BINS - 1)] += 1;
        }
    }

    /// Returns the mass at a place, as a share of that of all grains.
    fn share(&self, exists: impl Fn(Place) -> bool) -> f64 {
        let of = |there: &dyn Fn(Place) -> bool| -> f64 {
            let pairs = self.places.iter().zip(&self.diameters).filter(|(place, _)| there(**place));
            pairs.map(|(_, diameter)| mass(*diameter)).sum()
        };
        of(&exists) / of(&|_| true)
    }

    pub(crate) fn json(&self) -> Value {
        let through: Vec<f64> = (0..ROLLERS - 1).map(|gap| self.share(|place| place == Place::Through(gap))).collect();
        let mut waiting = [0; ROLLERS - 1];
        let pairs = self.places.iter().zip(&self.above);
        pairs.filter(|(place, _)| **place == Place::Sieve).for_each(|(_, gap)| waiting[*gap] += 1);
        let number = |wanted: Place| self.places.iter().filter(|place| **place == wanted).count();
        json!({
            "grains": self.places.len(), "in_drum": number(Place::Drum), "on_belt": number(Place::Belt),
            "on_sieve": number(Place::Sieve), "over": number(Place::Over), "lost": number(Place::Lost),
            "lost_mass_share": self.share(|place| place == Place::Lost),
            "above_gap": waiting, "through_share": through, "flux": self.flux, "rested": self.rested, "belt_speed_off": self.off,
            "too_wide": self.too_wide, "fastest": self.fastest,
        })
    }
}
