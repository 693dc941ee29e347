//! A contact problem without a world: the input of the solver, and its solution.

use super::step::dry_step_report;
use super::structure::structure;

/// A body of a problem. Frozen: it never changes. All numbers are finite.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct dry_problem_body {
    /// 0, or 1e-100 to 1e100; 0: no force moves its centre of mass [1/kg]. With an inverse_inertia of 0 too: immovable,
    /// it keeps its velocity.
    pub inverse_mass: f64,
    /// World axes, about the centre of mass: xx yy zz xy yz xz [1/(kg m^2)]. It is positive semidefinite to
    /// round-off: 1e-9 of the largest entry.
    pub inverse_inertia: [f64; 6],
    /// Of the centre of mass, already holding what external forces add during the step [m/s].
    pub velocity: [f64; 3],
    /// World axes, already holding what external torques add during the step [rad/s].
    pub angular_velocity: [f64; 3],
}

/// A contact of a problem. Frozen: it never changes. All numbers are finite; body_a and body_b are two bodies, of which
/// an impulse moves at least one.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct dry_problem_contact {
    /// For warm starting; unique within a problem, rows included. 0: never warm started.
    pub key: u64,
    /// Index of the first body; UINT32_MAX: the fixed world.
    pub body_a: u32,
    /// Index of the second body; UINT32_MAX: the fixed world.
    pub body_b: u32,
    /// From body_a to body_b, of length 1 to 1e-9, world axes [-].
    pub normal: [f64; 3],
    /// From the centre of mass of body_a to the contact point, world axes; of the fixed world any [m].
    pub arm_a: [f64; 3],
    /// From the centre of mass of body_b to the contact point, world axes; of the fixed world any [m].
    pub arm_b: [f64; 3],
    /// The normal velocity plus this is not below 0: gap / step, or restitution times the normal velocity before [m/s].
    pub normal_bias: f64,
    /// The sliding velocity at which friction is at rest, world axes: a conveyor's, normally 0 [m/s].
    pub surface_velocity: [f64; 3],
    /// Normal velocity per normal impulse, 0 or above; 0: rigid [m/s per N s].
    pub normal_compliance: f64,
    /// Sliding velocity per friction impulse, 0 or above; 0: rigid [m/s per N s].
    pub tangential_compliance: f64,
    /// Coulomb's coefficient, 0 or above [-].
    pub friction: f64,
    /// Largest rolling torque over normal force, 0 or above [m].
    pub rolling: f64,
    /// Largest twisting torque over normal force, 0 or above [m].
    pub twisting: f64,
    /// Of the compatibility correction, relative to other contacts and to 1 / compliance of rows, 0 or above; 0: 1.
    pub stiffness: f64,
}

/// One scalar row of a problem, as legacy solvers use them. Frozen: it never changes.
///
/// jacobian_a . velocity_a + jacobian_b . velocity_b + compliance * impulse = rhs at the solution, as far as the bounds
/// of the impulse allow: at lower the left side may be larger, at upper smaller. The impulse acts on each body by its
/// Jacobian: force on its centre of mass, torque about it. All numbers are finite but the bounds; an impulse changes
/// the velocity of the row.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct dry_problem_row {
    /// For warm starting; unique within a problem, contacts included. 0: never warm started.
    pub key: u64,
    /// Index of the first body; UINT32_MAX: the fixed world.
    pub body_a: u32,
    /// Index of the second body; UINT32_MAX: the fixed world.
    pub body_b: u32,
    /// Of the first body: linear, angular.
    pub jacobian_a: [f64; 6],
    /// Of the second body: linear, angular.
    pub jacobian_b: [f64; 6],
    /// Right hand side, a velocity of the row [m/s, of a row of spins alone rad/s].
    pub rhs: f64,
    /// Velocity per impulse, 0 or above [m/s per N s].
    pub compliance: f64,
    /// Least impulse, at most upper; -INFINITY: none [N s]. With friction_row >= 0 times the magnitude of that row's
    /// impulse.
    pub lower: f64,
    /// Largest impulse; INFINITY: none [N s]. With friction_row >= 0 times the magnitude of that row's impulse.
    pub upper: f64,
    /// Index of the row whose impulse multiplies the bounds, another one with plain bounds; -1: plain bounds.
    pub friction_row: i32,
    /// Must be 0.
    pub reserved: u32,
}

/// Bodies, contacts and rows to be solved together, in this order of visits where the settings ask for the natural one:
/// rows, then contacts. Up to six rows of the same two bodies that follow each other are solved together, those without
/// bounds exactly: rows of one joint belong side by side. The caller owns the arrays. It zeroes this structure and sets
/// struct_size; later additions are parallel arrays at its end.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct dry_problem {
    /// Bytes of this structure.
    pub struct_size: usize,
    /// Duration of the step, 1e-100 to 1e100 [s].
    pub step: f64,
    /// body_count bodies; NULL only if that is 0.
    pub bodies: *const dry_problem_body,
    /// Number of bodies.
    pub body_count: usize,
    /// contact_count contacts; NULL only if that is 0.
    pub contacts: *const dry_problem_contact,
    /// Number of contacts, at most 2^27.
    pub contact_count: usize,
    /// row_count rows; NULL only if that is 0.
    pub rows: *const dry_problem_row,
    /// Number of rows, at most 2^27.
    pub row_count: usize,
}

/// The solution for a contact. Frozen: it never changes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct dry_contact_solution {
    /// Normal and friction, on body_b, world axes [N s].
    pub impulse: [f64; 3],
    /// Along the normal, 0 or above [N s].
    pub normal_impulse: f64,
    /// Rolling and twisting, on body_b, world axes [N m s].
    pub torque_impulse: [f64; 3],
    /// After the compatibility correction, on body_b, world axes; equal to impulse while that is off [N s].
    pub compatible_impulse: [f64; 3],
    /// How far velocities and impulse are from the laws of the contact [m/s].
    pub residual: f64,
    /// DRY_CONTACT_ bits. Rolling and sliding faster than the tolerance count, and 1e-12 m/s; new is a contact whose key
    /// the last call of the solver did not have.
    pub state: u32,
    /// Always 0.
    pub reserved: u32,
}

/// Where the solver writes. The caller zeroes it and sets struct_size; the arrays are the caller's, sized as in the
/// problem; NULL: not wanted.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct dry_solution {
    /// Bytes of this structure.
    pub struct_size: usize,
    /// 6 numbers per body: linear and angular velocity after the solve [m/s, rad/s].
    pub velocities: *mut f64,
    /// One per contact.
    pub contacts: *mut dry_contact_solution,
    /// One per row.
    pub row_impulses: *mut f64,
    /// How the solve went.
    pub report: *mut dry_step_report,
    /// One per row, after the compatibility correction; equal to row_impulses while that is off [N s].
    pub compatible_row_impulses: *mut f64,
}

/// A problem given only by its Delassus operator W: u = W r + q, with the rows normal, tangent 1, tangent 2 (and
/// rolling 1, rolling 2) of each contact. The caller zeroes it and sets struct_size; grows at its end.
///
/// W in block compressed rows: the blocks of contact i are blocks[d * d * k], row major, in column columns[k], for
/// row_offsets[i] <= k < row_offsets[i + 1]. Both halves of the symmetric matrix are there; the columns of a contact are
/// in any order, each once, its own among them. The caller owns the arrays; with no contacts they may be NULL.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct dry_local_problem {
    /// Bytes of this structure.
    pub struct_size: usize,
    /// Number of contacts.
    pub contact_count: usize,
    /// d, the rows of a contact: 3 or 5.
    pub dimension: u32,
    /// Must be 0.
    pub reserved: u32,
    /// contact_count + 1 numbers, rising from 0.
    pub row_offsets: *const u32,
    /// The contact of each block.
    pub columns: *const u32,
    /// d * d numbers per block.
    pub blocks: *const f64,
    /// d numbers per contact: velocities without any impulse [m/s, rolling rad/s].
    pub q: *const f64,
    /// Coulomb's coefficient of each contact, 0 or above [-].
    pub friction: *const f64,
    /// With d = 5, for each contact: rolling impulse over normal impulse, at most; 0 or above [m]. With d = 3 NULL.
    pub rolling: *const f64,
}

structure!(dry_problem);
structure!(dry_solution, compatible_row_impulses);
structure!(dry_local_problem);
