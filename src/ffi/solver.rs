//! Bring your own contacts: the solver without a world.

use std::sync::Arc;

use parking_lot::Mutex;

use crate::error::{Error, ErrorKind, Result};
use crate::world::Settings;
use crate::world::external::ContactSolver;

use super::callback::Callback;
use super::environment;
use super::guard::{self, Region};
use super::handle::PoisonFlag;
use super::host_problem::{Inputs, Outputs, local, local_regions};
use super::iteration_progress::IterationProgress;
use super::live::Live;
use super::problem::{dry_local_problem, dry_problem, dry_solution};
use super::settings::dry_settings;
use super::solver_progress::{self, dry_solver_progress};
use super::status_code::dry_status;
use super::step::{dry_step_report, written};
use super::structure::{self, Structure};

/// A solver that is called without a world. It keeps impulses by key, for warm starting, and its workspace: a call with
/// a problem of the size of the last one allocates nothing.
///
/// Made by dry_solver_create, ended by dry_solver_destroy. Solvers are independent of each other. Of one solver, one
/// thread may make a call at a time: another one's call is DRY_ERR_BUSY.
pub struct dry_solver {
    lock: Mutex<Locked>,
    poison: PoisonFlag,
    callback: Arc<Callback>,
}

/// The data that one thread uses at a time.
#[derive(Default)]
struct Locked {
    solver: ContactSolver,
    progress: Option<Arc<IterationProgress>>,
}

impl dry_solver {
    fn new() -> Self {
        let callback = Arc::new(Callback::new("solver"));
        Self { lock: Mutex::default(), poison: PoisonFlag::new("solver"), callback }
    }

    /// Uses the solver, unless another thread or a callback of its own does, or a defect has broken it.
    pub(super) fn with<T>(&self, work: impl FnOnce(&mut ContactSolver) -> Result<T>) -> Result<T> {
        self.locked(|Locked { solver, progress }| {
            progress.iter().for_each(|progress| progress.begin());
            work(solver)
        })
    }

    /// Sets what the calls to come call between their iterations.
    fn set_progress(&self, set: Option<Arc<IterationProgress>>) -> Result<()> {
        self.locked(|Locked { solver, progress }| {
            solver.set_monitor(&IterationProgress::monitor(set.as_ref()));
            *progress = set;
            Ok(())
        })
    }

    fn locked<T>(&self, work: impl FnOnce(&mut Locked) -> Result<T>) -> Result<T> {
        self.callback.check()?;
        let Some(mut locked) = self.lock.try_lock() else {
            return Err(Error::new(ErrorKind::Busy, "solver is in use by another thread, expected one call at a time"));
        };
        self.poison.marked(|| work(&mut locked))
    }
}

/// The solvers of all hosts.
pub(super) static SOLVERS: Live<dry_solver> = Live::new("solver");

const _: () = guard::assert_send_sync::<dry_solver>();

/// Creates a solver.
///
/// solver: receives the solver, which the caller ends with dry_solver_destroy.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_solver_create(solver: *mut *mut dry_solver) -> dry_status {
    guard::run("dry_solver_create", || {
        // SAFETY: the host gives a place for a pointer.
        let place = unsafe { guard::output("solver", solver) }?;
        place.write(SOLVERS.insert(dry_solver::new())?);
        Ok(())
    })
}

/// Ends a solver. A call that is using it keeps it until that call ends.
///
/// solver: NULL is nothing to do, and so is a solver that was destroyed already.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_solver_destroy(solver: *mut dry_solver) {
    guard::run("dry_solver_destroy", || SOLVERS.destroy(solver));
}

/// Sets the function that dry_solver_solve, dry_solver_correct and dry_solver_solve_local call between their
/// iterations, for the calls to come. A new solver has none, and no snapshot holds one.
///
/// progress_or_null: read during the call; with NULL the solver has no function from now on. What user_data points to
/// must last as long as the solver calls the function.
///
/// If the function asks to stop, the call is DRY_ERR_STOPPED and writes nothing. The solver then remembers what it
/// remembered before, so the same call gives the same bits afterwards. The function changes no answer. A call is
/// interrupted only between iterations, not within one, nor in the checks and copies before and after them. A problem
/// that needs no iteration does not call the function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_solver_set_progress(
    solver: *mut dry_solver,
    progress_or_null: *const dry_solver_progress,
) -> dry_status {
    guard::run("dry_solver_set_progress", || {
        let solver = SOLVERS.get(solver)?;
        // SAFETY: the host gives NULL or a structure of the size it says.
        let progress = unsafe { solver_progress::from_host(progress_or_null, &solver.callback) }?;
        solver.set_progress(progress)
    })
}

/// Solves a problem: velocities, and impulses of contacts and rows, which obey the laws of the contacts as far as
/// settings and iterations allow. The velocities are those of the problem plus what the impulses add, to round-off.
///
/// problem: bodies, contacts and rows; read during the call.
///
/// settings: as of a world, read during the call. Members about gaps, overlap, restitution and sleeping are checked
/// and ignored. These are contact_margin, push_out_velocity, restitution_threshold, position_projection, substeps and
/// joint_aim.
///
/// solution: where to write. Its arrays belong to the caller and are NULL where not wanted. They overlap no input and
/// no other output.
///
/// Warm starting: impulses are remembered by key from the last call of this solver that succeeded. They are scaled to
/// the new step, and friction is turned into the new tangent plane. The same key must mean the same two bodies in the
/// same order. Contacts and rows that the last call did not have start from zero. With DRY_WARM_COMPATIBLE the
/// compatible impulses are remembered. A correction starts from the displacements of the last one of this solver.
///
/// The work that DRY_PROJECTION_AUTO spends is remembered likewise. A contact or a row keeps the debt of its bodies;
/// those with key 0 share one.
///
/// With a projection, a problem may be solved already by the remembered impulses, to round-off and as well as the
/// last one. Then the answer is these impulses to the last bit, and iterations is 0.
///
/// The report counts bodies, contacts, islands and iterations. Its new_contacts are those whose key the last call did
/// not have, or with key 0. Its worst_contact is a key, of a row where a row is worst. The times are seconds_assemble
/// (checking, and recalling impulses), seconds_solve, seconds_project, seconds_compatibility and seconds_total.
/// max_overlap, kinetic_energy and potential_energy are 0: a problem has no positions and no masses.
///
/// Rows that contradict each other are no error: they are solved as far as possible, and the residual shows how far.
///
/// DRY_ERR_ARGUMENT, DRY_ERR_NOT_FINITE: the message names the member, as in "contacts[3].friction". Also refused are
/// an answer that is not finite or beyond the limits, two equal keys, a contact or row that no impulse moves, and
/// outputs that overlap.
/// DRY_ERR_NOT_CONVERGED: only with require_convergence. The solution is written; the remembered impulses do not
/// change.
/// DRY_ERR_UNSUPPORTED: a setting that is not offered; or the calling thread flushes small numbers to zero or does
/// not round to nearest.
/// DRY_ERR_BUSY: another thread uses this solver, or it is called from its own dry_solver_progress.
/// DRY_ERR_STOPPED: the function of dry_solver_set_progress asked to stop.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_solver_solve(
    solver: *mut dry_solver,
    problem: *const dry_problem,
    settings: *const dry_settings,
    solution: *mut dry_solution,
) -> dry_status {
    guard::run("dry_solver_solve", || {
        // SAFETY: the host gives structures of the sizes they say, and arrays of the lengths in them.
        let (solver, given, chosen, wanted, parts, places) = unsafe {
            let (solver, given, chosen) = inputs(solver, problem, settings)?;
            let wanted = structure::read("solution", solution)?;
            (solver, given, chosen, wanted, Inputs::of(&given)?, Outputs::of(&wanted, &given)?)
        };
        let structures = [
            Region::new("problem", problem.cast::<u8>(), given.struct_size),
            Region::new("settings", settings.cast::<u8>(), chosen.struct_size),
            Region::new("solution", solution.cast::<u8>(), wanted.struct_size),
        ];
        let settings = checked(&chosen, &places.regions(), &structures, &parts.regions())?;
        solver.with(|solver| {
            parts.copy(solver.problem())?;
            let answer = solver.solve(&settings);
            written(answer, |report| places.write(solver, report))
        })
    })
}

/// Corrects given impulses, from whatever solver they come, to compatible ones with the same resultant on every body.
///
/// problem: as of dry_solver_solve, read during the call; its rows do not count. A contact without impulse counts as
/// open if the velocities of the bodies and the impulses together open it faster than closing_velocity of the report.
/// That velocity grows with the residual. A gap, which is normal_bias times the step, counts as none below 1e-6 of
/// the longer arm to a body that moves. With velocities that do not belong to the impulses every contact counts as
/// closed.
///
/// settings: as of dry_solver_solve. The call uses compatibility, which must not be DRY_COMPATIBILITY_OFF. It also
/// uses compatible_friction, the numbers of the correction, and tolerance.
///
/// impulses: 3 numbers per contact, on body_b, world axes [N s].
/// compatible_impulses: receives 3 numbers per contact, likewise.
/// report_or_null: receives the report; its residuals are those of the given impulses.
///
/// Impulses that pull count by their resultants on the bodies. If no impulses without pulling have the same
/// resultants, the report has the flag DRY_REPORT_COMPATIBILITY_INFEASIBLE, and the impulses come back unchanged.
/// With DRY_COMPATIBLE_FRICTION_OFF the parts across the normal come back unchanged in any case. The correction
/// starts from the displacements of the last one of this solver. They change its time, and the answer within the
/// tolerance. Keys are not used, and the tolerance is not enforced. Other failures are those of dry_solver_solve.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_solver_correct(
    solver: *mut dry_solver,
    problem: *const dry_problem,
    settings: *const dry_settings,
    impulses: *const f64,
    compatible_impulses: *mut f64,
    report_or_null: *mut dry_step_report,
) -> dry_status {
    guard::run("dry_solver_correct", || {
        // SAFETY: the host gives structures of the sizes they say.
        let ((solver, given, chosen), report_place) =
            unsafe { (inputs(solver, problem, settings)?, structure::output_or_null("report", report_or_null)?) };
        let contacts = given.contact_count;
        // SAFETY: the arrays of the host have the lengths that it says.
        let (parts, impulses, place) = unsafe {
            let parts = Inputs::of(&given)?;
            let place = guard::filled(["compatible_impulses", "contact_count"], compatible_impulses.cast(), contacts)?;
            (parts, guard::array(["impulses", "contact_count"], impulses.cast::<[f64; 3]>(), contacts)?, place)
        };
        let outputs = [place.region("compatible_impulses"), report_place.region("report")];
        let inputs = [
            Region::new("problem", problem.cast::<u8>(), given.struct_size),
            Region::new("settings", settings.cast::<u8>(), chosen.struct_size),
            Region::new("impulses", impulses.as_ptr(), contacts),
        ];
        let settings = checked(&chosen, &outputs, &inputs, &parts.regions())?;
        solver.with(|solver| {
            parts.copy(solver.problem())?;
            let report = solver.correct_given(&settings, impulses)?;
            place.write(solver.corrected());
            report_place.write(dry_step_report::from(&report));
            Ok(())
        })
    })
}

/// Solves a problem that is given only by its Delassus operator. It starts from zero and remembers nothing.
///
/// problem: read during the call.
///
/// settings: as of a world, read during the call. warm_start and its factor are checked and ignored, and so are those
/// that dry_solver_solve ignores. DRY_SOLVER_CONIC, DRY_FRICTION_BOX and DRY_PROJECTION_STICK are refused.
///
/// impulses: receives problem->dimension numbers per contact, in the order of the rows: normal, tangent 1, tangent 2,
/// rolling 1, rolling 2 [N s, N m s].
///
/// report_or_null: receives the report; its worst_contact is the index of the contact with residual_max.
///
/// The matrix must be symmetric: in its pattern and, to 1e-9 of the diagonal blocks, in its numbers. Its diagonal
/// blocks must be positive semidefinite to round-off.
///
/// Failures as of dry_solver_solve; messages name the element of the array, as in "columns[7]".
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_solver_solve_local(
    solver: *mut dry_solver,
    problem: *const dry_local_problem,
    settings: *const dry_settings,
    impulses: *mut f64,
    report_or_null: *mut dry_step_report,
) -> dry_status {
    guard::run("dry_solver_solve_local", || {
        // SAFETY: the host gives structures of the sizes they say.
        let ((solver, given, chosen), report_place) =
            unsafe { (inputs(solver, problem, settings)?, structure::output_or_null("report", report_or_null)?) };
        // SAFETY: the arrays of the host have the lengths that it says, and there is room for an impulse of each row.
        let (local, place) = unsafe {
            let local = local(&given)?;
            (local, guard::filled(["impulses", "contact_count"], impulses, local.q.len())?)
        };
        let outputs = [place.region("impulses"), report_place.region("report")];
        let structures = [
            Region::new("problem", problem.cast::<u8>(), given.struct_size),
            Region::new("settings", settings.cast::<u8>(), chosen.struct_size),
        ];
        let settings = checked(&chosen, &outputs, &structures, &local_regions(&local))?;
        solver.with(|solver| {
            let answer = solver.solve_local(&local, &settings);
            written(answer, |report| {
                place.write(solver.local_impulses().iter().copied());
                report_place.write(dry_step_report::from(report));
            })
        })
    })
}

/// Writes what a solver remembers from call to call to a buffer: impulses by key, the displacements of its last
/// correction, and what DRY_PROJECTION_AUTO has spent.
///
/// buffer, capacity, count: as of dry_world_snapshot.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_solver_snapshot(
    solver: *const dry_solver,
    buffer: *mut u8,
    capacity: usize,
    count: *mut usize,
) -> dry_status {
    guard::run("dry_solver_snapshot", || {
        // SAFETY: the host gives room for `capacity` bytes, and a place for a number.
        let (solver, place) = unsafe {
            let solver = SOLVERS.get(solver)?;
            (solver, guard::buffer("buffer", buffer, size_of::<u8>(), capacity, count)?)
        };
        solver.with(|solver| place.fill_bytes("bytes", solver.snapshot_size(), |room| solver.write_snapshot(room)))
    })
}

/// Makes a solver remember what a snapshot holds, and nothing else.
///
/// buffer: the bytes; read during the call.
/// count: their number.
///
/// DRY_ERR_FORMAT: the snapshot is not whole, of another format, of a world, or describes what no solver remembers. The
/// solver is as before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_solver_restore(solver: *mut dry_solver, buffer: *const u8, count: usize) -> dry_status {
    guard::run("dry_solver_restore", || {
        let solver = SOLVERS.get(solver)?;
        guard::present("buffer", buffer)?;
        // SAFETY: the host gives `count` bytes.
        let bytes = unsafe { guard::array(["buffer", "count"], buffer, count) }?;
        solver.with(|solver| solver.restore(bytes))
    })
}

/// The solver of a call, refused if a defect has broken it, the problem and the settings.
///
/// # Safety
/// As for [`structure::read`].
unsafe fn inputs<T: Structure>(
    solver: *const dry_solver,
    problem: *const T,
    settings: *const dry_settings,
) -> Result<(Arc<dry_solver>, T, dry_settings)> {
    let solver = SOLVERS.get(solver)?;
    solver.poison.check()?;
    // SAFETY: this function's own condition.
    unsafe { Ok((solver, structure::read("problem", problem)?, structure::read("settings", settings)?)) }
}

/// The settings of a solve, once outputs are found to overlap neither inputs nor each other, and the environment is checked.
fn checked(settings: &dry_settings, outputs: &[Region], structures: &[Region], arrays: &[Region]) -> Result<Settings> {
    guard::check_overlap(outputs, structures)?;
    guard::check_overlap(outputs, arrays)?;
    environment::check()?;
    settings.checked()
}
