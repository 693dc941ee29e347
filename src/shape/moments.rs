//! Volume, first and second moments of solids, and what of them a body needs.

use crate::math::{Mat3, Pose, Symmetric3, Vec3};

/// Volume, centre and second moments of a body of unit density.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MassProperties {
    /// [m^3]
    pub volume: f64,
    /// Mass for density 1: the volume, but of a clump each part's volume times its density factor [m^3].
    pub mass: f64,
    /// Centre of mass, body axes, from the shape's origin [m].
    pub center: Vec3,
    /// Inertia about the centre of mass, body axes, for density 1 [m^5].
    pub inertia: Symmetric3,
}

/// The integrals over a solid of 1, of `x` and of `x x^T`, with `x` counted from some origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Moments {
    /// [m^3]
    pub(super) volume: f64,
    /// [m^4]
    pub(super) first: Vec3,
    /// [m^5]
    pub(super) second: Mat3,
}

impl MassProperties {
    /// Of a body whose centre is its origin and whose principal axes are the body axes.
    pub(super) fn centred(volume: f64, inertia: [f64; 3]) -> Self {
        Self { volume, mass: volume, center: Vec3::zeros(), inertia: Symmetric3::diagonal(inertia) }
    }

    /// Of the same body at a place: its centre and its inertia in the axes in which the pose is given.
    pub(super) fn placed(&self, pose: &Pose) -> Self {
        Self { center: pose.to_world(&self.center), inertia: self.inertia.rotated(&pose.matrix), ..*self }
    }

    /// Of several bodies as one. There is at least one that has a volume.
    pub(super) fn sum(parts: &[Self]) -> Self {
        let total = |of: fn(&Self) -> f64| parts.iter().map(of).sum::<f64>();
        let (volume, mass) = (total(|part| part.volume), total(|part| part.mass));
        // From the first centre, so that a clump far from its origin loses no digits.
        let origin = parts.first().map_or(Vec3::zeros(), |part| part.center);
        let center = origin + parts.iter().map(|part| (part.center - origin) * (part.mass / mass)).sum::<Vec3>();
        let inertia = parts.iter().fold(Mat3::zeros(), |sum, part| {
            let arm = part.center - center;
            sum + part.inertia.to_matrix() + (Mat3::identity() * arm.norm_squared() - arm * arm.transpose()) * part.mass
        });
        Self { volume, mass, center, inertia: Symmetric3::from_matrix(&inertia) }
    }

    /// With this density instead of 1.
    pub(super) fn weighted(&self, density: f64) -> Self {
        Self { mass: self.mass * density, inertia: self.inertia.scaled(density), ..*self }
    }
}

impl Moments {
    pub(super) fn zero() -> Self {
        Self { volume: 0.0, first: Vec3::zeros(), second: Mat3::zeros() }
    }

    /// Of the polyhedron bounded by `triangles`, wound counterclockwise as seen from outside, counted from `apex`.
    ///
    /// The sum over the tetrahedra between `apex` and each triangle, signed: exact for every apex, and accurate for
    /// one inside. A tetrahedron with edges `a b c` from the apex and determinant `d` has the volume `d/6`, the first
    /// moment `d/24 (a+b+c)` and the second moment `d/120 (aa' + bb' + cc' + ss')`, `s = a+b+c`.
    pub(super) fn of_polyhedron(apex: &Vec3, triangles: impl Iterator<Item = [Vec3; 3]>) -> Self {
        let arms = triangles.map(|corners| corners.map(|corner| corner - apex));
        Self::of_tetrahedra(arms.map(|[a, b, c]| (a.dot(&b.cross(&c)), [a, b, c])))
    }

    /// Of tetrahedra with a common corner, given by their determinants and the edges from it, counted from it.
    pub(super) fn of_tetrahedra(tetrahedra: impl Iterator<Item = (f64, [Vec3; 3])>) -> Self {
        let mut sum = Self::zero();
        for (d, [a, b, c]) in tetrahedra {
            let s = a + b + c;
            sum.volume += d;
            sum.first += s * d;
            sum.second += [a, b, c, s].iter().map(|v| v * v.transpose()).sum::<Mat3>() * d;
        }
        Self { volume: sum.volume / 6.0, first: sum.first / 24.0, second: sum.second / 120.0 }
    }

    /// Of a body of density 1, counted from the origin of its axes.
    pub(super) fn of(body: &MassProperties) -> Self {
        let inertia = body.inertia.to_matrix();
        let about_center = Mat3::identity() * (0.5 * inertia.trace()) - inertia;
        let MassProperties { volume, center, .. } = *body;
        let second = about_center + center * center.transpose() * volume;
        Self { volume, first: center * volume, second }
    }

    /// Of a body of density 1, where the moments are counted from `origin`.
    pub(super) fn properties(&self, origin: &Vec3) -> MassProperties {
        let shift = self.first / self.volume;
        let about_center = self.second - shift * shift.transpose() * self.volume;
        let inertia = Mat3::identity() * about_center.trace() - about_center;
        let (volume, inertia) = (self.volume, Symmetric3::from_matrix(&inertia));
        MassProperties { volume, mass: volume, center: origin + shift, inertia }
    }

    /// Adds those of another solid, times `factor`, counted from the same origin.
    pub(super) fn add(&mut self, other: &Self, factor: f64) {
        self.volume += other.volume * factor;
        self.first += other.first * factor;
        self.second += other.second * factor;
    }

    /// Of the solid made larger by `factor` and moved by `shift`.
    pub(super) fn moved(&self, factor: f64, shift: &Vec3) -> Self {
        let cube = factor * factor * factor;
        let (volume, first) = (self.volume * cube, self.first * (cube * factor));
        let mixed = first * shift.transpose();
        let second = self.second * (cube * factor * factor);
        Self {
            volume,
            first: first + shift * volume,
            second: second + mixed + mixed.transpose() + shift * shift.transpose() * volume,
        }
    }
}
