//! How a problem is to be solved, and what a solve reports.

use crate::solver::problem::Friction;
use crate::solver::problem::order::{Layout, Order};
use crate::solver::problem::start::Start;

/// The method that solves an island.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Projected Gauss-Seidel.
    Pgs,
    /// The same, extrapolated from the last sweeps.
    Accelerated,
    /// Proximal point and semismooth Newton steps. Accelerated sweeps solve islands above the limit.
    Newton {
        /// The most contacts and rows of an island.
        limit: u32,
    },
    /// Accelerated projected gradients.
    Apgd,
    /// Interior points, then Newton steps, for the associated law. Accelerated sweeps solve islands with rows that bound others.
    Conic,
}

/// How to solve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// The method.
    pub method: Method,
    /// The order of the visits of a sweep.
    pub order: Order,
    /// Most sweeps, Newton steps or gradient steps; 0: the method's own number.
    pub iterations: u32,
    /// Stop when the largest residual is at most this [m/s]; 0: use all iterations.
    pub tolerance: f64,
    /// Factor on the change of every impulse in a sweep, above 0 and below 2.
    pub relaxation: f64,
    /// How the given impulses are used at the start.
    pub start: Start,
    /// The stick projection after the solve.
    pub projection: StickProjection,
    /// Whether rows without bounds, those of joints, are eliminated ([W] section 5). Contacts then act on the inertia of whole mechanisms.
    /// Otherwise these rows are swept like contacts.
    pub splits: bool,
}

/// The islands that the stick projection works on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StickProjection {
    /// None.
    Off,
    /// All, in at most this number of passes.
    Always(u32),
    /// Those for which it pays, in at most this number of passes.
    WhereItPays(u32),
}

/// Sweeps when no number is given.
const SWEEPS: u32 = 50;
/// Newton steps when no number is given. Most problems need less than 100. A solve ends when it can do no better.
const NEWTON_STEPS: u32 = 1000;
/// Gradient steps when no number is given.
const GRADIENT_STEPS: u32 = 500;

impl Options {
    /// Returns whether every island gets the same sweeps. All are then swept together: many small islands fill batches that none of them
    /// fills alone.
    pub(in crate::solver) fn has_uniform_sweeps(&self) -> bool {
        let plain = self.method == Method::Pgs && self.tolerance == 0.0 && self.order == Order::Colored;
        plain && !matches!(self.projection, StickProjection::Always(_))
    }

    /// Returns the options on which the lanes of contacts depend. They also depend on the pairs of bodies.
    pub(in crate::solver) fn layout(&self) -> Layout {
        Layout { order: self.order, together: self.has_uniform_sweeps(), splits: self.splits }
    }

    /// Returns whether a list of contacts by number is needed in addition to the contact buffer. Only plain sweeps in batches do without it.
    pub fn need_list(&self, friction: Friction) -> bool {
        !(self.has_uniform_sweeps() && friction != Friction::Box && self.start.factors().is_some())
    }

    /// Returns the most iterations of a method.
    pub(in crate::solver) fn iterations_of(&self, method: Method) -> u32 {
        match (self.iterations, method) {
            (0, Method::Newton { .. }) => NEWTON_STEPS,
            (0, Method::Apgd) => GRADIENT_STEPS,
            (0, Method::Conic) => NEWTON_STEPS,
            (0, Method::Pgs | Method::Accelerated) => SWEEPS,
            (given, _) => given,
        }
    }
}

/// A contact or a scalar row, by its index in the problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The number of a contact.
    Contact(usize),
    /// Of [`Problem::rows`](crate::solver::Problem::rows).
    Row(usize),
}

/// The result of a solve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    /// The most over the islands.
    pub iterations: u32,
    /// Islands solved.
    pub islands: u32,
    /// Islands that were too large for the chosen method, and were solved by sweeps.
    pub fallbacks: u32,
    /// Islands in which no motion obeys all laws, as far as the method can detect that.
    pub infeasible: u32,
    /// What the stick projection did.
    pub projection: Projected,
    /// How long the projection took [s].
    pub seconds_project: f64,
    /// Largest residual before the projection [m/s].
    pub solver_residual: f64,
    /// Largest residual over contacts and rows [m/s].
    pub residual_max: f64,
    /// Mean residual over contacts and rows [m/s].
    pub residual_mean: f64,
    /// Where the residual is largest.
    pub worst: Option<Place>,
}

/// What was done over the islands.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::solver) struct SolveTotals {
    pub(in crate::solver) islands: u32,
    pub(in crate::solver) iterations: u32,
    pub(in crate::solver) fallbacks: u32,
    pub(in crate::solver) infeasible: u32,
    pub(in crate::solver) projection: Projected,
    pub(in crate::solver) seconds_project: f64,
}

/// What the projection did, on one island or over several.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Projected {
    /// Passes, the most over the islands.
    pub passes: u32,
    /// Islands projected.
    pub islands: u32,
    /// Islands whose residual did not fall, which were left as the sweeps had them.
    pub rejected: u32,
    /// The largest residual before it over all islands [m/s].
    pub before: f64,
}

impl Projected {
    /// Returns the result over the islands of both.
    pub fn and(&self, other: &Self) -> Self {
        Self {
            passes: self.passes.max(other.passes),
            islands: self.islands + other.islands,
            rejected: self.rejected + other.rejected,
            before: self.before.max(other.before),
        }
    }
}

/// How many iterations were done, and what they left.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Sweeps or steps, depending on the method.
    pub iterations: u32,
    /// The largest residual of the impulses it ended with [m/s].
    pub residual: f64,
}
