//! The host's tasks, and the world that steps on them, as C sees them; with panics, which no host can cause.

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::JoinHandle;

use crate::error::{Error, ErrorKind};
use crate::ffi::guard;
use crate::ffi::handle::dry_world;
use crate::ffi::tasks::{HostTasks, dry_task, dry_task_callbacks};
use crate::tasks::Tasks;
use crate::world::{Settings, World};

/// A thread for each task; `user_data` counts what was called.
unsafe extern "C" fn start(user_data: *mut c_void, task: dry_task, argument: *mut c_void) -> *mut c_void {
    // SAFETY: `host` gives a counter.
    unsafe { &*user_data.cast::<AtomicUsize>() }.fetch_add(1, Ordering::Relaxed);
    let (task, place) = (task.expect("a task"), argument.expose_provenance());
    // SAFETY: once, and waited for.
    let thread = std::thread::spawn(move || unsafe { task(std::ptr::with_exposed_provenance_mut(place)) });
    Box::into_raw(Box::new(thread)).cast()
}

unsafe extern "C" fn join(user_data: *mut c_void, handle: *mut c_void) {
    // SAFETY: `host` gives a counter, and `start` gave the handle.
    unsafe {
        (*user_data.cast::<AtomicUsize>()).fetch_add(100, Ordering::Relaxed);
        Box::from_raw(handle.cast::<JoinHandle<()>>()).join().expect("no panic leaves a task");
    }
}

fn host(calls: &AtomicUsize, workers: u32) -> HostTasks {
    let callbacks = dry_task_callbacks {
        struct_size: size_of::<dry_task_callbacks>(),
        user_data: (&raw const *calls).cast_mut().cast(),
        run_task: Some(start),
        wait: Some(join),
        worker_count: workers,
        ..dry_task_callbacks::default()
    };
    // SAFETY: a whole structure, whose functions may be called while the counter lives.
    unsafe { HostTasks::from_host(&raw const callbacks) }.expect("a host's tasks")
}

#[test]
fn a_run_submits_no_more_tasks_than_it_needs() {
    for (workers, count, tasks) in [(4, 10, 3), (4, 3, 2), (4, 1, 0), (4, 0, 0), (1, 10, 0)] {
        let (calls, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let host = host(&calls, workers);
        assert_eq!(host.workers(), workers as usize);
        host.run(count, &|_| {
            done.fetch_add(1, Ordering::Relaxed);
        });
        assert_eq!(done.into_inner(), count);
        // Each was waited for.
        assert_eq!(calls.into_inner(), 101 * tasks, "{workers} {count}");
    }
}

#[test]
fn a_panic_goes_past_the_host() {
    let calls = AtomicUsize::new(0);
    let host = host(&calls, 3);
    for _ in 0..20 {
        let run = catch_unwind(AssertUnwindSafe(|| {
            host.run(50, &|index| {
                if index % 10 == 7 {
                    resume_unwind(Box::new(index))
                }
            });
        }));
        assert_eq!(*run.expect_err("a panic").downcast::<usize>().expect("an index"), 7);
    }
    assert_eq!(calls.into_inner(), 20 * 2 * 101);
}

fn world(on_host_tasks: bool) -> dry_world {
    dry_world::new(World::new(Settings::default(), [0.0; 3]).expect("a world"), on_host_tasks)
}

fn is_busy<T>(answer: Result<T, Error>) -> bool {
    answer.err().is_some_and(|error| error.kind == ErrorKind::Busy)
}

#[test]
fn a_world_on_the_hosts_tasks_is_busy_while_it_steps() {
    let world = world(true);
    let calls = || [is_busy(world.read(|_| Ok(()))), is_busy(world.write(|_| Ok(()))), is_busy(world.step(|_| Ok(())))];
    assert_eq!(calls(), [false; 3]);
    let step = world.step(|_| {
        assert_eq!(calls(), [true; 3]);
        std::thread::scope(|scope| assert_eq!(scope.spawn(calls).join().expect("no panic"), [true; 3]));
        Ok(())
    });
    assert!(step.is_ok());
    assert_eq!(calls(), [false; 3]);
    // Neither after a step that fails.
    assert!(world.step(|_| Err::<(), Error>(Error::argument("refused"))).is_err());
    assert_eq!(calls(), [false; 3]);
}

/// A short call in another thread is waited for, by a step too.
#[test]
fn a_step_waits_for_calls_that_were_there_before() {
    for on_host_tasks in [false, true] {
        let world = world(on_host_tasks);
        let entered = std::sync::Barrier::new(2);
        let left = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                world.read(|_| {
                    entered.wait();
                    std::thread::sleep(std::time::Duration::from_millis(20));
                    left.store(1, Ordering::SeqCst);
                    Ok(())
                })
            });
            entered.wait();
            assert_eq!(world.step(|_| Ok(left.load(Ordering::SeqCst))), Ok(1));
        });
    }
}

#[test]
fn a_step_that_panics_breaks_the_world_and_leaves_it() {
    for on_host_tasks in [false, true] {
        let world = world(on_host_tasks);
        let status = guard::run("dry_test", || world.step(|_| panic!("in a step")));
        assert!(status == crate::ffi::status_code::dry_status::DRY_ERR_INTERNAL);
        let answer: Result<(), Error> = world.read(|_| Ok(()));
        assert_eq!(answer.err().map(|error| error.kind), Some(ErrorKind::Internal));
    }
}
