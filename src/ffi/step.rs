//! Stepping a world, and what a step reports.

use crate::error::Result;
use crate::world::{Report, StepFailure};

use super::handle::{self, dry_joint, dry_world};
use super::status_code::dry_status;
use super::structure::{self, same_members, structure};
use super::{environment, guard};

/// dry_step_report.flags: residual_max stayed above the tolerance.
pub const DRY_REPORT_NOT_CONVERGED: u32 = 1u32;
/// dry_step_report.flags: in at least one island the projection was rejected.
pub const DRY_REPORT_PROJECTION_REJECTED: u32 = 2u32;
/// dry_step_report.flags: the correction found loads that no contact forces carry.
pub const DRY_REPORT_COMPATIBILITY_INFEASIBLE: u32 = 4u32;
/// dry_step_report.flags: the correction stopped above its tolerance, or the elastic form of friction was not found.
pub const DRY_REPORT_COMPATIBILITY_NOT_CONVERGED: u32 = 8u32;
/// dry_step_report.flags: an island was larger than newton_limit, or had a ball joint with dry friction, and was solved
/// by DRY_SOLVER_PGS_ACCELERATED.
pub const DRY_REPORT_FALLBACK: u32 = 16u32;
/// dry_step_report.flags: in at least one island the compatible forces are not unique. The correction kept a part of
/// the solver's forces unchanged. This part can be friction with DRY_COMPATIBLE_FRICTION_OFF, torques of rolling and
/// twisting, or impulses of rows that scale bounds or whose bounds are scaled or exclude 0. It can be all forces
/// where the correction found none. The flag is set too where rows without compliance follow from others. It is also
/// set where the residual of the solve is so large that the forces depend on the order of sweeps by more than 1e-8 of
/// the largest one.
pub const DRY_REPORT_COMPATIBILITY_NOT_UNIQUE: u32 = 32u32;
/// dry_step_report.flags: in at least one island no velocities obey all contacts and joints, such as a body between
/// two walls that come closer. DRY_SOLVER_CONIC detects this. So does DRY_SOLVER_NEWTON with the associated law on
/// compliant contacts. The other solvers leave a residual. The answer is as near as they came.
pub const DRY_REPORT_INFEASIBLE: u32 = 64u32;

/// The report of a step. The caller zeroes it and sets struct_size before the call; grows at its end.
///
/// The residual of a contact is how far velocities and impulses are from its laws, as a velocity: 0 where they hold.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct dry_step_report {
    /// Bytes of this structure.
    pub struct_size: usize,
    /// DRY_REPORT_ bits.
    pub flags: u32,
    /// Bodies of the world, or of the problem.
    pub bodies: u32,
    /// Bodies that moved or could have; without those that sleep.
    pub awake_bodies: u32,
    /// Groups of moving bodies that touch each other; without those that sleep.
    pub islands: u32,
    /// Contacts, those that carry nothing and those of sleeping bodies included.
    pub contacts: u32,
    /// Contacts that the step, or the call, before did not have.
    pub new_contacts: u32,
    /// Sweeps, the most over the islands; with substeps, the sum over them.
    pub iterations: u32,
    /// Passes of the projection, the most over the islands.
    pub projection_passes: u32,
    /// Newton steps of the correction, the most over the islands.
    pub compatibility_iterations: u32,
    /// Always 0.
    pub reserved: u32,
    /// Key of the contact, or of the row of a problem, with residual_max; 0 without contacts.
    pub worst_contact: u64,
    /// Largest residual of the velocities and impulses finally used [m/s].
    pub residual_max: f64,
    /// Its mean over the contacts [m/s].
    pub residual_mean: f64,
    /// Largest residual before the projection [m/s].
    pub solver_residual: f64,
    /// Of the correction: the error of the compatible forces in the resultants of the solver's forces on the bodies,
    /// as norms, over these resultants. It is the largest over the islands whose loads can be carried [-].
    pub compatibility_residual: f64,
    /// Largest overlap at the start of the step [m].
    pub max_overlap: f64,
    /// At the end of the step [J]; infinite for speeds whose square is beyond the largest number.
    pub kinetic_energy: f64,
    /// At the end of the step, relative to the world's origin [J].
    pub potential_energy: f64,
    /// Time spent finding contacts [s].
    pub seconds_detect: f64,
    /// Time spent turning bodies and contacts into equations [s].
    pub seconds_assemble: f64,
    /// Time spent in the impact stage [s].
    pub seconds_impact: f64,
    /// Time spent in the sweeps [s].
    pub seconds_solve: f64,
    /// Time spent in the projection [s].
    pub seconds_project: f64,
    /// Time spent in the correction [s].
    pub seconds_compatibility: f64,
    /// Time spent moving bodies, and undoing overlap [s].
    pub seconds_integrate: f64,
    /// Time of the whole step [s].
    pub seconds_total: f64,
    /// Islands in which sticking contacts were made exact constraints.
    pub projected_islands: u32,
    /// Islands in which that did not lower the residual, and which were left as the sweeps had them.
    pub rejected_islands: u32,
    /// Islands whose loads no contact forces carry; their compatible forces are those of the solver.
    pub infeasible_islands: u32,
    /// Of DRY_COMPATIBLE_FRICTION_ELASTIC: islands in which it did not converge, and that of
    /// DRY_COMPATIBLE_FRICTION_ASSOCIATED stands.
    pub associated_islands: u32,
    /// Contacts that the correction took for closed: those that carry impulse, or do not open.
    pub closed_contacts: u32,
    /// Those of them whose friction is above its bound of the compatible normal force. With
    /// DRY_COMPATIBLE_FRICTION_OFF friction is unchanged.
    pub contacts_beyond_friction: u32,
    /// Contacts that open more slowly than this counted as closed [m/s].
    pub closing_velocity: f64,
    /// Joints of the world, those that are off or broken included.
    pub joints: u32,
    /// Mechanisms whose joints were not aimed at the end of the step, as their links turn too fast under their load.
    /// They stay whole, and fast swings lose energy. The number is the largest over the substeps. More substeps avoid
    /// this loss.
    pub unaimed_mechanisms: u32,
    /// Joint with joint_residual; 0 without joints.
    pub worst_joint: dry_joint,
    /// Largest residual of a row of a joint [m/s]. Rows of turns count at the distance at which a torque counts as a
    /// force.
    pub joint_residual: f64,
    /// Largest distance that joints are apart along what they lock, at the end of the step [m].
    pub joint_error: f64,
    /// Length of a substep times the largest angular frequency at which a mechanism swings under its own forces; an
    /// upper bound where it is small [-]. Above 1.7 joints are not aimed; as many times more substeps are needed.
    pub joint_stiffness: f64,
    /// Time spent on mechanisms outside of the sweeps; it is a part of seconds_assemble and seconds_integrate [s].
    pub seconds_joints: f64,
    /// With DRY_DIAGNOSE_RESIDUALS, of the last substep: mean residual of the contacts along their normals, each part of
    /// a contact measured with the others as they are [m/s].
    pub residual_normal: f64,
    /// Likewise, of friction [m/s].
    pub residual_friction: f64,
    /// Likewise, of rolling and twisting, at the distance where a torque counts as a force [m/s].
    pub residual_rolling: f64,
    /// With DRY_DIAGNOSE_ENERGY: elastic energy of the contacts of bodies that are awake, at the end of the step [J].
    /// Over a step, kinetic_energy, potential_energy and elastic_energy of bodies that stay awake gain wall_work,
    /// joint_work, force_work and numerical_energy, and lose the four losses. This balance is exact to round-off. An
    /// entry can be infinite or no number where the square of a speed is.
    pub elastic_energy: f64,
    /// Lost by sliding in the step, and by coming to stick [J].
    pub friction_loss: f64,
    /// Lost by rolling and twisting resistance [J].
    pub rolling_loss: f64,
    /// Lost along the normals by DRY_METHOD_RIGID; with DRY_METHOD_SPOOK all that the impact stage took [J].
    pub impact_loss: f64,
    /// Lost in the damping of contacts and of bodies [J].
    pub damping_loss: f64,
    /// Done through contacts by kinematic bodies, by surfaces that move over their bodies, and by the images of a
    /// strained box [J].
    pub wall_work: f64,
    /// Done by joints on the bodies that they move: motors, springs, limits and friction [J].
    pub joint_work: f64,
    /// Done by the forces and torques of the host; gravity is in potential_energy [J].
    pub force_work: f64,
    /// Energy that the integrator added [J]. It comes from the position pass, the fall within a step, and contacts
    /// that came or went while they overlapped. It also comes from the part of elastic forces that makes them stable.
    pub numerical_energy: f64,
}

structure!(dry_step_report, projected_islands, infeasible_islands, joints, residual_normal);

impl From<&Report> for dry_step_report {
    fn from(report: &Report) -> Self {
        same_members! { report {
            flags, bodies, awake_bodies, islands, contacts, new_contacts, iterations, projection_passes,
            compatibility_iterations, worst_contact, residual_max, residual_mean, solver_residual, compatibility_residual,
            max_overlap, kinetic_energy, potential_energy, seconds_detect, seconds_assemble, seconds_impact, seconds_solve,
            seconds_project, seconds_compatibility, seconds_integrate, seconds_total, projected_islands, rejected_islands,
            infeasible_islands, associated_islands, closed_contacts, contacts_beyond_friction, closing_velocity, joints,
            unaimed_mechanisms, joint_residual, joint_error, joint_stiffness, seconds_joints, residual_normal,
            residual_friction, residual_rolling,
        } into Self {
            struct_size: size_of::<Self>(),
            reserved: 0,
            worst_joint: report.worst_joint.0,
            elastic_energy: report.ledger.elastic,
            friction_loss: report.ledger.friction_loss,
            rolling_loss: report.ledger.rolling_loss,
            impact_loss: report.ledger.impact_loss,
            damping_loss: report.ledger.damping_loss,
            wall_work: report.ledger.wall_work,
            joint_work: report.ledger.joint_work,
            force_work: report.ledger.force_work,
            numerical_energy: report.ledger.numerical,
        } }
    }
}

/// Advances a world by one step.
///
/// step: its duration, 1e-100 to 1e100, in seconds and not in milliseconds [s]. A body should move less than its own
/// size in it; 1/60 to 1/1000 are usual. report_or_null: receives what happened.
///
/// The calling thread works, alone or with others, as dry_world_def sets it.
///
/// DRY_ERR_BUSY: the world is being stepped on the host's tasks already. DRY_ERR_NOT_FINITE: the step would have
/// ended in NaN or beyond the limits; the message names the body, or the member of the report.
/// DRY_ERR_NOT_CONVERGED: only with require_convergence; the report is written. DRY_ERR_UNSUPPORTED: the calling
/// thread flushes small numbers to zero or does not round to nearest. In all these cases the world is as before the
/// step.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_world_step(
    world: *mut dry_world,
    step: f64,
    report_or_null: *mut dry_step_report,
) -> dry_status {
    guard::run("dry_world_step", || {
        // SAFETY: the host gives NULL or a structure of the size it says.
        let (world, place) = unsafe { (handle::of(world)?, structure::output_or_null("report", report_or_null)?) };
        environment::check()?;
        let answer = world.step(|world| Ok(world.step(step)))?;
        written(answer, |report| place.write(dry_step_report::from(report)))
    })
}

/// Writes the report of a step or a solve, also of one that failed because it did not converge. Returns the error of
/// the failure, if any.
pub(super) fn written(answer: std::result::Result<Report, StepFailure>, write: impl FnOnce(&Report)) -> Result<()> {
    match answer {
        Ok(report) => {
            write(&report);
            Ok(())
        }
        Err(StepFailure { error, report }) => {
            if let Some(report) = report {
                write(&report);
            }
            Err(error)
        }
    }
}
