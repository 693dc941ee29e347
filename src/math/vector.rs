//! The types of vectors and matrices, those of nalgebra.

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
