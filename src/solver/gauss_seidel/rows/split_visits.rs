//! Visits of the contacts and rows of mechanisms in a sweep. Also the solves that compute the velocities and the
//! impulses of rows without bounds.

use crate::error::{Result, push, refill};
use crate::math::{BodyRow, RowId};
use crate::solver::gauss_seidel::rows::split::{HeldRow, Side, Split, SplitRow, SplitSchedule, SplitScratch};
use crate::solver::gauss_seidel::rows::split_prepare::parts_of;
use crate::solver::gauss_seidel::rows::store::{Rows, impulse_of, unrelaxed};
use crate::solver::gauss_seidel::rows::sweep::Pass;
use crate::solver::gauss_seidel::wide::{SweepContext, lines};
use crate::solver::mechanism::MechanismParts;
use crate::solver::problem::{Jacobian, MassInverse, Problem, Row, Velocity};

/// The start impulses of a mechanism without ports hold its rows if the residual is below this part of the terms:
/// round-off [-].
const HELD: f64 = 16.0 * f64::EPSILON;

impl Rows {
    /// Solves the mechanisms of a part with the present impulses of contacts and rows with bounds. Sets the impulses of
    /// the rows that they hold and the velocities of their bodies. Without `has_effect` contacts and rows that are
    /// swept do not act.
    pub(in crate::solver) fn join(&mut self, problem: &Problem, part: usize, has_effect: bool) {
        self.prepare_split(problem);
        let schedule = self.schedules[part].split;
        let [first, end] = schedule.mechanisms;
        for at in first..end {
            let number = self.split.parts[at as usize].1 as usize;
            if let Some(parts) = self.split.found.get(number) {
                for body in parts.bodies {
                    self.split.scratch.velocities[*body] = *problem.free_velocity(*body);
                }
            }
        }
        if has_effect {
            self.apply_split(problem, schedule.contacts, schedule.rows);
        }
        for at in first..end {
            let number = self.split.parts[at as usize].1;
            if let Err(error) = self.join_one(problem, number) {
                self.failed = Some(error);
            }
        }
        self.is_joined = has_effect;
    }

    /// Does the same with `has_effect`, unless nothing changed since the last call.
    pub(in crate::solver) fn join_again(&mut self, problem: &Problem, part: usize) {
        if !self.is_joined {
            self.join(problem, part, true);
        }
    }

    /// Applies the impulses of rows with bounds between a mechanism and bodies in no mechanism to the velocities of
    /// those bodies.
    pub(super) fn apply_split_rows(&mut self, problem: &Problem, part: usize) {
        let [first, end] = self.schedules[part].split.rows;
        for at in first as usize..end as usize {
            let SplitRow { row: id, values, sides, .. } = self.split.rows[at];
            let lambda = self.row_impulse(id);
            let both = [(values.body_a, values.jacobian_a), (values.body_b, values.jacobian_b)];
            for (_, (body, jacobian)) in sides.iter().zip(both).filter(|(side, _)| **side == Side::Free) {
                self.apply_to_free_body(problem.masses, body, &jacobian, lambda);
            }
        }
    }

    /// Applies an impulse along a row to a body in no mechanism.
    pub(super) fn apply_to_free_body(
        &mut self,
        masses: &[MassInverse],
        body: BodyRow,
        jacobian: &Jacobian,
        lambda: f64,
    ) {
        if let (Some(mass), Some(line)) = (masses.get(body.index()), self.bodies.get_mut(body.index())) {
            lines::apply(line, mass, &(lambda * jacobian.linear), &(lambda * jacobian.angular));
        }
    }

    /// Applies the impulses of contacts and rows with bounds to the velocities of the scratch buffer.
    fn apply_split(&mut self, problem: &Problem, [first, end]: [u32; 2], rows: [u32; 2]) {
        let Self { split, general, .. } = self;
        for own in &split.contacts[first as usize..end as usize] {
            let wrenches = general.on_bodies(own.lane);
            let contact = general.batches[own.lane.batch()].contact(own.lane.lane());
            for ((side, body), wrench) in own.sides.iter().zip([contact.body_a, contact.body_b]).zip(&wrenches) {
                if *side != Side::Free {
                    let [impulse, moment] = parts_of(wrench);
                    problem.mass(body).apply(&mut split.scratch.velocities[body], &impulse, &moment);
                }
            }
        }
        for at in rows[0] as usize..rows[1] as usize {
            let SplitRow { row: id, values: row, sides, .. } = self.split.rows[at];
            if self.split.holds(&sides) {
                continue;
            }
            let lambda = self.row_impulse(id);
            for ((side, body), jacobian) in
                sides.iter().zip([row.body_a, row.body_b]).zip([&row.jacobian_a, &row.jacobian_b])
            {
                if *side != Side::Free && problem.moves(body) {
                    let velocity = &mut self.split.scratch.velocities[body];
                    problem.mass(body).apply(velocity, &(lambda * jacobian.linear), &(lambda * jacobian.angular));
                }
            }
        }
    }

    /// Solves one mechanism from the velocities in the scratch buffer, which exclude the effect of all rows that it
    /// holds.
    fn join_one(&mut self, problem: &Problem, number: u32) -> Result<()> {
        let at = number as usize;
        if self.is_held(problem, at) {
            self.write_lines_of(problem, at);
            return Ok(());
        }
        while !self.split.mechanisms[at].held.is_empty() && self.hold_rows(problem, number)? {}
        let Split { found, mechanisms, scratch, .. } = &mut self.split;
        let Some(parts) = found.get(at) else { return Ok(()) };
        let own = &mut mechanisms[at];
        own.is_factored = own.is_factored || own.mechanism.factor(problem, parts)?;
        if own.is_factored {
            own.mechanism.constrain(problem.rows, &mut scratch.velocities, &mut scratch.lambda)?;
            for place in 0..parts.rows.len() {
                let Some(row) = self.split.found.get(at).map(|parts| parts.rows[place]) else { continue };
                self.set_row(row, self.split.scratch.lambda[row]);
            }
        }
        self.write_lines_of(problem, at);
        Ok(())
    }

    /// Computes the impulses of the rows with bounds that a mechanism holds, and adds their effect to the velocities in
    /// the scratch buffer. A row whose impulse would be beyond its bounds is released at its bound. Returns whether any
    /// row was released: the impulses of the others must then be computed again.
    fn hold_rows(&mut self, problem: &Problem, number: u32) -> Result<bool> {
        let Split { found, mechanisms, scratch, .. } = &mut self.split;
        let Some(parts) = found.get(number as usize) else { return Ok(false) };
        let own = &mut mechanisms[number as usize];
        let SplitScratch { velocities, lambda, before, .. } = scratch;
        refill(before, parts.bodies.len(), Velocity::ZERO, "bodies")?;
        before.iter_mut().zip(parts.bodies).for_each(|(before, body)| *before = velocities[*body]);
        own.mechanism.constrain(problem.rows, velocities, lambda)?;
        own.find_held(problem, velocities);
        before.iter().zip(parts.bodies).for_each(|(before, body)| velocities[*body] = *before);
        let is_beyond = |held: &HeldRow| own.held_within(held, &problem.rows[held.row]).1;
        let any_is_beyond = own.held.iter().any(is_beyond);
        own.released.clear();
        for at in 0..own.held.len() {
            let held = own.held[at];
            let (next, is_beyond) = own.held_within(&held, &problem.rows[held.row]);
            if any_is_beyond && !is_beyond {
                continue;
            }
            problem.rows[held.row].push(problem.masses, velocities, next);
            push(&mut own.released, (held, next), "rows")?;
        }
        for at in 0..self.split.mechanisms[number as usize].released.len() {
            let (held, next) = self.split.mechanisms[number as usize].released[at];
            self.set_row(held.row, next);
            if any_is_beyond {
                self.split.mechanisms[number as usize].release_row(held.port);
            }
        }
        if any_is_beyond {
            self.prepare_blocks(problem.masses, Some(number));
        }
        Ok(any_is_beyond)
    }

    /// Returns whether the start impulses of a mechanism without ports hold its rows to round-off. Their effect is then
    /// in the velocities of the scratch buffer. The world computes such impulses when it aims the rows, so that no
    /// solve is needed here.
    fn is_held(&mut self, problem: &Problem, number: usize) -> bool {
        if self.split.mechanisms[number].is_factored || !self.split.mechanisms[number].speeds.is_empty() {
            return false;
        }
        let Some(MechanismParts { bodies, rows }) = self.split.found.get(number) else { return false };
        let Self { blocks, scalar, scalar_of, .. } = self;
        let impulse = |row: RowId| impulse_of(blocks, scalar, scalar_of, row);
        let velocities = &mut self.split.scratch.velocities;
        rows.iter().for_each(|id| problem.rows[*id].push(problem.masses, velocities, impulse(*id)));
        let root_of = |row: &Row| row.block(problem.mass(row.body_a), problem.mass(row.body_b)).sqrt();
        // `|J_i M^-1 J_j^T lambda_j|` is at most the product of two such roots and the impulse.
        let push = |largest: f64, id: &RowId| largest.max(root_of(&problem.rows[*id]) * impulse(*id).abs());
        let largest = rows.iter().fold(0.0, push);
        let is_round_off = |id: &RowId| {
            let (row, lambda) = (&problem.rows[*id], impulse(*id));
            let off = row.speed(velocities) + row.compliance * lambda - row.rhs;
            let mut terms = row.rhs.abs() + root_of(row) * largest;
            for (body, jacobian) in [(row.body_a, row.jacobian_a), (row.body_b, row.jacobian_b)] {
                let Some(velocity) = velocities.get(body.index()) else { continue };
                terms += jacobian.linear.norm() * velocity.linear.norm();
                terms += jacobian.angular.norm() * velocity.angular.norm();
            }
            off.abs() <= HELD * terms
        };
        let is_held = rows.iter().all(is_round_off);
        if !is_held {
            bodies.iter().for_each(|body| velocities[*body] = *problem.free_velocity(*body));
        }
        is_held
    }

    /// Writes the velocities of the scratch buffer to the lines of the bodies of a mechanism, and those of its ports.
    fn write_lines_of(&mut self, problem: &Problem, number: usize) {
        let Split { found, mechanisms, scratch: SplitScratch { velocities, .. }, .. } = &mut self.split;
        let Some(parts) = found.get(number) else { return };
        parts.bodies.iter().for_each(|body| lines::set_velocity(&mut self.bodies[*body], &velocities[*body]));
        mechanisms[number].set_speeds(problem, parts.bodies, velocities);
    }

    /// Visits the rows with bounds and the contacts of the mechanisms of a part. Returns the square of the largest change of a
    /// velocity. Contacts come after rows at their bounds, so that no motor presses bodies together. They come before rows
    /// that are held, which then show whether they pass a bound.
    pub(super) fn sweep_split(&mut self, masses: &[MassInverse], part: usize, backwards: bool, pass: &Pass) -> f64 {
        let SplitSchedule { contacts: [first, end], rows, .. } = self.schedules[part].split;
        let mut largest = self.visit_split_rows(masses, (rows, backwards), false, pass);
        for at in first..end {
            let at = if backwards { first + end - 1 - at } else { at };
            largest = largest.max(self.visit_split_contact(at as usize, masses, pass));
        }
        largest.max(self.visit_split_rows(masses, (rows, backwards), true, pass))
    }

    /// Visits the rows in a range that are held, or those that are not. Returns the square of the largest change of a velocity.
    fn visit_split_rows(
        &mut self,
        masses: &[MassInverse],
        ([first, end], backwards): ([u32; 2], bool),
        are_held: bool,
        pass: &Pass,
    ) -> f64 {
        let mut largest = 0.0;
        for at in first..end {
            let at = (if backwards { first + end - 1 - at } else { at }) as usize;
            if self.split.holds(&self.split.rows[at].sides) == are_held {
                largest = f64::max(largest, self.visit_split_row(at, masses, pass));
            }
        }
        largest
    }

    /// Solves one contact. Returns the square of the change of its velocity [m^2/s^2].
    fn visit_split_contact(&mut self, at: usize, masses: &[MassInverse], pass: &Pass) -> f64 {
        self.release_at(at, masses);
        let Self { split, general, bodies, masses: lines, dilation, .. } = self;
        let own = split.contacts[at];
        let before = general.on_bodies(own.lane);
        let context = SweepContext { relaxation: pass.relaxation, dilation: *dilation, ..unrelaxed(bodies, lines) };
        let change = general.relax(own.lane, context);
        let after = general.on_bodies(own.lane);
        for ((side, before), after) in own.sides.iter().zip(&before).zip(&after) {
            if let Side::Port(number, first) = *side {
                let mechanism = &mut split.mechanisms[number as usize];
                for (port, (before, after)) in (first..).zip(before.iter().zip(after)) {
                    mechanism.push(port, after - before);
                }
            }
        }
        for side in own.sides {
            self.write_touched(side);
        }
        change
    }

    /// Releases the rows that the mechanisms of a contact hold, if it closes and no impulse opens it. What presses on it is then
    /// limited by the bounds of these rows.
    fn release_at(&mut self, at: usize, masses: &[MassInverse]) {
        let own = self.split.contacts[at];
        let (batch, lane) = (own.lane.batch(), own.lane.lane());
        if !self.general.batches[batch].is_locked(lane) {
            return;
        }
        let contact = self.general.batches[batch].contact(lane);
        let of = |body: BodyRow| self.bodies.get(body.index()).map_or(Velocity::ZERO, lines::velocity);
        let opening = contact.normal.dot(&contact.relative_velocity(&of(contact.body_a), &of(contact.body_b)));
        if opening + contact.normal_bias >= -STILL {
            return;
        }
        for (number, _) in own.sides.iter().filter_map(|side| side.port()) {
            let mut is_held = false;
            for at in 0..self.split.rows.len() {
                let row = self.split.rows[at];
                let port = row.sides.iter().find_map(|side| side.port()).filter(|(of, _)| *of == number);
                let Some((_, port)) = port.filter(|(_, port)| self.split.mechanisms[number as usize].holds(*port))
                else {
                    continue;
                };
                let found = self.release(&row, (number, port));
                self.set_row(row.row, found);
                is_held = true;
            }
            if is_held {
                self.prepare_blocks(masses, Some(number));
            }
        }
    }

    /// Releases a row that its mechanism holds. Returns its impulse.
    fn release(&mut self, own: &SplitRow, (number, port): (u32, u32)) -> f64 {
        let moving = self.free_speed(own);
        let mechanism = &mut self.split.mechanisms[number as usize];
        let found = -mechanism.speeds[port as usize];
        mechanism.release_row(port);
        mechanism.speeds[port as usize] = own.values.rhs - own.values.compliance * found - moving;
        found
    }

    /// Solves one row with bounds. Returns the square of the change of its velocity [m^2/s^2].
    fn visit_split_row(&mut self, at: usize, masses: &[MassInverse], pass: &Pass) -> f64 {
        let own = self.split.rows[at];
        let row = own.values;
        if let Some(first) = row.ball {
            return if first == own.row { self.visit_split_ball(at, masses, pass) } else { 0.0 };
        }
        if self.split.holds(&own.sides) {
            return self.visit_held_row(&own, masses);
        }
        let old = self.row_impulse(own.row);
        let scale = row.friction_row.map_or(1.0, |scale| self.row_impulse(scale).abs());
        let mut off = row.compliance * old - row.rhs + self.free_speed(&own);
        for side in own.sides {
            if let Side::Port(number, port) = side {
                off += self.split.mechanisms[number as usize].speeds[port as usize];
            }
        }
        let wanted = match own.inverse > 0.0 {
            true => old - pass.relaxation * off * own.inverse,
            // No impulse moves the row. If its velocity is off, it is at its bound, as friction against a motor without
            // bounds is.
            false => beyond_bounds(&row, off, old),
        };
        let next = row.bounded(wanted, scale);
        self.set_row(own.row, next);
        let change = next - old;
        self.apply_to_row_sides(&own, change, masses);
        own.sides.into_iter().for_each(|side| self.write_touched(side));
        (change * own.measure) * (change * own.measure)
    }

    /// Applies an impulse along a row with bounds to both of its sides.
    pub(super) fn apply_to_row_sides(&mut self, own: &SplitRow, impulse: f64, masses: &[MassInverse]) {
        let both = [(own.values.body_a, own.values.jacobian_a), (own.values.body_b, own.values.jacobian_b)];
        for (side, (body, jacobian)) in own.sides.into_iter().zip(&both) {
            match side {
                Side::Port(number, port) => self.split.mechanisms[number as usize].push(port, impulse),
                Side::Free => self.apply_to_free_body(masses, *body, jacobian, impulse),
                Side::Shared => {}
            }
        }
    }

    /// Reads the impulse of a row that its mechanism holds, and releases the row at its bound if the impulse is beyond
    /// it.
    fn visit_held_row(&mut self, own: &SplitRow, masses: &[MassInverse]) -> f64 {
        let Some((number, port)) = own.sides.iter().find_map(|side| side.port()) else { return 0.0 };
        let found = -self.split.mechanisms[number as usize].speeds[port as usize];
        let bounded = own.values.bounded(found, 1.0);
        self.set_row(own.row, bounded);
        if bounded == found {
            return 0.0;
        }
        self.release(own, (number, port));
        self.split.mechanisms[number as usize].push(port, bounded - found);
        own.sides.into_iter().for_each(|side| self.write_touched(side));
        self.prepare_blocks(masses, Some(number));
        let change = (bounded - found) * own.measure;
        change * change
    }

    /// Returns the part of the velocity of a row that is due to bodies in no mechanism.
    pub(super) fn free_speed(&self, own: &SplitRow) -> f64 {
        let both = [(own.values.body_a, own.values.jacobian_a), (own.values.body_b, own.values.jacobian_b)];
        let free = own.sides.iter().zip(both).filter(|(side, _)| **side == Side::Free);
        free.map(|(_, (body, jacobian))| {
            self.bodies.get(body.index()).map_or(0.0, |line| jacobian.dot(&lines::velocity(line)))
        })
        .sum()
    }

    /// Writes the velocities of the bodies with contacts of a mechanism to their lines.
    pub(super) fn write_touched(&mut self, side: Side) {
        if let Side::Port(number, _) = side {
            let own = &self.split.mechanisms[number as usize];
            for (place, body) in own.touched.iter().enumerate() {
                lines::set_velocity(&mut self.bodies[*body], &own.velocity(place));
            }
        }
    }
}

/// A row that no impulse moves is satisfied if its velocity error is at most this [m/s] or [rad/s].
pub(super) const STILL: f64 = 1e-12;

/// Returns an impulse beyond the bound of a row that no impulse moves and whose velocity error is `off`. Returns the
/// old impulse if that bound is infinite, since no impulse is a solution then, and if the row is not off.
fn beyond_bounds(row: &Row, off: f64, old: f64) -> f64 {
    match off {
        off if off > STILL && row.lower.is_finite() => f64::NEG_INFINITY,
        off if off < -STILL && row.upper.is_finite() => f64::INFINITY,
        _ => old,
    }
}
