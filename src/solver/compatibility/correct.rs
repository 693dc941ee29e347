//! Corrects the closed contacts and the rows of each island, and reports the result.

use crate::error::{Result, empty, refill};
use crate::math::{BodyRow, ContactId, Vec3};
use crate::solver::compatibility::elastic::Equilibrium;
use crate::solver::compatibility::held::SpringState;
use crate::solver::compatibility::law::Law;
use crate::solver::compatibility::network::{Outline, axes};
use crate::solver::compatibility::newton::{End, Search, SearchResult};
use crate::solver::compatibility::options::{ContactColumns, CorrectionInput};
use crate::solver::compatibility::role::{Role, Roles, velocity};
use crate::solver::compatibility::{Corrected, Elastic, Form};
use crate::solver::monitor::Monitor;
use crate::solver::problem::islands::Island;
use crate::solver::problem::{Contact, Impulse, Problem};

/// A result above the tolerance is used up to this residual. Above it the impulses stay as they are: balanced, but not
/// unique [-].
const USABLE: f64 = 1e-6;

/// The accuracy to which forces must be unique, as a part of the largest impulse [-].
const UNIQUE: f64 = 1e-8;

/// The searches of all kinds of islands, the contacts and rows of the present island, and their workspace.
#[derive(Debug, Default)]
pub(in crate::solver) struct Compatibility {
    outline: Outline,
    roles: Roles,
    straight: Search<3, 1>,
    turning: Search<6, 1>,
    frictional: Search<6, 3>,
    equilibrium: Equilibrium<6, 3>,
}

impl Compatibility {
    /// Sets the monitor that is called between the steps of all searches.
    pub(in crate::solver) fn set_monitor(&mut self, monitor: &Monitor) {
        self.straight.monitor.clone_from(monitor);
        self.turning.monitor.clone_from(monitor);
        self.frictional.monitor.clone_from(monitor);
        self.equilibrium.monitor.clone_from(monitor);
    }

    /// Lists the contacts of an island that have an impulse or do not open.
    fn close(&mut self, input: &CorrectionInput, island: &Island, impulses: &[Impulse]) -> Result<()> {
        let CorrectionInput { problem, openings, motion, closing, .. } = *input;
        empty(&mut self.outline.closed, island.contacts.len(), "contacts of an island")?;
        for index in island.contacts {
            let (contact, optional) = problem.full_contact(*index);
            let impulse = &impulses[*index];
            let u = contact.relative_velocity(motion.velocity(contact.body_a), motion.velocity(contact.body_b));
            let (w_n, w_t) = contact.defect(&u, impulse, optional);
            // A contact that slides by the associated law opens at this speed although it is closed.
            let opening = w_n - problem.friction.dilation() * (contact.friction * w_t.norm());
            let limit = input.elastic.touching * longer_arm(problem, contact);
            let parting = openings.get(index.index()).copied().unwrap_or(0.0);
            let gap = (contact.normal_bias - parting).clamp(0.0, limit);
            if impulse.normal != 0.0 || impulse.tangential != Vec3::zeros() || opening - gap <= closing {
                self.outline.closed.push(*index);
            }
        }
        Ok(())
    }

    /// Returns whether a closed contact has friction.
    fn has_friction(&self, input: &CorrectionInput, impulses: &[Impulse]) -> bool {
        let rubs = |index: &ContactId| {
            // If the host gives an impulse as a vector, its tangential part has round-off.
            let Impulse { normal, tangential } = &impulses[*index];
            input.problem.contacts[*index].friction > 0.0 || tangential.norm() > 8.0 * f64::EPSILON * normal.abs()
        };
        self.outline.closed.iter().any(rubs)
    }

    /// Stores the data of a problem that all islands need.
    pub(in crate::solver) fn begin(&mut self, problem: &Problem) -> Result<()> {
        self.roles.note(problem)
    }

    /// Lists the rows of an island that are held. Returns whether any other row keeps an impulse that depends on the
    /// solver.
    fn hold(&mut self, input: &CorrectionInput, island: &Island, impulses: &[f64]) -> Result<bool> {
        empty(&mut self.outline.held, island.rows.len(), "rows of an island")?;
        let mut keeps = false;
        for index in island.rows {
            match self.roles.of(input, *index, impulses[*index]) {
                Role::Held => self.outline.held.push(*index),
                role => keeps |= role == Role::Kept,
            }
        }
        Ok(keeps)
    }

    /// Corrects an island, and adds the result to the report.
    pub(in crate::solver) fn correct(
        &mut self,
        input: &CorrectionInput,
        island: &Island,
        columns: &mut ContactColumns,
        all: &mut Corrected,
    ) -> Result<()> {
        self.close(input, island, columns.impulses)?;
        let keeps_rows = self.hold(input, island, columns.row_impulses)?;
        let has_friction = self.has_friction(input, columns.impulses);
        let elastic = &Elastic { form: resolved(input.elastic.form, has_friction), ..*input.elastic };
        let input = &CorrectionInput { elastic, ..*input };
        self.outline.draw(input.problem, island.bodies)?;
        let (found, has_dependent_rows) = self.find(input, island.bodies, columns, all)?;
        let Outline { closed, held, .. } = &self.outline;
        let problem = input.problem;
        let is_left = has_friction && elastic.form == Form::Normal
            || keeps_rows
            || has_dependent_rows
            || closed.iter().any(|index| problem.optional_terms(*index).resists_turning())
            || is_ambiguous(input, &self.outline, columns);
        let has_any = !closed.is_empty() || !held.is_empty();
        all.undetermined += u32::from(has_any && (is_left || !is_usable(&found)));
        all.iterations = all.iterations.max(found.steps);
        all.closed += closed.len() as u32;
        match found.end {
            End::Infeasible => all.infeasible += 1,
            End::Converged | End::Stalled => {
                // A residual that is not finite counts as 1: the whole load is missing.
                all.residual = all.residual.max(if found.residual.is_finite() { found.residual } else { 1.0 });
                all.unconverged += u32::from(found.end == End::Stalled);
            }
        }
        // Up to round-off.
        let is_beyond = |index: &&ContactId| {
            let (contact, impulse) = (&problem.contacts[**index], &columns.compatible[**index]);
            impulse.tangential.norm() > contact.friction * impulse.normal * (1.0 + 1e-9)
        };
        all.beyond += closed.iter().filter(is_beyond).count() as u32;
        Ok(())
    }

    /// Computes the impulses of an island by the search of its kind. Returns the result, and whether rows that are held
    /// depend on others.
    fn find(
        &mut self,
        input: &CorrectionInput,
        bodies: &[BodyRow],
        columns: &mut ContactColumns,
        all: &mut Corrected,
    ) -> Result<(SearchResult, bool)> {
        let Self { outline, straight, turning, frictional, equilibrium, .. } = self;
        let form = input.elastic.form;
        if form != Form::Normal {
            let mut found = frictional.correct(input, bodies, outline, columns)?;
            // Without contacts all forms are the same.
            let has_contacts = !frictional.network.links.is_empty();
            if form == Form::Elastic && has_contacts && is_usable(&found) && frictional.is_loaded() {
                let reached = frictional.release(input, outline, equilibrium, columns, &mut found)?;
                all.associated += u32::from(!reached);
            }
            Ok((found, frictional.has_dependent_rows))
        } else if outline.is_straight(input.problem) {
            Ok((straight.correct(input, bodies, outline, columns)?, false))
        } else {
            Ok((turning.correct(input, bodies, outline, columns)?, turning.has_dependent_rows))
        }
    }
}

impl<const N: usize, const R: usize> Search<N, R> {
    /// Corrects the closed contacts of an island and the rows that are held.
    fn correct(
        &mut self,
        input: &CorrectionInput,
        bodies: &[BodyRow],
        outline: &Outline,
        columns: &mut ContactColumns,
    ) -> Result<SearchResult> {
        let elastic = input.elastic;
        self.has_dependent_rows = false;
        let unchanged = SearchResult { end: End::Converged, steps: 0, residual: 0.0 };
        if !self.network.fill(input, outline, columns)? {
            return Ok(unchanged);
        }
        let Self { network, blocks, linear, rank, .. } = self;
        self.has_dependent_rows = rank.is_deficient(&network.held, &outline.members.graph, blocks, linear)?;
        // The load alone determines the impulses of rows of full rank.
        if network.links.is_empty() && !self.has_dependent_rows {
            return Ok(unchanged);
        }
        refill(&mut self.z, bodies.len(), [0.0; N], "bodies of an island")?;
        for (z, body) in self.z.iter_mut().zip(bodies) {
            let known = &columns.displacements[*body];
            *z = std::array::from_fn(|k| known[k]);
        }
        let law = Law { exponent: elastic.exponent, dilation: 1.0 };
        let found = self.minimise(&law, &outline.members.graph, elastic.tolerance)?;
        if !is_usable(&found) {
            return Ok(found);
        }
        for (z, body) in self.z.iter().zip(bodies) {
            columns.displacements[*body] = std::array::from_fn(|k| if k < N { z[k] } else { 0.0 });
        }
        self.write(input, &law, &self.e, &self.pull, columns);
        Ok(found)
    }

    /// Follows the associated solution to the elastic one. Returns `false` if that was not found: the associated one is
    /// then kept.
    fn release(
        &self,
        input: &CorrectionInput,
        outline: &Outline,
        equilibrium: &mut Equilibrium<N, R>,
        columns: &mut ContactColumns,
        found: &mut SearchResult,
    ) -> Result<bool> {
        let elastic = input.elastic;
        let reached = equilibrium.find(self, &outline.members.graph, elastic)?;
        found.steps += equilibrium.steps;
        if reached {
            (found.end, found.residual) = (End::Converged, equilibrium.residual / self.network.load_norm);
            let law = Law { exponent: elastic.exponent, dilation: 0.0 };
            self.write(input, &law, &equilibrium.e, &equilibrium.pull, columns);
        }
        Ok(reached)
    }

    /// Writes the solution of an island.
    fn write(
        &self,
        input: &CorrectionInput,
        law: &Law,
        e: &[[f64; R]],
        pull: &SpringState,
        columns: &mut ContactColumns,
    ) {
        let CorrectionInput { problem, elastic, .. } = *input;
        for (link, e) in self.network.links.iter().zip(e) {
            let (force, unit) = (law.force(&link.traits, e), self.network.unit);
            let answer = &mut columns.compatible[link.contact];
            answer.normal = unit * force[0];
            if elastic.form != Form::Normal {
                let axes = axes::<R>(&problem.contacts[link.contact], elastic.ratio.sqrt());
                answer.tangential = unit * (1..R).map(|k| axes[k] * force[k]).sum::<Vec3>();
            }
        }
        self.network.held.write(pull, self.network.unit, columns.compatible_rows);
    }
}

/// Returns whether the residual permits other resultants, so that forces depend on the order of sweeps. The error of a
/// contact's impulse is up to the residual over the contact's scale.
fn is_ambiguous(input: &CorrectionInput, outline: &Outline, columns: &ContactColumns) -> bool {
    let problem = input.problem;
    let (mut largest, mut missing) = (0.0_f64, 0.0_f64);
    for index in &outline.closed {
        let (contact, optional) = problem.full_contact(*index);
        let scale = contact.measure(problem.mass(contact.body_a), problem.mass(contact.body_b), optional).scale;
        if scale > 0.0 {
            missing = missing.max(input.missing / scale);
        }
        let impulse = &columns.impulses[*index];
        largest = largest.max(impulse.normal.max(impulse.tangential.norm()));
    }
    for index in &outline.held {
        let (row, impulse) = (&problem.rows[*index], columns.row_impulses[*index]);
        let measure = row.measure(problem.mass(row.body_a), problem.mass(row.body_b));
        let is_bilateral = row.lower == f64::NEG_INFINITY && row.upper == f64::INFINITY;
        if !input.is_given && is_bilateral && measure.scale > 0.0 {
            let force_per_velocity = 1.0 / (measure.scale * measure.length * measure.length);
            missing = missing.max(velocity(input, *index, impulse).abs() * force_per_velocity);
        }
        largest = largest.max(impulse.abs() / measure.length);
    }
    missing > UNIQUE * largest
}

/// Returns the form in an island.
fn resolved(form: Form, has_friction: bool) -> Form {
    match (form, has_friction) {
        (Form::Auto, true) => Form::Associated,
        (Form::Auto, false) => Form::Normal,
        (given, _) => given,
    }
}

/// Returns the longer of the arms of a contact to bodies that move [m].
fn longer_arm(problem: &Problem, contact: &Contact) -> f64 {
    let arms = [(contact.body_a, &contact.arm_a), (contact.body_b, &contact.arm_b)];
    arms.into_iter().filter(|(body, _)| problem.moves(*body)).map(|(_, arm)| arm.norm()).fold(0.0, f64::max)
}

/// Returns whether the result is used.
fn is_usable(found: &SearchResult) -> bool {
    match found.end {
        End::Converged => true,
        End::Stalled => found.residual <= USABLE,
        End::Infeasible => false,
    }
}
