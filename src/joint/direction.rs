//! The three directions of a frame, in cyclic order.

/// An axis of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)] // each member is its name
pub enum Direction {
    X,
    Y,
    Z,
}

impl Direction {
    /// All directions, in order.
    pub const ALL: [Self; 3] = [Self::X, Self::Y, Self::Z];

    /// Returns the direction that follows in the cycle x, y, z, x.
    pub fn next(self) -> Self {
        match self {
            Self::X => Self::Y,
            Self::Y => Self::Z,
            Self::Z => Self::X,
        }
    }

    /// Returns the element of this direction.
    pub fn of<T: Copy>(self, values: &[T; 3]) -> T {
        let [x, y, z] = values;
        match self {
            Self::X => *x,
            Self::Y => *y,
            Self::Z => *z,
        }
    }

    /// Returns its number: 0, 1 or 2.
    pub fn number(self) -> usize {
        match self {
            Self::X => 0,
            Self::Y => 1,
            Self::Z => 2,
        }
    }
}
