use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::Mutex;

use super::Scoped;
use crate::tasks::{Serial, Tasks, each_piece, overlap_serial};

/// How often the job and each piece were done, and what was done first.
fn done(tasks: &dyn Tasks, runs: usize) -> (usize, Vec<usize>, bool) {
    let (jobs, mut pieces) = (AtomicUsize::new(0), vec![0; 10]);
    let is_first = Mutex::new(None);
    let mut job = || {
        is_first.lock().get_or_insert(true);
        jobs.fetch_add(1, Ordering::Relaxed);
    };
    overlap_serial(tasks, &mut job, |tasks| {
        for _ in 0..runs {
            each_piece(tasks, 1, &mut pieces, |_, pieces| {
                is_first.lock().get_or_insert(false);
                pieces.iter_mut().for_each(|piece| *piece += 1);
            });
        }
    });
    let is_first = is_first.into_inner().unwrap_or_default();
    (jobs.into_inner(), pieces, is_first)
}

#[test]
fn the_job_and_every_piece_are_done_once() {
    for runs in 0..3 {
        for tasks in [&Serial as &dyn Tasks, &Scoped(2), &Scoped(5)] {
            let (jobs, pieces, _) = done(tasks, runs);
            assert_eq!((jobs, pieces), (1, vec![runs; 10]), "{tasks:?}");
        }
    }
}

/// Everything that is shared out, on the calling thread and in order.
#[derive(Debug)]
struct InTurn;

impl Tasks for InTurn {
    fn workers(&self) -> usize {
        2
    }

    fn run(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        (0..count).for_each(work);
    }
}

#[test]
fn the_job_is_done_with_the_first_run_that_is_shared_out() {
    assert!(done(&InTurn, 1).2, "before the pieces of the run");
    assert!(!done(&Serial, 1).2, "nothing is shared out: at the end");
}
