//! The shapes that a few numbers describe, centred on their origin (the half-space excepted).

use std::f64::consts::PI;

use super::checks::length;
use super::mass::MassProperties;
use crate::error::{Error, Result, all_finite, finite, in_range, not_negative};
use crate::math::{Pose, Vec3};

/// A ball.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sphere {
    /// [m]
    pub(crate) radius: f64,
}

/// A box along the body axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cuboid {
    /// [m]
    pub(crate) half_extents: Vec3,
}

/// All points within `radius` of the segment from `-half_height` to `half_height` on the body's z axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Capsule {
    /// Of the segment, without the caps; may be 0 [m].
    pub(crate) half_height: f64,
    /// [m]
    pub(crate) radius: f64,
}

/// A round cylinder about the body's z axis, with flat ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cylinder {
    /// [m]
    pub(crate) half_height: f64,
    /// [m]
    pub(crate) radius: f64,
}

/// Everything where `normal . x <= offset`, body axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HalfSpace {
    /// Of unit length, out of the solid.
    pub(crate) normal: Vec3,
    /// [m]
    pub(crate) offset: f64,
    /// The normal before it was made a unit vector.
    pub(super) given_normal: Vec3,
}

impl Sphere {
    pub(super) fn new(radius: f64) -> Result<Self> {
        length("radius", radius)?;
        Ok(Self { radius })
    }

    pub(super) fn mass_properties(&self) -> MassProperties {
        let square = self.radius * self.radius;
        let volume = 4.0 / 3.0 * PI * square * self.radius;
        MassProperties::centred(volume, [0.4 * volume * square; 3])
    }
}

impl Cuboid {
    pub(super) fn new(half_extents: [f64; 3]) -> Result<Self> {
        for (axis, half_extent) in half_extents.into_iter().enumerate() {
            length(&format!("half_extents[{axis}]"), half_extent)?;
        }
        Ok(Self { half_extents: Vec3::from(half_extents) })
    }

    pub(super) fn mass_properties(&self) -> MassProperties {
        let [x, y, z]: [f64; 3] = self.half_extents.into();
        let volume = 8.0 * x * y * z;
        let about = |a: f64, b: f64| volume * (a * a + b * b) / 3.0;
        MassProperties::centred(volume, [about(y, z), about(x, z), about(x, y)])
    }
}

impl Capsule {
    pub(super) fn new(half_height: f64, radius: f64) -> Result<Self> {
        not_negative("half_height", half_height)?;
        if half_height > 0.0 {
            length("half_height", half_height)?;
        }
        length("radius", radius)?;
        Ok(Self { half_height, radius })
    }

    pub(super) fn mass_properties(&self) -> MassProperties {
        let (h, r) = (self.half_height, self.radius);
        let (tube, ball) = (2.0 * PI * r * r * h, 4.0 / 3.0 * PI * r * r * r);
        let along = r * r * (0.5 * tube + 0.4 * ball);
        // Each half ball's centroid lies 3r/8 beyond the end of the segment.
        let across = tube * (r * r / 4.0 + h * h / 3.0) + ball * (0.4 * r * r + h * h + 0.75 * h * r);
        MassProperties::centred(tube + ball, [across, across, along])
    }
}

impl Cylinder {
    pub(super) fn new(half_height: f64, radius: f64) -> Result<Self> {
        length("half_height", half_height)?;
        length("radius", radius)?;
        Ok(Self { half_height, radius })
    }

    pub(super) fn mass_properties(&self) -> MassProperties {
        let (h, r) = (self.half_height, self.radius);
        let volume = 2.0 * PI * r * r * h;
        let across = volume * (r * r / 4.0 + h * h / 3.0);
        MassProperties::centred(volume, [across, across, 0.5 * volume * r * r])
    }
}

impl HalfSpace {
    pub(super) fn new(normal: [f64; 3], offset: f64) -> Result<Self> {
        all_finite("normal", &normal)?;
        finite("offset", offset)?;
        if normal == [0.0; 3] {
            return Err(Error::argument(format!("normal is {normal:?}, expected a vector of length 1 within 1e-6")));
        }
        let vector = Vec3::from(normal);
        let norm = vector.norm();
        in_range("the length of normal", norm, (norm - 1.0).abs() <= 1e-6, "1 within 1e-6")?;
        Ok(Self { normal: vector / norm, offset, given_normal: vector })
    }

    /// The plane in world axes: its unit normal, and its offset along it from the world's origin [m].
    pub fn placed(&self, pose: &Pose) -> (Vec3, f64) {
        let normal = pose.matrix * self.normal;
        (normal, self.offset + normal.dot(&pose.origin))
    }
}
