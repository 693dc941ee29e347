//! Warm starting: what the impulses are before the first sweep, [W] section 3.
//!
//! A remembered impulse must be applied to the velocities too; otherwise the start is worse than a cold one.

use crate::math::{BodyRow, ContactId, Vec3};
use crate::solver::problem::{Impulse, Impulses, Jacobian, Problem, Velocity};

/// How the impulses given to the solver are used.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Start {
    /// Not at all: from zero.
    Zero,
    /// Times this factor.
    History(f64),
    /// Normal impulses alone, times this factor.
    Normals(f64),
    /// Times this factor, without applying them to the velocities: shows that it fails.
    WithoutVelocity(f64),
    /// Times one factor from 0 to 1, which minimises the dual energy along them: never worse than zero.
    Guarded,
}

impl Start {
    /// The factors on remembered impulses along the normals, and on all others; none where they depend on all of these.
    pub fn factors(&self) -> Option<[f64; 2]> {
        match *self {
            Self::Zero => Some([0.0; 2]),
            Self::History(factor) | Self::WithoutVelocity(factor) => Some([factor; 2]),
            Self::Normals(factor) => Some([factor, 0.0]),
            Self::Guarded => None,
        }
    }

    /// Turns remembered impulses into the ones to start from.
    pub fn prepare(&self, problem: &Problem, impulses: &mut Impulses, scratch: &mut [Velocity]) {
        match *self {
            Self::Zero => scale(impulses, 0.0),
            Self::History(factor) | Self::WithoutVelocity(factor) => scale(impulses, factor),
            Self::Normals(factor) => {
                for impulse in &mut impulses.contacts {
                    *impulse = Impulse::force(factor * impulse.normal, Vec3::zeros());
                }
                impulses.torques.fill(Vec3::zeros());
                for (lambda, row) in impulses.rows.iter_mut().zip(problem.rows) {
                    *lambda *= if row.friction_row.is_some() { 0.0 } else { factor };
                }
            }
            Self::Guarded => {
                let factor = guarded_factor(problem, impulses, scratch);
                scale(impulses, factor);
            }
        }
    }
}

fn scale(impulses: &mut Impulses, factor: f64) {
    if factor == 0.0 {
        // a remembered impulse may be no finite number
        impulses.contacts.fill(Impulse::ZERO);
        impulses.torques.fill(Vec3::zeros());
        impulses.rows.fill(0.0);
    } else if factor != 1.0 {
        impulses.contacts.iter_mut().for_each(|impulse| *impulse = impulse.scaled(factor));
        impulses.torques.iter_mut().for_each(|torque| *torque *= factor);
        impulses.rows.iter_mut().for_each(|lambda| *lambda *= factor);
    }
}

/// `clamp(-(b . lambda) / (lambda . D lambda), 0, 1)` with `b = G vhat + bias`: the minimum of the dual energy along
/// the remembered impulses. `scratch` holds one velocity for each body.
fn guarded_factor(problem: &Problem, impulses: &Impulses, scratch: &mut [Velocity]) -> f64 {
    change_of_velocity(problem, impulses, scratch);
    let (mut slope, mut curvature) = (0.0, 0.0);
    let zero = Velocity::ZERO;
    for (index, (contact, impulse)) in problem.contacts.iter().zip(&impulses.contacts).enumerate() {
        let (torque, optional) = (impulses.torque(index.into()), problem.optional_terms(index.into()));
        let (a, b) = (contact.body_a, contact.body_b);
        let vector = impulse.vector(&contact.normal);
        let (free_a, free_b) = (problem.free_velocity(a), problem.free_velocity(b));
        let (bias_n, bias_t) = contact.defect(&contact.relative_velocity(free_a, free_b), &Impulse::ZERO, optional);
        slope += vector.dot(&(bias_n * contact.normal + bias_t));
        slope += torque.dot(&(free_b.angular - free_a.angular));
        let change_a = scratch.get(a.index()).unwrap_or(&zero);
        let change_b = scratch.get(b.index()).unwrap_or(&zero);
        curvature += vector.dot(&contact.relative_velocity(change_a, change_b))
            + torque.dot(&(change_b.angular - change_a.angular))
            + optional.normal_compliance * impulse.normal * impulse.normal
            + optional.tangential_compliance * impulse.tangential.norm_squared()
            + optional.turning_compliance * torque.norm_squared();
    }
    for (row, lambda) in problem.rows.iter().zip(&impulses.rows) {
        let along = |a: &Velocity, b: &Velocity| row.jacobian_a.dot(a) + row.jacobian_b.dot(b);
        slope += lambda * (along(problem.free_velocity(row.body_a), problem.free_velocity(row.body_b)) - row.rhs);
        let change_a = scratch.get(row.body_a.index()).unwrap_or(&zero);
        let change_b = scratch.get(row.body_b.index()).unwrap_or(&zero);
        curvature += lambda * (along(change_a, change_b) + row.compliance * lambda);
    }
    if curvature > 0.0 { (-slope / curvature).clamp(0.0, 1.0) } else { 0.0 }
}

/// `M^-1 G^T lambda`, into `change`.
fn change_of_velocity(problem: &Problem, impulses: &Impulses, change: &mut [Velocity]) {
    change.fill(Velocity::ZERO);
    let mut push = |body: BodyRow, Velocity { linear, angular }| {
        if let Some(change) = change.get_mut(body.index()) {
            problem.mass(body).apply(change, &linear, &angular);
        }
    };
    for (index, contact) in ContactId::range(0..problem.contacts.len()).zip(problem.contacts) {
        let [on_a, on_b] = contact.on_bodies(&impulses.wrench(index));
        push(contact.body_a, on_a);
        push(contact.body_b, on_b);
    }
    for (row, lambda) in problem.rows.iter().zip(&impulses.rows) {
        for (body, Jacobian { linear, angular }) in [(row.body_a, row.jacobian_a), (row.body_b, row.jacobian_b)] {
            push(body, Velocity { linear: *lambda * linear, angular: *lambda * angular });
        }
    }
}
