//! What an iteration remembers of its own steps, and where they point: Anderson's mixing, type II.
//!
//! An iteration takes `x` to `g(x)` by the step `f = g - x`. Between sweeps at which the same contacts stick and slide,
//! `f` and `g` change almost linearly, so that the combination of past differences that makes `f` least also tells where
//! the iteration would end: `y = g - dG gamma`, `gamma = argmin |f - dF gamma|`.
//!
//! The differences are made orthonormal as they come (modified Gram-Schmidt), each `dG` along with its `dF`. That is
//! the QR decomposition of the least squares, and needs neither a triangular solve nor the normal equations with their
//! squared condition number. It grows only at its end: a full memory is dropped and begun anew, which was also measured
//! to do better than dropping the oldest difference, since the oldest are of other contacts' modes.

use crate::error::{Result, resize};

/// How many differences are remembered at most [-]. 5 take a tenth more sweeps, 12 a tenth fewer, at their share of memory
/// and time.
const MEMORY: usize = 8;

/// A difference that is the combination of the remembered ones but for this part of it adds nothing but round-off [-].
const INDEPENDENT: f64 = 1e-5;

/// The differences since the last restart.
#[derive(Debug, Default)]
pub(in crate::solver) struct Secants {
    size: usize,
    count: usize,
    /// Orthonormal, one after the other.
    steps: Vec<f64>,
    /// What belongs to them.
    results: Vec<f64>,
    /// Whether there was an iteration before; its `f` and `g`.
    primed: bool,
    last_step: Vec<f64>,
    last_result: Vec<f64>,
}

impl Secants {
    /// Forgets all, and makes room for vectors of `size` numbers.
    pub(in crate::solver) fn prepare(&mut self, size: usize) -> Result<()> {
        self.size = size;
        self.forget();
        resize(&mut self.last_step, size, 0.0, "impulses of an island")?;
        resize(&mut self.last_result, size, 0.0, "impulses of an island")?;
        resize(&mut self.steps, size * MEMORY, 0.0, "remembered impulses of an island")?;
        resize(&mut self.results, size * MEMORY, 0.0, "remembered impulses of an island")
    }

    /// Forgets all.
    pub(in crate::solver) fn forget(&mut self) {
        self.count = 0;
        self.primed = false;
    }

    /// Whether there is anything to extrapolate from.
    pub(in crate::solver) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Takes the next iteration's step `f` and result `g`.
    pub(in crate::solver) fn push(&mut self, step: &[f64], result: &[f64]) {
        let size = self.size;
        if self.primed && size > 0 {
            if self.count == MEMORY {
                self.count = 0;
            }
            let before = difference(&mut self.steps[self.count * size..][..size], step, &self.last_step[..size]);
            difference(&mut self.results[self.count * size..][..size], result, &self.last_result[..size]);
            self.orthonormalize(before);
        }
        self.primed = true;
        self.last_step[..size].copy_from_slice(step);
        self.last_result[..size].copy_from_slice(result);
    }

    /// Makes the newest difference, of the length `before`, orthonormal to the others, and counts it.
    fn orthonormalize(&mut self, before: f64) {
        let size = self.size;
        let (steps, step) = self.steps.split_at_mut(self.count * size);
        let (results, result) = self.results.split_at_mut(self.count * size);
        let (step, result) = (&mut step[..size], &mut result[..size]);
        for (q, g) in steps.chunks_exact(size).zip(results.chunks_exact(size)) {
            let along = dot(q, step);
            subtract(step, along, q);
            subtract(result, along, g);
        }
        let length = dot(step, step).sqrt();
        if length <= INDEPENDENT * before || !length.is_finite() {
            // What is remembered is used up: the next difference begins anew.
            self.count = 0;
            return;
        }
        step.iter_mut().chain(result).for_each(|value| *value /= length);
        self.count += 1;
    }

    /// Where the last iteration, of the step `f`, seems to lead, into `onto`.
    pub(in crate::solver) fn extrapolate(&self, step: &[f64], onto: &mut [f64]) {
        onto.copy_from_slice(&self.last_result[..self.size]);
        let all = self.count * self.size;
        let pairs = self.steps[..all].chunks_exact(self.size.max(1)).zip(self.results.chunks_exact(self.size.max(1)));
        for (q, g) in pairs {
            subtract(onto, dot(q, step), g);
        }
    }
}

/// `onto = a - b`; returns its length.
fn difference(onto: &mut [f64], a: &[f64], b: &[f64]) -> f64 {
    for ((onto, a), b) in onto.iter_mut().zip(a).zip(b) {
        *onto = a - b;
    }
    dot(onto, onto).sqrt()
}

/// `from -= factor * of`
fn subtract(from: &mut [f64], factor: f64, of: &[f64]) {
    for (from, of) in from.iter_mut().zip(of) {
        *from -= factor * of;
    }
}

/// The scalar product, in four sums side by side: one sum alone waits for itself.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (fours_a, fours_b) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = fours_a.remainder().iter().zip(fours_b.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in fours_a.zip(fours_b) {
        for k in 0..4 {
            sums[k] += a[k] * b[k];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}
