//! General contacts made ready: what follows from where they touch and whom.

use crate::math::lanes::{KEPT, Kernel, Lanes, Places, Vec3s, WIDE, Wide};
use crate::solver::general::GeneralRow;
use crate::solver::local::Local;
use crate::solver::problem::{MassInverse, Problem};
use crate::solver::wide::general::GeneralBatch;
use crate::solver::wide::lines::{loaded, write};
use crate::solver::wide::side::Mass;

/// What follows from where contacts touch and whom.
pub(super) struct Blocks<'a> {
    pub(super) batch: &'a mut GeneralBatch,
    /// Of bodies a and b, see [`read_masses`].
    pub(super) masses: &'a [[Wide; 9]; 2],
    /// `S_n`, `S_t`.
    pub(super) compliance: &'a [Wide; 2],
}

impl Kernel for Blocks<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { batch, masses, compliance } = self;
        let mut first = 0;
        while first < WIDE {
            let masses = [Mass::load(&masses[0], first), Mass::load(&masses[1], first)];
            let normal = Vec3s::load(&batch.normal, first);
            let arms = [Vec3s::load(&batch.arm_a, first), Vec3s::load(&batch.arm_b, first)];
            let row = GeneralRow::<L>::new(normal, arms, &masses, loaded(compliance, first));
            let Local { inverse, carried, tangential, .. } = row.block.prepared();
            row.t1.store(&mut batch.t1, first);
            inverse.store(&mut batch.inverse, first);
            carried[0].store(&mut batch.carried[0], first);
            carried[1].store(&mut batch.carried[1], first);
            tangential[0].store(&mut batch.tangential[0], first);
            tangential[1].store(&mut batch.tangential[1], first);
            first += L::WIDTH;
        }
    }
}

/// Writes the inverse masses of the bodies at some places: `[1/m_x 1/m_y 1/m_z Ixx Iyy Izz Ixy Iyz Ixz]`.
pub(super) fn read_masses(to: &mut [Wide; 9], places: &Places, problem: &Problem) {
    for (lane, place) in places.iter().enumerate() {
        let MassInverse { linear, angular } = problem.mass(place & !KEPT);
        let [xx, yy, zz, xy, yz, xz] = angular.entries;
        write(to, lane, [linear.x, linear.y, linear.z, xx, yy, zz, xy, yz, xz]);
    }
}
