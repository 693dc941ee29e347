//! A periodic box that is strained: its periods grow at constant rates, and images move over their bodies.
//!
//! A step takes the periods at its start. The contacts across the sides count the velocities of images (`images.rs`). At the end of the step
//! the world gets the periods that these velocities lead to.

use crate::error::{Error, Number, Result, all_finite, text};
use crate::math::{Period, Vec3};
use crate::visit::{Reader, State, format_error};
use crate::world::state::World;
use crate::world::substeps::Substep;

impl World {
    /// Sets the rates at which the periods of the box grow, each in proportion to the period [1/s].
    ///
    /// # Errors
    ///
    /// A rate is not finite, or not 0 along an axis without a period.
    pub fn set_strain_rate(&mut self, rates: [f64; 3]) -> Result<()> {
        let rates = checked(&self.period, rates)?;
        if self.strain_rate != rates {
            self.strain_rate = rates;
            self.waker().wake_all();
        }
        Ok(())
    }

    /// Returns the rates at which the periods grow [1/s].
    pub fn strain_rate(&self) -> [f64; 3] {
        self.strain_rate.into()
    }

    /// Returns whether the box is strained.
    pub(in crate::world) fn is_strained(&self) -> bool {
        self.strain_rate != Vec3::zeros()
    }

    /// Returns the box at the end of a step, of which this is the first part.
    ///
    /// # Errors
    ///
    /// A period would be out of range, or too short for the bodies.
    pub(in crate::world) fn period_after(&self, first: &Substep) -> Result<Period> {
        if !self.is_strained() {
            return Ok(self.period);
        }
        let before = self.period.lengths();
        let grown = self.strain_rate.map(|rate| 1.0 + rate * (first.pace * first.step));
        let after = before.component_mul(&grown);
        let of_axis = |error: Error, axis: usize| {
            let [rate, length, time] = [self.strain_rate[axis], before[axis], first.pace * first.step].map(Number);
            Error::argument(text!(
                "strain_rate[{axis}] is {rate} 1/s, which changes the period of {length} m in a step of {time} s: {}",
                error.message
            ))
        };
        for axis in (0..3).filter(|axis| before[*axis] > 0.0) {
            let mut lengths = [0.0; 3];
            // Zero would be an open axis.
            lengths[axis] = if after[axis] == 0.0 { f64::MIN_POSITIVE } else { after[axis] };
            let period = Period::new(lengths).map_err(|error| of_axis(error, axis))?;
            if after[axis] < before[axis] {
                self.check_margin_in(&period, self.settings.contact_margin).map_err(|error| of_axis(error, axis))?;
            }
        }
        Period::new(after.into())
    }

    /// Reads the rates at the end of a snapshot; zeros where it has none, as of a box that is not strained.
    ///
    /// # Errors
    ///
    /// There are no such rates.
    pub(in crate::world) fn load_strain(reader: &mut Reader, period: &Period) -> Result<Vec3> {
        if reader.is_at_end() {
            return Ok(Vec3::zeros());
        }
        let rates = checked(period, <[f64; 3]>::read(reader)?)?;
        if rates == Vec3::zeros() { Err(format_error("the rates of a strained box are 0")) } else { Ok(rates) }
    }
}

/// Returns the rates at which a box of this period may grow.
fn checked(period: &Period, rates: [f64; 3]) -> Result<Vec3> {
    all_finite("rates", &rates)?;
    if let Some(axis) = (0..3).find(|axis| rates[*axis] != 0.0 && period.lengths()[*axis] == 0.0) {
        let rate = Number(rates[axis]);
        return Err(Error::argument(text!(
            "rates[{axis}] is {rate} 1/s, expected 0: the world has no period along axis {axis}"
        )));
    }
    // Minus zero becomes zero, as which it is saved.
    Ok(Vec3::from(rates.map(|rate| rate + 0.0)))
}
