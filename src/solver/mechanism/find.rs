//! Which bodies and rows make a mechanism.

use crate::error::{Result, empty, refill};
use crate::math::{BodyRow, RowId};
use crate::solver::mechanism::starts::{accumulate, shift_back};
use crate::solver::problem::{Problem, Row};

/// No mechanism.
const NONE: u32 = u32::MAX;

/// Returns whether a row has no bounds, so that a mechanism can eliminate it. A row whose bounds another row scales is not such a row.
pub fn is_bilateral(row: &Row) -> bool {
    row.lower == f64::NEG_INFINITY && row.upper == f64::INFINITY && row.friction_row.is_none()
}

/// The mechanisms of a problem, in the order of their first bodies; keeps its workspace.
///
/// A mechanism is a connected component of the moving bodies under the rows without bounds. A body without such a row belongs
/// to none, and so does a row between bodies that no impulse moves.
#[derive(Debug, Default)]
pub struct Mechanisms {
    /// Union-find over the bodies of the problem: the root of each is its lowest body.
    parents: Vec<u32>,
    /// The mechanism of each body, or [`NONE`].
    numbers: Vec<u32>,
    bodies: Vec<BodyRow>,
    body_starts: Vec<u32>,
    rows: Vec<RowId>,
    row_starts: Vec<u32>,
}

/// What is in one mechanism, as indices into the problem, ascending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MechanismParts<'a> {
    /// Its moving bodies.
    pub bodies: &'a [BodyRow],
    /// Its rows, none of which has bounds.
    pub rows: &'a [RowId],
}

impl Mechanisms {
    /// Finds the mechanisms of a problem.
    ///
    /// # Errors
    ///
    /// Memory is exhausted.
    pub fn find(&mut self, problem: &Problem) -> Result<()> {
        self.find_among(problem, |row| problem.rows.get(row.index()).is_some_and(is_bilateral))
    }

    /// Finds the mechanisms that some rows of a problem make, none of which may have bounds.
    pub(in crate::solver) fn find_among(&mut self, problem: &Problem, is_chosen: impl Fn(RowId) -> bool) -> Result<()> {
        let count = problem.masses.len();
        empty(&mut self.parents, count, "bodies of mechanisms")?;
        self.parents.extend(0..count as u32);
        refill(&mut self.numbers, count, NONE, "bodies of mechanisms")?;
        let chosen = |(row, _): &(RowId, &Row)| is_chosen(*row);
        for (_, row) in RowId::range(0..problem.rows.len()).zip(problem.rows).filter(chosen) {
            let [a, b] = [row.body_a, row.body_b];
            for body in [a, b].into_iter().filter(|body| problem.moves(*body)) {
                // A mark for now: the body has a row.
                self.numbers[body] = 0;
            }
            if problem.moves(a) && problem.moves(b) {
                let [a, b] = [a, b].map(|body| root(&mut self.parents, body.0));
                self.parents[a.max(b) as usize] = a.min(b);
            }
        }
        self.number()?;
        self.list_bodies()?;
        self.list_rows(problem, is_chosen)
    }

    /// Returns how many mechanisms there are.
    pub fn len(&self) -> usize {
        self.body_starts.len().saturating_sub(1)
    }

    /// Returns whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the bodies and rows of a mechanism.
    pub fn get(&self, mechanism: usize) -> Option<MechanismParts<'_>> {
        let bodies = part(&self.bodies, &self.body_starts, mechanism)?;
        Some(MechanismParts { bodies, rows: part(&self.rows, &self.row_starts, mechanism)? })
    }

    /// Returns all mechanisms in their order.
    pub fn iter(&self) -> impl Iterator<Item = MechanismParts<'_>> {
        (0..self.len()).filter_map(|mechanism| self.get(mechanism))
    }

    /// Returns the mechanism to which a body belongs.
    pub fn of_body(&self, body: BodyRow) -> Option<usize> {
        self.numbers.get(body.index()).filter(|number| **number != NONE).map(|number| *number as usize)
    }

    /// Numbers the mechanisms, and counts their bodies into the starts.
    fn number(&mut self) -> Result<()> {
        let Self { parents, numbers, body_starts, .. } = self;
        // Room for one more than there are mechanisms; at most every body is one.
        empty(body_starts, parents.len() + 1, "mechanisms")?;
        body_starts.push(0);
        for body in 0..parents.len() {
            if numbers[body] == NONE {
                continue;
            }
            let lowest = root(parents, body as u32) as usize;
            if lowest == body {
                numbers[body] = body_starts.len() as u32 - 1;
                body_starts.push(0);
            } else {
                // The lowest body of a component comes first and has its number.
                numbers[body] = numbers[lowest];
            }
            body_starts[numbers[body] as usize + 1] += 1;
        }
        accumulate(body_starts);
        Ok(())
    }

    fn list_bodies(&mut self) -> Result<()> {
        let Self { numbers, bodies, body_starts, .. } = self;
        let total = body_starts.last().copied().unwrap_or(0) as usize;
        refill(bodies, total, BodyRow::NONE, "bodies of mechanisms")?;
        for (body, number) in numbers.iter().enumerate().filter(|(_, number)| **number != NONE) {
            let place = &mut body_starts[*number as usize];
            bodies[*place as usize] = body.into();
            *place += 1;
        }
        shift_back(body_starts);
        Ok(())
    }

    fn list_rows(&mut self, problem: &Problem, is_chosen: impl Fn(RowId) -> bool) -> Result<()> {
        refill(&mut self.row_starts, self.body_starts.len(), 0, "mechanisms")?;
        let Self { numbers, rows, row_starts, .. } = self;
        let number_of = |(id, row): (RowId, &Row)| {
            let known = |body: BodyRow| numbers.get(body.index()).copied().filter(|number| *number != NONE);
            let number = is_chosen(id).then(|| known(row.body_a).or_else(|| known(row.body_b)))??;
            Some((id, number as usize))
        };
        let all = || RowId::range(0..problem.rows.len()).zip(problem.rows).filter_map(number_of);
        all().for_each(|(_, number)| row_starts[number + 1] += 1);
        accumulate(row_starts);
        let total = row_starts.last().copied().unwrap_or(0) as usize;
        refill(rows, total, RowId::NONE, "rows of mechanisms")?;
        for (row, number) in all() {
            let place = &mut row_starts[number];
            rows[*place as usize] = row;
            *place += 1;
        }
        shift_back(row_starts);
        Ok(())
    }
}

/// Returns the lowest body of a component, and halves the way to it.
fn root(parents: &mut [u32], mut body: u32) -> u32 {
    while parents[body as usize] != body {
        let above = parents[parents[body as usize] as usize];
        parents[body as usize] = above;
        body = above;
    }
    body
}

/// Returns one part of an array.
fn part<'a, T>(all: &'a [T], starts: &[u32], number: usize) -> Option<&'a [T]> {
    all.get(*starts.get(number)? as usize..*starts.get(number + 1)? as usize)
}
