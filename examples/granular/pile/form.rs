//! A pile that grows below a source, and worlds that go on from a pile at rest.

use drystone::body::Definition;
use drystone::world::settings::{Diagnostics, SolverKind};
use drystone::world::{BodyState, Settings};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::support::Failure;
use super::support::arguments::Start;
use super::support::frames::Frames;
use super::support::grains::{DIAMETER, Grains, STEP, norm, settings, to_numbers};
use super::support::random::Random;
use super::support::resting::Solved;
use super::support::saved::Saved;

/// Height of the source [m].
const SOURCE: f64 = 20.0 * DIAMETER;
/// Between two layers of 3 by 3 grains [s].
const BETWEEN_LAYERS: f64 = 0.1;
const LAYER: usize = 9;
/// Width of the range of each coordinate of a grain of the source [m].
const JITTER: f64 = 0.1 * DIAMETER;
/// A grain slower than this has come to rest [m/s].
const REST: f64 = 0.01;
/// From the last grain at rest to the measurement [s].
const WAIT: f64 = 10.0;
/// The last grain counts as at rest after this time at the latest [s].
const MAX_WAIT: f64 = 10.0;

/// How a pile is made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Recipe {
    pub(crate) count: usize,
    pub(crate) start: Start,
    pub(crate) share: f64,
    pub(crate) iterations: u32,
    pub(crate) h: f64,
    pub(crate) solver: SolverKind,
    pub(crate) tolerance: f64,
    pub(crate) seed: u64,
}

impl Recipe {
    /// Returns one as [W] has it.
    pub(crate) fn new(count: usize, start: Start, iterations: u32) -> Self {
        Self { count, start, share: 0.85, iterations, h: STEP, solver: SolverKind::Pgs, tolerance: 0.0, seed: 1 }
    }

    pub(crate) fn parameters(&self, kind: &str) -> Value {
        json!({
            "kind": kind, "grains": self.count, "warm": self.start.name(), "share": self.share,
            "iterations": self.iterations, "h": self.h, "solver": format!("{:?}", self.solver),
            "tolerance": self.tolerance, "seed": self.seed,
        })
    }

    fn settings(&self) -> Settings {
        Settings {
            solver: self.solver,
            warm_start_factor: self.share,
            tolerance: self.tolerance,
            ..settings(self.start, self.iterations)
        }
    }

    /// Returns the work of forming the pile, in sweeps.
    pub(crate) fn work(&self) -> f64 {
        f64::from(self.iterations + 40) * STEP / self.h
    }

    /// Returns how long it takes to form the pile, about [s].
    pub(crate) fn seconds(&self) -> f64 {
        self.count as f64 / LAYER as f64 * BETWEEN_LAYERS + WAIT + 0.5
    }

    /// Returns the work of a second of the pile at rest with so many sweeps per step, in the unit of `work`. While the pile forms, it has
    /// six tenths of its grains on average.
    pub(crate) fn work_of_a_second(&self, sweeps: u32) -> f64 {
        f64::from(sweeps + 40) / (0.6 * self.seconds())
    }

    /// Forms a pile. `watch` is called with the number of grains and the time [s].
    pub(crate) fn form(
        &self,
        frames: &mut Frames,
        saved: &mut Saved,
        watch: &mut dyn FnMut(usize, f64),
    ) -> Result<(Grains, Formed), Failure> {
        let mut grains = Grains::new(self.settings())?;
        grains.floor()?;
        let mut random = Random::new(self.seed);
        let between = (BETWEEN_LAYERS / self.h).round() as u64;
        let mut forming = Forming::default();
        if let Some((earlier, shown)) = saved.state("forming")? {
            forming = earlier;
            frames.go_on_from(&shown);
            while grains.grains.len() < forming.grains {
                layer(&mut grains, &mut random, self.count)?;
            }
            saved.restore(&mut [&mut grains.world])?;
        }
        loop {
            forming.grains = grains.grains.len();
            saved.keep("forming", &(&forming, &*frames), &[&grains.world])?;
            let formed = &mut forming.formed;
            let time = formed.steps as f64 * self.h;
            if grains.grains.len() < self.count && formed.steps.is_multiple_of(between) {
                layer(&mut grains, &mut random, self.count)?;
                forming.emitted = time;
            }
            let report = grains.world.step(self.h)?;
            formed.add(report.iterations, report.contacts);
            frames.show(&grains.world, time + self.h)?;
            watch(grains.grains.len(), time);
            let waited = time - forming.emitted;
            if grains.grains.len() < self.count || waited < 3.0 * BETWEEN_LAYERS {
                continue;
            }
            if forming.rested.is_none() && (speed_of_last(&grains)? <= REST || waited > MAX_WAIT) {
                forming.rested = Some(time);
                formed.height_at_rest = height(&grains)?;
            }
            if forming.rested.is_some_and(|rested| time - rested >= WAIT) {
                formed.seconds = time;
                formed.height = height(&grains)?;
                formed.kinetic = report.kinetic_energy;
                return Ok((grains, forming.formed));
            }
        }
    }
}

/// How far a pile has formed.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Forming {
    grains: usize,
    /// When the last layer was added, and when its last grain came to rest [s].
    emitted: f64,
    rested: Option<f64>,
    formed: Formed,
}

/// What was measured of a pile.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Formed {
    /// [m]
    pub(crate) height: f64,
    /// When the last grain came to rest [m].
    pub(crate) height_at_rest: f64,
    /// [J]
    pub(crate) kinetic: f64,
    /// Simulated [s].
    pub(crate) seconds: f64,
    steps: u64,
    sweeps: u64,
    contacts: u32,
}

impl Formed {
    fn add(&mut self, sweeps: u32, contacts: u32) {
        self.steps += 1;
        self.sweeps += u64::from(sweeps);
        self.contacts = contacts;
    }

    pub(crate) fn results(&self) -> Value {
        json!({
            "height_d": self.height / DIAMETER, "height_at_rest_d": self.height_at_rest / DIAMETER,
            "kinetic": self.kinetic, "simulated": self.seconds, "contacts": self.contacts,
            "sweeps_per_step": self.sweeps as f64 / self.steps as f64,
        })
    }
}

/// Adds a layer at the source, of as many grains as are left of `count`.
fn layer(grains: &mut Grains, random: &mut Random, count: usize) -> Result<(), Failure> {
    let left = count - grains.grains.len();
    for at in 0..LAYER.min(left) {
        let mut jitter = || random.between(-0.5 * JITTER, 0.5 * JITTER);
        let place = |column: usize| (column as f64 - 1.0) * DIAMETER;
        let position = [place(at % 3) + jitter(), place(at / 3) + jitter(), SOURCE + jitter()];
        grains.add(DIAMETER, position)?;
    }
    Ok(())
}

fn speed_of_last(grains: &Grains) -> Result<f64, Failure> {
    let last = grains.grains.last().copied().ok_or("a pile has grains")?;
    Ok(norm(grains.world.body_state(last)?.linear_velocity))
}

/// Returns the height of a pile [m].
pub(crate) fn height(grains: &Grains) -> Result<f64, Failure> {
    Ok(grains.highest()? + 0.5 * DIAMETER)
}

/// Returns a world without history whose grains have these states.
pub(crate) fn go_on(states: &[BodyState], settings: Settings) -> Result<Grains, Failure> {
    let mut grains = Grains::new(settings)?;
    grains.floor()?;
    for state in states {
        let BodyState { position, rotation, linear_velocity, angular_velocity } = *state;
        let definition = Definition { position, rotation, linear_velocity, angular_velocity, ..Definition::default() };
        grains.add_as(DIAMETER, &definition)?;
    }
    Ok(grains)
}

/// Runs a pile at rest for a second with so many sweeps a step. Returns the residuals of the last step.
pub(crate) fn rest(states: &[BodyState], start: Start, sweeps: u32) -> Result<Solved, Failure> {
    let mut grains = go_on(states, settings(start, sweeps))?;
    let steps = (1.0 / STEP).round() as u32;
    (1..steps).try_for_each(|_| grains.world.step(STEP).map(|_| ()))?;
    let diagnostics = Diagnostics { residuals: true, ..Diagnostics::default() };
    grains.world.set_settings(Settings { diagnostics, ..*grains.world.settings() })?;
    let report = grains.world.step(STEP)?;
    Ok(Solved::new(&grains.world, sweeps, &report))
}

/// How long a pile has stood, and how it was when the first seconds were over.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Standing {
    steps: u32,
    /// Since then.
    sweeps: u64,
    before: Vec<[f64; 13]>,
    /// [m]
    high: f64,
}

/// Lets a pile at rest stand, solved to a tolerance, and measures how much its height changes. The first seconds do not count: the contacts
/// adapt to the settings.
pub(crate) fn stand(
    states: &[BodyState],
    settings: Settings,
    [first, seconds]: [f64; 2],
    saved: &mut Saved,
) -> Result<Value, Failure> {
    let mut grains = go_on(states, settings)?;
    let mut standing = Standing::default();
    if let Some(earlier) = saved.state("standing")? {
        standing = earlier;
        saved.restore(&mut [&mut grains.world])?;
    }
    let [first, measured] = [first, seconds].map(|seconds| (seconds / STEP).round() as u32);
    let numbers = |grains: &Grains| Ok::<_, Failure>(grains.states()?.iter().map(to_numbers).collect::<Vec<_>>());
    while standing.steps < first + measured {
        if standing.steps == first {
            (standing.before, standing.high) = (numbers(&grains)?, height(&grains)?);
        }
        let sweeps = grains.world.step(STEP)?.iterations;
        standing.sweeps += if standing.steps < first { 0 } else { u64::from(sweeps) };
        standing.steps += 1;
        saved.keep("standing", &standing, &[&grains.world])?;
    }
    let after = numbers(&grains)?;
    let moved = standing
        .before
        .iter()
        .zip(&after)
        .map(|(before, after)| norm(std::array::from_fn(|axis| after[axis] - before[axis])));
    Ok(json!({
        "height_change_d": (height(&grains)? - standing.high) / DIAMETER,
        "most_moved_d": moved.fold(0.0, f64::max) / DIAMETER,
        "kinetic": grains.world.energy()?.0, "sweeps_per_step": standing.sweeps as f64 * STEP / seconds,
    }))
}
