//! One body of a general contact, in each lane one, from reading it to writing it.

use crate::math::lanes::{Lanes, Places, Vec3s, Wide};
use crate::solver::wide::Ground;
use crate::solver::wide::lines::{self, Bodies, loaded};

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

    /// Those of bodies that were gathered from `places`.
    #[inline(always)]
    pub(super) fn gather(body: &Bodies<L>, ground: Ground, places: &Places, first: usize) -> Self {
        let [xx, yy, zz, xy, yz, xz, mass_y, mass_z] = L::gather(ground.masses, places, first);
        Self { linear: Vec3s::new(body.inverse_mass, mass_y, mass_z), angular: [xx, yy, zz, xy, yz, xz] }
    }

    /// The trace of what impulses at `arm` change there: that of `-[r] J [r]` is `tr J r^2 - r J r`.
    #[inline(always)]
    pub(super) fn trace_at(&self, arm: Vec3s<L>) -> L {
        let ([xx, yy, zz, ..], masses) = (self.angular, self.linear);
        masses.x + masses.y + masses.z + (xx + yy + zz) * arm.dot(arm) - arm.dot(self.answer(arm))
    }
}

/// What impulses change, by an inverse mass matrix in world axes.
pub(in crate::solver) trait Answers<L: Lanes>: Copy {
    /// What an impulse changes.
    fn shift(&self, impulse: Vec3s<L>) -> Vec3s<L>;
    /// What a torque changes.
    fn answer(&self, torque: Vec3s<L>) -> Vec3s<L>;

    /// What an impulse with a moment about the centre of mass changes.
    #[inline(always)]
    fn answers(&self, impulse: Vec3s<L>, moment: Vec3s<L>) -> [Vec3s<L>; 2] {
        [self.shift(impulse), self.answer(moment)]
    }
}

impl<L: Lanes> Answers<L> for Mass<L> {
    #[inline(always)]
    fn shift(&self, impulse: Vec3s<L>) -> Vec3s<L> {
        impulse.scaled(self.linear)
    }

    #[inline(always)]
    fn answer(&self, torque: Vec3s<L>) -> Vec3s<L> {
        let [xx, yy, zz, xy, yz, xz] = self.angular;
        let Vec3s { x, y, z } = torque;
        Vec3s::new(xx * x + xy * y + xz * z, xy * x + yy * y + yz * z, xz * x + yz * y + zz * z)
    }
}

/// The inverse mass matrix of a body that answers alike in all directions: a cube, a sphere.
#[derive(Debug, Clone, Copy)]
pub(super) struct Isotropic<L> {
    linear: L,
    angular: L,
}

impl<L: Lanes> Isotropic<L> {
    #[inline(always)]
    fn new(body: &Bodies<L>) -> Self {
        Self { linear: body.inverse_mass, angular: body.inverse_inertia }
    }
}

impl<L: Lanes> Answers<L> for Isotropic<L> {
    #[inline(always)]
    fn shift(&self, impulse: Vec3s<L>) -> Vec3s<L> {
        impulse * self.linear
    }

    #[inline(always)]
    fn answer(&self, torque: Vec3s<L>) -> Vec3s<L> {
        torque * self.angular
    }
}

/// Where a contact has the masses of its bodies from, once its impulse is known.
pub(super) trait Masses<L: Lanes>: Copy {
    type Mass: Answers<L>;

    /// Those of `bodies`, which were gathered from `places`.
    fn of(&self, bodies: [&Bodies<L>; 2], ground: Ground, places: [&Places; 2], first: usize) -> [Self::Mass; 2];
}

/// They are asked for late: what the solve works on fills the registers, and they come while it is solved.
#[derive(Clone, Copy)]
pub(super) struct Late;

/// They stand in the lines of the bodies, which answer alike in all directions.
#[derive(Clone, Copy)]
pub(super) struct InLines;

impl<L: Lanes> Masses<L> for Late {
    type Mass = Mass<L>;

    #[inline(always)]
    fn of(&self, [a, b]: [&Bodies<L>; 2], ground: Ground, places: [&Places; 2], first: usize) -> [Mass<L>; 2] {
        [Mass::gather(a, ground, places[0], first), Mass::gather(b, ground, places[1], first)]
    }
}

impl<L: Lanes> Masses<L> for InLines {
    type Mass = Isotropic<L>;

    #[inline(always)]
    fn of(&self, [a, b]: [&Bodies<L>; 2], _: Ground, _: [&Places; 2], _: usize) -> [Isotropic<L>; 2] {
        [Isotropic::new(a), Isotropic::new(b)]
    }
}

/// A body that an impulse changes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side<L, M = Mass<L>> {
    /// As it was read.
    body: Bodies<L>,
    mass: M,
    /// What has been changed since.
    linear: Vec3s<L>,
    angular: Vec3s<L>,
}

impl<L: Lanes, M: Answers<L>> Side<L, M> {
    /// A body with an impulse at `arm`.
    #[inline(always)]
    pub(super) fn pushed(body: Bodies<L>, mass: M, impulse: Vec3s<L>, arm: Vec3s<L>) -> Self {
        let [linear, angular] = mass.answers(impulse, arm.cross(impulse));
        Self { body, mass, linear, angular }
    }

    /// Turned by a torque; returns how far.
    #[inline(always)]
    pub(super) fn turn(&mut self, torque: Vec3s<L>) -> Vec3s<L> {
        let answer = self.mass.answer(torque);
        self.angular = self.angular + answer;
        answer
    }

    /// The present spin.
    #[inline(always)]
    pub(super) fn spin(&self) -> Vec3s<L> {
        self.body.angular + self.angular
    }

    /// Adds what has been changed to the body.
    #[inline(always)]
    pub(super) fn add_to(self, body: &mut Bodies<L>) {
        body.add([self.linear, self.angular]);
    }

    /// Back to where they were.
    #[inline(always)]
    pub(super) fn store(self, ground: Ground, places: &Places, first: usize) {
        lines::add(ground.bodies, places, first, [self.linear, self.angular]);
    }
}
