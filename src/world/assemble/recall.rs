//! What contacts carried in the substep before, and what of it this one starts from.

use crate::contact::memory::NONE;
use crate::contact::{Loads, Marks};
use crate::math::lanes::{Places, prefetch_one_of};
use crate::math::{Impulse, Vec3};
use crate::solver::contacts::{Seats, taken};
use crate::tasks::{Tasks, each_piece};
use crate::world::assemble::CONTACTS_PER_PIECE;
use crate::world::index::Index;

/// How much of their friction and torques two bodies remember that touch at several points, while the sweeps are far from an
/// answer [-].
///
/// The friction of one face has many solutions that hold alike, and what truncated sweeps make of it shakes a stack: of all
/// of it a column of 10 boxes at 10 sweeps drifts by 81 mm in 10 s, of this much by 17 mm. Normals are remembered whole.
pub(super) const SHAKY_FRICTION: f64 = 0.65;

/// Above this part of the speed that gravity gives in a step, a residual is that of sweeps far from an answer [-]. Near one all
/// friction is remembered: forgetting it would keep a stack in the motion that forgetting is against. A wall of 210 boxes at 50
/// sweeps with 1e-4 drifts by 0.2 to 8 mm in 10 s, as the order of the points within its faces has it; with 0.01 to 0.3 by at
/// most 0.4 mm, in three orders and on two floors. Columns of 10 and 20 boxes are stillest, on the whole, with 0.03.
pub(super) const SHAKY: f64 = 0.03;

/// What the impulses of the substep before are good for.
#[derive(Clone, Copy)]
pub(super) struct Recall {
    /// This substep's length over that one's [-].
    pub(super) stretch: f64,
    /// `Some`: start from the corrected impulses of the step before; the part of it that its last substep was [-].
    pub(super) compatible: Option<f64>,
    /// Whether the sweeps were far from an answer.
    pub(super) shaky: bool,
}

impl Recall {
    /// What of the impulse of the substep before, or of what the correction made of it, is to be scaled to the new length, with its
    /// friction turned into the new tangent plane.
    #[inline(always)]
    pub(super) fn impulse(&self, before: &Loads, source: usize, marks: Marks) -> Impulse {
        match self.compatible {
            // what an impact left is no load
            Some(_) if marks.struck() => Impulse::ZERO,
            Some(part) => before.compatible_of(source).scaled(part),
            None => before.impulse(source),
        }
    }
}

/// What contacts carried in the substep before.
#[derive(Clone, Copy)]
pub(super) struct Remembered<'a> {
    pub(super) index: &'a Index,
    pub(super) before: &'a Loads,
    /// Where each contact of the list stands there, if not at its own place; [`NONE`]: it was not there.
    pub(super) origins: Option<&'a [u32]>,
}

/// Where the contacts of the list come from, traced when somebody asks.
pub(super) struct Trail<'a> {
    origins: &'a mut [u32],
    before: &'a Loads,
    tasks: &'a dyn Tasks,
    is_traced: bool,
}

impl<'a> Trail<'a> {
    /// Of contacts that continue those at these places in the list before, of which `before` is what they carried.
    pub(super) fn new(origins: &'a mut [u32], before: &'a Loads, tasks: &'a dyn Tasks) -> Self {
        Self { origins, before, tasks, is_traced: false }
    }

    /// Where each stands in `before`, unless that is known to be its own place.
    pub(super) fn unless(&mut self, is_own: bool) -> Option<&[u32]> {
        if is_own {
            return None;
        }
        if !self.is_traced {
            let ranks = &self.before.ranks[..];
            each_piece(self.tasks, CONTACTS_PER_PIECE, self.origins, |_, origins| {
                for origin in origins {
                    *origin = ranks.get(*origin as usize).copied().unwrap_or(NONE);
                }
            });
            self.is_traced = true;
        }
        Some(self.origins)
    }
}

impl Remembered<'_> {
    /// Where in `before` a contact of the solver stands; behind all of them if it was not there.
    #[inline(always)]
    pub(super) fn origin(&self, rank: usize) -> u32 {
        let Some(origins) = self.origins else { return rank as u32 };
        let place = self.index.contacts().get(rank).map_or(usize::MAX, |place| *place as usize);
        origins.get(place).copied().unwrap_or(NONE)
    }

    /// Writes where the contacts of a batch stand there; asks for what they carried, unless it is read from one end to the other anyway.
    #[inline(always)]
    pub(super) fn find(&self, seats: Option<&Seats>, sources: &mut Places) {
        let Some(seats) = seats else { return };
        if self.origins.is_none() {
            *sources = *seats;
            return;
        }
        for (lane, rank) in taken(seats) {
            sources[lane] = self.origin(rank);
            let source = sources[lane] as usize;
            prefetch_one_of(&self.before.impulses, source);
            prefetch_one_of(&self.before.torques, source);
            prefetch_one_of(&self.before.marks, source);
            prefetch_one_of(&self.before.pushes, source);
        }
    }

    /// The torque that a contact carried.
    #[inline(always)]
    pub(super) fn torque(&self, source: usize) -> Vec3 {
        self.before.torque(source)
    }
}
