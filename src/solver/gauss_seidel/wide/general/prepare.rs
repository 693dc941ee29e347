//! The preparation of general contacts: their blocks.

use super::layout::GeneralBatch;
use crate::math::lanes::{Lanes, Places, Vec3s, WIDE, Wide};
use crate::solver::gauss_seidel::general::GeneralRow;
use crate::solver::gauss_seidel::local::Local;
use crate::solver::gauss_seidel::wide::lines::{loaded, write};
use crate::solver::gauss_seidel::wide::masses::Mass;
use crate::solver::problem::{MassInverse, Problem};

impl GeneralBatch {
    /// Computes the blocks from the `masses` of bodies a and b, see [`read_masses`], and from the compliances `S_n` and `S_t`.
    #[inline(always)]
    pub(super) fn block<L: Lanes>(&mut self, masses: &[[Wide; 9]; 2], compliance: &[Wide; 2]) {
        let mut first = 0;
        while first < WIDE {
            let masses = [Mass::load(&masses[0], first), Mass::load(&masses[1], first)];
            let normal = Vec3s::load(&self.normal, first);
            let arms = [Vec3s::load(&self.arm_a, first), Vec3s::load(&self.arm_b, first)];
            let row = GeneralRow::<L>::new(normal, arms, &masses, loaded(compliance, first));
            let Local { inverse, carried, tangential, .. } = row.block.prepared();
            row.t1.store(&mut self.t1, first);
            inverse.store(&mut self.inverse, first);
            carried[0].store(&mut self.carried[0], first);
            carried[1].store(&mut self.carried[1], first);
            tangential[0].store(&mut self.tangential[0], first);
            tangential[1].store(&mut self.tangential[1], first);
            first += L::WIDTH;
        }
    }
}

/// Writes the inverse masses of the bodies at some places: `[1/m_x 1/m_y 1/m_z Ixx Iyy Izz Ixy Iyz Ixz]`.
pub(super) fn read_masses(to: &mut [Wide; 9], places: &Places, problem: &Problem) {
    for (lane, place) in places.iter().enumerate() {
        let MassInverse { linear, angular } = problem.mass(place.row());
        let [xx, yy, zz, xy, yz, xz] = angular.entries;
        write(to, lane, [linear.x, linear.y, linear.z, xx, yy, zz, xy, yz, xz]);
    }
}
