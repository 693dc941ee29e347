//! Who may touch whom, wherever they are.

/// What decides whether two bodies may touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Filter {
    /// Whether impulses move it: two bodies that they do not move make no pair.
    pub moves: bool,
    /// The groups it is in.
    pub category: u32,
    /// The groups it collides with.
    pub mask: u32,
    /// Positive: always collides with its own group, negative: never.
    pub group: i32,
}

impl Filter {
    /// Whether the two bodies may touch at all.
    #[inline]
    pub fn admits(&self, other: &Self) -> bool {
        if !(self.moves || other.moves) {
            return false;
        }
        if self.group != 0 && self.group == other.group {
            return self.group > 0;
        }
        self.category & other.mask != 0 && other.category & self.mask != 0
    }
}
