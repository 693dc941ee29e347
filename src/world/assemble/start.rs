//! What the law asks of contacts, and from which impulses they start.

use crate::body::Motion;
use crate::contact::memory::NONE;
use crate::contact::{Loads, Marks, Mixing};
use crate::law::rigid::{Approach, Rigid};
use crate::math::lanes::prefetch_one_of;
use crate::math::{Impulse, Vec3};
use crate::solver::{Besides, Contact, Velocity};
use crate::world::assemble::geometry::Geometry;
use crate::world::assemble::terms::Terms;

/// So many contacts ahead what they carried is asked for.
pub(super) const AHEAD: usize = 6;

/// With the stick projection a contact that carried load touches still when it opened by less than this part of the larger
/// body [-].
///
/// The contacts of a pile never open alike. Taken for gaps, differences of 1e-12 m decide which of them carry the load and
/// contradict each other as constraints, and what the position pass leaves of them from step to step keeps a wall of boxes
/// moving at 1e-9 m/s.
const SETTLED: f64 = 1e-9;

/// How much of their friction and torques two bodies remember that touch at several points, while the sweeps are far from an
/// answer [-].
///
/// The friction of one face has many solutions that hold alike, and what truncated sweeps make of it shakes a stack: of all
/// of it a column of 10 boxes at 10 sweeps drifts by 81 mm in 10 s, of this much by 17 mm. Normals are remembered whole.
const SHAKY_FRICTION: f64 = 0.65;

/// Above this part of the speed that gravity gives in a step, a residual is that of sweeps far from an answer [-]. Near one all
/// friction is remembered: forgetting it would keep a stack in the motion that forgetting is against. A wall of 210 boxes at 50
/// sweeps with 1e-4 drifts by 0.2 to 8 mm in 10 s, as the order of the points within its faces has it; with 0.01 to 0.3 by at
/// most 0.4 mm, in three orders and on two floors. Columns of 10 and 20 boxes are stillest, on the whole, with 0.03.
pub(super) const SHAKY: f64 = 0.03;

/// What the impulses of the substep before are good for.
pub(super) struct Recall {
    /// This substep's length over that one's [-].
    pub(super) stretch: f64,
    /// `Some`: start from the corrected impulses of the step before; the part of it that its last substep was [-].
    pub(super) compatible: Option<f64>,
    /// Whether the sweeps were far from an answer.
    pub(super) shaky: bool,
}

impl Recall {
    /// How much of friction and torques is remembered.
    #[inline]
    fn friction_memory(&self, rocking: bool) -> f64 {
        if self.shaky && rocking { SHAKY_FRICTION } else { 1.0 }
    }

    /// What the `impulse` of the substep before is good for, or `compatible`, what the correction made of it: friction turned into the
    /// new tangent plane, scaled to the new length.
    #[inline]
    fn force(
        &self,
        axis: &Vec3,
        (impulse, marks): (Impulse, Marks),
        compatible: impl FnOnce() -> Impulse,
        rocking: bool,
    ) -> Impulse {
        let Impulse { normal, tangential } = match self.compatible {
            // what an impact left is no load
            Some(_) if marks.struck() => Impulse::ZERO,
            Some(part) => compatible().scaled(part),
            None => impulse,
        };
        let friction = self.friction_memory(rocking) * tangential;
        let tangential = self.stretch * (friction - axis.dot(&friction) * axis);
        Impulse::force(self.stretch * normal, tangential)
    }
}

/// What the contacts of a substep start from.
#[derive(Clone, Copy)]
pub(super) struct Start<'a> {
    pub(super) law: Rigid,
    pub(super) recall: &'a Recall,
    /// Whether what sticks is projected.
    pub(super) stick: bool,
    pub(super) geometry: Geometry<'a>,
    /// What contacts carried in the substep before. That of the first one has their impulses too; those of a later one start from the
    /// impulses that are written over.
    pub(super) before: &'a Loads,
    /// Where each contact of the list stands there, if it is another step's; [`NONE`]: it was not there.
    pub(super) origins: Option<&'a [u32]>,
    /// Of each row at the start of the substep, and after the kick.
    pub(super) motion: &'a [Motion],
    pub(super) velocities: &'a [Velocity],
}

impl Start<'_> {
    /// Where in `before` a contact of the solver stands.
    #[inline(always)]
    fn origin(&self, rank: usize) -> Option<usize> {
        let place = *self.geometry.index.contacts().get(rank)?;
        self.origins.map_or(Some(rank), |origins| origins.get(place as usize).map(|origin| *origin as usize))
    }

    /// Writes bias and start impulses of the contacts of the solver from `first` on.
    pub(super) fn write(
        &self,
        first: usize,
        (rows, terms): (&mut [Contact], &mut [Terms]),
        impulses: &mut [Impulse],
        mixing: &mut Mixing,
    ) {
        let before = self.before;
        for (rank, ((contact, impulse), term)) in (first..).zip(rows.iter_mut().zip(impulses).zip(terms)) {
            if let Some(soon) = self.origin(rank + AHEAD) {
                prefetch_one_of(&before.impulses, soon);
                prefetch_one_of(&before.pushes, soon);
            }
            let source = self.origin(rank).unwrap_or(NONE as usize);
            let last = if self.origins.is_some() { before.impulse(source) } else { *impulse };
            let marks = before.marks_of(source);
            // what was pushed in a longer substep is not to be undone in a shorter one
            term.push = self.recall.stretch * before.push_of(source);
            // What an impact left is no load, and nothing to start from.
            let carried = last.normal > 0.0 && !marks.rebounds();
            let approach = self.approach(rank, (contact, term), carried, mixing);
            (contact.normal_bias, term.rebounds) = self.law.bias(&approach);
            term.resumes = !(term.rebounds || marks.rebounds());
            if self.origins.is_some() {
                term.is_new = source == NONE as usize;
            }
            *impulse = match term.resumes {
                true => self.recall.force(&contact.normal, (last, marks), || before.compatible_of(source), term.rocks),
                false => Impulse::ZERO,
            };
        }
    }

    /// How a contact approaches; `carried`: whether it carried a load that it may carry still.
    #[inline(always)]
    fn approach(
        &self,
        rank: usize,
        (contact, term): (&Contact, &Terms),
        carried: bool,
        mixing: &mut Mixing,
    ) -> Approach {
        let [a, b] = self.geometry.sites(rank);
        let (row_a, row_b) = (contact.body_a as usize, contact.body_b as usize);
        let along = |v_a: &Velocity, v_b: &Velocity| contact.normal.dot(&contact.relative_velocity(v_a, v_b));
        let settled = if self.stick && carried { SETTLED * a.size().max(b.size()) } else { 0.0 };
        let (gap, round_off) = (term.gap, term.round_off.max(settled));
        // bodies at rest are not asked how fast they approach
        if a.pace + b.pace <= self.law.restitution_threshold {
            return Approach { gap, round_off, velocity: 0.0, kicked_velocity: 0.0, restitution: 0.0 };
        }
        Approach {
            gap,
            round_off,
            velocity: along(&now(self.motion, row_a), &now(self.motion, row_b)),
            // what touches is not asked whether it will
            kicked_velocity: if gap > round_off {
                along(&self.velocities[row_a], &self.velocities[row_b])
            } else {
                0.0
            },
            restitution: mixing.of((a.material, b.material)).restitution(),
        }
    }

    /// Writes what contacts that resist turning have besides, and the torques that they start from, from `first` on.
    pub(super) fn write_turning(
        &self,
        first: usize,
        (besides, torques): (&mut [Besides], &mut [Vec3]),
        terms: &[Terms],
    ) {
        let (recall, mut mixing) = (self.recall, self.geometry.mixing());
        for (rank, (besides, torque)) in (first..).zip(besides.iter_mut().zip(torques)) {
            if let Some(soon) = self.origin(rank + AHEAD) {
                prefetch_one_of(&self.before.torques, soon);
            }
            let (surface, term) = (self.geometry.surface(rank, &mut mixing), &terms[rank]);
            (besides.rolling, besides.twisting) = (surface.rolling, surface.twisting);
            *torque = if surface.resists_turning() && term.resumes {
                // kept whole: what of it rolls and what twists is told by the new normal
                let source = self.origin(rank).unwrap_or(NONE as usize);
                let remembered = if self.origins.is_some() { self.before.torque(source) } else { *torque };
                recall.stretch * (recall.friction_memory(term.rocks) * remembered)
            } else {
                Vec3::zeros()
            };
        }
    }
}

/// The velocity of a row at the start of the substep; of what takes no part it is none.
fn now(motion: &[Motion], row: usize) -> Velocity {
    motion.get(row).map_or(Velocity::ZERO, |motion| Velocity { linear: motion.linear, angular: motion.angular })
}
