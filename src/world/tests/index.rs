//! The compact index of the solver: rows of bodies, and contacts in the order of these rows.

use std::collections::{BTreeMap, BTreeSet};

use super::scene::{Scene, column};
use crate::body::Definition;
use crate::id::Handle;
use crate::math::lanes::WIDE;
use crate::math::{BodyRow, ContactId, LaneSlot, ListPlace};
use crate::shape::Shape;
use crate::solver::ContactPair;
use crate::tasks::tests::Scoped;
use crate::tasks::{Serial, Tasks};
use crate::world::index::Index;
use crate::world::{BodyState, Settings, World};

/// Returns an index built from the start for the contacts of the last step.
fn made(world: &World, tasks: &dyn Tasks) -> Index {
    let mut index = Index::default();
    assert!(!make(&mut index, world, true, tasks), "there is nothing that could be the same");
    index
}

/// Makes an index for the contacts of the last step, of which each continues the one at its own place of the list before, or not all do.
/// Returns whether all numbers are those of before too.
fn make(index: &mut Index, world: &World, are_continued: bool, tasks: &dyn Tasks) -> bool {
    let contact_list = &world.memory.contact_list;
    index.make(&world.active_bodies, world.bodies.slots(), contact_list, are_continued, tasks).expect("memory")
}

/// All that an index knows of a contact.
#[derive(Debug, PartialEq)]
struct Known {
    pair: ContactPair,
    place: ListPlace,
    is_one_of_several: bool,
    geometry: Option<usize>,
}

/// What an index knows of each contact, by number.
fn contacts_of(index: &Index) -> Vec<Known> {
    let of = |number: ContactId| Known {
        pair: index.pairs()[number],
        place: index.places()[number],
        is_one_of_several: index.is_one_of_several(number),
        geometry: index.geometry_index(number),
    };
    ContactId::range(0..index.places().len()).map(of).collect()
}

/// Twelve balls in a heap on a floor, two boxes on it, and a board on two balls.
fn heap() -> (Scene, Vec<Handle>) {
    let mut scene = Scene::new(Settings::default());
    let cube = scene.world.add_shape(Shape::cuboid([0.5; 3]).expect("a box")).expect("memory");
    let board = scene.world.add_shape(Shape::cuboid([2.0, 0.5, 0.1]).expect("a box")).expect("memory");
    let mut bodies = Vec::new();
    for k in 0..12 {
        let [x, y, z] = [k % 3, k / 3 % 2, k / 6].map(f64::from);
        bodies.push(scene.ball([0.98 * x + 0.05 * z, 0.98 * y, 0.499 + 0.97 * z]));
        if k == 5 {
            scene.floor();
        }
    }
    for x in [-5.0, -3.9] {
        bodies.push(scene.add(&Definition { shape: cube, position: [x, 0.0, 0.499], ..scene.ball_at([0.0; 3]) }));
    }
    bodies.extend([6.0, 8.0].map(|x| scene.ball([x, 0.0, 0.499])));
    bodies.push(scene.add(&Definition { shape: board, position: [7.0, 0.0, 1.097], ..scene.ball_at([0.0; 3]) }));
    (scene, bodies)
}

#[test]
fn contacts_follow_their_bodies() {
    let (column, _) = column(Settings::default());
    let (mut heap, _) = heap();
    heap.steps(3);
    // six balls, two boxes and the two balls under the board
    for (scene, on_floor) in [(column, 2), (heap, 10)] {
        let (world, index) = (&scene.world, &scene.world.workspace.index);
        // The step has handed its list over to the memory.
        let contacts = &world.memory.contact_list.records;
        let rows = |number: ContactId| {
            let [a, b] = index.rows_of(number);
            let place = index.places()[number];
            let touch = &contacts[place];
            assert_eq!([a, b].map(|row| index.slots()[row]), [touch.body_a, touch.body_b]);
            // by the row of body a, or of b where a is not active
            let (own, other) = if a.index() < index.active().len() { (a, 2 * b.0) } else { (b, 2 * a.0 + 1) };
            (own, other, place)
        };
        let found: Vec<_> = ContactId::range(0..index.places().len()).map(rows).collect();
        assert_eq!(found.len(), contacts.len());
        assert!(found.is_sorted(), "{found:?}");
        let mut places = index.places().to_vec();
        places.sort_unstable();
        assert!(places.into_iter().eq(ListPlace::range(0..contacts.len())), "every contact of the list has one number");
        let floor = BodyRow::from(index.slots().len() - 1);
        let touch_floor = ContactId::range(0..found.len()).filter(|number| index.rows_of(*number).contains(&floor));
        let bodies = touch_floor.map(|number| index.rows_of(number)).collect::<BTreeSet<_>>().len();
        assert_eq!(bodies, on_floor, "bodies on the floor, which is the last row");

        // the lanes of the list lead back
        let (solver, mut ranks) = (&world.workspace.solver, vec![LaneSlot::NONE; contacts.len()]);
        index.write_lanes(solver.lane_of(), &mut ranks);
        let lanes = solver.lanes().as_flattened();
        let number = |place: &ListPlace| lanes[ranks[*place].index()];
        assert!(index.places().iter().map(number).eq(ContactId::range(0..contacts.len())));
        assert_eq!(ranks, world.memory.loads.lanes);
    }
}

#[test]
fn contact_points_are_found_where_contacts_have_any() {
    let (mut scene, _) = heap();
    scene.steps(3);
    let (contact_list, index) = (&scene.world.memory.contact_list, &scene.world.workspace.index);
    assert!(index.has_geometries());
    let mut seen = [0; 3];
    for (number, place) in ContactId::range(0..index.places().len()).zip(index.places()) {
        let found = &contact_list.records[*place];
        assert_eq!(index.geometry_index(number), found.geometry_index());
        let geometry = found.geometry(&contact_list.geometries);
        let expected = geometry.map_or([true; 2], |geometry| geometry.is_along_normal);
        assert_eq!(index.pairs()[number].is_along_normal, expected);
        let partners = contact_list.records.iter().filter(|other| other.pair() == found.pair()).count();
        assert_eq!(index.is_one_of_several(number), partners > 1, "{partners} contacts of this pair");
        let kind = if geometry.is_none() { 0 } else { 1 + usize::from(partners > 1) };
        seen[kind] += 1;
    }
    assert!(seen.iter().all(|count| *count >= 4), "{seen:?}: balls, others, several of a pair");

    // Two balls have none.
    let mut balls = Scene::new(Settings::default());
    for x in [0.0, 0.99, 1.98] {
        balls.ball([x, 0.0, 9.0]);
    }
    balls.steps(1);
    let index = &balls.world.workspace.index;
    assert_eq!((index.places().len(), index.has_geometries(), index.geometry_index(ContactId(0))), (2, false, None));
    assert!(index.pairs().iter().all(|pair| pair.is_along_normal == [true; 2]));
}

/// The lane of each contact of the last step by its key.
fn lanes(world: &World) -> BTreeMap<u64, u32> {
    let contacts = world.memory.contact_list.records.iter().zip(&world.memory.loads.lanes);
    contacts.map(|(found, lane)| (found.key, lane.0)).collect()
}

/// The number of no lane.
const NOT_THERE: u32 = LaneSlot::NONE.0;

/// For each lane, that of the contact which its contact continued in the last substep.
fn previous_lanes(world: &World) -> Vec<u32> {
    world.workspace.assembly.states.iter().flat_map(|state| state.lane_before).map(|lane| lane.0).collect()
}

#[test]
fn contacts_are_traced_to_those_that_they_continue() {
    let (mut scene, bodies) = heap();
    // of steps whose contacts are all continued in their lanes, of other contacts that are continued, and of new ones
    let [mut kept, mut traced, mut new] = [0; 3];
    let mut before = lanes(&scene.world);
    for step in 0..120 {
        match step {
            30 => scene.world.remove_body(bodies[4]).expect("a body"),
            50 => _ = scene.ball([0.5, 0.5, 4.0]),
            // the bodies get other rows
            70 => {
                let far = BodyState { position: [-9.0, 0.0, 0.499], ..scene.state(bodies[0]) };
                scene.world.set_body_state(bodies[0], &far).expect("a state");
            }
            _ => {}
        }
        // the keys of removed contacts are not given to others
        scene.steps(1);
        let now = lanes(&scene.world);
        let expected = now.iter().map(|(key, lane)| (*lane, before.get(key).copied().unwrap_or(NOT_THERE)));
        let expected: BTreeMap<u32, u32> = expected.collect();
        assert_eq!(expected.len(), scene.world.workspace.index.places().len());
        for (lane, previous) in (0..).zip(previous_lanes(&scene.world)) {
            let expected = expected.get(&lane).copied().unwrap_or(NOT_THERE);
            assert_eq!(previous, expected, "step {step}, lane {lane}");
        }
        let is_kept = expected.iter().all(|(lane, previous)| lane == previous) && now.len() == before.len();
        kept += usize::from(is_kept);
        for previous in expected.values().filter(|_| !is_kept) {
            *(if *previous == NOT_THERE { &mut new } else { &mut traced }) += 1;
        }
        before = now;
    }
    assert!(kept > 20 && traced > 100 && new > 20, "{kept} steps kept, {traced} contacts traced, {new} new");
}

#[test]
fn in_every_substep_but_the_first_contacts_continue_themselves() {
    let (mut scene, _) = heap();
    scene.world.set_settings(Settings { substeps: 2, ..Settings::default() }).expect("settings");
    scene.steps(3);
    let contacts = scene.world.workspace.solver.lanes().as_flattened();
    assert!(contacts.len() > WIDE && contacts.contains(&ContactId::NONE));
    let own = (0..).zip(contacts).map(|(lane, contact)| if *contact == ContactId::NONE { NOT_THERE } else { lane });
    assert!(own.eq(previous_lanes(&scene.world)));
}

#[test]
fn a_kept_index_equals_a_rebuilt_one() {
    let (mut scene, _) = heap();
    scene.steps(3);
    let world = &scene.world;
    let expected = contacts_of(&made(world, &Serial));
    let (mut index, mut is_kept) = (made(world, &Serial), false);
    for are_continued in [true, false, false, true, true] {
        // of a step that is not completed nothing is kept; of one that is, as much as is the same
        for is_completed in [false, true] {
            assert_eq!(make(&mut index, world, are_continued, &Serial), is_kept && are_continued);
            assert_eq!(contacts_of(&index), expected);
            is_kept = is_completed;
            if is_completed {
                index.note_completed();
            }
        }
    }
}

#[test]
fn contacts_of_some_bodies_are_kept_general() {
    let mut scene = Scene::new(Settings::default());
    let balls = [0.0, 0.99, 1.98, 2.97].map(|x| scene.ball([x, 0.0, 9.0]));
    scene.steps(1);
    let mut index = made(&scene.world, &Serial);
    let chosen = scene.world.bodies.registry.slot("body", balls[1]).expect("a body") as u32;
    assert!(index.pairs().iter().all(|pair| pair.is_along_normal == [true; 2]));
    index.mark_general(|slot| slot == chosen, &Serial);
    let row = index.row(chosen).expect("a row");
    let mut found = [0; 2];
    for pair in index.pairs() {
        let joins = pair.bodies.contains(&row);
        assert_eq!(pair.is_along_normal, [!joins; 2]);
        found[usize::from(joins)] += 1;
    }
    assert_eq!(found, [1, 2]);
}

#[test]
fn the_order_of_contacts_does_not_depend_on_the_workers() {
    let mut scene = Scene::new(Settings::default());
    for k in 0..2400 {
        scene.ball([k % 20, k / 20 % 20, k / 400].map(f64::from).map(|x| x + 0.5));
        if k == 1000 {
            scene.floor();
        }
    }
    scene.steps(1);
    let world = &scene.world;
    let alone = made(world, &Serial);
    let expected = contacts_of(&alone);
    assert!(expected.len() > 5000, "{} contacts: too few for several parts", expected.len());
    let floor = BodyRow::from(alone.slots().len() - 1);
    let on_floor = alone.pairs().iter().filter(|pair| pair.bodies.contains(&floor)).count();
    assert_eq!(on_floor, 400);
    for threads in [2, 3, 5] {
        let other = made(world, &Scoped(threads));
        assert!(contacts_of(&other) == expected && other.slots() == alone.slots(), "{threads} threads");
    }
}
