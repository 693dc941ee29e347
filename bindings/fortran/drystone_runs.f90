! Many steps in one call, with a function between them. Part of drystone.f90.
module drystone_runs
  use, intrinsic :: iso_c_binding, only: c_double, c_f_pointer, c_funloc, c_int, c_int32_t, c_int64_t, c_loc, c_null_ptr, c_ptr, &
    c_sizeof
  use drystone_c
  use drystone_errors
  use drystone_worlds, only: dry_world, at => drystone_world_pointer
  implicit none
  private
  public :: dry_world_run, drystone_progress

  abstract interface
    !> Is called between the steps of a run: steps_done of count are over, report says what happened in the last one. True
    !> stops the run.
    function drystone_progress(steps_done, count, report) result(stops)
      import
      integer(c_int64_t), intent(in) :: steps_done, count
      type(dry_step_report), intent(in) :: report
      logical :: stops
    end function drystone_progress
  end interface

  ! The caller's function, as what C hands back.
  type :: watch
    procedure(drystone_progress), pointer, nopass :: call => null()
  end type watch

  interface dry_world_run
    module procedure dry_world_run, run_without_progress
  end interface dry_world_run

contains

  !> Advances a world by count steps [s] of the same length; steps_done receives how many were completed, and report what
  !> happened in the last of them. progress is called after `every` steps (1), again after as many more, and after the last
  !> one; if it stops the run, ierr is DRY_ERR_STOPPED, and without ierr that ends no program. Calls on the same world from
  !> it are DRY_ERR_BUSY.
  subroutine dry_world_run(world, step, count, steps_done, progress, every, report, ierr)
    type(dry_world), intent(in) :: world
    real(c_double), intent(in) :: step
    integer(c_int64_t), intent(in) :: count
    integer(c_int64_t), target, intent(inout) :: steps_done
    procedure(drystone_progress) :: progress
    integer(c_int64_t), intent(in), optional :: every
    type(dry_step_report), intent(inout), target, optional :: report
    integer(c_int), intent(out), optional :: ierr
    type(watch), target :: watched
    type(dry_run_progress), target :: callback
    type(c_ptr) :: report_or_null
    integer(c_int) :: status
    watched%call => progress
    callback%user_data = c_loc(watched)
    callback%progress = c_funloc(forward)
    if (present(every)) callback%every = every
    report_or_null = c_null_ptr
    if (present(report)) report_or_null = c_loc(report)
    status = c_dry_world_run(at(world), step, count, c_loc(callback), c_loc(steps_done), report_or_null)
    if (status == DRY_ERR_STOPPED .and. .not. present(ierr)) return
    call report_status(status, ierr)
  end subroutine dry_world_run

  subroutine run_without_progress(world, step, count, steps_done, status)
    type(dry_world), intent(in) :: world
    real(c_double), intent(in) :: step
    integer(c_int64_t), intent(in) :: count
    integer(c_int64_t), target, intent(inout) :: steps_done
    integer(c_int), intent(out), optional :: status
    call report_status(c_dry_world_run(at(world), step, count, c_null_ptr, c_loc(steps_done), c_null_ptr), status)
  end subroutine run_without_progress

  function forward(user_data, steps_done, count, report) bind(C) result(returned)
    type(c_ptr), value :: user_data
    integer(c_int64_t), value :: steps_done, count
    type(dry_step_report), intent(in) :: report
    integer(c_int32_t) :: returned
    type(watch), pointer :: watched
    call c_f_pointer(user_data, watched)
    returned = merge(1_c_int32_t, 0_c_int32_t, watched%call(steps_done, count, report))
  end function forward

end module drystone_runs
