//! A world in a periodic box: what bodies and settings it refuses.
//!
//! A pair of bodies touches in its nearest image alone, so a contact needs no image in its key. That holds as long as the bounding spheres of
//! two bodies and the contact margin fit into half a period.

use crate::body::Motion;
use crate::error::{Error, Number, Result, text};
use crate::math::{Period, Vec3};
use crate::shape::Shape;
use crate::world::state::World;

/// The largest component of a half-space's normal along a periodic axis: round-off of a rotation [-].
const ALONG: f64 = 4.0 * f64::EPSILON;

impl World {
    /// Puts a world without bodies into a periodic box of these lengths; 0 leaves an axis open [m].
    ///
    /// # Errors
    ///
    /// A length is not one, the contact margin does not fit into half of it, or there are bodies.
    pub fn with_period(mut self, lengths: [f64; 3]) -> Result<Self> {
        let bodies = self.body_count();
        if bodies != 0 {
            return Err(Error::argument(text!(
                "the world has {bodies} bodies; a period is given to one without bodies"
            )));
        }
        self.period = Period::new(lengths)?;
        self.check_margin(self.settings.contact_margin)?;
        Ok(self)
    }

    /// Returns the lengths of the periodic box; 0 along open axes [m].
    pub fn period(&self) -> [f64; 3] {
        (*self.period.lengths()).into()
    }

    /// Checks that a body fits into the box.
    pub(in crate::world) fn check_image(&self, shape: &Shape, motion: &Motion) -> Result<()> {
        self.check_image_within(shape, motion, ("contact_margin", self.settings.contact_margin))
    }

    /// Checks that a shape fits into the box with a named margin.
    pub(in crate::world) fn check_image_within(
        &self,
        shape: &Shape,
        motion: &Motion,
        margin: (&str, f64),
    ) -> Result<()> {
        if self.period.is_open() {
            return Ok(());
        }
        match shape {
            Shape::HalfSpace(half_space) => self.check_half_space(&(motion.rotation * half_space.normal), motion),
            shape => check_radius(&self.period, shape.bounding_radius(), margin),
        }
    }

    /// Checks that all bodies and the contact margin fit into the box.
    pub(in crate::world) fn check_images(&self) -> Result<()> {
        self.check_margin(self.settings.contact_margin)?;
        let of = |slot: &u32| (self.shapes.get(self.bodies.traits[*slot as usize].shape), *slot as usize);
        let mut shapes = self.bodies.order.iter().map(of).filter_map(|(shape, at)| shape.zip(Some(at)));
        shapes.try_for_each(|(shape, at)| self.check_image(shape, &self.bodies.motion[at]))
    }

    /// Checks that the bodies fit into the box with a contact margin.
    pub(in crate::world) fn check_margin(&self, margin: f64) -> Result<()> {
        if self.period.is_open() { Ok(()) } else { self.check_margin_in(&self.period, margin) }
    }

    /// Checks that the bodies fit into a box of this period with a contact margin.
    pub(in crate::world) fn check_margin_in(&self, period: &Period, margin: f64) -> Result<()> {
        let radius = |slot: &u32| {
            let shape = self.shapes.get(self.bodies.traits[*slot as usize].shape);
            shape.map(Shape::bounding_radius).filter(|radius| radius.is_finite())
        };
        let largest = self.bodies.order.iter().filter_map(radius).fold(0.0, f64::max);
        check_radius(period, largest, ("contact_margin", margin))
    }

    /// Checks that a half-space is the same in all images, and stays so.
    fn check_half_space(&self, normal: &Vec3, motion: &Motion) -> Result<()> {
        let is_periodic = |axis: &usize| self.period.lengths()[*axis] > 0.0;
        if let Some(axis) = (0..3).filter(is_periodic).find(|axis| normal[*axis].abs() > ALONG) {
            let [along, length] = [normal[axis], self.period.lengths()[axis]].map(Number);
            return Err(Error::argument(text!(
                "the half-space's normal has the component {along} along axis {axis}, where period[{axis}] is {length} m; it must be 0"
            )));
        }
        if motion.angular != Vec3::zeros() {
            let angular = motion.angular.as_slice();
            return Err(Error::argument(text!(
                "angular_velocity is {angular:?}; a half-space in a periodic box must not turn"
            )));
        }
        Ok(())
    }
}

/// Checks that two bounding spheres of this radius and a named margin fit into half of each period.
fn check_radius(period: &Period, radius: f64, (name, margin): (&str, f64)) -> Result<()> {
    let lengths = period.lengths();
    let Some(axis) = (0..3).find(|axis| lengths[*axis] > 0.0 && 2.0 * radius + margin > 0.5 * lengths[*axis]) else {
        return Ok(());
    };
    let [length, radius, margin] = [lengths[axis], radius, margin].map(Number);
    Err(Error::argument(text!(
        "period[{axis}] is {length} m, the radius of a bounding sphere is {radius} m and {name} is {margin} m; twice the radius and \
         the margin must be at most half of the period, so that two bodies touch in one image only"
    )))
}
