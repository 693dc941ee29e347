//! Structures that have grown, read from and written to old and new hosts. Their recorded sizes are those in `docs/abi.md`.

use std::collections::BTreeMap;

use crate::error::{ErrorKind, Result};
use crate::ffi::body_types::{dry_body_def, dry_body_state};
use crate::ffi::clumps::dry_clump_part;
use crate::ffi::curves::dry_nurbs_curve_def;
use crate::ffi::fields::dry_field;
use crate::ffi::joint_types::dry_joint_def;
use crate::ffi::joint_types_axis::{dry_joint_axis, dry_joint_state};
use crate::ffi::joints_events::dry_joint_event;
use crate::ffi::materials::{dry_material_def, dry_pair_def};
use crate::ffi::overlaps::{dry_overlap, dry_shape_pose};
use crate::ffi::problem::{
    dry_contact_solution, dry_local_problem, dry_problem, dry_problem_body, dry_problem_contact, dry_problem_row,
    dry_solution,
};
use crate::ffi::queries::dry_contact;
use crate::ffi::run::dry_run_progress;
use crate::ffi::settings::dry_settings;
use crate::ffi::solver_progress::dry_solver_progress;
use crate::ffi::statics::{dry_static_def, dry_static_report};
use crate::ffi::step::dry_step_report;
use crate::ffi::structure::{
    Recorded, init, known_size, known_struct_size, output_of_size, output_or_null, read, read_each, read_onto,
    structure,
};
use crate::ffi::tasks::dry_task_callbacks;
use crate::ffi::vtk::dry_vtk_def;
use crate::ffi::world::dry_world_def;

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

structure!(New, second);

const OLD: usize = size_of::<Old>();
const NEW: usize = size_of::<New>();

/// An old host's structure, with a guard behind it that must not change.
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
        output_or_null("x", place).expect("an old size").write(New::default());
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
    let numbers = |value: New| Ok((value.first, value.second));
    // SAFETY: two old structures are there.
    let seen = unsafe { read_each(["x", "numbers"], [first, second].as_ptr().cast::<New>(), 2, numbers) };
    assert_eq!(seen.expect("old sizes"), [(1.0, 2.0), (2.0, 2.0)]);
    second.struct_size = NEW;
    // SAFETY: as above.
    let mixed = unsafe { read_each(["x", "numbers"], [first, second].as_ptr().cast::<New>(), 2, numbers) };
    let error = mixed.expect_err("sizes differ");
    assert_eq!(
        (error.kind, error.message.as_str()),
        (ErrorKind::Abi, "x[1].struct_size is 24, expected 16 as in x[0]")
    );
}

#[test]
fn a_size_that_never_was_is_refused_with_those_that_were() {
    let refused = |found: Result<()>, name, remedy| {
        let error = found.expect_err("no such size");
        assert_eq!(error.kind, ErrorKind::Abi);
        let expected = format!("{name} is 20, expected 16 or 24, the size of New in this library; {remedy}");
        assert_eq!(error.message, expected);
    };
    refused(known_size::<New>("size", 20), "size", "pass sizeof(New)");
    let way = "the caller zeroes the structure and sets it";
    refused(known_struct_size::<New>("x", 20), "x.struct_size", way);
}

fn growing<T: Recorded>() -> (String, String) {
    assert_eq!(T::SIZES.last(), Some(&size_of::<T>()), "{}: the last size is today's", T::NAME);
    assert!(T::SIZES.is_sorted_by(|a, b| a < b), "{}: sizes only grow", T::NAME);
    let sizes: Vec<String> = T::SIZES.iter().map(usize::to_string).collect();
    (T::NAME.to_string(), sizes.join(", "))
}

fn frozen<T>(name: &str) -> (String, String) {
    (name.to_string(), format!("frozen, {}", size_of::<T>()))
}

#[test]
#[cfg(target_pointer_width = "64")]
fn the_recorded_sizes_are_those_of_the_document() {
    let expected = BTreeMap::from([
        growing::<dry_settings>(),
        growing::<dry_world_def>(),
        growing::<dry_task_callbacks>(),
        growing::<dry_run_progress>(),
        growing::<dry_step_report>(),
        growing::<dry_material_def>(),
        growing::<dry_pair_def>(),
        growing::<dry_static_def>(),
        growing::<dry_static_report>(),
        growing::<dry_clump_part>(),
        growing::<dry_body_def>(),
        growing::<dry_joint_def>(),
        growing::<dry_joint_axis>(),
        growing::<dry_joint_state>(),
        growing::<dry_contact>(),
        growing::<dry_field>(),
        growing::<dry_vtk_def>(),
        growing::<dry_nurbs_curve_def>(),
        growing::<dry_problem>(),
        growing::<dry_solution>(),
        growing::<dry_local_problem>(),
        growing::<dry_solver_progress>(),
        frozen::<dry_shape_pose>("dry_shape_pose"),
        frozen::<dry_overlap>("dry_overlap"),
        frozen::<dry_body_state>("dry_body_state"),
        frozen::<dry_joint_event>("dry_joint_event"),
        frozen::<dry_problem_body>("dry_problem_body"),
        frozen::<dry_problem_contact>("dry_problem_contact"),
        frozen::<dry_problem_row>("dry_problem_row"),
        frozen::<dry_contact_solution>("dry_contact_solution"),
    ]);
    let row = |line: &str| {
        let (name, sizes) = line.strip_prefix("| `")?.split_once("` | ")?;
        Some((name.to_string(), sizes.strip_suffix(" |")?.to_string()))
    };
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/abi.md");
    let document = std::fs::read_to_string(path).expect("docs/abi.md");
    let documented: BTreeMap<String, String> = document.lines().filter_map(row).collect();
    assert_eq!(documented, expected);
}
