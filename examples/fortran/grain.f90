! A NURBS grain that comes to rest on an elastic floor by the theta method: examples/c/grain.c through module drystone.
!
!     share=$(pkg-config --variable=sharedir drystone)
!     gfortran $share/fortran/drystone.f90 grain.f90 $(pkg-config --libs drystone) -o grain
program grain
  use, intrinsic :: iso_c_binding, only: c_double, c_int64_t, c_loc
  use drystone
  implicit none
  integer, parameter :: dp = c_double, count = 9
  real(dp), parameter :: stiffness = 1e6_dp, gravity = 9.81_dp, pi = acos(-1.0_dp)
  type(dry_settings), target :: settings
  type(dry_world_def) :: world_def
  type(dry_world) :: world
  type(dry_material_def) :: elastic
  type(dry_nurbs_curve_def) :: curve
  type(dry_body_def) :: def
  type(dry_body_state) :: state
  type(dry_contact), allocatable, target :: contacts(:)
  real(dp) :: points(2, count), knots(count + 1), radius, angle, mass, center(3), inertia(6)
  integer(c_int64_t) :: material, body
  integer :: k

  call dry_settings_init(settings)
  settings%method = DRY_METHOD_THETA
  settings%theta = 0.7_dp ! 0.5 keeps the energy, 1 damps most
  call dry_world_def_init(world_def)
  world_def%settings = c_loc(settings)
  world_def%gravity = [0.0_dp, -gravity, 0.0_dp]
  call dry_world_create(world_def, world)
  call dry_material_def_init(elastic)
  elastic%friction = 0.5_dp
  elastic%normal_stiffness = 2*stiffness ! of grain and floor in series, at each contact point [N/m]
  call dry_material_add(world, elastic, material)

  call dry_body_def_init(def)
  call dry_shape_half_space(world, [0.0_dp, 1.0_dp, 0.0_dp], 0.0_dp, def%shape)
  def%kind = DRY_STATIC; def%material = material
  call dry_body_add(world, def, body)

  ! Every third point is nearer to the middle: the curve is not convex there.
  do k = 0, count - 1
    radius = merge(0.25_dp, 0.5_dp, mod(k, 3) == 1)
    angle = 2*pi*k/count
    points(:, k + 1) = [radius*cos(angle), radius*sin(angle)]
  end do
  knots = [(real(k, dp), k=0, count)]
  call dry_nurbs_curve_def_init(curve) ! cubic, periodic, a prism 1 m long
  call dry_body_def_init(def)
  call dry_shape_nurbs_curve(world, curve, points, knots, def%shape)
  def%material = material; def%lock = DRY_LOCK_PLANAR
  def%position = [0.0_dp, 1.0_dp, 0.0_dp]
  call dry_body_add(world, def, body)
  call dry_body_get_mass(world, body, mass, center, inertia)

  do k = 1, 2400
    call dry_world_step(world, 1.0_dp/240)
  end do
  call dry_query_contacts(world, contacts)
  call dry_body_get_state(world, body, state)
  print '(a, f0.6)', 'weight ', mass*gravity
  print '(a, i0)', 'contacts ', size(contacts)
  print '(a, f0.6)', 'contacts_carry ', sum(contacts%normal_force)
  print '(a, f0.6)', 'stiffness_times_overlap ', -stiffness*sum(contacts%gap)
  print '(a, f8.6)', 'height ', state%position(2)
  print '(a, f0.3)', 'turned_by_degrees ', 2*atan2(state%rotation(3), state%rotation(4))*180/pi
  call dry_world_destroy(world)
end program grain
