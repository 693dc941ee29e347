//! Coulomb's law of a static problem, followed from the associated answer.
//!
//! The dilation of sliding contacts decreases from `d = 1`, the associated law, to `d = 0`. At each `d` a semismooth Newton
//! method with an unsymmetric factor finds the displacements. The first attempt goes to 0 at once, and changes that fail
//! are halved. That needs compliant contacts. Where all are rigid, they get their relative stiffness of the program of least
//! stress, from touch on. The displacements are then those of the associated answer.
//!
//! Where supports, surfaces or motors move, contacts can slide further than loads press them in. All contacts are then soft
//! at first, and stiffen after the dilation is gone (`find_far`). `mixed` has that, and another path for contacts that resist
//! rolling.
//!
//! Where nearly all contacts slide, as in lattices of disks between walls, many steps lead nowhere. A search therefore ends where
//! what is missing no longer falls, or after a bounded amount of work. If all contacts are elastic, another one then begins from
//! rest, by pseudo-transient continuation: implicit Euler steps of bodies that move against a drag, each by Newton's method. The drag
//! falls, so that steps get longer, and at the end it is gone. `balance` owns forces and tangents.

use crate::error::{Result, copy, empty, refill};
use crate::solver::conic::program::{DOF, Law, Piece, Program};
use crate::solver::monitor::Monitor;
use crate::solver::statics::balance::{ALPHA, Balance};
use crate::solver::statics::mixed::{Mixed, SOFT, STIFF, is_any_soft, mean_compliance, soften, softens};
use crate::solver::statics::stress::LeastStress;

/// See [`Strategy::base`].
const BASE: f64 = 0.1;
/// The ways in which it is followed from the associated answer.
const STRATEGIES: [Strategy; 3] = [
    Strategy { memory: 5, forced: true, sums: true, base: BASE, stride: 1.0, stride_steps: 150, steps: 150 },
    Strategy { memory: 1, forced: false, sums: false, base: BASE, stride: STRIDE, stride_steps: 40, steps: 120 },
    Strategy { memory: 11, forced: true, sums: false, base: BASE, stride: STRIDE, stride_steps: 80, steps: 240 },
];
/// How a step against a drag is solved, and how many Newton steps all may take. In lattices of 200 and of 1540 disks they took 250 to
/// 1400.
const CREEP: Strategy =
    Strategy { memory: 1, forced: true, sums: false, base: 0.0, stride: 1.0, stride_steps: 20, steps: 1500 };
/// The drag at first, in units of the stiffness of contacts [-].
const DRAG: f64 = 0.1;
/// It is multiplied by these: where at most half of the Newton steps were needed, and where all did not suffice [-].
const LESS_DRAG: f64 = 0.4;
const MORE_DRAG: f64 = 4.0;
/// Where bodies still move at this drag, nothing stops them [-].
const MIN_DRAG: f64 = 1e-14;
/// The part of the residual before a step at which it ends [-].
const CREEP_TOLERANCE: f64 = 0.3;
/// The least part of the dilation that a stride takes away, and the least fraction of a step.
const STRIDE: f64 = 1.0 / 16.0;
const FRACTION: f64 = 1.0 / 1024.0;
/// A stride ends after this number of successive steps in which the residual does not fall to this part.
const MAX_STALLED: u32 = 40;
const PROGRESS: f64 = 0.5;
/// Most Newton steps of a search, times the number of contacts and rows.
const MAX_WORK: usize = 1_000_000;
/// The same from rest.
const MAX_CREEP_WORK: usize = 7_000_000;
/// Of a step taken whole: the least part by which a residual is to fall [-].
const DECREASE: f64 = 1e-4;
/// Moves that grow by this factor while the dilation halves have no end: strides then go on halving it [-].
const DIVERGENCE: f64 = 1.5;
/// Where strides end but the last, and where that ends; in units of the largest load. An excess of the load below the first
/// would move nothing while the dilation falls, so that its collapse would not be found.
const STRIDE_TOLERANCE: f64 = 1e-10;
const ENOUGH: f64 = 1e-12;
/// How often the forces of rows are updated at most.
const ROUNDS: u32 = 20;

/// When a Newton step is taken, and how many are.
#[derive(Debug, Clone, Copy)]
struct Strategy {
    /// A residual is to be below the largest of so many last ones.
    memory: usize,
    /// Whether the best fraction of a step is taken where none is.
    forced: bool,
    /// Whether the residual is the root of the sum of squares, and not the largest entry.
    sums: bool,
    /// The part of the stiffness of contacts that stick which is added to the tangent, over the residual [-].
    base: f64,
    /// The least part of the dilation that a stride takes away.
    stride: f64,
    /// Most Newton steps of a stride, and of all strides.
    stride_steps: u32,
    steps: u32,
}

/// The largest move, and its limit.
#[derive(Clone, Copy)]
pub(super) struct Reach<'a> {
    /// The largest move of a body [m].
    pub(super) of: &'a dyn Fn(&[[f64; DOF]]) -> f64,
    /// [m]
    pub(super) limit: f64,
    /// Whether supports, surfaces or motors prescribe moves.
    pub(super) is_driven: bool,
}

/// How a search for Coulomb's law ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// Forces and moves obey it.
    IterationResult,
    /// No answer was found.
    Lost,
    /// Moves grow beyond bounds as the dilation falls: contacts hold the load by dilation alone.
    Collapse,
}

/// Follows it; keeps its workspace.
#[derive(Debug, Default)]
pub(super) struct Coulomb {
    /// Newton steps.
    pub(super) steps: u32,
    balance: Balance,
    from: Vec<[f64; DOF]>,
    begin: Vec<[f64; DOF]>,
    /// At the dilation before.
    earlier: Vec<[f64; DOF]>,
    start: Vec<[f64; DOF]>,
    residuals: Vec<f64>,
    /// Newton steps after which the search ends.
    max_steps: u32,
    mixed: Mixed,
    monitor: Monitor,
}

impl Coulomb {
    /// Sets the monitor that is called between the Newton steps.
    pub(super) fn set_monitor(&mut self, monitor: &Monitor) {
        self.monitor.clone_from(monitor);
        self.mixed.set_monitor(monitor);
    }

    /// Finds moves `x` and forces `lambda` from those of the associated law. Where none are found these stand; of a collapse `x` are the moves
    /// as far as they were followed.
    pub(super) fn find(
        &mut self,
        program: &Program,
        stress: &LeastStress,
        reach: &Reach,
        (x, lambda): (&mut [[f64; DOF]], &mut [f64]),
    ) -> Result<End> {
        let max_steps = (MAX_WORK / program.pieces.len().max(1)) as u32;
        // Where another way follows, it gets half of the steps.
        (self.steps, self.max_steps) = (0, if reach.is_driven { max_steps / 2 } else { max_steps });
        let contacts = || program.pieces.iter().filter(|piece| matches!(piece.law, Law::Contact(_)));
        if contacts().next().is_none() {
            return Ok(End::IterationResult);
        }
        let has_moves = reach.is_driven || is_any_soft(program);
        let turns = |piece: &Piece| matches!(piece.law, Law::Contact(cone) if cone.resists_turning());
        if contacts().any(turns) {
            let is_found = self.mixed.find(program, stress, has_moves, (x, lambda))?;
            self.steps = self.mixed.steps;
            return Ok(if is_found { End::IterationResult } else { End::Lost });
        }
        let (is_near, mut end) = (is_any_soft(program) || !reach.is_driven, End::Lost);
        if is_near {
            end = self.find_near(program, stress, reach, (x, lambda))?;
        }
        if end == End::Lost && reach.is_driven {
            self.max_steps = max_steps;
            end = self.find_far(program, stress.ratio, (x, lambda))?;
        }
        if end == End::Lost && contacts().all(|piece| program.compliance[piece.first] > 0.0) {
            end = self.find_from_rest(program, reach, (x, lambda))?;
        }
        Ok(end)
    }

    /// The same from the associated answer itself, with the contacts as they are.
    fn find_near(
        &mut self,
        program: &Program,
        stress: &LeastStress,
        reach: &Reach,
        (x, lambda): (&mut [[f64; DOF]], &mut [f64]),
    ) -> Result<End> {
        let is_rigid = |piece: &Piece| matches!(piece.law, Law::Contact(_)) && program.compliance[piece.first] == 0.0;
        let has_moves = is_any_soft(program);
        let is_mixed = has_moves && program.pieces.iter().any(is_rigid);
        self.balance.program.take_over(program)?;
        if is_mixed {
            soften(&mut self.balance.program, program, STIFF * mean_compliance(program), stress.ratio);
        }
        copy(&mut self.balance.centers, lambda, "rows")?;
        if has_moves {
            copy(&mut self.start, x, "bodies")?;
        } else {
            stress.soften(&mut self.balance.program);
            copy(&mut self.start, &stress.multipliers.x, "bodies")?;
        }
        self.begin()?;
        // Of rigid contacts the unknowns are no moves of the bodies.
        let end = self.follow_any(has_moves.then_some(reach))?;
        if is_mixed && end == End::IterationResult {
            return self.stiffen(program, [STIFF * mean_compliance(program), stress.ratio], (x, lambda));
        }
        if end == End::IterationResult {
            lambda.copy_from_slice(&self.balance.lambda);
        }
        if has_moves && end != End::Lost {
            x.copy_from_slice(&self.balance.x);
        }
        Ok(end)
    }

    /// The same where moves are prescribed. By the associated law a body that slides far lifts far, so that stiff contacts would lose
    /// it as the dilation falls. Soft contacts do not: loads press them in as far as supports move.
    fn find_far(&mut self, program: &Program, ratio: f64, (x, lambda): (&mut [[f64; DOF]], &mut [f64])) -> Result<End> {
        for compliance in SOFT.into_iter().filter(|compliance| softens(program, *compliance)) {
            if self.steps >= self.max_steps {
                break;
            }
            self.mixed.begin_soft(program, [compliance, ratio], (x, lambda))?;
            self.steps += self.mixed.steps;
            self.balance.program.take_over(&self.mixed.program)?;
            copy(&mut self.start, &self.mixed.x, "bodies")?;
            copy(&mut self.balance.centers, &self.mixed.lambda, "rows")?;
            self.begin()?;
            if self.follow_any(None)? == End::IterationResult
                && self.stiffen(program, [compliance, ratio], (x, lambda))? == End::IterationResult
            {
                return Ok(End::IterationResult);
            }
        }
        Ok(End::Lost)
    }

    /// The same from rest, where all contacts are elastic.
    fn find_from_rest(
        &mut self,
        program: &Program,
        reach: &Reach,
        (x, lambda): (&mut [[f64; DOF]], &mut [f64]),
    ) -> Result<End> {
        self.balance.program.take_over(program)?;
        copy(&mut self.balance.centers, lambda, "rows")?;
        refill(&mut self.start, x.len(), [0.0; DOF], "bodies")?;
        self.begin()?;
        let end = self.creep(reach)?;
        if end == End::IterationResult {
            x.copy_from_slice(&self.balance.x);
            lambda.copy_from_slice(&self.balance.lambda);
        }
        Ok(end)
    }

    /// Goes from contacts with a compliance that was `added` to those of `program`.
    fn stiffen(
        &mut self,
        program: &Program,
        [added, ratio]: [f64; 2],
        (x, lambda): (&mut [[f64; DOF]], &mut [f64]),
    ) -> Result<End> {
        self.mixed.start(&self.balance.x, &self.balance.lambda)?;
        let is_found = self.mixed.stiffen_to_own(program, [added, ratio], (x, lambda))?;
        self.steps += self.mixed.steps;
        Ok(if is_found { End::IterationResult } else { End::Lost })
    }

    /// Prepares the workspace for the program, `start` and `centers`.
    fn begin(&mut self) -> Result<()> {
        for vector in [&mut self.from, &mut self.begin, &mut self.earlier] {
            refill(vector, self.start.len(), [0.0; DOF], "bodies")?;
        }
        self.balance.begin(&self.start)
    }

    /// By the first way that leads there.
    fn follow_any(&mut self, reach: Option<&Reach>) -> Result<End> {
        for strategy in &STRATEGIES {
            self.balance.x.copy_from_slice(&self.start);
            let end = self.follow(strategy, reach)?;
            if end != End::Lost {
                return Ok(end);
            }
        }
        Ok(End::Lost)
    }

    /// Implicit steps of a motion from rest against a drag, which falls where they are easy.
    fn creep(&mut self, reach: &Reach) -> Result<End> {
        let affordable = MAX_CREEP_WORK / self.balance.program.pieces.len().max(1);
        self.max_steps = self.steps + CREEP.steps.min(affordable as u32);
        self.balance.drag = DRAG;
        let mut is_found = false;
        // Where the matrix is singular no step is taken, so that attempts have a bound of their own.
        for _ in 0..CREEP.steps {
            self.balance.anchor.copy_from_slice(&self.balance.x);
            self.balance.measure(0.0);
            let is_beyond = (reach.of)(&self.balance.x) > reach.limit;
            let is_over = is_beyond || self.balance.drag < MIN_DRAG || self.steps >= self.max_steps;
            // At the anchor there is no drag.
            is_found = self.balance.is_within(ENOUGH);
            if is_found || is_over {
                break;
            }
            let before = self.steps;
            if self.settle(&CREEP, 0.0, (CREEP_TOLERANCE * self.balance.residual).max(0.5 * ENOUGH))? {
                let is_easy = self.steps - before <= CREEP.stride_steps / 2;
                self.balance.drag *= if is_easy { LESS_DRAG } else { 1.0 };
            } else {
                self.balance.x.copy_from_slice(&self.balance.anchor);
                self.balance.drag *= MORE_DRAG;
            }
        }
        self.balance.drag = 0.0;
        Ok(if is_found && self.hold(&STRATEGIES[0])? { End::IterationResult } else { End::Lost })
    }

    /// From the associated law to Coulomb's.
    fn follow(&mut self, strategy: &Strategy, reach: Option<&Reach>) -> Result<End> {
        let max_steps = self.max_steps.min(self.steps + strategy.steps);
        let size = |x: &[[f64; DOF]]| reach.map_or(0.0, |reach| (reach.of)(x));
        let (mut dilation, mut share, mut before) = (1.0_f64, 1.0, size(&self.balance.x));
        let mut is_divergence_certificate = false;
        // A stride may take no step at all, so that strides have a bound of their own.
        for _ in 0..strategy.steps {
            if share < strategy.stride || self.steps >= max_steps {
                break;
            }
            let target = (1.0 - share) * dilation;
            self.begin.copy_from_slice(&self.balance.x);
            if is_divergence_certificate && share == 0.5 {
                self.extrapolate();
            }
            if !self.settle(strategy, target, if target == 0.0 { ENOUGH } else { STRIDE_TOLERANCE })? {
                self.balance.x.copy_from_slice(&self.begin);
                share *= 0.5;
                continue;
            }
            if target == 0.0 {
                return Ok(if self.hold(strategy)? { End::IterationResult } else { End::Lost });
            }
            let now = size(&self.balance.x);
            if reach.is_some_and(|reach| now > reach.limit) {
                return Ok(End::Collapse);
            }
            is_divergence_certificate = share == 0.5 && now > DIVERGENCE * before;
            (dilation, before) = (target, now);
            std::mem::swap(&mut self.earlier, &mut self.begin);
            share = if is_divergence_certificate { share } else { 2.0 * share };
        }
        Ok(End::Lost)
    }

    /// Goes to where moves that are inverse to the dilation are when it is halved again.
    fn extrapolate(&mut self) {
        for (x, earlier) in self.balance.x.iter_mut().zip(&self.earlier) {
            *x = std::array::from_fn(|k| x[k] + 2.0 * (x[k] - earlier[k]));
        }
    }

    /// Repeats the last stride until the forces of rows stay. `false`: they do not.
    fn hold(&mut self, strategy: &Strategy) -> Result<bool> {
        let is_row = |piece: &Piece| matches!(piece.law, Law::Free | Law::Bounded { .. });
        for _ in 0..ROUNDS {
            let mut change = 0.0_f64;
            for piece in self.balance.program.pieces.iter().filter(|piece| is_row(piece)) {
                change = change.max((self.balance.lambda[piece.first] - self.balance.centers[piece.first]).abs());
                self.balance.centers[piece.first] = self.balance.lambda[piece.first];
            }
            if change * ALPHA <= ENOUGH {
                return Ok(true);
            }
            if !self.settle(strategy, 0.0, ENOUGH)? {
                return Ok(false);
            }
        }
        Ok(false)
    }

    /// Newton steps from `x`. `false`: they do not get there.
    fn settle(&mut self, strategy: &Strategy, dilation: f64, enough: f64) -> Result<bool> {
        self.balance.measure(dilation);
        empty(&mut self.residuals, strategy.stride_steps as usize + 1, "Newton steps")?;
        let (mut best, mut waited) = (f64::INFINITY, 0);
        for _ in 0..strategy.stride_steps {
            if self.balance.is_within(enough) {
                return Ok(true);
            }
            let now = self.size(strategy);
            (best, waited) = if now <= PROGRESS * best { (now, 0) } else { (best, waited + 1) };
            if waited > MAX_STALLED || self.steps >= self.max_steps {
                return Ok(false);
            }
            self.residuals.push(now);
            let base = strategy.base * self.balance.residual.min(1.0);
            if !self.balance.find_step(dilation, base)? || !self.advance(strategy, dilation) {
                return Ok(false);
            }
            self.steps += 1;
            self.monitor.iterated()?;
        }
        Ok(self.balance.is_within(enough))
    }

    /// The residual whose fall counts.
    fn size(&self, strategy: &Strategy) -> f64 {
        if strategy.sums {
            self.balance.rest.iter().flatten().map(|x| x * x).sum::<f64>().sqrt()
        } else {
            self.balance.residual
        }
    }

    /// Goes along the step as far as the residual falls, or the best of the way. `false`: there is none.
    fn advance(&mut self, strategy: &Strategy, dilation: f64) -> bool {
        self.from.copy_from_slice(&self.balance.x);
        let before = self.residuals.iter().rev().take(strategy.memory).copied().fold(0.0, f64::max);
        let (mut smallest, mut best, mut fraction) = (f64::INFINITY, 0.0, 1.0);
        while fraction >= FRACTION {
            self.move_along_step(dilation, fraction);
            let now = self.size(strategy);
            if now <= (1.0 - DECREASE * fraction) * before {
                return true;
            }
            if now < smallest {
                (smallest, best) = (now, fraction);
            }
            fraction *= 0.5;
        }
        if strategy.forced && best > 0.0 {
            self.move_along_step(dilation, best);
        }
        strategy.forced && best > 0.0
    }

    fn move_along_step(&mut self, dilation: f64, fraction: f64) {
        for ((x, from), step) in self.balance.x.iter_mut().zip(&self.from).zip(&self.balance.step) {
            *x = std::array::from_fn(|k| from[k] + fraction * step[k]);
        }
        self.balance.measure(dilation);
    }
}
