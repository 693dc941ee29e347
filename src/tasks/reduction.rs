//! One value of many elements: of each piece first, then of the pieces in their order.

use std::ops::Range;

use super::pieces::each_piece;
use super::run::Tasks;

/// At most so many pieces, so that their values need no allocation.
const MOST_PIECES: usize = 64;

/// Folds the values of the pieces of `0..length`, from the first to the last, onto `start`: `of` gives the value of a
/// range, `join` makes one value of two.
///
/// Pieces have `size` indices, more where there would be over 64 of them: how they are cut depends on `length` and
/// `size` alone. So the result is the same bit for bit, whatever `tasks` is.
pub fn reduce<T: Copy + Send + Sync>(
    tasks: &dyn Tasks,
    size: usize,
    length: usize,
    start: T,
    of: impl Fn(Range<usize>) -> T + Sync,
    join: impl Fn(T, T) -> T,
) -> T {
    let size = size.max(length.div_ceil(MOST_PIECES)).max(1);
    let pieces = length.div_ceil(size);
    let range = |piece: usize| piece * size..length.min((piece + 1).saturating_mul(size));
    if pieces <= 1 || tasks.workers() <= 1 {
        return (0..pieces).fold(start, |value, piece| join(value, of(range(piece))));
    }
    let mut values = [start; MOST_PIECES];
    let values = &mut values[..pieces];
    each_piece(tasks, 1, values, |first, values| values.iter_mut().for_each(|value| *value = of(range(first))));
    values.iter().fold(start, |value, next| join(value, *next))
}
