//! Names of objects. Each name belongs to one object alone, and a call reports when that object is gone.

use std::ptr::null;
use std::sync::Arc;

use crate::error::ErrorKind;
use crate::ffi::live::Live;

#[test]
fn an_object_is_found_until_it_is_destroyed() {
    let live = Live::new("thing");
    let (seven, eight) = (live.insert(7).expect("memory"), live.insert(8).expect("memory"));
    assert_eq!((*live.get(seven).expect("7"), *live.get(eight).expect("8")), (7, 8));
    live.destroy(seven).expect("there");
    let gone = live.get(seven).expect_err("gone");
    assert_eq!(gone.kind, ErrorKind::StaleHandle);
    let expected = ", expected a pointer from dry_thing_create, before its dry_thing_destroy";
    assert!(gone.message.starts_with("thing is 0x") && gone.message.ends_with(expected), "{gone}");
    assert_eq!(live.destroy(seven).expect_err("twice").kind, ErrorKind::StaleHandle);
    assert_eq!(*live.get(eight).expect("untouched"), 8);
}

#[test]
fn null_and_unknown_handles_are_distinguished() {
    let live = Live::new("thing");
    let name = live.insert(7).expect("memory");
    assert_eq!(live.get(null()).expect_err("NULL").kind, ErrorKind::Null);
    live.destroy(null()).expect("nothing to do");
    // An address of the host's own, one beside a name, and the name of another type.
    let number = 1;
    for pointer in [&raw const number, name.cast_const().wrapping_byte_add(1)] {
        assert_eq!(live.get(pointer).expect_err("no name").kind, ErrorKind::StaleHandle);
    }
    let other = Live::new("other");
    assert_eq!(other.get(name).expect_err("another type").kind, ErrorKind::StaleHandle);
    assert_ne!(other.insert(7).expect("memory"), name);
}

/// An address may come back; a name does not.
#[test]
fn no_name_is_used_again() {
    let live = Live::new("thing");
    let first = live.insert(0).expect("memory");
    for number in 1..1000 {
        let name = live.insert(number).expect("memory");
        assert_ne!(name, first);
        live.destroy(name).expect("there");
    }
    assert_eq!(*live.get(first).expect("there"), 0);
}

#[test]
fn an_object_in_use_lasts_until_the_call_ends() {
    let live = Live::new("thing");
    let object = Arc::new(());
    let name = live.insert(object.clone()).expect("memory");
    let used = live.get(name).expect("there");
    live.destroy(name).expect("there");
    assert_eq!(Arc::strong_count(&object), 2);
    drop(used);
    assert_eq!(Arc::strong_count(&object), 1);
}
