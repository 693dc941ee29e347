//! How fast the images of bodies move in a box whose periods change.
//!
//! A contact of body a is with the nearest image of body b, which is whole periods away from b. If the periods grow at the rates `r`, that
//! image moves relative to b by `-r` times the vector that leads from it to b. The periods are those at the start of the step: in a step of
//! length `h` the image then moves as far as the new periods ask for, to round-off.

use crate::contact::ContactList;
use crate::error::{Error, Number, Result, empty, text};
use crate::math::{ListPlace, Vec3, is_within};
use crate::world::detect::Detector;

/// The fastest image, each component [m/s].
const FASTEST: f64 = 1e50;

/// By place in the list, the velocity of the nearest image of body b over that of b itself [m/s]. Empty where no image moves.
#[derive(Debug, Default)]
pub(in crate::world) struct ImageVelocities {
    all: Vec<Vec3>,
    /// The largest speed [m/s].
    fastest: f64,
}

/// What the velocities of images follow from.
#[derive(Clone, Copy)]
pub(in crate::world) struct ImageInput<'a> {
    pub(in crate::world) detector: &'a Detector,
    /// The rates at which the periods grow [1/s].
    pub(in crate::world) rates: &'a Vec3,
}

impl ImageVelocities {
    /// Finds the velocities of the images in the contacts of a list, at `pace` times the rates.
    ///
    /// # Errors
    ///
    /// An image is faster than 1e50 m/s, or memory is exhausted.
    pub(in crate::world) fn find(&mut self, input: &ImageInput, contact_list: &ContactList, pace: f64) -> Result<()> {
        let rates = pace * input.rates;
        let count = if rates == Vec3::zeros() { 0 } else { contact_list.len() };
        empty(&mut self.all, count, "contacts")?;
        self.fastest = 0.0;
        for record in &contact_list.records[..count] {
            // Zeros stay positive.
            let excess = input.detector.excess(record.body_a, record.body_b);
            let velocity = Vec3::zeros() - rates.component_mul(&excess);
            if !is_within(&velocity, FASTEST) {
                let speed = Number(velocity.amax());
                return Err(Error::argument(text!(
                    "strain_rate is {:?} 1/s, which moves an image at {speed} m/s; expected at most 1e50 m/s",
                    input.rates.as_slice()
                )));
            }
            self.fastest = self.fastest.max(velocity.norm());
            self.all.push(velocity);
        }
        if self.fastest == 0.0 {
            self.all.clear();
        }
        Ok(())
    }

    /// Returns whether any image moves.
    pub(in crate::world) fn are_moving(&self) -> bool {
        !self.all.is_empty()
    }

    /// Returns the largest speed of an image [m/s].
    pub(in crate::world) fn fastest(&self) -> f64 {
        self.fastest
    }

    /// Returns the velocity of the image in the contact at a place of the list, if it moves [m/s].
    #[inline(always)]
    pub(in crate::world) fn of(&self, place: ListPlace) -> Option<&Vec3> {
        self.all.get(place.index()).filter(|velocity| **velocity != Vec3::zeros())
    }

    /// Returns its part along a normal; 0 if the image does not move [m/s].
    #[inline(always)]
    pub(in crate::world) fn along(&self, place: ListPlace, normal: &Vec3) -> f64 {
        self.of(place).map_or(0.0, |velocity| normal.dot(velocity))
    }
}
