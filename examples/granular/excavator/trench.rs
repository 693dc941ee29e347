//! A trench full of grains: how they settle, and what is measured of them.

use drystone::body::{Definition, Kind};
use drystone::contact::material::Material;
use drystone::error::Result;
use drystone::id::Handle;
use drystone::shape::Shape;
use drystone::world::{Settings, World};

use super::bench::bed::{Bed, Grain, Grains, Recipe};
use super::machine::{GRAIN, WALL};
use super::support::grains::{GRAVITY, material};
use super::support::random::Random;

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

/// What a trench is filled with, and how it is grown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fill {
    /// Grains of the part that settles, and its width [m].
    pub(crate) count: usize,
    pub(crate) widths: [f64; 2],
    /// Least and largest diameter, uniform in number in steps of 1 mm [mm].
    pub(crate) diameters: [u32; 2],
    /// Mirror images of the part along x and y.
    pub(crate) images: [usize; 2],
}

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

/// Returns the grains of a trench that settled with these settings.
pub(crate) fn settled(fill: &Fill, settings: Settings) -> Result<Grains> {
    // Smooth side walls: a bed at rest between them is at rest among its mirror images.
    let recipe = Recipe { settings, material: stone(), step: STEP, slick: true };
    let mut part = Bed::new(&recipe, &columns(fill))?;
    part.run(SETTLE)?;
    Ok(part.grains()?.mirrored(fill.images[0], fill.images[1]))
}

/// Returns columns of grains one above the other, of sizes at random.
fn columns(fill: &Fill) -> Grains {
    let mut random = Random::new(7);
    let [least, most] = fill.diameters;
    let pitch = 1e-3 * f64::from(most) * 1.02;
    let rows = fill.widths.map(|width| (width / pitch).floor().max(1.0) as usize);
    let pitches = [0, 1].map(|axis: usize| fill.widths[axis] / rows[axis] as f64);
    let mut tops = vec![0.0; rows[0] * rows[1]];
    let grains = (0..fill.count).map(|index| {
        let radius = 0.5e-3 * random.between(f64::from(least), f64::from(most) + 1.0).floor();
        let column = index % tops.len();
        let numbers = [column % rows[0], column / rows[0]];
        let [x, y] = [0, 1].map(|axis: usize| {
            // As far from the middle of the column as there is room, so that columns do not stay columns.
            let room = 0.5 * pitches[axis] - radius;
            (numbers[axis] as f64 + 0.5) * pitches[axis] - 0.5 * fill.widths[axis] + random.between(-room, room)
        });
        let height = tops[column] + radius;
        tops[column] = height + radius;
        Grain { center: [x, y, height], radius }
    });
    Grains { grains: grains.collect(), half_width: fill.widths.map(|width| 0.5 * width) }
}

/// Returns the height of a bed [m]: twice that of the middle of its volume above its floor.
pub(crate) fn height(grains: &[Grain]) -> f64 {
    let (volume, moment) = grains.iter().fold((0.0, 0.0), |(volume, moment), grain| {
        let cube = grain.radius * grain.radius * grain.radius;
        (volume + cube, moment + cube * grain.center[2])
    });
    2.0 * moment / volume
}

impl Trench {
    /// Puts grains into a trench whose walls are as high as they were, and lets them adjust.
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
        (0..ADJUST).try_for_each(|_| trench.world.step(STEP).map(|_| ()).map_err(|failure| failure.error))?;
        Ok(trench)
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
