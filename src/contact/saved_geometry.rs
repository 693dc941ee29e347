//! Contact points in snapshots, without the vectors that follow from the bodies.

use crate::contact::record::{ContactGeometry, ContactRecord, PointGeometry};
use crate::error::{Result, text};
use crate::math::{Vec3, are_finite, is_identical};
use crate::visit::{Reader, State, StateVisitor, format_error};

/// Whether the arms are along the normal. The vectors that are written have the bits above.
const ALONG: [u8; 2] = [1, 2];
const FIRST_VECTOR: u8 = 4;

/// A normal is of length 1, up to this [-].
const UNIT: f64 = 1e-6;

/// What follows of a contact from its bodies. Where it is the same to the last bit, it is not written.
pub trait FromBodies {
    /// Returns normal and gap of two balls.
    fn point(&self, record: &ContactRecord) -> Option<PointGeometry>;

    /// Returns the members `local`, `arm_a` and `arm_b` of the contact point from the others.
    fn vectors(&self, record: &ContactRecord, geometry: &ContactGeometry) -> [Vec3; 3];
}

pub(super) fn save_geometry(
    record: &ContactRecord,
    geometry: &ContactGeometry,
    visitor: &mut impl StateVisitor,
    from: &impl FromBodies,
) {
    let ContactGeometry { feature, local, gap, normal, arm_a, arm_b, point, radius, is_along_normal } = geometry;
    let vectors = [local, arm_a, arm_b];
    let expected = from.vectors(record, geometry);
    let own: [bool; 3] = std::array::from_fn(|which| !is_identical(vectors[which], &expected[which]));
    let along = is_along_normal.iter().zip(ALONG).map(|(is_along, bit)| u8::from(*is_along) * bit);
    visitor.byte(along.sum::<u8>() + (0..3).map(|which| u8::from(own[which]) * (FIRST_VECTOR << which)).sum::<u8>());
    visitor.word(*feature);
    visitor.numbers([gap, radius]);
    normal.visit(visitor);
    point.visit(visitor);
    vectors.iter().zip(own).filter(|(_, is_own)| *is_own).for_each(|(vector, _)| vector.visit(visitor));
}

pub(super) fn load_geometry(
    reader: &mut Reader,
    record: &ContactRecord,
    from: &impl FromBodies,
) -> Result<ContactGeometry> {
    let marks = reader.byte()?;
    if marks >= FIRST_VECTOR << 3 {
        return Err(format_error(text!("a contact point has the marks {marks:#x}")));
    }
    let (feature, gap) = (reader.word()?, reader.number()?);
    // It may be infinite.
    let radius = reader.unbounded(Reader::number)?;
    let (normal, point) = (Vec3::read(reader)?, Vec3::read(reader)?);
    let is_along_normal = ALONG.map(|bit| marks & bit > 0);
    let mut geometry = ContactGeometry { feature, gap, normal, point, radius, is_along_normal, ..Default::default() };
    let expected = from.vectors(record, &geometry);
    let vectors = [&mut geometry.local, &mut geometry.arm_a, &mut geometry.arm_b];
    for (which, (vector, expected)) in vectors.into_iter().zip(expected).enumerate() {
        *vector = if marks & (FIRST_VECTOR << which) > 0 { Vec3::read(reader)? } else { expected };
    }
    check_geometry(&geometry)?;
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
