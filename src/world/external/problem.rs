//! A problem of a host: bodies, contacts and rows as arrays of numbers; and its checks. Each message names the element of the array, its
//! value and what is valid.
//!
//! Problems that have no solution pass, for example bilateral rows that contradict each other. The solver finds an approximation, and
//! the residual shows how good it is.

use crate::error::{Error, Number, Result, all_finite, empty, finite, in_range, not_negative, resize, text};
use crate::math::{BodyRow, Mat3, Vec3, is_semidefinite, limits};
use crate::solver::{Contact, Friction, FullContact, MassInverse, OptionalTerms, Problem, Row, Velocity};

/// The largest difference of the square of a normal's length from 1, so that the length is 1 to 1e-9 [-].
const UNIT: f64 = 2e-9;

/// The most negative eigenvalue of a semidefinite matrix that counts as round-off, in units of its largest entry [-].
pub(super) const ROUND_OFF: f64 = 1e-9;

/// A contact problem of a host. Each call fills it again; it keeps its memory.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ContactProblem {
    /// Duration of the step [s].
    pub step: f64,
    /// One for each body.
    pub masses: Vec<MassInverse>,
    /// The velocities before the contacts act, one for each body.
    pub velocities: Vec<Velocity>,
    /// The contacts.
    pub contacts: Vec<Contact>,
    /// One for each contact, or none where no contact has any.
    pub optional: Vec<OptionalTerms>,
    /// The keys by which impulses are stored for warm start, one for each contact; 0 for none.
    pub contact_keys: Vec<u64>,
    /// The relative stiffness in the compatibility correction, one for each contact.
    pub stiffness: Vec<f64>,
    /// The scalar rows.
    pub rows: Vec<Row>,
    /// The keys of the rows, one for each row.
    pub row_keys: Vec<u64>,
}

impl ContactProblem {
    /// Clears the problem and reserves memory.
    pub fn clear(&mut self, bodies: usize, contacts: usize, rows: usize) -> Result<()> {
        self.optional.clear();
        empty(&mut self.masses, bodies, "bodies")?;
        empty(&mut self.velocities, bodies, "bodies")?;
        empty(&mut self.contacts, contacts, "contacts")?;
        empty(&mut self.contact_keys, contacts, "contacts")?;
        empty(&mut self.stiffness, contacts, "contacts")?;
        empty(&mut self.rows, rows, "rows")?;
        empty(&mut self.row_keys, rows, "rows")
    }

    /// Adds a contact, for which memory is reserved.
    pub fn add_contact(&mut self, contact: Contact, optional: OptionalTerms) -> Result<()> {
        let count = self.contacts.len();
        let contact = Contact { friction: solved_coefficient(contact.friction), ..contact };
        let (rolling, twisting) = (solved_coefficient(optional.rolling), solved_coefficient(optional.twisting));
        let optional = OptionalTerms { rolling, twisting, ..optional };
        self.contacts.push(contact);
        if optional == OptionalTerms::NONE && self.optional.is_empty() {
            return Ok(());
        }
        resize(&mut self.optional, count, OptionalTerms::NONE, "contacts")?;
        resize(&mut self.optional, count + 1, optional, "contacts")
    }

    /// Returns the problem of the solver.
    pub(super) fn view(&self, friction: Friction) -> Problem<'_> {
        Problem {
            masses: &self.masses,
            velocities: &self.velocities,
            contacts: &self.contacts,
            optional: &self.optional,
            rows: &self.rows,
            friction,
        }
    }

    /// Checks the problem, except for its keys.
    ///
    /// # Errors
    ///
    /// A number or an index is out of range, or there is a contact or a row that no impulse moves.
    pub(super) fn check(&self) -> Result<()> {
        limits::step("step", self.step)?;
        for (index, (mass, velocity)) in self.masses.iter().zip(&self.velocities).enumerate() {
            check_body(mass, velocity).map_err(|error| error.at(format_args!("bodies[{index}].")))?;
        }
        let problem = self.view(Default::default());
        for (index, stiffness) in self.stiffness.iter().enumerate() {
            let checked = check_contact(&problem, problem.full_contact(index.into()))
                .and_then(|()| not_negative("stiffness", *stiffness));
            checked.map_err(|error| error.at(format_args!("contacts[{index}].")))?;
        }
        for (index, row) in self.rows.iter().enumerate() {
            check_row(&problem, row).map_err(|error| error.at(format_args!("rows[{index}].")))?;
            check_friction_row(&self.rows, index).map_err(|error| error.at(format_args!("rows[{index}].")))?;
        }
        Ok(())
    }
}

/// Returns the coefficient with which a contact is solved. One that is to be refused stays what it is.
pub(super) fn solved_coefficient(given: f64) -> f64 {
    if given.is_finite() { given.min(limits::HIGHEST_COEFFICIENT) } else { given }
}

fn check_body(mass: &MassInverse, velocity: &Velocity) -> Result<()> {
    limits::inverse_mass("inverse_mass", mass.linear.x)?;
    let inertia = &mass.angular;
    all_finite("inverse_inertia", &inertia.entries)?;
    let matrix: Mat3 = inertia.to_matrix();
    if !is_semidefinite(matrix.as_slice(), 3, ROUND_OFF) {
        let entries = inertia.entries;
        return Err(Error::argument(text!(
            "inverse_inertia is {entries:?}, expected a positive semidefinite matrix xx yy zz xy yz xz"
        )));
    }
    all_finite("velocity", velocity.linear.as_slice())?;
    all_finite("angular_velocity", velocity.angular.as_slice())
}

fn check_contact(problem: &Problem, (contact, optional): FullContact) -> Result<()> {
    check_pair(problem, contact.body_a, contact.body_b)?;
    check_normal(&contact.normal)?;
    all_finite("arm_a", contact.arm_a.as_slice())?;
    all_finite("arm_b", contact.arm_b.as_slice())?;
    finite("normal_bias", contact.normal_bias)?;
    all_finite("surface_velocity", optional.surface_velocity.as_slice())?;
    not_negative("normal_compliance", optional.normal_compliance)?;
    not_negative("tangential_compliance", optional.tangential_compliance)?;
    not_negative("friction", contact.friction)?;
    not_negative("rolling", optional.rolling)?;
    not_negative("twisting", optional.twisting)?;
    if contact.measure(problem.mass(contact.body_a), problem.mass(contact.body_b), optional).scale == 0.0 {
        return Err(Error::argument(
            "normal and the arms give a contact that no impulse moves, expected one where impulses change a velocity",
        ));
    }
    Ok(())
}

fn check_normal(normal: &Vec3) -> Result<()> {
    all_finite("normal", normal.as_slice())?;
    if (normal.norm_squared() - 1.0).abs() <= UNIT {
        return Ok(());
    }
    let [x, y, z]: [f64; 3] = (*normal).into();
    Err(Error::argument(text!(
        "normal is ({}, {}, {}) of length {}, expected length 1 to 1e-9",
        Number(x),
        Number(y),
        Number(z),
        Number(normal.norm())
    )))
}

/// Checks that the two bodies exist or are the fixed world, that they differ, and that one of them is movable.
fn check_pair(problem: &Problem, a: BodyRow, b: BodyRow) -> Result<()> {
    let bodies = problem.masses.len();
    for (name, body) in [("body_a", a), ("body_b", b)] {
        if body != BodyRow::NONE && body.index() >= bodies {
            return Err(Error::argument(text!(
                "{name} is {body}, expected an index below body_count, {bodies}, or UINT32_MAX"
            )));
        }
    }
    if a == b {
        return Err(Error::argument(text!("body_b is {b}, expected another body than body_a")));
    }
    if !problem.moves(a) && !problem.moves(b) {
        return Err(Error::argument(text!(
            "body_a is {a} and body_b is {b}, both immovable, expected at least one that moves"
        )));
    }
    Ok(())
}

fn check_row(problem: &Problem, row: &Row) -> Result<()> {
    check_pair(problem, row.body_a, row.body_b)?;
    for (name, jacobian) in [("jacobian_a", &row.jacobian_a), ("jacobian_b", &row.jacobian_b)] {
        let ([x, y, z], [rx, ry, rz]): ([f64; 3], [f64; 3]) = (jacobian.linear.into(), jacobian.angular.into());
        all_finite(name, &[x, y, z, rx, ry, rz])?;
    }
    finite("rhs", row.rhs)?;
    not_negative("compliance", row.compliance)?;
    let (lower, upper) = (row.lower, row.upper);
    // A lower bound of plus infinity, or an upper one of minus infinity, leaves no finite impulse.
    bound("lower", lower, f64::INFINITY)?;
    bound("upper", upper, f64::NEG_INFINITY)?;
    if lower > upper {
        return Err(Error::argument(text!(
            "lower is {}, expected at most upper, which is {}",
            Number(lower),
            Number(upper)
        )));
    }
    if row.measure(problem.mass(row.body_a), problem.mass(row.body_b)).scale == 0.0 {
        return Err(Error::argument(
            "jacobian_a and jacobian_b are zero on all that moves and compliance is 0, expected a row that an impulse moves",
        ));
    }
    Ok(())
}

/// Checks a bound of an impulse: any number, or the infinity that means no bound. `closed` is the other infinity.
fn bound(name: &str, value: f64, closed: f64) -> Result<()> {
    if value.is_nan() {
        return finite(name, value);
    }
    in_range(name, value, value != closed, "a number, or the infinity that means none")
}

fn check_friction_row(rows: &[Row], index: usize) -> Result<()> {
    let Some(friction_row) = rows[index].friction_row else { return Ok(()) };
    let expected = match rows.get(friction_row.index()) {
        None => text!("an index below row_count, {}, or -1", rows.len()),
        Some(_) if friction_row.index() == index => "another row than itself".to_string(),
        Some(Row { friction_row: Some(_), .. }) => {
            text!("a row with plain bounds; rows[{friction_row}] has a friction_row itself")
        }
        Some(_) => return Ok(()),
    };
    Err(Error::argument(text!("friction_row is {friction_row}, expected {expected}")))
}
