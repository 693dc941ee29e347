//! Scalar rows: a Jacobian, bounds and a compliance; and those of a contact with box friction.

use crate::math::{BodyRow, RowId, Vec3, tangents};
use crate::solver::problem::contact::{Contact, MassInverse, Measure, OptionalTerms, Velocity};

/// One row of a Jacobian for one body: its product with the velocity of the body is a part of the velocity of the row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Jacobian {
    /// Times the velocity of the centre of mass.
    pub linear: Vec3,
    /// Times the spin.
    pub angular: Vec3,
}

impl Jacobian {
    /// The Jacobian of a body that does not move the row.
    pub const ZERO: Self = Self { linear: Vec3::new(0.0, 0.0, 0.0), angular: Vec3::new(0.0, 0.0, 0.0) };

    /// Returns the velocity of the row that `velocity` of the body makes.
    #[inline(always)]
    pub fn dot(&self, velocity: &Velocity) -> f64 {
        self.linear.dot(&velocity.linear) + self.angular.dot(&velocity.angular)
    }
}

/// One scalar row: `w = J v + S lambda - rhs` is zero, as far as `lower <= lambda <= upper` allows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// Index of body a, or [`BodyRow::NONE`] for the fixed world.
    pub body_a: BodyRow,
    /// Index of body b, or [`BodyRow::NONE`] for the fixed world; not body a.
    pub body_b: BodyRow,
    /// Of body a.
    pub jacobian_a: Jacobian,
    /// Of body b.
    pub jacobian_b: Jacobian,
    /// What `J v + S lambda` is to be.
    pub rhs: f64,
    /// `S`.
    pub compliance: f64,
    /// Least impulse; may be infinite.
    pub lower: f64,
    /// Largest impulse; may be infinite.
    pub upper: f64,
    /// The row whose impulse's magnitude multiplies both bounds, one that has no such row itself.
    pub friction_row: Option<RowId>,
    /// The first of three rows that follow each other, of which it is one: their impulses together are no longer than `upper`. All are between
    /// the same bodies, have the bounds `-upper` and `upper`, and no compliance.
    pub ball: Option<RowId>,
}

impl Row {
    /// Returns its bounds, which `scale` multiplies.
    #[inline(always)]
    pub fn bounds(&self, scale: f64) -> [f64; 2] {
        // infinity times nothing is no number
        if scale == 0.0 { [0.0; 2] } else { [self.lower * scale, self.upper * scale] }
    }

    /// Returns the impulse within its bounds, which `scale` multiplies.
    #[inline(always)]
    pub fn bounded(&self, lambda: f64, scale: f64) -> f64 {
        let [lower, upper] = self.bounds(scale);
        lambda.min(upper).max(lower)
    }

    /// Returns `J v` for the velocities of the bodies of a problem; the fixed world rests.
    pub fn speed(&self, velocities: &[Velocity]) -> f64 {
        let of = |body: BodyRow| velocities.get(body.index()).copied().unwrap_or(Velocity::ZERO);
        self.jacobian_a.dot(&of(self.body_a)) + self.jacobian_b.dot(&of(self.body_b))
    }

    /// Adds `M^-1 J^T lambda` to the velocities of the bodies of a problem with these inverse masses.
    pub fn push(&self, masses: &[MassInverse], velocities: &mut [Velocity], lambda: f64) {
        for (body, jacobian) in [(self.body_a, &self.jacobian_a), (self.body_b, &self.jacobian_b)] {
            if let (Some(mass), Some(velocity)) = (masses.get(body.index()), velocities.get_mut(body.index())) {
                mass.apply(velocity, &(lambda * jacobian.linear), &(lambda * jacobian.angular));
            }
        }
    }

    /// Returns `D = J M^-1 J^T + S`.
    pub fn block(&self, mass_a: &MassInverse, mass_b: &MassInverse) -> f64 {
        let side = |jacobian: &Jacobian, mass: &MassInverse| {
            jacobian.linear.dot(&mass.linear.component_mul(&jacobian.linear))
                + jacobian.angular.dot(&mass.angular.times(&jacobian.angular))
        };
        side(&self.jacobian_a, mass_a) + side(&self.jacobian_b, mass_b) + self.compliance
    }

    /// Returns `J M^-1 J'^T` with another row between the same bodies.
    pub fn cross_block(&self, other: &Self, masses: &[MassInverse]) -> f64 {
        let sides =
            [(self.body_a, &self.jacobian_a, &other.jacobian_a), (self.body_b, &self.jacobian_b, &other.jacobian_b)];
        let moved = sides.into_iter().map(|(body, own, other)| {
            let mut answer = Velocity::ZERO;
            if let Some(mass) = masses.get(body.index()) {
                mass.apply(&mut answer, &other.linear, &other.angular);
            }
            own.dot(&answer)
        });
        moved.sum()
    }

    /// Returns the scale of its residual. A row of spins alone counts at the distance at which both bodies answer to a
    /// torque as to a force.
    pub fn measure(&self, mass_a: &MassInverse, mass_b: &MassInverse) -> Measure {
        let scale = self.block(mass_a, mass_b);
        let turns_alone = self.jacobian_a.linear == Vec3::zeros() && self.jacobian_b.linear == Vec3::zeros();
        let turning = mass_a.angular.trace() + mass_b.angular.trace();
        if !turns_alone || turning == 0.0 {
            return Measure { scale, length: 1.0 };
        }
        let moving = mass_a.linear.sum() + mass_b.linear.sum();
        Measure { scale, length: if moving > 0.0 { (moving / turning).sqrt() } else { 1.0 } }
    }
}

/// Returns a contact with box friction as the rows that a legacy host would pass. These are the normal row and one
/// along each tangent, bounded by it. Where the contact resists turning, there is also one for each torque (about the
/// tangents, about the normal).
pub fn box_rows(contact: &Contact, optional: &OptionalTerms) -> impl Iterator<Item = Row> + use<> {
    let (t1, t2) = tangents(&contact.normal);
    let Contact { body_a, body_b, normal, friction, .. } = *contact;
    let OptionalTerms { surface_velocity, normal_compliance, tangential_compliance, .. } = *optional;
    let OptionalTerms { turning_compliance, rolling, twisting, .. } = *optional;
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
        ball: None,
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
        row(about(-axis), about(axis), 0.0, turning_compliance, [-bound, bound])
    };
    let press = force(normal, -contact.normal_bias, normal_compliance, [0.0, f64::INFINITY]);
    let forces = [press, slide(t1), slide(t2)];
    let torques = [torque(t1, rolling), torque(t2, rolling), torque(normal, twisting)];
    let torques = optional.resists_turning().then_some(torques);
    forces.into_iter().chain(torques.into_iter().flatten())
}
