//! The blocks of contacts and rows with bounds of mechanisms, computed from the mobility of the ports.

use crate::error::Result;
use crate::math::lanes::Vec3s;
use crate::math::{BodyRow, Vec3, tangents};
use crate::solver::gauss_seidel::local::inverse;
use crate::solver::gauss_seidel::rows::split::{HeldRow, Side, SplitContact, SplitRow, may_carry};
use crate::solver::gauss_seidel::rows::store::Rows;
use crate::solver::gauss_seidel::wide::general::{FullBlock, GeneralRow};
use crate::solver::operator::blocks::{SIX, dot};
use crate::solver::problem::ball::is_inside;
use crate::solver::problem::{Contact, Impulse, ImpulsiveWrench, Jacobian, MassInverse, Problem, Row, Velocity};

/// A contact or row of a mechanism has no solution if its mobility is below this part of that of free bodies. Its
/// impulse is then zero [-].
const IMMOBILE: f64 = 1e-10;

/// The block of a locked tangent, as a part of the trace of the contact's block [-]. Friction along it does not change
/// the velocity, but it must reach the cone if the contact slides. A body on a ball joint, for example, slides along
/// its contacts although an impulse towards the joint moves nothing.
const YIELDING: f64 = 0.1;

/// The impulse and the moment on one body.
pub(super) type Wrench = [f64; SIX];

impl Rows {
    /// Factors the mechanisms of a problem. The remaining preparation follows after the start impulses are set.
    pub(super) fn fill_split(&mut self, problem: &Problem) -> Result<()> {
        self.is_split_prepared = self.split.parts.is_empty();
        if self.is_split_prepared { Ok(()) } else { self.split.factor(problem) }
    }

    /// Chooses the rows with bounds that the mechanisms hold, and prepares the blocks. Runs once for each problem.
    pub(super) fn prepare_split(&mut self, problem: &Problem) {
        if self.is_split_prepared {
            return;
        }
        self.is_split_prepared = true;
        self.prepare_blocks(problem.masses, None);
        for at in 0..self.split.rows.len() {
            let SplitRow { row: id, values: row, sides, inverse, .. } = self.split.rows[at];
            let lambda = self.row_impulse(id);
            let is_inside = match row.ball {
                Some(first) => is_inside(&self.ball_impulse(first), row.upper),
                None => row.lower < lambda && lambda < row.upper,
            };
            let Some((number, port)) = sides.iter().find_map(|side| side.port()) else { continue };
            let moves_free = |(side, body): (&Side, BodyRow)| *side == Side::Free && problem.moves(body);
            let joins_two = sides.iter().all(|side| side.port().is_some());
            let is_alone = !joins_two && !sides.iter().zip([row.body_a, row.body_b]).any(moves_free);
            // A row at its bound is swept, since it may leave the bound. A row that scales bounds is swept too: the
            // rows that it scales need its impulse first.
            let is_coupled = row.friction_row.is_some() || self.split.scratch.scales[id.index()];
            let is_within = is_inside && !is_coupled;
            if is_alone && is_within && inverse > 0.0 {
                let held = HeldRow { row: id, port, lambda, compliance: row.compliance };
                self.split.mechanisms[number as usize].hold(held, IMMOBILE / inverse);
            }
        }
        self.release_partial_balls();
        self.prepare_blocks(problem.masses, None);
    }

    /// Computes the blocks of the contacts and rows that act on mechanism `only`, or on any mechanism.
    pub(super) fn prepare_blocks(&mut self, masses: &[MassInverse], only: Option<u32>) {
        let meets = |sides: &[Side; 2]| {
            only.is_none_or(|only| sides.iter().any(|side| matches!(side, Side::Port(number, _) if *number == only)))
        };
        for at in 0..self.split.contacts.len() {
            let own = self.split.contacts[at];
            if !meets(&own.sides) {
                continue;
            }
            let (batch, lane) = (own.lane.batch(), own.lane.lane());
            let contact = self.general.batches[batch].contact(lane);
            let row = self.split_block(masses, &own, &contact, self.general.compliance(own.lane));
            // The impulse is in the axes of the block before.
            let mut force = Impulse::ZERO;
            self.general.read(own.lane, &mut force);
            let torque = self.general.torque(own.lane);
            self.general.batches[batch].set_block(&row, lane);
            // A contact that no impulse opens gets no impulse.
            self.general.batches[batch].take_impulse(lane);
            self.general.set(own.lane, &ImpulsiveWrench { force, torque });
        }
        for at in 0..self.split.rows.len() {
            let own = self.split.rows[at];
            if meets(&own.sides) && !self.split.holds(&own.sides) {
                let [block, measure] = self.split_row_block(masses, &own.values, &own.sides);
                let own = &mut self.split.rows[at];
                (own.inverse, own.measure) = (inverse(block), measure);
            }
        }
    }

    /// Returns the block of a row with bounds, 0 if no impulse moves it, and the factor from an impulse to a velocity
    /// in m/s.
    pub(super) fn split_row_block(&self, masses: &[MassInverse], row: &Row, sides: &[Side; 2]) -> [f64; 2] {
        if !may_carry(row) {
            return [0.0; 2];
        }
        let masses = [mass_of(masses, row.body_a), mass_of(masses, row.body_b)];
        let mut moves = 0.0;
        for ((side, mass), jacobian) in sides.iter().zip(masses).zip([&row.jacobian_a, &row.jacobian_b]) {
            moves += match side {
                Side::Port(number, port) => self.split.mechanisms[*number as usize].entry(*port, *port),
                Side::Free => row_block(jacobian, mass),
                Side::Shared => 0.0,
            };
        }
        let measure = row.measure(masses[0], masses[1]);
        let is_mobile = moves > IMMOBILE * (measure.scale - row.compliance);
        let block = if is_mobile { moves } else { 0.0 } + row.compliance;
        [block, block * measure.length]
    }

    /// Returns the block of a contact of mechanisms in its own axes.
    fn split_block(
        &self,
        masses: &[MassInverse],
        own: &SplitContact,
        contact: &Contact,
        [soft_n, soft_t]: [f64; 2],
    ) -> GeneralRow<f64> {
        let (x, y) = tangents(&contact.normal);
        let masses = [mass_of(masses, contact.body_a), mass_of(masses, contact.body_b)];
        let wrenches = [contact.normal, x, y].map(|direction| {
            let on = |sign: f64, arm: &Vec3| wrench_of(&(sign * direction), &(sign * arm.cross(&direction)));
            [on(-1.0, &contact.arm_a), on(1.0, &contact.arm_b)]
        });
        let entry = |of: usize, with: usize| self.answer(own, &wrenches[of], &wrenches[with], masses);
        let free = wrenches.iter().map(|wrench| {
            let alone = |side: usize| dot(&wrench[side], &response(masses[side], &wrench[side]));
            alone(0) + alone(1)
        });
        let threshold = IMMOBILE * free.sum::<f64>();
        let block = FullBlock {
            nn: entry(0, 0) + soft_n,
            nt: [entry(1, 0), entry(2, 0)],
            xx: entry(1, 1) + soft_t,
            xy: entry(1, 2),
            yy: entry(2, 2) + soft_t,
        };
        GeneralRow::of([x, y].map(Vec3s::from), &block, threshold, YIELDING)
    }

    /// Returns the velocity along one pair of wrenches that another pair causes at a contact.
    pub(super) fn answer(
        &self,
        own: &SplitContact,
        of: &[Wrench; 2],
        with: &[Wrench; 2],
        masses: [&MassInverse; 2],
    ) -> f64 {
        let mut sum = 0.0;
        for (side, wrench) in own.sides.iter().zip(of) {
            let Side::Port(number, port) = *side else { continue };
            let mechanism = &self.split.mechanisms[number as usize];
            for (other, impulse) in own.sides.iter().zip(with) {
                if let Side::Port(same, from) = *other
                    && same == number
                {
                    for (row, speed) in (port..).zip(wrench) {
                        let answer: f64 =
                            (from..).zip(impulse).map(|(at, impulse)| mechanism.entry(row, at) * impulse).sum();
                        sum += speed * answer;
                    }
                }
            }
        }
        for (side, is_free) in own.sides.iter().map(|side| *side == Side::Free).enumerate() {
            if is_free {
                sum += dot(&of[side], &response(masses[side], &with[side]));
            }
        }
        sum
    }
}

pub(super) fn mass_of(masses: &[MassInverse], body: BodyRow) -> &MassInverse {
    masses.get(body.index()).unwrap_or(&MassInverse::ZERO)
}

/// Returns `J M^-1 J^T` for one body.
fn row_block(jacobian: &Jacobian, mass: &MassInverse) -> f64 {
    dot_of(jacobian, jacobian, mass)
}

/// Returns `J M^-1 J'^T` for one body.
pub(super) fn dot_of(jacobian: &Jacobian, other: &Jacobian, mass: &MassInverse) -> f64 {
    let [own, other] = [jacobian, other].map(|jacobian| wrench_of(&jacobian.linear, &jacobian.angular));
    dot(&own, &response(mass, &other))
}

pub(super) fn wrench_of(impulse: &Vec3, moment: &Vec3) -> Wrench {
    [impulse.x, impulse.y, impulse.z, moment.x, moment.y, moment.z]
}

/// Returns the impulse and the moment of a wrench.
pub(super) fn parts_of([x, y, z, a, b, c]: &Wrench) -> [Vec3; 2] {
    [Vec3::new(*x, *y, *z), Vec3::new(*a, *b, *c)]
}

/// Returns the change of the velocity of a body by a wrench.
pub(super) fn response(mass: &MassInverse, wrench: &Wrench) -> Wrench {
    let ([impulse, moment], mut moved) = (parts_of(wrench), Velocity::ZERO);
    mass.apply(&mut moved, &impulse, &moment);
    wrench_of(&moved.linear, &moved.angular)
}
