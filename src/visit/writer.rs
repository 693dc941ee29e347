//! The visitors that write a snapshot: one counts its bytes, the other writes them.

use super::visitor::StateVisitor;
use crate::error::{Error, ErrorKind, Result, reserve};

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

    fn room(&mut self, bytes: usize) {
        self.0 += bytes;
    }
}

/// Writes what it receives as bytes, integers with the lowest byte first.
#[derive(Debug)]
pub struct Writer {
    /// As long as there is room; the end is beyond `used`.
    bytes: Vec<u8>,
    used: usize,
}

impl Writer {
    /// Returns a writer with room for so many bytes.
    ///
    /// # Errors
    ///
    /// Memory is exhausted.
    pub fn with_room(bytes: usize) -> Result<Self> {
        let mut room = Vec::new();
        reserve(&mut room, bytes, "bytes of a snapshot")?;
        room.resize(bytes, 0);
        Ok(Self { bytes: room, used: 0 })
    }

    /// Writes these bytes. Those for which there is no room are counted alone.
    #[inline(always)]
    pub fn bytes(&mut self, bytes: &[u8]) {
        let end = self.used + bytes.len();
        if let Some(place) = self.bytes.get_mut(self.used..end) {
            place.copy_from_slice(bytes);
        }
        self.used = end;
    }

    /// Returns the bytes so far.
    pub fn written(&self) -> &[u8] {
        self.bytes.get(..self.used).unwrap_or_default()
    }

    /// Returns the bytes.
    ///
    /// # Errors
    ///
    /// There were not exactly as many as there was room for, a defect.
    pub fn finish(self) -> Result<Vec<u8>> {
        if self.used == self.bytes.len() {
            return Ok(self.bytes);
        }
        Err(Error::new(ErrorKind::Internal, "the size of a snapshot was not what was written"))
    }
}

impl StateVisitor for Writer {
    #[inline(always)]
    fn word(&mut self, word: u64) {
        self.bytes(&word.to_le_bytes());
    }

    #[inline(always)]
    fn half(&mut self, half: u32) {
        self.bytes(&half.to_le_bytes());
    }

    #[inline(always)]
    fn byte(&mut self, byte: u8) {
        self.bytes(&[byte]);
    }

    fn room(&mut self, bytes: usize) {
        // There is room of zeros.
        self.used += bytes;
    }
}
