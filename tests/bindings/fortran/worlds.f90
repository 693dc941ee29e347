! Worlds through module drystone: errors, arrays of wrong shapes and with gaps, use after the end, and that each procedure
! does what its C function does.
module watching
  use, intrinsic :: iso_c_binding, only: c_int64_t
  use drystone, only: dry_step_report
  implicit none
  integer(c_int64_t) :: calls = 0, last = 0, stop_after = 0
contains

  ! Of a module: an internal procedure as an argument would need an executable stack.
  function stop_at_seven(steps_done, count, report) result(stops)
    integer(c_int64_t), intent(in) :: steps_done, count
    type(dry_step_report), intent(in) :: report
    logical :: stops
    stops = steps_done >= 7 .and. count == 20 .and. report%bodies == 2
  end function stop_at_seven

  function count_iterations(iterations_done) result(stops)
    integer(c_int64_t), intent(in) :: iterations_done
    logical :: stops
    calls = calls + 1
    last = iterations_done
    stops = calls == stop_after
  end function count_iterations

end module watching

program worlds
  use, intrinsic :: iso_c_binding
  use checks
  use drystone
  use watching
  implicit none
  integer, parameter :: dp = c_double
  real(dp), parameter :: up(3) = [0.0_dp, 0.0_dp, 1.0_dp]
  integer(c_int) :: ierr

  call errors
  call owning
  call periodic
  call shapes
  call bodies
  call bulk
  call stepping
  call running
  call statics
  call overlapping
  call fields_and_files
  call settings_and_materials
  call ierr_after_what_is_given
  call ended

contains

  ! A sphere at rest on the floor.
  subroutine scene(world, ball, bottom, sphere)
    type(dry_world), intent(inout) :: world
    integer(c_int64_t), intent(out) :: ball, bottom, sphere
    type(dry_world_def) :: def
    type(dry_body_def) :: body
    integer(c_int64_t) :: ground
    call dry_world_def_init(def)
    call dry_world_create(def, world)
    call dry_shape_half_space(world, up, 0.0_dp, ground)
    call dry_shape_sphere(world, 0.5_dp, ball)
    call dry_body_def_init(body)
    body%shape = ground
    body%kind = DRY_STATIC
    call dry_body_add(world, body, bottom)
    body%shape = ball
    body%kind = DRY_DYNAMIC
    body%position = [0.0_dp, 0.0_dp, 0.5_dp]
    call dry_body_add(world, body, sphere)
  end subroutine scene

  subroutine errors
    type(dry_world) :: world
    integer(c_int64_t) :: ball, bottom, sphere, none
    call check('no error yet', drystone_last_error() == '')
    call check('the version', dry_version() >= 0 .and. index(dry_version_string(), '.') > 0)
    call check('a status has a name', dry_status_name(DRY_ERR_BUSY) == 'DRY_ERR_BUSY')
    call scene(world, ball, bottom, sphere)
    none = 7
    call dry_shape_sphere(world, -1.0_dp, none, ierr)
    call refused('a negative radius', ierr, DRY_ERR_ARGUMENT, 'radius is -1')
    call check('nothing is written', none == 7)
    call dry_world_set_gravity(world, [0.0_dp, 1.0_dp], ierr)
    call refused('the binding refuses', ierr, DRY_ERR_ARGUMENT, 'gravity: 2 elements, expected 3')
    call dry_body_remove(world, ball, ierr)
    call refused('then the library', ierr, DRY_ERR_STALE_HANDLE, 'body')
    call dry_body_wake(world, sphere, ierr)
    call check('a success', ierr == DRY_OK .and. index(drystone_last_error(), 'body') > 0)
    call dry_world_destroy(world)
  end subroutine errors

  ! Two balls that touch, side by side and across the side of a box.
  subroutine periodic
    type(dry_world_def) :: def
    type(dry_body_def) :: body
    type(dry_world) :: world
    real(dp), parameter :: places(3) = [1.0_dp, -3.0_dp, 17.0_dp]
    real(dp) :: forces(3, 3), torque(3), lengths(3), pull(3)
    integer(c_int64_t) :: ball, first, second
    integer :: k
    do k = 1, 3
      call dry_world_def_init(def)
      def%gravity = 0.0_dp
      def%period = [4.0_dp, 0.0_dp, 8.0_dp]
      call dry_world_create(def, world)
      call dry_shape_sphere(world, 0.5_dp, ball)
      call dry_body_def_init(body)
      body%shape = ball
      body%linear_velocity(1) = 1.0_dp
      call dry_body_add(world, body, first)
      body%linear_velocity(1) = 0.0_dp
      body%position(1) = places(k)
      call dry_body_add(world, body, second)
      call dry_world_step(world, 0.01_dp)
      call dry_query_body_force(world, first, forces(:, k), torque)
      call dry_world_get_period(world, lengths)
      call dry_world_set_gravity(world, [0.0_dp, 0.5_dp, -2.0_dp])
      call dry_world_get_gravity(world, pull)
      call dry_world_destroy(world)
    end do
    call check('the period', all(abs(lengths - [4.0_dp, 0.0_dp, 8.0_dp]) <= 0.0_dp))
    call check('the gravity', all(abs(pull - [0.0_dp, 0.5_dp, -2.0_dp]) <= 0.0_dp))
    call dry_world_get_period(world, lengths, ierr)
    call refused('the period of no world', ierr, DRY_ERR_NULL, 'world')
    call check('balls touch across the side of a box', forces(1, 1) < -1.0_dp)
    call check('by the same force', all(abs(forces(1, :) - forces(1, 1)) <= 0.0_dp))
    call dry_world_create(def, world)
    call dry_world_set_strain_rate(world, [-0.5_dp, 0.0_dp, 0.25_dp])
    call dry_world_step(world, 0.5_dp)
    call dry_world_get_strain_rate(world, pull)
    call check('the strain rate', all(abs(pull - [-0.5_dp, 0.0_dp, 0.25_dp]) <= 0.0_dp))
    call dry_world_get_period(world, lengths)
    call check('the strained period', all(abs(lengths - [3.0_dp, 0.0_dp, 9.0_dp]) <= 0.0_dp))
    call dry_world_set_strain_rate(world, [0.0_dp, 1.0_dp, 0.0_dp], ierr)
    call refused('a strain without a period', ierr, DRY_ERR_ARGUMENT, 'rates[1] is 1 1/s')
    call dry_world_destroy(world)
    def%period(3) = 1.5_dp
    call dry_world_create(def, world)
    call dry_shape_sphere(world, 0.5_dp, ball)
    body%shape = ball
    call dry_body_add(world, body, first, ierr)
    call refused('a ball of more than half a period', ierr, DRY_ERR_ARGUMENT, 'period[2] is 1.5 m')
    call dry_world_destroy(world)
  end subroutine periodic

  subroutine owning
    type(dry_world) :: one, other, many(2)
    type(dry_world_def) :: def
    type(dry_step_report) :: report
    type(dry_contact), allocatable :: contacts(:)
    integer(c_int64_t), allocatable :: all(:)
    integer(c_int64_t) :: ball, bottom, sphere, hash
    integer :: cycle
    call dry_world_step(one, 0.01_dp, ierr=ierr)
    call refused('a world before it is made', ierr, DRY_ERR_NULL, 'world')
    call scene(one, ball, bottom, sphere)
    call dry_world_def_init(def)
    call dry_world_create(def, one, ierr=ierr)
    call refused('a world that is there', ierr, DRY_ERR_ARGUMENT, 'world: there already')
    other = one
    many = one
    call dry_world_step(other, 0.01_dp, report, ierr)
    call refused('an assignment copies nothing', ierr, DRY_ERR_NULL, 'world')
    call dry_world_step(many(2), 0.01_dp, report, ierr)
    call refused('nor one of an array', ierr, DRY_ERR_NULL, 'world')
    call drystone_move_world(one, other)
    call dry_world_step(one, 0.01_dp, ierr=ierr)
    call refused('a world that was moved', ierr, DRY_ERR_NULL, 'world')
    call dry_world_step(other, 0.01_dp, report, ierr)
    call check('the moved one lives', ierr == DRY_OK .and. report%bodies == 2)
    call drystone_adopt_world(drystone_world_pointer(other), one)
    call check('a pointer', c_associated(drystone_world_pointer(one), drystone_world_pointer(other)))
    call drystone_adopt_world(c_null_ptr, many(1))
    call dry_world_destroy(one)
    call dry_world_destroy(one)
    call dry_world_hash(one, hash, ierr)
    call refused('a world that was destroyed', ierr, DRY_ERR_NULL, 'world')
    call dry_query_contacts(one, contacts, ierr)
    call refused('its contacts', ierr, DRY_ERR_NULL, 'world')
    call dry_query_bodies(one, all, ierr)
    call refused('its bodies', ierr, DRY_ERR_NULL, 'world')
    def = dry_world_def()
    call dry_world_create(def, one, ierr=ierr)
    call refused('a definition that was not filled in', ierr, DRY_ERR_ABI, '0')
    do cycle = 1, 1000
      call scene(one, ball, bottom, sphere)
      call dry_world_destroy(one)
    end do
  end subroutine owning

  subroutine shapes
    type(dry_world) :: world
    type(dry_world_def) :: def
    real(dp) :: corners(3, 4), wide(6, 4), four(4, 4)
    integer(c_int32_t) :: triangles(3, 2)
    integer(c_int64_t) :: shape
    type(dry_clump_part) :: parts(2)
    real(dp) :: whole, mass, center(3), inertia(6)
    type(dry_nurbs_curve_def) :: curve
    real(dp) :: square(2, 4), foot(3), outward(3), distance
    call dry_world_def_init(def)
    call dry_world_create(def, world)
    corners = reshape([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], [3, 4])
    triangles = reshape([0, 1, 2, 1, 2, 3], [3, 2])
    wide = 99
    wide(1:6:2, :) = corners
    four = 0
    call dry_shape_box(world, [1.0_dp, 2.0_dp, 3.0_dp], shape)
    call dry_shape_box(world, wide(:, 2), shape, ierr)
    call refused('half extents of six', ierr, DRY_ERR_ARGUMENT, 'half_extents: 6 elements, expected 3')
    call dry_shape_capsule(world, 1.0_dp, 0.5_dp, shape)
    call dry_shape_cylinder(world, 1.0_dp, 0.5_dp, shape)
    call dry_shape_remove(world, shape)
    call dry_shape_remove(world, shape, ierr)
    call refused('a shape that is gone', ierr, DRY_ERR_STALE_HANDLE, 'shape')
    call dry_shape_hull(world, corners, shape)
    call check('a hull', volume(world, shape))
    call dry_shape_hull(world, wide(1:6:2, :), shape)
    call check('a hull of a section with gaps', volume(world, shape))
    call dry_shape_hull(world, four, shape, ierr)
    call refused('points of four', ierr, DRY_ERR_ARGUMENT, 'points: the shape is (4,4), expected (3,any)')
    call dry_shape_mesh(world, corners, triangles, shape)
    call dry_shape_mesh(world, corners, triangles + 1, shape, ierr)
    call refused('indices from 1', ierr, DRY_ERR_ARGUMENT, 'triangles')
    call dry_shape_mesh(world, corners, triangles(1:2, :), shape, ierr)
    call refused('two indices', ierr, DRY_ERR_ARGUMENT, 'triangles: the shape is (2,2), expected (3,any)')
    call dry_clump_part_init(parts(1))
    call dry_shape_box(world, [1.0_dp, 1.0_dp, 1.0_dp], parts(1)%shape)
    parts(2) = parts(1)
    parts(2)%position(1) = 1
    parts(2)%density_factor = 3
    call dry_shape_clump(world, parts, shape)
    call dry_shape_mass_properties(world, shape, whole, mass, center, inertia)
    call check('a clump of two cubes that share a half', abs(whole - 12) < 1e-13_dp .and. abs(mass - 20) < 1e-13_dp &
      .and. abs(center(1) - 0.9_dp) < 1e-13_dp)
    parts(2)%shape = shape
    call dry_shape_clump(world, parts, shape, ierr)
    call refused('a clump of clumps', ierr, DRY_ERR_ARGUMENT, 'parts[1]: shape is a clump')
    call check('the planar locks', DRY_LOCK_PLANAR == ior(DRY_LOCK_Z, ior(DRY_LOCK_ROTATION_X, DRY_LOCK_ROTATION_Y)))
    square = reshape([-1.0_dp, -1.0_dp, 1.0_dp, -1.0_dp, 1.0_dp, 1.0_dp, -1.0_dp, 1.0_dp], [2, 4])
    call dry_nurbs_curve_def_init(curve)
    curve%degree = 1
    call dry_shape_nurbs_curve(world, curve, square, [0.0_dp, 1.0_dp, 2.0_dp, 3.0_dp, 4.0_dp], shape)
    call dry_shape_closest(world, shape, [3.0_dp, 0.5_dp, 0.25_dp], foot, outward, distance)
    call check('the closest point of a curve', abs(distance - 2) + sum(abs(foot - [1.0_dp, 0.5_dp, 0.25_dp])) < 1e-15_dp)
    call dry_shape_nurbs_curve(world, curve, square, [0.0_dp, 1.0_dp], shape, ierr)
    call refused('two knots', ierr, DRY_ERR_ARGUMENT, 'knot_count is 2, expected 5')
    call dry_shape_nurbs_curve(world, curve, corners, [0.0_dp, 1.0_dp], shape, ierr)
    call refused('points of three', ierr, DRY_ERR_ARGUMENT, 'points: the shape is (3,4), expected (2,any)')
    call dry_shape_half_space(world, up(1:2), 0.0_dp, shape, ierr)
    call refused('a normal of two', ierr, DRY_ERR_ARGUMENT, 'normal: 2 elements')
    call dry_world_destroy(world)
  end subroutine shapes

  ! Whether a body of this shape has the mass of the tetrahedron, to round-off.
  function volume(world, shape) result(holds)
    type(dry_world), intent(in) :: world
    integer(c_int64_t), intent(in) :: shape
    logical :: holds
    type(dry_body_def) :: def
    integer(c_int64_t) :: body
    real(dp) :: mass, center(3), inertia(6)
    call dry_body_def_init(def)
    def%shape = shape
    call dry_body_add(world, def, body)
    call dry_body_get_mass(world, body, mass, center, inertia)
    holds = abs(mass/1000 - 1.0_dp/6) < 1e-15_dp .and. maxval(abs(center - 0.25_dp)) < 1e-15_dp
  end function volume

  subroutine bodies
    type(dry_world) :: world
    type(dry_body_def) :: defs(2)
    type(dry_body_state) :: state
    integer(c_int64_t) :: ball, bottom, sphere, added(2), with_gaps(4), user_data
    integer(c_int64_t), allocatable :: all(:)
    real(dp) :: mass, center(3), inertia(6)
    logical :: awake
    call scene(world, ball, bottom, sphere)
    call dry_body_def_init(defs(1))
    defs(1)%shape = ball
    defs(1)%user_data = 77_c_int64_t
    defs(1)%position = [3.0_dp, 0.0_dp, 5.0_dp]
    defs(1)%mass = 2
    defs(1)%inertia(1:3) = 1
    defs(2) = defs(1)
    call dry_bodies_add(world, defs, added)
    call dry_query_bodies(world, all)
    call check('bodies are added together', size(all) == 4 .and. all(4) == added(2))
    call dry_bodies_add(world, defs(2:1:-1), added)
    call check('of a section that runs backwards', added(1) /= added(2))
    call dry_bodies_add(world, defs(1:0), added(1:0))
    call dry_bodies_add(world, defs, added(1:1), ierr)
    call refused('a handle too few', ierr, DRY_ERR_ARGUMENT, 'bodies: 1 elements, expected 2')
    call dry_bodies_add(world, defs, with_gaps(1:4:2), ierr)
    call refused('handles with gaps', ierr, DRY_ERR_ARGUMENT, 'bodies: not contiguous')
    defs(2)%shape = 0
    call dry_bodies_add(world, defs, added, ierr)
    call refused('a body without a shape', ierr, DRY_ERR_STALE_HANDLE, 'defs[1]')
    call dry_body_get_user_data(world, added(1), user_data)
    call check('user data', user_data == 77)
    call dry_body_get_mass(world, added(1), mass, center, inertia)
    call check('a mass', all_equal([mass, inertia(1:3)], [2.0_dp, 1.0_dp, 1.0_dp, 1.0_dp]))
    call dry_body_get_mass(world, added(1), mass, center(1:2), inertia, ierr)
    call refused('a centre of two', ierr, DRY_ERR_ARGUMENT, 'center_of_mass: 2 elements')
    call dry_body_get_mass(world, added(1), mass, center, inertia(1:3), ierr)
    call refused('an inertia of three', ierr, DRY_ERR_ARGUMENT, 'inertia: 3 elements')
    call dry_body_get_state(world, added(1), state)
    call check('a state', all_equal([state%position(3), state%rotation(4)], [5.0_dp, 1.0_dp]))
    state%linear_velocity(1) = 4
    call dry_body_set_state(world, added(1), state)
    call dry_body_get_state(world, added(1), state)
    call check('another state', all_equal(state%linear_velocity(1:1), [4.0_dp]))
    call dry_body_wake(world, sphere)
    awake = .false.
    call dry_body_is_awake(world, sphere, awake)
    call check('awake', awake)
    call dry_body_remove(world, added(1))
    call dry_body_get_state(world, added(1), state, ierr)
    call refused('a removed body', ierr, DRY_ERR_STALE_HANDLE, 'body')
    call dry_world_destroy(world)
  end subroutine bodies

  pure function all_equal(a, b) result(equal)
    real(dp), intent(in) :: a(:), b(:)
    logical :: equal
    equal = size(a) == size(b)
    if (equal) equal = .not. any(a < b .or. a > b)
  end function all_equal

  subroutine bulk
    type(dry_world) :: world
    type(dry_body_state) :: states(5), spread(9)
    integer(c_int64_t) :: ball, bottom, sphere, more(3), some(4)
    type(dry_body_def) :: defs(3)
    real(dp) :: columns(13, 5), wide(26, 5), x(3, 5), apart(6, 10), q(4, 5), v(3, 2)
    integer :: i
    call scene(world, ball, bottom, sphere)
    call dry_body_def_init(defs(1))
    defs(1)%shape = ball
    defs = defs(1)
    do i = 1, 3
      defs(i)%position = [real(dp) :: i, 2*i, 3*i + 10]
      defs(i)%linear_velocity = [real(dp) :: 10*i, 0, 0]
      defs(i)%angular_velocity = [real(dp) :: 0, 20*i, 0]
    end do
    call dry_bodies_add(world, defs, more)

    call dry_bodies_get_states(world, states)
    call dry_bodies_get_states(world, columns)
    call check('states of all', all_equal(states(3)%position, defs(1)%position))
    call check('the same as columns', all_equal(columns(1:3, 3), defs(1)%position) .and. &
      all_equal(columns(8:10, 5), defs(3)%linear_velocity) .and. all_equal(columns(11:13, 4), defs(2)%angular_velocity))
    call dry_bodies_get_states(world, states(1:2), more(3:2:-1))
    call check('states of some, handles with gaps', all_equal(states(1)%position, defs(3)%position) .and. &
      all_equal(states(2)%position, defs(2)%position))
    call dry_bodies_get_states(world, states(1:0), more(1:0))
    call drystone_get_positions(world, x)
    call check('positions', all_equal(x(:, 5), defs(3)%position))
    apart = -1
    call drystone_get_positions(world, apart(1:6:2, 1:10:2))
    call check('positions into a section with gaps', all_equal(apart(1:6:2, 9), defs(3)%position) .and. &
      all_equal(apart(2, :), [(-1.0_dp, i=1, 10)]) .and. all_equal(apart(:, 2), [(-1.0_dp, i=1, 6)]))
    call drystone_get_rotations(world, q)
    call check('rotations', all_equal(q(:, 5), [0.0_dp, 0.0_dp, 0.0_dp, 1.0_dp]))
    call drystone_get_linear_velocities(world, v, more(2:3))
    call check('velocities', all_equal(v(:, 2), defs(3)%linear_velocity))
    call drystone_get_angular_velocities(world, v, more(1:3:2))
    call check('angular velocities', all_equal(v(:, 2), defs(3)%angular_velocity))

    call dry_bodies_get_states(world, spread(1:9:2), ierr=ierr)
    call refused('states with gaps', ierr, DRY_ERR_ARGUMENT, 'states: not contiguous')
    call dry_bodies_get_states(world, wide(1:13, :), ierr=ierr)
    call refused('columns with gaps', ierr, DRY_ERR_ARGUMENT, 'states: not contiguous')
    call dry_bodies_get_states(world, transpose_of(columns), ierr=ierr)
    call refused('rows for columns', ierr, DRY_ERR_ARGUMENT, 'states: the shape is (5,13), expected (13,any)')
    call dry_bodies_get_states(world, columns(:, 1:4), ierr=ierr)
    call refused('fewer columns than bodies', ierr, DRY_ERR_ARGUMENT, 'count is 4, expected 5')
    call dry_bodies_get_states(world, columns, more, ierr)
    call refused('more columns than handles', ierr, DRY_ERR_ARGUMENT, 'bodies: 3 elements, expected 5')
    some = bottom
    some(3) = ball
    call drystone_get_positions(world, x(:, 1:4), some, ierr)
    call refused('a handle of a shape', ierr, DRY_ERR_STALE_HANDLE, 'bodies[2]')
    call drystone_get_positions(world, q, ierr=ierr)
    call refused('positions of four', ierr, DRY_ERR_ARGUMENT, 'positions: the shape is (4,5), expected (3,any)')
    call drystone_get_rotations(world, x, ierr=ierr)
    call refused('rotations of three', ierr, DRY_ERR_ARGUMENT, 'rotations: the shape is (3,5), expected (4,any)')
    call dry_world_destroy(world)
    call drystone_get_positions(world, x, ierr=ierr)
    call refused('positions of a world that ended', ierr, DRY_ERR_NULL, 'world')
  end subroutine bulk

  function transpose_of(columns) result(rows)
    real(dp), intent(in) :: columns(:, :)
    real(dp), pointer :: rows(:, :)
    real(dp), target, save :: place(5, 13)
    place = transpose(columns)
    rows => place
  end function transpose_of

  subroutine stepping
    type(dry_world) :: world, copy
    type(dry_contact), allocatable :: contacts(:)
    type(dry_step_report) :: report
    type(dry_body_state) :: state
    integer(c_int8_t), allocatable :: bytes(:)
    integer(c_int64_t) :: ball, bottom, sphere, first, second, saved, copied, restored
    real(dp) :: pair(3, 2), across(2, 3), mass, center(3), inertia(6), kinetic, potential, stress(3, 3)
    call scene(world, ball, bottom, sphere)
    call dry_world_hash(world, first)
    call dry_world_step(world, 0.01_dp, report)
    call dry_world_hash(world, second)
    call check('a step changes the hash', first /= second)
    call check('a report', report%contacts == 1 .and. report%bodies == 2)
    call dry_query_contacts(world, contacts)
    call check('a contact', size(contacts) == 1 .and. contacts(1)%body_a == bottom .and. contacts(1)%body_b == sphere)
    call dry_body_get_mass(world, sphere, mass, center, inertia)
    call dry_query_body_force(world, sphere, pair(:, 1), pair(:, 2))
    call check('the weight', abs(pair(3, 1)/(mass*9.81_dp) - 1) < 1e-12_dp) ! what the sweeps leave
    call dry_query_body_force(world, sphere, across(1, :), across(2, :))
    call check('the weight, into rows', all_equal(across(1, :), pair(:, 1)))
    call dry_query_body_force(world, sphere, pair(1:2, 1), pair(:, 2), ierr)
    call refused('a force of two', ierr, DRY_ERR_ARGUMENT, 'force: 2 elements')
    call dry_query_energy(world, kinetic, potential)
    call check('energy', abs(potential/(mass*9.81_dp*0.5_dp) - 1) < 1e-12_dp)
    ! Pressed along z and pushed along x, the element (1, 3) is not (3, 1): l has no x, f has.
    call dry_world_set_gravity(world, [1.0_dp, 0.0_dp, -9.81_dp])
    call dry_world_step(world, 0.01_dp)
    call dry_query_stress(world, [-1.0_dp, -1.0_dp, -1.0_dp], [1.0_dp, 1.0_dp, 1.0_dp], stress)
    call check('stress: rows are branches, columns forces', stress(3, 3) < 0 .and. abs(stress(3, 1)) > 1 .and. &
      abs(stress(1, 3)) < 1e-6_dp*abs(stress(3, 1)))
    call dry_query_stress(world, [-1.0_dp, -1.0_dp, -1.0_dp], [1.0_dp, 1.0_dp, 1.0_dp], stress(1:2, :), ierr)
    call refused('a stress of two', ierr, DRY_ERR_ARGUMENT, 'stress: the shape is (2,3), expected (3,3)')

    call dry_world_set_gravity(world, [0.0_dp, 0.0_dp, 0.0_dp])
    state%position(3) = 5
    state%rotation(4) = 1
    call dry_body_set_state(world, sphere, state)
    call dry_body_add_force(world, sphere, [10.0_dp, 0.0_dp, 0.0_dp])
    across(1, :) = [0.0_dp, 0.0_dp, 5.5_dp]
    call dry_body_add_force(world, sphere, [0.0_dp, 10.0_dp, 0.0_dp], across(1, :))
    call dry_body_add_torque(world, sphere, [0.0_dp, 0.0_dp, 10.0_dp])
    call dry_world_step(world, 0.1_dp)
    call dry_body_get_state(world, sphere, state)
    call check('forces and torques', maxval(abs(state%linear_velocity*mass - [1, 1, 0])) < 1e-13_dp .and. &
      maxval(abs(state%angular_velocity*inertia(1:3) - [-0.5_dp, 0.0_dp, 1.0_dp])) < 1e-13_dp) ! round-off
    call dry_body_add_force(world, sphere, across(1, :), pair(1:2, 1), ierr)
    call refused('a point of two', ierr, DRY_ERR_ARGUMENT, 'point: 2 elements')
    call dry_body_add_torque(world, sphere, pair(1:2, 1), ierr)
    call refused('a torque of two', ierr, DRY_ERR_ARGUMENT, 'torque: 2 elements')
    call dry_world_step(world, -0.1_dp, report, ierr)
    call refused('a step back', ierr, DRY_ERR_ARGUMENT, 'step is -0.1')
    call dry_world_snapshot(world, bytes)
    call dry_world_hash(world, saved)
    call dry_world_clone(world, copy)
    call dry_world_hash(copy, copied)
    call dry_world_step(world, 0.1_dp)
    call dry_world_restore(world, bytes)
    call dry_world_hash(world, restored)
    call check('a snapshot and a copy', saved == restored .and. saved == copied)
    call dry_world_destroy(copy)
    call dry_world_restore(world, [1_c_int8_t], ierr)
    call refused('one byte', ierr, DRY_ERR_FORMAT, 'snapshot has 1 bytes, expected at least')
    call dry_world_destroy(world)
  end subroutine stepping

  subroutine fields_and_files
    type(dry_world) :: world
    type(dry_vtk_def) :: def
    type(dry_field), allocatable :: fields(:)
    integer(c_int64_t) :: ball, bottom, sphere
    real(dp) :: points(3, 2)
    logical :: grains, contacts
    call scene(world, ball, bottom, sphere)
    call dry_world_step(world, 0.01_dp)
    points = reshape([0.0_dp, 0.0_dp, 0.5_dp, 0.0_dp, 0.0_dp, 9.0_dp], [3, 2])
    call dry_query_fields(world, points, DRY_KERNEL_LUCY, 0.5_dp, fields)
    call check('fields', size(fields) == 2 .and. fields(1)%density > 0 .and. fields(1)%contact_stress(9) < 0 .and. &
      maxval(abs(fields(2)%contact_stress)) <= 0)
    call dry_query_fields(world, points(1:2, :), DRY_KERNEL_LUCY, 0.5_dp, fields, ierr)
    call refused('points of two', ierr, DRY_ERR_ARGUMENT, 'points: 2 elements')
    call dry_query_fields(world, points, DRY_KERNEL_LUCY, -1.0_dp, fields, ierr)
    call refused('a negative width', ierr, DRY_ERR_ARGUMENT, 'width is -1')
    call check('fields as before', size(fields) == 2)
    call dry_vtk_def_init(def)
    def%parts = DRY_VTK_GRAINS
    call dry_world_export_vtk(world, 'fortran_run  ', 3_c_int64_t, 0.5_dp, def)
    inquire (file='fortran_run_grains_000003.vtp', exist=grains)
    inquire (file='fortran_run_contacts_000003.vtp', exist=contacts)
    call check('files', grains .and. .not. contacts)
    call dry_world_export_vtk(world, '/nowhere/run', 3_c_int64_t, 0.5_dp, ierr)
    call refused('a folder that is missing', ierr, DRY_ERR_IO, '/nowhere/run_grains_000003.vtp cannot be written')
    call dry_world_destroy(world)
  end subroutine fields_and_files

  subroutine settings_and_materials
    type(dry_world) :: world
    type(dry_world_def) :: def
    type(dry_settings) :: settings, read
    type(dry_material_def) :: ice
    type(dry_pair_def) :: pair
    type(dry_body_def) :: body
    type(dry_step_report) :: report
    type(dry_contact), allocatable :: contacts(:)
    integer(c_int64_t) :: slippery, ball, added
    call dry_settings_init(settings)
    settings%iterations = 1
    settings%tolerance = 1e-300_dp
    settings%require_convergence = 1
    call dry_world_def_init(def)
    call dry_world_create(def, world, settings)
    call dry_world_get_settings(world, read)
    call check('settings of a new world', read%iterations == 1)
    call dry_material_def_init(ice)
    ice%friction = 0
    call dry_material_add(world, ice, slippery)
    call dry_pair_def_init(pair)
    pair%friction = 0.25_dp
    call dry_material_pair_set(world, slippery, 0_c_int64_t, pair)
    call dry_shape_sphere(world, 0.5_dp, ball)
    call dry_body_def_init(body)
    body%shape = ball
    call dry_body_add(world, body, added)
    body%material = slippery
    body%position(3) = 0.999_dp
    body%linear_velocity(3) = -1
    call dry_body_add(world, body, added)
    body%position(3) = 1.998_dp
    call dry_body_add(world, body, added)
    call dry_world_step(world, 0.01_dp, report, ierr)
    call refused('a step that does not converge', ierr, DRY_ERR_NOT_CONVERGED, '')
    call check('it is reported', report%contacts == 2 .and. report%residual_max > 0)
    read%require_convergence = 0
    call dry_world_set_settings(world, read)
    call dry_world_step(world, 0.01_dp)
    call dry_query_contacts(world, contacts)
    call check('a pair of materials', any(abs(contacts%friction - 0.25_dp) < 1e-15_dp))
    read%relaxation = 3
    call dry_world_set_settings(world, read, ierr)
    call refused('a setting beyond its range', ierr, DRY_ERR_ARGUMENT, 'relaxation is 3')
    ice%friction = -1
    call dry_material_add(world, ice, slippery, ierr)
    call refused('a friction below 0', ierr, DRY_ERR_ARGUMENT, 'friction is -1')
    call dry_world_destroy(world)
  end subroutine settings_and_materials

  ! A ball on a belt of 0.3 m/s, in runs.
  subroutine running
    type(dry_world) :: world
    type(dry_body_state) :: state
    type(dry_step_report) :: report
    integer(c_int64_t) :: ball, bottom, sphere, done
    real(dp) :: linear(3), angular(3)
    call scene(world, ball, bottom, sphere)
    call dry_body_set_surface_velocity(world, bottom, [0.3_dp, 0.0_dp, 0.0_dp], [0.0_dp, 0.0_dp, 0.0_dp])
    call dry_body_get_surface_velocity(world, bottom, linear, angular)
    call check('a surface velocity', abs(linear(1) - 0.3_dp) < 1e-16_dp .and. abs(angular(3)) < 1e-16_dp)
    call dry_body_set_surface_velocity(world, bottom, linear(1:2), angular, ierr)
    call refused('a surface velocity of two', ierr, DRY_ERR_ARGUMENT, 'linear: 2 elements')
    call dry_world_run(world, 0.005_dp, 400_c_int64_t, done)
    call dry_body_get_state(world, sphere, state)
    call check('a run, and a ball on a belt', done == 400 .and. abs(state%linear_velocity(1) - 0.3_dp*2/7) < 1e-9_dp)
    call dry_world_run(world, 0.005_dp, 20_c_int64_t, done, stop_at_seven, report=report, ierr=ierr)
    call check('a run that is stopped', ierr == DRY_ERR_STOPPED .and. done == 7 .and. report%bodies == 2)
    call dry_world_run(world, 0.005_dp, 20_c_int64_t, done, stop_at_seven, every=2_c_int64_t)
    call check('a run that is stopped without ierr', done == 8)
    call dry_world_run(world, -0.005_dp, 20_c_int64_t, done, ierr)
    call refused('a run back', ierr, DRY_ERR_ARGUMENT, 'step is -0.005')
    call dry_world_destroy(world)
  end subroutine running

  ! An optional argument that is left out leaves its place to ierr, in every procedure that has one.
  subroutine ierr_after_what_is_given
    type(dry_world) :: world
    type(dry_world_def) :: def
    type(dry_body_state) :: states(2)
    integer(c_int64_t) :: ball, bottom, sphere
    real(dp) :: columns(13, 2), x(3, 2), q(4, 2), v(3, 2)
    call dry_world_def_init(def, ierr)
    call dry_world_create(def, world, ierr)
    call check('a world without settings', ierr == DRY_OK)
    call dry_world_create(def, world, ierr)
    call refused('a world that is there', ierr, DRY_ERR_ARGUMENT, 'world: there already')
    call dry_world_destroy(world)
    call scene(world, ball, bottom, sphere)
    call dry_world_step(world, -0.1_dp, ierr)
    call refused('a step back without a report', ierr, DRY_ERR_ARGUMENT, 'step is -0.1')
    call dry_world_step(world, 0.01_dp, ierr)
    call check('a step without a report', ierr == DRY_OK)
    call dry_body_add_force(world, ball, up, ierr)
    call refused('a force on a shape', ierr, DRY_ERR_STALE_HANDLE, 'body')
    call dry_body_add_force(world, sphere, up, ierr)
    call check('a force at the centre', ierr == DRY_OK)
    call dry_bodies_get_states(world, states, ierr)
    call check('states of all', ierr == DRY_OK .and. abs(states(2)%position(3) - 0.5_dp) < 1e-3_dp) ! the contact margin
    call dry_bodies_get_states(world, columns, ierr)
    call check('columns of all', ierr == DRY_OK .and. all_equal(columns(1:3, 2), states(2)%position))
    call dry_bodies_get_states(world, columns(:, 1:1), ierr)
    call refused('a column too few', ierr, DRY_ERR_ARGUMENT, 'count is 1, expected 2')
    call drystone_get_positions(world, x, ierr)
    call check('positions of all', ierr == DRY_OK .and. all_equal(x(:, 2), states(2)%position))
    call drystone_get_rotations(world, q, ierr)
    call check('rotations of all', ierr == DRY_OK .and. all_equal(q(:, 2), states(2)%rotation))
    call drystone_get_linear_velocities(world, v, ierr)
    call check('velocities of all', ierr == DRY_OK .and. all_equal(v(:, 2), states(2)%linear_velocity))
    call drystone_get_angular_velocities(world, v, ierr)
    call check('angular velocities of all', ierr == DRY_OK .and. all_equal(v(:, 2), states(2)%angular_velocity))
    call drystone_get_angular_velocities(world, q, ierr)
    call refused('angular velocities of four', ierr, DRY_ERR_ARGUMENT, 'velocities: the shape is (4,2), expected (3,any)')
    call dry_world_destroy(world)
  end subroutine ierr_after_what_is_given

  ! Spheres of 0.5 m side by side, and a third one between them.
  subroutine overlapping
    type(dry_world) :: world
    type(dry_world_def) :: def
    type(dry_body_def) :: ball
    type(dry_shape_pose) :: poses(2)
    type(dry_overlap), allocatable :: found(:)
    integer(c_int64_t) :: first, second
    call dry_world_def_init(def)
    call dry_world_create(def, world)
    call dry_body_def_init(ball)
    call dry_shape_sphere(world, 0.5_dp, ball%shape)
    call dry_body_add(world, ball, first)
    ball%position(1) = 2
    call dry_body_add(world, ball, second)
    poses%shape = ball%shape
    poses(1)%position = 9
    poses(2)%position = [1.0_dp, 0.0_dp, 0.5_dp]
    poses(1)%rotation = [0, 0, 0, 1]
    poses(2)%rotation = [0, 0, 0, 1]
    call dry_query_overlaps(world, poses, 0.0_dp, found)
    call check('a place that is free', size(found) == 0)
    call dry_query_overlaps(world, poses, 0.2_dp, found)
    call check('a place between two', size(found) == 2)
    if (size(found) == 2) call check('by pose and body', all(found%pose == 1) .and. found(1)%body == first .and. &
      found(2)%body == second .and. abs(found(1)%gap - (sqrt(1.25_dp) - 1)) < 1e-14_dp)
    call dry_query_overlaps(world, poses, -1.0_dp, found, ierr)
    call refused('a margin below 0', ierr, DRY_ERR_ARGUMENT, 'margin is -1')
    call dry_world_destroy(world)
  end subroutine overlapping

  ! A block of 2 x 1 x 4 m on a floor is pushed over by half its weight.
  subroutine statics
    type(dry_world) :: world
    type(dry_world_def) :: def
    type(dry_body_def) :: block
    type(dry_material_def) :: rough
    type(dry_static_def) :: how
    type(dry_static_report) :: report
    real(dp) :: loads(6, 2), force(3), torque(3)
    real(dp), allocatable, target :: moves(:, :)
    integer(c_int64_t) :: floor_body, body
    call dry_world_def_init(def)
    call dry_world_create(def, world)
    call dry_body_def_init(block)
    call dry_material_def_init(rough)
    rough%friction = 0.8_dp
    call dry_material_add(world, rough, block%material)
    block%kind = DRY_STATIC
    call dry_shape_half_space(world, up, 0.0_dp, block%shape)
    call dry_body_add(world, block, floor_body)
    block%kind = DRY_DYNAMIC
    block%mass = 1
    block%position(3) = 2
    call dry_shape_box(world, [1.0_dp, 0.5_dp, 2.0_dp], block%shape)
    call dry_body_add(world, block, body)
    call dry_static_def_init(how)
    call dry_world_solve_static(world, how, moves, report)
    call check('a block at rest', report%flags == 0 .and. all(shape(moves) == [6, 2]) .and. maxval(abs(moves)) < 1e-12_dp)
    call dry_query_body_force(world, body, force, torque)
    call check('its floor carries it', abs(force(3) - 9.81_dp) < 1e-9_dp)
    loads = 0
    loads(1, 2) = 9.81_dp
    call dry_world_limit_load(world, loads, how, moves, report)
    call check('the push that turns it over', abs(report%load_factor - 0.5_dp) < 1e-9_dp .and. moves(1, 2) > 0)
    call dry_world_limit_load(world, loads(:, 1:1), how, moves, report, ierr)
    call refused('loads of one body', ierr, DRY_ERR_ARGUMENT, 'unit_loads: 1 elements, expected 2')
    call watched_statics(world, how, loads)
    how%tolerance = 0
    call dry_world_solve_static(world, how, moves, report, ierr)
    call refused('no tolerance', ierr, DRY_ERR_ARGUMENT, 'tolerance is 0')
    call dry_world_destroy(world)
  end subroutine statics

  ! A function between the iterations of statics.
  subroutine watched_statics(world, how, loads)
    type(dry_world), intent(in) :: world
    type(dry_static_def), intent(in) :: how
    real(dp), contiguous, target, intent(in) :: loads(:, :)
    type(dry_static_report) :: report, expected
    real(dp), allocatable, target :: moves(:, :)
    integer(c_int64_t) :: before, after
    call dry_world_hash(world, before)
    stop_after = 3
    calls = 0
    call dry_world_solve_static(world, how, moves, report, count_iterations, ierr)
    call refused('an increment that is stopped', ierr, DRY_ERR_STOPPED, 'after 3 iterations')
    calls = 0
    call dry_world_limit_load(world, loads, how, moves, report, count_iterations, ierr)
    call refused('a limit load that is stopped', ierr, DRY_ERR_STOPPED, 'after 3 iterations')
    call dry_world_hash(world, after)
    call check('they leave the world as it is', before == after .and. .not. allocated(moves))
    calls = 0
    stop_after = 0
    call dry_world_limit_load(world, loads, how, moves, report, count_iterations, 2_c_int64_t, ierr)
    call check('a function is called between iterations', ierr == DRY_OK .and. calls > 0 .and. last == 2*calls)
    call dry_world_limit_load(world, loads, how, moves, expected)
    call check('and changes nothing', abs(report%load_factor - expected%load_factor) < tiny(1.0_dp))
  end subroutine watched_statics

end program worlds
