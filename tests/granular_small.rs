//! The examples of granular matter whose small size takes less than two minutes, and whose judges are all to pass.

#![allow(clippy::expect_used, clippy::panic)] // a test fails by panicking

#[path = "support/example.rs"]
mod example;

use example::all_pass;

#[test]
fn columns_have_the_heights_of_hertz() {
    all_pass("granular_column");
}

#[test]
fn a_silo_carries_its_weight() {
    all_pass("granular_silo");
}

#[test]
fn a_circuit_loses_no_grain() {
    all_pass("granular_circuit");
}
