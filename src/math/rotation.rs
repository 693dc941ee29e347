//! Finite rotations: the Cayley map, and the drift of a rigid body that carries its angular momentum.

use super::elementary::{power_of_two, sin_cos};
use super::symmetric::Symmetric3;
use super::vector::{Mat3, Quat, Quaternion, Vec3};

/// The rotation `Cay(theta)`, whose matrix is `(1 - [theta]/2)^-1 (1 + [theta]/2)`, before it is brought to length one: for
/// products that are normalized once, at their end.
pub fn long_cayley(theta: &Vec3) -> Quaternion {
    let half = 0.5 * theta;
    Quaternion::new(1.0, half.x, half.y, half.z)
}

/// Returns the rotation about the axis of a rotation vector by its length [rad]; none below the precision of a double.
///
/// It replaces nalgebra's constructor, which takes sine and cosine from the platform.
pub fn turned_by(turn: &Vec3) -> Quat {
    let half = 0.5 * turn;
    let angle = half.norm();
    if angle <= f64::EPSILON {
        return Quat::identity();
    }
    let (sin, cos) = sin_cos(angle);
    Quat::new_unchecked(Quaternion::from_parts(cos, half * (sin / angle)))
}

/// The rotation increment `h xi`, in body axes, of one free drift over `h` from body-frame angular momentum
/// `momentum`.
///
/// `Pi+ = Cay(-h xi) Pi`, `xi = I^-1 (Pi + Pi+)/2`: the implicit midpoint rule of Euler's equations. In
/// `m = (Pi + Pi+)/2` it reads `m = Pi + (h/2) m x I^-1 m`, which Newton's method solves to round-off in a few
/// passes. It keeps `|Pi|` and the energy exactly, and the caller keeps the momentum in world axes.
pub fn angular_drift(momentum: &Vec3, inertia_inverse: &Symmetric3, h: f64) -> Vec3 {
    if let Some(inverse) = inertia_inverse.isotropic() {
        return h * inverse * momentum;
    }
    let inverse = inertia_inverse.to_matrix();
    let defect = |m: &Vec3| m - momentum - 0.5 * h * m.cross(&(inverse * m));
    let mut m = *momentum;
    let mut error = defect(&m);
    // Quadratic convergence below half a radian per step: five passes. Faster, the full change overshoots and is halved
    // until it helps. Measured, that finds the answer up to 1.25 rad for moments in any ratio up to 1:1000, up to 2 rad
    // for 1:20. Beyond, the momentum is kept all the same, and only the energy may suffer.
    let round_off = 8.0 * f64::EPSILON * momentum.norm();
    for _ in 0..16 {
        let omega = inverse * m;
        let slope = Mat3::identity() + 0.5 * h * (omega.cross_matrix() - m.cross_matrix() * inverse);
        let Some(change) = slope.lu().solve(&error) else { break };
        let helps = |next: &Vec3| defect(next).norm_squared() < error.norm_squared();
        let halvings = if error.norm() > round_off { 8 } else { 1 };
        let Some(next) = (0..halvings).map(|times| m - power_of_two(-times) * change).find(helps) else { break };
        m = next;
        error = defect(&m);
    }
    h * (inverse * m)
}
