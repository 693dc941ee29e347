//! The spaces in which bodies and contacts are counted. Each has its own type, so that an index of one cannot stand for one of another.

use std::fmt::{self, Display, Formatter};
use std::ops::{Index, IndexMut, Range};

use crate::math::lanes::WIDE;

/// Defines an index that counts from zero, and lets it index slices and vectors.
macro_rules! index_type {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
        #[repr(transparent)]
        pub struct $name(pub u32);

        impl $name {
            /// None of them; behind the end of all arrays.
            pub const NONE: Self = Self(u32::MAX);

            /// Returns the index as an offset into an array.
            #[inline(always)]
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// Returns the indices of a range.
            #[inline(always)]
            pub fn range(range: Range<usize>) -> impl ExactSizeIterator<Item = Self> + DoubleEndedIterator + Clone {
                (range.start as u32..range.end as u32).map(Self)
            }
        }

        impl From<usize> for $name {
            #[inline(always)]
            fn from(index: usize) -> Self {
                Self(index as u32)
            }
        }

        impl Display for $name {
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                Display::fmt(&self.0, f)
            }
        }

        index_type! { @into $name: [T] }
        index_type! { @into $name: Vec<T> }
    };
    (@into $name:ident: $array:ty) => {
        impl<T> Index<$name> for $array {
            type Output = T;

            #[inline(always)]
            fn index(&self, index: $name) -> &T {
                &self[index.index()]
            }
        }

        impl<T> IndexMut<$name> for $array {
            #[inline(always)]
            fn index_mut(&mut self, index: $name) -> &mut T {
                &mut self[index.index()]
            }
        }
    };
}

index_type! {
    /// A body of the solver's problem. In a world: the bodies that take part in the step come first, then those at rest that they touch.
    BodyRow
}

index_type! {
    /// A contact of the solver's problem.
    ContactId
}

index_type! {
    /// A scalar row of the solver's problem.
    RowId
}

index_type! {
    /// A contact in the list that detection found, sorted by the slots of its bodies.
    ListPlace
}

index_type! {
    /// A lane, counted over all batches.
    LaneSlot
}

impl LaneSlot {
    /// Returns a lane of a batch.
    #[inline(always)]
    pub fn new(batch: usize, lane: usize) -> Self {
        Self((WIDE * batch + lane) as u32)
    }

    /// Returns the batch.
    #[inline(always)]
    pub fn batch(self) -> usize {
        self.index() / WIDE
    }

    /// Returns the lane within the batch.
    #[inline(always)]
    pub fn lane(self) -> usize {
        self.index() % WIDE
    }
}
