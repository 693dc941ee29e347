//! What is measured of a heap: how far it has spread, and its slope.

use super::common::assembly::Pose;
use super::support::Failure;

/// Of the area of grains, which the spread holds [-].
const HELD: f64 = 0.99;
/// Width of the columns whose tops are taken [D].
const COLUMN: f64 = 2.0;
/// The part of the spread along which the slope is taken [-].
const TAKEN: [f64; 2] = [0.2, 0.8];

/// A heap right of a wall at x = 0.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Heap {
    /// Distance from the wall within which nearly all grains are [D].
    pub(crate) spread: f64,
    /// Of the line through the tops [deg]; positive where it falls.
    pub(crate) slope: f64,
    /// The highest top [D].
    pub(crate) height: f64,
}

impl Heap {
    /// Measures grains with these areas and outlines.
    ///
    /// # Errors
    ///
    /// There are no grains.
    pub(crate) fn of(poses: &[Pose], areas: &[f64], outlines: &[Vec<[f64; 2]>]) -> Result<Self, Failure> {
        let mut order: Vec<(f64, f64)> = poses.iter().zip(areas).map(|(pose, area)| (pose[0], *area)).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (all, mut sum) = (areas.iter().sum::<f64>(), 0.0);
        let is_last = |(_, area): &&(f64, f64)| {
            sum += area;
            sum >= HELD * all
        };
        let spread = order.iter().find(is_last).ok_or("a heap has no grains")?.0;
        let tops = tops(outlines, spread);
        let taken = tops.iter().filter(|top| top.0 >= TAKEN[0] * spread && top.0 <= TAKEN[1] * spread);
        let taken: Vec<(f64, f64)> = taken.copied().collect();
        let height = tops.iter().fold(0.0, |highest: f64, top| highest.max(top.1));
        Ok(Self { spread, slope: -gradient(&taken).atan().to_degrees(), height })
    }
}

/// Returns the middles and tops of columns up to `end`.
fn tops(outlines: &[Vec<[f64; 2]>], end: f64) -> Vec<(f64, f64)> {
    let count = (end / COLUMN).ceil().max(1.0) as usize;
    let mut tops: Vec<(f64, f64)> = (0..count).map(|at| (COLUMN * (at as f64 + 0.5), 0.0)).collect();
    for [x, y] in outlines.iter().flatten() {
        let at = (x / COLUMN).floor().max(0.0) as usize;
        if let Some(top) = tops.get_mut(at) {
            top.1 = top.1.max(*y);
        }
    }
    tops
}

/// Returns the gradient of the line that fits points best.
fn gradient(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |sum, point| (sum.0 + point.0 / count, sum.1 + point.1 / count));
    let spread: f64 = points.iter().map(|point| (point.0 - x) * (point.0 - x)).sum();
    points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum::<f64>() / spread
}
