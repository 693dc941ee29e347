//! The closed contacts of an island as rows over the displacements of its bodies.
//!
//! `N` displacements for each body, 3 where no contact can turn one and 6 else; `R` rows for each contact, 1 without
//! friction and 3 with it. Turns are measured by the longest arm of the body's contacts.

use crate::error::{Result, reserve, resize};
use crate::math::{BodyRow, ContactId, Vec3, tangents};
use crate::solver::compatibility::blocks::{Blocks, add_product, dot};
use crate::solver::compatibility::input::{ContactColumns, CorrectionInput};
use crate::solver::compatibility::law::{Law, Traits};
use crate::solver::compatibility::{Elastic, Form};
use crate::solver::operator::cholesky::Graph;
use crate::solver::operator::root::Root;
use crate::solver::problem::{Contact, Impulse, Jacobian, Problem};

/// A body that nothing moves.
pub(super) const IMMOVABLE: u32 = u32::MAX;

/// A cone as steep as this is a half-space; its square is a number [-].
const STEEPEST: f64 = 1e100;

/// Arms along the normal up to this sine turn no body [-].
const STRAIGHT: f64 = 1e-12;

/// A contact over the displacements.
#[derive(Debug, Clone, Copy)]
pub(super) struct Link<const N: usize, const R: usize> {
    /// Numbers in the island.
    pub(super) bodies: [u32; 2],
    /// Which pair of the graph; not used where one does not move.
    pair: u32,
    /// Index of the contact in the problem.
    pub(super) contact: ContactId,
    pub(super) rows: [[[f64; N]; R]; 2],
    pub(super) traits: Traits,
}

/// How each body of an island moves, and which contacts join them.
#[derive(Debug, Default)]
pub(super) struct Outline {
    /// The number in the island of each body of the problem that is in it.
    numbers: Vec<u32>,
    roots: Vec<Root>,
    /// The longest arm of each body's contacts [m].
    longest: Vec<f64>,
    pairs: Vec<[u32; 2]>,
    pub(super) graph: Graph,
}

/// An island: forces as functions of displacements.
#[derive(Debug, Default)]
pub(super) struct Network<const N: usize, const R: usize> {
    pub(super) links: Vec<Link<N, R>>,
    /// `F` on each body.
    pub(super) load: Vec<[f64; N]>,
    /// What the impulses in the network's own units are multiplied by [N s].
    pub(super) unit: f64,
    /// Norm of the load, and of the impulses that it is the resultant of.
    pub(super) load_norm: f64,
    pub(super) impulse_norm: f64,
    /// The latter in units of forces alone, whatever the tangential stiffness.
    pub(super) given_norm: f64,
}

impl Outline {
    /// Of the contacts `closed` between `bodies` of a problem.
    pub(super) fn draw(&mut self, problem: &Problem, bodies: &[BodyRow], closed: &[ContactId]) -> Result<()> {
        if self.numbers.len() < problem.masses.len() {
            resize(&mut self.numbers, problem.masses.len(), 0, "bodies")?;
        }
        self.roots.clear();
        reserve(&mut self.roots, bodies.len(), "bodies of an island")?;
        for (number, body) in (0..).zip(bodies) {
            self.numbers[*body] = number;
            self.roots.push(Root::new(&problem.masses[*body]));
        }
        self.measure(problem, closed)?;
        self.pairs.clear();
        reserve(&mut self.pairs, closed.len(), "pairs of bodies")?;
        for contact in closed.iter().map(|index| &problem.contacts[*index]) {
            let (a, b) = (contact.body_a, contact.body_b);
            if problem.moves(a) && problem.moves(b) {
                let (a, b) = (self.numbers[a], self.numbers[b]);
                self.pairs.push([a.min(b), a.max(b)]);
            }
        }
        self.pairs.sort_unstable();
        self.pairs.dedup();
        self.graph.fill(bodies.len(), &self.pairs)
    }

    /// Makes the roots free of masses: what can move moves by one, and turns by one over the longest arm.
    fn measure(&mut self, problem: &Problem, closed: &[ContactId]) -> Result<()> {
        let Self { numbers, roots, longest, .. } = self;
        for root in roots.iter_mut() {
            root.linear = root.linear.map(|x| if x > 0.0 { 1.0 } else { 0.0 });
            let size = root.angular.iter().map(|x| x * x).sum::<f64>().sqrt();
            let factor = if size > 0.0 { 1.0 / size } else { 0.0 };
            root.angular = root.angular.map(|x| factor * x);
        }
        longest.clear();
        resize(longest, roots.len(), 0.0_f64, "bodies of an island")?;
        for contact in closed.iter().map(|index| &problem.contacts[*index]) {
            for (body, arm) in [(contact.body_a, &contact.arm_a), (contact.body_b, &contact.arm_b)] {
                if problem.moves(body) {
                    let arm_of = &mut longest[numbers[body] as usize];
                    *arm_of = arm_of.max(arm.norm());
                }
            }
        }
        for (root, longest) in roots.iter_mut().zip(longest) {
            let factor = if *longest > 0.0 { 1.0 / *longest } else { 0.0 };
            root.angular = root.angular.map(|x| factor * x);
        }
        Ok(())
    }

    /// Whether no normal force of these contacts turns a body.
    pub(super) fn is_straight(&self, problem: &Problem, closed: &[ContactId]) -> bool {
        closed.iter().map(|index| &problem.contacts[*index]).all(|contact| {
            [(contact.body_a, &contact.arm_a), (contact.body_b, &contact.arm_b)].into_iter().all(|(body, arm)| {
                !problem.moves(body)
                    || self.roots[self.numbers[body] as usize].angular == [0.0; 6]
                    || arm.cross(&contact.normal).norm() <= STRAIGHT * arm.norm()
            })
        })
    }

    /// The rows of a contact's parts along `axes`, over the displacements of its bodies.
    fn rows<const N: usize, const R: usize>(
        &self,
        problem: &Problem,
        contact: &Contact,
        axes: &[Vec3; R],
    ) -> ([u32; 2], [[[f64; N]; R]; 2]) {
        let side = |body: BodyRow, arm: &Vec3, sign: f64| {
            if !problem.moves(body) {
                return (IMMOVABLE, [[0.0; N]; R]);
            }
            let number = self.numbers[body];
            let root = &self.roots[number as usize];
            let rows = axes.map(|axis| {
                let axis = sign * axis;
                let all = root.times(&Jacobian { linear: axis, angular: arm.cross(&axis) });
                std::array::from_fn(|k| all[k])
            });
            (number, rows)
        };
        let (a, rows_a) = side(contact.body_a, &contact.arm_a, -1.0);
        let (b, rows_b) = side(contact.body_b, &contact.arm_b, 1.0);
        ([a, b], [rows_a, rows_b])
    }
}

impl<const N: usize, const R: usize> Network<N, R> {
    /// Of the contacts `closed`, which carry `impulses`. `false`: there is no load.
    pub(super) fn fill(
        &mut self,
        input: &CorrectionInput,
        outline: &Outline,
        closed: &[ContactId],
        columns: &ContactColumns,
    ) -> Result<bool> {
        let CorrectionInput { problem, elastic, .. } = *input;
        let (impulses, stiffness) = (columns.impulses, columns.stiffness);
        self.links.clear();
        reserve(&mut self.links, closed.len(), "contacts of an island")?;
        let largest = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
        let stiffest = largest(&mut closed.iter().map(|index| stiffness[*index]));
        self.unit = largest(&mut closed.iter().map(|index| size::<R>(&impulses[*index])));
        self.load.clear();
        resize(&mut self.load, outline.graph.bodies(), [0.0; N], "bodies of an island")?;
        if self.unit == 0.0 {
            return Ok(false);
        }
        let shear = elastic.ratio.sqrt();
        let (mut squares, mut given_squares) = (0.0, 0.0);
        for index in closed {
            let (contact, impulse) = (&problem.contacts[*index], &impulses[*index]);
            let axes = axes::<R>(contact, shear);
            let (bodies, rows) = outline.rows(problem, contact, &axes);
            let vector = impulse.vector(&contact.normal);
            let force: [f64; R] = std::array::from_fn(|k| {
                let part = if k == 0 { impulse.normal } else { axes[k].dot(&vector) / (shear * shear) };
                part / self.unit
            });
            squares += dot(&force, &force);
            let across: f64 = force[1..].iter().map(|f| (shear * f) * (shear * f)).sum();
            given_squares += force[0] * force[0] + across;
            let pair = match bodies {
                [a, b] if a != IMMOVABLE && b != IMMOVABLE => outline.graph.pair(a.min(b), a.max(b)) as u32,
                _ => 0,
            };
            let slope = if elastic.form == Form::Normal { 0.0 } else { (contact.friction / shear).min(STEEPEST) };
            let traits = Traits { stiffness: stiffness[*index] / stiffest, slope };
            let link = Link { bodies, pair, contact: *index, rows, traits };
            link.add(&force, &mut self.load);
            self.links.push(link);
        }
        self.impulse_norm = squares.sqrt();
        self.given_norm = given_squares.sqrt();
        self.load_norm = norm(&self.load);
        Ok(true)
    }

    /// `e = -A z` of every contact.
    pub(super) fn press(&self, z: &[[f64; N]], e: &mut [[f64; R]]) {
        for (e, link) in e.iter_mut().zip(&self.links) {
            *e = link.press(z);
        }
    }

    /// `F - A^T f(e)`, into `rest`.
    pub(super) fn rest(&self, law: &Law, e: &[[f64; R]], rest: &mut [[f64; N]]) {
        rest.copy_from_slice(&self.load);
        for (e, link) in e.iter().zip(&self.links) {
            let force = law.force(&link.traits, e);
            if force != [0.0; R] {
                link.add(&force.map(|f| -f), rest);
            }
        }
    }

    /// `A^T (D + base k) A` and a trace of the diagonal, so that it can be inverted.
    pub(super) fn stiffness(
        &self,
        law: &Law,
        e: &[[f64; R]],
        base: f64,
        graph: &Graph,
        blocks: &mut Blocks<N>,
    ) -> Result<()> {
        blocks.begin(graph)?;
        for (e, link) in e.iter().zip(&self.links) {
            let mut tangent = law.tangent(&link.traits, e);
            let base = base * link.traits.stiffness;
            for (k, row) in tangent.iter_mut().enumerate() {
                // without friction a contact has no stiffness across
                if k == 0 || link.traits.slope > 0.0 {
                    row[k] += base;
                }
            }
            link.join(&tangent, blocks);
        }
        Ok(())
    }

    /// The slope of the potential along a direction, `step` along it: `F . dz + sum f(e + step de) . de` with the signs of
    /// `e = -A z`.
    pub(super) fn slope(&self, law: &Law, e: &[[f64; R]], change: &[[f64; R]], work: f64, step: f64) -> f64 {
        let forces = e.iter().zip(change).zip(&self.links).map(|((e, change), link)| {
            let there: [f64; R] = std::array::from_fn(|k| e[k] + step * change[k]);
            dot(&law.force(&link.traits, &there), change)
        });
        work + forces.sum::<f64>()
    }

    /// The impulse of a contact from its `e`: along the normal, and across [N s].
    pub(super) fn impulse(
        &self,
        law: &Law,
        contact: &Contact,
        link: &Link<N, R>,
        e: &[f64; R],
        ratio: f64,
    ) -> (f64, Vec3) {
        let force = law.force(&link.traits, e);
        let axes = axes::<R>(contact, ratio.sqrt());
        let across = (1..R).map(|k| axes[k] * force[k]).sum::<Vec3>();
        (self.unit * force[0], self.unit * across)
    }
}

impl<const N: usize, const R: usize> Link<N, R> {
    #[inline(always)]
    fn press(&self, z: &[[f64; N]]) -> [f64; R] {
        let mut e = [0.0; R];
        for (body, rows) in self.bodies.iter().zip(&self.rows).filter(|(body, _)| **body != IMMOVABLE) {
            for (e, row) in e.iter_mut().zip(rows) {
                *e -= dot(row, &z[*body as usize]);
            }
        }
        e
    }

    /// Adds `A^T tangent A`.
    #[inline(always)]
    pub(super) fn join(&self, tangent: &[[f64; R]; R], blocks: &mut Blocks<N>) {
        let [a, b] = self.bodies;
        for (body, rows) in self.bodies.iter().zip(&self.rows).filter(|(body, _)| **body != IMMOVABLE) {
            add_product(&mut blocks.diagonal[*body as usize], rows, tangent, rows);
        }
        if a != IMMOVABLE && b != IMMOVABLE {
            let [high, low] = if a > b { [0, 1] } else { [1, 0] };
            let lower = &mut blocks.lower[self.pair as usize];
            add_product(lower, &self.rows[high], tangent, &self.rows[low]);
        }
    }

    /// Adds `A^T force`.
    #[inline(always)]
    pub(super) fn add(&self, force: &[f64; R], sum: &mut [[f64; N]]) {
        for (body, rows) in self.bodies.iter().zip(&self.rows).filter(|(body, _)| **body != IMMOVABLE) {
            let sum = &mut sum[*body as usize];
            for (force, row) in force.iter().zip(rows) {
                for (sum, entry) in sum.iter_mut().zip(row) {
                    *sum += force * entry;
                }
            }
        }
    }
}

impl Elastic {
    /// The law that has a potential.
    pub(super) fn law(&self) -> Law {
        Law { exponent: self.exponent, dilation: 1.0 }
    }
}

/// The normal, and the tangents times `shear`.
fn axes<const R: usize>(contact: &Contact, shear: f64) -> [Vec3; R] {
    if R == 1 {
        return [contact.normal; R];
    }
    let (t1, t2) = tangents(&contact.normal);
    let all = [contact.normal, shear * t1, shear * t2];
    std::array::from_fn(|k| all[k.min(2)])
}

/// The magnitude of the part of an impulse that `R` rows carry.
fn size<const R: usize>(impulse: &Impulse) -> f64 {
    if R == 1 { impulse.normal.abs() } else { impulse.normal.abs().max(impulse.tangential.amax()) }
}

/// The Euclidean norm.
pub(super) fn norm<const N: usize>(x: &[[f64; N]]) -> f64 {
    x.iter().map(|x| dot(x, x)).sum::<f64>().sqrt()
}
