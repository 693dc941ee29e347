//! The coordinates of a joint: its position along each free axis, and the row of that velocity.
//!
//! | free turns | coordinates |
//! |---|---|
//! | one, about m | `2 atan2(p_m, p_w)`, its full turns counted by [`continued_turn`] |
//! | two, i in A and j in B | the angles of the two, as of a universal joint |
//! | three | the twist about z, and the angle between the z axes (the cone) |
//!
//! `p` is the quaternion of frame B seen from A. Rows are the exact derivatives, also where locked axes have errors.

use std::f64::consts::TAU;

use crate::joint::direction::Direction;
use crate::joint::geometry::Geometry;
use crate::joint::kind::JointKind;
use crate::joint::locks::{Locks, TurnLocks};
use crate::joint::row::JointRow;
use crate::math::Vec3;
use crate::math::elementary::atan2;

/// The cone has no row where the sine of its angle is below this: no direction leads outwards.
const MIN_SINE: f64 = 1e-8;

/// An angle has no row where the squared length of its pointer is below this: the pointer shows no direction.
const MIN_SQUARE: f64 = 1e-16;

/// A position along a free axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coordinate {
    /// The position [m]; of turns the angle from -pi to pi [rad].
    pub value: f64,
    /// The row of its velocity; `None` where the angle has no direction of growth.
    pub row: Option<JointRow>,
    /// Whether it is the angle of a cone: it has no lower bound, because a joint swings through 0 to the other side.
    pub is_cone: bool,
}

impl Coordinate {
    /// A coordinate of displacements.
    fn displacement(value: f64, row: JointRow) -> Self {
        Self { value, row: Some(row), is_cone: false }
    }

    /// A coordinate of turns with the gradient on the spin of B.
    fn turn(value: f64, gradient: Option<Vec3>) -> Self {
        Self { value, row: gradient.map(JointRow::turning), is_cone: false }
    }
}

/// Returns the coordinate of each axis, `None` of axes that the joint locks or does not have.
pub fn coordinates(geometry: &Geometry, kind: JointKind, locks: &Locks) -> [Option<Coordinate>; 6] {
    if kind == JointKind::Distance {
        let (length, row) = geometry.distance();
        let distance = Coordinate::displacement(length, row);
        return [Some(distance), None, None, None, None, None];
    }
    let [x, y, z] = Direction::ALL.map(|direction| displacement(geometry, locks, direction));
    let [about_x, about_y, about_z] = turns(geometry, locks);
    [x, y, z, about_x, about_y, about_z]
}

fn displacement(geometry: &Geometry, locks: &Locks, direction: Direction) -> Option<Coordinate> {
    let axis = geometry.axis_a(direction);
    let coordinate = Coordinate::displacement(axis.dot(&geometry.offset), geometry.row_along(&axis));
    (!direction.of(&locks.linear)).then_some(coordinate)
}

fn turns(geometry: &Geometry, locks: &Locks) -> [Option<Coordinate>; 3] {
    let two = |in_a, in_b| two_angles(geometry, in_a, in_b).map(Some);
    match locks.turns {
        TurnLocks::All => [None; 3],
        TurnLocks::AllBut(axis) => {
            let twist = twist(geometry, axis);
            Direction::ALL.map(|direction| (direction == axis).then_some(twist))
        }
        TurnLocks::One(Direction::X) => {
            let [y, z] = two(Direction::Y, Direction::Z);
            [None, y, z]
        }
        TurnLocks::One(Direction::Y) => {
            let [x, z] = two(Direction::X, Direction::Z);
            [x, None, z]
        }
        TurnLocks::One(Direction::Z) => {
            let [x, y] = two(Direction::X, Direction::Y);
            [x, y, None]
        }
        TurnLocks::None => [Some(cone(geometry)), None, Some(twist(geometry, Direction::Z))],
    }
}

/// Returns the twist about an axis m: `2 atan2(p_m, p_w)`.
///
/// With i, j, m in cyclic order its gradient is `a_m + [(p_w p_j + p_i p_m) a_i + (p_j p_m - p_w p_i) a_j] / (p_w^2 + p_m^2)`.
fn twist(geometry: &Geometry, axis: Direction) -> Coordinate {
    let (first, second) = (axis.next(), axis.next().next());
    let turn: [f64; 3] = geometry.turn.into();
    let [p_i, p_j, p_m] = [first, second, axis].map(|direction| direction.of(&turn));
    let p_w = geometry.turn_scalar;
    let square = p_w * p_w + p_m * p_m;
    let gradient = (square >= MIN_SQUARE).then(|| {
        let along_i = (p_w * p_j + p_i * p_m) / square;
        let along_j = (p_j * p_m - p_w * p_i) / square;
        geometry.axis_a(axis) + along_i * geometry.axis_a(first) + along_j * geometry.axis_a(second)
    });
    Coordinate::turn(2.0 * atan2(p_m, p_w), gradient)
}

/// Returns the angle between the z axes, from 0 to pi.
fn cone(geometry: &Geometry) -> Coordinate {
    let (a, b) = (geometry.axis_a(Direction::Z), geometry.axis_b(Direction::Z));
    let normal = a.cross(&b);
    let sine = normal.norm();
    let gradient = (sine >= MIN_SINE).then(|| normal / sine);
    Coordinate { is_cone: true, ..Coordinate::turn(atan2(sine, a.dot(&b)), gradient) }
}

/// Returns the angles of two free turns, the first one about an axis i of A and the second one about an axis j of B.
///
/// With k the third axis and e = -1 for x and z, else 1: `q_i = atan2(e a_k . b_j, a_j . b_j)`, `q_j = atan2(e a_i . b_k, a_i . b_i)`. With
/// `l = a_i . b_j`, the error of the locked turn, the gradients are `(a_i - l b_j) / (1 - l^2)` and `(b_j - l a_i) / (1 - l^2)`: the basis
/// dual to `a_i` and `b_j`. Where the error is 0 these are `a_i` and `b_j`.
fn two_angles(geometry: &Geometry, in_a: Direction, in_b: Direction) -> [Coordinate; 2] {
    let follows = in_a.next() == in_b;
    let third = if follows { in_b.next() } else { in_a.next() };
    let sign = if follows { 1.0 } else { -1.0 };
    let [a_i, a_j, a_k] = [in_a, in_b, third].map(|direction| geometry.axis_a(direction));
    let [b_i, b_j, b_k] = [in_a, in_b, third].map(|direction| geometry.axis_b(direction));
    let first = atan2(sign * a_k.dot(&b_j), a_j.dot(&b_j));
    let second = atan2(sign * a_i.dot(&b_k), a_i.dot(&b_i));
    let error = a_i.dot(&b_j);
    let square = a_i.cross(&b_j).norm_squared();
    let gradient = |own: Vec3, other: Vec3| (square >= MIN_SQUARE).then(|| (own - error * other) / square);
    [Coordinate::turn(first, gradient(a_i, b_j)), Coordinate::turn(second, gradient(b_j, a_i))]
}

/// Returns the angle with the full turns that bring it nearest to the angle before [rad].
///
/// The count is right as long as the joint turns by less than half a turn from one call to the next.
pub fn continued_turn(previous: f64, angle: f64) -> f64 {
    angle + TAU * ((previous - angle) / TAU).round()
}
