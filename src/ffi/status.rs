//! Status, last error and version.

use core::ffi::c_char;
use std::mem::MaybeUninit;

use super::status_code::dry_status;
use super::{guard, structure};

/// The name of a status, as in this header: "DRY_ERR_NULL".
///
/// Returns a fixed text that is never freed; "unknown status" for a number that is none.
#[unsafe(no_mangle)]
pub extern "C" fn dry_status_name(status: MaybeUninit<dry_status>) -> *const c_char {
    dry_status::name(structure::number(status)).as_ptr()
}

/// Copies the message of this thread's last failing call: the function, which argument, its value, and what was
/// expected, as in "dry_shape_sphere: radius is -1, expected a number above 0". At most 1024 bytes.
///
/// buffer: receives the text, UTF-8, always ended by a zero if capacity is above 0.
/// capacity: bytes in buffer. Too few: the text is cut and the answer is DRY_ERR_CAPACITY.
/// needed_or_null: receives the bytes that the whole text needs, its zero included.
///
/// With buffer NULL and capacity 0 the call returns the size alone. The message stays until the next failing call on
/// this thread; this function never alters it. Before the first failure it is empty.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_last_error(
    buffer: *mut c_char,
    capacity: usize,
    needed_or_null: *mut usize,
) -> dry_status {
    if buffer.is_null() && capacity > 0 {
        return dry_status::DRY_ERR_NULL;
    }
    let status = guard::with_last_error(|message| {
        // SAFETY: the host gives room for `capacity` bytes at `buffer`, unless that is NULL. It gives room for a
        // number at `needed_or_null`, unless that is NULL. Both are written unaligned since nothing here may fail
        // with a message.
        unsafe {
            if !needed_or_null.is_null() {
                needed_or_null.write_unaligned(message.len() + 1);
            }
            if buffer.is_null() {
                return dry_status::DRY_OK;
            }
            if capacity > 0 {
                let mut length = message.len().min(capacity - 1);
                while !message.is_char_boundary(length) {
                    length -= 1;
                }
                std::ptr::copy_nonoverlapping(message.as_ptr(), buffer.cast::<u8>(), length);
                buffer.add(length).write(0);
            }
        }
        if capacity > message.len() { dry_status::DRY_OK } else { dry_status::DRY_ERR_CAPACITY }
    });
    status.unwrap_or(dry_status::DRY_ERR_INTERNAL)
}

/// The version of the library in one number: major << 22 | minor << 12 | patch.
#[unsafe(no_mangle)]
pub extern "C" fn dry_version() -> u32 {
    // Cargo admits no version but three numbers.
    let number = |text: &str| text.parse::<u32>().unwrap_or_default();
    let (major, minor) = (number(env!("CARGO_PKG_VERSION_MAJOR")), number(env!("CARGO_PKG_VERSION_MINOR")));
    major << 22 | minor << 12 | number(env!("CARGO_PKG_VERSION_PATCH"))
}

/// The version of the library as a text, "major.minor.patch", which is never freed.
#[unsafe(no_mangle)]
pub extern "C" fn dry_version_string() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}
