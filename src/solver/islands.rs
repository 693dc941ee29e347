//! Islands: the parts of a problem that share no moving body, which are solved one by one.

use crate::error::{Result, reserve, resize};
use crate::solver::problem::{Impulse, Impulses, Problem};

/// The islands of a problem, in the order of their first row or contact; keeps its workspace.
///
/// Bodies without a contact or row belong to none, and so do contacts and rows between bodies that nothing moves.
#[derive(Debug, Default)]
pub struct Islands {
    /// Union-find over the bodies of the problem; immovable ones stand alone.
    parents: Vec<u32>,
    /// The island of each root, [`NONE`] before it is numbered.
    numbers: Vec<u32>,
    contacts: Groups,
    rows: Groups,
    bodies: Groups,
    count: usize,
}

/// What is in one island, as indices into the problem, rising.
#[derive(Debug, Clone, Copy)]
pub struct Island<'a> {
    /// Its contacts.
    pub contacts: &'a [u32],
    /// Its scalar rows.
    pub rows: &'a [u32],
    /// Its moving bodies.
    pub bodies: &'a [u32],
}

/// Indices in groups, one for each island.
#[derive(Debug, Default)]
struct Groups {
    members: Vec<u32>,
    starts: Vec<u32>,
}

/// No island.
const NONE: u32 = u32::MAX;

impl Islands {
    /// Finds the islands of `problem`.
    pub fn find(&mut self, problem: &Problem) -> Result<()> {
        let bodies = problem.masses.len();
        self.parents.clear();
        reserve(&mut self.parents, bodies, "bodies of the islands")?;
        self.parents.extend(0..bodies as u32);
        self.numbers.clear();
        resize(&mut self.numbers, bodies, NONE, "bodies of the islands")?;
        self.join(problem);
        self.flatten();
        self.count = 0;
        for row in 0..problem.rows.len() {
            self.give_number(problem, row_bodies(problem, row));
        }
        for contact in problem.contacts {
            self.give_number(problem, [contact.body_a, contact.body_b]);
        }
        let Self { parents, numbers, contacts, rows, bodies: groups, count } = self;
        let island = |pair: [u32; 2]| {
            let body = moving(problem, pair)?;
            Some(numbers[parents[body as usize] as usize])
        };
        rows.fill(*count, problem.rows.len(), |row| island(row_bodies(problem, row)))?;
        contacts.fill(*count, problem.contacts.len(), |index| {
            let contact = &problem.contacts[index];
            island([contact.body_a, contact.body_b])
        })?;
        groups.fill(*count, bodies, |body| {
            let number = island([body as u32; 2])?;
            (number != NONE).then_some(number)
        })
    }

    /// Zeroes the impulses of what is in no island: nothing there moves.
    pub fn clear_inert(&self, problem: &Problem, impulses: &mut Impulses) {
        let inert = |pair| moving(problem, pair).is_none();
        if self.contacts.members.len() < problem.contacts.len() {
            let pairs = problem.contacts.iter().zip(&mut impulses.contacts);
            let idle = pairs.filter(|(contact, _)| inert([contact.body_a, contact.body_b]));
            idle.for_each(|(_, impulse)| *impulse = Impulse::ZERO);
        }
        if self.rows.members.len() < problem.rows.len() {
            let pairs = problem.rows.iter().zip(&mut impulses.rows);
            pairs.filter(|(row, _)| inert([row.body_a, row.body_b])).for_each(|(_, lambda)| *lambda = 0.0);
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether nothing touches anything that moves.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// An island, below [`Islands::len`].
    pub fn get(&self, island: usize) -> Island<'_> {
        Island { contacts: self.contacts.get(island), rows: self.rows.get(island), bodies: self.bodies.get(island) }
    }

    /// All islands as if they were one, for what treats them alike.
    pub fn all(&self) -> Island<'_> {
        Island { contacts: &self.contacts.members, rows: &self.rows.members, bodies: &self.bodies.members }
    }

    /// The parts that are solved one after the other: the islands, or where they may go `together` all of them at once.
    pub fn parts(&self, together: bool) -> usize {
        if together { self.count.min(1) } else { self.count }
    }

    /// One of the parts.
    pub fn part(&self, together: bool, number: usize) -> Island<'_> {
        if together { self.all() } else { self.get(number) }
    }

    /// Joins the bodies of each contact and row, and those of a row with those of the row that scales its bounds.
    fn join(&mut self, problem: &Problem) {
        for contact in problem.contacts {
            self.unite(problem, contact.body_a, contact.body_b);
        }
        for (index, row) in problem.rows.iter().enumerate() {
            self.unite(problem, row.body_a, row.body_b);
            if let (Some(scale), Some(own)) = (row.friction_row, moving(problem, row_bodies(problem, index)))
                && let Some(other) = moving(problem, row_bodies(problem, scale as usize))
            {
                self.unite(problem, own, other);
            }
        }
    }

    /// Lets every body know its root. A parent has a lower index, and knows it already.
    fn flatten(&mut self) {
        for body in 0..self.parents.len() {
            self.parents[body] = self.parents[self.parents[body] as usize];
        }
    }

    fn unite(&mut self, problem: &Problem, a: u32, b: u32) {
        if problem.moves(a) && problem.moves(b) {
            let (a, b) = (shorten(&mut self.parents, a), shorten(&mut self.parents, b));
            self.parents[a.max(b) as usize] = a.min(b);
        }
    }

    /// Gives the island of a pair of bodies the next number if it has none.
    fn give_number(&mut self, problem: &Problem, pair: [u32; 2]) {
        let Some(body) = moving(problem, pair) else { return };
        let root = self.parents[body as usize] as usize;
        if self.numbers[root] == NONE {
            self.numbers[root] = self.count as u32;
            self.count += 1;
        }
    }
}

impl Groups {
    /// Sorts `0..count` by the group that each belongs to, in one pass of counting.
    fn fill(&mut self, groups: usize, count: usize, group: impl Fn(usize) -> Option<u32>) -> Result<()> {
        self.starts.clear();
        resize(&mut self.starts, groups + 2, 0, "islands")?;
        for index in 0..count {
            if let Some(group) = group(index) {
                self.starts[group as usize + 2] += 1;
            }
        }
        for at in 2..self.starts.len() {
            self.starts[at] += self.starts[at - 1];
        }
        self.members.clear();
        resize(&mut self.members, self.starts[groups + 1] as usize, 0, "members of the islands")?;
        for index in 0..count {
            if let Some(group) = group(index) {
                let place = &mut self.starts[group as usize + 1];
                self.members[*place as usize] = index as u32;
                *place += 1;
            }
        }
        Ok(())
    }

    fn get(&self, group: usize) -> &[u32] {
        &self.members[self.starts[group] as usize..self.starts[group + 1] as usize]
    }
}

fn row_bodies(problem: &Problem, row: usize) -> [u32; 2] {
    let row = &problem.rows[row];
    [row.body_a, row.body_b]
}

/// The first of a pair that impulses move.
fn moving(problem: &Problem, pair: [u32; 2]) -> Option<u32> {
    pair.into_iter().find(|body| problem.moves(*body))
}

/// The root, with path halving.
fn shorten(parents: &mut [u32], body: u32) -> u32 {
    let mut at = body;
    while parents[at as usize] != at {
        let above = parents[parents[at as usize] as usize];
        parents[at as usize] = above;
        at = above;
    }
    at
}
