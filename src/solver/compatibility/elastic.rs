//! The elastic form: equilibrium under a law without potential, followed from the associated answer.
//!
//! Sliding that dilates less and less (`d` of the law) leads from the associated form, `d = 1`, to the elastic one,
//! `d = 0`. At each `d` a semismooth Newton method with an unsymmetric factor and backtracking finds the displacements.
//! The first attempt changes `d` from 1 to 0 at once, and changes that fail are halved. Where that does not converge, it
//! is repeated with steps that need not lower the residual at once. These steps get over kinks at which the first attempt
//! ends, and take longer. On random piles, nearly all loads that fail even then are loads under which explicit soft contacts do
//! not come to rest either.

use crate::error::{Result, copy, empty, refill};
use crate::solver::compatibility::held::{ROUNDS, SpringState};
use crate::solver::compatibility::law::Law;
use crate::solver::compatibility::network::{Network, norm};
use crate::solver::compatibility::newton::Search;
use crate::solver::compatibility::options::Elastic;
use crate::solver::monitor::Monitor;
use crate::solver::operator::blocks::Graph;
use crate::solver::operator::unsymmetric::Unsymmetric;

/// The two ways in which it is tried.
const STRATEGIES: [Strategy; 2] = [
    Strategy { memory: 1, forced: false, stride_steps: 40, steps: 120 },
    Strategy { memory: 11, forced: true, stride_steps: 80, steps: 160 },
];

/// Least stride.
const STRIDE: f64 = 1.0 / 16.0;

/// Strides but the last end at this residual over the load [-].
const STRIDE_TOLERANCE: f64 = 1e-6;

/// Of the linear network, times the residual over the load: added to the tangent [-].
const BASE: f64 = 0.1;

/// Least fraction of a Newton step.
const FRACTION: f64 = 1.0 / 1024.0;

/// Of a step taken whole: the least part by which a residual is to fall [-].
const DECREASE: f64 = 1e-4;

/// When a Newton step is taken, and how many are.
#[derive(Debug, Clone, Copy)]
struct Strategy {
    /// A residual is to be below the largest of so many last ones.
    memory: usize,
    /// Whether the best fraction of a step is taken where none is.
    forced: bool,
    /// Most Newton steps of a stride.
    stride_steps: u32,
    /// Most Newton steps of all strides.
    steps: u32,
}

/// Displacements in equilibrium; keeps its workspace.
#[derive(Debug, Default)]
pub(super) struct Equilibrium<const N: usize, const R: usize> {
    /// How far each contact is pressed and sheared.
    pub(super) e: Vec<[f64; R]>,
    /// How far the rows held are pulled.
    pub(super) pull: SpringState,
    /// Norm of what is missing in the resultants.
    pub(super) residual: f64,
    /// Newton steps.
    pub(super) steps: u32,
    z: Vec<[f64; N]>,
    rest: Vec<[f64; N]>,
    step: Vec<[f64; N]>,
    /// Where a stride or a step began.
    stride_from: Vec<[f64; N]>,
    step_from: Vec<[f64; N]>,
    /// The residuals of a stride.
    residuals: Vec<f64>,
    matrix: Unsymmetric<N>,
    pub(super) monitor: Monitor,
}

impl<const N: usize, const R: usize> Equilibrium<N, R> {
    /// Finds the elastic form from the associated one, which `search` found. `false`: it was not found.
    pub(super) fn find(&mut self, search: &Search<N, R>, graph: &Graph, elastic: &Elastic) -> Result<bool> {
        let Search { network, z, e, pull, .. } = search;
        self.steps = 0;
        for vector in [&mut self.z, &mut self.rest, &mut self.step, &mut self.stride_from, &mut self.step_from] {
            refill(vector, z.len(), [0.0; N], "bodies of an island")?;
        }
        // where nothing slides these are the answer, to the last bit
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

    /// From the associated form to the elastic one.
    fn follow(&mut self, network: &Network<N, R>, strategy: &Strategy, exponent: f64, goal: f64) -> Result<bool> {
        let most = self.steps + strategy.steps;
        let (mut dilation, mut stride) = (1.0_f64, 1.0);
        while stride >= STRIDE && self.steps < most {
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

    /// Repeats the last stride until the multipliers of the rows held agree. `false`: they do not.
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

    /// What is missing in the resultants at `z`.
    fn measure(&mut self, network: &Network<N, R>, law: &Law) {
        network.compute_compression(&self.z, &mut self.e);
        self.compute_unbalance(network, law);
    }

    /// What is missing in the resultants at `e`.
    fn compute_unbalance(&mut self, network: &Network<N, R>, law: &Law) {
        network.rest(law, &self.e, &self.pull, &mut self.rest);
        self.residual = norm(&self.rest);
    }

    /// Newton steps from `z`. `false`: they do not get there.
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

    /// `A^T (D + base k) A`.
    fn fill(&mut self, network: &Network<N, R>, law: &Law, base: f64) -> Result<()> {
        self.matrix.begin()?;
        for (e, link) in self.e.iter().zip(&network.links) {
            self.matrix.add(&link.sides, &link.tangent(law, e, base));
        }
        network.held.tangents(&self.pull, |sides, _, tangent| self.matrix.add(sides, tangent));
        Ok(())
    }

    /// Goes along minus the step as far as the residual falls. `false`: it does not.
    fn advance(&mut self, network: &Network<N, R>, law: &Law, strategy: &Strategy) -> bool {
        self.step_from.copy_from_slice(&self.z);
        self.pull.set_step(&network.held, &self.step);
        let before = self.residuals.iter().rev().take(strategy.memory).copied().fold(0.0, f64::max);
        let (mut least, mut best) = (f64::INFINITY, 0.0);
        let mut fraction = 1.0;
        while fraction >= FRACTION {
            self.move_along_step(network, law, fraction);
            if self.residual <= (1.0 - DECREASE * fraction) * before {
                return true;
            }
            if self.residual < least {
                (least, best) = (self.residual, fraction);
            }
            fraction *= 0.5;
        }
        if strategy.forced && best > 0.0 {
            self.move_along_step(network, law, best);
        }
        strategy.forced && best > 0.0
    }

    /// To where a step began, minus a fraction of it.
    fn move_along_step(&mut self, network: &Network<N, R>, law: &Law, fraction: f64) {
        for ((z, from), step) in self.z.iter_mut().zip(&self.step_from).zip(&self.step) {
            *z = std::array::from_fn(|k| from[k] - fraction * step[k]);
        }
        self.pull.move_along_step(fraction);
        self.measure(network, law);
    }
}
