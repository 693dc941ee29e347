//! The rows held of one island, and the solve that brings them to rest.
//!
//! With `M^-1 = L L^T`, `A = G_S L` and `D = S + E`, `E` a small multiple of the diagonal of `W = G M^-1 G^T`,
//!
//! ```text
//! (A A^T + D)^-1 r = D^-1 (r - A (1 + A^T D^-1 A)^-1 A^T D^-1 r)
//! ```
//!
//! so the matrix to factor has six rows for each body however many points it rests on, and its pattern is that of the
//! bodies that touch. Redundant rows do not harm it.

use crate::error::{Result, empty, refill, reserve};
use crate::math::{ContactId, RowId, Vec3};
use crate::solver::gauss_seidel::bodies::BodyIsland;
use crate::solver::operator::assembly::frame;
use crate::solver::operator::block_ldl::BlockLdl;
use crate::solver::operator::blocks::{Blocks, Members, SIX, Sides};
use crate::solver::problem::ball::{impulse_of_ball, rows_of_ball};
use crate::solver::problem::{Jacobian, Problem};
use crate::solver::stick::hold::{Hold, HoldRow, NORMAL, Speeds, TANGENTS, TORQUES};

/// `E` in units of the diagonal [-]. An error of the impulses that the velocities feel shrinks by this, over the
/// smallest eigenvalue of `W` in the same units, in each refinement.
const SHIFT: f64 = 1e-9;

/// A row in which its bodies answer by less than this part of their whole answer is locked: the sweeps give it no impulse.
const LOCKED: f64 = 1e-6;

/// Contacts that can carry less than one over this of the friction of another are taken to carry so much [-].
const MIN_SHARE: f64 = 1e3;

/// Which part of an impulse a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RowPart {
    Force,
    Torque,
    Scalar,
}

/// A row that is held.
#[derive(Debug, Clone, Copy)]
struct HeldRow {
    /// Its contact or scalar row in the problem.
    owner: u32,
    part: RowPart,
    axis: Vec3,
    /// The part of the axis along the normal.
    along: f64,
    /// The row of `A`.
    sides: Sides<SIX, 1>,
    /// `E`, and `S + E`.
    shift: f64,
    diagonal: f64,
    /// What makes its velocity one in m/s.
    length: f64,
}

/// The rows held and the factor of their matrix; keeps its workspace.
#[derive(Debug, Default)]
pub(super) struct System {
    /// What is held of each contact and row of the island.
    pub(super) contacts: Vec<Hold>,
    pub(super) rows: Vec<HoldRow>,
    members: Members,
    held: Vec<HeldRow>,
    matrix: Blocks<SIX>,
    factor: BlockLdl<SIX>,
    /// Velocities of the rows measured last [m/s], and the change of impulses found last.
    pub(super) defects: Vec<f64>,
    pub(super) answer: Vec<f64>,
    /// For the second solve.
    second: Vec<f64>,
    /// In the space of the bodies.
    bodies: Vec<[f64; SIX]>,
}

impl System {
    /// Finds what is held at the velocities and impulses of the island; see [`Hold::of`] for `edge`.
    pub(super) fn test_holds(&mut self, island: &BodyIsland, edge: f64) -> Result<Speeds> {
        let Self { contacts, rows, .. } = self;
        let (problem, members) = (island.problem, &island.island);
        let mut all = Speeds::default();
        empty(contacts, members.contacts.len(), "contacts")?;
        empty(rows, members.rows.len(), "rows of an island")?;
        for index in members.contacts {
            let (contact, optional) = problem.full_contact(*index);
            let masses = [problem.mass(contact.body_a), problem.mass(contact.body_b)];
            let pair = [island.motion.velocity(contact.body_a), island.motion.velocity(contact.body_b)];
            let lambda = &island.impulses.wrench(*index);
            let (hold, speeds) = Hold::of((contact, optional), problem.friction, masses, pair, lambda, edge);
            contacts.push(hold);
            all.take(speeds);
        }
        for index in members.rows {
            let row = &problem.rows[*index];
            let measure = &island.motion.row_measures[*index];
            let lambda = island.impulses.rows[*index];
            let scale = row.friction_row.map_or(1.0, |scale| island.impulses.rows[scale].abs());
            let (hold, speeds) = match row.ball {
                None => HoldRow::of(row, measure, row_defect(island, *index), lambda, scale),
                Some(first) => {
                    let measure = &island.motion.ball_measure(first);
                    let w = Vec3::from(rows_of_ball(first).map(|row| row_defect(island, row)));
                    let lambda = impulse_of_ball(first, &island.impulses.rows);
                    HoldRow::of_ball(index.index() - first.index(), row.upper, measure, &w, &lambda)
                }
            };
            rows.push(hold);
            all.take(speeds);
        }
        Ok(all)
    }

    /// Whether nothing that touches slides or turns.
    pub(super) fn all_stick(&self) -> bool {
        self.contacts.iter().all(|hold| !hold.drags()) && self.rows.iter().all(|row| row.held || row.bound == 0.0)
    }

    /// How many blocks of the factor a solve reads.
    pub(super) fn blocks(&self) -> u64 {
        self.factor.blocks() as u64
    }

    /// Gathers the rows held. Among all impulses that hold them the solve takes the least. With `shares` friction
    /// counts there by how much of it the contact can carry, so that all are at like parts of their bounds.
    pub(super) fn gather(&mut self, island: &BodyIsland, shares: bool) -> Result<()> {
        let capacity = |index: &ContactId| {
            let contact = &island.problem.contacts[*index];
            contact.friction * island.impulses.contacts[*index].normal
        };
        let largest = island.island.contacts.iter().map(capacity).fold(0.0, f64::max);
        let problem = island.problem;
        self.members.number(problem, island.island.bodies)?;
        self.held.clear();
        for (hold, index) in self.contacts.iter().zip(island.island.contacts) {
            reserve(&mut self.held, 6, "rows of an island")?;
            if hold.rows != 0 {
                let weight = if shares { (largest / capacity(index)).clamp(1.0, MIN_SHARE) } else { 1.0 };
                add_contact(&mut self.held, problem, *index, hold, &self.members, weight);
            }
        }
        reserve(&mut self.held, self.rows.len(), "rows of an island")?;
        for (hold, index) in self.rows.iter().zip(island.island.rows) {
            let row = &problem.rows[*index];
            if hold.held {
                let measure = island.motion.row_measures[*index];
                let shift = SHIFT * measure.scale;
                self.held.push(HeldRow {
                    owner: index.0,
                    part: RowPart::Scalar,
                    axis: Vec3::zeros(),
                    along: 0.0,
                    sides: self.members.sides(problem, [row.body_a, row.body_b], [[row.jacobian_a], [row.jacobian_b]]),
                    shift,
                    diagonal: row.compliance + shift,
                    length: measure.length,
                });
            }
        }
        Ok(())
    }

    /// Fills the matrix on the pattern of all contacts and rows of the island, and factors it, with at most
    /// `max_products` products of blocks. Returns their number. Returns `None` if more are needed, if the factorisation
    /// fails, or if no row is held.
    pub(super) fn factor(&mut self, island: &BodyIsland, max_products: u64) -> Result<Option<u64>> {
        if self.held.is_empty() {
            return Ok(None);
        }
        let problem = island.problem;
        let contacts = island.island.contacts.iter().map(|index| &problem.contacts[*index]);
        let rows = island.island.rows.iter().map(|index| &problem.rows[*index]);
        let joints = island.island.contacts.len() + island.island.rows.len();
        let of_contacts = contacts.map(|contact| [contact.body_a, contact.body_b]);
        self.members.join(problem, joints, of_contacts.chain(rows.map(|row| [row.body_a, row.body_b])))?;
        let graph = &self.members.graph;
        let Some(products) = self.factor.lay_out(graph, max_products)? else { return Ok(None) };
        self.matrix.begin(graph, 1.0)?;
        for row in &self.held {
            self.matrix.add(&row.sides, graph.pair(row.sides.bodies), &[[1.0 / row.diagonal]]);
        }
        let rows = self.held.len();
        for vector in [&mut self.defects, &mut self.answer, &mut self.second] {
            refill(vector, rows, 0.0, "rows of an island")?;
        }
        refill(&mut self.bodies, graph.bodies(), [0.0; SIX], "bodies of an island")?;
        Ok(self.factor.factor(&self.matrix)?.then_some(products))
    }

    /// The largest velocity of a held row [m/s], infinite if one is no number; remembers all.
    pub(super) fn measure(&mut self, island: &BodyIsland) -> f64 {
        let mut largest = 0.0;
        self.defects.clear();
        for row in &self.held {
            let defect = defect(island, row);
            self.defects.push(defect);
            let size = (defect * row.length).abs();
            largest = if size.is_nan() { f64::INFINITY } else { f64::max(largest, size) };
        }
        largest
    }

    /// The change of impulses that brings the velocities measured last to rest, or as near as it can be; `false`: none
    /// was found.
    pub(super) fn solve(&mut self) -> bool {
        let Self { held, factor, defects, answer, second, bodies, .. } = self;
        regularised(held, factor, bodies, defects, answer);
        // What the shift alone gives: impulses without any effect that rows in contradiction would have grow as 1/E.
        // With them gone it is the least squares answer, of least impulse.
        for ((second, answer), row) in second.iter_mut().zip(answer.iter()).zip(held.iter()) {
            *second = row.shift * answer;
        }
        regularised(held, factor, bodies, second, defects);
        answer.iter_mut().zip(defects.iter()).for_each(|(answer, idle)| *answer = *idle - *answer);
        answer.iter().all(|value| value.is_finite())
    }

    /// Adds `factor` times `changes`, one for each held row, to the impulses.
    pub(super) fn add(&self, island: &mut BodyIsland, changes: &[f64], factor: f64) {
        for (row, change) in self.held.iter().zip(changes) {
            let (owner, change) = (row.owner as usize, factor * change);
            match row.part {
                RowPart::Force => {
                    let (impulse, along) = (&mut island.impulses.contacts[owner], row.along);
                    impulse.normal += change * along;
                    impulse.tangential += change * (row.axis - along * island.problem.contacts[owner].normal);
                }
                RowPart::Torque => island.impulses.torques[owner] += change * row.axis,
                RowPart::Scalar => island.impulses.rows[owner] += change,
            }
        }
    }
}

/// `(W + D)^-1 r`, into `answer`.
fn regularised(held: &[HeldRow], factor: &mut BlockLdl<SIX>, bodies: &mut [[f64; SIX]], r: &[f64], answer: &mut [f64]) {
    bodies.fill([0.0; SIX]);
    for (row, r) in held.iter().zip(r) {
        row.sides.add(&[r / row.diagonal], bodies);
    }
    factor.solve(bodies);
    for ((row, r), answer) in held.iter().zip(r).zip(answer) {
        let [rest] = row.sides.reduce([*r], bodies);
        *answer = rest / row.diagonal;
    }
}

/// Appends the rows held of a contact.
fn add_contact(
    held: &mut Vec<HeldRow>,
    problem: &Problem,
    index: ContactId,
    hold: &Hold,
    members: &Members,
    weight: f64,
) {
    let (contact, optional) = problem.full_contact(index);
    let measure = contact.measure(problem.mass(contact.body_a), problem.mass(contact.body_b), optional);
    let [n, t1, t2] = frame(contact);
    let force = |axis: &Vec3| {
        let a = Jacobian { linear: -axis, angular: -contact.arm_a.cross(axis) };
        [[a], [Jacobian { linear: *axis, angular: contact.arm_b.cross(axis) }]]
    };
    let torque = |axis: &Vec3| [-axis, *axis].map(|angular| [Jacobian { angular, ..Jacobian::ZERO }]);
    let mut add = |part: RowPart, axis: Vec3, jacobians: [[Jacobian; 1]; 2], length: f64, weight: f64| {
        let sides = members.sides(problem, [contact.body_a, contact.body_b], jacobians);
        let answer: f64 = sides.rows.iter().flatten().flatten().map(|a: &f64| a * a).sum();
        let whole = measure.scale / (length * length);
        let along = if part == RowPart::Force { axis.dot(&n) } else { 0.0 };
        let (s_n, s_t) = (optional.normal_compliance, optional.tangential_compliance);
        // the square of the axis, which has unit length except for what is lifted
        let square = if along == 0.0 { 1.0 } else { 1.0 + hold.lift.norm_squared() };
        let across = square - along * along;
        let compliance = match part {
            RowPart::Force => s_n * along * along + s_t * across,
            _ => optional.turning_compliance,
        };
        if answer + compliance > LOCKED * whole {
            let shift = SHIFT * weight * whole;
            held.push(HeldRow {
                owner: index.0,
                part,
                axis,
                along,
                sides,
                shift,
                diagonal: compliance + shift,
                length,
            });
        }
    };
    let forces = [(NORMAL, n + hold.lift), (TANGENTS[0], t1), (TANGENTS[1], t2)];
    for (bit, axis) in forces.into_iter().filter(|(bit, _)| hold.rows & bit != 0) {
        add(RowPart::Force, axis, force(&axis), 1.0, if bit == NORMAL { 1.0 } else { weight });
    }
    for (_, axis) in TORQUES.into_iter().zip([t1, t2, n]).filter(|(bit, _)| hold.rows & bit != 0) {
        add(RowPart::Torque, axis, torque(&axis), measure.length, weight);
    }
}

/// What is to be zero: the velocity of a held row with its compliance and bias [m/s].
fn defect(island: &BodyIsland, row: &HeldRow) -> f64 {
    if row.part == RowPart::Scalar {
        return row_defect(island, RowId(row.owner));
    }
    let index = ContactId(row.owner);
    if row.part == RowPart::Torque {
        let ((contact, optional), motion) = (island.problem.full_contact(index), &island.motion);
        let spin = motion.velocity(contact.body_b).angular - motion.velocity(contact.body_a).angular;
        return row.axis.dot(&optional.turning_defect(&spin, &island.impulses.torque(index)));
    }
    let (w_n, w_t) = contact_defect(island, index);
    row.along * w_n + row.axis.dot(&w_t)
}

/// The same of a contact, split into its normal part and its tangential vector.
pub(super) fn contact_defect(island: &BodyIsland, index: ContactId) -> (f64, Vec3) {
    let (contact, optional) = island.problem.full_contact(index);
    let (v_a, v_b) = (island.motion.velocity(contact.body_a), island.motion.velocity(contact.body_b));
    contact.defect(&contact.relative_velocity(v_a, v_b), &island.impulses.contacts[index], optional)
}

/// The same of a scalar row.
fn row_defect(island: &BodyIsland, index: RowId) -> f64 {
    let row = &island.problem.rows[index];
    let (v_a, v_b) = (island.motion.velocity(row.body_a), island.motion.velocity(row.body_b));
    let lambda = island.impulses.rows[index];
    row.jacobian_a.dot(v_a) + row.jacobian_b.dot(v_b) - row.rhs + row.compliance * lambda
}
