! A semicircular arch of 16 voussoirs, and the acceleration at which it falls: examples/c/arch.c through module drystone.
!
!     share=$(pkg-config --variable=sharedir drystone)
!     gfortran $share/fortran/drystone.f90 arch.f90 $(pkg-config --libs drystone) -o arch
program arch
  use, intrinsic :: iso_c_binding, only: c_double, c_int64_t
  use drystone
  implicit none
  integer, parameter :: dp = c_double, voussoirs = 16
  ! What is not set here is as the library has it: gravity 9.81 m/s^2 along -z, 1000 kg/m^3.
  real(dp), parameter :: gravity = 9.81_dp, pi = acos(-1.0_dp)
  type(dry_world_def) :: world_def
  type(dry_world) :: world
  type(dry_material_def) :: stone
  type(dry_body_def) :: def
  type(dry_static_def) :: how
  type(dry_static_report) :: report
  real(dp), allocatable, target :: moves(:, :)
  real(dp) :: mass, center(3), inertia(6), force(3), torque(3), loads(6, voussoirs + 2), turns(0:voussoirs + 1)
  integer(c_int64_t) :: material, body
  integer :: n
  character(len=6) :: degrees

  call dry_world_def_init(world_def)
  call dry_world_create(world_def, world)
  call dry_material_def_init(stone)
  stone%friction = 0.8_dp
  call dry_material_add(world, stone, material)
  call dry_body_def_init(def)
  call dry_shape_box(world, [0.2_dp, 0.5_dp, 0.1_dp], def%shape)
  def%kind = DRY_STATIC; def%material = material
  do n = 1, -1, -2 ! the abutments
    def%position = [real(n, dp), 0.0_dp, -0.1_dp]
    call dry_body_add(world, def, body)
  end do
  call dry_body_def_init(def)
  def%material = material
  loads = 0
  do n = 1, voussoirs
    call dry_shape_hull(world, corners_between(pi*(n - 1)/voussoirs, pi*n/voussoirs), def%shape)
    call dry_body_add(world, def, body)
    call dry_body_get_mass(world, body, mass, center, inertia)
    loads(1, n + 2) = mass*gravity
  end do

  call dry_static_def_init(how)
  how%tolerance = 1e-9_dp
  call dry_world_solve_static(world, how, moves, report)
  if (report%flags /= 0) error stop 'the arch does not stand'
  call dry_query_body_force(world, body, force, torque) ! the last voussoir, beside the abutment
  print '(a, f0.6)', 'weight_of_a_voussoir ', mass*gravity
  print '(a, f0.6)', 'contacts_carry ', force(3)
  call dry_world_limit_load(world, loads, how, moves, report)
  print '(a, f8.6)', 'falls_at_acceleration_over_g ', report%load_factor
  print '(a, i0)', 'slides ', merge(1, 0, iand(report%flags, DRY_STATIC_SLIDING_MECHANISM) /= 0)
  ! Between two voussoirs that turn apart there is a hinge. Abutments do not turn.
  turns = [0.0_dp, moves(5, 3:), 0.0_dp]
  do n = 0, voussoirs
    if (abs(turns(n + 1) - turns(n)) <= 1e-6_dp) cycle
    write (degrees, '(f6.2)') 180.0_dp*n/voussoirs
    print '(2a)', 'hinge_at_degrees ', trim(adjustl(degrees))
  end do
  call dry_world_destroy(world)

contains

  ! A voussoir between two angles. Its corners are in the axes of the world, so that its body is at the origin.
  function corners_between(from, to) result(corners)
    real(dp), intent(in) :: from, to
    real(dp) :: corners(3, 8), angle, radius
    integer :: n
    do n = 0, 7
      angle = merge(to, from, btest(n, 0))
      radius = merge(1.1_dp, 0.9_dp, btest(n, 1)) ! the thickness is a fifth of the radius [m]
      corners(:, n + 1) = [radius*cos(angle), merge(0.5_dp, -0.5_dp, btest(n, 2)), radius*sin(angle)]
    end do
  end function corners_between

end program arch
