//! The sleep test: which islands have been slow for long enough at the end of a step.

use crate::body::{Energy, Motion, Wrench};
use crate::contact::{ContactList, ImpulseCache, PointGeometry};
use crate::error::{Result, empty, refill, reserve, resize};
use crate::math::{BodyRow, PointX8, Vec3};
use crate::solver::{Solver, Velocity};
use crate::world::index::Index;
use crate::world::joints::Joints;
use crate::world::readback::ReadbackContext;
use crate::world::settings::Settings;
use crate::world::shape_registry::Shapes;
use crate::world::sleep::state::{SleepState, StepContact, Support, list_supports};
use crate::world::substeps::Substep;

/// A body is slow while all its points are slower than this part of the speed that gravity gives it in a substep [-].
///
/// The speed of a body at rest is the error of the solver. A body that begins to move gains a share of the speed of gravity in one
/// step, so it is faster than this at once. The limit also bounds the imbalance of a sleeping body's forces: its velocity changed by at
/// most twice that in its last step.
const SLOW: f64 = 0.02;

/// The time for which all bodies of an island must be slow before it falls asleep [s].
const TIME_TO_SLEEP: f64 = 0.5;

/// What the sleep test reads.
#[derive(Clone, Copy)]
pub(in crate::world) struct SleepInput<'a> {
    pub(in crate::world) settings: &'a Settings,
    /// Whether the periods of the box change. Then no body falls asleep.
    pub(in crate::world) is_strained: bool,
    pub(in crate::world) gravity: &'a Vec3,
    pub(in crate::world) substep: Substep,
    pub(in crate::world) shapes: &'a Shapes,
    pub(in crate::world) context: ReadbackContext<'a>,
    pub(in crate::world) contact_list: &'a ContactList,
    pub(in crate::world) loads: &'a ImpulseCache,
    pub(in crate::world) index: &'a Index,
    pub(in crate::world) solver: &'a Solver,
    /// The normals and gaps of the contacts, in the lanes of the loads.
    pub(in crate::world) points: &'a [PointX8],
    pub(in crate::world) joints: &'a Joints,
}

/// The result of the sleep test, until it is committed.
#[derive(Debug, Default)]
pub(in crate::world) struct SleepTest {
    /// The time for which the body of each row has been slow [s].
    pub(super) sleep_timer: Vec<f64>,
    /// Whether the body of each movable row falls asleep; empty if none does.
    pub(super) falls: Vec<bool>,
    /// The rows that fall asleep.
    pub(super) falling: Vec<FallingRow>,
    /// Whether each island rests on nothing that moves.
    is_supported: Vec<bool>,
    /// The sleeping contacts and supports after the step, if a body falls asleep or was woken.
    pub(super) contacts: Vec<StepContact>,
    pub(super) supports: Vec<Support>,
    /// Whether a body falls asleep or was woken.
    pub(super) is_changed: bool,
    /// The potential energy of all bodies that sleep after the step [J].
    pub(super) potential: f64,
}

/// A row that falls asleep.
#[derive(Debug, Clone, Copy)]
pub(super) struct FallingRow {
    pub(super) row: BodyRow,
    /// The next row of its island.
    pub(super) next: BodyRow,
}

impl SleepTest {
    /// Forgets the result of the last step.
    pub(super) fn clear(&mut self) {
        self.falls.clear();
        self.falling.clear();
        self.sleep_timer.clear();
    }

    /// Advances the sleep timer of every body of the step. Returns whether any body has been slow for long enough.
    pub(super) fn count_timers(&mut self, input: &SleepInput, sleep: &SleepState, motion: &[Motion]) -> Result<bool> {
        let SleepInput { context: ReadbackContext { bodies, .. }, shapes, index, substep, .. } = input;
        reserve(&mut self.sleep_timer, motion.len(), "bodies")?;
        let fall = SLOW * substep.length * input.gravity.norm();
        let mut is_ready = false;
        for (slot, motion) in index.active().iter().zip(motion) {
            let at = *slot as usize;
            let traits = &bodies.traits[at];
            let radius = shapes.get(traits.shape).map_or(0.0, |shape| shape.bounding_radius());
            let speed = motion.linear.norm() + radius * motion.angular.norm();
            let is_slow = speed <= fall * traits.gravity_scale.abs() && *bodies.wrench(at) == Wrench::ZERO;
            let timer = if is_slow { sleep.sleep_timer[at] + substep.step } else { 0.0 };
            is_ready |= timer >= TIME_TO_SLEEP;
            self.sleep_timer.push(timer);
        }
        Ok(is_ready)
    }

    /// Finds the islands whose bodies have all been slow for long enough and that rest on nothing that moves. `moving` is the number of
    /// movable rows.
    pub(super) fn find_falling(
        &mut self,
        input: &SleepInput,
        sleep: &SleepState,
        moving: usize,
        motion: &[Motion],
    ) -> Result<()> {
        resize(&mut self.falls, moving, false, "bodies")?;
        reserve(&mut self.falling, moving, "bodies")?;
        let islands = input.solver.islands();
        // Bodies without an island fall asleep on their own if they are exactly at rest.
        for number in 0..islands.len() {
            islands.get(number).bodies.iter().for_each(|row| self.falls[*row] = true);
        }
        for row in BodyRow::range(0..moving) {
            if self.is_ready(row) && !self.falls[row] && motion[row].is_at_rest() {
                self.falling.push(FallingRow { row, next: row });
            }
        }
        self.falls.fill(false);
        self.find_supported(input, sleep)?;
        for number in (0..islands.len()).filter(|number| self.is_supported[*number]) {
            let island = islands.get(number);
            if island.bodies.iter().all(|row| self.is_ready(*row)) {
                let next = island.bodies.iter().cycle().skip(1);
                let rows = island.bodies.iter().zip(next);
                self.falling.extend(rows.map(|(row, next)| FallingRow { row: *row, next: *next }));
            }
        }
        self.falling.iter().for_each(|falling| self.falls[falling.row] = true);
        Ok(())
    }

    /// Returns whether the body of a row has been slow for long enough.
    fn is_ready(&self, row: BodyRow) -> bool {
        self.sleep_timer[row] >= TIME_TO_SLEEP
    }

    /// Finds the islands that rest on nothing that moves.
    fn find_supported(&mut self, input: &SleepInput, sleep: &SleepState) -> Result<()> {
        let SleepInput { context: ReadbackContext { bodies, .. }, contact_list, index, solver, .. } = input;
        let islands = solver.islands();
        let stays = |slot: u32| {
            let at = slot as usize;
            let is_still = bodies.motion[at].is_at_rest() && !sleep.modified.contains(slot);
            !bodies.surfaces.moves(at) && (bodies.mass[at].is_movable() || is_still)
        };
        refill(&mut self.is_supported, islands.len(), true, "islands")?;
        for (number, place) in index.places().iter().enumerate() {
            let (a, b) = contact_list.records[*place].pair();
            if !(stays(a) && stays(b)) {
                let island = index.rows_of(number.into()).into_iter().find_map(|row| islands.of(row));
                island.into_iter().for_each(|island| self.is_supported[island] = false);
            }
        }
        for slot in input.joints.kept_awake(bodies, sleep) {
            let island = index.active_row(slot as usize).and_then(|row| islands.of(row));
            island.into_iter().for_each(|island| self.is_supported[island] = false);
        }
        Ok(())
    }

    /// Sets the velocities of the bodies that fall asleep to zero.
    pub(super) fn stop_bodies(&self, motion: &mut [Motion]) {
        for falling in &self.falling {
            let motion = &mut motion[falling.row];
            motion.linear.fill(0.0);
            motion.angular.fill(0.0);
        }
    }

    /// Lists the sleeping contacts after the step, if they change: without those of woken bodies, with those of bodies that fall asleep.
    pub(super) fn update_contacts(&mut self, input: &SleepInput, sleep: &SleepState, motion: &[Motion]) -> Result<()> {
        self.is_changed = !(self.falling.is_empty() && sleep.woken.is_empty());
        if !self.is_changed {
            return Ok(());
        }
        self.list_contacts(input, sleep)?;
        list_supports(&self.contacts, &mut self.supports, input.context.bodies)?;
        self.potential = self.potential_asleep(input, sleep, motion);
        Ok(())
    }

    fn list_contacts(&mut self, input: &SleepInput, sleep: &SleepState) -> Result<()> {
        let SleepInput { contact_list, loads, index, solver, context, substep, points, .. } = input;
        let Self { contacts, falls, .. } = self;
        empty(contacts, sleep.contacts.len() + contact_list.len(), "contacts")?;
        let mut old = sleep.contacts.iter().filter(|old| sleep.is_pair_asleep(old.touch.pair())).peekable();
        let mut mixing = context.mixing();
        let falls = |slot: u32| falls_asleep(falls, index, slot);
        let all = contact_list.records.iter().enumerate();
        for (at, record) in all.filter(|(_, record)| falls(record.body_a) || falls(record.body_b)) {
            while let Some(before) = old.next_if(|before| before.touch.pair() < record.pair()) {
                contacts.push(*before);
            }
            let point = PointGeometry::in_lane(points, loads.lane(at));
            let touch = context.touch(record, contact_list, &point, &mut mixing);
            let velocity = |slot: u32| index.row(slot).map_or(Velocity::ZERO, |row| solver.velocities()[row]);
            let [a, b] = &[record.body_a, record.body_b].map(velocity);
            let load = context.with_motion(loads.load(at), &touch, [a, b]);
            let (total, impact) = (loads.total(at), loads.impact(at));
            contacts.push(StepContact { touch, load, total, impact, step: substep.step, substep: substep.length });
        }
        contacts.extend(old);
        Ok(())
    }

    /// Returns the potential energy of all bodies that sleep at the end of the step [J].
    fn potential_asleep(&self, input: &SleepInput, sleep: &SleepState, motion: &[Motion]) -> f64 {
        let SleepInput { context: ReadbackContext { bodies, .. }, index, gravity, .. } = input;
        let row = |slot: u32| index.active_row(slot as usize);
        let will_sleep = |slot: &&u32| sleep.is_asleep(**slot) || falls_asleep(&self.falls, index, **slot);
        let after = |slot: usize| row(slot as u32).map_or(&bodies.motion[slot], |row| &motion[row]);
        let sleeping = bodies.order.iter().filter(will_sleep);
        Energy::sum(sleeping, |slot| bodies.energy_at(slot, after(slot), gravity)).potential
    }

    /// Returns the kinetic and potential energy at the end of the step [J]. The sum runs over the rows piece by piece, then over the
    /// sleeping bodies. `energies` is the energy of each piece. Bodies without a row do not move or have no mass.
    pub(in crate::world) fn energy(
        &self,
        input: &SleepInput,
        sleep: &SleepState,
        motion: &[Motion],
        energies: &[Energy],
    ) -> Energy {
        let awake = if self.falling.is_empty() {
            energies.iter().fold(Energy::default(), |sum, piece| sum.plus(*piece))
        } else {
            let moved = input.index.active().iter().zip(motion).enumerate();
            let stays = moved.filter(|(row, _)| self.falls.get(*row) != Some(&true));
            let energy = |(_, (slot, motion)): (usize, (&u32, _))| {
                input.context.bodies.energy_at(*slot as usize, motion, input.gravity)
            };
            stays.map(energy).fold(Energy::default(), Energy::plus)
        };
        let will_sleep = sleep.count + self.falling.len() - sleep.woken.len();
        if will_sleep == 0 {
            return awake;
        }
        let asleep = if self.is_changed { self.potential } else { sleep.potential };
        Energy { potential: awake.potential + asleep, ..awake }
    }
}

/// Returns whether the body in `slot` falls asleep, where `falls` says it of each movable row.
fn falls_asleep(falls: &[bool], index: &Index, slot: u32) -> bool {
    index.active_row(slot as usize).is_some_and(|row| falls.get(row.index()) == Some(&true))
}
