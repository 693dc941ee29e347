//! What the contacts of a step carried, column by column: what few worlds need takes no room in the others.
//!
//! The columns are in the order in which the contacts were solved: the solver's own arrays become what is remembered.

use crate::contact::record::{ContactState, FrictionFrame};
use crate::error::{Result, empty, reserve, resize};
use crate::math::{Impulse, ImpulsiveWrench, LaneSlot, Vec3};
use crate::visit::StateVisitor;

/// What is so of a contact.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Marks(pub(super) u8);

/// What contacts carried. The first array has an element for each contact of the list, the others have one for each lane of the solver.
#[derive(Debug, Clone, Default)]
pub struct ImpulseCache {
    /// The lane of each contact of the list.
    pub lanes: Vec<LaneSlot>,
    /// The impulse of each lane in the last substep; exchanged for the solver's answer when the next substep begins, or after the correction.
    pub impulses: Vec<Impulse>,
    /// The same of torques, or none where nothing resists turning; see [`ImpulsiveWrench::torque`].
    pub torques: Vec<Vec3>,
    /// The velocity of b relative to a at which each sticks, in the tangent plane; one for each, or none where all stick at rest [m/s].
    pub sticking_velocities: Vec<Vec3>,
    /// Where their friction goes on from; one for each, or none where it does not.
    pub frames: Vec<FrictionFrame>,
    /// See [`ContactState::position_multiplier`].
    pub position_multipliers: Vec<f64>,
    /// Of each.
    pub marks: Vec<Marks>,
    /// Their impulses summed over the step, one for each; none where it had a single substep, whose impulses they are.
    pub totals: Vec<ImpulsiveWrench>,
    /// Their impulses over the step after the correction; one for each, or none without one.
    pub compatible: Vec<Impulse>,
}

impl Marks {
    /// No property holds.
    pub const NONE: Self = Self(0);

    /// See [`ContactState::rebounds`].
    pub const REBOUNDS: u8 = 1;
    /// See [`ContactState::had_impact`].
    pub const HAD_IMPACT: u8 = 2;
    /// See [`ContactState::is_new`].
    pub const NEW: u8 = 4;
    /// The sweeps of the substep that ended last were far from an answer at this contact.
    pub const FAR: u8 = 8;
    /// The substep that ended last solved it as an impact.
    pub const REBOUNDED: u8 = 16;

    /// Whether one of the marks is set.
    #[inline(always)]
    pub fn has(self, mark: u8) -> bool {
        self.0 & mark > 0
    }

    /// A contact with these marks. What rebounds has rebounded too.
    #[inline(always)]
    pub fn new(rebounds: bool, had_impact: bool, is_new: bool) -> Self {
        let last = u8::from(rebounds) * (Self::REBOUNDS | Self::REBOUNDED);
        Self(last | (u8::from(had_impact) * Self::HAD_IMPACT) | (u8::from(is_new) * Self::NEW))
    }

    /// The same once a substep is known to solve it as an impact or not.
    #[inline(always)]
    pub fn with_start(self, rebounds: bool) -> Self {
        Self((self.0 & !Self::REBOUNDS) | (u8::from(rebounds) * (Self::REBOUNDS | Self::HAD_IMPACT)))
    }

    /// The same of a contact that an impact stage reached in this substep.
    pub fn with_impact(self) -> Self {
        Self(self.0 | Self::HAD_IMPACT)
    }

    /// The same once that substep has ended, its sweeps far from an answer or not.
    #[inline(always)]
    pub fn ended(self, is_far: bool) -> Self {
        let last = u8::from(self.has(Self::REBOUNDS)) * Self::REBOUNDED + u8::from(is_far) * Self::FAR;
        Self((self.0 & !(Self::REBOUNDED | Self::FAR)) | last)
    }
}

/// The value of a lane in one of the columns; the default behind all of them, for a contact that was not there.
#[inline(always)]
pub fn in_lane<T: Copy + Default>(column: &[T], lane: LaneSlot) -> T {
    column.get(lane.index()).copied().unwrap_or_default()
}

impl ImpulseCache {
    /// Reserves memory for this many contacts of a step in so many lanes; what is there already is to be written over.
    pub fn begin(&mut self, contacts: usize, lane_count: usize) -> Result<()> {
        resize(&mut self.lanes, contacts, LaneSlot::NONE, "contacts")?;
        resize(&mut self.position_multipliers, lane_count, 0.0, "contacts")?;
        resize(&mut self.marks, lane_count, Marks::NONE, "contacts")
    }

    /// The impulses at this place of the columns in the last substep.
    fn last(&self, lane: LaneSlot) -> ImpulsiveWrench {
        ImpulsiveWrench { force: in_lane(&self.impulses, lane), torque: in_lane(&self.torques, lane) }
    }

    /// The impulses at this place of the columns over the step.
    fn whole(&self, lane: LaneSlot) -> ImpulsiveWrench {
        self.totals.get(lane.index()).copied().unwrap_or_else(|| self.last(lane))
    }

    /// The impulse of the force at this place of the columns over the step, after the correction.
    pub fn compatible_of(&self, lane: LaneSlot) -> Impulse {
        self.compatible.get(lane.index()).copied().unwrap_or_else(|| self.whole(lane).force)
    }

    /// Adds the impulses of a solve to those before it in the step.
    pub fn add_up(&mut self, impulses: &[Impulse], torques: &[Vec3]) -> Result<()> {
        if self.totals.is_empty() {
            reserve(&mut self.totals, impulses.len(), "contacts")?;
        }
        for (lane, impulse) in impulses.iter().enumerate() {
            let last = ImpulsiveWrench { force: *impulse, torque: in_lane(torques, lane.into()) };
            match self.totals.get_mut(lane) {
                Some(total) => *total += last,
                None => self.totals.push(last),
            }
        }
        Ok(())
    }

    /// Where a contact of the list stands; behind all of them if it is not there.
    pub fn lane(&self, place: usize) -> LaneSlot {
        self.lanes.get(place).copied().unwrap_or(LaneSlot::NONE)
    }

    /// The impulses of a contact of the list over the step.
    pub fn total(&self, place: usize) -> ImpulsiveWrench {
        self.whole(self.lane(place))
    }

    /// All that a contact of the list carried. The velocities of its bodies are to be added to the relative velocity and the rolling speed.
    pub fn load(&self, place: usize) -> ContactState {
        let lane = self.lane(place);
        let marks = in_lane(&self.marks, lane);
        ContactState {
            impulse: self.last(lane),
            position_multiplier: in_lane(&self.position_multipliers, lane),
            compatible: self.compatible_of(lane),
            relative_velocity: -in_lane(&self.sticking_velocities, lane),
            rolling_speed: 0.0,
            frame: in_lane(&self.frames, lane),
            rebounds: marks.has(Marks::REBOUNDS),
            had_impact: marks.has(Marks::HAD_IMPACT),
            is_new: marks.has(Marks::NEW),
        }
    }

    /// Takes out all contacts, and reserves memory for `most` of them in every column from which a step inherits.
    pub fn clear(&mut self, most: usize) -> Result<()> {
        let Self {
            lanes,
            impulses,
            torques,
            sticking_velocities,
            frames,
            position_multipliers,
            marks,
            totals,
            compatible,
        } = self;
        totals.clear();
        sticking_velocities.clear();
        empty(lanes, most, "contacts")?;
        empty(impulses, most, "contacts")?;
        empty(compatible, most, "contacts")?;
        empty(torques, most, "contacts")?;
        empty(frames, most, "contacts")?;
        empty(position_multipliers, most, "contacts")?;
        empty(marks, most, "contacts")
    }

    /// Adds a contact to the list and to the columns from which a step inherits.
    pub fn push(&mut self, load: &ContactState) {
        self.lanes.push(LaneSlot(self.impulses.len() as u32));
        self.impulses.push(load.impulse.force);
        self.torques.push(load.impulse.torque);
        self.frames.push(load.frame);
        self.position_multipliers.push(load.position_multiplier);
        self.marks.push(Marks::new(load.rebounds, load.had_impact, load.is_new));
        self.compatible.push(load.compatible);
    }

    /// Keeps the contacts of the list for which `is_kept` returns true. It is called once per contact, in the order of
    /// the list.
    pub fn retain(&mut self, is_kept: impl Fn(usize) -> bool) {
        let mut index = 0..;
        // The impulses of the others stay where they are and are not read.
        self.lanes.retain(|_| index.next().is_some_and(&is_kept));
    }

    pub(super) fn visit_state(&self, visitor: &mut impl StateVisitor, place: usize) {
        let Self {
            lanes: _, // The lanes, which are not state.
            impulses,
            torques,
            sticking_velocities,
            frames,
            position_multipliers,
            marks,
            totals: _, // Read by `total`: without sums over the step its impulses are those of the last substep.
            compatible: _, // Read by `compatible_of`: without a correction its impulses are the sums.
        } = self;
        let lane = self.lane(place);
        ImpulsiveWrench { force: in_lane(impulses, lane), torque: in_lane(torques, lane) }.visit_state(visitor);
        visitor.number(in_lane(position_multipliers, lane));
        visitor.numbers(&in_lane(sticking_velocities, lane));
        in_lane(frames, lane).visit_state(visitor);
        let Marks(marks) = in_lane(marks, lane);
        visitor.word(u64::from(marks));
        self.total(place).visit_state(visitor);
        self.compatible_of(lane).visit_state(visitor);
    }
}
