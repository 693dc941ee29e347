//! The state of a contact from its forces and velocities: one rule for the contacts of a world and for those of a host.
//!
//! The module does not depend on the solver or on how contacts are stored.

/// It carries impulse.
pub const ACTIVE: u32 = 1;
/// It carries impulse, its friction is on the cone and it slides.
pub const SLIDING: u32 = 2;
/// It carries impulse, does not slide, and rolls against a resistance that is at its bound.
pub const ROLLING: u32 = 4;
/// It was not there before.
pub const NEW: u32 = 8;

/// Slower than this is sticking whatever the tolerance [m/s].
const STICKING: f64 = 1e-12;

/// An impulse this close to its bound, relative to it, is at its bound [-].
const AT_BOUND: f64 = 1e-9;

/// The impulses of a contact and the velocities that they answer, as magnitudes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactMagnitudes {
    /// Normal impulse [N s].
    pub normal: f64,
    /// Friction impulse [N s].
    pub friction: f64,
    /// What it may be at most [N s].
    pub friction_bound: f64,
    /// `|w_t|`: sliding velocity, with what a surface velocity and a compliance add [m/s].
    pub sliding: f64,
    /// Rolling resistance, the part of the torque impulse across the normal [N m s].
    pub rolling: f64,
    /// What it may be at most [N m s].
    pub rolling_bound: f64,
    /// Relative spin across the normal, times the distance at which a torque counts as a force [m/s].
    pub spinning: f64,
}

/// [`ACTIVE`], [`SLIDING`] and [`ROLLING`] of a contact that was solved to `tolerance` [m/s].
pub fn state(magnitudes: &ContactMagnitudes, tolerance: f64) -> u32 {
    let moves = |speed: f64| speed > tolerance.max(STICKING);
    let at_bound = |impulse: f64, bound: f64| impulse >= bound * (1.0 - AT_BOUND);
    if magnitudes.normal <= 0.0 || magnitudes.normal.is_nan() {
        0
    } else if at_bound(magnitudes.friction, magnitudes.friction_bound) && moves(magnitudes.sliding) {
        ACTIVE | SLIDING
    } else if magnitudes.rolling_bound > 0.0
        && at_bound(magnitudes.rolling, magnitudes.rolling_bound)
        && moves(magnitudes.spinning)
    {
        ACTIVE | ROLLING
    } else {
        ACTIVE
    }
}
