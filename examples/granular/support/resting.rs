//! What is left after so many sweeps of one solve, in a world at rest.

use drystone::world::settings::Diagnostics;
use drystone::world::{BodyState, Report, Settings, World};

use super::Failure;
use super::grains::Grains;

/// Steps with all sweeps after each measurement, by which the history is that of the resting state again.
const RENEWAL: usize = 10;

/// Mean residuals after one solve [m/s], and the normal forces that it found [N], by contact key.
#[derive(Debug, Clone)]
pub(crate) struct Solved {
    pub(crate) sweeps: u32,
    pub(crate) mean: f64,
    pub(crate) normal: f64,
    pub(crate) friction: f64,
    pub(crate) rolling: f64,
    pub(crate) forces: Vec<(u64, f64)>,
}

impl Solved {
    pub(crate) fn new(world: &World, sweeps: u32, report: &Report) -> Self {
        let mut forces: Vec<_> = world.contacts().map(|contact| (contact.key, contact.normal_force)).collect();
        forces.sort_by_key(|(key, _)| *key);
        Self {
            sweeps,
            mean: report.residual_mean,
            normal: report.residual_normal,
            friction: report.residual_friction,
            rolling: report.residual_rolling,
            forces,
        }
    }

    /// Returns [W] (13): the mean over contacts of the relative difference of the normal forces to those of `exact`. Contacts without force
    /// there are left out.
    pub(crate) fn force_error(&self, exact: &Self) -> f64 {
        let mut errors = Vec::new();
        for (key, force) in exact.forces.iter().filter(|(_, force)| *force > 0.0) {
            let found = self.forces.binary_search_by_key(key, |(key, _)| *key);
            let here = found.ok().and_then(|at| self.forces.get(at)).map_or(0.0, |(_, force)| *force);
            errors.push((force - here).abs() / force);
        }
        errors.iter().sum::<f64>() / errors.len().max(1) as f64
    }
}

/// Solves one step of length `h` from the present state with each of these numbers of sweeps. Between them the state is set back, and some
/// steps with the world's own sweeps renew the history.
pub(crate) fn solve_again(grains: &mut Grains, h: f64, sweeps: &[u32]) -> Result<Vec<Solved>, Failure> {
    let usual = *grains.world.settings();
    let states = grains.states()?;
    let mut solved = Vec::new();
    for sweeps in sweeps {
        let diagnostics = Diagnostics { residuals: true, ..usual.diagnostics };
        grains.world.set_settings(Settings { iterations: *sweeps, diagnostics, ..usual })?;
        let report = grains.world.step(h)?;
        solved.push(Solved::new(&grains.world, *sweeps, &report));
        grains.world.set_settings(usual)?;
        for _ in 0..RENEWAL {
            restore(grains, &states)?;
            grains.world.step(h)?;
        }
        restore(grains, &states)?;
    }
    Ok(solved)
}

/// Puts the grains into these states.
pub(crate) fn restore(grains: &mut Grains, states: &[BodyState]) -> Result<(), Failure> {
    for (grain, state) in grains.grains.iter().zip(states) {
        grains.world.set_body_state(*grain, state)?;
    }
    Ok(())
}
