//! The visitors that write a snapshot: one counts its bytes, the other writes them.

use super::visitor::StateVisitor;
use crate::error::{Error, ErrorKind, Result};

/// Counts the bytes that a [`Writer`] would write.
#[derive(Debug, Clone, Copy, Default)]
pub struct Size(usize);

impl Size {
    /// Returns the number of bytes so far.
    pub fn bytes(self) -> usize {
        self.0
    }
}

impl StateVisitor for Size {
    fn word(&mut self, _word: u64) {
        self.0 += size_of::<u64>();
    }

    fn half(&mut self, _half: u32) {
        self.0 += size_of::<u32>();
    }

    fn byte(&mut self, _byte: u8) {
        self.0 += 1;
    }

    fn low_bytes(&mut self, _integer: u64, width: usize) {
        self.0 += width;
    }

    fn array<const N: usize>(&mut self, _numbers: [f64; N]) {
        self.0 += size_of::<[f64; N]>();
    }

    fn room(&mut self, bytes: usize) {
        self.0 += bytes;
    }
}

/// Writes what it receives as bytes, integers with the lowest byte first.
#[derive(Debug)]
pub struct Writer<'a> {
    /// The room that is left.
    rest: &'a mut [u8],
    /// Whether there was room for all.
    is_whole: bool,
}

impl<'a> Writer<'a> {
    /// Returns a writer to this room.
    pub fn new(room: &'a mut [u8]) -> Self {
        Self { rest: room, is_whole: true }
    }

    /// Writes these bytes, if there is room for them.
    #[inline(always)]
    pub fn bytes<const N: usize>(&mut self, bytes: [u8; N]) {
        let rest = std::mem::take(&mut self.rest);
        match rest.split_first_chunk_mut() {
            Some((place, rest)) => (*place, self.rest) = (bytes, rest),
            None => self.is_whole = false,
        }
    }

    /// Ends the writing.
    ///
    /// # Errors
    ///
    /// There were not exactly as many bytes as there was room for, a defect.
    pub fn finish(self) -> Result<()> {
        if self.is_whole && self.rest.is_empty() {
            return Ok(());
        }
        Err(Error::new(ErrorKind::Internal, "the size of a snapshot was not what was written"))
    }
}

impl StateVisitor for Writer<'_> {
    #[inline(always)]
    fn word(&mut self, word: u64) {
        self.bytes(word.to_le_bytes());
    }

    #[inline(always)]
    fn half(&mut self, half: u32) {
        self.bytes(half.to_le_bytes());
    }

    #[inline(always)]
    fn byte(&mut self, byte: u8) {
        self.bytes([byte]);
    }

    #[inline(always)]
    fn low_bytes(&mut self, integer: u64, width: usize) {
        let (rest, bytes) = (std::mem::take(&mut self.rest), integer.to_le_bytes());
        // Of all bytes of a word those above are written over by what follows.
        if let Some(place) = rest.first_chunk_mut() {
            *place = bytes;
        }
        match rest.split_at_mut_checked(width) {
            Some((place, rest)) => {
                if rest.len() < size_of::<u64>() {
                    place.iter_mut().zip(bytes).for_each(|(place, byte)| *place = byte);
                }
                self.rest = rest;
            }
            None => self.is_whole = false,
        }
    }

    #[inline(always)]
    fn array<const N: usize>(&mut self, numbers: [f64; N]) {
        let rest = std::mem::take(&mut self.rest);
        match rest.split_at_mut_checked(size_of::<[f64; N]>()) {
            Some((place, rest)) => {
                let (places, _) = place.as_chunks_mut();
                places.iter_mut().zip(numbers).for_each(|(place, number)| *place = number.to_le_bytes());
                self.rest = rest;
            }
            None => self.is_whole = false,
        }
    }

    fn room(&mut self, bytes: usize) {
        let rest = std::mem::take(&mut self.rest);
        match rest.split_at_mut_checked(bytes) {
            Some((place, rest)) => {
                place.fill(0);
                self.rest = rest;
            }
            None => self.is_whole = false,
        }
    }
}
