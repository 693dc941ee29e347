//! What the law asks of contacts, and from which impulses they start.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::body::Motion;
use crate::contact::material::Materials;
use crate::contact::memory::NONE;
use crate::contact::surface::most_torque;
use crate::contact::{Loads, Marks, Mixing, Noted, Pushed, Touches};
use crate::law::rigid::{Approach, Rigid};
use crate::math::Impulse;
use crate::math::lanes::{Kernel, Lanes, Level, Lines, Places, Vec3s, WIDE, Wide, dispatch};
use crate::solver::contacts::{NOBODY, NoteBegun, NotePlaces, Seats, taken};
use crate::solver::{Begun, Contacts, Velocity};
use crate::world::assemble::geometry::{Gaps, Geometry, Whereabouts, each_bit};
use crate::world::assemble::recall::{Recall, Remembered, SHAKY_FRICTION};
use crate::world::assemble::site;
use crate::world::index::Index;
use crate::world::settings::{Projection, Settings};

/// With the stick projection a contact that carried load touches still when it opened by less than this part of the larger
/// body [-].
///
/// The contacts of a pile never open alike. Taken for gaps, differences of 1e-12 m decide which of them carry the load and
/// contradict each other as constraints, and what the position pass leaves of them from step to step keeps a wall of boxes
/// moving at 1e-9 m/s.
const SETTLED: f64 = 1e-9;

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
#[derive(Clone, Copy)]
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

impl Told<'_> {
    fn note_depth(&self, depth: f64) {
        // plus zero: the bits of minus zero are above those of every number
        self.parts.deepest.fetch_max((depth + 0.0).to_bits(), Ordering::Relaxed);
    }

    /// What the law asks of the contacts of a batch, and the impulses from which they start.
    #[inline(always)]
    fn start<L: Lanes>(
        &self,
        (seats, sources): (&Seats, &Places),
        there: &mut Whereabouts,
        begun: &mut Begun,
        mixing: &mut Mixing,
    ) {
        if self.parts.settings.projection == Projection::Stick {
            self.settle(seats, &mut there.gaps);
        }
        self.mix::<L>(seats, there, begun, mixing);
        let rebound = self.approach::<L>(seats, there, begun, mixing);
        let (mut known, mut memory) = ([ZERO; WIDE], Wide::splat(1.0));
        for (lane, rank) in taken(seats) {
            let source = sources[lane] as usize;
            let resumes = self.recall((rank, source), rebound >> lane & 1 == 1, &mut known[lane]);
            if resumes && self.turns {
                known[lane].0[4..7].copy_from_slice(self.memory.torque(source).as_slice());
            }
        }
        let rocking = if self.parts.recall.shaky { self.geometry.index.rocking(seats) } else { 0 };
        each_bit(rocking, |lane| memory.0[lane] = SHAKY_FRICTION);
        let (known, places) = (Lines::read_only(&known), &std::array::from_fn(|lane| lane as u32));
        let mut first = 0;
        while first < WIDE {
            let (stretch, memory) = (L::splat(self.parts.recall.stretch), L::load(&memory, first));
            let [normal, x, y, z] = L::gather_front(known, places, first);
            let axis = Vec3s::load(&there.placed.normal, first);
            let friction = Vec3s::new(x, y, z) * memory;
            let tangential = (friction - axis * axis.dot(friction)) * stretch;
            (normal * stretch).store(&mut begun.normal, first);
            tangential.store(&mut begun.tangential, first);
            if self.turns {
                // kept whole: what of it rolls and what twists is told by the new normal
                let [_, _, _, _, x, y, z, _] = L::gather(known, places, first);
                let bound = L::load(&begun.rolling, first) + L::load(&begun.twisting, first);
                let resists = L::above(bound, L::splat(0.0));
                let carried = |along: L| L::pick(resists, along * memory * stretch, L::splat(0.0));
                Vec3s::new(carried(x), carried(y), carried(z)).store(&mut begun.torque, first);
            }
            first += L::WIDTH;
        }
    }

    /// What holds between the materials of the contacts of a batch.
    #[inline(always)]
    fn mix<L: Lanes>(&self, seats: &Seats, there: &Whereabouts, begun: &mut Begun, mixing: &mut Mixing) {
        let materials = |lane: usize| [0, 1].map(|side| site::material_of(there.surfaces[side].0[lane]));
        let (mut rolling, mut twisting) = (ZERO, ZERO);
        if seats[WIDE - 1] != NOBODY && there.surfaces.iter().all(site::are_of_one_material) {
            let mixed = mixing.of(materials(0).into());
            begun.friction = Wide::splat(mixed.friction());
            [rolling, twisting] = mixed.turning_coefficients().map(Wide::splat);
        } else {
            for (lane, _) in taken(seats) {
                let mixed = mixing.of(materials(lane).into());
                begun.friction.0[lane] = mixed.friction();
                [rolling.0[lane], twisting.0[lane]] = mixed.turning_coefficients();
            }
        }
        let mut first = 0;
        while self.turns && first < WIDE {
            let radius = L::load(&there.radius, first);
            most_torque(L::load(&rolling, first), radius).store(&mut begun.rolling, first);
            most_torque(L::load(&twisting, first), radius).store(&mut begun.twisting, first);
            first += L::WIDTH;
        }
    }

    /// The biases of the contacts of a batch. Tells in which lanes, as bits, one rebounds.
    #[inline(always)]
    fn approach<L: Lanes>(&self, seats: &Seats, there: &Whereabouts, begun: &mut Begun, mixing: &mut Mixing) -> u32 {
        let (law, mut paces, mut any_fast, mut first) = (&self.parts.law, ZERO, false, 0);
        while first < WIDE {
            let (gap, round_off) = (L::load(&there.gaps.gap, first), L::load(&there.gaps.round_off, first));
            law.bias_of_slow(gap, round_off).store(&mut begun.bias, first);
            // they meet no faster
            let parting = Vec3s::load(&there.placed.normal, first).dot(Vec3s::load(&there.parting, first));
            let pace = L::load(&there.play, first) - parting;
            pace.store(&mut paces, first);
            any_fast |= L::any(L::above(pace, L::splat(law.restitution_threshold)));
            first += L::WIDTH;
        }
        let mut rebound = 0;
        for (lane, rank) in taken(seats).filter(|_| any_fast) {
            if paces.0[lane] > law.restitution_threshold {
                let materials = self.geometry.sites(rank).map(site::material);
                let restitution = mixing.of(materials.into()).restitution();
                let (bias, rebounds) = law.bias(&self.approach_of(lane, there, restitution));
                begun.bias.0[lane] = bias;
                rebound |= u32::from(rebounds) << lane;
            }
        }
        rebound
    }

    /// Writes what one contact carried, as far as it starts from that, which is answered; and notes what is so of it.
    #[inline(always)]
    fn recall(&self, (rank, source): (usize, usize), rebounds: bool, carried: &mut Wide) -> bool {
        let before = self.memory.before;
        let (noted, known) = (&self.parts.marks[rank], before.marks_of(source));
        let resumes = !(rebounds || known.rebounded());
        let earlier = if self.parts.is_first { Marks::of_first(source == NONE as usize) } else { noted.get() };
        noted.set(earlier.told(rebounds, resumes));
        // what was pushed in a longer substep is not to be undone in a shorter one
        self.parts.pushes[rank].set(self.parts.recall.stretch * before.push_of(source));
        if resumes {
            let Impulse { normal, tangential } = self.parts.recall.impulse(before, source, known);
            carried.0[..4].copy_from_slice(&[normal, tangential.x, tangential.y, tangential.z]);
        }
        resumes
    }

    /// With the stick projection, lets contacts that carried a load touch a little longer.
    fn settle(&self, seats: &Seats, gaps: &mut Gaps) {
        for (lane, rank) in taken(seats) {
            let source = self.memory.origin(rank) as usize;
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
    fn approach_of(&self, lane: usize, there: &Whereabouts, restitution: f64) -> Approach {
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
        let (mut deepest, mut sources) = (ZERO, [[0; WIDE]; 2]);
        told.memory.find(batches.first(), &mut sources[0]);
        for (at, seats) in batches.iter().enumerate() {
            told.geometry.prefetch(batches, at);
            told.memory.find(batches.get(at + 1), &mut sources[(at + 1) % 2]);
            if seats[WIDE - 1] == NOBODY {
                begun = Begun::NONE;
            }
            told.geometry.place::<L>(seats, &mut there);
            told.start::<L>((seats, &sources[at % 2]), &mut there, &mut begun, &mut mixing);
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

    fn may_resist_turning(&self) -> bool {
        self.turns
    }

    fn may_yield_or_convey(&self) -> bool {
        false
    }

    fn bodies(&self, contact: usize) -> [u32; 2] {
        self.geometry.index.joined(contact).rows
    }

    fn is_between_balls(&self, contact: usize) -> bool {
        !self.geometry.index.joined(contact).has_spot
    }

    fn place(&self, batches: &[Seats], note: &mut NotePlaces) {
        self.geometry.place_all(batches, |at, there| note(at, &there.placed));
    }

    fn begin(&self, batches: &[Seats], note: &mut NoteBegun) {
        dispatch(Level::best(), BeginAll { told: self, batches, note });
    }
}

/// The velocity of a row at the start of the substep; of what takes no part it is none.
fn now(motion: &[Motion], row: usize) -> Velocity {
    motion.get(row).map_or(Velocity::ZERO, |motion| Velocity { linear: motion.linear, angular: motion.angular })
}
