! Joints of a world. Part of drystone.f90.
module drystone_joints
  use, intrinsic :: iso_c_binding, only: c_double, c_int, c_int32_t, c_int64_t, c_loc, c_null_ptr, c_ptr, c_size_t, c_sizeof
  use drystone_c
  use drystone_errors
  use drystone_worlds, only: dry_world, at => drystone_world_pointer
  implicit none
  private
  public :: dry_joint_def_init, dry_joint_def_place, dry_joint_def_place_points, dry_joint_axis_init
  public :: dry_joint_add, dry_joints_add, dry_joint_remove, dry_query_joints, dry_query_body_joints
  public :: dry_joint_get_def, dry_joint_set_frames, dry_joint_set_enabled, dry_joint_get_axis, dry_joint_set_axis
  public :: dry_joint_set_target, dry_joints_set_targets, dry_joint_get_state, dry_joints_get_states
  public :: dry_query_body_joint_force, dry_query_joint_events

  interface dry_joint_def_place
    module procedure dry_joint_def_place, place_without_reference
  end interface dry_joint_def_place

  interface dry_joints_set_targets
    module procedure dry_joints_set_targets, set_positions_alone
  end interface dry_joints_set_targets

  interface dry_joints_get_states
    module procedure dry_joints_get_states, all_joint_states
  end interface dry_joints_get_states

contains

  !> Fills in a default joint of a kind: between the world and the world, which must be changed.
  subroutine dry_joint_def_init(def, kind, ierr)
    type(dry_joint_def), intent(inout) :: def
    integer(c_int), intent(in) :: kind
    integer(c_int), intent(out), optional :: ierr
    call report_status(c_dry_joint_def_init(def, c_sizeof(def), kind), ierr)
  end subroutine dry_joint_def_init

  !> Fills in a default axis: free, without motor, spring and friction.
  subroutine dry_joint_axis_init(axis, ierr)
    type(dry_joint_axis), intent(inout) :: axis
    integer(c_int), intent(out), optional :: ierr
    call report_status(c_dry_joint_axis_init(axis, c_sizeof(axis)), ierr)
  end subroutine dry_joint_axis_init

  !> Sets the frames of a definition, whose bodies are set, so that they coincide now: origin at point(3) [m], z along
  !> axis(3), x along the part of reference(3) that is perpendicular to it; world axes.
  subroutine dry_joint_def_place(world, def, point, axis, reference, ierr)
    type(dry_world), intent(in) :: world
    type(dry_joint_def), intent(inout) :: def
    real(c_double), intent(in) :: point(:), axis(:)
    real(c_double), contiguous, target, intent(in), optional :: reference(:)
    integer(c_int), intent(out), optional :: ierr
    type(c_ptr) :: reference_or_null
    if (wrong_size('point', size(point), 3, ierr)) return
    if (wrong_size('axis', size(axis), 3, ierr)) return
    reference_or_null = c_null_ptr
    if (present(reference)) then
      if (wrong_size('reference', size(reference), 3, ierr)) return
      reference_or_null = c_loc(reference)
    end if
    call report_status(c_dry_joint_def_place(at(world), def, point, axis, reference_or_null), ierr)
  end subroutine dry_joint_def_place

  subroutine place_without_reference(world, def, point, axis, status)
    type(dry_world), intent(in) :: world
    type(dry_joint_def), intent(inout) :: def
    real(c_double), intent(in) :: point(:), axis(:)
    integer(c_int), intent(out) :: status
    call dry_joint_def_place(world, def, point, axis, ierr=status)
  end subroutine place_without_reference

  !> Sets the points and the length of a rod, a definition of DRY_JOINT_DISTANCE: point_a(3), point_b(3), world axes [m].
  subroutine dry_joint_def_place_points(world, def, point_a, point_b, ierr)
    type(dry_world), intent(in) :: world
    type(dry_joint_def), intent(inout) :: def
    real(c_double), intent(in) :: point_a(:), point_b(:)
    integer(c_int), intent(out), optional :: ierr
    if (wrong_size('point_a', size(point_a), 3, ierr)) return
    if (wrong_size('point_b', size(point_b), 3, ierr)) return
    call report_status(c_dry_joint_def_place_points(at(world), def, point_a, point_b), ierr)
  end subroutine dry_joint_def_place_points

  !> Adds a joint to a world.
  subroutine dry_joint_add(world, def, joint, ierr)
    type(dry_world), intent(in) :: world
    type(dry_joint_def), intent(in) :: def
    integer(c_int64_t), intent(inout) :: joint
    integer(c_int), intent(out), optional :: ierr
    call report_status(c_dry_joint_add(at(world), def, joint), ierr)
  end subroutine dry_joint_add

  !> Adds many joints to a world, all or none: joints(n) receives the handles in the order of defs(n). An error names the
  !> element, and counts from 0: "defs[3]: ...".
  subroutine dry_joints_add(world, defs, joints, ierr)
    type(dry_world), intent(in) :: world
    type(dry_joint_def), contiguous, target, intent(in) :: defs(:)
    integer(c_int64_t), target, intent(inout) :: joints(:)
    integer(c_int), intent(out), optional :: ierr
    if (wrong_size('joints', size(joints), size(defs), ierr)) return
    if (scattered('joints', is_contiguous(joints), ierr)) return
    call report_status(c_dry_joints_add(at(world), c_loc(defs), size(defs, kind=c_size_t), c_loc(joints)), ierr)
  end subroutine dry_joints_add

  !> Removes a joint.
  subroutine dry_joint_remove(world, joint, ierr)
    type(dry_world), intent(in) :: world
    integer(c_int64_t), intent(in) :: joint
    integer(c_int), intent(out), optional :: ierr
    call report_status(c_dry_joint_remove(at(world), joint), ierr)
  end subroutine dry_joint_remove

  !> Lists the joints of a world in the order of their creation; joints gets the right size.
  subroutine dry_query_joints(world, joints, ierr)
    type(dry_world), intent(in) :: world
    integer(c_int64_t), allocatable, target, intent(inout) :: joints(:)
    integer(c_int), intent(out), optional :: ierr
    integer(c_size_t) :: count
    integer(c_int) :: status
    do
      count = 0
      status = c_dry_query_joints(at(world), c_null_ptr, 0_c_size_t, count)
      if (status /= DRY_OK) exit
      if (allocated(joints)) deallocate (joints)
      allocate (joints(count))
      if (count > 0) status = c_dry_query_joints(at(world), c_loc(joints), count, count)
      if (status /= DRY_ERR_CAPACITY) exit ! else joints came between the two questions
    end do
    call report_status(status, ierr)
  end subroutine dry_query_joints

  !> Lists the joints of a body in the order of their creation; joints gets the right size.
  subroutine dry_query_body_joints(world, body, joints, ierr)
    type(dry_world), intent(in) :: world
    integer(c_int64_t), intent(in) :: body
    integer(c_int64_t), allocatable, target, intent(inout) :: joints(:)
    integer(c_int), intent(out), optional :: ierr
    integer(c_size_t) :: count
    integer(c_int) :: status
    do
      count = 0
      status = c_dry_query_body_joints(at(world), body, c_null_ptr, 0_c_size_t, count)
      if (status /= DRY_OK) exit
      if (allocated(joints)) deallocate (joints)
      allocate (joints(count))
      if (count > 0) status = c_dry_query_body_joints(at(world), body, c_loc(joints), count, count)
      if (status /= DRY_ERR_CAPACITY) exit ! else joints came between the two questions
    end do
    call report_status(status, ierr)
  end subroutine dry_query_body_joints

  !> Reads what a joint was added with, and the frames that were set last.
  subroutine dry_joint_get_def(world, joint, def, ierr)
    type(dry_world), intent(in) :: world
    integer(c_int64_t), intent(in) :: joint
    type(dry_joint_def), intent(inout) :: def
    integer(c_int), intent(out), optional :: ierr
    call report_status(c_dry_joint_get_def(at(world), joint, def, c_sizeof(def)), ierr)
  end subroutine dry_joint_get_def

  !> Moves the frames of a joint to those of a definition, whose other members are not used.
  subroutine dry_joint_set_frames(world, joint, def, ierr)
    type(dry_world), intent(in) :: world
    integer(c_int64_t), intent(in) :: joint
    type(dry_joint_def), intent(in) :: def
    integer(c_int), intent(out), optional :: ierr
    call report_status(c_dry_joint_set_frames(at(world), joint, def), ierr)
  end subroutine dry_joint_set_frames

  !> Switches a joint off or on; a broken one that is switched on acts again.
  subroutine dry_joint_set_enabled(world, joint, enabled, ierr)
    type(dry_world), intent(in) :: world
    integer(c_int64_t), intent(in) :: joint
    logical, intent(in) :: enabled
    integer(c_int), intent(out), optional :: ierr
    integer(c_int32_t) :: flag
    flag = merge(1_c_int32_t, 0_c_int32_t, enabled)
    call report_status(c_dry_joint_set_enabled(at(world), joint, flag), ierr)
  end subroutine dry_joint_set_enabled

  !> Reads an axis that the kind of the joint leaves free: index 0 to 5.
  subroutine dry_joint_get_axis(world, joint, index, axis, ierr)
    type(dry_world), intent(in) :: world
    integer(c_int64_t), intent(in) :: joint
    integer, intent(in) :: index
    type(dry_joint_axis), intent(inout) :: axis
    integer(c_int), intent(out), optional :: ierr
    call report_status(c_dry_joint_get_axis(at(world), joint, int(index, c_int32_t), axis, c_sizeof(axis)), ierr)
  end subroutine dry_joint_get_axis

  !> Sets an axis that the kind of the joint leaves free: index 0 to 5.
  subroutine dry_joint_set_axis(world, joint, index, axis, ierr)
    type(dry_world), intent(in) :: world
    integer(c_int64_t), intent(in) :: joint
    integer, intent(in) :: index
    type(dry_joint_axis), intent(in) :: axis
    integer(c_int), intent(out), optional :: ierr
    call report_status(c_dry_joint_set_axis(at(world), joint, int(index, c_int32_t), axis), ierr)
  end subroutine dry_joint_set_axis

  !> Sets the target of the motor of an axis, position [m] or [rad] and velocity.
  subroutine dry_joint_set_target(world, joint, index, position, velocity, ierr)
    type(dry_world), intent(in) :: world
    integer(c_int64_t), intent(in) :: joint
    integer, intent(in) :: index
    real(c_double), intent(in) :: position, velocity
    integer(c_int), intent(out), optional :: ierr
    call report_status(c_dry_joint_set_target(at(world), joint, int(index, c_int32_t), position, velocity), ierr)
  end subroutine dry_joint_set_target

  !> Sets the targets of many motors, all or none: those of joints(n), axes indices(n). What is left out stays as it is.
  subroutine dry_joints_set_targets(world, joints, indices, positions, velocities, ierr)
    type(dry_world), intent(in) :: world
    integer(c_int64_t), contiguous, target, intent(in) :: joints(:)
    integer, intent(in) :: indices(:)
    real(c_double), contiguous, target, intent(in), optional :: positions(:), velocities(:)
    integer(c_int), intent(out), optional :: ierr
    integer(c_int32_t), allocatable, target :: axes(:)
    type(c_ptr) :: positions_or_null, velocities_or_null
    if (wrong_size('indices', size(indices), size(joints), ierr)) return
    positions_or_null = c_null_ptr
    velocities_or_null = c_null_ptr
    if (present(positions)) then
      if (wrong_size('positions', size(positions), size(joints), ierr)) return
      positions_or_null = c_loc(positions)
    end if
    if (present(velocities)) then
      if (wrong_size('velocities', size(velocities), size(joints), ierr)) return
      velocities_or_null = c_loc(velocities)
    end if
    axes = int(indices, c_int32_t)
    call report_status(c_dry_joints_set_targets(at(world), c_loc(joints), c_loc(axes), size(joints, kind=c_size_t), &
      positions_or_null, velocities_or_null), ierr)
  end subroutine dry_joints_set_targets

  subroutine set_positions_alone(world, joints, indices, positions, status)
    type(dry_world), intent(in) :: world
    integer(c_int64_t), contiguous, target, intent(in) :: joints(:)
    integer, intent(in) :: indices(:)
    real(c_double), contiguous, target, intent(in) :: positions(:)
    integer(c_int), intent(out) :: status
    call dry_joints_set_targets(world, joints, indices, positions, ierr=status)
  end subroutine set_positions_alone

  !> Reads where a joint is, and what it carried in the last step.
  subroutine dry_joint_get_state(world, joint, state, ierr)
    type(dry_world), intent(in) :: world
    integer(c_int64_t), intent(in) :: joint
    type(dry_joint_state), target, intent(inout) :: state
    integer(c_int), intent(out), optional :: ierr
    call report_status(c_dry_joint_get_state(at(world), joint, state, c_sizeof(state)), ierr)
  end subroutine dry_joint_get_state

  !> Reads states(n) of joints(n), or of all joints in the order of their creation.
  subroutine dry_joints_get_states(world, states, joints, ierr)
    type(dry_world), intent(in) :: world
    type(dry_joint_state), target, intent(inout) :: states(:)
    integer(c_int64_t), contiguous, target, intent(in), optional :: joints(:)
    integer(c_int), intent(out), optional :: ierr
    type(dry_joint_state) :: one
    integer(c_int64_t), target :: none
    type(c_ptr) :: joints_or_null
    if (scattered('states', is_contiguous(states), ierr)) return
    joints_or_null = c_null_ptr ! all
    if (present(joints)) then
      if (wrong_size('joints', size(joints), size(states), ierr)) return
      joints_or_null = merge(c_loc(none), c_loc(joints), size(joints) == 0)
    end if
    call report_status(c_dry_joints_get_states(at(world), joints_or_null, size(states, kind=c_size_t), c_loc(states), &
      c_sizeof(one)), ierr)
  end subroutine dry_joints_get_states

  subroutine all_joint_states(world, states, status)
    type(dry_world), intent(in) :: world
    type(dry_joint_state), target, intent(inout) :: states(:)
    integer(c_int), intent(out) :: status
    call dry_joints_get_states(world, states, ierr=status)
  end subroutine all_joint_states

  !> Adds up the joint forces on a body in the last step: force(3) [N], torque(3) about its centre of mass [N m].
  subroutine dry_query_body_joint_force(world, body, force, torque, ierr)
    type(dry_world), intent(in) :: world
    integer(c_int64_t), intent(in) :: body
    real(c_double), intent(inout) :: force(:), torque(:)
    integer(c_int), intent(out), optional :: ierr
    real(c_double) :: sums(3, 2)
    integer(c_int) :: status
    if (wrong_size('force', size(force), 3, ierr)) return
    if (wrong_size('torque', size(torque), 3, ierr)) return
    status = c_dry_query_body_joint_force(at(world), body, sums(:, 1), sums(:, 2))
    if (status == DRY_OK) then
      force = sums(:, 1)
      torque = sums(:, 2)
    end if
    call report_status(status, ierr)
  end subroutine dry_query_body_joint_force

  !> Lists what broke and what came to a bound in the last step, by the indices of the joints, then by axis; events gets the
  !> right size.
  subroutine dry_query_joint_events(world, events, ierr)
    type(dry_world), intent(in) :: world
    type(dry_joint_event), allocatable, target, intent(inout) :: events(:)
    integer(c_int), intent(out), optional :: ierr
    integer(c_size_t) :: count
    integer(c_int) :: status
    do
      count = 0
      status = c_dry_query_joint_events(at(world), c_null_ptr, 0_c_size_t, count)
      if (status /= DRY_OK) exit
      if (allocated(events)) deallocate (events)
      allocate (events(count))
      if (count > 0) status = c_dry_query_joint_events(at(world), c_loc(events), count, count)
      if (status /= DRY_ERR_CAPACITY) exit ! else a step came between the two questions
    end do
    call report_status(status, ierr)
  end subroutine dry_query_joint_events

end module drystone_joints
