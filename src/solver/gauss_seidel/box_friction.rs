//! Box friction: a contact as scalar rows, those that a legacy host would hand over.

use crate::math::{Vec3, tangents};
use crate::solver::problem::{Contact, Jacobian, OptionalTerms, Row};

/// A contact with box friction as rows: the normal one, one along each tangent bounded by it, and where the contact
/// resists turning one for each torque (about the tangents, about the normal).
pub(in crate::solver) fn box_rows(contact: &Contact, optional: &OptionalTerms) -> impl Iterator<Item = Row> + use<> {
    let (t1, t2) = tangents(&contact.normal);
    let Contact { body_a, body_b, normal, friction, .. } = *contact;
    let OptionalTerms { surface_velocity, normal_compliance, tangential_compliance, rolling, twisting } = *optional;
    let row = move |jacobian_a, jacobian_b, rhs, compliance, [lower, upper]: [f64; 2]| Row {
        body_a,
        body_b,
        jacobian_a,
        jacobian_b,
        rhs,
        compliance,
        lower,
        upper,
        friction_row: None,
    };
    let force = |direction: Vec3, rhs, compliance, bounds| {
        let jacobian_a = Jacobian { linear: -direction, angular: -contact.arm_a.cross(&direction) };
        let jacobian_b = Jacobian { linear: direction, angular: contact.arm_b.cross(&direction) };
        row(jacobian_a, jacobian_b, rhs, compliance, bounds)
    };
    let slide = |t: Vec3| {
        let surface = t.dot(&surface_velocity);
        force(t, surface, tangential_compliance, [-friction, friction])
    };
    let torque = move |axis: Vec3, bound: f64| {
        let about = |axis| Jacobian { angular: axis, ..Jacobian::ZERO };
        row(about(-axis), about(axis), 0.0, 0.0, [-bound, bound])
    };
    let press = force(normal, -contact.normal_bias, normal_compliance, [0.0, f64::INFINITY]);
    let forces = [press, slide(t1), slide(t2)];
    let torques = [torque(t1, rolling), torque(t2, rolling), torque(normal, twisting)];
    let torques = optional.resists_turning().then_some(torques);
    forces.into_iter().chain(torques.into_iter().flatten())
}
