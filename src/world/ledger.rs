//! The energy ledger of a step: what forces, walls and joints put in, what contacts lose, and what the integrator makes of it.
//!
//! An impulse does the work of its mean velocity, that before and that after it: kinetic energy changes by exactly so
//! much. So the kinetic energy, the potential energy and that of elastic contacts change by the sum of all entries,
//! to round-off.

use std::ops::Range;

use crate::body::{Bodies, Motion};
use crate::contact::{ContactList, Mixing};
use crate::error::{Result, copy};
use crate::law::{ContactLaw, FrictionEnergy, FrictionMotion, NormalEnergy, NormalMotion};
use crate::math::{BodyRow, ContactId, Impulse, LaneSlot, Vec3};
use crate::solver::problem::Jacobian;
use crate::solver::{Contact, Row, Solver, Velocity};
use crate::tasks::{Tasks, reduce};
use crate::world::assemble::Assembly;
use crate::world::index::Index;
use crate::world::readback::ReadbackContext;
use crate::world::settings::Settings;
use crate::world::substeps::Substep;
use crate::world::surfaces::GivenMotion;

/// Contacts, or bodies, whose entries are summed at a time.
const PIECE: usize = 512;

/// The entries of a step so far [J]. Losses are positive where they take energy out of the world. `dry_step_report` of the C interface
/// documents each.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[allow(missing_docs)]
pub struct Ledger {
    pub elastic: f64,
    pub friction_loss: f64,
    pub rolling_loss: f64,
    pub impact_loss: f64,
    pub damping_loss: f64,
    pub wall_work: f64,
    pub joint_work: f64,
    pub force_work: f64,
    pub numerical: f64,
}

impl Ledger {
    /// Returns the sums of the entries; elastic energies add up too.
    pub(in crate::world) fn plus(self, other: Self) -> Self {
        Self {
            elastic: self.elastic + other.elastic,
            friction_loss: self.friction_loss + other.friction_loss,
            rolling_loss: self.rolling_loss + other.rolling_loss,
            impact_loss: self.impact_loss + other.impact_loss,
            damping_loss: self.damping_loss + other.damping_loss,
            wall_work: self.wall_work + other.wall_work,
            joint_work: self.joint_work + other.joint_work,
            force_work: self.force_work + other.force_work,
            numerical: self.numerical + other.numerical,
        }
    }
}

/// The entries of a step while it runs, and its scratch buffer.
#[derive(Debug, Default)]
pub(in crate::world) struct LedgerWorkspace {
    pub(in crate::world) entries: Ledger,
    /// The motion of each row at the start of the substep.
    pub(in crate::world) motion: Vec<Motion>,
}

/// What the entries of a stage follow from, once it is solved and before the bodies have moved.
pub(in crate::world) struct LedgerInput<'a> {
    pub(in crate::world) tasks: &'a dyn Tasks,
    pub(in crate::world) settings: &'a Settings,
    pub(in crate::world) substep: &'a Substep,
    pub(in crate::world) gravity: &'a Vec3,
    pub(in crate::world) context: ReadbackContext<'a>,
    pub(in crate::world) contact_list: &'a ContactList,
    pub(in crate::world) index: &'a Index,
    pub(in crate::world) assembly: &'a Assembly,
    pub(in crate::world) solver: &'a Solver,
    /// The motion of each row that takes part, at the start of the stage.
    pub(in crate::world) motion: &'a [Motion],
    pub(in crate::world) given: &'a GivenMotion,
}

impl LedgerWorkspace {
    /// Begins a step.
    pub(in crate::world) fn begin(&mut self) {
        self.entries = Ledger::default();
    }

    /// Keeps the motion of the rows, from which they will drift.
    pub(in crate::world) fn keep(&mut self, motion: &[Motion]) -> Result<()> {
        copy(&mut self.motion, motion, "bodies")
    }
}

impl Ledger {
    /// Adds what the contacts of a stage by this law did, and the walls, joints and forces over its `duration` [s]. Returns the elastic
    /// energy before the stage, and sets that behind it.
    pub(in crate::world) fn add_stage<Law: ContactLaw>(&mut self, input: &LedgerInput, duration: f64) -> f64 {
        let LedgerInput { tasks, solver, motion, .. } = *input;
        let law = Law::new(&input.settings.law(input.substep.length, input.substep.step));
        let nothing = (Self::default(), 0.0);
        let join = |(sum, before): (Self, f64), (more, also): (Self, f64)| (sum.plus(more), before + also);
        let contacts = solver.lane_of().len();
        let (of_contacts, before) = reduce(tasks, PIECE, contacts, nothing, |range| input.contacts(&law, range), join);
        let of_bodies =
            reduce(tasks, PIECE, motion.len(), Self::default(), |rows| input.bodies(duration, rows), Self::plus);
        if !Law::IS_IMPACT {
            self.elastic = 0.0;
        }
        *self = self.plus(of_contacts).plus(of_bodies);
        self.joint_work += input.joints();
        before
    }

    /// Adds what the bodies gained between two motions of their rows without any force: by displacements, by the quadrature of gravity, and
    /// by the drift. `velocities` are those with which the first of both would have gone on.
    pub(in crate::world) fn add_drift(&mut self, drifted: &DriftedBodies) {
        let of = |rows: Range<usize>| rows.map(|row| drifted.gain(row)).sum::<f64>();
        self.numerical += reduce(drifted.tasks, PIECE, drifted.after.len(), 0.0, of, |a, b| a + b);
    }
}

/// Bodies that moved without a force.
pub(in crate::world) struct DriftedBodies<'a> {
    pub(in crate::world) tasks: &'a dyn Tasks,
    pub(in crate::world) bodies: &'a Bodies,
    pub(in crate::world) gravity: &'a Vec3,
    /// The slot of each row.
    pub(in crate::world) slots: &'a [u32],
    /// The motion of each row before, without its velocities; these velocities; then the motion after.
    pub(in crate::world) before: &'a [Motion],
    pub(in crate::world) velocities: &'a [Velocity],
    pub(in crate::world) after: &'a [Motion],
}

impl DriftedBodies<'_> {
    /// Returns what a body gained [J].
    fn gain(&self, row: usize) -> f64 {
        let (Some(before), Some(velocity)) = (self.before.get(row), self.velocities.get(row)) else { return 0.0 };
        let (slot, after) = (self.slots[row] as usize, &self.after[row]);
        let mass = &self.bodies.mass[slot];
        let kicked = Motion { linear: velocity.linear, angular: velocity.angular, ..*before };
        let raised =
            -mass.mass * self.bodies.traits[slot].gravity_scale * self.gravity.dot(&(after.center - before.center));
        raised + (after.kinetic_energy(mass) - kicked.kinetic_energy(mass))
    }
}

/// Returns the mean of two velocities.
fn mean(one: &Velocity, other: &Velocity) -> Velocity {
    Velocity { linear: 0.5 * (one.linear + other.linear), angular: 0.5 * (one.angular + other.angular) }
}

/// A contact with the velocities of b relative to a at the start of a stage, and the mean of these and those at its end [m/s]. Along the
/// normal they are those of the image of b.
struct MovedContact {
    number: ContactId,
    slot: LaneSlot,
    contact: Contact,
    impulse: Impulse,
    before: Vec3,
    mean: Vec3,
    /// How surfaces move over their bodies, and the image of b over b, in the tangent plane.
    belt: Vec3,
}

impl MovedContact {
    /// Returns the friction of a contact of this stiffness, which would stick at `stick_velocity`.
    fn friction(&self, stiffness: f64, stick_velocity: Vec3) -> FrictionMotion {
        let Self { belt, impulse: Impulse { tangential: impulse, .. }, .. } = *self;
        let normal = &self.contact.normal;
        let [before, mean] = [self.before, self.mean].map(|velocity| velocity - normal * normal.dot(&velocity));
        let velocity_after = 2.0 * mean - before;
        FrictionMotion { stiffness, impulse, stick_velocity, sliding: before + belt, belt, velocity_after }
    }
}

impl LedgerInput<'_> {
    /// Returns the velocity of a row before the stage, and the mean of that and the one after it.
    fn velocities(&self, row: BodyRow) -> [Velocity; 2] {
        let after = self.solver.velocities().get(row.index()).copied().unwrap_or(Velocity::ZERO);
        let before = self.motion.get(row.index());
        let before = before.map_or(after, |motion| Velocity { linear: motion.linear, angular: motion.angular });
        [before, mean(&before, &after)]
    }

    /// Returns what the forces on some rows and the walls among them did in a stage of this `duration` [s].
    fn bodies(&self, duration: f64, rows: Range<usize>) -> Ledger {
        let mut sum = Ledger::default();
        let totals = self.assembly.contact_impulses(self.solver);
        for row in rows {
            let [before, mean] = self.velocities(row.into());
            if self.assembly.masses[row].is_immovable() {
                let Velocity { linear, angular } = &totals[row];
                sum.wall_work -= linear.dot(&mean.linear) + angular.dot(&mean.angular);
            } else if duration > 0.0 {
                self.add_forces(row, duration, [&before, &mean], &mut sum);
            }
        }
        sum
    }

    /// Adds the work of gravity, of the host's forces and of the damping of a body.
    fn add_forces(&self, row: usize, duration: f64, [before, mean]: [&Velocity; 2], sum: &mut Ledger) {
        let bodies = self.context.bodies;
        let slot = self.index.active()[row] as usize;
        let (mass, traits, wrench) = (&bodies.mass[slot], &bodies.traits[slot], bodies.wrench(slot));
        let done = |force: &Vec3, torque: &Vec3| duration * (force.dot(&mean.linear) + torque.dot(&mean.angular));
        let weight = mass.mass * traits.gravity_scale * self.gravity;
        // What the body sinks by is counted when it has moved.
        sum.numerical += done(&weight, &Vec3::zeros());
        sum.force_work += done(&wrench.force, &wrench.torque);
        if traits.linear_damping > 0.0 || traits.angular_damping > 0.0 {
            let kicked = &self.assembly.velocities[row];
            let inertia = mass.world_inertia(&self.motion[row].rotation);
            let gained = mass.mass * (kicked.linear - before.linear).dot(&mean.linear)
                + inertia.times(&(kicked.angular - before.angular)).dot(&mean.angular);
            sum.damping_loss -= gained - done(&(weight + wrench.force), &wrench.torque);
        }
    }

    /// Returns the work of the rows of joints on the bodies that they move.
    fn joints(&self) -> f64 {
        let Assembly { joints, listed, masses, .. } = self.assembly;
        let side = |row: BodyRow, jacobian: &Jacobian| match masses.get(row.index()) {
            Some(mass) if !mass.is_immovable() => jacobian.dot(&self.velocities(row)[1]),
            _ => 0.0,
        };
        let work = |(row, impulse): (&Row, &f64)| {
            impulse * (side(row.body_a, &row.jacobian_a) + side(row.body_b, &row.jacobian_b))
        };
        joints.rows.iter().zip(&listed.rows).map(work).sum()
    }

    /// Returns the entries of some contacts, and their elastic energy before the stage.
    fn contacts<Law: ContactLaw>(&self, law: &Law, range: Range<usize>) -> (Ledger, f64) {
        let (mut sum, mut before) = (Ledger::default(), 0.0);
        let mut mixing = self.context.mixing();
        for number in ContactId::range(range) {
            before += self.add_contact(law, number, &mut mixing, &mut sum);
        }
        (sum, before)
    }

    /// Returns the energies of a contact that yields.
    fn stored<Law: ContactLaw>(
        &self,
        law: &Law,
        moved: &MovedContact,
        mixing: &mut Mixing,
    ) -> (NormalEnergy, FrictionEnergy) {
        let Self { contact_list, index, assembly, .. } = self;
        let MovedContact { number, slot, contact, impulse, before, mean, .. } = moved;
        let record = &contact_list.records[index.places()[*number]];
        let [velocity, along] = [before, mean].map(|velocity| contact.normal.dot(velocity));
        let normal = law.normal_energy(&NormalMotion {
            gap: assembly.buffer.points[slot.batch()].gap.0[slot.lane()],
            round_off: assembly.states[slot.batch()].round_off.0[slot.lane()],
            stiffness: self.context.surface(record, contact_list, mixing).stiffness,
            damping: self.context.damping(record, mixing),
            velocity,
            velocity_after: 2.0 * along - velocity,
            impulse: impulse.normal,
        });
        if !Law::HAS_FRICTION_MEMORY {
            return (normal, FrictionEnergy::default());
        }
        let stiffness = mixing.of(self.context.materials_of(record)).pair.tangential_stiffness;
        (normal, law.friction_energy(&moved.friction(stiffness, assembly.buffer.stick_velocity(*slot))))
    }

    /// Adds the entries of a contact. Returns its elastic energy before the stage.
    fn add_contact<Law: ContactLaw>(&self, law: &Law, number: ContactId, mixing: &mut Mixing, sum: &mut Ledger) -> f64 {
        let Self { index, assembly, solver, .. } = self;
        let slot = solver.lane_of()[number];
        let rows = index.rows_of(number);
        let (contact, impulse) = (assembly.buffer.contact(slot, rows), assembly.buffer.impulses[slot.index()]);
        let torque = assembly.torques.get(LaneSlot::index(slot)).copied().unwrap_or_default();
        let [[a_before, a], [b_before, b]] = rows.map(|row| self.velocities(row));
        let place = index.places()[number];
        let image = self.given.images.along(place, &contact.normal);
        let u = contact.relative_velocity(&a, &b) + image * contact.normal;
        let along = contact.normal.dot(&u);
        let pushed = impulse.normal * along;
        let arms = [&contact.arm_a, &contact.arm_b];
        let belt = self.given.slip(place, rows, arms, &contact.normal).unwrap_or_default();
        // Surfaces that move over their bodies do work: what slides, slides on them. So do images that move.
        let carried = impulse.tangential.dot(&belt);
        sum.wall_work -= carried + impulse.normal * image;
        let slid = impulse.tangential.dot(&u) + carried;
        let turned = torque.dot(&(b.angular - a.angular));
        if Law::IS_COMPLIANT {
            let before = contact.relative_velocity(&a_before, &b_before) + image * contact.normal;
            let moved = MovedContact { number, slot, contact, impulse, before, mean: u, belt };
            let (along, across) = self.stored(law, &moved, mixing);
            let lost = if Law::HAS_FRICTION_MEMORY { across.slid } else { -slid };
            sum.friction_loss += lost;
            sum.rolling_loss -= turned;
            sum.damping_loss += along.damped;
            sum.elastic += along.after + across.after;
            sum.numerical += along.after - along.before + pushed + along.damped;
            sum.numerical += across.after - across.before + slid + lost;
            return along.before + across.before;
        }
        if Law::IS_IMPACT {
            sum.impact_loss -= pushed + slid + turned;
        } else {
            sum.impact_loss -= pushed;
            sum.friction_loss -= slid;
            sum.rolling_loss -= turned;
        }
        0.0
    }
}
