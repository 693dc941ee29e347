//! The contacts of a problem as the solver reads them: eight side by side, in the order of its lanes.

use crate::error::{Result, resize};
use crate::math::lanes::{WIDE, Wide, put, take};
use crate::math::{BodyRow, ContactId, LaneSlot, PointX8, Vec3};
use crate::solver::problem::{Contact, ContactPair, Impulse, Impulses, OptionalTerms, Problem};
use crate::tasks::{Tasks, each_pair_of_pieces, each_piece};

/// The number of the contact in each of eight lanes, or [`ContactId::NONE`]. Occupied lanes come first.
pub type LaneContacts = [ContactId; WIDE];

/// Returns the `values` of the contacts of a batch if the batch is full and its contacts follow each other.
#[inline(always)]
pub fn consecutive<'a, T>(lanes: &LaneContacts, values: &'a [T]) -> Option<&'a [T; WIDE]> {
    let first = lanes[0];
    let values = values.get(first.index()..)?.first_chunk()?;
    let differ = (0..WIDE).fold(0, |differ, lane| differ | (lanes[lane].0 ^ first.0.wrapping_add(lane as u32)));
    (differ == 0).then_some(values)
}

/// Iterates over the occupied lanes of a batch, each with the number of its contact.
#[inline(always)]
pub fn occupied(lanes: &LaneContacts) -> impl Iterator<Item = (usize, ContactId)> + '_ {
    let is_occupied = |(_, contact): &(usize, &ContactId)| **contact != ContactId::NONE;
    lanes.iter().enumerate().filter(is_occupied).map(|(lane, contact)| (lane, *contact))
}

/// Eight contacts: their arms and their law. A lane without a contact is all zero.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C)]
pub struct ContactsX8 {
    /// See [`Contact::arm_a`] and [`Contact::arm_b`].
    pub arms: [[Wide; 3]; 2],
    /// See [`Contact::normal_bias`].
    pub bias: Wide,
    /// See [`Contact::friction`].
    pub friction: Wide,
}

/// The impulses from which eight contacts start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StartX8 {
    /// See [`Impulse::normal`].
    pub normal: Wide,
    /// See [`Impulse::tangential`].
    pub tangential: [Wide; 3],
}

/// The terms of eight contacts that few contacts have. A lane without a contact is all zero.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C)]
pub struct OptionalTermsX8 {
    /// See [`OptionalTerms::rolling`].
    pub rolling: Wide,
    /// See [`OptionalTerms::twisting`].
    pub twisting: Wide,
    /// The torque from which a solve starts; see [`Impulses::torques`].
    pub torque: [Wide; 3],
    /// See [`OptionalTerms::surface_velocity`].
    pub surface_velocity: [Wide; 3],
    /// See [`OptionalTerms::normal_compliance`], [`OptionalTerms::tangential_compliance`] and [`OptionalTerms::turning_compliance`].
    pub compliance: [Wide; 3],
}

/// The contacts of a problem in the order of the solver's lanes, one element for each batch of eight.
#[derive(Debug, Default)]
pub struct ContactBuffer {
    /// The normals of all contacts. The gaps are the host's: the solver does not read them.
    pub points: Vec<PointX8>,
    /// The other terms of all contacts.
    pub contacts: Vec<ContactsX8>,
    /// The impulse of each lane: first that from which the contact starts, then, written by
    /// [`Solver::read_lanes`](crate::solver::Solver::read_lanes), the answer.
    pub impulses: Vec<Impulse>,
    /// Their optional terms; empty where no contact can have any.
    pub optional: Vec<OptionalTermsX8>,
    /// Whether no contact has a compliance or a surface velocity.
    pub is_rigid: bool,
}

const ZERO: Wide = Wide::splat(0.0);

impl ContactsX8 {
    /// No contacts.
    pub const NONE: Self = Self { arms: [[ZERO; 3]; 2], bias: ZERO, friction: ZERO };

    /// Writes all of a contact but its normal.
    fn put(&mut self, lane: usize, contact: &Contact) {
        let Contact { arm_a, arm_b, normal_bias, friction, .. } = contact;
        self.put_arms(lane, [arm_a, arm_b]);
        (self.bias.0[lane], self.friction.0[lane]) = (*normal_bias, *friction);
    }

    /// Writes the arms of the contact in a lane.
    #[inline(always)]
    pub fn put_arms(&mut self, lane: usize, [arm_a, arm_b]: [&Vec3; 2]) {
        put(&mut self.arms[0], lane, arm_a);
        put(&mut self.arms[1], lane, arm_b);
    }

    /// Returns the arms in a lane.
    #[inline(always)]
    pub fn arms(&self, lane: usize) -> [Vec3; 2] {
        [take(&self.arms[0], lane), take(&self.arms[1], lane)]
    }
}

impl StartX8 {
    /// Nothing.
    pub const ZERO: Self = Self { normal: ZERO, tangential: [ZERO; 3] };

    /// Returns the impulses of eight lanes.
    #[inline(always)]
    pub fn new(impulses: &[Impulse; WIDE]) -> Self {
        let of = |part: fn(&Impulse) -> f64| Wide(std::array::from_fn(|lane| part(&impulses[lane])));
        let tangential = [
            of(|impulse| impulse.tangential.x),
            of(|impulse| impulse.tangential.y),
            of(|impulse| impulse.tangential.z),
        ];
        Self { normal: of(|impulse| impulse.normal), tangential }
    }

    /// Returns the impulse of a lane.
    #[inline(always)]
    pub fn impulse(&self, lane: usize) -> Impulse {
        Impulse { normal: self.normal.0[lane], tangential: take(&self.tangential, lane) }
    }

    /// Writes the impulses of eight lanes.
    #[inline(always)]
    pub fn write(&self, impulses: &mut [Impulse; WIDE]) {
        for (lane, impulse) in impulses.iter_mut().enumerate() {
            impulse.normal = self.normal.0[lane];
            impulse.tangential.x = self.tangential[0].0[lane];
            impulse.tangential.y = self.tangential[1].0[lane];
            impulse.tangential.z = self.tangential[2].0[lane];
        }
    }

    /// Returns the impulses times `factors`: along the normals, and in the tangent planes.
    pub fn scaled(&self, factors: [f64; 2]) -> Self {
        Self {
            normal: times(self.normal, factors[0]),
            tangential: self.tangential.map(|along| times(along, factors[1])),
        }
    }
}

impl OptionalTermsX8 {
    /// No contact has any.
    pub const NONE: Self =
        Self { rolling: ZERO, twisting: ZERO, torque: [ZERO; 3], surface_velocity: [ZERO; 3], compliance: [ZERO; 3] };

    fn put(&mut self, lane: usize, optional: &OptionalTerms) {
        let OptionalTerms {
            surface_velocity,
            normal_compliance,
            tangential_compliance,
            turning_compliance,
            rolling,
            twisting,
        } = optional;
        put(&mut self.surface_velocity, lane, surface_velocity);
        let compliance = [normal_compliance, tangential_compliance, turning_compliance];
        self.compliance.iter_mut().zip(compliance).for_each(|(wide, own)| wide.0[lane] = *own);
        (self.rolling.0[lane], self.twisting.0[lane]) = (*rolling, *twisting);
    }

    /// Returns whether any of the contacts resists turning.
    pub fn resist_turning(&self) -> bool {
        [&self.rolling, &self.twisting].into_iter().any(|bound| bound.0.iter().any(|value| *value > 0.0))
    }

    /// Returns whether any of the contacts has a compliance or a surface velocity.
    pub fn have_compliance_or_surface_velocity(&self) -> bool {
        self.surface_velocity.iter().chain(&self.compliance).any(|wide| *wide != ZERO)
    }

    /// Returns the terms of the contact in a lane.
    pub fn optional_terms(&self, lane: usize) -> OptionalTerms {
        OptionalTerms {
            surface_velocity: take(&self.surface_velocity, lane),
            normal_compliance: self.compliance[0].0[lane],
            tangential_compliance: self.compliance[1].0[lane],
            turning_compliance: self.compliance[2].0[lane],
            rolling: self.rolling.0[lane],
            twisting: self.twisting.0[lane],
        }
    }

    /// Returns the torque from which the contact in a lane starts.
    pub fn torque(&self, lane: usize) -> Vec3 {
        take(&self.torque, lane)
    }

    /// Returns the same terms with the torques times a factor.
    pub fn scaled(&self, factor: f64) -> Self {
        Self { torque: self.torque.map(|along| times(along, factor)), ..*self }
    }
}

/// A remembered number may not be finite: times nothing it is nothing.
fn times(all: Wide, factor: f64) -> Wide {
    Wide(all.0.map(|value| if factor == 0.0 { 0.0 } else { value * factor }))
}

/// Batches that are written at a time.
const PIECE: usize = 64;

impl ContactBuffer {
    /// Reserves memory for this many batches, with optional terms or without. What is there already is to be written over.
    pub fn begin(&mut self, batches: usize, has_optional: bool) -> Result<()> {
        let Self { points, contacts, impulses, optional, .. } = self;
        resize(points, batches, PointX8::NONE, "contacts")?;
        resize(contacts, batches, ContactsX8::NONE, "contacts")?;
        resize(impulses, WIDE * batches, Impulse::ZERO, "contacts")?;
        let batches = if has_optional { batches } else { 0 };
        resize(optional, batches, OptionalTermsX8::NONE, "contacts")
    }

    /// Writes the contacts of a problem that lists them, in the order of these `lanes`.
    pub fn fill(&mut self, problem: &Problem, lanes: &[LaneContacts], tasks: &dyn Tasks) -> Result<()> {
        self.begin(lanes.len(), !problem.optional.is_empty())?;
        self.is_rigid = problem.optional.is_empty();
        self.impulses.fill(Impulse::ZERO);
        let slices = (&mut self.points[..], &mut self.contacts[..]);
        each_pair_of_pieces(tasks, PIECE, slices, |first, points, contacts| {
            for ((point, batch), lanes) in points.iter_mut().zip(contacts).zip(&lanes[first..]) {
                (*point, *batch) = (PointX8::NONE, ContactsX8::NONE);
                for (lane, contact) in occupied(lanes) {
                    let contact = &problem.contacts[contact];
                    point.set_normal(lane, &contact.normal);
                    batch.put(lane, contact);
                }
            }
        });
        each_piece(tasks, PIECE, &mut self.optional, |first, optional| {
            for (batch, lanes) in optional.iter_mut().zip(&lanes[first..]) {
                *batch = OptionalTermsX8::NONE;
                occupied(lanes).for_each(|(lane, contact)| batch.put(lane, problem.optional_terms(contact)));
            }
        });
        Ok(())
    }

    /// Returns the velocity of b relative to a at which the contact in a lane sticks, where it does not yield [m/s].
    pub fn stick_velocity(&self, lane: LaneSlot) -> Vec3 {
        self.optional.get(lane.batch()).map_or(Vec3::zeros(), |terms| take(&terms.surface_velocity, lane.lane()))
    }

    /// Sets the impulses from which the contacts in these `lanes` start, which are those of their numbers.
    pub fn start_from(&mut self, lanes: &[LaneContacts], impulses: &Impulses) {
        for (own, lanes) in self.impulses.chunks_exact_mut(WIDE).zip(lanes) {
            occupied(lanes).for_each(|(lane, contact)| own[lane] = impulses.contacts[contact]);
        }
        for (batch, lanes) in self.optional.iter_mut().zip(lanes) {
            occupied(lanes).for_each(|(lane, contact)| put(&mut batch.torque, lane, &impulses.torque(contact)));
        }
    }

    /// Returns the contact in a lane, counted over all batches, which joins `bodies`.
    pub fn contact(&self, slot: LaneSlot, [body_a, body_b]: [BodyRow; 2]) -> Contact {
        let (batch, lane) = (slot.batch(), slot.lane());
        let contacts = &self.contacts[batch];
        let (normal, [arm_a, arm_b]) = (self.points[batch].normal(lane), contacts.arms(lane));
        let (normal_bias, friction) = (contacts.bias.0[lane], contacts.friction.0[lane]);
        Contact { body_a, body_b, normal, arm_a, arm_b, normal_bias, friction }
    }

    /// Returns the optional terms of the contact in a lane, counted over all batches.
    pub fn optional_terms(&self, slot: LaneSlot) -> OptionalTerms {
        self.optional.get(slot.batch()).map_or(OptionalTerms::NONE, |optional| optional.optional_terms(slot.lane()))
    }
}

/// A list of contacts, for methods that read them by number.
#[derive(Debug, Default)]
pub struct List {
    /// The contacts.
    pub contacts: Vec<Contact>,
    /// Their optional terms; empty where no contact has any.
    pub optional: Vec<OptionalTerms>,
}

/// Contacts that are listed at a time.
const CONTACTS_PER_PIECE: usize = 512;

impl List {
    /// Returns the problem with these contacts.
    pub fn of<'a>(&'a self, problem: &Problem<'a>) -> Problem<'a> {
        Problem { contacts: &self.contacts, optional: &self.optional, ..*problem }
    }

    /// Lists the contacts of a buffer by their numbers, and in `impulses` those from which they start. `pairs` has the bodies of each,
    /// `lane_of` its lane.
    pub fn fill(
        &mut self,
        buffer: &ContactBuffer,
        pairs: &[ContactPair],
        lane_of: &[LaneSlot],
        impulses: &mut Impulses,
        tasks: &dyn Tasks,
    ) -> Result<()> {
        let count = pairs.len();
        let Self { contacts: list, optional } = self;
        resize(list, count, Contact::NONE, "contacts")?;
        resize(&mut impulses.contacts, count, Impulse::ZERO, "contacts")?;
        let slices = (&mut list[..], &mut impulses.contacts[..]);
        each_pair_of_pieces(tasks, CONTACTS_PER_PIECE, slices, |first, list, impulses| {
            for (contact, (own, impulse)) in (first..).zip(list.iter_mut().zip(impulses)) {
                let lane = lane_of[contact];
                *own = buffer.contact(lane, pairs[contact].bodies);
                *impulse = buffer.impulses[lane.index()];
            }
        });
        let turning = if buffer.optional.is_empty() { 0 } else { count };
        resize(optional, turning, OptionalTerms::NONE, "contacts")?;
        resize(&mut impulses.torques, turning, Vec3::zeros(), "contacts")?;
        let slices = (&mut optional[..], &mut impulses.torques[..]);
        each_pair_of_pieces(tasks, CONTACTS_PER_PIECE, slices, |first, all, torques| {
            for (contact, (own, torque)) in (first..).zip(all.iter_mut().zip(torques)) {
                let lane = lane_of[contact];
                let batch = &buffer.optional[lane.batch()];
                (*own, *torque) = (batch.optional_terms(lane.lane()), batch.torque(lane.lane()));
            }
        });
        if !optional.iter().any(|optional| *optional != OptionalTerms::NONE) {
            optional.clear();
        }
        Ok(())
    }
}

/// Writes the pairs of the contacts of a problem that lists them.
pub fn list_pairs(problem: &Problem, pairs: &mut Vec<ContactPair>, tasks: &dyn Tasks) -> Result<()> {
    let count = problem.contacts.len();
    resize(pairs, count, ContactPair { bodies: [BodyRow(0); 2], is_along_normal: [true; 2] }, "contacts")?;
    each_piece(tasks, CONTACTS_PER_PIECE, pairs, |first, pairs| {
        for (pair, contact) in pairs.iter_mut().zip(&problem.contacts[first..]) {
            *pair = contact.pair();
        }
    });
    Ok(())
}
