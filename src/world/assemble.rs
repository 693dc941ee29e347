//! The only translator between bodies and solver rows: what is known of bodies and contacts becomes the one problem,
//! and its answer becomes impulses of contacts and forces on bodies.

use std::hint::select_unpredictable;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::body::{Kick, Motion, Wrench};
use crate::collide::Ball;
use crate::contact::memory::NONE;
use crate::contact::{Carried, Loads, Memory, Shared, Total, Touch, Turned};
use crate::error::{Result, resize};
use crate::law::rigid::{Approach, OVERLAP_FRACTION, Rigid, cushion, overlap, round_off_gap};
use crate::math::lanes::prefetch_one_of;
use crate::math::{Vec3, are_finite};
use crate::solver::{
    Aim, Aims, Besides, Contact, Friction, Impulse, Impulses, MassInverse, Problem, Relative, Velocity,
};
use crate::tasks::{Tasks, each_pair_of_pieces, each_piece, each_triple_of_pieces, reduce};
use crate::world::index::Index;
use crate::world::report::Report;
use crate::world::settings::{Projection, Settings, WarmStart};
use crate::world::state::{BODIES_AHEAD, BODIES_PER_PIECE, Workspace, World};
use crate::world::substeps::Substep;

/// The problem of a substep; arrays parallel to the rows of bodies or to the contacts of the solver, as the index has them.
#[derive(Debug, Default)]
pub(in crate::world) struct Assembly {
    masses: Vec<MassInverse>,
    velocities: Vec<Velocity>,
    pub(in crate::world) contacts: Vec<Contact>,
    /// One for each contact, or none where nothing resists turning.
    besides: Vec<Besides>,
    impulses: Impulses,
    pub(in crate::world) terms: Vec<Terms>,
    /// Whether any of them says that its contact rebounds.
    any_rebounds: bool,
    /// One for each row.
    sites: Vec<Site>,
}

/// What the contacts of a body ask of it besides its velocity.
#[derive(Debug, Clone, Copy, Default)]
struct Site {
    /// Distance from the origin plus size, to which the round-off of gaps is in proportion [m].
    reach: f64,
    /// No point of it is faster at the start of the substep [m/s].
    pace: f64,
}

/// What the law makes of a contact besides its row.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::world) struct Terms {
    /// `phi_0` [m].
    round_off: f64,
    /// `phi` at the start of the present substep [m].
    pub(in crate::world) gap: f64,
    /// The multiplier from which the position pass starts [kg m].
    push: f64,
    /// Whether this substep solves it as an impact.
    rebounds: bool,
    /// Whether it starts from what it carried in the substep before, if it was there: from no impact, and into none.
    resumes: bool,
    /// Whether its bodies touch elsewhere too, so that one can rock on the other.
    rocks: bool,
}

/// So many contacts ahead what is read out of order is asked for.
const AHEAD: usize = 6;

/// Contacts that are assembled at a time.
const CONTACTS_PER_PIECE: usize = 512;

impl World {
    /// Turns bodies and contacts into the problem of a substep.
    pub(in crate::world) fn assemble(&mut self, substep: &Substep) -> Result<()> {
        if !substep.is_first {
            self.follow_gaps(substep);
        }
        self.assemble_bodies(substep.length)?;
        self.assemble_contacts(substep)
    }

    /// Keys and impulses of the last step's contacts go to the ones that continue them. Returns the key that follows the
    /// last one given to a new contact.
    pub(in crate::world) fn inherit(&mut self, report: &mut Report) -> Result<u64> {
        let (sleep, memory) = (&self.sleep, &self.memory);
        let Workspace { detector, contacts, origins, before, spans, .. } = &mut self.workspace;
        let shared = Shared { tasks: &*self.tasks, spans };
        let places = detector.places();
        let radius = |slot: u32| places[slot as usize].radius;
        // A tenth of the smaller body: further apart, two points of a face are two contacts.
        let reach = |touch: &Touch| 0.1 * radius(touch.body_a).min(radius(touch.body_b));
        let (fresh, next_key) = if sleep.roused.is_empty() {
            memory.inherit(&memory.contacts, (contacts, origins), reach, shared)?
        } else {
            let (touches, loads) = before;
            sleep.recall(memory, &self.removed, (&mut *touches, loads))?;
            memory.inherit(touches, (contacts, origins), reach, shared)?
        };
        report.new_contacts = fresh;
        Ok(next_key)
    }

    /// Gives rows to the bodies of the step, and an order to its contacts.
    pub(in crate::world) fn order(&mut self) -> Result<()> {
        self.roster.arrange(&self.bodies, &self.sleep, &*self.tasks)?;
        let Workspace { index, contacts, origins, .. } = &mut self.workspace;
        let continued = self.sleep.roused.is_empty() && self.memory.is_continued(origins);
        index.make(&self.roster, self.bodies.slots(), (contacts, continued), &*self.tasks)
    }

    /// `M^-1` and `vhat` of every row, and its site. What takes no part in the step is at rest, and impulses do not move it.
    fn assemble_bodies(&mut self, h: f64) -> Result<()> {
        let (bodies, gravity) = (&self.bodies, self.gravity);
        let Workspace { assembly, detector, motion: present, index, .. } = &mut self.workspace;
        let (places, margin) = (detector.places(), self.settings.contact_margin);
        let (count, active) = (index.slots().len(), index.active());
        // those that take part are written over
        assembly.masses.truncate(active.len());
        resize(&mut assembly.masses, count, MassInverse::ZERO, "bodies")?;
        assembly.velocities.truncate(active.len());
        resize(&mut assembly.velocities, count, Velocity::ZERO, "bodies")?;
        assembly.sites.truncate(count);
        resize(&mut assembly.sites, count, Site::default(), "bodies")?;
        let (sites, resting) = assembly.sites.split_at_mut(active.len());
        for (site, slot) in resting.iter_mut().zip(&index.slots()[active.len()..]) {
            *site = Site::resting(&places[*slot as usize]);
        }
        let rows = (&mut assembly.masses[..active.len()], &mut assembly.velocities[..active.len()], sites);
        each_triple_of_pieces(&*self.tasks, BODIES_PER_PIECE, rows, |first, masses, velocities, sites| {
            for (row, ((inverse, velocity), site)) in (first..).zip(masses.iter_mut().zip(velocities).zip(sites)) {
                let slot = active[row] as usize;
                bodies.ask_ahead(active.get(row + BODIES_AHEAD), active.get(row + 2 * BODIES_AHEAD));
                let (motion, mass, traits) = (&present[row], &bodies.mass[slot], &bodies.traits[slot]);
                // read where it is, as far as it is the body's own: a copy would wait for its own stores
                let turned;
                let angular = match mass.constant_inverse() {
                    Some(constant) => constant,
                    None => {
                        turned = mass.world_inverse(&motion.rotation);
                        &turned
                    }
                };
                let kick = Kick {
                    gravity: traits.gravity_scale * gravity,
                    wrench: *bodies.wrench(slot),
                    linear_damping: traits.linear_damping,
                    angular_damping: traits.angular_damping,
                };
                (velocity.linear, velocity.angular) = motion.kicked(mass, angular, &kick, h);
                (inverse.linear, inverse.angular) = (mass.inverse_mass, *angular);
                *site = Site::moving(&places[slot], motion, &mass.center, margin);
            }
        });
        Ok(())
    }

    /// The bias of each contact and the impulse to start from. Their rows are those of the first substep.
    fn assemble_contacts(&mut self, substep: &Substep) -> Result<()> {
        let law = self.law(substep.length);
        let recall = self.recall(substep);
        let stick = self.settings.projection == Projection::Stick;
        let Workspace { detector, contacts, origins, loads, before, assembly, motion, index, .. } = &mut self.workspace;
        let before = match (substep.is_first, self.sleep.roused.is_empty()) {
            (true, true) => &self.memory.loads,
            (true, false) => &before.1,
            (false, _) => &*loads,
        };
        // beyond all of them for a contact that was not there
        let origin = |place: usize| if substep.is_first { origins[place] as usize } else { place };
        let places = detector.places();
        if substep.is_first {
            assembly.resize_contacts(contacts.len())?;
        }
        let Assembly { contacts: rows, besides, impulses, terms, sites, velocities, any_rebounds, .. } = assembly;
        // those of the substeps are as those of the first
        let turning = AtomicBool::new(!substep.is_first && !loads.turned.is_empty());
        let rebounding = AtomicBool::new(false);
        let pieces = (&mut rows[..], &mut impulses.contacts[..], &mut terms[..]);
        each_triple_of_pieces(&*self.tasks, CONTACTS_PER_PIECE, pieces, |first, rows, impulses, terms| {
            for (at, ((contact, impulse), term)) in rows.iter_mut().zip(impulses).zip(terms).enumerate() {
                let rank = first + at;
                let place = index.contacts()[rank] as usize;
                if let Some(soon) = index.contacts().get(rank + AHEAD) {
                    prefetch_one_of(contacts, *soon as usize);
                    prefetch_one_of(&before.carried, origin(*soon as usize));
                }
                let (touch, joined) = (&contacts[place], &index.joined()[rank]);
                let source = origin(place);
                let load = before.carried_of(source);
                if substep.is_first {
                    write_row(contact, touch, joined.rows);
                    if touch.resists_turning() {
                        turning.store(true, Ordering::Relaxed);
                    }
                }
                let (row_a, row_b) = (contact.body_a as usize, contact.body_b as usize);
                let (site_a, site_b) = (&sites[row_a], &sites[row_b]);
                if substep.is_first {
                    (term.round_off, term.gap) = (round_off_gap(site_a.reach + site_b.reach), touch.gap);
                    term.rocks = joined.rocks;
                }
                // what was pushed in a longer substep is not to be undone in a shorter one
                term.push = recall.stretch * load.push;
                let along = |v_a: &Velocity, v_b: &Velocity| touch.normal.dot(&contact.relative_velocity(v_a, v_b));
                // What an impact left is no load, and nothing to start from.
                let carried = load.normal_impulse > 0.0 && !load.rebounds;
                let size_of = |slot: u32| size(&places[slot as usize]);
                let settled =
                    if stick && carried { SETTLED * size_of(touch.body_a).max(size_of(touch.body_b)) } else { 0.0 };
                let round_off = term.round_off.max(settled);
                // bodies at rest are not asked how fast they approach
                let may_rebound = site_a.pace + site_b.pace > law.restitution_threshold;
                let approach = Approach {
                    gap: term.gap,
                    round_off,
                    velocity: if may_rebound { along(&now(motion, row_a), &now(motion, row_b)) } else { 0.0 },
                    // what touches is not asked whether it will, nor what does not rebound
                    kicked_velocity: if may_rebound && term.gap > round_off {
                        along(&velocities[row_a], &velocities[row_b])
                    } else {
                        0.0
                    },
                    restitution: touch.restitution,
                };
                (contact.normal_bias, term.rebounds) = law.bias(&approach);
                if term.rebounds {
                    rebounding.store(true, Ordering::Relaxed);
                }
                term.resumes = !(term.rebounds || load.rebounds);
                *impulse = match term.resumes {
                    true => recall.force(&touch.normal, load, (before, source), term.rocks),
                    false => Impulse::ZERO,
                };
            }
        });
        *any_rebounds = rebounding.into_inner();
        let turns = turning.into_inner();
        impulses.begin_turning(turns)?;
        let count = if turns { contacts.len() } else { 0 };
        besides.truncate(count);
        resize(besides, count, Besides::NONE, "contacts")?;
        let turning = (&mut besides[..], &mut impulses.torques[..]);
        recall.start_turning(turning, (contacts, index, terms), (before, origin), &*self.tasks);
        if substep.is_first { loads.begin_turning(turns) } else { Ok(()) }
    }

    /// The contact law of a substep of this length [s].
    fn law(&self, step: f64) -> Rigid {
        let Settings { restitution_threshold, position_projection, push_out_velocity, .. } = self.settings;
        Rigid { step, restitution_threshold, push_out_velocity: (!position_projection).then_some(push_out_velocity) }
    }

    /// What the impulses of the substep before are good for in this one.
    fn recall(&self, substep: &Substep) -> Recall {
        let Memory { step, substep: before, .. } = self.memory;
        let compatible = substep.is_first && self.settings.warm_start == WarmStart::Compatible;
        Recall {
            stretch: match substep.is_first {
                true if before > 0.0 => substep.length / before,
                true => 0.0,
                false => 1.0,
            },
            compatible: (compatible && step > 0.0).then_some(before / step),
            shaky: self.workspace.residual > SHAKY * substep.length * self.gravity.norm(),
        }
    }

    /// Writes the answer to the contacts, and where the step has parts adds its own to the mean of the contact forces on the bodies. Says whether all
    /// of these are finite.
    pub(in crate::world) fn disassemble(&mut self, substep: &Substep) -> bool {
        let Workspace { loads, origins, assembly, solver, index, wrenches, .. } = &mut self.workspace;
        let ranks = index.ranks();
        let Assembly { impulses, terms, any_rebounds, .. } = &*assembly;
        each_piece(&*self.tasks, CONTACTS_PER_PIECE, &mut loads.carried, |first, carried| {
            for (place, load) in (first..).zip(carried) {
                let rank = ranks[place] as usize;
                if let Some(soon) = ranks.get(place + AHEAD) {
                    let soon = *soon as usize;
                    prefetch_one_of(&impulses.contacts, soon);
                }
                let (impulse, rebounds) = (&impulses.contacts[rank], *any_rebounds && terms[rank].rebounds);
                let (Relative { velocity, .. }, push) = solver.answer(rank);
                // field by field: a copy of the whole would wait for what was written just before
                load.normal_impulse = impulse.normal;
                load.friction_impulse = impulse.tangential;
                load.push = push;
                load.relative_velocity = velocity;
                load.rebounds = rebounds;
                load.struck = rebounds || (!substep.is_first && load.struck);
                load.is_new = origins[place] == NONE;
            }
        });
        let (problem, impulses) = assembly.problem(self.settings.friction());
        each_piece(&*self.tasks, CONTACTS_PER_PIECE, &mut loads.turned, |first, turned| {
            for (place, turned) in (first..).zip(turned) {
                let rank = ranks[place] as usize;
                if let Some(soon) = ranks.get(place + AHEAD) {
                    prefetch_one_of(problem.besides, *soon as usize);
                    prefetch_one_of(&impulses.torques, *soon as usize);
                }
                *turned = if problem.besides(rank).resists_turning() {
                    let rolling_speed = solver.rolling_speed(&problem, rank);
                    Turned { torque_impulse: impulses.torque(rank), rolling_speed }
                } else {
                    Turned::NONE
                };
            }
        });
        let (totals, step) = (solver.total_impulses(), substep.step);
        if substep.is_whole() {
            let are_finite = |rows: Range<usize>| totals[rows].iter().all(|total| mean_wrench(total, step).is_finite());
            return reduce(&*self.tasks, BODIES_PER_PIECE, totals.len(), true, are_finite, |one, other| one && other);
        }
        let is_finite = AtomicBool::new(true);
        each_piece(&*self.tasks, BODIES_PER_PIECE, wrenches, |first, wrenches| {
            for (wrench, total) in wrenches.iter_mut().zip(&totals[first..]) {
                let mean = mean_wrench(total, step);
                // Added to a sum of nothing, minus zero would become zero.
                if substep.is_first {
                    *wrench = mean
                } else {
                    wrench.add(&mean)
                }
                if !wrench.is_finite() {
                    is_finite.store(false, Ordering::Relaxed);
                }
            }
        });
        is_finite.into_inner()
    }

    /// The displacements of the position pass, one for each row, or none at all.
    pub(in crate::world) fn undo_overlap(&mut self, h: f64) -> Result<()> {
        let most = h * self.settings.push_out_velocity;
        let cushion = cushion(self.workspace.residual, h, self.settings.contact_margin);
        let Workspace { assembly, solver, .. } = &mut self.workspace;
        if !self.settings.position_projection {
            solver.leave();
            return Ok(());
        }
        let undone = Undone { terms: &assembly.terms, h, most, cushion };
        solver.displace(&assembly.masses, &undone, SLIGHT * self.settings.contact_margin)
    }
}

/// How much overlap a substep undoes.
struct Undone<'a> {
    terms: &'a [Terms],
    /// Length of the substep [s].
    h: f64,
    /// No more at once [m].
    most: f64,
    /// What is left where bodies can rock [m].
    cushion: f64,
}

impl Aims for Undone<'_> {
    #[inline(always)]
    fn ask_ahead(&self, rank: usize) {
        prefetch_one_of(self.terms, rank);
    }

    #[inline(always)]
    fn of(&self, rank: usize, normal_velocity: f64) -> Aim {
        let Terms { round_off, gap, push, rocks, .. } = self.terms[rank];
        // What is left at the end of the substep: a contact that opens by itself is not helped.
        let gap = gap + self.h * normal_velocity;
        let deep = overlap(gap, round_off + if rocks { self.cushion } else { 0.0 });
        // three fifths of what rests overlap by a trace, in no order: picked, not branched to
        let target = select_unpredictable(deep > 0.0, (OVERLAP_FRACTION * deep).min(self.most), -gap.max(0.0));
        Aim { target, multiplier: push }
    }
}

impl Workspace {
    /// The mean contact force on a row over a step of `step` seconds, whose substeps are solved.
    #[inline(always)]
    pub(in crate::world) fn wrench(&self, row: usize, step: f64) -> Wrench {
        match self.wrenches.get(row) {
            Some(sum) => *sum,
            None => self.solver.total_impulses().get(row).map_or(Wrench::ZERO, |total| mean_wrench(total, step)),
        }
    }
}

impl Assembly {
    /// The problem, and the impulses to start from and to answer with.
    pub(in crate::world) fn problem(&mut self, friction: Friction) -> (Problem<'_>, &mut Impulses) {
        let problem = Problem {
            masses: &self.masses,
            velocities: &self.velocities,
            contacts: &self.contacts,
            besides: &self.besides,
            rows: &[],
            friction,
        };
        (problem, &mut self.impulses)
    }

    /// Whether the velocity of a row is finite before the contacts act.
    pub(in crate::world) fn is_finite(&self, row: usize) -> bool {
        let Velocity { linear, angular } = &self.velocities[row];
        are_finite([linear, angular])
    }

    /// Makes the impulses of the whole step those of the problem; `order` are the places of its contacts in the list.
    pub(in crate::world) fn sum_up(&mut self, order: &[u32], totals: &[Total]) {
        for (impulse, place) in self.impulses.contacts.iter_mut().zip(order) {
            if let Some(total) = totals.get(*place as usize) {
                *impulse = Impulse::force(total.normal, total.friction);
            }
        }
        for (torque, place) in self.impulses.torques.iter_mut().zip(order) {
            if let Some(total) = totals.get(*place as usize) {
                *torque = total.torque;
            }
        }
    }

    fn resize_contacts(&mut self, count: usize) -> Result<()> {
        self.contacts.truncate(count);
        resize(&mut self.contacts, count, NO_CONTACT, "contacts")?;
        self.impulses.contacts.truncate(count);
        resize(&mut self.impulses.contacts, count, Impulse::ZERO, "contacts")?;
        self.terms.truncate(count);
        resize(&mut self.terms, count, Terms::default(), "contacts")
    }
}

impl Site {
    /// Of a body that takes no part.
    fn resting(place: &Ball) -> Self {
        Self { reach: place.center.norm() + size(place), pace: 0.0 }
    }

    /// Of a body whose shape, with its origin at `place`, has the centre of mass `center` in body axes, and whose contacts are at most
    /// `margin` away [m].
    #[inline]
    fn moving(place: &Ball, motion: &Motion, center: &Vec3, margin: f64) -> Self {
        // from the centre of mass to the shape's origin, and from there to the surface
        let arm = center.norm() + place.radius + margin;
        let spin = motion.angular.norm();
        let turning = if spin == 0.0 { 0.0 } else { spin * arm };
        // more than round-off could add
        Self { pace: 1.001 * (motion.linear.norm() + turning), ..Self::resting(place) }
    }
}

/// What stands for a contact until it is written.
const NO_CONTACT: Contact = Contact {
    body_a: 0,
    body_b: 0,
    normal: Vec3::new(0.0, 0.0, 0.0),
    arm_a: Vec3::new(0.0, 0.0, 0.0),
    arm_b: Vec3::new(0.0, 0.0, 0.0),
    normal_bias: 0.0,
    friction: 0.0,
};

/// With the stick projection a contact that carried load touches still when it opened by less than this part of the larger
/// body [-].
///
/// The contacts of a pile never open alike. Taken for gaps, differences of 1e-12 m decide which of them carry the load and
/// contradict each other as constraints, and what the position pass leaves of them from step to step keeps a wall of boxes
/// moving at 1e-9 m/s.
const SETTLED: f64 = 1e-9;

/// What is left of overlap below this part of the contact margin is undone over several steps [-].
const SLIGHT: f64 = 1e-2;

/// The radius of what is bounded [m].
fn size(place: &Ball) -> f64 {
    if place.radius.is_finite() { place.radius } else { 0.0 }
}

/// How much of their friction and torques two bodies remember that touch at several points, while the sweeps are far from an
/// answer [-].
///
/// The friction of one face has many solutions that hold alike, and what truncated sweeps make of it shakes a stack: of all
/// of it a column of 10 boxes at 10 sweeps drifts by 81 mm in 10 s, of this much by 17 mm. Normals are remembered whole.
const SHAKY_FRICTION: f64 = 0.65;

/// Above this part of the speed that gravity gives in a step, a residual is that of sweeps far from an answer [-]. Near one all
/// friction is remembered: forgetting it would keep a stack in the motion that forgetting is against. A wall of 210 boxes at 50
/// sweeps with 1e-4 drifts by 0.2 to 8 mm in 10 s, as the order of the points within its faces has it; with 0.01 to 0.3 by at
/// most 0.4 mm, in three orders and on two floors. Columns of 10 and 20 boxes are stillest, on the whole, with 0.03.
const SHAKY: f64 = 0.03;

/// What the impulses of the substep before are good for.
struct Recall {
    /// This substep's length over that one's [-].
    stretch: f64,
    /// `Some`: start from the corrected impulses of the step before; the part of it that its last substep was [-].
    compatible: Option<f64>,
    /// Whether the sweeps were far from an answer.
    shaky: bool,
}

impl Recall {
    /// How much of friction and torques is remembered.
    #[inline]
    fn friction_memory(&self, rocking: bool) -> f64 {
        if self.shaky && rocking { SHAKY_FRICTION } else { 1.0 }
    }

    /// The impulse of the substep before, whose `load` that was, friction turned into the new tangent plane, scaled to the new length.
    #[inline]
    fn force(&self, axis: &Vec3, load: &Carried, (before, source): (&Loads, usize), rocking: bool) -> Impulse {
        let (normal, friction) = match self.compatible {
            // what an impact left is no load
            Some(_) if load.struck => (0.0, Vec3::zeros()),
            Some(part) => {
                let compatible = before.compatible_of(source);
                (part * compatible.normal, part * compatible.friction)
            }
            None => (load.normal_impulse, load.friction_impulse),
        };
        let friction = self.friction_memory(rocking) * friction;
        let tangential = self.stretch * (friction - axis.dot(&friction) * axis);
        Impulse::force(self.stretch * normal, tangential)
    }

    /// What contacts that resist turning have besides, and the torques of the substep before, in the order of the solver; `origin`
    /// says where in `before` a contact of the list was.
    fn start_turning(
        &self,
        (besides, torques): (&mut [Besides], &mut [Vec3]),
        (touches, index, terms): (&[Touch], &Index, &[Terms]),
        (before, origin): (&Loads, impl Fn(usize) -> usize + Sync),
        tasks: &dyn Tasks,
    ) {
        each_pair_of_pieces(tasks, CONTACTS_PER_PIECE, (besides, torques), |first, besides, torques| {
            for (rank, (besides, torque)) in (first..).zip(besides.iter_mut().zip(torques)) {
                let place = index.contacts()[rank] as usize;
                if let Some(soon) = index.contacts().get(rank + AHEAD) {
                    prefetch_one_of(touches, *soon as usize);
                    prefetch_one_of(&before.turned, origin(*soon as usize));
                }
                let (touch, term) = (&touches[place], &terms[rank]);
                (besides.rolling, besides.twisting) = (touch.rolling, touch.twisting);
                *torque = if touch.resists_turning() && term.resumes {
                    // kept whole: what of it rolls and what twists is told by the new normal
                    let remembered = before.turned_of(origin(place)).torque_impulse;
                    self.stretch * (self.friction_memory(term.rocks) * remembered)
                } else {
                    Vec3::zeros()
                };
            }
        });
    }
}

/// Makes of [`NO_CONTACT`], or of what was written here before, the row of a contact but for its bias. Field by field: a copy of the
/// whole would wait for what was written just before.
#[inline]
fn write_row(contact: &mut Contact, touch: &Touch, rows: [u32; 2]) {
    [contact.body_a, contact.body_b] = rows;
    contact.normal = touch.normal;
    (contact.arm_a, contact.arm_b) = (touch.arm_a, touch.arm_b);
    contact.friction = touch.friction;
}

/// The mean over `step` seconds of the contact forces whose impulses are `total`.
#[inline(always)]
fn mean_wrench(total: &Velocity, step: f64) -> Wrench {
    Wrench { force: total.linear / step, torque: total.angular / step }
}

/// The velocity of a row at the start of the substep; of what takes no part it is none.
fn now(motion: &[Motion], row: usize) -> Velocity {
    motion.get(row).map_or(Velocity::ZERO, |motion| Velocity { linear: motion.linear, angular: motion.angular })
}
