//! The position pass: overlap at the end of a substep is undone by displacements.

use crate::contact::{ImpulseCache, in_lane};
use crate::error::{Result, resize};
use crate::law::{OVERLAP_FRACTION, cushion, cushion_speed, penetration_slop};
use crate::math::lanes::{Kernel, Lanes, Level, WIDE, Wide, dispatch};
use crate::math::{ContactId, PointX8};
use crate::solver::Solver;
use crate::solver::problem::contacts::{LaneContacts, occupied};
use crate::tasks::{Tasks, each_pair_of_pieces};
use crate::world::assemble::{Assembly, ContactStateX8, LastStep};
use crate::world::island_residuals::IslandResiduals;
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
}

/// Finds the displacements that undo overlap, if the settings ask for them. Writes them to `solver`, and their multipliers to `assembly`.
pub(in crate::world) fn project_positions(
    input: &PositionInput,
    assembly: &mut Assembly,
    solver: &mut Solver,
) -> Result<()> {
    let PositionInput { tasks, settings, substep, last, residuals } = *input;
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
        solver,
        before: last.loads,
        stretch: last.stretch(substep),
        h,
        step: substep.step,
        most: h * settings.push_out_velocity,
        residuals,
        margin: settings.contact_margin,
        cushion: cushion(settings.contact_margin),
        slowly: h * cushion_speed(settings.contact_margin),
    };
    each_pair_of_pieces(tasks, PIECE, (&mut targets[..], &mut multipliers[..]), |first, targets, multipliers| {
        dispatch(Level::best(), FindTargets { context: &context, first, targets, multipliers });
    });
    solver.project_positions(masses, targets, multipliers, SLIGHT * settings.contact_margin)
}

/// What the targets of a substep follow from.
struct PositionContext<'a> {
    lanes: &'a [LaneContacts],
    points: &'a [PointX8],
    states: &'a [ContactStateX8],
    /// See [`Assembly::gaps`].
    gaps: &'a [f64],
    /// Has the velocity of b relative to a along the normal at the end of the substep, of each lane, and the islands.
    solver: &'a Solver,
    /// What the contacts carried in the substep before, and this substep's length over that one's.
    before: &'a ImpulseCache,
    stretch: f64,
    /// Length of the substep, and of the step [s].
    h: f64,
    step: f64,
    /// Overlap is undone by at most so much at once [m].
    most: f64,
    residuals: &'a IslandResiduals,
    margin: f64,
    /// Less overlap than this is undone slowly where bodies can rock, by at most so much at once [m].
    cushion: f64,
    slowly: f64,
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
    /// Returns the overlap that is left at a contact of bodies that can rock [m].
    fn slop_of(&self, contact: ContactId) -> f64 {
        penetration_slop(self.residuals.largest(contact, self.solver), self.h, self.margin)
    }

    /// Computes the targets of a batch, and the multipliers from which its contacts start.
    #[inline(always)]
    fn find<L: Lanes>(&self, batch: usize, targets: &mut Wide, multipliers: &mut Wide) {
        let (lanes, state) = (&self.lanes[batch], &self.states[batch]);
        let (mut gap, mut round_off) = (self.points[batch].gap, state.round_off);
        // Where the bodies touch at a single point, no overlap is too small.
        let mut cushion = Wide::splat(f64::NEG_INFINITY);
        for (lane, contact) in occupied(lanes) {
            let source = state.lane_before[lane];
            // What was pushed in a longer substep is not to be undone in a shorter one.
            multipliers.0[lane] = self.stretch * in_lane(&self.before.pushes, source);
            if state.of_several[lane] {
                round_off.0[lane] += self.slop_of(contact);
                cushion.0[lane] = self.cushion;
            }
            if let Some(own) = self.gaps.get(contact.index()) {
                gap.0[lane] = *own;
            }
        }
        let velocities = &self.solver.normal_velocities()[batch];
        let mut first = 0;
        while first < WIDE {
            let zero = L::splat(0.0);
            // What is left at the end of the substep.
            let velocity = L::load(velocities, first);
            let gap = L::load(&gap, first) + L::splat(self.h) * velocity;
            let deep = (-gap - L::load(&round_off, first)).larger(zero);
            // What a contact opens by itself in a whole step is a part of what is to be undone: a body that rebounds deep in another one
            // would else gain the energy by which it is lifted.
            let opening = velocity.larger(zero);
            let helped = L::splat(self.step - OVERLAP_FRACTION * self.h) * opening;
            let fraction = L::splat(OVERLAP_FRACTION);
            let beyond = (-gap - L::load(&cushion, first)).larger(zero);
            let most = L::splat(self.most).smaller(L::splat(self.slowly) + fraction * beyond);
            let part = (fraction * deep - helped).smaller(most);
            L::pick(L::above(deep, zero), part, -gap.larger(zero)).store(targets, first);
            first += L::WIDTH;
        }
        for lane in (0..WIDE).filter(|lane| lanes[*lane] == ContactId::NONE) {
            (targets.0[lane], multipliers.0[lane]) = (0.0, 0.0);
        }
    }
}
