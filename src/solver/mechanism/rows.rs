//! The bodies and rows of one mechanism in its own numbers, and products with the rows.
//!
//! The velocity of a body is `L z`, `M^-1 = L L^T`. A row in these units is `a = l L^T J`, with the length `l` for rows of turns alone and 1
//! for others. Its multiplier is then `lambda / l`, its compliance `l^2 S`, its velocity `l` times that of `J`.

use crate::error::{Result, empty, push};
use crate::math::{BodyRow, RowId, Vec3};
use crate::solver::mechanism::find::MechanismParts;
use crate::solver::mechanism::pattern::Joints;
use crate::solver::operator::blocks::{IMMOVABLE, Members, Root, SIX, dot};
use crate::solver::problem::{Jacobian, MassInverse, Problem, Row, Velocity};

/// A row of a mechanism.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct MechanismRow {
    /// In the problem, as its bodies are.
    pub(in crate::solver) row: RowId,
    bodies: [BodyRow; 2],
    jacobians: [Jacobian; 2],
    /// The numbers of its bodies in the mechanism, or [`IMMOVABLE`].
    numbers: [u32; 2],
    /// `l^2 S`.
    pub(in crate::solver) compliance: f64,
    /// `l` [m], or 1.
    pub(in crate::solver) length: f64,
}

/// The bodies and rows of a mechanism; keeps its workspace.
#[derive(Debug, Default)]
pub(in crate::solver) struct MechanismRows {
    /// The bodies in the problem, ascending.
    pub(in crate::solver) bodies: Vec<BodyRow>,
    /// Sorted by pairs of bodies; all rows of a pair are a joint.
    pub(in crate::solver) rows: Vec<MechanismRow>,
    /// `a` of each row for its two bodies; zero for what does not move.
    pub(in crate::solver) entries: Vec<[[f64; SIX]; 2]>,
    pairs: Vec<[u32; 2]>,
    sizes: Vec<u32>,
    /// The mean diagonal of `J M^-1 J^T` in the units of the rows; 1 if that is zero.
    pub(in crate::solver) mean: f64,
    members: Members,
    masses: Vec<MassInverse>,
    numbers: Vec<BodyRow>,
}

impl MechanismRows {
    /// Takes bodies and rows of a problem.
    pub(in crate::solver) fn take(&mut self, problem: &Problem, parts: MechanismParts) -> Result<()> {
        empty(&mut self.bodies, parts.bodies.len(), "bodies of a mechanism")?;
        empty(&mut self.masses, parts.bodies.len(), "bodies of a mechanism")?;
        empty(&mut self.numbers, parts.bodies.len(), "bodies of a mechanism")?;
        for (number, body) in parts.bodies.iter().enumerate() {
            self.bodies.push(*body);
            self.masses.push(*problem.mass(*body));
            self.numbers.push(number.into());
        }
        empty(&mut self.rows, parts.rows.len(), "rows of a mechanism")?;
        for id in parts.rows {
            let Some(row) = problem.rows.get(id.index()) else { continue };
            let bodies = [row.body_a, row.body_b];
            let numbers = bodies.map(|body| self.number(body));
            if numbers == [IMMOVABLE; 2] {
                continue;
            }
            let jacobians = [row.jacobian_a, row.jacobian_b];
            let compliance = row.compliance;
            self.rows.push(MechanismRow { row: *id, bodies, jacobians, numbers, compliance, length: 1.0 });
        }
        self.rows.sort_unstable_by_key(|row| (pair_of(row), row.row));
        self.find_joints()?;
        self.find_entries(problem)?;
        self.scale();
        Ok(())
    }

    /// Forgets all bodies and rows.
    pub(in crate::solver) fn clear(&mut self) {
        self.bodies.clear();
        self.rows.clear();
        self.entries.clear();
        self.pairs.clear();
        self.sizes.clear();
    }

    /// Returns the joints of the mechanism.
    pub(in crate::solver) fn joints(&self) -> Joints<'_> {
        Joints { pairs: &self.pairs, sizes: &self.sizes }
    }

    /// Returns the number of a body of the problem, or [`IMMOVABLE`].
    pub(in crate::solver) fn number(&self, body: BodyRow) -> u32 {
        self.bodies.binary_search(&body).map_or(IMMOVABLE, |number| number as u32)
    }

    /// Returns the root of the inverse mass of each body.
    pub(in crate::solver) fn roots(&self) -> &[Root] {
        &self.members.roots
    }

    /// `x = p + a^T lambda`, for `R` columns.
    pub(in crate::solver) fn push<const R: usize>(
        &self,
        lambda: &[[f64; R]],
        p: &[[[f64; R]; SIX]],
        x: &mut [[[f64; R]; SIX]],
    ) {
        x.copy_from_slice(p);
        for ((row, entries), lambda) in self.rows.iter().zip(&self.entries).zip(lambda) {
            for (number, entries) in row.numbers.iter().zip(entries) {
                let Some(x) = x.get_mut(*number as usize) else { continue };
                for (x, entry) in x.iter_mut().zip(entries) {
                    x.iter_mut().zip(lambda).for_each(|(x, lambda)| *x += entry * lambda);
                }
            }
        }
    }

    /// `w += a x`, for `R` columns.
    pub(in crate::solver) fn add_speeds<const R: usize>(&self, x: &[[[f64; R]; SIX]], w: &mut [[f64; R]]) {
        for ((row, entries), w) in self.rows.iter().zip(&self.entries).zip(w) {
            for (number, entries) in row.numbers.iter().zip(entries) {
                let Some(x) = x.get(*number as usize) else { continue };
                for (x, entry) in x.iter().zip(entries) {
                    w.iter_mut().zip(x).for_each(|(w, x)| *w += entry * x);
                }
            }
        }
    }

    fn find_joints(&mut self) -> Result<()> {
        self.pairs.clear();
        self.sizes.clear();
        for row in &self.rows {
            let pair = pair_of(row);
            if self.pairs.last() != Some(&pair) {
                push(&mut self.pairs, pair, "joints of a mechanism")?;
                push(&mut self.sizes, 0, "joints of a mechanism")?;
            }
            if let Some(size) = self.sizes.last_mut() {
                *size += 1;
            }
        }
        Ok(())
    }

    /// Finds the rows in the units of `z`, without their lengths. Entries follow the sides of the pair of the joint.
    fn find_entries(&mut self, problem: &Problem) -> Result<()> {
        let own = Problem { masses: &self.masses, ..*problem };
        self.members.number(&own, &self.numbers)?;
        empty(&mut self.entries, self.rows.len(), "rows of a mechanism")?;
        for row in &mut self.rows {
            if row.numbers[0] > row.numbers[1] {
                row.numbers.swap(0, 1);
                row.bodies.swap(0, 1);
                row.jacobians.swap(0, 1);
            }
            let side = |k: usize| match self.members.roots.get(row.numbers[k] as usize) {
                Some(root) => root.times(&row.jacobians[k]),
                None => [0.0; SIX],
            };
            self.entries.push([side(0), side(1)]);
        }
        Ok(())
    }

    /// Brings rows of turns alone to the unit of the others, and finds the mean diagonal.
    fn scale(&mut self) {
        let [mut sums, mut counts] = [[0.0; 2]; 2];
        for (row, entries) in self.rows.iter().zip(&self.entries) {
            let (kind, square) = (usize::from(turns_alone(row)), square(entries));
            sums[kind] += square;
            // What moves nothing has no unit.
            counts[kind] += if square > 0.0 { 1.0 } else { 0.0 };
        }
        let means = [sums[0] / f64::max(counts[0], 1.0), sums[1] / f64::max(counts[1], 1.0)];
        let length = (means[0] / means[1]).sqrt();
        let length = if length.is_finite() && length > 0.0 { length } else { 1.0 };
        for (row, entries) in self.rows.iter_mut().zip(&mut self.entries).filter(|(row, _)| turns_alone(row)) {
            row.length = length;
            row.compliance *= length * length;
            entries.as_flattened_mut().iter_mut().for_each(|entry| *entry *= length);
        }
        let mean = (sums[0] + length * length * sums[1]) / f64::max(counts[0] + counts[1], 1.0);
        self.mean = if mean > 0.0 { mean } else { 1.0 };
    }
}

impl MechanismRow {
    /// Returns `l (J v - rhs)` for velocities of the problem, and the size of its terms: its round-off is so much smaller
    /// by the unit of round-off. `rhs` is that of the row in `rows`, those of the problem.
    pub(in crate::solver) fn speed(&self, rows: &[Row], velocities: &[Velocity]) -> (f64, f64) {
        let rhs = rows.get(self.row.index()).map_or(0.0, |row| row.rhs);
        let (mut speed, mut size) = (-rhs, rhs.abs());
        for (body, jacobian) in self.bodies.iter().zip(&self.jacobians) {
            let Some(velocity) = velocities.get(body.index()) else { continue };
            speed += jacobian.dot(velocity);
            size += jacobian.linear.norm() * velocity.linear.norm() + jacobian.angular.norm() * velocity.angular.norm();
        }
        (self.length * speed, self.length * size)
    }
}

/// Returns `L z`.
pub(in crate::solver) fn velocity_of(root: &Root, z: &[f64; SIX]) -> Velocity {
    let [x, y, z, a, b, c] = *z;
    let [xx, yx, zx, yy, zy, zz] = root.angular;
    Velocity {
        linear: root.linear.component_mul(&Vec3::new(x, y, z)),
        angular: Vec3::new(xx * a, yx * a + yy * b, zx * a + zy * b + zz * c),
    }
}

/// Returns the numbers of the bodies of a row, the lower one first.
fn pair_of(row: &MechanismRow) -> [u32; 2] {
    let [a, b] = row.numbers;
    [a.min(b), a.max(b)]
}

fn turns_alone(row: &MechanismRow) -> bool {
    row.jacobians.iter().all(|jacobian| jacobian.linear == Vec3::zeros())
}

fn square(entries: &[[f64; SIX]; 2]) -> f64 {
    entries.iter().map(|entries| dot(entries, entries)).sum()
}
