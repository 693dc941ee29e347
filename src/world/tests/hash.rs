//! The hash: the same for the same calls, another one for whatever else is different.

use super::scene::{STEP, Scene, column};
use crate::body::{Definition, Kind, Lock};
use crate::contact::material::{Material, Pair};
use crate::contact::{Found, Marks, Memory};
use crate::id::Handle;
use crate::math::Vec3;
use crate::shape::Shape;
use crate::world::settings::{Sweep, WarmStart};
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

#[test]
fn every_setting_shows() {
    let changes: [fn(&mut Settings); 16] = [
        |_| {},
        |s| s.sweep = Sweep::Natural,
        |s| s.warm_start = WarmStart::Guarded,
        |s| s.iterations = 3,
        |s| s.projection_passes = 4,
        |s| s.position_projection = false,
        |s| s.seed = 1,
        |s| s.tolerance = 0.1,
        |s| s.relaxation = 0.9,
        |s| s.warm_start_factor = 0.5,
        |s| s.theta = 0.75,
        |s| s.compatibility_exponent = 2.5,
        |s| s.compatibility_tolerance = 0.1,
        |s| s.tangential_stiffness = 0.1,
        |s| s.contact_margin = 0.1,
        |s| s.push_out_velocity = 0.1,
    ];
    let mut hashes: Vec<(String, u64)> = Vec::new();
    for (index, change) in changes.iter().enumerate() {
        let mut settings = Settings::default();
        change(&mut settings);
        hashes.push((format!("setting {index}"), Scene::new(settings).world.hash()));
    }
    let threshold = Settings { restitution_threshold: 0.1, ..Settings::default() };
    let strict = Settings { tolerance: 0.1, require_convergence: true, ..Settings::default() };
    hashes.push(("restitution_threshold".into(), Scene::new(threshold).world.hash()));
    hashes.push(("require_convergence".into(), Scene::new(strict).world.hash()));
    all_differ(hashes);
}

#[test]
fn every_member_of_a_body_shows() {
    let changes: [fn(&mut Definition); 17] = [
        |_| {},
        |d| d.kind = Kind::Static,
        |d| d.kind = Kind::Kinematic,
        |d| d.lock = Lock(1),
        |d| d.position[0] = 1.0,
        |d| d.rotation = [0.0, 0.0, 1.0, 0.0],
        |d| d.linear_velocity[0] = 1.0,
        |d| d.angular_velocity[0] = 1.0,
        |d| d.mass = 2.0,
        |d| d.center_of_mass[0] = 0.1,
        |d| d.inertia = [0.1, 0.1, 0.11, 0.0, 0.0, 0.0],
        |d| d.gravity_scale = 0.5,
        |d| d.linear_damping = 0.5,
        |d| d.angular_damping = 0.5,
        |d| d.filter_category = 2,
        |d| d.filter_mask = 2,
        |d| d.user_data = 2,
    ];
    let hash = |change: &dyn Fn(&mut Scene, &mut Definition)| {
        let mut scene = Scene::new(Settings::default());
        scene.material(0.5, 0.0);
        let mut definition = scene.ball_at([0.0; 3]);
        change(&mut scene, &mut definition);
        scene.add(&definition);
        scene.world.hash()
    };
    let mut hashes: Vec<(String, u64)> = Vec::new();
    for (index, change) in changes.iter().enumerate() {
        hashes.push((format!("member {index}"), hash(&|_, definition| change(definition))));
    }
    hashes.push(("filter_group".into(), hash(&|_, definition| definition.filter_group = 2)));
    // Each adds a material as well; that of the body is the question.
    let materials = [
        hash(&|scene, definition| definition.material = scene.material(0.5, 0.0)),
        hash(&|scene, _| {
            scene.material(0.5, 0.0);
        }),
    ];
    hashes.push(("a body's material".into(), materials[0]));
    hashes.push(("a material alone".into(), materials[1]));
    all_differ(hashes);
}

#[test]
fn every_member_of_a_material_and_a_pair_shows() {
    let materials: [fn(&mut Material); 9] = [
        |_| {},
        |m| m.friction = 0.25,
        |m| m.rolling_friction = 0.25,
        |m| m.twisting_friction = 0.25,
        |m| m.restitution = 0.25,
        |m| m.young_modulus = 2.0,
        |m| m.poisson_ratio = 0.125,
        |m| m.density = 2.0,
        |m| m.user_data = 2,
    ];
    let pairs: [fn(&mut Pair); 6] = [
        |_| {},
        |p| p.friction = 0.25,
        |p| p.rolling_friction = 0.25,
        |p| p.twisting_friction = 0.25,
        |p| p.restitution = 0.25,
        |p| p.stiffness = 2.0,
    ];
    let mut hashes = Vec::new();
    for (index, change) in materials.iter().enumerate() {
        let mut scene = Scene::new(Settings::default());
        let mut material = Material::default();
        change(&mut material);
        scene.world.add_material(material).expect("a material");
        hashes.push((format!("material {index}"), scene.world.hash()));
    }
    for (index, change) in pairs.iter().enumerate() {
        let mut scene = Scene::new(Settings::default());
        let mut pair = Pair::default();
        change(&mut pair);
        scene.world.set_material_pair(Handle::NULL, Handle::NULL, pair).expect("a pair");
        hashes.push((format!("pair {index}"), scene.world.hash()));
    }
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
