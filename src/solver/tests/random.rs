//! Random numbers and problems for the tests of this room: the same in every run.

use crate::math::lanes::{LineIndex, Places, WIDE, Wide, dispatch};
use crate::math::{BodyRow, ContactId, LaneSlot, Mat3, Quat, Symmetric3, Vec3};
use crate::solver::gauss_seidel::rows::Rows;
use crate::solver::gauss_seidel::rows::batches::Source;
use crate::solver::gauss_seidel::rows::kernels::Write;
use crate::solver::gauss_seidel::wide::{BatchInput, ContactBatch, PrepareContext, lines};
use crate::solver::problem::contacts::{
    ContactBuffer, ContactsX8, LaneContacts, OptionalTermsX8, StartX8, list_pairs, occupied,
};
use crate::solver::problem::islands::Islands;
use crate::solver::problem::order::{Layout, Order};
use crate::solver::problem::pairs::Pairs;
use crate::solver::problem::{
    Contact, Friction, FullContact, Impulse, Impulses, Jacobian, MassInverse, OptionalTerms, Problem, Row, Velocity,
};
use crate::tasks::{Serial, Tasks};

/// splitmix64 (Steele et al. 2014).
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ (word >> 31)
    }

    /// Evenly in `low..high`.
    pub(super) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.word() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// In `low..high`, every decade alike.
    pub(super) fn magnitude(&mut self, low: f64, high: f64) -> f64 {
        self.between(low.ln(), high.ln()).exp()
    }

    pub(super) fn index(&mut self, count: usize) -> usize {
        (self.word() % count as u64) as usize
    }

    pub(super) fn one_in(&mut self, count: usize) -> bool {
        self.index(count) == 0
    }

    pub(super) fn vector(&mut self, size: f64) -> Vec3 {
        Vec3::from_fn(|_, _| self.between(-size, size))
    }

    pub(super) fn direction(&mut self) -> Vec3 {
        loop {
            let vector = self.vector(1.0);
            if (0.01..1.0).contains(&vector.norm()) {
                return vector.normalize();
            }
        }
    }

    pub(super) fn rotation(&mut self) -> Mat3 {
        let angle = self.between(0.0, 6.2);
        *Quat::new(self.direction() * angle).to_rotation_matrix().matrix()
    }
}

/// A problem with its own arrays.
#[derive(Default)]
pub(super) struct Scene {
    pub(super) masses: Vec<MassInverse>,
    /// Mass and inertia of those bodies that move without any lock.
    pub(super) free: Vec<Option<(f64, Symmetric3)>>,
    pub(super) velocities: Vec<Velocity>,
    pub(super) contacts: Vec<Contact>,
    /// Those behind the last one have none.
    pub(super) optional: Vec<OptionalTerms>,
    pub(super) rows: Vec<Row>,
    pub(super) friction: Friction,
}

/// A contact between points at rest, without friction, to be filled in.
pub(super) fn plain(body_a: BodyRow, body_b: BodyRow, normal: Vec3) -> Contact {
    Contact { body_a, body_b, normal, arm_a: Vec3::zeros(), arm_b: Vec3::zeros(), normal_bias: 0.0, friction: 0.0 }
}

/// A row between the fixed world and body 0, with `rhs` and compliance, and its bounds.
pub(super) fn row_on_world(jacobians: [Jacobian; 2], [rhs, compliance]: [f64; 2], [lower, upper]: [f64; 2]) -> Row {
    let ([body_a, body_b], [jacobian_a, jacobian_b]) = ([BodyRow::NONE, BodyRow(0)], jacobians);
    Row { body_a, body_b, jacobian_a, jacobian_b, rhs, compliance, lower, upper, friction_row: None, ball: None }
}

/// What resists turning.
pub(super) fn resisting(rolling: f64, twisting: f64) -> OptionalTerms {
    OptionalTerms { rolling, twisting, ..OptionalTerms::NONE }
}

impl Scene {
    pub(super) fn problem(&self) -> Problem<'_> {
        Problem {
            masses: &self.masses,
            velocities: &self.velocities,
            contacts: &self.contacts,
            optional: &self.optional,
            rows: &self.rows,
            friction: self.friction,
        }
    }

    /// Adds a contact with its optional terms.
    pub(super) fn add(&mut self, contact: Contact, optional: OptionalTerms) {
        self.contacts.push(contact);
        *self.optional_terms_of(self.contacts.len() - 1) = optional;
    }

    /// The optional terms of a contact.
    pub(super) fn optional_terms_of(&mut self, contact: usize) -> &mut OptionalTerms {
        if self.optional.len() <= contact {
            self.optional.resize(contact + 1, OptionalTerms::NONE);
        }
        &mut self.optional[contact]
    }

    /// The contacts, each with its optional terms.
    pub(super) fn wholes(&self) -> Vec<(Contact, OptionalTerms)> {
        let optional = self.optional.iter().copied().chain(std::iter::repeat(OptionalTerms::NONE));
        self.contacts.iter().copied().zip(optional).collect()
    }

    /// No impulse for every contact and row.
    pub(super) fn no_impulses(&self) -> Impulses {
        self.with_contacts(&vec![Impulse::ZERO; self.contacts.len()])
    }

    /// These impulses of the contacts, no torques, and none of the rows.
    pub(super) fn with_contacts(&self, contacts: &[Impulse]) -> Impulses {
        let rows = vec![0.0; self.rows.len()];
        let mut impulses = Impulses { contacts: contacts.to_vec(), torques: Vec::new(), rows };
        impulses.begin_turning(self.problem().resists_turning()).expect("memory");
        impulses
    }

    /// Masses and free velocities, with those of the fixed world behind them.
    pub(super) fn with_world(&self) -> (Vec<MassInverse>, Vec<Velocity>) {
        let masses = self.masses.iter().copied().chain([MassInverse::ZERO]).collect();
        (masses, self.velocities.iter().copied().chain([Velocity::ZERO]).collect())
    }

    /// Adds a body that moves freely, and returns its index.
    pub(super) fn body(&mut self, mass: f64, inertia: Symmetric3, velocity: Velocity) -> BodyRow {
        let angular = inertia.inverse_on([true; 3]).expect("a positive definite inertia");
        // A Cholesky inverse of a multiple of the unit matrix need not be one to the last bit.
        let angular = inertia.isotropic().map_or(angular, |moment| Symmetric3::diagonal([1.0 / moment; 3]));
        self.masses.push(MassInverse { linear: Vec3::repeat(1.0 / mass), angular });
        self.free.push(Some((mass, inertia)));
        self.velocities.push(velocity);
        BodyRow::from(self.masses.len() - 1)
    }

    /// Adds a solid sphere.
    pub(super) fn sphere(&mut self, mass: f64, radius: f64, velocity: Velocity) -> BodyRow {
        self.body(mass, Symmetric3::diagonal([0.4 * mass * radius * radius; 3]), velocity)
    }

    /// Adds a body that nothing moves, and returns its index.
    pub(super) fn kinematic(&mut self, velocity: Velocity) -> BodyRow {
        self.masses.push(MassInverse::ZERO);
        self.free.push(None);
        self.velocities.push(velocity);
        BodyRow::from(self.masses.len() - 1)
    }

    /// Bodies of every kind (anisotropic, spheres, with locks, kinematic) and contacts of every kind between them and
    /// the fixed world. Contacts have friction 0 to 3, bias, conveyors and compliance.
    pub(super) fn random(random: &mut Random, bodies: usize, contacts: usize) -> Self {
        let mut scene = Self::default();
        for kind in 0..bodies {
            scene.random_body(random, kind % 5);
        }
        while scene.contacts.len() < contacts {
            let body = |random: &mut Random| if random.one_in(6) { BodyRow::NONE } else { random.index(bodies).into() };
            let (a, b) = (body(random), body(random));
            if a != b {
                let (contact, optional) = random_contact(random, a, b);
                scene.add(contact, optional);
            }
        }
        scene
    }

    /// Adds scalar rows of every kind: bilateral, bounded, of one body or of spins alone, bounded by another row that comes
    /// before or after.
    pub(super) fn random_rows(&mut self, random: &mut Random, count: usize) {
        let bodies = self.masses.len();
        let first = self.rows.len();
        while self.rows.len() < first + count {
            let body = |random: &mut Random| if random.one_in(6) { BodyRow::NONE } else { random.index(bodies).into() };
            let (a, b) = (body(random), body(random));
            if a != b {
                let row = random_row(random, a, b);
                self.rows.push(row);
            }
        }
        // every third row is bounded by the one before or after it
        for row in (first..first + count).filter(|row| row % 3 == 1) {
            let other = if random.one_in(2) { row - 1 } else { row + 1 };
            if other < first + count {
                let mu = random.between(0.0, 1.0);
                let row = &mut self.rows[row];
                (row.lower, row.upper, row.friction_row) = (-mu, mu, Some(other.into()));
            }
        }
    }

    /// Lets about half of the contacts resist rolling, twisting or both.
    pub(super) fn resist_turning(&mut self, random: &mut Random) {
        for contact in 0..self.contacts.len() {
            let kind = random.index(6);
            let optional = self.optional_terms_of(contact);
            optional.rolling = if kind == 0 || kind == 1 { random.between(0.01, 0.5) } else { 0.0 };
            optional.twisting = if kind == 1 || kind == 2 { random.between(0.01, 0.5) } else { 0.0 };
        }
    }

    fn random_body(&mut self, random: &mut Random, kind: usize) {
        let velocity = Velocity { linear: random.vector(2.0), angular: random.vector(2.0) };
        let mass = random.magnitude(0.1, 10.0);
        let turn = random.rotation();
        let moments = [random.between(0.5, 2.0), random.between(0.5, 2.0), random.between(0.5, 2.0)];
        match kind {
            0 | 1 => {
                self.body(mass, Symmetric3::diagonal(moments).scaled(mass).rotated(&turn), velocity);
            }
            2 => {
                self.sphere(mass, 1.0, velocity);
            }
            3 => {
                let linear = Vec3::new(1.0 / mass, 0.0, 1.0 / mass);
                self.masses.push(MassInverse { linear, angular: Symmetric3::diagonal([0.0, 1.0, 0.0]) });
                self.free.push(None);
                self.velocities.push(velocity);
            }
            _ => {
                self.kinematic(velocity);
            }
        }
    }

    /// A pyramid of equal spheres of mass 1 and radius 0.5 on a fixed floor, `base` by `base` at the bottom, falling
    /// with `vhat = -g h = -0.01 m/s` and touching. `side` is the free velocity of the top sphere along x.
    pub(super) fn pyramid(base: usize, friction: f64, side: f64) -> Self {
        let mut scene = Self::default();
        let mut places = Vec::new();
        let height = 0.5_f64.sqrt();
        for layer in 0..base {
            for x in 0..base - layer {
                for y in 0..base - layer {
                    let shift = 0.5 * layer as f64;
                    let place = Vec3::new(x as f64 + shift, y as f64 + shift, 0.5 + height * layer as f64);
                    let linear = Vec3::new(if layer + 1 == base { side } else { 0.0 }, 0.0, -0.01);
                    let body = scene.sphere(1.0, 0.5, Velocity { linear, angular: Vec3::zeros() });
                    if layer == 0 {
                        let up = Vec3::z();
                        scene.contacts.push(Contact { arm_b: -0.5 * up, friction, ..plain(BodyRow::NONE, body, up) });
                    }
                    places.push(place);
                }
            }
        }
        for b in 0..places.len() {
            for a in 0..b {
                let between: Vec3 = places[b] - places[a];
                if between.norm() < 1.0 + 1e-9 {
                    let normal = between.normalize();
                    let (arm_a, arm_b) = (0.5 * normal, -0.5 * normal);
                    scene.contacts.push(Contact { arm_a, arm_b, friction, ..plain(a.into(), b.into(), normal) });
                }
            }
        }
        scene
    }
}

/// A row without a friction row.
pub(super) fn random_row(random: &mut Random, body_a: BodyRow, body_b: BodyRow) -> Row {
    let turns_alone = random.one_in(3);
    let mut jacobian = |sign: f64| {
        let linear = if turns_alone { Vec3::zeros() } else { sign * random.vector(1.0) };
        Jacobian { linear, angular: random.vector(1.0) }
    };
    let (jacobian_a, jacobian_b) = (jacobian(-1.0), jacobian(1.0));
    let (lower, upper) = match random.index(4) {
        0 => (f64::NEG_INFINITY, f64::INFINITY),
        1 => (0.0, f64::INFINITY),
        2 => (f64::NEG_INFINITY, random.between(-0.5, 1.0)),
        _ => (random.between(-1.0, 0.0), random.between(0.0, 1.0)),
    };
    let compliance = if random.one_in(3) { random.magnitude(1e-3, 1.0) } else { 0.0 };
    let rhs = random.between(-1.0, 1.0);
    Row { body_a, body_b, jacobian_a, jacobian_b, rhs, compliance, lower, upper, friction_row: None, ball: None }
}

fn random_contact(random: &mut Random, body_a: BodyRow, body_b: BodyRow) -> (Contact, OptionalTerms) {
    let normal = random.direction();
    let friction = match random.index(4) {
        0 => 0.0,
        1 => random.between(0.0, 3.0),
        _ => random.between(0.1, 0.9),
    };
    // One in three passes through both centres, so that spheres make central contacts.
    let central = random.one_in(3);
    let mut arm = |outward: Vec3| if central { random.between(0.3, 1.0) * outward } else { random.vector(1.0) };
    let (arm_a, arm_b) = (arm(normal), arm(-normal));
    let soft = random.one_in(3);
    let normal_bias = random.between(-1.0, 0.5);
    let optional = OptionalTerms {
        surface_velocity: if random.one_in(3) { random.vector(1.0) } else { Vec3::zeros() },
        normal_compliance: if soft { random.magnitude(1e-3, 1.0) } else { 0.0 },
        tangential_compliance: if soft { random.magnitude(1e-3, 1.0) } else { 0.0 },
        ..OptionalTerms::NONE
    };
    (Contact { arm_a, arm_b, normal_bias, friction, ..plain(body_a, body_b, normal) }, optional)
}

/// The lines of bodies with these `velocities`.
pub(super) fn lines_of(masses: &[MassInverse], velocities: &[Velocity]) -> Vec<Wide> {
    velocities.iter().zip(masses).map(|(velocity, mass)| lines::moving(velocity, mass)).collect()
}

/// Returns the pairs of bodies of a problem's contacts.
pub(super) fn pairs_of(problem: &Problem, masses: &[MassInverse]) -> Pairs {
    let (mut listed, mut pairs) = (Vec::new(), Pairs::default());
    let velocities: Vec<Velocity> = problem.velocities.iter().copied().chain([Velocity::ZERO]).collect();
    list_pairs(problem, &mut listed, &Serial).expect("memory");
    pairs.note(&listed, &lines_of(masses, &velocities), true, &Serial).expect("memory");
    pairs
}

/// Contacts in the first lanes of a batch, which start from nothing.
struct FirstLanes {
    count: usize,
    pairs: [Places; 2],
    normal: [Wide; 3],
    contacts: ContactsX8,
    optional: OptionalTermsX8,
}

impl FirstLanes {
    /// Returns these contacts, in their order.
    fn new<'a>(given: &PrepareContext, contacts: impl IntoIterator<Item = FullContact<'a>>) -> Self {
        let (list, optional): (Vec<Contact>, Vec<OptionalTerms>) =
            contacts.into_iter().map(|(contact, optional)| (*contact, *optional)).unzip();
        let resting = BodyRow::from(given.bodies.len() - 1);
        let (mut pairs, mut lanes) = ([lines::nowhere(resting); 2], [ContactId::NONE; WIDE]);
        for (lane, contact) in list.iter().enumerate() {
            lanes[lane] = lane.into();
            for (places, body) in pairs.iter_mut().zip([contact.body_a, contact.body_b]) {
                let body = body.min(resting);
                places[lane] = LineIndex::new(body, lines::is_read_only(&given.bodies[body]));
            }
        }
        let problem = Problem { contacts: &list, optional: &optional, ..*given.problem };
        let buffer = filled(&problem, &[lanes]);
        let optional = buffer.optional.first().copied().unwrap_or(OptionalTermsX8::NONE);
        Self { count: list.len(), pairs, normal: buffer.points[0].normal, contacts: buffer.contacts[0], optional }
    }

    /// Calls `work` with these contacts.
    fn read<T>(&self, work: impl FnOnce(BatchInput) -> T) -> T {
        let Self { count, pairs, normal, contacts, optional } = self;
        work(BatchInput { count: *count, pairs, normal, contacts, start: &StartX8::ZERO, optional })
    }
}

/// Puts contacts into the lanes of a batch, one after the other; they start from nothing.
pub(super) fn put<'a, B: ContactBatch>(
    (batch, torques): (&mut B, Option<&mut B::Torques>),
    given: &PrepareContext,
    contacts: impl IntoIterator<Item = FullContact<'a>>,
    plain: bool,
) -> u32 {
    let lanes = FirstLanes::new(given, contacts);
    lanes.read(|input| dispatch(given.level, Write { batch, torques, context: given, input, plain }))
}

/// Puts the optional terms of a contact into a lane.
pub(super) fn write_extra<B: ContactBatch>(
    extra: &mut B::Extra,
    lane: usize,
    given: &PrepareContext,
    contact: FullContact,
) {
    let lanes = FirstLanes::new(given, std::iter::repeat_n(contact, lane + 1));
    lanes.read(|input| B::write_extra(extra, lane, given, &input));
}

/// Returns the buffer of a problem whose contacts are in these lanes and start from nothing.
pub(super) fn filled(problem: &Problem, lanes: &[LaneContacts]) -> ContactBuffer {
    let mut buffer = ContactBuffer::default();
    buffer.fill(problem, lanes, &Serial).expect("memory");
    buffer
}

/// Prepares the rows of a problem for sweeps over its islands one by one.
pub(super) fn prepare(
    rows: &mut Rows,
    (problem, pairs): (&Problem, &Pairs),
    islands: &Islands,
    order: Order,
    tasks: &dyn Tasks,
) {
    let layout = Layout { order, together: false, splits: false };
    rows.write_lines(problem, tasks).expect("memory");
    rows.note_blocks(problem).expect("memory");
    rows.lay_out(problem, pairs, Some(islands), layout, tasks).expect("memory");
    let buffer = filled(problem, &rows.lanes);
    let source = Source { buffer: &buffer, pairs: &pairs.all, factors: [1.0; 2] };
    rows.fill(problem, &source, Some(islands), layout, tasks).expect("memory");
}

/// Returns a column of values by the number of the contact, in the order of the lanes; zero where there is no contact.
pub(super) fn to_lanes(lanes: &[LaneContacts], values: &[f64]) -> Vec<Wide> {
    let mut column = vec![Wide::default(); lanes.len()];
    for (batch, lanes) in column.iter_mut().zip(lanes) {
        occupied(lanes).for_each(|(lane, contact)| batch.0[lane] = values[contact]);
    }
    column
}

/// Returns the values of a column of lanes by the number of the contact. `lane_of` has the lane of each contact.
pub(super) fn from_lanes(lane_of: &[LaneSlot], column: &[Wide]) -> Vec<f64> {
    lane_of.iter().map(|lane| column[lane.batch()].0[lane.lane()]).collect()
}

/// Lets `visit` work on the lines of bodies with these `velocities`, which take what it leaves.
pub(super) fn on_lines<T>(
    masses: &[MassInverse],
    velocities: &mut [Velocity],
    visit: impl FnOnce(&mut [Wide]) -> T,
) -> T {
    let mut bodies = lines_of(masses, velocities);
    let answer = visit(&mut bodies);
    velocities.iter_mut().zip(&bodies).for_each(|(velocity, line)| *velocity = lines::velocity(line));
    answer
}
