//! The state of the joints, and the new state during a step, before it is committed.

use std::mem::swap;

use crate::body::{Bodies, Motion};
use crate::error::{Result, empty, refill, reserve};
use crate::id::{Entity, Handle, Registry};
use crate::joint::{
    AxisDrives, Drive, JointAxis, JointDefinition, JointKind, JointLoad, LocalFrame, Locks, MotorMode, TurnLocks,
};
use crate::math::{Pose, Vec3, limits};
use crate::world::joints::event::{JointEvent, JointEventKind};
use crate::world::joints::of_bodies::JointsOfBodies;
use crate::world::sleep::{SleepState, Waker};

/// The number of axes of a joint.
pub(super) const AXES: usize = 6;

/// A joint that a host requests.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointRequest {
    /// The kind, the frames, and what holds for all rows.
    pub definition: JointDefinition,
    /// One for each axis. An axis that the kind does not leave free must be as [`JointAxis::new`] returns it.
    pub axes: [JointAxis; AXES],
    /// Body A, or [`Handle::NULL`] for the world.
    pub body_a: Handle,
    /// Body B, or [`Handle::NULL`] for the world. One of the two must be dynamic.
    pub body_b: Handle,
    /// A number that only the host uses.
    pub user_data: u64,
}

/// A target of the motor of an axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointTarget {
    /// The joint.
    pub joint: Handle,
    /// The index of the axis.
    pub index: usize,
    /// The new target position [m] or [rad]; `None` leaves it as it is.
    pub position: Option<f64>,
    /// The velocity at which it moves [m/s] or [rad/s]; `None` leaves it as it is.
    pub velocity: Option<f64>,
}

/// The kinds of drives along an axis. Each has its own row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::world) enum DriveKind {
    /// Two equal bounds.
    Held,
    Lower,
    Upper,
    Motor,
    Spring,
    Friction,
    Armature,
}

impl DriveKind {
    /// Returns what acts along an axis with its kind, in the order of the rows.
    pub(super) fn of_all(drives: &AxisDrives) -> [(Self, Option<Drive>); DRIVES] {
        let AxisDrives { held, lower_limit, upper_limit, motor, spring, friction, armature } = *drives;
        [
            (Self::Held, held),
            (Self::Lower, lower_limit),
            (Self::Upper, upper_limit),
            (Self::Motor, motor),
            (Self::Spring, spring),
            (Self::Friction, friction),
            (Self::Armature, armature),
        ]
    }
}

/// The place of a solver row within its joint.
#[derive(Debug, Clone, Copy)]
pub(in crate::world) enum RowPlace {
    /// One of the locked rows.
    Locked(usize),
    /// A drive along an axis.
    Drive(usize, DriveKind),
}

/// The number of kinds of drives.
pub(super) const DRIVES: usize = 7;

/// Impulses of all rows that a joint can have; those of rows that it does not have are 0 [N s] or [N m s].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(in crate::world) struct RowImpulses {
    pub(in crate::world) locked: [f64; AXES],
    /// By axis, then by kind.
    pub(in crate::world) drives: [[f64; DRIVES]; AXES],
}

/// The results of a step for a joint: its impulses, and its positions at the end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::world) struct JointState {
    /// The position along each axis at the end of the step, turns counted; 0 of axes without a coordinate [m] or [rad].
    pub(in crate::world) position: [f64; AXES],
    /// The impulses of the last substep, from which the next one starts.
    pub(in crate::world) last: RowImpulses,
    /// The impulses over the step, by axis and kind of drive.
    pub(in crate::world) drives: [[f64; DRIVES]; AXES],
    /// The impulse and the angular impulse about `pB` of all rows over the step.
    pub(in crate::world) load: JointLoad,
    /// The angular impulses over the step on A and on B, about their centres of mass [N m s].
    pub(in crate::world) moments: [Vec3; 2],
    /// The force on B in the last substep [N].
    pub(in crate::world) last_force: Vec3,
    /// What the velocity of a rotor at the end of the last substep, as its row had it there, is above that along the axis now [m/s] or [rad/s].
    /// The axis turns with the bodies, and a rotor must not take that for a change of its velocity.
    pub(in crate::world) rotor_lag: [f64; AXES],
    /// The force across each axis of frame A in the last substep, on which friction depends [N].
    pub(in crate::world) loads_across: [f64; 3],
    /// Whether the motor of each axis was at a bound of its force in the last substep.
    pub(in crate::world) is_saturated: [bool; AXES],
    /// Whether the dry friction of each axis was below its bound in the last substep.
    pub(in crate::world) is_sticking: [bool; AXES],
    /// Whether rows of its mechanism follow from others, and whether it was too stiff to be aimed, in any substep.
    pub(in crate::world) is_redundant: bool,
    pub(in crate::world) is_unaimed: bool,
    /// Whether each axis was at its lower and at its upper bound at the end of the step.
    pub(in crate::world) is_at_bound: [[bool; 2]; AXES],
    /// The largest impulse of a substep [N s].
    pub(in crate::world) largest_impulse: f64,
    /// Length of the step [s].
    pub(in crate::world) step: f64,
}

impl JointState {
    /// Returns an impulse along a row, of the last substep or the step, that is not finite or beyond the limits.
    pub(super) fn impulse_beyond_limits(&self) -> Option<f64> {
        let Self { last, drives, .. } = self;
        let impulses = last.locked.iter().chain(last.drives.as_flattened()).chain(drives.as_flattened());
        impulses.copied().find(|impulse| !limits::has_square(*impulse))
    }

    pub(super) const NONE: Self = Self {
        position: [0.0; AXES],
        last: RowImpulses { locked: [0.0; AXES], drives: [[0.0; DRIVES]; AXES] },
        drives: [[0.0; DRIVES]; AXES],
        load: JointLoad::ZERO,
        moments: [Vec3::new(0.0, 0.0, 0.0); 2],
        last_force: Vec3::new(0.0, 0.0, 0.0),
        rotor_lag: [0.0; AXES],
        loads_across: [0.0; 3],
        is_saturated: [false; AXES],
        is_sticking: [false; AXES],
        is_redundant: false,
        is_unaimed: false,
        is_at_bound: [[false; 2]; AXES],
        largest_impulse: 0.0,
        step: 0.0,
    };
}

/// A joint of a world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::world) struct Joint {
    pub(in crate::world) definition: JointDefinition,
    pub(in crate::world) axes: [JointAxis; AXES],
    /// The slots of the bodies; `None` is the world.
    pub(in crate::world) bodies: [Option<u32>; 2],
    pub(in crate::world) frames: [LocalFrame; 2],
    pub(in crate::world) locks: Locks,
    pub(in crate::world) is_enabled: bool,
    /// Whether a load broke it.
    pub(in crate::world) is_broken: bool,
    pub(in crate::world) user_data: u64,
    pub(in crate::world) state: JointState,
}

impl Joint {
    /// Returns a joint that carries nothing yet.
    pub(super) fn new(request: &JointRequest, bodies: [Option<u32>; 2], frames: [LocalFrame; 2], locks: Locks) -> Self {
        let JointRequest { definition, axes, user_data, .. } = *request;
        Self {
            definition,
            axes,
            bodies,
            frames,
            locks,
            is_enabled: true,
            is_broken: false,
            user_data,
            state: JointState::NONE,
        }
    }

    /// Returns whether the joint leaves all turns free.
    pub(in crate::world) fn is_ball(&self) -> bool {
        self.locks.turns == TurnLocks::None && self.definition.kind != JointKind::Distance
    }

    /// Returns whether the joint acts.
    pub(in crate::world) fn acts(&self) -> bool {
        self.is_enabled && !self.is_broken
    }

    /// Returns whether the joint carried more in a step than one of its bounds, where `state` is that at the end of the step.
    pub(super) fn is_overloaded(&self, state: &JointState) -> bool {
        let JointDefinition { break_force, break_torque, break_impulse, .. } = self.definition;
        let JointState { load, step, largest_impulse, .. } = state;
        let above = |value: f64, bound: f64| bound > 0.0 && value > bound;
        above(load.force.norm(), break_force * step)
            || above(load.torque.norm(), break_torque * step)
            || above(*largest_impulse, break_impulse)
    }

    /// Returns whether a motor moves the joint of itself.
    pub(in crate::world) fn is_driven(&self) -> bool {
        self.acts() && self.axes.iter().any(|axis| axis.motor != MotorMode::Off && axis.target_velocity != 0.0)
    }
}

/// The joints of a world.
#[derive(Debug)]
pub(in crate::world) struct Joints {
    pub(in crate::world) registry: Registry,
    /// By slot; of free slots what was there last.
    pub(in crate::world) all: Vec<Joint>,
    /// The live slots in creation order.
    pub(in crate::world) order: Vec<u32>,
    /// By slot, a number that increases along `order`.
    pub(super) sequence: Vec<u64>,
    pub(super) next_sequence: u64,
    pub(super) of_bodies: JointsOfBodies,
    /// The pairs of bodies, the lower slot first, that a joint keeps from touching each other. Sorted; one for each such joint.
    pub(super) pairs: Vec<(u32, u32)>,
    /// See [`Joints::separated`]; recomputed in each step.
    pub(super) welds: Vec<(u32, u32)>,
    /// Of the last completed step; see [`Joints::events`].
    pub(super) events: Vec<JointEvent>,
}

impl Default for Joints {
    fn default() -> Self {
        Self {
            registry: Registry::new(Entity::Joint),
            all: Vec::new(),
            order: Vec::new(),
            sequence: Vec::new(),
            next_sequence: 0,
            of_bodies: JointsOfBodies::default(),
            pairs: Vec::new(),
            welds: Vec::new(),
            events: Vec::new(),
        }
    }
}

impl Joints {
    /// Returns the joint of a handle.
    pub(in crate::world) fn get(&self, joint: Handle) -> Result<&Joint> {
        Ok(&self.all[self.registry.slot("joint", joint)?])
    }

    /// Reserves memory, so that the next `count` calls of [`Joints::insert`] cannot fail, in a world with so many slots of bodies.
    pub(super) fn reserve(&mut self, count: usize, bodies: usize) -> Result<()> {
        self.registry.reserve(count)?;
        self.of_bodies.reserve(self.registry.slots() + count, bodies)?;
        reserve(&mut self.sequence, count, "joints")?;
        reserve(&mut self.all, count, "joints")?;
        reserve(&mut self.order, count, "joints")?;
        reserve(&mut self.pairs, count, "joints")
    }

    /// Adds a joint, for which memory is reserved.
    pub(super) fn insert(&mut self, joint: Joint) -> Handle {
        let (slot, handle) = self.registry.insert();
        if slot == self.all.len() {
            self.all.push(joint);
            self.sequence.push(self.next_sequence);
        } else {
            self.all[slot] = joint;
            self.sequence[slot] = self.next_sequence;
        }
        self.next_sequence += 1;
        self.of_bodies.insert(slot, joint.bodies);
        self.order.push(slot as u32);
        if let Some(pair) = separated_pair(&joint) {
            let at = self.pairs.partition_point(|other| *other < pair);
            self.pairs.insert(at, pair);
        }
        handle
    }

    /// Removes the joint in `slot`.
    pub(super) fn remove(&mut self, slot: usize) {
        if let Some(pair) = separated_pair(&self.all[slot])
            && let Ok(at) = self.pairs.binary_search(&pair)
        {
            self.pairs.remove(at);
        }
        let sequence = self.sequence[slot];
        if let Ok(at) = self.order.binary_search_by_key(&sequence, |slot| self.sequence[*slot as usize]) {
            self.order.remove(at);
        }
        self.of_bodies.remove(slot, self.all[slot].bodies);
        self.registry.remove(slot);
    }

    /// Returns the live joints by rising slot: the order of their rows.
    pub(in crate::world) fn live(&self) -> impl Iterator<Item = (usize, &Joint)> {
        self.all.iter().enumerate().filter(|(slot, _)| self.registry.is_live(*slot))
    }

    /// Wakes the bodies that are joined to a body that impulses do not move, and that moves or was modified.
    pub(in crate::world) fn wake_moved(&self, waker: &mut Waker) {
        if !waker.sleep.is_used() {
            return;
        }
        for (_, joint) in self.live().filter(|(_, joint)| joint.acts()) {
            if let [Some(a), Some(b)] = joint.bodies {
                for (slot, other) in [(a, b), (b, a)] {
                    if is_moving_kinematic(waker.bodies, waker.sleep, slot) {
                        waker.wake(other);
                    }
                }
            }
        }
    }

    /// Returns the bodies that a joint keeps awake: a motor drives it, or the other body moves and impulses do not
    /// move it.
    pub(in crate::world) fn kept_awake<'a>(
        &'a self,
        bodies: &'a Bodies,
        sleep: &'a SleepState,
    ) -> impl Iterator<Item = u32> + 'a {
        let live = self.live().map(|(_, joint)| joint).filter(|joint| joint.acts());
        let is_kept = move |joint: &&Joint| {
            joint.is_driven() || joint.bodies.into_iter().flatten().any(|slot| is_moving_kinematic(bodies, sleep, slot))
        };
        live.filter(is_kept).flat_map(|joint| joint.bodies.into_iter().flatten())
    }
}

/// Returns whether a body that impulses do not move is in motion, or was modified since the last step.
fn is_moving_kinematic(bodies: &Bodies, sleep: &SleepState, slot: u32) -> bool {
    let at = slot as usize;
    !bodies.mass[at].is_movable() && (!bodies.motion[at].is_at_rest() || sleep.modified.contains(slot))
}

/// Returns the pair of bodies that a joint keeps from touching each other.
pub(super) fn separated_pair(joint: &Joint) -> Option<(u32, u32)> {
    let [Some(a), Some(b)] = joint.bodies else { return None };
    (!joint.definition.collide).then_some((a.min(b), a.max(b)))
}

/// The states of the joints at the end of the substeps so far, by slot.
#[derive(Debug, Default)]
pub(in crate::world) struct JointWorkspace {
    pub(in crate::world) states: Vec<JointState>,
    /// The joints whose state the step changes: those with an awake body, and those that do not act.
    pub(in crate::world) is_active: Vec<bool>,
    /// The axes that came to a bound in a substep, by slot.
    pub(super) has_reached_bound: Vec<[bool; AXES]>,
    pub(super) events: Vec<JointEvent>,
    /// The impulses of all rows over the stages so far, in the order of the solver.
    pub(in crate::world) row_totals: Vec<f64>,
    pub(in crate::world) report: JointReport,
}

/// What a step reports of its joints.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::world) struct JointReport {
    /// Mechanisms too stiff to be aimed, the most over the substeps.
    pub(in crate::world) unaimed: u32,
    /// The largest product of substep and frequency of a mechanism under its forces [-].
    pub(in crate::world) stiffness: f64,
    /// The largest residual of a row [m/s], and the joint that has it.
    pub(in crate::world) residual: f64,
    pub(in crate::world) worst: Option<usize>,
    /// The largest error of a locked displacement at the end of the last substep [m].
    pub(in crate::world) error: f64,
    /// The time spent on them apart from the sweeps [s].
    pub(in crate::world) seconds: f64,
}

impl JointWorkspace {
    /// Begins a step of `step` seconds: each joint starts from what it carried last, and has carried nothing yet.
    pub(in crate::world) fn begin(&mut self, joints: &Joints, step: f64) -> Result<()> {
        let Self { states, is_active, has_reached_bound, events, row_totals, report } = self;
        // A step that failed, or a static increment, leaves none.
        events.clear();
        row_totals.clear();
        *report = JointReport::default();
        refill(has_reached_bound, joints.all.len(), [false; AXES], "joints")?;
        empty(states, joints.all.len(), "joints")?;
        empty(is_active, joints.all.len(), "joints")?;
        let begun = |joint: &Joint| match joint.acts() {
            true => JointState {
                drives: [[0.0; DRIVES]; AXES],
                load: JointLoad::ZERO,
                moments: [Vec3::zeros(); 2],
                is_redundant: false,
                is_unaimed: false,
                largest_impulse: 0.0,
                step,
                ..joint.state
            },
            // A joint that does not act carries nothing, and starts from nothing when it acts again.
            false => {
                let JointState { position, is_at_bound, .. } = joint.state;
                JointState { position, is_at_bound, step, ..JointState::NONE }
            }
        };
        states.extend(joints.all.iter().map(begun));
        is_active.extend(joints.all.iter().map(|joint| !joint.acts()));
        Ok(())
    }

    /// Makes the states those of the joints that took part, and the events those of the world.
    pub(in crate::world) fn commit(&mut self, joints: &mut Joints) {
        let ended = self.states.iter().zip(&self.is_active);
        for (joint, (state, _)) in joints.all.iter_mut().zip(ended).filter(|(_, (_, is_active))| **is_active) {
            joint.state = *state;
        }
        // The next step reuses the array of the last one.
        swap(&mut joints.events, &mut self.events);
        for JointEvent { joint, .. } in joints.events.iter().filter(|event| event.kind == JointEventKind::Broken) {
            if let Ok(slot) = joints.registry.slot("joint", *joint) {
                joints.all[slot].is_broken = true;
            }
        }
    }
}

/// Returns the pose of the shape of a body, whose motion is that of its centre of mass.
pub(super) fn pose_of(bodies: &Bodies, slot: usize, motion: &Motion) -> Pose {
    Pose::new(motion.center - motion.rotation * bodies.mass[slot].center, motion.rotation)
}
