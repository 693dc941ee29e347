//! The compact index of the solver: bodies along the curve, contacts along the bodies.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::scene::{Scene, column};
use crate::body::{Definition, Kind, Lock};
use crate::contact::memory::NONE as NOT_THERE;
use crate::id::Handle;
use crate::math::Vec3;
use crate::shape::Shape;
use crate::solver::ContactPair;
use crate::tasks::tests::Scoped;
use crate::tasks::{Alone, Tasks};
use crate::world::curve::{END, Entry, key, mend};
use crate::world::index::{Index, StepContacts};
use crate::world::{BodyState, Settings, World};

#[test]
fn the_curve_goes_through_one_half_of_every_cube_before_the_other() {
    // Cells of 1 m that begin 0.38 below whole numbers: the bits of x, y and z take turns, the highest first.
    let at = |x: f64, y: f64, z: f64| key(&Vec3::new(x, y, z), 1.0);
    let origin = at(0.0, 0.0, 0.0);
    assert_eq!(origin, 0b111 << 60, "the upper half along every axis");
    assert_eq!(at(0.6, -0.3, 0.6), origin, "one cell");
    assert_eq!(at(0.0, 0.0, 1.0), origin + 1);
    assert_eq!(at(0.0, 1.0, 0.0), origin + 2);
    assert_eq!(at(1.0, 0.0, 0.0), origin + 4);
    assert_eq!(at(2.0, 3.0, 1.0), origin + 0b110_011);
    assert_eq!(at(-1.0, 0.0, 0.0), 0b011 << 60 | (0..20).map(|bit| 4 << (3 * bit)).sum::<u64>());
    assert_eq!(at(1e300, 1e300, 1e300), END - 1, "the last cell");
    assert_eq!(at(-1e300, -1e300, -1e300), 0, "the first one");
}

proptest! {
    /// Whatever the entries are, mending sorts them; nearly sorted ones are the rule.
    #[test]
    fn mending_sorts(keys in prop::collection::vec(0_u64..50, 0..60), moved in prop::collection::vec((0_usize..60, 0_u64..50), 0..6)) {
        let mut entries: Vec<Entry> = (0..).zip(&keys).map(|(slot, key)| Entry { key: *key, slot }).collect();
        let mut strays = Vec::new();
        for changes in [&[][..], &moved] {
            for (at, key) in changes {
                if let Some(entry) = entries.get_mut(*at) {
                    entry.key = *key;
                }
            }
            let mut expected = entries.clone();
            expected.sort();
            mend(&mut entries, &mut strays).expect("memory");
            prop_assert_eq!(&entries, &expected);
        }
    }
}

/// The places of the bodies of the solver along x, and how many of them impulses move.
fn order(scene: &Scene) -> (Vec<f64>, usize) {
    let bodies = &scene.world.bodies;
    let slots = scene.world.workspace.index.slots();
    (slots.iter().map(|slot| bodies.motion[*slot as usize].center.x).collect(), scene.world.roster.moving())
}

#[test]
fn moving_bodies_come_first_and_static_ones_only_where_they_are_touched() {
    let mut scene = Scene::new(Settings::default());
    let floor =
        Definition { kind: Kind::Static, shape: scene.plane, position: [100.0, 0.0, 0.0], ..Definition::default() };
    scene.add(&floor);
    let [apart, resting] = [200.0, 300.0].map(|x| Definition { kind: Kind::Kinematic, ..scene.ball_at([x, 0.0, 9.0]) });
    let driven = Definition { linear_velocity: [0.0, 1.0, 0.0], position: [400.0, 0.0, 9.0], ..apart };
    let held = Definition { lock: Lock(63), ..scene.ball_at([500.0, 0.0, 9.0]) };
    for definition in [driven, held, resting, apart] {
        scene.add(&definition);
    }
    for x in [7.0, -3.0, 2.0] {
        scene.ball([x, 0.0, 9.0]);
    }
    scene.steps(1);
    assert_eq!(order(&scene), (vec![-3.0, 2.0, 7.0, 400.0, 500.0], 3));
    scene.ball([9.0, 0.0, 0.5]);
    scene.steps(1);
    assert_eq!(order(&scene), (vec![-3.0, 2.0, 7.0, 9.0, 400.0, 500.0, 100.0], 4), "the floor is touched");
}

#[test]
fn the_order_depends_on_the_places_alone() {
    // The same places after different ways: removed bodies, bodies thrown about, bodies that took a slot over.
    let mut scene = Scene::new(Settings::default());
    let balls = [4.0, 1.0, 3.0, 2.0, 0.0].map(|x| scene.ball([2.0 * x, 0.0, 9.0]));
    scene.steps(2);
    let found = order(&scene).0;
    assert_eq!(found, [0.0, 2.0, 4.0, 6.0, 8.0]);
    scene.world.remove_body(balls[1]).expect("a body");
    scene.floor();
    scene.world.remove_body(balls[4]).expect("a body");
    scene.ball([9.0, 0.0, 9.0]);
    let far = BodyState { position: [-5.0, 0.0, 9.0], ..scene.state(balls[0]) };
    scene.world.set_body_state(balls[0], &far).expect("a state");
    scene.steps(1);
    assert_eq!(order(&scene), (vec![-5.0, 4.0, 6.0, 9.0], 4));
}

/// Returns an index made anew for the contacts of the last step, which continue those at these `origins` of the same list.
fn made(world: &World, origins: &[u32], tasks: &dyn Tasks) -> Index {
    let mut index = Index::default();
    make(&mut index, world, origins, tasks);
    index
}

fn make(index: &mut Index, world: &World, origins: &[u32], tasks: &dyn Tasks) {
    let (touches, ranks) = (&world.memory.touches, &world.memory.loads.ranks);
    let contacts = StepContacts { touches, origins, ranks, are_continued: world.memory.is_continued(origins) };
    index.make(&world.roster, world.bodies.slots(), &contacts, tasks).expect("memory");
}

/// All that an index knows of a contact.
#[derive(Debug, PartialEq)]
struct Known {
    pair: ContactPair,
    place: u32,
    is_one_of_several: bool,
    spot: Option<usize>,
    previous: u32,
}

/// What an index knows of each contact, by number.
fn contacts_of(index: &Index) -> Vec<Known> {
    let of = |number: usize| Known {
        pair: index.pairs()[number],
        place: index.places()[number],
        is_one_of_several: index.is_one_of_several(number),
        spot: index.spot(number),
        previous: index.previous()[number],
    };
    (0..index.places().len()).map(of).collect()
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
        let contacts = &world.memory.touches.found;
        let rows = |(number, place): (usize, &u32)| {
            let [a, b] = index.rows_of(number);
            let touch = &contacts[*place as usize];
            assert_eq!([a, b].map(|row| index.slots()[row as usize]), [touch.body_a, touch.body_b]);
            // by the row of body a, or of b where a takes no part
            let (own, other) = if (a as usize) < index.active().len() { (a, 2 * b) } else { (b, 2 * a + 1) };
            (own, other, *place)
        };
        let found: Vec<_> = index.places().iter().enumerate().map(rows).collect();
        assert_eq!(found.len(), contacts.len());
        assert!(found.is_sorted(), "{found:?}");
        let mut places = index.places().to_vec();
        places.sort_unstable();
        assert!(places.into_iter().eq(0..contacts.len() as u32), "every contact of the list has one number");
        let floor = index.slots().len() as u32 - 1;
        let touch_floor = (0..found.len()).filter(|number| index.rows_of(*number).contains(&floor));
        let bodies = touch_floor.map(|number| index.rows_of(number)).collect::<BTreeSet<_>>().len();
        assert_eq!(bodies, on_floor, "bodies on the floor, which is the last row");

        // the numbers of the list lead back
        let mut ranks = vec![u32::MAX; contacts.len()];
        index.write_ranks(&mut ranks);
        assert!(index.places().iter().enumerate().all(|(number, place)| ranks[*place as usize] as usize == number));
        assert_eq!(ranks, world.memory.loads.ranks);
    }
}

#[test]
fn contact_points_are_found_where_contacts_have_any() {
    let (mut scene, _) = heap();
    scene.steps(3);
    let (touches, index) = (&scene.world.memory.touches, &scene.world.workspace.index);
    assert!(index.has_spots());
    let mut seen = [0; 3];
    for (number, place) in index.places().iter().enumerate() {
        let found = &touches.found[*place as usize];
        assert_eq!(index.spot(number), found.spot());
        let spot = touches.spot(found);
        let expected = spot.map_or([true; 2], |spot| spot.is_along_normal);
        assert_eq!(index.pairs()[number].is_along_normal, expected);
        let partners = touches.found.iter().filter(|other| other.pair() == found.pair()).count();
        assert_eq!(index.is_one_of_several(number), partners > 1, "{partners} contacts of this pair");
        let kind = if spot.is_none() { 0 } else { 1 + usize::from(partners > 1) };
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
    assert_eq!((index.places().len(), index.has_spots(), index.spot(0)), (2, false, None));
    assert!(index.pairs().iter().all(|pair| pair.is_along_normal == [true; 2]));
}

/// The number of each contact of the last step by its key.
fn numbers(world: &World) -> BTreeMap<u64, u32> {
    let found = &world.memory.touches.found;
    (0..).zip(world.workspace.index.places()).map(|(number, place)| (found[*place as usize].key, number)).collect()
}

#[test]
fn contacts_are_traced_to_those_that_they_continue() {
    let (mut scene, bodies) = heap();
    // of steps whose contacts are all continued under their numbers, of other contacts that are continued, and of new ones
    let [mut kept, mut traced, mut new] = [0; 3];
    let mut before = numbers(&scene.world);
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
        // the numbers of removed contacts are not given to others
        scene.steps(1);
        let now = numbers(&scene.world);
        let index = &scene.world.workspace.index;
        let expected = now.iter().map(|(key, number)| (*number, before.get(key).copied().unwrap_or(NOT_THERE)));
        let expected: BTreeMap<u32, u32> = expected.collect();
        assert_eq!(expected.len(), index.previous().len());
        for (contact, previous) in &expected {
            assert_eq!(index.previous()[*contact as usize], *previous, "step {step}, contact {contact}");
        }
        let is_kept = expected.iter().all(|(contact, previous)| contact == previous) && now.len() == before.len();
        kept += usize::from(is_kept);
        for previous in expected.values().filter(|_| !is_kept) {
            *(if *previous == NOT_THERE { &mut new } else { &mut traced }) += 1;
        }
        before = now;
    }
    assert!(kept > 20 && traced > 100 && new > 20, "{kept} steps kept, {traced} contacts traced, {new} new");
}

#[test]
fn an_index_that_is_kept_is_one_made_anew() {
    let (mut scene, _) = heap();
    scene.steps(3);
    let world = &scene.world;
    let count = world.memory.touches.len() as u32;
    let all: Vec<u32> = (0..count).collect();
    let mut others = all.clone();
    others.rotate_left(3);
    others[5] = NOT_THERE;
    let ranks = &world.memory.loads.ranks;
    let mut index = made(world, &all, &Alone);
    for origins in [&all, &others, &others, &all, &all] {
        // of a step that is not completed nothing is kept; of one that is, as much as is the same
        for is_completed in [false, true] {
            make(&mut index, world, origins, &Alone);
            assert_eq!(contacts_of(&index), contacts_of(&made(world, origins, &Alone)));
            let place = |number: usize| index.places()[number] as usize;
            let source = |number: usize| ranks.get(origins[place(number)] as usize).copied().unwrap_or(NOT_THERE);
            assert!(index.previous().iter().enumerate().all(|(number, previous)| *previous == source(number)));
            if is_completed {
                index.keep();
            }
        }
    }
    // in every substep but the first each continues itself
    make(&mut index, world, &others, &Alone);
    index.continue_all();
    assert!(index.previous().iter().copied().eq(0..count));
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
    let mut origins: Vec<u32> = (0..world.memory.touches.len() as u32).collect();
    origins.rotate_left(1000);
    let alone = made(world, &origins, &Alone);
    let expected = contacts_of(&alone);
    assert!(expected.len() > 5000, "{} contacts: too few for several parts", expected.len());
    let floor = alone.slots().len() as u32 - 1;
    let on_floor = alone.pairs().iter().filter(|pair| pair.bodies.contains(&floor)).count();
    assert_eq!(on_floor, 400);
    for threads in [2, 3, 5] {
        let other = made(world, &origins, &Scoped(threads));
        assert!(contacts_of(&other) == expected && other.slots() == alone.slots(), "{threads} threads");
    }
}
