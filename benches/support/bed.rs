//! Beds of spheres in an open box, made large by mirror images of a small settled one.

use std::sync::Arc;

use drystone::body::{Definition, Kind};
use drystone::contact::material::Material;
use drystone::error::Result;
use drystone::id::Handle;
use drystone::shape::Shape;
use drystone::tasks::{Serial, Tasks};
use drystone::world::{Report, Settings, World};

use super::clock::processor_time;
use super::sample::Sample;

/// A sphere and its place.
#[derive(Debug, Clone, Copy, serde::Serialize, serde::Deserialize)]
pub(crate) struct Grain {
    pub(crate) center: [f64; 3],
    /// [m]
    pub(crate) radius: f64,
}

/// Spheres in a box of this inner width, whose floor is at height 0 and whose middle is at 0.
#[derive(Debug, Clone, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Grains {
    pub(crate) grains: Vec<Grain>,
    /// Half of the widths along x and y [m].
    pub(crate) half_width: [f64; 2],
}

/// What a bed is made with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Recipe {
    pub(crate) settings: Settings,
    pub(crate) material: Material,
    /// [s]
    pub(crate) step: f64,
    /// Walls without friction: a bed at rest between them is at rest among its mirror images, which cannot carry each other.
    pub(crate) slick: bool,
}

/// A world with the box and its spheres.
pub(crate) struct Bed {
    pub(crate) world: World,
    pub(crate) spheres: Vec<Handle>,
    radii: Vec<f64>,
    half_width: [f64; 2],
    step: f64,
}

/// Steps that were measured.
pub(crate) struct Measured {
    /// Of each step, by the clock that was asked for [s].
    pub(crate) step: Sample,
    /// Stages of each step, time of day [s].
    pub(crate) detect: Sample,
    pub(crate) assemble: Sample,
    pub(crate) solve: Sample,
    pub(crate) integrate: Sample,
    /// Mean number.
    pub(crate) contacts: f64,
    /// Of the last step.
    pub(crate) report: Report,
}

impl Grains {
    /// `columns` by `rows` of these, each the mirror image of its neighbours: what touches a wall touches its image.
    pub(crate) fn mirrored(&self, columns: usize, rows: usize) -> Self {
        let widths = self.half_width.map(|half| 2.0 * half);
        let half_width = [0.5 * columns as f64 * widths[0], 0.5 * rows as f64 * widths[1]];
        let place = |tile: usize, axis: usize, at: f64| {
            let inside = at + self.half_width[axis];
            let inside = if tile.is_multiple_of(2) { inside } else { widths[axis] - inside };
            tile as f64 * widths[axis] + inside - half_width[axis]
        };
        let mut grains = Vec::with_capacity(columns * rows * self.grains.len());
        for (column, row) in (0..columns).flat_map(|column| (0..rows).map(move |row| (column, row))) {
            grains.extend(self.grains.iter().map(|grain| {
                let [x, y, z] = grain.center;
                Grain { center: [place(column, 0, x), place(row, 1, y), z], ..*grain }
            }));
        }
        Self { grains, half_width }
    }
}

impl Bed {
    pub(crate) fn new(recipe: &Recipe, from: &Grains) -> Result<Self> {
        Self::with_tasks(recipe, from, Arc::new(Serial))
    }

    /// A bed whose steps `tasks` run.
    pub(crate) fn with_tasks(recipe: &Recipe, from: &Grains, tasks: Arc<dyn Tasks>) -> Result<Self> {
        let mut world = World::with_tasks(recipe.settings, [0.0, 0.0, -9.81], tasks)?;
        let material = world.add_material(recipe.material)?;
        let top = from.grains.iter().fold(0.0, |top: f64, grain| top.max(grain.center[2]));
        let smooth = Material { friction: 0.0, rolling_friction: 0.0, twisting_friction: 0.0, ..recipe.material };
        let wall = if recipe.slick { world.add_material(smooth)? } else { material };
        add_box(&mut world, [material, wall], from.half_width, 2.0 + 2.0 * top)?;
        let mut shapes: Vec<(f64, Handle)> = Vec::new();
        let mut definitions = Vec::with_capacity(from.grains.len());
        for grain in &from.grains {
            // few sizes: equal spheres share a shape
            let known = shapes.iter().find(|(radius, _)| *radius == grain.radius).map(|(_, shape)| *shape);
            let shape = match known {
                Some(shape) => shape,
                None => world.add_shape(Shape::sphere(grain.radius)?)?,
            };
            if known.is_none() {
                shapes.push((grain.radius, shape));
            }
            definitions.push(Definition { shape, material, position: grain.center, ..Definition::default() });
        }
        let spheres = world.add_bodies(&definitions)?;
        let radii = from.grains.iter().map(|grain| grain.radius).collect();
        Ok(Self { world, spheres, radii, half_width: from.half_width, step: recipe.step })
    }

    /// Where the spheres are now.
    pub(crate) fn grains(&self) -> Result<Grains> {
        let mut grains = Vec::with_capacity(self.spheres.len());
        for (sphere, radius) in self.spheres.iter().zip(&self.radii) {
            grains.push(Grain { center: self.world.body_state(*sphere)?.position, radius: *radius });
        }
        Ok(Grains { grains, half_width: self.half_width })
    }

    pub(crate) fn set_sweeps(&mut self, sweeps: u32) -> Result<()> {
        let settings = Settings { iterations: sweeps, ..*self.world.settings() };
        self.world.set_settings(settings)
    }

    pub(crate) fn advance(&mut self) -> Result<Report> {
        self.world.step(self.step).map_err(|failure| failure.error)
    }

    pub(crate) fn run(&mut self, steps: usize) -> Result<()> {
        (0..steps).try_for_each(|_| self.advance().map(|_| ()))
    }

    /// Steps, and measures each by the processor time of this thread.
    pub(crate) fn measure(&mut self, steps: usize) -> Result<Measured> {
        let mut measured = Measured::default();
        self.measure_more(steps, &mut measured)?;
        Ok(measured)
    }

    /// The same, of more steps.
    pub(crate) fn measure_more(&mut self, steps: usize, measured: &mut Measured) -> Result<()> {
        (0..steps).try_for_each(|_| measured.record(self, processor_time))
    }
}

impl Default for Measured {
    fn default() -> Self {
        let none = Sample::default;
        Self {
            step: none(),
            detect: none(),
            assemble: none(),
            solve: none(),
            integrate: none(),
            contacts: 0.0,
            report: Report::default(),
        }
    }
}

impl Measured {
    /// One step of the bed, timed by `clock`.
    pub(crate) fn record(&mut self, bed: &mut Bed, clock: fn() -> f64) -> Result<()> {
        let begin = clock();
        let report = bed.advance()?;
        self.step.add(clock() - begin);
        self.detect.add(report.seconds_detect);
        self.assemble.add(report.seconds_assemble);
        self.solve.add(report.seconds_solve);
        self.integrate.add(report.seconds_integrate);
        self.contacts += (f64::from(report.contacts) - self.contacts) / self.steps() as f64;
        self.report = report;
        Ok(())
    }

    fn steps(&self) -> usize {
        self.step.count()
    }
}

/// A floor and four walls of static boxes, open above, of these materials.
fn add_box(world: &mut World, [floor, wall]: [Handle; 2], half_width: [f64; 2], height: f64) -> Result<()> {
    let [x, y] = half_width;
    let up = 0.5 * height;
    let boxes = [
        (floor, [x + 1.0, y + 1.0, 0.5], [0.0, 0.0, -0.5]),
        (wall, [0.5, y + 1.0, up], [x + 0.5, 0.0, up]),
        (wall, [0.5, y + 1.0, up], [-x - 0.5, 0.0, up]),
        (wall, [x + 1.0, 0.5, up], [0.0, y + 0.5, up]),
        (wall, [x + 1.0, 0.5, up], [0.0, -y - 0.5, up]),
    ];
    for (material, half_extents, position) in boxes {
        let shape = world.add_shape(Shape::cuboid(half_extents)?)?;
        let definition = Definition { kind: Kind::Static, shape, material, position, ..Definition::default() };
        world.add_body(&definition)?;
    }
    Ok(())
}
