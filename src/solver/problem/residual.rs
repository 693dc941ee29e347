//! How far contacts and rows are from their laws, in m/s: for the stopping test, the report and the tests alike.

use crate::math::{Vec3, length_of};
use crate::solver::problem::ball::bounded_ball;
use crate::solver::problem::cone::{Parts, clamped_step};
use crate::solver::problem::{
    Friction, FullContact, Impulses, ImpulsiveWrench, MassInverse, Measure, Problem, Row, Velocity, box_rows,
};

/// The residual of a contact at the velocities of its bodies: zero exactly where Signorini's law and those of friction,
/// rolling and twisting hold [m/s].
pub fn contact_residual(
    problem: &Problem,
    (contact, optional): FullContact,
    pair: [&Velocity; 2],
    lambda: &ImpulsiveWrench,
) -> f64 {
    let (mass_a, mass_b) = (problem.mass(contact.body_a), problem.mass(contact.body_b));
    if problem.friction == Friction::Box {
        return box_residual((contact, optional), [mass_a, mass_b], pair, lambda);
    }
    let measure = contact.measure(mass_a, mass_b, optional);
    // Between two immovable bodies nothing can be solved, and nothing is wrong.
    if measure.scale == 0.0 {
        return 0.0;
    }
    let [v_a, v_b] = pair;
    let (w_n, w_t) = contact.defect(&contact.relative_velocity(v_a, v_b), &lambda.force, optional);
    let cone = contact.cone(optional, problem.friction.dilation());
    let zero = Vec3::zeros();
    let (mut torque, mut spin) = ((zero, zero), (zero, zero));
    if cone.resists_turning() {
        torque = contact.split(&lambda.torque);
        spin = contact.split(&optional.turning_defect(&(v_b.angular - v_a.angular), &lambda.torque));
    }
    let impulse = Parts { normal: lambda.force.normal, bounded: [lambda.force.tangential, torque.1, torque.0] };
    let w = Parts { normal: w_n, bounded: [w_t, spin.1, spin.0] };
    cone.residual(&impulse, &w, measure.scale, measure.length)
}

/// The residuals of the parts of a contact, each by its own law with the others as they are: along the normal, of friction, and of rolling and
/// twisting [m/s].
pub fn residuals_by_kind(
    problem: &Problem,
    (contact, optional): FullContact,
    pair: [&Velocity; 2],
    lambda: &ImpulsiveWrench,
) -> [f64; 3] {
    let masses = [problem.mass(contact.body_a), problem.mass(contact.body_b)];
    let Measure { scale, length } = contact.measure(masses[0], masses[1], optional);
    if scale == 0.0 {
        return [0.0; 3];
    }
    let (w_n, w_t) = contact.defect(&contact.relative_velocity(pair[0], pair[1]), &lambda.force, optional);
    let normal = clamped_step(scale * lambda.force.normal, w_n, 0.0, f64::INFINITY).abs();
    let pressing = scale * lambda.force.normal.max(0.0);
    let friction = disc_residual(&(scale * lambda.force.tangential), &w_t, contact.friction * pressing);
    if !optional.resists_turning() {
        return [normal, friction, 0.0];
    }
    // As forces at the distance where a torque counts as one.
    let spin = optional.turning_defect(&(pair[1].angular - pair[0].angular), &lambda.torque);
    let (twist, roll) = contact.split(&(length * spin));
    let (twisting, rolling) = contact.split(&(scale / length * lambda.torque));
    let of_rolling = disc_residual(&rolling, &roll, optional.rolling / length * pressing);
    let of_twisting = disc_residual(&twisting, &twist, optional.twisting / length * pressing);
    [normal, friction, length_of(&Vec3::new(of_rolling, of_twisting, 0.0))]
}

/// `|r - proj(r - w)|` with the projection on the disc of this radius, all in units of velocity.
fn disc_residual(r: &Vec3, w: &Vec3, radius: f64) -> f64 {
    let trial = r - w;
    let size = length_of(&trial);
    let onto = if size > radius { radius / size * trial } else { trial };
    length_of(&(r - onto))
}

/// With box friction: the largest of the rows of the contact, as if the host had handed them over one by one.
fn box_residual(
    (contact, optional): FullContact,
    masses: [&MassInverse; 2],
    pair: [&Velocity; 2],
    lambda: &ImpulsiveWrench,
) -> f64 {
    let mut largest = 0.0;
    for (index, row) in box_rows(contact, optional).enumerate() {
        let jacobian = &row.jacobian_b;
        let value = match index {
            0 => lambda.force.normal,
            1 | 2 => jacobian.linear.dot(&lambda.force.tangential),
            _ => jacobian.angular.dot(&lambda.torque),
        };
        let scale = if index == 0 { 1.0 } else { lambda.force.normal };
        let residual = bounded_residual(&row, &row.measure(masses[0], masses[1]), pair, value, scale);
        // one that is no number is kept
        if residual.is_nan() || residual > largest {
            largest = residual;
        }
    }
    largest
}

/// The residual of a row that carries `lambda`, at the velocities of its bodies and the impulses of all rows [m/s].
pub fn row_residual(row: &Row, lambda: f64, measure: &Measure, pair: [&Velocity; 2], impulses: &Impulses) -> f64 {
    let scale = row.friction_row.map_or(1.0, |scale| impulses.rows[scale].abs());
    bounded_residual(row, measure, pair, lambda, scale)
}

/// Returns the residual of the rows of a ball that carry `lambda` and have the velocity `w`: that of all three together [m/s].
pub fn ball_residual(lambda: &Vec3, w: &Vec3, bound: f64, measure: &Measure) -> f64 {
    if measure.scale == 0.0 {
        return 0.0;
    }
    (lambda - bounded_ball(&(lambda - w / measure.scale), bound)).norm() * measure.scale * measure.length
}

/// `|lambda - clamp(lambda - w / D)| D`, times a length for a row of spins [m/s]; `scale` multiplies the bounds.
fn bounded_residual(row: &Row, measure: &Measure, pair: [&Velocity; 2], lambda: f64, scale: f64) -> f64 {
    if measure.scale == 0.0 {
        return 0.0;
    }
    let w = row.jacobian_a.dot(pair[0]) + row.jacobian_b.dot(pair[1]) - row.rhs + row.compliance * lambda;
    let [lower, upper] = row.bounds(scale);
    clamped_step(lambda, w / measure.scale, lower, upper).abs() * measure.scale * measure.length
}
