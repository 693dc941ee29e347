//! One contact point of two bodies: its geometry at the start of a step, and, apart from it, what the step made of it. The two
//! stand in arrays of their own: what finds a contact again does not read what it carried.
//!
//! Every contact has a record ([`ContactRecord`]), and a normal and a gap ([`PointGeometry`]). Those that are not between two balls have a
//! contact point found by detection too ([`ContactGeometry`]). [`ContactView`] is all of it together, for queries.

use crate::contact::surface::Surface;
use crate::error::{Result, empty, resize};
use crate::math::{Impulse, ImpulsiveWrench, LaneSlot, PointX8, Vec3, turned_by};
use crate::visit::state;

/// The feature of the one contact that two balls have.
pub const SPHERE_FEATURE: u64 = 1;

/// Of no place among the spots.
pub(super) const NO_SPOT: u32 = u32::MAX;

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
    /// Where its [`ContactGeometry`] is; [`NO_SPOT`] between two balls.
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

/// Where the friction of a substep acts from, for laws by which it goes on in the next one.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FrictionFrame {
    /// The normal of the contact in that substep; zero where no law asked for it.
    pub normal: Vec3,
    /// By how much both bodies turned about it in that substep, on the mean [rad].
    pub twist: f64,
}

impl FrictionFrame {
    /// Returns the friction of the substep, turned with the bodies into the plane across `normal`. It is turned by the
    /// least rotation from the old normal to the new one, then by the twist. Its length is kept.
    pub fn turned(&self, friction: &Vec3, normal: &Vec3) -> Vec3 {
        let length = friction.norm();
        if length == 0.0 {
            return Vec3::zeros();
        }
        let (along, cosine) = (self.normal.cross(normal), self.normal.dot(normal));
        // Rodrigues' formula for the least rotation; where the normal is turned over no rotation is the least one.
        let least = |v: &Vec3| v + along.cross(v) + along.cross(&along.cross(v)) / (1.0 + cosine);
        let moved = if cosine > -0.5 { least(friction) } else { *friction };
        let turned = turned_by(&(self.twist * normal)) * moved;
        let across = turned - normal * normal.dot(&turned);
        let left = across.norm();
        if left > 0.0 { across * (length / left) } else { Vec3::zeros() }
    }
}

/// What a step made of a contact. Vectors are in world axes; impulses act on b.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ContactState {
    /// Impulse of the last substep, from which the next solve starts.
    pub impulse: ImpulsiveWrench,
    /// Multiplier of the position pass of the last substep, from which the next one starts [kg m].
    pub position_multiplier: f64,
    /// Impulse of the force of the step after the compatibility correction; without one, the sum of its substeps.
    pub compatible: Impulse,
    /// Velocity of b relative to a at the end of the step, over that at which the contact sticks [m/s].
    pub relative_velocity: Vec3,
    /// How fast b rolls on a at the end of the step [m/s]. It is the tangential part of the relative spin, times the
    /// distance at which a torque counts as a force. It is 0 where nothing resists rolling.
    pub rolling_speed: f64,
    /// See [`FrictionFrame`].
    pub frame: FrictionFrame,
    /// Whether the last substep solved it as an impact, so that its impulse is no guess for the next one.
    pub rebounds: bool,
    /// Whether any substep did, so that the impulse of the step is none.
    pub had_impact: bool,
    /// Whether the contact was not there in the step before.
    pub is_new: bool,
}

impl ContactRecord {
    /// Of two balls, without a key.
    #[inline(always)]
    pub fn of_balls((body_a, body_b): (u32, u32)) -> Self {
        Self { body_a, body_b, key: 0, spot: NO_SPOT }
    }

    /// Of two bodies that touch at the spot of this number, without a key.
    pub fn at((body_a, body_b): (u32, u32), spot: usize) -> Self {
        Self { spot: spot as u32, ..Self::of_balls((body_a, body_b)) }
    }

    /// The number of its spot; two balls have none.
    #[inline(always)]
    pub fn spot(&self) -> Option<usize> {
        (self.spot != NO_SPOT).then_some(self.spot as usize)
    }

    /// Its spot among those of the list; two balls have none.
    #[inline(always)]
    pub fn geometry<'a>(&self, spots: &'a [ContactGeometry]) -> Option<&'a ContactGeometry> {
        spots.get(self.spot()?)
    }

    /// Which features touch; 0: unknown.
    pub fn feature(&self, spots: &[ContactGeometry]) -> u64 {
        self.geometry(spots).map_or(SPHERE_FEATURE, |spot| spot.feature)
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

state!(Impulse { normal, tangential } of |[normal, x, y, z]| Ok(Impulse { normal, tangential: Vec3::new(x, y, z) }));
state!(ImpulsiveWrench { force, torque });
state!(ContactView { body_a, body_b, key, spot, surface });
// The radius may be infinite.
state!(unbounded ContactGeometry { feature, local, gap, normal, arm_a, arm_b, point, radius, is_along_normal });
state!(FrictionFrame { normal, twist });
state!(ContactState {
    impulse,
    position_multiplier,
    compatible,
    relative_velocity,
    rolling_speed,
    frame,
    rebounds,
    had_impact,
    is_new
});
state!(PointGeometry { normal, gap });

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

    /// Reserves memory for this many contacts and spots; what is there already is to be written over.
    pub fn begin(&mut self, contacts: usize, spots: usize) -> Result<()> {
        resize(&mut self.records, contacts, ContactRecord::of_balls((0, 0)), "contacts")?;
        resize(&mut self.spots, spots, ContactGeometry::default(), "contacts")
    }

    /// Takes out all contacts, and reserves memory for `most` of them.
    pub fn clear(&mut self, most: usize) -> Result<()> {
        empty(&mut self.records, most, "contacts")?;
        empty(&mut self.spots, most, "contacts")
    }

    /// Adds a contact behind all others, with its spot if it has one; [`ContactList::clear`] reserved its memory.
    pub fn push(&mut self, pair: (u32, u32), key: u64, spot: Option<&ContactGeometry>) {
        let mut record = ContactRecord { key, ..ContactRecord::of_balls(pair) };
        if let Some(spot) = spot {
            record.spot = self.spots.len() as u32;
            self.spots.push(*spot);
        }
        self.records.push(record);
    }

    /// Keeps the contacts for which `is_kept` returns true. It is called once per contact, in the order of the list.
    pub fn retain(&mut self, is_kept: impl Fn(&ContactRecord) -> bool) {
        let Self { records, spots } = self;
        let mut kept = 0;
        records.retain_mut(|record| {
            let stays = is_kept(record);
            if let Some(spot) = record.spot().filter(|_| stays) {
                // in the order of the contacts: none is written over that is still asked for
                spots[kept] = spots[spot];
                record.spot = kept as u32;
                kept += 1;
            }
            stays
        });
        spots.truncate(kept);
    }
}
