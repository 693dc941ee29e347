//! What a host reads after a step, and after bodies are gone.

use super::scene::{Scene, close, column};
use crate::body::{Definition, Kind, Lock};
use crate::contact::material::Pair;
use crate::id::Handle;
use crate::math::Vec3;
use crate::world::settings::Compatibility;
use crate::world::{BodyState, ContactReport, Settings};

/// The sum of the contact forces on a body by the contacts' reports.
fn sum(scene: &Scene, body: Handle) -> [f64; 3] {
    let on_b =
        |contact: ContactReport| contact.normal_force * Vec3::from(contact.normal) + Vec3::from(contact.friction_force);
    let force = |contact: ContactReport| match (contact.body_a == body, contact.body_b == body) {
        (true, _) => -on_b(contact),
        (_, true) => on_b(contact),
        _ => Vec3::zeros(),
    };
    scene.world.contacts().map(force).sum::<Vec3>().into()
}

#[test]
fn forces_on_a_body_are_those_of_its_contacts() {
    let (mut scene, bodies) = column(Settings { iterations: 2000, ..Settings::default() });
    scene.steps(1);
    for body in bodies {
        // Forces of 40 N, converged to 1e-12.
        close(scene.force(body), sum(&scene, body), 1e-13);
    }
    // The floor carries four balls of 1 kg, the lowest of the column three, of which it passes on two.
    close(scene.force(bodies[0]), [0.0, 0.0, -40.0], 1e-11);
    let forces: Vec<f64> = scene.world.contacts().map(|contact| contact.normal_force).collect();
    for (force, expected) in forces.iter().zip([30.0, 10.0, 20.0, 10.0]) {
        assert!((force - expected).abs() <= 1e-11, "{forces:?}");
    }
}

#[test]
fn contacts_and_forces_go_with_a_removed_body() {
    let (mut scene, [floor, low, middle, top, overlap_serial]) =
        column(Settings { iterations: 2000, ..Settings::default() });
    assert_eq!(scene.world.contact_count(), 4);
    scene.world.remove_body(middle).expect("a body");
    assert_eq!(scene.world.contact_count(), 2);
    let left: Vec<_> = scene.world.contacts().map(|contact| (contact.body_a, contact.body_b)).collect();
    assert_eq!(left, [(floor, low), (floor, overlap_serial)]);
    // What the floor gave the lowest is left; what came from above is gone, to the last bit.
    for body in [floor, low, top, overlap_serial] {
        assert_eq!(scene.force(body), sum(&scene, body));
    }
    assert_eq!(scene.force(top), [0.0; 3]);
    close(scene.force(low), [0.0, 0.0, 30.0], 1e-11);
    // A new body in its slot has none of its forces.
    let new = scene.ball([9.0, 9.0, 9.0]);
    assert_eq!(new.0 as u32, middle.0 as u32);
    assert_eq!((scene.force(new), scene.world.contact_count()), ([0.0; 3], 2));
    scene.steps(1);
    assert_eq!(scene.force(new), [0.0; 3]);
    close(scene.force(floor), [0.0, 0.0, -20.0], 1e-11);
}

#[test]
fn torques_are_about_the_centre_of_mass() {
    let mut scene = Scene::new(Settings::default());
    scene.floor();
    let ball = scene.add(&Definition { linear_velocity: [-8.0, 0.0, 0.0], ..scene.ball_at([0.0, 0.0, 0.5]) });
    let overlap_serial = scene.ball([5.0, 0.0, 0.5]);
    scene.steps(1);
    // Friction of mu m g = 5 N along x at (0, 0, -0.5): (0, -0.5 * 5, 0).
    let expected = ([5.0, 0.0, 10.0], [0.0, -2.5, 0.0]);
    assert_eq!(scene.world.body_force(ball), Ok(expected));
    // The result is the same where the sum is recomputed, since a body is gone.
    scene.world.remove_body(overlap_serial).expect("a body");
    assert_eq!(scene.world.body_force(ball), Ok(expected));
}

#[test]
fn before_the_first_step_there_is_nothing() {
    let mut scene = Scene::new(Settings::default());
    let floor = scene.floor();
    let ball = scene.ball([0.0, 0.0, 0.5]);
    assert_eq!((scene.world.contact_count(), scene.world.contacts().count()), (0, 0));
    assert_eq!((scene.force(floor), scene.force(ball)), ([0.0; 3], [0.0; 3]));
    scene.world.remove_body(floor).expect("a body");
    assert_eq!(scene.force(ball), [0.0; 3]);
}

#[test]
fn energies_are_of_now() {
    let mut scene = Scene::new(Settings::default());
    let ball = scene.ball([0.0, 0.0, 3.0]);
    let mut state = scene.state(ball);
    state.linear_velocity = [0.0, 4.0, 0.0];
    state.angular_velocity = [0.0, 0.0, 2.0];
    scene.world.set_body_state(ball, &state).expect("a state");
    // 1/2 16 + 1/2 0.1 4, and m g z.
    let (kinetic, potential) = scene.world.energy().expect("finite energies");
    assert!((kinetic - 8.2).abs() <= 2e-15, "{kinetic}");
    assert_eq!(potential, 30.0);
}

/// The column's axis, from `low` to `high`.
fn stress(scene: &Scene, low: f64, high: f64) -> f64 {
    let stress = scene.world.stress([-0.5, -0.5, low], [0.5, 0.5, high]).expect("a box");
    assert!(stress[..8].iter().all(|entry| entry.abs() <= 1e-11), "{stress:?}");
    stress[8]
}

#[test]
fn stress_is_that_of_the_contacts_in_the_box() {
    let (mut scene, [_, _, middle, ..]) = column(Settings { iterations: 2000, ..Settings::default() });
    // 20 N and 10 N at z = 1 and 2, branches of 1 m: in 1, 1 and 2 m^3.
    for (low, high, expected) in [(0.5, 1.5, -20.0), (1.5, 2.5, -10.0), (0.5, 2.5, -15.0), (1.25, 1.75, 0.0)] {
        assert!((stress(&scene, low, high) - expected).abs() <= 1e-11);
    }
    // 30 N from the floor, from where the branch has 0.5 m, in 0.75 m^3.
    assert!((stress(&scene, -0.25, 0.5) + 20.0).abs() <= 1e-11);
    scene.world.remove_body(middle).expect("a body");
    assert_eq!(stress(&scene, 0.5, 2.5), 0.0);
    assert!((stress(&scene, -0.25, 0.5) + 20.0).abs() <= 1e-11, "the floor's contact is still there");
}

#[test]
fn a_locked_body_counts_from_its_centre_and_a_held_one_from_its_surface() {
    // A ball of 1 kg on another one that cannot move either way: 10 N, a branch of 1 m or of 0.5 m, 1 m^3.
    let held =
        [(Kind::Dynamic, Lock(Lock::ALL), -10.0), (Kind::Kinematic, Lock(0), -5.0), (Kind::Static, Lock(0), -5.0)];
    for (kind, lock, expected) in held {
        let mut scene = Scene::new(Settings::default());
        scene.add(&Definition { kind, lock, ..scene.ball_at([0.0, 0.0, 0.5]) });
        scene.ball([0.0, 0.0, 1.5]);
        assert_eq!(stress(&scene, 0.5, 1.5), 0.0, "before the first step");
        scene.steps(1);
        assert!((stress(&scene, 0.5, 1.5) - expected).abs() <= 1e-12);
    }
}

/// The world stores neither the geometry of contacts of balls nor their mixed materials. The answers nevertheless do
/// not follow changes by the host after the step, nor a step that was undone.
#[test]
fn contacts_describe_the_last_step_whatever_changes_after_it() {
    let answers = |scene: &Scene| {
        let stress = scene.world.stress([-9.0; 3], [9.0; 3]).expect("a box");
        (scene.world.contacts().collect::<Vec<_>>(), stress)
    };
    let settings = Settings { contact_margin: 0.02, ..Settings::default() };
    let (mut scene, [_, low, middle, top, _]) = column(settings);
    let before = answers(&scene);
    assert_eq!(before.0.len(), 4);
    assert!(before.0.iter().any(|contact| contact.normal_force > 1.0));

    let slick = Pair { friction: 0.125, stiffness: 7.0, ..Pair::default() };
    scene.world.set_material_pair(Handle::NULL, Handle::NULL, slick).expect("a pair");
    let changed = Settings { contact_margin: 0.25, compatibility: Compatibility::Hertz, ..settings };
    scene.world.set_settings(changed).expect("settings");
    for (body, z) in [(low, 40.0), (top, 2.0)] {
        let moved = BodyState { position: [3.0, 0.0, z], linear_velocity: [5.0; 3], ..scene.state(body) };
        scene.world.set_body_state(body, &moved).expect("a state");
    }
    assert_eq!(answers(&scene), before);
    // A step that finds other contacts and is undone.
    scene.world.step(1e300).expect_err("no number holds how far they fall");
    assert_eq!(answers(&scene), before);
    scene.steps(1);
    let after = answers(&scene);
    assert_ne!(after, before);
    assert!(after.0.iter().all(|contact| contact.friction == 0.125 && contact.stiffness == 7.0));
    assert!(after.0.iter().all(|contact| contact.body_a != low && contact.body_b != low), "it is far above");
    assert!(scene.world.contacts().all(|contact| contact.body_a != middle || contact.gap <= 0.25));
}
