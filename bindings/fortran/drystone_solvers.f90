! The solver without a world. Part of drystone.f90.
module drystone_solvers
  use, intrinsic :: iso_c_binding, only: c_associated, c_double, c_f_pointer, c_funloc, c_int, c_int8_t, c_int32_t, c_int64_t, &
    c_loc, c_null_ptr, c_ptr, c_size_t
  use drystone_c
  use drystone_errors
  use drystone_iterations, only: drystone_iteration_progress, watch, forward_iterations
  implicit none
  private
  public :: dry_solver, dry_solver_create, dry_solver_destroy, drystone_move_solver, drystone_solver_pointer
  public :: dry_solver_solve, dry_solver_correct, dry_solver_solve_local, drystone_fixed_world
  public :: dry_solver_snapshot, dry_solver_restore, dry_solver_set_progress

  !> Index of the fixed world as a body of a problem. All others count from 0, as in C.
  integer(c_int32_t), parameter :: drystone_fixed_world = -1

  !> A solver that is called without a world. Made by dry_solver_create, ended by dry_solver_destroy; empty before and
  !> after: every call then answers DRY_ERR_NULL. It is not copied: an assignment does not change the left side.
  type :: dry_solver
    private
    type(c_ptr) :: pointer = c_null_ptr
    type(watch), pointer :: watched => null()
  contains
    procedure, private :: not_copied
    generic :: assignment(=) => not_copied
  end type dry_solver

  interface dry_solver_solve
    module procedure dry_solver_solve, solve_bodies, solve_contacts, solve_rows, &
      solve_velocities, solve_solutions, solve_impulses
  end interface dry_solver_solve

  interface dry_solver_set_progress
    module procedure dry_solver_set_progress, set_progress_of_each, set_no_progress
  end interface dry_solver_set_progress

  interface dry_solver_correct
    module procedure dry_solver_correct, correct_without_report
  end interface dry_solver_correct

  interface dry_solver_solve_local
    module procedure dry_solver_solve_local, solve_local_sliding, solve_local_rolling
  end interface dry_solver_solve_local

contains

  elemental subroutine not_copied(to, from)
    class(dry_solver), intent(inout) :: to
    type(dry_solver), intent(in) :: from
    if (.false.) to%pointer = from%pointer
  end subroutine not_copied

  !> Hands a solver on; `to` ends if it was one, `from` is empty then.
  subroutine drystone_move_solver(from, to)
    type(dry_solver), intent(inout) :: from, to
    type(c_ptr) :: moved
    type(watch), pointer :: watched
    moved = from%pointer
    watched => from%watched
    from%pointer = c_null_ptr
    from%watched => null()
    call dry_solver_destroy(to)
    to%pointer = moved
    to%watched => watched
  end subroutine drystone_move_solver

  !> The solver of the C interface, still owned by `solver`; for the functions of module drystone_c.
  function drystone_solver_pointer(solver) result(pointer)
    type(dry_solver), intent(in) :: solver
    type(c_ptr) :: pointer
    pointer = solver%pointer
  end function drystone_solver_pointer

  !> Creates a solver. One that is there already is refused.
  subroutine dry_solver_create(solver, ierr)
    type(dry_solver), intent(inout) :: solver
    integer(c_int), intent(out), optional :: ierr
    type(c_ptr) :: pointer
    integer(c_int) :: status
    if (c_associated(solver%pointer)) then
      call refuse('solver: there already, expected an empty one (dry_solver_destroy)', ierr)
      return
    end if
    pointer = c_null_ptr
    status = c_dry_solver_create(pointer)
    if (status == DRY_OK) solver%pointer = pointer
    call report_status(status, ierr)
  end subroutine dry_solver_create

  !> Ends a solver; an empty one stays.
  subroutine dry_solver_destroy(solver)
    type(dry_solver), intent(inout) :: solver
    call c_dry_solver_destroy(solver%pointer)
    solver%pointer = c_null_ptr
    if (associated(solver%watched)) deallocate (solver%watched)
  end subroutine dry_solver_destroy

  !> Sets the function that the calls to come call between their iterations, after `every` of them (1) and again after as many
  !> more. If it stops a call, that answers DRY_ERR_STOPPED, writes nothing and is forgotten. Without the function: none any
  !> more. Calls on the same solver from it are DRY_ERR_BUSY.
  subroutine dry_solver_set_progress(solver, progress, every, ierr)
    type(dry_solver), intent(inout) :: solver
    procedure(drystone_iteration_progress) :: progress
    integer(c_int64_t), intent(in), optional :: every
    integer(c_int), intent(out), optional :: ierr
    type(watch), pointer :: watched
    type(dry_solver_progress), target :: callback
    integer(c_int) :: status
    allocate (watched)
    watched%call => progress
    callback%user_data = c_loc(watched)
    callback%progress = c_funloc(forward_iterations)
    if (present(every)) callback%every = every
    status = c_dry_solver_set_progress(solver%pointer, c_loc(callback))
    if (status == DRY_OK) then
      if (associated(solver%watched)) deallocate (solver%watched)
      solver%watched => watched
    else
      deallocate (watched)
    end if
    call report_status(status, ierr)
  end subroutine dry_solver_set_progress

  subroutine set_progress_of_each(solver, progress, status)
    type(dry_solver), intent(inout) :: solver
    procedure(drystone_iteration_progress) :: progress
    integer(c_int), intent(out) :: status
    call dry_solver_set_progress(solver, progress, ierr=status)
  end subroutine set_progress_of_each

  subroutine set_no_progress(solver, status)
    type(dry_solver), intent(inout) :: solver
    integer(c_int), intent(out), optional :: status
    integer(c_int) :: answered
    answered = c_dry_solver_set_progress(solver%pointer, c_null_ptr)
    if (answered == DRY_OK .and. associated(solver%watched)) deallocate (solver%watched)
    call report_status(answered, status)
  end subroutine set_no_progress

  !> Solves a problem of a step [s]. velocities(6, bodies) receives linear and angular velocities after the solve
  !> [m/s, rad/s], solutions one structure per contact, row_impulses one number per row [N s],
  !> compatible_row_impulses likewise after the compatibility correction.
  subroutine dry_solver_solve(solver, step, bodies, settings, contacts, rows, velocities, solutions, row_impulses, report, &
      ierr, compatible_row_impulses)
    type(dry_solver), intent(in) :: solver
    real(c_double), intent(in) :: step
    type(dry_problem_body), contiguous, target, intent(in) :: bodies(:)
    type(dry_settings), intent(in) :: settings
    type(dry_problem_contact), contiguous, target, intent(in), optional :: contacts(:)
    type(dry_problem_row), contiguous, target, intent(in), optional :: rows(:)
    real(c_double), target, intent(inout), optional :: velocities(:, :)
    type(dry_contact_solution), target, intent(inout), optional :: solutions(:)
    real(c_double), target, intent(inout), optional :: row_impulses(:)
    type(dry_step_report), target, intent(inout), optional :: report
    integer(c_int), intent(out), optional :: ierr
    real(c_double), target, intent(inout), optional :: compatible_row_impulses(:)
    type(dry_problem) :: problem
    type(dry_solution) :: solution
    problem = problem_of(step, bodies, contacts)
    if (present(rows)) then
      problem%rows = c_loc(rows)
      problem%row_count = size(rows, kind=c_size_t)
    end if
    if (present(velocities)) then
      if (wrong_shape('velocities', shape(velocities), [6, size(bodies)], ierr)) return
      if (scattered('velocities', is_contiguous(velocities), ierr)) return
      solution%velocities = c_loc(velocities)
    end if
    if (present(solutions)) then
      if (wrong_size('solutions', size(solutions), int(problem%contact_count), ierr)) return
      if (scattered('solutions', is_contiguous(solutions), ierr)) return
      solution%contacts = c_loc(solutions)
    end if
    if (present(row_impulses)) then
      if (wrong_size('row_impulses', size(row_impulses), int(problem%row_count), ierr)) return
      if (scattered('row_impulses', is_contiguous(row_impulses), ierr)) return
      solution%row_impulses = c_loc(row_impulses)
    end if
    if (present(compatible_row_impulses)) then
      if (wrong_size('compatible_row_impulses', size(compatible_row_impulses), int(problem%row_count), ierr)) return
      if (scattered('compatible_row_impulses', is_contiguous(compatible_row_impulses), ierr)) return
      solution%compatible_row_impulses = c_loc(compatible_row_impulses)
    end if
    if (present(report)) solution%report = c_loc(report)
    call report_status(c_dry_solver_solve(solver%pointer, problem, settings, solution), ierr)
  end subroutine dry_solver_solve

  ! The same with ierr after some of the optional arguments.

  subroutine solve_bodies(solver, step, bodies, settings, status)
    type(dry_solver), intent(in) :: solver
    real(c_double), intent(in) :: step
    type(dry_problem_body), contiguous, target, intent(in) :: bodies(:)
    type(dry_settings), intent(in) :: settings
    integer(c_int), intent(out) :: status
    call dry_solver_solve(solver, step, bodies, settings, ierr=status)
  end subroutine solve_bodies

  subroutine solve_contacts(solver, step, bodies, settings, contacts, status)
    type(dry_solver), intent(in) :: solver
    real(c_double), intent(in) :: step
    type(dry_problem_body), contiguous, target, intent(in) :: bodies(:)
    type(dry_settings), intent(in) :: settings
    type(dry_problem_contact), contiguous, target, intent(in) :: contacts(:)
    integer(c_int), intent(out) :: status
    call dry_solver_solve(solver, step, bodies, settings, contacts, ierr=status)
  end subroutine solve_contacts

  subroutine solve_rows(solver, step, bodies, settings, contacts, rows, status)
    type(dry_solver), intent(in) :: solver
    real(c_double), intent(in) :: step
    type(dry_problem_body), contiguous, target, intent(in) :: bodies(:)
    type(dry_settings), intent(in) :: settings
    type(dry_problem_contact), contiguous, target, intent(in) :: contacts(:)
    type(dry_problem_row), contiguous, target, intent(in) :: rows(:)
    integer(c_int), intent(out) :: status
    call dry_solver_solve(solver, step, bodies, settings, contacts, rows, ierr=status)
  end subroutine solve_rows

  subroutine solve_velocities(solver, step, bodies, settings, contacts, rows, velocities, status)
    type(dry_solver), intent(in) :: solver
    real(c_double), intent(in) :: step
    type(dry_problem_body), contiguous, target, intent(in) :: bodies(:)
    type(dry_settings), intent(in) :: settings
    type(dry_problem_contact), contiguous, target, intent(in) :: contacts(:)
    type(dry_problem_row), contiguous, target, intent(in) :: rows(:)
    real(c_double), target, intent(inout) :: velocities(:, :)
    integer(c_int), intent(out) :: status
    call dry_solver_solve(solver, step, bodies, settings, contacts, rows, velocities, ierr=status)
  end subroutine solve_velocities

  subroutine solve_solutions(solver, step, bodies, settings, contacts, rows, velocities, solutions, status)
    type(dry_solver), intent(in) :: solver
    real(c_double), intent(in) :: step
    type(dry_problem_body), contiguous, target, intent(in) :: bodies(:)
    type(dry_settings), intent(in) :: settings
    type(dry_problem_contact), contiguous, target, intent(in) :: contacts(:)
    type(dry_problem_row), contiguous, target, intent(in) :: rows(:)
    real(c_double), target, intent(inout) :: velocities(:, :)
    type(dry_contact_solution), target, intent(inout) :: solutions(:)
    integer(c_int), intent(out) :: status
    call dry_solver_solve(solver, step, bodies, settings, contacts, rows, velocities, solutions, ierr=status)
  end subroutine solve_solutions

  subroutine solve_impulses(solver, step, bodies, settings, contacts, rows, velocities, solutions, row_impulses, status)
    type(dry_solver), intent(in) :: solver
    real(c_double), intent(in) :: step
    type(dry_problem_body), contiguous, target, intent(in) :: bodies(:)
    type(dry_settings), intent(in) :: settings
    type(dry_problem_contact), contiguous, target, intent(in) :: contacts(:)
    type(dry_problem_row), contiguous, target, intent(in) :: rows(:)
    real(c_double), target, intent(inout) :: velocities(:, :)
    type(dry_contact_solution), target, intent(inout) :: solutions(:)
    real(c_double), target, intent(inout) :: row_impulses(:)
    integer(c_int), intent(out) :: status
    call dry_solver_solve(solver, step, bodies, settings, contacts, rows, velocities, solutions, row_impulses, &
      ierr=status)
  end subroutine solve_impulses

  !> Corrects impulses(3, contacts), from whatever solver they come, to compatible_impulses(3, contacts) [N s].
  subroutine dry_solver_correct(solver, step, bodies, contacts, settings, impulses, compatible_impulses, report, ierr)
    type(dry_solver), intent(in) :: solver
    real(c_double), intent(in) :: step
    type(dry_problem_body), contiguous, target, intent(in) :: bodies(:)
    type(dry_problem_contact), contiguous, target, intent(in) :: contacts(:)
    type(dry_settings), intent(in) :: settings
    real(c_double), contiguous, target, intent(in) :: impulses(:, :)
    real(c_double), target, intent(inout) :: compatible_impulses(:, :)
    type(dry_step_report), target, intent(inout), optional :: report
    integer(c_int), intent(out), optional :: ierr
    type(c_ptr) :: report_or_null
    if (wrong_shape('impulses', shape(impulses), [3, size(contacts)], ierr)) return
    if (wrong_shape('compatible_impulses', shape(compatible_impulses), [3, size(contacts)], ierr)) return
    if (scattered('compatible_impulses', is_contiguous(compatible_impulses), ierr)) return
    report_or_null = c_null_ptr
    if (present(report)) report_or_null = c_loc(report)
    call report_status(c_dry_solver_correct(solver%pointer, problem_of(step, bodies, contacts), settings, &
      c_loc(impulses), c_loc(compatible_impulses), report_or_null), ierr)
  end subroutine dry_solver_correct

  subroutine correct_without_report(solver, step, bodies, contacts, settings, impulses, compatible_impulses, status)
    type(dry_solver), intent(in) :: solver
    real(c_double), intent(in) :: step
    type(dry_problem_body), contiguous, target, intent(in) :: bodies(:)
    type(dry_problem_contact), contiguous, target, intent(in) :: contacts(:)
    type(dry_settings), intent(in) :: settings
    real(c_double), contiguous, target, intent(in) :: impulses(:, :)
    real(c_double), target, intent(inout) :: compatible_impulses(:, :)
    integer(c_int), intent(out) :: status
    call dry_solver_correct(solver, step, bodies, contacts, settings, impulses, compatible_impulses, ierr=status)
  end subroutine correct_without_report

  function problem_of(step, bodies, contacts) result(problem)
    real(c_double), intent(in) :: step
    type(dry_problem_body), contiguous, target, intent(in) :: bodies(:)
    type(dry_problem_contact), contiguous, target, intent(in), optional :: contacts(:)
    type(dry_problem) :: problem
    problem%step = step
    problem%bodies = c_loc(bodies)
    problem%body_count = size(bodies, kind=c_size_t)
    if (.not. present(contacts)) return
    problem%contacts = c_loc(contacts)
    problem%contact_count = size(contacts, kind=c_size_t)
  end function problem_of

  !> Solves a problem that is given only by its Delassus operator, for n contacts of d rows each, d being 3 or 5:
  !> row_offsets(n + 1) and columns(:) count from 0; blocks(d, d, :) in rows and columns of mathematics, turned into
  !> those of C by a copy; q(d, n), friction(n), with d = 5 rolling(n); impulses(d, n) receives the answer.
  subroutine dry_solver_solve_local(solver, row_offsets, columns, blocks, q, friction, settings, impulses, rolling, report, &
      ierr)
    type(dry_solver), intent(in) :: solver
    integer(c_int32_t), contiguous, target, intent(in) :: row_offsets(:), columns(:)
    real(c_double), intent(in) :: blocks(:, :, :)
    real(c_double), contiguous, target, intent(in) :: q(:, :), friction(:)
    type(dry_settings), intent(in) :: settings
    real(c_double), target, intent(inout) :: impulses(:, :)
    real(c_double), contiguous, target, intent(in), optional :: rolling(:)
    type(dry_step_report), target, intent(inout), optional :: report
    integer(c_int), intent(out), optional :: ierr
    real(c_double), allocatable, target :: by_rows(:, :, :)
    type(dry_local_problem) :: problem
    type(c_ptr) :: report_or_null
    integer :: contacts, d, i
    contacts = size(friction)
    d = size(q, 1)
    if (wrong_shape('q', shape(q), [d, contacts], ierr)) return
    if (wrong_size('row_offsets', size(row_offsets), contacts + 1, ierr)) return
    if (wrong_size('columns', size(columns), int(row_offsets(contacts + 1)), ierr)) return
    if (wrong_shape('blocks', shape(blocks), [d, d, size(columns)], ierr)) return
    if (wrong_shape('impulses', shape(impulses), [d, contacts], ierr)) return
    if (scattered('impulses', is_contiguous(impulses), ierr)) return
    allocate (by_rows(d, d, size(columns)))
    do i = 1, size(columns)
      by_rows(:, :, i) = transpose(blocks(:, :, i))
    end do
    problem%contact_count = size(friction, kind=c_size_t)
    problem%dimension = int(d, c_int32_t)
    problem%row_offsets = c_loc(row_offsets)
    problem%columns = c_loc(columns)
    problem%blocks = c_loc(by_rows)
    problem%q = c_loc(q)
    problem%friction = c_loc(friction)
    if (present(rolling)) then
      if (wrong_size('rolling', size(rolling), contacts, ierr)) return
      problem%rolling = c_loc(rolling)
    end if
    report_or_null = c_null_ptr
    if (present(report)) report_or_null = c_loc(report)
    call report_status(c_dry_solver_solve_local(solver%pointer, problem, settings, c_loc(impulses), report_or_null), ierr)
  end subroutine dry_solver_solve_local

  subroutine solve_local_sliding(solver, row_offsets, columns, blocks, q, friction, settings, impulses, status)
    type(dry_solver), intent(in) :: solver
    integer(c_int32_t), contiguous, target, intent(in) :: row_offsets(:), columns(:)
    real(c_double), intent(in) :: blocks(:, :, :)
    real(c_double), contiguous, target, intent(in) :: q(:, :), friction(:)
    type(dry_settings), intent(in) :: settings
    real(c_double), target, intent(inout) :: impulses(:, :)
    integer(c_int), intent(out) :: status
    call dry_solver_solve_local(solver, row_offsets, columns, blocks, q, friction, settings, impulses, ierr=status)
  end subroutine solve_local_sliding

  subroutine solve_local_rolling(solver, row_offsets, columns, blocks, q, friction, settings, impulses, rolling, status)
    type(dry_solver), intent(in) :: solver
    integer(c_int32_t), contiguous, target, intent(in) :: row_offsets(:), columns(:)
    real(c_double), intent(in) :: blocks(:, :, :)
    real(c_double), contiguous, target, intent(in) :: q(:, :), friction(:)
    type(dry_settings), intent(in) :: settings
    real(c_double), target, intent(inout) :: impulses(:, :)
    real(c_double), contiguous, target, intent(in) :: rolling(:)
    integer(c_int), intent(out) :: status
    call dry_solver_solve_local(solver, row_offsets, columns, blocks, q, friction, settings, impulses, rolling, ierr=status)
  end subroutine solve_local_rolling

  !> Writes what a solver remembers from call to call to bytes, which get the right size.
  subroutine dry_solver_snapshot(solver, bytes, ierr)
    type(dry_solver), intent(in) :: solver
    integer(c_int8_t), allocatable, target, intent(inout) :: bytes(:)
    integer(c_int), intent(out), optional :: ierr
    integer(c_size_t) :: count
    integer(c_int) :: status
    count = 0
    status = c_dry_solver_snapshot(solver%pointer, c_null_ptr, 0_c_size_t, count)
    if (status == DRY_OK) then
      if (allocated(bytes)) deallocate (bytes)
      allocate (bytes(count))
      status = c_dry_solver_snapshot(solver%pointer, c_loc(bytes), count, count)
    end if
    call report_status(status, ierr)
  end subroutine dry_solver_snapshot

  !> Makes a solver remember what a snapshot holds, and nothing else.
  subroutine dry_solver_restore(solver, bytes, ierr)
    type(dry_solver), intent(in) :: solver
    integer(c_int8_t), contiguous, target, intent(in) :: bytes(:)
    integer(c_int), intent(out), optional :: ierr
    call report_status(c_dry_solver_restore(solver%pointer, c_loc(bytes), size(bytes, kind=c_size_t)), ierr)
  end subroutine dry_solver_restore

end module drystone_solvers
