//! The minimum of the potential: semismooth Newton steps with a line search.
//!
//! The matrix of a step is the stiffness of the closed contacts and a part of that of all contacts. At the start no
//! contact is closed, and the matrix is that of the linear network. Bodies that only open contacts hold do not make it
//! singular. The part decreases with the residual and when steps succeed. It increases when steps must be cut.
//! Otherwise a stiff contact that opens would stop soft ones permanently. The line search ends when the slope is a
//! tenth of its initial value.

use crate::error::{Result, refill};
use crate::math::elementary::power_of_two;
use crate::solver::compatibility::held::{ROUNDS, SpringState};
use crate::solver::compatibility::law::{Law, Traits};
use crate::solver::compatibility::linear::Linear;
use crate::solver::compatibility::network::{Network, norm};
use crate::solver::compatibility::rank::Rank;
use crate::solver::monitor::Monitor;
use crate::solver::operator::blocks::{Blocks, Graph, dot};

/// The largest number of Newton steps.
const STEPS: u32 = 200;

/// The lowest relative accuracy of the solution of a step [-].
const ACCURACY: f64 = 0.1;

/// A load counts as infeasible if forces would have to be this many times larger than the given ones [-].
const BEYOND: f64 = 1e4;

/// After this number of steps each step halves the part of the linear network. If no forces carry the load,
/// displacements then grow without bound, which can be detected.
const STEPS_BEFORE_HALVING: i32 = 50;

/// A step cut to less than this increases the part of the linear network, a longer one decreases it [-].
const CUT: f64 = 0.1;

/// Below this residual, compressions are updated by the steps and not computed from the displacements. The
/// displacements of soft contacts are so large that their round-off would matter to stiff contacts [-].
const NEAR: f64 = 1e-6;

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Converged,
    /// No forces have this resultant.
    Infeasible,
    Stalled,
}

/// The result of a search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SearchResult {
    pub(super) end: End,
    pub(super) steps: u32,
    /// The residual relative to the load.
    pub(super) residual: f64,
}

/// The search and its workspace.
#[derive(Debug, Default)]
pub(super) struct Search<const N: usize, const R: usize> {
    pub(super) network: Network<N, R>,
    /// Displacements of the bodies.
    pub(super) z: Vec<[f64; N]>,
    /// The compression and shear of each contact.
    pub(super) e: Vec<[f64; R]>,
    /// The extensions of the held rows.
    pub(super) pull: SpringState,
    pub(super) rest: Vec<[f64; N]>,
    pub(super) step: Vec<[f64; N]>,
    pub(super) change: Vec<[f64; R]>,
    pub(super) blocks: Blocks<N>,
    pub(super) linear: Linear<N>,
    pub(super) inside: Vec<InteriorPoint>,
    pub(super) rank: Rank<N>,
    /// Whether some of the held rows depend on others, so that their impulses are not unique.
    pub(super) has_dependent_rows: bool,
    pub(super) monitor: Monitor,
}

/// The unknowns of a contact, and the terms of a step.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct InteriorPoint {
    pub(super) force: f64,
    pub(super) gap: f64,
    /// `(c' + s / f)^-1`
    pub(super) stiffness: f64,
    /// `e - c + mu / f`, then the step of the force.
    pub(super) ahead: f64,
    /// `mu / f - s`, then the step of the gap.
    pub(super) closer: f64,
}

impl<const N: usize, const R: usize> Search<N, R> {
    /// Computes the displacements of least potential, from `z`, to `tolerance` of the load.
    pub(super) fn minimise(&mut self, law: &Law, graph: &Graph, tolerance: f64) -> Result<SearchResult> {
        self.reserve_memory()?;
        let enough = self.enough(tolerance);
        if !self.is_loaded() {
            self.clear();
            return Ok(SearchResult { end: End::Converged, steps: 0, residual: 0.0 });
        }
        let warm = self.begin(law);
        let found = self.hold(law, graph, enough)?;
        if found.end != End::Stalled || !warm {
            return Ok(found);
        }
        // If displacements are far larger than the compressions, these are only round-off.
        self.clear();
        self.pull.clear_multipliers();
        let again = self.hold(law, graph, enough)?;
        Ok(SearchResult { steps: found.steps + again.steps, ..again })
    }

    fn clear(&mut self) {
        self.z.fill([0.0; N]);
        self.e.fill([0.0; R]);
        self.pull.rest();
    }

    /// Searches until the multipliers of the held rows agree.
    fn hold(&mut self, law: &Law, graph: &Graph, enough: f64) -> Result<SearchResult> {
        let mut steps = 0;
        self.linear.direct = false;
        for _ in 0..ROUNDS {
            let found = self.search(law, graph, enough)?;
            steps += found.steps;
            if found.end != End::Converged || self.network.held.is_empty() || self.pull.agrees(&self.network.held) {
                return Ok(SearchResult { steps, ..found });
            }
        }
        Ok(SearchResult { end: End::Stalled, steps, residual: 1.0 })
    }

    /// Searches by interior points if they are better. Otherwise, or if these fail, it makes Newton steps, which detect
    /// infeasible loads.
    fn search(&mut self, law: &Law, graph: &Graph, enough: f64) -> Result<SearchResult> {
        if R == 1 && law.exponent < 2.0 {
            if let Some(found) = self.minimise_inside(law, graph, enough)? {
                return Ok(found);
            }
            self.linear.direct = false;
            self.clear();
        }
        self.descend(law, graph, enough)
    }

    /// Searches by Newton steps.
    fn descend(&mut self, law: &Law, graph: &Graph, enough: f64) -> Result<SearchResult> {
        let load = self.network.load_norm;
        let (mut steps, mut part) = (0, 1.0_f64);
        loop {
            self.network.rest(law, &self.e, &self.pull, &mut self.rest);
            let residual = norm(&self.rest);
            let found = |end| SearchResult { end, steps, residual: residual / load };
            if residual <= enough {
                return Ok(found(End::Converged));
            }
            let Self { network, z, rest, change, .. } = self;
            if steps > 0
                && (network.is_infeasible(rest, 1.0, change, enough) || network.is_infeasible(z, -1.0, change, enough))
            {
                return Ok(found(End::Infeasible));
            }
            let share = (residual / load).min(1.0);
            let base = share.min(part) * power_of_two(-(steps as i32 - STEPS_BEFORE_HALVING).clamp(0, 50));
            let accuracy = share.min(ACCURACY).max(0.1 * enough / residual);
            self.network.stiffness(law, &self.e, base, graph, &mut self.blocks)?;
            self.network.held.stiffen(&self.pull, &mut self.blocks);
            let solved = self.linear.solve(graph, &mut self.blocks, &self.rest, &mut self.step, accuracy)?;
            if solved && self.network.is_infeasible(&self.step, 1.0, &mut self.change, enough) {
                return Ok(found(End::Infeasible));
            }
            if steps == STEPS || !solved {
                return Ok(found(End::Stalled));
            }
            let Some(length) = self.advance(law, residual < NEAR * load) else { return Ok(found(End::Stalled)) };
            part = if length < CUT { (10.0 * part).min(1.0) } else { 0.1 * part };
            steps += 1;
            self.monitor.iterated()?;
        }
    }

    /// Returns whether the load is more than round-off.
    pub(super) fn is_loaded(&self) -> bool {
        self.network.unit > 0.0 && self.network.load_norm > self.network.floor
    }

    /// Returns the accuracy to which resultants must agree, in units of the network.
    pub(super) fn enough(&self, tolerance: f64) -> f64 {
        (tolerance * self.network.load_norm).max(self.network.floor)
    }

    fn reserve_memory(&mut self) -> Result<()> {
        let (bodies, contacts) = (self.network.load.len(), self.network.links.len());
        for vector in [&mut self.rest, &mut self.step] {
            refill(vector, bodies, [0.0; N], "bodies of an island")?;
        }
        for vector in [&mut self.e, &mut self.change] {
            refill(vector, contacts, [0.0; R], "contacts of an island")?;
        }
        self.pull.begin(&self.network.held)
    }

    /// Starts from the given displacements, or from zero if they are not better. Returns `false` if it starts from
    /// zero.
    fn begin(&mut self, law: &Law) -> bool {
        self.network.compute_compression(&self.z, &mut self.e);
        self.pull.place(&self.network.held, &self.z);
        self.network.rest(law, &self.e, &self.pull, &mut self.rest);
        // A residual that is not finite is not better either.
        let better = norm(&self.rest) < self.network.load_norm;
        if !better {
            self.clear();
        }
        better
    }

    /// Moves against the step as far as the potential falls. Returns the part of the step, or `None` if the potential
    /// does not fall.
    ///
    /// The slope along the step is `sum f(e + s A step) . A step - F . step`.
    fn advance(&mut self, law: &Law, near: bool) -> Option<f64> {
        self.network.compute_compression(&self.step, &mut self.change);
        self.change.iter_mut().flatten().for_each(|e| *e = -*e);
        self.pull.set_step(&self.network.held, &self.step);
        let work: f64 = -self.network.load.iter().zip(&self.step).map(|(load, step)| dot(load, step)).sum::<f64>();
        let length = self.length(law, work)?;
        self.pull.move_along_step(length);
        for (z, step) in self.z.iter_mut().zip(&self.step) {
            *z = std::array::from_fn(|k| z[k] - length * step[k]);
        }
        if near {
            for (e, change) in self.e.iter_mut().flatten().zip(self.change.iter().flatten()) {
                *e += length * change;
            }
        } else {
            self.network.compute_compression(&self.z, &mut self.e);
        }
        Some(length)
    }

    /// Returns the part of the step at which the slope has fallen enough.
    fn length(&self, law: &Law, work: f64) -> Option<f64> {
        let Self { network, e, change, pull, .. } = self;
        let slope = |step: f64| network.slope(law, e, change, work, step) + network.held.slope(pull, step);
        let start = slope(0.0);
        if start.is_nan() || start >= 0.0 {
            return None;
        }
        let enough = 0.1 * -start;
        let (mut low, mut at_low) = (0.0, start);
        let (mut high, mut at_high) = (1.0, slope(1.0));
        while at_high < -enough && high < 1e9 {
            (low, at_low) = (high, at_high);
            high *= 4.0;
            at_high = slope(high);
        }
        if at_high.is_nan() {
            return None;
        }
        // Below zero the descent has no end.
        if at_high <= enough {
            return Some(high);
        }
        for _ in 0..60 {
            let mut middle = low + (high - low) * at_low / (at_low - at_high);
            let margin = 0.05 * (high - low);
            middle = middle.max(low + margin).min(high - margin);
            let at_middle = slope(middle);
            if at_middle.is_nan() {
                return None;
            }
            if at_middle.abs() <= enough {
                return Some(middle);
            }
            if at_middle < 0.0 { (low, at_low) = (middle, at_middle) } else { (high, at_high) = (middle, at_middle) }
        }
        Some(low).filter(|low| *low > 0.0)
    }
}

impl<const N: usize, const R: usize> Network<N, R> {
    /// Returns whether no forces have these resultants, by Farkas' lemma. The test displacement is minus `z` times
    /// `sign`. The result is true if the work of the load on it exceeds two limits. One is the largest work of forces
    /// on the cones, unless they are far larger than the given ones. The other is the largest work of the residual that
    /// is permitted.
    fn is_infeasible(&self, z: &[[f64; N]], sign: f64, change: &mut [[f64; R]], enough: f64) -> bool {
        let work = sign * self.load.iter().zip(z).map(|(load, z)| dot(load, z)).sum::<f64>();
        if work <= 2.0 * enough * norm(z) {
            return false;
        }
        self.compute_compression(z, change);
        // Forces on a cone can do work only on the projection of `e`.
        let linear = Law { exponent: 2.0, dilation: 1.0 };
        let squares = self.links.iter().zip(change.iter()).map(|(link, e)| {
            let projected = linear.force(&Traits { stiffness: 1.0, ..link.traits }, &e.map(|e| -sign * e));
            dot(&projected, &projected)
        });
        BEYOND * (squares.sum::<f64>() + self.held.workable(z, sign)).sqrt() * self.impulse_norm <= work
    }
}
