//! A column of grains whose right wall goes away.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use drystone::world::Settings;
use drystone::world::settings::{FrictionLaw, Method, Projection, SolverKind, WarmStart};

use super::common::assembly::{Assembly, Hold, Law, Pose, Side, area, disks, drawn, scattered};
use super::common::outline::{Kind, OUTLINES, Outline};
use super::heap::Heap;
use super::support::Failure;
use super::support::saved::Saved;

/// As in [N]. A length is that of a mean diameter D, and gravity and density are 1.
const THETA: f64 = 0.7;
pub(crate) const STEP: f64 = 0.05;
const STIFFNESS: f64 = 1e8;
pub(crate) const FLOOR_FRICTION: f64 = 0.5;
/// Height over width of the column.
const RATIO: f64 = 1.68;
/// The part of the column that grains fill. Its width is chosen by this.
const COLUMN_SOLID_FRACTION: f64 = 0.84;
/// The part of the box that disks fill at the start.
const INITIAL_SOLID_FRACTION: f64 = 0.40;
/// Bodies look so far for contacts [D].
const MARGIN: f64 = 0.15;
/// Of the mean kinetic energy of a grain at rest, over m g D [-].
pub(crate) const RESTING: f64 = 1e-6;
const MAX_STEPS: usize = 2000;
/// Steps in a row at rest that end a drop.
const STANDING: usize = 50;

/// A drop.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Drop {
    pub(crate) kind: Kind,
    pub(crate) count: usize,
    pub(crate) friction: f64,
    pub(crate) law: FrictionLaw,
    pub(crate) steps: usize,
    pub(crate) seed: u64,
}

/// What is known of a column that falls.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Falling {
    steps: usize,
    /// Steps in a row at rest.
    resting: usize,
    /// The largest residual so far, and the last kinetic energy of a grain.
    residual: f64,
    energy: f64,
    spreads: Vec<(usize, f64)>,
    /// The column before, and how it had come to rest.
    column: Vec<Pose>,
    settled: Settled,
}

/// The end of the steps in which a column comes to rest. After [`MAX_STEPS`] the wall goes in any case.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
struct Settled {
    steps: usize,
    /// The mean kinetic energy of a grain, over m g D [-].
    energy: f64,
}

impl Drop {
    /// Runs it, and calls `part` with the share that is done.
    pub(crate) fn run(&self, saved: &mut Saved, mut part: impl FnMut(f64)) -> Result<Value, Failure> {
        let total = area(self.kind, self.count)?;
        let width = (total / (COLUMN_SOLID_FRACTION * RATIO)).sqrt();
        let all_steps = (MAX_STEPS + self.steps) as f64;
        let earlier: Option<Falling> = saved.state("falling")?;
        let is_new = earlier.is_none();
        let mut assembly = self.poured(width)?;
        let mut falling = earlier.unwrap_or_default();
        if is_new {
            falling.settled = self.settle(&mut assembly, saved, |step| part(step as f64 / all_steps))?;
            falling.column = assembly.poses()?;
        }
        let start = self.measure(&falling.column)?;
        assembly.remove_wall(Side::Right)?;
        assembly.world.set_settings(self.settings(THETA))?;
        if is_new {
            falling.spreads.push((0, start.spread));
        }
        saved.restore(&mut [&mut assembly.world])?;
        while falling.steps < self.steps && falling.resting < STANDING {
            let report = assembly.world.step(STEP)?;
            falling.steps += 1;
            falling.residual = falling.residual.max(report.residual_max);
            falling.energy = report.kinetic_energy / total;
            if falling.steps.is_multiple_of(20) {
                falling.spreads.push((falling.steps, self.measure(&assembly.poses()?)?.spread));
                part((MAX_STEPS + falling.steps) as f64 / all_steps);
            }
            falling.resting = if falling.energy < RESTING { falling.resting + 1 } else { 0 };
            saved.keep("falling", &falling, &[&assembly.world])?;
        }
        let poses = assembly.poses()?;
        let Heap { spread, slope, height } = self.measure(&poses)?;
        let Falling { steps, residual, energy, spreads, column, settled, .. } = falling;
        Ok(json!({
            "width": width, "height": start.height, "height_over_width": start.height / width,
            "settling_steps": settled.steps, "settled_energy": settled.energy, "spread": spread, "slope": slope, "heap_height": height, "last_step": steps,
            "energy": energy, "residual": residual, "spreads": spreads, "column": column, "poses": poses,
        }))
    }

    fn settings(&self, theta: f64) -> Settings {
        // Interior points are for the associated law alone.
        let solver = if self.law == FrictionLaw::Associated { SolverKind::Conic } else { SolverKind::PgsAccelerated };
        Settings {
            method: Method::Theta,
            theta,
            solver,
            iterations: 300,
            tolerance: 1e-7,
            friction_law: self.law,
            warm_start: WarmStart::History,
            projection: Projection::Off,
            contact_margin: MARGIN,
            ..Settings::default()
        }
    }

    /// Returns grains in a box of this width, before they fall to its floor.
    fn poured(&self, width: f64) -> Result<Assembly, Failure> {
        let tall = disks(self.count) / (INITIAL_SOLID_FRACTION * width);
        let law = Law { friction: self.friction, floor_friction: FLOOR_FRICTION, stiffness: STIFFNESS };
        let poses = scattered(self.count, [width, tall], self.seed);
        let mut assembly = Assembly::new(self.kind, &poses, law, self.settings(1.0))?;
        assembly.world.set_gravity([0.0, -1.0, 0.0])?;
        assembly.set_wall(Side::Right, width, Hold::Driven)?;
        Ok(assembly)
    }

    /// Lets grains come to rest, as far as they do in [`MAX_STEPS`]. Calls `done` with the number of steps done.
    fn settle(
        &self,
        assembly: &mut Assembly,
        saved: &mut Saved,
        mut done: impl FnMut(usize),
    ) -> Result<Settled, Failure> {
        let mut steps = 0;
        if let Some(earlier) = saved.state("settling")? {
            steps = earlier;
            saved.restore(&mut [&mut assembly.world])?;
        }
        let total = area(self.kind, self.count)?;
        while steps < MAX_STEPS {
            let report = assembly.world.step(STEP)?;
            steps += 1;
            if steps.is_multiple_of(20) {
                done(steps);
            }
            if report.kinetic_energy < RESTING * total {
                break;
            }
            saved.keep("settling", &steps, &[&assembly.world])?;
        }
        Ok(Settled { steps, energy: assembly.world.energy()?.0 / total })
    }

    fn measure(&self, poses: &[Pose]) -> Result<Heap, Failure> {
        let areas = Outline::all(self.kind)?.iter().map(Outline::area).collect::<Result<Vec<_>, _>>()?;
        let areas: Vec<f64> = (0..self.count).map(|index| areas[index % OUTLINES]).collect();
        let outlines: Vec<Vec<[f64; 2]>> = drawn(self.kind, poses)?.into_iter().map(|(outline, _)| outline).collect();
        Heap::of(poses, &areas, &outlines)
    }
}
