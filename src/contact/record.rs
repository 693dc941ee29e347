//! One contact point of two bodies: its geometry at the start of a step, and, apart from it, what the step made of it. The two
//! stand in arrays of their own: what finds a contact again does not read what it carried.
//!
//! Every contact has a record ([`ContactRecord`]), and a normal and a gap ([`PointGeometry`]). Those that are not between two balls have a contact
//! point found by detection too ([`ContactGeometry`]). [`ContactView`] is all of it together, for queries.

use crate::contact::surface::Surface;
use crate::error::{Result, reserve, resize};
use crate::math::{LaneSlot, PointX8, Vec3};

/// The feature of the one contact that two balls have.
pub const OF_BALLS: u64 = 1;

/// Of no place among the spots.
const NOWHERE: u32 = u32::MAX;

/// A contact as a step finds it. Contacts are read in no order, and kept of two steps, so this is kept small: packed, as a sixth of it
/// would be nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(Rust, packed(4))]
pub struct ContactRecord {
    /// Slot of body a; below `body_b`.
    pub body_a: u32,
    /// Slot of body b.
    pub body_b: u32,
    /// The same number for the same contact, step after step; 0: not given yet.
    pub key: u64,
    /// Where its [`ContactGeometry`] is; [`NOWHERE`] between two balls.
    pub(super) spot: u32,
}

/// Where two bodies touch that are not both balls. Vectors are in world axes; the normal points from body a to body b.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ContactGeometry {
    /// Which features of the two shapes touch; 0: unknown.
    pub feature: u64,
    /// The point seen from the origin of body a, in its axes, by which it is found again [m].
    pub local: Vec3,
    /// Above zero: apart [m].
    pub gap: f64,
    /// Unit.
    pub normal: Vec3,
    /// From the centre of mass of a to the point [m].
    pub arm_a: Vec3,
    /// From the centre of mass of b to the point [m].
    pub arm_b: Vec3,
    /// Midway between the surfaces [m].
    pub point: Vec3,
    /// `r*` of the two surfaces there, as far as anything depends on it; infinite between flat ones [m].
    pub radius: f64,
    /// Whether each arm is a multiple of the normal, up to round-off.
    pub is_along_normal: [bool; 2],
}

/// Normal and gap of a contact at the start of a step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PointGeometry {
    /// Unit, from a to b, world axes.
    pub normal: Vec3,
    /// Above zero: apart [m].
    pub gap: f64,
}

impl PointGeometry {
    /// Returns those of a lane, counted over all batches; zeros where there is none.
    pub fn in_lane(points: &[PointX8], slot: LaneSlot) -> Self {
        let of = |point: &PointX8| Self { normal: point.normal(slot.lane()), gap: point.gap.0[slot.lane()] };
        points.get(slot.batch()).map(of).unwrap_or_default()
    }
}

/// All that is known of a contact point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactView {
    /// Slot of body a; below `body_b`.
    pub body_a: u32,
    /// Slot of body b.
    pub body_b: u32,
    /// See [`ContactRecord::key`].
    pub key: u64,
    /// Where it is.
    pub spot: ContactGeometry,
    /// What the surfaces are together.
    pub surface: Surface,
}

/// What a step made of a contact. Vectors are in world axes; impulses act on b.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ContactState {
    /// Normal impulse of the last substep: this and the next two are what the next solve starts from [N s].
    pub normal_impulse: f64,
    /// Friction impulse of the last substep, in the tangent plane [N s].
    pub friction_impulse: Vec3,
    /// Torque impulse of the last substep: rolling resistance in the tangent plane, twisting resistance along the normal [N m s].
    pub torque_impulse: Vec3,
    /// Multiplier of the position pass of the last substep, from which the next one starts [kg m].
    pub push: f64,
    /// Normal impulse of the step after the compatibility correction; without one, the sum of its substeps [N s].
    pub compatible_normal: f64,
    /// Friction impulse of the step after the compatibility correction; without one, the sum of its substeps [N s].
    pub compatible_friction: Vec3,
    /// Velocity of b relative to a at the end of the step [m/s].
    pub relative_velocity: Vec3,
    /// How fast b rolls on a at the end of the step: the tangential part of the relative spin, times the distance at which
    /// a torque counts as a force; 0 where nothing resists turning [m/s].
    pub rolling_speed: f64,
    /// Whether the last substep solved it as an impact, so that its impulse is no guess for the next one.
    pub rebounds: bool,
    /// Whether any substep did, so that the impulse of the step is none.
    pub struck: bool,
    /// Whether the contact was not there in the step before.
    pub is_new: bool,
}

/// The impulses of a contact over a step, on b.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StepImpulse {
    /// Along the normal [N s].
    pub normal: f64,
    /// In the tangent plane [N s].
    pub friction: Vec3,
    /// Rolling and twisting [N m s].
    pub torque: Vec3,
}

impl std::ops::AddAssign for StepImpulse {
    fn add_assign(&mut self, other: Self) {
        self.normal += other.normal;
        self.friction += other.friction;
        self.torque += other.torque;
    }
}

impl ContactRecord {
    /// Of two balls, without a key.
    #[inline(always)]
    pub fn of_balls((body_a, body_b): (u32, u32)) -> Self {
        Self { body_a, body_b, key: 0, spot: NOWHERE }
    }

    /// Of two bodies that touch at the spot of this number, without a key.
    pub fn at((body_a, body_b): (u32, u32), spot: usize) -> Self {
        Self { spot: spot as u32, ..Self::of_balls((body_a, body_b)) }
    }

    /// The same with this key.
    pub fn with_key(self, key: u64) -> Self {
        Self { key, ..self }
    }

    /// The number of its spot; two balls have none.
    #[inline(always)]
    pub fn spot(&self) -> Option<usize> {
        (self.spot != NOWHERE).then_some(self.spot as usize)
    }

    /// Its spot among those of the list; two balls have none.
    #[inline(always)]
    pub fn geometry<'a>(&self, spots: &'a [ContactGeometry]) -> Option<&'a ContactGeometry> {
        spots.get(self.spot()?)
    }

    /// Which features touch; 0: unknown.
    pub fn feature(&self, spots: &[ContactGeometry]) -> u64 {
        self.geometry(spots).map_or(OF_BALLS, |spot| spot.feature)
    }

    /// The pair of bodies, the order in which contacts are kept.
    #[inline(always)]
    pub fn pair(&self) -> (u32, u32) {
        (self.body_a, self.body_b)
    }

    /// The pair as one number, in the same order.
    #[inline(always)]
    pub fn pair_key(&self) -> u64 {
        u64::from(self.body_a) << 32 | u64::from(self.body_b)
    }
}

impl ContactView {
    /// See [`ContactRecord::pair`].
    pub fn pair(&self) -> (u32, u32) {
        (self.body_a, self.body_b)
    }
}

impl ContactState {
    /// The impulses of the last substep.
    #[cfg(test)]
    pub fn last(&self) -> StepImpulse {
        StepImpulse { normal: self.normal_impulse, friction: self.friction_impulse, torque: self.torque_impulse }
    }
}

/// The contacts of a step, sorted by pair: who touches, and where, as far as that does not follow from two balls.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ContactList {
    /// Of each contact.
    pub records: Vec<ContactRecord>,
    /// Of those that are not of two balls, in the order of the contacts.
    pub spots: Vec<ContactGeometry>,
}

impl ContactList {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Makes room for so many contacts and spots; what is there already is to be written over.
    pub fn begin(&mut self, contacts: usize, spots: usize) -> Result<()> {
        resize(&mut self.records, contacts, ContactRecord::of_balls((0, 0)), "contacts")?;
        resize(&mut self.spots, spots, ContactGeometry::default(), "contacts")
    }

    /// Takes out all contacts, and makes room for `most` of them.
    pub fn clear(&mut self, most: usize) -> Result<()> {
        empty(&mut self.records, most)?;
        empty(&mut self.spots, most)
    }

    /// Adds a contact behind all others, with its spot if it has one; [`ContactList::clear`] made room for it.
    pub fn push(&mut self, pair: (u32, u32), key: u64, spot: Option<&ContactGeometry>) {
        let record = match spot {
            Some(spot) => {
                self.spots.push(*spot);
                ContactRecord::at(pair, self.spots.len() - 1)
            }
            None => ContactRecord::of_balls(pair),
        };
        self.records.push(record.with_key(key));
    }

    /// Keeps the contacts of which `is_kept` says so, asked for each in turn.
    pub fn retain(&mut self, is_kept: impl Fn(&ContactRecord) -> bool) {
        let Self { records, spots } = self;
        let mut kept = 0;
        records.retain_mut(|record| {
            let stays = is_kept(record);
            if let Some(spot) = record.spot().filter(|_| stays) {
                // in the order of the contacts: none is written over that is still asked for
                spots[kept] = spots[spot];
                *record = ContactRecord::at(record.pair(), kept).with_key(record.key);
                kept += 1;
            }
            stays
        });
        spots.truncate(kept);
    }
}

/// Takes out all elements of a column of contacts, and makes room for `most`.
pub(super) fn empty<T>(column: &mut Vec<T>, most: usize) -> Result<()> {
    column.clear();
    reserve(column, most, "contacts")
}
