//! A structure that has grown, read from and written to hosts of both ages.

use crate::error::Kind;
use crate::ffi::structure::{
    Recorded, Structure, init, known_size, output, output_of_size, read, read_each, read_onto,
};

/// As an old host knows it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
struct Old {
    struct_size: usize,
    first: f64,
}

/// As it is today.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
struct New {
    struct_size: usize,
    first: f64,
    second: f64,
}

impl Default for New {
    fn default() -> Self {
        Self { struct_size: size_of::<Self>(), first: 1.0, second: 2.0 }
    }
}

impl Recorded for New {
    const NAME: &'static str = "new";
    const SIZES: &'static [usize] = &[std::mem::offset_of!(Self, second), size_of::<Self>()];
}

// SAFETY: `repr(C)`, begins with its size, no padding, numbers alone.
unsafe impl Structure for New {}

const OLD: usize = size_of::<Old>();
const NEW: usize = size_of::<New>();

/// An old host's structure, with a guard behind it that nobody may touch.
fn old() -> [Old; 2] {
    [Old { struct_size: OLD, first: 7.0 }, Old { struct_size: 99, first: 99.0 }]
}

#[test]
fn what_an_old_host_lacks_has_its_default() {
    let host = old();
    // SAFETY: `OLD` bytes are there.
    let value = unsafe { read("x", host.as_ptr().cast::<New>()) }.expect("an old size");
    assert_eq!((value.first, value.second), (7.0, 2.0));
}

#[test]
fn a_setter_leaves_what_an_old_host_lacks() {
    let host = old();
    let present = New { struct_size: NEW, first: 3.0, second: 4.0 };
    // SAFETY: `OLD` bytes are there.
    let value = unsafe { read_onto("x", host.as_ptr().cast::<New>(), present) }.expect("an old size");
    assert_eq!((value.first, value.second), (7.0, 4.0));
}

#[test]
fn an_old_host_is_written_up_to_its_size() {
    let mut host = old();
    let place = host.as_mut_ptr().cast::<New>();
    // SAFETY: `OLD` bytes are there.
    unsafe {
        output("x", place).expect("an old size").write(New::default());
        assert_eq!(host, [Old { struct_size: OLD, first: 1.0 }, old()[1]]);
        host[0].first = 5.0;
        init("x", place, OLD).expect("an old size");
        assert_eq!(host, [Old { struct_size: OLD, first: 1.0 }, old()[1]]);
        let value = New { struct_size: NEW, first: 6.0, second: 6.0 };
        output_of_size("x", place, OLD).expect("an old size").write(value);
    }
    assert_eq!(host, [Old { struct_size: OLD, first: 6.0 }, old()[1]]);
}

#[test]
fn the_stride_of_an_array_is_the_size_of_its_first_element() {
    let [first, mut second] = [1.0, 2.0].map(|first| Old { struct_size: OLD, first });
    let mut seen = Vec::new();
    let mut take = |value: New| {
        seen.push((value.first, value.second));
        Ok(())
    };
    // SAFETY: two old structures are there.
    unsafe { read_each("x", [first, second].as_ptr().cast::<New>(), 2, &mut take) }.expect("old sizes");
    assert_eq!(seen, [(1.0, 2.0), (2.0, 2.0)]);
    second.struct_size = NEW;
    // SAFETY: as above.
    let mixed = unsafe { read_each("x", [first, second].as_ptr().cast::<New>(), 2, |_: New| Ok(())) };
    let error = mixed.expect_err("sizes differ");
    assert_eq!((error.kind, error.message.as_str()), (Kind::Abi, "x[1].struct_size is 24, expected 16 as in x[0]"));
}

#[test]
fn a_size_that_never_was_is_refused_with_those_that_were() {
    let error = known_size::<New>("x.struct_size", 20).expect_err("no such size");
    assert_eq!(error.kind, Kind::Abi);
    assert_eq!(error.message, "x.struct_size is 20, expected 16 or 24, the size of new in this library");
}
