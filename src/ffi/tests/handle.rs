//! A world that a defect has broken answers so to everything.

use crate::ffi::guard::{run, with_last_error};
use crate::ffi::handle::{self, dry_world};
use crate::ffi::state::dry_world_hash;
use crate::ffi::status_code::dry_status;
use crate::ffi::step::dry_world_step;
use crate::ffi::world::{dry_world_create, dry_world_def, dry_world_destroy, dry_world_set_gravity};

fn created() -> *mut dry_world {
    let (def, mut world) = (dry_world_def::default(), std::ptr::null_mut());
    // SAFETY: a whole definition and a place for a pointer.
    assert!(unsafe { dry_world_create(&raw const def, &raw mut world) } == dry_status::DRY_OK);
    world
}

fn answers(world: *mut dry_world) -> [dry_status; 4] {
    let mut hash = 0;
    let gravity = [0.0; 3];
    // SAFETY: a living world, three numbers and a place for one; NULL where it must be refused.
    unsafe {
        [
            dry_world_hash(world, &raw mut hash),
            dry_world_set_gravity(world, gravity.as_ptr()),
            dry_world_step(world, 0.01, std::ptr::null_mut()),
            dry_world_set_gravity(world, std::ptr::null()),
        ]
    }
}

fn break_by(world: *mut dry_world, reading: bool) {
    let status = run("dry_test", || {
        let world = handle::of(world)?;
        if reading { world.read(|_| panic!("while reading")) } else { world.write(|_| panic!("while writing")) }
    });
    assert!(status == dry_status::DRY_ERR_INTERNAL);
}

#[test]
fn a_broken_world_can_only_be_destroyed() {
    use dry_status::{DRY_ERR_INTERNAL, DRY_ERR_NULL, DRY_OK};
    for reading in [false, true] {
        let (world, other) = (created(), created());
        assert!(answers(world) == [DRY_OK, DRY_OK, DRY_OK, DRY_ERR_NULL]);
        break_by(world, reading);
        assert!(answers(world) == [DRY_ERR_INTERNAL; 4]);
        let message = with_last_error(str::to_string).expect("the message");
        assert!(message.contains("dry_world_destroy"), "{message}");
        assert!(answers(other) == [DRY_OK, DRY_OK, DRY_OK, DRY_ERR_NULL]);
        // SAFETY: made by `dry_world_create`, and not used after.
        unsafe {
            dry_world_destroy(world);
            dry_world_destroy(other);
        }
    }
}

#[test]
fn readers_do_not_wait_for_each_other() {
    let world = created();
    // SAFETY: a living world.
    let shared = handle::of(world).expect("a world");
    let (entered, release) = (std::sync::Barrier::new(2), std::sync::Barrier::new(2));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            shared.read(|_| {
                entered.wait();
                release.wait();
                Ok(())
            })
        });
        entered.wait();
        // Would wait for ever if the reader above kept others out.
        assert!(shared.read(|world| Ok(world.body_count())).is_ok());
        release.wait();
    });
    // SAFETY: made by `dry_world_create`, and not used after.
    unsafe { dry_world_destroy(world) };
}
