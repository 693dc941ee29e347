//! Reading of snapshots. Nothing that is read is trusted: bytes, lengths and numbers are checked as they come.

use crate::error::{Error, ErrorKind, Number, Result, reserve, text};

/// Returns the error of a snapshot that is not what it claims to be.
#[cold]
pub fn format_error(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Format, message)
}

/// Reads the content of a snapshot.
#[derive(Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
    /// Whether numbers may be infinite.
    is_unbounded: bool,
}

impl<'a> Reader<'a> {
    /// Returns a reader of these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, is_unbounded: false }
    }

    /// Reads so many bytes.
    #[inline(always)]
    pub fn take<const N: usize>(&mut self) -> Result<[u8; N]> {
        let Some((bytes, rest)) = self.rest.split_first_chunk::<N>() else {
            return Err(too_short());
        };
        self.rest = rest;
        Ok(*bytes)
    }

    /// Reads a word.
    #[inline(always)]
    pub fn word(&mut self) -> Result<u64> {
        Ok(u64::from_le_bytes(self.take()?))
    }

    /// Reads an integer of 32 bits.
    #[inline(always)]
    pub fn half(&mut self) -> Result<u32> {
        Ok(u32::from_le_bytes(self.take()?))
    }

    /// Reads an integer of 8 bits.
    #[inline(always)]
    pub fn byte(&mut self) -> Result<u8> {
        let [byte] = self.take()?;
        Ok(byte)
    }

    /// Reads an integer of so many bytes, at most 8.
    #[inline(always)]
    pub fn low_bytes(&mut self, width: usize) -> Result<u64> {
        let Some((own, rest)) = self.rest.split_at_checked(width) else {
            return Err(too_short());
        };
        // All bytes of a word at once, where there are as many.
        let integer = match self.rest.first_chunk() {
            Some(bytes) => u64::from_le_bytes(*bytes) & (u64::MAX >> (u64::BITS as usize - 8 * width)),
            None => own.iter().rev().fold(0, |integer, byte| integer << 8 | u64::from(*byte)),
        };
        self.rest = rest;
        Ok(integer)
    }

    /// Reads a truth value, which is 0 or 1.
    #[inline(always)]
    pub fn flag(&mut self) -> Result<bool> {
        match self.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(format_error(text!("a flag is {other}, expected 0 or 1"))),
        }
    }

    /// Reads a number, which is finite; inside of [`Reader::unbounded`] it may be infinite.
    #[inline(always)]
    pub fn number(&mut self) -> Result<f64> {
        let [value] = self.numbers()?;
        Ok(value)
    }

    /// Reads several numbers at once; see [`Reader::number`].
    #[inline(always)]
    pub fn numbers<const N: usize>(&mut self) -> Result<[f64; N]> {
        let Some((bytes, rest)) = self.rest.split_at_checked(size_of::<[f64; N]>()) else {
            return Err(too_short());
        };
        self.rest = rest;
        let (words, _) = bytes.as_chunks();
        let numbers: [f64; N] = std::array::from_fn(|at| f64::from_le_bytes(words[at]));
        let is_valid = |value: f64| value.is_finite() | (self.is_unbounded & value.is_infinite());
        if numbers.iter().fold(true, |are_valid, value| are_valid & is_valid(*value)) {
            return Ok(numbers);
        }
        Err(infinite(&numbers))
    }

    /// Reads something in which numbers may be infinite.
    #[inline]
    pub fn unbounded<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let before = std::mem::replace(&mut self.is_unbounded, true);
        let value = read(self);
        self.is_unbounded = before;
        value
    }

    /// Reads the length of a sequence, whose elements have at least so many bytes each. There are as many bytes.
    pub fn length(&mut self, least_bytes: usize) -> Result<usize> {
        let length = self.word()?;
        let limit = self.rest.len() / least_bytes.max(1);
        match usize::try_from(length) {
            Ok(length) if length <= limit => Ok(length),
            _ => Err(format_error(text!("a length is {length}, expected at most {limit}, as bytes are left"))),
        }
    }

    /// Reads a sequence of variable length. Its elements are called `what` in messages, and have at least so many bytes each.
    pub fn sequence<T>(
        &mut self,
        what: &str,
        least_bytes: usize,
        mut read: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        let length = self.length(least_bytes)?;
        let mut all = Vec::new();
        reserve(&mut all, length, what)?;
        for index in 0..length {
            all.push(read(self).map_err(|error| error.at(format_args!("{what}[{index}]: ")))?);
        }
        Ok(all)
    }

    /// Reads a sequence of slots.
    pub fn slots(&mut self, what: &str) -> Result<Vec<u32>> {
        self.sequence(what, size_of::<u32>(), Self::half)
    }

    /// Reads bytes without meaning; see [`StateVisitor::room`](super::StateVisitor::room).
    pub fn room(&mut self, bytes: usize) -> Result<()> {
        let Some((room, rest)) = self.rest.split_at_checked(bytes) else {
            return Err(too_short());
        };
        self.rest = rest;
        if room.iter().all(|byte| *byte == 0) { Ok(()) } else { Err(format_error("an unused place is not zero")) }
    }

    /// Returns whether no bytes are left.
    pub fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    /// Ends the reading.
    ///
    /// # Errors
    ///
    /// Bytes are left.
    pub fn finish(self) -> Result<()> {
        if self.rest.is_empty() {
            return Ok(());
        }
        Err(format_error(text!("{} bytes are left at the end", self.rest.len())))
    }
}

/// Returns the error of numbers of which one is not valid.
#[cold]
fn infinite(numbers: &[f64]) -> Error {
    let value = numbers.iter().find(|value| !value.is_finite()).unwrap_or(&f64::NAN);
    format_error(text!("a number is {}, expected a finite one", Number(*value)))
}

#[cold]
fn too_short() -> Error {
    format_error("the content ends too early")
}
