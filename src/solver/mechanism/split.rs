//! A mechanism with its factor: velocities that its rows allow, multipliers, and responses to impulses.

use crate::error::{Result, refill};
use crate::math::{BodyRow, Vec3};
use crate::solver::mechanism::find::MechanismParts;
use crate::solver::mechanism::refined::{Columns, Refined, largest};
use crate::solver::mechanism::rows::velocity_of;
use crate::solver::operator::blocks::{Root, SIX};
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

/// The sides of a port: the number of each body in the mechanism, or `IMMOVABLE`, and its Jacobian in the units of `z`.
pub(in crate::solver) type PortSides = [(u32, [f64; SIX]); 2];

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
/// The order of elimination and the pattern of the factor are kept while the pairs of bodies and the numbers of rows
/// between them stay. The numbers of a mechanism do not depend on other mechanisms of the problem, and every sum has a
/// fixed order. Results therefore have the same bits in every problem and every run.
#[derive(Debug, Default)]
pub struct Mechanism {
    pub(in crate::solver) refined: Refined,
    single: Columns<1>,
    pub(in crate::solver) six: Columns<SIX>,
    /// Scratch buffer of the mobility: the ports in the units of `z`.
    pub(in crate::solver) port_sides: Vec<PortSides>,
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

    /// Returns whether pivots show rows that follow from others. A row that moves nothing is not one of them.
    pub fn is_redundant(&self) -> bool {
        self.refined.is_redundant
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

    /// Changes velocities and multipliers so that `J v + S lambda` changes by `missing`, which has a number for each row of the problem.
    ///
    /// One solve without refinement: the change is off by 1e-10 of itself, which the next one can make up.
    ///
    /// # Errors
    ///
    /// Memory is exhausted.
    pub fn advance(&mut self, missing: &[f64], velocities: &mut [Velocity], lambda: &mut [f64]) -> Result<()> {
        let Self { refined, single, .. } = self;
        let own = &refined.rows;
        single.begin(own.bodies.len(), own.rows.len())?;
        for (row, defect) in own.rows.iter().zip(&mut single.defect) {
            *defect = [-row.length * missing.get(row.row.index()).copied().unwrap_or(0.0)];
        }
        refined.correct(single);
        let Columns { p, x, lambda: changes, .. } = &mut *single;
        own.push(changes, p, x);
        for ((number, body), root) in own.bodies.iter().enumerate().zip(own.roots()) {
            if let Some(velocity) = velocities.get_mut(body.index()) {
                add(velocity, root, single, number);
            }
        }
        for (row, [change]) in own.rows.iter().zip(&single.lambda) {
            if let Some(lambda) = lambda.get_mut(row.row.index()) {
                *lambda += row.length * change;
            }
        }
        Ok(())
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
