//! Frames of a joint from points and directions of the world, and the check that they fit each other.

use nalgebra::Rotation3;

use crate::error::{Error, Number, Result, all_finite, in_range, text};
use crate::joint::definition::JointDefinition;
use crate::joint::direction::Direction;
use crate::joint::geometry::Geometry;
use crate::joint::locks::{Locks, TurnLocks};
use crate::math::{Mat3, Pose, Quat, Vec3, length_of, tangents};

/// A reference whose part perpendicular to the axis is shorter than this part of it has no direction there [-].
const MIN_SINE: f64 = 1e-6;

/// The cosine of an angle of 90 degrees may be below 0 by round-off.
const ROUND_OFF: f64 = 1e-12;

/// Sets both frames of a definition so that they coincide in the world. Their origin is `point`, z is along `axis`,
/// and x is along `reference`, made perpendicular to the axis. Without a reference x is any perpendicular direction.
///
/// `poses` are those of A and B; of the world it is the identity. Vectors are in world axes and need not have unit length.
///
/// # Errors
///
/// Refuses numbers that are not finite, an axis of length 0, and a reference along the axis. The definition is then unchanged.
pub fn place(
    definition: &mut JointDefinition,
    poses: &[Pose; 2],
    point: &[f64; 3],
    axis: &[f64; 3],
    reference: Option<&[f64; 3]>,
) -> Result<()> {
    all_finite("point", point)?;
    let z = unit("axis", axis)?;
    let x = match reference {
        None => tangents(&z).0,
        Some(reference) => perpendicular(reference, &z)?,
    };
    let world = Quat::from_rotation_matrix(&Rotation3::from_matrix_unchecked(Mat3::from_columns(&[x, z.cross(&x), z])));
    let [a, b] = poses;
    let point = Vec3::from(*point);
    definition.point_a = a.to_local(&point).into();
    definition.rotation_a = xyzw(&(a.rotation.conjugate() * world));
    definition.point_b = b.to_local(&point).into();
    definition.rotation_b = xyzw(&(b.rotation.conjugate() * world));
    Ok(())
}

/// Sets the points of a definition to two points of the world, and both its lengths to their distance: the definition of a rod.
///
/// # Errors
///
/// Refuses numbers that are not finite, and points at the same place. The definition is then unchanged.
pub fn place_points(
    definition: &mut JointDefinition,
    poses: &[Pose; 2],
    point_a: &[f64; 3],
    point_b: &[f64; 3],
) -> Result<()> {
    all_finite("point_a", point_a)?;
    all_finite("point_b", point_b)?;
    let (from, to) = (Vec3::from(*point_a), Vec3::from(*point_b));
    let length = length_of(&(to - from));
    in_range("the distance of point_a and point_b", length, length > 0.0 && length.is_finite(), "a length above 0")?;
    let [a, b] = poses;
    definition.point_a = a.to_local(&from).into();
    definition.point_b = b.to_local(&to).into();
    (definition.length_min, definition.length_max) = (length, length);
    Ok(())
}

/// Refuses frames whose locked directions are more than 90 degrees apart: the joint would lock them the wrong way round.
///
/// These are the axis of the only free turn, or all three axes if no turn is free.
pub fn check_directions(geometry: &Geometry, locks: &Locks) -> Result<()> {
    let check = |direction: Direction| {
        let cosine = geometry.axis_a(direction).dot(&geometry.axis_b(direction));
        if cosine >= -ROUND_OFF {
            return Ok(());
        }
        Err(Error::argument(text!(
            "the cosine of the angle between the {direction:?} axes of both frames is {}, expected frames whose locked directions are at \
             most 90 degrees apart",
            Number(cosine)
        )))
    };
    match locks.turns {
        TurnLocks::None | TurnLocks::One(_) => Ok(()),
        TurnLocks::AllBut(axis) => check(axis),
        TurnLocks::All => Direction::ALL.into_iter().try_for_each(check),
    }
}

/// Returns the direction of a vector, or refuses it.
fn unit(name: &str, vector: &[f64; 3]) -> Result<Vec3> {
    all_finite(name, vector)?;
    let vector = Vec3::from(*vector);
    // Scaled by the largest component first, so that no square is beyond the range of numbers.
    let largest = vector.amax();
    in_range(&text!("the length of {name}"), largest, largest > 0.0, "a number above 0")?;
    Ok((vector / largest).normalize())
}

/// Returns the direction of the reference in the plane perpendicular to `axis`, or refuses it.
fn perpendicular(reference: &[f64; 3], axis: &Vec3) -> Result<Vec3> {
    let reference = unit("reference", reference)?;
    let across = reference - axis * axis.dot(&reference);
    let sine = across.norm();
    let name = "the sine of the angle between reference and axis";
    in_range(name, sine, sine >= MIN_SINE, "at least 1e-6: the reference must not be along the axis")?;
    let x = across / sine;
    // Once more: the first difference has the round-off of the longer vector.
    Ok((x - axis * axis.dot(&x)).normalize())
}

fn xyzw(rotation: &Quat) -> [f64; 4] {
    let [x, y, z] = rotation.imag().into();
    [x, y, z, rotation.w]
}
