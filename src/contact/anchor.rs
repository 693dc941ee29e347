//! Anchors: how a contact that sticks keeps its material points together while its bodies turn.
//!
//! A step solves for velocities at its start. The friction of a contact that sticks stops the relative velocity `u_t`
//! of its points. Bodies that turn, however, carry these points on circles: over a step `H` the points slip by
//! `H u_t + c`. The curvature `c` is of second order in the angles. A coin on a turntable then walks outwards. So a
//! contact that sticks is given the velocity `u_t = -(c* + e) / H` to reach. The prediction `c*` of the curvature has
//! two parts. The curvature of the paths of material points follows from the spins at the start of the step. The part
//! that the curvature of the surfaces adds is taken from the last step; it is zero where they are flat. The rest `e` is
//! the error of the prediction of the last step. This is the position projection of [C] (22)-(23) for contacts that
//! stick. It is applied before the step instead of after it, so that it leaves no displacement without velocity.
//!
//! The slip is the difference of the paths of the contact point on both surfaces, by their lengths. A wheel that rolls
//! therefore does not slip. The part of `u_t` that the solver leaves is not a part of `e`. So `e` follows from the
//! motion of the two bodies in the last step alone. It is the same for all contacts of a pair, so that they do not work
//! against each other. Where one of them has just begun to stick and has no `e` yet, they differ for one step.

use crate::contact::record::ContactRecord;
use crate::math::elementary::arc_sine;
use crate::math::{Quat, Vec3, is_within, limits, turned_by};
use crate::visit::state;

/// Bodies that turn by more than this in a step, substeps together, have no anchors: friction would have to turn their velocity by as much
/// in a step [rad].
pub const FASTEST: f64 = 1.0;

/// The path on a surface within a step is taken as long as its normal turns by an angle with at least this cosine [-].
const MIN_COSINE: f64 = 0.8;

/// A contact that stuck in the last step. Vectors are in world axes, of the end of that step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Anchor {
    /// The slots of the bodies.
    pub pair: (u32, u32),
    /// The key of the contact.
    pub key: u64,
    /// The sides of the contact.
    pub sides: [MaterialPoint; 2],
    /// The slip that the step allowed for: what its velocities made of `H u_t`, and the curvature that was predicted [m]. What the position
    /// pass moves is not in it, so that the next step undoes it.
    pub expected: Vec3,
    /// An upper bound on the curvature of that step [m]. A larger slip belongs to another point, and the contact starts
    /// again.
    pub curvature_bound: f64,
    /// Whether the contact had stuck in the step before as well. If not, its material points are those at the end of the step.
    pub holds: bool,
}

/// The material point of a body that touched at the start of the last step. Both vectors have turned with the body since.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct MaterialPoint {
    /// From the centre of mass to the point [m].
    pub arm: Vec3,
    /// The normal; `None` of a ball.
    pub normal: Option<Vec3>,
    /// By how much the body spun about the normal in the step [rad].
    pub twist: f64,
}

/// One side of a contact at the start of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Side {
    /// From the centre of mass to the contact [m].
    pub arm: Vec3,
    /// The rotation of the body in the step. It is `None` for a ball, whose contact point stays below the centre. Its
    /// path on the surface is then straight, and follows from the velocities of the contact.
    pub turn: Option<Quat>,
    /// The angular velocity times the step [rad].
    pub spin: Vec3,
    /// How far the surface moves over the body, where it does.
    pub surface_shift: Option<SurfaceShift>,
}

/// How far a surface moves over its body in a step, in the axes of the start of the step. Its turn is a part of [`Side::turn`] and
/// [`Side::spin`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurfaceShift {
    /// The velocity of the surface at the centre of mass, times the step [m].
    pub straight: Vec3,
    /// Where a point of the surface at the centre of mass gets to, turned with the body [m].
    pub shift: Vec3,
}

impl SurfaceShift {
    /// How far the path leaves the straight one [m].
    fn curvature(&self) -> Vec3 {
        self.shift - self.straight
    }
}

/// What a contact that sticks is to do in a step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StickTarget {
    /// `c*`: the curvature predicted [m].
    pub curvature: Vec3,
    /// `e`: the slip of the steps before that is to be undone [m].
    pub missed: Vec3,
    /// By how much the two bodies spun about the normal in the step before, on the mean: friction turned with them [rad].
    pub twist: f64,
}

impl StickTarget {
    /// Returns the velocity at which the contact sticks in the part of a step of length `step` of which the middle is at this part of it
    /// [m/s].
    ///
    /// Contacts keep their arms for the whole step, so that the curvature is that of a velocity that grows with time. If all of it were asked
    /// for in the first part, friction would have to turn the velocity at once.
    pub fn velocity(&self, step: f64, middle: f64) -> Vec3 {
        -(2.0 * middle * self.curvature + self.missed) / step
    }
}

impl Side {
    /// Of a body that does not move.
    pub fn at_rest(arm: Vec3) -> Self {
        Self { arm, turn: Some(Quat::identity()), spin: Vec3::zeros(), surface_shift: None }
    }

    /// Returns the same side for a surface that moves over its body. The surface moves by `straight` [m] at the centre
    /// of mass, and with the spin `spin` [rad]. Both are the velocity at the start of the step times the step.
    ///
    /// Seen from the body, a material point of the surface at `r` gets to `R r + t`, with the rotation `R = exp([spin])` and the path
    /// `t = Int_0^1 exp([s spin]) straight ds`.
    pub fn with_surface(self, straight: Vec3, spin: Vec3) -> Self {
        let Some(turn) = self.turn else {
            // On a ball all paths are straight.
            return Self {
                spin: self.spin + spin,
                surface_shift: Some(SurfaceShift { straight, shift: straight }),
                ..self
            };
        };
        let shift = turn * mean_turned(&straight, &spin);
        Self {
            turn: Some(turn * turned_by(&spin)),
            spin: self.spin + spin,
            surface_shift: Some(SurfaceShift { straight, shift }),
            ..self
        }
    }

    /// How far the material point leaves the straight path of its velocity, relative to the centre of mass [m]. `part` is what of the
    /// rotation vectors counts for the path along the velocity, which is of the third order in the angle.
    fn curvature(&self, part: impl Fn(Vec3) -> Vec3) -> Vec3 {
        let Some(turn) = self.turn else { return Vec3::zeros() };
        // (R - 1) r - w h x r without the difference of large terms: R r = r + 2 q x (s r + q x r), and w h is nearly 2 s q.
        let (q, s) = (turn.imag(), turn.w);
        let turning = part(2.0 * s * q - self.spin).cross(&self.arm) + 2.0 * q.cross(&q.cross(&self.arm));
        self.surface_shift.map_or(turning, |surface_shift| turning + surface_shift.curvature())
    }

    /// Returns an upper bound of the curvature [m].
    fn curvature_bound(&self) -> f64 {
        let turning = self.turn.map_or(0.0, |_| self.spin.norm_squared() * self.arm.norm());
        self.surface_shift.map_or(turning, |surface_shift| turning + 2.0 * surface_shift.curvature().norm())
    }

    /// Returns where the body has carried the point and the normal at the end of the step.
    fn carried(&self, normal: &Vec3) -> MaterialPoint {
        let twist = self.spin.dot(normal);
        let (arm, normal) = match self.turn {
            None => (self.arm + self.spin.cross(&self.arm), None),
            Some(turn) => (turn * self.arm, Some(turn * normal)),
        };
        MaterialPoint { arm: self.surface_shift.map_or(arm, |surface_shift| arm + surface_shift.shift), normal, twist }
    }
}

impl MaterialPoint {
    /// Returns the path of the contact point on the surface, laid into the tangent plane at its end, with its length; `None` if it turns too
    /// far. `chord` leads from its start to its end.
    ///
    /// Where the normal turns by an angle, the path is an arc of that angle: on planes and across cylinders this is exact. Where the body
    /// spins about the normal as well, the path bends in the tangent plane: half of the spin is between its chord and its end.
    fn path(&self, chord: &Vec3, normal: &Vec3) -> Option<Vec3> {
        let Some(before) = self.normal else { return Some(across(chord, normal)) };
        let sine = before.cross(normal).norm();
        let is_slight = before.dot(normal) >= MIN_COSINE;
        // For small angles the quotient is 1 + sine^2 / 6; the next term is below round-off.
        let stretch = if sine < 1e-4 { 1.0 + sine * sine / 6.0 } else { arc_sine(sine) / sine };
        is_slight.then(|| turned_by(&(-0.5 * self.twist * normal)) * (stretch * across(chord, normal)))
    }
}

/// Returns the mean of a vector that turns by the rotation vector `spin`.
fn mean_turned(vector: &Vec3, spin: &Vec3) -> Vec3 {
    let square = spin.norm_squared();
    let half = turned_by(spin);
    let (sine, cosine) = (half.imag().norm(), half.w);
    // (1 - cos x) / x^2 and (x - sin x) / x^3, by half of the angle and by a series, so that nothing cancels.
    let across = if square > 0.0 { 2.0 * sine * sine / square } else { 0.5 };
    let along = if square > 1e-2 {
        let angle = square.sqrt();
        (angle - 2.0 * sine * cosine) / (angle * square)
    } else {
        1.0 / 6.0 - square / 120.0 * (1.0 - square / 42.0 * (1.0 - square / 72.0 * (1.0 - square / 110.0)))
    };
    vector + across * spin.cross(vector) + along * spin.cross(&spin.cross(vector))
}

/// Returns the curvature that a contact is to allow for which did not stick in the step before [m]. Along the velocity it is that of bodies
/// which spin about the normal: what rolls about the point has none there, and what rocks shows it in its first step.
pub fn first_curvature(sides: &[Side; 2], normal: &Vec3) -> Vec3 {
    let [a, b] = [0, 1].map(|side| sides[side].curvature(|turn| normal * normal.dot(&turn)));
    across(&(b - a), normal)
}

/// Returns the curvature of the path of b seen from a, in the tangent plane [m].
pub(super) fn curvature(sides: &[Side; 2], normal: &Vec3) -> Vec3 {
    let [a, b] = [0, 1].map(|side| sides[side].curvature(|turn| turn));
    across(&(b - a), normal)
}

/// Returns the part of a vector in the tangent plane.
pub fn across(vector: &Vec3, normal: &Vec3) -> Vec3 {
    vector - normal * normal.dot(vector)
}

impl Anchor {
    /// Returns the anchor that a step leaves of a contact with these sides and this normal at its start, which allowed for the slip `expected`
    /// [m].
    pub fn new(record: &ContactRecord, sides: &[Side; 2], normal: &Vec3, expected: Vec3, holds: bool) -> Self {
        Self {
            pair: record.pair(),
            key: record.key,
            sides: [sides[0].carried(normal), sides[1].carried(normal)],
            expected,
            curvature_bound: sides[0].curvature_bound() + sides[1].curvature_bound(),
            holds,
        }
    }

    /// Whether all lengths have squares, and normals are unit vectors.
    pub fn is_within_limits(&self) -> bool {
        let is_unit = |normal: &Vec3| (normal.norm_squared() - 1.0).abs() <= 1e-6;
        let holds = |side: &MaterialPoint| {
            is_within(&side.arm, limits::LARGEST)
                && side.normal.as_ref().is_none_or(is_unit)
                && side.twist.abs() <= 2.0 * FASTEST
        };
        self.sides.iter().all(holds)
            && is_within(&self.expected, limits::LARGEST)
            && limits::has_square(self.curvature_bound)
    }

    /// Returns what the contact is to do in the step that follows, where it has this normal and these sides; `None` if it cannot be the
    /// same point.
    pub fn follow(&self, sides: &[Side; 2], normal: &Vec3) -> Option<StickTarget> {
        let chords = [0, 1].map(|side| sides[side].arm - self.sides[side].arm);
        let [a, b] = &self.sides;
        let slip = a.path(&chords[0], normal)? - b.path(&chords[1], normal)?;
        let missed = slip - across(&self.expected, normal);
        // Where the point found again is another one, this is no curvature.
        let bound = self.curvature_bound + sides[0].curvature_bound() + sides[1].curvature_bound();
        if missed.norm_squared() > bound * bound {
            return None;
        }
        // What the curvature of the surfaces adds to that of the paths of material points; as in the last step.
        let bend = slip - across(&(chords[0] - chords[1]), normal);
        let missed = if self.holds { missed } else { Vec3::zeros() };
        let twist = 0.5 * (self.sides[0].twist + self.sides[1].twist);
        Some(StickTarget { curvature: curvature(sides, normal) + bend, missed, twist })
    }
}

state!(MaterialPoint { arm, normal, twist });
state!(Anchor { pair, key, sides, expected, curvature_bound, holds });
