//! The stick projection: friction of sticking contacts as an equality constraint, [C], so that they do not creep.
//!
//! ```text
//! min 1/2 (v - vbar)^T M (v - vbar)   s.t.  G_S v + S_S lambda_S + b_S = 0
//! ```
//!
//! with the velocities `vbar` of the sweeps and the held rows `S` (see `hold`). These are normal rows of closed contacts,
//! tangential ones of sticking contacts, torques where rolling sticks, bilateral rows, and bounded rows between their bounds.
//! The impulses of sliding contacts stay at their bounds. Velocities are computed from the impulses alone, so momentum
//! balances however the impulses were found.
//!
//! A held impulse may end outside its bounds. It is then reflected, to about as far inside, and the projection is repeated.
//! The forces of a body on several points are not unique, and this finds those inside the bounds in a few rounds. Where it
//! finds none, sweeps from there show which contacts separate or slide, and these are released. A result is accepted only
//! if the largest residual falls.

mod hold;
mod system;

use crate::error::{Result, empty};
use crate::math::{BodyRow, Vec3};
use crate::solver::gauss_seidel::bodies::{BodyIsland, allowed};
use crate::solver::gauss_seidel::motion::Motion;
use crate::solver::gauss_seidel::sweeps::Sweeps;
use crate::solver::monitor::Monitor;
use crate::solver::problem::ball::bound_balls;
use crate::solver::problem::options::Projected;
use crate::solver::problem::{Impulse, ImpulsiveWrench, Problem};
use crate::solver::stick::hold::{AT_BOUND, Hold, STICK_SLACK, Speeds};
use crate::solver::stick::system::{System, contact_defect};

/// Held rows count as at rest below this part of the speeds in the island [-] ...
const AT_REST: f64 = 1e-14;

/// ... or below so much of the speeds that its impulses stop: the round-off of their sum [-].
const ROUND_OFF: f64 = 8.0 * f64::EPSILON;

/// Most refinements of a solve.
const REFINEMENTS: u32 = 6;

/// A round that still reflects impulses ends when velocities are below this part of those before it [-]: the next round changes them by far
/// more.
const ROUND_ACCURACY: f64 = 1e-4;

/// The most rounds in which impulses outside their bounds are reflected, ...
const ROUNDS: u32 = 40;

/// ... and in islands of more than so many bodies, where one costs as much as some sweeps.
const LARGE: (usize, u32) = (1000, 4);

/// Rounds after those in which friction is distributed again, each with a factor of its own ...
const SHARE_ROUNDS: u32 = 50;

/// ... in islands of at most so many bodies. One body on a slope near the angle of friction needs it: there is hardly any
/// room within the bounds. In walls it is no better than the others.
const SHARE_BODIES: usize = 8;

/// Rounds converge too slowly if they leave more than this part of the velocities [-].
const STALL_RATIO: f64 = 0.8;

/// Rounds diverge if they increase the velocities by more than this factor [-].
const DIVERGENCE: f64 = 4.0;

/// Of contacts that contradict each other, those are opened whose velocity is at least this part of the largest [-].
const SEPARATES: f64 = 0.05;

/// Rows whose velocities fall to no less than this part contradict each other [-]. Gaps of different widths that are to
/// close at once do so. A projection then gains nothing.
const CONTRADICTION: f64 = 0.1;

/// The most contacts that are released one by one, if more are held than is possible, in small islands.
const RELEASES: u32 = 24;

/// The number of sweeps that show which contacts separate or slide.
const REPAIR_SWEEPS: u32 = 8;

/// If a body is faster by this many times the error before, the projection has found another motion [-]. Coulomb's law
/// allows several: six disks may rest or slide apart. If a projection refines the same motion, velocities change by up to
/// a hundred times the error.
const MAX_GROWTH: f64 = 1e3;

/// How far an impulse outside its bound is moved towards and past it, in units of how far it was outside [-].
const REFLECTION: f64 = 1.9;

/// The costs of parts of a projection, in visits of a contact by a sweep. `CHECK_COST`: a check of a contact, that is, of its
/// speeds or its residual. `GATHERED`: its rows of the matrix. `PRODUCT`: a product of two blocks of the factor.
/// `SOLVED`: a product of a block with a vector.
const CHECK_COST: u64 = 4;
const GATHERED: u64 = 30;
const PRODUCT: u64 = 4;
const SOLVED: u64 = 1;

/// The result of a projection.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Attempt {
    pub(super) projected: Projected,
    /// Its work, in visits of a contact by a sweep.
    pub(super) work: u64,
    /// Whether its result is used, or there was nothing to do, and all contacts that touch stick.
    pub(super) rests: bool,
}

/// The projection and its workspace.
#[derive(Debug, Default)]
pub(super) struct Stick {
    system: System,
    /// The work done on the island, and the limit of it.
    work: u64,
    max_work: u64,
    /// The impulses of the island before, and the best so far.
    before: SavedImpulses,
    best: SavedImpulses,
    /// The speed up to which each body of the island goes on as before [m/s].
    speeds: Vec<f64>,
    pub(super) monitor: Monitor,
}

/// The impulses of an island.
#[derive(Debug, Default)]
struct SavedImpulses {
    contacts: Vec<ImpulsiveWrench>,
    rows: Vec<f64>,
}

impl SavedImpulses {
    fn save(&mut self, BodyIsland { island, impulses, .. }: &BodyIsland) -> Result<()> {
        empty(&mut self.contacts, island.contacts.len(), "contacts")?;
        self.contacts.extend(island.contacts.iter().map(|index| impulses.wrench(*index)));
        empty(&mut self.rows, island.rows.len(), "rows")?;
        self.rows.extend(island.rows.iter().map(|index| impulses.rows[*index]));
        Ok(())
    }

    fn restore(&self, island: &mut BodyIsland) {
        for (index, wrench) in island.island.contacts.iter().zip(&self.contacts) {
            island.impulses.set_wrench(*index, wrench);
        }
        for (index, lambda) in island.island.rows.iter().zip(&self.rows) {
            island.impulses.rows[*index] = *lambda;
        }
        island.start();
    }
}

impl Stick {
    /// Projects an island, in at most `passes` passes. Ends early after more work than `max_work`, and does not begin a
    /// factorisation that takes as much. The impulses and velocities of the island are those that the solver left.
    pub(super) fn project(&mut self, island: &mut BodyIsland, passes: u32, max_work: u64) -> Result<Attempt> {
        (self.work, self.max_work) = (0, max_work);
        let mut speeds = self.test_holds(island, STICK_SLACK)?;
        if speeds.held_speed <= rest(island, &speeds) {
            return Ok(Attempt { projected: Projected::default(), work: self.work, rests: self.system.all_stick() });
        }
        let before = residuals(island);
        self.before.save(island)?;
        self.limit_speeds(island, MAX_GROWTH * before.0.max(speeds.held_speed))?;
        let (mut best, mut done) = (before, 0);
        while done < passes {
            done += 1;
            let settled = self.solve_rest(island, rest(island, &speeds))?;
            self.keep_if_better(island, &mut best)?;
            if best.0 <= rest(island, &speeds) || done == passes || self.work > self.max_work {
                break;
            }
            if !settled {
                for sweep in 0..REPAIR_SWEEPS {
                    island.sweep(sweep);
                    self.monitor.iterated()?;
                }
                self.note(island, u64::from(REPAIR_SWEEPS));
                // Sweeps over contacts alone leave their impulses within bounds.
                if island.rows.are_coupled() {
                    island.settle();
                    island.bring_within_bounds();
                }
                self.keep_if_better(island, &mut best)?;
            }
            speeds = self.test_holds(island, AT_BOUND)?;
        }
        let accepted = best.0 < before.0;
        if accepted { &self.best } else { &self.before }.restore(island);
        let rests = accepted && self.test_holds(island, AT_BOUND).map(|_| self.system.all_stick())?;
        let projected = Projected { passes: done, islands: 1, rejected: u32::from(!accepted), before: before.0 };
        Ok(Attempt { projected, work: self.work, rests })
    }

    fn test_holds(&mut self, island: &BodyIsland, edge: f64) -> Result<Speeds> {
        self.note(island, CHECK_COST);
        self.system.test_holds(island, edge)
    }

    /// Notes so much work on each contact and row of an island.
    fn note(&mut self, island: &BodyIsland, work: u64) {
        self.work += work * (island.island.contacts.len() + island.island.rows.len()) as u64;
    }

    /// Brings what is held to rest with impulses within their bounds. `false`: not all of them are. They are then brought
    /// into them, and the velocities follow.
    fn solve_rest(&mut self, island: &mut BodyIsland, rest: f64) -> Result<bool> {
        let (mut settled, mut stale) = (false, true);
        let bodies = island.island.bodies.len();
        let share_rounds = if bodies <= SHARE_BODIES { SHARE_ROUNDS } else { 0 };
        let rounds = if bodies > LARGE.0 { LARGE.1 } else { ROUNDS };
        let (mut shares, mut round, mut last, mut enough) = (false, 0, f64::INFINITY, ROUND_ACCURACY);
        let mut releases = if share_rounds > 0 { RELEASES } else { 0 };
        while round < if shares { share_rounds } else { rounds } && self.work <= self.max_work {
            round += 1;
            if stale {
                self.note(island, GATHERED);
                self.system.gather(island, shares)?;
                let Some(products) = self.system.factor(island, self.max_work / PRODUCT)? else { break };
                self.work += PRODUCT * products;
            }
            let [held_speed, left] = self.refine(island, rest, enough);
            self.monitor.iterated()?;
            if !left.is_finite() || (!shares && held_speed > DIVERGENCE * last) {
                break;
            }
            if left > rest && left > CONTRADICTION * held_speed {
                if releases == 0 || !self.release(island, left) {
                    break;
                }
                (releases, stale) = (releases - 1, true);
                balance(island);
                round -= 1;
                continue;
            }
            self.note(island, CHECK_COST);
            settled = !self.reflect_impulses(island);
            if settled && (left <= rest || enough == 0.0) {
                break;
            }
            if settled {
                enough = 0.0;
                continue;
            }
            if !shares && share_rounds > 0 && (held_speed > STALL_RATIO * last || round == rounds) {
                (shares, round) = (true, 0);
            }
            if shares && round < share_rounds {
                stale = true;
                self.drop_friction(island);
            }
            balance(island);
            // The first may start from what is far off: it is no measure.
            last = if round > 1 { held_speed } else { f64::INFINITY };
        }
        island.bring_within_bounds();
        Ok(settled)
    }

    /// Removes the friction of what sticks, so that the projection distributes it again.
    fn drop_friction(&self, island: &mut BodyIsland) {
        for (hold, index) in self.system.contacts.iter().zip(island.island.contacts) {
            if hold.sticks() {
                island.impulses.contacts[*index].tangential = Vec3::zeros();
            }
        }
    }

    /// Opens one contact of those that contradict each other. What is left of their velocities is along impulses that
    /// change none; these impulses are added against it until the first contact carries nothing, which then opens.
    fn release(&mut self, island: &mut BodyIsland, left: f64) -> bool {
        let mut first: Option<(f64, usize)> = None;
        let contacts = self.system.contacts.iter().zip(island.island.contacts).enumerate();
        for (at, (_, index)) in contacts.filter(|(_, (hold, _))| hold.rows != 0) {
            let (speed, _) = contact_defect(island, *index);
            let ratio = island.impulses.contacts[*index].normal.max(0.0) / speed;
            if speed > SEPARATES * left && first.is_none_or(|(smallest, _)| ratio < smallest) {
                first = Some((ratio, at));
            }
        }
        let Some((ratio, opened)) = first else { return false };
        self.system.measure(island);
        self.system.add(island, &self.system.defects, -ratio);
        self.system.contacts[opened] = Hold::default();
        island.impulses.set_wrench(island.island.contacts[opened], &ImpulsiveWrench::ZERO);
        true
    }

    /// Projects until the velocities of what is held are those of round-off or below `enough` of those before, or fall no more. Returns the
    /// largest before and after [m/s].
    fn refine(&mut self, island: &mut BodyIsland, rest: f64, enough: f64) -> [f64; 2] {
        let first = self.system.measure(island);
        let mut last = first;
        for _ in 0..REFINEMENTS {
            if last <= (0.1 * rest).max(enough * first) {
                break;
            }
            self.note(island, 4 * CHECK_COST);
            self.work += SOLVED * self.system.blocks();
            if !self.system.solve() {
                return [first, f64::NAN];
            }
            self.system.add(island, &self.system.answer, 1.0);
            balance(island);
            let now = self.system.measure(island);
            if now >= last || now.is_nan() {
                self.system.add(island, &self.system.answer, -1.0);
                balance(island);
                break;
            }
            let is_slow = now > 0.5 * last;
            last = now;
            if is_slow {
                break;
            }
        }
        [first, last]
    }

    /// Brings impulses outside their bounds back beyond them, and those that slide or are open to theirs. Returns whether
    /// one moved by more than round-off.
    fn reflect_impulses(&self, island: &mut BodyIsland) -> bool {
        let problem = island.problem;
        let mut moved = false;
        for (hold, index) in self.system.contacts.iter().zip(island.island.contacts) {
            let contact = &problem.contacts[*index];
            let impulse = island.impulses.wrench(*index);
            let onto = allowed(problem, *index, &hold.bounded(contact, &impulse));
            if is_near(&impulse, &onto) {
                continue;
            }
            moved = true;
            let next = if hold.drags() { onto } else { allowed(problem, *index, &beyond(&impulse, &onto)) };
            island.impulses.set_wrench(*index, &next);
        }
        for (hold, index) in self.system.rows.iter().zip(island.island.rows) {
            let row = &problem.rows[*index];
            let scale = row.friction_row.map_or(1.0, |scale| island.impulses.rows[scale].abs());
            let lambda = island.impulses.rows[*index];
            let onto = row.bounded(if hold.held { lambda } else { hold.bound * scale }, scale);
            if (onto - lambda).abs() > ROUND_OFF * lambda.abs() {
                moved = true;
                let next = if hold.held { lambda + REFLECTION * (onto - lambda) } else { onto };
                island.impulses.rows[*index] = row.bounded(next, scale);
            }
        }
        moved | bound_balls(problem.rows, island.island.rows.iter(), island.impulses)
    }

    /// Stores the speeds of the island, raised by a `margin` [m/s].
    fn limit_speeds(&mut self, island: &BodyIsland, margin: f64) -> Result<()> {
        empty(&mut self.speeds, island.island.bodies.len(), "bodies of an island")?;
        self.speeds.extend(speeds(island).map(|speed| speed + margin));
        Ok(())
    }

    /// Keeps the impulses of the island if their residual is the smallest so far, by its maximum and by its mean. A
    /// smaller maximum at the expense of many contacts sets a pile in motion.
    fn keep_if_better(&mut self, island: &mut BodyIsland, best: &mut (f64, f64)) -> Result<()> {
        self.note(island, 2 * CHECK_COST);
        island.settle();
        let now = residuals(island);
        let leaps = speeds(island).zip(&self.speeds).any(|(speed, limit)| speed > *limit);
        if now.0 < best.0 && now.1 <= best.1 && !leaps {
            *best = now;
            self.best.save(island)?;
        }
        Ok(())
    }
}

/// The speed at which what is held is at rest [m/s]. It is `1e-14` of the fastest body's, or the round-off of the
/// speeds that impulses stop, whichever is larger. The velocity that a resting body has before the contacts act,
/// `|g| h`, counts as a speed of the body.
///
/// `bodies` are those of an island, `load` is the largest speed that an impulse of it stops [m/s].
pub(super) fn speed_of_rest(problem: &Problem, motion: &Motion, bodies: &[BodyRow], load: f64) -> f64 {
    let fastest = bodies.iter().fold(0.0, |fastest: f64, body| {
        let free = problem.velocities[*body].linear.norm_squared();
        let now = motion.velocities[*body].linear.norm_squared();
        fastest.max(free).max(now)
    });
    (AT_REST * fastest.sqrt()).max(ROUND_OFF * load)
}

fn rest(island: &BodyIsland, speeds: &Speeds) -> f64 {
    speed_of_rest(island.problem, island.motion, island.island.bodies, speeds.load)
}

fn speeds(island: &BodyIsland) -> impl Iterator<Item = f64> {
    island.island.bodies.iter().map(|body| island.motion.velocities[*body].linear.norm())
}

fn balance(island: &mut BodyIsland) {
    island.motion.balance(island.problem, &island.island, island.impulses);
}

/// The largest residual, and the sum of all.
fn residuals(island: &BodyIsland) -> (f64, f64) {
    island.motion.residuals(island.problem, &island.island, island.impulses)
}

/// Whether two impulses of a contact are the same up to round-off.
fn is_near(a: &ImpulsiveWrench, b: &ImpulsiveWrench) -> bool {
    let near = |a: &Vec3, b: &Vec3, size: f64| (a - b).norm() <= ROUND_OFF * size;
    (a.force.normal - b.force.normal).abs() <= ROUND_OFF * b.force.normal.abs()
        && near(&a.force.tangential, &b.force.tangential, b.force.normal.abs())
        && near(&a.torque, &b.torque, b.torque.norm())
}

/// As far beyond `onto` as `from` is before it, nearly.
fn beyond(from: &ImpulsiveWrench, onto: &ImpulsiveWrench) -> ImpulsiveWrench {
    let (a, b) = (&from.force, &onto.force);
    let normal = a.normal + REFLECTION * (b.normal - a.normal);
    let force = Impulse::force(normal, a.tangential + REFLECTION * (b.tangential - a.tangential));
    ImpulsiveWrench { force, torque: from.torque + REFLECTION * (onto.torque - from.torque) }
}
