//! The reduced form of one island of bodies, assembled body by body: rows that share no moving body have no entry.

use crate::error::{Result, empty, refill, reserve};
use crate::math::limits::APART;
use crate::math::{BodyRow, Vec3, tangents};
use crate::solver::operator::blocks::IMMOVABLE;
use crate::solver::operator::product::Product;
use crate::solver::operator::reduced::{Block, Law, Reduced, Symmetric};
use crate::solver::problem::islands::Island;
use crate::solver::problem::{
    Contact, Friction, FullContact, Impulse, Impulses, ImpulsiveWrench, Jacobian, Measure, OptionalTerms, Problem, Row,
    Velocity, box_rows,
};

/// The workspace of [`Assembly::reduce`]: the rows of an island, in groups that share their bodies.
#[derive(Debug, Default)]
pub struct Assembly {
    /// The scalar rows one by one, then the contacts.
    groups: Vec<Group>,
    rows: Vec<Prepared>,
    /// Where in `touching` the groups of each body of the island begin, and where the last one's end.
    starts: Vec<usize>,
    /// The groups that touch each body, ascending.
    touching: Vec<u32>,
    /// The groups that share a body with the present one, ascending.
    neighbours: Vec<u32>,
    /// What the impulses at hand make of the velocities of the bodies.
    answers: Vec<Velocity>,
}

/// Rows between the same two bodies.
#[derive(Debug, Clone, Copy)]
struct Group {
    first: usize,
    count: usize,
    /// Places in [`Island::bodies`], or [`IMMOVABLE`] of a body that nothing moves.
    bodies: [u32; 2],
}

/// A row, and what an impulse along it does to its bodies, `J M^-1`.
#[derive(Debug, Clone, Copy)]
struct Prepared {
    jacobians: [Jacobian; 2],
    answers: [Velocity; 2],
    compliance: f64,
}

impl Group {
    fn rows(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.count
    }

    /// Which of its sides are the bodies of which sides of `other`.
    fn common(&self, other: &Self) -> impl Iterator<Item = (usize, usize)> + Clone + use<> {
        let (own, theirs) = (self.bodies, other.bodies);
        let pairs = [(0, 0), (0, 1), (1, 0), (1, 1)];
        pairs.into_iter().filter(move |(side, across)| own[*side] != IMMOVABLE && own[*side] == theirs[*across])
    }
}

impl Assembly {
    /// `W`, `q` and the laws of one island: blocks of its scalar rows, then of its contacts.
    ///
    /// A contact has the rows `n, t1, t2`, and where it resists turning `r1, r2, twist` too: the spin of b relative to a
    /// about `t1`, `t2` and `n`. With box friction each of them is a block of its own.
    pub fn reduce(&mut self, problem: &Problem, island: &Island, reduced: &mut Reduced) -> Result<()> {
        self.prepare(problem, island, reduced)?;
        self.fill(&mut reduced.matrix)
    }

    /// The same without the entries of `W`, which [`Product`] goes without and [`Assembly::fill`] adds.
    pub fn prepare(&mut self, problem: &Problem, island: &Island, reduced: &mut Reduced) -> Result<()> {
        self.clear(problem, island, reduced)?;
        for index in island.rows {
            let row = &problem.rows[*index];
            self.begin_group(problem, island, [row.body_a, row.body_b]);
            self.add_row(problem, row, reduced);
            reduced.blocks.push(row_block(problem, row, self.rows.len() - 1, law(island, row)));
        }
        for index in island.contacts {
            let contact = problem.full_contact(*index);
            self.begin_group(problem, island, [contact.0.body_a, contact.0.body_b]);
            self.add_contact(problem, contact, reduced);
        }
        self.touch(island.bodies.len())
    }

    /// Returns how many entries `W` has, those of rows that share both bodies counted twice.
    pub fn entries(&self) -> usize {
        let rows_of = |body: &[usize]| -> usize {
            self.touching[body[0]..body[1]].iter().map(|group| self.groups[*group as usize].count).sum()
        };
        self.starts.windows(2).map(|body| rows_of(body).saturating_pow(2)).fold(0, usize::saturating_add)
    }

    /// Empties all, and reserves memory.
    fn clear(&mut self, problem: &Problem, island: &Island, reduced: &mut Reduced) -> Result<()> {
        let of_contacts: usize = island.contacts.iter().map(|at| dimension(problem.optional_terms(*at))).sum();
        let groups = island.rows.len() + island.contacts.len();
        let rows = island.rows.len() + of_contacts;
        reduced.clear(if problem.friction == Friction::Box { rows } else { groups }, rows)?;
        empty(&mut self.groups, groups, "contacts of an island")?;
        empty(&mut self.rows, rows, "rows of an island")
    }

    /// The rows added next are between these bodies.
    fn begin_group(&mut self, problem: &Problem, island: &Island, pair: [BodyRow; 2]) {
        let place = |body: BodyRow| if problem.moves(body) { island.bodies.binary_search(&body).ok() } else { None };
        let bodies = pair.map(|body| place(body).map_or(IMMOVABLE, |place| place as u32));
        self.groups.push(Group { first: self.rows.len(), count: 0, bodies });
    }

    /// Adds a row to the group begun last.
    fn add_row(&mut self, problem: &Problem, row: &Row, reduced: &mut Reduced) {
        let (a, b) = (problem.free_velocity(row.body_a), problem.free_velocity(row.body_b));
        reduced.q[self.rows.len()] = row.jacobian_a.dot(a) + row.jacobian_b.dot(b) - row.rhs;
        let answer = |body: BodyRow, jacobian: &Jacobian| {
            let mut answer = Velocity::ZERO;
            problem.mass(body).apply(&mut answer, &jacobian.linear, &jacobian.angular);
            answer
        };
        self.rows.push(Prepared {
            jacobians: [row.jacobian_a, row.jacobian_b],
            answers: [answer(row.body_a, &row.jacobian_a), answer(row.body_b, &row.jacobian_b)],
            compliance: row.compliance,
        });
        if let Some(group) = self.groups.last_mut() {
            group.count += 1;
        }
    }

    fn add_contact(&mut self, problem: &Problem, (contact, optional): FullContact, reduced: &mut Reduced) {
        let first = self.rows.len();
        let normal_block = reduced.blocks.len();
        for row in box_rows(contact, optional) {
            self.add_row(problem, &row, reduced);
            if problem.friction == Friction::Box {
                let of = (reduced.blocks.len() > normal_block).then_some(normal_block);
                let law = Law::Bounded { lower: row.lower, upper: row.upper, of };
                reduced.blocks.push(row_block(problem, &row, self.rows.len() - 1, law));
            }
        }
        if problem.friction != Friction::Box {
            let masses = [contact.body_a, contact.body_b].map(|body| problem.mass(body));
            let Measure { scale, length } = contact.measure(masses[0], masses[1], optional);
            let law = Law::Contact {
                cone: contact.cone(optional, problem.friction.dilation()),
                dimension: dimension(optional),
            };
            reduced.blocks.push(Block { first, law, scale, length });
        }
        if contact.normal_bias >= APART {
            // It is excluded, and a bias of this size would hide the round-off of all others.
            reduced.q[first..self.rows.len()].fill(0.0);
            reduced.blocks[normal_block..].iter_mut().for_each(|block| block.scale = 0.0);
        }
    }

    /// Lists the groups of each body.
    fn touch(&mut self, bodies: usize) -> Result<()> {
        refill(&mut self.starts, bodies + 2, 0, "bodies of an island")?;
        let sides = |group: &Group| group.bodies.into_iter().filter(|body| *body != IMMOVABLE);
        for body in self.groups.iter().flat_map(sides) {
            self.starts[body as usize + 2] += 1;
        }
        for at in 2..self.starts.len() {
            self.starts[at] += self.starts[at - 1];
        }
        refill(&mut self.touching, self.starts[bodies + 1], 0, "contacts of an island")?;
        for (index, group) in (0..).zip(&self.groups) {
            for body in sides(group) {
                let place = &mut self.starts[body as usize + 1];
                self.touching[*place] = index;
                *place += 1;
            }
        }
        Ok(())
    }

    /// The entries row by row. An entry and its mirror image are the same sum, so that the matrix is symmetric to the bit.
    pub fn fill(&mut self, matrix: &mut Symmetric) -> Result<()> {
        matrix.offsets.push(0);
        for own in 0..self.groups.len() {
            self.find_neighbours(own)?;
            let Self { groups, rows, neighbours, .. } = &*self;
            let group = &groups[own];
            let across: usize = neighbours.iter().map(|other| groups[*other as usize].count).sum();
            reserve(&mut matrix.columns, group.count * across, "entries of the contact problem")?;
            reserve(&mut matrix.values, group.count * across, "entries of the contact problem")?;
            for row in group.rows() {
                for other in neighbours {
                    let other = &groups[*other as usize];
                    matrix.columns.extend(other.rows());
                    let common = if other.first < group.first { other.common(group) } else { group.common(other) };
                    matrix.values.extend(other.rows().map(|column| entry(rows, row, column, common.clone())));
                }
                matrix.offsets.push(matrix.columns.len());
            }
        }
        Ok(())
    }

    /// Merges the groups of both bodies of a group.
    fn find_neighbours(&mut self, group: usize) -> Result<()> {
        let groups_of = |body: u32| {
            let range =
                if body == IMMOVABLE { 0..0 } else { self.starts[body as usize]..self.starts[body as usize + 1] };
            &self.touching[range]
        };
        let [mut a, mut b] = self.groups[group].bodies.map(groups_of);
        empty(&mut self.neighbours, a.len() + b.len(), "contacts of an island")?;
        while let (Some(first), Some(second)) = (a.first(), b.first()) {
            self.neighbours.push(*first.min(second));
            (a, b) = (&a[usize::from(first <= second)..], &b[usize::from(second <= first)..]);
        }
        self.neighbours.extend_from_slice(a);
        self.neighbours.extend_from_slice(b);
        Ok(())
    }
}

impl Product for Assembly {
    fn multiply(&mut self, x: &[f64], product: &mut [f64]) -> Result<()> {
        self.multiply_with(x, product, |value| value)
    }

    fn magnitudes(&mut self, x: &[f64], sums: &mut [f64]) -> Result<()> {
        self.multiply_with(x, sums, f64::abs)
    }
}

impl Assembly {
    /// `J (M^-1 J^T x) + S x`, where `part` is applied to every factor.
    fn multiply_with(&mut self, x: &[f64], product: &mut [f64], part: impl Fn(f64) -> f64 + Copy) -> Result<()> {
        let Self { groups, rows, starts, answers, .. } = self;
        refill(answers, starts.len(), Velocity::ZERO, "bodies of an island")?;
        let sides = |group: &Group| [0, 1].into_iter().zip(group.bodies).filter(|(_, body)| *body != IMMOVABLE);
        for group in groups.iter() {
            for (row, x) in rows[group.rows()].iter().zip(&x[group.rows()]) {
                for (side, body) in sides(group) {
                    let (answer, own) = (&mut answers[body as usize], &row.answers[side]);
                    answer.linear += part(*x) * own.linear.map(part);
                    answer.angular += part(*x) * own.angular.map(part);
                }
            }
        }
        for group in groups.iter() {
            for (at, row) in group.rows().zip(&rows[group.rows()]) {
                let along = sides(group).map(|(side, body)| {
                    let (Jacobian { linear, angular }, answer) = (&row.jacobians[side], &answers[body as usize]);
                    linear.map(part).dot(&answer.linear) + angular.map(part).dot(&answer.angular)
                });
                product[at] = along.sum::<f64>() + part(row.compliance * x[at]);
            }
        }
        Ok(())
    }
}

/// `J_r M^-1 J_c^T + S_rc` over the `common` sides of both rows, those of the lower row first.
#[inline]
fn entry(rows: &[Prepared], row: usize, column: usize, common: impl Iterator<Item = (usize, usize)>) -> f64 {
    let (lower, upper) = (&rows[row.min(column)], &rows[row.max(column)]);
    let compliance = if row == column { lower.compliance } else { 0.0 };
    common.map(|(side, across)| upper.jacobians[across].dot(&lower.answers[side])).sum::<f64>() + compliance
}

/// The contact frame as three rows: normal and tangents.
pub fn frame(contact: &Contact) -> [Vec3; 3] {
    let (t1, t2) = tangents(&contact.normal);
    [contact.normal, t1, t2]
}

/// How many rows a contact has.
pub(in crate::solver) fn dimension(optional: &OptionalTerms) -> usize {
    if optional.resists_turning() { 6 } else { 3 }
}

/// The block of a single row, the `first` of all.
fn row_block(problem: &Problem, row: &Row, first: usize, law: Law) -> Block {
    let Measure { scale, length } = row.measure(problem.mass(row.body_a), problem.mass(row.body_b));
    Block { first, law, scale, length }
}

/// The law of a scalar row of the problem.
fn law(island: &Island, row: &Row) -> Law {
    let Row { lower, upper, .. } = *row;
    let Some(scale) = row.friction_row else { return Law::Bounded { lower, upper, of: None } };
    match island.rows.binary_search(&scale) {
        Ok(block) => Law::Bounded { lower, upper, of: Some(block) },
        // It moves nothing and carries nothing.
        Err(_) => Law::Bounded { lower: 0.0, upper: 0.0, of: None },
    }
}

/// The impulses of an island as the rows of its reduced form, into `lambda`. What a contact has no row for is left out.
pub fn gather(
    problem: &Problem,
    island: &Island,
    reduced: &Reduced,
    impulses: &Impulses,
    lambda: &mut Vec<f64>,
) -> Result<()> {
    empty(lambda, reduced.size(), "rows of the contact problem")?;
    lambda.extend(island.rows.iter().map(|row| impulses.rows[*row]));
    for index in island.contacts {
        let contact = &problem.contacts[*index];
        let ImpulsiveWrench { force: Impulse { normal, tangential }, torque } = impulses.wrench(*index);
        let [n, t1, t2] = frame(contact);
        let along = [t1.dot(&tangential), t2.dot(&tangential)];
        let rows = [normal, along[0], along[1], t1.dot(&torque), t2.dot(&torque), n.dot(&torque)];
        lambda.extend_from_slice(&rows[..dimension(problem.optional_terms(*index))]);
    }
    Ok(())
}

/// Writes the impulses of the reduced form into those of the problem. All impulses of the island are set.
pub fn scatter(problem: &Problem, island: &Island, reduced: &Reduced, lambda: &[f64], impulses: &mut Impulses) {
    debug_assert_eq!(lambda.len(), reduced.size());
    let (of_rows, mut rest) = lambda.split_at(island.rows.len());
    for (index, value) in island.rows.iter().zip(of_rows) {
        impulses.rows[*index] = *value;
    }
    for index in island.contacts {
        let contact = &problem.contacts[*index];
        let [n, t1, t2] = frame(contact);
        let (own, others) = rest.split_at(dimension(problem.optional_terms(*index)));
        rest = others;
        let mut rows = [0.0; 6];
        rows[..own.len()].copy_from_slice(own);
        let [normal, along_1, along_2, about_1, about_2, twist] = rows;
        let force = Impulse::force(normal, along_1 * t1 + along_2 * t2);
        let torque = about_1 * t1 + about_2 * t2 + twist * n;
        impulses.set_wrench(*index, &ImpulsiveWrench { force, torque });
    }
}
