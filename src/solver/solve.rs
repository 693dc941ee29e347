//! The solve: islands one by one, each by the method asked for.

use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use crate::error::{Result, reserve, resize};
use crate::math::Vec3;
use crate::solver::anderson::Anderson;
use crate::solver::bodies::{BodyIsland, Motion};
use crate::solver::compatibility::Compatibility;
use crate::solver::contacts::{Listed, seat};
use crate::solver::explicit::Workspace;
use crate::solver::islands::{Islands, clear_inert};
use crate::solver::order::Order;
use crate::solver::pairs::Pairs;
use crate::solver::problem::{Besides, Contact, Friction, Impulses, Problem, Relative, Velocity};
use crate::solver::rows::Rows;
use crate::solver::start::Start;
use crate::solver::stick::{Projected, Stick};
use crate::solver::sweeps::{Sweeps, sweep_until};
use crate::solver::whole::{Whole, takes};
use crate::solver::wide::Posed;
use crate::tasks::{Alone, Tasks, beside, each_pair_of_pieces, each_piece, reduce};

/// By what an island is solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Projected Gauss-Seidel.
    Pgs,
    /// The same, extrapolated from the last sweeps.
    Accelerated,
    /// Proximal point and semismooth Newton steps, for islands of at most so many contacts and rows; larger ones are left
    /// to accelerated sweeps.
    Newton {
        /// Contacts and rows.
        limit: u32,
    },
    /// Accelerated projected gradients.
    Apgd,
}

/// How to solve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// By what.
    pub method: Method,
    /// The order of the visits of a sweep.
    pub order: Order,
    /// Most sweeps, Newton steps or gradient steps; 0: the method's own number.
    pub iterations: u32,
    /// Stop when the largest residual is at most this [m/s]; 0: use all iterations.
    pub tolerance: f64,
    /// Factor on the step of every contact of a sweep, above 0 and below 2.
    pub relaxation: f64,
    /// What the given impulses are good for.
    pub start: Start,
    /// Most passes of the stick projection that follows; 0: none.
    pub projection_passes: u32,
}

/// Contacts that are measured at a time.
const PIECE: usize = 1024;
/// Sweeps when no number is given.
const SWEEPS: u32 = 50;
/// Newton steps then: most problems take less than 100, and what is not needed costs nothing.
const NEWTON_STEPS: u32 = 1000;
/// Gradient steps then.
const GRADIENT_STEPS: u32 = 500;

impl Options {
    /// Whether every island gets the same sweeps, so that all may be swept together: many small ones then fill batches that
    /// none of them fills alone.
    fn treats_islands_alike(&self) -> bool {
        let plain = self.method == Method::Pgs && self.tolerance == 0.0 && self.projection_passes == 0;
        plain && self.order == Order::Colored
    }

    /// Whether contacts need only be told, not listed: sweeps in batches read them once, and start them one by one.
    pub fn need_no_list(&self, friction: Friction) -> bool {
        self.treats_islands_alike() && friction == Friction::Coulomb && self.start.factors().is_some()
    }

    /// Most iterations of a method.
    pub(in crate::solver) fn iterations_of(&self, method: Method) -> u32 {
        match (self.iterations, method) {
            (0, Method::Newton { .. }) => NEWTON_STEPS,
            (0, Method::Apgd) => GRADIENT_STEPS,
            (0, Method::Pgs | Method::Accelerated) => SWEEPS,
            (given, _) => given,
        }
    }
}

/// A contact or a scalar row, by its index in the problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Of [`Problem::contacts`].
    Contact(usize),
    /// Of [`Problem::rows`].
    Row(usize),
}

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    /// The most over the islands.
    pub iterations: u32,
    /// Islands solved.
    pub islands: u32,
    /// Islands that were too large for the method asked for, and were solved by sweeps.
    pub fallbacks: u32,
    /// What the stick projection did.
    pub projection: Projected,
    /// How long it took [s].
    pub seconds_project: f64,
    /// Largest residual before it [m/s].
    pub solver_residual: f64,
    /// Largest residual over contacts and rows [m/s].
    pub residual_max: f64,
    /// Mean residual over contacts and rows [m/s].
    pub residual_mean: f64,
    /// Where the residual is largest.
    pub worst: Option<Place>,
}

/// What was done over the islands.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::solver) struct Done {
    pub(in crate::solver) islands: u32,
    pub(in crate::solver) iterations: u32,
    pub(in crate::solver) fallbacks: u32,
    pub(in crate::solver) projection: Projected,
    pub(in crate::solver) seconds_project: f64,
}

/// A solver and its workspace, which grows to the largest problem seen and is reused.
#[derive(Debug)]
pub struct Solver {
    /// Who does the work that can be shared.
    pub(in crate::solver) tasks: Arc<dyn Tasks>,
    pub(in crate::solver) pairs: Pairs,
    pub(in crate::solver) rows: Rows,
    /// Of the problem, and one more for the fixed world.
    pub(in crate::solver) motion: Motion,
    pub(in crate::solver) islands: Islands,
    /// An island's impulses before the sweeps.
    pub(in crate::solver) kept: Vec<f64>,
    pub(in crate::solver) anderson: Anderson,
    pub(in crate::solver) explicit: Workspace,
    pub(in crate::solver) whole: Whole,
    stick: Stick,
    pub(in crate::solver) compatibility: Compatibility,
    /// Relative velocities of the contacts, if any of them was measured alone.
    pub(in crate::solver) relative: Vec<Relative>,
    /// Residuals of the contacts, then of the rows, if any of them was measured alone; else they are among the rows.
    pub(in crate::solver) residuals: Vec<f64>,
    /// How many residuals there are, and the largest.
    pub(in crate::solver) measured: usize,
    pub(in crate::solver) largest: f64,
    /// Whether the lines of the bodies have their displacements: the velocities are in `motion` by then.
    pub(in crate::solver) is_displaced: bool,
}

impl Default for Solver {
    fn default() -> Self {
        Self::with_tasks(Arc::new(Alone))
    }
}

impl Solver {
    /// A solver whose sweeps run on `tasks`; what comes of them does not depend on it.
    pub fn with_tasks(tasks: Arc<dyn Tasks>) -> Self {
        Self {
            tasks,
            pairs: Pairs::default(),
            rows: Rows::default(),
            motion: Motion::default(),
            islands: Islands::default(),
            kept: Vec::new(),
            anderson: Anderson::default(),
            explicit: Workspace::default(),
            whole: Whole::default(),
            stick: Stick::default(),
            compatibility: Compatibility::default(),
            relative: Vec::new(),
            residuals: Vec::new(),
            measured: 0,
            largest: 0.0,
            is_displaced: false,
        }
    }

    /// Solves `problem`. `impulses`, one for each contact and row, hold what to start from and then the answer; the
    /// velocities are read by [`Solver::velocities`].
    pub fn solve(&mut self, problem: &Problem, options: &Options, impulses: &mut Impulses) -> Result<Outcome> {
        self.load(problem)?;
        self.solve_loaded(problem, options, impulses, false)
    }

    /// [`Solver::solve`] of a problem that was loaded; `found`: its islands are known.
    pub(in crate::solver) fn solve_loaded(
        &mut self,
        problem: &Problem,
        options: &Options,
        impulses: &mut Impulses,
        found: bool,
    ) -> Result<Outcome> {
        clear_inert(problem, impulses);
        options.start.prepare(problem, impulses, &mut self.motion.totals);
        let listed = Listed { problem, impulses: Some(impulses) };
        let posed = Posed::listed(&listed);
        if !self.fill_again(posed, options, true)? {
            self.lay_out(posed, options, found)?;
            self.fill(posed)?;
        }
        self.rows.set_scalars(impulses);
        self.sweep(Posed::listed(&Listed { problem, impulses: None }), options, impulses)
    }

    /// Solves what is laid out and filled, and measures the answer.
    pub(in crate::solver) fn sweep(
        &mut self,
        posed: Posed,
        options: &Options,
        impulses: &mut Impulses,
    ) -> Result<Outcome> {
        let has_room = match self.rows.measure_all() {
            true => Ok(()),
            false => self.reserve_measured(posed),
        };
        let has_room = has_room.and_then(|()| impulses.begin(posed.contacts.count(), self.rows.carry_torques()));
        if let Err(error) = has_room {
            self.pairs.forget();
            return Err(error);
        }
        let together = options.treats_islands_alike();
        let mut done = Done { islands: self.islands.len() as u32, ..Done::default() };
        for number in 0..self.islands.parts(together) {
            self.solve_island(posed.problem, options, number, impulses, &mut done)?;
        }
        self.rows.read_all(impulses, &*self.tasks);
        self.balance_lanes(posed, impulses).inspect_err(|_| self.pairs.forget())?;
        self.rows.measure(&self.motion.velocities, &*self.tasks)?;
        Ok(self.measure(posed, impulses, &done))
    }

    /// Writes the lines of a problem that was loaded, and fills the lanes of the one before with its contacts, if they `may` keep them
    /// and each of them can. Says whether it is so.
    pub(in crate::solver) fn fill_again(&mut self, posed: Posed, options: &Options, may: bool) -> Result<bool> {
        self.is_displaced = false;
        let Self { rows, pairs, islands, tasks, .. } = self;
        let moves_the_same = rows.line_up(posed.problem, &**tasks)?;
        // of contacts that were told nobody knows to which island each belongs, as those who listed them may ask
        let knows_islands = posed.are_told() || islands.has_contacts();
        let may_be_same = may && knows_islands && moves_the_same && pairs.fit(posed);
        let layout = (options.order, options.treats_islands_alike());
        if !may_be_same {
            return Ok(false);
        }
        rows.prepare_again((posed, pairs), layout, &**tasks).inspect_err(|_| pairs.forget())
    }

    /// Makes what follows from who touches whom, as far as it is not what it was, in a problem whose lines are written.
    pub(in crate::solver) fn lay_out(&mut self, posed: Posed, options: &Options, found: bool) -> Result<()> {
        let Self { rows, pairs, islands, tasks, .. } = self;
        pairs.note(posed, rows.bodies(), &**tasks)?;
        let (pairs, is_told) = (&*pairs, posed.are_told());
        let known = found || (pairs.same && (islands.has_contacts() || is_told));
        // of contacts that are told nobody asks to which island they belong
        let mut find = || match known {
            true => Ok(()),
            false => islands.find_among(posed.problem, &pairs.all, !is_told),
        };
        let layout = (options.order, options.treats_islands_alike());
        let laid_out = if is_told {
            // all are swept together, in an order that does not depend on islands
            let (mut islands_found, mut planned) = (Ok(()), Ok(()));
            beside(&**tasks, &mut || islands_found = find(), |tasks| {
                planned = rows.plan((posed, pairs), None, layout, tasks)
            });
            islands_found.and(planned)
        } else {
            find().and_then(|()| rows.plan((posed, pairs), Some(islands), layout, &**tasks))
        };
        laid_out.inspect_err(|_| self.pairs.forget())
    }

    /// Puts the contacts into the lanes that they were given.
    pub(in crate::solver) fn fill(&mut self, posed: Posed) -> Result<()> {
        let Self { rows, pairs, tasks, .. } = self;
        rows.prepare((posed, pairs), &**tasks).inspect_err(|_| self.pairs.forget())
    }

    /// Takes impulses as the answer: their velocities and residuals, without any solving.
    pub fn take(&mut self, problem: &Problem, impulses: &Impulses) -> Result<Outcome> {
        self.load(problem)?;
        let listed = Listed { problem, impulses: None };
        let posed = Posed::listed(&listed);
        self.reserve_measured(posed)?;
        self.pairs.forget();
        self.islands.find(problem)?;
        self.balance(posed, impulses);
        self.rows.forget_measured();
        let done = Done { islands: self.islands.len() as u32, ..Done::default() };
        Ok(self.measure(posed, impulses, &done))
    }

    /// Solves one island and projects it; its impulses and velocities agree but for the round-off of the sweeps.
    fn solve_island(
        &mut self,
        problem: &Problem,
        options: &Options,
        number: usize,
        impulses: &mut Impulses,
        done: &mut Done,
    ) -> Result<()> {
        let mut island = BodyIsland {
            problem,
            island: self.islands.part(options.treats_islands_alike(), number),
            number,
            order: options.order,
            relaxation: options.relaxation,
            turning: self.rows.carry_torques(),
            rows: &mut self.rows,
            motion: &mut self.motion,
            impulses,
            tasks: &*self.tasks,
        };
        // To measure a residual is to apply the impulses: without their velocities all sweeps are done blindly.
        let applied = !matches!(options.start, Start::WithoutVelocity(_));
        let tolerance = if applied { options.tolerance } else { 0.0 };
        if applied {
            island.apply();
        }
        let blocks = island.island.contacts.len() + island.island.rows.len();
        let sweeps = options.iterations_of(Method::Accelerated);
        let iterations = match options.method {
            method if takes(method, blocks) => {
                let steps = options.iterations_of(method);
                self.whole.solve_bodies(&mut island, method, steps, tolerance)?.iterations
            }
            // Nobody asks for the residual in between: it is measured for all islands at the end.
            Method::Pgs if tolerance == 0.0 => {
                (0..sweeps).for_each(|sweep| island.sweep_blindly(sweep));
                sweeps
            }
            Method::Pgs => sweep_until(&mut island, sweeps, tolerance, &mut self.kept)?.iterations,
            method => {
                done.fallbacks += u32::from(method != Method::Accelerated);
                self.anderson.solve(&mut island, sweeps, tolerance)?.iterations
            }
        };
        done.iterations = done.iterations.max(iterations);
        if options.projection_passes > 0 {
            let begin = Instant::now();
            island.settle();
            let projected = self.stick.project(&mut island, options.projection_passes)?;
            done.projection = done.projection.and(&projected);
            done.seconds_project += begin.elapsed().as_secs_f64();
        }
        // Sweeps over contacts alone leave their impulses within bounds; others may not, and where one row bounds another
        // the later of them decides.
        if options.method != Method::Pgs || options.projection_passes > 0 || island.rows.bound_each_other() {
            resize(&mut self.kept, island.size(), 0.0, "impulses of an island")?;
            island.read(&mut self.kept);
            island.write(&self.kept);
        }
        Ok(())
    }

    /// `v+`, one for each body of the problem solved last.
    pub fn velocities(&self) -> &[Velocity] {
        let all = &self.motion.velocities;
        &all[..all.len().saturating_sub(1)]
    }

    /// Gives the velocities away, with one more for the fixed world, and takes the room of others for those of the next problem.
    pub fn swap_velocities(&mut self, others: &mut Vec<Velocity>) {
        std::mem::swap(&mut self.motion.velocities, others);
    }

    /// The islands of the problem solved last.
    pub fn islands(&self) -> &Islands {
        &self.islands
    }

    /// The sum of the impulses on each body of the problem solved last, immovable ones included: linear [N s], and
    /// angular about the centre of mass [N m s].
    pub fn total_impulses(&self) -> &[Velocity] {
        let all = &self.motion.totals;
        &all[..all.len().saturating_sub(1)]
    }

    /// The multiplier that opened a contact of the problem solved last in the position pass [kg m]; only a central one has any.
    #[inline]
    pub fn multiplier(&self, contact: usize) -> f64 {
        self.rows.multiplier(contact)
    }

    /// How b moves relative to a at a contact of the problem solved last: the velocity of its point, and its spin.
    pub fn relative(&self, contact: &Contact) -> Velocity {
        let [a, b] = [contact.body_a, contact.body_b].map(|body| self.motion.velocity(body));
        Velocity { linear: contact.relative_velocity(a, b), angular: self.relative_spin(contact) }
    }

    /// How fast a contact of the problem solved last rolls: the spin of b relative to a in the tangent plane, at the distance where a
    /// torque counts as a force; where nothing resists turning not at all. It was measured in its batch, or `whole` has it with what it
    /// has besides [m/s].
    pub fn rolling_speed(&self, problem: &Problem, contact: usize, whole: impl FnOnce() -> (Contact, Besides)) -> f64 {
        self.rows.rolling_speed(contact).unwrap_or_else(|| {
            let (contact, besides) = whole();
            if !besides.resists_turning() {
                return 0.0;
            }
            let (mass_a, mass_b) = (problem.mass(contact.body_a), problem.mass(contact.body_b));
            contact.split(&self.relative_spin(&contact)).1.norm() * contact.turning_length(mass_a, mass_b)
        })
    }

    /// The spin of b relative to a, of a contact of the problem solved last [rad/s].
    pub fn relative_spin(&self, contact: &Contact) -> Vec3 {
        self.motion.velocity(contact.body_b).angular - self.motion.velocity(contact.body_a).angular
    }

    /// The residuals of the contacts of the problem solved last, then those of its rows [m/s]. The position pass needs their place:
    /// after it those that were measured in batches are zero.
    pub fn residuals(&self) -> impl ExactSizeIterator<Item = f64> + '_ {
        (0..self.measured).map(|index| self.residual(index))
    }

    /// One of them.
    #[inline]
    pub(in crate::solver) fn residual(&self, index: usize) -> f64 {
        self.residuals.get(index).copied().or_else(|| self.rows.residual(index)).unwrap_or(0.0)
    }

    pub(in crate::solver) fn load(&mut self, problem: &Problem) -> Result<()> {
        let bodies = problem.masses.len();
        let Motion { velocities, totals, .. } = &mut self.motion;
        velocities.truncate(bodies);
        resize(velocities, bodies + 1, Velocity::ZERO, "bodies")?;
        each_piece(&*self.tasks, PIECE, &mut velocities[..bodies], |first, velocities| {
            velocities.copy_from_slice(&problem.velocities[first..first + velocities.len()]);
        });
        // what is summed and measured is written over all of them: nothing is cleared that was there in the solves before
        totals.truncate(bodies + 1);
        resize(totals, bodies + 1, Velocity::ZERO, "bodies")?;
        self.relative.clear();
        self.residuals.clear();
        Ok(())
    }

    /// Makes room for what is measured of each contact alone, and of each row.
    pub(in crate::solver) fn reserve_measured(&mut self, posed: Posed) -> Result<()> {
        let count = posed.contacts.count();
        reserve(&mut self.relative, count, "contacts")?;
        reserve(&mut self.residuals, count + posed.problem.rows.len(), "contacts and rows")
    }

    /// The velocities from the final impulses, and the sums of those on every body.
    pub(in crate::solver) fn balance(&mut self, posed: Posed, impulses: &Impulses) {
        self.motion.totals.fill(Velocity::ZERO);
        self.motion.balance(posed, &self.islands.all(), impulses);
        self.rest_fixed();
    }

    /// The same of the impulses in the lanes, which are `impulses`.
    fn balance_lanes(&mut self, posed: Posed, impulses: &Impulses) -> Result<()> {
        if !self.rows.can_sum() {
            self.balance(posed, impulses);
            return Ok(());
        }
        let Self { rows, motion, pairs, tasks, .. } = self;
        rows.rest(&**tasks);
        (0..rows.parts()).for_each(|part| rows.sum(part, &**tasks));
        motion.balance_all(posed, rows.bodies(), (pairs.pressing()?, impulses), &**tasks)?;
        self.rest_fixed();
        Ok(())
    }

    /// The row of the fixed world took impulses: it stays at rest.
    fn rest_fixed(&mut self) {
        if let Some(resting) = self.motion.velocities.last_mut() {
            *resting = Velocity::ZERO;
        }
    }

    /// The residuals at the balanced velocities, and the relative velocities.
    pub(in crate::solver) fn measure(&mut self, posed: Posed, impulses: &Impulses, done: &Done) -> Outcome {
        let (problem, contacts) = (posed.problem, posed.contacts.count());
        let Self { motion, rows, relative, residuals, tasks, .. } = self;
        self.measured = contacts + problem.rows.len();
        let all_measured = problem.rows.is_empty() && rows.has_measured(contacts);
        let alone = if all_measured { 0 } else { contacts };
        // there is room
        relative.resize(alone, Relative::ZERO);
        residuals.resize(alone + problem.rows.len(), 0.0);
        let pieces = (&mut residuals[..alone], &mut relative[..]);
        each_pair_of_pieces(&**tasks, PIECE, pieces, |first, residuals, relative| {
            motion.relate(posed, first, relative);
            let known = |index: usize| rows.residual(index);
            for (index, residual) in (first..).zip(&mut *residuals) {
                *residual = known(index).unwrap_or(0.0);
            }
            let others = (first..first + relative.len()).filter(|index| known(*index).is_none());
            seat(others.map(|index| index as u32), |_, batches| {
                motion
                    .contact_residuals(posed, batches, impulses, |index, residual| residuals[index - first] = residual);
            });
        });
        for (index, residual) in residuals[alone..].iter_mut().enumerate() {
            *residual = motion.row_residual(problem, index, impulses);
        }
        let outcome = self
            .outcome(done, |index| if index < contacts { Place::Contact(index) } else { Place::Row(index - contacts) });
        self.largest = outcome.residual_max;
        outcome
    }

    /// What was done, and the residuals in sum; `place` says where a residual belongs.
    pub(in crate::solver) fn outcome(&self, done: &Done, place: impl Fn(usize) -> Place) -> Outcome {
        // the largest, where it is, and the sum
        let of = |range: Range<usize>| {
            let all = range.map(|index| (index, self.residual(index)));
            all.fold(NOTHING, |found, (index, residual)| joined(found, (residual, Some(index), residual)))
        };
        let (largest, worst, sum) = reduce(&*self.tasks, PIECE, self.measured, NOTHING, of, joined);
        let residual_max = if largest < 0.0 { 0.0 } else { largest };
        let projected = done.projection.passes > 0;
        Outcome {
            iterations: done.iterations,
            islands: done.islands,
            fallbacks: done.fallbacks,
            projection: done.projection,
            seconds_project: done.seconds_project,
            solver_residual: if projected { done.projection.before.max(residual_max) } else { residual_max },
            residual_max,
            residual_mean: sum / self.measured.max(1) as f64,
            worst: worst.map(place),
        }
    }
}

/// A residual, whose it is, and the sum of all that were looked at.
type Found = (f64, Option<usize>, f64);

/// Before the first.
const NOTHING: Found = (-1.0, None, 0.0);

/// The larger residual and the sum; one that is no number is the worst of all.
fn joined(one: Found, other: Found) -> Found {
    let sum = one.2 + other.2;
    if other.0 > one.0 || other.0.is_nan() { (other.0, other.1, sum) } else { (one.0, one.1, sum) }
}
