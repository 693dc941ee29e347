//! The traits and the masses of bodies in snapshots. Bodies that differ by their radius alone take few bytes.

use super::definition::Traits;
use super::motion::{Kind, Lock, Mass};
use super::shared::SharedValues;
use crate::error::{Result, finite, not_negative, text};
use crate::math::{Symmetric3, Vec3, is_identical, limits};
use crate::visit::{Reader, State, StateVisitor, format_error, marked};

/// The fewest bytes of traits, and of a mass.
const TRAITS: usize = 3;
const MASS: usize = 17;

/// Above the locks of a mass: whether its centre is not 0, and whether its inertia is not one number.
const CENTER: u8 = 64;
const INERTIA: u8 = 128;

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

pub(super) fn save_all_traits(
    traits: &SharedValues<Traits>,
    visitor: &mut impl StateVisitor,
    order: &[u32],
) -> Result<()> {
    let mut last = NO_TRAITS;
    traits.save(visitor, order, |traits, visitor| {
        save_traits(traits, &last, visitor);
        last = *traits;
    })
}

pub(super) fn load_all_traits(reader: &mut Reader, order: &[u32], slots: usize) -> Result<SharedValues<Traits>> {
    let mut last = NO_TRAITS;
    SharedValues::load(reader, (order, slots), (&NO_TRAITS, TRAITS), |reader| {
        last = load_traits(reader, &last)?;
        Ok(last)
    })
}

pub(super) fn save_masses(mass: &SharedValues<Mass>, visitor: &mut impl StateVisitor, order: &[u32]) -> Result<()> {
    mass.save(visitor, order, save_mass)
}

pub(super) fn load_masses(reader: &mut Reader, order: &[u32], slots: usize) -> Result<SharedValues<Mass>> {
    SharedValues::load(reader, (order, slots), (&Mass::default(), MASS), load_mass)
}

/// Returns the members that are integers and those that are numbers, in the order of the marks.
fn members(traits: &Traits) -> ([u32; 6], [f64; 3]) {
    let Traits {
        kind: _, // Written before.
        lock: Lock(lock),
        shape,
        material,
        filter_category,
        filter_mask,
        filter_group,
        gravity_scale,
        linear_damping,
        angular_damping,
    } = *traits;
    let halves = [lock, shape, material, filter_category, filter_mask, filter_group as u32];
    (halves, [gravity_scale, linear_damping, angular_damping])
}

/// Writes the kind, marks of the members that differ from those of the `last` body, and these.
fn save_traits(traits: &Traits, last: &Traits, visitor: &mut impl StateVisitor) {
    let ((halves, numbers), (last_halves, last_numbers)) = (members(traits), members(last));
    let half_differs = |at: usize| halves[at] != last_halves[at];
    let number_differs = |at: usize| numbers[at].to_bits() != last_numbers[at].to_bits();
    traits.kind.visit(visitor);
    visitor.byte((0..halves.len()).fold(0, |marks, at| marks | u8::from(half_differs(at)) << at));
    visitor.byte((0..numbers.len()).fold(0, |marks, at| marks | u8::from(number_differs(at)) << at));
    (0..halves.len()).filter(|at| half_differs(*at)).for_each(|at| visitor.half(halves[at]));
    (0..numbers.len()).filter(|at| number_differs(*at)).for_each(|at| visitor.number(numbers[at]));
}

fn load_traits(reader: &mut Reader, last: &Traits) -> Result<Traits> {
    let (mut halves, mut numbers) = members(last);
    let (kind, half_marks, number_marks) = (Kind::read(reader)?, reader.byte()?, reader.byte()?);
    if half_marks >> halves.len() != 0 || number_marks >> numbers.len() != 0 {
        return Err(format_error(text!("traits have the marks {half_marks:#x} and {number_marks:#x}")));
    }
    for (_, half) in halves.iter_mut().enumerate().filter(|(at, _)| half_marks >> at & 1 != 0) {
        *half = reader.half()?;
    }
    for (_, number) in numbers.iter_mut().enumerate().filter(|(at, _)| number_marks >> at & 1 != 0) {
        *number = reader.number()?;
    }
    let [lock, shape, material, filter_category, filter_mask, filter_group] = halves;
    let [gravity_scale, linear_damping, angular_damping] = numbers;
    if lock & !Lock::ALL != 0 {
        return Err(format_error(text!("lock is {lock:#x}, expected DRY_LOCK_ bits alone")));
    }
    finite("gravity_scale", gravity_scale)?;
    not_negative("linear_damping", linear_damping)?;
    not_negative("angular_damping", angular_damping)?;
    Ok(Traits {
        kind,
        lock: Lock(lock),
        shape,
        material,
        filter_category,
        filter_mask,
        filter_group: filter_group as i32,
        gravity_scale,
        linear_damping,
        angular_damping,
    })
}

/// Writes what a mass is made from; everything else follows.
fn save_mass(mass: &Mass, visitor: &mut impl StateVisitor) {
    let Mass { mass, center, inertia: Symmetric3 { entries }, inertia_inverse: _, inverse_mass, free_rotation } = mass;
    let is_round = entries.map(f64::to_bits) == round(entries[0]).map(f64::to_bits);
    let is_central = is_identical(center, &Vec3::zeros());
    let locks = inverse_mass.iter().map(|inverse| *inverse == 0.0).chain(free_rotation.iter().map(|is_free| !is_free));
    let locks = locks.enumerate().fold(0, |locks, (bit, is_locked)| locks | u8::from(is_locked) << bit);
    visitor.byte(locks | marked(!is_central, CENTER) | marked(!is_round, INERTIA));
    visitor.number(*mass);
    if !is_central {
        center.visit(visitor);
    }
    if is_round {
        visitor.number(entries[0]);
    } else {
        entries.visit(visitor);
    }
}

/// The inertia of a ball.
fn round(inertia: f64) -> [f64; 6] {
    [inertia, inertia, inertia, 0.0, 0.0, 0.0]
}

fn load_mass(reader: &mut Reader) -> Result<Mass> {
    let (head, mass) = (reader.byte()?, reader.number()?);
    let center = if head & CENTER != 0 { Vec3::read(reader)? } else { Vec3::zeros() };
    let entries = if head & INERTIA != 0 { State::read(reader)? } else { round(reader.number()?) };
    let lock = u32::from(head & !(CENTER | INERTIA));
    if mass == 0.0 {
        let immovable = Mass::immovable(center);
        let holds = entries == [0.0; 6] && lock == Lock::ALL;
        return if holds { Ok(immovable) } else { Err(format_error("a body without mass has an inertia")) };
    }
    limits::mass("mass", mass)?;
    let made = Mass::dynamic(mass, center, Symmetric3 { entries }, Lock(lock));
    made.ok_or_else(|| {
        format_error(text!("a mass of {mass} has the inertia {entries:?}, which is not positive definite"))
    })
}
