//! The full dynamic state of a world: hash, snapshot, restore.

use super::guard;
use super::handle::{self, dry_world};
use super::status_code::dry_status;

/// Hashes the full dynamic state of a world: two worlds of one build with the same hash go on alike.
///
/// hash: receives the number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_world_hash(world: *const dry_world, hash: *mut u64) -> dry_status {
    guard::run("dry_world_hash", || {
        // SAFETY: the host gives a place for a number.
        let (world, place) = unsafe { (handle::of(world)?, guard::output("hash", hash)?) };
        world.read(|world| Ok(world.hash())).map(|hash| place.write(hash))
    })
}

/// Writes the full dynamic state of a world to a buffer. Not offered yet: DRY_ERR_UNSUPPORTED.
///
/// buffer: receives the bytes if there is room for all; NULL with capacity 0 asks for the number alone.
/// capacity: bytes that buffer has room for. Too few: DRY_ERR_CAPACITY, and only count is written.
/// count: receives the number of bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_world_snapshot(
    world: *const dry_world,
    buffer: *mut u8,
    capacity: usize,
    count: *mut usize,
) -> dry_status {
    guard::run("dry_world_snapshot", || {
        // SAFETY: the host gives room for `capacity` bytes, and a place for a number.
        unsafe {
            handle::of(world)?;
            guard::buffer("buffer", buffer, size_of::<u8>(), capacity, count)?;
        }
        Err(guard::not_offered("dry_world_snapshot"))
    })
}

/// Puts a world into the state that a snapshot holds. Not offered yet: DRY_ERR_UNSUPPORTED.
///
/// buffer: the bytes; read during the call.
/// count: their number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_world_restore(world: *mut dry_world, buffer: *const u8, count: usize) -> dry_status {
    guard::run("dry_world_restore", || {
        handle::of(world)?;
        guard::present("buffer", buffer)?;
        guard::countable("count", count, size_of::<u8>())?;
        Err(guard::not_offered("dry_world_restore"))
    })
}
