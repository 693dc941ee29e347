//! Contacts that stick while their bodies turn: their targets before the solve, and the anchors that the step leaves.

use crate::body::{Bodies, Motion};
use crate::contact::anchor::{Anchor, FASTEST, Side, StickTarget, across, first_curvature};
use crate::contact::{ContactGeometry, ContactList, ContactRecord};
use crate::error::{Result, empty, push, refill, resize, text};
use crate::id::SlotSet;
use crate::math::{BodyRow, LaneSlot, Quat, Vec3};
use crate::solver::{Contact, Impulse, Solver, Velocity};
use crate::visit::{Reader, State, StateVisitor, format_error};
use crate::world::assemble::Assembly;
use crate::world::images::ImageInput;
use crate::world::index::Index;
use crate::world::substeps::Substep;
use crate::world::surfaces::{GivenMotion, Sticking};

/// Slower turns in a step are none [rad]. A coin on a turntable that is slower drifts by at most 3e-5 of its distance in a turn.
const SLOWEST: f64 = 1e-5;

/// A contact at the bound of its friction, up to this part of it, slides [-].
const AT_BOUND: f64 = 1e-9;

/// A contact that did not stick in the last step sticks from the start of this one if its points move by at most so
/// many times the curvature [-]. Its bodies have turned together, up to the turn of the step. Other contacts have an
/// anchor from their second step on.
const STICK_SLIP: f64 = 2.0;

/// The anchors of the last step. They are state.
#[derive(Debug, Default)]
pub(in crate::world) struct Anchors {
    /// In the order of the contacts.
    pub(in crate::world) all: Vec<Anchor>,
    /// The bodies that the host moved since, whose anchors do not hold.
    pub(in crate::world) moved: SlotSet,
}

/// A contact of which a body turns that is no ball.
#[derive(Debug, Clone, Copy)]
struct Turning {
    /// Its place in the list.
    place: usize,
    rows: [BodyRow; 2],
    /// See [`Side::turn`].
    are_balls: [bool; 2],
    /// The curvature that the target allows for [m].
    curvature: Vec3,
    /// Whether it stuck in the step before.
    stuck: bool,
}

/// How the body of a row turns in a step.
#[derive(Debug, Clone, Copy)]
struct RowTurn {
    rotation: Quat,
    /// The angular velocity times the step [rad].
    spin: Vec3,
}

/// What a step computes of anchors.
#[derive(Debug, Default)]
pub(in crate::world) struct AnchorWorkspace {
    /// How each row that takes part in the step turns in it, by its motion at the start; empty where no contact turns.
    turns: Vec<RowTurn>,
    /// In the order of the list.
    turning: Vec<Turning>,
    /// What each contact of the list is to do; empty where all stick at rest.
    stick_targets: Vec<StickTarget>,
    pub(in crate::world) given: GivenMotion,
    /// The path of each row over the substeps that ended; empty where the step has a single one.
    travels: Vec<Velocity>,
    /// What the step leaves.
    pub(in crate::world) next: Vec<Anchor>,
}

/// What the targets of a step follow from.
pub(in crate::world) struct TargetInput<'a> {
    pub(in crate::world) bodies: &'a Bodies,
    pub(in crate::world) contact_list: &'a ContactList,
    pub(in crate::world) index: &'a Index,
    pub(in crate::world) anchors: &'a Anchors,
    /// The motion of each row that takes part, at the start of the step.
    pub(in crate::world) motion: &'a [Motion],
    /// Length of the whole step [s], and in how many parts it is made.
    pub(in crate::world) step: f64,
    pub(in crate::world) substeps: u32,
    pub(in crate::world) images: ImageInput<'a>,
    /// What velocities of surfaces and images count for [-]: see `Substep::pace`.
    pub(in crate::world) pace: f64,
    /// Whether contacts that stick follow the bodies that turn.
    pub(in crate::world) follows: bool,
}

/// What the anchors of a step follow from.
pub(in crate::world) struct AnchorInput<'a> {
    pub(in crate::world) bodies: &'a Bodies,
    pub(in crate::world) contact_list: &'a ContactList,
    pub(in crate::world) index: &'a Index,
    pub(in crate::world) assembly: &'a Assembly,
    pub(in crate::world) solver: &'a Solver,
    /// The lane of each contact of the list.
    pub(in crate::world) lanes: &'a [LaneSlot],
    /// The motion of each row that takes part, at the end of the step.
    pub(in crate::world) motion: &'a [Motion],
    /// Any substep: all have one length.
    pub(in crate::world) substep: Substep,
}

impl AnchorWorkspace {
    /// Returns what the contacts of the step are to do that stick.
    pub(in crate::world) fn sticking(&self) -> Sticking<'_> {
        Sticking { targets: &self.stick_targets, given: &self.given }
    }
}

impl Anchors {
    /// Visits the anchors, except those of `removed` bodies.
    pub(in crate::world) fn visit_state(&self, visitor: &mut impl StateVisitor, removed: &SlotSet) {
        let Self { all, moved } = self;
        let kept = all.iter().filter(|anchor| !removed.has_any_of(anchor.pair));
        visitor.length(kept.clone().count());
        kept.for_each(|anchor| anchor.visit_state(visitor));
        moved.visit_state(visitor);
    }

    /// Reads anchors between these bodies.
    ///
    /// # Errors
    ///
    /// Memory is exhausted, or there are no such anchors.
    pub(in crate::world) fn load(reader: &mut Reader, bodies: &Bodies) -> Result<Self> {
        let mut last = (0, 0);
        let exists = |slot: u32| bodies.registry.is_live(slot as usize);
        let all = reader.sequence("anchors", size_of::<Anchor>() / 2, |reader| {
            let anchor = Anchor::read(reader)?;
            let (a, b) = anchor.pair;
            if last > (a, b) || a >= b || !exists(a) || !exists(b) || !anchor.is_within_limits() {
                return Err(format_error(text!("an anchor between the slots {a} and {b} cannot be there")));
            }
            last = (a, b);
            Ok(anchor)
        })?;
        Ok(Self { all, moved: SlotSet::load(reader, bodies.slots())? })
    }

    /// Returns the anchor of a contact among those from `first` on, which is moved on to its pair.
    fn find(&self, record: &ContactRecord, first: &mut usize) -> Option<&Anchor> {
        let pair = record.pair();
        *first += self.all[*first..].iter().take_while(|anchor| anchor.pair < pair).count();
        let same = self.all[*first..].iter().take_while(|anchor| anchor.pair == pair);
        same.clone().find(|anchor| anchor.key == record.key).filter(|_| !self.moved.has_any_of(pair))
    }
}

/// Finds what the contacts of a step are to do that stick.
pub(in crate::world) fn find_targets(input: &TargetInput, work: &mut AnchorWorkspace) -> Result<()> {
    let AnchorWorkspace { turns, turning, stick_targets, travels, given, .. } = work;
    let TargetInput { contact_list, anchors, motion, step, .. } = *input;
    given.surfaces.find(input.bodies, input.index, input.pace)?;
    given.images.find(&input.images, contact_list, input.pace)?;
    turning.clear();
    stick_targets.clear();
    travels.clear();
    if contact_list.geometries.is_empty() || !input.follows {
        return Ok(());
    }
    let turns_enough = |motion: &Motion| step * motion.angular.norm() > SLOWEST;
    if !motion.iter().any(turns_enough) && !given.surfaces.any_turns(SLOWEST / step) {
        return Ok(());
    }
    turns.clear();
    let mut first = 0;
    for (place, record) in contact_list.records.iter().enumerate() {
        let Some(geometry) = record.geometry(&contact_list.geometries) else { continue };
        let Some((rows, are_balls)) = input.turning(record, geometry, given) else { continue };
        if turns.is_empty() {
            empty(turns, motion.len(), "bodies")?;
            turns.extend(motion.iter().zip(input.index.active()).map(|(motion, slot)| input.turn(motion, *slot)));
        }
        let side = |row: BodyRow, arm: Vec3, is_ball: bool| match turns.get(row.index()) {
            Some(turn) => Side { arm, turn: (!is_ball).then_some(turn.rotation), spin: turn.spin, surface_shift: None },
            None => Side::at_rest(arm),
        };
        let [a, b] = are_balls;
        let sides = [side(rows[0], geometry.arm_a, a), side(rows[1], geometry.arm_b, b)];
        let sides = given.surfaces.carried(sides, rows, step);
        let followed = anchors.find(record, &mut first).and_then(|anchor| anchor.follow(&sides, &geometry.normal));
        let stuck = followed.is_some();
        let target = followed.unwrap_or_else(|| {
            let slip = given.slip(place.into(), rows, [&sides[0].arm, &sides[1].arm], &geometry.normal);
            input.begin(rows, &sides, &geometry.normal, slip)
        });
        let curvature = target.curvature;
        push(turning, Turning { place, rows, are_balls, curvature, stuck }, "contacts that stick")?;
        if target != StickTarget::default() {
            if stick_targets.is_empty() {
                refill(stick_targets, contact_list.len(), StickTarget::default(), "contacts")?;
            }
            stick_targets[place] = target;
        }
    }
    Ok(())
}

impl TargetInput<'_> {
    /// Returns the rows of a contact, and which of its bodies are balls, if one turns that is none, and none turns too fast.
    fn turning(
        &self,
        record: &ContactRecord,
        geometry: &ContactGeometry,
        GivenMotion { surfaces, .. }: &GivenMotion,
    ) -> Option<([BodyRow; 2], [bool; 2])> {
        let rows = [self.index.row(record.body_a)?, self.index.row(record.body_b)?];
        // A body that is not part of the step is at rest; its surface may move.
        let angle = |row: BodyRow| self.motion.get(row.index()).map_or(0.0, |motion| self.step * motion.angular.norm());
        let turned = |row: BodyRow| angle(row) + self.step * surfaces.spin(row);
        let angles = rows.map(turned);
        let is_isotropic = |slot: u32| self.bodies.mass[slot as usize].is_isotropic();
        let [a, b] = geometry.is_along_normal;
        let is_plain = rows.map(|row| surfaces.of(row).is_none());
        let are_balls =
            [a && is_plain[0] && is_isotropic(record.body_a), b && is_plain[1] && is_isotropic(record.body_b)];
        let turns = |side: usize| angles[side] > SLOWEST && !are_balls[side];
        ((turns(0) || turns(1)) && angles[0].max(angles[1]) <= FASTEST).then_some((rows, are_balls))
    }

    /// Returns what a contact is to do that did not stick in the step before: if it is about to stick, its points keep together from now on.
    /// `slip` is what its surfaces and its image add to the velocities of its bodies [m/s].
    fn begin(&self, rows: [BodyRow; 2], sides: &[Side; 2], normal: &Vec3, slip: Option<Vec3>) -> StickTarget {
        let curvature = first_curvature(sides, normal);
        let [a, b] = [0, 1].map(|side| self.velocity(rows[side]).at(&sides[side].arm));
        let of_bodies = across(&(b - a), normal);
        let slip = slip.map_or(of_bodies, |given| of_bodies + given);
        if self.step * slip.norm() > STICK_SLIP * curvature.norm() {
            return StickTarget::default();
        }
        StickTarget { curvature, ..StickTarget::default() }
    }

    /// Returns how the body in a slot turns in the step, by its motion at the start.
    fn turn(&self, motion: &Motion, slot: u32) -> RowTurn {
        let (kind, mass) = (self.bodies.traits[slot as usize].kind, &self.bodies.mass[slot as usize]);
        let length = self.step / f64::from(self.substeps);
        let part = Quat::new_normalize(motion.turn(kind, mass, &motion.angular, length));
        let rotation = (1..self.substeps).fold(part, |turn, _| part * turn);
        RowTurn { rotation, spin: self.step * motion.angular }
    }

    /// Returns the velocity of a row at the start of the step.
    fn velocity(&self, row: BodyRow) -> Velocity {
        let motion = self.motion.get(row.index());
        motion.map_or(Velocity::ZERO, |motion| Velocity { linear: motion.linear, angular: motion.angular })
    }
}

/// Adds the path of each row in a substep that ended to those before it, where a step has several and anchors need it.
pub(in crate::world) fn add_travel(
    substep: &Substep,
    solver: &Solver,
    rows: usize,
    work: &mut AnchorWorkspace,
) -> Result<()> {
    if substep.is_whole() || work.turning.is_empty() {
        return Ok(());
    }
    resize(&mut work.travels, rows, Velocity::ZERO, "bodies")?;
    for (row, travel) in work.travels.iter_mut().enumerate() {
        let part = travel_in(substep.length, solver, row);
        (travel.linear, travel.angular) = (travel.linear + part.linear, travel.angular + part.angular);
    }
    Ok(())
}

/// Returns how far its velocity moved and turned a row in the substep of `length` that ended.
fn travel_in(length: f64, solver: &Solver, row: usize) -> Velocity {
    let velocity = solver.velocities()[row];
    Velocity { linear: length * velocity.linear, angular: length * velocity.angular }
}

/// Finds the anchors that a step leaves, after its last substep.
pub(in crate::world) fn find_anchors(input: &AnchorInput, work: &mut AnchorWorkspace) -> Result<()> {
    let AnchorWorkspace { turning, travels, next, given, .. } = work;
    let step = input.substep.step;
    empty(next, turning.len(), "contacts that stick")?;
    for turning in &*turning {
        let Turning { place, rows, are_balls, curvature, stuck } = *turning;
        let Some(contact) = input.sticking(place, rows) else { continue };
        let arms = [contact.arm_a, contact.arm_b];
        let travels = rows.map(|row| input.travel(travels, row));
        let travel = across(&contact.relative_velocity(&travels[0], &travels[1]), &contact.normal);
        let slip = given.slip(place.into(), rows, [&arms[0], &arms[1]], &contact.normal);
        let travel = slip.map_or(travel, |slip| travel + step * slip);
        let side = |side: usize| input.side(rows[side], arms[side], are_balls[side], &travels[side]);
        let sides = given.surfaces.carried([side(0), side(1)], rows, step);
        let record = &input.contact_list.records[place];
        next.push(Anchor::new(record, &sides, &contact.normal, travel + curvature, stuck));
    }
    Ok(())
}

impl AnchorInput<'_> {
    /// Returns one side of a contact, with the turn of its body in the step that ended.
    #[inline]
    fn side(&self, row: BodyRow, arm: Vec3, is_ball: bool, travel: &Velocity) -> Side {
        let Some((after, slot)) = self.motion.get(row.index()).zip(self.index.active().get(row.index())) else {
            return Side::at_rest(arm);
        };
        let turn = || after.rotation * self.bodies.motion[*slot as usize].rotation.inverse();
        Side { arm, turn: (!is_ball).then(turn), spin: travel.angular, surface_shift: None }
    }

    /// Returns how far a row moved and turned in the step.
    fn travel(&self, travels: &[Velocity], row: BodyRow) -> Velocity {
        let row = row.index();
        if row >= self.motion.len() {
            return Velocity::ZERO;
        }
        travels.get(row).copied().unwrap_or_else(|| travel_in(self.substep.length, self.solver, row))
    }

    /// Returns a contact if its friction held in the last substep.
    fn sticking(&self, place: usize, rows: [BodyRow; 2]) -> Option<Contact> {
        let lane = *self.lanes.get(place)?;
        let Impulse { normal, tangential } = self.assembly.buffer.impulses[lane.index()];
        let contact = self.assembly.buffer.contact(lane, rows);
        let bound = (1.0 - AT_BOUND) * contact.friction * normal;
        (normal > 0.0 && tangential.norm() < bound).then_some(contact)
    }
}
