//! A solver in use is busy, and one that a defect has broken answers so to everything.

use crate::ffi::guard::{run, with_last_error};
use crate::ffi::problem::{dry_local_problem, dry_problem, dry_solution};
use crate::ffi::settings::dry_settings;
use crate::ffi::solver::{
    SOLVERS, dry_solver, dry_solver_correct, dry_solver_create, dry_solver_destroy, dry_solver_solve,
    dry_solver_solve_local,
};
use crate::ffi::status_code::dry_status;

fn created() -> *mut dry_solver {
    let mut solver = std::ptr::null_mut();
    // SAFETY: a place for a pointer.
    assert!(unsafe { dry_solver_create(&raw mut solver) } == dry_status::DRY_OK);
    solver
}

/// Returns the statuses of an empty problem, and of calls that are refused because an argument is NULL.
fn answers(solver: *mut dry_solver) -> [dry_status; 4] {
    let null = std::ptr::null_mut::<dry_solution>();
    let problem = dry_problem { struct_size: size_of::<dry_problem>(), step: 0.01, ..Default::default() };
    let mut solution = dry_solution { struct_size: size_of::<dry_solution>(), ..Default::default() };
    let settings = dry_settings::default();
    let (mut numbers, local) = ([0.0; 3], std::ptr::null::<dry_local_problem>());
    // SAFETY: a living solver and whole structures; NULL where it must be refused.
    unsafe {
        [
            dry_solver_solve(solver, &raw const problem, &raw const settings, &raw mut solution),
            dry_solver_solve(solver, &raw const problem, &raw const settings, null),
            dry_solver_solve_local(solver, local, &raw const settings, numbers.as_mut_ptr(), std::ptr::null_mut()),
            dry_solver_correct(
                solver,
                std::ptr::null(),
                &raw const settings,
                std::ptr::null(),
                numbers.as_mut_ptr(),
                std::ptr::null_mut(),
            ),
        ]
    }
}

#[test]
fn a_broken_solver_can_only_be_destroyed() {
    use dry_status::{DRY_ERR_INTERNAL, DRY_ERR_NULL, DRY_OK};
    let (solver, other) = (created(), created());
    let sound = [DRY_OK, DRY_ERR_NULL, DRY_ERR_NULL, DRY_ERR_NULL];
    assert!(answers(solver) == sound);
    let status = run("dry_test", || SOLVERS.get(solver)?.with(|_| panic!("while solving")));
    assert!(status == DRY_ERR_INTERNAL);
    assert!(answers(solver) == [DRY_ERR_INTERNAL; 4]);
    let message = with_last_error(str::to_string).expect("the message");
    assert!(message.contains("dry_solver_destroy"), "{message}");
    assert!(answers(other) == sound);
    // SAFETY: made by `dry_solver_create`, and not used after.
    unsafe {
        dry_solver_destroy(solver);
        dry_solver_destroy(other);
    }
}

#[test]
fn a_solver_in_use_is_busy() {
    let solver = created();
    let shared = SOLVERS.get(solver).expect("a solver");
    let inner = shared.with(|_| Ok(answers(solver)[0])).expect("a solver");
    assert!(inner == dry_status::DRY_ERR_BUSY);
    assert!(answers(solver)[0] == dry_status::DRY_OK);
    // SAFETY: made by `dry_solver_create`, and not used after.
    unsafe { dry_solver_destroy(solver) };
}
