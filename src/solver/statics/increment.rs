//! One increment: the forces and moves that balance a load.

use crate::error::{Result, copy, resize};
use crate::solver::conic::interior::Interior;
use crate::solver::conic::multipliers::{Begin, Multipliers};
use crate::solver::conic::program::Program;
use crate::solver::problem::{Friction, Impulses, Problem, Velocity};
use crate::solver::statics::check::{check, clear};
use crate::solver::statics::coulomb::Coulomb;
use crate::solver::statics::load::Load;
use crate::solver::statics::setup::Setup;
use crate::solver::statics::stress::LeastStress;

/// Interior points end here, in the units of the program.
const ENOUGH: f64 = 1e-12;
/// Missing forces up to this, in units of the largest load, are those of a balance that was not found to the end; above it bodies may fall.
const FALLING: f64 = 1e-5;
/// Steps of Newton's method after them, and where it ends.
const POLISHING: u32 = 60;
const ROUND_OFF: f64 = 1e-14;
/// Laws of contacts are obeyed up to this, in the units of the program.
const OBEYED: f64 = 1e-9;

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

/// Solves increments; keeps its workspace.
#[derive(Debug, Default)]
pub struct Statics {
    setup: Setup,
    interior: Interior,
    multipliers: Multipliers,
    stress: LeastStress,
    coulomb: Coulomb,
    /// The program of moves that open all contacts, and its answer.
    fall: Program,
    falling: Interior,
    given: Vec<f64>,
}

impl Statics {
    /// Finds `forces`, one for each contact and row of the problem, and the `moves` of all bodies. What they hold is overwritten.
    ///
    /// Where rigid contacts leave forces open, those of least `sum f_n^2 / 2 k_n + |f_t|^2 / 2 k_t` are taken: the limit of stiff contacts.
    /// Where loads and contacts leave moves open, as of loose bodies, those near none are taken.
    ///
    /// # Errors
    ///
    /// Box friction, rows that bound other rows, another number of loads than bodies, or no memory.
    pub fn solve(
        &mut self,
        input: &StaticInput,
        forces: &mut Impulses,
        moves: &mut Vec<Velocity>,
    ) -> Result<StaticOutcome> {
        let problem = input.problem;
        check(problem, input.loads)?;
        resize(moves, problem.masses.len(), Velocity::ZERO, "bodies")?;
        moves.copy_from_slice(problem.velocities);
        resize(&mut forces.rows, problem.rows.len(), 0.0, "rows")?;
        forces.begin(problem.contacts.len(), problem.resists_turning())?;
        clear(forces);
        self.setup.set(problem, input.loads, input.length, |contact, optional| Some((*contact, *optional)))?;
        let mut outcome = self.balance(input, moves)?;
        if !outcome.is_collapse {
            self.follow(input, &mut outcome, moves)?;
        }
        self.setup.write_forces(&self.multipliers.lambda, &mut self.given, forces)?;
        outcome.unbalanced = self.setup.unbalanced(problem, [input.loads, &[]], 0.0, forces);
        outcome.is_converged &= outcome.unbalanced <= input.tolerance.max(ROUND_OFF) * self.setup.units.impulse;
        outcome.elastic_energy = Setup::energy(problem, forces);
        Ok(outcome)
    }

    /// The associated answer, by interior points and a polish, in `multipliers`.
    fn balance(&mut self, input: &StaticInput, moves: &mut [Velocity]) -> Result<StaticOutcome> {
        let program = &self.setup.program;
        self.interior.lambda.clear();
        let end = self.interior.solve(program, None, ENOUGH)?;
        let mut outcome = StaticOutcome { iterations: end.steps, ..StaticOutcome::default() };
        if end.balance > FALLING && self.falls(input, &mut outcome, moves)? {
            return Ok(outcome);
        }
        self.interior.project(&self.setup.program);
        copy(&mut self.multipliers.x, &self.interior.x, "bodies")?;
        copy(&mut self.multipliers.lambda, &self.interior.lambda, "rows")?;
        // The program's unit of moves is not the length.
        let rho = input.proximal * self.setup.units.speed / input.length;
        let begin = Begin { rho, rounds: input.rounds, steps: POLISHING, enough: ROUND_OFF };
        let polished = self.multipliers.solve(&self.setup.program, &begin)?;
        outcome.iterations += polished.steps;
        outcome.is_converged = polished.error <= OBEYED;
        self.setup.write_moves(&self.multipliers.x, 1.0, moves);
        outcome.displacement_max = self.setup.largest(moves);
        outcome.is_collapse = outcome.displacement_max > input.max_displacement;
        Ok(outcome)
    }

    /// Whether bodies can fall for ever: moves that open all contacts, along which the loads do work. Of these the one in which the loads do
    /// most work for its size is the answer then, twice as far as is allowed.
    fn falls(&mut self, input: &StaticInput, outcome: &mut StaticOutcome, moves: &mut [Velocity]) -> Result<bool> {
        let Self { setup, fall, falling, multipliers, .. } = self;
        fall.take_over(&setup.program)?;
        fall.forget_offsets();
        fall.weight = 1.0;
        falling.lambda.clear();
        outcome.iterations += falling.solve(fall, None, ENOUGH)?.steps;
        // The work is the square of the move, but for bodies that go nowhere in particular.
        let work: f64 = falling.x.iter().flatten().zip(fall.load.iter().flatten()).map(|(x, load)| x * load).sum();
        if work <= FALLING * FALLING {
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
            outcome.is_associated = !coulomb.find(&setup.program, stress, x, lambda)?;
            outcome.iterations += coulomb.steps;
            if !outcome.is_associated {
                setup.write_moves(x, 1.0, moves);
                outcome.displacement_max = setup.largest(moves);
                outcome.is_collapse = outcome.displacement_max > input.max_displacement;
            }
        }
        Ok(())
    }
}
