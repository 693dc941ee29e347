use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::within_limit;
use crate::tasks::{Pool, Tasks, each_piece};

fn pool(workers: usize) -> Pool {
    Pool::new(workers, || true).expect("threads")
}

fn count_calls(tasks: &dyn Tasks, count: usize) -> Vec<usize> {
    let calls: Vec<AtomicUsize> = (0..count).map(|_| AtomicUsize::new(0)).collect();
    tasks.run(count, &|index| {
        calls[index].fetch_add(1, Ordering::Relaxed);
    });
    calls.into_iter().map(AtomicUsize::into_inner).collect()
}

/// More threads than any machine of a test has cores for, too.
#[test]
fn every_index_is_called_once() {
    within_limit(|| {
        for workers in [0, 1, 2, 3, 8, 40] {
            let pool = pool(workers);
            assert_eq!(pool.workers(), workers.max(1));
            for count in [0, 1, 2, 3, 10, 1000] {
                assert_eq!(count_calls(&pool, count), vec![1; count], "{workers} {count}");
            }
        }
    });
}

/// What a run wrote is there when it has returned, and the next one begins where it ended.
#[test]
fn many_runs_follow_each_other() {
    within_limit(|| {
        let pool = pool(3);
        let mut numbers = vec![0_u32; 7 * 3];
        for round in 0..20_000 {
            each_piece(&pool, 3, &mut numbers, |_, piece| piece.iter_mut().for_each(|number| *number += 1));
            assert!(numbers.iter().all(|number| *number == round + 1), "{round} {numbers:?}");
        }
    });
}

/// Runs so far apart that the threads sleep between them.
#[test]
fn threads_that_sleep_are_woken() {
    within_limit(|| {
        let pool = pool(2);
        for _ in 0..5 {
            std::thread::sleep(Duration::from_millis(3));
            // Each index waits for the other, so one thread alone would wait for ever.
            let both = std::sync::Barrier::new(2);
            pool.run(2, &|_| {
                both.wait();
            });
        }
    });
}

#[test]
fn a_panic_reaches_the_caller_when_all_have_ended() {
    within_limit(|| {
        for workers in [2, 5] {
            let pool = pool(workers);
            for round in 0..50 {
                let ended = AtomicUsize::new(0);
                let run = catch_unwind(AssertUnwindSafe(|| {
                    pool.run(20, &|index| {
                        // Quietly: nothing is printed by a panic that is only carried on.
                        if index % 7 == 3 {
                            std::panic::resume_unwind(Box::new(index));
                        }
                        ended.fetch_add(1, Ordering::Relaxed);
                    });
                }));
                // 3, 10 and 17 fail, and the first of them is reported.
                assert_eq!(ended.load(Ordering::Relaxed), 17, "{round}");
                assert_eq!(*run.expect_err("a panic").downcast::<usize>().expect("an index"), 3);
                assert_eq!(count_calls(&pool, 9), [1; 9]);
            }
        }
    });
}

#[test]
fn a_run_within_a_run_is_done_too() {
    within_limit(|| {
        let pool = pool(3);
        let calls = AtomicUsize::new(0);
        pool.run(10, &|_| {
            pool.run(10, &|_| {
                calls.fetch_add(1, Ordering::Relaxed);
            });
        });
        assert_eq!(calls.into_inner(), 100);
    });
}

/// Two threads that use one pool at a time: one of them works alone.
#[test]
fn two_callers_do_not_disturb_each_other() {
    within_limit(|| {
        let pool = pool(3);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    (0..500).for_each(|count| assert_eq!(count_calls(&pool, count % 30), vec![1; count % 30]))
                });
            }
        });
    });
}

#[test]
fn a_pool_ends_whatever_its_threads_do() {
    within_limit(|| {
        for round in 0..200_u64 {
            let pool = pool(4);
            if round % 2 == 0 {
                assert_eq!(count_calls(&pool, 5), [1; 5]);
            }
            std::thread::sleep(Duration::from_micros(round % 5 * 40));
        }
    });
}

/// The caller does it all where no thread is ready to.
#[test]
fn threads_that_refuse_are_not_needed() {
    within_limit(|| {
        let pool = Pool::new(4, || false).expect("threads");
        let caller = std::thread::current().id();
        pool.run(50, &|_| assert_eq!(std::thread::current().id(), caller));
    });
}

#[test]
fn too_many_threads_are_refused() {
    let error = Pool::new(usize::MAX, || true).expect_err("no memory for so many");
    assert_eq!(error.kind, crate::error::ErrorKind::Memory);
}
