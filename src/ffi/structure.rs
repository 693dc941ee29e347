//! How structures evolve: which sizes this library knows, and how a structure of any of them is read and written.
//!
//! A structure grows only at its end. A host compiled against an older header passes a smaller one: what it does not
//! have keeps its default (or, in a setter, its present value) and is not written. `docs/abi.md` holds the rules.

use std::fmt::Display;
use std::mem::MaybeUninit;
use std::ptr::NonNull;

use crate::error::{Error, Kind, Result};

use super::guard;

/// A structure that hosts allocate, with every size it ever had.
pub(super) trait Recorded: Copy {
    /// Its C name.
    const NAME: &'static str;
    /// Its sizes [bytes], oldest first, today's last: the offset of the first member that came later. docs/abi.md
    /// lists them.
    const SIZES: &'static [usize];
}

/// A structure that begins with its `struct_size`. `Default` is what `_init` fills in.
///
/// # Safety
/// The first member is `struct_size: usize`, the layout is C's without padding, and every pattern of bits is valid.
pub(super) unsafe trait Structure: Recorded + Default {}

/// Refuses a size that this library does not know. `name` says whose value it is.
pub(super) fn known_size<T: Recorded>(name: impl Display, size: usize) -> Result<()> {
    if T::SIZES.contains(&size) {
        return Ok(());
    }
    let known: Vec<String> = T::SIZES.iter().map(usize::to_string).collect();
    let (structure, known) = (T::NAME, known.join(" or "));
    Err(Error::new(Kind::Abi, format!("{name} is {size}, expected {known}, the size of {structure} in this library")))
}

/// Fills in the defaults for a structure of `size` bytes.
///
/// # Safety
/// If `pointer` is not NULL and aligned and `size` is known, `size` bytes can be written there.
pub(super) unsafe fn init<T: Structure>(name: &str, pointer: *mut T, size: usize) -> Result<()> {
    let place = guard::present(name, pointer)?;
    known_size::<T>("size", size)?;
    SizedOutput { place, size }.write(T::default());
    Ok(())
}

/// The structure at `pointer`; members beyond its size have their defaults.
///
/// # Safety
/// If `pointer` is not NULL and aligned, it shows a `struct_size` and, if that is known, as many bytes.
pub(super) unsafe fn read<T: Structure>(name: &str, pointer: *const T) -> Result<T> {
    // SAFETY: this function's own condition.
    unsafe { read_onto(name, pointer, T::default()) }
}

/// The structure at `pointer`; members beyond its size are those of `base`.
///
/// # Safety
/// As for [`read`].
pub(super) unsafe fn read_onto<T: Structure>(name: &str, pointer: *const T, base: T) -> Result<T> {
    let place = guard::present(name, pointer)?;
    // SAFETY: a structure begins with its size.
    let size = unsafe { place.cast::<usize>().read() };
    known_size::<T>(format_args!("{name}.struct_size"), size)?;
    // SAFETY: the host's structure has `size` bytes.
    Ok(unsafe { onto(place.as_ptr().cast(), size, base) })
}

/// # Safety
/// `source` shows `size` bytes, the beginning of a `T`.
unsafe fn onto<T: Structure>(source: *const u8, size: usize, mut base: T) -> T {
    // SAFETY: a known size is at most that of `T`, and every pattern of bits is a `T`.
    unsafe { std::ptr::copy_nonoverlapping(source, (&raw mut base).cast::<u8>(), size.min(size_of::<T>())) };
    base
}

/// Hands the elements of an array to `take`, one after the other; each carries the first one's `struct_size`, which
/// is the stride.
///
/// # Safety
/// If `pointer` is not NULL and aligned, it shows `count` structures in this layout.
pub(super) unsafe fn read_each<T: Structure>(
    name: &str,
    pointer: *const T,
    count: usize,
    mut take: impl FnMut(T) -> Result<()>,
) -> Result<()> {
    let place = guard::present(name, pointer)?;
    if count == 0 {
        return Ok(());
    }
    // SAFETY: there is a first element, and it begins with its size.
    let stride = unsafe { place.cast::<usize>().read() };
    known_size::<T>(format_args!("{name}[0].struct_size"), stride)?;
    guard::countable("count", count, stride)?;
    for index in 0..count {
        // SAFETY: `index < count`; each element begins with its size and has as many bytes as the first.
        let (size, value) = unsafe {
            let element = place.as_ptr().cast::<u8>().add(index * stride);
            (element.cast::<usize>().read(), onto(element, stride, T::default()))
        };
        if size != stride {
            let message = format!("{name}[{index}].struct_size is {size}, expected {stride} as in {name}[0]");
            return Err(Error::new(Kind::Abi, message));
        }
        take(value).map_err(|error| error.at(name, index))?;
    }
    Ok(())
}

/// A structure of the host to be written, up to the size it has there.
pub(super) struct SizedOutput<T> {
    place: NonNull<T>,
    size: usize,
}

/// A structure to be written, which brings its own `struct_size`.
///
/// # Safety
/// If `pointer` is not NULL and aligned, it shows a `struct_size` and, if that is known, room for as many bytes.
pub(super) unsafe fn output<T: Structure>(name: &str, pointer: *mut T) -> Result<SizedOutput<T>> {
    let place = guard::present(name, pointer)?;
    // SAFETY: a structure begins with its size.
    let size = unsafe { place.cast::<usize>().read() };
    known_size::<T>(format_args!("{name}.struct_size"), size)?;
    Ok(SizedOutput { place, size })
}

/// The same for a parameter that may be NULL.
///
/// # Safety
/// As for [`output`].
pub(super) unsafe fn output_or_null<T: Structure>(name: &str, pointer: *mut T) -> Result<Option<SizedOutput<T>>> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: this function's own condition.
    unsafe { output(name, pointer) }.map(Some)
}

/// A structure to be written whose size is a parameter called `size`.
///
/// # Safety
/// If `pointer` is not NULL and aligned and `size` is known, there is room for `size` bytes.
pub(super) unsafe fn output_of_size<T: Structure>(name: &str, pointer: *mut T, size: usize) -> Result<SizedOutput<T>> {
    let place = guard::present(name, pointer)?;
    known_size::<T>("size", size)?;
    Ok(SizedOutput { place, size })
}

impl<T: Structure> SizedOutput<T> {
    /// How many bytes it has.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// Writes the members that the host's structure has; its `struct_size` stays what it is.
    pub(super) fn write(self, value: T) {
        let size = self.size.min(size_of::<T>());
        // SAFETY: whoever made this was promised room for `size` bytes, which begin with the `struct_size`.
        unsafe {
            std::ptr::copy_nonoverlapping((&raw const value).cast::<u8>(), self.place.as_ptr().cast::<u8>(), size);
            self.place.cast::<usize>().write(self.size);
        }
    }
}

/// The number behind an enumeration of C, of which the host may have given any.
pub(super) fn number<E>(choice: MaybeUninit<E>) -> u32 {
    const { assert!(size_of::<E>() == size_of::<u32>()) };
    // SAFETY: of the same size, and the host wrote it: a member of a structure or a parameter.
    unsafe { choice.as_ptr().cast::<u32>().read_unaligned() }
}

/// An enumeration of C from its number.
pub(super) fn numbered<E>(number: u32) -> MaybeUninit<E> {
    const { assert!(size_of::<E>() == size_of::<u32>()) };
    let mut choice = MaybeUninit::<E>::uninit();
    // SAFETY: of the same size, and nothing reads it as an `E`.
    unsafe { choice.as_mut_ptr().cast::<u32>().write_unaligned(number) };
    choice
}

/// A flag: 0 or 1.
pub(super) fn flag(name: &str, value: u32) -> Result<bool> {
    match value {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(Error::argument(format!("{name} is {value}, expected 0 or 1"))),
    }
}

/// A member that fills a gap.
pub(super) fn reserved(value: u32) -> Result<()> {
    if value == 0 { Ok(()) } else { Err(Error::argument(format!("reserved is {value}, expected 0"))) }
}
