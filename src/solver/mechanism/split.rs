//! A mechanism with its factor: velocities that its rows allow, multipliers, and responses to impulses.

use crate::error::{Error, Result, refill, text};
use crate::math::{BodyRow, Vec3};
use crate::solver::mechanism::find::MechanismParts;
use crate::solver::mechanism::refined::{Columns, Refined, largest};
use crate::solver::mechanism::rows::velocity_of;
use crate::solver::operator::blocks::{IMMOVABLE, Root, SIX};
use crate::solver::problem::{Jacobian, Problem, Row, Velocity};

/// An impulse on a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyImpulse {
    /// Index of the body in the problem.
    pub body: BodyRow,
    /// [N s]
    pub impulse: Vec3,
    /// About the centre of mass, world axes [N m s].
    pub moment: Vec3,
}

/// The result of [`Mechanism::constrain`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Constrained {
    /// The largest `|J v + S lambda - rhs|`; of rows of turns alone times the length that makes them comparable [m/s].
    pub residual: f64,
    /// Whether rows contradict each other. The velocities are then those of least squares of these residuals.
    pub contradicts: bool,
}

/// One mechanism and the factor of its rows; keeps its workspace.
///
/// The order of elimination and the pattern of the factor are kept while the pairs of bodies and the numbers of rows between them stay.
/// The numbers of a mechanism do not depend on other mechanisms of the problem, and every sum has a fixed order, so results have the same
/// bits in every problem and every run.
#[derive(Debug, Default)]
pub struct Mechanism {
    refined: Refined,
    single: Columns<1>,
    six: Columns<SIX>,
    /// Scratch buffers of the power steps.
    pub(in crate::solver) forces: Vec<BodyImpulse>,
    pub(in crate::solver) changes: Vec<Velocity>,
    pub(in crate::solver) block_numbers: Vec<[usize; 2]>,
}

impl Mechanism {
    /// Factors the rows of a mechanism of a problem. Returns `false` if a number in them is not finite. The mechanism is then empty.
    ///
    /// # Errors
    ///
    /// Memory is exhausted. The mechanism is then empty too.
    pub fn factor(&mut self, problem: &Problem, parts: MechanismParts) -> Result<bool> {
        let found = self.refined.factor(problem, parts);
        if found != Ok(true) {
            self.refined.clear();
        }
        found
    }

    /// Returns the bodies in the problem, ascending. Arrays in the order of the mechanism have this order.
    pub fn bodies(&self) -> &[BodyRow] {
        &self.refined.rows.bodies
    }

    /// Returns the place of a body in the order of the mechanism; behind its end if it is not in it.
    pub(in crate::solver) fn number(&self, body: BodyRow) -> usize {
        self.refined.rows.number(body) as usize
    }

    /// Returns `|z|` of the last response, whose velocities are `L z`.
    pub(in crate::solver) fn response_length(&self) -> f64 {
        self.single.x.as_flattened().iter().map(|[z]| z * z).sum::<f64>().sqrt()
    }

    /// Returns how many entries the factor has below its diagonal.
    pub fn factor_entries(&self) -> usize {
        self.refined.entries()
    }

    /// Changes velocities by the least impulses that make the rows hold: `v - M^-1 J^T A^-1 (J v - rhs)`.
    ///
    /// `rows`, `velocities` and `lambda` are those of the problem. Velocities are `vhat`, with the effect of contacts and other impulses
    /// already in, and end as `v+` for the bodies of the mechanism. Multipliers of its rows are set [N s, N m s]. Only the right sides of the rows are
    /// read, so they may differ from those factored.
    ///
    /// # Errors
    ///
    /// Memory is exhausted.
    pub fn constrain(&mut self, rows: &[Row], velocities: &mut [Velocity], lambda: &mut [f64]) -> Result<Constrained> {
        let Self { refined, single, .. } = self;
        let own = &refined.rows;
        single.begin(own.bodies.len(), own.rows.len())?;
        let mut size = 0.0;
        for (row, start) in own.rows.iter().zip(&mut single.start) {
            let (speed, terms) = row.speed(rows, velocities);
            *start = [speed];
            size = f64::max(size, terms);
        }
        let contradicts = refined.solve_nearest(single, size);
        for ((number, body), root) in own.bodies.iter().enumerate().zip(own.roots()) {
            if let Some(velocity) = velocities.get_mut(body.index()) {
                add(velocity, root, single, number);
            }
        }
        write_multipliers(refined, single, lambda);
        Ok(Constrained { residual: largest(&single.defect), contradicts })
    }

    /// Returns the changes of the velocities of all bodies of the mechanism, in its order, that impulses on its bodies
    /// make: `Mc^-1` times the impulses. Sets what they change in the multipliers of its rows in `lambda`, that of the problem.
    /// Impulses on other bodies have no effect.
    ///
    /// # Errors
    ///
    /// Memory is exhausted.
    pub fn respond(&mut self, impulses: &[BodyImpulse], changes: &mut Vec<Velocity>, lambda: &mut [f64]) -> Result<()> {
        let Self { refined, single, .. } = self;
        let own = &refined.rows;
        single.begin(own.bodies.len(), own.rows.len())?;
        for BodyImpulse { body, impulse, moment } in impulses {
            let number = own.number(*body) as usize;
            if let (Some(root), Some(p)) = (own.roots().get(number), single.p.get_mut(number)) {
                let added = root.times(&Jacobian { linear: *impulse, angular: *moment });
                p.iter_mut().zip(added).for_each(|([p], added)| *p += added);
            }
        }
        refined.solve(single, 0.0);
        refill(changes, own.bodies.len(), Velocity::ZERO, "bodies of a mechanism")?;
        for ((number, change), root) in changes.iter_mut().enumerate().zip(own.roots()) {
            add(change, root, single, number);
        }
        write_multipliers(refined, single, lambda);
        Ok(())
    }

    /// Returns the same for an impulse on one body: columns of `Mc^-1`.
    ///
    /// # Errors
    ///
    /// Memory is exhausted.
    pub fn response(&mut self, impulse: BodyImpulse, changes: &mut Vec<Velocity>) -> Result<()> {
        self.respond(&[impulse], changes, &mut [])
    }

    /// Returns the inverse mass of some bodies of the mechanism taken together, `B = E Mc^-1 E^T`: `6k` x `6k` numbers, row by row, six for
    /// each body in the order given, linear before angular, world axes. Symmetric.
    ///
    /// # Errors
    ///
    /// A body that impulses move is not in the mechanism, or memory is exhausted.
    pub fn touched(&mut self, problem: &Problem, bodies: &[BodyRow], b: &mut Vec<f64>) -> Result<()> {
        let Self { refined, six, .. } = self;
        let own = &refined.rows;
        let size = SIX * bodies.len();
        if let Some(body) = bodies.iter().find(|body| own.number(**body) == IMMOVABLE && problem.moves(**body)) {
            return Err(Error::argument(text!("body {body} is not in the mechanism; it has no row without bounds")));
        }
        refill(b, size * size, 0.0, "entries of an inverse mass")?;
        for (column, body) in bodies.iter().enumerate() {
            let Some(root) = own.roots().get(own.number(*body) as usize) else { continue };
            six.begin(own.bodies.len(), own.rows.len())?;
            if let Some(p) = six.p.get_mut(own.number(*body) as usize) {
                *p = transposed(root);
            }
            refined.solve(six, 0.0);
            for (row, other) in bodies.iter().enumerate() {
                let number = own.number(*other) as usize;
                if let (Some(root), Some(x)) = (own.roots().get(number), six.x.get(number)) {
                    write_block(&mut b[SIX * row * size + SIX * column..], size, &columns_of(root, x));
                }
            }
        }
        symmetrise(b, size);
        Ok(())
    }
}

/// Adds what the multipliers and impulses of a column change in the velocity of a body.
fn add(velocity: &mut Velocity, root: &Root, columns: &Columns<1>, number: usize) {
    if let Some(x) = columns.x.get(number) {
        let change = velocity_of(root, &x.map(|[x]| x));
        velocity.linear += change.linear;
        velocity.angular += change.angular;
    }
}

/// Writes the multipliers of the mechanism's rows to those of the problem.
fn write_multipliers(refined: &Refined, columns: &Columns<1>, lambda: &mut [f64]) {
    for (row, [multiplier]) in refined.rows.rows.iter().zip(&columns.lambda) {
        if let Some(lambda) = lambda.get_mut(row.row.index()) {
            *lambda = row.length * multiplier;
        }
    }
}

/// Returns `L^T`: column `k` is that of the unit impulse `k`.
fn transposed(root: &Root) -> [[f64; SIX]; SIX] {
    let mut entries = [[0.0; SIX]; SIX];
    for column in 0..SIX {
        let unit = |first: usize| Vec3::from_fn(|axis, _| if first + axis == column { 1.0 } else { 0.0 });
        let values = root.times(&Jacobian { linear: unit(0), angular: unit(3) });
        entries.iter_mut().zip(values).for_each(|(entries, value)| entries[column] = value);
    }
    entries
}

/// Returns `L x` for the columns of `x`.
fn columns_of(root: &Root, x: &[[f64; SIX]; SIX]) -> [[f64; SIX]; SIX] {
    let mut entries = [[0.0; SIX]; SIX];
    for column in 0..SIX {
        let Velocity { linear, angular } = velocity_of(root, &x.map(|row| row[column]));
        let values = [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z];
        entries.iter_mut().zip(values).for_each(|(entries, value)| entries[column] = value);
    }
    entries
}

/// Writes a block into a matrix whose rows are `size` long.
fn write_block(matrix: &mut [f64], size: usize, block: &[[f64; SIX]; SIX]) {
    for (row, values) in matrix.chunks_mut(size).zip(block) {
        row.iter_mut().zip(values).for_each(|(entry, value)| *entry = *value);
    }
}

/// Takes the mean of each pair of entries across the diagonal.
fn symmetrise(matrix: &mut [f64], size: usize) {
    for row in 0..size {
        for column in 0..row {
            let [low, high] = [row * size + column, column * size + row];
            let mean = 0.5 * (matrix[low] + matrix[high]);
            (matrix[low], matrix[high]) = (mean, mean);
        }
    }
}
