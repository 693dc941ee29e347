//! Contacts and rows of mechanisms in the position pass. Displacements respond with the inverse mass `Mc^-1` of a
//! mechanism, as velocities do in the solve. Opening a contact then does not separate a joint, and hardly moves a motor
//! that holds its load.
//!
//! The ports hold displacements in place of velocities. Rows without bounds hold, and their errors are not undone here.
//! Rows that the mechanism holds are slightly compliant: they move if overlap can be undone in no other way. Contacts
//! are compliant too: a lever that hardly moves along a contact would have to turn far to open it.

use crate::error::{Result, empty};
use crate::math::lanes::Wide;
use crate::math::{BodyRow, Vec3};
use crate::solver::gauss_seidel::rows::position::ContactTargets;
use crate::solver::gauss_seidel::rows::split::{HeldRow, Side, SplitContact, SplitRow};
use crate::solver::gauss_seidel::rows::split_prepare::{Wrench, mass_of, parts_of, response, wrench_of};
use crate::solver::gauss_seidel::rows::store::Rows;
use crate::solver::gauss_seidel::wide::lines;
use crate::solver::mechanism::BodyImpulse;
use crate::solver::operator::blocks::dot;
use crate::solver::problem::{Jacobian, MassInverse, Velocity};

/// The compliance of contacts of mechanisms and of held rows in the position pass. It is a part of the mobility that
/// free bodies of the contact, or a free row, would have [-]. No body then moves farther than about
/// `1 / (2 sqrt(YIELDING))` times the overlap.
const YIELDING: f64 = 0.01;

/// A side of a contact: its ports, its body, and the response to a unit multiplier.
type SideResponse = (Side, BodyRow, Wrench);

impl Rows {
    /// Sets the ports of all mechanisms to zero, and adds the effect of the `multipliers` of general contacts.
    pub(super) fn shift_split(&mut self, masses: &[MassInverse], multipliers: &mut [Wide]) {
        self.split.mechanisms.iter_mut().for_each(|own| own.speeds.fill(0.0));
        self.soften_held();
        for at in 0..self.split.contacts.len() {
            let own = self.split.contacts[at];
            let (batch, lane) = (own.lane.batch(), own.lane.lane());
            let sides = self.side_responses(&own);
            let (pair, wrenches) = (sides.map(|(_, body, _)| mass_of(masses, body)), sides.map(|(.., wrench)| wrench));
            let free: f64 = wrenches.iter().zip(pair).map(|(wrench, mass)| dot(wrench, &response(mass, wrench))).sum();
            let softened = &mut self.split.contacts[at];
            softened.compliance = YIELDING * free;
            softened.mobility = softened.compliance;
            self.split.contacts[at].mobility += self.answer(&own, &wrenches, &wrenches, pair).max(0.0);
            let multiplier = &mut multipliers[batch].0[lane];
            if free == 0.0 {
                *multiplier = 0.0;
            }
            self.move_sides(&sides, *multiplier, masses);
        }
    }

    /// Adds the compliance of the rows that mechanisms hold.
    fn soften_held(&mut self) {
        for at in 0..self.split.rows.len() {
            let SplitRow { row, values, sides, .. } = self.split.rows[at];
            let Some((number, port)) = sides.iter().find_map(|side| side.port()) else { continue };
            let mechanism = &mut self.split.mechanisms[number as usize];
            if mechanism.holds(port) {
                mechanism.release_row(port);
                let compliance = values.compliance + YIELDING * mechanism.entry(port, port);
                mechanism.hold(HeldRow { row, port, lambda: 0.0, compliance }, 0.0);
            }
        }
    }

    /// Makes one sweep of the position pass over the contacts and the rows with bounds of the mechanisms of a part. Returns the largest scaled
    /// move of a contact. `contact_targets` and `multipliers` are those of general contacts.
    pub(super) fn sweep_split_positions(
        &mut self,
        part: usize,
        masses: &[MassInverse],
        contact_targets: &ContactTargets,
        multipliers: &mut [Wide],
    ) -> f64 {
        let schedule = self.schedules[part].split;
        let mut farthest = 0.0;
        for at in schedule.contacts[0] as usize..schedule.contacts[1] as usize {
            let own = self.split.contacts[at];
            let (batch, lane) = (own.lane.batch(), own.lane.lane());
            if own.mobility == 0.0 {
                continue;
            }
            let sides = self.side_responses(&own);
            let multiplier = &mut multipliers[batch].0[lane];
            let moved = self.moved_along(&sides) + own.compliance * *multiplier;
            let next = (*multiplier + (contact_targets.targets[batch].0[lane] - moved) / own.mobility).max(0.0);
            let step = next - std::mem::replace(multiplier, next);
            self.move_sides(&sides, step, masses);
            let scale = contact_targets.scales.get(batch).map_or(1.0, |scales| scales.0[lane]);
            farthest = f64::max(farthest, scale * step.abs() * own.mobility);
        }
        for at in schedule.rows[0] as usize..schedule.rows[1] as usize {
            self.project_split_row(at, masses);
        }
        farthest
    }

    /// Moves one row with bounds to its target.
    fn project_split_row(&mut self, at: usize, masses: &[MassInverse]) {
        let (own, row_target) = (self.split.rows[at], self.exchanged.split.get(at).copied());
        let Some((target, [lower, upper])) = row_target.filter(|(_, [lower, upper])| lower < upper) else { return };
        let [block, _] = self.split_row_block(masses, &own.values, &own.sides);
        if block == 0.0 || self.split.holds(&own.sides) {
            return;
        }
        let old = self.row_impulse(own.row);
        let mut off = own.values.compliance * old - target + self.free_speed(&own);
        for (number, port) in own.sides.iter().filter_map(|side| side.port()) {
            off += self.split.mechanisms[number as usize].speeds[port as usize];
        }
        let next = (old - off / block).max(lower).min(upper);
        self.set_row(own.row, next);
        self.apply_to_row_sides(&own, next - old, masses);
    }

    /// Computes the displacements of the bodies of the mechanisms of a part from all multipliers, and writes them to
    /// the lines of the bodies.
    pub(super) fn close_split(&mut self, part: usize, multipliers: &[Wide]) -> Result<()> {
        let schedule = self.schedules[part].split;
        let [first, end] = schedule.mechanisms;
        let parts = first as usize..end as usize;
        for at in parts.clone() {
            let number = self.split.parts[at].1 as usize;
            let bodies = self.split.found.get(number).map_or(&[][..], |parts| parts.bodies);
            bodies.iter().for_each(|body| self.split.scratch.velocities[*body] = Velocity::ZERO);
        }
        self.add_multipliers(schedule.contacts, schedule.rows, multipliers);
        for at in parts {
            let number = self.split.parts[at].1 as usize;
            let split = &mut self.split;
            let own = &mut split.mechanisms[number];
            let Some(parts) = split.found.get(number).filter(|_| own.is_factored) else { continue };
            empty(&mut split.scratch.impulses, parts.bodies.len(), "bodies")?;
            for body in parts.bodies {
                let Velocity { linear, angular } = split.scratch.velocities[*body];
                split.scratch.impulses.push(BodyImpulse { body: *body, impulse: linear, moment: angular });
            }
            own.mechanism.respond(&split.scratch.impulses, &mut split.scratch.before, &mut [])?;
            for (body, moved) in own.mechanism.bodies().iter().zip(&split.scratch.before) {
                lines::set_velocity(&mut self.bodies[*body], moved);
            }
        }
        Ok(())
    }

    /// Adds the effect of the multipliers of contacts and rows on bodies of mechanisms, in the scratch buffer.
    fn add_multipliers(&mut self, [first, end]: [u32; 2], rows: [u32; 2], multipliers: &[Wide]) {
        for at in first as usize..end as usize {
            let own = self.split.contacts[at];
            let (batch, lane) = (own.lane.batch(), own.lane.lane());
            let multiplier = multipliers[batch].0[lane];
            for (side, body, wrench) in self.side_responses(&own) {
                if side != Side::Free {
                    let [impulse, moment] = parts_of(&wrench);
                    let sum = &mut self.split.scratch.velocities[body];
                    sum.linear += multiplier * impulse;
                    sum.angular += multiplier * moment;
                }
            }
        }
        for at in rows[0] as usize..rows[1] as usize {
            let SplitRow { row: id, values, sides, .. } = self.split.rows[at];
            let port = sides.iter().find_map(|side| side.port());
            let held = port.filter(|(number, port)| self.split.mechanisms[*number as usize].holds(*port));
            let multiplier = match held {
                Some((number, port)) => -self.split.mechanisms[number as usize].speeds[port as usize],
                None => self.row_impulse(id),
            };
            let both = [(values.body_a, values.jacobian_a), (values.body_b, values.jacobian_b)];
            for (_, (body, Jacobian { linear, angular })) in
                sides.iter().zip(both).filter(|(side, _)| **side != Side::Free)
            {
                if let Some(sum) = self.split.scratch.velocities.get_mut(body.index()) {
                    sum.linear += multiplier * linear;
                    sum.angular += multiplier * angular;
                }
            }
        }
    }

    /// Returns both sides of a contact, with their responses to a unit multiplier.
    fn side_responses(&self, own: &SplitContact) -> [SideResponse; 2] {
        let contact = self.general.batches[own.lane.batch()].contact(own.lane.lane());
        let on = |sign: f64, arm: &Vec3| wrench_of(&(sign * contact.normal), &(sign * arm.cross(&contact.normal)));
        let [side_a, side_b] = own.sides;
        [(side_a, contact.body_a, on(-1.0, &contact.arm_a)), (side_b, contact.body_b, on(1.0, &contact.arm_b))]
    }

    /// Returns how far a contact has opened [m].
    fn moved_along(&self, sides: &[SideResponse; 2]) -> f64 {
        let moved = sides.iter().map(|(side, body, wrench)| match *side {
            Side::Port(number, first) => {
                let speeds = &self.split.mechanisms[number as usize].speeds[first as usize..];
                wrench.iter().zip(speeds).map(|(wrench, speed)| wrench * speed).sum()
            }
            Side::Free | Side::Shared => self.bodies.get(body.index()).map_or(0.0, |line| {
                let Velocity { linear, angular } = lines::velocity(line);
                dot(wrench, &wrench_of(&linear, &angular))
            }),
        });
        moved.sum()
    }

    /// Moves both bodies of a contact by a multiplier.
    fn move_sides(&mut self, sides: &[SideResponse; 2], multiplier: f64, masses: &[MassInverse]) {
        for (side, body, wrench) in sides {
            match *side {
                Side::Port(number, first) => {
                    let mechanism = &mut self.split.mechanisms[number as usize];
                    (first..).zip(wrench).for_each(|(port, part)| mechanism.push(port, multiplier * part));
                }
                Side::Free | Side::Shared => {
                    let [linear, angular] = parts_of(wrench);
                    self.apply_to_free_body(masses, *body, &Jacobian { linear, angular }, multiplier);
                }
            }
        }
    }
}
