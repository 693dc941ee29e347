use crate::math::{Mat3, Pose, Quat, Vec3};
use crate::shape::moments::{MassProperties, Moments};

#[test]
fn moments_become_mass_properties_and_come_back() {
    let body =
        MassProperties::centred(2.0, [3.0, 4.0, 5.0]).placed(&Pose::new(Vec3::new(1.0, -2.0, 0.5), Quat::identity()));
    let back = Moments::of(&body).properties(&Vec3::zeros());
    assert!((back.center - body.center).norm() < 1e-15);
    assert!((back.inertia.to_matrix() - body.inertia.to_matrix()).amax() < 1e-14);
}

#[test]
fn moving_and_enlarging_is_what_it_is_for_a_box() {
    // The unit cube about its centre, twice as large, moved by (1, 2, 3).
    let cube = Moments { volume: 1.0, first: Vec3::zeros(), second: Mat3::identity() / 12.0 };
    let shift = Vec3::new(1.0, 2.0, 3.0);
    let moved = cube.moved(2.0, &shift);
    assert_eq!((moved.volume, moved.first), (8.0, shift * 8.0));
    let expected = Mat3::identity() * (32.0 / 12.0) + shift * shift.transpose() * 8.0;
    assert!((moved.second - expected).amax() < 1e-14);
}

#[test]
fn two_halves_make_a_whole() {
    let half = |x: f64| {
        MassProperties::centred(4.0, [4.0 * 8.0 / 12.0, 4.0 * 5.0 / 12.0, 4.0 * 5.0 / 12.0])
            .placed(&Pose::new(Vec3::new(1e6 + x, 0.0, 0.0), Quat::identity()))
    };
    // Boxes 1 x 2 x 2 side by side are a cube of edge 2, far from the origin.
    let whole = MassProperties::sum(&[half(-0.5), half(0.5)]);
    assert_eq!((whole.volume, whole.mass, whole.center), (8.0, 8.0, Vec3::new(1e6, 0.0, 0.0)));
    let moment = 8.0 * 8.0 / 12.0;
    for (found, expected) in whole.inertia.entries.iter().zip([moment, moment, moment, 0.0, 0.0, 0.0]) {
        assert!((found - expected).abs() < 1e-14, "{found} against {expected}");
    }
}
