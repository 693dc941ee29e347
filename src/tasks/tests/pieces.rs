use super::Scoped;
use crate::tasks::{
    OrEmpty, Serial, Tasks, each_pair_of_pieces, each_piece, each_piece_of, each_span, each_span_of, reduce,
};

/// Calls everything twice: what is handed out must still be handed out once.
#[derive(Debug)]
struct Twice;

impl Tasks for Twice {
    fn workers(&self) -> usize {
        2
    }

    fn run(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        (0..count).chain(0..count).for_each(work);
    }
}

const ALL_TASKS: [&dyn Tasks; 4] = [&Serial, &Scoped(2), &Scoped(5), &Twice];

#[test]
fn every_element_is_visited_once_with_its_index() {
    for tasks in ALL_TASKS {
        for length in [0, 1, 2, 7, 8, 9, 64, 100] {
            let mut items = vec![0_usize; length];
            each_piece(tasks, 8, &mut items, |first, piece| {
                assert!(piece.len() == 8 || first + piece.len() == length, "{first} {}", piece.len());
                piece.iter_mut().enumerate().for_each(|(offset, item)| *item += first + offset + 1);
            });
            assert!(items.iter().enumerate().all(|(index, item)| *item == index + 1), "{tasks:?} {items:?}");
        }
    }
}

#[test]
fn every_piece_has_a_result_of_its_own() {
    for tasks in ALL_TASKS {
        for (length, met) in [(0, 0), (1, 1), (8, 8), (9, 9), (23, 23), (24, 24), (100, 24)] {
            let (mut items, mut results) = (vec![1_usize; length], [0; 3]);
            each_piece_of(tasks, 8, (&mut items, &mut results), |first, piece, result| {
                *result += 1000 * first + piece.iter().sum::<usize>();
                piece.fill(2);
            });
            let expected = [0, 8, 16].map(|first| if first < met { 1000 * first + 8.min(met - first) } else { 0 });
            assert_eq!(results, expected, "{tasks:?}, {length}");
            // what has no result is left alone
            assert!((0..length).all(|at| items[at] == if at < met { 2 } else { 1 }), "{tasks:?}, {length}");
        }
    }
}

#[test]
fn parallel_slices_are_cut_alike() {
    for tasks in ALL_TASKS {
        let (mut a, mut b, mut c) = ([0_u32; 23], [0_u64; 23], vec![String::new(); 23]);
        each_pair_of_pieces(tasks, 5, (&mut a[..], (&mut b[..], &mut c[..])), |first, a, (b, c)| {
            assert!(a.len() == b.len() && b.len() == c.len());
            for offset in 0..a.len() {
                a[offset] += (first + offset) as u32;
                b[offset] += (first + offset) as u64;
                c[offset] += &(first + offset).to_string();
            }
        });
        for index in 0..23 {
            assert_eq!((a[index], b[index], c[index].as_str()), (index as u32, index as u64, &*index.to_string()));
        }
        // The second is shorter: the rest of the first stays.
        let (mut a, mut b) = ([1; 12], [1; 10]);
        each_pair_of_pieces(tasks, 4, (&mut a[..], &mut b[..]), |_, a, b| {
            a.fill(0);
            b.fill(0);
        });
        assert_eq!((a.iter().sum::<i32>(), b.iter().sum::<i32>()), (2, 0));
    }
}

#[test]
fn pieces_of_an_empty_slice_are_empty() {
    for tasks in ALL_TASKS {
        for others in [0, 12] {
            let (mut a, mut b) = ([1; 12], vec![1; others]);
            each_pair_of_pieces(tasks, 5, (&mut a[..], OrEmpty(&mut b)), |_, a, OrEmpty(b)| {
                assert_eq!(b.len(), if others > 0 { a.len() } else { 0 });
                a.iter_mut().chain(b).for_each(|number| *number += 1);
            });
            each_span(tasks, &[[0, 7], [7, 12]], (&mut a[..], OrEmpty(&mut b)), |_, a, OrEmpty(b)| {
                assert_eq!(b.len(), if others > 0 { a.len() } else { 0 });
                a.iter_mut().chain(b).for_each(|number| *number += 1);
            });
            assert!(a.iter().chain(&b).all(|number| *number == 3), "{tasks:?}");
        }
    }
}

#[test]
fn every_span_has_a_result_of_its_own() {
    for tasks in ALL_TASKS {
        let spans = [[1, 4], [4, 4], [6, 9], [9, 10]];
        let (mut items, mut results) = ([1; 12], [0; 3]);
        each_span_of(tasks, &spans, (&mut items, &mut results), |number, part, result| {
            *result += 100 * number + part.iter().sum::<usize>();
            part.fill(0);
        });
        assert_eq!(results, [3, 100, 203], "{tasks:?}");
        // what is in no span, or in one without a result, is left alone
        assert_eq!(items, [1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 1], "{tasks:?}");
    }
}

#[test]
fn spans_that_overlap_or_leave_the_slice_are_refused() {
    for spans in [[[0, 4], [3, 5]], [[4, 2], [5, 6]], [[0, 1], [5, 9]]] {
        let refused = std::panic::catch_unwind(|| {
            each_span_of(&Serial, &spans, (&mut [0; 8], &mut [0; 2]), |_, _, _| {});
        });
        assert!(refused.is_err(), "{spans:?}");
    }
}

/// A size of 0 is taken for 1, and one beyond the address space is one piece.
#[test]
fn unusual_sizes_are_pieces_too() {
    for size in [0, usize::MAX] {
        let mut items = [0; 3];
        each_piece(&Scoped(2), size, &mut items, |first, piece| piece.fill(first + piece.len()));
        assert_eq!(items, if size == 0 { [1, 2, 3] } else { [3, 3, 3] });
    }
}

/// Sums of numbers whose order of addition shows in the last bits.
#[test]
fn a_reduction_is_bitwise_the_same() {
    let value = |index: usize| 1.0 / (index as f64 + 0.3).powi(3);
    for length in [0, 1, 99, 1000, 12_345] {
        for size in [1, 10, 1000] {
            let sum = |tasks: &dyn Tasks| {
                reduce(tasks, size, length, 0.0, |range| range.map(value).sum::<f64>(), |a: f64, b| a + b).to_bits()
            };
            let alone = sum(&Serial);
            for tasks in ALL_TASKS {
                assert_eq!(sum(tasks), alone, "{tasks:?} {length} {size}");
            }
        }
    }
}

/// Joining keeps the order of the pieces.
#[test]
fn a_reduction_joins_from_the_first_to_the_last() {
    for tasks in ALL_TASKS {
        let spans = |a: (usize, usize), b: (usize, usize)| {
            assert_eq!(a.1, b.0);
            (a.0, b.1)
        };
        assert_eq!(reduce(tasks, 3, 1000, (0, 0), |range| (range.start, range.end), spans), (0, 1000));
    }
}
