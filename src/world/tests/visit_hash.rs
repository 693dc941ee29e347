//! Hash and comparison: equal for the same calls, different for whatever else is different.

use super::non_defaults;
use super::scene::{STEP, Scene, column};
use crate::body::{Definition, Kind};
use crate::contact::material::{Material, Pair};
use crate::contact::{ContactRecord, Marks, Memory};
use crate::id::Handle;
use crate::math::Vec3;
use crate::shape::Shape;
use crate::visit::tests::{all_differ, words};
use crate::world::settings::Sweep;
use crate::world::{BodyState, Settings, World};

fn state(world: &World) -> Vec<u64> {
    words(|recorded| world.visit_state(recorded))
}

#[test]
fn the_same_calls_give_the_same_hash_after_every_step() {
    let settings = Settings { sweep: Sweep::Random, seed: 3, ..Settings::default() };
    // One ball spins, since a step at rest changes nothing.
    let spinning = || {
        let (mut scene, [.., ball]) = column(settings);
        let state = BodyState { angular_velocity: [0.0, 0.0, 1.0], ..scene.state(ball) };
        scene.world.set_body_state(ball, &state).expect("a state");
        scene
    };
    let mut one = spinning();
    // Another place in memory, and much happened to it before.
    let _between = spinning();
    let mut other = spinning();
    for _ in 0..20 {
        assert_eq!(one.world.hash(), other.world.hash());
        assert_eq!(one.world.has_same_state(&other.world), Ok(true));
        one.steps(1);
        assert_ne!(one.world.hash(), other.world.hash());
        assert_eq!(one.world.has_same_state(&other.world), Ok(false));
        other.steps(1);
    }
    let before = one.world.hash();
    let _ = (one.world.energy(), one.world.contacts().count(), one.world.body_states().count());
    assert_eq!(one.world.hash(), before, "reading changes nothing");
}

#[test]
fn calls_that_leave_no_trace_do_not_show() {
    let (mut one, _) = column(Settings::default());
    let (other, _) = column(Settings::default());
    let ball = one.world.body_handles().nth(1).expect("a body");
    for force in [[1.0, 2.0, 3.0], [-1.0, -2.0, -3.0]] {
        one.world.add_force(ball, force, None).expect("a force");
    }
    let (settings, seeded) = (Settings::default(), Settings { seed: 9, ..Settings::default() });
    one.world.set_settings(seeded).expect("settings");
    one.world.set_settings(settings).expect("settings");
    one.world.set_gravity([0.0; 3]).expect("gravity");
    one.world.set_gravity([0.0, 0.0, -10.0]).expect("gravity");
    one.world.step(-1.0).expect_err("a step of no length");
    one.world.wake(ball).expect("a body");
    assert_eq!(one.world.hash(), other.world.hash());
    assert_eq!(one.world.has_same_state(&other.world), Ok(true));
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
        ("a removed body", |scene, [.., overlap_serial]| scene.world.remove_body(overlap_serial).expect("a body")),
        ("a place", |scene, [.., ball]| state(scene, ball, |state| state.position[0] = 3.0_f64.next_up())),
        ("a turn", |scene, [.., ball]| state(scene, ball, |state| state.rotation = [1.0, 0.0, 0.0, 0.0])),
        ("a speed", |scene, [.., ball]| state(scene, ball, |state| state.linear_velocity[1] += 1e-9)),
        ("a spin", |scene, [.., ball]| state(scene, ball, |state| state.angular_velocity[1] += 1e-9)),
        ("a force", |scene, [.., ball]| scene.world.add_force(ball, [1.0, 0.0, 0.0], None).expect("a force")),
        ("another force", |scene, [_, ball, ..]| scene.world.add_force(ball, [1.0, 0.0, 0.0], None).expect("a force")),
        ("a torque", |scene, [.., ball]| scene.world.add_torque(ball, [1.0, 0.0, 0.0]).expect("a torque")),
        ("a step", |scene, _| scene.steps(1)),
    ];
    let state_of = |(name, change): &(&str, Change)| {
        let (mut scene, bodies) = column(Settings::default());
        // A step at rest changes nothing.
        state(&mut scene, bodies[4], |state| state.angular_velocity[2] = 1.0);
        change(&mut scene, bodies);
        (name.to_string(), words(|recorded| scene.world.visit_state(recorded)))
    };
    all_differ(&changes.iter().map(state_of).collect::<Vec<_>>());
}

/// Settings that are not offered too, which only get past the check here.
#[test]
fn every_setting_shows() {
    let state_of = |settings: Settings| {
        let mut world = Scene::new(Settings::default()).world;
        world.settings = settings;
        state(&world)
    };
    let mut states = vec![("nothing".to_string(), state_of(Settings::default()))];
    states.extend(
        non_defaults::setting().iter().map(|change| (change.0.to_string(), state_of(non_defaults::changed(change)))),
    );
    all_differ(&states);
}

#[test]
fn every_member_of_a_body_shows() {
    let state_of = |change: &dyn Fn(&mut Scene, &mut Definition)| {
        let mut scene = Scene::new(Settings::default());
        scene.material(0.5, 0.0);
        let mut definition = scene.ball_at([0.0; 3]);
        change(&mut scene, &mut definition);
        scene.add(&definition);
        state(&scene.world)
    };
    // A shape and a material must be there: their handles follow.
    let of_no_world = ["shape", "material"];
    let mut states: Vec<(String, Vec<u64>)> = non_defaults::definition()
        .iter()
        .filter(|(name, _)| !of_no_world.contains(name))
        .map(|(name, change)| (name.to_string(), state_of(&|_, definition| change(definition))))
        .collect();
    states.push(("nothing".into(), state_of(&|_, _| {})));
    states.push(("kinematic".into(), state_of(&|_, definition| definition.kind = Kind::Kinematic)));
    // Each adds something as well; what the body has is the question.
    let ball = |scene: &mut Scene| scene.world.add_shape(Shape::sphere(0.5).expect("a sphere")).expect("memory");
    states.push(("a shape alone".into(), state_of(&|scene, _| _ = ball(scene))));
    states.push(("shape".into(), state_of(&|scene, definition| definition.shape = ball(scene))));
    states.push(("a material alone".into(), state_of(&|scene, _| _ = scene.material(0.5, 0.0))));
    states.push(("material".into(), state_of(&|scene, definition| definition.material = scene.material(0.5, 0.0))));
    all_differ(&states);
}

#[test]
fn every_member_of_a_material_and_a_pair_shows() {
    let material = |material: Material| {
        let mut scene = Scene::new(Settings::default());
        scene.world.add_material(material).expect("a material");
        state(&scene.world)
    };
    let pair = |pair: Pair| {
        let mut scene = Scene::new(Settings::default());
        scene.world.set_material_pair(Handle::NULL, Handle::NULL, pair).expect("a pair");
        state(&scene.world)
    };
    let defaults = [material(Material::default()), pair(Pair::default())];
    let mut states: Vec<(String, Vec<u64>)> = defaults.map(|state| ("nothing".to_string(), state)).into();
    states.extend(
        non_defaults::material().iter().map(|change| (change.0.to_string(), material(non_defaults::changed(change)))),
    );
    states.extend(
        non_defaults::pair().iter().map(|change| (format!("pair {}", change.0), pair(non_defaults::changed(change)))),
    );
    all_differ(&states);
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
        |memory| memory.contact_list.records[1].key += 1,
        |memory| memory.contact_list.geometries[0].feature += 1,
        |memory| memory.loads.marks[1] = Marks::new(true, false, false),
        |memory| memory.contact_list.geometries[0].gap += 1e-9,
        |memory| memory.contact_list.geometries[0].local.x += 1e-9,
        |memory| memory.contact_list.geometries[0].normal.x += 1e-9,
        |memory| memory.loads.impulses[1].normal += 1e-9,
        |memory| memory.loads.impulses[1].tangential.x += 1e-9,
        |memory| memory.loads.torques = vec![Vec3::new(1e-9, 0.0, 0.0); 8],
        |memory| memory.loads.position_multipliers[1] += 1e-9,
        |memory| memory.contact_list.records.truncate(3),
        |memory| memory.contact_list.records[1] = ContactRecord::at(memory.contact_list.records[1].pair(), 0),
    ];
    let state_of = |(index, change): (usize, &fn(&mut Memory))| {
        let (mut scene, _) = column(Settings::default());
        change(&mut scene.world.memory);
        (format!("member {index}"), state(&scene.world))
    };
    all_differ(&changes.iter().enumerate().map(state_of).collect::<Vec<_>>());
}
