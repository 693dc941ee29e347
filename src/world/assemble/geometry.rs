//! Where bodies touch, written as rows: what is kept of a contact, and of two balls what follows from where they are.

use crate::contact::material::Materials;
use crate::contact::{Mixing, Spot, Surface, Touches};
use crate::law::rigid::round_off_gap;
use crate::math::lanes::prefetch_one_of;
use crate::shape::effective_radius;
use crate::solver::Contact;
use crate::world::assemble::site::Site;
use crate::world::assemble::terms::Terms;
use crate::world::index::Index;
use crate::world::sight::between;

/// So many contacts ahead what is kept of them is asked for, and half as many ahead their spots.
const AHEAD: usize = 8;

/// What the rows of contacts follow from.
#[derive(Clone, Copy)]
pub(super) struct Geometry<'a> {
    pub(super) touches: &'a Touches,
    pub(super) index: &'a Index,
    pub(super) sites: &'a [Site],
    pub(super) materials: &'a Materials,
    /// Whether contacts are as stiff as Hertz says.
    pub(super) hertz: bool,
    /// Contacts are at most so far apart [m].
    pub(super) margin: f64,
}

/// What is told of contacts while their rows are written.
#[derive(Clone, Copy, Default)]
pub(super) struct Written {
    /// The deepest overlap [m].
    pub(super) deepest: f64,
    /// Whether any of them resists turning.
    pub(super) turns: bool,
}

impl Written {
    /// Of these contacts and others.
    pub(super) fn and(self, others: Self) -> Self {
        Self { deepest: f64::max(self.deepest, others.deepest), turns: self.turns | others.turns }
    }
}

impl<'a> Geometry<'a> {
    /// Who mixes the materials of the contacts.
    pub(super) fn mixing(&self) -> Mixing<'a> {
        Mixing::new(self.materials, self.hertz)
    }

    /// The sites of a contact of the solver.
    #[inline(always)]
    pub(super) fn sites(&self, rank: usize) -> [&'a Site; 2] {
        self.index.joined(rank).rows.map(|row| &self.sites[row as usize])
    }

    /// The spot of a contact of the solver, if it has one.
    #[inline(always)]
    fn spot(&self, rank: usize) -> Option<&'a Spot> {
        let found = self.touches.found.get(self.index.contacts()[rank] as usize)?;
        self.touches.spot(found)
    }

    /// What the two surfaces of a contact of the solver are together.
    #[inline(always)]
    pub(super) fn surface(&self, rank: usize, mixing: &mut Mixing) -> Surface {
        self.surface_at(self.spot(rank), self.sites(rank), mixing)
    }

    #[inline(always)]
    fn surface_at(&self, spot: Option<&Spot>, [a, b]: [&Site; 2], mixing: &mut Mixing) -> Surface {
        let radius = || spot.map_or_else(|| effective_radius(a.ball.radius, b.ball.radius), |spot| spot.radius);
        mixing.of((a.material, b.material)).surface(radius)
    }

    /// Writes the rows of the contacts of the solver from `first` on but for their bias, and the terms that follow from where they
    /// are.
    pub(super) fn write(
        &self,
        first: usize,
        (rows, terms): (&mut [Contact], &mut [Terms]),
        mixing: &mut Mixing,
    ) -> Written {
        let mut written = Written::default();
        for (rank, (contact, term)) in (first..).zip(rows.iter_mut().zip(terms)) {
            self.ask_ahead(rank);
            let (joined, spot) = (self.index.joined(rank), self.spot(rank));
            let [a, b] = self.sites(rank);
            [contact.body_a, contact.body_b] = joined.rows;
            term.gap = write_place(contact, (spot, [a, b]), self.margin);
            term.round_off = round_off_gap(a.reach + b.reach);
            term.rocks = joined.rocks;
            let surface = self.surface_at(spot, [a, b], mixing);
            contact.friction = surface.friction;
            written.turns |= surface.resists_turning();
            written.deepest = f64::max(written.deepest, -term.gap);
        }
        written
    }

    /// Asks for what is kept of contacts that come soon.
    #[inline(always)]
    fn ask_ahead(&self, rank: usize) {
        let (order, found) = (self.index.contacts(), &self.touches.found);
        if let Some(soon) = order.get(rank + AHEAD) {
            prefetch_one_of(found, *soon as usize);
        }
        let sooner = order.get(rank + AHEAD / 2).and_then(|soon| found.get(*soon as usize)?.spot());
        if let Some(spot) = sooner {
            prefetch_one_of(&self.touches.spots, spot);
        }
    }
}

/// Writes where a contact is; returns the gap. Field by field: a copy of the whole would wait for what was written just before.
#[inline(always)]
fn write_place(contact: &mut Contact, (spot, [a, b]): (Option<&Spot>, [&Site; 2]), margin: f64) -> f64 {
    let mut take = |spot: &Spot| {
        (contact.normal, contact.arm_a, contact.arm_b) = (spot.normal, spot.arm_a, spot.arm_b);
        spot.gap
    };
    match spot {
        Some(spot) => take(spot),
        None => take(&between(&a.ball, &b.ball, margin)),
    }
}
