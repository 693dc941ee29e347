//! The equal parts of a step, and how gaps follow the motion of one into the next.
//!
//! Contacts, normals and arms are those of the start of the step; only gaps and velocities are renewed.

use crate::body::Wrench;
use crate::error::{Result, positive, resize};
use crate::math::lanes::distances::BODIES_AHEAD;
use crate::math::lanes::{WIDE, prefetch_one_of};
use crate::tasks::each_piece;
use crate::world::assemble::Assembly;
use crate::world::state::{BODIES_PER_PIECE, Workspace, World};

/// One of the equal parts of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::world) struct Substep {
    /// Its length [s].
    pub(in crate::world) length: f64,
    /// Length of the whole step [s].
    pub(in crate::world) step: f64,
    /// Whether it is the first of its step.
    pub(in crate::world) is_first: bool,
}

impl Substep {
    /// The first part of a step of `step` seconds in `count` parts.
    pub(in crate::world) fn first(step: f64, count: u32) -> Result<Self> {
        positive("step", step)?;
        let length = step / f64::from(count);
        positive("step over substeps", length)?;
        Ok(Self { length, step, is_first: true })
    }

    /// Whether it is the whole step.
    pub(in crate::world) fn is_whole(&self) -> bool {
        self.length == self.step
    }

    /// This one, the first, and those that follow it.
    pub(in crate::world) fn all(self, count: u32) -> impl Iterator<Item = Self> {
        (0..count).map(move |number| Self { is_first: number == 0, ..self })
    }
}

impl World {
    /// Prepares what the substeps, such as this one, carry on from one to the next.
    pub(in crate::world) fn begin(&mut self, substep: &Substep) -> Result<()> {
        self.reserve_step()?;
        let Workspace { motion, wrenches, residual, loads, index, .. } = &mut self.workspace;
        let (present, active) = (&self.bodies.motion, index.active());
        // written over, all of it
        let any = active.first().map(|slot| present[*slot as usize]);
        motion.truncate(active.len());
        if let Some(any) = any {
            resize(motion, active.len(), any, "bodies")?;
        }
        each_piece(&*self.tasks, BODIES_PER_PIECE, motion, |first, motion| {
            for (row, own) in (first..).zip(motion) {
                if let Some(soon) = active.get(row + BODIES_AHEAD) {
                    prefetch_one_of(present, *soon as usize);
                }
                *own = present[active[row] as usize];
            }
        });
        wrenches.clear();
        if !substep.is_whole() {
            resize(wrenches, index.slots().len(), Wrench::ZERO, "bodies")?;
        }
        *residual = self.memory.residual;
        loads.begin_sums();
        Ok(())
    }

    /// Carries the gaps over the substep that ended: by what its velocities and the position pass moved the points of
    /// contact along the normal.
    pub(in crate::world) fn follow_gaps(&mut self, substep: &Substep) -> Result<()> {
        let Workspace { solver, assembly, index, .. } = &mut self.workspace;
        let Assembly { buffer, gaps, .. } = assembly;
        let lane_of = solver.lane_of();
        if gaps.is_empty() {
            resize(gaps, lane_of.len(), 0.0, "contacts")?;
            for (gap, lane) in gaps.iter_mut().zip(lane_of) {
                *gap = buffer.points[*lane as usize / WIDE].gap.0[*lane as usize % WIDE];
            }
        }
        for (contact, (gap, lane)) in gaps.iter_mut().zip(lane_of).enumerate() {
            let contact = buffer.contact(*lane as usize, index.rows_of(contact));
            *gap += substep.length * contact.normal.dot(&solver.relative(&contact).linear);
            let [a, b] = [contact.body_a, contact.body_b].map(|body| solver.displacement(body as usize));
            *gap += contact.normal.dot(&contact.relative_velocity(&a, &b));
        }
        Ok(())
    }

    /// Adds the impulses of a substep, where it is not the whole step, to those of the contacts before it.
    pub(in crate::world) fn add_up(&mut self, substep: &Substep) -> Result<()> {
        if substep.is_whole() {
            return Ok(());
        }
        let Workspace { loads, assembly, .. } = &mut self.workspace;
        loads.add_up(assembly.impulses(), substep.is_first)
    }
}
