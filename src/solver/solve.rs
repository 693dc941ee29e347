//! The solve: contacts get lanes, the caller fills the contact buffer in lane order, and the islands are solved one by one.

use std::sync::Arc;

use crate::error::{OnDemand, Result, push};
use crate::math::lanes::LineIndex;
use crate::math::{ContactId, LaneSlot};
use crate::solver::anderson::Anderson;
use crate::solver::compatibility::correct::Compatibility;
use crate::solver::gauss_seidel::bodies::BodyIsland;
use crate::solver::gauss_seidel::motion::Motion;
use crate::solver::gauss_seidel::rows::Rows;
use crate::solver::gauss_seidel::rows::batches::Source;
use crate::solver::gauss_seidel::sweeps::{sweep_to_round_off, sweep_until};
use crate::solver::monitor::Monitor;
use crate::solver::operator::explicit::SweepWorkspace;
use crate::solver::operator::global_methods::{GlobalMethods, takes};
use crate::solver::position::pass::PositionPass;
use crate::solver::problem::contacts::{ContactBuffer, LaneContacts, list_pairs};
use crate::solver::problem::islands::{Islands, clear_inert};
use crate::solver::problem::options::{Method, Options, Outcome, SolveTotals, StickProjection};
use crate::solver::problem::pairs::Pairs;
use crate::solver::problem::start::Start;
use crate::solver::problem::{ContactPair, Impulses, Problem};
use crate::solver::project::{ProjectionBudget, Projector, Solved};
use crate::solver::stick::Stick;
use crate::tasks::{Clock, Serial, Tasks, overlap_serial};

/// A solver and its workspace, which grows to the largest problem seen and is reused.
#[derive(Debug)]
pub struct Solver {
    /// Runs the work on one thread or on several.
    pub(in crate::solver) tasks: Arc<dyn Tasks>,
    pub(in crate::solver) pairs: Pairs,
    pub(in crate::solver) rows: Rows,
    /// The velocities of the bodies of the problem, and of one more for the fixed world.
    pub(in crate::solver) motion: Motion,
    pub(in crate::solver) islands: Islands,
    /// An island's impulses before the sweeps.
    pub(in crate::solver) kept: Vec<f64>,
    pub(in crate::solver) anderson: Anderson,
    pub(in crate::solver) explicit: SweepWorkspace,
    pub(in crate::solver) global_methods: OnDemand<GlobalMethods>,
    stick: OnDemand<Stick>,
    pub(in crate::solver) projector: Projector,
    /// The work that the stick projection has spent on the islands.
    pub budget: ProjectionBudget,
    /// By island, the residual that the sweeps left before a projection; infinite where the next projection has to wait [m/s].
    pub(in crate::solver) unsettled: Vec<f64>,
    pub(in crate::solver) compatibility: OnDemand<Compatibility>,
    /// Residuals of the contacts, if not all are measured in batches.
    pub(in crate::solver) residuals: Vec<f64>,
    /// Residuals of the rows.
    pub(in crate::solver) row_residuals: Vec<f64>,
    /// The number of residuals, and the largest one.
    pub(in crate::solver) measured: usize,
    pub(in crate::solver) largest: f64,
    /// The workspace of the position pass.
    pub(in crate::solver) position: PositionPass,
    /// Whether the lines of the bodies now hold displacements. The velocities are then in `motion`.
    pub(in crate::solver) is_displaced: bool,
    /// Whether the impulses were given by the caller, and not found by a solve.
    pub(in crate::solver) is_given: bool,
    /// The function that is called between the iterations.
    pub(in crate::solver) monitor: Monitor,
    /// The pairs and the contact buffer of problems that list their contacts.
    listed: ListedContacts,
}

/// The data that a solver derives from the contacts of a problem that lists them.
#[derive(Debug, Default)]
struct ListedContacts {
    pairs: Vec<ContactPair>,
    buffer: ContactBuffer,
}

impl Default for Solver {
    fn default() -> Self {
        Self::with_tasks(Arc::new(Serial))
    }
}

impl Solver {
    /// Returns a solver whose work runs on `tasks`. No result depends on it.
    pub fn with_tasks(tasks: Arc<dyn Tasks>) -> Self {
        Self {
            tasks,
            pairs: Pairs::default(),
            rows: Rows::default(),
            motion: Motion::default(),
            islands: Islands::default(),
            kept: Vec::new(),
            anderson: Anderson::default(),
            explicit: SweepWorkspace::default(),
            global_methods: OnDemand::default(),
            stick: OnDemand::default(),
            projector: Projector::default(),
            budget: ProjectionBudget::default(),
            unsettled: Vec::new(),
            compatibility: OnDemand::default(),
            residuals: Vec::new(),
            row_residuals: Vec::new(),
            measured: 0,
            largest: 0.0,
            position: PositionPass::default(),
            is_displaced: false,
            is_given: false,
            monitor: Monitor::default(),
            listed: ListedContacts::default(),
        }
    }

    /// Sets the monitor that the next solves call between their iterations. If it ends a solve, there is no result: [`Solver::velocities`]
    /// and the impulses are then undefined until the next solve.
    pub fn set_monitor(&mut self, monitor: &Monitor) {
        self.monitor.clone_from(monitor);
        self.anderson.monitor.clone_from(monitor);
    }

    /// Solves a problem that lists its contacts. `impulses` has one impulse for each contact and row: first the start, then the result.
    /// [`Solver::velocities`] returns the velocities.
    pub fn solve(&mut self, problem: &Problem, options: &Options, impulses: &mut Impulses) -> Result<Outcome> {
        let mut listed = std::mem::take(&mut self.listed);
        let outcome = self.solve_listed(problem, &mut listed, options, impulses);
        self.listed = listed;
        outcome
    }

    fn solve_listed(
        &mut self,
        problem: &Problem,
        ListedContacts { pairs, buffer }: &mut ListedContacts,
        options: &Options,
        impulses: &mut Impulses,
    ) -> Result<Outcome> {
        list_pairs(problem, pairs, &*self.tasks)?;
        self.lay_out(problem, pairs, options, true)?;
        buffer.fill(problem, self.lanes(), &*self.tasks)?;
        self.solve_filled(problem, buffer, options, impulses)
    }

    /// Assigns lanes to the contacts of a problem. It reads their bodies and the direction of their arms from `pairs`, not from the problem's
    /// list. With `needs_members` it also finds the contacts of each island, which all methods need that read a list of contacts.
    /// Returns whether the lanes are the same as those of the problem before.
    pub fn lay_out(
        &mut self,
        problem: &Problem,
        pairs: &[ContactPair],
        options: &Options,
        needs_members: bool,
    ) -> Result<bool> {
        self.load(problem)?;
        let Self { rows, pairs: known, islands, tasks, .. } = self;
        rows.write_lines(problem, &**tasks)?;
        let are_rows_same = rows.note_blocks(problem).inspect_err(|_| known.invalidate())?;
        known.note(pairs, &rows.bodies, are_rows_same, &**tasks)?;
        let (known, layout) = (&*known, options.layout());
        let has_islands = known.same && (islands.has_contacts || !needs_members);
        let mut find = || match has_islands {
            true => Ok(()),
            false => islands.find_among(problem, &known.all, needs_members),
        };
        let is_kept = rows.keeps_lanes(problem, known, layout);
        let laid_out = if is_kept {
            find()
        } else if layout.together && !needs_members {
            // All islands are swept together, in an order that does not depend on the islands.
            let (mut found, mut planned) = (Ok(()), Ok(()));
            overlap_serial(&**tasks, &mut || found = find(), |tasks| {
                planned = rows.lay_out(problem, known, None, layout, tasks);
            });
            found.and(planned)
        } else {
            find().and_then(|()| rows.lay_out(problem, known, Some(islands), layout, &**tasks))
        };
        laid_out.inspect_err(|_| self.pairs.invalidate())?;
        Ok(is_kept)
    }

    /// Returns the contact in each lane, batch by batch, as the last call of [`Solver::lay_out`] assigned them. Contacts that are swept in
    /// batches come first.
    pub fn lanes(&self) -> &[LaneContacts] {
        &self.rows.lanes
    }

    /// Returns the lane of each contact, as the last call of [`Solver::lay_out`] assigned them.
    pub fn lane_of(&self) -> &[LaneSlot] {
        &self.rows.lane_of
    }

    /// Solves the problem that was laid out last. `buffer` has its contacts in lane order. If the problem also lists its contacts, the solve
    /// starts from `impulses` and writes the result there. Otherwise it starts from the impulses in the buffer, and
    /// [`Solver::read_lanes`] returns the result.
    pub fn solve_filled(
        &mut self,
        problem: &Problem,
        buffer: &mut ContactBuffer,
        options: &Options,
        impulses: &mut Impulses,
    ) -> Result<Outcome> {
        let is_listed = options.need_list(problem.friction) || !problem.contacts.is_empty() || !problem.rows.is_empty();
        let factors = if is_listed {
            clear_inert(problem, impulses);
            options.start.prepare(problem, impulses, &mut self.motion.totals);
            buffer.start_from(&self.rows.lanes, impulses);
            [1.0; 2]
        } else {
            options.start.factors().unwrap_or([1.0; 2])
        };
        let Self { rows, pairs, islands, tasks, .. } = self;
        let source = Source { buffer, pairs: &pairs.all, factors };
        let islands = islands.has_contacts.then_some(&*islands);
        let filled = rows.fill(problem, &source, islands, options.layout(), &**tasks);
        filled.inspect_err(|_| self.pairs.invalidate())?;
        self.rows.set_scalars(impulses);
        let listed = if is_listed { self.pairs.all.len() } else { 0 };
        self.sweep(problem, buffer, options, impulses, listed)
    }

    /// Solves the problem that is laid out and filled, and measures the residuals. `listed` is the number of
    /// contacts whose impulses are written to `impulses`: all or none.
    fn sweep(
        &mut self,
        problem: &Problem,
        buffer: &ContactBuffer,
        options: &Options,
        impulses: &mut Impulses,
        listed: usize,
    ) -> Result<Outcome> {
        let count = self.pairs.all.len();
        self.is_displaced = false;
        self.unsettled.clear();
        let has_room = self.reserve_residuals(if self.rows.measure_all() { 0 } else { count }, problem);
        let has_room = has_room.and_then(|()| impulses.begin(listed, self.rows.resists_turning));
        has_room.inspect_err(|_| self.pairs.invalidate())?;
        let together = options.has_uniform_sweeps();
        let mut done = SolveTotals { islands: self.islands.len() as u32, ..SolveTotals::default() };
        for number in 0..self.islands.parts(together) {
            self.solve_island(problem, options, number, impulses, &mut done)?;
        }
        let outcome = self.measure_answer(problem, buffer, impulses, &done)?;
        if let StickProjection::WhereItPays(passes) = options.projection
            && self.project_where_it_pays((problem, buffer), options, passes, &mut done)?
        {
            return self.measure_answer(problem, buffer, impulses, &done);
        }
        Ok(outcome)
    }

    /// Projects the islands for which it pays. Returns whether that changed the result, which must then be measured again.
    fn project_where_it_pays(
        &mut self,
        filled: (&Problem, &ContactBuffer),
        options: &Options,
        passes: u32,
        done: &mut SolveTotals,
    ) -> Result<bool> {
        let begin = Clock::start();
        let Self { projector, budget, unsettled, rows, pairs, islands, motion, tasks, monitor, .. } = self;
        let (residuals, row_residuals) = (&self.residuals, &self.row_residuals);
        let (problem, buffer) = filled;
        let (sweeps, tasks) = (done.iterations, &**tasks);
        let residuals = [&residuals[..], row_residuals];
        let pairs = &pairs.all;
        let solved =
            Solved { problem, buffer, pairs, islands, motion, residuals, options, sweeps, passes, monitor, tasks };
        let projected = projector.project(&solved, rows, budget)?;
        projector.read_unsettled(islands, budget, unsettled)?;
        done.seconds_project += begin.seconds();
        done.projection = projected.unwrap_or_default();
        Ok(projected.is_some())
    }

    /// Reads the impulses in the lanes as the result, and computes the velocities and residuals that they give.
    pub(in crate::solver) fn measure_answer(
        &mut self,
        problem: &Problem,
        buffer: &ContactBuffer,
        impulses: &mut Impulses,
        done: &SolveTotals,
    ) -> Result<Outcome> {
        self.rows.read_all(impulses, &*self.tasks);
        self.balance_lanes(problem, buffer, impulses).inspect_err(|_| self.pairs.invalidate())?;
        self.rows.measure(&self.motion.velocities, &*self.tasks)?;
        let Self { rows, pairs, motion, .. } = self;
        if !rows.measure_all() {
            let bodies = |contact: ContactId| pairs.all[contact].map(LineIndex::row);
            rows.measure_others(|contact, lane| motion.normal_velocity(&buffer.contact(lane, bodies(contact))));
        }
        Ok(self.measure_filled(problem, buffer, impulses, done))
    }

    /// Takes given impulses as the result of a problem that lists its contacts. Computes their velocities and residuals, without a solve.
    pub fn take(&mut self, problem: &Problem, impulses: &Impulses) -> Result<Outcome> {
        self.start_from_impulses(problem, impulses)?;
        self.is_given = true;
        self.rows.is_measured = false;
        let done = SolveTotals { islands: self.islands.len() as u32, ..SolveTotals::default() };
        Ok(self.measure_listed(problem, impulses, &done))
    }

    /// Finds the islands of a problem that lists its contacts, and the velocities that its impulses give. The layout of the last problem
    /// is discarded.
    pub(in crate::solver) fn start_from_impulses(&mut self, problem: &Problem, impulses: &Impulses) -> Result<()> {
        self.load(problem)?;
        self.reserve_residuals(problem.contacts.len(), problem)?;
        self.pairs.invalidate();
        self.islands.find(problem)?;
        self.balance(problem, impulses);
        Ok(())
    }

    /// Solves one island, and projects it if that is set for all islands. Its velocities are those of its impulses, up to the round-off of
    /// the sweeps.
    fn solve_island(
        &mut self,
        problem: &Problem,
        options: &Options,
        number: usize,
        impulses: &mut Impulses,
        done: &mut SolveTotals,
    ) -> Result<()> {
        let mut island = BodyIsland {
            problem,
            island: self.islands.part(options.has_uniform_sweeps(), number),
            number,
            order: options.order,
            relaxation: options.relaxation,
            turning: self.rows.resists_turning,
            rows: &mut self.rows,
            motion: &mut self.motion,
            impulses,
            tasks: &*self.tasks,
        };
        // A residual needs the velocities of the impulses. Where these are not applied, all sweeps run without measuring.
        let applied = !matches!(options.start, Start::WithoutVelocity(_));
        if applied {
            island.apply();
        } else {
            island.rows.join(problem, number, false);
        }
        let Self { global_methods, anderson, kept, monitor, .. } = self;
        let methods = IslandMethods { global_methods, anderson, kept, monitor };
        let solved = methods.run(&mut island, options, applied)?;
        done.fallbacks += u32::from(solved.is_fallback);
        done.infeasible += u32::from(solved.is_infeasible);
        done.iterations = done.iterations.max(solved.iterations);
        if let StickProjection::Always(passes) = options.projection {
            let begin = Clock::start();
            island.settle();
            let stick = self.stick.get()?;
            stick.monitor.clone_from(&self.monitor);
            let attempt = stick.project(&mut island, passes, u64::MAX)?;
            push(&mut self.unsettled, attempt.projected.before, "islands")?;
            done.projection = done.projection.and(&attempt.projected);
            done.seconds_project += begin.seconds();
        }
        let is_projected = matches!(options.projection, StickProjection::Always(_));
        // Sweeps over contacts alone leave all impulses within their bounds. Other methods may not. If one row bounds another, the later
        // visit decides.
        if options.method != Method::Pgs || is_projected || island.rows.are_coupled() {
            island.rows.join_again(problem, number);
            island.rows.read(island.island, island.impulses);
            island.bring_within_bounds();
        }
        island.rows.join_again(problem, number);
        island.rows.check_mechanisms()
    }

    /// Reads the bodies of a problem.
    pub(in crate::solver) fn load(&mut self, problem: &Problem) -> Result<()> {
        self.residuals.clear();
        self.row_residuals.clear();
        self.is_given = false;
        self.motion.load(problem, &*self.tasks)
    }
}

/// Islands of at most this number of contacts, without rows, are swept no further than to round-off. In larger ones ten
/// sweeps do not come that far, and measuring costs time. Rows that a motor drives can keep velocities while impulses grow.
const SMALL: usize = 64;

/// The round-off of the velocity of a contact, over that of its bodies [-].
const ROUND_OFF: f64 = 2.0 * f64::EPSILON;

/// The methods that solve an island, with their workspaces.
struct IslandMethods<'a> {
    global_methods: &'a mut OnDemand<GlobalMethods>,
    anderson: &'a mut Anderson,
    kept: &'a mut Vec<f64>,
    monitor: &'a Monitor,
}

/// How an island was solved.
#[derive(Debug, Default)]
struct SolvedIsland {
    iterations: u32,
    /// Whether accelerated sweeps replaced the chosen method.
    is_fallback: bool,
    /// Whether the method found that no motion satisfies all contacts and rows.
    is_infeasible: bool,
}

impl IslandMethods<'_> {
    /// Solves an island whose velocities are those of its impulses.
    fn run(self, island: &mut BodyIsland, options: &Options, applied: bool) -> Result<SolvedIsland> {
        let tolerance = if applied { options.tolerance } else { 0.0 };
        let blocks = island.island.contacts.len() + island.island.rows.len();
        let sweeps = options.iterations_of(Method::Accelerated);
        let has_balls = island.island.rows.iter().any(|row| island.problem.rows[*row].ball.is_some());
        if takes(options.method, blocks) && !has_balls {
            let steps = options.iterations_of(options.method);
            let global_methods = self.global_methods.get()?;
            global_methods.set_monitor(self.monitor);
            if let Some(progress) = global_methods.solve_bodies(island, options.method, steps, tolerance)? {
                let is_infeasible = global_methods.is_infeasible();
                return Ok(SolvedIsland { iterations: progress.iterations, is_fallback: false, is_infeasible });
            }
        }
        let iterations = match options.method {
            // The residual is not needed between sweeps. It is measured for all islands at the end.
            Method::Pgs if tolerance == 0.0 && blocks <= SMALL && applied && island.island.rows.is_empty() => {
                sweep_to_round_off(island, sweeps, ROUND_OFF * island.fastest(), self.monitor)?
            }
            Method::Pgs if tolerance == 0.0 => {
                for sweep in 0..sweeps {
                    island.sweep_unmeasured(sweep);
                    self.monitor.iterated()?;
                }
                sweeps
            }
            Method::Pgs => sweep_until(island, sweeps, tolerance, self.kept, self.monitor)?.iterations,
            _ => self.anderson.solve(island, sweeps, tolerance)?.iterations,
        };
        let is_fallback = !matches!(options.method, Method::Pgs | Method::Accelerated);
        Ok(SolvedIsland { iterations, is_fallback, is_infeasible: false })
    }
}
