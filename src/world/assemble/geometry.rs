//! Where bodies touch, eight contacts at a time: what is kept of a contact, and of two balls what follows from where they are.

use crate::contact::material::Materials;
use crate::contact::{Found, Mixing, Spot, Surface, Touches};
use crate::law::rigid::round_off_gap;
use crate::math::Vec3;
use crate::math::lanes::distances::{FEW_BODIES, GEOMETRY_AHEAD};
use crate::math::lanes::{Kernel, Lanes, Level, Lines, Vec3s, WIDE, Wide, dispatch, prefetch_one_of, put};
use crate::shape::effective_radius;
use crate::solver::contacts::{NOBODY, Seats, taken};
use crate::solver::{Besides, Contact, Placed};
use crate::world::assemble::site::{self, Sites};
use crate::world::index::Index;
use crate::world::settings::Settings;
use crate::world::sight::is_hertz;

/// What so many bodies have is in the second cache of most machines, and not asked for.
pub(super) const FEW: usize = FEW_BODIES;

/// From what it follows where contacts are.
#[derive(Clone, Copy)]
pub(in crate::world) struct Geometry<'a> {
    pub(super) touches: &'a Touches,
    pub(super) index: &'a Index,
    /// Of each row; see [`site`].
    pub(super) sites: &'a [Wide],
    pub(super) materials: &'a Materials,
    /// Whether contacts are as stiff as Hertz says.
    pub(super) hertz: bool,
    /// Contacts are at most so far apart [m].
    pub(super) margin: f64,
    /// Of each contact of the solver at the start of the substep; none in the first one, where it follows from the rest [m].
    pub(super) gaps: &'a [f64],
}

/// Where the contacts of a batch are.
pub(in crate::world) struct Whereabouts {
    pub(in crate::world) placed: Placed,
    pub(super) gaps: Gaps,
    /// How the centres of b move relative to those of a at the start of the substep [m/s].
    pub(super) parting: [Wide; 3],
    /// The points where they touch part or meet at most so much faster; those of balls do not [m/s].
    pub(super) play: Wide,
    /// See [`Sites::surface`].
    pub(super) surfaces: [Wide; 2],
    /// Their effective radii [m].
    pub(super) radius: Wide,
}

/// How far the bodies of the contacts of a batch are apart.
pub(super) struct Gaps {
    /// [m]
    pub(super) gap: Wide,
    /// Up to which gap they touch [m].
    pub(super) round_off: Wide,
}

const ZERO: Wide = Wide::splat(0.0);

impl Whereabouts {
    /// Of no contacts.
    pub(super) const NOWHERE: Self = Self {
        placed: Placed::NONE,
        gaps: Gaps::NONE,
        parting: [ZERO; 3],
        play: ZERO,
        surfaces: [ZERO; 2],
        radius: ZERO,
    };

    /// The gap of the contact in a lane [m].
    pub(in crate::world) fn gap(&self, lane: usize) -> f64 {
        self.gaps.gap.0[lane]
    }

    /// Where no contact is, after the lanes that are taken.
    fn clear(&mut self, seats: &Seats) {
        for lane in (0..WIDE).filter(|lane| seats[*lane] == NOBODY) {
            self.placed.clear(lane);
            (self.gaps.gap.0[lane], self.gaps.round_off.0[lane], self.radius.0[lane]) = (0.0, 0.0, 0.0);
            put(&mut self.parting, lane, &Vec3::zeros());
        }
    }
}

impl Gaps {
    /// Of no contacts.
    pub(super) const NONE: Self = Self { gap: ZERO, round_off: ZERO };
}

/// Tells where the contacts in the lanes of each batch are.
struct PlaceAll<'a, N> {
    geometry: &'a Geometry<'a>,
    batches: &'a [Seats],
    note: N,
}

impl<N: FnMut(usize, &Whereabouts)> Kernel for PlaceAll<'_, N> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { geometry, batches, mut note } = self;
        let mut there = Whereabouts::NOWHERE;
        for (at, seats) in batches.iter().enumerate() {
            geometry.prefetch(batches, at);
            geometry.place::<L>(seats, &mut there);
            note(at, &there);
        }
    }
}

impl<'a> Geometry<'a> {
    /// Of these contacts and the sites of what they join, with the gaps of all but a first substep.
    pub(in crate::world) fn new(
        (touches, index): (&'a Touches, &'a Index),
        (sites, gaps): (&'a [Wide], &'a [f64]),
        materials: &'a Materials,
        settings: &Settings,
    ) -> Self {
        Self { touches, index, sites, materials, hertz: is_hertz(settings), margin: settings.contact_margin, gaps }
    }

    /// Who mixes the materials of the contacts.
    pub(super) fn mixing(&self) -> Mixing<'a> {
        Mixing::new(self.materials, self.hertz)
    }

    /// The sites of a contact of the solver.
    #[inline(always)]
    pub(super) fn sites(&self, rank: usize) -> [&'a Wide; 2] {
        self.index.joined(rank).rows.map(|row| &self.sites[row as usize])
    }

    /// The spot of a contact of the solver, if it has one.
    #[inline]
    fn spot(&self, rank: usize) -> Option<&'a Spot> {
        let found = self.touches.found.get(self.index.contacts()[rank] as usize)?;
        self.touches.spot(found)
    }

    /// What the two surfaces of a contact of the solver are together.
    #[inline(always)]
    fn surface(&self, rank: usize, mixing: &mut Mixing) -> Surface {
        let [a, b] = self.sites(rank);
        let of_balls = || effective_radius(site::radius(a), site::radius(b));
        let radius = || self.spot(rank).map_or_else(of_balls, |spot| spot.radius);
        mixing.of((site::material(a), site::material(b))).surface(radius)
    }

    /// What the two surfaces of a contact of the solver have besides.
    #[inline(always)]
    pub(super) fn besides(&self, rank: usize, mixing: &mut Mixing) -> Besides {
        let Surface { rolling, twisting, .. } = self.surface(rank, mixing);
        Besides { rolling, twisting, ..Besides::NONE }
    }

    /// A contact of the solver, but for its law, with what it has besides.
    pub(super) fn whole(&self, rank: usize, mixing: &mut Mixing) -> (Contact, Besides) {
        let (mut there, mut seats) = (Whereabouts::NOWHERE, [NOBODY; WIDE]);
        seats[0] = rank as u32;
        self.place::<f64>(&seats, &mut there);
        (there.placed.contact(0), self.besides(rank, mixing))
    }

    /// Tells where the contacts in the lanes of each batch are.
    pub(in crate::world) fn place_all(&self, batches: &[Seats], note: impl FnMut(usize, &Whereabouts)) {
        dispatch(Level::best(), PlaceAll { geometry: self, batches, note });
    }

    /// Where the contacts in the lanes of a batch are.
    #[inline(always)]
    pub(super) fn place<L: Lanes>(&self, seats: &Seats, there: &mut Whereabouts) {
        let Whereabouts { placed, gaps, parting, play, surfaces, radius } = &mut *there;
        *play = ZERO;
        let spots = self.index.find(seats, &mut placed.bodies);
        let sites = Lines::read_only(self.sites);
        let mut first = 0;
        while first < WIDE {
            let (a, b) =
                (Sites::<L>::gather(sites, &placed.bodies[0], first), Sites::gather(sites, &placed.bodies[1], first));
            let between = Between::new(&a, &b, self.margin);
            between.normal.store(&mut placed.normal, first);
            let half = L::splat(0.5) * between.gap;
            (between.normal * (a.radius + half)).store(&mut placed.arms[0], first);
            (between.normal * -(b.radius + half)).store(&mut placed.arms[1], first);
            between.store(gaps, first);
            (b.velocity - a.velocity).store(parting, first);
            a.surface.store(&mut surfaces[0], first);
            b.surface.store(&mut surfaces[1], first);
            effective_radius(a.radius, b.radius).store(radius, first);
            first += L::WIDTH;
        }
        self.place_spots((seats, spots), |lane, spot| {
            placed.put(lane, &spot.normal, [&spot.arm_a, &spot.arm_b]);
            (gaps.gap.0[lane], radius.0[lane]) = (spot.gap, spot.radius);
            let [a, b] = placed.bodies.map(|rows| site::play(&self.sites[rows[lane] as usize]));
            play.0[lane] = a + b;
        });
        self.follow(seats, gaps);
        if seats[WIDE - 1] == NOBODY {
            there.clear(seats);
        }
    }

    /// How far the bodies of the contacts in the lanes of a batch are apart.
    #[inline(always)]
    pub(super) fn gaps<L: Lanes>(&self, seats: &Seats, gaps: &mut Gaps) {
        let (mut rows, sites) = ([[0; WIDE]; 2], Lines::read_only(self.sites));
        let spots = self.index.find(seats, &mut rows);
        let mut first = 0;
        while first < WIDE {
            let (a, b) = (Sites::<L>::gather(sites, &rows[0], first), Sites::gather(sites, &rows[1], first));
            Between::new(&a, &b, self.margin).store(gaps, first);
            first += L::WIDTH;
        }
        self.place_spots((seats, spots), |lane, spot| gaps.gap.0[lane] = spot.gap);
        self.follow(seats, gaps);
    }

    /// Calls `place` with the spots in some lanes of a batch.
    #[inline(always)]
    fn place_spots(&self, (seats, lanes): (&Seats, u32), mut place: impl FnMut(usize, &Spot)) {
        each_bit(lanes, |lane| {
            if let Some(spot) = seats.get(lane).and_then(|rank| self.spot(*rank as usize)) {
                place(lane, spot);
            }
        });
    }

    /// Puts the gaps of a later substep in place of those of the first.
    #[inline(always)]
    fn follow(&self, seats: &Seats, gaps: &mut Gaps) {
        if !self.gaps.is_empty() {
            taken(seats).for_each(|(lane, rank)| gaps.gap.0[lane] = self.gaps[rank]);
        }
    }

    /// Prefetches what the contacts of batches behind this one are computed from.
    #[inline(always)]
    pub(super) fn prefetch(&self, batches: &[Seats], at: usize) {
        if self.sites.len() <= FEW {
            return;
        }
        let found = &self.touches.found;
        let place_of = |rank: u32| self.index.contacts().get(rank as usize).map_or(usize::MAX, |place| *place as usize);
        let mut rows = [[0; WIDE]; 2];
        if let Some(later) = batches.get(at + GEOMETRY_AHEAD) {
            let spots = self.index.find(later, &mut rows);
            rows.as_flattened().iter().for_each(|row| prefetch_one_of(self.sites, *row as usize));
            each_bit(spots, |lane| prefetch_one_of(found, place_of(later[lane])));
        }
        if let Some(soon) = batches.get(at + 1) {
            each_bit(self.index.find(soon, &mut rows), |lane| {
                if let Some(spot) = found.get(place_of(soon[lane])).and_then(Found::spot) {
                    prefetch_one_of(&self.touches.spots, spot);
                }
            });
        }
    }
}

/// Calls `work` with the number of each bit that is set, of those of eight lanes.
#[inline(always)]
pub(super) fn each_bit(mut bits: u32, mut work: impl FnMut(usize)) {
    while bits != 0 {
        work(bits.trailing_zeros() as usize % WIDE);
        bits &= bits - 1;
    }
}

/// Balls in pairs, see [`near_spheres`](crate::collide::narrow::near_spheres): to the bit the same.
struct Between<L> {
    normal: Vec3s<L>,
    gap: L,
    reach: L,
}

impl<L: Lanes> Between<L> {
    #[inline(always)]
    fn new(a: &Sites<L>, b: &Sites<L>, margin: f64) -> Self {
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let arm = b.center - a.center;
        let distance = arm.dot(arm).root();
        let apart = L::above(distance, zero);
        let normal = Vec3s::new(
            L::pick(apart, arm.x / distance, zero),
            L::pick(apart, arm.y / distance, zero),
            L::pick(apart, arm.z / distance, one),
        );
        let gap = (distance - (a.radius + b.radius)).smaller(L::splat(margin));
        Self { normal, gap, reach: a.reach() + b.reach() }
    }

    #[inline(always)]
    fn store(&self, gaps: &mut Gaps, first: usize) {
        self.gap.store(&mut gaps.gap, first);
        (L::splat(round_off_gap(1.0)) * self.reach).store(&mut gaps.round_off, first);
    }
}
