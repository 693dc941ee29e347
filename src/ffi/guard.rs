//! The boundary of the C interface. It checks the arguments of a host before Rust code uses them. It turns every failure
//! of Rust code into a status.
//!
//! [`run`] catches panics, silently, and turns errors into a status and the calling thread's last message. The other
//! functions turn raw pointers into values and checked places to write to, which must not overlap. This module does
//! not depend on worlds or structures.
//!
//! # Safety
//! The unsafe functions have one condition. A pointer that is neither NULL nor misaligned must point to what the
//! other arguments say, until the call ends. That is either valid elements that nothing changes, or memory for the
//! elements to be written.

use std::cell::{Cell, RefCell};
use std::fmt::{self, Write};
use std::panic::{self, AssertUnwindSafe};
use std::ptr::NonNull;
use std::sync::Once;

use crate::error::{Error, ErrorKind, Result, reserve, text};

use super::environment;
use super::status_code::dry_status;

thread_local! {
    /// A buffer of fixed size, so that reporting a failure needs no memory.
    static LAST_ERROR: RefCell<Message> = const { RefCell::new(Message::EMPTY) };
    /// Whether this thread runs code of the library, in which a panic prints nothing.
    static IN_LIBRARY: Cell<bool> = const { Cell::new(false) };
}

/// The last message of a thread. A longer one is truncated.
struct Message {
    bytes: [u8; 1024],
    length: usize,
}

impl Message {
    const EMPTY: Self = Self { bytes: [0; 1024], length: 0 };

    fn text(&self) -> &str {
        // Only whole characters are written.
        std::str::from_utf8(&self.bytes[..self.length]).unwrap_or_default()
    }
}

impl Write for Message {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        let mut fits = part.len().min(self.bytes.len() - self.length);
        while !part.is_char_boundary(fits) {
            fits -= 1;
        }
        self.bytes[self.length..self.length + fits].copy_from_slice(&part.as_bytes()[..fits]);
        self.length += fits;
        if fits == part.len() { Ok(()) } else { Err(fmt::Error) }
    }
}

/// Runs the body of an exported function and returns its status. Keeps the message of a failure, with the name of the `function`, for
/// `dry_last_error`.
pub(super) fn run(function: &str, call: impl FnOnce() -> Result<()>) -> dry_status {
    install_panic_hook();
    // A panic may leave a world in a broken state. The world marks itself as broken then (see `handle`).
    let outcome = environment::masked(|| with_library_flag(true, || panic::catch_unwind(AssertUnwindSafe(call))));
    let error = match outcome {
        Ok(Ok(())) => return dry_status::DRY_OK,
        Ok(Err(error)) => error,
        Err(payload) => {
            let text = payload.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no description");
            let error = Error::new(ErrorKind::Internal, text!("a defect of drystone was caught: {text}"));
            // Its destructor is unknown code, which might panic as well.
            std::mem::forget(payload);
            error
        }
    };
    let status = status_of(error.kind);
    // A thread that is being torn down has no place for a message any more; it still gets the status.
    let _ = LAST_ERROR.try_with(|last| {
        let mut message = last.borrow_mut();
        message.length = 0;
        let text = if error.message.is_empty() { "memory is exhausted" } else { &error.message };
        let _ = write!(message, "{function}: {text}");
    });
    status
}

/// Calls `call` as code of the library, whose panics are caught and not printed, or as code of the host, whose panics are printed as
/// usual. `in_library` selects the first.
pub(super) fn with_library_flag<T>(in_library: bool, call: impl FnOnce() -> T) -> T {
    let before = IN_LIBRARY.try_with(|flag| flag.replace(in_library)).unwrap_or(true);
    let answer = call();
    let _ = IN_LIBRARY.try_with(|flag| flag.set(before));
    answer
}

/// Calls a function of the host. Its panics print as usual, and the thread's floating point environment does not
/// change.
pub(super) fn call_host<T>(call: impl FnOnce() -> T) -> T {
    environment::kept(|| with_library_flag(false, call))
}

/// Marks this thread, one of drystone's own, as one that only runs code of the library.
#[cfg(feature = "threads")]
pub(super) fn enter_library() {
    let _ = IN_LIBRARY.try_with(|flag| flag.set(true));
}

/// Calls `read` with the last message of this thread, which does not change.
pub(super) fn with_last_error<T>(read: impl FnOnce(&str) -> T) -> Option<T> {
    LAST_ERROR.try_with(|last| last.try_borrow().ok().map(|message| read(message.text()))).ok().flatten()
}

/// Installs the panic hook. Panics in code of the library become a status and are not printed.
fn install_panic_hook() {
    static INSTALLED: Once = Once::new();
    // The hook cannot be exchanged from a thread that is panicking (a Rust host's destructor); a later call does it.
    if INSTALLED.is_completed() || std::thread::panicking() {
        return;
    }
    INSTALLED.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !IN_LIBRARY.try_with(Cell::get).unwrap_or(false) {
                previous(info);
            }
        }));
    });
}

fn status_of(kind: ErrorKind) -> dry_status {
    match kind {
        ErrorKind::Null => dry_status::DRY_ERR_NULL,
        ErrorKind::Abi => dry_status::DRY_ERR_ABI,
        ErrorKind::Argument => dry_status::DRY_ERR_ARGUMENT,
        ErrorKind::NotFinite => dry_status::DRY_ERR_NOT_FINITE,
        ErrorKind::StaleHandle => dry_status::DRY_ERR_STALE_HANDLE,
        ErrorKind::Capacity => dry_status::DRY_ERR_CAPACITY,
        ErrorKind::Unsupported => dry_status::DRY_ERR_UNSUPPORTED,
        ErrorKind::Format => dry_status::DRY_ERR_FORMAT,
        ErrorKind::NotConverged => dry_status::DRY_ERR_NOT_CONVERGED,
        ErrorKind::Io => dry_status::DRY_ERR_IO,
        ErrorKind::Busy => dry_status::DRY_ERR_BUSY,
        ErrorKind::Internal => dry_status::DRY_ERR_INTERNAL,
        ErrorKind::Memory => dry_status::DRY_ERR_MEMORY,
        ErrorKind::Stopped => dry_status::DRY_ERR_STOPPED,
    }
}

pub(super) const fn assert_send_sync<T: Send + Sync>() {}

/// Refuses NULL, and addresses where no `T` can lie.
pub(super) fn present<T>(name: &str, pointer: *const T) -> Result<NonNull<T>> {
    let Some(place) = NonNull::new(pointer.cast_mut()) else {
        return Err(Error::new(ErrorKind::Null, text!("{name} is NULL, expected a pointer")));
    };
    if !place.is_aligned() {
        let align = align_of::<T>();
        return Err(Error::argument(text!("{name} is {pointer:p}, expected an address divisible by {align}")));
    }
    Ok(place)
}

pub(super) unsafe fn input<'a, T>(name: &str, pointer: *const T) -> Result<&'a T> {
    let place = present(name, pointer)?;
    // SAFETY: not null, aligned, and valid by this function's own condition.
    Ok(unsafe { place.as_ref() })
}

/// `N` numbers at a pointer that C declares as `const double name[N]`.
pub(super) unsafe fn numbers<const N: usize>(name: &str, pointer: *const f64) -> Result<[f64; N]> {
    // SAFETY: an array lies like its elements.
    unsafe { input(name, pointer.cast::<[f64; N]>()) }.copied()
}

pub(super) struct Output<T>(NonNull<T>);

impl<T> Output<T> {
    pub(super) fn write(self, value: T) {
        // SAFETY: `output` was promised a place for a `T`, and checked that it is not null and aligned.
        unsafe { self.0.write(value) }
    }
}

pub(super) unsafe fn output<T>(name: &str, pointer: *mut T) -> Result<Output<T>> {
    Ok(Output(present(name, pointer)?))
}

/// Checks a place for an output that the host may omit.
pub(super) unsafe fn output_or_null<T>(name: &str, pointer: *mut T) -> Result<Option<Output<T>>> {
    // SAFETY: this function's own condition.
    (!pointer.is_null()).then(|| unsafe { output(name, pointer) }).transpose()
}

/// A place to write `N` numbers to, which C declares as `double name[N]`.
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
    let limit = isize::MAX as usize / element_size.max(1);
    Err(Error::argument(text!("{name} is {count}, expected at most {limit}: its bytes must be countable")))
}

/// Refuses an array, called `name`, that is NULL, or whose `count_name` is too large.
fn present_array<T>([name, count_name]: [&str; 2], pointer: *const T, count: usize) -> Result<NonNull<T>> {
    let place = present(name, pointer)?;
    countable(count_name, count, size_of::<T>())?;
    Ok(place)
}

/// A copy of an array of the host. The memory is reserved before the first element is read.
pub(super) unsafe fn copied<T: Copy>(names: [&str; 2], pointer: *const T, count: usize) -> Result<Vec<T>> {
    let place = present_array(names, pointer, count)?;
    let mut copy = Vec::new();
    reserve(&mut copy, count, names[0])?;
    // SAFETY: not null, aligned, of countable size, and valid by this function's own condition.
    copy.extend_from_slice(unsafe { std::slice::from_raw_parts(place.as_ptr(), count) });
    Ok(copy)
}

/// Returns an array of the host in place, without a copy. If `count` is 0 the array is empty for any pointer.
pub(super) unsafe fn array<'a, T: Copy>(names: [&str; 2], pointer: *const T, count: usize) -> Result<&'a [T]> {
    if count == 0 {
        return Ok(&[]);
    }
    let place = present_array(names, pointer, count)?;
    // SAFETY: not null, aligned, of countable size, and valid by this function's own condition.
    Ok(unsafe { std::slice::from_raw_parts(place.as_ptr(), count) })
}

/// An array of the host that receives a number of elements that is fixed before the call.
pub(super) struct Filled<T> {
    first: *mut T,
    /// From element to element, a multiple of the alignment of `T` [bytes].
    stride: usize,
    count: usize,
}

/// Returns the array of the host. If `count` is 0 any pointer is accepted.
pub(super) unsafe fn filled<T>(names: [&str; 2], pointer: *mut T, count: usize) -> Result<Filled<T>> {
    // SAFETY: this function's own condition.
    unsafe { filled_by_stride(names, pointer, size_of::<T>(), count) }
}

/// The same for elements that are `stride` bytes apart: at most the size of `T`, and a multiple of its alignment.
pub(super) unsafe fn filled_by_stride<T>(
    [name, count_name]: [&str; 2],
    pointer: *mut T,
    stride: usize,
    count: usize,
) -> Result<Filled<T>> {
    if count > 0 {
        present(name, pointer)?;
        countable(count_name, count, stride)?;
    }
    Ok(Filled { first: pointer, stride, count })
}

/// The same for an array that the host may not want: of no elements if the pointer is NULL.
pub(super) unsafe fn filled_or_null<T>(names: [&str; 2], pointer: *mut T, count: usize) -> Result<Filled<T>> {
    // SAFETY: this function's own condition.
    unsafe { filled(names, pointer, if pointer.is_null() { 0 } else { count }) }
}

impl<T: Copy> Filled<T> {
    pub(super) fn region(&self, name: &'static str) -> Region {
        Region::new(name, self.first, self.count)
    }

    /// Writes the elements, at most as many as there is room for.
    pub(super) fn write(self, items: impl Iterator<Item = T>) {
        let size = self.stride.min(size_of::<T>());
        for (index, item) in items.take(self.count).enumerate() {
            // SAFETY: `index < count`, and there is room for that many elements of `stride` bytes.
            unsafe {
                let place = self.first.cast::<u8>().add(index * self.stride);
                std::ptr::copy_nonoverlapping((&raw const item).cast::<u8>(), place, size);
            }
        }
    }
}

/// An array of the host to be filled: `(T *name, size_t capacity, size_t *count)`.
pub(super) struct Buffer<T> {
    array: Filled<T>,
    count: Output<usize>,
}

/// The array of the host, `stride` bytes from element to element: at most the size of `T`, and a multiple of its alignment.
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
    Ok(Buffer { array: Filled { first: pointer, stride, count: capacity }, count })
}

impl<T: Copy> Buffer<T> {
    /// Writes the full number, and the items if there is room for all. For a NULL array it writes the number alone.
    pub(super) fn fill(self, what: &str, number: usize, items: impl Iterator<Item = T>) -> Result<()> {
        let (is_null, capacity) = (self.array.first.is_null(), self.array.count);
        self.count.write(number);
        if !is_null && number > capacity {
            let message = text!("capacity is {capacity}, expected at least {number}, the number of {what}");
            return Err(Error::new(ErrorKind::Capacity, message));
        }
        self.array.write(items.take(number));
        Ok(())
    }
}

impl Buffer<u8> {
    /// Writes the number of bytes, and lets `write` write them if there is room for all. For a NULL array it writes
    /// the number alone. `write` gets memory for exactly that number.
    pub(super) fn fill_bytes(
        self,
        what: &str,
        number: usize,
        write: impl FnOnce(&mut [u8]) -> Result<()>,
    ) -> Result<()> {
        let (first, capacity) = (self.array.first, self.array.count);
        if first.is_null() || number > capacity {
            return self.fill(what, number, std::iter::empty());
        }
        // SAFETY: there is room for `capacity` bytes, which are the host's alone during the call. They have values before they are borrowed.
        let room = unsafe {
            first.write_bytes(0, number);
            std::slice::from_raw_parts_mut(first, number)
        };
        write(room)?;
        self.count.write(number);
        Ok(())
    }
}

/// Bytes of the host, from an address on.
#[derive(Clone, Copy)]
pub(super) struct Region {
    name: &'static str,
    start: usize,
    bytes: usize,
}

impl Region {
    /// `count` elements at `pointer`; none if that is NULL.
    pub(super) fn new<T>(name: &'static str, pointer: *const T, count: usize) -> Self {
        let count = if pointer.is_null() { 0 } else { count };
        Self { name, start: pointer.addr(), bytes: count.saturating_mul(size_of::<T>()) }
    }

    fn overlaps(&self, other: &Self) -> bool {
        let before = |a: &Self, b: &Self| a.start.saturating_add(a.bytes) <= b.start;
        self.bytes > 0 && other.bytes > 0 && !before(self, other) && !before(other, self)
    }
}

/// Refuses outputs that overlap an input or each other. Otherwise a write would change an input, or overwrite another output.
pub(super) fn check_overlap(outputs: &[Region], inputs: &[Region]) -> Result<()> {
    for (index, output) in outputs.iter().enumerate() {
        let mut others = inputs.iter().chain(&outputs[..index]);
        if let Some(other) = others.find(|other| output.overlaps(other)) {
            let (name, start, other) = (output.name, output.start, other.name);
            let message = text!("{name} is {start:#x} and overlaps {other}, expected memory of its own");
            return Err(Error::argument(message));
        }
    }
    Ok(())
}
