//! One body of a general contact, in each lane one, from reading it to writing it.

use crate::math::lanes::{Lanes, Places, Vec3s, Wide};
use crate::solver::wide::Ground;
use crate::solver::wide::general::loaded;
use crate::solver::wide::lines::Bodies;

/// The inverse mass matrix of a body, world axes.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct Mass<L> {
    pub(in crate::solver) linear: Vec3s<L>,
    /// `xx yy zz xy yz xz`
    pub(in crate::solver) angular: [L; 6],
}

impl<L: Lanes> Mass<L> {
    /// From its nine numbers, linear before angular.
    #[inline(always)]
    pub(super) fn load(from: &[Wide; 9], first: usize) -> Self {
        let [x, y, z, angular @ ..] = loaded(from, first);
        Self { linear: Vec3s::new(x, y, z), angular }
    }

    /// What a torque changes.
    #[inline(always)]
    pub(in crate::solver) fn answer(&self, torque: Vec3s<L>) -> Vec3s<L> {
        let [xx, yy, zz, xy, yz, xz] = self.angular;
        let Vec3s { x, y, z } = torque;
        Vec3s::new(xx * x + xy * y + xz * z, xy * x + yy * y + yz * z, xz * x + yz * y + zz * z)
    }

    /// What an impulse with a moment about the centre of mass changes.
    #[inline(always)]
    pub(in crate::solver) fn answers(&self, impulse: Vec3s<L>, moment: Vec3s<L>) -> [Vec3s<L>; 2] {
        [impulse.scaled(self.linear), self.answer(moment)]
    }

    /// The trace of what impulses at `arm` change there: that of `-[r] J [r]` is `tr J r^2 - r J r`.
    #[inline(always)]
    pub(super) fn trace_at(&self, arm: Vec3s<L>) -> L {
        let ([xx, yy, zz, ..], masses) = (self.angular, self.linear);
        masses.x + masses.y + masses.z + (xx + yy + zz) * arm.dot(arm) - arm.dot(self.answer(arm))
    }
}

/// A body and its mass.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side<L> {
    pub(super) body: Bodies<L>,
    pub(super) mass: Mass<L>,
}

impl<L: Lanes> Side<L> {
    /// The bodies that were gathered from `places`, with their masses.
    #[inline(always)]
    pub(super) fn new(body: Bodies<L>, ground: Ground, places: &Places, first: usize) -> Self {
        let [xx, yy, zz, xy, yz, xz, mass_y, mass_z] = L::gather(ground.masses, places, first);
        let linear = Vec3s::new(body.inverse_mass, mass_y, mass_z);
        Self { body, mass: Mass { linear, angular: [xx, yy, zz, xy, yz, xz] } }
    }

    /// Back to where they were.
    #[inline(always)]
    pub(super) fn scatter(self, ground: Ground, places: &Places, first: usize) {
        self.body.scatter(ground.bodies, places, first);
    }

    /// With an impulse at `arm`.
    #[inline(always)]
    pub(super) fn pushed(mut self, impulse: Vec3s<L>, arm: Vec3s<L>) -> Self {
        let [linear, angular] = self.mass.answers(impulse, arm.cross(impulse));
        (self.body.linear, self.body.angular) = (self.body.linear + linear, self.body.angular + angular);
        self
    }

    /// With the opposite of an impulse at `arm`.
    #[inline(always)]
    pub(super) fn pulled(mut self, impulse: Vec3s<L>, arm: Vec3s<L>) -> Self {
        let [linear, angular] = self.mass.answers(impulse, arm.cross(impulse));
        (self.body.linear, self.body.angular) = (self.body.linear - linear, self.body.angular - angular);
        self
    }
}
