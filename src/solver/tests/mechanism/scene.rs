//! Mechanisms for tests, and their dense answers.

use nalgebra::{DMatrix, DVector};

use crate::math::{BodyRow, Symmetric3, Vec3};
use crate::solver::mechanism::{Mechanism, MechanismParts, Mechanisms};
use crate::solver::problem::{Friction, Jacobian, MassInverse, Problem, Row, Velocity};
use crate::solver::tests::random::Random;

/// The fixed world.
pub(super) const WORLD: BodyRow = BodyRow::NONE;

/// Bodies and the rows between them.
#[derive(Default, Clone)]
pub(super) struct Scene {
    pub(super) masses: Vec<MassInverse>,
    pub(super) centres: Vec<Vec3>,
    pub(super) velocities: Vec<Velocity>,
    pub(super) rows: Vec<Row>,
}

impl Scene {
    pub(super) fn problem(&self) -> Problem<'_> {
        let (masses, velocities, rows) = (&self.masses, &self.velocities, &self.rows);
        Problem { masses, velocities, contacts: &[], optional: &[], rows, friction: Friction::Coulomb }
    }

    /// Adds a ball of this mass and the inertia of a solid one of this radius.
    pub(super) fn ball(&mut self, mass: f64, radius: f64, centre: Vec3) -> BodyRow {
        let turning = 1.0 / (0.4 * mass * radius * radius);
        self.body(MassInverse { linear: Vec3::repeat(1.0 / mass), angular: Symmetric3::diagonal([turning; 3]) }, centre)
    }

    pub(super) fn body(&mut self, mass: MassInverse, centre: Vec3) -> BodyRow {
        self.masses.push(mass);
        self.centres.push(centre);
        self.velocities.push(Velocity::ZERO);
        BodyRow::from(self.masses.len() - 1)
    }

    /// Adds a body with three different moments of inertia.
    pub(super) fn random_body(&mut self, random: &mut Random, mass: f64) -> BodyRow {
        let moments = [random.between(0.5, 2.0), random.between(0.5, 2.0), random.between(0.5, 2.0)];
        let angular = Symmetric3::diagonal(moments).scaled(1.0 / mass).rotated(&random.rotation());
        let body = self.body(MassInverse { linear: Vec3::repeat(1.0 / mass), angular }, random.vector(2.0));
        self.velocities[body] = Velocity { linear: random.vector(1.0), angular: random.vector(1.0) };
        body
    }

    /// Adds a row without bounds between two bodies.
    pub(super) fn row(&mut self, [body_a, body_b]: [BodyRow; 2], [jacobian_a, jacobian_b]: [Jacobian; 2]) {
        self.rows.push(Row {
            body_a,
            body_b,
            jacobian_a,
            jacobian_b,
            rhs: 0.0,
            compliance: 0.0,
            lower: f64::NEG_INFINITY,
            upper: f64::INFINITY,
            friction_row: None,
            ball: None,
        });
    }

    /// Locks the motion of a point of b against a along a direction.
    pub(super) fn lock_point(&mut self, pair: [BodyRow; 2], point: Vec3, direction: Vec3) {
        let [arm_a, arm_b] = pair.map(|body| point - self.centres.get(body.index()).copied().unwrap_or_default());
        let a = Jacobian { linear: -direction, angular: -arm_a.cross(&direction) };
        self.row(pair, [a, Jacobian { linear: direction, angular: arm_b.cross(&direction) }]);
    }

    /// Locks the turn of b against a about an axis.
    pub(super) fn lock_turn(&mut self, pair: [BodyRow; 2], axis: Vec3) {
        let of = |angular| Jacobian { angular, ..Jacobian::ZERO };
        self.row(pair, [of(-axis), of(axis)]);
    }

    /// Adds the three rows of a ball joint.
    pub(super) fn pin(&mut self, pair: [BodyRow; 2], point: Vec3) {
        [Vec3::x(), Vec3::y(), Vec3::z()].into_iter().for_each(|axis| self.lock_point(pair, point, axis));
    }

    /// Adds the five rows of a hinge.
    pub(super) fn hinge(&mut self, pair: [BodyRow; 2], point: Vec3, axis: Vec3) {
        self.pin(pair, point);
        let (t1, t2) = crate::math::tangents(&axis);
        self.lock_turn(pair, t1);
        self.lock_turn(pair, t2);
    }

    /// Adds the six rows of a weld.
    pub(super) fn weld(&mut self, pair: [BodyRow; 2], point: Vec3) {
        self.pin(pair, point);
        [Vec3::x(), Vec3::y(), Vec3::z()].into_iter().for_each(|axis| self.lock_turn(pair, axis));
    }

    /// Gives all rows random right sides, and some of them compliance.
    pub(super) fn scatter_rows(&mut self, random: &mut Random, soft: bool) {
        for row in &mut self.rows {
            row.rhs = random.between(-1.0, 1.0);
            row.compliance = if soft && random.one_in(3) { random.magnitude(1e-3, 1.0) } else { 0.0 };
        }
    }

    /// Returns the mechanism of all bodies and rows.
    pub(super) fn mechanism(&self) -> Mechanism {
        let (mut found, mut mechanism) = (Mechanisms::default(), Mechanism::default());
        found.find(&self.problem()).expect("memory");
        assert_eq!(found.len(), 1, "mechanisms");
        let parts = found.get(0).expect("a mechanism");
        assert!(mechanism.factor(&self.problem(), parts).expect("memory"));
        mechanism
    }

    /// Solves for velocities and multipliers, and returns them with residual and flag.
    pub(super) fn solve(&self) -> Solved {
        let (mut velocities, mut lambda) = (self.velocities.clone(), vec![0.0; self.rows.len()]);
        let result = self.mechanism().constrain(&self.rows, &mut velocities, &mut lambda).expect("memory");
        Solved { velocities, lambda, residual: result.residual, contradicts: result.contradicts }
    }
}

/// The answer of a mechanism.
#[derive(Debug, PartialEq)]
pub(super) struct Solved {
    pub(super) velocities: Vec<Velocity>,
    pub(super) lambda: Vec<f64>,
    pub(super) residual: f64,
    pub(super) contradicts: bool,
}

/// Returns velocities as one vector.
pub(super) fn flat(velocities: &[Velocity]) -> DVector<f64> {
    let six = |v: &Velocity| [v.linear.x, v.linear.y, v.linear.z, v.angular.x, v.angular.y, v.angular.z];
    DVector::from_vec(velocities.iter().flat_map(six).collect())
}

/// The matrices of a scene.
pub(super) struct Dense {
    pub(super) inverse_mass: DMatrix<f64>,
    pub(super) jacobian: DMatrix<f64>,
    compliance: DMatrix<f64>,
    rhs: DVector<f64>,
}

impl Dense {
    pub(super) fn new(scene: &Scene) -> Self {
        let (size, rows) = (6 * scene.masses.len(), scene.rows.len());
        let mut inverse_mass = DMatrix::zeros(size, size);
        for (body, mass) in scene.masses.iter().enumerate() {
            let mut block = inverse_mass.fixed_view_mut::<6, 6>(6 * body, 6 * body);
            block.fixed_view_mut::<3, 3>(0, 0).set_diagonal(&mass.linear);
            block.fixed_view_mut::<3, 3>(3, 3).copy_from(&mass.angular.to_matrix());
        }
        let mut jacobian = DMatrix::zeros(rows, size);
        for (index, row) in scene.rows.iter().enumerate() {
            for (body, side) in [(row.body_a, &row.jacobian_a), (row.body_b, &row.jacobian_b)] {
                if body.index() < scene.masses.len() {
                    let values = flat(&[Velocity { linear: side.linear, angular: side.angular }]).transpose();
                    jacobian.view_mut((index, 6 * body.index()), (1, 6)).copy_from(&values);
                }
            }
        }
        let of_rows = |value: fn(&Row) -> f64| DVector::from_iterator(rows, scene.rows.iter().map(value));
        let compliance = DMatrix::from_diagonal(&of_rows(|row| row.compliance));
        Self { inverse_mass, jacobian, compliance, rhs: of_rows(|row| row.rhs) }
    }

    /// Returns `J M^-1 J^T + S`.
    pub(super) fn delassus(&self) -> DMatrix<f64> {
        &self.jacobian * &self.inverse_mass * self.jacobian.transpose() + &self.compliance
    }

    /// Returns the multipliers and velocities of rows of full rank.
    pub(super) fn solve(&self, start: &DVector<f64>) -> (DVector<f64>, DVector<f64>) {
        let right = &self.rhs - &self.jacobian * start;
        let lambda = self.delassus().full_piv_lu().solve(&right).expect("full rank");
        let velocities = start + &self.inverse_mass * self.jacobian.transpose() * &lambda;
        (lambda, velocities)
    }

    /// Returns `Mc^-1` by the matrix of Karush, Kuhn and Tucker, rows of full rank.
    pub(super) fn constrained_inverse(&self) -> DMatrix<f64> {
        let (size, rows) = (self.inverse_mass.nrows(), self.jacobian.nrows());
        let mut kkt = DMatrix::zeros(size + rows, size + rows);
        let mass = self.inverse_mass.clone().try_inverse().expect("all bodies move");
        kkt.view_mut((0, 0), (size, size)).copy_from(&mass);
        kkt.view_mut((size, 0), (rows, size)).copy_from(&self.jacobian);
        kkt.view_mut((0, size), (size, rows)).copy_from(&self.jacobian.transpose());
        kkt.view_mut((size, size), (rows, rows)).copy_from(&(-&self.compliance));
        kkt.full_piv_lu().try_inverse().expect("full rank").view((0, 0), (size, size)).into_owned()
    }
}

/// Returns the largest magnitude of a difference.
pub(super) fn difference(a: &DVector<f64>, b: &DVector<f64>) -> f64 {
    (a - b).amax()
}

/// Returns parts of bodies alone.
pub(super) fn without_rows(bodies: &[BodyRow]) -> MechanismParts<'_> {
    MechanismParts { bodies, rows: &[] }
}
