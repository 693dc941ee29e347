//! What the contacts of a body ask of it besides its velocity: a line of the cache, so that eight are read at once.
//!
//! `[x y z  radius  material  reach  pace  0]`: where its shape is and how large, the bits of the slot of its material, its distance from the origin
//! plus its size, to which the round-off of gaps is in proportion [m], and a speed that none of its points exceeds at the start of the
//! substep [m/s].

use crate::body::Motion;
use crate::collide::Ball;
use crate::math::Vec3;
use crate::math::lanes::{Lanes, Lines, Places, Vec3s, Wide};

/// The bodies of eight contacts, on one side.
#[derive(Clone, Copy)]
pub(super) struct Sites<L> {
    pub(super) center: Vec3s<L>,
    pub(super) radius: L,
    pub(super) reach: L,
    pub(super) pace: L,
}

impl<L: Lanes> Sites<L> {
    /// Those at some places.
    #[inline(always)]
    pub(super) fn gather(sites: Lines, places: &Places, first: usize) -> Self {
        let [x, y, z, radius, _, reach, pace, _] = L::gather(sites, places, first);
        Self { center: Vec3s::new(x, y, z), radius, reach, pace }
    }
}

/// Before it is written.
pub(super) const NOWHERE: Wide = Wide::splat(0.0);

/// That of a body that takes no part.
#[inline(always)]
pub(super) fn resting(ball: &Ball, material: u32) -> Wide {
    let Ball { center, radius } = ball;
    Wide([
        center.x,
        center.y,
        center.z,
        *radius,
        f64::from_bits(u64::from(material)),
        center.norm() + size_of(*radius),
        0.0,
        0.0,
    ])
}

/// That of a body that moves so, whose shape has the centre of mass `center` in body axes, and whose contacts are at most
/// `margin` away [m].
#[inline(always)]
pub(super) fn moving(place: (&Ball, u32), (motion, center): (&Motion, &Vec3), margin: f64) -> Wide {
    let mut site = resting(place.0, place.1);
    // from the centre of mass to the shape's origin, and from there to the surface
    let arm = center.norm() + place.0.radius + margin;
    let spin = motion.angular.norm();
    let turning = if spin == 0.0 { 0.0 } else { spin * arm };
    // more than round-off could add
    site.0[6] = 1.001 * (motion.linear.norm() + turning);
    site
}

/// The slot of its material.
#[inline(always)]
pub(super) fn material(site: &Wide) -> u32 {
    site.0[4].to_bits() as u32
}

/// The radius of its shape.
#[inline(always)]
pub(super) fn radius(site: &Wide) -> f64 {
    site.0[3]
}

/// The radius of what is bounded [m].
pub(super) fn size(site: &Wide) -> f64 {
    size_of(radius(site))
}

/// The radius of what is bounded [m].
fn size_of(radius: f64) -> f64 {
    if radius.is_finite() { radius } else { 0.0 }
}
