//! What the experiments of [N] share: outlines of grains, worlds of them, and pictures.
//!
//! [N] is the chapter "A contact dynamics formulation" of a thesis on grains whose outlines are NURBS curves; docs/grains.md names it.

#![allow(dead_code)] // no program uses all of it

pub(crate) mod assembly;
pub(crate) mod outline;
pub(crate) mod picture;
