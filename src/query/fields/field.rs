//! The fields at one point, and the sums that they are made of.

use crate::error::{Error, Result, all_finite, finite, text};
use crate::math::{Aabb, Mat3, Vec3};

use super::kernel::Kernel;

/// A body as the fields see it: a point with mass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grain {
    /// Its centre of mass, world axes [m].
    pub position: Vec3,
    /// Of the centre of mass [m/s].
    pub velocity: Vec3,
    /// [kg]
    pub mass: f64,
    /// [m^3]
    pub volume: f64,
}

/// A contact as the fields see it: a line that carries a force.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Branch {
    /// Where it starts, world axes [m].
    pub start: Vec3,
    /// From there to its end, from body a to body b [m].
    pub branch: Vec3,
    /// On body b [N].
    pub force: Vec3,
}

impl Branch {
    /// Returns the box around the line.
    pub(super) fn bounds(&self) -> Aabb {
        let end = self.start + self.branch;
        Aabb { lower: self.start.inf(&end), upper: self.start.sup(&end) }
    }
}

/// The fields at one point. `dry_field` of the C interface documents each member.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[allow(missing_docs)] // documented once, at `dry_field`
pub struct Field {
    pub density: f64,
    pub momentum: [f64; 3],
    pub velocity: [f64; 3],
    pub packing_fraction: f64,
    pub granular_temperature: f64,
    pub kinetic_stress: [f64; 9],
    pub contact_stress: [f64; 9],
}

impl Field {
    /// Returns the fields at `point` of these grains and branches, which are added in their order.
    pub(super) fn at<'a>(
        point: &Vec3,
        kernel: &Kernel,
        grains: impl Iterator<Item = &'a Grain>,
        branches: impl Iterator<Item = &'a Branch>,
    ) -> Self {
        let mut matter = Matter::default();
        for grain in grains {
            let weight = kernel.at((point - grain.position).norm_squared());
            if weight > 0.0 {
                matter.add(grain, weight);
            }
        }
        let mut carried = Mat3::zeros();
        for Branch { start, branch, force } in branches {
            let weight = kernel.along(&(point - start), branch);
            if weight > 0.0 {
                carried += (branch * weight) * force.transpose();
            }
        }
        matter.field(&carried)
    }

    /// Refuses fields that are beyond the largest number.
    pub(super) fn check(&self) -> Result<()> {
        finite("density", self.density)?;
        all_finite("momentum", &self.momentum)?;
        all_finite("velocity", &self.velocity)?;
        finite("packing_fraction", self.packing_fraction)?;
        finite("granular_temperature", self.granular_temperature)?;
        all_finite("kinetic_stress", &self.kinetic_stress)?;
        all_finite("contact_stress", &self.contact_stress)
    }

    /// The same, for the point of this number.
    pub(super) fn check_at(&self, index: usize) -> Result<()> {
        self.check().map_err(|error: Error| error.at(text!("fields[{index}].")))
    }
}

/// The sums over grains near a point.
#[derive(Debug, Clone, Copy, Default)]
struct Matter {
    density: f64,
    momentum: Vec3,
    packing_fraction: f64,
    /// The mean velocity so far.
    mean: Vec3,
    /// The sum of `m (v - V) (x) (v - V) phi`. It is kept about the mean so far, which loses no digits where all move alike.
    scatter: Mat3,
}

impl Matter {
    fn add(&mut self, grain: &Grain, weight: f64) {
        let mass = grain.mass * weight;
        let before = self.density;
        self.density += mass;
        self.momentum += grain.velocity * mass;
        self.packing_fraction += grain.volume * weight;
        if self.density > 0.0 {
            let apart = grain.velocity - self.mean;
            let share = mass / self.density;
            self.scatter += (apart * (before * share)) * apart.transpose();
            self.mean += apart * share;
        }
    }

    fn field(&self, carried: &Mat3) -> Field {
        let Self { density, momentum, packing_fraction, mean: _, scatter } = self;
        let per_mass = |sum: f64| if *density > 0.0 { sum / density } else { 0.0 };
        let rows = |of: &Mat3| std::array::from_fn(|entry| 0.0 - of[(entry / 3, entry % 3)]);
        Field {
            density: *density,
            momentum: (*momentum).into(),
            velocity: momentum.map(per_mass).into(),
            packing_fraction: *packing_fraction,
            granular_temperature: per_mass(scatter.trace()) / 3.0,
            kinetic_stress: rows(scatter),
            contact_stress: rows(carried),
        }
    }
}
