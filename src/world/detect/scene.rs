//! The data from which the narrow phase finds the contacts of neighbours.

use crate::world::detect::fat_bounds::DetectInput;
use crate::world::detect::proxies::Proxies;
use crate::world::detect::seams::Seams;

/// The bodies, their proxies, and the seams between static bodies.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub(super) input: &'a DetectInput<'a>,
    pub(super) proxies: &'a Proxies,
    pub(super) seams: &'a Seams,
}
