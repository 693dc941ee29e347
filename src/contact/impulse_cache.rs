//! What the contacts of a step carried, column by column: what few worlds need takes no room in the others.
//!
//! The columns are in the order in which the contacts were solved: the solver's own arrays become what is remembered.

use crate::contact::record::{ContactState, StepImpulse, empty};
use crate::error::{Result, reserve, resize};
use crate::math::{Impulse, LaneSlot, Vec3};

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
    /// The same of torques, or none where nothing resists turning; see [`ContactState::torque_impulse`].
    pub torques: Vec<Vec3>,
    /// See [`ContactState::rolling_speed`]; one for each, or none where nothing resists turning.
    pub rolling_speeds: Vec<f64>,
    /// See [`ContactState::push`].
    pub pushes: Vec<f64>,
    /// Of each.
    pub marks: Vec<Marks>,
    /// Their impulses summed over the step, one for each; none where it had a single substep, whose impulses they are.
    pub totals: Vec<StepImpulse>,
    /// Their impulses over the step after the correction; one for each, or none without one.
    pub compatible: Vec<Impulse>,
}

impl Marks {
    /// No property holds.
    pub const NONE: Self = Self(0);

    const REBOUNDS: u8 = 1;
    const STRUCK: u8 = 2;
    const NEW: u8 = 4;
    const REBOUNDED: u8 = 16;

    /// See [`ContactState::rebounds`], [`ContactState::struck`] and [`ContactState::is_new`].
    #[inline(always)]
    pub fn new(rebounds: bool, struck: bool, is_new: bool) -> Self {
        let last = u8::from(rebounds) * (Self::REBOUNDS | Self::REBOUNDED);
        Self(last | (u8::from(struck) * Self::STRUCK) | (u8::from(is_new) * Self::NEW))
    }

    /// The same once a substep is known to solve it as an impact or not.
    #[inline(always)]
    pub fn with_start(self, rebounds: bool) -> Self {
        Self((self.0 & !Self::REBOUNDS) | (u8::from(rebounds) * (Self::REBOUNDS | Self::STRUCK)))
    }

    /// The same once that substep has ended.
    #[inline(always)]
    pub fn ended(self) -> Self {
        Self((self.0 & !Self::REBOUNDED) | (u8::from(self.rebounds()) * Self::REBOUNDED))
    }

    /// Whether the substep that ended last solved it as an impact.
    #[inline(always)]
    pub fn rebounded(self) -> bool {
        self.0 & Self::REBOUNDED > 0
    }

    /// See [`ContactState::rebounds`].
    #[inline(always)]
    pub fn rebounds(self) -> bool {
        self.0 & Self::REBOUNDS > 0
    }

    /// See [`ContactState::struck`].
    #[inline(always)]
    pub fn struck(self) -> bool {
        self.0 & Self::STRUCK > 0
    }

    /// See [`ContactState::is_new`].
    pub fn is_new(self) -> bool {
        self.0 & Self::NEW > 0
    }
}

impl ImpulseCache {
    /// Makes room for so many contacts of a step in so many lanes; what is there already is to be written over.
    pub fn begin(&mut self, contacts: usize, lane_count: usize) -> Result<()> {
        resize(&mut self.lanes, contacts, LaneSlot::NONE, "contacts")?;
        resize(&mut self.pushes, lane_count, 0.0, "contacts")?;
        resize(&mut self.marks, lane_count, Marks::NONE, "contacts")
    }

    /// The impulse of the force at this place of the columns; none behind all of them, for a contact that was not there.
    #[inline(always)]
    pub fn impulse(&self, lane: LaneSlot) -> Impulse {
        self.impulses.get(lane.index()).copied().unwrap_or(Impulse::ZERO)
    }

    /// The same of the torque.
    pub fn torque(&self, lane: LaneSlot) -> Vec3 {
        self.torques.get(lane.index()).copied().unwrap_or_default()
    }

    /// The same of the multiplier of the position pass.
    #[inline(always)]
    pub fn push_of(&self, lane: LaneSlot) -> f64 {
        self.pushes.get(lane.index()).copied().unwrap_or(0.0)
    }

    /// What is so of the contact at this place of the columns; nothing of one that was not there.
    #[inline(always)]
    pub fn marks_of(&self, lane: LaneSlot) -> Marks {
        self.marks.get(lane.index()).copied().unwrap_or_default()
    }

    /// The impulses at this place of the columns over the step.
    fn whole(&self, lane: LaneSlot) -> StepImpulse {
        self.totals.get(lane.index()).copied().unwrap_or_else(|| {
            let Impulse { normal, tangential } = self.impulse(lane);
            StepImpulse { normal, friction: tangential, torque: self.torque(lane) }
        })
    }

    /// The impulse of the force at this place of the columns over the step, after the correction.
    pub fn compatible_of(&self, lane: LaneSlot) -> Impulse {
        self.compatible.get(lane.index()).copied().unwrap_or_else(|| {
            let StepImpulse { normal, friction, .. } = self.whole(lane);
            Impulse::force(normal, friction)
        })
    }

    /// Adds the impulses of a substep to those of the substeps before it.
    pub fn add_up(&mut self, impulses: &[Impulse], torques: &[Vec3], is_first: bool) -> Result<()> {
        if is_first {
            reserve(&mut self.totals, impulses.len(), "contacts")?;
        }
        for (lane, impulse) in impulses.iter().enumerate() {
            let torque = torques.get(lane).copied().unwrap_or_default();
            let last = StepImpulse { normal: impulse.normal, friction: impulse.tangential, torque };
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
    pub fn total(&self, place: usize) -> StepImpulse {
        self.whole(self.lane(place))
    }

    /// All that a contact of the list carried, but for how its bodies move.
    pub fn load(&self, place: usize) -> ContactState {
        let lane = self.lane(place);
        let (impulse, compatible, marks) = (self.impulse(lane), self.compatible_of(lane), self.marks_of(lane));
        ContactState {
            normal_impulse: impulse.normal,
            friction_impulse: impulse.tangential,
            torque_impulse: self.torque(lane),
            push: self.push_of(lane),
            compatible_normal: compatible.normal,
            compatible_friction: compatible.tangential,
            relative_velocity: Vec3::zeros(),
            rolling_speed: self.rolling_speeds.get(lane.index()).copied().unwrap_or(0.0),
            rebounds: marks.rebounds(),
            struck: marks.struck(),
            is_new: marks.is_new(),
        }
    }

    /// Takes out all contacts, and makes room for `most` of them in every column from which a step inherits.
    pub fn clear(&mut self, most: usize) -> Result<()> {
        let Self { lanes, impulses, torques, rolling_speeds, pushes, marks, totals, compatible } = self;
        totals.clear();
        rolling_speeds.clear();
        empty(lanes, most)?;
        empty(impulses, most)?;
        empty(compatible, most)?;
        empty(torques, most)?;
        empty(pushes, most)?;
        empty(marks, most)
    }

    /// Adds a contact to the list and to the columns from which a step inherits.
    pub fn push(&mut self, load: &ContactState) {
        self.lanes.push(LaneSlot(self.impulses.len() as u32));
        self.impulses.push(Impulse::force(load.normal_impulse, load.friction_impulse));
        self.torques.push(load.torque_impulse);
        self.pushes.push(load.push);
        self.marks.push(Marks::new(load.rebounds, load.struck, load.is_new));
        self.compatible.push(Impulse::force(load.compatible_normal, load.compatible_friction));
    }

    /// Keeps the contacts of the list of which `is_kept` says so, asked for each in turn.
    pub fn retain(&mut self, is_kept: impl Fn(usize) -> bool) {
        let mut index = 0..;
        // what the others carried stays where it is, and nobody asks for it
        self.lanes.retain(|_| index.next().is_some_and(&is_kept));
    }
}
