//! Errors, and the checks of single values that every module uses.
//!
//! An [`Error`] has a kind, which becomes the `dry_status` of the C interface, and one sentence. The sentence names the
//! argument, its value and what was expected. Nothing here prints or panics.

use std::fmt::{self, Arguments, Display, Formatter, Write};

/// A text for a message, formatted as by `format!`. Where memory is exhausted it ends early.
macro_rules! text {
    ($($part:tt)*) => { $crate::error::formatted(format_args!($($part)*)) };
}
pub(crate) use text;

/// Formats the text of the macro `text`.
pub(crate) fn formatted(parts: Arguments) -> String {
    let mut text = Text(String::new());
    // If memory is exhausted, the rest of the text is omitted.
    let _ = text.write_fmt(parts);
    text.0
}

/// A text that grows only where there is memory.
struct Text(String);

impl Write for Text {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        self.0.try_reserve(part.len()).map_err(|_| fmt::Error)?;
        self.0.push_str(part);
        Ok(())
    }
}

/// A number in a message: in the usual notation, or with an exponent where that would have many digits.
pub struct Number(pub f64);

impl Display for Number {
    fn fmt(&self, formatter: &mut Formatter) -> fmt::Result {
        let Self(value) = *self;
        let is_usual = value == 0.0 || !value.is_finite() || (1e-5..1e16).contains(&value.abs());
        if is_usual { write!(formatter, "{value}") } else { write!(formatter, "{value:e}") }
    }
}

/// The kind of an [`Error`]: one for each failing `dry_status`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)] // documented once, at `dry_status`
pub enum ErrorKind {
    Null,
    Abi,
    Argument,
    NotFinite,
    StaleHandle,
    Capacity,
    Unsupported,
    NotConverged,
    Format,
    Io,
    Busy,
    Internal,
    Memory,
    Stopped,
}

/// A refused call: its kind, and a sentence for the person who made it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    /// The kind, which becomes a `dry_status`.
    pub kind: ErrorKind,
    /// Names the argument, its value and what was expected.
    pub message: String,
}

/// The result of every call that can be refused.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An error of `kind` with its sentence.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    /// A value outside its range.
    pub fn argument(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Argument, message)
    }

    /// A combination that is not offered.
    pub fn unsupported(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Unsupported, message)
    }

    /// Returns the error with a place in front of its message, such as `defs[3]: ` or `contacts[3].`.
    pub fn at(self, place: impl Display) -> Self {
        Self { message: text!("{place}{}", self.message), ..self }
    }
}

/// Checks that `value` is finite.
#[inline]
pub fn finite(name: &str, value: f64) -> Result<()> {
    if value.is_finite() {
        return Ok(());
    }
    Err(Error::new(ErrorKind::NotFinite, text!("{name} is {}, expected a finite number", Number(value))))
}

/// Checks that every element of the array `name` is finite.
#[inline]
pub fn all_finite(name: &str, values: &[f64]) -> Result<()> {
    match values.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(index) => finite(&text!("{name}[{index}]"), values[index]),
    }
}

/// Checks that `value` is finite and above zero.
pub fn positive(name: &str, value: f64) -> Result<()> {
    finite(name, value)?;
    in_range(name, value, value > 0.0, "a number above 0")
}

/// Checks that `value` is finite and not below zero.
#[inline]
pub fn not_negative(name: &str, value: f64) -> Result<()> {
    finite(name, value)?;
    in_range(name, value, value >= 0.0, "0 or a number above it")
}

/// Returns an error if `holds` is false. Its message has the value, and what was `expected`.
#[inline]
pub fn in_range(name: &str, value: f64, holds: bool, expected: &str) -> Result<()> {
    if holds {
        return Ok(());
    }
    Err(Error::argument(text!("{name} is {}, expected {expected}", Number(value))))
}

/// The least number of elements by which a vector grows.
const MIN_GROWTH: usize = 8;
/// Fewer do if they would take more than this memory [bytes]. A small world has no room for large elements that it does not need.
const MIN_GROWTH_MEMORY: usize = 256;

/// Reserves memory for `additional` more elements of what is called `what` in the message, or refuses.
///
/// A vector grows by an eighth, not to twice its size. Otherwise the contact arrays of a world would take twice the
/// memory as soon as there is one contact more than in the step before.
pub fn reserve<T>(vector: &mut Vec<T>, additional: usize, what: &str) -> Result<()> {
    let (length, capacity) = (vector.len(), vector.capacity());
    if additional <= capacity - length {
        return Ok(());
    }
    let least = MIN_GROWTH.min(MIN_GROWTH_MEMORY / size_of::<T>().max(1));
    let more = additional.max((capacity + capacity / 8 + least).saturating_sub(length));
    vector.try_reserve_exact(more).map_err(|_| out_of_memory(what, additional))
}

/// Adds `value` to the end of `vector`, or refuses.
pub fn push<T>(vector: &mut Vec<T>, value: T, what: &str) -> Result<()> {
    reserve(vector, 1, what)?;
    vector.push(value);
    Ok(())
}

/// Makes `vector` hold `length` elements, the new ones copies of `value`, or refuses.
pub fn resize<T: Clone>(vector: &mut Vec<T>, length: usize, value: T, what: &str) -> Result<()> {
    reserve(vector, length.saturating_sub(vector.len()), what)?;
    vector.resize(length, value);
    Ok(())
}

/// Makes `vector` hold `length` copies of `value`, or refuses.
pub fn refill<T: Clone>(vector: &mut Vec<T>, length: usize, value: T, what: &str) -> Result<()> {
    vector.clear();
    resize(vector, length, value, what)
}

/// Makes `vector` empty with room for `count` elements, or refuses.
pub fn empty<T>(vector: &mut Vec<T>, count: usize, what: &str) -> Result<()> {
    vector.clear();
    reserve(vector, count, what)
}

/// Returns a vector of these items, which are called `what` where there is no memory for them.
pub fn collected<T>(items: impl ExactSizeIterator<Item = T>, what: &str) -> Result<Vec<T>> {
    let mut vector = Vec::new();
    reserve(&mut vector, items.len(), what)?;
    vector.extend(items);
    Ok(vector)
}

/// Makes `vector` a copy of `from`, or refuses.
pub fn copy<T: Copy>(vector: &mut Vec<T>, from: &[T], what: &str) -> Result<()> {
    empty(vector, from.len(), what)?;
    vector.extend_from_slice(from);
    Ok(())
}

/// The error of an allocation that failed.
pub fn out_of_memory(what: &str, count: usize) -> Error {
    Error::new(ErrorKind::Memory, text!("no memory for {count} more {what}"))
}

/// A workspace that its first use makes.
#[derive(Debug)]
pub struct OnDemand<T>(Vec<T>);

impl<T> Default for OnDemand<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Default> OnDemand<T> {
    /// Returns the workspace, or fails if memory is exhausted.
    pub fn get(&mut self) -> Result<&mut T> {
        let Self(made) = self;
        if made.is_empty() {
            // A `Vec` and not a `Box`, which would end the process if memory is exhausted.
            made.try_reserve_exact(1).map_err(|_| out_of_memory("workspaces", 1))?;
            made.push(T::default());
        }
        // There is one.
        Ok(&mut made[0])
    }
}
