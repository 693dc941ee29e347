//! The position pass: overlap at the end of a substep is undone by displacements.

use crate::body::{Bodies, Motion};
use crate::contact::{ImpulseCache, in_lane};
use crate::error::{Result, resize};
use crate::law::{ContactLaw, Separation};
use crate::math::lanes::{Kernel, Lanes, Level, WIDE, Wide, dispatch};
use crate::math::{ContactId, ListPlace, PointX8};
use crate::solver::problem::contacts::{LaneContacts, occupied};
use crate::solver::{ContactsX8, OptionalTermsX8, PositionRows, Solver};
use crate::tasks::{Tasks, each_pair_of_pieces};
use crate::world::assemble::{Assembly, ContactStateX8, LastStep};
use crate::world::images::ImageVelocities;
use crate::world::index::Index;
use crate::world::island_residuals::IslandResiduals;
use crate::world::joints::{Joints, MovedBodies, TargetsInput};
use crate::world::settings::Settings;
use crate::world::substeps::Substep;

/// Batches whose targets are computed at a time.
const PIECE: usize = 64;

/// What is left of overlap below this part of the contact margin is undone over several steps [-].
const SLIGHT: f64 = 1e-2;

/// What the position pass reads.
pub(in crate::world) struct PositionInput<'a> {
    pub(in crate::world) tasks: &'a dyn Tasks,
    pub(in crate::world) settings: &'a Settings,
    pub(in crate::world) substep: &'a Substep,
    /// What the contacts carried in the substep before.
    pub(in crate::world) last: LastStep<'a>,
    pub(in crate::world) residuals: &'a IslandResiduals,
    pub(in crate::world) images: &'a ImageVelocities,
    pub(in crate::world) bodies: TargetBodies<'a>,
}

/// The bodies and joints whose errors follow from the velocities of the substep.
#[derive(Clone, Copy)]
pub(in crate::world) struct TargetBodies<'a> {
    pub(in crate::world) bodies: &'a Bodies,
    pub(in crate::world) joints: &'a Joints,
    pub(in crate::world) index: &'a Index,
    /// The motion of each row that takes part, at the start of the substep.
    pub(in crate::world) motion: &'a [Motion],
}

/// Finds the displacements that undo overlap, if the settings ask for them. Writes them to `solver`, and their multipliers to `assembly`.
pub(in crate::world) fn project_positions<Law: ContactLaw>(
    input: &PositionInput,
    assembly: &mut Assembly,
    solver: &mut Solver,
) -> Result<()> {
    let PositionInput { tasks, settings, substep, last, residuals, .. } = *input;
    let Assembly { masses, buffer, states, gaps, targets, multipliers, joints, row_targets, .. } = assembly;
    let lanes = solver.lanes();
    for column in [&mut *targets, &mut *multipliers] {
        resize(column, lanes.len(), Wide::splat(0.0), "contacts of the position pass")?;
    }
    let law = Law::new(&settings.law(substep.length, substep.step));
    if !law.resolves_overlap() {
        multipliers.fill(Wide::splat(0.0));
        solver.reset_positions();
        return Ok(());
    }
    let context = PositionContext {
        law,
        lanes,
        points: &buffer.points,
        contacts: &buffer.contacts,
        optional: if buffer.is_rigid { &[] } else { &buffer.optional },
        states,
        gaps,
        solver,
        before: last.loads,
        stretch: last.stretch(substep),
        residuals,
        images: input.images,
        places: input.bodies.index.places(),
    };
    each_pair_of_pieces(tasks, PIECE, (&mut targets[..], &mut multipliers[..]), |first, targets, multipliers| {
        dispatch(Level::best(), FindTargets { context: &context, first, targets, multipliers });
    });
    let TargetBodies { bodies, joints: all, index, motion } = input.bodies;
    let max_correction = substep.length * settings.push_out_velocity;
    let velocities = solver.velocities();
    let moved = MovedBodies { law, bodies, index, motion, length: substep.length };
    let of_rows = TargetsInput { moved, joints: all, velocities, max_correction };
    row_targets.find(&of_rows, joints)?;
    let rows = PositionRows { targets: &row_targets.targets, multipliers: &mut row_targets.multipliers };
    solver.project_positions(masses, targets, multipliers, rows, SLIGHT * settings.contact_margin)
}

/// What the targets of a substep follow from.
struct PositionContext<'a, Law> {
    law: Law,
    lanes: &'a [LaneContacts],
    points: &'a [PointX8],
    contacts: &'a [ContactsX8],
    /// Empty where no contact has compliance.
    optional: &'a [OptionalTermsX8],
    states: &'a [ContactStateX8],
    /// See [`Assembly::gaps`].
    gaps: &'a [f64],
    /// Has the velocity of b relative to a along the normal at the end of the substep, of each lane, and the islands.
    solver: &'a Solver,
    /// What the contacts carried in the substep before, and this substep's length over that one's.
    before: &'a ImpulseCache,
    stretch: f64,
    residuals: &'a IslandResiduals,
    images: &'a ImageVelocities,
    /// The place of each contact in the list.
    places: &'a [ListPlace],
}

/// Computes the targets of some batches, and the multipliers from which they start.
struct FindTargets<'a, Law> {
    context: &'a PositionContext<'a, Law>,
    /// The first of the batches.
    first: usize,
    targets: &'a mut [Wide],
    multipliers: &'a mut [Wide],
}

impl<Law: ContactLaw> Kernel for FindTargets<'_, Law> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { context, first, targets, multipliers } = self;
        for (batch, (targets, multipliers)) in (first..).zip(targets.iter_mut().zip(multipliers)) {
            context.find::<L>(batch, targets, multipliers);
        }
    }
}

impl<Law: ContactLaw> PositionContext<'_, Law> {
    /// Returns the overlap that is left at a contact of bodies that can rock [m].
    fn slop_of(&self, contact: ContactId) -> f64 {
        self.law.slop(self.residuals.largest(contact, self.solver))
    }

    /// Returns the velocities of the images of a batch along the normals [m/s].
    #[inline(always)]
    fn images_of(&self, batch: usize) -> Wide {
        let mut all = Wide::splat(0.0);
        if !self.images.are_moving() {
            return all;
        }
        for (lane, contact) in occupied(&self.lanes[batch]) {
            all.0[lane] = self.images.along(self.places[contact], &self.points[batch].normal(lane));
        }
        all
    }

    /// Computes the targets of a batch, and the multipliers from which its contacts start.
    #[inline(always)]
    fn find<L: Lanes>(&self, batch: usize, targets: &mut Wide, multipliers: &mut Wide) {
        let (lanes, state) = (&self.lanes[batch], &self.states[batch]);
        let (mut gap, mut round_off) = (self.points[batch].gap, state.round_off);
        let mut is_multi_point = Wide::splat(0.0);
        for (lane, contact) in occupied(lanes) {
            let source = state.lane_before[lane];
            // What was pushed in a longer substep is not to be undone in a shorter one.
            multipliers.0[lane] = self.stretch * in_lane(&self.before.position_multipliers, source);
            if state.of_several[lane] {
                round_off.0[lane] += self.slop_of(contact);
                is_multi_point.0[lane] = 1.0;
            }
            if let Some(own) = self.gaps.get(contact.index()) {
                gap.0[lane] = *own;
            }
        }
        let (velocities, images) = (&self.solver.normal_velocities()[batch], self.images_of(batch));
        let mut first = 0;
        while first < WIDE {
            let end = Separation {
                gap: L::load(&gap, first),
                velocity: L::load(velocities, first) + L::load(&images, first),
                left: L::load(&round_off, first),
                is_multi_point: L::above(L::load(&is_multi_point, first), L::splat(0.0)),
                bias: L::load(&self.contacts[batch].bias, first) - L::load(&images, first),
                compliance: self.optional.get(batch).map_or(L::splat(0.0), |of| L::load(&of.compliance[0], first)),
            };
            self.law.position_target(&end).store(targets, first);
            first += L::WIDTH;
        }
        for lane in (0..WIDE).filter(|lane| lanes[*lane] == ContactId::NONE) {
            (targets.0[lane], multipliers.0[lane]) = (0.0, 0.0);
        }
    }
}
