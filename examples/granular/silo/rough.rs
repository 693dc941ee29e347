//! Grains between rough walls, before and after their floor is lowered: how much of the weight the walls carry.

use serde_json::{Value, json};

use super::plane::{Load, REACH, cut, loads};
use super::support::Failure;
use super::support::filling::height;
use super::support::random::Random;
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

/// The silo and the worst imbalance of its forces.
struct Run<Progress> {
    silo: Silo,
    imbalance: f64,
    /// Steps so far, and in all.
    steps: [usize; 2],
    progress: Progress,
}

/// Fills a silo with rough walls by layers of grains, and lowers its floor.
pub(crate) fn run(count: usize, progress: impl FnMut(f64)) -> Result<Value, Failure> {
    let layers = count / (ROWS * ROWS);
    let lowering = (LOWERED / (SPEED * STEP)).round() as usize;
    let total = layers * EVERY + 2 * SETTLE + lowering;
    let silo = Silo::new([HALF_WIDTH; 2], true)?;
    let mut run = Run { silo, imbalance: 0.0, steps: [0, total], progress };
    let mut random = Random::new(5);
    for _ in 0..layers {
        add_layer(&mut run.silo, &mut random)?;
        run.advance(EVERY)?;
    }
    run.advance(SETTLE)?;
    let before = measured(&mut run.silo)?;
    run.silo.drive_floor(-SPEED)?;
    run.advance(lowering)?;
    run.silo.drive_floor(0.0)?;
    run.advance(SETTLE)?;
    let after = measured(&mut run.silo)?;
    Ok(
        json!({"imbalance": run.imbalance, "before": before, "after": after, "friction": FRICTION, "width_m": 2.0 * HALF_WIDTH}),
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

impl<Progress: FnMut(f64)> Run<Progress> {
    fn advance(&mut self, steps: usize) -> Result<(), Failure> {
        for step in 0..steps {
            if step.is_multiple_of(WEIGH_EVERY) {
                self.imbalance = self.imbalance.max(self.silo.weigh()?.0.imbalance());
            } else {
                self.silo.step()?;
            }
            self.steps[0] += 1;
            (self.progress)(self.steps[0] as f64 / self.steps[1] as f64);
        }
        Ok(())
    }
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
