! The solver without a world through module drystone, and a world on the host's job system through the raw interface.
module at_once
  ! The shortest job system: each task is done where it is handed over.
  use, intrinsic :: iso_c_binding
  use drystone, only: dry_task
  implicit none
  integer :: done = 0
contains
  function run(user_data, task, argument) bind(C) result(handle)
    type(c_ptr), value :: user_data, argument
    type(c_funptr), value :: task
    type(c_ptr) :: handle
    procedure(dry_task), pointer :: work
    call c_f_procpointer(task, work)
    call work(argument)
    done = done + 1
    handle = user_data ! NULL: nothing to wait for
  end function run

  subroutine wait_for(user_data, handle) bind(C)
    type(c_ptr), value :: user_data, handle
    if (c_associated(user_data, handle)) error stop 2
  end subroutine wait_for
end module at_once

module watching
  ! What a solver calls between its iterations.
  use, intrinsic :: iso_c_binding, only: c_int64_t
  implicit none
  integer(c_int64_t) :: calls = 0, last = 0, stop_after = huge(0_c_int64_t)
contains
  function count_calls(iterations_done) result(stops)
    integer(c_int64_t), intent(in) :: iterations_done
    logical :: stops
    calls = calls + 1
    last = iterations_done
    stops = calls >= stop_after
  end function count_calls
end module watching

program solvers
  use, intrinsic :: iso_c_binding
  use, intrinsic :: ieee_arithmetic, only: ieee_value, ieee_positive_inf, ieee_negative_inf
  use at_once
  use watching
  use checks
  use drystone
  implicit none
  integer, parameter :: dp = c_double
  real(dp), parameter :: step = 0.01_dp, inertia = 0.4_dp*2*0.25_dp
  type(dry_problem_body) :: bodies(1)
  type(dry_problem_contact) :: contacts(1)
  type(dry_settings) :: settings
  integer(c_int) :: ierr

  ! A sphere of 2 kg and 0.5 m on the floor, pushed down by gravity and along x with 0.3 m/s.
  bodies(1)%inverse_mass = 0.5_dp
  bodies(1)%inverse_inertia(1:3) = 1/inertia
  bodies(1)%velocity = [0.3_dp, 0.0_dp, -0.0981_dp]
  contacts(1)%key = 5
  contacts(1)%body_a = drystone_fixed_world
  contacts(1)%normal(3) = 1
  contacts(1)%arm_b(3) = -0.5_dp
  contacts(1)%friction = 0.1_dp
  call dry_settings_init(settings)
  call touching
  call watched
  call rows
  call local
  call refusals
  call ierr_after_what_is_given
  call host_tasks
  call ended

contains

  ! A row without bounds that gives the sphere this speed.
  function held_along_x(speed) result(hold)
    real(dp), intent(in) :: speed
    type(dry_problem_row) :: hold
    hold%body_a = drystone_fixed_world
    hold%jacobian_b(1) = 1
    hold%rhs = speed
    hold%lower = ieee_value(0.0_dp, ieee_negative_inf)
    hold%upper = ieee_value(0.0_dp, ieee_positive_inf)
    hold%friction_row = -1
  end function held_along_x

  subroutine watched
    type(dry_solver) :: solver, moved
    type(dry_settings) :: cold
    type(dry_problem_row) :: hold(1)
    real(dp) :: expected(6, 1), velocities(6, 1)
    hold = held_along_x(0.1_dp)
    ! every solve of an island with rows makes all sweeps, from zero
    cold = settings
    cold%projection = DRY_PROJECTION_OFF
    cold%warm_start = DRY_WARM_OFF
    call dry_solver_create(solver)
    call dry_solver_solve(solver, step, bodies, cold, contacts, hold, velocities=expected)
    call dry_solver_set_progress(solver, count_calls, 10_c_int64_t, ierr)
    call check('a function is set', ierr == DRY_OK)
    call dry_solver_solve(solver, step, bodies, cold, contacts, hold, velocities=velocities)
    call check('and called', calls > 0 .and. last == 10*calls .and. maxval(abs(velocities - expected)) < tiny(1.0_dp))
    call dry_solver_set_progress(solver, count_calls, ierr)
    calls = 0
    stop_after = 3
    velocities = 7
    call drystone_move_solver(solver, moved)
    call dry_solver_solve(moved, step, bodies, cold, contacts, hold, velocities=velocities, ierr=ierr)
    call refused('a solve that is stopped', ierr, DRY_ERR_STOPPED, 'after 3 iterations')
    call check('it writes nothing', maxval(abs(velocities - 7)) < tiny(1.0_dp))
    call dry_solver_set_progress(moved)
    call dry_solver_solve(moved, step, bodies, cold, contacts, hold, velocities=velocities)
    call check('and leaves no trace', maxval(abs(velocities - expected)) < tiny(1.0_dp) .and. calls == 3)
    call dry_solver_set_progress(solver, count_calls, ierr)
    call refused('an empty solver', ierr, DRY_ERR_NULL, 'solver is NULL')
    call dry_solver_set_progress(solver, ierr)
    call refused('an empty solver without a function', ierr, DRY_ERR_NULL, 'solver is NULL')
    call dry_solver_destroy(moved)
  end subroutine watched

  subroutine touching
    type(dry_solver) :: solver
    type(dry_settings) :: hooke
    type(dry_step_report) :: report
    type(dry_contact_solution) :: solutions(1)
    real(dp) :: velocities(6, 1), impulses(3, 1), apart(6, 1), compatible(3, 1)
    call dry_solver_create(solver)
    call dry_solver_solve(solver, step, bodies, settings, contacts, velocities=velocities, solutions=solutions, &
      report=report)
    ! The floor gives back the 0.1962 N s, and friction a tenth of it.
    call check('the floor carries', abs(solutions(1)%normal_impulse - 0.1962_dp) < 1e-15_dp)
    call check('friction brakes', abs(velocities(1, 1) - (0.3_dp - 0.00981_dp)) < 1e-15_dp)
    call check('and turns', velocities(5, 1) > 0)
    call check('a report', report%contacts == 1 .and. report%new_contacts == 1)
    call dry_solver_solve(solver, step, bodies, settings, contacts, report=report)
    call check('it remembers', report%new_contacts == 0)
    hooke = settings
    hooke%compatibility = DRY_COMPATIBILITY_HOOKE
    apart = 0
    apart(5, 1) = 0.1962_dp
    impulses = apart(1:6:2, :)
    call dry_solver_correct(solver, step, bodies, contacts, hooke, apart(1:6:2, :), compatible, report)
    call check('one contact can carry in one way only', maxval(abs(compatible - impulses)) < 1e-9_dp) ! its tolerance is 1e-8
    call dry_solver_correct(solver, step, bodies, contacts, hooke, impulses, apart(1:6:2, :), report, ierr)
    call refused('impulses with gaps', ierr, DRY_ERR_ARGUMENT, 'compatible_impulses: not contiguous')
    call dry_solver_correct(solver, step, bodies, contacts, hooke, impulses, apart, report, ierr)
    call refused('impulses of six', ierr, DRY_ERR_ARGUMENT, 'compatible_impulses: the shape is (6,1), expected (3,1)')
    call dry_solver_destroy(solver)
  end subroutine touching

  subroutine rows
    type(dry_solver) :: solver
    type(dry_problem_row) :: hold(1)
    real(dp) :: velocities(6, 1), impulses(1)
    hold = held_along_x(0.1_dp)
    call dry_solver_create(solver)
    call dry_solver_solve(solver, step, bodies, settings, rows=hold, velocities=velocities, row_impulses=impulses)
    call check('a row holds', abs(velocities(1, 1) - 0.1_dp) < 1e-15_dp .and. abs(impulses(1) + 0.4_dp) < 1e-15_dp)
    hold(1)%lower = -0.2_dp
    call dry_solver_solve(solver, step, bodies, settings, rows=hold, velocities=velocities)
    call check('a bounded one as far as it may', abs(velocities(1, 1) - 0.2_dp) < 1e-15_dp)
    call dry_solver_solve(solver, step, bodies, settings, row_impulses=impulses, ierr=ierr)
    call refused('impulses without rows', ierr, DRY_ERR_ARGUMENT, 'row_impulses: 1 elements, expected 0')
    call dry_solver_destroy(solver)
  end subroutine rows

  ! Two contacts of W = diag(0.5, 1.75, 1.75) each, coupled so that an impulse of the second along its tangent lifts the
  ! first: W(1, 5) = c. Both approach with 1 m/s, the second slides far beyond its friction.
  subroutine local
    integer(c_int32_t), parameter :: offsets(3) = [0, 2, 4], columns(4) = [0, 1, 0, 1]
    real(dp), parameter :: c = 0.2_dp
    type(dry_solver) :: solver
    type(dry_step_report) :: report
    real(dp) :: blocks(3, 3, 4), q(3, 2), friction(2), impulses(3, 2), rolling(2)
    integer :: i
    blocks = 0
    do i = 1, 4, 3
      blocks(1, 1, i) = 0.5_dp
      blocks(2, 2, i) = 1.75_dp
      blocks(3, 3, i) = 1.75_dp
    end do
    blocks(1, 2, 2) = c ! row: normal of the first, column: tangent of the second
    blocks(2, 1, 3) = c
    q = 0
    q(1, :) = -1
    q(2, 2) = 100
    friction = 0.3_dp
    settings%iterations = 200
    call dry_solver_create(solver)
    call dry_solver_solve_local(solver, offsets, columns, blocks, q, friction, settings, impulses, report=report)
    ! The second carries 2 N s and rubs with -0.6, which presses the first by 0.6 c: it carries (1 + 0.6 c) / 0.5.
    call check('a local problem, row and column', abs(impulses(1, 2) - 2) < 1e-13_dp .and. &
      abs(impulses(2, 2) + 0.6_dp) < 1e-13_dp .and. abs(impulses(1, 1) - (1 + 0.6_dp*c)/0.5_dp) < 1e-13_dp)
    call check('its report', report%contacts == 2)
    call dry_solver_solve_local(solver, offsets(1:2), columns, blocks, q, friction, settings, impulses, ierr=ierr)
    call refused('an offset too few', ierr, DRY_ERR_ARGUMENT, 'row_offsets: 2 elements, expected 3')
    call dry_solver_solve_local(solver, offsets, columns(1:3), blocks, q, friction, settings, impulses, ierr=ierr)
    call refused('a column too few', ierr, DRY_ERR_ARGUMENT, 'columns: 3 elements, expected 4')
    call dry_solver_solve_local(solver, offsets, columns, blocks(:, :, 1:3), q, friction, settings, impulses, ierr=ierr)
    call refused('a block too few', ierr, DRY_ERR_ARGUMENT, 'blocks: the shape is (3,3,3), expected (3,3,4)')
    call dry_solver_solve_local(solver, offsets, columns, blocks, q(:, 1:1), friction, settings, impulses, ierr=ierr)
    call refused('a velocity too few', ierr, DRY_ERR_ARGUMENT, 'q: the shape is (3,1), expected (3,2)')
    call dry_solver_solve_local(solver, offsets, columns, blocks(1:2, 1:2, :), q(1:2, :), friction, settings, &
      impulses(1:2, :), ierr=ierr)
    call refused('impulses with gaps', ierr, DRY_ERR_ARGUMENT, 'impulses: not contiguous')
    call dry_solver_solve_local(solver, offsets, columns, blocks, q, friction, settings, impulses(:, 1:1), ierr=ierr)
    call refused('impulses of one', ierr, DRY_ERR_ARGUMENT, 'impulses: the shape is (3,1), expected (3,2)')
    rolling = 0
    call dry_solver_solve_local(solver, offsets, columns, blocks, q, friction, settings, impulses, rolling(1:1), ierr=ierr)
    call refused('rolling of one', ierr, DRY_ERR_ARGUMENT, 'rolling: 1 elements, expected 2')
    call dry_solver_solve_local(solver, offsets, columns, blocks, q, friction, settings, impulses, rolling, ierr=ierr)
    call refused('rolling in three rows', ierr, DRY_ERR_ARGUMENT, 'rolling')
    call dry_solver_destroy(solver)
  end subroutine local

  subroutine refusals
    type(dry_solver) :: solver, other
    real(dp) :: velocities(6, 2), flat(3, 1)
    type(dry_contact_solution) :: solutions(3)
    call dry_solver_solve(solver, step, bodies, settings, ierr=ierr)
    call refused('a solver before it is made', ierr, DRY_ERR_NULL, 'solver')
    call dry_solver_create(solver)
    call dry_solver_create(solver, ierr)
    call refused('a solver that is there', ierr, DRY_ERR_ARGUMENT, 'solver: there already')
    other = solver
    call dry_solver_solve(other, step, bodies, settings, ierr=ierr)
    call refused('an assignment copies nothing', ierr, DRY_ERR_NULL, 'solver')
    call drystone_move_solver(solver, other)
    call dry_solver_solve(other, step, bodies, settings, ierr=ierr)
    call check('a solver is moved', ierr == DRY_OK .and. .not. c_associated(drystone_solver_pointer(solver)))
    call dry_solver_solve(other, step, bodies, settings, velocities=flat, ierr=ierr)
    call refused('velocities of three', ierr, DRY_ERR_ARGUMENT, 'velocities: the shape is (3,1), expected (6,1)')
    call dry_solver_solve(other, step, bodies, settings, contacts, solutions=solutions, ierr=ierr)
    call refused('solutions of three', ierr, DRY_ERR_ARGUMENT, 'solutions: 3 elements, expected 1')
    call dry_solver_solve(other, step, [bodies, bodies], settings, velocities=velocities, ierr=ierr)
    call check('two bodies', ierr == DRY_OK)
    call dry_solver_solve(other, step, [bodies, bodies], settings, [contacts, contacts], solutions=solutions(1:3:2), ierr=ierr)
    call refused('solutions with gaps', ierr, DRY_ERR_ARGUMENT, 'solutions: not contiguous')
    contacts(1)%friction = -1
    call dry_solver_solve(other, step, bodies, settings, contacts, ierr=ierr)
    call refused('a friction below 0', ierr, DRY_ERR_ARGUMENT, 'contacts[0].friction')
    call dry_solver_destroy(other)
    call dry_solver_destroy(other)
    call dry_solver_solve(other, step, bodies, settings, ierr=ierr)
    call refused('a solver that was destroyed', ierr, DRY_ERR_NULL, 'solver')
  end subroutine refusals

  ! An optional argument that is left out leaves its place to ierr, in every procedure that has one.
  subroutine ierr_after_what_is_given
    type(dry_solver) :: solver
    type(dry_problem_row) :: hold(1)
    type(dry_contact_solution) :: solutions(1)
    type(dry_step_report) :: report
    integer(c_int32_t), parameter :: offsets(2) = [0, 1], columns(1) = [0]
    real(dp) :: velocities(6, 1), impulses(1), given(3, 1), compatible(3, 1), q5(5, 1), found(5, 1)
    real(dp) :: blocks3(3, 3, 1), blocks5(5, 5, 1)
    integer :: i
    hold(1)%body_a = drystone_fixed_world
    hold(1)%jacobian_b(1) = 1
    hold(1)%friction_row = -1
    contacts(1)%friction = 0.1_dp
    call dry_solver_solve(solver, step, bodies, settings, ierr)
    call refused('a solver before it is made', ierr, DRY_ERR_NULL, 'solver')
    call dry_solver_create(solver, ierr)
    call dry_solver_solve(solver, step, bodies, settings, ierr)
    call check('bodies alone', ierr == DRY_OK)
    call dry_solver_solve(solver, step, bodies, settings, contacts, ierr)
    call check('contacts', ierr == DRY_OK)
    call dry_solver_solve(solver, step, bodies, settings, contacts, hold, ierr)
    call check('contacts and rows', ierr == DRY_OK)
    call dry_solver_solve(solver, step, bodies, settings, contacts, hold, velocities, ierr)
    call check('velocities', ierr == DRY_OK .and. abs(velocities(3, 1)) < 1e-15_dp)
    call dry_solver_solve(solver, step, bodies, settings, contacts, hold, velocities, solutions, ierr)
    call check('solutions', ierr == DRY_OK .and. abs(solutions(1)%normal_impulse - 0.1962_dp) < 1e-15_dp)
    call dry_solver_solve(solver, step, bodies, settings, contacts, hold, velocities, solutions, impulses, ierr)
    call check('impulses of rows', ierr == DRY_OK)
    call dry_solver_solve(solver, step, bodies, settings, contacts, hold, velocities, solutions, impulses, report, ierr)
    call check('all of it', ierr == DRY_OK .and. report%contacts == 1)
    given = 0
    call dry_solver_correct(solver, step, bodies, contacts, settings, given, compatible, ierr)
    call refused('a correction that is off', ierr, DRY_ERR_ARGUMENT, 'compatibility')
    blocks5 = 0
    do i = 1, 5
      blocks5(i, i, 1) = 0.5_dp
    end do
    blocks3 = blocks5(1:3, 1:3, :)
    q5 = 0
    q5(1, 1) = -1
    call dry_solver_solve_local(solver, offsets, columns, blocks3, q5(1:3, :), [0.3_dp], settings, given, ierr)
    call check('a local problem', ierr == DRY_OK .and. abs(given(1, 1) - 2) < 1e-13_dp)
    call dry_solver_solve_local(solver, offsets, columns, blocks5, q5, [0.3_dp], settings, found, [0.1_dp], ierr)
    call check('a local problem that rolls', ierr == DRY_OK .and. abs(found(1, 1) - 2) < 1e-13_dp)
    call dry_solver_destroy(solver)
  end subroutine ierr_after_what_is_given

  subroutine host_tasks
    type(dry_task_callbacks), target :: callbacks
    integer(c_int64_t) :: hashes(2)
    type(dry_world) :: world
    type(dry_world_def) :: def
    type(dry_body_def) :: body
    integer(c_int64_t) :: added
    integer :: i, j, n
    callbacks%run_task = c_funloc(run)
    callbacks%wait = c_funloc(wait_for)
    callbacks%worker_count = 3
    do n = 1, 2
      call dry_world_def_init(def)
      if (n == 2) def%tasks = c_loc(callbacks)
      call dry_world_create(def, world)
      call dry_body_def_init(body)
      call dry_shape_sphere(world, 0.1_dp, body%shape)
      do i = 1, 40
        do j = 1, 40
          body%position(1:2) = 0.199_dp*[i, j]
          call dry_body_add(world, body, added)
        end do
      end do
      call dry_world_step(world, step)
      call dry_world_hash(world, hashes(n))
      call dry_world_destroy(world)
    end do
    call check('the host''s job system, the same bits', hashes(1) == hashes(2) .and. done > 0)
  end subroutine host_tasks

end program solvers
