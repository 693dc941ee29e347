//! Joints of two bodies: their kinds, frames, limits and drives, and the rows that they give to the solver.
//!
//! A joint connects a frame in body A with a frame in body B. [`Geometry`] holds both frames in world axes. The
//! function [`locked_rows`] returns the rows that the kind of the joint locks, each with its error. The function
//! [`coordinates`] returns the position along each free axis, and the row of its velocity. The function
//! [`axis_drives`] returns what acts along a free axis: limits, motor, spring, friction, rotor inertia.
//!
//! The velocity of a row, `u = J_A v_A + J_B v_B`, is that of B relative to A. Its impulse `lambda` acts on B, and the opposite one on A. At
//! the end of a step `u + S lambda + b = 0`, unless `lambda` is at a bound.
//!
//! The axes of a joint are numbered: 0, 1, 2 are the displacements along x, y, z of frame A, and 3, 4, 5 the turns about x, y, z. The z axis
//! is the axis of a hinge, a slider and a cylindrical joint, the normal of a planar one, and the twist axis of a ball.
//!
//! All functions are pure. The module does not depend on worlds, handles or the solver. `src/solver/mod.rs` has the references `[C]`, `[K]` and
//! `[W]`.

mod axis;
mod axis_drives;
mod coordinate;
mod definition;
mod direction;
mod drive;
mod geometry;
mod kind;
mod locked;
mod locks;
mod place;
mod readback;
mod row;
mod spring;

#[cfg(test)]
mod tests;

pub use axis::{AxisMode, JointAxis, MotorMode, check_free_turns};
pub use axis_drives::{AxisDrives, AxisState, axis_drives};
pub use coordinate::{Coordinate, continued_turn, coordinates};
pub use definition::JointDefinition;
pub use direction::Direction;
pub use drive::{Drive, LimitApproach, LimitSide, length_round_off, turn_round_off};
pub use geometry::{Geometry, LocalFrame, SideFrame};
pub use kind::JointKind;
pub use locked::{LockedRow, LockedRows, locked_rows};
pub use locks::{Locks, TurnLocks};
pub use place::{check_directions, place, place_points};
pub use readback::{JointLoad, load_across};
pub use row::{JointRow, SideVector};
pub use spring::{NodeExact, Spring};
