//! A scalar row prepared for the sweep: bilateral, bounded, bounded by the impulse of another row, or one of the three rows of a ball.

use crate::math::elementary::square;
use crate::math::lanes::Wide;
use crate::math::{BodyRow, ContactId, Mat3, RowId, Vec3};
use crate::solver::gauss_seidel::local::inverse;
use crate::solver::gauss_seidel::wide::lines;
use crate::solver::problem::ball::relaxed_ball;
use crate::solver::problem::{ImpulsiveWrench, MassInverse, Problem, Row};

/// A scalar row.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct ScalarRow {
    /// That of the problem; the fixed world is the resting body behind the last one.
    row: Row,
    /// `1 / D`; 0 where no impulse moves the row.
    inverse: f64,
    /// What makes an impulse a velocity of the row in m/s.
    measure: f64,
    /// The scalar row, among those prepared, whose impulse multiplies the bounds; itself: none does.
    pub(in crate::solver) scale: RowId,
    pub(in crate::solver) lambda: f64,
    /// The contact whose normal row it is, or [`ContactId::NONE`].
    pub(in crate::solver) contact: ContactId,
    /// Which of the three rows of a ball it is. They follow each other.
    pub(in crate::solver) place_in_ball: Option<usize>,
}

/// What the position pass puts in place of the numbers of a row.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct ScalarTarget {
    pub(in crate::solver) target: f64,
    pub(in crate::solver) lower: f64,
    pub(in crate::solver) upper: f64,
    multiplier: f64,
    /// What makes a multiplier a move in m.
    measure: f64,
}

impl ScalarRow {
    /// Returns a target that excludes the row from the position pass.
    pub(in crate::solver) fn free_target(&self) -> ScalarTarget {
        ScalarTarget { target: 0.0, lower: 0.0, upper: 0.0, multiplier: 0.0, measure: self.measure }
    }

    /// Exchanges a target with what stands in its place.
    pub(in crate::solver) fn exchange(&mut self, free_target: &mut ScalarTarget) {
        std::mem::swap(&mut self.row.rhs, &mut free_target.target);
        std::mem::swap(&mut self.row.lower, &mut free_target.lower);
        std::mem::swap(&mut self.row.upper, &mut free_target.upper);
        std::mem::swap(&mut self.lambda, &mut free_target.multiplier);
        std::mem::swap(&mut self.measure, &mut free_target.measure);
    }

    /// Multiplies by what the moves of the row are measured.
    pub(in crate::solver) fn scale_measure(&mut self, scale: f64) {
        self.measure *= scale;
    }

    /// Prepares a row whose bounds the row at `scale` multiplies, or none if that is its own place.
    pub(in crate::solver) fn new(problem: &Problem, row: &Row, scale: RowId) -> Self {
        let measure = row.measure(problem.mass(row.body_a), problem.mass(row.body_b));
        let resting = BodyRow::from(problem.masses.len());
        Self {
            row: Row { body_a: row.body_a.min(resting), body_b: row.body_b.min(resting), ..*row },
            inverse: inverse(measure.scale),
            measure: measure.scale * measure.length,
            scale,
            lambda: 0.0,
            contact: ContactId::NONE,
            place_in_ball: None,
        }
    }

    /// Takes its part of the impulse of the contact that it is a row of. Takes none where no impulse moves the row,
    /// since no sweep would bring it within its bounds.
    pub(in crate::solver) fn set(&mut self, impulse: &ImpulsiveWrench) {
        self.lambda = if self.inverse == 0.0 {
            0.0
        } else if self.contact != ContactId::NONE {
            impulse.force.normal
        } else {
            self.row.jacobian_b.linear.dot(&impulse.force.tangential) + self.turning().dot(&impulse.torque)
        };
    }

    /// Adds its impulse to that of the contact that it is a tangential row or a torque row of.
    pub(in crate::solver) fn add_to(&self, impulse: &mut ImpulsiveWrench) {
        impulse.force.tangential += self.lambda * self.row.jacobian_b.linear;
        impulse.torque += self.lambda * self.turning();
    }

    /// The axis of a torque row; zero for a row of forces.
    fn turning(&self) -> Vec3 {
        if self.row.jacobian_b.linear == Vec3::zeros() { self.row.jacobian_b.angular } else { Vec3::zeros() }
    }

    /// Brings the displacement along the row up to its `target`, with a multiplier that is not negative. Returns how far it
    /// moved [m].
    pub(in crate::solver) fn push(
        &self,
        masses: &[MassInverse],
        displacements: &mut [Wide],
        target: f64,
        multiplier: &mut f64,
    ) -> f64 {
        let along = self.velocity(displacements);
        let block = 1.0 / self.inverse - self.row.compliance;
        if self.inverse == 0.0 || block <= 0.0 {
            return 0.0;
        }
        let next = (*multiplier + (target - along) / block).max(0.0);
        let step = next - *multiplier;
        *multiplier = next;
        self.apply(masses, displacements, step);
        step.abs() * block
    }

    /// `J v`.
    #[inline(always)]
    fn velocity(&self, bodies: &[Wide]) -> f64 {
        let [a, b] = [self.row.body_a, self.row.body_b].map(|body| lines::velocity(&bodies[body]));
        self.row.jacobian_a.dot(&a) + self.row.jacobian_b.dot(&b)
    }

    /// Adds the impulse `change` to the lines of the bodies.
    #[inline(always)]
    pub(in crate::solver) fn apply(&self, masses: &[MassInverse], bodies: &mut [Wide], change: f64) {
        for (body, jacobian) in [(self.row.body_a, &self.row.jacobian_a), (self.row.body_b, &self.row.jacobian_b)] {
            let mass = masses.get(body.index()).unwrap_or(&MassInverse::ZERO);
            lines::apply(&mut bodies[body], mass, &(change * jacobian.linear), &(change * jacobian.angular));
        }
    }

    /// Solves this row alone while the row that scales its bounds carries `scale`, and returns the square of its change in
    /// velocity [m^2/s^2].
    #[inline(always)]
    pub(in crate::solver) fn relax(
        &mut self,
        masses: &[MassInverse],
        bodies: &mut [Wide],
        scale: f64,
        relaxation: f64,
    ) -> f64 {
        let w = self.velocity(bodies) - self.row.rhs + self.row.compliance * self.lambda;
        let moves = self.inverse > 0.0;
        let next =
            if moves { self.row.bounded(self.lambda - relaxation * w * self.inverse, scale) } else { self.lambda };
        let change = next - self.lambda;
        // not the sum, whose round-off would leave the bounds
        self.lambda = next;
        self.apply(masses, bodies, change);
        square(change * self.measure)
    }
}

/// Solves the three rows of a ball together. Returns the square of the largest change of a velocity [m^2/s^2].
pub(in crate::solver) fn relax_ball(
    rows: &mut [ScalarRow],
    masses: &[MassInverse],
    bodies: &mut [Wide],
    relaxation: f64,
) -> f64 {
    let old = Vec3::from_fn(|place, _| rows[place].lambda);
    let block = Mat3::from_fn(|of, with| rows[of].row.cross_block(&rows[with].row, masses));
    let w = Vec3::from_fn(|place, _| rows[place].velocity(bodies) - rows[place].row.rhs);
    let bound = rows[0].row.upper;
    let next = relaxed_ball(&block, &w, &old, bound, relaxation);
    let mut largest: f64 = 0.0;
    for (row, next) in rows.iter_mut().zip(&next) {
        let change = next - row.lambda;
        row.lambda = *next;
        row.apply(masses, bodies, change);
        largest = largest.max(square(change * row.measure));
    }
    largest
}
