//! Grains between smooth walls: floor and field carry all of their weight.

use serde_json::{Value, json};

use super::plane::{cut, loads};
use super::support::Failure;
use super::support::filling::{Fill, columns, height};
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

/// Lets grains come to rest in a silo with smooth walls. Returns what floor and field carry.
pub(crate) fn run(fill: &Fill, mut progress: impl FnMut(f64)) -> Result<Value, Failure> {
    let mut silo = Silo::smooth(&columns(fill))?;
    if fill.images != [1, 1] {
        let mut part = silo;
        (0..PART_STEPS).try_for_each(|_| part.step().map(|_| ()))?;
        silo = Silo::smooth(&part.places()?.mirrored(fill.images[0], fill.images[1]))?;
    }
    let mut imbalance = 0.0f64;
    let mut steps = 0;
    let rest = REST * silo.masses().len() as f64;
    while steps < MAX_STEPS {
        progress(steps as f64 / MAX_STEPS as f64);
        let (forces, report) = silo.weigh()?;
        // The walls are smooth: the floor alone carries.
        imbalance = imbalance.max(forces.floor_imbalance());
        (1..WEIGH_EVERY).try_for_each(|_| silo.step().map(|_| ()))?;
        steps += WEIGH_EVERY;
        // Nothing moves before the first step.
        if steps > WEIGH_EVERY && report.kinetic_energy < rest {
            break;
        }
    }
    let mut value = measured(&mut silo)?;
    value["steps"] = json!(steps + 1);
    value["imbalance"] = json!(imbalance);
    Ok(value)
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
