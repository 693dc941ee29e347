! Worlds: what is in them, stepping, and the settings of both worlds and solvers. Part of drystone.f90.
!
! Optional arguments at the end may be left out; ierr then follows the last argument that is given. Each such call has a
! specific procedure, which names ierr `status`: Fortran distinguishes procedures of one name only by keywords.
module drystone_worlds
  use, intrinsic :: iso_c_binding, only: c_associated, c_double, c_funloc, c_int, c_int8_t, c_int32_t, c_int64_t, c_loc, &
    c_null_ptr, c_ptr, c_size_t, c_sizeof
  use drystone_c
  use drystone_errors
  use drystone_iterations, only: drystone_iteration_progress, watch, forward_iterations
  implicit none
  private
  public :: dry_world, dry_world_create, dry_world_destroy, drystone_adopt_world, drystone_move_world, drystone_world_pointer
  public :: dry_settings_init, dry_world_def_init, dry_material_def_init, dry_pair_def_init, dry_body_def_init, &
    dry_vtk_def_init, dry_clump_part_init, dry_nurbs_curve_def_init, dry_static_def_init
  public :: dry_world_get_settings, dry_world_set_settings, dry_world_set_gravity, dry_world_get_gravity, &
    dry_world_get_period, dry_world_set_strain_rate, dry_world_get_strain_rate, dry_world_step, dry_world_solve_static, &
    dry_world_limit_load
  public :: dry_material_add, dry_material_pair_set
  public :: dry_shape_sphere, dry_shape_box, dry_shape_capsule, dry_shape_cylinder, dry_shape_half_space, dry_shape_hull, &
    dry_shape_mesh, dry_shape_clump, dry_shape_mass_properties, dry_shape_nurbs_curve, dry_shape_closest, dry_shape_remove
  public :: dry_world_hash, dry_world_snapshot, dry_world_restore, dry_world_clone

  !> A world. Made by dry_world_create, ended by dry_world_destroy; empty before and after: every call then answers
  !> DRY_ERR_NULL. It is not copied: an assignment does not change the left side. drystone_move_world hands it on.
  type :: dry_world
    private
    type(c_ptr) :: pointer = c_null_ptr
  contains
    procedure, private :: not_copied
    generic :: assignment(=) => not_copied
  end type dry_world

  interface dry_world_create
    module procedure dry_world_create, create_with_defaults
  end interface dry_world_create

  interface dry_shape_nurbs_curve
    module procedure dry_shape_nurbs_curve, nurbs_curve_without_weights
  end interface dry_shape_nurbs_curve

  interface dry_world_step
    module procedure dry_world_step, step_without_report
  end interface dry_world_step

  interface dry_world_solve_static
    module procedure dry_world_solve_static, solve_static_watched, solve_static_watched_each
  end interface dry_world_solve_static

  interface dry_world_limit_load
    module procedure dry_world_limit_load, limit_load_watched, limit_load_watched_each
  end interface dry_world_limit_load

contains

  elemental subroutine not_copied(to, from)
    class(dry_world), intent(inout) :: to
    type(dry_world), intent(in) :: from
    if (.false.) to%pointer = from%pointer
  end subroutine not_copied

  !> Hands a world on; `to` ends if it was one, `from` is empty then.
  subroutine drystone_move_world(from, to)
    type(dry_world), intent(inout) :: from, to
    type(c_ptr) :: moved
    moved = from%pointer
    from%pointer = c_null_ptr
    call dry_world_destroy(to)
    to%pointer = moved
  end subroutine drystone_move_world

  !> The world of the C interface, still owned by `world`; for the functions of module drystone_c.
  function drystone_world_pointer(world) result(pointer)
    type(dry_world), intent(in) :: world
    type(c_ptr) :: pointer
    pointer = world%pointer
  end function drystone_world_pointer

  !> Takes over a world of the C interface; `world` ends if it was one.
  subroutine drystone_adopt_world(pointer, world)
    type(c_ptr), intent(in) :: pointer
    type(dry_world), intent(inout) :: world
    call dry_world_destroy(world)
    world%pointer = pointer
  end subroutine drystone_adopt_world

  ! ---- defaults

  !> Fills in the default settings.
  subroutine dry_settings_init(settings, ierr)
    type(dry_settings), intent(inout) :: settings
    integer(c_int), intent(out), optional :: ierr
    call report_status(c_dry_settings_init(settings, c_sizeof(settings)), ierr)
  end subroutine dry_settings_init

  !> Fills in what a world starts with by default.
  subroutine dry_world_def_init(def, ierr)
    type(dry_world_def), intent(inout) :: def
    integer(c_int), intent(out), optional :: ierr
    call report_status(c_dry_world_def_init(def, c_sizeof(def)), ierr)
  end subroutine dry_world_def_init

  !> Fills in the default material.
  subroutine dry_material_def_init(def, ierr)
    type(dry_material_def), intent(inout) :: def
    integer(c_int), intent(out), optional :: ierr
    call report_status(c_dry_material_def_init(def, c_sizeof(def)), ierr)
  end subroutine dry_material_def_init

  !> Fills in the default of what holds between two materials.
  subroutine dry_pair_def_init(def, ierr)
    type(dry_pair_def), intent(inout) :: def
    integer(c_int), intent(out), optional :: ierr
    call report_status(c_dry_pair_def_init(def, c_sizeof(def)), ierr)
  end subroutine dry_pair_def_init

  !> Fills in a default body: dynamic, at the origin, at rest, without a shape.
  subroutine dry_body_def_init(def, ierr)
    type(dry_body_def), intent(inout) :: def
    integer(c_int), intent(out), optional :: ierr
    call report_status(c_dry_body_def_init(def, c_sizeof(def)), ierr)
  end subroutine dry_body_def_init

  !> Fills in how a static problem is solved by default.
  subroutine dry_static_def_init(def, ierr)
    type(dry_static_def), intent(inout) :: def
    integer(c_int), intent(out), optional :: ierr
    call report_status(c_dry_static_def_init(def, c_sizeof(def)), ierr)
  end subroutine dry_static_def_init

  !> Fills in a default part of a clump: at its origin, without a shape.
  subroutine dry_clump_part_init(part, ierr)
    type(dry_clump_part), intent(inout) :: part
    integer(c_int), intent(out), optional :: ierr
    call report_status(c_dry_clump_part_init(part, c_sizeof(part)), ierr)
  end subroutine dry_clump_part_init

  !> Fills in the default files for VTK.
  subroutine dry_vtk_def_init(def, ierr)
    type(dry_vtk_def), intent(inout) :: def
    integer(c_int), intent(out), optional :: ierr
    call report_status(c_dry_vtk_def_init(def, c_sizeof(def)), ierr)
  end subroutine dry_vtk_def_init

  ! ---- worlds

  !> Creates an empty world, with the settings if they are given. A world that is there already is refused.
  subroutine dry_world_create(def, world, settings, ierr)
    type(dry_world_def), intent(in) :: def
    type(dry_world), intent(inout) :: world
    type(dry_settings), intent(in), target, optional :: settings
    integer(c_int), intent(out), optional :: ierr
    type(dry_world_def) :: with_settings
    type(c_ptr) :: pointer
    integer(c_int) :: status
    if (c_associated(world%pointer)) then
      call refuse('world: there already, expected an empty one (dry_world_destroy)', ierr)
      return
    end if
    with_settings = def
    if (present(settings)) with_settings%settings = c_loc(settings)
    pointer = c_null_ptr
    status = c_dry_world_create(with_settings, pointer)
    if (status == DRY_OK) world%pointer = pointer
    call report_status(status, ierr)
  end subroutine dry_world_create

  subroutine create_with_defaults(def, world, status)
    type(dry_world_def), intent(in) :: def
    type(dry_world), intent(inout) :: world
    integer(c_int), intent(out) :: status
    call dry_world_create(def, world, ierr=status)
  end subroutine create_with_defaults

  !> Ends a world, with everything in it; an empty one stays.
  subroutine dry_world_destroy(world)
    type(dry_world), intent(inout) :: world
    call c_dry_world_destroy(world%pointer)
    world%pointer = c_null_ptr
  end subroutine dry_world_destroy

  !> Reads the settings of a world.
  subroutine dry_world_get_settings(world, settings, ierr)
    type(dry_world), intent(in) :: world
    type(dry_settings), intent(inout) :: settings
    integer(c_int), intent(out), optional :: ierr
    call report_status(c_dry_world_get_settings(world%pointer, settings, c_sizeof(settings)), ierr)
  end subroutine dry_world_get_settings

  !> Changes the settings of a world, from the next step on.
  subroutine dry_world_set_settings(world, settings, ierr)
    type(dry_world), intent(in) :: world
    type(dry_settings), intent(in) :: settings
    integer(c_int), intent(out), optional :: ierr
    call report_status(c_dry_world_set_settings(world%pointer, settings), ierr)
  end subroutine dry_world_set_settings

  !> Changes the gravity of a world, gravity(3), from the next step on [m/s^2].
  subroutine dry_world_set_gravity(world, gravity, ierr)
    type(dry_world), intent(in) :: world
    real(c_double), intent(in) :: gravity(:)
    integer(c_int), intent(out), optional :: ierr
    if (wrong_size('gravity', size(gravity), 3, ierr)) return
    call report_status(c_dry_world_set_gravity(world%pointer, gravity), ierr)
  end subroutine dry_world_set_gravity

  !> Reads the gravity of a world, gravity(3) [m/s^2].
  subroutine dry_world_get_gravity(world, gravity, ierr)
    type(dry_world), intent(in) :: world
    real(c_double), intent(inout) :: gravity(3)
    integer(c_int), intent(out), optional :: ierr
    call report_status(c_dry_world_get_gravity(world%pointer, gravity), ierr)
  end subroutine dry_world_get_gravity

  !> Reads the lengths of the periodic box of a world, period(3), 0 along an axis without a period [m].
  subroutine dry_world_get_period(world, period, ierr)
    type(dry_world), intent(in) :: world
    real(c_double), intent(inout) :: period(3)
    integer(c_int), intent(out), optional :: ierr
    call report_status(c_dry_world_get_period(world%pointer, period), ierr)
  end subroutine dry_world_get_period

  !> Strains the periodic box of a world: every period grows by period * rate * h in a step of h seconds; rates(3) [1/s].
  subroutine dry_world_set_strain_rate(world, rates, ierr)
    type(dry_world), intent(in) :: world
    real(c_double), intent(in) :: rates(:)
    integer(c_int), intent(out), optional :: ierr
    if (wrong_size('rates', size(rates), 3, ierr)) return
    call report_status(c_dry_world_set_strain_rate(world%pointer, rates), ierr)
  end subroutine dry_world_set_strain_rate

  !> Reads the rates at which the periods of a world grow, rates(3) [1/s].
  subroutine dry_world_get_strain_rate(world, rates, ierr)
    type(dry_world), intent(in) :: world
    real(c_double), intent(inout) :: rates(3)
    integer(c_int), intent(out), optional :: ierr
    call report_status(c_dry_world_get_strain_rate(world%pointer, rates), ierr)
  end subroutine dry_world_get_strain_rate

  !> Advances a world by one step [s]; report receives what happened.
  subroutine dry_world_step(world, step, report, ierr)
    type(dry_world), intent(in) :: world
    real(c_double), intent(in) :: step
    type(dry_step_report), intent(inout), target, optional :: report
    integer(c_int), intent(out), optional :: ierr
    type(c_ptr) :: report_or_null
    report_or_null = c_null_ptr
    if (present(report)) report_or_null = c_loc(report)
    call report_status(c_dry_world_step(world%pointer, step, report_or_null), ierr)
  end subroutine dry_world_step

  subroutine step_without_report(world, step, status)
    type(dry_world), intent(in) :: world
    real(c_double), intent(in) :: step
    integer(c_int), intent(out) :: status
    call dry_world_step(world, step, ierr=status)
  end subroutine step_without_report

  !> Balances all loads: bodies move to where their contacts carry them. displacements(6, bodies) receives their moves and turns in
  !> the order of creation.
  subroutine dry_world_solve_static(world, def, displacements, report, ierr)
    type(dry_world), intent(in) :: world
    type(dry_static_def), intent(in) :: def
    real(c_double), allocatable, target, intent(inout) :: displacements(:, :)
    type(dry_static_report), intent(inout) :: report
    integer(c_int), intent(out), optional :: ierr
    real(c_double), allocatable, target :: found(:, :)
    integer(c_int) :: status
    call room_for_moves(world, found, status)
    if (status == DRY_OK) status = c_dry_world_solve_static(world%pointer, def, c_loc(found), size(found, 2, c_size_t), report)
    if (status == DRY_OK) call move_alloc(found, displacements)
    call report_status(status, ierr)
  end subroutine dry_world_solve_static

  !> The same. progress is called after `every` iterations (1) and again after as many more. If it stops the call, that answers
  !> DRY_ERR_STOPPED, writes nothing and changes nothing. Calls on the same world from it are DRY_ERR_BUSY.
  subroutine solve_static_watched(world, def, displacements, report, progress, every, ierr)
    type(dry_world), intent(in) :: world
    type(dry_static_def), intent(in) :: def
    real(c_double), allocatable, target, intent(inout) :: displacements(:, :)
    type(dry_static_report), intent(inout) :: report
    procedure(drystone_iteration_progress) :: progress
    integer(c_int64_t), intent(in), optional :: every
    integer(c_int), intent(out), optional :: ierr
    type(watch), target :: watched
    type(dry_static_def) :: how
    watched%call => progress
    how = with_watch(def, watched, every)
    call dry_world_solve_static(world, how, displacements, report, ierr)
  end subroutine solve_static_watched

  subroutine solve_static_watched_each(world, def, displacements, report, progress, status)
    type(dry_world), intent(in) :: world
    type(dry_static_def), intent(in) :: def
    real(c_double), allocatable, target, intent(inout) :: displacements(:, :)
    type(dry_static_report), intent(inout) :: report
    procedure(drystone_iteration_progress) :: progress
    integer(c_int), intent(out) :: status
    call dry_world_solve_static(world, def, displacements, report, progress, ierr=status)
  end subroutine solve_static_watched_each

  !> Finds how far unit_loads(6, bodies) can grow beside the present loads. mechanism(6, bodies) receives how bodies then move.
  subroutine dry_world_limit_load(world, unit_loads, def, mechanism, report, ierr)
    type(dry_world), intent(in) :: world
    real(c_double), contiguous, target, intent(in) :: unit_loads(:, :)
    type(dry_static_def), intent(in) :: def
    real(c_double), allocatable, target, intent(inout) :: mechanism(:, :)
    type(dry_static_report), intent(inout) :: report
    integer(c_int), intent(out), optional :: ierr
    real(c_double), allocatable, target :: found(:, :)
    integer(c_int) :: status
    if (wrong_shape('unit_loads', ubound(unit_loads), [6, -1], ierr)) return
    call room_for_moves(world, found, status)
    if (status == DRY_OK) then
      if (wrong_size('unit_loads', size(unit_loads, 2), size(found, 2), ierr)) return
      status = c_dry_world_limit_load(world%pointer, c_loc(unit_loads), size(found, 2, c_size_t), def, c_loc(found), report)
    end if
    if (status == DRY_OK) call move_alloc(found, mechanism)
    call report_status(status, ierr)
  end subroutine dry_world_limit_load

  !> The same, with a function between the iterations, as dry_world_solve_static has it.
  subroutine limit_load_watched(world, unit_loads, def, mechanism, report, progress, every, ierr)
    type(dry_world), intent(in) :: world
    real(c_double), contiguous, target, intent(in) :: unit_loads(:, :)
    type(dry_static_def), intent(in) :: def
    real(c_double), allocatable, target, intent(inout) :: mechanism(:, :)
    type(dry_static_report), intent(inout) :: report
    procedure(drystone_iteration_progress) :: progress
    integer(c_int64_t), intent(in), optional :: every
    integer(c_int), intent(out), optional :: ierr
    type(watch), target :: watched
    type(dry_static_def) :: how
    watched%call => progress
    how = with_watch(def, watched, every)
    call dry_world_limit_load(world, unit_loads, how, mechanism, report, ierr)
  end subroutine limit_load_watched

  subroutine limit_load_watched_each(world, unit_loads, def, mechanism, report, progress, status)
    type(dry_world), intent(in) :: world
    real(c_double), contiguous, target, intent(in) :: unit_loads(:, :)
    type(dry_static_def), intent(in) :: def
    real(c_double), allocatable, target, intent(inout) :: mechanism(:, :)
    type(dry_static_report), intent(inout) :: report
    procedure(drystone_iteration_progress) :: progress
    integer(c_int), intent(out) :: status
    call dry_world_limit_load(world, unit_loads, def, mechanism, report, progress, ierr=status)
  end subroutine limit_load_watched_each

  !> A definition with the function that is called between the iterations.
  function with_watch(def, watched, every) result(how)
    type(dry_static_def), intent(in) :: def
    type(watch), target, intent(in) :: watched
    integer(c_int64_t), intent(in), optional :: every
    type(dry_static_def) :: how
    how = def
    how%user_data = c_loc(watched)
    how%progress = c_funloc(forward_iterations)
    if (present(every)) how%every = every
  end function with_watch

  !> Allocates six numbers for each body.
  subroutine room_for_moves(world, moves, status)
    type(dry_world), intent(in) :: world
    real(c_double), allocatable, intent(out) :: moves(:, :)
    integer(c_int), intent(out) :: status
    integer(c_size_t) :: count
    count = 0
    status = c_dry_query_bodies(world%pointer, c_null_ptr, 0_c_size_t, count)
    allocate (moves(6, count))
  end subroutine room_for_moves

  !> Hashes the full dynamic state of a world.
  subroutine dry_world_hash(world, hash, ierr)
    type(dry_world), intent(in) :: world
    integer(c_int64_t), intent(inout) :: hash
    integer(c_int), intent(out), optional :: ierr
    call report_status(c_dry_world_hash(world%pointer, hash), ierr)
  end subroutine dry_world_hash

  !> Writes the full dynamic state of a world to bytes, which get the right size.
  subroutine dry_world_snapshot(world, bytes, ierr)
    type(dry_world), intent(in) :: world
    integer(c_int8_t), allocatable, target, intent(inout) :: bytes(:)
    integer(c_int), intent(out), optional :: ierr
    integer(c_size_t) :: count
    integer(c_int) :: status
    do
      count = 0
      status = c_dry_world_snapshot(world%pointer, c_null_ptr, 0_c_size_t, count)
      if (status /= DRY_OK) exit
      if (allocated(bytes)) deallocate (bytes)
      allocate (bytes(count))
      if (count > 0) status = c_dry_world_snapshot(world%pointer, c_loc(bytes), count, count)
      if (status /= DRY_ERR_CAPACITY) exit ! else another thread changed the world between the two questions
    end do
    call report_status(status, ierr)
  end subroutine dry_world_snapshot

  !> Puts a world into the state that a snapshot holds.
  subroutine dry_world_restore(world, bytes, ierr)
    type(dry_world), intent(in) :: world
    integer(c_int8_t), contiguous, target, intent(in) :: bytes(:)
    integer(c_int), intent(out), optional :: ierr
    call report_status(c_dry_world_restore(world%pointer, c_loc(bytes), size(bytes, kind=c_size_t)), ierr)
  end subroutine dry_world_restore

  !> Creates a world equal to another one, which goes on as that one. One that is there already is refused.
  subroutine dry_world_clone(world, copy, ierr)
    type(dry_world), intent(in) :: world
    type(dry_world), intent(inout) :: copy
    integer(c_int), intent(out), optional :: ierr
    type(c_ptr) :: pointer
    integer(c_int) :: status
    if (c_associated(copy%pointer)) then
      call refuse('copy: there already, expected an empty one (dry_world_destroy)', ierr)
      return
    end if
    pointer = c_null_ptr
    status = c_dry_world_clone(world%pointer, pointer)
    if (status == DRY_OK) copy%pointer = pointer
    call report_status(status, ierr)
  end subroutine dry_world_clone

  ! ---- materials

  !> Adds a material to a world.
  subroutine dry_material_add(world, def, material, ierr)
    type(dry_world), intent(in) :: world
    type(dry_material_def), intent(in) :: def
    integer(c_int64_t), intent(inout) :: material
    integer(c_int), intent(out), optional :: ierr
    call report_status(c_dry_material_add(world%pointer, def, material), ierr)
  end subroutine dry_material_add

  !> Says what holds between two materials, in either order; 0 is the default one.
  subroutine dry_material_pair_set(world, first, second, def, ierr)
    type(dry_world), intent(in) :: world
    integer(c_int64_t), intent(in) :: first, second
    type(dry_pair_def), intent(in) :: def
    integer(c_int), intent(out), optional :: ierr
    call report_status(c_dry_material_pair_set(world%pointer, first, second, def), ierr)
  end subroutine dry_material_pair_set

  ! ---- shapes

  !> Adds a sphere about its origin [m].
  subroutine dry_shape_sphere(world, radius, shape, ierr)
    type(dry_world), intent(in) :: world
    real(c_double), intent(in) :: radius
    integer(c_int64_t), intent(inout) :: shape
    integer(c_int), intent(out), optional :: ierr
    call report_status(c_dry_shape_sphere(world%pointer, radius, shape), ierr)
  end subroutine dry_shape_sphere

  !> Adds a box about its origin, half_extents(3) [m].
  subroutine dry_shape_box(world, half_extents, shape, ierr)
    type(dry_world), intent(in) :: world
    real(c_double), intent(in) :: half_extents(:)
    integer(c_int64_t), intent(inout) :: shape
    integer(c_int), intent(out), optional :: ierr
    if (wrong_size('half_extents', size(half_extents), 3, ierr)) return
    call report_status(c_dry_shape_box(world%pointer, half_extents, shape), ierr)
  end subroutine dry_shape_box

  !> Adds a capsule along z; half_height without the half spheres [m].
  subroutine dry_shape_capsule(world, half_height, radius, shape, ierr)
    type(dry_world), intent(in) :: world
    real(c_double), intent(in) :: half_height, radius
    integer(c_int64_t), intent(inout) :: shape
    integer(c_int), intent(out), optional :: ierr
    call report_status(c_dry_shape_capsule(world%pointer, half_height, radius, shape), ierr)
  end subroutine dry_shape_capsule

  !> Adds a cylinder along z [m].
  subroutine dry_shape_cylinder(world, half_height, radius, shape, ierr)
    type(dry_world), intent(in) :: world
    real(c_double), intent(in) :: half_height, radius
    integer(c_int64_t), intent(inout) :: shape
    integer(c_int), intent(out), optional :: ierr
    call report_status(c_dry_shape_cylinder(world%pointer, half_height, radius, shape), ierr)
  end subroutine dry_shape_cylinder

  !> Adds a half-space, solid where dot_product(normal, x) <= offset, normal(3) [-, m]; not for dynamic bodies.
  subroutine dry_shape_half_space(world, normal, offset, shape, ierr)
    type(dry_world), intent(in) :: world
    real(c_double), intent(in) :: normal(:), offset
    integer(c_int64_t), intent(inout) :: shape
    integer(c_int), intent(out), optional :: ierr
    if (wrong_size('normal', size(normal), 3, ierr)) return
    call report_status(c_dry_shape_half_space(world%pointer, normal, offset, shape), ierr)
  end subroutine dry_shape_half_space

  !> Adds the convex hull of points(3, :) [m].
  subroutine dry_shape_hull(world, points, shape, ierr)
    type(dry_world), intent(in) :: world
    real(c_double), contiguous, target, intent(in) :: points(:, :)
    integer(c_int64_t), intent(inout) :: shape
    integer(c_int), intent(out), optional :: ierr
    if (wrong_shape('points', ubound(points), [3, -1], ierr)) return
    call report_status(c_dry_shape_hull(world%pointer, c_loc(points), size(points, 2, c_size_t), shape), ierr)
  end subroutine dry_shape_hull

  !> Adds a surface of triangles(3, :), indices of points(3, :) that count from 0 [m]; not for dynamic bodies.
  subroutine dry_shape_mesh(world, points, triangles, shape, ierr)
    type(dry_world), intent(in) :: world
    real(c_double), contiguous, target, intent(in) :: points(:, :)
    integer(c_int32_t), contiguous, target, intent(in) :: triangles(:, :)
    integer(c_int64_t), intent(inout) :: shape
    integer(c_int), intent(out), optional :: ierr
    if (wrong_shape('points', ubound(points), [3, -1], ierr)) return
    if (wrong_shape('triangles', ubound(triangles), [3, -1], ierr)) return
    call report_status(c_dry_shape_mesh(world%pointer, c_loc(points), size(points, 2, c_size_t), c_loc(triangles), &
      size(triangles, 2, c_size_t), shape), ierr)
  end subroutine dry_shape_mesh

  !> Adds a clump, the union of the convex shapes in parts(:), which may overlap. An error names the element, and counts from 0:
  !> "parts[3]: ...".
  subroutine dry_shape_clump(world, parts, shape, ierr)
    type(dry_world), intent(in) :: world
    type(dry_clump_part), contiguous, target, intent(in) :: parts(:)
    integer(c_int64_t), intent(inout) :: shape
    integer(c_int), intent(out), optional :: ierr
    call report_status(c_dry_shape_clump(world%pointer, c_loc(parts), size(parts, kind=c_size_t), shape), ierr)
  end subroutine dry_shape_clump

  !> Reads the volume [m^3] of a shape, and at density 1 its mass [kg], center_of_mass(3) [m], and inertia(6), xx yy zz xy yz xz,
  !> [kg m^2], in its axes.
  subroutine dry_shape_mass_properties(world, shape, volume, mass, center_of_mass, inertia, ierr)
    type(dry_world), intent(in) :: world
    integer(c_int64_t), intent(in) :: shape
    real(c_double), intent(inout) :: volume, mass, center_of_mass(:), inertia(:)
    integer(c_int), intent(out), optional :: ierr
    real(c_double) :: center(3), tensor(6)
    integer(c_int) :: status
    if (wrong_size('center_of_mass', size(center_of_mass), 3, ierr)) return
    if (wrong_size('inertia', size(inertia), 6, ierr)) return
    status = c_dry_shape_mass_properties(world%pointer, shape, volume, mass, center, tensor)
    if (status == DRY_OK) then
      center_of_mass = center
      inertia = tensor
    end if
    call report_status(status, ierr)
  end subroutine dry_shape_mass_properties
  !> Fills in the defaults of a curve.
  subroutine dry_nurbs_curve_def_init(def, ierr)
    type(dry_nurbs_curve_def), intent(inout) :: def
    integer(c_int), intent(out), optional :: ierr
    call report_status(c_dry_nurbs_curve_def_init(def, c_sizeof(def)), ierr)
  end subroutine dry_nurbs_curve_def_init

  !> Adds a prism along z over a closed NURBS curve with points(2, :), knots(:) and, if given, weights(:) [m], for motion in
  !> the x-y plane. The other members are those of def, whose arrays are not used.
  subroutine dry_shape_nurbs_curve(world, def, points, knots, shape, weights, ierr)
    type(dry_world), intent(in) :: world
    type(dry_nurbs_curve_def), intent(in) :: def
    real(c_double), contiguous, target, intent(in) :: points(:, :), knots(:)
    integer(c_int64_t), intent(inout) :: shape
    real(c_double), contiguous, target, intent(in), optional :: weights(:)
    integer(c_int), intent(out), optional :: ierr
    type(dry_nurbs_curve_def) :: filled
    if (wrong_shape('points', ubound(points), [2, -1], ierr)) return
    filled = def
    filled%points_xy = c_loc(points)
    filled%point_count = size(points, 2, c_size_t)
    filled%knots = c_loc(knots)
    filled%knot_count = size(knots, kind=c_size_t)
    filled%weights_or_null = c_null_ptr
    if (present(weights)) then
      if (wrong_size('weights', size(weights), size(points, 2), ierr)) return
      filled%weights_or_null = c_loc(weights)
    end if
    call report_status(c_dry_shape_nurbs_curve(world%pointer, filled, shape), ierr)
  end subroutine dry_shape_nurbs_curve

  subroutine nurbs_curve_without_weights(world, def, points, knots, shape, status)
    type(dry_world), intent(in) :: world
    type(dry_nurbs_curve_def), intent(in) :: def
    real(c_double), contiguous, target, intent(in) :: points(:, :), knots(:)
    integer(c_int64_t), intent(inout) :: shape
    integer(c_int), intent(out) :: status
    call dry_shape_nurbs_curve(world, def, points, knots, shape, ierr=status)
  end subroutine nurbs_curve_without_weights

  !> Finds the point of a shape's surface, foot(3), that is closest to point(3), with the normal(3) out of the solid and the
  !> distance, below 0 in the solid [m].
  subroutine dry_shape_closest(world, shape, point, foot, normal, distance, ierr)
    type(dry_world), intent(in) :: world
    integer(c_int64_t), intent(in) :: shape
    real(c_double), intent(in) :: point(:)
    real(c_double), intent(inout) :: foot(:), normal(:), distance
    integer(c_int), intent(out), optional :: ierr
    real(c_double) :: found(3, 2)
    integer(c_int) :: status
    if (wrong_size('point', size(point), 3, ierr)) return
    if (wrong_size('foot', size(foot), 3, ierr)) return
    if (wrong_size('normal', size(normal), 3, ierr)) return
    status = c_dry_shape_closest(world%pointer, shape, point, found(:, 1), found(:, 2), distance)
    if (status == DRY_OK) then
      foot = found(:, 1)
      normal = found(:, 2)
    end if
    call report_status(status, ierr)
  end subroutine dry_shape_closest

  !> Removes a shape that no body uses.
  subroutine dry_shape_remove(world, shape, ierr)
    type(dry_world), intent(in) :: world
    integer(c_int64_t), intent(in) :: shape
    integer(c_int), intent(out), optional :: ierr
    call report_status(c_dry_shape_remove(world%pointer, shape), ierr)
  end subroutine dry_shape_remove

end module drystone_worlds
