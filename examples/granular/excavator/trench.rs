//! A trench full of grains: how they settle, and what is measured of them.

use drystone::body::{Definition, Kind};
use drystone::contact::material::Material;
use drystone::error::Result;
use drystone::id::Handle;
use drystone::shape::Shape;
use drystone::world::{Settings, World};

use super::machine::{GRAIN, WALL};
use super::support::Failure;
use super::support::bed::{Bed, Grain, Grains, Recipe};
use super::support::filling::{Fill, columns, height};
use super::support::grains::{GRAVITY, material};
use super::support::saved::Saved;

/// [s]
pub(crate) const STEP: f64 = 2.5e-3;
/// [kg/m^3]
const DENSITY: f64 = 2500.0;
/// Steps of settling: 2 s.
const SETTLE: usize = 800;
/// Steps after a bed was put together.
const ADJUST: usize = 40;
/// Thickness of the walls; their tops are the ground beside the trench [m].
const BESIDE: f64 = 4.0;

/// A world of a trench with its grains.
pub(crate) struct Trench {
    pub(crate) world: World,
    pub(crate) material: Handle,
    spheres: Vec<Handle>,
    radii: Vec<f64>,
}

fn stone() -> Material {
    Material { density: DENSITY, ..material() }
}

/// Returns the grains of a part of a trench that settled with these settings.
pub(crate) fn settled(fill: &Fill, settings: Settings, saved: &mut Saved) -> std::result::Result<Grains, Failure> {
    // Smooth side walls: a bed at rest between them is at rest among its mirror images.
    let recipe = Recipe { settings, material: stone(), step: STEP, slick: true };
    let mut part = Bed::new(&recipe, &columns(fill))?;
    let mut first = 0;
    if let Some(earlier) = saved.state("settling")? {
        first = earlier;
        saved.restore(&mut [&mut part.world])?;
    }
    for step in first..SETTLE {
        part.advance()?;
        saved.keep("settling", &(step + 1), &[&part.world])?;
    }
    Ok(part.grains()?)
}

impl Trench {
    /// Puts grains into a trench whose walls are as high as they were.
    pub(crate) fn new(grains: &Grains, settings: Settings) -> Result<Self> {
        let mut world = World::new(settings, [0.0, 0.0, -GRAVITY])?;
        let material = world.add_material(stone())?;
        add_walls(&mut world, material, grains.half_width, height(&grains.grains))?;
        let mut trench = Self { world, material, spheres: Vec::new(), radii: Vec::new() };
        let mut shapes: Vec<(f64, Handle)> = Vec::new();
        let mut definitions = Vec::with_capacity(grains.grains.len());
        for grain in &grains.grains {
            let known = shapes.iter().find(|(radius, _)| *radius == grain.radius).map(|(_, shape)| *shape);
            let shape = known.map_or_else(|| trench.world.add_shape(Shape::sphere(grain.radius)?), Ok)?;
            if known.is_none() {
                shapes.push((grain.radius, shape));
            }
            let position = grain.center;
            definitions.push(Definition { shape, material, position, filter_category: GRAIN, ..Definition::default() });
            trench.radii.push(grain.radius);
        }
        trench.spheres = trench.world.add_bodies(&definitions)?;
        Ok(trench)
    }

    /// Lets grains adjust that were just put in.
    pub(crate) fn adjust(&mut self) -> Result<()> {
        (0..ADJUST).try_for_each(|_| self.world.step(STEP).map(|_| ()).map_err(|failure| failure.error))
    }

    /// Returns where the grains are.
    pub(crate) fn grains(&self) -> Result<Vec<Grain>> {
        let of = |(sphere, radius): (&Handle, &f64)| {
            Ok(Grain { center: self.world.body_state(*sphere)?.position, radius: *radius })
        };
        self.spheres.iter().zip(&self.radii).map(of).collect()
    }
}

/// Returns the volume of the grains that have moved by more than their diameter between two times, with the pores between them left
/// out [m^3].
pub(crate) fn moved(before: &[Grain], after: &[Grain]) -> f64 {
    let volume = |(old, new): (&Grain, &Grain)| {
        let square: f64 = (0..3).map(|axis| (new.center[axis] - old.center[axis]).powi(2)).sum();
        let has_moved = square > 4.0 * old.radius * old.radius;
        if has_moved { 4.0 / 3.0 * std::f64::consts::PI * old.radius.powi(3) } else { 0.0 }
    };
    before.iter().zip(after).map(volume).sum()
}

/// Adds a floor at height 0 and four walls, broad enough to be the ground beside them.
fn add_walls(world: &mut World, material: Handle, [x, y]: [f64; 2], top: f64) -> Result<()> {
    let (half, up) = (0.5 * BESIDE, 0.5 * top);
    let boxes = [
        ([x + BESIDE, y + BESIDE, half], [0.0, 0.0, -half]),
        ([half, y + BESIDE, up], [x + half, 0.0, up]),
        ([half, y + BESIDE, up], [-x - half, 0.0, up]),
        ([x, half, up], [0.0, y + half, up]),
        ([x, half, up], [0.0, -y - half, up]),
    ];
    for (half_extents, position) in boxes {
        let shape = world.add_shape(Shape::cuboid(half_extents)?)?;
        let wall = Definition { kind: Kind::Static, shape, material, position, ..Definition::default() };
        world.add_body(&Definition { filter_category: WALL, filter_mask: GRAIN, ..wall })?;
    }
    Ok(())
}
