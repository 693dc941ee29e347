! Statuses and messages. Part of drystone.f90.
module drystone_errors
  use, intrinsic :: iso_c_binding, only: c_associated, c_char, c_f_pointer, c_int, c_int8_t, c_int32_t, c_loc, c_null_ptr, &
    c_ptr, c_size_t
  use, intrinsic :: iso_fortran_env, only: error_unit
  use drystone_c
  implicit none
  private
  public :: drystone_last_error, dry_status_name, dry_version, dry_version_string
  public :: report_status, hand_on, refuse, wrong_size, wrong_shape, scattered ! for the parts of this binding

  ! What this binding itself refused last on this thread, empty if the library failed after it.
  character(len=256), save :: refused = ''
  !$omp threadprivate(refused)

  interface
    function c_length(text) bind(C, name="strlen") result(length)
      import
      type(c_ptr), value :: text
      integer(c_size_t) :: length
    end function c_length
  end interface

contains

  !> The message of this thread's last failing call: which argument, its value, what was expected.
  function drystone_last_error() result(message)
    character(len=:), allocatable :: message
    character(kind=c_char), allocatable, target :: buffer(:)
    integer(c_size_t), target :: needed
    integer :: i
    message = trim(refused)
    if (len(message) > 0) return
    if (c_dry_last_error(c_null_ptr, 0_c_size_t, c_loc(needed)) /= DRY_OK) return
    allocate (buffer(needed))
    if (c_dry_last_error(c_loc(buffer), needed, c_null_ptr) /= DRY_OK) return
    message = repeat(' ', int(needed) - 1) ! without its zero
    do i = 1, len(message)
      message(i:i) = buffer(i)
    end do
  end function drystone_last_error

  !> The name of a status, as in the header: "DRY_ERR_NULL".
  function dry_status_name(status) result(name)
    integer(c_int), intent(in) :: status
    character(len=:), allocatable :: name
    name = text(c_dry_status_name(status))
  end function dry_status_name

  !> The version of the library in one number: major * 2**22 + minor * 2**12 + patch.
  function dry_version() result(version)
    integer(c_int32_t) :: version
    version = c_dry_version()
  end function dry_version

  !> The version of the library, "major.minor.patch".
  function dry_version_string() result(version)
    character(len=:), allocatable :: version
    version = text(c_dry_version_string())
  end function dry_version_string

  ! A text of C.
  function text(pointer) result(copy)
    type(c_ptr), intent(in) :: pointer
    character(len=:), allocatable :: copy
    character(kind=c_char), pointer :: characters(:)
    integer :: i
    call c_f_pointer(pointer, characters, [c_length(pointer)])
    copy = repeat(' ', size(characters))
    do i = 1, len(copy)
      copy(i:i) = characters(i)
    end do
  end function text

  !> Hands on what the library answered; without ierr a failure ends the program with its message.
  subroutine report_status(status, ierr)
    integer(c_int), intent(in) :: status
    integer(c_int), intent(out), optional :: ierr
    if (status /= DRY_OK) refused = ''
    call hand_on(status, ierr)
  end subroutine report_status

  !> A call that this binding refuses, because the library could not see what is wrong.
  subroutine refuse(message, ierr)
    character(len=*), intent(in) :: message
    integer(c_int), intent(out), optional :: ierr
    refused = message
    call hand_on(DRY_ERR_ARGUMENT, ierr)
  end subroutine refuse

  subroutine hand_on(status, ierr)
    integer(c_int), intent(in) :: status
    integer(c_int), intent(out), optional :: ierr
    if (present(ierr)) then
      ierr = status
    else if (status /= DRY_OK) then
      write (error_unit, '(a)') dry_status_name(status)//': '//drystone_last_error()
      error stop 1
    end if
  end subroutine hand_on

  !> True, and refused, if an array of one dimension has not as many elements as it should.
  function wrong_size(name, given, expected, ierr) result(wrong)
    character(len=*), intent(in) :: name
    integer, intent(in) :: given, expected
    integer(c_int), intent(out), optional :: ierr
    logical :: wrong
    wrong = given /= expected
    if (wrong) call refuse(name//': '//decimal(given)//' elements, expected '//decimal(expected), ierr)
  end function wrong_size

  !> True, and refused, if an array has not the shape that it should have; -1 stands for any extent.
  function wrong_shape(name, given, expected, ierr) result(wrong)
    character(len=*), intent(in) :: name
    integer, intent(in) :: given(:), expected(:)
    integer(c_int), intent(out), optional :: ierr
    logical :: wrong
    wrong = any(given /= expected .and. expected /= -1)
    if (wrong) call refuse(name//': the shape is '//extents(given)//', expected '//extents(expected), ierr)
  end function wrong_shape

  !> True, and refused, if what the library is to fill in has gaps.
  function scattered(name, contiguous, ierr) result(wrong)
    character(len=*), intent(in) :: name
    logical, intent(in) :: contiguous
    integer(c_int), intent(out), optional :: ierr
    logical :: wrong
    wrong = .not. contiguous
    if (wrong) call refuse(name//': not contiguous, expected a whole array or a section without gaps', ierr)
  end function scattered

  pure function decimal(number) result(digits)
    integer, intent(in) :: number
    character(len=:), allocatable :: digits
    character(len=11) :: buffer
    write (buffer, '(i0)') number
    digits = trim(buffer)
  end function decimal

  pure function extents(shape) result(list)
    integer, intent(in) :: shape(:)
    character(len=:), allocatable :: list
    integer :: i
    list = '('
    do i = 1, size(shape)
      if (i > 1) list = list//','
      if (shape(i) == -1) then
        list = list//'any'
      else
        list = list//decimal(shape(i))
      end if
    end do
    list = list//')'
  end function extents

end module drystone_errors
