//! Area, centroid and second moments of what a curve encloses, by Green's theorem and Gauss points on its pieces.

use super::definition::MAX_DEGREE;
use super::outline::{Outline, evaluate};
use super::pieces::{Controls, Homogeneous, halves};
use crate::math::Vec2;

/// Nodes and weights of 16 Gauss points on [-1, 1], the positive half: exact for polynomials of degree 31; a piece of degree 5 has 19.
const NODES: [[f64; 2]; 8] = [
    [0.095_012_509_837_637_44, 0.189_450_610_455_068_5],
    [0.281_603_550_779_258_9, 0.182_603_415_044_923_58],
    [0.458_016_777_657_227_37, 0.169_156_519_395_002_54],
    [0.617_876_244_402_643_8, 0.149_595_988_816_576_74],
    [0.755_404_408_355_003, 0.124_628_971_255_533_88],
    [0.865_631_202_387_831_8, 0.095_158_511_682_492_79],
    [0.944_575_023_073_232_6, 0.062_253_523_938_647_894],
    [0.989_400_934_991_649_9, 0.027_152_459_411_754_096],
];
/// Halves of a stretch must give the same sum as the whole, within this part of the size [-].
const SAME: f64 = 1e-15;
/// Halvings until a stretch is taken as it is.
const DEEPEST: u32 = 48;
/// The same once the sums are compared: round-off may keep them apart.
const FINEST: u32 = 10;
/// Stretches whose weights differ by more than this factor are halved [-].
const EVEN: f64 = 4.0;

/// Integrals over the area that a curve encloses, seen from `origin`; negative if the curve runs clockwise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Moments {
    /// [m]
    pub(crate) origin: Vec2,
    /// 1, x, y [m^2, m^3]
    pub(crate) first: [f64; 3],
    /// x x, y y, x y [m^4]
    pub(crate) second: [f64; 3],
}

/// The integrals of 1, x, y, x x, y y, x y.
type Sums = [f64; 6];

impl Outline {
    /// Returns the integrals over what the curve encloses.
    pub(crate) fn moments(&self) -> Moments {
        let origin = self.tree().whole().center();
        let half = 0.5 * self.size();
        let scale = [2, 3, 3, 4, 4, 4].map(|power| (0..power).fold(SAME, |scale, _| scale * half));
        // The sums of pieces are added pairwise by the tree, so that round-off grows with the logarithm of their number.
        let mut sums = Pairwise::default();
        for piece in 0..self.count() {
            let mut controls: Controls = [[0.0, 0.0, 1.0]; MAX_DEGREE + 1];
            controls[..=self.degree].copy_from_slice(self.controls(piece));
            sums.add(Stretches { degree: self.degree, origin, scale }.sums(&controls, None, DEEPEST));
        }
        let [area, x, y, xx, yy, xy] = sums.total();
        Moments { origin, first: [area, x, y], second: [xx, yy, xy] }
    }
}

/// How stretches of a curve are summed up.
struct Stretches {
    degree: usize,
    origin: Vec2,
    /// By how much the sums of two halves may differ from that of the whole.
    scale: Sums,
}

impl Stretches {
    /// Returns the sums of a stretch, of which an estimate may be `known`. It is halved `left` times at most.
    fn sums(&self, controls: &Controls, known: Option<Sums>, left: u32) -> Sums {
        let parts = halves(controls, self.degree);
        // Where weights differ much, the curve runs so fast somewhere that all points may miss it.
        if left > 0 && weight_ratio(&controls[..=self.degree]) > EVEN {
            let [first, second] = parts.map(|part| self.sums(&part, None, left - 1));
            return added(&first, &second);
        }
        let whole = known.unwrap_or_else(|| self.estimate(controls));
        let estimates = parts.each_ref().map(|part| self.estimate(part));
        let both = added(&estimates[0], &estimates[1]);
        if left == 0 || (0..6).all(|at| (both[at] - whole[at]).abs() <= self.scale[at]) {
            return both;
        }
        let left = left.min(FINEST) - 1;
        let [first, second] = [0, 1].map(|at| self.sums(&parts[at], Some(estimates[at]), left));
        added(&first, &second)
    }

    /// Returns the sums over the Gauss points of a stretch.
    fn estimate(&self, controls: &Controls) -> Sums {
        let mut sums = [0.0; 6];
        for [node, weight] in NODES {
            for t in [0.5 - 0.5 * node, 0.5 + 0.5 * node] {
                let local = evaluate(&controls[..=self.degree], t);
                let (arm, speed) = (local.point - self.origin, local.first * (0.5 * weight));
                // x dy - y dx is twice the area of a triangle, whose integrals of x and of x x have the factors 1/3 and 1/4.
                let twice = arm.perp(&speed);
                let (x, y) = (arm.x, arm.y);
                let parts = [0.5, x / 3.0, y / 3.0, x * x / 4.0, y * y / 4.0, x * y / 4.0];
                sums.iter_mut().zip(parts).for_each(|(sum, part)| *sum += twice * part);
            }
        }
        sums
    }
}

/// Returns the largest weight over the smallest.
fn weight_ratio(controls: &[Homogeneous]) -> f64 {
    let weights = controls.iter().map(|control| control[2]);
    let (smallest, largest) =
        weights.fold((f64::INFINITY, 0f64), |(smallest, largest), weight| (smallest.min(weight), largest.max(weight)));
    largest / smallest
}

fn added(a: &Sums, b: &Sums) -> Sums {
    std::array::from_fn(|at| a[at] + b[at])
}

/// A sum of many, added in pairs.
#[derive(Default)]
struct Pairwise {
    levels: [Option<Sums>; 32],
}

impl Pairwise {
    fn add(&mut self, mut sums: Sums) {
        for level in &mut self.levels {
            match level.take() {
                Some(other) => sums = added(&other, &sums),
                None => {
                    *level = Some(sums);
                    return;
                }
            }
        }
    }

    fn total(&self) -> Sums {
        self.levels.iter().flatten().fold([0.0; 6], |sum, level| added(&sum, level))
    }
}
