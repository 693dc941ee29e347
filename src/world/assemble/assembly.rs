//! The problem of a substep, with bodies by row and contacts in lane order, and the input of the assembly.

use std::ops::Range;

use crate::body::{Bodies, Motion};
use crate::contact::material::Materials;
use crate::contact::{ContactList, ImpulseCache, Marks};
use crate::error::{Result, copy, resize};
use crate::id::SlotSet;
use crate::law::ContactLaw;
use crate::math::lanes::{WIDE, Wide};
use crate::math::{BodyRow, ContactId, LaneSlot, ListPlace, Vec3, are_finite};
use crate::solver::{ContactBuffer, Friction, Impulses, List, MassInverse, Problem, Solver, Velocity};
use crate::tasks::{Tasks, reduce};
use crate::world::assemble::restitution::Impacts;
use crate::world::detect::Detector;
use crate::world::images::ImageVelocities;
use crate::world::index::Index;
use crate::world::joints::{JointRows, JointWorkspace, Joints, MechanismWorkspace, RowTargets};
use crate::world::settings::{Settings, WarmStart};
use crate::world::stretch::stretch;
use crate::world::substeps::{Stage, Substep, velocity_of};
use crate::world::surfaces::Sticking;

/// The problem of a substep. Arrays of bodies are parallel to the rows of the index.
#[derive(Debug, Default)]
pub(in crate::world) struct Assembly {
    pub(in crate::world) masses: Vec<MassInverse>,
    pub(in crate::world) velocities: Vec<Velocity>,
    /// The input of each row; see [`body_inputs`](crate::world::assemble::body_inputs).
    pub(super) inputs: Vec<Wide>,
    /// The largest speed of a contact point of each row relative to its centre of mass, where detection found contact points [m/s].
    pub(super) point_speeds: Vec<f64>,
    /// The rows of the joints, and the mechanisms that they make.
    pub(in crate::world) joints: JointRows,
    pub(super) mechanisms: MechanismWorkspace,
    /// The contacts in the order of the solver's lanes.
    pub(in crate::world) buffer: ContactBuffer,
    /// Data of these contacts that only the world uses, in the same order.
    pub(in crate::world) states: Vec<ContactStateX8>,
    /// The contacts by number and their impulses, if a method needs them in this order.
    pub(in crate::world) list: List,
    pub(in crate::world) listed: Impulses,
    /// The torques of the solution, in lane order. The impulses of forces are in the buffer.
    pub(in crate::world) torques: Vec<Vec3>,
    /// The gap of each contact at the start of the substep; empty in the first one, whose gaps are those of the step [m].
    pub(in crate::world) gaps: Vec<f64>,
    /// Whether the lanes are those of the step before, in the first stage of the substep.
    pub(super) same_lanes: bool,
    /// Whether an impact occurs in each island; scratch of the impact stage.
    pub(super) has_impact: Vec<bool>,
    /// The contacts whose bias depends on restitution.
    pub(in crate::world) impacts: Impacts,
    /// For the position pass: the distance by which each lane is to be opened [m]; then its multiplier [kg m].
    pub(in crate::world) targets: Vec<Wide>,
    pub(in crate::world) multipliers: Vec<Wide>,
    /// The sums of the impulses of contacts on each row, where joints have impulses too.
    contact_totals: Vec<Velocity>,
    /// The same for the rows of joints.
    pub(in crate::world) row_targets: RowTargets,
}

/// Returns the problem of a substep without its contacts, with the rows of joints.
pub(in crate::world) fn bare_problem<'a>(
    masses: &'a [MassInverse],
    velocities: &'a [Velocity],
    joints: &'a JointRows,
    friction: Friction,
) -> Problem<'a> {
    Problem { masses, velocities, contacts: &[], optional: &[], rows: &joints.rows, friction }
}

/// The number of batches of a piece of work.
const BATCHES_PER_PIECE: usize = 256;

impl Assembly {
    /// Returns the deepest overlap at the start of the step [m].
    pub(in crate::world) fn deepest(&self, tasks: &dyn Tasks) -> f64 {
        let of = |range: Range<usize>| {
            let depths = self.buffer.points[range].iter().flat_map(|point| point.gap.0).map(|gap| -gap);
            depths.fold(0.0, f64::max)
        };
        // The maximum of zero and minus zero may be either. Adding zero makes it a positive zero.
        reduce(tasks, BATCHES_PER_PIECE, self.buffer.points.len(), 0.0, of, f64::max) + 0.0
    }

    /// Returns whether the contacts must be listed: a method needs it, or there are rows of joints.
    pub(in crate::world) fn needs_list(&self, settings: &Settings) -> bool {
        settings.need_list() || !self.joints.rows.is_empty()
    }

    /// Returns the problem whose contacts were listed, and the impulses that solve it.
    pub(in crate::world) fn listed(&self, friction: Friction) -> (Problem<'_>, &Impulses) {
        (self.list.of(&bare_problem(&self.masses, &self.velocities, &self.joints, friction)), &self.listed)
    }

    /// Returns the sum of the impulses of contacts on each row: linear [N s], and angular about the centre of mass [N m s].
    pub(in crate::world) fn contact_impulses<'a>(&'a self, solver: &'a Solver) -> &'a [Velocity] {
        if self.joints.rows.is_empty() { solver.total_impulses() } else { &self.contact_totals }
    }

    /// Reads the results of the joints in a stage of `h` seconds; see [`JointRows::read`].
    pub(in crate::world) fn read_joints(
        &mut self,
        solver: &Solver,
        h: f64,
        are_kept: bool,
        work: &mut JointWorkspace,
    ) -> Result<()> {
        let Self { joints, listed, .. } = self;
        if joints.rows.is_empty() {
            return Ok(());
        }
        joints.read(&listed.rows, h, are_kept, work)?;
        joints.note_residuals(solver.row_residuals(), &mut work.report);
        Ok(())
    }

    /// Sums the impulses of contacts on each row after a solve, see [`Assembly::contact_impulses`]. Without rows of
    /// joints the solver has these sums.
    pub(in crate::world) fn sum_contacts(&mut self, solver: &Solver, index: &Index) -> Result<()> {
        let Self { joints, contact_totals, list, listed, masses, velocities, .. } = self;
        if joints.rows.is_empty() {
            return Ok(());
        }
        copy(contact_totals, solver.total_impulses(), "bodies")?;
        // The totals of joined bodies are recomputed. As differences they would not be exactly zero without contacts.
        let joined = BodyRow::range(0..contact_totals.len()).filter(|row| joints.joins(*row));
        joined.for_each(|row| contact_totals[row] = Velocity::ZERO);
        let is_joined = |row: &BodyRow| joints.joins(*row);
        let problem = list.of(&bare_problem(masses, velocities, joints, Friction::Coulomb));
        for (number, contact) in ContactId::range(0..problem.contacts.len()).zip(problem.contacts) {
            let rows = index.rows_of(number);
            if rows.iter().any(is_joined) {
                for (row, on) in
                    rows.iter().zip(contact.on_bodies(&listed.wrench(number))).filter(|(row, _)| is_joined(row))
                {
                    let total = &mut contact_totals[*row];
                    total.linear += on.linear;
                    total.angular += on.angular;
                }
            }
        }
        Ok(())
    }

    /// Exchanges the impulses of the problem for those of the contacts.
    pub(in crate::world) fn exchange_impulses_with(&mut self, loads: &mut ImpulseCache) {
        std::mem::swap(&mut loads.impulses, &mut self.buffer.impulses);
        std::mem::swap(&mut loads.torques, &mut self.torques);
    }

    /// Updates the gaps after a substep: by the motion of the contact points along the normal, from velocities and the position pass.
    pub(in crate::world) fn follow_gaps<Law: ContactLaw>(
        &mut self,
        law: &Law,
        substep: &Substep,
        moved: &MovedContacts,
    ) -> Result<()> {
        let Self { buffer, gaps, .. } = self;
        let MovedContacts { index, solver, motion, images } = *moved;
        let lane_of = solver.lane_of();
        if gaps.is_empty() {
            resize(gaps, lane_of.len(), 0.0, "contacts")?;
            for (gap, lane) in gaps.iter_mut().zip(lane_of) {
                *gap = buffer.points[lane.batch()].gap.0[lane.lane()];
            }
        }
        for (number, (gap, lane)) in gaps.iter_mut().zip(lane_of).enumerate() {
            let contact = buffer.contact(*lane, index.rows_of(number.into()));
            let [a, b] = [contact.body_a, contact.body_b].map(|body| velocity_of(motion, body.index()));
            let path = law.drift(&contact.relative_velocity(&a, &b), &solver.relative(&contact).linear);
            let image = images.along(index.places()[number], &contact.normal);
            *gap += substep.length * (contact.normal.dot(&path) + image);
            let [a, b] = [contact.body_a, contact.body_b].map(|body| solver.displacement(body.index()));
            *gap += contact.normal.dot(&contact.relative_velocity(&a, &b));
        }
        Ok(())
    }

    /// Updates the gaps by the displacements with which joints were closed.
    pub(in crate::world) fn follow_closed(&mut self, index: &Index, solver: &Solver, closed: &[Velocity]) {
        if closed.is_empty() {
            return;
        }
        for (contact, (gap, lane)) in self.gaps.iter_mut().zip(solver.lane_of()).enumerate() {
            let contact = self.buffer.contact(*lane, index.rows_of(contact.into()));
            let shift = |body: BodyRow| closed.get(body.index()).copied().unwrap_or(Velocity::ZERO);
            let [a, b] = [contact.body_a, contact.body_b].map(shift);
            *gap += contact.normal.dot(&contact.relative_velocity(&a, &b));
        }
    }

    /// Returns whether the velocity of a row is finite before the contacts act.
    pub(in crate::world) fn is_finite(&self, row: usize) -> bool {
        let Velocity { linear, angular } = &self.velocities[row];
        are_finite([linear, angular])
    }
}

/// How contacts moved in a substep.
#[derive(Clone, Copy)]
pub(in crate::world) struct MovedContacts<'a> {
    pub(in crate::world) index: &'a Index,
    pub(in crate::world) solver: &'a Solver,
    /// The motion of each row at the start of the substep.
    pub(in crate::world) motion: &'a [Motion],
    pub(in crate::world) images: &'a ImageVelocities,
}

/// Data of eight contacts that only the world uses.
#[derive(Debug, Clone, Copy)]
pub(in crate::world) struct ContactStateX8 {
    /// Up to this gap the bodies touch [m].
    pub(in crate::world) round_off: Wide,
    /// The lane of each contact in the substep before, or [`LaneSlot::NONE`].
    pub(in crate::world) lane_before: [LaneSlot; WIDE],
    /// The flags of each contact.
    pub(in crate::world) marks: [Marks; WIDE],
    /// Whether the bodies of each contact touch at other points too.
    pub(in crate::world) of_several: [bool; WIDE],
}

impl ContactStateX8 {
    /// No contacts.
    pub(in crate::world) const EMPTY: Self = Self {
        round_off: Wide::splat(0.0),
        lane_before: [LaneSlot::NONE; WIDE],
        marks: [Marks::NONE; WIDE],
        of_several: [false; WIDE],
    };
}

/// The input of the assembly of a substep.
#[derive(Clone, Copy)]
pub(in crate::world) struct AssembleInput<'a> {
    pub(in crate::world) tasks: &'a dyn Tasks,
    pub(in crate::world) settings: &'a Settings,
    pub(in crate::world) gravity: Vec3,
    pub(in crate::world) bodies: &'a Bodies,
    pub(in crate::world) materials: &'a Materials,
    pub(in crate::world) substep: Substep,
    pub(in crate::world) stage: Stage,
    pub(in crate::world) detector: &'a Detector,
    pub(in crate::world) contact_list: &'a ContactList,
    /// For each contact the place of the old contact that it continues, in the list of the step before.
    pub(in crate::world) origins: &'a [ListPlace],
    /// Whether each contact continues the one of its own number in the step before.
    pub(in crate::world) same_contacts: bool,
    pub(in crate::world) index: &'a Index,
    /// The motion of each row at the start of the substep.
    pub(in crate::world) motion: &'a [Motion],
    pub(in crate::world) sticking: Sticking<'a>,
    pub(in crate::world) last: LastStep<'a>,
    /// The bodies that the host moved since the last step.
    pub(in crate::world) moved_bodies: &'a SlotSet,
    pub(in crate::world) joints: &'a Joints,
}

/// The results of the step before.
#[derive(Clone, Copy)]
pub(in crate::world) struct LastStep<'a> {
    /// The impulses of its contacts. For the position pass: those of the substep before.
    pub(in crate::world) loads: &'a ImpulseCache,
    /// Its length, and that of its last substep [s]; 0 before the first step.
    pub(in crate::world) step: f64,
    pub(in crate::world) substep: f64,
}

impl LastStep<'_> {
    /// Returns the factor on the impulses of the substep before [-].
    pub(in crate::world) fn stretch(&self, substep: &Substep) -> f64 {
        match substep.is_first {
            true => stretch(substep.length, self.substep),
            false => 1.0,
        }
    }
}

impl AssembleInput<'_> {
    /// Returns the time for which forces act in this stage [s].
    pub(super) fn duration(&self) -> f64 {
        match self.stage {
            Stage::Impact => 0.0,
            Stage::Contact { .. } => self.substep.length,
        }
    }

    /// Returns the length of the last substep over that of its step, if the solve starts from corrected impulses [-].
    pub(super) fn compatible_part(&self) -> Option<f64> {
        let compatible = self.substep.is_first && self.settings.warm_start == WarmStart::Compatible;
        (compatible && self.last.step > 0.0).then_some(self.last.substep / self.last.step)
    }
}
