//! Static increments and limit loads of a world.

use core::ffi::c_void;
use std::sync::Arc;

use crate::error::{Error, Result, resize, text};
use crate::solver::monitor::Monitor;
use crate::world::{StaticDefinition, StaticReport, World};

use super::handle::{self, dry_world};
use super::iteration_progress::{IterationProgress, dry_iteration_progress};
use super::status_code::dry_status;
use super::structure::{self, same_members, structure};
use super::{environment, guard};

/// dry_static_report.flags: the loads cannot be carried. Bodies would move further than max_displacement, or for ever.
/// Nearly every collapse has DRY_STATIC_NOT_CONVERGED too, since no forces balance the loads: test the bit.
pub const DRY_STATIC_COLLAPSE: u32 = 1u32;
/// dry_static_report.flags: the result is less exact than the tolerance requires.
pub const DRY_STATIC_NOT_CONVERGED: u32 = 2u32;
/// dry_static_report.flags: of a limit load: it can grow without bound, as on a wedge that holds itself.
pub const DRY_STATIC_UNBOUNDED: u32 = 4u32;
/// dry_static_report.flags: of a limit load: a contact slides in the mechanism. With Coulomb's law the load that is
/// carried can then be lower: load_factor is its upper bound.
pub const DRY_STATIC_SLIDING_MECHANISM: u32 = 8u32;
/// dry_static_report.flags: with DRY_FRICTION_COULOMB no forces that obey Coulomb's law were found. Those of the
/// associated law stand.
pub const DRY_STATIC_NOT_COULOMB: u32 = 16u32;

/// How a static problem is solved. Filled in by dry_static_def_init; grows at its end.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct dry_static_def {
    /// Bytes of this structure.
    pub struct_size: usize,
    /// Time by which kinematic bodies, surfaces that move and velocity motors move with their velocities; up to 1e50 of
    /// either sign [s]. Default 1.
    pub increment: f64,
    /// A body that would move further is DRY_STATIC_COLLAPSE; turns count at half the mean size of what moves [m].
    /// Default 0: a tenth of that size.
    pub max_displacement: f64,
    /// Largest force that may be missing on a body, in units of the largest load of a body; above 0 [-]. Of a limit load
    /// also the gap up to which a contact touches, in units of the mean size of what moves. Default 1e-10. Whatever it
    /// is, contacts obey their laws to 1e-9 of that load, and rigid ones with a force are closed to 1e-9 of that size.
    pub tolerance: f64,
    /// Weight of the term that holds what no contact holds near its place; above 0 [-]. It does not change the answer of
    /// what is held. Default 1e-3.
    pub proximal: f64,
    /// How often that term is moved to where bodies are by then, at most; at least 1. Default 20.
    pub iterations: u32,
    /// Always 0.
    pub reserved: u32,
    /// Passed to progress; may be NULL.
    pub user_data: *mut c_void,
    /// The function that the call runs between its iterations, or NULL, the default. It runs on the calling thread and
    /// must not throw or longjmp. Within it every call on the same world is DRY_ERR_BUSY, also those that only read;
    /// other worlds may be used. It must not wait for a thread that uses the world.
    pub progress: dry_iteration_progress,
    /// The number of iterations between two calls of the function; 0 counts as 1. Default 1.
    pub every: u64,
}

structure!(dry_static_def, user_data);

impl Default for dry_static_def {
    fn default() -> Self {
        let definition = StaticDefinition::default();
        same_members! { definition { increment, max_displacement, tolerance, proximal, iterations } into Self {
            struct_size: size_of::<Self>(),
            reserved: 0,
            user_data: std::ptr::null_mut(),
            progress: None,
            every: 1,
        } }
    }
}

impl From<dry_static_def> for StaticDefinition {
    fn from(def: dry_static_def) -> Self {
        same_members! { def { increment, max_displacement, tolerance, proximal, iterations } into Self {} }
    }
}

/// The result of a static increment or of a limit load. The caller zeroes it and sets struct_size before the call;
/// grows at its end.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct dry_static_report {
    /// Bytes of this structure.
    pub struct_size: usize,
    /// DRY_STATIC_ bits.
    pub flags: u32,
    /// Systems of equations that were solved.
    pub iterations: u32,
    /// Largest force missing on a body; a torque counts at half the mean size of what moves [N].
    pub unbalanced: f64,
    /// Largest move of a body, turns as in dry_static_def.max_displacement; 0 of a limit load [m].
    pub displacement_max: f64,
    /// Elastic energy of the contacts; 0 of a limit load [J].
    pub elastic_energy: f64,
    /// Of a limit load: the largest factor of the unit loads; 0 of an increment [-].
    pub load_factor: f64,
}

structure!(dry_static_report);

impl From<&StaticReport> for dry_static_report {
    fn from(report: &StaticReport) -> Self {
        let bits = [
            (report.is_collapse, DRY_STATIC_COLLAPSE),
            (!report.is_converged, DRY_STATIC_NOT_CONVERGED),
            (report.is_unbounded, DRY_STATIC_UNBOUNDED),
            (report.slides, DRY_STATIC_SLIDING_MECHANISM),
            (report.is_associated, DRY_STATIC_NOT_COULOMB),
        ];
        let flags = bits.into_iter().filter(|(is_set, _)| *is_set).map(|(_, bit)| bit).sum();
        same_members! { report {
            iterations, unbalanced, displacement_max, elastic_energy, load_factor,
        } into Self { struct_size: size_of::<Self>(), flags } }
    }
}

/// Fills in the default definition.
///
/// def: the structure of the caller.
/// size: sizeof(dry_static_def) as the caller was compiled.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_static_def_init(def: *mut dry_static_def, size: usize) -> dry_status {
    // SAFETY: the host gives room for `size` bytes.
    guard::run("dry_static_def_init", || unsafe { structure::init("def", def, size) })
}

/// Balances all loads: bodies move to where their contacts carry their weight and the forces added for the next step.
///
/// It is the limit of slow loading: masses, velocities and damping have no part in it, and velocities stay as they are.
/// Kinematic bodies, surfaces that move and velocity motors move by their velocities times def->increment. A periodic
/// box is strained by its rates times it. Contacts are elastic where their materials have a normal_stiffness. Friction
/// follows settings.friction_law and remembers its force from increment to increment. Of rigid contacts, which leave
/// forces open, those of least stress are taken: the limit of contacts that get stiffer. [N] eq. 4.16.
///
/// Gaps are followed to first order: bodies should move by less than the margin of contacts in an increment. A wall
/// that is held by a force is a dynamic body with all but one axis locked. Overlap of rigid contacts is undone. It is
/// kept where no answer is found otherwise, as of a body that friction grips so that no move opens all its contacts.
///
/// Afterwards dry_query_contacts has the forces [N], and added forces are used up. A collapse is no error but a flag.
/// With DRY_STATIC_COLLAPSE or DRY_STATIC_NOT_CONVERGED nothing has changed. An increment breaks no joint, and leaves
/// no joint events.
///
/// A large problem takes long. The call runs def->progress between the iterations of all its methods. The function
/// changes no answer. If it asks to stop, the call writes nothing, and the world is as before to the last bit: the same
/// increment can be made again. A call is interrupted only between iterations, not within one, nor while it finds
/// contacts.
///
/// def: how it is solved.
/// displacements_or_null: receives six numbers for each body in the order of creation: its move, then its turn as a
/// rotation vector, world axes [m, rad]. Of a collapse they are the way in which it begins.
/// count: number of bodies; 0 will do with NULL.
/// report: receives what happened.
///
/// DRY_ERR_UNSUPPORTED: a joint has a spring, a damper or a rotor, or settings.friction_law is DRY_FRICTION_BOX.
/// DRY_ERR_NOT_FINITE: a body would be beyond the limits.
/// DRY_ERR_STOPPED: def->progress asked to stop. The message says after how many iterations.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_world_solve_static(
    world: *mut dry_world,
    def: *const dry_static_def,
    displacements_or_null: *mut f64,
    count: usize,
    report: *mut dry_static_report,
) -> dry_status {
    guard::run("dry_world_solve_static", || {
        let names = ["displacements", "count"];
        // SAFETY: the host gives two structures of the sizes they say, and room for six numbers a body, or NULL.
        let (problem, place, moves) = unsafe {
            let problem = StaticProblem::from_host(world, def)?;
            let place = structure::output("report", report)?;
            (problem, place, guard::filled_or_null(names, displacements_or_null.cast(), count)?)
        };
        guard::check_overlap(&[moves.region("displacements"), place.region("report")], &[])?;
        environment::check()?;
        let (found, written) = problem.solve(|world, definition| {
            let mut written = rows(world, count, displacements_or_null.is_null())?;
            Ok((world.solve_static(definition, &mut written)?, written))
        })?;
        moves.write(written.into_iter());
        place.write(dry_static_report::from(&found));
        Ok(())
    })
}

/// Finds how far loads can grow in addition to the weight of bodies and the forces added for the next step, which do
/// not grow. It is the largest load_factor at which the contacts carry both. Changes nothing.
///
/// Contacts obey the associated law, whatever settings.friction_law is, and their stiffness does not matter. The factor
/// is exact for Coulomb's law too where nothing slides in the mechanism, else an upper bound:
/// DRY_STATIC_SLIDING_MECHANISM. If it is below 0, the present loads alone are not carried. Where no factor will do, it
/// is -INFINITY with DRY_STATIC_COLLAPSE. Where all large ones do, it is INFINITY with DRY_STATIC_UNBOUNDED; by
/// Coulomb's law there may be a limit. [N] section 4.4.
///
/// Kinematic bodies, surfaces that move and velocity motors stand still.
///
/// Contacts that touch take part: gaps up to def->tolerance of the mean size of what moves, and overlaps. An increment
/// leaves gaps of second order in its moves, so repeat it until displacement_max is that small.
///
/// unit_loads: six numbers for each body in the order of creation. They are the force, and the torque about the
/// centre of mass, world axes [N, N m].
///
/// count: number of bodies.
///
/// def: the settings of the solution; only tolerance and the function, as in dry_world_solve_static, are used.
///
/// mechanism_or_null: receives six numbers for each body: its displacement and its turn when the limit is reached,
/// world axes [m, rad]. The unit loads do the work 1 in them. With DRY_STATIC_COLLAPSE the present loads do so, together
/// with motors and friction of joints, and with DRY_STATIC_UNBOUNDED they are 0.
///
/// report: receives the report.
///
/// DRY_ERR_ARGUMENT: unit_loads act on no body that can move, or sums of loads are out of range.
/// DRY_ERR_UNSUPPORTED, DRY_ERR_STOPPED: as dry_world_solve_static.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_world_limit_load(
    world: *mut dry_world,
    unit_loads: *const f64,
    count: usize,
    def: *const dry_static_def,
    mechanism_or_null: *mut f64,
    report: *mut dry_static_report,
) -> dry_status {
    guard::run("dry_world_limit_load", || {
        let names = ["mechanism", "count"];
        // SAFETY: the host gives two structures of the sizes they say, and six numbers a body twice.
        let (problem, place, loads, moves) = unsafe {
            let problem = StaticProblem::from_host(world, def)?;
            let place = structure::output("report", report)?;
            let loads = guard::array(["unit_loads", "count"], unit_loads.cast::<[f64; 6]>(), count)?;
            (problem, place, loads, guard::filled_or_null(names, mechanism_or_null.cast(), count)?)
        };
        let given = guard::Region::new("unit_loads", unit_loads.cast::<[f64; 6]>(), count);
        guard::check_overlap(&[moves.region("mechanism"), place.region("report")], &[given])?;
        environment::check()?;
        let (found, written) = problem.solve(|world, definition| {
            let mut written = rows(world, count, mechanism_or_null.is_null())?;
            Ok((world.limit_load(loads, definition, &mut written)?, written))
        })?;
        moves.write(written.into_iter());
        place.write(dry_static_report::from(&found));
        Ok(())
    })
}

/// A static problem of a world, as the host defines it.
struct StaticProblem {
    world: Arc<dry_world>,
    definition: StaticDefinition,
    /// Calls the host's function, if there is one.
    monitor: Monitor,
}

impl StaticProblem {
    /// Returns what the host gave, checked.
    ///
    /// # Safety
    /// If `def` is neither NULL nor misaligned, it points to a structure of the size in its first member. Its function may be
    /// called, as the interface allows, for as long as the result lives.
    unsafe fn from_host(world: *mut dry_world, def: *const dry_static_def) -> Result<Self> {
        let world = handle::of(world)?;
        // SAFETY: this function's own condition.
        let def = unsafe { structure::read("def", def) }?;
        structure::reserved(def.reserved)?;
        // SAFETY: this function's own condition.
        let watch = |function| unsafe { IterationProgress::new(function, def.user_data, def.every, world.callback()) };
        let monitor = IterationProgress::monitor(def.progress.map(watch).as_ref());
        Ok(Self { world, definition: StaticDefinition::from(def), monitor })
    }

    /// Solves the problem, with the host's function between the iterations.
    fn solve<T>(&self, solve: impl FnOnce(&mut World, &StaticDefinition) -> Result<T>) -> Result<T> {
        self.world.step(|inside| {
            inside.set_static_monitor(&self.monitor)?;
            let answer = solve(inside, &self.definition);
            inside.set_static_monitor(&Monitor::default())?;
            answer
        })
    }
}

/// Room for six numbers of each body, none where they are not wanted.
fn rows(world: &World, count: usize, are_unwanted: bool) -> Result<Vec<[f64; 6]>> {
    let bodies = world.body_count();
    if count != bodies && !(count == 0 && are_unwanted) {
        return Err(Error::argument(text!("count is {count}, expected {bodies}, the number of bodies")));
    }
    let mut rows = Vec::new();
    resize(&mut rows, if are_unwanted { 0 } else { count }, [0.0; 6], "bodies")?;
    Ok(rows)
}
