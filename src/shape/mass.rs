//! Volume, centre and second moments of a body of unit density; and of a closed polyhedron, by exact integration.

use crate::math::{Mat3, Symmetric3, Vec3};

/// Volume, centre and second moments of a body of unit density.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MassProperties {
    /// [m^3]
    pub volume: f64,
    /// Centre of mass, body axes, from the shape's origin [m].
    pub center: Vec3,
    /// Inertia about the centre of mass, body axes, for density 1 [m^5].
    pub inertia: Symmetric3,
}

impl MassProperties {
    /// Of a body whose centre is its origin and whose principal axes are the body axes.
    pub(super) fn centred(volume: f64, inertia: [f64; 3]) -> Self {
        Self { volume, center: Vec3::zeros(), inertia: Symmetric3::diagonal(inertia) }
    }

    /// Of the polyhedron bounded by `triangles`, wound counterclockwise as seen from outside.
    ///
    /// The sum over the tetrahedra between `apex` and each triangle, signed: exact for every apex, and accurate for
    /// one inside. A tetrahedron with edges `a b c` from the apex and determinant `d` has the volume `d/6`, the first
    /// moment `d/24 (a+b+c)` and the second moment `d/120 (aa' + bb' + cc' + ss')`, `s = a+b+c`.
    pub(super) fn of_polyhedron(apex: &Vec3, triangles: impl Iterator<Item = [Vec3; 3]>) -> Self {
        let (mut volume, mut first, mut second) = (0.0, Vec3::zeros(), Mat3::zeros());
        for corners in triangles {
            let [a, b, c] = corners.map(|corner| corner - apex);
            let (d, s) = (a.dot(&b.cross(&c)), a + b + c);
            volume += d / 6.0;
            first += s * (d / 24.0);
            second += [a, b, c, s].iter().map(|v| v * v.transpose()).sum::<Mat3>() * (d / 120.0);
        }
        let shift = first / volume;
        let about_center = second - shift * shift.transpose() * volume;
        let inertia = Mat3::identity() * about_center.trace() - about_center;
        Self { volume, center: apex + shift, inertia: Symmetric3::from_matrix(&inertia) }
    }
}
