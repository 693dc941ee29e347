//! How much overlap a substep undoes, as the position pass asks for it.

use crate::contact::Pushed;
use crate::error::Result;
use crate::law::rigid::{OVERLAP_FRACTION, cushion};
use crate::math::lanes::{Kernel, Lanes, Level, WIDE, Wide, dispatch};
use crate::solver::Aims;
use crate::solver::contacts::{NOBODY, Seats, taken};
use crate::world::assemble::Assembly;
use crate::world::assemble::geometry::{Gaps, Geometry};
use crate::world::state::{Workspace, World};
use crate::world::substep::Substep;

/// How much overlap a substep undoes.
struct Undone<'a> {
    geometry: Geometry<'a>,
    /// From which multipliers it starts.
    pushes: &'a [Pushed],
    /// Length of the substep [s].
    h: f64,
    /// No more at once [m].
    most: f64,
    /// What is left where bodies can rock [m].
    cushion: f64,
}

/// What is left of overlap below this part of the contact margin is undone over several steps [-].
const SLIGHT: f64 = 1e-2;

impl World {
    /// The displacements of the position pass, one for each row, or none at all.
    pub(in crate::world) fn undo_overlap(&mut self, substep: &Substep) -> Result<()> {
        let h = substep.length;
        let most = h * self.settings.push_out_velocity;
        let cushion = cushion(self.workspace.residual, h, self.settings.contact_margin);
        let Workspace { touches, loads, index, assembly, solver, .. } = &mut self.workspace;
        if !self.settings.position_projection {
            solver.leave();
            return Ok(());
        }
        let Assembly { masses, sites, gaps, .. } = &*assembly;
        let geometry = Geometry::new((touches, index), (sites, gaps), &self.materials, &self.settings);
        let undone = Undone { geometry, pushes: &loads.pushes, h, most, cushion };
        solver.displace(masses, &undone, SLIGHT * self.settings.contact_margin)
    }
}

impl Aims for Undone<'_> {
    fn aim(&self, batches: &[Seats], targets: &mut [Wide], multipliers: &mut [Wide]) {
        dispatch(Level::best(), AimAll { undone: self, batches, targets, multipliers });
    }
}

/// Aims at the contacts in the lanes of each batch.
struct AimAll<'a> {
    undone: &'a Undone<'a>,
    batches: &'a [Seats],
    targets: &'a mut [Wide],
    multipliers: &'a mut [Wide],
}

impl Kernel for AimAll<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { undone, batches, targets, multipliers } = self;
        for (at, (targets, multipliers)) in targets.iter_mut().zip(multipliers).enumerate() {
            undone.geometry.ask_ahead(batches, at);
            undone.aim::<L>(&batches[at], targets, multipliers);
        }
    }
}

impl Undone<'_> {
    /// How far the contacts of a batch are to be opened, and from which multipliers they start, in place of their velocities along the
    /// normal.
    #[inline(always)]
    fn aim<L: Lanes>(&self, seats: &Seats, targets: &mut Wide, multipliers: &mut Wide) {
        let (mut gaps, mut pushes) = (Gaps::NONE, Wide::splat(0.0));
        self.geometry.gaps::<L>(seats, &mut gaps);
        for (lane, rank) in taken(seats) {
            pushes.0[lane] = self.pushes[rank].get();
            if self.geometry.index.joined(rank).rocks {
                gaps.round_off.0[lane] += self.cushion;
            }
        }
        let mut first = 0;
        while first < WIDE {
            let zero = L::splat(0.0);
            // What is left at the end of the substep: a contact that opens by itself is not helped.
            let gap = L::load(&gaps.gap, first) + L::splat(self.h) * L::load(multipliers, first);
            let deep = (-gap - L::load(&gaps.round_off, first)).larger(zero);
            let part = (L::splat(OVERLAP_FRACTION) * deep).smaller(L::splat(self.most));
            L::pick(L::above(deep, zero), part, -gap.larger(zero)).store(targets, first);
            L::load(&pushes, first).store(multipliers, first);
            first += L::WIDTH;
        }
        for lane in (0..WIDE).filter(|lane| seats[*lane] == NOBODY) {
            (targets.0[lane], multipliers.0[lane]) = (0.0, 0.0);
        }
    }
}
