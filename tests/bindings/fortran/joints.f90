! Joints through module drystone: that each procedure does what its C function does.
program joints
  use, intrinsic :: iso_c_binding
  use checks
  use drystone
  implicit none
  integer, parameter :: dp = c_double
  real(dp), parameter :: place(3) = [1.0_dp, 0.0_dp, 4.0_dp], along_y(3) = [0.0_dp, 1.0_dp, 0.0_dp]
  integer(c_int) :: ierr

  call definitions
  call axes_and_states
  call many
  call events
  call ended

contains

  ! A ball on a hinge through its centre, along y.
  subroutine scene(world, ball, hinge)
    type(dry_world), intent(inout) :: world
    integer(c_int64_t), intent(out) :: ball, hinge
    type(dry_world_def) :: def
    type(dry_body_def) :: body
    type(dry_joint_def) :: joint
    call dry_world_def_init(def)
    call dry_world_create(def, world)
    call dry_body_def_init(body)
    call dry_shape_sphere(world, 0.5_dp, body%shape)
    body%position = place
    call dry_body_add(world, body, ball)
    call dry_joint_def_init(joint, DRY_JOINT_HINGE)
    joint%body_b = ball
    joint%user_data = 9
    call dry_joint_def_place(world, joint, place, along_y)
    call dry_joint_add(world, joint, hinge)
  end subroutine scene

  logical function near(value, expected)
    real(dp), intent(in) :: value, expected
    near = abs(value - expected) < 1e-9_dp
  end function near

  subroutine definitions
    type(dry_world) :: world
    type(dry_joint_def) :: def, moved
    integer(c_int64_t) :: ball, hinge, other
    call scene(world, ball, hinge)
    call dry_joint_get_def(world, hinge, def)
    call check('a definition is read', def%kind == DRY_JOINT_HINGE .and. def%body_b == ball .and. def%user_data == 9)
    moved = def
    call dry_joint_def_place(world, moved, place, along_y, [0.0_dp, 0.0_dp, 1.0_dp])
    call dry_joint_set_frames(world, hinge, moved)
    call dry_joint_get_def(world, hinge, def)
    call check('frames are moved', maxval(abs(def%rotation_b - moved%rotation_b)) <= 0)
    call dry_joint_def_place(world, moved, [1.0_dp], along_y, ierr)
    call refused('a point of one number', ierr, DRY_ERR_ARGUMENT, 'point: 1 elements, expected 3')
    call dry_joint_def_place(world, moved, place, [0.0_dp, 0.0_dp, 0.0_dp], ierr)
    call refused('an axis of no length', ierr, DRY_ERR_ARGUMENT, 'axis')
    call dry_joint_def_place_points(world, moved, place, along_y, ierr)
    call refused('a hinge between two points', ierr, DRY_ERR_ARGUMENT, 'DRY_JOINT_DISTANCE')
    call dry_joint_def_init(def, DRY_JOINT_DISTANCE)
    def%body_b = ball
    call dry_joint_def_place_points(world, def, [1.0_dp, 0.0_dp, 6.0_dp], place)
    call check('a rod has its length', near(def%length_min, 2.0_dp) .and. near(def%length_max, 2.0_dp))
    def%break_force = -1
    call dry_joint_add(world, def, other, ierr)
    call refused('a negative load', ierr, DRY_ERR_ARGUMENT, 'break_force is -1')
    call dry_joint_def_init(def, 77_c_int, ierr)
    call refused('a kind that is none', ierr, DRY_ERR_ARGUMENT, 'kind is 77')
    call dry_world_destroy(world)
  end subroutine definitions

  subroutine axes_and_states
    type(dry_world) :: world
    type(dry_joint_axis) :: axis
    type(dry_joint_state) :: state
    integer(c_int64_t) :: ball, hinge
    real(dp) :: force(3), torque(3)
    integer :: i
    call scene(world, ball, hinge)
    call dry_joint_axis_init(axis)
    call check('an axis begins free', axis%mode == DRY_JOINT_MODE_FREE .and. axis%motor == DRY_JOINT_MOTOR_OFF)
    axis%motor = DRY_JOINT_MOTOR_VELOCITY
    axis%target_velocity = 2
    axis%mode = DRY_JOINT_MODE_LIMITED
    axis%upper = 0.1_dp
    axis%force_upper = 5
    call dry_joint_set_axis(world, hinge, 5, axis)
    do i = 1, 400
      call dry_world_step(world, 0.01_dp)
    end do
    call dry_joint_get_state(world, hinge, state)
    call check('a motor turns a hinge to its bound', near(state%position(6), 0.1_dp) .and. near(state%limit_force(6), -5.0_dp))
    call check('its flags', state%axis_flags(6) == ior(DRY_JOINT_AT_UPPER, DRY_JOINT_SATURATED) .and. state%flags == 0)
    call dry_query_body_joint_force(world, ball, force, torque)
    call check('its force', near(force(3), state%force(3)) .and. force(3) > 1.0_dp)
    call dry_joint_set_target(world, hinge, 5, 1.0_dp, -3.0_dp)
    call dry_joint_get_axis(world, hinge, 5, axis)
    call check('a target is set', near(axis%target_velocity, -3.0_dp) .and. near(axis%target_position, 1.0_dp))
    call dry_joint_set_enabled(world, hinge, .false.)
    call dry_joint_get_state(world, hinge, state)
    call check('a joint is off', state%flags == DRY_JOINT_DISABLED)
    call dry_joint_set_axis(world, hinge, 2, axis, ierr)
    call refused('an axis that is not free', ierr, DRY_ERR_ARGUMENT, 'index is 2')
    call dry_joint_remove(world, hinge)
    call dry_joint_get_state(world, hinge, state, ierr)
    call refused('a removed joint', ierr, DRY_ERR_STALE_HANDLE, 'joint')
    call dry_world_destroy(world)
  end subroutine axes_and_states

  subroutine many
    type(dry_world) :: world
    type(dry_joint_def) :: defs(3)
    type(dry_joint_axis) :: axis
    type(dry_joint_state) :: states(4), two(4)
    integer(c_int64_t) :: ball, hinge, added(3)
    integer(c_int64_t), allocatable :: all_joints(:), own(:)
    integer, parameter :: indices(3) = 2
    real(dp), parameter :: positions(3) = [1.0_dp, 2.0_dp, 3.0_dp], velocities(3) = [4.0_dp, 5.0_dp, 6.0_dp]
    integer :: i
    call scene(world, ball, hinge)
    do i = 1, 3
      call dry_joint_def_init(defs(i), DRY_JOINT_SLIDER)
      defs(i)%body_b = ball
    end do
    call dry_joints_add(world, defs, added)
    call dry_query_joints(world, all_joints)
    call dry_query_body_joints(world, ball, own)
    call check('joints are added together', size(all_joints) == 4 .and. all(all_joints(2:) == added))
    call check('joints of a body', size(own) == 4)
    call dry_joints_set_targets(world, added, indices, positions, velocities)
    call dry_joints_set_targets(world, added, indices, velocities=positions)
    call dry_joint_get_axis(world, added(2), 2, axis)
    call check('targets are set together', near(axis%target_position, 2.0_dp) .and. near(axis%target_velocity, 2.0_dp))
    call dry_joints_set_targets(world, added, indices, velocities, ierr)
    call dry_joint_get_axis(world, added(2), 2, axis)
    call check('positions alone', ierr == DRY_OK .and. near(axis%target_position, 5.0_dp))
    call dry_joints_set_targets(world, added, indices(:2), positions, ierr)
    call refused('indices too few', ierr, DRY_ERR_ARGUMENT, 'indices: 2 elements, expected 3')
    call dry_joints_get_states(world, states)
    call dry_joints_get_states(world, two(:2), [added(3), hinge])
    call check('states are read together', near(states(4)%position(3), two(1)%position(3)))
    call dry_joints_get_states(world, states(::2), ierr)
    call refused('states with gaps', ierr, DRY_ERR_ARGUMENT, 'states')
    call dry_joints_get_states(world, states(:3), ierr)
    call refused('too few states', ierr, DRY_ERR_ARGUMENT, 'count is 3, expected 4')
    call dry_body_remove(world, ball)
    call dry_query_joints(world, all_joints)
    call check('joints go with their body', size(all_joints) == 0)
    call dry_world_destroy(world)
  end subroutine many

  subroutine events
    type(dry_world) :: world
    type(dry_joint_axis) :: axis
    type(dry_joint_event), allocatable :: found(:)
    integer(c_int64_t) :: ball, hinge
    integer :: i, arrived
    call scene(world, ball, hinge)
    call dry_joint_axis_init(axis)
    axis%motor = DRY_JOINT_MOTOR_VELOCITY
    axis%target_velocity = 2
    axis%mode = DRY_JOINT_MODE_LIMITED
    axis%upper = 0.1_dp
    call dry_joint_set_axis(world, hinge, 5, axis)
    arrived = 0
    do i = 1, 100
      call dry_world_step(world, 0.01_dp)
      call dry_query_joint_events(world, found)
      arrived = arrived + count(found%joint == hinge .and. found%type == DRY_JOINT_EVENT_LIMIT .and. found%axis == 5)
    end do
    call check('an axis comes to its bound once', arrived == 1 .and. size(found) == 0)
    call dry_world_destroy(world)
  end subroutine events

end program joints
