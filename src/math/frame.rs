//! Places and directions: the pose of a body-fixed frame, boxes along the world axes, and tangents to a normal. Finite rotations: the
//! Cayley map, and the drift of a rigid body that carries its angular momentum.

use crate::error::{Result, all_finite, in_range, text};

use super::elementary::{power_of_two, sin_cos};
use super::lanes::Vec3s;
use super::vector::{Mat3, Quat, Quaternion, Symmetric3, Vec3};

/// Where a body-fixed frame is: `world = origin + rotation * local`.
///
/// The quaternion is the truth; the matrix is kept beside it because detection applies it many times.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// The frame's origin, world axes [m].
    pub origin: Vec3,
    /// Body axes to world axes.
    pub rotation: Quat,
    /// The same rotation as a matrix.
    pub matrix: Mat3,
}

impl Pose {
    /// The pose with this origin and rotation.
    pub fn new(origin: Vec3, rotation: Quat) -> Self {
        Self { origin, rotation, matrix: *rotation.to_rotation_matrix().matrix() }
    }

    /// The frame of the world.
    pub fn world() -> Self {
        Self::new(Vec3::zeros(), Quat::identity())
    }

    /// The frame that has this pose in a frame with the pose `outer`.
    pub fn within(&self, outer: &Self) -> Self {
        let (rotation, matrix) = (outer.rotation * self.rotation, outer.matrix * self.matrix);
        Self { origin: outer.to_world(&self.origin), rotation, matrix }
    }

    /// A point given in body axes, in world axes.
    pub fn to_world(&self, local: &Vec3) -> Vec3 {
        self.origin + self.matrix * local
    }

    /// A point given in world axes, in body axes.
    pub fn to_local(&self, world: &Vec3) -> Vec3 {
        self.matrix.tr_mul(&(world - self.origin))
    }
}

/// The rotation of an `(x, y, z, w)` quaternion, normalised if its length is 1 within 1e-6, else refused.
pub fn unit_quaternion(name: &str, xyzw: &[f64; 4]) -> Result<Quat> {
    all_finite(name, xyzw)?;
    let [x, y, z, w] = *xyzw;
    let length = (x * x + y * y + z * z + w * w).sqrt();
    in_range(&text!("the length of {name}"), length, (length - 1.0).abs() <= 1e-6, "1 within 1e-6")?;
    Ok(Quat::new_normalize(Quaternion::new(w, x, y, z)))
}

/// A box along the world axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aabb {
    /// Its lowest corner [m].
    pub lower: Vec3,
    /// Its highest corner [m].
    pub upper: Vec3,
}

impl Aabb {
    /// The box around points. Around none it holds nothing: its lower corner is above the upper one.
    pub fn around(points: impl IntoIterator<Item = Vec3>) -> Self {
        let nothing = Self { lower: Vec3::repeat(f64::INFINITY), upper: Vec3::repeat(f64::NEG_INFINITY) };
        points
            .into_iter()
            .fold(nothing, |bounds, point| Self { lower: bounds.lower.inf(&point), upper: bounds.upper.sup(&point) })
    }

    /// Whether the two boxes have a point in common (touching counts).
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        // Without branches: which of the six decides is not to be foreseen.
        let meet = |axis: usize| (self.lower[axis] <= other.upper[axis]) & (other.lower[axis] <= self.upper[axis]);
        meet(0) & meet(1) & meet(2)
    }

    /// Whether all of `part` lies in this box.
    pub fn holds(&self, part: &Self) -> bool {
        let corners = self.lower.iter().zip(&part.lower).chain(part.upper.iter().zip(&self.upper));
        corners.into_iter().all(|(outer, inner)| outer <= inner)
    }

    /// The middle of the box. Bounds may be too large for their sum.
    #[inline]
    pub fn center(&self) -> Vec3 {
        0.5 * self.lower + 0.5 * self.upper
    }

    /// The box moved by `shift`.
    pub fn moved(&self, shift: &Vec3) -> Self {
        Self { lower: self.lower + shift, upper: self.upper + shift }
    }

    /// The box grown by `margin` on every side.
    pub fn grown(&self, margin: f64) -> Self {
        let by = Vec3::repeat(margin);
        Self { lower: self.lower - by, upper: self.upper + by }
    }
}

/// Two unit vectors that form a right-handed frame `(normal, t1, t2)` with a unit `normal`.
///
/// Branchless except for the sign (Duff et al., Building an Orthonormal Basis, Revisited, JCGT 2017). Orthonormal to
/// round-off for every normal, and continuous except at `z = 0`.
pub fn tangents(normal: &Vec3) -> (Vec3, Vec3) {
    let [t1, t2] = Vec3s::from(*normal).tangents();
    (t1.into(), t2.into())
}

/// The rotation `Cay(theta)`, whose matrix is `(1 - [theta]/2)^-1 (1 + [theta]/2)`, before it is brought to length one: for
/// products that are normalized once, at their end.
pub fn long_cayley(theta: &Vec3) -> Quaternion {
    let half = 0.5 * theta;
    Quaternion::new(1.0, half.x, half.y, half.z)
}

/// Returns the rotation about the axis of a rotation vector by its length [rad].
///
/// It replaces nalgebra's constructor, which takes sine and cosine from the platform. Turns of less than half a radian, which those of a
/// step mostly are, take no square root and no sine.
#[inline]
pub fn turned_by(turn: &Vec3) -> Quat {
    let half = 0.5 * turn;
    let (sin_over_angle, cos) = sine_and_cosine(half.norm_squared());
    Quat::new_unchecked(Quaternion::from_parts(cos, half * sin_over_angle))
}

/// Returns `sin(x) / x` and `cos(x)` for an angle of this square.
#[inline]
fn sine_and_cosine(square: f64) -> (f64, f64) {
    if square <= MAX_SERIES_ARGUMENT {
        return (series(square, &SINE_SERIES), series(square, &COSINE_SERIES));
    }
    let angle = square.sqrt();
    let (sin, cos) = sin_cos(angle);
    (sin / angle, cos)
}

/// Up to this square the series of sine and cosine below have all digits: their next terms are below 3e-18 [rad^2].
const MAX_SERIES_ARGUMENT: f64 = 0.0625;

/// `sin(x) / x` and `cos(x)` as series in `x^2`: one over `(2 k + 1)!` and `(2 k)!`, with alternating signs.
const SINE_SERIES: [f64; 7] =
    [1.0, -1.0 / 6.0, 1.0 / 120.0, -1.0 / 5040.0, 1.0 / 362_880.0, -1.0 / 39_916_800.0, 1.0 / 6_227_020_800.0];
const COSINE_SERIES: [f64; 7] =
    [1.0, -1.0 / 2.0, 1.0 / 24.0, -1.0 / 720.0, 1.0 / 40_320.0, -1.0 / 3_628_800.0, 1.0 / 479_001_600.0];

#[inline(always)]
fn series(square: f64, coefficients: &[f64; 7]) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, coefficient| sum * square + coefficient)
}

/// Returns the turn of a free drift over `h` by the angle `h |xi|`, as the argument of the Cayley map, in body axes. See [`angular_drift`],
/// whose turn is `2 atan(h |xi| / 2)`: a wheel would roll by less than its velocity says.
///
/// Any turn about the axis of `xi = I^-1 (Pi + Pi+)/2` keeps `|Pi|` and the energy. The one by `h |xi|` is the drift over the longer step
/// `2 tan(h |xi| / 2) / |xi|`. A few rounds find that step, as `|xi|` hardly depends on it. It stops growing at a turn of one radian, because
/// Newton's method converges for short steps only.
pub fn angular_turn(momentum: &Vec3, inertia_inverse: &Symmetric3, h: f64) -> Vec3 {
    let mut midpoint = Midpoint::new(momentum, inertia_inverse);
    let lengthened = |midpoint: &Midpoint| {
        let half = (0.5 * h * midpoint.spin().norm()).min(0.5);
        let (sin_over_angle, cos) = sine_and_cosine(half * half);
        h * (sin_over_angle / cos)
    };
    let mut longer = lengthened(&midpoint);
    for _ in 0..MAX_PASSES {
        let is_better = midpoint.improve(longer);
        let next = lengthened(&midpoint);
        let change = (next - longer).abs();
        // The drift changes by no more than the step.
        let is_settled = change <= 2.0 * f64::EPSILON * h || change.is_nan();
        if is_settled && !is_better {
            break;
        }
        longer = next;
    }
    longer * midpoint.spin()
}

/// The rotation increment `h xi`, in body axes, of one free drift over `h` from body-frame angular momentum
/// `momentum`.
///
/// `Pi+ = Cay(-h xi) Pi`, `xi = I^-1 (Pi + Pi+)/2`: the implicit midpoint rule of Euler's equations. It keeps `|Pi|` and the energy
/// exactly, and the caller keeps the momentum in world axes.
pub fn angular_drift(momentum: &Vec3, inertia_inverse: &Symmetric3, h: f64) -> Vec3 {
    let mut midpoint = Midpoint::new(momentum, inertia_inverse);
    for _ in 0..MAX_PASSES {
        if !midpoint.improve(h) {
            break;
        }
    }
    h * midpoint.spin()
}

/// Most passes of Newton's method for a drift. Below half a radian per step it takes five.
const MAX_PASSES: u32 = 16;

/// The mean `m = (Pi + Pi+)/2` of the angular momenta before and after a free drift, in body axes: the root of
/// `m - Pi - (h/2) m x I^-1 m`.
struct Midpoint<'a> {
    momentum: &'a Vec3,
    inertia_inverse: &'a Symmetric3,
    middle: Vec3,
}

impl<'a> Midpoint<'a> {
    fn new(momentum: &'a Vec3, inertia_inverse: &'a Symmetric3) -> Self {
        Self { momentum, inertia_inverse, middle: *momentum }
    }

    /// Returns `xi`.
    fn spin(&self) -> Vec3 {
        self.inertia_inverse.times(&self.middle)
    }

    /// Makes a pass of Newton's method for a drift over `h`. Returns whether it found a better root.
    ///
    /// Convergence is quadratic below half a radian per step. Faster, the full change overshoots and is halved until it
    /// helps. Measured, that finds the answer up to 1.25 rad for moments in any ratio up to 1:1000, up to 2 rad for
    /// 1:20. Beyond, the momentum is still kept, and only the energy may suffer.
    fn improve(&mut self, h: f64) -> bool {
        if self.inertia_inverse.isotropic().is_some() {
            return false;
        }
        let m = self.middle;
        let spin = self.spin();
        let error = self.defect(&m, h);
        // About a principal axis the momentum is the root.
        if error == Vec3::zeros() {
            return false;
        }
        let inverse = self.inertia_inverse.to_matrix();
        let slope = Mat3::identity() + 0.5 * h * (spin.cross_matrix() - m.cross_matrix() * inverse);
        let Some(change) = solved(&slope, &error) else { return false };
        let helps = |next: &Vec3| self.defect(next, h).norm_squared() < error.norm_squared();
        let round_off = 8.0 * f64::EPSILON * self.momentum.norm();
        let halvings = if error.norm() > round_off { 8 } else { 1 };
        let Some(next) = (0..halvings).map(|times| m - power_of_two(-times) * change).find(helps) else { return false };
        self.middle = next;
        true
    }

    /// Returns what is left of the equation at `m`.
    fn defect(&self, m: &Vec3, h: f64) -> Vec3 {
        m - self.momentum - 0.5 * h * m.cross(&self.inertia_inverse.times(m))
    }
}

/// Returns the solution of three equations by Cramer's rule; `None` if the matrix is singular.
fn solved(matrix: &Mat3, right: &Vec3) -> Option<Vec3> {
    let [a, b, c] = [0, 1, 2].map(|column| matrix.column(column).into_owned());
    let cross = b.cross(&c);
    let determinant = a.dot(&cross);
    let parts = Vec3::new(right.dot(&cross), right.dot(&c.cross(&a)), right.dot(&a.cross(&b)));
    (determinant != 0.0).then(|| parts / determinant)
}
