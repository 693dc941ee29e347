//! What a contact carried, in snapshots: its impulse, and of the other parts those that are neither zero nor equal to another one.

use crate::contact::impulse_cache::{ImpulseCache, in_lane};
use crate::contact::record::FrictionFrame;
use crate::error::{Result, reserve, text};
use crate::math::{Impulse, ImpulsiveWrench, LaneSlot, Vec3, is_identical, is_within, limits};
use crate::visit::{Reader, State, StateVisitor, format_error, state};

/// The parts that are written: those that are not zero, and sums over the step that are not the impulses of its last substep.
const POSITION_MULTIPLIER: u8 = 1;
const TORQUE: u8 = 2;
const STICKING_VELOCITY: u8 = ContactHistory::STICKING_VELOCITY;
const FRAME: u8 = 8;
const TOTAL_FORCE: u8 = 16;
const TOTAL_TORQUE: u8 = 32;
const COMPATIBLE: u8 = 64;
const PARTS: u8 = 127;

/// Which columns the contacts have.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Columns {
    torques: bool,
    sticking_velocities: bool,
    frames: bool,
    totals: bool,
    compatible: bool,
}

state!(Columns { torques, sticking_velocities, frames, totals, compatible });

impl Columns {
    pub(super) fn of(loads: &ImpulseCache) -> Self {
        let ImpulseCache {
            lanes: _,
            impulses: _,
            torques,
            sticking_velocities,
            frames,
            position_multipliers: _,
            marks: _,
            totals,
            impacts: _, // Written behind the rest of a world.
            compatible,
        } = loads;
        Self {
            torques: !torques.is_empty(),
            sticking_velocities: !sticking_velocities.is_empty(),
            frames: !frames.is_empty(),
            totals: !totals.is_empty(),
            compatible: !compatible.is_empty(),
        }
    }

    /// Whether contacts carry no parts but those that most of them have.
    #[inline(always)]
    fn are_common(self) -> bool {
        !(self.frames || self.totals || self.compatible)
    }

    /// Whether contacts carry more than an impulse and a multiplier. Only then the parts of each are marked.
    pub(super) fn have_parts(self) -> bool {
        let Self { torques, sticking_velocities, frames, totals, compatible } = self;
        torques || sticking_velocities || frames || totals || compatible
    }
}

/// What a contact carried, column by column. Where a column is missing, the part is zero or that of the last substep.
#[derive(Debug, Clone, Copy, Default)]
pub struct ContactHistory {
    /// See `ImpulseCache::impulses`.
    pub impulse: Impulse,
    /// See `ImpulseCache::position_multipliers`.
    pub position_multiplier: f64,
    /// See `ImpulseCache::torques`.
    pub torque: Vec3,
    /// See `ImpulseCache::sticking_velocities`.
    pub sticking_velocity: Vec3,
    /// See `ImpulseCache::frames`.
    pub frame: FrictionFrame,
    /// See `ImpulseCache::totals`.
    pub total: ImpulsiveWrench,
    /// See `ImpulseCache::compatible`.
    pub compatible: Impulse,
}

impl ContactHistory {
    /// The part that only contacts that are awake have.
    pub const STICKING_VELOCITY: u8 = 4;

    /// Returns what a contact with these columns carried, and which parts are written.
    #[inline(always)]
    pub(super) fn of(loads: &ImpulseCache, lane: LaneSlot, columns: Columns) -> (Self, u8) {
        let (impulse, torque) = (in_lane(&loads.impulses, lane), in_lane(&loads.torques, lane));
        let position_multiplier = in_lane(&loads.position_multipliers, lane);
        let sticking_velocity = in_lane(&loads.sticking_velocities, lane);
        let total = ImpulsiveWrench { force: impulse, torque };
        let (frame, compatible) = (FrictionFrame::default(), impulse);
        let common = Self { impulse, position_multiplier, torque, sticking_velocity, frame, total, compatible };
        if columns.are_common() {
            return (common, common.common_parts());
        }
        let total = loads.totals.get(lane.index()).copied().unwrap_or(total);
        let compatible = loads.compatible.get(lane.index()).copied().unwrap_or(total.force);
        let carried = Self { frame: in_lane(&loads.frames, lane), total, compatible, ..common };
        (carried, carried.parts())
    }

    /// Returns which parts are written.
    pub fn parts(&self) -> u8 {
        let Self { impulse, position_multiplier: _, torque, sticking_velocity: _, frame, total, compatible } = self;
        let is_framed = !is_identical(&frame.normal, &Vec3::zeros()) || frame.twist.to_bits() != 0;
        self.common_parts()
            | mark(is_framed, FRAME)
            | mark(!is_same(&total.force, impulse), TOTAL_FORCE)
            | mark(!is_identical(&total.torque, torque), TOTAL_TORQUE)
            | mark(!is_same(compatible, &total.force), COMPATIBLE)
    }

    /// Returns the same of the parts that most contacts have.
    #[inline(always)]
    fn common_parts(&self) -> u8 {
        let is_zero = |vector: &Vec3| is_identical(vector, &Vec3::zeros());
        mark(self.position_multiplier.to_bits() != 0, POSITION_MULTIPLIER)
            | mark(!is_zero(&self.torque), TORQUE)
            | mark(!is_zero(&self.sticking_velocity), STICKING_VELOCITY)
    }

    /// Returns whether there are these parts or an impulse, to the last bit.
    #[inline(always)]
    pub(super) fn is_loaded(&self, parts: u8) -> bool {
        parts != 0 || !is_same(&self.impulse, &Impulse::ZERO)
    }

    /// Writes the impulse and these parts of what was carried.
    #[inline(always)]
    pub fn save(&self, visitor: &mut impl StateVisitor, parts: u8) {
        let Self { impulse, position_multiplier, torque, sticking_velocity, frame, total, compatible } = self;
        let Impulse { normal, tangential: along } = *impulse;
        if parts == POSITION_MULTIPLIER | TORQUE {
            // Most contacts with torques, at once.
            let [x, y, z] = (*torque).into();
            return visitor.array([normal, along.x, along.y, along.z, *position_multiplier, x, y, z]);
        }
        visitor.array([normal, along.x, along.y, along.z]);
        if parts & POSITION_MULTIPLIER != 0 {
            position_multiplier.visit(visitor);
        }
        if parts & TORQUE != 0 {
            torque.visit(visitor);
        }
        if parts & !(POSITION_MULTIPLIER | TORQUE) == 0 {
            return;
        }
        if parts & STICKING_VELOCITY != 0 {
            sticking_velocity.visit(visitor);
        }
        if parts & FRAME != 0 {
            frame.visit(visitor);
        }
        if parts & TOTAL_FORCE != 0 {
            total.force.visit(visitor);
        }
        if parts & TOTAL_TORQUE != 0 {
            total.torque.visit(visitor);
        }
        if parts & COMPATIBLE != 0 {
            compatible.visit(visitor);
        }
    }

    /// Writes what a contact with these columns carried, with marks of its parts where it can have several.
    #[inline(always)]
    pub(super) fn save_columns(&self, visitor: &mut impl StateVisitor, parts: u8, have_parts: bool) {
        if have_parts {
            visitor.byte(parts);
            self.save(visitor, parts);
        } else {
            self.save(visitor, POSITION_MULTIPLIER);
        }
    }

    /// Reads what [`ContactHistory::save_columns`] wrote.
    #[inline(always)]
    pub(super) fn load_columns(reader: &mut Reader, columns: Columns, have_parts: bool) -> Result<Self> {
        if !have_parts {
            return Self::load(reader, POSITION_MULTIPLIER);
        }
        let parts = reader.byte()?;
        if parts & !columns.parts() != 0 {
            return Err(format_error(text!("a contact carried the parts {parts:#x}")));
        }
        Self::load(reader, parts)
    }

    /// Reads what [`ContactHistory::save`] wrote.
    ///
    /// # Errors
    ///
    /// There are no such parts, or no step leaves them.
    #[inline(always)]
    pub fn load(reader: &mut Reader, parts: u8) -> Result<Self> {
        let ([normal, x, y, z, position_multiplier], torque) = if parts == POSITION_MULTIPLIER | TORQUE {
            // Most contacts with torques, at once.
            let [normal, x, y, z, multiplier, about_x, about_y, about_z] = reader.numbers()?;
            ([normal, x, y, z, multiplier], Vec3::new(about_x, about_y, about_z))
        } else {
            let [normal, x, y, z] = reader.numbers()?;
            let multiplier = if parts & POSITION_MULTIPLIER != 0 { reader.number()? } else { 0.0 };
            let torque = if parts & TORQUE != 0 { Vec3::read(reader)? } else { Vec3::zeros() };
            ([normal, x, y, z, multiplier], torque)
        };
        let impulse = Impulse { normal, tangential: Vec3::new(x, y, z) };
        check_impulse(&impulse)?;
        if !(normal >= 0.0 && limits::has_square(position_multiplier)) {
            return Err(format_error(text!(
                "a contact carried {normal} N s along its normal and {position_multiplier} kg m"
            )));
        }
        check_torque(&torque)?;
        let total = ImpulsiveWrench { force: impulse, torque };
        let history = Self { impulse, position_multiplier, torque, total, compatible: impulse, ..Self::default() };
        if parts & !(POSITION_MULTIPLIER | TORQUE) == 0 { Ok(history) } else { history.with_rest(reader, parts) }
    }

    /// Returns the same with the parts that few contacts have.
    fn with_rest(mut self, reader: &mut Reader, parts: u8) -> Result<Self> {
        if parts & !PARTS != 0 {
            return Err(format_error(text!("a contact carried the parts {parts:#x}")));
        }
        if parts & STICKING_VELOCITY != 0 {
            self.sticking_velocity = Vec3::read(reader)?;
        }
        if parts & FRAME != 0 {
            self.frame = FrictionFrame::read(reader)?;
            check_frame(&self.frame)?;
        }
        if parts & TOTAL_FORCE != 0 {
            self.total.force = Impulse::read(reader)?;
        }
        if parts & TOTAL_TORQUE != 0 {
            self.total.torque = Vec3::read(reader)?;
        }
        self.compatible = if parts & COMPATIBLE != 0 { Impulse::read(reader)? } else { self.total.force };
        check_impulses(&[self.total, self.compatible.into()])?;
        Ok(self)
    }
}

impl Columns {
    /// Returns the parts that contacts with these columns can have.
    fn parts(self) -> u8 {
        let Self { torques, sticking_velocities, frames, totals, compatible } = self;
        POSITION_MULTIPLIER
            | mark(torques, TORQUE)
            | mark(sticking_velocities, STICKING_VELOCITY)
            | mark(frames, FRAME)
            | mark(totals, TOTAL_FORCE | TOTAL_TORQUE)
            | mark(compatible, COMPATIBLE)
    }
}

impl ImpulseCache {
    /// Reserves memory for this many contacts with these columns.
    pub(super) fn reserve_columns(&mut self, count: usize, columns: Columns) -> Result<()> {
        let Columns { torques, sticking_velocities, frames, totals, compatible } = columns;
        let of = |exists: bool| if exists { count } else { 0 };
        reserve(&mut self.lanes, count, "contacts")?;
        reserve(&mut self.impulses, count, "contacts")?;
        reserve(&mut self.position_multipliers, count, "contacts")?;
        reserve(&mut self.marks, count, "contacts")?;
        reserve(&mut self.torques, of(torques), "contacts")?;
        reserve(&mut self.sticking_velocities, of(sticking_velocities), "contacts")?;
        reserve(&mut self.frames, of(frames), "contacts")?;
        reserve(&mut self.totals, of(totals), "contacts")?;
        reserve(&mut self.compatible, of(compatible), "contacts")
    }

    /// Adds what a contact carried behind that of all others. Memory is already reserved.
    #[inline(always)]
    pub(super) fn push_columns(&mut self, carried: &ContactHistory, columns: Columns) {
        let ContactHistory { impulse, position_multiplier, torque, sticking_velocity, frame, total, compatible } =
            *carried;
        self.impulses.push(impulse);
        self.position_multipliers.push(position_multiplier);
        if columns.torques {
            self.torques.push(torque);
        }
        if columns.sticking_velocities {
            self.sticking_velocities.push(sticking_velocity);
        }
        if columns.frames {
            self.frames.push(frame);
        }
        if columns.totals {
            self.totals.push(total);
        }
        if columns.compatible {
            self.compatible.push(compatible);
        }
    }
}

/// Refuses impulses beyond the limits.
pub fn check_impulses(wrenches: &[ImpulsiveWrench]) -> Result<()> {
    wrenches.iter().try_for_each(|ImpulsiveWrench { force, torque }| {
        check_impulse(force)?;
        check_torque(torque)
    })
}

#[inline(always)]
fn check_impulse(impulse: &Impulse) -> Result<()> {
    if limits::has_square(impulse.normal) && is_within(&impulse.tangential, limits::LARGEST) {
        return Ok(());
    }
    Err(format_error(text!("{impulse:?} is beyond the limits")))
}

/// Refuses what is no direction, and angles that no substep turns.
fn check_frame(frame: &FrictionFrame) -> Result<()> {
    let FrictionFrame { normal, twist } = frame;
    let is_unit = (normal.norm_squared() - 1.0).abs() <= 1e-6;
    if (is_unit || *normal == Vec3::zeros()) && limits::has_square(*twist) {
        return Ok(());
    }
    Err(format_error(text!("friction is across {:?} and was turned by {twist} rad", normal.as_slice())))
}

#[inline(always)]
fn check_torque(torque: &Vec3) -> Result<()> {
    if is_within(torque, limits::LARGEST) {
        return Ok(());
    }
    Err(format_error(text!("the impulse of a torque is {:?}, which is beyond the limits", torque.as_slice())))
}

/// Returns the mark if it is set.
#[inline(always)]
fn mark(is_set: bool, mark: u8) -> u8 {
    if is_set { mark } else { 0 }
}

/// Whether both are the same to the last bit.
#[inline(always)]
fn is_same(a: &Impulse, b: &Impulse) -> bool {
    a.normal.to_bits() == b.normal.to_bits() && is_identical(&a.tangential, &b.tangential)
}
