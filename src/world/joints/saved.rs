//! Joints in snapshots.

use crate::body::Bodies;
use crate::error::{Result, not_negative, refill, reserve, text};
use crate::id::{Entity, Registry};
use crate::joint::{JointAxis, JointDefinition, JointKind, LocalFrame, Locks};
use crate::math::{Quat, Vec3, limits};
use crate::visit::{Reader, State, format_error};
use crate::world::joints::event::JointEvent;
use crate::world::joints::of_bodies::JointsOfBodies;
use crate::world::joints::populate::check_axes;
use crate::world::joints::state::{AXES, Joint, JointState, Joints, separated_pair};
use crate::world::joints::visit::{UNUSED, WORLD};

/// The bytes of an event.
const EVENT: usize = 13;

impl Joints {
    /// Reads joints of these bodies.
    ///
    /// # Errors
    ///
    /// Memory is exhausted, or there are no such joints.
    pub(in crate::world) fn load(reader: &mut Reader, bodies: &Bodies) -> Result<Self> {
        let registry = Registry::load(reader, Entity::Joint, UNUSED)?;
        reader.room(UNUSED * registry.untaken())?;
        let order = registry.load_order(reader)?;
        let slots = registry.slots();
        let (mut all, mut sequence) = (Vec::new(), Vec::new());
        refill(&mut all, slots, unused(), "joints")?;
        refill(&mut sequence, slots, 0, "joints")?;
        let (mut of_bodies, mut pairs) = (JointsOfBodies::default(), Vec::new());
        of_bodies.reserve(slots, bodies.slots())?;
        reserve(&mut pairs, slots, "joints")?;
        for (number, slot) in (0..).zip(&order) {
            let at = *slot as usize;
            let joint = load_joint(reader, bodies).map_err(|error| error.at(format_args!("joints[{number}]: ")))?;
            of_bodies.insert(at, joint.bodies);
            pairs.extend(separated_pair(&joint));
            (all[at], sequence[at]) = (joint, number);
        }
        pairs.sort_unstable();
        let events = reader.sequence("events", EVENT, |reader| {
            let event = JointEvent::read(reader)?;
            let holds = registry.holds(event.joint) && (event.axis as usize) < AXES;
            if holds { Ok(event) } else { Err(format_error("an event is of no joint")) }
        })?;
        let next_sequence = order.len() as u64;
        Ok(Self { registry, all, order, sequence, next_sequence, of_bodies, pairs, welds: Vec::new(), events })
    }
}

/// What a slot without a joint holds.
fn unused() -> Joint {
    let kind = JointKind::Fixed;
    let axes = [JointAxis::new(kind); AXES];
    Joint {
        definition: JointDefinition::new(kind),
        axes,
        bodies: [None; 2],
        frames: [LocalFrame { point: Vec3::zeros(), rotation: Quat::identity() }; 2],
        locks: Locks::new(kind, &axes.map(|axis| axis.mode)),
        is_enabled: false,
        is_broken: false,
        user_data: 0,
        state: JointState::NONE,
    }
}

fn load_joint(reader: &mut Reader, bodies: &Bodies) -> Result<Joint> {
    let definition = JointDefinition::read(reader)?;
    let kind = definition.kind;
    let frames = definition.check()?;
    let mut axes = [JointAxis::new(kind); AXES];
    for (index, axis) in axes.iter_mut().enumerate() {
        let own = JointAxis::read(reader)?;
        if own != *axis {
            own.check(kind, index).map_err(|error| error.at(format_args!("axes[{index}]: ")))?;
        }
        // Zeros keep their signs.
        *axis = own;
    }
    let locks = Locks::new(kind, &axes.map(|axis| axis.mode));
    check_axes(kind, &axes, &locks)?;
    let joined = [load_body(reader, bodies)?, load_body(reader, bodies)?];
    let moves = |slot: u32| bodies.mass[slot as usize].is_movable();
    if joined[0] == joined[1] || !joined.into_iter().flatten().any(moves) {
        return Err(format_error(text!("a joint cannot connect the bodies in the slots {joined:?}")));
    }
    let (is_enabled, is_broken, user_data) = (reader.flag()?, reader.flag()?, reader.word()?);
    let state = JointState::read(reader)?;
    check_state(&state)?;
    Ok(Joint { definition, axes, bodies: joined, frames, locks, is_enabled, is_broken, user_data, state })
}

fn load_body(reader: &mut Reader, bodies: &Bodies) -> Result<Option<u32>> {
    match reader.half()? {
        WORLD => Ok(None),
        slot if bodies.registry.is_live(slot as usize) => Ok(Some(slot)),
        slot => Err(format_error(text!("a joint is on slot {slot}, where no body is"))),
    }
}

/// Refuses what no step leaves.
fn check_state(state: &JointState) -> Result<()> {
    let JointState { step, largest_impulse, .. } = state;
    if *step != 0.0 {
        limits::step("the last step of a joint", *step)?;
    }
    not_negative("the largest impulse of a joint", *largest_impulse)?;
    match state.impulse_beyond_limits() {
        None => Ok(()),
        Some(impulse) => Err(format_error(text!("an impulse of a joint is {impulse}, which is beyond the limits"))),
    }
}
