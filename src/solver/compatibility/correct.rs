//! Corrects the closed contacts of each island, and reports how it went.

use crate::error::{Result, empty, refill};
use crate::math::{BodyRow, ContactId, Vec3};
use crate::solver::compatibility::elastic::Equilibrium;
use crate::solver::compatibility::law::Law;
use crate::solver::compatibility::network::{Outline, axes};
use crate::solver::compatibility::newton::{End, Search, SearchResult};
use crate::solver::compatibility::options::{ContactColumns, CorrectionInput};
use crate::solver::compatibility::{Corrected, Elastic, Form};
use crate::solver::problem::islands::Island;
use crate::solver::problem::{Contact, Impulse, Problem};

/// What stopped above the tolerance is used up to this residual; beyond, the impulses stay as they are: balanced, though
/// not unique [-].
const USABLE: f64 = 1e-6;

/// The part of the largest impulse to which forces are to be unique [-].
const UNIQUE: f64 = 1e-8;

/// The searches of all kinds of islands, and the contacts of the present one; keeps its workspace.
#[derive(Debug, Default)]
pub(in crate::solver) struct Compatibility {
    outline: Outline,
    straight: Search<3, 1>,
    turning: Search<6, 1>,
    frictional: Search<6, 3>,
    equilibrium: Equilibrium<6, 3>,
}

impl Compatibility {
    /// Lists the contacts of an island that carry an impulse or do not open.
    fn close(&mut self, input: &CorrectionInput, island: &Island, impulses: &[Impulse]) -> Result<()> {
        let CorrectionInput { problem, motion, closing, .. } = *input;
        empty(&mut self.outline.closed, island.contacts.len(), "contacts of an island")?;
        for index in island.contacts {
            let (contact, optional) = problem.full_contact(*index);
            let impulse = &impulses[*index];
            let u = contact.relative_velocity(motion.velocity(contact.body_a), motion.velocity(contact.body_b));
            let (w_n, w_t) = contact.defect(&u, impulse, optional);
            // What slides by the associated law is closed while it opens at this speed.
            let opening = w_n - problem.friction.dilation() * (contact.friction * w_t.norm());
            let most = input.elastic.touching * longer_arm(problem, contact);
            let gap = contact.normal_bias.clamp(0.0, most);
            if impulse.normal != 0.0 || impulse.tangential != Vec3::zeros() || opening - gap <= closing {
                self.outline.closed.push(*index);
            }
        }
        Ok(())
    }

    /// Returns whether a closed contact has friction.
    fn has_friction(&self, input: &CorrectionInput, impulses: &[Impulse]) -> bool {
        let rubs = |index: &ContactId| {
            // What a host gives as a vector has a tangential part of round-off.
            let Impulse { normal, tangential } = &impulses[*index];
            input.problem.contacts[*index].friction > 0.0 || tangential.norm() > 8.0 * f64::EPSILON * normal.abs()
        };
        self.outline.closed.iter().any(rubs)
    }

    /// Corrects an island, and adds what happened to the report.
    pub(in crate::solver) fn correct(
        &mut self,
        input: &CorrectionInput,
        island: &Island,
        columns: &mut ContactColumns,
        all: &mut Corrected,
    ) -> Result<()> {
        self.close(input, island, columns.impulses)?;
        let has_friction = self.has_friction(input, columns.impulses);
        let elastic = &Elastic { form: resolved(input.elastic.form, has_friction), ..*input.elastic };
        let input = &CorrectionInput { elastic, ..*input };
        let problem = input.problem;
        let Self { outline, straight, turning, frictional, equilibrium } = self;
        all.closed += outline.closed.len() as u32;
        outline.draw(problem, island.bodies)?;
        let bodies = island.bodies;
        let found = if elastic.form != Form::Normal {
            let mut found = frictional.correct(input, bodies, outline, columns)?;
            if elastic.form == Form::Elastic && is_usable(&found) && frictional.is_loaded() {
                let reached = frictional.release(input, outline, equilibrium, columns, &mut found)?;
                all.associated += u32::from(!reached);
            }
            found
        } else if outline.is_straight(problem) {
            straight.correct(input, bodies, outline, columns)?
        } else {
            turning.correct(input, bodies, outline, columns)?
        };
        all.iterations = all.iterations.max(found.steps);
        let is_left = has_friction && elastic.form == Form::Normal
            || !island.rows.is_empty()
            || outline.closed.iter().any(|index| problem.optional_terms(*index).resists_turning())
            || is_vague(input, outline, columns.impulses);
        all.undetermined += u32::from(!outline.closed.is_empty() && (is_left || !is_usable(&found)));
        match found.end {
            End::Infeasible => all.infeasible += 1,
            End::Converged | End::Stalled => {
                // what is not a number is all missing
                all.residual = all.residual.max(if found.residual.is_finite() { found.residual } else { 1.0 });
                all.unconverged += u32::from(found.end == End::Stalled);
            }
        }
        // but for round-off
        let is_beyond = |index: &&ContactId| {
            let (contact, impulse) = (&problem.contacts[**index], &columns.compatible[**index]);
            impulse.tangential.norm() > contact.friction * impulse.normal * (1.0 + 1e-9)
        };
        all.beyond += outline.closed.iter().filter(is_beyond).count() as u32;
        Ok(())
    }
}

impl<const N: usize, const R: usize> Search<N, R> {
    /// Corrects the closed contacts of an island.
    fn correct(
        &mut self,
        input: &CorrectionInput,
        bodies: &[BodyRow],
        outline: &Outline,
        columns: &mut ContactColumns,
    ) -> Result<SearchResult> {
        let elastic = input.elastic;
        if !self.network.fill(input, outline, columns)? {
            return Ok(SearchResult { end: End::Converged, steps: 0, residual: 0.0 });
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
        self.write(input, &law, &self.e, columns);
        Ok(found)
    }

    /// Follows the associated answer to the elastic one. `false`: that was not found, and the associated one stands.
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
            self.write(input, &law, &equilibrium.e, columns);
        }
        Ok(reached)
    }

    /// Writes the answer of an island.
    fn write(&self, input: &CorrectionInput, law: &Law, e: &[[f64; R]], columns: &mut ContactColumns) {
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
    }
}

/// Whether the residual leaves room for other resultants, so that forces depend on the order of sweeps: the impulse that a contact lacks
/// is up to its residual over its scale.
fn is_vague(input: &CorrectionInput, outline: &Outline, impulses: &[Impulse]) -> bool {
    let problem = input.problem;
    let (mut largest, mut missing) = (0.0_f64, 0.0_f64);
    for index in &outline.closed {
        let (contact, optional) = problem.full_contact(*index);
        let scale = contact.measure(problem.mass(contact.body_a), problem.mass(contact.body_b), optional).scale;
        if scale > 0.0 {
            missing = missing.max(input.missing / scale);
        }
        let impulse = &impulses[*index];
        largest = largest.max(impulse.normal.max(impulse.tangential.norm()));
    }
    missing > UNIQUE * largest
}

/// The form in an island.
fn resolved(form: Form, has_friction: bool) -> Form {
    match (form, has_friction) {
        (Form::Auto, true) => Form::Associated,
        (Form::Auto, false) => Form::Normal,
        (given, _) => given,
    }
}

/// The longer of the arms of a contact to bodies that move [m].
fn longer_arm(problem: &Problem, contact: &Contact) -> f64 {
    let arms = [(contact.body_a, &contact.arm_a), (contact.body_b, &contact.arm_b)];
    arms.into_iter().filter(|(body, _)| problem.moves(*body)).map(|(_, arm)| arm.norm()).fold(0.0, f64::max)
}

/// Whether the answer is taken.
fn is_usable(found: &SearchResult) -> bool {
    match found.end {
        End::Converged => true,
        End::Stalled => found.residual <= USABLE,
        End::Infeasible => false,
    }
}
