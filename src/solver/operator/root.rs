//! A square root of a body's inverse mass matrix, `M^-1 = L L^T`: how a body can move, and nothing else.

use crate::math::{Symmetric3, Vec3};
use crate::solver::problem::{Jacobian, MassInverse};

/// Ways in which a body moves.
pub(in crate::solver) const SIX: usize = 6;

/// `L` of a body: that of translations, and the lower triangle `xx yx zx yy zy zz` of that of turns.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct Root {
    pub(in crate::solver) linear: Vec3,
    pub(in crate::solver) angular: [f64; 6],
}

impl Root {
    pub(in crate::solver) fn new(mass: &MassInverse) -> Self {
        Self { linear: mass.linear.map(f64::sqrt), angular: root(&mass.angular) }
    }

    /// `L^T` times a row of the Jacobian.
    pub(in crate::solver) fn times(&self, jacobian: &Jacobian) -> [f64; SIX] {
        let linear = self.linear.component_mul(&jacobian.linear);
        let [xx, yx, zx, yy, zy, zz] = self.angular;
        let w = &jacobian.angular;
        [linear.x, linear.y, linear.z, xx * w.x + yx * w.y + zx * w.z, yy * w.y + zy * w.z, zz * w.z]
    }
}

/// The lower Cholesky factor of a matrix that may be singular.
fn root(matrix: &Symmetric3) -> [f64; 6] {
    let [xx, yy, zz, xy, yz, xz] = matrix.entries;
    let least = 1e-14 * matrix.trace();
    let pivot = |square: f64| if square > least { square.sqrt() } else { 0.0 };
    let over = |value: f64, pivot: f64| if pivot > 0.0 { value / pivot } else { 0.0 };
    let l_xx = pivot(xx);
    let (l_yx, l_zx) = (over(xy, l_xx), over(xz, l_xx));
    let l_yy = pivot(yy - l_yx * l_yx);
    let l_zy = over(yz - l_zx * l_yx, l_yy);
    [l_xx, l_yx, l_zx, l_yy, l_zy, pivot(zz - l_zx * l_zx - l_zy * l_zy)]
}
