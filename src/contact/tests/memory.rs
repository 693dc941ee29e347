use proptest::prelude::*;

use super::{Point, contact_list, point, points};
use crate::contact::record::SPHERE_FEATURE;
use crate::contact::{ContactList, ContactRecord, ContactState, ImpulseCache, MatchContext, Memory};
use crate::error::Result;
use crate::math::{Impulse, ImpulsiveWrench, ListPlace, Vec3};
use crate::tasks::tests::Scoped;
use crate::tasks::{Serial, Tasks};

/// [`Memory::inherit`] by the calling thread alone, from the contacts of the last step.
trait Inherit {
    fn inherit_alone(&self, next: &mut [Point], reach: impl Fn(&ContactRecord) -> f64 + Sync) -> Result<(u32, u64)>;
}

impl Inherit for Memory {
    fn inherit_alone(&self, next: &mut [Point], reach: impl Fn(&ContactRecord) -> f64 + Sync) -> Result<(u32, u64)> {
        // what was there before counts for nothing
        let mut origins = vec![ListPlace(7); 3];
        let shared = MatchContext { tasks: &Serial, spans: &mut Vec::new() };
        let mut all = contact_list(next);
        let answer = self.inherit(&self.contact_list, (&mut all, &mut origins), reach, shared)?;
        for (found, origin) in all.records.iter().zip(&origins) {
            let continued = self.contact_list.records.get(origin.index());
            // a contact that is new has a new key
            let is_new = found.key >= self.next_key;
            assert_eq!(continued.map(|before| before.key), (!is_new).then_some(found.key), "{found:?}");
            assert_eq!(is_new, *origin == ListPlace::NONE);
        }
        assert_eq!(origins.len(), next.len());
        next.iter_mut().zip(&all.records).for_each(|(point, found)| point.key = found.key);
        Ok(answer)
    }
}

/// As far as a contact without a common feature is still the same [m].
const REACH: f64 = 0.1;

/// A memory of `contacts` that were given keys from 1, as the step that made them left it.
fn memory(contacts: &[Point]) -> Memory {
    let memory = Memory::new();
    let mut next = contacts.to_vec();
    let (fresh, next_key) = memory.inherit_alone(&mut next, |_| REACH).expect("memory");
    assert_eq!(fresh as usize, contacts.len());
    let mut loads = ImpulseCache::default();
    next.iter().for_each(|point| loads.push(&load(point.key)));
    Memory { loads, ..completed(contact_list(&next), next_key) }
}

/// The memory of a step that ends with these contacts.
fn completed(contact_list: ContactList, next_key: u64) -> Memory {
    Memory { contact_list, next_key, step: 0.01, substep: 0.01, ..Memory::new() }
}

/// Of a contact with this key.
fn load(key: u64) -> ContactState {
    let (force, torque) = (Impulse::force(10.0 * key as f64, Vec3::zeros()), Vec3::new(0.25, 0.0, key as f64));
    ContactState { impulse: ImpulsiveWrench { force, torque }, ..ContactState::default() }
}

/// The keys that `next` inherits.
fn keys(memory: &Memory, next: &mut [Point]) -> Vec<u64> {
    memory.inherit_alone(next, |_| REACH).expect("memory");
    next.iter().map(|touch| touch.key).collect()
}

#[test]
fn keys_start_at_one_and_follow_each_other() {
    let memory = Memory::new();
    assert_eq!((memory.next_key, memory.step, memory.contact_list.len()), (1, 0.0, 0));
    let mut next = [point(0, 1, 1, 0.0), point(0, 1, 2, 1.0), point(0, 2, 0, 0.0), point(1, 2, 0, 0.0)];
    assert_eq!(memory.inherit_alone(&mut next, |_| REACH).expect("memory"), (4, 5));
    for (touch, key) in next.iter().zip(1..) {
        assert_eq!(touch.key, key);
    }
}

#[test]
fn nothing_to_inherit_gives_no_key() {
    assert_eq!(memory(&[point(0, 1, 1, 0.0)]).inherit_alone(&mut [], |_| REACH).expect("memory"), (0, 2));
}

#[test]
fn a_contact_is_found_again_by_its_feature_wherever_it_is() {
    let memory = memory(&[point(0, 1, 7, 0.0), point(0, 1, 8, 1.0)]);
    // Each now lies exactly where the other was.
    let mut next = [point(0, 1, 8, 0.0), point(0, 1, 7, 1.0)];
    assert_eq!(memory.inherit_alone(&mut next, |_| REACH).expect("memory"), (0, 3));
    assert_eq!(next[0].key, 2);
    assert_eq!(next[1].key, 1);
}

#[test]
fn a_contact_without_a_common_feature_is_found_by_the_nearest_place() {
    let memory = memory(&[point(0, 1, 0, 0.0), point(0, 1, 0, 0.25), point(0, 1, 5, 0.5)]);
    // 0.2 is nearer to 0.25 than to 0; 0.55 has another feature than what was at 0.5; 0.01 is left with the one at 0.
    let mut next = [point(0, 1, 0, 0.2), point(0, 1, 6, 0.55), point(0, 1, 0, 0.01)];
    assert_eq!(memory.inherit_alone(&mut next, |_| REACH).expect("memory"), (0, 4));
    assert_eq!(next[0].key, 2);
    assert_eq!(next[1].key, 3);
    assert_eq!(next[2].key, 1);
}

#[test]
fn an_unknown_feature_is_not_a_common_one() {
    // Both unknown, far apart: not the same contact.
    let memory = memory(&[point(0, 1, 0, 0.0)]);
    let mut next = [point(0, 1, 0, 1.0)];
    assert_eq!(memory.inherit_alone(&mut next, |_| REACH).expect("memory"), (1, 3));
    assert_eq!(next[0].key, 2);
}

#[test]
fn the_place_counts_up_to_the_reach_and_not_beyond() {
    let memory = memory(&[point(0, 1, 0, 0.0)]);
    // Powers of two: the distance is exact.
    for (reach, found) in [(0.125, true), (0.125 * (1.0 - f64::EPSILON), false)] {
        let mut next = [point(0, 1, 0, 0.125)];
        let (fresh, _) = memory.inherit_alone(&mut next, |_| reach).expect("memory");
        assert_eq!(fresh == 0, found, "reach {reach}");
    }
    // The reach is that of the new contact.
    let mut next = [point(0, 1, 3, 0.125), point(0, 1, 4, 0.125)];
    memory.inherit_alone(&mut next, |found| if found.geometry_index() == Some(1) { 1.0 } else { 0.0 }).expect("memory");
    assert_eq!(next[0].key, 2);
    assert_eq!(next[1].key, 1);
}

#[test]
fn the_place_is_compared_in_all_three_directions() {
    let memory = memory(&[point(0, 1, 0, 0.0)]);
    for axis in 0..3 {
        let mut next = [point(0, 1, 0, 0.0)];
        next[0].local[axis] = 0.5;
        assert_eq!(keys(&memory, &mut next), [2], "axis {axis}");
    }
}

#[test]
fn an_old_contact_is_continued_by_at_most_one_new_one() {
    let memory = memory(&[point(0, 1, 7, 0.0)]);
    // Two match by feature, one by place.
    let mut next = [point(0, 1, 7, 0.0), point(0, 1, 7, 0.0), point(0, 1, 0, 0.0)];
    assert_eq!(memory.inherit_alone(&mut next, |_| REACH).expect("memory"), (2, 4));
    assert_eq!(next[0].key, 1);
    assert_eq!(next[1].key, 2);
    assert_eq!(next[2].key, 3);
}

#[test]
fn a_feature_goes_before_a_nearer_place() {
    let memory = memory(&[point(0, 1, 7, 0.0)]);
    // The first lies exactly there, the second has the feature.
    let mut next = [point(0, 1, 0, 0.0), point(0, 1, 7, 0.05)];
    assert_eq!(memory.inherit_alone(&mut next, |_| REACH).expect("memory"), (1, 3));
    assert_eq!(next[0].key, 2);
    assert_eq!(next[1].key, 1);
}

#[test]
fn two_contacts_of_one_feature_continue_two_of_the_same() {
    let memory = memory(&[point(0, 1, 7, 0.0), point(0, 1, 7, 1.0)]);
    assert_eq!(keys(&memory, &mut [point(0, 1, 7, 0.0), point(0, 1, 7, 1.0), point(0, 1, 7, 2.0)]), [1, 2, 3]);
}

#[test]
fn contacts_of_different_pairs_never_mix() {
    let memory = memory(&[point(0, 1, 7, 0.0), point(1, 2, 7, 0.0), point(3, 4, 7, 0.0)]);
    // The same features and places, between pairs that are before, between and behind the old ones.
    let mut next = [point(0, 0, 7, 0.0), point(0, 2, 7, 0.0), point(1, 3, 7, 0.0), point(3, 5, 7, 0.0)];
    assert_eq!(memory.inherit_alone(&mut next, |_| REACH).expect("memory"), (4, 8));
    for (touch, key) in next.iter().zip(4..) {
        assert_eq!(touch.key, key);
    }
}

#[test]
fn pairs_that_come_and_go_do_not_disturb_those_that_stay() {
    let memory = memory(&[point(0, 1, 0, 0.0), point(0, 3, 0, 0.0), point(2, 3, 0, 0.0), point(5, 6, 0, 0.0)]);
    let mut next = [point(0, 2, 0, 0.0), point(0, 3, 0, 0.0), point(2, 3, 0, 1.0), point(5, 6, 0, 0.0)];
    assert_eq!(memory.inherit_alone(&mut next, |_| REACH).expect("memory"), (2, 7));
    assert_eq!(next[0].key, 5);
    assert_eq!(next[1].key, 2);
    assert_eq!(next[2].key, 6);
    assert_eq!(next[3].key, 4);
}

#[test]
fn what_contacts_carried_stays_with_them() {
    let mut memory = memory(&[point(0, 1, 7, 0.0), point(0, 2, 0, 1.0), point(1, 2, 0, 0.0)]);
    memory.retain(|touch| touch.key != 2);
    let left: Vec<_> = memory.sums().map(|(touch, _, load, total)| (touch.key, load, total)).collect();
    assert_eq!(left, [(1, load(1), load(1).impulse), (3, load(3), load(3).impulse)]);
}

#[test]
fn the_places_of_a_pair_that_carried_most_are_found() {
    let memory = memory(&[point(0, 1, 7, 0.0), point(0, 2, 0, 1.0), point(0, 2, 0, 2.0), point(0, 2, 0, 3.0)]);
    let along = |a: u32, b: u32| {
        let (sum, places) = memory.most_loaded_places(a, b);
        (sum, places.map(|place| place.map(|place| place.x)))
    };
    // The load is ten times the key.
    assert_eq!(along(0, 2), (90.0, [Some(3.0), Some(2.0)]));
    assert_eq!(along(0, 1), (10.0, [Some(0.0), None]));
    assert_eq!(along(1, 2), (0.0, [None, None]));
}

#[test]
fn a_key_is_never_given_again() {
    let memory = memory(&[point(0, 1, 0, 0.0)]);
    // The contact is lost for a step and comes back: a new contact.
    let memory = completed(ContactList::default(), memory.next_key);
    assert_eq!(keys(&memory, &mut [point(0, 1, 0, 0.0)]), [2]);
}

#[test]
fn nothing_is_remembered_before_the_step_is_completed() {
    let old = [point(0, 1, 7, 0.0), point(0, 2, 0, 0.0)];
    let memory = memory(&old);
    let next = [point(0, 1, 7, 0.0), point(0, 3, 0, 0.0)];
    let mut first = next.to_vec();
    let answer = memory.inherit_alone(&mut first, |_| REACH).expect("memory");
    // A step that was undone and is tried again gets the same keys and impulses.
    let mut second = next.to_vec();
    assert_eq!(memory.inherit_alone(&mut second, |_| REACH).expect("memory"), answer);
    let given = |list: &[Point]| list.iter().map(|touch| touch.key).collect::<Vec<_>>();
    assert_eq!(given(&first), given(&second));
    assert_eq!((memory.next_key, memory.step, memory.contact_list.len()), (3, 0.01, 2));
    assert_eq!(given(&points(&memory.contact_list)), [1, 2]);
}

/// Contacts of a few pairs, features and places, sorted by pair as detection leaves them.
fn contacts() -> impl Strategy<Value = Vec<Point>> {
    let one = (0u32..3, 0u32..2, 0u64..3, 0u32..8);
    proptest::collection::vec(one, 0..12).prop_map(|list| {
        let mut contacts: Vec<Point> = list
            .into_iter()
            .map(|(a, further, feature, place)| point(a, a + 1 + further, feature, f64::from(place) / 16.0))
            .collect();
        contacts.sort_by_key(|point| point.pair);
        contacts
    })
}

proptest! {
    #[test]
    fn every_contact_continues_one_of_its_pair_or_is_new(old in contacts(), mut next in contacts()) {
        let memory = memory(&old);
        let before_all = points(&memory.contact_list);
        let (fresh, next_key) = memory.inherit_alone(&mut next, |_| REACH).expect("memory");
        let mut given: Vec<u64> = next.iter().map(|touch| touch.key).collect();
        given.sort_unstable();
        prop_assert!(given.windows(2).all(|two| two[0] != two[1]), "a key given twice: {given:?}");
        let is_new = |touch: &&Point| touch.key >= memory.next_key;
        let new: Vec<u64> = next.iter().filter(is_new).map(|touch| touch.key).collect();
        prop_assert_eq!(&new, &(memory.next_key..next_key).collect::<Vec<_>>());
        prop_assert_eq!(fresh as usize, new.len());
        for touch in next.iter().filter(|touch| !is_new(touch)) {
            let before = before_all.iter().find(|before| before.key == touch.key).expect("an old contact");
            prop_assert_eq!(before.pair, touch.pair);
            let common = before.feature != 0 && before.feature == touch.feature;
            prop_assert!(common || (before.local - touch.local).norm() <= REACH);
        }
        // What is new had nothing left to continue.
        for touch in next.iter().filter(is_new) {
            let left = |before: &&Point| before.pair == touch.pair && given.binary_search(&before.key).is_err();
            for before in before_all.iter().filter(left) {
                let common = before.feature != 0 && before.feature == touch.feature;
                prop_assert!(!common && (before.local - touch.local).norm() > REACH, "{before:?} was left");
            }
        }
    }

    #[test]
    fn the_same_contacts_again_keep_their_keys(old in contacts()) {
        let mut distinct = old;
        // A place of its own for each, without features: nothing else can be nearer.
        for (touch, place) in distinct.iter_mut().zip(0..) {
            touch.feature = 0;
            touch.local.x = f64::from(place);
        }
        let memory = memory(&distinct);
        let (fresh, next_key) = memory.inherit_alone(&mut distinct, |_| REACH).expect("memory");
        prop_assert_eq!((fresh, next_key), (0, memory.next_key));
        for (touch, key) in distinct.iter().zip(1..) {
            assert_eq!(touch.key, key);
        }
    }
}

#[test]
fn threads_inherit_alike_and_no_piece_ends_within_a_pair() {
    // Pairs of one to five contacts, some thousand in all; half of those of the next step are new.
    let list = |step: u64| -> Vec<Point> {
        let pairs = (0..2000_u32).filter(|pair| !(u64::from(*pair) + step).is_multiple_of(3));
        let points =
            |pair: u32| (0..=pair % 5).map(move |at| point(pair / 40, 100 + pair % 40, 1 + u64::from(at), 0.0));
        pairs.flat_map(points).collect()
    };
    let memory = memory(&list(0));
    let with = |tasks: &dyn Tasks| {
        let (mut next, mut origins, mut spans) = (contact_list(&list(1)), Vec::new(), Vec::new());
        let shared = MatchContext { tasks, spans: &mut spans };
        let answer =
            memory.inherit(&memory.contact_list, (&mut next, &mut origins), |_| REACH, shared).expect("memory");
        let inherited: Vec<_> =
            next.records.iter().zip(origins).map(|(found, origin)| (found.pair(), found.key, origin)).collect();
        (answer, inherited, spans)
    };
    let (answer, next, spans) = with(&Serial);
    assert!(answer.0 > 500 && spans.len() > 2, "{answer:?}, {spans:?}");
    assert_eq!((spans[0][0], spans[spans.len() - 1][1] as usize), (0, next.len()));
    for ends in spans.windows(2) {
        let at = ends[1][0] as usize;
        assert_eq!(ends[0][1] as usize, at);
        assert_ne!(next[at - 1].0, next[at].0);
    }
    for threads in [2, 3] {
        assert!(with(&Scoped(threads)) == (answer, next.clone(), spans.clone()), "{threads} threads");
    }
}

#[test]
fn all_contacts_continue_where_each_is_at_its_own_place() {
    let mut memory = Memory::new();
    memory.contact_list = contact_list(&[point(1, 2, 0, 0.0), point(1, 3, 0, 0.0), point(2, 3, 0, 0.0)]);
    let is_continued = |origins: &[u32]| {
        let origins: Vec<ListPlace> = origins.iter().copied().map(ListPlace).collect();
        memory.is_continued(&origins)
    };
    assert!(is_continued(&[0, 1, 2]));
    for origins in [&[0, 1][..], &[0, 2, 1], &[0, 1, u32::MAX], &[1, 2, 3], &[0, 1, 2, 3]] {
        assert!(!is_continued(origins), "{origins:?}");
    }
    memory.contact_list = ContactList::default();
    assert!(memory.is_continued(&[]));
}

#[test]
fn two_balls_have_one_contact_and_keep_it() {
    let memory = memory(&[point(0, 1, 5, 0.0)]);
    let of_balls = |pairs: &[(u32, u32)]| {
        let mut all = ContactList::default();
        pairs.iter().for_each(|pair| all.push(*pair, 0, None));
        all
    };
    let (mut origins, mut spans) = (Vec::new(), Vec::new());
    let mut inherit = |memory: &Memory, next: &mut ContactList| {
        let shared = MatchContext { tasks: &Serial, spans: &mut spans };
        let answer = memory.inherit(&memory.contact_list, (next, &mut origins), |_| REACH, shared).expect("memory");
        (answer, next.records.iter().map(|found| found.key).collect::<Vec<_>>())
    };
    // What was no contact of balls before is another one, wherever it was.
    let mut next = of_balls(&[(0, 1), (0, 2)]);
    assert_eq!(inherit(&memory, &mut next), ((2, 4), vec![2, 3]));
    let memory = completed(next, 4);
    assert_eq!(inherit(&memory, &mut of_balls(&[(0, 1), (0, 3)])), ((1, 5), vec![2, 4]));
    // A contact whose feature says that it is one of balls goes on: contacts of sleeping bodies are kept in this form.
    assert_eq!(inherit(&memory, &mut contact_list(&[point(0, 2, SPHERE_FEATURE, 9.0)])), ((0, 4), vec![3]));
}
