//! Applies the contact law to the contacts of a batch: biases, compliances, and the velocities at which they stick.

use crate::contact::Mixing;
use crate::law::{Approach, ContactLaw, RowCompliance};
use crate::math::lanes::{Lanes, Vec3s, WIDE, Wide, put, take};
use crate::math::limits::APART;
use crate::math::{ContactId, Vec3};
use crate::solver::Velocity;
use crate::solver::problem::contacts::{LaneContacts, occupied};
use crate::world::assemble::body_inputs;
use crate::world::assemble::fill::{Batch, ContactContext, ZERO};
use crate::world::assemble::geometry::BatchGeometry;
use crate::world::substeps::{Substep, velocity_of};

/// Results of a law for the contacts of a batch that are not terms of the problem.
pub(super) struct Approached {
    /// The lanes, as bits, in which a contact rebounds.
    pub(super) rebounds: u32,
    /// The start impulse of each contact by its law, if contacts have compliance [N s].
    pub(super) model: Wide,
}

impl<Law: ContactLaw> ContactContext<'_, Law> {
    /// Writes the biases of the contacts of a batch.
    #[inline(always)]
    pub(super) fn approach<L: Lanes>(
        &self,
        lanes: &LaneContacts,
        geometry: &BatchGeometry,
        batch: &mut Batch,
        mixing: &mut Mixing,
    ) -> Approached {
        let (law, bias, mut speeds, mut any_fast, mut first) = (&self.law, &mut batch.contacts.bias, ZERO, false, 0);
        let threshold = law.rebounds_above();
        while first < WIDE {
            let (gap, round_off) = (L::load(&geometry.point.gap, first), L::load(&geometry.round_off, first));
            law.bias_without_rebound(gap, round_off).store(bias, first);
            // An upper bound of the speed at which the bodies approach.
            let normal = Vec3s::load(&geometry.point.normal, first);
            let parting = normal.dot(Vec3s::load(&geometry.relative_velocity, first));
            let speed = L::load(&geometry.max_point_speed, first) - parting;
            speed.store(&mut speeds, first);
            any_fast |= L::any(L::above(speed, L::splat(threshold)));
            first += L::WIDTH;
        }
        let mut approached = Approached { rebounds: 0, model: ZERO };
        for (lane, contact) in occupied(lanes).filter(|_| any_fast || Law::IS_COMPLIANT) {
            if speeds.0[lane] > threshold || Law::IS_COMPLIANT {
                let materials = self.geometry.inputs(contact).map(body_inputs::material);
                let mixed = mixing.of(materials.into());
                let restitution = mixed.pair.restitution;
                let mut approach = self.approach_of((lane, contact), geometry, restitution);
                if Law::HAS_FRICTION_MEMORY {
                    let source = batch.state.lane_before[lane];
                    let bodies = self.geometry.index.slots_of(contact);
                    approach.carried = self.warm_start.friction(source, bodies, &geometry.point.normal(lane));
                    approach.shear_stiffness = mixed.pair.tangential_stiffness;
                }
                if let (true, Some(optional)) = (Law::HAS_FRICTION_MEMORY, batch.optional.as_deref()) {
                    approach.sliding -= take(&optional.surface_velocity, lane);
                }
                if Law::IS_COMPLIANT {
                    approach.stiffness = mixed.stiffness(geometry.radius.0[lane], self.geometry.sizes(contact));
                    approach.damping = mixed.pair.contact_damping;
                }
                let (own, rebounding) = law.bias(&approach);
                bias.0[lane] = own;
                approached.rebounds |= u32::from(rebounding) << lane;
                approached.model.0[lane] = law.model_impulse(&approach);
                if let (true, Some(optional)) = (Law::IS_COMPLIANT, batch.optional.as_deref_mut()) {
                    let RowCompliance { normal, tangential, turning } = law.compliance(&approach);
                    let rows = optional.compliance.iter_mut().zip([normal, tangential, turning]);
                    rows.for_each(|(wide, own)| wide.0[lane] = own);
                    let aimed = take(&optional.surface_velocity, lane) + law.stick_velocity(&approach);
                    put(&mut optional.surface_velocity, lane, &aimed);
                }
            }
        }
        self.add_images_to_biases(lanes, geometry, bias);
        approached
    }

    /// Adds the velocities of images to the biases of a batch: the law is about the image that touches, and the row about the body.
    #[inline(always)]
    fn add_images_to_biases(&self, lanes: &LaneContacts, geometry: &BatchGeometry, bias: &mut Wide) {
        if !self.sticking.given.images.are_moving() {
            return;
        }
        for (lane, contact) in occupied(lanes) {
            if bias.0[lane] < APART {
                bias.0[lane] += self.image_along(contact, &geometry.point.normal(lane));
            }
        }
    }

    /// Returns the velocity that the image of body b has over the body, along the normal of their contact [m/s].
    #[inline(always)]
    pub(super) fn image_along(&self, contact: ContactId, normal: &Vec3) -> f64 {
        let images = &self.sticking.given.images;
        if images.are_moving() { images.along(self.geometry.index.places()[contact], normal) } else { 0.0 }
    }

    /// Adds the velocities of images to those of the bodies of a batch.
    #[inline(always)]
    pub(super) fn add_images(&self, lanes: &LaneContacts, geometry: &mut BatchGeometry) {
        let images = &self.sticking.given.images;
        if !images.are_moving() {
            return;
        }
        for (lane, contact) in occupied(lanes) {
            if let Some(velocity) = images.of(self.geometry.index.places()[contact]) {
                let relative = take(&geometry.relative_velocity, lane) + velocity;
                put(&mut geometry.relative_velocity, lane, &relative);
            }
        }
    }

    /// Writes the velocities at which the contacts of a batch stick.
    #[inline(always)]
    pub(super) fn write_stick_velocities(&self, lanes: &LaneContacts, geometry: &BatchGeometry, batch: &mut Batch) {
        let Some(optional) = batch.optional.as_deref_mut() else { return };
        // The stage of another law may have left values.
        (optional.surface_velocity, optional.compliance) = ([ZERO; 3], [ZERO; 3]);
        for (lane, contact) in occupied(lanes).filter(|_| !self.sticking.is_at_rest()) {
            let Substep { step, middle, .. } = self.substep;
            let target = self.stick_target(contact).velocity(step, middle);
            let rows = self.geometry.index.rows_of(contact);
            let arms = [0, 1].map(|side| take(&geometry.arms[side], lane));
            let place = self.geometry.index.places()[contact];
            let slip = self.sticking.given.slip(place, rows, [&arms[0], &arms[1]], &geometry.point.normal(lane));
            let write_stick_velocities = slip.map_or(target, |slip| target - slip);
            put(&mut optional.surface_velocity, lane, &write_stick_velocities);
        }
    }

    /// Returns how the bodies of the contact in a lane approach each other, the nearest image of b in place of b.
    fn approach_of(&self, (lane, contact): (usize, ContactId), geometry: &BatchGeometry, restitution: f64) -> Approach {
        let (gap, round_off) = (geometry.point.gap.0[lane], geometry.round_off.0[lane]);
        let (normal, arm_a, arm_b) =
            (geometry.point.normal(lane), take(&geometry.arms[0], lane), take(&geometry.arms[1], lane));
        let [row_a, row_b] = geometry.rows.map(|rows| rows[lane].index());
        let parting = |v_a: &Velocity, v_b: &Velocity| v_b.at(&arm_b) - v_a.at(&arm_a);
        let at_start = parting(&velocity_of(self.motion, row_a), &velocity_of(self.motion, row_b));
        let (velocity, image) = (normal.dot(&at_start), self.image_along(contact, &normal));
        Approach {
            gap,
            round_off,
            velocity: velocity + image,
            // A contact that touches does not use it.
            kicked_velocity: if gap > round_off {
                normal.dot(&parting(&self.velocities[row_a], &self.velocities[row_b])) + image
            } else {
                0.0
            },
            restitution,
            stiffness: 0.0,
            shear_stiffness: 0.0,
            damping: 0.0,
            // The caller adds what surfaces and images make of it.
            sliding: at_start - velocity * normal,
            carried: Vec3::zeros(),
        }
    }
}
