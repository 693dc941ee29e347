//! Epochs of extrapolated and of plain sweeps: extrapolations that gain nothing alternate with plain sweeps.
//!
//! In heaps of spheres and capsules modes change all the time, and extrapolations can keep the change of a sweep
//! constant for ever. Ten of them have to halve the norm of the step, or to reduce it as plain sweeps last did in as
//! many. Otherwise plain sweeps follow, twice as many each time, until an epoch of extrapolations gains enough again.
//! They start from where the epoch began if it made things worse.

use crate::math::elementary::power;

/// Iterations of an epoch: so many extrapolations are to gain what plain sweeps gain in as many [-].
const EPOCH: u32 = 10;

/// The most that an epoch of extrapolations may leave of the norm of the step [-].
const GAIN: f64 = 0.5;

/// The epochs of extrapolated and of plain iterations.
#[derive(Debug, Default)]
pub(super) struct Epochs {
    /// Whether the present one is of plain iterations.
    pub(super) plain: bool,
    /// Iterations left of it.
    left: u32,
    /// How long the next plain one is.
    next_plain: u32,
    /// The norm of the step at its start, and the impulses there.
    norm: f64,
    pub(super) from: Vec<f64>,
    /// How long the present one is.
    length: u32,
    /// What an epoch of extrapolations is to leave of the norm: what plain iterations leave in as many, or less [-].
    gain: f64,
}

/// What follows the end of an epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// The epoch goes on.
    Same,
    /// One of extrapolations begins.
    Extrapolate,
    /// Plain iterations, from where the epoch began if it made things worse.
    Plain { back: bool },
}

impl Epochs {
    /// Before the first of `first` plain iterations.
    pub(super) fn begin(&mut self, first: u32) {
        (self.plain, self.left, self.length, self.next_plain) = (true, first, first, EPOCH);
        (self.norm, self.gain) = (f64::INFINITY, GAIN);
    }

    /// After an iteration with a step of this norm, which ended at `to`.
    pub(super) fn count(&mut self, norm: f64, to: &[f64]) -> Next {
        self.left = self.left.saturating_sub(1);
        if self.left > 0 {
            return Next::Same;
        }
        let next = if self.plain {
            Next::Extrapolate
        } else if norm <= self.norm * self.gain {
            self.next_plain = EPOCH;
            Next::Extrapolate
        } else {
            Next::Plain { back: norm > self.norm || norm.is_nan() }
        };
        if self.plain && self.norm.is_finite() && norm > 0.0 {
            let exponent = f64::from(EPOCH) / f64::from(self.length);
            self.gain = power(norm / self.norm, exponent).min(GAIN);
        }
        self.plain = matches!(next, Next::Plain { .. });
        self.left = if self.plain { self.next_plain } else { EPOCH };
        self.length = self.left;
        if self.plain {
            self.next_plain = self.next_plain.saturating_mul(2);
        }
        if next != (Next::Plain { back: true }) {
            self.norm = norm;
            self.from.copy_from_slice(to);
        }
        next
    }
}
