//! One body of a general contact, in each lane one, from reading it to writing it.

use crate::math::lanes::{Lanes, Places, Vec3s};
use crate::solver::wide::Ground;
use crate::solver::wide::lines::Bodies;

/// A body and what its line of masses says.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side<L> {
    pub(super) body: Bodies<L>,
    inverse_mass: Vec3s<L>,
    /// `xx yy zz xy yz xz`
    inverse_inertia: [L; 6],
}

impl<L: Lanes> Side<L> {
    /// The bodies that were gathered from `places`, with their masses.
    #[inline(always)]
    pub(super) fn new(body: Bodies<L>, ground: Ground, places: &Places, first: usize) -> Self {
        let [xx, yy, zz, xy, yz, xz, mass_y, mass_z] = L::gather(ground.masses, places, first);
        let inverse_mass = Vec3s::new(body.inverse_mass, mass_y, mass_z);
        Self { body, inverse_mass, inverse_inertia: [xx, yy, zz, xy, yz, xz] }
    }

    /// Back to where they were.
    #[inline(always)]
    pub(super) fn scatter(self, ground: Ground, places: &Places, first: usize) {
        self.body.scatter(ground.bodies, places, first);
    }

    /// What a torque changes.
    #[inline(always)]
    pub(super) fn answer(&self, torque: Vec3s<L>) -> Vec3s<L> {
        let [xx, yy, zz, xy, yz, xz] = self.inverse_inertia;
        let Vec3s { x, y, z } = torque;
        Vec3s::new(xx * x + xy * y + xz * z, xy * x + yy * y + yz * z, xz * x + yz * y + zz * z)
    }

    /// What an impulse with a moment about the centre of mass changes.
    #[inline(always)]
    pub(super) fn answers(&self, impulse: Vec3s<L>, moment: Vec3s<L>) -> [Vec3s<L>; 2] {
        [impulse.scaled(self.inverse_mass), self.answer(moment)]
    }

    /// The trace of what impulses at `arm` change there: that of `-[r] J [r]` is `tr J r^2 - r J r`.
    #[inline(always)]
    pub(super) fn trace_at(&self, arm: Vec3s<L>) -> L {
        let (masses, [xx, yy, zz, ..]) = (self.inverse_mass, self.inverse_inertia);
        masses.x + masses.y + masses.z + (xx + yy + zz) * arm.dot(arm) - arm.dot(self.answer(arm))
    }

    /// With an impulse at `arm`.
    #[inline(always)]
    pub(super) fn pushed(mut self, impulse: Vec3s<L>, arm: Vec3s<L>) -> Self {
        self.body.linear = self.body.linear + impulse.scaled(self.inverse_mass);
        self.body.angular = self.body.angular + self.answer(arm.cross(impulse));
        self
    }

    /// With the opposite of an impulse at `arm`.
    #[inline(always)]
    pub(super) fn pulled(mut self, impulse: Vec3s<L>, arm: Vec3s<L>) -> Self {
        self.body.linear = self.body.linear - impulse.scaled(self.inverse_mass);
        self.body.angular = self.body.angular - self.answer(arm.cross(impulse));
        self
    }
}
