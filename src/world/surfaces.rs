//! What the contacts of a step move by beyond their bodies, surfaces and images, and what those are to do that stick.

use crate::body::{Bodies, SurfaceVelocity};
use crate::contact::anchor::{Side, StickTarget, across};
use crate::error::{Result, empty};
use crate::math::{BodyRow, ListPlace, Vec3};
use crate::solver::Velocity;
use crate::world::images::ImageVelocities;
use crate::world::index::Index;

/// By row, how the surface moves over its body in a step: world axes, of the start of the step. Empty where none moves.
#[derive(Debug, Default)]
pub(in crate::world) struct RowSurfaces(Vec<Velocity>);

/// What the contacts of a step are to do that stick.
#[derive(Debug, Clone, Copy)]
pub(in crate::world) struct Sticking<'a> {
    /// By place in the list, how each keeps its material points together; empty where no body turns.
    pub(in crate::world) targets: &'a [StickTarget],
    pub(in crate::world) given: &'a GivenMotion,
}

/// What the relative velocities of contacts have beyond those of their bodies, whatever impulses act.
#[derive(Debug, Default)]
pub(in crate::world) struct GivenMotion {
    /// It acts in the tangent planes alone.
    pub(in crate::world) surfaces: RowSurfaces,
    pub(in crate::world) images: ImageVelocities,
}

impl Sticking<'_> {
    /// Returns whether all contacts stick at rest.
    pub(in crate::world) fn is_at_rest(&self) -> bool {
        self.targets.is_empty() && !self.given.is_some()
    }
}

impl GivenMotion {
    /// Returns whether there is any.
    pub(in crate::world) fn is_some(&self) -> bool {
        self.surfaces.are_moving() || self.images.are_moving()
    }

    /// Returns what surfaces and images add to the relative velocity, b minus a, in the tangent plane of the contact at a `place` of the
    /// list [m/s]. Returns `None` where nothing does.
    #[inline]
    pub(in crate::world) fn slip(
        &self,
        place: ListPlace,
        rows: [BodyRow; 2],
        arms: [&Vec3; 2],
        normal: &Vec3,
    ) -> Option<Vec3> {
        let surfaces = self.surfaces.slip(rows, arms, normal);
        match self.images.of(place) {
            None => surfaces,
            Some(velocity) => Some(surfaces.unwrap_or_default() + across(velocity, normal)),
        }
    }
}

impl RowSurfaces {
    /// Finds how the surfaces of the rows move, at `pace` times their velocities.
    pub(in crate::world) fn find(&mut self, bodies: &Bodies, index: &Index, pace: f64) -> Result<()> {
        let slots = index.slots();
        empty(&mut self.0, if bodies.surfaces.are_moving() { slots.len() } else { 0 }, "bodies")?;
        if bodies.surfaces.are_moving() {
            self.0.extend(slots.iter().map(|slot| {
                let at = *slot as usize;
                let SurfaceVelocity { linear, angular } = bodies.surfaces.of(at).rotated(&bodies.motion[at].rotation);
                Velocity { linear: pace * linear, angular: pace * angular }
            }));
        }
        Ok(())
    }

    /// Returns whether any surface moves.
    pub(in crate::world) fn are_moving(&self) -> bool {
        !self.0.is_empty()
    }

    /// Returns how the surface of a row moves, if it does.
    pub(in crate::world) fn of(&self, row: BodyRow) -> Option<&Velocity> {
        self.0.get(row.index()).filter(|velocity| **velocity != Velocity::ZERO)
    }

    /// Returns how fast the surface of a row turns over its body [rad/s].
    pub(in crate::world) fn spin(&self, row: BodyRow) -> f64 {
        self.of(row).map_or(0.0, |velocity| velocity.angular.norm())
    }

    /// Returns whether any surface turns faster than this over its body [rad/s].
    pub(in crate::world) fn any_turns(&self, slowest: f64) -> bool {
        self.0.iter().any(|velocity| velocity.angular.norm() > slowest)
    }

    /// Returns the relative velocity, b minus a, that moving surfaces add to that of the bodies, in the tangent plane
    /// of a contact with these arms [m/s]. Returns `None` where neither surface moves.
    fn slip(&self, rows: [BodyRow; 2], arms: [&Vec3; 2], normal: &Vec3) -> Option<Vec3> {
        if !self.are_moving() {
            return None;
        }
        let [a, b] = [0, 1].map(|side| self.of(rows[side]).map(|velocity| velocity.at(arms[side])));
        let slip = match (a, b) {
            (None, None) => return None,
            (Some(a), None) => -a,
            (None, Some(b)) => b,
            (Some(a), Some(b)) => b - a,
        };
        Some(across(&slip, normal))
    }

    /// Returns the sides of a contact with what the surfaces of their rows do in a step of this length.
    #[inline]
    pub(in crate::world) fn carried(&self, sides: [Side; 2], rows: [BodyRow; 2], step: f64) -> [Side; 2] {
        if !self.are_moving() {
            return sides;
        }
        let carry = |side: Side, row: BodyRow| match self.of(row) {
            None => side,
            Some(velocity) => side.with_surface(step * velocity.linear, step * velocity.angular),
        };
        let [a, b] = sides;
        [carry(a, rows[0]), carry(b, rows[1])]
    }
}
