//! Disjoint pieces of mutable slices, for tasks that run at the same time. Also values of pieces, joined in their
//! order, and work that is shared with threads which outlive it.
//!
//! The code is unsafe because the compiler sees neither that two pieces never overlap nor that shared work has ended.
//! Pieces are sound whatever [`Tasks::run`] does with the closure it gets. Each call takes pieces from the remaining
//! ones, so a piece is handed out once. The borrow of the closure ends with the run.

#![allow(unsafe_code)]

use std::marker::PhantomData;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::RwLock;

use super::run::Tasks;

/// What is cut into pieces: a slice, or two of them that are cut at the same elements.
///
/// # Safety
/// [`Cut::piece`] is sound for every range below the length that [`Cut::elements`] returns, as long as no two pieces overlap.
pub unsafe trait Cut: Sized {
    /// Its elements, for all threads.
    type Elements: Sync;

    /// Returns its elements, and up to which index pieces can be taken: `usize::MAX` of an empty [`OrEmpty`].
    fn elements(self) -> (Self::Elements, usize);

    /// Returns a piece.
    ///
    /// # Safety
    /// The range lies within the elements, and no other piece that is in use has an index of it.
    unsafe fn piece(elements: &Self::Elements, range: &Range<usize>) -> Self;
}

// SAFETY: the length is that of the slice.
unsafe impl<'a, T: Send> Cut for &'a mut [T] {
    type Elements = SharedSlice<'a, T>;

    fn elements(self) -> (Self::Elements, usize) {
        let length = self.len();
        (SharedSlice { first: self.as_mut_ptr(), length, slice: PhantomData }, length)
    }

    unsafe fn piece(elements: &Self::Elements, range: &Range<usize>) -> Self {
        debug_assert!(range.start <= range.end && range.end <= elements.length);
        // SAFETY: within the slice, which is borrowed for 'a, and this function's own condition gives it to no other piece.
        unsafe { std::slice::from_raw_parts_mut(elements.first.add(range.start), range.len()) }
    }
}

/// A slice that is cut with others, or an empty one, whose pieces are empty.
#[derive(Debug)]
pub struct OrEmpty<'a, T>(pub &'a mut [T]);

// SAFETY: the length is that of the slice; of an empty one every piece is empty.
unsafe impl<'a, T: Send> Cut for OrEmpty<'a, T> {
    type Elements = Option<SharedSlice<'a, T>>;

    fn elements(self) -> (Self::Elements, usize) {
        if self.0.is_empty() {
            return (None, usize::MAX);
        }
        let (elements, length) = self.0.elements();
        (Some(elements), length)
    }

    unsafe fn piece(elements: &Self::Elements, range: &Range<usize>) -> Self {
        // SAFETY: this function's own condition.
        Self(elements.as_ref().map_or(&mut [], |elements| unsafe { Cut::piece(elements, range) }))
    }
}

/// What one of the two has beyond the other's end is left alone.
// SAFETY: the length is the smaller one of the two.
unsafe impl<A: Cut, B: Cut> Cut for (A, B) {
    type Elements = (A::Elements, B::Elements);

    fn elements(self) -> (Self::Elements, usize) {
        let ((first, length), (second, other)) = (self.0.elements(), self.1.elements());
        ((first, second), length.min(other))
    }

    unsafe fn piece((first, second): &Self::Elements, range: &Range<usize>) -> Self {
        // SAFETY: this function's own condition.
        unsafe { (A::piece(first, range), B::piece(second, range)) }
    }
}

/// Calls `work(first, piece)` for pieces of `size` elements (the last may be shorter), which begin with element
/// `first` of `items`. In order and on the calling thread where there is one worker or one piece.
pub fn each_piece<A: Send>(tasks: &dyn Tasks, size: usize, items: &mut [A], work: impl Fn(usize, &mut [A]) + Sync) {
    each_pair_of_pieces(tasks, size, (items, OrEmpty(&mut [(); 0])), |first, items, _| work(first, items));
}

/// The same for two slices or more, cut at the same elements; not all of them are [`OrEmpty`].
pub fn each_pair_of_pieces<A: Cut, B: Cut>(
    tasks: &dyn Tasks,
    size: usize,
    slices: (A, B),
    work: impl Fn(usize, A, B) + Sync,
) {
    let (elements, length) = slices.elements();
    each_range(tasks, size, length, &|range| {
        // SAFETY: `each_range` gives no index twice, and no slice is shorter than `length`.
        let (first, second) = unsafe { <(A, B)>::piece(&elements, &range) };
        work(range.start, first, second);
    });
}

/// Calls `work(first, piece, result)` for pieces of `size` elements, as [`each_piece`] does, with the element of `results`
/// that has the number of the piece; what of `items` has none is left alone.
pub fn each_piece_of<A: Send, B: Send>(
    tasks: &dyn Tasks,
    size: usize,
    (items, results): (&mut [A], &mut [B]),
    work: impl Fn(usize, &mut [A], &mut B) + Sync,
) {
    let size = size.max(1);
    let length = items.len().min(results.len().saturating_mul(size));
    let ((items, _), (results, _)) = (items.elements(), results.elements());
    each_range(tasks, size, length, &|range| {
        let number = range.start / size;
        // SAFETY: as above; ranges begin at multiples of `size` below `length`, so each has a number of its own, and a result.
        let (piece, result) =
            unsafe { (<&mut [A]>::piece(&items, &range), <&mut [B]>::piece(&results, &(number..number + 1))) };
        result.iter_mut().for_each(|result| work(range.start, &mut *piece, result));
    });
}

/// Calls `work(span, one, other)` with the parts of two slices within each of the `spans`, which rise and do not overlap.
/// In order and on the calling thread where there is one worker.
pub fn each_span<A: Cut, B: Cut>(
    tasks: &dyn Tasks,
    spans: &[[u32; 2]],
    slices: (A, B),
    work: impl Fn([u32; 2], A, B) + Sync,
) {
    let (elements, length) = slices.elements();
    check(spans, length);
    each_range(tasks, 1, spans.len(), &|at| {
        for span in &spans[at] {
            // SAFETY: `each_range` gives no span twice, and they are within the slices and do not overlap.
            let (first, second) = unsafe { <(A, B)>::piece(&elements, &range(*span)) };
            work(*span, first, second);
        }
    });
}

/// Calls `work(number, part, result)` for each of the `spans` that has an element in `results`. `part` is the part of
/// `items` within the span, as in [`each_span`], and `result` the element with the number of the span. Other spans are
/// skipped.
pub fn each_span_of<A: Send, B: Send>(
    tasks: &dyn Tasks,
    spans: &[[u32; 2]],
    (items, results): (&mut [A], &mut [B]),
    work: impl Fn(usize, &mut [A], &mut B) + Sync,
) {
    let (items, length) = items.elements();
    check(spans, length);
    each_piece(tasks, 1, results, |number, result| {
        for (span, result) in spans.iter().skip(number).zip(result) {
            // SAFETY: `each_piece` gives no result twice, and its span is within the slice and overlaps no other.
            work(number, unsafe { <&mut [A]>::piece(&items, &range(*span)) }, result);
        }
    });
}

/// Makes sure that spans rise, do not overlap, and end within `length` elements.
fn check(spans: &[[u32; 2]], length: usize) {
    let mut end = 0;
    for span in spans {
        assert!(end <= span[0] && span[0] <= span[1], "spans that rise");
        end = span[1];
    }
    assert!(end as usize <= length, "spans of the slices");
}

fn range([start, end]: [u32; 2]) -> Range<usize> {
    start as usize..end as usize
}

/// At most so many pieces, so that their values need no allocation.
const MAX_PIECES: usize = 64;

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
    let size = size.max(length.div_ceil(MAX_PIECES));
    let (pieces, range) = ranges(size, length);
    if pieces <= 1 || tasks.workers() <= 1 {
        return (0..pieces).fold(start, |value, piece| join(value, of(range(piece))));
    }
    let mut values = [start; MAX_PIECES];
    let values = &mut values[..pieces];
    each_piece(tasks, 1, values, |first, values| values.iter_mut().for_each(|value| *value = of(range(first))));
    values.iter().fold(start, |value, next| join(value, *next))
}

/// Returns how many ranges of `size` indices, at least one, there are one after the other below `length`, and each of them.
fn ranges(size: usize, length: usize) -> (usize, impl Fn(usize) -> Range<usize>) {
    let size = size.max(1);
    (length.div_ceil(size), move |piece| piece * size..length.min((piece + 1).saturating_mul(size)))
}

/// Calls `work` with the ranges of `size` indices, one after the other below `length`; none twice.
fn each_range(tasks: &dyn Tasks, size: usize, length: usize, work: &(dyn Fn(Range<usize>) + Sync)) {
    let (pieces, range) = ranges(size, length);
    let workers = tasks.workers().min(pieces);
    if workers <= 1 || pieces > u32::MAX as usize {
        return (0..pieces).for_each(|piece| work(range(piece)));
    }
    // One run for each worker, not for each piece: so they share one counter, not two.
    let taken = AtomicU64::new(0);
    tasks.run(workers, &|worker| {
        while let Some(piece) = take_piece(&taken, worker % 2 == 1, pieces) {
            work(range(piece));
        }
    });
}

/// The next one of `count` pieces, which are no more than half of the bits can count; none twice. `taken` counts those taken from the
/// front, and in its upper half those from the back. A thread that starts at the same end in each stage gets the same bodies.
fn take_piece(taken: &AtomicU64, from_the_back: bool, count: usize) -> Option<usize> {
    let halves = |taken: u64| ((taken & u64::from(u32::MAX)) as usize, (taken >> 32) as usize);
    let one = if from_the_back { 1 << 32 } else { 1 };
    let more = |taken: u64| {
        let (front, back) = halves(taken);
        (front + back < count).then(|| taken + one)
    };
    let (front, back) = halves(taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).ok()?);
    Some(if from_the_back { count - 1 - back } else { front })
}

/// The elements of a slice that is borrowed meanwhile.
#[derive(Debug)]
pub struct SharedSlice<'a, T> {
    first: *mut T,
    length: usize,
    slice: PhantomData<&'a mut [T]>,
}

// SAFETY: threads get different elements through it (see `Cut::piece`), and those may be sent to them.
unsafe impl<T: Send> Sync for SharedSlice<'_, T> {}

/// What threads do that are invited to a run.
type Help<'a> = dyn Fn() + Sync + 'a;

/// A place that holds work for as long as its owner shares it.
#[derive(Default)]
pub(super) struct ScopedWork {
    /// A thread holds the read lock while it works, so taking the work back waits for it. The lifetime is not really 'static.
    help: RwLock<Option<&'static Help<'static>>>,
}

impl ScopedWork {
    /// Shares `help` with the callers of [`ScopedWork::help`] until `meanwhile` has ended. It does not run after that.
    /// Only one piece of work is shared at a time.
    pub(super) fn share(&self, help: &Help<'_>, meanwhile: impl FnOnce()) {
        /// Takes the work back, also where a panic passes by.
        struct ClearOnDrop<'a>(&'a ScopedWork);
        impl Drop for ClearOnDrop<'_> {
            fn drop(&mut self) {
                *self.0.help.write() = None;
            }
        }
        // SAFETY: only the lifetimes change. The reference lies in `self.help` alone, where it is used under the read
        // lock, and `ClearOnDrop` removes it under the write lock before this function, and so the borrow, ends.
        let shared = unsafe { std::mem::transmute::<&Help<'_>, &'static Help<'static>>(help) };
        let mut place = self.help.write();
        let _end = ClearOnDrop(self);
        *place = Some(shared);
        drop(place);
        meanwhile();
    }

    /// Runs the shared work, if there is any.
    pub(super) fn help(&self) {
        // A lock that is held for writing has nothing to do behind it, or not yet.
        if let Some(place) = self.help.try_read()
            && let Some(help) = *place
        {
            help();
        }
    }
}
