//! The Delassus operator of a whole problem as sparse matrices: `Wd = G M^-1 G^T`, and `q = G vhat + b`, for those who analyse it. The solvers
//! use [`Assembly`](super::assembly::Assembly), which makes one island with its laws.
//!
//! Rows are `(n, t1, t2)` of each contact, with the tangents of [`crate::math::tangents`].

use crate::math::ContactId;
use crate::solver::operator::assembly::frame;
use crate::solver::problem::{Impulse, Problem};
use sprs::{CsMat, TriMat};

/// `G`: three rows for each contact, six columns (linear, angular) for each body.
pub fn jacobian(problem: &Problem) -> CsMat<f64> {
    let bodies = problem.masses.len();
    let mut triplets = TriMat::new((3 * problem.contacts.len(), 6 * bodies));
    for (index, contact) in problem.contacts.iter().enumerate() {
        for (k, direction) in frame(contact).iter().enumerate() {
            let sides = [(contact.body_a, -1.0, &contact.arm_a), (contact.body_b, 1.0, &contact.arm_b)];
            for (body, sign, arm) in sides.into_iter().filter(|side| side.0.index() < bodies) {
                let turning = arm.cross(direction);
                for axis in 0..3 {
                    let column = 6 * body.index() + axis;
                    triplets.add_triplet(3 * index + k, column, sign * direction[axis]);
                    triplets.add_triplet(3 * index + k, column + 3, sign * turning[axis]);
                }
            }
        }
    }
    triplets.to_csr()
}

/// `M^-1`, block diagonal.
pub fn mass_inverse(problem: &Problem) -> CsMat<f64> {
    let size = 6 * problem.masses.len();
    let mut triplets = TriMat::new((size, size));
    for (body, mass) in problem.masses.iter().enumerate() {
        let angular = mass.angular.to_matrix();
        for i in 0..3 {
            triplets.add_triplet(6 * body + i, 6 * body + i, mass.linear[i]);
            for j in 0..3 {
                triplets.add_triplet(6 * body + 3 + i, 6 * body + 3 + j, angular[(i, j)]);
            }
        }
    }
    triplets.to_csr()
}

/// `Wd`, without compliance.
pub fn operator(problem: &Problem) -> CsMat<f64> {
    let g = jacobian(problem);
    let gm = &g * &mass_inverse(problem);
    &gm * &g.transpose_view().to_csr()
}

/// `q = G vhat + b`: the relative velocities with their bias before any impulse.
pub fn free_velocity(problem: &Problem) -> Vec<f64> {
    let mut q = Vec::with_capacity(3 * problem.contacts.len());
    for (index, contact) in ContactId::range(0..problem.contacts.len()).zip(problem.contacts) {
        let (v_a, v_b) = (problem.free_velocity(contact.body_a), problem.free_velocity(contact.body_b));
        let (w_n, w_t) =
            contact.defect(&contact.relative_velocity(v_a, v_b), &Impulse::ZERO, problem.optional_terms(index));
        let [_, t1, t2] = frame(contact);
        q.extend([w_n, w_t.dot(&t1), w_t.dot(&t2)]);
    }
    q
}
