//! The rows that a joint locks, each with its error.
//!
//! The rows are the exact derivatives of the errors, also where the errors are large. With frames `a` and `b`, and `p` the quaternion of
//! frame B seen from A with `p_w >= 0`:
//!
//! | row | error | gradient on the spin of B |
//! |---|---|---|
//! | along `a_i` | `a_i . d` | |
//! | hinge with the axis `m`, in cyclic order i, j, m | `-a_j . b_m`; `a_i . b_m` | `a_j x b_m`; `b_m x a_i` |
//! | `i` fixed in A perpendicular to `j` fixed in B | as one of the two above | |
//! | all turns | `2 p_v` | rows of `(p_w I - [p_v]x) R_A^T` |
//! | distance | `abs(d) - L` | |

use crate::joint::direction::Direction;
use crate::joint::geometry::Geometry;
use crate::joint::kind::JointKind;
use crate::joint::locks::{Locks, TurnLocks};
use crate::joint::row::JointRow;
use crate::math::Vec3;

/// The most rows that a joint locks.
const MAX_ROWS: usize = 6;

/// A row that is locked, or locked to one side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LockedRow {
    /// The error `c`, whose time derivative is the velocity of the row [m], or [rad] for small turns.
    pub error: f64,
    /// The row.
    pub row: JointRow,
    /// The least impulse: minus infinity, or 0 for a strut.
    pub lower: f64,
    /// The largest impulse: infinity, or 0 for a rope.
    pub upper: f64,
    /// Whether the row is one of turns alone.
    pub is_turn: bool,
}

/// The rows of one joint, at most six.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LockedRows {
    rows: [LockedRow; MAX_ROWS],
    count: usize,
}

impl LockedRows {
    const EMPTY: Self = Self { rows: [LockedRow::two_sided(0.0, JointRow::ZERO, false); MAX_ROWS], count: 0 };

    /// Returns the rows: those along axes first, then those of turns.
    pub fn as_slice(&self) -> &[LockedRow] {
        self.rows.get(..self.count).unwrap_or_default()
    }

    /// Returns the rows, to be changed.
    pub fn as_mut_slice(&mut self) -> &mut [LockedRow] {
        self.rows.get_mut(..self.count).unwrap_or_default()
    }

    fn push(&mut self, row: LockedRow) {
        if let Some(place) = self.rows.get_mut(self.count) {
            *place = row;
            self.count += 1;
        }
    }

    fn add_turn_row(&mut self, error: f64, gradient: Vec3) {
        self.push(LockedRow::two_sided(error, JointRow::turning(gradient), true));
    }
}

impl LockedRow {
    /// Returns whether the row has no bounds.
    pub fn is_two_sided(&self) -> bool {
        self.lower == f64::NEG_INFINITY && self.upper == f64::INFINITY
    }

    const fn two_sided(error: f64, row: JointRow, is_turn: bool) -> Self {
        Self { error, row, lower: f64::NEG_INFINITY, upper: f64::INFINITY, is_turn }
    }
}

/// Returns the locked rows of a joint. A distance joint holds its distance between the two `lengths` [m]; others ignore them.
pub fn locked_rows(geometry: &Geometry, kind: JointKind, locks: &Locks, lengths: [f64; 2]) -> LockedRows {
    let mut rows = LockedRows::EMPTY;
    if kind == JointKind::Distance {
        add_distance(&mut rows, geometry, lengths);
        return rows;
    }
    for direction in Direction::ALL.into_iter().filter(|direction| direction.of(&locks.linear)) {
        let axis = geometry.axis_a(direction);
        rows.push(LockedRow::two_sided(axis.dot(&geometry.offset), geometry.row_along(&axis), false));
    }
    match locks.turns {
        TurnLocks::None => {}
        // One turn is free about an axis of A, the other one about an axis of B. These two stay perpendicular.
        TurnLocks::One(Direction::X) => add_hinge_first(&mut rows, geometry, Direction::Z),
        TurnLocks::One(Direction::Y) => add_hinge_second(&mut rows, geometry, Direction::Z),
        TurnLocks::One(Direction::Z) => add_hinge_first(&mut rows, geometry, Direction::Y),
        TurnLocks::AllBut(axis) => {
            add_hinge_first(&mut rows, geometry, axis);
            add_hinge_second(&mut rows, geometry, axis);
        }
        TurnLocks::All => add_all_turns(&mut rows, geometry),
    }
    rows
}

/// Adds the row of a rod, or those of a rope and of a strut.
fn add_distance(rows: &mut LockedRows, geometry: &Geometry, [shortest, longest]: [f64; 2]) {
    let (length, row) = geometry.distance();
    let row = |bound| LockedRow::two_sided(length - bound, row, false);
    if shortest == longest {
        rows.push(row(longest));
        return;
    }
    if longest < f64::INFINITY {
        rows.push(LockedRow { upper: 0.0, ..row(longest) });
    }
    if shortest > 0.0 {
        rows.push(LockedRow { lower: 0.0, ..row(shortest) });
    }
}

/// Adds the row of the turn about the direction after `axis`: it keeps the axis of B in the plane of A that this direction is normal to.
fn add_hinge_first(rows: &mut LockedRows, geometry: &Geometry, axis: Direction) {
    let (a, b) = (geometry.axis_a(axis.next().next()), geometry.axis_b(axis));
    rows.add_turn_row(-a.dot(&b), a.cross(&b));
}

/// Adds the row of the turn about the direction before `axis`.
fn add_hinge_second(rows: &mut LockedRows, geometry: &Geometry, axis: Direction) {
    let (a, b) = (geometry.axis_a(axis.next()), geometry.axis_b(axis));
    rows.add_turn_row(a.dot(&b), b.cross(&a));
}

/// Adds the rows of all turns. Their errors are the components of `2 p_v`, the sine of half the angle times two.
fn add_all_turns(rows: &mut LockedRows, geometry: &Geometry) {
    let Geometry { axes_a: [x, y, z], turn, turn_scalar, .. } = geometry;
    // p_v in world axes
    let turned = x * turn.x + y * turn.y + z * turn.z;
    for direction in Direction::ALL {
        let axis = geometry.axis_a(direction);
        let gradient = *turn_scalar * axis + turned.cross(&axis);
        rows.add_turn_row(2.0 * axis.dot(&turned), gradient);
    }
}
