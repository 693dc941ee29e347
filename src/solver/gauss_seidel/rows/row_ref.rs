//! A row in the order of the visits, in four bytes.

/// A row of any kind, with its place among the rows of that kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::solver) struct RowRef(u32);

/// The kind of a row: a contact in a lane of central or of general batches, or a scalar row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::solver) enum Kind {
    /// A lane of central batches.
    Central(usize),
    /// A lane of general batches.
    General(usize),
    /// The index of a scalar row.
    Scalar(usize),
}

const KIND: u32 = 3 << 30;
const CENTRAL: u32 = 0;
const GENERAL: u32 = 1 << 30;
const SCALAR: u32 = 2 << 30;

impl RowRef {
    /// A contact in a lane of central batches.
    #[inline(always)]
    pub(in crate::solver) fn central(lane: usize) -> Self {
        Self(lane as u32 | CENTRAL)
    }

    /// A contact in a lane of general batches.
    #[inline(always)]
    pub(in crate::solver) fn general(lane: usize) -> Self {
        Self(lane as u32 | GENERAL)
    }

    /// A scalar row.
    #[inline(always)]
    pub(in crate::solver) fn scalar(index: usize) -> Self {
        Self(index as u32 | SCALAR)
    }

    /// Returns the kind, with the place.
    #[inline(always)]
    pub(in crate::solver) fn kind(self) -> Kind {
        let place = (self.0 & !KIND) as usize;
        match self.0 & KIND {
            CENTRAL => Kind::Central(place),
            GENERAL => Kind::General(place),
            _ => Kind::Scalar(place),
        }
    }
}
