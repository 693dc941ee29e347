//! One body of a general contact, in each lane one, from reading it to writing it.

use crate::math::lanes::{Lanes, Lines, Places, Vec3s};

/// A body: `[v w 1/m_x 1/I]` and its line of masses.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side<L> {
    pub(super) linear: Vec3s<L>,
    pub(super) angular: Vec3s<L>,
    inverse_mass: Vec3s<L>,
    /// `xx yy zz xy yz xz`
    inverse_inertia: [L; 6],
    /// Not used here, and written back as it was.
    last: L,
}

impl<L: Lanes> Side<L> {
    /// The bodies at `places`.
    #[inline(always)]
    pub(super) fn gather(lines: Lines, masses: Lines, places: &Places, first: usize) -> Self {
        let [vx, vy, vz, wx, wy, wz, mass_x, last] = L::gather(lines, places, first);
        let [xx, yy, zz, xy, yz, xz, mass_y, mass_z] = L::gather(masses, places, first);
        Self {
            linear: Vec3s::new(vx, vy, vz),
            angular: Vec3s::new(wx, wy, wz),
            inverse_mass: Vec3s::new(mass_x, mass_y, mass_z),
            inverse_inertia: [xx, yy, zz, xy, yz, xz],
            last,
        }
    }

    /// Back to where they were.
    #[inline(always)]
    pub(super) fn scatter(self, lines: Lines, places: &Places, first: usize) {
        let (v, w) = (self.linear, self.angular);
        L::scatter(lines, places, first, [v.x, v.y, v.z, w.x, w.y, w.z, self.inverse_mass.x, self.last]);
    }

    /// The velocity of the point at `arm`.
    #[inline(always)]
    pub(super) fn at(&self, arm: Vec3s<L>) -> Vec3s<L> {
        self.linear + self.angular.cross(arm)
    }

    /// What a torque changes.
    #[inline(always)]
    pub(super) fn answer(&self, torque: Vec3s<L>) -> Vec3s<L> {
        let [xx, yy, zz, xy, yz, xz] = self.inverse_inertia;
        let Vec3s { x, y, z } = torque;
        Vec3s::new(xx * x + xy * y + xz * z, xy * x + yy * y + yz * z, xz * x + yz * y + zz * z)
    }

    /// With an impulse at `arm`.
    #[inline(always)]
    pub(super) fn pushed(self, impulse: Vec3s<L>, arm: Vec3s<L>) -> Self {
        let (linear, angular) = (impulse.scaled(self.inverse_mass), self.answer(arm.cross(impulse)));
        Self { linear: self.linear + linear, angular: self.angular + angular, ..self }
    }

    /// With the opposite of an impulse at `arm`.
    #[inline(always)]
    pub(super) fn pulled(self, impulse: Vec3s<L>, arm: Vec3s<L>) -> Self {
        let (linear, angular) = (impulse.scaled(self.inverse_mass), self.answer(arm.cross(impulse)));
        Self { linear: self.linear - linear, angular: self.angular - angular, ..self }
    }
}
