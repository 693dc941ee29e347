//! Which contacts are corrected, island by island, and what is told of it.

use crate::error::{Result, reserve, resize};
use crate::math::Vec3;
use crate::solver::bodies::Motion;
use crate::solver::compatibility::elastic::{Aim, Equilibrium};
use crate::solver::compatibility::law::Law;
use crate::solver::compatibility::network::Outline;
use crate::solver::compatibility::newton::{End, Found, Search};
use crate::solver::compatibility::{Corrected, Displacement, Elastic, Form};
use crate::solver::islands::Island;
use crate::solver::problem::{Impulse, Impulses, Problem};
use crate::solver::solve::Solver;

/// In units of the residual: what opens more slowly counts as closed, [K] with the error of the solve [-].
const RESIDUALS: f64 = 10.0;

/// In units of the largest speed before the contacts: what sums of velocities are known to [-].
const ROUND_OFF: f64 = 64.0 * f64::EPSILON;

/// What stopped above the tolerance is used up to this residual; beyond, the impulses stay as they are: balanced, though
/// not unique [-].
const USABLE: f64 = 1e-6;

/// The searches of all kinds of islands, and the contacts of the present one; keeps its workspace.
#[derive(Debug, Default)]
pub(in crate::solver) struct Compatibility {
    outline: Outline,
    closed: Vec<u32>,
    straight: Search<3, 1>,
    turning: Search<6, 1>,
    frictional: Search<6, 3>,
    equilibrium: Equilibrium<6, 3>,
}

/// Impulses and stiffness of all contacts, and where the corrected ones go.
struct Contacts<'a> {
    impulses: &'a [Impulse],
    stiffness: &'a [f64],
    compatible: &'a mut [Impulse],
    displacements: &'a mut [Displacement],
}

impl Solver {
    /// Corrects the impulses of the contacts of the problem solved or measured last, all of its velocities being those of
    /// these impulses.
    ///
    /// `stiffness` has one number above 0 for each contact; only ratios matter. `displacements` are those of the bodies
    /// from the last correction, or none, and then those of this one. `compatible` receives the answer.
    pub fn correct(
        &mut self,
        problem: &Problem,
        (impulses, stiffness): (&Impulses, &[f64]),
        elastic: &Elastic,
        displacements: &mut Vec<Displacement>,
        compatible: &mut Vec<Impulse>,
    ) -> Result<Corrected> {
        resize(displacements, problem.masses.len(), [0.0; 6], "bodies")?;
        compatible.clear();
        reserve(compatible, impulses.contacts.len(), "contacts")?;
        compatible.extend_from_slice(&impulses.contacts);
        let closing = self.closing(problem, elastic);
        let mut all = Corrected { closing, ..Corrected::default() };
        let mut contacts = Contacts { impulses: &impulses.contacts, stiffness, compatible, displacements };
        for number in 0..self.islands.len() {
            let island = self.islands.get(number);
            let correction = &mut self.compatibility;
            correction.close(problem, &island, &self.motion, (contacts.impulses, closing))?;
            all.closed += correction.closed.len() as u32;
            correction.correct(problem, &island, &mut contacts, elastic, &mut all)?;
        }
        Ok(all)
    }

    /// What opens more slowly than this counts as closed [m/s].
    fn closing(&self, problem: &Problem, elastic: &Elastic) -> f64 {
        // where all contacts were measured in batches the largest residual is one of theirs, and the others are gone
        let residual = match self.residuals.as_slice() {
            [] => self.largest,
            all => all.iter().take(problem.contacts.len()).copied().fold(0.0, f64::max),
        };
        let fastest = problem.velocities.iter().map(|velocity| velocity.linear.amax()).fold(0.0, f64::max);
        RESIDUALS * elastic.closing.max(residual) + ROUND_OFF * fastest
    }
}

impl Compatibility {
    /// Lists the contacts of an island that carry an impulse or do not open.
    fn close(
        &mut self,
        problem: &Problem,
        island: &Island,
        motion: &Motion,
        (impulses, closing): (&[Impulse], f64),
    ) -> Result<()> {
        self.closed.clear();
        reserve(&mut self.closed, island.contacts.len(), "contacts of an island")?;
        for index in island.contacts {
            let (contact, besides) = problem.whole(*index as usize);
            let impulse = &impulses[*index as usize];
            let u = contact.relative_velocity(motion.velocity(contact.body_a), motion.velocity(contact.body_b));
            let (opening, _) = contact.defect(&u, impulse, besides);
            if impulse.normal != 0.0 || impulse.tangential != Vec3::zeros() || opening <= closing {
                self.closed.push(*index);
            }
        }
        Ok(())
    }

    fn correct(
        &mut self,
        problem: &Problem,
        island: &Island,
        contacts: &mut Contacts,
        elastic: &Elastic,
        all: &mut Corrected,
    ) -> Result<()> {
        let Self { outline, closed, straight, turning, frictional, equilibrium } = self;
        outline.draw(problem, island.bodies, closed)?;
        let found = if elastic.form != Form::Normal {
            let mut found = frictional.correct(problem, (island, outline, closed), contacts, elastic)?;
            if elastic.form == Form::Elastic && is_usable(&found) && frictional.is_loaded() {
                let reached = frictional.release(problem, (outline, equilibrium), contacts, elastic, &mut found)?;
                all.associated += u32::from(!reached);
            }
            found
        } else if outline.is_straight(problem, closed) {
            straight.correct(problem, (island, outline, closed), contacts, elastic)?
        } else {
            turning.correct(problem, (island, outline, closed), contacts, elastic)?
        };
        all.iterations = all.iterations.max(found.steps);
        match found.end {
            End::Infeasible => all.infeasible += 1,
            End::Converged | End::Stalled => {
                // what is not a number is all missing
                all.residual = all.residual.max(if found.residual.is_finite() { found.residual } else { 1.0 });
                all.unconverged += u32::from(found.end == End::Stalled);
            }
        }
        all.beyond += closed.iter().filter(|index| is_beyond(problem, contacts.compatible, **index)).count() as u32;
        Ok(())
    }
}

impl<const N: usize, const R: usize> Search<N, R> {
    /// Corrects the closed contacts of an island.
    fn correct(
        &mut self,
        problem: &Problem,
        (island, outline, closed): (&Island, &Outline, &[u32]),
        contacts: &mut Contacts,
        elastic: &Elastic,
    ) -> Result<Found> {
        let nothing = Found { end: End::Converged, steps: 0, residual: 0.0 };
        if !self.network.fill(problem, outline, closed, (contacts.impulses, contacts.stiffness), elastic)? {
            return Ok(nothing);
        }
        self.z.clear();
        resize(&mut self.z, island.bodies.len(), [0.0; N], "bodies of an island")?;
        for (z, body) in self.z.iter_mut().zip(island.bodies) {
            let known = &contacts.displacements[*body as usize];
            *z = std::array::from_fn(|k| known[k]);
        }
        let law = elastic.law();
        let found = self.minimise(&law, &outline.graph, elastic.tolerance)?;
        if !is_usable(&found) {
            return Ok(found);
        }
        for (z, body) in self.z.iter().zip(island.bodies) {
            contacts.displacements[*body as usize] = std::array::from_fn(|k| if k < N { z[k] } else { 0.0 });
        }
        self.write(problem, contacts, elastic, (&law, &self.e));
        Ok(found)
    }

    /// Follows the associated answer to the elastic one. `false`: that was not found, and the associated one stands.
    fn release(
        &self,
        problem: &Problem,
        (outline, equilibrium): (&Outline, &mut Equilibrium<N, R>),
        contacts: &mut Contacts,
        elastic: &Elastic,
        found: &mut Found,
    ) -> Result<bool> {
        let enough = self.enough(elastic.tolerance);
        let aim = Aim { exponent: elastic.exponent, enough };
        let reached = equilibrium.find(&self.network, &outline.graph, &aim, (&self.z, &self.e))?;
        found.steps += equilibrium.steps;
        if reached {
            (found.end, found.residual) = (End::Converged, equilibrium.residual / self.network.load_norm);
            let law = Law { exponent: elastic.exponent, dilation: 0.0 };
            self.write(problem, contacts, elastic, (&law, &equilibrium.e));
        }
        Ok(reached)
    }

    /// The answer of an island.
    fn write(&self, problem: &Problem, contacts: &mut Contacts, elastic: &Elastic, (law, e): (&Law, &[[f64; R]])) {
        for (link, e) in self.network.links.iter().zip(e) {
            let contact = &problem.contacts[link.contact as usize];
            let (normal, across) = self.network.impulse(law, contact, link, e, elastic.ratio);
            let answer = &mut contacts.compatible[link.contact as usize];
            answer.normal = normal;
            if elastic.form != Form::Normal {
                answer.tangential = across;
            }
        }
    }
}

/// Whether the answer is taken.
fn is_usable(found: &Found) -> bool {
    match found.end {
        End::Converged => true,
        End::Stalled => found.residual <= USABLE,
        End::Infeasible => false,
    }
}

/// Whether friction is above its bound, but for round-off.
fn is_beyond(problem: &Problem, impulses: &[Impulse], index: u32) -> bool {
    let (contact, impulse) = (&problem.contacts[index as usize], &impulses[index as usize]);
    impulse.tangential.norm() > contact.friction * impulse.normal * (1.0 + 1e-9)
}
