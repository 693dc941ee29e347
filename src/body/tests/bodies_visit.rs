use crate::body::shared::{Bits, SharedValues};
use crate::body::{Bodies, Definition, Kind, Lock, Mass, Motion, NewBody, SurfaceVelocity, Traits, Wrench};
use crate::math::{Quat, Symmetric3, Vec3};
use crate::visit::tests::{all_differ, every_change_shows, members, words};

fn new_body() -> NewBody {
    let mass = Mass::dynamic(1.0, Vec3::zeros(), Symmetric3::diagonal([1.0; 3]), Lock(0)).expect("a mass");
    NewBody::new(&Definition::default(), Quat::identity(), 0, 0, mass)
}

fn bodies(count: usize) -> Bodies {
    let mut bodies = Bodies::default();
    for _ in 0..count {
        bodies.reserve(&[new_body()]).expect("memory");
        bodies.insert(new_body());
    }
    bodies
}

fn state(bodies: &Bodies) -> Vec<u64> {
    words(|recorded| bodies.visit_state(recorded))
}

/// Sets the value of slot 1.
fn put<T: Bits>(column: &mut SharedValues<T>, value: T) {
    column.reserve([value].iter()).expect("memory");
    column.put(1, &value);
}

#[test]
fn every_member_is_visited() {
    let changes = members!(Bodies {
        registry: |bodies| bodies.registry.reserve(1).map(|()| _ = bodies.registry.insert()).expect("memory"),
        order: |bodies| bodies.order.swap(0, 1),
        motion: |bodies| bodies.motion[1].linear.x = -0.0,
        mass: |bodies| put(&mut bodies.mass, Mass { mass: 2.0, ..new_body().mass }),
        traits: |bodies| put(&mut bodies.traits, Traits { shape: 7, ..new_body().traits }),
        user_data: |bodies| bodies.user_data = vec![0, 1],
        wrench: |bodies| {
            let wrench = Wrench { force: Vec3::new(0.0, 1.0, 0.0), ..Wrench::ZERO };
            bodies.set_wrench(1, wrench).expect("memory");
        },
        surfaces: |bodies| {
            let linear = Vec3::new(0.0, 0.0, 1.0);
            bodies.surfaces.set(1, 2, SurfaceVelocity { linear, ..SurfaceVelocity::ZERO }).expect("memory");
        },
        asleep: |bodies| bodies.asleep[1] = true,
    } but { sequence, next_sequence, changes });
    every_change_shows(&changes, || bodies(2), |bodies, recorded| bodies.visit_state(recorded));
}

#[test]
fn every_member_of_a_body_is_visited() {
    let changes = members!(Motion {
        center: |motion| motion.center.x += 1.0,
        rotation: |motion| motion.rotation = Quat::from_axis_angle(&Vec3::x_axis(), 1.0),
        linear: |motion| motion.linear.y += 1.0,
        angular: |motion| motion.angular.z += 1.0,
    });
    every_change_shows(&changes, || new_body().motion, |motion, recorded| motion.visit_state(recorded));
    let changes = members!(Wrench { force: |wrench| wrench.force.x = -0.0, torque: |wrench| wrench.torque.z = 1.0 });
    every_change_shows(&changes, || Wrench::ZERO, |wrench, recorded| wrench.visit_state(recorded));
    fn in_slot<T: Bits>(change: fn(&mut T), value: T) -> T {
        let mut value = value;
        change(&mut value);
        value
    }
    let mut states = vec![("nothing".to_string(), state(&bodies(2)))];
    let changes = members!(Mass {
        mass: |mass| mass.mass += 1.0,
        center: |mass| mass.center.x += 1.0,
        inertia: |mass| mass.inertia.entries[5] += 1.0,
        inertia_inverse: |mass| mass.inertia_inverse.entries[0] += 1.0,
        inverse_mass: |mass| mass.inverse_mass.z += 1.0,
        free_rotation: |mass| mass.free_rotation[2] = false,
    });
    for (name, change) in changes {
        let mut bodies = bodies(2);
        put(&mut bodies.mass, in_slot(change, new_body().mass));
        states.push((name.to_string(), state(&bodies)));
    }
    let changes = members!(Traits {
        kind: |traits| traits.kind = Kind::Kinematic,
        lock: |traits| traits.lock = Lock(1),
        shape: |traits| traits.shape = 1,
        material: |traits| traits.material = 1,
        filter_category: |traits| traits.filter_category ^= 1,
        filter_mask: |traits| traits.filter_mask ^= 1,
        filter_group: |traits| traits.filter_group = -1,
        gravity_scale: |traits| traits.gravity_scale = 2.0,
        linear_damping: |traits| traits.linear_damping = 1.0,
        angular_damping: |traits| traits.angular_damping = 1.0,
    });
    for (name, change) in changes {
        let mut bodies = bodies(2);
        put(&mut bodies.traits, in_slot(change, new_body().traits));
        states.push((format!("traits: {name}"), state(&bodies)));
    }
    all_differ(&states);
}

/// Arrays that hold nothing yet are no state. Nor are the order of distinct values, changes that detection has seen, and reserved memory.
#[test]
fn what_leaves_no_trace_is_not_visited() {
    let before = state(&bodies(3));
    let mut other = bodies(3);
    other.set_wrench(2, Wrench { force: Vec3::repeat(1.0), ..Wrench::ZERO }).expect("memory");
    other.clear_wrench(2);
    other.user_data = vec![0; 3];
    other.changes.clear();
    other.reserve(&[new_body(); 9]).expect("memory");
    let own = other.mass[1];
    put(&mut other.mass, Mass { mass: 3.0, ..own });
    put(&mut other.mass, own);
    assert_eq!(state(&other), before);
}
