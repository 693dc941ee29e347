//! Inverse masses in each lane, the two sources that a sweep reads them from, and bodies that impulses change.

use crate::math::lanes::{Lanes, Places, Vec3s, Wide};
use crate::solver::gauss_seidel::wide::lines::{self, Bodies, SweepContext, loaded};

/// An inverse mass matrix in world axes: the response to impulses.
pub(in crate::solver) trait InverseMass<L: Lanes>: Copy {
    /// Returns the change of the velocity by an impulse.
    fn linear_response(&self, impulse: Vec3s<L>) -> Vec3s<L>;
    /// Returns the change of the spin by an angular impulse.
    fn angular_response(&self, moment: Vec3s<L>) -> Vec3s<L>;

    /// Returns the changes of velocity and spin by an impulse with a moment about the centre of mass.
    #[inline(always)]
    fn responses(&self, impulse: Vec3s<L>, moment: Vec3s<L>) -> [Vec3s<L>; 2] {
        [self.linear_response(impulse), self.angular_response(moment)]
    }
}

/// The inverse mass matrix of any body.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct Mass<L> {
    pub(in crate::solver) linear: Vec3s<L>,
    /// `xx yy zz xy yz xz`
    pub(in crate::solver) angular: [L; 6],
}

impl<L: Lanes> Mass<L> {
    /// Reads it from its nine numbers, linear before angular.
    #[inline(always)]
    pub(in crate::solver) fn load(from: &[Wide; 9], first: usize) -> Self {
        let [x, y, z, angular @ ..] = loaded(from, first);
        Self { linear: Vec3s::new(x, y, z), angular }
    }

    /// Returns the trace of the responses to impulses at `arm`: that of `-[r] J [r]` is `tr J r^2 - r J r`.
    #[inline(always)]
    pub(in crate::solver) fn trace_at(&self, arm: Vec3s<L>) -> L {
        let ([xx, yy, zz, ..], masses) = (self.angular, self.linear);
        masses.x + masses.y + masses.z + (xx + yy + zz) * arm.dot(arm) - arm.dot(self.angular_response(arm))
    }
}

impl<L: Lanes> InverseMass<L> for Mass<L> {
    #[inline(always)]
    fn linear_response(&self, impulse: Vec3s<L>) -> Vec3s<L> {
        impulse.scaled(self.linear)
    }

    #[inline(always)]
    fn angular_response(&self, moment: Vec3s<L>) -> Vec3s<L> {
        let [xx, yy, zz, xy, yz, xz] = self.angular;
        let Vec3s { x, y, z } = moment;
        Vec3s::new(xx * x + xy * y + xz * z, xy * x + yy * y + yz * z, xz * x + yz * y + zz * z)
    }
}

/// The inverse mass matrix of an isotropic body: a cube, a sphere.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct IsotropicMass<L> {
    linear: L,
    angular: L,
}

impl<L: Lanes> InverseMass<L> for IsotropicMass<L> {
    #[inline(always)]
    fn linear_response(&self, impulse: Vec3s<L>) -> Vec3s<L> {
        impulse * self.linear
    }

    #[inline(always)]
    fn angular_response(&self, moment: Vec3s<L>) -> Vec3s<L> {
        moment * self.angular
    }
}

/// The source of the inverse masses in a sweep, chosen once for a sweep (`rows/kernels.rs`).
///
/// A contact reads them once its impulse is known: what the solve works on fills the registers, and lines of masses come
/// while it is solved.
pub(in crate::solver) trait MassSource {
    /// Whether it reads the second lines of the bodies.
    const READS_LINES: bool;
    /// The inverse mass of the body in each lane.
    type Mass<L: Lanes>: InverseMass<L>;

    /// Returns the inverse masses of bodies that were gathered from `places`.
    fn gather<L: Lanes>(body: &Bodies<L>, context: SweepContext, places: &Places, first: usize) -> Self::Mass<L>;
}

/// The source for any bodies: their second lines.
pub(in crate::solver) struct Anisotropic;

impl MassSource for Anisotropic {
    const READS_LINES: bool = true;
    type Mass<L: Lanes> = Mass<L>;

    #[inline(always)]
    fn gather<L: Lanes>(body: &Bodies<L>, context: SweepContext, places: &Places, first: usize) -> Mass<L> {
        let [xx, yy, zz, xy, yz, xz, mass_y, mass_z] = L::gather(context.masses, places, first);
        Mass { linear: Vec3s::new(body.inverse_mass, mass_y, mass_z), angular: [xx, yy, zz, xy, yz, xz] }
    }
}

/// The source where all bodies are isotropic: the lines that a contact has read already. The bits are the same.
pub(in crate::solver) struct Isotropic;

impl MassSource for Isotropic {
    const READS_LINES: bool = false;
    type Mass<L: Lanes> = IsotropicMass<L>;

    #[inline(always)]
    fn gather<L: Lanes>(body: &Bodies<L>, _: SweepContext, _: &Places, _: usize) -> IsotropicMass<L> {
        IsotropicMass { linear: body.inverse_mass, angular: body.inverse_inertia }
    }
}

/// One body of a general contact in each lane, from reading it to writing it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side<L, M> {
    /// The values that were read.
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
