//! The examples of masonry, whose small size takes some seconds, and whose judges are all to pass.

#![allow(clippy::expect_used, clippy::panic)] // a test fails by panicking

#[path = "support/example.rs"]
mod example;

use example::all_pass;

#[test]
fn arches_have_the_thickness_of_milankovitch() {
    all_pass("masonry_arches");
}

#[test]
fn blocks_fall_at_closed_forms() {
    all_pass("masonry_blocks");
}

#[test]
fn what_stands_below_its_limit_falls_above() {
    all_pass("masonry_collapse");
}
