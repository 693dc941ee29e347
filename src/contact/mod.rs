//! Contacts and what is kept of them between steps: materials and mixing, keys, matching, impulses for the warm start.
//!
//! Only [`memory`] keeps impulses from one step to the next, except those of sleeping bodies.

pub mod anchor;
pub mod elastic_force;
pub mod impulse_cache;
pub mod material;
pub mod memory;
pub mod record;
mod saved_geometry;
mod saved_history;
mod saved_memory;
pub mod state;
pub mod surface;

#[cfg(test)]
mod tests;

pub use elastic_force::ElasticForce;
pub use impulse_cache::{ImpulseCache, Marks, in_lane};
pub use memory::{MatchContext, Memory};
pub use record::{
    ContactGeometry, ContactList, ContactRecord, ContactState, ContactView, FrictionFrame, PointGeometry,
};
pub use saved_geometry::{FromBodies, check_geometry, load_geometry, save_geometry};
pub use saved_history::{ContactHistory, check_impulses};
pub use saved_memory::{Widths, load_counts, save_counts};
pub use surface::{Mixing, StiffnessLaw, Surface};
