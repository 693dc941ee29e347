//! Of all forces that balance rigid contacts, those of least stress: the limit of ever stiffer contacts.
//!
//! Let the displacements `d` obey all laws. The balanced forces of least work are then those that are orthogonal to `w(d)`. An
//! open contact carries nothing, the force of a sliding one lies on its ray of the cone, and all other forces are free
//! in the cone. Over these the stress `sum f_n^2 / 2 k_n + |f_t|^2 / 2 k_t` has one minimum, another conic program.

use crate::error::{Result, copy, refill};
use crate::solver::conic::active::{Active, StartPoint, StopCriteria};
use crate::solver::conic::interior::Interior;
use crate::solver::conic::multipliers::{Begin, Multipliers};
use crate::solver::conic::program::{Law, Program, ROWS};

/// Velocities up to this, in the units of the program, are none [-].
const CLOSED: f64 = 1e-7;
/// Interior points end here.
const ENOUGH: f64 = 1e-10;
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
    /// Replaces the forces `lambda` of rigid contacts at the moves `x`. `ratio` is that of tangential to normal stiffness. Returns the steps.
    pub(super) fn relax(&mut self, program: &Program, x: &[[f64; 6]], lambda: &mut [f64], ratio: f64) -> Result<u32> {
        let is_rigid = |piece: &crate::solver::conic::program::Piece| {
            matches!(piece.law, Law::Contact(_)) && program.compliance[piece.first] == 0.0
        };
        self.ratio = ratio;
        if !program.pieces.iter().any(is_rigid) {
            return Ok(0);
        }
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
            let along = |part: std::ops::Range<usize>| w[part].iter().map(|w| w * w).sum::<f64>().sqrt();
            let lengths = [along(1..3), along(3..5), along(5..6)];
            let bounds = cone.bounds();
            let slip: f64 = lengths.iter().zip(bounds).map(|(length, mu)| mu * length).sum();
            if w[0] - slip > CLOSED {
                self.multipliers.lambda[piece.range()].fill(0.0);
                self.open[number] = true;
                self.program.pieces[number].law = Law::Still;
                continue;
            }
            for row in piece.range() {
                let stiffness = if row == piece.first { 1.0 } else { ratio };
                (self.program.compliance[row], self.program.bias[row]) = (1.0 / stiffness, 0.0);
            }
            if slip > CLOSED {
                self.rays[number] = Some(ray(&w, lengths, bounds));
            }
        }
        for (number, ray) in self.rays.iter().enumerate() {
            if let Some(ray) = ray {
                self.program.narrow(number, ray);
            }
        }
        let steps = self.minimise()?;
        let found = &self.multipliers.lambda;
        for (number, piece) in program.pieces.iter().enumerate() {
            for (at, row) in piece.range().enumerate() {
                lambda[row] = self.rays[number].map_or(found[row], |ray| found[piece.first] * ray[at]);
            }
        }
        Ok(steps)
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

    fn minimise(&mut self) -> Result<u32> {
        copy(&mut self.interior.lambda, &self.multipliers.lambda, "rows")?;
        let end = self.interior.solve(&self.program, None, ENOUGH)?;
        self.interior.project(&self.program);
        copy(&mut self.multipliers.x, &self.interior.x, "bodies")?;
        copy(&mut self.multipliers.lambda, &self.interior.lambda, "rows")?;
        let mut steps = end.steps;
        if self.sharpen(&mut steps)? > ROUND_OFF {
            let begin = Begin { rho: RHO, rounds: u32::MAX, steps: POLISHING, enough: ROUND_OFF };
            steps += self.multipliers.solve(&self.program, &begin)?.steps;
            self.sharpen(&mut steps)?;
        }
        Ok(steps)
    }

    /// Newton steps on the conditions of optimality. Returns the error.
    fn sharpen(&mut self, steps: &mut u32) -> Result<f64> {
        let Self { active, program, multipliers: Multipliers { x, lambda, .. }, .. } = self;
        let found = active.solve(program, None, &mut StartPoint { x, lambda, factor: 0.0 }, &STOP)?;
        *steps += found.steps;
        Ok(found.error)
    }
}

/// The impulses over the normal one of a contact whose parts move by `w`; those that do not move have no direction, and carry nothing here.
fn ray(w: &[f64; ROWS], lengths: [f64; 3], bounds: [f64; 3]) -> [f64; ROWS] {
    let part = [0, 0, 0, 1, 1, 2];
    std::array::from_fn(|row| match row {
        0 => 1.0,
        _ if lengths[part[row]] > CLOSED => -bounds[part[row]] * w[row] / lengths[part[row]],
        _ => 0.0,
    })
}
