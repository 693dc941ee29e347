//! The force of an elastic contact with friction, as a function of its compression and shear.
//!
//! The units are such that tangential and normal stiffness are one: the shear is multiplied by `sqrt(k_t / k_n)`, and
//! the friction force is divided by it. The cone then has the slope `nu = mu / sqrt(k_t / k_n)`. With the Euclidean
//! projection `P` on the cone, the force is
//!
//! ```text
//! f = k |P e|^(p-2) P e
//! ```
//!
//! which is the gradient of `k / p |P e|^p`. For `p = 2` it is the projection of the trial force on the cone in the
//! metric of the compliance. Without friction it is `k max(e_n, 0)^(p-1)`. In the elastic form `P` is replaced by the
//! return of the shear to the cone at the same compression, which has no potential. Between the two forms the return
//! dilates less, to the compression `e_n + d nu (|e_t| - nu e_n) / (1 + nu^2)`. Here `d = 1` is `P`, and `d = 0` is the
//! elastic form.

use crate::math::elementary::power;

/// The law of the contacts of a network.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::solver) struct Law {
    /// `p`.
    pub(in crate::solver) exponent: f64,
    /// `d`: how far sliding compresses a contact, from 0 of the elastic form to 1 of the associated one [-].
    pub(in crate::solver) dilation: f64,
}

/// The parameters of a contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::solver) struct Traits {
    /// `k`.
    pub(in crate::solver) stiffness: f64,
    /// `nu`.
    pub(in crate::solver) slope: f64,
}

/// The zone in which a trial lies.
enum Zone<const R: usize> {
    Open,
    Stick,
    Slide(Slide<R>),
}

/// A trial that returns to the side of the cone.
struct Slide<const R: usize> {
    /// The normal part of the point to which the trial returns.
    normal: f64,
    /// The magnitude of the shear. Below, its direction, with a zero in the first place.
    shear: f64,
    direction: [f64; R],
}

impl Law {
    fn zone<const R: usize>(&self, e: &[f64; R], slope: f64) -> Zone<R> {
        let shear = e[1..].iter().map(|e| e * e).sum::<f64>().sqrt();
        // Without friction no contact sticks if there are shears.
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

    /// Returns the weights of compression and shear in the compression to which a slide returns.
    fn shares(&self, slope: f64) -> (f64, f64) {
        let (square, whole) = (slope * slope, 1.0 + slope * slope);
        ((1.0 + (1.0 - self.dilation) * square) / whole, self.dilation * slope / whole)
    }

    /// Returns `|e|^(p-2)` of a point of the cone.
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

    /// Returns the force.
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

    /// Returns the compression of a contact by a normal force.
    pub(super) fn compression(&self, traits: &Traits, force: f64) -> f64 {
        power(force / traits.stiffness, 1.0 / (self.exponent - 1.0))
    }

    /// Returns the derivative of the force. It is symmetric and positive semidefinite if `d = 1`.
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
            // `P e` is an eigenvector of its own derivative, with the eigenvalue 1. Along the shear it is a left
            // eigenvector.
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

    /// Returns the derivative of the return.
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
    // Exact for a single component.
    if R == 1 { e[0] } else { e.iter().map(|e| e * e).sum::<f64>().sqrt() }
}

fn unit<const R: usize>() -> [[f64; R]; R] {
    std::array::from_fn(|row| std::array::from_fn(|column| if row == column { 1.0 } else { 0.0 }))
}
