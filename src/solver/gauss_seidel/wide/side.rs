//! One body of a general contact, in each lane one, from reading it to writing it.

use crate::math::lanes::{Lanes, Places, Vec3s};
use crate::solver::gauss_seidel::wide::context::SweepContext;
use crate::solver::gauss_seidel::wide::lines::{self, Bodies};
use crate::solver::gauss_seidel::wide::masses::InverseMass;

/// A body that an impulse changes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side<L, M> {
    /// As it was read.
    body: Bodies<L>,
    mass: M,
    /// The changes since then.
    linear: Vec3s<L>,
    angular: Vec3s<L>,
}

impl<L: Lanes, M: InverseMass<L>> Side<L, M> {
    /// Applies an impulse at `arm` to a body.
    #[inline(always)]
    pub(super) fn pushed(body: Bodies<L>, mass: M, impulse: Vec3s<L>, arm: Vec3s<L>) -> Self {
        let [linear, angular] = mass.responses(impulse, arm.cross(impulse));
        Self { body, mass, linear, angular }
    }

    /// Applies a torque; returns the change of the spin.
    #[inline(always)]
    pub(super) fn turn(&mut self, torque: Vec3s<L>) -> Vec3s<L> {
        let response = self.mass.angular_response(torque);
        self.angular = self.angular + response;
        response
    }

    /// Returns the present spin.
    #[inline(always)]
    pub(super) fn spin(&self) -> Vec3s<L> {
        self.body.angular + self.angular
    }

    /// Adds the changes to the body.
    #[inline(always)]
    pub(super) fn add_to(self, body: &mut Bodies<L>) {
        body.add([self.linear, self.angular]);
    }

    /// Adds the changes to the lines at `places`.
    #[inline(always)]
    pub(super) fn store(self, context: SweepContext, places: &Places, first: usize) {
        lines::add(context.bodies, places, first, [self.linear, self.angular]);
    }
}
