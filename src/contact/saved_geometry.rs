//! Contact points in snapshots, without the vectors that follow from the bodies.

use crate::contact::record::{ContactGeometry, ContactRecord, PointGeometry};
use crate::error::{Result, text};
use crate::math::{Vec3, are_finite, is_identical};
use crate::visit::{Reader, State, StateVisitor, format_error};

/// Whether the arms are along the normal. The vectors that are written have the bits above. Above these are bits for
/// what is written as it is not that of the contact point before.
const ALONG: [u8; 2] = [1, 2];
const FIRST_VECTOR: u8 = 4;
const FEATURE: u8 = 32;
const NORMAL: u8 = 64;
const RADIUS: u8 = 128;

/// A normal is of length 1, up to this [-].
const UNIT: f64 = 1e-6;

/// What follows of a contact from its bodies. Where it is the same to the last bit, it is not written.
pub trait FromBodies {
    /// Returns normal and gap of two balls.
    fn point(&self, record: &ContactRecord) -> Option<PointGeometry>;

    /// Returns the members `local`, `arm_a` and `arm_b` of the contact point from the others.
    fn vectors(&self, record: &ContactRecord, geometry: &ContactGeometry) -> [Vec3; 3];
}

/// Writes a contact point without what follows from the bodies or is that of the `last` one.
pub fn save_geometry(
    record: &ContactRecord,
    geometry: &ContactGeometry,
    visitor: &mut impl StateVisitor,
    from: &impl FromBodies,
    last: &mut ContactGeometry,
) {
    let ContactGeometry { feature, local, gap, normal, arm_a, arm_b, point, radius, is_along_normal } = geometry;
    let vectors = [local, arm_a, arm_b];
    let expected = from.vectors(record, geometry);
    let own: [bool; 3] = std::array::from_fn(|which| !is_identical(vectors[which], &expected[which]));
    let along = is_along_normal.iter().zip(ALONG).map(|(is_along, bit)| u8::from(*is_along) * bit);
    let own_vectors = (0..3).map(|which| u8::from(own[which]) * (FIRST_VECTOR << which)).sum::<u8>();
    let mark = |is_set: bool, mark: u8| if is_set { mark } else { 0 };
    let is_other = mark(*feature != last.feature, FEATURE)
        | mark(!is_identical(normal, &last.normal), NORMAL)
        | mark(radius.to_bits() != last.radius.to_bits(), RADIUS);
    visitor.byte(along.sum::<u8>() | own_vectors | is_other);
    if is_other & FEATURE != 0 {
        visitor.word(*feature);
    }
    if is_other & NORMAL != 0 {
        normal.visit(visitor);
    }
    if is_other & RADIUS != 0 {
        visitor.number(*radius);
    }
    visitor.number(*gap);
    point.visit(visitor);
    vectors.iter().zip(own).filter(|(_, is_own)| *is_own).for_each(|(vector, _)| vector.visit(visitor));
    *last = *geometry;
}

/// Reads what [`save_geometry`] wrote.
///
/// # Errors
///
/// There is no such contact point.
pub fn load_geometry(
    reader: &mut Reader,
    record: &ContactRecord,
    from: &impl FromBodies,
    last: &mut ContactGeometry,
) -> Result<ContactGeometry> {
    let marks = reader.byte()?;
    let feature = if marks & FEATURE != 0 { reader.word()? } else { last.feature };
    let normal = if marks & NORMAL != 0 { Vec3::read(reader)? } else { last.normal };
    // It may be infinite.
    let radius = if marks & RADIUS != 0 { reader.unbounded(Reader::number)? } else { last.radius };
    let (gap, point) = (reader.number()?, Vec3::read(reader)?);
    let is_along_normal = ALONG.map(|bit| marks & bit > 0);
    let mut geometry = ContactGeometry { feature, gap, normal, point, radius, is_along_normal, ..Default::default() };
    let expected = from.vectors(record, &geometry);
    let vectors = [&mut geometry.local, &mut geometry.arm_a, &mut geometry.arm_b];
    for (which, (vector, expected)) in vectors.into_iter().zip(expected).enumerate() {
        *vector = if marks & (FIRST_VECTOR << which) > 0 { Vec3::read(reader)? } else { expected };
    }
    check_geometry(&geometry)?;
    *last = geometry;
    Ok(geometry)
}

/// Refuses a vector that is no normal.
pub(super) fn check_normal(normal: &Vec3) -> Result<()> {
    if (normal.norm_squared() - 1.0).abs() <= UNIT {
        return Ok(());
    }
    Err(format_error(text!("a normal is {:?}, expected a unit vector", normal.as_slice())))
}

/// Refuses a contact point that detection does not find.
pub fn check_geometry(geometry: &ContactGeometry) -> Result<()> {
    check_normal(&geometry.normal)?;
    let finite = [&geometry.local, &geometry.arm_a, &geometry.arm_b, &geometry.point];
    if geometry.gap.is_finite() && geometry.radius >= 0.0 && are_finite(finite) {
        return Ok(());
    }
    Err(format_error(text!("a contact point is {geometry:?}, expected finite numbers")))
}
