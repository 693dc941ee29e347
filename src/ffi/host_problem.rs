//! A host's problem, read into the solver's own arrays, and its answer, written back.
//!
//! This module checks pointers, counts and reserved members. The solver checks the problem itself.
//!
//! # Safety
//! The unsafe functions have the condition of those of `guard`, for the pointers and counts in the structures.

use crate::error::{Error, Result, in_range, text};
use crate::math::{BodyRow, RowId, Symmetric3, Vec3};
use crate::solver::problem::Jacobian;
use crate::solver::{Contact, MassInverse, OptionalTerms, Row, Velocity};
use crate::world::Report;
use crate::world::external::{ContactProblem, ContactSolution, ContactSolver, LocalProblem, block_count};

use super::guard::{self, Filled, Region};
use super::problem::{
    dry_contact_solution, dry_local_problem, dry_problem, dry_problem_body, dry_problem_contact, dry_problem_row,
    dry_solution,
};
use super::step::dry_step_report;
use super::structure::{self, SizedOutput, same_members};

/// Most contacts, and most rows: a contact may become six rows, and the solver numbers rows in 30 bits.
const MAX_ROWS: usize = 1 << 27;

/// The arrays of a problem, read where they lie.
pub(super) struct Inputs<'a> {
    step: f64,
    bodies: &'a [dry_problem_body],
    contacts: &'a [dry_problem_contact],
    rows: &'a [dry_problem_row],
}

/// Where an answer goes; what the host does not want is empty.
pub(super) struct Outputs {
    velocities: Filled<[f64; 6]>,
    contacts: Filled<dry_contact_solution>,
    row_impulses: Filled<f64>,
    compatible_row_impulses: Filled<f64>,
    report: SizedOutput<dry_step_report>,
}

impl<'a> Inputs<'a> {
    pub(super) unsafe fn of(problem: &dry_problem) -> Result<Self> {
        at_most("body_count", problem.body_count, u32::MAX as usize - 1)?;
        at_most("contact_count", problem.contact_count, MAX_ROWS)?;
        at_most("row_count", problem.row_count, MAX_ROWS)?;
        // SAFETY: this function's own condition.
        unsafe {
            Ok(Self {
                step: problem.step,
                bodies: guard::array(["bodies", "body_count"], problem.bodies, problem.body_count)?,
                contacts: guard::array(["contacts", "contact_count"], problem.contacts, problem.contact_count)?,
                rows: guard::array(["rows", "row_count"], problem.rows, problem.row_count)?,
            })
        }
    }

    /// The arrays as inputs that no output may overlap.
    pub(super) fn regions(&self) -> [Region; 3] {
        [
            Region::new("bodies", self.bodies.as_ptr(), self.bodies.len()),
            Region::new("contacts", self.contacts.as_ptr(), self.contacts.len()),
            Region::new("rows", self.rows.as_ptr(), self.rows.len()),
        ]
    }

    pub(super) fn copy(&self, problem: &mut ContactProblem) -> Result<()> {
        problem.clear(self.bodies.len(), self.contacts.len(), self.rows.len())?;
        problem.step = self.step;
        problem.masses.extend(self.bodies.iter().map(mass_of));
        problem.velocities.extend(self.bodies.iter().map(velocity_of));
        for contact in self.contacts {
            let (contact, optional) = contact_of(contact);
            problem.add_contact(contact, optional)?;
        }
        problem.contact_keys.extend(self.contacts.iter().map(|contact| contact.key));
        let relative = |stiffness: f64| if stiffness == 0.0 { 1.0 } else { stiffness };
        problem.stiffness.extend(self.contacts.iter().map(|contact| relative(contact.stiffness)));
        for (index, row) in self.rows.iter().enumerate() {
            problem.rows.push(row_of(row).map_err(|error| error.at(format_args!("rows[{index}].")))?);
        }
        problem.row_keys.extend(self.rows.iter().map(|row| row.key));
        Ok(())
    }
}

impl Outputs {
    pub(super) unsafe fn of(solution: &dry_solution, problem: &dry_problem) -> Result<Self> {
        let dry_solution { velocities, contacts, row_impulses, report, compatible_row_impulses: compatible, .. } =
            *solution;
        let dry_problem { body_count, contact_count, row_count, .. } = *problem;
        // SAFETY: this function's own condition.
        unsafe {
            Ok(Self {
                velocities: guard::filled_or_null(["velocities", "body_count"], velocities.cast(), body_count)?,
                contacts: guard::filled_or_null(["solution.contacts", "contact_count"], contacts, contact_count)?,
                row_impulses: guard::filled_or_null(["row_impulses", "row_count"], row_impulses, row_count)?,
                compatible_row_impulses: guard::filled_or_null(
                    ["compatible_row_impulses", "row_count"],
                    compatible,
                    row_count,
                )?,
                report: structure::output_or_null("report", report)?,
            })
        }
    }

    pub(super) fn regions(&self) -> [Region; 5] {
        [
            self.velocities.region("velocities"),
            self.contacts.region("solution.contacts"),
            self.row_impulses.region("row_impulses"),
            self.compatible_row_impulses.region("compatible_row_impulses"),
            self.report.region("report"),
        ]
    }

    pub(super) fn write(self, solver: &ContactSolver, report: &Report) {
        self.velocities.write(solver.velocities().iter().map(|velocity| {
            let ([x, y, z], [rx, ry, rz]) = (velocity.linear.into(), velocity.angular.into());
            [x, y, z, rx, ry, rz]
        }));
        self.contacts.write(solver.contact_solutions().map(dry_contact_solution::from));
        self.row_impulses.write(solver.row_impulses().iter().copied());
        self.compatible_row_impulses.write(solver.compatible_row_impulses().iter().copied());
        self.report.write(dry_step_report::from(report));
    }
}

fn at_most(name: &str, count: usize, limit: usize) -> Result<()> {
    if count <= limit {
        return Ok(());
    }
    Err(Error::argument(text!("{name} is {count}, expected at most {limit}")))
}

fn velocity_of(body: &dry_problem_body) -> Velocity {
    Velocity { linear: body.velocity.into(), angular: body.angular_velocity.into() }
}

fn mass_of(body: &dry_problem_body) -> MassInverse {
    MassInverse { linear: Vec3::repeat(body.inverse_mass), angular: Symmetric3 { entries: body.inverse_inertia } }
}

fn contact_of(contact: &dry_problem_contact) -> (Contact, OptionalTerms) {
    let optional = same_members! { contact {
        normal_compliance, tangential_compliance, rolling, twisting,
    } into OptionalTerms { surface_velocity: contact.surface_velocity.into(), turning_compliance: 0.0 } };
    let contact = same_members! { contact { normal_bias, friction } into Contact {
        body_a: BodyRow(contact.body_a),
        body_b: BodyRow(contact.body_b),
        normal: contact.normal.into(),
        arm_a: contact.arm_a.into(),
        arm_b: contact.arm_b.into(),
    } };
    (contact, optional)
}

fn row_of(row: &dry_problem_row) -> Result<Row> {
    structure::reserved(row.reserved)?;
    let number = f64::from(row.friction_row);
    in_range("friction_row", number, row.friction_row >= -1, "-1 or an index of a row")?;
    Ok(same_members! { row { rhs, compliance, lower, upper } into Row {
        body_a: BodyRow(row.body_a),
        body_b: BodyRow(row.body_b),
        jacobian_a: jacobian_of(&row.jacobian_a),
        jacobian_b: jacobian_of(&row.jacobian_b),
        friction_row: u32::try_from(row.friction_row).ok().map(RowId),
        ball: None,
    } })
}

fn jacobian_of(numbers: &[f64; 6]) -> Jacobian {
    let [x, y, z, rx, ry, rz] = *numbers;
    Jacobian { linear: Vec3::new(x, y, z), angular: Vec3::new(rx, ry, rz) }
}

impl From<ContactSolution> for dry_contact_solution {
    fn from(solution: ContactSolution) -> Self {
        same_members! { solution { normal_impulse, residual, state } into Self {
            impulse: solution.impulse.into(),
            torque_impulse: solution.torque_impulse.into(),
            compatible_impulse: solution.compatible_impulse.into(),
            reserved: 0,
        } }
    }
}

/// The arrays of a problem without bodies, read where they lie.
pub(super) unsafe fn local<'a>(problem: &dry_local_problem) -> Result<LocalProblem<'a>> {
    structure::reserved(problem.reserved)?;
    let count = problem.contact_count;
    let dimension = problem.dimension as usize;
    if dimension != 3 && dimension != 5 {
        return Err(Error::argument(text!("dimension is {dimension}, expected 3 or 5")));
    }
    if dimension == 3 && !problem.rolling.is_null() {
        return Err(Error::argument("rolling is not NULL while dimension is 3, expected NULL"));
    }
    // each contact has its diagonal block, and blocks are counted in 32 bits
    if count >= u32::MAX as usize {
        return Err(Error::argument(text!("contact_count is {count}, expected less than {}", u32::MAX)));
    }
    let offsets = if count == 0 { 0 } else { count + 1 };
    // SAFETY: this function's own condition.
    unsafe {
        let row_offsets = guard::array(["row_offsets", "contact_count"], problem.row_offsets, offsets)?;
        let blocks = block_count(row_offsets)?;
        let entries = blocks.saturating_mul(dimension * dimension);
        let rolling = if dimension == 3 { 0 } else { count };
        let rolling = guard::array(["rolling", "contact_count"], problem.rolling, rolling)?;
        Ok(LocalProblem {
            dimension,
            row_offsets,
            columns: guard::array(["columns", "row_offsets"], problem.columns, blocks)?,
            blocks: guard::array(["blocks", "row_offsets"], problem.blocks, entries)?,
            q: guard::array(["q", "contact_count"], problem.q, dimension * count)?,
            friction: guard::array(["friction", "contact_count"], problem.friction, count)?,
            rolling: (dimension == 5).then_some(rolling),
        })
    }
}

pub(super) fn local_regions(local: &LocalProblem) -> [Region; 6] {
    let rolling = local.rolling.unwrap_or_default();
    [
        Region::new("row_offsets", local.row_offsets.as_ptr(), local.row_offsets.len()),
        Region::new("columns", local.columns.as_ptr(), local.columns.len()),
        Region::new("blocks", local.blocks.as_ptr(), local.blocks.len()),
        Region::new("q", local.q.as_ptr(), local.q.len()),
        Region::new("friction", local.friction.as_ptr(), local.friction.len()),
        Region::new("rolling", rolling.as_ptr(), rolling.len()),
    ]
}
