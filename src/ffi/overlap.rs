//! Refuses outputs that lie in an input or in another output: what is written there would change what is read, or be lost.

use crate::error::{Error, Result};

/// Bytes of the host, from an address on.
#[derive(Clone, Copy)]
pub(super) struct Region {
    name: &'static str,
    start: usize,
    bytes: usize,
}

impl Region {
    /// `bytes` at `pointer`; none if that is NULL.
    pub(super) fn new<T>(name: &'static str, pointer: *const T, bytes: usize) -> Self {
        Self { name, start: pointer.addr(), bytes: if pointer.is_null() { 0 } else { bytes } }
    }

    /// `count` elements at `pointer`.
    pub(super) fn array<T>(name: &'static str, pointer: *const T, count: usize) -> Self {
        Self::new(name, pointer, count.saturating_mul(size_of::<T>()))
    }

    fn overlaps(&self, other: &Self) -> bool {
        let before = |a: &Self, b: &Self| a.start.saturating_add(a.bytes) <= b.start;
        self.bytes > 0 && other.bytes > 0 && !before(self, other) && !before(other, self)
    }
}

/// Refuses outputs that overlap an input or each other.
pub(super) fn check(outputs: &[Region], inputs: &[Region]) -> Result<()> {
    for (index, output) in outputs.iter().enumerate() {
        let others = inputs.iter().chain(&outputs[..index]);
        if let Some(other) = others.into_iter().find(|other| output.overlaps(other)) {
            let (name, start, other) = (output.name, output.start, other.name);
            return Err(Error::argument(format!(
                "{name} is {start:#x} and overlaps {other}, expected memory of its own"
            )));
        }
    }
    Ok(())
}
