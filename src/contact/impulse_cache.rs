//! The results of the contacts of a step, in one array for each kind of data. Arrays that few worlds need are empty in the others.
//!
//! The arrays are in lane order, the order in which the contacts were solved. So the arrays of the solver become the memory without a copy.

use crate::contact::record::{ContactState, FrictionFrame};
use crate::error::{Result, empty, reserve, resize};
use crate::math::{Impulse, ImpulsiveWrench, LaneSlot, Vec3};
use crate::visit::StateVisitor;

/// Flags of a contact.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Marks(pub(super) u8);

/// The results of contacts. The first array has an element for each contact of the list, the others have one for each lane of the solver.
#[derive(Debug, Clone, Default)]
pub struct ImpulseCache {
    /// The lane of each contact of the list.
    pub lanes: Vec<LaneSlot>,
    /// The impulse of each lane in the last substep. The result of the solver is swapped in when the next substep begins, or after the
    /// correction.
    pub impulses: Vec<Impulse>,
    /// The torque of each lane; empty if no contact resists turning. See [`ImpulsiveWrench::torque`].
    pub torques: Vec<Vec3>,
    /// The tangential velocity of b relative to a at which each contact sticks; empty if it is zero for all [m/s].
    pub sticking_velocities: Vec<Vec3>,
    /// The frame from which the friction of each contact continues; empty if the law has no memory.
    pub frames: Vec<FrictionFrame>,
    /// See [`ContactState::position_multiplier`].
    pub position_multipliers: Vec<f64>,
    /// The flags of each contact.
    pub marks: Vec<Marks>,
    /// The impulse of each contact, summed over the step; empty if the step had a single substep.
    pub totals: Vec<ImpulsiveWrench>,
    /// The impulse of each contact in the impact stages of the step, which is a part of its total; empty if there was no such stage.
    pub impacts: Vec<Impulse>,
    /// The corrected impulse of each contact over the step; empty without a correction.
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
    /// In the last substep the sweeps were far from a solution at this contact.
    pub const FAR: u8 = 8;
    /// The last substep solved it as an impact.
    pub const REBOUNDED: u8 = 16;

    /// Whether one of the marks is set.
    #[inline(always)]
    pub fn has(self, mark: u8) -> bool {
        self.0 & mark > 0
    }

    /// Returns the flags of a contact. One that rebounds also has the flag `REBOUNDED`.
    #[inline(always)]
    pub fn new(rebounds: bool, had_impact: bool, is_new: bool) -> Self {
        let last = u8::from(rebounds) * (Self::REBOUNDS | Self::REBOUNDED);
        Self(last | (u8::from(had_impact) * Self::HAD_IMPACT) | (u8::from(is_new) * Self::NEW))
    }

    /// Returns the flags at the start of a substep, which solves the contact as an impact or not.
    #[inline(always)]
    pub fn with_start(self, rebounds: bool) -> Self {
        Self((self.0 & !Self::REBOUNDS) | (u8::from(rebounds) * (Self::REBOUNDS | Self::HAD_IMPACT)))
    }

    /// Returns the flags of a contact that carried impulse in the impact stage of this substep.
    pub fn with_impact(self) -> Self {
        Self(self.0 | Self::HAD_IMPACT)
    }

    /// Returns the flags at the end of the substep, whose sweeps were far from a solution or not.
    #[inline(always)]
    pub fn ended(self, is_far: bool) -> Self {
        let last = u8::from(self.has(Self::REBOUNDS)) * Self::REBOUNDED + u8::from(is_far) * Self::FAR;
        Self((self.0 & !(Self::REBOUNDED | Self::FAR)) | last)
    }
}

/// Returns the value of a lane in one of the arrays. Beyond its end it is the default: the contact was not there.
#[inline(always)]
pub fn in_lane<T: Copy + Default>(column: &[T], lane: LaneSlot) -> T {
    column.get(lane.index()).copied().unwrap_or_default()
}

impl ImpulseCache {
    /// Reserves memory for this many contacts in this many lanes. The caller overwrites all elements.
    pub fn begin(&mut self, contacts: usize, lane_count: usize) -> Result<()> {
        resize(&mut self.lanes, contacts, LaneSlot::NONE, "contacts")?;
        resize(&mut self.position_multipliers, lane_count, 0.0, "contacts")?;
        resize(&mut self.marks, lane_count, Marks::NONE, "contacts")
    }

    /// Returns the impulses of a lane in the last substep.
    fn last(&self, lane: LaneSlot) -> ImpulsiveWrench {
        ImpulsiveWrench { force: in_lane(&self.impulses, lane), torque: in_lane(&self.torques, lane) }
    }

    /// Returns the impulses of a lane over the step.
    fn whole(&self, lane: LaneSlot) -> ImpulsiveWrench {
        self.totals.get(lane.index()).copied().unwrap_or_else(|| self.last(lane))
    }

    /// Returns the corrected impulse of the force of a lane over the step.
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

    /// Adds the impulses of an impact stage to those before it in the step.
    pub fn add_impacts(&mut self, impulses: &[Impulse]) -> Result<()> {
        if self.impacts.is_empty() {
            resize(&mut self.impacts, impulses.len(), Impulse::ZERO, "contacts")?;
        }
        for (sum, impulse) in self.impacts.iter_mut().zip(impulses).filter(|(_, impulse)| impulse.normal != 0.0) {
            sum.normal += impulse.normal;
            sum.tangential += impulse.tangential;
        }
        Ok(())
    }

    /// Returns the impulse of a contact of the list in the impact stages of the step.
    pub fn impact(&self, place: usize) -> Impulse {
        in_lane(&self.impacts, self.lane(place))
    }

    /// Returns the lane of a contact of the list. If there is no such contact, it is beyond the end of the arrays.
    pub fn lane(&self, place: usize) -> LaneSlot {
        self.lanes.get(place).copied().unwrap_or(LaneSlot::NONE)
    }

    /// Returns the impulses of a contact of the list over the step.
    pub fn total(&self, place: usize) -> ImpulsiveWrench {
        self.whole(self.lane(place))
    }

    /// Returns all results of a contact of the list. The caller adds the parts of the relative velocity and the rolling speed that depend on
    /// the velocities of the bodies.
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

    /// Removes all contacts, and reserves memory for `capacity` of them in every array from which a step starts.
    pub fn clear(&mut self, capacity: usize) -> Result<()> {
        let Self {
            lanes,
            impulses,
            torques,
            sticking_velocities,
            frames,
            position_multipliers,
            marks,
            totals,
            impacts,
            compatible,
        } = self;
        totals.clear();
        impacts.clear();
        sticking_velocities.clear();
        empty(lanes, capacity, "contacts")?;
        empty(impulses, capacity, "contacts")?;
        empty(compatible, capacity, "contacts")?;
        empty(torques, capacity, "contacts")?;
        empty(frames, capacity, "contacts")?;
        empty(position_multipliers, capacity, "contacts")?;
        empty(marks, capacity, "contacts")
    }

    /// Adds a contact to the list and to the arrays from which a step starts.
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
            impacts: _, // Read by `impact`: most steps have none, and visit nothing.
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
        let impact = self.impact(place);
        if impact.normal != 0.0 {
            impact.visit_state(visitor);
        }
    }
}
