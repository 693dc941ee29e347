//! Coulomb's law where contacts resist turning, some are compliant and others are not, or moves are prescribed.
//!
//! Forces are unknowns in addition to the displacements, see `conic::active`. From the associated answer on, the dilation
//! decreases; changes that fail are halved. Contacts that are stiff are softer at first. Then this compliance decreases, and at
//! the end there is none. Of the forces that balance, this selects nearly those of stiff contacts.

use crate::error::{Result, copy};
use crate::solver::conic::active::{Active, StartPoint, StopCriteria};
use crate::solver::conic::multipliers::{Begin, Multipliers};
use crate::solver::conic::program::{DOF, Law, Program};
use crate::solver::monitor::Monitor;
use crate::solver::statics::stress::LeastStress;

/// The compliances with which all contacts begin where moves are prescribed, in units of the program. By the first one a unit of
/// forces presses a contact in by a unit of moves. Each other is tried where the one before leads to no answer.
pub(super) const SOFT: [f64; 3] = [1.0, 0.1, 0.01];
/// Compliances that exceed those of all contacts by less than this factor lead to the answer of these, or to none, as they do [-].
const MUCH_SOFTER: f64 = 2.0;
/// The part of the mean compliance that rigid contacts have at first where others are compliant [-].
pub(super) const STIFF: f64 = 1e-4;
/// By how much an added compliance falls at first, at most, and at least; down to which part of the mean compliance [-].
const FIRST: f64 = 0.97;
const STIFFENING: f64 = 0.1;
const SLOW: f64 = 0.99;
const MIN_COMPLIANCE: f64 = 1e-7;
/// Errors with which a step counts as made, and at which it ends. Where forces are not unique, what is left decides which are found.
const STIFFENED: f64 = 1e-9;
const SHARP: f64 = 1e-13;
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
    pub(super) program: Program,
    active: Active,
    multipliers: Multipliers,
    pub(super) x: Vec<[f64; DOF]>,
    pub(super) lambda: Vec<f64>,
    /// From where a step starts, and from where the one before did.
    from: Point,
    earlier: Point,
}

/// Moves and forces.
#[derive(Debug, Default)]
struct Point {
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
    /// these stand. Unless `has_moves` the moves stay, and the forces are those of soft contacts from touch.
    pub(super) fn find(
        &mut self,
        program: &Program,
        stress: &LeastStress,
        has_moves: bool,
        (x, lambda): (&mut [[f64; DOF]], &mut [f64]),
    ) -> Result<bool> {
        let error = if has_moves {
            self.begin_soft(program, [SOFT[0], stress.ratio], (x, lambda))?
        } else {
            self.program.take_over(program)?;
            stress.soften(&mut self.program);
            self.associate(&stress.multipliers.x, lambda)?
        };
        if error > STRIDE_TOLERANCE || !self.follow()? {
            return Ok(false);
        }
        if has_moves {
            self.stiffen(program, SOFT[0], stress.ratio)?;
            return self.finish(program, x, lambda);
        }
        let is_found = self.settle(0.0, ROUND_OFF)? <= LAW_TOLERANCE;
        if is_found {
            lambda.copy_from_slice(&self.lambda);
        }
        Ok(is_found)
    }

    /// The associated answer with soft contacts, from that of the program. Returns its error.
    pub(super) fn begin_soft(
        &mut self,
        program: &Program,
        [compliance, ratio]: [f64; 2],
        (x, lambda): (&[[f64; DOF]], &[f64]),
    ) -> Result<f64> {
        self.program.take_over(program)?;
        soften(&mut self.program, program, compliance, ratio);
        self.associate(x, lambda)
    }

    fn associate(&mut self, x: &[[f64; DOF]], lambda: &[f64]) -> Result<f64> {
        self.start(x, lambda)?;
        copy(&mut self.multipliers.x, x, "bodies")?;
        copy(&mut self.multipliers.lambda, lambda, "rows")?;
        let found = self.multipliers.solve(&self.program, &BEGIN)?;
        self.steps = found.steps;
        self.x.copy_from_slice(&self.multipliers.x);
        self.lambda.copy_from_slice(&self.multipliers.lambda);
        Ok(found.error)
    }

    /// Takes over moves and forces of Coulomb's law with contacts that have been softened.
    pub(super) fn start(&mut self, x: &[[f64; DOF]], lambda: &[f64]) -> Result<()> {
        copy(&mut self.x, x, "bodies")?;
        copy(&mut self.lambda, lambda, "rows")
    }

    /// The same as `find` from those of `start`, where contacts are softer by `added`.
    pub(super) fn stiffen_to_own(
        &mut self,
        program: &Program,
        [added, ratio]: [f64; 2],
        (x, lambda): (&mut [[f64; DOF]], &mut [f64]),
    ) -> Result<bool> {
        self.steps = 0;
        self.program.take_over(program)?;
        self.stiffen(program, added, ratio)?;
        self.finish(program, x, lambda)
    }

    /// Takes away the compliance that contacts have in addition to their own, from `added` on, as far as that works.
    ///
    /// Where no contact begins or ends to slide, moves and forces change in proportion to it. Each step therefore starts from an
    /// extrapolation of the last two. The first step is small, so that it needs none.
    fn stiffen(&mut self, program: &Program, mut added: f64, ratio: f64) -> Result<()> {
        let (mut factor, mut before) = (FIRST, added);
        let least = MIN_COMPLIANCE * mean_compliance(program);
        while added > least && factor < SLOW {
            let next = factor * added;
            soften(&mut self.program, program, next, ratio);
            copy(&mut self.from.x, &self.x, "bodies")?;
            copy(&mut self.from.lambda, &self.lambda, "rows")?;
            if before > added {
                self.extrapolate((added - next) / (before - added));
            }
            if self.settle(0.0, SHARP)? <= STIFFENED {
                std::mem::swap(&mut self.earlier, &mut self.from);
                (before, added) = (added, next);
                factor = (factor * factor).max(STIFFENING);
            } else {
                self.x.copy_from_slice(&self.from.x);
                self.lambda.copy_from_slice(&self.from.lambda);
                factor = factor.sqrt();
            }
        }
        if added <= least {
            self.extrapolate(added / (before - added));
        }
        Ok(())
    }

    /// Adds a part of the last change of moves and forces.
    fn extrapolate(&mut self, part: f64) {
        let Self { x, lambda, earlier, .. } = self;
        let pairs = x.as_flattened_mut().iter_mut().zip(earlier.x.as_flattened());
        pairs.chain(lambda.iter_mut().zip(&earlier.lambda)).for_each(|(now, earlier)| *now += part * (*now - earlier));
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

/// Gives contacts that are stiffer in `program` a compliance along normals in another, and in proportion across. `ratio` is
/// that of tangential to normal stiffness of rigid contacts.
pub(super) fn soften(other: &mut Program, program: &Program, compliance: f64, ratio: f64) {
    for piece in program.pieces.iter().filter(|piece| matches!(piece.law, Law::Contact(_))) {
        let own = program.compliance[piece.first];
        for row in piece.range() {
            let rigid = if row == piece.first { compliance } else { compliance / ratio };
            let factor = (compliance / own).max(1.0);
            other.compliance[row] = if own > 0.0 { factor * program.compliance[row] } else { rigid };
        }
    }
}

/// Whether a compliance along normals makes a contact of a program much softer.
pub(super) fn softens(program: &Program, compliance: f64) -> bool {
    let contacts = program.pieces.iter().filter(|piece| matches!(piece.law, Law::Contact(_)));
    contacts.map(|piece| program.compliance[piece.first]).any(|own| MUCH_SOFTER * own < compliance)
}

/// Whether a contact is compliant along its normal.
pub(super) fn is_any_soft(program: &Program) -> bool {
    program.pieces.iter().any(|piece| matches!(piece.law, Law::Contact(_)) && program.compliance[piece.first] > 0.0)
}

/// The mean compliance of contacts that are compliant along their normals, 1 without any.
pub(super) fn mean_compliance(program: &Program) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0_f64);
    for piece in program.pieces.iter().filter(|piece| matches!(piece.law, Law::Contact(_))) {
        let compliance = program.compliance[piece.first];
        if compliance > 0.0 {
            (sum, count) = (sum + compliance, count + 1.0);
        }
    }
    if count > 0.0 { sum / count } else { 1.0 }
}
