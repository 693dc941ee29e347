#![allow(clippy::expect_used, clippy::panic)] // a test fails by panicking

mod pieces;
#[cfg(feature = "threads")]
mod pool;
mod shared;
