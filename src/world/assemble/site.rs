//! What the contacts of a body ask of it at the start of the substep: a line of the cache, so that eight are read at once.
//!
//! `[x y z  radius  v.x v.y v.z  surface]`: where its shape is and how large, how fast its centre of mass moves [m/s], and in the bits of
//! one number the slot of its material and its [play](play).

use crate::body::Motion;
use crate::collide::Ball;
use crate::math::Vec3;
use crate::math::lanes::{Lanes, Lines, Places, Vec3s, Wide};

/// The bodies of eight contacts, on one side.
#[derive(Clone, Copy)]
pub(super) struct Sites<L> {
    pub(super) center: Vec3s<L>,
    pub(super) radius: L,
    pub(super) velocity: Vec3s<L>,
    /// Bits, of which [`material_of`] tells.
    pub(super) surface: L,
}

impl<L: Lanes> Sites<L> {
    /// Those at some places.
    #[inline(always)]
    pub(super) fn gather(sites: Lines, places: &Places, first: usize) -> Self {
        let [x, y, z, radius, v_x, v_y, v_z, surface] = L::gather(sites, places, first);
        Self { center: Vec3s::new(x, y, z), radius, velocity: Vec3s::new(v_x, v_y, v_z), surface }
    }

    /// The distance from the origin plus the size, to which the round-off of gaps is in proportion [m].
    #[inline(always)]
    pub(super) fn reach(&self) -> L {
        self.center.dot(self.center).root() + size_of(self.radius)
    }
}

/// Before it is written.
pub(super) const NOWHERE: Wide = Wide::splat(0.0);

/// That of a body that takes no part.
#[inline(always)]
pub(super) fn resting(ball: &Ball, material: u32) -> Wide {
    let Ball { center, radius } = ball;
    Wide([center.x, center.y, center.z, *radius, 0.0, 0.0, 0.0, surface(material, 0.0)])
}

/// That of a body that moves so, whose shape has the centre of mass `center` in body axes, and whose contacts are at most
/// `margin` away [m].
#[inline(always)]
pub(super) fn moving(place: (&Ball, u32), (motion, center): (&Motion, &Vec3), margin: f64) -> Wide {
    let (Ball { center: at, radius }, v) = (place.0, &motion.linear);
    // from the centre of mass to the shape's origin, and from there to the surface
    let arm = center.norm() + radius + margin;
    let spin = motion.angular.norm();
    let turning = if spin == 0.0 { 0.0 } else { spin * arm };
    // more than round-off could add
    let play = 1.001 * turning + 1e-9 * v.norm();
    Wide([at.x, at.y, at.z, *radius, v.x, v.y, v.z, surface(place.1, play)])
}

fn surface(material: u32, play: f64) -> f64 {
    f64::from_bits(u64::from((play as f32).to_bits()) << 32 | u64::from(material))
}

/// How much faster than its centre of mass any of its points moves at most, round-off included [m/s].
pub(super) fn play(site: &Wide) -> f64 {
    f64::from(f32::from_bits((site.0[7].to_bits() >> 32) as u32))
}

/// The slot of its material.
#[inline(always)]
pub(super) fn material(site: &Wide) -> u32 {
    material_of(site.0[7])
}

/// The slot of the material in the bits of a surface.
#[inline(always)]
pub(super) fn material_of(surface: f64) -> u32 {
    surface.to_bits() as u32
}

/// Whether these surfaces are of the same material.
#[inline(always)]
pub(super) fn are_of_one_material(surfaces: &Wide) -> bool {
    let first = surfaces.0[0].to_bits();
    surfaces.0.iter().fold(0, |differ, surface| differ | (surface.to_bits() ^ first)) as u32 == 0
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
#[inline(always)]
fn size_of<L: Lanes>(radius: L) -> L {
    L::pick(L::above(L::splat(f64::INFINITY), radius), radius, L::splat(0.0))
}
