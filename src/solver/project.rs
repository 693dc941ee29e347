//! The stick projection of those islands for which it pays. These are islands that the sweeps did not bring to rest. The projection takes at
//! most a tenth of the work of the sweeps.
//!
//! All islands are swept together first. Then the contacts of the chosen islands and their impulses make a problem of their own. Work is
//! counted and not timed, so that the same islands are chosen on every machine.

use crate::error::{OnDemand, Result, empty, push, resize};
use crate::math::lanes::LineIndex;
use crate::math::{BodyRow, ContactId, RowId};
use crate::solver::gauss_seidel::bodies::BodyIsland;
use crate::solver::gauss_seidel::motion::Motion;
use crate::solver::gauss_seidel::rows::Rows;
use crate::solver::gauss_seidel::rows::batches::Source;
use crate::solver::monitor::Monitor;
use crate::solver::problem::contacts::{ContactBuffer, list_pairs};
use crate::solver::problem::islands::{Island, Islands};
use crate::solver::problem::options::{Options, Projected};
use crate::solver::problem::order::Layout;
use crate::solver::problem::pairs::{LinePair, Pairs};
use crate::solver::problem::{Contact, ContactPair, Impulses, OptionalTerms, Problem, Row};
use crate::solver::stick::{Attempt, Stick, speed_of_rest};
use crate::tasks::Tasks;

/// The projection may cost one part in this number of the work of the sweeps. Each solve adds a tenth of that work to the island's budget.
const SHARE: u64 = 10;

/// An island may spend the budget of this number of solves in advance. A stack that comes to rest needs the projection in
/// many steps in a row, and none afterwards. An island that a projection did not bring to rest has to wait for this
/// number of solves in addition.
const CREDIT: u64 = 200;

/// Islands of at most this number of bodies are small. Their budget and their credit are this many times larger, and they need not wait: a
/// tower that sways is held by the projection alone, and then needs none. Without it sweeps of a tower of 10 boxes sway ever more.
const SMALL: usize = 64;
const SMALL_BUDGET: u64 = 10;

/// One projection may take at most this many times the work of the sweeps of the island, so that no step takes much longer than others.
const LONGEST: u64 = 8;

/// If the bodies of an island move together, one projection may take this number of visits of each contact instead, since it may be the only
/// one that is needed. Its cost does not depend on the number of sweeps. A wall of 210 boxes that is added in place takes 5400 visits, a
/// house of 15 cards 7200.
const MAX_VISITS_TOGETHER: u64 = 9000;

/// Islands of more bodies are not projected: their factors take longer than that.
const MAX_BODIES: usize = 2000;

/// The cost of a contact in a step apart from the sweeps, in visits of a sweep: its detection and assembly.
const AROUND: u64 = 10;

/// The cost of copying a contact into the problem of the chosen islands, in visits of a sweep.
const CHOICE: u64 = 10;

/// The budget of the projection: the work that it has spent on each island.
#[derive(Debug, Default)]
pub struct ProjectionBudget {
    /// The number of solves so far.
    pub solves: u64,
    /// By body, the number of the solve in which the work spent on its island will be paid for. If solve 100 spends the budget of 30 solves,
    /// this is 130. Without a number, or with one of the past, there is no debt.
    pub repaid_at: Vec<u64>,
}

impl ProjectionBudget {
    /// Reads the numbers of the bodies of a problem from `all`, where these have the given `slots`.
    pub fn read(&mut self, all: &Self, slots: &[u32]) -> Result<()> {
        self.solves = all.solves;
        let known = if all.repaid_at.is_empty() { &[] } else { slots };
        empty(&mut self.repaid_at, known.len(), "bodies")?;
        self.repaid_at.extend(known.iter().map(|slot| all.repaid_at[*slot as usize]));
        Ok(())
    }

    /// Reserves memory for this many bodies.
    pub fn reserve(&mut self, bodies: usize) -> Result<()> {
        resize(&mut self.repaid_at, bodies, 0, "bodies")
    }

    /// Writes the numbers of some bodies at their `slots`, for which memory is reserved.
    pub fn write(&mut self, some: &Self, slots: &[u32]) {
        self.solves = some.solves;
        some.repaid_at.iter().zip(slots).for_each(|(repaid_at, slot)| self.repaid_at[*slot as usize] = *repaid_at);
    }

    /// Returns the number of solves until the work spent on the island of a body is paid for.
    pub fn debt(&self, body: usize) -> u64 {
        self.repaid_at.get(body).map_or(0, |repaid_at| repaid_at.saturating_sub(self.solves))
    }

    /// Removes the debt of a body, if it has an entry.
    pub fn clear_debt(&mut self, body: usize) {
        self.repaid_at.get_mut(body).into_iter().for_each(|repaid_at| *repaid_at = 0);
    }

    /// Returns whether an island may spend more.
    fn allows(&self, island: &Island) -> bool {
        let credit = if is_small(island) { SMALL_BUDGET * CREDIT } else { CREDIT };
        self.latest(island.bodies) <= self.solves + credit
    }

    fn latest(&self, bodies: &[BodyRow]) -> u64 {
        bodies
            .iter()
            .filter_map(|body| self.repaid_at.get(body.index()))
            .fold(self.solves, |latest, paid| latest.max(*paid))
    }

    /// Records the work of a projection of an island, whose contacts were visited in this number of `sweeps`. If it did not
    /// bring the island to rest, the whole credit is used up. Memory for each body is reserved.
    fn record_cost(&mut self, island: Island, sweeps: u32, attempt: &Attempt) {
        let earned = island_work(island, sweeps);
        let is_small = is_small(&island);
        let share = if is_small { SHARE / SMALL_BUDGET } else { SHARE };
        let wait = if is_small || attempt.rests { 0 } else { CREDIT };
        let cost = (share * attempt.work).div_ceil(earned.max(1));
        let repaid_at = self.latest(island.bodies) + cost + wait;
        island.bodies.iter().for_each(|body| self.repaid_at[*body] = repaid_at);
    }
}

/// Returns whether an island has the larger budget. With joints it has not: of the many forces that grip a body, projections in a row may
/// find some with which it slips.
fn is_small(island: &Island) -> bool {
    island.bodies.len() <= SMALL && island.rows.is_empty()
}

/// Returns the work on the contacts and rows of an island in a step of this number of sweeps, in visits of a sweep.
fn island_work(island: Island, sweeps: u32) -> u64 {
    island_size(island) * (u64::from(sweeps) + AROUND)
}

/// Returns the number of contacts and rows of an island.
fn island_size(island: Island) -> u64 {
    (island.contacts.len() + island.rows.len()) as u64
}

/// The contacts and rows of the islands that are projected, as a problem of its own over the same bodies.
#[derive(Debug, Default)]
struct Chosen {
    /// Their numbers in the whole problem, ascending.
    contact_ids: Vec<ContactId>,
    row_ids: Vec<RowId>,
    contacts: Vec<Contact>,
    optional: Vec<OptionalTerms>,
    rows: Vec<Row>,
    pairs: Vec<ContactPair>,
    impulses: Impulses,
}

/// The projection after a solve, and its workspace.
#[derive(Debug, Default)]
pub(in crate::solver) struct Projector {
    /// The largest residual of each island of the whole problem; -1 for islands that cannot be chosen [m/s].
    island_residuals: Vec<f64>,
    projection: OnDemand<Projection>,
}

/// The problem of the chosen islands, and its solver.
#[derive(Debug, Default)]
struct Projection {
    chosen: Chosen,
    buffer: ContactBuffer,
    pairs: Pairs,
    rows: Rows,
    motion: Motion,
    islands: Islands,
    stick: Stick,
}

/// In place of a residual: the island is not chosen.
const NONE: f64 = -1.0;

/// A problem after its solve.
pub(in crate::solver) struct Solved<'a> {
    pub(in crate::solver) problem: &'a Problem<'a>,
    pub(in crate::solver) buffer: &'a ContactBuffer,
    /// The lines of the bodies of each contact.
    pub(in crate::solver) pairs: &'a [LinePair],
    pub(in crate::solver) islands: &'a Islands,
    pub(in crate::solver) motion: &'a Motion,
    /// The residuals of contacts that are not measured in lanes, and those of rows [m/s].
    pub(in crate::solver) residuals: [&'a [f64]; 2],
    pub(in crate::solver) options: &'a Options,
    /// The number of sweeps that were made.
    pub(in crate::solver) sweeps: u32,
    /// The most passes of a projection.
    pub(in crate::solver) passes: u32,
    pub(in crate::solver) monitor: &'a Monitor,
    pub(in crate::solver) tasks: &'a dyn Tasks,
}

impl Projector {
    /// Projects the islands for which it pays, and writes their impulses to the `lanes` of the problem.
    /// Returns the result of the projections; `None` if no impulse changed.
    pub(in crate::solver) fn project(
        &mut self,
        solved: &Solved,
        lanes: &mut Rows,
        budget: &mut ProjectionBudget,
    ) -> Result<Option<Projected>> {
        budget.solves += 1;
        if !self.choose(solved, lanes, budget)? {
            return Ok(None);
        }
        let projection = self.projection.get()?;
        projection.chosen.list(solved, lanes, &self.island_residuals)?;
        projection.run(solved, lanes, budget)
    }

    /// Lists by island the residual that the sweeps left before a projection [m/s]. It is 0 where none was tried, and infinite where the next
    /// one has to wait.
    pub(in crate::solver) fn read_unsettled(
        &self,
        islands: &Islands,
        budget: &ProjectionBudget,
        unsettled: &mut Vec<f64>,
    ) -> Result<()> {
        empty(unsettled, islands.len(), "islands")?;
        unsettled.extend((0..islands.len()).map(|number| match islands.get(number) {
            // Where joints move, they open and close contacts anyway.
            island if !island.rows.is_empty() => 0.0,
            island if !budget.allows(&island) => f64::INFINITY,
            _ => self.island_residuals.get(number).map_or(0.0, |residual| residual.max(0.0)),
        }));
        Ok(())
    }

    /// Finds the islands that are not at rest and may spend work. Returns whether there are any.
    fn choose(&mut self, solved: &Solved, lanes: &Rows, budget: &ProjectionBudget) -> Result<bool> {
        let &Solved { problem, islands, pairs, residuals: [residuals, row_residuals], .. } = solved;
        let of_contact = |at: usize| residuals.get(at).copied().or_else(|| lanes.residual(at.into())).unwrap_or(0.0);
        empty(&mut self.island_residuals, islands.len(), "islands")?;
        let may_spend = |number| {
            let island = islands.get(number);
            island.bodies.len() <= MAX_BODIES && budget.allows(&island)
        };
        self.island_residuals.extend((0..islands.len()).map(|number| if may_spend(number) { 0.0 } else { NONE }));
        if self.island_residuals.iter().all(|largest| *largest == NONE) {
            return Ok(false);
        }
        let mut note = |body: Option<BodyRow>, residual: f64| {
            let Some(number) = body.and_then(|body| islands.of(body)) else { return };
            let largest = &mut self.island_residuals[number];
            // An island with a residual that is NaN is not projected.
            *largest = if *largest == NONE || residual.is_nan() { NONE } else { largest.max(residual) };
        };
        for (index, pair) in pairs.iter().enumerate() {
            note(moving(pair), of_contact(index));
        }
        for (index, row) in problem.rows.iter().enumerate() {
            let body = [row.body_a, row.body_b].into_iter().find(|body| problem.moves(*body));
            note(body, row_residuals.get(index).copied().unwrap_or(0.0));
        }
        let mut any = false;
        for (number, largest) in self.island_residuals.iter_mut().enumerate() {
            let bodies = islands.get(number).bodies;
            // The lowest contact of a stack stops the speed that gravity gives all bodies above it. Its round-off grows with their number.
            let rest = speed_of_rest(problem, solved.motion, bodies, 0.0) * bodies.len() as f64;
            if *largest <= rest.max(solved.options.tolerance) {
                *largest = NONE;
            }
            any |= *largest != NONE;
        }
        Ok(any)
    }
}

impl Projection {
    /// Projects the chosen islands, see [`Projector::project`].
    fn run(&mut self, solved: &Solved, lanes: &mut Rows, budget: &mut ProjectionBudget) -> Result<Option<Projected>> {
        let &Solved { problem, options, sweeps, passes, monitor, tasks, .. } = solved;
        self.begin(problem, options, tasks)?;
        budget.reserve(problem.masses.len())?;
        let Self { chosen, rows, motion, islands, stick, .. } = self;
        stick.monitor.clone_from(monitor);
        let (own, impulses) = chosen.split(problem);
        let mut all = Projected::default();
        for number in 0..islands.len() {
            let island = islands.get(number);
            let mut swept = BodyIsland {
                problem: &own,
                island,
                number,
                order: options.order,
                relaxation: options.relaxation,
                turning: rows.resists_turning,
                rows,
                motion,
                impulses,
                tasks,
            };
            swept.settle();
            let max_work = match move_together(problem, island.bodies) {
                true => MAX_VISITS_TOGETHER * island_size(island),
                false => LONGEST * island_work(island, sweeps),
            };
            let mut attempt = stick.project(&mut swept, passes, max_work)?;
            attempt.work += CHOICE * island.contacts.len() as u64;
            budget.record_cost(island, sweeps, &attempt);
            if attempt.projected.rejected == 0 && attempt.projected.passes > 0 {
                all = all.and(&attempt.projected);
            }
        }
        if all.islands == 0 {
            return Ok(None);
        }
        chosen.write(lanes);
        Ok(Some(all))
    }

    /// Lays out the problem of the chosen contacts, and sets its impulses.
    fn begin(&mut self, whole: &Problem, options: &Options, tasks: &dyn Tasks) -> Result<()> {
        let Self { chosen, buffer, pairs, rows, motion, islands, .. } = self;
        // The projection solves rows and sticking contacts together, so joints are not eliminated before.
        let layout = Layout { order: options.order, together: false, splits: false };
        let mut listed = std::mem::take(&mut chosen.pairs);
        let has_room = list_pairs(&chosen.of(whole), &mut listed, tasks);
        chosen.pairs = listed;
        has_room?;
        let problem = chosen.of(whole);
        motion.load(&problem, tasks)?;
        rows.write_lines(&problem, tasks)?;
        let are_rows_same = rows.note_blocks(&problem).inspect_err(|_| pairs.invalidate())?;
        pairs.note(&chosen.pairs, &rows.bodies, are_rows_same, tasks)?;
        let laid_out = if rows.keeps_lanes(&problem, pairs, layout) {
            Ok(())
        } else {
            islands.find_among(&problem, &pairs.all, true)
        };
        let laid_out = laid_out.and_then(|()| rows.lay_out(&problem, pairs, Some(islands), layout, tasks));
        let filled = laid_out.and_then(|()| {
            buffer.fill(&problem, &rows.lanes, tasks)?;
            buffer.start_from(&rows.lanes, &chosen.impulses);
            let source = Source { buffer, pairs: &pairs.all, factors: [1.0; 2] };
            rows.fill(&problem, &source, Some(islands), layout, tasks)
        });
        filled.inspect_err(|_| pairs.invalidate())?;
        rows.set_scalars(&chosen.impulses);
        chosen.impulses.begin_turning(rows.resists_turning)
    }
}

impl Chosen {
    /// Lists the contacts and rows of the chosen islands, those that an `island_residuals`, and their impulses.
    fn list(&mut self, solved: &Solved, lanes: &Rows, island_residuals: &[f64]) -> Result<()> {
        let &Solved { problem, buffer, islands, pairs, .. } = solved;
        let Self { contact_ids, row_ids, contacts, optional, rows, impulses, .. } = self;
        let chosen = |body: BodyRow| islands.of(body).is_some_and(|number| island_residuals[number] != NONE);
        contact_ids.clear();
        for (index, pair) in pairs.iter().enumerate() {
            if moving(pair).is_some_and(chosen) {
                push(contact_ids, ContactId::from(index), "contacts")?;
            }
        }
        row_ids.clear();
        for (index, row) in problem.rows.iter().enumerate() {
            if [row.body_a, row.body_b].into_iter().any(|body| problem.moves(body) && chosen(body)) {
                push(row_ids, RowId::from(index), "rows")?;
            }
        }
        let lane_of = &lanes.lane_of;
        empty(contacts, contact_ids.len(), "contacts")?;
        let bodies = |contact: &ContactId| pairs[*contact].map(LineIndex::row);
        contacts.extend(contact_ids.iter().map(|contact| buffer.contact(lane_of[*contact], bodies(contact))));
        let has_optional = !buffer.optional.is_empty();
        empty(optional, if has_optional { contact_ids.len() } else { 0 }, "contacts")?;
        let terms = contact_ids.iter().filter(|_| has_optional);
        optional.extend(terms.map(|contact| buffer.optional_terms(lane_of[*contact])));
        empty(rows, row_ids.len(), "rows")?;
        let number = |row: RowId| row_ids.binary_search(&row).ok().map(RowId::from);
        rows.extend(row_ids.iter().map(|row| {
            let row = problem.rows[*row];
            Row { friction_row: row.friction_row.and_then(number), ball: row.ball.and_then(number), ..row }
        }));
        impulses.begin(contact_ids.len(), lanes.resists_turning)?;
        for (number, contact) in contact_ids.iter().enumerate() {
            impulses.set_wrench(number.into(), &lanes.contact_impulse(*contact));
        }
        empty(&mut impulses.rows, row_ids.len(), "rows")?;
        impulses.rows.extend(row_ids.iter().map(|row| lanes.row_impulse(*row)));
        Ok(())
    }

    /// Returns the problem of these contacts and rows, with the bodies of the whole problem.
    fn of<'a>(&'a self, whole: &Problem<'a>) -> Problem<'a> {
        Problem { contacts: &self.contacts, optional: &self.optional, rows: &self.rows, ..*whole }
    }

    /// Returns the same problem, and its impulses.
    fn split<'a>(&'a mut self, whole: &Problem<'a>) -> (Problem<'a>, &'a mut Impulses) {
        let Self { contacts, optional, rows, impulses, .. } = self;
        (Problem { contacts, optional, rows, ..*whole }, impulses)
    }

    /// Writes the impulses to the rows of the whole problem.
    fn write(&self, rows: &mut Rows) {
        for (number, contact) in self.contact_ids.iter().enumerate() {
            rows.set_contact(*contact, &self.impulses.wrench(number.into()));
        }
        for (lambda, row) in self.impulses.rows.iter().zip(&self.row_ids) {
            rows.set_row(*row, *lambda);
        }
    }
}

/// Returns whether the bodies of an island move together before their contacts act. Bodies that rest on each other do: all have the velocity
/// that gravity and their support give them. Differences up to half of the largest velocity are allowed.
fn move_together(problem: &Problem, bodies: &[BodyRow]) -> bool {
    let velocities = || bodies.iter().map(|body| problem.velocities[*body].linear);
    let Some(first) = velocities().next() else { return false };
    let (fastest, spread) = velocities().fold((0.0, 0.0), |(fastest, spread): (f64, f64), velocity| {
        (fastest.max(velocity.norm_squared()), spread.max((velocity - first).norm_squared()))
    });
    spread <= 0.25 * fastest
}

/// Returns the first body of a pair that impulses move.
fn moving(pair: &LinePair) -> Option<BodyRow> {
    pair.iter().find(|body| !body.is_read_only()).map(|body| body.row())
}
