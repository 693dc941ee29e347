! States of many bodies at once: those of bodies(n), or all in the order of their creation. Part of drystone.f90.
module drystone_states
  use, intrinsic :: iso_c_binding, only: c_double, c_int, c_int64_t, c_loc, c_null_ptr, c_ptr, c_size_t
  use drystone_c
  use drystone_errors
  use drystone_worlds, only: dry_world, at => drystone_world_pointer
  implicit none
  private
  public :: dry_bodies_get_states, drystone_get_positions, drystone_get_rotations, drystone_get_linear_velocities, &
    drystone_get_angular_velocities

  !> Reads where many bodies are and how they move: into states(n), or as columns of 13 numbers into states(13, n):
  !> position 1 to 3, rotation 4 to 7, linear velocity 8 to 10, angular velocity 11 to 13.
  interface dry_bodies_get_states
    module procedure get_states, get_columns, all_states, all_columns
  end interface dry_bodies_get_states

  interface drystone_get_positions
    module procedure drystone_get_positions, all_positions
  end interface drystone_get_positions

  interface drystone_get_rotations
    module procedure drystone_get_rotations, all_rotations
  end interface drystone_get_rotations

  interface drystone_get_linear_velocities
    module procedure drystone_get_linear_velocities, all_linear_velocities
  end interface drystone_get_linear_velocities

  interface drystone_get_angular_velocities
    module procedure drystone_get_angular_velocities, all_angular_velocities
  end interface drystone_get_angular_velocities

contains

  subroutine get_states(world, states, bodies, ierr)
    type(dry_world), intent(in) :: world
    type(dry_body_state), target, intent(inout) :: states(:)
    integer(c_int64_t), contiguous, target, intent(in), optional :: bodies(:)
    integer(c_int), intent(out), optional :: ierr
    if (scattered('states', is_contiguous(states), ierr)) return
    call fill(world, c_loc(states), size(states), bodies, ierr)
  end subroutine get_states

  subroutine get_columns(world, states, bodies, ierr)
    type(dry_world), intent(in) :: world
    real(c_double), target, intent(inout) :: states(:, :)
    integer(c_int64_t), contiguous, target, intent(in), optional :: bodies(:)
    integer(c_int), intent(out), optional :: ierr
    if (wrong_shape('states', shape(states), [13, -1], ierr)) return
    if (scattered('states', is_contiguous(states), ierr)) return
    call fill(world, c_loc(states), size(states, 2), bodies, ierr)
  end subroutine get_columns

  subroutine all_states(world, states, status)
    type(dry_world), intent(in) :: world
    type(dry_body_state), target, intent(inout) :: states(:)
    integer(c_int), intent(out) :: status
    call get_states(world, states, ierr=status)
  end subroutine all_states

  subroutine all_columns(world, states, status)
    type(dry_world), intent(in) :: world
    real(c_double), target, intent(inout) :: states(:, :)
    integer(c_int), intent(out) :: status
    call get_columns(world, states, ierr=status)
  end subroutine all_columns

  subroutine fill(world, states, count, bodies, ierr)
    type(dry_world), intent(in) :: world
    type(c_ptr), intent(in) :: states
    integer, intent(in) :: count
    integer(c_int64_t), contiguous, target, intent(in), optional :: bodies(:)
    integer(c_int), intent(out), optional :: ierr
    integer(c_int64_t), target :: none
    type(c_ptr) :: bodies_or_null
    bodies_or_null = c_null_ptr ! all
    if (present(bodies)) then
      if (wrong_size('bodies', size(bodies), count, ierr)) return
      bodies_or_null = merge(c_loc(none), c_loc(bodies), count == 0)
    end if
    call report_status(c_dry_bodies_get_states(at(world), bodies_or_null, int(count, c_size_t), states), ierr)
  end subroutine fill

  !> Reads positions(3, n) of the shapes' origins, world axes [m].
  subroutine drystone_get_positions(world, positions, bodies, ierr)
    type(dry_world), intent(in) :: world
    real(c_double), intent(inout) :: positions(:, :)
    integer(c_int64_t), contiguous, intent(in), optional :: bodies(:)
    integer(c_int), intent(out), optional :: ierr
    if (wrong_shape('positions', shape(positions), [3, -1], ierr)) return
    call copy_rows(world, 1, positions, bodies, ierr)
  end subroutine drystone_get_positions

  subroutine all_positions(world, positions, status)
    type(dry_world), intent(in) :: world
    real(c_double), intent(inout) :: positions(:, :)
    integer(c_int), intent(out) :: status
    call drystone_get_positions(world, positions, ierr=status)
  end subroutine all_positions

  !> Reads rotations(4, n), quaternions x y z w from body to world axes [-].
  subroutine drystone_get_rotations(world, rotations, bodies, ierr)
    type(dry_world), intent(in) :: world
    real(c_double), intent(inout) :: rotations(:, :)
    integer(c_int64_t), contiguous, intent(in), optional :: bodies(:)
    integer(c_int), intent(out), optional :: ierr
    if (wrong_shape('rotations', shape(rotations), [4, -1], ierr)) return
    call copy_rows(world, 4, rotations, bodies, ierr)
  end subroutine drystone_get_rotations

  subroutine all_rotations(world, rotations, status)
    type(dry_world), intent(in) :: world
    real(c_double), intent(inout) :: rotations(:, :)
    integer(c_int), intent(out) :: status
    call drystone_get_rotations(world, rotations, ierr=status)
  end subroutine all_rotations

  !> Reads velocities(3, n) of the centres of mass, world axes [m/s].
  subroutine drystone_get_linear_velocities(world, velocities, bodies, ierr)
    type(dry_world), intent(in) :: world
    real(c_double), intent(inout) :: velocities(:, :)
    integer(c_int64_t), contiguous, intent(in), optional :: bodies(:)
    integer(c_int), intent(out), optional :: ierr
    if (wrong_shape('velocities', shape(velocities), [3, -1], ierr)) return
    call copy_rows(world, 8, velocities, bodies, ierr)
  end subroutine drystone_get_linear_velocities

  subroutine all_linear_velocities(world, velocities, status)
    type(dry_world), intent(in) :: world
    real(c_double), intent(inout) :: velocities(:, :)
    integer(c_int), intent(out) :: status
    call drystone_get_linear_velocities(world, velocities, ierr=status)
  end subroutine all_linear_velocities

  !> Reads angular velocities(3, n), world axes [rad/s].
  subroutine drystone_get_angular_velocities(world, velocities, bodies, ierr)
    type(dry_world), intent(in) :: world
    real(c_double), intent(inout) :: velocities(:, :)
    integer(c_int64_t), contiguous, intent(in), optional :: bodies(:)
    integer(c_int), intent(out), optional :: ierr
    if (wrong_shape('velocities', shape(velocities), [3, -1], ierr)) return
    call copy_rows(world, 11, velocities, bodies, ierr)
  end subroutine drystone_get_angular_velocities

  subroutine all_angular_velocities(world, velocities, status)
    type(dry_world), intent(in) :: world
    real(c_double), intent(inout) :: velocities(:, :)
    integer(c_int), intent(out) :: status
    call drystone_get_angular_velocities(world, velocities, ierr=status)
  end subroutine all_angular_velocities

  ! Copies rows of the states, from the given one on, to an array that may have gaps.
  subroutine copy_rows(world, first, rows, bodies, ierr)
    type(dry_world), intent(in) :: world
    integer, intent(in) :: first
    real(c_double), intent(inout) :: rows(:, :)
    integer(c_int64_t), contiguous, intent(in), optional :: bodies(:)
    integer(c_int), intent(out), optional :: ierr
    real(c_double), allocatable :: states(:, :)
    integer(c_int) :: status
    allocate (states(13, size(rows, 2)))
    call get_columns(world, states, bodies, status)
    if (status == DRY_OK) rows = states(first:first + size(rows, 1) - 1, :)
    call hand_on(status, ierr)
  end subroutine copy_rows

end module drystone_states
