//! The rows that the joints give to a substep, and their impulses.

use std::ops::Range;

use crate::body::{Bodies, Motion};
use crate::error::{Result, empty, push, refill, resize};
use crate::joint::{
    AxisState, Coordinate, Drive, Geometry, JointAxis, JointLoad, JointRow, LimitApproach, LockedRow, SideFrame,
    SideVector, axis_drives, coordinates, length_round_off, load_across, locked_rows, turn_round_off,
};
use crate::math::BodyRow;
use crate::solver::problem::Jacobian;
use crate::solver::problem::ball::is_within;
use crate::solver::{MassInverse, Row, Velocity};
use crate::world::index::Index;
use crate::world::joints::errors::{counted, side_frame};
use crate::world::joints::freedom::{FreeRow, Freedom, HeldErrors};
use crate::world::joints::inertia::inertia_along;
use crate::world::joints::state::{
    AXES, DriveKind, Joint, JointReport, JointState, JointWorkspace, Joints, RowImpulses, RowPlace,
};
use crate::world::settings::Settings;
use crate::world::stretch::stretch;
use crate::world::substeps::{Stage, Substep};

/// The part of an error that one step undoes where the position projection is off. Overlap has the same part.
const ERROR_FRACTION: f64 = 0.2;

/// Steps whose lengths differ by less than this part have one length [-].
const STEADY: f64 = 1e-9;

/// A row that carries nothing. A joint has the same rows in all stages of a step: new rows would change the lanes of the solver.
const INERT: Drive = Drive { compliance: 0.0, bias: 0.0, lower: 0.0, upper: 0.0 };

/// The input of the rows of a substep.
#[derive(Clone, Copy)]
pub(in crate::world) struct JointInput<'a> {
    pub(in crate::world) settings: &'a Settings,
    pub(in crate::world) bodies: &'a Bodies,
    pub(in crate::world) joints: &'a Joints,
    pub(in crate::world) index: &'a Index,
    /// The motion of each row that takes part, at the start of the substep.
    pub(in crate::world) motion: &'a [Motion],
    pub(in crate::world) substep: Substep,
    pub(in crate::world) stage: Stage,
    pub(in crate::world) is_static: bool,
    /// Length of the substep before [s].
    pub(in crate::world) length_before: f64,
    /// The inverse mass of each row, and its velocity once the forces have acted.
    pub(in crate::world) masses: &'a [MassInverse],
    pub(in crate::world) velocities: &'a [Velocity],
}

/// The rows of one joint.
#[derive(Debug, Clone, Copy)]
pub(super) struct ActiveJoint {
    pub(super) slot: usize,
    pub(super) geometry: Geometry,
    /// The position along each axis at the start of the substep.
    pub(super) position_before: [f64; AXES],
    /// The size in proportion to which its errors have round-off [m] or [rad].
    pub(super) size: f64,
    /// The first of its rows, and the first of the next joint.
    pub(super) rows: [usize; 2],
}

/// The rows of the joints that take part in a substep, in the order of their slots.
#[derive(Debug, Default)]
pub(in crate::world) struct JointRows {
    pub(in crate::world) rows: Vec<Row>,
    sources: Vec<RowSource>,
    pub(super) active: Vec<ActiveJoint>,
    /// Whether each row of bodies has a joint.
    are_joined: Vec<bool>,
}

/// Where a row comes from.
#[derive(Debug, Clone, Copy)]
struct RowSource {
    /// With what locks of bodies forbid.
    whole: JointRow,
    place: RowPlace,
    /// Whether any body moves along it.
    moves: bool,
}

/// One of the bodies of a joint, or the world.
#[derive(Debug, Clone, Copy)]
struct Side {
    row: BodyRow,
    frame: SideFrame,
    freedom: Freedom,
    /// At the start of the substep, and once the forces have acted.
    velocities: [SideVector; 2],
    /// The distance of the body from the world's origin [m].
    reach: f64,
}

impl JointInput<'_> {
    /// Returns the two bodies of a joint; none if no body takes part that impulses move.
    fn sides(&self, joint: &Joint) -> Option<[Side; 2]> {
        let sides = [0, 1].map(|side| self.side(joint, side));
        let moves = sides.iter().any(|side| !side.freedom.mass.is_immovable());
        moves.then_some(sides)
    }

    fn side(&self, joint: &Joint, side: usize) -> Side {
        let now = |slot: usize| self.index.active_row(slot).map_or(self.bodies.motion[slot], |row| self.motion[row]);
        let frame = side_frame(joint, side, self.bodies, now);
        let Some(slot) = joint.bodies[side].map(|slot| slot as usize) else {
            return Side {
                row: BodyRow::NONE,
                frame,
                freedom: Freedom::NONE,
                velocities: [SideVector::ZERO; 2],
                reach: frame.origin.norm(),
            };
        };
        let row = self.index.active_row(slot);
        let motion = row.map_or(&self.bodies.motion[slot], |row| &self.motion[row]);
        let [before, kicked] = match row {
            Some(row) => {
                let Velocity { linear, angular } = self.velocities[row];
                [SideVector { linear: motion.linear, angular: motion.angular }, SideVector { linear, angular }]
            }
            None => [SideVector::ZERO; 2],
        };
        Side {
            row: row.unwrap_or(BodyRow::NONE),
            frame,
            freedom: row
                .map_or(Freedom::NONE, |row| Freedom::new(self.masses[row], &self.bodies.mass[slot], &motion.rotation)),
            velocities: [before, kicked],
            reach: motion.center.norm() + (frame.origin - motion.center).norm(),
        }
    }

    /// Returns the time from the start of the step to that of the substep [s].
    fn elapsed(&self) -> f64 {
        let Substep { step, length, middle, .. } = self.substep;
        (step * middle - 0.5 * length).max(0.0)
    }
}

impl JointRows {
    /// Writes the rows of the joints of a substep, and the impulses from which they start.
    pub(in crate::world) fn assemble(
        &mut self,
        input: &JointInput,
        work: &mut JointWorkspace,
        start: &mut Vec<f64>,
    ) -> Result<()> {
        let Self { rows, sources, active, are_joined } = self;
        let live = input.joints.order.len();
        empty(rows, 0, "rows of joints")?;
        empty(sources, 0, "rows of joints")?;
        empty(start, 0, "rows of joints")?;
        empty(active, live, "joints")?;
        refill(are_joined, if live > 0 { input.masses.len() } else { 0 }, false, "bodies")?;
        for (slot, joint) in input.joints.live().filter(|(_, joint)| joint.acts()) {
            let Some(sides) = input.sides(joint) else { continue };
            work.is_active[slot] = true;
            for side in &sides {
                if let Some(is_joined) = self.are_joined.get_mut(side.row.index()) {
                    *is_joined = true;
                }
            }
            let state = &mut work.states[slot];
            let geometry = Geometry::new(&sides[0].frame, &sides[1].frame);
            let first = self.rows.len();
            let mut maker = RowMaker { input, joint, sides: &sides, rows: self, start, stretched: stretched(input) };
            maker.add_all(&geometry, state)?;
            let rows = [first, self.rows.len()];
            let size = 1.0 + sides.iter().map(|side| side.reach).sum::<f64>();
            self.active.push(ActiveJoint { slot, geometry, position_before: state.position, size, rows });
        }
        Ok(())
    }

    /// Returns whether the body of a row has a joint.
    pub(in crate::world) fn joins(&self, row: BodyRow) -> bool {
        self.are_joined.get(row.index()) == Some(&true)
    }

    /// Returns which row of its joint each of some rows is.
    pub(super) fn places(&self, range: Range<usize>) -> impl Iterator<Item = RowPlace> + '_ {
        self.sources[range].iter().map(|source| source.place)
    }

    /// Returns whether impulses move any body along a row. Locks of bodies may forbid what the row asks for.
    pub(super) fn moves(&self, row: usize) -> bool {
        self.sources[row].moves
    }

    /// Returns what locks of bodies leave of a row.
    pub(super) fn free(&self, row: usize) -> FreeRow {
        let (RowSource { whole, moves, .. }, own) = (self.sources[row], &self.rows[row]);
        let side = |jacobian: &Jacobian| SideVector { linear: jacobian.linear, angular: jacobian.angular };
        FreeRow { whole, row: JointRow { a: side(&own.jacobian_a), b: side(&own.jacobian_b) }, moves }
    }

    /// Notes the largest of the residuals of the rows [m/s].
    pub(in crate::world) fn note_residuals(&self, residuals: &[f64], report: &mut JointReport) {
        for ActiveJoint { slot, rows: [first, end], .. } in &self.active {
            let own = residuals.get(*first..*end).unwrap_or_default();
            let largest = own.iter().fold(0.0, |largest: f64, residual| largest.max(*residual));
            if largest > report.residual || report.worst.is_none() {
                (report.residual, report.worst) = (largest, Some(*slot));
            }
        }
    }

    /// Reads the impulses of the rows in a stage and adds them to those of the joints in the step. Where they
    /// `are_kept`, the next substep starts from the impulses of the stage.
    pub(in crate::world) fn read(
        &self,
        impulses: &[f64],
        h: f64,
        are_kept: bool,
        work: &mut JointWorkspace,
    ) -> Result<()> {
        resize(&mut work.row_totals, impulses.len(), 0.0, "rows of joints")?;
        work.row_totals.iter_mut().zip(impulses).for_each(|(total, impulse)| *total += impulse);
        for ActiveJoint { slot, geometry, rows: [first, end], .. } in &self.active {
            let state = &mut work.states[*slot];
            let (sources, own) = (&self.sources[*first..*end], &impulses[*first..*end]);
            let (mut last, mut is_saturated, mut is_sticking) = (RowImpulses::default(), [false; AXES], [false; AXES]);
            let mut rotors = [0.0; AXES];
            for ((source, impulse), row) in sources.iter().zip(own).zip(&self.rows[*first..*end]) {
                match source.place {
                    RowPlace::Locked(at) => last.locked[at] = *impulse,
                    RowPlace::Drive(axis, kind) => {
                        last.drives[axis][kind as usize] = *impulse;
                        state.drives[axis][kind as usize] += impulse;
                        // A row that does not act has no bounds to be at.
                        let acts = row.lower < row.upper;
                        let is_bound = acts && !is_within(row, *impulse, impulses);
                        is_saturated[axis] |= kind == DriveKind::Motor && is_bound;
                        is_sticking[axis] |= kind == DriveKind::Friction && acts && !is_bound;
                        if kind == DriveKind::Armature {
                            rotors[axis] = row.rhs - row.compliance * impulse;
                        }
                    }
                }
            }
            let rows = sources.iter().map(|source| source.whole).zip(own.iter().copied());
            let load = JointLoad::of_rows(geometry, rows, 1.0);
            state.largest_impulse = state.largest_impulse.max(load.force.norm());
            state.load.force += load.force;
            state.load.torque += load.torque;
            state.moments[0] += load.on_a(geometry).angular;
            state.moments[1] += load.on_b(geometry).angular;
            if are_kept {
                (state.last, state.is_saturated, state.is_sticking) = (last, is_saturated, is_sticking);
                state.last_force = load.force / h;
                // Less what the axis has at the end of the substep, once the bodies moved.
                state.rotor_lag = rotors;
                state.loads_across = geometry.axes_a.map(|axis| load_across(&load.force, &axis) / h);
            }
        }
        Ok(())
    }
}

/// Returns the factor on the impulses of the substep before [-].
fn stretched(input: &JointInput) -> f64 {
    match (input.stage, input.substep.is_first) {
        (Stage::Impact, _) => 0.0,
        (_, true) => stretch(input.substep.length, input.length_before),
        (_, false) => 1.0,
    }
}

/// Returns whether a bound is the farther one of two and is not reached in this step, even at twice the speed. Both at once could carry any
/// impulses that cancel each other.
fn is_out_of_reach(axis: &JointAxis, kind: DriveKind, approach: &LimitApproach) -> bool {
    let LimitApproach { position, velocity, kicked_velocity, step, .. } = *approach;
    let gaps = [position - axis.lower, axis.upper - position];
    let [own, other] = match kind {
        DriveKind::Lower => gaps,
        DriveKind::Upper => [gaps[1], gaps[0]],
        _ => return false,
    };
    own > other && own > 2.0 * step * (velocity.abs() + kicked_velocity.abs())
}

/// Writes the rows of one joint.
pub(super) struct RowMaker<'a> {
    pub(super) input: &'a JointInput<'a>,
    pub(super) joint: &'a Joint,
    sides: &'a [Side; 2],
    pub(super) rows: &'a mut JointRows,
    start: &'a mut Vec<f64>,
    stretched: f64,
}

impl RowMaker<'_> {
    fn add_all(&mut self, geometry: &Geometry, state: &mut JointState) -> Result<()> {
        let Joint { definition, locks, .. } = self.joint;
        let mut locked = locked_rows(geometry, definition.kind, locks, definition.lengths());
        // What may yield leaves the axis the mass that it has without it.
        let is_rigid = |row: &LockedRow| row.is_two_sided() && definition.compliance_of(row.is_turn)[0] == 0.0;
        let mut held = HeldErrors::EMPTY;
        for (at, row) in locked.as_slice().iter().enumerate().filter(|(_, row)| is_rigid(row)) {
            held.push(at, self.free(row.row), row.error);
        }
        let mut own = [JointRow::ZERO; AXES];
        let count = own.iter_mut().zip(held.rows()).map(|(own, row)| *own = *row).count();
        for (at, error) in held.reachable(self.freedoms()) {
            locked.as_mut_slice()[at].error = error;
        }
        for (at, row) in locked.as_slice().iter().enumerate() {
            let drive = self.locked_drive(row);
            self.add(self.free(row.row), drive, RowPlace::Locked(at), state.last.locked[at])?;
        }
        let own = &own[..count];
        for (index, coordinate) in coordinates(geometry, definition.kind, locks).iter().enumerate() {
            if let Some(coordinate) = coordinate {
                self.add_axis(index, coordinate, own, state)?;
            }
        }
        self.add_ball(geometry, state)
    }

    /// Returns the velocity of a row, before and after the forces of the substep.
    fn velocity(&self, row: &JointRow) -> [f64; 2] {
        let [a, b] = self.sides;
        [0, 1].map(|at| row.velocity(&a.velocities[at], &b.velocities[at]))
    }

    /// Returns what holds a locked row.
    fn locked_drive(&self, locked: &LockedRow) -> Drive {
        let LockedRow { error, row, lower, upper, is_turn } = locked;
        let (h, settings) = (self.input.substep.length, self.input.settings);
        let held = |bias| Drive { compliance: 0.0, bias, lower: *lower, upper: *upper };
        let round_off = if *is_turn { turn_round_off(*error) } else { length_round_off(self.reach()) };
        // A rope holds from above: its impulse is not positive, and it is slack where the error is below zero.
        let slack = if *upper == 0.0 { -*error } else { *error };
        let is_slack = (*upper == 0.0 || *lower == 0.0) && slack > round_off;
        if self.input.stage == Stage::Impact {
            return if is_slack { INERT } else { held(0.0) };
        }
        let [compliance, relaxation] = self.joint.definition.compliance_of(*is_turn);
        if compliance > 0.0 {
            let drive = Drive::compliant([compliance, relaxation], *error, self.velocity(row)[0], h);
            return Drive { lower: *lower, upper: *upper, ..drive };
        }
        if is_slack || self.input.is_static {
            return held(error / h);
        }
        let fastest = settings.push_out_velocity;
        let bias =
            if settings.position_projection { 0.0 } else { (ERROR_FRACTION * error / h).clamp(-fastest, fastest) };
        held(bias)
    }

    /// Returns the size in proportion to which lengths have round-off [m].
    fn reach(&self) -> f64 {
        let [a, b] = self.sides;
        a.reach + b.reach + (b.frame.origin - a.frame.origin).norm()
    }

    fn add_axis(
        &mut self,
        index: usize,
        coordinate: &Coordinate,
        locked: &[JointRow],
        state: &mut JointState,
    ) -> Result<()> {
        let is_turn = index >= 3;
        let position = counted(self.joint, index, Some(coordinate), state.position[index]);
        state.position[index] = position;
        let axis = &self.joint.axes[index];
        let masses = self.sides.map(|side| side.freedom.mass);
        let moving = |row: FreeRow| inertia_along(&row.row, locked, &masses).map(|inertia| (row, inertia));
        // Nothing acts where the axis has no direction, or nothing moves along it.
        let moved = coordinate.row.and_then(|row| moving(self.free(row)));
        let (row, inertia) = moved.unwrap_or((FreeRow::ZERO, 1.0));
        let [velocity, kicked_velocity] = self.velocity(&row.whole);
        let approach = LimitApproach {
            position,
            velocity,
            kicked_velocity,
            round_off: if is_turn { turn_round_off(position) } else { length_round_off(self.reach()) },
            restitution_threshold: self.input.settings.restitution_threshold,
            step: self.input.substep.length,
        };
        let (length, before) = (self.input.substep.length, self.input.length_before);
        let is_steady = !self.input.substep.is_first || before == 0.0 || (length - before).abs() <= STEADY * length;
        let target_position = axis.target_position + axis.target_velocity * self.input.elapsed();
        let drives = axis_drives(
            axis,
            index,
            &AxisState {
                approach,
                inertia,
                target_position,
                pace: self.input.substep.pace,
                load: state.loads_across[index % 3],
                is_cone: coordinate.is_cone,
                is_steady,
                rotor_velocity: velocity + state.rotor_lag[index],
            },
        );
        let is_of_ball = |kind| kind == DriveKind::Friction && self.joint.friction_of_turns().is_some();
        for (kind, drive) in DriveKind::of_all(&drives).into_iter().filter(|(kind, _)| !is_of_ball(*kind)) {
            // In an impact, which takes no time, only what holds an axis acts.
            let is_timely = self.input.stage != Stage::Impact || kind == DriveKind::Held;
            let acts = moved.is_some() && is_timely && !is_out_of_reach(axis, kind, &approach);
            if let Some(drive) = drive {
                let drive = if acts { drive } else { INERT };
                self.add(row, drive, RowPlace::Drive(index, kind), state.last.drives[index][kind as usize])?;
            }
        }
        Ok(())
    }

    /// Returns what the locks of the bodies leave of a row.
    pub(super) fn free(&self, row: JointRow) -> FreeRow {
        FreeRow::new(row, self.freedoms())
    }

    fn freedoms(&self) -> [&Freedom; 2] {
        self.sides.each_ref().map(|side| &side.freedom)
    }

    pub(super) fn add(&mut self, free: FreeRow, drive: Drive, place: RowPlace, before: f64) -> Result<()> {
        let FreeRow { whole, row, moves } = free;
        let [a, b] = self.sides;
        let jacobian = |side: &SideVector| Jacobian { linear: side.linear, angular: side.angular };
        let Drive { lower, upper, .. } = drive;
        // A row that moves nothing keeps its bounds, on which the lanes of the solver depend.
        let [compliance, bias, before] = if moves { [drive.compliance, drive.bias, before] } else { [0.0; 3] };
        let own = Row {
            body_a: a.row,
            body_b: b.row,
            jacobian_a: jacobian(&row.a),
            jacobian_b: jacobian(&row.b),
            rhs: -bias,
            compliance,
            lower,
            upper,
            friction_row: None,
            ball: None,
        };
        push(&mut self.rows.rows, own, "rows of joints")?;
        push(&mut self.rows.sources, RowSource { whole, place, moves }, "rows of joints")?;
        push(self.start, (before * self.stretched).max(lower).min(upper), "rows of joints")
    }
}
