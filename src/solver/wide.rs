//! Contacts solved eight at a time: the kernels of the sweep, and the lines of the bodies that they work on.
//!
//! A body is one line of the cache, `[v.x v.y v.z  1/m  w.x w.y w.z  1/I]`, gathered and transposed in registers, or its
//! first half where nothing turns; what general contacts need of its mass besides stands in a second line,
//! `[Ixx Iyy Izz Ixy Iyz Ixz  1/m_y 1/m_z]` (inverses), which is never written. What contacts change is added to the
//! lines, so they keep no velocities while they solve. Contacts stand in batches of eight, each number of all eight side
//! by side.
//!
//! A batch may hold contacts with a common moving body as long as it is swept lane by lane: the width is the sweep's
//! choice, and the order of visits with it.

pub(super) mod ahead;
pub(super) mod central;
pub(super) mod general;
pub(super) mod lines;
pub(super) mod measure;
pub(super) mod side;
pub(super) mod turning;

use crate::math::Vec3;
use crate::math::lanes::{KEPT, Kernel, Lanes, Level, Lines, Places, Vec3s, WIDE, Wide};
use crate::solver::contacts::{ContactsX8, OptionalTermsX8};
use crate::solver::problem::{Impulse, Problem};
use crate::solver::wide::lines::Bodies;
use crate::solver::wide::measure::Found;

/// What contacts of one kind are swept on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ground<'a> {
    /// The lines of the bodies.
    pub(super) bodies: Lines<'a>,
    /// What general contacts need of their masses besides.
    pub(super) masses: Lines<'a>,
    /// Factor on the change of every contact.
    pub(super) relaxation: f64,
}

/// What few contacts have besides, by batch.
#[derive(Debug)]
pub(super) struct Extras<'a, E> {
    /// Of the batches that have any.
    pub(super) all: &'a [E],
    /// Which of them each batch has, or one that is not there; none where no batch has any.
    pub(super) places: &'a [u32],
}

impl<'a, E> Extras<'a, E> {
    /// Those of a batch.
    #[inline(always)]
    pub(super) fn of(&self, batch: usize) -> Option<&'a E> {
        self.all.get(*self.places.get(batch)? as usize)
    }

    /// From this batch on.
    pub(super) fn behind(&self, batch: usize) -> Self {
        Self { all: self.all, places: self.places.get(batch..).unwrap_or_default() }
    }
}

/// What contacts are made of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Given<'a> {
    pub(super) problem: &'a Problem<'a>,
    /// The lines of its bodies.
    pub(super) bodies: &'a [Wide],
    /// How wide the kernels run.
    pub(super) level: Level,
}

/// The contacts of a batch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seated<'a> {
    /// How many lanes have one, the first ones.
    pub(super) count: usize,
    /// The lines of their bodies, of which one that no impulse moves has [`KEPT`]; of lanes without a contact the resting one.
    pub(super) pairs: &'a [Places; 2],
    pub(super) contacts: &'a ContactsX8,
    pub(super) optional: &'a OptionalTermsX8,
}

impl Seated<'_> {
    /// The lines of the bodies in a lane.
    #[inline(always)]
    pub(super) fn pair(&self, lane: usize) -> [u32; 2] {
        self.pairs.map(|places| places[lane])
    }
}

/// The contacts of a batch, as they are put into their lanes.
pub(super) struct Write<'a, B: Batch> {
    pub(super) batch: &'a mut B,
    /// Their torques, if any contact may have such.
    pub(super) torques: Option<&'a mut B::Torques>,
    pub(super) given: &'a Given<'a>,
    pub(super) seated: Seated<'a>,
    /// Whether no contact yields or has a surface that moves.
    pub(super) plain: bool,
}

impl<B: Batch> Kernel for Write<'_, B> {
    type Output = u32;

    #[inline(always)]
    fn run<L: Lanes>(self) -> u32 {
        let Self { batch, torques, given, seated, plain } = self;
        if plain {
            batch.write::<L, true>(torques, given, &seated)
        } else {
            batch.write::<L, false>(torques, given, &seated)
        }
    }
}

/// The places of bodies that impulses move; in place of others the resting one, whose line is the last.
#[inline(always)]
pub(super) fn moving(places: &Places, resting: u32) -> Places {
    let mut moving = [resting | KEPT; WIDE];
    for lane in 0..WIDE {
        moving[lane] = if places[lane] & KEPT != 0 { resting | KEPT } else { places[lane] };
    }
    moving
}

/// The lines of body a of a batch, if there is one.
#[inline(always)]
pub(super) fn places_a<B: Batch>(batch: Option<&B>) -> Option<&Places> {
    batch.map(|batch| batch.places()[0])
}

/// What is found among the contacts of a batch: some resist turning, ...
pub(super) const TURNING: u32 = 1;
/// ... some have what most have not, ...
pub(super) const EXTRA: u32 = 2;
/// ... and some are between bodies that do not answer alike in all directions.
pub(super) const UNEVEN: u32 = 4;

/// Eight contacts of one kind.
pub(super) trait Batch: Copy + Send + Sync + std::fmt::Debug {
    /// What few contacts have besides.
    type Extra: Clone + Send + Sync + std::fmt::Debug;
    /// Their rolling and twisting.
    type Torques: Clone + Send + Sync + std::fmt::Debug;
    /// Whether it needs the lines of the masses.
    const READS_MASSES: bool;
    /// Most contacts of a string, see [`Packer`](crate::solver::order::Packer).
    const STRING: usize;
    /// The position pass reads so much of the front of a batch [bytes].
    const PUSHED_BYTES: usize;
    /// Whether it measures contacts that resist turning.
    const MEASURES_TURNING: bool;

    /// No contacts: every lane rests.
    fn empty(resting: u32) -> Self;
    /// Of contacts that have none.
    fn no_extra() -> Self::Extra;
    /// Of contacts that resist no turning.
    fn no_torques() -> Self::Torques;
    /// Puts contacts into their lanes, all that the batch has, with the impulses from which they start, and their torques if any contact
    /// may have such. Returns what is found of them: [`TURNING`], [`EXTRA`], and where it matters [`UNEVEN`].
    /// Where it is `PLAIN` no contact yields or has a surface that moves. Must be `#[inline(always)]`.
    fn write<L: Lanes, const PLAIN: bool>(
        &mut self,
        torques: Option<&mut Self::Torques>,
        given: &Given,
        seated: &Seated,
    ) -> u32;
    /// Puts what few contacts have into a lane.
    fn write_extra(extra: &mut Self::Extra, lane: usize, given: &Given, seated: &Seated);
    /// The lines of bodies a and b.
    fn places(&self) -> [&Places; 2];
    /// Starts a lane from `impulse`.
    fn set(&mut self, lane: usize, impulse: &Impulse);
    /// The normal impulse of a lane, and the friction impulse on b.
    fn force(&self, lane: usize) -> (f64, Vec3);
    /// Asks for what the impulses of its lanes are read from, soon.
    fn ask_for_impulses(&self, torques: Option<&Self::Torques>);
    /// Whether the contact in a lane resists turning.
    fn resists_turning(torques: &Self::Torques, lane: usize) -> bool;
    /// Starts the torques of a lane from `torque`.
    fn set_torque(&self, torques: &mut Self::Torques, lane: usize, torque: &Vec3);
    /// The torque of a lane on b.
    fn torque(&self, torques: &Self::Torques, lane: usize) -> Vec3;

    /// Solves the contacts of some lanes, each alone, and returns the squares of their changes in velocity [m^2/s^2], or
    /// nothing of use where they are not `MEASURED`. Body `a` of each moves where it is; body b is read and written. Must be `#[inline(always)]`.
    fn relax<L: Lanes, const MEASURED: bool>(
        &mut self,
        a: &mut Bodies<L>,
        extra: Option<&Self::Extra>,
        torques: Option<&mut Self::Torques>,
        ground: Ground,
        first: usize,
    ) -> L;

    /// The same, bit for bit, where all bodies answer alike in all directions. Must be `#[inline(always)]`.
    #[inline(always)]
    fn relax_alike<L: Lanes, const MEASURED: bool>(
        &mut self,
        a: &mut Bodies<L>,
        extra: Option<&Self::Extra>,
        torques: Option<&mut Self::Torques>,
        ground: Ground,
        first: usize,
    ) -> L {
        self.relax::<L, MEASURED>(a, extra, torques, ground, first)
    }

    /// Adds to the velocities what the present impulses change; `a` as in [`Batch::relax`]. Must be `#[inline(always)]`.
    fn apply<L: Lanes>(&self, a: &mut Bodies<L>, torques: Option<&Self::Torques>, ground: Ground, first: usize);

    /// The impulses on bodies b, and the moments on a and b of the impulses on each, about the centres of mass, with the torques. Of a
    /// central contact the moment on a body that no impulse moves is not told. Must be `#[inline(always)]`.
    fn on_bodies<L: Lanes>(&self, torques: Option<&Self::Torques>, first: usize) -> [Vec3s<L>; 3];

    /// `u`, the velocity of b relative to a. Must be `#[inline(always)]`.
    fn relative<L: Lanes>(&self, bodies: [&Bodies<L>; 2], extra: Option<&Self::Extra>, first: usize) -> Vec3s<L>;

    /// How fast the bodies part, and how far that is from the laws of contact; without torques unless it
    /// [measures them](Self::MEASURES_TURNING). Must be `#[inline(always)]`.
    fn measure<L: Lanes>(
        &self,
        a: &Bodies<L>,
        besides: (Option<&Self::Extra>, Option<&Self::Torques>),
        ground: Ground,
        first: usize,
    ) -> Found<L>;

    /// Brings the displacements along the normals up to `targets`, with the non-negative `multipliers`. Returns how far
    /// they moved [m]. Must be `#[inline(always)]`.
    fn push<L: Lanes>(&self, ground: Ground, targets: &Wide, multipliers: &mut Wide, first: usize) -> L;

    /// The same, bit for bit, where all bodies answer alike in all directions. Must be `#[inline(always)]`.
    #[inline(always)]
    fn push_alike<L: Lanes>(&self, ground: Ground, targets: &Wide, multipliers: &mut Wide, first: usize) -> L {
        self.push::<L>(ground, targets, multipliers, first)
    }

    /// Adds to the displacements what the present `multipliers` make of them. Must be `#[inline(always)]`.
    fn shift<L: Lanes>(&self, ground: Ground, multipliers: &Wide, first: usize);
}
