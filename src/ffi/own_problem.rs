//! A host's problem, read into the solver's own arrays, and its answer, written back.
//!
//! What is wrong with pointers, counts and reserved members is found here; what is wrong with the problem, there.

use crate::error::{Error, Result, in_range};
use crate::math::{BodyRow, RowId, Symmetric3, Vec3};
use crate::solver::problem::Jacobian;
use crate::solver::{Contact, MassInverse, OptionalTerms, Row, Velocity};
use crate::world::Report;
use crate::world::external::{ContactProblem, ContactSolution, ContactSolver};

use super::guard::{self, Filled};
use super::overlap::{self, Region};
use super::problem::{
    dry_contact_solution, dry_problem, dry_problem_body, dry_problem_contact, dry_problem_row, dry_solution,
};
use super::report::dry_step_report;
use super::structure::{self, SizedOutput};

/// Most contacts, and most rows: a contact may become six rows, and the solver numbers rows in 30 bits.
const MOST_ROWS: usize = 1 << 27;

/// The arrays of a problem.
pub(super) struct Parts<'a> {
    step: f64,
    bodies: &'a [dry_problem_body],
    contacts: &'a [dry_problem_contact],
    rows: &'a [dry_problem_row],
}

/// Where an answer goes; what the host does not want is not there.
pub(super) struct Places {
    velocities: Option<Filled<[f64; 6]>>,
    contacts: Option<Filled<dry_contact_solution>>,
    row_impulses: Option<Filled<f64>>,
    report: Option<SizedOutput<dry_step_report>>,
}

impl<'a> Parts<'a> {
    /// The arrays that `problem` shows.
    ///
    /// # Safety
    /// Pointers that are not NULL and aligned show as many elements as `problem` says, which nobody changes during the
    /// call.
    pub(super) unsafe fn of(problem: &dry_problem) -> Result<Self> {
        at_most("body_count", problem.body_count, u32::MAX as usize - 1)?;
        at_most("contact_count", problem.contact_count, MOST_ROWS)?;
        at_most("row_count", problem.row_count, MOST_ROWS)?;
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

    /// Copies the problem.
    pub(super) fn copy(&self, problem: &mut ContactProblem) -> Result<()> {
        problem.clear(self.bodies.len(), self.contacts.len(), self.rows.len())?;
        problem.step = self.step;
        problem.masses.extend(self.bodies.iter().map(mass_of));
        problem.velocities.extend(
            self.bodies
                .iter()
                .map(|body| Velocity { linear: body.velocity.into(), angular: body.angular_velocity.into() }),
        );
        for contact in self.contacts {
            let (contact, optional) = contact_of(contact);
            problem.add_contact(contact, optional)?;
        }
        problem.contact_keys.extend(self.contacts.iter().map(|contact| contact.key));
        let relative = |stiffness: f64| if stiffness == 0.0 { 1.0 } else { stiffness };
        problem.stiffness.extend(self.contacts.iter().map(|contact| relative(contact.stiffness)));
        for (index, row) in self.rows.iter().enumerate() {
            problem.rows.push(row_of(row).map_err(|error| error.of("rows", index))?);
        }
        problem.row_keys.extend(self.rows.iter().map(|row| row.key));
        Ok(())
    }
}

impl Places {
    /// The places that `solution` shows.
    ///
    /// # Safety
    /// Pointers that are not NULL and aligned have room for as many elements as `problem` says, or for a structure of
    /// the size it says.
    pub(super) unsafe fn of(solution: &dry_solution, problem: &dry_problem) -> Result<Self> {
        let dry_solution { velocities, contacts, row_impulses, report, .. } = *solution;
        // SAFETY: this function's own condition.
        unsafe {
            Ok(Self {
                velocities: guard::filled(["velocities", "body_count"], velocities.cast(), problem.body_count)?,
                contacts: guard::filled(["solution.contacts", "contact_count"], contacts, problem.contact_count)?,
                row_impulses: guard::filled(["row_impulses", "row_count"], row_impulses, problem.row_count)?,
                report: structure::output_or_null("report", report)?,
            })
        }
    }

    /// Writes what `solver` found.
    pub(super) fn write(self, solver: &ContactSolver, report: &Report) {
        if let Some(place) = self.velocities {
            place.write(solver.velocities().iter().map(|velocity| {
                let ([x, y, z], [rx, ry, rz]) = (velocity.linear.into(), velocity.angular.into());
                [x, y, z, rx, ry, rz]
            }));
        }
        if let Some(place) = self.contacts {
            place.write(solver.contact_solutions().map(|solution| dry_contact_solution::from(&solution)));
        }
        if let Some(place) = self.row_impulses {
            place.write(solver.row_impulses().iter().copied());
        }
        if let Some(place) = self.report {
            place.write(dry_step_report::from(report));
        }
    }
}

/// Refuses outputs that overlap inputs or each other. `inputs` are the structures themselves.
pub(super) fn check_overlap(
    inputs: [Region; 3],
    problem: &dry_problem,
    solution: &dry_solution,
    places: &Places,
) -> Result<()> {
    let report_size = places.report.as_ref().map_or(0, SizedOutput::size);
    let outputs = [
        Region::array("velocities", solution.velocities.cast::<[f64; 6]>(), problem.body_count),
        Region::array("solution.contacts", solution.contacts, problem.contact_count),
        Region::array("row_impulses", solution.row_impulses, problem.row_count),
        Region::new("report", solution.report, report_size),
    ];
    overlap::check(&outputs, &inputs)?;
    overlap::check(&outputs, &regions(problem))
}

/// The arrays of a problem.
pub(super) fn regions(problem: &dry_problem) -> [Region; 3] {
    [
        Region::array("bodies", problem.bodies, problem.body_count),
        Region::array("contacts", problem.contacts, problem.contact_count),
        Region::array("rows", problem.rows, problem.row_count),
    ]
}

fn at_most(name: &str, count: usize, most: usize) -> Result<()> {
    if count <= most {
        return Ok(());
    }
    Err(Error::argument(format!("{name} is {count}, expected at most {most}")))
}

fn mass_of(body: &dry_problem_body) -> MassInverse {
    MassInverse { linear: Vec3::repeat(body.inverse_mass), angular: Symmetric3 { entries: body.inverse_inertia } }
}

fn contact_of(contact: &dry_problem_contact) -> (Contact, OptionalTerms) {
    let optional = OptionalTerms {
        surface_velocity: contact.surface_velocity.into(),
        normal_compliance: contact.normal_compliance,
        tangential_compliance: contact.tangential_compliance,
        rolling: contact.rolling,
        twisting: contact.twisting,
    };
    let contact = Contact {
        body_a: BodyRow(contact.body_a),
        body_b: BodyRow(contact.body_b),
        normal: contact.normal.into(),
        arm_a: contact.arm_a.into(),
        arm_b: contact.arm_b.into(),
        normal_bias: contact.normal_bias,
        friction: contact.friction,
    };
    (contact, optional)
}

fn row_of(row: &dry_problem_row) -> Result<Row> {
    structure::reserved(row.reserved)?;
    let number = f64::from(row.friction_row);
    in_range("friction_row", number, row.friction_row >= -1, "-1 or an index of a row")?;
    Ok(Row {
        body_a: BodyRow(row.body_a),
        body_b: BodyRow(row.body_b),
        jacobian_a: jacobian_of(&row.jacobian_a),
        jacobian_b: jacobian_of(&row.jacobian_b),
        rhs: row.rhs,
        compliance: row.compliance,
        lower: row.lower,
        upper: row.upper,
        friction_row: u32::try_from(row.friction_row).ok().map(RowId),
    })
}

fn jacobian_of(numbers: &[f64; 6]) -> Jacobian {
    let [x, y, z, rx, ry, rz] = *numbers;
    Jacobian { linear: Vec3::new(x, y, z), angular: Vec3::new(rx, ry, rz) }
}

impl From<&ContactSolution> for dry_contact_solution {
    fn from(solution: &ContactSolution) -> Self {
        Self {
            impulse: solution.impulse.into(),
            normal_impulse: solution.normal_impulse,
            torque_impulse: solution.torque_impulse.into(),
            compatible_impulse: solution.compatible_impulse.into(),
            residual: solution.residual,
            state: solution.state,
            reserved: 0,
        }
    }
}
