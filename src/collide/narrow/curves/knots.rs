//! Knot contacts: one for every sample of an outline that is near the other outline. The sample identifies the contact.

use super::plane::{Touch, add};
use super::side::Pass;
use crate::collide::narrow::contact::mixed;
use crate::error::Result;

/// Adds the samples of the slave that are within the margin of the master, with the normals of the master.
pub(super) fn add_samples(pass: &Pass, touches: &mut Vec<Touch>) -> Result<()> {
    let count = pass.slave.samples;
    let mut outcome = Ok(());
    pass.each_near_piece(|piece| {
        for at in 0..count {
            let local = pass.slave.outline.at(piece, f64::from(at) / f64::from(count));
            let foot = pass.master.outline.nearest(&pass.relative.to_world(&local.point));
            if foot.distance > pass.margin || outcome.is_err() {
                continue;
            }
            let feature = mixed(&[u64::from(pass.is_slave_a), piece as u64, u64::from(at)]);
            outcome = add(touches, Touch { feature, ..pass.touch(&foot) }, 0.0);
        }
    });
    outcome
}
