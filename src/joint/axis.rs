//! The definition of one free axis of a joint by its host: limits, spring, motor and friction.

use crate::error::{Error, Number, Result, finite, in_range, not_negative, positive, text};
use crate::joint::kind::JointKind;
use crate::joint::spring::Spring;

/// Whether an axis may move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AxisMode {
    /// Without bounds.
    Free,
    /// Not at all. Only an axis of a general joint can be locked.
    Locked,
    /// Between two bounds.
    Limited,
}

/// What the motor of an axis does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MotorMode {
    /// Nothing.
    Off,
    /// It brings the axis to the target velocity.
    Velocity,
    /// It pulls the axis to the target position like a spring with a damper.
    Position,
}

/// A free axis of a joint as its host describes it.
///
/// Where a member has two units, the second one is that of turns. Forces act on B, in the direction in which the position grows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointAxis {
    /// Whether the axis may move.
    pub mode: AxisMode,
    /// What the motor does.
    pub motor: MotorMode,
    /// The least position of a limited axis; may be minus infinity [m] or [rad].
    pub lower: f64,
    /// The largest position of a limited axis; may be infinite. Two equal bounds hold the axis [m] or [rad].
    pub upper: f64,
    /// The velocity after an impact on a limit, as a part of that before, from 0 to 1 [-].
    pub limit_restitution: f64,
    /// The frequency of the spring without damping; above 0 it replaces `stiffness` and `damping` [Hz].
    pub frequency: f64,
    /// The damping of a spring with a frequency, as a part of the critical one [-].
    pub ratio: f64,
    /// The stiffness of the spring [N/m] or [N m/rad].
    pub stiffness: f64,
    /// The damping of the spring, or of a damper where the stiffness is 0 [N s/m] or [N m s/rad].
    pub damping: f64,
    /// The position at which the spring has no force [m] or [rad].
    pub rest: f64,
    /// The position to which a POSITION motor pulls [m] or [rad].
    pub target_position: f64,
    /// The velocity of a VELOCITY motor, and that of the target of a POSITION motor [m/s] or [rad/s].
    pub target_velocity: f64,
    /// The stiffness of a POSITION motor, above 0 for one [N/m] or [N m/rad].
    pub motor_stiffness: f64,
    /// The damping of a POSITION motor [N s/m] or [N m s/rad].
    pub motor_damping: f64,
    /// The least force of the motor on B; may be minus infinity [N] or [N m].
    pub force_lower: f64,
    /// The largest force of the motor on B; may be infinite [N] or [N m].
    pub force_upper: f64,
    /// The dry friction without load [N] or [N m].
    pub friction: f64,
    /// The friction coefficient, by which the load across the axis adds to the friction [-].
    pub friction_coefficient: f64,
    /// The radius at which the load across the axis rubs; displacements do not use it [m].
    pub friction_radius: f64,
    /// The inertia of a rotor that turns with the axis, as seen from the axis [kg] or [kg m^2].
    pub armature: f64,
}

impl JointAxis {
    /// Returns an axis without bounds and drives: locked for a general joint, else free.
    pub fn new(kind: JointKind) -> Self {
        Self {
            mode: if kind == JointKind::General { AxisMode::Locked } else { AxisMode::Free },
            motor: MotorMode::Off,
            lower: f64::NEG_INFINITY,
            upper: f64::INFINITY,
            limit_restitution: 0.0,
            frequency: 0.0,
            ratio: 0.0,
            stiffness: 0.0,
            damping: 0.0,
            rest: 0.0,
            target_position: 0.0,
            target_velocity: 0.0,
            motor_stiffness: 0.0,
            motor_damping: 0.0,
            force_lower: f64::NEG_INFINITY,
            force_upper: f64::INFINITY,
            friction: 0.0,
            friction_coefficient: 0.0,
            friction_radius: 0.0,
            armature: 0.0,
        }
    }

    /// Refuses an axis that a joint of this kind does not have, and members out of range, by name.
    pub fn check(&self, kind: JointKind, index: usize) -> Result<()> {
        check_index(kind, index)?;
        self.check_mode(kind)?;
        ordered(["lower", "upper"], [self.lower, self.upper])?;
        let is_cone = kind == JointKind::Ball && index == 3 && self.mode == AxisMode::Limited;
        if is_cone {
            self.check_cone()?;
        }
        let restitution = self.limit_restitution;
        not_negative("limit_restitution", restitution)?;
        in_range("limit_restitution", restitution, restitution <= 1.0, "a number from 0 to 1")?;
        not_negative("frequency", self.frequency)?;
        not_negative("ratio", self.ratio)?;
        not_negative("stiffness", self.stiffness)?;
        not_negative("damping", self.damping)?;
        finite("rest", self.rest)?;
        self.check_motor()?;
        not_negative("friction", self.friction)?;
        not_negative("friction_coefficient", self.friction_coefficient)?;
        not_negative("friction_radius", self.friction_radius)?;
        not_negative("armature", self.armature)
    }

    fn check_mode(&self, kind: JointKind) -> Result<()> {
        if self.mode != AxisMode::Locked {
            return Ok(());
        }
        if kind != JointKind::General {
            return Err(Error::argument(text!(
                "mode is LOCKED on a joint of kind {}, expected FREE or LIMITED; only axes of GENERAL can be locked",
                kind.name()
            )));
        }
        if self.has_drive() {
            let message = "mode is LOCKED on an axis with a motor or a spring, expected FREE or LIMITED";
            return Err(Error::argument(message));
        }
        Ok(())
    }

    fn check_motor(&self) -> Result<()> {
        finite("target_position", self.target_position)?;
        finite("target_velocity", self.target_velocity)?;
        not_negative("motor_stiffness", self.motor_stiffness)?;
        if self.motor == MotorMode::Position {
            positive("motor_stiffness of a POSITION motor", self.motor_stiffness)?;
        }
        not_negative("motor_damping", self.motor_damping)?;
        ordered(["force_lower", "force_upper"], [self.force_lower, self.force_upper])
    }

    /// Refuses bounds that the angle of a cone cannot have: it is never below 0, and has an upper bound alone.
    fn check_cone(&self) -> Result<()> {
        in_range("lower", self.lower, self.lower <= 0.0, "0 or less: a cone has an upper bound alone")?;
        in_range("upper", self.upper, self.upper > 0.0, "a number above 0, the largest angle of the cone")
    }

    /// Returns whether the axis has a motor or a spring.
    pub fn has_drive(&self) -> bool {
        self.motor != MotorMode::Off || self.has_spring()
    }

    /// Returns whether the axis has a spring or a damper.
    pub fn has_spring(&self) -> bool {
        self.frequency > 0.0 || self.stiffness > 0.0 || self.damping > 0.0
    }

    /// Returns the spring of the axis on an inertia [kg] or [kg m^2]; `None` if it has none, or a damper alone.
    pub fn spring(&self, inertia: f64) -> Option<Spring> {
        if self.frequency > 0.0 {
            return Some(Spring::from_frequency(self.frequency, self.ratio));
        }
        (self.stiffness > 0.0).then(|| Spring::from_stiffness(self.stiffness, self.damping, inertia))
    }

    /// Returns the position at which two equal bounds hold the axis.
    pub fn held_position(&self) -> Option<f64> {
        (self.mode == AxisMode::Limited && self.lower == self.upper).then_some(self.lower)
    }

    /// Returns the largest friction of axis `index` under a load across it [N]: `T + mu r abs(load)` [N] or [N m]. On a displacement
    /// the radius r is 1.
    pub fn largest_friction(&self, index: usize, load: f64) -> f64 {
        let radius = if index < 3 { 1.0 } else { self.friction_radius };
        self.friction + self.friction_coefficient * radius * load.abs()
    }
}

/// Refuses axes that a general joint with three free turns does not have, by name.
///
/// Its turns are those of a ball: axis 3 is the angle of the cone, with an upper bound alone, 5 the twist, and 4 does nothing. This
/// depends on the modes of three axes, so it is to be called where all are known.
pub fn check_free_turns(axes: &[JointAxis; 6]) -> Result<()> {
    let [.., about_x, about_y, about_z] = axes;
    if [about_x, about_y, about_z].iter().any(|axis| axis.mode == AxisMode::Locked) {
        return Ok(());
    }
    if about_x.mode == AxisMode::Limited {
        about_x.check_cone().map_err(|error| error.at("axes[3]."))?;
    }
    let does_nothing = about_y.mode == AxisMode::Free
        && !about_y.has_drive()
        && [about_y.friction, about_y.friction_coefficient, about_y.armature] == [0.0; 3];
    if does_nothing {
        return Ok(());
    }
    let message = "axes[4] has bounds or drives while no turn is locked, expected a FREE axis without drives; \
                   axis 3 is then the angle of the cone and axis 5 the twist";
    Err(Error::argument(message))
}

/// Refuses an axis that a joint of this kind does not leave free.
fn check_index(kind: JointKind, index: usize) -> Result<()> {
    let free = kind.free_axes();
    if free.contains(&index) {
        return Ok(());
    }
    let name = kind.name();
    let message = if free.is_empty() {
        text!("index is {index}, but a joint of kind {name} has no free axis")
    } else {
        text!("index is {index}, expected one of {free:?}, the free axes of a joint of kind {name}")
    };
    Err(Error::argument(message))
}

/// Refuses bounds that are not numbers, that leave no finite value between them, or of which the lower one is above the upper one.
fn ordered([lower_name, upper_name]: [&str; 2], [lower, upper]: [f64; 2]) -> Result<()> {
    if lower.is_nan() {
        finite(lower_name, lower)?;
    }
    if upper.is_nan() {
        finite(upper_name, upper)?;
    }
    in_range(lower_name, lower, lower < f64::INFINITY, "a number or -inf")?;
    in_range(upper_name, upper, upper > f64::NEG_INFINITY, "a number or inf")?;
    let expected = text!("at most {upper_name}, which is {}", Number(upper));
    in_range(lower_name, lower, lower <= upper, &expected)
}
