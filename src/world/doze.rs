//! Falling asleep: which islands have been slow for long enough at the end of a step, and what becomes of them.

use crate::body::{Bodies, Energy, Wrench};
use crate::contact::{Load, Memory, PointGeometry, Total, Touch};
use crate::error::{Result, reserve, resize};
use crate::query::force::forces_on;
use crate::solver::Velocity;
use crate::tasks::Alone;
use crate::world::readback::{ReadbackContext, ReadbackState, relative_velocity};
use crate::world::sleep::{Kept, Sleep, State};
use crate::world::state::{Workspace, World};
use crate::world::substeps::Substep;

/// A body is slow while all its points are slower than this part of the speed that its weight gives it in a step [-].
///
/// A body that rests has the error of the solver as its speed; one that is about to move gains its whole weight's speed
/// in one step, or a share of it, and is faster than this at once. It bounds too what is missing in the balance of a
/// sleeper's forces: its velocity changed by at most twice that in its last step.
const SLOW: f64 = 0.02;

/// For how long all bodies of an island are slow before it falls asleep [s].
const CALM: f64 = 0.5;

/// What a step finds out before it is committed.
#[derive(Debug, Default)]
pub(in crate::world) struct Doze {
    /// How long the body of each row has been slow now [s].
    calm: Vec<f64>,
    /// Whether the body of each row that impulses move falls asleep; none if nobody does.
    falls: Vec<bool>,
    /// The rows of those that do, each with the next one of its island.
    falling: Vec<(u32, u32)>,
    /// Whether each island rests on nothing that moves.
    held: Vec<bool>,
    /// The lists of the sleepers as they will be, if anybody falls asleep or was woken.
    contacts: Vec<Kept>,
    supports: Vec<(u32, u32)>,
    is_changed: bool,
    /// The potential energy of all who will sleep [J].
    potential: f64,
}

impl World {
    /// Finds the islands that fall asleep at the end of a step in parts such as `substep`, and stops their bodies.
    pub(in crate::world) fn doze(&mut self, substep: &Substep) -> Result<()> {
        let doze = &mut self.workspace.doze;
        doze.falls.clear();
        doze.falling.clear();
        doze.calm.clear();
        if self.settings.sleeping {
            self.sleep.reserve(self.bodies.slots())?;
            self.roster.reserve(0, self.bodies.slots())?;
            if self.count_calm(substep)? {
                self.find_falling()?;
            }
        }
        let Workspace { doze, motion, .. } = &mut self.workspace;
        for (row, _) in &doze.falling {
            let motion = &mut motion[*row as usize];
            motion.linear.fill(0.0);
            motion.angular.fill(0.0);
        }
        doze.is_changed = !(doze.falling.is_empty() && self.sleep.roused.is_empty());
        if doze.is_changed { self.rewrite(substep) } else { Ok(()) }
    }

    /// Continues the clock of every body of the step. Whether any has been slow for long enough.
    fn count_calm(&mut self, substep: &Substep) -> Result<bool> {
        let Workspace { doze, motion, index, .. } = &mut self.workspace;
        reserve(&mut doze.calm, motion.len(), "bodies")?;
        let fall = SLOW * substep.length * self.gravity.norm();
        let mut ready = false;
        for (slot, motion) in index.active().iter().zip(motion.iter()) {
            let at = *slot as usize;
            let traits = &self.bodies.traits[at];
            let radius = self.shapes.get(traits.shape).map_or(0.0, |shape| shape.bounding_radius());
            let speed = motion.linear.norm() + radius * motion.angular.norm();
            let slow = speed <= fall * traits.gravity_scale.abs() && *self.bodies.wrench(at) == Wrench::ZERO;
            let calm = if slow { self.sleep.calm[at] + substep.step } else { 0.0 };
            ready |= calm >= CALM;
            doze.calm.push(calm);
        }
        Ok(ready)
    }

    /// Finds the islands all of whose bodies have been slow for long enough, and that rest on nothing that moves.
    fn find_falling(&mut self) -> Result<()> {
        let Workspace { doze, index, touches, solver, motion, .. } = &mut self.workspace;
        let Doze { calm, falls, falling, held, .. } = doze;
        let (bodies, sleep) = (&self.bodies, &self.sleep);
        let moving = self.roster.moving();
        resize(falls, moving, false, "bodies")?;
        reserve(falling, moving, "bodies")?;
        let is_calm = |row: &u32| calm[*row as usize] >= CALM;
        let stays = |slot: u32| {
            let at = slot as usize;
            bodies.mass[at].is_movable() || bodies.motion[at].is_at_rest() && !sleep.is_stirred(slot)
        };
        let islands = solver.islands();
        // First: who is in an island at all. Who is not falls asleep alone if he rests exactly.
        for number in 0..islands.len() {
            islands.get(number).bodies.iter().for_each(|row| falls[*row as usize] = true);
        }
        for row in (0..moving as u32).filter(is_calm) {
            if !falls[row as usize] && motion[row as usize].is_at_rest() {
                falling.push((row, row));
            }
        }
        falls.fill(false);
        held.clear();
        resize(held, islands.len(), true, "islands")?;
        for (number, place) in index.places().iter().enumerate() {
            let (a, b) = touches.found[*place as usize].pair();
            if !(stays(a) && stays(b)) {
                let island = index.rows_of(number).into_iter().find_map(|row| islands.of(row));
                island.into_iter().for_each(|island| held[island] = false);
            }
        }
        for number in (0..islands.len()).filter(|number| held[*number]) {
            let island = islands.get(number);
            if island.bodies.iter().all(is_calm) {
                let next = island.bodies.iter().cycle().skip(1);
                falling.extend(island.bodies.iter().copied().zip(next.copied()));
            }
        }
        falling.iter().for_each(|(row, _)| falls[*row as usize] = true);
        Ok(())
    }

    /// The lists of the sleepers without those that were woken and with those that fall asleep in this step.
    fn rewrite(&mut self, substep: &Substep) -> Result<()> {
        let Workspace { doze, index, touches, loads, detector, solver, assembly, .. } = &mut self.workspace;
        let sleep = &self.sleep;
        let readback = ReadbackContext::new(&self.bodies, detector.places(), &self.materials, &self.settings);
        let falls = |slot: u32| index.active_row(slot as usize).is_some_and(|row| doze.falls.get(row) == Some(&true));
        let kept = &mut doze.contacts;
        kept.clear();
        reserve(kept, sleep.contacts.len() + touches.len(), "contacts")?;
        let mut old = sleep.contacts.iter().filter(|kept| sleep.holds(kept.touch.pair())).peekable();
        let mut mixing = readback.mixing();
        let all = touches.found.iter().enumerate();
        for (at, found) in all.filter(|(_, found)| falls(found.body_a) || falls(found.body_b)) {
            while let Some(before) = old.next_if(|before| before.touch.pair() < found.pair()) {
                kept.push(*before);
            }
            let point = PointGeometry::in_lane(&assembly.buffer.points, loads.rank(at));
            let touch = readback.touch(found, touches, &point, &mut mixing);
            // A body at rest that only sleeping contacts touch has no row.
            let velocity = |slot: u32| index.row(slot).map_or(Velocity::ZERO, |row| solver.velocities()[row]);
            let [a, b] = &[found.body_a, found.body_b].map(velocity);
            let load = Load { relative_velocity: relative_velocity(&touch, a, b), ..loads.load(at) };
            let total = loads.total(at);
            kept.push(Kept { touch, load, total, step: substep.step, substep: substep.length });
        }
        kept.extend(old);
        doze.list_supports(&self.bodies)?;
        self.workspace.doze.potential = self.potential_asleep();
        Ok(())
    }

    /// The potential energy of all who sleep at the end of the step [J].
    fn potential_asleep(&self) -> f64 {
        let Workspace { doze, index, motion, .. } = &self.workspace;
        let row = |slot: u32| index.active_row(slot as usize);
        let falls = |slot: u32| row(slot).is_some_and(|row| doze.falls.get(row) == Some(&true));
        let sleepers = self.bodies.order.iter().filter(|slot| self.sleep.is_asleep(**slot) || falls(**slot));
        let after = |slot: usize| row(slot as u32).map_or(&self.bodies.motion[slot], |row| &motion[row]);
        Energy::sum(sleepers, |slot| self.bodies.energy_at(slot, after(slot), &self.gravity)).potential
    }

    /// Kinetic and potential energy at the end of the step [J]: of the rows piece by piece, whoever moved them, then of who sleeps.
    /// What has no row does not count: it is not moved, or has no mass.
    pub(in crate::world) fn energy_after(&self) -> Energy {
        let Workspace { doze, energies, index, motion, .. } = &self.workspace;
        let awake = if doze.falling.is_empty() {
            energies.iter().fold(Energy::default(), |sum, piece| sum.plus(*piece))
        } else {
            let moved = index.active().iter().zip(motion).enumerate();
            let stays = moved.filter(|(row, _)| doze.falls.get(*row) != Some(&true));
            let energy =
                |(_, (slot, motion)): (usize, (&u32, _))| self.bodies.energy_at(*slot as usize, motion, &self.gravity);
            stays.map(energy).fold(Energy::default(), Energy::plus)
        };
        // whether nobody will sleep
        if self.sleep.count + doze.falling.len() == self.sleep.roused.len() {
            return awake;
        }
        let asleep = if doze.is_changed { doze.potential } else { self.sleep.potential };
        Energy { potential: awake.potential + asleep, ..awake }
    }

    /// Kinetic and potential energy now: of who is awake, then of who sleeps, each in the order of creation [J].
    pub fn energy(&self) -> (f64, f64) {
        let (bodies, gravity) = (&self.bodies, &self.gravity);
        let now = |slot: usize| bodies.energy_at(slot, &bodies.motion[slot], gravity);
        if !self.sleep.is_used() {
            let Energy { kinetic, potential } = bodies.energy(now, &Alone);
            return (kinetic, potential);
        }
        let asleep = |slot: &&u32| self.sleep.is_asleep(**slot);
        let Energy { kinetic, potential } = Energy::sum(bodies.order.iter().filter(|slot| !asleep(slot)), now);
        (kinetic, potential + Energy::sum(bodies.order.iter().filter(asleep), now).potential)
    }

    /// Who falls asleep sleeps, and who was woken is awake as any other. The contacts of the step are in the memory already.
    pub(in crate::world) fn commit_sleep(&mut self) {
        let Workspace { doze, index, .. } = &mut self.workspace;
        let (sleep, slots) = (&mut self.sleep, index.slots());
        for (slot, calm) in slots.iter().zip(&doze.calm) {
            sleep.calm[*slot as usize] = *calm;
        }
        sleep.calm_down();
        if !doze.is_changed {
            return;
        }
        sleep.count -= sleep.roused.len();
        for slot in sleep.roused.drain(..) {
            sleep.state[slot as usize] = State::Awake;
        }
        sleep.count += doze.falling.len();
        for (row, next) in &doze.falling {
            let slot = slots[*row as usize] as usize;
            sleep.state[slot] = State::Asleep;
            sleep.calm[slot] = 0.0;
            self.bodies.set_asleep(slot, true);
            sleep.next[slot] = slots[*next as usize];
            self.roster.leave();
        }
        sleep.potential = doze.potential;
        std::mem::swap(&mut sleep.contacts, &mut doze.contacts);
        std::mem::swap(&mut sleep.supports, &mut doze.supports);
        if !doze.falling.is_empty() {
            self.part_with_sleepers();
        }
    }

    /// Takes the contacts of sleepers from those of the step, and their forces from the sums on what they rest on. The sums
    /// on the sleepers themselves stay as they are.
    fn part_with_sleepers(&mut self) {
        let Self { sleep, memory, readback, bodies, contact_wrenches, pressed, .. } = self;
        memory.retain(|found| !sleep.holds(found.pair()));
        pressed.retain(|slot| !sleep.is_asleep(*slot));
        for slot in pressed.iter().filter(|slot| !bodies.mass[**slot as usize].is_movable()) {
            contact_wrenches[*slot as usize] = Wrench::ZERO;
        }
        let context = readback.of(bodies);
        let mut mixing = context.mixing();
        for (found, point, _, total) in memory.sums() {
            for slot in [found.body_a, found.body_b] {
                if !bodies.mass[slot as usize].is_movable() {
                    let touch = context.touch(found, &memory.touches, &point, &mut mixing);
                    contact_wrenches[slot as usize].add(&forces_on(slot, [(touch, total, memory.step)].into_iter()));
                }
            }
        }
    }

    /// The forces of sleepers on the body in `slot`, which impulses do not move.
    pub(in crate::world) fn weight_of_sleepers(&self, slot: u32) -> Wrench {
        let supports = &self.sleep.supports;
        let begin = supports.partition_point(|(support, _)| *support < slot);
        let own = supports[begin..].iter().take_while(|(support, _)| *support == slot);
        let own = own.map(|(_, at)| &self.sleep.contacts[*at as usize]);
        forces_on(slot, own.map(|kept| (kept.touch, kept.total, kept.step)))
    }
}

impl Doze {
    fn list_supports(&mut self, bodies: &Bodies) -> Result<()> {
        let Self { contacts, supports, .. } = self;
        supports.clear();
        reserve(supports, contacts.len(), "contacts")?;
        for (at, Kept { touch, .. }) in (0..).zip(contacts.iter()) {
            let rests = |slot: &u32| !bodies.mass[*slot as usize].is_movable();
            supports.extend([touch.body_a, touch.body_b].into_iter().filter(rests).map(|slot| (slot, at)));
        }
        supports.sort_unstable();
        Ok(())
    }
}

impl Sleep {
    /// The contacts of the last step, which `memory` has, and those of the sleepers, sorted by pair; each with what it carried,
    /// and the length of the step that this is of [s]. `readback` reads those in the memory; contacts of
    /// pairs that are `ended` are left out.
    pub(in crate::world) fn join<'a>(
        &'a self,
        memory: &'a Memory,
        (readback, bodies): (&'a ReadbackState, &'a Bodies),
        ended: impl Fn((u32, u32)) -> bool + 'a,
    ) -> impl Iterator<Item = (Touch, Load, Total, f64)> + 'a {
        let (mut awake, mut asleep) = (memory.sums().peekable(), self.contacts.iter().peekable());
        let context = readback.of(bodies);
        let mut mixing = context.mixing();
        let mut next = move || {
            let is_awake = match (awake.peek(), asleep.peek()) {
                (Some((found, ..)), Some(kept)) => found.pair() < kept.touch.pair(),
                (found, _) => found.is_some(),
            };
            if is_awake {
                let (found, point, load, total) = awake.next()?;
                let is_there = !ended(found.pair());
                Some(is_there.then(|| {
                    let touch = context.touch(found, &memory.touches, &point, &mut mixing);
                    let load = Load { relative_velocity: readback.relative_velocity(&touch), ..load };
                    (touch, load, total, memory.step)
                }))
            } else {
                let kept = asleep.next()?;
                Some((!ended(kept.touch.pair())).then_some((kept.touch, kept.load, kept.total, kept.step)))
            }
        };
        std::iter::from_fn(move || {
            loop {
                if let Some(contact) = next()? {
                    return Some(contact);
                }
            }
        })
    }
}
