//! Reading joints, and setting the target of one, allocates nothing.

#![allow(unsafe_code)] // an allocator, and calls of the C interface
#![allow(clippy::expect_used)] // a test fails by panicking

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::mem::MaybeUninit;

use drystone::ffi::bodies::{dry_body_add, dry_body_def_init};
use drystone::ffi::body_types::dry_body_def;
use drystone::ffi::handle::{dry_joint, dry_world};
use drystone::ffi::joint_types::{dry_joint_def, dry_joint_kind};
use drystone::ffi::joint_types_axis::{dry_joint_axis, dry_joint_state};
use drystone::ffi::joints::{dry_joint_add, dry_joint_axis_init, dry_joint_def_init};
use drystone::ffi::joints_drive::{dry_joint_set_axis, dry_joint_set_target};
use drystone::ffi::joints_events::dry_query_joint_events;
use drystone::ffi::joints_read::{
    dry_joint_get_axis, dry_joint_get_def, dry_joint_get_state, dry_joints_get_states, dry_query_body_joint_force,
    dry_query_body_joints, dry_query_joints,
};
use drystone::ffi::shapes::dry_shape_sphere;
use drystone::ffi::status_code::dry_status;
use drystone::ffi::world::{dry_world_create, dry_world_def, dry_world_def_init, dry_world_destroy};

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: everything is the system allocator's work; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = ALLOCATIONS.try_with(|number| number.set(number.get() + 1));
        // SAFETY: as promised to this function.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as promised to this function.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn must(status: dry_status) {
    assert_eq!(status as u32, dry_status::DRY_OK as u32);
}

/// A structure that its `_init` fills in.
fn initialised<T>(init: impl FnOnce(*mut T, usize) -> dry_status) -> T {
    let mut value = MaybeUninit::<T>::zeroed();
    must(init(value.as_mut_ptr(), size_of::<T>()));
    // SAFETY: the library filled it in.
    unsafe { value.assume_init() }
}

/// A ball on a hinge with friction: the world, the ball and the hinge.
fn hung() -> (*mut dry_world, u64, dry_joint) {
    let (mut world, mut shape, mut ball, mut hinge) = (std::ptr::null_mut(), 0, 0, 0);
    // SAFETY: all pointers show what the functions expect.
    unsafe {
        let def: dry_world_def = initialised(|def, size| dry_world_def_init(def, size));
        must(dry_world_create(&raw const def, &raw mut world));
        must(dry_shape_sphere(world, 0.5, &raw mut shape));
        let mut body: dry_body_def = initialised(|def, size| dry_body_def_init(def, size));
        body.shape = shape;
        must(dry_body_add(world, &raw const body, &raw mut ball));
        let kind = MaybeUninit::new(dry_joint_kind::DRY_JOINT_HINGE);
        let mut joint: dry_joint_def = initialised(|def, size| dry_joint_def_init(def, size, kind));
        joint.body_b = ball;
        must(dry_joint_add(world, &raw const joint, &raw mut hinge));
        let mut axis: dry_joint_axis = initialised(|axis, size| dry_joint_axis_init(axis, size));
        (axis.friction, axis.friction_coefficient, axis.friction_radius) = (1.0, 0.5, 0.1);
        must(dry_joint_set_axis(world, hinge, 5, &raw const axis));
    }
    (world, ball, hinge)
}

#[test]
fn reading_joints_allocates_nothing() {
    let (world, ball, hinge) = hung();
    let mut def = MaybeUninit::<dry_joint_def>::uninit();
    let mut axis = MaybeUninit::<dry_joint_axis>::uninit();
    let mut state = MaybeUninit::<dry_joint_state>::uninit();
    let (mut joints, mut count, mut force, mut torque) = ([0; 4], 0, [0.0; 3], [0.0; 3]);
    let state_size = size_of::<dry_joint_state>();
    let before = ALLOCATIONS.get();
    // SAFETY: all pointers show what the functions expect.
    unsafe {
        must(dry_joint_get_def(world, hinge, def.as_mut_ptr(), size_of::<dry_joint_def>()));
        must(dry_joint_get_axis(world, hinge, 5, axis.as_mut_ptr(), size_of::<dry_joint_axis>()));
        must(dry_joint_get_state(world, hinge, state.as_mut_ptr(), state_size));
        must(dry_joints_get_states(world, std::ptr::null(), 1, state.as_mut_ptr(), state_size));
        must(dry_query_body_joints(world, ball, joints.as_mut_ptr(), 4, &raw mut count));
        must(dry_query_body_joint_force(world, ball, force.as_mut_ptr(), torque.as_mut_ptr()));
        must(dry_query_joint_events(world, std::ptr::null_mut(), 0, &raw mut count));
        assert_eq!(count, 0);
        must(dry_query_joints(world, joints.as_mut_ptr(), 4, &raw mut count));
        must(dry_joint_set_target(world, hinge, 5, 1.0, 2.0));
        assert_eq!(ALLOCATIONS.get() - before, 0);
        dry_world_destroy(world);
    }
    assert_eq!((joints[0], count), (hinge, 1));
}
