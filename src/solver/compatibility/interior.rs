//! Computes the minimum for exponents below 2 by interior points.
//!
//! At a contact that closes, such a law has an infinite slope. Newton steps in the displacements then fail, because
//! these do not determine small forces well. The inverse, the compression `c(f) = (f / k)^(1/(p-1))`, is smooth. Forces
//! are therefore unknowns here. With the gaps `s`,
//!
//! ```text
//! A^T f = F,    c(f) = e + s,    f > 0,  s > 0,  f s = mu
//! ```
//!
//! is solved by Newton steps while `mu` decreases to zero. A step has the matrix `A^T (c' + s / f)^-1 A`. This is for
//! normal forces only.

use crate::error::{Result, refill};
use crate::math::elementary::square;
use crate::solver::compatibility::law::Law;
use crate::solver::compatibility::network::norm;
use crate::solver::compatibility::newton::{End, InteriorPoint, Search, SearchResult};
use crate::solver::operator::blocks::Graph;

/// The largest number of steps.
const STEPS: u32 = 100;

/// The largest sum of `f s` at the end, in units of the sum of `f c` [-].
const GAP: f64 = 1e-14;

/// Forces up to this count as zero, in units of the largest impulse [-].
const OPEN: f64 = 1e-12;

/// Relative accuracy of the solution of a step [-].
const ACCURACY: f64 = 1e-4;

/// A step goes at most this part of the distance to where a force or a gap vanishes [-].
const FRACTION_TO_BOUNDARY: f64 = 0.99;

impl<const N: usize, const R: usize> Search<N, R> {
    /// Computes the minimum from the present displacements. Returns `None` if it was not found.
    pub(super) fn minimise_inside(&mut self, law: &Law, graph: &Graph, enough: f64) -> Result<Option<SearchResult>> {
        let load = self.network.load_norm;
        self.enter(law)?;
        let mut reduction = 0.3;
        for steps in 0..=STEPS {
            self.network.compute_compression(&self.z, &mut self.e);
            let (mean, gap, mismatch) = self.measure(law);
            let residual = self.rest_inside();
            if !(residual + gap + mismatch).is_finite() {
                return Ok(None);
            }
            if residual <= enough && gap <= GAP && mismatch <= enough / load {
                return Ok(self.leave(law, enough).map(|residual| SearchResult {
                    end: End::Converged,
                    steps,
                    residual: residual / load,
                }));
            }
            self.assemble_step(law, reduction * mean, graph)?;
            if !self.linear.solve(graph, &mut self.blocks, &self.rest, &mut self.step, ACCURACY)? {
                return Ok(None);
            }
            let length = self.move_along_step();
            reduction = square(1.0 - length).clamp(0.02, 0.8);
            self.monitor.iterated()?;
        }
        Ok(None)
    }

    /// Sets forces and gaps inside their bounds, the farther the larger the residual of the displacements.
    fn enter(&mut self, law: &Law) -> Result<()> {
        refill(&mut self.inside, self.e.len(), InteriorPoint::default(), "contacts of an island")?;
        self.network.rest(law, &self.e, &self.pull, &mut self.rest);
        let away = (norm(&self.rest) / self.network.load_norm).sqrt().min(1.0);
        let mean = self.network.impulse_norm / (self.e.len() as f64).sqrt();
        for ((inside, e), link) in self.inside.iter_mut().zip(&self.e).zip(&self.network.links) {
            inside.force = law.force(&link.traits, e)[0].max(away * mean);
            inside.gap = (-e[0]).max(away);
        }
        Ok(())
    }

    /// Returns the mean of `f s`, its sum in units of that of `f c`, and the largest difference of `c(f)` and `e + s`.
    /// The difference is in units of the largest compression.
    fn measure(&self, law: &Law) -> (f64, f64, f64) {
        let (mut gap, mut energy, mut furthest, mut largest) = (0.0, 0.0, 0.0_f64, 0.0_f64);
        for ((inside, e), link) in self.inside.iter().zip(&self.e).zip(&self.network.links) {
            let compression = law.compression(&link.traits, inside.force);
            gap += inside.force * inside.gap;
            energy += inside.force * compression;
            furthest = furthest.max((compression - inside.gap - e[0]).abs());
            largest = largest.max(compression).max(e[0].abs());
        }
        (gap / self.inside.len() as f64, gap / energy, furthest / largest)
    }

    /// Writes `F - A^T f` to `rest`, less the forces of the held rows. Returns its norm.
    fn rest_inside(&mut self) -> f64 {
        self.rest.copy_from_slice(&self.network.load);
        for (inside, link) in self.inside.iter().zip(&self.network.links) {
            link.sides.add(&[-inside.force; R], &mut self.rest);
        }
        self.network.held.unload(&self.pull, &mut self.rest);
        norm(&self.rest)
    }

    /// Computes the matrix and, in `rest`, the right side of the step to `f s = mu`.
    fn assemble_step(&mut self, law: &Law, mu: f64, graph: &Graph) -> Result<()> {
        self.blocks.begin(graph, 0.0)?;
        for ((inside, e), link) in self.inside.iter_mut().zip(&self.e).zip(&self.network.links) {
            let compression = law.compression(&link.traits, inside.force);
            let slope = compression / (law.exponent - 1.0);
            inside.stiffness = inside.force / (slope + inside.gap);
            inside.ahead = e[0] - compression + mu / inside.force;
            inside.closer = mu / inside.force - inside.gap;
            link.sides.add(&[-inside.stiffness * inside.ahead; R], &mut self.rest);
            self.blocks.add(&link.sides, link.pair as usize, &[[inside.stiffness; R]; R]);
        }
        self.network.held.stiffen(&self.pull, &mut self.blocks);
        Ok(())
    }

    /// Moves along the step as far as forces and gaps stay above zero. Returns the part of the step.
    fn move_along_step(&mut self) -> f64 {
        self.network.compute_compression(&self.step, &mut self.change);
        self.pull.set_step(&self.network.held, &self.step);
        let mut longest = 1.0 / FRACTION_TO_BOUNDARY;
        for (inside, change) in self.inside.iter_mut().zip(&self.change) {
            // The displacements go against the step.
            let more = inside.stiffness * (inside.ahead - change[0]);
            let wider = inside.closer - inside.gap / inside.force * more;
            (inside.ahead, inside.closer) = (more, wider);
            for (value, change) in [(inside.force, more), (inside.gap, wider)] {
                if value + longest * change < 0.0 {
                    longest = -value / change;
                }
            }
        }
        let length = (FRACTION_TO_BOUNDARY * longest).min(1.0);
        self.pull.move_along_step(length);
        for inside in &mut self.inside {
            inside.force += length * inside.ahead;
            inside.gap += length * inside.closer;
        }
        for (z, step) in self.z.iter_mut().zip(&self.step) {
            *z = std::array::from_fn(|k| z[k] - length * step[k]);
        }
        length
    }

    /// Sets `e` to the compressions of the forces, which are more exact than those of the displacements. Returns the
    /// norm of the residual of the resultants, or `None` if it is no longer small enough.
    fn leave(&mut self, law: &Law, enough: f64) -> Option<f64> {
        for ((inside, e), link) in self.inside.iter().zip(&mut self.e).zip(&self.network.links) {
            let closed = inside.force > OPEN;
            e[0] = if closed { law.compression(&link.traits, inside.force) } else { -inside.gap };
        }
        self.network.rest(law, &self.e, &self.pull, &mut self.rest);
        Some(norm(&self.rest)).filter(|residual| *residual <= enough)
    }
}
