//! The associated form as a program over cones. An interior point method that is not the library's own solves it.
//! Newton's method on the conditions of optimality of the cones that it found active follows.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolution, DefaultSolver, IPSolver, SolverStatus, SupportedConeT};
use drystone::math::{BodyRow, Vec3, tangents};
use drystone::solver::Impulse;
use nalgebra::{DMatrix, DVector};

use crate::scenes::Scene;

/// What was found: forces, and the gap between the program and its dual over its value.
pub(crate) struct Solution {
    pub(crate) forces: Vec<Impulse>,
    pub(crate) gap: f64,
    /// How far the polished forces are from the conditions of optimality, relative.
    pub(crate) defect: f64,
}

/// `A^T`: six rows for each body, three columns for each contact.
fn balance(scene: &Scene) -> DMatrix<f64> {
    let mut matrix = DMatrix::zeros(6 * scene.masses.len(), 3 * scene.contacts.len());
    for (index, contact) in scene.contacts.iter().enumerate() {
        let (t1, t2) = tangents(&contact.normal);
        for (k, axis) in [contact.normal, t1, t2].iter().enumerate() {
            for (body, arm, sign) in [(contact.body_a, contact.arm_a, -1.0), (contact.body_b, contact.arm_b, 1.0)] {
                if body != BodyRow::NONE {
                    let turning = arm.cross(axis);
                    for d in 0..3 {
                        matrix[(6 * body.index() + d, 3 * index + k)] = sign * axis[d];
                        matrix[(6 * body.index() + 3 + d, 3 * index + k)] = sign * turning[d];
                    }
                }
            }
        }
    }
    matrix
}

fn compliance(scene: &Scene, ratio: f64) -> DVector<f64> {
    let all = scene.stiffness.iter().flat_map(|k| [1.0 / k, 1.0 / (ratio * k), 1.0 / (ratio * k)]);
    DVector::from_iterator(3 * scene.contacts.len(), all)
}

fn vector(scene: &Scene, impulses: &[Impulse]) -> DVector<f64> {
    let parts = scene.contacts.iter().zip(impulses).flat_map(|(contact, impulse)| {
        let (t1, t2) = tangents(&contact.normal);
        [impulse.normal, t1.dot(&impulse.tangential), t2.dot(&impulse.tangential)]
    });
    DVector::from_iterator(3 * scene.contacts.len(), parts)
}

/// The least of `sum fn^2 / (2 kn) + |ft|^2 / (2 kt)` on the cones at the resultants of the scene's impulses.
pub(crate) fn solve(scene: &Scene, ratio: f64) -> Solution {
    let (balance, compliance) = (balance(scene), compliance(scene, ratio));
    let load = &balance * vector(scene, &scene.impulses);
    let solution = interior(scene, &balance, &compliance, &load);
    use SolverStatus::{AlmostSolved, InsufficientProgress, Solved};
    assert!(matches!(solution.status, Solved | AlmostSolved | InsufficientProgress), "{:?}", solution.status);
    let gap = (solution.obj_val - solution.obj_val_dual).abs() / solution.obj_val.abs();
    let mut found = DVector::from_column_slice(&solution.x);
    let duals = DVector::from_column_slice(&solution.z[..balance.nrows()]);
    let defect = Polish::new(scene, (balance, compliance), &load).run(&mut found, -duals);
    Solution { forces: impulses(scene, &found), gap, defect }
}

/// Whether forces on the cones have the resultants of the scene's impulses.
pub(crate) fn is_feasible(scene: &Scene, ratio: f64) -> bool {
    let (balance, compliance) = (balance(scene), compliance(scene, ratio));
    let load = &balance * vector(scene, &scene.impulses);
    match interior(scene, &balance, &compliance, &load).status {
        SolverStatus::Solved | SolverStatus::AlmostSolved => true,
        SolverStatus::PrimalInfeasible | SolverStatus::AlmostPrimalInfeasible => false,
        other => panic!("neither: {other:?}"),
    }
}

fn interior(
    scene: &Scene,
    balance: &DMatrix<f64>,
    compliance: &DVector<f64>,
    load: &DVector<f64>,
) -> DefaultSolution<f64> {
    let (equations, size) = balance.shape();
    let (mut rows, mut columns, mut values) = (vec![], vec![], vec![]);
    for (row, column) in (0..equations).flat_map(|row| (0..size).map(move |column| (row, column))) {
        if balance[(row, column)] != 0.0 {
            rows.push(row);
            columns.push(column);
            values.push(balance[(row, column)]);
        }
    }
    for k in 0..size {
        rows.push(equations + k);
        columns.push(k);
        values.push(if k % 3 == 0 { -scene.contacts[k / 3].friction } else { -1.0 });
    }
    let constraints = CscMatrix::new_from_triplets(equations + size, size, rows, columns, values);
    let quadratic = CscMatrix::new_from_triplets(
        size,
        size,
        (0..size).collect(),
        (0..size).collect(),
        compliance.as_slice().into(),
    );
    let mut right = load.as_slice().to_vec();
    right.resize(equations + size, 0.0);
    let mut cones = vec![SupportedConeT::ZeroConeT(equations)];
    cones.extend(scene.contacts.iter().map(|_| SupportedConeT::SecondOrderConeT(3)));
    let tight = 1e-12;
    let settings = DefaultSettings {
        verbose: false,
        tol_gap_abs: tight,
        tol_gap_rel: tight,
        tol_feas: tight,
        max_iter: 100,
        ..DefaultSettings::default()
    };
    let nothing = vec![0.0; size];
    let mut solver =
        DefaultSolver::new(&quadratic, &nothing, &constraints, &right, &cones, settings).expect("a conic program");
    solver.solve();
    solver.solution
}

fn impulses(scene: &Scene, found: &DVector<f64>) -> Vec<Impulse> {
    let one = |(index, contact): (usize, &drystone::solver::Contact)| {
        let (t1, t2): (Vec3, Vec3) = tangents(&contact.normal);
        Impulse::force(found[3 * index], t1 * found[3 * index + 1] + t2 * found[3 * index + 2])
    };
    scene.contacts.iter().enumerate().map(one).collect()
}

/// Newton's method on: `C f - A u` vanishes along the faces of the cones on which `f` is, `A^T f = F`.
struct Polish<'a> {
    scene: &'a Scene,
    balance: DMatrix<f64>,
    compliance: DVector<f64>,
    load: &'a DVector<f64>,
}

/// A force as a function of so many numbers: none where open, magnitude and angle on the side, else its parts.
enum Face {
    Open,
    Side,
    Inside,
}

impl<'a> Polish<'a> {
    fn new(scene: &'a Scene, (balance, compliance): (DMatrix<f64>, DVector<f64>), load: &'a DVector<f64>) -> Self {
        Self { scene, balance, compliance, load }
    }

    /// `u` by least squares where `A` has not full rank.
    fn run(&self, found: &mut DVector<f64>, mut u: DVector<f64>) -> f64 {
        let strain =
            |found: &DVector<f64>, u: &DVector<f64>| found.component_mul(&self.compliance) - self.balance.tr_mul(u);
        let largest = found.amax();
        let stress = strain(found, &u);
        let mu = |index: usize| self.scene.contacts[index].friction;
        let faces: Vec<Face> = (0..self.scene.contacts.len())
            .map(|index| {
                let at = 3 * index;
                let (normal, across) = (found[at], found[at + 1].hypot(found[at + 2]));
                // complementary: either a force is away from the side, or the strain is
                let (slack, multiplier) =
                    (mu(index) * normal - across, stress[at] / mu(index) * self.scene.stiffness[index]);
                if normal < 1e-7 * largest {
                    Face::Open
                } else if slack < multiplier.abs() {
                    Face::Side
                } else {
                    Face::Inside
                }
            })
            .collect();
        let mut defect = f64::INFINITY;
        for _ in 0..6 {
            defect = self.step(&faces, found, &mut u);
        }
        defect.max(self.violation(&faces, found, &strain(found, &u)) / largest)
    }

    /// By how much a force is outside of its cone or a strain outside of the dual cone, in units of force. On the side
    /// the strain is to point inwards, at the tip to be in the dual cone.
    fn violation(&self, faces: &[Face], found: &DVector<f64>, strain: &DVector<f64>) -> f64 {
        let one = |(index, face): (usize, &Face)| {
            let (at, mu) = (3 * index, self.scene.contacts[index].friction);
            let across = |all: &DVector<f64>| all[at + 1].hypot(all[at + 2]);
            match face {
                Face::Inside => across(found) - mu * found[at],
                Face::Side => (-found[at]).max(-strain[at] * self.scene.stiffness[index]),
                Face::Open => (mu * across(strain) - strain[at]) * self.scene.stiffness[index],
            }
        };
        faces.iter().enumerate().map(one).fold(0.0, f64::max)
    }

    /// One Newton step; returns how far from optimal the start was, over the load.
    fn step(&self, faces: &[Face], found: &mut DVector<f64>, u: &mut DVector<f64>) -> f64 {
        let strain = found.component_mul(&self.compliance) - self.balance.tr_mul(u);
        let (equations, size) = self.balance.shape();
        // derivatives of the forces by the numbers, and what their second derivatives add
        let mut slopes = DMatrix::zeros(size, size);
        let mut curvature = Vec::new();
        let mut numbers = 0;
        for (index, face) in faces.iter().enumerate() {
            let at = 3 * index;
            let mu = self.scene.contacts[index].friction;
            match face {
                Face::Open => (0..3).for_each(|k| found[at + k] = 0.0),
                Face::Inside => {
                    (0..3).for_each(|k| slopes[(at + k, numbers + k)] = 1.0);
                    numbers += 3;
                }
                Face::Side => {
                    let (normal, (sin, cos)) = (found[at], found[at + 2].atan2(found[at + 1]).sin_cos());
                    (found[at + 1], found[at + 2]) = (mu * normal * cos, mu * normal * sin);
                    for (k, slope) in [1.0, mu * cos, mu * sin].into_iter().enumerate() {
                        slopes[(at + k, numbers)] = slope;
                    }
                    let turned = [-mu * normal * sin, mu * normal * cos];
                    (0..2).for_each(|k| slopes[(at + 1 + k, numbers + 1)] = turned[k]);
                    let strain = [strain[at + 1], strain[at + 2]];
                    curvature.push((numbers, numbers + 1, mu * (cos * strain[1] - sin * strain[0])));
                    curvature.push((numbers + 1, numbers + 1, -mu * normal * (cos * strain[0] + sin * strain[1])));
                    numbers += 2;
                }
            }
        }
        let slopes = slopes.columns(0, numbers).into_owned();
        let strain = found.component_mul(&self.compliance) - self.balance.tr_mul(u);
        let missing = self.load - &self.balance * &*found;
        let mut matrix = DMatrix::zeros(numbers + equations, numbers + equations);
        let mut hessian = slopes.transpose() * DMatrix::from_diagonal(&self.compliance) * &slopes;
        for (row, column, value) in curvature {
            hessian[(row, column)] += value;
            if row != column {
                hessian[(column, row)] += value;
            }
        }
        let reduced = &self.balance * &slopes;
        matrix.view_mut((0, 0), (numbers, numbers)).copy_from(&hessian);
        matrix.view_mut((numbers, 0), (equations, numbers)).copy_from(&reduced);
        matrix.view_mut((0, numbers), (numbers, equations)).copy_from(&-reduced.transpose());
        // a trace for displacements that change no force
        (0..equations).for_each(|k| matrix[(numbers + k, numbers + k)] += 1e-12);
        let mut right = DVector::zeros(numbers + equations);
        right.rows_mut(0, numbers).copy_from(&-slopes.tr_mul(&strain));
        right.rows_mut(numbers, equations).copy_from(&missing);
        let defect = right.norm() / self.load.norm();
        let step = matrix.lu().solve(&right).expect("a regular system");
        let change = &slopes * step.rows(0, numbers);
        *found += change;
        *u += step.rows(numbers, equations);
        defect
    }
}
