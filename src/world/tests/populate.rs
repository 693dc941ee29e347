//! Bodies and shapes come and go.

use super::scene::{Scene, column};
use crate::body::{Definition, Kind, Lock};
use crate::error::ErrorKind;
use crate::id::Handle;
use crate::query::NEW;
use crate::world::{BodyState, Settings};

#[test]
fn bodies_are_listed_in_the_order_of_their_creation() {
    let mut scene = Scene::new(Settings::default());
    let [a, b, c] = [0.0, 2.0, 4.0].map(|x| scene.ball([x, 0.0, 5.0]));
    scene.world.remove_body(b).expect("a body");
    let d = scene.ball([6.0, 0.0, 5.0]);
    assert_eq!(d.0 as u32, b.0 as u32, "the slot is used again");
    assert_ne!(d, b, "the handle is not");
    assert!(scene.world.body_handles().eq([a, c, d]));
    let xs: Vec<f64> = scene.world.body_states().map(|state| state.position[0]).collect();
    assert_eq!(xs, [0.0, 4.0, 6.0]);
    assert_eq!(scene.world.body_count(), 3);
}

#[test]
fn a_removed_body_is_no_other_one() {
    let mut scene = Scene::new(Settings::default());
    let gone = scene.ball([0.0; 3]);
    scene.world.remove_body(gone).expect("a body");
    scene.ball([0.0; 3]);
    let before = scene.world.hash();
    let state = BodyState {
        position: [0.0; 3],
        rotation: [0.0, 0.0, 0.0, 1.0],
        linear_velocity: [0.0; 3],
        angular_velocity: [0.0; 3],
    };
    let world = &mut scene.world;
    let refusals = [
        world.remove_body(gone).expect_err("stale"),
        world.body_state(gone).expect_err("stale"),
        world.body_mass(gone).expect_err("stale"),
        world.body_user_data(gone).expect_err("stale"),
        world.body_force(gone).expect_err("stale"),
        world.set_body_state(gone, &state).expect_err("stale"),
        world.add_force(gone, [1.0; 3], None).expect_err("stale"),
        world.add_torque(gone, [1.0; 3]).expect_err("stale"),
    ];
    for error in refusals {
        assert_eq!(error.kind, ErrorKind::StaleHandle, "{error}");
        assert!(error.message.contains(&format!("{:#x}", gone.0)), "{error}");
    }
    assert_eq!(scene.world.hash(), before);
}

#[test]
fn many_bodies_are_added_all_or_none() {
    let mut scene = Scene::new(Settings::default());
    let before = scene.world.hash();
    let good = scene.ball_at([0.0; 3]);
    let bad = Definition { position: [0.0, f64::NAN, 0.0], ..good };
    let error = scene.world.add_bodies(&[good, bad, good]).expect_err("NaN");
    assert_eq!(error.kind, ErrorKind::NotFinite);
    assert!(error.message.starts_with("defs[1]: position[1] is NaN"), "{error}");
    assert_eq!((scene.world.body_count(), scene.world.hash()), (0, before));
    let handles = scene.world.add_bodies(&[good, good]).expect("bodies");
    assert!(scene.world.body_handles().eq(handles));
}

#[test]
fn what_has_no_volume_is_not_dynamic() {
    let mut scene = Scene::new(Settings::default());
    let plane = scene.plane;
    for mass in [0.0, 1.0] {
        let error =
            scene.world.add_body(&Definition { shape: plane, mass, ..Definition::default() }).expect_err("a plane");
        assert_eq!(error.kind, ErrorKind::Unsupported, "{error}");
    }
    for kind in [Kind::Static, Kind::Kinematic] {
        scene.add(&Definition { kind, shape: plane, ..Definition::default() });
    }
}

#[test]
fn mass_comes_from_the_shape_or_the_host() {
    let mut scene = Scene::new(Settings::default());
    let shaped = scene.add(&Definition { mass: 0.0, ..scene.ball_at([0.0; 3]) });
    let mass = scene.world.body_mass(shaped).expect("a body");
    // 4/3 pi r^3 of 1000 kg/m^3, and 2/5 m r^2; a few roundings.
    let expected = 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * 0.125;
    assert!((mass.mass - expected).abs() <= 1e-15 * 4.0 * expected, "{mass:?}");
    assert!((mass.inertia[0] - 0.1 * expected).abs() <= 1e-15 * expected, "{mass:?}");
    let given = scene.add(&Definition { mass: 2.0, center_of_mass: [0.1, 0.0, 0.0], ..scene.ball_at([0.0; 3]) });
    let mass = scene.world.body_mass(given).expect("a body");
    assert_eq!((mass.mass, mass.center), (2.0, [0.1, 0.0, 0.0]));
    assert!((mass.inertia[2] - 0.2).abs() <= 1e-15, "the shape's, scaled to the mass: {mass:?}");
    let inertia = [1.0, 2.0, 2.5, 0.1, 0.2, 0.3];
    let whole = scene.add(&Definition { mass: 2.0, inertia, ..scene.ball_at([0.0; 3]) });
    assert_eq!(scene.world.body_mass(whole).expect("a body").inertia, inertia);
    // Without a mass the centre is not looked at.
    let plain = scene.add(&Definition { mass: 0.0, center_of_mass: [0.1, 0.0, 0.0], ..scene.ball_at([0.0; 3]) });
    assert_eq!(scene.world.body_mass(plain).expect("a body").center, [0.0; 3]);
    let placed =
        Definition { kind: Kind::Static, mass: 2.0, center_of_mass: [0.1, 0.0, 0.0], ..scene.ball_at([9.0; 3]) };
    let placed = scene.add(&placed);
    assert_eq!(scene.world.body_mass(placed).expect("a body").center, [0.1, 0.0, 0.0]);
    let still = scene.add(&Definition { kind: Kind::Static, ..scene.ball_at([9.0; 3]) });
    let mass = scene.world.body_mass(still).expect("a body");
    assert_eq!((mass.mass, mass.inertia), (0.0, [0.0; 6]));
}

#[test]
fn a_body_is_given_only_the_motion_it_can_have() {
    let mut scene = Scene::new(Settings::default());
    let definition = Definition {
        linear_velocity: [1.0, 2.0, 3.0],
        angular_velocity: [4.0, 5.0, 6.0],
        lock: Lock(0b100_010),
        ..scene.ball_at([0.0; 3])
    };
    let locked = scene.add(&definition);
    let still = scene.add(&Definition { kind: Kind::Static, ..definition });
    let driven = scene.add(&Definition { kind: Kind::Kinematic, ..definition });
    for again in [false, true] {
        if again {
            let state = BodyState {
                position: [0.0; 3],
                rotation: [0.0, 0.0, 0.0, 1.0],
                linear_velocity: [1.0, 2.0, 3.0],
                angular_velocity: [4.0, 5.0, 6.0],
            };
            for body in [locked, still, driven] {
                scene.world.set_body_state(body, &state).expect("a state");
            }
        }
        let motion = |body: Handle| (scene.state(body).linear_velocity, scene.state(body).angular_velocity);
        assert_eq!(motion(locked), ([1.0, 0.0, 3.0], [4.0, 5.0, 0.0]));
        assert_eq!(motion(still), ([0.0; 3], [0.0; 3]));
        assert_eq!(motion(driven), ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]));
    }
}

#[test]
fn forces_are_for_dynamic_bodies_and_stay_finite() {
    let (mut scene, [floor, ball, ..]) = column(Settings::default());
    let error = scene.world.add_force(floor, [1.0, 0.0, 0.0], None).expect_err("a static body");
    assert_eq!(error.kind, ErrorKind::Argument);
    assert!(error.message.ends_with("a DRY_STATIC body, expected a DRY_DYNAMIC one"), "{error}");
    assert_eq!(scene.world.add_torque(floor, [1.0; 3]).expect_err("a static body").kind, ErrorKind::Argument);
    scene.world.add_force(ball, [1e308, 0.0, 0.0], None).expect("a force");
    let before = scene.world.hash();
    let error = scene.world.add_force(ball, [1e308, 0.0, 0.0], None).expect_err("their sum is infinite");
    assert_eq!(error.kind, ErrorKind::NotFinite, "{error}");
    assert_eq!(scene.world.add_force(ball, [f64::NAN; 3], None).expect_err("NaN").kind, ErrorKind::NotFinite);
    assert_eq!(
        scene.world.add_force(ball, [1.0; 3], Some([f64::INFINITY; 3])).expect_err("inf").kind,
        ErrorKind::NotFinite
    );
    assert_eq!(scene.world.hash(), before);
}

#[test]
fn a_state_that_is_none_is_refused() {
    let (mut scene, [_, ball, ..]) = column(Settings::default());
    let (good, before) = (scene.state(ball), scene.world.hash());
    let long = BodyState { rotation: [0.0, 0.0, 0.0, 1.001], ..good };
    assert_eq!(scene.world.set_body_state(ball, &long).expect_err("not of unit length").kind, ErrorKind::Argument);
    let nowhere = BodyState { position: [f64::NAN; 3], ..good };
    assert_eq!(scene.world.set_body_state(ball, &nowhere).expect_err("NaN").kind, ErrorKind::NotFinite);
    assert_eq!(scene.world.hash(), before);
    let too_far = BodyState { position: [f64::MAX, 0.0, 0.0], ..good };
    let heavy = Definition { center_of_mass: [f64::MAX, 0.0, 0.0], ..scene.ball_at([-f64::MAX, 0.0, 0.0]) };
    let offset = scene.add(&heavy);
    let before = scene.world.hash();
    let refused = scene.world.set_body_state(offset, &too_far).expect_err("a centre of mass at infinity");
    assert_eq!(refused.kind, ErrorKind::Argument);
    assert_eq!(scene.world.hash(), before);
}

#[test]
fn a_body_in_the_slot_of_a_removed_one_makes_contacts_of_its_own() {
    for fails in [false, true] {
        let (mut scene, [floor, .., overlap_serial]) = column(Settings::default());
        let keys: Vec<u64> = scene.world.contacts().map(|contact| contact.key).collect();
        let place = scene.state(overlap_serial).position;
        scene.world.remove_body(overlap_serial).expect("a body");
        let new = scene.ball(place);
        assert_eq!(new.0 as u32, overlap_serial.0 as u32);
        if fails {
            // What the host asks of this step sends a ball to infinity: it is undone, and the removed body stays gone.
            scene.world.add_force(new, [1e308, 0.0, 0.0], None).expect("a force");
            scene.world.step(1e9).expect_err("not finite");
            assert_eq!(scene.world.contact_count(), 3);
            scene.world.add_force(new, [-1e308, 0.0, 0.0], None).expect("a force");
        }
        let report = scene.world.step(0.01).expect("a step");
        let contact = scene.world.contacts().find(|contact| contact.body_b == new).expect("a contact");
        assert_eq!((contact.body_a, contact.state & NEW, report.new_contacts), (floor, NEW, 1), "fails: {fails}");
        assert!(!keys.contains(&contact.key));
    }
}
