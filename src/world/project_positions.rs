//! The position pass: overlap at the end of a substep is undone by displacements.

use crate::contact::{ImpulseCache, in_lane};
use crate::error::{Result, resize};
use crate::law::{OVERLAP_FRACTION, penetration_slop};
use crate::math::lanes::{Kernel, Lanes, Level, WIDE, Wide, dispatch};
use crate::math::{ContactId, PointX8};
use crate::solver::Solver;
use crate::solver::problem::contacts::{LaneContacts, occupied};
use crate::tasks::{Tasks, each_pair_of_pieces};
use crate::world::assemble::{Assembly, ContactStateX8, LastStep};
use crate::world::settings::Settings;
use crate::world::substeps::Substep;

/// Batches whose targets are computed at a time.
const PIECE: usize = 64;

/// What is left of overlap below this part of the contact margin is undone over several steps [-].
const SLIGHT: f64 = 1e-2;

/// Finds the displacements that undo overlap, if the settings ask for them. Writes them to `solver`, and their multipliers to `assembly`.
/// `last` has what the contacts carried in the substep before.
pub(in crate::world) fn project_positions(
    tasks: &dyn Tasks,
    settings: &Settings,
    substep: &Substep,
    last: LastStep,
    assembly: &mut Assembly,
    solver: &mut Solver,
) -> Result<()> {
    let Assembly { masses, buffer, states, gaps, targets, multipliers, .. } = assembly;
    let lanes = solver.lanes();
    for column in [&mut *targets, &mut *multipliers] {
        resize(column, lanes.len(), Wide::splat(0.0), "contacts of the position pass")?;
    }
    if !settings.position_projection {
        multipliers.fill(Wide::splat(0.0));
        solver.leave_positions();
        return Ok(());
    }
    let h = substep.length;
    let context = PositionContext {
        lanes,
        points: &buffer.points,
        states,
        gaps,
        normal_velocities: solver.normal_velocities(),
        before: last.loads,
        stretch: last.stretch(substep),
        h,
        most: h * settings.push_out_velocity,
        slop: penetration_slop(last.residual, h, settings.contact_margin),
    };
    each_pair_of_pieces(tasks, PIECE, (&mut targets[..], &mut multipliers[..]), |first, targets, multipliers| {
        dispatch(Level::best(), FindTargets { context: &context, first, targets, multipliers });
    });
    solver.project_positions(masses, targets, multipliers, SLIGHT * settings.contact_margin);
    Ok(())
}

/// What the targets of a substep follow from.
struct PositionContext<'a> {
    lanes: &'a [LaneContacts],
    points: &'a [PointX8],
    states: &'a [ContactStateX8],
    /// See [`Assembly::gaps`].
    gaps: &'a [f64],
    /// The velocity of b relative to a along the normal at the end of the substep, of each lane [m/s].
    normal_velocities: &'a [Wide],
    /// What the contacts carried in the substep before, and this substep's length over that one's.
    before: &'a ImpulseCache,
    stretch: f64,
    /// Length of the substep [s].
    h: f64,
    /// Overlap is undone by at most so much at once [m].
    most: f64,
    /// The overlap that is left where bodies can rock [m].
    slop: f64,
}

/// Computes the targets of some batches, and the multipliers from which they start.
struct FindTargets<'a> {
    context: &'a PositionContext<'a>,
    /// The first of the batches.
    first: usize,
    targets: &'a mut [Wide],
    multipliers: &'a mut [Wide],
}

impl Kernel for FindTargets<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { context, first, targets, multipliers } = self;
        for (batch, (targets, multipliers)) in (first..).zip(targets.iter_mut().zip(multipliers)) {
            context.find::<L>(batch, targets, multipliers);
        }
    }
}

impl PositionContext<'_> {
    /// Computes the targets of a batch, and the multipliers from which its contacts start.
    #[inline(always)]
    fn find<L: Lanes>(&self, batch: usize, targets: &mut Wide, multipliers: &mut Wide) {
        let (lanes, state) = (&self.lanes[batch], &self.states[batch]);
        let (mut gap, mut round_off) = (self.points[batch].gap, state.round_off);
        for (lane, contact) in occupied(lanes) {
            let source = state.lane_before[lane];
            // What was pushed in a longer substep is not to be undone in a shorter one.
            multipliers.0[lane] = self.stretch * in_lane(&self.before.pushes, source);
            if state.of_several[lane] {
                round_off.0[lane] += self.slop;
            }
            if let Some(own) = self.gaps.get(contact.index()) {
                gap.0[lane] = *own;
            }
        }
        let velocities = &self.normal_velocities[batch];
        let mut first = 0;
        while first < WIDE {
            let zero = L::splat(0.0);
            // What is left at the end of the substep: a contact that opens by itself is not helped.
            let gap = L::load(&gap, first) + L::splat(self.h) * L::load(velocities, first);
            let deep = (-gap - L::load(&round_off, first)).larger(zero);
            let part = (L::splat(OVERLAP_FRACTION) * deep).smaller(L::splat(self.most));
            L::pick(L::above(deep, zero), part, -gap.larger(zero)).store(targets, first);
            first += L::WIDTH;
        }
        for lane in (0..WIDE).filter(|lane| lanes[*lane] == ContactId::NONE) {
            (targets.0[lane], multipliers.0[lane]) = (0.0, 0.0);
        }
    }
}
