use crate::body::{Definition, Kind, Lock};
use crate::error;
use crate::math::{Quat, Vec3, unit_quaternion};
use proptest::prelude::*;

fn refusal(definition: &Definition) -> (error::ErrorKind, String) {
    let error = definition.check().expect_err("a wrong number");
    (error.kind, error.message)
}

#[test]
fn the_default_is_a_free_dynamic_body_that_collides_with_all() {
    let definition = Definition::default();
    assert_eq!(definition.check(), Ok(()));
    assert_eq!((definition.kind, definition.lock), (Kind::Dynamic, Lock(0)));
    assert_eq!((definition.filter_category, definition.filter_mask, definition.filter_group), (1, u32::MAX, 0));
    assert_eq!(definition.gravity_scale, 1.0);
    assert_eq!(definition.mass, 0.0);
}

#[test]
fn each_number_that_is_not_finite_is_refused_by_its_name() {
    type Place = fn(&mut Definition) -> &mut f64;
    let places: [(&str, Place); 16] = [
        ("position[0]", |d| &mut d.position[0]),
        ("position[2]", |d| &mut d.position[2]),
        ("rotation[0]", |d| &mut d.rotation[0]),
        ("rotation[3]", |d| &mut d.rotation[3]),
        ("linear_velocity[0]", |d| &mut d.linear_velocity[0]),
        ("linear_velocity[2]", |d| &mut d.linear_velocity[2]),
        ("angular_velocity[0]", |d| &mut d.angular_velocity[0]),
        ("angular_velocity[2]", |d| &mut d.angular_velocity[2]),
        ("mass", |d| &mut d.mass),
        ("center_of_mass[0]", |d| &mut d.center_of_mass[0]),
        ("center_of_mass[2]", |d| &mut d.center_of_mass[2]),
        ("inertia[0]", |d| &mut d.inertia[0]),
        ("inertia[5]", |d| &mut d.inertia[5]),
        ("gravity_scale", |d| &mut d.gravity_scale),
        ("linear_damping", |d| &mut d.linear_damping),
        ("angular_damping", |d| &mut d.angular_damping),
    ];
    for (name, place) in places {
        for (value, shown) in [(f64::NAN, "NaN"), (f64::INFINITY, "inf"), (f64::NEG_INFINITY, "-inf")] {
            let mut definition = Definition::default();
            *place(&mut definition) = value;
            let message = format!("{name} is {shown}, expected a finite number");
            assert_eq!(refusal(&definition), (error::ErrorKind::NotFinite, message));
        }
    }
}

#[test]
fn each_number_out_of_range_is_refused_by_its_name() {
    let default = Definition::default();
    let below = |name: &str| format!("{name} is -1, expected 0 or a number above it");
    let wrong = [
        (Definition { mass: -1.0, ..default }, below("mass")),
        (Definition { linear_damping: -1.0, ..default }, below("linear_damping")),
        (Definition { angular_damping: -1.0, ..default }, below("angular_damping")),
        (Definition { lock: Lock(64), ..default }, "lock is 0x40, expected DRY_LOCK_ bits alone".into()),
        (Definition { lock: Lock(0x8000_003f), ..default }, "lock is 0x8000003f, expected DRY_LOCK_ bits alone".into()),
        (
            Definition { rotation: [0.0, 0.0, 0.0, 2.0], ..default },
            "the length of rotation is 2, expected 1 within 1e-6".into(),
        ),
        (Definition { rotation: [0.0; 4], ..default }, "the length of rotation is 0, expected 1 within 1e-6".into()),
    ];
    for (definition, message) in wrong {
        assert_eq!(refusal(&definition), (error::ErrorKind::Argument, message));
    }
}

#[test]
fn what_lies_on_the_edge_of_its_range_is_taken() {
    let edge = Definition {
        lock: Lock(Lock::ALL),
        gravity_scale: -2.0,
        linear_damping: 0.0,
        center_of_mass: [1e3; 3],
        ..Definition::default()
    };
    assert_eq!(edge.check(), Ok(()));
}

#[test]
fn an_inertia_that_no_body_has_is_refused() {
    // Negative, zero along an axis, and products larger than the moments allow: xy^2 = 4 > 1 * 1.
    for inertia in [[-1.0, 1.0, 1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 2.0, 0.0, 0.0]] {
        let message = format!("inertia is {inertia:?}, expected a positive definite matrix");
        assert_eq!(
            refusal(&Definition { mass: 1.0, inertia, ..Definition::default() }),
            (error::ErrorKind::Argument, message)
        );
    }
}

#[test]
fn an_inertia_beyond_the_triangle_inequality_is_refused() {
    let refused = [[10.0, 1.0, 1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 2.0001, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 0.6, 0.0, 0.0]];
    for inertia in refused {
        let (kind, message) = refusal(&Definition { mass: 1.0, inertia, ..Definition::default() });
        assert_eq!(kind, error::ErrorKind::Argument);
        assert!(message.starts_with("inertia is [") && message.contains("above the sum of the other two"), "{message}");
    }
    // A thin plate has equality, in single precision not quite.
    for inertia in [[1.0, 1.0, 2.0, 0.0, 0.0, 0.0], [f64::from(0.1_f32), 0.1, 0.2, 0.0, 0.0, 0.0]] {
        assert_eq!(Definition { mass: 1.0, inertia, ..Definition::default() }.check(), Ok(()));
    }
}

#[test]
fn an_inertia_without_a_mass_is_refused() {
    let definition = Definition { inertia: [1.0, 1.0, 1.0, 0.0, 0.0, 0.0], ..Definition::default() };
    let (kind, message) = refusal(&definition);
    assert_eq!(kind, error::ErrorKind::Argument);
    assert_eq!(
        message,
        "inertia is [1.0, 1.0, 1.0, 0.0, 0.0, 0.0] while mass is 0, expected a mass above 0 or an inertia of zeros"
    );
}

#[test]
fn each_lock_bit_locks_its_component() {
    for bits in 0..=Lock::ALL {
        let lock = Lock(bits);
        let free: Vec<bool> = lock.free_translation().into_iter().chain(lock.free_rotation()).collect();
        let expected: Vec<bool> = (0..6).map(|bit| bits >> bit & 1 == 0).collect();
        assert_eq!(free, expected, "{bits:#b}");
    }
}

#[test]
fn a_quaternion_is_given_as_x_y_z_w() {
    // Half a turn about y.
    let rotation = unit_quaternion("rotation", &[0.0, 1.0, 0.0, 0.0]).expect("of unit length");
    assert_eq!(rotation * Vec3::x(), -Vec3::x());
    assert_eq!(unit_quaternion("rotation", &[0.0, 0.0, 0.0, 1.0]), Ok(Quat::identity()));
}

#[test]
fn a_quaternion_is_refused_beyond_a_millionth_of_unit_length() {
    for (w, taken) in [(1.0 + 0.9e-6, true), (1.0 - 0.9e-6, true), (1.0 + 1.1e-6, false), (1.0 - 1.1e-6, false)] {
        let result = unit_quaternion("turn", &[0.0, 0.0, 0.0, w]);
        assert_eq!(result.is_ok(), taken, "{w}");
        if let Err(error) = result {
            assert_eq!(error.message, format!("the length of turn is {w}, expected 1 within 1e-6"));
        }
    }
    // Squares that overflow are no unit length either.
    assert!(unit_quaternion("turn", &[1e200, 0.0, 0.0, 0.0]).is_err());
}

proptest! {
    #[test]
    fn a_quaternion_nearly_of_unit_length_is_normalised(
        direction in proptest::array::uniform4(-1.0..1.0f64),
        length in 1.0 - 0.9e-6..1.0 + 0.9e-6f64,
    ) {
        let norm = direction.iter().map(|x| x * x).sum::<f64>().sqrt();
        prop_assume!(norm > 0.1);
        let xyzw = direction.map(|x| length * x / norm);
        let rotation = unit_quaternion("rotation", &xyzw).expect("nearly of unit length");
        // The sum of four squares, a root and a quotient.
        prop_assert!((rotation.norm() - 1.0).abs() <= 4.0 * f64::EPSILON);
        for (kept, given) in rotation.coords.iter().zip(direction) {
            prop_assert!((kept - given / norm).abs() <= 4.0 * f64::EPSILON);
        }
    }
}
