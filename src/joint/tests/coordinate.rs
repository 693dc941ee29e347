use std::f64::consts::{PI, TAU};

use crate::joint::tests::{Sides, assert_derivatives, kinds, samples};
use crate::joint::{
    AxisMode, Coordinate, Direction, Geometry, JointKind, JointRow, Locks, TurnLocks, continued_turn, coordinates,
};
use crate::math::{Quat, Vec3, turned_by};

fn of(geometry: &Geometry, kind: JointKind) -> [Option<Coordinate>; 6] {
    coordinates(geometry, kind, &Locks::new(kind, &[AxisMode::Free; 6]))
}

fn value(coordinates: &[Option<Coordinate>; 6], axis: usize) -> f64 {
    coordinates[axis].map_or(f64::NAN, |coordinate| coordinate.value)
}

fn axis_vector(direction: Direction) -> Vec3 {
    let mut vector = Vec3::zeros();
    vector[direction.number()] = 1.0;
    vector
}

#[test]
fn rows_are_the_derivatives_of_coordinates() {
    for (kind, locks) in kinds() {
        for sides in samples() {
            let values = |geometry: &Geometry| -> Vec<(f64, JointRow)> {
                let all = coordinates(geometry, kind, &locks);
                all.iter().flatten().map(|q| (q.value, q.row.expect("no degenerate frames"))).collect()
            };
            // The truncation of the differences is 1e-10 times the third derivatives, at most 20 for the bent frames.
            assert_derivatives(&format!("{kind:?} {locks:?}"), &sides, values, 1e-8);
        }
    }
}

/// A single free turn about each axis by each angle.
#[test]
fn one_free_turn_is_its_angle() {
    for direction in Direction::ALL {
        let locks = Locks { linear: [true; 3], turns: TurnLocks::AllBut(direction) };
        for angle in [-3.1, -2.0, -0.3, 0.0, 1e-9, 0.7, 1.6, 3.1] {
            let geometry = Sides::new(Vec3::zeros(), angle * axis_vector(direction)).geometry();
            let all = coordinates(&geometry, JointKind::General, &locks);
            let found = value(&all, 3 + direction.number());
            // Two rotations, a quotient and an arc tangent.
            assert!((found - angle).abs() <= 1e-15 * (1.0 + 4.0 * angle.abs()), "{direction:?}: {found}, not {angle}");
            assert_eq!(all.iter().flatten().count(), 1);
        }
    }
}

/// Two free turns, the first one about an axis of A, the second one about an axis that turns with B. Where the third
/// turn has no error, the coordinates are the two angles and the rows are the two axes.
#[test]
fn two_free_turns_are_their_angles() {
    let pairs =
        [(Direction::X, Direction::Y, 'z'), (Direction::Y, Direction::Z, 'x'), (Direction::X, Direction::Z, 'y')];
    for (in_a, in_b, locked) in pairs {
        let [about_x, about_y, about_z] = ['x', 'y', 'z'].map(|name| name == locked);
        let locks = Locks { linear: [true; 3], turns: TurnLocks::new([about_x, about_y, about_z]) };
        for (first, second) in [(0.3, -0.2), (-2.9, 0.4), (1.2, 2.5), (0.0, -3.0)] {
            let turn: Quat = turned_by(&(first * axis_vector(in_a))) * turned_by(&(second * axis_vector(in_b)));
            let mut sides = Sides::new(Vec3::zeros(), Vec3::zeros());
            sides.b.rotation = sides.a.rotation * turn;
            let geometry = sides.geometry();
            let all = coordinates(&geometry, JointKind::General, &locks);
            let found = [value(&all, 3 + in_a.number()), value(&all, 3 + in_b.number())];
            // Three rotations of unit vectors, and the arc tangent.
            assert!((found[0] - first).abs() <= 4e-15, "{locked}: {found:?}, not {first}");
            assert!((found[1] - second).abs() <= 4e-15, "{locked}: {found:?}, not {second}");
            let axes = [geometry.axis_a(in_a), geometry.axis_b(in_b)];
            for (axis, number) in axes.iter().zip([in_a, in_b]) {
                let row = all[3 + number.number()].and_then(|q| q.row).expect("a row");
                assert!((row.b.angular - axis).norm() <= 4e-15, "{locked}: {row:?}, not {axis:?}");
            }
            assert_eq!(all.iter().flatten().count(), 2);
        }
    }
}

/// A ball that bends by 0.5 rad about an axis across z and then twists by 0.8 rad about z of B: the twist is 0.8 and the cone 0.5.
#[test]
fn a_ball_has_a_twist_and_a_cone() {
    for bend in [Vec3::new(0.3, -0.4, 0.0), Vec3::new(0.0, 0.5, 0.0)] {
        let mut sides = Sides::new(Vec3::zeros(), Vec3::zeros());
        sides.b.rotation = sides.a.rotation * turned_by(&bend) * turned_by(&Vec3::new(0.0, 0.0, 0.8));
        let all = of(&sides.geometry(), JointKind::Ball);
        assert!((value(&all, 5) - 0.8).abs() <= 2e-15, "{all:?}");
        assert!((value(&all, 3) - 0.5).abs() <= 2e-15, "{all:?}");
        assert!(all[4].is_none());
        assert_eq!([3, 5].map(|axis| all[axis].map(|q| q.is_cone)), [Some(true), Some(false)]);
    }
}

#[test]
fn displacements_are_along_the_axes_of_a() {
    let sides = Sides::new(Vec3::new(0.6, -0.48, 0.64), Vec3::new(0.1, 0.2, 0.0));
    let expected = sides.a.rotation.conjugate() * Vec3::new(0.6, -0.48, 0.64);
    let all = of(&sides.geometry(), JointKind::Planar);
    assert!((value(&all, 0) - expected.x).abs() <= 1e-15 && (value(&all, 1) - expected.y).abs() <= 1e-15, "{all:?}");
    let all = of(&sides.geometry(), JointKind::Slider);
    assert!((value(&all, 2) - expected.z).abs() <= 1e-15, "{all:?}");
    let all = of(&sides.geometry(), JointKind::Distance);
    // 0.36 + 0.2304 + 0.4096 = 1.
    assert!((value(&all, 0) - 1.0).abs() <= 1e-15, "{all:?}");
}

/// Where z of B is along z of A or against it, the cone opens in no direction. Just beside it has one.
#[test]
fn a_straight_cone_has_no_row() {
    for (bend, angle, has_row) in [(0.0, 0.0, false), (PI, PI, false), (5e-9, 5e-9, false), (2e-8, 2e-8, true)] {
        let geometry = Sides::new(Vec3::zeros(), Vec3::new(bend, 0.0, 0.0)).geometry();
        let cone = of(&geometry, JointKind::Ball)[3].expect("a cone");
        assert!((cone.value - angle).abs() <= 1e-15, "{cone:?}");
        assert_eq!(cone.row.is_some(), has_row, "{bend}");
    }
}

/// After half a turn about an axis across z, `p_w` and `p_z` vanish and there is no twist.
#[test]
fn a_twist_that_points_nowhere_has_no_row() {
    for (bend, has_row) in [(PI, false), (PI - 1e-8, false), (PI - 1e-7, true)] {
        let geometry = Sides::new(Vec3::zeros(), Vec3::new(bend, 0.0, 0.0)).geometry();
        let twist = of(&geometry, JointKind::Ball)[5].expect("a twist");
        assert!(twist.value.is_finite());
        // p_w is half of what is missing to half a turn: 5e-9, whose square is below 1e-16, and 5e-8.
        assert_eq!(twist.row.is_some(), has_row, "{bend}");
    }
}

/// A universal joint whose y of B is along x of A.
#[test]
fn a_universal_joint_that_folded_has_no_rows() {
    let geometry = Sides::new(Vec3::zeros(), Vec3::new(0.0, 0.0, -PI / 2.0)).geometry();
    let all = of(&geometry, JointKind::Universal);
    assert!(all.iter().flatten().all(|q| q.row.is_none() && q.value.is_finite()), "{all:?}");
}

#[test]
fn turns_are_counted_as_long_as_they_are_less_than_half_a_turn() {
    assert_eq!(continued_turn(0.0, 0.5), 0.5);
    assert_eq!(continued_turn(0.5, -0.5), -0.5);
    // From just below half a turn to just above it.
    assert!((continued_turn(3.0, -3.0) - (TAU - 3.0)).abs() <= 1e-15);
    assert!((continued_turn(-3.0, 3.0) - (3.0 - TAU)).abs() <= 1e-15);
    // A wheel that turns ten times, by 0.1 rad from one call to the next, forwards and backwards.
    for sign in [1.0, -1.0] {
        let mut counted = 0.0;
        for step in 1..=629 {
            let exact = sign * 0.1 * f64::from(step);
            let geometry = Sides::new(Vec3::zeros(), Vec3::new(0.0, 0.0, exact)).geometry();
            counted = continued_turn(counted, value(&of(&geometry, JointKind::Hinge), 5));
            // Sines and cosines of angles up to 63 rad.
            assert!((counted - exact).abs() <= 4e-14, "{counted}, not {exact}");
        }
    }
}
