//! Overlap undone after the velocities are solved, [C] (22)-(23): displacements that carry no momentum and no energy.
//!
//! ```text
//! M dq = G_n^T nu,   0 <= nu  _|_  G_n dq - target >= 0
//! ```
//!
//! The target of an overlapping contact is the part of the overlap to undo. That of an open one is minus the gap that
//! remains: bodies may close the gap, but they are not pushed into a neighbour.
//!
//! Scalar rows take part where the caller gives them targets (`PositionRows`). Bilateral ones have multipliers of either sign, so they keep joints
//! whole while contacts open.
//!
//! Each island is swept until its own moves are small. Sweeps alone do not arrive where a heavy body lies on a light one: such islands are
//! swept on with extrapolation (`heavy`).

mod heavy;
pub(in crate::solver) mod pass;

use crate::error::{Result, push, resize};
use crate::math::lanes::Wide;
use crate::math::{BodyRow, ContactId, LaneSlot};
use crate::solver::gauss_seidel::rows::{ContactTargets, PositionRows};
use crate::solver::gauss_seidel::wide::lines;
use crate::solver::position::heavy::HeavyIsland;
use crate::solver::position::pass::{ENOUGH, IslandTargets, PositionPass};
use crate::solver::problem::contacts::occupied;
use crate::solver::problem::islands::{Island, Islands};
use crate::solver::problem::pairs::Pairs;
use crate::solver::problem::{MassInverse, Velocity};
use crate::solver::solve::Solver;

/// From which part of its multiplier of the step before a central contact starts [-].
///
/// With all of it, the remainder of an overlap that is gone takes long to vanish: a frictionless pyramid of 2870
/// spheres rests after 176 steps. With nine tenths it rests after 108. But a pile of 91 spheres that roll then keeps
/// 3e-3 J after two seconds. With this part it keeps 5e-6 J.
const WARM_START_FACTOR: f64 = 0.95;

/// The same of other contacts.
const WARM_START_FACTOR_GENERAL: f64 = 0.95;

/// An island whose heaviest body is heavier than its lightest one by more than this is swept with extrapolation [-]. A sweep reduces the
/// error of a heavy body on a light one by about the inverse of the ratio.
const HEAVY: f64 = 20.0;

/// Most contacts of such an island: its contacts are visited one by one.
const HEAVY_CONTACTS: usize = 2000;

/// Most sweeps with extrapolation.
const HEAVY_SWEEPS: u32 = 60;

impl Solver {
    /// Finds displacements that open each contact of the problem solved last by its target, and bring its rows to theirs. `masses` are those
    /// of its bodies. `targets` [m] and `multipliers` [kg m] have one element for each batch of lanes. Contacts in batches and rows in blocks
    /// start from part of their multipliers, and theirs are found in the end; all others start from zero, and contacts end there. Where no
    /// target is above `slight` [m], few sweeps may be enough.
    pub fn project_positions(
        &mut self,
        masses: &[MassInverse],
        targets: &[Wide],
        multipliers: &mut [Wide],
        mut position_rows: PositionRows,
        slight: f64,
    ) -> Result<()> {
        self.find_island_targets(targets)?;
        self.find_row_targets(&position_rows);
        if self.position.islands.iter().all(|own_targets| own_targets.largest() == 0.0) {
            multipliers.fill(Wide::splat(0.0));
            position_rows.multipliers.fill(0.0);
            self.reset_positions();
            return Ok(());
        }
        self.is_displaced = true;
        self.rows.set_row_targets(&position_rows, WARM_START_FACTOR_GENERAL)?;
        let result = self.sweep_positions(masses, targets, multipliers, &position_rows, slight);
        self.rows.restore_rows(&mut position_rows);
        result
    }

    /// Sweeps all islands.
    fn sweep_positions(
        &mut self,
        masses: &[MassInverse],
        targets: &[Wide],
        multipliers: &mut [Wide],
        position_rows: &PositionRows,
        slight: f64,
    ) -> Result<()> {
        let Self { rows, tasks, position, .. } = self;
        rows.scale_multipliers(multipliers, [WARM_START_FACTOR, WARM_START_FACTOR_GENERAL]);
        rows.rest(&**tasks);
        rows.shift(masses, multipliers, &**tasks);
        if rows.parts() == position.islands.len() {
            for (part, own_targets) in position.islands.iter().enumerate() {
                let (sweeps, enough) = own_targets.sweeps(slight);
                let contact_targets = ContactTargets { targets, scales: &[] };
                let mut moves = (0..sweeps).map(|_| rows.push(part, masses, &contact_targets, multipliers, &**tasks));
                moves.any(|moved| moved <= enough);
                rows.close_rows(part, masses, multipliers, &**tasks)?;
            }
        } else {
            self.sweep_together(masses, targets, multipliers, position_rows, slight)?;
        }
        self.sweep_heavy(masses, targets, multipliers)?;
        self.rows.clear_unbatched(multipliers);
        Ok(())
    }

    /// Finds the largest targets of each island.
    fn find_island_targets(&mut self, targets: &[Wide]) -> Result<()> {
        let Self { position, islands, rows, pairs, .. } = self;
        position.islands.clear();
        resize(&mut position.islands, islands.len(), IslandTargets::default(), "islands")?;
        // A pile is a single island: nothing is looked up then.
        let island = |contact| if islands.len() == 1 { Some(0) } else { island_of(pairs, islands, contact) };
        let opens = |targets: &Wide| targets.0.iter().fold(false, |any, target| any | (*target > 0.0));
        let batches = rows.lanes.iter().zip(targets).enumerate();
        for (at, (lanes, targets)) in batches.filter(|(_, (_, targets))| opens(targets)) {
            for (lane, contact) in occupied(lanes).filter(|(lane, _)| targets.0[*lane] > 0.0) {
                let Some((is_central, island)) = rows.is_central(LaneSlot::new(at, lane)).zip(island(contact)) else {
                    continue;
                };
                let own_targets = &mut position.islands[island];
                let largest = if is_central { &mut own_targets.central } else { &mut own_targets.others };
                *largest = largest.max(targets.0[lane]);
            }
        }
        Ok(())
    }

    /// Adds what rows are to undo to what is to be done in each island.
    fn find_row_targets(&mut self, position_rows: &PositionRows) {
        let Self { position, islands, motion, rows, .. } = self;
        if position_rows.targets.is_empty() {
            return;
        }
        for (number, own_targets) in position.islands.iter_mut().enumerate() {
            // Rows of split mechanisms start no pass: those without bounds hold in it, and the others follow the contacts.
            for row in islands.get(number).rows.iter().filter(|row| !rows.is_split(**row)) {
                let missing = position_rows.targets.get(row.index()).map_or(0.0, |target| target.missing());
                if missing > 0.0 {
                    own_targets.others = own_targets.others.max(missing * motion.row_measures[*row].length);
                }
            }
        }
    }

    /// Measures the moves of rows as [`Solver::scale_moves`] those of contacts.
    fn scale_row_moves(&mut self, position_rows: &PositionRows, slight: f64) {
        let Self { position: PositionPass { islands: island_targets, .. }, islands, rows, .. } = self;
        if position_rows.targets.is_empty() {
            return;
        }
        for (number, own_targets) in island_targets.iter().enumerate() {
            let (_, enough) = own_targets.sweeps(slight);
            let scale = if enough > 0.0 { 1.0 / enough } else { 0.0 };
            islands.get(number).rows.iter().for_each(|row| rows.scale_row_moves(*row, scale));
        }
    }

    /// Sweeps islands that are swept together until each of them ends.
    fn sweep_together(
        &mut self,
        masses: &[MassInverse],
        targets: &[Wide],
        multipliers: &mut [Wide],
        position_rows: &PositionRows,
        slight: f64,
    ) -> Result<()> {
        let active = self
            .position
            .islands
            .iter()
            .filter(|own_targets| own_targets.largest() > 0.0)
            .map(|own_targets| own_targets.sweeps(slight));
        let (sweeps, mut enough) =
            active.clone().fold((0, 0.0), |(largest, _), (sweeps, enough)| (largest.max(sweeps), enough));
        if active.count() > 1 {
            self.scale_moves(slight)?;
            self.scale_row_moves(position_rows, slight);
            enough = 1.0;
        } else {
            self.position.scales.clear();
        }
        let Self { position, rows, tasks, .. } = self;
        let contact_targets = ContactTargets { targets, scales: &position.scales };
        let mut moves = (0..sweeps).map(|_| rows.push(0, masses, &contact_targets, multipliers, &**tasks));
        moves.any(|moved| moved <= enough);
        rows.close_rows(0, masses, multipliers, &**tasks)
    }

    /// Writes the scale of each contact, with which a move of 1 ends its island. What has nothing to open moves by nothing.
    fn scale_moves(&mut self, slight: f64) -> Result<()> {
        let Self { position: PositionPass { islands: island_targets, scales, .. }, islands, rows, pairs, .. } = self;
        resize(scales, rows.lanes.len(), Wide::splat(0.0), "contacts of the position pass")?;
        for (scales, lanes) in scales.iter_mut().zip(&rows.lanes) {
            *scales = Wide::splat(0.0);
            for (lane, contact) in occupied(lanes) {
                let largest_move =
                    island_of(pairs, islands, contact).map(|island| island_targets[island].sweeps(slight).1);
                scales.0[lane] = largest_move.filter(|enough| *enough > 0.0).map_or(0.0, |enough| 1.0 / enough);
            }
        }
        Ok(())
    }

    /// Sweeps on over islands with bodies of very different masses.
    fn sweep_heavy(&mut self, masses: &[MassInverse], targets: &[Wide], multipliers: &mut [Wide]) -> Result<()> {
        let Self {
            position: PositionPass { islands: island_targets, lanes, .. }, islands, rows, pairs, anderson, ..
        } = self;
        for (number, own_targets) in island_targets.iter().enumerate() {
            let Island { bodies, rows: own_rows, .. } = islands.get(number);
            // one by one, contacts would tear joints
            let has_joints = rows.have_targets() && !own_rows.is_empty();
            if own_targets.largest() == 0.0 || has_joints || rows.has_scalars() || mass_ratio(masses, bodies) <= HEAVY {
                continue;
            }
            lanes.clear();
            for (at, batch) in rows.lanes.iter().enumerate() {
                for (lane, contact) in occupied(batch) {
                    if island_of(pairs, islands, contact) == Some(number) {
                        push(lanes, LaneSlot::new(at, lane), "contacts of an island")?;
                    }
                }
            }
            if lanes.len() <= HEAVY_CONTACTS {
                let island = &mut HeavyIsland { rows, masses, bodies, lanes, pairs: &pairs.all, targets, multipliers };
                anderson.solve(island, HEAVY_SWEEPS, ENOUGH * own_targets.largest())?;
            }
        }
        Ok(())
    }

    /// Leaves all bodies where they are.
    pub fn reset_positions(&mut self) {
        self.is_displaced = false;
    }

    /// The velocity of b relative to a along the normal in each lane of the problem solved last [m/s].
    pub fn normal_velocities(&self) -> &[Wide] {
        &self.rows.measured.normal_velocities
    }

    /// The displacement of a body that was found last: linear [m], and a rotation vector [rad].
    #[inline]
    pub fn displacement(&self, body: usize) -> Velocity {
        let lines = if self.is_displaced { &self.rows.bodies[..] } else { &[] };
        lines.get(body).map_or(Velocity::ZERO, lines::velocity)
    }

    /// Those of all bodies and of the resting one; none where nothing was to be opened.
    #[cfg(test)]
    pub(in crate::solver) fn displacements(&self) -> Vec<Velocity> {
        let lines = if self.is_displaced { &self.rows.bodies[..] } else { &[] };
        lines.iter().map(lines::velocity).collect()
    }
}

/// Returns the island of a contact.
fn island_of(pairs: &Pairs, islands: &Islands, contact: ContactId) -> Option<usize> {
    pairs.all[contact].into_iter().find_map(|body| islands.of(body.row()))
}

/// Returns the mass of the heaviest of some bodies over that of the lightest [-].
fn mass_ratio(masses: &[MassInverse], bodies: &[BodyRow]) -> f64 {
    let (mut smallest, mut largest) = (f64::INFINITY, 0.0);
    for body in bodies {
        let inverse = masses[*body].linear.max();
        if inverse > 0.0 {
            (smallest, largest) = (f64::min(smallest, inverse), f64::max(largest, inverse));
        }
    }
    largest / smallest
}
