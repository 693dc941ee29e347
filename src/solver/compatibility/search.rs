//! The unknowns of the search for the minimum, its workspace, and what it returns.

use crate::solver::compatibility::linear::Linear;
use crate::solver::compatibility::network::Network;
use crate::solver::operator::blocks::Blocks;

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
    /// Relative to the load.
    pub(super) residual: f64,
}

/// The search and its workspace.
#[derive(Debug)]
pub(super) struct Search<const N: usize, const R: usize> {
    pub(super) network: Network<N, R>,
    /// Displacements of the bodies.
    pub(super) z: Vec<[f64; N]>,
    /// How far each contact is pressed and sheared.
    pub(super) e: Vec<[f64; R]>,
    pub(super) rest: Vec<[f64; N]>,
    pub(super) step: Vec<[f64; N]>,
    pub(super) change: Vec<[f64; R]>,
    pub(super) blocks: Blocks<N>,
    pub(super) linear: Linear<N>,
    pub(super) inside: Vec<InteriorPoint>,
}

impl<const N: usize, const R: usize> Default for Search<N, R> {
    fn default() -> Self {
        Self {
            network: Network::default(),
            z: Vec::new(),
            e: Vec::new(),
            rest: Vec::new(),
            step: Vec::new(),
            change: Vec::new(),
            blocks: Blocks::default(),
            linear: Linear::default(),
            inside: Vec::new(),
        }
    }
}

/// The unknowns of each contact, and a step's numbers.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct InteriorPoint {
    pub(super) force: f64,
    pub(super) gap: f64,
    /// `(c' + s / f)^-1`
    pub(super) stiffness: f64,
    /// `e - c + mu / f`
    pub(super) ahead: f64,
    /// `mu / f - s`
    pub(super) closer: f64,
}
