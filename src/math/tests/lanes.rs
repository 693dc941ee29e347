//! Lines that are read and written by place, at every width: what is read-only, and what is outside.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::math::BodyRow;
use crate::math::lanes::{Kernel, Lanes, Level, LineIndex, Lines, Places, WIDE, Wide, capped, dispatch};

const LEVELS: [Level; 3] = [Level::Baseline, Level::Avx2, Level::Avx512];

/// What is done to lines by place.
#[derive(Debug, Clone, Copy)]
enum Task {
    /// Doubles all numbers.
    Scatter,
    /// Adds what is there to three numbers of each half.
    Add,
    /// The same for the first half alone.
    AddFront,
}

struct Work<'a> {
    lines: Lines<'a>,
    places: &'a Places,
    task: Task,
}

impl Kernel for Work<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { lines, places, task } = self;
        for first in (0..WIDE).step_by(L::WIDTH) {
            match task {
                Task::Scatter => {
                    let all = L::gather(lines, places, first);
                    L::scatter(lines, places, first, all.map(|number| number + number));
                }
                Task::Add => {
                    let [a, b, c, _, d, e, f, _] = L::gather(lines, places, first);
                    L::scatter_add(lines, places, first, [[a, b, c], [d, e, f]]);
                }
                Task::AddFront => {
                    let [a, b, c, _] = L::gather_front(lines, places, first);
                    L::scatter_add_front(lines, places, first, [a, b, c]);
                }
            }
        }
    }
}

/// Lines in which all numbers are different.
fn lines(count: usize) -> Vec<Wide> {
    let number = |line: usize, column: usize| (1 + 8 * line + column) as f64;
    (0..count).map(|line| Wide(std::array::from_fn(|column| number(line, column)))).collect()
}

/// Whether a task doubles a number of a column that is not read-only.
fn doubled(task: Task, column: usize) -> bool {
    match task {
        Task::Scatter => true,
        Task::Add => column % 4 < 3,
        Task::AddFront => column < 3,
    }
}

fn run(level: Level, lines: &mut [Wide], places: &Places, task: Task) {
    dispatch(level, Work { lines: Lines::new(lines), places, task });
}

/// The place of a line that kernels write.
fn writable(line: u32) -> LineIndex {
    LineIndex::new(BodyRow(line), false)
}

#[test]
fn lines_are_written_unless_they_are_read_only() {
    let read_only = |line: u32| LineIndex::new(BodyRow(line), true);
    let places =
        [writable(11), read_only(3), writable(0), writable(7), writable(2), read_only(3), read_only(9), writable(5)];
    let all_writable = [11, 3, 0, 7, 2, 4, 9, 5].map(writable);
    for (level, task) in
        LEVELS.into_iter().flat_map(|level| [Task::Scatter, Task::Add, Task::AddFront].map(|task| (level, task)))
    {
        for places in [places, all_writable] {
            let (before, mut after) = (lines(12), lines(12));
            run(level, &mut after, &places, task);
            for line in 0..12 {
                let is_written = places.contains(&writable(line as u32));
                for column in 0..WIDE {
                    let (was, is) = (before[line].0[column], after[line].0[column]);
                    let expected = if is_written && doubled(task, column) { 2.0 * was } else { was };
                    assert_eq!(is, expected, "{level:?} {task:?}: number {column} of line {line} at {places:?}");
                }
            }
        }
    }
}

#[test]
fn places_outside_are_refused_at_every_width() {
    let outside = [(8, false), (8, true), (LineIndex::READ_ONLY - 1, false), (u32::MAX, true)];
    for (level, task) in
        LEVELS.into_iter().flat_map(|level| [Task::Scatter, Task::Add, Task::AddFront].map(|task| (level, task)))
    {
        for lane in 0..WIDE {
            for (line, is_read_only) in outside {
                let mut places = LineIndex::FIRST;
                places[lane] = LineIndex::new(BodyRow(line), is_read_only);
                let mut own = lines(8);
                let done = catch_unwind(AssertUnwindSafe(|| run(level, &mut own, &places, task)));
                assert!(
                    done.is_err(),
                    "{level:?} {task:?}: lane {lane} at line {line:#x} of 8, read-only {is_read_only}"
                );
            }
        }
        let done = catch_unwind(AssertUnwindSafe(|| run(level, &mut [], &LineIndex::FIRST, task)));
        assert!(done.is_err(), "{level:?} {task:?}: no lines at all");
    }
}

/// Returns the number of lanes of the kernel that runs.
struct Width;

impl Kernel for Width {
    type Output = usize;

    fn run<L: Lanes>(self) -> usize {
        L::WIDTH
    }
}

#[test]
fn a_cap_narrows_the_best_level_and_no_other() {
    let machine = capped(Level::Avx512, Level::best);
    let widest = dispatch(machine, Width);
    for level in LEVELS {
        let (best, width) = capped(level, || (Level::best(), dispatch(machine, Width)));
        assert_eq!((best, width), (level.min(machine), widest));
    }
    let failed = catch_unwind(|| capped(Level::Baseline, || panic!("within the cap")));
    assert!(failed.is_err());
    assert_eq!(capped(Level::Avx512, Level::best), machine);
}
