//! One increment: the forces and moves that balance a load.

use crate::error::{Result, copy, resize};
use crate::math::{ContactId, Impulse, Vec3};
use crate::solver::conic::active::{Active, StartPoint, StopCriteria};
use crate::solver::conic::interior::Interior;
use crate::solver::conic::multipliers::{Begin, Multipliers, error};
use crate::solver::conic::program::{DOF, Program};
use crate::solver::monitor::Monitor;
use crate::solver::problem::{Contact, Friction, Impulses, OptionalTerms, Problem, Velocity};
use crate::solver::statics::check::{check, clear};
use crate::solver::statics::coulomb::{Coulomb, End, Reach};
use crate::solver::statics::cuts::{find, proves};
use crate::solver::statics::load::{Load, with_held_rows, write_held_rows};
use crate::solver::statics::setup::Setup;
use crate::solver::statics::stress::LeastStress;

/// Interior points end here, in the units of the program. Which contacts are open, slide and stick is clear then also of
/// the lightly loaded ones, so that Newton steps can go on from there.
const ENOUGH: f64 = 1e-13;
/// Missing forces up to this are left to the polish.
const POLISH_BELOW: f64 = 1e-6;
/// The term that holds bodies is made weaker by this factor where the force that it carries does not fall to this part [-].
const WEAKER: f64 = 0.1;
const FALL: f64 = 0.5;
/// Where it carries less than this part of what is missing without it, more rounds hardly help [-]. No more than these are
/// made, unless no other method helps either.
const CARRIED: f64 = 0.1;
const TRIALS: u32 = 3;
/// Errors above this make one ask whether bodies fall.
const FALLING: f64 = 1e-9;
/// Steps of Newton's method after them, and the error above which another method is asked.
const STOP: StopCriteria = StopCriteria { steps: 20, enough: ROUND_OFF, dilation: 1.0 };
const SHARP: f64 = 1e-12;
/// Steps of that, and where it ends.
const POLISHING: u32 = 60;
const ROUND_OFF: f64 = 1e-14;
/// Laws of contacts are obeyed up to this. Of an open contact the force is this part of the largest load at most, or the gap
/// this part of the unit of moves. That is the size of bodies where all contacts are rigid.
const LAW_TOLERANCE: f64 = 1e-9;
/// Overlap up to this part of the size of bodies is round-off [-].
const NO_OVERLAP: f64 = 1e-12;

/// Drops the forces of contacts that pull, by round-off of the polish.
fn drop_pulls(forces: &mut Impulses) {
    let Impulses { contacts, torques, .. } = forces;
    for (index, own) in contacts.iter_mut().enumerate().filter(|(_, own)| own.normal < 0.0) {
        *own = Impulse::ZERO;
        if let Some(torque) = torques.get_mut(index) {
            *torque = Vec3::zeros();
        }
    }
}

/// One increment of total loads.
#[derive(Debug, Clone, Copy)]
pub struct StaticInput<'a> {
    /// Contacts and rows as the module describes them.
    pub problem: &'a Problem<'a>,
    /// The loads of all bodies.
    pub loads: &'a [Load],
    /// How large bodies are: turns count as moves at half of it [m].
    pub length: f64,
    /// To which bodies are to be balanced, in units of the largest load of a body [-].
    pub tolerance: f64,
    /// A move above this is a collapse [m].
    pub max_displacement: f64,
    /// Weight of a term that holds what no contact holds near its place, in units of the largest load over the length [-].
    pub proximal: f64,
    /// How often that term is moved, at most.
    pub rounds: u32,
    /// Tangential over normal stiffness of rigid contacts, of which nothing else matters [-].
    pub stiffness_ratio: f64,
}

/// What an increment came to.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StaticOutcome {
    /// Whether a body moves too far, as where no forces balance the loads. The moves are those of the fall, as far as they were followed.
    pub is_collapse: bool,
    /// Whether bodies are balanced and contacts obey their laws.
    pub is_converged: bool,
    /// Whether forces and moves are those of the associated law because none of Coulomb's law were found.
    pub is_associated: bool,
    /// Steps of all methods, each with a factorisation.
    pub iterations: u32,
    /// The largest force missing on a body, and torque over half the length [N].
    pub unbalanced: f64,
    /// The largest move of a body, turns at half the length [m].
    pub displacement_max: f64,
    /// `1/2 f C f` [J].
    pub elastic_energy: f64,
}

impl StaticOutcome {
    /// Returns whether the answer is that of the law that was asked for.
    fn is_found(&self) -> bool {
        self.is_converged && !self.is_associated
    }
}

/// Forces and moves.
#[derive(Debug, Default)]
struct Answer {
    forces: Impulses,
    moves: Vec<Velocity>,
}

impl Answer {
    fn swap(&mut self, forces: &mut Impulses, moves: &mut Vec<Velocity>) {
        std::mem::swap(&mut self.forces, forces);
        std::mem::swap(&mut self.moves, moves);
    }
}

/// Whether an increment undoes the overlap of rigid contacts or keeps it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Overlap {
    Undone,
    Kept,
}

/// Returns whether this is a rigid contact that overlaps by more than a depth [m].
fn overlaps((contact, optional): (&Contact, &OptionalTerms), depth: f64) -> bool {
    contact.normal_bias < -depth && optional.normal_compliance == 0.0
}

/// Solves increments; keeps its workspace.
#[derive(Debug, Default)]
pub struct Statics {
    setup: Setup,
    interior: Interior,
    active: Active,
    multipliers: Multipliers,
    stress: LeastStress,
    coulomb: Coulomb,
    /// The program of moves that open all contacts, and its answer.
    fall: Program,
    falling: Interior,
    /// Those of the host and of rows with one force.
    loads: Vec<Load>,
    /// The answer of the first attempt.
    first: Answer,
    /// The loads of the program.
    load: Vec<[f64; DOF]>,
    given: Vec<f64>,
}

impl Statics {
    /// Sets the monitor that the next increments call between their iterations, of all methods. If it ends one, there is no answer.
    pub fn set_monitor(&mut self, monitor: &Monitor) {
        let Self { interior, active, multipliers, stress, coulomb, falling, .. } = self;
        for interior in [interior, falling] {
            interior.monitor.clone_from(monitor);
        }
        active.monitor.clone_from(monitor);
        multipliers.monitor.clone_from(monitor);
        stress.set_monitor(monitor);
        coulomb.set_monitor(monitor);
    }

    /// Finds `forces`, one for each contact and row of the problem, and the `moves` of all bodies. What they hold is overwritten.
    ///
    /// Where rigid contacts leave forces open, those of least `sum f_n^2 / 2 k_n + |f_t|^2 / 2 k_t` are taken: the limit of stiff contacts.
    /// Where loads and contacts leave moves open, as of loose bodies, those near none are taken.
    ///
    /// Overlap of rigid contacts is undone by the moves. Friction can grip a body so that by the associated law no move does
    /// that: what opens one contact slides at another one, which would have to lift more. Where no answer is found the
    /// overlap is therefore kept.
    ///
    /// # Errors
    ///
    /// Box friction, rows that bound other rows, another number of loads than bodies, or no memory. Those of the monitor.
    pub fn solve(
        &mut self,
        input: &StaticInput,
        forces: &mut Impulses,
        moves: &mut Vec<Velocity>,
    ) -> Result<StaticOutcome> {
        let problem = input.problem;
        check(problem, input.loads)?;
        with_held_rows(problem, input.loads, &mut self.loads)?;
        let first = self.attempt(input, Overlap::Undone, forces, moves)?;
        let overlapping = |index| overlaps(problem.full_contact(index), NO_OVERLAP * input.length);
        if first.is_found() || !ContactId::range(0..problem.contacts.len()).any(overlapping) {
            return Ok(first);
        }
        self.first.swap(forces, moves);
        let again = self.attempt(input, Overlap::Kept, forces, moves)?;
        let iterations = first.iterations + again.iterations;
        if again.is_found() || again.is_converged && !first.is_converged {
            return Ok(StaticOutcome { iterations, ..again });
        }
        self.first.swap(forces, moves);
        Ok(StaticOutcome { iterations, ..first })
    }

    /// Solves an increment in which overlap of rigid contacts is undone or kept.
    fn attempt(
        &mut self,
        input: &StaticInput,
        overlap: Overlap,
        forces: &mut Impulses,
        moves: &mut Vec<Velocity>,
    ) -> Result<StaticOutcome> {
        let problem = input.problem;
        resize(moves, problem.masses.len(), Velocity::ZERO, "bodies")?;
        moves.copy_from_slice(problem.velocities);
        resize(&mut forces.rows, problem.rows.len(), 0.0, "rows")?;
        forces.begin(problem.contacts.len(), problem.resists_turning())?;
        clear(forces);
        let takes = |contact: &Contact, optional: &OptionalTerms| {
            let is_kept = overlap == Overlap::Kept && overlaps((contact, optional), 0.0);
            let normal_bias = if is_kept { 0.0 } else { contact.normal_bias };
            Some((Contact { normal_bias, ..*contact }, *optional))
        };
        self.setup.set(problem, &self.loads, input.length, takes, |_| true)?;
        let mut outcome = self.balance(input, moves)?;
        if !outcome.is_collapse {
            self.follow(input, &mut outcome, moves)?;
        }
        self.setup.write_forces(&self.multipliers.lambda, &mut self.given, forces)?;
        write_held_rows(problem, forces);
        drop_pulls(forces);
        outcome.unbalanced = self.setup.unbalanced(problem, [input.loads, &[]], 0.0, forces);
        outcome.is_converged &= outcome.unbalanced <= input.tolerance.max(ROUND_OFF) * self.setup.units.impulse;
        outcome.elastic_energy = Setup::energy(problem, forces);
        Ok(outcome)
    }

    /// The associated answer, by interior points and Newton steps, in `multipliers`.
    fn balance(&mut self, input: &StaticInput, moves: &mut [Velocity]) -> Result<StaticOutcome> {
        let (mut outcome, mut error) = (StaticOutcome::default(), f64::INFINITY);
        for trials in [TRIALS, input.rounds] {
            error = self.approach(input, trials, &mut outcome, moves)?;
            if error > FALLING && self.falls(input, &mut outcome, moves)? {
                return Ok(outcome);
            }
            if error > SHARP {
                let begin = Begin { rho: self.hold(input), rounds: input.rounds, steps: POLISHING, enough: ROUND_OFF };
                outcome.iterations += self.multipliers.solve(&self.setup.program, &begin)?.steps;
                error = self.sharpen(&mut outcome)?;
            }
            error = error.min(self.error_in_size(input.length));
            if error <= input.tolerance || self.setup.reach(&self.multipliers.x) > input.max_displacement {
                break;
            }
        }
        outcome.is_converged = error <= LAW_TOLERANCE;
        self.setup.write_moves(&self.multipliers.x, 1.0, moves);
        outcome.displacement_max = self.setup.largest(moves);
        outcome.is_collapse = outcome.displacement_max > input.max_displacement;
        Ok(outcome)
    }

    /// The error of the laws where all contacts are rigid. A gap then counts as much as a force, in units of the size of
    /// bodies and of the load. With compliant contacts it is infinite: gaps count in units of what loads press in.
    fn error_in_size(&mut self, length: f64) -> f64 {
        let Self { setup: Setup { program, units, .. }, multipliers, load, .. } = self;
        if program.compliance.iter().any(|compliance| *compliance > 0.0) {
            return f64::INFINITY;
        }
        error(program, (&multipliers.x, &multipliers.lambda), units.speed / length, load)
    }

    /// The weight of the term that holds bodies near their places, in the units of the program, whose unit of moves is not the length.
    fn hold(&self, input: &StaticInput) -> f64 {
        input.proximal * self.setup.units.speed / input.length
    }

    /// Finds the associated answer by interior points. A term holds bodies near their places, so that those without
    /// loads stay there. Each round moves it to the answer of the one before, until it carries next to nothing. Newton
    /// steps end each round: interior points alone would keep contacts without force open. Returns the error without the term.
    ///
    /// A structure that small forces move far, until other contacts close, would move by the same distance in each round.
    /// The term is therefore made weaker where it goes on to carry the same force.
    fn approach(
        &mut self,
        input: &StaticInput,
        most_trials: u32,
        outcome: &mut StaticOutcome,
        moves: &mut [Velocity],
    ) -> Result<f64> {
        let mut weight = self.hold(input);
        let (mut error, mut before, mut trials) = (f64::INFINITY, f64::INFINITY, 0);
        copy(&mut self.load, &self.setup.program.load, "bodies")?;
        for round in 1..=input.rounds {
            self.setup.program.weight = weight;
            if round > 1 {
                self.recentre();
            }
            if round == 1 || !self.settle(outcome)? {
                self.find(outcome)?;
            }
            let held = self.held();
            self.setup.write_moves(&self.interior.x, 1.0, moves);
            let is_far = self.setup.largest(moves) > input.max_displacement;
            if held <= POLISH_BELOW || is_far || round == input.rounds {
                error = self.polish(outcome)?;
                trials += u32::from(held < CARRIED * error);
                if is_far || error <= input.tolerance || trials == most_trials {
                    break;
                }
            }
            weight *= if held > FALL * before { WEAKER } else { 1.0 };
            before = held;
        }
        Ok(error)
    }

    /// One round by interior points.
    fn find(&mut self, outcome: &mut StaticOutcome) -> Result<()> {
        let Self { setup, interior, .. } = self;
        interior.lambda.clear();
        outcome.iterations += interior.solve(&setup.program, None, ENOUGH)?.steps;
        interior.project(&setup.program);
        self.settle(outcome)?;
        Ok(())
    }

    /// Newton steps from the answer of `interior`. Returns whether they end at round-off.
    fn settle(&mut self, outcome: &mut StaticOutcome) -> Result<bool> {
        let Self { setup, interior, active, .. } = self;
        let mut start = StartPoint { x: &mut interior.x, lambda: &mut interior.lambda, factor: 0.0 };
        let found = active.solve(&setup.program, None, &mut start, &STOP)?;
        outcome.iterations += found.steps;
        Ok(found.error <= SHARP)
    }

    /// What the term that holds bodies carries at the answer of `interior`: the largest force.
    fn held(&self) -> f64 {
        let Self { setup: Setup { program, .. }, interior, load, .. } = self;
        let given = program.load.as_flattened().iter().zip(load.as_flattened());
        let held = |((given, load), x): ((&f64, &f64), &f64)| (load + program.weight * x - given).abs();
        given.zip(interior.x.as_flattened()).map(held).fold(0.0, f64::max)
    }

    /// Moves the term that holds bodies to the answer of `interior`.
    fn recentre(&mut self) {
        let Self { setup: Setup { program, .. }, interior, load, .. } = self;
        let given = program.load.as_flattened_mut().iter_mut().zip(load.as_flattened());
        given.zip(interior.x.as_flattened()).for_each(|((given, load), x)| *given = load + program.weight * x);
    }

    /// Newton steps without the term, in `multipliers`. Returns the error.
    fn polish(&mut self, outcome: &mut StaticOutcome) -> Result<f64> {
        copy(&mut self.multipliers.x, &self.interior.x, "bodies")?;
        copy(&mut self.multipliers.lambda, &self.interior.lambda, "rows")?;
        self.setup.program.weight = 0.0;
        copy(&mut self.setup.program.load, &self.load, "bodies")?;
        self.sharpen(outcome)
    }

    /// Newton steps from the answer of `multipliers`. Returns its error.
    fn sharpen(&mut self, outcome: &mut StaticOutcome) -> Result<f64> {
        let Self { setup, active, multipliers: Multipliers { x, lambda, .. }, .. } = self;
        let found = active.solve(&setup.program, None, &mut StartPoint { x, lambda, factor: 0.0 }, &STOP)?;
        outcome.iterations += found.steps;
        Ok(found.error)
    }

    /// Whether bodies can fall for ever: moves that open all contacts, along which the loads do work. Of these the one in which the loads do
    /// most work for its size is the answer then, twice as far as is allowed.
    fn falls(&mut self, input: &StaticInput, outcome: &mut StaticOutcome, moves: &mut [Velocity]) -> Result<bool> {
        let Self { setup, fall, falling, multipliers, active, .. } = self;
        fall.take_over(&setup.program)?;
        fall.clear_offsets();
        fall.weight = 1.0;
        outcome.iterations += find(fall, None, falling, active)?.found.steps;
        if !proves(fall, &[], &fall.load, falling) {
            return Ok(false);
        }
        setup.write_moves(&falling.x, 1.0, moves);
        let factor = 2.0 * input.max_displacement / setup.largest(moves);
        setup.write_moves(&falling.x, factor, moves);
        outcome.displacement_max = setup.largest(moves);
        outcome.is_collapse = true;
        copy(&mut multipliers.x, &falling.x, "bodies")?;
        resize(&mut multipliers.lambda, 0, 0.0, "rows")?;
        resize(&mut multipliers.lambda, fall.size(), 0.0, "rows")?;
        Ok(true)
    }

    /// From the associated answer to the forces of least stress, and to Coulomb's law.
    fn follow(&mut self, input: &StaticInput, outcome: &mut StaticOutcome, moves: &mut [Velocity]) -> Result<()> {
        let Self { setup, multipliers: Multipliers { x, lambda, .. }, stress, coulomb, .. } = self;
        outcome.iterations += stress.relax(&setup.program, x, lambda, input.stiffness_ratio)?;
        if input.problem.friction == Friction::Coulomb && outcome.is_converged {
            let is_driven = setup.is_driven;
            let reach = Reach { of: &|x| setup.reach(x), limit: input.max_displacement, is_driven };
            let end = coulomb.find(&setup.program, stress, &reach, (x, lambda))?;
            outcome.is_associated = end == End::Lost;
            outcome.iterations += coulomb.steps;
            if end != End::Lost {
                setup.write_moves(x, 1.0, moves);
                outcome.displacement_max = setup.largest(moves);
                outcome.is_collapse = outcome.displacement_max > input.max_displacement;
            }
            if end == End::Collapse {
                lambda.fill(0.0);
            }
        }
        Ok(())
    }
}
