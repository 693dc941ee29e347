//! The contacts of the last completed step, and how those of the next one inherit their keys and impulses.
//!
//! Contacts are kept sorted by their pair of bodies, so that a single pass over both lists compares two steps.
//! Within a pair a contact is matched by its features, or otherwise by its position on body a.

use std::sync::atomic::{AtomicU32, Ordering};

use parking_lot::Mutex;

use crate::contact::impulse_cache::{ImpulseCache, in_lane};
use crate::contact::record::{ContactGeometry, ContactList, ContactRecord, ContactState, PointGeometry};
use crate::error::{Result, empty, refill, resize};
use crate::math::{ImpulsiveWrench, ListPlace, PointX8, Vec3};
use crate::tasks::{Tasks, each_span};
use crate::visit::StateVisitor;

/// The contacts that are kept between steps.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    /// The contacts of the last completed step, sorted by pair, without those of bodies removed since.
    pub contact_list: ContactList,
    /// Their impulses and marks.
    pub loads: ImpulseCache,
    /// Their normals and gaps at the start of that step, in the lanes of the loads.
    pub points: Vec<PointX8>,
    /// The key of the next new contact.
    pub next_key: u64,
    /// Length of the last completed step [s]; 0 before the first.
    pub step: f64,
    /// Length of its last substep, from whose impulses the next step starts [s].
    pub substep: f64,
}

/// Runs the matching of contacts, in pieces of the list.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct MatchContext<'a> {
    pub tasks: &'a dyn Tasks,
    pub spans: &'a mut Vec<[u32; 2]>,
}

impl Memory {
    /// Returns an empty memory. Keys start at 1.
    pub fn new() -> Self {
        Self { next_key: 1, ..Self::default() }
    }

    /// Finds for each contact of `next` the contact of `old` that it continues. Both lists are sorted by pair. A
    /// contact that continues gets the key of the old one, and `origins` gets the place in `old`. A new contact gets a
    /// new key and [`ListPlace::NONE`]. `reach` is the largest distance on body a at which a contact without a common
    /// feature is still the same [m], per contact of `next`. Returns how many are new and the key after the last one
    /// given.
    ///
    /// The memory does not change, so that a step can be undone.
    pub fn inherit(
        &self,
        old: &ContactList,
        (next, origins): (&mut ContactList, &mut Vec<ListPlace>),
        reach: impl Fn(&ContactRecord) -> f64 + Sync,
        MatchContext { tasks, spans }: MatchContext,
    ) -> Result<(u32, u64)> {
        let ContactList { records: next, geometries } = next;
        let matching = Matching { old, geometries, reach };
        refill(origins, next.len(), ListPlace::NONE, "contacts")?;
        let outcome = Mutex::new(Ok(()));
        let fresh = AtomicU32::new(0);
        cut_between_pairs(next, spans)?;
        each_span(tasks, spans, (&mut next[..], &mut origins[..]), |_, next, origins| {
            match matching.match_all((next, origins)) {
                Ok(new) => _ = fresh.fetch_add(new, Ordering::Relaxed),
                Err(error) => *outcome.lock() = Err(error),
            }
        });
        outcome.into_inner()?;
        let fresh = fresh.into_inner();
        let mut key = self.next_key;
        if fresh > 0 {
            for (record, _) in next.iter_mut().zip(origins).filter(|(_, origin)| **origin == ListPlace::NONE) {
                record.key = key;
                key += 1;
            }
        }
        Ok((fresh, key))
    }

    /// Returns whether the contacts with these `origins` continue all contacts of the memory, each the one at its own place.
    pub fn is_continued(&self, origins: &[ListPlace]) -> bool {
        // There is no early exit, so that several are compared at once.
        let differ = (0..).zip(origins).fold(0, |differ, (place, origin)| differ | (place ^ origin.0));
        origins.len() == self.contact_list.len() && differ == 0
    }

    /// Iterates over the contacts with their normals and gaps, and with what they carried in the last substep and over the step.
    pub fn sums(&self) -> impl Iterator<Item = (&ContactRecord, PointGeometry, ContactState, ImpulsiveWrench)> + '_ {
        let with = |(index, record)| (record, self.point(index), self.loads.load(index), self.loads.total(index));
        self.contact_list.records.iter().enumerate().map(with)
    }

    /// Returns the normal and the gap of a contact of the list.
    pub fn point(&self, place: usize) -> PointGeometry {
        PointGeometry::in_lane(&self.points, self.loads.lane(place))
    }

    /// Returns the sum of the normal impulses of a pair in the last substep [N s]. Also returns the places of the two contacts
    /// that carried most, in the axes of body a [m].
    pub fn most_loaded_places(&self, body_a: u32, body_b: u32) -> (f64, [Option<Vec3>; 2]) {
        let Self { contact_list: ContactList { records, geometries }, loads, .. } = self;
        let rank = ContactRecord::of_balls((body_a, body_b)).pair_key();
        let first = records.partition_point(|record| record.pair_key() < rank);
        let of_pair = (first..).zip(records.iter().skip(first)).take_while(|(_, record)| record.pair_key() == rank);
        let (mut sum, mut most) = (0.0, [(0.0, None); 2]);
        for (place, record) in of_pair {
            let load = in_lane(&loads.impulses, loads.lane(place)).normal;
            let local = record.geometry(geometries).map(|geometry| geometry.local);
            sum += load;
            if load > most[0].0 {
                most = [(load, local), most[0]];
            } else if load > most[1].0 {
                most[1] = (load, local);
            }
        }
        (sum, most.map(|(_, local)| local))
    }

    /// Removes the contacts for which `is_kept` returns false.
    pub fn retain(&mut self, is_kept: impl Fn(&ContactRecord) -> bool) {
        self.loads.retain(|index| is_kept(&self.contact_list.records[index]));
        self.contact_list.retain(is_kept);
    }

    /// Visits the contacts for which `is_kept` returns true, and what holds for all contacts. The lanes in which they
    /// were solved are not state: contacts are visited in the order of their list.
    pub fn visit_state(&self, visitor: &mut impl StateVisitor, is_kept: impl Fn(&ContactRecord) -> bool) {
        let Self { contact_list: ContactList { records: all, geometries }, loads, points, next_key, step, substep } =
            self;
        visitor.word(*next_key);
        visitor.numbers([step, substep]);
        visitor.length(all.iter().filter(|record| is_kept(record)).count());
        for (place, record) in all.iter().enumerate().filter(|(_, record)| is_kept(record)) {
            // The index of the geometry follows from the order of the contacts.
            let ContactRecord { body_a, body_b, key, geometry: _ } = *record;
            visitor.words([u64::from(body_a), u64::from(body_b), key]);
            let geometry = record.geometry(geometries);
            visitor.flag(geometry.is_some());
            if let Some(geometry) = geometry {
                geometry.visit_state(visitor);
            }
            let PointGeometry { normal, gap } = PointGeometry::in_lane(points, loads.lane(place));
            visitor.numbers(normal.iter().chain([&gap]));
            loads.visit_state(visitor, place);
        }
    }
}

/// The number of contacts of a piece of the matching.
const PIECE: usize = 1024;

/// Cuts contacts that are sorted by pair into pieces that end between pairs.
fn cut_between_pairs(contacts: &[ContactRecord], spans: &mut Vec<[u32; 2]>) -> Result<()> {
    empty(spans, contacts.len() / PIECE + 1, "pieces of the contacts")?;
    let mut begin = 0;
    while begin < contacts.len() {
        let min_end = (begin + PIECE).min(contacts.len());
        let end = min_end + pair_length(&contacts[min_end..], contacts[min_end - 1].pair_key());
        spans.push([begin as u32, end as u32]);
        begin = end;
    }
    Ok(())
}

/// The input of the matching.
struct Matching<'a, R> {
    /// The old contacts, sorted by pair.
    old: &'a ContactList,
    /// The geometries of the contacts to be matched.
    geometries: &'a [ContactGeometry],
    /// See [`Memory::inherit`].
    reach: R,
}

impl<R: Fn(&ContactRecord) -> f64> Matching<'_, R> {
    /// Matches a piece of the contacts, which are sorted by pair too. Returns how many of them continue none.
    fn match_all(&self, (next, origins): (&mut [ContactRecord], &mut [ListPlace])) -> Result<u32> {
        let Some(first) = next.first() else { return Ok(0) };
        let old = self.old.records.as_slice();
        let mut from = old.partition_point(|record| record.pair_key() < first.pair_key());
        let (mut at, mut fresh) = (0, 0);
        while let Some(record) = next.get(at) {
            let rank = record.pair_key();
            while old.get(from).is_some_and(|before| before.pair_key() < rank) {
                from += 1;
            }
            // Two balls have a single contact.
            if record.geometry_index().is_none()
                && let Some(before) = old.get(from)
                && before.pair_key() == rank
                && before.geometry_index().is_none()
            {
                (next[at].key, origins[at]) = (before.key, from.into());
                (at, from) = (at + 1, from + 1);
                continue;
            }
            let is_of = |record: Option<&ContactRecord>| record.is_some_and(|record| record.pair_key() == rank);
            let is_one = |sorted: &[ContactRecord], at: usize| is_of(sorted.get(at)) && !is_of(sorted.get(at + 1));
            if is_one(next, at) && is_one(old, from) {
                // one point each
                let (before, record) = (&old[from], &mut next[at]);
                if self.continues(before, record) {
                    (record.key, origins[at]) = (before.key, from.into());
                } else {
                    fresh += 1;
                }
                (at, from) = (at + 1, from + 1);
                continue;
            }
            let (count, known) = (pair_length(&next[at..], rank), pair_length(&old[from..], rank));
            let same = &mut next[at..at + count];
            self.match_pair((&old[from..from + known], from), (&mut *same, &mut origins[at..at + count]))?;
            fresh += same.iter().filter(|record| record.key == 0).count() as u32;
            (at, from) = (at + count, from + known);
        }
        Ok(fresh)
    }

    /// Matches the contacts of one pair. Its old contacts begin at place `first`. Each of them is continued by at most one new contact.
    fn match_pair(
        &self,
        (old, first): (&[ContactRecord], usize),
        (new, origins): (&mut [ContactRecord], &mut [ListPlace]),
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
        let continue_from = |record: &mut ContactRecord, origin: &mut ListPlace, taken: &mut [bool], at: usize| {
            record.key = old[at].key;
            *origin = (first + at).into();
            taken[at] = true;
        };
        let known = |record: &&mut ContactRecord| record.feature(self.geometries) != 0;
        for (record, origin) in new.iter_mut().zip(&mut *origins).filter(|(record, _)| known(record)) {
            let feature = record.feature(self.geometries);
            let same = (0..old.len()).find(|at| old[*at].feature(&self.old.geometries) == feature && !taken[*at]);
            if let Some(at) = same {
                continue_from(record, origin, taken, at);
            }
        }
        for (record, origin) in new.iter_mut().zip(origins).filter(|(record, _)| record.key == 0) {
            let far = |at: &usize| self.distance(&old[*at], record);
            let nearest = (0..old.len()).filter(|at| !taken[*at]).min_by(|x, y| far(x).total_cmp(&far(y)));
            if let Some(at) = nearest.filter(|at| far(at) <= (self.reach)(record)) {
                continue_from(record, origin, taken, at);
            }
        }
        Ok(())
    }

    /// Returns whether a contact continues the old one, if its pair has one contact in both steps.
    #[inline(always)]
    fn continues(&self, before: &ContactRecord, record: &ContactRecord) -> bool {
        let feature = record.feature(self.geometries);
        let by_feature = feature != 0 && feature == before.feature(&self.old.geometries);
        by_feature || self.distance(before, record) <= (self.reach)(record)
    }

    /// Returns the distance of the two on body a [m]. It is infinite if either is between two balls, which have a feature of their own.
    fn distance(&self, before: &ContactRecord, record: &ContactRecord) -> f64 {
        match (before.geometry(&self.old.geometries), record.geometry(self.geometries)) {
            (Some(before), Some(geometry)) => (before.local - geometry.local).norm(),
            _ => f64::INFINITY,
        }
    }
}

/// Returns the number of contacts at the beginning that belong to the pair with this key.
fn pair_length(sorted: &[ContactRecord], rank: u64) -> usize {
    sorted.iter().take_while(|record| record.pair_key() == rank).count()
}
