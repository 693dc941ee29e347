//! Problems without bodies: the Delassus operator of a host becomes the solver's reduced problem.

use std::time::Instant;

use crate::error::{Error, Kind, Result, reserve, resize};
use crate::solver::Place;
use crate::solver::cone::Cone;
use crate::solver::reduced::{Block, Law, Reduced};
use crate::world::own::solver::{OwnSolver, check_converged};
use crate::world::report::{Report, StepFailure};
use crate::world::settings::{FrictionLaw, Projection, Settings};

/// `w = W r + q` with `dimension` rows for each contact: normal, tangent 1, tangent 2 (rolling 1, rolling 2).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LocalProblem<'a> {
    /// Rows of a contact: 3 or 5.
    pub dimension: usize,
    /// Where the blocks of each contact begin, and where the last one's end.
    pub row_offsets: &'a [u32],
    /// The contact that is the column of each block.
    pub columns: &'a [u32],
    /// The blocks of `W`, row by row each.
    pub blocks: &'a [f64],
    /// `w` without any impulse [m/s].
    pub q: &'a [f64],
    /// Of each contact [-].
    pub friction: &'a [f64],
    /// Of each contact, with dimension 5 [m].
    pub rolling: Option<&'a [f64]>,
}

impl LocalProblem<'_> {
    /// How many contacts.
    pub fn contacts(&self) -> usize {
        self.friction.len()
    }

    /// The blocks of a contact, by their place.
    pub(super) fn range(&self, contact: usize) -> std::ops::Range<usize> {
        self.row_offsets[contact] as usize..self.row_offsets[contact + 1] as usize
    }

    /// A block, row by row.
    pub(super) fn block(&self, place: usize) -> &[f64] {
        let size = self.dimension * self.dimension;
        &self.blocks[place * size..(place + 1) * size]
    }

    /// The places of all blocks into `sorted`, those of each contact by rising columns.
    pub(super) fn sort(&self, sorted: &mut Vec<u32>) -> Result<()> {
        sorted.clear();
        reserve(sorted, self.columns.len(), "blocks")?;
        sorted.extend(0..self.columns.len() as u32);
        for contact in 0..self.contacts() {
            sorted[self.range(contact)].sort_unstable_by_key(|place| self.columns[*place as usize]);
        }
        Ok(())
    }

    /// The place of the block in this row and column, if there is one.
    pub(super) fn find(&self, sorted: &[u32], row: usize, column: usize) -> Option<usize> {
        let places = &sorted[self.range(row)];
        let at = places.binary_search_by_key(&column, |place| self.columns[*place as usize] as usize).ok()?;
        Some(places[at] as usize)
    }

    /// The same as the solver takes it. It was checked.
    pub(super) fn reduce(&self, sorted: &[u32], reduced: &mut Reduced) -> Result<()> {
        let d = self.dimension;
        reduced.clear(self.contacts(), d * self.contacts())?;
        reduced.q.copy_from_slice(self.q);
        let matrix = &mut reduced.matrix;
        reserve(&mut matrix.columns, self.blocks.len(), "entries of the contact problem")?;
        reserve(&mut matrix.values, self.blocks.len(), "entries of the contact problem")?;
        for contact in 0..self.contacts() {
            for row in 0..d {
                matrix.offsets.push(matrix.columns.len());
                for place in &sorted[self.range(contact)] {
                    let (place, numbers) = (*place as usize, self.block(*place as usize));
                    let first = d * self.columns[place] as usize;
                    matrix.columns.extend(first..first + d);
                    matrix.values.extend_from_slice(&numbers[d * row..d * (row + 1)]);
                }
            }
        }
        matrix.offsets.push(matrix.columns.len());
        for contact in 0..self.contacts() {
            let diagonal = self.find(sorted, contact, contact).map_or(&[][..], |place| self.block(place));
            reduced.blocks.push(self.law(contact, diagonal));
        }
        Ok(())
    }

    /// The law of a contact with this block on the diagonal.
    fn law(&self, contact: usize, diagonal: &[f64]) -> Block {
        let d = self.dimension;
        let rolling = self.rolling.map_or(0.0, |rolling| rolling[contact]);
        let cone = Cone { rolling, ..Cone::of_friction(self.friction[contact]) };
        let entry = |row: usize| diagonal.get(row * (d + 1)).copied().unwrap_or(0.0);
        let scale = (entry(0) + entry(1) + entry(2)) / 3.0;
        let length = ((entry(1) + entry(2)) / (entry(3) + entry(4))).sqrt();
        let turns = d == 5 && length.is_finite() && length > 0.0;
        let law = Law::Contact { cone, dimension: d };
        Block { first: d * contact, law, scale, length: if turns { length } else { 1.0 } }
    }
}

impl OwnSolver {
    /// Solves a problem without bodies, from zero. A failure that has a report has its answer too.
    pub fn solve_local(
        &mut self,
        problem: &LocalProblem,
        settings: &Settings,
    ) -> std::result::Result<Report, StepFailure> {
        settings.check()?;
        check_offered(settings)?;
        let begin = Instant::now();
        problem.check(&mut self.sorted)?;
        problem.reduce(&self.sorted, &mut self.local)?;
        self.lambda.clear();
        resize(&mut self.lambda, problem.q.len(), 0.0, "impulses")?;
        let mut report = Report { seconds_assemble: begin.elapsed().as_secs_f64(), ..Report::default() };

        let outcome = self.solver.solve_local(&self.local, &settings.options(), &mut self.lambda)?;
        report.record(&outcome);
        report.contacts = problem.contacts() as u32;
        report.new_contacts = report.contacts;
        report.worst_contact = match outcome.worst {
            Some(Place::Contact(index) | Place::Row(index)) => index as u64,
            None => 0,
        };
        report.seconds_total = begin.elapsed().as_secs_f64();
        report.seconds_solve = report.seconds_total - report.seconds_assemble;
        self.check_local_finite(&report, problem.dimension)?;
        check_converged(settings, &mut report)?;
        Ok(report)
    }

    /// The impulses of the problem without bodies that was solved last [N s].
    pub fn local_impulses(&self) -> &[f64] {
        &self.lambda
    }

    fn check_local_finite(&self, report: &Report, dimension: usize) -> Result<()> {
        let broken = self.lambda.iter().position(|number| !number.is_finite()).map(|row| row / dimension);
        let message = match broken {
            Some(contact) => format!("the solve would end with an impulse of contact {contact} that is not finite"),
            None if !report.residual_max.is_finite() => {
                format!("the solve would end with a residual of contact {} that is not finite", report.worst_contact)
            }
            None => return Ok(()),
        };
        Err(Error::new(Kind::NotFinite, message))
    }
}

/// Refuses settings that need bodies.
fn check_offered(settings: &Settings) -> Result<()> {
    if settings.projection != Projection::Off {
        return Err(Error::unsupported("projection is Stick, but a problem without bodies is only solved with Off"));
    }
    if settings.friction_law != FrictionLaw::Coulomb {
        let law = settings.friction_law;
        return Err(Error::unsupported(format!(
            "friction_law is {law:?}, but a problem without bodies is only solved with Coulomb"
        )));
    }
    Ok(())
}
