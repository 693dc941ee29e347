//! The elastic form: equilibrium under a law without potential. It is followed from the associated solution.
//!
//! A decreasing dilation of sliding (`d` of the law) leads from the associated form, `d = 1`, to the elastic one,
//! `d = 0`. At each `d` a semismooth Newton method with an unsymmetric factorisation and backtracking finds the
//! displacements. The first attempt changes `d` from 1 to 0 at once. A change that fails is halved. If that does not
//! converge, the second attempt uses steps that need not lower the residual at once. These steps pass kinks at which
//! the first attempt ends, and take longer. On random piles, nearly all loads that fail even then are loads under which
//! explicit soft contacts do not come to rest either.

use crate::error::{Result, copy, empty, refill};
use crate::solver::compatibility::held::{ROUNDS, SpringState};
use crate::solver::compatibility::law::Law;
use crate::solver::compatibility::network::{Network, norm};
use crate::solver::compatibility::newton::Search;
use crate::solver::compatibility::options::Elastic;
use crate::solver::monitor::Monitor;
use crate::solver::operator::blocks::Graph;
use crate::solver::operator::unsymmetric::Unsymmetric;

/// The two attempts.
const STRATEGIES: [Strategy; 2] = [
    Strategy { memory: 1, forced: false, stride_steps: 40, steps: 120 },
    Strategy { memory: 11, forced: true, stride_steps: 80, steps: 160 },
];

/// The smallest stride.
const STRIDE: f64 = 1.0 / 16.0;

/// All strides except the last end at this residual over the load [-].
const STRIDE_TOLERANCE: f64 = 1e-6;

/// This part of the linear network, times the residual over the load, is added to the tangent [-].
const BASE: f64 = 0.1;

/// The smallest fraction of a Newton step.
const FRACTION: f64 = 1.0 / 1024.0;

/// The least relative decrease of the residual in a whole step [-].
const DECREASE: f64 = 1e-4;

/// The criteria by which Newton steps are accepted, and their largest numbers.
#[derive(Debug, Clone, Copy)]
struct Strategy {
    /// A residual must be below the largest of this number of last ones.
    memory: usize,
    /// Whether the best fraction of a step is accepted if no fraction meets the criterion.
    forced: bool,
    /// The largest number of Newton steps of a stride.
    stride_steps: u32,
    /// The largest number of Newton steps of all strides.
    steps: u32,
}

/// Displacements in equilibrium, and the workspace.
#[derive(Debug, Default)]
pub(super) struct Equilibrium<const N: usize, const R: usize> {
    /// The compression and shear of each contact.
    pub(super) e: Vec<[f64; R]>,
    /// The extensions of the held rows.
    pub(super) pull: SpringState,
    /// The norm of the residual of the resultants.
    pub(super) residual: f64,
    /// The number of Newton steps.
    pub(super) steps: u32,
    z: Vec<[f64; N]>,
    rest: Vec<[f64; N]>,
    step: Vec<[f64; N]>,
    /// The displacements at the start of a stride. Below, those at the start of a step.
    stride_from: Vec<[f64; N]>,
    step_from: Vec<[f64; N]>,
    /// The residuals of a stride.
    residuals: Vec<f64>,
    matrix: Unsymmetric<N>,
    pub(super) monitor: Monitor,
}

impl<const N: usize, const R: usize> Equilibrium<N, R> {
    /// Computes the elastic form from the associated one, which `search` found. Returns `false` if it was not found.
    pub(super) fn find(&mut self, search: &Search<N, R>, graph: &Graph, elastic: &Elastic) -> Result<bool> {
        let Search { network, z, e, pull, .. } = search;
        self.steps = 0;
        for vector in [&mut self.z, &mut self.rest, &mut self.step, &mut self.stride_from, &mut self.step_from] {
            refill(vector, z.len(), [0.0; N], "bodies of an island")?;
        }
        // Without sliding these are the solution, to the last bit.
        copy(&mut self.e, e, "contacts of an island")?;
        self.pull.begin(&network.held)?;
        self.pull.take(pull);
        self.compute_unbalance(network, &Law { exponent: elastic.exponent, dilation: 0.0 });
        let enough = search.enough(elastic.tolerance);
        if self.residual <= enough {
            return Ok(true);
        }
        self.matrix.lay_out(graph)?;
        for strategy in STRATEGIES {
            self.z.copy_from_slice(z);
            self.pull.take(pull);
            if self.follow(network, &strategy, elastic.exponent, enough)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Follows the solution from the associated form to the elastic one. Returns `false` if it is not reached.
    fn follow(&mut self, network: &Network<N, R>, strategy: &Strategy, exponent: f64, goal: f64) -> Result<bool> {
        let max_steps = self.steps + strategy.steps;
        let (mut dilation, mut stride) = (1.0_f64, 1.0);
        while stride >= STRIDE && self.steps < max_steps {
            let target = (dilation - stride).max(0.0);
            let law = Law { exponent, dilation: target };
            let enough = if target == 0.0 { goal } else { goal.max(STRIDE_TOLERANCE * network.load_norm) };
            self.stride_from.copy_from_slice(&self.z);
            if self.settle(network, &law, strategy, enough)? {
                if target == 0.0 {
                    return self.hold(network, &law, strategy, enough);
                }
                dilation = target;
                stride *= 2.0;
            } else {
                self.z.copy_from_slice(&self.stride_from);
                self.pull.place(&network.held, &self.z);
                stride *= 0.5;
            }
        }
        Ok(false)
    }

    /// Repeats the last stride until the multipliers of the held rows agree. Returns `false` if they do not.
    fn hold(&mut self, network: &Network<N, R>, law: &Law, strategy: &Strategy, enough: f64) -> Result<bool> {
        for _ in 0..ROUNDS {
            if network.held.is_empty() || self.pull.agrees(&network.held) {
                return Ok(true);
            }
            if !self.settle(network, law, strategy, enough)? {
                return Ok(false);
            }
        }
        Ok(false)
    }

    /// Computes the residual of the resultants at `z`.
    fn measure(&mut self, network: &Network<N, R>, law: &Law) {
        network.compute_compression(&self.z, &mut self.e);
        self.compute_unbalance(network, law);
    }

    /// Computes the residual of the resultants at `e`.
    fn compute_unbalance(&mut self, network: &Network<N, R>, law: &Law) {
        network.rest(law, &self.e, &self.pull, &mut self.rest);
        self.residual = norm(&self.rest);
    }

    /// Makes Newton steps from `z`. Returns `false` if they do not converge.
    fn settle(&mut self, network: &Network<N, R>, law: &Law, strategy: &Strategy, enough: f64) -> Result<bool> {
        self.measure(network, law);
        empty(&mut self.residuals, strategy.stride_steps as usize + 1, "Newton steps")?;
        for _ in 0..strategy.stride_steps {
            if self.residual <= enough {
                return Ok(true);
            }
            self.residuals.push(self.residual);
            let base = BASE * (self.residual / network.load_norm).min(1.0);
            self.fill(network, law, base)?;
            self.step.copy_from_slice(&self.rest);
            if !self.matrix.solve(&mut self.step)? || !self.advance(network, law, strategy) {
                return Ok(false);
            }
            self.steps += 1;
            self.monitor.iterated()?;
        }
        Ok(self.residual <= enough)
    }

    /// Fills the matrix with `A^T (D + base k) A`.
    fn fill(&mut self, network: &Network<N, R>, law: &Law, base: f64) -> Result<()> {
        self.matrix.begin()?;
        for (e, link) in self.e.iter().zip(&network.links) {
            self.matrix.add(&link.sides, &link.tangent(law, e, base));
        }
        network.held.tangents(&self.pull, |sides, _, tangent| self.matrix.add(sides, tangent));
        Ok(())
    }

    /// Moves against the step, which is halved until the residual falls. Returns `false` if it does not fall.
    fn advance(&mut self, network: &Network<N, R>, law: &Law, strategy: &Strategy) -> bool {
        self.step_from.copy_from_slice(&self.z);
        self.pull.set_step(&network.held, &self.step);
        let before = self.residuals.iter().rev().take(strategy.memory).copied().fold(0.0, f64::max);
        let (mut smallest, mut best) = (f64::INFINITY, 0.0);
        let mut fraction = 1.0;
        while fraction >= FRACTION {
            self.move_along_step(network, law, fraction);
            if self.residual <= (1.0 - DECREASE * fraction) * before {
                return true;
            }
            if self.residual < smallest {
                (smallest, best) = (self.residual, fraction);
            }
            fraction *= 0.5;
        }
        if strategy.forced && best > 0.0 {
            self.move_along_step(network, law, best);
        }
        strategy.forced && best > 0.0
    }

    /// Sets the displacements to those at the start of the step, minus a fraction of the step.
    fn move_along_step(&mut self, network: &Network<N, R>, law: &Law, fraction: f64) {
        for ((z, from), step) in self.z.iter_mut().zip(&self.step_from).zip(&self.step) {
            *z = std::array::from_fn(|k| from[k] - fraction * step[k]);
        }
        self.pull.move_along_step(fraction);
        self.measure(network, law);
    }
}
