//! Outlines that overlap deeply. Their contact points are then far from the other outline. Or the distance has no
//! minimum, because the foot jumps at each. One contact pushes the outlines apart.

use super::minima::{Sample, add_minima};
use super::plane::{Touch, add};
use super::side::{Minimum, Pass};
use crate::error::Result;

/// The number of samples of a piece.
const SAMPLES: u32 = 4;

/// Returns whether one of two outlines is inside the other. The two must not cross.
pub(super) fn is_inside(passes: &[Pass; 2]) -> bool {
    passes.iter().any(is_begin_inside)
}

/// Adds contacts of two outlines that overlap deeply: the minima over all pieces. If there are none, it adds the
/// deepest sample of either outline inside the other. A sample that faces the other outline is preferred.
pub(super) fn add_deep(passes: [Pass; 2], samples: &mut Vec<Sample>, touches: &mut Vec<Touch>) -> Result<()> {
    let passes = passes.map(Pass::deep);
    for pass in &passes {
        add_minima(pass, samples, touches)?;
    }
    if !touches.is_empty() {
        return Ok(());
    }
    let mut best: Option<((bool, f64), Touch)> = None;
    for pass in &passes {
        each_sample(pass, |found| {
            let rank = (!pass.is_opposed(&found), found.foot.distance);
            if found.foot.distance < 0.0 && best.is_none_or(|(lowest, _)| rank < lowest) {
                best = Some((rank, pass.touch(&found.foot)));
            }
        });
    }
    best.map_or(Ok(()), |(_, touch)| add(touches, touch, passes[0].size()))
}

/// Returns whether the start of the slave is inside the master. The whole slave then is, if the two do not cross.
fn is_begin_inside(pass: &Pass) -> bool {
    let (slave, master) = (pass.slave.outline, pass.master.outline);
    let point = pass.relative.to_world(&slave.start(0));
    slave.count() > 0 && master.tree().whole().squared_distance(&point) == 0.0 && master.nearest(&point).distance < 0.0
}

/// Calls `found` with each sample of the slave.
fn each_sample(pass: &Pass, mut found: impl FnMut(Minimum)) {
    pass.each_near_piece(|piece| {
        for at in 0..SAMPLES {
            let t = f64::from(at) / f64::from(SAMPLES);
            let point = pass.relative.to_world(&pass.slave.outline.at(piece, t).point);
            found(Minimum { piece, t, foot: pass.master.outline.nearest(&point) });
        }
    });
}
