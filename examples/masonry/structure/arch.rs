//! Arches of true sectors of a ring, with joints that point to the centre.

use std::f64::consts::PI;
use std::ops::Range;

use super::super::support::Failure;
use super::{DENSITY, Structure, Wrench};

/// Of supports along the ring [rad].
const SUPPORT: f64 = 0.1;

/// A semicircular arch, or a part of one.
#[derive(Debug, Clone)]
pub(crate) struct Arch {
    /// Of the centre line [m].
    pub(crate) radius: f64,
    /// [m]
    pub(crate) thickness: f64,
    pub(crate) voussoirs: usize,
    /// Where joints begin and end, from the x axis [rad].
    pub(crate) angles: Range<f64>,
    pub(crate) friction: f64,
}

impl Arch {
    /// Returns a semicircular arch of a centre line of radius 1 m.
    pub(crate) fn semicircle(voussoirs: usize, thickness: f64, friction: f64) -> Self {
        Self { radius: 1.0, thickness, voussoirs, angles: 0.0..PI, friction }
    }

    /// Builds the arch. The first and the last block are its supports, the others run from the positive x axis.
    ///
    /// # Errors
    ///
    /// Those of the library.
    pub(crate) fn build(&self) -> Result<Structure, Failure> {
        let mut structure = Structure::planar(self.friction)?;
        self.add_to(&mut structure)?;
        Ok(structure)
    }

    fn add_to(&self, structure: &mut Structure) -> Result<(), Failure> {
        let joint = |place: usize| self.corners(self.angle(place));
        let Range { start, end } = self.angles;
        structure.prism(&self.outline(self.corners(start - SUPPORT), joint(0)), true)?;
        for place in 0..self.voussoirs {
            let outline = self.outline(joint(place), joint(place + 1));
            let (area, from_center) = self.sector();
            let (sine, cosine) = (0.5 * (self.angle(place) + self.angle(place + 1))).sin_cos();
            structure.prism_as(&outline, [from_center * cosine, from_center * sine], DENSITY * area)?;
        }
        structure.prism(&self.outline(joint(self.voussoirs), self.corners(end + SUPPORT)), true)?;
        Ok(())
    }

    fn angle(&self, joint: usize) -> f64 {
        let share = joint as f64 / self.voussoirs as f64;
        self.angles.start + share * (self.angles.end - self.angles.start)
    }

    /// Returns the inner and the outer end of a joint.
    fn corners(&self, angle: f64) -> [[f64; 2]; 2] {
        let (sine, cosine) = angle.sin_cos();
        self.radii().map(|radius| [radius * cosine, radius * sine])
    }

    fn radii(&self) -> [f64; 2] {
        [self.radius - 0.5 * self.thickness, self.radius + 0.5 * self.thickness]
    }

    fn outline(&self, [inner, outer]: [[f64; 2]; 2], [next_inner, next_outer]: [[f64; 2]; 2]) -> [[f64; 2]; 4] {
        [inner, outer, next_outer, next_inner]
    }

    /// Returns the area of a true sector, and how far its centroid is from the centre of the ring.
    fn sector(&self) -> (f64, f64) {
        let half = 0.5 * (self.angles.end - self.angles.start) / self.voussoirs as f64;
        let [inner, outer] = self.radii();
        let square = outer * outer - inner * inner;
        (half * square, 2.0 / 3.0 * (outer.powi(3) - inner.powi(3)) / square * half.sin() / half)
    }

    /// Returns the load of 1 N down on the middle of the arch, by halves if a joint is there.
    pub(crate) fn crown(&self) -> Vec<(usize, Wrench)> {
        let middle = self.voussoirs.div_ceil(2);
        let down = |share: f64| [0.0, 0.0, -share, 0.0, 0.0, 0.0];
        if self.voussoirs % 2 == 1 {
            vec![(middle, down(1.0))]
        } else {
            vec![(middle, down(0.5)), (middle + 1, down(0.5))]
        }
    }

    /// Returns the largest load on the crown that the arch carries in addition to its weight, negative where it does not carry that [N].
    pub(crate) fn reserve(&self) -> Result<f64, Failure> {
        let mut structure = self.build()?;
        let load = structure.load(&self.crown());
        Ok(structure.limit(&load)?.load_factor)
    }
}
