//! Grains between smooth walls: floor and field carry all of their weight.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::plane::{cut, loads};
use super::support::Failure;
use super::support::bed::Grains;
use super::support::filling::{Fill, columns, height};
use super::support::saved::Saved;
use super::vessel::Silo;

/// Grains with less kinetic energy than this each, in the mean, are at rest [J].
const REST: f64 = 1e-25;
/// Steps of the part of the silo that its mirror images are made of.
const PART_STEPS: usize = 1000;
/// A silo that moves after this is measured as it is [steps].
const MAX_STEPS: usize = 1500;
/// Every so many steps the forces are compared with the change of momentum.
const WEIGH_EVERY: usize = 20;
/// Heights of the planes, over the height of the bed.
const PLANES: [f64; 6] = [0.15, 0.3, 0.45, 0.6, 0.75, 0.9];
/// Planes up to this height are judged.
pub(crate) const JUDGED: f64 = 0.6;

/// A silo that comes to rest.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Resting {
    /// Where the grains of the part were that settled first.
    part: Grains,
    steps: usize,
    imbalance: f64,
}

/// Lets grains come to rest in a silo with smooth walls. Returns what floor and field carry.
pub(crate) fn run(fill: &Fill, saved: &mut Saved, mut progress: impl FnMut(f64)) -> Result<Value, Failure> {
    let mut resting = match saved.state("resting")? {
        Some(earlier) => earlier,
        None => Resting { part: settled(fill, saved)?, steps: 0, imbalance: 0.0 },
    };
    let mut silo = match fill.images {
        [1, 1] => Silo::smooth(&resting.part)?,
        [columns, rows] => Silo::smooth(&resting.part.mirrored(columns, rows))?,
    };
    saved.restore(&mut [&mut silo.grains.world])?;
    let rest = REST * silo.masses().len() as f64;
    while resting.steps < MAX_STEPS {
        progress(resting.steps as f64 / MAX_STEPS as f64);
        let (forces, report) = silo.weigh()?;
        // The walls are smooth: the floor alone carries.
        resting.imbalance = resting.imbalance.max(forces.floor_imbalance());
        (1..WEIGH_EVERY).try_for_each(|_| silo.step().map(|_| ()))?;
        resting.steps += WEIGH_EVERY;
        // Nothing moves before the first step.
        if resting.steps > WEIGH_EVERY && report.kinetic_energy < rest {
            break;
        }
        saved.keep("resting", &resting, &[&silo.grains.world])?;
    }
    let mut value = measured(&mut silo)?;
    value["steps"] = json!(resting.steps + 1);
    value["imbalance"] = json!(resting.imbalance);
    Ok(value)
}

/// Returns the grains of the part that the silo is made of. It settles first if there are mirror images of it.
fn settled(fill: &Fill, saved: &mut Saved) -> Result<Grains, Failure> {
    let columns = columns(fill);
    if fill.images == [1, 1] {
        return Ok(columns);
    }
    let mut part = Silo::smooth(&columns)?;
    let mut first = 0;
    if let Some(earlier) = saved.state("settling")? {
        first = earlier;
        saved.restore(&mut [&mut part.grains.world])?;
    }
    for step in first..PART_STEPS {
        part.step()?;
        saved.keep("settling", &(step + 1), &[&part.grains.world])?;
    }
    part.places()
}

fn measured(silo: &mut Silo) -> Result<Value, Failure> {
    let (forces, report) = silo.weigh()?;
    let top = height(&silo.places()?.grains);
    let loads = loads(silo);
    let mut planes = Vec::new();
    for share in PLANES {
        let plane = cut(silo, &loads, share * top)?;
        let pressure = plane.force / silo.area();
        planes.push(json!({
            "share": share, "depth_m": (1.0 - share) * top, "stress_pa": pressure, "off": plane.imbalance(), "density_off": plane.density_off,
        }));
    }
    Ok(json!({
        "height_m": top, "bulk_weight": forces.weight / (silo.area() * top), "kinetic": report.kinetic_energy, "contacts": report.contacts,
        "residual": report.residual_max, "floor_share": forces.floor / forces.weight, "floor_off": (forces.floor / forces.weight - 1.0).abs(),
        "walls_share": forces.walls / forces.weight, "planes": planes,
    }))
}
