//! Images: in a periodic box everything stands in each of the boxes side by side. Points are moved into the box at the origin, and see
//! the images in it and around it.

use crate::error::{Error, Number, Result, text};
use crate::math::{Aabb, Period, Vec3};

use super::kernel::Kernel;

/// A kernel may reach over so many boxes. It bounds the number of images.
const FARTHEST: f64 = 4.0;
/// More images along an axis than any body or branch has, which are no longer than the box.
const MAX_IMAGES: u32 = 12;

/// Where the images are that points in the box see.
#[derive(Debug, Clone, Copy)]
pub(super) struct Images {
    period: Period,
    /// How far points see [m].
    reach: f64,
}

impl Images {
    /// Returns the images that points see with this kernel. They see further than its radius by the factor `margin` [-].
    ///
    /// # Errors
    ///
    /// The kernel reaches more than four boxes far.
    pub(super) fn new(period: &Period, kernel: &Kernel, margin: f64) -> Result<Self> {
        let shortest = period.lengths().iter().filter(|length| **length > 0.0).fold(f64::INFINITY, |a, b| a.min(*b));
        if kernel.radius() <= FARTHEST * shortest {
            return Ok(Self { period: *period, reach: margin * kernel.radius() });
        }
        let [width, radius, shortest] = [kernel.width(), kernel.radius(), shortest].map(Number);
        Err(Error::argument(text!(
            "width is {width} m, with which the kernel reaches {radius} m, expected at most four periods of {shortest} m"
        )))
    }

    /// Returns the image of a point in the box at the origin.
    pub(super) fn inside(&self, point: &Vec3) -> Vec3 {
        point - self.period.whole(point)
    }

    /// Calls `add` with the shift from a thing within these bounds to each of its images that points in the box can see [m].
    pub(super) fn each(&self, bounds: &Aabb, mut add: impl FnMut(&Vec3) -> Result<()>) -> Result<()> {
        for x in self.along(0, bounds) {
            for y in self.along(1, bounds) {
                for z in self.along(2, bounds) {
                    add(&Vec3::new(x, y, z))?;
                }
            }
        }
        Ok(())
    }

    /// The shifts along an axis, whole periods.
    fn along(&self, axis: usize, bounds: &Aabb) -> impl Iterator<Item = f64> + use<> {
        let (length, reach) = (self.period.lengths()[axis], self.reach);
        let periods = |shift: f64| if length > 0.0 { shift / length } else { 0.0 };
        let first = periods(-reach - bounds.upper[axis]).ceil();
        let last = periods(length + reach - bounds.lower[axis]).floor();
        (0..MAX_IMAGES)
            .map(move |number| (number, first + f64::from(number)))
            .take_while(move |(_, at)| *at <= last)
            // Very far out sums are rounded, so that an image would be counted several times.
            .filter(move |(number, at)| at - first == f64::from(*number))
            .map(move |(_, at)| at * length)
    }
}
