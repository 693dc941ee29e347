! Checks that go on after a failure and are counted.
module checks
  use, intrinsic :: iso_c_binding, only: c_int
  use drystone
  implicit none
  integer :: failures = 0
contains
  subroutine check(what, holds)
    character(len=*), intent(in) :: what
    logical, intent(in) :: holds
    if (holds) return
    print '(2a)', 'FAIL ', what
    failures = failures + 1
  end subroutine check

  !> The last call must have answered this status, with a message that contains this part.
  subroutine refused(what, ierr, status, part)
    character(len=*), intent(in) :: what, part
    integer(c_int), intent(in) :: ierr, status
    if (ierr /= status) then
      print '(5a)', 'FAIL ', what, ': ', dry_status_name(ierr), ': '//drystone_last_error()
      failures = failures + 1
    else if (index(drystone_last_error(), part) == 0) then
      print '(6a)', 'FAIL ', what, ': "', drystone_last_error(), '" does not contain ', part
      failures = failures + 1
    end if
  end subroutine refused

  subroutine ended
    if (failures > 0) error stop 1
  end subroutine ended
end module checks
