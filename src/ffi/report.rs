//! What a step reports.

use crate::world::Report;

use super::structure::{Recorded, Structure};

/// dry_step_report.flags: residual_max stayed above the tolerance.
pub const DRY_REPORT_NOT_CONVERGED: u32 = 1u32;
/// dry_step_report.flags: in at least one island the projection was rejected.
pub const DRY_REPORT_PROJECTION_REJECTED: u32 = 2u32;
/// dry_step_report.flags: the correction found loads that no contact forces carry.
pub const DRY_REPORT_COMPATIBILITY_INFEASIBLE: u32 = 4u32;
/// dry_step_report.flags: the correction stopped above its tolerance, or the elastic form of friction was not found.
pub const DRY_REPORT_COMPATIBILITY_NOT_CONVERGED: u32 = 8u32;

/// dry_step_report.flags: an island was larger than newton_limit and was solved by DRY_SOLVER_PGS_ACCELERATED.
pub const DRY_REPORT_FALLBACK: u32 = 16u32;

/// What happened in a step. The caller zeroes it and sets struct_size before the call; grows at its end.
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
    /// Of the correction: what the compatible forces miss in the resultants of the solver's on the bodies, as norms,
    /// over these; the largest over the islands whose loads can be carried [-].
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
    /// Those of them whose friction is above its bound of the compatible normal force; with
    /// DRY_COMPATIBLE_FRICTION_OFF friction stays as it was.
    pub contacts_beyond_friction: u32,
    /// Contacts that open more slowly than this counted as closed [m/s].
    pub closing_velocity: f64,
}

impl Recorded for dry_step_report {
    const NAME: &'static str = "dry_step_report";
    const SIZES: &'static [usize] = &[
        std::mem::offset_of!(Self, projected_islands),
        std::mem::offset_of!(Self, infeasible_islands),
        size_of::<Self>(),
    ];
}

// SAFETY: `repr(C)`, begins with its size, has no padding (tested), and holds nothing but numbers.
unsafe impl Structure for dry_step_report {}

impl From<&Report> for dry_step_report {
    fn from(report: &Report) -> Self {
        Self {
            struct_size: size_of::<Self>(),
            flags: report.flags,
            bodies: report.bodies,
            awake_bodies: report.awake_bodies,
            islands: report.islands,
            contacts: report.contacts,
            new_contacts: report.new_contacts,
            iterations: report.iterations,
            projection_passes: report.projection_passes,
            compatibility_iterations: report.compatibility_iterations,
            reserved: 0,
            worst_contact: report.worst_contact,
            residual_max: report.residual_max,
            residual_mean: report.residual_mean,
            solver_residual: report.solver_residual,
            compatibility_residual: report.compatibility_residual,
            max_overlap: report.max_overlap,
            kinetic_energy: report.kinetic_energy,
            potential_energy: report.potential_energy,
            seconds_detect: report.seconds_detect,
            seconds_assemble: report.seconds_assemble,
            seconds_impact: report.seconds_impact,
            seconds_solve: report.seconds_solve,
            seconds_project: report.seconds_project,
            seconds_compatibility: report.seconds_compatibility,
            seconds_integrate: report.seconds_integrate,
            seconds_total: report.seconds_total,
            projected_islands: report.projected_islands,
            rejected_islands: report.rejected_islands,
            infeasible_islands: report.infeasible_islands,
            associated_islands: report.associated_islands,
            closed_contacts: report.closed_contacts,
            contacts_beyond_friction: report.contacts_beyond_friction,
            closing_velocity: report.closing_velocity,
        }
    }
}
