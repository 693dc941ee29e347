//! Tests of handles and their slots, whose source is `id/mod.rs`; and of sets of slots.

mod slot_set;

use super::LAST_GENERATION;
use crate::error::ErrorKind;
use crate::id::{Entity, Handle, Registry};
use crate::visit::tests::{every_change_shows, members, words};
use proptest::prelude::*;

fn registry(entity: Entity, count: usize) -> (Registry, Vec<Handle>) {
    let mut registry = Registry::new(entity);
    registry.reserve(count).expect("room for a few");
    let handles = (0..count).map(|_| registry.insert().1).collect();
    (registry, handles)
}

fn count(registry: &Registry) -> usize {
    (0..registry.slots()).filter(|slot| registry.is_live(*slot)).count()
}

fn refusal(registry: &Registry, handle: Handle) -> String {
    let error = registry.slot("body_a", handle).expect_err("a bad handle");
    assert_eq!(error.kind, ErrorKind::StaleHandle);
    error.message
}

#[test]
fn a_handle_is_kind_generation_and_index() {
    // kind << 60 | generation << 32 | index, generations from 1.
    assert_eq!(registry(Entity::Material, 1).1, [Handle(0x1000_0001_0000_0000)]);
    assert_eq!(registry(Entity::Shape, 1).1, [Handle(0x2000_0001_0000_0000)]);
    let (mut bodies, handles) = registry(Entity::Body, 3);
    assert_eq!(handles[2], Handle(0x3000_0001_0000_0002));
    bodies.remove(2);
    assert_eq!(bodies.insert(), (2, Handle(0x3000_0002_0000_0002)));
}

#[test]
fn a_live_handle_gives_its_slot() {
    let (registry, handles) = registry(Entity::Body, 4);
    for (slot, handle) in handles.into_iter().enumerate() {
        assert_eq!(registry.slot("body", handle), Ok(slot));
        assert_eq!(registry.handle(slot), handle);
        assert!(registry.holds(handle));
        assert!(registry.is_live(slot));
    }
    assert!(!registry.is_live(4));
    assert_eq!((registry.slots(), count(&registry)), (4, 4));
}

#[test]
fn null_is_refused_as_null() {
    let (registry, _) = registry(Entity::Body, 1);
    assert!(!registry.holds(Handle::NULL));
    assert_eq!(refusal(&registry, Handle::NULL), "body_a is 0x0, which is null, expected a body");
}

#[test]
fn a_removed_handle_is_refused_also_when_its_slot_is_taken_again() {
    let (mut registry, handles) = registry(Entity::Shape, 2);
    let message = "body_a is 0x2000000100000001, which does not exist or was removed, expected a shape";
    registry.remove(1);
    assert!(!registry.is_live(1));
    assert_eq!(refusal(&registry, handles[1]), message);
    assert_eq!(registry.insert().0, 1);
    assert!(!registry.holds(handles[1]));
    assert_eq!(refusal(&registry, handles[1]), message);
    assert_eq!((registry.slots(), count(&registry)), (2, 2));
}

#[test]
fn a_handle_of_a_free_slot_s_next_generation_is_refused() {
    let (mut registry, _) = registry(Entity::Body, 1);
    registry.remove(0);
    // What the slot will give out next is not there yet.
    let early = registry.handle(0);
    assert!(!registry.holds(early));
    assert_eq!(registry.insert().1, early);
    assert!(registry.holds(early));
}

#[test]
fn a_handle_of_another_kind_is_refused_as_such() {
    let (bodies, _) = registry(Entity::Body, 1);
    let (_, shapes) = registry(Entity::Shape, 1);
    assert!(!bodies.holds(shapes[0]));
    assert_eq!(refusal(&bodies, shapes[0]), "body_a is 0x2000000100000000, which is of another kind, expected a body");
    let (materials, _) = registry(Entity::Material, 1);
    assert_eq!(refusal(&materials, Handle(7)), "body_a is 0x7, which is of another kind, expected a material");
    // No entity has the number 15.
    assert!(refusal(&bodies, Handle(u64::MAX)).contains("is of another kind"));
}

#[test]
fn an_index_that_was_never_given_is_refused() {
    let (registry, handles) = registry(Entity::Body, 1);
    let beyond = Handle(handles[0].0 + 1);
    assert!(refusal(&registry, beyond).contains("does not exist or was removed"));
    let farthest = Handle(handles[0].0 | u64::from(u32::MAX));
    assert!(refusal(&registry, farthest).contains("does not exist or was removed"));
}

#[test]
fn the_slot_freed_last_is_taken_first() {
    let (mut registry, _) = registry(Entity::Body, 5);
    for slot in [1, 4, 2] {
        registry.remove(slot);
    }
    let taken: Vec<usize> = (0..4).map(|_| registry.insert().0).collect();
    assert_eq!(taken, [2, 4, 1, 5]);
}

#[test]
fn a_slot_whose_generations_are_used_up_stays_empty() {
    let (mut registry, handles) = registry(Entity::Body, 1);
    // One step before the end: it is taken once more, with the last generation.
    registry.slots[0] = (LAST_GENERATION - 1) << 1 | 1;
    registry.remove(0);
    let (slot, last) = registry.insert();
    assert_eq!((slot, last), (0, Handle(0x3fff_ffff_0000_0000)));
    assert_eq!(registry.slot("body", last), Ok(0));
    registry.remove(0);
    assert!(!registry.holds(last));
    registry.reserve(1).expect("room for one");
    let (slot, next) = registry.insert();
    assert_eq!((slot, next), (1, Handle(0x3000_0001_0000_0001)));
    for gone in [handles[0], last] {
        assert!(refusal(&registry, gone).contains("does not exist or was removed"));
    }
    assert_eq!((registry.slots(), count(&registry)), (2, 1));
}

#[test]
fn removal_needs_no_memory() {
    let (mut registry, _) = registry(Entity::Body, 100);
    let room = registry.free.capacity();
    assert!(room >= 100);
    (0..100).for_each(|slot| registry.remove(slot));
    assert_eq!(registry.free.capacity(), room);
    assert_eq!(count(&registry), 0);
}

#[test]
fn more_handles_than_an_index_can_number_are_refused() {
    let (mut registry, _) = registry(Entity::Body, 1);
    for additional in [u32::MAX as usize, usize::MAX] {
        let error = registry.reserve(additional).expect_err("too many");
        assert_eq!(error.kind, ErrorKind::Argument);
        assert_eq!(error.message, format!("{additional} more body handles exceed 2^32 - 1"));
    }
    assert_eq!(registry.slots(), 1);
}

proptest! {
    /// Against a list of what is there: a number removes that member of the list, if there is one; everything else adds.
    #[test]
    fn no_handle_ever_comes_back(calls in proptest::collection::vec(proptest::option::of(0usize..8), 1..200)) {
        let mut registry = Registry::new(Entity::Shape);
        let (mut there, mut gone) = (Vec::new(), Vec::new());
        for call in calls {
            match call {
                Some(at) if at < there.len() => {
                    let (slot, handle) = there.remove(at);
                    registry.remove(slot);
                    gone.push(handle);
                }
                _ => {
                    registry.reserve(1).expect("room for one");
                    let (slot, handle) = registry.insert();
                    prop_assert!(!gone.contains(&handle), "{handle:?} came back");
                    prop_assert!(there.iter().all(|(taken, _)| *taken != slot), "slot {slot} is taken twice");
                    there.push((slot, handle));
                }
            }
            prop_assert_eq!(count(&registry), there.len());
            prop_assert!(there.iter().all(|(slot, handle)| registry.slot("shape", *handle) == Ok(*slot)));
            prop_assert!(gone.iter().all(|handle| !registry.holds(*handle)));
        }
    }
}

#[test]
fn every_member_is_visited() {
    let make = || {
        let (mut registry, _) = registry(Entity::Body, 4);
        registry.remove(1);
        registry.remove(2);
        registry
    };
    let changes = members!(Registry {
        entity: |registry| registry.entity = Entity::Shape,
        slots: |registry| registry.slots[0] += 1,
        free: |registry| registry.free.reverse(),
    });
    every_change_shows(&changes, make, |registry, recorded| registry.visit_state(recorded));
}

/// Room for more is no state, nor is a slot that was taken and given back by a copy.
#[test]
fn registries_with_the_same_next_handles_are_equal() {
    let (mut one, _) = registry(Entity::Body, 3);
    let state = |registry: &Registry| words(|recorded| registry.visit_state(recorded));
    let before = state(&one);
    one.reserve(100).expect("memory");
    assert_eq!(state(&one), before);
    assert_eq!(state(&one.try_clone().expect("memory")), before);
    one.remove(2);
    one.insert();
    assert_ne!(state(&one), before, "another generation");
}
