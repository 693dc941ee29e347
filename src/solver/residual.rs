//! How far a contact is from solved, in m/s: for the stopping test, the report and the tests alike.

use crate::math::Vec3;
use crate::solver::problem::{Contact, Impulse};

/// The Euclidean projection of `(normal, tangential)` on the cone `|tangential| <= mu normal`.
pub fn project_on_cone(normal: f64, tangential: &Vec3, mu: f64) -> (f64, Vec3) {
    let length = tangential.norm();
    // The polar cone first: with mu = 0 a negative normal without a tangential part would pass for inside.
    if mu * length <= -normal {
        return (0.0, Vec3::zeros());
    }
    if length <= mu * normal {
        return (normal, *tangential);
    }
    let onto = (normal + mu * length) / (1.0 + mu * mu);
    (onto, tangential * (mu * onto / length))
}

/// `|lambda - proj_K(lambda - rho (w + mu |w_t| n))| / rho` with `rho = 3 / trace(D)`: zero exactly where Signorini's
/// and Coulomb's laws hold [m/s]. `u` is the relative velocity, `trace` is [`Contact::block_trace`].
pub fn contact_residual(contact: &Contact, u: &Vec3, lambda: &Impulse, trace: f64) -> f64 {
    // Between two immovable bodies nothing can be solved, and nothing is wrong.
    if trace == 0.0 {
        return 0.0;
    }
    let rho = 3.0 / trace;
    let (w_n, w_t) = contact.defect(u, lambda);
    let trial_normal = lambda.normal - rho * (w_n + contact.friction * w_t.norm());
    let trial_tangential = lambda.tangential - rho * w_t;
    let (normal, tangential) = project_on_cone(trial_normal, &trial_tangential, contact.friction);
    let normal_error = lambda.normal - normal;
    (normal_error * normal_error + (lambda.tangential - tangential).norm_squared()).sqrt() / rho
}
