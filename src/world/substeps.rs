//! The equal parts of a step, and how gaps follow the motion of one into the next.
//!
//! Contacts, normals and arms are those of the start of the step; only gaps and velocities are renewed.

use crate::body::Wrench;
use crate::error::{Result, resize};
use crate::math::lanes::prefetch_one_of;
use crate::solver::contacts::{in_order, taken};
use crate::tasks::each_piece;
use crate::world::assemble::Assembly;
use crate::world::assemble::geometry::Geometry;
use crate::world::pieces::{BODIES_AHEAD, BODIES_PER_PIECE};
use crate::world::state::{Workspace, World};
use crate::world::substep::Substep;

impl World {
    /// Prepares what the substeps, such as this one, carry on from one to the next.
    pub(in crate::world) fn begin(&mut self, substep: &Substep) -> Result<()> {
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
        let Workspace { solver, assembly, touches, index, .. } = &mut self.workspace;
        let Assembly { sites, gaps, .. } = assembly;
        let geometry = Geometry::new((touches, index), (sites, &[]), &self.materials, &self.settings);
        if gaps.is_empty() {
            resize(gaps, touches.len(), 0.0, "contacts")?;
            in_order(0..gaps.len(), |_, batches| {
                geometry.place_all(batches, |at, there| {
                    taken(&batches[at]).for_each(|(lane, rank)| gaps[rank] = there.gap(lane));
                });
            });
        }
        in_order(0..gaps.len(), |_, batches| {
            geometry.place_all(batches, |at, there| {
                for (lane, rank) in taken(&batches[at]) {
                    let (gap, row) = (&mut gaps[rank], there.placed.contact(lane));
                    *gap += substep.length * row.normal.dot(&solver.relative(&row).linear);
                    let [a, b] = [row.body_a, row.body_b].map(|body| solver.displacement(body as usize));
                    *gap += row.normal.dot(&row.relative_velocity(&a, &b));
                }
            });
        });
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
