//! The only translator between bodies and solver rows: what is known of bodies and contacts becomes the one problem,
//! and its answer becomes impulses of contacts and forces on bodies.

pub(in crate::world) mod geometry;
mod recall;
mod site;
mod start;
mod undone;

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::body::Kick;
use crate::contact::{Loads, Memory};
use crate::error::{Result, resize};
use crate::law::rigid::Rigid;
use crate::math::lanes::Wide;
use crate::math::{Vec3, are_finite};
use crate::solver::{Friction, Impulse, Impulses, List, MassInverse, Outcome, Problem, Velocity};
use crate::tasks::{each_pair_of_pieces, each_piece, each_triple_of_pieces, reduce};
use crate::world::assemble::geometry::Geometry;
use crate::world::assemble::recall::{Recall, SHAKY, Trail};
use crate::world::assemble::start::Parts;
use crate::world::body_forces::mean_wrench;
use crate::world::pieces::{BODIES_AHEAD, BODIES_PER_PIECE};
use crate::world::settings::{Settings, WarmStart};
use crate::world::state::{Workspace, World};
use crate::world::substep::Substep;

/// The problem of a substep; arrays parallel to the rows of bodies or to the contacts of the solver, as the index has them.
#[derive(Debug, Default)]
pub(in crate::world) struct Assembly {
    masses: Vec<MassInverse>,
    velocities: Vec<Velocity>,
    /// The contacts, where the solver needs them in a list.
    list: List,
    impulses: Impulses,
    /// One for each row; see [`site`].
    pub(in crate::world) sites: Vec<Wide>,
    /// See [`Geometry::gaps`].
    pub(in crate::world) gaps: Vec<f64>,
    /// The bits of the deepest overlap at the start of the step [m].
    deepest: AtomicU64,
}

/// Contacts that are read at a time.
const CONTACTS_PER_PIECE: usize = 512;

impl World {
    /// Turns bodies and contacts into the problem of a substep.
    pub(in crate::world) fn assemble(&mut self, substep: &Substep) -> Result<()> {
        match substep.is_first {
            true => self.workspace.assembly.gaps.clear(),
            false => self.follow_gaps(substep)?,
        }
        self.assemble_bodies(substep.length)?;
        let Workspace { loads, assembly, .. } = &mut self.workspace;
        if substep.is_first {
            *assembly.deepest.get_mut() = 0;
        } else {
            // what the last one answered is what the next one starts from
            assembly.swap_impulses(loads);
        }
        Ok(())
    }

    /// `M^-1` and `vhat` of every row, and its site. What takes no part in the step is at rest, and impulses do not move it.
    fn assemble_bodies(&mut self, h: f64) -> Result<()> {
        let (bodies, gravity) = (&self.bodies, self.gravity);
        let Workspace { assembly, detector, motion: present, index, .. } = &mut self.workspace;
        let (places, margin) = (detector.spheres(), self.settings.contact_margin);
        let (count, active) = (index.slots().len(), index.active());
        // those that take part are written over
        assembly.masses.truncate(active.len());
        resize(&mut assembly.masses, count, MassInverse::ZERO, "bodies")?;
        assembly.velocities.truncate(active.len());
        resize(&mut assembly.velocities, count, Velocity::ZERO, "bodies")?;
        assembly.sites.truncate(count);
        resize(&mut assembly.sites, count, site::NOWHERE, "bodies")?;
        let (sites, resting) = assembly.sites.split_at_mut(active.len());
        for (site, slot) in resting.iter_mut().zip(&index.slots()[active.len()..]) {
            *site = site::resting(&places[*slot as usize], detector.material(*slot));
        }
        let rows = (&mut assembly.masses[..active.len()], &mut assembly.velocities[..active.len()], sites);
        each_triple_of_pieces(&*self.tasks, BODIES_PER_PIECE, rows, |first, masses, velocities, sites| {
            for (row, ((inverse, velocity), site)) in (first..).zip(masses.iter_mut().zip(velocities).zip(sites)) {
                let slot = active[row] as usize;
                let (soon, later) = (active.get(row + BODIES_AHEAD), active.get(row + 2 * BODIES_AHEAD));
                bodies.ask_ahead(soon, later);
                detector.prefetch(soon);
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
                *site = site::moving(place, (motion, &mass.center), margin);
            }
        });
        Ok(())
    }

    /// Puts the contacts into the lanes of the solver, or into a list where it asks for one, calls `filled`, and sweeps.
    pub(in crate::world) fn sweep(&mut self, substep: &Substep, filled: impl FnOnce()) -> Result<Outcome> {
        let (options, friction) = (self.settings.options(), self.settings.friction());
        let needs_list = !options.need_no_list(friction) || self.settings.elastic().is_some();
        let (law, recall) = (self.law(substep.length), self.recall(substep));
        let Workspace { touches, origins, same_numbers, loads, merged, assembly, motion, index, solver, .. } =
            &mut self.workspace;
        let Assembly { masses, velocities, list, impulses, sites, gaps, deepest } = assembly;
        let before = match (substep.is_first, self.sleep.woken_count() == 0) {
            (true, true) => &self.memory.loads,
            (true, false) => &merged.loads,
            (false, _) => loads,
        };
        let mut trail = Trail::new(origins, before, &*self.tasks);
        // numbers do not change within a step
        let mut same_numbers = *same_numbers || !substep.is_first;
        let parts = Parts {
            law,
            recall,
            settings: &self.settings,
            materials: &self.materials,
            touches,
            places: (sites, gaps),
            before,
            origins: None,
            is_first: substep.is_first,
            motion,
            velocities,
            marks: &loads.marks,
            pushes: &loads.pushes,
            deepest,
        };
        let problem = Problem { masses, velocities, contacts: &[], besides: &[], rows: &[], friction };
        let known = Parts { origins: trail.unless(same_numbers), ..parts };
        let is_filled = !needs_list && solver.fill_told(&problem, &known.told(index), &options, !index.is_sorted())?;
        let is_told = is_filled || (substep.is_first && !needs_list);
        if substep.is_first && !is_filled {
            same_numbers &= index.is_sorted() && needs_list;
            index.sort_again(&touches.found, &loads.pushes, &*self.tasks)?;
        }
        if is_told && !is_filled {
            let mut order = index.take_room();
            solver.lay_out_told(&problem, &parts.told(index), &options, &mut order)?;
            index.renumber(order, &loads.pushes, &*self.tasks);
        }
        let parts = Parts { origins: trail.unless(same_numbers), ..parts };
        match (is_told, is_filled) {
            (true, true) => {}
            (true, false) => solver.fill_renumbered(&problem, &parts.told(index), &options)?,
            (false, _) => list.fill(&parts.told(index), impulses, &*self.tasks)?,
        }
        filled();
        let outcome = match is_told {
            true => solver.solve_told(&problem, &parts.told(index), &options, impulses)?,
            false => solver.solve(&list.of(&problem), &options, impulses)?,
        };
        if !(is_told || index.is_sorted()) {
            // the next step is not to depend on the order of this one
            solver.forget_layout();
        }
        loads.begin_rolling(impulses.torques.len())?;
        Ok(outcome)
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
        let Workspace { touches, loads, assembly, index, solver, wrenches, .. } = &mut self.workspace;
        let Assembly { masses, velocities, sites, gaps, .. } = &*assembly;
        let solver = &*solver;
        let columns = (&mut loads.pushes[..], &mut loads.marks[..]);
        each_pair_of_pieces(&*self.tasks, CONTACTS_PER_PIECE, columns, |first, pushes, marks| {
            for (rank, (push, marks)) in (first..).zip(pushes.iter_mut().zip(marks)) {
                push.set(solver.multiplier(rank));
                marks.set(marks.get().ended());
            }
        });
        let geometry = Geometry::new((touches, index), (sites, gaps), &self.materials, &self.settings);
        let friction = self.settings.friction();
        let problem = Problem { masses, velocities, contacts: &[], besides: &[], rows: &[], friction };
        each_piece(&*self.tasks, CONTACTS_PER_PIECE, &mut loads.rolling_speeds, |first, speeds| {
            let mut mixing = geometry.mixing();
            for (rank, speed) in (first..).zip(speeds) {
                *speed = solver.rolling_speed(&problem, rank, || geometry.whole(rank, &mut mixing));
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
        let Workspace { loads, assembly, .. } = &mut self.workspace;
        assembly.swap_impulses(loads);
    }
}

impl Assembly {
    /// The deepest overlap at the start of the step [m].
    pub(in crate::world) fn deepest(&self) -> f64 {
        f64::from_bits(self.deepest.load(Ordering::Relaxed))
    }

    /// The problem whose contacts were listed, and the impulses that answer it.
    pub(in crate::world) fn listed(&self, friction: Friction) -> (Problem<'_>, &Impulses) {
        let (masses, velocities) = (&self.masses[..], &self.velocities[..]);
        let problem = Problem { masses, velocities, contacts: &[], besides: &[], rows: &[], friction };
        (self.list.of(&problem), &self.impulses)
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
}
