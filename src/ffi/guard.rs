//! The wall: what a host passes is checked here before Rust sees it, and nothing that goes wrong behind it gets out.
//!
//! [`run`] catches panics, silently, and turns errors into a status and the calling thread's last message. The other
//! functions turn raw pointers into values and checked places to write to. It knows no world and no structure.

use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe};
use std::ptr::NonNull;
use std::sync::Once;

use crate::error::{Error, Kind, Result, reserve};

use super::status_code::dry_status;

thread_local! {
    /// The message of the last failing call on this thread.
    static LAST_ERROR: RefCell<String> = const { RefCell::new(String::new()) };
    /// Whether this thread is behind the wall, where a panic says nothing.
    static BEHIND_THE_WALL: Cell<bool> = const { Cell::new(false) };
}

/// Runs the body of an export: answers its status, and keeps the message of a failure for `dry_last_error`.
pub(super) fn run(call: impl FnOnce() -> Result<()>) -> dry_status {
    silence_panics();
    // What a panic may leave broken is a world, and that marks itself (see `handle`).
    let outcome = inside(|| panic::catch_unwind(AssertUnwindSafe(call)));
    let error = match outcome {
        Ok(Ok(())) => return dry_status::DRY_OK,
        Ok(Err(error)) => error,
        Err(payload) => {
            let error = defect(payload.downcast_ref::<&str>().copied().or_else(|| as_text(&payload)));
            // Its destructor is unknown code, which might panic in turn.
            std::mem::forget(payload);
            error
        }
    };
    let status = status_of(error.kind);
    // A thread that is being torn down has no place for a message any more; it still gets the status.
    let _ = LAST_ERROR.try_with(|last| last.replace(error.message));
    status
}

/// Calls `work`, which does not panic, behind the wall: of what is caught within, nothing is printed.
pub(super) fn inside<T>(work: impl FnOnce() -> T) -> T {
    on_a_side(true, work)
}

/// Calls a function of the host, whose own panics are printed as ever.
pub(super) fn outside<T>(call: impl FnOnce() -> T) -> T {
    on_a_side(false, call)
}

fn on_a_side<T>(behind: bool, call: impl FnOnce() -> T) -> T {
    let before = BEHIND_THE_WALL.try_with(|flag| flag.replace(behind)).unwrap_or(true);
    let answer = call();
    let _ = BEHIND_THE_WALL.try_with(|flag| flag.set(before));
    answer
}

/// Makes this thread, one of drystone's own, stay behind the wall.
#[cfg(feature = "threads")]
pub(super) fn stay_inside() {
    let _ = BEHIND_THE_WALL.try_with(|flag| flag.set(true));
}

/// Gives the last message of this thread to `read`, unchanged.
pub(super) fn with_last_error<T>(read: impl FnOnce(&str) -> T) -> Option<T> {
    LAST_ERROR.try_with(|last| last.try_borrow().ok().map(|message| read(&message))).ok().flatten()
}

fn as_text(payload: &Box<dyn std::any::Any + Send>) -> Option<&str> {
    payload.downcast_ref::<String>().map(String::as_str)
}

fn defect(text: Option<&str>) -> Error {
    Error::new(Kind::Internal, format!("a defect of drystone was caught: {}", text.unwrap_or("no description")))
}

/// Keeps the host's standard error clean: a panic behind the wall is answered, not printed.
fn silence_panics() {
    static INSTALLED: Once = Once::new();
    // The hook cannot be exchanged from a thread that is panicking (a Rust host's destructor); a later call does it.
    if INSTALLED.is_completed() || std::thread::panicking() {
        return;
    }
    INSTALLED.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !BEHIND_THE_WALL.try_with(Cell::get).unwrap_or(false) {
                previous(info);
            }
        }));
    });
}

fn status_of(kind: Kind) -> dry_status {
    match kind {
        Kind::Null => dry_status::DRY_ERR_NULL,
        Kind::Abi => dry_status::DRY_ERR_ABI,
        Kind::Argument => dry_status::DRY_ERR_ARGUMENT,
        Kind::NotFinite => dry_status::DRY_ERR_NOT_FINITE,
        Kind::StaleHandle => dry_status::DRY_ERR_STALE_HANDLE,
        Kind::Capacity => dry_status::DRY_ERR_CAPACITY,
        Kind::Unsupported => dry_status::DRY_ERR_UNSUPPORTED,
        Kind::NotConverged => dry_status::DRY_ERR_NOT_CONVERGED,
        Kind::Busy => dry_status::DRY_ERR_BUSY,
        Kind::Internal => dry_status::DRY_ERR_INTERNAL,
        Kind::Memory => dry_status::DRY_ERR_MEMORY,
    }
}

/// The answer of a function that this version declares and does not offer.
pub(super) fn not_offered(function: &str) -> Error {
    Error::unsupported(format!("{function} is not offered in this version"))
}

/// Refuses NULL, and addresses where no `T` can lie.
pub(super) fn present<T>(name: &str, pointer: *const T) -> Result<NonNull<T>> {
    let Some(place) = NonNull::new(pointer.cast_mut()) else {
        return Err(Error::new(Kind::Null, format!("{name} is NULL, expected a pointer")));
    };
    if !place.is_aligned() {
        let align = align_of::<T>();
        return Err(Error::argument(format!("{name} is {pointer:p}, expected an address divisible by {align}")));
    }
    Ok(place)
}

/// What the pointer shows.
///
/// # Safety
/// If `pointer` is not NULL and aligned, it shows a valid `T` that nobody changes during the call.
pub(super) unsafe fn input<'a, T>(name: &str, pointer: *const T) -> Result<&'a T> {
    let place = present(name, pointer)?;
    // SAFETY: not null, aligned, and valid by this function's own condition.
    Ok(unsafe { place.as_ref() })
}

/// `N` numbers at a pointer that C declares as `const double name[N]`.
///
/// # Safety
/// If `pointer` is not NULL and aligned, it shows `N` numbers.
pub(super) unsafe fn numbers<const N: usize>(name: &str, pointer: *const f64) -> Result<[f64; N]> {
    // SAFETY: an array lies like its elements.
    unsafe { input(name, pointer.cast::<[f64; N]>()) }.copied()
}

/// A place of the host to write one result to.
pub(super) struct Output<T>(NonNull<T>);

impl<T> Output<T> {
    /// Writes the result.
    pub(super) fn write(self, value: T) {
        // SAFETY: `output` was promised a place for a `T`, and checked that it is not null and aligned.
        unsafe { self.0.write(value) }
    }
}

/// A place to write a result to.
///
/// # Safety
/// If `pointer` is not NULL and aligned, a `T` can be written there until the call ends.
pub(super) unsafe fn output<T>(name: &str, pointer: *mut T) -> Result<Output<T>> {
    Ok(Output(present(name, pointer)?))
}

/// A place to write `N` numbers to, which C declares as `double name[N]`.
///
/// # Safety
/// As for [`output`], with `N` numbers.
pub(super) unsafe fn output_numbers<const N: usize>(name: &str, pointer: *mut f64) -> Result<Output<[f64; N]>> {
    // SAFETY: an array lies like its elements.
    unsafe { output(name, pointer.cast::<[f64; N]>()) }
}

/// Refuses a count of elements that no address space holds.
pub(super) fn countable(name: &str, count: usize, element_size: usize) -> Result<()> {
    let bytes = count.checked_mul(element_size);
    if bytes.is_some_and(|bytes| isize::try_from(bytes).is_ok()) {
        return Ok(());
    }
    let most = isize::MAX as usize / element_size.max(1);
    Err(Error::argument(format!("{name} is {count}, expected at most {most}: its bytes must be countable")))
}

/// A copy of an array of the host. The memory is reserved before the first element is read.
///
/// # Safety
/// If `pointer` is not NULL and aligned, it shows `count` valid elements.
pub(super) unsafe fn copied<T: Copy>(names: [&str; 2], pointer: *const T, count: usize) -> Result<Vec<T>> {
    let [name, count_name] = names;
    let place = present(name, pointer)?;
    countable(count_name, count, size_of::<T>())?;
    let mut copy = Vec::new();
    reserve(&mut copy, count, name)?;
    // SAFETY: not null, aligned, of countable size, and valid by this function's own condition.
    copy.extend_from_slice(unsafe { std::slice::from_raw_parts(place.as_ptr(), count) });
    Ok(copy)
}

/// An array of the host, read where it lies; of no elements whatever the pointer if `count` is 0.
///
/// # Safety
/// If `count` is above 0 and `pointer` is not NULL and aligned, it shows `count` valid elements that nobody changes
/// during the call.
pub(super) unsafe fn array<'a, T: Copy>(names: [&str; 2], pointer: *const T, count: usize) -> Result<&'a [T]> {
    let [name, count_name] = names;
    if count == 0 {
        return Ok(&[]);
    }
    let place = present(name, pointer)?;
    countable(count_name, count, size_of::<T>())?;
    // SAFETY: not null, aligned, of countable size, and valid by this function's own condition.
    Ok(unsafe { std::slice::from_raw_parts(place.as_ptr(), count) })
}

/// An array of the host that receives a number of elements which both know.
pub(super) struct Filled<T> {
    first: NonNull<T>,
    count: usize,
}

/// The array of the host; none where the pointer is NULL, or where there is nothing to write.
///
/// # Safety
/// If `pointer` is not NULL and aligned, `count` elements can be written there until the call ends.
pub(super) unsafe fn filled<T>(names: [&str; 2], pointer: *mut T, count: usize) -> Result<Option<Filled<T>>> {
    let [name, count_name] = names;
    if pointer.is_null() || count == 0 {
        return Ok(None);
    }
    let first = present(name, pointer)?;
    countable(count_name, count, size_of::<T>())?;
    Ok(Some(Filled { first, count }))
}

impl<T> Filled<T> {
    /// Writes the elements, at most as many as there is room for.
    pub(super) fn write(self, items: impl Iterator<Item = T>) {
        for (index, item) in items.take(self.count).enumerate() {
            // SAFETY: `index < count`, and `filled` was promised room for that many.
            unsafe { self.first.add(index).write(item) }
        }
    }
}

/// An array of the host to be filled: `(T *name, size_t capacity, size_t *count)`.
pub(super) struct Buffer<T> {
    first: *mut T,
    stride: usize,
    capacity: usize,
    count: Output<usize>,
}

/// The array of the host, `stride` bytes from element to element (at most the size of `T`).
///
/// # Safety
/// If the pointers are not NULL and aligned, `capacity` elements of `stride` bytes can be written at `pointer`, and a
/// number at `count`. The stride is a multiple of the alignment of `T`.
pub(super) unsafe fn buffer<T>(
    name: &str,
    pointer: *mut T,
    stride: usize,
    capacity: usize,
    count: *mut usize,
) -> Result<Buffer<T>> {
    if capacity > 0 || !pointer.is_null() {
        present(name, pointer)?;
    }
    countable("capacity", capacity, stride)?;
    // SAFETY: this function's own condition.
    let count = unsafe { output("count", count) }?;
    Ok(Buffer { first: pointer, stride, capacity, count })
}

impl<T> Buffer<T> {
    /// Writes the full number, and the items if there is room for all; a NULL array asks for the number alone.
    pub(super) fn fill(self, what: &str, number: usize, items: impl Iterator<Item = T>) -> Result<()> {
        self.count.write(number);
        if self.first.is_null() {
            return Ok(());
        }
        if number > self.capacity {
            let message = format!("capacity is {}, expected at least {number}, the number of {what}", self.capacity);
            return Err(Error::new(Kind::Capacity, message));
        }
        let size = self.stride.min(size_of::<T>());
        for (index, item) in items.take(number).enumerate() {
            // SAFETY: `index < capacity`, and `buffer` was promised room for that many elements of `stride` bytes.
            unsafe {
                let place = self.first.cast::<u8>().add(index * self.stride);
                std::ptr::copy_nonoverlapping((&raw const item).cast::<u8>(), place, size);
            }
        }
        Ok(())
    }
}
