//! What contacts are read with, in snapshots. What is as the body has it now is not written.

use std::sync::Arc;

use crate::body::{Bodies, Motion};
use crate::collide::Ball;
use crate::contact::StiffnessLaw;
use crate::contact::material::Materials;
use crate::error::{Result, not_negative, reserve, text};
use crate::id::SlotSet;
use crate::math::lanes::prefetch::BODIES_AHEAD;
use crate::math::lanes::prefetch_one_of;
use crate::math::{Vec3, is_identical};
use crate::solver::Velocity;
use crate::visit::{Reader, State, StateVisitor, format_error, marked, width_of};
use crate::world::readback::ReadbackState;
use crate::world::saved_contacts::radius_of;
use crate::world::shape_registry::Shapes;
use crate::world::sleep::SleepState;

/// What is written of a body: the centre of its ball, the differences of that to where it is now, its velocities, and the radius.
const ELSEWHERE: u8 = 1;
const MOVED: u8 = 2;
const FASTER: u8 = 4;
const RADIUS: u8 = 8;
/// Above them, how many bytes each difference takes, less one.
const WIDTH: u32 = 4;
const ALL: u8 = ELSEWHERE | MOVED | FASTER | RADIUS | 3 << WIDTH;

/// The bodies whose places and velocities need not be written again, and their shapes.
pub(in crate::world) type Present<'a> = (&'a Bodies, &'a Shapes);

/// The slots that contacts are read with, and the velocities of those that sleep.
pub(in crate::world) type Read<'a, Sleep> = (&'a [u32], Sleep);

impl ReadbackState {
    /// Writes what the contacts are read with, also those of sleeping bodies. `slots` is as in
    /// [`ReadbackState::visit_state`]. The centre and the velocities are mostly those that the body has now, or near
    /// them, and the radius that of its shape.
    ///
    /// # Errors
    ///
    /// Memory is exhausted.
    pub(in crate::world) fn save(
        &self,
        visitor: &mut impl StateVisitor,
        read: Read<&SleepState>,
        (bodies, shapes): Present,
        materials: &Arc<Materials>,
    ) -> Result<()> {
        let (slots, sleep) = read;
        self.stiffness_law.visit(visitor);
        let has_own = !Arc::ptr_eq(&self.materials, materials);
        visitor.flag(has_own);
        if has_own {
            self.materials.visit_state(visitor);
        }
        for slot in ascending(slots, bodies)?.slots() {
            let at = slot as usize;
            if let Some(soon) = self.rows.get(at + BODIES_AHEAD) {
                prefetch_one_of(&self.velocities, *soon as usize);
            }
            let (Ball { center, radius }, now) = (&self.balls[at], &bodies.motion[at]);
            let is_asleep = bodies.asleep[at];
            let Velocity { linear, angular } = if is_asleep { sleep.velocity(slot) } else { self.velocity(slot) };
            let exists = bodies.registry.is_live(at);
            let differences = if exists { differences(&now.center, center) } else { None };
            let is_faster = !(exists && is_identical(linear, &now.linear) && is_identical(angular, &now.angular));
            let has_radius = !(exists && radius.to_bits() == radius_of(at, bodies, shapes).to_bits());
            let differences = differences.map(|all| all.map(folded));
            let width = differences.map_or(1, |[x, y, z]| width_of(u64::from(x | y | z)));
            let place = differences.map_or(ELSEWHERE, |all| marked(all != [0; 3], MOVED)) | (width as u8 - 1) << WIDTH;
            visitor.byte(place | marked(is_faster, FASTER) | marked(has_radius, RADIUS));
            match differences {
                Some([0, 0, 0]) => {}
                Some(all) => all.iter().for_each(|difference| visitor.low_bytes(u64::from(*difference), width)),
                None => center.visit(visitor),
            }
            if is_faster {
                linear.visit(visitor);
                angular.visit(visitor);
            }
            if has_radius {
                visitor.number(*radius);
            }
        }
        Ok(())
    }

    /// Reads what contacts are read with; see [`ReadbackState::save`].
    ///
    /// # Errors
    ///
    /// Memory is exhausted, or the contacts cannot be read with it.
    pub(in crate::world) fn load(
        reader: &mut Reader,
        (slots, sleep): Read<&mut SleepState>,
        (bodies, shapes): Present,
        materials: &Arc<Materials>,
    ) -> Result<Self> {
        let stiffness_law = StiffnessLaw::read(reader)?;
        let has_own = reader.flag()?;
        let materials = if has_own { Arc::new(Materials::load(reader)?) } else { materials.clone() };
        let mut readback = Self { stiffness_law, ..Self::empty(materials) };
        readback.reserve(bodies.slots())?;
        reserve(&mut readback.velocities, slots.len(), "bodies")?;
        // The rows may be others than before: each only leads to the velocity.
        for slot in ascending(slots, bodies)?.slots() {
            let (at, head) = (slot as usize, reader.byte()?);
            if head & !ALL != 0 {
                return Err(format_error(text!("a place has the marks {head:#x}")));
            }
            let now = &bodies.motion[at];
            let center = load_center(reader, head, now)?;
            let velocity = if head & FASTER != 0 {
                Velocity { linear: Vec3::read(reader)?, angular: Vec3::read(reader)? }
            } else {
                Velocity { linear: now.linear, angular: now.angular }
            };
            let radius = if head & RADIUS != 0 {
                // It may be infinite.
                reader.unbounded(Reader::number)?
            } else {
                radius_of(at, bodies, shapes)
            };
            not_negative("the radius of a shape", radius.min(f64::MAX))?;
            readback.balls[at] = Ball { center, radius };
            if bodies.asleep[at] {
                sleep.velocities[at] = velocity;
            } else {
                readback.rows[at] = readback.velocities.len() as u32;
                readback.velocities.push(velocity);
            }
        }
        Ok(readback)
    }
}

/// Returns the same slots and those of sleeping bodies in ascending order, in which they are read and written fastest.
fn ascending(slots: &[u32], bodies: &Bodies) -> Result<SlotSet> {
    let mut ascending = SlotSet::default();
    ascending.reserve(bodies.slots())?;
    slots.iter().for_each(|slot| ascending.insert(*slot as usize));
    let asleep = bodies.asleep.iter().enumerate().filter(|(_, is_asleep)| **is_asleep);
    asleep.for_each(|(slot, _)| ascending.insert(slot));
    Ok(ascending)
}

fn load_center(reader: &mut Reader, head: u8, now: &Motion) -> Result<Vec3> {
    if head & ELSEWHERE != 0 {
        return Vec3::read(reader);
    }
    let mut differences = [0; 3];
    if head & MOVED != 0 {
        let width = usize::from(head >> WIDTH) + 1;
        for difference in &mut differences {
            *difference = unfolded(reader.low_bytes(width)? as u32);
        }
    }
    let moved = |axis: usize| {
        let bits = now.center[axis].to_bits().wrapping_add_signed(i64::from(differences[axis]));
        f64::from_bits(bits)
    };
    let center = Vec3::new(moved(0), moved(1), moved(2));
    if center.iter().all(|value| value.is_finite()) {
        return Ok(center);
    }
    Err(format_error(text!("a centre is {:?}, expected finite numbers", center.as_slice())))
}

/// Returns a number without sign, which is small where the difference is.
fn folded(difference: i32) -> u32 {
    ((difference << 1) ^ (difference >> 31)) as u32
}

/// Returns the difference of which [`folded`] makes this number.
fn unfolded(folded: u32) -> i32 {
    (folded >> 1) as i32 ^ -((folded & 1) as i32)
}

/// Returns the differences of two vectors as counts of the numbers between them, if these are few.
fn differences(from: &Vec3, to: &Vec3) -> Option<[i32; 3]> {
    let along = |axis: usize| i32::try_from(to[axis].to_bits().wrapping_sub(from[axis].to_bits()) as i64).ok();
    Some([along(0)?, along(1)?, along(2)?])
}
