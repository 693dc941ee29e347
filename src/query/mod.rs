//! Read-only answers about the last completed step.

pub mod contacts;
pub mod stress;

#[cfg(test)]
mod tests;
