#![allow(clippy::expect_used)] // a test fails by panicking

mod pieces;
