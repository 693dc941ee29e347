//! Read-only answers about the last completed step.

pub mod contacts;
pub mod force;

#[cfg(test)]
mod tests;
