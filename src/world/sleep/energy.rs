//! The energies at the end of a step, those of sleeping bodies included.

use crate::body::{Energy, Motion};
use crate::world::sleep::sleep_test::{SleepInput, SleepTest};
use crate::world::sleep::state::SleepState;

/// Returns the kinetic and potential energy at the end of the step [J]. The sum runs over the rows piece by piece, then over the
/// sleeping bodies. `energies` is the energy of each piece. Bodies without a row do not move or have no mass.
pub(in crate::world) fn energy_after_step(
    input: &SleepInput,
    sleep: &SleepState,
    test: &SleepTest,
    motion: &[Motion],
    energies: &[Energy],
) -> Energy {
    let awake = if test.falling.is_empty() {
        energies.iter().fold(Energy::default(), |sum, piece| sum.plus(*piece))
    } else {
        let moved = input.index.active().iter().zip(motion).enumerate();
        let stays = moved.filter(|(row, _)| test.falls.get(*row) != Some(&true));
        let energy =
            |(_, (slot, motion)): (usize, (&u32, _))| input.bodies.energy_at(*slot as usize, motion, input.gravity);
        stays.map(energy).fold(Energy::default(), Energy::plus)
    };
    let will_sleep = sleep.count + test.falling.len() - sleep.woken.len();
    if will_sleep == 0 {
        return awake;
    }
    let asleep = if test.is_changed { test.potential } else { sleep.potential };
    Energy { potential: awake.potential + asleep, ..awake }
}
