//! The minima of the signed distance from one outline to another.
//!
//! Along the slave the distance to the master has the slope `n.x'`, where `n` is the normal at the foot of `x`. Samples give its sign.
//! Between two samples at which the slope falls and then rises there is a minimum, which a safeguarded Newton search finds: every step
//! takes the certified foot of its point, so that the result is one. `(x - y).x' = 0`, the condition for the unsigned distance, is solved
//! by every crossing too.

use super::plane::{Touch, add};
use super::seat::add_seat;
use super::side::{Minimum, Pass};
use crate::error::{Result, push};
use crate::math::Vec2;
use crate::shape::nurbs::{Foot, right_of};

/// A slope below this has no sign: the slave is parallel to the master there, to round-off [-].
const PARALLEL: f64 = 1e-12;
/// A minimum has a slope below this; where the foot jumps it has not [-].
const IS_MINIMUM: f64 = 1e-9;
/// A slope that is 0 to round-off [-].
const ROUND_OFF: f64 = 4.0 * f64::EPSILON;
/// Cosine of the angle between two outlines that face each other at a jump.
const FACING: f64 = 0.99;
/// Newton steps and halvings, and the width of the bracket at which they end.
const MOST_STEPS: usize = 60;
const NARROWEST: f64 = 1e-14;

/// A place on the slave and how the distance changes there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sample {
    piece: usize,
    t: f64,
    /// The slope, 0 within [`PARALLEL`].
    slope: f64,
    foot: Foot,
}

/// Adds the minima along the slave of at most the margin to `touches`. `samples` is scratch memory.
pub(super) fn add_minima(pass: &Pass, samples: &mut Vec<Sample>, touches: &mut Vec<Touch>) -> Result<()> {
    take_samples(pass, samples)?;
    let count = samples.len();
    for at in 0..count {
        let sample = &samples[at];
        // The samples of a piece stand together, those of its two ends included.
        let is_start = sample.t == 0.0;
        let before = if is_start { end_before(pass, samples, at) } else { Some(at) };
        if let Some(before) = before.filter(|_| sample.t < 1.0)
            && let Some((last, next)) = (before.checked_sub(1)).and_then(|last| Some((samples.get(last)?, samples.get(at + 1)?)))
            && is_lowest([last.slope, samples[before].slope, sample.slope, next.slope])
        {
            let found = Minimum { piece: sample.piece, t: sample.t, foot: sample.foot };
            add_minimum(pass, &found, touches)?;
        }
        if sample.t < 1.0
            && let Some(next) = samples.get(at + 1)
            && sample.slope < 0.0
            && next.slope > 0.0
        {
            match settle(pass, [sample, next]) {
                Between::Minimum(found) => add_minimum(pass, &found, touches)?,
                Between::Jump(beside) => {
                    for found in beside.iter().filter(|found| is_facing(pass, found)) {
                        add_minimum(pass, found, touches)?;
                    }
                }
                Between::Nothing => {}
            }
        }
    }
    Ok(())
}

/// Adds a minimum, with its seat where the outlines are nearly parallel.
fn add_minimum(pass: &Pass, found: &Minimum, touches: &mut Vec<Touch>) -> Result<()> {
    if found.foot.distance > pass.margin || !is_opposed(pass, found) {
        return Ok(());
    }
    if add_seat(pass, found, touches)? {
        return Ok(());
    }
    add(touches, pass.touch(&found.foot), pass.size())
}

/// Whether the slave is solid on the side where the master is not. Deep inside the master its far side can be nearer, and is no contact.
fn is_opposed(pass: &Pass, found: &Minimum) -> bool {
    let (outline, Minimum { piece, t, .. }) = (pass.slave.outline, *found);
    let tangent = if t > 0.0 {
        outline.tangent(piece, t, &outline.at(piece, t))
    } else {
        outline.join(piece).before + outline.join(piece).after
    };
    pass.seen.turned(&right_of(&tangent)).dot(&found.foot.normal) < 0.0
}

/// Whether the two outlines face each other at a place beside a jump of the foot. They do where corners of two bodies that lie on each other
/// are one above the other: the side is nearer there than the face. Elsewhere a tip of the master is in the slave, and its own minimum is
/// found along the master.
fn is_facing(pass: &Pass, found: &Minimum) -> bool {
    let local = pass.slave.outline.at(found.piece, found.t);
    let tangent = pass.slave.outline.tangent(found.piece, found.t, &local);
    pass.seen.turned(&right_of(&tangent)).dot(&found.foot.normal) < -FACING
}

/// Whether the distance falls before a place and rises behind it, by the slopes: at the sample before, in front of the place, behind it,
/// and at the next sample. Where it does not change, the outer ones decide.
fn is_lowest([last, before, after, next]: [f64; 4]) -> bool {
    if before > 0.0 || after < 0.0 {
        return false;
    }
    let (left, right) = (if before == 0.0 { last } else { before }, if after == 0.0 { next } else { after });
    left <= 0.0 && right >= 0.0 && left < right
}

/// Returns the number of the sample at the end of the piece before that whose start is number `at`, if it is among the samples.
fn end_before(pass: &Pass, samples: &[Sample], at: usize) -> Option<usize> {
    let before = if at == 0 { samples.len().checked_sub(1)? } else { at - 1 };
    (pass.slave.outline.next(samples.get(before)?.piece) == samples.get(at)?.piece).then_some(before)
}

/// Measures the samples of all pieces that may touch, from end to end of each.
fn take_samples(pass: &Pass, samples: &mut Vec<Sample>) -> Result<()> {
    samples.clear();
    let count = pass.slave.samples;
    let mut outcome = Ok(());
    pass.each_near_piece(1.0 / f64::from(count), |piece| {
        for at in 0..=count {
            let t = f64::from(at) / f64::from(count);
            let known = samples.last().filter(|last| at == 0 && pass.slave.outline.next(last.piece) == piece);
            let known = known.map(|last| last.foot);
            let sample = measured(pass, piece, t, known);
            if outcome.is_ok() {
                outcome = push(samples, sample, "samples of a curve");
            }
        }
    });
    outcome
}

/// Measures a sample, whose foot may be `known`.
#[inline]
fn measured(pass: &Pass, piece: usize, t: f64, known: Option<Foot>) -> Sample {
    let local = pass.slave.outline.at(piece, t);
    let foot = known.unwrap_or_else(|| pass.master.outline.nearest(&pass.seen.to_world(&local.point)));
    let tangent = pass.seen.turned(&pass.slave.outline.tangent(piece, t, &local));
    let slope = foot.normal.dot(&tangent);
    Sample { piece, t, slope: if slope.abs() <= PARALLEL { 0.0 } else { slope }, foot }
}

/// What is between two samples of which the slopes are of two signs.
enum Between {
    /// Nothing within the margin.
    Nothing,
    Minimum(Minimum),
    /// The foot jumps, and the slope with it, as it does deep in the master: the places on both sides of the jump.
    Jump([Minimum; 2]),
}

/// Finds what is between two samples of a piece.
fn settle(pass: &Pass, [from, to]: [&Sample; 2]) -> Between {
    let (mut low, mut high) = (from.t, to.t);
    let mut t = low + (high - low) * from.slope / (from.slope - to.slope);
    // Between the two the distance cannot fall below this.
    let length = pass.slave.outline.length(from.piece) * 2.0 * (high - low);
    if 0.5 * (from.foot.distance + to.foot.distance - length) > pass.margin {
        return Between::Nothing;
    }
    let at = |sample: &Sample| Minimum { piece: sample.piece, t: sample.t, foot: sample.foot };
    let mut beside = [at(from), at(to)];
    for _ in 0..MOST_STEPS {
        let local = pass.slave.outline.at(from.piece, t);
        let (speed, change) = (pass.seen.turned(&local.first), pass.seen.turned(&local.second));
        let foot = pass.master.outline.nearest(&pass.seen.to_world(&local.point));
        let slope = foot.normal.dot(&speed);
        let relative = slope.abs() / speed.norm();
        let here = Minimum { piece: from.piece, t, foot };
        if slope < 0.0 {
            (low, beside[0]) = (t, here);
        } else {
            (high, beside[1]) = (t, here);
        }
        let step = slope / (foot.normal.dot(&change) + bend(&foot) * along(&foot, &speed));
        let newton = t - step;
        let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        let moved = (next - t).abs();
        t = next;
        let is_done = moved <= f64::EPSILON || high - low <= NARROWEST;
        if relative <= ROUND_OFF || is_done && relative <= IS_MINIMUM {
            return Between::Minimum(here);
        }
        if is_done {
            break;
        }
    }
    Between::Jump(beside)
}

/// The curvature of the line of equal distance through the point of which this is the foot [1/m].
fn bend(foot: &Foot) -> f64 {
    if foot.is_corner { 1.0 / foot.distance } else { foot.curvature / (1.0 + foot.curvature * foot.distance) }
}

/// The square of the speed along the master.
fn along(foot: &Foot, speed: &Vec2) -> f64 {
    let part = foot.normal.perp(speed);
    part * part
}
