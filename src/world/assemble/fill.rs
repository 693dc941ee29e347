//! Writes the contacts of a substep into the contact buffer, in lane order: their geometry, the terms of their law, and their start impulses.

use crate::body::Motion;
use crate::contact::anchor::StickTarget;
use crate::contact::material::Materials;
use crate::contact::surface::max_torque;
use crate::contact::{Marks, Mixing, StiffnessLaw, in_lane};
use crate::error::Result;
use crate::law::ContactLaw;
use crate::math::lanes::{Kernel, Lanes, Level, LineIndex, Lines, Vec3s, WIDE, Wide, dispatch, put, take};
use crate::math::{ContactId, Impulse, LaneSlot, PointX8, Vec3, limits, turned_by};
use crate::solver::problem::contacts::{LaneContacts, occupied};
use crate::solver::{ContactBuffer, ContactsX8, OptionalTermsX8, StartX8, Velocity};
use crate::tasks::{OrEmpty, Tasks, each_pair_of_pieces};
use crate::world::assemble::assembly::ContactStateX8;
use crate::world::assemble::body_inputs;
use crate::world::assemble::geometry::{BatchGeometry, GeometryContext};
use crate::world::assemble::warm_start::WarmStart;
use crate::world::substeps::{Stage, Substep};
use crate::world::surfaces::Sticking;

/// The number of batches of a piece of work.
const PIECE: usize = 64;

/// The input of the contacts of a substep.
#[derive(Clone, Copy)]
pub(super) struct ContactContext<'a, Law> {
    pub(super) law: Law,
    pub(super) warm_start: WarmStart<'a>,
    pub(super) geometry: GeometryContext<'a>,
    pub(super) materials: &'a Materials,
    /// The law of the stiffness of contacts.
    pub(super) stiffness_law: StiffnessLaw,
    /// Whether contacts start from the impulse that their law gives for the overlap.
    pub(super) starts_from_model: bool,
    /// Whether contacts that carried a load stay closed up to a larger gap, which the stick projection needs.
    pub(super) extends_touch: bool,
    pub(super) substep: Substep,
    pub(super) stage: Stage,
    /// The motion of each row at the start of the substep, and its velocity after the forces acted.
    pub(super) motion: &'a [Motion],
    pub(super) velocities: &'a [Velocity],
    pub(super) sticking: Sticking<'a>,
}

/// One batch of the buffer while it is filled, with the data that only the world uses.
pub(super) struct Batch<'a> {
    pub(super) contacts: &'a mut ContactsX8,
    impulses: &'a mut [Impulse; WIDE],
    /// The optional terms, if any contact can have some.
    pub(super) optional: Option<&'a mut OptionalTermsX8>,
    pub(super) state: &'a mut ContactStateX8,
}

/// Fills the buffer with the contacts in these `lanes`, and `states` with the data that only the world uses.
pub(super) fn fill<Law: ContactLaw>(
    context: &ContactContext<Law>,
    lanes: &[LaneContacts],
    buffer: &mut ContactBuffer,
    states: &mut [ContactStateX8],
    tasks: &dyn Tasks,
) -> Result<()> {
    buffer.is_rigid = context.sticking.is_at_rest() && !Law::IS_COMPLIANT;
    buffer.begin(lanes.len(), context.materials.resist_turning() || !buffer.is_rigid)?;
    let ContactBuffer { points, contacts, impulses, optional, .. } = buffer;
    let (impulses, _) = impulses.as_chunks_mut();
    let slices = ((&mut points[..], &mut contacts[..]), (states, (impulses, OrEmpty(optional))));
    each_pair_of_pieces(tasks, PIECE, slices, |first, (points, contacts), (states, (impulses, OrEmpty(optional)))| {
        dispatch(Level::best(), Fill { context, lanes, first, points, contacts, states, impulses, optional });
    });
    Ok(())
}

/// Fills some batches.
struct Fill<'a, Law> {
    context: &'a ContactContext<'a, Law>,
    /// The lanes of all batches, and which of these is the first to fill.
    lanes: &'a [LaneContacts],
    first: usize,
    points: &'a mut [PointX8],
    contacts: &'a mut [ContactsX8],
    states: &'a mut [ContactStateX8],
    impulses: &'a mut [[Impulse; WIDE]],
    /// Empty where no contact can have any.
    optional: &'a mut [OptionalTermsX8],
}

impl<Law: ContactLaw> Kernel for Fill<'_, Law> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { context, lanes, first, points, contacts, states, impulses, optional } = self;
        let lanes = &lanes[first..first + points.len()];
        let (mut mixing, mut geometry) = (Mixing::new(context.materials, context.stiffness_law), BatchGeometry::NONE);
        let mut next = context.warm_start.lanes_before(lanes, 0, first);
        let batches = points.iter_mut().zip(contacts).zip(states.iter_mut().zip(impulses));
        for (at, ((point, contacts), (state, impulses))) in batches.enumerate() {
            context.geometry.prefetch(lanes, at);
            state.lane_before = std::mem::replace(&mut next, context.warm_start.lanes_before(lanes, at + 1, first));
            context.geometry.compute::<L>(&lanes[at], &mut geometry);
            (*point, contacts.arms, state.round_off) = (geometry.point, geometry.arms, geometry.round_off);
            context.geometry.follow_gaps(&lanes[at], &mut geometry.point.gap);
            context.add_images(&lanes[at], &mut geometry);
            if context.extends_touch {
                context.settle(&lanes[at], state, &mut geometry);
            }
            let mut batch = Batch { contacts, impulses, optional: optional.get_mut(at), state };
            if lanes[at][WIDE - 1] == ContactId::NONE {
                batch.clear_terms();
            }
            context.mix::<L>(&lanes[at], &geometry, &mut batch, &mut mixing);
            context.write_stick_velocities(&lanes[at], &geometry, &mut batch);
            let approached = context.approach::<L>(&lanes[at], &geometry, &mut batch, &mut mixing);
            context.start::<L>(&lanes[at], &geometry.point.normal, approached.rebounds, &mut batch);
            if context.starts_from_model {
                batch.start_from_model(&approached.model);
            }
            if Law::IS_COMPLIANT {
                batch.release_apart(&lanes[at]);
            }
        }
    }
}

impl Batch<'_> {
    /// Resets the impulses of the contacts that are left out of the solve.
    fn release_apart(&mut self, lanes: &LaneContacts) {
        for (lane, _) in occupied(lanes).filter(|(lane, _)| self.contacts.bias.0[*lane] >= limits::APART) {
            self.impulses[lane] = Impulse::ZERO;
            if let Some(optional) = self.optional.as_deref_mut() {
                put(&mut optional.torque, lane, &Vec3::zeros());
            }
        }
    }

    /// Lets the contacts start from the normal impulses of their law, in place of those of the substep before.
    fn start_from_model(&mut self, model: &Wide) {
        StartX8 { normal: *model, ..StartX8::ZERO }.write(self.impulses);
        if let Some(optional) = self.optional.as_deref_mut() {
            optional.torque = [ZERO; 3];
        }
    }

    /// Empties the terms of a batch of which some lanes have no contact.
    fn clear_terms(&mut self) {
        (self.contacts.bias, self.contacts.friction) = (ZERO, ZERO);
        if let Some(optional) = self.optional.as_deref_mut() {
            *optional = OptionalTermsX8::NONE;
        }
    }
}

impl<Law: ContactLaw> ContactContext<'_, Law> {
    /// Writes the coefficients that the materials of the contacts of a batch have together.
    #[inline(always)]
    fn mix<L: Lanes>(&self, lanes: &LaneContacts, geometry: &BatchGeometry, batch: &mut Batch, mixing: &mut Mixing) {
        let materials = |lane: usize| geometry.materials.map(|material| body_inputs::material_of(material.0[lane]));
        let (mut rolling, mut twisting) = (ZERO, ZERO);
        if lanes[WIDE - 1] != ContactId::NONE && geometry.materials.iter().all(body_inputs::are_one_material) {
            let mixed = mixing.of(materials(0).into());
            batch.contacts.friction = Wide::splat(mixed.pair.friction);
            [rolling, twisting] = mixed.turning_coefficients().map(Wide::splat);
        } else {
            for (lane, _) in occupied(lanes) {
                let mixed = mixing.of(materials(lane).into());
                batch.contacts.friction.0[lane] = mixed.pair.friction;
                [rolling.0[lane], twisting.0[lane]] = mixed.turning_coefficients();
            }
        }
        let (highest, mut first) = (L::splat(limits::HIGHEST_COEFFICIENT), 0);
        while first < WIDE {
            let friction = &mut batch.contacts.friction;
            L::load(friction, first).smaller(highest).store(friction, first);
            if let Some(optional) = batch.optional.as_deref_mut() {
                let radius = L::load(&geometry.radius, first);
                let bounded = |coefficient: &Wide| max_torque(L::load(coefficient, first), radius).smaller(highest);
                bounded(&rolling).store(&mut optional.rolling, first);
                bounded(&twisting).store(&mut optional.twisting, first);
            }
            first += L::WIDTH;
        }
    }

    /// Returns how a contact keeps its material points together if it sticks.
    pub(super) fn stick_target(&self, contact: ContactId) -> StickTarget {
        let targets = self.sticking.targets;
        if targets.is_empty() { StickTarget::default() } else { targets[self.geometry.index.places()[contact]] }
    }

    /// Turns the friction of the step before with the bodies of the contacts of a batch.
    fn turn(&self, lanes: &LaneContacts, normals: &[Wide; 3], known: &mut [Wide; WIDE]) {
        for (lane, contact) in occupied(lanes) {
            let twist = self.stick_target(contact).twist;
            if twist != 0.0 {
                let [_, x, y, z, ..] = known[lane].0;
                let turned = turned_by(&(twist * take(normals, lane))) * Vec3::new(x, y, z);
                known[lane].0[1..4].copy_from_slice(turned.as_slice());
            }
        }
    }

    /// Writes the impulses from which the contacts of a batch start, and their marks.
    #[inline(always)]
    fn start<L: Lanes>(&self, lanes: &LaneContacts, normals: &[Wide; 3], rebounds: u32, batch: &mut Batch) {
        let (mut known, mut factors) = ([ZERO; WIDE], Wide::splat(1.0));
        let turns = batch.optional.is_some();
        for (lane, contact) in occupied(lanes) {
            let (source, rebounds) = (batch.state.lane_before[lane], rebounds >> lane & 1 == 1);
            let resumes = self.remember(source, rebounds, &mut batch.state.marks[lane], &mut known[lane]);
            if resumes && turns {
                known[lane].0[4..7].copy_from_slice(in_lane(&self.warm_start.before.torques, source).as_slice());
            }
            batch.state.of_several[lane] = self.geometry.index.is_one_of_several(contact);
            let is_far = in_lane(&self.warm_start.before.marks, source).has(Marks::FAR);
            if is_far && batch.state.of_several[lane] {
                factors.0[lane] = self.law.friction_factor();
            }
        }
        if self.substep.is_first && !self.sticking.targets.is_empty() {
            self.turn(lanes, normals, &mut known);
        }
        let (known, places) = (Lines::read_only(&known), &LineIndex::FIRST);
        let mut start = StartX8::ZERO;
        let mut first = 0;
        while first < WIDE {
            let (stretch, factor) = (L::splat(self.warm_start.stretch), L::load(&factors, first));
            let [normal, x, y, z] = L::gather_front(known, places, first);
            let axis = Vec3s::load(normals, first);
            let friction = Vec3s::new(x, y, z) * factor;
            let tangential = (friction - axis * axis.dot(friction)) * stretch;
            (normal * stretch).store(&mut start.normal, first);
            tangential.store(&mut start.tangential, first);
            if let Some(optional) = batch.optional.as_deref_mut() {
                // Kept as one vector: the new normal decides what of it rolls and what twists.
                let [_, _, _, _, x, y, z, _] = L::gather(known, places, first);
                let bound = L::load(&optional.rolling, first) + L::load(&optional.twisting, first);
                let resists = L::above(bound, L::splat(0.0));
                let carried = |along: L| L::select(resists, along * factor * stretch, L::splat(0.0));
                Vec3s::new(carried(x), carried(y), carried(z)).store(&mut optional.torque, first);
            }
            first += L::WIDTH;
        }
        start.write(batch.impulses);
    }

    /// Writes the impulse of the substep before if the contact starts from it. Updates the marks of the contact, and returns whether it does.
    #[inline(always)]
    fn remember(&self, source: LaneSlot, rebounds: bool, marks: &mut Marks, carried: &mut Wide) -> bool {
        let known = in_lane(&self.warm_start.before.marks, source);
        let resumes = !(rebounds || known.has(Marks::REBOUNDED));
        let earlier = if self.substep.is_first { Marks::new(false, false, source == LaneSlot::NONE) } else { known };
        let had_impact = self.stage == (Stage::Contact { after_impacts: true }) && marks.has(Marks::HAD_IMPACT);
        *marks = if had_impact { earlier.with_impact() } else { earlier }.with_start(rebounds);
        if resumes {
            let Impulse { normal, tangential } = self.warm_start.impulse(source, known);
            carried.0[..4].copy_from_slice(&[normal, tangential.x, tangential.y, tangential.z]);
        }
        resumes
    }

    /// Raises the gap up to which contacts that carried a load touch.
    #[inline(always)]
    fn settle(&self, lanes: &LaneContacts, state: &ContactStateX8, geometry: &mut BatchGeometry) {
        for (lane, contact) in occupied(lanes) {
            let gap = geometry.point.gap.0[lane];
            // Others are open or touch in any case. Where overlap is undone through the velocities, theirs is a matter of this gap too.
            let may_touch = gap > geometry.round_off.0[lane] || !self.law.resolves_overlap();
            if !may_touch {
                continue;
            }
            let is_one_of_several = self.geometry.index.is_one_of_several(contact);
            let settled = self.law.touching_gap(geometry.size.0[lane], is_one_of_several);
            if gap > settled {
                continue;
            }
            let source = state.lane_before[lane];
            let last = in_lane(&self.warm_start.before.impulses, source);
            // The impulse of an impact is no static load, and nothing to start from.
            if last.normal > 0.0 && !in_lane(&self.warm_start.before.marks, source).has(Marks::REBOUNDED) {
                geometry.round_off.0[lane] = geometry.round_off.0[lane].max(settled);
            }
        }
    }
}

pub(super) const ZERO: Wide = Wide::splat(0.0);
