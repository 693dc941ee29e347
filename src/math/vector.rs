//! The types of vectors and matrices, those of nalgebra; symmetric matrices, which are inertia and its inverse; and whether a small one is
//! positive semidefinite.

/// A vector of two doubles.
pub type Vec2 = nalgebra::Vector2<f64>;
/// A vector of three doubles.
pub type Vec3 = nalgebra::Vector3<f64>;
/// A 3x3 matrix of doubles.
pub type Mat3 = nalgebra::Matrix3<f64>;
/// A quaternion of any length.
pub type Quaternion = nalgebra::Quaternion<f64>;
/// A unit quaternion.
pub type Quat = nalgebra::UnitQuaternion<f64>;

/// Returns whether every number of some vectors is finite. Zero times an infinity or NaN is NaN, so one comparison is enough.
#[inline(always)]
pub fn are_finite<const N: usize>(vectors: [&Vec3; N]) -> bool {
    let nothing = vectors.into_iter().fold(Vec3::zeros(), |sum, vector| sum + 0.0 * vector);
    nothing.x + nothing.y + nothing.z == 0.0
}

/// Returns whether two vectors are the same to the last bit.
#[inline(always)]
pub fn is_identical(a: &Vec3, b: &Vec3) -> bool {
    a.iter().zip(b).fold(0, |differ, (a, b)| differ | (a.to_bits() ^ b.to_bits())) == 0
}

/// Returns whether a vector is at most so long. NaN is not.
#[inline(always)]
pub fn is_within(vector: &Vec3, limit: f64) -> bool {
    vector.norm_squared() <= limit * limit
}

/// Returns the length of a vector, with all its digits also where squares of its numbers are too small or too large for that.
#[inline]
pub fn length_of(vector: &Vec3) -> f64 {
    // Powers of two. What has too small a square becomes 5e70 at most, and the largest number 3e97.
    const LARGER: f64 = f64::from_bits((1023 + 700) << 52);
    const SMALLER: f64 = f64::from_bits((1023 - 700) << 52);
    let square = vector.norm_squared();
    if (1e-280..1e280).contains(&square) || *vector == Vec3::zeros() {
        square.sqrt()
    } else if square < 1.0 {
        (LARGER * vector).norm() / LARGER
    } else {
        (SMALLER * vector).norm() / SMALLER
    }
}

/// A symmetric 3x3 matrix, stored as `xx yy zz xy yz xz`: the order of the C interface.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Symmetric3 {
    /// The six entries `xx yy zz xy yz xz`.
    pub entries: [f64; 6],
}

impl Symmetric3 {
    /// The matrix with `diagonal` and nothing beside it.
    pub fn diagonal(diagonal: [f64; 3]) -> Self {
        let [xx, yy, zz] = diagonal;
        Self { entries: [xx, yy, zz, 0.0, 0.0, 0.0] }
    }

    /// The symmetric part of `matrix`.
    pub fn from_matrix(matrix: &Mat3) -> Self {
        let mean = |i: usize, j: usize| 0.5 * (matrix[(i, j)] + matrix[(j, i)]);
        Self { entries: [matrix[(0, 0)], matrix[(1, 1)], matrix[(2, 2)], mean(0, 1), mean(1, 2), mean(0, 2)] }
    }

    /// As a full matrix.
    pub fn to_matrix(self) -> Mat3 {
        let [xx, yy, zz, xy, yz, xz] = self.entries;
        Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz)
    }

    /// The matrix times a vector.
    #[inline(always)]
    pub fn times(&self, v: &Vec3) -> Vec3 {
        let [xx, yy, zz, xy, yz, xz] = self.entries;
        Vec3::new(xx * v.x + xy * v.y + xz * v.z, xy * v.x + yy * v.y + yz * v.z, xz * v.x + yz * v.y + zz * v.z)
    }

    /// `rotation * self * rotation^T`: the same tensor in turned axes.
    pub fn rotated(&self, rotation: &Mat3) -> Self {
        Self::from_matrix(&(rotation * self.to_matrix() * rotation.transpose()))
    }

    /// The sum of the diagonal.
    pub fn trace(&self) -> f64 {
        self.entries[0] + self.entries[1] + self.entries[2]
    }

    /// Every entry times `factor`.
    pub fn scaled(&self, factor: f64) -> Self {
        Self { entries: self.entries.map(|entry| entry * factor) }
    }

    /// The common diagonal entry if this is a multiple of the unit matrix, exactly.
    pub fn isotropic(&self) -> Option<f64> {
        let [xx, yy, zz, xy, yz, xz] = self.entries;
        (xx == yy && yy == zz && xy == 0.0 && yz == 0.0 && xz == 0.0).then_some(xx)
    }

    /// The inverse on the axes where `free` holds, zero in the rows and columns of the others.
    ///
    /// `None` where the matrix restricted to the free axes is not positive definite.
    pub fn inverse_on(&self, free: [bool; 3]) -> Option<Self> {
        let mut padded = self.to_matrix();
        for (axis, _) in free.iter().enumerate().filter(|(_, free)| !**free) {
            padded.row_mut(axis).fill(0.0);
            padded.column_mut(axis).fill(0.0);
            padded[(axis, axis)] = 1.0;
        }
        let mut inverse = padded.cholesky()?.inverse();
        for (axis, _) in free.iter().enumerate().filter(|(_, free)| !**free) {
            inverse[(axis, axis)] = 0.0;
        }
        Some(Self::from_matrix(&inverse))
    }
}

/// The largest matrix that [`is_semidefinite`] looks at.
const MAX_ROWS: usize = 6;

/// Whether no eigenvalue of a symmetric matrix is below `-slack` times its largest entry.
///
/// `entries` are `size` rows, one after the other; of at most 6 rows. Only the lower triangle is read. By a Cholesky
/// factorisation of the matrix with `slack`, for round-off, added to its diagonal.
pub fn is_semidefinite(entries: &[f64], size: usize, slack: f64) -> bool {
    let largest = entries.iter().fold(0.0, |largest: f64, entry| largest.max(entry.abs()));
    if largest == 0.0 {
        return true;
    }
    let mut factor = [[0.0; MAX_ROWS]; MAX_ROWS];
    for (row, numbers) in entries.chunks_exact(size).enumerate().take(size.min(MAX_ROWS)) {
        for column in 0..=row {
            let known: f64 = (0..column).map(|k| factor[row][k] * factor[column][k]).sum();
            let rest = numbers[column] / largest - known;
            if column < row {
                factor[row][column] = rest / factor[column][column];
            } else if rest + slack > 0.0 {
                factor[row][row] = (rest + slack).sqrt();
            } else {
                return false;
            }
        }
    }
    true
}
