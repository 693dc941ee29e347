use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::tasks::SharedRun;

/// The threads of others may come early, late, twice, or not at all.
#[test]
fn every_index_is_called_once_by_any_helper() {
    let shared = SharedRun::new(2);
    let calls = AtomicUsize::new(0);
    let work = |_| {
        calls.fetch_add(1, Ordering::Relaxed);
    };
    shared.help();
    assert_eq!(calls.load(Ordering::Relaxed), 0);
    shared.run(3, &work, || (), || ());
    assert_eq!(calls.load(Ordering::Relaxed), 3);
    shared.run(3, &work, || shared.help(), || ());
    assert_eq!(calls.load(Ordering::Relaxed), 6);
    shared.run(3, &work, || (), || (0..2).for_each(|_| shared.help()));
    assert_eq!(calls.load(Ordering::Relaxed), 9);
    shared.help();
    assert_eq!(calls.load(Ordering::Relaxed), 9);
}

#[test]
fn others_are_invited_before_and_dismissed_after_the_work() {
    let shared = SharedRun::new(2);
    let (order, calls) = (Cell::new(0), AtomicUsize::new(0));
    let invite = || assert_eq!((order.replace(1), calls.load(Ordering::Relaxed)), (0, 0));
    let dismiss = || assert_eq!((order.replace(2), calls.load(Ordering::Relaxed)), (1, 5));
    let work = |_| {
        calls.fetch_add(1, Ordering::Relaxed);
    };
    shared.run(5, &work, invite, dismiss);
    assert_eq!(order.get(), 2);
}

/// A thread that is at work when the owner has nothing left to do holds up the end of the run.
#[test]
fn nothing_runs_after_a_run() {
    let shared = SharedRun::new(2);
    let ended = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let (both, owner) = (std::sync::Barrier::new(2), std::thread::current().id());
        let work = |_: usize| {
            both.wait();
            if std::thread::current().id() != owner {
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            ended.fetch_add(1, Ordering::Relaxed);
        };
        // In a scope of the run: the helper needs the run to be there.
        shared.run(2, &work, || drop(scope.spawn(|| shared.help())), || ());
        assert_eq!(ended.load(Ordering::Relaxed), 2);
    });
}

/// Also where it passes by who should have waited.
#[test]
fn a_panic_ends_the_shared_work() {
    let shared = SharedRun::new(2);
    let work = |_| panic!("called after its run");
    let run = catch_unwind(AssertUnwindSafe(|| {
        shared.run(1, &work, || std::panic::resume_unwind(Box::new(())), || ());
    }));
    assert!(run.is_err());
    shared.help();
}
