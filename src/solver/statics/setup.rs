//! The conic program of a static problem, with all bodies as one island. Its units are the largest load for forces, and the
//! compression under that load for displacements.

use crate::error::{Result, copy, empty, refill, resize};
use crate::math::{BodyRow, ContactId, RowId, Vec3};
use crate::solver::conic::program::{DOF, Program, Units};
use crate::solver::operator::assembly::{Assembly, scatter};
use crate::solver::operator::blocks::Root;
use crate::solver::operator::reduced::Reduced;
use crate::solver::problem::islands::Island;
use crate::solver::problem::{
    Contact, Friction, Impulses, Jacobian, MassInverse, OptionalTerms, Problem, Row, Velocity,
};
use crate::solver::statics::load::Load;

/// The least unit of moves among rigid contacts, in units of the size of bodies [-].
const RIGID_MOVE: f64 = 1e-3;
/// The least one in units of the largest gap [-].
const PART_OF_GAP: f64 = 1e-3;

/// Prescribed moves up to this, in units of moves, are none [-].
const NO_MOVE: f64 = 1e-7;

/// A problem in the metric of moves, and its program; keeps its workspace.
#[derive(Debug, Default)]
pub(super) struct Setup {
    pub(super) program: Program,
    pub(super) reduced: Reduced,
    pub(super) units: Units,
    pub(super) bodies: Vec<BodyRow>,
    /// The contacts and rows that take part.
    pub(super) listed: Vec<ContactId>,
    pub(super) row_ids: Vec<RowId>,
    assembly: Assembly,
    masses: Vec<MassInverse>,
    velocities: Vec<Velocity>,
    contacts: Vec<Contact>,
    optional: Vec<OptionalTerms>,
    rows: Vec<Row>,
    friction: Friction,
    /// Half the size of bodies [m].
    half: f64,
    /// Whether supports, surfaces or motors prescribe moves.
    pub(super) is_driven: bool,
}

impl Setup {
    /// Takes over the contacts of a problem that `takes` returns, as it returns them, and the rows that `takes_row` selects.
    /// `loads` are those of the program.
    pub(super) fn set(
        &mut self,
        problem: &Problem,
        loads: &[Load],
        length: f64,
        takes: impl Fn(&Contact, &OptionalTerms) -> Option<(Contact, OptionalTerms)>,
        takes_row: impl Fn(&Row) -> bool,
    ) -> Result<()> {
        self.half = 0.5 * length;
        self.friction = Friction::Associated;
        copy(&mut self.rows, problem.rows, "rows")?;
        self.take_bodies(problem)?;
        self.take_contacts(problem, takes)?;
        self.take_rows(problem, takes_row)?;
        self.choose_units(loads, length);
        self.is_driven = self.drive() > NO_MOVE * self.units.speed;
        self.set_inverse_masses(problem);
        let Self { masses, velocities, contacts, optional, rows, friction, .. } = self;
        let own = Problem { masses, velocities, contacts, optional, rows, friction: *friction };
        let island = Island { contacts: &self.listed, rows: &self.row_ids, bodies: &self.bodies };
        self.assembly.prepare(&own, &island, &mut self.reduced)?;
        self.program.number(&own, &island)?;
        self.program.set(&own, &island, &self.reduced, &self.units)?;
        self.program.weight = 0.0;
        let mut own_load = std::mem::take(&mut self.program.load);
        self.write_load(loads, &mut own_load);
        self.program.load = own_load;
        Ok(())
    }

    fn take_bodies(&mut self, problem: &Problem) -> Result<()> {
        copy(&mut self.masses, problem.masses, "bodies")?;
        copy(&mut self.velocities, problem.velocities, "bodies")?;
        empty(&mut self.bodies, problem.masses.len(), "bodies")?;
        for (body, velocity) in self.velocities.iter_mut().enumerate() {
            if problem.moves(body.into()) {
                *velocity = Velocity::ZERO;
                self.bodies.push(body.into());
            }
        }
        Ok(())
    }

    fn take_contacts(
        &mut self,
        problem: &Problem,
        takes: impl Fn(&Contact, &OptionalTerms) -> Option<(Contact, OptionalTerms)>,
    ) -> Result<()> {
        copy(&mut self.contacts, problem.contacts, "contacts")?;
        resize(&mut self.optional, problem.contacts.len(), OptionalTerms::NONE, "contacts")?;
        empty(&mut self.listed, problem.contacts.len(), "contacts")?;
        for index in ContactId::range(0..problem.contacts.len()) {
            let (contact, optional) = problem.full_contact(index);
            let is_between_moving = problem.moves(contact.body_a) || problem.moves(contact.body_b);
            if is_between_moving && let Some((contact, optional)) = takes(contact, optional) {
                (self.contacts[index], self.optional[index]) = (contact, optional);
                self.listed.push(index);
            }
        }
        Ok(())
    }

    fn take_rows(&mut self, problem: &Problem, takes_row: impl Fn(&Row) -> bool) -> Result<()> {
        empty(&mut self.row_ids, problem.rows.len(), "rows")?;
        for (index, row) in problem.rows.iter().enumerate() {
            if (problem.moves(row.body_a) || problem.moves(row.body_b)) && takes_row(row) {
                self.row_ids.push(index.into());
            }
        }
        Ok(())
    }

    /// Forces in units of the largest load, and moves in units of what it presses a contact in, or of the largest overlap.
    fn choose_units(&mut self, loads: &[Load], length: f64) {
        let half = self.half;
        let of_body = |body: &BodyRow| loads.get(body.index()).map_or(0.0, |load| load.size(half));
        let largest = self.bodies.iter().map(of_body).fold(0.0, f64::max);
        let (mut soft, mut count, mut pressing, mut overlap, mut gap) = (0.0, 0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64);
        for index in &self.listed {
            let (compliance, apart) = (self.optional[*index].normal_compliance, self.contacts[*index].normal_bias);
            if compliance > 0.0 {
                soft += compliance;
                count += 1.0;
                pressing = pressing.max(-apart / compliance);
            }
            (overlap, gap) = (overlap.max(-apart), gap.max(apart));
        }
        let force = [largest, pressing].into_iter().find(|force| *force > 0.0).unwrap_or(1.0);
        let moved = self.velocities.iter().map(|moved| moved.linear.amax().max(half * moved.angular.amax()));
        let smallest = if count > 0.0 { force * soft / count } else { RIGID_MOVE * length };
        let stretch = moved.fold(smallest.max(overlap).max(PART_OF_GAP * gap), f64::max);
        self.units = Units { speed: stretch, impulse: force };
    }

    /// The largest move that is prescribed: of a support, a surface or the row of a joint [m].
    fn drive(&self) -> f64 {
        let supports = self.velocities.iter().map(|moved| moved.linear.amax().max(self.half * moved.angular.amax()));
        let surfaces = self.listed.iter().map(|index| self.optional[*index].surface_velocity.amax());
        let rows = self.row_ids.iter().map(|index| {
            let Row { rhs, jacobian_a, jacobian_b, .. } = &self.rows[*index];
            let turns = jacobian_a.linear == Vec3::zeros() && jacobian_b.linear == Vec3::zeros();
            rhs.abs() * if turns { self.half } else { 1.0 }
        });
        supports.chain(surfaces).chain(rows).fold(0.0, f64::max)
    }

    /// Gives bodies the inverse masses in which a unit of force moves them by a unit of moves.
    fn set_inverse_masses(&mut self, problem: &Problem) {
        let unit = self.units.speed / self.units.impulse;
        for (own, mass) in self.masses.iter_mut().zip(problem.masses) {
            let trace = mass.angular.trace();
            let factor = if trace > 0.0 { 3.0 * unit / (trace * self.half * self.half) } else { 0.0 };
            own.linear = mass.linear.map(|entry| if entry > 0.0 { unit } else { 0.0 });
            own.angular = mass.angular.scaled(factor);
        }
    }

    /// Writes loads in the units of the program.
    pub(super) fn write_load(&self, loads: &[Load], own: &mut [[f64; DOF]]) {
        let unit = (self.units.speed * self.units.impulse).sqrt();
        let roots = self.bodies.iter().zip(&self.program.members.roots);
        for (own, (body, root)) in own.iter_mut().zip(roots) {
            let load = loads.get(body.index()).copied().unwrap_or(Load::ZERO);
            let along = root.times(&Jacobian { linear: load.force, angular: load.torque });
            *own = along.map(|entry| entry / unit);
        }
    }

    /// Room for second loads.
    pub(super) fn make_load(&self, load: &mut Vec<[f64; DOF]>) -> Result<()> {
        refill(load, self.bodies.len(), [0.0; DOF], "bodies")
    }

    /// Writes the moves of bodies, those of the program times `factor`.
    pub(super) fn write_moves(&self, x: &[[f64; DOF]], factor: f64, moves: &mut [Velocity]) {
        let unit = factor * (self.units.speed * self.units.impulse).sqrt();
        for ((x, body), root) in x.iter().zip(&self.bodies).zip(&self.program.members.roots) {
            let (linear, angular) = root.applied(x);
            moves[*body] = Velocity { linear: unit * linear, angular: unit * angular };
        }
    }

    /// The largest move of a body in the moves of the program, turns at half its size [m].
    pub(super) fn reach(&self, x: &[[f64; DOF]]) -> f64 {
        let unit = (self.units.speed * self.units.impulse).sqrt();
        let of_body = |(x, root): (&[f64; DOF], &Root)| {
            let (linear, angular) = root.applied(x);
            linear.norm().max(self.half * angular.norm())
        };
        unit * x.iter().zip(&self.program.members.roots).map(of_body).fold(0.0, f64::max)
    }

    /// The largest move of a body, turns at half its size [m].
    pub(super) fn largest(&self, moves: &[Velocity]) -> f64 {
        let of_body = |body: &BodyRow| {
            let Velocity { linear, angular } = moves[*body];
            linear.norm().max(self.half * angular.norm())
        };
        self.bodies.iter().map(of_body).fold(0.0, f64::max)
    }

    /// Writes the forces of the program.
    pub(super) fn write_forces(&self, lambda: &[f64], given: &mut Vec<f64>, forces: &mut Impulses) -> Result<()> {
        refill(given, self.program.size(), 0.0, "rows")?;
        self.program.give(lambda, &self.units, given);
        let Self { masses, velocities, contacts, optional, rows, friction, .. } = self;
        let own = Problem { masses, velocities, contacts, optional, rows, friction: *friction };
        let island = Island { contacts: &self.listed, rows: &self.row_ids, bodies: &self.bodies };
        scatter(&own, &island, &self.reduced, given, forces);
        Ok(())
    }

    /// The largest force missing on a body that can move, and torque over half its size, with the loads times `factors` [N].
    pub(super) fn unbalanced(&self, problem: &Problem, loads: [&[Load]; 2], factor: f64, forces: &Impulses) -> f64 {
        let mut largest = 0.0_f64;
        let mut sums: Vec<Load> = Vec::new();
        if resize(&mut sums, problem.masses.len(), Load::ZERO, "bodies").is_err() {
            return f64::INFINITY;
        }
        for (body, sum) in sums.iter_mut().enumerate() {
            for (loads, factor) in loads.iter().zip([1.0, factor]) {
                if let Some(load) = loads.get(body) {
                    sum.force += factor * load.force;
                    sum.torque += factor * load.torque;
                }
            }
        }
        let mut push = |body: BodyRow, linear: &Vec3, angular: &Vec3| {
            if let Some(sum) = sums.get_mut(body.index()) {
                sum.force += linear;
                sum.torque += angular;
            }
        };
        for (index, contact) in ContactId::range(0..problem.contacts.len()).zip(problem.contacts) {
            let [on_a, on_b] = contact.on_bodies(&forces.wrench(index));
            push(contact.body_a, &on_a.linear, &on_a.angular);
            push(contact.body_b, &on_b.linear, &on_b.angular);
        }
        for (row, force) in problem.rows.iter().zip(&forces.rows) {
            push(row.body_a, &(*force * row.jacobian_a.linear), &(*force * row.jacobian_a.angular));
            push(row.body_b, &(*force * row.jacobian_b.linear), &(*force * row.jacobian_b.angular));
        }
        for (sum, mass) in sums.iter().zip(problem.masses) {
            let free = sum.force.zip_map(&mass.linear, |force, mass| if mass > 0.0 { force } else { 0.0 });
            // A torque about an axis that cannot turn is held.
            let trace = mass.angular.trace();
            let turn = if trace > 0.0 { mass.angular.times(&sum.torque) * (3.0 / trace) } else { Vec3::zeros() };
            largest = largest.max(free.norm()).max(turn.norm() / self.half);
        }
        largest
    }

    /// `1/2 f C f` of contacts and rows [J].
    pub(super) fn energy(problem: &Problem, forces: &Impulses) -> f64 {
        let of_contact = |index: ContactId| {
            let (_, optional) = problem.full_contact(index);
            let wrench = forces.wrench(index);
            optional.normal_compliance * wrench.force.normal * wrench.force.normal
                + optional.tangential_compliance * wrench.force.tangential.norm_squared()
                + optional.turning_compliance * wrench.torque.norm_squared()
        };
        let contacts: f64 = ContactId::range(0..problem.contacts.len()).map(of_contact).sum();
        let rows: f64 = problem.rows.iter().zip(&forces.rows).map(|(row, force)| row.compliance * force * force).sum();
        0.5 * (contacts + rows)
    }
}
