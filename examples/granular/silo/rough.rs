//! Grains between rough walls, before and after their floor is lowered: how much of the weight the walls carry.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::plane::{Load, REACH, cut, loads};
use super::support::Failure;
use super::support::filling::height;
use super::support::random::Random;
use super::support::saved::Saved;
use super::vessel::{DIAMETERS, FRICTION, MEAN_DIAMETER, STEP, Silo};

/// Half of the width of the silo [m].
const HALF_WIDTH: f64 = 4.0 * MEAN_DIAMETER;
/// Grains of a layer along x and y.
const ROWS: usize = 4;
/// Between layers [steps].
const EVERY: usize = 32;
/// Steps of settling, before the floor is lowered and after.
const SETTLE: usize = 1200;
/// Of the floor [m/s].
const SPEED: f64 = 1e-3;
/// How far it goes [m].
const LOWERED: f64 = 0.2 * MEAN_DIAMETER;
/// Every so many steps the forces are compared with the change of momentum.
const WEIGH_EVERY: usize = 20;
/// Thickness of the bands in which the walls are averaged [m].
const BAND: f64 = 2.0 * MEAN_DIAMETER;
/// Bands nearer to the surface are left out where stresses are divided [m].
const BELOW_SURFACE: f64 = 2.0 * HALF_WIDTH;

/// What is done in a run, and what was found so far.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Run {
    steps: usize,
    layers: usize,
    imbalance: f64,
    /// What was measured before the floor was lowered.
    before: Value,
}

/// Fills a silo with rough walls by layers of grains, and lowers its floor.
pub(crate) fn run(count: usize, saved: &mut Saved, mut progress: impl FnMut(f64)) -> Result<Value, Failure> {
    let layers = count / (ROWS * ROWS);
    let filled = layers * EVERY;
    let settled = filled + SETTLE;
    let lowered = settled + (LOWERED / (SPEED * STEP)).round() as usize;
    let total = lowered + SETTLE;
    let mut silo = Silo::new([HALF_WIDTH; 2], true)?;
    let mut random = Random::new(5);
    let mut run = Run::default();
    if let Some(earlier) = saved.state("running")? {
        run = earlier;
        (0..run.layers).try_for_each(|_| add_layer(&mut silo, &mut random))?;
        saved.restore(&mut [&mut silo.grains.world])?;
    }
    while run.steps < total {
        // Where the part of the run began that this step belongs to.
        let begin = match run.steps {
            step if step < filled => step - step % EVERY,
            step if step < settled => filled,
            step if step < lowered => settled,
            _ => lowered,
        };
        match run.steps {
            step if step < filled && step == begin => {
                add_layer(&mut silo, &mut random)?;
                run.layers += 1;
            }
            step if step == settled => {
                run.before = measured(&mut silo)?;
                silo.drive_floor(-SPEED)?;
            }
            step if step == lowered => silo.drive_floor(0.0)?,
            _ => {}
        }
        if (run.steps - begin).is_multiple_of(WEIGH_EVERY) {
            run.imbalance = run.imbalance.max(silo.weigh()?.0.imbalance());
        } else {
            silo.step()?;
        }
        run.steps += 1;
        progress(run.steps as f64 / total as f64);
        saved.keep("running", &run, &[&silo.grains.world])?;
    }
    let after = measured(&mut silo)?;
    Ok(
        json!({"imbalance": run.imbalance, "before": run.before, "after": after, "friction": FRICTION, "width_m": 2.0 * HALF_WIDTH}),
    )
}

/// Adds a layer of grains at rest, above all others.
fn add_layer(silo: &mut Silo, random: &mut Random) -> Result<(), Failure> {
    let [least, most] = DIAMETERS.map(f64::from);
    let up = silo.grains.highest()?.max(0.0) + 1.02e-3 * most;
    let pitch = 2.0 * HALF_WIDTH / ROWS as f64;
    for place in 0..ROWS * ROWS {
        let diameter = 1e-3 * random.between(least, most + 1.0).floor();
        let room = 0.5 * (pitch - diameter);
        let [x, y] = [place % ROWS, place / ROWS]
            .map(|row| (row as f64 + 0.5) * pitch - HALF_WIDTH + random.between(-room, room));
        silo.add(diameter, [x, y, up])?;
    }
    Ok(())
}

/// Returns the share of the floor and the stresses by depth. Each row of the profile has depth [m], vertical stress inside, pressure and
/// upward shear stress of the walls [Pa].
fn measured(silo: &mut Silo) -> Result<Value, Failure> {
    let (forces, report) = silo.weigh()?;
    let top = height(&silo.places()?.grains);
    let loads = loads(silo);
    let bands = ((top - REACH) / BAND) as usize;
    let (mut profile, mut off, mut density_off) = (Vec::new(), 0.0f64, 0.0f64);
    let mut sums = [0.0; 3];
    for band in 0..bands {
        let low = REACH + band as f64 * BAND;
        let plane = cut(silo, &loads, low + 0.5 * BAND)?;
        let [pressure, shear] = wall_stress(silo, &loads, low);
        let (depth, stress) = (top - low - 0.5 * BAND, plane.force / silo.area());
        off = off.max((plane.force + plane.held - plane.weight).abs() / forces.weight);
        density_off = density_off.max(plane.density_off);
        profile.push([depth, stress, pressure, shear]);
        if depth > BELOW_SURFACE {
            sums.iter_mut().zip([stress, pressure, shear]).for_each(|(sum, one)| *sum += one);
        }
    }
    let [stress, pressure, shear] = sums;
    Ok(json!({
        "grains": silo.masses().len(), "height_m": top, "bulk_weight": forces.weight / (silo.area() * top), "kinetic": report.kinetic_energy,
        "residual": report.residual_max, "floor_share": forces.floor / forces.weight, "walls_share": forces.walls / forces.weight,
        "plane_off": off, "density_off": density_off, "ratio": pressure / stress, "mobilised": shear / pressure, "profile": profile,
    }))
}

/// Returns pressure and upward shear stress of the walls in the band above a height [Pa].
fn wall_stress(silo: &Silo, loads: &[Load], low: f64) -> [f64; 2] {
    let area = BAND * 4.0 * (silo.half_width[0] + silo.half_width[1]);
    let inside = loads.iter().filter(|load| (low..low + BAND).contains(&load.height));
    inside.fold([0.0; 2], |[normal, up], load| [normal + load.normal / area, up + load.upwards / area])
}
