//! Workspaces that most worlds never need.

use crate::error::{Result, out_of_memory};

/// A workspace that its first use makes.
#[derive(Debug)]
pub struct OnDemand<T>(Vec<T>);

impl<T> Default for OnDemand<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Default> OnDemand<T> {
    /// Returns the workspace, or fails if memory is exhausted.
    pub fn get(&mut self) -> Result<&mut T> {
        let Self(made) = self;
        if made.is_empty() {
            // A `Vec` and not a `Box`, which would end the process if memory is exhausted.
            made.try_reserve_exact(1).map_err(|_| out_of_memory("workspaces", 1))?;
            made.push(T::default());
        }
        // There is one.
        Ok(&mut made[0])
    }

    /// Returns the workspace if there is one.
    pub fn made(&self) -> Option<&T> {
        self.0.first()
    }
}
