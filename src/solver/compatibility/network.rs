//! The closed contacts of an island as rows over the displacements of its bodies.
//!
//! Each body has `N` displacements: 3 if no contact can turn a body, else 6. Each contact has `R` rows: 1 without
//! friction, 3 with friction. Turns are measured by the longest arm of the body's contacts.

use crate::error::{Result, empty, refill};
use crate::math::elementary::power;
use crate::math::{BodyRow, ContactId, RowId, Vec3, tangents};
use crate::solver::compatibility::Form;
use crate::solver::compatibility::held::{HeldRows, SpringState};
use crate::solver::compatibility::law::{Law, Traits};
use crate::solver::compatibility::options::{ContactColumns, CorrectionInput};
use crate::solver::operator::blocks::{Blocks, Graph, Members, Sides, dot};
use crate::solver::problem::{Contact, Impulse, Jacobian, Problem};

/// A cone as steep as this is a half-space. The square of the slope is finite [-].
const STEEPEST: f64 = 1e100;

/// An arm turns no body if its angle with the normal has at most this sine [-].
const STRAIGHT: f64 = 1e-12;

/// The round-off of the sums of forces, as a part of their norm. A body has a dozen contacts [-].
const ROUND_OFF: f64 = 64.0 * f64::EPSILON;

/// A contact as rows over the displacements.
#[derive(Debug, Clone, Copy)]
pub(super) struct Link<const N: usize, const R: usize> {
    pub(super) sides: Sides<N, R>,
    /// The pair of the graph. It is not used if one body does not move.
    pub(super) pair: u32,
    /// Index of the contact in the problem.
    pub(super) contact: ContactId,
    pub(super) traits: Traits,
}

/// The motions of each body of an island, and the contacts between the bodies.
#[derive(Debug, Default)]
pub(super) struct Outline {
    pub(super) members: Members,
    /// The closed contacts of the island.
    pub(super) closed: Vec<ContactId>,
    /// The rows of the island that are held.
    pub(super) held: Vec<RowId>,
    /// The longest arm of each body's contacts and rows [m].
    longest: Vec<f64>,
}

/// An island: forces as functions of displacements.
#[derive(Debug, Default)]
pub(super) struct Network<const N: usize, const R: usize> {
    pub(super) links: Vec<Link<N, R>>,
    pub(super) held: HeldRows<N>,
    /// `F` on each body.
    pub(super) load: Vec<[f64; N]>,
    /// The unit of the impulses of the network [N s].
    pub(super) unit: f64,
    /// The norm of the load.
    pub(super) load_norm: f64,
    /// The norm of the impulses of which the load is the resultant.
    pub(super) impulse_norm: f64,
    /// The round-off of the sums of the forces.
    pub(super) floor: f64,
}

impl Outline {
    /// Builds the outline from the closed contacts and the held rows, which are between `bodies` of a problem.
    pub(super) fn draw(&mut self, problem: &Problem, bodies: &[BodyRow]) -> Result<()> {
        self.members.number(problem, bodies)?;
        self.measure(problem)?;
        let contacts = self.closed.iter().map(|index| &problem.contacts[*index]);
        let rows = self.held.iter().map(|index| &problem.rows[*index]);
        let pairs = contacts.map(|contact| [contact.body_a, contact.body_b]);
        let pairs = pairs.chain(rows.map(|row| [row.body_a, row.body_b]));
        self.members.join(problem, self.closed.len() + self.held.len(), pairs)
    }

    /// Removes the masses from the roots. A body that can move moves by one, and turns by one over the longest arm.
    fn measure(&mut self, problem: &Problem) -> Result<()> {
        let Self { members, closed, longest, held } = self;
        for root in &mut members.roots {
            root.linear = root.linear.map(|x| if x > 0.0 { 1.0 } else { 0.0 });
            let size = root.angular.iter().map(|x| x * x).sum::<f64>().sqrt();
            let factor = if size > 0.0 { 1.0 / size } else { 0.0 };
            root.angular = root.angular.map(|x| factor * x);
        }
        refill(longest, members.roots.len(), 0.0_f64, "bodies of an island")?;
        for contact in closed.iter().map(|index| &problem.contacts[*index]) {
            for (body, arm) in [(contact.body_a, &contact.arm_a), (contact.body_b, &contact.arm_b)] {
                if let Some(longest) = longest.get_mut(members.number_of(problem, body) as usize) {
                    *longest = longest.max(arm.norm());
                }
            }
        }
        lengthen(problem, held, members, longest);
        for (root, longest) in members.roots.iter_mut().zip(longest) {
            let factor = if *longest > 0.0 { 1.0 / *longest } else { 0.0 };
            root.angular = root.angular.map(|x| factor * x);
        }
        Ok(())
    }

    /// Returns whether no normal force of these contacts turns a body, and no row is held.
    pub(super) fn is_straight(&self, problem: &Problem) -> bool {
        self.held.is_empty()
            && self.closed.iter().map(|index| &problem.contacts[*index]).all(|contact| {
                [(contact.body_a, &contact.arm_a), (contact.body_b, &contact.arm_b)].into_iter().all(|(body, arm)| {
                    let root = self.members.roots.get(self.members.number_of(problem, body) as usize);
                    root.is_none_or(|root| root.angular == [0.0; 6])
                        || arm.cross(&contact.normal).norm() <= STRAIGHT * arm.norm()
                })
            })
    }

    /// Returns the rows of a contact's components along `axes`, over the displacements of its bodies.
    fn sides<const N: usize, const R: usize>(
        &self,
        problem: &Problem,
        contact: &Contact,
        axes: &[Vec3; R],
    ) -> Sides<N, R> {
        let side = |arm: &Vec3, sign: f64| {
            axes.map(|axis| sign * axis).map(|axis| Jacobian { linear: axis, angular: arm.cross(&axis) })
        };
        let jacobians = [side(&contact.arm_a, -1.0), side(&contact.arm_b, 1.0)];
        self.members.sides(problem, [contact.body_a, contact.body_b], jacobians)
    }
}

/// Extends the arms to those of rows, which are the lever of a force, or 1 m for a pure torque.
fn lengthen(problem: &Problem, held: &[RowId], members: &Members, longest: &mut [f64]) {
    for row in held.iter().map(|index| &problem.rows[*index]) {
        for (body, jacobian) in [(row.body_a, &row.jacobian_a), (row.body_b, &row.jacobian_b)] {
            let Some(longest) = longest.get_mut(members.number_of(problem, body) as usize) else { continue };
            let (force, torque) = (jacobian.linear.norm(), jacobian.angular.norm());
            let arm = if torque == 0.0 {
                0.0
            } else if force == 0.0 {
                1.0
            } else {
                torque / force
            };
            *longest = longest.max(arm);
        }
    }
}

impl<const N: usize, const R: usize> Link<N, R> {
    /// Returns `D + base k`. A contact without friction has no tangential stiffness.
    pub(super) fn tangent(&self, law: &Law, e: &[f64; R], base: f64) -> [[f64; R]; R] {
        let mut tangent = law.tangent(&self.traits, e);
        let stiff = if self.traits.slope > 0.0 { R } else { 1 };
        (0..stiff).for_each(|k| tangent[k][k] += base * self.traits.stiffness);
        tangent
    }
}

impl<const N: usize, const R: usize> Network<N, R> {
    /// Builds the network from the closed contacts and the held rows, which carry the impulses. Returns `false` if
    /// there is no load.
    pub(super) fn fill(
        &mut self,
        input: &CorrectionInput,
        outline: &Outline,
        columns: &ContactColumns,
    ) -> Result<bool> {
        let CorrectionInput { problem, elastic, .. } = *input;
        let (closed, impulses, stiffness) = (&outline.closed, columns.impulses, columns.stiffness);
        empty(&mut self.links, closed.len(), "contacts of an island")?;
        let stiffest = closed.iter().map(|index| stiffness[*index]).reduce(f64::max).unwrap_or(1.0);
        // The part of an impulse that `R` rows carry.
        let size = |impulse: &Impulse| impulse.normal.abs().max(if R == 1 { 0.0 } else { impulse.tangential.amax() });
        self.unit = closed.iter().map(|index| size(&impulses[*index])).fold(0.0, f64::max);
        self.held.list(problem, &outline.held, &outline.members)?;
        self.unit = self.unit.max(self.held.largest(columns.row_impulses));
        refill(&mut self.load, outline.members.graph.bodies(), [0.0; N], "bodies of an island")?;
        if self.unit == 0.0 {
            return Ok(false);
        }
        let shear = elastic.ratio.sqrt();
        let (mut squares, mut given_squares) = (0.0, 0.0);
        for index in closed {
            let (contact, impulse) = (&problem.contacts[*index], &impulses[*index]);
            let axes = axes::<R>(contact, shear);
            let vector = impulse.vector(&contact.normal);
            let force: [f64; R] = std::array::from_fn(|k| {
                let part = if k == 0 { impulse.normal } else { axes[k].dot(&vector) / (shear * shear) };
                part / self.unit
            });
            squares += dot(&force, &force);
            // In units of forces, independent of the tangential stiffness.
            let across: f64 = force[1..].iter().map(|f| (shear * f) * (shear * f)).sum();
            given_squares += force[0] * force[0] + across;
            let slope = if elastic.form == Form::Normal { 0.0 } else { (contact.friction / shear).min(STEEPEST) };
            let traits = Traits { stiffness: stiffness[*index] / stiffest, slope };
            let sides: Sides<N, R> = outline.sides(problem, contact, &axes);
            sides.add(&force, &mut self.load);
            let pair = outline.members.graph.pair(sides.bodies) as u32;
            self.links.push(Link { sides, pair, contact: *index, traits });
        }
        // The stiffness of a contact that carries the unit, in the units of the host.
        let secant = self.unit * power(stiffest / self.unit, 1.0 / (elastic.exponent - 1.0));
        let held = self.held.load(columns.row_impulses, [self.unit, secant], &mut self.load);
        self.impulse_norm = (squares + held).sqrt();
        given_squares += held;
        self.floor = ROUND_OFF * given_squares.sqrt();
        self.load_norm = norm(&self.load);
        Ok(true)
    }

    /// Computes `e = -A z` of every contact.
    pub(super) fn compute_compression(&self, z: &[[f64; N]], e: &mut [[f64; R]]) {
        for (e, link) in e.iter_mut().zip(&self.links) {
            *e = link.sides.reduce([0.0; R], z);
        }
    }

    /// Writes `F - A^T f(e) - J^T g` to `rest`.
    pub(super) fn rest(&self, law: &Law, e: &[[f64; R]], pull: &SpringState, rest: &mut [[f64; N]]) {
        rest.copy_from_slice(&self.load);
        for (e, link) in e.iter().zip(&self.links) {
            let force = law.force(&link.traits, e);
            if force != [0.0; R] {
                link.sides.add(&force.map(|f| -f), rest);
            }
        }
        self.held.unload(pull, rest);
    }

    /// Computes `A^T (D + base k) A`.
    pub(super) fn stiffness(
        &self,
        law: &Law,
        e: &[[f64; R]],
        base: f64,
        graph: &Graph,
        blocks: &mut Blocks<N>,
    ) -> Result<()> {
        blocks.begin(graph, 0.0)?;
        for (e, link) in e.iter().zip(&self.links) {
            blocks.add(&link.sides, link.pair as usize, &link.tangent(law, e, base));
        }
        Ok(())
    }

    /// Returns the slope of the potential along a direction, `step` along it. It is `F . dz + sum f(e + step de) . de`
    /// with the signs of `e = -A z`.
    pub(super) fn slope(&self, law: &Law, e: &[[f64; R]], change: &[[f64; R]], work: f64, step: f64) -> f64 {
        let forces = e.iter().zip(change).zip(&self.links).map(|((e, change), link)| {
            let there: [f64; R] = std::array::from_fn(|k| e[k] + step * change[k]);
            dot(&law.force(&link.traits, &there), change)
        });
        work + forces.sum::<f64>()
    }
}

/// Returns the normal, and the tangents times `shear`.
pub(super) fn axes<const R: usize>(contact: &Contact, shear: f64) -> [Vec3; R] {
    if R == 1 {
        return [contact.normal; R];
    }
    let (t1, t2) = tangents(&contact.normal);
    let all = [contact.normal, shear * t1, shear * t2];
    std::array::from_fn(|k| all[k.min(2)])
}

/// Returns the Euclidean norm.
pub(super) fn norm<const N: usize>(x: &[[f64; N]]) -> f64 {
    x.iter().map(|x| dot(x, x)).sum::<f64>().sqrt()
}
