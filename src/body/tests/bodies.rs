use crate::body::{Bodies, Definition, Energy, Kind, Lock, Mass, NewBody, Wrench};
use crate::id::Handle;
use crate::math::{Quat, Symmetric3, Vec3};
use proptest::prelude::*;

fn unit_mass() -> Mass {
    Mass::dynamic(1.0, Vec3::zeros(), Symmetric3::diagonal([1.0; 3]), Lock(0)).expect("a mass")
}

/// A body that is recognised by `user_data`.
fn body(user_data: u64) -> NewBody {
    let definition = Definition { user_data, position: [user_data as f64, 0.0, 0.0], ..Definition::default() };
    NewBody::new(&definition, Quat::identity(), 0, 0, unit_mass())
}

fn add(bodies: &mut Bodies, user_data: u64) -> Handle {
    take_in(bodies, body(user_data)).1
}

fn take_in(bodies: &mut Bodies, body: NewBody) -> (usize, Handle) {
    bodies.reserve(&[body]).expect("room for one");
    bodies.insert(body)
}

/// What `order` lists, by `user_data`.
fn listed(bodies: &Bodies) -> Vec<u64> {
    bodies.order.iter().map(|slot| bodies.user_data(*slot as usize)).collect()
}

#[test]
fn bodies_are_listed_as_they_were_created() {
    let mut bodies = Bodies::default();
    let handles: Vec<Handle> = (0..4).map(|number| add(&mut bodies, number)).collect();
    assert_eq!(listed(&bodies), [0, 1, 2, 3]);
    for (slot, handle) in handles.iter().enumerate() {
        assert_eq!(bodies.registry.slot("body", *handle), Ok(slot));
        assert_eq!(bodies.motion[slot].center, Vec3::new(slot as f64, 0.0, 0.0));
    }
    assert_eq!(bodies.slots(), 4);
}

#[test]
fn a_body_in_a_reused_slot_is_listed_last() {
    let mut bodies = Bodies::default();
    let handles: Vec<Handle> = (0..4).map(|number| add(&mut bodies, number)).collect();
    bodies.remove(1);
    assert_eq!(listed(&bodies), [0, 2, 3]);
    let next = add(&mut bodies, 10);
    assert_eq!(bodies.registry.slot("body", next), Ok(1));
    assert_eq!(bodies.order, [0, 2, 3, 1]);
    assert_eq!(listed(&bodies), [0, 2, 3, 10]);
    assert!(!bodies.registry.holds(handles[1]));
    // The one in the reused slot is found although its slot is below those created before it.
    bodies.remove(1);
    assert_eq!(listed(&bodies), [0, 2, 3]);
    bodies.remove(0);
    assert_eq!(listed(&bodies), [2, 3]);
    assert_eq!(bodies.slots(), 4);
}

#[test]
fn a_reused_slot_holds_nothing_of_the_body_before() {
    let mut bodies = Bodies::default();
    add(&mut bodies, 0);
    let wrench = Wrench { force: Vec3::x(), torque: Vec3::y() };
    bodies.set_wrench(0, wrench).expect("room");
    assert_eq!(*bodies.wrench(0), wrench);
    bodies.motion[0].linear = Vec3::repeat(f64::NAN);
    bodies.remove(0);
    add(&mut bodies, 7);
    let expected = body(7);
    assert_eq!((bodies.motion[0], bodies.mass[0], bodies.traits[0]), (expected.motion, expected.mass, expected.traits));
    assert_eq!((bodies.user_data(0), *bodies.wrench(0)), (7, Wrench::ZERO));
}

#[test]
fn a_new_body_takes_every_trait_of_its_definition() {
    let definition = Definition {
        kind: Kind::Kinematic,
        lock: Lock(5),
        gravity_scale: 0.5,
        linear_damping: 0.25,
        angular_damping: 0.125,
        filter_category: 2,
        filter_mask: 3,
        filter_group: -4,
        user_data: 6,
        ..Definition::default()
    };
    let NewBody { traits, user_data, .. } = NewBody::new(&definition, Quat::identity(), 8, 9, unit_mass());
    assert_eq!((traits.kind, traits.lock, traits.shape, traits.material), (Kind::Kinematic, Lock(5), 8, 9));
    assert_eq!((traits.gravity_scale, traits.linear_damping, traits.angular_damping), (0.5, 0.25, 0.125));
    assert_eq!((traits.filter_category, traits.filter_mask, traits.filter_group), (2, 3, -4));
    assert_eq!(user_data, 6);
}

#[test]
fn the_position_is_of_the_shape_and_the_center_is_turned_with_the_body() {
    let mass = Mass::dynamic(1.0, Vec3::new(1.0, 2.0, 3.0), Symmetric3::diagonal([1.0; 3]), Lock(0)).expect("a mass");
    let definition = Definition { position: [10.0, 20.0, 30.0], ..Definition::default() };
    // Half a turn about z takes (1, 2, 3) to (-1, -2, 3): a quaternion of zeros and a one is exact.
    let half_turn = Quat::new_unchecked(nalgebra::Quaternion::new(0.0, 0.0, 0.0, 1.0));
    let motion = NewBody::new(&definition, half_turn, 0, 0, mass).motion;
    assert_eq!(motion.center, Vec3::new(9.0, 18.0, 33.0));
    assert_eq!(motion.rotation, half_turn);
}

#[test]
fn a_body_starts_without_the_velocities_it_cannot_have() {
    let definition =
        Definition { linear_velocity: [1.0, 2.0, 3.0], angular_velocity: [4.0, 5.0, 6.0], ..Definition::default() };
    let start = |kind: Kind, lock: u32| {
        let definition = Definition { kind, lock: Lock(lock), ..definition };
        let motion = NewBody::new(&definition, Quat::identity(), 0, 0, unit_mass()).motion;
        (motion.linear, motion.angular)
    };
    let whole = (Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0));
    assert_eq!(start(Kind::Dynamic, 0), whole);
    // x and z of the translation (1 + 4), y of the rotation (16).
    assert_eq!(start(Kind::Dynamic, 21), (Vec3::new(0.0, 2.0, 0.0), Vec3::new(4.0, 0.0, 6.0)));
    assert_eq!(start(Kind::Dynamic, Lock::ALL), (Vec3::zeros(), Vec3::zeros()));
    // Locks are of dynamic bodies: a kinematic one moves as its host says.
    assert_eq!(start(Kind::Kinematic, Lock::ALL), whole);
    assert_eq!(start(Kind::Static, 0), (Vec3::zeros(), Vec3::zeros()));
}

#[test]
fn the_energy_is_kinetic_and_potential() {
    let mut bodies = Bodies::default();
    let mass = Mass::dynamic(2.0, Vec3::zeros(), Symmetric3::diagonal([1.0, 2.0, 4.0]), Lock(0)).expect("a mass");
    let definition = Definition {
        position: [0.0, 0.0, 3.0],
        linear_velocity: [3.0, 0.0, 0.0],
        angular_velocity: [0.0, 0.0, 2.0],
        gravity_scale: 0.5,
        ..Definition::default()
    };
    let moving = Definition { kind: Kind::Kinematic, ..definition };
    take_in(&mut bodies, NewBody::new(&definition, Quat::identity(), 0, 0, mass));
    take_in(&mut bodies, NewBody::new(&moving, Quat::identity(), 0, 0, Mass::immovable(Vec3::zeros())));
    take_in(&mut bodies, NewBody::new(&definition, Quat::identity(), 0, 0, mass));
    bodies.remove(2);
    // 1/2 2 9 + 1/2 4 4 = 17 J; -2 * 0.5 * (-8) * 3 = 24 J. The removed and the kinematic body count nothing.
    let of = |slot: usize| bodies.energy_at(slot, &bodies.motion[slot], &Vec3::new(0.0, 0.0, -8.0));
    assert_eq!(Energy::sum(&bodies.order, of), Energy { kinetic: 17.0, potential: 24.0 });
}

#[test]
fn a_number_of_the_hosts_own_takes_room_where_there_is_one() {
    let mut bodies = Bodies::default();
    for number in [0, 0, 7, 0] {
        add(&mut bodies, number);
    }
    assert_eq!(listed(&bodies), [0, 0, 7, 0]);
    assert_eq!(bodies.user_data.len(), 3);
    bodies.remove(2);
    add(&mut bodies, 0);
    assert_eq!((bodies.order.as_slice(), listed(&bodies)), (&[0, 1, 3, 2][..], vec![0; 4]));
}

#[test]
fn creation_numbers_that_are_used_up_start_again() {
    let mut bodies = Bodies::default();
    for number in 1..4 {
        add(&mut bodies, number);
    }
    bodies.remove(0);
    bodies.next_sequence = u32::MAX - 1;
    // into slot 0 with the last number, into slot 3 with the first that follows those of three bodies
    add(&mut bodies, 4);
    add(&mut bodies, 5);
    assert_eq!((bodies.next_sequence, listed(&bodies)), (4, vec![2, 3, 4, 5]));
    bodies.remove(0);
    bodies.remove(1);
    assert_eq!(listed(&bodies), [3, 5]);
}

#[test]
fn there_are_no_forces_until_the_first_one() {
    let mut bodies = Bodies::default();
    for number in 0..3 {
        add(&mut bodies, number);
    }
    bodies.clear_wrench(1);
    assert!(!bodies.are_pushed() && (0..3).all(|slot| *bodies.wrench(slot) == Wrench::ZERO));
    let wrench = Wrench { force: Vec3::x(), torque: Vec3::y() };
    bodies.set_wrench(1, wrench).expect("room");
    // beyond the end of the column
    add(&mut bodies, 3);
    assert_eq!([0, 1, 2, 3].map(|slot| *bodies.wrench(slot)), [Wrench::ZERO, wrench, Wrench::ZERO, Wrench::ZERO]);
    bodies.set_wrench(3, wrench).expect("room");
    (0..4).for_each(|slot| bodies.clear_wrench(slot));
    assert!((0..4).all(|slot| *bodies.wrench(slot) == Wrench::ZERO));
}

#[test]
fn room_for_bodies_is_room_in_every_array() {
    let mut bodies = Bodies::default();
    let new: Vec<NewBody> = (0..10).map(body).collect();
    bodies.reserve(&new).expect("room for ten");
    let room = |bodies: &Bodies| [bodies.order.capacity(), bodies.motion.capacity(), bodies.user_data.capacity()];
    let before = room(&bodies);
    new.into_iter().for_each(|body| {
        bodies.insert(body);
    });
    assert_eq!(room(&bodies), before);
    assert_eq!(listed(&bodies).len(), 10);
}

proptest! {
    /// Against a list of what is there: a number removes that member of the list, if there is one; everything else adds.
    #[test]
    fn the_order_is_that_of_creation(calls in proptest::collection::vec(proptest::option::of(0usize..8), 1..100)) {
        let mut bodies = Bodies::default();
        let mut there: Vec<(u64, Handle)> = Vec::new();
        for (number, call) in (0u64..).zip(calls) {
            match call {
                Some(at) if at < there.len() => {
                    let (_, handle) = there.remove(at);
                    bodies.remove(bodies.registry.slot("body", handle).expect("it is there"));
                }
                _ => there.push((number, add(&mut bodies, number))),
            }
            let expected: Vec<u64> = there.iter().map(|(number, _)| *number).collect();
            prop_assert_eq!(listed(&bodies), expected);
            for (number, handle) in &there {
                let slot = bodies.registry.slot("body", *handle).expect("it is there");
                prop_assert_eq!(bodies.user_data(slot), *number);
                prop_assert_eq!(bodies.motion[slot].center.x, *number as f64);
            }
        }
    }
}
