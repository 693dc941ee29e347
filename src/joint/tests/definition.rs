use crate::error::ErrorKind;
use crate::joint::{JointDefinition, JointKind};
use crate::math::{Quat, Vec3};

type Change = fn(&mut JointDefinition, f64);

fn refusal(kind: JointKind, change: impl Fn(&mut JointDefinition)) -> (ErrorKind, String) {
    let mut definition = JointDefinition::new(kind);
    change(&mut definition);
    let error = definition.check().expect_err("a wrong member");
    (error.kind, error.message)
}

#[test]
fn the_default_of_each_kind_is_rigid_and_never_breaks() {
    for kind in JointKind::ALL {
        let definition = JointDefinition::new(kind);
        let [a, b] = definition.check().expect("the default");
        assert_eq!((a.point, a.rotation), (Vec3::zeros(), Quat::identity()));
        assert_eq!(a, b);
        assert_eq!((definition.kind, definition.collide), (kind, false));
        assert_eq!((definition.compliance_of(false), definition.compliance_of(true)), ([0.0; 2], [0.0; 2]));
        assert_eq!([definition.break_force, definition.break_torque, definition.break_impulse], [0.0; 3]);
        assert_eq!(definition.lengths(), [0.0, f64::INFINITY]);
    }
}

#[test]
fn each_number_that_is_not_finite_is_refused_by_its_name() {
    let members: [(&str, Change); 15] = [
        ("point_a[0]", |d, x| d.point_a[0] = x),
        ("point_a[2]", |d, x| d.point_a[2] = x),
        ("rotation_a[0]", |d, x| d.rotation_a[0] = x),
        ("rotation_a[3]", |d, x| d.rotation_a[3] = x),
        ("point_b[0]", |d, x| d.point_b[0] = x),
        ("point_b[2]", |d, x| d.point_b[2] = x),
        ("rotation_b[0]", |d, x| d.rotation_b[0] = x),
        ("rotation_b[3]", |d, x| d.rotation_b[3] = x),
        ("length_min", |d, x| d.length_min = x),
        ("linear_compliance", |d, x| d.linear_compliance = x),
        ("angular_compliance", |d, x| d.angular_compliance = x),
        ("relaxation", |d, x| d.relaxation = x),
        ("break_force", |d, x| d.break_force = x),
        ("break_torque", |d, x| d.break_torque = x),
        ("break_impulse", |d, x| d.break_impulse = x),
    ];
    for (name, change) in members {
        for (value, shown) in [(f64::NAN, "NaN"), (f64::INFINITY, "inf"), (f64::NEG_INFINITY, "-inf")] {
            let message = format!("{name} is {shown}, expected a finite number");
            assert_eq!(refusal(JointKind::Ball, |d| change(d, value)), (ErrorKind::NotFinite, message));
        }
    }
    // The largest length may be infinite.
    for (value, shown) in [(f64::NAN, "NaN"), (f64::NEG_INFINITY, "-inf")] {
        let message = format!("length_max is {shown}, expected a finite number");
        assert_eq!(refusal(JointKind::Distance, |d| d.length_max = value), (ErrorKind::NotFinite, message));
    }
}

#[test]
fn each_number_below_0_is_refused_by_its_name() {
    let members: [(&str, Change); 7] = [
        ("length_min", |d, x| d.length_min = x),
        ("linear_compliance", |d, x| d.linear_compliance = x),
        ("angular_compliance", |d, x| d.angular_compliance = x),
        ("relaxation", |d, x| d.relaxation = x),
        ("break_force", |d, x| d.break_force = x),
        ("break_torque", |d, x| d.break_torque = x),
        ("break_impulse", |d, x| d.break_impulse = x),
    ];
    for (name, change) in members {
        let message = format!("{name} is -1, expected 0 or a number above it");
        assert_eq!(refusal(JointKind::Fixed, |d| change(d, -1.0)), (ErrorKind::Argument, message));
    }
}

#[test]
fn rods_ropes_and_struts_have_their_lengths() {
    let check = |shortest: f64, longest: f64| {
        let definition =
            JointDefinition { length_min: shortest, length_max: longest, ..JointDefinition::new(JointKind::Distance) };
        definition.check().map(|_| ()).map_err(|error| error.message)
    };
    for (shortest, longest) in [(2.0, 2.0), (0.0, 2.0), (2.0, f64::INFINITY), (1.0, 2.0), (0.0, f64::INFINITY)] {
        assert_eq!(check(shortest, longest), Ok(()), "{shortest} {longest}");
    }
    let refused = [
        (2.0, 1.0, "length_max is 1, expected at least length_min, which is 2"),
        (0.0, 0.0, "length_max is 0, expected a number above 0"),
        (0.0, -1.0, "length_max is -1, expected a number above 0"),
    ];
    for (shortest, longest, message) in refused {
        assert_eq!(check(shortest, longest), Err(message.to_string()));
    }
}

#[test]
fn quaternions_are_normalised_or_refused() {
    for (name, change) in [
        ("rotation_a", (|d, q| d.rotation_a = q) as fn(&mut JointDefinition, [f64; 4])),
        ("rotation_b", |d, q| {
            d.rotation_b = q;
        }),
    ] {
        let (kind, message) = refusal(JointKind::Hinge, |d| change(d, [0.0, 0.0, 0.0, 2.0]));
        assert_eq!(kind, ErrorKind::Argument);
        assert_eq!(message, format!("the length of {name} is 2, expected 1 within 1e-6"));
        let mut definition = JointDefinition::new(JointKind::Hinge);
        change(&mut definition, [0.0, 1.0 + 5e-7, 0.0, 0.0]);
        let [a, b] = definition.check().expect("nearly of unit length");
        // Half a turn about y, given as x, y, z, w.
        let rotation = if name == "rotation_a" { a.rotation } else { b.rotation };
        assert!((rotation * Vec3::x() + Vec3::x()).norm() <= 1e-15, "{rotation:?}");
        assert!((rotation.norm() - 1.0).abs() <= 1e-15);
    }
}

#[test]
fn rows_of_turns_have_their_own_compliance() {
    let definition = JointDefinition {
        linear_compliance: 1.0,
        angular_compliance: 2.0,
        relaxation: 3.0,
        ..JointDefinition::new(JointKind::Fixed)
    };
    assert_eq!((definition.compliance_of(false), definition.compliance_of(true)), ([1.0, 3.0], [2.0, 3.0]));
}
