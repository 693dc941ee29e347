//! The full dynamic state of a world: hash, snapshot, restore, copy.

use super::guard;
use super::handle::{self, WORLDS, dry_world};
use super::status_code::dry_status;

/// Hashes the full dynamic state of a world: two worlds of one build with the same hash have the same future, bit for
/// bit.
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

/// Writes the full dynamic state of a world to a buffer. A world restored from it continues as this one, bit for bit,
/// and gives the same answers to queries. The buffer holds bodies, handles, materials, shapes, joints, settings,
/// contacts with their impulses, and sleep. It does not hold threads and tasks. docs/snapshots.md describes the
/// format.
///
/// buffer: receives the bytes if there is room for all; with NULL and capacity 0 the call returns the number alone.
/// If memory is exhausted meanwhile, its bytes have no meaning.
/// capacity: bytes that buffer has room for. Too few: DRY_ERR_CAPACITY, and only count is written.
/// count: receives the number of bytes, which is the same until the world changes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_world_snapshot(
    world: *const dry_world,
    buffer: *mut u8,
    capacity: usize,
    count: *mut usize,
) -> dry_status {
    guard::run("dry_world_snapshot", || {
        // SAFETY: the host gives room for `capacity` bytes, and a place for a number.
        let (world, place) = unsafe {
            let world = handle::of(world)?;
            (world, guard::buffer("buffer", buffer, size_of::<u8>(), capacity, count)?)
        };
        world.read(|world| place.fill_bytes("bytes", world.snapshot_size()?, |room| world.write_snapshot(room)))
    })
}

/// Puts a world into the state that a snapshot holds, settings and gravity included. Threads and tasks stay those of
/// this world, whose earlier handles are void; those of the world that was written are valid here.
///
/// buffer: the bytes; read during the call.
/// count: their number.
///
/// A snapshot need not be trusted: everything in it is checked, and its size bounds the memory that the call takes.
///
/// DRY_ERR_FORMAT: it is not whole, of another format, of a solver, or describes what no world can be. The world is as
/// before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_world_restore(world: *mut dry_world, buffer: *const u8, count: usize) -> dry_status {
    guard::run("dry_world_restore", || {
        let world = handle::of(world)?;
        guard::present("buffer", buffer)?;
        // SAFETY: the host gives `count` bytes.
        let bytes = unsafe { guard::array(["buffer", "count"], buffer, count) }?;
        world.write(|world| world.restore(bytes))
    })
}

/// Creates a copy of a world, which continues as the original, bit for bit. Handles of one are valid in the other.
///
/// world: the world to copy.
/// copy: receives the new world, which the caller ends with dry_world_destroy.
///
/// Both worlds share threads or tasks. If both step at the same time, one finds them busy and steps on its calling
/// thread alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_world_clone(world: *const dry_world, copy: *mut *mut dry_world) -> dry_status {
    guard::run("dry_world_clone", || {
        // SAFETY: the host gives a place for a pointer.
        let (world, place) = unsafe { (handle::of(world)?, guard::output("copy", copy)?) };
        let made = world.read(|world| world.try_clone())?;
        place.write(WORLDS.insert(world.with_tasks_of(made))?);
        Ok(())
    })
}
