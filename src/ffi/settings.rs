//! The settings of a world.

use std::mem::MaybeUninit;

use crate::error::{Error, Result};
use crate::world::settings::{
    Compatibility, CompatibleFriction, ContactLaw, FrictionLaw, LocalSolver, Projection, Settings, SolverKind, Sweep,
    WarmStart,
};

use super::choices::{
    dry_compatibility, dry_compatible_friction, dry_friction_law, dry_local_solver, dry_method, dry_projection,
    dry_solver_kind, dry_sweep, dry_warm_start,
};
use super::guard;
use super::status_code::dry_status;
use super::structure::{self, Recorded, Structure, number, numbered};

/// How a world steps. Filled in by dry_settings_init; grows at its end.
///
/// Every member is checked, also where the chosen method and solver do not use it. Used by none that this version
/// offers, and otherwise ignored: theta; seed but for DRY_SWEEP_RANDOM; warm_start_factor with DRY_WARM_OFF and
/// DRY_WARM_GUARDED; projection_passes with DRY_PROJECTION_OFF; newton_limit but for DRY_SOLVER_NEWTON; sweep and
/// relaxation with DRY_SOLVER_NEWTON and DRY_SOLVER_APGD, but for the sweeps of the projection and of islands above
/// newton_limit; compatible_friction, compatibility_tolerance and tangential_stiffness with DRY_COMPATIBILITY_OFF;
/// compatibility_exponent but for DRY_COMPATIBILITY_POWER.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct dry_settings {
    /// Bytes of this structure.
    pub struct_size: usize,
    /// How contacts act on bodies. Default DRY_METHOD_RIGID.
    pub method: MaybeUninit<dry_method>,
    /// How the contact problem is solved. Default DRY_SOLVER_PGS.
    pub solver: MaybeUninit<dry_solver_kind>,
    /// In which order contacts are visited. Default DRY_SWEEP_COLORED.
    pub sweep: MaybeUninit<dry_sweep>,
    /// How one contact is solved. Default DRY_LOCAL_BLOCK.
    pub local_solver: MaybeUninit<dry_local_solver>,
    /// Where impulses start. Default DRY_WARM_HISTORY.
    pub warm_start: MaybeUninit<dry_warm_start>,
    /// Default DRY_FRICTION_COULOMB.
    pub friction_law: MaybeUninit<dry_friction_law>,
    /// What follows the sweeps. Default DRY_PROJECTION_OFF.
    pub projection: MaybeUninit<dry_projection>,
    /// The law of the compatibility correction. Default DRY_COMPATIBILITY_OFF.
    pub compatibility: MaybeUninit<dry_compatibility>,
    /// What the correction does with friction. Default DRY_COMPATIBLE_FRICTION_OFF.
    pub compatible_friction: MaybeUninit<dry_compatible_friction>,
    /// Most sweeps per step, or steps of Newton or of gradients; 0, the default: the solver's own number, 50 sweeps.
    /// Usual: 10 to 200. With too few, tall piles sink and forces do not balance between bodies; the reported residual
    /// tells.
    pub iterations: u32,
    /// Of DRY_PROJECTION_STICK: most passes. Default 3; 0 is none at all.
    pub projection_passes: u32,
    /// Flag, default 1: overlap is undone by moving bodies after the step, so that it costs no force and no energy.
    /// A fifth of what overlaps at the end of a step is undone in it. Where two bodies touch at several points, up to a
    /// tenth of contact_margin is left for as long as the sweeps have not converged: it keeps stacks from rocking.
    /// 0: overlap is undone through the velocities, as legacy engines do, and the reported forces contain it.
    pub position_projection: u32,
    /// Flag, default 0. 1: bodies that rest fall asleep and cost nothing until something wakes them. Bodies that touch
    /// fall asleep together, static ones do not connect them: when all have been slow for half a second, that is, no
    /// point of them was faster than 2 % of what gravity gives a body in a substep, no force of the host acted on them,
    /// and nothing that moves touched them. A body alone without weight must be at rest exactly.
    /// A sleeping body has no velocity. Its contacts, its forces and those on what it rests on stay as its last step
    /// left them, whatever the length of later steps; they balance its weight to that 2 %, and as well as the sweeps
    /// had converged by then. Only the compatible forces of bodies that are awake are corrected.
    /// What wakes a body wakes all that fell asleep with it, at once: a moving body that comes within contact_margin,
    /// which that same step solves; a force or torque that is not zero, a new state, dry_body_wake; anything that is
    /// done to a static or kinematic body on which it rests, or that comes to lie against it; the removal of a body that
    /// it touches. Another gravity, other settings and another pair of materials wake everybody. Keys and the impulses
    /// to start from outlast sleep.
    pub sleeping: u32,
    /// Flag, default 0. 1: a step whose largest residual stays above tolerance is undone, with its report written, and
    /// answers DRY_ERR_NOT_CONVERGED; needs a tolerance above 0.
    pub require_convergence: u32,
    /// Of DRY_SWEEP_RANDOM. Default 0; any number.
    pub seed: u64,
    /// The sweeps end when the largest residual over the contacts is below this [m/s]. Default 0: all sweeps are done.
    /// Usual: 1e-8 to 1e-4 of the speeds in play; below about 1e-15 of them round-off is in the way.
    pub tolerance: f64,
    /// Factor on the change of a contact's impulse, above 0 and below 2 [-]. Default 1. Below 1 sweeps converge more
    /// slowly; much above 1 they swing in stiff piles, and near 2 they add energy.
    pub relaxation: f64,
    /// Factor on the impulses that a step starts from, 0 to 1 [-]. Default 1. Less forgets: with few sweeps a pile then
    /// rests on forces that are steadily too small; at 1 it may jitter instead.
    pub warm_start_factor: f64,
    /// Of DRY_METHOD_THETA, 0.5 to 1 [-]. Default 0.5.
    pub theta: f64,
    /// Of DRY_COMPATIBILITY_POWER, above 1 [-]. Default 2.
    pub compatibility_exponent: f64,
    /// Of the correction: how well compatible forces have the resultants of the solver's, relative, above 0 [-]. Default
    /// 1e-8.
    pub compatibility_tolerance: f64,
    /// Tangential over normal stiffness of the correction, above 0 [-]. Default 2/7.
    pub tangential_stiffness: f64,
    /// Contacts are made up to this gap, 0 or above [m]. Default 1e-3. Choose 1 to 10 % of the smallest body, or the
    /// distance travelled in a step: a body that moves further in one step may overlap for a step; a wide margin costs
    /// contacts that carry nothing.
    pub contact_margin: f64,
    /// Largest speed at which overlap is undone, 0 or above [m/s]. Default 1. At 0 overlap stays; at large values
    /// bodies that were put into each other jump apart.
    pub push_out_velocity: f64,
    /// A contact approaching faster than this takes restitution, in the step before it closes; 0 or above [m/s].
    /// Default 0.01. Near 0 a resting pile rattles; above the impact speeds nothing rebounds.
    pub restitution_threshold: f64,
    /// Of DRY_SOLVER_NEWTON: the largest island, counted in contacts and rows, that it solves; larger ones are solved by
    /// DRY_SOLVER_PGS_ACCELERATED, and the report says so. Default 10000.
    pub newton_limit: u32,
    /// Parts of equal length that a step is done in, one after the other; 0, the default, and 1: one; at most 1000.
    /// The contacts are found once in a step; iterations are those of a part, and forces are averages over the step.
    /// Usual: 4 to 20 parts of a few iterations each, for tall stacks and large ratios of masses.
    pub substeps: u32,
}

impl Recorded for dry_settings {
    const NAME: &'static str = "dry_settings";
    const SIZES: &'static [usize] = &[std::mem::offset_of!(Self, newton_limit), size_of::<Self>()];
}

// SAFETY: `repr(C)`, begins with its size, has no padding (tested), and holds nothing but numbers.
unsafe impl Structure for dry_settings {}

impl Default for dry_settings {
    fn default() -> Self {
        Self::from(&Settings::default())
    }
}

impl From<&Settings> for dry_settings {
    fn from(settings: &Settings) -> Self {
        Self {
            struct_size: size_of::<Self>(),
            method: numbered(settings.method as u32),
            solver: numbered(settings.solver as u32),
            sweep: numbered(settings.sweep as u32),
            local_solver: numbered(settings.local_solver as u32),
            warm_start: numbered(settings.warm_start as u32),
            friction_law: numbered(settings.friction_law as u32),
            projection: numbered(settings.projection as u32),
            compatibility: numbered(settings.compatibility as u32),
            compatible_friction: numbered(settings.compatible_friction as u32),
            iterations: settings.iterations,
            projection_passes: settings.projection_passes,
            position_projection: settings.position_projection.into(),
            sleeping: settings.sleeping.into(),
            require_convergence: settings.require_convergence.into(),
            seed: settings.seed,
            tolerance: settings.tolerance,
            relaxation: settings.relaxation,
            warm_start_factor: settings.warm_start_factor,
            theta: settings.theta,
            compatibility_exponent: settings.compatibility_exponent,
            compatibility_tolerance: settings.compatibility_tolerance,
            tangential_stiffness: settings.tangential_stiffness,
            contact_margin: settings.contact_margin,
            push_out_velocity: settings.push_out_velocity,
            restitution_threshold: settings.restitution_threshold,
            newton_limit: settings.newton_limit,
            // 0 where an older host has a reserved member.
            substeps: if settings.substeps == 1 { 0 } else { settings.substeps },
        }
    }
}

impl dry_settings {
    /// The settings behind the numbers. Ranges, and what is offered, the world checks.
    pub(super) fn checked(&self) -> Result<Settings> {
        Ok(Settings {
            method: chosen("method", "DRY_METHOD_", number(self.method), ContactLaw::from_number)?,
            solver: chosen("solver", "DRY_SOLVER_", number(self.solver), SolverKind::from_number)?,
            sweep: chosen("sweep", "DRY_SWEEP_", number(self.sweep), Sweep::from_number)?,
            local_solver: chosen("local_solver", "DRY_LOCAL_", number(self.local_solver), LocalSolver::from_number)?,
            warm_start: chosen("warm_start", "DRY_WARM_", number(self.warm_start), WarmStart::from_number)?,
            friction_law: chosen("friction_law", "DRY_FRICTION_", number(self.friction_law), FrictionLaw::from_number)?,
            projection: chosen("projection", "DRY_PROJECTION_", number(self.projection), Projection::from_number)?,
            compatibility: chosen(
                "compatibility",
                "DRY_COMPATIBILITY_",
                number(self.compatibility),
                Compatibility::from_number,
            )?,
            compatible_friction: chosen(
                "compatible_friction",
                "DRY_COMPATIBLE_FRICTION_",
                number(self.compatible_friction),
                CompatibleFriction::from_number,
            )?,
            iterations: self.iterations,
            projection_passes: self.projection_passes,
            position_projection: structure::flag("position_projection", self.position_projection)?,
            sleeping: structure::flag("sleeping", self.sleeping)?,
            require_convergence: structure::flag("require_convergence", self.require_convergence)?,
            seed: self.seed,
            tolerance: self.tolerance,
            relaxation: self.relaxation,
            warm_start_factor: self.warm_start_factor,
            theta: self.theta,
            compatibility_exponent: self.compatibility_exponent,
            compatibility_tolerance: self.compatibility_tolerance,
            tangential_stiffness: self.tangential_stiffness,
            contact_margin: self.contact_margin,
            push_out_velocity: self.push_out_velocity,
            restitution_threshold: self.restitution_threshold,
            newton_limit: self.newton_limit,
            substeps: self.substeps.max(1),
        })
    }
}

fn chosen<T>(name: &str, prefix: &str, number: u32, choice: impl Fn(u32) -> Option<T>) -> Result<T> {
    choice(number).ok_or_else(|| Error::argument(format!("{name} is {number}, expected a {prefix} constant")))
}

/// Fills in the default settings.
///
/// settings: the structure of the caller.
/// size: sizeof(dry_settings) as the caller was compiled.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_settings_init(settings: *mut dry_settings, size: usize) -> dry_status {
    // SAFETY: the host gives room for `size` bytes.
    guard::run(|| unsafe { structure::init("settings", settings, size) })
}
