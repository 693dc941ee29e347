//! Tests of this module, one file for each source.

mod axis;
mod axis_drives;
mod coordinate;
mod definition;
mod direction;
mod drive;
mod geometry;
mod kind;
mod locked;
mod locks;
mod place;
mod readback;
mod row;
mod spring;

use crate::joint::{AxisMode, Drive, Geometry, JointKind, JointRow, Locks, SideFrame, SideVector};
use crate::math::{Vec3, turned_by};

/// The displacement and the angle of central differences [m, rad]: the third derivatives of order 1 leave 1e-10 / 6, and round-off of
/// 2e-16 becomes 1e-11.
const DELTA: f64 = 1e-5;

/// Both frames of a joint.
#[derive(Debug, Clone, Copy)]
struct Sides {
    a: SideFrame,
    b: SideFrame,
}

impl Sides {
    /// Returns the frames with the offset `offset` of 1 m, where frame B has turned from frame A by the rotation vector `turn` [rad].
    fn new(offset: Vec3, turn: Vec3) -> Self {
        let rotation = turned_by(&Vec3::new(0.4, -0.7, 0.3));
        let origin = Vec3::new(0.3, -0.2, 0.5);
        let a = SideFrame { origin, rotation, center: Vec3::new(-0.4, 0.1, 0.2) };
        let rotation_b = rotation * turned_by(&turn);
        let b = SideFrame { origin: origin + offset, rotation: rotation_b, center: Vec3::new(0.9, 0.6, -0.3) };
        Self { a, b }
    }

    fn geometry(&self) -> Geometry {
        Geometry::new(&self.a, &self.b)
    }

    /// Returns the frames after both bodies moved with these velocities for a time.
    fn moved(&self, velocities: &[SideVector; 2], time: f64) -> Self {
        let [a, b] = velocities;
        Self { a: moved(&self.a, a, time), b: moved(&self.b, b, time) }
    }
}

/// Returns a frame after its body moved: its centre along a line, and its rotation by the exponential map.
fn moved(side: &SideFrame, velocity: &SideVector, time: f64) -> SideFrame {
    let turn = turned_by(&(time * velocity.angular));
    let center = side.center + time * velocity.linear;
    SideFrame { origin: center + turn * (side.origin - side.center), rotation: turn * side.rotation, center }
}

/// Returns the twelve velocities of two bodies of which one component is 1 and the others are 0.
fn unit_velocities() -> impl Iterator<Item = [SideVector; 2]> {
    (0..12).map(|component| {
        let mut velocities = [SideVector::ZERO; 2];
        let SideVector { linear, angular } = &mut velocities[component / 6];
        if component % 6 < 3 {
            linear[component % 3] = 1.0
        } else {
            angular[component % 3] = 1.0
        }
        velocities
    })
}

/// Compares rows with the central differences of what they are derivatives of.
fn assert_derivatives(what: &str, sides: &Sides, values: impl Fn(&Geometry) -> Vec<(f64, JointRow)>, tolerance: f64) {
    let rows = values(&sides.geometry());
    for velocities in unit_velocities() {
        let [after, before] = [DELTA, -DELTA].map(|time| values(&sides.moved(&velocities, time).geometry()));
        assert_eq!((after.len(), before.len()), (rows.len(), rows.len()), "{what}");
        for (number, (_, row)) in rows.iter().enumerate() {
            let expected = (after[number].0 - before[number].0) / (2.0 * DELTA);
            let found = row.velocity(&velocities[0], &velocities[1]);
            let off = (found - expected).abs();
            assert!(off <= tolerance, "{what}, row {number}: {found}, not {expected}, off by {off:e}: {velocities:?}");
        }
    }
}

/// Returns frames that are 1 m apart and off by 0.2 rad, in several directions, and some that are off by much more.
fn samples() -> Vec<Sides> {
    let offsets = [Vec3::new(0.6, -0.48, 0.64), Vec3::new(-0.8, 0.0, 0.6), Vec3::new(0.0, 0.0, 1.0)];
    let small = [Vec3::new(0.2, 0.0, 0.0), Vec3::new(0.12, -0.16, 0.0), Vec3::new(-0.08, 0.11, 0.147)];
    let large = [Vec3::new(0.9, 0.4, -0.6), Vec3::new(-0.3, 0.5, 2.6)];
    let all = |turn: Vec3| offsets.map(|offset| Sides::new(offset, turn));
    small.into_iter().chain(large).flat_map(all).collect()
}

/// Returns every kind with what it locks, the general one with every combination of locked axes.
fn kinds() -> Vec<(JointKind, Locks)> {
    let specific = JointKind::ALL.into_iter().filter(|kind| *kind != JointKind::General);
    let general = (0..64).map(|bits| {
        let mode = |axis: usize| if bits >> axis & 1 == 1 { AxisMode::Locked } else { AxisMode::Free };
        (JointKind::General, Locks::new(JointKind::General, &std::array::from_fn(mode)))
    });
    specific.map(|kind| (kind, Locks::new(kind, &[AxisMode::Free; 6]))).chain(general).collect()
}

/// A mass on a straight line.
#[derive(Debug, Clone, Copy)]
struct Slider {
    mass: f64,
    position: f64,
    velocity: f64,
}

impl Slider {
    /// Moves over a step under a constant force and drives, of which the last one may have bounds. Returns the impulse of that one.
    ///
    /// The drives without bounds end the step with `u + S lambda + b = 0`, that is `lambda = -(u + b) / S`. They add `1 / S` to the mass. The
    /// last drive gets the impulse that fulfils its row, as far as its bounds allow.
    fn step(&mut self, force: f64, step: f64, unbounded: &[Drive], last: Option<Drive>) -> f64 {
        let mass = self.mass + unbounded.iter().map(|drive| 1.0 / drive.compliance).sum::<f64>();
        let kick = self.mass * self.velocity + step * force
            - unbounded.iter().map(|drive| drive.bias / drive.compliance).sum::<f64>();
        let free = kick / mass;
        let impulse = last.map_or(0.0, |drive| {
            let wanted = -(free + drive.bias) / (1.0 / mass + drive.compliance);
            wanted.clamp(drive.lower, drive.upper)
        });
        let is_rigid = |drive: &Drive| drive.compliance == 0.0 && drive.lower < impulse && impulse < drive.upper;
        // A rigid row that is not at its bound has exactly the velocity that it is to have.
        let velocity = last.filter(is_rigid).map_or(free + impulse / mass, |drive| -drive.bias);
        self.velocity = velocity;
        self.position += step * velocity;
        impulse
    }
}
