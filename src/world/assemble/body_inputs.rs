//! What the contacts of a body need of it at the start of a substep: one cache line, so that eight bodies are read at once.
//!
//! `[x y z  radius  v.x v.y v.z  material]`: the centre and the radius of its shape [m], the velocity of its centre of mass [m/s], and the slot
//! of its material.

use crate::body::Motion;
use crate::collide::Ball;
use crate::math::Vec3;
use crate::math::lanes::{Lanes, Lines, Places, Vec3s, Wide};

/// The bodies of eight contacts, on one side.
#[derive(Clone, Copy)]
pub(super) struct BodyInputs<L> {
    pub(super) center: Vec3s<L>,
    pub(super) radius: L,
    pub(super) velocity: Vec3s<L>,
    pub(super) material: L,
}

impl<L: Lanes> BodyInputs<L> {
    /// Gathers the bodies of some rows.
    #[inline(always)]
    pub(super) fn gather(inputs: Lines, rows: &Places, first: usize) -> Self {
        let [x, y, z, radius, v_x, v_y, v_z, material] = L::gather(inputs, rows, first);
        Self { center: Vec3s::new(x, y, z), radius, velocity: Vec3s::new(v_x, v_y, v_z), material }
    }

    /// Returns the distance from the origin plus the size. The round-off of gaps is in proportion to it [m].
    #[inline(always)]
    pub(super) fn reach(&self) -> L {
        self.center.dot(self.center).root() + size_of(self.radius)
    }
}

/// The input of no body.
pub(super) const NONE: Wide = Wide::splat(0.0);

/// Returns the input of a body that takes no part in the step.
#[inline(always)]
pub(super) fn resting(ball: &Ball, material: u32) -> Wide {
    let Ball { center, radius } = ball;
    Wide([center.x, center.y, center.z, *radius, 0.0, 0.0, 0.0, f64::from(material)])
}

/// Returns the input of a body whose centre of mass has this velocity.
#[inline(always)]
pub(super) fn moving(ball: &Ball, material: u32, velocity: &Vec3) -> Wide {
    let (Ball { center, radius }, v) = (ball, velocity);
    Wide([center.x, center.y, center.z, *radius, v.x, v.y, v.z, f64::from(material)])
}

/// Returns how much faster than its centre of mass any contact point of a body moves at most, round-off included [m/s]. `center` is the
/// centre of mass in body axes, `radius` that of the shape, `margin` the contact margin [m].
pub(super) fn max_point_speed(motion: &Motion, center: &Vec3, radius: f64, margin: f64) -> f64 {
    // From the centre of mass to the shape's origin, and from there to the surface.
    let arm = center.norm() + radius + margin;
    let spin = motion.angular.norm();
    let turning = if spin == 0.0 { 0.0 } else { spin * arm };
    // More than round-off could add.
    1.001 * turning + 1e-9 * motion.linear.norm()
}

/// Returns the slot of the material that an input has in its last number.
#[inline(always)]
pub(super) fn material_of(material: f64) -> u32 {
    material as u32
}

/// Returns the slot of the material.
#[inline(always)]
pub(super) fn material(input: &Wide) -> u32 {
    material_of(input.0[7])
}

/// Returns whether eight materials are the same.
#[inline(always)]
pub(super) fn are_one_material(materials: &Wide) -> bool {
    materials.0.iter().fold(true, |same, material| same & (*material == materials.0[0]))
}

/// Returns the radius of the shape [m]; 0 for a half-space.
pub(super) fn size(input: &Wide) -> f64 {
    size_of(input.0[3])
}

/// Returns the radius of what is bounded [m].
#[inline(always)]
fn size_of<L: Lanes>(radius: L) -> L {
    L::pick(L::above(L::splat(f64::INFINITY), radius), radius, L::splat(0.0))
}
