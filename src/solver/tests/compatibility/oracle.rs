//! What compatible forces are, measured from the forces alone.
//!
//! [K] (36): of all `f >= 0` with the resultants `A^T f = F` the least of `sum (p-1)/p k^(1/(1-p)) f^(p/(p-1))`. Its KKT
//! conditions: with the compressions `c = (f / k)^(1/(p-1))` there are displacements `u` such that
//!
//! ```text
//! nu = c + A u >= 0,     f nu = 0
//! ```
//!
//! Least squares over the contacts that carry a force find `u`. Where these leave bodies free to move, what it would
//! press of the others is undone, step by step: one such `u` is enough.

use nalgebra::{DMatrix, DVector};

use crate::math::Symmetric3;
use crate::solver::tests::random::Scene;

/// `A`: how fast contacts open where bodies move, as the entries of each row that are not zero.
pub(super) struct Rows {
    rows: Vec<Vec<(usize, f64)>>,
    columns: usize,
}

/// How far forces are from the conditions.
#[derive(Debug)]
pub(super) struct Errors {
    /// Of the resultants, Euclidean norms, relative to what they are to be.
    pub(super) equilibrium: f64,
    /// Largest `-nu`, and `|nu|` where there is a force, relative to the largest compression.
    pub(super) compatibility: f64,
    /// Largest `|f nu|`, relative to the largest force and compression.
    pub(super) complementarity: f64,
}

impl Rows {
    /// Of all contacts over what can move.
    pub(super) fn new(scene: &Scene) -> Self {
        let row = |contact: &crate::solver::problem::Contact| {
            let mut row = Vec::new();
            for (sign, body, arm) in [(-1.0, contact.body_a, &contact.arm_a), (1.0, contact.body_b, &contact.arm_b)] {
                let Some(mass) = scene.masses.get(body.index()) else { continue };
                let turn = arm.cross(&contact.normal);
                let turns = if mass.angular == Symmetric3::diagonal([0.0; 3]) { 0.0 } else { 1.0 };
                for axis in 0..3 {
                    let moves = if mass.linear[axis] > 0.0 { 1.0 } else { 0.0 };
                    row.push((6 * body.index() + axis, sign * moves * contact.normal[axis]));
                    row.push((6 * body.index() + 3 + axis, sign * turns * turn[axis]));
                }
            }
            // what is round-off of a cross product turns nothing
            row.retain(|(_, entry): &(usize, f64)| entry.abs() > 1e-14);
            row
        };
        Self { rows: scene.contacts.iter().map(row).collect(), columns: 6 * scene.masses.len() }
    }

    /// Those of these contacts.
    fn of(&self, chosen: &[usize]) -> Self {
        Self { rows: chosen.iter().map(|index| self.rows[*index].clone()).collect(), columns: self.columns }
    }

    /// `A u`.
    fn times(&self, u: &[f64]) -> Vec<f64> {
        self.rows.iter().map(|row| row.iter().map(|(column, entry)| entry * u[*column]).sum()).collect()
    }

    /// `A^T f`.
    pub(super) fn resultants(&self, f: &[f64]) -> Vec<f64> {
        let mut sum = vec![0.0; self.columns];
        for (row, f) in self.rows.iter().zip(f) {
            row.iter().for_each(|(column, entry)| sum[*column] += entry * f);
        }
        sum
    }

    /// The shortest of the `u` for which `|A u - c|` is least, from all singular values.
    pub(super) fn dense(&self, c: &[f64]) -> Vec<f64> {
        let mut matrix = DMatrix::zeros(self.rows.len(), self.columns);
        for (index, row) in self.rows.iter().enumerate() {
            row.iter().for_each(|(column, entry)| matrix[(index, *column)] = *entry);
        }
        let svd = matrix.svd(true, true);
        let threshold = 1e-10 * svd.singular_values.max();
        let solve = |c: &[f64]| svd.solve(&DVector::from_row_slice(c), threshold).expect("both bases");
        let u = solve(c);
        // once more, for the round-off of the first
        let image = self.times(u.as_slice());
        let rest: Vec<f64> = c.iter().zip(&image).map(|(c, image)| c - image).collect();
        (u + solve(&rest)).as_slice().to_vec()
    }

    /// The same by conjugate gradients on the normal equations (CGLS).
    pub(super) fn gradients(&self, c: &[f64]) -> Vec<f64> {
        let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
        let mut u = vec![0.0; self.columns];
        let mut rest = c.to_vec();
        let mut gradient = self.resultants(&rest);
        let mut direction = gradient.clone();
        let mut square = dot(&gradient, &gradient);
        // below that a gradient is round-off
        let enough = 1e-28 * square + 1e-30 * dot(c, c);
        for _ in 0..20_000 {
            if square <= enough {
                break;
            }
            let image = self.times(&direction);
            let length = square / dot(&image, &image);
            u.iter_mut().zip(&direction).for_each(|(u, d)| *u += length * d);
            rest.iter_mut().zip(&image).for_each(|(rest, d)| *rest -= length * d);
            gradient = self.resultants(&rest);
            let next = dot(&gradient, &gradient);
            direction.iter_mut().zip(&gradient).for_each(|(d, g)| *d = g + next / square * *d);
            square = next;
        }
        u
    }

    /// What of `f` has no resultants: the nearest self-equilibrated network.
    pub(super) fn without_resultants(&self, f: &[f64]) -> Vec<f64> {
        let mut network = f.to_vec();
        // twice: the first leaves the round-off of large numbers
        for _ in 0..2 {
            let image = self.times(&self.gradients(&network));
            network.iter_mut().zip(&image).for_each(|(f, image)| *f -= image);
        }
        network
    }

    /// How far `forces` are from the conditions, where `impulses` have the resultants; `solve` is one of the two above.
    pub(super) fn errors(
        &self,
        (forces, impulses): (&[f64], &[f64]),
        stiffness: &[f64],
        exponent: f64,
        solve: impl Fn(&Self, &[f64]) -> Vec<f64>,
    ) -> Errors {
        let norm = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
        let missing: Vec<f64> = forces.iter().zip(impulses).map(|(f, g)| f - g).collect();
        let equilibrium = norm(&self.resultants(&missing)) / norm(&self.resultants(impulses));
        let pressed: Vec<f64> =
            forces.iter().zip(stiffness).map(|(f, k)| (f / k).powf(1.0 / (exponent - 1.0))).collect();
        let nu = self.slacks(forces, &pressed, solve);
        let largest = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
        let incompatible = nu.iter().zip(forces).map(|(nu, f)| if *f > 0.0 { nu.abs() } else { -nu });
        let products = nu.iter().zip(forces).map(|(nu, f)| (f * nu).abs()).fold(0.0, f64::max);
        let compatibility = incompatible.fold(0.0, f64::max) / largest(&pressed);
        Errors { equilibrium, compatibility, complementarity: products / (largest(&pressed) * largest(forces)) }
    }

    /// `nu`: Newton steps for the least of the sum of squares of what is wrong, halved until it falls.
    fn slacks(&self, forces: &[f64], pressed: &[f64], solve: impl Fn(&Self, &[f64]) -> Vec<f64>) -> Vec<f64> {
        let largest = pressed.iter().copied().fold(0.0, f64::max);
        let wrong = |nu: &[f64], index: usize| forces[index] > 0.0 || nu[index] < 0.0;
        let squares = |nu: &[f64]| (0..nu.len()).filter(|index| wrong(nu, *index)).map(|k| nu[k] * nu[k]).sum::<f64>();
        let mut nu = pressed.to_vec();
        for _ in 0..50 {
            let rows: Vec<usize> = (0..nu.len()).filter(|index| wrong(&nu, *index)).collect();
            let step = solve(&self.of(&rows), &rows.iter().map(|index| -nu[*index]).collect::<Vec<f64>>());
            let change = self.times(&step);
            let moved = |length: f64| nu.iter().zip(&change).map(|(nu, d)| nu + length * d).collect::<Vec<f64>>();
            let lengths = (0..20).map(|k| 0.5_f64.powi(k));
            let Some(next) = lengths.map(moved).find(|next| squares(next) < squares(&nu)) else { break };
            nu = next;
            if squares(&nu) <= 1e-28 * largest * largest {
                break;
            }
        }
        nu
    }
}
