! A dumbbell, a clump of two balls and a bar, that comes to rest on ice: examples/c/clump.c through module drystone.
!
!     share=$(pkg-config --variable=sharedir drystone)
!     gfortran $share/fortran/drystone.f90 clump.f90 $(pkg-config --libs drystone) -o clump
program dumbbell
  use, intrinsic :: iso_c_binding, only: c_double, c_int64_t
  use drystone
  implicit none
  integer, parameter :: dp = c_double
  real(dp), parameter :: gravity = 9.81_dp, pi = acos(-1.0_dp)
  type(dry_world_def) :: world_def
  type(dry_world) :: world
  type(dry_material_def) :: smooth
  type(dry_clump_part) :: parts(3)
  type(dry_body_def) :: def
  type(dry_body_state) :: state
  type(dry_contact), allocatable, target :: contacts(:)
  logical, allocatable :: is_large(:)
  real(dp) :: volume, mass, center(3), inertia(6), place(3)
  integer(c_int64_t) :: ice, clump, body
  integer :: k

  call dry_world_def_init(world_def)
  world_def%gravity = [0.0_dp, 0.0_dp, -gravity]
  call dry_world_create(world_def, world)
  call dry_material_def_init(smooth)
  smooth%friction = 0.0_dp
  call dry_material_add(world, smooth, ice)
  call dry_body_def_init(def)
  call dry_shape_half_space(world, [0.0_dp, 0.0_dp, 1.0_dp], 0.0_dp, def%shape)
  def%kind = DRY_STATIC; def%material = ice
  call dry_body_add(world, def, body)

  do k = 1, 3
    call dry_clump_part_init(parts(k))
  end do
  call dry_shape_sphere(world, 0.3_dp, parts(1)%shape)
  call dry_shape_sphere(world, 0.2_dp, parts(2)%shape)
  call dry_shape_box(world, [0.5_dp, 0.08_dp, 0.08_dp], parts(3)%shape) ! it reaches into both balls
  parts(1)%position(1) = -0.5_dp; parts(2)%position(1) = 0.5_dp
  call dry_shape_clump(world, parts, clump)
  do k = 1, 3
    call dry_shape_remove(world, parts(k)%shape) ! the clump has copies
  end do
  call dry_shape_mass_properties(world, clump, volume, mass, center, inertia)
  call dry_body_def_init(def)
  def%shape = clump; def%material = ice
  def%position(3) = 0.5_dp
  call dry_body_add(world, def, body)

  do k = 1, 480
    call dry_world_step(world, 1.0_dp/240)
  end do
  call dry_query_contacts(world, contacts)
  call dry_body_get_state(world, body, state)
  call dry_body_get_mass(world, body, mass, place, inertia)
  is_large = [(contacts(k)%point(1) < state%position(1), k=1, size(contacts))]
  print '(a, f8.6)', 'volume ', volume
  print '(a, f9.6)', 'center_of_mass ', center(1)
  print '(a, f0.6)', 'weight ', mass*gravity
  print '(a, i0)', 'contacts ', size(contacts)
  print '(a, f0.6)', 'on_large_ball ', sum(contacts%normal_force, mask=is_large)
  print '(a, f0.6)', 'on_small_ball ', sum(contacts%normal_force, mask=.not. is_large)
  print '(a, f0.2)', 'leaning_degrees ', 2*atan2(state%rotation(2), state%rotation(4))*180/pi
  call dry_world_destroy(world)
end program dumbbell
