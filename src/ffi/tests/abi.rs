//! `docs/abi.md` and the structures say the same.

use std::collections::BTreeMap;

use crate::ffi::body_types::{dry_body_def, dry_body_state};
use crate::ffi::contact_type::dry_contact;
use crate::ffi::materials::{dry_material_def, dry_pair_def};
use crate::ffi::problem::{
    dry_contact_solution, dry_local_problem, dry_problem, dry_problem_body, dry_problem_contact, dry_problem_row,
    dry_solution,
};
use crate::ffi::report::dry_step_report;
use crate::ffi::settings::dry_settings;
use crate::ffi::structure::Recorded;
use crate::ffi::tasks::dry_task_callbacks;
use crate::ffi::world::dry_world_def;

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
        growing::<dry_step_report>(),
        growing::<dry_material_def>(),
        growing::<dry_pair_def>(),
        growing::<dry_body_def>(),
        growing::<dry_contact>(),
        growing::<dry_problem>(),
        growing::<dry_solution>(),
        growing::<dry_local_problem>(),
        frozen::<dry_body_state>("dry_body_state"),
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
