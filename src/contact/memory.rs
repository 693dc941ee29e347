//! The contacts of the last completed step, and how those of the next one inherit their keys and impulses.
//!
//! Contacts are kept sorted by their pair of bodies, so that two steps are compared by one walk along both lists.
//! Within a pair a contact is found again by its features, else by its place on body a.

use crate::contact::touch::Touch;
use crate::math::Vec3;

/// What is remembered between steps.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    /// The contacts of the last completed step, sorted by pair. Those of bodies removed since are taken out.
    pub contacts: Vec<Touch>,
    /// The next new contact's key.
    pub next_key: u64,
    /// Length of the last completed step [s]; 0 before the first.
    pub step: f64,
    /// The largest residual of the last completed step: how much its impulses are worth [m/s].
    pub residual: f64,
}

impl Memory {
    /// Nothing to remember; keys start at 1.
    pub fn new() -> Self {
        Self { contacts: Vec::new(), next_key: 1, step: 0.0, residual: 0.0 }
    }

    /// Gives each contact of `next` (sorted by pair) the key and the impulses of the contact it continues, or a new key
    /// and none. `reach` is the largest distance on body a at which a contact without a common feature is still the
    /// same [m], per contact of `next`. Returns how many are new and the key after the last one given.
    ///
    /// Nothing here changes until [`Memory::replace`], so that a step can be undone.
    pub fn inherit(&self, next: &mut [Touch], reach: impl Fn(&Touch) -> f64) -> (u32, u64) {
        let mut old = self.contacts.as_slice();
        let mut new = next;
        let (mut fresh, mut key) = (0, self.next_key);
        while let Some(first) = new.first() {
            let pair = first.pair();
            let (same, rest) = new.split_at_mut(pair_length(new, pair));
            let skipped = old.iter().take_while(|touch| touch.pair() < pair).count();
            old = &old[skipped..];
            let before = &old[..pair_length(old, pair)];
            match_pair(before, same, &reach);
            for touch in same.iter_mut().filter(|touch| touch.key == 0) {
                touch.key = key;
                touch.is_new = true;
                key += 1;
                fresh += 1;
            }
            new = rest;
        }
        (fresh, key)
    }

    /// Takes `next` as the contacts of the completed step of length `step`, which left `residual`, and hands back the array of the step before for reuse.
    pub fn replace(&mut self, next: &mut Vec<Touch>, next_key: u64, step: f64, residual: f64) {
        std::mem::swap(&mut self.contacts, next);
        self.next_key = next_key;
        self.step = step;
        self.residual = residual;
    }
}

fn pair_length(sorted: &[Touch], pair: (u32, u32)) -> usize {
    sorted.iter().take_while(|touch| touch.pair() == pair).count()
}

/// Matches the contacts of one pair. Each old contact is continued by at most one new one.
fn match_pair(old: &[Touch], new: &mut [Touch], reach: &impl Fn(&Touch) -> f64) {
    if old.is_empty() {
        return;
    }
    let taken = |new: &[Touch], key: u64| new.iter().any(|touch| touch.key == key);
    for at in 0..new.len() {
        let feature = new[at].feature;
        let found = old.iter().find(|before| before.feature == feature && feature != 0 && !taken(new, before.key));
        if let Some(before) = found {
            continue_from(&mut new[at], before);
        }
    }
    for at in 0..new.len() {
        if new[at].key != 0 {
            continue;
        }
        let limit = reach(&new[at]);
        let place = new[at].local;
        let nearest = old
            .iter()
            .filter(|before| !taken(new, before.key))
            .min_by(|x, y| distance(x, &place).total_cmp(&distance(y, &place)));
        if let Some(before) = nearest.filter(|before| distance(before, &place) <= limit) {
            continue_from(&mut new[at], before);
        }
    }
}

fn distance(touch: &Touch, place: &Vec3) -> f64 {
    (touch.local - place).norm()
}

/// Friction memory is a world vector; what of it is no longer tangential is dropped by the assembly.
fn continue_from(new: &mut Touch, before: &Touch) {
    new.key = before.key;
    if !before.rebounds {
        new.normal_impulse = before.normal_impulse;
        new.friction_impulse = before.friction_impulse;
    }
}
