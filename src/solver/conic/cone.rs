//! Second order cones `u_0 >= |(u_1, u_2)|` of up to three components: the scaling of Nesterov and Todd, and the algebra of the cone.
//!
//! ```text
//! W z = W^-1 s = nu,    W = eta [w_0, w'; w, I + w w' / (1 + w_0)],    W^2 = eta^2 (2 w w' - J)
//! ```
//!
//! A half-line is the cone with one component. Components that a cone does not have are zero.

/// The largest number of components.
pub(in crate::solver) const MAX_COMPONENTS: usize = 3;

/// A vector of a cone.
pub(in crate::solver) type Vector = [f64; MAX_COMPONENTS];

/// The unit of the algebra.
pub(in crate::solver) const UNIT: Vector = [1.0, 0.0, 0.0];

/// Returns the length of all components except the first.
fn length(u: &Vector) -> f64 {
    (u[1] * u[1] + u[2] * u[2]).sqrt()
}

/// Returns the product of both eigenvalues, which is above 0 inside the cone.
fn determinant(u: &Vector) -> f64 {
    let length = length(u);
    (u[0] - length) * (u[0] + length)
}

/// Returns the scalar product.
pub(in crate::solver) fn dot(u: &Vector, v: &Vector) -> f64 {
    u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
}

/// Returns the product of the algebra.
pub(in crate::solver) fn product(u: &Vector, v: &Vector) -> Vector {
    [dot(u, v), u[0] * v[1] + v[0] * u[1], u[0] * v[2] + v[0] * u[2]]
}

/// Returns `y` with `u o y = d`.
pub(in crate::solver) fn quotient(u: &Vector, d: &Vector) -> Vector {
    let first = (u[0] * d[0] - u[1] * d[1] - u[2] * d[2]) / determinant(u);
    [first, (d[1] - first * u[1]) / u[0], (d[2] - first * u[2]) / u[0]]
}

/// Returns the vector, moved just inside the cone if round-off put it outside.
pub(in crate::solver) fn inside(u: Vector) -> Vector {
    let boundary = length(&u) * (1.0 + 4.0 * f64::EPSILON) + f64::MIN_POSITIVE;
    [u[0].max(boundary), u[1], u[2]]
}

/// Returns the length of `step` from `u` to the boundary of the cone, or infinity if the boundary is not reached.
pub(in crate::solver) fn step_to_boundary(u: &Vector, step: &Vector) -> f64 {
    let square = determinant(step);
    let slope = u[0] * step[0] - u[1] * step[1] - u[2] * step[2];
    let inner = determinant(u).max(0.0);
    if square >= 0.0 && slope >= 0.0 {
        return f64::INFINITY;
    }
    // The discriminant is negative by round-off only, since all other steps leave the cone.
    let discriminant = (slope * slope - square * inner).max(0.0);
    let below = discriminant.sqrt() - slope;
    if below > 0.0 { inner / below } else { f64::INFINITY }
}

/// The scaling of a pair of vectors inside the cone.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct Scaling {
    pub(super) w: Vector,
    pub(super) eta: f64,
}

impl Scaling {
    /// The scaling without effect.
    pub(in crate::solver) const NONE: Self = Self { w: UNIT, eta: 1.0 };

    /// Returns the scaling of `s` and `z`.
    pub(in crate::solver) fn of(s: &Vector, z: &Vector) -> Self {
        let (root_s, root_z) = (determinant(s).sqrt(), determinant(z).sqrt());
        let (s, z) = (s.map(|u| u / root_s), z.map(|u| u / root_z));
        let twice = 2.0 * ((1.0 + dot(&s, &z)) / 2.0).sqrt();
        let w = [(s[0] + z[0]) / twice, (s[1] - z[1]) / twice, (s[2] - z[2]) / twice];
        Self { w, eta: (root_s / root_z).sqrt() }
    }

    /// Returns `W u`.
    pub(in crate::solver) fn times(&self, u: &Vector) -> Vector {
        let Self { w, eta } = self;
        let along = w[1] * u[1] + w[2] * u[2];
        let turned = u[0] + along / (1.0 + w[0]);
        [eta * (w[0] * u[0] + along), eta * (u[1] + w[1] * turned), eta * (u[2] + w[2] * turned)]
    }

    /// Returns `W^-1 u`.
    pub(in crate::solver) fn under(&self, u: &Vector) -> Vector {
        let Self { w, eta } = self;
        let along = w[1] * u[1] + w[2] * u[2];
        let turned = along / (1.0 + w[0]) - u[0];
        [(w[0] * u[0] - along) / eta, (u[1] + w[1] * turned) / eta, (u[2] + w[2] * turned) / eta]
    }

    /// Returns `W^2`.
    pub(in crate::solver) fn square(&self) -> [Vector; MAX_COMPONENTS] {
        let Self { w, eta } = self;
        let signs = [-1.0, 1.0, 1.0];
        std::array::from_fn(|i| {
            std::array::from_fn(|k| eta * eta * (2.0 * w[i] * w[k] + if i == k { signs[i] } else { 0.0 }))
        })
    }
}
