//! The minima of the signed distance from one outline to another.
//!
//! Along the slave the distance to the master has the slope `n.x'`, where `n` is the normal at the foot of `x`. Samples
//! give its sign. If the distance falls at one sample and rises at the next, there is a minimum between them. A
//! safeguarded Newton search finds it. Every step uses the certified foot of its point, so that the result is a
//! minimum. The condition for the unsigned distance, `(x - y).x' = 0`, holds at every crossing too.

use super::notch::in_notches;
use super::plane::{Touch, add};
use super::seat::add_seat;
use super::side::{Minimum, Pass};
use crate::error::{Result, push};
use crate::math::Vec2;
use crate::shape::nurbs::{Foot, right_of};

/// A slope below this has no sign: the slave is parallel to the master to round-off [-].
const PARALLEL: f64 = 1e-12;
/// A minimum has a slope below this. A jump of the foot has a larger one [-].
const IS_MINIMUM: f64 = 1e-9;
/// A slope that is 0 to round-off [-].
const ROUND_OFF: f64 = 4.0 * f64::EPSILON;
/// The largest angle between two outlines that face each other at a jump, as a cosine.
const FACING: f64 = 0.99;
/// The number of times that additional samples are taken between two others.
const REFINEMENTS: u32 = 3;
/// If the rate comes closer to 0 than this part of its larger end value, samples are added [-].
const NEAR_ZERO: f64 = 0.3;
/// The largest number of Newton steps and halvings.
const MAX_STEPS: usize = 60;
/// The width of the bracket at which the search ends.
const NARROWEST: f64 = 1e-14;

/// A place on the slave, with the rate of change of the distance.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sample {
    piece: usize,
    t: f64,
    /// The derivative of the distance by the parameter; 0 if the slope is within [`PARALLEL`].
    rate: f64,
    foot: Foot,
}

/// Adds the minima along the slave that are at most the margin to `touches`. `samples` is scratch memory. Returns
/// whether the other outline must be the slave too. This is so if the foot jumps, or if a minimum is on the far side of
/// the master.
pub(super) fn add_minima(pass: &Pass, samples: &mut Vec<Sample>, touches: &mut Vec<Touch>) -> Result<bool> {
    measure_ends(pass, samples)?;
    let mut jumps = false;
    for at in 0..samples.len() {
        let (sample, Some(next)) = (&samples[at], samples.get(at + 1)) else { continue };
        if sample.t > 0.0 {
            continue;
        }
        let mut is_in_notch = false;
        for found in in_notches(pass, sample.piece, &sample.foot) {
            is_in_notch |= sample.foot.is_corner;
            add_minimum(pass, &found, touches)?;
        }
        if let Some([last, before]) = end_before(pass, samples, at)
            && !is_in_notch
            && is_lowest([last.rate, before.rate, sample.rate, next.rate])
        {
            jumps |= !add_minimum(pass, &sample.minimum(), touches)?;
        }
        jumps |= add_between(pass, [sample, next], REFINEMENTS, touches)?;
    }
    Ok(jumps)
}

/// Adds the minima between two samples of a piece. Samples are added until they are as close as the host's setting
/// requires. If the distance may fall, rise and fall again, the middle becomes a sample too.
fn add_between(pass: &Pass, [from, to]: [&Sample; 2], left: u32, touches: &mut Vec<Touch>) -> Result<bool> {
    // The distance cannot change by more than the length of the path.
    let length = pass.slave.outline.longest_way(from.piece, to.t - from.t);
    if 0.5 * (from.foot.distance + to.foot.distance - length) > pass.margin {
        return Ok(false);
    }
    let is_far = (to.t - from.t) * f64::from(pass.slave.samples) > 1.0;
    if is_far || left > 0 && may_turn_twice([from, to]) {
        let middle = measured(pass, from.piece, 0.5 * (from.t + to.t), None);
        let left = if is_far { left } else { left - 1 };
        let mut jumps = add_between(pass, [from, &middle], left, touches)?;
        if middle.rate == 0.0 && is_lowest([from.rate, 0.0, 0.0, to.rate]) {
            jumps |= !add_minimum(pass, &middle.minimum(), touches)?;
        }
        return Ok(add_between(pass, [&middle, to], left, touches)? || jumps);
    }
    if from.rate >= 0.0 || to.rate <= 0.0 {
        return Ok(false);
    }
    match settle(pass, [from, to]) {
        Between::Minimum(found) => add_minimum(pass, &found, touches).map(|faces| !faces),
        Between::Jump(beside) => {
            for found in beside.iter().filter(|found| is_facing(pass, found)) {
                add_minimum(pass, found, touches)?;
            }
            Ok(true)
        }
    }
}

/// Returns whether the rate may have two more roots between two samples than its signs there show. The test fits a
/// parabola to the rates at both samples and to the integral, which follows from the distances. It holds if the
/// extremum of the parabola is beyond zero or near it.
fn may_turn_twice([from, to]: [&Sample; 2]) -> bool {
    let (first, last) = (from.rate, to.rate);
    let mean = (to.foot.distance - from.foot.distance) / (to.t - from.t);
    // first + (second) s + (third) s^2 on [0, 1]
    let third = 3.0 * (first + last) - 6.0 * mean;
    let second = last - first - third;
    let place = -0.5 * second / third;
    if !(place > 0.0 && place < 1.0) {
        return false;
    }
    let extreme = first + 0.5 * second * place;
    let near = NEAR_ZERO * first.abs().max(last.abs());
    (first >= 0.0 && last >= 0.0 && extreme < near) || (first <= 0.0 && last <= 0.0 && extreme > -near)
}

impl Sample {
    /// Returns whether the sample is inside the master.
    pub(super) fn is_inside(&self) -> bool {
        self.foot.distance < 0.0
    }

    fn minimum(&self) -> Minimum {
        Minimum { piece: self.piece, t: self.t, foot: self.foot }
    }
}

/// Adds a minimum, with its seat if the outlines are nearly parallel. Returns whether the outlines face each other
/// there.
fn add_minimum(pass: &Pass, found: &Minimum, touches: &mut Vec<Touch>) -> Result<bool> {
    if found.foot.distance > pass.margin {
        return Ok(true);
    }
    if !pass.is_opposed(found) {
        return Ok(false);
    }
    if !add_seat(pass, found, touches)? {
        add(touches, pass.touch(&found.foot), pass.size())?;
    }
    Ok(true)
}

/// Returns whether the two outlines face each other at a place next to a jump of the foot. They do if two bodies lie on
/// each other and their corners are one above the other: the side is nearer there than the face. Elsewhere a tip of the
/// master is inside the slave. The pass along the master finds its minimum.
fn is_facing(pass: &Pass, found: &Minimum) -> bool {
    let local = pass.slave.outline.at(found.piece, found.t);
    let tangent = pass.slave.outline.tangent(found.piece, found.t, &local);
    pass.relative.turned(&right_of(&tangent)).dot(&found.foot.normal) < -FACING
}

/// Returns whether the distance falls before a place and rises after it. The slopes are those at the previous sample,
/// in front of the place, behind it, and at the next sample. If an inner slope is zero, the outer one decides.
fn is_lowest([last, before, after, next]: [f64; 4]) -> bool {
    if before > 0.0 || after < 0.0 {
        return false;
    }
    let (left, right) = (if before == 0.0 { last } else { before }, if after == 0.0 { next } else { after });
    left <= 0.0 && right >= 0.0 && left < right
}

/// Returns the samples at both ends of the piece before the one whose start is number `at`, if they are among the
/// samples.
fn end_before<'a>(pass: &Pass, samples: &'a [Sample], at: usize) -> Option<[&'a Sample; 2]> {
    let end = if at == 0 { samples.len() } else { at };
    let [last, before] = samples.get(end.checked_sub(2)?..end)? else { return None };
    (pass.slave.outline.next(before.piece) == samples.get(at)?.piece).then_some([last, before])
}

/// Measures the ends of all pieces that may touch, two samples for each.
fn measure_ends(pass: &Pass, samples: &mut Vec<Sample>) -> Result<()> {
    samples.clear();
    let mut outcome = Ok(());
    pass.each_near_piece(|piece| {
        for t in [0.0, 1.0] {
            let known = samples.last().filter(|last| t == 0.0 && pass.slave.outline.next(last.piece) == piece);
            let known = known.map(|last| last.foot);
            let sample = measured(pass, piece, t, known);
            if outcome.is_ok() {
                outcome = push(samples, sample, "samples of a curve");
            }
        }
    });
    outcome
}

/// Measures a sample. Its foot may be `known`.
#[inline]
fn measured(pass: &Pass, piece: usize, t: f64, known: Option<Foot>) -> Sample {
    let local = pass.slave.outline.at(piece, t);
    let foot = known.unwrap_or_else(|| pass.master.outline.nearest(&pass.relative.to_world(&local.point)));
    let tangent = pass.relative.turned(&pass.slave.outline.tangent(piece, t, &local));
    let slope = foot.normal.dot(&tangent);
    Sample { piece, t, rate: if slope.abs() <= PARALLEL { 0.0 } else { slope * local.first.norm() }, foot }
}

/// The result of a search between two samples. The distance falls at the first and rises at the second.
enum Between {
    Minimum(Minimum),
    /// The foot and the slope jump, as they do deep inside the master. These are the places on both sides of the jump.
    Jump([Minimum; 2]),
}

/// Finds the minimum between two samples of a piece, or the jump.
fn settle(pass: &Pass, [from, to]: [&Sample; 2]) -> Between {
    let (mut low, mut high) = (from.t, to.t);
    let mut t = low + (high - low) * from.rate / (from.rate - to.rate);
    let mut beside = [from.minimum(), to.minimum()];
    for _ in 0..MAX_STEPS {
        let local = pass.slave.outline.at(from.piece, t);
        let (speed, change) = (pass.relative.turned(&local.first), pass.relative.turned(&local.second));
        let foot = pass.master.outline.nearest(&pass.relative.to_world(&local.point));
        let rate = foot.normal.dot(&speed);
        let slope = rate.abs() / speed.norm();
        let here = Minimum { piece: from.piece, t, foot };
        if rate < 0.0 {
            (low, beside[0]) = (t, here);
        } else {
            (high, beside[1]) = (t, here);
        }
        let step = rate / (foot.normal.dot(&change) + bend(&foot) * along(&foot, &speed));
        let newton = t - step;
        let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        let is_done = (next - t).abs() <= f64::EPSILON || high - low <= NARROWEST;
        if slope <= ROUND_OFF || is_done && slope <= IS_MINIMUM {
            return Between::Minimum(here);
        }
        if is_done {
            break;
        }
        t = next;
    }
    Between::Jump(beside)
}

/// Returns the curvature of the line of equal distance through the point that has this foot [1/m].
fn bend(foot: &Foot) -> f64 {
    if foot.is_corner { 1.0 / foot.distance } else { foot.curvature / (1.0 + foot.curvature * foot.distance) }
}

/// Returns the square of the speed along the master.
fn along(foot: &Foot, speed: &Vec2) -> f64 {
    let part = foot.normal.perp(speed);
    part * part
}
