//! Of all forces that balance rigid contacts, those of least stress: the limit of ever stiffer contacts.
//!
//! Let the displacements `d` obey all laws. The balanced forces of least work are then those that are orthogonal to `w(d)`. An
//! open contact carries nothing, the force of a sliding one lies on its ray of the cone, and all other forces are free
//! in the cone. Over these the stress `sum f_n^2 / 2 k_n + |f_t|^2 / 2 k_t` has one minimum, another conic program.

use crate::error::{Result, copy, refill};
use crate::solver::conic::active::{Active, StartPoint, StopCriteria};
use crate::solver::conic::interior::Interior;
use crate::solver::conic::laws::PARTS;
use crate::solver::conic::multipliers::{Begin, Multipliers};
use crate::solver::conic::program::{Law, Piece, Program, ROWS};
use crate::solver::monitor::Monitor;

/// Velocities up to this, in the units of the program, are none [-].
const CLOSED: f64 = 1e-7;
/// Interior points end here.
const ENOUGH: f64 = 1e-13;
/// Forces this close to a bound are at it.
const AT_BOUND: f64 = 1e-12;
/// Forces are found if they obey all laws up to this.
const FOUND: f64 = 1e-10;
/// Newton's method after them, and the polish, see `increment`.
const STOP: StopCriteria = StopCriteria { steps: 20, enough: 1e-15, dilation: 1.0 };
const POLISHING: u32 = 60;
const RHO: f64 = 1e-6;
const ROUND_OFF: f64 = 1e-13;

/// The second program; keeps its workspace.
#[derive(Debug, Default)]
pub(super) struct LeastStress {
    pub(super) program: Program,
    interior: Interior,
    active: Active,
    pub(super) multipliers: Multipliers,
    /// The direction of each contact that slides, in place of its rows.
    rays: Vec<Option<[f64; ROWS]>>,
    /// The contacts that are open.
    open: Vec<bool>,
    /// Tangential over normal stiffness.
    pub(super) ratio: f64,
}

impl LeastStress {
    /// Sets the monitor that is called between the iterations.
    pub(super) fn set_monitor(&mut self, monitor: &Monitor) {
        self.interior.monitor.clone_from(monitor);
        self.active.monitor.clone_from(monitor);
        self.multipliers.monitor.clone_from(monitor);
    }

    /// Replaces the forces `lambda` of rigid contacts at the moves `x`. `ratio` is that of tangential to normal stiffness. Returns the steps.
    ///
    /// Where contacts that neither slide nor lift have forces at the bound of friction, balance may leave them no others.
    /// The forces that are left then have no interior, and are found only if these contacts keep their directions.
    pub(super) fn relax(&mut self, program: &Program, x: &[[f64; 6]], lambda: &mut [f64], ratio: f64) -> Result<u32> {
        self.ratio = ratio;
        let is_rigid = |piece: &Piece| matches!(piece.law, Law::Contact(_)) && program.compliance[piece.first] == 0.0;
        if !program.pieces.iter().any(is_rigid) {
            return Ok(0);
        }
        let mut steps = 0;
        for keeps_bounds in [false, true] {
            self.restrict(program, x, lambda, keeps_bounds)?;
            if self.minimise(&mut steps)? <= FOUND {
                break;
            }
        }
        let found = &self.multipliers.lambda;
        for (number, piece) in program.pieces.iter().enumerate() {
            for (at, row) in piece.range().enumerate() {
                lambda[row] = self.rays[number].map_or(found[row], |ray| found[piece.first] * ray[at]);
            }
        }
        Ok(steps)
    }

    /// Sets up the program of the forces that are left at the moves `x`. `keeps_bounds` also keeps forces at the bound of
    /// friction there.
    fn restrict(&mut self, program: &Program, x: &[[f64; 6]], lambda: &[f64], keeps_bounds: bool) -> Result<()> {
        self.program.take_over(program)?;
        refill(&mut self.rays, program.pieces.len(), None, "contacts")?;
        refill(&mut self.open, program.pieces.len(), false, "contacts")?;
        copy(&mut self.multipliers.lambda, lambda, "rows")?;
        for number in 0..program.pieces.len() {
            let piece = program.pieces[number];
            let w = program.velocity(&piece, x, lambda);
            let is_held = program.compliance[piece.first] > 0.0 || !matches!(piece.law, Law::Contact(_) | Law::Free);
            if is_held || piece.law == Law::Free && w[0].abs() > CLOSED {
                // A compliant contact has the one force that it has; bounded rows keep theirs.
                self.program.pieces[number].law = Law::Still;
                continue;
            }
            let Law::Contact(cone) = piece.law else {
                self.program.bias[piece.first] = 0.0;
                continue;
            };
            let sliding = Sliding::of(&w, &lambda[piece.range()], cone.bounds());
            if sliding.lift > CLOSED.max(sliding.force) {
                self.multipliers.lambda[piece.range()].fill(0.0);
                self.open[number] = true;
                self.program.pieces[number].law = Law::Still;
                continue;
            }
            for row in piece.range() {
                let stiffness = if row == piece.first { 1.0 } else { self.ratio };
                (self.program.compliance[row], self.program.bias[row]) = (1.0 / stiffness, 0.0);
            }
            self.rays[number] = sliding.ray(&w, &lambda[piece.range()], keeps_bounds);
        }
        for (number, ray) in self.rays.iter().enumerate() {
            if let Some(ray) = ray {
                self.program.narrow(number, ray);
            }
        }
        Ok(())
    }

    /// Gives the contacts of a program, all of them rigid, their relative compliance from touch; those that are open carry nothing.
    pub(super) fn soften(&self, program: &mut Program) {
        for (number, piece) in program.pieces.iter_mut().enumerate() {
            if !matches!(piece.law, Law::Contact(_)) {
                continue;
            }
            if self.open.get(number).is_some_and(|is_open| *is_open) {
                piece.law = Law::Still;
            }
            for row in piece.range() {
                let stiffness = if row == piece.first { 1.0 } else { self.ratio };
                (program.compliance[row], program.bias[row]) = (1.0 / stiffness, 0.0);
            }
        }
    }

    /// Finds the forces of least stress. Returns the error.
    fn minimise(&mut self, steps: &mut u32) -> Result<f64> {
        copy(&mut self.interior.lambda, &self.multipliers.lambda, "rows")?;
        *steps += self.interior.solve(&self.program, None, ENOUGH)?.steps;
        self.interior.project(&self.program);
        copy(&mut self.multipliers.x, &self.interior.x, "bodies")?;
        copy(&mut self.multipliers.lambda, &self.interior.lambda, "rows")?;
        let error = self.sharpen(steps)?;
        if error <= ROUND_OFF {
            return Ok(error);
        }
        let begin = Begin { rho: RHO, rounds: u32::MAX, steps: POLISHING, enough: ROUND_OFF };
        *steps += self.multipliers.solve(&self.program, &begin)?.steps;
        self.sharpen(steps)
    }

    /// Newton steps on the conditions of optimality. Returns the error.
    fn sharpen(&mut self, steps: &mut u32) -> Result<f64> {
        let Self { active, program, multipliers: Multipliers { x, lambda, .. }, .. } = self;
        let found = active.solve(program, None, &mut StartPoint { x, lambda, factor: 0.0 }, &STOP)?;
        *steps += found.steps;
        Ok(found.error)
    }
}

/// How a contact moves, and how far its forces are within their bounds.
struct Sliding {
    bounds: [f64; 3],
    /// How far friction, rolling and twisting move.
    lengths: [f64; 3],
    /// The same times the bounds, in sum: by how much sliding alone lifts the contact.
    slip: f64,
    /// By how much the contact lifts beyond that.
    lift: f64,
    /// The normal force.
    force: f64,
    /// How far the forces are below their bounds: those of the parts that move, and of all parts.
    margin: f64,
    margin_of_all: f64,
}

impl Sliding {
    fn of(w: &[f64; ROWS], force: &[f64], bounds: [f64; 3]) -> Self {
        let length = |rows: &[f64]| rows.iter().map(|entry| entry * entry).sum::<f64>().sqrt();
        let lengths = PARTS.map(|part| length(&w[part]));
        let slip: f64 = lengths.iter().zip(bounds).map(|(length, mu)| mu * length).sum();
        let (mut margin, mut margin_of_all) = (f64::INFINITY, f64::INFINITY);
        for ((part, moved), mu) in PARTS.into_iter().zip(lengths).zip(bounds).filter(|(_, mu)| *mu > 0.0) {
            let below = mu * force[0] - force.get(part).map_or(0.0, length);
            margin = if moved > CLOSED { margin.min(below) } else { margin };
            margin_of_all = margin_of_all.min(below);
        }
        Self { bounds, lengths, slip, lift: w[0] - slip, force: force[0], margin, margin_of_all }
    }

    /// Returns the force over its normal part, if it has one direction. Of motions and forces the larger one shows it more
    /// exactly. Parts that do not move carry nothing where the motion shows it.
    fn ray(&self, w: &[f64; ROWS], force: &[f64], keeps_bounds: bool) -> Option<[f64; ROWS]> {
        let slides = self.slip > CLOSED.max(self.margin);
        let is_at_bound = keeps_bounds && self.margin_of_all <= AT_BOUND;
        if !slides && !is_at_bound {
            return None;
        }
        if self.force > self.slip {
            return Some(std::array::from_fn(|row| force.get(row).map_or(0.0, |along| along / self.force)));
        }
        let part = [0, 0, 0, 1, 1, 2];
        Some(std::array::from_fn(|row| match row {
            0 => 1.0,
            _ if self.lengths[part[row]] > CLOSED => -self.bounds[part[row]] * w[row] / self.lengths[part[row]],
            _ => 0.0,
        }))
    }
}
