//! One block of rows of the reduced problem, prepared and solved by itself.
//!
//! A contact is solved part by part: normal and friction together, exactly; then rolling, then twisting, each bounded
//! by the new normal impulse. The parts of a contact see each other through its velocity, as blocks do.

use crate::math::length_of;
use crate::solver::gauss_seidel::disc::{self, Axes, Disc, LOCKED, STIFF};
use crate::solver::gauss_seidel::{local, rule};
use crate::solver::operator::reduced::{Block, Law, Reduced, parts, write_parts};
use crate::solver::problem::cone::{Cone, Parts};

/// The most rows that a block has.
pub(in crate::solver) const ROWS: usize = 6;

/// A block prepared for the sweep.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) enum LocalBlock {
    /// No impulse changes anything, or nothing sensible: the block stays at zero.
    Inert,
    /// Normal and friction.
    Contact(Translation),
    /// The same with rolling and twisting, which are at this index of their own list: they are large, and few.
    Turning(Translation, usize),
    /// One row, and its diagonal.
    Single(f64),
}

/// Normal and friction, in the axes of the local solve.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct Translation {
    axes: Axes,
    block: local::Block,
    local: local::Local<f64>,
    friction: f64,
    dilation: f64,
}

/// Projections of a contact that resists turning in one visit, by the associated law.
const PROJECTIONS: u32 = 4;

/// Rolling and twisting, and how the parts of the contact see each other.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct Turning {
    cone: Cone,
    /// How many rows the contact has.
    dimension: usize,
    rolling: Option<Disc>,
    /// The diagonal of the twisting row; 0 where there is none.
    twisting: f64,
    /// Rolling and twisting rows of the diagonal block, all columns.
    rows: [[f64; ROWS]; 3],
}

impl LocalBlock {
    /// Prepares a block of the problem; rolling and twisting go to `turnings`, which has memory reserved.
    pub(in crate::solver) fn new(problem: &Reduced, block: &Block, turnings: &mut Vec<Turning>) -> Self {
        if !(block.scale > 0.0 && block.scale.is_finite()) {
            return Self::Inert;
        }
        let entry = |i: usize, j: usize| problem.matrix.entry(block.first + i, block.first + j);
        match block.law {
            Law::Bounded { .. } => {
                let diagonal = entry(0, 0);
                if diagonal > 0.0 && diagonal.is_finite() { Self::Single(diagonal) } else { Self::Inert }
            }
            Law::Contact { cone, dimension } => match Translation::new(&cone, entry) {
                None => Self::Inert,
                Some(translation) if dimension < 5 => Self::Contact(translation),
                Some(translation) => {
                    turnings.push(Turning::new(cone, dimension, entry));
                    Self::Turning(translation, turnings.len() - 1)
                }
            },
        }
    }
}

impl Translation {
    fn new(cone: &Cone, entry: impl Fn(usize, usize) -> f64) -> Option<Self> {
        let (d_nn, c_x, c_y) = (entry(0, 0), entry(0, 1), entry(0, 2));
        let whole = d_nn + entry(1, 1) + entry(2, 2);
        // Where the normal is locked no impulse is given, and the residual shows what that leaves.
        if !(d_nn > LOCKED * whole && whole.is_finite()) {
            return None;
        }
        let (axes, reduced) = Axes::diagonal(
            entry(1, 1) - c_x * c_x / d_nn,
            entry(1, 2) - c_x * c_y / d_nn,
            entry(2, 2) - c_y * c_y / d_nn,
        );
        let tangential = reduced.map(|value| if value > LOCKED * whole { value } else { STIFF * whole });
        let block = local::Block { normal: d_nn, coupling: axes.to([c_x, c_y]), tangential };
        Some(Self { axes, block, local: block.prepared(), friction: cone.friction, dilation: cone.dilation })
    }

    /// The impulse, where `w` is the velocity with the impulse `old`; with a `relaxation` part of the way to it or beyond
    /// it, back on the cone.
    #[inline(always)]
    pub(in crate::solver) fn solve(&self, w: [f64; 3], old: [f64; 3], relaxation: f64) -> [f64; 3] {
        let ([w_1, w_2], [old_1, old_2]) = (self.axes.to([w[1], w[2]]), self.axes.to([old[1], old[2]]));
        let Self { local, dilation, friction, .. } = self;
        let next = rule::solve(local, *dilation, [w[0], w_1, w_2], [old[0], old_1, old_2], *friction);
        let [t1, t2] = self.axes.from([next[1], next[2]]);
        let exact = [next[0], t1, t2];
        if relaxation == 1.0 {
            return exact;
        }
        let step = |k: usize| old[k] + relaxation * (exact[k] - old[k]);
        let normal = step(0).max(0.0);
        let [t1, t2] = disc::clamped([step(1), step(2)], self.friction * normal);
        [normal, t1, t2]
    }

    /// The magnitude of the velocity that an impulse makes.
    #[inline(always)]
    pub(in crate::solver) fn velocity_of(&self, impulse: [f64; 3]) -> f64 {
        let [t1, t2] = self.axes.to([impulse[1], impulse[2]]);
        let [n, t1, t2] = self.block.times(&[impulse[0], t1, t2]);
        (n * n + t1 * t1 + t2 * t2).sqrt()
    }
}

impl Turning {
    fn new(cone: Cone, dimension: usize, entry: impl Fn(usize, usize) -> f64) -> Self {
        let mut rows = [[0.0; ROWS]; 3];
        for (i, row) in rows.iter_mut().enumerate().take(dimension - 3) {
            for (j, value) in row.iter_mut().enumerate().take(dimension) {
                *value = entry(3 + i, j);
            }
        }
        let twisting = rows[2][5];
        Self {
            cone,
            dimension,
            rolling: Disc::new(rows[0][3], rows[0][4], rows[1][4]),
            twisting: if twisting > 0.0 && twisting.is_finite() { twisting } else { 0.0 },
            rows,
        }
    }

    /// Whether the contact is solved by [`Turning::solve_jointly`].
    pub(in crate::solver) fn dilates(&self) -> bool {
        self.cone.dilation > 0.0
    }

    /// All impulses by the associated law, whose cone binds them together: a few projections in the metric of a diagonal above the
    /// block `d`. Its entries are the sums of the rows of the block in units in which its own diagonal is one.
    pub(in crate::solver) fn solve_jointly(
        &self,
        w: &[f64; ROWS],
        old: &[f64; ROWS],
        d: impl Fn(usize, usize) -> f64,
        relaxation: f64,
    ) -> [f64; ROWS] {
        let rows = self.dimension;
        let block: [[f64; ROWS]; ROWS] =
            std::array::from_fn(|i| std::array::from_fn(|j| if i < rows && j < rows { d(i, j) } else { 0.0 }));
        let sum = |i: usize| -> f64 {
            let root = |j: usize| (block[i][i] / block[j][j]).sqrt();
            (0..rows).filter(|j| block[*j][*j] > 0.0).map(|j| block[i][j].abs() * root(j)).sum()
        };
        let metric = [sum(0), sum(1).max(sum(2)), sum(3).max(sum(4)), sum(5)];
        let metric = [0, 1, 1, 2, 2, 3].map(|part| metric[part]);
        let (mut next, mut w) = (*old, *w);
        for _ in 0..PROJECTIONS {
            let last = next;
            for row in 0..rows {
                next[row] = if metric[row] > 0.0 { last[row] - w[row] / metric[row] } else { 0.0 };
            }
            self.project(&metric, &mut next[..rows]);
            for (row, w) in w.iter_mut().enumerate().take(rows) {
                *w += (0..rows).map(|j| block[row][j] * (next[j] - last[j])).sum::<f64>();
            }
        }
        if relaxation != 1.0 {
            let mixed: [f64; ROWS] = std::array::from_fn(|row| old[row] + relaxation * (next[row] - old[row]));
            next = mixed;
            self.project(&metric, &mut next[..rows]);
        }
        next
    }

    /// The nearest impulses in the cone, in a metric with one entry for each row.
    fn project(&self, metric: &[f64; ROWS], rows: &mut [f64]) {
        let root = |row: usize| (metric[row] / metric[0]).sqrt();
        let roots = [root(1), root(3), root(5)];
        let Parts { normal, bounded } = parts(rows);
        let Cone { friction, rolling, twisting, .. } = self.cone;
        let bounds = [friction, rolling, twisting];
        let lengths = std::array::from_fn(|k| roots[k] * length_of(&bounded[k]));
        let [friction, rolling, twisting] = std::array::from_fn(|k| roots[k] * bounds[k]);
        let (normal, factors) = Cone { friction, rolling, twisting, ..self.cone }.project(normal, lengths);
        let bounded = std::array::from_fn(|k| factors[k] * bounded[k]);
        write_parts(&Parts { normal, bounded }, rows);
    }

    /// The rolling and twisting impulses: `old` holds the impulses at which the velocities `w` were taken, `next` those
    /// of normal and friction, and then all.
    pub(in crate::solver) fn solve(&self, w: &[f64; ROWS], old: &[f64; ROWS], next: &mut [f64; ROWS], relaxation: f64) {
        let seen = |row: usize, next: &[f64; ROWS]| {
            w[3 + row] + (0..3 + row).map(|j| self.rows[row][j] * (next[j] - old[j])).sum::<f64>()
        };
        // the rolling rows are solved together: neither sees the other's change yet
        next[3..].copy_from_slice(&old[3..]);
        if let Some(disc) = &self.rolling {
            let radius = self.cone.rolling * next[0];
            let exact = disc.solve([seen(0, next), seen(1, next)], [old[3], old[4]], radius);
            let step = |k: usize| old[3 + k] + relaxation * (exact[k] - old[3 + k]);
            let relaxed = if relaxation == 1.0 { exact } else { disc::clamped([step(0), step(1)], radius) };
            next[3..5].copy_from_slice(&relaxed);
        }
        if self.twisting > 0.0 {
            let bound = self.cone.twisting * next[0];
            next[5] = (old[5] - relaxation * seen(2, next) / self.twisting).min(bound).max(-bound);
        }
    }
}
