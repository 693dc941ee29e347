! A function between the iterations of a call, as the caller has it and as C calls it. Part of drystone.f90.
module drystone_iterations
  use, intrinsic :: iso_c_binding, only: c_f_pointer, c_int32_t, c_int64_t, c_ptr
  implicit none
  private
  public :: drystone_iteration_progress, watch, forward_iterations

  abstract interface
    !> Is called between the iterations of a solver or of a static problem: iterations_done are over. True stops the call.
    function drystone_iteration_progress(iterations_done) result(stops)
      import
      integer(c_int64_t), intent(in) :: iterations_done
      logical :: stops
    end function drystone_iteration_progress
  end interface

  !> The caller's function, as what C hands back.
  type :: watch
    procedure(drystone_iteration_progress), pointer, nopass :: call => null()
  end type watch

contains

  !> What C calls, with a watch.
  function forward_iterations(user_data, iterations_done) bind(C) result(returned)
    type(c_ptr), value :: user_data
    integer(c_int64_t), value :: iterations_done
    integer(c_int32_t) :: returned
    type(watch), pointer :: watched
    call c_f_pointer(user_data, watched)
    returned = merge(1_c_int32_t, 0_c_int32_t, watched%call(iterations_done))
  end function forward_iterations

end module drystone_iterations
