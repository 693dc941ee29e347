//! The contacts of a problem, told eight at a time to whoever works on lanes: nobody needs a list of them.

use crate::error::{Result, resize};
use crate::math::Vec3;
use crate::math::lanes::{WIDE, Wide, put, take};
use crate::solver::problem::{Besides, Contact, Impulse, Impulses, Problem};
use crate::tasks::{Tasks, each_pair_of_pieces};

/// The contact in each of eight lanes, or [`NOBODY`]; those that are taken come first.
pub type Seats = [u32; WIDE];

/// No contact.
pub const NOBODY: u32 = u32::MAX;

/// Where eight contacts are, side by side. A lane without a contact is all zero.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Placed {
    /// See [`Contact::normal`].
    pub normal: [Wide; 3],
    /// See [`Contact::arm_a`] and [`Contact::arm_b`].
    pub arms: [[Wide; 3]; 2],
    /// See [`Contact::body_a`] and [`Contact::body_b`].
    pub bodies: [[u32; WIDE]; 2],
}

/// What the law makes of eight contacts, and what they start from. A lane without a contact is all zero.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Begun {
    /// See [`Contact::normal_bias`].
    pub bias: Wide,
    /// See [`Contact::friction`].
    pub friction: Wide,
    /// See [`Impulse`].
    pub normal: Wide,
    /// See [`Impulse`].
    pub tangential: [Wide; 3],
    /// See [`Besides::rolling`]; this and all that follows is told where any contact may have something besides.
    pub rolling: Wide,
    /// See [`Besides::twisting`].
    pub twisting: Wide,
    /// See [`Impulses::torques`].
    pub torque: [Wide; 3],
    /// See [`Besides::surface_velocity`].
    pub surface_velocity: [Wide; 3],
    /// See [`Besides::normal_compliance`] and [`Besides::tangential_compliance`].
    pub compliance: [Wide; 2],
}

/// Told where the contacts of a batch are, which it gets by its number.
pub type NotePlaces<'a> = dyn FnMut(usize, &Placed) + 'a;
/// Told where the contacts of a batch are, and how they begin.
pub type NoteBegun<'a> = dyn FnMut(usize, &Placed, &Begun) + 'a;

/// Contacts, in natural order. What is told of one is the same whenever it is asked for during a solve.
pub trait Contacts: Sync {
    /// How many there are.
    fn count(&self) -> usize;
    /// Whether any of them may resist turning.
    fn may_resist_turning(&self) -> bool;
    /// Whether any of them may yield, or have a surface that moves.
    fn may_yield_or_convey(&self) -> bool;
    /// The bodies of one; see [`Contact::body_a`].
    fn bodies(&self, contact: usize) -> [u32; 2];
    /// Whether one is known to have its arms along its normal, as between two balls, and nobody need ask where it is to tell.
    fn is_between_balls(&self, contact: usize) -> bool;
    /// Tells where those in the lanes of each batch are.
    fn place(&self, batches: &[Seats], note: &mut NotePlaces);
    /// The same, with their law and the impulses that they start from.
    fn begin(&self, batches: &[Seats], note: &mut NoteBegun);
}

/// Those of a problem that has them in a list.
#[derive(Debug, Clone, Copy)]
pub struct Listed<'a> {
    /// Whose they are.
    pub problem: &'a Problem<'a>,
    /// From which they start; from none where nobody asks.
    pub impulses: Option<&'a Impulses>,
}

impl Placed {
    /// No contacts.
    pub const NONE: Self = Self { normal: [ZERO; 3], arms: [[ZERO; 3]; 2], bodies: [[0; WIDE]; 2] };

    /// Says where the contact in a lane is.
    #[inline(always)]
    pub fn put(&mut self, lane: usize, normal: &Vec3, [arm_a, arm_b]: [&Vec3; 2]) {
        put(&mut self.normal, lane, normal);
        put(&mut self.arms[0], lane, arm_a);
        put(&mut self.arms[1], lane, arm_b);
    }

    /// Takes the contact out of a lane.
    pub fn clear(&mut self, lane: usize) {
        let zero = Vec3::zeros();
        self.put(lane, &zero, [&zero; 2]);
        self.bodies.iter_mut().for_each(|bodies| bodies[lane] = 0);
    }

    /// The normal in a lane.
    #[inline(always)]
    pub fn normal(&self, lane: usize) -> Vec3 {
        take(&self.normal, lane)
    }

    /// The arms in a lane.
    #[inline(always)]
    pub fn arms(&self, lane: usize) -> [Vec3; 2] {
        [take(&self.arms[0], lane), take(&self.arms[1], lane)]
    }

    /// The contact in a lane, but for its law.
    pub fn contact(&self, lane: usize) -> Contact {
        let ([body_a, body_b], [arm_a, arm_b]) = (self.bodies.map(|bodies| bodies[lane]), self.arms(lane));
        Contact { body_a, body_b, normal: self.normal(lane), arm_a, arm_b, normal_bias: 0.0, friction: 0.0 }
    }
}

impl Begun {
    /// No contacts.
    pub const NONE: Self = Self {
        bias: ZERO,
        friction: ZERO,
        normal: ZERO,
        tangential: [ZERO; 3],
        rolling: ZERO,
        twisting: ZERO,
        torque: [ZERO; 3],
        surface_velocity: [ZERO; 3],
        compliance: [ZERO; 2],
    };

    /// Says what the contact in a lane has besides.
    fn put_besides(&mut self, lane: usize, besides: &Besides) {
        let Besides { surface_velocity, normal_compliance, tangential_compliance, rolling, twisting } = besides;
        put(&mut self.surface_velocity, lane, surface_velocity);
        (self.compliance[0].0[lane], self.compliance[1].0[lane]) = (*normal_compliance, *tangential_compliance);
        (self.rolling.0[lane], self.twisting.0[lane]) = (*rolling, *twisting);
    }

    /// Whether any of them resists turning.
    pub fn resist_turning(&self) -> bool {
        [&self.rolling, &self.twisting].into_iter().any(|bound| bound.0.iter().any(|most| *most > 0.0))
    }

    /// Whether any of them yields, or has a surface that moves.
    pub fn yield_or_convey(&self) -> bool {
        self.surface_velocity.iter().chain(&self.compliance).any(|wide| *wide != ZERO)
    }

    /// What the contact in a lane has besides.
    pub fn besides(&self, lane: usize) -> Besides {
        Besides {
            surface_velocity: take(&self.surface_velocity, lane),
            normal_compliance: self.compliance[0].0[lane],
            tangential_compliance: self.compliance[1].0[lane],
            rolling: self.rolling.0[lane],
            twisting: self.twisting.0[lane],
        }
    }

    /// Lets the contact in a lane start from an impulse.
    #[inline(always)]
    pub fn start_from(&mut self, lane: usize, impulse: &Impulse) {
        self.normal.0[lane] = impulse.normal;
        put(&mut self.tangential, lane, &impulse.tangential);
    }

    /// The torque from which the contact in a lane starts.
    pub fn torque(&self, lane: usize) -> Vec3 {
        take(&self.torque, lane)
    }

    /// The impulse from which the contact in a lane starts.
    #[inline(always)]
    pub fn impulse(&self, lane: usize) -> Impulse {
        Impulse { normal: self.normal.0[lane], tangential: take(&self.tangential, lane) }
    }

    /// The same from impulses times these factors, along the normals and in the tangent planes.
    pub fn times(&self, factors: [f64; 2]) -> Self {
        let times = |all: Wide, factor: f64| Wide(all.0.map(|along| scaled(along, factor)));
        let across = |all: [Wide; 3]| all.map(|along| times(along, factors[1]));
        let (tangential, torque) = (across(self.tangential), across(self.torque));
        Self { normal: times(self.normal, factors[0]), tangential, torque, ..*self }
    }

    /// The contact in a lane.
    pub fn contact(&self, placed: &Placed, lane: usize) -> Contact {
        Contact { normal_bias: self.bias.0[lane], friction: self.friction.0[lane], ..placed.contact(lane) }
    }
}

impl Contacts for Listed<'_> {
    fn count(&self) -> usize {
        self.problem.contacts.len()
    }

    fn may_resist_turning(&self) -> bool {
        !self.problem.besides.is_empty()
    }

    fn may_yield_or_convey(&self) -> bool {
        !self.problem.besides.is_empty()
    }

    fn bodies(&self, contact: usize) -> [u32; 2] {
        let Contact { body_a, body_b, .. } = self.problem.contacts[contact];
        [body_a, body_b]
    }

    fn is_between_balls(&self, _: usize) -> bool {
        false
    }

    fn place(&self, batches: &[Seats], note: &mut NotePlaces) {
        for (at, seats) in batches.iter().enumerate() {
            let mut placed = Placed::NONE;
            for (lane, contact) in taken(seats) {
                put_contact(&mut placed, lane, &self.problem.contacts[contact]);
            }
            note(at, &placed);
        }
    }

    fn begin(&self, batches: &[Seats], note: &mut NoteBegun) {
        for (at, seats) in batches.iter().enumerate() {
            let (mut placed, mut begun) = (Placed::NONE, Begun::NONE);
            for (lane, index) in taken(seats) {
                let (contact, besides) = self.problem.whole(index);
                put_contact(&mut placed, lane, contact);
                (begun.bias.0[lane], begun.friction.0[lane]) = (contact.normal_bias, contact.friction);
                begun.put_besides(lane, besides);
                if let Some(impulses) = self.impulses {
                    begun.start_from(lane, &impulses.contacts[index]);
                    put(&mut begun.torque, lane, &impulses.torque(index));
                }
            }
            note(at, &placed, &begun);
        }
    }
}

fn put_contact(placed: &mut Placed, lane: usize, contact: &Contact) {
    let Contact { body_a, body_b, normal, arm_a, arm_b, .. } = contact;
    (placed.bodies[0][lane], placed.bodies[1][lane]) = (*body_a, *body_b);
    placed.put(lane, normal, [arm_a, arm_b]);
}

/// Contacts that are listed at a time.
const PIECE: usize = 512;

/// A list of contacts, for methods that read them in any order.
#[derive(Debug, Default)]
pub struct List {
    /// The contacts.
    pub contacts: Vec<Contact>,
    /// What they have besides; none where none has any.
    pub besides: Vec<Besides>,
}

impl List {
    /// The problem with these contacts.
    pub fn of<'a>(&'a self, problem: &Problem<'a>) -> Problem<'a> {
        Problem { contacts: &self.contacts, besides: &self.besides, ..*problem }
    }

    /// Lists contacts, and in `impulses` what they start from.
    pub fn fill(&mut self, contacts: &dyn Contacts, impulses: &mut Impulses, tasks: &dyn Tasks) -> Result<()> {
        let count = contacts.count();
        let Self { contacts: list, besides } = self;
        // what is there already is written over
        list.truncate(count);
        resize(list, count, Placed::NONE.contact(0), "contacts")?;
        impulses.contacts.truncate(count);
        resize(&mut impulses.contacts, count, Impulse::ZERO, "contacts")?;
        each_pair_of_pieces(tasks, PIECE, (list, &mut impulses.contacts), |first, list, impulses| {
            in_order(first..first + list.len(), |first, batches| {
                contacts.begin(batches, &mut |at, placed, begun| {
                    for (lane, _) in taken(&batches[at]) {
                        let at = first + WIDE * at + lane;
                        (list[at], impulses[at]) = (begun.contact(placed, lane), begun.impulse(lane));
                    }
                });
            });
        });
        let turning = if contacts.may_resist_turning() || contacts.may_yield_or_convey() { count } else { 0 };
        besides.truncate(turning);
        resize(besides, turning, Besides::NONE, "contacts")?;
        impulses.torques.truncate(turning);
        resize(&mut impulses.torques, turning, Vec3::zeros(), "contacts")?;
        each_pair_of_pieces(tasks, PIECE, (besides, &mut impulses.torques), |first, all, torques| {
            in_order(first..first + all.len(), |first, batches| {
                contacts.begin(batches, &mut |at, _, begun| {
                    for (lane, _) in taken(&batches[at]) {
                        let at = first + WIDE * at + lane;
                        (all[at], torques[at]) = (begun.besides(lane), begun.torque(lane));
                    }
                });
            });
        });
        if !besides.iter().any(|besides| *besides != Besides::NONE) {
            besides.clear();
        }
        Ok(())
    }
}

/// Batches that are told of at a time.
const BATCHES: usize = 16;

/// Calls `work` with contacts of a range, one after the other in the lanes of some batches, and how many came before them.
pub fn in_order(contacts: std::ops::Range<usize>, mut work: impl FnMut(usize, &[Seats])) {
    seat(contacts.map(|contact| contact as u32), |first, seats| work(first, seats));
}

/// Calls `work` with `contacts` in the lanes of some batches, one after the other, and how many came before them.
pub fn seat(contacts: impl IntoIterator<Item = u32>, mut work: impl FnMut(usize, &[Seats])) {
    let mut contacts = contacts.into_iter();
    let mut first = 0;
    loop {
        let mut seats = [[NOBODY; WIDE]; BATCHES];
        let mut count: usize = 0;
        for (seat, contact) in seats.as_flattened_mut().iter_mut().zip(&mut contacts) {
            *seat = contact;
            count += 1;
        }
        if count > 0 {
            work(first, &seats[..count.div_ceil(WIDE)]);
        }
        if count < WIDE * BATCHES {
            return;
        }
        first += count;
    }
}

/// What those of a batch have of `values`, one for each contact, if it is full and they follow each other.
#[inline(always)]
pub fn in_a_row<'a, T>(seats: &Seats, values: &'a [T]) -> Option<&'a [T; WIDE]> {
    let first = seats[0];
    let values = values.get(first as usize..)?.first_chunk()?;
    let differ = (0..WIDE).fold(0, |differ, lane| differ | (seats[lane] ^ first.wrapping_add(lane as u32)));
    (differ == 0).then_some(values)
}

/// The lanes of a batch that have a contact, each with its index.
#[inline(always)]
pub fn taken(seats: &Seats) -> impl Iterator<Item = (usize, usize)> + '_ {
    seats.iter().enumerate().filter(|(_, contact)| **contact != NOBODY).map(|(lane, contact)| (lane, *contact as usize))
}

/// A remembered number may not be finite: times nothing it is nothing.
fn scaled(value: f64, factor: f64) -> f64 {
    if factor == 0.0 { 0.0 } else { value * factor }
}

const ZERO: Wide = Wide::splat(0.0);
