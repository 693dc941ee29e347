//! Contact problems out of other people's simulations: files that are not part of the project.
//!
//! They are looked for in the folder that `DRYSTONE_PROBLEMS` names, else in `../shared/problems` beside the project.
//! Where there is none, these tests print this and pass, but with `CI=true` they fail.

#![allow(clippy::expect_used, clippy::panic)] // a test fails by panicking

#[path = "support/dsfc.rs"]
mod dsfc;
mod support;

use std::path::PathBuf;

use dsfc::{Dsfc, files};
use support::host::c;

/// The folder of the files. Where there is none, the tests are skipped.
fn folder() -> Option<PathBuf> {
    let found = dsfc::folder();
    if found.is_none() {
        support::skipped("problems", "no folder of contact problems (DRYSTONE_PROBLEMS names one)");
    }
    found
}

#[test]
fn solved_through_the_c_interface() {
    let Some(folder) = folder() else { return };
    let printed = c(&["problems.c"]).argument(folder.to_str().expect("a path in UTF-8")).run("problems");
    println!("{printed}");
}

/// `W` and `q` made from the bodies and contacts of a file are those of the file.
#[test]
fn operators_made_from_bodies_are_those_of_the_files() {
    let Some(folder) = folder() else { return };
    let mut with_bodies = 0;
    for file in files(&folder) {
        let dsfc = Dsfc::read(&file).expect("a file");
        let Some((worst_w, worst_q)) = dsfc.compare() else { continue };
        println!("{}: W {worst_w:e}, q {worst_q:e}", dsfc.name);
        // relative to the largest entry: sums of some ten products each
        assert!(worst_w <= 1e-12 && worst_q <= 1e-12, "{}: W {worst_w:e}, q {worst_q:e}", dsfc.name);
        with_bodies += 1;
    }
    assert!(with_bodies >= 5, "only {with_bodies} files with bodies");
}
