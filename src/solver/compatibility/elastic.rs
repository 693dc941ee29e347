//! The elastic form: equilibrium under a law without potential, followed from the associated answer.
//!
//! Sliding that dilates less and less (`d` of the law) leads from the associated form, `d = 1`, to the elastic one,
//! `d = 0`. At each `d` a semismooth Newton method with an unsymmetric factor and backtracking finds the displacements;
//! the first stride goes the whole way, and strides that fail are halved.

use crate::error::{Result, resize};
use crate::solver::cholesky::Graph;
use crate::solver::compatibility::law::Law;
use crate::solver::compatibility::network::{NOBODY, Network, norm};
use crate::solver::compatibility::unsymmetric::Unsymmetric;

/// Most Newton steps of a stride.
const STEPS: u32 = 40;

/// Most Newton steps of all strides.
const ALL_STEPS: u32 = 400;

/// Least stride.
const STRIDE: f64 = 1.0 / 64.0;

/// Strides but the last end at this residual over the load [-].
const ON_THE_WAY: f64 = 1e-6;

/// Least fraction of a Newton step.
const FRACTION: f64 = 1.0 / 1024.0;

/// What is to be found.
#[derive(Debug, Clone, Copy)]
pub(super) struct Aim {
    /// `p`.
    pub(super) exponent: f64,
    /// Largest norm of what may be missing in the resultants.
    pub(super) enough: f64,
}

/// Displacements in equilibrium; keeps its workspace.
#[derive(Debug, Default)]
pub(super) struct Equilibrium<const N: usize, const R: usize> {
    /// How far each contact is pressed and sheared.
    pub(super) e: Vec<[f64; R]>,
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
    matrix: Unsymmetric<N>,
}

impl<const N: usize, const R: usize> Equilibrium<N, R> {
    /// Finds the elastic form from `z` of the associated one. `false`: it was not found.
    pub(super) fn find(&mut self, network: &Network<N, R>, graph: &Graph, aim: &Aim, z: &[[f64; N]]) -> Result<bool> {
        self.begin(network, z)?;
        let (mut dilation, mut stride) = (1.0_f64, 1.0);
        let mut laid_out = false;
        loop {
            let target = (dilation - stride).max(0.0);
            let law = Law { exponent: aim.exponent, dilation: target };
            let enough = if target == 0.0 { aim.enough } else { aim.enough.max(ON_THE_WAY * network.load_norm) };
            self.measure(network, &law);
            if self.residual > enough && !laid_out {
                self.matrix.lay_out(graph)?;
                laid_out = true;
            }
            self.stride_from.copy_from_slice(&self.z);
            if self.settle(network, &law, enough)? {
                if target == 0.0 {
                    return Ok(true);
                }
                dilation = target;
                stride *= 2.0;
            } else {
                self.z.copy_from_slice(&self.stride_from);
                stride *= 0.5;
            }
            if stride < STRIDE || self.steps >= ALL_STEPS {
                return Ok(false);
            }
        }
    }

    fn begin(&mut self, network: &Network<N, R>, z: &[[f64; N]]) -> Result<()> {
        self.steps = 0;
        for vector in [&mut self.z, &mut self.rest, &mut self.step, &mut self.stride_from, &mut self.step_from] {
            vector.clear();
            resize(vector, z.len(), [0.0; N], "bodies of an island")?;
        }
        self.z.copy_from_slice(z);
        self.e.clear();
        resize(&mut self.e, network.links.len(), [0.0; R], "contacts of an island")
    }

    /// What is missing in the resultants at `z`.
    fn measure(&mut self, network: &Network<N, R>, law: &Law) {
        network.press(&self.z, &mut self.e);
        network.rest(law, &self.e, &mut self.rest);
        self.residual = norm(&self.rest);
    }

    /// Newton steps from `z`, where the residual has been measured. `false`: they do not get there.
    fn settle(&mut self, network: &Network<N, R>, law: &Law, enough: f64) -> Result<bool> {
        for _ in 0..STEPS {
            if self.residual <= enough {
                return Ok(true);
            }
            let base = 1e-3 * (self.residual / network.load_norm).min(1.0);
            self.fill(network, law, base)?;
            self.step.copy_from_slice(&self.rest);
            if !self.matrix.solve(&mut self.step)? || !self.advance(network, law) {
                return Ok(false);
            }
            self.steps += 1;
        }
        Ok(self.residual <= enough)
    }

    /// `A^T (D + base k) A`.
    fn fill(&mut self, network: &Network<N, R>, law: &Law, base: f64) -> Result<()> {
        self.matrix.begin()?;
        for (e, link) in self.e.iter().zip(&network.links) {
            let mut tangent = law.tangent(&link.traits, e);
            for (k, row) in tangent.iter_mut().enumerate() {
                row[k] += if k == 0 || link.traits.slope > 0.0 { base * link.traits.stiffness } else { 0.0 };
            }
            for (a, rows_a) in link.bodies.iter().zip(&link.rows).filter(|(body, _)| **body != NOBODY) {
                for (b, rows_b) in link.bodies.iter().zip(&link.rows).filter(|(body, _)| **body != NOBODY) {
                    self.matrix.add((*a, rows_a), (*b, rows_b), &tangent);
                }
            }
        }
        Ok(())
    }

    /// Goes along minus the step as far as the residual falls. `false`: it does not.
    fn advance(&mut self, network: &Network<N, R>, law: &Law) -> bool {
        self.step_from.copy_from_slice(&self.z);
        let before = self.residual;
        let mut fraction = 1.0;
        while fraction >= FRACTION {
            for ((z, from), step) in self.z.iter_mut().zip(&self.step_from).zip(&self.step) {
                *z = std::array::from_fn(|k| from[k] - fraction * step[k]);
            }
            self.measure(network, law);
            if self.residual <= (1.0 - 1e-4 * fraction) * before {
                return true;
            }
            fraction *= 0.5;
        }
        false
    }
}
