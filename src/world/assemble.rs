//! The only translator between bodies and solver rows: bodies and contacts become the problem of a substep.

pub(in crate::world) mod body_inputs;
pub(in crate::world) mod contact_state;
mod fill;
mod geometry;
mod warm_start;

use std::ops::Range;

use crate::body::Kick;
use crate::contact::{Found, Loads, Memory, Shared};
use crate::error::{Result, resize};
use crate::law::rigid::Rigid;
use crate::math::lanes::distances::BODIES_AHEAD;
use crate::math::lanes::{WIDE, Wide};
use crate::math::{Vec3, are_finite};
use crate::solver::{
    ContactBuffer, Friction, Impulse, Impulses, List, MassInverse, Options, Outcome, Problem, Solver, Velocity,
};
use crate::tasks::{Tasks, each_piece, each_triple_of_pieces, reduce};
use crate::world::assemble::contact_state::ContactStateX8;
use crate::world::assemble::fill::{ContactContext, fill};
use crate::world::assemble::geometry::GeometryContext;
use crate::world::assemble::warm_start::{FAR_RESIDUAL, Origin, WarmStart};
use crate::world::report::Report;
use crate::world::settings::{Projection, Settings};
use crate::world::settings::WarmStart as Policy;
use crate::world::state::{BODIES_PER_PIECE, Workspace, World};
use crate::world::substeps::Substep;

/// The problem of a substep. Arrays of bodies are parallel to the rows of the index.
#[derive(Debug, Default)]
pub(in crate::world) struct Assembly {
    pub(in crate::world) masses: Vec<MassInverse>,
    pub(in crate::world) velocities: Vec<Velocity>,
    /// The input of each row; see [`body_inputs`].
    inputs: Vec<Wide>,
    /// The largest speed of a contact point of each row relative to its centre of mass, where detection found contact points [m/s].
    point_speeds: Vec<f64>,
    /// The contacts in the order of the solver's lanes.
    pub(in crate::world) buffer: ContactBuffer,
    /// What the world keeps of them, in the same order.
    pub(in crate::world) states: Vec<ContactStateX8>,
    /// The contacts by number and their impulses, where a method needs them so.
    list: List,
    listed: Impulses,
    /// The answer, in the order of the lanes.
    pub(in crate::world) impulses: Impulses,
    /// The gap of each contact at the start of the substep; empty in the first one, whose gaps are those of the step [m].
    pub(in crate::world) gaps: Vec<f64>,
    /// The position pass: how far each lane is to be opened [m], and its multiplier [kg m].
    pub(in crate::world) targets: Vec<Wide>,
    pub(in crate::world) multipliers: Vec<Wide>,
}

/// Batches that are read at a time.
const BATCHES_PER_PIECE: usize = 256;

impl World {
    /// Turns bodies and contacts into the problem of a substep.
    pub(in crate::world) fn assemble(&mut self, substep: &Substep) -> Result<()> {
        if substep.is_first {
            self.workspace.assembly.gaps.clear();
        } else {
            self.follow_gaps(substep)?;
            let Workspace { loads, assembly, .. } = &mut self.workspace;
            // The answer of the last substep is what this one starts from.
            assembly.swap_impulses(loads);
        }
        self.assemble_bodies(substep.length)?;
        self.assemble_contacts(substep)
    }

    /// Keys and impulses of the last step's contacts go to the ones that continue them. Returns the key that follows the
    /// last one given to a new contact.
    pub(in crate::world) fn inherit(&mut self, report: &mut Report) -> Result<u64> {
        let (sleep, memory) = (&self.sleep, &self.memory);
        let Workspace { detector, touches, origins, before, spans, .. } = &mut self.workspace;
        let shared = Shared { tasks: &*self.tasks, spans };
        let places = detector.places();
        let radius = |slot: u32| places[slot as usize].radius;
        // A tenth of the smaller body: further apart, two points of a face are two contacts.
        let reach = |found: &Found| 0.1 * radius(found.body_a).min(radius(found.body_b));
        let (fresh, next_key) = if sleep.roused.is_empty() {
            memory.inherit(&memory.touches, (touches, origins), reach, shared)?
        } else {
            let (all, loads) = before;
            sleep.recall(memory, &self.removed, (&mut *all, loads))?;
            memory.inherit(all, (touches, origins), reach, shared)?
        };
        report.new_contacts = fresh;
        Ok(next_key)
    }

    /// Gives rows to the bodies of the step, and numbers to its contacts.
    pub(in crate::world) fn order(&mut self) -> Result<()> {
        self.roster.arrange(&self.bodies, &self.sleep, &*self.tasks)?;
        let Workspace { index, touches, origins, same_contacts, .. } = &mut self.workspace;
        let are_continued = self.sleep.roused.is_empty() && self.memory.is_continued(origins);
        *same_contacts = index.make(&self.roster, self.bodies.slots(), touches, are_continued, &*self.tasks)?;
        if self.settings.substeps > 1 {
            let mass = &self.bodies.mass;
            index.keep_general(|slot| mass[slot as usize].constant_inverse().is_none(), &*self.tasks);
        }
        Ok(())
    }

    /// `M^-1` and `vhat` of every row, and its input. What takes no part in the step is at rest, and impulses do not move it.
    fn assemble_bodies(&mut self, h: f64) -> Result<()> {
        let (bodies, gravity) = (&self.bodies, self.gravity);
        let Workspace { assembly, detector, motion: present, index, .. } = &mut self.workspace;
        let places = detector.places();
        let (count, active) = (index.slots().len(), index.active());
        // those that take part are written over
        assembly.masses.truncate(active.len());
        resize(&mut assembly.masses, count, MassInverse::ZERO, "bodies")?;
        assembly.velocities.truncate(active.len());
        resize(&mut assembly.velocities, count, Velocity::ZERO, "bodies")?;
        assembly.inputs.truncate(count);
        resize(&mut assembly.inputs, count, body_inputs::NONE, "bodies")?;
        let (inputs, resting) = assembly.inputs.split_at_mut(active.len());
        for (input, slot) in resting.iter_mut().zip(&index.slots()[active.len()..]) {
            *input = body_inputs::resting(&places[*slot as usize], detector.material(*slot));
        }
        let rows = (&mut assembly.masses[..active.len()], &mut assembly.velocities[..active.len()], inputs);
        each_triple_of_pieces(&*self.tasks, BODIES_PER_PIECE, rows, |first, masses, velocities, inputs| {
            for (row, ((inverse, velocity), input)) in (first..).zip(masses.iter_mut().zip(velocities).zip(inputs)) {
                let slot = active[row] as usize;
                let (soon, later) = (active.get(row + BODIES_AHEAD), active.get(row + 2 * BODIES_AHEAD));
                bodies.prefetch(soon, later);
                detector.prefetch(soon);
                let (motion, mass, traits) = (&present[row], &bodies.mass[slot], &bodies.traits[slot]);
                // Read in place, as far as it is the body's own: a copy would wait for its own stores.
                let turned;
                let angular = match mass.constant_inverse() {
                    Some(constant) => constant,
                    None => {
                        turned = mass.world_inverse(&motion.rotation);
                        &turned
                    }
                };
                let kick = Kick {
                    gravity: traits.gravity_scale * gravity,
                    wrench: *bodies.wrench(slot),
                    linear_damping: traits.linear_damping,
                    angular_damping: traits.angular_damping,
                };
                (velocity.linear, velocity.angular) = motion.kicked(mass, angular, &kick, h);
                (inverse.linear, inverse.angular) = (mass.inverse_mass, *angular);
                *input = body_inputs::moving(&places[slot], detector.material(slot as u32), &motion.linear);
            }
        });
        self.assemble_point_speeds()
    }

    /// The largest speeds of contact points, where detection found any.
    fn assemble_point_speeds(&mut self) -> Result<()> {
        let (bodies, margin) = (&self.bodies, self.settings.contact_margin);
        let Workspace { assembly, detector, motion: present, index, .. } = &mut self.workspace;
        let count = if index.has_spots() { index.slots().len() } else { 0 };
        let (speeds, active) = (&mut assembly.point_speeds, index.active());
        // Bodies that take no part are at rest; those that take part are written over.
        speeds.truncate(active.len().min(count));
        resize(speeds, count, 0.0, "bodies")?;
        let (places, moving) = (detector.places(), active.len().min(count));
        each_piece(&*self.tasks, BODIES_PER_PIECE, &mut speeds[..moving], |first, speeds| {
            for (row, speed) in (first..).zip(speeds) {
                let slot = active[row] as usize;
                let (center, radius) = (&bodies.mass[slot].center, places[slot].radius);
                *speed = body_inputs::max_point_speed(&present[row], center, radius, margin);
            }
        });
        Ok(())
    }

    /// Gives lanes to the contacts and writes them into the buffer, and into a list where a method needs one.
    fn assemble_contacts(&mut self, substep: &Substep) -> Result<()> {
        let (options, friction) = (self.settings.options(), self.settings.friction());
        let needs_list = options.need_list(friction) || self.settings.elastic().is_some();
        let law = self.law(substep.length);
        let (stretch, compatible) = self.scales(substep);
        let is_far = self.workspace.residual > FAR_RESIDUAL * substep.length * self.gravity.norm();
        let Workspace { touches, origins, same_contacts, loads, before, assembly, motion, index, solver, .. } =
            &mut self.workspace;
        let Assembly { masses, velocities, inputs, point_speeds, buffer, states, list, listed, gaps, .. } = assembly;
        let problem = Problem { masses, velocities, contacts: &[], besides: &[], rows: &[], friction };
        let same_lanes = solver.lay_out(&problem, index.pairs(), &options, needs_list)?;
        let lanes = solver.lanes();
        states.truncate(lanes.len());
        resize(states, lanes.len(), ContactStateX8::EMPTY, "contacts")?;
        if substep.is_first {
            loads.begin(touches.len(), WIDE * lanes.len())?;
            index.write_ranks(solver.lane_of(), &mut loads.ranks);
        }
        let before = match (substep.is_first, self.sleep.roused.is_empty()) {
            (true, true) => &self.memory.loads,
            (true, false) => &before.1,
            (false, _) => loads,
        };
        // Lanes do not change within a step.
        let is_same = !substep.is_first || (same_lanes && *same_contacts);
        let origin = match is_same {
            true => Origin::SameLanes,
            false => Origin::Matched { places: index.places(), origins, ranks: &before.ranks },
        };
        let margin = self.settings.contact_margin;
        let context = ContactContext {
            law,
            warm_start: WarmStart { before, origin, stretch, compatible, is_far },
            geometry: GeometryContext { touches, index, inputs, point_speeds, margin, gaps },
            materials: &self.materials,
            settles: self.settings.projection == Projection::Stick,
            is_first: substep.is_first,
            motion,
            velocities,
        };
        fill(&context, lanes, buffer, states, &*self.tasks)?;
        if needs_list {
            list.fill(buffer, index.pairs(), solver.lane_of(), listed, &*self.tasks)?;
        }
        Ok(())
    }

    /// The contact law of a substep of this length [s].
    fn law(&self, step: f64) -> Rigid {
        let Settings { restitution_threshold, position_projection, push_out_velocity, .. } = self.settings;
        Rigid { step, restitution_threshold, push_out_velocity: (!position_projection).then_some(push_out_velocity) }
    }

    /// The length of a substep over that of the substep before; and where it starts from corrected impulses, the part of the step before that
    /// its last substep was [-].
    pub(in crate::world) fn scales(&self, substep: &Substep) -> (f64, Option<f64>) {
        let Memory { step, substep: before, .. } = self.memory;
        let compatible = substep.is_first && self.settings.warm_start == Policy::Compatible;
        let stretch = match substep.is_first {
            true if before > 0.0 => substep.length / before,
            true => 0.0,
            false => 1.0,
        };
        (stretch, (compatible && step > 0.0).then_some(before / step))
    }

    /// The impulses of the last substep become what the contacts carried, in place of what has no part in the step.
    pub(in crate::world) fn keep_impulses(&mut self) {
        let Workspace { loads, assembly, .. } = &mut self.workspace;
        assembly.swap_impulses(loads);
    }
}

impl Assembly {
    /// Returns the deepest overlap at the start of the step [m].
    pub(in crate::world) fn deepest(&self, tasks: &dyn Tasks) -> f64 {
        let of = |range: Range<usize>| {
            let depths = self.buffer.points[range].iter().flat_map(|point| point.gap.0).map(|gap| -gap);
            depths.fold(0.0, f64::max)
        };
        // Zero is added, as the larger of zero and minus zero may be either.
        reduce(tasks, BATCHES_PER_PIECE, self.buffer.points.len(), 0.0, of, f64::max) + 0.0
    }

    /// Solves the problem, whose contacts are listed if `needs_list`.
    pub(in crate::world) fn solve(
        &mut self,
        solver: &mut Solver,
        options: &Options,
        friction: Friction,
        needs_list: bool,
    ) -> Result<Outcome> {
        let Self { masses, velocities, buffer, list, listed, impulses, .. } = self;
        let bare = Problem { masses, velocities, contacts: &[], besides: &[], rows: &[], friction };
        let problem = if needs_list { list.of(&bare) } else { bare };
        let outcome = solver.solve_filled(&problem, buffer, options, listed)?;
        solver.read_lanes(impulses)?;
        Ok(outcome)
    }

    /// Returns the problem whose contacts were listed, and the impulses that answer it.
    pub(in crate::world) fn listed(&self, friction: Friction) -> (Problem<'_>, &Impulses) {
        let (masses, velocities) = (&self.masses[..], &self.velocities[..]);
        let problem = Problem { masses, velocities, contacts: &[], besides: &[], rows: &[], friction };
        (self.list.of(&problem), &self.listed)
    }

    /// Exchanges the impulses of the problem for those of the contacts.
    pub(in crate::world) fn swap_impulses(&mut self, loads: &mut Loads) {
        std::mem::swap(&mut loads.impulses, &mut self.impulses.contacts);
        std::mem::swap(&mut loads.torques, &mut self.impulses.torques);
    }

    /// The impulses of the contacts, of forces and of torques.
    pub(in crate::world) fn impulses(&self) -> (&[Impulse], &[Vec3]) {
        (&self.impulses.contacts, &self.impulses.torques)
    }

    /// Returns whether the velocity of a row is finite before the contacts act.
    pub(in crate::world) fn is_finite(&self, row: usize) -> bool {
        let Velocity { linear, angular } = &self.velocities[row];
        are_finite([linear, angular])
    }
}
