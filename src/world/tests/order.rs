//! The compact index of the solver: bodies along the curve, contacts along the bodies.

use proptest::prelude::*;

use super::scene::{Scene, column};
use crate::body::{Definition, Kind, Lock};
use crate::contact::Pushed;
use crate::math::Vec3;
use crate::tasks::tests::Scoped;
use crate::tasks::{Alone, Tasks};
use crate::world::index::Index;
use crate::world::morton::{Entry, KEY_END, key, repair_order};
use crate::world::{BodyState, Settings};

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
    assert_eq!(at(1e300, 1e300, 1e300), KEY_END - 1, "the last cell");
    assert_eq!(at(-1e300, -1e300, -1e300), 0, "the first one");
}

proptest! {
    /// Whatever the entries are, mending sorts them; nearly sorted ones are the rule.
    #[test]
    fn mending_sorts(keys in prop::collection::vec(0_u64..50, 0..60), moved in prop::collection::vec((0_usize..60, 0_u64..50), 0..6)) {
        let mut entries: Vec<Entry> = (0..).zip(&keys).map(|(slot, key)| Entry { key: *key, slot }).collect();
        let mut out_of_order = Vec::new();
        for changes in [&[][..], &moved] {
            for (at, key) in changes {
                if let Some(entry) = entries.get_mut(*at) {
                    entry.key = *key;
                }
            }
            let mut expected = entries.clone();
            expected.sort();
            repair_order(&mut entries, &mut out_of_order).expect("memory");
            prop_assert_eq!(&entries, &expected);
        }
    }
}

/// The places of the bodies of the solver along x, and how many of them impulses move.
fn order(scene: &Scene) -> (Vec<f64>, usize) {
    let bodies = &scene.world.bodies;
    let slots = scene.world.workspace.index.slots();
    (slots.iter().map(|slot| bodies.motion[*slot as usize].center.x).collect(), scene.world.active_bodies.moving())
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

#[test]
fn contacts_follow_their_bodies() {
    let (scene, _) = column(Settings::default());
    let (world, index) = (&scene.world, &scene.world.workspace.index);
    // The step has handed its list over to the memory.
    let contacts = &world.memory.touches.found;
    let rows = |(rank, place): (usize, &u32)| {
        let [a, b] = index.joined(rank).rows;
        let touch = &contacts[*place as usize];
        assert_eq!([a, b].map(|row| index.slots()[row as usize]), [touch.body_a, touch.body_b]);
        (a.min(b), a.max(b), *place)
    };
    let found: Vec<_> = index.contacts().iter().enumerate().map(rows).collect();
    assert_eq!(found.len(), contacts.len());
    assert!(found.is_sorted(), "{found:?}");
    let floor = index.slots().len() as u32 - 1;
    assert_eq!(found.iter().filter(|(_, other, _)| *other == floor).count(), 2, "the floor is the last row");
}

#[test]
fn contacts_get_the_numbers_of_their_lanes_and_lose_them_again() {
    let (mut scene, _) = column(Settings::default());
    scene.steps(1);
    let found = scene.world.memory.touches.found.clone();
    let index = &mut scene.world.workspace.index;
    assert!(found.len() > 3 && !index.is_sorted(), "the solver gave them numbers");
    let room: Vec<Pushed> = found.iter().map(|_| 0.0.into()).collect();
    index.sort_again(&found, &room, &Alone).expect("memory");
    assert!(index.is_sorted());
    let all = |index: &Index| -> Vec<_> {
        let joined = |number: usize| (index.joined(number).rows, index.joined(number).has_spot);
        index.contacts().iter().enumerate().map(|(number, place)| (*place, joined(number))).collect()
    };
    let sorted = all(index);
    let mut order: Vec<u32> = (0..found.len() as u32).collect();
    order.swap(1, 2);
    order[3..].rotate_left(1);
    index.renumber(order.clone(), &room, &Alone);
    let expected: Vec<_> = order.iter().map(|number| sorted[*number as usize]).collect();
    assert_eq!(all(index), expected);
    let mut ranks = index.take_room();
    index.write_ranks(&mut ranks);
    for (number, place) in index.contacts().iter().enumerate() {
        assert_eq!(ranks[*place as usize] as usize, number);
    }
    index.give_room(ranks);
    index.sort_again(&found, &room, &Alone).expect("memory");
    assert_eq!(all(index), sorted);
}

#[test]
fn whoever_sorts_the_contacts_comes_to_the_same_order() {
    let mut scene = Scene::new(Settings::default());
    for k in 0..2400 {
        scene.ball([k % 20, k / 20 % 20, k / 400].map(f64::from).map(|x| x + 0.5));
        if k == 1000 {
            scene.floor();
        }
    }
    scene.steps(1);
    let found = scene.world.memory.touches.found.clone();
    let slots = scene.world.workspace.index.slots().len() as u32;
    let index = &mut scene.world.workspace.index;
    let room: Vec<Pushed> = found.iter().map(|_| 0.0.into()).collect();
    let mut sorted = |tasks: &dyn Tasks| {
        index.renumber((0..found.len() as u32).rev().collect(), &room, &Alone);
        index.sort_again(&found, &room, tasks).expect("memory");
        let joined = (0..found.len()).map(|number| (index.joined(number).rows, index.joined(number).has_spot));
        (index.contacts().to_vec(), joined.collect::<Vec<_>>())
    };
    let alone = sorted(&Alone);
    assert!(alone.0.len() > 5000, "{} contacts: too few for several parts", alone.0.len());
    assert_eq!(alone.1.iter().filter(|(rows, _)| rows.contains(&(slots - 1))).count(), 400, "on the floor");
    for threads in [2, 3, 5] {
        assert!(sorted(&Scoped(threads)) == alone, "{threads} threads");
    }
}
