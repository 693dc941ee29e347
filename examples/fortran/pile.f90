! A pile of 91 spheres, stepped for two seconds, and what can be known of it: examples/c/pile.c through module drystone.
!
!     share=$(pkg-config --variable=sharedir drystone)
!     gfortran $share/fortran/drystone.f90 pile.f90 $(pkg-config --libs drystone) -o pile
program pile
  use, intrinsic :: iso_c_binding, only: c_double, c_int64_t
  use drystone
  implicit none
  ! What is not set here is as the library has it: gravity 9.81 m/s^2 along -z, 50 sweeps, 1000 kg/m^3.
  real(c_double), parameter :: up(3) = [0.0_c_double, 0.0_c_double, 1.0_c_double], gravity = 9.81_c_double
  type(dry_world_def) :: world_def
  type(dry_world) :: world
  type(dry_material_def) :: material_def
  type(dry_body_def) :: def
  type(dry_contact), allocatable :: contacts(:)
  real(c_double), allocatable :: positions(:, :)
  real(c_double) :: mass, center(3), inertia(6), force(3), torque(3), kinetic, potential
  integer(c_int64_t) :: ground, ball, material, bottom, sphere, hash
  integer :: i, j, k, step, spheres
  character(len=40) :: lines(6)

  call dry_world_def_init(world_def)
  call dry_world_create(world_def, world)
  call dry_shape_half_space(world, up, 0.0_c_double, ground)
  call dry_shape_sphere(world, 0.1_c_double, ball)
  call dry_material_def_init(material_def)
  material_def%friction = 0.5_c_double
  material_def%rolling_friction = 0.2_c_double ! else the pile would roll apart
  call dry_material_add(world, material_def, material)
  call dry_body_def_init(def)
  def%kind = DRY_STATIC; def%shape = ground; def%material = material
  call dry_body_add(world, def, bottom)
  def%kind = DRY_DYNAMIC; def%shape = ball
  spheres = 0
  do k = 0, 5
    do i = 0, 5 - k
      do j = 0, 5 - k
        def%position(1) = (i - (5 - k)*0.5_c_double)*0.21_c_double
        def%position(2) = (j - (5 - k)*0.5_c_double)*0.21_c_double
        def%position(3) = 0.1_c_double + k*0.17_c_double
        call dry_body_add(world, def, sphere)
        spheres = spheres + 1
      end do
    end do
  end do
  do step = 1, 480
    call dry_world_step(world, 1.0_c_double/240.0_c_double)
  end do

  call dry_query_contacts(world, contacts)
  allocate (positions(3, spheres + 1)) ! as they were added: the floor is the first
  call drystone_get_positions(world, positions)
  call dry_body_get_mass(world, sphere, mass, center, inertia)
  call dry_query_body_force(world, bottom, force, torque)
  call dry_query_energy(world, kinetic, potential)
  call dry_world_hash(world, hash)
  write (lines(1), '(a, i0)') 'contacts ', size(contacts)
  write (lines(2), '(a, es18.12)') 'floor_over_weight ', -force(3)/(spheres*mass*gravity)
  write (lines(3), '(a, es18.12)') 'largest_normal_force ', maxval(contacts%normal_force)
  write (lines(4), '(a, es18.12)') 'kinetic_energy ', kinetic
  write (lines(5), '(a, es18.12)') 'highest_centre ', maxval(positions(3, 2:))
  write (lines(6), '(a, z16.16)') 'hash ', hash
  print '(a)', (trim(lower(lines(i))), i=1, 6)
  deallocate (contacts, positions)
  call dry_world_destroy(world)

contains

  ! Fortran writes 1E+00 and 2DA5, where the other languages' programs have 1e+00 and 2da5.
  pure function lower(line)
    character(len=*), intent(in) :: line
    character(len=len(line)) :: lower
    integer :: n
    do n = 1, len(line)
      lower(n:n) = merge(achar(iachar(line(n:n)) + 32), line(n:n), line(n:n) >= 'A' .and. line(n:n) <= 'Z')
    end do
  end function lower

end program pile
