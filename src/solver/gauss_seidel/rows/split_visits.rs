//! Visits of the contacts and rows of mechanisms in a sweep, and the solves that give velocities and rows without bounds.

use crate::error::Result;
use crate::math::lanes::Vec3s;
use crate::math::{BodyRow, RowId, Vec3, tangents};
use crate::solver::gauss_seidel::local::inverse;
use crate::solver::gauss_seidel::rows::split::{
    Side, Split, SplitContact, SplitRow, SplitSchedule, SplitScratch, may_carry,
};
use crate::solver::gauss_seidel::rows::store::{Rows, impulse_of, unrelaxed};
use crate::solver::gauss_seidel::rows::sweep::Pass;
use crate::solver::gauss_seidel::wide::general::{FullBlock, GeneralRow};
use crate::solver::gauss_seidel::wide::{SweepContext, lines};
use crate::solver::mechanism::MechanismParts;
use crate::solver::operator::blocks::{SIX, dot};
use crate::solver::problem::{Contact, Impulse, ImpulsiveWrench, Jacobian, MassInverse, Problem, Row, Velocity};

/// A contact or row of a mechanism that moves less than this part of what free bodies would has no solution: it carries nothing [-].
const IMMOBILE: f64 = 1e-10;

/// Start impulses of a mechanism without ports hold its rows if what is left is below this part of the terms: round-off [-].
const HELD: f64 = 16.0 * f64::EPSILON;

/// The impulse and the moment on one body.
type Wrench = [f64; SIX];

impl Rows {
    /// Prepares the mechanisms of a problem, whose contacts stand in their lanes.
    pub(super) fn fill_split(&mut self, problem: &Problem) -> Result<()> {
        if self.split.parts.is_empty() {
            return Ok(());
        }
        self.split.factor(problem)?;
        for at in 0..self.split.contacts.len() {
            let own = self.split.contacts[at];
            let (batch, lane) = (own.lane.batch(), own.lane.lane());
            let contact = self.general.batches[batch].contact(lane);
            let compliance = self.general.compliance(own.lane);
            let row = self.split_block(problem, &own, &contact, compliance);
            // The impulse stands in the axes of the block before.
            let mut force = Impulse::ZERO;
            self.general.read(own.lane, &mut force);
            let torque = self.general.torque(own.lane);
            self.general.batches[batch].set_block(&row, lane);
            self.general.set(own.lane, &ImpulsiveWrench { force, torque });
        }
        for at in 0..self.split.rows.len() {
            let SplitRow { values: row, sides, .. } = self.split.rows[at];
            let masses = [problem.mass(row.body_a), problem.mass(row.body_b)];
            let mut moves = 0.0;
            for ((side, mass), jacobian) in sides.iter().zip(masses).zip([&row.jacobian_a, &row.jacobian_b]) {
                moves += match side {
                    Side::Port(number, port) => self.split.mechanisms[*number as usize].entry(*port, *port),
                    Side::Free => row_block(jacobian, mass),
                    Side::Shared => 0.0,
                };
            }
            let measure = row.measure(masses[0], masses[1]);
            let acts = may_carry(&row);
            let is_mobile = acts && moves > IMMOBILE * (measure.scale - row.compliance);
            let block = if is_mobile { moves } else { 0.0 } + if acts { row.compliance } else { 0.0 };
            let own = &mut self.split.rows[at];
            (own.inverse, own.measure) = (inverse(block), block * measure.length);
        }
        Ok(())
    }

    /// Returns the block of a contact of mechanisms in its own axes.
    fn split_block(
        &self,
        problem: &Problem,
        own: &SplitContact,
        contact: &Contact,
        [soft_n, soft_t]: [f64; 2],
    ) -> GeneralRow<f64> {
        let (x, y) = tangents(&contact.normal);
        let masses = [problem.mass(contact.body_a), problem.mass(contact.body_b)];
        let wrenches = [contact.normal, x, y].map(|direction| {
            let on = |sign: f64, arm: &Vec3| wrench_of(&(sign * direction), &(sign * arm.cross(&direction)));
            [on(-1.0, &contact.arm_a), on(1.0, &contact.arm_b)]
        });
        let entry = |of: usize, with: usize| self.answer(own, &wrenches[of], &wrenches[with], masses);
        let free = wrenches.iter().map(|wrench| {
            let alone = |side: usize| dot(&wrench[side], &response(masses[side], &wrench[side]));
            alone(0) + alone(1)
        });
        let least = IMMOBILE * free.sum::<f64>();
        let block = FullBlock {
            nn: entry(0, 0) + soft_n,
            nt: [entry(1, 0), entry(2, 0)],
            xx: entry(1, 1) + soft_t,
            xy: entry(1, 2),
            yy: entry(2, 2) + soft_t,
        };
        GeneralRow::of([x, y].map(Vec3s::from), &block, least)
    }

    /// Returns the velocity along one pair of wrenches that another pair makes at a contact.
    fn answer(&self, own: &SplitContact, of: &[Wrench; 2], with: &[Wrench; 2], masses: [&MassInverse; 2]) -> f64 {
        let mut sum = 0.0;
        for (side, wrench) in own.sides.iter().zip(of) {
            let Side::Port(number, port) = *side else { continue };
            let mechanism = &self.split.mechanisms[number as usize];
            for (other, impulse) in own.sides.iter().zip(with) {
                if let Side::Port(same, from) = *other
                    && same == number
                {
                    for (row, speed) in (port..).zip(wrench) {
                        let answer: f64 =
                            (from..).zip(impulse).map(|(at, impulse)| mechanism.entry(row, at) * impulse).sum();
                        sum += speed * answer;
                    }
                }
            }
        }
        for (side, is_free) in own.sides.iter().map(|side| *side == Side::Free).enumerate() {
            if is_free {
                sum += dot(&of[side], &response(masses[side], &with[side]));
            }
        }
        sum
    }

    /// Solves the mechanisms of a part with the present impulses of contacts and rows with bounds: sets the impulses of their other rows and
    /// the velocities of their bodies. Without `has_effect` contacts and rows with bounds do not act.
    pub(in crate::solver) fn join(&mut self, problem: &Problem, part: usize, has_effect: bool) {
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
            self.push_split(problem, schedule.contacts, schedule.rows);
        }
        for at in first..end {
            let number = self.split.parts[at as usize].1 as usize;
            if let Err(error) = self.join_one(problem, number) {
                self.failed = Some(error);
            }
        }
        self.is_joined = has_effect;
    }

    /// Does the same with effect, unless nothing changed since.
    pub(in crate::solver) fn join_again(&mut self, problem: &Problem, part: usize) {
        if !self.is_joined {
            self.join(problem, part, true);
        }
    }

    /// Adds to the velocities of bodies in no mechanism what rows with bounds change that join them to one.
    pub(super) fn apply_split_rows(&mut self, problem: &Problem, part: usize) {
        let [first, end] = self.schedules[part].split.rows;
        for at in first as usize..end as usize {
            let SplitRow { row: id, values, sides, .. } = self.split.rows[at];
            let lambda = self.row_impulse(id);
            let both = [(values.body_a, values.jacobian_a), (values.body_b, values.jacobian_b)];
            for (_, (body, jacobian)) in sides.iter().zip(both).filter(|(side, _)| **side == Side::Free) {
                self.push_free(problem.masses, body, &jacobian, lambda);
            }
        }
    }

    /// Applies an impulse along a row to a body in no mechanism.
    fn push_free(&mut self, masses: &[MassInverse], body: BodyRow, jacobian: &Jacobian, lambda: f64) {
        if let (Some(mass), Some(line)) = (masses.get(body.index()), self.bodies.get_mut(body.index())) {
            lines::apply(line, mass, &(lambda * jacobian.linear), &(lambda * jacobian.angular));
        }
    }

    /// Adds to the velocities of the scratch buffer what contacts and rows with bounds change.
    fn push_split(&mut self, problem: &Problem, [first, end]: [u32; 2], rows: [u32; 2]) {
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

    /// Solves one mechanism from the velocities in the scratch buffer.
    fn join_one(&mut self, problem: &Problem, number: usize) -> Result<()> {
        if self.is_held(problem, number) {
            self.write_lines_of(problem, number);
            return Ok(());
        }
        let Split { found, mechanisms, scratch, .. } = &mut self.split;
        let Some(parts) = found.get(number) else { return Ok(()) };
        let own = &mut mechanisms[number];
        own.is_factored = own.is_factored || own.mechanism.factor(problem, parts)?;
        if own.is_factored {
            own.mechanism.constrain(problem.rows, &mut scratch.velocities, &mut scratch.lambda)?;
            for at in 0..parts.rows.len() {
                let Some(row) = self.split.found.get(number).map(|parts| parts.rows[at]) else { continue };
                self.set_row(row, self.split.scratch.lambda[row]);
            }
        }
        self.write_lines_of(problem, number);
        Ok(())
    }

    /// Returns whether the impulses from which a mechanism without ports starts hold its rows to round-off. Their effect is then in the
    /// velocities of the scratch buffer. A world finds them when it aims the rows, so that they need not be found again.
    fn is_held(&mut self, problem: &Problem, number: usize) -> bool {
        if self.split.mechanisms[number].is_factored || !self.split.mechanisms[number].speeds.is_empty() {
            return false;
        }
        let Some(MechanismParts { bodies, rows }) = self.split.found.get(number) else { return false };
        let Self { blocks, scalar, scalar_of, .. } = self;
        let impulse = |row: RowId| impulse_of(blocks, scalar, scalar_of, row);
        let velocities = &mut self.split.scratch.velocities;
        let sides = |row: &Row| [(row.body_a, row.jacobian_a), (row.body_b, row.jacobian_b)];
        for id in rows {
            let lambda = impulse(*id);
            for (body, jacobian) in sides(&problem.rows[*id]).into_iter().filter(|(body, _)| problem.moves(*body)) {
                let (linear, angular) = (lambda * jacobian.linear, lambda * jacobian.angular);
                problem.mass(body).apply(&mut velocities[body], &linear, &angular);
            }
        }
        let root_of = |row: &Row| row.block(problem.mass(row.body_a), problem.mass(row.body_b)).sqrt();
        // `|J_i M^-1 J_j^T lambda_j|` is at most the product of two such roots and the impulse.
        let push = |most: f64, id: &RowId| most.max(root_of(&problem.rows[*id]) * impulse(*id).abs());
        let most = rows.iter().fold(0.0, push);
        let is_round_off = |id: &RowId| {
            let (row, lambda) = (&problem.rows[*id], impulse(*id));
            let (mut speed, mut terms) = (row.compliance * lambda - row.rhs, row.rhs.abs() + root_of(row) * most);
            for (body, jacobian) in sides(row).into_iter().filter(|(body, _)| problem.moves(*body)) {
                let velocity = &velocities[body];
                speed += jacobian.dot(velocity);
                terms += jacobian.linear.norm() * velocity.linear.norm();
                terms += jacobian.angular.norm() * velocity.angular.norm();
            }
            speed.abs() <= HELD * terms
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

    /// Visits the contacts and the rows with bounds of the mechanisms of a part. Returns the square of the largest change of a velocity.
    pub(super) fn sweep_split(&mut self, masses: &[MassInverse], part: usize, backwards: bool, pass: &Pass) -> f64 {
        let SplitSchedule { contacts: [first, end], rows: [first_row, end_row], .. } = self.schedules[part].split;
        let turned = |at: u32, [first, end]: [u32; 2]| (if backwards { first + end - 1 - at } else { at }) as usize;
        let mut largest = 0.0;
        for at in first..end {
            largest = f64::max(largest, self.visit_split_contact(turned(at, [first, end]), pass));
        }
        for at in first_row..end_row {
            largest = f64::max(largest, self.visit_split_row(turned(at, [first_row, end_row]), masses, pass));
        }
        largest
    }

    /// Solves one contact. Returns the square of the change of its velocity [m^2/s^2].
    fn visit_split_contact(&mut self, at: usize, pass: &Pass) -> f64 {
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

    /// Solves one row with bounds. Returns the square of the change of its velocity [m^2/s^2].
    fn visit_split_row(&mut self, at: usize, masses: &[MassInverse], pass: &Pass) -> f64 {
        let own = self.split.rows[at];
        let row = own.values;
        let old = self.row_impulse(own.row);
        let scale = row.friction_row.map_or(1.0, |scale| self.row_impulse(scale).abs());
        let mut off = row.compliance * old - row.rhs;
        let free = [(row.body_a, row.jacobian_a), (row.body_b, row.jacobian_b)];
        for (side, (body, jacobian)) in own.sides.iter().zip(&free) {
            off += match *side {
                Side::Port(number, port) => self.split.mechanisms[number as usize].speeds[port as usize],
                Side::Free => self.bodies.get(body.index()).map_or(0.0, |line| jacobian.dot(&lines::velocity(line))),
                Side::Shared => 0.0,
            };
        }
        if own.inverse == 0.0 {
            return 0.0;
        }
        let next = row.bounded(old - pass.relaxation * off * own.inverse, scale);
        self.set_row(own.row, next);
        let change = next - old;
        for (side, (body, jacobian)) in own.sides.into_iter().zip(&free) {
            match side {
                Side::Port(number, port) => self.split.mechanisms[number as usize].push(port, change),
                Side::Free => self.push_free(masses, *body, jacobian, change),
                Side::Shared => {}
            }
            self.write_touched(side);
        }
        (change * own.measure) * (change * own.measure)
    }

    /// Writes the velocities of the bodies with contacts of a mechanism to their lines.
    fn write_touched(&mut self, side: Side) {
        if let Side::Port(number, _) = side {
            let own = &self.split.mechanisms[number as usize];
            for (place, body) in own.touched.iter().enumerate() {
                lines::set_velocity(&mut self.bodies[*body], &own.velocity(place));
            }
        }
    }
}

/// Returns `J M^-1 J^T` of one body.
fn row_block(jacobian: &Jacobian, mass: &MassInverse) -> f64 {
    let wrench = wrench_of(&jacobian.linear, &jacobian.angular);
    dot(&wrench, &response(mass, &wrench))
}

fn wrench_of(impulse: &Vec3, moment: &Vec3) -> Wrench {
    [impulse.x, impulse.y, impulse.z, moment.x, moment.y, moment.z]
}

/// Returns the impulse and the moment of a wrench.
fn parts_of([x, y, z, a, b, c]: &Wrench) -> [Vec3; 2] {
    [Vec3::new(*x, *y, *z), Vec3::new(*a, *b, *c)]
}

/// Returns the change of the velocity of a body by a wrench.
fn response(mass: &MassInverse, wrench: &Wrench) -> Wrench {
    let ([impulse, moment], mut moved) = (parts_of(wrench), Velocity::ZERO);
    mass.apply(&mut moved, &impulse, &moment);
    wrench_of(&moved.linear, &moved.angular)
}
