//! Single rows along a free axis: limits, motors, dampers, friction, rotor inertia, and compliance.

use crate::math::elementary::square;

/// What touches a limit may be apart by round-off of so many times the magnitude of the position.
const ROUND_OFF: f64 = 64.0 * f64::EPSILON;

/// The relaxation time of a compliant row for which none is given, in steps ([W]).
const RELAXATION_STEPS: f64 = 2.0;

/// What acts along the row `g` of an axis: `u + S lambda + b = 0` at the end of the step, as far as `lower <= lambda <= upper` allows. The
/// impulse acts on B along `g`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drive {
    /// `S` [1/kg], or [1/(kg m^2)] on turns.
    pub compliance: f64,
    /// `b` [m/s] or [rad/s].
    pub bias: f64,
    /// The least impulse [N s] or [N m s]; may be infinite.
    pub lower: f64,
    /// The largest impulse; may be infinite.
    pub upper: f64,
}

/// A bound of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitSide {
    /// The lower bound, which pushes in the direction of the axis.
    Lower,
    /// The upper bound, which pushes against it.
    Upper,
}

/// How an axis approaches its limits in a step of length `step`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LimitApproach {
    /// The position at the start of the step [m] or [rad].
    pub position: f64,
    /// The velocity at the start of the step [m/s] or [rad/s].
    pub velocity: f64,
    /// The velocity that the forces of the step alone would make of it.
    pub kicked_velocity: f64,
    /// The gap up to which a limit is touched [m] or [rad].
    pub round_off: f64,
    /// Nothing rebounds that comes more slowly [m/s] or [rad/s].
    pub restitution_threshold: f64,
    /// The step [s].
    pub step: f64,
}

impl Drive {
    /// Returns the row of a limit at the position `bound`, written along `g` for both sides.
    ///
    /// Its bias is that of a contact with the gap `c` ([K] (19), 4.3). It is `c / h` across a gap and 0 at touch. It
    /// is the restitution times the velocity where the axis comes faster than the threshold and reaches the bound in
    /// this step.
    pub fn limit(side: LimitSide, bound: f64, restitution: f64, approach: &LimitApproach) -> Self {
        let LimitApproach { position, velocity, kicked_velocity, round_off, restitution_threshold, step } = *approach;
        let sign = match side {
            LimitSide::Lower => 1.0,
            LimitSide::Upper => -1.0,
        };
        let gap = sign * (position - bound);
        let opening = sign * velocity;
        let reaches = gap <= round_off || gap + step * sign * kicked_velocity <= 0.0;
        let bias = if restitution > 0.0 && -opening > restitution_threshold && reaches {
            restitution * opening
        } else if gap > round_off {
            gap / step
        } else {
            0.0
        };
        // The row -g with the impulse -lambda >= 0 is the row g with the bias -b and an impulse <= 0.
        match side {
            LimitSide::Lower => Self { compliance: 0.0, bias, lower: 0.0, upper: f64::INFINITY },
            LimitSide::Upper => Self { compliance: 0.0, bias: -bias, lower: f64::NEG_INFINITY, upper: 0.0 },
        }
    }

    /// Returns the row that keeps the velocity 0, with any impulse.
    pub fn held() -> Self {
        Self::unbounded(0.0, 0.0)
    }

    /// Returns the row of a motor that brings the axis to a velocity [m/s] or [rad/s], with forces from `lower` to `upper` [N] or [N m].
    pub fn velocity_motor(target_velocity: f64, [lower, upper]: [f64; 2], step: f64) -> Self {
        Self::unbounded(0.0, -target_velocity).limited([lower, upper], step)
    }

    /// Returns the row of a damper without a spring: the force is `-damping (u - u*)` with the velocity at the end of the step. `None` if
    /// the damping [N s/m] or [N m s/rad] is so small that its compliance is no number.
    pub fn damper(damping: f64, target_velocity: f64, step: f64) -> Option<Self> {
        let compliance = 1.0 / (step * damping);
        compliance.is_finite().then(|| Self::unbounded(compliance, -target_velocity))
    }

    /// Returns the row of dry friction with forces up to `bound` [N] or [N m].
    ///
    /// The bound is also the test of sticking, as in [C] (36)-(40): the axis sticks if the impulse that ends the step at rest is within it.
    pub fn friction(bound: f64, step: f64) -> Self {
        Self::unbounded(0.0, 0.0).limited([-bound, bound], step)
    }

    /// Returns the row of the inertia of a rotor [kg] or [kg m^2], which the axis drives along. `velocity` is that at the start of the step.
    /// `None` if the inertia is so small that its compliance is no number.
    pub fn armature(inertia: f64, velocity: f64) -> Option<Self> {
        let compliance = 1.0 / inertia;
        compliance.is_finite().then(|| Self::unbounded(compliance, -velocity))
    }

    /// Returns the row of a compliant constraint with the error `c` (SPOOK, [W] appendix A).
    ///
    /// `S = 4 C Y / h^2`, `b = (4/h) Y c - Y u`, `Y = 1 / (1 + 4 tau / h)`. `compliance` C is in [m/N] or [rad/(N m)], `velocity` that of the row at the start of the step. A
    /// `relaxation` tau of 0 stands for two steps.
    pub fn compliant([compliance, relaxation]: [f64; 2], error: f64, velocity: f64, step: f64) -> Self {
        let in_steps = if relaxation > 0.0 { relaxation / step } else { RELAXATION_STEPS };
        Self::relaxed(compliance, in_steps, [error, velocity], step)
    }

    /// Returns the compliant row of a spring and a damper: C is `1 / stiffness` and tau `damping / stiffness`, which may be 0. It is stable
    /// for every step. `None` if the stiffness is so small that the compliance is no number.
    pub fn compliant_spring([stiffness, damping]: [f64; 2], error: f64, velocity: f64, step: f64) -> Option<Self> {
        let row = Self::relaxed(1.0 / stiffness, damping / stiffness / step, [error, velocity], step);
        (row.compliance.is_finite() && row.bias.is_finite()).then_some(row)
    }

    fn relaxed(compliance: f64, relaxation_in_steps: f64, [error, velocity]: [f64; 2], step: f64) -> Self {
        let damped = 1.0 / (1.0 + 4.0 * relaxation_in_steps);
        let bias = damped * (4.0 * error / step - velocity);
        Self::unbounded(4.0 * compliance * damped / square(step), bias)
    }

    /// Returns a row with any impulse.
    pub(super) fn unbounded(compliance: f64, bias: f64) -> Self {
        Self { compliance, bias, lower: f64::NEG_INFINITY, upper: f64::INFINITY }
    }

    /// Returns the row with forces from `lower` to `upper` over a step.
    pub(super) fn limited(self, [lower, upper]: [f64; 2], step: f64) -> Self {
        Self { lower: step * lower, upper: step * upper, ..self }
    }
}

/// Returns the gap up to which the limit of a turn is touched: round-off of the angle [rad].
pub fn turn_round_off(angle: f64) -> f64 {
    ROUND_OFF * (1.0 + angle.abs())
}

/// Returns the gap up to which the limit of a displacement is touched [m]. `reach` is the distance of both bodies from the world's origin,
/// plus the arms and the offset of the joint [m].
pub fn length_round_off(reach: f64) -> f64 {
    ROUND_OFF * reach
}
