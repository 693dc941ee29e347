//! What a step reports beyond its solution: of its joints, and where the settings ask for it the energy ledger and residuals by kind of row.

use std::ops::Range;

use crate::error::Result;
use crate::id::Handle;
use crate::law::ContactLaw;
use crate::math::{ContactId, ImpulsiveWrench};
use crate::solver::problem::residual::residuals_by_kind;
use crate::solver::{Solver, Velocity};
use crate::tasks::reduce;
use crate::world::assemble::{Assembly, bare_problem};
use crate::world::index::Index;
use crate::world::joints::JointReport;
use crate::world::ledger::{DriftedBodies, LedgerInput};
use crate::world::readback::ReadbackContext;
use crate::world::report::Report;
use crate::world::state::{Workspace, World};
use crate::world::substeps::Substep;

/// Contacts whose residuals are summed at a time.
const PIECE: usize = 512;

impl World {
    /// Notes what a solved contact stage did, before its bodies move.
    pub(in crate::world) fn note_contacts<Law: ContactLaw>(
        &mut self,
        substep: &Substep,
        report: &mut Report,
    ) -> Result<()> {
        if self.settings.diagnostics.residuals {
            [report.residual_normal, report.residual_friction, report.residual_rolling] = self.mean_residuals();
        }
        if !self.settings.diagnostics.energy {
            return Ok(());
        }
        let Workspace { ledger, motion, .. } = &mut self.workspace;
        ledger.keep(motion)?;
        let kept = if substep.is_first { self.elastic_energy } else { Some(ledger.entries.elastic) };
        let before = self.note_stage::<Law>(substep, substep.length);
        // Contacts that came, turned or went since the energy was summed last.
        self.workspace.ledger.entries.numerical += before - kept.unwrap_or(before);
        Ok(())
    }

    /// Adds a stage of this `duration` to the ledger [s]. Returns the elastic energy before it.
    pub(in crate::world) fn note_stage<Law: ContactLaw>(&mut self, substep: &Substep, duration: f64) -> f64 {
        let Self { tasks, settings, gravity, bodies, materials, workspace, .. } = self;
        if !settings.diagnostics.energy {
            return 0.0;
        }
        let Workspace { detector, contact_list, index, assembly, solver, motion, anchors, ledger, .. } = workspace;
        let context = ReadbackContext::new(bodies, detector.spheres(), materials, settings);
        let (tasks, given) = (&**tasks, &anchors.given);
        let input = LedgerInput {
            tasks,
            settings,
            substep,
            gravity,
            context,
            contact_list,
            index,
            assembly,
            solver,
            motion,
            given,
        };
        ledger.entries.add_stage::<Law>(&input, duration)
    }

    /// Adds what the drift and the displacements of a substep did to the ledger.
    pub(in crate::world) fn note_drift(&mut self) {
        let Self { tasks, settings, gravity, bodies, workspace, .. } = self;
        if !settings.diagnostics.energy {
            return;
        }
        let Workspace { index, solver, motion: after, ledger, .. } = workspace;
        let (tasks, slots, velocities) = (&**tasks, index.active(), solver.velocities());
        let before = &ledger.motion[..];
        let drifted = DriftedBodies { tasks, bodies, gravity, slots, before, velocities, after };
        ledger.entries.add_drift(&drifted);
    }

    /// Writes what the step noted of the joints to the report.
    pub(in crate::world) fn report_joints(&self, report: &mut Report) {
        let JointReport { unaimed, stiffness, residual, worst, error, seconds } = self.workspace.joints.report;
        report.joints = self.joint_count() as u32;
        (report.unaimed_mechanisms, report.joint_stiffness) = (unaimed, stiffness);
        (report.joint_residual, report.joint_error, report.seconds_joints) = (residual, error, seconds);
        report.worst_joint = worst.map_or(Handle::NULL, |slot| self.joints.registry.handle(slot));
    }

    /// Returns the mean residuals of the contacts along their normals, of friction, and of rolling and twisting [m/s].
    fn mean_residuals(&self) -> [f64; 3] {
        let Workspace { index, assembly, solver, .. } = &self.workspace;
        let of = |range: Range<usize>| {
            ContactId::range(range)
                .map(|number| self.residuals_of(assembly, solver, index, number))
                .fold([0.0; 3], plus)
        };
        let contacts = solver.lane_of().len();
        let sums = reduce(&*self.tasks, PIECE, contacts, [0.0; 3], of, plus);
        sums.map(|sum| sum / contacts.max(1) as f64)
    }

    /// Returns the same of one contact.
    fn residuals_of(&self, assembly: &Assembly, solver: &Solver, index: &Index, number: ContactId) -> [f64; 3] {
        let (slot, rows) = (solver.lane_of()[number], index.rows_of(number));
        let problem = bare_problem(&assembly.masses, &assembly.velocities, &assembly.joints, self.settings.friction());
        let (contact, optional) = (assembly.buffer.contact(slot, rows), assembly.buffer.optional_terms(slot));
        let [a, b] = rows.map(|row| solver.velocities().get(row.index()).copied().unwrap_or(Velocity::ZERO));
        let force = assembly.buffer.impulses[slot.index()];
        let torque = assembly.torques.get(slot.index()).copied().unwrap_or_default();
        residuals_by_kind(&problem, (&contact, &optional), [&a, &b], &ImpulsiveWrench { force, torque })
    }
}

fn plus(one: [f64; 3], other: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|kind| one[kind] + other[kind])
}
