//! Bodies in snapshots.

use super::bodies::Bodies;
use super::definition::Traits;
use super::motion::{Kind, Lock, Mass, Motion, Wrench};
use super::saved_traits::{load_all_traits, load_masses, save_all_traits, save_masses};
use super::surface::{SurfaceVelocity, Surfaces};
use crate::error::{Result, refill, resize, text};
use crate::id::{Entity, Registry, SlotSet};
use crate::math::{Quat, Quaternion, Vec3, is_identical};
use crate::visit::{Reader, State, StateVisitor, format_error};

/// What a slot without a body takes in a snapshot apart from its generation: an eighth of what it takes in a world
/// [bytes].
const UNUSED: usize = 32;

/// So many bodies have a byte together, which marks those that are at rest.
const TOGETHER: usize = 8;

/// The motion of a slot without a body.
const AT_REST: Motion = Motion {
    center: Vec3::new(0.0, 0.0, 0.0),
    rotation: Quat::new_unchecked(Quaternion::new(1.0, 0.0, 0.0, 0.0)),
    linear: Vec3::new(0.0, 0.0, 0.0),
    angular: Vec3::new(0.0, 0.0, 0.0),
};

impl Bodies {
    /// Writes the bodies in the order of their creation.
    ///
    /// # Errors
    ///
    /// Memory is exhausted.
    pub fn save(&self, visitor: &mut impl StateVisitor) -> Result<()> {
        let Self {
            registry,
            order,
            sequence: _,      // Increases along `order`; only the order matters.
            next_sequence: _, // Likewise.
            motion,
            mass,
            traits,
            user_data,
            wrench,
            surfaces,
            changes: _, // Belongs to the caches of the workspace.
            asleep: _,  // Follows from the activity of the bodies.
        } = self;
        registry.visit_state(visitor);
        visitor.room(UNUSED * registry.untaken());
        registry.visit_order(visitor, order);
        save_all_traits(traits, visitor, order)?;
        save_masses(mass, visitor, order)?;
        order.chunks(TOGETHER).for_each(|slots| save_motions(visitor, slots, motion));
        let all_user_data = || order.iter().map(|slot| user_data.get(*slot as usize).copied().unwrap_or(0));
        let has_user_data = all_user_data().any(|data| data != 0);
        visitor.flag(has_user_data);
        if has_user_data {
            all_user_data().for_each(|data| visitor.word(data));
        }
        visitor.flag(!wrench.is_empty());
        if !wrench.is_empty() {
            order.iter().for_each(|slot| self.wrench(*slot as usize).visit_state(visitor));
        }
        visitor.flag(surfaces.are_moving());
        if surfaces.are_moving() {
            order.iter().for_each(|slot| surfaces.of(*slot as usize).visit_state(visitor));
        }
        Ok(())
    }

    /// Reads bodies that are all awake. `check` refuses bodies that cannot be in the world.
    ///
    /// # Errors
    ///
    /// Memory is exhausted, or there are no such bodies.
    pub fn load(reader: &mut Reader, check: impl Fn(&Traits, &Mass, &Motion) -> Result<()>) -> Result<Self> {
        let registry = Registry::load(reader, Entity::Body, UNUSED)?;
        reader.room(UNUSED * registry.untaken())?;
        let order = registry.load_order(reader)?;
        let slots = registry.slots();
        let traits = load_all_traits(reader, &order, slots)?;
        let mass = load_masses(reader, &order, slots)?;
        let (mut motion, mut sequence, mut asleep) = (Vec::new(), Vec::new(), Vec::new());
        refill(&mut motion, slots, AT_REST, "bodies")?;
        refill(&mut sequence, slots, 0, "bodies")?;
        refill(&mut asleep, slots, false, "bodies")?;
        let mut at_rest = 0;
        for (number, slot) in (0..).zip(&order) {
            let at = *slot as usize;
            if (number as usize).is_multiple_of(TOGETHER) {
                at_rest = reader.byte()?;
            }
            let own = load_motion(reader, at_rest >> (number as usize % TOGETHER) & 1 != 0)?;
            check_body(&traits[at], &mass[at], &own)
                .and_then(|()| check(&traits[at], &mass[at], &own))
                .map_err(|error| error.at(format_args!("bodies[{number}]: ")))?;
            (motion[at], sequence[at]) = (own, number);
        }
        let (mut user_data, mut wrench) = (Vec::new(), Vec::new());
        if reader.flag()? {
            resize(&mut user_data, slots, 0, "bodies")?;
            order.iter().try_for_each(|slot| reader.word().map(|data| user_data[*slot as usize] = data))?;
        }
        if reader.flag()? {
            resize(&mut wrench, slots, Wrench::ZERO, "bodies")?;
            order.iter().try_for_each(|slot| Wrench::read(reader).map(|own| wrench[*slot as usize] = own))?;
        }
        let mut surfaces = Surfaces::default();
        if reader.flag()? {
            for slot in &order {
                surfaces.set(*slot as usize, slots, SurfaceVelocity::read(reader)?)?;
            }
        }
        let next_sequence = order.len() as u32;
        let mut changes = SlotSet::default();
        changes.reserve(slots)?;
        Ok(Self {
            registry,
            order,
            sequence,
            next_sequence,
            motion,
            mass,
            traits,
            user_data,
            wrench,
            surfaces,
            changes,
            asleep,
        })
    }
}

/// Refuses a body whose parts do not fit each other.
fn check_body(traits: &Traits, mass: &Mass, motion: &Motion) -> Result<()> {
    let is_dynamic = traits.kind == Kind::Dynamic;
    let has_locks = |lock: &Lock| {
        let moves = [mass.inverse_mass.x, mass.inverse_mass.y, mass.inverse_mass.z].map(|inverse| inverse != 0.0);
        moves == lock.free_translation() && mass.free_rotation == lock.free_rotation()
    };
    let fits = if is_dynamic { has_locks(&traits.lock) } else { !mass.is_movable() };
    if !fits || is_dynamic != (mass.mass > 0.0) {
        return Err(format_error(text!("a mass of {} does not fit a {} body", mass.mass, traits.kind.name())));
    }
    if traits.allowed(*motion) == *motion {
        return Ok(());
    }
    Err(format_error("a velocity is not zero where the body cannot move"))
}

/// Writes the motions of a few bodies, behind marks of those that are at rest to the last bit.
fn save_motions(visitor: &mut impl StateVisitor, slots: &[u32], motion: &[Motion]) {
    let rests = |slot: u32| {
        let Motion { linear, angular, .. } = &motion[slot as usize];
        is_identical(linear, &Vec3::zeros()) && is_identical(angular, &Vec3::zeros())
    };
    let marks = slots.iter().rev().fold(0, |marks, slot| marks << 1 | u8::from(rests(*slot)));
    visitor.byte(marks);
    for (at, slot) in slots.iter().enumerate() {
        let own = &motion[*slot as usize];
        if marks >> at & 1 != 0 {
            own.center.visit(visitor);
            own.rotation.visit(visitor);
        } else {
            own.visit_state(visitor);
        }
    }
}

#[inline(always)]
fn load_motion(reader: &mut Reader, is_at_rest: bool) -> Result<Motion> {
    if is_at_rest {
        return Ok(Motion { center: Vec3::read(reader)?, rotation: State::read(reader)?, ..AT_REST });
    }
    Motion::read(reader)
}
