//! The only translator between bodies and solver rows: what is known of bodies and contacts becomes the one problem,
//! and its answer becomes impulses of contacts and forces on bodies.

use crate::body::{Kick, Wrench};
use crate::contact::Touch;
use crate::error::{Result, reserve, resize};
use crate::law::rigid::{Approach, OVERLAP_FRACTION, Rigid, cushion, overlap, round_off_gap};
use crate::math::Vec3;
use crate::solver::{Contact, Friction, Impulse, Impulses, MassInverse, Problem, Velocity};
use crate::world::detect::Place;
use crate::world::report::Report;
use crate::world::settings::{Projection, WarmStart};
use crate::world::state::{Workspace, World};

/// The problem of a step; arrays parallel to the rows of bodies or to the contacts of the solver, as the index has them.
#[derive(Debug, Default)]
pub(in crate::world) struct Assembly {
    masses: Vec<MassInverse>,
    velocities: Vec<Velocity>,
    contacts: Vec<Contact>,
    impulses: Impulses,
    /// `phi_0` of each contact [m].
    round_off: Vec<f64>,
    /// What the position pass has to open, per contact [m].
    targets: Vec<f64>,
}

impl World {
    /// Turns bodies and contacts into the problem of a step of `h` seconds. Returns the key that follows the last one
    /// given to a new contact.
    pub(in crate::world) fn assemble(&mut self, h: f64, report: &mut Report) -> Result<u64> {
        let next_key = self.inherit(report)?;
        self.roster.arrange(&self.bodies, &self.sleep)?;
        let work = &mut self.workspace;
        work.index.make(&self.roster, self.bodies.slots(), &work.contacts)?;
        self.assemble_bodies(h)?;
        self.assemble_contacts(h)?;
        Ok(next_key)
    }

    /// Keys and impulses of the last step's contacts go to the ones that continue them.
    fn inherit(&mut self, report: &mut Report) -> Result<u64> {
        let Workspace { detector, contacts, before, .. } = &mut self.workspace;
        let places = detector.places();
        let radius = |slot: u32| places[slot as usize].radius;
        // A tenth of the smaller body: further apart, two points of a face are two contacts.
        let reach = |touch: &Touch| 0.1 * radius(touch.body_a).min(radius(touch.body_b));
        let (sleep, memory) = (&self.sleep, &self.memory);
        let (fresh, next_key) = if sleep.roused.is_empty() {
            memory.inherit(contacts, reach)?
        } else {
            sleep.recall(&memory.contacts, memory.step, &self.bodies.registry, before)?;
            memory.inherit_from(before, contacts, reach)?
        };
        report.new_contacts = fresh;
        Ok(next_key)
    }

    /// `M^-1` and `vhat` of every row. What takes no part is at rest, and impulses do not move it.
    fn assemble_bodies(&mut self, h: f64) -> Result<()> {
        let bodies = &self.bodies;
        let assembly = &mut self.workspace.assembly;
        let (rows, active) = (self.workspace.index.slots().len(), self.workspace.index.active());
        assembly.masses.clear();
        reserve(&mut assembly.masses, rows, "bodies")?;
        assembly.velocities.clear();
        reserve(&mut assembly.velocities, rows, "bodies")?;
        for slot in active {
            let at = *slot as usize;
            let (motion, mass, traits) = (&bodies.motion[at], &bodies.mass[at], &bodies.traits[at]);
            let angular = mass.world_inverse(&motion.rotation);
            let kick = Kick {
                gravity: traits.gravity_scale * self.gravity,
                wrench: bodies.wrench[at],
                linear_damping: traits.linear_damping,
                angular_damping: traits.angular_damping,
            };
            let (linear, spin) = motion.kicked(mass, &angular, &kick, h);
            assembly.masses.push(MassInverse { linear: mass.inverse_mass, angular });
            assembly.velocities.push(Velocity { linear, angular: spin });
        }
        resize(&mut assembly.masses, rows, MassInverse::ZERO, "bodies")?;
        resize(&mut assembly.velocities, rows, Velocity::ZERO, "bodies")
    }

    /// One row block for each contact.
    fn assemble_contacts(&mut self, h: f64) -> Result<()> {
        let law = Rigid {
            step: h,
            restitution_threshold: self.settings.restitution_threshold,
            push_out_velocity: (!self.settings.position_projection).then_some(self.settings.push_out_velocity),
        };
        let stretch = if self.memory.step > 0.0 { h / self.memory.step } else { 0.0 };
        let bodies = &self.bodies;
        let work = &mut self.workspace;
        let places = work.detector.places();
        let assembly = &mut work.assembly;
        assembly.reserve_contacts(work.contacts.len())?;
        let stick = self.settings.projection == Projection::Stick;
        let compatible = self.settings.warm_start == WarmStart::Compatible;
        let shaky = self.memory.residual > CALM * h * self.gravity.norm();
        for place in work.index.contacts() {
            let place = *place as usize;
            let rocking = rocks(&work.contacts, place);
            let friction_memory = if shaky && rocking { SHAKY_FRICTION } else { 1.0 };
            let touch = &mut work.contacts[place];
            let (row_a, row_b) = (work.index.row(touch.body_a), work.index.row(touch.body_b));
            let (a, b) = (touch.body_a as usize, touch.body_b as usize);
            let round_off = round_off_gap(reach(&places[a], &places[b]));
            let now =
                |slot: usize| Velocity { linear: bodies.motion[slot].linear, angular: bodies.motion[slot].angular };
            let mut contact = Contact {
                body_a: row_a,
                body_b: row_b,
                normal: touch.normal,
                arm_a: touch.arm_a,
                arm_b: touch.arm_b,
                normal_bias: 0.0,
                surface_velocity: Vec3::zeros(),
                normal_compliance: 0.0,
                tangential_compliance: 0.0,
                friction: touch.friction,
                rolling: touch.rolling,
                twisting: touch.twisting,
            };
            let along = |v_a: &Velocity, v_b: &Velocity| touch.normal.dot(&contact.relative_velocity(v_a, v_b));
            let approach = Approach {
                gap: touch.gap,
                round_off: if stick && touch.normal_impulse > 0.0 {
                    round_off.max(SETTLED * size(&places[a]).max(size(&places[b])))
                } else {
                    round_off
                },
                velocity: along(&now(a), &now(b)),
                kicked_velocity: along(&assembly.velocities[row_a as usize], &assembly.velocities[row_b as usize]),
                restitution: touch.restitution,
            };
            let (bias, rebounds) = law.bias(&approach);
            contact.normal_bias = bias;
            touch.rebounds = rebounds;
            assembly.contacts.push(contact);
            assembly.round_off.push(round_off);
            assembly.impulses.contacts.push(if rebounds {
                Impulse::ZERO
            } else {
                remembered(touch, stretch, friction_memory, compatible)
            });
        }
        Ok(())
    }

    /// Writes the answer to the contacts, and the sum of the contact forces to the bodies.
    pub(in crate::world) fn disassemble(&mut self, h: f64) -> Result<()> {
        self.reserve_step()?;
        let work = &mut self.workspace;
        let relative = work.solver.relative_velocities();
        let answers = work.assembly.contacts.iter().zip(&work.assembly.impulses.contacts).zip(relative);
        for (place, ((row, impulse), u)) in work.index.contacts().iter().zip(answers) {
            let touch = &mut work.contacts[*place as usize];
            touch.normal_impulse = impulse.normal;
            touch.friction_impulse = impulse.tangential;
            touch.torque_impulse = impulse.torque;
            (touch.compatible_normal, touch.compatible_friction) = (impulse.normal, impulse.tangential);
            touch.relative_velocity = u.linear;
            if touch.resists_turning() {
                let mass = |row: u32| &work.assembly.masses[row as usize];
                let across = u.angular - touch.normal.dot(&u.angular) * touch.normal;
                touch.rolling_speed = across.norm() * row.measure(mass(row.body_a), mass(row.body_b)).length;
            }
        }
        for (place, impulse) in work.index.contacts().iter().zip(&work.correction.compatible) {
            let touch = &mut work.contacts[*place as usize];
            (touch.compatible_normal, touch.compatible_friction) = (impulse.normal, impulse.tangential);
        }
        let totals = work.solver.total_impulses();
        work.wrenches.clear();
        reserve(&mut work.wrenches, totals.len(), "bodies")?;
        let mean = |total: &Velocity| Wrench { force: total.linear / h, torque: total.angular / h };
        work.wrenches.extend(totals.iter().map(mean));
        Ok(())
    }

    /// The displacements of the position pass, one for each row, or none at all.
    pub(in crate::world) fn undo_overlap(&mut self, h: f64, residual: f64) -> Result<()> {
        let most = h * self.settings.push_out_velocity;
        let cushion = cushion(residual, h, self.settings.contact_margin);
        let position_projection = self.settings.position_projection;
        let work = &mut self.workspace;
        let targets = &mut work.assembly.targets;
        targets.clear();
        if position_projection {
            reserve(targets, work.contacts.len(), "contacts")?;
            targets.extend(work.index.contacts().iter().zip(&work.assembly.round_off).map(|(place, round_off)| {
                let place = *place as usize;
                let touch = &work.contacts[place];
                // What is left at the end of the step: a contact that opens by itself is not helped.
                let gap = touch.gap + h * touch.normal.dot(&touch.relative_velocity);
                let spared = if rocks(&work.contacts, place) { cushion } else { 0.0 };
                let deep = overlap(gap, round_off + spared);
                if deep > 0.0 { (OVERLAP_FRACTION * deep).min(most) } else { -gap.max(0.0) }
            }));
        }
        work.solver.displace(&work.assembly.targets)
    }
}

impl Assembly {
    /// The problem, and the impulses to start from and to answer with.
    pub(in crate::world) fn problem(&mut self, friction: Friction) -> (Problem<'_>, &mut Impulses) {
        let problem = Problem {
            masses: &self.masses,
            velocities: &self.velocities,
            contacts: &self.contacts,
            rows: &[],
            friction,
        };
        (problem, &mut self.impulses)
    }

    /// Whether the velocity of a row is finite before the contacts act.
    pub(in crate::world) fn is_finite(&self, row: usize) -> bool {
        let Velocity { linear, angular } = &self.velocities[row];
        linear.iter().chain(angular.iter()).all(|value| value.is_finite())
    }

    fn reserve_contacts(&mut self, count: usize) -> Result<()> {
        self.contacts.clear();
        self.impulses.contacts.clear();
        self.round_off.clear();
        reserve(&mut self.contacts, count, "contacts")?;
        reserve(&mut self.impulses.contacts, count, "contacts")?;
        reserve(&mut self.round_off, count, "contacts")
    }
}

/// With the stick projection a contact that carried load touches still when it opened by less than this part of the larger
/// body [-].
///
/// The contacts of a pile never open alike. Taken for gaps, differences of 1e-12 m decide which of them carry the load and
/// contradict each other as constraints, and what the position pass leaves of them from step to step keeps a wall of boxes
/// moving at 1e-9 m/s.
const SETTLED: f64 = 1e-9;

/// The radius of what is bounded [m].
fn size(place: &Place) -> f64 {
    if place.radius.is_finite() { place.radius } else { 0.0 }
}

/// `|x_A| + |x_B| + size` of a pair: what the round-off of its gap is in proportion to [m].
fn reach(a: &Place, b: &Place) -> f64 {
    a.pose.origin.norm() + b.pose.origin.norm() + size(a) + size(b)
}

/// Whether two bodies that touch here touch elsewhere too, so that one can rock on the other. `contacts` are sorted.
fn rocks(contacts: &[Touch], index: usize) -> bool {
    let pair = contacts[index].pair();
    let same = |other: Option<&Touch>| other.is_some_and(|other| other.pair() == pair);
    same(contacts.get(index + 1)) || same(index.checked_sub(1).and_then(|before| contacts.get(before)))
}

/// How much of their friction and torques two bodies remember that touch at several points, while the sweeps do not
/// converge [-].
///
/// The friction of one face has many solutions that hold alike, and what truncated sweeps make of it shakes a stack: with
/// all of it remembered a column of 20 boxes keeps 100 J at 10 sweeps and walks 0.2 m in ten seconds. With half, it comes
/// to 5 mJ. Normals are remembered whole.
const SHAKY_FRICTION: f64 = 0.5;

/// Below this part of the speed that gravity gives in a step, a residual is that of sweeps which converge [-]. Then all
/// friction is remembered, and a block on a slope stays where it is.
const CALM: f64 = 1e-4;

/// The impulse of the step before, friction turned into the new tangent plane, scaled to the new step length. A torque is
/// kept whole: what of it rolls and what twists is told by the new normal.
fn remembered(touch: &Touch, stretch: f64, friction_memory: f64, compatible: bool) -> Impulse {
    let (normal, friction) = if compatible {
        (touch.compatible_normal, touch.compatible_friction)
    } else {
        (touch.normal_impulse, touch.friction_impulse)
    };
    let friction = friction_memory * friction;
    let tangential = friction - touch.normal.dot(&friction) * touch.normal;
    let torque = if touch.resists_turning() { friction_memory * touch.torque_impulse } else { Vec3::zeros() };
    Impulse { normal, tangential, torque }.scaled(stretch)
}
