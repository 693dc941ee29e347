//! The contacts of the last completed step, and how those of the next one inherit their keys and impulses.
//!
//! Contacts are kept sorted by their pair of bodies, so that two steps are compared by one walk along both lists.
//! Within a pair a contact is found again by its features, else by its place on body a.

use std::sync::atomic::{AtomicU32, Ordering};

use parking_lot::Mutex;

use crate::contact::loads::Loads;
use crate::contact::touch::{Load, Total, Touch};
use crate::error::{Result, reserve, resize};
use crate::math::Vec3;
use crate::math::lanes::prefetch_first_of;
use crate::tasks::{Tasks, each_span};

/// The origin of a contact that is new.
pub const NONE: u32 = u32::MAX;

/// What is remembered between steps.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    /// The contacts of the last completed step, sorted by pair. Those of bodies removed since are taken out.
    pub contacts: Vec<Touch>,
    /// What they carried, one for each.
    pub loads: Loads,
    /// The next new contact's key.
    pub next_key: u64,
    /// Length of the last completed step [s]; 0 before the first.
    pub step: f64,
    /// Length of its last substep, whose impulses are remembered [s].
    pub substep: f64,
    /// The largest residual of that substep: how much its impulses are worth [m/s].
    pub residual: f64,
}

/// Who looks for the contacts of the step before, and the pieces in which it is done.
#[derive(Debug)]
pub struct Shared<'a> {
    /// Whoever does it.
    pub tasks: &'a dyn Tasks,
    /// Workspace.
    pub spans: &'a mut Vec<[u32; 2]>,
}

impl Memory {
    /// Nothing to remember; keys start at 1.
    pub fn new() -> Self {
        Self { contacts: Vec::new(), loads: Loads::default(), next_key: 1, step: 0.0, substep: 0.0, residual: 0.0 }
    }

    /// Gives each contact of `next` (sorted by pair) the key of the contact of `old` (sorted too) that it continues, and its place
    /// there to `origins`, or a new key and [`NONE`]. `reach` is the largest distance on body a at which a contact without a common
    /// feature is still the same [m], per contact of `next`. Returns how many are new and the key after the last one given.
    ///
    /// Nothing here changes until [`Memory::replace`], so that a step can be undone.
    pub fn inherit(
        &self,
        old: &[Touch],
        (next, origins): (&mut [Touch], &mut Vec<u32>),
        reach: impl Fn(&Touch) -> f64 + Sync,
        shared: Shared,
    ) -> Result<(u32, u64)> {
        origins.clear();
        resize(origins, next.len(), NONE, "contacts")?;
        let outcome = Mutex::new(Ok(()));
        let fresh = AtomicU32::new(0);
        let Shared { tasks, spans } = shared;
        cut_between_pairs(next, spans)?;
        each_span(tasks, spans, (&mut *next, &mut *origins), |_, next, origins| {
            match match_all(old, (next, origins), &reach) {
                Ok(new) => _ = fresh.fetch_add(new, Ordering::Relaxed),
                Err(error) => *outcome.lock() = Err(error),
            }
        });
        outcome.into_inner()?;
        let fresh = fresh.into_inner();
        let mut key = self.next_key;
        if fresh > 0 {
            for (touch, _) in next.iter_mut().zip(origins).filter(|(_, origin)| **origin == NONE) {
                touch.key = key;
                key += 1;
            }
        }
        Ok((fresh, key))
    }

    /// Whether contacts of these `origins` continue all that there are, each the one at its own place.
    pub fn is_continued(&self, origins: &[u32]) -> bool {
        // no early end: several are compared at once
        let differ = (0..).zip(origins).fold(0, |differ, (place, origin)| differ | (place ^ origin));
        origins.len() == self.contacts.len() && differ == 0
    }

    /// The contacts with what they carried in the last substep and over the step.
    pub fn sums(&self) -> impl Iterator<Item = (&Touch, Load, Total)> + '_ {
        let with = |(index, touch)| (touch, self.loads.load(index), self.loads.total(index));
        self.contacts.iter().enumerate().map(with)
    }

    /// Takes out the contacts that are not to be kept.
    pub fn retain(&mut self, is_kept: impl Fn(&Touch) -> bool) {
        self.loads.retain(|index| is_kept(&self.contacts[index]));
        self.contacts.retain(is_kept);
    }

    /// Takes `next`, with what it carries, as the contacts of the completed step of length `step`, whose last substep left `residual`.
    /// Hands back the arrays of the step before for reuse.
    pub fn replace(
        &mut self,
        (next, loads): (&mut Vec<Touch>, &mut Loads),
        next_key: u64,
        (step, substep): (f64, f64),
        residual: f64,
    ) {
        std::mem::swap(&mut self.contacts, next);
        std::mem::swap(&mut self.loads, loads);
        self.next_key = next_key;
        self.step = step;
        self.substep = substep;
        self.residual = residual;
    }
}

/// So many contacts ahead those of the step before are asked for.
const AHEAD: usize = 8;

/// Contacts that look for those before them at a time.
const PIECE: usize = 1024;

/// Cuts contacts that are sorted by pair into pieces, none of which ends within a pair.
fn cut_between_pairs(contacts: &[Touch], spans: &mut Vec<[u32; 2]>) -> Result<()> {
    spans.clear();
    reserve(spans, contacts.len() / PIECE + 1, "pieces of the contacts")?;
    let mut begin = 0;
    while begin < contacts.len() {
        let least = (begin + PIECE).min(contacts.len());
        let end = least + pair_length(&contacts[least..], contacts[least - 1].rank());
        spans.push([begin as u32, end as u32]);
        begin = end;
    }
    Ok(())
}

/// Matches `next` with `old`, both sorted by pair, and answers how many found none.
fn match_all(
    old: &[Touch],
    (next, origins): (&mut [Touch], &mut [u32]),
    reach: &impl Fn(&Touch) -> f64,
) -> Result<u32> {
    let Some(first) = next.first() else { return Ok(0) };
    let mut from = old.partition_point(|touch| touch.rank() < first.rank());
    let (mut at, mut fresh) = (0, 0);
    while let Some(touch) = next.get(at) {
        let rank = touch.rank();
        prefetch_first_of(old, from + AHEAD);
        while old.get(from).is_some_and(|touch| touch.rank() < rank) {
            from += 1;
        }
        let is_one = |sorted: &[Touch], first: usize| is_of(sorted, first, rank) && !is_of(sorted, first + 1, rank);
        if is_one(next, at) && is_one(old, from) {
            // one point each, as between spheres
            let (one, touch) = (&old[from], &mut next[at]);
            if continues(one, touch, reach) {
                (touch.key, origins[at]) = (one.key, from as u32);
            } else {
                fresh += 1;
            }
            (at, from) = (at + 1, from + 1);
            continue;
        }
        let (count, known) = (pair_length(&next[at..], rank), pair_length(&old[from..], rank));
        let same = &mut next[at..at + count];
        match_pair((&old[from..from + known], from as u32), (&mut *same, &mut origins[at..at + count]), reach)?;
        fresh += same.iter().filter(|touch| touch.key == 0).count() as u32;
        (at, from) = (at + count, from + known);
    }
    Ok(fresh)
}

/// Whether a contact is that one of the step before, where there is no other choice.
fn continues(before: &Touch, touch: &Touch, reach: &impl Fn(&Touch) -> f64) -> bool {
    let by_feature = touch.feature != 0 && touch.feature == before.feature;
    by_feature || distance(before, &touch.local) <= reach(touch)
}

/// Whether a contact is there, and of the pair of this rank.
#[inline(always)]
fn is_of(sorted: &[Touch], index: usize, rank: u64) -> bool {
    sorted.get(index).is_some_and(|touch| touch.rank() == rank)
}

/// How many contacts at the beginning are of the pair of this rank.
fn pair_length(sorted: &[Touch], rank: u64) -> usize {
    sorted.iter().take_while(|touch| touch.rank() == rank).count()
}

/// Matches the contacts of one pair, the old ones of which begin at place `first`. Each is continued by at most one new one.
fn match_pair(
    (old, first): (&[Touch], u32),
    (new, origins): (&mut [Touch], &mut [u32]),
    reach: &impl Fn(&Touch) -> f64,
) -> Result<()> {
    if old.is_empty() {
        return Ok(());
    }
    // Only a mesh can have so many that they do not fit here.
    let (mut few, mut many) = ([false; 32], Vec::new());
    let taken = if old.len() <= few.len() {
        &mut few[..old.len()]
    } else {
        resize(&mut many, old.len(), false, "contacts of a pair")?;
        many.as_mut_slice()
    };
    let continue_from = |touch: &mut Touch, origin: &mut u32, taken: &mut [bool], at: usize| {
        touch.key = old[at].key;
        *origin = first + at as u32;
        taken[at] = true;
    };
    for (touch, origin) in new.iter_mut().zip(&mut *origins).filter(|(touch, _)| touch.feature != 0) {
        let found = (0..old.len()).find(|at| old[*at].feature == touch.feature && !taken[*at]);
        if let Some(at) = found {
            continue_from(touch, origin, taken, at);
        }
    }
    for (touch, origin) in new.iter_mut().zip(origins).filter(|(touch, _)| touch.key == 0) {
        let far = |at: &usize| distance(&old[*at], &touch.local);
        let nearest = (0..old.len()).filter(|at| !taken[*at]).min_by(|x, y| far(x).total_cmp(&far(y)));
        if let Some(at) = nearest.filter(|at| far(at) <= reach(touch)) {
            continue_from(touch, origin, taken, at);
        }
    }
    Ok(())
}

fn distance(touch: &Touch, place: &Vec3) -> f64 {
    (touch.local - place).norm()
}
