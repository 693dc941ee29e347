//! Mechanisms in the sweeps: the split solve ([W] section 5). Rows of mechanisms without bounds are eliminated.
//! Contacts and rows with bounds then act on the inverse mass `Mc^-1` of the whole mechanism.
//!
//! A sweep needs only some velocities of a mechanism: those of bodies with contacts, and those along rows with bounds.
//! These are its ports. An impulse at one port changes the velocities of all ports by a column of `C = P Mc^-1 P^T`.
//! After the sweeps one solve computes the impulses of rows without bounds. A contact of a mechanism has a lane of
//! general contacts, and a row has a place in its block. Batches do not sweep them.

use crate::error::{Result, copy, empty, push, refill, reserve, resize};
use crate::math::{BodyRow, ContactId, LaneSlot, RowId, Vec3};
use crate::solver::gauss_seidel::rows::plan::Plan;
use crate::solver::mechanism::{BodyImpulse, Mechanism, Mechanisms, Port};
use crate::solver::operator::blocks::SIX;
use crate::solver::problem::islands::Islands;
use crate::solver::problem::pairs::Pairs;
use crate::solver::problem::{Jacobian, Problem, Row, Velocity};

/// The largest number of ports of a mechanism that is split. If it has more, its rows are swept, since the cost of a
/// visit is proportional to the number of ports.
const MAX_PORTS: usize = 128;

/// The value that stands for no port.
const NONE: u32 = u32::MAX;

/// The mechanisms of a problem whose rows are eliminated.
#[derive(Debug, Default)]
pub(in crate::solver) struct Split {
    pub(super) found: Mechanisms,
    /// At least one for each mechanism.
    pub(super) mechanisms: Vec<SplitMechanism>,
    /// The first port of each body with contacts, or [`NONE`].
    first_ports: Vec<u32>,
    /// Whether each row of the problem is one of a split mechanism.
    are_rows_split: Vec<bool>,
    /// Contacts and rows of mechanisms. Those of the same part of the sweeps follow each other.
    pub(super) contacts: Vec<SplitContact>,
    pub(super) rows: Vec<SplitRow>,
    /// The part of each split mechanism and the number of the mechanism, sorted.
    pub(super) parts: Vec<(u32, u32)>,
    pub(super) scratch: SplitScratch,
}

/// Scratch buffers, with one entry for each body or row of the problem.
#[derive(Debug, Default)]
pub(super) struct SplitScratch {
    pub(super) velocities: Vec<Velocity>,
    pub(super) lambda: Vec<f64>,
    /// The velocities of the bodies of one mechanism.
    pub(super) before: Vec<Velocity>,
    /// Whether each row of the problem scales the bounds of others.
    pub(super) scales: Vec<bool>,
    ports: Vec<Port>,
    pub(super) impulses: Vec<BodyImpulse>,
}

/// A mechanism in the sweeps.
#[derive(Debug, Default)]
pub(super) struct SplitMechanism {
    pub(super) is_split: bool,
    /// The bodies with contacts, which have six ports each.
    pub(super) touched: Vec<BodyRow>,
    /// The number of its rows with bounds.
    bounded: usize,
    /// The rows with bounds that may have an impulse in this solve. Each has a port, behind those of bodies.
    rows: Vec<RowId>,
    /// The rows with bounds whose impulses are within them. They are held as if they had no bounds, until an impulse
    /// passes one.
    pub(super) held: Vec<HeldRow>,
    /// Scratch buffer: rows that were held, with their present impulses.
    pub(super) released: Vec<(HeldRow, f64)>,
    /// `C` row by row, with the ports of held rows as pivots of the sweep operator. At these ports it has
    /// `-(C_HH + S)^-1`. At all others it has the part of `C` that remains while these rows are held.
    mobility: Vec<f64>,
    /// The velocity of each port, or minus the impulse if the port is that of a held row. Impulses at other ports
    /// change both by columns of the same matrix.
    pub(super) speeds: Vec<f64>,
    pub(super) mechanism: Mechanism,
    pub(super) is_factored: bool,
}

/// A row with bounds that its mechanism holds.
#[derive(Debug, Clone, Copy)]
pub(super) struct HeldRow {
    pub(super) row: RowId,
    pub(super) port: u32,
    /// Its impulse.
    pub(super) lambda: f64,
    pub(super) compliance: f64,
}

/// A body of a contact, or a side of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Side {
    /// In a mechanism: the number of the mechanism, and the first port of the body, or the port of the row.
    Port(u32, u32),
    /// A body that is in no split mechanism.
    Free,
    /// The port of the other side includes the effect on this side.
    Shared,
}

impl Side {
    /// Returns the number of the mechanism and the first port of this side.
    pub(super) fn port(self) -> Option<(u32, u32)> {
        match self {
            Self::Port(number, port) => Some((number, port)),
            Self::Free | Self::Shared => None,
        }
    }
}

/// A contact with a body of a mechanism.
#[derive(Debug, Clone, Copy)]
pub(super) struct SplitContact {
    /// Its lane among general contacts.
    pub(super) lane: LaneSlot,
    pub(super) sides: [Side; 2],
    /// How far a unit multiplier of the position pass opens the contact, its compliance included; 0 if impulses move
    /// neither body [1/kg].
    pub(super) mobility: f64,
    /// The compliance that is included in it [1/kg].
    pub(super) compliance: f64,
}

/// A row with bounds at a body of a mechanism.
#[derive(Debug, Clone, Copy)]
pub(super) struct SplitRow {
    pub(super) row: RowId,
    /// The row of the problem.
    pub(super) values: Row,
    pub(super) sides: [Side; 2],
    /// One over its block; 0 if no impulse moves it.
    pub(super) inverse: f64,
    /// The factor from an impulse to a velocity of the row in m/s.
    pub(super) measure: f64,
}

/// The ranges of the mechanisms, contacts and rows of a [`Split`] that belong to a part of the sweeps.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SplitSchedule {
    pub(super) mechanisms: [u32; 2],
    pub(super) contacts: [u32; 2],
    pub(super) rows: [u32; 2],
    /// The lanes of the contacts, for passes that do not handle mechanisms.
    pub(super) lanes: Plan,
    /// The range of the plans of blocks of rows, for the same passes.
    pub(super) blocks: [u32; 2],
}

impl Split {
    /// Finds the mechanisms of a problem that are split, and their ports. `bilateral` has whether each row has no
    /// bounds.
    pub(in crate::solver) fn find(&mut self, problem: &Problem, pairs: &Pairs, bilateral: &[bool]) -> Result<()> {
        self.clear();
        self.found.find_among(problem, |row| bilateral.get(row.index()).is_some_and(|is_it| *is_it))?;
        if self.found.is_empty() {
            return Ok(());
        }
        resize_default(&mut self.mechanisms, self.found.len())?;
        self.mechanisms.iter_mut().for_each(SplitMechanism::reset_start);
        refill(&mut self.first_ports, problem.masses.len(), NONE, "bodies")?;
        for body in pairs.all.iter().flatten().filter(|body| !body.is_read_only()).map(|body| body.row()) {
            let Some(number) = self.found.of_body(body) else { continue };
            if self.first_ports[body] == NONE {
                self.first_ports[body] = 0;
                push(&mut self.mechanisms[number].touched, body, "bodies")?;
            }
        }
        for (row, _) in problem.rows.iter().zip(bilateral).filter(|(_, is_bilateral)| !**is_bilateral) {
            let [a, b] = [row.body_a, row.body_b].map(|body| self.found.of_body(body));
            for number in [a, b.filter(|b| Some(*b) != a)].into_iter().flatten() {
                self.mechanisms[number].bounded += 1;
            }
        }
        for own in self.mechanisms.iter_mut().take(self.found.len()) {
            own.touched.sort_unstable();
            own.is_split = SIX * own.touched.len() + own.bounded <= MAX_PORTS;
            for (place, body) in own.touched.iter().enumerate() {
                self.first_ports[*body] = (SIX * place) as u32;
            }
        }
        self.mark_rows(problem)
    }

    /// Marks the rows of split mechanisms.
    fn mark_rows(&mut self, problem: &Problem) -> Result<()> {
        let mut marks = std::mem::take(&mut self.are_rows_split);
        let has_room = empty(&mut marks, problem.rows.len(), "rows");
        if has_room.is_ok() {
            marks.extend(problem.rows.iter().map(|row| self.has(row.body_a) || self.has(row.body_b)));
        }
        self.are_rows_split = marks;
        has_room
    }

    /// Returns whether a row of the problem is one of a split mechanism.
    pub(in crate::solver) fn has_row(&self, row: RowId) -> bool {
        self.are_rows_split.get(row.index()) == Some(&true)
    }

    /// Removes all mechanisms: none is split.
    pub(in crate::solver) fn clear(&mut self) {
        self.mechanisms.iter_mut().for_each(SplitMechanism::reset_start);
        self.are_rows_split.clear();
        self.contacts.clear();
        self.rows.clear();
        self.parts.clear();
    }

    /// Returns whether a body is in a mechanism whose rows are eliminated.
    pub(super) fn has(&self, body: BodyRow) -> bool {
        self.mechanism_of(body).is_some()
    }

    /// Returns whether any mechanism is split.
    pub(super) fn is_active(&self) -> bool {
        self.mechanisms.iter().any(|own| own.is_split)
    }

    /// Stores the part of the sweeps to which each split mechanism belongs: its island, or the only part.
    pub(super) fn note_parts(&mut self, islands: Option<&Islands>) -> Result<()> {
        empty(&mut self.parts, self.found.len(), "mechanisms")?;
        for (number, _) in self.mechanisms.iter().take(self.found.len()).enumerate().filter(|(_, own)| own.is_split) {
            let first = self.found.get(number).and_then(|parts| parts.bodies.first().copied());
            let part = islands.zip(first).and_then(|(islands, first)| islands.of(first)).unwrap_or(0);
            self.parts.push((part as u32, number as u32));
        }
        self.parts.sort_unstable();
        Ok(())
    }

    /// Returns the range of the split mechanisms of a part.
    pub(super) fn of_part(&self, part: usize) -> [u32; 2] {
        let below = |part: usize| self.parts.partition_point(|(own, _)| (*own as usize) < part) as u32;
        [below(part), below(part + 1)]
    }

    /// Adds a contact with a body of a mechanism, in a lane of general contacts.
    pub(super) fn add_contact(&mut self, contact: ContactId, lane: LaneSlot, pairs: &Pairs) -> Result<()> {
        let sides = pairs.all[contact].map(|place| {
            let mechanism = if place.is_read_only() { None } else { self.mechanism_of(place.row()) };
            mechanism.map_or(Side::Free, |number| Side::Port(number, self.first_ports[place.row()]))
        });
        push(&mut self.contacts, SplitContact { lane, sides, mobility: 0.0, compliance: 0.0 }, "contacts")
    }

    /// Adds a row with bounds if it acts on a mechanism that is split.
    pub(super) fn add_row(&mut self, id: RowId, row: &Row) -> Result<()> {
        if [row.body_a, row.body_b].into_iter().any(|body| self.has(body)) {
            let sides = [Side::Free; 2];
            push(&mut self.rows, SplitRow { row: id, values: *row, sides, inverse: 0.0, measure: 0.0 }, "rows")?;
        }
        Ok(())
    }

    /// Lists the rows that may have an impulse, and assigns ports to them.
    fn list_rows(&mut self, problem: &Problem) -> Result<()> {
        self.mechanisms.iter_mut().for_each(|own| own.rows.clear());
        for at in 0..self.rows.len() {
            let (id, row) = (self.rows[at].row, problem.rows[self.rows[at].row]);
            let mechanisms = [row.body_a, row.body_b].map(|body| self.mechanism_of(body));
            let is_shared = mechanisms[0].is_some() && mechanisms[0] == mechanisms[1];
            let mut sides = [Side::Free; 2];
            for (side, number) in sides.iter_mut().zip(mechanisms).filter(|_| may_carry(&row)) {
                let Some(number) = number else { continue };
                let own = &mut self.mechanisms[number as usize];
                *side = Side::Port(number, (SIX * own.touched.len() + own.rows.len()) as u32);
                if own.rows.last() != Some(&id) {
                    push(&mut own.rows, id, "rows")?;
                }
            }
            if is_shared {
                sides[1] = Side::Shared;
            }
            let own = &mut self.rows[at];
            (own.values, own.sides) = (row, sides);
        }
        Ok(())
    }

    /// Returns whether a mechanism holds the row with bounds that has these sides.
    pub(super) fn holds(&self, sides: &[Side; 2]) -> bool {
        sides.iter().filter_map(|side| side.port()).any(|(number, port)| self.mechanisms[number as usize].holds(port))
    }

    /// Factors the mechanisms that have ports, and computes the mobility of these. A mechanism whose numbers are not
    /// finite gets no mobility.
    pub(super) fn factor(&mut self, problem: &Problem) -> Result<()> {
        self.list_rows(problem)?;
        let Self { found, mechanisms, scratch, .. } = self;
        // The velocities of bodies that impulses do not move stay unchanged.
        copy(&mut scratch.velocities, problem.velocities, "bodies")?;
        resize(&mut scratch.lambda, problem.rows.len(), 0.0, "rows")?;
        refill(&mut scratch.scales, problem.rows.len(), false, "rows")?;
        problem.rows.iter().filter_map(|row| row.friction_row).for_each(|scale| scratch.scales[scale.index()] = true);
        for (own, parts) in mechanisms.iter_mut().zip(found.iter()).filter(|(own, _)| own.is_split) {
            let ports = SIX * own.touched.len() + own.rows.len();
            refill(&mut own.speeds, ports, 0.0, "ports of a mechanism")?;
            empty(&mut own.held, own.rows.len(), "rows")?;
            refill(&mut own.mobility, own.speeds.len() * own.speeds.len(), 0.0, "ports of a mechanism")?;
            own.is_factored = ports > 0 && own.mechanism.factor(problem, parts)?;
            if own.is_factored {
                own.list_ports(problem, parts.bodies, &mut scratch.ports)?;
                own.mechanism.mobility(problem, &scratch.ports, &mut own.mobility)?;
            }
        }
        Ok(())
    }

    /// Returns the number of the split mechanism of a body.
    fn mechanism_of(&self, body: BodyRow) -> Option<u32> {
        self.found.of_body(body).filter(|number| self.mechanisms[*number].is_split).map(|number| number as u32)
    }
}

impl SplitMechanism {
    fn reset_start(&mut self) {
        self.is_split = false;
        self.is_factored = false;
        self.bounded = 0;
        self.touched.clear();
        self.rows.clear();
    }

    /// Lists the ports. A port of a row excludes sides of other bodies.
    pub(super) fn list_ports(&self, problem: &Problem, bodies: &[BodyRow], ports: &mut Vec<Port>) -> Result<()> {
        empty(ports, self.speeds.len(), "ports of a mechanism")?;
        ports.extend(self.touched.iter().flat_map(|body| Port::of_body(*body)));
        ports.extend(self.rows.iter().map(|row| port(&problem.rows[*row], bodies)));
        Ok(())
    }

    /// Computes the velocities of the ports from those of bodies.
    pub(super) fn set_speeds(&mut self, problem: &Problem, bodies: &[BodyRow], velocities: &[Velocity]) {
        let Self { touched, rows, speeds, .. } = self;
        let (of_bodies, of_rows) = speeds.split_at_mut(SIX * touched.len());
        for (speeds, body) in of_bodies.chunks_mut(SIX).zip(touched) {
            let Velocity { linear, angular } = velocities[*body];
            speeds.iter_mut().zip(linear.iter().chain(&angular)).for_each(|(speed, value)| *speed = *value);
        }
        for (speed, row) in of_rows.iter_mut().zip(rows) {
            *speed = speed_of(&problem.rows[*row], bodies, velocities);
        }
        self.held.iter().for_each(|held| self.speeds[held.port as usize] = -held.lambda);
    }

    /// Returns whether the row of a port is held.
    pub(super) fn holds(&self, port: u32) -> bool {
        self.held.iter().any(|held| held.port == port)
    }

    /// Holds a row if the rows already held leave it more than `min_mobility`, in the units of its block.
    pub(super) fn hold(&mut self, held: HeldRow, min_mobility: f64) {
        let (port, count) = (held.port as usize, self.speeds.len());
        let entry = &mut self.mobility[port * count + port];
        let mobility = *entry + held.compliance;
        if mobility > min_mobility {
            *entry = mobility;
            pivot(&mut self.mobility, count, port, -1.0);
            self.held.push(held);
        }
    }

    /// Releases the row of a port.
    pub(super) fn release_row(&mut self, port: u32) {
        let Some(at) = self.held.iter().position(|held| held.port == port) else { return };
        let held = self.held.remove(at);
        let (port, count) = (port as usize, self.speeds.len());
        pivot(&mut self.mobility, count, port, 1.0);
        self.mobility[port * count + port] -= held.compliance;
    }

    /// Computes the impulses of the held rows. `velocities` are those of the bodies without these impulses.
    pub(super) fn find_held(&mut self, problem: &Problem, velocities: &[Velocity]) {
        let count = self.speeds.len();
        // The other side of a held row may be a kinematic body.
        let missing = |held: &HeldRow| {
            let row = &problem.rows[held.row];
            row.rhs - row.speed(velocities)
        };
        for at in 0..self.held.len() {
            let row = &self.mobility[self.held[at].port as usize * count..][..count];
            self.held[at].lambda = self.held.iter().map(|other| -row[other.port as usize] * missing(other)).sum();
        }
    }

    /// Returns the entry of `C` between two ports.
    pub(super) fn entry(&self, port: u32, other: u32) -> f64 {
        self.mobility[port as usize * self.speeds.len() + other as usize]
    }

    /// Applies an impulse at one port to the velocities of all ports.
    pub(super) fn push(&mut self, port: u32, impulse: f64) {
        let Self { speeds, mobility, .. } = self;
        let count = speeds.len();
        // `C` is symmetric: its row is its column.
        let column = &mobility[port as usize * count..][..count];
        speeds.iter_mut().zip(column).for_each(|(speed, entry)| *speed += entry * impulse);
    }

    /// Returns the velocity of a body with contacts, given its place among these bodies.
    pub(super) fn velocity(&self, place: usize) -> Velocity {
        let of = |first: usize| Vec3::from_fn(|axis, _| self.speeds[SIX * place + first + axis]);
        Velocity { linear: of(0), angular: of(3) }
    }
}

/// Returns whether the bounds of a row allow an impulse other than zero.
pub(super) fn may_carry(row: &Row) -> bool {
    row.lower != 0.0 || row.upper != 0.0
}

/// Returns the part of the velocity of a row that is due to bodies of a mechanism.
fn speed_of(row: &Row, bodies: &[BodyRow], velocities: &[Velocity]) -> f64 {
    let Port(sides) = port(row, bodies);
    sides.iter().map(|(body, jacobian)| velocities.get(body.index()).map_or(0.0, |v| jacobian.dot(v))).sum()
}

/// Applies the sweep operator to one pivot of a symmetric matrix. With `sign` 1 it applies the inverse. Pivots may be
/// added and removed in any order.
fn pivot(matrix: &mut [f64], count: usize, at: usize, sign: f64) {
    let inverse = 1.0 / matrix[at * count + at];
    for row in (0..count).filter(|row| *row != at) {
        let factor = matrix[row * count + at] * inverse;
        for column in (0..count).filter(|column| *column != at) {
            matrix[row * count + column] -= factor * matrix[at * count + column];
        }
    }
    for other in (0..count).filter(|other| *other != at) {
        let entry = -sign * matrix[at * count + other] * inverse;
        (matrix[at * count + other], matrix[other * count + at]) = (entry, entry);
    }
    matrix[at * count + at] = -inverse;
}

/// Returns the port of a row at a mechanism with these bodies. Sides of other bodies are excluded.
fn port(row: &Row, bodies: &[BodyRow]) -> Port {
    let sides = [(row.body_a, row.jacobian_a), (row.body_b, row.jacobian_b)];
    Port(sides.map(|(body, jacobian)| match bodies.binary_search(&body) {
        Ok(_) => (body, jacobian),
        Err(_) => (BodyRow::NONE, Jacobian::ZERO),
    }))
}

/// Grows a list by default elements up to this length.
fn resize_default<T: Default>(list: &mut Vec<T>, length: usize) -> Result<()> {
    reserve(list, length.saturating_sub(list.len()), "mechanisms")?;
    list.resize_with(length.max(list.len()), T::default);
    Ok(())
}
