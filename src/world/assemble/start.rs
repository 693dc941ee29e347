//! What the law asks of contacts, and from which impulses they start.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::body::Motion;
use crate::contact::material::Materials;
use crate::contact::memory::NONE;
use crate::contact::{Loads, Marks, Mixing, Noted, Pushed, Touches};
use crate::law::rigid::{Approach, Rigid};
use crate::math::lanes::{Kernel, Lanes, Level, Lines, Vec3s, WIDE, Wide, dispatch, prefetch_one_of};
use crate::math::{Impulse, Vec3};
use crate::solver::contacts::{NOBODY, NoteBegun, NotePlaces, NoteTurning, Seats, taken};
use crate::solver::{Begun, Contacts, Velocity};
use crate::world::assemble::geometry::{Gaps, Geometry, Whereabouts};
use crate::world::assemble::site;
use crate::world::index::Index;
use crate::world::settings::{Projection, Settings};

/// So many batches ahead the torques that their contacts carried are asked for.
const AHEAD: usize = 2;

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
    /// How much of friction and torques is remembered.
    #[inline]
    fn friction_memory(&self, rocking: bool) -> f64 {
        if self.shaky && rocking { SHAKY_FRICTION } else { 1.0 }
    }

    /// What of the impulse of the substep before, or of what the correction made of it, is to be scaled to the new length, with its
    /// friction turned into the new tangent plane.
    #[inline(always)]
    fn impulse(&self, before: &Loads, source: usize, marks: Marks) -> Impulse {
        match self.compatible {
            // what an impact left is no load
            Some(_) if marks.struck() => Impulse::ZERO,
            Some(part) => before.compatible_of(source).scaled(part),
            None => before.impulse(source),
        }
    }
}

/// The contacts of a substep, as the solver is told of them: where they are, what the law asks of them, and from which impulses they
/// start.
pub(in crate::world) struct Told<'a> {
    parts: &'a Parts<'a>,
    geometry: Geometry<'a>,
    memory: Remembered<'a>,
    /// Whether any pair of materials resists turning.
    turns: bool,
}

/// All that follows from, but for the order of the contacts.
pub(super) struct Parts<'a> {
    pub(super) law: Rigid,
    pub(super) recall: Recall,
    pub(super) settings: &'a Settings,
    pub(super) materials: &'a Materials,
    pub(super) touches: &'a Touches,
    /// See [`Geometry`].
    pub(super) places: (&'a [Wide], &'a [f64]),
    /// See [`Remembered`].
    pub(super) before: &'a Loads,
    pub(super) origins: Option<&'a [u32]>,
    /// Whether the substep is the first one.
    pub(super) is_first: bool,
    /// Of each row at the start of the substep, and after the kick.
    pub(super) motion: &'a [Motion],
    pub(super) velocities: &'a [Velocity],
    /// What is told of each contact, and the multiplier from which the position pass starts.
    pub(super) marks: &'a [Noted],
    pub(super) pushes: &'a [Pushed],
    /// The bits of the deepest overlap so far, which are in the order of such numbers [m].
    pub(super) deepest: &'a AtomicU64,
}

impl Parts<'_> {
    /// The contacts in the order of `index`.
    pub(super) fn told<'b>(&'b self, index: &'b Index) -> Told<'b> {
        let Self { settings, materials, touches, places, before, origins, .. } = *self;
        Told {
            parts: self,
            geometry: Geometry::new((touches, index), places, materials, settings),
            memory: Remembered { index, before, origins },
            turns: materials.resist_turning(),
        }
    }
}

/// What contacts carried in the substep before.
#[derive(Clone, Copy)]
struct Remembered<'a> {
    index: &'a Index,
    before: &'a Loads,
    /// Where each contact of the list stands there, if not at its own place; [`NONE`]: it was not there.
    origins: Option<&'a [u32]>,
}

/// Where in `before` the contact in each lane stands.
type Sources = [usize; WIDE];

impl Remembered<'_> {
    /// Where in `before` a contact of the solver stands; behind all of them if it was not there.
    #[inline(always)]
    fn origin(&self, rank: usize) -> usize {
        let Some(origins) = self.origins else { return rank };
        let place = self.index.contacts().get(rank).map_or(usize::MAX, |place| *place as usize);
        origins.get(place).map_or(NONE as usize, |origin| *origin as usize)
    }

    /// Where the contacts of a batch stand there; asks for what they carried.
    #[inline(always)]
    fn find(&self, seats: Option<&Seats>) -> Sources {
        let mut sources = [0; WIDE];
        for (lane, rank) in seats.into_iter().flat_map(taken) {
            sources[lane] = self.origin(rank);
            prefetch_one_of(&self.before.impulses, sources[lane]);
            prefetch_one_of(&self.before.marks, sources[lane]);
            prefetch_one_of(&self.before.pushes, sources[lane]);
        }
        sources
    }
}

impl Told<'_> {
    fn note_depth(&self, depth: f64) {
        // plus zero: the bits of minus zero are above those of every number
        self.parts.deepest.fetch_max((depth + 0.0).to_bits(), Ordering::Relaxed);
    }

    /// What the law asks of the contacts of a batch, and the impulses from which they start.
    #[inline(always)]
    fn start<L: Lanes>(
        &self,
        (seats, sources): (&Seats, &Sources),
        there: &mut Whereabouts,
        begun: &mut Begun,
        mixing: &mut Mixing,
    ) {
        if self.parts.settings.projection == Projection::Stick {
            self.settle(seats, &mut there.gaps);
        }
        let mut first = 0;
        while first < WIDE {
            let (gap, round_off) = (L::load(&there.gaps.gap, first), L::load(&there.gaps.round_off, first));
            self.parts.law.bias_of_slow(gap, round_off).store(&mut begun.bias, first);
            first += L::WIDTH;
        }
        let (mut known, mut memory) = ([ZERO; WIDE], Wide::splat(1.0));
        for (lane, rank) in taken(seats) {
            let impulse = self.recall(lane, (rank, sources[lane]), there, (begun, mixing), &mut memory);
            let [normal, x, y, z] = [impulse.normal, impulse.tangential.x, impulse.tangential.y, impulse.tangential.z];
            known[lane] = Wide([normal, x, y, z, 0.0, 0.0, 0.0, 0.0]);
        }
        let (known, places) = (Lines::read_only(&known), &std::array::from_fn(|lane| lane as u32));
        let mut first = 0;
        while first < WIDE {
            let stretch = L::splat(self.parts.recall.stretch);
            let [normal, x, y, z] = L::gather_front(known, places, first);
            let axis = Vec3s::load(&there.placed.normal, first);
            let friction = Vec3s::new(x, y, z) * L::load(&memory, first);
            let tangential = (friction - axis * axis.dot(friction)) * stretch;
            (normal * stretch).store(&mut begun.normal, first);
            tangential.store(&mut begun.tangential, first);
            first += L::WIDTH;
        }
    }

    /// What one contact of a batch carried, as far as it starts from that; notes what is so of it, and what else the law asks.
    #[inline(always)]
    fn recall(
        &self,
        lane: usize,
        (rank, source): (usize, usize),
        there: &Whereabouts,
        (begun, mixing): (&mut Begun, &mut Mixing),
        memory: &mut Wide,
    ) -> Impulse {
        let before = self.memory.before;
        let noted = &self.parts.marks[rank];
        let known = before.marks_of(source);
        let mixed = mixing.of(self.geometry.sites(rank).map(site::material).into());
        begun.friction.0[lane] = mixed.friction();
        let mut rebounds = false;
        // bodies at rest are not asked how fast they approach
        let is_slow = there.pace.0[lane] <= self.parts.law.restitution_threshold;
        if !is_slow {
            let approach = self.approach(lane, there, mixed.restitution());
            (begun.bias.0[lane], rebounds) = self.parts.law.bias(&approach);
        }
        if self.turns {
            begun.besides[lane] = self.geometry.besides(rank, mixing);
        }
        let resumes = !(rebounds || known.rebounded());
        let earlier = if self.parts.is_first { Marks::of_first(source == NONE as usize) } else { noted.get() };
        noted.set(earlier.told(rebounds, resumes));
        // what was pushed in a longer substep is not to be undone in a shorter one
        self.parts.pushes[rank].set(self.parts.recall.stretch * before.push_of(source));
        if self.parts.recall.shaky {
            memory.0[lane] = self.parts.recall.friction_memory(self.geometry.index.joined(rank).rocks);
        }
        if resumes { self.parts.recall.impulse(before, source, known) } else { Impulse::ZERO }
    }

    /// With the stick projection, lets contacts that carried a load touch a little longer.
    fn settle(&self, seats: &Seats, gaps: &mut Gaps) {
        for (lane, rank) in taken(seats) {
            let source = self.memory.origin(rank);
            let last = self.memory.before.impulse(source);
            // What an impact left is no load, and nothing to start from.
            if last.normal > 0.0 && !self.memory.before.marks_of(source).rebounded() {
                let [a, b] = self.geometry.sites(rank).map(site::size);
                let round_off = &mut gaps.round_off.0[lane];
                *round_off = round_off.max(SETTLED * a.max(b));
            }
        }
    }

    /// How a contact approaches between bodies that move.
    fn approach(&self, lane: usize, there: &Whereabouts, restitution: f64) -> Approach {
        let (gap, round_off) = (there.gaps.gap.0[lane], there.gaps.round_off.0[lane]);
        let contact = there.placed.contact(lane);
        let (row_a, row_b) = (contact.body_a as usize, contact.body_b as usize);
        let along = |v_a: &Velocity, v_b: &Velocity| contact.normal.dot(&contact.relative_velocity(v_a, v_b));
        Approach {
            gap,
            round_off,
            velocity: along(&now(self.parts.motion, row_a), &now(self.parts.motion, row_b)),
            // what touches is not asked whether it will
            kicked_velocity: if gap > round_off {
                along(&self.parts.velocities[row_a], &self.parts.velocities[row_b])
            } else {
                0.0
            },
            restitution,
        }
    }
}

/// Tells how the contacts in the lanes of each batch begin.
struct BeginAll<'a, 'b> {
    told: &'a Told<'a>,
    batches: &'a [Seats],
    note: &'a mut NoteBegun<'b>,
}

impl Kernel for BeginAll<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { told, batches, note } = self;
        let (mut mixing, mut there, mut begun) = (told.geometry.mixing(), Whereabouts::NOWHERE, Begun::NONE);
        let (mut deepest, mut soon) = (ZERO, told.memory.find(batches.first()));
        for (at, seats) in batches.iter().enumerate() {
            told.geometry.ask_ahead(batches, at);
            let sources = std::mem::replace(&mut soon, told.memory.find(batches.get(at + 1)));
            if seats[WIDE - 1] == NOBODY {
                begun = Begun::NONE;
            }
            told.geometry.place::<L>(seats, &mut there);
            told.start::<L>((seats, &sources), &mut there, &mut begun, &mut mixing);
            let mut first = 0;
            while first < WIDE {
                let depth = -L::load(&there.gaps.gap, first);
                depth.larger(L::load(&deepest, first)).store(&mut deepest, first);
                first += L::WIDTH;
            }
            note(at, &there.placed, &begun);
        }
        if told.parts.is_first {
            told.note_depth(deepest.0.into_iter().fold(0.0, f64::max));
        }
    }
}

const ZERO: Wide = Wide::splat(0.0);

impl Contacts for Told<'_> {
    fn count(&self) -> usize {
        self.geometry.index.contacts().len()
    }

    fn have_besides(&self) -> bool {
        self.turns
    }

    fn bodies(&self, contact: usize) -> [u32; 2] {
        self.geometry.index.joined(contact).rows
    }

    fn place(&self, batches: &[Seats], note: &mut NotePlaces) {
        self.geometry.place_all(batches, |at, there| note(at, &there.placed));
    }

    fn begin(&self, batches: &[Seats], note: &mut NoteBegun) {
        dispatch(Level::best(), BeginAll { told: self, batches, note });
    }

    fn turn(&self, batches: &[Seats], note: &mut NoteTurning) {
        let Remembered { before, .. } = self.memory;
        let (recall, mut mixing) = (&self.parts.recall, self.geometry.mixing());
        for (at, seats) in batches.iter().enumerate() {
            self.geometry.ask_ahead(batches, at);
            for (_, rank) in batches.get(at + AHEAD).into_iter().flat_map(taken) {
                prefetch_one_of(&before.torques, self.memory.origin(rank));
            }
            for (lane, rank) in taken(seats) {
                let besides = self.geometry.besides(rank, &mut mixing);
                let resumes = besides.resists_turning() && self.parts.marks[rank].get().resumes();
                let torque = if resumes {
                    // kept whole: what of it rolls and what twists is told by the new normal
                    let memory = recall.friction_memory(self.geometry.index.joined(rank).rocks);
                    recall.stretch * (memory * before.torque(self.memory.origin(rank)))
                } else {
                    Vec3::zeros()
                };
                note(at, lane, &besides, &torque);
            }
        }
    }
}

/// The velocity of a row at the start of the substep; of what takes no part it is none.
fn now(motion: &[Motion], row: usize) -> Velocity {
    motion.get(row).map_or(Velocity::ZERO, |motion| Velocity { linear: motion.linear, angular: motion.angular })
}
