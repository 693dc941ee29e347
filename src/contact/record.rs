//! One contact point of two bodies: its geometry at the start of a step, and the result of the step for it. The two are in separate
//! arrays, since the matching of contacts does not read the results.
//!
//! Every contact has a record ([`ContactRecord`]), and a normal and a gap ([`PointGeometry`]). Contacts other than those between two balls
//! also have a [`ContactGeometry`], which detection finds. [`ContactView`] has all of it, for queries.

use crate::contact::surface::Surface;
use crate::error::{Result, empty, resize};
use crate::math::{Impulse, ImpulsiveWrench, LaneSlot, PointX8, Vec3, turned_by};
use crate::visit::state;

/// The feature of the contact of two balls, which have only one.
pub const SPHERE_FEATURE: u64 = 1;

/// In place of the index of a [`ContactGeometry`]: there is none.
pub(super) const NO_GEOMETRY: u32 = u32::MAX;

/// A contact as detection finds it. Those of two steps are in memory at once and are read in any order, so the struct is packed: padding
/// would be a sixth of it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(Rust, packed(4))]
pub struct ContactRecord {
    /// Slot of body a; below `body_b`.
    pub body_a: u32,
    /// Slot of body b.
    pub body_b: u32,
    /// The key of the contact, which it keeps from step to step; 0: it has none yet.
    pub key: u64,
    /// The index of its [`ContactGeometry`]; [`NO_GEOMETRY`] between two balls.
    pub(super) geometry: u32,
}

/// The geometry of a contact that is not between two balls. Vectors are in world axes; the normal points from body a to body b.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ContactGeometry {
    /// Which features of the two shapes touch; 0: unknown.
    pub feature: u64,
    /// The point relative to the origin of body a, in its axes. Matching uses it [m].
    pub local: Vec3,
    /// The gap; below 0: overlap [m].
    pub gap: f64,
    /// The unit normal.
    pub normal: Vec3,
    /// From the centre of mass of a to the point [m].
    pub arm_a: Vec3,
    /// From the centre of mass of b to the point [m].
    pub arm_b: Vec3,
    /// Midway between the surfaces [m].
    pub point: Vec3,
    /// `r*` of the two surfaces there; infinite if both are flat, or if nothing depends on it [m].
    pub radius: f64,
    /// Whether each arm is a multiple of the normal, up to round-off.
    pub is_along_normal: [bool; 2],
}

/// Normal and gap of a contact at the start of a step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PointGeometry {
    /// The unit normal from a to b, world axes.
    pub normal: Vec3,
    /// The gap; below 0: overlap [m].
    pub gap: f64,
}

impl PointGeometry {
    /// Returns the normal and the gap of a lane, counted over all batches; zeros if there is no such lane.
    pub fn in_lane(points: &[PointX8], slot: LaneSlot) -> Self {
        let of = |point: &PointX8| Self { normal: point.normal(slot.lane()), gap: point.gap.0[slot.lane()] };
        points.get(slot.batch()).map(of).unwrap_or_default()
    }
}

/// All data of a contact point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactView {
    /// Slot of body a; below `body_b`.
    pub body_a: u32,
    /// Slot of body b.
    pub body_b: u32,
    /// See [`ContactRecord::key`].
    pub key: u64,
    /// Its geometry.
    pub geometry: ContactGeometry,
    /// The coefficients of both surfaces together.
    pub surface: Surface,
}

/// The frame of the friction of a substep, for laws whose friction continues in the next one.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FrictionFrame {
    /// The normal of the contact in that substep; zero if the law does not use it.
    pub normal: Vec3,
    /// The mean angle by which both bodies turned about it in that substep [rad].
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
        // Rodrigues' formula for the least rotation. There is none if the new normal is opposite to the old one.
        let rotated = |v: &Vec3| v + along.cross(v) + along.cross(&along.cross(v)) / (1.0 + cosine);
        let moved = if cosine > -0.5 { rotated(friction) } else { *friction };
        let turned = turned_by(&(self.twist * normal)) * moved;
        let across = turned - normal * normal.dot(&turned);
        let left = across.norm();
        if left > 0.0 { across * (length / left) } else { Vec3::zeros() }
    }
}

/// The result of a step for a contact. Vectors are in world axes; impulses act on b.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ContactState {
    /// Impulse of the last substep, from which the next solve starts.
    pub impulse: ImpulsiveWrench,
    /// Multiplier of the position pass of the last substep, from which the next one starts [kg m].
    pub position_multiplier: f64,
    /// Impulse of the force of the step after the compatibility correction; without one, the sum of its substeps.
    pub compatible: Impulse,
    /// Velocity of b relative to a at the end of the step, minus the velocity at which the contact sticks [m/s].
    pub relative_velocity: Vec3,
    /// How fast b rolls on a at the end of the step [m/s]. It is the tangential part of the relative spin, times the
    /// distance at which a torque counts as a force. It is 0 where nothing resists rolling.
    pub rolling_speed: f64,
    /// See [`FrictionFrame`].
    pub frame: FrictionFrame,
    /// Whether the last substep solved it as an impact. The next one then does not start from its impulse.
    pub rebounds: bool,
    /// Whether any substep solved it as an impact. The next step then does not start from its corrected impulse.
    pub had_impact: bool,
    /// Whether the step before did not have the contact.
    pub is_new: bool,
}

impl ContactRecord {
    /// Returns the contact of two balls, without a key.
    #[inline(always)]
    pub fn of_balls((body_a, body_b): (u32, u32)) -> Self {
        Self { body_a, body_b, key: 0, geometry: NO_GEOMETRY }
    }

    /// Returns the contact of two bodies whose geometry has the index `geometry`, without a key.
    pub fn at((body_a, body_b): (u32, u32), geometry: usize) -> Self {
        Self { geometry: geometry as u32, ..Self::of_balls((body_a, body_b)) }
    }

    /// Returns the index of its geometry; `None` between two balls.
    #[inline(always)]
    pub fn geometry_index(&self) -> Option<usize> {
        (self.geometry != NO_GEOMETRY).then_some(self.geometry as usize)
    }

    /// Returns its geometry in the array of the list; `None` between two balls.
    #[inline(always)]
    pub fn geometry<'a>(&self, geometries: &'a [ContactGeometry]) -> Option<&'a ContactGeometry> {
        geometries.get(self.geometry_index()?)
    }

    /// Returns the features that touch; 0: unknown.
    pub fn feature(&self, geometries: &[ContactGeometry]) -> u64 {
        self.geometry(geometries).map_or(SPHERE_FEATURE, |geometry| geometry.feature)
    }

    /// Returns the pair of bodies. Contacts are sorted by it.
    #[inline(always)]
    pub fn pair(&self) -> (u32, u32) {
        (self.body_a, self.body_b)
    }

    /// Returns the pair as one number, with the same order.
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
state!(ContactView { body_a, body_b, key, geometry, surface });
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

/// The contacts of a step, sorted by pair, and the geometry of those that are not between two balls.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ContactList {
    /// The record of each contact.
    pub records: Vec<ContactRecord>,
    /// The geometry of the contacts that are not between two balls, in the order of the contacts.
    pub geometries: Vec<ContactGeometry>,
}

impl ContactList {
    /// Returns the number of contacts.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Returns whether there are no contacts.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Reserves memory for this many contacts and geometries. The caller overwrites all elements.
    pub fn begin(&mut self, contacts: usize, geometries: usize) -> Result<()> {
        resize(&mut self.records, contacts, ContactRecord::of_balls((0, 0)), "contacts")?;
        resize(&mut self.geometries, geometries, ContactGeometry::default(), "contacts")
    }

    /// Removes all contacts, and reserves memory for `capacity` of them.
    pub fn clear(&mut self, capacity: usize) -> Result<()> {
        empty(&mut self.records, capacity, "contacts")?;
        empty(&mut self.geometries, capacity, "contacts")
    }

    /// Adds a contact at the end, with its geometry if it has one. [`ContactList::clear`] reserved the memory.
    pub fn push(&mut self, pair: (u32, u32), key: u64, geometry: Option<&ContactGeometry>) {
        let mut record = ContactRecord { key, ..ContactRecord::of_balls(pair) };
        if let Some(geometry) = geometry {
            record.geometry = self.geometries.len() as u32;
            self.geometries.push(*geometry);
        }
        self.records.push(record);
    }

    /// Keeps the contacts for which `is_kept` returns true. It is called once per contact, in the order of the list.
    pub fn retain(&mut self, is_kept: impl Fn(&ContactRecord) -> bool) {
        let Self { records, geometries } = self;
        let mut kept = 0;
        records.retain_mut(|record| {
            let stays = is_kept(record);
            if let Some(geometry) = record.geometry_index().filter(|_| stays) {
                // The geometries are in the order of the contacts, so none is overwritten before it is read.
                geometries[kept] = geometries[geometry];
                record.geometry = kept as u32;
                kept += 1;
            }
            stays
        });
        geometries.truncate(kept);
    }
}
