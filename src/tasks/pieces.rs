//! Mutable slices cut into disjoint pieces, on which tasks work at the same time; and work that is lent to threads which
//! outlive it.
//!
//! The code is unsafe because the compiler sees neither that two pieces never overlap nor that a loan has ended. Pieces
//! are sound whatever [`Tasks::run`] does with the closure it gets: each call takes pieces from what is left, so a
//! piece is handed out once, and the borrow of the closure ends with the run.

#![allow(unsafe_code)]

use std::marker::PhantomData;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::RwLock;

use super::run::Tasks;

/// Calls `work(first, piece)` for pieces of `size` elements (the last may be shorter), which begin with element
/// `first` of `items`. In order and on the calling thread where there is one worker or one piece.
pub fn each_piece<A: Send>(tasks: &dyn Tasks, size: usize, items: &mut [A], work: impl Fn(usize, &mut [A]) + Sync) {
    let length = items.len();
    let items = Places::of(items);
    each_range(tasks, size, length, &|range| {
        // SAFETY: `each_range` gives no index twice, and the ranges end with the slice.
        work(range.start, unsafe { items.piece(&range) });
    });
}

/// The same for two slices, cut at the same places; what one of them has beyond the other's end is left alone.
pub fn each_pair_of_pieces<A: Send, B: Send>(
    tasks: &dyn Tasks,
    size: usize,
    (first, second): (&mut [A], &mut [B]),
    work: impl Fn(usize, &mut [A], &mut [B]) + Sync,
) {
    let length = first.len().min(second.len());
    let (first, second) = (Places::of(first), Places::of(second));
    each_range(tasks, size, length, &|range| {
        // SAFETY: as above; no slice is shorter than `length`.
        unsafe { work(range.start, first.piece(&range), second.piece(&range)) }
    });
}

/// The same for three slices.
pub fn each_triple_of_pieces<A: Send, B: Send, C: Send>(
    tasks: &dyn Tasks,
    size: usize,
    (first, second, third): (&mut [A], &mut [B], &mut [C]),
    work: impl Fn(usize, &mut [A], &mut [B], &mut [C]) + Sync,
) {
    let length = first.len().min(second.len()).min(third.len());
    let (first, second, third) = (Places::of(first), Places::of(second), Places::of(third));
    each_range(tasks, size, length, &|range| {
        // SAFETY: as above; no slice is shorter than `length`.
        unsafe { work(range.start, first.piece(&range), second.piece(&range), third.piece(&range)) }
    });
}

/// Slices that are cut at the same places. The last one may be empty.
pub struct Slices<'a, A, B, C, D, E> {
    /// Cut.
    pub first: &'a mut [A],
    /// Cut where `first` is.
    pub second: &'a mut [B],
    /// Cut where `first` is.
    pub third: &'a mut [C],
    /// Cut where `first` is.
    pub fourth: &'a mut [D],
    /// Cut where `first` is, or empty.
    pub optional: &'a mut [E],
}

/// The same for five slices. The pieces of the last one are empty if it is.
pub fn each_piece_of_five<A: Send, B: Send, C: Send, D: Send, E: Send>(
    tasks: &dyn Tasks,
    size: usize,
    slices: Slices<A, B, C, D, E>,
    work: impl Fn(usize, Slices<A, B, C, D, E>) + Sync,
) {
    let length = slices.first.len().min(slices.second.len()).min(slices.third.len()).min(slices.fourth.len());
    let has_optional = !slices.optional.is_empty();
    let length = if has_optional { length.min(slices.optional.len()) } else { length };
    let (first, second) = (Places::of(slices.first), Places::of(slices.second));
    let (third, fourth) = (Places::of(slices.third), Places::of(slices.fourth));
    let optional = Places::of(slices.optional);
    each_range(tasks, size, length, &|range| {
        let last = if has_optional { range.clone() } else { 0..0 };
        // SAFETY: as above; no slice is shorter than `length` but the last one, and then its piece is empty.
        let pieces = unsafe {
            Slices {
                first: first.piece(&range),
                second: second.piece(&range),
                third: third.piece(&range),
                fourth: fourth.piece(&range),
                optional: optional.piece(&last),
            }
        };
        work(range.start, pieces);
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
    let (items, results) = (Places::of(items), Places::of(results));
    each_range(tasks, size, length, &|range| {
        let number = range.start / size;
        // SAFETY: as above; ranges begin at multiples of `size` below `length`, so each has a number of its own, and a result.
        let (piece, result) = unsafe { (items.piece(&range), results.piece(&(number..number + 1))) };
        result.iter_mut().for_each(|result| work(range.start, &mut *piece, result));
    });
}

/// Calls each of some `jobs`, which do not depend on each other.
pub fn each_job(tasks: &dyn Tasks, jobs: &mut [&mut (dyn FnMut() + Send)]) {
    each_piece(tasks, 1, jobs, |_, jobs| jobs.iter_mut().for_each(|job| job()));
}

/// Calls `work(span, one, other)` with the parts of two slices within each of the `spans`, which rise and do not overlap.
/// The second slice may be empty, and so is its part then. In order and on the calling thread where there is one worker.
pub fn each_span<A: Send, B: Send>(
    tasks: &dyn Tasks,
    spans: &[[u32; 2]],
    (first, second): (&mut [A], &mut [B]),
    work: impl Fn([u32; 2], &mut [A], &mut [B]) + Sync,
) {
    check(spans, first.len());
    assert!(
        second.is_empty() || spans.last().is_none_or(|span| span[1] as usize <= second.len()),
        "spans of the slices"
    );
    let none = second.is_empty();
    let (first, second) = (Places::of(first), Places::of(second));
    each_range(tasks, 1, spans.len(), &|at| {
        for span in &spans[at] {
            let other = if none { 0..0 } else { range(*span) };
            // SAFETY: `each_range` gives no span twice, and they are within the slices and do not overlap.
            unsafe { work(*span, first.piece(&range(*span)), second.piece(&other)) }
        }
    });
}

/// Calls `work(number, part, result)` with the part of `items` within each of the `spans`, as [`each_span`] does, and the element of
/// `results` that has the number of the span; what of the spans has none is left alone.
pub fn each_span_of<A: Send, B: Send>(
    tasks: &dyn Tasks,
    spans: &[[u32; 2]],
    (items, results): (&mut [A], &mut [B]),
    work: impl Fn(usize, &mut [A], &mut B) + Sync,
) {
    check(spans, items.len());
    let items = Places::of(items);
    each_piece(tasks, 1, results, |number, result| {
        for (span, result) in spans.iter().skip(number).zip(result) {
            // SAFETY: `each_piece` gives no result twice, and its span is within the slice and overlaps no other.
            work(number, unsafe { items.piece(&range(*span)) }, result);
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

/// Calls `work` with the ranges of `size` indices, one after the other below `length`; none twice.
fn each_range(tasks: &dyn Tasks, size: usize, length: usize, work: &(dyn Fn(Range<usize>) + Sync)) {
    let size = size.max(1);
    let pieces = length.div_ceil(size);
    let range = |piece: usize| piece * size..length.min((piece + 1).saturating_mul(size));
    let workers = tasks.workers().min(pieces);
    if workers <= 1 || pieces > u32::MAX as usize {
        return (0..pieces).for_each(|piece| work(range(piece)));
    }
    // One run for each worker, not for each piece: so they share one counter, not two.
    let left = PieceCounter::default();
    tasks.run(workers, &|worker| {
        while let Some(piece) = left.take(worker % 2 == 1, pieces) {
            work(range(piece));
        }
    });
}

/// The pieces that nobody has taken yet, those between two ends. Who begins at the same end in stage after stage meets the same
/// part of the bodies.
#[derive(Default)]
struct PieceCounter {
    /// How many were taken from the front, and in the upper half how many from the back.
    taken: AtomicU64,
}

impl PieceCounter {
    /// The next one of `count` pieces, which are no more than half of the bits can count; none twice.
    fn take(&self, from_the_back: bool, count: usize) -> Option<usize> {
        let halves = |taken: u64| ((taken & u64::from(u32::MAX)) as usize, (taken >> 32) as usize);
        let one = if from_the_back { 1 << 32 } else { 1 };
        let more = |taken: u64| {
            let (front, back) = halves(taken);
            (front + back < count).then(|| taken + one)
        };
        let before = self.taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).ok()?;
        let (front, back) = halves(before);
        Some(if from_the_back { count - 1 - back } else { front })
    }
}

/// The elements of a slice that nobody else uses meanwhile.
struct Places<'a, T> {
    first: *mut T,
    length: usize,
    slice: PhantomData<&'a mut [T]>,
}

// SAFETY: threads get different elements through it (see `piece`), and those may be sent to them.
unsafe impl<T: Send> Sync for Places<'_, T> {}

impl<'a, T> Places<'a, T> {
    fn of(slice: &'a mut [T]) -> Self {
        Self { first: slice.as_mut_ptr(), length: slice.len(), slice: PhantomData }
    }

    /// # Safety
    /// The range lies within the slice, and no other piece that is in use has an index of it.
    #[allow(clippy::mut_from_ref)] // each element is handed out once
    unsafe fn piece(&self, range: &Range<usize>) -> &'a mut [T] {
        debug_assert!(range.start <= range.end && range.end <= self.length);
        // SAFETY: within the slice, which is borrowed for 'a, and nobody else's by this function's own condition.
        unsafe { std::slice::from_raw_parts_mut(self.first.add(range.start), range.len()) }
    }
}

/// What threads do that are invited to a run.
type Help<'a> = dyn Fn() + Sync + 'a;

/// A place where work lies for as long as its owner lends it.
#[derive(Default)]
pub(super) struct ScopedWork {
    /// Whoever works holds the lock for reading, so taking the work back waits for them. Never 'static in truth.
    help: RwLock<Option<&'static Help<'static>>>,
}

impl ScopedWork {
    /// Lends `help` to whoever calls [`ScopedWork::help`] until `meanwhile` has ended; it does not run after that. One loan at a
    /// time.
    pub(super) fn lend(&self, help: &Help<'_>, meanwhile: impl FnOnce()) {
        /// Takes the work back, also where a panic passes by.
        struct TakeBack<'a>(&'a ScopedWork);
        impl Drop for TakeBack<'_> {
            fn drop(&mut self) {
                *self.0.help.write() = None;
            }
        }
        // SAFETY: only the lifetimes change. The reference lies in `self.help` alone, where it is used under the read
        // lock, and `TakeBack` removes it under the write lock before this function, and so the borrow, ends.
        let lent = unsafe { std::mem::transmute::<&Help<'_>, &'static Help<'static>>(help) };
        let mut place = self.help.write();
        let _end = TakeBack(self);
        *place = Some(lent);
        drop(place);
        meanwhile();
    }

    /// Runs what is lent, if anything is.
    pub(super) fn help(&self) {
        // A lock that is held for writing has nothing to do behind it, or not yet.
        if let Some(place) = self.help.try_read()
            && let Some(help) = *place
        {
            help();
        }
    }
}
