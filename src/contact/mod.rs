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
pub use saved_geometry::{FromBodies, check_geometry};
pub use saved_memory::{check_frame, check_impulses};
pub use surface::{Mixing, StiffnessLaw, Surface};
