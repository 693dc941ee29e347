//! Contact laws: what fills the bias and the compliance of a contact's rows.

pub mod rigid;

#[cfg(test)]
mod tests;
