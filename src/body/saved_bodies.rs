//! Bodies in snapshots.

use super::bodies::Bodies;
use super::definition::Traits;
use super::motion::{Kind, Lock, Mass, Motion, Wrench};
use super::shared::SharedValues;
use super::surface::{SurfaceVelocity, Surfaces};
use crate::error::{Result, finite, not_negative, refill, resize, text};
use crate::id::{Entity, Registry, SlotSet};
use crate::math::{Quat, Quaternion, Symmetric3, Vec3, limits};
use crate::visit::{Reader, State, StateVisitor, format_error};

/// What a slot without a body takes in a snapshot apart from its generation: an eighth of what it takes in a world
/// [bytes].
const UNUSED: usize = 32;

/// The bytes of traits and of a mass.
const TRAITS: usize = 49;
const MASS: usize = 86;

/// The motion of a slot without a body.
const AT_REST: Motion = Motion {
    center: Vec3::new(0.0, 0.0, 0.0),
    rotation: Quat::new_unchecked(Quaternion::new(1.0, 0.0, 0.0, 0.0)),
    linear: Vec3::new(0.0, 0.0, 0.0),
    angular: Vec3::new(0.0, 0.0, 0.0),
};

/// The traits of a slot without a body.
const NO_TRAITS: Traits = Traits {
    kind: Kind::Static,
    lock: Lock(0),
    shape: 0,
    material: 0,
    filter_category: 0,
    filter_mask: 0,
    filter_group: 0,
    gravity_scale: 0.0,
    linear_damping: 0.0,
    angular_damping: 0.0,
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
        traits.save(visitor, order, save_traits)?;
        mass.save(visitor, order, save_mass)?;
        order.iter().for_each(|slot| motion[*slot as usize].visit_state(visitor));
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
        let traits = SharedValues::load(reader, (&order, slots), (&NO_TRAITS, TRAITS), load_traits)?;
        let mass = SharedValues::load(reader, (&order, slots), (&Mass::default(), MASS), load_mass)?;
        let (mut motion, mut sequence, mut asleep) = (Vec::new(), Vec::new(), Vec::new());
        refill(&mut motion, slots, AT_REST, "bodies")?;
        refill(&mut sequence, slots, 0, "bodies")?;
        refill(&mut asleep, slots, false, "bodies")?;
        for (number, slot) in (0..).zip(&order) {
            let at = *slot as usize;
            let own = Motion::read(reader)?;
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

fn save_traits(traits: &Traits, visitor: &mut impl StateVisitor) {
    let Traits {
        kind,
        lock: Lock(lock),
        shape,
        material,
        filter_category,
        filter_mask,
        filter_group,
        gravity_scale,
        linear_damping,
        angular_damping,
    } = traits;
    kind.visit(visitor);
    [lock, shape, material, filter_category, filter_mask].into_iter().for_each(|half| visitor.half(*half));
    visitor.half(*filter_group as u32);
    visitor.numbers([gravity_scale, linear_damping, angular_damping]);
}

fn load_traits(reader: &mut Reader) -> Result<Traits> {
    let traits = Traits {
        kind: Kind::read(reader)?,
        lock: Lock(reader.half()?),
        shape: reader.half()?,
        material: reader.half()?,
        filter_category: reader.half()?,
        filter_mask: reader.half()?,
        filter_group: reader.half()? as i32,
        gravity_scale: reader.number()?,
        linear_damping: reader.number()?,
        angular_damping: reader.number()?,
    };
    if traits.lock.0 & !Lock::ALL != 0 {
        return Err(format_error(text!("lock is {:#x}, expected DRY_LOCK_ bits alone", traits.lock.0)));
    }
    finite("gravity_scale", traits.gravity_scale)?;
    not_negative("linear_damping", traits.linear_damping)?;
    not_negative("angular_damping", traits.angular_damping)?;
    Ok(traits)
}

/// Writes what a mass is made from; everything else follows.
fn save_mass(mass: &Mass, visitor: &mut impl StateVisitor) {
    let Mass { mass, center, inertia: Symmetric3 { entries }, inertia_inverse: _, inverse_mass, free_rotation } = mass;
    visitor.number(*mass);
    center.visit(visitor);
    entries.visit(visitor);
    inverse_mass.iter().for_each(|inverse| visitor.flag(*inverse == 0.0));
    free_rotation.iter().for_each(|is_free| visitor.flag(!*is_free));
}

fn load_mass(reader: &mut Reader) -> Result<Mass> {
    let (mass, center, entries) = (reader.number()?, Vec3::read(reader)?, <[f64; 6]>::read(reader)?);
    let locks = <[bool; 6]>::read(reader)?;
    if mass == 0.0 {
        let immovable = Mass::immovable(center);
        let holds = entries == [0.0; 6] && locks == [true; 6];
        return if holds { Ok(immovable) } else { Err(format_error("a body without mass has an inertia")) };
    }
    limits::mass("mass", mass)?;
    let lock = (0..).zip(locks).fold(0, |lock, (bit, is_locked)| lock | u32::from(is_locked) << bit);
    let made = Mass::dynamic(mass, center, Symmetric3 { entries }, Lock(lock));
    made.ok_or_else(|| {
        format_error(text!("a mass of {mass} has the inertia {entries:?}, which is not positive definite"))
    })
}
