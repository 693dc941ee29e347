//! The hash: the same for the same calls, another one for whatever else is different.

use super::non_defaults;
use super::scene::{STEP, Scene, column};
use crate::body::{Definition, Kind};
use crate::contact::material::{Material, Pair};
use crate::contact::{Found, Marks, Memory};
use crate::id::Handle;
use crate::math::Vec3;
use crate::shape::Shape;
use crate::world::settings::Sweep;
use crate::world::{BodyState, Settings};

/// Asserts that no two of the hashes are equal.
fn all_differ(mut hashes: Vec<(String, u64)>) {
    hashes.sort_by_key(|(_, hash)| *hash);
    for pair in hashes.windows(2) {
        assert_ne!(pair[0].1, pair[1].1, "{} and {} have one hash", pair[0].0, pair[1].0);
    }
}

#[test]
fn the_same_calls_give_the_same_hash_after_every_step() {
    let settings = Settings { sweep: Sweep::Random, seed: 3, ..Settings::default() };
    let (mut one, _) = column(settings);
    // Another place in memory, and much happened to it before.
    let _between = column(settings);
    let (mut other, _) = column(settings);
    for _ in 0..20 {
        assert_eq!(one.world.hash(), other.world.hash());
        one.steps(1);
        other.steps(1);
    }
    let before = one.world.hash();
    let _ = (one.world.energy(), one.world.contacts().count(), one.world.body_states().count());
    assert_eq!(one.world.hash(), before, "reading changes nothing");
}

#[test]
fn every_change_of_the_world_shows() {
    type Change = fn(&mut Scene, [Handle; 5]);
    fn state(scene: &mut Scene, body: Handle, change: fn(&mut BodyState)) {
        let mut state = scene.state(body);
        change(&mut state);
        scene.world.set_body_state(body, &state).expect("a state");
    }
    let changes: [(&str, Change); 17] = [
        ("nothing", |_, _| {}),
        ("gravity", |scene, _| scene.world.set_gravity([0.0, 0.0, -9.0]).expect("gravity")),
        ("a material", |scene, _| {
            scene.material(0.5, 0.0);
        }),
        ("another material", |scene, _| {
            scene.material(0.25, 0.0);
        }),
        ("a pair", |scene, _| {
            scene.world.set_material_pair(Handle::NULL, Handle::NULL, Pair::default()).expect("a pair");
        }),
        ("a shape", |scene, _| {
            scene.world.add_shape(Shape::sphere(0.5).expect("sphere")).expect("memory");
        }),
        ("another shape", |scene, _| {
            scene.world.add_shape(Shape::sphere(0.25).expect("sphere")).expect("memory");
        }),
        ("a body", |scene, _| {
            scene.ball([9.0; 3]);
        }),
        ("a removed body", |scene, [.., beside]| scene.world.remove_body(beside).expect("a body")),
        ("a place", |scene, [.., ball]| state(scene, ball, |state| state.position[0] = 3.0_f64.next_up())),
        ("a turn", |scene, [.., ball]| state(scene, ball, |state| state.rotation = [1.0, 0.0, 0.0, 0.0])),
        ("a speed", |scene, [.., ball]| state(scene, ball, |state| state.linear_velocity[1] += 1e-9)),
        ("a spin", |scene, [.., ball]| state(scene, ball, |state| state.angular_velocity[1] += 1e-9)),
        ("a force", |scene, [.., ball]| scene.world.add_force(ball, [1.0, 0.0, 0.0], None).expect("a force")),
        ("another force", |scene, [_, ball, ..]| scene.world.add_force(ball, [1.0, 0.0, 0.0], None).expect("a force")),
        ("a torque", |scene, [.., ball]| scene.world.add_torque(ball, [1.0, 0.0, 0.0]).expect("a torque")),
        ("a step", |scene, _| scene.steps(1)),
    ];
    let hash = |(name, change): &(&str, Change)| {
        let (mut scene, bodies) = column(Settings::default());
        change(&mut scene, bodies);
        (name.to_string(), scene.world.hash())
    };
    all_differ(changes.iter().map(hash).collect());
}

/// Settings that are not offered too, which only get past the check here.
#[test]
fn every_setting_shows() {
    let hash = |settings: Settings| {
        let mut world = Scene::new(Settings::default()).world;
        world.settings = settings;
        world.hash()
    };
    let mut hashes = vec![("nothing".to_string(), hash(Settings::default()))];
    hashes.extend(
        non_defaults::setting().iter().map(|change| (change.0.to_string(), hash(non_defaults::changed(change)))),
    );
    all_differ(hashes);
}

#[test]
fn every_member_of_a_body_shows() {
    let hash = |change: &dyn Fn(&mut Scene, &mut Definition)| {
        let mut scene = Scene::new(Settings::default());
        scene.material(0.5, 0.0);
        let mut definition = scene.ball_at([0.0; 3]);
        change(&mut scene, &mut definition);
        scene.add(&definition);
        scene.world.hash()
    };
    // A shape and a material must be there: their handles follow.
    let of_no_world = ["shape", "material"];
    let mut hashes: Vec<(String, u64)> = non_defaults::definition()
        .iter()
        .filter(|(name, _)| !of_no_world.contains(name))
        .map(|(name, change)| (name.to_string(), hash(&|_, definition| change(definition))))
        .collect();
    hashes.push(("nothing".into(), hash(&|_, _| {})));
    hashes.push(("kinematic".into(), hash(&|_, definition| definition.kind = Kind::Kinematic)));
    // Each adds something as well; what the body has is the question.
    let ball = |scene: &mut Scene| scene.world.add_shape(Shape::sphere(0.5).expect("a sphere")).expect("memory");
    hashes.push(("a shape alone".into(), hash(&|scene, _| _ = ball(scene))));
    hashes.push(("shape".into(), hash(&|scene, definition| definition.shape = ball(scene))));
    hashes.push(("a material alone".into(), hash(&|scene, _| _ = scene.material(0.5, 0.0))));
    hashes.push(("material".into(), hash(&|scene, definition| definition.material = scene.material(0.5, 0.0))));
    all_differ(hashes);
}

#[test]
fn every_member_of_a_material_and_a_pair_shows() {
    let material = |material: Material| {
        let mut scene = Scene::new(Settings::default());
        scene.world.add_material(material).expect("a material");
        scene.world.hash()
    };
    let pair = |pair: Pair| {
        let mut scene = Scene::new(Settings::default());
        scene.world.set_material_pair(Handle::NULL, Handle::NULL, pair).expect("a pair");
        scene.world.hash()
    };
    let defaults = [material(Material::default()), pair(Pair::default())];
    let mut hashes: Vec<(String, u64)> = defaults.map(|hash| ("nothing".to_string(), hash)).into();
    hashes.extend(
        non_defaults::material().iter().map(|change| (change.0.to_string(), material(non_defaults::changed(change)))),
    );
    hashes.extend(
        non_defaults::pair().iter().map(|change| (format!("pair {}", change.0), pair(non_defaults::changed(change)))),
    );
    all_differ(hashes);
}

#[test]
fn what_is_remembered_shows() {
    // The same places and speeds, one step apart in memory: the next step starts elsewhere.
    let mut scene = Scene::new(Settings::default());
    scene.floor();
    let ball = scene.ball([0.0, 0.0, 0.5]);
    let (state, before) = (scene.state(ball), scene.world.hash());
    scene.steps(1);
    assert_eq!(scene.state(ball), state, "it rests");
    assert_ne!(scene.world.hash(), before, "now it has a contact");
}

#[test]
fn every_member_of_the_memory_that_a_step_reads_shows() {
    let changes: [fn(&mut Memory); 15] = [
        |_| {},
        |memory| memory.next_key += 1,
        |memory| memory.step = 0.5 * STEP,
        |memory| memory.touches.found[1].key += 1,
        |memory| memory.touches.spots[0].feature += 1,
        |memory| memory.loads.marks[1] = Marks::new(true, false, false),
        |memory| memory.touches.spots[0].gap += 1e-9,
        |memory| memory.touches.spots[0].local.x += 1e-9,
        |memory| memory.touches.spots[0].normal.x += 1e-9,
        |memory| memory.loads.impulses[1].normal += 1e-9,
        |memory| memory.loads.impulses[1].tangential.x += 1e-9,
        |memory| memory.loads.torques = vec![Vec3::new(1e-9, 0.0, 0.0); 8],
        |memory| memory.loads.pushes[1] += 1e-9,
        |memory| memory.touches.found.truncate(3),
        |memory| memory.touches.found[1] = Found::at(memory.touches.found[1].pair(), 0),
    ];
    let hash = |(index, change): (usize, &fn(&mut Memory))| {
        let (mut scene, _) = column(Settings::default());
        change(&mut scene.world.memory);
        (format!("member {index}"), scene.world.hash())
    };
    all_differ(changes.iter().enumerate().map(hash).collect());
}
