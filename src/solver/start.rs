//! Warm starting: what the impulses are before the first sweep, [W] section 3.
//!
//! A remembered impulse must act on the velocities too; without that the start is worse than none.

use crate::solver::problem::{Impulse, Problem, Velocity};

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
    /// Times the factor that minimises the energy along them, between 0 and 1: never worse than zero.
    Guarded,
}

impl Start {
    /// Turns remembered impulses into the ones to start from.
    pub fn prepare(&self, problem: &Problem, impulses: &mut [Impulse], scratch: &mut [Velocity]) {
        match *self {
            Self::Zero => impulses.fill(Impulse::ZERO),
            Self::History(factor) | Self::WithoutVelocity(factor) => scale(impulses, factor),
            Self::Normals(factor) => {
                for impulse in impulses {
                    *impulse = Impulse { normal: factor * impulse.normal, ..Impulse::ZERO };
                }
            }
            Self::Guarded => {
                let factor = guarded_factor(problem, impulses, scratch);
                scale(impulses, factor);
            }
        }
    }
}

fn scale(impulses: &mut [Impulse], factor: f64) {
    if factor != 1.0 {
        for impulse in impulses {
            *impulse = impulse.scaled(factor);
        }
    }
}

/// `clamp(-(b . lambda) / (lambda . D lambda), 0, 1)` with `b = G vhat + bias`: the minimum of the dual energy along
/// the remembered impulses. `scratch` holds one velocity for each body.
fn guarded_factor(problem: &Problem, impulses: &[Impulse], scratch: &mut [Velocity]) -> f64 {
    scratch.fill(Velocity::ZERO);
    for (contact, impulse) in problem.contacts.iter().zip(impulses) {
        let vector = impulse.vector(&contact.normal);
        for (body, sign, arm) in [(contact.body_a, -1.0, &contact.arm_a), (contact.body_b, 1.0, &contact.arm_b)] {
            if let Some(change) = scratch.get_mut(body as usize) {
                problem.mass(body).apply(change, &(sign * vector), &(sign * arm.cross(&vector)));
            }
        }
    }
    let (mut slope, mut curvature) = (0.0, 0.0);
    let zero = Velocity::ZERO;
    for (contact, impulse) in problem.contacts.iter().zip(impulses) {
        let (a, b) = (contact.body_a, contact.body_b);
        let vector = impulse.vector(&contact.normal);
        let free = contact.relative_velocity(problem.free_velocity(a), problem.free_velocity(b));
        let (bias_n, bias_t) = contact.defect(&free, &Impulse::ZERO);
        slope += vector.dot(&(bias_n * contact.normal + bias_t));
        let change_a = scratch.get(a as usize).unwrap_or(&zero);
        let change_b = scratch.get(b as usize).unwrap_or(&zero);
        curvature += vector.dot(&contact.relative_velocity(change_a, change_b))
            + contact.normal_compliance * impulse.normal * impulse.normal
            + contact.tangential_compliance * impulse.tangential.norm_squared();
    }
    if curvature > 0.0 { (-slope / curvature).clamp(0.0, 1.0) } else { 0.0 }
}
