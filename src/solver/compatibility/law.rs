//! The force of an elastic contact with friction, as a function of how far it is pressed together and sheared.
//!
//! In units in which tangential and normal stiffness are one: shear times `sqrt(k_t / k_n)`, friction force over it. Then
//! the cone has the slope `nu = mu / sqrt(k_t / k_n)`, and with `P` the Euclidean projection on it
//!
//! ```text
//! f = k |P e|^(p-2) P e
//! ```
//!
//! which is the gradient of `k / p |P e|^p`. For `p = 2` that is the projection of the trial force on the cone in the
//! metric of the compliance; without friction it is `k max(e_n, 0)^(p-1)`. The elastic form has, in place of `P`, the
//! return of the shear to the cone at the same compression; it has no potential. Between the two lie returns that dilate
//! less: to the compression `e_n + d nu (|e_t| - nu e_n) / (1 + nu^2)`, `d = 1` being `P` and `d = 0` the elastic form.

use crate::math::elementary::power;

/// The law of the contacts of a network.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::solver) struct Law {
    /// `p`.
    pub(in crate::solver) exponent: f64,
    /// `d`: how far sliding presses a contact apart, from 0 of the elastic form to 1 of the associated one [-].
    pub(in crate::solver) dilation: f64,
}

/// A contact's own numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::solver) struct Traits {
    /// `k`.
    pub(in crate::solver) stiffness: f64,
    /// `nu`.
    pub(in crate::solver) slope: f64,
}

/// Where a trial lies.
enum Zone<const R: usize> {
    Open,
    Stick,
    Slide(Slide<R>),
}

/// A trial that returns to the side of the cone.
struct Slide<const R: usize> {
    /// Where the return ends along the normal.
    normal: f64,
    /// The magnitude of the shear, and its direction behind a leading 0.
    shear: f64,
    direction: [f64; R],
}

impl Law {
    fn zone<const R: usize>(&self, e: &[f64; R], slope: f64) -> Zone<R> {
        let shear = e[1..].iter().map(|e| e * e).sum::<f64>().sqrt();
        // without friction nothing sticks, where there are shears at all
        if shear <= slope * e[0] && e[0] > 0.0 && (R == 1 || slope > 0.0) {
            return Zone::Stick;
        }
        let (along, across) = self.shares(slope);
        let normal = along * e[0] + across * shear;
        if normal <= 0.0 {
            return Zone::Open;
        }
        let mut direction = e.map(|e| if shear > 0.0 { e / shear } else { 0.0 });
        direction[0] = 0.0;
        Zone::Slide(Slide { normal, shear, direction })
    }

    /// Of the compression and of the shear in the compression where a slide returns to.
    fn shares(&self, slope: f64) -> (f64, f64) {
        let (square, whole) = (slope * slope, 1.0 + slope * slope);
        ((1.0 + (1.0 - self.dilation) * square) / whole, self.dilation * slope / whole)
    }

    /// `|e|^(p-2)` of a point of the cone.
    fn growth(&self, size: f64) -> f64 {
        // The usual exponents need no power.
        if self.exponent == 2.0 {
            1.0
        } else if self.exponent == 2.5 {
            size.sqrt()
        } else {
            power(size, self.exponent - 2.0)
        }
    }

    /// The force.
    #[inline]
    pub(in crate::solver) fn force<const R: usize>(&self, traits: &Traits, e: &[f64; R]) -> [f64; R] {
        let returned = match self.zone(e, traits.slope) {
            Zone::Open => return [0.0; R],
            Zone::Stick => *e,
            Zone::Slide(slide) => slide.end(traits.slope),
        };
        let factor = traits.stiffness * self.growth(norm(&returned));
        returned.map(|e| factor * e)
    }

    /// How far a normal force presses a contact together.
    pub(super) fn compression(&self, traits: &Traits, force: f64) -> f64 {
        power(force / traits.stiffness, 1.0 / (self.exponent - 1.0))
    }

    /// The derivative of the force; symmetric and positive semidefinite where `d = 1`.
    #[inline]
    pub(in crate::solver) fn tangent<const R: usize>(&self, traits: &Traits, e: &[f64; R]) -> [[f64; R]; R] {
        let (returned, mut tangent) = match self.zone(e, traits.slope) {
            Zone::Open => return [[0.0; R]; R],
            Zone::Stick => (*e, unit()),
            Zone::Slide(slide) => {
                let (along, across) = self.shares(traits.slope);
                (slide.end(traits.slope), slide.tangent(traits.slope, along, across))
            }
        };
        let size = norm(&returned);
        let factor = traits.stiffness * self.growth(size);
        if self.exponent != 2.0 {
            // P e is an eigenvector of its own derivative, to the eigenvalue 1 or, along the shear, on the left
            let direction = returned.map(|e| e / size);
            let along: [f64; R] =
                std::array::from_fn(|column| (0..R).map(|row| direction[row] * tangent[row][column]).sum());
            for (row, direction) in tangent.iter_mut().zip(direction) {
                for (entry, along) in row.iter_mut().zip(along) {
                    *entry += (self.exponent - 2.0) * direction * along;
                }
            }
        }
        tangent.map(|row| row.map(|entry| factor * entry))
    }
}

impl<const R: usize> Slide<R> {
    fn end(&self, slope: f64) -> [f64; R] {
        let mut point = self.direction.map(|d| self.normal * slope * d);
        point[0] = self.normal;
        point
    }

    /// The derivative of the return.
    fn tangent(&self, slope: f64, along: f64, across: f64) -> [[f64; R]; R] {
        let mut edge = self.direction.map(|d| slope * d);
        edge[0] = 1.0;
        let mut gradient = self.direction.map(|d| across * d);
        gradient[0] = along;
        let turning = if slope > 0.0 { slope * self.normal / self.shear } else { 0.0 };
        let mut tangent: [[f64; R]; R] = std::array::from_fn(|row| gradient.map(|g| edge[row] * g));
        for (row, entries) in tangent.iter_mut().enumerate().skip(1) {
            for (column, entry) in entries.iter_mut().enumerate().skip(1) {
                let across = if row == column { 1.0 } else { 0.0 } - self.direction[row] * self.direction[column];
                *entry += turning * across;
            }
        }
        tangent
    }
}

fn norm<const R: usize>(e: &[f64; R]) -> f64 {
    // the only part, exactly
    if R == 1 { e[0] } else { e.iter().map(|e| e * e).sum::<f64>().sqrt() }
}

fn unit<const R: usize>() -> [[f64; R]; R] {
    std::array::from_fn(|row| std::array::from_fn(|column| if row == column { 1.0 } else { 0.0 }))
}
