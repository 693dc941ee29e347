! A failure without ierr ends the program with drystone's message.
program stops
  use, intrinsic :: iso_c_binding, only: c_double, c_int64_t
  use drystone
  implicit none
  type(dry_world) :: world
  type(dry_world_def) :: def
  integer(c_int64_t) :: shape
  call dry_world_def_init(def)
  call dry_world_create(def, world)
  call dry_shape_sphere(world, -1.0_c_double, shape)
  print '(a)', 'never here'
end program stops
