//! Area, centroid and second moments of what a curve encloses, by Green's theorem and Gauss points on its pieces.

use super::outline::Outline;
use crate::math::Vec2;

/// Nodes and weights of 16 Gauss points on [-1, 1], the positive half: exact for polynomials of degree 31; a piece of degree 5 has 19.
const NODES: [[f64; 2]; 8] = [
    [0.095_012_509_837_637_44, 0.189_450_610_455_068_5],
    [0.281_603_550_779_258_91, 0.182_603_415_044_923_59],
    [0.458_016_777_657_227_39, 0.169_156_519_395_002_54],
    [0.617_876_244_402_643_75, 0.149_595_988_816_576_73],
    [0.755_404_408_355_003_03, 0.124_628_971_255_533_87],
    [0.865_631_202_387_831_74, 0.095_158_511_682_492_785],
    [0.944_575_023_073_232_58, 0.062_253_523_938_647_893],
    [0.989_400_934_991_649_93, 0.027_152_459_411_754_095],
];
/// Halves of a stretch must give the same sum as the whole, within this part of the size [-].
const SAME: f64 = 1e-15;
/// Halvings until a stretch is taken as it is.
const DEEPEST: u32 = 20;

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
            let whole = self.sums(piece, [0.0, 1.0], &origin);
            sums.add(self.refined(piece, [0.0, 1.0], &origin, (whole, &scale, DEEPEST)));
        }
        let [area, x, y, xx, yy, xy] = sums.total();
        Moments { origin, first: [area, x, y], second: [xx, yy, xy] }
    }

    /// Returns the sums of a stretch, of which `whole` is the first estimate.
    fn refined(
        &self,
        piece: usize,
        [from, to]: [f64; 2],
        origin: &Vec2,
        (whole, scale, left): (Sums, &Sums, u32),
    ) -> Sums {
        let middle = 0.5 * (from + to);
        let halves = [[from, middle], [middle, to]];
        let estimates = halves.map(|half| self.sums(piece, half, origin));
        let both = added(&estimates[0], &estimates[1]);
        let is_same = (0..6).all(|at| (both[at] - whole[at]).abs() <= scale[at]);
        if is_same || left == 0 {
            return both;
        }
        let [first, second] =
            [0, 1].map(|at| self.refined(piece, halves[at], origin, (estimates[at], scale, left - 1)));
        added(&first, &second)
    }

    /// Returns the sums over the Gauss points of a stretch.
    fn sums(&self, piece: usize, [from, to]: [f64; 2], origin: &Vec2) -> Sums {
        let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
        let mut sums = [0.0; 6];
        for [node, weight] in NODES {
            for t in [middle - half * node, middle + half * node] {
                let local = self.at(piece, t);
                let (arm, speed) = (local.point - origin, local.first * (half * weight));
                // x dy - y dx is twice the area of a triangle, whose integrals of x and of x x have the factors 1/3 and 1/6.
                let twice = arm.perp(&speed);
                let parts =
                    [0.5, arm.x / 3.0, arm.y / 3.0, arm.x * arm.x / 4.0, arm.y * arm.y / 4.0, arm.x * arm.y / 4.0];
                sums.iter_mut().zip(parts).for_each(|(sum, part)| *sum += twice * part);
            }
        }
        sums
    }
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
