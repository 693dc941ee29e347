//! Tests of this room, one file for each source. What hosts see is tested by real hosts, in `tests/c`.

mod debts;
mod local_problem;
mod saved;
mod solver;
mod warm_start;

use crate::math::{BodyRow, Symmetric3, Vec3};
use crate::solver::problem::Jacobian;
use crate::solver::{Contact, MassInverse, Row, Velocity};
use crate::world::external::ContactProblem;

/// A ball of radius 1 and mass 1 on the fixed world, with the velocity `down` along -z and no other, and with one
/// row.
fn ball(contact_key: u64, row_key: u64, down: f64) -> ContactProblem {
    let (zero, up) = (Vec3::zeros(), Vec3::z());
    ContactProblem {
        step: 0.01,
        masses: vec![MassInverse { linear: Vec3::repeat(1.0), angular: Symmetric3::diagonal([2.5; 3]) }],
        velocities: vec![Velocity { linear: -down * up, angular: zero }],
        contacts: vec![Contact {
            body_a: BodyRow::NONE,
            body_b: BodyRow(0),
            normal: up,
            arm_a: zero,
            arm_b: -up,
            normal_bias: 0.0,
            friction: 0.5,
        }],
        optional: vec![],
        contact_keys: vec![contact_key],
        stiffness: vec![0.0],
        rows: vec![Row {
            body_a: BodyRow::NONE,
            body_b: BodyRow(0),
            jacobian_a: Jacobian::ZERO,
            jacobian_b: Jacobian { linear: Vec3::x(), angular: zero },
            rhs: 0.0,
            compliance: 0.0,
            lower: -1.0,
            upper: 1.0,
            friction_row: None,
            ball: None,
        }],
        row_keys: vec![row_key],
    }
}
