//! Limit loads: the largest `alpha` with `G^T f + F0 + alpha F1 = 0` for forces in the cones, and the mechanism in
//! which the bodies then yield. The two theorems of limit analysis are a pair of dual programs:
//!
//! ```text
//! static      max alpha     G^T f + F0 + alpha F1 = 0,  f in the cones
//! kinematic   min -F0 u     F1 u = 1,  G u in the dual cones
//! ```
//!
//! Forces prove that `alpha` is carried, and a mechanism proves that no larger one is. Where these programs do not converge,
//! two others, which always have a solution, show whether there is a limit. The first finds the part of `F0` that no forces
//! carry together with any multiple of `F1`: if there is one, no `alpha` is carried. The second finds the part of `F1` that
//! no forces carry: if there is none, `alpha` has no bound.

use crate::error::{Result, empty, push, resize};
use crate::math::{BodyRow, Vec3};
use crate::solver::conic::active::Active;
use crate::solver::conic::border::Border;
use crate::solver::conic::interior::{Interior, SMALLEST};
use crate::solver::conic::program::{DOF, Law, Program, ROWS};
use crate::solver::monitor::Monitor;
use crate::solver::problem::{Contact, Impulses, OptionalTerms, Problem, Row, Velocity};
use crate::solver::statics::check::{check, clear};
use crate::solver::statics::cuts::{Limit, certificate, descend, find, proves, surplus};
use crate::solver::statics::load::{Load, with_held_rows, write_held_rows};
use crate::solver::statics::setup::Setup;

/// Errors above the first make one ask whether there is a limit. Proofs above the second make one try other ways. Up to the third the
/// limit counts as found.
const RAY_CHECK_ERROR: f64 = 1e-13;
const PROVEN: f64 = 1e-10;
const SOLVED: f64 = 1e-9;
/// The smallest proximal terms of interior points, one after the other until the limit is found. Small ones reach mechanisms that are
/// very large. With large ones there is less round-off, and with the largest ones large walls need too many steps.
const FLOORS: [f64; 3] = [SMALLEST, 1e-7, 1e-5];
/// Edges of a cone above this slope are so nearly opposite that forces along them lose their sum [-].
const STEEP: f64 = 10.0;
/// Rows of friction that move bodies by less than this part of what the normal does are none [-].
const IDLE: f64 = 1e-14;
/// Forces over the largest one, and moves over the largest one, up to this are none [-].
const NONE: f64 = 1e-6;

/// The contacts, and two loads.
#[derive(Debug, Clone, Copy)]
pub struct LimitInput<'a> {
    /// Contacts and rows as the module describes them. Compliances, prescribed moves and `surface_velocity` are ignored, and the law is the
    /// associated one.
    pub problem: &'a Problem<'a>,
    /// `F0`, for all bodies.
    pub loads: &'a [Load],
    /// `F1`, for all bodies.
    pub unit_loads: &'a [Load],
    /// How large bodies are: turns count as moves at half of it [m].
    pub length: f64,
    /// Contacts with gaps up to this touch, and bounds of axes this near are reached; others do not count [m].
    pub touching: f64,
}

/// What a limit load is.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LimitOutcome {
    /// `alpha` [-]: minus infinity where no `alpha` has forces, infinity where all large ones have.
    pub factor: f64,
    /// Whether no `alpha` has forces that balance: the mechanism is that in which all falls.
    pub is_collapse: bool,
    /// Whether `alpha` has no bound. Where it has none by so little that forces would exceed some 1e5 times the load, that may not be found:
    /// the limit then has not converged.
    pub is_unbounded: bool,
    /// Whether all errors came below 1e-9 of the loads.
    pub is_converged: bool,
    /// Whether a contact that carries a force slides in the mechanism: `alpha` is then an upper bound for Coulomb's law. Otherwise it holds
    /// for that too.
    pub slides: bool,
    /// What `F0` and rows with bounds do at least in the mechanism of a collapse [J].
    pub work: f64,
    /// Steps, each with a factorisation.
    pub iterations: u32,
    /// The largest force missing on a body, and torque over half the length [N].
    pub unbalanced: f64,
}

/// Finds limit loads; keeps its workspace.
#[derive(Debug, Default)]
pub struct LimitLoad {
    setup: Setup,
    interior: Interior,
    /// Finds out whether there is a limit.
    other: Interior,
    active: Active,
    /// `F0` with rows of one force.
    loads: Vec<Load>,
    first: Vec<[f64; DOF]>,
    unit: Vec<[f64; DOF]>,
    given: Vec<f64>,
    laws: Vec<Law>,
    /// Contacts in two pieces.
    wedges: Vec<Wedge>,
}

/// A contact whose friction has one direction: its first row and that of its friction, and the coefficient.
#[derive(Debug, Clone, Copy)]
struct Wedge {
    first: usize,
    across: usize,
    friction: f64,
}

impl LimitLoad {
    /// Sets the monitor that the next limit loads call between their iterations. If it ends one, there is no answer.
    pub fn set_monitor(&mut self, monitor: &Monitor) {
        for interior in [&mut self.interior, &mut self.other] {
            interior.monitor.clone_from(monitor);
        }
        self.active.monitor.clone_from(monitor);
    }

    /// Finds the limit load, the `forces` of all contacts and rows there, and the `mechanism`, in which `F1` does the work 1 [m/J, rad/J].
    /// Without a limit the forces are none, and the mechanism, of a collapse, is the one in which the load does most work for its size.
    ///
    /// # Errors
    ///
    /// Box friction, rows that bound other rows, other numbers of loads than bodies, or no memory. Those of the monitor.
    pub fn solve(
        &mut self,
        input: &LimitInput,
        forces: &mut Impulses,
        mechanism: &mut Vec<Velocity>,
    ) -> Result<LimitOutcome> {
        let problem = input.problem;
        check(problem, input.loads)?;
        check(problem, input.unit_loads)?;
        resize(mechanism, problem.masses.len(), Velocity::ZERO, "bodies")?;
        mechanism.fill(Velocity::ZERO);
        resize(&mut forces.rows, problem.rows.len(), 0.0, "rows")?;
        forces.begin(problem.contacts.len(), problem.resists_turning())?;
        clear(forces);
        let sizes = self.set(input)?;
        self.setup.program.load.copy_from_slice(&self.first);
        let border = Border { load: &self.unit, work: 1.0, floor: FLOORS[0] };
        let mut end = find(&self.setup.program, Some(border), &mut self.interior, &mut self.active)?;
        if end.found.error > RAY_CHECK_ERROR {
            if let Some(outcome) = self.without_limit((end.found.steps, sizes[0]), mechanism)? {
                return Ok(outcome);
            }
            self.prove(&mut end)?;
        }
        self.interior.project(&self.setup.program);
        self.join();
        self.write(input, (&end, sizes), forces, mechanism)
    }

    /// Proves the limit, with other proximal terms or by cuts if need be. The best answer stays in `interior`.
    fn prove(&mut self, end: &mut Limit) -> Result<()> {
        self.setup.program.load.copy_from_slice(&self.first);
        let proof = self.certify(end)?;
        if proof <= PROVEN {
            end.found.error = end.found.error.min(proof);
            return Ok(());
        }
        // Cuts take longer than other proximal terms.
        if self.find_with(FLOORS[1], SOLVED, end)? {
            return Ok(());
        }
        let Self { setup, interior, other, active, first, unit, .. } = self;
        descend(&mut setup.program, [first, unit], (interior, other, active), end)?;
        end.found.error = end.found.error.min(self.certify(end)?);
        for floor in FLOORS[1..].iter().copied() {
            if end.found.error <= SOLVED {
                break;
            }
            self.find_with(floor, end.found.error, end)?;
        }
        Ok(())
    }

    /// How closely the answer of `interior` is proven.
    fn certify(&self, end: &Limit) -> Result<f64> {
        let border = Border { load: &self.unit, work: 1.0, floor: FLOORS[0] };
        certificate(&self.setup.program, &border, &self.interior, end.factor)
    }

    /// Looks for the limit with another least proximal term. An answer whose error is at most `enough` goes to `interior`.
    fn find_with(&mut self, floor: f64, enough: f64, end: &mut Limit) -> Result<bool> {
        let Self { setup, interior, other, active, unit, .. } = self;
        let border = Border { load: unit, work: 1.0, floor };
        let next = find(&setup.program, Some(border), other, active)?;
        end.found.steps += next.found.steps;
        let error = next.found.error.min(certificate(&setup.program, &border, other, next.factor)?);
        if error <= enough {
            std::mem::swap(interior, other);
            (end.found.error, end.factor) = (error, next.factor);
        }
        Ok(error <= enough)
    }

    /// Takes over what touches, and both loads in units of their own sizes, which it returns [N].
    fn set(&mut self, input: &LimitInput) -> Result<[f64; 2]> {
        let half = 0.5 * input.length;
        let size = |loads: &[Load]| {
            let of_body =
                |(body, load): (usize, &Load)| if input.problem.moves(body.into()) { load.size(half) } else { 0.0 };
            let largest = loads.iter().enumerate().map(of_body).fold(0.0, f64::max);
            if largest > 0.0 { largest } else { 1.0 }
        };
        let Self { setup, loads, first, unit, wedges, .. } = self;
        with_held_rows(input.problem, input.loads, loads)?;
        let sizes = [size(loads), size(input.unit_loads)];
        let takes = |contact: &Contact, optional: &OptionalTerms| {
            let OptionalTerms { rolling, twisting, .. } = *optional;
            let closed = Contact { normal_bias: 0.0, ..*contact };
            (contact.normal_bias <= input.touching)
                .then_some((closed, OptionalTerms { rolling, twisting, ..OptionalTerms::NONE }))
        };
        setup.set(input.problem, &[], input.length, takes, |row| gap(row, half) <= input.touching)?;
        setup.program.clear_offsets();
        // The program has all forces in units of the first load, so the bounds of rows too.
        let in_first = setup.units.impulse / sizes[0];
        for piece in &mut setup.program.pieces {
            if let Law::Bounded { lower, upper } = &mut piece.law {
                (*lower, *upper) = (in_first * *lower, in_first * *upper);
            }
        }
        split(&mut setup.program, wedges)?;
        for (loads, (own, size)) in [&**loads, input.unit_loads].into_iter().zip([first, unit].into_iter().zip(sizes)) {
            setup.make_load(own)?;
            setup.write_load(loads, own);
            let factor = setup.units.impulse / size;
            own.as_flattened_mut().iter_mut().for_each(|load| *load *= factor);
        }
        Ok(sizes)
    }

    /// The forces of the contacts that were split.
    fn join(&mut self) {
        let lambda = &mut self.interior.lambda;
        for Wedge { first, across, friction } in &self.wedges {
            let [up, down] = [lambda[*first], lambda[first + 1]];
            (lambda[first + 1], lambda[first + 2]) = (0.0, 0.0);
            (lambda[*first], lambda[*across]) = (up + down, friction * (up - down));
        }
    }

    /// What there is to say where there is no limit. Returns nothing where there is one, and leaves the solver's answer.
    fn without_limit(
        &mut self,
        (steps, first_size): (u32, f64),
        mechanism: &mut [Velocity],
    ) -> Result<Option<LimitOutcome>> {
        let Self { setup, other, active, first, unit, laws, .. } = self;
        setup.program.weight = 1.0;
        setup.program.load.copy_from_slice(first);
        let end = find(&setup.program, Some(Border { load: unit, work: 0.0, floor: FLOORS[0] }), other, active)?;
        let iterations = steps + end.found.steps;
        let mut outcome = LimitOutcome { is_converged: true, iterations, ..LimitOutcome::default() };
        outcome.is_collapse = proves(&setup.program, unit, first, other);
        if outcome.is_collapse {
            setup.write_moves(&other.x, 1.0, mechanism);
            outcome.work = setup.units.speed * first_size * surplus(&setup.program, &other.x, first);
            outcome.factor = f64::NEG_INFINITY;
        } else {
            setup.program.load.copy_from_slice(unit);
            // Beside large loads finite bounds of rows are none.
            empty(laws, setup.program.pieces.len(), "contacts")?;
            laws.extend(setup.program.pieces.iter().map(|piece| piece.law));
            setup.program.pieces.iter_mut().for_each(|piece| {
                piece.law = match piece.law.far() {
                    // Forces start from zero, and keep that.
                    Law::Bounded { lower, upper } if lower == upper => Law::Still,
                    far => far,
                }
            });
            outcome.iterations += find(&setup.program, None, other, active)?.found.steps;
            outcome.is_unbounded = !proves(&setup.program, &[], unit, other);
            setup.program.pieces.iter_mut().zip(&*laws).for_each(|(piece, law)| piece.law = *law);
            outcome.factor = f64::INFINITY;
        }
        setup.program.weight = 0.0;
        Ok((outcome.is_collapse || outcome.is_unbounded).then_some(outcome))
    }

    fn write(
        &mut self,
        input: &LimitInput,
        (end, [first, unit]): (&Limit, [f64; 2]),
        forces: &mut Impulses,
        mechanism: &mut [Velocity],
    ) -> Result<LimitOutcome> {
        let Self { setup, interior, given, .. } = self;
        // The program has all forces in units of the first load.
        let scale = first / setup.units.impulse;
        interior.lambda.iter_mut().for_each(|force| *force *= scale);
        setup.write_forces(&interior.lambda, given, forces)?;
        write_held_rows(input.problem, forces);
        setup.write_moves(&interior.x, 1.0 / (setup.units.speed * unit), mechanism);
        let factor = end.factor * first / unit;
        let unbalanced = setup.unbalanced(input.problem, [input.loads, input.unit_loads], factor, forces);
        let is_converged = end.found.error <= SOLVED;
        let iterations = end.found.steps;
        let slides = slides(input.problem, forces, mechanism);
        Ok(LimitOutcome { factor, is_converged, slides, iterations, unbalanced, ..LimitOutcome::default() })
    }
}

/// How far a row that can only push, or only pull, is from doing so; a turn counts at the distance `half` [m].
fn gap(row: &Row, half: f64) -> f64 {
    let turns = row.jacobian_a.linear == Vec3::zeros() && row.jacobian_b.linear == Vec3::zeros();
    let gap = match (row.lower, row.upper) {
        (0.0, f64::INFINITY) => -row.rhs,
        (f64::NEG_INFINITY, 0.0) => row.rhs,
        _ => 0.0,
    };
    if turns { half * gap } else { gap }
}

/// Makes pieces of one row out of all contacts whose friction has one direction: the program of a plane is a linear one.
fn split(program: &mut Program, wedges: &mut Vec<Wedge>) -> Result<()> {
    empty(wedges, program.pieces.len(), "contacts")?;
    for number in 0..program.pieces.len() {
        let piece = program.pieces[number];
        let Law::Contact(cone) = piece.law else { continue };
        let (first, mu) = (piece.first, cone.friction);
        if mu == 0.0 || mu > STEEP || cone.resists_turning() {
            continue;
        }
        // Axes in a plane are off it by round-off.
        let [normal, one, other] = [first, first + 1, first + 2].map(|row| program.stretch(row));
        let is_idle = [one, other].map(|size| size <= IDLE * normal);
        if is_idle[0] != is_idle[1] {
            let across = if is_idle[0] { 2 } else { 1 };
            let edge = |mu: f64| {
                let mut edge = [0.0; ROWS];
                (edge[0], edge[across]) = (1.0, mu);
                edge
            };
            program.split(number, &[edge(mu), edge(-mu)])?;
            push(wedges, Wedge { first, across: first + across, friction: mu }, "contacts")?;
        }
    }
    Ok(())
}

/// Whether a contact that carries a force slides.
fn slides(problem: &Problem, forces: &Impulses, mechanism: &[Velocity]) -> bool {
    let of = |body: BodyRow| mechanism.get(body.index()).copied().unwrap_or(Velocity::ZERO);
    let largest = forces.contacts.iter().fold(0.0_f64, |largest, force| largest.max(force.normal));
    let fastest = problem.contacts.iter().fold(0.0_f64, |fastest, contact| {
        let arms = contact.relative_velocity(&of(contact.body_a), &of(contact.body_b));
        fastest.max(arms.norm()).max(of(contact.body_a).linear.norm()).max(of(contact.body_b).linear.norm())
    });
    problem.contacts.iter().zip(&forces.contacts).any(|(contact, force)| {
        let u = contact.relative_velocity(&of(contact.body_a), &of(contact.body_b));
        let (_, across) = contact.split(&u);
        force.normal > NONE * largest && across.norm() > NONE * fastest
    })
}
