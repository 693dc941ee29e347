//! The Delassus operator as one sparse matrix: `Wd = G M^-1 G^T`, and `q = G vhat + b`; of the whole problem, or of one
//! island with its rows, torques and laws ([`reduce`]).
//!
//! Rows are `(n, t1, t2)` of each contact, with the tangents of [`crate::math::tangents`]. The sweep never forms it.

use crate::error::{Result, reserve};
use crate::math::{Vec3, tangents};
use crate::solver::operator::assembly::{Assembly, dimension};
use crate::solver::operator::reduced::Reduced;
use crate::solver::problem::islands::Island;
use crate::solver::problem::{Contact, Impulse, Impulses, ImpulsiveWrench, Problem};
use sprs::{CsMat, TriMat};

/// The contact frame as three rows: normal and tangents.
pub fn frame(contact: &Contact) -> [Vec3; 3] {
    let (t1, t2) = tangents(&contact.normal);
    [contact.normal, t1, t2]
}

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
    for (index, contact) in problem.contacts.iter().enumerate() {
        let (v_a, v_b) = (problem.free_velocity(contact.body_a), problem.free_velocity(contact.body_b));
        let (w_n, w_t) =
            contact.defect(&contact.relative_velocity(v_a, v_b), &Impulse::ZERO, problem.optional_terms(index.into()));
        let [_, t1, t2] = frame(contact);
        q.extend([w_n, w_t.dot(&t1), w_t.dot(&t2)]);
    }
    q
}

/// [`Assembly::reduce`] with a workspace of its own.
pub fn reduce(problem: &Problem, island: &Island, reduced: &mut Reduced) -> Result<()> {
    Assembly::default().reduce(problem, island, reduced)
}

/// The impulses of an island as the rows of its reduced form, into `lambda`. What a contact has no row for is left out.
pub fn gather(
    problem: &Problem,
    island: &Island,
    reduced: &Reduced,
    impulses: &Impulses,
    lambda: &mut Vec<f64>,
) -> Result<()> {
    lambda.clear();
    reserve(lambda, reduced.size(), "rows of the contact problem")?;
    lambda.extend(island.rows.iter().map(|row| impulses.rows[*row]));
    for index in island.contacts {
        let contact = &problem.contacts[*index];
        let ImpulsiveWrench { force: Impulse { normal, tangential }, torque } = impulses.wrench(*index);
        let [n, t1, t2] = frame(contact);
        let along = [t1.dot(&tangential), t2.dot(&tangential)];
        let rows = [normal, along[0], along[1], t1.dot(&torque), t2.dot(&torque), n.dot(&torque)];
        lambda.extend_from_slice(&rows[..dimension(problem.optional_terms(*index))]);
    }
    Ok(())
}

/// The other way round. All impulses of the island are set.
pub fn scatter(problem: &Problem, island: &Island, reduced: &Reduced, lambda: &[f64], impulses: &mut Impulses) {
    debug_assert_eq!(lambda.len(), reduced.size());
    let (of_rows, mut rest) = lambda.split_at(island.rows.len());
    for (index, value) in island.rows.iter().zip(of_rows) {
        impulses.rows[*index] = *value;
    }
    for index in island.contacts {
        let contact = &problem.contacts[*index];
        let [n, t1, t2] = frame(contact);
        let (own, others) = rest.split_at(dimension(problem.optional_terms(*index)));
        rest = others;
        let mut rows = [0.0; 6];
        rows[..own.len()].copy_from_slice(own);
        let [normal, along_1, along_2, about_1, about_2, twist] = rows;
        let force = Impulse::force(normal, along_1 * t1 + along_2 * t2);
        let torque = about_1 * t1 + about_2 * t2 + twist * n;
        impulses.set_wrench(*index, &ImpulsiveWrench { force, torque });
    }
}
