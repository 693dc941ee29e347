//! What the state of contacts is.
//!
//! The lanes in which contacts were solved are no part of it: contacts are visited in the order of their list, with what they carried.

use crate::contact::impulse_cache::{ImpulseCache, Marks, in_lane};
use crate::contact::memory::Memory;
use crate::contact::record::{ContactGeometry, ContactList, ContactRecord, ContactState, ContactView, PointGeometry};
use crate::contact::surface::Surface;
use crate::math::{Impulse, ImpulsiveWrench};
use crate::visit::StateVisitor;

impl Memory {
    /// Visits the contacts of which `is_kept` says so, and what holds for all contacts.
    pub fn visit_state(&self, visitor: &mut impl StateVisitor, is_kept: impl Fn(&ContactRecord) -> bool) {
        let Self {
            contact_list: ContactList { records: all, spots },
            loads,
            points,
            next_key,
            step,
            substep,
            residual,
        } = self;
        visitor.word(*next_key);
        visitor.numbers([step, substep, residual]);
        visitor.length(all.iter().filter(|record| is_kept(record)).count());
        for (place, record) in all.iter().enumerate().filter(|(_, record)| is_kept(record)) {
            // The number of a spot follows from the order of the contacts.
            let ContactRecord { body_a, body_b, key, spot: _ } = *record;
            visitor.words([u64::from(body_a), u64::from(body_b), key]);
            let spot = record.geometry(spots);
            visitor.flag(spot.is_some());
            if let Some(spot) = spot {
                spot.visit_state(visitor);
            }
            let PointGeometry { normal, gap } = PointGeometry::in_lane(points, loads.lane(place));
            visitor.numbers(normal.iter().chain([&gap]));
            loads.visit_state(visitor, place);
        }
    }
}

impl ImpulseCache {
    /// Visits what a contact of the list carried.
    fn visit_state(&self, visitor: &mut impl StateVisitor, place: usize) {
        let Self {
            lanes: _, // The lanes, which are not state.
            impulses,
            torques,
            rolling_speeds,
            pushes,
            marks,
            totals: _, // Read by `total`: without sums over the step its impulses are those of the last substep.
            compatible: _, // Read by `compatible_of`: without a correction its impulses are the sums.
        } = self;
        let lane = self.lane(place);
        visit_wrench(visitor, &ImpulsiveWrench { force: in_lane(impulses, lane), torque: in_lane(torques, lane) });
        visitor.numbers(&[in_lane(rolling_speeds, lane), in_lane(pushes, lane)]);
        let Marks(marks) = in_lane(marks, lane);
        visitor.word(u64::from(marks));
        visit_wrench(visitor, &self.total(place));
        visit_impulse(visitor, &self.compatible_of(lane));
    }
}

/// Visits the impulses of a contact over a substep or a step.
pub fn visit_wrench(visitor: &mut impl StateVisitor, wrench: &ImpulsiveWrench) {
    let ImpulsiveWrench { force, torque } = wrench;
    visit_impulse(visitor, force);
    visitor.numbers(torque);
}

fn visit_impulse(visitor: &mut impl StateVisitor, impulse: &Impulse) {
    let Impulse { normal, tangential } = impulse;
    visitor.numbers([normal].into_iter().chain(tangential));
}

impl ContactGeometry {
    fn visit_state(&self, visitor: &mut impl StateVisitor) {
        let Self { feature, local, gap, normal, arm_a, arm_b, point, radius, is_along_normal } = self;
        visitor.word(*feature);
        visitor.numbers(local.iter().chain(normal).chain(arm_a).chain(arm_b).chain(point));
        visitor.numbers([gap, radius]);
        is_along_normal.iter().for_each(|is| visitor.flag(*is));
    }
}

impl ContactView {
    /// Visits all that is known of a contact point.
    pub fn visit_state(&self, visitor: &mut impl StateVisitor) {
        let Self { body_a, body_b, key, spot, surface } = self;
        visitor.words([u64::from(*body_a), u64::from(*body_b), *key]);
        spot.visit_state(visitor);
        let Surface { friction, rolling, twisting, restitution, stiffness } = surface;
        visitor.numbers([friction, rolling, twisting, restitution, stiffness]);
    }
}

impl ContactState {
    /// Visits what a step made of a contact.
    pub fn visit_state(&self, visitor: &mut impl StateVisitor) {
        let Self {
            impulse: ImpulsiveWrench { force, torque },
            push,
            compatible,
            relative_velocity,
            rolling_speed,
            rebounds,
            struck,
            is_new,
        } = self;
        visitor.numbers([&force.normal, push, &compatible.normal, rolling_speed]);
        visitor.numbers(force.tangential.iter().chain(torque));
        visitor.numbers(compatible.tangential.iter().chain(relative_velocity));
        [rebounds, struck, is_new].into_iter().for_each(|is| visitor.flag(*is));
    }
}
