//! A column of grains whose right wall goes away.

use serde_json::{Value, json};

use drystone::world::Settings;
use drystone::world::settings::{FrictionLaw, Method, Projection, SolverKind, WarmStart};

use super::common::assembly::{Assembly, Hold, Law, Pose, Side, area, disks, drawn, scattered};
use super::common::outline::{Kind, OUTLINES, Outline};
use super::heap::Heap;
use super::support::Failure;

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
const RESTING: f64 = 1e-6;
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

impl Drop {
    /// Runs it, and calls `part` with the share that is done.
    pub(crate) fn run(&self, mut part: impl FnMut(f64)) -> Result<Value, Failure> {
        let total = area(self.kind, self.count)?;
        let width = (total / (COLUMN_SOLID_FRACTION * RATIO)).sqrt();
        let all_steps = (MAX_STEPS + self.steps) as f64;
        let mut assembly = self.settled(width, |step| part(step as f64 / all_steps))?;
        let column = assembly.poses()?;
        let start = self.measure(&column)?;
        assembly.remove_wall(Side::Right)?;
        assembly.world.set_settings(self.settings(THETA))?;
        let (mut resting, mut last, mut spreads) = (0, self.steps, vec![(0, start.spread)]);
        let (mut most_residual, mut energy) = (0.0f64, f64::NAN);
        for step in 1..=self.steps {
            let report = assembly.world.step(STEP)?;
            most_residual = most_residual.max(report.residual_max);
            energy = report.kinetic_energy / total;
            if step % 20 == 0 {
                spreads.push((step, self.measure(&assembly.poses()?)?.spread));
                part((MAX_STEPS + step) as f64 / all_steps);
            }
            resting = if energy < RESTING { resting + 1 } else { 0 };
            if resting == STANDING {
                last = step;
                break;
            }
        }
        let poses = assembly.poses()?;
        let Heap { spread, slope, height } = self.measure(&poses)?;
        Ok(json!({
            "width": width, "height": start.height, "spread": spread, "slope": slope, "heap_height": height, "last_step": last,
            "energy": energy, "residual": most_residual, "spreads": spreads, "column": column, "poses": poses,
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

    /// Returns grains at rest in a box of this width. Calls `done` with the number of steps done.
    fn settled(&self, width: f64, mut done: impl FnMut(usize)) -> Result<Assembly, Failure> {
        let tall = disks(self.count) / (INITIAL_SOLID_FRACTION * width);
        let law = Law { friction: self.friction, floor_friction: FLOOR_FRICTION, stiffness: STIFFNESS };
        let poses = scattered(self.count, [width, tall], self.seed);
        let mut assembly = Assembly::new(self.kind, &poses, law, self.settings(1.0))?;
        assembly.world.set_gravity([0.0, -1.0, 0.0])?;
        assembly.set_wall(Side::Right, width, Hold::Driven)?;
        let total = area(self.kind, self.count)?;
        for step in 1..=MAX_STEPS {
            let report = assembly.world.step(STEP)?;
            if step % 20 == 0 {
                done(step);
            }
            if report.kinetic_energy < RESTING * total {
                break;
            }
        }
        Ok(assembly)
    }

    fn measure(&self, poses: &[Pose]) -> Result<Heap, Failure> {
        let areas = Outline::all(self.kind)?.iter().map(Outline::area).collect::<Result<Vec<_>, _>>()?;
        let areas: Vec<f64> = (0..self.count).map(|index| areas[index % OUTLINES]).collect();
        let outlines: Vec<Vec<[f64; 2]>> = drawn(self.kind, poses)?.into_iter().map(|(outline, _)| outline).collect();
        Heap::of(poses, &areas, &outlines)
    }
}
