! drystone for Fortran 2008: rigid bodies in frictional contact, with contact forces a host can trust.
!
!     gfortran pile.f90 ... needs this file before it, and the library: see README.md
!
! Procedures have the names of drystone.h. Its rules on units, axes, signs and errors hold here too. Results are the
! last arguments, and after them stands the optional ierr: DRY_OK or a status of the failure. drystone_last_error()
! returns its message. Without ierr a failure ends the program with that message. Where optional arguments are left out,
! ierr follows the last one that is given: call dry_world_step(world, step, ierr).
!
! Vectors are arrays of 3, many of them are columns: positions(3, n). An array of a wrong shape is refused. A section with
! gaps is copied where it is read; where the library would write into it, it is refused, unless the procedure copies in any
! case (positions, forces). Indices in structures count from 0, as in C.
include 'drystone_c.f90'
include 'drystone_errors.f90'
include 'drystone_iterations.f90'
include 'drystone_worlds.f90'
include 'drystone_bodies.f90'
include 'drystone_states.f90'
include 'drystone_joints.f90'
include 'drystone_runs.f90'
include 'drystone_solvers.f90'

!> All of drystone.
module drystone
  use drystone_c
  use drystone_errors, only: drystone_last_error, dry_status_name, dry_version, dry_version_string
  use drystone_iterations, only: drystone_iteration_progress
  use drystone_worlds
  use drystone_bodies
  use drystone_states
  use drystone_joints
  use drystone_runs
  use drystone_solvers
  implicit none
  public
end module drystone
