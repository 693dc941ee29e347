//! Which bodies touch, and where.

use super::scene::{Scene, close};
use crate::body::{Definition, Kind};
use crate::id::Handle;
use crate::math::{Mat3, Vec3};
use crate::shape::Shape;
use crate::world::Settings;

fn contacts_of(scene: &mut Scene) -> Vec<(Handle, Handle)> {
    scene.steps(1);
    scene.world.contacts().map(|contact| (contact.body_a, contact.body_b)).collect()
}

#[test]
fn contacts_begin_at_the_margin() {
    for margin in [0.0, 1e-3, 0.25] {
        let seen = |gap: f64| {
            let mut scene = Scene::new(Settings { contact_margin: margin, ..Settings::default() });
            scene.world.set_gravity([0.0; 3]).expect("gravity");
            scene.floor();
            scene.ball([0.0, 0.0, 0.5 + gap]);
            scene.ball([5.0, 0.0, 9.0]);
            scene.ball([6.0 + gap, 0.0, 9.0]);
            contacts_of(&mut scene).len()
        };
        // Places of some 9 m are rounded by 1e-15.
        assert_eq!(seen(margin - 1e-14), 2, "within {margin}");
        assert_eq!(seen(margin + 1e-14), 0, "beyond {margin}");
    }
}

#[test]
fn a_tilted_plane_far_away_is_touched_where_it_is() {
    // Normal (0.6, 0, 0.8) through (1e6, 0, 0): its offset is 6e5. A ball that touches it at that point.
    let mut scene = Scene::new(Settings::default());
    scene.world.set_gravity([0.0; 3]).expect("gravity");
    let plane = scene.world.add_shape(Shape::half_space([0.6, 0.0, 0.8], 6e5).expect("plane")).expect("memory");
    let floor = scene.add(&Definition { kind: Kind::Static, shape: plane, ..Definition::default() });
    let ball = scene.ball([1e6 + 0.3, 0.0, 0.4]);
    scene.steps(1);
    let contact = scene.world.contacts().next().expect("a contact");
    assert_eq!((contact.body_a, contact.body_b), (floor, ball));
    close(contact.normal, [0.6, 0.0, 0.8], 1e-16);
    // Places at 1e6 m are rounded by 1e-10.
    close(contact.point, [1e6, 0.0, 0.0], 4e-10);
    assert!(contact.gap.abs() <= 4e-10, "{}", contact.gap);
}

#[test]
fn a_plane_goes_with_its_body() {
    // Turned by 90 degrees about y, the normal z points along x; moved by 3, the surface is x = 3.
    let mut scene = Scene::new(Settings::default());
    scene.world.set_gravity([0.0; 3]).expect("gravity");
    let half = 0.5_f64.sqrt();
    let wall = Definition {
        kind: Kind::Kinematic,
        shape: scene.plane,
        position: [3.0, 7.0, -2.0],
        rotation: [0.0, half, 0.0, half],
        ..Definition::default()
    };
    scene.add(&wall);
    let ball = scene.ball([3.25, 0.0, 0.0]);
    scene.ball([3.0, 0.0, 9.0]);
    scene.ball([3.6, 0.0, 0.0]);
    scene.steps(1);
    let contact = scene.world.contacts().find(|contact| contact.body_b == ball).expect("a contact");
    close(contact.normal, [1.0, 0.0, 0.0], 4e-16);
    assert!((contact.gap + 0.25).abs() <= 2e-15, "{}", contact.gap);
}

#[test]
fn filters_and_immovable_pairs() {
    let mut scene = Scene::new(Settings::default());
    scene.world.set_gravity([0.0; 3]).expect("gravity");
    let at = |x: f64| scene.ball_at([x, 0.0, 0.0]);
    let definitions = [
        Definition { filter_category: 2, ..at(0.0) },
        Definition { filter_mask: 1, ..at(0.9) },
        Definition { filter_group: -4, ..at(10.0) },
        Definition { filter_group: -4, ..at(10.9) },
        Definition { filter_group: 4, filter_mask: 0, ..at(20.0) },
        Definition { filter_group: 4, filter_mask: 0, ..at(20.9) },
        Definition { kind: Kind::Static, ..at(30.0) },
        Definition { kind: Kind::Kinematic, ..at(30.9) },
        at(40.0),
        Definition { kind: Kind::Static, ..at(40.9) },
    ];
    let bodies = scene.world.add_bodies(&definitions).expect("bodies");
    assert_eq!(contacts_of(&mut scene), [(bodies[4], bodies[5]), (bodies[8], bodies[9])]);
}

#[test]
fn contacts_are_sorted_by_their_bodies() {
    let mut scene = Scene::new(Settings::default());
    scene.world.set_gravity([0.0; 3]).expect("gravity");
    let balls = [2.0, 0.0, 3.0, 1.0].map(|x| scene.ball([x, 0.0, 0.5]));
    let floor = scene.floor();
    let [c, a, d, b] = balls;
    // Slots in the order of creation: c a d b floor.
    let expected = [(c, d), (c, b), (c, floor), (a, b), (a, floor), (d, floor), (b, floor)];
    assert_eq!(contacts_of(&mut scene), expected);
    for contact in scene.world.contacts().filter(|contact| contact.body_b == floor) {
        assert_eq!(contact.normal, [0.0, 0.0, -1.0], "from the ball to the floor");
    }
}

#[test]
fn keys_stay_with_their_contact() {
    let mut scene = Scene::new(Settings::default());
    scene.floor();
    let [one, other] = [0.0, 3.0].map(|x| scene.ball([x, 0.0, 0.5]));
    let keys = |scene: &mut Scene| -> Vec<(Handle, u64)> {
        scene.steps(1);
        scene.world.contacts().map(|contact| (contact.body_b, contact.key)).collect()
    };
    assert_eq!(keys(&mut scene), [(one, 1), (other, 2)]);
    assert_eq!(keys(&mut scene), [(one, 1), (other, 2)]);
    // Removed and added again it is another body in the same slot: a new contact with a new key.
    scene.world.remove_body(one).expect("a body");
    let again = scene.ball([0.0, 0.0, 0.5]);
    assert_eq!(again.0 as u32, one.0 as u32);
    assert_eq!(keys(&mut scene), [(again, 3), (other, 2)]);
    let contact = scene.world.contacts().next().expect("a contact");
    assert_eq!(contact.state & crate::query::NEW, crate::query::NEW);
    // Lifted for a step and put down: the old contact has ended.
    let mut state = scene.state(other);
    let down = state;
    state.position[2] = 9.0;
    scene.world.set_body_state(other, &state).expect("a state");
    assert_eq!(keys(&mut scene), [(again, 3)]);
    scene.world.set_body_state(other, &down).expect("a state");
    assert_eq!(keys(&mut scene), [(again, 3), (other, 4)]);
}

/// The principal extents of places: roots of the eigenvalues of their spread, in ascending order.
fn extents(places: &[Vec3]) -> [f64; 3] {
    let mean = places.iter().sum::<Vec3>() / places.len() as f64;
    let spread = places.iter().map(|place| (place - mean) * (place - mean).transpose()).sum::<Mat3>();
    let mut values: Vec<f64> = spread.symmetric_eigenvalues().iter().map(|value| value.max(0.0).sqrt()).collect();
    values.sort_by(f64::total_cmp);
    [values[0], values[1], values[2]]
}

#[test]
fn bodies_put_at_one_place_part_in_all_directions() {
    // Capsules side by side part in the plane across them.
    for (shape, extent) in [(Shape::sphere(0.5), 0), (Shape::cuboid([0.5; 3]), 0), (Shape::capsule(0.3, 0.2), 1)] {
        let mut scene = Scene::new(Settings::default());
        scene.world.set_gravity([0.0; 3]).expect("gravity");
        let shape = scene.world.add_shape(shape.expect("a shape")).expect("memory");
        let definition = Definition { shape, position: [1.0, 2.0, 3.0], mass: 1.0, ..Definition::default() };
        let bodies: Vec<Handle> = (0..60).map(|_| scene.add(&definition)).collect();
        scene.steps(400);
        let places: Vec<Vec3> = bodies.iter().map(|body| Vec3::from(scene.state(*body).position)).collect();
        let found = extents(&places);
        assert!(found[extent] >= 0.1 * found[2] && found[2] > 0.5, "{found:?}");
    }
}
