//! Islands: parts of a problem that share no moving body. They are solved one by one.

use crate::error::{Result, empty, refill, resize};
use crate::math::lanes::LineIndex;
use crate::math::{BodyRow, ContactId, RowId};
use crate::solver::problem::pairs::LinePair;
use crate::solver::problem::{Impulses, ImpulsiveWrench, Problem};

/// The islands of a problem, in the order of their first bodies.
///
/// Bodies without a contact or row belong to no island. Neither do contacts and rows between two immovable bodies.
#[derive(Debug, Default)]
pub struct Islands {
    /// The parent of each body in a union-find structure. Immovable bodies are not joined.
    parents: Vec<BodyRow>,
    /// The island of each root; [`NONE`] for all other bodies.
    numbers: Vec<u32>,
    contacts: Groups<ContactId>,
    rows: Groups<RowId>,
    bodies: Groups<BodyRow>,
    count: usize,
    /// Whether the contacts of each island were found too.
    pub(in crate::solver) has_contacts: bool,
    /// Scratch buffer: the pair of each contact, if the caller does not pass the pairs.
    pairs: Vec<LinePair>,
}

/// One island: indices into the problem, ascending.
#[derive(Debug, Clone, Copy)]
pub struct Island<'a> {
    /// Its contacts.
    pub contacts: &'a [ContactId],
    /// Its scalar rows.
    pub rows: &'a [RowId],
    /// Its moving bodies.
    pub bodies: &'a [BodyRow],
}

/// Indices in groups, one for each island.
#[derive(Debug, Default)]
struct Groups<T> {
    members: Vec<T>,
    starts: Vec<u32>,
}

/// No island.
const NONE: u32 = u32::MAX;

impl Islands {
    /// Finds the islands of `problem`.
    pub fn find(&mut self, problem: &Problem) -> Result<()> {
        let mut pairs = std::mem::take(&mut self.pairs);
        empty(&mut pairs, problem.contacts.len(), "contacts of the islands")?;
        let place = |body: BodyRow| LineIndex::new(body, !problem.moves(body));
        pairs.extend(problem.contacts.iter().map(|contact| [contact.body_a, contact.body_b].map(place)));
        let found = self.find_among(problem, &pairs, true);
        self.pairs = pairs;
        found
    }

    /// Does the same with the known `pairs` of the contacts. With `contacts_too` it also finds the contacts of each island.
    pub(in crate::solver) fn find_among(
        &mut self,
        problem: &Problem,
        pairs: &[LinePair],
        contacts_too: bool,
    ) -> Result<()> {
        let bodies = problem.masses.len();
        empty(&mut self.parents, bodies, "bodies of the islands")?;
        self.parents.extend(BodyRow::range(0..bodies));
        refill(&mut self.numbers, bodies, NONE, "bodies of the islands")?;
        self.join(problem, pairs);
        self.number();
        let Self { parents, numbers, contacts, rows, bodies: members, count, .. } = self;
        let of_row = |row: usize| moving(problem, row_bodies(problem, row.into()));
        let of_contact =
            |contact: usize| pairs[contact].into_iter().find(|body| !body.is_read_only()).map(LineIndex::row);
        let number = |body: BodyRow| numbers[parents[body]];
        rows.fill(*count, problem.rows.len(), |row| of_row(row).map_or(NONE, number))?;
        let grouped = if contacts_too { pairs.len() } else { 0 };
        contacts.fill(*count, grouped, |contact| of_contact(contact).map_or(NONE, number))?;
        self.has_contacts = contacts_too;
        members.fill(*count, bodies, |body| number(body.into()))
    }

    /// Returns the island of a moving body; `None` if it belongs to none.
    pub fn of(&self, body: BodyRow) -> Option<usize> {
        let root = *self.parents.get(body.index())?;
        self.numbers.get(root.index()).filter(|number| **number != NONE).map(|number| *number as usize)
    }

    /// Returns the number of islands.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns whether there is no island.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the island with this index, below [`Islands::len`].
    pub fn get(&self, island: usize) -> Island<'_> {
        Island { contacts: self.contacts.get(island), rows: self.rows.get(island), bodies: self.bodies.get(island) }
    }

    /// Returns all islands as one, for methods that treat them in the same way.
    pub fn all(&self) -> Island<'_> {
        Island { contacts: &self.contacts.members, rows: &self.rows.members, bodies: &self.bodies.members }
    }

    /// Returns the number of parts that are solved one after the other: the islands, or a single part with all of them if `together`.
    pub fn parts(&self, together: bool) -> usize {
        if together { self.count.min(1) } else { self.count }
    }

    /// Returns one of these parts.
    pub fn part(&self, together: bool, number: usize) -> Island<'_> {
        if together { self.all() } else { self.get(number) }
    }

    /// Joins the bodies of each contact and row, and those of a row with those of the row that scales its bounds.
    fn join(&mut self, problem: &Problem, pairs: &[LinePair]) {
        for [a, b] in pairs {
            match [a, b].map(|body| body.is_read_only()) {
                [false, false] => self.unite(a.row(), b.row()),
                [false, true] => self.unite(a.row(), a.row()),
                [true, false] => self.unite(b.row(), b.row()),
                [true, true] => {}
            }
        }
        for (index, row) in RowId::range(0..problem.rows.len()).zip(problem.rows) {
            let Some(own) = moving(problem, row_bodies(problem, index)) else { continue };
            let both_move = problem.moves(row.body_a) && problem.moves(row.body_b);
            self.unite(own, if both_move { row.body_b } else { own });
            if let Some(scale) = row.friction_row
                && let Some(other) = moving(problem, row_bodies(problem, scale))
            {
                self.unite(own, other);
            }
        }
    }

    /// Finds the root of every body, and numbers the roots with contacts or rows.
    fn number(&mut self) {
        let Self { parents, numbers, count, .. } = self;
        *count = 0;
        for body in 0..parents.len() {
            // A parent has a lower index, so its root is known already.
            let root = parents[parents[body]];
            parents[body] = root;
            if root.index() != body {
                numbers[body] = NONE;
            } else if numbers[body] != NONE {
                numbers[body] = *count as u32;
                *count += 1;
            }
        }
    }

    /// Joins two moving bodies by Rem's algorithm with splicing (M. Patwary, J. Blair, F. Manne, Experiments on union-find algorithms,
    /// 2010), and notes that the lower one has something: so has the lowest of each island.
    #[inline]
    fn unite(&mut self, mut a: BodyRow, mut b: BodyRow) {
        let Self { parents, numbers, .. } = self;
        numbers[a.min(b)] = 0;
        loop {
            let [mut above_a, mut above_b] = [a, b].map(|body| parents[body]);
            if above_a == above_b {
                return;
            }
            if above_a < above_b {
                std::mem::swap(&mut a, &mut b);
                std::mem::swap(&mut above_a, &mut above_b);
            }
            parents[a] = above_b;
            if above_a == a {
                return;
            }
            a = above_a;
        }
    }
}

/// Zeroes the impulses of contacts and rows that belong to no island: nothing moves there.
pub fn clear_inert(problem: &Problem, impulses: &mut Impulses) {
    let inert = |pair| moving(problem, pair).is_none();
    let pairs = problem.contacts.iter().map(|contact| [contact.body_a, contact.body_b]);
    let idle = pairs.enumerate().filter(|(_, pair)| inert(*pair));
    idle.for_each(|(index, _)| impulses.set_wrench(index.into(), &ImpulsiveWrench::ZERO));
    let pairs = problem.rows.iter().zip(&mut impulses.rows);
    pairs.filter(|(row, _)| inert([row.body_a, row.body_b])).for_each(|(_, lambda)| *lambda = 0.0);
}

impl<T: Copy + From<usize>> Groups<T> {
    /// Sorts the indices below `length` by their `group`, or [`NONE`], of which there are `count`, in one pass of counting.
    fn fill(&mut self, count: usize, length: usize, group: impl Fn(usize) -> u32) -> Result<()> {
        let Self { members, starts } = self;
        let grouped = || (0..length).map(|index| (T::from(index), group(index))).filter(|(_, group)| *group != NONE);
        refill(starts, count + 2, 0, "islands")?;
        for (_, group) in grouped() {
            starts[group as usize + 2] += 1;
        }
        for at in 2..starts.len() {
            starts[at] += starts[at - 1];
        }
        let all = starts[count + 1] as usize;
        resize(members, all, T::from(0), "members of the islands")?;
        for (index, group) in grouped() {
            let place = &mut starts[group as usize + 1];
            members[*place as usize] = index;
            *place += 1;
        }
        Ok(())
    }

    fn get(&self, group: usize) -> &[T] {
        &self.members[self.starts[group] as usize..self.starts[group + 1] as usize]
    }
}

fn row_bodies(problem: &Problem, row: RowId) -> [BodyRow; 2] {
    let row = &problem.rows[row];
    [row.body_a, row.body_b]
}

/// Returns the first body of a pair that impulses move.
fn moving(problem: &Problem, pair: [BodyRow; 2]) -> Option<BodyRow> {
    pair.into_iter().find(|body| problem.moves(*body))
}
