//! How stiff the forces of joints make the geometry of a mechanism.
//!
//! Under tension the links of a mechanism vibrate as a string does. `K = -sum lambda / h (d^2 c / dq^2)` is the stiffness of
//! all rows, and the largest eigenvalue of `Mc^-1 K` is `w^2`. For these vibrations the aimed step is explicit: it is
//! unstable beyond `h w = 2`.

use nalgebra::Matrix3;

use crate::error::{Result, push, resize};
use crate::joint::JointKind;
use crate::math::{BodyRow, Mat3, Vec3, length_of};
use crate::solver::mechanism::StiffnessBlock;
use crate::solver::{MassInverse, Velocity};
use crate::world::joints::rows::ActiveJoint;
use crate::world::joints::state::Joint;

/// Rows are aimed up to this `(h w)^2`; the limit of stability is 4, and power steps estimate it from below [-].
pub(super) const MAX_STIFFNESS: f64 = 3.0;

/// The stiffness of one mechanism, as blocks of its bodies.
#[derive(Debug, Default)]
pub(super) struct Stiffness {
    pub(super) blocks: Vec<StiffnessBlock>,
    /// An upper bound of the largest magnitude of an eigenvalue of `Mc^-1 K` [1/s^2].
    pub(super) bound: f64,
    /// The norms of the blocks of `M^-1 K` in each row of bodies, added up. No eigenvalue is above the largest sum, and `Mc^-1` is below `M^-1`.
    sums: Vec<f64>,
}

impl Stiffness {
    /// Begins a mechanism, of a problem with so many bodies.
    pub(super) fn clear(&mut self, bodies: usize) -> Result<()> {
        resize(&mut self.sums, bodies, 0.0, "bodies")?;
        for StiffnessBlock { row, column, .. } in &self.blocks {
            for body in [row, column] {
                if let Some(sum) = self.sums.get_mut(body.index()) {
                    *sum = 0.0;
                }
            }
        }
        self.blocks.clear();
        self.bound = 0.0;
        Ok(())
    }

    /// Adds the stiffness of a joint that exerts `force` on B [N]. `bodies` are the rows of A and B, of which impulses move some.
    pub(super) fn add(
        &mut self,
        joint: &Joint,
        active: &ActiveJoint,
        force: &Vec3,
        bodies: [BodyRow; 2],
        masses: &[MassInverse],
    ) -> Result<()> {
        let geometry = &active.geometry;
        let is_distance = joint.definition.kind == JointKind::Distance;
        // The force of a rod acts on A where the rod is fastened, that of other joints where B is held.
        let arm_a = if is_distance { geometry.arm_a - geometry.offset } else { geometry.arm_a };
        let arms = [arm_a, geometry.arm_b];
        let across = if is_distance { across_stiffness(&geometry.offset, force) } else { Mat3::zeros() };
        let maps = [(-1.0, arms[0]), (1.0, arms[1])].map(|(sign, arm)| motion_of_point(sign, &arm));
        for (row, side) in bodies.into_iter().zip(0..2) {
            let Some(mass) = masses.get(row.index()).filter(|mass| !mass.is_immovable()) else { continue };
            let own = if side == 0 { -force } else { *force };
            let turning = -(skew(&own) * skew(&arms[side]));
            let turning = 0.5 * (turning + turning.transpose());
            let mut block = product(&maps[side], &across, &maps[side]);
            (0..3).for_each(|i| (0..3).for_each(|j| block[3 + i][3 + j] += turning[(i, j)]));
            self.raise_bound(row, mass, &block);
            push(&mut self.blocks, StiffnessBlock { row, column: row, block }, "blocks of a stiffness")?;
        }
        let both_move = bodies.iter().all(|row| masses.get(row.index()).is_some_and(|mass| !mass.is_immovable()));
        if is_distance && both_move {
            let [row, column] = bodies;
            let block = product(&maps[0], &across, &maps[1]);
            let across = std::array::from_fn(|i| std::array::from_fn(|j| block[j][i]));
            self.raise_bound(row, &masses[row], &block);
            self.raise_bound(column, &masses[column], &across);
            push(&mut self.blocks, StiffnessBlock { row, column, block }, "blocks of a stiffness")?;
        }
        Ok(())
    }

    /// Adds the norm of `M^-1` times a block to the sum of its row of bodies.
    fn raise_bound(&mut self, row: BodyRow, mass: &MassInverse, block: &[[f64; 6]; 6]) {
        let column = |j: usize| {
            let part = |first: usize| Vec3::from_fn(|axis, _| block[first + axis][j]);
            let mut moved = Velocity::ZERO;
            mass.apply(&mut moved, &part(0), &part(3));
            moved.linear.norm_squared() + moved.angular.norm_squared()
        };
        if let Some(sum) = self.sums.get_mut(row.index()) {
            *sum += (0..6).map(column).sum::<f64>().sqrt();
            self.bound = self.bound.max(*sum);
        }
    }
}

/// Returns `-(f . n / |d|) (I - n n^T)`: what turning a rod makes of its force.
fn across_stiffness(offset: &Vec3, force: &Vec3) -> Mat3 {
    let length = length_of(offset);
    if length == 0.0 {
        return Mat3::zeros();
    }
    let n = offset / length;
    (Matrix3::identity() - n * n.transpose()) * (-force.dot(&n) / length)
}

/// Returns the motion of a point of a body at `arm`, times `sign`, as a matrix on its velocity and spin.
fn motion_of_point(sign: f64, arm: &Vec3) -> [Mat3; 2] {
    [Mat3::identity() * sign, skew(arm) * -sign]
}

/// Returns `G^T K H`.
fn product(g: &[Mat3; 2], k: &Mat3, h: &[Mat3; 2]) -> [[f64; 6]; 6] {
    let mut block = [[0.0; 6]; 6];
    for (first, g) in g.iter().enumerate() {
        for (second, h) in h.iter().enumerate() {
            let part = g.transpose() * k * h;
            (0..3).for_each(|i| (0..3).for_each(|j| block[3 * first + i][3 * second + j] = part[(i, j)]));
        }
    }
    block
}

/// Returns `[v]x`.
fn skew(vector: &Vec3) -> Mat3 {
    vector.cross_matrix()
}
