//! Coulomb's law where contacts resist turning, or some are compliant and others are not.
//!
//! Forces are unknowns in addition to the displacements, see `conic::active`. From the associated answer on, the dilation
//! decreases; changes that fail are halved. Rigid contacts first have the mean compliance of the others, then less, and at
//! the end none. Of the forces that balance, this selects nearly those of stiff contacts.

use crate::error::{Result, copy};
use crate::solver::conic::active::{Active, StartPoint, StopCriteria};
use crate::solver::conic::multipliers::{Begin, Multipliers};
use crate::solver::conic::program::{DOF, Law, Program};
use crate::solver::monitor::Monitor;
use crate::solver::statics::stress::LeastStress;

/// By how much the compliance of rigid contacts falls at once, where that works, down to which part, and by how much at least [-].
const STIFFENING: f64 = 0.1;
const MIN_COMPLIANCE: f64 = 1e-7;
const SLOW: f64 = 0.8;
/// The part that is small enough for `harden` [-].
pub(super) const STIFF: f64 = 1e-4;
/// Least stride.
const STRIDE: f64 = 1.0 / 64.0;
/// Most Newton steps of a stride.
const STEPS: u32 = 60;
/// How the associated law is solved for soft contacts.
const BEGIN: Begin = Begin { rho: 1e-6, rounds: u32::MAX, steps: 100, enough: 1e-10 };
/// Where strides end, but the last, in units of the program.
const STRIDE_TOLERANCE: f64 = 1e-7;
const ROUND_OFF: f64 = 1e-14;
/// Laws are obeyed up to this.
const LAW_TOLERANCE: f64 = 1e-11;

/// Follows the law; keeps its workspace.
#[derive(Debug, Default)]
pub(super) struct Mixed {
    /// Newton steps.
    pub(super) steps: u32,
    program: Program,
    active: Active,
    multipliers: Multipliers,
    x: Vec<[f64; DOF]>,
    lambda: Vec<f64>,
}

impl Mixed {
    /// Sets the monitor that is called between the iterations.
    pub(super) fn set_monitor(&mut self, monitor: &Monitor) {
        self.active.monitor.clone_from(monitor);
        self.multipliers.monitor.clone_from(monitor);
    }

    /// Finds moves `x` and forces `lambda` from those of the associated law, where contacts resist turning. `false`: none were found, and
    /// these stand. Where all contacts are rigid the moves stay, and the forces are those of soft contacts from touch.
    pub(super) fn find(
        &mut self,
        program: &Program,
        stress: &LeastStress,
        x: &mut [[f64; DOF]],
        lambda: &mut [f64],
    ) -> Result<bool> {
        self.steps = 0;
        self.program.take_over(program)?;
        let (mean, ratio) = (mean_compliance(program), stress.ratio);
        if mean > 0.0 {
            soften(&mut self.program, program, [mean, mean / ratio]);
            copy(&mut self.multipliers.x, x, "bodies")?;
        } else {
            stress.soften(&mut self.program);
            copy(&mut self.multipliers.x, &stress.multipliers.x, "bodies")?;
        }
        copy(&mut self.multipliers.lambda, lambda, "rows")?;
        let found = self.multipliers.solve(&self.program, &BEGIN)?;
        self.steps += found.steps;
        copy(&mut self.x, &self.multipliers.x, "bodies")?;
        copy(&mut self.lambda, &self.multipliers.lambda, "rows")?;
        if found.error > STRIDE_TOLERANCE || !self.follow()? {
            return Ok(false);
        }
        if mean > 0.0 {
            self.stiffen(program, 1.0, mean, ratio)?;
            return self.finish(program, x, lambda);
        }
        let is_found = self.settle(0.0, ROUND_OFF)? <= LAW_TOLERANCE;
        if is_found {
            lambda.copy_from_slice(&self.lambda);
        }
        Ok(is_found)
    }

    /// Takes over moves and forces of Coulomb's law where the rigid contacts have a small part of the compliance of the others.
    pub(super) fn start(&mut self, x: &[[f64; DOF]], lambda: &[f64]) -> Result<()> {
        copy(&mut self.x, x, "bodies")?;
        copy(&mut self.lambda, lambda, "rows")
    }

    /// The same as `find` from those of `start`.
    pub(super) fn stiffen_to_rigid(
        &mut self,
        program: &Program,
        ratio: f64,
        x: &mut [[f64; DOF]],
        lambda: &mut [f64],
    ) -> Result<bool> {
        self.steps = 0;
        self.program.take_over(program)?;
        self.stiffen(program, STIFF, mean_compliance(program), ratio)?;
        self.finish(program, x, lambda)
    }

    /// Takes away the compliance of rigid contacts, from a part of the mean one on, as far as that works.
    fn stiffen(&mut self, program: &Program, mut part: f64, mean: f64, ratio: f64) -> Result<()> {
        let mut factor = STIFFENING;
        while part > MIN_COMPLIANCE && factor < SLOW {
            soften(&mut self.program, program, [factor * part * mean, factor * part * mean / ratio]);
            if self.settle(0.0, STRIDE_TOLERANCE)? <= STRIDE_TOLERANCE {
                part *= factor;
            } else {
                factor = factor.sqrt();
            }
        }
        Ok(())
    }

    /// Newton steps with rigid contacts. `false`: they do not end in an answer.
    fn finish(&mut self, program: &Program, x: &mut [[f64; DOF]], lambda: &mut [f64]) -> Result<bool> {
        self.program.take_over(program)?;
        if self.settle(0.0, ROUND_OFF)? > LAW_TOLERANCE {
            return Ok(false);
        }
        x.copy_from_slice(&self.x);
        lambda.copy_from_slice(&self.lambda);
        Ok(true)
    }

    /// From the associated law to Coulomb's. `false`: it does not get there.
    fn follow(&mut self) -> Result<bool> {
        let (mut dilation, mut stride) = (1.0_f64, 1.0);
        while dilation > 0.0 && stride >= STRIDE {
            let target = (dilation - stride).max(0.0);
            let exists = self.settle(target, STRIDE_TOLERANCE)? <= STRIDE_TOLERANCE;
            if exists {
                dilation = target;
            }
            stride *= if exists { 2.0 } else { 0.5 };
        }
        Ok(dilation == 0.0)
    }

    /// Newton steps for a dilation. Returns their error; a start that they do not lead to `enough` from stays.
    fn settle(&mut self, dilation: f64, enough: f64) -> Result<f64> {
        let Self { active, program, x, lambda, .. } = self;
        let stop = StopCriteria { steps: STEPS, enough, dilation };
        let found = active.solve(program, None, &mut StartPoint { x, lambda, factor: 0.0 }, &stop)?;
        self.steps += found.steps;
        Ok(found.error)
    }
}

/// Gives the rows of contacts that are rigid in `program` a compliance in another: along normals, and across.
pub(super) fn soften(other: &mut Program, program: &Program, [normal, across]: [f64; 2]) {
    for piece in program.pieces.iter().filter(|piece| matches!(piece.law, Law::Contact(_))) {
        for row in piece.range().filter(|row| program.compliance[*row] == 0.0) {
            other.compliance[row] = if row == piece.first { normal } else { across };
        }
    }
}

/// The mean compliance of contacts that are compliant along their normals, 0 without any.
pub(super) fn mean_compliance(program: &Program) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0_f64);
    for piece in program.pieces.iter().filter(|piece| matches!(piece.law, Law::Contact(_))) {
        let compliance = program.compliance[piece.first];
        if compliance > 0.0 {
            (sum, count) = (sum + compliance, count + 1.0);
        }
    }
    if count > 0.0 { sum / count } else { 0.0 }
}
