//! The only translator between bodies and solver rows: what is known of bodies and contacts becomes the one problem,
//! and its answer becomes impulses of contacts and forces on bodies.

mod geometry;
mod site;
mod start;
pub(in crate::world) mod terms;

use std::hint::select_unpredictable;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::body::{Kick, Wrench};
use crate::contact::memory::NONE;
use crate::contact::{Found, Loads, Marks, Memory, Shared};
use crate::error::{Result, resize};
use crate::law::rigid::{OVERLAP_FRACTION, Rigid, cushion, overlap};
use crate::math::lanes::prefetch_one_of;
use crate::math::{Vec3, are_finite};
use crate::solver::{Aim, Aims, Besides, Contact, Friction, Impulse, Impulses, MassInverse, Problem, Velocity};
use crate::tasks::{each_pair_of_pieces, each_piece, each_triple_of_pieces, reduce};
use crate::world::assemble::geometry::{Geometry, Written};
use crate::world::assemble::site::Site;
use crate::world::assemble::start::{Recall, SHAKY, Start};
use crate::world::assemble::terms::Terms;
use crate::world::report::Report;
use crate::world::settings::{Projection, Settings, WarmStart};
use crate::world::sight::is_hertz;
use crate::world::state::{BODIES_AHEAD, BODIES_PER_PIECE, Workspace, World};
use crate::world::substeps::Substep;

/// The problem of a substep; arrays parallel to the rows of bodies or to the contacts of the solver, as the index has them.
#[derive(Debug, Default)]
pub(in crate::world) struct Assembly {
    masses: Vec<MassInverse>,
    velocities: Vec<Velocity>,
    pub(in crate::world) contacts: Vec<Contact>,
    /// One for each contact, or none where nothing resists turning.
    besides: Vec<Besides>,
    impulses: Impulses,
    pub(in crate::world) terms: Vec<Terms>,
    /// One for each row.
    sites: Vec<Site>,
    /// The deepest overlap at the start of the step [m].
    pub(in crate::world) deepest: f64,
}

/// Contacts that are assembled at a time.
const CONTACTS_PER_PIECE: usize = 512;

/// Contacts of which first all rows are written, and then what follows from them, while the first cache has them.
const BLOCK: usize = 64;

impl World {
    /// Turns bodies and contacts into the problem of a substep.
    pub(in crate::world) fn assemble(&mut self, substep: &Substep) -> Result<()> {
        if !substep.is_first {
            self.follow_gaps(substep);
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

    /// Gives rows to the bodies of the step, and an order to its contacts.
    pub(in crate::world) fn order(&mut self) -> Result<()> {
        self.roster.arrange(&self.bodies, &self.sleep, &*self.tasks)?;
        let Workspace { index, touches, origins, before, .. } = &mut self.workspace;
        let continued = self.sleep.roused.is_empty() && self.memory.is_continued(origins);
        index.make(&self.roster, self.bodies.slots(), (&touches.found, continued), &*self.tasks)?;
        // from places in the list to those of what the contacts carried
        let loads = if self.sleep.roused.is_empty() { &self.memory.loads } else { &before.1 };
        each_piece(&*self.tasks, CONTACTS_PER_PIECE, origins, |_, origins| {
            for origin in origins {
                *origin = loads.ranks.get(*origin as usize).copied().unwrap_or(NONE);
            }
        });
        Ok(())
    }

    /// `M^-1` and `vhat` of every row, and its site. What takes no part in the step is at rest, and impulses do not move it.
    fn assemble_bodies(&mut self, h: f64) -> Result<()> {
        let (bodies, gravity) = (&self.bodies, self.gravity);
        let Workspace { assembly, detector, motion: present, index, .. } = &mut self.workspace;
        let (places, margin) = (detector.places(), self.settings.contact_margin);
        let (count, active) = (index.slots().len(), index.active());
        // those that take part are written over
        assembly.masses.truncate(active.len());
        resize(&mut assembly.masses, count, MassInverse::ZERO, "bodies")?;
        assembly.velocities.truncate(active.len());
        resize(&mut assembly.velocities, count, Velocity::ZERO, "bodies")?;
        assembly.sites.truncate(count);
        resize(&mut assembly.sites, count, Site::NOWHERE, "bodies")?;
        let (sites, resting) = assembly.sites.split_at_mut(active.len());
        for (site, slot) in resting.iter_mut().zip(&index.slots()[active.len()..]) {
            site.place(&places[*slot as usize], detector.material(*slot));
        }
        let rows = (&mut assembly.masses[..active.len()], &mut assembly.velocities[..active.len()], sites);
        each_triple_of_pieces(&*self.tasks, BODIES_PER_PIECE, rows, |first, masses, velocities, sites| {
            for (row, ((inverse, velocity), site)) in (first..).zip(masses.iter_mut().zip(velocities).zip(sites)) {
                let slot = active[row] as usize;
                let (soon, later) = (active.get(row + BODIES_AHEAD), active.get(row + 2 * BODIES_AHEAD));
                bodies.ask_ahead(soon, later);
                detector.ask_ahead(soon);
                let (motion, mass, traits) = (&present[row], &bodies.mass[slot], &bodies.traits[slot]);
                // read where it is, as far as it is the body's own: a copy would wait for its own stores
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
                let place = (&places[slot], detector.material(slot as u32));
                site.place_moving(place, (motion, &mass.center), margin);
            }
        });
        Ok(())
    }

    /// The bias of each contact and the impulse to start from. Their rows are those of the first substep.
    fn assemble_contacts(&mut self, substep: &Substep) -> Result<()> {
        let (law, recall) = (self.law(substep.length), self.recall(substep));
        let Settings { projection, contact_margin: margin, .. } = self.settings;
        let (materials, hertz) = (&*self.materials, is_hertz(&self.settings));
        let Workspace { touches, origins, loads, before, assembly, motion, index, .. } = &mut self.workspace;
        let (touches, index) = (&*touches, &*index);
        if substep.is_first {
            assembly.resize_contacts(touches.len())?;
        }
        let before = match (substep.is_first, self.sleep.roused.is_empty()) {
            (true, true) => &self.memory.loads,
            (true, false) => &before.1,
            (false, _) => &*loads,
        };
        let Assembly { contacts: rows, besides, impulses, terms, sites, velocities, deepest, .. } = assembly;
        let geometry = Geometry { touches, index, sites, materials, hertz, margin };
        let (stick, origins) = (projection == Projection::Stick, substep.is_first.then_some(origins.as_slice()));
        let start = Start { law, recall: &recall, stick, geometry, before, origins, motion, velocities };
        // those of the substeps are as those of the first
        let turning = AtomicBool::new(!substep.is_first && !loads.rolling_speeds.is_empty());
        let depth = AtomicU64::new(0);
        let pieces = (&mut rows[..], &mut impulses.contacts[..], &mut terms[..]);
        each_triple_of_pieces(&*self.tasks, CONTACTS_PER_PIECE, pieces, |first, rows, impulses, terms| {
            let (mut mixing, mut all) = (geometry.mixing(), Written::default());
            let blocks = rows.chunks_mut(BLOCK).zip(terms.chunks_mut(BLOCK)).zip(impulses.chunks_mut(BLOCK));
            for (first, ((rows, terms), impulses)) in (first..).step_by(BLOCK).zip(blocks) {
                if substep.is_first {
                    all = all.and(geometry.write(first, (&mut *rows, &mut *terms), &mut mixing));
                }
                start.write(first, (rows, terms), impulses, &mut mixing);
            }
            turning.fetch_or(all.turns, Ordering::Relaxed);
            // plus zero: the bits of minus zero are above those of every number
            depth.fetch_max((all.deepest + 0.0).to_bits(), Ordering::Relaxed);
        });
        if substep.is_first {
            // the largest of numbers that are not negative, of which the bits are in the same order: in whatever order they come
            *deepest = f64::from_bits(depth.into_inner());
        }
        let turns = turning.into_inner();
        impulses.begin_turning(turns)?;
        let count = if turns { touches.len() } else { 0 };
        besides.truncate(count);
        resize(besides, count, Besides::NONE, "contacts")?;
        let pieces = (&mut besides[..], &mut impulses.torques[..]);
        each_pair_of_pieces(&*self.tasks, CONTACTS_PER_PIECE, pieces, |first, besides, torques| {
            start.write_turning(first, (besides, torques), terms);
        });
        if substep.is_first { loads.begin(touches.len(), turns) } else { Ok(()) }
    }

    /// The contact law of a substep of this length [s].
    fn law(&self, step: f64) -> Rigid {
        let Settings { restitution_threshold, position_projection, push_out_velocity, .. } = self.settings;
        Rigid { step, restitution_threshold, push_out_velocity: (!position_projection).then_some(push_out_velocity) }
    }

    /// What the impulses of the substep before are good for in this one.
    fn recall(&self, substep: &Substep) -> Recall {
        let Memory { step, substep: before, .. } = self.memory;
        let compatible = substep.is_first && self.settings.warm_start == WarmStart::Compatible;
        Recall {
            stretch: match substep.is_first {
                true if before > 0.0 => substep.length / before,
                true => 0.0,
                false => 1.0,
            },
            compatible: (compatible && step > 0.0).then_some(before / step),
            shaky: self.workspace.residual > SHAKY * substep.length * self.gravity.norm(),
        }
    }

    /// Writes what the contacts carried besides their impulses, and where the step has parts adds this one's to the mean of the contact
    /// forces on the bodies. Says whether all of these are finite.
    pub(in crate::world) fn disassemble(&mut self, substep: &Substep) -> bool {
        let Workspace { loads, assembly, solver, wrenches, .. } = &mut self.workspace;
        let (terms, solver) = (&assembly.terms, &*solver);
        let columns = (&mut loads.pushes[..], &mut loads.marks[..]);
        each_pair_of_pieces(&*self.tasks, CONTACTS_PER_PIECE, columns, |first, pushes, marks| {
            for (rank, (push, marks)) in (first..).zip(pushes.iter_mut().zip(marks)) {
                *push = solver.multiplier(rank);
                let Terms { rebounds, is_new, .. } = terms[rank];
                *marks = Marks::new(rebounds, rebounds || (!substep.is_first && marks.struck()), is_new);
            }
        });
        let (problem, _) = assembly.problem(self.settings.friction());
        each_piece(&*self.tasks, CONTACTS_PER_PIECE, &mut loads.rolling_speeds, |first, speeds| {
            for (rank, speed) in (first..).zip(speeds) {
                let turns = problem.besides(rank).resists_turning();
                *speed = if turns { solver.rolling_speed(&problem, rank) } else { 0.0 };
            }
        });
        let (totals, step) = (solver.total_impulses(), substep.step);
        if substep.is_whole() {
            let are_finite = |rows: Range<usize>| totals[rows].iter().all(|total| mean_wrench(total, step).is_finite());
            return reduce(&*self.tasks, BODIES_PER_PIECE, totals.len(), true, are_finite, |one, other| one && other);
        }
        let is_finite = AtomicBool::new(true);
        each_piece(&*self.tasks, BODIES_PER_PIECE, wrenches, |first, wrenches| {
            for (wrench, total) in wrenches.iter_mut().zip(&totals[first..]) {
                let mean = mean_wrench(total, step);
                // Added to a sum of nothing, minus zero would become zero.
                if substep.is_first {
                    *wrench = mean
                } else {
                    wrench.add(&mean)
                }
                if !wrench.is_finite() {
                    is_finite.store(false, Ordering::Relaxed);
                }
            }
        });
        is_finite.into_inner()
    }

    /// The impulses of the last substep become what the contacts carried, in place of what has no part in the step.
    pub(in crate::world) fn keep_impulses(&mut self) {
        let Workspace { loads, assembly, index, .. } = &mut self.workspace;
        assembly.swap_impulses(loads);
        // there is room for them
        loads.ranks.clear();
        loads.ranks.extend_from_slice(index.ranks());
    }

    /// The displacements of the position pass, one for each row, or none at all.
    pub(in crate::world) fn undo_overlap(&mut self, h: f64) -> Result<()> {
        let most = h * self.settings.push_out_velocity;
        let cushion = cushion(self.workspace.residual, h, self.settings.contact_margin);
        let Workspace { assembly, solver, .. } = &mut self.workspace;
        if !self.settings.position_projection {
            solver.leave();
            return Ok(());
        }
        let undone = Undone { terms: &assembly.terms, h, most, cushion };
        solver.displace(&assembly.masses, &undone, SLIGHT * self.settings.contact_margin)
    }
}

/// How much overlap a substep undoes.
struct Undone<'a> {
    terms: &'a [Terms],
    /// Length of the substep [s].
    h: f64,
    /// No more at once [m].
    most: f64,
    /// What is left where bodies can rock [m].
    cushion: f64,
}

impl Aims for Undone<'_> {
    #[inline(always)]
    fn ask_ahead(&self, rank: usize) {
        prefetch_one_of(self.terms, rank);
    }

    #[inline(always)]
    fn of(&self, rank: usize, normal_velocity: f64) -> Aim {
        let Terms { round_off, gap, push, rocks, .. } = self.terms[rank];
        // What is left at the end of the substep: a contact that opens by itself is not helped.
        let gap = gap + self.h * normal_velocity;
        let deep = overlap(gap, round_off + if rocks { self.cushion } else { 0.0 });
        // three fifths of what rests overlap by a trace, in no order: picked, not branched to
        let target = select_unpredictable(deep > 0.0, (OVERLAP_FRACTION * deep).min(self.most), -gap.max(0.0));
        Aim { target, multiplier: push }
    }
}

impl Workspace {
    /// The mean contact force on a row over a step of `step` seconds, whose substeps are solved.
    #[inline(always)]
    pub(in crate::world) fn wrench(&self, row: usize, step: f64) -> Wrench {
        match self.wrenches.get(row) {
            Some(sum) => *sum,
            None => self.solver.total_impulses().get(row).map_or(Wrench::ZERO, |total| mean_wrench(total, step)),
        }
    }
}

impl Assembly {
    /// The problem, and the impulses to start from and to answer with.
    pub(in crate::world) fn problem(&mut self, friction: Friction) -> (Problem<'_>, &mut Impulses) {
        let problem = Problem {
            masses: &self.masses,
            velocities: &self.velocities,
            contacts: &self.contacts,
            besides: &self.besides,
            rows: &[],
            friction,
        };
        (problem, &mut self.impulses)
    }

    /// Makes the arrays of `loads` those of the problem, and the other way round.
    pub(in crate::world) fn swap_impulses(&mut self, loads: &mut Loads) {
        std::mem::swap(&mut loads.impulses, &mut self.impulses.contacts);
        std::mem::swap(&mut loads.torques, &mut self.impulses.torques);
    }

    /// The impulses of the contacts, of forces and of torques.
    pub(in crate::world) fn impulses(&self) -> (&[Impulse], &[Vec3]) {
        (&self.impulses.contacts, &self.impulses.torques)
    }

    /// Whether the velocity of a row is finite before the contacts act.
    pub(in crate::world) fn is_finite(&self, row: usize) -> bool {
        let Velocity { linear, angular } = &self.velocities[row];
        are_finite([linear, angular])
    }

    fn resize_contacts(&mut self, count: usize) -> Result<()> {
        self.contacts.truncate(count);
        resize(&mut self.contacts, count, NO_CONTACT, "contacts")?;
        self.impulses.contacts.truncate(count);
        resize(&mut self.impulses.contacts, count, Impulse::ZERO, "contacts")?;
        self.terms.truncate(count);
        resize(&mut self.terms, count, Terms::default(), "contacts")
    }
}

/// What stands for a contact until it is written.
const NO_CONTACT: Contact = Contact {
    body_a: 0,
    body_b: 0,
    normal: Vec3::new(0.0, 0.0, 0.0),
    arm_a: Vec3::new(0.0, 0.0, 0.0),
    arm_b: Vec3::new(0.0, 0.0, 0.0),
    normal_bias: 0.0,
    friction: 0.0,
};

/// What is left of overlap below this part of the contact margin is undone over several steps [-].
const SLIGHT: f64 = 1e-2;

/// The mean over `step` seconds of the contact forces whose impulses are `total`.
#[inline(always)]
fn mean_wrench(total: &Velocity, step: f64) -> Wrench {
    Wrench { force: total.linear / step, torque: total.angular / step }
}
