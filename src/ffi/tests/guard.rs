//! Panics are caught, answered, and not printed; messages are kept.

use std::process::Command;

use crate::error::{Error, ErrorKind, Number};
use crate::ffi::guard::{Output, buffer, copied, countable, output, present, run, with_last_error};
use crate::ffi::status_code::dry_status;

fn message() -> String {
    with_last_error(str::to_string).expect("the message")
}

#[test]
fn a_panic_is_answered_with_its_text() {
    assert!(run("dry_test", || panic!("the sky fell")) == dry_status::DRY_ERR_INTERNAL);
    assert_eq!(message(), "dry_test: a defect of drystone was caught: the sky fell");
    assert!(run("dry_test", || panic!("number {}", 7)) == dry_status::DRY_ERR_INTERNAL);
    assert_eq!(message(), "dry_test: a defect of drystone was caught: number 7");
    assert!(run("dry_test", || std::panic::panic_any(7)) == dry_status::DRY_ERR_INTERNAL);
    assert_eq!(message(), "dry_test: a defect of drystone was caught: no description");
}

/// A payload whose destructor panics as well would leave the boundary if it were dropped.
#[test]
fn a_hostile_panic_payload_does_not_reach_the_host() {
    struct Hostile;
    impl Drop for Hostile {
        fn drop(&mut self) {
            panic!("again");
        }
    }
    assert!(run("dry_test", || std::panic::panic_any(Hostile)) == dry_status::DRY_ERR_INTERNAL);
}

#[test]
fn a_message_lives_until_the_next_failure() {
    assert!(run("dry_test", || Err(Error::argument("first"))) == dry_status::DRY_ERR_ARGUMENT);
    assert!(run("dry_test", || Ok(())) == dry_status::DRY_OK);
    assert_eq!(message(), "dry_test: first");
    assert!(run("dry_test", || Err(Error::new(ErrorKind::Memory, "second"))) == dry_status::DRY_ERR_MEMORY);
    assert_eq!(message(), "dry_test: second");
}

#[test]
fn a_long_message_is_cut_between_characters() {
    let long = "\u{e9}".repeat(2000);
    assert!(run("dry_test", || Err(Error::argument(long))) == dry_status::DRY_ERR_ARGUMENT);
    let message = message();
    // "dry_test: " and 507 letters of two bytes make the 1024.
    assert_eq!((message.len(), message.chars().filter(|letter| *letter == '\u{e9}').count()), (1024, 507));
}

#[test]
fn numbers_in_messages_are_short() {
    let numbers = [0.0, -0.5, 3.0, 1e-5, 1e15, 1e300, -2.5e-300, f64::NAN, f64::INFINITY];
    let texts = numbers.map(|number| Number(number).to_string());
    assert_eq!(texts, ["0", "-0.5", "3", "0.00001", "1000000000000000", "1e300", "-2.5e-300", "NaN", "inf"]);
}

/// In a process of its own, whose standard error can be looked at.
#[test]
fn a_panic_in_the_library_prints_nothing_and_others_do() {
    let child = |name: &str| {
        let name = format!("ffi::tests::guard::{name}");
        let program = std::env::current_exe().expect("the test's own path");
        let output = Command::new(program).args(["--exact", &name, "--ignored", "--nocapture"]).output();
        String::from_utf8_lossy(&output.expect("the test itself").stderr).into_owned()
    };
    assert_eq!(child("child_in_library"), "");
    assert!(child("child_outside").contains("outside of it"));
}

#[test]
#[ignore = "run by a_panic_in_the_library_prints_nothing_and_others_do"]
fn child_in_library() {
    assert!(run("dry_test", || panic!("in the library")) == dry_status::DRY_ERR_INTERNAL);
}

#[test]
#[ignore = "run by a_panic_in_the_library_prints_nothing_and_others_do"]
#[should_panic(expected = "outside of it")]
fn child_outside() {
    run("dry_test", || panic!("in the library"));
    panic!("outside of it");
}

#[test]
fn pointers_are_checked_before_they_are_used() {
    let number = 7.0_f64;
    assert!(present("x", &raw const number).is_ok());
    let null = present("x", std::ptr::null::<f64>()).expect_err("NULL");
    assert_eq!((null.kind, null.message.as_str()), (ErrorKind::Null, "x is NULL, expected a pointer"));
    let crooked = present("x", (&raw const number).cast::<u8>().wrapping_add(4).cast::<f64>()).expect_err("crooked");
    assert_eq!(crooked.kind, ErrorKind::Argument);
    assert!(crooked.message.ends_with("expected an address divisible by 8"), "{}", crooked.message);
}

#[test]
fn counts_are_checked_before_memory_is() {
    // isize::MAX / 24 elements of 24 bytes are countable, one more is not.
    let limit = isize::MAX as usize / 24;
    assert!(countable("n", limit, 24).is_ok());
    assert_eq!(countable("n", limit + 1, 24).expect_err("too many").kind, ErrorKind::Argument);
    assert_eq!(countable("n", usize::MAX, 24).expect_err("overflow").kind, ErrorKind::Argument);
    let points = [[0.0_f64; 3]; 2];
    // SAFETY: two elements are there; the absurd count fails before anything is read.
    let (two, absurd) = unsafe { (copied(["x", "n"], points.as_ptr(), 2), copied(["x", "n"], points.as_ptr(), limit)) };
    assert_eq!(two.expect("two").len(), 2);
    assert_eq!(absurd.expect_err("absurd").kind, ErrorKind::Memory);
}

#[test]
fn a_buffer_gets_all_or_nothing() {
    let (mut items, mut count) = ([0_u64; 3], 0);
    let mut fill = |capacity: usize, null: bool, number: u64| {
        let first = if null { std::ptr::null_mut() } else { items.as_mut_ptr() };
        // SAFETY: room for three items and a count.
        let buffer = unsafe { buffer("items", first, 8, capacity, &raw mut count) }?;
        buffer.fill("items", number as usize, 1..=number)
    };
    assert_eq!(fill(2, false, 3).expect_err("too few").kind, ErrorKind::Capacity);
    assert!(fill(0, true, 3).is_ok());
    assert_eq!(fill(0, false, 3).expect_err("no room").kind, ErrorKind::Capacity);
    assert_eq!(fill(3, true, 3).expect_err("NULL").kind, ErrorKind::Null);
    assert!(fill(3, false, 2).is_ok());
    assert_eq!((items, count), ([1, 2, 0], 2));
}

#[test]
fn an_output_is_written_once_it_is_complete() {
    let mut place = 0_u32;
    // SAFETY: a place for a number.
    let checked: Output<u32> = unsafe { output("x", &raw mut place) }.expect("a place");
    checked.write(7);
    assert_eq!(place, 7);
}
