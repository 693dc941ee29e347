//! An array of a data set.

use crate::error::{Result, push, reserve};

/// What the numbers of an array are. All have 8 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum NumberType {
    Float64,
    Int64,
    UInt64,
}

impl NumberType {
    /// Returns its name in a file.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Float64 => "Float64",
            Self::Int64 => "Int64",
            Self::UInt64 => "UInt64",
        }
    }
}

/// Tuples of numbers, one after the other.
#[derive(Debug, Clone, PartialEq)]
pub struct Array {
    pub(super) name: &'static str,
    pub(super) number: NumberType,
    pub(super) components: usize,
    /// The bits of each number.
    pub(super) bits: Vec<u64>,
}

impl Array {
    /// Returns an empty array of this name, with memory for `count` tuples of so many components.
    pub fn new(name: &'static str, number: NumberType, components: usize, count: usize) -> Result<Self> {
        let mut bits = Vec::new();
        reserve(&mut bits, count.saturating_mul(components), name)?;
        Ok(Self { name, number, components, bits })
    }

    /// Returns an empty array of doubles.
    pub fn floats(name: &'static str, components: usize, count: usize) -> Result<Self> {
        Self::new(name, NumberType::Float64, components, count)
    }

    /// Adds doubles.
    pub fn add(&mut self, numbers: &[f64]) -> Result<()> {
        reserve(&mut self.bits, numbers.len(), self.name)?;
        self.bits.extend(numbers.iter().map(|number| number.to_bits()));
        Ok(())
    }

    /// Adds an integer.
    pub fn add_integer(&mut self, number: u64) -> Result<()> {
        push(&mut self.bits, number, self.name)
    }

    /// Returns the number of tuples.
    pub fn count(&self) -> usize {
        self.bits.len() / self.components.max(1)
    }
}
