! Bodies one by one, and what the last step did with them. Part of drystone.f90.
module drystone_bodies
  use, intrinsic :: iso_c_binding, only: c_char, c_double, c_int, c_int32_t, c_int64_t, c_loc, c_null_char, c_null_ptr, c_ptr, &
    c_size_t, c_sizeof
  use drystone_c
  use drystone_errors
  use drystone_worlds, only: dry_world, at => drystone_world_pointer
  implicit none
  private
  public :: dry_body_add, dry_bodies_add, dry_body_remove, dry_query_bodies
  public :: dry_body_get_state, dry_body_set_state, dry_body_get_mass, dry_body_get_user_data
  public :: dry_body_add_force, dry_body_add_torque, dry_body_wake, dry_body_is_awake
  public :: dry_body_set_surface_velocity, dry_body_get_surface_velocity
  public :: dry_query_overlaps
  public :: dry_query_contacts, dry_query_body_force, dry_query_energy, dry_query_stress, dry_query_fields, dry_world_export_vtk

  interface dry_body_add_force
    module procedure dry_body_add_force, add_central_force
  end interface dry_body_add_force

  interface dry_world_export_vtk
    module procedure dry_world_export_vtk, export_default
  end interface dry_world_export_vtk

contains

  !> Adds a body to a world.
  subroutine dry_body_add(world, def, body, ierr)
    type(dry_world), intent(in) :: world
    type(dry_body_def), intent(in) :: def
    integer(c_int64_t), intent(inout) :: body
    integer(c_int), intent(out), optional :: ierr
    call report_status(c_dry_body_add(at(world), def, body), ierr)
  end subroutine dry_body_add

  !> Adds many bodies to a world, all or none: bodies(n) receives the handles in the order of defs(n). An error names the
  !> element, and counts from 0: "defs[3]: ...".
  subroutine dry_bodies_add(world, defs, bodies, ierr)
    type(dry_world), intent(in) :: world
    type(dry_body_def), contiguous, target, intent(in) :: defs(:)
    integer(c_int64_t), target, intent(inout) :: bodies(:)
    integer(c_int), intent(out), optional :: ierr
    if (wrong_size('bodies', size(bodies), size(defs), ierr)) return
    if (scattered('bodies', is_contiguous(bodies), ierr)) return
    call report_status(c_dry_bodies_add(at(world), c_loc(defs), size(defs, kind=c_size_t), c_loc(bodies)), ierr)
  end subroutine dry_bodies_add

  !> Removes a body, with its contacts and its joints.
  subroutine dry_body_remove(world, body, ierr)
    type(dry_world), intent(in) :: world
    integer(c_int64_t), intent(in) :: body
    integer(c_int), intent(out), optional :: ierr
    call report_status(c_dry_body_remove(at(world), body), ierr)
  end subroutine dry_body_remove

  !> Lists the bodies of a world in the order of their creation; bodies gets the right size.
  subroutine dry_query_bodies(world, bodies, ierr)
    type(dry_world), intent(in) :: world
    integer(c_int64_t), allocatable, target, intent(inout) :: bodies(:)
    integer(c_int), intent(out), optional :: ierr
    integer(c_size_t) :: count
    integer(c_int) :: status
    do
      count = 0
      status = c_dry_query_bodies(at(world), c_null_ptr, 0_c_size_t, count)
      if (status /= DRY_OK) exit
      if (allocated(bodies)) deallocate (bodies)
      allocate (bodies(count))
      if (count > 0) status = c_dry_query_bodies(at(world), c_loc(bodies), count, count)
      if (status /= DRY_ERR_CAPACITY) exit ! else bodies came between the two questions
    end do
    call report_status(status, ierr)
  end subroutine dry_query_bodies

  !> Reads where a body is and how it moves.
  subroutine dry_body_get_state(world, body, state, ierr)
    type(dry_world), intent(in) :: world
    integer(c_int64_t), intent(in) :: body
    type(dry_body_state), intent(inout) :: state
    integer(c_int), intent(out), optional :: ierr
    call report_status(c_dry_body_get_state(at(world), body, state), ierr)
  end subroutine dry_body_get_state

  !> Puts a body somewhere and sets its velocities.
  subroutine dry_body_set_state(world, body, state, ierr)
    type(dry_world), intent(in) :: world
    integer(c_int64_t), intent(in) :: body
    type(dry_body_state), intent(in) :: state
    integer(c_int), intent(out), optional :: ierr
    call report_status(c_dry_body_set_state(at(world), body, state), ierr)
  end subroutine dry_body_set_state

  !> Reads the mass [kg], center_of_mass(3) [m], and inertia(6), xx yy zz xy yz xz, [kg m^2] of a body, in body axes.
  subroutine dry_body_get_mass(world, body, mass, center_of_mass, inertia, ierr)
    type(dry_world), intent(in) :: world
    integer(c_int64_t), intent(in) :: body
    real(c_double), intent(inout) :: mass, center_of_mass(:), inertia(:)
    integer(c_int), intent(out), optional :: ierr
    real(c_double) :: center(3), tensor(6)
    integer(c_int) :: status
    if (wrong_size('center_of_mass', size(center_of_mass), 3, ierr)) return
    if (wrong_size('inertia', size(inertia), 6, ierr)) return
    status = c_dry_body_get_mass(at(world), body, mass, center, tensor)
    if (status == DRY_OK) then
      center_of_mass = center
      inertia = tensor
    end if
    call report_status(status, ierr)
  end subroutine dry_body_get_mass

  !> Reads the user_data that a body was added with.
  subroutine dry_body_get_user_data(world, body, user_data, ierr)
    type(dry_world), intent(in) :: world
    integer(c_int64_t), intent(in) :: body
    integer(c_int64_t), intent(inout) :: user_data
    integer(c_int), intent(out), optional :: ierr
    call report_status(c_dry_body_get_user_data(at(world), body, user_data), ierr)
  end subroutine dry_body_get_user_data

  !> Pushes a dynamic body during the next step: force(3) [N], at point(3) in world axes [m] or at the centre of mass.
  subroutine dry_body_add_force(world, body, force, point, ierr)
    type(dry_world), intent(in) :: world
    integer(c_int64_t), intent(in) :: body
    real(c_double), intent(in) :: force(:)
    real(c_double), contiguous, target, intent(in), optional :: point(:)
    integer(c_int), intent(out), optional :: ierr
    type(c_ptr) :: point_or_null
    if (wrong_size('force', size(force), 3, ierr)) return
    point_or_null = c_null_ptr
    if (present(point)) then
      if (wrong_size('point', size(point), 3, ierr)) return
      point_or_null = c_loc(point)
    end if
    call report_status(c_dry_body_add_force(at(world), body, force, point_or_null), ierr)
  end subroutine dry_body_add_force

  subroutine add_central_force(world, body, force, status)
    type(dry_world), intent(in) :: world
    integer(c_int64_t), intent(in) :: body
    real(c_double), intent(in) :: force(:)
    integer(c_int), intent(out) :: status
    call dry_body_add_force(world, body, force, ierr=status)
  end subroutine add_central_force

  !> Turns a dynamic body during the next step: torque(3) [N m].
  subroutine dry_body_add_torque(world, body, torque, ierr)
    type(dry_world), intent(in) :: world
    integer(c_int64_t), intent(in) :: body
    real(c_double), intent(in) :: torque(:)
    integer(c_int), intent(out), optional :: ierr
    if (wrong_size('torque', size(torque), 3, ierr)) return
    call report_status(c_dry_body_add_torque(at(world), body, torque), ierr)
  end subroutine dry_body_add_torque

  !> Makes the surface of a body move over it, as a belt: linear(3) at the centre of mass [m/s] and angular(3) [rad/s], both
  !> in body axes; zeros end it.
  subroutine dry_body_set_surface_velocity(world, body, linear, angular, ierr)
    type(dry_world), intent(in) :: world
    integer(c_int64_t), intent(in) :: body
    real(c_double), intent(in) :: linear(:), angular(:)
    integer(c_int), intent(out), optional :: ierr
    if (wrong_size('linear', size(linear), 3, ierr)) return
    if (wrong_size('angular', size(angular), 3, ierr)) return
    call report_status(c_dry_body_set_surface_velocity(at(world), body, linear, angular), ierr)
  end subroutine dry_body_set_surface_velocity

  !> Reads how the surface of a body moves over it: linear(3) [m/s] and angular(3) [rad/s], body axes.
  subroutine dry_body_get_surface_velocity(world, body, linear, angular, ierr)
    type(dry_world), intent(in) :: world
    integer(c_int64_t), intent(in) :: body
    real(c_double), intent(inout) :: linear(3), angular(3)
    integer(c_int), intent(out), optional :: ierr
    call report_status(c_dry_body_get_surface_velocity(at(world), body, linear, angular), ierr)
  end subroutine dry_body_get_surface_velocity

  !> Wakes a body and all that fell asleep with it.
  subroutine dry_body_wake(world, body, ierr)
    type(dry_world), intent(in) :: world
    integer(c_int64_t), intent(in) :: body
    integer(c_int), intent(out), optional :: ierr
    call report_status(c_dry_body_wake(at(world), body), ierr)
  end subroutine dry_body_wake

  !> Says whether a body is awake.
  subroutine dry_body_is_awake(world, body, awake, ierr)
    type(dry_world), intent(in) :: world
    integer(c_int64_t), intent(in) :: body
    logical, intent(inout) :: awake
    integer(c_int), intent(out), optional :: ierr
    integer(c_int32_t) :: flag
    integer(c_int) :: status
    flag = 0
    status = c_dry_body_is_awake(at(world), body, flag)
    if (status == DRY_OK) awake = flag /= 0
    call report_status(status, ierr)
  end subroutine dry_body_is_awake

  ! ---- what the last step did

  !> Lists the contacts of the last step; contacts gets the right size.
  subroutine dry_query_contacts(world, contacts, ierr)
    type(dry_world), intent(in) :: world
    type(dry_contact), allocatable, target, intent(inout) :: contacts(:)
    integer(c_int), intent(out), optional :: ierr
    type(dry_contact) :: one
    integer(c_size_t) :: count
    integer(c_int) :: status
    do
      count = 0
      status = c_dry_query_contacts(at(world), c_null_ptr, c_sizeof(one), 0_c_size_t, count)
      if (status /= DRY_OK) exit
      if (allocated(contacts)) then
        if (size(contacts, kind=c_size_t) /= count) deallocate (contacts)
      end if
      if (.not. allocated(contacts)) allocate (contacts(count))
      if (count > 0) status = c_dry_query_contacts(at(world), c_loc(contacts), c_sizeof(one), count, count)
      if (status /= DRY_ERR_CAPACITY) exit ! else another thread's step came between the two questions
    end do
    call report_status(status, ierr)
  end subroutine dry_query_contacts

  !> Lists the bodies whose gap to one of the shapes at poses(n) is below margin [m], which counts from 0 in overlaps%pose;
  !> overlaps gets the right size. With a margin of 0 bodies that touch are not listed.
  subroutine dry_query_overlaps(world, poses, margin, overlaps, ierr)
    type(dry_world), intent(in) :: world
    type(dry_shape_pose), contiguous, target, intent(in) :: poses(:)
    real(c_double), intent(in) :: margin
    type(dry_overlap), allocatable, target, intent(inout) :: overlaps(:)
    integer(c_int), intent(out), optional :: ierr
    integer(c_size_t) :: count, poses_count
    integer(c_int) :: status
    poses_count = size(poses, kind=c_size_t)
    do
      count = 0
      status = c_dry_query_overlaps(at(world), c_loc(poses), poses_count, margin, c_null_ptr, 0_c_size_t, count)
      if (status /= DRY_OK) exit
      if (allocated(overlaps)) then
        if (size(overlaps, kind=c_size_t) /= count) deallocate (overlaps)
      end if
      if (.not. allocated(overlaps)) allocate (overlaps(count))
      if (count > 0) status = c_dry_query_overlaps(at(world), c_loc(poses), poses_count, margin, c_loc(overlaps), count, count)
      if (status /= DRY_ERR_CAPACITY) exit ! else another thread's step came between the two questions
    end do
    call report_status(status, ierr)
  end subroutine dry_query_overlaps

  !> Adds up the contact forces on a body in the last step: force(3) [N], torque(3) about its centre of mass [N m].
  subroutine dry_query_body_force(world, body, force, torque, ierr)
    type(dry_world), intent(in) :: world
    integer(c_int64_t), intent(in) :: body
    real(c_double), intent(inout) :: force(:), torque(:)
    integer(c_int), intent(out), optional :: ierr
    real(c_double) :: sums(3, 2)
    integer(c_int) :: status
    if (wrong_size('force', size(force), 3, ierr)) return
    if (wrong_size('torque', size(torque), 3, ierr)) return
    status = c_dry_query_body_force(at(world), body, sums(:, 1), sums(:, 2))
    if (status == DRY_OK) then
      force = sums(:, 1)
      torque = sums(:, 2)
    end if
    call report_status(status, ierr)
  end subroutine dry_query_body_force

  !> Reads the energy of a world as it is now [J].
  subroutine dry_query_energy(world, kinetic, potential, ierr)
    type(dry_world), intent(in) :: world
    real(c_double), intent(inout) :: kinetic, potential
    integer(c_int), intent(out), optional :: ierr
    call report_status(c_dry_query_energy(at(world), kinetic, potential), ierr)
  end subroutine dry_query_energy

  !> Averages the stress that contacts carry between the corners lower(3) and upper(3) [m]: stress(3, 3), whose element
  !> (i, j) is -1/V times the sum of l(i) f(j); tension is positive [Pa].
  subroutine dry_query_stress(world, lower, upper, stress, ierr)
    type(dry_world), intent(in) :: world
    real(c_double), intent(in) :: lower(:), upper(:)
    real(c_double), intent(inout) :: stress(:, :)
    integer(c_int), intent(out), optional :: ierr
    real(c_double) :: rows(9)
    integer(c_int) :: status
    if (wrong_size('lower', size(lower), 3, ierr)) return
    if (wrong_size('upper', size(upper), 3, ierr)) return
    if (wrong_shape('stress', shape(stress), [3, 3], ierr)) return
    status = c_dry_query_stress(at(world), lower, upper, rows)
    if (status == DRY_OK) stress = transpose(reshape(rows, [3, 3]))
    call report_status(status, ierr)
  end subroutine dry_query_stress

  !> Averages a world about points(3, n) [m]: fields(n) with density, velocity, stress and so on. Matrices in them are row by row.
  !> Width 0: the mean diameter of the dynamic spheres.
  subroutine dry_query_fields(world, points, kernel, width, fields, ierr)
    type(dry_world), intent(in) :: world
    real(c_double), intent(in), target, contiguous :: points(:, :)
    integer(c_int), intent(in) :: kernel
    real(c_double), intent(in) :: width
    type(dry_field), allocatable, target, intent(inout) :: fields(:)
    integer(c_int), intent(out), optional :: ierr
    type(dry_field), allocatable, target :: found(:)
    type(dry_field) :: one
    integer(c_int) :: status
    if (wrong_size('points', size(points, 1), 3, ierr)) return
    allocate (found(size(points, 2)))
    status = c_dry_query_fields(at(world), c_loc(points), size(found, kind=c_size_t), kernel, width, c_loc(found), &
      c_sizeof(one))
    if (status == DRY_OK) call move_alloc(found, fields)
    call report_status(status, ierr)
  end subroutine dry_query_fields

  !> Writes files for ParaView, whose paths begin with prefix, and adds them to their series; def says what is written.
  subroutine dry_world_export_vtk(world, prefix, step, time, def, ierr)
    type(dry_world), intent(in) :: world
    character(len=*), intent(in) :: prefix
    integer(c_int64_t), intent(in) :: step
    real(c_double), intent(in) :: time
    type(dry_vtk_def), intent(in), target, optional :: def
    integer(c_int), intent(out), optional :: ierr
    character(kind=c_char), target :: path(len_trim(prefix) + 1)
    type(c_ptr) :: def_or_null
    integer :: i
    do i = 1, len_trim(prefix)
      path(i) = prefix(i:i)
    end do
    path(size(path)) = c_null_char
    def_or_null = c_null_ptr
    if (present(def)) def_or_null = c_loc(def)
    call report_status(c_dry_world_export_vtk(at(world), c_loc(path), step, time, def_or_null), ierr)
  end subroutine dry_world_export_vtk

  subroutine export_default(world, prefix, step, time, status)
    type(dry_world), intent(in) :: world
    character(len=*), intent(in) :: prefix
    integer(c_int64_t), intent(in) :: step
    real(c_double), intent(in) :: time
    integer(c_int), intent(out) :: status
    call dry_world_export_vtk(world, prefix, step, time, ierr=status)
  end subroutine export_default

end module drystone_bodies
