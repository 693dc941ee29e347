//! Sizes of structures: the sizes that this library knows, and how a structure of any of these sizes is read and written.
//!
//! A structure grows only at its end. A host that was compiled against an older header passes a smaller one. The members
//! that it lacks have their defaults (or, in a setter, their present values) and are not written. `docs/abi.md` has the
//! rules.
//!
//! # Safety
//! The unsafe functions have one condition. A pointer that is neither NULL nor misaligned points to a structure that
//! begins with its `struct_size`, unless the size is an argument. If that size is known, this many bytes are valid, or
//! are memory to be written, until the call ends.

use std::fmt::{self, Display, Formatter};
use std::mem::MaybeUninit;

use crate::error::{Error, ErrorKind, Result, reserve, text};

use super::guard::{self, Region};

/// A structure that hosts allocate, with every size it ever had.
pub(super) trait Recorded: Copy {
    const NAME: &'static str;
    /// Its sizes [bytes], oldest first, the present one last. An older size is the offset of the first member that came
    /// later. docs/abi.md lists them.
    const SIZES: &'static [usize];
}

/// A structure that begins with its `struct_size`. `Default` is what `_init` fills in.
///
/// # Safety
/// The first member is `struct_size: usize`, the layout is C's without padding, and every pattern of bits is valid.
pub(super) unsafe trait Structure: Recorded + Default {}

/// Implements [`Recorded`] for a structure: `recorded!(dry_name, member, ...)`. The members, if any, are the first ones that
/// came with each later version, oldest first.
macro_rules! recorded {
    ($name:ident $(, $later:ident)*) => {
        impl $crate::ffi::structure::Recorded for $name {
            const NAME: &'static str = stringify!($name);
            const SIZES: &'static [usize] = &[$(std::mem::offset_of!(Self, $later),)* size_of::<Self>()];
        }
    };
}
pub(super) use recorded;

/// Implements [`Structure`] too.
///
/// # Safety
/// The structure is `repr(C)`, has no padding (tested), and holds nothing but numbers, raw pointers and optional functions.
macro_rules! structure {
    ($name:ident $(, $later:ident)*) => {
        $crate::ffi::structure::recorded!($name $(, $later)*);

        const _: () = assert!(std::mem::offset_of!($name, struct_size) == 0);

        // SAFETY: it begins with its size; the rest is the macro's own condition.
        unsafe impl $crate::ffi::structure::Structure for $name {}
    };
}
pub(super) use structure;

/// A structure with members of the same names as those of another one: `same_members!(from { member, ... } into Name { rest })`.
/// The rest is written as in a literal of the structure.
macro_rules! same_members {
    ($from:ident { $($same:ident),+ $(,)? } into $into:ident { $($rest:tt)* }) => {
        $into { $($same: $from.$same,)+ $($rest)* }
    };
}
pub(super) use same_members;

/// Refuses a size that this library does not know, which the caller passed as the argument `name`.
pub(super) fn known_size<T: Recorded>(name: impl Display, size: usize) -> Result<()> {
    among_sizes::<T>(name, size, format_args!("pass sizeof({})", T::NAME))
}

/// Refuses a `struct_size` that this library does not know. `name` is that of the structure.
pub(super) fn known_struct_size<T: Recorded>(name: &str, size: usize) -> Result<()> {
    let structure = T::NAME;
    // Definitions and settings have a function that fills them in.
    let has_init =
        structure.ends_with("_def") || ["dry_settings", "dry_joint_axis", "dry_clump_part"].contains(&structure);
    let (sets, way) = match has_init {
        true => (structure, "_init sets it"),
        false => ("the caller", " zeroes the structure and sets it"),
    };
    among_sizes::<T>(format_args!("{name}.struct_size"), size, format_args!("{sets}{way}"))
}

/// Refuses a size that this library does not know. `remedy` says where the right one comes from.
fn among_sizes<T: Recorded>(name: impl Display, size: usize, remedy: impl Display) -> Result<()> {
    if T::SIZES.contains(&size) {
        return Ok(());
    }
    let (structure, known) = (T::NAME, Sizes(T::SIZES));
    let message = text!("{name} is {size}, expected {known}, the size of {structure} in this library; {remedy}");
    Err(Error::new(ErrorKind::Abi, message))
}

/// Sizes in a message: "152 or 160".
struct Sizes(&'static [usize]);

impl Display for Sizes {
    fn fmt(&self, formatter: &mut Formatter) -> fmt::Result {
        self.0
            .iter()
            .enumerate()
            .try_for_each(|(index, size)| write!(formatter, "{}{size}", if index == 0 { "" } else { " or " }))
    }
}

/// The `struct_size` of a structure, if this library knows it.
unsafe fn size_of_given<T: Structure>(name: &str, pointer: *const T) -> Result<usize> {
    let place = guard::present(name, pointer)?;
    // SAFETY: a structure begins with its size.
    let size = unsafe { place.cast::<usize>().read() };
    known_struct_size::<T>(name, size)?;
    Ok(size)
}

/// Fills in the defaults for a structure of `size` bytes.
pub(super) unsafe fn init<T: Structure>(name: &str, pointer: *mut T, size: usize) -> Result<()> {
    // SAFETY: this function's own condition.
    unsafe { output_of_size(name, pointer, size) }?.write(T::default());
    Ok(())
}

/// The structure at `pointer`; members beyond its size have their defaults.
pub(super) unsafe fn read<T: Structure>(name: &str, pointer: *const T) -> Result<T> {
    // SAFETY: this function's own condition.
    unsafe { read_onto(name, pointer, T::default()) }
}

/// The structure at `pointer`; members beyond its size are those of `base`.
pub(super) unsafe fn read_onto<T: Structure>(name: &str, pointer: *const T, base: T) -> Result<T> {
    // SAFETY: this function's own condition; the host's structure has as many bytes as it says.
    unsafe {
        let size = size_of_given(name, pointer)?;
        Ok(onto(pointer, size, base))
    }
}

/// `base` with its first `size` bytes from `source`.
unsafe fn onto<T: Structure>(source: *const T, size: usize, mut base: T) -> T {
    let size = size.min(size_of::<T>());
    // SAFETY: a known size is at most that of `T`, and every pattern of bits is a `T`.
    unsafe { std::ptr::copy_nonoverlapping(source.cast::<u8>(), (&raw mut base).cast::<u8>(), size) };
    base
}

/// Returns the results of `check` for the elements of the array `name`. Each element has the `struct_size` of the
/// first one, which is the stride. The memory, for so many `what`, is reserved before the first element is read.
///
/// # Safety
/// `count` is at least 1, and a pointer that is neither NULL nor misaligned shows `count` structures that lie so until the call ends.
pub(super) unsafe fn read_each<T: Structure, U>(
    [name, what]: [&str; 2],
    pointer: *const T,
    count: usize,
    check: impl Fn(T) -> Result<U>,
) -> Result<Vec<U>> {
    guard::present(name, pointer)?;
    guard::countable("count", count, size_of::<T>())?;
    let mut checked = Vec::new();
    reserve(&mut checked, count, what)?;
    // SAFETY: there is a first element.
    let stride = unsafe { size_of_given(&text!("{name}[0]"), pointer) }?;
    for index in 0..count {
        // SAFETY: `index < count`; each element begins with its size and has as many bytes as the first.
        let (size, value) = unsafe {
            let element = pointer.byte_add(index * stride);
            (element.cast::<usize>().read(), onto(element, stride, T::default()))
        };
        if size != stride {
            let message = text!("{name}[{index}].struct_size is {size}, expected {stride} as in {name}[0]");
            return Err(Error::new(ErrorKind::Abi, message));
        }
        checked.push(check(value).map_err(|error| error.at(format_args!("{name}[{index}]: ")))?);
    }
    Ok(checked)
}

/// A structure of the host to be written, up to the size it has there; none of it where the host wants none.
pub(super) struct SizedOutput<T> {
    place: *mut T,
    size: usize,
}

/// A structure to be written, which brings its own `struct_size`, or NULL.
pub(super) unsafe fn output_or_null<T: Structure>(name: &str, pointer: *mut T) -> Result<SizedOutput<T>> {
    // SAFETY: this function's own condition.
    let size = if pointer.is_null() { 0 } else { unsafe { size_of_given(name, pointer.cast_const()) }? };
    Ok(SizedOutput { place: pointer, size })
}

/// A structure to be written, which brings its own `struct_size`.
pub(super) unsafe fn output<T: Structure>(name: &str, pointer: *mut T) -> Result<SizedOutput<T>> {
    guard::present(name, pointer)?;
    // SAFETY: this function's own condition.
    unsafe { output_or_null(name, pointer) }
}

/// A structure to be written whose size is a parameter called `size`.
pub(super) unsafe fn output_of_size<T: Structure>(name: &str, pointer: *mut T, size: usize) -> Result<SizedOutput<T>> {
    guard::present(name, pointer)?;
    known_size::<T>("size", size)?;
    Ok(SizedOutput { place: pointer, size })
}

impl<T: Structure> SizedOutput<T> {
    pub(super) fn region(&self, name: &'static str) -> Region {
        Region::new(name, self.place.cast::<u8>(), self.size)
    }

    /// Writes the members that the host's structure has; its `struct_size` stays what it is.
    pub(super) fn write(self, value: T) {
        if self.size == 0 {
            return;
        }
        let size = self.size.min(size_of::<T>());
        // SAFETY: the caller of the constructor promised room for `size` bytes, which begin with the `struct_size`.
        unsafe {
            std::ptr::copy_nonoverlapping((&raw const value).cast::<u8>(), self.place.cast::<u8>(), size);
            self.place.cast::<usize>().write(self.size);
        }
    }
}

/// The number behind an enumeration of C, of which the host may have given any.
pub(super) fn number<E>(choice: MaybeUninit<E>) -> u32 {
    const { assert!(size_of::<E>() == size_of::<u32>()) };
    // SAFETY: of the same size, and the host wrote it: a member of a structure or a parameter.
    unsafe { std::mem::transmute_copy(&choice) }
}

/// An enumeration of C from its number.
pub(super) fn numbered<E>(number: u32) -> MaybeUninit<E> {
    const { assert!(size_of::<E>() == size_of::<u32>()) };
    // SAFETY: of the same size, and nothing reads it as an `E`.
    unsafe { std::mem::transmute_copy(&number) }
}

pub(super) fn flag(name: &str, value: u32) -> Result<bool> {
    match value {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(Error::argument(text!("{name} is {value}, expected 0 or 1"))),
    }
}

/// A member that fills a gap.
pub(super) fn reserved(value: u32) -> Result<()> {
    if value == 0 { Ok(()) } else { Err(Error::argument(text!("reserved is {value}, expected 0"))) }
}
