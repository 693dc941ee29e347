//! Tests of this module, one file for each source.

mod axis;
mod axis_drives;
mod definition;
mod direction;
mod drive;
mod row;
mod spring;

use crate::joint::Drive;

/// A mass on a straight line.
#[derive(Debug, Clone, Copy)]
struct Slider {
    mass: f64,
    position: f64,
    velocity: f64,
}

impl Slider {
    /// Moves over a step under a constant force and drives, of which the last one may have bounds. Returns the impulse of that one.
    ///
    /// The drives without bounds end the step with `u + S lambda + b = 0`, that is `lambda = -(u + b) / S`. They add `1 / S` to the mass. The
    /// last drive gets the impulse that fulfils its row, as far as its bounds allow.
    fn step(&mut self, force: f64, step: f64, unbounded: &[Drive], last: Option<Drive>) -> f64 {
        let mass = self.mass + unbounded.iter().map(|drive| 1.0 / drive.compliance).sum::<f64>();
        let kick = self.mass * self.velocity + step * force
            - unbounded.iter().map(|drive| drive.bias / drive.compliance).sum::<f64>();
        let free = kick / mass;
        let impulse = last.map_or(0.0, |drive| {
            let wanted = -(free + drive.bias) / (1.0 / mass + drive.compliance);
            wanted.clamp(drive.lower, drive.upper)
        });
        let is_rigid = |drive: &Drive| drive.compliance == 0.0 && drive.lower < impulse && impulse < drive.upper;
        // A rigid row that is not at its bound has exactly the velocity that it is to have.
        let velocity = last.filter(is_rigid).map_or(free + impulse / mass, |drive| -drive.bias);
        self.velocity = velocity;
        self.position += step * velocity;
        impulse
    }
}
